/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Figures and tables of m3 (Li et al., SIGCOMM 2024).
 *
 * "m3" is the shipped model with the default network.
 */

#include "paper-compare.h"
#include "paper-figure.h"
#include "paper-suite.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-index.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

const std::string PACKET = "packet";
const std::string M3 = "m3:Threads=1";
const std::string FLOWSIM = "flowsim";
const std::string PARSIMON = "parsimon:Threads=1";
const std::string PARSIMON_PUBLISHED = "parsimon:Threads=1:Rules=published";
/// Paths alone, as in the paper: never the whole network in their place.
const std::string PATHS = "ns3-path:Jobs=1:PreEstimate=parsimon/Threads=1:WholeAbove=1000000";
const std::string RULES = "Parsimon, published rules"; //!< in names of rows
const std::vector<std::pair<std::string, std::string>> LEGEND{{PACKET, "packet"},
                                                              {M3, "m3"},
                                                              {PARSIMON, "Parsimon"},
                                                              {PARSIMON_PUBLISHED,
                                                               "Parsimon, published rules"}};
const std::vector<std::string> SIZE_NAMES{"<1KB", "1-10KB", "10-50KB", ">50KB"};

const std::string SMALL_FABRIC = "racksPerPod=16,hostsPerRack=8,loadRule=exact";

/// @return the error of a p99 [%]
PaperMeasured
GetError(const PaperNumbers& numbers, const std::string& method, const std::string& sizes)
{
    return PaperGetMeasured(numbers, method + "|" + sizes + "|error", 100);
}

/// @return |error| of the p99 [%]
double
GetAbsolute(const PaperNumbers& numbers, const std::string& method, const std::string& sizes)
{
    return 100 * std::abs(PaperGet(numbers, method + "|" + sizes + "|error"));
}

/// @return |error| of the p99 of all flows with its interval [%]
PaperMeasured
GetAbsolute(const PaperNumbers& numbers, const std::string& method)
{
    return PaperAbsolute(GetError(numbers, method, "all"));
}

// the three mixes: table 1, figure 2

/// A mix of table 1.
struct Mix
{
    const char* name;
    char matrix;
    const char* sizes;
    double load;
    int spines;
    double flows; //!< at the small scale
};

const Mix MIXES[] = {{"Mix 1", 'A', "cache-follower", 0.4246, 4, 2500},
                     {"Mix 2", 'B', "web-server", 0.2846, 16, 14000},
                     {"Mix 3", 'C', "web-server", 0.7383, 8, 14000}};

/// @return the scenario of a mix
std::string
MakeMix(const PaperRun& run, const Mix& mix)
{
    return SMALL_FABRIC + ",spinesPerPlane=" + std::to_string(mix.spines) +
           ",matrix=" + run.GetMatrix(mix.matrix) + ",sizes=" + mix.sizes +
           ",sigma=1,load=" + DcnToText(mix.load) +
           ",flows=" + DcnToText(mix.flows * run.Choose(1, 10, 40)) +
           ",buffer_bytes=3145728,window_bytes=18000,seed=1";
}

PaperResult
ComputeTable1(PaperRun& run)
{
    PaperComparison what;
    what.methods = {PACKET, PATHS, PARSIMON, PARSIMON_PUBLISHED};
    std::vector<PaperTask> tasks;
    for (const Mix& mix : MIXES)
    {
        tasks.push_back(PaperMakeTask(MakeMix(run, mix), what));
    }
    const auto all = run.Compute("m3-mixes", tasks);
    PaperResult result;
    std::vector<double> paths;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const std::string name = MIXES[i].name;
        result.values[name + ", p99 by packets"] = {PaperGet(all[i], PACKET + "|all|p99")};
        result.values[name + ", |error| of ns3-path"] = GetAbsolute(all[i], PATHS);
        result.values[name + ", |error| of Parsimon"] = GetAbsolute(all[i], PARSIMON);
        result.values[name + ", |error| of " + RULES] = GetAbsolute(all[i], PARSIMON_PUBLISHED);
        result.AddOther(name + ", noise floor", "%", GetError(all[i], PAPER_NOISE, "all"));
        paths.push_back(GetAbsolute(all[i], PATHS, "all"));
        for (const auto& [method, title] : {std::pair(PACKET, "packet"),
                                            std::pair(PARSIMON, "Parsimon"),
                                            std::pair(PATHS, "ns3-path")})
        {
            bars.push_back({name, title, PaperGet(all[i], method + "|all|p99")});
        }
    }
    result.values["ns3-path, mean |error|"] = PaperMean(paths);
    result.pictures.push_back(
        PaperPlotBars("m3-table1", "p99 slowdown of three mixes", "p99 slowdown", bars));
    return result;
}

