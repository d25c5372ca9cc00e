/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Figures and tables of Parsimon (Zhao et al., NSDI 2023).
 *
 * "Parsimon" is the module's default method; the rules of the paper are rows of their own.
 */

#include "paper-compare.h"
#include "paper-figure.h"
#include "paper-suite.h"
#include "parking-lot.h"
#include "workload-mix.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-change.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/dcn-topology.h"
#include "ns3/double.h"
#include "ns3/parsimon-what-if.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

const std::string PACKET = "packet";
const std::string DEFAULT = "parsimon:Threads=1";
const std::string PUBLISHED = "parsimon:Threads=1:Rules=published";
const std::string CLUSTERED = "parsimon:Threads=1:Clustering=true";
const std::string PUBLISHED_CLUSTERED = "parsimon:Threads=1:Rules=published:Clustering=true";
const std::string RULES = "published rules"; //!< in names of rows
const std::string BY_PACKETS = "parsimon:Threads=1:LinkSimulator=packet";
/// Names in legends.
const std::vector<std::pair<std::string, std::string>> LEGEND{{PACKET, "packet"},
                                                              {DEFAULT, "Parsimon"},
                                                              {CLUSTERED, "Parsimon/C"},
                                                              {BY_PACKETS, "Parsimon/ns-3"},
                                                              {PUBLISHED, "published rules"}};

/// Size classes of the paper's figures, those of tables are of DcnValidationRow.
const std::vector<DcnSizeClass> SIZES{{"all", 0, 1e18},
                                      {"<10KB", 0, 1e4},
                                      {"10-100KB", 1e4, 1e5},
                                      {"100KB-1MB", 1e5, 1e6},
                                      {">1MB", 1e6, 1e18}};
const std::vector<std::string> SIZE_NAMES{"<10KB", "10-100KB", "100KB-1MB", ">1MB"};

/// The network of 6,144 hosts with an oversubscription of 2:1.
const std::string LARGE = "pods=8,racksPerPod=48,hostsPerRack=16,fabricsPerPod=4,spinesPerPlane=24,"
                          "loadRule=exact,buffer_bytes=3145728";

/// Scenario 25 of the paper's sensitivity analysis: matrix A, Hadoop, sigma 1, 2:1.
std::string
MakeSample(const PaperRun& run, double load, uint64_t flows)
{
    return "racksPerPod=16,hostsPerRack=8,spinesPerPlane=8,matrix=" + run.GetMatrix('A') +
           ",sizes=hadoop,sigma=1,loadRule=exact,buffer_bytes=3145728,load=" + std::to_string(load) +
           ",flows=" + std::to_string(flows) + ",seed=25";
}

/// @return methods by their names in a result
PaperMeasured
GetError(const PaperNumbers& numbers, const std::string& method, const std::string& sizes)
{
    return PaperGetMeasured(numbers, method + "|" + sizes + "|error", 100);
}

/// @return |error| of the p99 of all flows [%]
PaperMeasured
GetAbsolute(const PaperNumbers& numbers, const std::string& method)
{
    return PaperAbsolute(GetError(numbers, method, "all"));
}

// large networks: figures 1 and 7, table 2

/// Runs the large scenario, and Parsimon once more for the time with a core for each link.
PaperNumbers
RunLarge(const std::string& recipe, const PaperComparison& what)
{
    const auto scenario = DcnScenarioRecipe(recipe).Create();
    PaperNumbers numbers = PaperCompare(scenario, what);
    Ptr<DcnEstimator> parsimon = DcnEstimator::CreateByName(DEFAULT);
    const double seconds = parsimon->Estimate(scenario).cpuSeconds;
    DoubleValue links;
    DoubleValue longest;
    parsimon->GetAttribute("LinkSeconds", links);
    parsimon->GetAttribute("LongestLinkSeconds", longest);
    numbers["inf|cost"] = {seconds - links.Get() + longest.Get()};
    return numbers;
}

