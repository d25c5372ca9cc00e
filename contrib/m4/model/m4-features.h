/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_FEATURES_H
#define M4_FEATURES_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/flowsim-fluid-model.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief What the network is told about flows and links, all in the units of the physics.
 *
 * Times are divided by the base round-trip time T of the flow's path (DcnBaseRttNs), bytes by the
 * bandwidth-delay product c T / 8 of its largest rate c, rates by c or by the capacity of the link;
 * what spans decades is taken as ln(1 + x), so that numbers at other rates are of the same order
 * (the published m4 has raw ones). Answers need not be as good there: M4RangeMonitor
 * warns.
 */
struct M4Features
{
    /// Features of a flow that never change.
    enum Static : uint32_t
    {
        SIZE,           //!< ln(1 + payload / 1000 B) / 8
        SIZE_BDP,       //!< ln(1 + wire bytes / BDP) / 4
        IDEAL,          //!< ln(ideal FCT / T) / 4
        HOPS,           //!< links of the path / 6
        BOTTLENECK,     //!< ln(c / smallest rate of the path)
        ONE_PACKET,     //!< 1 if one packet carries it all
        CC_DCTCP,       //!< 1 for that congestion control
        CC_DCQCN,       //!< likewise
        CC_TIMELY,      //!< likewise
        CC_HPCC,        //!< likewise
        WINDOW,         //!< ln(1 + window / BDP); of 4 BDP if there is none
        K_MIN,          //!< ln(1 + Kmin at the host's rate / BDP); 0 if nobody marks
        K_MAX,          //!< likewise of Kmax
        BUFFER,         //!< ln(1 + buffer / BDP) / 4
        PFC,            //!< 1 with priority flow control
        ETA,            //!< HPCC's eta, else 0
        INCREASE,       //!< HPCC's additive increase / c * 10, else 0
        RTT_LOW,        //!< ln(1 + TIMELY's Tlow / T), else 0
        RTT_HIGH,       //!< ln(1 + TIMELY's Thigh / T), else 0
        MIN_RATE,       //!< smallest rate / c
        END_STATIC
    };

    /// Features of an active flow at an event.
    enum Dynamic : uint32_t
    {
        IDLE,           //!< ln(1 + time since its last event / T), at most MAX_IDLE
        AGE,            //!< ln(1 + time since its start / T)
        LEFT,           //!< share of the fluid that is left (M4Memory)
        LEFT_BDP,       //!< ln(1 + fluid left / BDP) / 4
        RATE,           //!< fair rate / c after the event
        RATE_BEFORE,    //!< the same after its last event, 0 for a new flow
        FLUID,          //!< ln of the slowdown if the fair rate stayed, at most 4
        IS_EVENT,       //!< 1 for the flow that starts
        ARRIVAL,        //!< 1 if the event is a start
        CROWD,          //!< ln(1 + most other flows on a link of its path) / 2
        END_DYNAMIC
    };

    /// Features of a link at an event.
    enum Link : uint32_t
    {
        LINK_IDLE,      //!< ln(1 + time since its last event / T of the event's flow), at most
                        //!< MAX_IDLE, which it is before the first
        LINK_FLOWS,     //!< ln(1 + flows on it) / 2
        LINK_USED,      //!< sum of fair rates / capacity
        LINK_DEMAND,    //!< ln(1 + sum of largest rates / capacity)
        LINK_NEW,       //!< ln(1 + flows younger than T)
        LINK_RATE,      //!< ln(capacity / c)
        LINK_FIRST,     //!< 1 if it leaves the sender
        LINK_LAST,      //!< 1 if it enters the receiver
        LINK_PLACE,     //!< position on the path / 6
        LINK_ARRIVAL,   //!< 1 if the event is a start
        END_LINK
    };

