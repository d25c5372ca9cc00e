/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Run several methods on one scenario and compare their flow completion times.
 *
 * Without options: 2000 web-server flows on a 32-host fabric with DCTCP at 50 % load, with every
 * method that is built (ns3-path with 500 draws: seconds instead of a minute). The first method is
 * the truth, with which the others are compared. With --confidence, comparisons are repeated with
 * other seeds until the errors are known.
 */

#include "ns3/cceval-error-evaluation.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-input-check.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const std::string QUICK_PATHS = "ns3-path:NPaths=500"; //!< replaces ns3-path in the default list

/// Returns the methods named in a text, joined by commas; for an empty text, all that are built.
std::vector<Ptr<DcnEstimator>>
CreateMethods(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, ',');)
    {
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            DcnFail("--methods names \"", name, "\" twice");
        }
        names.push_back(name);
    }
    if (names.empty())
    {
        names = DcnEstimator::GetNames();
        // the published number of draws: a few seconds instead of a minute
        std::replace(names.begin(), names.end(), std::string("ns3-path"), QUICK_PATHS);
    }
    std::vector<Ptr<DcnEstimator>> methods;
    for (const auto& name : names)
    {
        methods.push_back(DcnEstimator::CreateByName(name));
    }
    DcnCheckInputFiles(names);
    return methods;
}

/**
 * Print the scenario.
 * @param scenario the scenario
 * @param load load report of the workload generator, if it made the flows
 * @param cost cost of creating it
 */
void
Describe(const DcnScenario& scenario, const std::optional<DcnLoadReport>& load, const DcnCost& cost)
{
    const DcnTopology& topology = scenario.GetTopology();
    std::printf("%zu flows on %zu hosts, %u switches and %u links, %s\n",
                scenario.GetFlows().size(),
                topology.GetHosts().size(),
                topology.GetNNodes() - static_cast<uint32_t>(topology.GetHosts().size()),
                topology.GetNLinks() / 2,
                scenario.GetNetwork().congestionControl.c_str());
    if (load)
    {
        // with few flows of heavy-tailed sizes, the realised load differs from the expected one
        std::printf("maximum link load: %.1f %% expected; while they start, these flows bring "
                    "%.1f %% (%.1f %% with headers)\n",
                    100 * load->askedLoad,
                    100 * load->realised.maxLoad,
                    100 * load->realised.maxWireLoad);
    }
    std::printf("scenario made in %.3f s (%.3f s of processor time), which no method's time "
                "includes: topology, flows, routes\n",
                cost.wallSeconds,
                cost.cpuSeconds);
    std::fflush(stdout); // before messages of methods on stderr
}

/**
 * Print the completion and provenance of an estimate.
 * @param estimate its answer
 */
void
DescribeAnswer(const DcnEstimate& estimate)
{
    std::cout << estimate.DescribeCompletion() << "\n    " << estimate.provenance << std::endl;
}

/**
 * Print a line per method: cost, tail and errors.
 * @param table the answers
 */
void
PrintTable(const DcnFctTable& table)
{
    auto mark = [](const DcnEstimate& estimate) {
        return estimate.method + (estimate.answeredBy.empty() ? "" : " *");
    };
    int width = 10;
    for (const auto& estimate : table.GetEstimates())
    {
        width = std::max(width, static_cast<int>(mark(estimate).size()));
    }
    std::printf("\n%-*s  wall [s]   cpu [s]  jobs  speed-up  p99 slowdown   p99 error    "
                "mean |error|    p90 |error|\n",
                width,
                "method");
    const auto rows = table.GetSummary();
    auto find = [&rows](const std::string& method, const std::string& metric) {
        for (const auto& row : rows)
        {
            if (row.method == method && row.metric == metric && row.sizeClass == "all")
            {
                return row;
            }
        }
        return DcnFctTable::SummaryRow{method, metric, "all", NAN, NAN, NAN};
    };
    const auto& truth = table.GetEstimates().front();
    for (const auto& estimate : table.GetEstimates())
    {
        const auto p99 = find(estimate.method, "p99_slowdown");
        std::printf("%-*s %9.3f %9.3f %5u %8.1fx %13.3f",
                    width,
                    mark(estimate).c_str(),
                    estimate.wallSeconds,
                    estimate.cpuSeconds,
                    estimate.jobs,
                    truth.cpuSeconds / std::max(1e-6, estimate.cpuSeconds), // step of the clock
                    p99.value);
        if (&estimate == &truth)
        {
            std::printf("%12s\n", "(truth)");
            continue;
        }
        std::isnan(p99.relativeError) // another method answered
            ? std::printf("%12s", "-")
            : std::printf(" %+10.1f%%", 100 * p99.relativeError);
        const double mean = find(estimate.method, "mean_abs_flow_error").value;
        std::isnan(mean) // the same, or a method without completion times of single flows
            ? std::printf("%16s %14s\n", "-", "-")
            : std::printf(" %14.1f%% %13.1f%%\n",
                          100 * mean,
                          100 * find(estimate.method, "p90_abs_flow_error").value);
    }
    std::printf("errors over the flows that both finished: p99 of the slowdown; |error| of each "
                "flow's\n"
                "speed-up: processor time of %s over that of the method; times include reading "
                "models; jobs: threads or processes that it may use at a time\n",
                truth.method.c_str());
    for (const auto& estimate : table.GetEstimates())
    {
        if (!estimate.answeredBy.empty())
        {
            const bool isOther = DcnEstimate::IsOther(estimate.method, estimate.answeredBy);
            std::printf("* %s: answered by %s, %s\n",
                        estimate.method.c_str(),
                        estimate.answeredBy.c_str(),
                        &estimate == &truth ? "which is the truth here and has no error"
                        : isOther           ? "no error of its own"
                                            : "whose errors these are");
        }
    }
}

