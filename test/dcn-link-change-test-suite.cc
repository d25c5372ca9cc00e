/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Links that fail, are repaired or change their rate during a run, on packets and fluids.
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-link-events.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario-change.h"
#include "ns3/dcn-topology.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 10'000'000'000; //!< of every link [bit/s]

/// @return hosts 0 and 1 at switch 4, hosts 2 and 3 at switch 5, and between these the switches 6
/// and 7: two paths from each of the first hosts to each of the others, of four links of 1 us
Ptr<DcnTopology>
MakeTwoPaths()
{
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < 8; ++node)
    {
        builder.AddNode(node < 4 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    for (const auto& [from, to] : {std::pair<uint32_t, uint32_t>{0, 4},
                                   {1, 4},
                                   {2, 5},
                                   {3, 5},
                                   {4, 6},
                                   {4, 7},
                                   {6, 5},
                                   {7, 5}})
    {
        builder.AddLink(from, to, RATE, 1000);
    }
    return builder.Build();
}

/// A flow network and what it has reported.
struct Net
{
    /**
     * @param topology_ the network
     * @param engine its engine
     * @param cc congestion control
     * @param keys changes of the preset
     */
    Net(Ptr<DcnTopology> topology_,
        const std::string& engine,
        const std::string& cc = "dctcp",
        const std::string& keys = "")
        : topology(topology_),
          config(DcnNetworkConfig::Preset(cc))
    {
        config->SetKeys(keys);
        DcnFlowNetworkHelper helper(engine);
        helper.SetConfig(config);
        network = helper.Install(topology);
        network->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>([this](uint64_t flow, Time time) {
                completed.resize(std::max<std::size_t>(completed.size(), flow + 1), -1);
                completed[flow] = completed[flow] < 0 ? time.GetNanoSeconds() : -2;
                order.push_back(flow);
            }));
    }

    ~Net()
    {
        network->Dispose();
        Simulator::Destroy();
    }

    Net(const Net&) = delete;
    Net& operator=(const Net&) = delete;

    /// @return the node of an index
    Ptr<Node> Get(uint32_t node) const
    {
        return topology->GetNodes().Get(node);
    }

    /// @return the link between two nodes
    uint32_t Link(uint32_t from, uint32_t to) const
    {
        for (const uint32_t link : topology->GetOutLinks(from))
        {
            if (topology->GetLink(link).to == to)
            {
                return link;
            }
        }
        return UINT32_MAX;
    }

    /// @return links through some nodes
    std::vector<uint32_t> Path(const std::vector<uint32_t>& nodes) const
    {
        std::vector<uint32_t> links;
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        {
            links.push_back(Link(nodes[i], nodes[i + 1]));
        }
        return links;
    }

    /// Schedules a step of the test.
    static void At(double ns, const std::function<void()>& step)
    {
        Simulator::Schedule(NanoSeconds(static_cast<int64_t>(ns)), step);
    }

    Ptr<DcnTopology> topology;      //!< see the constructor
    Ptr<DcnNetworkConfig> config;   //!< the configuration
    Ptr<DcnFlowNetwork> network;    //!< the network
    std::vector<int64_t> completed; //!< completion time by flow [ns]
    std::vector<uint64_t> order;    //!< flows in the order of completion
};

