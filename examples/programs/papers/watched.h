/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WATCHED_H
#define WATCHED_H

#include "ns3/dcn-model-file.h"
#include "ns3/m4-data.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief A value at a time, true and predicted.
 */
struct M4WatchedPoint
{
    int64_t timeNs;   //!< when [ns]
    double truth;     //!< of packets
    double predicted; //!< by m4
    double fluid;     //!< at fair rates in m4's simulation; 0 for queues; NaN without fair rates
};

/**
 * @ingroup m4
 * @brief Remaining sizes and queues of one simulation, of packets and by m4.
 */
struct M4Watched
{
    std::map<uint32_t, std::vector<M4WatchedPoint>> remaining; //!< by flow: remaining fraction
    std::map<uint32_t, std::vector<M4WatchedPoint>> queues;    //!< by link: waiting bytes
};

/**
 * @ingroup m4
 * @brief Let m4 simulate on its own events, and record what it predicts (m4, section 5.5).
 *
 * At every start of a flow, the remaining size of every flow that is active in packets or in m4,
 * and the queues on the path of the first packet.
 *
 * @param truth scenario and ground truth, with remaining sizes and queues
 * @param model weights
 * @return the records
 */
M4Watched M4Watch(const M4GroundTruth& truth, const DcnModelFile& model);

} // namespace ns3

#endif /* WATCHED_H */
