/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/combine/parsimon-predictor.h"
#include "../model/combine/parsimon-run.h"
#include "../model/simulate/parsimon-link-runner.h"
#include "../model/topology/parsimon-nic-delays.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/parsimon-decomposition.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/rng-seed-manager.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Known delays: 100 ns per flow of the link that began before.
class CountingSimulator : public ParsimonLinkSimulator
{
  public:
    /**
     * @param threads whether to say that it is safe for threads
     */
    explicit CountingSimulator(bool threads = true)
        : m_threads(threads)
    {
    }

    ParsimonLinkResult Simulate(const ParsimonLink& link) const override
    {
        ++m_calls;
        ParsimonLinkResult result;
        for (std::size_t i = 0; i < link.flows.size(); ++i)
        {
            const auto n = static_cast<int64_t>(i);
            result.idealNs.push_back(1000);
            result.fctNs.push_back(1000 + 100 * n);
        }
        return result;
    }

    bool IsThreadSafe() const override
    {
        return m_threads;
    }

    std::string GetVersion() const override
    {
        return "counting 1";
    }

    mutable std::atomic<uint32_t> m_calls{0}; //!< of Simulate in this process

  private:
    bool m_threads; //!< see IsThreadSafe
};

/// A scenario, topologies of links without endpoints, and runs.
class Bench
{
  public:
    /**
     * @param scenario the flows
     * @param rules of the decomposition
     */
    explicit Bench(Ptr<const DcnScenario> scenario, ParsimonRules rules = ParsimonRules::DEFAULT)
        : m_scenario(scenario),
          m_decomposition(scenario, rules)
    {
    }

    /**
     * @param simulator simulates links
     * @param options how
     * @param store results, or null
     * @return the delays
     */
    ParsimonLinkTable Run(const ParsimonLinkSimulator& simulator,
                          const ParsimonLinkRunner::Options& options,
                          ParsimonResultStore* store = nullptr) const
    {
        const auto& index = m_decomposition.GetBuilder().GetIndex();
        const ParsimonLinkRunner runner(
            simulator,
            [&](uint32_t link) {
                ParsimonLink topology{};
                topology.sources = {{0, 0, m_nicBps, 0}};
                topology.link = link;
                topology.position = ParsimonLinkIndex::GetPosition(m_scenario->GetTopology(), link);
                for (uint32_t f : index->GetFlows(link))
                {
                    const DcnFlow& flow = m_scenario->GetFlows()[f];
                    topology.flows.push_back({f, 0, 0, flow.sizeBytes, flow.startNs});
                }
                return topology;
            },
            "context",
            store);
        return runner.Run(*m_scenario, index, options);
    }

    /**
     * @param table results of a run
     * @param nThreads threads
     * @return completion times
     */
    std::vector<int64_t> Predict(const ParsimonLinkTable& table, uint32_t nThreads = 1) const
    {
        return ParsimonPredictor(m_decomposition, table, false, nThreads)
            .Predict(m_decomposition, table, nThreads);
    }

    Ptr<const DcnScenario> m_scenario;        //!< the flows
    ParsimonDecomposition m_decomposition;    //!< its rules, and flows by link
    uint64_t m_nicBps{1'000'000'000'000'000}; //!< rate of the one source of all topologies
};

/**
 * @param sizes of flows from the first to the last host of two racks of one host, 1 us apart
 * @return the scenario: links host 0 -> leaf -> spine -> leaf -> host 1
 */
Ptr<const DcnScenario>
MakeRow(const std::vector<uint64_t>& sizes)
{
    DcnLeafSpineParameters parameters;
    parameters.racks = 2;
    parameters.hostsPerRack = 1;
    parameters.spines = 1;
    std::vector<DcnFlow> flows;
    for (uint64_t size : sizes)
    {
        flows.push_back({flows.size(), 0, 1, size, static_cast<int64_t>(1000 * flows.size())});
    }
    return DcnScenario::Create(DcnBuildTopology(parameters),
                               DcnNetworkConfig::Preset("dctcp"),
                               flows);
}

/** @return 2000 flows on the 32-host fabric. */
Ptr<const DcnScenario>
MakeFabric()
{
    return DcnMakeTestScenario(DcnWorkloadSpec());
}

/// A folder that goes away with the object.
class Folder
{
  public:
    Folder()
        : m_path((std::filesystem::temp_directory_path() /
                  ("parsimon-test-" + std::to_string(getpid())))
                     .string())
    {
        std::filesystem::remove_all(m_path);
    }

