/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_TRAFFIC_H
#define NOC_TRAFFIC_H

#include "noc-system.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief Generalised geometric arrivals GGeo(lambda, p) in cycles (dissertation, section 2.2.1).
 *
 * A cycle holds a batch with probability sigma = lambda (1 - p), independently of others; a batch
 * has k >= 1 packets with probability (1 - p) p^(k-1). So after a packet the gap to the next one is
 * 0 with probability p, and else geometric from 1 on with parameter sigma. With lambda in packets
 * per cycle, in (0, 1), and the burst probability p in [0, 1):
 *
 *     mean number of packets ahead in the own batch      g = p / (1 - p)
 *     mean of A (A - 1), A arrivals of a cycle           2 lambda g
 *     squared coefficient of variation of gaps           C2 = (1 + p) / (1 - p) - lambda
 *
 * Without bursts arrivals are Bernoulli trials, with C2 = 1 - lambda: not Poisson.
 */
class NocGgeoSource
{
  public:
    /**
     * @param rate lambda, packets per cycle, in (0, 1)
     * @param burst p, in [0, 1)
     * @param uniform draws in [0, 1), one per packet
     */
    NocGgeoSource(double rate, double burst, Ptr<UniformRandomVariable> uniform);

    /** @return cycles from this packet to the next one, 0 within a batch. */
    uint32_t DrawGap();

    /**
     * @param burst p
     * @return g
     */
    static double GetAhead(double burst)
    {
        return burst / (1 - burst);
    }

    /**
     * @param rate lambda
     * @param burst p
     * @return C2
     */
    static double GetC2(double rate, double burst)
    {
        return (1 + burst) / (1 - burst) - rate;
    }

    /**
     * @brief The burst probability of a stream of which the mean wait in a queue that serves a
     * packet per cycle is known, W = g / (1 - lambda).
     * @param rate lambda
     * @param wait W [cycles]
     * @return p
     */
    static double FitBurst(double rate, double wait)
    {
        return wait * (1 - rate) / (1 + wait * (1 - rate));
    }

  private:
    double m_burst;                       //!< p
    double m_logIdle;                     //!< log(1 - sigma)
    Ptr<UniformRandomVariable> m_uniform; //!< draws
};

/**
 * @ingroup noc
 * @brief Read a trace: a CSV file with the header cycle,source,destination.
 * @param path of the file
 * @param nNodes number of nodes
 * @return the packets, by time
 * @throws DcnError naming file and line for another header, a field that is no number, a node that
 * does not exist, a packet to its own node, and a time before that of the line above
 */
std::vector<NocTraceEntry> NocReadTrace(const std::string& path, uint32_t nNodes);

/**
 * @ingroup noc
 * @brief Rate and bursts of the packets of a trace, by source.
 *
 * The rate is the number of packets by cycle; the burst probability is that of NocGgeoSource for
 * the mean wait that the packets have in a queue which serves one per cycle.
 *
 * @param trace packets, by time
 * @param nNodes number of nodes
 * @param cycles length of the trace
 * @return pairs (lambda, p) by node; lambda 0 for nodes that send nothing
 */
std::vector<std::pair<double, double>> NocFitTrace(const std::vector<NocTraceEntry>& trace,
                                                   uint32_t nNodes,
                                                   uint32_t cycles);

} // namespace ns3

#endif /* NOC_TRAFFIC_H */
