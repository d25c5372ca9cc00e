/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-range-features.h"

#include "m3-network-features.h"

#include "ns3/assert.h"
#include "ns3/dcn-scenario-suite.h"

namespace ns3
{

namespace
{

/// @return the keys that are not among the features of the network
const DcnUnmodelledKeys&
GetUnmodelled()
{
    static const DcnUnmodelledKeys unmodelled("payload_bytes");
    return unmodelled;
}

/// @return number of the first quantity of M3NetworkFeatures that is compared: before are
/// congestion controls
std::size_t
GetFirst()
{
    return DcnScenarioSuite::GetLearnedControls().size();
}

} // namespace

const DcnTrainedRanges::Quantities&
M3RangeFeatures::GetQuantities()
{
    static const auto all = []() {
        constexpr double SETTING = 0.02; // tolerances
        constexpr double TRAFFIC = 0.1;
        constexpr double LEAST = 1e-3; // as M3NetworkFeatures::Append: values may be 0
        DcnTrainedRanges::Quantities list;
        for (std::size_t i = GetFirst(); i < M3NetworkFeatures::N; ++i)
        {
            const M3NetworkFeatures::Quantity& each = M3NetworkFeatures::GetQuantities()[i];
            list.push_back({each.name, SETTING, each.isLog ? LEAST : 0});
        }
        list.push_back({"largest load of a link", TRAFFIC, 0, true});
        list.push_back({"largest number of flows on a link", TRAFFIC, LEAST, true});
        list.push_back({"number of foreground flows", TRAFFIC, LEAST, true});
        list.push_back({"windows under way before a flow", TRAFFIC, LEAST, true});
        list.push_back({"ecn_kmin_bytes / ecn_kmax_bytes", SETTING, 0, false, true});
        const auto unmodelled = GetUnmodelled().GetQuantities("bottleneck rate", SETTING);
        list.insert(list.end(), unmodelled.begin(), unmodelled.end());
        return list;
    }();
    return all;
}

M3RangeFeatures::Unmodelled::Unmodelled(const DcnNetworkParameters& network)
    : values(GetUnmodelled().GetValues(network))
{
}

M3RangeFeatures::M3RangeFeatures(const M3NetworkFeatures& features,
                                 const DcnNetworkParameters& network,
                                 const Unmodelled& unmodelled,
                                 const Traffic& traffic)
{
    congestionControl = network.congestionControl;
    for (std::size_t i = GetFirst(); i < M3NetworkFeatures::N; ++i)
    {
        const char* only = M3NetworkFeatures::GetQuantities()[i].congestionControl;
        const bool isPresent = !only || congestionControl == only;
        values.push_back(isPresent ? features.GetValues()[i] : DcnTrainedRanges::ABSENT);
    }
    const double thresholds =
        congestionControl != "dctcp" ? DcnTrainedRanges::ABSENT
        : network.ecnKmaxBytes == 0
            ? 1
            : static_cast<double>(network.ecnKminBytes) / static_cast<double>(network.ecnKmaxBytes);
    values.insert(values.end(),
                  {traffic.load, traffic.flows, traffic.foreground, traffic.windows, thresholds});
    const auto bottleneck = static_cast<double>(features.GetBottleneckBps());
    GetUnmodelled().Append(unmodelled.values, bottleneck, values);
    NS_ASSERT_MSG(values.size() == GetQuantities().size(), "quantities");
}

} // namespace ns3