/// Paths of a mix: hops, numbers of flows, and errors of single paths.
PaperNumbers
RunPaths(const std::string& recipe, uint64_t draws, uint64_t simulated)
{
    Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    const DcnPathIndex index(scenario);
    PaperNumbers numbers;
    double nDrawn = 0;
    const auto drawn = DcnDrawPaths(index, draws, DcnPathSampling::REPLACEMENT, 1);
    for (const DcnDrawnPath& path : drawn)
    {
        nDrawn += path.multiplicity;
        for (uint32_t k = 0; k < path.multiplicity; ++k)
        {
            numbers["hops"].push_back(static_cast<double>(index.GetLinks(path.path).size()));
            numbers["foreground"].push_back(
                static_cast<double>(index.GetForeground(path.path).size()));
            numbers["background"].push_back(
                static_cast<double>(DcnFindPathTraffic(index, path.path, false).background.size()));
        }
    }
    const auto whole = DcnEstimator::CreateByName(PACKET)->Estimate(scenario).fctNs;
    Simulator::Destroy();
    // the paths with most flows, whose p99 means most
    std::vector<uint32_t> order;
    for (const DcnDrawnPath& path : drawn)
    {
        order.push_back(path.path);
    }
    std::stable_sort(order.begin(), order.end(), [&index](uint32_t a, uint32_t b) {
        return index.GetForeground(a).size() > index.GetForeground(b).size();
    });
    order.resize(std::min<std::size_t>(order.size(), simulated));
    const DcnPathScenarioBuilder builder(index, DcnPathHosts::HOST);
    for (const uint32_t path : order)
    {
        const DcnPathScenario local = builder.Build(path, DcnFindPathTraffic(index, path, true));
        const auto alone = local.GetForegroundSlowdowns(
            DcnEstimator::CreateByName(PACKET)->Estimate(local.scenario));
        Simulator::Destroy();
        std::vector<double> truth;
        for (const uint32_t flow : index.GetForeground(path))
        {
            truth.push_back(static_cast<double>(whole[flow]) /
                            static_cast<double>(scenario->GetIdealFct(flow).GetTotalNs()));
        }
        std::sort(truth.begin(), truth.end());
        numbers["error"].push_back(
            DcnWeightedQuantile(alone, 0.99) / DcnQuantile(truth, 0.99) - 1);
        numbers["error hops"].push_back(static_cast<double>(index.GetLinks(path).size()));
    }
    return numbers;
}

PaperResult
ComputeFigure2(PaperRun& run)
{
    std::vector<PaperTask> tasks;
    const uint64_t simulated = run.Choose(12, 24, 100);
    for (const Mix& mix : MIXES)
    {
        const std::string recipe = MakeMix(run, mix);
        tasks.push_back({"paths " + std::to_string(simulated) + " " + recipe, {PACKET}, [=]() {
                             return RunPaths(recipe, 500, simulated);
                         }});
    }
    const auto all = run.Compute("m3-mix-paths", tasks);
    PaperResult result;
    std::vector<std::pair<std::string, std::vector<double>>> foreground;
    std::vector<std::pair<std::string, std::vector<double>>> background;
    std::vector<std::pair<std::string, std::vector<double>>> errors;
    std::vector<PaperBar> hops;
    std::vector<double> absolute;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const std::string name = MIXES[i].name;
        foreground.emplace_back(name, all[i].at("foreground"));
        background.emplace_back(name, all[i].at("background"));
        errors.emplace_back(name, all[i].at("error"));
        for (const double h : {2, 4, 6})
        {
            const auto& values = all[i].at("hops");
            const auto n = std::count(values.begin(), values.end(), h);
            const double share =
                100 * static_cast<double>(n) / static_cast<double>(values.size());
            hops.push_back({DcnToText(h) + " hops", name, share});
            result.AddOther(name + ", paths of " + DcnToText(h) + " hops", "%", {share});
        }
        for (const double error : all[i].at("error"))
        {
            absolute.push_back(100 * std::abs(error));
        }
        result.AddOther(name + ", median of foreground flows of a path",
                        "",
                        PaperQuantile(all[i].at("foreground"), 0.5));
        result.AddOther(name + ", median of background flows of a path",
                        "",
                        PaperQuantile(all[i].at("background"), 0.5));
    }
    result.values["path-level p99, median |error|"] = PaperQuantile(absolute, 0.5);
    result.AddOther("path-level p99, mean |error|", "%", PaperMean(absolute));
    result.pictures.push_back(PaperPlotBars("m3-fig2b", "Hops of sampled paths", "share [%]", hops));
    result.pictures.push_back(PaperMakePanels(
        "m3-fig2",
        "Sampled paths",
        {PaperMakeCdf("foreground flows of a path", "flows", foreground),
         PaperMakeCdf("background flows of a path", "flows", background),
         PaperMakeCdf("p99 of paths alone", "error [share]", errors)}));
    return result;
}

// figure 3: heat maps of a single link

