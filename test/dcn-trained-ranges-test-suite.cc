/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-trained-ranges.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double NONE = DcnTrainedRanges::ABSENT;

/// @return a linear, a logarithmic, a pooled and an unmodelled quantity
DcnTrainedRanges::Quantities
MakeQuantities()
{
    return {{"x", 0.1}, {"y", 0.25, 0.01}, {"load", 0, 0, true}, {"g", 0, 0, false, true}};
}

/// @return ranges of x in [2, 4], y in [1, 16], load in [0, 1], and g = 0.5 under dctcp; load in
/// [0.5, 3] under hpcc
DcnTrainedRanges
MakeRanges()
{
    DcnTrainedRanges ranges(MakeQuantities());
    ranges.Add({"dctcp", {2, 16, 0, 0.5}});
    ranges.Add({"dctcp", {4, NONE, 1, 0.5}});
    ranges.Add({"dctcp", {3, 1, 0.5, NONE}});
    ranges.Add({"hpcc", {NONE, NONE, 0.5, NONE}});
    ranges.Add({"hpcc", {NONE, NONE, 3, NONE}});
    return ranges;
}

/// @return the texts of findings
std::vector<std::string>
TextsOf(const DcnTrainedRanges::Findings& findings)
{
    std::vector<std::string> texts;
    for (const auto& [quantity, finding] : findings)
    {
        texts.push_back(finding.text);
    }
    return texts;
}

/// @return the only text of findings, or how many there are
std::string
OnlyTextOf(const DcnTrainedRanges::Findings& findings)
{
    return findings.size() == 1 ? TextsOf(findings)[0]
                                : std::to_string(findings.size()) + " findings";
}