    ~Folder()
    {
        std::filesystem::remove_all(m_path);
    }

    std::string m_path; //!< its name
};

/// Default and published rules on a path of four links, by hand.
DCN_TEST_CASE(PointEstimateTestCase, "Point estimates along a path, by hand")
{
    // three flows of 1, 2 and 18 packets; at each of the four links D = 0, 100, 200 ns
    Bench bench(MakeRow({1000, 2000, 18000}));
    const CountingSimulator simulator;
    ParsimonLinkRunner::Options options;
    const DcnScenario& scenario = *bench.m_scenario;
    std::vector<int64_t> ideal;
    for (std::size_t f = 0; f < 3; ++f)
    {
        ideal.push_back(scenario.GetIdealFct(f).GetTotalNs());
    }
    {
        // NICs so fast that N = 0. At the third and fourth all comes over one link before: as
        // fast as the third, so overlap 1, and faster than the fourth, 0
        const auto table = bench.Run(simulator, options);
        NS_TEST_EXPECT_MSG_EQ(simulator.m_calls, 4, "links with flows");
        NS_TEST_EXPECT_MSG_EQ(table.GetAccounting().simulated, 4, "simulated");
        NS_TEST_EXPECT_MSG_EQ(table.GetAccounting().idle, 4, "the other direction");
        NS_TEST_EXPECT_MSG_EQ(table.GetAccounting().GetTotal(), 8, "all");
        const auto fctNs = bench.Predict(table);
        // x = D + D + 0 + D
        NS_TEST_EXPECT_MSG_EQ(fctNs[0] - ideal[0], 0, "first");
        NS_TEST_EXPECT_MSG_EQ(fctNs[1] - ideal[1], 300, "second");
        NS_TEST_EXPECT_MSG_EQ(fctNs[2] - ideal[2], 600, "third");
    }
    {
        // so slow that all of D is N: only the first link counts
        bench.m_nicBps = 1'000'000'000;
        const auto fctNs = bench.Predict(bench.Run(simulator, options));
        NS_TEST_EXPECT_MSG_EQ(fctNs[1] - ideal[1], 100, "second");
        NS_TEST_EXPECT_MSG_EQ(fctNs[2] - ideal[2], 200, "third");
    }
    // published: D* is one of 0, 100 / 2, 200 / 18 at each link, and D = floor(P sum D*), along
    // the only path that can be drawn
    const Bench published(bench.m_scenario, ParsimonRules::PUBLISHED);
    options.withNic = false;
    const auto table = published.Run(simulator, options);
    const auto fctNs = published.Predict(table);
    for (std::size_t f = 0; f < 3; ++f)
    {
        const std::array<double, 3> packets{1, 2, 18};
        bool found = false;
        for (int a = 0; a <= 4; ++a)
        {
            for (int b = 0; a + b <= 4; ++b)
            {
                const double delay = packets[f] * (a * 50.0 + b * 200.0 / 18);
                found = found || std::abs(delay - static_cast<double>(fctNs[f] - ideal[f])) <= 1;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(found, true, "a sum of four samples, flow " << f);
    }
    // the mean of many draws is P times the sum of the means, (0 + 50 + 11.11) / 3 each
    const ParsimonPredictor predictor(published.m_decomposition, table, false, 1);
    double sum = 0;
    for (uint64_t draw = 0; draw < 40000; ++draw)
    {
        sum += predictor.Draw(10000, scenario.GetPath(0), draw);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / 40000, 10 * 4 * 61.11 / 3, 10, "mean of the convolution");
}

DCN_TEST_CASE(NicTestCase, "Processor sharing at a NIC, by hand")
{
    // 8 Gb/s are 1 byte/ns; flows of 3000, 1000 and 1000 bytes with headers
    ParsimonLink link{};
    link.availableBps = 8'000'000'000;
    link.sources = {{0, 5, 8'000'000'000, 0}, {1, 6, 0, 0}, {0, 5, 8'000'000'000, 70}};
    link.flows = {{0, 0, 0, 2856, 0}, {1, 1, 0, 952, 500}, {2, 2, 0, 952, 1000}};
    // the third shares with the first from 1000 to 3000, when it ends; the first has 1000 left
    const auto delays = ParsimonNicDelays(link, 952, 48);
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[0], 1000, 1e-3, "4000 instead of 3000");
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[1], 0, 1e-3, "alone at the other NIC");
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[2], 1000, 1e-3, "2000 instead of 1000");
    link.flows[2].startNs = 3000;
    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonNicDelays(link, 952, 48)[2], 0, 1e-3, "after");
}

