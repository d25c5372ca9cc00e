/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/engine/dcn-packet-events.h"
#include "../model/network/dcn-pause-circle.h"
#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-simulation-report.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param n switches in a ring
 * @param perSwitch hosts of each switch, by ascending node index; the switches follow them
 * @return the ring, with links of 10 Gb/s and 1 us
 */
Ptr<DcnTopology>
MakeRing(uint32_t n, uint32_t perSwitch)
{
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i < n * perSwitch; ++i)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        builder.AddNode(DcnNodeKind::SWITCH);
    }
    for (uint32_t i = 0; i < n * perSwitch; ++i)
    {
        builder.AddLink(i, n * perSwitch + i / perSwitch, 10 * DCN_GBPS, 1000);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        builder.AddLink(n * perSwitch + i, n * perSwitch + (i + 1) % n, 10 * DCN_GBPS, 1000);
    }
    return builder.Build();
}

/**
 * Flows whose paths go two switches further round a ring.
 * @param n switches
 * @param perSwitch hosts of each
 * @param senders hosts of each switch that have a flow, the first ones
 * @param sizeBytes of each flow
 * @param starts of the flows, in turn [ns]
 * @param keys of the network, on top of DCTCP's preset
 * @param more flows of hosts of the first switch, on the path of its first host
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeRingScenario(uint32_t n,
                 uint32_t perSwitch,
                 uint32_t senders,
                 uint64_t sizeBytes,
                 const std::vector<int64_t>& starts,
                 const std::string& keys,
                 const std::vector<DcnFlow>& more = {})
{
    const uint32_t nHosts = n * perSwitch;
    std::vector<DcnFlow> flows;
    std::unordered_map<uint64_t, DcnScenario::PinnedPath> pinned;
    for (uint32_t i = 0; i < nHosts; ++i)
    {
        if (i % perSwitch >= senders)
        {
            continue;
        }
        const uint32_t s = i / perSwitch;
        const uint32_t dst = (i + 2 * perSwitch) % nHosts;
        flows.push_back({i, i, dst, sizeBytes, starts[i % starts.size()]});
        pinned[i].nodes.nodes = {i, nHosts + s, nHosts + (s + 1) % n, nHosts + (s + 2) % n, dst};
    }
    for (const DcnFlow& flow : more)
    {
        flows.push_back(flow);
        if (flow.dst / perSwitch != flow.src / perSwitch)
        {
            pinned[flow.id].nodes.nodes = {flow.src, nHosts, nHosts + 1, nHosts + 2, flow.dst};
        }
    }
    std::sort(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
        return std::pair(a.startNs, a.id) < std::pair(b.startNs, b.id);
    });
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->SetKeys(keys);
    return DcnScenario::Create(MakeRing(n, perSwitch), config, flows, pinned);
}

/// Flows without a window, a buffer without marks: pauses stop the hosts.
const std::string NO_WINDOW = "window_bytes=0,buffer_bytes=409600,ecn_kmin_bytes=409600,"
                              "ecn_kmax_bytes=409600,pfc=1";

/// What a simulation has said.
struct Outcome
{
    std::vector<int64_t> fctNs;                 //!< by flow [ns]
    std::map<std::string, uint64_t> unfinished; //!< flows by reason
    std::string deadlock;                       //!< sentence
    bool isCut;                                 //!< by StopTime
    int64_t endNs;                              //!< of Run [ns]
    int64_t nowNs;                              //!< ns-3's time afterwards [ns]
    uint64_t delivered;                         //!< payload [bytes]

    /// @return flows that are unfinished for a reason
    uint64_t Count(const std::string& reason) const
    {
        const auto found = unfinished.find(reason);
        return found == unfinished.end() ? 0 : found->second;
    }
};

/// How to run the engine.
struct Mode
{
    const char* name;     //!< in messages
    bool hasOthers;       //!< another event of ns-3 is pending, so that it gives turns
    uint32_t nThreads;    //!< attribute Threads
    uint32_t nPartitions; //!< attribute Partitions
};

/// All ways to run the events.
const std::vector<Mode> MODES{{"windows", false, 0, 0},
                              {"turns of ns-3", true, 0, 0},
                              {"one partition", false, 1, 1},
                              {"partitions", false, 2, 3}};

/// Simulates a scenario until a time [ns]; 0: to its end.
Outcome
Simulate(Ptr<const DcnScenario> scenario, const Mode& mode, int64_t stopNs = 0, bool skips = false)
{
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->SetAttribute("StopTime", TimeValue(NanoSeconds(stopNs)));
    network->SetAttribute("Threads", UintegerValue(mode.nThreads));
    network->SetAttribute("Partitions", UintegerValue(mode.nPartitions));
    network->SetAttribute("Skip", BooleanValue(skips));
    network->AssignStreams(1);
    network->Install(scenario);
    if (mode.hasOthers)
    {
        Simulator::Schedule(Seconds(1e6), []() {});
    }
    network->Run();
    const Outcome outcome{network->GetFctNs(),
                          network->GetUnfinished(),
                          network->DescribeDeadlock(),
                          network->IsCut(),
                          network->GetEndNs(),
                          Simulator::Now().GetNanoSeconds(),
                          network->GetDeliveredBytes()};
    network->Dispose();
    Simulator::Destroy();
    return outcome;
}

/// @return notes on a deadlock; others speak of losses
std::ptrdiff_t
CountDeadlocks(const DcnEstimate& estimate)
{
    return std::count_if(estimate.notes.begin(), estimate.notes.end(), [](const auto& note) {
        return note.find("deadlock") != std::string::npos;
    });
}

/// @return the shares that a text of busiest links names [%]
std::vector<double>
ReadShares(const std::string& busiestLinks)
{
    std::vector<double> shares;
    std::istringstream words(busiestLinks);
    for (std::string link, share, unit; words >> link >> share >> unit;)
    {
        shares.push_back(std::stod(share));
    }
    return shares;
}

DCN_TEST_CASE(UtilisationTestCase, "share of the time in which links transmit, in algebra")
{
    // 1 ms of 10 Gb/s are 1,250,000 bytes; flows start at 5 us and never finish
    const auto scenario = DcnScenario::Create(DcnMakeStar(2),
                                              DcnNetworkConfig::Preset("dctcp"),
                                              {{0, 0, 1, 5'000'000, 5000}, {1, 1, 0, 1, 900'000}});
    DcnEstimate estimate;
    estimate.fctNs = {-1, 100};
    DcnSimulationReport::SetBusiestLinks(*scenario,
                                         {1'250'000, 312'500, 0, 625'000},
                                         1'005'000,
                                         estimate);
    NS_TEST_EXPECT_MSG_EQ(estimate.busiestLinks, "0->2 100 %, 2->1 50 %, 2->0 25 %", "in use");
    estimate.fctNs = {-1, -1};
    DcnSimulationReport::SetBusiestLinks(*scenario, {1250, 0, 0, 0}, 10'005'000, estimate);
    NS_TEST_EXPECT_MSG_EQ(estimate.busiestLinks.substr(0, 8),
                          "0->2 0 %",
                          "without a finished flow");

    // a host that sends without a break until the simulation is stopped, in the midst of a frame
    const auto whole = DcnMakeDumbbellScenario({{0, 0, 2, 100'000'000, 7000}});
    for (const std::string method : {"packet", "packet:Threads=1", "packet:Skip=true"})
    {
        const DcnEstimate answer =
            DcnEstimator::CreateByName(method + ":StopTime=20000300ns")->Estimate(whole);
        NS_TEST_EXPECT_MSG_EQ(answer.busiestLinks,
                              "0->4 100 %, 4->5 100 %, 5->2 100 %",
                              "until the stop, " << method);
        Simulator::Destroy();
    }
}

/// Four flows round a ring, whose pauses wait for each other.
DCN_TEST_CASE(DeadlockTestCase, "a PFC deadlock where pauses stop the hosts")
{
    for (const std::vector<int64_t>& starts :
         {std::vector<int64_t>{0}, std::vector<int64_t>{0, 7000, 13'000, 21'000}})
    {
        const auto scenario = MakeRingScenario(4, 1, 1, 3'000'000, starts, NO_WINDOW);
        for (const Mode& mode : MODES)
        {
            const Outcome outcome = Simulate(scenario, mode);
            NS_TEST_EXPECT_MSG_EQ(outcome.Count("in a PFC deadlock"), 4, "flows, " << mode.name);
            NS_TEST_EXPECT_MSG_EQ(outcome.unfinished.size(), 1, "no other reason, " << mode.name);
            NS_TEST_EXPECT_MSG_EQ(outcome.deadlock,
                                  "the switches 4, 5, 6 and 7 are in a PFC deadlock: each waits "
                                  "until the next one ends its pause, and the last one waits for "
                                  "the first",
                                  mode.name);
            NS_TEST_EXPECT_MSG_LT(outcome.endNs,
                                  5'000'000,
                                  "the last transmission, not when that was noticed, "
                                      << mode.name);
        }
        const DcnEstimate answer = DcnEstimator::CreateByName("packet")->Estimate(scenario);
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(answer.DescribeCompletion(),
                              "packet: 4 flows started, 0 finished, 4 unfinished (in a PFC "
                              "deadlock: 4)",
                              "completion");
        NS_TEST_ASSERT_MSG_EQ(CountDeadlocks(answer), 1, "a sentence");
        const std::vector<double> shares = ReadShares(answer.busiestLinks);
        NS_TEST_ASSERT_MSG_EQ(shares.size(), 3, answer.busiestLinks);
        for (const double share : shares)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(share, 100, answer.busiestLinks);
            NS_TEST_EXPECT_MSG_GT(share, 10, answer.busiestLinks);
        }
        DcnEstimate copy; // as another process writes it
        copy.ReadTimes(answer.WriteTimes());
        NS_TEST_EXPECT_MSG_EQ((copy.notes == answer.notes), true, "notes cross processes");
        NS_TEST_EXPECT_MSG_EQ((copy.events == answer.events), true, "and events");
    }
}

/// Pauses all along a path to a slow link, which go on and on: each port waits for the next one,
/// but the last one moves.
DCN_TEST_CASE(MovesTestCase, "ports that are paused, but in no deadlock")
{
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < 6; ++node)
    {
        builder.AddNode(node < 3 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    builder.AddLink(0, 3, 10 * DCN_GBPS, 1000);
    builder.AddLink(1, 3, 10 * DCN_GBPS, 1000);
    builder.AddLink(3, 4, 10 * DCN_GBPS, 1000);
    builder.AddLink(4, 5, 10 * DCN_GBPS, 1000);
    builder.AddLink(5, 2, DCN_GBPS, 1000);
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->SetKeys(NO_WINDOW);
    const auto scenario = DcnScenario::Create(builder.Build(),
                                              config,
                                              {{0, 0, 2, 3'000'000, 0}, {1, 1, 2, 3'000'000, 0}});
    std::size_t nPaused = 0; // ports that are paused, over all times
    for (int64_t stopNs = 2'000'000; stopNs < 6'000'000; stopNs += 400'000)
    {
        DcnPacketTestNetwork network(scenario, "StopTime", TimeValue(NanoSeconds(stopNs)));
        network->Run();
        NS_TEST_EXPECT_MSG_EQ(network->DescribeDeadlock(), "", "at " << stopNs << " ns");
        NS_TEST_EXPECT_MSG_EQ(network->GetUnfinished().count("in a PFC deadlock"), 0, stopNs);
        for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
        {
            const auto port = network.GetPort(link);
            nPaused += port && port->IsPaused() && port->GetQueueBytes() > 0 ? 1 : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nPaused, 5, "ports that wait for the next one");
}

/// Windows stop the hosts before pauses do.
DCN_TEST_CASE(WindowsTestCase, "a PFC deadlock where windows stop the hosts")
{
    const auto scenario =
        MakeRingScenario(4,
                         12,
                         12,
                         1'000'000,
                         {0},
                         "buffer_bytes=400000,ecn_kmin_bytes=400000,ecn_kmax_bytes=400000");
    for (const Mode& mode : MODES)
    {
        const Outcome outcome = Simulate(scenario, mode);
        NS_TEST_EXPECT_MSG_EQ(outcome.deadlock.find("the switches 48, 49, 50 and 51 are in a PFC "),
                              0,
                              outcome.deadlock << ", " << mode.name);
        NS_TEST_EXPECT_MSG_GT(outcome.Count("in a PFC deadlock"), 40, mode.name);
        NS_TEST_EXPECT_MSG_EQ(outcome.Count("in flight"), 0, "nothing moves, " << mode.name);
    }
}

/// Flows behind a deadlock wait for a pause to end; others go on, until the simulation is stopped.
DCN_TEST_CASE(BehindTestCase, "flows behind a PFC deadlock, and beside it")
{
    // two hosts of a switch that send to each other meet no frame of the ring
    const auto scenario =
        MakeRingScenario(4, 3, 1, 3'000'000, {0}, NO_WINDOW, {{20, 1, 2, 50'000'000, 0}});
    for (const Mode& mode : MODES)
    {
        const Outcome cut = Simulate(scenario, mode, 10'000'000);
        NS_TEST_EXPECT_MSG_EQ(cut.isCut, true, "the flow beside moves, " << mode.name);
        NS_TEST_EXPECT_MSG_EQ(cut.deadlock.find("the switches 12, 13, 14 and 15 are in a PFC "),
                              0,
                              cut.deadlock << ", " << mode.name);
        NS_TEST_EXPECT_MSG_EQ(cut.Count("in a PFC deadlock"), 4, mode.name);
        NS_TEST_EXPECT_MSG_EQ(cut.Count("cut by stopTime"), 1, mode.name);
    }
    const Outcome outcome = Simulate(
        MakeRingScenario(4, 1, 1, 3'000'000, {0}, NO_WINDOW, {{20, 0, 2, 10'000, 5'000'000}}),
        MODES[0]);
    NS_TEST_EXPECT_MSG_EQ(outcome.Count("in a PFC deadlock"), 4, "frames in the circle");
    NS_TEST_EXPECT_MSG_EQ(outcome.Count("waiting for a pause to end"), 1, "behind it");
}

/// Pauses that end are no deadlock, however the simulation is stopped.
DCN_TEST_CASE(PausesTestCase, "pauses without a deadlock")
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 8; ++i)
    {
        flows.push_back({i, i, 8, 1'000'000, 0});
    }
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->SetKeys(NO_WINDOW);
    const auto scenario = DcnScenario::Create(DcnMakeDumbbell(8, 1), config, flows);
    uint64_t nPaused = 0;
    for (int64_t stopNs = 100'000; stopNs < 1'000'000; stopNs += 100'000)
    {
        const DcnPacketTestNetwork network(scenario, "StopTime", TimeValue(NanoSeconds(stopNs)));
        network->Run();
        NS_TEST_EXPECT_MSG_EQ(network->DescribeDeadlock(), "", "at " << stopNs << " ns");
        NS_TEST_EXPECT_MSG_EQ(network->GetUnfinished().at("cut by stopTime"), 8, "flows");
        for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
        {
            nPaused += DynamicCast<DcnPacketDevice>(network->GetDevice(link))->IsPaused() ? 1 : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nPaused, 0, "hosts or ports are paused");
    NS_TEST_EXPECT_MSG_EQ(Simulate(scenario, MODES[0]).unfinished.size(), 0, "all flows end");
}

/// A simulation that is stopped has the completion times that it would have, as far as they go.
DCN_TEST_CASE(StopTimeTestCase, "StopTime")
{
    const auto scenario = DcnMakeTestScenario(DcnTestWorkload(500));
    for (const Mode& mode : MODES)
    {
        const Outcome full = Simulate(scenario, mode);
        NS_TEST_EXPECT_MSG_EQ(full.isCut, false, "to its end, " << mode.name);
        const auto& flows = scenario->GetFlows();
        const std::size_t middle = 200;
        // when a flow is delivered, which does not happen any more, and a nanosecond later
        const int64_t deliveredNs = flows[middle].startNs + full.fctNs[middle];
        for (const int64_t stopNs : {flows[0].startNs + 1, deliveredNs, deliveredNs + 1})
        {
            const Outcome cut = Simulate(scenario, mode, stopNs);
            uint64_t nCut = 0;
            uint64_t nWaiting = 0;
            for (std::size_t i = 0; i < flows.size(); ++i)
            {
                const bool isDelivered = flows[i].startNs + full.fctNs[i] < stopNs;
                nWaiting += flows[i].startNs >= stopNs ? 1 : 0;
                nCut += !isDelivered && flows[i].startNs < stopNs ? 1 : 0;
                NS_TEST_ASSERT_MSG_EQ(cut.fctNs[i],
                                      (isDelivered ? full.fctNs[i] : -1),
                                      "flow " << i << " until " << stopNs << ", " << mode.name);
            }
            NS_TEST_EXPECT_MSG_EQ(cut.isCut, true, mode.name);
            NS_TEST_EXPECT_MSG_EQ(cut.endNs, stopNs, "end, " << mode.name);
            NS_TEST_EXPECT_MSG_EQ(cut.nowNs, stopNs, "time of ns-3, " << mode.name);
            NS_TEST_EXPECT_MSG_EQ(cut.Count("cut by stopTime"), nCut, mode.name);
            NS_TEST_EXPECT_MSG_EQ(cut.Count("not started"), nWaiting, mode.name);
        }
        const Outcome late = Simulate(scenario, mode, 2 * full.endNs);
        NS_TEST_EXPECT_MSG_EQ((late.fctNs == full.fctNs), true, "after the end, " << mode.name);
        NS_TEST_EXPECT_MSG_EQ(late.isCut, false, "after the end, " << mode.name);
        NS_TEST_EXPECT_MSG_EQ(late.endNs, full.endNs, "after the end, " << mode.name);
    }
    const DcnEstimate answer =
        DcnEstimator::CreateByName("packet:StopTime=1us")
            ->Estimate(DcnMakeDumbbellScenario({{0, 0, 2, 1000, 0}, {1, 1, 3, 1000, 5'000'000}}));
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(answer.DescribeCompletion(),
                          "packet:StopTime=1us: 2 flows started, 0 finished, 2 unfinished (cut by "
                          "stopTime: 1, not started: 1)",
                          "completion");
    NS_TEST_EXPECT_MSG_EQ(answer.IsComplete(), false, "programs end with status 2");
    NS_TEST_ASSERT_MSG_EQ(answer.notes.size(), 1, "a sentence");
    NS_TEST_EXPECT_MSG_EQ(answer.notes[0],
                          "the simulation was stopped at 0.001 ms: slowdowns are those of the "
                          "flows that ended before, so that long flows are missing",
                          "note");
}

DCN_TEST_CASE(RefusedStopTestCase, "stop times before the first start")
{
    const auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000, 5000}});
    for (const char* stopTime : {"5us", "1us"})
    {
        DCN_TEST_EXPECT_ERROR(
            DcnEstimator::CreateByName(std::string("packet:StopTime=") + stopTime)
                ->Estimate(scenario),
            std::string("StopTime is ") + stopTime[0] +
                "000 ns, but the first flow starts at 5000 ns, so that nothing would be "
                "simulated: take a later one");
    }
    Simulator::Destroy();
}

/// A skip that is cut has the payload of packets.
DCN_TEST_CASE(SkipTestCase, "StopTime in a skip")
{
    const auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 100'000'000, 0}});
    for (const Mode& mode : {MODES[0], MODES[1]})
    {
        const Outcome full = Simulate(scenario, mode, 50'000'123);
        const Outcome skipped = Simulate(scenario, mode, 50'000'123, true);
        NS_TEST_EXPECT_MSG_EQ(skipped.isCut, true, mode.name);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.delivered),
                                  static_cast<double>(full.delivered),
                                  1000,
                                  "a packet more or less, " << mode.name);
    }
}

DCN_TEST_CASE(DeliveredTestCase, "payload delivered, by which progress is counted")
{
    // a packet of 1000 bytes takes 838 ns on each of three links, with 1 us of delay
    const auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 10'000'000, 0}, {1, 1, 3, 700, 0}},
                                                  "max_rate_bps=10000000000");
    for (const Mode& mode : MODES)
    {
        const uint64_t early = Simulate(scenario, mode, 3000).delivered;
        NS_TEST_EXPECT_MSG_EQ(early, 0, "no packet has come, " << mode.name);
        const uint64_t late = Simulate(scenario, mode, 1'000'000).delivered;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(late),
                                  (1e6 - 3 * 1838) / 838.4 * 1000,
                                  5000,
                                  "a millisecond at 10 Gb/s, " << mode.name);
        NS_TEST_EXPECT_MSG_EQ(Simulate(scenario, mode).delivered, 10'000'700, mode.name);
    }
}

/// @return what a function writes to the C stream stderr
std::string
CatchStderr(const std::function<void()>& write)
{
    std::fflush(stderr);
    const int before = dup(STDERR_FILENO);
    std::FILE* file = std::tmpfile();
    dup2(fileno(file), STDERR_FILENO);
    write();
    std::fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

DCN_TEST_CASE(ProgressTestCase, "lines of progress in bytes")
{
    const std::string text = CatchStderr([]() {
        DcnProgress progress("packet", 11'000'000'000'000, "B");
        progress.Write(0, "");
        progress.Write(5'500'000'000'000, "at 12.5 ms of simulated time");
        DcnProgress flows("flowsim", 10, "flows");
        flows.Write(0, "");
    });
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    NS_TEST_EXPECT_MSG_EQ(line, "packet: 0 of 11 TB after 0 s", "nothing done");
    std::getline(lines, line);
    NS_TEST_EXPECT_MSG_EQ(line.substr(0, 15), "packet:  50 %  ", line);
    const std::string end = "B/s, 0 s left, at 12.5 ms of simulated time";
    NS_TEST_EXPECT_MSG_EQ(line.substr(std::max(line.size(), end.size()) - end.size()), end, line);
    std::getline(lines, line);
    NS_TEST_EXPECT_MSG_EQ(line, "flowsim: 0 of 10 flows after 0 s", "other units");
}

DcnTestSuite<UtilisationTestCase,
             DeadlockTestCase,
             MovesTestCase,
             WindowsTestCase,
             BehindTestCase,
             PausesTestCase,
             StopTimeTestCase,
             RefusedStopTestCase,
             SkipTestCase,
             DeliveredTestCase,
             ProgressTestCase>
    g_dcnPacketEndTestSuite("dcn-packet-end"); //!< the suite

} // namespace
