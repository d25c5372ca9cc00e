/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-texts.h"

#include "ns3/dcn-result-store.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

const DcnResultStore::Experiment EXPERIMENT{{"method", "packet"}, {"topology", "digest a=1"}};

/**
 * @param number of a part
 * @return its key, by whose order numbers ascend
 */
std::string
MakeKey(int number)
{
    char key[16];
    std::snprintf(key, sizeof(key), "part %05d", number);
    return key;
}

/**
 * @param number of a part
 * @return its value: some kilobytes that differ from part to part
 */
std::string
MakeValue(int number)
{
    return std::to_string(number) + std::string(3000 + number % 100, static_cast<char>(number));
}

/**
 * @param store a store
 * @param prefix of the keys
 * @return the rows, in the store's order
 */
std::vector<DcnResultStore::Row>
GetRows(const DcnResultStore& store, const std::string& prefix = "")
{
    std::vector<DcnResultStore::Row> rows;
    store.Visit(prefix, [&rows](const std::string& key, const std::string& value) {
        rows.emplace_back(key, value);
    });
    return rows;
}

/**
 * @param body runs in a process of its own
 * @return its number
 */
template <typename Body>
pid_t
Start(const Body& body)
{
    const pid_t child = fork();
    if (child == 0)
    {
        try // what the tests would do with an error is for the parent alone
        {
            body();
            _exit(0);
        }
        catch (...)
        {
            _exit(2);
        }
    }
    return child;
}

/**
 * @param child a process
 * @return how it ended: 0 if all was well
 */
int
Wait(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

/**
 * @param path of a database
 * @param sql changes it
 */
void
ChangeDatabase(const std::string& path, const char* sql)
{
    sqlite3* database = nullptr;
    sqlite3_open(path.c_str(), &database);
    sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
    sqlite3_close(database);
}

/// Rows come back, in the order of their keys, and a key keeps its first value.
DCN_TEST_CASE(RowsTestCase, "rows of a store")
{
    const std::string path = CreateTempDirFilename("rows.db");
    const std::string odd("zero \0 and \xff", 12);
    const std::string large(3'000'000, 'x');
    {
        DcnResultStore store(path, EXPERIMENT);
        NS_TEST_EXPECT_MSG_EQ(store.GetPath(), path, "path");
        NS_TEST_EXPECT_MSG_EQ(store.GetN(), 0, "a new store is empty");
        NS_TEST_EXPECT_MSG_EQ(store.Add({{"b/2", "two"}, {"b/1", odd}, {"c", ""}}), 3, "new");
        NS_TEST_EXPECT_MSG_EQ(store.Add({{"a", large}, {"c", "other"}}), 1, "c is there");
        NS_TEST_EXPECT_MSG_EQ(store.Add({}), 0, "nothing to add");
        NS_TEST_EXPECT_MSG_EQ(store.Add({{odd, "1"}, {odd, "2"}}), 1, "the same key twice");
    }
    const DcnResultStore store(path, EXPERIMENT);
    NS_TEST_EXPECT_MSG_EQ(store.GetN(), 5, "rows");
    NS_TEST_EXPECT_MSG_EQ((store.Find("b/1") == odd), true, "any bytes");
    NS_TEST_EXPECT_MSG_EQ((store.Find("a") == large), true, "some megabytes");
    NS_TEST_EXPECT_MSG_EQ((store.Find("c") == std::string()), true, "the first value stays");
    NS_TEST_EXPECT_MSG_EQ(*store.Find(odd), "1", "any bytes in keys");
    NS_TEST_EXPECT_MSG_EQ(store.Find("b").has_value(), false, "no such key");
    NS_TEST_EXPECT_MSG_EQ((store.Has("b/2") && !store.Has("b/3")), true, "keys");
    const auto rows = GetRows(store);
    NS_TEST_ASSERT_MSG_EQ(rows.size(), 5, "all rows");
    const char* const keys[] = {"a", "b/1", "b/2", "c"};
    for (std::size_t i = 0; i < 4; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(rows[i].first, keys[i], "in the order of keys");
    }
    const auto some = GetRows(store, "b/");
    NS_TEST_ASSERT_MSG_EQ(some.size(), 2, "those with the prefix");
    NS_TEST_EXPECT_MSG_EQ(some[1].second, "two", "value");
    const std::string first = path + "-1";
    const std::string second = path + "-2";
    std::ofstream(first) << "a";
    std::ofstream(second) << "b";
    const std::string digest = DcnResultStore::DigestFiles({first, second});
    NS_TEST_EXPECT_MSG_EQ(digest.size(), 16, "digits");
    NS_TEST_EXPECT_MSG_NE(DcnResultStore::DigestFiles({first}), digest, "another content");
    NS_TEST_EXPECT_MSG_EQ(DcnResultStore::DigestFiles({path + "-3"}), "", "no files");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(path + "-journal"), false, "one file");
}

