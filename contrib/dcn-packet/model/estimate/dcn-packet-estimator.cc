/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-estimator.h"

#include "../engine/dcn-packet-flow.h"
#include "../engine/dcn-switch-device.h"
#include "../measure/dcn-collector.h"
#include "../network/dcn-packet-network.h"
#include "dcn-packet-engine-digest.h"

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-forecast.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-simulation-report.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketEstimator");

NS_OBJECT_ENSURE_REGISTERED(DcnPacketEstimator);

TypeId
DcnPacketEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnPacketEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("DcnPacket")
            .AddConstructor<DcnPacketEstimator>()
            .AddAttribute("Seed",
                          "Seed of the random ECN marking; 0: the scenario's.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPacketEstimator::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("LastFlow",
                          "Index of the flow with whose delivery the simulation "
                          "ends; 2^64 - 1: that of all flows.",
                          UintegerValue(ALL_FLOWS),
                          MakeUintegerAccessor(&DcnPacketEstimator::m_lastFlow),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("StopTime",
                          "Simulated time, from the scenario's time 0, at which the simulation "
                          "ends with the flows that are delivered before; 0: none.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DcnPacketEstimator::m_stopTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("InFlightPerRack",
                          "Closed loop: most flows in flight from the hosts of a rack, the "
                          "others wait; 0: every flow begins at its start time.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPacketEstimator::m_inFlightPerRack),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Threads",
                          "Threads that simulate partitions of the network at the same time, with "
                          "the same results for any number of them; 0: one thread.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPacketEstimator::m_nThreads),
                          MakeUintegerChecker<uint32_t>(0, DcnPacketNetwork::MAX_THREADS))
            .AddAttribute(
                "Partitions",
                "Partitions of the network, if Threads > 0; 0: four for each thread, but one "
                "for one thread.",
                UintegerValue(0),
                MakeUintegerAccessor(&DcnPacketEstimator::m_nPartitions),
                MakeUintegerChecker<uint32_t>(0, DcnPacketNetwork::MAX_THREADS))
            .AddAttribute("Skip",
                          "Whether steady states are skipped (DcnSteadySkip).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcnPacketEstimator::m_skips),
                          MakeBooleanChecker())
            .AddAttribute("LosslessHeadroom",
                          "Whether the headroom of a switch port covers all that can arrive after "
                          "a pause, so that PFC loses no packet (DcnPacketSwitch); false: the "
                          "attribute of the network, whose default is false.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcnPacketEstimator::m_losslessHeadroom),
                          MakeBooleanChecker())
            .AddAttribute("Queues",
                          "Folder for the records of queues and flows (DcnCollector), and a plot "
                          "of the longest queues; empty: none.",
                          StringValue(""),
                          MakeStringAccessor(&DcnPacketEstimator::m_queues),
                          MakeStringChecker())
            .AddAttribute("QueueInterval",
                          "Length of the intervals of queue records; 0: a 500th of the time in "
                          "which flows start, at least 1 us.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DcnPacketEstimator::m_queueInterval),
                          MakeTimeChecker(Time(0)));
    return tid;
}

std::string
DcnPacketEstimator::GetName() const
{
    return "packet";
}

bool
DcnPacketEstimator::IsGroundTruth() const
{
    return !m_skips;
}

bool
DcnPacketEstimator::HasManyPaths() const
{
    return true;
}

std::string
DcnPacketEstimator::GetDigest() const
{
    return DcnPacketEngineDigest();
}

double
DcnPacketEstimator::ForecastSeconds(const DcnWork& work) const
{
    // cost on the reference machine, fitted to 174 scenarios (doc/dcn.rst)
    static constexpr double FIXED_S = 0.0106;       //!< set-up [s]
    static constexpr double PACKET_HOP_S = 1.46e-7; //!< a data packet over a link [s]
    static constexpr double FLOW_HOP_S = 3.3e-7;    //!< a flow at a link [s]
    return FIXED_S + PACKET_HOP_S * work.packetHops + FLOW_HOP_S * work.flowHops;
}

