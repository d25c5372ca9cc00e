/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_EXAMPLE_H
#define M3_EXAMPLE_H

#include "../model/m3-feature-extractor.h"

#include "ns3/m3-torch-network.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Features of a path, and the slowdowns that packets had on it.
 *
 * *Default feature set.* The log slowdowns of the foreground flows of a class, in order
 * z_1 <= ... <= z_m, become K = nKnots weighted targets of the pinball loss (M3Loss).
 * If m <= K they are the z_i with equal weights; if not, the quantiles of the z_i at the knots p_k,
 * each with the share of the levels that are nearest to p_k. Weights of a class add up to
 * sqrt(min(m, FLOWS_THAT_COUNT)): many flows say more than few, but not in proportion, as they
 * share a path and its features.
 *
 * Of the slots of many flows, the quantiles at the p_k of which at least LEAST_BEYOND flows lie on
 * either side are also known targets, with the weights 4 sqrt(min(m, MANY_THAT_COUNT)) / K each.
 *
 * *Published feature set.* The targets of a class are its quantiles z at the p_k
 * (M3FeatureSet::GetRank), each with the weight 1 however few flows there are, 0 without any. The
 * loss is the mean of |e^Q_k / e^z - 1| over all outputs, also those without weight
 * (M3PublishedNetwork). There are no known targets.
 */
struct M3Example
{
    static constexpr double FLOWS_THAT_COUNT = 16; //!< see above
    static constexpr double MANY_THAT_COUNT = 64;  //!< see above
    static constexpr double LEAST_BEYOND = 2;      //!< see above

    M3PathFeatures input;           //!< the path
    std::vector<float> target;      //!< [nSlots x nKnots] log slowdowns
    std::vector<float> weight;      //!< [nSlots x nKnots], 0 where there is none
    std::vector<float> known;       //!< [nSlots x nKnots] quantiles; or empty, see above
    std::vector<float> knownWeight; //!< as many, 0 where there is none
    /// Log slowdowns of each class, by start; only if kept (see Make).
    std::vector<std::vector<float>> truth;
    /// Log slowdowns of each class in the fluid, of the flows in truth.
    std::vector<std::vector<float>> fluid;
    /// Log slowdowns of each class in a fluid without windows; empty unless set.
    std::vector<std::vector<float>> flowsim;
    uint64_t network{0}; //!< number of the network that it is a part of; 0: none, see M3Evaluation

    /**
     * @param features of the scenario
     * @param scenario the flows
     * @param path number of the path
     * @param fctNs completion times by flow [ns]; < 0: unfinished, left out
     * @param keepTruth whether truth is wanted, which training does not need
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
     * @param loss numerator and denominator are added to
     */
    void AddLoss(const float* quantiles, M3Loss& loss) const;

    /**
     * @brief Refuse examples of which none has a weight, whose loss would be that of nothing.
     * @param examples some
     * @param purpose of theirs: "to learn from"
     * @throws DcnError if no foreground flow of theirs finished
     */
    static void RequireFlows(const std::vector<M3Example>& examples, const std::string& purpose);

  private:
    /// Makes targets of the log slowdowns of a slot, in order.
    void SetTargets(uint32_t slot, const std::vector<double>& values);
};

} // namespace ns3

#endif /* M3_EXAMPLE_H */
