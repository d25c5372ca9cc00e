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
 * @brief Share of each link's traffic that comes to it over one and the same link before.
 *
 * Link simulations let every source send straight into the target h. In the network, packets that
 * come over the same previous link g have been put in a row by g already, at rate C_g, and do not
 * wait for each other at h if g is not faster. In the extreme that all of h's bytes come over one
 * such g, there is no queue at h at all, while its simulation shows the queue of g a second time
 * (Parsimon, section 3.6, "bottleneck fan-in"). With B_h the bytes that cross h and B_gh those of
 * them that come over g, the part of the queueing at h that is that of g is taken to be
 *
 *     overlap(g, h) = B_gh / B_h   if C_g <= C_h,   else 0
 *
 * A faster g takes nothing from the queue at h. That queue holds the bytes of the flows' windows
 * that exceed their round trips: the same bytes whatever their spacing when they come. A share of
 * C_h / C_g, as for single bursts, makes the tail of short flows' delays too short by that share;
 * doc/validation.rst has its effect on the p99 slowdown.
 *
 * The delay of a flow with a share of its last link (ParsimonEdgeShares) counts whole there: it
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
     * @param previous the link g before
     * @param link the link h
     * @return overlap(g, h), from 0 to 1; 0 if no flow goes from one to the other
     */
    double Get(uint32_t previous, uint32_t link) const;

    /**
     * @brief Write in binary form.
     * @param stream where to
     */
    void Save(std::ostream& stream) const;

    /**
     * @brief Read what Save has written.
     * @param stream where from
     * @param where prefix of the error sentence
     * @param nLinks directed links of the topology
     * @return the object
     * @throws DcnError if the stream ends too early
     */
    static ParsimonOverlap Load(std::istream& stream, const std::string& where, uint32_t nLinks);

    /** No flows. */
    ParsimonOverlap() = default;

  private:
    /// A link before another.
    struct Entry
    {
        uint32_t previous; //!< directed link index
        float overlap;     //!< above 0
    };

    std::vector<std::vector<Entry>> m_overlaps; //!< by link; without those of 0
};

/**
 * @ingroup parsimon
 * @brief The time that the window alone costs a flow.
 *
 * A flow of n packets that may have K = ceil(W / M) of them in flight idles between windows, in a
 * round trip T in which its bottleneck could send more packets, at t each:
 *
 *     V = floor((n - 1) / K) max(0, T - K t)
 *
 * By the default rules, which keep round trips, V is part of the flow's delay in every link
 * topology, though it happens once. It is no part where the flow has a NIC of its own that is
 * slower than its window (ParsimonEdgeShares).
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
 * @brief From the delays of a flow at the links of its path to its delay in the network.
 *
 * Published (Parsimon, section 3.4): with P packets and D*_h the packet-normalised delay at link h,
 *
 *     D = P sum_h D*_h,   in whole nanoseconds, cut off
 *
 * Default: with D_h the delay in the simulation of link h, N_h the part of it that the sources'
 * NICs alone cause, which the first link's simulation counts already, V the time that the window
 * costs, and overlap as in ParsimonOverlap, the delays that are new at each link are
 *
 *     x_1 = max(0, D_1 - V),   x_2 = max(0, D_2 - N_2 - V),
 *     x_h = max(0, D_h - N_h - V) (1 - overlap(h - 1, h))
 *
 * (link 1 is the NIC, whose part N_2 has been subtracted from x_2 flow by flow), and
 *
 *     D = sum_h x_h + V
 *
 * A packet waits at one link at a time. A loss of a long flow at several links at once is counted
 * once where their simulations have the flow's shares (ParsimonEdgeShares). That is the cost of
 * queueing; HPCC's long flows, which lose rate before there is a queue, are 9 to 14 % high
 * (doc/validation.rst).
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
     * @param delayNs D_h - N_h - V, as far as they count at the link [ns]
     * @param overlap see ParsimonOverlap; 0 for the first two links
     * @return x_h [ns]
     */
    static double GetNewDelay(double delayNs, double overlap);
};

} // namespace ns3

#endif /* PARSIMON_COMBINATION_H */
