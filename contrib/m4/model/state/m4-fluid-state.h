/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_FLUID_STATE_H
#define M4_FLUID_STATE_H

#include "ns3/dcn-flow.h"
#include "ns3/flowsim-max-min-solver.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Max-min fair rates of the active flows, and the integral of each rate (its service).
 *
 * Unlike in a fluid simulation, a flow ends when the caller removes it (at its true or predicted
 * end), not when its fluid has been served. Flows whose rate does not change are not visited: all
 * flows of a class of the solver (one bottleneck) have one rate r(t), so that V(t) = integral of r
 * is stored per class, and a flow stores the value of V - offset of its path group at its start. A
 * path group that moves to another class keeps its service in the offset.
 */
class M4FluidState
{
  public:
    using Slot = FlowsimMaxMinSolver::FlowSlot; //!< An active flow; used again after Remove

    /**
     * @param capacities of the links by directed link index [bit/s]
     */
    explicit M4FluidState(const std::vector<double>& capacities);

    /**
     * @brief Add a flow.
     * @param path its links
     * @param cap its largest rate [bit/s]
     * @param nowNs present time [ns], not before that of an earlier call
     * @return its slot
     */
    Slot Add(DcnPath path, double cap, int64_t nowNs);

    /**
     * @brief Remove a flow.
     * @param flow its slot
     * @param nowNs present time [ns], not before that of an earlier call
     */
    void Remove(Slot flow, int64_t nowNs);

    /**
     * @brief Change the capacity of a link that no flow crosses.
     * @param link directed link index
     * @param capacity its capacity [bit/s], > 0
     */
    void SetCapacity(uint32_t link, double capacity);

    /**
     * @param flow its slot
     * @return its rate [bit/s]
     */
    double GetRate(Slot flow) const;

    /**
     * @param flow its slot
     * @param nowNs present time [ns], not before that of an earlier call
     * @return integral of its rate since it was added [bit]
     */
    double GetServed(Slot flow, int64_t nowNs) const;

    /**
     * @brief Get the links with rate changes by the last Add or Remove.
     * @return directed link indices, ascending: every flow whose rate changed crosses one of them;
     * other flows may cross them, too
     */
    const std::vector<uint32_t>& GetChangedLinks() const;

  private:
    using LinkId = FlowsimMaxMinSolver::LinkId;
    using PathGroupId = FlowsimMaxMinSolver::PathGroupId;

    /// Flows of one bottleneck.
    struct Class
    {
        double rate{0};     //!< rate of each of its flows [bit/ns]
        double service{0};  //!< V at the time below [bit]
        int64_t sinceNs{0}; //!< time of the last change
        uint32_t groups{0}; //!< path groups in it
        LinkId link{0};     //!< the bottleneck; from the number of links on: a cap
    };

    /// Flows of one path and cap.
    struct PathGroup
    {
        LinkId cls{FlowsimMaxMinSolver::NONE}; //!< its class
        double offset{0};                      //!< V of the class less the own service
        uint32_t flows{0};                     //!< flows in it
    };

    /// Advances the service of a class to a time.
    void Advance(Class& cls, int64_t nowNs) const;
    /// Applies the last change of the allocation.
    void Follow(int64_t nowNs);
    /// Returns the service of a path group [bit].
    double GetService(const PathGroup& group, int64_t nowNs) const;
    /// Adds the bottleneck of a class to the changed links.
    void NoteChanged(const Class& cls);

    FlowsimMaxMinSolver m_solver;    //!< the allocation
    std::vector<Class> m_classes;    //!< by bottleneck
    std::vector<PathGroup> m_groups; //!< by path group
    double m_quanta{0};              //!< weight of a flow in the solver's unit
    std::size_t m_nLinks;            //!< number of directed links
    std::vector<uint32_t> m_changed; //!< see GetChangedLinks
    std::vector<double> m_begin;     //!< by slot: service of its path group when it was added [bit]
};

} // namespace ns3

#endif /* M4_FLUID_STATE_H */
