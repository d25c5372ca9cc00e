/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-interface-delays.h"

#include "ns3/dcn-units.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/// Processor sharing at one interface.
struct Interface
{
    using Entry = std::pair<double, uint32_t>; //!< V at which a flow ends, the flow

    double nsPerByte{0}; //!< 1 / R
    double now{0};       //!< time [ns]
    double served{0};    //!< V [bytes]
    /// Flows that have begun and not ended.
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> flows;
};

} // namespace

std::vector<float>
ParsimonInterfaceDelays(const ParsimonLink& link, uint32_t payloadBytes, uint32_t headerBytes)
{
    std::unordered_map<uint32_t, Interface> interfaces;
    std::vector<float> delays(link.flows.size(), 0);
    auto wire = [&](const ParsimonLinkFlow& flow) {
        return static_cast<double>(flow.sizeBytes +
                                   DcnPackets(flow.sizeBytes, payloadBytes) * headerBytes);
    };
    auto advance = [&](Interface& interface, double until) {
        while (!interface.flows.empty())
        {
            const auto [end, i] = interface.flows.top();
            const double slowness =
                static_cast<double>(interface.flows.size()) * interface.nsPerByte;
            const double then = interface.now + (end - interface.served) * slowness;
            if (then > until)
            {
                interface.served += (until - interface.now) / slowness;
                break;
            }
            interface.flows.pop();
            interface.now = then;
            interface.served = end;
            const ParsimonLinkFlow& flow = link.flows[i];
            const double delay = then - static_cast<double>(flow.startNs) -
                                 wire(flow) * interface.nsPerByte;
            delays[i] = static_cast<float>(std::max(0.0, delay));
        }
        interface.now = until;
    };
    for (uint32_t i = 0; i < link.flows.size(); ++i)
    {
        const ParsimonLinkFlow& flow = link.flows[i];
        const ParsimonEndpoint& source = link.sources[flow.source];
        const uint64_t rate = source.rateBps > 0 ? source.rateBps : link.availableBps;
        Interface& interface = interfaces[source.link];
        interface.nsPerByte = 8e9 / static_cast<double>(rate);
        advance(interface, static_cast<double>(flow.startNs));
        interface.flows.emplace(interface.served + wire(flow), i);
    }
    for (auto& entry : interfaces)
    {
        advance(entry.second, std::numeric_limits<double>::infinity());
    }
    return delays;
}

} // namespace ns3
