/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Run several methods on one scenario and compare their flow completion times.
 *
 * Without options: 20,000 hadoop flows on a 32-host fabric with DCTCP at 50 % load, with every
 * method but ns3-path, mql and tcp. Errors refer to the ground truth
 * among the methods, if there is one. With --confidence, comparisons are repeated with other seeds
 * until the errors are known.
 */

#include "ns3/cceval-error-evaluation.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-earlier-run.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-flow-query.h"
#include "ns3/dcn-input-check.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-report.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Files of an earlier run in the folder that would be taken for those of this one.
const std::vector<std::string> OWN_FILES{"fct.csv",
                                         "samples.csv",
                                         "summary.csv",
                                         "errors.csv",
                                         "queries.csv",
                                         "slowdown-cdf.png",
                                         "slowdown-cdf.svg",
                                         "slowdown-cdf.plt",
                                         "slowdown-by-size.png",
                                         "slowdown-by-size.svg",
                                         "slowdown-by-size.plt",
                                         "run.json",
                                         "report.html",
                                         "queues.csv",
                                         "queues.png",
                                         "queues.svg",
                                         "queues.plt",
                                         "flow-records.csv"};
constexpr double FAR_OFF =
    0.5; //!< relative error from which no method counts as close to the truth

/// Files of --queues.
const std::vector<std::string> QUEUE_FILES{"queues.csv",
                                           "queues.png",
                                           "queues.svg",
                                           "flow-records.csv"};
/// Methods that run only if they are named: ns3-path takes longer than packets where flows meet
/// often, and mql answers for packets of many equal flows.
const std::vector<std::string> NOT_BY_DEFAULT{"ns3-path", "mql"};
/// What each method does; and what it is for.
const std::vector<std::pair<std::string, std::string>> PURPOSES{
    {"packet", "simulates every packet: the ground truth, where time allows"},
    {"tcp", "simulates every packet over ns-3's own TCP: a second ground truth"},
    {"flowsim", "shares links among fluid flows, without queues: for throughput, never for tails"},
    {"m3", "learned slowdown distributions of paths: for the tails of millions of flows"},
    {"m4", "learned flow-by-flow simulation: for single flows, closed loops and applications"},
    {"mql", "queueing network of packets: for round trips of packets at given rates"},
    {"ns3-path", "simulates packets on sampled paths: for large networks at low or medium load"},
    {"parsimon", "simulates every link by itself and adds delays: for the tail of most networks"}};
/// Enough flows for a p99 that rests on 200 of them; packets take some ten seconds.
const std::map<std::string, std::string> DEFAULT_SCENARIO{{"sizes", "hadoop"},
                                                          {"matrix", "hadoop"},
                                                          {"flows", "20000"},
                                                          {"loadRule", "exact"}};

/// Returns the methods that run by default, joined by commas.
std::string
GetDefaultMethods()
{
    std::string text;
    for (const std::string& name : DcnEstimator::GetNames())
    {
        if (std::find(NOT_BY_DEFAULT.begin(), NOT_BY_DEFAULT.end(), name) == NOT_BY_DEFAULT.end())
        {
            text += (text.empty() ? "" : ",") + name;
        }
    }
    return text;
}

