/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_COMBINATION_H
#define PARSIMON_COMBINATION_H

#include "ns3/dcn-scenario.h"
#include "ns3/parsimon-link.h"

#include <cstdint>
#include <functional>
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
 * fan-in"). Let p be the share of the bytes of h that come over g, B_gh / B_h, and rho the load of
 * h. By the formula of M/G/1, the mean wait at a link is in proportion to load / (1 - load). So the
 * packets of g, at the load p rho, make by themselves the part
 *
 *     overlap(g, h) = [p rho / (1 - p rho)] / [rho / (1 - rho)] = p (1 - rho) / (1 - p rho)
 *                     if C_g <= C_h,   else 0
 *
 * of the queueing at h: this part repeats the queue of g. It is p at low load, when two packets
 * meet at most. At high load it is smaller, as a queue consists of packets of all previous links,
 * however they came. It is 1 if all bytes come over g.
 *
 * A faster g does not reduce the queue at h. That queue holds the bytes of the flows' windows that
 * exceed their round trips, at any spacing of the arrivals. A share of C_h / C_g, which is right
 * for single bursts, makes the tail of short flows' delays too short by that share.
 *
 * The delay of a flow with a share of its last link (ParsimonShares) counts whole there, unless the
 * overlap is 1: it comes to the links before at this share and has not waited for it yet. (If all
 * bytes come over g, its share of g is at most that of h, and it has waited at g.)
 */
class ParsimonOverlap
{
  public:
    /**
     * @param scenario the flows and their paths
     * @param getLoad rho of a directed link, from 0 to 1
     */
    ParsimonOverlap(const DcnScenario& scenario, const std::function<double(uint32_t)>& getLoad);

    /**
     * @param share p, above 0 and at most 1
     * @param load rho, from 0 to 1
     * @return overlap of a previous link that is not faster
     */
    static double GetPart(double share, double load);

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
 * @brief Combines the delays of a flow at the links of its path to its delay in the network.
 *
 * Published (Parsimon, section 3.4): with P packets and D*_h the packet-normalised delay at link h,
 *
 *     D = P sum_h D*_h,   in whole nanoseconds, truncated
 *
 * Default: let D_h be the delay in the simulation of link h, N_h its part that the target does not
 * cause (ParsimonNicDelays), and A the time that the flow alone takes beyond its ideal completion
 * time (ParsimonLinkBuilder::GetAloneNs). With overlap as in ParsimonOverlap, the new delays are
 *
 *     x_1 = max(0, D_1 - A),   x_2 = max(0, D_2 - N_2),
 *     x_h = max(0, D_h - N_h) (1 - overlap(h - 1, h))
 *
 * (link 1 is the NIC, whose part N_2 is subtracted from D_2 flow by flow; N_h contains A where the
 * flow is not paced), and
 *
 *     D = sum_h x_h + A
 *
 * *Bursts behind acknowledgements.* The simulation of h has the rate C_h - A_h, since A_h of its
 * rate is taken by acknowledgements (ParsimonLinkBuilder). Let the data packets bring the work b_i
 * (bytes) at the times t_i. In the network, where acknowledgements and data wait in one first-in
 * first-out queue, a packet waits for the work U(t) that was there before it. This work grows by
 * b_i / C_h at t_i, and decreases by 1 - A_h / C_h per time, as acknowledgements come all the time.
 * In the simulation, it grows by b_i / (C_h - A_h) and decreases by 1. So
 *
 *     U(t) = (1 - A_h / C_h) U'(t)
 *
 * with U' that of the simulation. Packets of bursts (ParsimonWindow) come at times that do not
 * depend on h. Their delays at links of switches are therefore multiplied by 1 - A_h / C_h, unless
 * acknowledgements have priority (`ack_high_priority`): then data waits for later ones, too, which
 * is U'. NICs of hosts always send acknowledgements first. The delay of a longer flow is not
 * scaled: its rate is what acknowledgements leave of the link, in both.
 *
 * *The sum.* Delays are added, since a packet waits at one link at a time. The delay of a long flow
 * at several links at once counts once if their simulations have the flow's shares
 * (ParsimonShares). That is the cost of queueing; long HPCC flows, which reduce their rate before
 * there is a queue, lose it at several links.
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
     * @param delayNs D_h - N_h [ns]; at the first link D_1 - A
     * @param overlap see ParsimonOverlap; 0 for the first two links
     * @return x_h [ns]
     */
    static double GetNewDelay(double delayNs, double overlap);

    /**
     * @param delayNs delay of a burst in the simulation of a link of a switch, D_h - N_h [ns]
     * @param capacityBps C_h [bit/s]
     * @param ackBps A_h, of acknowledgements that wait with data [bit/s]
     * @return its delay in the network [ns], at least 0
     */
    static double GetBurstDelay(double delayNs, uint64_t capacityBps, uint64_t ackBps);
};

} // namespace ns3

#endif /* PARSIMON_COMBINATION_H */
