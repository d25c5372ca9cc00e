/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Evaluate congestion controls until their metrics are known to a margin.
 *
 * Trials with independent random traffic are run until the confidence interval of every metric is
 * narrow enough; algorithms see the same traffic and are compared pair by pair.
 */

#include "ns3/cceval-comparison.h"
#include "ns3/cceval-evaluation.h"
#include "ns3/cceval-violin.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-scenario-options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param text metrics joined by commas
 * @return the metrics
 */
std::vector<CcevalMetric>
ParseMetrics(const std::string& text)
{
    std::vector<CcevalMetric> metrics;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, ',');)
    {
        metrics.push_back(CcevalMetric::Parse(name));
    }
    return metrics;
}

/**
 * @param name a metric
 * @return the same without what file names should not have
 */
std::string
FileName(std::string name)
{
    const std::string odd = "<>@";
    const std::string instead = "lg-";
    for (char& c : name)
    {
        const std::size_t at = odd.find(c);
        c = at == std::string::npos ? c : instead[at];
    }
    return name;
}

/**
 * Print what is known of a metric.
 * @param result what is known
 * @param unit of the metric
 */
void
Print(const CcevalResult& result, const std::string& unit)
{
    const auto& interval = result.interval;
    std::printf("%-8s %-20s %12.5g +- %-10.4g %-2s %6.2f %% %7zu %6zu %8.1f %6.2f  %s\n",
                result.algorithm.c_str(),
                result.metric.c_str(),
                interval.estimate,
                interval.GetHalfWidth(),
                unit.c_str(),
                100 * interval.GetHalfWidth() / std::abs(interval.estimate),
                static_cast<std::size_t>(result.trials),
                static_cast<std::size_t>(result.failed),
                result.cpuSeconds + result.extraCpuSeconds,
                result.gain,
                result.converged ? "" : "not known to the margin");
    if (!result.converged && result.forecast.trials > 0)
    {
        const double each = result.cpuSeconds / static_cast<double>(result.trials);
        const auto trials = static_cast<double>(result.forecast.trials);
        std::printf("         about %.0f trials (%.0f to %.0f) are needed, %.0f s of processor time "
                    "more\n",
                    trials,
                    static_cast<double>(result.forecast.low),
                    static_cast<double>(result.forecast.high),
                    each * std::max(0.0, trials - static_cast<double>(result.trials)));
    }
    if (!result.note.empty())
    {
        std::printf("         %s\n", result.note.c_str());
    }
}

/**
 * Write and print the differences of all pairs of algorithms.
 * @param names of the algorithms
 * @param results by algorithm and metric
 * @param metrics the metrics
 * @param level joint confidence level
 * @param path of the file
 */
