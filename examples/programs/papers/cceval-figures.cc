/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Figures of CCEval (NSDI 2026).
 *
 * The paper's network has 320 hosts at 100 Gb/s, and a trial 30,000 flows. The small scale is a fat
 * tree of 16 hosts at 10 Gb/s with a few dozen flows a trial, so that classes of sizes differ: large
 * flows are those above 1 MB (the paper: 10 MB), small ones those below 50 KB (10 KB).
 */

#include "paper-compare.h"
#include "paper-figure.h"

#include "ns3/cceval-evaluation.h"
#include "ns3/cceval-interval.h"
#include "ns3/cceval-size-fit.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

using R = PaperRelation;

constexpr double LEVEL = 0.95;       //!< of intervals
constexpr double MARGIN = 0.01;      //!< relative half-width of the paper
constexpr std::size_t PILOT = 20;    //!< trials after which the paper forecasts
const std::vector<std::string> CONTROLS{"hpcc", "dcqcn", "timely", "dctcp"};

/// An evaluation.
struct Evaluation
{
    std::string recipe;               //!< topology and traffic
    std::string cc;                   //!< congestion control
    std::vector<std::string> metrics; //!< CcevalMetric
    uint64_t trials;                  //!< number of trials
    std::string estimator{"packet"};  //!< answers the trials
    std::string method{"model-free"}; //!< of the interval
    std::string folder;               //!< stores trials
};

/// Runs an evaluation: by metric M "M|values" (of trials), "M|interval", "M|gain"; "phases", "flows".
PaperNumbers
RunEvaluation(const Evaluation& evaluation)
{
    DcnScenarioRecipe recipe(evaluation.recipe);
    recipe.Set("cc", evaluation.cc);
    const auto parts = recipe.CreateParts();
    CcevalRequest request;
    request.metrics = evaluation.metrics;
    request.trials = evaluation.trials;
    request.margin = MARGIN;
    request.level = LEVEL;
    request.estimator = evaluation.estimator;
    request.method = evaluation.method;
    request.folder = evaluation.folder;
    PaperNumbers numbers;
    for (const CcevalResult& result :
         CcevalEvaluation(evaluation.cc, parts.topology, parts.spec, parts.network, request).Run())
    {
        numbers[result.metric + "|values"] = result.values;
        numbers[result.metric + "|interval"] = {result.interval.estimate,
                                                result.interval.low,
                                                result.interval.high};
        numbers[result.metric + "|gain"] = {result.gain, result.cpuGain};
        numbers[result.metric + "|other"] = {result.answeredBy.empty() ? 0.0 : 1.0};
        numbers["phases"].assign(result.phases.begin(), result.phases.end());
        numbers["flows"] = {result.flowsPerTrial};
        numbers["cpu"] = {result.cpuSeconds, result.extraCpuSeconds};
    }
    return numbers;
}

/// Runs evaluations, each a task.
std::vector<PaperNumbers>
Evaluate(PaperRun& run, std::vector<Evaluation> evaluations)
{
    std::vector<PaperTask> tasks;
    for (Evaluation& each : evaluations)
    {
        std::string key = each.recipe + ",cc=" + each.cc + "|" + each.method + "|" +
                          std::to_string(each.trials);
        for (const std::string& metric : each.metrics)
        {
            key += "|" + metric;
        }
        // of stored trials; a model that is trained again is another estimator of the same name
        each.folder = run.MakeFolder(
            "runs/cceval-trials-" +
            DcnHashText(key + each.estimator +
                        DcnEstimator::CreateByName(each.estimator)->GetDigest()));
        tasks.push_back({key, {each.estimator}, [each]() { return RunEvaluation(each); }});
    }
    return run.Compute("cceval", tasks);
}

/// @return the fat tree
std::string
GetFatTree(const PaperRun& run)
{
    return run.Choose(std::string("topology=fat-tree,pods=4,hostRate=10Gbps,sizes=web-search,"
                                  "load=0.3,seed=1,flows=60"),
                      std::string("topology=fat-tree,pods=8,hostRate=100Gbps,sizes=web-search,"
                                  "load=0.3,seed=1,duration=2ms"));
}

/// @return the dumbbell
std::string
GetDumbbell(const PaperRun& run)
{
    return run.Choose(std::string("topology=dumbbell,hostsPerRack=10,hostRate=10Gbps,"
                                  "fabricRate=10Gbps,sizes=web-search,load=0.3,seed=1,flows=60"),
                      std::string("topology=dumbbell,hostsPerRack=10,hostRate=100Gbps,"
                                  "fabricRate=100Gbps,sizes=web-search,load=0.3,seed=1,"
                                  "duration=20ms"));
}

