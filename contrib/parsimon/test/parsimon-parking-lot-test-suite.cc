/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"

#include "ns3/parsimon-parking-lot.h"

#include <cmath>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

/// Loads of 25 % each, and equal cross traffic where it is asked for.
DCN_TEST_CASE(LoadTestCase, "loads and cross traffic of the parking lot")
{
    constexpr double RATE = 40e9;
    NS_TEST_ASSERT_MSG_EQ(ParsimonParkingLot::GetAll().size(), 7, "variants");
    for (const ParsimonParkingLot& lot : ParsimonParkingLot::GetAll())
    {
        const uint64_t nMain = lot.mainBytes == 1000 ? 40'000 : 500;
        const auto scenario = lot.Create(nMain, 1);
        std::map<uint32_t, double> bytes;               // by source
        std::map<uint32_t, std::vector<int64_t>> starts; // by source
        for (const DcnFlow& flow : scenario->GetFlows())
        {
            bytes[flow.src] += static_cast<double>(flow.sizeBytes);
            starts[flow.src].push_back(flow.startNs);
            NS_TEST_ASSERT_MSG_EQ(ParsimonParkingLot::IsMain(flow),
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

DcnTestSuite<LoadTestCase> g_parsimonParkingLotTestSuite("parsimon-parking-lot"); //!< the suite

} // namespace
