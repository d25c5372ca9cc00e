/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Source throttling in a network on chip (dissertation, chapter 3; module noc): policies
 * over rates and hit rates, and the training of the decision tree.
 *
 * The network is the one in which overload lowers the throughput: caches whose hits pass misses,
 * small egress and transgress queues, cores with windows of hits and misses.
 */

#include "ns3/noc-throttle-run.h"

#include "ns3/cceval-interval.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-run-record.h"
#include "ns3/noc-detector.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Adds runs to a card, as a data set.
 * @param name of the data set
 * @param runs labelled runs
 * @param recipe how they were simulated
 * @param seed of the first run
 * @param command that simulated them
 * @param card of the tree
 */
void
AddRuns(const std::string& name,
        const NocLabelledRuns& runs,
        const std::string& recipe,
        uint64_t seed,
        const std::string& command,
        DcnModelCard& card)
{
    std::string bytes;
    std::string seeds;
    uint64_t samples = 0;
    auto append = [&bytes](const auto& value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    };
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        seeds += (i > 0 ? "+" : "") + std::to_string(seed + i);
        samples += runs[i]->GetRows().size();
        for (const NocLabelledRun::Row& row : runs[i]->GetRows())
        {
            append(row.features);
            append(row.cycle);
            append(row.node);
            append(row.label);
        }
    }
    card.AddData({{"name", name},
                  {"hash", DcnHashText(bytes)},
                  {"engine_digest", NocEngine::GetDigest()},
                  {"dcn_release", DCN_RELEASE},
                  {"date", DcnGetUtcDate()},
                  {"recipe", recipe},
                  {"seed", seeds},
                  {"command", command}},
                 samples);
}

/// Prints how well a detector does, and adds it to a card.
void
PrintScore(const std::string& name, const NocDetectorScore& score, DcnModelCard& card)
{
    card.Set("errors", name + ", accuracy of label 0", score.accuracy0);
    card.Set("errors", name + ", accuracy of label 1", score.accuracy1);
    card.Set("errors", name + ", precision", score.precision);
    card.Set("errors", name + ", lead in cycles", score.lead);
    std::printf("%-34s %8llu rows, %5.2f %% of label 1: right on 0 %5.1f %%, on 1 %5.1f %%; "
                "precision %5.1f %%, lead %5.1f cycles\n",
                name.c_str(),
                static_cast<unsigned long long>(score.rows),
                100.0 * static_cast<double>(score.positives) /
                    static_cast<double>(std::max<uint64_t>(1, score.rows)),
                100 * score.accuracy0,
                100 * score.accuracy1,
                100 * score.precision,
                score.lead);
}

/**
 * Trains the tree, and scores it on runs that it has not seen.
 * @param setup the network
 * @param depth of the tree; 0: it is chosen
 * @param seed of the first run
 * @param alpha of the features
 * @param command that trains it
 * @param card gets origin, data, options and scores
 * @return the tree
 */