/// A size in n packets of 1000 bytes, its time on a link A, and the latency L of four links.
struct Sizes
{
    uint64_t bytes{10'000'000};                               //!< s
    double a{10'000 * 1048 * 0.8};                            //!< A = 8 (s + 48 n) / C [ns]
    double latency{4 * 1000 + 3 * 1048 * 0.8}; //!< L [ns]
};

/**
 * Two flows of time A, one over each middle switch. The link of the first fails at x A; from then on
 * they share the other path, each with C / 2:
 *
 *     without a repair    x A + 2 (1 - x) A
 *     repaired at y A     y A + (1 - x - (y - x) / 2) A, as the first flow returns to its path
 *
 * Fluids do so within nanoseconds, packets lose what is on the link and take turns.
 */
DCN_TEST_CASE(FailTestCase, "throughput before and after a failure and a repair")
{
    const Sizes sizes;
    for (const auto& [engine, keys] : {std::pair<std::string, std::string>{"flowsim", ""},
                                       {"flowsim:Acknowledgements=true", ""},
                                       {"packet", ""},
                                       {"packet", "selective_repeat=1"}})
    {
        for (const bool isRepaired : {false, true})
        {
            Net run(MakeTwoPaths(), engine, "dctcp", keys);
            run.network->AddFlowOnPath(run.Get(0), run.Get(2), sizes.bytes, run.Path({0, 4, 6, 5, 2}));
            run.network->AddFlowOnPath(run.Get(1), run.Get(3), sizes.bytes, run.Path({1, 4, 7, 5, 3}));
            Net::At(0.25 * sizes.a, [&]() { run.network->FailLink(run.Link(5, 6)); });
            if (isRepaired)
            {
                Net::At(0.75 * sizes.a, [&]() { run.network->RepairLink(run.Link(6, 5)); });
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run.completed.size(), 2, "both complete, " << engine);
            const double expected = (isRepaired ? 1.25 : 1.75) * sizes.a + sizes.latency;
            const double tolerance = engine == "packet" ? 0.04 * sizes.a : 100;
            for (const int64_t time : run.completed)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(time),
                                          expected,
                                          tolerance,
                                          engine << ", " << keys << ", repaired " << isRepaired);
            }
            NS_TEST_EXPECT_MSG_EQ(run.network->GetNMoved(), (isRepaired ? 2 : 1), "moves");
        }
    }
}

/**
 * The link of a flow has a quarter of its rate from A / 2 to 3 A / 2, in which a quarter of the
 * flow is served; the last quarter is served at C: 1.75 A. Without the end: A / 2 + 2 A.
 */
DCN_TEST_CASE(RateTestCase, "throughput of a degraded link")
{
    const Sizes sizes;
    for (const char* engine : {"flowsim", "packet", "m4"})
    {
        for (const bool hasEnd : {false, true})
        {
            Net run(MakeTwoPaths(), engine);
            const uint32_t link = run.Link(4, 6);
            run.network->AddFlowOnPath(run.Get(0), run.Get(2), sizes.bytes, run.Path({0, 4, 6, 5, 2}));
            run.network->AddFlowOnPath(run.Get(1), run.Get(3), sizes.bytes, run.Path({1, 4, 7, 5, 3}));
            Net::At(0.5 * sizes.a, [&]() { run.network->SetLinkRate(link, RATE / 4); });
            if (hasEnd)
            {
                Net::At(1.5 * sizes.a, [&]() { run.network->SetLinkRate(link, RATE); });
            }
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run.completed.size(), 2, "both complete, " << engine);
            const bool isFluid = std::string(engine) == "flowsim";
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.completed[0]),
                                      ((hasEnd ? 1.75 : 2.5) * sizes.a + sizes.latency),
                                      (isFluid ? 100 : 0.04 * sizes.a),
                                      engine << ", it ends " << hasEnd);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.completed[1]),
                                      sizes.a + sizes.latency,
                                      (isFluid ? 100 : 0.01 * sizes.a),
                                      engine << ", the other flow");
            NS_TEST_EXPECT_MSG_EQ(run.network->GetNMoved(), 0, "paths stay");
        }
    }
}

