/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/m4-default-network.h"
#include "../model/session/m4-estimator.h"
#include "../model/session/m4-range-features.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-session.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param cc congestion control
 * @param changes of the configuration, as DcnNetworkConfig::SetKeys
 * @param nFlows number of flows
 * @param rateBps of hosts; switches have four times as much
 * @return web-server flows on the default fabric
 */
Ptr<const DcnScenario>
MakeScenario(const std::string& cc,
             const std::string& changes = "",
             uint32_t nFlows = 300,
             uint64_t rateBps = 10'000'000'000)
{
    DcnFabricParameters fabric;
    fabric.hostRate = DataRate(rateBps);
    fabric.fabricRate = DataRate(4 * rateBps);
    Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc, rateBps);
    config->SetKeys(changes);
    return DcnMakeTestScenario(topology, spec, config);
}

/**
 * @param scenarios of a training
 * @return their ranges
 */
DcnTrainedRanges
Learn(const std::vector<Ptr<const DcnScenario>>& scenarios)
{
    DcnTrainedRanges ranges(M4RangeFeatures::GetQuantities());
    for (const auto& scenario : scenarios)
    {
        M4RangeFeatures::Learn(*scenario, ranges);
    }
    return ranges;
}

/**
 * @param ranges of the training
 * @return an untrained model with them in its card
 */
DcnModelFile
MakeModel(const DcnTrainedRanges& ranges)
{
    DcnModelFile model = M4DefaultNetwork::MakeUntrained(8);
    ranges.Write(model);
    return model;
}

/// Warnings about a scenario.
struct Said
{
    std::string text;                  //!< on standard error
    std::vector<std::string> warnings; //!< of the session

    /// Simulates.
    Said(const DcnModelFile& model, Ptr<const DcnScenario> scenario)
    {
        const DcnTestStderr caught;
        M4Session session(scenario->GetTopology(), scenario->GetNetwork(), model, "m4");
        for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
        {
            session.AdvanceTo(scenario->GetFlows()[i].startNs);
            session.AddFlow(i, scenario->GetPath(i), scenario->GetFlows()[i].sizeBytes);
        }
        text = caught.GetText();
        warnings = session.GetWarnings();
    }
};

/// Ranges hold what was trained on.
DCN_TEST_CASE(RangesTestCase, "ranges of scenarios")
{
    constexpr double PACKET = 1000 + DCN_HEADER_BYTES;
    std::vector<Ptr<const DcnScenario>> scenarios;
    DcnTrainedRanges::Range size;
    DcnTrainedRanges::Range window;
    DcnTrainedRanges::Range rtt;
    for (const double bytes : {6000.0, 24000.0})
    {
        const std::string change = "window_bytes=" + std::to_string(static_cast<int>(bytes));
        scenarios.push_back(MakeScenario("dctcp", change));
        const DcnScenario& scenario = *scenarios.back();
        for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
        {
            const auto sizeBytes = static_cast<double>(scenario.GetFlows()[i].sizeBytes);
            const auto rttNs = static_cast<double>(DcnBaseRttNs(scenario.GetTopology(),
                                                                scenario.GetPath(i),
                                                                static_cast<uint32_t>(PACKET),
                                                                DCN_ACK_BYTES));
            size.Add({sizeBytes, sizeBytes});
            rtt.Add({rttNs, rttNs});
            window.Add({bytes / (1.25 * rttNs), bytes / (1.25 * rttNs)}); // 10 Gb/s
        }
    }
    scenarios.push_back(MakeScenario("hpcc"));
    scenarios.push_back(MakeScenario("timely"));
    const DcnTrainedRanges ranges = Learn(scenarios);
    auto expect = [&](const std::string& cc, const std::string& name, double low, double high) {
        const auto range = ranges.Get(cc, name);
        NS_TEST_EXPECT_MSG_EQ_TOL(range.low, low, 1e-12 * low, "smallest " << name);
        NS_TEST_EXPECT_MSG_EQ_TOL(range.high, high, 1e-12 * high, "largest " << name);
    };
    expect("dctcp", "flow size [bytes]", size.low, size.high);
    expect("dctcp", "window / BDP", window.low, window.high);
    expect("dctcp", "base RTT [ns]", rtt.low, rtt.high);
    // the preset: K of 20000 bytes at 10 Gb/s, a buffer of 409600 bytes
    expect("dctcp", "Kmin / BDP", 16000 / rtt.high, 16000 / rtt.low);
    expect("dctcp", "Kmax / BDP", 16000 / rtt.high, 16000 / rtt.low);
    expect("dctcp", "switch buffer / BDP", 327680 / rtt.high, 327680 / rtt.low);
    expect("dctcp", "pfc", 1, 1);
    expect("dctcp", "number of links", 2, 6);
    expect("dctcp", "sender's rate [bit/s]", 1e10, 1e10);
    expect("dctcp", "largest link rate / sender's rate", 1, 4);
    expect("dctcp", "sender's rate / smallest link rate", 1, 1);
    expect("dctcp", "smallest rate of flows / sender's rate", 0.1, 0.1);
    expect("dctcp", "payload_bytes", 1000, 1000);
    expect("dctcp", "ecn_pmax", 1, 1);
    expect("dctcp", "dctcp_additive_increase_bps / sender's rate", 0.0615, 0.0615);
    const auto hpcc = DcnNetworkConfig::Preset("hpcc");
    const double increase = hpcc->GetOwn("hpcc_additive_increase_bps") / 1e10;
    expect("hpcc", "HPCC's eta", hpcc->GetOwn("hpcc_eta"), hpcc->GetOwn("hpcc_eta"));
    expect("hpcc", "HPCC's additive increase / sender's rate", increase, increase);
    const auto timely = DcnNetworkConfig::Preset("timely");
    const auto lowNs = timely->GetOwn("timely_low_ns");
    const auto highNs = timely->GetOwn("timely_high_ns");
    expect("timely", "TIMELY's Tlow / base RTT", lowNs / rtt.high, lowNs / rtt.low);
    expect("timely", "TIMELY's Thigh / base RTT", highNs / rtt.high, highNs / rtt.low);
    for (const auto& [cc, name] : {std::make_pair("dctcp", "HPCC's eta"),
                                   std::make_pair("dctcp", "TIMELY's Tlow / base RTT"),
                                   std::make_pair("dctcp", "base_rtt_ns"),
                                   std::make_pair("hpcc", "ecn_pmax"),
                                   std::make_pair("hpcc", "Kmin / BDP"),
                                   std::make_pair("dcqcn", "flow size [bytes]")})
    {
        NS_TEST_EXPECT_MSG_EQ(ranges.Get(cc, name).IsEmpty(), true, cc << " has no " << name);
    }
    for (const auto& quantity : M4RangeFeatures::GetQuantities())
    {
        NS_TEST_EXPECT_MSG_NE(quantity.name, "window_bytes", "a feature");
    }
}

