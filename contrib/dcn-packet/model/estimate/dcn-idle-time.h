/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_IDLE_TIME_H
#define DCN_IDLE_TIME_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Completion times of flows that meet no other flow, with the congestion control in force.
 *
 * **Problem.** The ideal completion time (DcnIdealFct) has the headers of DCTCP, no window and no
 * congestion control. A flow that is alone in the network of the packet engine takes longer: by the
 * longer headers of TIMELY and HPCC at every hop, by the waits for its window, by what its control
 * leaves free (HPCC's eta), and by cuts that its own queue causes where its NIC is faster than its
 * path. Find its completion time without a simulation of the network.
 *
 * **Solution.** If nothing slows the flow down, its time is the formula of DcnIdealFct with the
 * headers of its control. That is so if it is sent before its first acknowledgement returns; or if
 * its window covers a round trip T, no link of its path is slower than its sender, so that it meets
 * no queue of its own, and T is below Traits::undisturbedRttNs. For all other flows the state
 * machine of the control is simulated on the empty path: one packet after another passes all links,
 *
 *     begin_l(i) = max(arrival_l(i), end_l(i-1)),   end_l(i) = begin_l(i) + t_l,
 *     arrival_(l+1)(i) = end_l(i) + d_l
 *
 * for packet i at link l, with t_l the time of the packet and d_l the delay there, and
 * acknowledgements bring marks, telemetry and round-trip times back. Once two successive stretches
 * of a flow, the first one of STRETCH packets and the second one twice as long, have the same rate
 * to within STEADY, the rest of the flow has that rate. The idle time is at least the ideal time.
 *
 * It takes some tenths of a microsecond where nothing slows the flow down, else time in proportion
 * to packets times links up to some ten thousand packets. Buffers have no limit. Where marks are
 * random, packets are marked at regular distances with the same frequency.
 *
 * **Flows that meet.** Two flows meet if a packet of one, data or acknowledgement, could be on a
 * link while the other is under way: their paths share a link in either direction, and
 *
 *     s_i < s_j + max(GUARD C_j, A_j)   and   s_j < s_i + max(GUARD C_i, A_i)
 *
 * with the starts s, the completion times C by the method that asks, and the idle times A, as far
 * as they matter. The guard stands for queues, headers and controls that the method does not have,
 * and for queues that outlast a flow.
 */
class DcnIdleTime
{
  public:
    static constexpr int64_t GUARD = 2;       //!< see above
    static constexpr uint64_t STRETCH = 4096; //!< packets of the first stretch
    static constexpr double STEADY = 1e-3;    //!< largest relative difference of steady rates

    /**
     * @param topology the network, which must outlive this object
     * @param network the configuration, which must outlive this object
     * @throws DcnError if there is no such congestion control
     */
    DcnIdleTime(const DcnTopology& topology, const DcnNetworkParameters& network);

    /**
     * @param network a configuration
     * @return whether flows alone have the times of this class: not transports with connections,
     * whose ideal time has their opening, nor flows whose packets take several paths
     */
    static bool Applies(const DcnNetworkParameters& network);

    /**
     * @brief Compute an idle time; safe for several threads.
     * @param path links of a flow
     * @param sizeBytes its payload, > 0
     * @return its completion time if it meets no other flow [ns], at least the ideal one
     */
    int64_t GetNs(DcnPath path, uint64_t sizeBytes) const;

    /**
     * @brief Find the flows that meet no other.
     * @param scenario the flows
     * @param fctNs their completion times by a method, C [ns]; below 0: never
     * @return by flow index: idle time of a flow that meets no other [ns], 0 for other flows, and
     * for all flows where this class does not apply
     */
    static std::vector<int64_t> Find(const DcnScenario& scenario,
                                     const std::vector<int64_t>& fctNs);

    /**
     * @brief Give the flows that meet no other their idle times.
     * @param scenario the flows
     * @param fctNs their completion times by a method [ns]
     * @return number of flows that meet no other
     */
    static uint64_t Answer(const DcnScenario& scenario, std::vector<int64_t>& fctNs);

  private:
    const DcnTopology& m_topology;         //!< the network
    const DcnNetworkParameters& m_network; //!< the configuration
    DcnNetworkParameters m_withHeaders;    //!< the same with the headers of its congestion control
};

} // namespace ns3

#endif /* DCN_IDLE_TIME_H */
