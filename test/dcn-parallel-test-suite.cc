/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-error.h"
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

/// Results come back by task with all their bytes, and a failure is the task's own sentence.
DCN_TEST_CASE(ProcessesTestCase, "pieces of work in processes")
{
    for (uint32_t jobs : {1, 3})
    {
        uint64_t done = 0;
        const auto results = DcnComputeInProcesses(
            20,
            jobs,
            [](uint64_t task) { return std::string(task, '\n') + std::string(1, '\0'); },
            [&done](uint64_t) { ++done; });
        NS_TEST_EXPECT_MSG_EQ(done, 20, "tasks done");
        NS_TEST_EXPECT_MSG_EQ(results.size(), 20, "results");
        for (uint64_t task = 0; task < results.size(); ++task)
        {
            NS_TEST_EXPECT_MSG_EQ((results[task] == std::string(task, '\n') + '\0'),
                                  true,
                                  "bytes of task " << task);
        }
        DCN_TEST_EXPECT_ERROR(DcnComputeInProcesses(5,
                                                    jobs,
                                                    [](uint64_t task) -> std::string {
                                                        if (task == 2)
                                                        {
                                                            DcnFail("task 2 cannot");
                                                        }
                                                        return "";
                                                    }),
                              "task 2 cannot");
    }
}

DcnTestSuite<ParallelForTestCase, ProcessesTestCase> g_dcnParallelTestSuite(
    "dcn-parallel"); //!< the suite

} // namespace