namespace
{

/// Fills in the events of a simulation, and its busiest links.
void
CountEvents(const DcnPacketNetwork& network, DcnEstimate& estimate)
{
    const int64_t endNs = Simulator::Now().GetNanoSeconds();
    std::vector<uint64_t> linkBytes;
    uint64_t nMarked = 0;
    for (uint32_t link = 0; link < network.GetTopology().GetNLinks(); ++link)
    {
        const auto device = DynamicCast<DcnPacketDevice>(network.GetDevice(link));
        const auto port = DynamicCast<DcnSwitchDevice>(device);
        nMarked += port ? port->GetNMarked() : 0;
        linkBytes.push_back(device->GetSentBytes(endNs));
    }
    if (network.GetScenario()->GetFlows().empty())
    {
        return;
    }
    DcnSimulationReport::SetBusiestLinks(*network.GetScenario(),
                                         linkBytes,
                                         network.GetEndNs(),
                                         estimate);
    estimate.events = {
        {"data_packet_hops", static_cast<double>(network.GetDataPacketHops())},
        {"marked_packets", static_cast<double>(nMarked)},
        {"dropped_packets", static_cast<double>(network.GetNDropped())},
        {"retransmitted_bytes", static_cast<double>(network.GetRetransmittedBytes())},
        {"pauses", static_cast<double>(network.GetNPauses())}};
    BooleanValue isLossless;
    network.GetAttribute("LosslessHeadroom", isLossless);
    if (network.GetScenario()->GetNetwork().pfc && !isLossless.Get() && network.GetNDropped() > 0)
    {
        const uint64_t n = network.GetNDropped();
        estimate.notes.push_back(
            std::to_string(n) + (n == 1 ? " packet was" : " packets were") +
            " dropped although PFC is on: the published headroom (three one-way bandwidth-delay "
            "products of a link) is too small here, and the attribute LosslessHeadroom "
            "(packet:LosslessHeadroom=true in --methods, or "
            "--ns3::DcnPacketNetwork::LosslessHeadroom=true) prevents these losses");
    }
}

/// Adds notes on a deadlock of pauses, and on what a stop time has left out.
void
AddNotes(const DcnPacketNetwork& network, DcnEstimate& estimate)
{
    const std::string deadlock = network.DescribeDeadlock();
    if (!deadlock.empty())
    {
        estimate.notes.push_back(deadlock);
    }
    if (network.IsCut() && estimate.GetNFinished() < estimate.fctNs.size())
    {
        std::ostringstream text;
        text << "the simulation was stopped at " << 1e-6 * static_cast<double>(network.GetEndNs())
             << " ms: slowdowns are those of the flows that ended before, so that long flows are "
                "missing";
        estimate.notes.push_back(text.str());
    }
}

} // namespace

void
DcnPacketEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    estimate.provenance = "packet-level simulation, " + scenario->GetNetwork().congestionControl;
    estimate.provenance += m_skips ? ", steady states skipped" : "";
    estimate.provenance += m_losslessHeadroom ? ", lossless headroom" : "";
    if (!m_stopTime.IsZero())
    {
        estimate.provenance +=
            ", stopped at " + std::to_string(m_stopTime.GetNanoSeconds()) + " ns";
    }
    if (m_inFlightPerRack > 0)
    {
        estimate.provenance +=
            ", at most " + std::to_string(m_inFlightPerRack) + " flows in flight per rack";
    }
    // the packet engine begins at line rate
    estimate.provenance += DcnSimulationReport::DescribeUnmodelled(
        DcnSimulationReport::GetConnectionKeys(scenario->GetNetworkConfig(), {"header_bytes"}));
    if (!DcnHasPendingEvents())
    {
        Simulate(scenario, estimate);
        return;
    }
    // the simulator is one per process, and the events of the user's simulation are not ours to run
    NS_LOG_INFO("events are pending: the packets are simulated in a process of their own");
    const auto answers = DcnComputeInProcesses(1, 1, [&](uint64_t) {
        Simulate(scenario, estimate);
        return estimate.WriteTimes();
    });
    estimate.ReadTimes(answers.front());
}

