/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-limits.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <tuple>

namespace ns3
{

namespace
{

constexpr uint32_t RESERVE_BYTES = 4096; //!< r, as DcnPacketSwitch

/// Flows that have a property, and the one that has it most.
struct Extreme
{
    std::size_t n{0};    //!< flows
    std::size_t flow{0}; //!< flow index of the extreme one
    double ratio{0};     //!< its value; the larger, the more extreme

    /// Counts a flow.
    void Add(std::size_t index, double value)
    {
        ++n;
        if (value > ratio)
        {
            ratio = value;
            flow = index;
        }
    }
};

/// @return a number with three digits
std::string
ToShortText(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

/// @return "N of M flows, most of all flow 7 from host 1 to host 2"
std::string
DescribeFlows(const DcnScenario& scenario, const Extreme& extreme)
{
    const DcnFlow& flow = scenario.GetFlows()[extreme.flow];
    const DcnTopology& topology = scenario.GetTopology();
    return std::to_string(extreme.n) + " of " + std::to_string(scenario.GetFlows().size()) +
           " flows, most of all flow " + std::to_string(flow.id) + " from host " +
           std::to_string(topology.GetExternalId(flow.src)) + " to host " +
           std::to_string(topology.GetExternalId(flow.dst));
}

} // namespace

std::vector<std::string>
DcnDescribeNetworkLimits(const DcnScenario& scenario)
{
    const DcnTopology& topology = scenario.GetTopology();
    const DcnNetworkParameters& network = scenario.GetNetwork();
    const bool hasWindow = network.initialWindowBytes == 0; // else slow start has its own rules
    const uint32_t packetBytes = network.payloadBytes + network.headerBytes;
    std::map<uint64_t, DcnNetworkParameters> ofNic; // by rate
    Extreme narrow;
    Extreme fast;
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnPath path = scenario.GetPath(i);
        const uint64_t nicBps = topology.GetLink(path[0]).rateBps;
        auto found = ofNic.find(nicBps);
        if (found == ofNic.end())
        {
            found = ofNic.emplace(nicBps, network.ForNic(nicBps)).first;
        }
        const uint64_t limitBps = network.maxRate.GetBitRate();
        const uint64_t maxBps = limitBps ? std::min(limitBps, nicBps) : nicBps;
        uint64_t slowestBps = maxBps;
        for (const uint32_t link : path)
        {
            slowestBps = std::min(slowestBps, topology.GetLink(link).rateBps);
        }
        const auto slowest = static_cast<double>(slowestBps);
        const auto least = static_cast<double>(found->second.minRate.GetBitRate());
        if (least > slowest)
        {
            fast.Add(i, least / slowest);
        }
        const int64_t rttNs = DcnBaseRttNs(topology, path, packetBytes, DCN_ACK_BYTES);
        const uint64_t window = found->second.GetWindowBytes(maxBps, rttNs);
        const double productBytes = slowest * static_cast<double>(rttNs) / 8e9;
        const auto usable = static_cast<double>(std::max<uint64_t>(window, network.payloadBytes));
        if (hasWindow && window > 0 && 2 * usable < productBytes)
        {
            narrow.Add(i, productBytes / usable);
        }
    }
    std::vector<std::string> sentences;
    if (ofNic.size() > 1)
    {
        sentences.push_back("flows leave by NICs of " +
                            ToShortText(static_cast<double>(ofNic.begin()->first) / 1e9) + " to " +
                            ToShortText(static_cast<double>(ofNic.rbegin()->first) / 1e9) +
                            " Gb/s: " +
                            (network.referenceRate.GetBitRate() > 0
                                 ? "window, smallest rate and increases of each follow its NIC "
                                   "(reference_rate_bps)"
                                 : "all have the same window, smallest rate and increases, since "
                                   "reference_rate_bps is 0"));
    }
    if (narrow.n > 0)
    {
        sentences.push_back("the window is below half of the bandwidth-delay product of the path "
                            "for " +
                            DescribeFlows(scenario, narrow) + " (1/" + ToShortText(narrow.ratio) +
                            " of it): alone, such a flow cannot use its path; raise window_bytes, "
                            "or take window_bdp=1");
    }
    if (fast.n > 0)
    {
        sentences.push_back("the smallest rate of flows (min_rate_bps) is above the slowest link "
                            "of the path for " +
                            DescribeFlows(scenario, fast) + " (" + ToShortText(fast.ratio) +
                            " times as much): no congestion control can prevent that such a flow "
                            "overloads its path");
    }
    return sentences;
}

DcnBufferRoom::DcnBufferRoom(Ptr<const DcnScenario> scenario)
    : m_scenario(scenario),
      m_hostBps(0)
{
    const DcnTopology& topology = scenario->GetTopology();
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        m_hostBps = std::max(m_hostBps, topology.GetLink(scenario->GetPath(i)[0]).rateBps);
    }
}

