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
 * @brief Which host sends a flow to which host.
 *
 * Made by name for a topology:
 *
 * - `uniform`: every ordered pair of different hosts is equally likely;
 * - `database web hadoop`: rack matrices generated from the seed (DcnRackMatrix);
 * - a path (it contains '/' or ends in .csv): a rack matrix, one row and column per rack of the
 *   topology;
 * - `incast:N`: N hosts send to one; the seed chooses them, all senders are equally likely;
 * - `permutation`: each host sends to one other host and receives from one, in a random cycle;
 * - `all-to-all`: in rounds of one flow per host; in a round every host sends a flow and receives
 *   one, and after (hosts - 1) rounds each ordered pair has been used exactly once.
 *
 * A rack matrix is drawn from as in Parsimon (section 5): a cell with probability proportional to
 * its weight, hosts uniform in its racks, again from the start while both hosts are the same. The
 * equivalent without repetition is used: the weight of a diagonal cell is lowered by the
 * probability of equal hosts, 1 / (hosts of the rack), and the destination drawn among the others.
 *
 * Probabilities are exact. Draw() is DrawSource() followed by DrawDestination(), so that processes
 * with an arrival stream per source have the same pair probabilities.
 */
class DcnTrafficMatrix : public DcnSharedCount<DcnTrafficMatrix>
{
  public:
    /// Node indices of a source and a destination host.
    using Pair = std::pair<uint32_t, uint32_t>;

    /**
     * @brief Make a matrix.
     * @param name see the class
     * @param topology the network; only its hosts and racks count
     * @param random seed of random parts of the matrix, and of the draws
     * @return the matrix, with streams FLOW_PAIRS
     * @throws DcnError for an unknown name, a bad file, a matrix that does not fit the topology or
     * allows no pair of different hosts
     */
    static Ptr<DcnTrafficMatrix> Create(const std::string& name,
                                        Ptr<const DcnTopology> topology,
                                        const DcnRandom& random);

    virtual ~DcnTrafficMatrix() = default;
    DcnTrafficMatrix(const DcnTrafficMatrix&) = delete;
    DcnTrafficMatrix& operator=(const DcnTrafficMatrix&) = delete;

    /** @return the name it was made by. */
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
     * @return share of all flows that go from one to the other, 0 for the same host
     */
    virtual double GetPairShare(uint32_t source, uint32_t destination) const = 0;

    /**
     * @brief Start again from the first draw.
     * @param random the seed
     * @param purpose FLOW_PAIRS or TEST_PAIRS
     */
    void Restart(const DcnRandom& random, DcnPurpose purpose);

  protected:
    /**
     * @param name the name it was made by
     */
    explicit DcnTrafficMatrix(const std::string& name);

    /**
     * @param variable m_sourceDraws or m_destinationDraws
     * @param n number of possibilities, at least 1
     * @return one of 0 .. n - 1, equally likely
     */
    static uint32_t DrawIndex(UniformRandomVariable& variable, std::size_t n);

    Ptr<UniformRandomVariable> m_sourceDraws;      //!< chance of DrawSource
    Ptr<UniformRandomVariable> m_destinationDraws; //!< chance of DrawDestination

  private:
    /** Forget the flows drawn so far; matrices without memory have nothing to do. */
    virtual void DoRestart();

    std::string m_name; //!< as given to Create
};

} // namespace ns3

#endif /* DCN_TRAFFIC_MATRIX_H */
