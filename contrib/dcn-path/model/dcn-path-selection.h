/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_SELECTION_H
#define DCN_PATH_SELECTION_H

#include "dcn-path-index.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class DcnPathPreEstimate;

/**
 * @ingroup dcn-path
 * @brief How paths are drawn.
 */
enum class DcnPathSampling : uint8_t
{
    REPLACEMENT, //!< independent draws, as published
    SYSTEMATIC   //!< evenly spread over paths in order, without repetition where possible
};

/**
 * @ingroup dcn-path
 * @brief A drawn path, and the weight of its foreground flows.
 */
struct DcnDrawnPath
{
    uint32_t path;         //!< number of the path
    uint32_t multiplicity; //!< how often it has been drawn, at least 1
    double flowWeight;     //!< flows of the scenario represented by each of its foreground flows
};

/**
 * @ingroup dcn-path
 * @brief Draw paths with probabilities in proportion to their foreground flows (m3, section 3.2).
 *
 * Problem. N flows on paths with F(p) foreground flows; n draws; T(x) = number of flows with a
 * slowdown of at most x = sum over p of T_p(x), where T_p(x) is known only for paths drawn. Of a
 * path that is drawn m(p) times,
 *
 *     T'(x) = sum over drawn p of (m(p) / E[m(p)]) T_p(x)
 *
 * has the expectation T(x) for every x, whatever the dependence between draws: each flow of p has
 * the weight m(p) / E[m(p)].
 *
 * REPLACEMENT (published): n independent draws, E[m(p)] = n F(p) / N.
 *
 * SYSTEMATIC: paths with n F(p) >= N are taken once for certain, E[m] = 1; this is repeated with
 * the other paths and draws, since the shares of the remaining paths grow. The other paths form a
 * row in which each has a length in proportion to F(p); n' equidistant points with a common random
 * offset select the paths that they hit: E[m(p)] = n' F(p) / N' < 1, so that no path is drawn
 * twice. The row is ordered by number of links, then by links. Neighbours in it share racks and
 * hosts, hence load; the points spread evenly over them, as in a stratified sample with one draw
 * per stratum, and the variance of T'(x) is that within strata. If n is at least the number of
 * paths, all are taken and T' = T.
 *
 * @param pathIndex the paths
 * @param n draws, at least 1
 * @param sampling how to draw
 * @param seed of the draws
 * @return the paths drawn, ascending, each once
 */
std::vector<DcnDrawnPath> DcnDrawPaths(const DcnPathIndex& pathIndex,
                                       uint64_t n,
                                       DcnPathSampling sampling,
                                       uint64_t seed);

/**
 * @ingroup dcn-path
 * @brief A drawn flow and its weight.
 */
struct DcnDrawnFlow
{
    uint32_t flow; //!< flow index
    double weight; //!< flows of the scenario represented by it
};

/**
 * @ingroup dcn-path
 * @brief Draw flows, with a higher probability for flows likely to be slow in their size class.
 *
 * Problem. Where nearly every flow has a path of its own, drawing paths is drawing flows, and n
 * draws give the share p of flows slower than x with a standard error of sqrt(p (1 - p) / n): for a
 * p99, 500 flows leave percentiles from 98.1 to 99.9 possible (95 %). Most of these flows are known
 * beforehand not to be slow. If flow i is drawn with probability q_i and counted 1 / q_i times,
 * T'(x) is unbiased (Horvitz and Thompson, 1952). Its variance is least for q_i in proportion to
 * sqrt(p_i (1 - p_i) / c_i), with p_i the known probability that i is slow and c_i the cost of its
 * simulation (Neyman, 1934; Cochran, Sampling Techniques, section 5.5).
 *
 * Let u_i be the share of flows of i's size class with a higher score (DcnPathPreEstimate) than i,
 * and C_i its pre-estimated completion time. Size classes are those of DcnSizeClasses, and one more
 * for flows of 1 MB and more. Then
 *
 *     q_i = min(1, c / ((u_i + U)^k (1 + C_i / t)^(1/2))),   sum_i q_i = n,
 *
 * with U = 0.01, k = 1.5 and t = 1 ms. The share of slow flows falls about with the third power of
 * u; k was chosen for the least error of the p99 on ten scenarios of the suite on which the method
 * is evaluated (doc/validation.rst). A simulation costs a warm-up of about 1 ms and the flow's
 * time. Flows form a row in the order of class and score, in which each has the length q_i; points
 * at a distance of 1 with a common random offset select the flows that they hit. Every range of
 * scores so has its number of draws to within 1: stratification with one draw per stratum.
 *
 * @param scenario the flows
 * @param preEstimate their scores
 * @param n draws; all flows if n is at least their number
 * @param seed of the draws
 * @return the flows drawn, ascending
 */
std::vector<DcnDrawnFlow> DcnDrawFlows(const DcnScenario& scenario,
                                       const DcnPathPreEstimate& preEstimate,
                                       uint64_t n,
                                       uint64_t seed);

} // namespace ns3

#endif /* DCN_PATH_SELECTION_H */
