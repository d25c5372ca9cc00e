/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../test/dcn-test-error.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/m3-features.h"
#include "ns3/m3-ranges.h"
#include "ns3/test.h"

#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param config a configuration
 * @return the conditions of the only path of two flows on a dumbbell
 */
M3Conditions
Describe(Ptr<const DcnNetworkConfig> config)
{
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnDumbbellParameters());
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
    const DcnPathCensus census(scenario);
    const M3Fluid fluid(*scenario);
    M3Features features(census, fluid);
    features.Prepare({0});
    return features.Describe(0, features.MakeInput(0));
}

/**
 * @param control a congestion control
 * @param name of a quantity
 * @return its position
 */
std::size_t
Find(const std::string& control, const std::string& name)
{
    const auto& quantities = M3Conditions::GetQuantities(control);
    for (std::size_t i = 0; i < quantities.size(); ++i)
    {
        if (quantities[i].name == name)
        {
            return i;
        }
    }
    NS_FATAL_ERROR("no quantity " << name);
}

/// Every setting with an effect is compared, and none without.
class SettingsTestCase : public TestCase
{
  public:
    SettingsTestCase()
        : TestCase("every key of network.csv with an effect")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& control : DcnNetworkConfig::GetCongestionControls())
        {
            const auto preset = DcnNetworkConfig::Preset(control);
            M3Ranges ranges;
            ranges.Add(Describe(preset));
            NS_TEST_EXPECT_MSG_EQ(ranges.FindOutside(Describe(preset)).size(), 0, "the same");
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
                const auto outside = ranges.FindOutside(Describe(other));
                NS_TEST_EXPECT_MSG_EQ(outside.empty(),
                                      (without.count(key) > 0),
                                      control << ": " << key << " is " << changed.str()
                                              << " instead of " << text);
            }
        }
        M3Ranges ranges;
        ranges.Add(Describe(DcnNetworkConfig::Preset("dctcp")));
        Ptr<DcnNetworkConfig> other = DcnNetworkConfig::Preset("dctcp");
        other->SetKeys("dctcp_g=0.9,pfc_alpha_shift=8");
        const auto outside = ranges.FindOutside(Describe(other));
        NS_TEST_ASSERT_MSG_EQ(outside.size(), 2, "two settings");
        NS_TEST_EXPECT_MSG_EQ(outside[1].text,
                              "dctcp_g is 0.9, but was always 0.0625 in training with dctcp",
                              "sentence");
    }
};

/// Where a range ends, by congestion control.
class LimitsTestCase : public TestCase
{
  public:
    LimitsTestCase()
        : TestCase("ends of ranges; congestion controls; the card")
    {
    }

  private:
    /// Returns what is outside if a quantity has a value.
    std::vector<M3Ranges::Outside> Try(const M3Ranges& ranges,
                                       M3Conditions conditions,
                                       const std::string& name,
                                       double value) const
    {
        conditions.values[Find(conditions.congestionControl, name)] = value;
        return ranges.FindOutside(conditions);
    }

