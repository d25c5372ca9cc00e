/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-scenario-suite.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Levels come equally often: single ones in every 6 consecutive scenarios, pairs in every 18; loads
 * are one in each sixth of the range per 6.
 */
DCN_TEST_CASE(BalanceTestCase, "levels of the factors are balanced")
{
    for (uint64_t seed : {1, 2, 77})
    {
        const DcnScenarioSuite suite("sensitivity", seed);
        for (uint64_t group = 0; group < 8; ++group)
        {
            std::map<std::string, int> count;
            std::set<int> strata;
            for (uint64_t i = 6 * group; i < 6 * group + 6; ++i)
            {
                const auto drawn = suite.Draw(i);
                ++count["matrix " + drawn.matrix];
                ++count["sizes " + drawn.sizes];
                ++count["over " + drawn.oversubscription];
                ++count["sigma " + std::to_string(drawn.sigma)];
                strata.insert(static_cast<int>((drawn.load - 0.25) / 0.55 * 6));
                NS_TEST_EXPECT_MSG_EQ((drawn.load >= 0.25 && drawn.load <= 0.80), true, "load");
            }
            NS_TEST_EXPECT_MSG_EQ(count.size(), 11, "3 + 3 + 3 + 2 levels");
            for (const auto& [level, n] : count)
            {
                NS_TEST_EXPECT_MSG_EQ(n, (level[2] == 'g' ? 3 : 2), level);
            }
            NS_TEST_EXPECT_MSG_EQ(strata.size(), 6, "a load in each sixth of the range");
        }
        std::map<std::string, int> pairs;
        for (uint64_t i = 18; i < 36; ++i)
        {
            const auto drawn = suite.Draw(i);
            const std::string sigma = drawn.sigma == 1 ? "1" : "2";
            ++pairs["matrix " + drawn.matrix + drawn.sizes];
            ++pairs["matrix " + drawn.matrix + drawn.oversubscription];
            ++pairs[drawn.sizes + drawn.oversubscription];
            ++pairs["s" + sigma + " matrix " + drawn.matrix];
            ++pairs["s" + sigma + drawn.sizes];
            ++pairs["s" + sigma + drawn.oversubscription];
        }
        NS_TEST_EXPECT_MSG_EQ(pairs.size(), 3 * 9 + 3 * 6, "every pair of levels");
        for (const auto& [pair, n] : pairs)
        {
            NS_TEST_EXPECT_MSG_EQ(n, (pair[0] == 's' ? 3 : 2), pair);
        }
    }
}

