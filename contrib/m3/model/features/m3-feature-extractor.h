/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_FEATURE_EXTRACTOR_H
#define M3_FEATURE_EXTRACTOR_H

#include "m3-base.h"
#include "m3-feature-set.h"
#include "m3-network-features.h"
#include "m3-range-features.h"

#include "ns3/dcn-path-index.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief The features of a path.
 */
struct M3PathFeatures
{
    const M3FeatureSet* featureSet{&M3FeatureSet::Default()}; //!< feature set of the numbers below

    uint32_t nTokens{0};           //!< links L
    std::vector<float> token;      //!< [L x nToken] of each link, in the order of the path
    std::vector<float> foreground; //!< [nForeground] of the foreground flows
    std::vector<float> base;       //!< [nSlots x nKnots] log slowdowns of M3Base; 0: no flow
    /// Foreground flows by slot (M3FeatureSet::GetSlot), by rising log slowdown of M3Base.
    std::vector<std::vector<uint32_t>> flows;
    /// By slot and position in flows: slowdown of a flow that meets no other, else 0. An empty slot:
    /// all its flows meet others.
    std::vector<std::vector<float>> idle;
    M3RangeFeatures::Traffic traffic; //!< loads and numbers of flows
    M3RangeFeatures ranges;           //!< for comparison with the training

    /** @return whether no foreground flow meets another flow, so that no network is needed. */
    bool IsIdle() const;
};

/**
 * @ingroup m3
 * @brief Computes features of paths from a fluid simulation of the scenario, and perhaps link
 * simulations.
 *
 * Problem (m3, section 3.4: "feature maps"). A network of fixed size needs the slowdowns by the
 * fluid, by flow size, of the foreground flows of a path, and of the flows on each of its links.
 * M3FeatureSet defines the size classes and the levels of the quantiles. With F_c the foreground
 * flows of class c, x the log slowdowns and y the log queues of M3Fluid, z the log slowdowns of
 * M3Base, Q(X, p) the quantile of X (DcnQuantile), p_k the knots and p_m the levels of the map:
 *
 * - base, which the network corrects: the sorted z_i of F_c at the ranks of the p_k
 *   (M3FeatureSet::GetRank), without interpolation, so that distributions of paths with few flows
 *   add up to that of all flows.
 *
 * The default feature set, of the classes of the map:
 *
 * - foreground: by class Q(x, p_m), Q(y, p_m), ln(1 + |F_c|) / 10, 1 if |F_c| > 0, and (mean of
 *   ln S_i over F_c) - ln(lower bound of c); Q over all foreground flows of ln(1 + sum over links
 *   of B); the largest load of a link; the network specification (M3NetworkFeatures);
 * - a token per link: by class of all flows on the link Q(x, p_m), ln(1 + n) / 10, 1 if n > 0;
 *   Q of ln(1 + B) over all flows that start on the link, and likewise for the other direction;
 *   Q of ln(1 + B) over the foreground only, in both directions; load in both directions; ln(R_l /
 *   bottleneck), delay / base RTT, position l / L and (L - 1 - l) / L; the network specification.
 *
 * The correction of the fluid's quantiles differs between a class of a single flow, with one number
 * instead of a distribution, and a class of hundreds. Each class therefore has three slots among
 * the outputs of the network, for 1, for 2 to 15 and for 16 or more flows; two of them are empty.
 * Load is payload over rate and the time from the first start to the fluid's last end, hence at
 * most 1. Flows that meet no other (M3Fluid::GetIdleSlowdown) do not count in it: they load nobody's
 * link, and a flow that is alone from first to last would load its link like an incast. Absent features (quantiles without flows, parameters of other congestion controls) are
 * M3Scaler::ABSENT.
 *
 * The feature set links has, after each Q(x, p_m) of a class, Q(z, p_m).
 *
 * The published feature set, of the classes of the map, with X_(1) <= ... <= X_(n) the slowdowns
 * e^x of a class in order:
 *
 * - foreground: by class the slowdowns of the foreground at the ranks of the p_m (GetRank), so that
 * a single flow is at all 100; M3Scaler::ABSENT without flows; the published specification;
 * - a token per link: such slowdowns of all flows on the link but the foreground. A flow has the
 *   slowdown of its whole path at each of the shared links.
 *
 * The default feature set differs by logarithms, few quantiles, counts, queues and loads, and is
 * dimensionless; its links include the foreground, so that the features of a link are computed only
 * once. All feature sets come from one M3Base of the scenario, which is a whole network
 * or (published) a single path.
 */