/// Runs the large scenario.
PaperNumbers
ComputeLarge(PaperRun& run)
{
    PaperComparison what;
    what.methods = {PACKET, DEFAULT, CLUSTERED, PUBLISHED};
    if (run.Choose(false, true)) // with few flows no link is like another: each is compared with all
    {
        what.methods.push_back(PUBLISHED_CLUSTERED);
    }
    what.classes = PaperComparison::Of(SIZES);
    const std::string recipe = LARGE +
                               ",matrix=web,sizes=web-server,sigma=2,load=0.5,seed=1,flows=" +
                               std::to_string(run.Choose(15'000, 400'000, 2'000'000));
    return run
        .Compute("parsimon-large",
                 {{recipe, what.methods, [recipe, what]() { return RunLarge(recipe, what); }}})
        .front();
}

PaperResult
ComputeFigure7(PaperRun& run)
{
    const PaperNumbers numbers = ComputeLarge(run);
    PaperResult result;
    result.values["Parsimon, |p99 error|"] = GetAbsolute(numbers, DEFAULT);
    result.values["Parsimon/C, |p99 error|"] = GetAbsolute(numbers, CLUSTERED);
    result.values["Parsimon, " + RULES + ", |p99 error|"] = GetAbsolute(numbers, PUBLISHED);
    result.values["Parsimon/C, " + RULES + ", |p99 error|"] =
        GetAbsolute(numbers, PUBLISHED_CLUSTERED);
    result.AddOther("noise floor, p99 error", "%", GetError(numbers, PAPER_NOISE, "all"));
    for (const std::string& name : SIZE_NAMES)
    {
        result.AddOther("Parsimon, p99 error " + name, "%", GetError(numbers, DEFAULT, name));
        result.AddOther(RULES + ", p99 error " + name, "%", GetError(numbers, PUBLISHED, name));
    }
    result.pictures.push_back(
        PaperPlotCurves("parsimon-fig7", "6,144 hosts: slowdowns by size", numbers, LEGEND, SIZE_NAMES));
    return result;
}

PaperResult
ComputeFigure1(PaperRun& run)
{
    const PaperNumbers numbers = ComputeLarge(run);
    PaperResult result;
    result.values["Parsimon/C, |p99 error|"] = GetAbsolute(numbers, CLUSTERED);
    result.values["Parsimon/C, " + RULES + ", |p99 error|"] =
        GetAbsolute(numbers, PUBLISHED_CLUSTERED);
    result.values["Parsimon/C, cost"] = PaperCost(numbers, CLUSTERED);
    result.values["Parsimon/C, speed-up"] = {PaperGet(numbers, PACKET + "|cost") /
                                             PaperGet(numbers, CLUSTERED + "|cost")};
    result.AddOther("noise floor, p99 error", "%", GetError(numbers, PAPER_NOISE, "all"));
    result.pictures.push_back(PaperPlotCurves("parsimon-fig1",
                                              "Packets and Parsimon/C by size",
                                              numbers,
                                              {LEGEND[0], LEGEND[2]},
                                              SIZE_NAMES));
    return result;
}

PaperResult
ComputeTable2(PaperRun& run)
{
    const PaperNumbers numbers = ComputeLarge(run);
    const double packet = PaperGet(numbers, PACKET + "|cost");
    PaperResult result;
    result.values["ns-3, time"] = {packet};
    result.values["ns-3, cost"] = PaperCost(numbers, PACKET);
    result.values["Parsimon, " + RULES + ", cost"] = PaperCost(numbers, PUBLISHED);
    result.values["Parsimon/inf, cost"] = PaperCost(numbers, "inf");
    result.values["Parsimon/inf, speed-up"] = {packet / PaperGet(numbers, "inf|cost")};
    std::vector<PaperBar> bars{{"packet", "processor time", packet}};
    for (const auto& [method, name] : {LEGEND[1], LEGEND[2]})
    {
        const double cost = PaperGet(numbers, method + "|cost");
        result.values[name + ", time"] = {cost};
        result.values[name + ", cost"] = PaperCost(numbers, method);
        result.values[name + ", speed-up"] = {packet / cost};
        bars.push_back({name, "processor time", cost});
    }
    result.AddOther("published rules, speed-up",
                    "x",
                    {packet / PaperGet(numbers, PUBLISHED + "|cost")});
    result.pictures.push_back(
        PaperPlotBars("parsimon-table2", "Processor time of one core", "seconds", bars));
    return result;
}

