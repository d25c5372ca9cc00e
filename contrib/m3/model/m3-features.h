/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_FEATURES_H
#define M3_FEATURES_H

#include "m3-fluid.h"
#include "m3-ranges.h"
#include "m3-spec.h"

#include "ns3/dcn-path-census.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief A path as the network sees it.
 */
struct M3Input
{
    uint32_t nTokens{0};           //!< links L
    std::vector<float> token;      //!< [L x N_TOKEN] of each link, in the order of the path
    std::vector<float> foreground; //!< [N_FOREGROUND] of the foreground flows
    std::vector<float> base;       //!< [N_SLOTS x N_KNOTS] log slowdowns of the fluid; 0: no flow
    /// Foreground flows by slot (M3Features::GetSlot), by rising log slowdown in the fluid.
    std::vector<std::vector<uint32_t>> flows;
    M3Conditions::Traffic traffic; //!< how much there is
};

/**
 * @ingroup m3
 * @brief Turns the fluid's answer for a scenario into features of its paths.
 *
 * Problem (m3, section 4: "feature maps"). Of the foreground flows of a path, and of the flows on
 * each of its links, a network of fixed size has to see how the fluid slowed them down, by size.
 * Sizes are cut into C classes, [0, 1), [1, 10), [10, 50), [50, 200), [200, 1000) and [1000,
 * infinity) KB: the four that are reported, the last of which is three here, since flows of 50 KB
 * and 5 MB have little in common. With F_c the foreground flows of class c, x the log slowdowns
 * and y the log queues of M3Fluid, Q(X, p) the quantile of X (DcnQuantile), and p_1 ... p_5 = MAP_LEVELS:
 *
 * - base, what the network corrects: the x_i of F_c in order at the places ceil(p_k |F_c|), from 1,
 *   for p_k = KNOTS; without interpolation, so that distributions of paths with few flows add up to
 *   that of all flows;
 * - foreground: by class Q(x, p_m), Q(y, p_m), ln(1 + |F_c|) / 10, 1 if |F_c| > 0, and (mean of
 *   ln S_i over F_c) - ln(lower bound of c); Q over all foreground flows of ln(1 + sum over links of B);
 *   the largest load of a link; the network specification (M3Spec);
 * - a token per link: by class of all flows on the link Q(x, p_m), ln(1 + n) / 10, 1 if n > 0;
 *   Q of ln(1 + B) over all flows that start on the link, and the same for the other direction;
 *   Q of ln(1 + B) over the foreground alone, in both directions; load in both directions; ln(R_l /
 *   bottleneck), delay / base RTT, place l / L and (L - 1 - l) / L; the network specification.
 *
 * What is to be done to the fluid's quantiles differs between a class of a single flow, of which the
 * fluid has one number where a distribution is asked for, and one of hundreds. Each class therefore
 * has three slots among the outputs of the network, for 1, for 2 to 15 and for 16 or more flows; two
 * of them are empty.
 *
 * Load is payload over rate and the time from the first start to the fluid's last end, so that it is
 * at most 1. Features of what is not there (quantiles of no flow, parameters of other congestion
 * controls) are M3Scaler::ABSENT. What differs from the published layout (10 x 100 slowdowns and 19
 * values of the network for each link, in units): logarithms, few quantiles, counts, queues, loads,
 * no units; links count all their flows, foreground included, so that the features of a link are
 * computed once and not for each path; and they come from one fluid simulation of whatever the
 * scenario is, a whole network or a path alone.
 */
class M3Features
{
  public:
    static constexpr uint32_t VERSION = 2;   //!< of the features; models belong to one
    static constexpr uint32_t N_CLASSES = 6; //!< C
    static constexpr uint32_t N_SLOTS = 3 * N_CLASSES; //!< outputs: classes by number of flows
    static constexpr uint32_t N_KNOTS = 16;            //!< quantiles that are predicted
    static constexpr uint32_t N_MAP = 5;               //!< quantiles of features
    static constexpr uint32_t N_TOKEN =
        N_CLASSES * (N_MAP + 2) + 4 * N_MAP + 6 + M3Spec::N; //!< of a link
    static constexpr uint32_t N_FOREGROUND =
        N_CLASSES * (2 * N_MAP + 3) + N_MAP + 1 + M3Spec::N; //!< of a path

    /// Levels of the quantiles that are predicted.
    static constexpr std::array<double, N_KNOTS> KNOTS{
        0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.87, 0.92, 0.95, 0.97, 0.98, 0.99, 0.997};
    /// Levels of the quantiles of features.
    static constexpr std::array<double, N_MAP> MAP_LEVELS{0.1, 0.5, 0.75, 0.9, 0.99};
    /// Smallest sizes of the classes [bytes].
    static constexpr std::array<double, N_CLASSES> CLASS_BYTES{0, 1e3, 1e4, 5e4, 2e5, 1e6};

    /**
     * @param census the flows; must outlive this
     * @param fluid the fluid's answer to the same scenario; must outlive this
     */
    M3Features(const DcnPathCensus& census, const M3Fluid& fluid);

    /**
     * @param bytes size of a flow
     * @return its class
     */
    static uint32_t GetClass(uint64_t bytes);

    /**
     * @param sizeClass class of some flows
     * @param nFlows how many they are, at least 1
     * @return their slot; its class is the remainder by N_CLASSES
     */
    static uint32_t GetSlot(uint32_t sizeClass, std::size_t nFlows);

    /** @return the fluid's answer. */
    const M3Fluid& GetFluid() const
    {
        return m_fluid;
    }

    /**
     * @brief Compute what all paths over a link share; to be called before MakeInput.
     * @param paths numbers of the paths of which features will be made
     * @param nThreads number of threads; 0: as many as the machine has cores
     */
    void Prepare(const std::vector<uint32_t>& paths, uint32_t nThreads = 1);

    /**
     * @brief Make the features of a path; safe for several threads.
     * @param path number of the path in the census
     * @return the features
     * @throws DcnError if there is no such path: only those with foreground flows have numbers
     */
    M3Input MakeInput(uint32_t path) const;

    /**
     * @param path number of the path in the census
     * @return its specification
     */
    M3Spec MakeSpec(uint32_t path) const;

    /**
     * @param path number of the path in the census
     * @param input its features
     * @return what the path is like, for comparison with the training
     */
    M3Conditions Describe(uint32_t path, const M3Input& input) const;

    /**
     * @brief Put another network specification in place of the one of a path.
     * @param spec the specification
     * @param input gets it
     */
    static void SetSpec(const M3Spec& spec, M3Input& input);

    /**
     * @brief Append quantiles at MAP_LEVELS.
     * @param values any order, sorted here; none: M3Scaler::ABSENT is appended
     * @param features appended to
     */
    static void AppendMap(std::vector<double>& values, std::vector<float>& features);

  private:
    /// What all paths over a link share.
    struct Link
    {
        std::vector<float> flows;   //!< maps, counts, masks by class
        std::vector<float> backlog; //!< quantiles of ln(1 + B)
        double load{0};             //!< see above
        bool isPrepared{false};     //!< it has been computed
    };

    /// Computes what all paths over a link share.
    void PrepareLink(uint32_t link);

    const DcnPathCensus& m_census; //!< the flows
    const M3Fluid& m_fluid;        //!< what happens to them
    M3Settings m_settings;         //!< of the configuration
    double m_spanNs;               //!< between first start and last end
    std::vector<Link> m_links;     //!< by directed link
};

} // namespace ns3

#endif /* M3_FEATURES_H */
