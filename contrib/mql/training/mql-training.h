/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRAINING_H
#define MQL_TRAINING_H

#include "../model/correction/mql-correction.h"
#include "mql-evaluation.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Options of the fit of a correction.
 */
struct MqlTrainingOptions
{
    MqlTreeOptions tree;      //!< of the trees of waiting times
    MqlTreeOptions p99Tree;   //!< of the tree of the 99th percentile
    bool extraFeatures{true}; //!< all features; false: the eleven of Table 4.2
    double rowShare{1};       //!< random fraction of the (flow, queue) rows used
    uint64_t seed{1};         //!< seed of the fraction
};

/**
 * @ingroup mql
 * @brief Collects rows of simulated configurations and fits the trees of a correction.
 *
 * A row is a flow at a queue: features of the model (MqlFeatures), target (W_sim - W) / S_ref. Rows
 * with equal features, such as flows of equal rate from one link, are merged into one with their
 * mean target, since no split can separate them.
 *
 * Weights: a row has the weight of its packets, since the variance of its mean is in inverse
 * proportion to them. Configurations have equal total weights, divided by the square of their mean
 * round trip over time on the wire, for small relative errors of round trips.
 */
class MqlTraining
{
  public:
    /** @param options see MqlTrainingOptions */
    explicit MqlTraining(const MqlTrainingOptions& options);

    /**
     * @brief Add the rows of a configuration.
     * @param one simulation and model
     */
    void Add(const MqlCase& one);

    /**
     * @brief Fit the trees of the queues.
     * @return the correction, without the tree of the percentile
     * @throws DcnError without rows
     */
    MqlCorrection Fit() const;

    /**
     * @brief Add the flows of a configuration to the rows of the percentile's tree. Target: waiting
     * in the 99th percentile of the simulation over that of the model, less 1. Configurations have
     * equal weights, and errors are relative to the percentile of the round trip.
     * @param one simulation and model
     * @param correction of its waiting times
     */
    void AddPercentiles(const MqlCase& one, const MqlCorrection& correction);

    /**
     * @brief Fit the tree of the percentile.
     * @param correction the tree is added to it
     */
    void FitPercentiles(MqlCorrection& correction) const;

    /** @return rows before and after merging. */
    std::pair<uint64_t, uint64_t> GetNRows() const;

  private:
    /// Rows of one tree, merged.
    struct Rows
    {
        MqlTrainingSet set; //!< targets are sums of weight times target until Fit

        void Add(const std::vector<double>& values, double target, double weight);
        void EndConfiguration();

      private:
        std::unordered_map<std::string, std::size_t>
            m_places; //!< places of this configuration's rows
    };

    /// The set with mean targets.
    static MqlTrainingSet Means(const Rows& rows);
    static double GetWeight(const MqlCase& one);

    MqlTrainingOptions m_options;       //!< options
    std::map<std::string, Rows> m_rows; //!< by queue type
    Rows m_percentiles;                 //!< of the tree of the percentile
    uint64_t m_nRows{0};                //!< rows before merging
};

} // namespace ns3

#endif /* MQL_TRAINING_H */
