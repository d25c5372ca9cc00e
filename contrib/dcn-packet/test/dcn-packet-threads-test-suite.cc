/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/windows/dcn-network-cut.h"
#include "../model/windows/dcn-window-events.h"
#include "../model/windows/dcn-window-loop.h"
#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-collector.h"
#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-marking.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// All that a simulation shows.
struct Outcome
{
    std::vector<int64_t> fctNs;                 //!< by flow [ns]
    std::vector<uint64_t> counts;               //!< drops, pauses, retransmitted bytes
    std::vector<uint64_t> sent;                 //!< bytes by link
    std::vector<uint64_t> marked;               //!< packets by link
    std::map<std::string, uint64_t> unfinished; //!< flows by reason
    int64_t endNs;                              //!< see DcnPacketNetwork::GetEndNs [ns]
    std::vector<double> watched;                //!< all that a collector has; empty: there is none
    DcnPacketNetwork::ThreadReport report;      //!< how it was simulated

    /**
     * @param other another simulation
     * @return whether it shows the same
     */
    bool operator==(const Outcome& other) const
    {
        return fctNs == other.fctNs && counts == other.counts && sent == other.sent &&
               marked == other.marked && unfinished == other.unfinished && endNs == other.endNs &&
               (watched.empty() || other.watched.empty() || watched == other.watched);
    }
};

/// How a scenario is simulated, apart from threads.
struct How
{
    bool isLossless{false};      //!< attribute LosslessHeadroom
    uint32_t inFlightPerRack{0}; //!< attribute InFlightPerRack
    int32_t downLink{-1};        //!< a link that fails before the begin; -1: none
    bool hasOthers{false};       //!< another event of ns-3 is pending, long after the end
    bool isWatched{false};   //!< a collector has all queues and flows, and the control of flow 0
    bool hasListener{false}; //!< a trace source has a listener
};

/**
 * @param collector has watched a network
 * @return all its records, as numbers
 */
std::vector<double>
GetRecords(DcnCollector& collector)
{
    collector.Finish();
    std::vector<double> records;
    const auto add = [&records](auto... numbers) {
        (records.push_back(static_cast<double>(numbers)), ...);
    };
    for (const DcnFlowRecord& flow : collector.GetFlowRecords())
    {
        add(flow.startNs, flow.firstByteNs, flow.lastByteNs);
        add(flow.receivedBytes, flow.retransmittedBytes);
    }
    for (const DcnFirstPacketRecord& first : collector.GetFirstPackets())
    {
        add(first.flow, first.hop, first.timeNs, first.queueBytes);
    }
    for (std::size_t queue = 0; queue < collector.GetNQueues(); ++queue)
    {
        for (const DcnQueueRecord& record : collector.GetQueueRecords(queue))
        {
            add(queue, record.startNs, record.endNs, record.inBytes, record.inPackets);
            add(record.outBytes, record.outPackets, record.marks, record.drops, record.pauses);
            add(record.maxBytes, record.meanBytes);
        }
    }
    const DcnControlRecords& control = collector.GetControl(0);
    records.insert(records.end(), control.timesNs.begin(), control.timesNs.end());
    for (const auto& values : control.values)
    {
        records.insert(records.end(), values.begin(), values.end());
    }
    return records;
}

/**
 * @param scenario to simulate
 * @param nThreads attribute Threads
 * @param nPartitions attribute Partitions
 * @param partitions partition of each node; empty: by weight
 * @param how see there
 * @return what the simulation shows
 */
Outcome
Simulate(Ptr<const DcnScenario> scenario,
         uint32_t nThreads,
         uint32_t nPartitions,
         const std::vector<uint32_t>& partitions = {},
         const How& how = {})
{
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->SetAttribute("Threads", UintegerValue(nThreads));
    network->SetAttribute("Partitions", UintegerValue(nPartitions));
    network->SetAttribute("LosslessHeadroom", BooleanValue(how.isLossless));
    network->SetAttribute("InFlightPerRack", UintegerValue(how.inFlightPerRack));
    if (nThreads > 0)
    {
        // all windows are shared, or only large ones
        network->SetAttribute("SharedEvents", UintegerValue(nThreads == 2 ? 0 : 100));
    }
    network->AssignStreams(1);
    Outcome outcome{};
    try
    {
        network->Install(scenario);
        if (!partitions.empty())
        {
            network->SetPartitions(partitions);
        }
        if (how.downLink >= 0)
        {
            network->ChangeLink(static_cast<uint32_t>(how.downLink), 0);
        }
        if (how.hasOthers)
        {
            Simulator::Schedule(Seconds(1e6), []() {});
        }
        Ptr<DcnCollector> collector;
        uint64_t nSeen = 0;
        if (how.isWatched)
        {
            collector = CreateObject<DcnCollector>();
            collector->SetAttribute("Interval", TimeValue(MicroSeconds(20)));
            collector->KeepControl(0);
            collector->Watch(network);
        }
        if (how.hasListener)
        {
            network->TraceConnectWithoutContext(
                "FlowControl",
                Callback<void, Ptr<const DcnPacketFlow>, Time>(
                    [&nSeen](Ptr<const DcnPacketFlow>, Time) { ++nSeen; }));
        }
        network->Run();
        if (collector)
        {
            outcome.watched = GetRecords(*collector);
        }
    }
    catch (const DcnError&)
    {
        network->Dispose();
        Simulator::Destroy();
        throw;
    }
    outcome.endNs = network->GetEndNs();
    outcome.fctNs = network->GetFctNs();
    outcome.counts = {network->GetNDropped(),
                      network->GetNPauses(),
                      network->GetRetransmittedBytes(),
                      network->GetDataPacketHops()};
    outcome.unfinished = network->GetUnfinished();
    outcome.report = network->GetThreadReport();
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        const auto device = DynamicCast<DcnPacketDevice>(network->GetDevice(link));
        outcome.sent.push_back(device->GetTxBytes());
        const auto port = DynamicCast<DcnSwitchDevice>(device);
        outcome.marked.push_back(port ? port->GetNMarked() : 0);
    }
    network->Dispose();
    Simulator::Destroy();
    return outcome;
}

/**
 * @param topology a network
 * @param generator random numbers
 * @param nPartitions how many at most
 * @param keepsRacks the hosts of a rack have the same
 * @return a random partition for each node; nodes that a link without delay joins have the same
 */
