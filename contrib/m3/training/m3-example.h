/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_EXAMPLE_H
#define M3_EXAMPLE_H

#include "ns3/m3-features.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief A part of a class's flows, as predicted.
 */
struct M3Point
{
    uint32_t flow;      //!< flow index of a flow that it stands for; tells size and ends
    uint32_t sizeClass; //!< class of M3Layout
    double slowdown;    //!< at least 1
    double nFlows;      //!< number of foreground flows that it stands for
};

/**
 * @ingroup m3
 * @brief Turn quantiles into points.
 *
 * The quantile function of a class is linear between the knots and constant beyond them. Each
 * interval between neighbouring knots, and from 0 and to 1, gives two points, at its first and
 * third quarter, each with half of its flows; together they stand for all flows of the class. A
 * point at level p stands for the flow that has the rank of p in the fluid's answer.
 *
 * @param input the path
 * @param quantiles [nSlots x nKnots] log slowdowns, of the layout of the path
 * @param points appended to
 */
void M3Expand(const M3Input& input, const float* quantiles, std::vector<M3Point>& points);

/**
 * @ingroup m3
 * @brief What the loss gives weight to.
 *
 * The pinball loss at the level p of a target that lies at random has a gradient of the size
 * sqrt(p (1 - p)): with equal weights, high percentiles, which are what is asked for, hardly count
 * (an estimate of the p99 that is 50 % too high costs less than a median that is 1 % off). The
 * level p_k therefore has the weight v_k = c (p_k (1 - p_k))^-tail, with c such that the v_k are 1
 * on average: with tail = 1/2 all levels pull alike. The absolute error of layouts whose targets
 * are quantiles (M3Layout::learnsFlows) has no such options.
 */
struct M3LossOptions
{
    double tail{0.5};  //!< see above; 0: all levels alike
    double known{1};   //!< factor of the weights of known quantiles (M3Example); 0: none

    /**
     * @param knots p_k
     * @return v_k
     */
    std::vector<float> GetLevelWeights(const std::vector<double>& knots) const;

    /**
     * @param layout of the examples
     * @throws DcnError if an option makes no sense, or has no effect with the layout
     */
    void Check(const M3Layout& layout) const;
};

/**
 * @ingroup m3
 * @brief A path and what packets did on it.
 *
 * *Default layout.* The log slowdowns of the foreground flows of a class, in order
 * z_1 <= ... <= z_m, become K = nKnots weighted targets of the pinball loss (DcnTorchSetNetwork).
 * If m <= K they are the z_i with equal weights; if not, the quantiles of the z_i at the knots p_k,
 * each with the share of the levels that are nearest to p_k. Weights of a class add up to
 * sqrt(min(m, FLOWS_THAT_COUNT)): many flows say more than few, but not in proportion, as they
 * share a path and its features.
 *
 * Of the slots of many flows, the quantiles at the p_k of which at least LEAST_BEYOND flows lie on
 * either side are also known targets, with the weights 2 sqrt(min(m, MANY_THAT_COUNT)) / K each.
 *
 * *Published layout.* The targets of a class are its quantiles z at the p_k (M3Layout::GetRank),
 * each with the weight 1 however few flows there are, 0 without any; the loss is the mean of
 * |Q_k - z| over those with weight (published: over all, with weight or not). There are no known
 * targets.
 */
struct M3Example
{
    static constexpr double FLOWS_THAT_COUNT = 16; //!< see above
    static constexpr double MANY_THAT_COUNT = 64;  //!< see above
    static constexpr double LEAST_BEYOND = 2;      //!< see above

    M3Input input;                         //!< the path
    std::vector<float> target;             //!< [nSlots x nKnots] log slowdowns
    std::vector<float> weight;             //!< [nSlots x nKnots], 0 where there is none
    std::vector<float> known;              //!< [nSlots x nKnots] quantiles; or empty, see above
    std::vector<float> knownWeight;        //!< as many, 0 where there is none
    M3Conditions conditions;               //!< what the path is like
    /// Log slowdowns of each class, by start; only if kept (see Make).
    std::vector<std::vector<float>> truth;
    /// Log slowdowns of each class in the fluid, of the same flows; as truth.
    std::vector<std::vector<float>> fluid;
    /// Log slowdowns of each class in a fluid without windows; empty unless set.
    std::vector<std::vector<float>> flowsim;
    uint64_t network{0}; //!< number of the network that it is a part of; 0: none, see M3Evaluation

    /**
     * @param features of the scenario
     * @param scenario the flows
     * @param path number of the path
     * @param fctNs completion times by flow [ns]; < 0: unfinished, left out
     * @param keepTruth whether truth is wanted, which training does not need
     * @return the example; without weights if no foreground flow finished
     */
    static M3Example Make(const M3Features& features,
                          const DcnScenario& scenario,
                          uint32_t path,
                          const std::vector<int64_t>& fctNs,
                          bool keepTruth);

    /**
     * @brief The loss of predictions, as DcnTorchSetNetwork has it.
     * @param quantiles [nSlots x nKnots]
     * @param options of the loss
     * @param weightSum added to: sum of the weights
     * @return the sum that is to be divided by the sum of the weights
     */
    double GetError(const float* quantiles, const M3LossOptions& options, double& weightSum) const;

    /**
     * @brief Refuse examples of which none has a weight, whose loss would be that of nothing.
     * @param examples some
     * @param purpose of theirs: "to learn from"
     * @throws DcnError if no foreground flow of theirs finished
     */
    static void RequireFlows(const std::vector<M3Example>& examples, const std::string& purpose);

  private:
    /// Makes targets of the log slowdowns of a slot, in order.
    void SetTargets(uint32_t slot, const std::vector<double>& values);
};

} // namespace ns3

#endif /* M3_EXAMPLE_H */
