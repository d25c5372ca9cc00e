/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_EXAMPLE_H
#define M3_EXAMPLE_H

#include "../model/features/m3-feature-extractor.h"

#include "ns3/m3-torch-network.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief A training example: features of a path, and slowdowns of the packet simulation.
 *
 * *Default feature set.* The log slowdowns of the foreground flows of a class, in order
 * z_1 <= ... <= z_m, become K = nKnots weighted targets of the pinball loss (M3Loss).
 * If m <= K, the targets are the z_i with equal weights; otherwise the quantiles of the z_i at the
 * knots p_k, each weighted by the share of the levels nearest to p_k. The weights of a class add up
 * to sqrt(min(m, FLOWS_THAT_COUNT)): many flows give more information than few, but not in
 * proportion, since they share a path and its features.
 *
 * In slots of many flows, the quantiles at p_k with at least LEAST_BEYOND flows on either side are
 * also known targets, with the weights 4 sqrt(min(m, MANY_THAT_COUNT)) / K each.
 *
 * *Published feature set.* The targets of a class are its quantiles z at the p_k
 * (M3FeatureSet::GetRank), with the weight 1 for any number of flows, 0 without flows. The loss is
 * the mean of |e^Q_k / e^z - 1| over all outputs, also those without weight (M3PublishedNetwork).
 * There are no known targets.
 */
struct M3Example
{
    static constexpr double FLOWS_THAT_COUNT = 16; //!< see above
    static constexpr double MANY_THAT_COUNT = 64;  //!< see above
    static constexpr double LEAST_BEYOND = 2;      //!< see above

    M3PathFeatures input;           //!< the path
    std::vector<float> target;      //!< [nSlots x nKnots] log slowdowns
    std::vector<float> weight;      //!< [nSlots x nKnots], 0: no target
    std::vector<float> known;       //!< [nSlots x nKnots] known quantiles; or empty, see above
    std::vector<float> knownWeight; //!< weights of known; 0: not known
    /// Log slowdowns of each class, by start; empty unless keepTruth (see Make).
    std::vector<std::vector<float>> truth;
    /// Log slowdowns of each class by M3Base, of the flows in truth.
    std::vector<std::vector<float>> base;
    /// Log slowdowns of each class in a fluid without windows; empty unless set.
    std::vector<std::vector<float>> flowsim;
    uint64_t network{0};   //!< number of its network; 0: none, see M3Evaluation
    bool isLeftOut{false}; //!< by M3Data::Options::leaveOut

    /**
     * @param features of the scenario
     * @param scenario the flows
     * @param path number of the path
     * @param fctNs completion times by flow [ns]; < 0: unfinished, omitted
     * @param keepTruth whether to fill in truth, which training does not need
     * @return the example; without weights if no foreground flow finished
     */
    static M3Example Make(const M3FeatureExtractor& features,
                          const DcnScenario& scenario,
                          uint32_t path,
                          const std::vector<int64_t>& fctNs,
                          bool keepTruth);

    /**
     * @brief Add the loss of a prediction (M3Loss, M3PublishedNetwork).
     * @param quantiles [nSlots x nKnots]
     * @param loss the loss is added to it
     */
    void AddLoss(const float* quantiles, M3Loss& loss) const;

    /**
     * @brief Refuse examples that all have no weight.
     * @param examples some
     * @param purpose purpose in the sentence, such as "to learn from"
     * @throws DcnError if none of their foreground flows finished
     */
    static void RequireFlows(const std::vector<M3Example>& examples, const std::string& purpose);

  private:
    /// Sets the targets from the sorted log slowdowns of a slot.
    void SetTargets(uint32_t slot, const std::vector<double>& values);
};

} // namespace ns3

#endif /* M3_EXAMPLE_H */
