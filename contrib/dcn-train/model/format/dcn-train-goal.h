/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_GOAL_H
#define DCN_TRAIN_GOAL_H

#include "ns3/dcn-train-assembler.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Reads and writes GOAL, the text format of LogGOPSim and ATLAHS.
 *
 * T. Hoefler, C. Siebert and A. Lumsdaine, "Group Operation Assembly Language", ICPP 2009::
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 1000 cpu 0
 *     l2: send 4096b to 1 tag 7 nic 0
 *     l2 requires l1
 *     }
 *     rank 1 {
 *     l1: recv 4096b from 0 tag 7
 *     }
 *
 * calc is in ns; cpu is the stream of a compute node and nic that of a send, 0 without. "a requires
 * b": a starts when b is finished; "a irequires b": a starts when b starts, which is read as: a
 * waits for all that b waits for. Labels may be left out. Comments begin with // and reach to the
 * end of the line, or are between slash-star and star-slash. Receives from any rank or with any tag
 * (-1) and messages of 0 bytes are refused: a receive belongs to the sends of one rank and tag.
 */
struct DcnTrainGoal
{
    /**
     * @brief Read a file.
     * @param path the file
     * @return the graph; nothing is ignored but the cpu of messages and the nic of receives
     * @throws DcnError naming file, line and value for bad input
     */
    static DcnTrainImport Read(const std::string& path);

    /**
     * @brief Write a graph; a join is a calc of 0 ns.
     * @param source the graph; it is read once and rewound
     * @param path the file
     * @throws DcnError if it cannot be written
     */
    static void Write(DcnTrainSource& source, const std::string& path);
};

} // namespace ns3

#endif /* DCN_TRAIN_GOAL_H */
