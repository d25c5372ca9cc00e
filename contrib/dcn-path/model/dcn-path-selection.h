/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_SELECTION_H
#define DCN_PATH_SELECTION_H

#include "dcn-path-census.h"

#include <cstdint>
#include <vector>

namespace ns3
{

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
 * The row is ordered by number of links, then by links, so that neighbours share racks and hosts and
 * with them load: the points are spread evenly over these, as in a stratified sample with a draw per
 * stratum, and the variance of T'(x) is that within strata alone. With n not less than the
 * number of paths, all are taken and T' = T.
 *
 * @param census the paths
 * @param n draws, at least 1
 * @param sampling how to draw
 * @param seed of the draws
 * @return the paths drawn, ascending, each once
 */
std::vector<DcnDrawnPath> DcnDrawPaths(const DcnPathCensus& census,
                                       uint64_t n,
                                       DcnPathSampling sampling,
                                       uint64_t seed);

} // namespace ns3

#endif /* DCN_PATH_SELECTION_H */