/// Ranges are the extremes of what was added, in any order; what is outside, and by how much.
DCN_TEST_CASE(CheckTestCase, "learning, merging and checking")
{
    const DcnTrainedRanges ranges = MakeRanges();
    auto check = [&](double x, double y, double load, double g) {
        return ranges.Check({"dctcp", {x, y, load, g}});
    };
    const auto x = ranges.Get("dctcp", "x");
    NS_TEST_EXPECT_MSG_EQ((x.low == 2 && x.high == 4), true, "extremes");
    NS_TEST_EXPECT_MSG_EQ(ranges.Get("hpcc", "x").IsEmpty(), true, "never there");
    NS_TEST_EXPECT_MSG_EQ(ranges.Get("timely", "x").IsEmpty(), true, "no such samples");

    // |x - [2, 4]| <= 0.1 (4 - 2)
    NS_TEST_EXPECT_MSG_EQ(check(1.801, NONE, NONE, NONE).size(), 0, "tolerance below");
    NS_TEST_EXPECT_MSG_EQ(check(4.199, NONE, NONE, NONE).size(), 0, "tolerance above");
    NS_TEST_EXPECT_MSG_EQ(OnlyTextOf(check(1.799, NONE, NONE, NONE)),
                          "x is 1.8, but was from 2 to 4 in training with dctcp",
                          "below");
    const auto above = check(4.201, NONE, NONE, NONE);
    NS_TEST_EXPECT_MSG_EQ(OnlyTextOf(above),
                          "x is 4.2, but was from 2 to 4 in training with dctcp",
                          "above");
    NS_TEST_EXPECT_MSG_EQ_TOL(above.at(0).distance, 0.201, 1e-12, "distance");
    // ln 16 - ln 1 = 4 ln 2, of which a quarter is a factor of 2
    NS_TEST_EXPECT_MSG_EQ(check(NONE, 0.501, NONE, NONE).size(), 0, "half of the smallest");
    NS_TEST_EXPECT_MSG_EQ(check(NONE, 31.9, NONE, NONE).size(), 0, "twice the largest");
    NS_TEST_EXPECT_MSG_EQ(OnlyTextOf(check(NONE, 0.499, NONE, NONE)),
                          "y is 0.499, but was from 1 to 16 in training with dctcp",
                          "below");
    const auto zero = check(NONE, 0, NONE, NONE);
    NS_TEST_ASSERT_MSG_EQ(zero.size(), 1, "a logarithm of 0 is not needed");
    NS_TEST_EXPECT_MSG_EQ_TOL(zero.at(1).distance, std::log(100), 1e-12, "smaller is alike");
    // all congestion controls together
    NS_TEST_EXPECT_MSG_EQ(check(NONE, NONE, 3, NONE).size(), 0, "with hpcc");
    NS_TEST_EXPECT_MSG_EQ(OnlyTextOf(check(NONE, NONE, 3.5, NONE)),
                          "load is 3.5, but was from 0 to 3 in training",
                          "with none");
    // always the same, but for rounding; as many digits as it takes
    NS_TEST_EXPECT_MSG_EQ(check(NONE, NONE, NONE, 0.5 * (1 + 1e-6)).size(), 0, "rounding");
    NS_TEST_EXPECT_MSG_EQ(OnlyTextOf(check(NONE, NONE, NONE, 0.50007)),
                          "g, which is no feature of the model, is 0.5001, but was always 0.5 in "
                          "training with dctcp",
                          "no rounding");
    NS_TEST_EXPECT_MSG_EQ(OnlyTextOf(check(1234567, NONE, NONE, NONE)),
                          "x is 1234567, but was from 2 to 4 in training with dctcp",
                          "whole numbers in full");
    NS_TEST_EXPECT_MSG_EQ(check(0, 0, -1, 0).size(), 4, "all");
    NS_TEST_EXPECT_MSG_EQ(check(NONE, NONE, NONE, NONE).size(), 0, "absent");
    NS_TEST_EXPECT_MSG_EQ(OnlyTextOf(ranges.Check({"hpcc", {5, NONE, 1, NONE}})),
                          "x is 5, but was not there in training with hpcc",
                          "what training did not have");

    DCN_TEST_EXPECT_ERROR(
        ranges.Check({"timely", {3, 4, 1, 0.5}}),
        "the model was not trained on the congestion control timely, only on dctcp, hpcc");
    DCN_TEST_EXPECT_ERROR(
        ranges.Require("dcqcn"),
        "the model was not trained on the congestion control dcqcn, only on dctcp, hpcc");
    const DcnTrainedRanges nothing(MakeQuantities());
    NS_TEST_EXPECT_MSG_EQ((nothing.IsEmpty() && !ranges.IsEmpty()), true, "not trained");
    NS_TEST_EXPECT_MSG_EQ(nothing.Check({"timely", {9, 9, 9, 9}}).size(), 0, "says nothing");

    // (a + b) + c = a + (c + b), as of samples on several threads
    DcnTrainedRanges a(MakeQuantities());
    DcnTrainedRanges b(MakeQuantities());
    DcnTrainedRanges c(MakeQuantities());
    a.Add({"hpcc", {NONE, NONE, 3, NONE}});
    a.Add({"dctcp", {4, NONE, 1, 0.5}});
    b.Add({"dctcp", {2, 16, 0, 0.5}});
    c.Add({"dctcp", {3, 1, 0.5, NONE}});
    c.Add({"hpcc", {NONE, NONE, 0.5, NONE}});
    DcnTrainedRanges left(MakeQuantities());
    DcnTrainedRanges right = c;
    left.Add(a);
    left.Add(b);
    left.Add(c);
    right.Add(b);
    right.Add(nothing);
    right.Add(a);
    for (const auto& name : {"x", "y", "load", "g"})
    {
        for (const auto& control : {"dctcp", "hpcc"})
        {
            const auto range = ranges.Get(control, name);
            for (const auto& merged : {left.Get(control, name), right.Get(control, name)})
            {
                NS_TEST_EXPECT_MSG_EQ((merged.low == range.low && merged.high == range.high),
                                      true,
                                      name << " with " << control);
            }
        }
    }
}