std::vector<uint32_t>
MakeRandomCut(const DcnTopology& topology,
              std::mt19937_64& generator,
              uint32_t nPartitions,
              bool keepsRacks = false)
{
    std::vector<uint32_t> partitions(topology.GetNNodes());
    for (uint32_t& partition : partitions)
    {
        partition = static_cast<uint32_t>(generator() % nPartitions);
    }
    for (bool isChanged = true; isChanged;)
    {
        isChanged = false;
        const auto join = [&partitions, &isChanged](uint32_t a, uint32_t b) {
            isChanged = isChanged || partitions[a] != partitions[b];
            partitions[a] = partitions[b] = std::min(partitions[a], partitions[b]);
        };
        for (uint32_t i = 0; i < topology.GetNLinks(); ++i)
        {
            const DcnLink& link = topology.GetLink(i);
            if (link.delayNs == 0)
            {
                join(link.from, link.to);
            }
        }
        for (uint32_t rack = 0; keepsRacks && rack < topology.GetNRacks(); ++rack)
        {
            for (uint32_t host : topology.GetRackHosts(rack))
            {
                join(host, topology.GetRackHosts(rack).front());
            }
        }
    }
    // numbers without gaps
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t& partition : partitions)
    {
        partition = numbers.emplace(partition, static_cast<uint32_t>(numbers.size())).first->second;
    }
    return partitions;
}

/// What a scenario must have, so that the comparison means something.
enum Need
{
    NOTHING = 0,
    DROPS = 1,
    PAUSES = 2,
    MARKS = 4,
};

/**
 * @ingroup dcn-packet-tests
 * @brief Completion times, bytes and marks of every link, drops, pauses, the end of the simulation
 * and all records of a collector are the same for all numbers of threads and all cuts.
 */
class SameTestCase : public TestCase
{
  public:
    /**
     * @param recipe the scenario
     * @param needs see Need
     * @param inFlightPerRack attribute InFlightPerRack
     */
    SameTestCase(const std::string& recipe, int needs, uint32_t inFlightPerRack = 0)
        : TestCase("threads and cuts: " + recipe + ", " + std::to_string(inFlightPerRack) +
                   " in flight"),
          m_recipe(recipe),
          m_needs(needs)
    {
        m_how.inFlightPerRack = inFlightPerRack;
    }

  private:
    void DoRun() override
    {
        const Ptr<const DcnScenario> scenario = DcnScenarioRecipe(m_recipe).Create();
        const Outcome one = Simulate(scenario, 1, 1, {}, m_how);
        NS_TEST_EXPECT_MSG_EQ(one.report.nPartitions, 1, "nothing is cut");
        NS_TEST_EXPECT_MSG_EQ(one.unfinished.empty(), true, "all flows are delivered");
        const uint64_t nMarked = std::accumulate(one.marked.begin(), one.marked.end(), uint64_t{0});
        NS_TEST_EXPECT_MSG_EQ((one.counts[0] > 0 || (m_needs & DROPS) == 0), true, "drops");
        NS_TEST_EXPECT_MSG_EQ((one.counts[1] > 0 || (m_needs & PAUSES) == 0), true, "pauses");
        NS_TEST_EXPECT_MSG_EQ((nMarked > 0 || (m_needs & MARKS) == 0), true, "marks");
        NS_TEST_EXPECT_MSG_EQ((one == Simulate(scenario, 0, 0, {}, m_how)), true, "no threads");
        How turns = m_how;
        turns.hasOthers = true;
        NS_TEST_EXPECT_MSG_EQ((one == Simulate(scenario, 0, 0, {}, turns)), true, "turns of ns-3");
        turns.hasListener = true;
        turns.isWatched = true;
        const Outcome seen = Simulate(scenario, 2, 3, {}, turns);
        NS_TEST_EXPECT_MSG_EQ((one == seen), true, "listeners");
        NS_TEST_EXPECT_MSG_EQ(seen.report.nPartitions, 1, "one event after the other");
        How watched = m_how;
        watched.isWatched = true;
        NS_TEST_EXPECT_MSG_EQ((seen == Simulate(scenario, 0, 0, {}, watched)), true, "a collector");
        const Outcome cut = Simulate(scenario, 2, 3, {}, watched);
        NS_TEST_EXPECT_MSG_EQ((seen == cut), true, "a collector, and threads");
        NS_TEST_EXPECT_MSG_EQ(cut.report.nPartitions, 3, "a collector, and threads");
        const std::vector<std::pair<uint32_t, uint32_t>> choices{{1, 3}, {2, 0}, {3, 5}, {8, 8}};
        for (const auto& [nThreads, nPartitions] : choices)
        {
            const Outcome other = Simulate(scenario, nThreads, nPartitions, {}, m_how);
            NS_TEST_EXPECT_MSG_EQ((one == other),
                                  true,
                                  nThreads << " threads, " << nPartitions << " partitions");
            NS_TEST_EXPECT_MSG_EQ(other.report.nThreads, nThreads, "threads");
            NS_TEST_EXPECT_MSG_EQ((nPartitions > 0 || other.report.nPartitions > nThreads),
                                  true,
                                  "by default there are more partitions than threads");
            NS_TEST_EXPECT_MSG_GT(other.report.nWindows, 10, "windows");
            NS_TEST_EXPECT_MSG_EQ(other.report.nEvents, one.report.nEvents, "events");
        }
        std::mt19937_64 generator(7);
        for (uint32_t nPartitions : {6, 1000})
        {
            const auto cut = MakeRandomCut(scenario->GetTopology(),
                                           generator,
                                           nPartitions,
                                           m_how.inFlightPerRack > 0);
            const Outcome other = Simulate(scenario, 3, 0, cut, watched);
            NS_TEST_EXPECT_MSG_EQ((seen == other), true, "up to " << nPartitions << " partitions");
            NS_TEST_EXPECT_MSG_GT(other.report.nPartitions, 1, "up to " << nPartitions);
        }
    }

    std::string m_recipe; //!< the scenario
    int m_needs;          //!< see Need
    How m_how;            //!< how it is simulated
};

