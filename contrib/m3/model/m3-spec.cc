/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-spec.h"

#include "m3-fluid.h"
#include "m3-scaler.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-network-quantities.h"

#include <algorithm>
#include <cmath>

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
    : m_congestionControl(network.congestionControl),
      m_bottleneckBps(path.bottleneckBps)
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
    const DcnNetworkRatios ratios(network, rate, static_cast<double>(path.baseRttNs));
    const auto largest =
        static_cast<double>(*std::max_element(path.ratesBps.begin(), path.ratesBps.end()));
    const std::vector<double> values{
        M3Fluid::GetWindowBytes(network) / ratios.bdpBytes,
        sharedBytes / ratios.bdpBytes,
        network.pfc ? 1.0 : 0.0,
        ratios.kMax,
        ratios.kMin,
        ratios.kMax,
        ratios.timelyLow,
        ratios.timelyHigh,
        1 / std::max(1e-3, 1 - network.hpccEta),
        ratios.additiveIncrease,
        ratios.minRate,
        ratios.packet,
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

uint64_t
M3Spec::GetBottleneckBps() const
{
    return m_bottleneckBps;
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

} // namespace ns3
