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

/// A flow at a NIC with paced flows.
struct Sender
{
    double pace;   //!< largest rate, c [bytes/ns]
    double left;   //!< bytes on the wire that have not been sent
    double rate;   //!< present rate [bytes/ns]
    uint32_t flow; //!< position in ParsimonLink::flows
};

/// Processor sharing at one NIC.
struct Nic
{
    using Entry = std::pair<double, uint32_t>; //!< V at which a flow ends, the flow

    double nsPerByte{0}; //!< 1 / R
    double now{0};       //!< time [ns]
    double served{0};    //!< V [bytes]
    bool isPaced{false}; //!< some of its flows are paced
    /// Flows that have begun and not ended.
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> flows;
    std::vector<Sender> senders; //!< the same if some are paced, by ascending pace
};

/**
 * Give flows their shares: the least paced first, the others share the rest (water filling).
 * @param nic a NIC with paced flows
 */
void
Share(Nic& nic)
{
    double left = 1 / nic.nsPerByte;
    std::size_t n = nic.senders.size();
    for (Sender& sender : nic.senders)
    {
        sender.rate = std::min(sender.pace, left / static_cast<double>(n--));
        left -= sender.rate;
    }
}

/**
 * Serve the flows of a NIC with paced flows.
 * @param nic the NIC
 * @param until this time [ns]
 * @param end called for each flow that ends, with its position
 */
template <typename End>
void
ServePaced(Nic& nic, double until, const End& end)
{
    static constexpr double NOTHING = 1e-3; // bytes, above all rounding
    while (!nic.senders.empty())
    {
        Share(nic);
        double then = until;
        for (const Sender& sender : nic.senders)
        {
            then = std::min(then, nic.now + sender.left / sender.rate);
        }
        for (Sender& sender : nic.senders)
        {
            sender.left -= (then - nic.now) * sender.rate;
        }
        nic.now = then;
        if (then >= until)
        {
            return;
        }
        nic.senders.erase(std::remove_if(nic.senders.begin(),
                                         nic.senders.end(),
                                         [&](const Sender& sender) {
                                             if (sender.left > NOTHING)
                                             {
                                                 return false;
                                             }
                                             end(sender.flow);
                                             return true;
                                         }),
                          nic.senders.end());
    }
    nic.now = until;
}

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
    auto finish = [&](const Nic& nic, uint32_t i) {
        const ParsimonLinkFlow& flow = link.flows[i];
        const double slowest =
            std::max(nic.nsPerByte,
                     flow.paceBps > 0 ? 8e9 / static_cast<double>(flow.paceBps) : 0.0);
        delays[i] = static_cast<float>(std::max(
            0.0,
            nic.now - static_cast<double>(flow.startNs) - wire(flow) * slowest));
    };
    auto advance = [&](Nic& nic, double until) {
        if (nic.isPaced)
        {
            ServePaced(nic, until, [&](uint32_t i) { finish(nic, i); });
            return;
        }
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
            finish(nic, i);
        }
        nic.now = until;
    };
    for (const ParsimonLinkFlow& flow : link.flows)
    {
        Nic& nic = nics[link.sources[flow.source].link];
        nic.isPaced = nic.isPaced || flow.paceBps > 0;
    }
    for (uint32_t i = 0; i < link.flows.size(); ++i)
    {
        const ParsimonLinkFlow& flow = link.flows[i];
        Nic& nic = nics[link.sources[flow.source].link];
        nic.nsPerByte = 8e9 / static_cast<double>(link.GetNicRate(flow));
        advance(nic, static_cast<double>(flow.startNs));
        if (nic.isPaced)
        {
            const double pace = flow.paceBps > 0 ? static_cast<double>(flow.paceBps) / 8e9
                                                 : std::numeric_limits<double>::infinity();
            const auto place = std::upper_bound(
                nic.senders.begin(),
                nic.senders.end(),
                pace,
                [](double value, const Sender& sender) { return value < sender.pace; });
            nic.senders.insert(place, {pace, wire(flow), 0, i});
            continue;
        }
        nic.flows.emplace(nic.served + wire(flow), i);
    }
    for (auto& entry : nics)
    {
        advance(entry.second, std::numeric_limits<double>::infinity());
    }
    return delays;
}

} // namespace ns3
