/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_NIC_H
#define PARSIMON_LEAN_NIC_H

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-network-config.h"
#include "ns3/parsimon-link.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Simulates a first-hop target, whose flows share only their NIC, with one event per
 * flow.
 *
 * The packets of a first-hop target wait in the NIC only. As long as no sender reduces its rate, a
 * NIC sends without a pause, in turn by packet. A round of n flows with full packets always takes
 * n t(M + H), so that rounds without a start or an end of a flow are skipped in one step.
 * Completion times equal those of ParsimonLeanEngine to the nanosecond; both count in ticks.
 *
 * No sender reduces its rate if
 *
 * - its longest round trip is below Traits::undisturbedRttNs of the congestion control: any for
 *   DCTCP and DCQCN, since packets are not marked here, Tlow for TIMELY, none for HPCC, which
 *   slows down without a queue;
 * - the largest rate of a flow is that of its NIC, and the link behind the target is not slower;
 * - the window does not bind: with round trip T of a full packet and four acknowledgements more,
 *   for which one may have to wait, floor((T - 1) / t(M + H)) M < W.
 */
class ParsimonLeanNic
{
  public:
    /**
     * @param link the topology of a first-hop target, which outlives this object
     * @param network the configuration, which outlives this object
     */
    ParsimonLeanNic(const ParsimonLink& link, const DcnNetworkParameters& network);

    /** @return whether no sender reduces its rate, so that Run may be called. */
    bool IsUnthrottled() const;

    /** @return completion times by position in ParsimonLink::flows [ns]. */
    std::vector<int64_t> Run();

  private:
    /// A flow that has bytes to send.
    struct Sender
    {
        uint32_t flow;      //!< position in ParsimonLink::flows
        uint64_t leftBytes; //!< payload that has not been sent
    };

    bool IsUnthrottled(const ParsimonLinkFlow& flow) const;

    const ParsimonLink& m_link;              //!< the topology
    const DcnNetworkParameters& m_network;   //!< the configuration
    DcnCongestionControl::WireFormat m_wire; //!< packet sizes
};

} // namespace ns3

#endif /* PARSIMON_LEAN_NIC_H */
