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
 * @brief Start times of flows, in units of the network's mean gap between two flows.
 *
 * Gaps have mean 1 and are exponential (Poisson) or log-normal with shape sigma, that is
 * mu = -sigma^2 / 2 (Parsimon, section 5; m3 and m4 use sigma from 1 to 2). In this unit, pairs and
 * order of the flows do not depend on the load, so that the load can be calibrated on them; the
 * workload multiplies by the mean gap. It rounds these products, which are sums of all gaps, to
 * whole nanoseconds, so that rounding errors do not add up (the reference rounds each gap).
 *
 * - One process for the network: the first flow starts at 0. The random choice of pairs thins it,
 * so that the arrivals at a host are nearly Poisson for any sigma.
 * - One process per source: each has gaps of mean 1 / (its share of the flows), so that hosts have
 *   bursts according to sigma. Every process starts in equilibrium: its first gap is the residual
 * of a gap at a random time, so that not all hosts start at 0.
 */
class DcnArrivalProcess
{
  public:
    /// Source of arrivals that belong to no particular host.
    static constexpr uint32_t ANY_SOURCE = 0xffffffffU;

    /// The start of a flow.
    struct Arrival
    {
        double time;     //!< time of the start [mean gaps], not before the previous arrival
        uint32_t source; //!< node index of the host, ANY_SOURCE with one process for the network
    };

    /**
     * @brief One process for the whole network.
     * @param sigma shape of log-normal gaps, at most MAX_SIGMA; 0: exponential gaps
     * @param random the seed
     * @throws DcnError for a sigma out of range
     */
    DcnArrivalProcess(double sigma, const DcnRandom& random);

    /**
     * @brief One process per sending host.
     * @param sigma shape of log-normal gaps, at most MAX_SIGMA; 0: exponential gaps
     * @param random the seed
     * @param topology the network
     * @param matrix gives the share of the flows of each source
     * @throws DcnError for a sigma out of range
     */
    DcnArrivalProcess(double sigma,
                      const DcnRandom& random,
                      const DcnTopology& topology,
                      const DcnTrafficMatrix& matrix);

    /** @return the next arrival. */
    Arrival Next();

    /// Largest shape: above, a few gaps make up the whole time and no sample reaches the mean.
    static constexpr double MAX_SIGMA = 4.0;

  private:
    /** @return a gap of mean 1. */
    double DrawGap();
    /** @return the residual of a gap of mean 1 at a random time. */
    double DrawResidualGap();

    /// Next arrival of a source: time and position in m_sources.
    using Pending = std::pair<double, uint32_t>;

    double m_sigma;                      //!< shape, 0: exponential
    Ptr<RandomVariableStream> m_gaps;    //!< gaps of mean 1
    Ptr<UniformRandomVariable> m_phases; //!< position of time 0 in the first gap
    double m_time{0};                    //!< next arrival of the network's process
    std::vector<uint32_t> m_sources;     //!< sending hosts; empty with one process
    std::vector<double> m_meanGaps;      //!< per source: mean gap, in mean gaps of the network
    std::priority_queue<Pending, std::vector<Pending>, std::greater<Pending>> m_pending; //!< heads
};

} // namespace ns3

#endif /* DCN_ARRIVAL_PROCESS_H */
