/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ARRIVAL_PROCESS_H
#define DCN_ARRIVAL_PROCESS_H

#include "dcn-traffic-matrix.h"

#include "ns3/dcn-random.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Instants at which flows start, in units of the network's mean gap between two flows.
 *
 * Gaps have mean 1 and are exponential (Poisson) or log-normal with shape sigma, that is
 * mu = -sigma^2 / 2 (Parsimon, section 5; m3 and m4 use sigma from 1 to 2). The unit makes pairs
 * and order of the flows independent of the load, so that the load can be calibrated on them;
 * the workload multiplies by the mean gap. It rounds these products, which are sums of all gaps, to
 * whole nanoseconds, so that rounding errors do not add up (the reference rounds each gap).
 *
 * - One process for the network: the first flow starts at 0. Choosing pairs at random thins it, so
 *   that the arrivals at a host are nearly Poisson whatever sigma is.
 * - One process per source: each has gaps of mean 1 / (its share of the flows), so that hosts are
 *   as bursty as sigma says. Every process starts in equilibrium: its first gap is the rest, seen
 *   from a random instant, of a gap under way, and not all hosts start at 0.
 */
class DcnArrivalProcess
{
  public:
    /// Source of arrivals that belong to no particular host.
    static constexpr uint32_t ANY_SOURCE = 0xffffffffU;

    /// One start of a flow.
    struct Arrival
    {
        double time;     //!< in mean gaps, never less than that of the arrival before
        uint32_t source; //!< node index of the host, ANY_SOURCE with one process for the network
    };

    /**
     * @brief One process for the whole network.
     * @param sigma shape of log-normal gaps, at most MAX_SIGMA; 0: exponential gaps
     * @param random the seed
     * @throws DcnError for another sigma
     */
    DcnArrivalProcess(double sigma, const DcnRandom& random);

    /**
     * @brief One process per host that sends.
     * @param sigma shape of log-normal gaps, at most MAX_SIGMA; 0: exponential gaps
     * @param random the seed
     * @param topology the network
     * @param matrix says which share of the flows each host sends
     * @throws DcnError for another sigma
     */
    DcnArrivalProcess(double sigma,
                      const DcnRandom& random,
                      const DcnTopology& topology,
                      const DcnTrafficMatrix& matrix);

    /** @return the next arrival. */
    Arrival Next();

    /// Largest shape: with more, a few gaps make up the whole time and no mean is ever realised.
    static constexpr double MAX_SIGMA = 4.0;

  private:
    /** @return a gap of mean 1. */
    double DrawGap();
    /** @return the rest of a gap of mean 1 that is under way at a random instant. */
    double DrawResidualGap();

    /// Next arrival of a source: time and position in m_sources.
    using Pending = std::pair<double, uint32_t>;

    double m_sigma;                      //!< shape, 0: exponential
    Ptr<RandomVariableStream> m_gaps;    //!< gaps of mean 1
    Ptr<UniformRandomVariable> m_phases; //!< place of time 0 in the gap under way
    double m_time{0};                    //!< next arrival of the network's process
    std::vector<uint32_t> m_sources;     //!< hosts that send; empty with one process
    std::vector<double> m_meanGaps;      //!< per source: mean gap in those of the network
    std::priority_queue<Pending, std::vector<Pending>, std::greater<Pending>> m_pending; //!< heads
};

} // namespace ns3

#endif /* DCN_ARRIVAL_PROCESS_H */
