/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-range.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/object.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace ns3
{

namespace
{

const std::string SECTION = "range_"; //!< prefix of the sections of a card

/// How a feature follows from its quantity.
enum class Form
{
    LINEAR, //!< quantity / unit
    LOG,    //!< ln(quantity / unit)
    LOG1P   //!< ln(1 + quantity / unit)
};

// beside the static features, which they are relative to
constexpr uint32_t RATE = M4Features::N_STATIC;        //!< c [bit/s]
constexpr uint32_t RTT = M4Features::N_STATIC + 1;     //!< T [ns]
constexpr uint32_t FASTEST = M4Features::N_STATIC + 2; //!< largest rate of the path / c

/// What a network is told of a flow.
struct Quantity
{
    uint32_t feature;              //!< M4Features::Static, or one of the above
    const char* name;              //!< for sentences and cards
    Form form;                     //!< see Form
    double unit;                   //!< likewise
    double scale;                  //!< what it is divided by to be the feature
    const char* congestionControl; //!< those that have it, joined by blanks; null: all

    /// @return the feature of a value
    double ToFeature(double value) const
    {
        const double x = value / unit;
        return (form == Form::LINEAR ? x : form == Form::LOG ? std::log(x) : std::log1p(x)) / scale;
    }

    /// @return the value of a feature
    double ToValue(double feature_) const
    {
        const double x = feature_ * scale;
        return unit * (form == Form::LINEAR ? x : form == Form::LOG ? std::exp(x) : std::expm1(x));
    }

    /// @return whether flows under a congestion control have it
    bool Has(const std::string& cc) const
    {
        return !congestionControl || std::string(congestionControl).find(cc) != std::string::npos;
    }
};

// ONE_PACKET follows from the size, and the flags of congestion controls are the sections
const std::array<Quantity, 18> QUANTITIES{{
    {M4Features::SIZE, "flow size [bytes]", Form::LOG1P, 1000, 8, nullptr},
    {M4Features::SIZE_BDP, "flow size / BDP", Form::LOG1P, 1, 4, nullptr},
    {M4Features::IDEAL, "ideal completion time / base RTT", Form::LOG, 1, 4, nullptr},
    {M4Features::HOPS, "number of links", Form::LINEAR, 6, 1, nullptr},
    {M4Features::BOTTLENECK, "sender's rate / smallest link rate", Form::LOG, 1, 1, nullptr},
    {M4Features::WINDOW, "window / BDP", Form::LOG1P, 1, 1, nullptr},
    {M4Features::K_MIN, "Kmin / BDP", Form::LOG1P, 1, 1, "dctcp dcqcn"},
    {M4Features::K_MAX, "Kmax / BDP", Form::LOG1P, 1, 1, "dctcp dcqcn"},
    {M4Features::BUFFER, "switch buffer / BDP", Form::LOG1P, 1, 4, nullptr},
    {M4Features::PFC, "pfc", Form::LINEAR, 1, 1, nullptr},
    {M4Features::ETA, "HPCC's eta", Form::LINEAR, 1, 1, "hpcc"},
    {M4Features::INCREASE,
     "HPCC's additive increase / sender's rate",
     Form::LINEAR,
     0.1,
     1,
     "hpcc"},
    {M4Features::RTT_LOW, "TIMELY's Tlow / base RTT", Form::LOG1P, 1, 1, "timely"},
    {M4Features::RTT_HIGH, "TIMELY's Thigh / base RTT", Form::LOG1P, 1, 1, "timely"},
    {M4Features::MIN_RATE, "smallest rate of flows / sender's rate", Form::LINEAR, 1, 1, nullptr},
    {RATE, "sender's rate [bit/s]", Form::LOG, 1, 1, nullptr},
    {RTT, "base RTT [ns]", Form::LOG, 1, 1, nullptr},
    {FASTEST, "largest link rate / sender's rate", Form::LOG, 1, 1, nullptr},
}};

/**
 * @param quantity a quantity
 * @param flow a flow
 * @return the quantity of the flow, as its feature
 */
double
GetFeature(const Quantity& quantity, const M4FlowConstants& flow)
{
    switch (quantity.feature)
    {
    case RATE:
        return quantity.ToFeature(flow.maxRateBps);
    case RTT:
        return quantity.ToFeature(flow.rttNs);
    case FASTEST:
        return quantity.ToFeature(flow.fastestBps / flow.maxRateBps);
    default:
        return static_cast<double>(flow.features[quantity.feature]);
    }
}

/**
 * @param network a configuration
 * @return keys of network.csv with an effect that no feature tells of, and their values
 */
std::map<std::string, double>
GetUntold(const DcnNetworkParameters& network)
{
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    static_cast<DcnNetworkParameters&>(*config) = network;
    const std::string& cc = network.congestionControl;
    std::vector<std::string> skip{"cc",
                                  "window_bytes",
                                  "min_rate_bps",
                                  "max_rate_bps",
                                  "ecn_reference_rate_bps",
                                  "ecn_kmin_bytes",
                                  "ecn_kmax_bytes",
                                  "buffer_bytes",
                                  "pfc",
                                  "timely_low_ns",
                                  "timely_high_ns",
                                  "hpcc_eta",
                                  "hpcc_additive_increase_bps"};
    // without an effect
    if (cc != "dctcp" && cc != "dcqcn")
    {
        skip.emplace_back("ecn_pmax");
    }
    if (cc != "hpcc")
    {
        skip.emplace_back("base_rtt_ns");
    }
    if (!network.pfc)
    {
        skip.emplace_back("pfc_alpha_shift");
    }
    std::map<std::string, double> untold;
    for (const auto& [key, text] : config->GetKeys())
    {
        double value = 0;
        if (std::find(skip.begin(), skip.end(), key) == skip.end() && DcnParse(text, value))
        {
            untold[key] = value;
        }
    }
    return untold;
}

/// Widens a range to a value.
void
Widen(M4Range::Ranges& ranges, const std::string& name, double value)
{
    const auto [bounds, isNew] = ranges.insert({name, {value, value}});
    bounds->second.low = std::min(bounds->second.low, value);
    bounds->second.high = std::max(bounds->second.high, value);
}

/**
 * @param name of a quantity or parameter
 * @param value of what is simulated
 * @param seen in training
 * @return e.g. "window / BDP is 9.1, but was from 0.3 to 2.1 in training"
 */
std::string
Describe(const std::string& name, double value, const M4Range::Bounds& seen)
{
    std::ostringstream text;
    text.precision(4);
    text << name << " is " << value << ", but was ";
    if (seen.low < seen.high)
    {
        text << "from " << seen.low << " to ";
    }
    text << seen.high << " in training";
    return text.str();
}

} // namespace

M4Range::M4Range(const DcnModelFile& model)
{
    for (const std::string& cc : DcnNetworkConfig::GetCongestionControls())
    {
        for (const auto& [key, text] : model.GetSection(SECTION + cc))
        {
            const std::size_t colon = text.find(':');
            Bounds bounds{};
            if (!DcnParse(text.substr(0, colon), bounds.low) ||
                !DcnParse(colon == std::string::npos ? text : text.substr(colon + 1),
                          bounds.high) ||
                !std::isfinite(bounds.low) || !std::isfinite(bounds.high) ||
                bounds.low > bounds.high)
            {
                DcnFail("the model's card has ",
                        SECTION,
                        cc,
                        ".",
                        key,
                        " of \"",
                        text,
                        "\", but it must be a number or smallest:largest");
            }
            m_ranges[cc][key] = bounds;
        }
    }
}

void
M4Range::Add(const DcnScenario& scenario)
{
    const std::string& cc = scenario.GetNetwork().congestionControl;
    Ranges& ranges = m_ranges[cc];
    for (const auto& [key, value] : GetUntold(scenario.GetNetwork()))
    {
        Widen(ranges, key, value);
    }
    const M4FlowModel model(scenario.GetTopology(), scenario.GetNetwork());
    std::array<Bounds, QUANTITIES.size()> features;
    features.fill({INFINITY, -INFINITY});
    const auto& flows = scenario.GetFlows();
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const M4FlowConstants flow = model.Compute(scenario.GetPath(i), flows[i].sizeBytes);
        for (std::size_t q = 0; q < QUANTITIES.size(); ++q)
        {
            const double feature = GetFeature(QUANTITIES[q], flow);
            features[q].low = std::min(features[q].low, feature);
            features[q].high = std::max(features[q].high, feature);
        }
    }
    for (std::size_t q = 0; q < QUANTITIES.size() && !flows.empty(); ++q)
    {
        const Quantity& quantity = QUANTITIES[q];
        if (quantity.Has(cc))
        {
            Widen(ranges, quantity.name, quantity.ToValue(features[q].low));
            Widen(ranges, quantity.name, quantity.ToValue(features[q].high));
        }
    }
}

