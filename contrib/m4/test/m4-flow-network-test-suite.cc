/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/session/m4-estimator.h"
#include "../model/session/m4-flow-network.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator-helper.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-session.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param nFlows number of flows
 * @return flows on a small fabric
 */
Ptr<const DcnScenario>
MakeScenario(uint32_t nFlows)
{
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    return DcnMakeTestScenario(spec);
}

/// Inside an ns-3 simulation flows complete as without one; asking in between changes nothing.
class SameTestCase : public TestCase
{
  public:
    SameTestCase()
        : TestCase("the shipped model, with and without ns-3's clock")
    {
    }

  private:
    /// @return completion times of a run inside a simulation
    std::vector<int64_t> Run(Ptr<const DcnScenario> scenario, bool ask)
    {
        DcnFlowNetworkHelper helper("m4");
        helper.SetConfig(scenario->GetNetworkConfig());
        Ptr<DcnFlowNetwork> network = helper.Install(scenario->GetTopologyPtr());
        auto m4 = DynamicCast<M4FlowNetwork>(network);
        std::vector<int64_t> fctNs(scenario->GetFlows().size(), -1);
        network->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>([&](uint64_t flow, Time fct) {
                const Time late =
                    Simulator::Now() - NanoSeconds(scenario->GetFlows()[flow].startNs) - fct;
                NS_TEST_EXPECT_MSG_EQ(late, Time(0), "the instant of completion");
                fctNs[flow] = fct.GetNanoSeconds();
            }));
        const NodeContainer& nodes = scenario->GetTopology().GetNodes();
        for (const DcnFlow& flow : scenario->GetFlows())
        {
            network->AddFlowAt(NanoSeconds(flow.startNs),
                               nodes.Get(flow.src),
                               nodes.Get(flow.dst),
                               flow.sizeBytes);
        }
        uint64_t asked = 0;
        for (int64_t time = 1000; ask && time < 1'000'000; time += 7000)
        {
            Simulator::Schedule(NanoSeconds(time), [&m4, &asked, this]() {
                for (uint64_t flow = 0; flow < 20; ++flow)
                {
                    const double left = m4->GetRemaining(flow);
                    NS_TEST_EXPECT_MSG_EQ((left >= 0 && left <= 1), true, "a share");
                    asked += left > 0 ? 1 : 0;
                }
                NS_TEST_EXPECT_MSG_EQ((m4->GetQueueBytes(3) >= 0), true, "a queue");
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network->GetNActive(), 0, "all complete");
        NS_TEST_EXPECT_MSG_EQ((asked > 0), ask, "flows that had something left");
        network->Dispose();
        Simulator::Destroy();
        return fctNs;
    }

    void DoRun() override
    {
        auto scenario = MakeScenario(200);
        const auto expected = CreateObject<M4Estimator>()->Estimate(scenario).fctNs;
        NS_TEST_EXPECT_MSG_EQ((Run(scenario, false) == expected), true, "by the method");
        NS_TEST_EXPECT_MSG_EQ((Run(scenario, true) == expected), true, "and when asked");
    }
};

DCN_TEST_CASE(RefusalTestCase, "refusals; a sink that throws")
{
    DCN_TEST_EXPECT_ERROR(DcnFlowNetworkHelper("m5"),
                          "the engine must be packet, flowsim or m4, but it is \"m5\"");
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    Ptr<DcnFlowNetwork> network = DcnFlowNetworkHelper("m4").Install(topology);
    auto m4 = DynamicCast<M4FlowNetwork>(network);
    const NodeContainer& nodes = topology->GetNodes();
    const auto& hosts = topology->GetHosts();
    Ptr<Node> a = nodes.Get(hosts[0]);
    Ptr<Node> b = nodes.Get(hosts[20]);
    std::size_t nDone = 0;
    network->TraceConnectWithoutContext("FlowCompleted",
                                        Callback<void, uint64_t, Time>([&](uint64_t, Time) {
                                            ++nDone;
                                            if (nDone == 1)
                                            {
                                                throw std::runtime_error("no");
                                            }
                                        }));
    // two flows that complete at one instant, and one later
    network->AddFlow(a, b, 1000);
    network->AddFlow(nodes.Get(hosts[1]), nodes.Get(hosts[21]), 1000);
    network->AddFlowAt(MilliSeconds(1), a, b, 5000);
    bool thrown = false;
    try
    {
        Simulator::Run();
    }
    catch (const std::runtime_error&)
    {
        thrown = true;
    }
    NS_TEST_EXPECT_MSG_EQ(thrown, true, "what the sink throws comes out");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nDone, 3, "and the others are still reported");
    const int64_t now = Simulator::Now().GetNanoSeconds();
    DCN_TEST_EXPECT_ERROR(network->AddFlowAt(NanoSeconds(now - 1), a, b, 1),
                          "flow 3 cannot start at " + std::to_string(now - 1) + " ns, for it is " +
                              std::to_string(now) + " ns already");
    DCN_TEST_EXPECT_ERROR(network->AddFlow(a, a, 1),
                          "flow 3 goes from host " + std::to_string(hosts[0]) + " to itself");
    DCN_TEST_EXPECT_ERROR(m4->GetRemaining(3), "there is no flow 3, only 3 were added");
    network->Dispose();
    Simulator::Destroy();
}

