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

/**
 * @ingroup m3
 * @brief What the network of the model gets to see of a path, and what it is asked for.
 *
 * There are two, ours and the published one (m3, section 3.4, with what its code does where the
 * paper is silent; option `published` of m3-train). A model belongs to one, which is on its card.
 *
 * Both cut flows by size into *classes* of which distributions are predicted, as quantiles of the
 * logarithm of slowdowns at the levels of the *knots*. What is predicted of a class lies in one of
 * its *slots*. Features are made of quantiles of classes of their own, those of the *map*.
 *
 * *Default.*
 * - Classes, also of the map: [0, 1), [1, 10), [10, 50), [50, 200), [200, 1000), [1000, inf) KB;
 *   slots: three of each class, for 1, 2 to 15, and more flows; knots: 16 from 0.02 to 0.997.
 * - Features: 86 of a link and 102 of a path (M3Features), scaled to mean 0 and variance 1
 *   (M3Scaler); windows are a cap on rates in the fluid.
 * - The fluid's quantiles are corrected: an untrained network says what the fluid says. Targets are
 *   the flows, by the pinball loss, and known quantiles (M3Example).
 *
 * *Published.*
 * - Classes: [0, 1), [1, 10), [10, 50), [50, inf) KB, one slot each; those of the map: [0, 250),
 *   [250, 500), [500, 750), [750, 1000) bytes, [1, 2), [2, 5), [5, 7.5), [7.5, 10), [10, 50), [50,
 *   inf) KB. Knots and levels of the map: the percentiles 1, 2, ..., 100, each a value of the n
 *   in order, that of the rank nearest to (n - 1) p, from 0.
 * - Features: 10 x 100 slowdowns and 19 numbers of the network (M3Spec::AppendPublished) of a link,
 *   and as many of a path. They are not scaled. For classes without flows the network learns a
 *   number for each percentile, the same in all classes, links and the foreground, 0 at first. The
 *   fluid has no windows.
 * - There is no residual: an untrained network says that nothing slows down flows, slowdowns from 1
 *   to 1.05 (e to the power of 100 times DcnTorchSetNetwork::FLOOR). Targets are percentiles, by
 *   the absolute error of their logarithms.
 *
 * Of the published design this is the layout alone: inputs, what is asked for, and the targets. The
 * network between them is DcnTorchSetNetwork in both: its answers are logarithms that neither fall
 * nor are negative, where the published one has slowdowns without bounds, so that the published
 * loss |estimate / truth - 1| becomes |ln (estimate / truth)|, which is the same to first order but
 * does not favour estimates that are too small.
 */
struct M3Layout
{
    std::string name;     //!< default or published: in options and on cards
    uint32_t version;     //!< of the features; models belong to one
    bool isPublished;     //!< which features there are, see above
    bool hasWindows;      //!< windows are a cap on rates in the fluid
    bool isScaled;        //!< features are scaled
    bool isResidual;      //!< the fluid's quantiles are corrected; false: there is no base
    bool learnsFlows;     //!< pinball loss of flows; false: absolute error of quantiles
    uint32_t nToken;      //!< features of a link
    uint32_t nForeground; //!< features of a path
    uint32_t nSpec;       //!< of which the last are the specification, in both
    uint32_t nAbsent;     //!< numbers to learn for features that are not there; 0: they are 0

    std::vector<double> classBytes; //!< smallest sizes of the classes [bytes]
    std::vector<double> knots;      //!< levels of the quantiles that are predicted
    std::vector<double> mapBytes;   //!< smallest sizes of the classes of features [bytes]
    std::vector<double> mapLevels;  //!< levels of the quantiles that are features
    uint32_t nClasses;              //!< of which distributions are predicted
    uint32_t nSlots;                //!< outputs: classes by number of flows
    uint32_t nKnots;                //!< quantiles that are predicted
    uint32_t nOutputs;              //!< slots x knots

    /** @return the default layout; always the same object. */
    static const M3Layout& Ours();

    /** @return the published layout; always the same object. */
    static const M3Layout& Published();

    /**
     * @param name default or published
     * @return the layout
     * @throws DcnError for any other name
     */
    static const M3Layout& Get(const std::string& name);

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
     * nearest one to (n - 1) level, halves up, in the published layout, and ceil(n level) - 1 in
     * the default one
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
