/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Figures and tables on networks on chip (Narayana's dissertation, chapters 2 and 3).
 *
 * "This work" is the module's model by chains, and "[42]" the one that takes the layers by
 * themselves (independent); the printed equations are the method published. Of source throttling
 * "this work" is a window of hits that the signals of the decision tree adapt, and the baseline the
 * published kind: all cores stop while any sink is fuller than a threshold.
 */

#include "paper-compare.h"
#include "paper-figure.h"

#include "ns3/dcn-csv.h"
#include "ns3/double.h"
#include "ns3/noc-detector.h"
#include "ns3/noc-network.h"
#include "ns3/noc-system.h"
#include "ns3/noc-throttle-run.h"
#include "ns3/noc-topology.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

const std::vector<std::string> MODELS{"published", "independent", "chain"};

/// Names of models and policies in legends.
const std::map<std::string, std::string> TITLES{
    {"simulation", "simulation"},
    {"chain", "this work"},
    {"independent", "[42]"},
    {"published", "printed equations"},
    {"threshold-global-any:0.25:0.125", "baseline, tuned at 70 % hits"},
    {"threshold-global-any:0.9:0.7", "baseline, tuned at 20 % hits"},
    {"tree-window", "this work"},
    {"tree-local", "Algorithm 3 as printed"},
    {"none", "no throttling"},
    {"fixed-12", "constant window of 12"}};

/// A 6 x 6 mesh under a load.
struct Cell
{
    double hit;       //!< share of hits
    double burst;     //!< burst probability
    double load;      //!< share of the largest rate
    uint32_t ingress; //!< capacity of a sink
    uint32_t queue{16}; //!< capacity of the other queues
};

/// @return a mesh with memory controllers at the two ends of the middle row, as in noc-compare
Ptr<NocNetwork>
MakeNetwork(uint32_t side, uint32_t cycles)
{
    Ptr<NocNetwork> network = CreateObject<NocNetwork>();
    network->SetTopology(std::make_shared<const NocTopology>(NocTopology::Mesh(side, side)));
    const uint32_t first = (side - 1) / 2 * side;
    network->SetAttribute(
        "MemoryControllers",
        StringValue(std::to_string(first) + "+" + std::to_string(first + side - 1)));
    network->SetAttribute("Cycles", UintegerValue(cycles));
    network->SetAttribute("WarmUp", UintegerValue(cycles / 10));
    network->SetAttribute("Seed", UintegerValue(1));
    network->SetAttribute("Threads", UintegerValue(1));
    return network;
}

/// @return latencies of requests by simulation and models: value, low, high; none where saturated
PaperNumbers
Estimate(const NocNetwork& network)
{
    PaperNumbers numbers;
    std::vector<std::string> methods{"simulation"};
    methods.insert(methods.end(), MODELS.begin(), MODELS.end());
    for (const std::string& method : methods)
    {
        const NocResult result = network.Estimate(method);
        if (!result.isSaturated)
        {
            numbers[method] = {result.request.estimate, result.request.low, result.request.high};
        }
        numbers[method + " seconds"] = {result.seconds};
    }
    return numbers;
}

/// @return Estimate for a cell; the mesh has 34 agents as published
PaperNumbers
RunCell(const Cell& cell, uint32_t cycles, uint32_t seeds)
{
    Ptr<NocNetwork> network = MakeNetwork(6, cycles);
    network->SetAttribute("HitRate", DoubleValue(cell.hit));
    network->SetAttribute("Burst", DoubleValue(cell.burst));
    network->SetAttribute("Ingress", UintegerValue(cell.ingress));
    network->SetAttribute("Egress", UintegerValue(cell.queue));
    network->SetAttribute("Transgress", UintegerValue(cell.queue));
    network->SetAttribute("Seeds", UintegerValue(seeds));
    network->SetAttribute("Rate", DoubleValue(cell.load * network->GetSystem().GetLargestRate()));
    return Estimate(*network);
}

/// Runs cells.
std::vector<PaperNumbers>
ComputeCells(PaperRun& run, const std::vector<Cell>& cells)
{
    const uint32_t cycles = run.Choose<uint32_t>(30'000, 200'000, 600'000);
    const uint32_t seeds = 3;
    std::vector<PaperTask> tasks;
    for (const Cell& cell : cells)
    {
        tasks.push_back({"hit " + DcnToText(cell.hit) + " burst " + DcnToText(cell.burst) +
                             " load " + DcnToText(cell.load) + " ingress " +
                             std::to_string(cell.ingress) +
                             (cell.queue == 16 ? "" : " queues " + std::to_string(cell.queue)) +
                             " cycles " + std::to_string(cycles),
                         {},
                         [=]() { return RunCell(cell, cycles, seeds); }});
    }
    return run.Compute("noc", tasks);
}

/// @return |error| of a model in percent; NaN where one of the two is saturated
double
GetError(const PaperNumbers& numbers, const std::string& model)
{
    return 100 * std::abs(PaperGet(numbers, model) / PaperGet(numbers, "simulation") - 1);
}

/// @return half-width of the simulation's interval in percent
double
GetNoise(const PaperNumbers& numbers)
{
    return 50 * (PaperGet(numbers, "simulation", 2) - PaperGet(numbers, "simulation", 1)) /
           PaperGet(numbers, "simulation");
}

/// Adds errors where queues push back: small queues at high loads.
void
AddHardCells(PaperRun& run, PaperResult& result)
{
    std::vector<Cell> cells;
    for (const double hit : {1.0, 0.5, 0.25})
    {
        for (const double burst : {0.0, 0.3})
        {
            for (const double load : {0.8, 0.95})
            {
                cells.push_back({hit, burst, load, 8, 8});
            }
        }
    }
    const auto all = ComputeCells(run, cells);
    for (const auto& [model, title] : {std::pair("chain", std::string()),
                                       std::pair("published", TITLES.at("published") + ", "),
                                       std::pair("independent", TITLES.at("independent") + ", ")})
    {
        std::vector<double> errors;
        for (const PaperNumbers& numbers : all)
        {
            errors.push_back(GetError(numbers, model));
        }
        result.AddOther("queues of 8, loads 0.8 and 0.95: " + title + "mean |error|",
                        "%",
                        PaperMean(errors));
    }
}

PaperResult
ComputeTable23(PaperRun& run)
{
    const double loads[] = {0.3, 0.6, 0.9};
    const char* const names[] = {"L", "M", "H"};
    std::vector<Cell> cells;
    std::vector<std::string> titles;
    for (const double burst : {0.0, 0.1, 0.3})
    {
        for (const double hit : {1.0, 0.5, 0.25})
        {
            for (std::size_t i = 0; i < 3; ++i)
            {
                cells.push_back({hit, burst, loads[i], 16});
                titles.push_back("burst " + DcnToText(burst) + ", hits " + DcnToText(hit) + ", " +
                                 names[i]);
            }
        }
    }
    const auto all = ComputeCells(run, cells);
    PaperResult result;
    std::vector<double> chain;
    std::vector<double> independent;
    std::vector<double> printed;
    std::vector<double> noise;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        chain.push_back(GetError(all[i], "chain"));
        independent.push_back(GetError(all[i], "independent"));
        printed.push_back(GetError(all[i], "published"));
        noise.push_back(GetNoise(all[i]));
        bars.push_back({titles[i], TITLES.at("chain"), chain.back()});
        bars.push_back({titles[i], TITLES.at("independent"), independent.back()});
    }
    result.values["mean |error|"] = PaperMean(chain);
    result.values["largest |error|"] = PaperLargest(chain);
    result.values["[42], mean |error|"] = PaperMean(independent);
    result.values["printed equations, mean |error|"] = PaperMean(printed);
    AddHardCells(run, result);
    result.AddOther("half-width of the simulation's interval, mean", "%", PaperMean(noise));
    result.pictures.push_back(PaperPlotBars("noc-table2.3",
                                            "Errors of the mean latency of requests",
                                            "|error| [%]",
                                            bars));
    return result;
}

/// Latency by load for one set of parameters.
PaperResult
DescribeLoads(PaperRun& run, const std::string& name, double burst, uint32_t ingress)
{
    const std::vector<double> loads{0.2, 0.4, 0.6, 0.8, 0.95};
    std::vector<Cell> cells;
    for (const double load : loads)
    {
        cells.push_back({1, burst, load, ingress});
    }
    const auto all = ComputeCells(run, cells);
    PaperResult result;
    const std::string simulation = "simulation";
    PaperSeries series{{TITLES.at(simulation), {}}};
    std::vector<double> chain;
    std::vector<double> independent;
    std::vector<double> printed;
    for (const std::string& model : MODELS)
    {
        series.push_back({TITLES.at(model), {}});
    }
    for (std::size_t i = 0; i < loads.size(); ++i)
    {
        series[0].second.emplace_back(loads[i], PaperGet(all[i], simulation));
        for (std::size_t m = 0; m < MODELS.size(); ++m)
        {
            series[m + 1].second.emplace_back(loads[i], PaperGet(all[i], MODELS[m]));
        }
        chain.push_back(GetError(all[i], "chain"));
        independent.push_back(GetError(all[i], "independent"));
        printed.push_back(GetError(all[i], "published"));
        result.AddOther("load " + DcnToText(loads[i]) + ", simulation",
                        "cycles",
                        PaperGetMeasured(all[i], simulation));
    }
    result.values["mean |error|"] = PaperMean(chain);
    result.values["|error| at the highest load"] = {chain.back()};
    result.values["[42], mean |error|"] = PaperMean(independent);
    result.values["[42], |error| at the highest load"] = {independent.back()};
    result.values["printed equations, mean |error|"] = PaperMean(printed);
    result.values["printed equations, |error| at the highest load"] = {printed.back()};
    result.pictures.push_back(PaperMakePanels(
        name,
        "Mean latency of requests",
        {PaperMakeLines("6 x 6, all hits", "load", "latency [cycles]", series)}));
    return result;
}

/// Traffic that stands for an application: its cores go through phases of two rates.
struct Application
{
    std::string name;
    double load;  //!< mean, as a share of the largest rate
    double swing; //!< rates of the phases are load x (1 -+ swing)
    double burst; //!< probability that a request follows in the same cycle
};

/// Loads, phases and bursts from low and smooth to high and bursty, named before they were run.
const std::vector<Application> APPLICATIONS{{"a", 0.1, 0, 0},
                                            {"b", 0.1, 0.8, 0.1},
                                            {"c", 0.2, 0.5, 0.3},
                                            {"d", 0.3, 0, 0.1},
                                            {"e", 0.3, 0.8, 0.3},
                                            {"f", 0.45, 0.5, 0.1},
                                            {"g", 0.45, 0.8, 0.3},
                                            {"h", 0.6, 0, 0.3},
                                            {"i", 0.6, 0.5, 0.1},
                                            {"j", 0.75, 0.3, 0.1}};

/**
 * Writes the trace of an application.
 * @param application rates and bursts
 * @param network receives nothing; its cores send to all others alike
 * @param cycles length
 * @param path of the file
 */
void
WriteTrace(const Application& application,
           const NocNetwork& network,
           uint32_t cycles,
           const std::string& path)
{
    constexpr double PHASE = 500; // mean length of a phase [cycles]
    const NocSystem system = network.GetSystem();
    const double mean = application.load * system.GetLargestRate();
    std::vector<uint32_t> cores;
    for (uint32_t node = 0; node < system.rates.size(); ++node)
    {
        if (!system.IsMemory(node))
        {
            cores.push_back(node);
        }
    }
    auto draws = CreateObject<UniformRandomVariable>();
    draws->SetStream(1 + application.name.front());
    std::vector<int> sides(cores.size(), 1);
    DcnFileWriter file(path);
    file.Stream() << "cycle,source,destination\n";
    for (uint32_t cycle = 0; cycle < cycles; ++cycle)
    {
        for (std::size_t i = 0; i < cores.size(); ++i)
        {
            sides[i] = draws->GetValue() < 1 / PHASE ? -sides[i] : sides[i];
            const double rate = mean * (1 + sides[i] * application.swing);
            bool sends = draws->GetValue() < rate * (1 - application.burst);
            while (sends)
            {
                std::size_t to = i;
                while (to == i)
                {
                    to = draws->GetInteger(0, static_cast<uint32_t>(cores.size()) - 1);
                }
                file.Stream() << cycle << ',' << cores[i] << ',' << cores[to] << '\n';
                sends = draws->GetValue() < application.burst;
            }
        }
    }
    file.Commit();
}

PaperResult
ComputeFigure28(PaperRun& run)
{
    const uint32_t cycles = run.Choose<uint32_t>(50'000, 200'000, 600'000);
    std::vector<PaperTask> tasks;
    std::vector<std::string> titles;
    for (const uint32_t side : {6, 8})
    {
        for (const Application& application : APPLICATIONS)
        {
            const std::string title = std::to_string(side) + " x " + std::to_string(side) +
                                      ", trace " + application.name;
            const std::string path = run.MakeFolder("runs/noc-traces") + "/" + application.name +
                                     std::to_string(side) + "-" + std::to_string(cycles) + ".csv";
            titles.push_back(title);
            tasks.push_back({title + " load " + DcnToText(application.load) + " swing " +
                                 DcnToText(application.swing) + " burst " +
                                 DcnToText(application.burst) + " cycles " + std::to_string(cycles),
                             {},
                             [=]() {
                                 Ptr<NocNetwork> network = MakeNetwork(side, cycles);
                                 network->SetAttribute("HitRate", DoubleValue(1));
                                 network->SetAttribute("Seeds", UintegerValue(1));
                                 WriteTrace(application, *network, cycles / 10 * 11, path);
                                 network->SetTrace(path);
                                 return Estimate(*network);
                             }});
        }
    }
    const auto all = run.Compute("noc-traces", tasks);
    PaperResult result;
    std::vector<double> chain;
    std::vector<double> independent;
    std::vector<double> printed;
    std::vector<double> noise;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        chain.push_back(GetError(all[i], "chain"));
        independent.push_back(GetError(all[i], "independent"));
        printed.push_back(GetError(all[i], "published"));
        noise.push_back(GetNoise(all[i]));
        result.AddOther(titles[i] + ", |error|", "%", {chain.back()});
        bars.push_back({titles[i], TITLES.at("chain"), chain.back()});
        bars.push_back({titles[i], TITLES.at("independent"), independent.back()});
    }
    result.values["generated traces, mean |error|"] = PaperMean(chain);
    result.values["printed equations, mean |error|"] = PaperMean(printed);
    result.values["[42], mean |error|"] = PaperMean(independent);
    result.AddOther("half-width of the simulation's interval, mean", "%", PaperMean(noise));
    result.pictures.push_back(
        PaperPlotBars("noc-fig2.8", "Errors of the mean latency of requests", "|error| [%]", bars));
    return result;
}

const std::string BASELINE = "threshold-global-any:0.25:0.125"; //!< tuned at a hit rate of 0.7
const std::string MEMORY_BASELINE = "threshold-global-any:0.9:0.7"; //!< tuned at a hit rate of 0.2
const std::string WINDOW = "tree-window";                           //!< "this work"
const std::string PRINTED = "tree-local";                           //!< Algorithm 3 as printed
const std::vector<std::string> POLICIES{BASELINE, WINDOW, PRINTED, "none", "fixed-12"};
const std::string READS = "memory_reads_per_cycle";
const std::string SHARE = "miss_share";
const std::string LATENCY = "transaction_latency";
const std::string BYTES = "bytes_per_core_cycle";

/// By policy and workload: measures of NocThrottleRun by seed.
using Throttled = std::map<std::string, std::vector<PaperNumbers>>;

/// Simulates policies on workloads (rates of phases joined by slashes).
Throttled
Throttle(PaperRun& run,
         double hit,
         const std::vector<std::string>& workloads,
         const std::vector<std::string>& policies)
{
    constexpr uint64_t FIRST_SEED = 501;
    const uint64_t seeds = run.Choose<uint64_t>(3, 3, 5);
    NocThrottleSetup setup;
    setup.cycles = run.Choose<uint64_t>(50'000, 50'000, 600'000);
    setup.warmUp = run.Choose<uint64_t>(20'000, 20'000, 100'000);
    NocThrottleOptions options;
    options.tree = std::make_shared<const MqlTree>(
        NocDetector::Read(DcnDataPath("models/noc-throttle/tree.csv")));
    std::vector<PaperTask> tasks;
    for (const std::string& policy : policies)
    {
        for (const std::string& workload : workloads)
        {
            tasks.push_back({"hits " + DcnToText(hit) + " rates " + workload + " policy " + policy +
                                 " cycles " + std::to_string(setup.cycles) + " seeds " +
                                 std::to_string(seeds),
                             {},
                             [=]() {
                                 PaperNumbers numbers;
                                 const auto phases = DcnReadNumbers("rates", workload, '/');
                                 for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + seeds; ++seed)
                                 {
                                     NocThrottleRun each(setup, hit, phases, policy, options, seed);
                                     each.Simulate();
                                     for (const auto& [name, value] : each.GetMeasures())
                                     {
                                         numbers[name].push_back(value);
                                     }
                                 }
                                 return numbers;
                             }});
        }
    }
    const auto all = run.Compute("noc-throttling", tasks);
    Throttled throttled;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        throttled[policies[i / workloads.size()]].push_back(all[i]);
    }
    return throttled;
}

/// A measure under a policy over that under another one, by workload and seed.
std::vector<std::vector<double>>
GetRatios(const Throttled& throttled,
          const std::string& measure,
          const std::string& policy,
          const std::string& base)
{
    std::vector<std::vector<double>> ratios;
    for (std::size_t w = 0; w < throttled.at(policy).size(); ++w)
    {
        const auto& above = throttled.at(policy)[w].at(measure);
        const auto& below = throttled.at(base)[w].at(measure);
        ratios.emplace_back();
        for (std::size_t seed = 0; seed < above.size(); ++seed)
        {
            ratios.back().push_back(above[seed] / below[seed]);
        }
    }
    return ratios;
}

/// @return scale x (ratio - 1), its mean over workloads; the interval is that of the seeds
PaperMeasured
GetMeanGain(const std::vector<std::vector<double>>& ratios, double scale)
{
    std::vector<double> means(ratios.front().size(), 0);
    for (const auto& workload : ratios)
    {
        for (std::size_t seed = 0; seed < means.size(); ++seed)
        {
            means[seed] += scale * (workload[seed] - 1) / static_cast<double>(ratios.size());
        }
    }
    return PaperMean(means);
}

/// @return scale x (ratio - shift) of the workload where it is largest
PaperMeasured
GetLargestGain(const std::vector<std::vector<double>>& ratios, double scale, double shift = 1)
{
    PaperMeasured largest;
    for (const auto& workload : ratios)
    {
        std::vector<double> gains;
        for (const double ratio : workload)
        {
            gains.push_back(scale * (ratio - shift));
        }
        const PaperMeasured gain = PaperMean(gains);
        if (!std::isnan(gain.value) && !(gain.value <= largest.value))
        {
            largest = gain;
        }
    }
    return largest;
}

/// @return the gain in percent of two reads a cycle, all that the controllers serve, over the reads
/// of a policy, where it is largest
PaperMeasured
GetBound(const std::vector<PaperNumbers>& workloads)
{
    constexpr double MOST = 2; // controllers, each of a read per cycle
    PaperMeasured largest;
    for (const PaperNumbers& numbers : workloads)
    {
        const double gain = 100 * (MOST / PaperMean(numbers.at(READS)).value - 1);
        largest.value = gain <= largest.value ? largest.value : gain;
    }
    return largest;
}

const std::string BOUND = "two controllers at a read a cycle each, largest gain possible";

/// Rates of cores.
const std::vector<std::string> RATES{"0.1", "0.3", "0.5", "0.7", "0.8", "0.9", "1"};

/// @return a measure by rate, one line by policy
PaperPicture
PlotRates(const std::string& name,
          const std::string& title,
          const std::string& quantity,
          const Throttled& throttled,
          const std::string& measure)
{
    PaperSeries series;
    for (const auto& [policy, numbers] : throttled)
    {
        series.push_back({TITLES.at(policy), {}});
        for (std::size_t w = 0; w < numbers.size(); ++w)
        {
            series.back().second.emplace_back(std::stod(RATES[w]),
                                              PaperMean(numbers[w].at(measure)).value);
        }
    }
    return PaperMakePanels(
        name,
        title,
        {PaperMakeLines("6 x 6", "requests per cycle and core", quantity, series)});
}

PaperResult
ComputeTable32(PaperRun& run)
{
    constexpr uint32_t DELTA = 5;         // cycles, as published
    constexpr double ALPHA = 1.0 / 16;    // as published
    constexpr uint32_t LAST = 8;          // depth
    constexpr double HIT = 0.7;
    const uint64_t n = run.Choose<uint64_t>(1, 6); // runs by rate to learn from
    const std::vector<PaperTask> tasks{
        {"trees hits " + DcnToText(HIT) + " runs " + std::to_string(n), {}, [=]() {
             const NocThrottleSetup setup;
             const std::vector<double> once{0.5, 0.7, 0.8, 0.9, 1};
             std::vector<double> rates;
             for (uint64_t i = 0; i < n; ++i)
             {
                 rates.insert(rates.end(), once.begin(), once.end());
             }
             const auto learned = setup.Record(rates, HIT, 601, DELTA, ALPHA, 1);
             const auto unseen = setup.Record(once, HIT, 701, DELTA, ALPHA, 1);
             PaperNumbers numbers;
             const auto add = [&](const std::string& name, const MqlTree& tree) {
                 const auto score = NocDetector::Score(tree, unseen);
                 numbers[name] = {100 * score.accuracy0, 100 * score.accuracy1};
             };
             for (uint32_t depth = 2; depth <= LAST; ++depth)
             {
                 add(std::to_string(depth), NocDetector::Fit(learned, depth));
             }
             add("occupancy alone", NocDetector::Fit(learned, 1, 8));
             return numbers;
         }}};
    const auto all = run.Compute("noc-trees", tasks);
    PaperResult result;
    std::vector<PaperBar> bars;
    for (uint32_t depth = 2; depth <= LAST; ++depth)
    {
        for (const std::size_t label : {0, 1})
        {
            const double accuracy = PaperGet(all[0], std::to_string(depth), label);
            const std::string name = "label " + std::to_string(label);
            result.values["depth " + std::to_string(depth) + ", " + name] = {accuracy};
            bars.push_back({"depth " + std::to_string(depth), name, accuracy});
        }
    }
    for (const std::size_t label : {0, 1})
    {
        result.AddOther("threshold on the occupancy alone, label " + std::to_string(label),
                        "%",
                        {PaperGet(all[0], "occupancy alone", label)});
    }
    result.pictures.push_back(
        PaperPlotBars("noc-table3.2", "Right answers on unseen seeds", "accuracy [%]", bars));
    return result;
}

PaperResult
ComputeFigure34(PaperRun& run)
{
    const Throttled hits = Throttle(run, 0.7, RATES, POLICIES);
    const Throttled misses = Throttle(run, 0.2, RATES, {MEMORY_BASELINE, BASELINE, WINDOW});
    PaperResult result;
    result.values["70 % hits, largest reduction"] =
        GetLargestGain(GetRatios(hits, LATENCY, WINDOW, BASELINE), -100);
    result.values["20 % hits, mean reduction"] =
        GetMeanGain(GetRatios(misses, LATENCY, WINDOW, MEMORY_BASELINE), -100);
    result.AddOther("70 % hits, Algorithm 3 as printed, largest reduction",
                    "%",
                    GetLargestGain(GetRatios(hits, LATENCY, PRINTED, BASELINE), -100));
    result.AddOther("70 % hits, constant window of 12, largest reduction",
                    "%",
                    GetLargestGain(GetRatios(hits, LATENCY, "fixed-12", BASELINE), -100));
    result.pictures.push_back(PlotRates("noc-fig3.4",
                                        "Mean latency of transactions, hit rate 0.7",
                                        "latency [cycles]",
                                        hits,
                                        LATENCY));
    return result;
}

PaperResult
ComputeFigure35(PaperRun& run)
{
    const Throttled hits = Throttle(run, 0.7, RATES, POLICIES);
    const Throttled misses = Throttle(run, 0.2, RATES, {MEMORY_BASELINE, BASELINE, WINDOW});
    const Throttled half = Throttle(run, 0.5, RATES, {BASELINE});
    PaperResult result;
    result.values["70 % hits, largest gain of misses"] =
        GetLargestGain(GetRatios(hits, SHARE, WINDOW, BASELINE), 1, 0);
    result.values["20 % hits, largest gain of misses"] =
        GetLargestGain(GetRatios(misses, SHARE, WINDOW, MEMORY_BASELINE), 1, 0);
    std::vector<double> shares = half.at(BASELINE).back().at(SHARE);
    std::for_each(shares.begin(), shares.end(), [](double& share) { share *= 100; });
    result.values["50 % hits, baseline: misses at the highest rate"] = PaperMean(shares);
    result.AddOther("70 % hits, Algorithm 3 as printed, largest gain of misses",
                    "x",
                    GetLargestGain(GetRatios(hits, SHARE, PRINTED, BASELINE), 1, 0));
    result.AddOther("70 % hits, constant window of 12, largest gain of misses",
                    "x",
                    GetLargestGain(GetRatios(hits, SHARE, "fixed-12", BASELINE), 1, 0));
    result.pictures.push_back(PlotRates("noc-fig3.5",
                                        "Share of misses, hit rate 0.7",
                                        "misses among the transactions",
                                        hits,
                                        SHARE));
    result.pictures.push_back(PlotRates("noc-fig3.1",
                                        "Share of misses, hit rate 0.5",
                                        "misses among the transactions",
                                        half,
                                        SHARE));
    return result;
}

PaperResult
ComputeFigure36(PaperRun& run)
{
    const Throttled misses = Throttle(run, 0.2, RATES, {MEMORY_BASELINE, BASELINE, WINDOW});
    const Throttled hits = Throttle(run, 0.7, RATES, POLICIES);
    PaperResult result;
    const auto ratios = GetRatios(misses, READS, WINDOW, MEMORY_BASELINE);
    result.values["mean gain"] = GetMeanGain(ratios, 100);
    result.values["largest gain"] = GetLargestGain(ratios, 100);
    result.AddOther("over thresholds tuned at 70 % hits, mean gain",
                    "%",
                    GetMeanGain(GetRatios(misses, READS, WINDOW, BASELINE), 100));
    result.AddOther("70 % hits, mean gain",
                    "%",
                    GetMeanGain(GetRatios(hits, READS, WINDOW, BASELINE), 100));
    result.AddOther("70 % hits, largest gain",
                    "%",
                    GetLargestGain(GetRatios(hits, READS, WINDOW, BASELINE), 100));
    result.AddOther("20 % hits, reads of the baseline at the highest rate",
                    "per cycle",
                    PaperMean(misses.at(MEMORY_BASELINE).back().at(READS)));
    result.AddOther(BOUND, "%", GetBound({misses.at(MEMORY_BASELINE).end() - 4,
                                          misses.at(MEMORY_BASELINE).end()}));
    result.pictures.push_back(PlotRates("noc-fig3.6",
                                        "Memory reads, hit rate 0.2",
                                        "memory reads per cycle",
                                        misses,
                                        READS));
    return result;
}

const std::string LOSS = "mean loss (below 0: a gain)";

PaperResult
ComputeFigure37(PaperRun& run)
{
    const Throttled hits = Throttle(run, 0.7, RATES, POLICIES);
    PaperResult result;
    result.values[LOSS] = GetMeanGain(GetRatios(hits, BYTES, WINDOW, BASELINE), -100);
    result.AddOther("Algorithm 3 as printed, " + LOSS,
                    "%",
                    GetMeanGain(GetRatios(hits, BYTES, PRINTED, BASELINE), -100));
    result.AddOther("constant window of 12, " + LOSS,
                    "%",
                    GetMeanGain(GetRatios(hits, BYTES, "fixed-12", BASELINE), -100));
    result.pictures.push_back(PlotRates("noc-fig3.7",
                                        "Bytes received, hit rate 0.7",
                                        "bytes per core and cycle",
                                        hits,
                                        BYTES));
    return result;
}

PaperResult
ComputeFigure38(PaperRun& run)
{
    const auto workloads = NocDrawWorkloads(10, 1);
    const Throttled hits = Throttle(run, 0.7, workloads, {BASELINE, WINDOW, "fixed-12"});
    PaperResult result;
    const auto ratios = GetRatios(hits, READS, WINDOW, BASELINE);
    result.values["mean gain"] = GetMeanGain(ratios, 100);
    result.values["largest gain"] = GetLargestGain(ratios, 100);
    result.AddOther("constant window of 12, mean gain",
                    "%",
                    GetMeanGain(GetRatios(hits, READS, "fixed-12", BASELINE), 100));
    result.AddOther(BOUND, "%", GetBound(hits.at(BASELINE)));
    std::vector<PaperBar> bars;
    for (std::size_t w = 0; w < workloads.size(); ++w)
    {
        for (const std::string& policy : {BASELINE, WINDOW})
        {
            bars.push_back(
                {workloads[w], TITLES.at(policy), PaperMean(hits.at(policy)[w].at(READS)).value});
        }
    }
    result.pictures.push_back(PaperPlotBars("noc-fig3.8",
                                            "Memory reads of workloads of four phases",
                                            "memory reads per cycle",
                                            bars));
    return result;
}

const PaperRegistration g_figures{
    {"noc-table2.3", ComputeTable23},
    {"noc-fig2.5", [](PaperRun& run) { return DescribeLoads(run, "noc-fig2.5", 0, 16); }},
    {"noc-fig2.6", [](PaperRun& run) { return DescribeLoads(run, "noc-fig2.6", 0.1, 16); }},
    {"noc-fig2.7", [](PaperRun& run) { return DescribeLoads(run, "noc-fig2.7", 0, 1000); }},
    {"noc-fig2.8", ComputeFigure28},
    {"noc-table3.2", ComputeTable32},
    {"noc-fig3.4", ComputeFigure34},
    {"noc-fig3.5", ComputeFigure35},
    {"noc-fig3.6", ComputeFigure36},
    {"noc-fig3.7", ComputeFigure37},
    {"noc-fig3.8", ComputeFigure38}};

} // namespace

} // namespace ns3
