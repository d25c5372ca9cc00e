/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_ANSWER_H
#define M3_ANSWER_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-slowdown-query.h"
#include "ns3/dcn-statistics.h"
#include "ns3/m3-example.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief What m3 says of paths that were drawn, to be asked any number of times.
 *
 * Problem. Path p stands for itself w_p times (DcnDrawnPath). Of its flows that are asked for, the
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
 * (M3Layout): a query for a part of a class is answered with the slowdowns of the class.
 */
class M3Answer
{
  public:
    static constexpr double DEVIATIONS = 1.96; //!< of the limits, for 95 %

    /**
     * @param scenario the flows
     * @param drawn the paths
     * @param sampling how they were drawn
     * @param points of each path
     * @param warnings sentences on what was outside of the training
     * @param layout of the model
     */
    M3Answer(Ptr<const DcnScenario> scenario,
             std::vector<DcnDrawnPath> drawn,
             DcnPathSampling sampling,
             std::vector<std::vector<M3Point>> points,
             std::vector<std::string> warnings = {},
             const M3Layout& layout = M3Layout::Ours());

    /**
     * @param query which flows
     * @return their percentile with its limits; nothing if no flow on the paths that were drawn is
     * what is asked for
     * @throws DcnError if the level is not above 0 and at most that of the last knot of the layout
     * (by default 99.7 %: above it the model predicts nothing), a node is no host, there is no such
     * link, or no size is in the range
     */
    std::optional<DcnSlowdownQuantile> Ask(const DcnSlowdownQuery& query) const;

    /** @return all points, as an estimate has them; those above the last knot have its slowdown. */
    std::vector<DcnEstimate::Sample> MakeSamples() const;

    /** @return number of paths that were drawn. */
    std::size_t GetNPaths() const;

    /** @return sentences on what was outside of the training. */
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