/// A link that is degraded before anything is sent is one of this rate: equal completion times.
DCN_TEST_CASE(StaticTestCase, "a degraded link from the beginning")
{
    for (const char* cc : {"dctcp", "timely"})
    {
        std::vector<int64_t> times[2];
        for (const bool isDegraded : {false, true})
        {
            DcnTopologyBuilder builder;
            for (uint32_t node = 0; node < 5; ++node)
            {
                builder.AddNode(node < 3 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
            }
            builder.AddLink(0, 3, RATE, 1000);
            builder.AddLink(1, 3, RATE, 1000);
            builder.AddLink(2, 4, RATE, 1000);
            builder.AddLink(3, 4, isDegraded ? RATE : RATE / 4, 1000);
            Net run(builder.Build(), "packet", cc, "pfc=0");
            if (isDegraded)
            {
                run.network->SetLinkRate(run.Link(4, 3), RATE / 4);
            }
            run.network->AddFlow(run.Get(0), run.Get(2), 1'000'000);
            run.network->AddFlow(run.Get(1), run.Get(2), 700'000);
            Simulator::Run();
            times[isDegraded] = run.completed;
        }
        NS_TEST_ASSERT_MSG_EQ(times[0].size(), 2, "both complete");
        NS_TEST_EXPECT_MSG_EQ((times[0] == times[1]), true, "equal times, " << cc);
    }
}

/// Every congestion control gets its flow over, in at most A plus the recovery: it goes on with
/// nearly its rate, although the reports of other ports begin anew.
DCN_TEST_CASE(ControlsTestCase, "congestion controls over a failure")
{
    const Sizes sizes;
    for (const char* cc : {"dctcp", "dcqcn", "timely", "hpcc", "powertcp", "swift"})
    {
        int64_t times[2] = {0, 0};
        for (const bool fails : {false, true})
        {
            Net run(MakeTwoPaths(), "packet", cc);
            const uint64_t connection = run.network->Connect(run.Get(0), run.Get(2));
            run.network->AddMessage(connection, sizes.bytes / 2);
            run.network->AddMessage(connection, sizes.bytes / 2);
            const std::vector<uint32_t> before = run.network->GetConnectionPath(connection);
            if (fails)
            {
                Net::At(0.3 * sizes.a, [&]() { run.network->FailLink(before[1]); });
                Net::At(0.4 * sizes.a, [&]() {
                    NS_TEST_EXPECT_MSG_EQ((run.network->GetConnectionPath(connection) == before),
                                          false,
                                          "another path");
                });
            }
            Simulator::Stop(Seconds(1)); // DCQCN's timers
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run.completed.size(), 2, "both messages, " << cc);
            NS_TEST_EXPECT_MSG_EQ(run.order[0], 0, "in order");
            times[fails] = run.completed[1];
        }
        NS_TEST_EXPECT_MSG_GT(times[1], times[0], "the failure costs time, " << cc);
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(times[1]),
                              static_cast<double>(times[0]) + 0.1 * sizes.a,
                              "it goes on, " << cc);
    }
}

/// Hosts with a link to each of two switches: a failed link of the sender or of the receiver moves
/// the flow to the other link, where its packets and acknowledgements go on.
DCN_TEST_CASE(HomesTestCase, "hosts with two links")
{
    const Sizes sizes;
    for (const char* engine : {"flowsim", "packet"})
    {
        for (const uint32_t end : {0, 1})
        {
            DcnTopologyBuilder builder;
            builder.AddNode(DcnNodeKind::HOST);
            builder.AddNode(DcnNodeKind::HOST);
            builder.AddNode(DcnNodeKind::SWITCH);
            builder.AddNode(DcnNodeKind::SWITCH);
            for (const uint32_t host : {0, 1})
            {
                for (const uint32_t middle : {2, 3})
                {
                    builder.AddLink(host, middle, RATE, 1000);
                }
            }
            Net run(builder.Build(), engine);
            run.network->AddFlow(run.Get(1), run.Get(0), sizes.bytes); // acknowledgements meet data
            const uint64_t connection = run.network->Connect(run.Get(0), run.Get(1));
            run.network->AddMessage(connection, sizes.bytes);
            const std::vector<uint32_t> path = run.network->GetConnectionPath(connection);
            Net::At(0.5 * sizes.a, [&]() { run.network->FailLink(path[end]); });
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run.completed.size(), 2, "both complete, " << engine);
            for (const int64_t time : run.completed)
            {
                NS_TEST_EXPECT_MSG_LT(static_cast<double>(time),
                                      1.15 * sizes.a + sizes.latency,
                                      engine << ", end " << end);
            }
        }
    }
}

/**
 * A flow of time A whose host is cut off from x A to y A waits meanwhile: (1 + y - x) A. A flow
 * that starts while it is cut off, and a message that is added then, begin at y A; with two
 * messages of a connection the second one follows the first. Without a repair nothing completes.
 */
