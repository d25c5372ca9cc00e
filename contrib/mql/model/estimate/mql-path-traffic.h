/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_PATH_TRAFFIC_H
#define MQL_PATH_TRAFFIC_H

#include "ns3/dcn-scenario.h"
#include "ns3/mql-traffic.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Options of the conversion of transfers to streams of packets.
 */
struct MqlMeasureOptions
{
    uint64_t burstBytes{0}; //!< payload that a transfer sends without feedback [bytes]; 0: the
    //!< window of the configuration, or all of it without a window
    bool firstBursts{false}; //!< only the first burst of each transfer, its open-loop part
};

/**
 * @ingroup mql
 * @brief The moments of a scenario: one stream for each path of the transfers. Acknowledgements
 * share the queues unless the configuration gives them priority.
 *
 * The transfers of a path, starting at random, are a batch-Poisson stream of packets. With n
 * packets in a transfer, of which X = min(n, burst) arrive at once,
 *
 *     lambda = sum n / T,   C2a = E[X^2] / E[X] over bursts of X packets
 *
 * C2a is the SCV of the GE stream with this second moment of work at a queue, lambda_batch E[X^2] =
 * lambda C2a, which alone determines the mean workload of a FIFO queue. The rest of a transfer, n -
 * X packets, is clocked by acknowledgements: it is omitted (firstBursts), or arrives in bursts of
 * equal size. T is the time from the first start to the last completion of a transfer sent alone.
 * Sizes on the wire are payload and header_bytes; the last packet may be short.
 */
struct MqlPathTraffic
{
    std::vector<MqlFlow> flows;   //!< one per distinct path; then as many of their ACKs
    DcnPathTable paths;           //!< by flow
    std::vector<uint32_t> flowOf; //!< by index of the scenario's transfer
    double spanSeconds{0};        //!< T [s]

    /**
     * @param scenario transfers, paths and configuration
     * @param options options of the conversion
     * @return the moments
     */
    static MqlPathTraffic Measure(const DcnScenario& scenario,
                                  const MqlMeasureOptions& options = MqlMeasureOptions());
};

} // namespace ns3

#endif /* MQL_PATH_TRAFFIC_H */
