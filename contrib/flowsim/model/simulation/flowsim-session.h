/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_SESSION_H
#define FLOWSIM_SESSION_H

#include "../solver/flowsim-slot-table.h"
#include "flowsim-engine.h"
#include "flowsim-fluid-model.h"

#include "ns3/dcn-closed-loop.h"
#include "ns3/dcn-flow.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Fluid simulation for callers with their own clock: flows are added while it runs.
 *
 * For closed loops and for ns-3 simulations (FlowsimNetwork). Time is in whole nanoseconds. A flow
 * is *served* when its fluid has left the sender, and *delivered* at its completion time, the
 * latency of its path later (FlowsimFluidModel). (Ideal completion times round the time of each
 * header down, by up to 0.4 ns at 10 Gb/s; after very many packets a flow is served after its
 * completion time, and is delivered at once.) Deliveries are reported in order of time, then of the
 * end of service. A flow added by a listener starts at that time.
 *
 * Typical use: add flows, advance to GetNextEventNs(), and so on until there is none.
 */
class FlowsimSession
{
  public:
    using Handle = uint32_t; //!< A flow that has not been delivered; used again afterwards

    static constexpr int64_t NEVER = INT64_MAX; //!< No event

    /// Receives id and completion time [ns] of a flow that is delivered now; may add flows.
    using DeliveryListener = std::function<void(uint64_t, int64_t)>;
    /// Receives the id of a flow that has been served, and the time [ns]; may add flows, which
    /// start at the very instant of the end of service.
    using DepartureListener = std::function<void(uint64_t, int64_t)>;
    /// Receives id and rate [bit/s] of a flow, 0 when it has been served.
    using RateListener = std::function<void(uint64_t, double)>;

    /**
     * @brief Makes a session without flows, at time 0.
     * @param topology the network, which must outlive the session
     * @param network the configuration, which must outlive the session
     * @param options options of the fluid model; DcnError for a bad value
     */
    FlowsimSession(const DcnTopology& topology,
                   const DcnNetworkParameters& network,
                   const FlowsimOptions& options);

    /// Sets the listener of deliveries; it may add flows.
    void SetDeliveryListener(DeliveryListener listener);

    /// Sets the listener of ends of service; it may add flows.
    void SetDepartureListener(DepartureListener listener);

    /**
     * @brief Lets acknowledgements load the way back; by default they cost nothing.
     *
     * With M the payload and H the headers of a packet, data at rate x makes acknowledgements of
     * rate v x on the reverse links, v = 60 / (M + H). They are a fluid of their own: as many bits
     * as the flow's acknowledgements have, weight v, and at most v times the smallest link rate of
     * the path. So on a link where data of both directions has one level s, data gets s and
     * acknowledgements v s, which fill the capacity C at s = C / (1 + v): hosts that send and
     * receive at once are slower by 5.4 % with packets of 1048 bytes. Where levels differ,
     * acknowledgements follow the level of the way back in place of that of their data.
     *
     * @param isOn whether they do; set it before flows are added
     */
    void SetAcknowledgements(bool isOn);

    /**
     * @brief Sets the listener of rates. Costs a visit per flow whose rate changes.
     * @param listener the listener; set it before flows are added
     */
    void SetRateListener(RateListener listener);

    /**
     * @brief Adds a flow that starts now.
     *
     * Flows of one instant are best added without queries in between, so that the allocation is
     * computed once.
     * @param id free for the user
     * @param path its links; throws std::invalid_argument for one that visits a link twice
     * @param sizeBytes its payload, > 0
     * @param weight its weight in the allocation
     * @return its handle
     */
    Handle AddFlow(uint64_t id, DcnPath path, uint64_t sizeBytes, double weight = 1);

    /**
     * @brief Gives a flow another path now, for what is left of it; nothing if it has been served.
     *
     * Its completion time is the end of service plus the latency of the new path.
     * @param flow a flow that has not been delivered
     * @param path its links
     */
    void MoveFlow(Handle flow, DcnPath path);

    /**
     * @brief Takes a flow out now; it is not delivered.
     * @param flow a flow that has not been served
     * @return payload that was not sent, at least 1 [bytes]
     */
    uint64_t Withdraw(Handle flow);

