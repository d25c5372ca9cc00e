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
    MqlTrace trace;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    int64_t first = 0;
    int64_t last = 0;
    while (reader.FetchRow())
    {
        const int64_t time = reader.GetInt(0);
        uint64_t ends[2];
        for (std::size_t i = 0; i < 2; ++i)
        {
            ends[i] = reader.GetUint(1 + i);
            if (ends[i] >= hosts)
            {
                DcnFail(reader.Where(),
                        COLUMNS[1 + i],
                        " ",
                        ends[i],
                        " is no host: there are ",
                        hosts);
            }
        }
        const uint64_t bytes = reader.GetUint(3);
        if (bytes == 0 || bytes > MAX_BYTES)
        {
            DcnFail(reader.Where(),
                    "size_bytes must be from 1 to ",
                    MAX_BYTES,
                    ", but it is ",
                    bytes);
        }
        if (ends[0] == ends[1])
        {
            DcnFail(reader.Where(), "host ", ends[0], " sends to itself");
        }
        if (trace.m_packets.empty())
        {
            first = last = time;
        }
        if (time < last)
        {
            DcnFail(reader.Where(),
                    "timestamp_ns ",
                    time,
                    " is before that of the line before, ",
                    last);
        }
        if (time - first > MAX_NS)
        {
            DcnFail(reader.Where(), "timestamp_ns ", time, " is more than 11 days after the first");
        }
        last = time;
        const std::pair<uint32_t, uint32_t> pair{ends[0], ends[1]};
        const auto [it, isNew] = numbers.emplace(pair, pairs.size());
        if (isNew)
        {
            pairs.push_back(pair);
        }
        trace.m_packets.push_back({time - first, it->second, static_cast<uint32_t>(bytes)});
    }
    if (trace.m_packets.empty() || last == first)
    {
        DcnFail(path, ": a trace must have packets at two instants at least");
    }
    // Flows are numbered by source and destination, not by the order of packets.
    std::vector<uint32_t> position(pairs.size());
    for (const auto& [pair, number] : numbers)
    {
        position[number] = static_cast<uint32_t>(trace.m_flows.size());
        trace.m_flows.push_back({pair.first, pair.second, {}});
    }
    std::vector<MqlMomentCounter> counters(pairs.size());
    for (auto& packet : trace.m_packets)
    {
        packet.flow = position[packet.flow];
        counters[packet.flow].Add(packet.timeNs, packet.bytes);
    }
    for (std::size_t i = 0; i < counters.size(); ++i)
    {
        trace.m_flows[i].moments = counters[i].Get(trace.GetDuration());
    }
    return trace;
}

const std::vector<MqlTrace::Packet>&
MqlTrace::GetPackets() const
{
    return m_packets;
}

const std::vector<MqlTrace::Flow>&
MqlTrace::GetFlows() const
{
    return m_flows;
}

double
MqlTrace::GetDuration() const
{
    return static_cast<double>(m_packets.back().timeNs) * 1e-9;
}

} // namespace ns3