DCN_TEST_CASE(CutOffTestCase, "hosts that are cut off")
{
    const Sizes sizes;
    for (const auto& [engine, keys] : {std::pair<std::string, std::string>{"flowsim", ""},
                                       {"flowsim:Acknowledgements=true", ""},
                                       {"m4", ""},
                                       {"packet", ""},
                                       {"packet", "selective_repeat=1"},
                                       {"packet:Skip=true", ""}})
    {
        // m4 predicts flows that meet acknowledgements; these take a part of links in the others
        const double tolerance = engine == "flowsim" ? 100
                                 : engine == "m4"    ? 0.07 * sizes.a
                                                     : 0.02 * sizes.a;
        for (const uint32_t hop :
             {0, 1, 3}) // the sender's link, one between switches, the last one
        {
            Net run(MakeTwoPaths(), engine, "dctcp", keys);
            const std::vector<uint32_t> path = run.Path({0, 4, 6, 5, 2});
            run.network->AddFlowOnPath(run.Get(0), run.Get(2), sizes.bytes, path);
            const uint64_t connection = run.network->Connect(run.Get(1), run.Get(2));
            std::vector<std::pair<uint64_t, bool>> news;
            run.network->TraceConnectWithoutContext(
                "ConnectionCutOff",
                Callback<void, uint64_t, bool>([&news](uint64_t number, bool isCutOff) {
                    news.emplace_back(number, isCutOff);
                }));
            Net::At(0.25 * sizes.a, [&]() {
                if (hop == 1) // both ways
                {
                    run.network->FailLink(run.Link(4, 7));
                }
                run.network->FailLink(path[hop]);
            });
            Net::At(0.5 * sizes.a, [&]() {
                run.network->AddFlow(run.Get(3), run.Get(0), sizes.bytes / 4);
                run.network->AddMessage(connection, 1000);
                run.network->AddMessage(connection, 2000);
                NS_TEST_EXPECT_MSG_EQ(run.network->GetNActive(), 4, "nothing is complete");
                NS_TEST_EXPECT_MSG_EQ(run.network->IsCutOff(connection), (hop != 0), "host 1");
            });
            Net::At(0.85 * sizes.a, [&]() {
                NS_TEST_EXPECT_MSG_EQ(run.network->GetNActive(),
                                      (hop == 3   ? 3
                                       : hop == 1 ? 4
                                                  : 2),
                                      "waiting, " << engine << ", hop " << hop);
                run.network->RepairLink(path[hop]);
            });
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run.completed.size(), 4, "all complete, " << engine);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.completed[0]),
                                      1.6 * sizes.a + sizes.latency,
                                      tolerance + (hop > 0 ? 5000 : 0), // messages come then
                                      engine << ", " << keys << ", hop " << hop);
            // the flow from 3 to 0 waits unless the last link alone has failed
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.completed[1]),
                                      (hop == 3 ? 0.25 : 0.6) * sizes.a + sizes.latency,
                                      tolerance,
                                      "the other way, " << engine << ", hop " << hop);
            const double begin = hop == 0 ? 0 : 0.35 * sizes.a;
            NS_TEST_EXPECT_MSG_GT(static_cast<double>(run.completed[2]), begin, "a message");
            NS_TEST_EXPECT_MSG_LT(static_cast<double>(run.completed[2]),
                                  begin + 0.05 * sizes.a,
                                  "at once after the repair, " << engine << ", hop " << hop);
            NS_TEST_EXPECT_MSG_LT(run.completed[2], run.completed[3], "in order");
            const std::vector<std::pair<uint64_t, bool>> both = {{connection, true},
                                                                 {connection, false}};
            NS_TEST_EXPECT_MSG_EQ((news == (hop == 0 ? decltype(both)() : both)), true, "news");
        }
        Net run(MakeTwoPaths(), engine, "dctcp", keys);
        const uint64_t lost = run.network->Connect(run.Get(0), run.Get(2));
        run.network->AddMessage(lost, sizes.bytes);
        run.network->AddFlow(run.Get(1), run.Get(3), sizes.bytes);
        Net::At(0.3 * sizes.a, [&]() { run.network->FailLink(run.Link(0, 4)); });
        Net::At(0.4 * sizes.a, [&]() {
            const uint64_t late = run.network->Connect(run.Get(2), run.Get(0));
            NS_TEST_EXPECT_MSG_EQ(run.network->IsCutOff(late), true, "made while it is cut off");
            run.network->AddMessage(late, 1000);
        });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((run.order == std::vector<uint64_t>{1}), true, "one, " << engine);
        NS_TEST_EXPECT_MSG_EQ(run.network->GetNActive(), 2, "they wait for ever, " << engine);
        NS_TEST_EXPECT_MSG_EQ(run.network->IsCutOff(lost), true, "cut off, " << engine);
    }
}

