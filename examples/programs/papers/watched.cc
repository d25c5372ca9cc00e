/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "watched.h"

#include "ns3/m4-session.h"

#include <algorithm>

namespace ns3
{

M4Watched
M4Watch(const M4GroundTruth& truth, const DcnModelFile& model)
{
    const DcnScenario& scenario = *truth.scenario;
    M4Session session(scenario.GetTopology(), scenario.GetNetwork(), model);
    std::map<uint64_t, M4Session::Handle> handles;
    session.SetDepartureListener([&](uint64_t flow, int64_t) { handles.erase(flow); });
    M4Watched watched;
    std::vector<uint32_t> open; // flows that are active in the ground truth or in m4
    std::size_t queue = 0;
    const auto& flows = scenario.GetFlows();
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        session.AdvanceTo(flows[i].startNs);
        const DcnPath path = scenario.GetPath(i);
        handles[i] = session.AddFlow(i, path, flows[i].sizeBytes);
        const std::vector<float> queues = session.GetQueuesOfEvent();
        for (std::size_t place = 0; place < path.size(); ++place, ++queue)
        {
            if (truth.queueBytes[queue] >= 0 && place > 0)
            {
                watched.queues[path[place]].push_back({flows[i].startNs,
                                                       static_cast<double>(truth.queueBytes[queue]),
                                                       static_cast<double>(queues[place]),
                                                       0});
            }
        }
        open.push_back(i);
        auto record = [&](uint32_t flow) {
            const float remaining = truth.GetRemaining(flow, flows[i].startNs);
            const auto handle = handles.find(flow);
            if (remaining == 0 && handle == handles.end())
            {
                return true; // over for both
            }
            const bool isActive = handle != handles.end();
            watched.remaining[flow].push_back(
                {flows[i].startNs,
                 static_cast<double>(remaining),
                 isActive ? session.GetRemaining(handle->second) : 0,
                 isActive ? session.GetFluidRemaining(handle->second) : 0});
            return false;
        };
        open.erase(std::remove_if(open.begin(), open.end(), record), open.end());
    }
    return watched;
}

} // namespace ns3
