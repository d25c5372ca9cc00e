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

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-change.h"
#include "ns3/dcn-topology.h"
#include "ns3/parsimon-what-if.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

using R = PaperRelation;

const std::string PACKET = "packet";
const std::string DEFAULT = "parsimon:Threads=1";
const std::string PUBLISHED = "parsimon:Threads=1:Rules=published";
const std::string CLUSTERED = "parsimon:Threads=1:Clustering=true";
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

/// @return the same without its sign
PaperMeasured
Absolute(const PaperMeasured& error)
{
    const double low = std::min(std::abs(error.low), std::abs(error.high));
    const bool hasZero = error.low < 0 && error.high > 0;
    return {std::abs(error.value),
            hasZero ? 0 : low,
            std::max(std::abs(error.low), std::abs(error.high))};
}

// large networks: figures 1 and 7, table 2

/// Runs the large scenario.
PaperNumbers
ComputeLarge(PaperRun& run)
{
    PaperComparison what;
    what.methods = {PACKET, DEFAULT, CLUSTERED, PUBLISHED};
    what.classes = PaperComparison::Of(SIZES);
    const std::string recipe = LARGE + ",matrix=web,sizes=web-server,sigma=2,load=0.5,seed=1,flows=" +
                               std::to_string(run.Choose(15'000, 2'000'000));
    return run.Compute("parsimon-large", {PaperMakeTask(recipe, what)}).front();
}

PaperResult
ComputeFigure7(PaperRun& run)
{
    const PaperNumbers numbers = ComputeLarge(run);
    PaperResult result;
    result.values["Parsimon, |p99 error|"] = Absolute(GetError(numbers, DEFAULT, "all"));
    result.values["Parsimon/C, |p99 error|"] = Absolute(GetError(numbers, CLUSTERED, "all"));
    result.AddOther("published rules, p99 error", "%", GetError(numbers, PUBLISHED, "all"));
    result.AddOther("noise floor, p99 error", "%", GetError(numbers, PAPER_NOISE, "all"));
    for (const std::string& name : SIZE_NAMES)
    {
        result.AddOther("Parsimon, p99 error " + name, "%", GetError(numbers, DEFAULT, name));
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
    result.values["Parsimon/C, |p99 error|"] = Absolute(GetError(numbers, CLUSTERED, "all"));
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
    std::vector<PaperBar> bars{{"packet", "processor time", packet}};
    for (const auto& [method, name] : {LEGEND[1], LEGEND[2]})
    {
        const double cost = PaperGet(numbers, method + "|cost");
        result.values[name + ", time"] = {cost};
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

const std::string LARGE_SMALL = "15,000 flows on 6,144 hosts, seed 1";
const std::string LARGE_FULL = "2,000,000 flows on 6,144 hosts, seed 1";
const std::string LARGE_COST = "estimated from the small scale: 3 h, 12 GB";
const std::string LARGE_DEPARTS =
    "The matrix is generated (web) for 384 racks; published: five seconds of traffic on 32 cores.";

const PaperRegistration g_figure1(
    PaperFigure("parsimon-fig1", "Slowdowns of packets and Parsimon/C on 6,144 hosts")
        .From("Parsimon", "section 1, Figure 1")
        .Publish("Parsimon/C, |p99 error|", "%", 7.5, R::AT_MOST)
        .Publish("Parsimon/C, speed-up", "x", 492, R::AT_LEAST)
        .On(LARGE_SMALL, LARGE_FULL)
        .Costs(12, LARGE_COST)
        .Departs(LARGE_DEPARTS)
        .Because(
            "the published speed-up is that of 32 cores over one-core ns-3; here both have one "
            "core, and the packet engine is several times as fast as the published ns-3")
        .By(ComputeFigure1));

const PaperRegistration g_figure7(
    PaperFigure("parsimon-fig7", "Slowdowns by size on 6,144 hosts, two variants")
        .From("Parsimon", "section 5.2, Figure 7")
        .Publish("Parsimon, |p99 error|", "%", 8.8, R::AT_MOST)
        .Publish("Parsimon/C, |p99 error|", "%", 7.5, R::AT_MOST)
        .On(LARGE_SMALL, LARGE_FULL)
        .Costs(12, LARGE_COST)
        .Departs(LARGE_DEPARTS)
        .Because("few flows a link at the small scale leave few links alike to cluster")
        .By(ComputeFigure7));

const PaperRegistration g_table2(
    PaperFigure("parsimon-table2", "Running times on 6,144 hosts")
        .From("Parsimon", "section 5.2, Table 2")
        .Publish("ns-3, time", "s", 38906, R::SHOWN)
        .Publish("Parsimon, time", "s", 253, R::SHOWN)
        .Publish("Parsimon, speed-up", "x", 154, R::AT_LEAST)
        .Publish("Parsimon/C, time", "s", 79, R::SHOWN)
        .Publish("Parsimon/C, speed-up", "x", 492, R::AT_LEAST)
        .Publish("Parsimon/inf, speed-up", "x", 1864, R::SHOWN)
        .On(LARGE_SMALL, LARGE_FULL)
        .Costs(12, LARGE_COST)
        .Departs(LARGE_DEPARTS + " Parsimon/inf (as many cores as links) is not measured.")
        .Because("the published speed-ups are those of 32 cores over one-core ns-3; here both have "
                 "one core, and the packet engine is several times as fast as the published ns-3")
        .By(ComputeTable2));

// sensitivity: figures 8 and 9, table 4

/// Runs the suite.
PaperSuiteRows
ComputeSensitivity(PaperRun& run)
{
    return PaperSuiteRows(run.Validate("sensitivity",
                                       {DEFAULT, CLUSTERED, PUBLISHED},
                                       run.Choose<uint64_t>(18, 192),
                                       run.Choose<uint64_t>(1'500'000, 0)));
}

const std::string SUITE_SMALL = "suite sensitivity, seed 1, 18 scenarios of 1.5 million hops";
const std::string SUITE_FULL = "suite sensitivity, seed 1, 192 scenarios of 60 million hops";
const std::string SUITE_COST = "estimated from the suite's 48 scenarios: 3 h, 1 GB";
const std::string SUITE_DEPARTS =
    "Published scenarios have about 2 million flows each; matrices are generated unless --matrices "
    "names the published ones; loads are those of the drawn flows, exactly.";

PaperResult
ComputeFigure8(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeSensitivity(run);
    PaperResult result;
    const auto errors = rows.GetErrors(DEFAULT);
    const auto absolute = PaperAbsolute(errors);
    result.values["all loads, mean |error|"] = PaperMean(absolute);
    result.values["all loads, within 10 %"] = PaperShare(PaperCountBelow(absolute, 10), errors.size());
    result.values["largest error"] = PaperLargest(errors);
    const char* const names[] = {"low loads", "middle loads", "high loads"};
    std::vector<std::pair<std::string, std::vector<double>>> curves;
    for (std::size_t third = 0; third < 3; ++third)
    {
        const auto part = rows.GetErrors(DEFAULT, rows.IsInLoadPart(third, 3));
        result.values[std::string(names[third]) + ", mean |error|"] =
            PaperMean(PaperAbsolute(part));
        curves.emplace_back(names[third], part);
    }
    result.AddOther("Parsimon/C, mean |error|",
                    "%",
                    PaperMean(PaperAbsolute(rows.GetErrors(CLUSTERED))));
    result.AddOther("published rules, mean |error|",
                    "%",
                    PaperMean(PaperAbsolute(rows.GetErrors(PUBLISHED))));
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
                const auto errors = rows.GetErrors(DEFAULT, [&](const auto& row) {
                    return rows.IsInLoadPart(half, 2)(row) && factor.level(row) == level;
                });
                groups.push_back({{level, "Parsimon"}, errors});
                result.values[title + ", " + level + ", mean |error|"] =
                    PaperMean(PaperAbsolute(errors));
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
    std::vector<const DcnValidationRow*> sorted = rows.Select(DEFAULT);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
        return a->p99Error > b->p99Error;
    });
    PaperResult result;
    for (std::size_t i = 0; i < 5 && i < sorted.size(); ++i)
    {
        const std::string name = "error number " + std::to_string(i + 1);
        result.values[name] = {100 * sorted[i]->p99Error};
        result.note += (i ? "; " : "Ours: ") + sorted[i]->matrix + " " + sorted[i]->sizes + " " +
                       sorted[i]->oversubscription + " load " +
                       std::to_string(std::lround(100 * sorted[i]->maxLoad)) + " %";
    }
    result.note += ".";
    return result;
}

const PaperRegistration g_figure8(PaperFigure("parsimon-fig8",
                                              "Errors of the p99 slowdown by maximum load")
                                      .From("Parsimon",
                                            "section 5.3, Figure 8 and the released results")
                                      .Publish("all loads, mean |error|", "%", 6.9, R::AT_MOST)
                                      .Publish("all loads, within 10 %", "%", 84.9, R::AT_LEAST)
                                      .Publish("largest error", "%", 51.9, R::AT_MOST)
                                      .Publish("low loads, mean |error|", "%", 4.1, R::AT_MOST)
                                      .Publish("middle loads, mean |error|", "%", 5.8, R::AT_MOST)
                                      .Publish("high loads, mean |error|", "%", 10.8, R::AT_MOST)
                                      .On(SUITE_SMALL, SUITE_FULL)
                                      .Costs(14, SUITE_COST)
                                      .Departs(SUITE_DEPARTS)
                                      .Because("scenarios of the small scale have few flows a link")
                                      .By(ComputeFigure8));

const PaperRegistration g_figure9(
    PaperFigure("parsimon-fig9", "Errors by matrix, sizes, oversubscription and burstiness")
        .From("Parsimon", "section 5.3, Figure 9 and the released results")
        .Publish("low loads, A, mean |error|", "%", 6.2, R::AT_MOST)
        .Publish("low loads, B, mean |error|", "%", 4.3, R::AT_MOST)
        .Publish("low loads, C, mean |error|", "%", 2.6, R::AT_MOST)
        .Publish("high loads, A, mean |error|", "%", 13.9, R::AT_MOST)
        .Publish("high loads, B, mean |error|", "%", 8.6, R::AT_MOST)
        .Publish("high loads, C, mean |error|", "%", 5.4, R::AT_MOST)
        .Publish("high loads, web-server, mean |error|", "%", 14.0, R::AT_MOST)
        .Publish("high loads, cache-follower, mean |error|", "%", 8.1, R::AT_MOST)
        .Publish("high loads, hadoop, mean |error|", "%", 7.0, R::AT_MOST)
        .Publish("high loads, 1:1, mean |error|", "%", 7.8, R::AT_MOST)
        .Publish("high loads, 2:1, mean |error|", "%", 8.1, R::AT_MOST)
        .Publish("high loads, 4:1, mean |error|", "%", 12.7, R::AT_MOST)
        .On(SUITE_SMALL, SUITE_FULL)
        .Costs(14, SUITE_COST)
        .Departs(SUITE_DEPARTS)
        .Because("a group of the small scale has three scenarios of few flows")
        .By(ComputeFigure9));

const PaperRegistration g_table4(PaperFigure("parsimon-table4", "The five largest errors")
                                     .From("Parsimon", "section 5.3, Table 4")
                                     .Publish("error number 1", "%", 51.9, R::AT_MOST)
                                     .Publish("error number 2", "%", 30.1, R::AT_MOST)
                                     .Publish("error number 3", "%", 29.6, R::AT_MOST)
                                     .Publish("error number 4", "%", 25.6, R::AT_MOST)
                                     .Publish("error number 5", "%", 24.6, R::AT_MOST)
                                     .On(SUITE_SMALL, SUITE_FULL)
                                     .Costs(14, SUITE_COST)
                                     .Departs(SUITE_DEPARTS)
                                     .By(ComputeTable4));

// one configuration: figure 10, table 5, figure 12

PaperResult
ComputeFigure10(PaperRun& run)
{
    PaperComparison what;
    what.methods = {PACKET, DEFAULT, CLUSTERED, BY_PACKETS, PUBLISHED};
    what.classes = PaperComparison::Of(SIZES);
    const PaperNumbers numbers =
        run.Compute("parsimon-sample",
                    {PaperMakeTask(MakeSample(run, 0.675, run.Choose(3'000, 200'000)), what)})
            .front();
    PaperResult result;
    result.values["Parsimon, |p99 error|"] = Absolute(GetError(numbers, DEFAULT, "all"));
    result.values["Parsimon/C, |p99 error|"] = Absolute(GetError(numbers, CLUSTERED, "all"));
    result.AddOther("Parsimon/ns-3, p99 error", "%", GetError(numbers, BY_PACKETS, "all"));
    result.AddOther("published rules, p99 error", "%", GetError(numbers, PUBLISHED, "all"));
    result.AddOther("noise floor, p99 error", "%", GetError(numbers, PAPER_NOISE, "all"));
    result.pictures.push_back(PaperPlotCurves("parsimon-fig10",
                                              "Matrix A, Hadoop, 2:1, load 67.5 %",
                                              numbers,
                                              LEGEND,
                                              SIZE_NAMES));
    return result;
}

const std::string SAMPLE_DEPARTS =
    "Published: 2 million flows; the matrix is generated unless --matrices names the published one.";

const PaperRegistration g_figure10(PaperFigure("parsimon-fig10",
                                               "The scenario of the 85th percentile of errors")
                                       .From("Parsimon",
                                             "section 5.4, Figure 10 and the released results")
                                       .Publish("Parsimon, |p99 error|", "%", 9.9, R::AT_MOST)
                                       .Publish("Parsimon/C, |p99 error|", "%", 11.3, R::AT_MOST)
                                       .On("3,000 flows, seed 25", "200,000 flows, seed 25")
                                       .Costs(15, "estimated: 25 min, 2 GB")
                                       .Departs(SAMPLE_DEPARTS)
                                       .By(ComputeFigure10));

PaperResult
ComputeTable5(PaperRun& run)
{
    const PaperSuiteRows rows(run.Validate("congestion-controls",
                                           {BY_PACKETS},
                                           12,
                                           run.Choose<uint64_t>(2'000'000, 0)));
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

/// Adds the values of table 5.
PaperFigure
MakeTable5()
{
    PaperFigure figure("parsimon-table5", "Congestion controls: errors by load and size");
    struct Row
    {
        const char* cc;
        int load;
        double errors[3];
    };
    const Row rows[] = {{"dctcp", 45, {1.4, 9.2, 15.9}},
                        {"timely", 45, {4.0, 17.9, 13.7}},
                        {"dcqcn", 45, {5.9, 11.6, 12.8}},
                        {"dctcp", 56, {2.8, 9.2, 14.6}},
                        {"timely", 56, {8.1, 20.0, 11.3}},
                        {"dcqcn", 56, {7.6, 14.6, 12.2}},
                        {"dctcp", 67, {13.8, 11.3, 13.6}},
                        {"timely", 67, {13.3, 18.2, 5.0}},
                        {"dcqcn", 67, {18.0, 15.2, 13.6}}};
    for (const Row& row : rows)
    {
        const std::string name = std::string(row.cc) + " " + std::to_string(row.load) + " % ";
        figure.Publish(name + "<10KB", "%", row.errors[0], R::AT_MOST)
            .Publish(name + "10KB-1MB", "%", row.errors[1], R::AT_MOST)
            .Publish(name + ">1MB", "%", row.errors[2], R::AT_MOST);
    }
    return figure;
}

const PaperRegistration g_table5(
    MakeTable5()
        .From("Parsimon", "section 5.4, Table 5")
        .On("suite congestion-controls, seed 1, 12 scenarios of 2 million hops",
            "suite congestion-controls, seed 1, 12 scenarios of 60 million hops")
        .Costs(81, "estimated from the small scale: 45 min, 1 GB")
        .Departs("HPCC is an addition; matrices are generated unless --matrices names the "
                 "published ones.")
        .Because("a cell is one scenario; at the small scale a class has some dozen flows, whose "
                 "p99 is that of single flows")
        .By(ComputeTable5));

PaperResult
ComputeFigure12(PaperRun& run)
{
    const std::string recipe = MakeSample(run, 0.675, run.Choose(3'000, 200'000));
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

const PaperRegistration g_figure12(
    PaperFigure("parsimon-fig12", "Errors after the failure of one link")
        .From("Parsimon", "Appendix B, Figure 12")
        .Publish("median |error|", "%", 12, R::AT_MOST)
        .Publish("largest |error|", "%", 14.4, R::AT_MOST)
        .On("3,000 flows, seed 25; 5 links, seed 1", "200,000 flows, seed 25; 10 links, seed 1")
        .Costs(19, "estimated: 30 min, 2 GB")
        .Departs(SAMPLE_DEPARTS +
                 " A failure moves only the flows of its link; published: a new hash over all.")
        .By(ComputeFigure12));

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
    const int64_t durationNs = run.Choose<int64_t>(4'000'000, 100'000'000);
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
        result.values[name + ", |p99 error|"] = Absolute(GetError(numbers, DEFAULT, name + " all"));
        result.AddOther(name + ", published rules, p99 error",
                        "%",
                        GetError(numbers, PUBLISHED, name + " all"));
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

const PaperRegistration g_figure11(
    PaperFigure("parsimon-fig11", "Mixed workloads: slowdowns by workload and size (with Table 6)")
        .From("Parsimon",
              "Appendix A, Figure 11 and Table 6: \"good accuracy\", no numbers; its bar "
              "here is the 10 % of section 5.3")
        .Publish("W0, |p99 error|", "%", 10, R::BELOW)
        .Publish("W1, |p99 error|", "%", 10, R::BELOW)
        .Publish("W2, |p99 error|", "%", 10, R::BELOW)
        .On("4 ms of flows, seeds 1 to 3", "100 ms of flows, seeds 1 to 3")
        .Costs(6, "estimated: 10 min, 2 GB")
        .Departs("Published: seconds of traffic; loads of a few milliseconds of heavy-tailed flows "
                 "are random.")
        .By(ComputeFigure11));

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

const std::string LOT_SMALL = "40,000 main flows of 1 KB, 500 of 400 KB, seed 1";
const std::string LOT_FULL = "400,000 main flows of 1 KB, 5,000 of 400 KB, seed 1";
const std::string LOT_COST = "estimated from the small scale: 3 min, 1 GB";
const std::string LOT_DEPARTS =
    "The figure shows curves and no numbers; the text's statements are the published values.";

const PaperRegistration g_figure14(
    PaperFigure("parsimon-fig14", "Parking lot: first-hop delays with and without cross traffic")
        .From("Parsimon",
              "Appendix C.1, Figure 14: accurate with, large errors without cross "
              "traffic")
        .Publish("published rules, |p99 error| with cross traffic", "%", 10, R::BELOW)
        .Publish("published rules, |p99 error| without over with cross traffic", "x", 1, R::ABOVE)
        .On(LOT_SMALL, LOT_FULL)
        .Costs(14, LOT_COST)
        .Departs(LOT_DEPARTS)
        .By(ComputeFigure14));

const PaperRegistration g_figure15(
    PaperFigure("parsimon-fig15", "Parking lot: identical cross traffic, short and long flows")
        .From("Parsimon",
              "Appendix C.2, Figure 15: over-estimates with identical cross traffic, "
              "larger for long flows")
        .Publish("published rules, short: p50 error with identical cross traffic", "%", 0, R::ABOVE)
        .Publish("published rules, long: |p50 error| identical over regular", "x", 1, R::ABOVE)
        .Publish("published rules, identical: |p50 error| long over short", "x", 1, R::ABOVE)
        .On(LOT_SMALL, LOT_FULL)
        .Costs(20, LOT_COST)
        .Departs(LOT_DEPARTS)
        .By(ComputeFigure15));

const PaperRegistration g_figure16(
    PaperFigure("parsimon-fig16", "Parking lot: bursty cross traffic, long flows")
        .From("Parsimon",
              "Appendix C.2, Figure 16: bursts reduce the error with regular cross "
              "traffic only")
        .Publish("published rules, regular: |p50 error| bursty over Poisson", "x", 1, R::BELOW)
        .Publish("published rules, bursty: |p50 error| identical over regular", "x", 1, R::ABOVE)
        .On(LOT_SMALL, LOT_FULL)
        .Costs(9, LOT_COST)
        .Departs(LOT_DEPARTS)
        .By(ComputeFigure16));

} // namespace

} // namespace ns3
