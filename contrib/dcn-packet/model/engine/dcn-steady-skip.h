/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_STEADY_SKIP_H
#define DCN_STEADY_SKIP_H

#include "ns3/event-id.h"
#include "ns3/ptr.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

class DcnFlowOwner;
class DcnHostDevice;
class DcnPacketDevice;
class DcnPacketFlow;
class DcnSwitchDevice;

/**
 * @ingroup dcn-packet
 * @brief Skips the steady states of a packet simulation.
 *
 * **Problem.** While no flow begins or ends, long flows have constant rates. Their packets repeat
 * the packets before them, and take nearly all of the processor time. Find such
 * states and advance without packets, so that completion times stay those of the packets.
 *
 * **Symbols.** a_f(t): bytes acknowledged of flow f [byte]; s_f(t): bytes sent [byte]; t_f(t): when
 * a_f rose last until t [s]; t0, t1 = t0 + w, t2 = t0 + 2 w: marks of a window; r_f: rate [byte/s];
 * M: payload of a packet [byte]; e: tolerance; u_f: whole packets that f sends before the last one
 * of the flow or message; T: length of a skip [s].
 *
 * **Steady** is a network in which since t0 no flow has begun or ended, no message came to a
 * connection that had sent all, no frame was lost, no pause began or ended and no link changed, all
 * of this also for the round trip before t0, and in which for every flow, with
 *
 *     r_f(i, j) = (a_f(tj) - a_f(ti)) / (t_f(tj) - t_f(ti)),                                    (1)
 *
 *     |r_f(0, 1) - r_f(1, 2)| <= e r_f(0, 2)                                                    (2)
 *     |(s_f - a_f)(t2) - (s_f - a_f)(t0)| <= max(2 M, e (a_f(t2) - a_f(t0))).                   (3)
 *
 *     |(s_f - a_f)(t2) - h_f| <= M                                  if nothing moves a rate, (3b)
 *
 * with h_f the value at the first mark since the last change. (1) counts from acknowledgement to
 * acknowledgement, which takes the error of a packet out of short windows. (3) bounds the queues:
 * what has been sent and is not acknowledged is in one of them, or on a link. (3b) holds over many
 * windows and the skips between them: a queue that grows by less than a packet in a short window
 * would stand still in every skip. If (2), (3) or (3b) fails, w doubles, and h_f is taken again. So
 * a window finds its length itself, whatever the period of a congestion control is: averages over
 * longer ones differ less.
 *
 * w begins with SHORT_PACKETS packets of the fastest host if all flows have their largest rate and
 * no packet is marked, since nothing will then move a rate; else with ROUNDS round trips of the
 * longest path, or periods of DCQCN's longest timer, as a control may be between two steps.
 *
 * **Skip** (after Wormhole, NSDI 2026, which skips steady states of packet simulations, too). With
 * r_f = r_f(0, 2),
 *
 *     T = min(min over f of u_f M / r_f,  c (t2 - t0)),    n_f = r_f T / M, rounded             (4)
 *
 * with c = LONG_STRETCH for windows of the first kind and SHORT_STRETCH for others, after which the
 * rates are measured again. A steady state is the same at a later time: pending arrivals, wake-ups
 * and timers, times in congestion controls and frames move by T, sequence numbers by n_f M. Queues,
 * rates and the phase of every frame stay. Devices count n_f packets and n_f acknowledgements more
 * on the path of f, so that bytes sent = bytes acknowledged in wire format + bytes on their way, as
 * with packets; marks continue at the rate of the window.
 *
 * A skip ends at once, with the T that has passed, if a flow begins, a message comes to a
 * connection without bytes to send, a flow moves or a link changes (Resume). Events that are not
 * the engine's happen at their times. Counters of devices and flows are those of the begin of a
 * skip until it ends.
 *
 * Averages of marks, which fall while the rate of a flow stays at its largest, fall by the length
 * of a skip without marks.
 *
 * The group of flows is the whole network: all its flows must be steady.
 */
class DcnSteadySkip
{
  public:
    static constexpr uint32_t SHORT_PACKETS = 16; //!< of a window in which nothing moves a rate
    static constexpr uint32_t ROUNDS = 8;         //!< round trips of another one
    static constexpr int64_t LONG_STRETCH = 256;  //!< c if nothing moves a rate
    static constexpr int64_t SHORT_STRETCH = 8;   //!< c else

