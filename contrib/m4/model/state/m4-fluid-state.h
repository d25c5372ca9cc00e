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
 * Unlike in a fluid simulation, a flow ends when the caller says so (ground truth, or m4's own
 * prediction), not when its fluid has been served. The class does not visit flows whose rate did
 * not change: all flows of a class of the solver (one bottleneck) have one rate r(t), so
 * V(t) = integral of r is kept per class, and a flow keeps the value of V - offset of its bundle at
 * its start. A bundle that moves to another class keeps its service in the offset.
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
     * @brief Say where the last Add or Remove changed rates.
     * @return directed link indices, ascending: every flow whose rate changed crosses one of them,
     * though the rates of others that do may be the same
     */
    const std::vector<uint32_t>& GetChangedLinks() const;

  private:
    using LinkId = FlowsimMaxMinSolver::LinkId;
    using BundleId = FlowsimMaxMinSolver::PathGroupId;

    /// Flows of one bottleneck.
    struct Class
    {
        double rate{0};      //!< of each of its flows [bit/ns]
        double service{0};   //!< V at the time below [bit]
        int64_t sinceNs{0};  //!< time of the last change
        uint32_t bundles{0}; //!< bundles in it
        LinkId link{0};      //!< the bottleneck; from the number of links on: a cap
    };

    /// Flows of one path and cap.
    struct Bundle
    {
        LinkId cls{FlowsimMaxMinSolver::NONE}; //!< its class
        double offset{0};                         //!< V of the class less the bundle's own service
        uint32_t flows{0};                        //!< flows in it
    };

    /// Brings the service of a class to a time.
    void Advance(Class& cls, int64_t nowNs) const;
    /// Takes over what the last change of the allocation changed.
    void Follow(int64_t nowNs);
    /// Returns what a bundle has been served [bit].
    double GetService(const Bundle& bundle, int64_t nowNs) const;
    /// Notes the bottleneck of a class as changed.
    void NoteChanged(const Class& cls);

    FlowsimMaxMinSolver m_solver;    //!< the allocation
    std::vector<Class> m_classes;    //!< by bottleneck
    std::vector<Bundle> m_bundles;   //!< by bundle
    double m_quanta{0};              //!< weight of a flow in the solver's unit
    std::size_t m_nLinks;            //!< number of directed links
    std::vector<uint32_t> m_changed; //!< see GetChangedLinks
    std::vector<double> m_begin;     //!< by slot: service of its bundle when it was added [bit]
};

} // namespace ns3

#endif /* M4_FLUID_STATE_H */
