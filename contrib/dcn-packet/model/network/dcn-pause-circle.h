/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PAUSE_CIRCLE_H
#define DCN_PAUSE_CIRCLE_H

#include "../engine/dcn-packet-device.h"

#include "ns3/dcn-topology.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Ports of switches whose pauses wait for each other: a deadlock of priority flow control.
 *
 * **Problem.** A port that is paused goes on when the switch at the far end of its link has room
 * again. Where the frames that fill that switch wait at ports that are paused, too, and so on round
 * a circle, no port of the circle ever goes on, however much the rest of the network moves.
 *
 * **Graph.** Let port a be the transmitter of the directed link u -> v, both switches. It is
 * *stuck* if frames of the data class wait there, it is paused, and v has sent it no RESUME
 * since. v tells it when enough frames have left that came by that link (DcnPacketSwitch::Release),
 * so a waits for every port b of v where such a frame waits: an edge a -> b. A port that is not
 * stuck sends what waits there, and lets those that wait for it go on in time. So
 *
 *     D = the largest set of stuck ports in which each has an edge, and all its edges end in D
 *
 * never moves. It is what is left when ports with an edge out of the set, or with none, are removed
 * one after the other. As each port of D has an edge to another one of D, D has a circle if it has
 * a port; ports that no port of the rest waits for only stand behind a circle, and are removed one
 * after the other, too. What remains is the *core*: circles, and what lies between them.
 *
 * Hosts send no pauses, and nothing waits for a host's transmitter: it is never in D. The answer is
 * exact where no pause frame is on a link, as at the end of a run in which nothing can move.
 */
class DcnPauseCircle
{
  public:
    /**
     * @param topology nodes and links; outlives this object
     * @param devices transmitters, by directed link
     */
    DcnPauseCircle(const DcnTopology& topology, const std::vector<Ptr<DcnPacketDevice>>& devices);

    /**
     * @param link directed link
     * @return whether its transmitter is in the core
     */
    bool IsInCore(uint32_t link) const
    {
        return m_isInCore[link];
    }

    /** @return directed links of one circle of the core, each waits for the next; empty: none. */
    const std::vector<uint32_t>& GetCircle() const
    {
        return m_circle;
    }

    /**
     * @return a sentence that names the switches of the circle by their external ids, in its order;
     * empty without a circle
     */
    std::string Describe() const;

  private:
    void FindEdges(const std::vector<Ptr<DcnPacketDevice>>& devices);
    void RemoveThoseThatMove();
    void RemoveThoseBehind();
    void FindCircle();

    const DcnTopology& m_topology;            //!< see the constructor
    std::vector<bool> m_isInCore;             //!< by directed link; first of all stuck ports
    std::vector<std::vector<uint32_t>> m_for; //!< by stuck port: links that it waits for, ascending
    std::vector<uint32_t> m_circle;           //!< see GetCircle
};

} // namespace ns3

#endif /* DCN_PAUSE_CIRCLE_H */
