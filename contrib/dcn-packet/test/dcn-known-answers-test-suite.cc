/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-idle-time.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1'000'000'000;     //!< 1 Gb/s [bit/s]
constexpr int64_t SECOND_NS = 1'000'000'000; //!< 1 s [ns]

/// m3 on link simulations.
const std::string M3_LINKS = "m3:Model=m3-links:Threads=1";

/**
 * @param method for DcnEstimator::CreateByName
 * @return whether it is m3, with any model
 */
bool
IsM3(const std::string& method)
{
    return method.rfind("m3", 0) == 0;
}

/// A network with flows, from which other networks with the same answers are made.
struct Net
{
    /// A link between two nodes.
    struct Link
    {
        uint32_t a;       //!< node
        uint32_t b;       //!< node
        uint64_t rateBps; //!< of each direction
        int64_t delayNs;  //!< propagation delay
    };

    std::vector<bool> isHost;                 //!< by node
    std::vector<Link> links;                  //!< by number
    std::vector<DcnFlow> flows;               //!< in any order, with the ids 0, 1, ...
    std::vector<std::vector<uint32_t>> nodes; //!< by id of the flow: its path
    Ptr<DcnNetworkConfig> config;             //!< the configuration

    /// Adds a node; returns its number.
    uint32_t Add(bool host)
    {
        isHost.push_back(host);
        return static_cast<uint32_t>(isHost.size() - 1);
    }

    /// Adds a flow with the nodes of its path.
    void Send(const std::vector<uint32_t>& path, uint64_t sizeBytes, int64_t startNs)
    {
        flows.push_back({flows.size(), path.front(), path.back(), sizeBytes, startNs});
        nodes.push_back(path);
    }

    /// Returns the scenario with a seed of random draws.
    Ptr<const DcnScenario> Make(uint64_t seed = 1) const
    {
        DcnTopologyBuilder builder;
        for (const bool host : isHost)
        {
            builder.AddNode(host ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
        }
        for (const Link& link : links)
        {
            builder.AddLink(link.a, link.b, link.rateBps, link.delayNs);
        }
        std::unordered_map<uint64_t, DcnScenario::PinnedPath> pinned;
        for (const DcnFlow& flow : flows)
        {
            pinned[flow.id].nodes.nodes = nodes[flow.id];
        }
        return DcnScenario::Create(builder.Build(), config, flows, pinned, seed);
    }
};

/**
 * @param nHosts number of hosts
 * @param cc congestion control
 * @return hosts 0, 1, ... around a switch, 10 Gb/s and 1 us
 */
Net
MakeStar(uint32_t nHosts, const std::string& cc)
{
    Net net;
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        net.Add(true);
    }
    const uint32_t middle = net.Add(false);
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        net.links.push_back({host, middle, 10 * GBPS, 1000});
    }
    net.config = DcnNetworkConfig::Preset(cc);
    return net;
}

/**
 * @param cc congestion control
 * @return hosts 0 to 3 at switch 8 and 4 to 7 at switch 9, which two switches, 10 and 11, join; 10
 * Gb/s, above 40 Gb/s, and 1 us; 24 flows, most of which meet others
 */
Net
MakeFabric(const std::string& cc)
{
    Net net;
    for (uint32_t node = 0; node < 12; ++node)
    {
        net.Add(node < 8);
    }
    for (uint32_t host = 0; host < 8; ++host)
    {
        net.links.push_back({host, host < 4 ? 8U : 9U, 10 * GBPS, 1000});
    }
    for (const uint32_t spine : {10U, 11U})
    {
        net.links.push_back({8, spine, 40 * GBPS, 1000});
        net.links.push_back({9, spine, 40 * GBPS, 1000});
    }
    net.config = DcnNetworkConfig::Preset(cc);
    for (uint32_t i = 0; i < 24; ++i)
    {
        const uint32_t src = i * 5 % 8;
        const uint32_t dst = (src + 1 + i * 3 % 7) % 8;
        const uint64_t size = 700 + 6'131 * (i * i % 11) + (i % 6 == 0 ? 150'000 : 0);
        const uint32_t from = src < 4 ? 8 : 9;
        const uint32_t to = dst < 4 ? 8 : 9;
        std::vector<uint32_t> path{src, from};
        if (from != to)
        {
            path.push_back(10 + i % 2);
            path.push_back(to);
        }
        path.push_back(dst);
        net.Send(path, size, 17'003 * i);
    }
    return net;
}

