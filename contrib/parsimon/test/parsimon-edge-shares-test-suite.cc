/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/topology/parsimon-edge-shares.h"
#include "../model/topology/parsimon-nic-delays.h"
#include "dcn-test-case.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/simulator.h"

#include <vector>

using namespace ns3;

namespace
{

/// Hosts 0 and 1 send 1 MB each to hosts 3 and 4 over 40 Gb/s, all at once.
Ptr<const DcnScenario>
Make(uint64_t windowBytes, uint64_t sizeBytes)
{
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = windowBytes;
    return DcnScenario::Create(
        DcnMakeDumbbell(3, 3, 40 * DCN_GBPS),
        network,
        {{0, 0, 3, sizeBytes, 0}, {1, 0, 4, sizeBytes, 0}, {2, 1, 3, sizeBytes, 0}});
}

DCN_TEST_CASE(SharesByHandTestCase, "Shares of two NICs and two receivers, by hand")
{
    constexpr uint64_t RATE = 10'000'000'000; // R of all edge links
    auto scenario = Make(100'000, 1'000'000);
    const ParsimonLinkBuilder builder(scenario);
    const ParsimonEdgeShares shares(builder);
    // two equal flows share each of the links of hosts 0 and 3: N = w / R and r = R / 2; the link
    // of 40 Gb/s takes less than their NICs
    const uint64_t expected[3][3] = {{RATE / 2, 0, RATE / 2}, {RATE / 2, 0, 0}, {0, 0, RATE / 2}};
    for (std::size_t flow = 0; flow < 3; ++flow)
    {
        for (std::size_t hop = 0; hop < 3; ++hop)
        {
            NS_TEST_EXPECT_MSG_EQ(shares.GetShare(flow, hop),
                                  expected[flow][hop],
                                  "flow " << flow << ", hop " << hop);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(0, 2), RATE / 2, "its NIC");
    NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(1, 0), 0, "no other");

    // the last link of host 3: flow 0 meets flow 1 at its NIC only, and is paced; flow 2 is not
    const DcnPath path = scenario->GetPath(0);
    ParsimonLink link = builder.Build(path[2]);
    shares.Apply(link);
    NS_TEST_ASSERT_MSG_EQ(link.sources.size(), 2, "the NICs of hosts 0 and 1");
    for (const auto& flow : link.flows)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.paceBps, (flow.flow == 0 ? RATE / 2 : 0), "pace");
    }

    // the link between the switches has all flows: they meet there packet by packet
    ParsimonLink middle = builder.Build(path[1]);
    shares.Apply(middle);
    for (const auto& flow : middle.flows)
    {
        // N(F_l) = N(F_l and F_h) at both edges
        NS_TEST_EXPECT_MSG_EQ(flow.paceBps, 0, "flow " << flow.flow << " in the middle");
    }

    // first hop unchanged
    ParsimonLink firstHop = builder.Build(path[0]);
    shares.Apply(firstHop);
    for (const auto& flow : firstHop.flows)
    {
        NS_TEST_EXPECT_MSG_EQ(flow.paceBps, 0, "the target is the NIC");
    }

    // flows of one window are bursts
    auto small = Make(100'000, 100'000);
    const ParsimonLinkBuilder smallBuilder(small);
    const ParsimonEdgeShares bursts(smallBuilder);
    NS_TEST_EXPECT_MSG_EQ(bursts.GetLeastOther(0, 2), 0, "burst");

    // a window that takes more than half of the rate leaves nothing to share:
    // K (M + H) 8 / T < R / 2 with K = 2
    auto narrow = Make(2'000, 1'000'000);
    const ParsimonLinkBuilder narrowBuilder(narrow);
    const ParsimonEdgeShares idle(narrowBuilder);
    const int64_t rttNs = DcnBaseRttNs(narrow->GetTopology(), narrow->GetPath(0), 1048, 60);
    NS_TEST_ASSERT_MSG_LT(2 * 1048 * 8e9 / static_cast<double>(rttNs), RATE / 2., "narrow");
    NS_TEST_EXPECT_MSG_EQ(idle.GetLeastOther(0, 2), 0, "window");
}

/// Flows of one NIC to one host are never faster than it, whatever their other links do.
DCN_TEST_CASE(PermutationTestCase, "One sender and one receiver: the NIC waits, no other link")
{
    DcnDumbbellParameters parameters;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 6; ++i)
    {
        flows.push_back({i, 0, 4, 200'000 + 50'000ULL * i, 20'000 * i});
    }
    auto scenario =
        DcnScenario::Create(DcnBuildTopology(parameters), DcnNetworkConfig::Preset("dctcp"), flows);
    const auto truth = DcnEstimator::CreateByName("packet")->Estimate(scenario).fctNs;
    const auto fctNs = DcnEstimator::CreateByName("parsimon")->Estimate(scenario).fctNs;
    Simulator::Destroy();
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto expected = static_cast<double>(truth[i]);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fctNs[i]),
                                  expected,
                                  0.02 * expected,
                                  "flow " << i);
    }
}

DCN_TEST_CASE(PacedNicTestCase, "Paced flows at a NIC, by hand")
{
    // 10 bytes/ns; 1000 bytes at 2 bytes/ns, 8000 and 4000 without a pace share 8 bytes/ns
    ParsimonLink link;
    link.position = ParsimonPosition::LAST_HOP;
    link.sources = {{0, 0, 80 * DCN_GBPS, 0}};
    link.flows = {{0, 0, 0, 1000, 0, 16 * DCN_GBPS}, {1, 0, 0, 8000, 0}, {2, 0, 0, 4000, 0}};
    const auto delaysNs = ParsimonNicDelays(link, 1000, 0);
    // until 500 ns: 2, 4 and 4 bytes/ns; then 5 and 5: the short one has 2000 bytes left, 400 ns;
    // the long one then has 4000 left, at 10
    NS_TEST_EXPECT_MSG_EQ_TOL(delaysNs[0], 0, 0.01, "at its pace");
    NS_TEST_EXPECT_MSG_EQ_TOL(delaysNs[1], 500 + 400 + 400 - 800, 0.01, "long");
    NS_TEST_EXPECT_MSG_EQ_TOL(delaysNs[2], 500 + 400 - 400, 0.01, "short");
}

DcnTestSuite<SharesByHandTestCase, PermutationTestCase, PacedNicTestCase> g_parsimonEdgeSharesTestSuite(
    "parsimon-edge-shares"); //!< the suite

} // namespace