PaperResult
ComputeFigure3(PaperRun& run)
{
    struct Map
    {
        const char* name;
        const char* sizes;
        const char* sigma;
        const char* load;
    };
    const std::vector<Map> maps{{"base", "cache-follower", "1.5", "0.5"},
                                {"sigma 1", "cache-follower", "1", "0.5"},
                                {"sigma 2", "cache-follower", "2", "0.5"},
                                {"load 20 %", "cache-follower", "1.5", "0.2"},
                                {"load 80 %", "cache-follower", "1.5", "0.8"},
                                {"web-server", "web-server", "1.5", "0.5"},
                                {"hadoop", "hadoop", "1.5", "0.5"}};
    PaperComparison what;
    what.methods = {FLOWSIM};
    what.isRepeated = false;
    // the ten classes of m3's feature maps
    const std::vector<double> bounds{0, 250, 500, 750, 1000, 2000, 5000, 7500, 10000, 50000, 1e18};
    std::vector<DcnSizeClass> classes{{"small", 0, 1000}, {"large", 50000, 1e18}};
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
    {
        classes.push_back({"bucket " + std::to_string(i), bounds[i], bounds[i + 1]});
    }
    what.classes = PaperComparison::Of(classes);
    std::vector<PaperTask> tasks;
    for (const Map& map : maps)
    {
        tasks.push_back(PaperMakeTask("topology=dumbbell,hostsPerRack=20,hostRate=100Gbps,"
                                      "fabricRate=10Gbps,loadRule=exact,flows=" +
                                          std::to_string(run.Choose(20'000, 400'000)) +
                                          ",seed=1,sizes=" + map.sizes + ",sigma=" + map.sigma +
                                          ",load=" + map.load,
                                      what,
                                      "buckets"));
    }
    const auto all = run.Compute("m3-heat-maps", tasks);
    PaperResult result;
    std::vector<Gnuplot> panels;
    for (std::size_t i = 0; i < maps.size(); ++i)
    {
        PaperSeries series;
        for (std::size_t bucket = 0; bucket + 1 < bounds.size(); bucket += 3)
        {
            const auto found = all[i].find(FLOWSIM + "|bucket " + std::to_string(bucket) + "|curve");
            series.push_back({"from " + DcnToText(bounds[bucket]) + " B", {}});
            for (std::size_t k = 0; found != all[i].end() && k < found->second.size(); ++k)
            {
                series.back().second.emplace_back(100 * PaperGetLevels()[k].first,
                                                  found->second[k]);
            }
        }
        panels.push_back(PaperMakeLines(maps[i].name,
                                        "percentile",
                                        "slowdown by flowSim",
                                        series,
                                        "set logscale y\nset xrange [0:100]"));
        result.AddOther(std::string(maps[i].name) + ", p99 below 1 KB",
                        "",
                        {PaperGet(all[i], FLOWSIM + "|small|p99")});
        result.AddOther(std::string(maps[i].name) + ", p99 above 50 KB",
                        "",
                        {PaperGet(all[i], FLOWSIM + "|large|p99")});
    }
    auto ratio = [&all](std::size_t a, std::size_t b, const char* sizes) {
        return PaperMeasured{PaperGet(all[a], FLOWSIM + "|" + sizes + "|p99") /
                             PaperGet(all[b], FLOWSIM + "|" + sizes + "|p99")};
    };
    result.values["burstiness: p99 below 1 KB, sigma 2 over 1"] = ratio(2, 1, "small");
    result.values["burstiness: p99 above 50 KB, sigma 2 over 1"] = ratio(2, 1, "large");
    result.values["load: p99 above 50 KB, 80 over 20 %"] = ratio(4, 3, "large");
    result.pictures.push_back(
        PaperMakePanels("m3-fig3", "Slowdowns of a link by flowSim and size", panels));
    return result;
}

// figure 5: active paths and sampling error

/// Paths of a scenario, and errors of the p99 by number of draws.
PaperNumbers
RunSampling(const DcnScenarioSuite& suite,
            uint64_t index,
            const std::vector<uint64_t>& draws,
            uint64_t repetitions)
{
    DcnSuiteLoad load;
    Ptr<const DcnScenario> scenario = suite.Create(suite.Draw(index), load);
    const auto fctNs = DcnEstimator::CreateByName(PACKET)->Estimate(scenario).fctNs;
    Simulator::Destroy();
    const DcnPathIndex paths(scenario);
    std::vector<double> slowdowns;
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        slowdowns.push_back(static_cast<double>(fctNs[i]) /
                            static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()));
    }
    std::vector<double> sorted = slowdowns;
    std::sort(sorted.begin(), sorted.end());
    const double truth = DcnQuantile(sorted, 0.99);
    PaperNumbers numbers{{"paths", {static_cast<double>(paths.GetNPaths())}},
                         {"flows", {static_cast<double>(fctNs.size())}}};
    for (const uint64_t n : draws)
    {
        for (uint64_t seed = 1; seed <= repetitions; ++seed)
        {
            std::vector<std::pair<double, double>> values;
            for (const auto& path : DcnDrawPaths(paths, n, DcnPathSampling::REPLACEMENT, seed))
            {
                for (const uint32_t flow : paths.GetForeground(path.path))
                {
                    values.emplace_back(slowdowns[flow], path.flowWeight);
                }
            }
            std::sort(values.begin(), values.end());
            numbers["error " + std::to_string(n)].push_back(
                DcnWeightedQuantile(values, 0.99) / truth - 1);
        }
    }
    return numbers;
}