MqlTree
Train(const NocThrottleSetup& setup,
      uint32_t depth,
      uint64_t seed,
      double alpha,
      const std::string& command,
      DcnModelCard& card)
{
    constexpr uint32_t DELTA = 5; // cycles
    constexpr double HIT = 0.7;   // of the training
    constexpr uint32_t DEPTHS[] = {2, 3, 4, 5, 6, 8};
    constexpr uint64_t UNSEEN = 1000; // added to the seed of runs that are not learned from
    const std::vector<double> rates{0.5, 0.7, 0.8, 0.9, 1};
    const std::string recipe = std::to_string(setup.rows) + " x " + std::to_string(setup.columns) +
                               ", hit rate 0.7, rates 0.5+0.7+0.8+0.9+1, " +
                               std::to_string(NocThrottleSetup::RECORDED) + " cycles after " +
                               std::to_string(setup.warmUp);
    card.SetOrigin(command, NocEngine::GetDigest());
    const auto learned = setup.Record(rates, HIT, seed, DELTA, alpha);
    AddRuns("training", learned, recipe, seed, command, card);
    const auto unseen = setup.Record(rates, HIT, seed + UNSEEN, DELTA, alpha);
    card.Set("training", "method", "CART, classes of equal weight, labels by time reversal");
    if (depth == 0)
    {
        // the fewest splits with the best accuracy of label 1 on other seeds
        const uint64_t first = seed + UNSEEN / 2;
        const auto validation = setup.Record(rates, HIT, first, DELTA, alpha);
        AddRuns("choice-of-depth", validation, recipe, first, command, card);
        double best = -1;
        for (uint32_t each : DEPTHS)
        {
            const NocDetectorScore score =
                NocDetector::Score(NocDetector::Fit(learned, each), validation);
            if (score.accuracy1 > best)
            {
                best = score.accuracy1;
                depth = each;
            }
        }
        std::printf("depth %u has the best accuracy of label 1 on runs for choosing\n", depth);
    }
    card.Set("training", "depth", depth);
    card.Set("training", "seed", static_cast<double>(seed));
    card.Set("training", "alpha", alpha);
    card.Set("training", "delta_cycles", DELTA);
    const MqlTree best = NocDetector::Fit(learned, depth);
    card.Set("training", "leaves", best.GetNLeaves());
    for (uint32_t each : DEPTHS)
    {
        PrintScore("depth " + std::to_string(each) + ", unseen seeds",
                   NocDetector::Score(NocDetector::Fit(learned, each), unseen),
                   card);
    }
    PrintScore("occupancy alone, unseen seeds",
               NocDetector::Score(NocDetector::Fit(learned, 1, 8), unseen),
               card);
    for (double hit : {0.6, 0.85})
    {
        PrintScore(
            "chosen depth, hit rate " + DcnToText(hit),
            NocDetector::Score(best,
                               setup.Record(rates, hit, seed + 2 * UNSEEN, DELTA, alpha)),
            card);
    }
    NocThrottleSetup other = setup;
    other.rows = other.columns = 5;
    PrintScore(
        "chosen depth, 5 x 5",
        NocDetector::Score(best, other.Record(rates, HIT, seed + 3 * UNSEEN, DELTA, alpha)),
        card);
    return best;
}

/// A simulation.
struct Task
{
    double hit;                          //!< hit rate
    std::string workload;                //!< rates of its phases, joined by slashes
    std::string policy;                  //!< name
    std::vector<double> phases;          //!< rates
    std::unique_ptr<NocThrottleRun> run; //!< the simulation
};

} // namespace

