/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_RUNNER_H
#define PARSIMON_LINK_RUNNER_H

#include "../topology/parsimon-clustering.h"
#include "parsimon-link-simulator.h"
#include "parsimon-link-table.h"
#include "parsimon-result-store.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Runs the simulations of a scenario's links: of all, or of one per cluster.
 *
 * The longest simulations begin first, by payload bytes, so that no long one begins last
 * (Parsimon's own order is that of a hash table). Simulators that are safe for threads run in
 * threads, the others in processes. All ways give the same bytes.
 */
class ParsimonLinkRunner
{
  public:
    /// Makes the topology of a directed link; several threads may call it.
    using Maker = std::function<ParsimonLink(uint32_t)>;

    /// Options of a run.
    struct Options
    {
        uint32_t nThreads{1}; //!< threads or processes; 0: all cores
        bool withNic{true};   //!< compute ParsimonNicDelays, too
        bool remember{false}; //!< record simulations for later runs
        /// One link of each cluster is simulated; none: each link.
        std::optional<ParsimonClusteringOptions> clustering;
        const ParsimonLinkTable* before{nullptr}; //!< of a run in the same context, or null
        std::function<bool(uint32_t)>
            isSame; //!< whether a result of before is valid here; or empty
    };

    /**
     * @param simulator simulates a link
     * @param maker makes its topology
     * @param context see ParsimonDescribeContext
     * @param store stored results; null: none
     */
    ParsimonLinkRunner(const ParsimonLinkSimulator& simulator,
                       const Maker& maker,
                       const std::string& context,
                       ParsimonResultStore* store = nullptr);

    /**
     * @param scenario the flows
     * @param index its flows by link
     * @param options see Options
     * @return delays of all flows at all links
     * @throws DcnError if a simulation fails
     */
    ParsimonLinkTable Run(const DcnScenario& scenario,
                          const std::shared_ptr<const ParsimonLinkIndex>& index,
                          const Options& options) const;

  private:
    /// A result that need not be simulated.
    struct Found
    {
        std::shared_ptr<const ParsimonLinkDelays> delays; //!< null: not found
        bool isReused{false};                             //!< from an earlier run
    };

    /// State of a run.
    struct Work
    {
        const Options& options;   //!< options of the run
        ParsimonLinkTable& table; //!< results
        uint32_t payloadBytes;    //!< largest payload of a packet
        uint32_t headerBytes;     //!< headers of a data packet
        std::mutex& mutex;        //!< of the table's accounting
    };

    std::vector<uint32_t> ChooseLinks(const DcnScenario& scenario, const Work& work) const;
    Found Get(const Work& work, uint32_t link, bool mayWork) const;
    std::shared_ptr<const ParsimonLinkDelays> Simulate(const Work& work,
                                                       const ParsimonLink& input) const;

    const ParsimonLinkSimulator& m_simulator; //!< simulates a link
    const Maker m_maker;                      //!< makes its topology
    const std::string m_context;              //!< context of the results
    ParsimonResultStore* const m_store;       //!< stored results, or null
};

} // namespace ns3

#endif /* PARSIMON_LINK_RUNNER_H */