/// Warnings: one for each quantity and parameter, with value and range, and no others.
DCN_TEST_CASE(WarningsTestCase, "warnings")
{
    const DcnTrainedRanges ranges =
        Learn({MakeScenario("dctcp"), MakeScenario("dctcp", "window_bytes=10000")});
    const DcnModelFile model = MakeModel(ranges);

    NS_TEST_EXPECT_MSG_EQ(Said(model, MakeScenario("dctcp")).text, "", "as in training");
    NS_TEST_EXPECT_MSG_EQ(Said(model, MakeScenario("dctcp", "window_bytes=12000")).text,
                          "",
                          "between the ends");

    const Said wide(model, MakeScenario("dctcp", "window_bytes=500000"));
    NS_TEST_ASSERT_MSG_EQ(wide.warnings.size(), 1, "once for all flows: " << wide.text);
    NS_TEST_EXPECT_MSG_EQ((wide.warnings[0].find("window / BDP is ") == 0 &&
                           wide.warnings[0].find(" in training with dctcp") != std::string::npos),
                          true,
                          "quantity and range: " << wide.warnings[0]);
    const std::string line = "m4: outside of the training in 1 quantity: " + wide.warnings[0] +
                             ", so the answer may be far off\n";
    NS_TEST_EXPECT_MSG_EQ(wide.text, line, "on standard error");

    // parameters that are no features
    const Said unmodelled(model, MakeScenario("dctcp", "dctcp_g=0.9,ack_high_priority=0"));
    NS_TEST_ASSERT_MSG_EQ(unmodelled.warnings.size(), 2, "two parameters: " << unmodelled.text);
    const std::string which = ", which is no feature of the model, is ";
    NS_TEST_EXPECT_MSG_EQ(unmodelled.warnings[0],
                          "ack_high_priority" + which +
                              "0, but was always 1 in training with dctcp",
                          "one");
    NS_TEST_EXPECT_MSG_EQ(unmodelled.warnings[1],
                          "dctcp_g" + which + "0.9, but was always 0.0625 in training with dctcp",
                          "the other");

    DCN_TEST_EXPECT_ERROR(Said(model, MakeScenario("timely")),
                          "the model was not trained on the congestion control timely, only on "
                          "dctcp");
    NS_TEST_EXPECT_MSG_EQ(
        Said(M4DefaultNetwork::MakeUntrained(8), MakeScenario("dctcp", "dctcp_g=0.9")).text,
        "",
        "a model that was not trained has no range");
    // the method and the network inside a simulation say the same
    const std::string folder = CreateTempDirFilename("m4-range");
    model.Write(folder);
    auto method = CreateObject<M4Estimator>();
    method->SetAttribute("Model", StringValue(folder));
    DCN_TEST_EXPECT_ERROR(method->Check(MakeScenario("dctcp")), "no error");
    DCN_TEST_EXPECT_ERROR(method->Check(MakeScenario("hpcc")),
                          "the model was not trained on the congestion control hpcc, only on "
                          "dctcp");
    DCN_TEST_EXPECT_ERROR(method->Estimate(MakeScenario("hpcc")),
                          "the model was not trained on the congestion control hpcc, only on "
                          "dctcp");
    DcnFlowNetworkHelper helper("m4");
    helper.SetNetworkAttribute("Model", StringValue(folder));
    helper.SetConfig(DcnNetworkConfig::Preset("hpcc"));
    DCN_TEST_EXPECT_ERROR(helper.Install(DcnBuildTopology(DcnFabricParameters())),
                          "the model was not trained on the congestion control hpcc, only on "
                          "dctcp");
    std::string text;
    DcnEstimate estimate;
    {
        const DcnTestStderr caught;
        estimate = method->Estimate(MakeScenario("dctcp", "window_bytes=500000"));
        text = caught.GetText();
    }
    NS_TEST_EXPECT_MSG_EQ(text, line, "by the method, in one line");
    NS_TEST_EXPECT_MSG_EQ((estimate.warnings == wide.warnings), true, "for programs");
    NS_TEST_EXPECT_MSG_EQ((estimate.provenance.find("1 quantities outside the training's "
                                                    "range") != std::string::npos),
                          true,
                          "provenance: " << estimate.provenance);
    Simulator::Destroy();
}