const std::string LARGE = "p50_fct@>1MB";   //!< median of large flows
const std::string SMALL = "p99_fct@<50KB";  //!< tail of small flows
const std::string ALL = "p99_fct";          //!< tail of all flows
const std::vector<std::string> METRICS{LARGE, "p99_fct@>1MB", "p50_fct@<50KB", SMALL, ALL};

/// Runs the four algorithms on a network.
std::vector<PaperNumbers>
EvaluateControls(PaperRun& run, const std::string& recipe)
{
    std::vector<Evaluation> evaluations;
    for (const std::string& cc : CONTROLS)
    {
        evaluations.push_back({recipe, cc, METRICS, run.Choose<uint64_t>(80, 500)});
    }
    return Evaluate(run, evaluations);
}

/// @return standard deviation of a sample
double
GetDeviation(const std::vector<double>& values)
{
    const double mean = DcnMean(values);
    double sum = 0;
    for (const double value : values)
    {
        sum += (value - mean) * (value - mean);
    }
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

/// @return Equation 3: trials at which the interval has the margin
double
Forecast(const std::vector<double>& values, double margin)
{
    const double z = CcevalNormalQuantile((1 + LEVEL) / 2);
    const double c = GetDeviation(values) / DcnMean(values);
    return std::max(static_cast<double>(PILOT), std::ceil(z * z * c * c / (margin * margin)));
}

/// Draws of trials with replacement.
class Draws
{
  public:
    Draws()
        : m_uniform(CreateObject<UniformRandomVariable>())
    {
        m_uniform->SetStream(3);
    }

    /// @return n of the values
    std::vector<double> Take(const std::vector<double>& values, std::size_t n)
    {
        std::vector<double> taken;
        for (std::size_t i = 0; i < n; ++i)
        {
            taken.push_back(values[m_uniform->GetInteger(
                0,
                static_cast<uint32_t>(values.size()) - 1)]);
        }
        return taken;
    }

  private:
    Ptr<UniformRandomVariable> m_uniform; //!< of the draws
};

const std::string TREE_SMALL = "fat tree of 16 hosts, 60 flows a trial, 80 trials, seed 1";
const std::string TREE_FULL =
    "fat tree of 128 hosts at 100 Gb/s, trials of 2 ms, 500 trials, seed 1";
const std::string TREE_COST = "estimated from 1.1 s a trial: 40 min, 0.5 GB";
const std::string TREE_DEPARTS =
    "Published: 320 hosts, 30,000 flows a trial. Small flows: below 50 KB (published 10 KB); large: "
    "above 1 MB (10 MB), as a trial has fewer flows.";

PaperResult
ComputeFigure3(PaperRun& run)
{
    constexpr std::size_t FEW = 10;
    constexpr std::size_t N_DRAWS = 4000;
    const auto all = EvaluateControls(run, GetFatTree(run));
    PaperResult result;
    double most = 0;
    double spread = 0;
    Draws draws;
    for (const std::string& metric : METRICS)
    {
        for (std::size_t a = 0; a < CONTROLS.size(); ++a)
        {
            const auto& x = all[a].at(metric + "|values");
            spread = std::max(spread, GetDeviation(x) / DcnMean(x));
            for (std::size_t b = a + 1; b < CONTROLS.size(); ++b)
            {
                const auto& y = all[b].at(metric + "|values");
                const bool order = DcnMean(x) < DcnMean(y);
                std::size_t flips = 0;
                for (std::size_t i = 0; i < N_DRAWS; ++i)
                {
                    flips += (DcnMean(draws.Take(x, FEW)) < DcnMean(draws.Take(y, FEW))) != order;
                }
                const double share = 100 * static_cast<double>(flips) / N_DRAWS;
                most = std::max(most, share);
                result.AddOther(CONTROLS[a] + " and " + CONTROLS[b] + ", " + metric +
                                    ": draws of 10 with the other order",
                                "%",
                                {share});
            }
        }
    }
    result.values["draws of 10 trials with the other order, most over pairs"] = {most};
    result.values["standard deviation over mean, most over metrics"] = {100 * spread};
    const std::size_t timely = 2;
    const std::size_t dcqcn = 1;
    result.values["small flows, tail: TIMELY over DCQCN"] = {
        PaperGet(all[timely], SMALL + "|interval") / PaperGet(all[dcqcn], SMALL + "|interval")};
    std::vector<Gnuplot> panels;
    for (const std::string& metric : {LARGE, SMALL})
    {
        std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> groups;
        for (std::size_t a = 0; a < CONTROLS.size(); ++a)
        {
            const auto& values = all[a].at(metric + "|values");
            groups.push_back({{CONTROLS[a], "10 trials"},
                              {values.begin(), values.begin() + FEW}});
            groups.push_back({{CONTROLS[a], "all trials"}, values});
        }
        panels.push_back(PaperMakeStrips(metric, "FCT [us]", groups));
    }
    result.pictures.push_back(
        PaperMakePanels("cceval-fig3", "Quantiles of trials by congestion control", panels));
    return result;
}

const PaperRegistration g_figure3(
    PaperFigure("cceval-fig3", "Quantiles by trial: 10 against all trials, and flips of the order")
        .From("CCEval",
              "section 2.2, Figure 3: the order of HPCC and DCQCN flips from 10 to 500 "
              "trials; 5 % of the draws is our bar")
        .Publish("draws of 10 trials with the other order, most over pairs", "%", 5, R::ABOVE)
        .Publish("standard deviation over mean, most over metrics", "%", 50, R::NEAR, 0.5)
        .Publish("small flows, tail: TIMELY over DCQCN", "x", 1.5, R::SHOWN)
        .On(TREE_SMALL, TREE_FULL)
        .Costs(52, TREE_COST)
        .Departs(TREE_DEPARTS)
        .By(ComputeFigure3));

PaperResult
ComputeFigure4(PaperRun& run)
{
    constexpr std::size_t REPETITIONS = 2000;
    const auto all = EvaluateControls(run, GetFatTree(run));
    PaperResult result;
    Draws draws;
    std::vector<double> ratios;
    std::vector<double> coverages;
    std::vector<double> wide;
    std::vector<double> single;
    std::vector<PaperBar> bars;
    for (std::size_t a = 0; a < CONTROLS.size(); ++a)
    {
        for (const std::string& metric : {LARGE, SMALL})
        {
            // the trials are the population whose mean is known
            const auto& values = all[a].at(metric + "|values");
            const double truth = DcnMean(values);
            const double deviation = GetDeviation(values);
            const CcevalInterval interval = CcevalMeanInterval(values, LEVEL);
            ratios.push_back(interval.GetHalfWidth() / deviation);
            bars.push_back({CONTROLS[a] + " " + metric, "mean and deviation", 100 * deviation / truth});
            bars.push_back({CONTROLS[a] + " " + metric,
                            "interval",
                            100 * interval.GetHalfWidth() / interval.estimate});
            double covered = 0;
            double wider = 0;
            for (std::size_t i = 0; i < REPETITIONS; ++i)
            {
                const auto sample = draws.Take(values, PILOT);
                covered += CcevalMeanInterval(sample, LEVEL).Contains(truth);
                wider += std::abs(DcnMean(sample) - truth) <= GetDeviation(sample);
            }
            coverages.push_back(100 * covered / REPETITIONS);
            wide.push_back(100 * wider / REPETITIONS);
            const auto n = std::count_if(values.begin(), values.end(), [&](double value) {
                return std::abs(value - truth) <= deviation;
            });
            single.push_back(100 * static_cast<double>(n) / static_cast<double>(values.size()));
        }
    }
    result.values["half-width of the interval over the deviation"] = PaperMean(ratios);
    result.values["interval of 20 trials contains the mean"] = PaperMean(coverages);
    result.values["mean -+ deviation contains the mean"] = PaperMean(wide);
    result.AddOther("a trial -+ deviation contains the mean", "%", PaperMean(single));
    result.pictures.push_back(PaperPlotBars("cceval-fig4",
                                            "Margin by deviation and by interval",
                                            "relative margin [%]",
                                            bars));
    return result;
}

const PaperRegistration g_figure4(
    PaperFigure("cceval-fig4", "Mean and deviation against intervals: margin and coverage")
        .From("CCEval", "section 2.3, Figure 4")
        .Publish("half-width of the interval over the deviation", "x", 1, R::BELOW)
        .Publish("interval of 20 trials contains the mean", "%", 95, R::NEAR, 0.03)
        .Publish("mean -+ deviation contains the mean", "%", 68, R::NEAR)
        .On(TREE_SMALL + "; samples of 20 of them", TREE_FULL + "; samples of 20 of them")
        .Costs(52, TREE_COST)
        .Departs(TREE_DEPARTS)
        .Because("68 % is the share of single trials within a deviation of the mean (69.5 % here); "
                 "the mean of 20 trials is within a deviation, 4.5 standard errors, nearly always")
        .By(ComputeFigure4));

PaperResult
ComputeFigure7(PaperRun& run)
{
    const auto all = EvaluateControls(run, GetFatTree(run));
    const auto& values = all[2].at(ALL + "|values"); // TIMELY
    PaperSeries series{{"real", {}}, {"required", {}}};
    std::map<std::size_t, double> halves;
    for (std::size_t n = 5; n <= values.size(); ++n)
    {
        const CcevalInterval interval =
            CcevalMeanInterval(std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)), LEVEL);
        halves[n] = interval.GetHalfWidth() / interval.estimate;
        series[0].second.emplace_back(n, 100 * halves[n]);
        series[1].second.emplace_back(n, 100 * MARGIN);
    }
    PaperResult result;
    result.values["half-width at a quarter of the trials over that at all"] = {
        halves.at(values.size() / 4) / halves.at(values.size())};
    result.values["trials for 1 %"] = {Forecast(values, MARGIN)};
    result.AddOther("half-width after all trials", "%", {100 * halves.at(values.size())});
    result.pictures.push_back(PaperMakePanels(
        "cceval-fig7",
        "TIMELY, p99 of all flows",
        {PaperMakeLines("interval by number of trials", "trials", "half-width [%]", series)}));
    return result;
}