/// A failure gives flows the paths that DcnScenarioChange gives them.
DCN_TEST_CASE(SamePathsTestCase, "detours of a run and of a changed scenario")
{
    const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
    const auto& hosts = topology->GetHosts();
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < hosts.size(); ++i)
    {
        for (uint32_t j = 0; j < hosts.size(); ++j)
        {
            if (i != j)
            {
                flows.push_back({flows.size(), hosts[i], hosts[j], 1000, 0});
            }
        }
    }
    const auto config = DcnNetworkConfig::Preset("dctcp");
    const auto scenario = DcnScenario::Create(topology, config, flows, {}, 1);
    const uint32_t failed = DcnDrawCables(*topology, 1, 1)[0];
    const auto changed = DcnScenarioChange().FailLink(failed).Apply(scenario);
    Net run(topology, "flowsim");
    for (const DcnFlow& flow : flows)
    {
        run.network->Connect(run.Get(flow.src), run.Get(flow.dst), flow.id);
    }
    run.network->FailLink(failed);
    std::size_t nMoved = 0;
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath path = changed->GetPath(f);
        const std::vector<uint32_t> links(path.begin(), path.end());
        NS_TEST_EXPECT_MSG_EQ((run.network->GetConnectionPath(f) == links), true, "flow " << f);
        const DcnPath before = scenario->GetPath(f);
        nMoved += links == std::vector<uint32_t>(before.begin(), before.end()) ? 0 : 1;
    }
    NS_TEST_EXPECT_MSG_GT(nMoved, 0, "some move");
    NS_TEST_EXPECT_MSG_EQ(run.network->GetNMoved(), nMoved, "these alone");
}