    void DoRun() override
    {
        const M3Conditions hpcc = Describe(DcnNetworkConfig::Preset("hpcc"));
        const std::string increase = "HPCC's additive increase / bottleneck rate";
        const std::string load = "largest load of a link";
        NS_TEST_EXPECT_MSG_EQ(M3Ranges().FindOutside(hpcc).size(), 0, "nothing is known");
        M3Ranges ranges;
        for (double value : {0.05, 0.1})
        {
            M3Conditions conditions = hpcc;
            conditions.values[Find("hpcc", increase)] = value;
            conditions.values[Find("hpcc", load)] = 8 * value;
            ranges.Add(conditions);
        }
        M3Conditions inside = hpcc;
        inside.values[Find("hpcc", load)] = 0.5;
        // logarithms: ln 0.1 - ln 0.05 = ln 2, of which 2 % are a factor of 1.01396
        NS_TEST_EXPECT_MSG_EQ(Try(ranges, inside, increase, 0.05 / 1.0139).size(), 0, "low");
        NS_TEST_EXPECT_MSG_EQ(Try(ranges, inside, increase, 0.1 * 1.0139).size(), 0, "high");
        NS_TEST_EXPECT_MSG_EQ(Try(ranges, inside, increase, 0.05 / 1.0141).size(), 1, "too low");
        const auto outside = Try(ranges, inside, increase, 0.1 * 1.0141);
        NS_TEST_ASSERT_MSG_EQ(outside.size(), 1, "too high");
        NS_TEST_EXPECT_MSG_EQ(outside[0].text,
                              increase +
                                  " is 0.101, but was from 0.05 to 0.1 in training with hpcc",
                              "as many digits as are needed");
        const auto far = Try(ranges, inside, increase, 0.2);
        NS_TEST_EXPECT_MSG_EQ_TOL(far[0].distance, std::log(2), 1e-9, "distance");
        // traffic: 0.4 to 0.8, of which 10 % are 0.04
        NS_TEST_EXPECT_MSG_EQ(Try(ranges, hpcc, load, 0.839).size(), 0, "nearly");
        const auto busy = Try(ranges, hpcc, load, 2);
        NS_TEST_ASSERT_MSG_EQ(busy.size(), 1, "traffic");
        NS_TEST_EXPECT_MSG_EQ(busy[0].text,
                              "largest load of a link is 2, but was from 0.4 to 0.8 in training",
                              "traffic");

        // PFC was off in training with one congestion control only
        for (const auto& [control, flag] : {std::make_pair("dctcp", "0"),
                                            std::make_pair("dctcp", "1"),
                                            std::make_pair("dcqcn", "1")})
        {
            Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(control);
            config->SetKey("pfc", flag);
            ranges.Add(Describe(config));
        }
        for (const std::string control : {"dctcp", "dcqcn"})
        {
            Ptr<DcnNetworkConfig> off = DcnNetworkConfig::Preset(control);
            off->pfc = false;
            const auto found = ranges.FindOutside(Describe(off));
            NS_TEST_ASSERT_MSG_EQ(found.size(), (control == "dcqcn" ? 1 : 0), control);
            for (const auto& each : found)
            {
                NS_TEST_EXPECT_MSG_EQ(each.text,
                                      "pfc is 0, but was always 1 in training with dcqcn",
                                      "sentence");
            }
        }
        const auto timely = ranges.FindOutside(Describe(DcnNetworkConfig::Preset("timely")));
        NS_TEST_ASSERT_MSG_EQ(timely.size(), 1, "not trained at all");
        NS_TEST_EXPECT_MSG_EQ(
            timely[0].text,
            "congestion control is timely, but was dcqcn, dctcp, hpcc in training",
            "sentence");

        // through a card
        DcnModelFile model("m3");
        model.Add({"x", 1, 1, {1}});
        ranges.Write(model);
        const std::string folder = CreateTempDirFilename("m3-ranges");
        model.Write(folder);
        const M3Ranges again = M3Ranges::Read(DcnModelFile::Read(folder, "m3"));
        NS_TEST_EXPECT_MSG_EQ(Try(again, hpcc, load, 2)[0].text,
                              Try(ranges, hpcc, load, 2)[0].text,
                              "read again");
        NS_TEST_EXPECT_MSG_EQ(again.FindOutside(inside).size(),
                              ranges.FindOutside(inside).size(),
                              "what is fixed is still the same");
        NS_TEST_EXPECT_MSG_EQ(again.FindOutside(Describe(DcnNetworkConfig::Preset("dctcp"))).size(),
                              0,
                              "rounding of the card");
        model.Set("range of hpcc", load + ", smallest", 0.9);
        DCN_TEST_EXPECT_ERROR(M3Ranges::Read(model),
                              "the range of hpcc of the model of m3 has largest load of a link "
                              "from 0.9 to 0.8");
    }
};

/// The furthest of many paths is named.
class WarningsTestCase : public TestCase
{
  public:
    WarningsTestCase()
        : TestCase("warnings name the path that is furthest outside")
    {
    }

  private:
    void DoRun() override
    {
        M3Warnings one;
        one.Add({{"a", "a is 3", 1}, {"b", "b is 0", 0.5}});
        one.Add({{"a", "a is 9", 7}});
        M3Warnings two;
        two.Add({{"a", "a is 4", 2}});
        two.Add({{"c", "c is 1", 2}});
        two.Add(std::vector<M3Ranges::Outside>());
        one.Add(two);
        NS_TEST_ASSERT_MSG_EQ(one.GetN(), 3, "quantities");
        const auto sentences = one.Describe(5);
        NS_TEST_EXPECT_MSG_EQ(sentences[0],
                              "a is 9 (3 of 5 paths): the answer may be far off",
                              "the furthest");
        NS_TEST_EXPECT_MSG_EQ(sentences[1],
                              "b is 0 (1 of 5 paths): the answer may be far off",
                              "another one");
        NS_TEST_EXPECT_MSG_EQ(sentences[2],
                              "c is 1 (1 of 5 paths): the answer may be far off",
                              "of the others");
    }
};

/// The suite.
class M3RangesTestSuite : public TestSuite
{
  public:
    M3RangesTestSuite()
        : TestSuite("m3-ranges", Type::UNIT)
    {
        AddTestCase(new SettingsTestCase);
        AddTestCase(new LimitsTestCase);
        AddTestCase(new WarningsTestCase);
    }
};

M3RangesTestSuite g_m3RangesTestSuite; //!< the suite

} // namespace
