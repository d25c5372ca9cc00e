/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-comparison-report.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

constexpr double FAR_OFF =
    0.5; //!< relative error from which no method counts as close to the truth

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

/// @return the name of a method, with a star where another one answered
std::string
MarkOther(const DcnEstimate& estimate)
{
    return estimate.method + (estimate.answeredBy.empty() ? "" : " *");
}

/// @return the recipe with readable units, as lines of at most a hundred columns
std::string
WrapRecipe(const std::string& recipe)
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
    return text;
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

} // namespace

DcnComparisonReport::DcnComparisonReport(const DcnFctTable& table)
    : m_table(table),
      m_rows(table.GetSummary({DcnSizeClasses().front()}))
{
}

void
DcnComparisonReport::PrintScenario(const DcnScenario& scenario,
                                   const std::string& recipe,
                                   const std::optional<DcnLoadReport>& load,
                                   const DcnCost& cost)
{
    std::printf("%s\n", WrapRecipe(recipe).c_str());
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

void
DcnComparisonReport::PrintAnswer(const DcnScenario& scenario,
                                 const DcnEstimate& estimate,
                                 bool verbose)
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
    ExplainLosses(scenario, estimate);
}

double
DcnComparisonReport::GetSpeedUp(const DcnEstimate& first, const DcnEstimate& method)
{
    // a file has taken no time; the divisor is a step of the clock
    return first.cpuSeconds > 0 ? first.cpuSeconds / std::max(1e-6, method.cpuSeconds) : NAN;
}

DcnFctTable::SummaryRow
DcnComparisonReport::Find(const std::string& method, const std::string& metric) const
{
    for (const auto& row : m_rows)
    {
        if (row.method == method && row.metric == metric)
        {
            return row;
        }
    }
    return DcnFctTable::SummaryRow{method, metric, "all", NAN, NAN, NAN};
}

void
DcnComparisonReport::PrintTable() const
{
    int width = 10;
    for (const auto& estimate : m_table.GetEstimates())
    {
        width = std::max(width, static_cast<int>(MarkOther(estimate).size()));
    }
    std::printf("\n%-*s  wall [s]   cpu [s]  jobs  speed-up  p99 slowdown   %s\n",
                width,
                "method",
                m_table.HasTruth() ? "p99 error    mean |error|    p90 |error|" : "p99 to first");
    for (const auto& estimate : m_table.GetEstimates())
    {
        PrintRow(estimate, width);
    }
    PrintLegend();
}

void
DcnComparisonReport::PrintRow(const DcnEstimate& estimate, int width) const
{
    const DcnEstimate& first = m_table.GetEstimates().front();
    const double firstP99 = Find(first.method, "p99_slowdown").value;
    const auto p99 = Find(estimate.method, "p99_slowdown");
    const double speedUp = GetSpeedUp(first, estimate);
    char ratio[40] = "-"; // a file has taken no time
    if (!std::isnan(speedUp))
    {
        std::snprintf(ratio, sizeof(ratio), "%.*fx", speedUp < 0.95 ? 3 : 1, speedUp);
    }
    std::printf("%-*s %9.3f %9.3f %5u %9s %13.3f",
                width,
                MarkOther(estimate).c_str(),
                estimate.wallSeconds,
                estimate.cpuSeconds,
                estimate.jobs,
                ratio,
                p99.value);
    if (&estimate == &first)
    {
        std::printf("%12s\n", m_table.HasTruth() ? "(truth)" : "");
        return;
    }
    if (!m_table.HasTruth())
    {
        std::printf(" %+11.1f%%\n", 100 * (p99.value / firstP99 - 1));
        return;
    }
    std::isnan(p99.relativeError) // another method answered
        ? std::printf("%12s", "-")
        : std::printf(" %+10.1f%%", 100 * p99.relativeError);
    const double mean = Find(estimate.method, "mean_abs_flow_error").value;
    std::isnan(mean) // another method answered, or there are no times of single flows
        ? std::printf("%16s %14s\n", "-", "-")
        : std::printf(" %14.1f%% %13.1f%%\n",
                      100 * mean,
                      100 * Find(estimate.method, "p90_abs_flow_error").value);
}

