/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_SCENARIO_H
#define DCN_PATH_SCENARIO_H

#include "dcn-path-index.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief Where background flows of a path-level scenario start and end.
 */
enum class DcnPathHosts : uint8_t
{
    HOST,     //!< a synthetic host for each real host at each node of the path
    CONTENDED //!< real links where flows wait, synthetic ones before, between and after them
};

/**
 * @ingroup dcn-path
 * @brief A path-level scenario, with what ties its flows to those of the whole.
 */
struct DcnPathScenario
{
    static constexpr uint32_t INITIAL_QUEUE = 0xffffffff; //!< see Origin

    /// A flow of the path-level scenario.
    struct Origin
    {
        uint32_t flow;   //!< flow index in the whole scenario; INITIAL_QUEUE for bursts of none
        bool foreground; //!< it is a foreground flow of the path
    };

    Ptr<const DcnScenario> scenario; //!< the path with its flows
    std::vector<Origin> origins;     //!< by flow index in the path-level scenario
};

/**
 * @ingroup dcn-path
 * @brief Makes scenarios of single paths: a row of links with the flows that use some of them.
 *
 * Problem (m3, section 3.2 and figure 2; decomposition of the published evaluation). Of a path with
 * the links 1 ... n between the nodes 0 (source host) to n (destination host), all links are kept
 * as they are: rates, delays and both directions. A background flow that uses the links of an
 * interval (DcnPathInterval) keeps them, its size, its start and its number; what comes before and
 * after is replaced by one synthetic link each. A flow with several intervals becomes several
 * flows, the second and later ones with new numbers.
 *
 * Let u_1 ... u_k be the links by which the flow comes to the node at which it joins, of rates R_j
 * and delays d_j, and t(b, R) the time that b bytes occupy a link. The synthetic link has the rate
 * of one of them, c, and the delay
 *
 *     d = sum_j d_j + (1/2) sum_(j != c) (t(data, R_j) + t(ack, R_j)),
 *
 * rounded down, so that the flow's base round-trip time (DcnBaseRttNs) is what it is in the whole
 * network, but for 1 ns for each synthetic link. The same holds for the links after the interval.
 *
 * - HOST: c is the host's own link, the first (last) one, and flows of the same real host that join
 *   or leave at the same node with the same delay share a synthetic host. Hence a flow can be no
 *   faster than in the whole network, and flows of a host share its link as they do there.
 * - CONTENDED: flows that are not foreground keep the links of DcnPathTraffic::contended; each row
 *   of other links is one synthetic link: before the first and after the last as for HOST, between
 *   two of them one of the row's smallest rate, for all flows that have exactly this row. The flow
 *   of several intervals is one flow.
 *
 * Buffers: a switch of the packet engine sets aside 4096 bytes and three times rate x delay for
 * each port and shares the rest of buffer_bytes (contrib/dcn-packet/doc/dcn-packet.rst). Ports of
 * synthetic links must not change what the path's switches share. With B_v the bytes that switch v
 * sets aside in the whole network and B'_v here, buffer_bytes is raised by E = max_v (B'_v - B_v) +
 * 4096 (one for all switches), and each switch gets a further port without flows that sets aside
 * the E - (B'_v - B_v) bytes that it has too many. ECN thresholds belong to ports and their rates,
 * and thus stay.
 *
 * Initial queues (DcnPathInitialQueue) are flows between two hosts of their own at the ends of
 * their link, or to the path's last host, joined without delay at ten times the link's rate.
 *
 * A foreground flow has the same ideal completion time in both scenarios.
 */
class DcnPathScenarioBuilder
{
  public:
    /**
     * @brief Changes a flow before it is put into the path-level scenario, or leaves it out.
     *
     * Gets the flow index in the whole scenario and the flow, of which it may change size and
     * start. Returns false for a flow to be left out.
     */
    using Adjust = std::function<bool(uint32_t, DcnFlow&)>;

    /**
     * @param pathIndex the flows; must outlive the builder
     * @param hosts where background flows start and end
     */
    DcnPathScenarioBuilder(const DcnPathIndex& pathIndex, DcnPathHosts hosts);

    /**
     * @brief Make the scenario of a path.
     * @param path number of the path
     * @param traffic its flows, of DcnFindPathTraffic
     * @param adjust called for every flow of every interval; null: all flows as they are
     * @return the scenario, whose first host is the path's source
     */
    DcnPathScenario Build(uint32_t path,
                          const DcnPathTraffic& traffic,
                          const Adjust& adjust = nullptr) const;

  private:
    const DcnPathIndex& m_pathIndex;  //!< the flows
    DcnPathHosts m_hosts;             //!< where background flows start and end
    uint64_t m_firstFreeId;           //!< number of the first flow that has none
    uint64_t m_firstFreeNode;         //!< the same of nodes
    std::vector<uint64_t> m_setAside; //!< by node: bytes that its ports set aside
};

} // namespace ns3

#endif /* DCN_PATH_SCENARIO_H */
