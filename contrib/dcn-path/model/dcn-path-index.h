/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_INDEX_H
#define DCN_PATH_INDEX_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief All paths that have flows, their foreground flows, and the flows of every link.
 *
 * Problem (m3, section 3.2, "path-level decomposition"). Given a scenario with flows i = 0 ...
 * N - 1 and their directed links P(i) = (l_1, ..., l_h), a path is an ordered pair of hosts
 * together with the exact sequence of directed links between them. Two flows are foreground flows
 * of the same path if and only if their sequences of links are equal, so that every flow is a
 * foreground flow of exactly one path and
 *
 *     sum over the paths p of F(p) = N,   F(p) = number of foreground flows of p.
 *
 * The flows on a link l are { i : l in P(i) }; the background of a path are the flows that share a
 * link with it without being its foreground (DcnFindPathTraffic).
 *
 * Paths are numbered by their first flow, and flows are listed ascending, the order of their
 * starts. Both indices are in compressed rows: 4 bytes per flow, and 4 per flow and link. Equal
 * sequences are found by hashing and confirmed by comparison, in expected time proportional to the
 * number of links of all flows.
 */
class DcnPathIndex
{
  public:
    /**
     * @param scenario the flows and their paths
     * @throws DcnError if there are 2^32 - 1 flows or more
     */
    explicit DcnPathIndex(Ptr<const DcnScenario> scenario);

    /** @return the scenario. */
    const DcnScenario& GetScenario() const;

    /** @return the number of paths with flows. */
    uint32_t GetNPaths() const;

    /**
     * @param flow flow index
     * @return the path of which it is a foreground flow
     */
    uint32_t GetPathOf(std::size_t flow) const;

    /**
     * @param path number of a path
     * @return its directed links
     */
    DcnPath GetLinks(uint32_t path) const;

    /**
     * @param path number of a path
     * @return its foreground flows, ascending, at least one; kept by the path index
     */
    DcnIndexSpan GetForeground(uint32_t path) const;

    /**
     * @param link directed link index
     * @return the flows that cross it, ascending; kept by the path index
     */
    DcnIndexSpan GetFlowsOnLink(uint32_t link) const;

  private:
    void NumberPaths();
    void ListForeground();
    void ListLinks();

    Ptr<const DcnScenario> m_scenario;      //!< the scenario
    std::vector<uint32_t> m_pathOf;         //!< by flow
    std::vector<uint32_t> m_foreground;     //!< flows by path
    std::vector<std::size_t> m_pathOffsets; //!< path p has [p, p + 1) of m_foreground
    std::vector<uint32_t> m_linkFlows;      //!< flows by directed link
    std::vector<std::size_t> m_linkOffsets; //!< link l has [l, l + 1) of m_linkFlows
};

/**
 * @ingroup dcn-path
 * @brief A part of a path that a flow uses, from one of the path's nodes to another.
 *
 * A path of n links has the nodes 0 (source host) to n (destination host); link k goes from node k
 * to node k + 1. A flow that uses the links [enter, leave) enters at node `enter` and leaves at
 * node `leave`; one that uses the same links in the other direction has enter > leave.
 */
struct DcnPathInterval
{
    uint32_t flow;  //!< flow index in the scenario
    uint16_t enter; //!< node at which it joins the path
    uint16_t leave; //!< node at which it leaves the path

    /** @return true if it goes against the path. */
    bool IsReverse() const
    {
        return enter > leave;
    }
};

/**
 * @ingroup dcn-path
 * @brief A burst that leaves a queue before a link of the path; see
 * DcnPathWindow::AddInitialQueues.
 */
struct DcnPathInitialQueue
{
    uint16_t place;     //!< of the link on the path, not the first
    uint64_t sizeBytes; //!< payload
    int64_t startNs;    //!< when it is there [ns]
};

/**
 * @ingroup dcn-path
 * @brief What a path-level simulation contains.
 */
struct DcnPathTraffic
{
    DcnIndexSpan foreground;                        //!< flows of exactly this path
    std::vector<DcnPathInterval> background;        //!< all others that share a link, by flow
    std::vector<DcnPathInitialQueue> initialQueues; //!< queues at the begin
    std::vector<uint32_t> contended;                //!< links where flows wait (DcnPathWindow)
};

/**
 * @ingroup dcn-path
 * @brief The links of a path as numbers: what a fluid simulation or a model needs to know of it.
 */
struct DcnPathSpec
{
    std::vector<uint64_t> ratesBps; //!< by link [bit/s]
    std::vector<int64_t> delaysNs;  //!< propagation by link [ns]
    uint64_t bottleneckBps;         //!< smallest rate, or the largest rate of a sender [bit/s]
    int64_t baseRttNs;              //!< of a full packet alone (DcnBaseRttNs) [ns]
    double bdpBytes;                //!< bottleneckBps * baseRttNs / 8e9 [bytes]
};

/**
 * @ingroup dcn-path
 * @brief Find the flows that share links with a path.
 *
 * A background flow uses at least one directed link of the path. It is mapped to the maximal
 * intervals of consecutive links of the path that it uses one right after the other: a flow that
 * leaves the path and joins it again has several intervals, which path-level simulations treat as
 * independent flows (m3's decomposition). With `reverse`, flows that use links of the path in the
 * other direction are there too, as intervals with enter > leave: their acknowledgements share the
 * path with the foreground's data, and their data with its acknowledgements.
 *
 * Takes time proportional to the flows on the path's links; may be called by several threads.
 *
 * @param pathIndex the flows
 * @param path number of the path
 * @param reverse whether flows in the other direction count
 * @param first background flows before this index are left out
 * @param last background flows from this index on are left out
 * @return the flows, background ordered by flow and then along the flow's own path
 */
DcnPathTraffic DcnFindPathTraffic(const DcnPathIndex& pathIndex,
                                  uint32_t path,
                                  bool reverse,
                                  uint32_t first = 0,
                                  uint32_t last = UINT32_MAX);

/**
 * @ingroup dcn-path
 * @param pathIndex the flows
 * @param path number of the path
 * @return rates and delays of its links
 */
DcnPathSpec DcnGetPathSpec(const DcnPathIndex& pathIndex, uint32_t path);

} // namespace ns3

#endif /* DCN_PATH_INDEX_H */
