/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-tcp-estimator.h"

#include "dcn-tcp-network.h"

#include "ns3/boolean.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-simulation-report.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/log.h"
#include "ns3/red-queue-disc.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/uinteger.h"

#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTcpEstimator");

NS_OBJECT_ENSURE_REGISTERED(DcnTcpEstimator);

namespace
{

/**
 * @param senders hosts that send to one, each several flows
 * @param keys changes of the preset "dctcp"
 * @return flows of 100 bytes to 300 kilobytes on a dumbbell
 */
Ptr<const DcnScenario>
MakeReference(uint32_t senders, const std::string& keys)
{
    DcnDumbbellParameters parameters;
    parameters.senders = senders;
    parameters.receivers = 1;
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    for (const auto& [key, value] : DcnRecipe::Parse(keys))
    {
        network->SetKey(key, value); // whatever defaults a user has changed
    }
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 6 * senders; ++i)
    {
        const uint64_t sizeBytes = 100 + i * i * 7'919ULL % 29'989 * (i % 5 == 3 ? 10 : 1);
        flows.push_back({i, i % senders, senders, sizeBytes, 10'007 * i});
    }
    return DcnScenario::Create(DcnBuildTopology(parameters), network, flows);
}

/// Fills in the events of a simulation, and its busiest links.
void
CountEvents(const DcnTcpNetwork& network, const DcnScenario& scenario, DcnEstimate& estimate)
{
    std::vector<uint64_t> linkBytes;
    uint64_t nMarked = 0;
    uint64_t nDropped = 0;
    for (uint32_t link = 0; link < scenario.GetTopology().GetNLinks(); ++link)
    {
        const QueueDisc::Stats stats = network.GetQueueDisc(link)->GetStats();
        linkBytes.push_back(stats.nTotalSentBytes +
                            static_cast<uint64_t>(DcnTcpNetwork::LINK_BYTES) *
                                stats.nTotalSentPackets);
        nMarked += stats.nTotalMarkedPackets;
        nDropped += stats.nTotalDroppedPackets;
    }
    DcnSimulationReport::SetBusiestLinks(scenario, linkBytes, network.GetEndNs(), estimate);
    estimate.events = {
        {"data_packet_hops", static_cast<double>(network.GetDataPacketHops())},
        {"marked_packets", static_cast<double>(nMarked)},
        {"dropped_packets", static_cast<double>(nDropped)},
        {"retransmitted_bytes", static_cast<double>(network.GetRetransmittedBytes())}};
}

} // namespace

TypeId
DcnTcpEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnTcpEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("DcnTcp")
            .AddConstructor<DcnTcpEstimator>()
            .AddAttribute("Transport",
                          "Congestion control of all senders, a subclass of ns3::TcpCongestionOps.",
                          TypeIdValue(TcpDctcp::GetTypeId()),
                          MakeTypeIdAccessor(&DcnTcpEstimator::m_transport),
                          MakeTypeIdChecker())
            .AddAttribute("QueueDisc",
                          "Queue disc of the ports of switches, a subclass of ns3::QueueDisc.",
                          TypeIdValue(RedQueueDisc::GetTypeId()),
                          MakeTypeIdAccessor(&DcnTcpEstimator::m_queueDisc),
                          MakeTypeIdChecker())
            .AddAttribute("HostQueueDisc",
                          "Queue disc of the ports of hosts, a subclass of ns3::QueueDisc.",
                          TypeIdValue(FqCoDelQueueDisc::GetTypeId()),
                          MakeTypeIdAccessor(&DcnTcpEstimator::m_hostQueueDisc),
                          MakeTypeIdChecker())
            .AddAttribute("Ecn",
                          "Whether sockets and queue discs use ECN.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnTcpEstimator::m_ecn),
                          MakeBooleanChecker())
            .AddAttribute("MinRto",
                          "Smallest retransmission timeout.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&DcnTcpEstimator::m_minRto),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("ConnTimeout",
                          "Timeout of the first SYN; it doubles with every further one.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&DcnTcpEstimator::m_connTimeout),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("DelAckTimeout",
                          "Longest delay of an acknowledgement for several segments.",
                          TimeValue(NanoSeconds(DcnTcpOptions::DELAYED_ACK_NS)),
                          MakeTimeAccessor(&DcnTcpEstimator::m_delayedAckTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("DelAckCount",
                          "Segments for which a receiver sends one acknowledgement.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DcnTcpEstimator::m_delayedAcks),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("InitialWindow",
                          "First congestion window, in segments; 0: initial_window_bytes of the "
                          "network configuration, or 10 segments if that is 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnTcpEstimator::m_initialWindow),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SocketBuffer",
                          "Send buffer and receive buffer of a socket, in bytes: a sender has at "
                          "most this number of bytes in flight.",
                          UintegerValue(4'194'304),
                          MakeUintegerAccessor(&DcnTcpEstimator::m_socketBuffer),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Sack",
                          "Whether receivers acknowledge selectively.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnTcpEstimator::m_sack),
                          MakeBooleanChecker())
            .AddAttribute("Seed",
                          "Seed of the random draws of queue discs and transports; 0: the "
                          "scenario's.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnTcpEstimator::m_seed),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

std::string
DcnTcpEstimator::GetName() const
{
    return "tcp";
}

bool
DcnTcpEstimator::IsGroundTruth() const
{
    return true;
}

bool
DcnTcpEstimator::TakesMergedLinks() const
{
    return false; // it is a ground truth
}

bool
DcnTcpEstimator::IsListed() const
{
    return false;
}

DcnTcpOptions
DcnTcpEstimator::GetOptions() const
{
    DcnTcpOptions options;
    options.transport = m_transport;
    options.queueDisc = m_queueDisc;
    options.hostQueueDisc = m_hostQueueDisc;
    options.ecn = m_ecn;
    options.minRto = m_minRto;
    options.connTimeout = m_connTimeout;
    options.delayedAckTimeout = m_delayedAckTimeout;
    options.delayedAcks = m_delayedAcks;
    options.initialWindow = m_initialWindow;
    options.socketBuffer = m_socketBuffer;
    options.sack = m_sack;
    return options;
}

uint64_t
DcnTcpEstimator::Simulate(Ptr<const DcnScenario> scenario,
                          uint64_t seed,
                          Ptr<DcnCollector> collector,
                          DcnEstimate& estimate) const
{
    DcnTcpNetwork network(scenario, GetOptions(), m_seed ? m_seed : seed, collector);
    network.Run();
    estimate.fctNs = network.GetFctNs();
    estimate.unfinished = network.GetUnfinished();
    CountEvents(network, *scenario, estimate);
    return network.GetDataPacketHops();
}

void
DcnTcpEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const DcnTcpOptions options = GetOptions();
    estimate.provenance = "ns-3's TCP, " + options.Describe();
    std::vector<std::string> keys = options.GetUnmodelled(scenario->GetNetworkConfig());
    for (std::string& key : keys)
    {
        key += key == "cc" ? " (" + scenario->GetNetwork().congestionControl + ")" : "";
    }
    estimate.provenance += DcnSimulationReport::DescribeUnmodelled(keys);
    // new nodes and sockets would change the lists, counters and streams of the user's simulation
    const auto answers = DcnComputeInProcesses(1, 1, [&](uint64_t) {
        Simulate(scenario, scenario->GetSeed(), nullptr, estimate);
        return estimate.WriteTimes();
    });
    estimate.ReadTimes(answers.front());
}

std::string
DcnTcpEstimator::GetDigest() const
{
    const auto answers = DcnComputeInProcesses(2, 1, [&](uint64_t i) {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        DcnEstimate estimate;
        Simulate(i == 0 ? MakeReference(12, "buffer_bytes=30000") : MakeReference(4, ""),
                 1,
                 nullptr,
                 estimate);
        // times say all about the behaviour, and digests of earlier data sets have no events
        estimate.busiestLinks.clear();
        estimate.events.clear();
        return estimate.WriteTimes();
    });
    const std::string digest = DcnHashText(answers[0] + answers[1]);
    NS_LOG_INFO("digest of " << GetLabel() << ": " << digest);
    return digest;
}

} // namespace ns3
