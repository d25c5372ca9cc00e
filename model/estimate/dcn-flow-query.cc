/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-flow-query.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnFlowQuery");

namespace
{

constexpr double NS_PER_US = 1000.0; //!< nanoseconds in a microsecond
constexpr double DEVIATIONS = 1.96;  //!< standard deviations of 95 % limits
constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< no number

/**
 * @param text e.g. "10KB"
 * @param bytes set on success
 * @param unit bytes per unit if the text has none; 0: the text must have one
 * @return bytes per unit, 0 if the text is no size
 */
double
ParseSize(const std::string& text, double& bytes, double unit)
{
    const std::size_t end = text.find_first_not_of("0123456789.");
    if (end != std::string::npos)
    {
        const std::string name = text.substr(end);
        unit = name == "B" ? 1 : name == "KB" ? 1e3 : name == "MB" ? 1e6 : 0;
    }
    double number = 0;
    if (unit == 0 || !DcnParse(text.substr(0, end), number))
    {
        return 0;
    }
    bytes = number * unit;
    return unit;
}

/**
 * @param text e.g. "<10KB"
 * @return the class, none if the text is no class
 */
std::optional<DcnSizeClass>
ParseClass(const std::string& text)
{
    DcnSizeClass made{text, 0, std::numeric_limits<double>::infinity()};
    if (text == "all")
    {
        return made;
    }
    const std::size_t dash = text.find('-');
    if (text.empty())
    {
        return std::nullopt;
    }
    if (text[0] == '<' || text[0] == '>')
    {
        double& end = text[0] == '<' ? made.upperBytes : made.lowerBytes;
        return ParseSize(text.substr(1), end, 0) > 0 ? std::make_optional(made) : std::nullopt;
    }
    if (dash == std::string::npos)
    {
        return std::nullopt;
    }
    const double unit = ParseSize(text.substr(dash + 1), made.upperBytes, 0);
    if (unit == 0 || ParseSize(text.substr(0, dash), made.lowerBytes, unit) == 0 ||
        made.lowerBytes >= made.upperBytes)
    {
        return std::nullopt;
    }
    return made;
}

/**
 * @param query the query, for sentences
 * @param place hostN or rackN
 * @param topology the network
 * @return whether a node is one of the hosts, by node
 * @throws DcnError for another text, and a host or rack that does not exist
 */
std::vector<bool>
ParsePlace(const std::string& query, const std::string& place, const DcnTopology& topology)
{
    std::vector<bool> isSelected(topology.GetNNodes(), false);
    const std::string kind = place.substr(0, 4);
    uint64_t number = 0;
    if ((kind != "host" && kind != "rack") || !DcnParse(place.substr(4), number))
    {
        DcnFail("--query: \"", query, "\": a place is hostN or rackN, but it is \"", place, "\"");
    }
    if (kind == "rack")
    {
        if (number >= topology.GetNRacks())
        {
            DcnFail("--query: \"",
                    query,
                    "\": there is no rack ",
                    number,
                    "; the network has racks 0 to ",
                    topology.GetNRacks() - 1);
        }
        for (const uint32_t host : topology.GetRackHosts(static_cast<uint32_t>(number)))
        {
            isSelected[host] = true;
        }
        return isSelected;
    }
    if (number >= topology.GetNNodes() || !topology.IsHost(static_cast<uint32_t>(number)))
    {
        DcnFail("--query: \"",
                query,
                "\": node ",
                number,
                " is no host; hosts are ",
                topology.GetHosts().front(),
                " to ",
                topology.GetHosts().back());
    }
    isSelected[number] = true;
    return isSelected;
}

} // namespace

DcnSampleIdeals::DcnSampleIdeals(const DcnScenario& scenario)
{
    const auto& flows = scenario.GetFlows();
    std::vector<std::pair<Key, double>> all;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        all.emplace_back(Key{flows[i].src, flows[i].dst, flows[i].sizeBytes},
                         scenario.GetIdealFct(i).GetTotalNs());
    }
    std::sort(all.begin(), all.end());
    for (auto first = all.begin(); first != all.end();)
    {
        double sum = 0;
        auto last = first;
        for (; last != all.end() && last->first == first->first; ++last)
        {
            sum += last->second;
        }
        m_ideals.emplace_back(first->first, sum / static_cast<double>(last - first));
        first = last;
    }
}

double
DcnSampleIdeals::Get(const DcnEstimate::Sample& sample) const
{
    const Key key{sample.src, sample.dst, sample.sizeBytes};
    const auto found = std::lower_bound(
        m_ideals.begin(),
        m_ideals.end(),
        key,
        [](const auto& each, const Key& wanted) { return each.first < wanted; });
    if (found == m_ideals.end() || found->first != key)
    {
        DcnFail("a sample stands for flows of ",
                sample.sizeBytes,
                " bytes from node ",
                sample.src,
                " to node ",
                sample.dst,
                ", but the scenario has none");
    }
    return found->second;
}

std::optional<DcnFlowQuery::Statistic>
DcnFlowQuery::ParseStatistic(const std::string& text)
{
    const std::size_t bar = text.find('_');
    const std::size_t at = text.find('@');
    const std::string statistic = text.substr(0, bar);
    const std::string quantity =
        bar == std::string::npos
            ? ""
            : text.substr(bar + 1, at == std::string::npos ? at : at - bar - 1);
    double percent = 0;
    const bool isMean = statistic == "mean";
    const bool isQuantile = statistic.size() > 1 && statistic[0] == 'p' &&
                            DcnParse(statistic.substr(1), percent) && percent > 0 && percent < 100;
    const auto sizeClass = ParseClass(at == std::string::npos ? "all" : text.substr(at + 1));
    if (!(isMean || isQuantile) || !(quantity == "fct" || quantity == "slowdown") || !sizeClass)
    {
        return std::nullopt;
    }
    return Statistic{isMean, percent / 100, quantity == "slowdown", *sizeClass};
}

