/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-trained-ranges.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainedRanges");

namespace
{

constexpr const char* SECTION = "ranges";               //!< of the card
constexpr const char* FORMAT = "format";                //!< its key: version of the ranges
constexpr const char* CONTROLS = "congestion_controls"; //!< its key: those with ranges
constexpr const char* NONE = "none";                    //!< nothing was seen
constexpr const char* VERSION = "1";                    //!< of the format
constexpr const char* FORMER_REGIME = "anywhere"; //!< of margins without a regime (DcnForecast)

/// @return the section with the ranges of a congestion control
std::string
SectionOf(const std::string& congestionControl)
{
    return "range of " + congestionControl;
}

/// @return a value as it is compared
double
ToScale(double value, double logFrom)
{
    return logFrom > 0 ? std::log(std::max(logFrom, value)) : value;
}

/// @return a number for people: whole ones in full
std::string
ToText(double value, int digits)
{
    if (value == std::floor(value))
    {
        return DcnToText(value);
    }
    std::ostringstream text;
    text.precision(digits);
    text << value;
    return text.str();
}

/// @return the warning about a value that is not in a range
std::string
MakeText(const DcnTrainedRanges::Quantity& quantity,
         double value,
         const DcnTrainedRanges::Range& range,
         const std::string& congestionControl)
{
    // as many digits as it takes to see the difference
    int digits = 3;
    while (digits < 17 && (ToText(value, digits) == ToText(range.low, digits) ||
                           ToText(value, digits) == ToText(range.high, digits)))
    {
        ++digits;
    }
    const std::string from = ToText(range.low, digits);
    const std::string to = ToText(range.high, digits);
    return quantity.name + (quantity.isUnmodelled ? ", which is no feature of the model," : "") +
           " is " + ToText(value, digits) + ", but was " +
           (range.IsEmpty() ? "not there"
            : from == to    ? "always " + from
                            : "from " + from + " to " + to) +
           " in training" + (quantity.isPooled ? "" : " with " + congestionControl);
}

/// @return whether a parameter makes a difference with the others as they are
bool
HasEffect(const std::string& key, const DcnNetworkParameters& network)
{
    const std::string& control = network.congestionControl;
    return key == "ecn_pmax"          ? control == "dctcp" || control == "dcqcn"
           : key == "base_rtt_ns"     ? control == "hpcc"
           : key == "pfc_alpha_shift" ? network.pfc
                                      : true;
}

} // namespace

bool
DcnTrainedRanges::Range::IsEmpty() const
{
    return low > high;
}

void
DcnTrainedRanges::Range::Add(const Range& other)
{
    low = std::min(low, other.low);
    high = std::max(high, other.high);
}

DcnTrainedRanges::DcnTrainedRanges(Quantities quantities)
    : m_quantities(std::move(quantities))
{
}

std::size_t
DcnTrainedRanges::Find(const std::string& name) const
{
    const auto found = std::find_if(m_quantities.begin(),
                                    m_quantities.end(),
                                    [&](const Quantity& each) { return each.name == name; });
    return static_cast<std::size_t>(found - m_quantities.begin());
}

std::string
DcnTrainedRanges::Join(const std::string& separator) const
{
    std::string list;
    for (const auto& [control, ranges] : m_ranges)
    {
        list += (list.empty() ? "" : separator) + control;
    }
    return list;
}

void
DcnTrainedRanges::Add(const Conditions& conditions)
{
    NS_ASSERT_MSG(conditions.values.size() == m_quantities.size(), "values of a sample");
    auto& ranges = m_ranges[conditions.congestionControl];
    ranges.resize(m_quantities.size());
    for (std::size_t i = 0; i < ranges.size(); ++i)
    {
        const double value = conditions.values[i];
        if (!std::isnan(value))
        {
            ranges[i].Add({value, value});
        }
    }
}

void
DcnTrainedRanges::Add(const DcnTrainedRanges& other)
{
    NS_ASSERT_MSG(other.m_quantities.size() == m_quantities.size(), "ranges of another method");
    for (const auto& [control, theirs] : other.m_ranges)
    {
        auto& ranges = m_ranges[control];
        ranges.resize(m_quantities.size());
        for (std::size_t i = 0; i < ranges.size(); ++i)
        {
            ranges[i].Add(theirs[i]);
        }
    }
}

bool
DcnTrainedRanges::IsEmpty() const
{
    return m_ranges.empty();
}

DcnTrainedRanges::Range
DcnTrainedRanges::Get(const std::string& congestionControl, const std::string& name) const
{
    const auto ranges = m_ranges.find(congestionControl);
    const std::size_t quantity = Find(name);
    NS_ASSERT_MSG(quantity < m_quantities.size(), name << " is no quantity");
    return ranges == m_ranges.end() ? Range() : ranges->second[quantity];
}

