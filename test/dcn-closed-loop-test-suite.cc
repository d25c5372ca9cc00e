/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-closed-loop.h"
#include "ns3/test.h"

#include <vector>

using namespace ns3;

namespace
{

/// Releases by hand: two racks, two flows in flight from each.
DCN_TEST_CASE(ReleaseTestCase, "flows are released first come first served, rack by rack")
{
    DcnClosedLoop loop(2, 2, 7);
    // flows 0 1 2 3 of rack 0 and 4 of rack 1 at 100: only the third and fourth have to wait
    const std::vector<uint32_t> racks{0, 0, 0, 0, 1};
    const std::vector<bool> released{true, true, false, false, true};
    for (std::size_t i = 0; i < racks.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(loop.Offer(i, racks[i], 100), released[i], "flow " << i);
        NS_TEST_EXPECT_MSG_EQ(loop.GetReleaseNs(i),
                              (released[i] ? 100 : DcnClosedLoop::UNRELEASED),
                              "release of flow " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(loop.GetNInFlight(0), 2, "limit");
    NS_TEST_EXPECT_MSG_EQ(loop.GetNWaiting(0), 2, "the others");
    // completions of a rack release flows of that rack, in order of arrival
    NS_TEST_EXPECT_MSG_EQ(loop.Complete(4, 150), DcnClosedLoop::NONE, "nobody waits in rack 1");
    NS_TEST_EXPECT_MSG_EQ(loop.GetNInFlight(1), 0, "rack 1 is idle");
    NS_TEST_EXPECT_MSG_EQ(loop.Complete(1, 200), 2, "flow 2 came before flow 3");
    NS_TEST_EXPECT_MSG_EQ(loop.Offer(5, 0, 210), false, "flow 5 is behind flow 3");
    NS_TEST_EXPECT_MSG_EQ(loop.Complete(2, 220), 3, "flow 3 came before flow 5");
    NS_TEST_EXPECT_MSG_EQ(loop.Complete(0, 230), 5, "flow 5");
    NS_TEST_EXPECT_MSG_EQ(loop.GetNInFlight(0), 2, "never more");
    NS_TEST_EXPECT_MSG_EQ(loop.Complete(3, 240), DcnClosedLoop::NONE, "nobody left");
    NS_TEST_EXPECT_MSG_EQ(loop.GetNInFlight(0), 1, "flow 5 is still there");
    NS_TEST_EXPECT_MSG_EQ(loop.Offer(6, 0, 250), true, "there is room again");
    const std::vector<int64_t> releases{100, 100, 200, 220, 100, 230, 250};
    for (std::size_t i = 0; i < releases.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(loop.GetReleaseNs(i), releases[i], "release of flow " << i);
    }
    DCN_TEST_EXPECT_ERROR(DcnClosedLoop(1, 0, 1),
                          "a closed loop with 0 flows in flight never starts one");
}

DcnTestSuite<ReleaseTestCase> g_dcnClosedLoopTestSuite("dcn-closed-loop"); //!< the suite

} // namespace
