/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/throttling/noc-sink-features.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-origin.h"
#include "ns3/noc-detector.h"
#include "ns3/noc-engine.h"
#include "ns3/noc-throttle-run.h"

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return the network in which overload lowers the throughput
NocSystem
MakeSystem(double hit, double rate)
{
    return NocThrottleSetup().MakeSystem(hit, rate);
}

/// Moving averages by hand.
DCN_TEST_CASE(FeaturesTestCase, "features are moving averages of attempts and departures")
{
    NocSinkFeatures features(0.5);
    features.Attempt(10, true, 0);
    features.Attempt(14, true, 1); // gap 4
    const auto& f = features.Get();
    NS_TEST_EXPECT_MSG_EQ_TOL(f[0], 0.25, 1e-12, "accepted rate: 1 / 4");
    NS_TEST_EXPECT_MSG_EQ_TOL(f[1], 0.25, 1e-12, "total rate");
    NS_TEST_EXPECT_MSG_EQ(f[2], 0, "nothing was refused");
    NS_TEST_EXPECT_MSG_EQ_TOL(f[8], 0.5, 1e-12, "occupancy 0, 1 by 1/2");
    features.Attempt(16, false, 2); // gaps 4, 2: mean 3, square 10
    NS_TEST_EXPECT_MSG_EQ_TOL(f[0], 0.25, 1e-12, "refusals are no accepted packets");
    NS_TEST_EXPECT_MSG_EQ_TOL(f[1], 1 / 3.0, 1e-12, "total rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(f[4], 10.0 / 9 - 1, 1e-12, "C2 of gaps");
    NS_TEST_EXPECT_MSG_EQ_TOL(f[9], 0.5, 1e-12, "share that finds it full");
    features.Attempt(20, false, 2);
    NS_TEST_EXPECT_MSG_EQ_TOL(f[2], 0.25, 1e-12, "deflected rate");
    features.Attempt(20 + NocSinkFeatures::FORGET + 1, true, 0);
    NS_TEST_EXPECT_MSG_EQ(f[2], 0, "forgotten");
    // a gradient is exact for a straight line: occupancy of slope s per sample, after settling
    NocSinkFeatures line(1.0);
    for (uint32_t i = 0; i < 9; ++i)
    {
        line.Attempt(i, true, 3 * i);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(line.Get()[12], 3.0, 1e-9, "gradient of the occupancy");
    NS_TEST_EXPECT_MSG_EQ(NocSinkFeatures::GetNames().size(), NocSinkFeatures::N, "names");
    // departures
    line.Depart(20, 5);
    line.Depart(23, 4);
    NS_TEST_EXPECT_MSG_EQ_TOL(line.Get()[6], 3.0, 1e-12, "time between departures");
    NS_TEST_EXPECT_MSG_EQ_TOL(line.Get()[8], 4.0, 1e-12, "occupancy after it");
}

/// Time reversal by hand: a packet sent at 50 bounces at 70, so that samples about 50 are 1.
DCN_TEST_CASE(LabelsTestCase, "labels say that a packet sent then bounced")
{
    NocLabelledRun run(MakeSystem(0.7, 0.5), 1.0 / 16);
    for (uint32_t cycle : {40, 45, 50, 55, 56})
    {
        run.Attempt(cycle, 0, true, 1, cycle - 3);
        run.Attempt(cycle, 1, true, 1, cycle - 3);
    }
    run.Attempt(70, 0, false, 4, 50);
    run.Label(5, 41);
    run.Attempt(71, 12, false, 4, 50); // a memory controller
    NS_TEST_EXPECT_MSG_EQ(run.GetRows().back().cycle, 70, "sinks of controllers are left out");
    std::vector<bool> labels;
    for (const auto& row : run.GetRows())
    {
        if (row.node == 0)
        {
            labels.push_back(row.label);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(row.label, false, "another sink");
        }
    }
    NS_TEST_EXPECT_MSG_EQ((labels == std::vector<bool>{true, true, true, false, false}),
                          true,
                          "45, 50 and 55 are within 5 cycles of 50; 40 is dropped");
}

/// Trees: files, code, and how well one tells labels of runs that it has not seen.
DCN_TEST_CASE(DetectorTestCase, "a tree of depth 4 tells congested sinks on unseen seeds")
{
    NocLabelledRuns learned;
    NocLabelledRuns unseen;
    for (uint64_t seed : {1, 2, 3, 101, 102, 103})
    {
        NocEngine engine(MakeSystem(0.7, seed % 100 == 1 ? 0.6 : 0.999), seed);
        auto run = std::make_unique<NocLabelledRun>(MakeSystem(0.7, 0.5), 1.0 / 16);
        engine.Run(12000);
        engine.SetControl(run.get());
        engine.Run(2500);
        run->Label(5, 12300);
        (seed < 100 ? learned : unseen).push_back(std::move(run));
    }
    const MqlTree tree = NocDetector::Fit(learned, 4);
    NS_TEST_EXPECT_MSG_EQ((tree.GetDepth() <= 4), true, "depth");
    const NocDetectorScore score = NocDetector::Score(tree, unseen);
    NS_TEST_EXPECT_MSG_EQ((score.positives > 100), true, "there is congestion");
    NS_TEST_EXPECT_MSG_EQ((score.accuracy0 > 0.9 && score.accuracy1 > 0.9),
                          true,
                          score.accuracy0 << ", " << score.accuracy1);
    const std::string path = CreateTempDirFilename("tree.csv");
    {
        std::ofstream file(path);
        NocDetector::Write(tree, file);
    }
    const MqlTree again = NocDetector::Read(path);
    for (const auto& row : unseen[0]->GetRows())
    {
        std::vector<double> features(row.features.begin(), row.features.end());
        if (again.Predict(features.data()) != tree.Predict(features.data()))
        {
            NS_TEST_EXPECT_MSG_EQ(true, false, "the file is another tree");
            break;
        }
    }
    std::ostringstream code;
    NocDetector::WriteCpp(tree, code);
    NS_TEST_EXPECT_MSG_NE(code.str().find("return true;"), std::string::npos, "calls");
    std::ofstream(path) << "node,feature,threshold,right,value,rows,gain\n1,0,0,0,0,0,0\n";
    DCN_TEST_EXPECT_ERROR(NocDetector::Read(path), path + ":2: node 0 was expected, not 1");
    DCN_TEST_EXPECT_ERROR(NocDetector::Fit({}, 4),
                          "no sample has the label 0: simulate a lower load, too");
}

/// The tree that comes with the repository: that of its card, of this engine, and as good as it
/// says.
DCN_TEST_CASE(ShippedTestCase, "the shipped tree is that of its card")
{
    const std::string folder = DcnDataPath("models/noc-throttle/");
    const DcnModelCard card = DcnModelCard::Read(folder + "card.json", "noc-throttle");
    NS_TEST_EXPECT_MSG_EQ(card.GetText("model", "tree_checksum"),
                          DcnHashText(DcnReadTestFile(folder + "tree.csv")),
                          "the tree beside the card");
    NS_TEST_EXPECT_MSG_EQ(card.GetText("origin", "engine_digest"),
                          NocEngine::GetDigest(),
                          "the simulator has changed: train the tree again");
    const MqlTree tree = NocDetector::Read(folder + "tree.csv");
    NS_TEST_EXPECT_MSG_EQ(tree.GetDepth(), card.GetNumber("training", "depth"), "depth");
    NS_TEST_EXPECT_MSG_EQ(tree.GetNLeaves(), card.GetNumber("training", "leaves"), "leaves");
    // seeds that neither training, choice of the depth nor scores of the card have seen
    const NocLabelledRuns all =
        NocThrottleSetup().Record({0.5, 0.7, 0.8, 0.9, 1}, 0.7, 7001, 5, 1.0 / 16);
    const NocDetectorScore score = NocDetector::Score(tree, all);
    const std::string key = "depth " + DcnToText(card.GetNumber("training", "depth")) +
                            ", unseen seeds, accuracy of label ";
    NS_TEST_EXPECT_MSG_EQ_TOL(score.accuracy0, card.GetNumber("errors", key + "0"), 0.01, key);
    NS_TEST_EXPECT_MSG_EQ_TOL(score.accuracy1, card.GetNumber("errors", key + "1"), 0.01, key);
    NS_TEST_EXPECT_MSG_GT(score.accuracy0, 0.94, "label 0");
    NS_TEST_EXPECT_MSG_GT(score.accuracy1, 0.98, "label 1");
}

/// At low load all that 34 cores generate is completed: 34 x rate, the mean over phases.
DCN_TEST_CASE(RunTestCase, "measures of a run by phases")
{
    NocThrottleSetup setup;
    setup.warmUp = 2000;
    setup.cycles = 20000;
    NocThrottleRun run(setup, 0.7, {0.02, 0.06}, "none", {}, 1);
    run.Simulate();
    const auto list = run.GetMeasures();
    const std::map<std::string, double> measures(list.begin(), list.end());
    const double transactions = measures.at("transactions_per_cycle");
    NS_TEST_EXPECT_MSG_EQ_TOL(transactions, 34 * 0.04, 0.05 * 34 * 0.04, "34 x (0.02 + 0.06) / 2");
    NS_TEST_EXPECT_MSG_EQ_TOL(measures.at("miss_share"), 0.3, 0.02, "1 - hit rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(measures.at("memory_reads_per_cycle"),
                              measures.at("miss_share") * transactions,
                              0.01,
                              "a read for each miss");
    NS_TEST_EXPECT_MSG_EQ_TOL(measures.at("bytes_per_core_cycle"),
                              64 * transactions / 34,
                              1e-9,
                              "lines of 64 bytes");
    NS_TEST_EXPECT_MSG_GT(measures.at("fairness"), 0.99, "no core is starved");
    NS_TEST_EXPECT_MSG_LT(measures.at("fairness"), 1 + 1e-12, "Jain's index is at most 1");
    const auto workloads = NocDrawWorkloads(10, 1);
    NS_TEST_EXPECT_MSG_EQ(workloads.size(), 10, "workloads");
    NS_TEST_EXPECT_MSG_EQ((workloads == NocDrawWorkloads(10, 1)), true, "of their seed");
    DCN_TEST_EXPECT_ERROR(NocThrottleRun(setup, 0.7, {}, "none", {}, 1),
                          "a simulation of source throttling needs the rate of a phase, but there is "
                          "none");
    DCN_TEST_EXPECT_ERROR(NocThrottleRun(setup, 0.7, {0.5, 0}, "none", {}, 1),
                          "rates of phases must be above 0 packets per cycle, but one is 0");
}

/// Signals: delay, scope, actuator.
DCN_TEST_CASE(SignalsTestCase, "signals reach cores after their delay")
{
    const NocSystem system = MakeSystem(0.7, 0.5);
    NocThrottleOptions options;
    options.detector = NocThrottleOptions::Detector::THRESHOLD;
    options.delay = 3;
    NocThrottle sink(system, options);
    options.scope = NocThrottleOptions::Scope::GLOBAL;
    NocThrottle global(system, options);
    options.actuator = NocThrottleOptions::Actuator::WINDOW;
    options.period = 1;
    options.shrink = 0.9;
    NocThrottle window(system, options);
    for (uint32_t cycle = 0; cycle < 20; ++cycle)
    {
        for (NocThrottle* each : {&sink, &global, &window})
        {
            each->Begin(cycle);
        }
        const bool isHeard = cycle >= 6 + 3 && cycle < 13 + 3;
        NS_TEST_EXPECT_MSG_EQ(sink.MayIssue(0, 7), !isHeard, "the sink, cycle " << cycle);
        NS_TEST_EXPECT_MSG_EQ(sink.MayIssue(0, 8), true, "another sink");
        NS_TEST_EXPECT_MSG_EQ(global.MayIssue(0, 8), !isHeard, "all cores, cycle " << cycle);
        NS_TEST_EXPECT_MSG_EQ(window.MayIssue(0, 7), true, "no request is held");
        for (NocThrottle* each : {&sink, &global, &window})
        {
            if (cycle == 5)
            {
                each->Attempt(cycle, 7, true, 11, 0); // 12 of 16: on
            }
            if (cycle == 8)
            {
                each->Depart(cycle, 7, 7); // above 0.4 x 16: still on
            }
            if (cycle == 12)
            {
                each->Depart(cycle, 7, 6); // below: off
            }
        }
    }
    // seven cycles of shrinking, four of growing at the end
    NS_TEST_EXPECT_MSG_EQ_TOL(window.GetWindow(), 64 * std::pow(0.9, 7) + 4 * 0.1, 1e-9, "window");
    options.shrink = 1.1;
    DCN_TEST_EXPECT_ERROR(NocThrottle(system, options),
                          "a window must have 1 <= least <= most, 0 < shrink <= 1, grow >= 0 and a "
                          "period above 0, but they are 10, 64, 1.1, 0.1 and 1");
    options.shrink = 0.1;
    options.detector = NocThrottleOptions::Detector::THRESHOLD;
    NocThrottle least(system, options);
    least.Attempt(0, 7, true, 15, 0);
    for (uint32_t cycle = 0; cycle < 20; ++cycle)
    {
        least.Begin(cycle);
    }
    NS_TEST_EXPECT_MSG_EQ(least.GetWindow(), 10, "never less");
    options.hearsMemory = true;
    NocThrottle any(system, options);
    for (NocThrottle* each : {&sink, &any})
    {
        each->Attempt(20, 12, true, 15, 0); // a full sink of a memory controller
        each->Begin(20);
        each->Begin(21);
    }
    NS_TEST_EXPECT_MSG_EQ(any.GetSignalled(), 2, "any sink counts");
    NS_TEST_EXPECT_MSG_EQ(sink.GetSignalled(), 7, "those of cache slices count");
    options.hearsMemory = false;
    options.off = 0.9;
    DCN_TEST_EXPECT_ERROR(NocThrottle(system, options),
                          "the thresholds must be 0 < off <= on <= 1, but on is 0.75 and off is "
                          "0.9");
    options.off = 0.4;
    options.detector = NocThrottleOptions::Detector::TREE;
    DCN_TEST_EXPECT_ERROR(NocThrottle(system, options), "the detector of trees has no tree");
}

/// Overload lowers memory reads, and a window of hits repairs it; windows are kept.
DCN_TEST_CASE(OverloadTestCase, "a window repairs the fall of memory reads at overload")
{
    auto run = [](double rate, const NocThrottleOptions& options, uint32_t hitWindow) {
        NocSystem system = MakeSystem(0.7, rate);
        system.hitWindow = hitWindow;
        NocEngine engine(system, 1);
        NocThrottle throttle(system, options);
        engine.SetControl(&throttle);
        engine.Run(12000);
        engine.ResetStatistics();
        engine.Run(20000);
        return engine.GetStatistics();
    };
    const NocThrottleOptions none;
    const NocStatistics before = run(0.5, none, 64);
    const NocStatistics over = run(0.999, none, 64);
    NS_TEST_EXPECT_MSG_LT(over.memoryReads, 0.7 * before.memoryReads, "collapse");
    NS_TEST_EXPECT_MSG_LT(over.transactions.n, before.transactions.n, "of all transactions");
    const NocStatistics fixed = run(0.999, none, 16);
    NS_TEST_EXPECT_MSG_GT(fixed.memoryReads, 1.3 * over.memoryReads, "a window of 16 hits");
    NS_TEST_EXPECT_MSG_GT(fixed.transactions.n, 1.2 * over.transactions.n, "and transactions");
    NocThrottleOptions window;
    window.detector = NocThrottleOptions::Detector::THRESHOLD;
    window.actuator = NocThrottleOptions::Actuator::WINDOW;
    window.on = window.off = 0.25;
    const NocStatistics adapted = run(0.999, window, 64);
    NS_TEST_EXPECT_MSG_GT(adapted.memoryReads, 1.3 * over.memoryReads, "a window that adapts");
    // windows bound what is under way: Little's law, transactions x latency <= cores x windows
    const double underWay = static_cast<double>(fixed.transactions.sum) / 20000;
    NS_TEST_EXPECT_MSG_LT(underWay, 34 * (16 + 8) * 1.02, "under way");
}

DcnTestSuite<FeaturesTestCase,
             LabelsTestCase,
             DetectorTestCase,
             ShippedTestCase,
             RunTestCase,
             SignalsTestCase,
             OverloadTestCase>
    g_nocThrottlingTestSuite("noc-throttling");

} // namespace