    // numbers, as C++20 does not like sums of enumerators of two kinds
    static constexpr uint32_t N_STATIC = END_STATIC;         //!< features that never change
    static constexpr uint32_t N_DYNAMIC = END_DYNAMIC;       //!< features of a flow at an event
    static constexpr uint32_t N_FLOW = N_STATIC + N_DYNAMIC; //!< features of a flow
    static constexpr uint32_t N_LINK = END_LINK;             //!< features of a link
    static constexpr double MAX_IDLE = 6; //!< of IDLE and LINK_IDLE: 400 T, when all is over
    static constexpr uint32_t VERSION = 1; //!< of the list; part of a model's card
};

/**
 * @ingroup m4
 * @brief Who remembers what a flow was served so far.
 *
 * The network is told a share that is left of the fluid of an active flow: in LEFT, LEFT_BDP and
 * FLUID of M4Features, and as what its predictions start from. With r the present fair rate [bit/s]
 * and bits those of its fluid:
 *
 *     FLUID     1 - integral of the fair rates since the start / bits, at least 0
 *     STATES    1 - age [s] r / bits, at least 0.05
 *     NONE      1 at the start, 1/2 from then on
 *
 * The second needs no memory: the network knows age, r, and the rate that the flow had between its
 * last two events (RATE_BEFORE), but what it was served before that, only states can remember. It
 * is not 0, as a flow that is still there has not ended: where its present rate would have served
 * it long ago, it was slow before; and the nearer to 0, the less do labels of the share left reach
 * states through the sigmoid. The third has not even that product of age and rate, though the
 * network knows both: 1/2 is the mean of a share that falls evenly from 1 to 0. It is nearest to
 * the published network, which is told nothing of the fluid. Untrained, it is far from any
 * simulation: a flow that is touched again before half of its service time is over does not end.
 */
enum class M4Memory
{
    FLUID,  //!< the fluid simulation
    STATES, //!< states of the network, which is told what the present rate would have served
    NONE    //!< states of the network, which is told the same of all
};

/**
 * @ingroup m4
 * @brief What is known of a flow when it starts.
 */
struct M4FlowConstants
{
    double fluidBits;  //!< payload and headers [bit]
    double idealNs;    //!< completion time alone without window (DcnIdealFct), at least 1 [ns]
    double latencyNs;  //!< completion time alone less the time of service of the fluid [ns]
    double rttNs;      //!< base round-trip time T, at least 1 [ns]
    double maxRateBps; //!< largest rate c of the sender [bit/s]
    double capBps;     //!< largest rate with the window (FlowsimFluidModel) [bit/s]
    double fastestBps; //!< largest rate of the path's links [bit/s]
    double slowestBps; //!< smallest rate of these and of the sender [bit/s]
    std::array<float, M4Features::N_STATIC> features; //!< see M4Features::Static

    /**
     * @param fctNs a completion time [ns]
     * @return how long the flow then uses its links: without what its last bytes need to arrive.
     * That may be less than nothing where a window limits the rate: the last packets of a flow
     * need not wait for acknowledgements. Then the flow uses its links until it ends.
     */
    int64_t GetServiceNs(int64_t fctNs) const
    {
        return std::max<int64_t>(0, fctNs - static_cast<int64_t>(std::max(0.0, latencyNs)));
    }
};

/**
 * @ingroup m4
 * @brief Computes what is known of flows when they start.
 */
class M4FlowModel
{
  public:
    /**
     * @param topology the network, which must outlive the model
     * @param network the configuration, which must outlive the model
     */
    M4FlowModel(const DcnTopology& topology, const DcnNetworkParameters& network);

    /**
     * @param path the flow's links
     * @param sizeBytes its payload, > 0
     * @return what is known of the flow
     */
    M4FlowConstants Compute(DcnPath path, uint64_t sizeBytes) const;

  private:
    const DcnTopology& m_topology;         //!< the network
    const DcnNetworkParameters& m_network; //!< the configuration
    FlowsimFluidModel m_fluid;             //!< flows as fluids, with the window cap
};

} // namespace ns3

#endif /* M4_FEATURES_H */