/// Rates that are no features are compared as ratios to the sender's rate.
DCN_TEST_CASE(RatesTestCase, "rates of two networks")
{
    constexpr uint64_t FAST = 25'000'000'000;
    const DcnTrainedRanges ranges =
        Learn({MakeScenario("dctcp"), MakeScenario("dctcp", "", 300, FAST)});
    // 615 Mb/s at 10 Gb/s; presets scale with the rate
    const auto range = ranges.Get("dctcp", "dctcp_additive_increase_bps / sender's rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(range.low, 0.0615, 1e-12, "smallest ratio");
    NS_TEST_EXPECT_MSG_EQ_TOL(range.high, 0.0615, 1e-12, "largest ratio");
    const DcnModelFile model = MakeModel(ranges);
    NS_TEST_EXPECT_MSG_EQ(Said(model, MakeScenario("dctcp", "", 300, FAST)).text,
                          "",
                          "the preset of the faster network");
    // each has the increase of the other, in bit/s: within what was seen, but not the ratio
    const std::string slow = "dctcp_additive_increase_bps=615000000";
    const std::string fast = "dctcp_additive_increase_bps=1537500000";
    const std::string name = "dctcp_additive_increase_bps / sender's rate, which is no "
                             "feature of the model, is ";
    const std::string was = ", but was always 0.0615 in training with dctcp";
    const Said slower(model, MakeScenario("dctcp", slow, 300, FAST));
    NS_TEST_ASSERT_MSG_EQ(slower.warnings.size(), 1, "once for all flows: " << slower.text);
    NS_TEST_EXPECT_MSG_EQ(slower.warnings[0], name + "0.0246" + was, "0.615 / 25");
    const Said faster(model, MakeScenario("dctcp", fast));
    NS_TEST_ASSERT_MSG_EQ(faster.warnings.size(), 1, "once for all flows: " << faster.text);
    NS_TEST_EXPECT_MSG_EQ(faster.warnings[0], name + "0.154" + was, "1.5375 / 10");
}

/// The shipped model knows the presets of the four congestion controls.
DCN_TEST_CASE(ShippedTestCase, "the shipped model's range")
{
    const DcnModelFile model = DcnModelFile::Read(DcnDataPath("models/m4"), "m4");
    for (const std::string& cc : DcnScenarioSuite::GetLearnedControls())
    {
        NS_TEST_EXPECT_MSG_EQ(Said(model, MakeScenario(cc)).text, "", "defaults of " << cc);
    }
    const Said slow(model,
                    MakeScenario("timely",
                                 "timely_hyper_increase_bps=5000000,"
                                 "timely_additive_increase_bps=1000000"));
    NS_TEST_ASSERT_MSG_EQ(slow.warnings.size(), 2, "a tenth of the preset: " << slow.text);
    NS_TEST_EXPECT_MSG_EQ(slow.warnings[0],
                          "timely_additive_increase_bps / sender's rate, which is no feature "
                          "of the model, is 0.0001, but was always 0.001 in training with timely",
                          "one of them");
    const Said small(model, MakeScenario("dctcp", "window_bytes=1000"));
    NS_TEST_EXPECT_MSG_EQ((small.warnings.at(0).find("window / BDP is ") == 0),
                          true,
                          "a window of one packet: " << small.text);
    const Said large(model, MakeScenario("dctcp", "payload_bytes=4000"));
    NS_TEST_EXPECT_MSG_EQ(
        (large.warnings.at(0).find("payload_bytes, which is no feature of the model, is "
                                   "4000, but was always 1000 in ") == 0),
        true,
        "jumbo frames: " << large.text);
}

DcnTestSuite<RangesTestCase, WarningsTestCase, RatesTestCase, ShippedTestCase> g_m4RangeTestSuite(
    "m4-range"); //!< the suite

} // namespace
