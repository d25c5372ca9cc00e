/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_MAX_MIN_SOLVER_H
#define FLOWSIM_MAX_MIN_SOLVER_H

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ns3
{

class FlowsimBottleneckGraph;
class FlowsimIndexedHeap;

/**
 * @ingroup flowsim
 * @brief Exact weighted max-min allocation with per-flow caps, updated flow by flow.
 *
 * **Problem.** Links l with capacity C_l [bit/s]; active flows f with a path P_f (a set of links),
 * a weight w_f and a cap c_f [bit/s], possibly infinite. Find the rates x_f [bit/s] such that the
 * vector of levels x_f / w_f is max-min fair under
 *
 *     sum_{f : l in P_f} x_f <= C_l  for every link,        x_f <= c_f  for every flow.
 *
 * The solution is unique and is characterised by: it is feasible, and every flow is at its cap or
 * crosses a saturated link on which no flow has a higher level (its bottleneck).
 *
 * **Equations.** A cap is a virtual link of constant level c_f / w_f at the end of the path, so it
 * needs no separate treatment. Give every link a level s_l, infinite when it is nobody's
 * bottleneck, and every flow the class b(f) = argmin_{l in P_f} s_l; its level is s_b(f). With
 * n_{k,l} the total weight of the flows of class k that cross l, the load of l when its own class
 * is at level y and nobody on it is above y is
 *
 *     F_l(y) = n_{l,l} y + sum_{k != l} n_{k,l} min(s_k, y).
 *
 * l is *consistent* when F_l(s_l) = C_l, or when n_{l,l} = 0 and F_l(inf) <= C_l. If all links are
 * consistent and every class is the argmin above, the characterisation holds: loads are at most
 * C_l, and the bottleneck of a flow is saturated with nobody on it above s_l. So *any* consistent
 * state is the exact allocation; it remains to reach one while touching little.
 *
 * **Algorithm.** (After the dynamic fixed-point method that Ramalingam and Reps use for shortest
 * paths.) An arrival joins the class of lowest level on its path, or starts one; it and a departure
 * make links of the path inconsistent. Inconsistent links wait in a queue keyed by the lowest level
 * at which something changes on them:
 *
 * - overloaded, F_l(s_l) > C_l: key y < s_l with F_l(y) = C_l. When popped, the level becomes y and
 *   the flows of other classes above y, which now have their bottleneck here, join the class;
 * - underloaded, F_l(s_l) < C_l: key s_l. When popped, the level rises to the y that fills the
 * link; members that meet a lower level elsewhere on their path leave for that class, which raises
 * y further, until nobody leaves.
 *
 * So classes stay the argmin throughout. After a pop the other links crossed by a class or flow
 * that changed are examined again.
 *
 * **Why it is right.** Let m be the smallest key when l is popped. The pop changes only levels >=
 * m, to levels >= m, so F_k(y) is unchanged on every link k for all y <= m. Hence a link that was
 * consistent below m stays so, and no key falls below m: keys never decrease, and what lies below m
 * is final. Links whose F is not touched keep their level, because F_l alone determines it. An
 * overloaded pop leaves s_l = m and F_l(m) = C_l, both final, so it happens at most once per link.
 * After an underloaded pop l is consistent; as long as no overloaded pop happens, all levels only
 * rise and flows only come back, so F_l only grows and l can next become overloaded only. Hence at
 * most one underloaded pop per link between two overloaded ones: with L links at most (L + 1)^2
 * pops, after which every link is consistent. Measured, the count is that of the links whose level
 * differs in the end (within 2 %, up to 160 per event in overloaded fabrics).
 *
 * **Cost.** Flows of equal path and equal cap level are one *path group* and move between classes
 * together. A class changes level by one update per link that its flows cross, a path group changes
 * class by one update per hop; neither depends on the number of flows. Moreover links that are
 * nobody's bottleneck and not nearly full (*relaxed*) hold an upper bound of the level of every
 * crossing class, chosen so that the bounds together fit the capacity: a class visits such a link
 * only when it rises above that bound. Memory is proportional to path groups x hops plus flows.
 *
 * **Rounding.** Weights are integers in units of 2^-36, so sums of weights are exact. The load of a
 * link is a running sum with a running bound on its rounding error, summed anew when the bound
 * passes #LOAD_REFRESH x capacity: there is no drift. Consistent means within #LOAD_TOLERANCE x
 * capacity, levels tie within #TIE_TOLERANCE; LOAD_TOLERANCE >= TIE_TOLERANCE + LOAD_REFRESH +
 * noise makes every pop a change larger than rounding, so that ties cannot make two links pop each
 * other for ever. The error is relative to capacity: a rate of 1e-7 of a link has 7 exact digits.
 */
class FlowsimMaxMinSolver
{
  public:
    using LinkId = uint32_t;      //!< Number of a link; virtual (a cap) from GetNLinks() on
    using ClassId = uint32_t;     //!< Dense reusable handle of a class
    using PathGroupId = uint32_t; //!< Dense reusable handle of the flows of one path and cap level
    using FlowSlot = uint32_t;    //!< Dense reusable handle of an active flow

    static constexpr uint32_t NONE = UINT32_MAX; //!< No class
    /// No cap, no level
    static constexpr double INFINITE = std::numeric_limits<double>::infinity();
    /// Relative imbalance between load and capacity up to which a link counts as consistent, 2^-42
    static constexpr double LOAD_TOLERANCE = 1.0 / (1ULL << 42);
    /// Relative difference up to which two levels count as equal, 2^-44
    static constexpr double TIE_TOLERANCE = 1.0 / (1ULL << 44);
    /// Rounding error of a running load, relative to capacity, at which it is summed anew, 2^-45
    static constexpr double LOAD_REFRESH = 1.0 / (1ULL << 45);
    /// Violation of the optimality conditions at which a debug build stops
    static constexpr double LARGEST_VIOLATION = 1e-9;
    static constexpr double MIN_WEIGHT = 0.01;  //!< Smallest weight (rounded by at most 7e-10)
    static constexpr double MAX_WEIGHT = 1.0e6; //!< Largest weight; the sum may reach 1.3e8

    /**
     * @brief Makes a solver without flows.
     * @param capacities capacity of each link [bit/s], positive and finite
     */
    explicit FlowsimMaxMinSolver(const std::vector<double>& capacities);
    ~FlowsimMaxMinSolver();

    /**
     * @brief Adds a flow and updates the allocation.
     *
     * Throws std::invalid_argument, without having changed anything, when the path is empty, names
     * an unknown link or visits a link twice, or when the weight or the cap is out of range.
     *
     * @param path the links that the flow crosses
     * @param hops number of links
     * @param weight weight of the flow
     * @param cap largest rate of the flow [bit/s]; of no effect unless below all capacities
     * @return the slot of the flow, valid until it is removed
     */
    FlowSlot AddFlow(const LinkId* path, uint32_t hops, double weight = 1, double cap = INFINITE);

    /**
     * @brief Removes a flow and updates the allocation.
     * @param flow an active flow
     */
    void RemoveFlow(FlowSlot flow);

    /**
     * @brief Adds a flow without updating the allocation: Solve() must follow.
     *
     * Several flows that come and go at one instant are inserted and erased first and solved once.
     * The parameters and refusals are those of AddFlow().
     *
     * @param path the links that the flow crosses
     * @param hops number of links
     * @param weight weight of the flow
     * @param cap largest rate of the flow [bit/s]
     * @return the slot of the flow
     */
    FlowSlot InsertFlow(const LinkId* path,
                        uint32_t hops,
                        double weight = 1,
                        double cap = INFINITE);

    /**
     * @brief Removes a flow without updating the allocation: Solve() must follow.
     * @param flow an active flow
     */
    void EraseFlow(FlowSlot flow);

    /**
     * @brief Changes the capacity of a link that no flow crosses.
     *
     * Throws std::logic_error when one does: erase the flows of the link before, and insert them
     * afterwards.
     * @param link a link
     * @param capacity its capacity [bit/s], positive and finite
     */
    void SetCapacity(LinkId link, double capacity);

    /// Updates the allocation after insertions and removals.
    void Solve();

    /**
     * @brief Has the links of a flow that will be added soon brought into the cache.
     * @param path the links that the flow will cross; unknown ones are left out
     * @param hops number of links
     * @param isNext whether the flow is the next one; before that only first steps are worth while
     */
    void Prefetch(const LinkId* path, uint32_t hops, bool isNext) const;

    /**
     * @brief Has the records of a path group brought into the cache, of which a flow will be erased
     * soon.
     * @param group the path group
     * @param step 0 to 3: each step reads what the step before has prefetched
     */
    void PrefetchPathGroup(PathGroupId group, uint32_t step) const;

    /**
     * @brief Returns the rate of a flow.
     * @param flow an active flow
     * @return its rate [bit/s]
     */
    double GetRate(FlowSlot flow) const;

    /**
     * @brief Returns the bottleneck of a flow.
     * @param flow an active flow
     * @return a link, or an id from GetNLinks() on when the flow is at its cap
     */
    LinkId GetBottleneck(FlowSlot flow) const;

    /**
     * @brief Returns the fair share of a link.
     * @param link a link
     * @return rate per unit weight of the flows that have their bottleneck there, or INFINITE
     */
    double GetFairShare(LinkId link) const;

    /**
     * @brief Returns the path of a flow.
     * @param flow an active flow
     * @return its links, without that of its cap
     */
    std::vector<LinkId> GetPath(FlowSlot flow) const;

    /// @return number of links, virtual ones not counted
    uint32_t GetNLinks() const;

    /// @return number of active flows
    uint32_t GetNFlows() const;

    /**
     * @brief Checks the optimality conditions from scratch.
     *
     * Everything is summed anew from the flows. The violation of a link is its overload relative to
     * capacity; that of a flow is, on the best link of its path, the larger of the unused part of
     * the capacity and the distance of its level to the highest on that link, relative; at its cap
     * it is 0, above it the relative excess.
     *
     * @return the largest violation, at rounding level for a correct solver
     */
    double CheckOptimality() const;

    /// @name View of the path groups and classes, for an event loop that serves them as a whole.
    /// Levels are in bit/s per quantum, the unit of GetQuanta(): rate = level x quanta.
    /// @{

    /**
     * @brief Returns the path group of a flow.
     * @param flow an active flow
     * @return its path group
     */
    PathGroupId GetPathGroup(FlowSlot flow) const;

    /**
     * @brief Returns the weight of a flow in quanta.
     * @param flow an active flow
     * @return its weight divided by 2^-36, an integer
     */
    double GetQuanta(FlowSlot flow) const;

    /**
     * @brief Returns the class of a path group.
     * @param group an active path group
     * @return the class, NONE for a path group without flows
     */
    ClassId GetClass(PathGroupId group) const;

    /**
     * @brief Returns the level of a class.
     * @param cls a class
     * @return bit/s per quantum, INFINITE when nobody is in the class
     */
    double GetLevel(ClassId cls) const;

    /**
     * @brief Returns the bottleneck of a class.
     * @param cls a class with flows
     * @return a link, or an id from GetNLinks() on for a cap
     */
    LinkId GetLink(ClassId cls) const;

    /**
     * @brief Returns the classes whose level was set by the last Solve(), without repetition.
     * @return classes, some of which may have their old level again or be empty by now
     */
    const std::vector<ClassId>& GetChangedClasses() const;

    /**
     * @brief Returns the path groups that changed class, or appeared, between the previous two
     * calls of Solve().
     * @return path groups without repetition; some may have their old class again or be empty by
     * now
     */
    const std::vector<PathGroupId>& GetMovedPathGroups() const;

    /**
     * @brief Returns one past the largest class.
     * @return number of classes
     */
    uint32_t GetNClasses() const;

    /**
     * @brief Returns one past the largest path group in use.
     * @return number of path group slots
     */
    uint32_t GetNPathGroups() const;
    /// @}

  private:
    /// An active flow.
    struct Flow
    {
        PathGroupId group; //!< The path group that it is part of
        int64_t quanta;    //!< Its weight in quanta, 0 for a free slot
    };

    /// Examines a link: puts it into the queue when inconsistent, takes it out otherwise.
    void Examine(ClassId link);

    /// @return load minus capacity of an exact link [bit/s], 0 if underloaded and without class
    double GetImbalance(ClassId link) const;

    /// Raises an underloaded link to the level that fills it.
    void Raise(ClassId link);

    /// Clears the report on the last Solve() when this has not been done yet.
    void ForgetChanges();

    std::unique_ptr<FlowsimBottleneckGraph> m_graph; //!< Links, classes, path groups and loads
    std::vector<Flow> m_flows;                       //!< Flows by slot
    std::vector<FlowSlot> m_freeFlows;               //!< Free slots
    uint32_t m_nFlows{0};                            //!< Number of active flows
    std::unique_ptr<FlowsimIndexedHeap> m_queue;     //!< Inconsistent links by key
    std::vector<uint32_t> m_positions;               //!< Positions of the links in the queue
    bool m_reported{false};   //!< The changes of the last Solve() are still listed
    uint32_t m_nUnchecked{0}; //!< Debug builds: updates since the last check
};

} // namespace ns3

#endif // FLOWSIM_MAX_MIN_SOLVER_H
