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
 * There are two architectures. Each goes with a feature set (M3FeatureSet), which the card names in
 * "features": `default` (M3DefaultNetwork), without LibTorch, and `published` (M3PublishedNetwork),
 * with LibTorch. A model without a name is a default one.
 *
 * The answer of a slot, a class of flow sizes, is the logarithm of the slowdown at the knots of the
 * feature set, never negative. A default network whose last layer is 0 answers with the fluid, up
 * to M3NetworkShape::FLOOR per knot.
 *
 * A model file has the kind "m3". Its card has the architecture and the ranges of the training
 * (DcnTrainedRanges of M3RangeFeatures).
 */
class M3Network
{
  public:
    /**
     * @param model a model of the kind "m3"
     * @throws DcnError if the card, its version or the shape of a matrix does not fit this code, or
     * the architecture needs LibTorch and there is none
     */
    explicit M3Network(const DcnModelFile& model);
    ~M3Network();

    /**
     * @param model a model of the kind "m3"
     * @return the feature set that its card names
     * @throws DcnError if there is none of this name and version
     */
    static const M3FeatureSet& ReadFeatureSet(const DcnModelFile& model);

    /**
     * @brief Make the card of a model.
     * @param featureSet of the model, which names the architecture
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
     * @return [paths x nSlots x nKnots] log slowdowns; those of slots without foreground flows
     * mean nothing
     * @throws DcnError if a path has another feature set
     */
    std::vector<float> Predict(const std::vector<M3PathFeatures>& inputs) const;

    /** @return features and answers. */
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
