/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/test.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;

// Ranks of mpirun are tested by test/scripts/ranks.py, with the programs that use them.

namespace
{

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

/// A task hands back any number of messages of any length, which come in its order.
DCN_TEST_CASE(RepliesTestCase, "several replies of a task")
{
    constexpr std::size_t LONG = 3'000'001; // more than a pipe holds
    std::vector<std::vector<std::string>> replies(3);
    DcnTaskFarm(2).Run(
        {},
        std::vector<std::string>{"a", "", std::string(LONG, 'x')},
        [](const std::string& task, const DcnTaskFarm::Reply& reply) {
            reply("");
            reply(task + task);
            reply("last");
        },
        [&](uint64_t task, std::string&& bytes) { replies[task].push_back(std::move(bytes)); });
    const std::vector<std::string> tasks{"a", "", std::string(LONG, 'x')};
    for (std::size_t task = 0; task < 3; ++task)
    {
        const std::vector<std::string> expected{"", tasks[task] + tasks[task], "last"};
        NS_TEST_EXPECT_MSG_EQ((replies[task] == expected), true, "task " << task);
    }
    DCN_TEST_EXPECT_ERROR(DcnTaskFarm(0), "the number of jobs must be at least 1, but it is 0");
}

/// The source is asked when a place is free and not before: with m places and k results taken, at
/// most m + k tasks have been asked for. So a task may depend on the results so far.
DCN_TEST_CASE(DealTestCase, "tasks are dealt by need")
{
    for (const uint64_t places : {1, 2, 5})
    {
        uint64_t asked = 0;
        uint64_t taken = 0;
        bool isEarly = false;
        DcnTaskFarm(static_cast<uint32_t>(places))
            .Run(
                {},
                [&]() -> std::optional<std::string> {
                    isEarly = isEarly || asked > taken + places;
                    return asked < 12 ? std::make_optional(std::to_string(asked++)) : std::nullopt;
                },
                [](const std::string& task, const DcnTaskFarm::Reply& reply) { reply(task); },
                [&](uint64_t task, std::string&& bytes) {
                    NS_TEST_EXPECT_MSG_EQ(bytes, std::to_string(task), "of its task");
                    ++taken;
                });
        NS_TEST_EXPECT_MSG_EQ(taken, 12, "each task once");
        NS_TEST_EXPECT_MSG_EQ(isEarly, false, "not before a place is free");
    }
}

/// Packing keeps every byte, and the number of parts.
DCN_TEST_CASE(PackTestCase, "several strings in one")
{
    for (const std::vector<std::string>& parts :
         {std::vector<std::string>{},
          std::vector<std::string>{""},
          std::vector<std::string>{"", std::string(1, '\0'), "a\nb", ""}})
    {
        const auto found = DcnTaskFarm::Unpack(DcnTaskFarm::Pack(parts));
        NS_TEST_EXPECT_MSG_EQ((found == parts), true, parts.size() << " parts");
        NS_TEST_EXPECT_MSG_EQ(DcnTaskFarm().Share(DcnTaskFarm::Pack(parts)),
                              DcnTaskFarm::Pack(parts),
                              "a farm of one process has one rank");
    }
}

/// No task outlives the call, even where a function of the caller throws.
DCN_TEST_CASE(CallbackTestCase, "errors of the functions that take results")
{
    for (const bool isSource : {false, true})
    {
        std::string message;
        uint64_t next = 0;
        try
        {
            DcnTaskFarm(3).Run(
                {},
                [&]() -> std::optional<std::string> {
                    if (isSource && next == 2)
                    {
                        throw std::runtime_error("no more");
                    }
                    return std::to_string(next++);
                },
                [](const std::string& task, const DcnTaskFarm::Reply& reply) {
                    reply("");
                    sleep(task == "0" ? 0 : 60);
                },
                [](uint64_t, std::string&&) { throw std::runtime_error("no more"); });
        }
        catch (const std::runtime_error& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(message, "no more", "the caller's error");
        NS_TEST_EXPECT_MSG_EQ(waitpid(-1, nullptr, WNOHANG), -1, "no process is left");
        NS_TEST_EXPECT_MSG_EQ(errno, ECHILD, "no process is left");
    }
    DCN_TEST_EXPECT_ERROR(DcnComputeInProcesses(1,
                                                1,
                                                [](uint64_t) {
                                                    kill(getpid(), SIGKILL);
                                                    return std::string();
                                                }),
                          "the process of task 0 was ended by signal 9");
}

#ifdef __linux__
/// Tasks end with the process that began them, however it ends.
DCN_TEST_CASE(KilledTestCase, "tasks of a process that is killed")
{
    int ends[2];
    NS_TEST_ASSERT_MSG_EQ(pipe(ends), 0, "a pipe");
    const pid_t parent = fork();
    if (parent == 0)
    {
        close(ends[0]);
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
}
#endif

#ifdef __linux__
DcnTestSuite<ProcessesTestCase,
             RepliesTestCase,
             DealTestCase,
             PackTestCase,
             CallbackTestCase,
             KilledTestCase>
#else
DcnTestSuite<ProcessesTestCase, RepliesTestCase, DealTestCase, PackTestCase, CallbackTestCase>
#endif
    g_dcnTaskFarmTestSuite("dcn-task-farm"); //!< the suite

} // namespace
