/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_SESSION_H
#define M4_SESSION_H

#include "ns3/dcn-closed-loop.h"
#include "ns3/dcn-session-network.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-scenario.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <vector>

namespace ns3
{

class DcnIdleTime;
class DcnRangeMonitor;
class M4FlowModel;
class M4MessageRate;
class M4Network;
class M4RangeFeatures;
class M4Tracker;
struct M4Snapshot;

/**
 * @ingroup m4
 * @brief An event: a start or a departure of a flow.
 */
struct M4Event
{
    int64_t timeNs; //!< when [ns]
    uint32_t flow;  //!< flow index
    bool isArrival; //!< true: start; false: departure from its links
};

/**
 * @ingroup m4
 * @brief Flow-level simulation with learned completion times, for callers with their own clock.
 *
 * There are two kinds of events, starts of flows and departures (m4, section 3.2). After each event
 * the network predicts the slowdown s of every flow that the event affects. With L the latency of
 * the last bytes (M4FlowConstants), the flow
 *
 *     departs    at max(start + ideal FCT x s - L, now): it then releases its links,
 *     and ends   at max(start + ideal FCT x s, departure),
 *
 * and the next event is the earliest departure, or the next start if that is earlier. Most flows
 * are short, and their bytes are in flight most of the time: fair rates would be far too low if
 * flows held their links until their ends. Times are whole nanoseconds. At equal times, departures
 * come first, in the order of the flows' starts, then starts by the departure listener, then ends,
 * then other starts.
 *
 * **Messages.** The network predicts the median completion time of a flow that starts without bytes
 * on its way. If messages wait for each other, the errors of their medians add up. Two kinds of
 * messages of connections (DcnFlowKind) need no prediction:
 *
 * - a message that has met no other flow on its links since its start: no data queues before it;
 * - a message behind another one of its connection. The queues before the last byte of this one are
 *   those before the last byte of the other, so that between the two only its own bits pass.
 *
 * Such a message of B bits, with the rate x(t) of M4MessageRate,
 *
 *     departs    when the integral of x from its start on is B,
 *     and ends   L later.
 *
 * x is computed anew at the events that affect the message, and, of a message that is alone, at
 * those on its way back; changes elsewhere take effect at the next of these. A message behind
 * another one has at most the rate of its window (FlowsimFluidModel::GetWindowCap), from its first
 * byte on, so that the second window of a busy connection is up to a round trip too late. When a
 * message that was alone meets a flow, the network predicts it from then on, but not before its
 * remaining bits can be there.
 *
 * **Flows of their own** need no prediction as long as they are undisturbed
 * (M4Tracker::IsUndisturbed): no packet of another flow, data or acknowledgement, has been on their
 * links. They then have their idle times (DcnIdleTime), with the congestion control in force, and no
 * spread. From the first other flow on they are predicted by the network, as is every flow by the
 * published network.
 *
 * Typical use: add flows, advance to GetNextEventNs(), and so on until there is none. The
 * interface is that of FlowsimSession.
 */
class M4Session
{
  public:
    using Handle = uint32_t; //!< A flow that has not departed; used again afterwards

    static constexpr int64_t NEVER = INT64_MAX; //!< no event

    /// Receives id and completion time [ns] of a flow that ends now.
    using DeliveryListener = std::function<void(uint64_t, int64_t)>;
    /// Receives the id of a flow that leaves its links, and the time [ns]; may add flows.
    using DepartureListener = std::function<void(uint64_t, int64_t)>;
    /// Receives the id of a flow that departs, and the quantiles of its slowdown, which are at the
    /// levels of M4Spread, rise, and are at least 1.
    using SpreadListener = std::function<void(uint64_t, const std::vector<double>&)>;

    /**
     * @param topology the network, which must outlive the session
     * @param network the configuration, which must outlive the session
     * @param model weights
     * @param name under which warnings are printed on standard error; empty: they are kept only
     * (GetWarnings)
     * @throws DcnError if the model has an architecture or features that this release does not
     * support, was not trained on the congestion control, or needs LibTorch and it is missing
     */
    M4Session(const DcnTopology& topology,
              const DcnNetworkParameters& network,
              const DcnModelFile& model,
              const std::string& name = "");
    ~M4Session();

