/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_COMBINATION_H
#define PARSIMON_COMBINATION_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/parsimon-link.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Share of each link's traffic that arrives over a given previous link.
 *
 * In a link simulation every source sends straight to the target h. In the network, packets of one
 * previous link g arrive in sequence, at rate C_g, and do not wait for each other at h if g is not
 * faster than h. In the extreme case that all bytes of h come over one such g, there is no queue at
 * h at all, but the simulation of h repeats the queue of g (Parsimon, section 3.6, "bottleneck
 * fan-in"). With B_h the bytes that cross h and B_gh those of them that come over g, the part of
 * the queueing at h that repeats the queue of g is estimated by
 *
 *     overlap(g, h) = B_gh / B_h   if C_g <= C_h,   else 0
 *
 * A faster g does not reduce the queue at h. That queue holds the bytes of the flows' windows that
 * exceed their round trips, at any spacing of the arrivals. A share of C_h / C_g, which is right
 * for single bursts, makes the tail of short flows' delays too short by that share.
 *
 * The delay of a flow with a share of its last link (ParsimonShares) counts whole there: it
 * comes to the links before at this share and has not waited for it yet.
 */
class ParsimonOverlap
{
  public:
    /**
     * @param scenario the flows and their paths
     */
    explicit ParsimonOverlap(const DcnScenario& scenario);

    /**
     * @param nLinks directed links of the topology
     * @return overlaps of 0
     */
    static ParsimonOverlap None(uint32_t nLinks);

    /**
     * @param previous the previous link g
     * @param link the link h
     * @return overlap(g, h), from 0 to 1; 0 if no flow goes from one to the other
     */
    double Get(uint32_t previous, uint32_t link) const;

    /**
     * @brief Write in binary form.
     * @param stream output
     */
    void Save(std::ostream& stream) const;

    /**
     * @brief Read what Save has written.
     * @param stream input
     * @param where prefix of the error sentence
     * @param nLinks directed links of the topology
     * @return the object
     * @throws DcnError if the stream ends too early
     */
    static ParsimonOverlap Load(std::istream& stream, const std::string& where, uint32_t nLinks);

    /** Overlaps of a network without flows: all 0. */
    ParsimonOverlap() = default;

  private:
    /// A previous link of a link.
    struct Entry
    {
        uint32_t previous; //!< directed link index
        float overlap;     //!< above 0
    };

    std::vector<std::vector<Entry>> m_overlaps; //!< by link; overlaps above 0 only
};

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
 * topology, but occurs only once. It is no part where other flows slow the flow below the rate that
 * its window allows, at another link (ParsimonShares).
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
};

/**
 * @ingroup parsimon
 * @brief Combines the delays of a flow at the links of its path to its delay in the network.
 *
 * Published (Parsimon, section 3.4): with P packets and D*_h the packet-normalised delay at link h,
 *
 *     D = P sum_h D*_h,   in whole nanoseconds, truncated
 *
 * Default: let D_h be the delay in the simulation of link h, N_h the part of it that is caused by
 * the sources' NICs alone and is already in the first link's simulation, and V the idle time of
 * ParsimonWindow. With overlap as in ParsimonOverlap, the new delays at each link are
 *
 *     x_1 = max(0, D_1 - V),   x_2 = max(0, D_2 - N_2 - V),
 *     x_h = max(0, D_h - N_h - V) (1 - overlap(h - 1, h))
 *
 * (link 1 is the NIC, whose part N_2 is subtracted from D_2 flow by flow), and
 *
 *     D = sum_h x_h + V
 *
 * since a packet waits at one link at a time. The delay of a long flow at several links at once
 * counts once if their simulations have the flow's shares (ParsimonShares). That is the cost of
 * queueing; long HPCC flows, which reduce their rate before there is a queue, are 9 to 14 % too
 * slow (doc/validation.rst).
 */
class ParsimonCombination
{
  public:
    /**
     * @param packets P
     * @param normalized sum of D*_h [ns per packet]
     * @return D by the published rules [ns]
     */
    static double Published(double packets, double normalized);

    /**
     * @param delayNs D_h - N_h - V [ns]
     * @param overlap see ParsimonOverlap; 0 for the first two links
     * @return x_h [ns]
     */
    static double GetNewDelay(double delayNs, double overlap);
};

} // namespace ns3

#endif /* PARSIMON_COMBINATION_H */