DCN_TEST_CASE(NicLimitsTestCase, "Processor sharing of flows with limits, by hand")
{
    // 1 byte/ns; limits in units of it
    static constexpr uint64_t UNIT = 8'000'000'000;
    auto make = [](const std::vector<double>& limits, const std::vector<uint64_t>& bytes) {
        ParsimonLink link{};
        link.availableBps = UNIT;
        link.sources = {{0, 5, UNIT, 0}};
        for (uint32_t i = 0; i < limits.size(); ++i)
        {
            link.flows.push_back({i, 0, 0, bytes[i] - 48 * (bytes[i] / 1000), 0});
            link.flows[i].limitBps = static_cast<uint64_t>(limits[i] * UNIT);
        }
        return link;
    };
    std::vector<char> isMet;
    // A window of 250 bytes: 1000 bytes take 4000, V = 3000. Both have half of the NIC up to 500;
    // then 750 / (4000 - 250) = 0.2 and 0.8: the first flow ends at 500 + 3750, the second one at
    // 500 + 2750 / 0.8
    ParsimonLink link = make({0.25, 0}, {1000, 3000});
    link.windowBytes = 250;
    link.flows[0].idleNs = 3000;
    auto delays = ParsimonNicDelays(link, 952, 48, &isMet);
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[0], 4250 - 1000, 1e-3, "window and the other flow");
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[1], 3937.5 - 3000, 1e-3, "the other flow");
    NS_TEST_EXPECT_MSG_EQ((isMet[0] && isMet[1]), true, "full");
    link.flows.pop_back();
    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonNicDelays(link, 952, 48)[0], 3000, 1e-3, "alone: V");
    // headers of 100 in place of 48 bytes
    link.flows[0].idleNs = 0;
    link.flows[0].limitBps = 0;
    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonNicDelays(link, 952, 100)[0], 52, 1e-3, "headers");

    // nobody meets anybody
    delays = ParsimonNicDelays(make({0.25, 0.5}, {1000, 3000}), 952, 48, &isMet);
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[0], 0, 1e-3, "limits");
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[1], 0, 1e-3, "limits");
    NS_TEST_EXPECT_MSG_EQ((isMet[0] || isMet[1]), false, "a quarter is free");
    // a third for each up to 3000, then half, which is the limit: 3000 + (2000 - 1000) 2 = 5000
    link = make({0.5, 0.5, 0.5}, {1000, 2000, 1000});
    delays = ParsimonNicDelays(link, 952, 48);
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[0], 3000 - 2000, 1e-3, "thirds");
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[1], 5000 - 4000, 1e-3, "then half");
    // paced at half, below the rate of the window, which therefore costs nothing
    for (auto& flow : link.flows)
    {
        flow.limitBps = UNIT / 4 * 3;
        flow.idleNs = 7;
        flow.paceBps = UNIT / 2;
    }
    delays = ParsimonNicDelays(link, 952, 48);
    NS_TEST_EXPECT_MSG_EQ_TOL(delays[1], 5000 - 4000, 1e-3, "paced");
}

