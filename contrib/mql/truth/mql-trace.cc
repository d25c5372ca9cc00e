/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-trace.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

const std::vector<std::string> COLUMNS{"timestamp_ns", "source", "destination", "size_bytes"};
constexpr uint64_t MAX_BYTES = 65535;             //!< largest packet
constexpr int64_t MAX_NS = 1'000'000'000'000'000; //!< latest time stamp after the first

} // namespace

double
MqlScv(double n, double sum, double sum2)
{
    return sum > 0 ? std::max(0.0, n * sum2 / (sum * sum) - 1) : 0;
}

void
MqlMomentCounter::Add(int64_t timeNs, double bytes)
{
    if (m_packets > 0)
    {
        const auto gap = static_cast<double>(timeNs - m_last);
        m_gaps += gap;
        m_gaps2 += gap * gap;
    }
    m_last = timeNs;
    m_packets++;
    m_bytes += bytes;
    m_bytes2 += bytes * bytes;
}

MqlPacketMoments
MqlMomentCounter::Get(double seconds) const
{
    MqlPacketMoments moments;
    const auto n = static_cast<double>(m_packets);
    moments.packets = m_packets;
    moments.rate = n / seconds;
    moments.meanBytes = m_packets > 0 ? m_bytes / n : 0;
    moments.bytesScv = MqlScv(n, m_bytes, m_bytes2);
    // One gap has no variance, and two gaps give no better value than Poisson's.
    moments.gapScv = m_packets < 3 ? 1 : MqlScv(n - 1, m_gaps, m_gaps2);
    return moments;
}

MqlTrace
MqlTrace::Read(const std::string& path, uint32_t hosts)
{
    DcnCsvReader reader(path, COLUMNS);
    const auto need = [&reader](bool good, const auto&... sentence) {
        if (!good)
        {
            DcnFail(reader.Where(), sentence...);
        }
    };
    const auto readHost = [&](std::size_t column) {
        const uint64_t host = reader.GetUint(column);
        need(host < hosts, COLUMNS[column], " ", host, " is no host: there are ", hosts);
        return static_cast<uint32_t>(host);
    };
    using Pair = std::pair<uint32_t, uint32_t>;
    MqlTrace trace;
    std::vector<Pair> pairs;          // by packet
    std::map<Pair, uint32_t> numbers; // of flows
    int64_t first = 0;
    int64_t last = 0;
    while (reader.FetchRow())
    {
        const int64_t time = reader.GetInt(0);
        const Pair pair{readHost(1), readHost(2)};
        const uint64_t bytes = reader.GetUint(3);
        need(bytes > 0 && bytes <= MAX_BYTES,
             "size_bytes must be from 1 to ",
             MAX_BYTES,
             ", but it is ",
             bytes);
        need(pair.first != pair.second, "host ", pair.first, " sends to itself");
        first = pairs.empty() ? time : first;
        last = pairs.empty() ? time : last;
        need(time >= last, "timestamp_ns ", time, " is before that of the line before, ", last);
        need(time - first <= MAX_NS,
             "timestamp_ns ",
             time,
             " is more than 11 days after the first");
        last = time;
        numbers[pair] = 0;
        pairs.push_back(pair);
        trace.m_packets.push_back({time - first, 0, static_cast<uint32_t>(bytes)});
    }
    if (last == first)
    {
        DcnFail(path, ": a trace must have packets at two instants at least");
    }
    for (auto& [pair, number] : numbers)
    {
        number = static_cast<uint32_t>(trace.m_flows.size());
        trace.m_flows.push_back({pair.first, pair.second, {}});
    }
    std::vector<MqlMomentCounter> counters(numbers.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        auto& packet = trace.m_packets[i];
        packet.flow = numbers[pairs[i]];
        counters[packet.flow].Add(packet.timeNs, packet.bytes);
    }
    for (std::size_t i = 0; i < counters.size(); ++i)
    {
        trace.m_flows[i].moments = counters[i].Get(trace.GetDuration());
    }
    return trace;
}

double
MqlTrace::GetDuration() const
{
    return static_cast<double>(m_packets.back().timeNs) * 1e-9;
}

} // namespace ns3