/// Another experiment, another format and files of another kind are refused by a sentence.
DCN_TEST_CASE(RefusalTestCase, "stores that are refused")
{
    const std::string path = CreateTempDirFilename("refused.db");
    const std::string advice = "; remove the file or name another one";
    DcnResultStore(path, EXPERIMENT).Add({{"a", "1"}});
    DCN_TEST_EXPECT_ERROR(
        DcnResultStore(path, {{"method", "m4"}, {"topology", "digest a=1"}}),
        path +
            ": the results are those of another experiment: method is \"packet\" there and "
            "\"m4\" here" +
            advice);
    DCN_TEST_EXPECT_ERROR(
        DcnResultStore(path, {{"method", "packet"}}),
        path +
            ": the results are those of another experiment: topology is \"digest a=1\" "
            "there and missing here" +
            advice);
    auto more = EXPERIMENT;
    more["aim"] = "";
    DCN_TEST_EXPECT_ERROR(
        DcnResultStore(path, more),
        path +
            ": the results are those of another experiment: aim is missing there and \"\" "
            "here" +
            advice);
    NS_TEST_EXPECT_MSG_EQ(DcnResultStore(path, EXPERIMENT).GetN(), 1, "nothing is lost");
    ChangeDatabase(path, "PRAGMA user_version = 7");
    DCN_TEST_EXPECT_ERROR(
        DcnResultStore(path, EXPERIMENT),
        path + ": this result store has format 7, but this version reads format 1" + advice);
    ChangeDatabase(path, "PRAGMA application_id = 5");
    DCN_TEST_EXPECT_ERROR(DcnResultStore(path, EXPERIMENT),
                          path + ": this database is no result store of dcn" + advice);
    const std::string strange = CreateTempDirFilename("strange.db");
    ChangeDatabase(strange, "CREATE TABLE result (x)");
    DCN_TEST_EXPECT_ERROR(DcnResultStore(strange, EXPERIMENT),
                          strange + ": this database is no result store of dcn" + advice);
    const std::string old = CreateTempDirFilename("old.csv");
    std::ofstream(old) << "# dcn-cceval trials, format 1\n# estimator: x\n";
    DCN_TEST_EXPECT_ERROR(DcnResultStore(old, EXPERIMENT),
                          old +
                              ": this is no result store of this version (it begins with "
                              "\"# dcn-cceval trials, format 1\")" +
                              advice);
    const std::string nowhere = CreateTempDirFilename("no/such/folder.db");
    DCN_TEST_EXPECT_ERROR(DcnResultStore(nowhere, EXPERIMENT),
                          nowhere +
                              ": the result store cannot be opened; are there file and folder?");
}

