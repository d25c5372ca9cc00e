/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_BUILDER_H
#define PARSIMON_LINK_BUILDER_H

#include "parsimon-link-index.h"
#include "parsimon-link.h"

#include "ns3/dcn-flow.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup parsimon
/// @brief How the rate of the acknowledgements that share a link with data is found.
enum class ParsimonAckCorrection : uint8_t
{
    NONE,         //!< acknowledgements cost nothing
    ARRIVAL_SPAN, //!< published rule
    RUN_LENGTH,   //!< recommended rule
};

/**
 * @ingroup parsimon
 * @brief How link topologies are built.
 */
struct ParsimonLinkOptions
{
    double inflation{10}; //!< rate of the links behind the target over that of the slowest left out
    /// See ParsimonLinkBuilder.
    ParsimonAckCorrection ackCorrection{ParsimonAckCorrection::RUN_LENGTH};

    /** @return the choices of the published system. */
    static ParsimonLinkOptions Faithful();
};

/**
 * @ingroup parsimon
 * @brief Link topologies: for any directed link, what has to be simulated in its place
 * (Parsimon, NSDI 2023, sections 3.2 and 3.3).
 *
 * Of a target link e from u to v, of capacity C_e and delay d_e, let FL(e) be the flows whose paths
 * cross it. A flow f crosses e at hop h of its path l_0 ... l_(n-1). Its source is joined to u by
 * one link of the rate of l_0, its destination to v by one link that never holds it up:
 *
 *     D_s = sum_(i<h) d_(l_i)                               delay from the source to u
 *     D_t = sum_(i>h) d_(l_i)                               delay from v to the destination
 *     R_s = C_(l_0) - A(l_0)                                rate of the source's interface
 *     R_t = inflation * min_(i>h) C_(l_i)                   rate towards the destination
 *
 * so that D_s + d_e + D_t is the propagation delay of the path, and every pair keeps its round
 * trip. At the first hop (h = 0) the source is u and at the last (h = n - 1) the destination is v;
 * the side that is missing has rate and delay 0. All paths are the flows' own paths in the
 * scenario: a pair may have several, and a host may send and receive over the same directed link.
 *
 * Acknowledgements. A(e) is the rate of the acknowledgements on e, which answer the flows of the
 * reverse link r(e):
 *
 *     A(e) = 8e9 / T * sum_(f in FL(r(e))) a * ceil(s_f / M)   [bit/s]
 *
 * with a bytes per acknowledgement (DCN: 60, HPCC 88) and payload M per packet, and C_e - A(e) is
 * what is available to data. The time T is
 *
 * - published (ARRIVAL_SPAN): last minus first start of the flows of r(e), A = 0 if that is 0. Two
 *   flows that start together make A as large as one likes; A >= C_e is refused here with an error
 *   (it wraps around in the published code). Inflated links are not corrected.
 * - recommended (RUN_LENGTH): the time that the scenario takes: last minus first start of all flows
 *   and one mean gap, but no less than the most loaded link needs to carry its bytes; and A is
 *   limited to C_e / 2. A scenario of flows that all start together has a T, too.
 *
 * Between switches, the recommended A is rounded to the nearest multiple of C_e / ACK_STEPS, an
 * error of 0.4 % of C_e at most: otherwise a flow more or less on r(e) would change the input of
 * the simulation of e from its first flow on (ParsimonWhatIf).
 *
 * Building all links takes time and memory in proportion to flows times hops. Build may be called
 * by several threads.
 */
class ParsimonLinkBuilder
{
  public:
    static constexpr uint64_t ACK_STEPS = 128; //!< of the rate of acknowledgements, see above

    /**
     * @param scenario flows, paths and network
     * @param options see ParsimonLinkOptions
     * @throws DcnError if the inflation is below 1
     */
    explicit ParsimonLinkBuilder(Ptr<const DcnScenario> scenario,
                                 const ParsimonLinkOptions& options = {});

    /** @return the scenario. */
    const DcnScenario& GetScenario() const;

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
     * @throws DcnError if it is not below the capacity of the link (published rule only)
     */
    uint64_t GetAckRate(uint32_t link) const;

    /**
     * @param link directed link index
     * @return payload bytes of its flows over capacity and run length: its load
     */
    double GetLoad(uint32_t link) const;

    /** @return time that the scenario takes, T of the recommended rule [ns]. */
    double GetRunLengthNs() const;

    /**
     * @brief Make the topology of one target.
     * @param link directed link index of the target
     * @return the topology
     * @throws DcnError if no flow crosses the link, or GetAckRate does
     */
    ParsimonLink Build(uint32_t link) const;

  private:
    /// What the flows of a link add up to.
    struct Totals
    {
        uint64_t packets{0};      //!< data packets
        uint64_t payloadBytes{0}; //!< payload
    };

    Ptr<const DcnScenario> m_scenario; //!< flows and paths
    ParsimonLinkOptions m_options;     //!< as given
    ParsimonLinkIndex m_index;         //!< flows of each link
    std::vector<Totals> m_totals;      //!< by directed link
    uint32_t m_ackBytes;               //!< length of an acknowledgement
    double m_runNs{0};                 //!< see GetRunLengthNs
};

} // namespace ns3

#endif /* PARSIMON_LINK_BUILDER_H */
