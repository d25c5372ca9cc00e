/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_WINDOW_SIMULATION_H
#define FLOWSIM_WINDOW_SIMULATION_H

#include "flowsim-fluid-model.h"
#include "flowsim-stream.h"

#include "ns3/dcn-scenario.h"
#include "ns3/flowsim-max-min-solver.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Fluids of a transport with connections, such as TCP: handshakes, windows that grow, and
 * the queues that windows make.
 *
 * Used for configurations with a slow start (DcnNetworkParameters::initialWindowBytes). Notation as
 * in DcnIdealFct; flow f has the path P_f, in the other direction P_f', and the rate x_f. Bits are
 * those on the wire.
 *
 * **Queues.** A flow keeps a window w_f in flight. Its rate fills links and propagation with
 * x_f T_f, and the rest waits at the flow's bottleneck b(f), up to the Q packets of queue_packets:
 *
 *     q_l = min(sum over f with b(f) = l of max(0, w_f - x_f T_f), Q p_l) / R_l
 *
 * is the time that a packet waits at link l. There p_l is the mean size of the packets on l:
 * data packets of the flows that cross it, and an acknowledgement of H bytes for every second
 * data packet of the flows in the other direction. What exceeds Q packets waits in queues of the
 * flows' own (FqCoDelQueueDisc), where it delays nobody else.
 *
 * **Rates** are max-min fair with the caps
 *
 *     x_f <= w_f / (T_f + sum of q over P_f and P_f'),
 *
 * and queues follow from rates: both are computed twice at each change.
 *
 * Where the windows of a link do not fill its queue, caps add up to its rate, and flows share it
 * in proportion to their windows, as in a FIFO queue; where they do, caps exceed the fair
 * shares, which fair queueing gives.
 *
 * **Life of a flow.** It starts at a_f. Its handshake takes h (T_0 + sum of q over P_f and
 * P_f'), its first packet then waits for the queues of P_f. Window w_0 is sent without a cap.
 * The window is set anew each round trip T_f + sum of q, later each 1/16 of the flow's age. With
 * S bytes sent it is min(I + S, W) in slow start. That ends at the window e when w reaches E =
 * slow_start_bytes and covers the bandwidth-delay product at the flow's rate, as HyStart detects
 * it by trains of acknowledgements that are longer than the round-trip time: at once where the
 * flow shares its bottleneck, since a window then takes a round-trip time. Afterwards, g =
 * window_growth_divisor,
 *
 *     w = min(e + (I + S - e) / g, W).
 *
 * TcpCubic: E = HyStartLowWindow (16 segments), g = CntClamp (20): without a loss it adds a
 * segment per CntClamp acknowledged ones. A flow that has its bottleneck to itself sends each
 * window back to back and waits for the first acknowledgement, so that a flow alone has the
 * completion time of DcnIdealFct. If B bits were served at the time e_f,
 *
 *     FCT = e_f - a_f + latency + rest - B / b,    at least the ideal FCT.
 *
 * Not modelled: losses and marks, and reductions of windows by them; acknowledgements take no
 * capacity.
 */
class FlowsimWindowSimulation
{
  public:
    /// Returns the weight of a flow in the allocation.
    using Weight = std::function<double(const DcnFlow&)>;
    /// Receives index and completion time [ns] of a flow.
    using Sink = std::function<void(std::size_t, int64_t)>;

    /**
     * @brief Makes a simulation.
     * @param scenario with a slow start; it must outlive the simulation
     * @param options options of the fluid model; the window limits rates whatever they say
     * @param weight weights of flows, or null
     */
    FlowsimWindowSimulation(const DcnScenario& scenario,
                            const FlowsimOptions& options,
                            const Weight& weight);

    /**
     * @brief Simulates all flows.
     * @param sink receives the flows in the order in which their service ends
     * @return numbers of flows, events and allocations
     */
    FlowsimStatistics Run(const Sink& sink);

  private:
    static constexpr uint32_t NONE = FlowsimMaxMinSolver::NONE; //!< no bottleneck, no slot
    /// Load relative to the capacity above which a queue that capped flows have made persists.
    static constexpr double FULL = 0.95;
    static constexpr double CAP_TOLERANCE = 0.01; //!< caps are kept if they change by less
    static constexpr double AGE_STEP = 1.0 / 16;  //!< see the class comment

    /// Steps of a flow, in the order in which those of one time are taken.
    enum class Step : uint8_t
    {
        START, //!< the handshake begins
        OPEN,  //!< the first packet is sent
        SERVE, //!< its service begins
        ROUND, //!< the window is set anew
    };

    /// A step that is due.
    struct Event
    {
        double timeNs;  //!< its time
        uint64_t order; //!< number of the event, for equal times
        Step step;      //!< the step
        uint32_t flow;  //!< of this flow

        /// Makes the earliest event the top of a standard heap.
        bool operator<(const Event& other) const
        {
            return timeNs > other.timeNs || (timeNs == other.timeNs && order > other.order);
        }
    };

    /// A flow that has begun.
    struct Flow
    {
        double bits{0};                            //!< B
        double leftBits{0};                        //!< not served yet
        double creditBits{0};                      //!< may be sent before the next round
        double windowBits{0};                      //!< w_f
        double slowEndBits{0};                     //!< e, 0 in slow start
        double cap{FlowsimMaxMinSolver::INFINITE}; //!< largest rate [bit/s]
        double rate{0};                            //!< x_f [bit/s], 0 while it waits
        double endNs{0};                           //!< when fluid or credit ends at this rate
        double openNs{0};                          //!< its service began
        double baseNs{0};                          //!< T_f
        uint32_t slot{NONE};                       //!< in the solver
        uint32_t bottleneck{NONE};                 //!< b(f)
        DcnIdealFct ideal{};                       //!< its times alone
        std::vector<uint32_t> path;                //!< its links
    };

    /// Adds an event.
    void Schedule(double timeNs, Step step, uint32_t flow);
    /// @return waiting times along the path and, if wanted, back [ns]
    double GetQueueNs(const Flow& flow, bool isRoundTrip) const;
    /// Takes a step of a flow; returns whether the allocation changes.
    bool Take(const Event& event);
    /// Gives a flow the window for what it has sent; alone or not at its bottleneck.
    void SetWindow(Flow& flow, bool isAlone) const;
    /// Adds a flow to the allocation, or changes its cap.
    void Insert(uint32_t index);
    /// Takes a flow out of the allocation.
    void Erase(Flow& flow);
    /// Ends the flows and windows that are due.
    void Finish(const Sink& sink);
    /// @return the largest rate of a flow by its window and the queues [bit/s]
    double GetCap(const Flow& flow) const;
    /// Allocates rates, derives queues from them, and rates from those queues.
    void Allocate();
    /// Allocates rates.
    void SetRates();
    /// Derives queues from rates.
    void UpdateQueues();

    const DcnScenario& m_scenario;         //!< input
    const DcnNetworkParameters& m_network; //!< its configuration
    FlowsimFluidModel m_model;             //!< capacities
    Weight m_weight;                       //!< or null
    FlowsimMaxMinSolver m_solver;          //!< the allocation
    std::vector<Flow> m_flows;             //!< by index
    std::vector<uint32_t> m_active;        //!< flows in the allocation
    std::vector<double> m_queueNs;         //!< q by link
    std::vector<double> m_load;            //!< rate by link [bit/s]
    std::vector<double> m_waiting;         //!< bits at a bottleneck, by link
    std::vector<uint32_t> m_used;          //!< links with a load
    std::priority_queue<Event> m_events;   //!< steps that are due
    uint64_t m_nEvents{0};                 //!< events so far
    double m_nowNs{0};                     //!< present time
};

} // namespace ns3

#endif // FLOWSIM_WINDOW_SIMULATION_H
