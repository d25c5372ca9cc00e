/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAFFIC_MATRIX_H
#define DCN_TRAFFIC_MATRIX_H

#include "ns3/dcn-parallel.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-topology.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Distribution of source and destination hosts of flows.
 *
 * Created by name for a topology:
 *
 * - `uniform`: every ordered pair of different hosts is equally likely;
 * - `database web hadoop`: rack matrices generated from the seed (DcnRackMatrix);
 * - a path (it contains '/' or ends in .csv): a rack matrix, one row and column per rack of the
 *   topology;
 * - `incast:N`: N hosts send to one, chosen by the seed; all senders are equally likely;
 * - `permutation`: each host sends to one other host and receives from one, in a random cycle;
 * - `all-to-all`: in rounds of one flow per host; in a round every host sends a flow and receives
 *   one, and after (hosts - 1) rounds each ordered pair has been used exactly once.
 *
 * Draws from a rack matrix follow Parsimon (section 5): a cell with probability proportional to its
 * weight, and hosts uniform in its racks, repeated if both hosts are equal. An equivalent without
 * repetition is used: the weight of a diagonal cell is reduced by the probability of equal hosts,
 * 1 / (hosts of the rack), and the destination is drawn among the other hosts.
 *
 * Probabilities are exact. Draw() is DrawSource() followed by DrawDestination(), so that arrival
 * processes per source give the same pair probabilities.
 */
class DcnTrafficMatrix : public DcnSharedCount<DcnTrafficMatrix>
{
  public:
    /// Node indices of a source and a destination host.
    using Pair = std::pair<uint32_t, uint32_t>;

    /**
     * @brief Create a matrix.
     * @param name see the class
     * @param topology the network; only its hosts and racks are used
     * @param random seed of random parts of the matrix, and of the draws
     * @return the matrix, with streams FLOW_PAIRS
     * @throws DcnError for an unknown name, a bad file, or a matrix that does not match the
     * topology or has no pair of different hosts
     */
    static Ptr<DcnTrafficMatrix> Create(const std::string& name,
                                        Ptr<const DcnTopology> topology,
                                        const DcnRandom& random);

    virtual ~DcnTrafficMatrix() = default;
    DcnTrafficMatrix(const DcnTrafficMatrix&) = delete;
    DcnTrafficMatrix& operator=(const DcnTrafficMatrix&) = delete;

    /** @return the name given to Create. */
    const std::string& GetName() const;

    /** @return source and destination of the next flow. */
    Pair Draw();

    /** @return the source host of the next flow. */
    virtual uint32_t DrawSource() = 0;

    /**
     * @param source node index of a host whose share is above 0
     * @return the destination host of its next flow
     */
    virtual uint32_t DrawDestination(uint32_t source) = 0;

    /**
     * @param source node index of a host
     * @return share of all flows that it sends; the sum over all hosts is 1
     */
    virtual double GetSourceShare(uint32_t source) const = 0;

    /**
     * @param source node index of a host
     * @param destination node index of a host
     * @return share of the flows of this pair, 0 for equal hosts
     */
    virtual double GetPairShare(uint32_t source, uint32_t destination) const = 0;

    /**
     * @brief Restart with the first draw.
     * @param random the seed
     * @param purpose FLOW_PAIRS or TEST_PAIRS
     */
    void Restart(const DcnRandom& random, DcnPurpose purpose);

  protected:
    /**
     * @param name the name given to Create
     */
    explicit DcnTrafficMatrix(const std::string& name);

    /**
     * @param variable m_sourceDraws or m_destinationDraws
     * @param n number of possibilities, at least 1
     * @return one of 0 .. n - 1, equally likely
     */
    static uint32_t DrawIndex(UniformRandomVariable& variable, std::size_t n);

    Ptr<UniformRandomVariable> m_sourceDraws;      //!< random numbers of DrawSource
    Ptr<UniformRandomVariable> m_destinationDraws; //!< random numbers of DrawDestination

  private:
    /** Reset the state of past draws; nothing to do for matrices without state. */
    virtual void DoRestart();

    std::string m_name; //!< as given to Create
};

} // namespace ns3

#endif /* DCN_TRAFFIC_MATRIX_H */
