/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_FIFO_SIMULATOR_H
#define MQL_FIFO_SIMULATOR_H

#include "../model/network/mql-network.h"

#include "ns3/dcn-random.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

/**
 * @ingroup mql-tests
 * @brief Exact simulation of a feed-forward network of FIFO queues, the oracle of the model.
 *
 * There are no events: links are taken in topological order, all arrivals at a link are sorted by
 * time, and departures follow from Lindley's recursion d_n = max(a_n, d_(n-1)) + S_n. Output
 * queues, store and forward, infinite buffers. Sources are GE streams; sizes are fixed, or uniform
 * with the flow's SCV. Each packet of even splitting picks its next link at random, packet by
 * packet.
 */
class MqlFifoSimulator
{
  public:
    /// What happened to the packets of a flow that were sent after the warm-up.
    struct Flow
    {
        uint64_t n{0};                 //!< packets
        double latency{0};             //!< mean from arrival at the source to the destination [s]
        double wait{0};                //!< mean sum of waiting times [s]
        std::vector<double> latencies; //!< of each packet, sorted
    };

    /// What happened at a queue after the warm-up.
    struct Queue
    {
        uint64_t n{0};  //!< packets
        double wait{0}; //!< mean waiting time [s]
    };

    std::vector<Flow> flows;   //!< by flow index
    std::vector<Queue> queues; //!< by link

    /**
     * @param network topology, flows and order of the links
     * @param paths of the flows, or null: even splitting over next links of routing
     * @param routing where next links come from, unless there are paths
     * @param seconds simulated time in which packets are sent; the first 2 % are warm-up
     * @param seed of sources, sizes and routes
     */
    MqlFifoSimulator(const ns3::MqlNetwork& network,
                     const ns3::DcnPathTable* paths,
                     const ns3::DcnRouting* routing,
                     double seconds,
                     uint64_t seed)
        : m_network(network),
          m_paths(paths),
          m_routing(routing),
          m_uniform(ns3::CreateObject<ns3::UniformRandomVariable>())
    {
        ns3::DcnRandom(seed).Assign(m_uniform, ns3::DcnPurpose::MQL_TRAFFIC, 1);
        flows.resize(network.GetFlows().size());
        queues.resize(network.GetTopology().GetNLinks());
        m_arrivals.resize(queues.size());
        m_warmUp = seconds / 50;
        for (uint32_t i = 0; i < flows.size(); i++)
        {
            Generate(i, seconds);
        }
        for (uint32_t link : network.GetOrder())
        {
            Serve(link);
        }
        Summarise();
    }

  private:
    struct Packet
    {
        double sent;
        double wait;
        float bytes;
        uint32_t flow;
        uint32_t hop;
    };

    struct Arrival
    {
        double time;
        uint32_t packet;

        bool operator<(const Arrival& other) const
        {
            return time != other.time ? time < other.time : packet < other.packet;
        }
    };

    double Uniform()
    {
        return 1 - m_uniform->GetValue(); // (0, 1]
    }

    uint32_t NextLink(const Packet& packet, uint32_t node)
    {
        if (m_paths)
        {
            return m_paths->Get(packet.flow)[packet.hop];
        }
        const uint32_t dst = m_network.GetFlows()[packet.flow].dst;
        auto [position, isNew] = m_next.try_emplace(static_cast<uint64_t>(node) << 32 | dst);
        if (isNew)
        {
            position->second = m_routing->GetNextLinks(node, dst);
        }
        const auto& links = position->second;
        return links.size() == 1
                   ? links[0]
                   : links[m_uniform->GetInteger(0, static_cast<uint32_t>(links.size() - 1))];
    }

    void Generate(uint32_t index, double seconds)
    {
        const ns3::MqlFlow& flow = m_network.GetFlows()[index];
        const double tau = 2 / (flow.c2a + 1);
        const double meanGap = 1 / (tau * flow.rate);
        const double halfWidth = std::sqrt(3 * flow.c2s);
        double time = 0;
        while (true)
        {
            if (tau == 1 || Uniform() <= tau)
            {
                time -= meanGap * std::log(Uniform());
            }
            if (time > seconds)
            {
                return;
            }
            const double size =
                flow.wireBytes * (halfWidth > 0 ? 1 + halfWidth * (2 * Uniform() - 1) : 1);
            m_packets.push_back({time, 0, static_cast<float>(size), index, 0});
            const uint32_t link = NextLink(m_packets.back(), flow.src);
            m_arrivals[link].push_back({time, static_cast<uint32_t>(m_packets.size() - 1)});
        }
    }

    void Serve(uint32_t link)
    {
        const ns3::DcnLink& server = m_network.GetTopology().GetLink(link);
        const double secondsPerByte = 8 / static_cast<double>(server.rateBps);
        auto& arrivals = m_arrivals[link];
        std::sort(arrivals.begin(), arrivals.end());
        double free = 0;
        for (const Arrival& arrival : arrivals)
        {
            Packet& packet = m_packets[arrival.packet];
            const double wait = std::max(0.0, free - arrival.time);
            free = arrival.time + wait + secondsPerByte * packet.bytes;
            packet.wait += wait;
            packet.hop++;
            if (packet.sent >= m_warmUp)
            {
                queues[link].n++;
                queues[link].wait += wait;
            }
            const double next = free + 1e-9 * static_cast<double>(server.delayNs);
            if (server.to == m_network.GetFlows()[packet.flow].dst)
            {
                packet.sent = packet.sent >= m_warmUp ? next - packet.sent : -1;
            }
            else
            {
                m_arrivals[NextLink(packet, server.to)].push_back({next, arrival.packet});
            }
        }
        std::vector<Arrival>().swap(arrivals);
    }

    void Summarise()
    {
        for (Queue& queue : queues)
        {
            queue.wait /= std::max<double>(1, static_cast<double>(queue.n));
        }
        for (const Packet& packet : m_packets)
        {
            if (packet.sent >= 0)
            {
                Flow& flow = flows[packet.flow];
                flow.n++;
                flow.latency += packet.sent;
                flow.wait += packet.wait;
                flow.latencies.push_back(packet.sent);
            }
        }
        for (Flow& flow : flows)
        {
            flow.latency /= std::max<double>(1, static_cast<double>(flow.n));
            flow.wait /= std::max<double>(1, static_cast<double>(flow.n));
            std::sort(flow.latencies.begin(), flow.latencies.end());
        }
    }

    const ns3::MqlNetwork& m_network;
    const ns3::DcnPathTable* m_paths;
    const ns3::DcnRouting* m_routing;
    ns3::Ptr<ns3::UniformRandomVariable> m_uniform;
    double m_warmUp;
    std::vector<Packet> m_packets;
    std::vector<std::vector<Arrival>> m_arrivals;
    std::map<uint64_t, std::vector<uint32_t>> m_next;
};

#endif // MQL_FIFO_SIMULATOR_H
