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
#include "ns3/noc-throttle-run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

const char* const NAME = "noc-throttle"; //!< of the program

using K = DcnRecipeKey;

// clang-format off
/// What is run besides network, policy and lengths.
const DcnRecipe::Keys KEYS{
    {"train", K::CHOICE, "false", 0, 0, "false+true", "",
     "Train the tree of the policies, and score it"},
    {"depth", K::SINGLE, "0", 0, UINT32_MAX, "", "train=true",
     "Splits of the tree that is trained, at most; 0: chosen"},
    {"tree", K::TEXT, "", 0, 0, "", "train=false", "Table of a tree, in place of the shipped one"},
    {"hits", K::NUMBER, "0.7", 0, 1, "", "", "Hit rates, joined by commas"},
    {"workloads", K::SINGLE, "", 1, UINT32_MAX, "", "",
     "Workloads of four phases drawn in place of --rates"},
    {"rates", K::WORD, "1", 0, 0, "", "workloads=",
     "Requests per cycle and core, joined by commas; 1: 0.999. Phases are joined by /"}};

// clang-format on

/// A simulation.
struct Task
{
    double hit;                          //!< hit rate
    std::string workload;                //!< rates of its phases, joined by slashes
    std::string policy;                  //!< name
    std::vector<double> phases;          //!< rates
    std::unique_ptr<NocThrottleRun> run; //!< the simulation
};

