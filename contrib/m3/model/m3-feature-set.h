/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_LAYOUT_H
#define M3_LAYOUT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

struct M3NetworkShape;

/**
 * @ingroup m3
 * @brief The features of a path, and the quantiles that are predicted from them.
 *
 * There are two feature sets, one for each architecture (option `architecture` of m3-train): the
 * default one and the published one (m3, section 3.4, and its released code where the paper is
 * silent). The card of a model names its feature set.
 *
 * Both cut flows by size into *classes* of which distributions are predicted, as quantiles of the
 * logarithm of slowdowns at the levels of the *knots*. The prediction for a class lies in one of
 * its *slots*. Features are made of quantiles of classes of their own, those of the *map*.
 *
 * *Default.*
 * - Classes, also of the map: [0, 1), [1, 10), [10, 50), [50, 200), [200, 1000), [1000, inf) KB;
 *   slots: three of each class, for 1, 2 to 15, and more flows; knots: 16 from 0.02 to 0.997.
 * - Features: 86 of a link and 102 of a path (M3FeatureExtractor), scaled to mean 0 and variance 1
 *   (M3Scaler); windows are a cap on rates in the fluid.
 * - The network corrects the fluid's quantiles: an untrained one answers with the fluid. Targets
 *   are the flows, by the pinball loss, and known quantiles (M3Example).
 *
 * *Published.*
 * - Classes: [0, 1), [1, 10), [10, 50), [50, inf) KB, one slot each; those of the map: [0, 250),
 *   [250, 500), [500, 750), [750, 1000) bytes, [1, 2), [2, 5), [5, 7.5), [7.5, 10), [10, 50), [50,
 *   inf) KB. Knots and levels of the map: the percentiles 1, 2, ..., 100, each a value of the n
 *   in order, that of the rank nearest to (n - 1) p, from 0.
 * - Features: 10 x 100 slowdowns and 19 numbers of the network
 *   (M3NetworkFeatures) of a link, and as many of a path, not scaled. The fluid
 *   has no windows.
 * - The network predicts slowdowns without the fluid's. Targets are percentiles, by their relative
 *   error (M3PublishedNetwork).
 */
struct M3FeatureSet
{
    std::string name;     //!< default or published: in options and on cards
    uint32_t version;     //!< of the features; models belong to one
    bool isPublished;     //!< which of the two it is
    uint32_t nToken;      //!< features of a link
    uint32_t nForeground; //!< features of a path
    uint32_t nNetwork;    //!< of which the last are those of the network, in both

    std::vector<double> classBytes; //!< smallest sizes of the classes [bytes]
    std::vector<double> knots;      //!< levels of the quantiles that are predicted
    std::vector<double> mapBytes;   //!< smallest sizes of the classes of features [bytes]
    std::vector<double> mapLevels;  //!< levels of the quantiles that are features
    uint32_t nClasses;              //!< of which distributions are predicted
    uint32_t nSlots;                //!< outputs: classes by number of flows
    uint32_t nKnots;                //!< quantiles that are predicted
    uint32_t nOutputs;              //!< slots x knots

    /** @return whether windows are a cap on rates in the fluid. */
    bool HasWindows() const
    {
        return !isPublished;
    }

    /** @return a shape with the numbers of features and answers. */
    M3NetworkShape GetShape() const;

    /** @return the default feature set; always the same object. */
    static const M3FeatureSet& Default();

    /** @return the published feature set; always the same object. */
    static const M3FeatureSet& Published();

    /**
     * @param name default or published
     * @return the feature set
     * @throws DcnError for any other name
     */
    static const M3FeatureSet& Get(const std::string& name);

    /**
     * @param bytes size of a flow
     * @return its class
     */
    uint32_t GetClass(uint64_t bytes) const;

    /**
     * @param bytes size of a flow
     * @return its class of features
     */
    uint32_t GetMapClass(uint64_t bytes) const;

    /**
     * @param sizeClass class of some flows
     * @param nFlows how many they are, at least 1
     * @return their slot; its class is the remainder by nClasses
     */
    uint32_t GetSlot(uint32_t sizeClass, std::size_t nFlows) const;

    /**
     * @param level of a quantile, above 0 and at most 1
     * @param nFlows how many flows there are, at least 1
     * @return place of the quantile among the flows in order, without interpolation, from 0: the
     * nearest one to (n - 1) level, halves up, in the published feature set, and ceil(n level) - 1
     * in the default one
     */
    std::size_t GetRank(double level, std::size_t nFlows) const;

    /**
     * @param slot an output
     * @return whether a class of many flows is there, a distribution of its own
     */
    bool IsOfMany(uint32_t slot) const
    {
        return slot >= nSlots - nClasses;
    }
};

} // namespace ns3

#endif /* M3_LAYOUT_H */
