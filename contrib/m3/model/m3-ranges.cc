/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-ranges.h"

#include "m3-spec.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

constexpr const char* SECTION = "ranges";                             //!< of the card
constexpr const char* CONTROLS = "congestion_controls";               //!< what has ranges
constexpr const char* NONE = "none";                                  //!< nothing has
constexpr const char* KMIN_SHARE = "ecn_kmin_bytes / ecn_kmax_bytes"; //!< of DCTCP

/**
 * @param text a text
 * @param end another one
 * @return whether it ends so
 */
bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/**
 * @param value of a quantity
 * @param isLog whether it is compared by its logarithm
 * @return what is compared
 */
double
ToScale(double value, bool isLog)
{
    static constexpr double LEAST = 1e-3; // as M3Spec::Append: values may be 0
    return isLog ? std::log(std::max(LEAST, value)) : value;
}

/**
 * @param value a number
 * @param digits how many of it
 * @return as text
 */
std::string
ToText(double value, int digits)
{
    std::ostringstream text;
    text.precision(digits);
    text << value;
    return text.str();
}

/**
 * @param congestionControl a name
 * @return whether its switches mark packets
 */
bool
HasMarks(const std::string& congestionControl)
{
    return congestionControl == "dctcp" || congestionControl == "dcqcn";
}

} // namespace

