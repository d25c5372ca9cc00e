/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../test/dcn-test-error.h"

#include "ns3/dcn-data-path.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-estimator.h"
#include "ns3/m4-network.h"
#include "ns3/m4-range.h"
#include "ns3/m4-session.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param cc congestion control
 * @param changes of the configuration, as DcnNetworkConfig::SetKeys
 * @param nFlows number of flows
 * @return web-server flows on the default fabric
 */
Ptr<const DcnScenario>
MakeScenario(const std::string& cc, const std::string& changes = "", uint32_t nFlows = 300)
{
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
    config->SetKeys(changes);
    return DcnScenario::CreateWithPaths(topology,
                                        config,
                                        std::move(workload.flows),
                                        std::move(workload.paths));
}

/**
 * @param ranges of the training
 * @return an untrained model with them in its card
 */
DcnModelFile
MakeModel(const M4Range& ranges)
{
    DcnModelFile model = M4Network::MakeUntrained({8, 1});
    ranges.Write(model);
    return model;
}

/// Catches standard error.
class Catch
{
  public:
    Catch()
        : m_before(std::cerr.rdbuf(m_text.rdbuf()))
    {
    }

    ~Catch()
    {
        std::cerr.rdbuf(m_before);
    }

    /// @return what was written so far
    std::string GetText() const
    {
        return m_text.str();
    }

  private:
    std::ostringstream m_text; //!< see GetText
    std::streambuf* m_before;  //!< where it goes else
};

/// What is said of a scenario.
struct Said
{
    std::string text;                  //!< on standard error
    std::vector<std::string> warnings; //!< of the session

    /// Simulates.
    Said(const DcnModelFile& model, Ptr<const DcnScenario> scenario)
    {
        const Catch caught;
        M4Session session(scenario->GetTopology(), scenario->GetNetwork(), model);
        for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
        {
            session.AdvanceTo(scenario->GetFlows()[i].startNs);
            session.AddFlow(i, scenario->GetPath(i), scenario->GetFlows()[i].sizeBytes);
        }
        text = caught.GetText();
        warnings = session.GetWarnings();
    }
};

/// Ranges hold what was trained on, and go through a card.
class RangesTestCase : public TestCase
{
  public:
    RangesTestCase()
        : TestCase("ranges of scenarios, and of a card")
    {
    }

