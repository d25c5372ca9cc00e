/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_CLUSTERING_H
#define PARSIMON_CLUSTERING_H

#include "parsimon-link.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief How ParsimonClustering compares links.
 */
struct ParsimonClusteringOptions
{
    ParsimonRules rules;  //!< see ParsimonClustering
    uint32_t nQuantiles;  //!< numbers that describe a distribution
    double maxWmape;      //!< see ParsimonClustering
    double loadThreshold; //!< see ParsimonClustering

    /**
     * @param rules a rule set
     * @return its options; published: those of the published evaluation
     */
    static ParsimonClusteringOptions Of(ParsimonRules rules);
};

/**
 * @ingroup parsimon
 * @brief The features by which links are compared (Parsimon, section 4.2 and appendix D).
 */
struct ParsimonLinkFeatures
{
    ParsimonPosition position; //!< of the target on the paths
    uint64_t capacityBps;      //!< its rate
    double load;               //!< payload / (rate x time)
    std::vector<float> sizes;  //!< quantiles of the flows' sizes; empty for fewer than two flows
    std::vector<float> gaps;   //!< quantiles of the times between starts; likewise

    /**
     * @param position of the target
     * @param capacityBps of the target, > 0
     * @param flows (start [ns], size [bytes]) in order of starts
     * @param spanNs time for the load [ns]; 0: from the first start to the last
     * @param nQuantiles quantile i of n sorted values is value floor(i n / nQuantiles)
     */
    ParsimonLinkFeatures(ParsimonPosition position,
                         uint64_t capacityBps,
                         const std::vector<std::pair<int64_t, uint64_t>>& flows,
                         int64_t spanNs,
                         uint32_t nQuantiles);
};

/**
 * @ingroup parsimon
 * @brief Greedy clustering of links that are alike, so that one of each cluster is simulated.
 *
 * Given the features of the links, find representatives such that every link is close to its own:
 *
 *     WMAPE(A, B) = sum_i |A_i - B_i| / sum_i |A_i|
 *
 * of sizes and of gaps, A those of the representative, is below maxWmape, and the loads a
 * (representative) and b are close (Parsimon, algorithm 1 and appendix D). The first link without a
 * cluster becomes a representative and takes every link without a cluster that is close enough.
 *
 * Default rules: |a - b| <= loadThreshold (1 - a)^2. The delay at a link of load a grows as
 * a / (1 - a), which a difference d of the load changes by d / (1 - a)^2. A threshold on that
 * product allows all links the same error of the delay. Links of a cluster have the same position
 * and capacity. Clusters are made from the most loaded link down. If that link also represented the
 * others, which all are less loaded, delays would be too large; so, when a cluster is complete, the
 * member whose load is nearest to the cluster's mean takes its place (the first of them if there
 * are several). maxWmape is wider than the published 0.1: quantiles of a few hundred flows with
 * sizes of a heavy tail differ by more than that when they are drawn from the same distribution.
 * The load decides.
 *
 * Published rules: |a - b| < loadThreshold, links in the order of their indices, of any position
 * and capacity, and the first link represents its cluster.
 *
 * Links without features (at most one flow: nothing is delayed) form a cluster. Gaps that are all 0
 * are alike only to gaps that are all 0: the published 0 / 0 is not reproduced. Links are compared
 * within groups of the same kind, in the order of their loads, so that only those with loads close
 * enough are visited.
 */
class ParsimonClustering
{
  public:
    /**
     * @param links features by link
     * @param options see ParsimonClusteringOptions
     * @return by link: position of its representative; its own position if it is one
     */
    static std::vector<uint32_t> Cluster(const std::vector<ParsimonLinkFeatures>& links,
                                         const ParsimonClusteringOptions& options);

    /**
     * @brief Weighted mean absolute percentage error, see above.
     * @param a values of the representative, >= 0
     * @param b as many values
     * @param limit result above which the exact value does not matter
     * @return the error, or some number above the limit; 0 if both are all 0, infinity if a is
     */
    static double Wmape(const std::vector<float>& a, const std::vector<float>& b, double limit);
};

} // namespace ns3

#endif /* PARSIMON_CLUSTERING_H */