/// The method's closed loop and its errors.
DCN_TEST_CASE(EstimatorTestCase, "the method")
{
    auto scenario = MakeScenario(150);
    auto m4 = CreateObject<M4Estimator>();
    m4->SetAttribute("InFlightPerRack", UintegerValue(1));
    const auto loop = m4->Estimate(scenario);
    bool held = false;
    for (std::size_t i = 0; i < loop.fctNs.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_GT(loop.fctNs[i], 0, "complete");
        const int64_t wait = loop.releaseNs[i] - scenario->GetFlows()[i].startNs;
        NS_TEST_EXPECT_MSG_EQ((wait >= 0), true, "not released before it is offered");
        held = held || wait > 0;
    }
    NS_TEST_EXPECT_MSG_EQ(held, true, "some were held back");
    Ptr<DcnNetworkConfig> wide = DcnNetworkConfig::Preset("dctcp");
    wide->SetKey("window_bytes", "500000");
    const auto outside =
        m4->Estimate(DcnScenario::Create(scenario->GetTopologyPtr(), wide, scenario->GetFlows()))
            .provenance;
    NS_TEST_EXPECT_MSG_EQ(
        (outside.find("1 flows in flight per rack, ") != std::string::npos &&
         outside.find("quantities outside the training's range") != std::string::npos),
        true,
        "provenance: " << outside);
    const std::string missing = CreateTempDirFilename("no-model");
    m4->SetAttribute("Model", StringValue(missing));
    const std::string sentence = DcnSentenceOf([&]() { m4->Estimate(scenario); });
    NS_TEST_EXPECT_MSG_EQ((sentence.find(missing) != std::string::npos),
                          true,
                          "a folder without a model is named");
}

/// The helper is a factory of the method, and of its flow networks.
DCN_TEST_CASE(HelperTestCase, "the helper makes the method")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 30'000, 0}, {1, 1, 3, 30'000, 0}});
    DcnNetworkMethodHelper helper("m4");
    helper.SetAttribute("InFlightPerRack", UintegerValue(1));
    const DcnEstimate answer = helper.Estimate(scenario);
    const DcnEstimate byName =
        DcnEstimator::CreateByName("m4:InFlightPerRack=1")->Estimate(scenario);
    NS_TEST_EXPECT_MSG_EQ((answer.fctNs == byName.fctNs), true, "as by name");
    NS_TEST_EXPECT_MSG_EQ((answer.releaseNs == byName.releaseNs), true, "a closed loop");
    Ptr<DcnFlowNetwork> network =
        helper.GetNetworkHelper().Install(DcnBuildTopology(DcnDumbbellParameters()));
    NS_TEST_EXPECT_MSG_NE(DynamicCast<M4FlowNetwork>(network), nullptr, "a flow network of m4");
    network->Dispose();
    Simulator::Destroy();
}

DcnTestSuite<SameTestCase, RefusalTestCase, EstimatorTestCase, HelperTestCase>
    g_m4FlowNetworkTestSuite("m4-flow-network"); //!< the suite

} // namespace