    /**
     * @brief Set the listener of ends; it may add flows.
     * @param listener the listener; its exceptions leave AdvanceTo after the event is complete
     */
    void SetDeliveryListener(DeliveryListener listener);

    /**
     * @brief Set the listener of departures.
     * @param listener the listener, called after the last departure of an instant; it may add
     * flows, and its exceptions leave AdvanceTo after the event is complete
     */
    void SetDepartureListener(DepartureListener listener);

    /**
     * @brief Set the listener of the spread of slowdowns, before the first flow is added. Without
     * one, the spread is not computed.
     * @param listener the listener, which may not throw; it is never called if the model has no
     * spread (HasSpread)
     */
    void SetSpreadListener(SpreadListener listener);

    /** @return whether the model predicts the spread of slowdowns. */
    bool HasSpread() const;

    /**
     * @brief Add a flow that starts now.
     * @param id free for the user
     * @param path its links, which are copied
     * @param sizeBytes its payload
     * @param kind whether it is a message of a connection; see above
     * @return its handle
     * @throws DcnError if the size is 0, or the path is empty or visits a link twice
     */
    Handle AddFlow(uint64_t id,
                   DcnPath path,
                   uint64_t sizeBytes,
                   DcnFlowKind kind = DcnFlowKind::FLOW);

    /**
     * @brief Take a flow out now; it does not end.
     *
     * It has sent as much as its rates say if it is a message that needs no prediction, else the
     * part of the time until its predicted departure that has passed.
     * @param flow a flow that has not departed; DcnError for an unknown flow
     * @return payload that was not sent, at least 1 [bytes]
     */
    uint64_t Withdraw(Handle flow);

    /**
     * @brief Change the rate of a cable from now on, both directions. Ideal times follow.
     * @param link one of its directed link indices; no flow crosses it (Withdraw)
     * @param rateBps its rate [bit/s], > 0
     */
    void SetLinkRate(uint32_t link, uint64_t rateBps);

    /**
     * @param link directed link index
     * @return its present rate [bit/s]
     */
    uint64_t GetLinkRate(uint32_t link) const
    {
        return m_topology->GetLink(link).rateBps;
    }

    /**
     * @param flow a flow that has not departed; DcnError for an unknown flow
     * @return its links
     */
    const std::vector<uint32_t>& GetLinks(Handle flow) const;

    /** @return time of the next departure or end [ns], or NEVER. */
    int64_t GetNextEventNs();

    /**
     * @brief Handle all events up to a time, and stay there.
     * @param timeNs the time [ns]
     * @throws DcnError if it is before the present time
     */
    void AdvanceTo(int64_t timeNs);

    /** @return the present time [ns]. */
    int64_t GetNowNs() const;

    /**
     * @param flow a flow that has not departed
     * @return its latest predicted completion time [ns]
     * @throws DcnError for an unknown flow
     */
    int64_t GetPredictedFctNs(Handle flow) const;

    /**
     * @brief Predict the remaining size of a flow, without a change of states.
     * @param flow a flow that has not departed
     * @return remaining fraction of its payload at the receiver
     * @throws DcnError for an unknown flow
     */
    double GetRemaining(Handle flow);

    /**
     * @param flow a flow that has not departed; DcnError for an unknown flow
     * @return remaining fraction at its fair rates so far; NaN for the published network,
     * which has no fair rates
     */
    double GetFluidRemaining(Handle flow) const;

    /**
     * @brief Predict a queue, without a change of states.
     * @param link directed link index
     * @return bytes waiting there now
     * @throws DcnError if there is no such link
     */
    double GetQueueBytes(uint32_t link);

    /** @return after AddFlow: waiting bytes by link of the flow's path. */
    std::vector<float> GetQueuesOfEvent() const;

    /** @return number of events handled, starts and departures. */
    uint64_t GetNEvents() const;

    /** @return sum over all events of the number of affected flows. */
    uint64_t GetNTouched() const;

    /** @return number of predicted departures in memory, outdated ones included. */
    std::size_t GetNPredictions() const;

    /** @return warnings of values outside of the trained ranges (DcnRangeMonitor). */
    const std::vector<std::string>& GetWarnings() const;