const PaperRegistration g_figure7(
    PaperFigure("cceval-fig7", "The interval converges to the required one")
        .From("CCEval",
              "section 6.2, Figure 7: within a few thousand trials; the first value is that "
              "of the central limit theorem")
        .Publish("half-width at a quarter of the trials over that at all", "x", 2, R::NEAR, 0.3)
        .Publish("trials for 1 %", "", 3000, R::SHOWN)
        .On(TREE_SMALL, TREE_FULL)
        .Costs(52, TREE_COST)
        .Departs(TREE_DEPARTS)
        .By(ComputeFigure7));

PaperResult
ComputeFigure8(PaperRun& run)
{
    const std::string metric = ALL;
    const std::string slowdown = "p99_slowdown";
    const std::vector<std::pair<std::string, std::string>> estimators{
        {"packet", "packet"},
        {"m3:Threads=1", "m3"},
        {"parsimon:Threads=1", "Parsimon"},
        {"parsimon:Threads=1:Rules=published", "Parsimon, published rules"}};
    std::vector<Evaluation> evaluations;
    for (const auto& [estimator, name] : estimators)
    {
        evaluations.push_back(
            {GetFatTree(run),
             "timely",
             {metric, slowdown, "p50_fct", LARGE, SMALL},
             run.Choose<uint64_t>(40, 200),
             estimator});
    }
    const auto all = Evaluate(run, evaluations);
    PaperResult result;
    std::vector<PaperBar> bars;
    const double truth = PaperGet(all[0], metric + "|interval");
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const PaperMeasured mean = PaperGetMeasured(all[i], metric + "|interval");
        const std::string name = estimators[i].second;
        result.AddOther(name + ", p99 of a trial", "us", mean);
        for (const std::string& other : {slowdown, std::string("p50_fct"), LARGE, SMALL})
        {
            result.AddOther(name + ", " + other,
                            other == slowdown ? "" : "us",
                            PaperGetMeasured(all[i], other + "|interval"));
        }
        bars.push_back({name, "mean over trials", mean.value / 1000});
        if (i > 0)
        {
            result.values[name + ", |difference| from packets"] = {
                100 * std::abs(mean.value / truth - 1)};
        }
    }
    result.pictures.push_back(
        PaperPlotBars("cceval-fig8", "TIMELY by three estimators", "p99 of the FCT [ms]", bars));
    return result;
}

