/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-merged-links.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @return the preset "dctcp" with a random link for each packet
Ptr<DcnNetworkConfig>
MakeSpraying()
{
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->SetKeys("load_balancing=1,selective_repeat=1");
    return network;
}

/// @return two leaves with four hosts each and two spines, all links of 10 Gb/s and 1 us
Ptr<const DcnTopology>
MakeLeafSpine()
{
    DcnLeafSpineParameters parameters;
    parameters.racks = 2;
    parameters.hostsPerRack = 4;
    parameters.spines = 2;
    parameters.fabricRate = DataRate(10 * DCN_GBPS);
    return DcnBuildTopology(parameters);
}

/// @return rates [bit/s] of the cables between switches, with their numbers
std::map<uint64_t, uint32_t>
CountRates(const DcnTopology& topology)
{
    std::map<uint64_t, uint32_t> rates;
    for (uint32_t link = 0; link < topology.GetNLinks(); link += 2)
    {
        const DcnLink& each = topology.GetLink(link);
        if (!topology.IsHost(each.from) && !topology.IsHost(each.to))
        {
            ++rates[each.rateBps];
        }
    }
    return rates;
}

DCN_TEST_CASE(StagesTestCase, "a fat tree becomes a tree, and links have the sum of their rates")
{
    DcnFatTreeParameters parameters; // k = 4: 16 hosts, 8 edges, 8 aggregation switches, 4 cores
    const auto topology = DcnBuildTopology(parameters);
    const auto scenario = DcnScenario::Create(topology, MakeSpraying(), {{1, 0, 15, 5000, 0}});
    const DcnMergedLinks merged(scenario);
    const DcnTopology& tree = merged.GetScenario()->GetTopology();
    NS_TEST_EXPECT_MSG_EQ(tree.GetNNodes(), 16 + 8 + 4 + 1, "hosts, edges, pods, the cores");
    // an edge has 2 links to its pod, a pod 2 x 2 to the cores
    const std::map<uint64_t, uint32_t> expected{{20 * DCN_GBPS, 8}, {40 * DCN_GBPS, 4}};
    NS_TEST_EXPECT_MSG_EQ((CountRates(tree) == expected), true, "rates of the stages");
    // a frame of 1048 bytes takes 838.4 ns at 10 Gb/s; n times the rate would save 1 - 1/n of it
    for (const uint32_t link : merged.GetScenario()->GetPath(0))
    {
        const DcnLink& each = tree.GetLink(link);
        const double n = static_cast<double>(each.rateBps) / (10 * DCN_GBPS);
        NS_TEST_EXPECT_MSG_EQ_TOL(each.delayNs, 1000 + 838.4 * (1 - 1 / n), 0.5, "delay, n " << n);
    }
    NS_TEST_EXPECT_MSG_EQ(merged.GetScenario()->GetPath(0).size(), 6, "as many links as before");
    NS_TEST_EXPECT_MSG_EQ(merged.GetScenario()->GetNetwork().HasManyPaths(), false, "one path");
    NS_TEST_EXPECT_MSG_EQ(merged.Describe(), "parallel links merged: 48 links to 28", "report");
}

DCN_TEST_CASE(IdealTestCase, "a flow that meets no other has its ideal time, of any size")
{
    DcnFatTreeParameters parameters;
    const auto topology = DcnBuildTopology(parameters);
    std::vector<DcnFlow> flows;
    const std::vector<uint64_t> sizes{1, 100, 999, 1000, 1001, 5000, 1'234'567};
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        // one after the other, within an edge, within a pod, and through the cores
        const uint32_t to = std::vector<uint32_t>{1, 2, 15}[i % 3];
        flows.push_back({i, 0, to, sizes[i], static_cast<int64_t>(i) * 10'000'000});
    }
    const auto scenario = DcnScenario::Create(topology, MakeSpraying(), flows);
    for (const std::string method : {"flowsim", "parsimon"})
    {
        const DcnEstimate answer = DcnEstimator::CreateByName(method)->Estimate(scenario);
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            // Parsimon and fluids round each of their parts to whole nanoseconds
            NS_TEST_EXPECT_MSG_EQ_TOL(answer.fctNs[i],
                                      scenario->GetIdealFct(i).GetTotalNs(),
                                      3,
                                      method << ", " << sizes[i] << " bytes");
        }
    }
}

