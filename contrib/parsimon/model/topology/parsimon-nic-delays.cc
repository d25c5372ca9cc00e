/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-nic-delays.h"

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

/// Processor sharing at one NIC.
struct Nic
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
ParsimonNicDelays(const ParsimonLink& link, uint32_t payloadBytes, uint32_t headerBytes)
{
    std::unordered_map<uint32_t, Nic> nics;
    std::vector<float> delays(link.flows.size(), 0);
    auto wire = [&](const ParsimonLinkFlow& flow) {
        return static_cast<double>(flow.sizeBytes +
                                   DcnPackets(flow.sizeBytes, payloadBytes) * headerBytes);
    };
    auto advance = [&](Nic& nic, double until) {
        while (!nic.flows.empty())
        {
            const auto [end, i] = nic.flows.top();
            const double slowness = static_cast<double>(nic.flows.size()) * nic.nsPerByte;
            const double then = nic.now + (end - nic.served) * slowness;
            if (then > until)
            {
                nic.served += (until - nic.now) / slowness;
                break;
            }
            nic.flows.pop();
            nic.now = then;
            nic.served = end;
            const ParsimonLinkFlow& flow = link.flows[i];
            const double delay =
                then - static_cast<double>(flow.startNs) - wire(flow) * nic.nsPerByte;
            delays[i] = static_cast<float>(std::max(0.0, delay));
        }
        nic.now = until;
    };
    for (uint32_t i = 0; i < link.flows.size(); ++i)
    {
        const ParsimonLinkFlow& flow = link.flows[i];
        Nic& nic = nics[link.sources[flow.source].link];
        nic.nsPerByte = 8e9 / static_cast<double>(link.GetNicRate(flow));
        advance(nic, static_cast<double>(flow.startNs));
        nic.flows.emplace(nic.served + wire(flow), i);
    }
    for (auto& entry : nics)
    {
        advance(entry.second, std::numeric_limits<double>::infinity());
    }
    return delays;
}

} // namespace ns3