void
DcnComparisonReport::PrintLegend() const
{
    const DcnEstimate& first = m_table.GetEstimates().front();
    m_table.HasTruth()
        ? std::printf("p99 slowdown: over all flows that the method finished; errors: over the "
                      "flows that both it and %s finished; |error|: of the slowdown of a flow\n",
                      first.method.c_str())
        : std::printf("no method is the ground truth, so that no error is known; to first: "
                      "p99 slowdown relative to that of %s\n",
                      first.method.c_str());
    if (first.cpuSeconds > 0)
    {
        std::printf("speed-up: processor time of %s over that of the method, which includes "
                    "reading its model; jobs: threads or processes that the method may use\n",
                    first.method.c_str());
    }
    for (const auto& estimate : m_table.GetEstimates())
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

void
DcnComparisonReport::PrintLimits() const
{
    if (const std::string sampling = DescribeSampling(); !sampling.empty())
    {
        std::printf("%s\n", sampling.c_str());
    }
    for (std::size_t i = 0; i < m_table.GetEstimates().size(); ++i)
    {
        PrintMargins(i);
        PrintDraws(i);
    }
}

void
DcnComparisonReport::PrintMargins(std::size_t method) const
{
    const DcnEstimate& estimate = m_table.GetEstimates()[method];
    if (estimate.margins.empty())
    {
        if (!estimate.marginsNote.empty())
        {
            std::printf("%s: no limits of the p99 slowdown: %s\n",
                        estimate.method.c_str(),
                        estimate.marginsNote.c_str());
        }
        return;
    }
    std::string text;
    for (const DcnSizeClass& sizeClass : DcnSizeClasses())
    {
        auto slowdowns = m_table.GetSlowdowns(method, sizeClass);
        const auto& flows = m_table.GetScenario()->GetFlows();
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
        std::printf("%s: p99 slowdown by size of flows, with limits that %s:%s\n",
                    estimate.method.c_str(),
                    estimate.marginsNote.c_str(),
                    text.c_str());
    }
}

void
DcnComparisonReport::PrintDraws(std::size_t method) const
{
    const DcnEstimate& estimate = m_table.GetEstimates()[method];
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

std::string
DcnComparisonReport::DescribeSampling() const
{
    const DcnEstimate& truth = m_table.GetEstimates().front();
    if (!truth.samples.empty() || truth.GetNFinished() < 2)
    {
        return "";
    }
    static constexpr double FEWEST = 20; // flows above the p99
    // from 0.99^n < 0.025 on, the largest of n slowdowns is an upper limit of the p99
    static constexpr uint64_t FEWEST_FOR_LIMITS = 368;
    const auto p99 =
        DcnFlowQuery("p99_slowdown", *m_table.GetScenario()).Ask(*m_table.GetScenario(), truth);
    char text[400];
    if (p99.n < FEWEST_FOR_LIMITS)
    {
        std::snprintf(text,
                      sizeof(text),
                      "%s: p99 slowdown %.3f, without limits: %llu flows are too few, from %llu on "
                      "there are some, and %.0f have %.0f above their p99",
                      truth.method.c_str(),
                      p99.value,
                      static_cast<unsigned long long>(p99.n),
                      static_cast<unsigned long long>(FEWEST_FOR_LIMITS),
                      100 * FEWEST,
                      FEWEST);
        return text;
    }
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

void
DcnComparisonReport::AnswerQueries(const std::vector<DcnFlowQuery>& queries,
                                   const std::string& folder) const
{
    DcnFileWriter csv(folder + "/queries.csv");
    csv.Stream() << "query,method,value,unit,low,high,n,relative_error\n";
    for (const DcnFlowQuery& query : queries)
    {
        double truth = NAN;
        std::printf("%s%s%s\n",
                    query.GetText().c_str(),
                    query.GetUnit().empty() ? "" : " in ",
                    query.GetUnit().c_str());
        for (std::size_t m = 0; m < m_table.GetEstimates().size(); ++m)
        {
            const DcnEstimate& estimate = m_table.GetEstimates()[m];
            const auto answer = query.Ask(*m_table.GetScenario(), estimate);
            truth = m == 0 && m_table.HasTruth() ? answer.value : truth;
            const double error = m_table.HasError(m) ? answer.value / truth - 1 : NAN;
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

void
DcnComparisonReport::PrintMethods() const
{
    const DcnEstimate& first = m_table.GetEstimates().front();
    if (m_table.HasTruth() && GetEvent(first, "dropped_packets") > 0)
    {
        std::printf("packets were lost: only packet, tcp and ns3-path model losses\n");
    }
    for (const auto& [name, purpose] : GetPurposes())
    {
        std::printf("%-8s  %s\n", name.c_str(), purpose.c_str());
    }
    PrintBest();
}

std::vector<std::pair<std::string, std::string>>
DcnComparisonReport::GetPurposes() const
{
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& one : PURPOSES)
    {
        for (const auto& estimate : m_table.GetEstimates())
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

void
DcnComparisonReport::PrintBest() const
{
    const auto& estimates = m_table.GetEstimates();
    auto find = [&](const DcnFctTable::SummaryRow& row) {
        return std::find_if(estimates.begin(), estimates.end(), [&](const auto& each) {
            return each.method == row.method;
        });
    };
    auto speedUp = [&](const DcnFctTable::SummaryRow& row) {
        return GetSpeedUp(estimates.front(), *find(row));
    };
    // the method with the least cost among the rows of a metric; error and cost of a row are
    // numbers
    auto best = [&](const std::string& metric,
                    auto error,
                    auto cost,
                    bool isRanking = true) -> std::string {
        const DcnFctTable::SummaryRow* least = nullptr;
        for (const auto& row : m_rows)
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
                      isRanking && error(*least) > FAR_OFF ? "none (%s is %.1f %% off"
                      : isRanking                          ? "%s (%.1f %% off"
                                                           : "%s (p99 %.1f %% off",
                      least->method.c_str(),
                      100 * error(*least));
        char ratio[40] = "";
        if (!std::isnan(speedUp(*least))) // else the truth is a file, which has taken no time
        {
            std::snprintf(ratio, sizeof(ratio), ", %.1f times as fast", speedUp(*least));
        }
        return std::string(text) + ratio + ")";
    };
    auto tailError = [](const auto& row) { return std::abs(row.relativeError); };
    auto flowError = [](const auto& row) { return row.value; };
    const std::string tail = best("p99_slowdown", tailError, tailError);
    const std::string flows = best("mean_abs_flow_error", flowError, flowError);
    const std::string fastest = best(
        "p99_slowdown",
        tailError,
        [&](const auto& row) { return std::max(1e-6, find(row)->cpuSeconds); },
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

std::vector<std::vector<std::string>>
DcnComparisonReport::MakeCells() const
{
    const auto& estimates = m_table.GetEstimates();
    auto find = [this](const std::string& method, const std::string& metric, bool isError) {
        for (const auto& row : m_rows)
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
                         isFirst && m_table.HasTruth()
                             ? "truth"
                             : show("%+.1f %%", 100 * find(name, "p99_slowdown", true)),
                         show("%.1f %%", 100 * find(name, "mean_abs_flow_error", false))});
    }
    return cells;
}

void
DcnComparisonReport::WriteHtml(const std::string& folder,
                               const std::string& title,
                               const std::string& recipe,
                               const std::string& command) const
{
    DcnReport page(title.empty() ? "Slowdowns of a scenario directory" : title);
    page.AddOrigin(command);
    page.AddHeading("Results");
    page.AddTable({"method",
                   "wall [s]",
                   "processor [s]",
                   "speed-up",
                   "p50 slowdown",
                   "p99 slowdown",
                   "p99 error",
                   "mean |error| of flows"},
                  MakeCells());
    page.AddText(m_table.HasTruth()
                     ? "Errors refer to " + m_table.GetEstimates().front().method +
                           ", over the flows that both finished. Speed-ups are ratios of "
                           "processor time."
                     : "No method is the ground truth here, so no error is known.");
    const std::string sampling = DescribeSampling();
    if (!sampling.empty())
    {
        page.AddText(sampling + ".");
    }
    page.AddFigure(folder + "/slowdown-cdf.svg", "Share of flows above a slowdown, by method");
    page.AddFigure(folder + "/slowdown-by-size.svg", "The same for each class of flow sizes");
    page.AddFigure(folder + "/queues.svg", "The longest queues of switches over time (--queues)");
    page.AddHeading("Methods");
    std::vector<std::vector<std::string>> purposes;
    for (const auto& [name, purpose] : GetPurposes())
    {
        purposes.push_back({name, purpose});
    }
    page.AddTable({"method", "what it does, and what it is for"}, purposes);
    for (const DcnEstimate& estimate : m_table.GetEstimates())
    {
        page.AddAnswer(estimate);
    }
    page.AddHeading("Scenario");
    std::string keys = recipe;
    std::replace(keys.begin(), keys.end(), ',', '\n');
    page.AddText(keys);
    std::vector<std::vector<std::string>> network;
    for (const auto& [key, value] : m_table.GetScenario()->GetNetworkConfig()->GetKeys())
    {
        network.push_back({key, value});
    }
    page.AddTable({"key of network.csv", "value"}, network);
    page.AddHeading("All figures");
    page.AddCsv(folder + "/summary.csv", "summary.csv");
    page.Write(folder + "/report.html");
}

} // namespace ns3