DCN_TEST_CASE(SameBytesTestCase, "Threads, processes, ranks and kept results give the same bytes")
{
    const Bench bench(MakeFabric());
    const DcnTopology& topology = bench.m_scenario->GetTopology();
    const Folder folder;
    auto predict = [&](const ParsimonLinkSimulator& simulator,
                       ParsimonResultStore* store,
                       ParsimonLinkRunner::Options options,
                       ParsimonLinkTable::Accounting* accounting = nullptr) {
        options.clustering = ParsimonClusteringOptions::Of(ParsimonRules::DEFAULT);
        const auto table = bench.Run(simulator, options, store);
        if (accounting)
        {
            *accounting = table.GetAccounting();
        }
        return bench.Predict(table, options.nThreads);
    };
    ParsimonLinkRunner::Options options;
    ParsimonLinkTable::Accounting accounting;
    const CountingSimulator threads;
    const auto expected = predict(threads, nullptr, options, &accounting);
    NS_TEST_EXPECT_MSG_GT(accounting.shared, 0, "some are clustered");
    NS_TEST_EXPECT_MSG_EQ(threads.m_calls, accounting.simulated, "only these are simulated");
    NS_TEST_EXPECT_MSG_EQ(accounting.GetTotal(), topology.GetNLinks(), "all");
    options.nThreads = 3;
    NS_TEST_EXPECT_MSG_EQ((predict(threads, nullptr, options) == expected), true, "threads");
    const CountingSimulator processes(false);
    NS_TEST_EXPECT_MSG_EQ((predict(processes, nullptr, options) == expected), true, "processes");
    NS_TEST_EXPECT_MSG_EQ(processes.m_calls, 0, "not in this process");
    ParsimonLinkTable::Accounting again;
    {
        ParsimonResultStore store(folder.m_path);
        NS_TEST_EXPECT_MSG_EQ((predict(threads, &store, options) == expected), true, "kept");
        const uint32_t calls = threads.m_calls;
        NS_TEST_EXPECT_MSG_EQ((predict(threads, &store, options, &again) == expected),
                              true,
                              "from memory");
        NS_TEST_EXPECT_MSG_EQ(threads.m_calls, calls, "none simulated again");
        NS_TEST_EXPECT_MSG_EQ(again.reused, accounting.simulated, "all reused");
    }
    ParsimonResultStore store(folder.m_path);
    NS_TEST_EXPECT_MSG_EQ((predict(processes, &store, options, &again) == expected),
                          true,
                          "from the file");
    NS_TEST_EXPECT_MSG_EQ(again.reused, accounting.simulated, "all reused");
    // a damaged file, and results of dcn 0.1
    const std::string path = folder.m_path + "/results.db";
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    auto readDamaged = [&]() {
        ParsimonResultStore damaged(folder.m_path);
        predict(threads, &damaged, options);
    };
    DCN_TEST_EXPECT_ERROR(readDamaged(),
                          path +
                              ": the result store is damaged; remove the file or name another one");
    const std::string old = folder.m_path + "/parsimon-cache";
    std::ofstream(old) << "parsimon cache, format 1\n";
    DCN_TEST_EXPECT_ERROR(ParsimonResultStore(folder.m_path),
                          old + ": the results in this folder have a format of dcn 0.1, which "
                                "is no longer read; remove the folder or name another one");
    std::filesystem::remove_all(folder.m_path);
    // what was added is in the file when the store is gone, as where an exception ends a run
    {
        ParsimonResultStore ended(folder.m_path);
        for (const std::string key : {"a", "b", "c"})
        {
            ended.Add(key, std::make_shared<const ParsimonLinkDelays>());
        }
    }
    NS_TEST_EXPECT_MSG_EQ((ParsimonResultStore(folder.m_path).Find("c") != nullptr), true, "c");
}

std::string g_digest; //!< digest of the link simulator "test-digest"

/// A simulator whose code changes.
class ChangingSimulator : public CountingSimulator
{
  public:
    std::string GetDigest() const override
    {
        return g_digest;
    }
};

const ParsimonLinkSimulator::Registration g_changing(
    "test-digest",
    [](const DcnNetworkParameters&, uint64_t) { return std::make_unique<ChangingSimulator>(); });

