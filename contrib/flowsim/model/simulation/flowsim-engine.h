/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_ENGINE_H
#define FLOWSIM_ENGINE_H

#include "ns3/dcn-large-pages.h"
#include "ns3/flowsim-max-min-solver.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace ns3
{

class FlowsimIndexedHeap;

/// @ingroup flowsim
/// A flow that enters the fluid simulation.
struct FlowsimArrival
{
    uint64_t id{0};                            //!< Free for the user, handed back on completion
    int64_t startNs{0};                        //!< Start [ns]; ignored by FlowsimEngine::AddFlow()
    double bits{0};                            //!< Size [bit], positive
    std::vector<uint32_t> path;                //!< Links crossed, each at most once
    double weight{1};                          //!< Weight in the max-min allocation
    double cap{FlowsimMaxMinSolver::INFINITE}; //!< Largest rate [bit/s]
};

/// @ingroup flowsim
/// A flow that has been served.
struct FlowsimCompletion
{
    uint64_t id{0};          //!< Id given on arrival
    int64_t startNs{0};      //!< Whole nanoseconds of the start
    double startFraction{0}; //!< Rest of the start [ns], not 0 only for flows of AddFlow()
    double durationNs{0};    //!< Time of service [ns]; completion = start + duration
};

/**
 * @ingroup flowsim
 * @brief Event loop of the fluid simulation: flows arrive, are served at max-min fair rates,
 * depart.
 *
 * **Problem.** Flow f arrives at time a_f with b_f bits. Between events (arrivals and completions)
 * it is served at the rate x_f(t) of the allocation of FlowsimMaxMinSolver for the flows active at
 * the time; it completes at the time e_f at which the integral of x_f from a_f to e_f is b_f.
 *
 * **Virtual service.** All flows of a class (equal bottleneck) have the same level s(t) = x_f /
 * w_f. The class keeps V(t), the integral of s; a flow that joins the class with r bits left
 * completes when V reaches V(now) + r / w_f, however often the level changes in between. So a class
 * holds a heap of these targets, and only the time of its first completion depends on the level: a
 * change of level costs one update of one global heap, and flows of unchanged classes cost nothing.
 * Flows of one path group (equal path and cap) always share their class. Targets are therefore kept
 * per path group, relative to the service that the path group received, and a path group changes
 * class by a shift.
 *
 * **Order.** Events at the same time are one event: completions, then flows added by the sink, then
 * arrivals, then one update of the allocation. Results depend on the input only.
 *
 * **Precision.** Time is a whole number of ns (epoch) plus a double below #EPOCH_NS, and virtual
 * service restarts from zero every #SERVICE_LIMIT bits, so that neither loses precision in long
 * runs: the relative error of a duration is far below 1e-9.
 *
 * Memory is proportional to active flows x hops: arrivals are pulled one at a time and completions
 * pushed to the sink.
 */
class FlowsimEngine
{
  public:
    using ClassId = FlowsimMaxMinSolver::ClassId;         //!< Flows of one bottleneck
    using PathGroupId = FlowsimMaxMinSolver::PathGroupId; //!< Flows of one path
    using FlowSlot = FlowsimMaxMinSolver::FlowSlot;       //!< Handle of an active flow

    /// Writes the next arrival, in order of time, and returns true; false when there are no more.
    using Source = std::function<bool(FlowsimArrival&)>;
    /// Receives completions in order of time; may call AddFlow(), but nothing that runs the engine.
    using Sink = std::function<void(const FlowsimCompletion&)>;
    /// Receives the id of a flow and its new rate [bit/s]; must not change the engine.
    using RateListener = std::function<void(uint64_t, double)>;
    /// Receives id, rate [bit/s] and bits left of an active flow.
    using FlowVisitor = std::function<void(uint64_t, double, double)>;

    static constexpr double EPOCH_NS = 1ULL << 18;      //!< Largest offset from the epoch [ns]
    static constexpr double SERVICE_LIMIT = 1ULL << 20; //!< Largest virtual service [bit]

    /**
     * @brief Makes an engine without flows, at time 0.
     * @param capacities capacity of each link [bit/s]
     */
    explicit FlowsimEngine(const std::vector<double>& capacities);
    ~FlowsimEngine();

    /**
     * @brief Sets where arrivals come from.
     * @param source the source
     */
    void SetSource(Source source);

    /**
     * @brief Sets where completions go to.
     * @param sink the sink
     */
    void SetSink(Sink sink);

    /**
     * @brief Sets the listener of rate changes, the first rate of a flow included.
     *
     * Costs a visit per flow whose rate changes; nothing when not set. Set it before running.
     * @param listener the listener
     */
    void SetRateListener(RateListener listener);

    /**
     * @brief Adds a flow at the current time.
     *
     * For closed-loop operation, from within the sink or between runs; the flow gets its rate with
     * the other events of the same instant. Throws std::invalid_argument, as Run() does for a flow
     * of the source, when the flow is refused by FlowsimMaxMinSolver::AddFlow() or its size is not
     * positive.
     *
     * @param flow the flow
     * @return its handle, valid until it completes
     */
    FlowSlot AddFlow(const FlowsimArrival& flow);

    /**
     * @brief Gives a flow another path at the current time, for its bits that are left.
     *
     * Between runs only. Start and id stay. Refuses a path as AddFlow() does.
     * @param flow an active flow
     * @param path its links
     * @param cap its largest rate [bit/s]
     * @return its handle
     */
    FlowSlot MoveFlow(FlowSlot flow, const std::vector<uint32_t>& path, double cap);

    /**
     * @brief Takes a flow out at the current time, between runs only. It does not complete.
     * @param flow an active flow
     * @return its bits that are left [bit]
     */
    double RemoveFlow(FlowSlot flow);

    /**
     * @brief Changes the capacity of a link at the current time; between runs only.
     *
     * The flows of the link leave it and enter it again: this costs an event for each. Handles
     * stay.
     * @param link a link
     * @param capacity its capacity [bit/s], positive and finite
     */
    void SetCapacity(uint32_t link, double capacity);

    /**
     * @brief Announces the path of the flow after the next one, to prefetch its links.
     * @param path the links; unknown ones are left out
     */
    void Expect(const std::vector<uint32_t>& path) const;

    /// Runs until the source is exhausted and all flows have completed; DcnError when that takes
    /// more than 2^63 ns, 292 years.
    void Run();

    /**
     * @brief Runs all events up to a time, that time included, and stays there.
     *
     * Throws std::invalid_argument for a time before the current one, std::logic_error when called
     * from within the sink, the source or the rate listener.
     * @param timeNs the time [ns]
     */
    void RunUntil(int64_t timeNs);

    /// @return current time [ns], rounded to a double
    double GetNowNs() const;

    /// @return next completion if no flow arrives [ns], rounded up; INT64_MAX without flows or for
    /// a later time; std::logic_error as for RunUntil()
    int64_t GetNextCompletionNs();

    /**
     * @brief Returns the rate of a flow.
     * @param flow an active flow
     * @return its rate [bit/s]
     */
    double GetRate(FlowSlot flow) const;

    /**
     * @brief Visits all active flows, in no particular but reproducible order.
     * @param visitor the visitor
     */
    void VisitFlows(const FlowVisitor& visitor) const;

    /// @return number of events handled, arrivals plus completions
    uint64_t GetNEvents() const;

    /// @return number of rate changes, of a class or a path group that changes class
    uint64_t GetNRateChanges() const;

    /// @return the allocation
    const FlowsimMaxMinSolver& GetSolver() const;

  private:
    /// An active flow.
    struct Flow
    {
        uint64_t id{0};          //!< Id given by the user
        int64_t startNs{0};      //!< Whole nanoseconds of the start
        double startFraction{0}; //!< Rest of the start [ns]
        double cap{0};           //!< Largest rate [bit/s]
    };

    /// The end of a flow in terms of the service of its path group.
    struct Target
    {
        double service; //!< Service of the path group at which the flow is done [bit per quantum]
        FlowSlot flow;  //!< The flow

        /// Makes the flow that ends first the top of a standard heap.
        bool operator<(const Target& other) const
        {
            return service > other.service || (service == other.service && flow > other.flow);
        }
    };

    /// Flows of one path and cap.
    struct PathGroup
    {
        ClassId cls{FlowsimMaxMinSolver::NONE}; //!< Its class, NONE while not in one
        double offset{0};         //!< Service of the class minus service of the path group
        double reportedLevel{-1}; //!< Level that the listener received last
        boost::container::small_vector<Target, 1> targets; //!< Standard heap
    };

    /// Flows of one bottleneck.
    struct Class;

    /// @return V(now)
    double GetService(const Class& cls) const;

    /// Brings the virtual service of a class to now, back to zero when it has grown large.
    void BringUpToDate(Class& cls);

    /// Lists a class to be scheduled anew after the event.
    void MarkStale(ClassId cls);

    /// A flow without its place in the allocation.
    struct Removed
    {
        Flow flow;              //!< the flow
        FlowsimArrival arrival; //!< its bits left, path, weight and cap
    };

    /// Takes a flow out; UpdateAllocation must have been called since the first flow of its path.
    Removed Remove(FlowSlot slot);

    /// Enters a flow that was taken out. @return its handle
    FlowSlot Restore(const Removed& removed);

    /// Adds a flow that starts now to the solver and to its path group. @return its handle
    FlowSlot Start(const FlowsimArrival& flow);

    /**
     * @brief Moves the clock, and the epoch when it is too far behind.
     * @param now the time [ns after the epoch]
     */
    void AdvanceTo(double now);

    /// Prefetches the records of the flows that are likely to complete next.
    void PrefetchCompletions();

    /// Ends the flows whose time has come and hands them to the sink.
    void CompleteFlows();

    /// Ends the flows of a class that are due.
    void CompleteClass(ClassId cls);

    /// Starts the pending arrival and those at the same time.
    void AdmitArrivals();

    /// Updates the allocation, then the classes and completions that depend on it.
    void UpdateAllocation();

    /// Takes a path group to the class that the solver gave it.
    void FollowPathGroup(PathGroupId group);

    /// Schedules the next completion of a class.
    void Schedule(ClassId cls);

    /// Reports changed rates.
    void ReportRates();

    /// Reports the rates of a path group if its level is not the one reported last.
    void ReportPathGroup(PathGroupId group);

    /// Pulls the next arrival.
    void Pull();

    FlowsimMaxMinSolver m_solver;                   //!< The allocation
    Source m_source;                                //!< Where arrivals come from
    Sink m_sink;                                    //!< Where completions go to
    RateListener m_listener;                        //!< Receives the rates
    FlowsimArrival m_pending;                       //!< Next arrival
    bool m_hasPending{false};                       //!< There is a next arrival
    bool m_sourceOpen{false};                       //!< The source may have more
    bool m_isRunning{false};                        //!< Within a call that handles events
    bool m_isReporting{false};                      //!< Within the rate listener
    bool m_needsSolve{false};                       //!< Flows came or went since the last update
    int64_t m_epochNs{0};                           //!< Origin of the times kept as double [ns]
    double m_now{0};                                //!< Current time [ns after the epoch]
    std::vector<Flow> m_flows;                      //!< Flows by slot
    DcnLargeVector<PathGroup> m_groups;             //!< Path groups
    DcnLargeVector<Class> m_classes;                //!< Classes
    std::vector<ClassId> m_stale;                   //!< Classes to be scheduled anew
    std::unique_ptr<FlowsimIndexedHeap> m_schedule; //!< Classes by time of next completion
    std::vector<uint32_t> m_scheduled;              //!< Positions of the classes in the schedule
    std::vector<uint32_t> m_inClass;                //!< Positions of the path groups in their class
    std::vector<FlowsimCompletion> m_done;          //!< Scratch: completions of one instant
    std::vector<FlowSlot> m_new;                    //!< Flows to be reported for the first time
    PathGroupId m_nextGroup{0};                     //!< Path group that will complete next
    uint32_t m_nextStep{0};                         //!< Step of its prefetch
    uint64_t m_nEvents{0};                          //!< Arrivals and completions
    uint64_t m_nRateChanges{0};                     //!< Changes of level or class
};

} // namespace ns3

#endif // FLOWSIM_ENGINE_H
