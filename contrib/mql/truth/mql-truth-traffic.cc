/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-traffic.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-two-tier.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3
{

namespace
{

constexpr double NS_PER_S = 1e9;

/// The topology of a configuration.
Ptr<DcnTopology>
MakeTopology(const MqlTruthConfig& config)
{
    auto count = [&config](const char* key) { return static_cast<uint32_t>(config.GetWhole(key)); };
    const DataRate rate(static_cast<uint64_t>(std::llround(config.GetNumber("rate_mbps") * 1e6)));
    const Time delay = NanoSeconds(config.GetWhole("delay_ns"));
    if (config.Get("topology") == "two-tier")
    {
        return DcnBuildTopology(DcnTwoTierParameters{count("hosts"), count("radix"), rate, delay});
    }
    DcnFatTreeParameters parameters;
    parameters.k = count("k");
    parameters.linkRate = rate;
    parameters.linkDelay = delay;
    return DcnBuildTopology(parameters);
}

/// Largest deviation of a packet from the mean size [bytes]; sizes are whole.
double
HalfWidth(const MqlTruthConfig& config)
{
    return std::floor(config.GetNumber("bytes") * config.GetNumber("spread") + 1e-9);
}

} // namespace

MqlTruthTraffic::MqlTruthTraffic(const MqlTruthConfig& config)
    : m_config(config),
      m_ackBytes(static_cast<uint32_t>(config.GetWhole("ack_bytes"))),
      m_topology(MakeTopology(config))
{
    if (config.IsSet("trace"))
    {
        const auto& hosts = m_topology->GetHosts();
        m_trace = std::make_shared<MqlTrace>(
            MqlTrace::Read(config.Get("trace"), static_cast<uint32_t>(hosts.size())));
        for (const auto& flow : m_trace->GetFlows())
        {
            m_flows.push_back({{hosts[flow.source],
                                hosts[flow.destination],
                                flow.moments.rate,
                                flow.moments.gapScv,
                                flow.moments.meanBytes,
                                flow.moments.bytesScv}});
        }
    }
    else
    {
        AddPairs();
    }
    Route();
    if (!m_trace)
    {
        Scale();
    }
}

void
MqlTruthTraffic::AddPairs()
{
    const auto& hosts = m_topology->GetHosts();
    const DcnRandom random(m_config.GetWhole("seed"));
    const std::string& pattern = m_config.Get("pattern");
    auto uniform = CreateObject<UniformRandomVariable>();
    std::vector<MqlHostPair> pairs;
    const auto append = [&pairs](const std::vector<uint32_t>& set, MqlPattern part) {
        const auto more = MqlMakePairs(set, part);
        pairs.insert(pairs.end(), more.begin(), more.end());
    };
    if (pattern == "asymmetric")
    {
        std::vector<uint32_t> others(hosts.begin() + 1, hosts.end());
        random.Assign(uniform, DcnPurpose::MQL_TRUTH_TRAFFIC, 2);
        DcnShuffle(others, *uniform);
        // to the first host, among each other, from the first host
        std::vector<uint32_t> sets[]{{hosts[0]}, {}, {hosts[0]}};
        for (std::size_t i = 0; i < others.size(); ++i)
        {
            sets[i * 3 / others.size()].push_back(others[i]);
        }
        append(sets[0], MqlPattern::INCAST);
        append(sets[1], MqlPattern::ALL_TO_ALL);
        append(sets[2], MqlPattern::BROADCAST);
        std::sort(pairs.begin(), pairs.end());
    }
    else
    {
        append(hosts,
               pattern == "incast"      ? MqlPattern::INCAST
               : pattern == "broadcast" ? MqlPattern::BROADCAST
                                        : MqlPattern::ALL_TO_ALL);
    }
    if (pairs.empty())
    {
        DcnFail("the pattern ", pattern, " has no pair of hosts in this topology");
    }
    random.Assign(uniform, DcnPurpose::MQL_TRUTH_TRAFFIC, 0);
    MqlThinPairs(pairs, m_config.GetNumber("density"), *uniform);
    // Whole bytes from m - h to m + h, each equally likely: variance h (h + 1) / 3.
    const double h = HalfWidth(m_config);
    const double mean = m_config.GetNumber("bytes");
    for (const auto& [source, destination] : pairs)
    {
        m_flows.push_back(
            {{source, destination, 1, m_config.GetScv(), mean, h * (h + 1) / 3 / (mean * mean)}});
    }
}

void
MqlTruthTraffic::Route()
{
    const DcnRouting routing(m_topology, m_config.GetWhole("hash_seed"));
    const bool isSplit = m_config.Get("routing") == "split";
    std::vector<uint32_t> path;
    auto append = [&](uint32_t flow, bool isAck, double share) {
        const auto first = static_cast<uint32_t>(m_hopLinks.size());
        m_hopLinks.insert(m_hopLinks.end(), path.begin(), path.end());
        m_streams.push_back({flow, isAck, share, first, static_cast<uint32_t>(path.size())});
    };
    // All shortest paths, each with the product of 1 / (number of next links) along it.
    std::function<void(uint32_t, uint32_t, uint32_t, bool, double)> spread =
        [&](uint32_t node, uint32_t dst, uint32_t flow, bool isAck, double share) {
            if (node == dst)
            {
                append(flow, isAck, share);
                return;
            }
            const auto links = routing.GetNextLinks(node, dst);
            for (const uint32_t link : links)
            {
                path.push_back(link);
                spread(m_topology->GetLink(link).to,
                       dst,
                       flow,
                       isAck,
                       share / static_cast<double>(links.size()));
                path.pop_back();
            }
        };
    auto route = [&](uint32_t number, uint32_t src, uint32_t dst, bool isAck) {
        if (isSplit)
        {
            spread(src, dst, number, isAck, 1);
            return;
        }
        if (isAck)
        {
            // The reverse path of the data, as in MqlHashPaths.
            path = MqlReversePath({path.data(), path.data() + path.size()});
        }
        else
        {
            path.clear();
            const uint64_t id = static_cast<uint64_t>(src) * m_topology->GetNNodes() + dst;
            routing.AppendPath({id, src, dst, 1, 0}, path);
        }
        append(number, isAck, 1);
    };
    for (uint32_t i = 0; i < m_flows.size(); ++i)
    {
        auto& flow = m_flows[i];
        flow.firstStream = static_cast<uint32_t>(m_streams.size());
        route(i, flow.src, flow.dst, false);
        flow.firstAck = static_cast<uint32_t>(m_streams.size());
        if (m_ackBytes > 0)
        {
            route(i, flow.dst, flow.src, true);
        }
        flow.endStream = static_cast<uint32_t>(m_streams.size());
    }
}

void
MqlTruthTraffic::Scale()
{
    if (m_config.Get("rates") == "uniform")
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        DcnRandom(m_config.GetWhole("seed")).Assign(uniform, DcnPurpose::MQL_TRUTH_TRAFFIC, 1);
        for (auto& flow : m_flows)
        {
            flow.rate = 1 - uniform->GetValue(0, 1);
        }
    }
    const auto utilisation = GetUtilisation();
    const double factor =
        m_config.GetNumber("load") / *std::max_element(utilisation.begin(), utilisation.end());
    for (auto& flow : m_flows)
    {
        flow.rate *= factor;
    }
}

