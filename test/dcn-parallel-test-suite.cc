/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"

#include "ns3/dcn-parallel.h"
#include "ns3/test.h"

#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Every piece of work is done once, and the failure reported does not depend on the threads.
DCN_TEST_CASE(ParallelForTestCase, "pieces of work on threads")
{
    for (uint32_t nThreads : {0, 1, 2, 7})
    {
        std::vector<int> done(1000, 0);
        DcnParallelFor(done.size(), nThreads, [&](std::size_t i) { ++done[i]; });
        NS_TEST_EXPECT_MSG_EQ((done == std::vector<int>(1000, 1)), true, "each piece once");
        DcnParallelFor(0, nThreads, [&](std::size_t) { done[0] = 5; });
        NS_TEST_EXPECT_MSG_EQ(done[0], 1, "nothing to do");
        std::string message;
        try
        {
            DcnParallelFor(100, nThreads, [](std::size_t i) {
                if (i >= 40)
                {
                    throw std::runtime_error(std::to_string(i));
                }
            });
        }
        catch (const std::runtime_error& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(message, "40", "the first failure in order");
    }
}

DcnTestSuite<ParallelForTestCase> g_dcnParallelTestSuite("dcn-parallel"); //!< the suite

} // namespace