const PaperRegistration g_figure8(
    PaperFigure("cceval-fig8", "Intervals by packets, m3 and Parsimon")
        .From("CCEval", "section 6.2, Figure 8: estimators differ by 10 to 20 %")
        .Publish("m3, |difference| from packets", "%", 20, R::AT_MOST)
        .Publish("Parsimon, |difference| from packets", "%", 20, R::AT_MOST)
        .Publish("Parsimon, published rules, |difference| from packets", "%", 20, R::AT_MOST)
        .On("fat tree of 16 hosts, 60 flows a trial, 40 trials, seed 1",
            "fat tree of 128 hosts at 100 Gb/s, trials of 2 ms, 200 trials, seed 1")
        .Costs(9, "estimated: 10 min, 0.5 GB")
        .Departs("m3's completion times are its slowdowns times ideal times (contrib/cceval/doc/"
                 "cceval.rst). " +
                 TREE_DEPARTS)
        .Because(
            "the p99 of m3 is off by 14 % on average on networks as users have them; the published "
            "rules of Parsimon add the delays of all hops, even of hops at which a flow waits at "
            "one time, and let a flow arrive at every link at the full rate of its NIC: the median "
            "of large flows is 31 % too long, the p99 slowdown 2.1 and the p99 of all flows 3.0 "
            "times that of packets, in which one long flow meets others at several hops")
        .By(ComputeFigure8));

