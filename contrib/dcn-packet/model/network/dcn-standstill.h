/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_STANDSTILL_H
#define DCN_STANDSTILL_H

#include "../engine/dcn-packet-device.h"

#include "ns3/dcn-topology.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

class DcnHostDevice;
class DcnPacketFlow;

/**
 * @ingroup dcn-packet
 * @brief The flows that hosts send at an instant, and what they wait for.
 *
 * **Problem.** Timers of congestion controls go on for ever, so that pending events do not say
 * whether a simulation still moves. And a user whose flows are not complete wants to know why.
 *
 * **Rule.** Something moves if a frame is in a queue or on a link, a transmitter will wake up, or a
 * retransmission timeout is running. The first reason that holds is that of a flow: one of its
 * packets is at a port of a circle of pauses (DcnPauseCircle); the run was cut; its host is paused,
 * or one of its packets is at a port that is; it has lost a packet; else it is in flight.
 *
 * **Cost.** One pass over devices and flows, and over frames that wait at paused ports.
 */
class DcnStandstill
{
  public:
    /**
     * @param topology nodes and links; outlives this object
     * @param devices transmitters, by directed link; outlive this object
     */
    DcnStandstill(const DcnTopology& topology, const std::vector<Ptr<DcnPacketDevice>>& devices);

    /** @return whether a transmitter will wake up or a retransmission timeout is running. */
    bool WillMove() const;

    /** @return payload that receivers have in order, of flows that are not delivered [bytes]. */
    uint64_t GetReceivedBytes() const;

    /**
     * @param isCut whether the simulation was cut while packets could move
     * @return flows that are not delivered, by the reason they wait
     */
    std::map<std::string, uint64_t> CountByReason(bool isCut) const;

  private:
    const DcnTopology& m_topology;                      //!< see the constructor
    const std::vector<Ptr<DcnPacketDevice>>& m_devices; //!< see the constructor
    std::vector<const DcnHostDevice*> m_hosts;          //!< transmitters of hosts
};

} // namespace ns3

#endif /* DCN_STANDSTILL_H */
