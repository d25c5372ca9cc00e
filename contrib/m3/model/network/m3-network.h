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

    /** @return ranges of the training. */
    const DcnTrainedRanges& GetRanges() const;

  private:
    const M3FeatureSet* m_featureSet;                 //!< see GetFeatureSet
    std::unique_ptr<const DcnTrainedRanges> m_ranges; //!< see GetRanges
    /// Forward pass of the architecture.
    std::function<std::vector<float>(const std::vector<M3PathFeatures>&)> m_predict;
};

} // namespace ns3

#endif /* M3_NETWORK_H */