PaperResult
ComputeFigure5(PaperRun& run)
{
    const std::vector<uint64_t> draws{50, 100, 200, 500, 1000};
    const uint64_t hops = run.Choose<uint64_t>(4'000'000, 60'000'000);
    const DcnScenarioSuite suite = run.GetSuite("m3-test-set", hops);
    std::vector<PaperTask> tasks;
    for (uint64_t i = 0; i < run.Choose<uint64_t>(9, 6, 192); ++i)
    {
        std::string key = "scenario " + std::to_string(i);
        for (const auto& [name, value] : suite.GetOptions())
        {
            key += " " + name + "=" + value;
        }
        tasks.push_back({key, {PACKET}, [=]() { return RunSampling(suite, i, draws, 20); }});
    }
    const auto all = run.Compute("m3-sampling", tasks);
    PaperResult result;
    std::vector<double> paths;
    std::vector<std::pair<std::string, std::vector<double>>> curves;
    for (const PaperNumbers& numbers : all)
    {
        paths.push_back(PaperGet(numbers, "paths"));
    }
    for (const uint64_t n : draws)
    {
        std::vector<double> errors;
        std::vector<double> absolute;
        for (const PaperNumbers& numbers : all)
        {
            for (const double error : numbers.at("error " + std::to_string(n)))
            {
                errors.push_back(100 * error);
                absolute.push_back(100 * std::abs(error));
            }
        }
        curves.emplace_back(std::to_string(n) + " paths", errors);
        result.AddOther(std::to_string(n) + " paths: within 10 %",
                        "%",
                        PaperShare(PaperCountBelow(absolute, 10), absolute.size()));
        if (n == 500)
        {
            result.values["500 paths: errors within 10 %"] =
                PaperShare(PaperCountBelow(absolute, 10), absolute.size());
            result.AddOther("500 paths: mean |error|", "%", PaperMean(absolute));
        }
    }
    result.AddOther("paths with flows, median", "", PaperQuantile(paths, 0.5));
    result.pictures.push_back(
        PaperMakePanels("m3-fig5",
                        "Paths with flows, and the error of drawing them",
                        {PaperMakeCdf("scenarios", "paths with flows", {{"scenarios", paths}}),
                         PaperMakeCdf("draws", "error of the p99 [%]", curves)}));
    return result;
}

// single paths: figures 6 and 16

/// @return slowdowns of the end-to-end flows of a parking lot, by packets, flowSim and m3
PaperNumbers
RunSinglePath(const std::string& recipe)
{
    Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    // the path with most hops and, of these, most flows
    const DcnPathIndex index(scenario);
    uint32_t best = 0;
    for (uint32_t path = 0; path < index.GetNPaths(); ++path)
    {
        const auto size = [&index](uint32_t p) {
            return std::pair(index.GetLinks(p).size(), index.GetForeground(p).size());
        };
        best = size(path) > size(best) ? path : best;
    }
    const std::set<uint32_t> foreground(index.GetForeground(best).begin(),
                                        index.GetForeground(best).end());
    const DcnFlow& first = scenario->GetFlows()[*foreground.begin()];
    PaperNumbers numbers;
    std::map<std::string, double> truths;
    for (const std::string& method : {PACKET, FLOWSIM, M3})
    {
        const DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
        Simulator::Destroy();
        for (const DcnSizeClass& each : DcnSizeClasses())
        {
            std::vector<std::pair<double, double>> values;
            for (const DcnEstimate::Sample& sample : estimate.samples)
            {
                if (sample.src == first.src && sample.dst == first.dst &&
                    each.Contains(static_cast<double>(sample.sizeBytes)))
                {
                    values.emplace_back(sample.slowdown, sample.weight);
                }
            }
            for (const uint32_t flow : foreground)
            {
                const auto bytes = static_cast<double>(scenario->GetFlows()[flow].sizeBytes);
                if (estimate.samples.empty() && each.Contains(bytes) && estimate.fctNs[flow] > 0)
                {
                    values.emplace_back(
                        static_cast<double>(estimate.fctNs[flow]) /
                            static_cast<double>(scenario->GetIdealFct(flow).GetTotalNs()),
                        1);
                }
            }
            if (values.empty())
            {
                continue;
            }
            std::sort(values.begin(), values.end());
            const std::string key = method + "|" + each.name + "|";
            const double p99 = DcnWeightedQuantile(values, 0.99);
            numbers[key + "p99"] = {p99};
            for (const auto& [level, weight] : PaperGetLevels())
            {
                numbers[key + "curve"].push_back(DcnWeightedQuantile(values, level));
            }
            if (method == PACKET)
            {
                truths[each.name] = p99;
            }
            else if (truths.count(each.name) > 0)
            {
                numbers[key + "error"] = {p99 / truths[each.name] - 1};
            }
        }
    }
    return numbers;
}

/// @return parking lots of a number of switches with synthetic traffic
std::vector<PaperTask>
MakeSinglePaths(uint32_t switches, uint64_t n, uint64_t flows)
{
    std::vector<PaperTask> tasks;
    const char* const sizes[] = {"lognorm:20000", "exp:30000", "pareto:15000", "gaussian:40000"};
    for (uint64_t i = 0; i < n; ++i)
    {
        const std::string recipe =
            "topology=parking-lot,racksPerPod=" + std::to_string(switches) +
            ",hostsPerRack=1,fabricRate=40Gbps,loadRule=exact,sigma=" + (i % 2 ? "2" : "1") +
            ",sizes=" + sizes[i % 4] + ",load=" + DcnToText(0.3 + 0.1 * static_cast<double>(i % 5)) +
            ",flows=" + std::to_string(flows) + ",seed=" + std::to_string(160 + i);
        tasks.push_back({recipe, {PACKET, FLOWSIM, M3}, [recipe]() { return RunSinglePath(recipe); }});
    }
    return tasks;
}

