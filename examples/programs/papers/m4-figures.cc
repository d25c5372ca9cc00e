/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Figures and tables of m4 (Li et al., arXiv 2503.01770).
 *
 * "m4" is the shipped model with the default network, and "flowSim" the module flowsim without
 * windows.
 */

#include "backlog.h"
#include "paper-compare.h"
#include "paper-figure.h"
#include "paper-suite.h"
#include "watched.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-recipe.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

const std::string PACKET = "packet";
const std::string FLOWSIM = "flowsim";
const std::string M4 = "m4";
/// flowSim whose flows do not exceed their window per round trip: no learning.
const std::string CAPPED = "flowsim:WindowCap=true";
const std::vector<std::pair<std::string, std::string>> LEGEND{{PACKET, "packet"},
                                                              {FLOWSIM, "flowSim"},
                                                              {M4, "m4"},
                                                              {CAPPED, "flowSim with window cap"}};
/// LEGEND without the truth.
const std::vector<std::pair<std::string, std::string>> MODELS(LEGEND.begin() + 1, LEGEND.end());
const std::vector<std::string> SIZE_NAMES{"<1KB", "1-10KB", "10-50KB", ">50KB"};
/// A shared buffer of 100 KB beside the reserves of the largest switch, of 72 ports.
const std::string LARGE =
    "racksPerPod=48,hostsPerRack=16,fabricsPerPod=4,spinesPerPlane=24,fabricRate=10Gbps,"
    "loadRule=exact,matrix=web,sigma=1,load=0.5,window_bytes=10000,buffer_bytes=667000,seed=1,pods=";

/// @return mean, or 90th percentile, of the errors of single flows [%]
PaperMeasured
GetFlowError(const PaperNumbers& numbers, const std::string& method, bool isP90 = false)
{
    return PaperGetMeasured(numbers, method + "|all|flow" + (isP90 ? " p90" : ""), 100);
}

// table 1: flowSim on 1,024 hosts

/// A scenario of table 1.
struct Scenario
{
    const char* sizes;
    const char* matrix;
    double load;
    int spines;
    const char* cc;
};

const Scenario SCENARIOS[] = {{"cache-follower", "database", 0.3345, 4, "dctcp"},
                              {"hadoop", "hadoop", 0.5760, 4, "timely"},
                              {"hadoop", "hadoop", 0.7372, 16, "dctcp"}};

PaperResult
ComputeTable1(PaperRun& run)
{
    PaperComparison what;
    what.methods = {PACKET, FLOWSIM, M4, CAPPED};
    std::vector<PaperTask> tasks;
    for (const Scenario& each : SCENARIOS)
    {
        tasks.push_back(PaperMakeTask(
            "pods=4,racksPerPod=16,hostsPerRack=16,fabricsPerPod=4,fabricRate=10Gbps,"
            "loadRule=exact,sigma=1,window_bytes=10000,buffer_bytes=400000,seed=1,spinesPerPlane=" +
                std::to_string(each.spines) + ",sizes=" + each.sizes + ",matrix=" + each.matrix +
                ",load=" + DcnToText(each.load) + ",cc=" + each.cc +
                ",flows=20000",
            what));
    }
    const auto all = run.Compute("m4-table1", tasks);
    PaperResult result;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const std::string name = "scenario " + std::to_string(i + 1) + ", ";
        result.values[name + "flowSim, mean error of flows"] = GetFlowError(all[i], FLOWSIM);
        result.values[name + "flowSim, p90 error of flows"] = GetFlowError(all[i], FLOWSIM, true);
        result.values[name + "flowSim, error of the p99"] =
            PaperGetMeasured(all[i], FLOWSIM + "|all|error", 100);
        result.values[name + "flowSim, speed-up"] = {PaperGet(all[i], PACKET + "|cost") /
                                                     PaperGet(all[i], FLOWSIM + "|cost")};
        result.AddOther(name + "p99 by packets", "", {PaperGet(all[i], PACKET + "|all|p99")});
        result.AddOther(name + "m4, mean error of flows", "%", GetFlowError(all[i], M4));
        result.AddOther(name + "flowSim with window cap, mean error of flows",
                        "%",
                        GetFlowError(all[i], CAPPED));
        result.AddOther(name + "noise floor, mean error of flows",
                        "%",
                        GetFlowError(all[i], PAPER_NOISE));
        for (const auto& [method, title] : LEGEND)
        {
            bars.push_back({"scenario " + std::to_string(i + 1),
                            title,
                            PaperGet(all[i], method + "|all|p99")});
        }
    }
    result.pictures.push_back(
        PaperPlotBars("m4-table1", "p99 slowdown of three scenarios", "p99 slowdown", bars));
    return result;
}

