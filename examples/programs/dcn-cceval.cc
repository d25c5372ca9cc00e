/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Evaluate congestion controls until their metrics are known to a margin.
 *
 * Trials with independent random traffic are run until the confidence interval of every metric is
 * narrow enough. All algorithms have the same traffic, and are compared pair by pair. Several
 * durations are evaluated separately.
 */

#include "ns3/cceval-evaluation.h"
#include "ns3/cceval-report.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-task-farm.h"

#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What is asked for.
struct Request
{
    DcnScenarioOptions scenario;    //!< network and traffic
    CcevalRequest request;          //!< trials and methods
    std::string metrics{"p99_fct"}; //!< --metrics
    std::string out{"results"};     //!< --out
    std::string control;            //!< --control
    std::string proposal;           //!< --proposal
    std::string tuner;              //!< --tuner
    std::string controlTraces;      //!< --controlTraces
    DcnTaskFarmOptions work{false}; //!< --jobs

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        scenario.AddTo(cmd);
        DcnAddText(cmd,
                   "metrics",
                   "Joined by commas, as p99_fct, p50_fct@>10MB, pooled_p99_slowdown",
                   metrics);
        cmd.AddValue("margin", "Relative half-width of the intervals", request.margin);
        cmd.AddValue("confidence", "Confidence level", request.level);
        DcnAddText(cmd, "rule", "Stopping rule: guarded or published", request.rule);
        DcnAddText(cmd, "method", "model-free, importance or control-variate", request.method);
        DcnAddText(cmd, "estimator", "Method that answers the trials", request.estimator);
        DcnAddText(cmd,
                   "control",
                   "Cheap estimators of the controls, joined by +; one with importance (flowsim)",
                   control);
        DcnAddText(cmd,
                   "controlTraces",
                   "Traces for the means of the controls (10000)",
                   controlTraces);
        DcnAddText(cmd,
                   "proposal",
                   "Of importance sampling: mixture (default), tilt or published",
                   proposal);
        DcnAddText(cmd,
                   "tuner",
                   "Method that tunes the proposal: control (default) or method",
                   tuner);
        DcnAddText(cmd, "trim", "Flows omitted: none, warm-up or phases", request.trim);
        cmd.AddValue("trials", "Fixed number of trials (0: by the stopping rule)", request.trials);
        cmd.AddValue("repetition",
                     "With --trials: 1, 2, ... repeat the evaluation with other trials",
                     request.repetition);
        cmd.AddValue("maxTrials", "Largest number of trials", request.maxTrials);
        cmd.AddValue("budget",
                     "Largest processor time per algorithm [s] (0: unlimited)",
                     request.budgetSeconds);
        work.AddTo(cmd);
        DcnAddText(cmd, "store", "Folder of stored trials, reused and extended", request.folder);
        DcnAddText(cmd, "out", "Folder for cceval.csv, trials.csv, comparison.csv and plots", out);
    }

    /// Takes an option that only some methods have.
    void Apply(const std::string& option, const std::string& value, std::string& to) const
    {
        if (!value.empty() && !CcevalEvaluation::HasOption(request.method, option))
        {
            DcnFail("--", option, "=", value, " has no effect with --method=", request.method);
        }
        to = value.empty() ? to : value;
    }

    /// Makes the request of the options, and refuses those without effect.
    /// @param given options of the command line
    void Check(const DcnGivenOptions& given)
    {
        given.CheckEffects({{{"repetition"}, request.trials > 0, "without --trials"},
                            {{"rule", "maxTrials", "budget"},
                             request.trials == 0,
                             "with --trials: the number of trials is fixed"}});
        request.metrics = DcnSplitValues("metrics", metrics);
        Apply("control", control, request.control);
        Apply("controlTraces", controlTraces, controlTraces);
        Apply("proposal", proposal, request.proposal);
        Apply("tuner", tuner, request.tuner);
        const bool isTilted = CcevalEvaluation::HasOption(request.method, "proposal");
        if (isTilted && !control.empty() && request.tuner == "method")
        {
            DcnFail("--control=", control, " has no effect with --tuner=method");
        }
        if (!controlTraces.empty() && !DcnParse(controlTraces, request.controlTraces))
        {
            DcnFail("--controlTraces must be a number, but it is \"", controlTraces, "\"");
        }
        request.farm = work.Make();
    }

    /**
     * @brief Evaluate congestion controls and durations, and print their results.
     * @param report gets the results
     * @param trials gets the rows of trials.csv
     */
    void Evaluate(CcevalReport& report, std::ostream& trials)
    {
        const bool isRoot = request.farm.IsRoot();
        std::vector<std::string> ccs = scenario.GetList("cc");
        std::vector<std::string> durations = scenario.GetList("duration");
        ccs = ccs.empty() ? std::vector<std::string>{"dctcp"} : ccs;
        durations = durations.empty() ? std::vector<std::string>{""} : durations;
        bool first = true;
        for (const auto& duration : durations)
        {
            scenario.Set("duration", duration);
            const auto parts = scenario.CreateParts(ccs.front());
            for (const auto& cc : ccs)
            {
                CcevalEvaluation evaluation(durations.size() == 1 ? cc : cc + "-" + duration,
                                            parts.topology,
                                            parts.spec,
                                            scenario.CreateParts(cc).network,
                                            request);
                const auto results =
                    evaluation.Run(isRoot ? CcevalReport::ShowProgress : CcevalObserver());
                if (!isRoot)
                {
                    continue;
                }
                if (first)
                {
                    CcevalReport::PrintHeader();
                }
                for (const CcevalResult& result : results)
                {
                    CcevalReport::PrintResult(result);
                }
                CcevalReport::PrintPhases(results.front());
                report.Add(results, duration);
                evaluation.WriteTrials(trials, first);
                first = false;
            }
        }
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    Request options;
    CommandLine cmd(__FILE__);
    cmd.Usage(
        "Evaluate congestion controls (--cc=a,b) and lengths of trials (--duration=2ms,20ms) until "
        "their metrics are known.");
    options.AddTo(cmd);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-cceval", [&]() {
        options.Check(given);
        const CcevalRequest& request = options.request;
        const std::string& out = options.out;
        const bool isRoot = request.farm.IsRoot();
        std::optional<DcnFolderLock> lock;
        if (isRoot)
        {
            DcnMakeFolder(out);
            lock.emplace(out, DcnRunRecord::IN_USE);
        }
        if (isRoot && !request.folder.empty())
        {
            DcnMakeFolder(request.folder);
        }
        CcevalReport report(request.metrics, request.level);
        std::ostringstream trials;
        options.Evaluate(report, trials);
        if (!isRoot)
        {
            return 0;
        }
        DcnFileWriter file(out + "/trials.csv");
        file.Stream() << trials.str();
        file.Commit();
        report.Write(out);
        std::cout << "written: " << out << "/cceval.csv, trials.csv and plots" << std::endl;
        // status 2: a metric that is not known to the margin, or a failed trial, must not be
        // overlooked
        const bool isKnown = report.IsKnown() || request.trials > 0;
        return isKnown && !report.HasFailures() ? 0 : 2;
    });
}