DcnFlowQuery::DcnFlowQuery(const std::string& text, const DcnScenario& scenario)
    : m_text(text)
{
    const auto parts = DcnSplit(text, ':');
    const auto statistic = ParseStatistic(parts.empty() ? "" : parts.front());
    if (!statistic)
    {
        DcnFail("--query: \"",
                text,
                "\" is not of the form p99_slowdown, mean_fct@>50KB or "
                "p99.9_fct@<10KB:from=rack0:to=host17");
    }
    m_statistic = *statistic;
    const DcnTopology& topology = scenario.GetTopology();
    m_isSource.assign(topology.GetNNodes(), true);
    m_isDestination = m_isSource;
    bool hasFrom = false;
    bool hasTo = false;
    for (std::size_t i = 1; i < parts.size(); ++i)
    {
        const bool isFrom = parts[i].rfind("from=", 0) == 0;
        bool& isSet = isFrom ? hasFrom : hasTo;
        if ((!isFrom && parts[i].rfind("to=", 0) != 0) || isSet)
        {
            DcnFail("--query: \"",
                    text,
                    "\": from=PLACE and to=PLACE, each once, may follow, but not \"",
                    parts[i],
                    "\"");
        }
        isSet = true;
        (isFrom ? m_isSource : m_isDestination) =
            ParsePlace(text, parts[i].substr(parts[i].find('=') + 1), topology);
    }
    const auto& flows = scenario.GetFlows();
    if (std::none_of(flows.begin(), flows.end(), [this](const DcnFlow& flow) {
            return Selects(flow.src, flow.dst, flow.sizeBytes);
        }))
    {
        DcnFail("--query: \"",
                text,
                "\": no flow of the scenario meets it; ask for a wider class of sizes or place, or "
                "take more flows");
    }
}

bool
DcnFlowQuery::Selects(uint32_t src, uint32_t dst, uint64_t sizeBytes) const
{
    return m_isSource[src] && m_isDestination[dst] &&
           m_statistic.sizeClass.Contains(static_cast<double>(sizeBytes));
}

DcnFlowQuery::Answer
DcnFlowQuery::Ask(const DcnScenario& scenario, const DcnEstimate& estimate) const
{
    std::vector<std::pair<double, double>> values; // value, weight
    if (!estimate.samples.empty())
    {
        std::optional<DcnSampleIdeals> ideals;
        if (!m_statistic.isSlowdown)
        {
            ideals.emplace(scenario);
        }
        for (const DcnEstimate::Sample& sample : estimate.samples)
        {
            if (Selects(sample.src, sample.dst, sample.sizeBytes))
            {
                values.emplace_back(ideals ? sample.slowdown * ideals->Get(sample) / NS_PER_US
                                           : sample.slowdown,
                                    sample.weight);
            }
        }
    }
    const auto& flows = scenario.GetFlows();
    for (std::size_t i = 0; estimate.samples.empty() && i < flows.size(); ++i)
    {
        if (estimate.fctNs[i] != DcnEstimate::UNFINISHED &&
            Selects(flows[i].src, flows[i].dst, flows[i].sizeBytes))
        {
            const auto fct = static_cast<double>(estimate.fctNs[i]);
            values.emplace_back(
                m_statistic.isSlowdown
                    ? fct / static_cast<double>(scenario.GetIdealFct(i).GetTotalNs())
                    : fct / NS_PER_US,
                1.0);
        }
    }
    Answer answer{NONE, NONE, NONE, values.size()};
    NS_LOG_INFO(m_text << ": " << values.size() << " values of " << estimate.method);
    if (values.empty())
    {
        return answer;
    }
    std::sort(values.begin(), values.end());
    const bool hasLimits = estimate.samples.empty() && values.size() > 1;
    const auto n = static_cast<double>(values.size());
    if (m_statistic.isMean)
    {
        double sum = 0;
        double square = 0;
        double weights = 0;
        for (const auto& [value, weight] : values)
        {
            sum += weight * value;
            weights += weight;
        }
        answer.value = sum / weights;
        for (const auto& [value, weight] : values)
        {
            square += (value - answer.value) * (value - answer.value);
        }
        const double half = DEVIATIONS * std::sqrt(square / (n - 1) / n);
        answer.low = hasLimits ? answer.value - half : NONE;
        answer.high = hasLimits ? answer.value + half : NONE;
        return answer;
    }
    const double p = m_statistic.probability;
    const double half = DEVIATIONS * std::sqrt(p * (1 - p) / n);
    answer.value = DcnWeightedQuantile(values, p);
    answer.low = hasLimits ? DcnWeightedQuantile(values, std::max(0.0, p - half)) : NONE;
    answer.high = hasLimits ? DcnWeightedQuantile(values, std::min(1.0, p + half)) : NONE;
    return answer;
}

const std::string&
DcnFlowQuery::GetText() const
{
    return m_text;
}

std::string
DcnFlowQuery::GetUnit() const
{
    return m_statistic.isSlowdown ? "" : "us";
}

} // namespace ns3
