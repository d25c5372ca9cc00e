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
 * @brief Dimensionless features of flows and links for the default network.
 *
 * Times are divided by the base round-trip time T of the flow's path (DcnBaseRttNs), bytes by the
 * bandwidth-delay product c T / 8 of the sender's largest rate c, rates by c or by the capacity of
 * the link. Quantities that span decades are features as ln(1 + x). So features have the same order
 * of magnitude at all link rates. Backlogs, loads and mean waiting times are those of
 * M4LinkHistory, with a slack of SLACK T. Answers outside of the trained range may still be wrong:
 * DcnRangeMonitor warns. M4PublishedFeatures has those of the published network.
 */
struct M4Features
{
    /// Constant features of a flow.
    enum Static : uint32_t
    {
        SIZE,       //!< ln(1 + payload / 1000 B) / 8
        SIZE_BDP,   //!< ln(1 + wire bytes / BDP) / 4
        IDEAL,      //!< ln(ideal FCT / T) / 4
        HOPS,       //!< links of the path / 6
        BOTTLENECK, //!< ln(c / smallest rate of the path)
        ONE_PACKET, //!< 1 for a flow of one packet
        CC_DCTCP,   //!< 1 for that congestion control
        CC_DCQCN,   //!< 1 for that congestion control
        CC_TIMELY,  //!< 1 for that congestion control
        CC_HPCC,    //!< 1 for that congestion control
        WINDOW,     //!< ln(1 + window / BDP); of 4 BDP without a window
        K_MIN,      //!< ln(1 + Kmin at the host's rate / BDP); 0 without marking
        K_MAX,      //!< ln(1 + Kmax at the host's rate / BDP); 0 without marking
        BUFFER,     //!< ln(1 + buffer / BDP) / 4
        PFC,        //!< 1 with priority flow control
        ETA,        //!< HPCC's eta, else 0
        INCREASE,   //!< HPCC's additive increase / c * 10, else 0
        RTT_LOW,    //!< ln(1 + TIMELY's Tlow / T), else 0
        RTT_HIGH,   //!< ln(1 + TIMELY's Thigh / T), else 0
        MIN_RATE,   //!< smallest rate / c
        END_STATIC
    };

    /// Features of an active flow at an event.
    enum Dynamic : uint32_t
    {
        IDLE,          //!< ln(1 + time since its last event / T), at most MAX_IDLE
        AGE,           //!< ln(1 + time since its start / T)
        REMAINING,     //!< remaining fraction at the fair rates so far
        REMAINING_BDP, //!< ln(1 + remaining bytes on the wire / BDP) / 4
        RATE,          //!< fair rate / c after the event
        RATE_BEFORE,   //!< fair rate / c after the flow's last event, 0 for a new flow
        FLUID,         //!< ln of the slowdown at the present fair rate, at most 4
        IS_EVENT,      //!< 1 for the flow that starts
        ARRIVAL,       //!< 1 if the event is a start
        CROWD,         //!< ln(1 + most other flows on a link of its path) / 2
        WAIT,          //!< ln(1 + sum of its links' backlogs at its start / T), at most MAX_WAIT
        WAIT_MOST,     //!< ln(1 + largest of these backlogs / T), at most MAX_WAIT
        LATER,     //!< ln(1 + most work that came to a link of its path since its start / T), at
                   //!< most MAX_LATER
        LOAD,      //!< largest load of a link of its path
        MEAN_WAIT, //!< ln(1 + sum of its links' mean waiting times / T), at most MAX_WAIT
        END_DYNAMIC
    };