/// Of many samples, the furthest outside is named, in any order.
DCN_TEST_CASE(FindingsTestCase, "the furthest of many samples")
{
    const DcnTrainedRanges ranges = MakeRanges();
    const std::vector<DcnTrainedRanges::Conditions> samples{{"dctcp", {5, 1, 1, 0.5}},
                                                            {"dctcp", {0, 16, 1, 0.5}},
                                                            {"dctcp", {3, 1, 9, 0.5}},
                                                            {"dctcp", {6, 1, 1, 0.5}},
                                                            {"dctcp", {3, 1, 1, 0.5}}};
    const std::vector<std::string> expected{
        // 0 and 6 are as far away
        "x is 6, but was from 2 to 4 in training with dctcp (3 of 5 paths)",
        "load is 9, but was from 0 to 3 in training (1 of 5 paths)"};
    for (std::size_t first = 0; first < samples.size(); ++first)
    {
        DcnTrainedRanges::Findings one;
        DcnTrainedRanges::Findings other;
        for (std::size_t i = 0; i < samples.size(); ++i)
        {
            DcnTrainedRanges::Merge(i < 2 ? one : other,
                                    ranges.Check(samples[(first + i) % samples.size()]));
        }
        DcnTrainedRanges::Merge(one, other);
        NS_TEST_EXPECT_MSG_EQ((DcnTrainedRanges::Describe(one, 5, "paths") == expected),
                              true,
                              "from " << first);
    }
    NS_TEST_EXPECT_MSG_EQ(DcnTrainedRanges::Describe({}, 5, "paths").size(), 0, "nothing");
}

/// Ranges go through a card, and cards that are malformed are refused.
DCN_TEST_CASE(CardTestCase, "ranges on a model's card")
{
    DcnTrainedRanges ranges = MakeRanges();
    ranges.Add({"dctcp", {2.1, 1.0 / 3, 0.1, 0.5}}); // 1/3 is no short number
    DcnModelFile model("m4");
    model.Set("range of dcqcn", "what was there", "before");
    ranges.Write(model);
    model.Add({"a", 1, 1, {1}});
    NS_TEST_EXPECT_MSG_EQ(model.GetNumber("ranges", "format"), 1, "format");
    NS_TEST_EXPECT_MSG_EQ(model.GetText("ranges", "congestion_controls"), "dctcp,hpcc", "who");
    NS_TEST_EXPECT_MSG_EQ(model.GetText("range of dctcp", "x"), "2:4", "a range");
    NS_TEST_EXPECT_MSG_EQ(model.GetText("range of dctcp", "g"), "0.5:0.5", "always the same");
    NS_TEST_EXPECT_MSG_EQ(model.GetSection("range of hpcc").size(), 1, "no more than there is");
    NS_TEST_EXPECT_MSG_EQ(model.GetSection("range of dcqcn").size(), 0, "replaced");
    const std::string folder = CreateTempDirFilename("ranges");
    const std::string again = CreateTempDirFilename("again");
    model.Write(folder);
    DcnModelFile read = DcnModelFile::Read(folder, "m4");
    const auto same = DcnTrainedRanges::Read(read, MakeQuantities());
    NS_TEST_EXPECT_MSG_EQ(same.Get("dctcp", "y").low, 1.0 / 3, "bit by bit");
    same.Write(read);
    read.Write(again);
    NS_TEST_EXPECT_MSG_EQ(DcnReadTestFile(again + "/card.json"),
                          DcnReadTestFile(folder + "/card.json"),
                          "byte by byte");
    const DcnTrainedRanges::Conditions far{"dctcp", {9, 99, 9, 0.6}};
    NS_TEST_EXPECT_MSG_EQ((TextsOf(same.Check(far)) == TextsOf(ranges.Check(far))),
                          true,
                          "the same is said");

    DcnModelFile untrained("m4");
    DcnTrainedRanges().Write(untrained);
    NS_TEST_EXPECT_MSG_EQ(untrained.GetText("ranges", "congestion_controls"), "none", "none");
    NS_TEST_EXPECT_MSG_EQ(DcnTrainedRanges::Read(untrained, MakeQuantities()).IsEmpty(),
                          true,
                          "nothing was seen");

    auto refuse = [&](const std::string& section, const std::string& key, const std::string& text) {
        DcnModelFile bad = model;
        bad.Set(section, key, text);
        return DcnSentenceOf([&]() { DcnTrainedRanges::Read(bad, MakeQuantities()); });
    };
    const std::string version = "made by another version of this code: train the model again";
    const std::string old = "there are no ranges in format 1, so it was " + version;
    DCN_TEST_EXPECT_ERROR(DcnTrainedRanges::Read(DcnModelFile("m4"), MakeQuantities()), old);
    NS_TEST_EXPECT_MSG_EQ(refuse("ranges", "format", "2"), old, "another format");
    for (const std::string list : {"", "cubic", "dctcp,dctcp", "dctcp,", "dctcp, hpcc", "timely"})
    {
        NS_TEST_EXPECT_MSG_EQ(refuse("ranges", "congestion_controls", list),
                              "ranges.congestion_controls is \"" + list +
                                  "\", but must be none, or congestion controls with ranges, "
                                  "by commas",
                              list);
    }
    for (const std::string list : {"dctcp", "none"})
    {
        const std::string section = list == "none" ? "range of dctcp" : "range of hpcc";
        NS_TEST_EXPECT_MSG_EQ(refuse("ranges", "congestion_controls", list),
                              "ranges.congestion_controls is \"" + list +
                                  "\", but there is a section \"" + section + "\"",
                              "ranges that are not listed");
    }
    NS_TEST_EXPECT_MSG_EQ(refuse("range of hpcc", "z", "1:2"),
                          "range of hpcc has \"z\", which is not known, so it was " + version,
                          "no quantity");
    for (const std::string text : {"", ":", "3", "3:", ":3", "3:2", "3:nan", "1:2:3", "a:b"})
    {
        NS_TEST_EXPECT_MSG_EQ(refuse("range of hpcc", "x", text),
                              "range of hpcc.x is \"" + text + "\", but must be smallest:largest",
                              text);
    }
    read.Set("ranges", "format", 2);
    read.Write(folder);
    DCN_TEST_EXPECT_ERROR(
        DcnTrainedRanges::Read(DcnModelFile::Read(folder, "m4"), MakeQuantities()),
        folder + "/card.json: " + old);
}

