/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/features/m3-feature-extractor.h"
#include "../model/features/m3-network-features.h"
#include "../model/features/m3-range-features.h"
#include "dcn-test-case.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"

#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param config a configuration
 * @return the values of the only path of two flows on a dumbbell
 */
M3RangeFeatures
Describe(Ptr<const DcnNetworkConfig> config)
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnDumbbellParameters());
    const auto& hosts = topology->GetHosts();
    std::vector<DcnFlow> flows(2);
    for (uint32_t i = 0; i < 2; ++i)
    {
        flows[i].id = i;
        flows[i].src = hosts.front();
        flows[i].dst = hosts.back();
        flows[i].sizeBytes = 50'000;
        flows[i].startNs = 1000 * i;
    }
    const auto scenario = DcnScenario::Create(topology, config, flows);
    const DcnPathIndex pathIndex(scenario);
    const M3Base base(scenario);
    M3FeatureExtractor features(pathIndex, base);
    features.Prepare({0});
    return features.Make(0).ranges;
}

/// Every setting with an effect is compared, and none without.
DCN_TEST_CASE(SettingsTestCase, "every key of network.csv with an effect")
{
    for (const auto& control : DcnScenarioSuite::GetLearnedControls())
    {
        const auto preset = DcnNetworkConfig::Preset(control);
        DcnTrainedRanges ranges(M3RangeFeatures::GetQuantities());
        ranges.Add(Describe(preset));
        NS_TEST_EXPECT_MSG_EQ(ranges.Check(Describe(preset)).size(), 0, "the same");
        std::set<std::string> without{"cc"};
        if (control != "hpcc")
        {
            without.insert("base_rtt_ns");
        }
        if (control == "dctcp")
        {
            without.insert("ecn_pmax"); // the threshold is a step
        }
        if (control == "timely" || control == "hpcc")
        {
            without.insert(
                {"ecn_pmax", "ecn_reference_rate_bps", "ecn_kmin_bytes", "ecn_kmax_bytes"});
        }
        for (const auto& [key, text] : preset->GetKeys())
        {
            if (key == "cc")
            {
                continue;
            }
            double value = 0;
            NS_TEST_ASSERT_MSG_EQ(DcnParse(text, value), true, key);
            Ptr<DcnNetworkConfig> other = DcnNetworkConfig::Preset(control);
            const bool isFlag = value == 0 || value == 1;
            const bool isMost = key == "max_rate_bps" || key == "base_rtt_ns" ||
                                key == "timely_min_rtt_ns" || key == "dcqcn_byte_counter_bytes";
            std::ostringstream changed;
            changed.precision(12);
            changed << (isMost      ? value + 2e9
                        : isFlag    ? 1 - value
                        : value < 1 ? value * 0.9
                                    : value * 2);
            other->SetKey(key, changed.str());
            if (key == "ecn_kmin_bytes")
            {
                other->ecnKminBytes = preset->ecnKminBytes / 2;
            }
            const auto outside = ranges.Check(Describe(other));
            NS_TEST_EXPECT_MSG_EQ(outside.empty(),
                                  (without.count(key) > 0),
                                  control << ": " << key << " is " << changed.str()
                                          << " instead of " << text);
        }
    }
    DcnTrainedRanges ranges(M3RangeFeatures::GetQuantities());
    ranges.Add(Describe(DcnNetworkConfig::Preset("dctcp")));
    Ptr<DcnNetworkConfig> other = DcnNetworkConfig::Preset("dctcp");
    other->SetKeys("dctcp_g=0.9,pfc_alpha_shift=8,ecn_kmin_bytes=5000,"
                   "dctcp_additive_increase_bps=1000000000");
    std::set<std::string> texts;
    for (const auto& [quantity, finding] : ranges.Check(Describe(other)))
    {
        texts.insert(finding.text);
    }
    const std::string unmodelled = ", which is no feature of the model, is ";
    const std::set<std::string> expected{
        "dctcp_g" + unmodelled + "0.9, but was always 0.0625 in training with dctcp",
        "pfc_alpha_shift" + unmodelled + "8, but was always 2 in training with dctcp",
        "ecn_kmin_bytes / ecn_kmax_bytes" + unmodelled +
            "0.25, but was always 1 in training with dctcp",
        "dctcp_additive_increase_bps / bottleneck rate" + unmodelled +
            "0.1, but was always 0.0615 in training with dctcp"};
    NS_TEST_EXPECT_MSG_EQ((texts == expected), true, "four settings");
    other = DcnNetworkConfig::Preset("dctcp");
    other->SetKeys("pfc=0,pfc_alpha_shift=8");
    const auto off = ranges.Check(Describe(other));
    NS_TEST_ASSERT_MSG_EQ(off.size(), 1, "without PFC, shares of the buffer are not looked at");
    NS_TEST_EXPECT_MSG_EQ(off.begin()->second.text,
                          "pfc is 0, but was always 1 in training with dctcp",
                          "PFC itself is");
    // no limit of the rate, and a limit at the rate of the links, are one setting
    DcnTrainedRanges limited(M3RangeFeatures::GetQuantities());
    Ptr<DcnNetworkConfig> limit = DcnNetworkConfig::Preset("dctcp");
    limit->SetKey("max_rate_bps", "10000000000");
    limited.Add(Describe(limit));
    NS_TEST_EXPECT_MSG_EQ(limited.Check(Describe(DcnNetworkConfig::Preset("dctcp"))).size(),
                          0,
                          "max_rate_bps 0");
}

