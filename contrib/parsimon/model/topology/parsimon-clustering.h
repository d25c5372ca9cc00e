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
 * @brief Options of the comparison of links in ParsimonClustering.
 */
struct ParsimonClusteringOptions
{
    ParsimonRules rules;  //!< see ParsimonClustering
    uint32_t nQuantiles;  //!< numbers that describe a distribution
    double maxWmape;      //!< see ParsimonClustering
    double loadThreshold; //!< see ParsimonClustering
    uint32_t leastFlows;  //!< flows of the simulated links of a cluster together, at least

    /**
     * @param rules a rule set
     * @return its options; published: those of the published evaluation
     */
    static ParsimonClusteringOptions Of(ParsimonRules rules);
};

/**
 * @ingroup parsimon
 * @brief The features of a link for the comparison (Parsimon, section 4.2 and appendix D).
 */
struct ParsimonLinkFeatures
{
    ParsimonPosition position; //!< position of the target on the paths
    uint64_t capacityBps;      //!< rate of the target [bit/s]
    std::size_t nFlows;        //!< flows
    double load;               //!< payload / (rate x time)
    std::vector<float> sizes;  //!< quantiles of the flows' sizes; empty for fewer than two flows
    std::vector<float> gaps;   //!< quantiles of the times between starts, as of the sizes

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
 * @brief Greedy clustering of similar links: one link of each cluster is simulated.
 *
 * Every link gets a representative such that
 *
 *     WMAPE(A, B) = sum_i |A_i - B_i| / sum_i |A_i|
 *
 * of sizes and of gaps, with A of the representative, is below maxWmape, and such that the loads a
 * (representative) and b are close (Parsimon, algorithm 1 and appendix D). The first link without a
 * cluster becomes a representative, and its cluster takes all close links that have no cluster yet.
 *
 * Default rules: |a - b| <= loadThreshold (1 - a)^2. The delay at a link of load a grows as
 * a / (1 - a), which changes by d / (1 - a)^2 if the load changes by d. A threshold on that product
 * allows all links the same error of the delay. Links of a cluster have the same position and
 * capacity. Clusters are formed from the most loaded link down. That link would overestimate the
 * delays of the others, which are all less loaded. So, when a cluster is complete, its new
 * representative is the member with the load nearest to the cluster's mean (the first of several).
 *
 * A link with few flows is a small sample of what happens at links like it: a tail of delays, above
 * all, needs many flows. With n members that have f flows on average, a cluster is therefore split
 * into min(n, ceil(leastFlows / f)) clusters of equally many members, by load, so that the
 * representatives of similar links have leastFlows flows together, or all are simulated. This costs
 * at most the simulation of leastFlows more flows per cluster, however large the network is.
 * maxWmape is larger than the published 0.1: quantiles of a few hundred flows with heavy-tailed
 * sizes differ by more than 0.1 when they are drawn from the same distribution. The load decides.
 *
 * Published rules: |a - b| < loadThreshold, links in the order of their indices, of any position
 * and capacity, and the first link represents its cluster.
 *
 * Links without features (at most one flow, without delay) form a cluster. Gaps that are all 0 are
 * similar only to gaps that are all 0: the published 0 / 0 is not reproduced. Links are compared
 * within groups of the same kind, in the order of their loads, so that only links with close loads
 * are visited.
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
     * @param a quantiles of the representative, >= 0
     * @param b as many quantiles of another link
     * @param limit errors above this value need not be exact
     * @return the error, or some number above the limit; 0 if both are all 0, infinity if a is
     */
    static double Wmape(const std::vector<float>& a, const std::vector<float>& b, double limit);
};

} // namespace ns3

#endif /* PARSIMON_CLUSTERING_H */
