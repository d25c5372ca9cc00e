/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_WINDOW_H
#define PARSIMON_WINDOW_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/parsimon-link.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Idle time of a flow that the window alone causes.
 *
 * A flow of n packets that may have K = ceil(W / M) of them in flight idles between windows, since
 * its bottleneck could send more packets, of t each, in a round-trip time T:
 *
 *     V = floor((n - 1) / K) max(0, T - K t)
 *
 * By the default rules, which keep round-trip times, V is part of the flow's delay in every link
 * topology, but occurs only once. It is no part where the flow is paced below the rate that its
 * window allows (ParsimonShares).
 *
 * A flow of many windows does not exceed the rate of one window per round trip,
 *
 *     c = K (M + H) / T
 *
 * with H the headers of a packet.
 */
struct ParsimonWindow
{
    uint64_t windowBytes{0};  //!< W; 0: no window, or topologies without the full round trip
    uint32_t payloadBytes{1}; //!< M
    uint32_t headerBytes{0};  //!< headers of a data packet
    uint32_t ackBytes{0};     //!< length of an acknowledgement

    /**
     * @param network the configuration
     * @param rules of the link topologies
     * @return the window
     */
    static ParsimonWindow Of(const DcnNetworkParameters& network, ParsimonRules rules);

    /**
     * @param topology the network
     * @param path links of the flow
     * @param sizeBytes its payload
     * @param bottleneckBps smallest rate on the path (DcnIdealFct)
     * @return V [ns]
     */
    double GetIdleNs(const DcnTopology& topology,
                     DcnPath path,
                     uint64_t sizeBytes,
                     uint64_t bottleneckBps) const;

    /**
     * @param topology the network
     * @param path links of the flow
     * @param sizeBytes its payload
     * @return c [bit/s]; 0 without a window, and for flows of at most K packets, which no window
     * slows
     */
    uint64_t GetRate(const DcnTopology& topology, DcnPath path, uint64_t sizeBytes) const;

    /**
     * @param topology the network
     * @param path links of the flow
     * @param sizeBytes its payload
     * @param bottleneckBps smallest rate on the path (DcnIdealFct)
     * @return whether the flow is a burst: all of it is sent before its first acknowledgement, as
     * it has at most K packets (without a window: at most those of a round trip)
     */
    bool IsBurst(const DcnTopology& topology,
                 DcnPath path,
                 uint64_t sizeBytes,
                 uint64_t bottleneckBps) const;
};

} // namespace ns3

#endif /* PARSIMON_WINDOW_H */
