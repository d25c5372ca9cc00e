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
 * @brief How a list of transfers becomes streams of packets.
 */
struct MqlMeasureOptions
{
    uint64_t burstBytes{0};  //!< payload that a transfer sends without feedback [bytes]; 0: the
                             //!< window of the configuration, without a window all of it
    bool firstBursts{false}; //!< only the first burst of each transfer, its open-loop part
};

/**
 * @ingroup mql
 * @brief The moments of a scenario: one stream for each path that transfers take. Acknowledgements
 * share the queues unless the configuration gives them priority.
 *
 * The transfers of a path, starting at random, are a batch-Poisson stream of packets. With n
 * packets in a transfer, of which X = min(n, burst) come at once,
 *
 *     lambda = sum n / T,   C2a = E[X^2] / E[X] over bursts of X packets
 *
 * C2a is the SCV of the GE stream that brings this second moment of work to a queue,
 * lambda_batch E[X^2] = lambda C2a: on which alone the mean workload of a FIFO queue depends. The
 * rest of a transfer, n - X packets, is clocked by acknowledgements: it is left out (firstBursts),
 * or comes in bursts of equal size. T is the time from the first start until the last transfer
 * could be through, alone. Sizes on the wire: payload and DCN_HEADER_BYTES; the last packet may be
 * short.
 */
struct MqlPathTraffic
{
    std::vector<MqlFlow> flows;   //!< one per distinct path; then as many of their ACKs
    DcnPathTable paths;           //!< by flow
    std::vector<uint32_t> flowOf; //!< by index of the scenario's transfer
    double spanSeconds{0};        //!< T [s]

    /**
     * @param scenario transfers, paths and configuration
     * @param options how to read them
     * @return the moments
     */
    static MqlPathTraffic Measure(const DcnScenario& scenario,
                                  const MqlMeasureOptions& options = MqlMeasureOptions());
};

} // namespace ns3

#endif /* MQL_PATH_TRAFFIC_H */