/// Policies over hit rates and workloads.
class Throttling
{
  public:
    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        m_keys.AddTo(cmd);
        DcnAddText(
            cmd,
            "policies",
            "Joined by commas: none, fixed-N (a window of N hits), or a detector: threshold, "
            "tree; then -global (all cores stop; -any: for sinks of memory controllers, too), "
            "-hold (no request passes a held one), -window (of hits, adapted), -local (cores "
            "at the border look ahead); then :ON:OFF in place of --on, --off. Empty with --train: "
            "none is simulated",
            m_policies);
        cmd.AddValue("on", "Share of a sink from which the threshold is on", m_options.on);
        cmd.AddValue("off", "Share of a sink below which it is off", m_options.off);
        cmd.AddValue("delay", "Cycles from a signal to the cores", m_options.delay);
        cmd.AddValue("alpha", "Weight of a new value in the features", m_options.alpha);
        cmd.AddValue("shrink", "Factor of the window while a sink is congested", m_options.shrink);
        cmd.AddValue("least", "Smallest window", m_options.least);
        cmd.AddValue("grow", "Added to the window otherwise", m_options.grow);
        cmd.AddValue("rows", "Rows of the mesh", m_setup.rows);
        cmd.AddValue("columns", "Columns of the mesh", m_setup.columns);
        cmd.AddValue("queues", "Packets in egress and transgress queues, at most", m_setup.queues);
        cmd.AddValue("ingress", "Packets in a sink, at most", m_setup.ingress);
        cmd.AddValue("cacheList", "Requests in a cache slice, at most", m_setup.cacheList);
        cmd.AddValue("memoryPeriod", "Cycles per request of a controller", m_setup.memoryPeriod);
        cmd.AddValue("hitWindow", "Hits that a core may have under way", m_setup.hitWindow);
        cmd.AddValue("missWindow", "Misses that a core may have under way", m_setup.missWindow);
        cmd.AddValue("burst",
                     "Probability that a request follows in the same cycle",
                     m_setup.burst);
        cmd.AddValue("cycles", "Simulated cycles that are measured", m_setup.cycles);
        cmd.AddValue("warmUp", "Simulated cycles before", m_setup.warmUp);
        cmd.AddValue("seeds", "Repetitions", m_seeds);
        cmd.AddValue("seed", "Seed of the first repetition", m_seed);
        cmd.AddValue("threads", "Simulations at a time; 0: as many as cores", m_threads);
    }

    /**
     * @brief Train, simulate, print and write what the options say.
     * @param out folder of the files
     * @param command for the card of a tree
     * @param given options of the command line
     */
    void Run(const std::string& out, const std::string& command, const DcnGivenOptions& given)
    {
        m_recipes = m_keys.Split();
        m_names = DcnSplitValues("policies", m_policies);
        const bool isTrained = m_recipes.front().Get("train") == "true";
        Check(isTrained);
        given.CheckEffects(GetEffects(isTrained));
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        DcnRunRecord::FindParts(out);
        std::string written = isTrained ? Train(out, command) : "";
        if (!m_names.empty())
        {
            Simulate();
            WriteTable(out + "/noc-throttle.csv");
            written += (isTrained ? "; " : "") + out + "/noc-throttle.csv" +
                       (Plot(out + "/memory-reads") ? ", memory-reads.png, memory-reads.svg" : "");
        }
        std::cout << "written: " << written << std::endl;
    }

  private:
    /// @return whether a policy has a part in its name
    bool HasPolicy(const std::string& part) const
    {
        return std::any_of(m_names.begin(), m_names.end(), [&part](const std::string& name) {
            return name.find(part) != std::string::npos;
        });
    }

    /// @return the options that not every run reads
    std::vector<DcnOptionEffect> GetEffects(bool isTrained) const
    {
        const bool hasDefault = // a threshold that does not name its own
            std::any_of(m_names.begin(), m_names.end(), [](const std::string& name) {
                return name.rfind("threshold", 0) == 0 && name.find(':') == std::string::npos;
            });
        return {{{"on", "off"}, hasDefault, "without a policy \"threshold\" of no own thresholds"},
                {{"shrink", "least", "grow"}, HasPolicy("-window"), "without a policy \"-window\""},
                {{"delay"},
                 HasPolicy("threshold") || HasPolicy("tree"),
                 "without a policy \"threshold\" or \"tree\""},
                {{"alpha"}, HasPolicy("tree") || isTrained, "without a policy \"tree\""},
                {{"cycles", "seeds", "threads", "hits", "rates", "workloads"},
                 !m_names.empty(),
                 "without a policy"}};
    }

    /// Refuses bad policies, and reads the tree.
    void Check(bool isTrained)
    {
        if (m_names.empty() && !isTrained)
        {
            DcnFail("--policies names no policy");
        }
        if (m_seeds == 0 || m_setup.cycles == 0)
        {
            DcnFail("simulations need repetitions and cycles, but --seeds is ",
                    m_seeds,
                    " and --cycles is ",
                    m_setup.cycles);
        }
        const bool needsTree =
            std::any_of(m_names.begin(), m_names.end(), [](const std::string& name) {
                return name.rfind("tree", 0) == 0;
            });
        const std::string& file = m_recipes.front().Get("tree");
        if (!file.empty() && !needsTree)
        {
            DcnFail("--tree has no effect without a policy \"tree\"");
        }
        if (needsTree)
        {
            // a training replaces it
            m_options.tree = std::make_shared<const MqlTree>(NocDetector::Read(
                file.empty() ? DcnDataPath("models/noc-throttle/tree.csv") : file));
        }
        for (const std::string& name : m_names)
        {
            uint32_t hitWindow = m_setup.hitWindow;
            NocThrottleOptions::Read(name, m_options, hitWindow); // bad ones before a training
        }
    }

    /// Trains the tree of the policies, scores it and writes it.
    /// @return the files
    std::string Train(const std::string& out, const std::string& command)
    {
        DcnModelCard card(NAME);
        card.SetOrigin(command, NocEngine::GetDigest());
        const auto tree = std::make_shared<const MqlTree>(Fit(command, card));
        m_options.tree = tree;
        std::ostringstream table;
        NocDetector::Write(*tree, table);
        DcnFileWriter file(out + "/tree.csv");
        file.Stream() << table.str();
        DcnFileWriter code(out + "/tree.h");
        NocDetector::WriteCpp(*tree, code.Stream());
        DcnFileWriter about(out + "/card.json");
        card.Write(about.Stream(), {{"tree_checksum", DcnHashText(table.str())}});
        file.Commit();
        code.Commit();
        about.Commit();
        return out + "/tree.csv, tree.h, card.json";
    }

    /// Learns from runs, and scores on runs with other seeds, hit rates and sizes.
    /// @param command that trains
    /// @param card gets data, options and scores
    /// @return the tree
    MqlTree Fit(const std::string& command, DcnModelCard& card) const
    {
        constexpr uint32_t DELTA = 5; // cycles
        constexpr double HIT = 0.7;   // of the training
        constexpr uint32_t DEPTHS[] = {2, 3, 4, 5, 6, 8};
        constexpr uint64_t UNSEEN = 1000; // added to the seed of runs that are not learned from
        const std::string recipe = std::to_string(m_setup.rows) + " x " +
                                   std::to_string(m_setup.columns) +
                                   ", hit rate 0.7, rates 0.5+0.7+0.8+0.9+1, " +
                                   std::to_string(NocThrottleSetup::RECORDED) + " cycles after " +
                                   std::to_string(m_setup.warmUp);
        const auto record = [this](const NocThrottleSetup& setup, double hit, uint64_t seed) {
            return setup.Record({0.5, 0.7, 0.8, 0.9, 1},
                                hit,
                                m_seed + seed,
                                DELTA,
                                m_options.alpha);
        };
        const auto learned = record(m_setup, HIT, 0);
        AddRuns("training", learned, recipe, m_seed, command, card);
        const auto unseen = record(m_setup, HIT, UNSEEN);
        card.Set("training", "method", "CART, classes of equal weight, labels by time reversal");
        auto depth = static_cast<uint32_t>(m_recipes.front().GetWhole("depth"));
        if (depth == 0)
        {
            // the fewest splits with the best accuracy of label 1 on other seeds
            const auto validation = record(m_setup, HIT, UNSEEN / 2);
            AddRuns("choice-of-depth", validation, recipe, m_seed + UNSEEN / 2, command, card);
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
        card.Set("training", "seed", static_cast<double>(m_seed));
        card.Set("training", "alpha", m_options.alpha);
        card.Set("training", "delta_cycles", DELTA);
        const MqlTree best = NocDetector::Fit(learned, depth);
        card.Set("training", "leaves", best.GetNLeaves());
        const auto score = [&card](const std::string& name, const MqlTree& tree, const auto& runs) {
            PrintScore(name, NocDetector::Score(tree, runs), card);
        };
        for (uint32_t each : DEPTHS)
        {
            const MqlTree tree = NocDetector::Fit(learned, each);
            score("depth " + std::to_string(each) + ", unseen seeds", tree, unseen);
        }
        score("occupancy alone, unseen seeds", NocDetector::Fit(learned, 1, 8), unseen);
        for (double hit : {0.6, 0.85})
        {
            score("chosen depth, hit rate " + DcnToText(hit),
                  best,
                  record(m_setup, hit, 2 * UNSEEN));
        }
        NocThrottleSetup other = m_setup;
        other.rows = other.columns = 5;
        score("chosen depth, 5 x 5", best, record(other, HIT, 3 * UNSEEN));
        return best;
    }

    /// Makes the simulations and runs them; runs are made and released by this thread.
    void Simulate()
    {
        for (const DcnRecipe& recipe : m_recipes)
        {
            const std::string& n = recipe.Get("workloads");
            const auto workloads =
                n.empty()
                    ? std::vector<std::string>{recipe.Get("rates")}
                    : NocDrawWorkloads(static_cast<uint32_t>(recipe.GetWhole("workloads")), m_seed);
            for (const std::string& workload : workloads)
            {
                AddTasks(recipe.GetNumber("hits"), workload);
            }
        }
        std::cout << m_setup.rows << " x " << m_setup.columns << ", windows " << m_setup.hitWindow
                  << " / " << m_setup.missWindow << ", thresholds " << m_options.on << " / "
                  << m_options.off << ", delay " << m_options.delay << ", " << m_tasks.size()
                  << " simulations of " << m_setup.cycles << " cycles" << std::endl;
        DcnProgress progress(NAME, m_tasks.size(), "simulations");
        std::mutex mutex; // of progress
        uint64_t done = 0;
        DcnParallelFor(m_tasks.size(), m_threads, [&](std::size_t i) {
            m_tasks[i].run->Simulate();
            const std::lock_guard<std::mutex> lock(mutex);
            progress.Update(++done);
        });
    }

    /// Adds the simulations of all policies and seeds for a hit rate and a workload.
    void AddTasks(double hit, const std::string& workload)
    {
        const auto phases = DcnReadNumbers("rates", workload, '/');
        for (const std::string& name : m_names)
        {
            for (uint32_t i = 0; i < m_seeds; ++i)
            {
                m_tasks.push_back({hit,
                                   workload,
                                   name,
                                   phases,
                                   std::make_unique<NocThrottleRun>(m_setup,
                                                                    hit,
                                                                    phases,
                                                                    name,
                                                                    m_options,
                                                                    m_seed + i)});
            }
        }
    }

    /// Prints and writes means over the seeds.
    void WriteTable(const std::string& path)
    {
        DcnFileWriter csv(path);
        csv.Stream() << "hit_rate,rate,policy";
        for (const auto& [name, value] : m_tasks.front().run->GetMeasures())
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
        for (std::size_t first = 0; first < m_tasks.size(); first += m_seeds)
        {
            std::vector<std::vector<double>> values;
            for (uint32_t i = 0; i < m_seeds; ++i)
            {
                const auto measures = m_tasks[first + i].run->GetMeasures();
                values.resize(measures.size());
                for (std::size_t m = 0; m < measures.size(); ++m)
                {
                    values[m].push_back(measures[m].second);
                }
            }
            const Task& task = m_tasks[first];
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
            m_reads.push_back(means[1].estimate);
        }
        csv.Commit();
    }

    /// Plots memory reads over the rates at the first hit rate, unless rates have phases.
    /// @return whether there is a picture
    bool Plot(const std::string& base) const
    {
        std::map<std::string, std::vector<std::pair<double, double>>> curves;
        for (std::size_t i = 0; i < m_reads.size(); ++i)
        {
            const Task& task = m_tasks[i * m_seeds];
            if (task.phases.size() > 1)
            {
                return false;
            }
            if (task.hit == m_tasks.front().hit)
            {
                curves[task.policy].emplace_back(task.phases.front(), m_reads[i]);
            }
        }
        if (curves.at(m_names.front()).size() < 2)
        {
            return false;
        }
        Gnuplot plot =
            DcnMakePlot("memory reads by policy, hit rate " + DcnToText(m_tasks.front().hit),
                        "requests per cycle and core",
                        "memory reads per cycle");
        plot.AppendExtra("set grid\nset key outside right\nset yrange [0:]");
        for (const std::string& name : m_names)
        {
            Gnuplot2dDataset curve = DcnMakeCurve(name, Gnuplot2dDataset::LINES_POINTS);
            for (const auto& [rate, reads] : curves[name])
            {
                curve.Add(rate, reads);
            }
            plot.AddDataset(curve);
        }
        return DcnWritePlot(plot, base);
    }

    DcnKeyOptions m_keys{KEYS, "source throttling", {{"rates", "0.3,0.5,0.7,0.8,1"}}}; //!< options
    NocThrottleSetup m_setup;     //!< network and lengths
    NocThrottleOptions m_options; //!< of all policies
    std::string m_policies{"none,threshold-global-any:0.25:0.125,threshold-window:0.3:0.15,"
                           "tree-window,fixed-12"}; //!< --policies
    uint32_t m_seeds{2};                            //!< --seeds
    uint64_t m_seed{1};                             //!< --seed
    uint32_t m_threads{0};                          //!< --threads
    std::vector<DcnRecipe> m_recipes;               //!< hit rates slowest, then rates
    std::vector<std::string> m_names;               //!< of policies
    std::vector<Task> m_tasks;                      //!< in the order of the table, then by seed
    std::vector<double> m_reads;                    //!< memory reads by row of the table
};

} // namespace

int
main(int argc, char* argv[])
{
    Throttling throttling;
    std::string out = "results/noc-throttle";
    CommandLine cmd(__FILE__);
    cmd.Usage("Source throttling in a network on chip.");
    throttling.AddTo(cmd);
    DcnAddText(cmd, "out", "Folder for noc-throttle.csv, memory-reads.png; tree.csv, tree.h", out);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv, {}, {"policies"});
    return DcnRunProgram(NAME, [&]() {
        throttling.Run(out, DcnDescribeCommand(NAME, argc, argv), given);
        return 0;
    });
}
