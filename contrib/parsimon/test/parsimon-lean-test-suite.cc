/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-link-scenario.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param cc congestion control
 * @return 4,000 flows of at most 300 kB on a 32-host fabric at 60 % load
 */
Ptr<const DcnScenario>
MakeFabric(const std::string& cc)
{
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
    DcnWorkloadSpec spec;
    spec.sizes = "web-server";
    spec.sizeCapBytes = 300000;
    spec.load = 0.6;
    spec.nFlows = 4000;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    return DcnScenario::CreateWithPaths(topology,
                                        DcnNetworkConfig::Preset(cc),
                                        std::move(workload.flows),
                                        std::move(workload.paths));
}

/**
 * @param builder makes link topologies
 * @param position where the link is
 * @return the most loaded link there
 */
ParsimonLink
HottestLink(const ParsimonLinkBuilder& builder, ParsimonPosition position)
{
    ParsimonLink hottest;
    double load = 0;
    for (uint32_t each : builder.GetBusyLinks())
    {
        ParsimonLink link = builder.Build(each);
        if (link.position == position && builder.GetLoad(each) > load)
        {
            load = builder.GetLoad(each);
            hottest = std::move(link);
        }
    }
    return hottest;
}

/**
 * @ingroup parsimon-tests
 * @brief The lean simulator runs the packet engine's model: nearly all flows take the same time to
 * the nanosecond, with every congestion control and at every position.
 */
class LeanAgainstPacketTestCase : public TestCase
{
  public:
    LeanAgainstPacketTestCase()
        : TestCase("The lean link simulator agrees with the packet engine")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string& cc : DcnNetworkConfig::GetCongestionControls())
        {
            auto scenario = MakeFabric(cc);
            const DcnNetworkParameters& network = scenario->GetNetwork();
            const ParsimonLinkBuilder builder(scenario);
            auto lean = ParsimonLinkSimulator::Create("lean", network, 1);
            auto packet = ParsimonLinkSimulator::Create("packet", network, 1);
            for (auto position : {ParsimonPosition::FIRST_HOP,
                                  ParsimonPosition::SWITCH_TO_SWITCH,
                                  ParsimonPosition::LAST_HOP})
            {
                Compare(HottestLink(builder, position), *lean, *packet, network);
            }
        }
    }

    /// One link in both.
    void Compare(const ParsimonLink& link,
                 const ParsimonLinkSimulator& lean,
                 const ParsimonLinkSimulator& packet,
                 const DcnNetworkParameters& network)
    {
        const ParsimonLinkResult ours = lean.Simulate(link, false);
        const ParsimonLinkResult theirs = packet.Simulate(link, false);
        const std::string where =
            network.congestionControl + ", position " + std::to_string(static_cast<int>(link.position));
        NS_TEST_ASSERT_MSG_EQ(ours.fctNs.size(), link.flows.size(), where);
        NS_TEST_EXPECT_MSG_EQ((ours.idealNs == theirs.idealNs), true, where);
        std::vector<double> delays;
        std::vector<double> trueDelays;
        std::size_t same = 0;
        for (std::size_t i = 0; i < link.flows.size(); ++i)
        {
            const auto packets = static_cast<double>(
                DcnPackets(link.flows[i].sizeBytes, network.payloadBytes));
            delays.push_back(static_cast<double>(ours.fctNs[i] - ours.idealNs[i]) / packets);
            trueDelays.push_back(static_cast<double>(theirs.fctNs[i] - theirs.idealNs[i]) / packets);
            same += ours.fctNs[i] == theirs.fctNs[i] ? 1 : 0;
        }
        std::sort(delays.begin(), delays.end());
        std::sort(trueDelays.begin(), trueDelays.end());
        const double p99 = DcnQuantile(trueDelays, 0.99);
        NS_TEST_EXPECT_MSG_GT(p99, 100, "there is queueing: " << where);
        NS_TEST_EXPECT_MSG_EQ_TOL(DcnQuantile(delays, 0.99), p99, 0.03 * p99, where);
        // what is left differs by the order of events of the same nanosecond
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(same),
                              0.9 * static_cast<double>(link.flows.size()),
                              where);
    }
};

/**
 * @ingroup parsimon-tests
 * @brief Tests of the lean link simulator.
 */
class ParsimonLeanTestSuite : public TestSuite
{
  public:
    ParsimonLeanTestSuite()
        : TestSuite("parsimon-lean", Type::UNIT)
    {
        AddTestCase(new LeanAgainstPacketTestCase);
    }
};

ParsimonLeanTestSuite g_suite; //!< registers itself

} // namespace