DcnBufferRoom::Port
DcnBufferRoom::GetPort(uint32_t link) const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    const DcnLink& cable = topology.GetLink(link);
    uint32_t shift = m_scenario->GetNetwork().pfcAlphaShift;
    const bool isToHost = topology.IsHost(cable.from);
    for (uint64_t rate = cable.rateBps; !isToHost && rate > m_hostBps && shift > 0; rate /= 2)
    {
        --shift;
    }
    const auto flight = static_cast<double>(
        DcnMulDiv(cable.rateBps, static_cast<uint64_t>(cable.delayNs), 8'000'000'000));
    return {std::ldexp(1.0, -static_cast<int>(shift)), 3 * flight};
}

double
DcnBufferRoom::GetSharedBytes(uint32_t node) const
{
    const DcnNetworkParameters& network = m_scenario->GetNetwork();
    const double frame = network.payloadBytes + network.headerBytes;
    double setAside = 0;
    double least = 0;
    for (const uint32_t out : m_scenario->GetTopology().GetOutLinks(node))
    {
        const Port port = GetPort(DcnTopology::Reverse(out));
        setAside += RESERVE_BYTES + port.headroomBytes;
        least = std::max(least, frame > port.headroomBytes ? frame / port.share : 0);
    }
    auto buffer = static_cast<double>(network.bufferBytes);
    const bool isOfPreset = network.bufferBytes == network.presetBufferBytes;
    if (isOfPreset && buffer < setAside + least) // it grows, see DcnPacketSwitch
    {
        buffer = std::max(setAside + least, buffer < setAside ? 3 * setAside : 0);
    }
    return std::max(0.0, buffer - setAside);
}

uint64_t
DcnBufferRoom::GetRoom(uint32_t link, const std::vector<uint32_t>& ports) const
{
    const uint32_t node = m_scenario->GetTopology().GetLink(link).from;
    if (m_scenario->GetTopology().IsHost(node) || ports.empty())
    {
        return std::numeric_limits<uint64_t>::max();
    }
    double shares = 0;
    double room = 0;
    for (const uint32_t each : ports)
    {
        const Port port = GetPort(each);
        shares += port.share;
        room += RESERVE_BYTES + (m_scenario->GetNetwork().pfc ? 0 : port.headroomBytes);
    }
    return static_cast<uint64_t>(room + GetSharedBytes(node) * shares / (1 + shares));
}

std::vector<std::vector<uint32_t>>
DcnBufferRoom::FindPorts(const std::vector<char>& isAsked) const
{
    std::vector<std::vector<uint32_t>> ports(isAsked.size());
    for (std::size_t i = 0; i < m_scenario->GetFlows().size(); ++i)
    {
        const DcnPath path = m_scenario->GetPath(i);
        for (std::size_t hop = 1; hop < path.size(); ++hop)
        {
            if (isAsked[path[hop]])
            {
                auto& of = ports[path[hop]];
                if (std::find(of.begin(), of.end(), path[hop - 1]) == of.end())
                {
                    of.push_back(path[hop - 1]);
                }
            }
        }
    }
    return ports;
}

uint64_t
DcnBufferRoom::Get(uint32_t link) const
{
    std::vector<char> isAsked(m_scenario->GetTopology().GetNLinks(), 0);
    isAsked[link] = 1;
    return GetRoom(link, FindPorts(isAsked)[link]);
}

std::vector<uint64_t>
DcnBufferRoom::GetLeastRooms() const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    std::vector<uint64_t> rooms(topology.GetNLinks(), std::numeric_limits<uint64_t>::max());
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        uint64_t least = std::numeric_limits<uint64_t>::max();
        for (const uint32_t out : topology.GetOutLinks(node))
        {
            least = std::min(least, GetRoom(out, {DcnTopology::Reverse(out)}));
        }
        for (const uint32_t out : topology.GetOutLinks(node))
        {
            rooms[out] = least;
        }
    }
    return rooms;
}

namespace
{

/// The time [ns], the link by which it comes in, and the change of a rate [bit/s].
using RateChange = std::tuple<double, uint32_t, double>;

/**
 * @param topology the network
 * @param link directed link
 * @param changes rates of bursts over it, by time
 * @return largest number of bytes that wait for the link where no link brings more than its rate
 */
uint64_t
FindLargestQueue(const DcnTopology& topology, uint32_t link, const std::vector<RateChange>& changes)
{
    std::map<uint32_t, double> rates; // by the link that it comes in by
    const auto capacity = static_cast<double>(topology.GetLink(link).rateBps);
    double inBps = 0;
    double bytes = 0;
    double nowNs = 0;
    double most = 0;
    for (const auto& [atNs, from, change] : changes)
    {
        bytes = std::max(0.0, bytes + (inBps - capacity) * (atNs - nowNs) / 8e9);
        most = std::max(most, bytes);
        nowNs = atNs;
        const auto limit = static_cast<double>(topology.GetLink(from).rateBps);
        double& rate = rates[from];
        inBps -= std::min(rate, limit);
        rate = std::max(0.0, rate + change);
        inBps += std::min(rate, limit);
    }
    return static_cast<uint64_t>(most);
}

} // namespace