class M3FeatureExtractor
{
  public:
    /**
     * @param pathIndex the flows; must outlive this
     * @param base answers to the scenario of the pathIndex, with the feature set; must outlive this
     * @param unmodelled parameters of the scenario's configuration that are no features
     */
    M3FeatureExtractor(const DcnPathIndex& pathIndex,
                       const M3Base& base,
                       M3RangeFeatures::Unmodelled unmodelled);

    /**
     * @brief Also compute the parameters that are no features; not while other threads run.
     * @param pathIndex see above
     * @param base see above
     */
    M3FeatureExtractor(const DcnPathIndex& pathIndex, const M3Base& base);

    /** @return the answers that the network corrects. */
    const M3Base& GetBase() const
    {
        return m_base;
    }

    /**
     * @brief Compute the features of links, which are common to all paths over a link; call it
     * before Make.
     * @param paths numbers of the paths for Make
     * @param nThreads number of threads; 0: as many as the machine has cores
     */
    void Prepare(const std::vector<uint32_t>& paths, uint32_t nThreads = 1);

    /**
     * @brief Make the features of a path; safe for several threads.
     * @param path number of the path in the pathIndex
     * @return the features
     * @throws DcnError for an unknown path: only paths with foreground flows have numbers
     */
    M3PathFeatures Make(uint32_t path) const;

    /**
     * @brief Replace the network features of a path.
     * @param features of the path with another configuration
     * @param network the other configuration
     * @param unmodelled its parameters that are no features
     * @param input features to change
     */
    static void SetNetworkFeatures(const M3NetworkFeatures& features,
                                   const DcnNetworkParameters& network,
                                   const M3RangeFeatures::Unmodelled& unmodelled,
                                   M3PathFeatures& input);

    /**
     * @brief Replace the slowdowns of flows that meet no other.
     * @param scenario the flows
     * @param path links of the path
     * @param network the other configuration
     * @param input features to change
     */
    static void SetIdle(const DcnScenario& scenario,
                        DcnPath path,
                        const DcnNetworkParameters& network,
                        M3PathFeatures& input);

  private:
    using Classes = std::vector<std::vector<uint32_t>>; //!< flows by class

    /// Features of a link, common to all paths over it.
    struct Link
    {
        std::vector<float> flows;   //!< maps, counts, masks by class
        std::vector<float> backlog; //!< quantiles of ln(1 + B)
        Classes sorted;             //!< published: classes of the map by rising slowdown
        double load{0};             //!< see above
        bool isPrepared{false};     //!< the features have been computed
    };

    /// Computes the features of a link.
    void PrepareLink(uint32_t link);
    /// Computes the features of a link in the default feature set.
    void PrepareDefault(uint32_t link, Link& entry) const;
    /// Sorts flows by rising slowdown of the base, equal ones by their number.
    void Sort(std::vector<uint32_t>& flows) const;
    /// Sorts values and appends their quantiles; ABSENT without values.
    void AppendMap(std::vector<double>& values, std::vector<float>& features) const;
    /// Appends the default features of a class of foreground flows, by rising slowdown.
    void AppendClass(uint32_t sizeClass,
                     const std::vector<uint32_t>& flows,
                     M3PathFeatures& input) const;
    /// Appends the other features of the default feature set.
    void AppendDefault(uint32_t path,
                       const M3NetworkFeatures& network,
                       M3PathFeatures& input) const;
    /// Appends the features of the published feature set.
    void AppendPublished(uint32_t path,
                         const M3NetworkFeatures& network,
                         M3PathFeatures& input) const;
    /// Appends slowdowns of sorted classes.
    void AppendSlowdowns(const Classes& sorted, std::vector<float>& features) const;

    const DcnPathIndex& m_pathIndex;          //!< the flows
    const M3Base& m_base;                     //!< slowdowns that the network corrects
    const M3Fluid& m_fluid;                   //!< slowdowns and backlogs of the flows
    const M3FeatureSet& m_featureSet;         //!< the feature set
    M3RangeFeatures::Unmodelled m_unmodelled; //!< parameters that are no features
    double m_spanNs;                          //!< between first start and last end
    std::vector<Link> m_links;                //!< by directed link
};

} // namespace ns3

#endif /* M3_FEATURE_EXTRACTOR_H */