// sensitivity: figures 8 and 9, table 4

/// Runs the suite.
PaperSuiteRows
ComputeSensitivity(PaperRun& run)
{
    return PaperSuiteRows(run.Validate("sensitivity",
                                       {DEFAULT, CLUSTERED, PUBLISHED},
                                       run.Choose<uint64_t>(18, 18, 192),
                                       run.Choose<uint64_t>(1'500'000, 15'000'000, 0)));
}

PaperResult
ComputeFigure8(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeSensitivity(run);
    PaperResult result;
    const auto errors = rows.GetErrors(DEFAULT);
    const char* const names[] = {"low loads", "middle loads", "high loads"};
    std::vector<std::pair<std::string, std::vector<double>>> curves;
    for (const auto& [method, prefix] :
         {std::pair(DEFAULT, std::string()), std::pair(PUBLISHED, RULES + ", ")})
    {
        const auto all = rows.GetErrors(method);
        const auto absolute = PaperAbsolute(all);
        result.values[prefix + "all loads, mean |error|"] = PaperMean(absolute);
        result.values[prefix + "all loads, within 10 %"] =
            PaperShare(PaperCountBelow(absolute, 10), all.size());
        result.values[prefix + "largest error"] = PaperLargest(all);
        for (std::size_t third = 0; third < 3; ++third)
        {
            const auto part = rows.GetErrors(method, rows.IsInLoadPart(third, 3));
            result.values[prefix + names[third] + ", mean |error|"] =
                PaperMean(PaperAbsolute(part));
            curves.emplace_back(prefix + names[third], part);
        }
    }
    result.AddOther("Parsimon/C, mean |error|",
                    "%",
                    PaperMean(PaperAbsolute(rows.GetErrors(CLUSTERED))));
    result.AddOther("noise floor, mean |error|", "%", PaperMean(PaperAbsolute(rows.GetNoise())));
    result.pictures.push_back(
        PaperMakePanels("parsimon-fig8",
                        "Errors of the p99 slowdown by load",
                        {PaperMakeCdf("Parsimon by thirds of load", "p99 error [%]", curves),
                         PaperMakeCdf("all loads",
                                      "p99 error [%]",
                                      {{"Parsimon", errors},
                                       {"Parsimon/C", rows.GetErrors(CLUSTERED)},
                                       {"published rules", rows.GetErrors(PUBLISHED)},
                                       {"noise floor", rows.GetNoise()}})}));
    return result;
}

PaperResult
ComputeFigure9(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeSensitivity(run);
    PaperResult result;
    std::vector<Gnuplot> panels;
    for (std::size_t half = 0; half < 2; ++half)
    {
        const std::string title = half == 0 ? "low loads" : "high loads";
        for (const PaperSuiteRows::Factor& factor : PaperSuiteRows::GetFactors())
        {
            std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> groups;
            for (const std::string& level : rows.GetLevels(factor))
            {
                for (const auto& [method, prefix] :
                     {std::pair(DEFAULT, std::string()), std::pair(PUBLISHED, RULES + ", ")})
                {
                    const auto errors = rows.GetErrors(method, [&](const auto& row) {
                        return rows.IsInLoadPart(half, 2)(row) && factor.level(row) == level;
                    });
                    groups.push_back({{level, prefix.empty() ? "Parsimon" : RULES}, errors});
                    result.values[prefix + title + ", " + level + ", mean |error|"] =
                        PaperMean(PaperAbsolute(errors));
                }
            }
            panels.push_back(
                PaperMakeStrips(title + " by " + factor.name, "p99 error [%]", groups));
        }
    }
    result.pictures.push_back(PaperMakePanels("parsimon-fig9", "Errors by factor and load", panels));
    return result;
}