/// The unmodelled parameters, and which of them have an effect.
DCN_TEST_CASE(SettingsTestCase, "parameters without features")
{
    const std::set<std::string> modelled{"cc",
                                         "payload_bytes",
                                         "window_bytes",
                                         "min_rate_bps",
                                         "ecn_reference_rate_bps",
                                         "ecn_kmin_bytes",
                                         "ecn_kmax_bytes",
                                         "buffer_bytes",
                                         "pfc",
                                         "timely_low_ns",
                                         "timely_high_ns",
                                         "hpcc_eta",
                                         "hpcc_additive_increase_bps"};
    const DcnUnmodelledKeys all("payload_bytes");
    std::set<std::string> keys = modelled;
    const auto quantities = all.GetQuantities("host rate", 0.25); // rates are divided by a rate
    const std::string perRate = " / host rate";
    std::vector<std::string> names; // of the keys
    for (const auto& quantity : quantities)
    {
        const bool isRate = quantity.name.find(perRate) != std::string::npos;
        names.push_back(quantity.name.substr(0, quantity.name.size() - isRate * perRate.size()));
        const std::string& key = names.back();
        NS_TEST_EXPECT_MSG_EQ(keys.insert(key).second, true, key << " once, and unmodelled");
        NS_TEST_EXPECT_MSG_EQ(isRate, (key.find("_bps") != std::string::npos), key);
        NS_TEST_EXPECT_MSG_EQ(quantity.tolerance, 0.25, key);
    }
    for (const std::string& control : DcnScenarioSuite::GetLearnedControls())
    {
        std::set<std::string> without = modelled;
        if (control != "hpcc")
        {
            without.insert("base_rtt_ns");
        }
        if (control == "timely" || control == "hpcc")
        {
            without.insert("ecn_pmax");
        }
        for (const bool pfc : {true, false})
        {
            Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(control);
            config->pfc = pfc;
            config->ecnPmax = 0.3;
            if (!pfc)
            {
                without.insert("pfc_alpha_shift");
            }
            std::set<std::string> expected;
            for (const auto& [key, text] : config->GetKeys())
            {
                if (without.count(key) == 0)
                {
                    expected.insert(key + "=" +
                                    (key == "ecn_pmax" && control == "dctcp" ? "1" : text));
                }
            }
            const auto values = all.GetValues(*config);
            std::set<std::string> found;
            for (std::size_t i = 0; i < values.size(); ++i)
            {
                if (!std::isnan(values[i]))
                {
                    found.insert(names[i] + "=" + DcnToText(values[i]));
                }
            }
            NS_TEST_EXPECT_MSG_EQ((found == expected), true, control << ", PFC " << pfc);
        }
    }
    // without a rate, rates are absent
    const auto values = all.GetValues(*DcnNetworkConfig::Preset("dctcp"));
    std::vector<double> with{7};
    std::vector<double> without;
    all.Append(values, 1e10, with);
    all.Append(values, 0, without);
    NS_TEST_ASSERT_MSG_EQ(quantities.size(), values.size(), "one each");
    for (std::size_t i = 0; i < quantities.size(); ++i)
    {
        const std::string& key = names[i];
        const bool isRate = key != quantities[i].name;
        if (!std::isnan(values[i]))
        {
            // max_rate_bps is 0, no limit: the rate of the links
            const double expected = key == "max_rate_bps" ? 1 : values[i] / (isRate ? 1e10 : 1);
            NS_TEST_EXPECT_MSG_EQ(with[i + 1], expected, key);
            NS_TEST_EXPECT_MSG_EQ(std::isnan(without[i]), isRate, key);
        }
    }
}