DCN_TEST_CASE(DigestTestCase, "Kept results are those of the code that simulates")
{
    const Ptr<const DcnScenario> scenario = MakeFabric();
    const Folder folder;
    ParsimonOptions options;
    options.simulator = "test-digest";
    auto simulate = [&](const std::string& digest) {
        g_digest = digest;
        ParsimonResultStore store(folder.m_path);
        return ParsimonRun(scenario, options, &store).GetNSimulated();
    };
    const uint32_t all = simulate("before");
    NS_TEST_EXPECT_MSG_GT(all, 0, "links");
    NS_TEST_EXPECT_MSG_EQ(simulate("before"), 0, "all kept");
    NS_TEST_EXPECT_MSG_EQ(simulate("after"), all, "other code");
    // the simulators that use the congestion controls have the packet engine's digest
    const std::string engine = DcnEstimator::CreateByName("packet")->GetDigest();
    const DcnNetworkParameters& network = scenario->GetNetwork();
    for (const auto& [name, expected] : {std::make_pair("lean", engine),
                                         std::make_pair("packet", engine),
                                         std::make_pair("flowsim", std::string()),
                                         std::make_pair("minim", std::string())})
    {
        NS_TEST_EXPECT_MSG_EQ(ParsimonLinkSimulator::Create(name, network, 1)->GetDigest(),
                              expected,
                              name);
    }
    DCN_TEST_EXPECT_ERROR(ParsimonLinkSimulator::Registration("lean", nullptr),
                          "the link simulator \"lean\" is registered twice");
}

DCN_TEST_CASE(KeyTestCase, "A simulation's key depends on its input and on nothing else")
{
    auto network = DcnNetworkConfig::Preset("dctcp");
    const ParsimonLink link{7,
                            ParsimonPosition::LAST_HOP,
                            10,
                            9,
                            1000,
                            {{1, 2, 5, 0}, {2, 3, 5, 0}},
                            {{3, 4, 0, 0}},
                            {{0, 0, 0, 100, 5}, {1, 1, 0, 200, 6}}};
    const auto key = ParsimonMakeKey;
    const std::string context = ParsimonDescribeContext(*network, "lean 1", 1, true);
    const std::string expected = key(link, context);
    NS_TEST_EXPECT_MSG_EQ(expected.size(), 32, "digits");
    ParsimonLink other = link;
    other.link = 8;
    other.flows[0].flow = 5;
    other.flows[1].flow = 6;
    other.sources[0].host = 9;
    other.sources[0].link = 18;
    NS_TEST_EXPECT_MSG_EQ(key(other, context), expected, "numbers of the scenario");
    std::vector<ParsimonLink> others(10, link);
    others[0].position = ParsimonPosition::FIRST_HOP;
    others[1].availableBps = 8;
    others[2].delayNs = 0;
    others[3].sources[1].link = 2; // both sources share a NIC
    others[4].sources[0].delayNs = 1;
    others[5].destinations[0].rateBps = 1;
    others[6].flows[1].sizeBytes = 201;
    others[7].flows[1].startNs = 7;
    others[8].flows.pop_back();
    others[9].capacityBps = 11;
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_NE(key(others[i], context), expected, "input " << i);
    }
    NS_TEST_EXPECT_MSG_NE(key(link, ParsimonDescribeContext(*network, "lean 2", 1, true)),
                          expected,
                          "simulator");
    NS_TEST_EXPECT_MSG_NE(key(link, ParsimonDescribeContext(*network, "lean 1", 2, true)),
                          expected,
                          "seed");
    NS_TEST_EXPECT_MSG_NE(key(link, ParsimonDescribeContext(*network, "lean 1", 1, false)),
                          expected,
                          "delays at NICs");
    const uint64_t runNumber = RngSeedManager::GetRun();
    RngSeedManager::SetRun(runNumber + 1);
    NS_TEST_EXPECT_MSG_NE(key(link, ParsimonDescribeContext(*network, "lean 1", 1, true)),
                          expected,
                          "--RngRun");
    RngSeedManager::SetRun(runNumber);
    network->windowBytes += 1;
    NS_TEST_EXPECT_MSG_NE(key(link, ParsimonDescribeContext(*network, "lean 1", 1, true)),
                          expected,
                          "configuration");
}

DcnTestSuite<PointEstimateTestCase,
             NicTestCase,
             NicLimitsTestCase,
             SameBytesTestCase,

             DigestTestCase,
             KeyTestCase>
    g_parsimonLinkRunnerTestSuite("parsimon-link-runner"); //!< the suite

} // namespace
