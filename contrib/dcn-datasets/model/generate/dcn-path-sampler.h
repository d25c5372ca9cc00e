/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_SAMPLER_H
#define DCN_PATH_SAMPLER_H

#include "dcn-dataset-sampler.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Samples on which m3 is trained: flows along one path, and flows that share some of its
 * links (m3, section 4).
 *
 * The path has n attachment points, hosts at its ends (0 and n - 1) and switches between, and thus
 * n - 1 links. Flows go between points i < j: those from end to end are the foreground, the others
 * the background. Each flow draws its pair of points with the pairs' weights.
 *
 * Background flows that start or end at an inner point do so at hosts behind links whose delay
 * stands for the missing depth of the tree: min(i, n - 1 - i) link delays at point i. In the
 * published generator this is one host at 100 Tb/s for each point; there the reserved buffer of its
 * port, three times rate times delay, exceeds the switch buffer, the difference wraps in 32 bits,
 * and neither buffer nor PFC has an effect. DcnPacketSwitch refuses such buffers, hence:
 *
 * - background=hosts (the default): a few hosts at each point, with the rate of the hosts at the
 *   path's ends. A flow takes the host with the least unsent (or unreceived) bytes so far, so that
 *   these hosts seldom limit a flow. Buffer and PFC act as drawn;
 * - background=published: the host at 100 Tb/s, and a buffer without limit in place of the wrapped
 *   one. The value drawn for the buffer is recorded but has no effect.
 *
 * In both, no flow is faster than the hosts at the path's ends.
 */
class DcnPathSampler : public DcnDatasetSampler
{
  public:
    /**
     * @param recipe the rules, of the kind path
     * @param seed of the data set
     */
    DcnPathSampler(const DcnDatasetRecipe& recipe, uint64_t seed);

    static constexpr uint64_t PUBLISHED_RATE_BPS = 100'000'000'000'000; //!< of background hosts
    static constexpr uint64_t UNLIMITED_BUFFER = 1'000'000'000'000;     //!< published [bytes]

    /// Two attachment points, the first below the second, with the probability of their flows.
    struct Pair
    {
        uint32_t from; //!< point at which flows join the path
        uint32_t to;   //!< point at which they leave it
        double weight; //!< probability; 1 for all pairs together
    };

    /**
     * @brief Choose pairs and their weights by the rule `weights`.
     *
     * Their number is uniform from 2 to n (n - 1) / 2 (m3, section 4).
     *
     * @param nodes attachment points n, at least 3
     * @param random seed of the workload
     * @return the foreground's pair, then the others
     */
    std::vector<Pair> DrawPairs(uint32_t nodes, const DcnRandom& random) const;

  private:
    void DoDraw(const Context& context, DcnDatasetSample& sample) const override;

    /// A path with its background hosts.
    struct Path
    {
        Ptr<DcnTopology> topology;                //!< directed link 2 k is the path's link k
        std::vector<std::vector<uint32_t>> hosts; //!< by attachment point
        std::vector<double> ratesBps;             //!< of the path's links
        uint64_t hostRateBps;                     //!< of its ends
    };

    /// A flow before it has hosts and a start.
    struct Draft
    {
        uint32_t pair;      //!< position in the pairs
        bool reverse;       //!< from the second point to the first
        uint64_t sizeBytes; //!< payload
        double time;        //!< start in mean gaps
    };

    /// Makes the path with its background hosts.
    Path MakePath(uint32_t nodes, const Context& context) const;
    /// Draws pair, size and time of every flow.
    std::vector<Draft> DrawFlows(const std::vector<Pair>& pairs,
                                 const Context& context,
                                 const Sizes& sizes,
                                 double sigma,
                                 uint64_t capBytes) const;
    /// Returns the mean gap, over this number of gaps, that fills the busiest link [ns].
    static double MeanGap(const std::vector<double>& bytes, const Path& path, double gaps);
    /// Returns the expected gap of MeanGap if all pairs had equally many flows [ns].
    static double PublishedGap(const std::vector<Pair>& pairs, const Path& path, double meanBytes);
    /// Gives every flow its hosts and its start.
    static std::vector<DcnFlow> PlaceFlows(const std::vector<Draft>& drafts,
                                           const std::vector<Pair>& pairs,
                                           const Path& path,
                                           double meanGapNs);
};

} // namespace ns3

#endif /* DCN_PATH_SAMPLER_H */