  private:
    /// A flow that has not departed.
    struct Flow
    {
        uint64_t id;      //!< given by the user
        int64_t startNs;  //!< start
        int64_t endNs;    //!< predicted end
        uint64_t order;   //!< number of its start
        uint32_t version; //!< number of predictions; older ones are outdated
        DcnFlowKind kind; //!< of AddFlow
        double leftBits;  //!< of IsFluid: not yet sent at the time below
        double rateBps;   //!< of IsFluid: rate from then on
        int64_t sinceNs;  //!< last change of the rate [ns]
        bool wasFluid;    //!< it was IsFluid before and is no more: leftBits is of sinceNs
        int64_t idleNs;   //!< of IsIdle: completion time [ns]
    };

    /// A predicted departure.
    struct Departure
    {
        int64_t timeNs;   //!< when
        uint64_t order;   //!< number of the flow's start
        Handle flow;      //!< the flow
        uint32_t version; //!< version of the prediction

        /// Makes the earliest departure the top of a standard heap.
        bool operator<(const Departure& other) const
        {
            return timeNs > other.timeNs || (timeNs == other.timeNs && order > other.order);
        }
    };

    /// Predicted departures.
    struct Departures : std::priority_queue<Departure>
    {
        /// Removes all departures that do not meet a predicate.
        template <class Predicate>
        void Keep(Predicate isWanted)
        {
            c.erase(std::remove_if(c.begin(), c.end(), std::not_fn(isWanted)), c.end());
            std::make_heap(c.begin(), c.end(), comp);
        }
    };

    /// A flow whose last bytes are on their way.
    struct End
    {
        int64_t timeNs; //!< when they arrive
        uint64_t order; //!< number of its departure
        uint64_t id;    //!< given by the user
        int64_t fctNs;  //!< completion time

        /// Makes the earliest end the top of a standard heap.
        bool operator<(const End& other) const
        {
            return timeNs > other.timeNs || (timeNs == other.timeNs && order > other.order);
        }
    };

    /// Predicts the departures of the flows that the last event affected.
    void Predict();
    /// Returns whether a flow is a message that needs no prediction.
    bool IsFluid(Handle handle) const;
    /// Returns whether a flow of its own is undisturbed, so that it needs no prediction.
    bool IsIdle(Handle handle) const;
    /// Sets the idle time of such a flow, once.
    void SetIdle(Handle handle);
    /// Computes the departure of such a message anew, if its rate has changed.
    void Serve(Handle handle);
    /// Subtracts what such a message has sent at its rate so far.
    void Settle(Flow& flow);
    /// Returns its completion time if it has a rate from the last change on [ns].
    double GetFctNs(Handle handle, double rateBps) const;
    /// Returns the least completion time of a flow that is predicted [ns]: of a message that was
    /// alone before, that with its remaining bits at its largest rate; else 0.
    double GetLeastFctNs(Handle handle);
    /// Sets the predicted completion time of a flow, and its departure [ns].
    void Schedule(Handle handle, double fctNs);
    /// Ends the earliest valid departure of the heap.
    void Depart();
    /// Returns whether a departure is due now.
    bool IsDepartureDue();
    /// Reports the departure that is to be reported next.
    void ReportDeparture();
    /// Reports the flows that end now.
    void ReportEnds();
    /// Returns whether a prediction is the latest of its flow.
    bool IsLatest(const Departure& departure) const;
    /// Returns the flow of a handle.
    const Flow& Find(Handle handle) const;
    /// Removes outdated predictions at the top of the heap.
    void SkipOutdated();

    /// Makes what depends on the rates of links.
    void FollowTopology();

