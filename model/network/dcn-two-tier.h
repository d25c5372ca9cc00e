/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TWO_TIER_H
#define DCN_TWO_TIER_H

#include "dcn-topology.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A tree of two tiers with parallel links (Narayana's dissertation, section 5.4).
 *
 * Leaves have radix / 2 hosts and as many links to spines, which have radix ports; every spine has
 * equally many parallel links to every leaf. With n hosts there are 2 n / radix leaves, n / radix
 * spines and radix^2 / (2 n) parallel links.
 */
struct DcnTwoTierParameters
{
    uint32_t hosts{16};              //!< number of hosts, a multiple of the radix
    uint32_t radix{8};               //!< ports of a switch, a multiple of 4
    DataRate linkRate{"10Gbps"};     //!< of every link
    Time linkDelay{MicroSeconds(1)}; //!< of every link
};

/**
 * @ingroup dcn
 * @param parameters see DcnTwoTierParameters
 * @return the topology: hosts first, leaf by leaf, then leaves, then spines
 * @throws DcnError that names a number which does not fit
 */
Ptr<DcnTopology> DcnBuildTopology(const DcnTwoTierParameters& parameters);

} // namespace ns3

#endif /* DCN_TWO_TIER_H */
