/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-spec.h"

#include "m3-fluid.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
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
        {"switch buffer / BDP", nullptr, true},
        {"pfc", nullptr, false},
        {"DCTCP's K / BDP", "dctcp", true},
        {"DCQCN's Kmin / BDP", "dcqcn", true},
        {"DCQCN's Kmax / BDP", "dcqcn", true},
        {"TIMELY's Tlow / base RTT", "timely", true},
        {"TIMELY's Thigh / base RTT", "timely", true},
        {"HPCC's eta", "hpcc", false},
        {"HPCC's additive increase / bottleneck rate", "hpcc", true},
        {"smallest rate of flows / bottleneck rate", nullptr, true},
        {"packet / BDP", nullptr, true},
        {"number of links", nullptr, false},
        {"largest rate of links / bottleneck rate", nullptr, true},
    };
    return quantities;
}

M3Spec::M3Spec(const DcnPathSpec& path, const DcnNetworkParameters& network)
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
        static_cast<double>(network.bufferBytes) / bdp,
        network.pfc ? 1.0 : 0.0,
        kMax,
        kMin,
        kMax,
        static_cast<double>(network.timelyLow.GetNanoSeconds()) / rtt,
        static_cast<double>(network.timelyHigh.GetNanoSeconds()) / rtt,
        network.hpccEta,
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
        const bool there = !only || m_congestionControl == only;
        const double value =
            quantities[i].isLog && there ? std::log(std::max(LEAST, m_values[i])) : m_values[i];
        features.push_back(static_cast<float>(value));
    }
}

std::vector<std::string>
M3Spec::FindOutside(const std::vector<double>& low, const std::vector<double>& high) const
{
    static constexpr double SLACK = 1e-6; // values went through files
    std::vector<std::string> found;
    for (std::size_t i = 0; i < N; ++i)
    {
        const char* only = GetQuantities()[i].congestionControl;
        const double slack = SLACK * std::abs(high[i]);
        if ((only && m_congestionControl != only) ||
            (m_values[i] >= low[i] - slack && m_values[i] <= high[i] + slack))
        {
            continue;
        }
        std::ostringstream text;
        text.precision(3);
        text << GetQuantities()[i].name << " is " << m_values[i] << ", but was from " << low[i]
             << " to " << high[i] << " in training";
        found.push_back(text.str());
    }
    return found;
}

} // namespace ns3