void
DcnTrainedRanges::Require(const std::string& congestionControl) const
{
    if (!m_ranges.empty() && m_ranges.count(congestionControl) == 0)
    {
        const std::string control = congestionControl + ", only on " + Join(", ");
        DcnFail("the model was not trained on the congestion control ", control);
    }
}

DcnTrainedRanges::Findings
DcnTrainedRanges::Check(const Conditions& conditions) const
{
    static constexpr double ROUNDING = 1e-5; // relative
    Findings findings;
    Require(conditions.congestionControl);
    const auto ranges = m_ranges.find(conditions.congestionControl);
    if (ranges == m_ranges.end())
    {
        return findings;
    }
    NS_ASSERT_MSG(conditions.values.size() == m_quantities.size(), "values of a sample");
    for (std::size_t i = 0; i < m_quantities.size(); ++i)
    {
        const Quantity& quantity = m_quantities[i];
        const double value = conditions.values[i];
        if (std::isnan(value))
        {
            continue;
        }
        Range range = ranges->second[i];
        if (quantity.isPooled)
        {
            for (const auto& [control, others] : m_ranges)
            {
                range.Add(others[i]);
            }
        }
        if (value >= range.low && value <= range.high)
        {
            continue; // nearly always, and without logarithms
        }
        double distance = INFINITY;
        if (!range.IsEmpty())
        {
            const double low = ToScale(range.low, quantity.logFrom);
            const double high = ToScale(range.high, quantity.logFrom);
            const double at = ToScale(value, quantity.logFrom);
            const double unit = quantity.logFrom > 0 ? 1 : std::max(std::abs(low), std::abs(high));
            distance = std::max(low - at, at - high);
            if (distance <= quantity.tolerance * (high - low) + ROUNDING * unit)
            {
                continue;
            }
        }
        const auto& control = conditions.congestionControl;
        NS_LOG_LOGIC(quantity.name << " is outside of the training by " << distance);
        findings[i] = {1, distance, value, MakeText(quantity, value, range, control)};
    }
    return findings;
}

void
DcnTrainedRanges::Merge(Findings& all, const Findings& more)
{
    for (const auto& [quantity, theirs] : more)
    {
        const auto [at, isNew] = all.insert({quantity, theirs});
        Finding& ours = at->second;
        const uint64_t n = isNew ? theirs.n : ours.n + theirs.n;
        if (std::tie(ours.distance, ours.value) < std::tie(theirs.distance, theirs.value))
        {
            ours = theirs;
        }
        ours.n = n;
    }
}

std::vector<std::string>
DcnTrainedRanges::Describe(const Findings& findings, std::size_t n, const std::string& unit)
{
    std::vector<std::string> sentences;
    for (const auto& [quantity, finding] : findings)
    {
        sentences.push_back(finding.text + " (" + std::to_string(finding.n) + " of " +
                            std::to_string(n) + " " + unit + ")");
    }
    return sentences;
}

std::string
DcnTrainedRanges::DescribeExpectedError(const DcnModelFile& model,
                                        const std::string& congestionControl)
{
    std::string text;
    for (const std::string place : {"inside", "outside"})
    {
        double error = 0;
        for (const auto& [name, value] : model.GetSection("expected p99 error"))
        {
            if (name == congestionControl + ' ' + place && DcnParse(value, error))
            {
                text += (text.empty() ? "with " + congestionControl + ", p99 errors were "
                                      : std::string(", ")) +
                        std::to_string(std::lround(100 * error)) + " % on average " + place;
            }
        }
    }
    return text.empty() ? "" : text + " of it";
}

