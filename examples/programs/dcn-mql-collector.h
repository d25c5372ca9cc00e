/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MQL_COLLECTOR_H
#define DCN_MQL_COLLECTOR_H

#include "ns3/dcn-collector.h"
#include "ns3/dcn-error.h"
#include "ns3/mql-truth-recorder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// What the collector has seen of a queue in the recorded time.
struct MqlSeenQueue
{
    uint64_t packets{0}; //!< that joined it
    uint64_t drops{0};   //!< packets dropped
    uint64_t longest{0}; //!< bytes
    double byteNs{0};    //!< integral of the bytes that wait [bytes ns]
};

/**
 * @brief Add up the records of the recorded time.
 * @param records of a queue
 * @param startNs beginning of the recorded time [ns], a multiple of the interval
 * @param endNs end of the recorded time [ns], a multiple of the interval
 * @return their sums over the recorded time
 */
inline MqlSeenQueue
MqlAddUp(const std::vector<DcnQueueRecord>& records, int64_t startNs, int64_t endNs)
{
    MqlSeenQueue seen;
    for (const auto& record : records)
    {
        if (record.startNs >= startNs && record.startNs < endNs)
        {
            seen.packets += record.inPackets;
            seen.drops += record.drops;
            seen.byteNs += record.meanBytes * static_cast<double>(record.endNs - record.startNs);
        }
        seen.longest = std::max(seen.longest, record.maxBytes);
    }
    return seen;
}

/**
 * @brief Compare a collector with the packets' own records.
 *
 * The recorder counts packets by their arrival, the collector queues by time: numbers are equal,
 * and sum of waiting time times size = integral of the waiting bytes, but for what waits at the
 * beginning and at the end.
 * @param traffic what was simulated
 * @param result by the recorder
 * @param collector has watched the same queues, named by their links
 * @throws DcnError if the two disagree
 */
inline void
MqlCheckCollector(const MqlTruthTraffic& traffic,
                  const MqlTruthResult& result,
                  const DcnCollector& collector)
{
    const auto& config = traffic.GetConfig();
    const auto& topology = *traffic.GetTopology();
    const auto startNs = static_cast<int64_t>(std::llround(config.warmupS * 1e9));
    const auto endNs = startNs + static_cast<int64_t>(std::llround(config.durationS * 1e9));
    // Only then do all packets of a stream have the same size.
    const bool hasFixedSizes = config.transport == "udp" && config.spread == 0;
    std::vector<double> byteNs(result.queues.size(), 0);
    for (std::size_t i = 0; i < result.hops.size(); ++i)
    {
        const auto& hop = result.hops[i];
        byteNs[traffic.GetHopLinks()[i]] +=
            hop.waitNs * static_cast<double>(hop.packets) * hop.bytes;
    }
    for (uint32_t link = 0; link < result.queues.size(); ++link)
    {
        const auto& queue = result.queues[link];
        const std::string name = topology.DescribeLink(link);
        const MqlSeenQueue seen =
            MqlAddUp(collector.GetQueueRecords(name, "device"), startNs, endNs);
        const auto longest = static_cast<double>(seen.longest);
        const double most = 2 * longest * (longest + 1502) * 8e9 /
                            static_cast<double>(topology.GetLink(link).rateBps);
        if (seen.packets != queue.packets || seen.drops != queue.drops ||
            (hasFixedSizes && std::abs(seen.byteNs - byteNs[link]) > most + 1e-6 * byteNs[link]))
        {
            DcnFail("collector and recorder disagree about queue ", name, ": ", seen.packets,
                    " packets, ", seen.drops, " drops and ", seen.byteNs, " byte ns, but ",
                    queue.packets, ", ", queue.drops, " and ", byteNs[link]);
        }
    }
}

} // namespace ns3

#endif /* DCN_MQL_COLLECTOR_H */