// a large network: table 3, figures 6 to 8

const std::vector<std::string> SIZES{"cache-follower", "web-server", "hadoop"};

/// Runs the large scenario; keeps the slowdown of each flow.
PaperNumbers
RunLarge(const std::string& recipe)
{
    PaperComparison what;
    what.methods = {PACKET, FLOWSIM, M4, CAPPED};
    Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    PaperNumbers numbers = PaperCompare(scenario, what);
    constexpr std::size_t MOST = 20'000; // of the flows kept one by one
    for (const std::string& method : what.methods)
    {
        const auto fctNs = DcnEstimator::CreateByName(method)->Estimate(scenario).fctNs;
        Simulator::Destroy();
        auto& slowdowns = numbers[method + "|flows"];
        for (std::size_t i = 0; i < std::min(MOST, fctNs.size()); ++i)
        {
            slowdowns.push_back(static_cast<double>(fctNs[i]) /
                                static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()));
        }
    }
    return numbers;
}

/// Runs the large scenario with each distribution of sizes.
std::vector<PaperNumbers>
ComputeLarge(PaperRun& run)
{
    std::vector<PaperTask> tasks;
    for (const std::string& sizes : SIZES)
    {
        const uint64_t flows = run.Choose<uint64_t>(sizes == "web-server" ? 8'000 : 1'500, 50'000);
        const std::string recipe = LARGE + "8,sizes=" + sizes + ",flows=" + std::to_string(flows);
        tasks.push_back({"flows " + recipe, {PACKET, FLOWSIM, M4, CAPPED}, [recipe]() {
                             return RunLarge(recipe);
                         }});
    }
    return run.Compute("m4-large", tasks);
}

PaperResult
ComputeTable3(PaperRun& run)
{
    const auto all = ComputeLarge(run);
    PaperResult result;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        for (const auto& [method, title] : MODELS)
        {
            const std::string name = SIZES[i] + ", " + title + ", ";
            const double perFlow = PaperCost(all[i], method).value / 1e3; // [ms]
            result.AddOther(name + "mean error of flows", "%", GetFlowError(all[i], method));
            result.AddOther(name + "p90 error of flows", "%", GetFlowError(all[i], method, true));
            result.AddOther(name + "time per flow", "ms", {perFlow});
            result.AddOther(
                name + "speed-up",
                "x",
                {PaperGet(all[i], PACKET + "|cost") / PaperGet(all[i], method + "|cost")});
            bars.push_back({SIZES[i], title, GetFlowError(all[i], method).value});
        }
        result.values[SIZES[i] + ", packets, time per flow"] = {PaperCost(all[i], PACKET).value /
                                                                1e3};
        result.AddOther(SIZES[i] + ", noise floor, mean error of flows",
                        "%",
                        GetFlowError(all[i], PAPER_NOISE));
        result.AddOther(SIZES[i] + ", noise floor, p90 error of flows",
                        "%",
                        GetFlowError(all[i], PAPER_NOISE, true));
    }
    result.pictures.push_back(PaperPlotBars("m4-table3",
                                            "Mean error of the slowdown of flows",
                                            "mean |error| [%]",
                                            bars));
    return result;
}