void
DcnTrainedRanges::SetMargins(const DcnModelFile& model,
                             const std::string& congestionControl,
                             const std::string& regime,
                             DcnEstimate& estimate)
{
    const bool isOutside = !estimate.warnings.empty();
    const std::string section = isOutside ? "p99 margins outside" : "p99 margins";
    const std::string own = regime + ' ' + congestionControl + ' ';
    const std::string any = regime + " any ";
    // cards of before the regimes were measured on one of them
    const std::string former = regime == FORMER_REGIME ? congestionControl + ' ' : "";
    uint64_t fewest = 0; // measured scenarios of a class
    estimate.margins.clear();
    for (const std::string& prefix : {own, any, former})
    {
        for (const auto& [name, value] : model.GetSection(section))
        {
            if (prefix.empty() || name.rfind(prefix, 0) != 0)
            {
                continue;
            }
            DcnEstimate::Margin margin;
            margin.sizeClass = name.substr(prefix.size());
            const auto parts = DcnSplit(value, ':');
            if (parts.size() != 3 || !DcnParse(parts[0], margin.low) ||
                !DcnParse(parts[1], margin.high) || !DcnParse(parts[2], margin.n) ||
                !(margin.low > 0 && margin.low <= margin.high))
            {
                DcnFail(model.Where(),
                        "the p99 margin \"",
                        name,
                        "\" must be low:high:scenarios with 0 < low <= high, but it is ",
                        value);
            }
            const bool isThere =
                std::any_of(estimate.margins.begin(), estimate.margins.end(), [&](const auto& each) {
                    return each.sizeClass == margin.sizeClass;
                });
            if (!isThere)
            {
                fewest = fewest == 0 ? margin.n : std::min(fewest, margin.n);
                estimate.margins.push_back(margin);
            }
        }
    }
    const std::string like = "networks like \"" + regime + "\"";
    const std::string missing = "the model's card has no errors on " + like;
    estimate.marginsNote =
        isOutside && estimate.margins.empty()
            ? missing + " outside of the training, where this scenario is: " +
                  estimate.warnings.front()
        : estimate.margins.empty() ? missing
        : isOutside ? "held that of packets in 90 % of " + std::to_string(fewest) +
                          " or more " + like +
                          " outside of the training, which need not be as far outside as this one"
                    : "hold that of packets with a probability of 90 % on " + like;
}

void
DcnTrainedRanges::Write(DcnModelFile& model) const
{
    model.Remove(SECTION);
    for (const std::string& control : DcnScenarioSuite::GetLearnedControls())
    {
        model.Remove(SectionOf(control));
    }
    model.Set(SECTION, FORMAT, 1);
    model.Set(SECTION, CONTROLS, m_ranges.empty() ? NONE : Join(","));
    for (const auto& [control, ranges] : m_ranges)
    {
        for (std::size_t i = 0; i < ranges.size(); ++i)
        {
            if (!ranges[i].IsEmpty())
            {
                model.Set(SectionOf(control),
                          m_quantities[i].name,
                          DcnToText(ranges[i].low) + ":" + DcnToText(ranges[i].high));
            }
        }
    }
}

DcnTrainedRanges
DcnTrainedRanges::Read(const DcnModelFile& model, Quantities quantities)
{
    const std::string again = "made by another version of this code: train the model again";
    DcnTrainedRanges all(std::move(quantities));
    const auto head = model.GetSection(SECTION);
    const std::pair<std::string, std::string> format(FORMAT, VERSION);
    if (std::find(head.begin(), head.end(), format) == head.end())
    {
        DcnFail(model.Where(), "there are no ranges in format ", VERSION, ", so it was ", again);
    }
    const std::string list = model.GetText(SECTION, CONTROLS);
    std::istringstream controls(list == NONE ? "" : list + ",");
    for (std::string control; std::getline(controls, control, ',');)
    {
        const auto& known = DcnScenarioSuite::GetLearnedControls();
        const std::string section = SectionOf(control);
        const auto entries = model.GetSection(section);
        if (std::find(known.begin(), known.end(), control) == known.end() ||
            all.m_ranges.count(control) > 0 || entries.empty())
        {
            const char* must = ", but must be none, or congestion controls with ranges, by commas";
            DcnFail(model.Where(), SECTION, ".", CONTROLS, " is \"", list, "\"", must);
        }
        auto& ranges = all.m_ranges[control];
        ranges.resize(all.m_quantities.size());
        for (const auto& [name, text] : entries)
        {
            const std::size_t quantity = all.Find(name);
            if (quantity == all.m_quantities.size())
            {
                const char* unknown = ", which is not known, so it was ";
                DcnFail(model.Where(), section, " has \"", name, "\"", unknown, again);
            }
            const std::size_t colon = std::min(text.find(':'), text.size() - 1);
            Range& range = ranges[quantity];
            if (text.empty() || !DcnParse(text.substr(0, colon), range.low) ||
                !DcnParse(text.substr(colon + 1), range.high) || range.IsEmpty())
            {
                const char* must = ", but must be smallest:largest";
                DcnFail(model.Where(), section, ".", name, " is \"", text, "\"", must);
            }
        }
    }
    for (const std::string& control : DcnScenarioSuite::GetLearnedControls())
    {
        if (all.m_ranges.count(control) == 0 && !model.GetSection(SectionOf(control)).empty())
        {
            const char* but = "\", but there is a section \"";
            DcnFail(model.Where(),
                    SECTION,
                    ".",
                    CONTROLS,
                    " is \"",
                    list,
                    but,
                    SectionOf(control),
                    "\"");
        }
    }
    return all;
}