/// The card's measured errors; one line of an estimate's warnings.
DCN_TEST_CASE(ExpectedErrorTestCase, "expected errors of a card")
{
    DcnModelFile model("m4");
    NS_TEST_EXPECT_MSG_EQ(DcnTrainedRanges::DescribeExpectedError(model, "dctcp"), "", "none");
    model.Set("expected p99 error", "dctcp inside", 0.0512);
    NS_TEST_EXPECT_MSG_EQ(DcnTrainedRanges::DescribeExpectedError(model, "dctcp"),
                          "with dctcp, p99 errors were 5 % on average inside of it",
                          "only one");
    model.Set("expected p99 error", "dctcp outside", 0.314);
    const std::string expected =
        "with dctcp, p99 errors were 5 % on average inside, 31 % on average outside of it";
    NS_TEST_EXPECT_MSG_EQ(DcnTrainedRanges::DescribeExpectedError(model, "dctcp"), expected, "");
    NS_TEST_EXPECT_MSG_EQ(DcnTrainedRanges::DescribeExpectedError(model, "hpcc"), "", "other one");

    DcnEstimate estimate;
    NS_TEST_EXPECT_MSG_EQ(estimate.DescribeWarnings(), "", "inside");
    estimate.warnings = {"x is 6"};
    NS_TEST_EXPECT_MSG_EQ(estimate.DescribeWarnings(),
                          "outside of the training in 1 quantity: x is 6, so the answer may be far "
                          "off",
                          "without a measured error");
    estimate.warnings.emplace_back("y is 7");
    estimate.expectedError = expected;
    NS_TEST_EXPECT_MSG_EQ(estimate.DescribeWarnings(),
                          "outside of the training in 2 quantities, such as: x is 6; " + expected,
                          "with one");
}

