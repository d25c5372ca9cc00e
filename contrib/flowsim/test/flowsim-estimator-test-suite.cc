/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulation/flowsim-estimator.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-topology.h"
#include "ns3/double.h"
#include "ns3/flowsim-fluid-model.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param size size of the flow [bytes]
 * @param keys changes of the preset
 * @return a flow alone on a path of six 10 Gb/s links of 1 us, window 18,000 bytes
 */
Ptr<const DcnScenario>
MakeSixHops(uint64_t size, const std::string& keys = "")
{
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->SetKeys(keys);
    DcnFabricParameters parameters;
    parameters.fabricRate = parameters.hostRate;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    const uint32_t last = topology->GetHosts().back();
    return DcnScenario::Create(topology,
                               network,
                               {{0, topology->GetHosts().front(), last, size, 0}});
}

/// @return completion times [ns]
std::vector<int64_t>
Estimate(Ptr<const DcnScenario> scenario, const std::string& name)
{
    return DcnEstimator::CreateByName(name)->Estimate(scenario).fctNs;
}

/// A flow alone takes its ideal completion time, whatever the link efficiency.
DCN_TEST_CASE(FlowAloneTestCase, "A flow alone has slowdown exactly 1")
{
    for (uint64_t size : {1, 999, 1000, 1001, 123456, 100000000})
    {
        for (const std::string maxRate : {"0", "3000000000", "40000000000"})
        {
            auto scenario =
                DcnMakeDumbbellScenario({{0, 0, 2, size, 0}}, "max_rate_bps=" + maxRate);
            for (const char* name : {"flowsim", "flowsim:LinkEfficiency=0.7"})
            {
                NS_TEST_EXPECT_MSG_EQ(Estimate(scenario, name)[0],
                                      scenario->GetIdealFct(0).GetTotalNs(),
                                      size << " bytes, " << maxRate << ", " << name);
            }
        }
    }
}

