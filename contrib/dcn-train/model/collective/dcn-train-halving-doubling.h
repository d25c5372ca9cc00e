/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_HALVING_DOUBLING_H
#define DCN_TRAIN_HALVING_DOUBLING_H

#include "ns3/dcn-train-collective.h"

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Collectives by recursive halving and doubling: the algorithm "halving-doubling".
 *
 * R. Thakur, R. Rabenseifner and W. Gropp, "Optimization of Collective Communication Operations in
 * MPICH", IJHPCA 19(1), 2005. For n = 2^k members and blocks of S / n bytes:
 *
 *     reduce-scatter  for d = n/2, n/4, ..., 1: members i and i xor d exchange the d blocks of the
 *                     other's half of what they still have, and add
 *     all-gather      for d = 1, 2, ..., n/2: members i and i xor d exchange the d blocks that they
 *                     have
 *     all-reduce      both, one after the other (Rabenseifner)
 *     broadcast       halves go down a binomial tree, then an all-gather (van de Geijn)
 *
 * With T(s) as in DcnTrainRing, reduce-scatter and all-gather take sum_{j=1..k} T(S / 2^j),
 * all-reduce twice that.
 *
 * An all-reduce of another number of members, 2^k + r, begins with r messages of S bytes, from
 * members 0, 2, ..., 2r - 2 to their successors, which take part for both, and ends with r messages
 * of the result: two T(S) more. The other operations need a power of two.
 */
struct DcnTrainHalvingDoubling
{
    /**
     * @param collective the operation
     * @param nMembers number of members
     * @param channel all channels have one schedule
     * @return the schedule
     * @throws DcnError if the operation needs a power of two
     */
    static DcnTrainSchedule MakeSchedule(const DcnTrainCollective& collective,
                                         uint32_t nMembers,
                                         uint32_t channel);
};

} // namespace ns3

#endif /* DCN_TRAIN_HALVING_DOUBLING_H */