int
main(int argc, char* argv[])
{
    NocThrottleSetup setup;
    NocThrottleOptions options;
    std::string policies =
        "none,threshold-global-any:0.25:0.125,threshold-window:0.3:0.15,tree-window,fixed-12";
    std::string hits = "0.7";
    std::string rates = "0.3+0.5+0.7+0.8+1";
    std::string treeFile;
    std::string out = "results/noc-throttle";
    bool isTrained = false;
    uint32_t depth = 0;
    uint32_t workloads = 0;
    uint32_t seeds = 2;
    uint64_t seed = 1;
    uint32_t threads = 0;
    CommandLine cmd(__FILE__);
    cmd.Usage("Source throttling in a network on chip.");
    DcnAddText(
        cmd,
        "policies",
        "Joined by commas: none, fixed-N (a window of N hits), or a detector: threshold, "
        "tree; then -global (all cores stop; -any: for sinks of memory controllers, too), "
        "-hold (no request passes a held one), -window (of hits, adapted), -local (cores "
        "at the border look ahead); then :ON:OFF in place of --on, --off. Empty with --train: "
        "none is simulated",
        policies);
    DcnAddText(cmd, "hits", "Hit rates, joined by +", hits);
    DcnAddText(cmd,
               "rates",
               "Requests per cycle and core, joined by +; 1: 0.999. Phases are joined by /",
               rates);
    cmd.AddValue("workloads", "Workloads of four phases drawn in place of --rates", workloads);
    cmd.AddValue("train", "Train the tree of the policies, and score it", isTrained);
    DcnAddText(cmd, "tree", "Table of a tree; empty: the shipped one", treeFile);
    cmd.AddValue("depth", "Splits of the tree that is trained, at most; 0: chosen", depth);
    cmd.AddValue("on", "Share of a sink from which the threshold is on", options.on);
    cmd.AddValue("off", "Share of a sink below which it is off", options.off);
    cmd.AddValue("delay", "Cycles from a signal to the cores", options.delay);
    cmd.AddValue("alpha", "Weight of a new value in the features", options.alpha);
    cmd.AddValue("shrink", "Factor of the window while a sink is congested", options.shrink);
    cmd.AddValue("least", "Smallest window", options.least);
    cmd.AddValue("grow", "Added to the window otherwise", options.grow);
    cmd.AddValue("rows", "Rows of the mesh", setup.rows);
    cmd.AddValue("columns", "Columns of the mesh", setup.columns);
    cmd.AddValue("queues", "Packets in egress and transgress queues, at most", setup.queues);
    cmd.AddValue("ingress", "Packets in a sink, at most", setup.ingress);
    cmd.AddValue("cacheList", "Requests in a cache slice, at most", setup.cacheList);
    cmd.AddValue("memoryPeriod", "Cycles per request of a controller", setup.memoryPeriod);
    cmd.AddValue("hitWindow", "Hits that a core may have under way", setup.hitWindow);
    cmd.AddValue("missWindow", "Misses that a core may have under way", setup.missWindow);
    cmd.AddValue("burst", "Probability that a request follows in the same cycle", setup.burst);
    cmd.AddValue("cycles", "Simulated cycles that are measured", setup.cycles);
    cmd.AddValue("warmUp", "Simulated cycles before", setup.warmUp);
    cmd.AddValue("seeds", "Repetitions", seeds);
    cmd.AddValue("seed", "Seed of the first repetition", seed);
    cmd.AddValue("threads", "Simulations at a time; 0: as many as cores", threads);
    DcnAddText(cmd, "out", "Folder for noc-throttle.csv, memory-reads.png; tree.csv, tree.h", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("noc-throttle", [&]() {
        const auto names = DcnSplit(policies, ',');
        const auto hitList = DcnReadNumbers("hits", hits);
        const auto rateList =
            workloads > 0 ? NocDrawWorkloads(workloads, seed) : DcnSplit(rates, '+');
        const bool needsTree = std::any_of(names.begin(), names.end(), [](const auto& name) {
            return name.rfind("tree", 0) == 0;
        });
        if (names.empty() && !isTrained)
        {
            DcnFail("--policies names no policy");
        }
        if (rateList.empty() || hitList.empty())
        {
            DcnFail("--rates and --hits need numbers, but they are \"",
                    rates,
                    "\" and \"",
                    hits,
                    "\"");
        }
        if (seeds == 0 || setup.cycles == 0)
        {
            DcnFail("simulations need repetitions and cycles, but --seeds is ",
                    seeds,
                    " and --cycles is ",
                    setup.cycles);
        }
        if (workloads > 0 && rates != "0.3+0.5+0.7+0.8+1")
        {
            DcnFail("--rates has no effect with --workloads");
        }
        if (!treeFile.empty() && (isTrained || !needsTree))
        {
            DcnFail("--tree has no effect ",
                    isTrained ? "with --train" : "without a policy \"tree\"");
        }
        if (depth > 0 && !isTrained)
        {
            DcnFail("--depth has no effect without --train");
        }
        if (needsTree)
        {
            // a training replaces it
            options.tree = std::make_shared<const MqlTree>(NocDetector::Read(
                treeFile.empty() ? DcnDataPath("models/noc-throttle/tree.csv") : treeFile));
        }
        for (const std::string& name : names)
        {
            uint32_t hitWindow = setup.hitWindow;
            NocThrottleOptions::Read(name, options, hitWindow); // refuses bad ones before a training
        }
        std::string written;
        DcnMakeFolder(out);
        if (isTrained)
        {
            DcnModelCard card("noc-throttle");
            const MqlTree tree = Train(setup,
                                       depth,
                                       seed,
                                       options.alpha,
                                       DcnDescribeCommand("noc-throttle", argc, argv),
                                       card);
            options.tree = std::make_shared<const MqlTree>(tree);
            std::ostringstream table;
            NocDetector::Write(tree, table);
            DcnFileWriter file(out + "/tree.csv");
            file.Stream() << table.str();
            DcnFileWriter code(out + "/tree.h");
            NocDetector::WriteCpp(tree, code.Stream());
            DcnFileWriter about(out + "/card.json");
            card.Write(about.Stream(), {{"tree_checksum", DcnHashText(table.str())}});
            file.Commit();
            code.Commit();
            about.Commit();
            written = out + "/tree.csv, tree.h, card.json";
            if (names.empty())
            {
                std::cout << "written: " << written << std::endl;
                return 0;
            }
            written += "; ";
        }
        std::vector<Task> tasks; // runs are made and released by this thread
        for (double hit : hitList)
        {
            for (const std::string& workload : rateList)
            {
                const auto phases = DcnReadNumbers("rates", workload, '/');
                for (const std::string& name : names)
                {
                    for (uint32_t i = 0; i < seeds; ++i)
                    {
                        tasks.push_back({hit,
                                         workload,
                                         name,
                                         phases,
                                         std::make_unique<NocThrottleRun>(setup,
                                                                          hit,
                                                                          phases,
                                                                          name,
                                                                          options,
                                                                          seed + i)});
                    }
                }
            }
        }
        std::cout << setup.rows << " x " << setup.columns << ", windows " << setup.hitWindow
                  << " / " << setup.missWindow << ", thresholds " << options.on << " / "
                  << options.off << ", delay " << options.delay << ", " << tasks.size()
                  << " simulations of " << setup.cycles << " cycles" << std::endl;
        DcnProgress progress("noc-throttle", tasks.size(), "simulations");
        std::mutex mutex; // of progress
        uint64_t done = 0;
        DcnParallelFor(tasks.size(), threads, [&](std::size_t i) {
            tasks[i].run->Simulate();
            const std::lock_guard<std::mutex> lock(mutex);
            progress.Update(++done);
        });
        DcnFileWriter csv(out + "/noc-throttle.csv");
        csv.Stream() << "hit_rate,rate,policy";
        for (const auto& [name, value] : tasks.front().run->GetMeasures())
        {
            csv.Stream() << ',' << name << ',' << name << "_half_width";
        }
        csv.Stream() << '\n';
        std::printf("%5s %5s %-20s %18s %18s %7s %12s %9s %9s\n",
                    "hits",
                    "rate",
                    "policy",
                    "transactions",
                    "memory reads",
                    "misses",
                    "latency",
                    "fairness",
                    "deflected");
        std::map<std::string, std::vector<std::pair<double, double>>> curves;
        for (std::size_t first = 0; first < tasks.size(); first += seeds)
        {
            std::vector<std::vector<double>> values;
            for (uint32_t i = 0; i < seeds; ++i)
            {
                const auto measures = tasks[first + i].run->GetMeasures();
                values.resize(measures.size());
                for (std::size_t m = 0; m < measures.size(); ++m)
                {
                    values[m].push_back(measures[m].second);
                }
            }
            const Task& task = tasks[first];
            csv.Stream() << task.hit << ',' << task.workload << ',' << task.policy;
            std::vector<CcevalInterval> means;
            for (const auto& list : values)
            {
                means.push_back(CcevalMeanInterval(list, 0.95));
                csv.Stream() << ',' << DcnToText(means.back().estimate) << ','
                             << DcnToText(means.back().GetHalfWidth());
            }
            csv.Stream() << '\n';
            std::printf("%5.2f %5s %-20s %8.3f +- %6.3f %8.4f +- %6.4f %7.3f %12.1f %9.3f %9.3f\n",
                        task.hit,
                        task.workload.c_str(),
                        task.policy.c_str(),
                        means[0].estimate,
                        means[0].GetHalfWidth(),
                        means[1].estimate,
                        means[1].GetHalfWidth(),
                        means[2].estimate,
                        means[3].estimate,
                        means[5].estimate,
                        means[8].estimate);
            if (task.hit == hitList.front())
            {
                curves[task.policy].emplace_back(task.phases.front(), means[1].estimate);
            }
        }
        csv.Commit();
        written += out + "/noc-throttle.csv";
        const bool hasPhases = std::any_of(tasks.begin(), tasks.end(), [](const Task& task) {
            return task.phases.size() > 1;
        });
        if (rateList.size() > 1 && !hasPhases)
        {
            Gnuplot plot = DcnMakePlot("memory reads by policy, hit rate " +
                                           DcnToText(hitList.front()),
                                       "requests per cycle and core",
                                       "memory reads per cycle");
            plot.AppendExtra("set grid\nset key outside right\nset yrange [0:]");
            for (const std::string& name : names)
            {
                Gnuplot2dDataset curve = DcnMakeCurve(name, Gnuplot2dDataset::LINES_POINTS);
                for (const auto& [rate, reads] : curves[name])
                {
                    curve.Add(rate, reads);
                }
                plot.AddDataset(curve);
            }
            if (DcnWritePlot(plot, out + "/memory-reads"))
            {
                written += ", memory-reads.png, memory-reads.svg";
            }
        }
        std::cout << "written: " << written << std::endl;
        return 0;
    });
}
