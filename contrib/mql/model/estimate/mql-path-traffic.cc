/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-path-traffic.h"

#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlPathTraffic");

namespace
{

/// Sums over the transfers of a path.
struct PathSums
{
    double packets{0}; // sum n
    double bytes{0};   // on the wire
    double squares{0}; // sum over packets of their size^2
    double bursts{0};  // sum X over bursts
    double bursts2{0}; // sum X^2 over bursts
};

/// Path as a key, ordered by its links.
struct PathLess
{
    bool operator()(const DcnPath& x, const DcnPath& y) const
    {
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    }
};

} // namespace

MqlPathTraffic
MqlPathTraffic::Measure(const DcnScenario& scenario, const MqlMeasureOptions& options)
{
    const DcnNetworkParameters& network = scenario.GetNetwork();
    const uint32_t payload = network.payloadBytes;
    const auto& transfers = scenario.GetFlows();
    uint64_t burstBytes = options.burstBytes;
    if (burstBytes == 0)
    {
        burstBytes = network.windowBytes == 0 ? DcnScenario::MAX_SIZE_BYTES : network.windowBytes;
    }
    const double longestBurst =
        std::max<double>(1, std::floor(static_cast<double>(burstBytes) / payload));

    MqlPathTraffic traffic;
    std::map<DcnPath, uint32_t, PathLess> numbers;
    std::vector<PathSums> sums;
    std::vector<DcnPath> paths;
    int64_t end = 0;
    for (std::size_t i = 0; i < transfers.size(); i++)
    {
        const DcnFlow& transfer = transfers[i];
        const DcnPath path = scenario.GetPath(i);
        const auto [position, isNew] =
            numbers.try_emplace(path, static_cast<uint32_t>(paths.size()));
        if (isNew)
        {
            paths.push_back(path);
            sums.emplace_back();
        }
        traffic.flowOf.push_back(position->second);
        end = std::max(end, transfer.startNs + scenario.GetIdealFct(i).GetTotalNs());

        PathSums& sum = sums[position->second];
        auto n = static_cast<double>(DcnPackets(transfer.sizeBytes, payload));
        const double full = payload + network.headerBytes;
        double last =
            static_cast<double>(transfer.sizeBytes) - (n - 1) * payload + network.headerBytes;
        if (options.firstBursts && n > longestBurst)
        {
            n = longestBurst;
            last = full;
        }
        sum.packets += n;
        sum.bytes += (n - 1) * full + last;
        sum.squares += (n - 1) * full * full + last * last;
        const double whole = std::floor(n / longestBurst);
        const double rest = n - whole * longestBurst;
        sum.bursts += n;
        sum.bursts2 += whole * longestBurst * longestBurst + rest * rest;
    }
    traffic.spanSeconds = 1e-9 * static_cast<double>(end - transfers.front().startNs);

    std::vector<uint32_t> links;
    for (std::size_t i = 0; i < paths.size(); i++)
    {
        const PathSums& sum = sums[i];
        const DcnTopology& topology = scenario.GetTopology();
        MqlFlow flow;
        flow.src = topology.GetLink(paths[i][0]).from;
        flow.dst = topology.GetLink(paths[i][paths[i].size() - 1]).to;
        flow.rate = sum.packets / traffic.spanSeconds;
        flow.c2a = sum.bursts2 / sum.bursts;
        flow.wireBytes = sum.bytes / sum.packets;
        flow.c2s = std::max(0.0, sum.squares / sum.packets / (flow.wireBytes * flow.wireBytes) - 1);
        traffic.flows.push_back(flow);
        links.assign(paths[i].begin(), paths[i].end());
        traffic.paths.Append(links);
    }
    if (!network.ackHighPriority)
    {
        MqlAddAcks(traffic.flows, DCN_ACK_BYTES);
        for (const DcnPath& path : paths)
        {
            traffic.paths.Append(MqlReversePath(path));
        }
    }
    NS_LOG_INFO(transfers.size() << " transfers in " << traffic.spanSeconds << " s as "
                                 << traffic.flows.size() << " streams of packets");
    return traffic;
}

} // namespace ns3
