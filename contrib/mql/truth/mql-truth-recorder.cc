/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-recorder.h"

#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Standard error of the mean of all values, from batches of about equal size.
template <std::size_t N>
double
BatchError(const std::array<double, N>& sums, const std::array<uint32_t, N>& sizes)
{
    double mean = 0;
    for (std::size_t i = 0; i < N; ++i)
    {
        if (sizes[i] == 0)
        {
            return 0;
        }
        mean += sums[i] / sizes[i] / N;
    }
    double variance = 0;
    for (std::size_t i = 0; i < N; ++i)
    {
        variance += std::pow(sums[i] / sizes[i] - mean, 2) / (N - 1);
    }
    return std::sqrt(variance / N);
}

} // namespace

MqlTruthRecorder::MqlTruthRecorder(const MqlTruthTraffic& traffic)
    : m_traffic(traffic),
      m_startNs(std::llround(traffic.GetConfig().GetNumber("warmup_s") * 1e9)),
      m_endNs(m_startNs + std::llround(traffic.GetConfig().GetNumber("duration_s") * 1e9)),
      m_hops(traffic.GetHopLinks().size()),
      m_hasGaps(m_hops.size(), m_hops.size() <= MANY_HOPS ? 1 : 0),
      m_gaps(m_hops.size()),
      m_flows(traffic.GetFlows().size())
{
    for (const auto& stream : traffic.GetStreams())
    {
        m_hasGaps[stream.firstHop] = 1;
    }
}

void
MqlTruthRecorder::AddRoundTrip(FlowSums& sums, int64_t sentNs, int64_t nowNs)
{
    const auto roundTrip = static_cast<double>(nowNs - sentNs);
    sums.roundTrips.push_back(static_cast<float>(roundTrip));
    const auto batch = static_cast<std::size_t>(
        (sentNs - m_startNs) * static_cast<int64_t>(N_BATCHES) / (m_endNs - m_startNs));
    sums.batchNs[batch] += roundTrip;
    sums.batchSize[batch]++;
}

void
MqlTruthRecorder::AddData(uint32_t flow, int64_t sentNs, int64_t nowNs)
{
    if (!IsRecorded(sentNs))
    {
        return;
    }
    FlowSums& sums = m_flows[flow];
    sums.data++;
    sums.dataNs += static_cast<double>(nowNs - sentNs);
    if (m_traffic.GetAckBytes() == 0)
    {
        AddRoundTrip(sums, sentNs, nowNs);
    }
}

void
MqlTruthRecorder::AddAck(uint32_t flow, int64_t sentNs, int64_t echoedNs, int64_t nowNs)
{
    if (!IsRecorded(sentNs))
    {
        return;
    }
    FlowSums& sums = m_flows[flow];
    sums.ackNs += static_cast<double>(nowNs - echoedNs);
    AddRoundTrip(sums, sentNs, nowNs);
}

MqlTruthResult
MqlTruthRecorder::Finish()
{
    const double windowNs = static_cast<double>(m_endNs - m_startNs);
    const auto& topology = *m_traffic.GetTopology();
    const auto& links = m_traffic.GetHopLinks();
    MqlTruthResult result;
    result.packetHops = m_packetHops;
    result.queues.resize(topology.GetNLinks());
    for (std::size_t i = 0; i < m_hops.size(); ++i)
    {
        const HopSums& sums = m_hops[i];
        const double n = sums.packets;
        MqlTruthHop hop;
        hop.packets = sums.packets;
        hop.drops = sums.drops;
        auto& queue = result.queues[links[i]];
        queue.packets += sums.packets;
        queue.drops += sums.drops;
        if (sums.packets > 0)
        {
            hop.waitNs = sums.wait / n;
            hop.wait2 = sums.wait2 / n;
            hop.bytes = static_cast<double>(sums.bytes) / n;
            queue.waitNs += sums.wait; // mean below
            queue.utilisation += static_cast<double>(sums.bytes) * 8e9 /
                                 static_cast<double>(topology.GetLink(links[i]).rateBps) / windowNs;
        }
        if (m_hasGaps[i] && sums.packets > 2)
        {
            hop.gapScv = MqlScv(n - 1, m_gaps[i].gaps, m_gaps[i].gaps2);
        }
        result.hops.push_back(hop);
    }
    const std::vector<double> offered = m_traffic.GetUtilisation();
    for (std::size_t link = 0; link < result.queues.size(); ++link)
    {
        auto& queue = result.queues[link];
        queue.offered = offered[link];
        queue.waiting = queue.waitNs / windowNs;
        queue.waitNs = queue.packets > 0 ? queue.waitNs / static_cast<double>(queue.packets) : 0;
    }
    std::vector<double> sorted;
    std::vector<double> pooled;
    for (auto& sums : m_flows)
    {
        MqlTruthFlowResult flow;
        flow.sent = sums.sent;
        flow.packets = sums.roundTrips.size();
        if (flow.packets > 0)
        {
            const auto n = static_cast<double>(flow.packets);
            flow.dataNs = sums.dataNs / static_cast<double>(sums.data);
            flow.ackNs = sums.ackNs / n;
            sorted.assign(sums.roundTrips.begin(), sums.roundTrips.end());
            pooled.insert(pooled.end(), sorted.begin(), sorted.end());
            std::sort(sorted.begin(), sorted.end());
            flow.rttNs = DcnMean(sorted);
            flow.rttP99Ns = DcnQuantile(sorted, 0.99);
            flow.rttErrorNs = BatchError(sums.batchNs, sums.batchSize);
        }
        result.flows.push_back(flow);
        sums.roundTrips = {};
    }
    std::sort(pooled.begin(), pooled.end());
    result.rttP99Ns = pooled.empty() ? 0 : DcnQuantile(pooled, 0.99);
    return result;
}

} // namespace ns3