  private:
    void DoRun() override
    {
        M4Range range;
        NS_TEST_EXPECT_MSG_EQ(range.GetRanges().empty(), true, "nothing seen yet");
        double sizes[2] = {INFINITY, 0};
        double windows[2] = {INFINITY, 0};
        for (const double window : {6000.0, 24000.0})
        {
            auto scenario =
                MakeScenario("dctcp", "window_bytes=" + std::to_string(static_cast<int>(window)));
            range.Add(*scenario);
            for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
            {
                const auto size = static_cast<double>(scenario->GetFlows()[i].sizeBytes);
                const double bdp =
                    1.25 * static_cast<double>(
                               DcnBaseRttNs(scenario->GetTopology(),
                                            scenario->GetPath(i),
                                            scenario->GetNetwork().payloadBytes + DCN_HEADER_BYTES,
                                            DCN_ACK_BYTES)); // 10 Gb/s
                sizes[0] = std::min(sizes[0], size);
                sizes[1] = std::max(sizes[1], size);
                windows[0] = std::min(windows[0], window / bdp);
                windows[1] = std::max(windows[1], window / bdp);
            }
        }
        range.Add(*MakeScenario("hpcc"));
        const DcnModelFile model = MakeModel(range);
        const M4Range again(model);
        NS_TEST_ASSERT_MSG_EQ(again.GetRanges().size(), 2, "congestion controls");
        for (const M4Range& each : {range, again})
        {
            const auto& dctcp = each.GetRanges().at("dctcp");
            auto expect = [&](const std::string& name, double low, double high) {
                const auto found = dctcp.find(name);
                NS_TEST_ASSERT_MSG_EQ((found != dctcp.end()), true, name << " is there");
                NS_TEST_EXPECT_MSG_EQ_TOL(found->second.low, low, 1e-5 * low, "smallest " << name);
                NS_TEST_EXPECT_MSG_EQ_TOL(found->second.high,
                                          high,
                                          1e-5 * high,
                                          "largest " << name);
            };
            expect("flow size [bytes]", sizes[0], sizes[1]);
            expect("window / BDP", windows[0], windows[1]);
            expect("number of links", 2, 6);
            expect("sender's rate [bit/s]", 1e10, 1e10);
            expect("largest link rate / sender's rate", 1, 4);
            expect("sender's rate / smallest link rate", 1, 1);
            expect("payload_bytes", 1000, 1000);
            NS_TEST_EXPECT_MSG_EQ(dctcp.count("window_bytes"), 0, "a feature tells of it");
            NS_TEST_EXPECT_MSG_EQ(dctcp.count("HPCC's eta"), 0, "not of this one");
            NS_TEST_EXPECT_MSG_EQ(dctcp.count("ecn_pmax"), 1, "marks are part of it");
            NS_TEST_EXPECT_MSG_EQ(each.GetRanges().at("hpcc").count("ecn_pmax"), 0, "not here");
            NS_TEST_EXPECT_MSG_EQ(each.GetRanges().at("hpcc").count("HPCC's eta"), 1, "but this");
        }
        DcnModelFile bad = model;
        bad.Set("range_dctcp", "window / BDP", "3:2");
        DCN_TEST_EXPECT_ERROR(M4Range{bad},
                              "the model's card has range_dctcp.window / BDP of \"3:2\", but it "
                              "must be a number or smallest:largest");
        DcnModelFile lacking = M4Network::MakeUntrained({8, 1});
        lacking.Set("range_dctcp", "payload_bytes", 1000);
        DCN_TEST_EXPECT_ERROR((M4RangeMonitor{lacking, MakeScenario("dctcp", "", 1)->GetNetwork()}),
                              "the model's card has no range_dctcp.flow size [bytes]");
    }
};

/// Warnings: one for each quantity and parameter, with value and range, and no others.
class WarningsTestCase : public TestCase
{
  public:
    WarningsTestCase()
        : TestCase("warnings")
    {
    }

