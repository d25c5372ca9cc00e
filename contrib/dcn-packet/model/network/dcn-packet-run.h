/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_RUN_H
#define DCN_PACKET_RUN_H

#include "dcn-packet-session.h"
#include "dcn-thread-report.h"

#include "ns3/dcn-scenario.h"
#include "ns3/event-id.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

class DcnProgress;

/**
 * @ingroup dcn-packet
 * @brief A scenario's simulation from its first event to its last one, in ns-3's simulator.
 *
 * **Problem.** Run the session of a scenario until nothing is left to do, or until a time, with as
 * many threads as results allow, and show how far it is.
 *
 * **Rule.** If nobody else needs ns-3's time (listeners of trace sources, logs, other events,
 * another simulator), one event of ns-3 runs the whole simulation in windows, with threads. Else
 * ns-3 has an event for each nanosecond with events (a turn, RunTurn). Results are the same.
 *
 * **End.** It ends when all is acknowledged and no event is pending; at StopTime; or when the
 * packets that were sent on links have not become more between two looks, a hundred timeouts apart,
 * and nothing can move (DcnPacketSession::CanMove): timers of congestion controls go on for ever.
 *
 * **Cost.** A look takes one pass over devices and flows. A clock is read once in LOOK_EVENTS
 * events of turns, or between windows, for the line of progress.
 */
class DcnPacketRun
{
  public:
    /// Attributes of DcnPacketNetwork.
    struct Settings
    {
        int64_t stopTimeNs;    //!< StopTime, from the scenario's time 0 [ns]; 0: none
        uint32_t nThreads;     //!< Threads
        uint32_t nPartitions;  //!< Partitions
        uint64_t sharedEvents; //!< SharedEvents
    };

    static constexpr uint32_t MAX_THREADS = 1024; //!< most threads and partitions

    /**
     * @param session outlives this object; none of its flows has begun
     * @param scenario that of the session
     * @param settings see Settings
     * @param hasListener whether a trace source has a listener that only one thread may call; asked
     * when the simulation begins
     */
    DcnPacketRun(DcnPacketSession& session,
                 const DcnScenario& scenario,
                 const Settings& settings,
                 std::function<bool()> hasListener);
    ~DcnPacketRun();
    DcnPacketRun(const DcnPacketRun&) = delete;
    DcnPacketRun& operator=(const DcnPacketRun&) = delete;

    /**
     * @brief Refuse a StopTime before which nothing happens.
     * @param stopTimeNs see Settings [ns]
     * @param scenario flows
     * @throws DcnError if the first flow does not start before it
     */
    static void CheckStopTime(int64_t stopTimeNs, const DcnScenario& scenario);

    /// Simulate; once. It calls Simulator::Run.
    void Simulate();

    /**
     * @brief A turn of ns-3; while Simulate runs, its end and its progress are looked after.
     * @param nowNs present time [ns]
     */
    void RunTurn(int64_t nowNs);

    /// No event of this object runs any more.
    void Cancel();

    /** @return whether StopTime has ended the simulation while packets could move. */
    bool IsCut() const
    {
        return m_isCut;
    }

    /** @return end of the last transmission, or StopTime, from the scenario's time 0 [ns]. */
    int64_t GetEndNs() const
    {
        return m_endNs;
    }

    /** @return what threads did. */
    const DcnThreadReport& GetThreadReport() const
    {
        return m_report;
    }

  private:
    /// A time that never comes [ns].
    static constexpr int64_t NEVER = DcnPacketSession::NEVER;

    void Begin();
    std::string GetWhyTurns() const;
    void Cut();
    void RunWindows();
    void Watch(uint64_t packetHops);
    void ShowProgress() const;

    DcnPacketSession& m_session;         //!< see the constructor
    uint64_t m_allBytes;                 //!< payload of all flows [bytes]
    Settings m_settings;                 //!< see the constructor
    std::function<bool()> m_hasListener; //!< see the constructor
    DcnProgress* m_progress{nullptr};    //!< payload delivered; not null within Simulate
    int64_t m_originNs{0};               //!< simulation time of the scenario's 0 [ns]
    int64_t m_stopNs{NEVER};             //!< that of StopTime, within Simulate [ns]
    EventId m_watch;                     //!< next look whether a packet can move, if ns-3 has turns
    EventId m_stop;                      //!< end at StopTime, if ns-3 has turns
    uint64_t m_lookEvents{0};            //!< events of turns when progress was looked at
    bool m_isCut{false};                 //!< see IsCut
    int64_t m_endNs{0};                  //!< see GetEndNs
    DcnThreadReport m_report;            //!< see GetThreadReport
};

} // namespace ns3

#endif /* DCN_PACKET_RUN_H */
