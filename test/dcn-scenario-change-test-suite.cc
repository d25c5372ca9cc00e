/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-scenario-change.h"
#include "ns3/dcn-topology.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

DCN_TEST_CASE(ChangeTestCase, "After a change, flows keep the paths that still work")
{
    auto scenario = DcnMakeTestScenario(DcnTestWorkload(500));
    const DcnTopology& topology = scenario->GetTopology();
    const uint32_t link = DcnFindUplink(topology);
    auto uses = [](DcnPath path, uint32_t cable) {
        return std::any_of(path.begin(), path.end(), [cable](uint32_t each) {
            return each / 2 == cable;
        });
    };
    auto failed = DcnScenarioChange().FailLink(link).Apply(scenario);
    std::size_t moved = 0;
    for (std::size_t f = 0; f < 500; ++f)
    {
        const DcnPath before = scenario->GetPath(f);
        const DcnPath after = failed->GetPath(f);
        NS_TEST_ASSERT_MSG_EQ(failed->GetFlows()[f].id, scenario->GetFlows()[f].id, "order");
        NS_TEST_ASSERT_MSG_EQ(uses(after, link / 2), false, "avoids the failed link");
        NS_TEST_ASSERT_MSG_EQ(after.size(), before.size(), "as short");
        if (uses(before, link / 2))
        {
            ++moved;
        }
        else
        {
            NS_TEST_ASSERT_MSG_EQ(std::equal(before.begin(), before.end(), after.begin()),
                                  true,
                                  "keeps its path");
        }
    }
    NS_TEST_EXPECT_MSG_GT(moved, 10, "some flows had to move");

    auto slower = DcnScenarioChange().SetRate(link, 10'000'000'000).Apply(scenario);
    for (uint32_t each = 0; each < topology.GetNLinks(); ++each)
    {
        NS_TEST_ASSERT_MSG_EQ(
            slower->GetTopology().GetLink(each).rateBps,
            (each / 2 == link / 2 ? 10'000'000'000 : topology.GetLink(each).rateBps),
            "rate of link " << each);
    }
    const DcnFlow flow{1000, 0, 31, 5000, scenario->GetFlows()[9].startNs};
    auto more = DcnScenarioChange().AddFlow(flow).MoveFlow(7, 2, 3).Apply(scenario);
    NS_TEST_EXPECT_MSG_EQ(more->GetFlows().size(), 501, "one more");
    NS_TEST_EXPECT_MSG_EQ(more->GetFlows()[10].id, 1000, "by start, then id");
    NS_TEST_EXPECT_MSG_EQ(more->GetPath(7).size(), 2, "in one rack now");

    // what cannot be
    const uint32_t only = topology.GetOutLinks(0)[0];
    std::string ids;
    std::size_t n = 0;
    for (const DcnFlow& each : scenario->GetFlows())
    {
        if (each.src == 0 || each.dst == 0)
        {
            ids += ++n > 5 ? "" : (n > 1 ? ", " : "") + std::to_string(each.id);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() { DcnScenarioChange().FailLink(only).Apply(scenario); }),
        "after the change, the destinations of " + std::to_string(n) +
            " flows cannot be reached, among them of flow " + ids,
        "unreachable");
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() { DcnScenarioChange().FailLink(100000).Apply(scenario); }),
        "there is no link 100000; the network has " + std::to_string(topology.GetNLinks()) +
            " directed links",
        "no such link");
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() { DcnScenarioChange().MoveFlow(5000, 0, 1).Apply(scenario); }),
        "flow 5000 cannot be moved: there is none of that id",
        "no such flow");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() {
                              DcnScenarioChange().AddFlow({7, 0, 1, 1, 0}).Apply(scenario);
                          }),
                          "flow 7 cannot be added: there is one of that id",
                          "id in use");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() {
                              DcnScenarioChange().FailLink(link).SetRate(link, 5).Apply(scenario);
                          }),
                          "link " + topology.DescribeLink(link / 2 * 2) +
                              " fails, so that its rate has no effect",
                          "without effect");
    NS_TEST_EXPECT_MSG_NE(DcnSentenceOf([&]() {
                              DcnScenarioChange().MoveFlow(7, 3, 3).Apply(scenario);
                          }).find("flow 7"),
                          std::string::npos,
                          "to itself");
}

DCN_TEST_CASE(SpreadTestCase, "flows of a failed link spread evenly; hops before it stay")
{
    // one plane with 8 spines between two pods: of n flows that lose theirs, each of the other
    // 7 gets n / 7 on average, with a variance of less than that
    DcnFabricParameters parameters;
    parameters.fabricsPerPod = 1;
    parameters.spinesPerPlane = 8;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    std::vector<DcnFlow> flows;
    const auto& hosts = topology->GetHosts();
    for (uint32_t i = 0; i < 4000; ++i)
    {
        flows.push_back({i, hosts[i % 16], hosts[16 + i % 15], 1000, i});
    }
    Ptr<const DcnScenario> scenario =
        DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows);
    const uint32_t failed = scenario->GetPath(0)[2]; // from the fabric switch to a spine
    Ptr<const DcnScenario> after = DcnScenarioChange().FailLink(failed).Apply(scenario);
    std::map<uint32_t, uint32_t> uses; // moved flows by their link to a spine
    uint32_t n = 0;
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath was = scenario->GetPath(f);
        const DcnPath is = after->GetPath(f);
        NS_TEST_ASSERT_MSG_EQ(is.size(), 6, "a shortest path");
        if (was[2] != failed)
        {
            NS_TEST_EXPECT_MSG_EQ(std::equal(was.begin(), was.end(), is.begin()),
                                  true,
                                  "flow " << f << " stays");
            continue;
        }
        ++n;
        ++uses[is[2]];
        NS_TEST_EXPECT_MSG_EQ((was[0] == is[0] && was[1] == is[1]), true, "hops before");
    }
    NS_TEST_ASSERT_MSG_GT(n, 300, "flows that move");
    NS_TEST_ASSERT_MSG_EQ(uses.size(), 7, "all other spines");
    const double mean = n / 7.0;
    for (const auto& [link, count] : uses)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(count),
                                  mean,
                                  4 * std::sqrt(mean),
                                  "link " << link);
    }
}

/// Cables between switches, each at most once.
DCN_TEST_CASE(DrawTestCase, "draws of cables between switches")
{
    const auto topology = DcnBuildTopology(DcnFabricParameters()); // 16 to fabrics, 8 to spines
    const auto drawn = DcnDrawCables(*topology, 24, 3);
    NS_TEST_EXPECT_MSG_EQ(std::set<uint32_t>(drawn.begin(), drawn.end()).size(), 24, "all of them");
    for (const uint32_t link : drawn)
    {
        NS_TEST_EXPECT_MSG_EQ(topology->IsHost(topology->GetLink(link).from) ||
                                  topology->IsHost(topology->GetLink(link).to),
                              false,
                              "ends are switches");
    }
    NS_TEST_EXPECT_MSG_EQ((DcnDrawCables(*topology, 5, 3) ==
                           std::vector<uint32_t>(drawn.begin(), drawn.begin() + 5)),
                          true,
                          "fewer draws are the first ones");
    DCN_TEST_EXPECT_ERROR(DcnDrawCables(*topology, 25, 3),
                          "25 cables between switches are to be drawn, but the network has only 24");
}

DcnTestSuite<ChangeTestCase, SpreadTestCase, DrawTestCase> g_dcnScenarioChangeTestSuite(
    "dcn-scenario-change"); //!< the suite

} // namespace
