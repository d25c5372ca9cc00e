/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_TEST_H
#define DCN_TRAIN_TEST_H

#include "dcn-test-scenario.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"

#include <cstdint>

namespace ns3
{

/**
 * @param bytes of a message
 * @return its ideal completion time between two hosts of the star of 10 Gb/s and 1 us (DcnMakeStar)
 * [ns]
 */
inline int64_t
DcnTrainStarIdealNs(uint64_t bytes)
{
    const Ptr<DcnTopology> star = DcnMakeStar(2);
    const uint32_t links[] = {star->GetOutLinks(0)[0],
                              DcnTopology::Reverse(star->GetOutLinks(1)[0])};
    return DcnComputeIdealFct(*star, {links, links + 2}, bytes, *DcnNetworkConfig::Preset("dctcp"))
        .GetTotalNs();
}

constexpr int64_t DCN_TRAIN_STAR_RETURN_NS = 2 * (1000 + 48); //!< an acknowledgement there [ns]

} // namespace ns3

#endif /* DCN_TRAIN_TEST_H */
