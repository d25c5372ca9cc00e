/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-mix.h"

#include <algorithm>
#include <utility>

namespace ns3
{

WorkloadMix
MixWorkloads(Ptr<const DcnTopology> topology, const std::vector<DcnWorkloadSpec>& specs)
{
    std::vector<std::pair<uint32_t, DcnFlow>> all;
    for (uint32_t k = 0; k < specs.size(); ++k)
    {
        for (const DcnFlow& flow : DcnWorkload::Generate(topology, specs[k]).flows)
        {
            all.emplace_back(k, flow);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.second.startNs < b.second.startNs;
    });
    WorkloadMix mix;
    for (auto& [origin, flow] : all)
    {
        flow.id = mix.flows.size();
        mix.flows.push_back(flow);
        mix.origins.push_back(origin);
    }
    return mix;
}

} // namespace ns3
