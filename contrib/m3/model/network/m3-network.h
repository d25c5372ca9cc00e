/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_NETWORK_H
#define M3_NETWORK_H

#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

class DcnModelFile;
class DcnTrainedRanges;
struct M3FeatureSet;
struct M3NetworkShape;
struct M3PathFeatures;

/**
 * @ingroup m3
 * @brief A trained model of m3: a neural network and the card that describes it.
 *
 * There are three architectures, each with its feature set (M3FeatureSet), which the card names in
 * "features": `default` and `links` (M3DefaultNetwork), without LibTorch, and `published`
 * (M3PublishedNetwork), with LibTorch. A card without a name means the default one.
 *
 * A slot is a class of flow sizes and, except in the published feature set, a range of the number
 * of flows. Its output is the logarithm of the slowdown at the knots of the feature set, never
 * negative. A default network whose last layer is 0 answers with M3Base, up to
 * M3NetworkShape::FLOOR per knot.
 *
 * **Share of the correction.** The network's distribution F and that of its base B (M3Base) are two
 * answers with different errors: F knows the training, B the queues of this scenario. Answers of a
 * model are their linear pool (Stone, The opinion pool, Annals of Mathematical Statistics 32, 1961)
 *
 *     c F + (1 - c) B,
 *
 * whose percentiles are between those of both, and which does not become narrower, as the mean of
 * their quantiles would if B has one value and F a distribution for each flow. The card has c
 * ("correction"; 1 if it is missing), chosen on scenarios that are not in the training.
 *
 * **Limit of the correction.** F can be wrong by a large factor, also within the ranges of the
 * training: its p99 was 23 times too high on one of 192 scenarios, with TIMELY. If the base
 * simulates queues, large ratios to it are errors of the network. The card can have a limit r
 * ("limit"; none if it is missing): each quantile of F is at most r times that of B. Quantiles of
 * both rise with the level, and so does their minimum. A fluid has no queues, and needs corrections
 * of any size.
 *
 * A model file has the kind "m3". Its card has the architecture and the ranges of the training
 * (DcnTrainedRanges of M3RangeFeatures).
 */
class M3Network
{
  public:
    /**
     * @param model a model of the kind "m3"
     * @throws DcnError if the card, its version or the shape of a matrix does not match this code,
     * or the architecture needs LibTorch and it is missing
     */
    explicit M3Network(const DcnModelFile& model);
    ~M3Network();

    /**
     * @param model a model of the kind "m3"
     * @return the feature set that its card names
     * @throws DcnError for an unknown name or version
     */
    static const M3FeatureSet& ReadFeatureSet(const DcnModelFile& model);

    /**
     * @param featureSet features and answers of a network
     * @return a shape with their numbers, otherwise that of the shipped model
     */
    static M3NetworkShape MakeShape(const M3FeatureSet& featureSet);

    /**
     * @brief Make the card of a model.
     * @param featureSet feature set of the model, which determines the architecture
     * @param shape of the network
     * @param ranges of the training
     * @return a model without matrices
     */
    static DcnModelFile MakeCard(const M3FeatureSet& featureSet,
                                 const M3NetworkShape& shape,
                                 const DcnTrainedRanges& ranges);

    /**
     * @brief Predict; safe for several threads.
     * @param inputs paths, with the feature set of the model
     * @return [paths x nSlots x nKnots] log slowdowns; meaningless for slots without foreground
     * flows
     * @throws DcnError if a path has another feature set
     */
    std::vector<float> Predict(const std::vector<M3PathFeatures>& inputs) const;

    /** @return definition of features and outputs. */
    const M3FeatureSet& GetFeatureSet() const;

    /** @return c above. */
    double GetCorrection() const;

    /** @return r above, 0 without a limit. */
    double GetLimit() const;

    /** @return ranges of the training. */
    const DcnTrainedRanges& GetRanges() const;

  private:
    const M3FeatureSet* m_featureSet;                 //!< see GetFeatureSet
    double m_correction;                              //!< see GetCorrection
    double m_limit;                                   //!< see GetLimit
    std::unique_ptr<const DcnTrainedRanges> m_ranges; //!< see GetRanges
    /// Forward pass of the architecture.
    std::function<std::vector<float>(const std::vector<M3PathFeatures>&)> m_predict;
};

} // namespace ns3

#endif /* M3_NETWORK_H */