Time
DcnPacketEstimator::GetQueueInterval(const DcnScenario& scenario) const
{
    static constexpr int64_t INTERVALS = 500; // points of a curve
    const auto& flows = scenario.GetFlows();  // by start
    if (!m_queueInterval.IsZero() || flows.empty())
    {
        return m_queueInterval.IsZero() ? MicroSeconds(1) : m_queueInterval;
    }
    return std::max(MicroSeconds(1),
                    NanoSeconds((flows.back().startNs - flows.front().startNs) / INTERVALS));
}

void
DcnPacketEstimator::Simulate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) const
{
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    if (m_inFlightPerRack > 0)
    {
        network->SetAttribute("InFlightPerRack", UintegerValue(m_inFlightPerRack));
    }
    if (!m_stopTime.IsZero())
    {
        network->SetAttribute("StopTime", TimeValue(m_stopTime));
    }
    if (m_nThreads > 0 || m_nPartitions > 0)
    {
        network->SetAttribute("Threads", UintegerValue(m_nThreads));
        network->SetAttribute("Partitions", UintegerValue(m_nPartitions));
    }
    if (m_skips)
    {
        network->SetAttribute("Skip", BooleanValue(true));
    }
    if (m_losslessHeadroom)
    {
        network->SetAttribute("LosslessHeadroom", BooleanValue(true));
    }
    network->AssignStreams(
        DcnRandom(m_seed ? m_seed : scenario->GetSeed()).GetStream(DcnPurpose::ECN_MARKING));
    network->Install(scenario);
    if (m_lastFlow != ALL_FLOWS)
    {
        if (m_lastFlow >= scenario->GetFlows().size())
        {
            DcnFail("the attribute LastFlow of the method \"packet\" is ",
                    m_lastFlow,
                    ", but the scenario has ",
                    scenario->GetFlows().size(),
                    " flows");
        }
        network->TraceConnectWithoutContext(
            "FlowDelivered",
            Callback<void, Ptr<const DcnPacketFlow>>([this](Ptr<const DcnPacketFlow> flow) {
                if (flow->GetIndex() == m_lastFlow)
                {
                    NS_LOG_INFO("flow " << m_lastFlow << " (LastFlow) is delivered: stop");
                    Simulator::Stop();
                }
            }));
    }
    Ptr<DcnCollector> collector;
    if (!m_queues.empty())
    {
        collector = CreateObject<DcnCollector>();
        collector->SetAttribute("Interval", TimeValue(GetQueueInterval(*scenario)));
        collector->SetAttribute("FirstPackets", BooleanValue(false));
        collector->Watch(network);
    }
    network->Run();
    if (network->GetThreadReport().nThreads > 0)
    {
        estimate.provenance += ", " + network->GetThreadReport().Describe();
        estimate.jobs = network->GetThreadReport().nThreads;
    }
    if (collector)
    {
        collector->Write(m_queues);
        collector->PlotQueues(m_queues + "/queues");
    }
    estimate.fctNs = network->GetFctNs();
    estimate.unfinished = network->GetUnfinished();
    CountEvents(*network, estimate);
    AddNotes(*network, estimate);
    if (m_skips && !estimate.events.empty())
    {
        const auto [skippedNs, nSkips] = network->GetSkipped();
        estimate.events.emplace_back("skipped_us", static_cast<double>(skippedNs) / 1e3);
        estimate.events.emplace_back("skips", static_cast<double>(nSkips));
    }
    for (std::size_t i = 0; m_inFlightPerRack > 0 && i < estimate.fctNs.size(); ++i)
    {
        estimate.releaseNs.push_back(network->GetReleaseNs(i));
    }
    network->Dispose();
}

} // namespace ns3
