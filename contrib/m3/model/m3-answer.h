/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_ANSWER_H
#define M3_ANSWER_H

#include "m3-example.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Which flows and which percentile are asked for.
 */
struct M3Query
{
    static constexpr uint32_t ANY = std::numeric_limits<uint32_t>::max(); //!< any host

    double level{0.99};                                         //!< of the percentile, in (0, 1)
    double leastBytes{0};                                       //!< smallest size of flows
    double endBytes{std::numeric_limits<double>::infinity()};   //!< sizes are below this
    uint32_t src{ANY};                                          //!< source host
    uint32_t dst{ANY};                                          //!< destination host
};

/**
 * @ingroup m3
 * @brief A percentile of slowdowns, and how far drawing other paths might have moved it.
 */
struct M3Limits
{
    double value{0};    //!< the percentile; 0 if no path that was drawn has such flows
    double low{0};      //!< lower limit
    double high{0};     //!< upper limit
    uint64_t nPaths{0}; //!< paths with such flows
};

/**
 * @ingroup m3
 * @brief What m3 says of paths that were drawn, to be asked in several ways.
 *
 * Problem. Path p stands for itself w_p times (DcnDrawnPath). Of its flows that are asked for, the
 * number a_p(x) is slower than x, out of b_p. The share S(x) = sum w_p a_p(x) / sum w_p b_p decreases
 * with x, and the percentile at the level q is the x with S(x) = 1 - q. Confidence limits by
 * inversion (Woodruff, 1952, Confidence intervals for medians and other position measures): with
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
 */
class M3Answer
{
  public:
    static constexpr double DEVIATIONS = 1.96; //!< of the limits, for 95 %

    /**
     * @param scenario the flows; must outlive this
     * @param drawn the paths
     * @param sampling how they were drawn
     * @param points of each path
     */
    M3Answer(const DcnScenario& scenario,
             std::vector<DcnDrawnPath> drawn,
             DcnPathSampling sampling,
             std::vector<std::vector<M3Point>> points);

    /**
     * @param query which flows
     * @return their percentile with its limits
     * @throws DcnError if the level is not between 0 and 1
     */
    M3Limits Ask(const M3Query& query) const;

    /** @return all points, as an estimate has them. */
    std::vector<DcnEstimate::Sample> MakeSamples() const;

  private:
    const DcnScenario& m_scenario;              //!< the flows
    std::vector<DcnDrawnPath> m_drawn;          //!< the paths
    DcnPathSampling m_sampling;                 //!< how they were drawn
    std::vector<std::vector<M3Point>> m_points; //!< of each path
};

} // namespace ns3

#endif /* M3_ANSWER_H */
