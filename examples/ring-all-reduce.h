/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ALL_REDUCE_H
#define RING_ALL_REDUCE_H

#include "ns3/dcn-flow-network.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/// The application of dcn-allreduce. It knows nothing but DcnFlowNetwork.
class RingAllReduce
{
  public:
    /**
     * @param network carries the flows
     * @param topology the network's hosts, of which the ring takes every n-th
     * @param nHosts length of the ring
     * @param chunkBytes size of a flow
     * @param iterations number of reductions, one after the other
     */
    RingAllReduce(Ptr<DcnFlowNetwork> network,
                  const DcnTopology& topology,
                  std::size_t nHosts,
                  uint64_t chunkBytes,
                  uint32_t iterations)
        : m_network(network),
          m_chunkBytes(chunkBytes),
          m_iterations(iterations)
    {
        const auto& hosts = topology.GetHosts();
        for (std::size_t i = 0; i < nHosts; ++i)
        {
            m_hosts.push_back(topology.GetNodes().Get(hosts[i * hosts.size() / nHosts]));
        }
        network->TraceConnectWithoutContext("FlowCompleted",
                                            MakeCallback(&RingAllReduce::OnCompleted, this));
    }

    /// Begin an iteration: everybody sends its first chunk.
    void Begin()
    {
        m_start = Simulator::Now();
        m_nFinished = 0;
        for (std::size_t host = 0; host < m_hosts.size(); ++host)
        {
            Send(host, 0);
        }
    }

    /// @return duration of each iteration [ms]
    const std::vector<double>& GetDurations() const
    {
        return m_durations;
    }

  private:
    /// A host sends the chunk of a step to its successor.
    void Send(std::size_t host, uint32_t step)
    {
        const std::size_t next = (host + 1) % m_hosts.size();
        m_flows[m_network->AddFlow(m_hosts[host], m_hosts[next], m_chunkBytes)] = {next, step};
    }

    /// A flow is complete: the receiver goes on.
    void OnCompleted(uint64_t flow, Time)
    {
        const auto found = m_flows.find(flow);
        if (found == m_flows.end())
        {
            return; // of other hosts
        }
        const auto [host, step] = found->second;
        m_flows.erase(found);
        if (step + 1 < 2 * (m_hosts.size() - 1))
        {
            Send(host, step + 1);
            return;
        }
        if (++m_nFinished == m_hosts.size())
        {
            m_durations.push_back((Simulator::Now() - m_start).GetSeconds() * 1e3);
            if (m_durations.size() == m_iterations)
            {
                Simulator::Stop();
                return;
            }
            Begin();
        }
    }

    Ptr<DcnFlowNetwork> m_network;   //!< carries the flows
    std::vector<Ptr<Node>> m_hosts;  //!< the ring
    uint64_t m_chunkBytes;           //!< size of a flow
    uint32_t m_iterations;           //!< number of reductions
    Time m_start;                    //!< of this iteration
    std::size_t m_nFinished{0};      //!< hosts that have the sum
    std::vector<double> m_durations; //!< see GetDurations
    std::unordered_map<uint64_t, std::pair<std::size_t, uint32_t>> m_flows; //!< receiver and step
};

} // namespace ns3

#endif /* RING_ALL_REDUCE_H */