/// Describes intervals and trials needed by algorithm.
PaperResult
DescribeControls(const std::string& name, const std::vector<PaperNumbers>& all)
{
    PaperResult result;
    std::vector<PaperBar> trials;
    std::vector<PaperBar> means;
    for (std::size_t a = 0; a < CONTROLS.size(); ++a)
    {
        for (const std::string& metric : {LARGE, SMALL})
        {
            const double needed = Forecast(all[a].at(metric + "|values"), MARGIN);
            result.AddOther(CONTROLS[a] + ", " + metric, "us", PaperGetMeasured(all[a], metric + "|interval"));
            result.AddOther(CONTROLS[a] + ", " + metric + ", trials for 1 %", "", {needed});
            trials.push_back({metric, CONTROLS[a], needed});
            means.push_back({metric, CONTROLS[a], PaperGet(all[a], metric + "|interval")});
        }
    }
    result.pictures.push_back(PaperPlotBars(name + "-trials", "Trials for 1 %", "trials", trials));
    result.pictures.push_back(PaperPlotBars(name + "-means", "Means over trials", "FCT [us]", means));
    return result;
}

PaperResult
ComputeFigure9(PaperRun& run)
{
    const auto all = EvaluateControls(run, GetFatTree(run));
    PaperResult result = DescribeControls("cceval-fig9", all);
    double others = 0;
    for (const std::size_t a : {0, 1, 3})
    {
        others = std::max(others, Forecast(all[a].at(SMALL + "|values"), MARGIN));
    }
    result.values["small flows, tail: trials of TIMELY over the most of the others"] = {
        Forecast(all[2].at(SMALL + "|values"), MARGIN) / others};
    return result;
}

const PaperRegistration g_figure9(
    PaperFigure("cceval-fig9", "Intervals and trials of the congestion controls")
        .From("CCEval",
              "section 6.2, Figure 9: TIMELY needs many more trials for the tail of small "
              "flows")
        .Publish("small flows, tail: trials of TIMELY over the most of the others",
                 "x",
                 1,
                 R::ABOVE)
        .On(TREE_SMALL, TREE_FULL)
        .Costs(52, TREE_COST)
        .Departs(TREE_DEPARTS + " Trials for 1 % are forecast from all trials (Equation 3).")
        .Because(
            "by Equation 3 the published 9,246 trials mean a deviation of 49 % of the mean; here "
            "it is 27 % for TIMELY and 36 % for DCTCP, whose tail is the longest (117 us, TIMELY "
            "104 us), and at 128 hosts with trials of 20 ms TIMELY's does not stand out either "
            "(doc/notebook/cceval.rst, Figures 3 and 9 at k = 8)")
        .By(ComputeFigure9));