/// A window below the bandwidth-delay product slows a flow down as in the packet engine.
DCN_TEST_CASE(WindowCapTestCase, "The window caps the rate, as in the packet engine")
{
    // T = floor(6 x (1000 + 838.4 + 1000 + 48)) = 17318 ns, 18 packets of 838.4 ns per T: 10 Mbyte
    // take 555 rounds that idle for 2226.8 ns each, and 17318 / 15091.2 times as long.
    auto scenario = MakeSixHops(10000000);
    const auto ideal = static_cast<double>(scenario->GetIdealFct(0).GetTotalNs());
    const auto fct = static_cast<double>(Estimate(scenario, "flowsim:WindowCap=true:IdleTimes=false")[0]);
    NS_TEST_EXPECT_MSG_EQ_TOL(fct - ideal, 555 * 2226.8, 1, "idle time");
    NS_TEST_EXPECT_MSG_EQ_TOL(fct / ideal, 1.1475, 0.001, "slowdown");
    // 10 Gb/s x 17318 ns are 21,647.5 bytes: 0.83 of them are 18 packets, too; a whole one or more
    // does not hold a flow up
    const auto products = [](const std::string& keys) {
        return static_cast<double>(
            Estimate(MakeSixHops(10000000, keys), "flowsim:WindowCap=true:IdleTimes=false")[0]);
    };
    NS_TEST_EXPECT_MSG_EQ(products("window_bdp=0.83"), fct, "0.83 products");
    NS_TEST_EXPECT_MSG_EQ_TOL(products("window_bdp=0.41") / ideal, 17318 / 838.4 / 9, 0.01, "0.41");
    NS_TEST_EXPECT_MSG_EQ(products("window_bdp=1"), ideal, "one product");
    NS_TEST_EXPECT_MSG_EQ(products("window_bdp=0.83,max_rate_bps=5000000000"),
                          products("window_bytes=9000,max_rate_bps=5000000000"),
                          "of the flow's largest rate");
    const auto names = DcnEstimator::GetNames();
    const bool hasPackets = std::find(names.begin(), names.end(), "packet") != names.end();
    for (uint64_t size : {1000, 18000, 19000, 36000, 37000, 500000, 10000000})
    {
        scenario = MakeSixHops(size);
        const int64_t capped = Estimate(scenario, "flowsim:WindowCap=true:IdleTimes=false")[0];
        if (size <= 18000)
        {
            NS_TEST_EXPECT_MSG_EQ(capped,
                                  scenario->GetIdealFct(0).GetTotalNs(),
                                  "what fits into a window is not held up, " << size);
        }
        if (hasPackets) // the module dcn-packet is built, too
        {
            const int64_t truth = Estimate(scenario, "packet")[0];
            Simulator::Destroy();
            // The packet engine counts in whole nanoseconds, so that each of the packets that
            // delay the next window may be 0.4 ns early. Sizes are whole packets: a short last
            // one leaves the last links sooner than the ideal time says.
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(capped),
                                      static_cast<double>(truth),
                                      1 + 0.4 * static_cast<double>(size / 1000),
                                      "packet engine, " << size);
        }
    }
    // Two flows on one path get 5 Gb/s each, which is below the cap: nobody waits for a window,
    // and the delay by sharing is measured from the capped rate.
    DcnFabricParameters parameters;
    parameters.fabricRate = parameters.hostRate;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    const uint32_t src = topology->GetHosts().front();
    const uint32_t dst = topology->GetHosts().back();
    scenario = DcnScenario::Create(topology,
                                   DcnNetworkConfig::Preset("dctcp"),
                                   {{0, src, dst, 10000000, 0}, {1, src, dst, 10000000, 0}});
    const double capped = static_cast<double>(Estimate(scenario, "flowsim:WindowCap=1")[0]);
    const double plain = static_cast<double>(Estimate(scenario, "flowsim")[0]);
    NS_TEST_EXPECT_MSG_EQ_TOL(capped / plain, 1, 1e-3, "a cap above the share has no effect");
    // without a window there is no cap
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = 0;
    scenario = DcnScenario::Create(topology, network, {{0, src, dst, 10000000, 0}});
    NS_TEST_EXPECT_MSG_EQ(Estimate(scenario, "flowsim:WindowCap=true:IdleTimes=false")[0],
                          scenario->GetIdealFct(0).GetTotalNs(),
                          "no window");
}

/// Two flows that share a link, by hand.
DCN_TEST_CASE(SharedLinkTestCase, "Weights and link efficiency scale the delay by sharing")
{
    // Two flows of 1 Mbyte, 8,384,000 bits on the wire, on one link of 10 Gb/s: alone 838,400
    // ns, together twice that. With efficiency e both times are 1/e as long.
    const double alone = 838400;
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000000, 0}, {1, 1, 3, 1000000, 0}});
    const int64_t ideal = scenario->GetIdealFct(0).GetTotalNs();
    auto delay = [&](const std::vector<int64_t>& fctNs, std::size_t flow) {
        return static_cast<double>(fctNs[flow] - ideal);
    };
    for (double efficiency : {1.0, 0.5, 0.9})
    {
        const auto fctNs =
            Estimate(scenario, "flowsim:LinkEfficiency=" + std::to_string(efficiency));
        NS_TEST_EXPECT_MSG_EQ_TOL(delay(fctNs, 0), alone / efficiency, 1, "first flow");
        NS_TEST_EXPECT_MSG_EQ_TOL(delay(fctNs, 1), alone / efficiency, 1, "second flow");
    }
    // Weights 3 and 1: the heavy flow takes 4/3 of its time alone, the light one twice.
    Ptr<FlowsimEstimator> flowsim = CreateObject<FlowsimEstimator>();
    flowsim->SetWeight([](const DcnFlow& flow) { return flow.id == 0 ? 3.0 : 1.0; });
    const auto fctNs = flowsim->Estimate(scenario).fctNs;
    NS_TEST_EXPECT_MSG_EQ_TOL(delay(fctNs, 0), alone / 3, 1, "heavy flow");
    NS_TEST_EXPECT_MSG_EQ_TOL(delay(fctNs, 1), alone, 1, "light flow");
    NS_TEST_EXPECT_MSG_EQ(flowsim->GetStatistics().nEvents, 4, "arrivals and completions");
}