    /**
     * @brief Changes the rate of a link from now on. Ideal times and latencies keep the topology's.
     * @param link a directed link
     * @param rateBps its rate [bit/s], > 0
     */
    void SetLinkRate(uint32_t link, uint64_t rateBps);

    /// @return time of the next end of service or delivery [ns], or NEVER
    int64_t GetNextEventNs();

    /**
     * @brief Handles all events up to a time, and stays there.
     *
     * Throws std::invalid_argument for a time before the present one, std::logic_error when a
     * listener calls it.
     * @param timeNs the time [ns]
     */
    void AdvanceTo(int64_t timeNs);

    /// @return the present time [ns]
    int64_t GetNowNs() const;

    /// @return its rate [bit/s], 0 when it has been served
    double GetRate(Handle flow);

    /// @return the engine, for its statistics
    const FlowsimEngine& GetEngine() const;

  private:
    /// A flow that has not been delivered.
    struct Flow
    {
        uint64_t id;                     //!< Given by the user
        uint64_t sizeBytes;              //!< Its payload
        FlowsimFluid fluid;              //!< The flow as a fluid
        FlowsimEngine::FlowSlot slot;    //!< Its handle in the engine
        FlowsimEngine::FlowSlot ackSlot; //!< That of its acknowledgements
        bool hasAcks;                    //!< Its acknowledgements are in the engine
        bool isServed;                   //!< Its service has ended
        bool isDelivered;                //!< It waits for the end of its acknowledgements
        int64_t fctNs;                   //!< Completion time [ns] of a flow that has been served
    };

    /// A flow on its way to the receiver.
    struct Delivery
    {
        int64_t timeNs; //!< When it is delivered
        uint64_t order; //!< Position among the flows served
        Handle flow;    //!< The flow

        /// Makes the earliest delivery the top of a standard heap.
        bool operator<(const Delivery& other) const
        {
            return timeNs > other.timeNs || (timeNs == other.timeNs && order > other.order);
        }
    };

    /// Marks the ids of acknowledgements in the engine; the rest is the handle of their flow.
    static constexpr uint64_t ACKNOWLEDGEMENTS = uint64_t{1} << 63;

    /// @return rate of acknowledgements for a rate of data of 1
    double GetAckShare() const;

    /// Sets path and cap of the scratch to those of the acknowledgements of a path.
    void SetWayBack(DcnPath path);

    /// Adds the fluid of the acknowledgements of a flow.
    void AddAcknowledgements(Handle handle, DcnPath path, double weight);

    /// Schedules the delivery of a flow that has been served.
    void OnServed(const FlowsimCompletion& completion);

    /// Reports the deliveries that are due.
    void Deliver();

    const DcnTopology& m_topology;              //!< The network
    const DcnNetworkParameters& m_network;      //!< The configuration
    bool m_hasAcknowledgements{false};          //!< See SetAcknowledgements
    FlowsimFluidModel m_model;                  //!< How flows become fluids
    FlowsimEngine m_engine;                     //!< The fluid simulation
    FlowsimSlotTable<Flow> m_flows;             //!< Flows by handle
    std::priority_queue<Delivery> m_deliveries; //!< Flows that have been served
    uint64_t m_nServed{0};                      //!< Flows served so far
    int64_t m_nowNs{0};                         //!< Present time
    bool m_isDelivering{false};                 //!< Within the delivery listener
    FlowsimArrival m_arrival;                   //!< Scratch
    DeliveryListener m_deliveryListener;        //!< Receives deliveries
    DepartureListener m_departureListener;      //!< Receives ends of service
    RateListener m_rateListener;                //!< Receives rates
};

/**
 * @ingroup flowsim
 * @brief Simulates a scenario as a closed loop: flows are offered at their start times
 * (DcnClosedLoop).
 * @param scenario the scenario
 * @param limit flows in flight from a rack of sources; DcnError for 0
 * @param options options of the fluid model
 * @return releases and completion times
 */
DcnClosedLoopResult FlowsimRunClosedLoop(const DcnScenario& scenario,
                                         uint32_t limit,
                                         const FlowsimOptions& options = {});

} // namespace ns3

#endif // FLOWSIM_SESSION_H
