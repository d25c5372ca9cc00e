/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-range-features.h"

#include <utility>

namespace ns3
{

namespace
{

/// @return keys that are no features; max_rate_bps is part of the sender's rate
const DcnUnmodelledKeys&
GetUnmodelled()
{
    static const DcnUnmodelledKeys unmodelled("max_rate_bps");
    return unmodelled;
}

} // namespace

const DcnTrainedRanges::Quantities&
M4RangeFeatures::GetQuantities()
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
        const auto unmodelled = GetUnmodelled().GetQuantities("sender's rate", TOLERANCE);
        list.insert(list.end(), unmodelled.begin(), unmodelled.end());
        return list;
    }();
    return all;
}

M4RangeFeatures::M4RangeFeatures(const DcnNetworkParameters& network)
    : m_network(network),
      m_unmodelled(GetUnmodelled().GetValues(network))
{
}

DcnTrainedRanges::Conditions
M4RangeFeatures::Describe() const
{
    DcnTrainedRanges::Conditions conditions{m_network.congestionControl, {}};
    conditions.values.resize(GetQuantities().size() - m_unmodelled.size(),
                             DcnTrainedRanges::ABSENT);
    GetUnmodelled().Append(m_unmodelled, 0, conditions.values);
    return conditions;
}

DcnTrainedRanges::Conditions
M4RangeFeatures::Describe(std::size_t nLinks, const M4FlowConstants& flow) const
{
    const DcnNetworkParameters& network = m_network;
    const std::string& congestionControl = network.congestionControl;
    const DcnNetworkRatios ratios(network, flow.maxRateBps, flow.rttNs);
    auto only = [&](const std::string& controls, double value) {
        const bool isThere = controls.find(congestionControl) != std::string::npos;
        return isThere ? value : DcnTrainedRanges::ABSENT;
    };
    const auto window =
        static_cast<double>(network.GetWindowBytes(static_cast<uint64_t>(flow.maxRateBps),
                                                   static_cast<int64_t>(flow.rttNs),
                                                   static_cast<uint64_t>(flow.maxRateBps)));
    DcnTrainedRanges::Conditions conditions{congestionControl, {}};
    conditions.values = {
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
        only("hpcc", ratios.hpccEta),
        only("hpcc", ratios.additiveIncrease),
        only("timely", ratios.timelyLow),
        only("timely", ratios.timelyHigh),
        ratios.minRate,
        flow.maxRateBps,
        flow.rttNs,
        flow.fastestBps / flow.maxRateBps,
    };
    GetUnmodelled().Append(m_unmodelled, flow.maxRateBps, conditions.values);
    return conditions;
}

void
M4RangeFeatures::Learn(const DcnScenario& scenario, DcnTrainedRanges& ranges)
{
    const DcnNetworkParameters& network = scenario.GetNetwork();
    const M4FlowModel model(scenario.GetTopology(), network);
    const M4RangeFeatures features(network);
    ranges.Add(features.Describe());
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnPath path = scenario.GetPath(i);
        ranges.Add(
            features.Describe(path.size(), model.Compute(path, scenario.GetFlows()[i].sizeBytes)));
    }
}

} // namespace ns3