/// Random networks and configurations, as those of dcn-packet-fuzz: rates and delays of any kind,
/// links without delay, several links between switches, drops, deadlocks of pauses.
DCN_TEST_CASE(RandomTestCase, "threads and cuts: random networks")
{
    constexpr uint32_t N = 60;
    uint32_t nSame = 0;
    uint32_t nCut = 0;
    uint64_t nDropped = 0;
    uint64_t nPauses = 0;
    std::set<std::string> seenControls;
    std::map<std::string, uint32_t> nCutBy; // networks that were cut, by what they have
    for (uint32_t seed = 1; seed <= N; ++seed)
    {
        std::mt19937_64 generator(seed);
        const auto logUniform = [&generator](double low, double high) {
            return std::exp(
                std::uniform_real_distribution<>(std::log(low), std::log(high))(generator));
        };
        DcnTopologyBuilder builder;
        const auto nHosts = static_cast<uint32_t>(2 + generator() % 10);
        const auto nSwitches = static_cast<uint32_t>(1 + generator() % 5);
        const auto link = [&](uint32_t a, uint32_t b) {
            builder.AddLink(a,
                            b,
                            static_cast<uint64_t>(logUniform(1e9, 4e11)),
                            generator() % 6 == 0 ? 0 : static_cast<int64_t>(logUniform(1, 1e4)));
        };
        for (uint32_t i = 0; i < nHosts + nSwitches; ++i)
        {
            builder.AddNode(i < nHosts ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
        }
        for (uint32_t i = 1; i < nSwitches; ++i)
        {
            link(nHosts + i - 1, nHosts + i);
            if (generator() % 3 == 0)
            {
                link(nHosts, nHosts + i);
            }
            if (generator() % 3 == 0)
            {
                link(nHosts + i - 1, nHosts + i); // paths of the same number of links
            }
        }
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            link(i, nHosts + static_cast<uint32_t>(generator() % nSwitches));
        }
        const Ptr<DcnTopology> topology = builder.Build();
        const auto& controls = DcnScenarioSuite::GetLearnedControls();
        const std::string& cc = controls[generator() % controls.size()];
        const bool isPaper = generator() % 2 == 0 && cc != "dctcp"; // which has none
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset(cc,
                                     topology->GetSlowestHostRate(),
                                     isPaper ? "paper" : "evaluation");
        config->pfc = generator() % 2;
        config->ackHighPriority = generator() % 2;
        config->bufferBytes = static_cast<uint64_t>(logUniform(5e4, 1e7));
        config->ecnKminBytes = static_cast<uint64_t>(logUniform(1e3, 1e4));
        config->ecnKmaxBytes = 5 * config->ecnKminBytes;
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < 40; ++i)
        {
            const auto src = static_cast<uint32_t>(generator() % nHosts);
            const auto dst = static_cast<uint32_t>((src + 1 + generator() % (nHosts - 1)) % nHosts);
            // few start times, so that many events have the same nanosecond
            flows.push_back({i,
                             src,
                             dst,
                             static_cast<uint64_t>(logUniform(1, 2e5)),
                             static_cast<int64_t>(generator() % 4 * 10'000)});
        }
        std::sort(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
            return a.startNs < b.startNs;
        });
        How how;
        how.isLossless = generator() % 2;
        how.inFlightPerRack = generator() % 4 == 0 ? 2 : 0;
        how.downLink =
            generator() % 8 == 0 ? static_cast<int32_t>(generator() % topology->GetNLinks()) : -1;
        const bool hasTelemetry = DcnCongestionControl::GetWireFormat(*config).telemetry;
        config->loadBalancing =
            hasTelemetry ? 0 : std::max<int>(0, static_cast<int>(generator() % 9) - 4);
        config->selectiveRepeat = generator() % 4 == 0;
        try
        {
            const auto scenario = DcnScenario::Create(topology, config, flows, {}, seed);
            const Outcome one = Simulate(scenario, 1, 1, {}, how);
            How watched = how;
            watched.isWatched = true;
            watched.hasListener = true;
            const Outcome seen = Simulate(scenario, 3, 2, {}, watched);
            NS_TEST_EXPECT_MSG_EQ((one == seen), true, "listeners, seed " << seed);
            watched.hasListener = false;
            nDropped += one.counts[0];
            nPauses += one.counts[1];
            seenControls.insert(cc);
            for (const auto& [nPartitions, nThreads] :
                 std::vector<std::pair<uint32_t, uint32_t>>{{2, 2}, {4, 3}, {100, 8}})
            {
                const auto cut = MakeRandomCut(*topology, generator, nPartitions, nPartitions > 2);
                const Outcome other = Simulate(scenario, nThreads, 0, cut, how);
                NS_TEST_EXPECT_MSG_EQ((one == other), true, "seed " << seed);
                const Outcome same = Simulate(scenario, nThreads, 0, cut, watched);
                NS_TEST_EXPECT_MSG_EQ((seen == same), true, "a collector, seed " << seed);
                NS_TEST_EXPECT_MSG_EQ(same.report.nPartitions, other.report.nPartitions, seed);
                const bool isCut = other.report.nPartitions > 1;
                nCut += isCut ? 1 : 0;
                nCutBy["a closed loop"] += isCut && how.inFlightPerRack > 0 ? 1 : 0;
                nCutBy["a link that fails"] += isCut && how.downLink >= 0 ? 1 : 0;
                nCutBy["selective repeat"] += isCut && config->selectiveRepeat ? 1 : 0;
                nCutBy["load balancing " + std::to_string(config->loadBalancing)] += isCut ? 1 : 0;
            }
            NS_TEST_EXPECT_MSG_EQ((one == Simulate(scenario, 0, 0, {}, how)), true, seed);
            how.hasOthers = true;
            NS_TEST_EXPECT_MSG_EQ((one == Simulate(scenario, 0, 0, {}, how)), true, seed);
            ++nSame;
        }
        catch (const DcnError&)
        {
            // a buffer that is too small for its ports, or a path too long for telemetry
        }
    }
    NS_TEST_EXPECT_MSG_GT(nSame, N / 2, "networks that were simulated");
    NS_TEST_EXPECT_MSG_GT(nCut, nSame, "networks that were cut");
    NS_TEST_EXPECT_MSG_EQ(nCutBy.size(), 3 + 5, "kinds of networks, five of load balancing");
    for (const auto& [what, n] : nCutBy)
    {
        NS_TEST_EXPECT_MSG_GT(n, 1, "networks that were cut with " << what);
    }
    NS_TEST_EXPECT_MSG_GT(nDropped, 0, "drops");
    NS_TEST_EXPECT_MSG_GT(nPauses, 0, "pauses");
    NS_TEST_EXPECT_MSG_EQ(seenControls.size(),
                          DcnScenarioSuite::GetLearnedControls().size(),
                          "controls");
}

/// A flow that is alone has no ties, so that its completion time is the ideal one, cut or not.
DCN_TEST_CASE(AloneTestCase, "a flow that is alone takes the ideal time")
{
    DcnFatTreeParameters tree;
    const Ptr<DcnTopology> topology = DcnBuildTopology(tree);
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = 100'000;
    for (const uint64_t bytes : {1, 999, 1000, 50'000, 1'234'567})
    {
        const auto scenario = DcnScenario::Create(topology, network, {{0, 0, 15, bytes, 12'345}});
        const int64_t idealNs =
            DcnComputeIdealFct(*topology, scenario->GetPath(0), bytes, *network).GetTotalNs();
        const int64_t todayNs = Simulate(scenario, 0, 0).fctNs[0];
        // a transmission takes the largest whole number of nanoseconds below its exact time
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(todayNs),
                                  static_cast<double>(idealNs),
                                  2.0 + 1e-3 * static_cast<double>(idealNs),
                                  "ideal time of " << bytes << " bytes");
        for (uint32_t nThreads : {1, 2, 8})
        {
            NS_TEST_EXPECT_MSG_EQ(Simulate(scenario, nThreads, 0).fctNs[0],
                                  todayNs,
                                  bytes << " bytes, " << nThreads << " threads");
        }
    }
}

/**
 * Frames of n hosts arrive at their switch at one nanosecond, from n partitions, for one receiver.
 * Packet k of the nanosecond leaves after k others: with S bytes at rate R, host k of the order
 * (port number) is done k S 8e9 / R later.
 */
DCN_TEST_CASE(TieTestCase, "frames that arrive at one nanosecond go in the order of their ports")
{
    constexpr uint32_t N_SENDERS = 6;
    constexpr uint64_t BYTES = 952; // 1000 with headers
    DcnTopologyBuilder builder;
    const uint32_t middle = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t receiver = builder.AddNode(DcnNodeKind::HOST);
    builder.AddLink(middle, receiver, 8'000'000'000, 1000);
    std::vector<DcnFlow> flows;
    std::vector<uint32_t> each{0, 1};
    std::vector<uint32_t> pairs{0, 0};
    for (uint32_t i = 0; i < N_SENDERS; ++i)
    {
        const uint32_t sender = builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(middle, sender, 8'000'000'000, 1000);
        each.push_back(2 + i);
        pairs.push_back(1 + i / 2);
        // the order of the flows is the opposite of that of the ports
        flows.push_back({i, 2 + N_SENDERS - 1 - i, receiver, BYTES, 0});
    }
    const auto scenario =
        DcnScenario::Create(builder.Build(), DcnNetworkConfig::Preset("dctcp"), flows);
    const std::vector<std::vector<uint32_t>> cuts{{}, each, pairs};
    for (const auto& cut : cuts)
    {
        for (uint32_t nThreads : {1, 2, 3})
        {
            const Outcome outcome = Simulate(scenario, nThreads, 0, cut);
            for (uint32_t i = 0; i < N_SENDERS; ++i)
            {
                const uint32_t place = N_SENDERS - 1 - i; // in the order of the ports
                NS_TEST_EXPECT_MSG_EQ(outcome.fctNs[i],
                                      4000 + 1000 * int64_t{place},
                                      "flow " << i << ", " << nThreads << " threads");
            }
        }
    }
}

/// @return an event
DcnWindowEvent
NewEvent(int64_t timeNs, uint32_t order, void* subject = nullptr, DcnFrame* frame = nullptr)
{
    return {timeNs, subject, frame, order};
}

/// A handler whose events refer to nothing.
struct NoPrefetch
{
    void PrefetchFrame(const DcnWindowEvent& /* event */)
    {
    }

    void PrefetchSubject(const DcnWindowEvent& /* event */)
    {
    }

    void PrefetchReferred(const DcnWindowEvent& /* event */)
    {
    }
};

/// The order of events by hand: kinds, numbers, events that are added for the present nanosecond.
DCN_TEST_CASE(OrderTestCase, "events of one nanosecond run by kind and number")
{
    /// Notes the numbers of events, and adds events.
    struct Handler : NoPrefetch
    {
        DcnWindowEvents& events;                              //!< where it adds
        std::vector<std::tuple<int64_t, int, uint64_t>> seen; //!< time, kind and number

        void Run(const DcnWindowEvent& event)
        {
            seen.emplace_back(event.timeNs, int{event.GetKind()}, event.GetNumber());
            if (event.GetNumber() == 3 && event.GetKind() == 2)
            {
                events.Push(NewEvent(event.timeNs, DcnWindowEvent::MakeOrder(1, 9)));
                events.Push(NewEvent(event.timeNs, DcnWindowEvent::MakeOrder(2, 4)));
                events.Push(NewEvent(event.timeNs + 1, DcnWindowEvent::MakeOrder(0, 1)));
            }
        }
    };

    DcnWindowEvents first(0, 2, 1000);
    DcnWindowEvents second(1, 2, 1000);
    Handler handler{{}, first, {}};
    const auto add = [](DcnWindowEvents& to, int64_t timeNs, uint8_t kind, uint64_t number) {
        to.Send(0, NewEvent(timeNs, DcnWindowEvent::MakeOrder(kind, number)));
    };
    add(first, 10, 2, 7);
    add(first, 10, 2, 3);
    add(first, 100'000, 0, 5); // beyond the wheel
    add(first, 10, 1, 8);
    add(second, 10, 2, 5); // a message
    const std::vector<DcnWindowEvents*> all{&first, &second};
    NS_TEST_EXPECT_MSG_EQ(second.GetNextNs(), 10, "a message counts");
    first.Begin(all, 10, 0);
    second.Begin(all, 10, 0);
    first.Run(100'001, handler);
    const std::vector<std::tuple<int64_t, int, uint64_t>> expected{{10, 1, 8},
                                                                   {10, 2, 3},
                                                                   {10, 1, 9},
                                                                   {10, 2, 4},
                                                                   {10, 2, 5},
                                                                   {10, 2, 7},
                                                                   {11, 0, 1},
                                                                   {100'000, 0, 5}};
    NS_TEST_EXPECT_MSG_EQ((handler.seen == expected), true, "order");
    NS_TEST_EXPECT_MSG_EQ(first.GetNEvents(), 8, "events");
    NS_TEST_EXPECT_MSG_EQ(first.GetNextNs(), DcnWindowEvents::NEVER, "none is left");
}

/// Many events of one nanosecond, which are sorted in another way than few ones.
DCN_TEST_CASE(ManyTestCase, "hundreds of events of one nanosecond")
{
    /// Checks the order.
    struct Handler : NoPrefetch
    {
        uint64_t nSeen{0};   //!< events
        bool isSorted{true}; //!< all came in order

        void Run(const DcnWindowEvent& event)
        {
            isSorted = isSorted && event.GetNumber() == nSeen / 2 &&
                       (event.frame != nullptr) == (nSeen % 2 == 1);
            ++nSeen;
        }
    };

    DcnWindowEvents events(0, 1, 1000);
    Handler handler;
    DcnFrame frame{};
    for (uint64_t i = 0; i < 500; ++i)
    {
        // equal ones run as they were added
        const uint32_t order = DcnWindowEvent::MakeOrder(3, 77 * i % 500);
        events.Push(NewEvent(5, order));
        events.Push(NewEvent(5, order, nullptr, &frame));
    }
    events.Run(6, handler);
    NS_TEST_EXPECT_MSG_EQ(handler.nSeen, 1000, "all");
    NS_TEST_EXPECT_MSG_EQ(handler.isSorted, true, "in order");
}

/// Frames that have ended in one pool serve all pools.
DCN_TEST_CASE(PoolTestCase, "free frames are dealt out")
{
    DcnFramePool a;
    DcnFramePool b;
    DcnFramePool c;
    std::set<DcnFrame*> frames;
    for (uint32_t i = 0; i < 90; ++i)
    {
        frames.insert(a.Get());
    }
    for (DcnFrame* frame : frames)
    {
        b.Put(frame);
    }
    DcnFramePool::Share({&a, &b, &c});
    for (DcnFramePool* pool : {&a, &b, &c})
    {
        for (uint32_t i = 0; i < 30; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(frames.erase(pool->Get()), 1, "a frame that was free");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(frames.empty(), true, "all frames");
}

/// Random events, dense and sparse, soon and late, in windows of several lengths.
DCN_TEST_CASE(RandomEventsTestCase, "random events against a sorted list")
{
    /// Adds events while others run.
    struct Handler : NoPrefetch
    {
        using Key = std::tuple<int64_t, uint64_t, uint64_t>; //!< time [ns], order, insertion

        DcnWindowEvents& events;   //!< where it adds
        std::mt19937_64 generator; //!< random numbers
        uint64_t nToAdd;           //!< events
        uint64_t nAdded{0};        //!< of these
        std::set<Key> pending{};   //!< sorted
        bool isSame{true};         //!< all came as sorted

        void Add(int64_t nowNs)
        {
            constexpr std::array<int64_t, 9> MOST_NS{0, 1, 4, 15, 16, 100, 1000, 70'000, 5'000'000};
            const int64_t most = MOST_NS[generator() % MOST_NS.size()];
            const int64_t timeNs =
                nowNs + static_cast<int64_t>(generator() % (static_cast<uint64_t>(most) + 1));
            const uint32_t order =
                DcnWindowEvent::MakeOrder(static_cast<uint8_t>(generator() % 3), generator() % 4);
            pending.insert({timeNs, order, nAdded});
            // where an event happens does not matter here: it carries the number
            events.Push(NewEvent(timeNs, order, reinterpret_cast<void*>(nAdded++)));
        }

        void Run(const DcnWindowEvent& event)
        {
            const Key key{event.timeNs, event.order, reinterpret_cast<uint64_t>(event.subject)};
            isSame = isSame && !pending.empty() && *pending.begin() == key;
            pending.erase(key);
            for (uint64_t n = generator() % 3; n > 0 && nAdded < nToAdd; --n)
            {
                Add(event.timeNs);
            }
        }
    };

    uint64_t seed = 0;
    for (const int64_t lookaheadNs : {1, 7, 16, 1000, 100'000})
    {
        for (const int64_t aheadNs : {100, 1000, 1'000'000})
        {
            DcnWindowEvents events(0, 1, aheadNs);
            Handler handler{{}, events, std::mt19937_64(++seed), 20'000};
            for (int i = 0; i < 300; ++i)
            {
                handler.Add(1'000'000'000);
            }
            uint32_t reading = 0;
            while (!handler.pending.empty() && handler.isSame)
            {
                const int64_t startNs = events.GetNextNs();
                handler.isSame = startNs == std::get<0>(*handler.pending.begin());
                events.Begin({&events}, startNs, reading);
                events.Run(startNs + lookaheadNs, handler);
                reading = 1 - reading;
            }
            NS_TEST_EXPECT_MSG_EQ(handler.isSame, true, "order");
            NS_TEST_EXPECT_MSG_EQ(events.GetNextNs(), DcnWindowEvents::NEVER, "none is left");
            NS_TEST_EXPECT_MSG_EQ(events.GetNEvents(), handler.nAdded, "each once");
        }
    }
}

/// Partitions that pass a token round; the failure of one ends the loop.
DCN_TEST_CASE(LoopTestCase, "windows by hand")
{
    constexpr uint32_t N = 5;
    constexpr int64_t HOP_NS = 100;
    for (uint32_t nThreads : {1, 2, 5})
    {
        /// Sends a token to the next partition.
        struct Handler : NoPrefetch
        {
            std::vector<std::unique_ptr<DcnWindowEvents>>& all; //!< partitions
            uint32_t number;                                    //!< of this partition
            uint64_t nSeen{0};                                  //!< tokens

            void Run(const DcnWindowEvent& event)
            {
                if (event.timeNs >= 100'000)
                {
                    DcnFail("partition ", number, " fails");
                }
                ++nSeen;
                all[number]->Send((number + 1) % N, NewEvent(event.timeNs + HOP_NS, event.order));
            }
        };

        std::vector<std::unique_ptr<DcnWindowEvents>> all;
        std::vector<DcnWindowEvents*> pointers;
        std::vector<Handler> handlers;
        for (uint32_t i = 0; i < N; ++i)
        {
            all.push_back(std::make_unique<DcnWindowEvents>(i, N, 1000));
            pointers.push_back(all.back().get());
            handlers.push_back({{}, all, i});
        }
        all[0]->Push(NewEvent(0, DcnWindowEvent::MakeOrder(0, 0)));
        uint64_t nLooks = 0;
        DcnWindowLoop loop(
            pointers,
            HOP_NS,
            nThreads,
            nThreads == 2 ? 1000 : 0,
            [&](uint32_t i, int64_t endNs) { all[i]->Run(endNs, handlers[i]); },
            [&nLooks]() { ++nLooks; });
        NS_TEST_EXPECT_MSG_EQ(loop.Run(50'050), 50'100, "next event");
        NS_TEST_EXPECT_MSG_EQ(handlers[0].nSeen, 101, "of 501 tokens"); // at 0, 500 ... 50'000
        NS_TEST_EXPECT_MSG_EQ(handlers[1].nSeen, 100, "of 501 tokens");
        NS_TEST_EXPECT_MSG_EQ(loop.GetCost().nWindows, 501, "windows");
        NS_TEST_EXPECT_MSG_EQ(loop.Run(60'001), 60'100, "it goes on");
        NS_TEST_EXPECT_MSG_EQ(nLooks, 601 / 256, "looks");
        NS_TEST_EXPECT_MSG_EQ(loop.GetCost().nEvents, 601, "events");
        NS_TEST_EXPECT_MSG_EQ(loop.GetCost().nPathEvents, 601, "one partition works at a time");
        DCN_TEST_EXPECT_ERROR(loop.Run(200'000), "partition 0 fails"); // token 1000
    }
}

/// @return h_l of DcnNetworkCut for the links of a topology [ns]
std::vector<int64_t>
GetHopNs(const DcnTopology& topology, uint32_t frameBytes)
{
    std::vector<int64_t> hopNs;
    for (uint32_t i = 0; i < topology.GetNLinks(); ++i)
    {
        const DcnLink& link = topology.GetLink(i);
        hopNs.push_back(DcnNetworkCut::GetHopNs(link.delayNs, link.rateBps, frameBytes));
    }
    return hopNs;
}

/// Partitions by weight: sizes, lookahead, links without delay.
DCN_TEST_CASE(CutTestCase, "cuts")
{
    DcnFatTreeParameters tree;
    tree.k = 8;
    const Ptr<DcnTopology> topology = DcnBuildTopology(tree);
    std::vector<uint64_t> weights(topology->GetNNodes());
    for (uint32_t node = 0; node < weights.size(); ++node)
    {
        weights[node] = topology->IsHost(node) ? 1 : 4;
    }
    const uint64_t total = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
    for (uint32_t n : {1, 2, 4, 8, 13})
    {
        const DcnNetworkCut cut =
            DcnNetworkCut::ByWeight(*topology, GetHopNs(*topology, 60), weights, n);
        NS_TEST_EXPECT_MSG_EQ(cut.GetNPartitions(), n, "partitions");
        std::vector<uint64_t> sums(n, 0);
        for (uint32_t node = 0; node < weights.size(); ++node)
        {
            sums.at(cut.GetPartition(node)) += weights[node];
        }
        // a rack weighs 8
        NS_TEST_EXPECT_MSG_LT(*std::max_element(sums.begin(), sums.end()),
                              total / n + 8,
                              n << " partitions");
        for (uint32_t host : topology->GetHosts())
        {
            const uint32_t tor = topology->GetLink(topology->GetOutLinks(host)[0]).to;
            NS_TEST_EXPECT_MSG_EQ(cut.GetPartition(host), cut.GetPartition(tor), "racks are whole");
        }
        // 60 bytes at 10 Gb/s: the largest whole number below 48 ns
        NS_TEST_EXPECT_MSG_EQ(cut.GetLookaheadNs(),
                              (n == 1 ? DcnNetworkCut::NEVER : 1000 + 47),
                              "lookahead");
    }
    // racks (a host and a switch each) in a row: 0-4, 1-5, 2-6, 3-7; the middle link has no delay
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i < 8; ++i)
    {
        builder.AddNode(i < 4 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        builder.AddLink(i, 4 + i, 1'000'000'000, 0);
    }
    builder.AddLink(4, 5, 1'000'000'000, 300);
    builder.AddLink(5, 6, 1'000'000'000, 0);
    builder.AddLink(6, 7, 1'000'000'000, 200);
    const Ptr<DcnTopology> row = builder.Build();
    const std::vector<int64_t> hopNs = GetHopNs(*row, 43);
    const DcnNetworkCut cut = DcnNetworkCut::ByWeight(*row, hopNs, std::vector<uint64_t>(8, 1), 8);
    NS_TEST_EXPECT_MSG_EQ(cut.GetNPartitions(), 3, "of eight: no more can be cut");
    NS_TEST_EXPECT_MSG_EQ(cut.GetPartition(5), cut.GetPartition(6), "a link without delay");
    NS_TEST_EXPECT_MSG_EQ(cut.GetLookaheadNs(), 200 + 343, "43 bytes at 1 Gb/s: below 344 ns");
    DCN_TEST_EXPECT_ERROR(DcnNetworkCut::ByNode(*row, hopNs, {0, 0, 1, 1, 0, 0, 1, 1}),
                          "link 5->6 has no delay, so that both its ends must be in one partition");
    DCN_TEST_EXPECT_ERROR(DcnNetworkCut::ByNode(*row, hopNs, {0, 0, 2, 2, 0, 0, 2, 2}),
                          "a cut of the network has a partition 2, but none 1");
    DCN_TEST_EXPECT_ERROR(DcnNetworkCut::ByNode(*row, hopNs, {0, 0}),
                          "a cut of a network with 8 nodes names the partitions of 2");
}

/// Draws of a packet depend on nothing but the packet, its place and the seed.
DCN_TEST_CASE(DrawTestCase, "random numbers for marking, packet by packet")
{
    const DcnMarking marking{1000, 5000, 0.8, DcnMarking::MakeSeed(1, 1, 7)};
    NS_TEST_EXPECT_MSG_EQ(marking.IsMarked(1000, 1, 2, 3), false, "at Kmin");
    NS_TEST_EXPECT_MSG_EQ(marking.IsMarked(5001, 1, 2, 3), true, "above Kmax");
    constexpr uint32_t N = 10'000;
    double sum = 0;
    uint32_t nMarked = 0;
    std::set<double> draws;
    for (uint32_t i = 0; i < N; ++i)
    {
        const double draw = marking.Draw(5, 1000 * (i / 4), 1 + i % 4);
        NS_TEST_ASSERT_MSG_EQ((draw >= 0 && draw < 1), true, "in [0, 1)");
        sum += draw;
        nMarked += marking.IsMarked(3000, 5, 1000 * (i / 4), 1 + i % 4) ? 1 : 0;
        draws.insert(draw);
    }
    // standard deviation of the mean: 1 / sqrt(12 N) = 0.0029; of the share: sqrt(0.24 / N)
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / N, 0.5, 4 * 0.0029, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(nMarked / double{N}, 0.8 / 2, 4 * 0.0049, "share of marks");
    NS_TEST_EXPECT_MSG_EQ(draws.size(), N, "all differ");
    DcnMarking other = marking;
    other.seed = DcnMarking::MakeSeed(1, 2, 7);
    const double draw = marking.Draw(5, 1000, 9);
    NS_TEST_EXPECT_MSG_NE(draw, other.Draw(5, 1000, 9), "another run");
    NS_TEST_EXPECT_MSG_NE(draw, marking.Draw(6, 1000, 9), "another flow");
    NS_TEST_EXPECT_MSG_NE(draw, marking.Draw(5, 2000, 9), "another packet");
    NS_TEST_EXPECT_MSG_NE(draw, marking.Draw(5, 1000, 10), "another place");
}

/// What needs the whole network at a time takes one thread, and the provenance says so.
DCN_TEST_CASE(OneThreadTestCase, "why there is one thread")
{
    const auto create = [](const std::string& more) {
        return DcnScenarioRecipe("topology=leaf-spine,flows=20" + more).Create();
    };
    const auto describe = [](Ptr<const DcnScenario> scenario,
                             const std::function<void(Ptr<DcnPacketNetwork>)>& change) {
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("Threads", UintegerValue(2));
        change(network);
        network->Install(scenario);
        const std::string text = [&]() {
            network->Run();
            return network->GetThreadReport().Describe();
        }();
        network->Dispose();
        Simulator::Destroy();
        return text;
    };
    const Ptr<const DcnScenario> scenario = create("");
    const auto expect = [](const std::string& why) {
        return "1 thread (2 were asked for, but " + why + "), 1 partition";
    };
    NS_TEST_EXPECT_MSG_EQ(describe(scenario,
                                   [](Ptr<DcnPacketNetwork> network) {
                                       network->SetAttribute("Skip", BooleanValue(true));
                                   }),
                          expect("Skip looks at all flows at the same time"),
                          "skips");
    NS_TEST_EXPECT_MSG_EQ(
        describe(scenario,
                 [](Ptr<DcnPacketNetwork> network) {
                     network->TraceConnectWithoutContext(
                         "FlowDelivered",
                         Callback<void, Ptr<const DcnPacketFlow>>([](Ptr<const DcnPacketFlow>) {}));
                 }),
        expect("a trace source has a listener, or a log is written, one event after the other"),
        "a listener");
    NS_TEST_EXPECT_MSG_EQ(
        describe(scenario, [](Ptr<DcnPacketNetwork>) { Simulator::Schedule(Seconds(1), []() {}); }),
        expect("other events of ns-3 are pending, which may depend on the packets"),
        "other events");
    {
        DcnPacketTestNetwork network(scenario, "Threads", UintegerValue(2));
        Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
        collector->SetAttribute("RemainingBytes", BooleanValue(true));
        collector->Watch(network.Get());
        network->Run();
        NS_TEST_EXPECT_MSG_EQ(
            network->GetThreadReport().Describe(),
            expect("RemainingBytes of a DcnCollector are those of all flows at one instant"),
            "all flows at one instant");
    }
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->SetAttribute("Threads", UintegerValue(2));
    network->SetAttribute("InFlightPerRack", UintegerValue(3));
    network->Install(scenario);
    std::vector<uint32_t> partitions(scenario->GetTopology().GetNNodes(), 1);
    partitions[scenario->GetTopology().GetHosts().front()] = 0;
    network->SetPartitions(partitions);
    network->Run();
    NS_TEST_EXPECT_MSG_EQ(
        network->GetThreadReport().Describe(),
        expect("in a closed loop an acknowledgement starts a flow of another host "
               "of the rack at once, but SetPartitions divides a rack"),
        "a closed loop");
    network->Dispose();
    Simulator::Destroy();
    const DcnEstimate answer =
        DcnEstimator::CreateByName("packet:Threads=2:Skip=true")->Estimate(scenario);
    NS_TEST_EXPECT_MSG_EQ(answer.provenance,
                          "packet-level simulation, dctcp, steady states skipped, " +
                              expect("Skip looks at all flows at the same time"),
                          "the method");
}

/// Bad values, and what threads cannot do.
DCN_TEST_CASE(RefusedTestCase, "what is refused")
{
    const auto create = [](const std::string& more) {
        return DcnScenarioRecipe("topology=leaf-spine,flows=20" + more).Create();
    };
    const Ptr<const DcnScenario> scenario = create("");
    DCN_TEST_EXPECT_ERROR(DcnEstimator::CreateByName("packet:Threads=-1"),
                          "the attribute Threads of the method \"packet\" cannot be \"-1\"; it "
                          "takes: uint32_t 0:1024");
    DCN_TEST_EXPECT_ERROR(DcnEstimator::CreateByName("packet:Threads=2000"),
                          "the attribute Threads of the method \"packet\" cannot be \"2000\"; it "
                          "takes: uint32_t 0:1024");
    const auto estimate = [&](const std::string& method, Ptr<const DcnScenario> what) {
        const std::string sentence =
            DcnSentenceOf([&]() { DcnEstimator::CreateByName(method)->Estimate(what); });
        Simulator::Destroy();
        return sentence;
    };
    NS_TEST_EXPECT_MSG_EQ(estimate("packet:Partitions=2", scenario),
                          "Partitions and SharedEvents are for threads, but Threads is 0: set "
                          "Threads, or none of them",
                          "partitions without threads");
    {
        DcnPacketTestNetwork network(scenario, "Threads", UintegerValue(3));
        DCN_TEST_EXPECT_ERROR(network->Start(),
                              "Threads is 3, but only DcnPacketNetwork::Run simulates with "
                              "threads: set Threads to 0");
    }
    {
        DcnPacketTestNetwork network(scenario);
        network->Run();
        DCN_TEST_EXPECT_ERROR(network->Run(),
                              "Run simulates a scenario once: make another network for another "
                              "run");
    }
    {
        const auto huge = DcnScenario::Create(scenario->GetTopologyPtr(),
                                              scenario->GetNetworkConfig(),
                                              {{7, 0, 1, 300'000'000'000'000, 0}});
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        DCN_TEST_EXPECT_ERROR(network->Install(huge),
                              "flow 7 has 300000000000000 bytes, but a flow of the packet engine "
                              "has at most 281474976710655: take several flows");
    }
    {
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("Threads", UintegerValue(1));
        network->Install(scenario->GetTopologyPtr(), scenario->GetNetworkConfig());
        DCN_TEST_EXPECT_ERROR(network->AddFlow(scenario->GetFlows()[0], scenario->GetPath(0)),
                              "Threads is 1, but flows are added one by one, which takes one "
                              "thread: set Threads to 0");
        network->Dispose();
    }
}

/// The method: its attribute, its provenance, fewer threads than asked for, links without delay.
DCN_TEST_CASE(MethodTestCase, "the method packet with threads")
{
    const Ptr<const DcnScenario> scenario =
        DcnScenarioRecipe("topology=leaf-spine,racksPerPod=3,spinesPerPlane=1,flows=100").Create();
    const auto estimate = [](const std::string& method, Ptr<const DcnScenario> what) {
        DcnEstimate answer = DcnEstimator::CreateByName(method)->Estimate(what);
        Simulator::Destroy();
        return answer;
    };
    const DcnEstimate zero = estimate("packet", scenario);
    const DcnEstimate one = estimate("packet:Threads=1", scenario);
    const DcnEstimate two = estimate("packet:Threads=2", scenario);
    const DcnEstimate many = estimate("packet:Threads=50:Partitions=90", scenario);
    NS_TEST_EXPECT_MSG_EQ(zero.provenance, "packet-level simulation, dctcp", "as before");
    NS_TEST_EXPECT_MSG_EQ(one.provenance,
                          "packet-level simulation, dctcp, 1 thread, 1 partition",
                          "one thread");
    NS_TEST_EXPECT_MSG_EQ(two.provenance,
                          "packet-level simulation, dctcp, 2 threads, 4 partitions, windows of "
                          "1008 ns",
                          "two threads; a PAUSE of 43 bytes at 40 Gb/s takes 8.6 ns");
    NS_TEST_EXPECT_MSG_EQ(many.provenance,
                          "packet-level simulation, dctcp, 4 threads (50 were asked for), 4 "
                          "partitions, windows of 1008 ns",
                          "three racks and a spine");
    NS_TEST_EXPECT_MSG_EQ(zero.jobs, 1, "threads that dcn-compare shows");
    NS_TEST_EXPECT_MSG_EQ(many.jobs, 4, "threads that dcn-compare shows");
    NS_TEST_EXPECT_MSG_EQ(
        (one.fctNs == zero.fctNs && one.fctNs == two.fctNs && one.fctNs == many.fctNs),
        true,
        "same times");
    NS_TEST_EXPECT_MSG_EQ(
        (one.events == zero.events && one.events == two.events && one.events == many.events),
        true,
        "same counts");
    const DcnEstimate none =
        estimate("packet:Threads=2",
                 DcnScenarioRecipe("topology=leaf-spine,linkDelay=0ns,flows=50").Create());
    NS_TEST_EXPECT_MSG_EQ(none.provenance,
                          "packet-level simulation, dctcp, 1 thread (2 were asked for), 1 "
                          "partition",
                          "links without delay");
    // the events of the user's simulation stay pending: the packets have a process of their own
    Simulator::Schedule(Seconds(1), []() {});
    const DcnEstimate apart = DcnEstimator::CreateByName("packet:Threads=2")->Estimate(scenario);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ((apart.fctNs == one.fctNs), true, "in a process of its own");
}

DcnTestSuite<> g_dcnPacketThreadsTestSuite(
    "dcn-packet-threads",
    {new SameTestCase("topology=leaf-spine,cc=dctcp,sizes=web-server,flows=150,load=0.7", MARKS),
     new SameTestCase("topology=fat-tree,pods=4,hostRate=100Gbps,cc=dctcp,sizes=constant:300000,"
                      "flows=100,load=0.9",
                      MARKS),
     new SameTestCase("topology=leaf-spine,cc=dctcp,matrix=incast:16,sizes=constant:30000,"
                      "flows=80,load=0.8,buffer_bytes=160000",
                      DROPS | MARKS),
     new SameTestCase("topology=leaf-spine,cc=dcqcn,matrix=incast:16,sizes=constant:30000,"
                      "flows=80,load=0.8,pfc=1,buffer_bytes=250000",
                      PAUSES | MARKS),
     new SameTestCase("topology=fat-tree,pods=4,hostRate=100Gbps,cc=dcqcn,sizes=constant:200000,"
                      "flows=60,load=0.9,pfc=0",
                      MARKS),
     new SameTestCase("topology=leaf-spine,cc=dcqcn,matrix=incast:16,sizes=constant:30000,"
                      "flows=80,load=0.8,pfc=0,buffer_bytes=160000",
                      DROPS | MARKS),
     new SameTestCase("topology=fat-tree,pods=4,cc=timely,sizes=constant:50000,flows=100,load=0.7",
                      NOTHING),
     new SameTestCase("topology=leaf-spine,cc=hpcc,sizes=web-server,flows=200,load=0.7", NOTHING),
     new SameTestCase("topology=fat-tree,pods=4,cc=powertcp,sizes=web-server,flows=150,load=0.7",
                      NOTHING),
     new SameTestCase("topology=leaf-spine,cc=swift,matrix=incast:16,sizes=constant:30000,"
                      "flows=80,load=0.8,buffer_bytes=160000",
                      DROPS),
     new SameTestCase("topology=fabric,cc=swift,sizes=constant:50000,flows=100,load=0.7", NOTHING),
     new SameTestCase("topology=fat-tree,pods=4,cc=dctcp,sizes=web-server,flows=150,load=0.7,"
                      "load_balancing=1",
                      MARKS),
     new SameTestCase("topology=fat-tree,pods=4,cc=dcqcn,sizes=constant:100000,flows=100,load=0.8,"
                      "load_balancing=2,selective_repeat=1",
                      MARKS),
     new SameTestCase("topology=fat-tree,pods=4,cc=timely,sizes=web-server,flows=150,load=0.7,"
                      "load_balancing=3",
                      NOTHING),
     new SameTestCase("topology=fat-tree,pods=4,cc=swift,sizes=constant:100000,flows=100,load=0.8,"
                      "load_balancing=4,selective_repeat=1",
                      NOTHING),
     new SameTestCase("topology=leaf-spine,cc=dctcp,matrix=incast:16,sizes=constant:30000,"
                      "flows=80,load=0.8,buffer_bytes=160000,selective_repeat=1",
                      DROPS | MARKS),
     new SameTestCase("topology=leaf-spine,cc=dctcp,sizes=web-server,flows=150,load=0.7", MARKS, 3),
     new SameTestCase("topology=fat-tree,pods=4,cc=hpcc,sizes=constant:30000,flows=100,load=0.9",
                      NOTHING,
                      1)},
    {new RandomTestCase,
     new AloneTestCase,
     new TieTestCase,
     new OrderTestCase,
     new ManyTestCase,
     new PoolTestCase,
     new RandomEventsTestCase,
     new LoopTestCase,
     new CutTestCase,
     new DrawTestCase,
     new OneThreadTestCase,
     new RefusedTestCase,
     new MethodTestCase}); //!< the suite

} // namespace
