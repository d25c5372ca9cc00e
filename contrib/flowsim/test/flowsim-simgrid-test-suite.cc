/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-optional.h"
#include "dcn-test-scenario.h"
#include "flowsim-brute-force.h"
#include "flowsim-simgrid.h"

#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/flowsim-engine.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace flowsim_test;

namespace
{

/// Completion times are those of SimGrid, whose solver nobody here has written.
class SimgridTestCase : public TestCase
{
  public:
    SimgridTestCase()
        : TestCase("Completion times equal those of SimGrid")
    {
    }

  private:
    static constexpr double TOLERANCE = 1e-6; //!< Relative
    std::string m_folder;                     //!< For what goes to SimGrid and back

    /**
     * @brief Compares the completion times of flows without weights and caps.
     * @param capacities capacity of each link [bit/s]
     * @param flows the flows, ids 0 .. n - 1, whole bytes
     * @param what the instance
     */
    void Compare(const std::vector<double>& capacities,
                 const std::vector<Flow>& flows,
                 const std::string& what)
    {
        // SimGrid has one route per pair of hosts: a pair for each path.
        SimgridInput input;
        input.capacities = capacities;
        std::map<std::vector<uint32_t>, uint32_t> pairs;
        for (const Flow& flow : flows)
        {
            const auto pair =
                pairs.try_emplace(flow.path, static_cast<uint32_t>(pairs.size())).first->second;
            input.flows.push_back({2 * pair,
                                   2 * pair + 1,
                                   static_cast<uint64_t>(flow.bits / 8),
                                   flow.startNs,
                                   flow.path});
        }
        input.nHosts = 2 * static_cast<uint32_t>(pairs.size());
        const SimgridOutput expected = SimulateBySimgrid(input, m_folder);
        NS_TEST_ASSERT_MSG_EQ(expected.durationsNs.size(), flows.size(), "SimGrid failed, " + what);

        std::vector<double> durations(flows.size(), -1);
        std::size_t next = 0;
        FlowsimEngine engine(capacities);
        engine.SetSource([&](FlowsimArrival& arrival) {
            if (next == flows.size())
            {
                return false;
            }
            arrival = flows[next++];
            return true;
        });
        engine.SetSink(
            [&](const FlowsimCompletion& done) { durations[done.id] = done.durationNs; });
        engine.Run();
        double worst = 0;
        for (std::size_t i = 0; i < flows.size(); i++)
        {
            worst = std::max(worst, std::abs(durations[i] / expected.durationsNs[i] - 1));
        }
        NS_TEST_EXPECT_MSG_LT(worst, TOLERANCE, what);
    }

    void DoRun() override
    {
        m_folder = CreateTempDirFilename("simgrid");
        std::filesystem::create_directories(m_folder);
        for (uint64_t seed = 0; seed < 40; seed++)
        {
            RandomInstance instance(seed);
            auto flows = instance.DrawFlows(100);
            const int64_t origin = flows.front().startNs; // SimGrid's clock is a double in seconds
            for (Flow& flow : flows)
            {
                flow.startNs -= origin;
                flow.weight = 1;
                flow.cap = FlowsimMaxMinSolver::INFINITE;
            }
            Compare(instance.capacities, flows, "random instance " + std::to_string(seed));
        }
        // Four hosts of 10 Gb/s per rack behind uplinks of 1 Gb/s: nearly all have the core as
        // their bottleneck.
        DcnFabricParameters fabric;
        fabric.racksPerPod = 8;
        fabric.fabricRate = DataRate(1'000'000'000);
        Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
        const DcnWorkload workload =
            DcnWorkload::Generate(topology, DcnTestWorkload(3000, "web-server", 0.9));
        std::vector<double> capacities;
        for (uint32_t link = 0; link < topology->GetNLinks(); link++)
        {
            capacities.push_back(static_cast<double>(topology->GetLink(link).rateBps));
        }
        std::vector<Flow> flows(workload.flows.size());
        for (std::size_t i = 0; i < flows.size(); i++)
        {
            const DcnPath path = workload.paths.Get(i);
            flows[i].id = i;
            flows[i].startNs = workload.flows[i].startNs;
            flows[i].bits = 8.0 * static_cast<double>(workload.flows[i].sizeBytes);
            flows[i].path.assign(path.begin(), path.end());
        }
        Compare(capacities, flows, "fabric");
    }
};

DcnTestSuite g_flowsimSimgridTestSuite("flowsim-simgrid",
                                       DcnTestsIf(HasSimgrid(),
                                                  DCN_NEED_SIMGRID,
                                                  {new SimgridTestCase})); //!< the suite

} // namespace