/// @return completion times of random messages and flows on a fat tree whose links fail and are
/// repaired all the time; checks that each comes once, in order
std::vector<int64_t>
RunRandom(const std::string& engine,
          const std::string& cc,
          const std::string& keys,
          uint64_t seed,
          std::string& wrong)
{
    Net run(DcnBuildTopology(DcnFatTreeParameters()), engine, cc, keys);
    Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(uniform, DcnPurpose::LINK_DELAYS, 1);
    std::vector<std::vector<uint64_t>> messages;
    std::size_t nRefused = 0; // flows and messages
    // the only reason: detours that are longer than HPCC's telemetry
    const auto isRefused = [&wrong](const std::string& sentence) {
        const bool isTooLong = sentence.find("telemetry of hpcc") != std::string::npos;
        wrong += sentence == "no error" || isTooLong ? "" : sentence;
        return isTooLong;
    };
    for (uint32_t i = 0; i < 60; ++i)
    {
        const uint32_t from = uniform->GetInteger(0, 15);
        const uint32_t to = (from + uniform->GetInteger(1, 15)) % 16;
        const uint64_t bytes = uniform->GetInteger(1, 300'000);
        Net::At(
            uniform->GetValue(0, 2e6),
            [&run, &messages, &isRefused, &nRefused, i, from, to, bytes]() {
                const std::string sentence = DcnSentenceOf([&]() {
                    if (i % 3 == 0)
                    {
                        run.network->AddFlow(run.Get(from), run.Get(to), bytes);
                        return;
                    }
                    const uint64_t connection = run.network->Connect(run.Get(from), run.Get(to));
                    messages.resize(connection + 1);
                    for (uint32_t k = 0; k < 3; ++k)
                    {
                        messages[connection].push_back(run.network->AddMessage(connection, bytes));
                    }
                });
                nRefused += isRefused(sentence) ? (i % 3 == 0 ? 1 : 3) : 0;
            });
    }
    const std::vector<uint32_t> cables = DcnDrawCables(*run.topology, 12, seed);
    for (const uint32_t cable : cables)
    {
        const double begin = uniform->GetValue(0, 2e6);
        const double end = begin + uniform->GetValue(100, 1e6);
        const uint64_t rate = RATE / uniform->GetInteger(2, 9);
        Net::At(begin, [&run, &isRefused, cable]() {
            isRefused(DcnSentenceOf([&]() { run.network->FailLink(cable); }));
        });
        Net::At((begin + end) / 2, [&run, cable, rate]() { run.network->SetLinkRate(cable, rate); });
        Net::At(end, [&run, cable]() {
            if (run.network->HasFailed(cable))
            {
                run.network->RepairLink(cable);
            }
        });
    }
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    const std::vector<int64_t>& times = run.completed;
    if (std::count_if(times.begin(), times.end(), [](int64_t time) { return time >= 0; }) +
                static_cast<int64_t>(nRefused) !=
            20 + 3 * 40 ||
        run.network->GetNActive() > 0 || (nRefused > 0 && cc != "hpcc"))
    {
        wrong += "incomplete ";
    }
    if (std::count(times.begin(), times.end(), -2) > 0)
    {
        wrong += "twice ";
    }
    std::vector<std::size_t> place(times.size(), 0);
    for (std::size_t i = 0; i < run.order.size(); ++i)
    {
        place[run.order[i]] = i;
    }
    for (const auto& each : messages)
    {
        for (std::size_t k = 1; k < each.size(); ++k)
        {
            wrong += place[each[k]] < place[each[k - 1]] ? "out of order " : "";
        }
    }
    wrong += run.network->GetNMoved() == 0 ? "nothing moved " : "";
    return run.completed;
}

DCN_TEST_CASE(RandomTestCase, "random failures: everything arrives once, twice the same")
{
    for (const auto& [engine, cc, keys] :
         {std::tuple<std::string, std::string, std::string>{"flowsim", "dctcp", ""},
          {"flowsim:Acknowledgements=true", "dctcp", ""},
          {"m4", "dctcp", ""},
          {"packet", "dctcp", ""},
          {"packet", "dcqcn", "ecn_kmin_bytes=30000"}, // no random marks
          {"packet", "hpcc", ""},
          {"packet", "swift", "selective_repeat=1"},
          {"packet", "dctcp", "buffer_bytes=300000"}})
    {
        for (const uint64_t seed : {1, 2, 3})
        {
            std::string wrong;
            const auto first = RunRandom(engine, cc, keys, seed, wrong);
            const auto again = RunRandom(engine, cc, keys, seed, wrong);
            NS_TEST_EXPECT_MSG_EQ(wrong, "", engine << ", " << cc << ", seed " << seed);
            NS_TEST_EXPECT_MSG_EQ((first == again), true, "reproducible, " << engine << ", " << cc);
        }
    }
}

DCN_TEST_CASE(ErrorsTestCase, "changes that cannot be")
{
    Net run(MakeTwoPaths(), "flowsim");
    const uint32_t link = run.Link(4, 6);
    DCN_TEST_EXPECT_ERROR(run.network->FailLink(16),
                          "there is no link 16; the network has 16 directed links");
    DCN_TEST_EXPECT_ERROR(run.network->RepairLink(link),
                          "link 4->6 has not failed: nothing to repair");
    run.network->FailLink(link);
    DCN_TEST_EXPECT_ERROR(run.network->FailLink(DcnTopology::Reverse(link)),
                          "link 6->4 has failed already");
    DCN_TEST_EXPECT_ERROR(run.network->SetLinkRate(link, 0),
                          "the rate of link 4->6 must be above 0 and at most that of the topology, "
                          "10000000000 bit/s, but it is 0: FailLink lets it fail");
    DCN_TEST_EXPECT_ERROR(run.network->SetLinkRate(link, RATE + 1),
                          "the rate of link 4->6 must be above 0 and at most that of the topology, "
                          "10000000000 bit/s, but it is 10000000001");
    {
        Net sprayed(MakeTwoPaths(), "packet", "dctcp", "load_balancing=1,selective_repeat=1");
        DCN_TEST_EXPECT_ERROR(sprayed.network->FailLink(link),
                              "DcnFlowNetwork::FailLink gives each flow one path, but "
                              "load_balancing is 1: take packet, or load_balancing=0");
    }
}

/// The text of events, read and carried out.
DCN_TEST_CASE(EventsTestCase, "events as text")
{
    const Ptr<DcnTopology> topology = MakeTwoPaths();
    const auto read = [&topology](const std::string& text) {
        return DcnSentenceOf([&]() { DcnLinkEvents(text, *topology); });
    };
    NS_TEST_EXPECT_MSG_EQ(DcnLinkEvents("", *topology).IsEmpty(), true, "none");
    const std::string form = "\" is not of the form A-B@TIME=WHAT, with WHAT fail, repair or a rate, "
                             "such as 128-144@2ms=fail or 128-144@2ms=25Gbps";
    for (const char* text : {"4-6", "4-6@2ms", "4-6@2=fail", "4-6@2ms=broken", "4-6@2ms=5", "@="})
    {
        const std::string first = std::string(text).substr(0, std::string(text).find(','));
        NS_TEST_EXPECT_MSG_EQ(read(text), "the link event \"" + first + form, "form");
    }
    NS_TEST_EXPECT_MSG_EQ(read("4-x@2ms=fail"),
                          "the link event \"4-x@2ms=fail\" must begin with the ids of two nodes, "
                          "such as 128-144, but it begins with \"4-x\"",
                          "ids");
    NS_TEST_EXPECT_MSG_EQ(
        read("x@2ms=fail"),
        "the link event \"x@2ms=fail\" must begin with the ids of two nodes, such "
        "as 128-144, or of one for all of its cables, but it begins with \"x\"",
        "id");
    NS_TEST_EXPECT_MSG_EQ(read("8@2ms=fail"),
                          "the link event \"8@2ms=fail\": there is no node 8",
                          "no node");
    NS_TEST_EXPECT_MSG_EQ(read("4-5@2ms=fail"),
                          "the link event \"4-5@2ms=fail\": no link joins nodes 4 and 5",
                          "no link");
    NS_TEST_EXPECT_MSG_EQ(read("4-6.1@2ms=fail"),
                          "the link event \"4-6.1@2ms=fail\": nodes 4 and 6 have 1 cable: write 4-6",
                          "one cable");
    NS_TEST_EXPECT_MSG_EQ(read("4-6@2ms=0bps"),
                          "the link event \"4-6@2ms=0bps\" has the rate 0: write fail",
                          "rate 0");

    const Sizes sizes;
    Net run(topology, "flowsim");
    run.network->AddFlowOnPath(run.Get(0), run.Get(2), sizes.bytes, run.Path({0, 4, 6, 5, 2}));
    run.network->AddFlowOnPath(run.Get(1), run.Get(3), sizes.bytes, run.Path({1, 4, 7, 5, 3}));
    // both at C until 1 ms, then at C / 2 until 3 ms, then at C again; the first at C / 4 from 4 ms
    DcnLinkEvents("6-4@1ms=fail,4-6@3ms=repair,4-6@4ms=2.5Gbps", *topology).Schedule(run.network);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(run.completed.size(), 2, "both");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.completed[1]),
                              sizes.a + 1e6 + sizes.latency,
                              100,
                              "the second");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.completed[0]),
                              4e6 + 4 * (sizes.a - 3e6) + sizes.latency,
                              100,
                              "the first");
}

