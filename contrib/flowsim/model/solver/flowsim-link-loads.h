/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_LINK_LOADS_H
#define FLOWSIM_LINK_LOADS_H

#include "flowsim-link-table.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Bookkeeping of FlowsimMaxMinSolver: levels of classes and the load they make on links.
 *
 * See FlowsimMaxMinSolver for the problem and the notation. The state consists of a level s_l for
 * each link l and a weight n_{k,l} for every class k and link l crossed by it: a *crossing*. This
 * class keeps the load of every link up to date while levels and weights change, and lists the
 * links that must be examined; FlowsimMaxMinSolver makes the decisions.
 *
 * A link is in one of two modes. *Exact*: its load counts every crossing class at its level, and a
 * class visits the link whenever its level changes. *Relaxed*: its load counts every crossing class
 * at an upper bound of its level, and a class visits the link only when it rises above the bound.
 * As long as the load with the bounds fits the capacity, the link is no bottleneck, at any levels
 * below the bounds. Links that carry a class are exact. Virtual links (caps) are relaxed, with the
 * cap as the bound: a class must expel a path group before it rises above the cap.
 *
 * Weights are integers (quanta); levels are in bit/s per quantum. Lists are in flat arrays with
 * free lists, so that events allocate no memory once the arrays have reached their size.
 */
class FlowsimLinkLoads : public FlowsimLinkTable
{
  public:
    static constexpr double LOAD_REFRESH = 1.0 / (1ULL << 45); //!< See FlowsimMaxMinSolver
    /// A link with less than this part of its capacity free does not become relaxed
    static constexpr double RELAX_SLACK = 1.0 / 64;

    /// A class on a link.
    struct Crossing
    {
        LinkId link;       //!< The link
        LinkId cls;        //!< The class
        uint32_t sharePos; //!< Index among the shares of the link
        uint32_t visitPos; //!< Index among the visits of the class, of the mode of the link
        uint32_t members;  //!< List of the hops of the path groups of the class on the link
    };

    /**
     * @brief Makes links without load.
     * @param capacities capacity of each link [bit/s], positive and finite
     */
    explicit FlowsimLinkLoads(const std::vector<double>& capacities);

    /// Sets the level of a class and updates the loads of the links that depend on it.
    void SetLevel(LinkId cls, double level);

    /// @return the level y at which a link is full, F_l(y) = C_l, the level of its class being
    /// free; for an exact link that has a class or whose load exceeds its capacity
    double GetFillLevel(LinkId link);

    /**
     * @brief Makes the load of a link precise enough for a decision.
     *
     * Sums the load anew when its error bound is used up. When the bounds on a relaxed link exceed
     * its capacity, tightens them, or makes the link exact when it is nearly full.
     *
     * @param link the link
     */
    void Settle(LinkId link);

    /// Takes one of the links to be examined into the parameter. @return false when there is none
    bool TakeTouched(LinkId& link);

    /// Lists an exact link that may be idle, for RelaxIdle().
    void NoteIdle(LinkId link)
    {
        m_idle.push_back(link);
    }

    /// Relaxes the exact links that carry no class and are not nearly full.
    void RelaxIdle();

    /// @return the classes whose level was set since ClearChanged(), without repetition
    const std::vector<LinkId>& GetChanged() const
    {
        return m_changed;
    }

  protected:
    /**
     * @brief Changes the weight of a class on its own link.
     * @param cls the class
     * @param quanta weight to add, possibly negative
     */
    void AddOwnQuanta(LinkId cls, int64_t quanta);

    /**
     * @brief Changes the weight of a crossing.
     * @param crossing the crossing
     * @param quanta weight to add, possibly negative
     */
    void AddQuantaToCrossing(CrossingId crossing, int64_t quanta);

    /// Takes the level from a class that has lost all its weight.
    void EndClassIfEmpty(LinkId cls);

    /// Finds the crossing of a link by a class, searching the shorter of two lists. @return the
    /// crossing, or NONE
    CrossingId FindCrossing(LinkId cls, LinkId link) const;

    /// Makes a crossing, without weight yet, whose bound leaves room on a relaxed link for the
    /// weight that it is about to get. @return the crossing
    CrossingId MakeCrossing(LinkId cls, LinkId link, int64_t quanta);

    /// Removes a crossing without weight.
    void RemoveCrossing(CrossingId crossing);

    /// Makes a link exact.
    void MakeExact(LinkId link);

    /// Clears the list of changed classes.
    void ClearChanged();

    DcnLargeVector<Crossing> m_crossings; //!< Crossings by slot

  private:
    // Documented at their definitions.
    void AddVisit(CrossingId crossing);
    void RemoveVisit(CrossingId crossing);
    void AddLoad(LinkId link, double delta);
    void RaiseBounds(LinkId cls);
    void RefreshLoad(LinkId link);
    void MakeRelaxed(LinkId link);
    void SpreadSlack(LinkId link);
    void Touch(LinkId link);
    void NoteLevelSet(LinkId cls);

    std::vector<CrossingId> m_freeCrossings; //!< Free slots
    std::vector<LinkId> m_touched;           //!< Links to be examined
    std::vector<LinkId> m_idle;              //!< Exact links that may have become idle
    std::vector<LinkId> m_changed;           //!< Classes whose level was set
};

} // namespace ns3

#endif // FLOWSIM_LINK_LOADS_H
