/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_MESSAGE_RATE_H
#define M4_MESSAGE_RATE_H

#include "m4-tracker.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Rate of a message whose queues do not change.
 *
 * **Problem.** Active flows have max-min fair rates r_f, computed without acknowledgements, which
 * the network knows from its training. Find the rate x of a flow with the links P when
 * acknowledgements are on these links, too, and the congestion control may leave a part of a link
 * free.
 *
 * **Equations.** With C_l the rate of link l, n_l the flows and R_l = sum of r_f on it, and R'_l
 * that sum on the other direction of the link,
 *
 *     x   = r min(1, min_{l in P} A_l / R_l)                       [bit/s]
 *     A_l = max((u_l C_l - v R'_l) / h, u_l C_l / (h + v))         [bit/s]
 *
 * where a packet of the fluid has M + H bytes (payload_bytes, header_bytes), and on the wire its
 * data h (M + H) and its acknowledgement v (M + H) (DcnCongestionControl::GetWireFormat). A_l is
 * what data may use. Its first term leaves room for the acknowledgements of the other direction;
 * the second one is the rate at which both directions are full, s (h + v) = u C. The used part of a
 * link is
 *
 *     u_l = min(1, eta + n_l a / C_l) for HPCC, else 1,
 *
 * the fixed point of HPCC's rule R <- eta R / u + a of n flows with u = n R / C (Li et al., SIGCOMM
 * 2019, algorithm 1; eta and a are hpcc_eta and hpcc_additive_increase_bps; an increase in bytes per
 * round trip is left out: 80 bytes are less than 1 % of a link).
 */
class M4MessageRate
{
  public:
    /**
     * @param topology the network, which must outlive this object
     * @param network the configuration, which must outlive this object
     */
    M4MessageRate(const DcnTopology& topology, const DcnNetworkParameters& network);

    /**
     * @param tracker the active flows
     * @param slot of a flow; one that is alone (M4Tracker::IsAlone) without M4Tracker::HasFairRates
     * @param event number of the last event, from 1: each link is computed once per event
     * @return x [bit/s]
     */
    double GetBps(const M4Tracker& tracker, uint32_t slot, uint64_t event);

  private:
    /// A link that has been asked for.
    struct Link
    {
        uint64_t event{0}; //!< number of the event after which it was computed
        double part;       //!< A / R
    };

    /// Returns u C of a link with a number of flows [bit/s].
    double GetUsedBps(uint32_t link, uint32_t nFlows) const;
    /// Returns A / R of a link.
    double GetPart(const M4Tracker& tracker, uint32_t link) const;

    const DcnTopology& m_topology;         //!< the network
    const bool m_isHpcc;                   //!< flows aim at a utilisation
    const double m_eta;                    //!< it, of HPCC
    const double m_increaseBps;            //!< additive increase of HPCC [bit/s]
    double m_data;                         //!< h
    double m_acknowledgements;             //!< v
    std::vector<Link> m_links;             //!< by link
};

} // namespace ns3

#endif /* M4_MESSAGE_RATE_H */
