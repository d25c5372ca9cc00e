/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_STREAM_H
#define FLOWSIM_STREAM_H

#include "flowsim-fluid-model.h"

#include "ns3/dcn-flow.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup flowsim
/// Counts of a fluid simulation.
struct FlowsimStatistics
{
    uint64_t nFlows{0};       //!< Flows that arrived, and completed
    uint64_t nEvents{0};      //!< Arrivals plus completions
    uint64_t nRateChanges{0}; //!< See FlowsimEngine::GetNRateChanges()
    uint64_t maxActive{0};    //!< Largest number of flows in service at once
};

/**
 * @ingroup flowsim
 * @brief Fluid simulation from a source of flows to a sink of completion times.
 *
 * Memory is proportional to the largest number of active flows, whatever the number of flows: flows
 * are read one at a time, and passed on when they complete.
 */
class FlowsimStream
{
  public:
    /// A flow to simulate.
    struct Input
    {
        DcnFlow flow{};             //!< The flow
        std::vector<uint32_t> path; //!< Its links
        double weight{1};           //!< Its weight in the allocation
    };

    /// A flow that is complete.
    struct Output
    {
        uint64_t index;  //!< Position of the flow in the source
        DcnFlow flow;    //!< The flow
        uint32_t nHops;  //!< Number of links of its path
        int64_t idealNs; //!< Completion time alone in the network [ns], see DcnIdealFct
        int64_t fctNs;   //!< Completion time [ns]
    };

    /// Writes the next flow, in order of start, and returns true; false when there are no more.
    using Source = std::function<bool(Input&)>;
    /// Receives the flows in the order in which their service ends.
    using Sink = std::function<void(const Output&)>;

    /**
     * @brief Makes a simulation.
     * @param topology the network, which must outlive the simulation
     * @param network the configuration, which must outlive the simulation
     * @param options options of the fluid model; DcnError for a bad value
     */
    FlowsimStream(const DcnTopology& topology,
                  const DcnNetworkParameters& network,
                  const FlowsimOptions& options);

    /**
     * @brief Simulates all flows of a source.
     *
     * Throws a DcnError for a weight that is not between FlowsimMaxMinSolver::MIN_WEIGHT and
     * FlowsimMaxMinSolver::MAX_WEIGHT. Runs share nothing, so that several threads may run at the
     * same time.
     * @param source where flows come from
     * @param sink where complete flows go to
     * @return numbers of flows, events and rate changes
     */
    FlowsimStatistics Run(const Source& source, const Sink& sink) const;

    /// @return the conversion of flows to fluids
    const FlowsimFluidModel& GetModel() const;

  private:
    FlowsimFluidModel m_model; //!< Converts flows to fluids
};

/**
 * @ingroup flowsim
 * @brief Simulates the flows of a scenario directory without holding them in memory.
 *
 * The file written has the columns of fct.csv (doc/schema.rst) with flowsim_fct_ns; its rows are in
 * the order in which the flows complete. The file gets its name when it is complete.
 *
 * @param folder scenario directory that DcnScenarioReader can read flow by flow
 * @param out file to be written
 * @param options options of the fluid model
 * @param seed seed of the paths that are not pinned
 * @return numbers of flows, events and rate changes; DcnError for bad input
 */
FlowsimStatistics FlowsimStreamScenario(const std::string& folder,
                                        const std::string& out,
                                        const FlowsimOptions& options = {},
                                        uint64_t seed = 1);

} // namespace ns3

#endif // FLOWSIM_STREAM_H