/// A switch that fails, with a cable that has failed before; its repair repairs all.
DCN_TEST_CASE(NodeEventsTestCase, "events of nodes as text")
{
    const Sizes sizes;
    Net run(MakeTwoPaths(), "flowsim");
    run.network->AddFlowOnPath(run.Get(0), run.Get(2), sizes.bytes, run.Path({0, 4, 6, 5, 2}));
    const DcnLinkEvents events("4-6@1ms=fail,4@2ms=fail,7@3ms=fail,4@4ms=repair,4@5ms=2.5Gbps",
                               *run.topology);
    NS_TEST_EXPECT_MSG_EQ(events.GetLast(), MilliSeconds(5), "the last");
    events.Schedule(run.network);
    Net::At(3.5e6, [&]() {
        for (const uint32_t node : {0, 1, 6, 7})
        {
            NS_TEST_EXPECT_MSG_EQ(run.network->HasFailed(run.Link(4, node)), true, "to " << node);
        }
        NS_TEST_EXPECT_MSG_EQ(run.network->HasFailed(run.Link(5, 7)), true, "of the other switch");
        NS_TEST_EXPECT_MSG_EQ(run.network->HasFailed(run.Link(5, 6)), false, "another one");
    });
    Simulator::Run();
    // at C until 2 ms, not until 4 ms, at C until 5 ms, then at C / 4
    NS_TEST_ASSERT_MSG_EQ(run.completed.size(), 1, "complete");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(run.completed[0]),
                              5e6 + 4 * (sizes.a - 3e6) + sizes.latency,
                              100,
                              "its time");
    NS_TEST_EXPECT_MSG_EQ(DcnLinkEvents().GetLast(), Seconds(0), "none");
}

DcnTestSuite<FailTestCase,
             RateTestCase,
             StaticTestCase,
             ControlsTestCase,
             HomesTestCase,
             CutOffTestCase,
             SamePathsTestCase,
             RandomTestCase,
             ErrorsTestCase,
             EventsTestCase,
             NodeEventsTestCase>
    g_dcnLinkChangeTestSuite("dcn-link-change"); //!< the suite

} // namespace
