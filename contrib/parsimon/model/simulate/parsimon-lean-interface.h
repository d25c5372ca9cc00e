/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_INTERFACE_H
#define PARSIMON_LEAN_INTERFACE_H

#include "ns3/parsimon-link.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-network-config.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Flows that share nothing but their interface, at the cost of an event per flow.
 *
 * The packets of a first-hop target wait in the interface only, and so do those of any target that
 * is not contended. As long as nothing tells the senders to slow down, an interface sends without a
 * pause, in turn by packet; a round of n flows with full packets takes n t(M + H), whatever has
 * happened before, so that rounds in which no flow starts or ends are skipped in one step.
 * Completion times are those of ParsimonLeanEngine to the nanosecond.
 *
 * Nothing tells a sender to slow down if
 *
 * - the congestion control is DCTCP or DCQCN (there are no marks), or TIMELY with the longest round
 *   trip below its lower threshold; HPCC never goes at full rate;
 * - the largest rate of a flow is that of its interface, and neither the target nor the link behind
 *   it is slower;
 * - the window does not bind: with round trip T of a full packet and four acknowledgements more,
 *   which one may have to wait for, floor((T - 1) / t(M + H)) M < W.
 */
class ParsimonLeanInterfaces
{
  public:
    /**
     * @param link the topology, which outlives this object
     * @param network the configuration, which outlives this object
     */
    ParsimonLeanInterfaces(const ParsimonLink& link, const DcnNetworkParameters& network);

    /**
     * @brief Completion times of the flows of all interfaces for which the rule holds.
     * @param fctNs by position in ParsimonLink::flows; filled in for these flows [ns]
     * @return positions of the other flows, ascending
     */
    std::vector<uint32_t> Run(std::vector<int64_t>& fctNs);

  private:
    static constexpr int64_t NEVER_SENT = -1; //!< see Sender

    /// A flow that has bytes to send.
    struct Sender
    {
        uint32_t flow;      //!< position in ParsimonLink::flows
        uint64_t leftBytes; //!< payload that has not been sent
        int64_t sentNs;     //!< end of the latest transmission [ns], NEVER_SENT before the first
    };

    uint64_t RateOf(const ParsimonLinkFlow& flow) const;
    bool IsQuiet(const ParsimonLinkFlow& flow) const;
    void Serve(const std::vector<uint32_t>& flows, std::vector<int64_t>& fctNs);
    int64_t Deliver(const Sender& sender, int64_t sentNs, uint32_t bytes, bool isLast);

    const ParsimonLink& m_link;              //!< the topology
    const DcnNetworkParameters& m_network;   //!< the configuration
    DcnCongestionControl::WireFormat m_wire; //!< packet sizes
    bool m_isFirstHop;                       //!< the target is the interface
    std::vector<bool> m_split;               //!< see ParsimonSplitSources
    std::vector<int64_t> m_farFreeNs;        //!< by destination: end of its last transmission [ns]
};

} // namespace ns3

#endif /* PARSIMON_LEAN_INTERFACE_H */