PaperResult
ComputeTable4(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeSensitivity(run);
    PaperResult result;
    for (const auto& [method, prefix] :
         {std::pair(DEFAULT, std::string()), std::pair(PUBLISHED, RULES + ", ")})
    {
        std::vector<const DcnValidationRow*> sorted = rows.Select(method);
        std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
            return a->p99Error > b->p99Error;
        });
        for (std::size_t i = 0; i < 5 && i < sorted.size(); ++i)
        {
            const std::string name = prefix + "error number " + std::to_string(i + 1);
            PaperMeasured error{100 * sorted[i]->p99Error};
            error.draws = sorted.size();
            result.values[name] = error;
            result.note += (i                ? "; "
                            : prefix.empty() ? "Ours: "
                                             : ". " + RULES + ": ") +
                           sorted[i]->matrix + " " + sorted[i]->sizes + " " +
                           sorted[i]->oversubscription + " load " +
                           std::to_string(std::lround(100 * sorted[i]->maxLoad)) + " %";
        }
    }
    result.note += ".";
    return result;
}

// one configuration: figure 10, table 5, figure 12

PaperResult
ComputeFigure10(PaperRun& run)
{
    PaperComparison what;
    what.methods = {PACKET, DEFAULT, CLUSTERED, BY_PACKETS, PUBLISHED, PUBLISHED_CLUSTERED};
    what.classes = PaperComparison::Of(SIZES);
    const PaperNumbers numbers =
        run.Compute(
               "parsimon-sample",
               {PaperMakeTask(MakeSample(run, 0.675, run.Choose(3'000, 30'000, 200'000)), what)})
            .front();
    PaperResult result;
    result.values["Parsimon, |p99 error|"] = GetAbsolute(numbers, DEFAULT);
    result.values["Parsimon/C, |p99 error|"] = GetAbsolute(numbers, CLUSTERED);
    result.values["Parsimon, " + RULES + ", |p99 error|"] = GetAbsolute(numbers, PUBLISHED);
    result.values["Parsimon/C, " + RULES + ", |p99 error|"] =
        GetAbsolute(numbers, PUBLISHED_CLUSTERED);
    result.AddOther("Parsimon/ns-3, p99 error", "%", GetError(numbers, BY_PACKETS, "all"));
    result.AddOther("noise floor, p99 error", "%", GetError(numbers, PAPER_NOISE, "all"));
    result.pictures.push_back(PaperPlotCurves("parsimon-fig10",
                                              "Matrix A, Hadoop, 2:1, load 67.5 %",
                                              numbers,
                                              LEGEND,
                                              SIZE_NAMES));
    return result;
}

PaperResult
ComputeTable5(PaperRun& run)
{
    const PaperSuiteRows rows(run.Validate("congestion-controls",
                                           {BY_PACKETS},
                                           12,
                                           run.Choose<uint64_t>(2'000'000, 15'000'000, 0)));
    PaperResult result;
    std::vector<PaperBar> bars;
    for (const DcnValidationRow& row : rows.GetAll())
    {
        const std::string load = std::to_string(std::lround(100 * row.load)) + " %";
        if (row.method == BY_PACKETS &&
            (row.sizeClass == "<10KB" || row.sizeClass == "10KB-1MB" || row.sizeClass == ">1MB"))
        {
            const std::string name = row.congestionControl + " " + load + " " + row.sizeClass;
            const PaperMeasured error{std::abs(100 * row.p99Error)};
            bars.push_back({row.congestionControl + " " + load, row.sizeClass, error.value});
            if (row.congestionControl == "hpcc")
            {
                result.AddOther(name, "%", error);
            }
            result.values[name] = error;
        }
    }
    result.AddOther("noise floor, mean |error| of all flows",
                    "%",
                    PaperMean(PaperAbsolute(rows.GetNoise())));
    result.pictures.push_back(PaperPlotBars("parsimon-table5",
                                            "Parsimon with packet links: |p99 error|",
                                            "|error| [%]",
                                            bars));
    return result;
}

PaperResult
ComputeFigure12(PaperRun& run)
{
    const std::string recipe = MakeSample(run, 0.675, run.Choose(3'000, 30'000, 200'000));
    const std::size_t n = run.Choose(5, 10);
    std::vector<PaperTask> tasks;
    PaperComparison what;
    what.methods = {PACKET, DEFAULT};
    what.classes = PaperComparison::Of(SIZES);
    what.isRepeated = false;
    for (std::size_t i = 0; i <= n; ++i) // the last one without a failure
    {
        tasks.push_back({recipe + "|failure " + std::to_string(i) + " of " + std::to_string(n),
                         what.methods,
                         [=]() {
                             auto scenario = DcnScenarioRecipe(recipe).Create();
                             if (i < n)
                             {
                                 const auto cables =
                                     DcnDrawCables(scenario->GetTopology(), n, 1);
                                 scenario = DcnScenarioChange().FailLink(cables[i]).Apply(scenario);
                             }
                             return PaperCompare(scenario, what);
                         }});
    }
    const auto all = run.Compute("parsimon-failures", tasks);
    std::vector<double> errors;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        errors.push_back(100 * std::abs(PaperGet(all[i], DEFAULT + "|all|error")));
        worst = errors[i] > errors[worst] ? i : worst;
    }
    PaperResult result;
    result.values["median |error|"] = PaperQuantile(errors, 0.5);
    result.values["largest |error|"] = PaperLargest(errors);
    result.AddOther("without a failure, p99 error", "%", GetError(all[n], DEFAULT, "all"));
    result.pictures.push_back(PaperMakePanels(
        "parsimon-fig12a",
        "One failed link: errors of the p99 slowdown",
        {PaperMakeCdf("trials", "|p99 error| [%]", {{"Parsimon", errors}})}));
    result.pictures.push_back(PaperPlotCurves("parsimon-fig12b",
                                              "The failure with the largest error",
                                              all[worst],
                                              {LEGEND[0], LEGEND[1]},
                                              SIZE_NAMES));
    return result;
}

// appendices A and C

/// A workload of the mix.
struct MixPart
{
    const char* name;
    char matrix;
    const char* sizes;
};

const MixPart MIX[] = {{"W0", 'A', "cache-follower"}, {"W1", 'B', "web-server"}, {"W2", 'C', "hadoop"}};

/// Runs the mix.
PaperNumbers
RunMix(const std::vector<std::string>& matrices, int64_t durationNs)
{
    DcnFabricParameters fabric;
    fabric.racksPerPod = 16;
    fabric.hostsPerRack = 8;
    fabric.spinesPerPlane = 8;
    Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
    std::vector<DcnWorkloadSpec> specs(3);
    for (uint64_t k = 0; k < 3; ++k)
    {
        specs[k].matrix = matrices[k];
        specs[k].sizes = MIX[k].sizes;
        specs[k].sigma = 2;
        specs[k].load = 0.2;
        specs[k].nFlows = 0;
        specs[k].durationNs = durationNs;
        specs[k].seed = k + 1;
    }
    const WorkloadMix mix = MixWorkloads(topology, specs);
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->bufferBytes = 3'145'728;
    PaperComparison what;
    what.methods = {PACKET, DEFAULT, PUBLISHED};
    for (uint32_t k = 0; k < 3; ++k)
    {
        for (PaperComparison::Class each : PaperComparison::Of(SIZES))
        {
            each.name = std::string(MIX[k].name) + " " + each.name;
            each.contains = [&mix, k](const DcnScenario&, std::size_t flow) {
                return mix.origins[flow] == k;
            };
            what.classes.push_back(each);
        }
    }
    return PaperCompare(DcnScenario::Create(topology, network, mix.flows), what);
}

PaperResult
ComputeFigure11(PaperRun& run)
{
    const std::vector<std::string> matrices{run.GetMatrix('A'),
                                            run.GetMatrix('B'),
                                            run.GetMatrix('C')};
    const int64_t durationNs = run.Choose<int64_t>(4'000'000, 20'000'000, 100'000'000);
    const PaperNumbers numbers =
        run.Compute("parsimon-mix",
                    {{"duration " + std::to_string(durationNs) + " " + matrices[0],
                      {PACKET, DEFAULT, PUBLISHED},
                      [=]() { return RunMix(matrices, durationNs); }}})
            .front();
    PaperResult result;
    std::vector<std::string> panels;
    for (const MixPart& part : MIX)
    {
        const std::string name = part.name;
        result.values[name + ", |p99 error|"] =
            PaperAbsolute(GetError(numbers, DEFAULT, name + " all"));
        result.values[name + ", " + RULES + ", |p99 error|"] =
            PaperAbsolute(GetError(numbers, PUBLISHED, name + " all"));
        result.AddOther(name + ", noise floor, p99 error",
                        "%",
                        GetError(numbers, PAPER_NOISE, name + " all"));
        panels.push_back(name + " <10KB");
        panels.push_back(name + " >1MB");
    }
    result.pictures.push_back(PaperPlotCurves("parsimon-fig11",
                                              "Three workloads at once",
                                              numbers,
                                              {LEGEND[0], LEGEND[1], LEGEND[4]},
                                              panels));
    return result;
}

/// Runs variants of the parking lot.
std::vector<PaperNumbers>
ComputeLots(PaperRun& run, const std::vector<std::string>& names)
{
    PaperComparison what;
    what.methods = {PACKET, DEFAULT, PUBLISHED};
    what.classes = {{"main",
                     [](const DcnScenario& scenario, std::size_t flow) {
                         return ParkingLot::IsMain(scenario.GetFlows()[flow]);
                     }}};
    what.isRepeated = true;
    std::vector<PaperTask> tasks;
    for (const std::string& name : names)
    {
        const auto& all = ParkingLot::GetAll();
        const auto lot = std::find_if(all.begin(), all.end(), [&name](const auto& each) {
            return each.name == name;
        });
        const uint64_t n = lot->mainBytes == 1000 ? run.Choose(40'000, 400'000)
                                                  : run.Choose(500, 5'000);
        tasks.push_back({name + " " + std::to_string(n) + " seed 1", what.methods, [=]() {
                             // ids in the order of starts, which a repetition needs
                             auto scenario = lot->Create(n, 1);
                             std::vector<DcnFlow> flows = scenario->GetFlows();
                             for (std::size_t i = 0; i < flows.size(); ++i)
                             {
                                 flows[i].id = i;
                             }
                             return PaperCompare(DcnScenario::Create(scenario->GetTopologyPtr(),
                                                                     scenario->GetNetworkConfig(),
                                                                     flows),
                                                 what);
                         }});
    }
    return run.Compute("parsimon-parking-lot", tasks);
}

/// Adds errors of the variants, and a panel each.
PaperResult
DescribeLots(const std::string& name,
             const std::vector<std::string>& variants,
             const std::vector<PaperNumbers>& numbers)
{
    PaperResult result;
    std::vector<Gnuplot> panels;
    for (std::size_t i = 0; i < variants.size(); ++i)
    {
        for (const auto& [method, title] :
             {std::pair(DEFAULT, "Parsimon"), std::pair(PUBLISHED, "published rules"),
              std::pair(PAPER_NOISE, "noise floor")})
        {
            result.AddOther(variants[i] + ", " + title + ", p50 error",
                            "%",
                            PaperGetMeasured(numbers[i], method + "|main|p50 error", 100));
            result.AddOther(variants[i] + ", " + title + ", p99 error",
                            "%",
                            PaperGetMeasured(numbers[i], method + "|main|error", 100));
        }
        result.pictures.push_back(PaperPlotCurves(name + "-" + variants[i],
                                                  "Main traffic, " + variants[i],
                                                  numbers[i],
                                                  {LEGEND[0], LEGEND[1], LEGEND[4]},
                                                  {"main"}));
    }
    return result;
}

/// @return |error| of the p50 by the published rules
double
GetLotError(const PaperNumbers& numbers)
{
    return std::abs(PaperGet(numbers, PUBLISHED + "|main|p50 error"));
}

PaperResult
ComputeFigure14(PaperRun& run)
{
    const std::vector<std::string> names{"short-cross", "short-alone"};
    const auto numbers = ComputeLots(run, names);
    PaperResult result = DescribeLots("parsimon-fig14", names, numbers);
    result.values["published rules, |p99 error| with cross traffic"] = {
        100 * std::abs(PaperGet(numbers[0], PUBLISHED + "|main|error"))};
    result.values["published rules, |p99 error| without over with cross traffic"] = {
        std::abs(PaperGet(numbers[1], PUBLISHED + "|main|error")) /
        std::abs(PaperGet(numbers[0], PUBLISHED + "|main|error"))};
    return result;
}

PaperResult
ComputeFigure15(PaperRun& run)
{
    const std::vector<std::string> names{"short-cross",
                                         "short-identical",
                                         "long-cross",
                                         "long-identical"};
    const auto numbers = ComputeLots(run, names);
    PaperResult result = DescribeLots("parsimon-fig15", names, numbers);
    result.values["published rules, short: p50 error with identical cross traffic"] = {
        100 * PaperGet(numbers[1], PUBLISHED + "|main|p50 error")};
    result.values["published rules, long: |p50 error| identical over regular"] = {
        GetLotError(numbers[3]) / GetLotError(numbers[2])};
    result.values["published rules, identical: |p50 error| long over short"] = {
        GetLotError(numbers[3]) / GetLotError(numbers[1])};
    return result;
}

PaperResult
ComputeFigure16(PaperRun& run)
{
    const std::vector<std::string> names{"long-cross", "long-bursty", "long-bursty-identical"};
    const auto numbers = ComputeLots(run, names);
    PaperResult result = DescribeLots("parsimon-fig16", names, numbers);
    result.values["published rules, regular: |p50 error| bursty over Poisson"] = {
        GetLotError(numbers[1]) / GetLotError(numbers[0])};
    result.values["published rules, bursty: |p50 error| identical over regular"] = {
        GetLotError(numbers[2]) / GetLotError(numbers[1])};
    return result;
}

const PaperRegistration g_figures{{"parsimon-fig1", ComputeFigure1},
                                  {"parsimon-fig7", ComputeFigure7},
                                  {"parsimon-table2", ComputeTable2},
                                  {"parsimon-fig8", ComputeFigure8},
                                  {"parsimon-fig9", ComputeFigure9},
                                  {"parsimon-table4", ComputeTable4},
                                  {"parsimon-fig10", ComputeFigure10},
                                  {"parsimon-table5", ComputeTable5},
                                  {"parsimon-fig12", ComputeFigure12},
                                  {"parsimon-fig11", ComputeFigure11},
                                  {"parsimon-fig14", ComputeFigure14},
                                  {"parsimon-fig15", ComputeFigure15},
                                  {"parsimon-fig16", ComputeFigure16}};

} // namespace

} // namespace ns3
