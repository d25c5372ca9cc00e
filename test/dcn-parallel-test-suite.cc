/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/test.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
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

/// No task outlives the call, even where a function of the caller throws.
DCN_TEST_CASE(CallbackTestCase, "errors of the functions that take results")
{
    for (const bool atStep : {false, true})
    {
        auto fail = [](bool isDue) {
            if (isDue)
            {
                throw std::runtime_error("no more");
            }
        };
        std::string message;
        try
        {
            DcnRunInProcesses(
                {0, 1, 2},
                3,
                [](uint64_t task, const DcnTaskStep& step) {
                    step();
                    if (task > 0)
                    {
                        sleep(60);
                    }
                },
                [&]() { fail(atStep); },
                [&](uint64_t) { fail(!atStep); });
        }
        catch (const std::runtime_error& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(message, "no more", "the caller's error");
        NS_TEST_EXPECT_MSG_EQ(waitpid(-1, nullptr, WNOHANG), -1, "no process is left");
        NS_TEST_EXPECT_MSG_EQ(errno, ECHILD, "no process is left");
    }
}

#ifdef __linux__
/// Tasks end with the process that began them, however it ends, and leave no files.
DCN_TEST_CASE(KilledTestCase, "tasks of a process that is killed")
{
    int ends[2];
    NS_TEST_ASSERT_MSG_EQ(pipe(ends), 0, "a pipe");
    const std::string folder = CreateTempDirFilename("results");
    std::filesystem::create_directories(folder);
    const pid_t parent = fork();
    if (parent == 0)
    {
        close(ends[0]);
        setenv("TMPDIR", folder.c_str(), 1);
        DcnComputeInProcesses(2, 1, [&ends](uint64_t task) -> std::string {
            if (task == 1) // after the result of the first
            {
                const ssize_t written = write(ends[1], "x", 1);
                sleep(written == 1 ? 60 : 0);
            }
            return "a result";
        });
        _exit(0);
    }
    close(ends[1]);
    char byte = 0;
    NS_TEST_EXPECT_MSG_EQ(read(ends[0], &byte, 1), 1, "the task has begun");
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    // the pipe ends with the last process that can write to it: the task's
    pollfd end{ends[0], POLLIN, 0};
    NS_TEST_ASSERT_MSG_EQ(poll(&end, 1, 20'000), 1, "the task has ended");
    NS_TEST_EXPECT_MSG_EQ(read(ends[0], &byte, 1), 0, "the task has ended");
    close(ends[0]);
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(folder), true, "no file is left");
}
#endif

#ifdef __linux__
DcnTestSuite<ParallelForTestCase, ProcessesTestCase, CallbackTestCase, KilledTestCase>
#else
DcnTestSuite<ParallelForTestCase, ProcessesTestCase, CallbackTestCase>
#endif
    g_dcnParallelTestSuite("dcn-parallel"); //!< the suite

} // namespace