/// The card's margins by regime and control; outside of the training; malformed entries.
DCN_TEST_CASE(MarginsTestCase, "margins of a card")
{
    DcnModelFile model("m4");
    DcnEstimate estimate;
    auto set = [&](const std::string& control, const std::string& regime) {
        DcnTrainedRanges::SetMargins(model, control, regime, estimate);
        return estimate.margins;
    };
    NS_TEST_EXPECT_MSG_EQ(set("hpcc", "small").empty(), true, "none");
    NS_TEST_EXPECT_MSG_EQ(estimate.marginsNote,
                          "the model's card has no errors on networks like \"small\"",
                          "why");
    model.Set("p99 margins", "level", "0.9");
    model.Set("p99 margins", "hpcc all", "0.9:1.25:48");
    model.Set("p99 margins", "hpcc <1KB", "0.8:1:47");
    model.Set("p99 margins", "dctcp all", "1:1.5:48");
    const auto margins = set("hpcc", "anywhere");
    NS_TEST_ASSERT_MSG_EQ(margins.size(), 2, "of hpcc");
    NS_TEST_EXPECT_MSG_EQ(margins[0].sizeClass, "all", "class");
    NS_TEST_EXPECT_MSG_EQ(margins[0].low, 0.9, "low");
    NS_TEST_EXPECT_MSG_EQ(margins[0].high, 1.25, "high");
    NS_TEST_EXPECT_MSG_EQ(margins[0].n, 48, "scenarios");
    NS_TEST_EXPECT_MSG_EQ(margins[1].sizeClass, "<1KB", "class");
    NS_TEST_EXPECT_MSG_EQ(estimate.marginsNote,
                          "hold that of packets with a probability of 90 % on networks like "
                          "\"anywhere\"",
                          "what they say");
    const auto limits = estimate.GetP99Limits("all", 2, 100);
    NS_TEST_ASSERT_MSG_EQ(limits.has_value(), true, "limits");
    NS_TEST_EXPECT_MSG_EQ_TOL(limits->first, 1.8, 1e-12, "0.9 times 2");
    NS_TEST_EXPECT_MSG_EQ_TOL(limits->second, 2.5, 1e-12, "1.25 times 2");
    NS_TEST_EXPECT_MSG_EQ(estimate.GetP99Limits("<1KB", 1.1, 100)->first, 1, "a slowdown");
    NS_TEST_EXPECT_MSG_EQ(estimate.GetP99Limits("all", 2, 99).has_value(), false, "few flows");
    NS_TEST_EXPECT_MSG_EQ(estimate.GetP99Limits("1-10KB", 2, 100).has_value(), false, "no margin");
    NS_TEST_EXPECT_MSG_EQ(set("hpcc", "small").empty(), true, "measured elsewhere");

    // those of the control before those of all
    model.Set("p99 margins", "small any all", "0.5:2:48");
    model.Set("p99 margins", "small any <1KB", "0.6:3:40");
    model.Set("p99 margins", "small hpcc all", "0.7:1.5:20");
    const auto small = set("hpcc", "small");
    NS_TEST_ASSERT_MSG_EQ(small.size(), 2, "two classes");
    NS_TEST_EXPECT_MSG_EQ(small[0].high, 1.5, "of hpcc");
    NS_TEST_EXPECT_MSG_EQ(small[1].high, 3, "of all controls");
    NS_TEST_EXPECT_MSG_EQ(set("timely", "small")[0].high, 2, "of all controls");
    NS_TEST_EXPECT_MSG_EQ(set("hpcc", "anywhere")[0].high, 1.25, "of a former card");

    // outside of the training
    estimate.warnings = {"x is 9"};
    NS_TEST_EXPECT_MSG_EQ(set("hpcc", "small").empty(), true, "not those of inside");
    NS_TEST_EXPECT_MSG_EQ(estimate.marginsNote,
                          "the model's card has no errors on networks like \"small\" outside of the "
                          "training, where this scenario is: x is 9",
                          "why");
    NS_TEST_EXPECT_MSG_EQ(estimate.GetP99Limits("all", 2, 100).has_value(), false, "no limits");
    model.Set("p99 margins outside", "small any all", "0.2:5:19");
    NS_TEST_ASSERT_MSG_EQ(set("hpcc", "small").size(), 1, "wider");
    NS_TEST_EXPECT_MSG_EQ(estimate.margins[0].high, 5, "wider");
    NS_TEST_EXPECT_MSG_EQ(estimate.marginsNote.find("held that of packets in 90 % of 19 or more"),
                          0,
                          "no probability: " << estimate.marginsNote);
    estimate.warnings.clear();
    for (const std::string bad : {"1.2:1:48", "0:1:48", "0.9:1.1", "a:1:48"})
    {
        model.Set("p99 margins", "fast timely all", bad);
        DCN_TEST_EXPECT_ERROR(
            set("timely", "fast"),
            model.Where() +
                "the p99 margin \"fast timely all\" must be low:high:scenarios with 0 < low "
                "<= high, but it is " +
                bad);
    }
}

/// What a method does not model is said after the quantities outside of the training.
DCN_TEST_CASE(NotModelledTestCase, "what a method does not model is named")
{
    DcnEstimate estimate;
    estimate.notModelled = {"queues fill"};
    const std::string rest =
        "queues fill. The method does not model this, so the answer may be far off";
    NS_TEST_EXPECT_MSG_EQ(estimate.DescribeWarnings(), rest, "alone");
    estimate.warnings = {"x is 6"};
    NS_TEST_EXPECT_MSG_EQ(estimate.DescribeWarnings(),
                          "outside of the training in 1 quantity: x is 6, so the answer may be far "
                          "off; " +
                              rest,
                          "both");
}

