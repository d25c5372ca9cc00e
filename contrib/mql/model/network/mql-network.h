/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_NETWORK_H
#define MQL_NETWORK_H

#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/mql-traffic.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Moments of the flows that enter link q from upstream link l, or from outside.
 *
 * Sums over flows i with fraction f of their packets here: a = lambda_i f.
 */
struct MqlPair
{
    static constexpr uint32_t EXTERNAL = 0xffffffff; //!< flows start here: a host's first queue

    uint32_t upstream;    //!< link l, or EXTERNAL
    uint32_t link;        //!< link q
    double rate{0};       //!< sum a [packets/s]
    double bytes{0};      //!< sum a b [bytes/s]
    double bytes2{0};     //!< sum a b^2 (1 + C2s)
    double burst0{0};     //!< sum a f (C2 - 1): of the source, thinned to this pair
    double burst1{0};     //!< sum a f b (C2 - 1)
    double burst2{0};     //!< sum a f b^2 (C2 - 1)
    double work3{0};      //!< sum over batches of their bytes^3, per second
    double dataRate{0};   //!< sum a of data
    double dataBytes{0};  //!< sum a b of data
    double dataBytes2{0}; //!< sum a b^2 (1 + C2s) of data
    double square0{0};    //!< sum a^2
    double square1{0};    //!< sum a^2 b
    double square2{0};    //!< sum a^2 b^2
};

/**
 * @ingroup mql
 * @brief A network of output queues with open-loop traffic, solved by decomposition.
 *
 * Each directed link of the topology serves one FIFO queue at its sending node (output queues:
 * dissertation section 4.2; a host's first queue is its network card's). Flow i has lambda_i
 * packets/s with SCV of gaps C2_i, mean size b_i and SCV of sizes C2s_i; at link q of rate R_q its
 * service time is S_i = 8 b_i / R_q. The fraction f_iq of its packets visits q: 1 on the single
 * path of hash routing, 1 / (number of next links) at each node of even flow splitting.
 *
 * The formulas (MqlFormula) need sums over the flows from link l to link q, a *pair* (l, q). These
 * sums are polynomials in f, so that the whole model consists of
 *
 * 1. one pass over (flow, queue) visits that adds up seven moments per pair: O(1) per visit;
 * 2. one pass over pairs in topological order of the links (l before q if a flow goes from l to q);
 *    if routes are cyclic, the links are swept again until no SCV changes by more than a tolerance;
 * 3. one pass over visits for the latency of flows.
 *
 * With even splitting, common parts of routes are stored once for all flows, so that passes 1 and 3
 * cost O(flows * hops) for any number of paths.
 */
class MqlNetwork
{
  public:
    /**
     * @brief Every flow on one path: per-flow ECMP hash or pinned paths.
     * @param topology the network
     * @param flows the flows; partners must point at each other
     * @param paths path i is that of flow i
     * @throws DcnError for a rate, size or SCV out of range or a path that is not the flow's
     */
    MqlNetwork(Ptr<const DcnTopology> topology,
               std::vector<MqlFlow> flows,
               const DcnPathTable& paths);

    /**
     * @brief Even flow splitting: per-packet ECMP, or the flow splits of dissertation chapter 5.
     * @param flows the flows; partners must point at each other
     * @param routing next links at each node, which share packets evenly
     * @throws DcnError for a rate, size or SCV out of range or an unreachable destination
     */
    MqlNetwork(std::vector<MqlFlow> flows, const DcnRouting& routing);

    /** @return the network. */
    const DcnTopology& GetTopology() const
    {
        return *m_topology;
    }

    /** @return the flows. */
    const std::vector<MqlFlow>& GetFlows() const
    {
        return m_flows;
    }

    /**
     * @brief The queues that a flow visits, upstream first.
     * @param flow flow index
     * @param visits cleared and filled: one per hop with hash routing; with even splitting one per
     * (upstream link, link), grouped by link
     */
    void GetVisits(std::size_t flow, std::vector<MqlVisit>& visits) const;

    /**
     * @param link directed link index
     * @return number of its queue type, see MqlQueueTypes
     */
    uint8_t GetQueueType(uint32_t link) const;

    /** @return (flow split, queue) visits: the model calls of the dissertation's Algorithm 4. */
    uint64_t GetNSplitVisits() const
    {
        return m_nSplitVisits;
    }

    /** @return pairs (upstream link, link) that carry traffic, external arrivals included. */
    const std::vector<MqlPair>& GetPairs() const
    {
        return m_pairs;
    }

    /** @return false if flows can return to a queue through others. */
    bool IsFeedForward() const
    {
        return m_feedForward;
    }

    /** @return links that carry traffic, in topological order as far as possible. */
    const std::vector<uint32_t>& GetOrder() const
    {
        return m_order;
    }

    /**
     * @param link directed link index
     * @return its pairs are [first, second) of GetPairs
     */
    std::pair<uint32_t, uint32_t> GetPairsOf(uint32_t link) const;

  private:
    friend class MqlSolution;
    friend class MqlSolver;

    static constexpr uint32_t NONE = 0xffffffff; //!< no index

    /// A part of routes, shared by flows: visits [first, last).
    struct Segment
    {
        std::size_t first; //!< first visit
        std::size_t last;  //!< one past the last visit
    };

    /// Sums over the flows of a segment; they give MqlPair by powers of the fraction.
    struct Moments;

    /// SCVs of sources thinned to the arrivals at a link, over all upstream links.
    struct LinkBurst
    {
        double burst2{0}; //!< as MqlPair::burst2
        double work3{0};  //!< as MqlPair::work3
    };

    class Splitter;

    void CheckFlows() const;
    void IndexPairs();
    std::size_t SlotOf(uint32_t upstream, uint32_t link) const;
    void CompressPairs(const std::vector<std::size_t>& slots);
    void CollectMoments();
    void OrderLinks();

    Ptr<const DcnTopology> m_topology;       //!< the network
    std::vector<MqlFlow> m_flows;            //!< the flows
    std::vector<uint8_t> m_types;            //!< per link: queue type
    std::vector<std::size_t> m_slotBase;     //!< per link: first slot of its possible pairs
    std::vector<uint32_t> m_outPosition;     //!< per link: place among the out links of its sender
    std::vector<MqlPair> m_pairs;            //!< grouped by link
    std::vector<uint32_t> m_firstPair;       //!< per link, and one more
    std::vector<LinkBurst> m_linkBursts;     //!< per link
    std::vector<Segment> m_segments;         //!< distinct ones
    std::vector<uint32_t> m_routeSegments;   //!< of all flows
    std::vector<std::size_t> m_firstSegment; //!< per flow, and one more
    std::vector<double> m_secondsPerByte;    //!< per link
    std::vector<double> m_delays;            //!< per link: propagation [s]
    std::vector<uint32_t> m_visitPairs;      //!< of all segments
    std::vector<double> m_visitFractions;    //!< of all segments; empty: all 1
    std::vector<uint8_t> m_visitHops;        //!< of all segments; empty: by position
    std::vector<uint32_t> m_order;           //!< see GetOrder
    bool m_feedForward{true};                //!< see IsFeedForward
    uint64_t m_nSplitVisits{0};              //!< see GetNSplitVisits
};

} // namespace ns3

#endif /* MQL_NETWORK_H */
