/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Runs of dependency graphs on packets, fluids and m4.
 */

#include "dcn-test-case.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"
#include "dcn-test-texts.h"
#include "dcn-train-test.h"

#include "ns3/dcn-link-events.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-train-collective.h"
#include "ns3/dcn-train-graph-file.h"
#include "ns3/dcn-train-helper.h"
#include "ns3/dcn-train-report.h"
#include "ns3/dcn-train-timeline.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Start and end of each node of a run.
struct Times
{
    std::vector<std::map<uint32_t, int64_t>> start; //!< by rank and number [ns]
    std::vector<std::map<uint32_t, int64_t>> end;   //!< by rank and number [ns]
    uint32_t nTwice{0};                             //!< nodes that were finished again
    int64_t durationNs{0};                          //!< of the run
    uint64_t nLate{0};                              //!< see DcnTrainExecutor::GetNLate
    std::vector<DcnTrainExecutor::RankTimes> ranks; //!< how ranks spend their time
};

/**
 * @brief Run a graph on a star of 10 Gb/s and 1 us.
 * @param engine its engine
 * @param source the graph
 * @param window of the executor; 0: the default
 * @param hostLatencyNs of the executor [ns]
 */
Times
RunGraph(const std::string& engine,
         std::shared_ptr<DcnTrainSource> source,
         uint32_t window = 0,
         int64_t hostLatencyNs = 0)
{
    Times times;
    times.start.resize(source->GetNRanks());
    times.end.resize(source->GetNRanks());
    DcnTrainHelper helper(engine);
    if (window > 0)
    {
        helper.SetAttribute("Window", UintegerValue(window));
    }
    if (hostLatencyNs > 0)
    {
        helper.SetAttribute("HostLatency", TimeValue(NanoSeconds(hostLatencyNs)));
    }
    Ptr<DcnTrainExecutor> executor =
        helper.Install(DcnMakeStar(std::max(2U, source->GetNRanks())), source);
    executor->TraceConnectWithoutContext(
        "NodeFinished",
        Callback<void, uint32_t, uint32_t, const DcnTrainNode&, Time>(
            [&](uint32_t rank, uint32_t number, const DcnTrainNode&, Time start) {
                times.start[rank][number] = start.GetNanoSeconds();
                times.nTwice += times.end[rank].count(number) > 0 ? 1 : 0;
                times.end[rank][number] = Simulator::Now().GetNanoSeconds();
            }));
    std::shared_ptr<void> destroy(nullptr, [&](void*) { // also after an error
        executor->Dispose();
        Simulator::Destroy();
    });
    executor->Start();
    Simulator::Run();
    executor->CheckFinished();
    times.durationNs = executor->GetDuration().GetNanoSeconds();
    times.nLate = executor->GetNLate();
    times.ranks = executor->GetRankTimes();
    return times;
}

