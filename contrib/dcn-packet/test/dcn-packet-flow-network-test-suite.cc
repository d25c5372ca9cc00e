/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/engine/dcn-packet-estimator.h"
#include "../model/engine/dcn-packet-flow-network.h"
#include "dcn-test-case.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <vector>

using namespace ns3;

namespace
{

/// Flows that are added while the simulation runs complete as those of a scenario.
DCN_TEST_CASE(AddedFlowsTestCase, "flows added one by one and flows of a scenario")
{
    for (const char* cc : {"dctcp", "dcqcn", "timely", "hpcc"})
    {
        Ptr<const DcnScenario> scenario =
            DcnMakeTestScenario(DcnTestWorkload(300, "google-rpc"), DcnNetworkConfig::Preset(cc));
        const auto expected = CreateObject<DcnPacketEstimator>()->Estimate(scenario).fctNs;
        Simulator::Destroy();

        DcnFlowNetworkHelper helper("packet");
        helper.SetConfig(scenario->GetNetworkConfig());
        Ptr<DcnTopology> fresh = DcnBuildTopology(DcnFabricParameters());
        Ptr<DcnFlowNetwork> network = helper.Install(fresh);
        DynamicCast<DcnPacketFlowNetwork>(network)->GetPackets()->AssignStreams(
            DcnRandom(scenario->GetSeed()).GetStream(DcnPurpose::ECN_MARKING));
        std::vector<int64_t> fctNs(expected.size(), -1);
        network->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>(
                [&](uint64_t flow, Time fct) { fctNs[flow] = fct.GetNanoSeconds(); }));
        const NodeContainer& nodes = fresh->GetNodes();
        for (const DcnFlow& flow : scenario->GetFlows())
        {
            network->AddFlowAt(NanoSeconds(flow.startNs),
                               nodes.Get(flow.src),
                               nodes.Get(flow.dst),
                               flow.sizeBytes);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network->GetNActive(), 0, "all complete with " << cc);
        std::size_t same = 0;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            same += fctNs[i] == expected[i] ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(same, fctNs.size(), "completion times with " << cc);
        network->Dispose();
        Simulator::Destroy();
    }
}

DcnTestSuite g_dcnPacketFlowNetworkTestSuite("dcn-packet-flow-network",
                                             {new AddedFlowsTestCase}); //!< the suite

} // namespace
