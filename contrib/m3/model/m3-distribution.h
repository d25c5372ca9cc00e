/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_ANSWER_H
#define M3_ANSWER_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-statistics.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

class M3Network;
struct M3PathFeatures;

/**
 * @ingroup m3
 * @brief A part of the flows of a class, as predicted.
 */
struct M3Point
{
    uint32_t flow;      //!< index of one of the flows; gives size, source and destination
    uint32_t sizeClass; //!< of M3FeatureSet
    double slowdown;    //!< at least 1
    double nFlows;      //!< number of foreground flows that the point represents
};

/**
 * @ingroup m3
 * @brief Turn quantiles into points.
 *
 * The quantile function of a class is linear between the knots and constant beyond them. Each
 * interval between neighbouring knots, and from 0 and to 1, gives two points, at its first and
 * third quarter, each with half of its flows; together they represent all flows of the class. A
 * point at level p has the flow with the rank of p in the fluid's answer.
 *
 * @param input the path
 * @param quantiles [nSlots x nKnots] log slowdowns, of the feature set of the path
 * @param points appended to
 */
void M3Expand(const M3PathFeatures& input, const float* quantiles, std::vector<M3Point>& points);

/**
 * @ingroup m3
 * @brief The slowdown distribution of a network, predicted from drawn paths.
 *
 * Problem. Path p has the weight w_p (DcnDrawnPath). Of its flows that a query selects, the
 * number a_p(x) is slower than x, out of b_p. The share S(x) = sum w_p a_p(x) / sum w_p b_p
 * decreases with x, and the percentile at the level q is the x with S(x) = 1 - q. Confidence limits
 * by inversion (Woodruff, 1952, Confidence intervals for medians and other position measures): with
 * z_p = a_p(x) - (1 - q) b_p at the percentile, the share has the variance
 *
 *     v = sum_p f_p (w_p z_p)^2 / (sum w_p b_p)^2,
 *
 * f_p = 1 - 1 / w_p for a path drawn without replacement with the probability 1 / w_p (0 where it
 * is certain), and one over how often it was drawn for draws with replacement; the limits are the
 * percentiles at the levels q -+ 1.96 sqrt(v), 95 %. Systematic draws spread evenly over the paths,
 * so that limits made as if they were independent are too wide rather than too narrow. The limits
 * say nothing of the error of the model. A path that none of the draws found is not in them: of
 * few paths they are too narrow.
 *
 * A point has the size of a flow of its rank in the fluid, and the slowdown of its size class
 * (M3FeatureSet): a query for a part of a class is answered with the slowdowns of the class.
 */
class M3Distribution
{
  public:
    static constexpr double DEVIATIONS = 1.96; //!< of the limits, for 95 %

    /// Returns the features of a drawn path by its position; called by several threads.
    using Source = std::function<M3PathFeatures(std::size_t)>;

    /**
     * @brief Predict the distributions of paths, some paths at a time, on several threads.
     *
     * The order of the paths alone decides which are in one call of the network, so that results
     * are the same for any number of threads. (They differ in the last digits for another number of
     * paths: products of matrices of other shapes are rounded otherwise.)
     *
     * @param network the model
     * @param scenario the flows
     * @param drawn the paths
     * @param sampling how they were drawn
     * @param nThreads number of threads; 0: as many as the machine has cores
     * @param source gives the features of the paths
     * @return the distribution, with warnings of features outside of the training's ranges
     */
    static M3Distribution Predict(const M3Network& network,
                                  Ptr<const DcnScenario> scenario,
                                  std::vector<DcnDrawnPath> drawn,
                                  DcnPathSampling sampling,
                                  uint32_t nThreads,
                                  const Source& source);

    /**
     * @param scenario the flows
     * @param drawn the paths
     * @param sampling how they were drawn
     * @param points of each path
     * @param highest largest level of a percentile that the model predicts
     * @param warnings sentences on features outside of the training's ranges
     */
    M3Distribution(Ptr<const DcnScenario> scenario,
                   std::vector<DcnDrawnPath> drawn,
                   DcnPathSampling sampling,
                   std::vector<std::vector<M3Point>> points,
                   double highest,
                   std::vector<std::string> warnings = {});

    /**
     * @param query which flows
     * @return their percentile with its limits; nothing if no flow on the paths that were drawn is
     * what is asked for
     * @throws DcnError if the level is not above 0 and at most that of the last knot of the feature
     * set (by default 99.7 %: above it the model predicts nothing), a node is no host, there is no
     * such link, or no size is in the range
     */
    std::optional<DcnSlowdownQuantile> Ask(const DcnSlowdownQuery& query) const;

    /** @return all points, as an estimate has them; those above the last knot have its slowdown. */
    std::vector<DcnEstimate::Sample> MakeSamples() const;

    /** @return number of paths that were drawn. */
    std::size_t GetNPaths() const;

    /** @return sentences on features outside of the training's ranges. */
    const std::vector<std::string>& GetWarnings() const;

  private:
    /// Stops if a query makes no sense.
    void Check(const DcnSlowdownQuery& query) const;

    Ptr<const DcnScenario> m_scenario;          //!< the flows
    std::vector<DcnDrawnPath> m_drawn;          //!< the paths
    DcnPathSampling m_sampling;                 //!< how they were drawn
    std::vector<std::vector<M3Point>> m_points; //!< of each path
    std::vector<std::string> m_warnings;        //!< see GetWarnings
    double m_highest;                           //!< level of the last knot
};

} // namespace ns3

#endif /* M3_ANSWER_H */