PaperResult
ComputeFigure6(PaperRun& run)
{
    const PaperNumbers numbers = ComputeLarge(run).front();
    PaperResult result;
    for (const auto& [method, title] : MODELS)
    {
        result.AddOther(title + ", mean error of flows", "%", GetFlowError(numbers, method));
    }
    for (const std::string& name : SIZE_NAMES)
    {
        result.AddOther("m4, p99 error " + name,
                        "%",
                        PaperGetMeasured(numbers, M4 + "|" + name + "|error", 100));
        result.AddOther("flowSim, p99 error " + name,
                        "%",
                        PaperGetMeasured(numbers, FLOWSIM + "|" + name + "|error", 100));
        result.AddOther("noise floor, p99 error " + name,
                        "%",
                        PaperGetMeasured(numbers, PAPER_NOISE + "|" + name + "|error", 100));
    }
    result.pictures.push_back(PaperPlotCurves("m4-fig6",
                                              "6,144 hosts, cache-follower",
                                              numbers,
                                              LEGEND,
                                              SIZE_NAMES));
    return result;
}

/// @return Pearson's correlation
double
GetCorrelation(const std::vector<double>& a, const std::vector<double>& b)
{
    const double meanA = DcnMean(a);
    const double meanB = DcnMean(b);
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        ab += (a[i] - meanA) * (b[i] - meanB);
        aa += (a[i] - meanA) * (a[i] - meanA);
        bb += (b[i] - meanB) * (b[i] - meanB);
    }
    return ab / std::sqrt(aa * bb);
}

PaperResult
ComputeFigure7(PaperRun& run)
{
    constexpr std::size_t N = 50; // flows shown
    const PaperNumbers numbers = ComputeLarge(run).front();
    const auto& truth = numbers.at(PACKET + "|flows");
    const std::size_t first = truth.size() * 3 / 5; // 30,000 of 50,000
    PaperSeries series;
    PaperResult result;
    for (const auto& [method, title] : LEGEND)
    {
        const auto& flows = numbers.at(method + "|flows");
        series.push_back({title, {}});
        for (std::size_t i = first; i < std::min(first + N, flows.size()); ++i)
        {
            series.back().second.emplace_back(static_cast<double>(i), flows[i]);
        }
        if (method != PACKET)
        {
            result.AddOther(title + ", correlation with packets over all flows",
                            "",
                            {GetCorrelation(truth, flows)});
        }
    }
    result.values["correlation with packets, m4 less flowSim"] = {
        GetCorrelation(truth, numbers.at(M4 + "|flows")) -
        GetCorrelation(truth, numbers.at(FLOWSIM + "|flows"))};
    result.pictures.push_back(PaperMakePanels(
        "m4-fig7",
        "Slowdowns of 50 flows in a row",
        {PaperMakeLines("cache-follower", "flow", "slowdown", series)}));
    return result;
}

