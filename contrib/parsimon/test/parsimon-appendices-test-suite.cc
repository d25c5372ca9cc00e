/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../examples/programs/papers/parking-lot.h"
#include "../../../examples/programs/papers/workload-mix.h"
#include "dcn-test-case.h"

#include "ns3/dcn-topology.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

/// Loads of 25 % each, and equal cross traffic where it is asked for.
DCN_TEST_CASE(LoadTestCase, "loads and cross traffic of the parking lot")
{
    constexpr double RATE = 40e9;
    NS_TEST_ASSERT_MSG_EQ(ParkingLot::GetAll().size(), 7, "variants");
    for (const ParkingLot& lot : ParkingLot::GetAll())
    {
        const uint64_t nMain = lot.mainBytes == 1000 ? 40'000 : 500;
        const auto scenario = lot.Create(nMain, 1);
        std::map<uint32_t, double> bytes;                // by source
        std::map<uint32_t, std::vector<int64_t>> starts; // by source
        for (const DcnFlow& flow : scenario->GetFlows())
        {
            bytes[flow.src] += static_cast<double>(flow.sizeBytes);
            starts[flow.src].push_back(flow.startNs);
            NS_TEST_ASSERT_MSG_EQ(ParkingLot::IsMain(flow),
                                  (flow.src == 0 && flow.dst == 6),
                                  lot.name);
        }
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), (lot.hasCross ? 4 : 1), lot.name);
        const double spanNs = static_cast<double>(nMain * lot.mainBytes) * 8e9 / (0.25 * RATE);
        const double n = static_cast<double>(starts[0].size());
        // a Poisson number of main flows of mean nMain
        NS_TEST_EXPECT_MSG_EQ_TOL(n, static_cast<double>(nMain), 5 * std::sqrt(n), lot.name);
        if (lot.hasCross && lot.sigma == 0)
        {
            const double load = bytes[1] * 8e9 / (RATE * spanNs);
            const double flows = static_cast<double>(starts[1].size());
            NS_TEST_EXPECT_MSG_EQ_TOL(load, 0.25, 0.25 * 5 / std::sqrt(flows), lot.name);
        }
        if (lot.hasCross)
        {
            NS_TEST_EXPECT_MSG_EQ((starts[1] == starts[3] && starts[3] == starts[5]),
                                  lot.isIdentical,
                                  lot.name);
        }
    }
}

/// A mix has the flows of each workload, in the order of their starts.
DCN_TEST_CASE(MixTestCase, "several workloads at once")
{
    const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    std::vector<DcnWorkloadSpec> specs(2);
    specs[0].nFlows = 300;
    specs[1].nFlows = 200;
    specs[1].sizes = "constant:777";
    specs[1].seed = 2;
    const WorkloadMix mix = MixWorkloads(topology, specs);
    NS_TEST_ASSERT_MSG_EQ(mix.flows.size(), 500, "flows");
    std::vector<std::vector<DcnFlow>> parts(2);
    for (std::size_t i = 0; i < mix.flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(mix.flows[i].id, i, "ids");
        NS_TEST_EXPECT_MSG_EQ((i == 0 || mix.flows[i - 1].startNs <= mix.flows[i].startNs),
                              true,
                              "order");
        parts[mix.origins[i]].push_back(mix.flows[i]);
    }
    for (std::size_t k = 0; k < 2; ++k)
    {
        const auto alone = DcnWorkload::Generate(topology, specs[k]).flows;
        NS_TEST_ASSERT_MSG_EQ(parts[k].size(), alone.size(), "flows of workload " << k);
        for (std::size_t i = 0; i < alone.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((parts[k][i].src == alone[i].src &&
                                   parts[k][i].dst == alone[i].dst &&
                                   parts[k][i].sizeBytes == alone[i].sizeBytes &&
                                   parts[k][i].startNs == alone[i].startNs),
                                  true,
                                  "flow " << i << " of workload " << k);
        }
    }
}

DcnTestSuite<LoadTestCase, MixTestCase>
    g_parsimonAppendicesTestSuite("parsimon-appendices"); //!< the suite

} // namespace