DcnUnmodelledKeys::DcnUnmodelledKeys(const std::string& modelled)
{
    std::set<std::string> seen{modelled,
                               "window_bytes",
                               "min_rate_bps",
                               "ecn_reference_rate_bps",
                               "ecn_kmin_bytes",
                               "ecn_kmax_bytes",
                               "buffer_bytes",
                               "pfc",
                               "timely_low_ns",
                               "timely_high_ns",
                               "hpcc_eta",
                               "hpcc_additive_increase_bps"};
    for (const DcnNetworkConfig::Key& key : DcnNetworkConfig::GetAllKeys())
    {
        if (seen.insert(key.name).second)
        {
            m_keys.push_back(key);
        }
    }
}

DcnTrainedRanges::Quantities
DcnUnmodelledKeys::GetQuantities(const std::string& rate, double tolerance) const
{
    DcnTrainedRanges::Quantities quantities;
    for (const DcnNetworkConfig::Key& key : m_keys)
    {
        const std::string name = key.name + (key.isRate ? " / " + rate : "");
        quantities.push_back({name, tolerance, 0, false, true});
    }
    return quantities;
}

std::vector<double>
DcnUnmodelledKeys::GetValues(const DcnNetworkParameters& network) const
{
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    static_cast<DcnNetworkParameters&>(*config) = network;
    std::vector<double> values(m_keys.size(), DcnTrainedRanges::ABSENT);
    for (const auto& [key, text] : config->GetKeys())
    {
        const auto found = std::find_if(m_keys.begin(), m_keys.end(), [&name = key](const auto& k) {
            return k.name == name;
        });
        if (found == m_keys.end() || !HasEffect(key, network))
        {
            continue;
        }
        double& value = values[static_cast<std::size_t>(found - m_keys.begin())];
        [[maybe_unused]] const bool isNumber = DcnParse(text, value);
        NS_ASSERT_MSG(isNumber, key << " is " << text);
        if (key == "ecn_pmax" && network.ecnKminBytes == network.ecnKmaxBytes)
        {
            value = 1;
        }
    }
    return values;
}

void
DcnUnmodelledKeys::Append(const std::vector<double>& values,
                          double rateBps,
                          std::vector<double>& sample) const
{
    for (std::size_t i = 0; i < m_keys.size(); ++i)
    {
        // max_rate_bps 0 is no limit, as is the rate of the links
        const bool isUnlimited = m_keys[i].name == "max_rate_bps" && values[i] == 0;
        sample.push_back(!m_keys[i].isRate ? values[i]
                         : rateBps <= 0    ? DcnTrainedRanges::ABSENT
                         : isUnlimited     ? 1
                                           : values[i] / rateBps);
    }
}

DcnRangeMonitor::DcnRangeMonitor(DcnTrainedRanges ranges, const std::string& method)
    : m_ranges(std::move(ranges)),
      m_method(method)
{
}

bool
DcnRangeMonitor::IsEmpty() const
{
    return m_ranges.IsEmpty();
}

void
DcnRangeMonitor::Check(DcnTrainedRanges::Conditions conditions)
{
    for (const std::size_t quantity : m_warnedOf)
    {
        conditions.values[quantity] = DcnTrainedRanges::ABSENT;
    }
    DcnEstimate fresh; // for its sentence
    for (const auto& [quantity, finding] : m_ranges.Check(conditions))
    {
        fresh.warnings.push_back(finding.text);
        m_warnedOf.push_back(quantity);
        m_warnings.push_back(finding.text);
    }
    if (!fresh.warnings.empty() && !m_method.empty())
    {
        std::cerr << m_method << ": " << fresh.DescribeWarnings() << std::endl;
    }
}

const std::vector<std::string>&
DcnRangeMonitor::GetWarnings() const
{
    return m_warnings;
}

DcnNetworkRatios::DcnNetworkRatios(const DcnNetworkParameters& network,
                                   double rateBps,
                                   double rttNs)
    : bdpBytes(rateBps * rttNs / 8e9),
      packet(static_cast<double>(network.payloadBytes + DCN_HEADER_BYTES) / bdpBytes),
      timelyLow(network.GetOwn("timely_low_ns") / rttNs),
      timelyHigh(network.GetOwn("timely_high_ns") / rttNs),
      hpccEta(network.GetOwn("hpcc_eta")),
      additiveIncrease(network.GetOwn("hpcc_additive_increase_bps") / rateBps),
      minRate(static_cast<double>(network.minRate.GetBitRate()) / rateBps)
{
    const double port = rateBps / static_cast<double>(network.ecnReferenceRate.GetBitRate());
    kMin = port * static_cast<double>(network.ecnKminBytes) / bdpBytes;
    kMax = port * static_cast<double>(network.ecnKmaxBytes) / bdpBytes;
    if (const double bytes = network.GetOwn("hpcc_additive_increase_bytes"))
    {
        additiveIncrease = std::floor(8e9 * bytes / rttNs) / rateBps; // whole bit/s, as the control
    }
}

} // namespace ns3
