/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-ranges.h"

#include "ns3/m3-spec.h"

#include "ns3/assert.h"
#include "ns3/dcn-network-quantities.h"

namespace ns3
{

namespace
{

/// @return the parameters that M3Spec has not
const DcnUntoldSettings&
GetUntold()
{
    static const DcnUntoldSettings untold("payload_bytes");
    return untold;
}

/// @return number of the first quantity of M3Spec that is compared: before are congestion controls
std::size_t
GetFirst()
{
    return DcnNetworkConfig::GetCongestionControls().size();
}

} // namespace

const DcnTrainedRanges::Quantities&
M3Conditions::GetQuantities()
{
    static const auto all = []() {
        constexpr double SETTING = 0.02; // tolerances
        constexpr double TRAFFIC = 0.1;
        constexpr double LEAST = 1e-3; // as M3Spec::Append: values may be 0
        DcnTrainedRanges::Quantities list;
        for (std::size_t i = GetFirst(); i < M3Spec::N; ++i)
        {
            const M3Spec::Quantity& each = M3Spec::GetQuantities()[i];
            list.push_back({each.name, SETTING, each.isLog ? LEAST : 0});
        }
        list.push_back({"largest load of a link", TRAFFIC, 0, true});
        list.push_back({"largest number of flows on a link", TRAFFIC, LEAST, true});
        list.push_back({"number of foreground flows", TRAFFIC, LEAST, true});
        list.push_back({"windows under way before a flow", TRAFFIC, LEAST, true});
        list.push_back({"ecn_kmin_bytes / ecn_kmax_bytes", SETTING, 0, false, true});
        for (const auto& [key, isRate] : GetUntold().GetSettings())
        {
            list.push_back({key + (isRate ? " / bottleneck rate" : ""), SETTING, 0, false, true});
        }
        return list;
    }();
    return all;
}

M3Settings::M3Settings(const DcnNetworkParameters& network)
    : m_congestionControl(network.congestionControl),
      m_untold(GetUntold().GetValues(network)),
      m_kMinShare(m_congestionControl != "dctcp" ? DcnTrainedRanges::ABSENT
                  : network.ecnKmaxBytes == 0    ? 1
                                                 : static_cast<double>(network.ecnKminBytes) /
                                                    static_cast<double>(network.ecnKmaxBytes))
{
}

M3Conditions
M3Settings::Describe(const M3Spec& spec, const M3Conditions::Traffic& traffic) const
{
    M3Conditions conditions;
    conditions.congestionControl = m_congestionControl;
    auto& values = conditions.values;
    for (std::size_t i = GetFirst(); i < M3Spec::N; ++i)
    {
        const char* only = M3Spec::GetQuantities()[i].congestionControl;
        const bool isThere = !only || m_congestionControl == only;
        values.push_back(isThere ? spec.GetValues()[i] : DcnTrainedRanges::ABSENT);
    }
    values.insert(values.end(),
                  {traffic.load, traffic.flows, traffic.foreground, traffic.windows, m_kMinShare});
    const auto bottleneck = static_cast<double>(spec.GetBottleneckBps());
    for (std::size_t i = 0; i < m_untold.size(); ++i)
    {
        values.push_back(GetUntold().GetSettings()[i].isRate ? m_untold[i] / bottleneck
                                                             : m_untold[i]);
    }
    NS_ASSERT_MSG(values.size() == M3Conditions::GetQuantities().size(), "quantities");
    return conditions;
}

} // namespace ns3
