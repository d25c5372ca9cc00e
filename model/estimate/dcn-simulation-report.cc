/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-simulation-report.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSimulationReport");

void
DcnSimulationReport::SetBusiestLinks(const DcnScenario& scenario,
                                     const std::vector<uint64_t>& linkBytes,
                                     int64_t endNs,
                                     DcnEstimate& estimate)
{
    const DcnTopology& topology = scenario.GetTopology();
    const auto& flows = scenario.GetFlows();
    NS_ASSERT_MSG(linkBytes.size() == topology.GetNLinks(), "a number for each link");
    if (flows.empty())
    {
        return;
    }
    const int64_t usedNs = std::max<int64_t>(1, endNs - flows.front().startNs); // no division by 0
    const double seconds = 1e-9 * static_cast<double>(usedNs);
    std::vector<std::pair<double, uint32_t>> uses; // share of time, link
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const double bits = 8 * static_cast<double>(linkBytes[link]);
        uses.emplace_back(bits / static_cast<double>(topology.GetLink(link).rateBps) / seconds,
                          link);
    }
    const auto last =
        uses.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, uses.size()));
    std::partial_sort(uses.begin(), last, uses.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::ostringstream busiest;
    for (auto use = uses.begin(); use != last; ++use)
    {
        const DcnLink& link = topology.GetLink(use->second);
        busiest << (use == uses.begin() ? "" : ", ") << topology.GetExternalId(link.from) << "->"
                << topology.GetExternalId(link.to) << ' ' << std::lround(100 * use->first) << " %";
    }
    estimate.busiestLinks = busiest.str();
    NS_LOG_INFO("busiest links " << estimate.busiestLinks);
}

std::vector<std::string>
DcnSimulationReport::GetConnectionKeys(Ptr<const DcnNetworkConfig> config,
                                       const std::set<std::string>& modelled)
{
    // no preset has them: GetKeys leaves them out where they are at their defaults
    std::set<std::string> common;
    for (const auto& [key, value] : DcnNetworkConfig::Preset(config->congestionControl)->GetKeys())
    {
        common.insert(key);
    }
    std::vector<std::string> keys;
    for (const auto& [key, value] : config->GetKeys())
    {
        if (common.count(key) == 0 && modelled.count(key) == 0)
        {
            keys.push_back(key);
        }
    }
    return keys;
}

std::string
DcnSimulationReport::DescribeUnmodelled(const std::vector<std::string>& keys)
{
    std::string text;
    for (const std::string& key : keys)
    {
        text += (text.empty() ? "; not modelled: " : ", ") + key;
    }
    return text;
}

} // namespace ns3
