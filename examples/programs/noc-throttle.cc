/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Source throttling in a network on chip (dissertation, chapter 3; module noc): policies over
 * rates and hit rates, and the training of the decision tree.
 *
 * The network is the one in which overload lowers the throughput: caches whose hits pass misses,
 * small egress and transgress queues, cores with windows of hits and misses.
 */

#include "ns3/cceval-interval.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-plot.h"
#include "ns3/noc-detector.h"
#include "ns3/noc-engine.h"
#include "ns3/noc-throttle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Detector = NocThrottleOptions::Detector;
using Scope = NocThrottleOptions::Scope;
using Actuator = NocThrottleOptions::Actuator;

/// Sizes of the network and of the runs.
struct Setup
{
    uint32_t rows{6};           //!< of the mesh
    uint32_t columns{6};        //!< of the mesh
    uint32_t queues{4};         //!< egress and transgress
    uint32_t ingress{16};       //!< sinks
    uint32_t cacheList{40};     //!< requests in a cache slice
    uint32_t memoryPeriod{1};   //!< cycles per request of a controller
    uint32_t hitWindow{64};     //!< per core
    uint32_t missWindow{8};     //!< per core
    double burst{0};            //!< burst probability
    uint64_t cycles{100000};    //!< measured
    uint64_t warmUp{20000};     //!< before
};

/// @return the network
NocSystem
MakeSystem(const Setup& setup, double hit, double rate)
{
    const uint32_t first = (setup.rows - 1) / 2 * setup.columns;
    NocSystem system = NocSystem::Cache(
        std::make_shared<const NocTopology>(NocTopology::Mesh(setup.rows, setup.columns)),
        {first, first + setup.columns - 1},
        rate,
        setup.burst,
        hit);
    system.egress = system.transgress = setup.queues;
    system.ingress = setup.ingress;
    system.cacheList = setup.cacheList;
    system.memoryPeriod = setup.memoryPeriod;
    system.memoryList = 108;
    system.hitsPass = true;
    system.hitWindow = setup.hitWindow;
    system.missWindow = setup.missWindow;
    return system;
}

/**
 * @param name of a policy
 * @param options thresholds and delay; tree, if there is one
 * @param hitWindow is set by fixed-N
 * @return the policy
 */
NocThrottleOptions
MakePolicy(const std::string& name, NocThrottleOptions options, uint32_t& hitWindow)
{
    const auto tree = options.tree;
    options.tree = nullptr;
    auto useTree = [&]() {
        if (!tree)
        {
            DcnFail("the policy \"", name, "\" needs a tree: give --train or --tree=FILE");
        }
        options.detector = Detector::TREE;
        options.tree = tree;
    };
    if (name == "none")
    {
        return options;
    }
    if (name.rfind("fixed-", 0) == 0)
    {
        uint64_t window = 0;
        if (!DcnParse(name.substr(6), window) || window == 0)
        {
            DcnFail("the policy \"", name, "\" must be fixed- and a window of hits, from 1 on");
        }
        hitWindow = static_cast<uint32_t>(window);
        return options;
    }
    options.detector = Detector::THRESHOLD;
    if (name == "global")
    {
        options.scope = Scope::GLOBAL;
    }
    else if (name == "sink-hold")
    {
        options.actuator = Actuator::HOLD;
    }
    else if (name == "window")
    {
        options.actuator = Actuator::WINDOW;
    }
    else if (name == "tree" || name == "tree-local")
    {
        useTree();
        options.isLocal = name == "tree-local";
    }
    else if (name == "tree-hold")
    {
        useTree();
        options.actuator = Actuator::HOLD;
    }
    else if (name == "tree-global")
    {
        useTree();
        options.scope = Scope::GLOBAL;
    }
    else if (name == "tree-window")
    {
        useTree();
        options.actuator = Actuator::WINDOW;
    }
    else if (name != "sink")
    {
        DcnFail("there is no policy \"",
                name,
                "\"; there are: none, fixed-N, global, sink, sink-hold, window, tree, tree-local, "
                "tree-hold, tree-global, tree-window");
    }
    return options;
}

