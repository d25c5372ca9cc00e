/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_RUNNER_H
#define PARSIMON_LINK_RUNNER_H

#include "ns3/parsimon-clustering.h"
#include "ns3/parsimon-delay-distribution.h"
#include "ns3/parsimon-edge-shares.h"
#include "ns3/parsimon-link-index.h"
#include "parsimon-link-simulator.h"
#include "parsimon-result-store.h"
#include "ns3/parsimon-unchanged.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief What decides the time that a window costs a flow, besides its size and path.
 */
struct ParsimonWindow
{
    uint64_t windowBytes{0};  //!< W; 0: no window
    uint32_t payloadBytes{1}; //!< M
    uint32_t headerBytes{0};  //!< of a data packet
    uint32_t ackBytes{0};     //!< length of an acknowledgement

    /**
     * @param topology the network
     * @param path links of the flow
     * @param sizeBytes its payload
     * @param bottleneckBps smallest rate on the path (DcnIdealFct)
     * @return V of ParsimonLinkTable::ComputeWindowIdle [ns]
     */
    double GetIdleNs(const DcnTopology& topology,
                     DcnPath path,
                     uint64_t sizeBytes,
                     uint64_t bottleneckBps) const;
};

/**
 * @ingroup parsimon
 * @brief Delays of all flows at all their links, and what it took to get them.
 *
 * Of a link that was simulated (or has at most one flow, which nothing delays), the delay of each
 * of its flows is known. A link that shares the result of another has that link's distribution.
 */
class ParsimonLinkTable
{
  public:
    /// How many links were treated how; each link is in one of the first five.
    struct Accounting
    {
        uint32_t idle{0};      //!< directed links without flows
        uint32_t single{0};    //!< links with one flow, whose delay is 0
        uint32_t simulated{0}; //!< links simulated, by this process or other ranks
        uint32_t reused{0};    //!< links whose result was kept from before
        uint32_t shared{0};    //!< links that have the result of another link of their cluster

        /** @return all directed links. */
        uint32_t GetTotal() const
        {
            return idle + single + simulated + reused + shared;
        }
    };

    explicit ParsimonLinkTable(const DcnScenario& scenario);

    /** @return flows by link. */
    const ParsimonLinkIndex& GetIndex() const;

    /**
     * @param link directed link index
     * @return the link whose simulation counts for it: itself, unless it is shared
     */
    uint32_t GetRepresentative(uint32_t link) const;

    /**
     * @brief New delay of a flow at a link, if its own is known: max(0, D - N - V), with N the
     * interfaces' part where it was asked for and the link is not the first (ParsimonCombination),
     * and V the GetWindowIdle of the flow.
     * @param link directed link index
     * @param place position of the flow among those of the link
     * @return the delay [ns]; negative if it is not known
     */
    double GetDelay(uint32_t link, uint32_t place) const;

    /**
     * @param flow flow index
     * @return V, what the window alone costs the flow [ns]; 0 before ComputeWindowIdle
     */
    double GetWindowIdle(std::size_t flow) const;

    /**
     * @brief Compute what the window alone costs each flow.
     *
     * A flow of n packets that may have K = ceil(W / M) of them in flight, in a round trip T in
     * which its bottleneck could send more of them, at t each, idles between windows:
     *
     *     V = floor((n - 1) / K) max(0, T - K t)
     *
     * That is part of its delay in every link topology (where round trips are kept), though it
     * happens once. It is no part where the flow has an interface of its own that is slower than
     * its window (ParsimonEdgeShares).
     *
     * @param scenario the flows
     * @param shares interfaces of their own, or null
     */
    void ComputeWindowIdle(const DcnScenario& scenario,
                           std::shared_ptr<const ParsimonEdgeShares> shares = nullptr);

    /** @return whether ComputeWindowIdle has been called for flows with a window. */
    bool HasWindowIdle() const;

    /**
     * @param link directed link index
     * @return delays of its flows and the interfaces' part of them; null if nothing was simulated
     */
    const std::shared_ptr<const ParsimonLinkDelays>& GetParts(uint32_t link) const;

    /**
     * @param link directed link index
     * @return the same delays, packet-normalised, of the representative's flows; null before
     * MakeDistributions
     */
    const std::shared_ptr<const ParsimonDelayDistribution>& GetDistribution(uint32_t link) const;

    /**
     * @brief Make the distributions.
     * @param scenario the flows
     * @param options buckets; the payload of packets is the scenario's
     * @param sharedOnly only of links that others share
     * @param nThreads see DcnParallelFor
     */
    void MakeDistributions(const DcnScenario& scenario,
                           const ParsimonBucketOptions& options,
                           bool sharedOnly,
                           uint32_t nThreads);

    /** @return what it took. */
    const Accounting& GetAccounting() const;

  private:
    friend class ParsimonLinkRunner;

    ParsimonLinkIndex m_index;                //!< flows by link
    std::vector<uint32_t> m_representatives;  //!< by link
    std::vector<ParsimonPosition> m_positions; //!< by link
    std::vector<float> m_windowIdleNs;         //!< by flow; empty: all 0
    std::shared_ptr<const ParsimonEdgeShares> m_shares; //!< see ComputeWindowIdle
    /// By link; null if it has at most one flow or shares another's.
    std::vector<std::shared_ptr<const ParsimonLinkDelays>> m_delays;
    /// By link.
    std::vector<std::shared_ptr<const ParsimonDelayDistribution>> m_distributions;
    Accounting m_accounting; //!< see GetAccounting
};

/**
 * @ingroup parsimon
 * @brief Has the links of a scenario simulated, each or one of each cluster.
 *
 * The longest simulations begin first, by payload bytes, so that no long one begins last
 * (Parsimon's own order is that of a hash table). Simulators that are safe for threads run in
 * threads, the others in processes. Processes that mpirun has started together share a folder of
 * results: each simulates its part, waits for the files of the others and reads them. All ways give
 * the same bytes.
 */
class ParsimonLinkRunner
{
  public:
    /// Makes the topology of a directed link; may be called by several threads.
    using Maker = std::function<ParsimonLink(uint32_t)>;

    /// What to do.
    struct Options
    {
        bool withNic{true};                   //!< compute ParsimonInterfaceDelays, too
        bool cluster{false};                  //!< whether links are clustered
        ParsimonClusteringOptions clustering; //!< how
        uint32_t nThreads{1};                 //!< threads or processes; 0: all cores
        bool keep{false};                     //!< look results up in the store, and keep them there
        bool record{false}; //!< with keep: keep in the store how links are simulated, too
        const ParsimonLinkTable* before{nullptr}; //!< results of another scenario, or none
        const ParsimonUnchanged* unchanged{nullptr}; //!< with before: which of them hold here
    };

    /**
     * @param scenario the flows
     * @param simulator simulates a link
     * @param maker makes its topology
     * @param context see ParsimonDescribeContext
     * @param store where results are kept; shared by processes if there are ranks
     * @param options see Options
     * @return delays of all flows at all links
     * @throws DcnError if a simulation fails, or ranks have no folder
     */
    static ParsimonLinkTable Run(const DcnScenario& scenario,
                                 const ParsimonLinkSimulator& simulator,
                                 const Maker& maker,
                                 const std::string& context,
                                 ParsimonResultStore& store,
                                 const Options& options);
};

} // namespace ns3

#endif /* PARSIMON_LINK_RUNNER_H */
