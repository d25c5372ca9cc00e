/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_METRIC_H
#define CCEVAL_METRIC_H

#include "cceval-traffic.h"

#include "ns3/dcn-statistics.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Answer of an estimator for the flows of one trial.
 */
struct CcevalOutcome
{
    /// A slowdown of a method that answers with distributions.
    struct Sample
    {
        double slowdown;    //!< FCT / ideal FCT
        uint64_t sizeBytes; //!< [bytes]; gives the size class
        double weight;      //!< number of flows represented, up to a common factor
        double idealNs;     //!< ideal completion time of such a flow [ns] (DcnSampleIdeals)
    };

    std::string failure;        //!< why there is no answer; empty if there is one
    std::vector<int64_t> fctNs; //!< completion time by flow [ns]
    /// Of simulations with flows of their own: the flows, with size and start, in order of start.
    std::vector<DcnFlow> flows;
    std::vector<int64_t> idealNs; //!< ideal completion time of each of them [ns]
    std::vector<Sample> samples;  //!< if not empty, used instead of fctNs
    double wallSeconds{0};        //!< elapsed time
    double cpuSeconds{0};         //!< processor time
    std::string answeredBy;       //!< see DcnEstimate; no comma or line end
};

/// @ingroup cceval
/// @brief Flows of a trial that a metric includes.
enum class CcevalTrim : uint8_t
{
    NONE,    //!< all
    WARM_UP, //!< without flows of the warm-up
    PHASES   //!< flows of the stable phase only
};

/**
 * @ingroup cceval
 * @param name none, warm-up or phases
 * @return the choice of that name
 * @throws DcnError for another name
 */
CcevalTrim CcevalParseTrim(const std::string& name);

/**
 * @ingroup cceval
 * @brief A metric of trials: a quantile or the mean of completion times or slowdowns of a size
 * class.
 *
 * Written as [pooled_]STATISTIC_QUANTITY[@CLASS]:
 * - STATISTIC: p50, p99, p99.9, ..., or mean;
 * - QUANTITY: fct [us] or slowdown;
 * - CLASS: as in DcnFlowQuery.
 *
 * Of samples, the completion time is the slowdown times the ideal completion time of the flow that
 * the sample stands for.
 *
 * Two estimands, which differ by -17 % to +300 % for 45 flows per trial (simulated queues):
 * - without "pooled": the expectation of the quantile of a trial (DcnQuantile), hence of a typical
 *   trial; the paper's model-free algorithm (section 4.2);
 * - "pooled_": the quantile of the completion times of all flows of all trials,
 *   inf{g : E[flows above g] <= (1 - p) E[flows]}; the paper's model-based algorithm
 *   (section 4.3.3).
 */
struct CcevalMetric
{
    std::string name;       //!< as written
    bool pooled{false};     //!< the second estimand above
    bool mean{false};       //!< mean instead of a quantile
    double probability{0};  //!< p of the quantile
    bool slowdown{false};   //!< slowdown instead of completion time
    DcnSizeClass sizeClass; //!< flows included

    /**
     * @param text see the class
     * @return the metric
     * @throws DcnError for a malformed metric
     */
    static CcevalMetric Parse(const std::string& text);

    /**
     * @param scenario a trial
     * @param outcome its answer, without a failure
     * @param trim flows included
     * @return values of the flows of the class with their weights: slowdowns, or completion times
     * [us]
     * @throws DcnError for trimmed flows of a method that answers with samples
     */
    std::vector<std::pair<double, double>> GetValues(const DcnScenario& scenario,
                                                     const CcevalOutcome& outcome,
                                                     CcevalTrim trim) const;

    /**
     * @brief The same of a simulation with flows of its own.
     * @param outcome its answer with flows, without a failure
     * @param trim flows included
     * @return values of the flows of the class with their weights
     */
    std::vector<std::pair<double, double>> GetValues(const CcevalOutcome& outcome,
                                                     CcevalTrim trim) const;

    /**
     * @param values of a trial, see GetValues; any order
     * @param run number of the trial, for the sentence
     * @param seed of the trial, for the sentence
     * @param kind word for the trial in the sentence, such as "trial"
     * @return the quantile or the mean
     * @throws DcnError that names the trial if it has no flow in the class
     */
    double Evaluate(std::vector<std::pair<double, double>> values,
                    uint64_t run,
                    uint64_t seed,
                    const std::string& kind = "trial") const;

    /** @return "us" or "". */
    std::string GetUnit() const;

  private:
    /// Takes the values of flows, given the ideal completion time of each [ns].
    std::vector<std::pair<double, double>> Take(
        const std::vector<DcnFlow>& flows,
        const std::vector<int64_t>& fctNs,
        CcevalTrim trim,
        const std::function<int64_t(std::size_t)>& idealNs) const;
};

} // namespace ns3

#endif /* CCEVAL_METRIC_H */