/// Runs without throttling, to learn from or to look at.
std::vector<std::unique_ptr<NocLabelledRun>>
Record(const Setup& setup,
       const std::vector<double>& rates,
       double hit,
       uint64_t seed,
       uint32_t delta,
       double alpha)
{
    constexpr uint64_t RECORDED = 4000; // cycles: attempts of all sinks are recorded
    std::vector<std::unique_ptr<NocLabelledRun>> runs;
    std::vector<std::unique_ptr<NocEngine>> engines;
    for (double rate : rates)
    {
        runs.push_back(std::make_unique<NocLabelledRun>(setup.rows * setup.columns, alpha));
        engines.push_back(
            std::make_unique<NocEngine>(MakeSystem(setup, hit, std::min(rate, 0.999)), seed++));
    }
    DcnParallelFor(runs.size(), 0, [&](std::size_t i) {
        engines[i]->Run(setup.warmUp);
        engines[i]->SetControl(runs[i].get());
        engines[i]->Run(RECORDED);
        // features need samples to settle, and packets at the end may yet bounce
        runs[i]->Label(delta, static_cast<uint32_t>(setup.warmUp + RECORDED / 10));
    });
    return runs;
}

/// @return runs as Fit and Score take them
std::vector<const NocLabelledRun*>
Point(const std::vector<std::unique_ptr<NocLabelledRun>>& runs)
{
    std::vector<const NocLabelledRun*> list;
    for (const auto& run : runs)
    {
        list.push_back(run.get());
    }
    return list;
}

/// Prints how well a detector does, and adds it to a card.
void
PrintScore(const std::string& name, const NocDetectorScore& score, std::ostream& card)
{
    card << ",\n    \"" << name << "\": {\"label 0\": " << DcnToText(score.accuracy0)
         << ", \"label 1\": " << DcnToText(score.accuracy1)
         << ", \"precision\": " << DcnToText(score.precision) << "}";
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
 * @param depth of the tree
 * @param seed of the first run
 * @param alpha of the features
 * @param card scores are added to it
 * @return the tree
 */
MqlTree
Train(const Setup& setup, uint32_t depth, uint64_t seed, double alpha, std::ostream& card)
{
    constexpr uint32_t DELTA = 5;       // cycles
    constexpr double HIT = 0.7;         // of the training
    constexpr uint64_t UNSEEN = 1000;   // added to the seed of runs that are not learned from
    const std::vector<double> rates{0.5, 0.7, 0.8, 0.9, 0.999};
    const auto learned = Record(setup, rates, HIT, seed, DELTA, alpha);
    const auto unseen = Record(setup, rates, HIT, seed + UNSEEN, DELTA, alpha);
    MqlTree best = NocDetector::Fit(Point(learned), depth);
    for (uint32_t each : {2, 3, 4, 5, 6, 8})
    {
        PrintScore("depth " + std::to_string(each) + ", unseen seeds",
                   NocDetector::Score(NocDetector::Fit(Point(learned), each), Point(unseen)),
                   card);
    }
    PrintScore("occupancy alone, one threshold",
               NocDetector::Score(NocDetector::Fit(Point(learned), 1, 8), Point(unseen)),
               card);
    for (double hit : {0.6, 0.85})
    {
        PrintScore("chosen depth, hit rate " + DcnToText(hit),
                   NocDetector::Score(
                       best, Point(Record(setup, rates, hit, seed + 2 * UNSEEN, DELTA, alpha))),
                   card);
    }
    Setup other = setup;
    other.rows = other.columns = 5;
    PrintScore(
        "chosen depth, 5 x 5",
        NocDetector::Score(best,
                           Point(Record(other, rates, HIT, seed + 3 * UNSEEN, DELTA, alpha))),
        card);
    return best;
}

/// Names of the measures, as columns.
const std::vector<std::string> MEASURES{"transactions_per_cycle",
                                        "memory_reads_per_cycle",
                                        "miss_share",
                                        "transaction_latency",
                                        "bytes_per_core_cycle",
                                        "fairness",
                                        "deflections_per_cycle"};

/// @return the measures of a run
std::vector<double>
GetMeasures(const NocStatistics& all)
{
    const auto cycles = static_cast<double>(all.cycles);
    const auto done = static_cast<double>(all.transactions.n);
    double sum = 0;
    double squares = 0;
    double cores = 0;
    for (uint64_t each : all.perCore)
    {
        sum += static_cast<double>(each);
        squares += static_cast<double>(each) * static_cast<double>(each);
        cores += each > 0;
    }
    uint64_t refused = 0;
    for (const NocLayerStatistics& layer : all.layers)
    {
        refused += layer.sinkRefusals + layer.transgressRefusals;
    }
    constexpr double LINE = 64; // bytes of a data packet
    return {done / cycles,
            static_cast<double>(all.memoryReads) / cycles,
            done > 0 ? static_cast<double>(all.misses) / done : 0,
            all.transactions.GetMean(),
            cores > 0 ? LINE * done / cycles / cores : 0,
            squares > 0 ? sum * sum / (cores * squares) : 0, // Jain's index
            static_cast<double>(refused) / cycles};
}

} // namespace

