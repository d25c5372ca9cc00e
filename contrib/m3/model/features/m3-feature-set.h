/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_FEATURE_SET_H
#define M3_FEATURE_SET_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Definition of the features of a path and of the predicted quantiles.
 *
 * There are three feature sets, one for each architecture (option `architecture` of m3-train): the
 * default one, the one with link simulations, and the published one (m3, section 3.4, and its
 * released code where the paper gives no details). The card of a model names its feature set.
 *
 * All divide flows by size into *classes*. For each class, quantiles of the logarithm of slowdowns
 * are predicted at the levels of the *knots*, in one of the *slots* of the class. Features contain
 * quantiles of other classes, those of the *map*.
 *
 * *Default.*
 * - Classes, also of the map: [0, 1), [1, 10), [10, 50), [50, 200), [200, 1000), [1000, inf) KB;
 *   slots: three of each class, for 1, 2 to 15, and more flows; knots: 16 from 0.02 to 0.997.
 * - Features: 86 of a link and 102 of a path (M3FeatureExtractor), scaled to mean 0 and variance 1
 *   (M3Scaler); windows limit rates in the fluid.
 * - The network corrects the fluid's quantiles: an untrained network answers with the fluid.
 * Targets are the flows, with the pinball loss, and known quantiles (M3Example).
 *
 * *Links.* As default, with link simulations in place of the fluid as the base (M3Base): their
 * slowdowns are corrected. Features: those of default, and quantiles of the slowdowns by the link
 * simulations wherever there are quantiles of the slowdowns by the fluid: 116 of a link and 132 of
 * a path.
 *
 * *Published.*
 * - Classes: [0, 1), [1, 10), [10, 50), [50, inf) KB, one slot each; those of the map: [0, 250),
 *   [250, 500), [500, 750), [750, 1000) bytes, [1, 2), [2, 5), [5, 7.5), [7.5, 10), [10, 50), [50,
 *   inf) KB. Knots and levels of the map: the percentiles 1, 2, ..., 100, each the value of the n
 *   sorted ones with the rank nearest to (n - 1) p, from 0.
 * - Features: 10 x 100 slowdowns and 19 numbers of the network (M3NetworkFeatures) of a link, and
 * as many of a path, not scaled. The fluid has no windows.
 * - The network predicts slowdowns without the fluid's. Targets are percentiles, with their
 * relative error as the loss (M3PublishedNetwork).
 */
struct M3FeatureSet
{
    std::string name;     //!< default, links or published: in options and on cards
    uint32_t version;     //!< version of the features; a model needs the same version
    bool isPublished;     //!< true: published; false: default or links
    bool simulatesLinks;  //!< true: links; the base is link simulations, else a fluid
    uint32_t nToken;      //!< features of a link
    uint32_t nForeground; //!< features of a path
    uint32_t nNetwork;    //!< the last features of both, those of the network

    std::vector<double> classBytes; //!< smallest sizes of the classes [bytes]
    std::vector<double> knots;      //!< levels of the quantiles that are predicted
    std::vector<double> mapBytes;   //!< smallest sizes of the classes of features [bytes]
    std::vector<double> mapLevels;  //!< levels of the quantiles that are features
    uint32_t nClasses;              //!< classes with predicted distributions
    uint32_t nSlots;                //!< outputs: classes by number of flows
    uint32_t nKnots;                //!< quantiles that are predicted
    uint32_t nOutputs;              //!< slots x knots

    /** @return whether windows limit rates in the fluid. */
    bool HasWindows() const
    {
        return !isPublished;
    }

    /** @return the default feature set; always the same object. */
    static const M3FeatureSet& Default();

    /** @return the feature set with link simulations; always the same object. */
    static const M3FeatureSet& Links();

    /** @return the published feature set; always the same object. */
    static const M3FeatureSet& Published();

    /**
     * @param name default, links or published
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
     * @return its class of the map
     */
    uint32_t GetMapClass(uint64_t bytes) const;

    /**
     * @param sizeClass class of some flows
     * @param nFlows their number, at least 1
     * @return their slot; its class is the remainder by nClasses
     */
    uint32_t GetSlot(uint32_t sizeClass, std::size_t nFlows) const;

    /**
     * @param level of a quantile, above 0 and at most 1
     * @param nFlows number of flows, at least 1
     * @return rank of the quantile among the sorted flows, without interpolation, from 0: the one
     * nearest to (n - 1) level, halves up, in the published feature set, and ceil(n level) - 1 in
     * the default one
     */
    std::size_t GetRank(double level, std::size_t nFlows) const;

    /**
     * @param slot an output
     * @return whether it is for classes of many flows, with a distribution of their own
     */
    bool IsOfMany(uint32_t slot) const
    {
        return slot >= nSlots - nClasses;
    }
};

} // namespace ns3

#endif /* M3_FEATURE_SET_H */
