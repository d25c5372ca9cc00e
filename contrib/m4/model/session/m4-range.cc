/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-range.h"

#include "ns3/dcn-network-quantities.h"

#include <iostream>
#include <utility>

namespace ns3
{

namespace
{

/// @return parameters that are no features; max_rate_bps is part of the sender's rate
const DcnUntoldSettings&
GetUnmodelled()
{
    static const DcnUntoldSettings unmodelled("max_rate_bps");
    return unmodelled;
}

} // namespace

const DcnTrainedRanges::Quantities&
M4Conditions::GetQuantities()
{
    static const auto all = []() {
        constexpr double TOLERANCE = 0.05;
        constexpr double ANY = 1e-3;   // far below all values
        constexpr double SMALL = 0.1;  // features are ln(1 + x): smaller ratios are alike
        constexpr double PACKET = 1e3; // smaller flows are one packet, too
        DcnTrainedRanges::Quantities list;
        const std::pair<const char*, double> ofFlows[] = {
            {"flow size [bytes]", PACKET},
            {"flow size / BDP", SMALL},
            {"ideal completion time / base RTT", ANY},
            {"number of links", 0},
            {"sender's rate / smallest link rate", ANY},
            {"window / BDP", SMALL},
            {"Kmin / BDP", SMALL},
            {"Kmax / BDP", SMALL},
            {"switch buffer / BDP", SMALL},
            {"pfc", 0},
            {"HPCC's eta", 0},
            {"HPCC's additive increase / sender's rate", 0},
            {"TIMELY's Tlow / base RTT", SMALL},
            {"TIMELY's Thigh / base RTT", SMALL},
            {"smallest rate of flows / sender's rate", 0},
            {"sender's rate [bit/s]", ANY},
            {"base RTT [ns]", ANY},
            {"largest link rate / sender's rate", ANY},
        };
        for (const auto& [name, logFrom] : ofFlows)
        {
            list.push_back({name, TOLERANCE, logFrom});
        }
        for (const auto& [key, isRate] : GetUnmodelled().GetSettings())
        {
            const std::string of = isRate ? " / sender's rate" : "";
            list.push_back({key + of, TOLERANCE, 0, false, true});
        }
        return list;
    }();
    return all;
}

M4Settings::M4Settings(const DcnNetworkParameters& network)
    : m_network(network),
      m_unmodelled(GetUnmodelled().GetValues(network))
{
}

M4Conditions
M4Settings::Describe() const
{
    M4Conditions conditions;
    conditions.congestionControl = m_network.congestionControl;
    auto& values = conditions.values;
    values.resize(M4Conditions::GetQuantities().size() - m_unmodelled.size(),
                  DcnTrainedRanges::ABSENT);
    for (std::size_t i = 0; i < m_unmodelled.size(); ++i)
    {
        const bool isRate = GetUnmodelled().GetSettings()[i].isRate;
        values.push_back(isRate ? DcnTrainedRanges::ABSENT : m_unmodelled[i]);
    }
    return conditions;
}

M4Conditions
M4Settings::Describe(std::size_t nLinks, const M4FlowConstants& flow) const
{
    M4Conditions conditions;
    const DcnNetworkParameters& network = m_network;
    const std::string& congestionControl = network.congestionControl;
    conditions.congestionControl = congestionControl;
    auto& values = conditions.values;
    const DcnNetworkRatios ratios(network, flow.maxRateBps, flow.rttNs);
    auto only = [&](const std::string& controls, double value) {
        const bool isThere = controls.find(congestionControl) != std::string::npos;
        return isThere ? value : DcnTrainedRanges::ABSENT;
    };
    const auto window = static_cast<double>(network.windowBytes);
    values = {
        static_cast<double>(flow.sizeBytes),
        flow.fluidBits / 8 / ratios.bdpBytes,
        flow.idealNs / flow.rttNs,
        static_cast<double>(nLinks),
        flow.maxRateBps / flow.slowestBps,
        window > 0 ? window / ratios.bdpBytes : 4, // as M4Features::WINDOW
        only("dctcp dcqcn", ratios.kMin),
        only("dctcp dcqcn", ratios.kMax),
        static_cast<double>(network.bufferBytes) / ratios.bdpBytes,
        network.pfc ? 1.0 : 0.0,
        only("hpcc", network.hpccEta),
        only("hpcc", ratios.additiveIncrease),
        only("timely", ratios.timelyLow),
        only("timely", ratios.timelyHigh),
        ratios.minRate,
        flow.maxRateBps,
        flow.rttNs,
        flow.fastestBps / flow.maxRateBps,
    };
    for (std::size_t i = 0; i < m_unmodelled.size(); ++i)
    {
        const bool isRate = GetUnmodelled().GetSettings()[i].isRate;
        values.push_back(isRate ? m_unmodelled[i] / flow.maxRateBps : DcnTrainedRanges::ABSENT);
    }
    return conditions;
}

void
M4Conditions::Add(const DcnScenario& scenario, DcnTrainedRanges& ranges)
{
    const DcnNetworkParameters& network = scenario.GetNetwork();
    const M4FlowModel model(scenario.GetTopology(), network);
    const M4Settings settings(network);
    ranges.Add(settings.Describe());
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnPath path = scenario.GetPath(i);
        ranges.Add(
            settings.Describe(path.size(), model.Compute(path, scenario.GetFlows()[i].sizeBytes)));
    }
}

M4RangeMonitor::M4RangeMonitor(const DcnModelFile& model, const DcnNetworkParameters& network)
    : m_settings(network),
      m_ranges(DcnTrainedRanges::Read(model, M4Conditions::GetQuantities()))
{
    Warn(m_settings.Describe());
}

void
M4RangeMonitor::Check(std::size_t nLinks, const M4FlowConstants& flow)
{
    if (!m_ranges.IsEmpty())
    {
        Warn(m_settings.Describe(nLinks, flow));
    }
}

void
M4RangeMonitor::Warn(M4Conditions conditions)
{
    for (const std::size_t quantity : m_warned)
    {
        conditions.values[quantity] = DcnTrainedRanges::ABSENT;
    }
    for (const auto& [quantity, finding] : m_ranges.Check(conditions))
    {
        std::cerr << "m4: " << finding.text << ": the answer may be far off" << std::endl;
        m_warned.push_back(quantity);
        m_warnings.push_back(finding.text);
    }
}

const std::vector<std::string>&
M4RangeMonitor::GetWarnings() const
{
    return m_warnings;
}

} // namespace ns3
