/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-network-features.h"

#include "m3-fluid.h"
#include "m3-scaler.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-trained-ranges.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{

const std::vector<M3NetworkFeatures::Quantity>&
M3NetworkFeatures::GetQuantities()
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

M3NetworkFeatures::M3NetworkFeatures(const DcnPathIndex& pathIndex,
                                     uint32_t path,
                                     const DcnNetworkParameters& network)
    : M3NetworkFeatures(DcnGetPathSpec(pathIndex, path),
                        network,
                        GetSharedBytes(pathIndex.GetScenario().GetTopology(),
                                       pathIndex.GetLinks(path),
                                       network.bufferBytes))
{
}

double
M3NetworkFeatures::GetSharedBytes(const DcnTopology& topology,
                                  const DcnPath& links,
                                  uint64_t bufferBytes)
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
            const double flight =
                static_cast<double>(cable.rateBps) * static_cast<double>(cable.delayNs) / 8e9;
            shared -= topology.IsHost(node) ? 0 : RESERVE_BYTES + 3 * flight;
        }
        least = std::min(least, std::max(0.0, shared));
    }
    return least;
}

M3NetworkFeatures::M3NetworkFeatures(const DcnPathSpec& path,
                                     const DcnNetworkParameters& network,
                                     double sharedBytes)
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
        1 / std::max(1e-3, 1 - ratios.hpccEta),
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
    Publish(path, network);
}

void
M3NetworkFeatures::Publish(const DcnPathSpec& path, const DcnNetworkParameters& network)
{
    static constexpr double KB = 1000;
    auto put = [this](std::size_t at, double value) {
        m_published[at] = static_cast<float>(value);
    };
    auto getThreshold = [&network](uint64_t bytes, double rate) {
        return static_cast<double>(bytes) / KB * rate /
               static_cast<double>(network.ecnReferenceRate.GetBitRate());
    };
    const std::size_t nLinks = path.delaysNs.size();
    if (nLinks == 2 || nLinks == 4 || nLinks == 6)
    {
        put(nLinks / 2 - 1, 1);
    }
    const auto delayNs = std::accumulate(path.delaysNs.begin(), path.delaysNs.end(), int64_t{0});
    put(3, static_cast<double>(path.bottleneckBps) * 2 * static_cast<double>(delayNs) / 8e9 / KB);
    put(4, static_cast<double>(network.bufferBytes) / (10 * KB));
    put(5, M3Fluid::GetWindowBytes(network) / KB);
    put(network.pfc ? 6 : 7, 1);
    if (m_congestionControl == "dctcp")
    {
        put(8, 1);
        put(12, getThreshold(network.ecnKmaxBytes, 10e9));
    }
    else if (m_congestionControl == "dcqcn")
    {
        put(9, 1);
        put(13, getThreshold(network.ecnKminBytes, 25e9));
        put(14, getThreshold(network.ecnKmaxBytes, 25e9));
    }
    else if (m_congestionControl == "hpcc")
    {
        put(10, 1);
        put(15, 100 * network.GetOwn("hpcc_eta"));
        put(16, network.GetOwn("hpcc_additive_increase_bps") / 1e7);
    }
    else
    {
        put(11, 1);
        put(17, network.GetOwn("timely_low_ns") / 1e3);
        put(18, network.GetOwn("timely_high_ns") / 1e3);
    }
}

const std::vector<double>&
M3NetworkFeatures::GetValues() const
{
    return m_values;
}

uint64_t
M3NetworkFeatures::GetBottleneckBps() const
{
    return m_bottleneckBps;
}

void
M3NetworkFeatures::Append(bool isPublished, std::vector<float>& features) const
{
    if (isPublished)
    {
        features.insert(features.end(), m_published.begin(), m_published.end());
        return;
    }
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