DCN_TEST_CASE(ShareTestCase, "sprayed long flows share the sum of the parallel links")
{
    // four flows between the leaves, over 2 x 10 Gb/s: 5 Gb/s each, with headers
    const uint64_t bytes = 10'000'000;
    std::vector<DcnFlow> flows;
    for (uint32_t host = 0; host < 4; ++host)
    {
        flows.push_back({host, host, host + 4, bytes, 0});
    }
    const auto scenario = DcnScenario::Create(MakeLeafSpine(), MakeSpraying(), flows);
    const DcnEstimate fluid = DcnEstimator::CreateByName("flowsim")->Estimate(scenario);
    const double expected = 1048.0 / 1000 * bytes * 8 / 5;
    for (int64_t fct : fluid.fctNs)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(fct / expected, 1, 1e-3, "half of the rate of a link");
    }
    // Shares differ, but the two links are busy until the last flow ends, but for times at which
    // one of two random links has no packet.
    const DcnEstimate packets = DcnEstimator::CreateByName("packet")->Estimate(scenario);
    const int64_t last = *std::max_element(packets.fctNs.begin(), packets.fctNs.end());
    NS_TEST_EXPECT_MSG_EQ_TOL(last / expected, 1.025, 0.025, "as packets do");
}

DCN_TEST_CASE(RelabelTestCase, "other numbers of the switches change no answer")
{
    auto answers = [](bool isReversed) {
        DcnTopologyBuilder builder;
        for (uint32_t host = 0; host < 8; ++host)
        {
            builder.AddNode(DcnNodeKind::HOST);
        }
        // two leaves and four spines, the one before the other
        std::vector<uint32_t> switches;
        for (uint32_t i = 0; i < 6; ++i)
        {
            switches.push_back(builder.AddNode(DcnNodeKind::SWITCH));
        }
        auto number = [&](uint32_t i) { return switches[isReversed ? 5 - i : i]; };
        for (uint32_t host = 0; host < 8; ++host)
        {
            builder.AddLink(host, number(host / 4), 10 * DCN_GBPS, 1000);
        }
        for (uint32_t link = 0; link < 8; ++link)
        {
            const uint32_t each = isReversed ? 7 - link : link;
            builder.AddLink(number(each / 4), number(2 + each % 4), 10 * DCN_GBPS, 1000);
        }
        const auto scenario =
            DcnMakeTestScenario(builder.Build(), DcnTestWorkload(300), MakeSpraying());
        return DcnEstimator::CreateByName("flowsim")->Estimate(scenario).fctNs;
    };
    NS_TEST_EXPECT_MSG_EQ((answers(false) == answers(true)), true, "completion times");
}

DCN_TEST_CASE(RefusedTestCase, "links that are not alike are refused by a sentence")
{
    const auto topology = MakeLeafSpine();
    const std::vector<DcnFlow> flows{{1, 0, 7, 5000, 0}};
    auto sentence = [&](uint32_t cable, uint64_t rateBps, int64_t delayNs) {
        DcnTopologyBuilder builder;
        for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
        {
            builder.AddNode(topology->IsHost(node) ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
        }
        for (uint32_t link = 0; link < topology->GetNLinks(); link += 2)
        {
            const DcnLink& each = topology->GetLink(link);
            if (link / 2 != cable || rateBps > 0)
            {
                builder.AddLink(each.from,
                                each.to,
                                link / 2 == cable ? rateBps : each.rateBps,
                                link / 2 == cable ? delayNs : each.delayNs);
            }
        }
        const auto scenario = DcnScenario::Create(builder.Build(), MakeSpraying(), flows);
        return DcnSentenceOf([&]() { DcnMergedLinks merged(scenario); });
    };
    const uint32_t uplink = DcnFindUplink(*topology) / 2;
    const std::string begin = "load_balancing spreads flows over parallel links, which this method "
                              "merges into one, but ";
    const std::string end = ": take packet, or load_balancing=0";
    NS_TEST_EXPECT_MSG_EQ(sentence(uplink, 10 * DCN_GBPS, 1000), "no error", "alike");
    NS_TEST_EXPECT_MSG_EQ(sentence(uplink, 5 * DCN_GBPS, 1000),
                          begin +
                              "the paths from node 8 to host 7 are not alike: a link has "
                              "another rate or is missing" +
                              end,
                          "a slow link");
    NS_TEST_EXPECT_MSG_EQ(sentence(uplink, 10 * DCN_GBPS, 1500),
                          begin +
                              "the paths from node 8 to host 7 are not alike: a link has "
                              "another rate or is missing" +
                              end,
                          "a long link");
}

DcnTestSuite<StagesTestCase, IdealTestCase, ShareTestCase, RelabelTestCase, RefusedTestCase>
    g_dcnMergedLinksTestSuite("dcn-merged-links"); //!< the suite

} // namespace
