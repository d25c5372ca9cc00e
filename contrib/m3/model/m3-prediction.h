/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_PREDICTION_H
#define M3_PREDICTION_H

#include "ns3/m3-example.h"
#include "m3-network.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief A path as it is put to the network of the model.
 */
struct M3Question
{
    M3Input input;           //!< its features
    M3Conditions conditions; //!< what it is like, for warnings
};

/**
 * @ingroup m3
 * @brief Predict paths, some at a time, on several threads.
 *
 * Which paths are in one call of the network depends on their order alone, so that results are the
 * same for any number of threads. (They are not the same to the last digit for another number of
 * paths: products of matrices of other shapes are rounded otherwise.)
 *
 * @param network what predicts
 * @param n number of paths
 * @param nThreads number of threads; 0: as many as the machine has cores
 * @param ask returns a path by its position; called by several threads
 * @param findings added to: what is outside of the training
 * @return points by path
 */
std::vector<std::vector<M3Point>> M3Predict(const M3Network& network,
                                            std::size_t n,
                                            uint32_t nThreads,
                                            const std::function<M3Question(std::size_t)>& ask,
                                            DcnTrainedRanges::Findings& findings);

} // namespace ns3

#endif /* M3_PREDICTION_H */
