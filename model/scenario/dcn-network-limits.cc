/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-limits.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace ns3
{

namespace
{

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
        sentences.push_back(
            "flows leave by NICs of " + ToShortText(static_cast<double>(ofNic.begin()->first) / 1e9) +
            " to " + ToShortText(static_cast<double>(ofNic.rbegin()->first) / 1e9) + " Gb/s: " +
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

} // namespace ns3