/// A scenario depends on suite, seed and index only.
DCN_TEST_CASE(IndependenceTestCase, "a scenario depends on suite, seed and index alone")
{
    const DcnScenarioSuite suite("network-configurations", 5);
    std::vector<std::string> forward;
    for (uint64_t i = 0; i < 40; ++i)
    {
        forward.push_back(suite.Draw(i).recipe.ToText());
    }
    for (uint64_t i = 40; i-- > 0;)
    {
        const DcnScenarioSuite again("network-configurations", 5);
        NS_TEST_EXPECT_MSG_EQ(again.Draw(i).recipe.ToText(), forward[i], "backwards");
    }
    NS_TEST_EXPECT_MSG_EQ(std::set<std::string>(forward.begin(), forward.end()).size(),
                          40,
                          "no two are the same");
    NS_TEST_EXPECT_MSG_NE(DcnScenarioSuite("network-configurations", 6).Draw(0).recipe.ToText(),
                          forward[0],
                          "another seed");
    // the traffic is that of the suite sensitivity
    const auto other = DcnScenarioSuite("sensitivity", 5).Draw(9);
    const auto drawn = suite.Draw(9);
    NS_TEST_EXPECT_MSG_EQ((std::tie(other.matrix, other.sizes, other.load, other.seed) ==
                           std::tie(drawn.matrix, drawn.sizes, drawn.load, drawn.seed)),
                          true,
                          "the same traffic");
    // four consecutive ones have the four congestion controls; keys are accepted
    std::map<std::string, int> controls;
    for (uint64_t i = 0; i < 40; ++i)
    {
        const auto each = suite.Draw(i);
        ++controls[each.congestionControl];
        const double window = each.recipe.GetNumber("window_bytes");
        NS_TEST_EXPECT_MSG_EQ((window >= 5000 && window <= 30000), true, "window");
        NS_TEST_EXPECT_MSG_EQ((each.congestionControl != "dcqcn" || each.recipe.Get("pfc") == "1"),
                              true,
                              "DCQCN has PFC");
    }
    for (const auto& [control, n] : controls)
    {
        NS_TEST_EXPECT_MSG_EQ(n, 10, control);
    }
    DCN_TEST_EXPECT_ERROR(DcnScenarioSuite("x", 1),
                          "the suite \"x\" is not one of sensitivity, congestion-controls, "
                          "network-configurations, m3-test-set, m4-test-set, anywhere, "
                          "fast, small, degenerate, tcp, defaults, smoke");
    DCN_TEST_EXPECT_ERROR(DcnScenarioSuite("smoke", 65536),
                          "the seed of a suite must be at most 65535, but it is 65536");
    DCN_TEST_EXPECT_ERROR(DcnScenarioSuite("smoke", 1).Draw(65534),
                          "a suite has at most 65534 scenarios, but number 65534 is asked for");
    DCN_TEST_EXPECT_ERROR(
        DcnScenarioSuite("sensitivity", 1, 0, "nowhere"),
        "nowhere/rack-matrix-a-32.csv: the file cannot be read (there is no such folder)");
}

/// Table 5: 3 loads x 4 congestion controls with the same flows at each load.
DCN_TEST_CASE(TableTestCase, "congestion controls share flows")
{
    const DcnScenarioSuite suite("congestion-controls", 1, 2'000'000);
    std::map<double, std::set<std::string>> controls;
    for (uint64_t i = 0; i < suite.GetDefaultN(); ++i)
    {
        const auto drawn = suite.Draw(i);
        controls[drawn.load].insert(drawn.congestionControl);
    }
    NS_TEST_EXPECT_MSG_EQ(controls.size(), 3, "loads");
    for (const auto& [load, names] : controls)
    {
        NS_TEST_EXPECT_MSG_EQ(names.size(), 4, "congestion controls at " << load);
    }
    DcnSuiteLoad load;
    const auto a = suite.Create(suite.Draw(4), load);
    const auto b = suite.Create(suite.Draw(7), load);
    NS_TEST_ASSERT_MSG_EQ(a->GetFlows().size(), b->GetFlows().size(), "flows");
    for (std::size_t i = 0; i < a->GetFlows().size(); ++i)
    {
        const auto& x = a->GetFlows()[i];
        const auto& y = b->GetFlows()[i];
        NS_TEST_EXPECT_MSG_EQ((std::tie(x.src, x.dst, x.sizeBytes, x.startNs) ==
                               std::tie(y.src, y.dst, y.sizeBytes, y.startNs)),
                              true,
                              "flow " << i);
    }
}

