/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-spec.h"

#include "m3-fluid.h"
#include "m3-scaler.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace ns3
{

const std::vector<M3Spec::Quantity>&
M3Spec::GetQuantities()
{
    static const std::vector<Quantity> quantities{
        {"dctcp", nullptr, false},
        {"dcqcn", nullptr, false},
        {"timely", nullptr, false},
        {"hpcc", nullptr, false},
        {"window / BDP", nullptr, true},
        {"shared switch buffer / BDP", nullptr, true},
        {"pfc", nullptr, false},
        {"DCTCP's K / BDP", "dctcp", true},
        {"DCQCN's Kmin / BDP", "dcqcn", true},
        {"DCQCN's Kmax / BDP", "dcqcn", true},
        {"TIMELY's Tlow / base RTT", "timely", true},
        {"TIMELY's Thigh / base RTT", "timely", true},
        {"HPCC's 1 / (1 - eta)", "hpcc", true},
        {"HPCC's additive increase / bottleneck rate", "hpcc", true},
        {"smallest rate of flows / bottleneck rate", nullptr, true},
        {"packet / BDP", nullptr, true},
        {"number of links", nullptr, false},
        {"largest rate of links / bottleneck rate", nullptr, true},
    };
    return quantities;
}

M3Spec::M3Spec(const DcnPathCensus& census, uint32_t path, const DcnNetworkParameters& network)
    : M3Spec(DcnGetPathSpec(census, path),
             network,
             GetSharedBytes(census.GetScenario().GetTopology(),
                            census.GetLinks(path),
                            network.bufferBytes))
{
}

double
M3Spec::GetSharedBytes(const DcnTopology& topology, const DcnPath& links, uint64_t bufferBytes)
{
    static constexpr double RESERVE_BYTES = 4096; // as DcnPacketSwitch
    double least = static_cast<double>(bufferBytes);
    for (uint32_t link : links)
    {
        const uint32_t node = topology.GetLink(link).to;
        double shared = static_cast<double>(bufferBytes);
        for (uint32_t port : topology.GetOutLinks(node))
        {
            const DcnLink& cable = topology.GetLink(port);
            const double flight = static_cast<double>(cable.rateBps) *
                                  static_cast<double>(cable.delayNs) / 8e9;
            shared -= topology.IsHost(node) ? 0 : RESERVE_BYTES + 3 * flight;
        }
        least = std::min(least, std::max(0.0, shared));
    }
    return least;
}

M3Spec::M3Spec(const DcnPathSpec& path, const DcnNetworkParameters& network, double sharedBytes)
    : m_congestionControl(network.congestionControl)
{
    const auto& quantities = GetQuantities();
    NS_ASSERT_MSG(quantities.size() == N, "quantities");
    bool known = false;
    for (std::size_t i = 0; i < 4; ++i)
    {
        const bool is = m_congestionControl == quantities[i].name;
        m_values.push_back(is ? 1 : 0);
        known = known || is;
    }
    if (!known)
    {
        DcnFail("m3 knows the congestion controls dctcp, dcqcn, timely and hpcc, but not \"",
                m_congestionControl,
                "\"");
    }
    const auto rate = static_cast<double>(path.bottleneckBps);
    const auto rtt = static_cast<double>(path.baseRttNs);
    const double bdp = path.bdpBytes;
    const double threshold =
        rate / static_cast<double>(network.ecnReferenceRate.GetBitRate()) / bdp;
    const auto kMin = static_cast<double>(network.ecnKminBytes) * threshold;
    const auto kMax = static_cast<double>(network.ecnKmaxBytes) * threshold;
    const auto largest =
        static_cast<double>(*std::max_element(path.ratesBps.begin(), path.ratesBps.end()));
    const std::vector<double> values{
        M3Fluid::GetWindowBytes(network) / bdp,
        sharedBytes / bdp,
        network.pfc ? 1.0 : 0.0,
        kMax,
        kMin,
        kMax,
        static_cast<double>(network.timelyLow.GetNanoSeconds()) / rtt,
        static_cast<double>(network.timelyHigh.GetNanoSeconds()) / rtt,
        1 / std::max(1e-3, 1 - network.hpccEta),
        static_cast<double>(network.hpccAdditiveIncrease.GetBitRate()) / rate,
        static_cast<double>(network.minRate.GetBitRate()) / rate,
        static_cast<double>(network.payloadBytes + DCN_HEADER_BYTES) / bdp,
        static_cast<double>(path.ratesBps.size()),
        largest / rate,
    };
    for (double value : values)
    {
        const char* only = quantities[m_values.size()].congestionControl;
        m_values.push_back(only && m_congestionControl != only ? 0 : value);
    }
}

const std::vector<double>&
M3Spec::GetValues() const
{
    return m_values;
}

void
M3Spec::Append(std::vector<float>& features) const
{
    static constexpr double LEAST = 1e-3; // thresholds may be 0
    const auto& quantities = GetQuantities();
    for (std::size_t i = 0; i < N; ++i)
    {
        const char* only = quantities[i].congestionControl;
        if (only && m_congestionControl != only)
        {
            features.push_back(M3Scaler::ABSENT);
            continue;
        }
        const double value =
            quantities[i].isLog ? std::log(std::max(LEAST, m_values[i])) : m_values[i];
        features.push_back(static_cast<float>(value));
    }
}

std::vector<std::string>
M3Spec::FindOutside(const std::vector<double>& low, const std::vector<double>& high) const
{
    // the ends of a range that is drawn from are never quite drawn
    static constexpr double SLACK = 0.03;
    std::vector<std::string> found;
    for (std::size_t i = 0; i < N; ++i)
    {
        const char* only = GetQuantities()[i].congestionControl;
        if ((only && m_congestionControl != only) ||
            (m_values[i] >= low[i] - SLACK * std::abs(low[i]) &&
             m_values[i] <= high[i] + SLACK * std::abs(high[i])))
        {
            continue;
        }
        std::ostringstream text;
        text.precision(4);
        text << GetQuantities()[i].name << " is " << m_values[i] << ", but was from " << low[i]
             << " to " << high[i] << " in training";
        found.push_back(text.str());
    }
    return found;
}

std::vector<std::string>
M3Spec::FindUnlike(const DcnNetworkConfig& network, uint64_t slowestHostBps)
{
    // quantities, and the largest rate, which the bottleneck has in it
    static const std::set<std::string> known{
        "cc",         "window_bytes",  "buffer_bytes",    "payload_bytes", "ecn_kmin_bytes",
        "pfc",        "ecn_kmax_bytes", "timely_low_ns",  "min_rate_bps",  "timely_high_ns",
        "hpcc_eta",   "max_rate_bps",   "ecn_reference_rate_bps", "hpcc_additive_increase_bps"};
    std::vector<std::string> found;
    const auto expected =
        DcnNetworkConfig::Preset(network.congestionControl, slowestHostBps)->GetKeys();
    const auto keys = network.GetKeys();
    NS_ASSERT_MSG(keys.size() == expected.size(), "keys of the same congestion control");
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
        if (keys[i].second != expected[i].second && known.count(keys[i].first) == 0)
        {
            found.push_back(keys[i].first + " is " + keys[i].second + ", but was always " +
                            expected[i].second + " in training");
        }
    }
    if (network.congestionControl == "dctcp" && network.ecnKminBytes != network.ecnKmaxBytes)
    {
        found.push_back("ecn_kmin_bytes is " + std::to_string(network.ecnKminBytes) +
                        ", but was always ecn_kmax_bytes in training");
    }
    return found;
}

} // namespace ns3
