/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-run.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-processes.h"
#include "ns3/dcn-progress.h"
#include "ns3/default-simulator-impl.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

namespace ns3
{

namespace
{

/// @return whether a component of ns-3's log is switched on
bool
IsLogging()
{
#ifdef NS3_LOG_ENABLE
    const auto& components = *LogComponent::GetComponentList();
    return std::any_of(components.begin(), components.end(), [](const auto& component) {
        return !component.second->IsNoneEnabled();
    });
#else
    return false;
#endif
}

/// @return payload of all flows: a few long ones may take nearly all of the work [bytes]
uint64_t
GetAllBytes(const DcnScenario& scenario)
{
    uint64_t bytes = 0;
    for (const DcnFlow& flow : scenario.GetFlows())
    {
        bytes += flow.sizeBytes;
    }
    return bytes;
}

} // namespace

DcnPacketRun::DcnPacketRun(DcnPacketSession& session,
                           const DcnScenario& scenario,
                           const Settings& settings,
                           std::function<bool()> hasListener)
    : m_session(session),
      m_allBytes(GetAllBytes(scenario)),
      m_settings(settings),
      m_hasListener(std::move(hasListener))
{
}

DcnPacketRun::~DcnPacketRun()
{
    Cancel();
}

void
DcnPacketRun::Cancel()
{
    m_watch.Cancel();
    m_stop.Cancel();
}

void
DcnPacketRun::CheckStopTime(int64_t stopTimeNs, const DcnScenario& scenario)
{
    const auto& flows = scenario.GetFlows();
    if (stopTimeNs != 0 && !flows.empty() && stopTimeNs <= flows.front().startNs)
    {
        DcnFail("StopTime is ",
                stopTimeNs,
                " ns, but the first flow starts at ",
                flows.front().startNs,
                " ns, so that nothing would be simulated: take a later one");
    }
}

void
DcnPacketRun::Simulate()
{
    /// Ends what belongs to a run, also where a listener throws.
    struct Guard
    {
        DcnPacketRun& run; //!< ends

        ~Guard()
        {
            run.Cancel();
            run.m_progress = nullptr;
        }
    };

    DcnProgress progress("packet", m_allBytes, "B");
    const Guard guard{*this};
    m_progress = &progress;
    m_originNs = Simulator::Now().GetNanoSeconds();
    m_stopNs = m_settings.stopTimeNs == 0 ? NEVER : m_originNs + m_settings.stopTimeNs;
    std::exception_ptr failure; // ns-3 does not expect exceptions from events
    Simulator::ScheduleNow([this, &failure]() {
        try
        {
            Begin();
        }
        catch (...)
        {
            failure = std::current_exception();
            Simulator::Stop();
        }
    });
    Simulator::Run();
    if (failure)
    {
        std::rethrow_exception(failure);
    }
    m_session.Resume(); // so that counters have what a skip left out
    m_endNs = (m_isCut ? m_stopNs : m_session.GetLastTransmissionNs()) - m_originNs;
    m_stopNs = NEVER;
}

void
DcnPacketRun::Begin()
{
    const std::string whyTurns = GetWhyTurns();
    std::string whyOne = m_session.GetWhyOneThread();
    whyOne = whyOne.empty() ? whyTurns : whyOne;
    m_report.nAsked = m_settings.nThreads;
    m_report.nThreads = std::min(m_settings.nThreads, 1U);
    m_report.nPartitions = 1;
    m_report.lookaheadNs = NEVER;
    if (m_settings.nThreads > 0 && whyOne.empty())
    {
        Cut();
    }
    else if (m_settings.nThreads > 1)
    {
        m_report.whyOne = whyOne;
    }
    if (whyTurns.empty())
    {
        m_session.LeaveNs3();
        m_session.ScheduleStarts(m_originNs);
        RunWindows();
        return;
    }
    m_session.ScheduleStarts(m_originNs);
    if (m_stopNs != NEVER)
    {
        m_stop = Simulator::Schedule(TimeStep(m_stopNs - m_originNs), [this]() {
            m_isCut = m_session.CanMove();
            Simulator::Stop();
        });
    }
    Watch(0);
}

std::string
DcnPacketRun::GetWhyTurns() const
{
    // those with which nodes and devices start have run
    const bool hasOthers = DcnHasPendingEvents();
    if (m_hasListener() || IsLogging())
    {
        return "a trace source has a listener, or a log is written, one event after the other";
    }
    if (!DynamicCast<DefaultSimulatorImpl>(Simulator::GetImplementation()))
    {
        return "the simulator is not ns3::DefaultSimulatorImpl, and takes events from elsewhere";
    }
    return hasOthers ? "other events of ns-3 are pending, which may depend on the packets" : "";
}

void
DcnPacketRun::Cut()
{
    // one thread needs no windows; several share their work more evenly in smaller pieces
    constexpr uint32_t PER_THREAD = 4;
    const uint32_t nThreads = m_settings.nThreads;
    m_report.nPartitions =
        m_session.Cut(m_settings.nPartitions > 0 ? m_settings.nPartitions
                      : nThreads == 1            ? 1
                                                 : std::min(PER_THREAD * nThreads, MAX_THREADS));
    m_report.nThreads = std::min(nThreads, m_report.nPartitions);
    m_report.lookaheadNs = m_session.GetPartitions().GetWindowNs();
}

void
DcnPacketRun::RunWindows()
{
    const DcnPacketSession::Windows windows = m_session.RunWindows(std::max(m_report.nThreads, 1U),
                                                                   m_settings.sharedEvents,
                                                                   m_stopNs,
                                                                   [this]() { ShowProgress(); });
    m_session.EndTurns(); // of the last event, or of the stop
    m_isCut = windows.canMove;
    m_report.nWindows = windows.cost.nWindows;
    m_report.nEvents = windows.cost.nEvents;
    m_report.nPathEvents = windows.cost.nPathEvents;
    Simulator::Stop(NanoSeconds((m_isCut ? m_stopNs : windows.lastNs) - m_originNs));
}

void
DcnPacketRun::RunTurn(int64_t nowNs)
{
    m_session.RunTurn(nowNs, std::min(nowNs + 1, m_stopNs));
    if (!m_progress)
    {
        return;
    }
    constexpr uint64_t LOOK_EVENTS = 65'536; // some milliseconds, and a clock is read in some 10 ns
    const uint64_t nEvents = m_session.GetPartitions().GetNEvents();
    if (nEvents - m_lookEvents >= LOOK_EVENTS)
    {
        m_lookEvents = nEvents;
        ShowProgress();
    }
    if (m_session.IsOver())
    {
        Simulator::Stop();
    }
}

void
DcnPacketRun::Watch(uint64_t packetHops)
{
    const uint64_t now = m_session.GetFabric().GetDataPacketHops();
    if (now == packetHops && !m_session.CanMove())
    {
        Simulator::Stop();
        return;
    }
    ShowProgress();
    m_watch =
        Simulator::Schedule(TimeStep(m_session.GetWatchNs()), &DcnPacketRun::Watch, this, now);
}

void
DcnPacketRun::ShowProgress() const
{
    if (!m_progress->IsDue())
    {
        return;
    }
    char remark[64];
    std::snprintf(remark,
                  sizeof(remark),
                  "at %.6g ms of simulated time",
                  1e-6 * static_cast<double>(m_session.GetLatestNs() - m_originNs));
    m_progress->Write(m_session.GetDeliveredBytes(), remark);
}

} // namespace ns3
