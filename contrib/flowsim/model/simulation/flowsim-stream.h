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
/// What a fluid simulation did.
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
 * Memory is proportional to the flows that are active at once, whatever the number of flows: flows
 * are pulled one at a time, and handed on when they complete.
 */
class FlowsimStream
{
  public:
    /// A flow as it comes.
    struct Input
    {
        DcnFlow flow{};             //!< The flow
        std::vector<uint32_t> path; //!< Its links
        double weight{1};           //!< Its weight in the allocation
    };

    /// A flow as it goes.
    struct Output
    {
        uint64_t index;  //!< Position of the flow among those that came
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
     * @param options what is taken into account; DcnError for a bad value
     */
    FlowsimStream(const DcnTopology& topology,
                  const DcnNetworkParameters& network,
                  const FlowsimOptions& options);

    /**
     * @brief Simulates all flows of a source.
     *
     * Throws a DcnError for a weight that is not between FlowsimMaxMinSolver::MIN_WEIGHT and
     * FlowsimMaxMinSolver::MAX_WEIGHT. Nothing is shared between runs, which may go on at the same
     * time on several threads.
     * @param source where flows come from
     * @param sink where they go to
     * @return what was done
     */
    FlowsimStatistics Run(const Source& source, const Sink& sink) const;

    /// @return how flows become fluids
    const FlowsimFluidModel& GetModel() const;

  private:
    FlowsimFluidModel m_model; //!< How flows become fluids
};

/**
 * @ingroup flowsim
 * @brief Simulates the flows of a scenario directory without holding them in memory.
 *
 * The file written has the columns of fct.csv (doc/schema.rst) with flowsim_fct_ns; its rows are in
 * the order in which the flows complete. It gets its name when it is complete.
 *
 * @param folder scenario directory that DcnScenarioReader can read flow by flow
 * @param out file to be written
 * @param options what is taken into account
 * @param seed seed of the paths that are not pinned
 * @return what was done; DcnError for bad input
 */
FlowsimStatistics FlowsimStreamScenario(const std::string& folder,
                                        const std::string& out,
                                        const FlowsimOptions& options = {},
                                        uint64_t seed = 1);

} // namespace ns3

#endif // FLOWSIM_STREAM_H
