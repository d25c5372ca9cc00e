/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_DISTRIBUTION_H
#define M3_DISTRIBUTION_H

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
 * @brief A predicted slowdown that represents a part of the flows of a class.
 */
struct M3Point
{
    uint32_t flow;      //!< index of one of the flows; gives size, source and destination
    uint32_t sizeClass; //!< size class of M3FeatureSet
    double slowdown;    //!< at least 1
    double nFlows;      //!< number of foreground flows that the point represents
};

/**
 * @ingroup m3
 * @brief Turn quantiles into points.
 *
 * The quantile function of a class is linear between the knots and constant beyond them. Each
 * interval between neighbouring knots, and from 0 and to 1, gives two points, at its first and
 * third quarter, each with half of its flows; together they represent all flows of the class. The
 * flow of a point at level p is the one with the rank of p in the answer of the base. If that flow
 * meets no other (M3PathFeatures::idle), the point has the slowdown of its idle time instead of the
 * quantile.
 *
 * @param input the path
 * @param quantiles [nSlots x nKnots] log slowdowns, of the feature set of the path
 * @param share of the flows that these points represent (M3Network::GetCorrection); points of the
 * base represent the others
 * @param points the points are appended to it
 */
void M3Expand(const M3PathFeatures& input,
              const float* quantiles,
              double share,
              std::vector<M3Point>& points);

/**
 * @ingroup m3
 * @brief The slowdown distribution of a network, predicted from drawn paths.
 *
 * Problem. Path p has the weight w_p (DcnDrawnPath). Of its b_p flows that a query selects, a_p(x)
 * are slower than x. The share S(x) = sum w_p a_p(x) / sum w_p b_p decreases with x, and the
 * percentile at the level q is the x with S(x) = 1 - q. Its confidence limits follow by inversion
 * (Woodruff, 1952, Confidence intervals for medians and other position measures): with z_p = a_p(x)
 * - (1 - q) b_p at the percentile, the share has the variance
 *
 *     v = sum_p f_p (w_p z_p)^2 / (sum w_p b_p)^2,
 *
 * where f_p = 1 - 1 / w_p for a path drawn without replacement with the probability 1 / w_p (0 for
 * a certain path), and 1 / (number of its draws) for draws with replacement. The limits are the
 * percentiles at the levels q -+ 1.96 sqrt(v), 95 %. Systematic draws spread evenly over the paths,
 * so that these limits, which assume independent draws, are rather too wide. The limits do not
 * include the error of the model, nor paths that were not drawn: with few paths they are too
 * narrow.
 *
 * A point has the size of a flow of its rank in the fluid, and the slowdown of its size class
 * (M3FeatureSet): the answer to a query for a part of a class has the slowdowns of the class.
 */
class M3Distribution
{
  public:
    static constexpr double DEVIATIONS = 1.96; //!< standard deviations of the 95 % limits

    /// Returns the features of a drawn path by its position; called by several threads.
    using Source = std::function<M3PathFeatures(std::size_t)>;

    /**
     * @brief Predict the distributions of paths, in batches, on several threads.
     *
     * The batches depend only on the order of the paths, so that results are equal for any number
     * of threads. (For another number of paths they differ in the last digits: products of matrices
     * of other shapes are rounded differently.)
     *
     * @param network the model
     * @param scenario the scenario
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
     * @param warnings warnings of features outside of the training's ranges
     */
    M3Distribution(Ptr<const DcnScenario> scenario,
                   std::vector<DcnDrawnPath> drawn,
                   DcnPathSampling sampling,
                   std::vector<std::vector<M3Point>> points,
                   double highest,
                   std::vector<std::string> warnings = {});

    /**
     * @param query conditions on the flows
     * @return their percentile with its limits; none if no flow of the drawn paths meets the
     * conditions
     * @throws DcnError if the level is not above 0 and at most that of the last knot of the feature
     * set (by default 99.7 %, the largest level that the model predicts), a node is no host, the
     * link does not exist, or the range of sizes is empty
     */
    std::optional<DcnSlowdownQuantile> Ask(const DcnSlowdownQuery& query) const;

    /** @return all points as samples of an estimate; points above the last knot have its slowdown.
     */
    std::vector<DcnEstimate::Sample> MakeSamples() const;

    /** @return number of paths that were drawn. */
    std::size_t GetNPaths() const;

    /** @return warnings of features outside of the training's ranges. */
    const std::vector<std::string>& GetWarnings() const;

  private:
    /// A point, in the order in which all queries need it.
    struct Place
    {
        double slowdown; //!< of the point
        double weight;   //!< flows of the network that it represents
        uint32_t path;   //!< position of its path
        uint32_t flow;   //!< see M3Point
    };

    /// Refuses invalid queries (see Ask).
    void Check(const DcnSlowdownQuery& query) const;

    Ptr<const DcnScenario> m_scenario;          //!< the flows
    std::vector<DcnDrawnPath> m_drawn;          //!< the paths
    DcnPathSampling m_sampling;                 //!< how they were drawn
    std::vector<std::vector<M3Point>> m_points; //!< of each path
    std::vector<Place> m_sorted;                //!< all points, by slowdown and weight
    std::vector<std::string> m_warnings;        //!< see GetWarnings
    double m_highest;                           //!< level of the last knot
};

} // namespace ns3

#endif /* M3_DISTRIBUTION_H */