DCN_TEST_CASE(AttributeTextTestCase, "Methods are made with attributes by text")
{
    // Checks that something is refused.
    const auto expectRefusal = [&](const std::function<void()>& action,
                                   const std::string& sentence) {
        NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf(action), sentence, "sentence");
    };
    auto make = [](const std::string& name) {
        return [name]() { DcnEstimator::CreateByName(name); };
    };
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000, 0}});
    const std::string name = "flowsim:WindowCap=true:LinkEfficiency=0.95";
    Ptr<DcnEstimator> method = DcnEstimator::CreateByName(name);
    NS_TEST_EXPECT_MSG_EQ(method->GetName(), "flowsim", "name");
    const DcnEstimate estimate = method->Estimate(scenario);
    NS_TEST_EXPECT_MSG_EQ(estimate.method, name, "label");
    NS_TEST_EXPECT_MSG_EQ(estimate.provenance,
                          "max-min fair fluid simulation, window cap, link efficiency 0.95",
                          "provenance");
    NS_TEST_EXPECT_MSG_EQ(CreateObject<FlowsimEstimator>()->Estimate(scenario).method,
                          "flowsim",
                          "label of an object that was not made by name");

    const std::string twice = " is given twice: give it once";
    const std::string colon = " has no attribute behind it: give one, or no colon";
    expectRefusal(make("flowsim:WindowCap=true:IdleTimes=true:WindowCap=false"),
                  "the attribute WindowCap of the method \"flowsim\"" + twice);
    expectRefusal(make("flowsim:"), "a colon of the method \"flowsim\"" + colon);
    expectRefusal(make("flowsim:WindowCap=true:"), "a colon of the method \"flowsim\"" + colon);
    for (const auto& [engine, sentence] :
         {std::pair("flowsim:WindowCap=true:WindowCap=true",
                    "the attribute WindowCap of the engine \"flowsim\"" + twice),
          std::pair("flowsim:", "a colon of the engine \"flowsim\"" + colon)})
    {
        const std::string name = engine;
        expectRefusal([&]() { DcnFlowNetworkHelper(name).Install(scenario->GetTopologyPtr()); },
                      sentence);
    }

    const std::string prefix = "the attribute LinkEfficiency of the method \"flowsim\" ";
    expectRefusal(make("flowsim:Window=1"),
                  "the method \"flowsim\" has no attribute \"Window\"; it has: WindowCap, "
                  "LinkEfficiency, IdleTimes, InFlightPerRack");
    for (const std::string value : {"0", "-1", "1.5", "0.5x", "", "half"})
    {
        expectRefusal(make("flowsim:LinkEfficiency=" + value),
                      prefix + "cannot be \"" + value + "\"; it takes: double 1e-06:1");
    }
    expectRefusal(make("flowsim:LinkEfficiency"),
                  prefix + "cannot be \"\"; it takes: double 1e-06:1");
    expectRefusal(make("flowsim:WindowCap=yes"),
                  "the attribute WindowCap of the method \"flowsim\" cannot be \"yes\"; it "
                  "takes: bool");
    expectRefusal(
        [&]() {
            Ptr<FlowsimEstimator> flowsim = CreateObject<FlowsimEstimator>();
            flowsim->SetWeight([](const DcnFlow&) { return 0.0; });
            flowsim->Estimate(scenario);
        },
        "flow 0 has the weight 0, but weights are between 0.01 and 1e+06");
    FlowsimOptions options;
    options.linkEfficiency = 0;
    expectRefusal(
        [&]() { FlowsimFluidModel(scenario->GetTopology(), scenario->GetNetwork(), options); },
        "the link efficiency must be above 0 and at most 1, but it is 0");
}

/// Tests of the fluid simulation as a method.
DcnTestSuite<FlowAloneTestCase, WindowCapTestCase, SharedLinkTestCase, AttributeTextTestCase>
    g_flowsimEstimatorTestSuite("flowsim-estimator");

} // namespace