    Ptr<const DcnTopology> m_changed; //!< the network with rates that changed; null: none has
    const DcnTopology* m_topology;    //!< the network with present rates
    const DcnNetworkParameters& m_parameters;         //!< its configuration
    std::unique_ptr<M4RangeFeatures> m_rangeFeatures; //!< for comparison with the training
    std::unique_ptr<DcnRangeMonitor> m_range; //!< warns of values outside of the trained ranges
    std::unique_ptr<M4FlowModel> m_model;     //!< constants of flows
    std::unique_ptr<M4MessageRate> m_rate;    //!< rates of messages
    bool m_hasIdleTimes{false};               //!< idle times apply
    std::unique_ptr<DcnIdleTime> m_idle; //!< idle times; null if they do not apply
    std::unique_ptr<M4Network> m_network;     //!< predictions
    std::unique_ptr<M4Tracker> m_tracker;     //!< active flows
    std::unique_ptr<M4Snapshot> m_snapshot;   //!< the last event
    std::vector<Flow> m_flows;                //!< by handle, which is the tracker's slot
    Departures m_departures;                  //!< outdated ones among them
    std::priority_queue<End> m_ends;          //!< of flows that have departed
    DeliveryListener m_listener;              //!< listener of ends
    DepartureListener m_departureListener;    //!< listener of departures
    std::deque<uint64_t> m_departed;          //!< departures to be reported, ids of flows
    SpreadListener m_spreadListener;          //!< listener of the spread of slowdowns
    int64_t m_nowNs{0};                       //!< present time
    uint64_t m_nStarted{0};                   //!< flows started
    uint64_t m_nDeparted{0};                  //!< flows departed
    uint64_t m_nEvents{0};                    //!< see GetNEvents
    uint64_t m_nTouched{0};                   //!< see GetNTouched
};

/**
 * @ingroup m4
 * @brief Quantiles of the slowdowns of flows, at the levels of M4Spread.
 */
class M4SpreadTable
{
  public:
    /** @return whether the model that was run has no spread. */
    bool IsEmpty() const;

    /**
     * @param nFlows number of flows
     */
    void Reset(std::size_t nFlows);

    /**
     * @param flow its index
     * @param quantiles M4Spread::N of its slowdown
     */
    void Set(std::size_t flow, const std::vector<double>& quantiles);

    /**
     * @param flow its index
     * @param level in (0, 1)
     * @return the quantile of its slowdown: linear in ln slowdown between the levels of M4Spread,
     * and that of the first or last level beyond them
     */
    double GetQuantile(std::size_t flow, double level) const;

    /**
     * @brief Slowdowns that represent the distribution over all flows of the scenario.
     *
     * For flow i with the quantiles Q(p), they are
     *
     *     max(1, Q(0.5) (Q(p) / Q(0.5))^WITHIN),   p = (j + u_i) / n,   j = 0 .. n - 1,
     *
     * where u_i is the fractional part of i times the golden ratio, so that levels are even over
     * flows of neighbouring numbers, too. The quantiles of one flow include that the network may be
     * wrong about the whole scenario. Such an error is common to all flows, so that it does not
     * make their distribution wider. M4Spread::WITHIN is the part of the spread that does.
     * @param flow i
     * @param n number of slowdowns, at least 1
     * @return the slowdowns
     */
    std::vector<double> GetSample(std::size_t flow, uint32_t n) const;

  private:
    std::vector<float> m_log; //!< ln of the quantiles, flow by flow
};

/**
 * @ingroup m4
 * @brief Run the flows of a scenario, open loop.
 * @param scenario the scenario
 * @param model weights
 * @param onFlow called for every flow that ends; may be null
 * @param warnings set to sentences on quantities outside of the training (DcnRangeMonitor); may
 * be null
 * @param spread set to the quantiles of slowdowns by flow index; empty if the model has none; may
 * be null
 * @return completion time by flow index [ns]
 */
std::vector<int64_t> M4Run(const DcnScenario& scenario,
                           const DcnModelFile& model,
                           const std::function<void()>& onFlow = nullptr,
                           std::vector<std::string>* warnings = nullptr,
                           M4SpreadTable* spread = nullptr);

/**
 * @ingroup m4
 * @brief Run the flows of a scenario, open loop, and record the events.
 * @param scenario the scenario
 * @param model weights
 * @return starts and departures in their order
 */
std::vector<M4Event> M4RunEvents(const DcnScenario& scenario, const DcnModelFile& model);

/**
 * @ingroup m4
 * @brief Run a scenario as a closed loop: flows are offered at their start times (DcnClosedLoop).
 * @param scenario the scenario
 * @param model weights
 * @param limit flows in flight from a rack of sources; DcnError for 0
 * @param warnings set to sentences on quantities outside of the training (DcnRangeMonitor); may
 * be null
 * @return releases and completion times
 */
DcnClosedLoopResult M4RunClosedLoop(const DcnScenario& scenario,
                                    const DcnModelFile& model,
                                    uint32_t limit,
                                    std::vector<std::string>* warnings = nullptr);

} // namespace ns3

#endif /* M4_SESSION_H */
