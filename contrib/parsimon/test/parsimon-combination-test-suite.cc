/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/combine/parsimon-combination.h"
#include "dcn-test-case.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology.h"
#include "ns3/simulator.h"

#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

DCN_TEST_CASE(TwoLinksTestCase, "Delays of two links, by hand")
{
    // 3 packets, 10.5 and 20.4 ns per packet: 3 x 30.9 = 92.7, cut off
    NS_TEST_EXPECT_MSG_EQ(ParsimonCombination::Published(3, 10.5 + 20.4), 92, "published");
    NS_TEST_EXPECT_MSG_EQ(ParsimonCombination::Published(3, 0), 0, "no delay");

    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonCombination::GetNewDelay(100, 0.25), 75, 1e-9, "new");
    NS_TEST_EXPECT_MSG_EQ(ParsimonCombination::GetNewDelay(-3, 0.25), 0, "never negative");
}

/// Overlap on a dumbbell with a bottleneck of 40 Gb/s and edges of 10 Gb/s.
DCN_TEST_CASE(OverlapTestCase, "Overlap of successive links")
{
    DcnDumbbellParameters parameters;
    parameters.senders = 3;
    parameters.receivers = 3;
    parameters.bottleneckRate = DataRate("40Gbps");
    // hosts 0-2 send to 3-5; 0 -> 3 twice as much as 1 -> 3; 4 -> 3 stays behind the switch
    auto scenario = DcnScenario::Create(
        DcnBuildTopology(parameters),
        DcnNetworkConfig::Preset("dctcp"),
        {{0, 0, 3, 2000, 0}, {1, 1, 3, 1000, 0}, {2, 2, 5, 3000, 0}, {3, 4, 3, 1000, 0}});
    const ParsimonOverlap overlap(*scenario);
    const DcnPath a = scenario->GetPath(0);
    const DcnPath b = scenario->GetPath(1);
    const DcnPath c = scenario->GetPath(2);
    const DcnPath d = scenario->GetPath(3);
    // bottleneck, 6000 bytes: 2000, 1000 and 3000 from 10 Gb/s links into one of 40 Gb/s
    NS_TEST_EXPECT_MSG_EQ_TOL(overlap.Get(a[0], a[1]), 2. / 6, 1e-6, "first sender");
    NS_TEST_EXPECT_MSG_EQ_TOL(overlap.Get(b[0], b[1]), 1. / 6, 1e-6, "second sender");
    // last link of host 3, 4000 bytes, 1000 from a neighbour's link of the same rate; the
    // bottleneck, over which the others come, is 4 times faster
    NS_TEST_EXPECT_MSG_EQ_TOL(overlap.Get(d[0], d[1]), 0.25, 1e-6, "from the neighbour");
    NS_TEST_EXPECT_MSG_EQ(overlap.Get(a[1], a[2]), 0, "from the bottleneck");
    NS_TEST_EXPECT_MSG_EQ(overlap.Get(c[1], c[2]), 0, "all of a link, from a faster one");
    NS_TEST_EXPECT_MSG_EQ(overlap.Get(a[0], a[2]), 0, "not successive");
}

/// Long flows that meet on two links of one rate, one after the other, wait once.
DCN_TEST_CASE(EqualRatesTestCase, "One receiver behind links of one rate")
{
    // 400 KB on 10 Gb/s in turn: 320 us of payload
    DcnDumbbellParameters parameters;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 4; ++i)
    {
        flows.push_back({i, i, 7, 100'000, 5'000 * i});
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
                                  0.2 * expected,
                                  "flow " << i);
    }
}

DcnTestSuite<TwoLinksTestCase, OverlapTestCase, EqualRatesTestCase> g_parsimonCombinationTestSuite(
    "parsimon-combination"); //!< the suite

} // namespace