    /// Features of a link at an event.
    enum Link : uint32_t
    {
        LINK_IDLE,     //!< ln(1 + time since its last event / T of the event's flow), at most
                       //!< MAX_IDLE, also before the link's first event
        LINK_FLOWS,    //!< ln(1 + flows on it) / 2
        LINK_USED,     //!< sum of fair rates / capacity
        LINK_DEMAND,   //!< ln(1 + sum of largest rates / capacity)
        LINK_NEW,      //!< ln(1 + flows younger than T)
        LINK_RATE,     //!< ln(capacity / c)
        LINK_FIRST,    //!< 1 if it leaves the sender
        LINK_LAST,     //!< 1 if it enters the receiver
        LINK_POSITION, //!< position on the path, from 0, / 6
        LINK_ARRIVAL,  //!< 1 if the event is a start
        LINK_BACKLOG,  //!< ln(1 + backlog / T), with the event's flow, at most MAX_WAIT
        LINK_LOAD,     //!< load
        LINK_WAIT,     //!< ln(1 + mean waiting time / T), at most MAX_WAIT
        END_LINK
    };

    // integers, because C++20 deprecates sums of enumerators of two enumerations
    static constexpr uint32_t N_STATIC = END_STATIC;         //!< constant features
    static constexpr uint32_t N_DYNAMIC = END_DYNAMIC;       //!< features of a flow at an event
    static constexpr uint32_t N_FLOW = N_STATIC + N_DYNAMIC; //!< features of a flow
    static constexpr uint32_t N_LINK = END_LINK;             //!< features of a link
    static constexpr double SLACK = 20;                      //!< u of M4LinkHistory, over T
    /// Limits of LATER, and of the other features that are ln(1 + a wait or a backlog / T). Without
    /// them, answers ran away on links of 1 Gb/s. On the suite anywhere, waits rarely exceed
    /// theirs; LATER does in a third of the scenarios.
    static constexpr double MAX_LATER = 3;
    static constexpr double MAX_WAIT = 2;
    static constexpr double MAX_IDLE = 6;  //!< limit of IDLE and LINK_IDLE: 400 T
    static constexpr uint32_t VERSION = 2; //!< version of this list, on the card of a model
};

/**
 * @ingroup m4
 * @brief Constants of a flow, known when it starts.
 */
struct M4FlowConstants
{
    uint64_t sizeBytes; //!< payload
    double fluidBits;   //!< payload and headers [bit]
    double idealNs;     //!< ideal FCT (DcnIdealFct), at least 1 [ns]
    double latencyNs;   //!< unloaded FCT less the service time of the fluid [ns]
    double rttNs;       //!< base round-trip time T, at least 1 [ns]
    double maxRateBps;  //!< largest rate c of the sender [bit/s]
    double capBps;      //!< largest rate with the window (FlowsimFluidModel) [bit/s]
    double burstBits;   //!< part of fluidBits in the first window; 4 BDP without a window [bit]
    double windowBps;   //!< largest rate of a message behind others of its connection [bit/s]
    double fastestBps;  //!< largest rate of the path's links [bit/s]
    double slowestBps;  //!< smallest rate of these and of the sender [bit/s]
    std::array<float, M4Features::N_STATIC> features; //!< see M4Features::Static

    /**
     * @param fctNs a completion time [ns]
     * @return time for which the flow then uses its links [ns]: the completion time less the
     * latency of the last bytes. That latency is negative if a window limits the rate, since the
     * last packets do not wait for acknowledgements. Then the flow uses its links until its end.
     */
    int64_t GetServiceNs(int64_t fctNs) const
    {
        return std::max<int64_t>(0, fctNs - static_cast<int64_t>(std::max(0.0, latencyNs)));
    }
};

/**
 * @ingroup m4
 * @brief Computes the constants of flows.
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
     * @return constants of the flow
     */
    M4FlowConstants Compute(DcnPath path, uint64_t sizeBytes) const;

  private:
    const DcnTopology& m_topology;         //!< the network
    const DcnNetworkParameters& m_network; //!< the configuration
    FlowsimFluidModel m_fluid;             //!< flows as fluids, with the window cap
};

} // namespace ns3

#endif /* M4_FEATURES_H */