PaperResult
ComputeFigure8(PaperRun& run)
{
    const auto all = ComputeLarge(run);
    const std::vector<double> bounds{1, 1.5, 2, 3, 5, 1e9};
    PaperResult result;
    std::vector<PaperBar> bars;
    std::map<std::string, std::vector<double>> below; // by method: of slowdowns below 2
    std::map<std::string, std::vector<double>> above;
    for (const auto& [method, title] : MODELS)
    {
        for (std::size_t bucket = 0; bucket + 1 < bounds.size(); ++bucket)
        {
            std::vector<double> errors;
            for (const PaperNumbers& numbers : all)
            {
                const auto& truth = numbers.at(PACKET + "|flows");
                const auto& flows = numbers.at(method + "|flows");
                for (std::size_t i = 0; i < truth.size(); ++i)
                {
                    if (truth[i] >= bounds[bucket] && truth[i] < bounds[bucket + 1])
                    {
                        errors.push_back(100 * std::abs(flows[i] / truth[i] - 1));
                    }
                }
            }
            auto& side = bounds[bucket] < 2 ? below[title] : above[title];
            side.insert(side.end(), errors.begin(), errors.end());
            const PaperMeasured median = PaperQuantile(errors, 0.5);
            const std::string name = "from " + DcnToText(bounds[bucket]);
            bars.push_back({name, title, median.value});
            result.AddOther(title + ", slowdowns " + name + ", median error", "%", median);
            if (title == "m4")
            {
                result.AddOther("flows with slowdowns " + name,
                                "",
                                {static_cast<double>(errors.size())});
            }
        }
    }
    result.values["m4, slowdowns below 2, median error"] = PaperQuantile(below["m4"], 0.5);
    result.values["m4, slowdowns above 2, median error"] = PaperQuantile(above["m4"], 0.5);
    result.values["flowSim, slowdowns above 2, median error"] =
        PaperQuantile(above["flowSim"], 0.5);
    result.AddOther("flowSim with window cap, slowdowns above 2, median error",
                    "%",
                    PaperQuantile(above["flowSim with window cap"], 0.5));
    result.pictures.push_back(PaperPlotBars("m4-fig8",
                                            "Errors of flows by their slowdown in packets",
                                            "median |error| [%]",
                                            bars));
    return result;
}

// table 4: times by size of the network