  private:
    void DoRun() override
    {
        M4Range range;
        range.Add(*MakeScenario("dctcp"));
        range.Add(*MakeScenario("dctcp", "window_bytes=10000"));
        const DcnModelFile model = MakeModel(range);
        const M4Range known(model);
        const auto& seen = known.GetRanges().at("dctcp");

        NS_TEST_EXPECT_MSG_EQ(Said(model, MakeScenario("dctcp")).text, "", "as in training");
        NS_TEST_EXPECT_MSG_EQ(Said(model, MakeScenario("dctcp", "window_bytes=12000")).text,
                              "",
                              "between the ends");

        const Said wide(model, MakeScenario("dctcp", "window_bytes=500000"));
        NS_TEST_ASSERT_MSG_EQ(wide.warnings.size(), 1, "once for all flows: " << wide.text);
        std::ostringstream end;
        end.precision(4);
        end << "but was from " << seen.at("window / BDP").low << " to "
            << seen.at("window / BDP").high << " in training";
        NS_TEST_EXPECT_MSG_EQ((wide.warnings[0].find("window / BDP is ") == 0 &&
                               wide.warnings[0].find(end.str()) != std::string::npos),
                              true,
                              "quantity and range: " << wide.warnings[0]);
        NS_TEST_EXPECT_MSG_EQ(wide.text,
                              "m4: " + wide.warnings[0] + ": the answer may be far off\n",
                              "on standard error");

        // what no feature tells of
        const Said untold(model, MakeScenario("dctcp", "dctcp_g=0.9,ack_high_priority=0"));
        NS_TEST_ASSERT_MSG_EQ(untold.warnings.size(), 2, "two parameters: " << untold.text);
        NS_TEST_EXPECT_MSG_EQ(untold.warnings[0],
                              "ack_high_priority is 0, but was 1 in training, and is nothing that "
                              "the model is told",
                              "one");
        NS_TEST_EXPECT_MSG_EQ(untold.warnings[1],
                              "dctcp_g is 0.9, but was 0.0625 in training, and is nothing that the "
                              "model is told",
                              "the other");

        DCN_TEST_EXPECT_ERROR(Said(model, MakeScenario("timely")),
                              "the model was not trained on the congestion control timely, only on "
                              "dctcp");
        NS_TEST_EXPECT_MSG_EQ(
            Said(M4Network::MakeUntrained({8, 1}), MakeScenario("dctcp", "dctcp_g=0.9")).text,
            "",
            "a model that was not trained has no range");
        // the method and the network inside a simulation say the same
        const std::string folder = CreateTempDirFilename("m4-range");
        model.Write(folder);
        auto method = CreateObject<M4Estimator>();
        method->SetAttribute("Model", StringValue(folder));
        DCN_TEST_EXPECT_ERROR(method->Estimate(MakeScenario("hpcc")),
                              "the model was not trained on the congestion control hpcc, only on "
                              "dctcp");
        DcnFlowNetworkHelper helper("m4");
        helper.SetNetworkAttribute("Model", StringValue(folder));
        helper.SetConfig(DcnNetworkConfig::Preset("hpcc"));
        DCN_TEST_EXPECT_ERROR(helper.Install(DcnTopologyHelper::Create(DcnFabricParameters())),
                              "the model was not trained on the congestion control hpcc, only on "
                              "dctcp");
        std::string text;
        DcnEstimate estimate;
        {
            const Catch caught;
            estimate = method->Estimate(MakeScenario("dctcp", "window_bytes=500000"));
            text = caught.GetText();
        }
        NS_TEST_EXPECT_MSG_EQ(text, wide.text, "by the method");
        NS_TEST_EXPECT_MSG_EQ((estimate.provenance.find("1 quantities outside the training's "
                                                        "range") != std::string::npos),
                              true,
                              "provenance: " << estimate.provenance);
        Simulator::Destroy();
    }
};

/// The shipped model knows the presets of the four congestion controls.
class ShippedTestCase : public TestCase
{
  public:
    ShippedTestCase()
        : TestCase("the shipped model's range")
    {
    }

  private:
    void DoRun() override
    {
        const DcnModelFile model = DcnModelFile::Read(DcnDataPath("models/m4"), "m4");
        for (const std::string& cc : DcnNetworkConfig::GetCongestionControls())
        {
            NS_TEST_EXPECT_MSG_EQ(Said(model, MakeScenario(cc)).text, "", "defaults of " << cc);
        }
        const Said small(model, MakeScenario("dctcp", "window_bytes=1000"));
        NS_TEST_EXPECT_MSG_EQ((small.text.find("m4: window / BDP is ") == 0),
                              true,
                              "a window of one packet: " << small.text);
        const Said large(model, MakeScenario("dctcp", "payload_bytes=4000"));
        NS_TEST_EXPECT_MSG_EQ((large.text.find("m4: payload_bytes is 4000, but was 1000 in ") == 0),
                              true,
                              "jumbo frames: " << large.text);
    }
};

/// The suite.
class M4RangeTestSuite : public TestSuite
{
  public:
    M4RangeTestSuite()
        : TestSuite("m4-range", Type::UNIT)
    {
        AddTestCase(new RangesTestCase);
        AddTestCase(new WarningsTestCase);
        AddTestCase(new ShippedTestCase);
    }
};

M4RangeTestSuite g_m4RangeTestSuite; //!< the suite

} // namespace
