/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_COMBINATION_H
#define PARSIMON_COMBINATION_H

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief How much of each link's traffic comes to it over the same link before.
 *
 * Link simulations let every source send straight into the target h. In the network, what comes
 * over the same previous link g has been put in a row by g already, at rate C_g, and its bytes do
 * not wait for each other at h if g is not faster. In the extreme that all of h's bytes come over
 * one such g, there is no queue at h at all, while its simulation shows the queue of g a second
 * time (Parsimon, section 3.6, "bottleneck fan-in"). With B_h the bytes that cross h and B_gh those
 * of them that come over g, the part of the queueing at h that is that of g is taken to be
 *
 *     overlap(g, h) = B_gh / B_h   if C_g <= C_h,   else 0
 *
 * A g that is faster takes nothing from the queue at h. That queue is what the windows of the
 * flows hold more than their round trips take, which is the same bytes whatever their spacing when
 * they come; a share of C_h / C_g, as for single bursts, makes the tail of short flows' delays too
 * short by that share; doc/validation.rst has what that does to the p99 slowdown.
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
     * @throws DcnError if that is not what is there
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
 * @brief From the delays of a flow at the links of its path to its delay in the network.
 *
 * Published (Parsimon, section 3.4): with P packets and D*_h the packet-normalised delay at link h,
 *
 *     D = P sum_h D*_h,   in whole nanoseconds, cut off
 *
 * Ours: with D_h the delay in the simulation of link h, N_h the part of it that the sources'
 * interfaces alone cause, which the first link's simulation counts already, and overlap as in
 * ParsimonOverlap, the delays that are new at each link are
 *
 *     x_1 = D_1,   x_2 = max(0, D_2 - N_2),   x_h = max(0, D_h - N_h) (1 - overlap(h - 1, h))
 *
 * (link 1 is the interface, whose part N_2 has been subtracted from x_2 flow by flow), and
 *
 *     D = sum_h x_h
 *
 * A packet waits at one link at a time. What a long flow loses to several links at once is counted
 * once where its simulations know of the others (ParsimonEdgeShares). That is what queueing costs;
 * HPCC's long flows, which lose rate before there is a queue, are 9 to 14 % high
 * (doc/validation.rst).
 */
class ParsimonCombination
{
  public:
    /**
     * @param nPackets P
     * @param normalizedDelays sum of D*_h [ns per packet]
     * @return D [ns]
     */
    static int64_t Published(uint64_t nPackets, double normalizedDelays);

    /**
     * @param delayNs D_h or, for a later link, D_h - N_h [ns]
     * @param overlap see ParsimonOverlap; 0 for the first two links
     * @return x_h [ns]
     */
    static double GetNewDelay(double delayNs, double overlap);
};

} // namespace ns3

#endif /* PARSIMON_COMBINATION_H */
