/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_PREDICTOR_H
#define PARSIMON_PREDICTOR_H

#include "../simulate/parsimon-link-table.h"
#include "parsimon-combination.h"
#include "parsimon-delay-distribution.h"

#include "ns3/dcn-routing.h"
#include "ns3/dcn-scenario.h"
#include "ns3/parsimon-decomposition.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Random numbers that depend only on a key, a flow and a hop.
 *
 * A flow so draws the same numbers with any number of threads, and when other flows are added or
 * removed. The key comes from the ns-3 stream of DcnPurpose::LINK_DELAYS, so that --RngRun changes
 * it.
 */
class ParsimonDraws
{
  public:
    /**
     * @param seed of the draws, at most DcnRandom::MAX_SEED
     */
    explicit ParsimonDraws(uint64_t seed);

    /**
     * @param flow id of a flow, or number of a query's draw
     * @param index index of its random number
     * @return uniform in [0, 1)
     */
    double Get(uint64_t flow, uint32_t index) const;

    /**
     * @brief Draw one of the shortest paths, each next hop equally likely, by numbers from 1000 on.
     * @param flow id of a flow, or number of a query's draw
     * @param topology the network
     * @param routing of that network
     * @param src node index of the source
     * @param dst node index of the destination
     * @param path set to the links
     * @throws DcnError if there is no path
     */
    void GetPath(uint64_t flow,
                 const DcnTopology& topology,
                 const DcnRouting& routing,
                 uint32_t src,
                 uint32_t dst,
                 std::vector<uint32_t>& path) const;

  private:
    uint64_t m_key; //!< see ParsimonDraws
};

/**
 * @ingroup parsimon
 * @brief Point estimates of the delay of flows: n-ary convolution by sampling (Parsimon, section
 * 3.4).
 *
 * ParsimonCombination combines the delays at the links of a path. By the default rules, the delay
 * at a link is the flow's own delay in that link's simulation, if the link was simulated; at a link
 * that shares the result of another link, it is P times a packet-normalised delay drawn from the
 * distribution of that result for the flow's size. By the published rules all delays are drawn, and
 * so are the paths.
 */
class ParsimonPredictor
{
  public:
    /**
     * @param decomposition the link topologies; its rules also determine the combination
     * @param table results of their simulations
     * @param allDistributions also make the distributions that only Draw needs
     * @param nThreads see DcnParallelFor
     */
    ParsimonPredictor(const ParsimonDecomposition& decomposition,
                      const ParsimonLinkTable& table,
                      bool allDistributions,
                      uint32_t nThreads);

    /**
     * @brief Completion times of all flows.
     * @param decomposition given to the constructor
     * @param table given to the constructor
     * @param nThreads see DcnParallelFor
     * @param before completion times before a change known to the decomposition: copied for flows
     * with unchanged estimates; null: none. For default rules and links without shared results
     * @return by flow index: ideal FCT + delay [ns]; -1 if a size has no bucket (published rules)
     */
    std::vector<int64_t> Predict(const ParsimonDecomposition& decomposition,
                                 const ParsimonLinkTable& table,
                                 uint32_t nThreads,
                                 const std::vector<int64_t>* before = nullptr) const;

    /**
     * @brief Delay of a flow that has not been simulated.
     * @param sizeBytes its payload
     * @param path its links
     * @param draw number of the draw
     * @return delay [ns]; negative if the size has no bucket
     */
    double Draw(uint64_t sizeBytes, DcnPath path, uint64_t draw) const;

    /** @return random numbers of Draw: hop h of draw d uses Get(d, h). */
    const ParsimonDraws& GetDraws() const;

    /**
     * @param link directed link index
     * @return whether Draw may use a path over it
     */
    bool HasDistribution(uint32_t link) const;

    /** @return the rules of the combination. */
    ParsimonRules GetRules() const;

    /**
     * @brief Write in binary form; shared distributions are written once.
     * @param stream output
     */
    void Save(std::ostream& stream) const;

    /**
     * @brief Read a predictor written by Save.
     * @param stream input
     * @param where prefix of the error sentence
     * @param nLinks directed links of the topology
     * @return the predictor, for Draw
     * @throws DcnError if the stream ends too early or belongs to another topology
     */
    static ParsimonPredictor Load(std::istream& stream, const std::string& where, uint32_t nLinks);

  private:
    using Distribution = std::shared_ptr<const ParsimonDelayDistribution>;

    /// For Load.
    ParsimonPredictor(ParsimonRules rules, uint64_t seed);

    void MakeDistributions(const ParsimonDecomposition& decomposition,
                           const ParsimonLinkTable& table,
                           bool allDistributions,
                           uint32_t nThreads);
    double GetOwnDelay(const ParsimonDecomposition& decomposition,
                       const ParsimonLinkTable& table,
                       uint32_t link,
                       uint32_t place) const;

    /// Delay of a flow; own(hop) is its own new delay or negative. With a share of its last link
    /// the delay there counts whole, unless all bytes come over one link (ParsimonOverlap).
    template <typename Own>
    double Combine(uint64_t sizeBytes,
                   DcnPath path,
                   uint64_t draw,
                   bool hasLastShare,
                   const Own& own) const;

    ParsimonRules m_rules;      //!< of the combination
    uint64_t m_seed;            //!< of the draws
    ParsimonOverlap m_overlap;  //!< of successive links
    uint32_t m_payloadBytes{0}; //!< largest payload of a packet
    ParsimonDraws m_draws;      //!< random numbers
    /// By flow: whether its waits are scaled (ParsimonCombination); empty: none are.
    std::vector<char> m_isBurst;
    std::vector<Distribution> m_distributions; //!< by link; null if none is needed
};

} // namespace ns3

#endif /* PARSIMON_PREDICTOR_H */