std::vector<DcnBufferRoom::Burst>
DcnBufferRoom::MakeBursts(std::vector<double>& bound) const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    const DcnNetworkParameters& network = m_scenario->GetNetwork();
    const auto& flows = m_scenario->GetFlows();
    const uint32_t packetBytes = network.payloadBytes + network.headerBytes;
    std::vector<Burst> bursts;
    bursts.reserve(flows.size());
    std::vector<double> freeNs(topology.GetNLinks(), 0); // of NICs
    std::vector<double> queue(topology.GetNLinks(), 0);
    std::vector<double> sinceNs(topology.GetNLinks(), 0);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const DcnPath path = m_scenario->GetPath(i);
        const uint64_t nicBps = topology.GetLink(path[0]).rateBps;
        const int64_t rttNs = DcnBaseRttNs(topology, path, packetBytes, DCN_ACK_BYTES);
        const uint64_t window = network.GetWindowBytes(nicBps, rttNs, nicBps);
        const auto nic = static_cast<double>(nicBps);
        const double most =
            window ? static_cast<double>(window) : nic * static_cast<double>(rttNs) / 8e9;
        const double payload = std::min(static_cast<double>(flows[i].sizeBytes),
                                        std::max<double>(most, network.payloadBytes));
        const double bytes =
            payload + std::ceil(payload / network.payloadBytes) * network.headerBytes;
        const double begin = std::max(static_cast<double>(flows[i].startNs), freeNs[path[0]]);
        freeNs[path[0]] = begin + 8e9 * bytes / nic;
        bursts.push_back({begin, bytes, nicBps});
        for (std::size_t hop = 1; hop < path.size(); ++hop)
        {
            const uint32_t link = path[hop];
            const double drained = static_cast<double>(topology.GetLink(link).rateBps) *
                                   std::max(0.0, begin - sinceNs[link]) / 8e9;
            queue[link] = std::max(0.0, queue[link] - drained) + bytes;
            sinceNs[link] = std::max(begin, sinceNs[link]);
            bound[link] = std::max(bound[link], queue[link]);
        }
    }
    return bursts;
}

std::vector<uint64_t>
DcnBufferRoom::FindBursts() const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    // a bound that costs little: each burst comes at once
    std::vector<double> bound(topology.GetNLinks(), 0);
    const std::vector<Burst> bursts = MakeBursts(bound);
    const std::vector<uint64_t> least = GetLeastRooms();
    std::vector<char> isAsked(topology.GetNLinks(), 0);
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        isAsked[link] = !topology.IsHost(topology.GetLink(link).from) &&
                        bound[link] >= static_cast<double>(least[link]);
    }
    std::vector<std::vector<RateChange>> changes(topology.GetNLinks()); // where the bound suffices
    for (std::size_t i = 0; i < bursts.size(); ++i)
    {
        const DcnPath path = m_scenario->GetPath(i);
        for (std::size_t hop = 1; hop < path.size(); ++hop)
        {
            if (isAsked[path[hop]])
            {
                const auto nic = static_cast<double>(bursts[i].nicBps);
                const double end = bursts[i].beginNs + 8e9 * bursts[i].bytes / nic;
                changes[path[hop]].emplace_back(bursts[i].beginNs, path[hop - 1], nic);
                changes[path[hop]].emplace_back(end, path[hop - 1], -nic);
            }
        }
    }
    std::vector<uint64_t> largest(topology.GetNLinks(), 0);
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        std::sort(changes[link].begin(), changes[link].end());
        largest[link] = FindLargestQueue(topology, link, changes[link]);
    }
    return largest;
}

std::vector<std::string>
DcnBufferRoom::Describe(const std::vector<uint64_t>& queueBytes, const std::string& where) const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    const std::vector<uint64_t> least = GetLeastRooms();
    std::vector<char> isAsked(queueBytes.size(), 0);
    bool isAny = false;
    for (uint32_t link = 0; link < queueBytes.size(); ++link)
    {
        isAsked[link] = queueBytes[link] >= least[link];
        isAny = isAny || isAsked[link];
    }
    if (!isAny)
    {
        return {};
    }
    const auto ports = FindPorts(isAsked);
    std::size_t n = 0;
    uint32_t worst = 0;
    double ratio = 0;
    uint64_t room = 0;
    for (uint32_t link = 0; link < queueBytes.size(); ++link)
    {
        const uint64_t most = isAsked[link] ? GetRoom(link, ports[link]) : ~0ULL;
        if (queueBytes[link] < most || most == ~0ULL)
        {
            continue;
        }
        ++n;
        const double each = static_cast<double>(queueBytes[link]) /
                            static_cast<double>(std::max<uint64_t>(1, most));
        if (each > ratio)
        {
            ratio = each;
            worst = link;
            room = most;
        }
    }
    if (n == 0)
    {
        return {};
    }
    const std::string effect =
        m_scenario->GetNetwork().pfc
            ? " bytes on the switch pauses senders (pfc=1), which holds up flows to other links"
            : " bytes on the switch drops packets (pfc=0), which are sent again";
    return {"queues of " + std::to_string(n) + (n == 1 ? " link" : " links") +
            " fill the buffer of the switch, most of all link " + topology.DescribeLink(worst) +
            " with " + std::to_string(queueBytes[worst]) + " bytes " + where + ": from " +
            std::to_string(room) + effect};
}

} // namespace ns3