void
M4Range::Write(DcnModelFile& model) const
{
    for (const auto& [cc, ranges] : m_ranges)
    {
        for (const auto& [name, bounds] : ranges)
        {
            std::ostringstream low;
            std::ostringstream high;
            // features are numbers of 24 bits
            low << std::setprecision(6) << bounds.low;
            high << std::setprecision(6) << bounds.high;
            if (bounds.low == bounds.high)
            {
                model.Set(SECTION + cc, name, bounds.low);
            }
            else if (low.str() == high.str())
            {
                double value = 0;
                DcnParse(low.str(), value);
                model.Set(SECTION + cc, name, value);
            }
            else
            {
                model.Set(SECTION + cc, name, low.str() + ":" + high.str());
            }
        }
    }
}

const std::map<std::string, M4Range::Ranges>&
M4Range::GetRanges() const
{
    return m_ranges;
}

M4RangeMonitor::M4RangeMonitor(const DcnModelFile& model, const DcnNetworkParameters& network)
{
    static constexpr double SHARE = 0.05; // see the class
    static constexpr double ROUNDING = 1e-5;
    const M4Range range(model);
    if (range.GetRanges().empty())
    {
        return;
    }
    const std::string& cc = network.congestionControl;
    const auto found = range.GetRanges().find(cc);
    if (found == range.GetRanges().end())
    {
        std::string known;
        for (const auto& [name, ranges] : range.GetRanges())
        {
            known += (known.empty() ? "" : ", ") + name;
        }
        DcnFail("the model was not trained on the congestion control ", cc, ", only on ", known);
    }
    const M4Range::Ranges& ranges = found->second;
    for (const auto& [key, value] : GetUntold(network))
    {
        const auto seen = ranges.find(key);
        const double slack = ROUNDING * std::abs(value);
        if (seen != ranges.end() &&
            (value < seen->second.low - slack || value > seen->second.high + slack))
        {
            Warn(Describe(key, value, seen->second) + ", and is nothing that the model is told");
        }
    }
    for (std::size_t q = 0; q < QUANTITIES.size(); ++q)
    {
        const Quantity& quantity = QUANTITIES[q];
        if (!quantity.Has(cc))
        {
            continue;
        }
        const auto seen = ranges.find(quantity.name);
        if (seen == ranges.end())
        {
            DcnFail("the model's card has no ", SECTION, cc, ".", quantity.name);
        }
        const double low = quantity.ToFeature(seen->second.low);
        const double high = quantity.ToFeature(seen->second.high);
        const double slack = SHARE * (high - low) + ROUNDING * (1 + std::abs(high));
        m_guards.push_back({q, low - slack, high + slack, seen->second});
    }
}

void
M4RangeMonitor::Look(const M4FlowConstants& flow)
{
    for (std::size_t i = 0; i < m_guards.size();)
    {
        const Guard& guard = m_guards[i];
        const Quantity& quantity = QUANTITIES[guard.quantity];
        const double feature = GetFeature(quantity, flow);
        if (feature >= guard.low && feature <= guard.high)
        {
            ++i;
            continue;
        }
        Warn(Describe(quantity.name, quantity.ToValue(feature), guard.seen));
        m_guards.erase(m_guards.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void
M4RangeMonitor::Warn(const std::string& sentence)
{
    std::cerr << "m4: " << sentence << ": the answer may be far off" << std::endl;
    m_warnings.push_back(sentence);
}

const std::vector<std::string>&
M4RangeMonitor::GetWarnings() const
{
    return m_warnings;
}

} // namespace ns3
