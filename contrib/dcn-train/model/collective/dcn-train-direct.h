/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_DIRECT_H
#define DCN_TRAIN_DIRECT_H

#include "ns3/dcn-train-collective.h"

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Collectives in which each member sends to each other one directly: the algorithm "direct".
 *
 * J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal and D. Weathersby, "Efficient Algorithms for All-to-All
 * Communications in Multiport Message-Passing Systems", IEEE TPDS 8(11), 1997: the direct
 * algorithm of all-to-all. Member i sends to i + 1, i + 2, ..., all at once:
 *
 *     all-to-all      part j of its data to member j
 *     reduce-scatter  part j of its vector to member j, which adds
 *     all-gather      its own part to everybody
 *     all-reduce      both, one after the other
 *     broadcast       the root's data to everybody
 *
 * With L the latency and A(s) the time of s bytes with their headers on a link, on a network that
 * is limited by the hosts' links, the first three take L + (n - 1) A(S / n), a broadcast
 * L + (n - 1) A(S).
 */
struct DcnTrainDirect
{
    /**
     * @param collective the operation
     * @param nMembers number of members
     * @param channel all channels have one schedule
     * @return the schedule
     */
    static DcnTrainSchedule MakeSchedule(const DcnTrainCollective& collective,
                                         uint32_t nMembers,
                                         uint32_t channel);
};

} // namespace ns3

#endif /* DCN_TRAIN_DIRECT_H */