/// Answers of a method.
struct Answer
{
    std::vector<double> fctNs;     //!< by id of the flow; empty for distributions
    std::vector<double> slowdowns; //!< of its samples in order, by size of flow; empty without
    std::vector<DcnEstimate::Sample> samples; //!< see DcnEstimate
};

/**
 * @param net a network
 * @return headers of a data packet with its congestion control [bytes]
 */
double
GetHeaderBytes(const Net& net)
{
    return DcnCongestionControl::GetWireFormat(*net.config).dataHeaderBytes;
}

/**
 * @param net a network
 * @param method for DcnEstimator::CreateByName
 * @param seed of random draws
 * @return its answers
 */
Answer
Ask(const Net& net, const std::string& method, uint64_t seed = 1)
{
    const auto scenario = net.Make(seed);
    DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
    Simulator::Destroy();
    Answer answer;
    if (estimate.GetNFinished() > 0)
    {
        answer.fctNs.resize(net.flows.size());
        for (std::size_t i = 0; i < estimate.fctNs.size(); ++i)
        {
            answer.fctNs[scenario->GetFlows()[i].id] = static_cast<double>(estimate.fctNs[i]);
        }
    }
    answer.samples = std::move(estimate.samples);
    for (const auto& sample : answer.samples)
    {
        answer.slowdowns.push_back(sample.slowdown);
    }
    std::sort(answer.slowdowns.begin(), answer.slowdowns.end());
    return answer;
}

/**
 * @param net a network, in which no two flows have the same source, destination and size
 * @param truth completion times by packets
 * @param answer of a method
 * @param first flows of smaller ids do not count
 * @return largest error of a completion time, and of the slowdown of a sample [%]
 */
double
GetError(const Net& net, const Answer& truth, const Answer& answer, std::size_t first = 0)
{
    const auto scenario = net.Make();
    double worst = answer.fctNs.empty() && answer.samples.empty() ? 1e9 : 0;
    auto note = [&worst](double ratio) {
        const double error = 100 * std::abs(ratio - 1);
        worst = error <= worst ? worst : error; // also for a NaN
    };
    for (std::size_t i = first; i < answer.fctNs.size(); ++i)
    {
        note(answer.fctNs[i] / truth.fctNs[i]);
    }
    for (const auto& sample : answer.samples)
    {
        double slowdown = NAN;
        bool counts = true;
        for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
        {
            const DcnFlow& flow = scenario->GetFlows()[i];
            if (flow.src == sample.src && flow.dst == sample.dst &&
                flow.sizeBytes == sample.sizeBytes)
            {
                counts = flow.id >= first;
                slowdown = truth.fctNs[flow.id] /
                           static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
            }
        }
        if (counts)
        {
            note(sample.slowdown / std::max(1.0, slowdown));
        }
    }
    return worst;
}

/**
 * @param a answers to a network
 * @param b answers of the same method to another one with the same flows
 * @param scale completion times of b over those of a
 * @return largest difference of a completion time, and of the slowdowns in order [%]
 */
double
GetDifference(const Answer& a, const Answer& b, double scale = 1)
{
    if (a.fctNs.size() != b.fctNs.size() || a.slowdowns.size() != b.slowdowns.size())
    {
        return 1e9;
    }
    double worst = 0;
    for (std::size_t i = 0; i < a.fctNs.size(); ++i)
    {
        worst = std::max(worst, 100 * std::abs(b.fctNs[i] / scale / a.fctNs[i] - 1));
    }
    for (std::size_t i = 0; i < a.slowdowns.size(); ++i)
    {
        worst = std::max(worst, 100 * std::abs(b.slowdowns[i] / a.slowdowns[i] - 1));
    }
    return worst;
}

/**
 * @param cc congestion control
 * @param hasFewFlows there is time for a simulation of each flow's path
 * @return methods beside packets that support it
 */