PaperResult
ComputeFigure6(PaperRun& run)
{
    const PaperNumbers numbers =
        run.Compute("m3-single-paths", MakeSinglePaths(3, 1, run.Choose(20'000, 200'000))).front();
    PaperResult result;
    for (const std::string& name : SIZE_NAMES)
    {
        result.AddOther("flowSim, p99 error " + name, "%", GetError(numbers, FLOWSIM, name));
        result.AddOther("m3, p99 error " + name, "%", GetError(numbers, M3, name));
    }
    result.values["flowSim, |p99 error| above 50 KB"] = {GetAbsolute(numbers, FLOWSIM, ">50KB")};
    result.values["flowSim, p99 error below 1 KB"] = GetError(numbers, FLOWSIM, "<1KB");
    result.values["|p99 error| below 10 KB, flowSim over m3"] = {
        (GetAbsolute(numbers, FLOWSIM, "<1KB") + GetAbsolute(numbers, FLOWSIM, "1-10KB")) /
        (GetAbsolute(numbers, M3, "<1KB") + GetAbsolute(numbers, M3, "1-10KB"))};
    result.pictures.push_back(
        PaperPlotCurves("m3-fig6",
                        "One path of four hops",
                        numbers,
                        {{PACKET, "packet"}, {FLOWSIM, "flowSim"}, {M3, "m3"}},
                        SIZE_NAMES));
    return result;
}

PaperResult
ComputeFigure16(PaperRun& run)
{
    PaperResult result;
    std::vector<double> fluid;
    std::vector<double> learned;
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> groups;
    for (const uint32_t switches : {2, 3, 5})
    {
        std::vector<double> a;
        std::vector<double> b;
        for (const PaperNumbers& numbers :
             run.Compute("m3-single-paths",
                         MakeSinglePaths(switches,
                                         run.Choose<uint64_t>(8, 16, 200),
                                         run.Choose<uint64_t>(4'000, 20'000))))
        {
            a.push_back(100 * PaperGet(numbers, FLOWSIM + "|all|error"));
            b.push_back(100 * PaperGet(numbers, M3 + "|all|error"));
        }
        const std::string name = std::to_string(switches + 1) + " links";
        groups.push_back({{name, "flowSim"}, a});
        groups.push_back({{name, "m3"}, b});
        result.AddOther(name + ", flowSim, mean |error|", "%", PaperMean(PaperAbsolute(a)));
        result.AddOther(name + ", m3, mean |error|", "%", PaperMean(PaperAbsolute(b)));
        fluid.insert(fluid.end(), a.begin(), a.end());
        learned.insert(learned.end(), b.begin(), b.end());
    }
    result.values["|error|, flowSim over m3"] = {PaperMean(PaperAbsolute(fluid)).value /
                                                 PaperMean(PaperAbsolute(learned)).value};
    result.pictures.push_back(PaperMakePanels(
        "m3-fig16",
        "Single paths by their number of links",
        {PaperMakeStrips("synthetic traffic", "error of the p99 [%]", groups)}));
    return result;
}

// the test set: figures 10, 11, 17

/// Runs the test set of section 5.2.
PaperSuiteRows
ComputeTestSet(PaperRun& run)
{
    return PaperSuiteRows(run.Validate("m3-test-set",
                                       {M3, PARSIMON, PARSIMON_PUBLISHED},
                                       run.Choose<uint64_t>(18, 18, 192),
                                       run.Choose<uint64_t>(1'500'000, 15'000'000, 0)));
}

PaperResult
ComputeFigure10(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeTestSet(run);
    PaperResult result;
    const auto m3 = rows.GetErrors(M3);
    const auto parsimon = rows.GetErrors(PARSIMON);
    const auto published = rows.GetErrors(PARSIMON_PUBLISHED);
    result.values["m3, mean |error|"] = PaperMean(PaperAbsolute(m3));
    result.values["m3, largest |error|"] = PaperLargest(PaperAbsolute(m3));
    result.values["Parsimon, mean |error|"] = PaperMean(PaperAbsolute(parsimon));
    result.values["Parsimon, largest |error|"] = PaperLargest(PaperAbsolute(parsimon));
    result.values["m3, speed-up over packets"] = {rows.GetSpeedUp(M3)};
    result.values["m3, speed-up over " + RULES] = {rows.GetSpeedUp(M3) /
                                                   rows.GetSpeedUp(PARSIMON_PUBLISHED)};
    result.values[RULES + ", mean |error|"] = PaperMean(PaperAbsolute(published));
    result.values[RULES + ", largest |error|"] = PaperLargest(PaperAbsolute(published));
    result.values["m3, cost"] = {rows.GetCost(M3)};
    result.values[RULES + ", cost"] = {rows.GetCost(PARSIMON_PUBLISHED)};
    result.values["packets, cost"] = {rows.GetCost("")};
    result.AddOther("Parsimon, cost", PAPER_COST, {rows.GetCost(PARSIMON)});
    result.AddOther("m3, mean error with sign", "%", PaperMean(m3));
    result.AddOther("noise floor, mean |error|", "%", PaperMean(PaperAbsolute(rows.GetNoise())));
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> loads;
    for (std::size_t third = 0; third < 3; ++third)
    {
        const std::string name = third == 0 ? "low" : third == 1 ? "middle" : "high";
        loads.push_back({{name, "m3"}, rows.GetErrors(M3, rows.IsInLoadPart(third, 3))});
        loads.push_back(
            {{name, "Parsimon"}, rows.GetErrors(PARSIMON, rows.IsInLoadPart(third, 3))});
    }
    const auto times = [&rows](const std::string& method) {
        return rows.GetNumbers(method, &DcnValidationRow::cpuSeconds);
    };
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> bySize;
    for (const std::string& level : rows.GetLevels(PaperSuiteRows::GetFactors()[1]))
    {
        auto isLevel = [&level](const DcnValidationRow& row) { return row.sizes == level; };
        bySize.push_back(
            {{level, "m3"}, rows.GetNumbers(M3, &DcnValidationRow::cpuSeconds, 1, isLevel)});
        bySize.push_back(
            {{level, "Parsimon"},
             rows.GetNumbers(PARSIMON, &DcnValidationRow::cpuSeconds, 1, isLevel)});
    }
    result.pictures.push_back(PaperMakePanels(
        "m3-fig10",
        "m3 and Parsimon on the test set",
        {PaperMakeCdf("(a) errors",
                      "error of the p99 [%]",
                      {{"m3", m3}, {"Parsimon", parsimon}, {"published rules", published}}),
         PaperMakeStrips("(b) by load", "error of the p99 [%]", loads),
         PaperMakeCdf("(c) processor time",
                      "seconds",
                      {{"m3", times(M3)}, {"Parsimon", times(PARSIMON)}}),
         PaperMakeStrips("(d) processor time by sizes", "seconds", bySize)}));
    return result;
}