PaperResult
ComputeFigure10(PaperRun& run)
{
    constexpr std::size_t REPLAYS = 400;
    const auto all = EvaluateControls(run, GetFatTree(run));
    const double z = CcevalNormalQuantile((1 + LEVEL) / 2);
    PaperResult result;
    Draws draws;
    std::vector<double> medians;
    std::vector<PaperBar> bars;
    std::map<double, double> stops; // by margin, of TIMELY's tail
    for (std::size_t a = 0; a < CONTROLS.size(); ++a)
    {
        for (const std::string& metric : {LARGE, SMALL, ALL})
        {
            // sequences of trials, drawn from those that were run
            const auto& values = all[a].at(metric + "|values");
            for (const double margin : {0.04, 0.02})
            {
                std::vector<double> errors;
                double sum = 0;
                for (std::size_t replay = 0; replay < REPLAYS; ++replay)
                {
                    std::vector<double> sample = draws.Take(values, PILOT);
                    const double forecast = Forecast(sample, margin);
                    double n = PILOT;
                    double mean = DcnMean(sample);
                    double square = 0;
                    for (const double value : sample)
                    {
                        square += (value - mean) * (value - mean);
                    }
                    // Equation 2: stop at the first interval within the margin
                    while (z * std::sqrt(square / (n - 1) / n) > margin * mean && n < 1e5)
                    {
                        const double value = draws.Take(values, 1).front();
                        ++n;
                        const double before = value - mean;
                        mean += before / n;
                        square += before * (value - mean);
                    }
                    errors.push_back(100 * std::abs(forecast / n - 1));
                    sum += n;
                }
                if (a == 2 && metric == ALL)
                {
                    stops[margin] = sum / REPLAYS;
                }
                if (margin == 0.02)
                {
                    medians.push_back(PaperQuantile(errors, 0.5).value);
                    bars.push_back({metric, CONTROLS[a], sum / REPLAYS});
                }
            }
        }
    }
    result.values["forecast after 20 trials, median |error|"] = PaperMean(medians);
    result.values["trials at half the margin over those at the margin"] = {stops.at(0.02) /
                                                                          stops.at(0.04)};
    const auto& timely = all[2];
    result.values["TIMELY: trials for 1 %, median of large flows"] = {
        Forecast(timely.at(LARGE + "|values"), MARGIN)};
    result.values["TIMELY: trials for 1 %, tail of small flows"] = {
        Forecast(timely.at(SMALL + "|values"), MARGIN)};
    PaperSeries series;
    for (const std::string& metric : {LARGE, SMALL, ALL})
    {
        series.push_back({metric, {}});
        for (double margin = 1e-4; margin < 0.2; margin *= 2)
        {
            series.back().second.emplace_back(100 * margin,
                                              Forecast(timely.at(metric + "|values"), margin));
        }
    }
    result.pictures.push_back(PaperPlotBars("cceval-fig10a", "Trials for 2 %", "trials", bars));
    result.pictures.push_back(
        PaperMakePanels("cceval-fig10b",
                        "Trials by margin",
                        {PaperMakeLines("TIMELY", "margin [%]", "trials", series, "set logscale xy")}));
    return result;
}

const PaperRegistration g_figure10(
    PaperFigure("cceval-fig10", "Forecast of the number of trials, and trials by margin")
        .From("CCEval", "section 6.3, Figure 10")
        .Publish("forecast after 20 trials, median |error|", "%", 10, R::AT_MOST)
        .Publish("trials at half the margin over those at the margin", "x", 4, R::NEAR, 0.25)
        .Publish("TIMELY: trials for 1 %, median of large flows", "", 27, R::SHOWN)
        .Publish("TIMELY: trials for 1 %, tail of small flows", "", 9246, R::SHOWN)
        .On(TREE_SMALL + "; 400 replays with margins of 2 and 4 %", TREE_FULL + "; 400 replays")
        .Costs(52, TREE_COST)
        .Departs(TREE_DEPARTS + " Sequences are drawn from the trials that were run.")
        .Because(
            "a deviation estimated from 20 values has a standard error of 16 % at the least "
            "(normal values), its square and the forecast 32 %; errors of 1 to 10 % can be luck "
            "only")
        .By(ComputeFigure10));

PaperResult
ComputeFigure11(PaperRun& run)
{
    const auto dumbbell = EvaluateControls(run, GetDumbbell(run));
    const auto tree = EvaluateControls(run, GetFatTree(run));
    PaperResult result = DescribeControls("cceval-fig11", dumbbell);
    double more = 0;
    double n = 0;
    for (std::size_t a = 0; a < CONTROLS.size(); ++a)
    {
        for (const std::string& metric : {LARGE, SMALL})
        {
            more += Forecast(dumbbell[a].at(metric + "|values"), MARGIN) >
                    Forecast(tree[a].at(metric + "|values"), MARGIN);
            ++n;
        }
    }
    result.values["cases in which the dumbbell needs more trials than the fat tree"] = {100 * more /
                                                                                       n};
    return result;
}

const PaperRegistration g_figure11(
    PaperFigure("cceval-fig11", "Intervals and trials on a dumbbell")
        .From("CCEval", "section 6.4, Figure 11: in most cases more trials than on the fat tree")
        .Publish("cases in which the dumbbell needs more trials than the fat tree",
                 "%",
                 50,
                 R::ABOVE)
        .On("dumbbell of 20 hosts, 60 flows a trial, 80 trials, seed 1",
            "dumbbell of 20 hosts at 100 Gb/s, trials of 20 ms, 500 trials, seed 1")
        .Costs(77, "estimated: 1 h, 0.5 GB, and those of cceval-fig9")
        .Departs(TREE_DEPARTS + " Trials for 1 % are forecast from all trials (Equation 3).")
        .By(ComputeFigure11));