int
main(int argc, char* argv[])
{
    Setup setup;
    NocThrottleOptions options;
    std::string policies = "none,global,sink,tree,window,tree-window";
    std::string hits = "0.7";
    std::string rates = "0.3+0.5+0.7+0.8+1";
    std::string treeFile;
    std::string out = "results/noc-throttle";
    bool isTrained = false;
    uint32_t depth = 4;
    uint32_t seeds = 2;
    uint64_t seed = 1;
    uint32_t threads = 0;
    CommandLine cmd(__FILE__);
    cmd.Usage("Source throttling in a network on chip.");
    DcnAddText(cmd,
               "policies",
               "Joined by commas: none, fixed-N, global, sink, sink-hold, window, tree, "
               "tree-local, tree-hold, tree-global, tree-window",
               policies);
    DcnAddText(cmd, "hits", "Hit rates, joined by +", hits);
    DcnAddText(cmd, "rates", "Requests per cycle and core, joined by +; 1: 0.999", rates);
    cmd.AddValue("train", "Train the tree of the policies, and score it", isTrained);
    DcnAddText(cmd, "tree", "Table of a tree; empty: the shipped one", treeFile);
    cmd.AddValue("depth", "Splits of the tree that is trained, at most", depth);
    cmd.AddValue("on", "Share of a sink from which the threshold is on", options.on);
    cmd.AddValue("off", "Share of a sink below which it is off", options.off);
    cmd.AddValue("delay", "Cycles from a signal to the cores", options.delay);
    cmd.AddValue("alpha", "Weight of a new value in the features", options.alpha);
    cmd.AddValue("shrink", "Factor of the window while a sink is congested", options.shrink);
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
        const auto rateList = DcnReadNumbers("rates", rates);
        if (isTrained && !treeFile.empty())
        {
            DcnFail("--tree has no effect with --train");
        }
        std::string written;
        DcnMakeFolder(out);
        const bool needsTree = std::any_of(names.begin(), names.end(), [](const auto& name) {
            return name.rfind("tree", 0) == 0;
        });
        if (isTrained)
        {
            std::ostringstream scores;
            const MqlTree tree = Train(setup, depth, seed, options.alpha, scores);
            options.tree = std::make_shared<const MqlTree>(tree);
            NocDetector::Write(tree, out + "/tree.csv");
            DcnFileWriter code(out + "/tree.h");
            NocDetector::WriteCpp(tree, code.Stream());
            code.Commit();
            DcnFileWriter card(out + "/card.json");
            card.Stream() << "{\n  \"kind\": \"noc-throttle\",\n  \"command\": \""
                          << DcnDescribeCommand("noc-throttle", argc, argv)
                          << "\",\n  \"dcn_release\": \"" << DCN_RELEASE << "\",\n  \"date\": \""
                          << DcnGetUtcDate() << "\",\n  \"errors\": {\n    \"depth\": " << depth
                          << scores.str() << "\n  }\n}\n";
            card.Commit();
            written = out + "/tree.csv, tree.h, card.json; ";
        }
        else if (needsTree)
        {
            options.tree = std::make_shared<const MqlTree>(NocDetector::Read(
                treeFile.empty() ? DcnDataPath("models/noc-throttle/tree.csv") : treeFile));
        }
        struct Task
        {
            double hit;
            double rate;
            std::string policy;
            std::unique_ptr<NocEngine> engine;
            std::unique_ptr<NocThrottle> throttle;
        };

        std::vector<Task> tasks; // engines are made and released by this thread
        for (double hit : hitList)
        {
            for (double rate : rateList)
            {
                for (const std::string& name : names)
                {
                    for (uint32_t i = 0; i < seeds; ++i)
                    {
                        NocSystem system = MakeSystem(setup, hit, rate == 1 ? 0.999 : rate);
                        const NocThrottleOptions policy =
                            MakePolicy(name, options, system.hitWindow);
                        Task task{hit, rate, name, nullptr, nullptr};
                        task.engine = std::make_unique<NocEngine>(system, seed + i);
                        task.throttle = std::make_unique<NocThrottle>(system, policy);
                        task.engine->SetControl(task.throttle.get());
                        tasks.push_back(std::move(task));
                    }
                }
            }
        }
        std::cout << setup.rows << " x " << setup.columns << ", windows " << setup.hitWindow << " / "
                  << setup.missWindow << ", thresholds " << options.on << " / " << options.off
                  << ", delay " << options.delay << ", " << tasks.size() << " simulations of "
                  << setup.cycles << " cycles" << std::endl;
        DcnParallelFor(tasks.size(), threads, [&](std::size_t i) {
            tasks[i].engine->Run(setup.warmUp);
            tasks[i].engine->ResetStatistics();
            tasks[i].engine->Run(setup.cycles);
        });
        DcnFileWriter csv(out + "/noc-throttle.csv");
        csv.Stream() << "hit_rate,rate,policy";
        for (const std::string& name : MEASURES)
        {
            csv.Stream() << ',' << name << ',' << name << "_half_width";
        }
        csv.Stream() << '\n';
        std::printf("%5s %5s %-12s %18s %18s %7s %12s %9s %9s\n",
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
            std::vector<std::vector<double>> values(MEASURES.size());
            for (uint32_t i = 0; i < seeds; ++i)
            {
                const auto measures = GetMeasures(tasks[first + i].engine->GetStatistics());
                for (std::size_t m = 0; m < measures.size(); ++m)
                {
                    values[m].push_back(measures[m]);
                }
            }
            const Task& task = tasks[first];
            csv.Stream() << task.hit << ',' << task.rate << ',' << task.policy;
            std::vector<CcevalInterval> means;
            for (const auto& list : values)
            {
                means.push_back(CcevalMeanInterval(list, 0.95));
                csv.Stream() << ',' << DcnToText(means.back().estimate) << ','
                             << DcnToText(means.back().GetHalfWidth());
            }
            csv.Stream() << '\n';
            std::printf("%5.2f %5.2f %-12s %8.3f +- %6.3f %8.4f +- %6.4f %7.3f %12.1f %9.3f %9.3f\n",
                        task.hit,
                        task.rate,
                        task.policy.c_str(),
                        means[0].estimate,
                        means[0].GetHalfWidth(),
                        means[1].estimate,
                        means[1].GetHalfWidth(),
                        means[2].estimate,
                        means[3].estimate,
                        means[5].estimate,
                        means[6].estimate);
            if (task.hit == hitList.front())
            {
                curves[task.policy].emplace_back(task.rate, means[1].estimate);
            }
        }
        csv.Commit();
        written += out + "/noc-throttle.csv";
        if (rateList.size() > 1)
        {
            Gnuplot plot("", "memory reads by policy, hit rate " + DcnToText(hitList.front()));
            plot.SetLegend("requests per cycle and core", "memory reads per cycle");
            plot.AppendExtra("set grid\nset key outside right\nset yrange [0:]");
            for (const std::string& name : names)
            {
                Gnuplot2dDataset curve(name);
                curve.SetStyle(Gnuplot2dDataset::LINES_POINTS);
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