M3Settings::M3Settings(const DcnNetworkConfig& config)
    : m_congestionControl(config.congestionControl)
{
    // what M3Spec has, and thresholds where nobody looks at marks
    static const std::set<std::string> seen{"cc",
                                            "payload_bytes",
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
    for (const auto& [key, text] : config.GetKeys())
    {
        const bool hasEffect = (key != "ecn_pmax" || HasMarks(m_congestionControl)) &&
                               (key != "base_rtt_ns" || m_congestionControl == "hpcc");
        double value = 0;
        if (seen.count(key) > 0 || !hasEffect)
        {
            continue;
        }
        const bool isNumber = DcnParse(text, value);
        NS_ASSERT_MSG(isNumber, key << " is " << text);
        if (key == "ecn_pmax" && config.ecnKminBytes == config.ecnKmaxBytes)
        {
            value = 1; // a step: it has no effect
        }
        m_settings.push_back({key, isNumber ? value : 0, EndsWith(key, "_bps")});
    }
    if (m_congestionControl == "dctcp")
    {
        const auto most = static_cast<double>(std::max<uint64_t>(1, config.ecnKmaxBytes));
        m_settings.push_back(
            {KMIN_SHARE,
             config.ecnKmaxBytes == 0 ? 1 : static_cast<double>(config.ecnKminBytes) / most,
             false});
    }
}

const std::vector<M3Conditions::Quantity>&
M3Conditions::GetQuantities(const std::string& congestionControl)
{
    static const auto all = []() {
        std::map<std::string, std::vector<Quantity>> quantities;
        for (const auto& name : DcnNetworkConfig::GetCongestionControls())
        {
            auto& list = quantities[name];
            const auto& controls = DcnNetworkConfig::GetCongestionControls();
            for (const auto& each : M3Spec::GetQuantities())
            {
                const bool isControl =
                    std::find(controls.begin(), controls.end(), each.name) != controls.end();
                if (!isControl && (!each.congestionControl || name == each.congestionControl))
                {
                    list.push_back({each.name, each.isLog, false});
                }
            }
            list.push_back({"largest load of a link", false, true});
            list.push_back({"largest number of flows on a link", true, true});
            list.push_back({"number of foreground flows", true, true});
            list.push_back({"windows under way before a flow", true, true});
            for (const auto& setting : M3Settings(*DcnNetworkConfig::Preset(name)).m_settings)
            {
                list.push_back(
                    {setting.name + (setting.isRate ? " / bottleneck rate" : ""), false, false});
            }
        }
        return quantities;
    }();
    const auto found = all.find(congestionControl);
    if (found == all.end())
    {
        DcnFail("m3 does not know the congestion control \"", congestionControl, "\"");
    }
    return found->second;
}

M3Conditions
M3Settings::Describe(const M3Spec& spec, const M3Conditions::Traffic& traffic) const
{
    M3Conditions conditions;
    conditions.congestionControl = m_congestionControl;
    auto& values = conditions.values;
    const auto bottleneck = static_cast<double>(spec.GetBottleneckBps());
    const auto& controls = DcnNetworkConfig::GetCongestionControls();
    for (std::size_t i = 0; i < M3Spec::N; ++i)
    {
        const auto& each = M3Spec::GetQuantities()[i];
        const bool isControl =
            std::find(controls.begin(), controls.end(), each.name) != controls.end();
        if (!isControl &&
            (!each.congestionControl || m_congestionControl == each.congestionControl))
        {
            values.push_back(spec.GetValues()[i]);
        }
    }
    values.insert(values.end(), {traffic.load, traffic.flows, traffic.foreground, traffic.windows});
    for (const Setting& setting : m_settings)
    {
        values.push_back(setting.isRate ? setting.value / bottleneck : setting.value);
    }
    NS_ASSERT_MSG(values.size() == M3Conditions::GetQuantities(m_congestionControl).size(),
                  "quantities of " << m_congestionControl);
    return conditions;
}

void
M3Ranges::Add(const M3Conditions& conditions)
{
    auto& ranges = m_ranges[conditions.congestionControl];
    if (ranges.empty())
    {
        for (double value : conditions.values)
        {
            ranges.emplace_back(value, value);
        }
    }
    for (std::size_t i = 0; i < ranges.size(); ++i)
    {
        ranges[i].first = std::min(ranges[i].first, conditions.values[i]);
        ranges[i].second = std::max(ranges[i].second, conditions.values[i]);
    }
}

std::vector<M3Ranges::Outside>
M3Ranges::FindOutside(const M3Conditions& conditions) const
{
    static constexpr double ROUNDING = 1e-6; // relative, of values that went through files
    static constexpr double SLACK = 0.02;
    static constexpr double TRAFFIC_SLACK = 0.1;
    std::vector<Outside> found;
    if (m_ranges.empty())
    {
        return found;
    }
    const std::string& control = conditions.congestionControl;
    const auto ranges = m_ranges.find(control);
    if (ranges == m_ranges.end())
    {
        std::string known;
        for (const auto& [name, unused] : m_ranges)
        {
            known += (known.empty() ? "" : ", ") + name;
        }
        found.push_back({"congestion control",
                         "congestion control is " + control + ", but was " + known + " in training",
                         1});
        return found;
    }
    const auto& quantities = M3Conditions::GetQuantities(control);
    for (std::size_t i = 0; i < quantities.size(); ++i)
    {
        double least = ranges->second[i].first;
        double most = ranges->second[i].second;
        for (const auto& [name, others] : m_ranges)
        {
            const auto& theirs = M3Conditions::GetQuantities(name);
            for (std::size_t k = 0; k < theirs.size() && quantities[i].isTraffic; ++k)
            {
                if (theirs[k].name == quantities[i].name)
                {
                    least = std::min(least, others[k].first);
                    most = std::max(most, others[k].second);
                }
            }
        }
        const double value = conditions.values[i];
        const double low = ToScale(least, quantities[i].isLog);
        const double high = ToScale(most, quantities[i].isLog);
        const double at = ToScale(value, quantities[i].isLog);
        const double slack =
            (quantities[i].isTraffic ? TRAFFIC_SLACK : SLACK) * (high - low) +
            ROUNDING * (quantities[i].isLog ? 1 : std::max(std::abs(low), std::abs(high)));
        const double distance = std::max(low - at, at - high);
        if (distance <= slack)
        {
            continue;
        }
        // as many digits as it takes to see the difference
        int digits = 3;
        while (digits < 17 && (ToText(value, digits) == ToText(least, digits) ||
                               ToText(value, digits) == ToText(most, digits)))
        {
            ++digits;
        }
        const std::string from = ToText(least, digits);
        const std::string to = ToText(most, digits);
        found.push_back(
            {quantities[i].name,
             quantities[i].name + " is " + ToText(value, digits) + ", but was " +
                 (from == to ? "always " + from : "from " + from + " to " + to) +
                 (quantities[i].isTraffic ? " in training" : " in training with " + control),
             distance});
    }
    return found;
}

void
M3Ranges::Write(DcnModelFile& model) const
{
    std::string controls;
    for (const auto& [control, ranges] : m_ranges)
    {
        controls += (controls.empty() ? "" : ",") + control;
    }
    model.Set(SECTION, CONTROLS, controls.empty() ? std::string(NONE) : controls);
    for (const auto& [control, ranges] : m_ranges)
    {
        const auto& quantities = M3Conditions::GetQuantities(control);
        for (std::size_t i = 0; i < ranges.size(); ++i)
        {
            const std::string section = "range of " + control;
            model.Set(section, quantities[i].name + ", smallest", ranges[i].first);
            model.Set(section, quantities[i].name + ", largest", ranges[i].second);
        }
    }
}

M3Ranges
M3Ranges::Read(const DcnModelFile& model)
{
    M3Ranges all;
    const std::string& controls = model.GetText(SECTION, CONTROLS);
    std::istringstream list(controls == NONE ? "" : controls);
    for (std::string control; std::getline(list, control, ',');)
    {
        for (const auto& quantity : M3Conditions::GetQuantities(control))
        {
            const std::string section = "range of " + control;
            const double least = model.GetNumber(section, quantity.name + ", smallest");
            const double most = model.GetNumber(section, quantity.name + ", largest");
            if (!(least <= most))
            {
                DcnFail("the ",
                        section,
                        " of the model of m3 has ",
                        quantity.name,
                        " from ",
                        least,
                        " to ",
                        most);
            }
            all.m_ranges[control].emplace_back(least, most);
        }
    }
    return all;
}

void
M3Warnings::Add(const std::vector<M3Ranges::Outside>& outside)
{
    for (const auto& each : outside)
    {
        Entry& entry = m_entries[each.name];
        if (entry.n++ == 0 || each.distance > entry.furthest.distance)
        {
            entry.furthest = each;
        }
    }
}

void
M3Warnings::Add(const M3Warnings& other)
{
    for (const auto& [name, theirs] : other.m_entries)
    {
        Entry& entry = m_entries[name];
        if (entry.n == 0 || theirs.furthest.distance > entry.furthest.distance)
        {
            entry.furthest = theirs.furthest;
        }
        entry.n += theirs.n;
    }
}

std::size_t
M3Warnings::GetN() const
{
    return m_entries.size();
}

std::vector<std::string>
M3Warnings::Describe(std::size_t nPaths) const
{
    std::vector<std::string> sentences;
    for (const auto& [name, entry] : m_entries)
    {
        sentences.push_back(entry.furthest.text + " (" + std::to_string(entry.n) + " of " +
                            std::to_string(nPaths) + " paths): the answer may be far off");
    }
    return sentences;
}

} // namespace ns3
