/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_PREDICTOR_H
#define PARSIMON_PREDICTOR_H

#include "ns3/parsimon-combination.h"
#include "ns3/parsimon-delay-distribution.h"
#include "parsimon-link-runner.h"
#include "ns3/parsimon-unchanged.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup parsimon
/// @brief How delays at the links of a path become a delay in the network.
enum class ParsimonRules : uint8_t
{
    OURS,     //!< ParsimonCombination, ours
    FAITHFUL, //!< the published rule
};

/**
 * @ingroup parsimon
 * @brief Random numbers that depend on a key, a flow and a hop, and on nothing else.
 *
 * Whatever the number of threads and whichever flows are added or taken away, a flow draws the
 * same. The key comes from the ns-3 stream of DcnPurpose::LINK_DELAYS, so that --RngRun changes it.
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
     * @param index which of its random numbers
     * @return uniform in [0, 1)
     */
    double Get(uint64_t flow, uint32_t index) const;

  private:
    uint64_t m_key; //!< see ParsimonDraws
};

/**
 * @ingroup parsimon
 * @brief Point estimates of the delay of flows: n-ary convolution by sampling (Parsimon, section
 * 3.4).
 *
 * At each link of a path, the delay is the flow's own in that link's simulation, if it is known
 * and asked for, or P times a packet-normalised delay drawn from the link's distribution for the
 * flow's size. ParsimonCombination makes one delay of them.
 */
class ParsimonPredictor
{
  public:
    /// Options.
    struct Options
    {
        ParsimonRules rules{ParsimonRules::OURS}; //!< how delays are combined
        bool own{true};                           //!< use a flow's own delays where known
        bool randomPath{false};                   //!< draw a path instead of the flow's own
        uint64_t seed{1};                         //!< of the draws
    };

    /**
     * @param scenario the flows
     * @param table delays, with the distributions that are needed
     * @param options see Options
     */
    ParsimonPredictor(const DcnScenario& scenario,
                      const ParsimonLinkTable& table,
                      const Options& options);

    /**
     * @brief Completion times of all flows.
     * @param scenario the flows
     * @param table their delays
     * @param nThreads see DcnParallelFor
     * @param known the same by the same options for another scenario, or null
     * @param unchanged with known: tells which of them hold here, where own delays are used and no
     * paths are drawn; must be null for links that share results
     * @return by flow index: ideal FCT + delay [ns]; -1 if a size has no bucket
     * (ParsimonBucketRule::PUBLISHED)
     */
    std::vector<int64_t> Predict(const DcnScenario& scenario,
                                 const ParsimonLinkTable& table,
                                 uint32_t nThreads,
                                 const std::vector<int64_t>* known = nullptr,
                                 const ParsimonUnchanged* unchanged = nullptr) const;

    /**
     * @brief Delay of a flow that nobody has simulated.
     * @param sizeBytes its payload
     * @param path its links
     * @param draw number of the draw
     * @return delay [ns]; negative if the size has no bucket
     */
    double Draw(uint64_t sizeBytes, DcnPath path, uint64_t draw) const;

    /** @return random numbers of Draw; hop h of draw d uses Get(d, h). */
    const ParsimonDraws& GetDraws() const;

    /**
     * @brief Write in binary form; distributions that links share are written once.
     * @param stream where to
     */
    void Save(std::ostream& stream) const;

    /**
     * @brief Read what Save has written.
     * @param stream where from
     * @param where prefix of the error sentence
     * @param nLinks directed links of the topology
     * @return the predictor, for Draw
     * @throws DcnError if that is not what is there
     */
    static ParsimonPredictor Load(std::istream& stream, const std::string& where, uint32_t nLinks);

  private:
    /// For Load.
    explicit ParsimonPredictor(const Options& options);

    /// Delay of a flow; own(hop) is its own new delay or negative.
    template <typename Own>
    double Combine(uint64_t sizeBytes, DcnPath path, uint64_t draw, const Own& own) const;

    Options m_options;                 //!< as given
    ParsimonOverlap m_overlap;         //!< of successive links
    uint32_t m_payloadBytes{0};        //!< largest payload of a packet
    ParsimonDraws m_draws;             //!< random numbers
    /// By link; null where no draw is needed.
    std::vector<std::shared_ptr<const ParsimonDelayDistribution>> m_distributions;
};

} // namespace ns3

#endif /* PARSIMON_PREDICTOR_H */
