/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_HIERARCHICAL_H
#define DCN_TRAIN_HIERARCHICAL_H

#include "ns3/dcn-train-collective.h"

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Collectives on two levels, a scale-up tier and rails: the algorithm "hierarchical".
 *
 * The n members are G groups of g, such as the accelerators of a server: member a g + i is number i
 * of group a. The members number i of all groups are rail i.
 *
 *     all-reduce      reduce-scatter in the groups (rings, blocks of S / g), all-reduce on the
 * rails (rings, S / n), all-gather in the groups. M. Cho, U. Finkler, D. Kung and H. Hunter,
 * "BlueConnect", MLSys 2019 reduce-scatter  in the groups, then on the rails all-gather      on the
 * rails, then in the groups all-to-all      in the groups, member i gives member j all that is for
 * rail j; then on the rails. C. Hwang et al., "Tutel", MLSys 2023, section 4.3 broadcast       from
 * the root along its rail, then along the groups
 *
 * So rank i sends to its own rail and its own group only. With T_u and T_r the completion times of
 * a message in a group and on a rail, all-reduce takes
 *
 *     2 (g - 1) T_u(S / g) + 2 (G - 1) T_r(S / n).
 */
struct DcnTrainHierarchical
{
    /**
     * @param collective the operation; its groupSize is g
     * @param nMembers number of members
     * @param channel all channels have one schedule
     * @return the schedule
     * @throws DcnError if the members are not groups of equal size
     */
    static DcnTrainSchedule MakeSchedule(const DcnTrainCollective& collective,
                                         uint32_t nMembers,
                                         uint32_t channel);
};

} // namespace ns3

#endif /* DCN_TRAIN_HIERARCHICAL_H */
