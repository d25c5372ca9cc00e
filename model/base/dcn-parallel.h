/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PARALLEL_H
#define DCN_PARALLEL_H

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup dcn
 * @param asked number of threads or processes that are asked for; 0: as many as there are cores
 * @return how many that is, at least 1
 */
uint32_t DcnCountThreads(uint32_t asked);

/**
 * @ingroup dcn
 * @brief Do independent pieces of work on several threads.
 *
 * Pieces are begun in order, by whichever thread is free. A piece writes to places of its own, so
 * that the result does not depend on the number of threads. It must not touch what is not safe to
 * share: the Simulator, reference counts of ns-3 objects that other pieces use, random streams.
 *
 * @param n number of pieces
 * @param nThreads number of threads; 0: as many as the machine has cores
 * @param piece called once with each of 0 .. n - 1
 * @throws what the first piece in order that failed has thrown; pieces after it may not be done
 */
void DcnParallelFor(std::size_t n,
                    uint32_t nThreads,
                    const std::function<void(std::size_t)>& piece);

} // namespace ns3

#endif /* DCN_PARALLEL_H */