/// Prints the confidence limits of the p99 of a method that samples paths.
void
PrintLimits(const DcnEstimate& estimate)
{
    const auto& limits = estimate.limits;
    if (limits.empty())
    {
        return;
    }
    const bool isWhole = std::all_of(limits.begin(), limits.end(), [](const auto& each) {
        return each.second.isWhole && !each.second.HasLimits();
    });
    std::printf("%s: p99 %s:",
                estimate.method.c_str(),
                isWhole ? "with all paths drawn" : "with limits of drawing paths (95 %)");
    for (const auto& [sizeClass, p99] : limits)
    {
        std::printf(" %s %.3f%s",
                    sizeClass.c_str(),
                    p99.value,
                    isWhole ? "" : p99.DescribeLimits().c_str());
    }
    std::printf("\n");
}

/// Returns the value of an option that is a number.
double
ParseNumber(const std::string& option, const std::string& text)
{
    double number = 0;
    if (!DcnParse(text, number))
    {
        DcnFail("--", option, " must be a number, but it is \"", text, "\"");
    }
    return number;
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnScenarioOptions options;
    std::string methodNames;
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.Usage("Run several methods on one scenario and compare their flow completion times.");
    options.AddTo(cmd);
    DcnAddText(cmd,
               "methods",
               "Methods joined by commas, the truth first (all); attributes of a method follow it "
               "as in flowsim:WindowCap=true:LinkEfficiency=0.95",
               methodNames);
    std::string confidence;
    std::string margin;
    DcnAddText(cmd, "confidence", "Level of intervals of errors; repeats with seeds", confidence);
    DcnAddText(cmd, "margin", "Half-width of these intervals: 0.01 is one percent (0.02)", margin);
    DcnAddText(cmd, "out", "Folder for fct.csv, summary.csv and slowdown-cdf.png", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-compare", [&]() {
        std::vector<Ptr<DcnEstimator>> methods = CreateMethods(methodNames);
        const DcnStopwatch stopwatch;
        Ptr<const DcnScenario> scenario = options.Create();
        const DcnCost cost = stopwatch.Get();
        DcnMakeFolder(out);
        if (confidence.empty() && !margin.empty())
        {
            DcnFail("--margin=", margin, " has no effect without --confidence");
        }
        if (!confidence.empty())
        {
            CcevalErrorEvaluation errors(margin.empty() ? 0.02 : ParseNumber("margin", margin),
                                         ParseNumber("confidence", confidence));
            errors.Run(
                [&options](uint64_t seed) {
                    options.Set("seed", std::to_string(seed));
                    return options.Create();
                },
                methods,
                scenario->GetSeed());
            errors.Report(out);
            return errors.GetNFailed() > 0 || !errors.IsKnown() ? 2 : 0;
        }
        Describe(*scenario, options.GetLoadReport(), cost);

        DcnFctTable table(scenario);
        table.SetScenarioCost(cost);
        bool complete = true;
        for (const auto& method : methods)
        {
            table.Add(method->Estimate(scenario));
            complete = complete && table.GetEstimates().back().IsComplete();
            DescribeAnswer(table.GetEstimates().back());
        }
        PrintTable(table);
        for (const auto& estimate : table.GetEstimates())
        {
            PrintLimits(estimate);
        }
        table.Write(out);
        const bool picture = table.PlotSlowdowns(out + "/slowdown-cdf");
        std::cout << "written: " << out << "/fct.csv, " << out << "/summary.csv"
                  << (picture ? ", " + out + "/slowdown-cdf.png" : "") << std::endl;
        Simulator::Destroy();
        // status 2: a flow without an end must not be overlooked
        return complete ? 0 : 2;
    });
}