    /**
     * @param owner the network: its parameters, events and frames
     * @param devices all of the network
     * @param packetNs time of a full packet on the fastest link of a host [ns]
     * @param tolerance e
     */
    DcnSteadySkip(DcnFlowOwner& owner,
                  const std::vector<Ptr<DcnPacketDevice>>& devices,
                  int64_t packetNs,
                  double tolerance);
    ~DcnSteadySkip();
    DcnSteadySkip(const DcnSteadySkip&) = delete;
    DcnSteadySkip& operator=(const DcnSteadySkip&) = delete;

    /**
     * @brief The first flow, connection or message is about to be added.
     * @throws DcnError as of CheckListeners
     */
    void Begin();

    /// A flow or a message begins: look for steady states.
    void Watch();

    /// @throws DcnError if there is a listener for every frame
    void CheckListeners() const;

    /// Let packets go on now if they are being skipped; before anything that changes the network.
    void Resume();

    /** @return simulated time that was skipped [ns]. */
    int64_t GetSkippedNs() const
    {
        return m_skippedNs;
    }

    /** @return skips. */
    uint64_t GetNSkips() const
    {
        return m_nSkips;
    }

  private:
    /// What is looked for.
    enum class Phase
    {
        FILLING,   //!< packets of all flows to return
        MEASURING, //!< marks
        ENDING,    //!< a change that is near
    };

    /// A flow at a mark.
    struct Mark
    {
        uint64_t acknowledged; //!< a_f
        uint64_t sent;         //!< s_f
        int64_t progressNs;    //!< t_f
        uint64_t rateBps;      //!< of the congestion control [bit/s]
    };

    static constexpr double UNKNOWN = -1; //!< h_f before the first mark

    /// A flow of the steady state.
    struct Watched
    {
        DcnPacketFlow* flow;       //!< the flow
        uint64_t need;             //!< FILLING: byte to be acknowledged
        std::array<Mark, 3> marks; //!< at t0, t1, t2
        double rate;               //!< r_f [byte/ns]
        uint64_t packets;          //!< n_f
        double heldBytes;          //!< s_f - a_f at the first mark since the last change [byte]
    };

    /// Returns how long all flows go on at their rates until the first one or its message ends
    /// [ns].
    double GetLongestSkipNs() const;
    void Schedule(int64_t delayNs);
    void Look(int64_t nowNs);
    void Poll();
    void Collect();
    void BeginWindow(int64_t nowNs);
    void SetMark(std::size_t mark, int64_t nowNs);
    bool IsQuiet() const;
    bool IsSteady();
    void TrySkip(int64_t nowNs);
    void Count(const DcnPacketFlow& flow, uint64_t packets) const;

    DcnFlowOwner& m_owner;                        //!< the network
    std::vector<DcnPacketDevice*> m_devices;      //!< all
    std::vector<const DcnHostDevice*> m_hosts;    //!< those of hosts
    std::vector<DcnSwitchDevice*> m_ports;        //!< those of switches
    int64_t m_pollNs;                             //!< time between two looks [ns]
    double m_tolerance;                           //!< e
    bool m_hasBegun{false};                       //!< Watch was called
    Phase m_phase{Phase::ENDING};                 //!< see Phase
    uint64_t m_nChanges{0};                       //!< changes at the latest look
    std::size_t m_nFilled{0};                     //!< FILLING: flows whose packets have returned
    uint32_t m_nStill{0};                         //!< looks in a row at a network without frames
    std::vector<Watched> m_flows;                 //!< all that send
    std::size_t m_nextMark{0};                    //!< MEASURING: the next one
    int64_t m_markNs[3]{};                        //!< t0, t1, t2 [ns]
    int64_t m_windowNs{0};                        //!< w [ns]
    bool m_isQuiet{false};                        //!< nothing has moved a rate since t0
    std::array<std::vector<uint64_t>, 3> m_marks; //!< packets marked by port, at t0, t1, t2
    int64_t m_frozenNs{0};                        //!< begin of the skip [ns]
    bool m_isStretched{false};                    //!< the skip ends by c, not by a flow
    EventId m_event;                              //!< next look, or end of the skip
    int64_t m_skippedNs{0};                       //!< see GetSkippedNs
    uint64_t m_nSkips{0};                         //!< see GetNSkips
};

} // namespace ns3

#endif /* DCN_STEADY_SKIP_H */