/// Pairs of topology and sizes come once in 8 scenarios, and a load in each sixth of the range
/// in 6.
DCN_TEST_CASE(TcpTestCase, "tcp: balance, and loads that are met")
{
    const DcnScenarioSuite suite("tcp", 3, 20'000);
    std::map<std::string, int> count;
    for (uint64_t i = 0; i < 24; ++i)
    {
        const auto drawn = suite.Draw(i);
        ++count["pair " + drawn.topology + drawn.sizes];
        ++count["load " + std::to_string(static_cast<int>((drawn.load - 0.2) / 0.5 * 6))];
        NS_TEST_EXPECT_MSG_EQ(drawn.congestionControl, "dctcp", "congestion control");
        NS_TEST_EXPECT_MSG_EQ(drawn.hostGbps, "10", "rate");
        NS_TEST_EXPECT_MSG_EQ(drawn.matrix, "uniform", "matrix");
        NS_TEST_EXPECT_MSG_EQ(drawn.sigma, 0, "sigma");
        NS_TEST_EXPECT_MSG_EQ(drawn.oversubscription,
                              (drawn.topology == "fabric" ? "2:1" : "1:1"),
                              "oversubscription");
        DcnSuiteLoad load;
        const auto scenario = suite.Create(drawn, load);
        NS_TEST_EXPECT_MSG_EQ(scenario->GetTopology().GetHosts().size(),
                              (drawn.topology == "fabric" ? 32 : 16),
                              "hosts");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.maxLoad, drawn.load, 1e-6, "load");
    }
    // data sets and stored answers have these scenarios
    NS_TEST_EXPECT_MSG_EQ((suite.Draw(0).topology + " " + suite.Draw(0).sizes),
                          "fat-tree web-server",
                          "scenario 0");
    NS_TEST_EXPECT_MSG_EQ((suite.Draw(3).topology + " " + suite.Draw(3).sizes),
                          "fabric google-rpc",
                          "scenario 3");
    NS_TEST_EXPECT_MSG_EQ_TOL(suite.Draw(3).load, 0.423, 5e-4, "load of scenario 3");
    NS_TEST_EXPECT_MSG_EQ(count.size(), 8 + 6, "levels");
    for (const auto& [name, n] : count)
    {
        NS_TEST_EXPECT_MSG_EQ(n, (name[0] == 'p' ? 3 : 4), name);
    }
}

/**
 * The suite defaults: triples of topology, congestion control and sizes come once in 48 scenarios,
 * other levels once in as many scenarios as there are levels; the configuration is the preset of
 * the hosts' rate.
 */
DCN_TEST_CASE(DefaultsTestCase, "defaults: balance, and presets")
{
    const DcnScenarioSuite suite("defaults", 2, 20'000);
    NS_TEST_EXPECT_MSG_EQ(suite.GetDefaultN(), 48, "scenarios");
    std::map<std::string, int> count;
    for (uint64_t i = 0; i < suite.GetDefaultN(); ++i)
    {
        const auto drawn = suite.Draw(i);
        ++count["triple " + drawn.topology + drawn.congestionControl + drawn.sizes];
        ++count["rate " + drawn.hostGbps];
        ++count["matrix " + drawn.matrix];
        ++count["sigma " + std::to_string(static_cast<int>(drawn.sigma / 2 * 6))];
        ++count["load " + std::to_string(static_cast<int>((drawn.load - 0.2) / 0.6 * 6))];
        DcnSuiteLoad load;
        const auto scenario = suite.Create(drawn, load);
        NS_TEST_EXPECT_MSG_EQ_TOL(load.maxLoad, drawn.load, 1e-6, "load");
        const DcnTopology& topology = scenario->GetTopology();
        const uint64_t hostBps = topology.GetHostRate(topology.GetHosts().front());
        NS_TEST_EXPECT_MSG_EQ(static_cast<double>(hostBps),
                              1e9 * std::stod(drawn.hostGbps),
                              "rate");
        uint64_t fastest = 0;
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            fastest = std::max(fastest, topology.GetLink(link).rateBps);
        }
        NS_TEST_EXPECT_MSG_EQ(fastest,
                              (drawn.topology == "fat-tree" ? 1 : 4) * hostBps,
                              "rate between switches");
        NS_TEST_EXPECT_MSG_EQ(drawn.oversubscription,
                              (drawn.topology == "fabric" ? "2:1" : "1:1"),
                              "oversubscription");
        NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(),
                              (drawn.topology == "fat-tree" ? 16 : 32),
                              "hosts");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetNetwork().windowBytes,
                              18'000 * hostBps / 10'000'000'000,
                              "window of the preset");
    }
    NS_TEST_EXPECT_MSG_EQ(count.size(), 48 + 3 + 4 + 6 + 6, "levels");
    const std::map<char, int> expected{{'t', 1}, {'r', 16}, {'m', 12}, {'s', 8}, {'l', 8}};
    for (const auto& [name, n] : count)
    {
        NS_TEST_EXPECT_MSG_EQ(n, expected.at(name[0]), name);
    }
}