/// Traffic is compared with that of all congestion controls, and with another tolerance.
DCN_TEST_CASE(TrafficTestCase, "traffic of a path")
{
    const auto network = DcnNetworkConfig::Preset("hpcc");
    const M3NetworkFeatures features({{10'000'000'000}, {1000}, 10'000'000'000, 5000, 6250},
                                     *network,
                                     1e5);
    DcnTrainedRanges ranges(M3RangeFeatures::GetQuantities());
    auto describe = [&](double load, double flows) {
        return M3RangeFeatures(features,
                               *network,
                               M3RangeFeatures::Unmodelled(*network),
                               {load, flows, 10, 10});
    };
    ranges.Add(describe(0.4, 10));
    ranges.Add(describe(0.8, 1000));
    // load: 10 % of 0.8 - 0.4; flows: 10 % of ln 1000 - ln 10 are a factor of 1.585
    NS_TEST_EXPECT_MSG_EQ(ranges.Check(describe(0.839, 10)).size(), 0, "load");
    NS_TEST_EXPECT_MSG_EQ(ranges.Check(describe(0.361, 10)).size(), 0, "load");
    NS_TEST_EXPECT_MSG_EQ(ranges.Check(describe(0.5, 1580)).size(), 0, "flows");
    const auto busy = ranges.Check(describe(0.841, 1590));
    NS_TEST_ASSERT_MSG_EQ(busy.size(), 2, "both");
    NS_TEST_EXPECT_MSG_EQ(busy.begin()->second.text,
                          "largest load of a link is 0.841, but was from 0.4 to 0.8 in training",
                          "load");
    NS_TEST_EXPECT_MSG_EQ(busy.rbegin()->second.text,
                          "largest number of flows on a link is 1590, but was from 10 to 1000 "
                          "in training",
                          "flows");
    M3RangeFeatures other = describe(2, 1590);
    other.congestionControl = "dctcp";
    ranges.Add(other);
    NS_TEST_EXPECT_MSG_EQ(ranges.Check(describe(0.841, 1590)).size(), 0, "with another one");
}

DcnTestSuite<SettingsTestCase, TrafficTestCase> g_m3RangeFeaturesTestSuite(
    "m3-range-features"); //!< the suite

} // namespace