const PaperRegistration g_figure12(
    PaperFigure("cceval-fig12", "Intervals and trials on a hardware testbed")
        .From("CCEval", "section 6.4, Figure 12")
        .Publish("trials of the testbed over those of ns-3", "x", 1.2, R::ABOVE)
        .Because("it needs the authors' testbed: two servers with 100 Gb/s cards and switches"));

PaperResult
ComputeFigure13(PaperRun& run)
{
    const std::vector<std::string> durations =
        run.IsFull() ? std::vector<std::string>{"500us", "2ms", "5ms", "20ms"}
                     : std::vector<std::string>{"500us", "1ms", "3ms", "6ms"};
    const std::vector<uint64_t> trials = run.IsFull() ? std::vector<uint64_t>{400, 100, 100, 100}
                                                      : std::vector<uint64_t>{40, 25, 12, 8};
    std::vector<Evaluation> evaluations;
    for (std::size_t i = 0; i < durations.size(); ++i)
    {
        evaluations.push_back({"topology=fat-tree,pods=" + std::string(run.Choose("4", "8")) +
                                   ",hostRate=100Gbps,sizes=web-search,load=0.3,seed=1,duration=" +
                                   durations[i],
                               "dctcp",
                               {SMALL},
                               trials[i]});
    }
    const auto all = Evaluate(run, evaluations);
    PaperResult result;
    std::vector<PaperBar> phases;
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<double>>> groups;
    const char* const names[] = {"warm-up", "stable", "cool-down"};
    for (std::size_t i = 0; i < durations.size(); ++i)
    {
        groups.push_back({{durations[i], "trials"}, all[i].at(SMALL + "|values")});
        for (std::size_t phase = 0; phase < 3; ++phase)
        {
            phases.push_back({durations[i], names[phase], 100 * PaperGet(all[i], "phases", phase)});
        }
        result.AddOther(durations[i] + ", tail of small flows",
                        "us",
                        PaperGetMeasured(all[i], SMALL + "|interval"));
        result.AddOther(durations[i] + ", flows a trial", "", {PaperGet(all[i], "flows")});
        result.AddOther(durations[i] + ", flows for 1 %",
                        "",
                        {PaperGet(all[i], "flows") *
                         Forecast(all[i].at(SMALL + "|values"), MARGIN)});
    }
    result.values["tail of small flows, longest over shortest trials"] = {
        PaperGet(all.back(), SMALL + "|interval") / PaperGet(all.front(), SMALL + "|interval")};
    result.values["shortest trials: flows of warm-up and cool-down"] = {
        100 * (1 - PaperGet(all.front(), "phases", 1))};
    result.values["flows for 1 %, longest over shortest trials"] = {
        PaperGet(all.back(), "flows") * Forecast(all.back().at(SMALL + "|values"), MARGIN) /
        (PaperGet(all.front(), "flows") * Forecast(all.front().at(SMALL + "|values"), MARGIN))};
    result.pictures.push_back(PaperMakePanels(
        "cceval-fig13a",
        "Small flows by the length of trials",
        {PaperMakeStrips("DCTCP", "tail of the FCT [us]", groups)}));
    result.pictures.push_back(
        PaperPlotBars("cceval-fig13b", "Flows by phase of the trial", "share [%]", phases));
    return result;
}

const PaperRegistration g_figure13(
    PaperFigure("cceval-fig13", "Length of trials: tail, phases and flows needed")
        .From("CCEval", "section 6.4, Figure 13: 29.72 us with 2 ms, 73.42 us with long trials")
        .Publish("tail of small flows, longest over shortest trials", "x", 2.47, R::NEAR, 0.3)
        .Publish("shortest trials: flows of warm-up and cool-down", "%", 90, R::ABOVE)
        .Publish("flows for 1 %, longest over shortest trials", "x", 1, R::ABOVE)
        .On("fat tree of 16 hosts at 100 Gb/s; 0.5, 1, 3 and 6 ms; 40, 25, 12 and 8 trials; seed 1",
            "fat tree of 128 hosts at 100 Gb/s; 0.5, 2, 5 and 20 ms; 400, 100, 100 and 100 trials; "
            "seed 1")
        .Costs(15, "estimated: 1 h, 1 GB")
        .Departs("Published: p99.9 of flows below 10 KB on 320 hosts, 2 ms to 1 s; here the p99 of "
                 "those below 50 KB.")
        .Because(
            "the paper gives no rule for its phases; here the warm-up ends when the number of "
            "active flows first reaches its mean. With the time that the largest flow needs by "
            "itself as the warm-up (30 MB at 100 Gb/s: 2.4 ms) all of a trial of 2 ms is warm-up "
            "or cool-down")
        .By(ComputeFigure13));