/// Rank 0 computes for 10 us, sends to rank 1, and computes for 20 us when the message is
/// acknowledged; rank 1 receives, and computes for 5 us.
DCN_TEST_CASE(HandTestCase, "a graph that is solved by hand")
{
    const int64_t ideal = DcnTrainStarIdealNs(50'000);
    for (const char* engine : {"packet", "flowsim"})
    {
        auto graph = std::make_shared<DcnTrainGraph>(2);
        const uint32_t compute = graph->Compute(0, 10'000);
        const uint32_t send = graph->Send(0, 1, 50'000, 3, {compute});
        graph->Compute(0, 20'000, {send});
        const uint32_t receive = graph->Receive(1, 0, 50'000, 3);
        const uint32_t join = graph->Join(1, {receive});
        graph->Compute(1, 5000, {join});
        const Times times = RunGraph(engine, graph);
        const std::string on = std::string(" on ") + engine;
        NS_TEST_EXPECT_MSG_EQ(times.end[0].at(0), 10'000, "compute" << on);
        NS_TEST_EXPECT_MSG_EQ(times.start[0].at(1), 10'000, "send starts" << on);
        NS_TEST_EXPECT_MSG_EQ_TOL(times.end[0].at(1),
                                  10'000 + ideal + DCN_TRAIN_STAR_RETURN_NS,
                                  25,
                                  "send" << on);
        NS_TEST_EXPECT_MSG_EQ(times.end[0].at(2), times.end[0].at(1) + 20'000, "compute" << on);
        NS_TEST_EXPECT_MSG_EQ(times.start[1].at(0), 0, "receive is posted" << on);
        NS_TEST_EXPECT_MSG_EQ_TOL(times.end[1].at(0), 10'000 + ideal, 25, "receive" << on);
        NS_TEST_EXPECT_MSG_EQ(times.end[1].at(1), times.end[1].at(0), "join" << on);
        NS_TEST_EXPECT_MSG_EQ(times.end[1].at(2), times.end[1].at(0) + 5000, "compute" << on);
        NS_TEST_EXPECT_MSG_EQ(times.durationNs, times.end[0].at(2), "the end" << on);
        // rank 0: 30 us of work, exposed while the message is on its way
        NS_TEST_EXPECT_MSG_EQ(times.ranks[0].computeNs, 30'000, "work" << on);
        NS_TEST_EXPECT_MSG_EQ(times.ranks[0].exposedNs, times.end[1].at(0) - 10'000, "exposed");
        NS_TEST_EXPECT_MSG_EQ(times.ranks[1].computeNs, 5000, "work" << on);
        NS_TEST_EXPECT_MSG_EQ(times.ranks[1].exposedNs, times.ranks[0].exposedNs, "exposed" << on);
        for (const auto& rank : times.ranks)
        {
            NS_TEST_EXPECT_MSG_EQ(rank.computeNs + rank.exposedNs + rank.idleNs,
                                  times.durationNs,
                                  "all time" << on);
        }
    }
}

/// Rank 0 prepares two messages of a stream one after the other, and a third one of another stream
/// beside them; rank 1 needs 7 us for the first one after its arrival, and begins 4 us late.
DCN_TEST_CASE(HostTimesTestCase, "times of hosts, solved by hand")
{
    const int64_t ideal = DcnTrainStarIdealNs(1000);
    for (const char* engine : {"packet", "flowsim"})
    {
        auto graph = std::make_shared<DcnTrainGraph>(2);
        graph->Send(0, 1, 1000, 0, {}, 0, 3000);
        graph->Send(0, 1, 1000, 1, {}, 0, 0); // waits for the stream
        graph->Send(0, 1, 1000, 2, {}, 1, 50'000);
        const uint32_t launch = graph->Join(1, {}, 4000);
        graph->Receive(1, 0, 1000, 0, {launch}, 7000);
        graph->Receive(1, 0, 1000, 1);
        graph->Receive(1, 0, 1000, 2, {}, 10'000);
        for (const int64_t latency : {0, 20'000})
        {
            const Times times = RunGraph(engine, graph, 0, latency);
            const std::string on = std::string(" on ") + engine;
            NS_TEST_EXPECT_MSG_EQ(times.end[1].at(0), 4000, "launch" << on);
            const int64_t first = 3000 + latency + ideal; // its arrival
            NS_TEST_EXPECT_MSG_EQ_TOL(times.end[1].at(1),
                                      std::max<int64_t>(4000, first) + 7000,
                                      25,
                                      "first" << on);
            NS_TEST_EXPECT_MSG_EQ_TOL(times.end[1].at(2),
                                      first + 838,
                                      25,
                                      "right behind the first" << on);
            NS_TEST_EXPECT_MSG_EQ_TOL(times.end[1].at(3),
                                      50'000 + latency + ideal + 10'000,
                                      25,
                                      "third" << on);
            NS_TEST_EXPECT_MSG_EQ(times.durationNs, times.end[1].at(3), "the end" << on);
            NS_TEST_EXPECT_MSG_EQ(times.ranks[1].exposedNs, times.durationNs, "no time idle" << on);
            NS_TEST_EXPECT_MSG_EQ(times.nTwice, 0, "once" << on);
        }
    }
}

/// A queue pair gives its link to one message after the other: the first of two messages has the
/// share of one flow, and the second one takes as long again, beside the message of another pair.
DCN_TEST_CASE(QueuePairTestCase, "messages of a queue pair are served in their order")
{
    for (const char* engine : {"flowsim", "packet"})
    {
        auto graph = std::make_shared<DcnTrainGraph>(3);
        for (const uint32_t tag : {0, 1})
        {
            graph->Send(0, 1, 1'000'000, tag);
            graph->Receive(1, 0, 1'000'000, tag);
        }
        graph->Send(0, 2, 2'000'000, 2);
        graph->Receive(2, 0, 2'000'000, 2);
        const Times times = RunGraph(engine, graph);
        const auto first = static_cast<double>(times.end[1].at(0));
        NS_TEST_EXPECT_MSG_EQ_TOL(first / 1e6,
                                  2 * 0.8 * 1.048,
                                  0.08,
                                  "half of the link " << engine);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(times.end[1].at(1)) / first,
                                  2,
                                  0.04,
                                  "and the second one after it " << engine);
    }
}

/// Compute nodes of one stream follow each other, those of two streams run at the same time.
DCN_TEST_CASE(StreamsTestCase, "streams of compute nodes")
{
    auto graph = std::make_shared<DcnTrainGraph>(1);
    graph->Compute(0, 100);
    graph->Compute(0, 50);
    graph->Compute(0, 30, {}, 1);
    graph->Compute(0, 7, {1, 2}, 1);
    const Times times = RunGraph("flowsim", graph);
    NS_TEST_EXPECT_MSG_EQ(times.end[0].at(0), 100, "first");
    NS_TEST_EXPECT_MSG_EQ(times.end[0].at(1), 150, "second of its stream");
    NS_TEST_EXPECT_MSG_EQ(times.start[0].at(1), 100, "its start");
    NS_TEST_EXPECT_MSG_EQ(times.end[0].at(2), 30, "other stream");
    NS_TEST_EXPECT_MSG_EQ(times.end[0].at(3), 157, "after both");
    NS_TEST_EXPECT_MSG_EQ(times.ranks[0].computeNs, 157, "at least one runs");
}

/// The k-th send with a key is for the k-th receive; the message may be there before.
DCN_TEST_CASE(MatchingTestCase, "sends and receives of one tag")
{
    auto graph = std::make_shared<DcnTrainGraph>(2);
    graph->Send(0, 1, 1000, 9);
    graph->Send(0, 1, 200'000, 9);
    graph->Send(0, 1, 1000, 8, {}, 1); // another connection
    const uint32_t late = graph->Compute(1, 1'000'000);
    graph->Receive(1, 0, 1000, 9);
    graph->Receive(1, 0, 200'000, 9);
    graph->Receive(1, 0, 1000, 8, {late});
    const Times times = RunGraph("packet", graph);
    NS_TEST_EXPECT_MSG_LT(times.end[1].at(1), times.end[1].at(2), "the short one first");
    NS_TEST_EXPECT_MSG_EQ(times.end[1].at(3), 1'000'000, "it was there when it was asked for");
    NS_TEST_EXPECT_MSG_LT(times.end[0].at(2), 100'000, "and was sent long before");

    auto wrong = std::make_shared<DcnTrainGraph>(2);
    wrong->Send(0, 1, 1000, 9);
    wrong->Send(0, 1, 2000, 9);
    wrong->Receive(1, 0, 2000, 9);
    wrong->Receive(1, 0, 1000, 9);
    DCN_TEST_EXPECT_ERROR(RunGraph("flowsim", wrong),
                          "graph: node 0 of rank 1 (receive of 2000 bytes from rank 0 with tag 9) "
                          "meets node 0 of rank 0, which is a send of 1000 bytes");
    auto cycle = std::make_shared<DcnTrainGraph>(2);
    for (uint32_t rank : {0, 1})
    {
        const uint32_t receive = cycle->Receive(rank, 1 - rank, 10, 0);
        cycle->Send(rank, 1 - rank, 10, 0, {receive});
    }
    DCN_TEST_EXPECT_ERROR(
        RunGraph("flowsim", cycle),
        "graph: after 0 nodes, no node can go on: node 0 of rank 0 (receive of 10 "
        "bytes from rank 1 with tag 0) waits for a send that does not start, "
        "which is a cycle of messages");
    auto many = std::make_shared<DcnTrainGraph>(5);
    DCN_TEST_EXPECT_ERROR(
        DcnTrainHelper("flowsim").Install(DcnMakeStar(4), many),
        "graph: the graph has 5 ranks, but the network has 4 hosts: take a larger "
        "topology");
}

/// A random graph whose messages cannot block each other: nodes are made in one order for all
/// ranks, and a receive comes after its send in that order.
std::shared_ptr<DcnTrainGraph>
MakeRandomGraph(uint64_t seed)
{
    DcnRandom random(seed);
    auto draw = CreateObject<UniformRandomVariable>();
    random.Assign(draw, DcnPurpose::FLOW_PAIRS);
    auto below = [&](uint32_t n) { return draw->GetInteger(0, n - 1); };
    const uint32_t nRanks = 2 + below(5);
    auto graph = std::make_shared<DcnTrainGraph>(nRanks);
    const uint32_t nSteps = 5 + below(40);
    for (uint32_t step = 0; step < nSteps; ++step)
    {
        auto some = [&](uint32_t rank) { // earlier nodes of the rank
            std::vector<uint32_t> after;
            const auto n = static_cast<uint32_t>(graph->GetNodes(rank).size());
            for (uint32_t i = 0; n > 0 && i < below(4); ++i)
            {
                after.push_back(below(n));
            }
            return after;
        };
        const uint32_t rank = below(nRanks);
        switch (below(4))
        {
        case 0:
            graph->Compute(rank, below(30'000), some(rank), below(2));
            break;
        case 1:
            graph->Join(rank, some(rank));
            break;
        default: {
            const uint32_t peer = (rank + 1 + below(nRanks - 1)) % nRanks;
            const uint64_t bytes = 1 + below(below(10) == 0 ? 300'000 : 5000);
            const uint32_t tag = graph->MakeTag();
            const uint32_t hostNs =
                seed % 2 == 0 ? 0 : 2000; // hosts need time in every other graph
            graph->Send(rank, peer, bytes, tag, some(rank), below(2), below(hostNs + 1));
            graph->Receive(peer, rank, bytes, tag, some(peer), below(hostNs + 1));
        }
        }
    }
    return graph;
}

/// Random graphs on an engine.
class RandomGraphsTestCase : public TestCase
{
  public:
    /**
     * @param engine its engine
     * @param nGraphs number of graphs
     */
    RandomGraphsTestCase(const std::string& engine, uint32_t nGraphs)
        : TestCase(std::to_string(nGraphs) + " random graphs on " + engine),
          m_engine(engine),
          m_nGraphs(nGraphs)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= m_nGraphs; ++seed)
        {
            auto graph = MakeRandomGraph(seed);
            const Times times = RunGraph(m_engine, graph);
            NS_TEST_EXPECT_MSG_EQ(times.nTwice, 0, "once, graph " << seed);
            for (uint32_t rank = 0; rank < graph->GetNRanks(); ++rank)
            {
                const auto& nodes = graph->GetNodes(rank);
                NS_TEST_ASSERT_MSG_EQ(times.end[rank].size(), nodes.size(), "all, graph " << seed);
                for (uint32_t i = 0; i < nodes.size(); ++i)
                {
                    for (const uint32_t before : nodes[i].after)
                    {
                        NS_TEST_EXPECT_MSG_LT_OR_EQ(times.end[rank].at(before),
                                                    times.start[rank].at(i),
                                                    "order, graph " << seed);
                    }
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(times.start[rank].at(i),
                                                times.end[rank].at(i),
                                                "duration");
                }
            }
            if (seed % 50 == 1) // again, and with a window that changes nothing
            {
                const Times again = RunGraph(m_engine, graph, 1000);
                NS_TEST_EXPECT_MSG_EQ((again.end == times.end), true, "reproducible " << seed);
                NS_TEST_EXPECT_MSG_EQ(again.nLate, 0, "no node is late");
            }
        }
    }

    std::string m_engine; //!< its engine
    uint32_t m_nGraphs;   //!< number of graphs
};

/// With a window of one node, nodes of a rank run one after the other.
/**
 * A link between switches that carries connections of a ring fails, another one is degraded: the
 * ring goes on over other links, as much later on packets as on fluids and m4, twice the same.
 * Connections have equal paths on both, which depend on ranks and streams alone.
 */
DCN_TEST_CASE(FailureTestCase, "a ring over a link that fails")
{
    std::vector<uint64_t> linkBytes;
    std::vector<double> slower;
    for (const char* engine : {"packet", "flowsim:Acknowledgements=true", "m4"})
    {
        int64_t times[3] = {0, 0, 0};
        for (const uint32_t trial : {0, 1, 2}) // without, with, again
        {
            auto graph = std::make_shared<DcnTrainGraph>(16);
            DcnTrainCollective collective;
            collective.bytes = 8'000'000;
            collective.channels = 2; // streams
            collective.AddTo(*graph, {0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14});
            const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
            DcnTrainHelper helper(engine);
            Ptr<DcnFlowNetwork> network = helper.GetNetworkHelper().Install(topology);
            Ptr<DcnTrainExecutor> executor = helper.InstallOn(network, graph);
            if (trial > 0)
            {
                DcnLinkEvents("16-24@2ms=fail,18-26@3ms=2.5Gbps", *topology).Schedule(network);
            }
            executor->Start();
            Simulator::Run();
            executor->CheckFinished();
            times[trial] = executor->GetDuration().GetNanoSeconds();
            NS_TEST_EXPECT_MSG_EQ((network->GetNMoved() > 0), (trial > 0), "moved, " << engine);
            if (trial == 0)
            {
                linkBytes = linkBytes.empty() ? executor->GetLinkBytes() : linkBytes;
                NS_TEST_EXPECT_MSG_EQ((executor->GetLinkBytes() == linkBytes),
                                      true,
                                      "bytes by link, " << engine);
            }
            executor->Dispose();
            network->Dispose();
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(times[1], times[2], "reproducible, " << engine);
        slower.push_back(static_cast<double>(times[1]) / static_cast<double>(times[0]));
    }
    NS_TEST_EXPECT_MSG_GT(slower[1], 1.02, "fluids: fewer links");
    NS_TEST_EXPECT_MSG_EQ_TOL(slower[1], slower[0], 0.05, "as on packets");
    NS_TEST_EXPECT_MSG_EQ_TOL(slower[2], slower[0], 0.05, "m4 as on packets");
}

DCN_TEST_CASE(WindowTestCase, "the window of nodes in memory")
{
    auto graph = std::make_shared<DcnTrainGraph>(2);
    for (uint32_t stream = 0; stream < 4; ++stream)
    {
        graph->Compute(0, 1000, {}, stream);
        graph->Compute(1, 10, {}, stream);
    }
    const Times wide = RunGraph("flowsim", graph);
    NS_TEST_EXPECT_MSG_EQ(wide.durationNs, 1000, "all at once");
    NS_TEST_EXPECT_MSG_EQ(wide.nLate, 0, "no effect");
    const Times narrow = RunGraph("flowsim", graph, 1);
    NS_TEST_EXPECT_MSG_EQ(narrow.durationNs, 4000, "one by one");
    NS_TEST_EXPECT_MSG_EQ(narrow.nLate, 6, "all but the first of each rank");
    const Times two = RunGraph("flowsim", graph, 2);
    NS_TEST_EXPECT_MSG_EQ(two.durationNs, 2000, "two by two");
}

/// A graph on disk runs as the one in memory.
DCN_TEST_CASE(StreamedTestCase, "a graph that is read as it runs")
{
    auto graph = std::make_shared<DcnTrainGraph>(8);
    DcnTrainCollective collective;
    collective.bytes = 400'000;
    collective.channels = 2;
    const auto ends = collective.AddTo(*graph, {0, 1, 2, 3, 4, 5, 6, 7});
    collective.operation = "all-to-all";
    collective.algorithm = "direct";
    collective.AddTo(*graph, {0, 1, 2, 3, 4, 5, 6, 7}, ends);
    const std::string folder = CreateTempDirFilename("streamed");
    DcnWriteTrainGraph(*graph, folder);
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        const Times expected = RunGraph(engine, graph);
        const Times read = RunGraph(engine, std::make_shared<DcnTrainGraphFile>(folder));
        NS_TEST_EXPECT_MSG_EQ((read.end == expected.end), true, "times on " << engine);
    }
}

DCN_TEST_CASE(ReportTestCase, "results of a run")
{
    auto graph = std::make_shared<DcnTrainGraph>(4);
    DcnTrainCollective collective;
    collective.bytes = 4'000'000;
    std::vector<uint32_t> ends;
    for (uint32_t iteration = 0; iteration < 2; ++iteration)
    {
        std::vector<uint32_t> begin;
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            begin.push_back(
                graph->Compute(rank,
                               500'000,
                               ends.empty() ? ends : std::vector<uint32_t>{ends[rank]}));
        }
        ends = collective.AddTo(*graph, {0, 1, 2, 3}, begin);
        graph->BeginOperation({"iteration", "iteration", 4, 0});
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            ends[rank] = graph->Join(rank, {ends[rank]});
        }
        graph->SetOperation(DcnTrainNode::NO_OPERATION);
    }
    Ptr<DcnTopology> topology = DcnMakeStar(4);
    DcnTrainHelper helper("flowsim");
    Ptr<DcnTrainExecutor> executor = helper.Install(topology, graph);
    const std::string path = CreateTempDirFilename("timeline.json");
    DcnTrainTimeline timeline(path, executor, *graph);
    executor->Start();
    Simulator::Run();
    timeline.Commit();
    const DcnTrainRunResult result("flowsim",
                                   *executor,
                                   *graph,
                                   *topology,
                                   *DcnNetworkConfig::Preset("dctcp"));
    executor->Dispose();
    Simulator::Destroy();
    const double ringNs = 2.0 * 3 * static_cast<double>(DcnTrainStarIdealNs(1'000'000));
    NS_TEST_ASSERT_MSG_EQ(result.iterations.size(), 2, "iterations");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.GetIterationMs(), (500'000 + ringNs) / 1e6, 0.02, "duration");
    NS_TEST_EXPECT_MSG_EQ(result.iterations[1].first, result.iterations[0].second, "in turn");
    NS_TEST_ASSERT_MSG_EQ(result.collectives.size(), 2, "collectives");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.collectives[0].algorithmGbps, 32e6 / ringNs, 0.01, "S / t");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.collectives[0].busGbps, 48e6 / ringNs, 0.01, "3/2 S / t");
    NS_TEST_EXPECT_MSG_EQ(result.links.size(), 8, "all links");
    NS_TEST_EXPECT_MSG_EQ(result.links[0].bytes, 12'000'000, "six blocks, twice");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.links[0].utilisation,
                              12e6 * 1.048 * 0.8 / static_cast<double>(result.durationNs),
                              1e-9,
                              "share of time");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.GetMeanMs(&DcnTrainExecutor::RankTimes::computeNs),
                              1.0,
                              1e-9,
                              "work");
    const std::string folder = CreateTempDirFilename("results");
    DcnMakeFolder(folder);
    const auto files = DcnWriteTrainResults({result}, *graph, *topology, folder);
    NS_TEST_EXPECT_MSG_EQ(files[2], "collectives.csv", "files");
    std::ifstream csv(folder + "/iterations.csv");
    std::string line;
    std::getline(csv, line);
    NS_TEST_EXPECT_MSG_EQ(line, "engine,iteration,begin_ns,duration_ns", "header");
    // the timeline: every event has what the format asks for, pairs are closed
    std::ifstream json(path);
    std::stringstream text;
    text << json.rdbuf();
    const std::string all = text.str();
    auto count = [&](const std::string& word) {
        uint64_t n = 0;
        for (std::size_t at = all.find(word); at != std::string::npos; at = all.find(word, at + 1))
        {
            ++n;
        }
        return n;
    };
    NS_TEST_EXPECT_MSG_EQ(count("\"ph\":\"X\""), 8, "compute nodes");
    NS_TEST_EXPECT_MSG_EQ(count("\"ph\":\"b\""), 2 * 2 * 4 * 6, "messages at both ends");
    NS_TEST_EXPECT_MSG_EQ(count("\"ph\":\"e\""), count("\"ph\":\"b\""), "closed");
    NS_TEST_EXPECT_MSG_EQ(count("\"ph\":\"M\""), 4, "names of ranks");
    NS_TEST_EXPECT_MSG_EQ(count("\"ts\":"), timeline.GetNEvents(), "all with a time");
    NS_TEST_EXPECT_MSG_EQ(count("{"), count("}"), "brackets");
}

/// Names of operations come from files of others: the timeline is JSON whatever they are.
DCN_TEST_CASE(NamesTestCase, "any name of an operation in the timeline")
{
    auto graph = std::make_shared<DcnTrainGraph>(2);
    std::multiset<std::string> expected;
    for (const std::string& text : DcnHostileTexts())
    {
        graph->BeginOperation({text, "compute", 1, 0});
        graph->Compute(0, 1);
        expected.insert(text);
    }
    graph->Join(1, {});
    DcnTrainHelper helper("flowsim");
    Ptr<DcnTrainExecutor> executor = helper.Install(DcnMakeStar(2), graph);
    const std::string path = CreateTempDirFilename("names.json");
    DcnTrainTimeline timeline(path, executor, *graph);
    executor->Start();
    Simulator::Run();
    timeline.Commit();
    executor->Dispose();
    Simulator::Destroy();
    boost::property_tree::ptree tree;
    boost::property_tree::read_json(path, tree);
    std::multiset<std::string> names;
    for (const auto& [none, event] : tree.get_child("traceEvents"))
    {
        if (event.get<std::string>("ph") == "X")
        {
            names.insert(event.get<std::string>("name"));
        }
    }
    NS_TEST_EXPECT_MSG_EQ((names == expected), true, "each name as it is");

    // a timeline that would be larger than one wants
    for (const uint64_t most : {expected.size() - 1, expected.size()})
    {
        graph->Rewind();
        executor = helper.Install(DcnMakeStar(2), graph);
        const DcnTrainTimeline part(CreateTempDirFilename("part.json"), executor, *graph, most);
        executor->Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(part.GetNEvents(), most, "events");
        NS_TEST_EXPECT_MSG_EQ(part.IsCut(), (most < expected.size()), "more would come");
        executor->Dispose();
        Simulator::Destroy();
    }
}

/// A ring on 128 hosts of 100 Gb/s takes equally long on all engines.
class RingTestCase : public TestCase
{
  public:
    /// @param bytes of the all-reduce
    explicit RingTestCase(uint64_t bytes)
        : TestCase("an all-reduce of " + std::to_string(bytes) + " bytes on 128 hosts"),
          m_bytes(bytes)
    {
    }

  private:
    void DoRun() override
    {
        DcnFatTreeParameters parameters;
        parameters.k = 8;
        parameters.linkRate = DataRate("100Gbps");
        std::vector<uint32_t> ranks(128);
        std::iota(ranks.begin(), ranks.end(), 0);
        double packetNs = 0;
        for (const std::string engine : {"packet", "flowsim:Acknowledgements=true", "m4"})
        {
            auto graph = std::make_shared<DcnTrainGraph>(128);
            DcnTrainCollective collective;
            collective.bytes = m_bytes;
            collective.AddTo(*graph, ranks);
            const Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
            DcnTrainHelper helper(engine);
            helper.GetNetworkHelper().SetConfig(
                DcnNetworkConfig::Preset("dctcp", topology->GetSlowestHostRate()));
            Ptr<DcnTrainExecutor> executor = helper.Install(topology, graph);
            executor->Start();
            Simulator::Run();
            executor->CheckFinished();
            const auto ns = static_cast<double>(executor->GetDuration().GetNanoSeconds());
            packetNs = engine == "packet" ? ns : packetNs;
            NS_TEST_EXPECT_MSG_EQ_TOL(ns, packetNs, 0.03 * packetNs, engine);
            executor->Dispose();
            Simulator::Destroy();
        }
    }

    uint64_t m_bytes; //!< see the constructor
};

/// The suite.
class DcnTrainRunTestSuite : public TestSuite
{
  public:
    DcnTrainRunTestSuite()
        : TestSuite("dcn-train-run", Type::UNIT)
    {
        AddTestCase(new HandTestCase);
        AddTestCase(new HostTimesTestCase);
        AddTestCase(new QueuePairTestCase);
        AddTestCase(new StreamsTestCase);
        AddTestCase(new MatchingTestCase);
        AddTestCase(new FailureTestCase);
        AddTestCase(new WindowTestCase);
        AddTestCase(new StreamedTestCase);
        AddTestCase(new ReportTestCase);
        AddTestCase(new NamesTestCase);
        const auto extensive = DCN_TEST_EXTENSIVE(DcnTrainRunTestSuite);
        AddTestCase(new RingTestCase(8'000'000), extensive);
        AddTestCase(new RingTestCase(64'000'000), extensive);
        for (const char* engine : {"packet", "flowsim", "m4"})
        {
            AddTestCase(new RandomGraphsTestCase(engine, 100));
            AddTestCase(new RandomGraphsTestCase(engine, 10'000), extensive);
        }
    }
};

DcnTrainRunTestSuite g_dcnTrainRunTestSuite; //!< the suite

} // namespace
