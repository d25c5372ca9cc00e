/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_BUILDER_H
#define PARSIMON_LINK_BUILDER_H

#include "parsimon-link.h"

#include "ns3/dcn-flow.h"
#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class ParsimonLinkIndex;
struct ParsimonWindow;

/**
 * @ingroup parsimon
 * @brief Link topologies: for each directed link, a small topology to simulate
 * (Parsimon, NSDI 2023, sections 3.2 and 3.3).
 *
 * Let e be a target link from u to v, of capacity C_e and delay d_e, and FL(e) the flows whose
 * paths cross it. A flow f crosses e at hop h of its path l_0 ... l_(n-1). One link of the rate of
 * l_0 joins its source to u; one link that never delays it by queueing joins v to its destination:
 *
 *     D_s = sum_(i<h) d_(l_i)                               delay from the source to u
 *     D_t = sum_(i>h) d_(l_i)                               delay from v to the destination
 *     R_s = C_(l_0) - A(l_0)                                rate of the source's NIC
 *     R_t = INFLATION * min_(i>h) C_(l_i)                   rate towards the destination
 *
 * so that D_s + d_e + D_t is the propagation delay of the path, which preserves the propagation
 * time of every pair. At the first hop (h = 0) the source is u, and at the last (h = n - 1) the
 * destination is v; the missing side has rate and delay 0. All paths are the flows' own paths in
 * the scenario: a pair may have several, and a host may send and receive over the same directed
 * link.
 *
 * Acknowledgements. A(e) is the rate of the acknowledgements on e. They belong to the flows of the
 * reverse link r(e):
 *
 *     A(e) = 8e9 / T * sum_(f in FL(r(e))) a * ceil(s_f / M)   [bit/s]
 *
 * with a bytes per acknowledgement (DCN: 60, HPCC 88) and payload M per packet, and C_e - A(e) is
 * available to data. The time T is
 *
 * - ParsimonRules::DEFAULT: the run length, which is the last minus the first start of all flows
 * and one mean gap, but no less than the most loaded link needs to carry its bytes. So T is
 * positive even if all flows start together. A is at most C_e / 2. Between switches A is rounded to
 * the nearest multiple of C_e / ACK_STEPS, an error of at most 0.4 % of C_e: without rounding, one
 * more or less flow on r(e) would change the simulation of e from its first flow on
 * (ParsimonWhatIf).
 * - ParsimonRules::PUBLISHED: last minus first start of the flows of r(e); A = 0 if that is 0. Two
 *   flows that start shortly after each other make A arbitrarily large; A is at most C_e / 2 here
 *   (the published code wraps around from C_e on). Rates R_t are not corrected.
 *
 * Building all links takes time and memory in proportion to flows times hops. Several threads may
 * call Build.
 */
class ParsimonLinkBuilder
{
  public:
    static constexpr uint64_t ACK_STEPS = 128; //!< steps of the rate of acknowledgements, see above
    static constexpr uint64_t INFLATION =
        10; //!< rate behind the target over the slowest omitted link

    /**
     * @param scenario flows, paths and network
     * @param rules rules for the rate of acknowledgements
     * @throws DcnError if a flow crosses no link, or there are more flows than 32 bits count
     */
    explicit ParsimonLinkBuilder(Ptr<const DcnScenario> scenario,
                                 ParsimonRules rules = ParsimonRules::DEFAULT);

    /** @return the scenario. */
    const DcnScenario& GetScenario() const;

    /** @return the rules. */
    ParsimonRules GetRules() const;

    /** @return flows by link. */
    const std::shared_ptr<const ParsimonLinkIndex>& GetIndex() const;

    /** @return directed links with at least one flow, ascending. */
    std::vector<uint32_t> GetBusyLinks() const;

    /**
     * @param link directed link index
     * @return the flows that cross it, ordered by (start, id)
     */
    DcnIndexSpan GetFlows(uint32_t link) const;

    /**
     * @param link directed link index
     * @return A, the rate of the acknowledgements on it [bit/s]
     */
    uint64_t GetAckRate(uint32_t link) const;

    /** @return the run length T of the default rules [ns]. */
    double GetRunNs() const;

    /**
     * @param link directed link index
     * @return its load: payload bytes of its flows over capacity and run length
     */
    double GetLoad(uint32_t link) const;

    /** @return the window of all flows. */
    const ParsimonWindow& GetWindow() const;

    /**
     * @param flow flow index
     * @return time that a flow alone takes beyond its ideal completion time, in the network and in
     * every topology in which it is not paced [ns]: V, idle time of its window (ParsimonWindow),
     * and that of headers longer than those of the ideal time; 0 with the published rules
     */
    float GetAloneNs(std::size_t flow) const;

    /**
     * @brief Make the topology of one target.
     * @param link directed link index of the target
     * @return the topology
     * @throws DcnError if no flow crosses the link
     */
    ParsimonLink Build(uint32_t link) const;

  private:
    Ptr<const DcnScenario> m_scenario;                //!< flows and paths
    ParsimonRules m_rules;                            //!< as given
    std::shared_ptr<const ParsimonLinkIndex> m_index; //!< flows of each link
    std::shared_ptr<const ParsimonWindow> m_window;   //!< of all flows
    std::vector<uint64_t> m_limits;                   //!< by flow: ParsimonLinkFlow::limitBps
    std::vector<float> m_idleNs;                      //!< by flow: V; empty: all 0
    std::vector<float> m_aloneNs;                     //!< by flow: see GetAloneNs; empty: all 0
    std::vector<uint64_t> m_packets;                  //!< data packets by directed link
    uint32_t m_ackBytes;                              //!< length of an acknowledgement
    double m_runNs{0};                                //!< run length, T of the default rules [ns]
};

} // namespace ns3

#endif /* PARSIMON_LINK_BUILDER_H */