/// Returns the methods named in a text, joined by commas.
std::vector<Ptr<DcnEstimator>>
CreateMethods(const std::string& text)
{
    std::vector<std::string> names;
    for (const std::string& name : DcnSplit(text, ','))
    {
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            DcnFail("--methods names \"", name, "\" twice");
        }
        names.push_back(name);
    }
    if (names.empty())
    {
        DcnFail("--methods names no method; without the option, ", GetDefaultMethods(), " run");
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
 * Move the ground truth to the front.
 * @param methods the methods
 * @param name --truth; empty: the first of the methods that is a ground truth by itself
 * @return false if none is the truth
 */
bool
PutTruthFirst(std::vector<Ptr<DcnEstimator>>& methods, const std::string& name)
{
    if (name == "none")
    {
        return false;
    }
    const auto truth = std::find_if(methods.begin(), methods.end(), [&name](const auto& method) {
        return name.empty() ? method->IsGroundTruth() : method->GetLabel() == name;
    });
    if (truth == methods.end() && !name.empty())
    {
        DcnFail("--truth=", name, " is none of the methods that run: name it in --methods, too");
    }
    if (truth == methods.end())
    {
        return false;
    }
    std::rotate(methods.begin(), truth, truth + 1);
    return true;
}

/**
 * Leave out methods that cannot answer, before the others take their time.
 * @param methods those that refuse the scenario are removed
 * @param scenario the flows
 * @param truth --truth, which must answer
 * @param reasons gets their names and the reasons
 * @throws DcnError if none is left
 */
void
LeaveOut(std::vector<Ptr<DcnEstimator>>& methods,
         Ptr<const DcnScenario> scenario,
         const std::string& truth,
         std::vector<std::pair<std::string, std::string>>& reasons)
{
    for (auto method = methods.begin(); method != methods.end();)
    {
        try
        {
            (*method)->Check(scenario);
            ++method;
        }
        catch (const DcnError& error)
        {
            if ((*method)->GetLabel() == truth)
            {
                DcnFail("--truth=", truth, " cannot answer: ", error.what());
            }
            reasons.emplace_back((*method)->GetLabel(), error.what());
            method = methods.erase(method);
        }
    }
    if (methods.empty())
    {
        std::string text;
        for (const auto& [method, reason] : reasons)
        {
            text += (text.empty() ? "" : "; ") + method + ": " + reason;
        }
        DcnFail("no method can answer: ", text);
    }
}

/**
 * Print the scenario.
 * @param scenario the scenario
 * @param recipe of the scenario, in full
 * @param load load report of the workload generator, if it made the flows
 * @param cost cost of creating it
 */
void
Describe(const DcnScenario& scenario,
         const std::string& recipe,
         const std::optional<DcnLoadReport>& load,
         const DcnCost& cost)
{
    // 10Gbps is easier to read than 10000000000bps, and is a value of the option, too
    std::string readable = recipe;
    const std::pair<std::string, std::string> units[] = {{"000000000bps", "Gbps"},
                                                         {"000000bps", "Mbps"},
                                                         {"000ns", "us"}};
    for (const auto& [longer, shorter] : units)
    {
        for (std::size_t at; (at = readable.find(longer)) != std::string::npos;)
        {
            readable.replace(at, longer.size(), shorter);
        }
    }
    std::string text;
    std::size_t column = 0;
    std::istringstream keys(readable);
    for (std::string key; std::getline(keys, key, ',');)
    {
        const bool isNewLine = column + key.size() > 98;
        text += isNewLine ? "\n" : column > 0 ? " " : "";
        column = (isNewLine ? 0 : column + 1) + key.size();
        text += key;
    }
    std::printf("%s\n", text.c_str());
    const DcnTopology& topology = scenario.GetTopology();
    std::printf("%zu flows on %zu hosts, %u switches and %u links, %s\n",
                scenario.GetFlows().size(),
                topology.GetHosts().size(),
                topology.GetNNodes() - static_cast<uint32_t>(topology.GetHosts().size()),
                topology.GetNLinks() / 2,
                scenario.GetNetwork().congestionControl.c_str());
    for (const std::string& sentence : DcnDescribeNetworkLimits(scenario))
    {
        std::printf("    note: %s\n", sentence.c_str());
    }
    if (load)
    {
        // with few flows of heavy-tailed sizes, the realised load differs from the expected one
        load->stretch != 1
            ? std::printf("maximum link load: %.1f %% (%.1f %% with headers), exact: all gaps "
                          "between starts of flows were multiplied by %.3g\n",
                          100 * load->realised.maxLoad,
                          100 * load->realised.maxWireLoad,
                          load->stretch)
            : std::printf("maximum link load: %.1f %% expected; while they start, these flows "
                          "bring %.1f %% (%.1f %% with headers)\n",
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
 * Print the completion of an estimate, the busiest links, losses and notes.
 * @param estimate its answer
 * @param verbose print its provenance, too
 */
void
DescribeAnswer(const DcnEstimate& estimate, bool verbose)
{
    std::cout << estimate.DescribeCompletion() << '\n';
    const std::string events = estimate.DescribeEvents();
    if (!events.empty())
    {
        std::cout << "    " << events << '\n';
    }
    for (const std::string& sentence : estimate.notes)
    {
        std::cout << "    note: " << sentence << '\n';
    }
    if (verbose)
    {
        std::cout << "    " << estimate.provenance << '\n';
    }
    std::cout << std::flush;
}

/// Returns the number of an event of an estimate; 0 if it has none.
double
GetEvent(const DcnEstimate& estimate, const std::string& name)
{
    for (const auto& [event, number] : estimate.events)
    {
        if (event == name)
        {
            return number;
        }
    }
    return 0;
}

/**
 * Print where the smallest rates of senders exceed a link, if packets were lost or paused: no
 * congestion control can prevent it there.
 * @param scenario the flows
 * @param truth what a simulation answered
 */
void
ExplainLosses(const DcnScenario& scenario, const DcnEstimate& truth)
{
    if (GetEvent(truth, "dropped_packets") == 0 && GetEvent(truth, "pauses") == 0)
    {
        return;
    }
    const DcnTopology& topology = scenario.GetTopology();
    std::vector<std::set<uint32_t>> senders(topology.GetNLinks());
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        for (uint32_t link : scenario.GetPath(i))
        {
            senders[link].insert(scenario.GetFlows()[i].src);
        }
    }
    const auto minRate = static_cast<double>(scenario.GetNetwork().minRate.GetBitRate());
    uint32_t worst = 0;
    double most = 0; // smallest rates of all senders over the rate of the link
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const double share = static_cast<double>(senders[link].size()) * minRate /
                             static_cast<double>(topology.GetLink(link).rateBps);
        if (share > most)
        {
            most = share;
            worst = link;
        }
    }
    if (most > 1)
    {
        std::printf(
            "    note: packets are lost or paused, and no congestion control can prevent it "
            "while all %zu senders of link %s send: their smallest rates (min_rate_bps) "
            "are %.1f times its rate\n",
            senders[worst].size(),
            topology.DescribeLink(worst).c_str(),
            most);
    }
}

/// Returns the ratio of processor times, that of a method below.
double
GetSpeedUp(const DcnEstimate& first, const DcnEstimate& method)
{
    return first.cpuSeconds / std::max(1e-6, method.cpuSeconds); // step of the clock
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
    const bool hasTruth = table.HasTruth();
    std::printf("\n%-*s  wall [s]   cpu [s]  jobs  speed-up  p99 slowdown   %s\n",
                width,
                "method",
                hasTruth ? "p99 error    mean |error|    p90 |error|" : "p99 to first");
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
    const auto& first = table.GetEstimates().front();
    const double firstP99 = find(first.method, "p99_slowdown").value;
    for (const auto& estimate : table.GetEstimates())
    {
        const auto p99 = find(estimate.method, "p99_slowdown");
        const double speedUp = GetSpeedUp(first, estimate);
        std::printf("%-*s %9.3f %9.3f %5u %8.*fx %13.3f",
                    width,
                    mark(estimate).c_str(),
                    estimate.wallSeconds,
                    estimate.cpuSeconds,
                    estimate.jobs,
                    speedUp < 0.95 ? 3 : 1,
                    speedUp,
                    p99.value);
        if (&estimate == &first)
        {
            std::printf("%12s\n", hasTruth ? "(truth)" : "");
            continue;
        }
        if (!hasTruth)
        {
            std::printf(" %+11.1f%%\n", 100 * (p99.value / firstP99 - 1));
            continue;
        }
        std::isnan(p99.relativeError) // another method answered
            ? std::printf("%12s", "-")
            : std::printf(" %+10.1f%%", 100 * p99.relativeError);
        const double mean = find(estimate.method, "mean_abs_flow_error").value;
        std::isnan(mean) // another method answered, or there are no times of single flows
            ? std::printf("%16s %14s\n", "-", "-")
            : std::printf(" %14.1f%% %13.1f%%\n",
                          100 * mean,
                          100 * find(estimate.method, "p90_abs_flow_error").value);
    }
    hasTruth
        ? std::printf("p99 slowdown: over all flows that the method finished; errors: over the "
                      "flows that both it and %s finished; |error|: of the slowdown of a flow\n",
                      first.method.c_str())
        : std::printf("no method is the ground truth, so that no error is known; to first: "
                      "p99 slowdown relative to that of %s\n",
                      first.method.c_str());
    std::printf("speed-up: processor time of %s over that of the method, which includes reading "
                "its model; jobs: threads or processes that the method may use\n",
                first.method.c_str());
    for (const auto& estimate : table.GetEstimates())
    {
        if (!estimate.answeredBy.empty())
        {
            const bool isOther = DcnEstimate::IsOther(estimate.method, estimate.answeredBy);
            std::printf("* %s: answered by %s, %s\n",
                        estimate.method.c_str(),
                        estimate.answeredBy.c_str(),
                        &estimate == &first ? "which is the truth here and has no error"
                        : isOther           ? "no error of its own"
                                            : "whose errors these are");
        }
    }
}

/// Returns what the methods of a table do and what they are for; none for methods of other modules.
std::vector<std::pair<std::string, std::string>>
GetPurposes(const DcnFctTable& table)
{
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& one : PURPOSES)
    {
        for (const auto& estimate : table.GetEstimates())
        {
            if (estimate.method == one.first || estimate.method.rfind(one.first + ":", 0) == 0)
            {
                found.push_back(one);
                break;
            }
        }
    }
    return found;
}

/// Prints which methods came closest to the truth, for the p99 and for single flows, and which was
/// fastest.
void
PrintBest(const DcnFctTable& table)
{
    const auto& estimates = table.GetEstimates();
    const auto rows = table.GetSummary({DcnSizeClasses().front()});
    auto speedUp = [&](const DcnFctTable::SummaryRow& row) {
        const auto answer = std::find_if(estimates.begin(), estimates.end(), [&](const auto& each) {
            return each.method == row.method;
        });
        return GetSpeedUp(estimates.front(), *answer);
    };
    // the method with the least cost among the rows of a metric; error and cost of a row are
    // numbers
    auto best = [&](const std::string& metric,
                    auto error,
                    auto cost,
                    bool isRanking = true) -> std::string {
        const DcnFctTable::SummaryRow* least = nullptr;
        for (const auto& row : rows)
        {
            if (row.metric == metric && row.method != estimates.front().method &&
                !std::isnan(error(row)) && (!least || cost(row) < cost(*least)))
            {
                least = &row;
            }
        }
        if (!least)
        {
            return "";
        }
        char text[200];
        std::snprintf(text,
                      sizeof(text),
                      isRanking && error(*least) > FAR_OFF
                          ? "none (%s is %.1f %% off, %.1f times as fast)"
                      : isRanking ? "%s (%.1f %% off, %.1f times as fast)"
                                  : "%s (p99 %.1f %% off, %.1f times as fast)",
                      least->method.c_str(),
                      100 * error(*least),
                      speedUp(*least));
        return text;
    };
    auto tailError = [](const auto& row) { return std::abs(row.relativeError); };
    auto flowError = [](const auto& row) { return row.value; };
    const std::string tail = best("p99_slowdown", tailError, tailError);
    const std::string flows = best("mean_abs_flow_error", flowError, flowError);
    const std::string fastest = best(
        "p99_slowdown",
        tailError,
        [&](const auto& row) { return -speedUp(row); },
        false);
    if (!tail.empty())
    {
        std::printf("closest to %s here: for the p99 %s%s%s; fastest: %s\n",
                    estimates.front().method.c_str(),
                    tail.c_str(),
                    flows.empty() ? "" : ", for single flows ",
                    flows.c_str(),
                    fastest.c_str());
    }
}

/// Prints commands to try after the first run, which had no options.
void
PrintNext()
{
    std::printf("next: another load or congestion control, --load=0.7 --cc=hpcc; your own network "
                "and flows, doc/tutorial.rst;\n"
                "    1024 hosts in seconds: ./dcn run dcn-compare --methods=flowsim,m3 --pods=8 "
                "--racksPerPod=16 --hostsPerRack=8 --flows=200000\n");
}

/**
 * Prints limits of the p99 of a method: of its error, where a learned model's card has them; else
 * of the draw of paths, where it draws some.
 * @param table the answers
 * @param method position of the method
 */
void
PrintLimits(const DcnFctTable& table, std::size_t method)
{
    const DcnEstimate& estimate = table.GetEstimates()[method];
    if (!estimate.margins.empty())
    {
        std::string text;
        for (const DcnSizeClass& sizeClass : DcnSizeClasses())
        {
            auto slowdowns = table.GetSlowdowns(method, sizeClass);
            const auto& flows = table.GetScenario()->GetFlows();
            const auto nFlows = std::count_if(flows.begin(), flows.end(), [&](const DcnFlow& flow) {
                return sizeClass.Contains(flow.sizeBytes);
            });
            if (slowdowns.empty())
            {
                continue;
            }
            std::sort(slowdowns.begin(), slowdowns.end());
            const double p99 = DcnWeightedQuantile(slowdowns, 0.99);
            const auto limits = estimate.GetP99Limits(sizeClass.name, p99, nFlows);
            if (!limits)
            {
                continue;
            }
            char part[96];
            std::snprintf(part,
                          sizeof(part),
                          "%s %s %.3f (%.3f to %.3f)",
                          text.empty() ? "" : ",",
                          sizeClass.name.c_str(),
                          p99,
                          limits->first,
                          limits->second);
            text += part;
        }
        if (!text.empty())
        {
            std::printf("%s: p99 slowdown by size of flows, with limits that hold that of packets "
                        "with a probability of 90 %%:%s\n",
                        estimate.method.c_str(),
                        text.c_str());
        }
    }
    const auto& limits = estimate.limits;
    if (limits.empty())
    {
        return;
    }
    const bool isWhole = std::all_of(limits.begin(), limits.end(), [](const auto& each) {
        return each.second.isWhole && !each.second.HasLimits();
    });
    std::printf("%s: p99 slowdown by size of flows%s:",
                estimate.method.c_str(),
                isWhole ? " (all paths were drawn)" : ", with 95 % limits of the draw of paths");
    for (const auto& [sizeClass, p99] : limits)
    {
        std::printf("%s %s %.3f%s",
                    &sizeClass == &limits.front().first ? "" : ",",
                    sizeClass.c_str(),
                    p99.value,
                    isWhole ? "" : p99.DescribeLimits().c_str());
    }
    std::printf("\n");
}

/**
 * Describe how far chance moves the p99 of the first answer: other flows of the same kind would
 * give another one. The error of a method is not in it.
 * @param table the answers
 * @return the p99 with its limits, and a note where few flows are above it; empty for answers by
 * samples
 */
std::string
DescribeSampling(const DcnFctTable& table)
{
    const DcnEstimate& truth = table.GetEstimates().front();
    if (!truth.samples.empty() || truth.GetNFinished() < 2)
    {
        return "";
    }
    static constexpr double FEWEST = 20; // flows above the p99
    const auto p99 =
        DcnFlowQuery("p99_slowdown", *table.GetScenario()).Ask(*table.GetScenario(), truth);
    char text[400];
    std::snprintf(text,
                  sizeof(text),
                  "%s: p99 slowdown %.3f, with 95 %% limits of as many independent flows %.3f to "
                  "%.3f",
                  truth.method.c_str(),
                  p99.value,
                  p99.low,
                  p99.high);
    std::string sentence = text;
    const double above = 0.01 * static_cast<double>(p99.n);
    if (above < FEWEST)
    {
        std::snprintf(text,
                      sizeof(text),
                      "; note: it rests on %.0f of %llu flows, and errors of a p99 below %.0f %% "
                      "say little here: %.0f flows have %.0f above their p99",
                      std::ceil(above),
                      static_cast<unsigned long long>(p99.n),
                      100 * std::max(p99.high / p99.value - 1, 1 - p99.low / p99.value),
                      100 * FEWEST,
                      FEWEST);
        sentence += text;
    }
    return sentence;
}

/**
 * Write queries.csv and print its rows.
 * @param queries what is asked
 * @param table the answers
 * @param out --out
 */
void
AnswerQueries(const std::vector<DcnFlowQuery>& queries,
              const DcnFctTable& table,
              const std::string& out)
{
    DcnFileWriter csv(out + "/queries.csv");
    csv.Stream() << "query,method,value,unit,low,high,n,relative_error\n";
    for (const DcnFlowQuery& query : queries)
    {
        double truth = NAN;
        std::printf("%s%s%s\n",
                    query.GetText().c_str(),
                    query.GetUnit().empty() ? "" : " in ",
                    query.GetUnit().c_str());
        for (std::size_t m = 0; m < table.GetEstimates().size(); ++m)
        {
            const DcnEstimate& estimate = table.GetEstimates()[m];
            const auto answer = query.Ask(*table.GetScenario(), estimate);
            truth = m == 0 && table.HasTruth() ? answer.value : truth;
            const double error = table.HasError(m) ? answer.value / truth - 1 : NAN;
            csv.Stream() << query.GetText() << ',' << estimate.method << ','
                         << DcnToText(answer.value) << ',' << query.GetUnit() << ','
                         << DcnToText(answer.low) << ',' << DcnToText(answer.high) << ','
                         << answer.n << ',' << DcnToText(error) << '\n';
            std::printf("    %-10s %12.3f", estimate.method.c_str(), answer.value);
            if (!std::isnan(answer.low))
            {
                std::printf(" (%.3f to %.3f)", answer.low, answer.high);
            }
            std::printf(", %llu %s",
                        static_cast<unsigned long long>(answer.n),
                        estimate.samples.empty() ? "flows" : "samples");
            std::isnan(error) ? std::printf("\n") : std::printf(", error %+.1f %%\n", 100 * error);
        }
    }
    csv.Commit();
}

/**
 * Let packet record its queues.
 * @param methods the methods
 * @param isRepeated --confidence is given
 * @param out --out
 */
void
RecordQueues(const std::vector<Ptr<DcnEstimator>>& methods, bool isRepeated, const std::string& out)
{
    const auto packet = std::find_if(methods.begin(), methods.end(), [](const auto& method) {
        return method->GetName() == "packet";
    });
    if (packet == methods.end() || isRepeated)
    {
        DcnFail("--queues has no effect ",
                isRepeated ? "with --confidence" : "without packet among the methods");
    }
    (*packet)->SetAttribute("Queues", StringValue(out));
}

/**
 * End simulations at a simulated time.
 * @param methods those that cannot be stopped are named
 * @param text --stopTime
 * @param isRepeated --confidence is given
 * @param scenario the flows
 * @return lines of methods on which it has no effect
 */
std::vector<std::string>
StopSimulations(const std::vector<Ptr<DcnEstimator>>& methods,
                const std::string& text,
                bool isRepeated,
                const DcnScenario& scenario)
{
    Time stopTime;
    if (!DcnParseTime(text, stopTime))
    {
        DcnFail("--stopTime must be a time such as 10ms, but it is \"", text, "\"");
    }
    if (isRepeated)
    {
        DcnFail("--stopTime=", text, " leaves flows unfinished, so that --confidence has no error");
    }
    const auto& flows = scenario.GetFlows();
    if (!flows.empty() && stopTime.GetNanoSeconds() <= flows.front().startNs)
    {
        DcnFail("--stopTime=",
                text,
                " is not after the start of the first flow, at ",
                flows.front().startNs,
                " ns, so that nothing would be simulated: take a later one");
    }
    std::string others;
    bool isUsed = false;
    for (const auto& method : methods)
    {
        TypeId::AttributeInformation information;
        if (method->GetInstanceTypeId().LookupAttributeByName("StopTime", &information))
        {
            method->SetAttribute("StopTime", TimeValue(stopTime));
            isUsed = true;
            continue;
        }
        others += (others.empty() ? "" : ", ") + method->GetLabel();
    }
    if (!isUsed)
    {
        DcnFail("--stopTime=",
                text,
                " has no effect on ",
                others,
                ": only simulations that can be stopped, such as packet, have it");
    }
    if (others.empty())
    {
        return {};
    }
    return {"ignored: --stopTime=" + text + " by " + others + ", whose answers are for all flows"};
}

/// Returns the scenario in one line for the picture's title; empty for a scenario directory.
std::string
MakeTitle(const DcnScenarioOptions& options)
{
    const DcnScenarioRecipe recipe = options.MakeDrawnRecipe();
    if (recipe.IsSet("scenario"))
    {
        return "";
    }
    return "Slowdowns: " + recipe.Get("topology") + ", " + recipe.Get("sizes") + " sizes, matrix " +
           recipe.Get("matrix") + ", load " + recipe.Get("load") + ", " + recipe.Get("cc") +
           ", seed " + recipe.Get("seed");
}

/**
 * Write report.html.
 * @param out --out
 * @param title of the scenario; empty: a scenario directory
 * @param recipe of the scenario, in full
 * @param command that made the results
 * @param table the answers
 */
void
WriteReport(const std::string& out,
            const std::string& title,
            const std::string& recipe,
            const std::string& command,
            const DcnFctTable& table)
{
    DcnReport page(title.empty() ? "Slowdowns of a scenario directory" : title);
    page.AddOrigin(command);
    page.AddHeading("Results");
    const auto& estimates = table.GetEstimates();
    const auto rows = table.GetSummary({DcnSizeClasses().front()});
    auto find = [&rows](const std::string& method, const std::string& metric, bool isError) {
        for (const auto& row : rows)
        {
            const double number = isError ? row.relativeError : row.value;
            if (row.method == method && row.metric == metric && !std::isnan(number))
            {
                return number;
            }
        }
        return static_cast<double>(NAN);
    };
    auto show = [](const char* format, double number) -> std::string {
        char text[40];
        std::snprintf(text, sizeof(text), format, number);
        return std::isnan(number) ? "-" : text;
    };
    std::vector<std::vector<std::string>> cells;
    for (const DcnEstimate& estimate : estimates)
    {
        const bool isFirst = &estimate == &estimates.front();
        const std::string& name = estimate.method;
        cells.push_back({DcnEstimate::MakeTitle(name, estimate.answeredBy),
                         show("%.3f", estimate.wallSeconds),
                         show("%.3f", estimate.cpuSeconds),
                         show("%.1fx", GetSpeedUp(estimates.front(), estimate)),
                         show("%.3f", find(name, "p50_slowdown", false)),
                         show("%.3f", find(name, "p99_slowdown", false)),
                         isFirst && table.HasTruth()
                             ? "truth"
                             : show("%+.1f %%", 100 * find(name, "p99_slowdown", true)),
                         show("%.1f %%", 100 * find(name, "mean_abs_flow_error", false))});
    }
    page.AddTable({"method",
                   "wall [s]",
                   "processor [s]",
                   "speed-up",
                   "p50 slowdown",
                   "p99 slowdown",
                   "p99 error",
                   "mean |error| of flows"},
                  cells);
    page.AddText(table.HasTruth()
                     ? "Errors refer to " + estimates.front().method +
                           ", over the flows that both finished. Speed-ups are ratios of "
                           "processor time."
                     : "No method is the ground truth here, so no error is known.");
    const std::string sampling = DescribeSampling(table);
    if (!sampling.empty())
    {
        page.AddText(sampling + ".");
    }
    page.AddFigure(out + "/slowdown-cdf.svg", "Share of flows above a slowdown, by method");
    page.AddFigure(out + "/slowdown-by-size.svg", "The same for each class of flow sizes");
    page.AddFigure(out + "/queues.svg", "The longest queues of switches over time (--queues)");
    page.AddHeading("Methods");
    std::vector<std::vector<std::string>> purposes;
    for (const auto& [name, purpose] : GetPurposes(table))
    {
        purposes.push_back({name, purpose});
    }
    page.AddTable({"method", "what it does, and what it is for"}, purposes);
    for (const DcnEstimate& estimate : estimates)
    {
        page.AddAnswer(estimate);
    }
    page.AddHeading("Scenario");
    std::string keys = recipe;
    std::replace(keys.begin(), keys.end(), ',', '\n');
    page.AddText(keys);
    std::vector<std::vector<std::string>> network;
    for (const auto& [key, value] : table.GetScenario()->GetNetworkConfig()->GetKeys())
    {
        network.push_back({key, value});
    }
    page.AddTable({"key of network.csv", "value"}, network);
    page.AddHeading("All figures");
    page.AddCsv(out + "/summary.csv", "summary.csv");
    page.Write(out + "/report.html");
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
    std::string methodNames = GetDefaultMethods();
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.Usage("Run several methods on one scenario and compare their flow completion times.");
    options.AddTo(cmd, DEFAULT_SCENARIO);
    DcnAddText(cmd,
               "methods",
               "Methods joined by commas (all but ns3-path, mql and tcp); attributes of a method "
               "follow it as in flowsim:WindowCap=true:LinkEfficiency=0.95",
               methodNames);
    std::string truth;
    DcnAddText(cmd,
               "truth",
               "The method that errors refer to, as it is named in --methods, or none (the first "
               "ground truth among the methods, such as packet)",
               truth);
    bool verbose = false;
    cmd.AddValue("verbose", "Print how each method came to its answer (run.json has it)", verbose);
    bool isReport = false;
    cmd.AddValue("report", "Write report.html, too: all of this on a page with pictures", isReport);
    bool queues = false;
    cmd.AddValue("queues", "Record the queues of switches and plot the longest (packet)", queues);
    std::string stopTime;
    DcnAddText(cmd,
               "stopTime",
               "Simulated time, such as 10ms, at which packet ends with the flows that are "
               "delivered before",
               stopTime);
    std::string confidence;
    std::string margin;
    DcnAddText(cmd, "confidence", "Level of intervals of errors; repeats with seeds", confidence);
    DcnAddText(cmd, "margin", "Half-width of these intervals: 0.01 is one percent (0.02)", margin);
    std::string against;
    DcnAddText(cmd,
               "against",
               "Folder of an earlier run on this scenario, whose p99 slowdowns are compared",
               against);
    std::string asked;
    DcnAddText(cmd,
               "query",
               "Quantiles or means joined by commas, such as p99_slowdown, mean_fct@>50KB, "
               "p99.9_fct@<10KB:from=rack0:to=host17; also written to queries.csv",
               asked);
    DcnAddText(cmd, "out", "Folder for fct.csv, summary.csv and slowdown-cdf.png", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-compare", [&]() {
        std::vector<Ptr<DcnEstimator>> methods = CreateMethods(methodNames);
        bool hasTruth = PutTruthFirst(methods, truth); // refuses a name before the scenario is made
        if (confidence.empty() && !margin.empty())
        {
            DcnFail("--margin=", margin, " has no effect without --confidence");
        }
        const DcnStopwatch stopwatch;
        Ptr<const DcnScenario> scenario = options.Create();
        const DcnCost cost = stopwatch.Get();
        std::vector<std::pair<std::string, std::string>> leftOut; // method and reason
        LeaveOut(methods, scenario, truth, leftOut);
        hasTruth = PutTruthFirst(methods, truth);
        if (!confidence.empty() && !hasTruth)
        {
            DcnFail("--confidence needs a ground truth: add packet to --methods, or name one of "
                    "them by --truth");
        }
        const std::string recipe = options.MakeRecipe().ToFullText();
        if (!confidence.empty() && isReport)
        {
            DcnFail("--report has no effect with --confidence");
        }
        if (!confidence.empty() && !against.empty())
        {
            DcnFail("--against=", against, " has no effect with --confidence");
        }
        if (!confidence.empty() && !asked.empty())
        {
            DcnFail("--query=", asked, " has no effect with --confidence");
        }
        std::vector<DcnFlowQuery> queries; // malformed ones are refused before the methods run
        for (const std::string& text : DcnSplit(asked, ','))
        {
            queries.emplace_back(text, *scenario);
        }
        std::optional<DcnEarlierRun> earlier; // read before this run may replace its files
        if (!against.empty())
        {
            earlier.emplace(against, recipe);
        }
        std::vector<std::string> unused;
        if (!stopTime.empty())
        {
            unused = StopSimulations(methods, stopTime, !confidence.empty(), *scenario);
        }
        if (queues)
        {
            RecordQueues(methods, !confidence.empty(), out);
        }
        DcnRunRecord record(out, DcnDescribeCommand("dcn-compare", argc, argv), OWN_FILES);
        record.SetScenario(recipe, scenario->GetSeed());
        record.SetIgnored(unused);
        for (const std::string& each : unused)
        {
            std::cout << each << '\n';
        }
        for (const auto& [method, reason] : leftOut)
        {
            std::cout << "left out: " << method << ": " << reason << '\n';
            record.LeaveOut(method, reason);
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
            record.AddFile("errors.csv");
            record.Finish();
            return errors.GetNFailed() > 0 || !errors.IsKnown() ? 2 : 0;
        }
        Describe(*scenario, options.MakeDrawnRecipe().ToFullText(), options.GetLoadReport(), cost);

        DcnFctTable table(scenario);
        table.SetScenarioCost(cost);
        bool complete = true;
        for (const auto& method : methods)
        {
            DcnEstimate estimate;
            try
            {
                estimate = method->Estimate(scenario);
            }
            catch (const DcnError& error)
            {
                if (method == methods.front())
                {
                    throw; // errors and speed-ups refer to it
                }
                std::cout << std::flush;
                std::cerr << "left out: " << method->GetLabel() << ": " << error.what() << '\n';
                record.LeaveOut(method->GetLabel(), error.what());
                complete = false;
                continue;
            }
            estimate.isGroundTruth = hasTruth && method == methods.front();
            table.Add(estimate);
            complete = complete && estimate.IsComplete();
            DescribeAnswer(estimate, verbose);
            ExplainLosses(*scenario, estimate);
            table.Write(out); // an hour of packets is kept, whatever happens to the next method
            record.Add(estimate);
            record.AddFile("fct.csv");
            record.AddFile("summary.csv");
            if (std::filesystem::exists(out + "/samples.csv"))
            {
                record.AddFile("samples.csv");
            }
        }
        for (const std::string& file : QUEUE_FILES)
        {
            if (queues && std::filesystem::exists(out + "/" + file))
            {
                record.AddFile(file);
            }
        }
        PrintTable(table);
        if (const std::string sampling = DescribeSampling(table); !sampling.empty())
        {
            std::printf("%s\n", sampling.c_str());
        }
        for (std::size_t i = 0; i < table.GetEstimates().size(); ++i)
        {
            PrintLimits(table, i);
        }
        if (!queries.empty())
        {
            AnswerQueries(queries, table, out);
            record.AddFile("queries.csv");
        }
        if (hasTruth && GetEvent(table.GetEstimates().front(), "dropped_packets") > 0)
        {
            std::printf("packets were lost: only packet, tcp and ns3-path model losses\n");
        }
        for (const auto& [name, purpose] : GetPurposes(table))
        {
            std::printf("%-8s  %s\n", name.c_str(), purpose.c_str());
        }
        PrintBest(table);
        if (earlier)
        {
            std::cout << '\n' << earlier->Compare(table);
        }
        if (table.PlotSlowdowns(out + "/slowdown-cdf", MakeTitle(options)))
        {
            record.AddFile("slowdown-cdf.png");
            record.AddFile("slowdown-cdf.svg");
        }
        if (table.PlotSlowdownsBySize(out + "/slowdown-by-size", MakeTitle(options)))
        {
            record.AddFile("slowdown-by-size.png");
            record.AddFile("slowdown-by-size.svg");
        }
        if (isReport)
        {
            WriteReport(out,
                        MakeTitle(options),
                        recipe,
                        DcnDescribeCommand("dcn-compare", argc, argv),
                        table);
            record.AddFile("report.html");
        }
        record.Finish();
        std::cout << "written: " << record.GetFiles() << std::endl;
        if (argc == 1)
        {
            PrintNext();
        }
        Simulator::Destroy();
        // status 2: a flow without an end must not be overlooked
        return complete ? 0 : 2;
    });
}
