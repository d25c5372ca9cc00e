/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_SCENARIO_H
#define DCN_PATH_SCENARIO_H

#include "dcn-path-index.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief Ends of the background flows of a path-level scenario.
 */
enum class DcnPathHosts : uint8_t
{
    HOST,     //!< a synthetic host for each real host at each node of the path
    CONTENDED //!< contended links are kept; synthetic links replace the others
};

/**
 * @ingroup dcn-path
 * @brief A path-level scenario, and the flow of the whole scenario that each of its flows comes
 * from.
 */
struct DcnPathScenario
{
    static constexpr uint32_t INITIAL_QUEUE = 0xffffffff; //!< see Origin

    /// A flow of the path-level scenario.
    struct Origin
    {
        uint32_t flow;   //!< flow index in the whole scenario; INITIAL_QUEUE for warm-up bursts
        bool foreground; //!< it is a foreground flow of the path
    };

    Ptr<const DcnScenario> scenario; //!< the path with its flows
    std::vector<Origin> origins;     //!< by flow index in the path-level scenario

    /**
     * @brief Slowdowns of the finished foreground flows, each with weight 1. Where
     * the method answers with samples (m3), these are the samples of flows between their ends.
     * @param estimate answer of a method for the scenario
     * @return slowdowns with their weights, ascending
     */
    std::vector<std::pair<double, double>> GetForegroundSlowdowns(
        const DcnEstimate& estimate) const;
};

/**
 * @ingroup dcn-path
 * @brief Makes scenarios of single paths: a row of links and the flows that use them.
 *
 * Problem (m3, section 3.2 and figure 2; decomposition of the published evaluation). A path has the
 * links 1 ... n between the nodes 0 (source host) to n (destination host). All its links are kept
 * unchanged: rates, delays and both directions. A background flow that uses the links of an
 * interval (DcnPathInterval) keeps them, its size, its start and its number; one synthetic link
 * each replaces its links before and after the interval. A flow with several intervals becomes
 * several flows, the second and later ones with new numbers.
 *
 * Let u_1 ... u_k be the links of the flow before the node at which it joins, of rates R_j and
 * delays d_j, and t(b, R) the time that b bytes occupy a link. The synthetic link has the rate of
 * one of them, c, and the delay
 *
 *     d = sum_j d_j + (1/2) sum_(j != c) (t(data, R_j) + t(ack, R_j)),
 *
 * rounded down. This preserves the flow's base round-trip time (DcnBaseRttNs), except for 1 ns per
 * synthetic link. The same holds for the links after the interval.
 *
 * - HOST: c is the host's own link, the first (last) one. Flows of the same real host that join or
 *   leave at the same node with the same delay share a synthetic host. So a flow is never faster
 * than in the whole network, and flows of a host share its link as there.
 * - CONTENDED: background flows keep the links of DcnPathTraffic::contended; one synthetic link
 *   replaces each row of other links. Before the first and after the last contended link it is that
 *   of HOST; between two of them it has the row's smallest rate, and all flows with exactly this
 * row share it. A flow of several intervals is one flow.
 *
 * Buffers: a switch of the packet engine reserves 4096 bytes and three times rate x delay for each
 * port and shares the rest of buffer_bytes (contrib/dcn-packet/doc/dcn-packet.rst). Ports of
 * synthetic links must not change the shared part of the path's switches. If switch v reserves B_v
 * bytes in the whole network and B'_v here, buffer_bytes is raised by E = max_v (B'_v - B_v) + 4096
 * (one value for all switches), and each switch gets a further port without flows that reserves the
 * surplus of E - (B'_v - B_v) bytes. ECN thresholds depend on the port's rate only, and stay.
 *
 * Initial queues (DcnPathInitialQueue) are flows between two additional hosts at the ends of their
 * link, or to the path's last host; these hosts have no delay and ten times the link's rate.
 *
 * A foreground flow has the same ideal completion time in both scenarios.
 */
class DcnPathScenarioBuilder
{
  public:
    /**
     * @brief Changes a flow before it enters the path-level scenario, or omits it.
     *
     * Gets the flow's index in the whole scenario and the flow, whose size and start it may
     * change. Returns false to omit the flow.
     */
    using Adjust = std::function<bool(uint32_t, DcnFlow&)>;

    /**
     * @param pathIndex the flows; must outlive the builder
     * @param hosts ends of background flows
     */
    DcnPathScenarioBuilder(const DcnPathIndex& pathIndex, DcnPathHosts hosts);

    /**
     * @brief Make the scenario of a path.
     * @param path number of the path
     * @param traffic its flows, from DcnFindPathTraffic
     * @param adjust called for every flow of every interval; null: all flows as they are
     * @return the scenario, whose first host is the path's source
     */
    DcnPathScenario Build(uint32_t path,
                          const DcnPathTraffic& traffic,
                          const Adjust& adjust = nullptr) const;

  private:
    const DcnPathIndex& m_pathIndex;  //!< the flows
    DcnPathHosts m_hosts;             //!< ends of background flows
    uint64_t m_firstFreeId;           //!< first unused flow number
    uint64_t m_firstFreeNode;         //!< first unused node number
    std::vector<uint64_t> m_setAside; //!< by node: bytes reserved for its ports
};

} // namespace ns3

#endif /* DCN_PATH_SCENARIO_H */