std::vector<double>
MqlTruthTraffic::GetUtilisation() const
{
    std::vector<double> utilisation(m_topology->GetNLinks(), 0);
    for (const auto& stream : m_streams)
    {
        const auto& flow = m_flows[stream.flow];
        const double bytes = stream.isAck ? m_ackBytes : flow.wireBytes;
        for (const uint32_t link : GetPath(stream))
        {
            utilisation[link] += flow.rate * stream.share * bytes * 8 /
                                 static_cast<double>(m_topology->GetLink(link).rateBps);
        }
    }
    return utilisation;
}

DcnPath
MqlTruthTraffic::GetPath(const MqlTruthStream& stream) const
{
    const uint32_t* first = m_hopLinks.data() + stream.firstHop;
    return {first, first + stream.nHops};
}

MqlPacketSource::MqlPacketSource(const MqlTruthTraffic& traffic)
    : m_traffic(traffic),
      m_times(traffic.GetFlows().size(), 0),
      m_births(traffic.GetFlows().size())
{
    const DcnRandom random(traffic.GetConfig().GetWhole("seed"));
    for (uint32_t flow = 0; flow < m_births.size(); ++flow)
    {
        m_random.push_back(CreateObject<UniformRandomVariable>());
        random.Assign(m_random.back(), DcnPurpose::MQL_TRUTH_PACKETS, flow);
    }
    if (traffic.GetTrace() != nullptr)
    {
        const auto& packets = traffic.GetTrace()->GetPackets();
        m_tracePackets.resize(m_births.size());
        for (std::size_t i = packets.size(); i-- > 0;)
        {
            m_tracePackets[packets[i].flow].push_back(static_cast<uint32_t>(i));
        }
    }
    else
    {
        m_bytes = traffic.GetConfig().GetNumber("bytes");
        m_spread = traffic.GetConfig().GetNumber("spread");
        m_halfWidth = HalfWidth(traffic.GetConfig());
    }
}

uint32_t
MqlPacketSource::DrawStream(uint32_t first, uint32_t end, UniformRandomVariable& random) const
{
    if (end - first <= 1)
    {
        return first;
    }
    double rest = random.GetValue(0, 1);
    const auto& streams = m_traffic.GetStreams();
    for (uint32_t stream = first; stream + 1 < end; ++stream)
    {
        rest -= streams[stream].share;
        if (rest < 0)
        {
            return stream;
        }
    }
    return end - 1;
}

bool
MqlPacketSource::Next(uint32_t flow)
{
    const auto& parameters = m_traffic.GetFlows()[flow];
    auto& random = *m_random[flow];
    auto& birth = m_births[flow];
    if (!m_tracePackets.empty())
    {
        if (m_tracePackets[flow].empty())
        {
            return false;
        }
        const auto& packet = m_traffic.GetTrace()->GetPackets()[m_tracePackets[flow].back()];
        m_tracePackets[flow].pop_back();
        birth.timeNs = packet.timeNs;
        birth.bytes = packet.bytes;
    }
    else
    {
        // Inversion of F(t) = 1 - tau exp(-tau lambda t).
        const double tau = 2 / (parameters.c2a + 1);
        const double tail = 1 - random.GetValue(0, 1);
        if (tail < tau)
        {
            m_times[flow] += -std::log(tail / tau) / (tau * parameters.rate) * NS_PER_S;
        }
        birth.timeNs = static_cast<int64_t>(m_times[flow]);
        birth.bytes = static_cast<uint32_t>(m_bytes);
        if (m_spread > 0)
        {
            const double drawn = std::floor(random.GetValue(0, 1) * (2 * m_halfWidth + 1));
            birth.bytes = static_cast<uint32_t>(m_bytes - m_halfWidth + drawn);
        }
    }
    birth.stream = DrawStream(parameters.firstStream, parameters.firstAck, random);
    birth.ack = DrawStream(parameters.firstAck, parameters.endStream, random);
    return true;
}

} // namespace ns3