void
Compare(const std::vector<std::string>& names,
        const std::vector<std::vector<CcevalResult>>& results,
        const std::vector<CcevalMetric>& metrics,
        double level,
        const std::string& path)
{
    const auto nMetrics = static_cast<uint64_t>(
        std::count_if(metrics.begin(), metrics.end(), [](const auto& m) { return !m.pooled; }));
    DcnFileWriter csv(path);
    csv.Stream() << "metric,first,second,trials,difference,low,high,correlation,gain,verdict\n";
    for (std::size_t m = 0; m < metrics.size(); ++m)
    {
        std::vector<std::vector<double>> values;
        std::size_t n = SIZE_MAX;
        std::size_t failed = 0;
        for (const auto& each : results)
        {
            values.push_back(each[m].values);
            n = std::min(n, each[m].values.size());
            failed += each[m].failed;
        }
        // trials are those of the same traffic only if none was kept out
        if (n < 2 || failed > 0)
        {
            continue;
        }
        for (auto& each : values)
        {
            each.resize(n);
        }
        const CcevalComparison comparison(names, values, level, nMetrics);
        for (const auto& pair : comparison.GetPairs())
        {
            const char* verdicts[] = {"below", "unresolved", "above"};
            csv.Stream() << metrics[m].name << ',' << names[pair.first] << ','
                         << names[pair.second] << ',' << n << ',' << pair.difference.estimate
                         << ',' << pair.difference.low << ',' << pair.difference.high << ','
                         << pair.correlation << ',' << pair.gain << ','
                         << verdicts[pair.GetSign() + 1] << "\n";
        }
        std::printf("%s over %zu common trials: %s\n",
                    metrics[m].name.c_str(),
                    n,
                    comparison.DescribeOrder().c_str());
    }
    csv.Commit();
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnScenarioOptions options;
    CcevalRequest request;
    std::string metrics = "p99_fct";
    std::string rule = "guarded";
    std::string trim = "none";
    std::string out = "results";
    double margin = 0.05;
    double confidence = 0.95;
    CommandLine cmd(__FILE__);
    cmd.Usage("Evaluate congestion controls (--cc=a,b,...) until their metrics are known.");
    options.AddTo(cmd);
    DcnAddText(cmd, "metrics", "Joined by commas, as p99_fct, p50_fct@>10MB, pooled_p99_slowdown", metrics);
    cmd.AddValue("margin", "Relative half-width of the intervals", margin);
    cmd.AddValue("confidence", "Confidence level", confidence);
    DcnAddText(cmd, "rule", "Stopping rule: guarded or published", rule);
    DcnAddText(cmd, "method", "model-free, importance or control-variate", request.method);
    DcnAddText(cmd, "estimator", "What answers the trials", request.estimator);
    DcnAddText(cmd, "control", "Estimators of the controls, joined by +", request.control);
    cmd.AddValue("controlTraces", "Traces that tell the means of the controls", request.controlTraces);
    DcnAddText(cmd, "proposal", "Of importance sampling: mixture or tilt", request.proposal);
    DcnAddText(cmd, "tuner", "What tunes the proposal: control or method", request.tuner);
    DcnAddText(cmd, "trim", "Flows left out: none, warm-up or phases", trim);
    cmd.AddValue("trials", "Number of trials, whatever the margin (0: as the rule says)", request.trials);
    cmd.AddValue("maxTrials", "No more trials than this", request.maxTrials);
    cmd.AddValue("budget", "No more processor time per algorithm than this [s] (0: any)", request.budgetSeconds);
    cmd.AddValue("jobs", "Trials at a time", request.jobs);
    DcnAddText(cmd, "store", "Folder in which trials are kept and found again", request.folder);
    DcnAddText(cmd, "out", "Folder for cceval.csv, trials.csv, comparison.csv and plots", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-cceval", [&]() {
        request.metrics = ParseMetrics(metrics);
        request.rule = CcevalStoppingRule(CcevalStoppingRule::ParseKind(rule), margin, confidence);
        request.trim = CcevalParseTrim(trim);
        DcnMakeFolder(out);
        if (!request.folder.empty())
        {
            DcnMakeFolder(request.folder);
        }
        const std::vector<std::string> names = options.GetCongestionControls();
        const auto parts = options.CreateParts(names.front());
        const CcevalTraffic traffic(parts.topology, parts.spec);
        const DcnRank rank = DcnRank::Get();
        std::vector<std::unique_ptr<CcevalEvaluation>> evaluations;
        for (const auto& name : names)
        {
            evaluations.push_back(
                std::make_unique<CcevalEvaluation>(name,
                                                   traffic,
                                                   options.CreateParts(name).network,
                                                   request));
        }
        if (rank.size > 1)
        {
            for (const auto& evaluation : evaluations)
            {
                evaluation->RunShare(rank.rank, rank.size);
            }
            return 0;
        }
        std::printf("%-8s %-20s %12s    %-13s %8s %7s %6s %8s %6s\n", "method", "metric", "value",
                    "half-width", "relative", "trials", "failed", "cpu [s]", "gain");
        DcnFileWriter csv(out + "/cceval.csv");
        csv.Stream() << "algorithm,metric,method,trials,failed,value,low,high,half_width_relative,"
                        "converged,coverage_assured,forecast,forecast_low,forecast_high,cpu_s,"
                        "extra_cpu_s,gain,cpu_gain\n";
        DcnFileWriter trials(out + "/trials.csv");
        std::vector<std::vector<CcevalResult>> results;
        bool known = true;
        for (const auto& evaluation : evaluations)
        {
            results.push_back(evaluation->Run());
            for (const CcevalResult& r : results.back())
            {
                Print(r, CcevalMetric::Parse(r.metric).GetUnit());
                known = known && r.converged;
                csv.Stream() << r.algorithm << ',' << r.metric << ',' << r.method << ',' << r.trials
                             << ',' << r.failed << ',' << r.interval.estimate << ','
                             << r.interval.low << ',' << r.interval.high << ','
                             << r.interval.GetHalfWidth() / std::abs(r.interval.estimate) << ','
                             << r.converged << ',' << r.assured << ',' << r.forecast.trials << ','
                             << r.forecast.low << ',' << r.forecast.high << ',' << r.cpuSeconds
                             << ',' << r.extraCpuSeconds << ',' << r.gain << ',' << r.cpuGain << "\n";
            }
            evaluation->WriteTrials(trials.Stream(), &evaluation == &evaluations.front());
            const auto phases = evaluation->GetPhaseShares();
            std::printf("         %.1f flows per trial: %.1f %% warm-up, %.1f %% stable, %.1f %% "
                        "cool-down\n",
                        evaluation->GetMeanFlows(),
                        100 * phases[0],
                        100 * phases[1],
                        100 * phases[2]);
        }
        csv.Commit();
        trials.Commit();
        if (names.size() > 1)
        {
            Compare(names, results, request.metrics, confidence, out + "/comparison.csv");
        }
        for (std::size_t m = 0; m < request.metrics.size(); ++m)
        {
            const auto& metric = request.metrics[m];
            if (metric.pooled)
            {
                continue;
            }
            CcevalViolinPlot plot(metric.name, metric.name + (metric.slowdown ? "" : " [us]"));
            for (const auto& each : results)
            {
                if (!each[m].values.empty())
                {
                    plot.Add(each[m].algorithm, each[m].values, each[m].interval);
                }
            }
            plot.Write(out + "/violin-" + FileName(metric.name));
        }
        std::cout << "written: " << out << "/cceval.csv, trials.csv and plots" << std::endl;
        return known || request.trials ? 0 : 2;
    });
}