PaperResult
ComputeFigure11(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeTestSet(run);
    PaperResult result;
    std::vector<Gnuplot> panels;
    double worst = PaperMeasured::NONE; // median of the worst level; six scenarios have no interval
                                        // of use
    for (const PaperSuiteRows::Factor& factor : PaperSuiteRows::GetFactors())
    {
        std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> groups;
        for (const std::string& level : rows.GetLevels(factor))
        {
            auto isLevel = [&](const DcnValidationRow& row) { return factor.level(row) == level; };
            const auto m3 = rows.GetErrors(M3, isLevel);
            groups.push_back({{level, "m3"}, m3});
            groups.push_back({{level, "Parsimon"}, rows.GetErrors(PARSIMON, isLevel)});
            result.AddOther("m3, " + level + ", mean |error|", "%", PaperMean(PaperAbsolute(m3)));
            const double median = PaperQuantile(PaperAbsolute(m3), 0.5).value;
            worst = std::fmax(worst, median); // of two numbers, the one that is known
        }
        panels.push_back(PaperMakeStrips("by " + factor.name, "error of the p99 [%]", groups));
    }
    result.values["m3, median |error| of the worst level"] = {worst};
    result.AddOther("m3, mean |error|", "%", PaperMean(PaperAbsolute(rows.GetErrors(M3))));
    result.AddOther("Parsimon, mean |error|",
                    "%",
                    PaperMean(PaperAbsolute(rows.GetErrors(PARSIMON))));
    result.pictures.push_back(PaperMakePanels("m3-fig11", "Errors by factor", panels));
    return result;
}