PaperResult
ComputeTable4(PaperRun& run)
{
    const double flows[] = {50'788, 196'317, 286'749, 541'297, 564'884};
    const int pods[] = {8, 16, 32, 48, 64};
    std::vector<PaperTask> tasks;
    PaperComparison what;
    what.methods = {FLOWSIM, M4};
    what.isRepeated = false;
    what.classes = {{"all", nullptr}};
    const double share = run.Choose(0.05, 1.0);
    for (std::size_t i = 0; i < 5; ++i)
    {
        const std::string recipe = LARGE + std::to_string(pods[i]) + ",sizes=web-server,flows=" +
                                   DcnToText(std::round(flows[i] * share));
        tasks.push_back({"times " + recipe, what.methods, [=]() {
                             Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
                             PaperNumbers numbers;
                             for (const std::string& method : what.methods)
                             {
                                 const DcnEstimate estimate =
                                     DcnEstimator::CreateByName(method)->Estimate(scenario);
                                 numbers[method] = {estimate.cpuSeconds};
                             }
                             return numbers;
                         }});
    }
    const auto all = run.Compute("m4-times", tasks);
    PaperResult result;
    PaperSeries series{{"flowSim", {}}, {"m4", {}}};
    for (std::size_t i = 0; i < 5; ++i)
    {
        const std::string name = std::to_string(pods[i] * 768) + " hosts, ";
        const double perFlow = 1e3 / (flows[i] * share);
        const double fluid = PaperGet(all[i], FLOWSIM) * perFlow;
        const double learned = PaperGet(all[i], M4) * perFlow;
        result.values[name + "flowSim, time per flow"] = {fluid};
        result.values[name + "m4, time per flow"] = {learned};
        series[0].second.emplace_back(pods[i] * 768, fluid);
        series[1].second.emplace_back(pods[i] * 768, learned);
    }
    result.pictures.push_back(PaperMakePanels(
        "m4-table4",
        "Processor time per flow",
        {PaperMakeLines("one core", "hosts", "ms per flow", series, "set logscale y")}));
    return result;
}

// the test set: figures 9 and 10

/// Runs the test set of section 5.3.
PaperSuiteRows
ComputeTestSet(PaperRun& run)
{
    return PaperSuiteRows(run.Validate("m4-test-set",
                                       {FLOWSIM, M4, CAPPED},
                                       run.Choose<uint64_t>(18, 18, 100),
                                       run.Choose<uint64_t>(2'000'000, 0, 0)));
}

PaperResult
ComputeFigure9(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeTestSet(run);
    PaperResult result;
    std::vector<std::pair<std::string, std::vector<double>>> means;
    std::vector<std::pair<std::string, std::vector<double>>> p90s;
    for (const auto& [method, title] : MODELS)
    {
        const auto mean = rows.GetNumbers(method, &DcnValidationRow::meanFlowError, 100);
        const auto p90 = rows.GetNumbers(method, &DcnValidationRow::p90FlowError, 100);
        result.AddOther(title + ", mean error of flows", "%", PaperMean(mean));
        result.AddOther(title + ", p90 error of flows", "%", PaperMean(p90));
        means.emplace_back(title, mean);
        p90s.emplace_back(title, p90);
    }
    const std::string noise = "packet (seed 2)";
    result.AddOther("noise floor, mean error of flows",
                    "%",
                    PaperMean(rows.GetNumbers(noise, &DcnValidationRow::meanFlowError, 100)));
    result.AddOther("noise floor, p90 error of flows",
                    "%",
                    PaperMean(rows.GetNumbers(noise, &DcnValidationRow::p90FlowError, 100)));
    result.pictures.push_back(
        PaperMakePanels("m4-fig9",
                        "Errors of single flows by scenario",
                        {PaperMakeCdf("(a) mean", "mean |error| of flows [%]", means),
                         PaperMakeCdf("(b) p90", "p90 |error| of flows [%]", p90s)}));
    return result;
}

PaperResult
ComputeFigure10(PaperRun& run)
{
    const PaperSuiteRows rows = ComputeTestSet(run);
    using Row = DcnValidationRow;
    auto half = [](double Row::*member, double middle) {
        return [member, middle](const Row& row) {
            return std::string(row.*member < middle ? "low" : "high");
        };
    };
    std::vector<PaperSuiteRows::Factor> factors = PaperSuiteRows::GetFactors();
    factors.push_back({"load", half(&Row::maxLoad, 0.55)});
    factors.push_back({"window", half(&Row::windowBytes, 10'000)});
    factors.push_back({"congestion control", [](const Row& row) { return row.congestionControl; }});
    PaperResult result;
    std::vector<Gnuplot> panels;
    std::vector<double> worst;
    double better = 0;
    double levels = 0;
    for (const PaperSuiteRows::Factor& factor : factors)
    {
        std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> groups;
        for (const std::string& level : rows.GetLevels(factor))
        {
            auto isLevel = [&](const Row& row) { return factor.level(row) == level; };
            std::vector<double> medians;
            for (const auto& [method, title] : {LEGEND[1], LEGEND[2]})
            {
                const auto errors = rows.GetNumbers(method, &Row::meanFlowError, 100, isLevel);
                groups.push_back({{level, title}, errors});
                medians.push_back(PaperQuantile(errors, 0.5).value);
                result.AddOther(factor.name + " " + level + ", " + title + ", mean error of flows",
                                "%",
                                PaperMean(errors));
            }
            better += medians[1] < medians[0] ? 1 : 0;
            ++levels;
        }
        panels.push_back(PaperMakeStrips("by " + factor.name, "mean |error| [%]", groups));
    }
    result.values["levels at which the median of m4 is below that of flowSim"] = {100 * better /
                                                                                  levels};
    for (const auto& [method, title] : MODELS)
    {
        result.AddOther(title + ", mean error of flows",
                        "%",
                        PaperMean(rows.GetNumbers(method, &Row::meanFlowError, 100)));
    }
    result.pictures.push_back(PaperMakePanels("m4-fig10", "Errors of flows by parameter", panels));
    return result;
}

// closed loops: figure 11

PaperResult
ComputeFigure11(PaperRun& run)
{
    const uint64_t nFlows = run.Choose<uint64_t>(300, 1'000);
    const uint64_t configurations = run.Choose<uint64_t>(4, 15);
    const DcnScenarioSuite suite = run.GetSuite("network-configurations", 0, 101);
    std::string options;
    for (const auto& [name, value] : suite.GetOptions())
    {
        options += " " + name + "=" + value;
    }
    std::vector<uint32_t> limits;
    for (uint32_t limit = 1; limit <= 13; limit += run.Choose<uint32_t>(4, 2))
    {
        limits.push_back(limit);
    }
    std::vector<PaperTask> tasks;
    for (uint64_t i = 0; i < configurations; ++i)
    {
        for (const uint32_t limit : limits)
        {
            tasks.push_back(
                {"configuration " + std::to_string(i) + " limit " + std::to_string(limit) +
                     " flows " + std::to_string(nFlows) + options,
                 {PACKET, FLOWSIM, M4, CAPPED},
                 [=]() {
                     Ptr<const DcnScenario> scenario = M4MakeBacklog(suite.Draw(i), nFlows);
                     PaperNumbers numbers;
                     for (const auto& [method, title] : LEGEND)
                     {
                         numbers[method] = {M4MeasureThroughput(DcnEstimator::CreateByName(method),
                                                                scenario,
                                                                limit)};
                     }
                     return numbers;
                 }});
        }
    }
    const auto all = run.Compute("m4-closed-loop", tasks);
    PaperResult result;
    std::vector<std::pair<std::string, std::vector<double>>> curves;
    PaperSeries series;
    for (const auto& [method, title] : LEGEND)
    {
        series.push_back({title, {}});
        for (std::size_t k = 0; k < limits.size(); ++k)
        {
            series.back().second.emplace_back(limits[k], PaperGet(all[k], method));
        }
        if (method == PACKET)
        {
            continue;
        }
        std::vector<double> errors;
        for (const PaperNumbers& numbers : all)
        {
            errors.push_back(100 *
                             std::abs(PaperGet(numbers, method) / PaperGet(numbers, PACKET) - 1));
        }
        result.AddOther(title + ", mean |error| of the throughput", "%", PaperMean(errors));
        result.AddOther(title + ", p90 |error| of the throughput", "%", PaperQuantile(errors, 0.9));
        curves.emplace_back(title, errors);
    }
    result.pictures.push_back(PaperMakePanels(
        "m4-fig11",
        "Throughput of closed loops",
        {PaperMakeCdf("(a) errors", "|error| of the throughput [%]", curves),
         PaperMakeLines("(b) first configuration", "flows in flight per rack", "flows per second", series)}));
    return result;
}

// figure 13: remaining sizes and queues

/// Makes a data set and watches m4 on it.
PaperNumbers
RunWatch(const std::string& folder, uint64_t samples, uint64_t flows)
{
    DcnDatasetRecipe recipe("fabric", "reduced");
    recipe.SetAll("flows=" + std::to_string(flows));
    DcnDatasetGenerator(recipe, 13, samples + 1, samples + 1, folder, PACKET).Run(1);
    M4Data set(folder, static_cast<uint32_t>(samples));
    const DcnModelFile model = DcnModelFile::Read(DcnDataPath("models/m4"), "m4");
    PaperNumbers numbers;
    for (uint64_t i = 0; i < set.GetNValidation(); ++i)
    {
        const M4Watched watched = M4Watch(*set.ReadValidation(i), model);
        for (const auto& [flow, points] : watched.remaining)
        {
            double sum = 0;
            for (const M4WatchedPoint& point : points)
            {
                numbers["remaining"].push_back(100 * std::abs(point.predicted - point.truth));
                sum += numbers["remaining"].back();
            }
            if (!points.empty())
            {
                numbers["remaining by flow"].push_back(sum / static_cast<double>(points.size()));
            }
        }
        for (const auto& [link, points] : watched.queues)
        {
            for (const M4WatchedPoint& point : points)
            {
                const int decade = point.truth < 1 ? -1 : static_cast<int>(std::log10(point.truth));
                const std::string name = "queue " + std::to_string(decade);
                numbers[name].push_back(std::abs(point.predicted - point.truth));
                numbers[name + " truth"].push_back(point.truth);
            }
        }
        if (i == 0)
        {
            // the flow and the link with the most points, as examples
            auto keep = [&numbers](const auto& series, const std::string& name) {
                const auto longest =
                    std::max_element(series.begin(), series.end(), [](const auto& a, const auto& b) {
                        auto count = [](const auto& points) {
                            return std::count_if(points.begin(), points.end(), [](const auto& p) {
                                return p.truth > 0;
                            });
                        };
                        return count(a.second) < count(b.second);
                    });
                for (const M4WatchedPoint& point : longest->second)
                {
                    numbers[name + " time"].push_back(static_cast<double>(point.timeNs) / 1e6);
                    numbers[name + " truth"].push_back(point.truth);
                    numbers[name + " m4"].push_back(point.predicted);
                }
            };
            keep(watched.remaining, "flow");
            keep(watched.queues, "link");
        }
    }
    return numbers;
}

PaperResult
ComputeFigure13(PaperRun& run)
{
    const uint64_t samples = run.Choose<uint64_t>(10, 100);
    const uint64_t flows = run.Choose<uint64_t>(500, 2'000);
    const std::string key =
        "samples " + std::to_string(samples) + " by flow, flows " + std::to_string(flows);
    const std::string folder = run.MakeFolder("runs/m4-fig13-" + std::to_string(samples));
    const PaperNumbers numbers =
        run.Compute("m4-watch",
                    {{key, {PACKET, M4}, [=]() { return RunWatch(folder, samples, flows); }}})
            .front();
    PaperResult result;
    const auto& remaining = numbers.at("remaining");
    const auto& byFlow = numbers.at("remaining by flow");
    result.values["remaining size: flows with a mean |error| below 20 %"] =
        PaperShare(PaperCountBelow(byFlow, 20), byFlow.size());
    result.AddOther("remaining size: predictions within 20 % of the flow",
                    "%",
                    PaperShare(PaperCountBelow(remaining, 20), remaining.size()));
    result.AddOther("remaining size, mean |error|", "% of the flow", PaperMean(remaining));
    for (int decade = 3; decade <= 4; ++decade)
    {
        const std::string name = "queue " + std::to_string(decade);
        if (numbers.count(name) > 0)
        {
            result.values["queues from 10^" + std::to_string(decade) + " bytes, |error| over mean"] = {
                100 * DcnMean(numbers.at(name)) / DcnMean(numbers.at(name + " truth"))};
        }
    }
    auto example = [&numbers](const std::string& name, const std::string& quantity) {
        PaperSeries series{{"packet", {}}, {"m4", {}}};
        for (std::size_t i = 0; i < numbers.at(name + " time").size(); ++i)
        {
            const double time = numbers.at(name + " time")[i];
            series[0].second.emplace_back(time, numbers.at(name + " truth")[i]);
            series[1].second.emplace_back(time, numbers.at(name + " m4")[i]);
        }
        return PaperMakeLines("a " + name, "time [ms]", quantity, series);
    };
    result.pictures.push_back(
        PaperMakePanels("m4-fig13",
                        "Remaining sizes and queues",
                        {PaperMakeCdf("(a) remaining size", "|error| [% of the flow]", {{"m4", remaining}}),
                         example("flow", "remaining fraction"),
                         example("link", "queue [bytes]")}));
    return result;
}

const PaperRegistration g_figures{{"m4-table1", ComputeTable1},
                                  {"m4-table3", ComputeTable3},
                                  {"m4-fig6", ComputeFigure6},
                                  {"m4-fig7", ComputeFigure7},
                                  {"m4-fig8", ComputeFigure8},
                                  {"m4-table4", ComputeTable4},
                                  {"m4-fig9", ComputeFigure9},
                                  {"m4-fig10", ComputeFigure10},
                                  {"m4-fig11", ComputeFigure11},
                                  {"m4-fig13", ComputeFigure13}};

} // namespace

} // namespace ns3