/// A monitor warns once of each quantity.
DCN_TEST_CASE(MonitorTestCase, "one warning of each quantity")
{
    const std::string x = "x is 9, but was from 2 to 4 in training with dctcp";
    const std::string load = "load is 5, but was from 0 to 3 in training";
    DcnRangeMonitor monitor(MakeRanges(), "m4");
    std::string text;
    {
        const DcnTestStderr printed;
        monitor.Check({"dctcp", {3, NONE, NONE, NONE}});
        monitor.Check({"dctcp", {9, NONE, NONE, NONE}});
        monitor.Check({"dctcp", {99, NONE, 5, NONE}});
        monitor.Check({"hpcc", {99, NONE, 5, NONE}});
        text = printed.GetText();
    }
    const std::string begin = "m4: outside of the training in ";
    const std::string end = ", so the answer may be far off\n";
    NS_TEST_EXPECT_MSG_EQ(text,
                          begin + "1 quantity: " + x + end + begin + "1 quantity: " + load + end,
                          "on stderr, when they are met");
    {
        const DcnTestStderr printed;
        DcnRangeMonitor(MakeRanges(), "m4").Check({"dctcp", {9, NONE, 5, NONE}});
        text = printed.GetText();
    }
    NS_TEST_EXPECT_MSG_EQ(text,
                          begin + "2 quantities, such as: " + x + end,
                          "one line for those that are met at once");
    NS_TEST_EXPECT_MSG_EQ((monitor.GetWarnings() == std::vector<std::string>{x, load}),
                          true,
                          "kept");
    NS_TEST_EXPECT_MSG_EQ(monitor.IsEmpty(), false, "a model that was trained");
    DcnRangeMonitor untrained{DcnTrainedRanges(MakeQuantities())};
    untrained.Check({"timely", {99, 99, 99, 99}});
    NS_TEST_EXPECT_MSG_EQ((untrained.IsEmpty() && untrained.GetWarnings().empty()),
                          true,
                          "a model that was not trained");
    DCN_TEST_EXPECT_ERROR(
        monitor.Check({"timely", {3, 4, 1, 0.5}}),
        "the model was not trained on the congestion control timely, only on dctcp, hpcc");
}

/// Bytes are divided by R T, times by T and rates by R; thresholds are those of a port of rate R.
DCN_TEST_CASE(RatiosTestCase, "configurations without units")
{
    const auto network = DcnNetworkConfig::Preset("dctcp");
    network->SetKeys("payload_bytes=952,ecn_kmin_bytes=10000,ecn_kmax_bytes=30000,"
                     "ecn_reference_rate_bps=20000000000,min_rate_bps=100000000");
    network->SetOwn("timely_low_ns", 5'000);
    network->SetOwn("timely_high_ns", 30'000);
    network->SetOwn("hpcc_additive_increase_bps", 2e9);
    const DcnNetworkRatios ratios(*network, 40e9, 10'000);
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.bdpBytes, 50'000, 1e-6, "40 Gb/s x 10 us");
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.kMin, 0.4, 1e-12, "10000 at 20 Gb/s, 20000 at 40");
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.kMax, 1.2, 1e-12, "Kmax");
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.packet, 0.02, 1e-12, "952 + 48 bytes");
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.timelyLow, 0.5, 1e-12, "Tlow / T");
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.timelyHigh, 3, 1e-12, "Thigh / T");
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.additiveIncrease, 0.05, 1e-12, "2 of 40 Gb/s");
    NS_TEST_EXPECT_MSG_EQ_TOL(ratios.minRate, 0.0025, 1e-12, "0.1 of 40 Gb/s");
    network->SetOwn("hpcc_additive_increase_bytes", 70);
    NS_TEST_EXPECT_MSG_EQ_TOL(DcnNetworkRatios(*network, 40e9, 9'000).additiveIncrease,
                              62'222'222 / 40e9,
                              1e-15,
                              "70 bytes per 9 us in whole bit/s, as DcnHpcc has them");
}

DcnTestSuite<CheckTestCase,
             FindingsTestCase,
             CardTestCase,
             SettingsTestCase,
             ExpectedErrorTestCase,
             MarginsTestCase,
             NotModelledTestCase,
             MonitorTestCase,
             RatiosTestCase>
    g_dcnTrainedRangesTestSuite("dcn-trained-ranges"); //!< the suite

} // namespace