PaperResult
ComputeFigure17(PaperRun& run)
{
    const PaperSuiteRows rows(run.Validate("network-configurations",
                                           {M3},
                                           run.Choose<uint64_t>(24, 24, 48),
                                           run.Choose<uint64_t>(1'500'000, 15'000'000, 0)));
    PaperResult result;
    std::vector<Gnuplot> panels;
    using Row = DcnValidationRow;
    const std::vector<PaperSuiteRows::Factor> factors{
        {"congestion control", [](const Row& row) { return row.congestionControl; }},
        {"PFC", [](const Row& row) { return std::string(row.pfc > 0 ? "on" : "off"); }},
        {"window",
         [](const Row& row) { return std::string(row.windowBytes < 17'500 ? "low" : "high"); }}};
    for (const PaperSuiteRows::Factor& factor : factors)
    {
        std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> groups;
        for (const std::string& level : rows.GetLevels(factor))
        {
            const auto errors =
                rows.GetErrors(M3, [&](const Row& row) { return factor.level(row) == level; });
            groups.push_back({{level, "m3"}, errors});
            result.AddOther(factor.name + " " + level + ", mean |error|",
                            "%",
                            PaperMean(PaperAbsolute(errors)));
        }
        panels.push_back(PaperMakeStrips("by " + factor.name, "error of the p99 [%]", groups));
    }
    result.values["m3, mean |error|"] = PaperMean(PaperAbsolute(rows.GetErrors(M3)));
    result.AddOther("noise floor, mean |error|", "%", PaperMean(PaperAbsolute(rows.GetNoise())));
    result.pictures.push_back(PaperMakePanels("m3-fig17", "Errors of m3 by configuration", panels));
    return result;
}

// a large network: table 5 and figure 12

/// Runs the large scenario with a window.
PaperNumbers
ComputeLarge(PaperRun& run, uint64_t windowBytes)
{
    PaperComparison what;
    what.methods = {PACKET, M3, PARSIMON, PARSIMON_PUBLISHED};
    const std::string recipe =
        "pods=8,racksPerPod=48,hostsPerRack=16,fabricsPerPod=4,spinesPerPlane=24,loadRule=exact,"
        "matrix=web,sizes=web-server,sigma=2,load=0.5,ecn_kmin_bytes=10000,ecn_kmax_bytes=10000,"
        "buffer_bytes=3145728,seed=1,window_bytes=" +
        std::to_string(windowBytes) + ",flows=" + std::to_string(run.Choose(12'000, 1'000'000));
    return run.Compute("m3-large", {PaperMakeTask(recipe, what)}).front();
}

PaperResult
ComputeTable5(PaperRun& run)
{
    PaperResult result;
    std::vector<PaperBar> bars;
    for (const uint64_t window : {10'000, 18'000})
    {
        const PaperNumbers numbers = ComputeLarge(run, window);
        const std::string name = std::to_string(window / 1000) + " KB: ";
        const double packet = PaperGet(numbers, PACKET + "|cost");
        result.values[name + "p99 by packets"] = {PaperGet(numbers, PACKET + "|all|p99")};
        result.values[name + "m3, |error|"] = GetAbsolute(numbers, M3);
        result.values[name + "Parsimon, |error|"] = GetAbsolute(numbers, PARSIMON);
        result.values[name + RULES + ", |error|"] = GetAbsolute(numbers, PARSIMON_PUBLISHED);
        result.values[name + "m3, cost"] = PaperCost(numbers, M3);
        result.values[name + RULES + ", cost"] = PaperCost(numbers, PARSIMON_PUBLISHED);
        result.values[name + "packets, cost"] = PaperCost(numbers, PACKET);
        result.values[name + "m3, speed-up"] = {packet / PaperGet(numbers, M3 + "|cost")};
        result.values[name + "Parsimon, speed-up"] = {packet /
                                                      PaperGet(numbers, PARSIMON + "|cost")};
        result.AddOther(name + "noise floor", "%", GetError(numbers, PAPER_NOISE, "all"));
        for (const auto& [method, title] : LEGEND)
        {
            bars.push_back({std::to_string(window / 1000) + " KB",
                            title,
                            PaperGet(numbers, method + "|all|p99")});
        }
    }
    result.pictures.push_back(
        PaperPlotBars("m3-table5", "p99 slowdown on 6,144 hosts by window", "p99 slowdown", bars));
    return result;
}

PaperResult
ComputeFigure12(PaperRun& run)
{
    const PaperNumbers numbers = ComputeLarge(run, 10'000);
    PaperResult result;
    result.values["m3, |p99 error|"] = GetAbsolute(numbers, M3);
    result.values["Parsimon, |p99 error|"] = GetAbsolute(numbers, PARSIMON);
    result.values[RULES + ", |p99 error|"] = GetAbsolute(numbers, PARSIMON_PUBLISHED);
    for (const std::string& name : SIZE_NAMES)
    {
        result.AddOther("m3, p99 error " + name, "%", GetError(numbers, M3, name));
        result.AddOther("noise floor " + name, "%", GetError(numbers, PAPER_NOISE, name));
    }
    result.pictures.push_back(PaperPlotCurves("m3-fig12",
                                              "6,144 hosts, window of 10 KB",
                                              numbers,
                                              LEGEND,
                                              SIZE_NAMES));
    return result;
}

// counterfactual sweeps: figures 13 and 14

/// Sweeps a key of HPCC's configuration.
PaperResult
Sweep(PaperRun& run,
      const std::string& name,
      const std::string& key,
      const std::vector<std::string>& values,
      const std::string& fixed)
{
    PaperComparison what;
    what.methods = {PACKET, M3};
    what.isRepeated = false;
    std::vector<PaperTask> tasks;
    for (const std::string& value : values)
    {
        tasks.push_back(
            PaperMakeTask(SMALL_FABRIC + ",spinesPerPlane=8,matrix=" + run.GetMatrix('C') +
                              ",sizes=web-server,sigma=2,load=0.5,cc=hpcc,pfc=1,seed=1,"
                              "buffer_bytes=3145728,flows=" +
                              std::to_string(run.Choose(6'000, 200'000)) + "," + fixed + "," + key +
                              "=" + value,
                          what));
    }
    const auto all = run.Compute("m3-sweeps", tasks);
    PaperResult result;
    std::vector<Gnuplot> panels;
    std::vector<double> errors;
    double packet = 0;
    double m3 = 0;
    double flows = 0;
    for (const std::string& sizes : SIZE_NAMES)
    {
        PaperSeries series{{"packet", {}}, {"m3", {}}};
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            double x = 0;
            DcnParse(values[i], x);
            series[0].second.emplace_back(x, PaperGet(all[i], PACKET + "|" + sizes + "|p99"));
            series[1].second.emplace_back(x, PaperGet(all[i], M3 + "|" + sizes + "|p99"));
        }
        const auto change = [&series](std::size_t s) {
            return series[s].second.back().second / series[s].second.front().second - 1;
        };
        result.AddOther("packets, change of the p99 " + sizes, "%", {100 * change(0)});
        result.AddOther("m3, change of the p99 " + sizes, "%", {100 * change(1)});
        panels.push_back(PaperMakeLines(sizes, key, "p99 slowdown", series));
    }
    for (const PaperNumbers& numbers : all)
    {
        errors.push_back(GetAbsolute(numbers, M3, "all"));
        packet += PaperGet(numbers, PACKET + "|cost");
        m3 += PaperGet(numbers, M3 + "|cost");
        flows += PaperGet(numbers, "all|n");
    }
    result.values["m3, speed-up"] = {packet / m3};
    result.AddOther("m3, cost", PAPER_COST, {1e6 * m3 / flows});
    result.AddOther("packets, cost", PAPER_COST, {1e6 * packet / flows});
    result.values["m3, mean |error| of all flows"] = PaperMean(errors);
    result.pictures.push_back(PaperMakePanels(name, "p99 slowdown by " + key, panels));
    return result;
}

PaperResult
ComputeFigure13(PaperRun& run)
{
    PaperResult result = Sweep(run,
                               "m3-fig13",
                               "window_bytes",
                               {"5000", "10000", "15000", "20000", "25000", "30000"},
                               "hpcc_eta=0.9");
    result.values["m3, change of the p99 <1KB over that of packets"] = {
        result.Find("m3, change of the p99 <1KB").value /
        result.Find("packets, change of the p99 <1KB").value};
    return result;
}

PaperResult
ComputeFigure14(PaperRun& run)
{
    return Sweep(run,
                 "m3-fig14",
                 "hpcc_eta",
                 {"0.7", "0.75", "0.8", "0.85", "0.9", "0.95"},
                 "window_bytes=20000");
}

// figure 15: errors by size and length of the path

/// Slowdowns by method, number of links and size class.
PaperNumbers
RunByLength(const std::string& recipe, const std::vector<std::string>& methods)
{
    Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    const DcnRouting routing(scenario->GetTopologyPtr(), 1);
    PaperNumbers numbers;
    for (const std::string& method : methods)
    {
        const DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
        Simulator::Destroy();
        std::map<std::string, std::vector<std::pair<double, double>>> values;
        auto add = [&](std::size_t links, double bytes, double slowdown, double weight) {
            for (const DcnSizeClass& each : DcnSizeClasses())
            {
                if (each.Contains(bytes))
                {
                    values[each.name].emplace_back(slowdown, weight);
                    values[each.name + " " + std::to_string(links)].emplace_back(slowdown, weight);
                }
            }
        };
        for (const DcnEstimate::Sample& sample : estimate.samples)
        {
            add(routing.GetHops(sample.src, sample.dst),
                static_cast<double>(sample.sizeBytes),
                sample.slowdown,
                sample.weight);
        }
        for (std::size_t i = 0; estimate.samples.empty() && i < estimate.fctNs.size(); ++i)
        {
            if (estimate.fctNs[i] > 0)
            {
                add(scenario->GetPath(i).size(),
                    static_cast<double>(scenario->GetFlows()[i].sizeBytes),
                    static_cast<double>(estimate.fctNs[i]) /
                        static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()),
                    1);
            }
        }
        for (auto& [group, each] : values)
        {
            std::sort(each.begin(), each.end());
            numbers[method + "|" + group + "|p99"] = {DcnWeightedQuantile(each, 0.99)};
        }
    }
    return numbers;
}

PaperResult
ComputeFigure15(PaperRun& run)
{
    const std::vector<std::string> methods{PACKET, PATHS, M3, PARSIMON, PARSIMON_PUBLISHED};
    std::vector<PaperTask> tasks;
    for (const Mix& mix : MIXES)
    {
        const std::string recipe = MakeMix(run, mix);
        tasks.push_back({"by length " + recipe, methods, [=]() {
                             return RunByLength(recipe, methods);
                         }});
    }
    const auto all = run.Compute("m3-lengths", tasks);
    PaperResult result;
    std::map<std::string, std::vector<double>> errors; // by method, over groups
    std::vector<Gnuplot> panels;
    const std::vector<std::pair<std::string, std::string>> titles{{PATHS, "ns3-path"},
                                                                  {M3, "m3"},
                                                                  {PARSIMON, "Parsimon"},
                                                                  {PARSIMON_PUBLISHED,
                                                                   "published rules"}};
    auto plot = [&](const std::string& title, const std::vector<std::string>& names) {
        std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> strips;
        for (const std::string& group : names)
        {
            for (const auto& [method, label] : titles)
            {
                std::vector<double> values;
                for (const PaperNumbers& numbers : all)
                {
                    values.push_back(100 * (PaperGet(numbers, method + "|" + group + "|p99") /
                                                PaperGet(numbers, PACKET + "|" + group + "|p99") -
                                            1));
                }
                errors[label].insert(errors[label].end(), values.begin(), values.end());
                result.AddOther(label + ", " + group + ", mean |error|",
                                "%",
                                PaperMean(PaperAbsolute(values)));
                strips.push_back({{group, label}, values});
            }
        }
        panels.push_back(PaperMakeStrips(title, "error of the p99 [%]", strips));
    };
    plot("by size", SIZE_NAMES);
    plot("by number of links", {"all 2", "all 4", "all 6"});
    const double paths = PaperMean(PaperAbsolute(errors["ns3-path"])).value;
    const double m3 = PaperMean(PaperAbsolute(errors["m3"])).value;
    result.values["share of m3's error that paths alone have"] = {100 * paths / m3};
    result.AddOther("|error|, Parsimon over ns3-path",
                    "x",
                    {PaperMean(PaperAbsolute(errors["Parsimon"])).value / paths});
    result.values["|error|, Parsimon with published rules over ns3-path"] = {
        PaperMean(PaperAbsolute(errors["published rules"])).value / paths};
    result.pictures.push_back(
        PaperMakePanels("m3-fig15", "Errors of ns3-path, m3 and Parsimon", panels));
    return result;
}

const PaperRegistration g_figures{{"m3-table1", ComputeTable1},
                                  {"m3-fig2", ComputeFigure2},
                                  {"m3-fig3", ComputeFigure3},
                                  {"m3-fig5", ComputeFigure5},
                                  {"m3-fig6", ComputeFigure6},
                                  {"m3-fig16", ComputeFigure16},
                                  {"m3-fig10", ComputeFigure10},
                                  {"m3-fig11", ComputeFigure11},
                                  {"m3-fig17", ComputeFigure17},
                                  {"m3-table5", ComputeTable5},
                                  {"m3-fig12", ComputeFigure12},
                                  {"m3-fig13", ComputeFigure13},
                                  {"m3-fig14", ComputeFigure14},
                                  {"m3-fig15", ComputeFigure15}};

} // namespace

} // namespace ns3