std::vector<std::string>
GetMethods(const std::string& cc, bool hasFewFlows = true)
{
    std::vector<std::string> methods{"flowsim", "parsimon:Threads=1"};
    if (hasFewFlows)
    {
        // never the whole network: that is the truth itself
        methods.emplace_back("ns3-path:WholeAbove=1e9:Jobs=1:PreEstimate=flowsim");
    }
    const auto& learned = DcnScenarioSuite::GetLearnedControls();
    if (std::find(learned.begin(), learned.end(), cc) != learned.end())
    {
        methods.insert(methods.end(), {"m3:Threads=1", M3_LINKS, "m4"});
    }
    return methods;
}

/// Every method answers flows that meet nobody as packets do: within 1 %.
DCN_TEST_CASE_OF(NobodyMeetsTestCase, std::string, cc, cc + ", flows that meet nobody")
{
    std::vector<std::pair<std::string, Net>> nets;
    for (const uint64_t size : {1, 1'000, 20'500, 1'000'000})
    {
        Net one = MakeStar(4, cc);
        one.Send({0, 4, 3}, size, 0);
        nets.emplace_back("one flow of " + std::to_string(size) + " bytes", one);
    }
    Net fabric = MakeFabric(cc);
    fabric.flows.clear();
    fabric.nodes.clear();
    fabric.Send({0, 8, 10, 9, 5}, 300'000, 0);
    fabric.Send({2, 8, 11, 9, 7}, 30'000, 0);
    nets.emplace_back("two without a common link", fabric);
    Net apart = MakeStar(4, cc);
    apart.Send({0, 4, 3}, 200'000, 0);
    apart.Send({0, 4, 3}, 201'000, SECOND_NS);
    apart.Send({1, 4, 3}, 7'000, 2 * SECOND_NS);
    nets.emplace_back("three on one link, 1 s apart", apart);
    // a round trip of 86 us has room for 100 packets; the window is 18
    Net far = MakeStar(4, cc);
    far.links[0].delayNs = 40'000;
    far.Send({0, 4, 3}, 300'000, 0);
    nets.emplace_back("a window below the product of the path", far);
    // the sender's queue at the switch is its own
    Net slow = MakeStar(4, cc);
    slow.links[3].rateBps = GBPS;
    slow.Send({0, 4, 3}, 300'000, 0);
    nets.emplace_back("a path slower than the sender", slow);
    Net fast = MakeStar(4, cc);
    fast.links[3].rateBps = 40 * GBPS;
    fast.Send({0, 4, 3}, 300'000, 0);
    nets.emplace_back("a path faster than the sender", fast);
    for (const auto& [name, net] : nets)
    {
        const Answer truth = Ask(net, "packet");
        for (const std::string& method : GetMethods(cc))
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(GetError(net, truth, Ask(net, method)),
                                        1,
                                        name << ", " << method);
        }
    }
}

/**
 * Idle times are those of packets on random paths of one flow. Round trips are below base_rtt_ns:
 * on longer paths the rates of HPCC and PowerTCP oscillate. Where the sender is faster than its
 * path, DCQCN is marked at random: the idle time is then one of those that packets have with some
 * seed.
 */
DCN_TEST_CASE_OF(IdleTimeTestCase, std::string, cc, cc + ", idle times on random paths")
{
    uint64_t random = 12345;
    auto draw = [&random](uint64_t n) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        return (random >> 33) % n;
    };
    for (uint32_t trial = 0; trial < 30; ++trial)
    {
        Net net;
        const auto nLinks = static_cast<uint32_t>(2 + draw(4));
        std::vector<uint32_t> path;
        for (uint32_t node = 0; node <= nLinks; ++node)
        {
            path.push_back(net.Add(node == 0 || node == nLinks));
        }
        bool isFast = false; // the sender is faster than a link
        for (uint32_t link = 0; link < nLinks; ++link)
        {
            const uint64_t rates[] = {10, 10, 25, 40};
            net.links.push_back({link,
                                 link + 1,
                                 rates[draw(4)] * GBPS,
                                 static_cast<int64_t>(100 + draw(400))});
            isFast = isFast || net.links[link].rateBps < net.links[0].rateBps;
        }
        net.config = DcnNetworkConfig::Preset(cc, net.links[0].rateBps);
        const uint64_t sizes[] = {1 + draw(3'000), 1 + draw(60'000), 1 + draw(2'000'000)};
        net.Send(path, sizes[draw(3)], 0);
        const uint64_t nSeeds = cc == "dcqcn" && isFast ? 12 : 1;
        double least = 1e18;
        double most = 0;
        for (uint64_t seed = 1; seed <= nSeeds; ++seed)
        {
            const double truth = Ask(net, "packet", seed).fctNs[0];
            least = std::min(least, truth);
            most = std::max(most, truth);
        }
        const auto scenario = net.Make();
        const DcnIdleTime idle(scenario->GetTopology(), scenario->GetNetwork());
        const auto answer =
            static_cast<double>(idle.GetNs(scenario->GetPath(0), net.flows[0].sizeBytes));
        NS_TEST_EXPECT_MSG_GT(answer / least,
                              0.99,
                              "trial " << trial << ", " << net.flows[0].sizeBytes << " bytes");
        NS_TEST_EXPECT_MSG_LT(answer / most,
                              1.01,
                              "trial " << trial << ", " << net.flows[0].sizeBytes << " bytes");
    }
    // steady from some packets on: 40 MB
    Net net = MakeStar(2, cc);
    net.Send({0, 2, 1}, 40'000'000, 0);
    NS_TEST_EXPECT_MSG_LT_OR_EQ(GetError(net, Ask(net, "packet"), Ask(net, "flowsim")),
                                0.2,
                                "a long flow");
}

/// Who meets whom.
DCN_TEST_CASE(MeetingTestCase, "flows that meet")
{
    auto find = [](const std::vector<DcnFlow>& flows, const std::vector<int64_t>& fctNs) {
        Net net = MakeStar(4, "dctcp");
        for (const DcnFlow& flow : flows)
        {
            net.Send({flow.src, 4, flow.dst}, flow.sizeBytes, flow.startNs);
        }
        std::vector<bool> alone;
        for (const int64_t idleNs : DcnIdleTime::Find(*net.Make(), fctNs))
        {
            alone.push_back(idleNs > 0);
        }
        return alone;
    };
    using Alone = std::vector<bool>;
    const int64_t fct = 20'000;
    auto expect = [&](const Alone& found, const Alone& expected, const std::string& what) {
        NS_TEST_EXPECT_MSG_EQ((found == expected), true, what);
    };
    expect(find({{0, 0, 2, 9000, 0}, {0, 1, 3, 9000, 0}}, {fct, fct}),
           {true, true},
           "without a common link");
    expect(find({{0, 0, 2, 9000, 0}, {0, 0, 3, 9000, fct}}, {fct, fct}),
           {false, false},
           "on the first link, within the guard");
    expect(find({{0, 0, 2, 9000, 0}, {0, 0, 3, 9000, 2 * fct}}, {fct, fct}),
           {true, true},
           "on the first link, after the guard");
    expect(find({{0, 0, 2, 9000, 0}, {0, 2, 3, 9000, 0}}, {fct, fct}),
           {false, false},
           "acknowledgements of one where the data of the other is");
    expect(find({{0, 0, 2, 9000, 0}, {0, 1, 2, 9000, 10}, {0, 3, 2, 9000, 30}, {0, 1, 3, 9000, 99999}},
                {4 * fct, 5, fct, fct}),
           {false, false, false, true},
           "the second ends before the third starts");
    expect(find({{0, 0, 2, 9000, 0}, {0, 1, 2, 9000, SECOND_NS}}, {-1, fct}),
           {false, false},
           "a flow that never ends");
    // 9,000 bytes take 12 us: longer than twice what the method says
    expect(find({{0, 0, 2, 9000, 0}, {0, 1, 2, 9000, 9'000}}, {4'000, fct}),
           {false, false},
           "the idle time is longer than the guard");
}

/// Flows that meet nobody beside others that meet: the ones have known answers, the others keep
/// theirs.
DCN_TEST_CASE_OF(MixedTestCase, std::string, cc, cc + ", flows that meet nobody beside others")
{
    const Net others = MakeFabric(cc);
    Net net = others;
    for (const std::size_t id : {1, 2, 11})
    {
        net.Send(others.nodes[id],
                 123'000 + id,
                 static_cast<int64_t>(id * SECOND_NS)); // on the path of another flow
    }
    const std::size_t first = others.flows.size();
    const Answer truth = Ask(net, "packet");
    for (const std::string& method : GetMethods(cc, false))
    {
        const Answer answer = Ask(net, method);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(GetError(net, truth, answer, first), 1, method);
        if (method == "flowsim" || method == "m4")
        {
            Answer before = Ask(others, method);
            Answer after = answer;
            after.fctNs.resize(first);
            before.slowdowns.clear();
            after.slowdowns.clear();
            NS_TEST_EXPECT_MSG_EQ(GetDifference(before, after), 0, method << ", the others");
        }
    }
}

/**
 * Two flows of S bytes on one link, from the same time on. The fluid gives each half of the link: it
 * ends after its ideal time and once more the time of its bits. The packets of a control have
 * headers h times and use the part u of the link, so that both together take 2 S h / (u C): with
 * HPCC, u = 0.955; DCQCN starts at twice the rate of the link and comes back slowly, u = 0.88.
 * Link simulations, paths and m4 answer as packets to 10 %. m3 knows the load of a link over the
 * time from the first start to the last end, which is 1 here, as on a link with too much traffic:
 * its answers are up to 1.7 times as long, with link simulations 1.11 times.
 */
DCN_TEST_CASE_OF(ShareTestCase, std::string, cc, cc + ", two flows on one link")
{
    constexpr uint64_t SIZE = 2'000'000;
    Net net = MakeStar(4, cc);
    net.Send({0, 4, 3}, SIZE, 0);
    net.Send({1, 4, 3}, SIZE, 0);
    const auto scenario = net.Make();
    const Answer fluid = Ask(net, "flowsim");
    const auto idealNs = static_cast<double>(scenario->GetIdealFct(0).GetTotalNs());
    const double bitsNs = static_cast<double>(DcnWireBytes(SIZE, 1000)) * 0.8; // at 10 Gb/s
    const Answer truth = Ask(net, "packet");
    const double wire = (1000 + GetHeaderBytes(net)) / 1048;
    for (std::size_t flow = 0; flow < 2; ++flow)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(fluid.fctNs[flow] / (idealNs + bitsNs), 1, 1e-5, "max-min");
    }
    const double last = std::max(truth.fctNs[0], truth.fctNs[1]);
    NS_TEST_EXPECT_MSG_GT(last, 2 * wire * bitsNs, "no faster than the link");
    NS_TEST_EXPECT_MSG_LT(last / (wire * fluid.fctNs[0]), 1.2, "packets against the fluid");
    // DCQCN draws its marks: other draws make other times. Of two flows, one is fast and the other
    // slow; a method that simulates each flow by itself may draw two slow ones
    double shortest = (truth.fctNs[0] + truth.fctNs[1]) / 2;
    double longest = shortest;
    double slowest = last;
    for (int seed = 1; seed <= (cc == "dcqcn" ? 8 : 0); ++seed)
    {
        const Answer drawn = Ask(net, "packet:Seed=" + std::to_string(seed));
        shortest = std::min(shortest, (drawn.fctNs[0] + drawn.fctNs[1]) / 2);
        longest = std::max(longest, (drawn.fctNs[0] + drawn.fctNs[1]) / 2);
        slowest = std::max({slowest, drawn.fctNs[0], drawn.fctNs[1]});
    }
    for (const std::string& method : GetMethods(cc))
    {
        const Answer answer = Ask(net, method);
        const double answered =
            answer.fctNs.empty()
                ? idealNs *
                      std::accumulate(answer.slowdowns.begin(), answer.slowdowns.end(), 0.0) /
                      static_cast<double>(answer.slowdowns.size())
                : (answer.fctNs[0] + answer.fctNs[1]) / 2;
        // the fluid has no control
        const double most = method == "flowsim" || method == M3_LINKS ? 1.15
                            : IsM3(method)                            ? 1.75
                                                                      : 1.1;
        const double least = method == "flowsim" ? 0.85 : 0.9;
        NS_TEST_EXPECT_MSG_GT(answered / shortest, least, method);
        const bool drawsAlone = cc == "dcqcn" && method.rfind("ns3-path", 0) == 0;
        NS_TEST_EXPECT_MSG_LT(answered / (drawsAlone ? slowest : longest), most, method);
    }
}

/// Other networks with the same answers.
DCN_TEST_CASE_OF(SameAnswerTestCase, std::string, cc, cc + ", networks that are the same")
{
    const Net net = MakeFabric(cc);
    Net wider = net;
    const uint32_t idleSwitch = wider.Add(false);
    wider.links.push_back({8, idleSwitch, 40 * GBPS, 3'000});
    wider.links.push_back({idleSwitch, wider.Add(true), 10 * GBPS, 1'000});
    wider.links.push_back({9, wider.Add(true), 10 * GBPS, 1'000});
    Net shuffled = net;
    for (std::size_t i = 0; i < shuffled.flows.size(); ++i)
    {
        std::swap(shuffled.flows[i], shuffled.flows[i * 7 % shuffled.flows.size()]);
    }
    // another number for every node; the numbers of flows and links stay
    Net relabelled = net;
    auto label = [](uint32_t node) { return node < 8 ? (3 * node + 5) % 8 : 19 - node; };
    for (Net::Link& link : relabelled.links)
    {
        link.a = label(link.a);
        link.b = label(link.b);
    }
    for (DcnFlow& flow : relabelled.flows)
    {
        flow.src = label(flow.src);
        flow.dst = label(flow.dst);
    }
    for (auto& path : relabelled.nodes)
    {
        std::transform(path.begin(), path.end(), path.begin(), label);
    }
    std::vector<std::string> methods = GetMethods(cc, false);
    methods.push_back("packet");
    for (const std::string& method : methods)
    {
        const Answer answer = Ask(net, method);
        // a further port takes its reserve out of the buffer that the switch shares, which is a
        // feature of m3
        const double most = IsM3(method) ? 1.5 : 0;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(GetDifference(answer, Ask(wider, method)),
                                    most,
                                    method << ", idle nodes");
        NS_TEST_EXPECT_MSG_EQ(GetDifference(answer, Ask(shuffled, method)),
                              0,
                              method << ", flows in another order");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(GetDifference(answer, Ask(relabelled, method)),
                                    1e-3,
                                    method << ", other numbers of nodes");
    }
}

/// All times are twice as long if all rates are halved, and all delays and timers doubled.
DCN_TEST_CASE_OF(ScaleTestCase, std::string, cc, cc + ", a network in slow motion")
{
    constexpr uint64_t K = 2;
    const Net net = MakeFabric(cc);
    Net slow = net;
    slow.config = CopyObject(net.config);
    for (const auto& key : DcnNetworkConfig::GetAllKeys())
    {
        const bool isTime = key.name.size() > 3 && (key.name.substr(key.name.size() - 3) == "_ns" ||
                                                    key.name.substr(key.name.size() - 3) == "_us");
        if ((!key.congestionControl.empty() && key.congestionControl != cc) ||
            key.name == "time_grain_ns" || !(key.isRate || isTime))
        {
            continue;
        }
        for (const auto& [name, value] : net.config->GetKeys())
        {
            const double number = name == key.name ? std::stod(value) : 0;
            if (number > 0)
            {
                const double scaled = key.isRate ? number / K : number * K;
                slow.config->SetKeys(name + '=' + std::to_string(static_cast<uint64_t>(scaled)));
            }
        }
    }
    for (Net::Link& link : slow.links)
    {
        link.rateBps /= K;
        link.delayNs *= K;
    }
    for (DcnFlow& flow : slow.flows)
    {
        flow.startNs *= K;
    }
    std::vector<std::string> methods = GetMethods(cc, false);
    methods.push_back("packet");
    for (const std::string& method : methods)
    {
        NS_TEST_EXPECT_MSG_LT_OR_EQ(GetDifference(Ask(net, method), Ask(slow, method), K),
                                    2,
                                    method);
    }
}

/**
 * A link that becomes two with half of its delay costs the time of a packet. With telemetry, another
 * switch reports, so that the rate changes up to a tenth of a packet earlier or later.
 */
DCN_TEST_CASE_OF(SplitTestCase, std::string, cc, cc + ", a link split into two")
{
    for (const uint64_t size : {500, 9'000, 400'000})
    {
        Net net = MakeStar(4, cc);
        net.Send({0, 4, 3}, size, 0);
        Net split = net;
        const uint32_t middle = split.Add(false);
        split.links[3] = {4, middle, 10 * GBPS, 500};
        split.links.push_back({middle, 3, 10 * GBPS, 500});
        split.nodes[0] = {0, 4, middle, 3};
        const double packetNs =
            0.8 * (static_cast<double>(std::min<uint64_t>(size, 1000)) + GetHeaderBytes(net));
        std::vector<std::string> methods = GetMethods(cc);
        methods.push_back("packet");
        const auto idealNs = static_cast<double>(net.Make()->GetIdealFct(0).GetTotalNs());
        const auto splitIdealNs = static_cast<double>(split.Make()->GetIdealFct(0).GetTotalNs());
        for (const std::string& method : methods)
        {
            const Answer before = Ask(net, method);
            const Answer after = Ask(split, method);
            const double extraNs = before.fctNs.empty()
                                       ? after.slowdowns.back() * splitIdealNs -
                                             before.slowdowns.back() * idealNs
                                       : after.fctNs[0] - before.fctNs[0];
            const bool hasTelemetry = DcnCongestionControl::GetWireFormat(*net.config).telemetry;
            const double toleranceNs = hasTelemetry ? packetNs / 10 : 3;
            NS_TEST_EXPECT_MSG_EQ_TOL(extraNs,
                                      packetNs,
                                      toleranceNs,
                                      method << ", " << size << " bytes");
        }
    }
}

/// An idle host of another rate changes nothing.
DCN_TEST_CASE_OF(OtherRateTestCase, std::string, cc, cc + ", an idle host of another rate")
{
    auto make = [this, cc](uint64_t idleBps) {
        const std::string folder = CreateTempDirFilename("star-" + std::to_string(idleBps));
        std::filesystem::create_directories(folder);
        auto write = [&folder](const std::string& name, const std::string& text) {
            std::ofstream(folder + "/" + name) << text;
        };
        write("network.csv", "key,value\ncc," + cc + "\n");
        std::string nodes = "node_id,kind\n8,switch\n";
        std::string links = "a,b,rate_bps,delay_ns\n";
        for (uint32_t host = 0; host < (idleBps > 0 ? 5 : 4); ++host)
        {
            const uint64_t rateBps = host < 4 ? 100 * GBPS : idleBps;
            nodes += std::to_string(host) + ",host\n";
            links += std::to_string(host) + ",8," + std::to_string(rateBps) + ",1000\n";
        }
        write("nodes.csv", nodes);
        write("links.csv", links);
        write("flows.csv",
              "flow_id,src,dst,size_bytes,start_ns\n0,0,3,2000000,0\n1,1,3,2000000,1000\n"
              "2,2,3,2000000,2000\n");
        return DcnReadScenario(folder);
    };
    for (const uint64_t idleBps : {GBPS, 100 * GBPS, 400 * GBPS})
    {
        const auto fctNs = DcnEstimator::CreateByName("packet")->Estimate(make(0)).fctNs;
        Simulator::Destroy();
        const auto wider = DcnEstimator::CreateByName("packet")->Estimate(make(idleBps)).fctNs;
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ((fctNs == wider), true, idleBps << " bit/s");
    }
}

/**
 * @brief Networks whose answers are known, for every method and congestion control.
 */
class DcnKnownAnswersTestSuite : public TestSuite
{
  public:
    DcnKnownAnswersTestSuite()
        : TestSuite("known-answers", Type::UNIT)
    {
        auto add = [this](TestCase* each) { AddTestCase(each); };
        add(new MeetingTestCase);
        for (const std::string cc : {"dctcp", "dcqcn", "timely", "hpcc", "powertcp", "swift"})
        {
            add(new NobodyMeetsTestCase(cc));
            add(new IdleTimeTestCase(cc));
            add(new MixedTestCase(cc));
            add(new ShareTestCase(cc));
            add(new SameAnswerTestCase(cc));
            add(new ScaleTestCase(cc));
            add(new SplitTestCase(cc));
            add(new OtherRateTestCase(cc));
        }
    }
};

DcnKnownAnswersTestSuite g_dcnKnownAnswersTestSuite; //!< the suite

} // namespace