/**
 * The suite anywhere: each level once in as many scenarios as there are levels, each pair of
 * topology and congestion control once in 20; all scenarios can be made.
 */
DCN_TEST_CASE(AnywhereTestCase, "anywhere: balance, and networks that are accepted")
{
    for (uint64_t seed : {1, 2, 3})
    {
        const DcnScenarioSuite suite("anywhere", seed, 20'000);
        std::map<std::string, int> count;
        for (uint64_t i = 0; i < 60; ++i)
        {
            const auto drawn = suite.Draw(i);
            NS_TEST_EXPECT_MSG_EQ(
                (drawn.load >= 0.2 && drawn.load <= 0.85 && drawn.sigma >= 0 && drawn.sigma <= 2),
                true,
                "ranges");
            ++count["pair " + drawn.topology + drawn.congestionControl];
            ++count["rate " + drawn.hostGbps];
            ++count["load " + std::to_string(static_cast<int>((drawn.load - 0.2) / 0.65 * 6))];
            if (drawn.topology != "dumbbell" && i < 56) // 8 times 7
            {
                ++count["matrix " + drawn.matrix];
            }
            NS_TEST_EXPECT_MSG_EQ(
                (drawn.recipe.ToText() ==
                 DcnScenarioSuite("anywhere", seed, 20'000).Draw(i).recipe.ToText()),
                true,
                "again");
            if (seed == 1)
            {
                DcnSuiteLoad load;
                const auto scenario = suite.Create(drawn, load);
                const auto hosts = scenario->GetTopology().GetHosts().size();
                NS_TEST_EXPECT_MSG_EQ((hosts >= 6 && hosts <= 128), true, "hosts");
                NS_TEST_EXPECT_MSG_EQ_TOL(load.maxLoad, drawn.load, 1e-6, "load");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(count.size(), 20 + 6 + 6 + 7, "levels");
        for (const auto& [name, n] : count)
        {
            if (name[0] == 'm')
            {
                NS_TEST_EXPECT_MSG_EQ((n <= 8), true, name); // dumbbells have the others
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(n, (name[0] == 'p' ? 3 : 10), name);
        }
    }
    DCN_TEST_EXPECT_ERROR(DcnScenarioSuite("anywhere", 1, 0, "somewhere"),
                          "the matrices in somewhere are for 32 racks, which the suite anywhere "
                          "does not have: leave out --matrices");
}

/**
 * The suites fast, small and degenerate: each pair of topology and congestion control, and each
 * rate, equally often; every scenario can be made, has its load, and is of the suite's kind.
 */
DCN_TEST_CASE(SpacesTestCase, "fast, small, degenerate: balance, and networks that are accepted")
{
    struct Expected
    {
        const char* suite;
        std::size_t nKinds;
        std::size_t nRates;
        std::size_t mostHosts;
    };

    for (const auto& [name, nKinds, nRates, mostHosts] : {Expected{"fast", 3, 5, 256},
                                                          Expected{"small", 4, 3, 32},
                                                          Expected{"degenerate", 5, 4, 128}})
    {
        const DcnScenarioSuite suite(name, 1, 20'000);
        const uint64_t n = 4 * nKinds * nRates * 3; // a multiple of each number of levels
        std::map<std::string, uint64_t> pairs;
        std::map<std::string, uint64_t> rates;
        std::map<std::string, uint64_t> regimes;
        for (uint64_t i = 0; i < n; ++i)
        {
            const auto drawn = suite.Draw(i);
            ++pairs[drawn.topology + drawn.congestionControl];
            ++rates[drawn.hostGbps];
            const bool isFew = drawn.recipe.IsSet("flows");
            const bool isFull = drawn.load > 0.95;
            ++regimes[isFew ? "few" : isFull ? "full" : drawn.load < 0.1 ? "idle" : "all"];
            if (i < 4 * nKinds)
            {
                DcnSuiteLoad load;
                const auto scenario = suite.Create(drawn, load);
                const std::size_t hosts = scenario->GetTopology().GetHosts().size();
                NS_TEST_EXPECT_MSG_EQ((hosts >= 2 && hosts <= mostHosts), true, name << i);
                NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows().size(), suite.GetNFlows(drawn), name);
                if (isFew)
                {
                    NS_TEST_EXPECT_MSG_LT(scenario->GetFlows().size(), 51, "few flows");
                }
                else
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(load.maxLoad, drawn.load, 1e-6, name << ", load");
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(pairs.size(), 4 * nKinds, name << ", pairs");
        NS_TEST_EXPECT_MSG_EQ(rates.size(), nRates, name << ", rates");
        for (const auto* counts : {&pairs, &rates})
        {
            for (const auto& [level, count] : *counts)
            {
                NS_TEST_EXPECT_MSG_EQ(count, n / counts->size(), name << ", " << level);
            }
        }
        const bool hasRegimes = std::string(name) == "degenerate";
        NS_TEST_EXPECT_MSG_EQ(regimes.size(), (hasRegimes ? 3 : 1), name << ", regimes");
        NS_TEST_EXPECT_MSG_EQ(regimes["all"], (hasRegimes ? 0 : n), name);
    }
}

/// The scenario brings the load asked for and the work asked for; a repetition moves starts only.
DCN_TEST_CASE(SizeTestCase, "load, number of packets, repetition")
{
    // web-server sizes: 3.2 M packet hops have a standard deviation of about 15 %
    const DcnScenarioSuite suite("sensitivity", 3, 4'000'000);
    uint64_t index = 0;
    while (suite.Draw(index).sizes != "web-server")
    {
        ++index;
    }
    const auto drawn = suite.Draw(index);
    DcnSuiteLoad load;
    const auto scenario = suite.Create(drawn, load);
    NS_TEST_EXPECT_MSG_EQ_TOL(load.maxLoad, drawn.load, 1e-6, "load of the hottest link");
    NS_TEST_EXPECT_MSG_EQ((load.maxWireLoad > load.maxLoad), true, "headers");
    NS_TEST_EXPECT_MSG_EQ((load.topLoad < load.maxLoad && load.topLoad > 0), true, "top 10 %");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetTopology().GetHosts().size(), 256, "hosts");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows().size(), suite.GetNFlows(drawn), "flows");
    double packetHops = 0;
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        packetHops += static_cast<double>((scenario->GetFlows()[i].sizeBytes + 999) / 1000) *
                      static_cast<double>(scenario->GetPath(i).size());
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(packetHops / 4e6, 1, 0.35, "packets times links");

    const auto repeated = DcnScenarioSuite::Repeat(scenario, 2);
    NS_TEST_ASSERT_MSG_EQ(repeated->GetFlows().size(), scenario->GetFlows().size(), "flows");
    std::size_t moved = 0;
    for (std::size_t i = 0; i < repeated->GetFlows().size(); ++i)
    {
        const DcnFlow& flow = repeated->GetFlows()[i];
        const DcnFlow& original = scenario->GetFlows()[flow.id];
        const int64_t delay = flow.startNs - original.startNs;
        NS_TEST_EXPECT_MSG_EQ((delay >= 0 && delay < 1000), true, "delay");
        NS_TEST_EXPECT_MSG_EQ(flow.sizeBytes, original.sizeBytes, "size");
        const DcnPath path = repeated->GetPath(i);
        const DcnPath other = scenario->GetPath(flow.id);
        NS_TEST_EXPECT_MSG_EQ(std::equal(path.begin(), path.end(), other.begin(), other.end()),
                              true,
                              "path");
        moved += delay > 0;
    }
    NS_TEST_EXPECT_MSG_EQ((moved * 100 > repeated->GetFlows().size() * 98), true, "moved");
}

/// The test sets of m3 and m4: their sample spaces, and scenarios that can be made.
DCN_TEST_CASE(PaperTestCase, "m3-test-set and m4-test-set: sample spaces of the papers")
{
    auto isIn = [](double value, double low, double high) { return value >= low && value <= high; };
    const DcnScenarioSuite m3("m3-test-set", 1, 20'000);
    const DcnScenarioSuite same("sensitivity", 1, 20'000);
    NS_TEST_EXPECT_MSG_EQ(m3.GetDefaultN(), 192, "scenarios of m3's section 5.2");
    int on = 0;
    for (uint64_t i = 0; i < 192; ++i)
    {
        const DcnSuiteScenario drawn = m3.Draw(i);
        NS_TEST_ASSERT_MSG_EQ(drawn.congestionControl, "dctcp", "DCTCP alone");
        NS_TEST_EXPECT_MSG_EQ(isIn(drawn.recipe.GetNumber("window_bytes"), 5000, 30000), true, i);
        NS_TEST_EXPECT_MSG_EQ(isIn(drawn.recipe.GetNumber("ecn_kmin_bytes"), 5000, 20000), true, i);
        on += drawn.recipe.Get("pfc") == "1";
        NS_TEST_EXPECT_MSG_EQ(drawn.load, same.Draw(i).load, "traffic of the suite sensitivity");
    }
    NS_TEST_EXPECT_MSG_EQ(isIn(on, 68, 124), true, on << " of 192 with PFC, four deviations of 96");
    const DcnScenarioSuite m4("m4-test-set", 1, 20'000);
    NS_TEST_EXPECT_MSG_EQ(m4.GetDefaultN(), 100, "scenarios of m4's section 5.3");
    std::map<std::string, int> controls;
    for (uint64_t i = 0; i < 99; ++i)
    {
        const DcnSuiteScenario drawn = m4.Draw(i);
        ++controls[drawn.congestionControl];
        NS_TEST_EXPECT_MSG_EQ(isIn(drawn.recipe.GetNumber("window_bytes"), 5000, 15000), true, i);
        NS_TEST_EXPECT_MSG_EQ(isIn(drawn.load, 0.3, 0.8), true, i);
        NS_TEST_EXPECT_MSG_EQ(drawn.recipe.Get("pfc"), "1", "PFC is on");
    }
    NS_TEST_EXPECT_MSG_EQ(controls.size(), 3, "DCTCP, TIMELY and DCQCN");
    for (const auto& [control, n] : controls)
    {
        NS_TEST_EXPECT_MSG_EQ(n, 33, control);
    }
    DcnSuiteLoad load;
    const auto scenario = m4.Create(m4.Draw(0), load);
    NS_TEST_EXPECT_MSG_EQ(scenario->GetTopology().GetHosts().size(), 1024, "hosts");
    NS_TEST_EXPECT_MSG_EQ_TOL(load.maxLoad, m4.Draw(0).load, 1e-6, "the load is exact");
    NS_TEST_EXPECT_MSG_EQ(DcnScenarioSuite::TakesMatrices("m3-test-set"), true, "32 racks");
    NS_TEST_EXPECT_MSG_EQ(DcnScenarioSuite::TakesMatrices("m4-test-set"), false, "64 racks");
}

DcnTestSuite<BalanceTestCase,
             IndependenceTestCase,
             TableTestCase,
             PaperTestCase,
             AnywhereTestCase,
             SpacesTestCase,
             TcpTestCase,
             DefaultsTestCase,
             SizeTestCase>
    g_dcnScenarioSuiteTestSuite("dcn-scenario-suite"); //!< the suite

} // namespace