/// What the disk has changed or lost is reported, never returned.
DCN_TEST_CASE(DamageTestCase, "damaged stores")
{
    const std::string path = CreateTempDirFilename("damaged.db");
    const std::string sentence =
        path + ": the result store is damaged; remove the file or name another one";
    {
        DcnResultStore store(path, EXPERIMENT);
        std::vector<DcnResultStore::Row> rows;
        for (int i = 0; i < 100; ++i)
        {
            rows.emplace_back(MakeKey(i), MakeValue(i));
        }
        rows.emplace_back("marked", std::string(20'000, 'm'));
        store.Add(rows);
    }
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    in.close();
    auto write = [&path](const std::string& content) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    };
    std::string flipped = bytes;
    flipped[bytes.find(std::string(2000, 'm')) + 1000] = 'n';
    write(flipped);
    {
        const DcnResultStore store(path, EXPERIMENT);
        NS_TEST_EXPECT_MSG_EQ(*store.Find(MakeKey(7)), MakeValue(7), "others are well");
        DCN_TEST_EXPECT_ERROR(store.Find("marked"), sentence);
        DCN_TEST_EXPECT_ERROR(GetRows(store), sentence);
    }
    write(bytes.substr(0, bytes.size() / 2));
    DCN_TEST_EXPECT_ERROR(GetRows(DcnResultStore(path, EXPERIMENT)), sentence);
    std::string torn = bytes;
    torn.replace(100, 300, 300, '\x55'); // the table of tables
    write(torn);
    DCN_TEST_EXPECT_ERROR(DcnResultStore(path, EXPERIMENT), sentence);
    // bytes of chance anywhere: a sentence, or rows that are right
    for (std::size_t at = 500; at + 50 < bytes.size(); at += 7919)
    {
        std::string any = bytes;
        any.replace(at, 50, 50, '\xa7');
        write(any);
        try
        {
            for (const auto& [key, value] : GetRows(DcnResultStore(path, EXPERIMENT)))
            {
                const bool isRight = key == "marked" ? value == std::string(20'000, 'm')
                                                     : value == MakeValue(std::stoi(key.substr(5)));
                NS_TEST_EXPECT_MSG_EQ(isRight, true, "damage at " << at << ", key " << key);
            }
        }
        catch (const DcnError& error)
        {
            NS_TEST_EXPECT_MSG_EQ(std::string(error.what()).rfind(path + ": ", 0), 0, error.what());
        }
    }
    // no room: nothing is added, and the store is well
    write(bytes);
    DcnResultStore store(path, EXPERIMENT);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = bytes.size() + 10'000;
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string full = DcnSentenceOf([&store]() {
        store.Add({{"x", "small"}, {"y", std::string(1'000'000, 'y')}});
    });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    NS_TEST_EXPECT_MSG_EQ(full.rfind(path + ": the result store cannot be ", 0), 0, full);
    NS_TEST_EXPECT_MSG_EQ((store.Has("x") || store.Has("y")), false, "all or nothing");
    NS_TEST_EXPECT_MSG_EQ(store.Add({{"x", "small"}}), 1, "once there is room");
    NS_TEST_EXPECT_MSG_EQ(GetRows(store).size(), 102, "all rows");
}

DCN_TEST_CASE(KillTestCase, "a process that is killed while it adds")
{
    constexpr int BATCH = 20; // rows of a call
    const std::string path = CreateTempDirFilename("killed.db");
    int nAdded = 0;
    for (int round = 0; round < 8; ++round)
    {
        int pipes[2];
        NS_TEST_ASSERT_MSG_EQ(pipe(pipes), 0, "pipe");
        const pid_t child = Start([&]() {
            DcnResultStore store(path, EXPERIMENT);
            for (int first = nAdded;; first += BATCH)
            {
                std::vector<DcnResultStore::Row> rows;
                for (int i = first; i < first + BATCH; ++i)
                {
                    rows.emplace_back(MakeKey(i), MakeValue(i));
                }
                store.Add(rows);
                const char byte = 0;
                if (write(pipes[1], &byte, 1) != 1) // these are in the file
                {
                    return;
                }
            }
        });
        close(pipes[1]);
        int nSaid = 0;
        char byte = 0;
        for (; nSaid < 1 + round && read(pipes[0], &byte, 1) == 1; ++nSaid)
        {
        }
        usleep(static_cast<useconds_t>(700 * round)); // somewhere in the next call
        kill(child, SIGKILL);
        NS_TEST_EXPECT_MSG_EQ(WTERMSIG(Wait(child)), SIGKILL, "killed");
        while (read(pipes[0], &byte, 1) == 1)
        {
            ++nSaid;
        }
        close(pipes[0]);
        const DcnResultStore store(path, EXPERIMENT);
        const auto rows = GetRows(store);
        const auto n = static_cast<int>(rows.size());
        NS_TEST_EXPECT_MSG_EQ(n % BATCH, 0, "whole calls");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(n, nAdded + nSaid * BATCH, "nothing is lost");
        for (int i = 0; i < n; ++i)
        {
            const bool isRight = rows[static_cast<std::size_t>(i)].first == MakeKey(i) &&
                                 rows[static_cast<std::size_t>(i)].second == MakeValue(i);
            NS_TEST_EXPECT_MSG_EQ(isRight, true, "row " << i);
        }
        nAdded = n;
    }
    // one that was killed before its first row
    const std::string begun = CreateTempDirFilename("begun.db");
    std::ofstream(begun).flush();
    NS_TEST_EXPECT_MSG_EQ(DcnResultStore(begun, EXPERIMENT).GetN(), 0, "an empty file");
}

/// Processes and threads that add at the same time agree on every row.
DCN_TEST_CASE(ConcurrencyTestCase, "processes and threads that use one store")
{
    constexpr int N = 150; // rows
    const std::string path = CreateTempDirFilename("shared.db");
    auto addAll = [](DcnResultStore& store, const std::string& who) {
        for (int i = 0; i < N; ++i)
        {
            store.Add({{MakeKey(i), who}});
            const auto found = store.Find(MakeKey(i));
            if (!found || (*found != who && GetRows(store).size() < std::size_t(i)))
            {
                DcnFail("a row is missing");
            }
        }
    };
    // both make the file, too
    const pid_t first = Start([&]() {
        DcnResultStore store(path, EXPERIMENT);
        addAll(store, "first");
    });
    const pid_t second = Start([&]() {
        DcnResultStore store(path, EXPERIMENT);
        addAll(store, "second");
    });
    NS_TEST_EXPECT_MSG_EQ(Wait(first) + Wait(second), 0, "both can add");
    DcnResultStore store(path, EXPERIMENT);
    const auto rows = GetRows(store);
    NS_TEST_ASSERT_MSG_EQ(rows.size(), N, "each key once");
    for (int i = 0; i < N; ++i)
    {
        const auto& [key, value] = rows[static_cast<std::size_t>(i)];
        NS_TEST_EXPECT_MSG_EQ(key, MakeKey(i), "in order, whoever added");
        NS_TEST_EXPECT_MSG_EQ((value == "first" || value == "second"), true, "whole");
    }
    // forked processes go on with the store that is open here
    std::vector<pid_t> children;
    for (int child = 0; child < 3; ++child)
    {
        children.push_back(Start([&store, child]() {
            for (int i = 0; i < 20; ++i)
            {
                store.Add({{"child " + std::to_string(child) + MakeKey(i), "x"}});
            }
        }));
    }
    store.Add({{"parent", "y"}});
    for (const pid_t child : children)
    {
        NS_TEST_EXPECT_MSG_EQ(Wait(child), 0, "a forked process adds");
    }
    NS_TEST_EXPECT_MSG_EQ(GetRows(store, "child ").size(), 60, "seen here");
    NS_TEST_EXPECT_MSG_EQ(store.Has("parent"), true, "the parent's");
    std::vector<std::thread> threads;
    const std::string large(100'000, 'l');
    store.Add({{"large", large}});
    std::atomic<int> nRight{0};
    for (int thread = 0; thread < 4; ++thread)
    {
        threads.emplace_back([&, thread]() {
            for (int i = 0; i < 20; ++i)
            {
                store.Add({{"thread " + std::to_string(thread) + MakeKey(i), large}});
                nRight += DcnSentenceOf([&store]() { store.Find("large"); }) == "no error";
            }
        });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    NS_TEST_EXPECT_MSG_EQ(nRight, 80, "digests of several threads are right");
    NS_TEST_EXPECT_MSG_EQ(GetRows(store, "thread ").size(), 80, "threads");
}

/// Keys, values and experiments are bytes to the database, never a part of its language.
DCN_TEST_CASE(HostileTextTestCase, "texts that look like SQL")
{
    const std::string path = CreateTempDirFilename("hostile.db");
    const std::vector<std::string> texts = DcnHostileTexts();
    DcnResultStore::Experiment experiment;
    for (const std::string& text : texts)
    {
        experiment[text] = text;
    }
    DcnResultStore store(path, experiment);
    for (const std::string& text : texts)
    {
        store.Add({{text, text + text}});
    }
    const DcnResultStore again(path, experiment);
    for (const std::string& text : texts)
    {
        NS_TEST_EXPECT_MSG_EQ(again.Find(text).value_or("none"), text + text, "kept as it is");
        std::size_t n = 0;
        again.Visit(text, [&n](const std::string&, const std::string&) { ++n; });
        NS_TEST_EXPECT_MSG_GT(n, 0, "found by its beginning: " << text);
    }
}

DcnTestSuite<RowsTestCase,
             RefusalTestCase,
             DamageTestCase,
             KillTestCase,
             ConcurrencyTestCase,
             HostileTextTestCase>
    g_dcnResultStoreTestSuite("dcn-result-store"); //!< the suite

} // namespace