PaperResult
ComputeFigure14(PaperRun& run)
{
    const std::string metric = "pooled_p99_fct";
    std::vector<Evaluation> evaluations;
    const std::vector<std::string> controls{"dctcp", "timely", "hpcc"};
    for (const std::string& cc : controls)
    {
        evaluations.push_back({run.Choose(std::string("topology=dumbbell,hostsPerRack=10,"
                                                      "sizes=web-search,load=0.3,seed=1,flows=45"),
                                          GetDumbbell(run)),
                               cc,
                               {metric},
                               400,
                               "packet",
                               "importance"});
    }
    const auto all = Evaluate(run, evaluations);
    PaperResult result;
    std::vector<PaperBar> saved;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const double share = 100 * (1 - 1 / PaperGet(all[i], metric + "|gain"));
        if (PaperGet(all[i], metric + "|other") > 0)
        {
            result.note += controls[i] + " was answered by plain sampling: the tilted trials did not "
                                         "pass the method's own checks. ";
        }
        result.values[controls[i] + ", trials saved by importance sampling"] = {share};
        result.AddOther(controls[i] + ", processor time saved",
                        "%",
                        {100 * (1 - 1 / PaperGet(all[i], metric + "|gain", 1))});
        result.AddOther(controls[i] + ", p99 of all flows",
                        "us",
                        PaperGetMeasured(all[i], metric + "|interval"));
        saved.push_back({controls[i], "trials saved", std::max(0.0, share)});
    }
    double best = 1e9;
    double others = 1e9;
    std::vector<PaperBar> errors;
    for (const CcevalFormFit& fit : CcevalFitForms("web-search"))
    {
        result.AddOther("fit of web-search, " + fit.form + ", largest error",
                        "%",
                        {100 * fit.largestError});
        errors.push_back({fit.form, "squared error", fit.squaredError});
        (fit.form == "log-normal" ? best : others) =
            std::min(fit.form == "log-normal" ? best : others, fit.squaredError);
    }
    result.values["squared error of the fit, log-normal over the best of the others"] = {best /
                                                                                         others};
    result.pictures.push_back(
        PaperPlotBars("cceval-fig14a", "Trials saved", "share of the trials [%]", saved));
    result.pictures.push_back(PaperPlotBars("cceval-fig14b",
                                            "Fits of web-search",
                                            "sum of squared errors of the distribution",
                                            errors));
    return result;
}

const PaperRegistration g_figure14(
    PaperFigure("cceval-fig14", "Importance sampling, and fits of the sizes")
        .From("CCEval", "section 6.5, Figure 14")
        .Publish("dctcp, trials saved by importance sampling", "%", 75, R::AT_LEAST, 0.05)
        .Publish("timely, trials saved by importance sampling", "%", 80, R::AT_LEAST, 0.05)
        .Publish("hpcc, trials saved by importance sampling", "%", 80, R::AT_LEAST, 0.05)
        .Publish("squared error of the fit, log-normal over the best of the others",
                 "x",
                 1,
                 R::BELOW)
        .On("dumbbell of 20 hosts, 45 flows a trial, 400 tilted trials, seed 1",
            "dumbbell of 20 hosts at 100 Gb/s, trials of 20 ms, 400 tilted trials, seed 1")
        .Costs(109, "estimated: 1 h, 0.5 GB")
        .Departs("The default proposal (mixture); savings at equal checked coverage.")
        .Because(
            "a trial has 0.45 flows beyond the p99, and the gain is bounded by how well the tail "
            "follows from sizes alone: against 2,000 plain trials it is 2.9, 3.4 and 2.6 (61 to "
            "71 %); tilting all flows, as printed, gives 1.5 to 2.6, and the printed search "
            "without weights intervals that cover 0 to 21 % (doc/notebook/cceval.rst). Control "
            "variates save 85 to 98 %. At the full network (128 hosts, 30,000 flows a trial, 300 "
            "of "
            "them beyond the p99) it saves 30 % (2 to 49 %) of the trials")
        .By(ComputeFigure14));

} // namespace

} // namespace ns3
