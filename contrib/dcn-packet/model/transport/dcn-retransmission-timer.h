/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_RETRANSMISSION_TIMER_H
#define DCN_RETRANSMISSION_TIMER_H

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief The retransmission timer of a flow.
 *
 * **Problem.** Packets at the end of a flow may be lost without a packet behind them that tells the
 * receiver. Send again what is not acknowledged, late enough that packets in a long queue are not
 * sent twice, and again later each time that it does not help.
 *
 * **Rule.** The timer runs from a drop until all that was sent before the latest drop is
 * acknowledged; flows without a drop cannot need it. It expires at
 *
 *     max(begin, progress) + T 2^k                                                        (1)
 *
 * where T is the timeout without expiries before, begin is the time of the drop that started the
 * timer, or of the latest expiry since, progress is the latest acknowledgement of anything new,
 * and k counts the expiries since then. So a flow times out T after its drop or its latest
 * progress, whichever is later, and the next expiries in a row follow after 2 T, 4 T, ..., up to
 * a minute (or T). At the expiry in a row that follows MAX_TIMEOUTS others, the flow gives up.
 *
 * **Events.** The flow has an event, a *check*, pending when the timer runs. Progress makes the
 * expiry later without a new event: a check that comes too early asks for another one. Only after
 * expiries in a row does progress make the expiry sooner, and asks for an earlier check.
 *
 * **Cost.** An acknowledgement writes one word and reads one.
 */
class DcnRetransmissionTimer
{
  public:
    /// Expiries in a row, the later ones a minute apart, that a flow survives; the next ends it.
    static constexpr uint32_t MAX_TIMEOUTS = 25;

    /// What a check finds.
    enum class Check
    {
        NOTHING, //!< another check is pending, or none is needed
        EARLY,   //!< the expiry is later: Arm asks for another check
        EXPIRED, //!< the flow sends again; Arm asks for another check
        GIVE_UP, //!< the flow sends no more
    };

    /**
     * @brief A flow begins: nothing is lost.
     * @param nowNs present time [ns]
     */
    void Begin(int64_t nowNs);

    /** @return true if a frame has been dropped. */
    bool HasDropped() const
    {
        return m_recoverUpTo > 0;
    }

    /** @return true if it runs. */
    bool IsRunning() const
    {
        return m_isRunning;
    }

    /** @return progress; at first the begin of the flow [ns]. */
    int64_t GetProgressNs() const
    {
        return m_progressNs;
    }

    /** @return k. */
    uint32_t GetNTimeouts() const
    {
        return m_nTimeouts;
    }

    /**
     * @brief A frame was dropped.
     * @param atNs when [ns]
     * @param acknowledged first byte not acknowledged
     * @param sent one past the last byte ever sent
     * @return whether the timer runs now: Arm is to be called, unless the flow is complete
     */
    bool OnDrop(int64_t atNs, uint64_t acknowledged, uint64_t sent);

    /**
     * @brief An acknowledgement was progress.
     * @param nowNs present time [ns]
     * @param acknowledged first byte not acknowledged
     * @return whether the expiry may be before the pending check: Arm is to be called
     */
    bool OnProgress(int64_t nowNs, uint64_t acknowledged)
    {
        m_progressNs = nowNs;
        return m_isRunning && Follow(acknowledged);
    }

    /**
     * @param firstNs T [ns]
     * @return (1), the expiry if there is no progress until then [ns]
     */
    int64_t GetExpiryNs(int64_t firstNs) const;

    /**
     * @brief Ask for a check no later than the expiry.
     * @param nowNs present time [ns]
     * @param firstNs T [ns]
     * @return when an event is to be added [ns]; NONE: one is pending that is soon enough
     */
    int64_t Arm(int64_t nowNs, int64_t firstNs);

    /**
     * @brief The event of a check.
     * @param nowNs present time [ns]
     * @param firstNs T [ns]
     * @return what it finds
     */
    Check OnCheck(int64_t nowNs, int64_t firstNs);

    /**
     * @brief Be in the state of a later time; it does not run (DcnSteadySkip).
     * @param timeNs by how much [ns]
     */
    void Translate(int64_t timeNs)
    {
        m_progressNs += timeNs;
    }

    static constexpr int64_t NONE = -1; //!< see Arm [ns]

  private:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    bool Follow(uint64_t acknowledged);

    int64_t m_progressNs{0};    //!< see GetProgressNs [ns]
    bool m_isRunning{false};    //!< see IsRunning
    uint32_t m_nTimeouts{0};    //!< k
    uint64_t m_recoverUpTo{0};  //!< bytes sent before the latest drop, at least 1; 0: none yet
    int64_t m_beginNs{0};       //!< begin [ns]
    int64_t m_checkAtNs{NEVER}; //!< first pending check; NEVER: none [ns]
};

} // namespace ns3

#endif /* DCN_RETRANSMISSION_TIMER_H */
