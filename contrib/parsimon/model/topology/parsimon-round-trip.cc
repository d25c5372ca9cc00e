/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-round-trip.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <vector>

namespace ns3
{

void
ParsimonKeepRoundTrip(const DcnScenario& scenario, ParsimonLink& link)
{
    const DcnTopology& topology = scenario.GetTopology();
    const auto wire = DcnCongestionControl::GetWireFormat(scenario.GetNetwork());
    const uint32_t data = scenario.GetNetwork().payloadBytes + wire.dataHeaderBytes;
    const uint32_t ack = wire.ackBytes;
    auto time = [&](uint64_t rateBps) {
        return DcnSerializationNs(data, rateBps) + DcnSerializationNs(ack, rateBps);
    };
    std::vector<bool> isSourceDone(link.sources.size(), false);
    std::vector<bool> isDestinationDone(link.destinations.size(), false);
    for (const auto& flow : link.flows)
    {
        if (isSourceDone[flow.source] && isDestinationDone[flow.destination])
        {
            continue;
        }
        const DcnPath path = scenario.GetPath(flow.flow);
        const auto target =
            static_cast<std::size_t>(std::find(path.begin(), path.end(), link.link) - path.begin());
        int64_t before = 0;
        for (std::size_t hop = 1; hop < target; ++hop)
        {
            before += time(topology.GetLink(path[hop]).rateBps);
        }
        int64_t behind = 0;
        for (std::size_t hop = target + 1; hop < path.size(); ++hop)
        {
            behind += time(topology.GetLink(path[hop]).rateBps);
        }
        if (!isSourceDone[flow.source])
        {
            link.sources[flow.source].delayNs += before / 2;
            isSourceDone[flow.source] = true;
        }
        auto& destination = link.destinations[flow.destination];
        if (!isDestinationDone[flow.destination] && destination.rateBps > 0)
        {
            destination.delayNs += std::max<int64_t>(0, behind - time(destination.rateBps)) / 2;
        }
        isDestinationDone[flow.destination] = true;
    }
}

} // namespace ns3
