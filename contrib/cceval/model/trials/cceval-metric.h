/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_METRIC_H
#define CCEVAL_METRIC_H

#include "cceval-traffic.h"

#include "ns3/dcn-statistics.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief What an estimator has said about the flows of one trial.
 */
struct CcevalOutcome
{
    /// A slowdown of a method that answers with distributions.
    struct Sample
    {
        double slowdown;    //!< FCT / ideal FCT
        uint64_t sizeBytes; //!< [bytes]; gives the size class
        double weight;      //!< number of flows it stands for, up to a common factor
    };

    std::string failure;         //!< why there is no answer; empty if there is one
    std::vector<int64_t> fctNs;  //!< completion time by flow [ns]
    std::vector<Sample> samples; //!< in place of fctNs, unless it is empty
    double wallSeconds{0};       //!< elapsed time
    double cpuSeconds{0};        //!< processor time
    std::string answeredBy;      //!< see DcnEstimate; no comma or line end
};

/// @ingroup cceval
/// @brief Which flows of a trial count.
enum class CcevalTrim : uint8_t
{
    NONE,    //!< all
    WARM_UP, //!< without those of the warm-up
    PHASES   //!< those of the stable phase alone
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
 * @brief A number that a trial has: a quantile or the mean of what its flows of a size class took.
 *
 * Written as [pooled_]STATISTIC_QUANTITY[@CLASS]:
 * - STATISTIC: p50, p99, p99.9, ..., or mean;
 * - QUANTITY: fct [us] or slowdown;
 * - CLASS: all (default), <10KB, >10MB, 10-50KB, with the units B, KB, MB of 1, 1000 and 10^6
 * bytes; the lower end belongs to the class.
 *
 * Two estimands, which differ by -17 % to +300 % for 45 flows per trial (simulated queues):
 * - without "pooled": the expectation of the quantile of a trial (DcnQuantile), that is of what one
 *   trial shows; the paper's model-free algorithm (section 4.2);
 * - "pooled_": the quantile of the completion times of all flows of all trials,
 *   inf{g : E[flows above g] <= (1 - p) E[flows]}; the paper's model-based algorithm
 * (section 4.3.3).
 */
struct CcevalMetric
{
    std::string name;       //!< as written
    bool pooled{false};     //!< the second estimand
    bool mean{false};       //!< mean in place of a quantile
    double probability{0};  //!< p of the quantile
    bool slowdown{false};   //!< slowdown in place of completion time
    DcnSizeClass sizeClass; //!< flows that count

    /**
     * @param text see the class
     * @return the metric
     * @throws DcnError that says what is wrong
     */
    static CcevalMetric Parse(const std::string& text);

    /**
     * @param scenario a trial
     * @param outcome its answer, without a failure
     * @param trim which flows count
     * @return values of the flows of the class with their weights: slowdowns, or completion times
     * [us]
     * @throws DcnError if the method answers with slowdowns alone and times are asked for
     */
    std::vector<std::pair<double, double>> GetValues(const DcnScenario& scenario,
                                                     const CcevalOutcome& outcome,
                                                     CcevalTrim trim) const;

    /**
     * @param values of a trial, see GetValues; any order
     * @param run number of the trial, for the sentence
     * @param seed of the trial, for the sentence
     * @param kind what has the number, for the sentence
     * @return the quantile or the mean
     * @throws DcnError that names the trial if it has no flow in the class
     */
    double Evaluate(std::vector<std::pair<double, double>> values,
                    uint64_t run,
                    uint64_t seed,
                    const std::string& kind = "trial") const;

    /** @return "us" or "". */
    std::string GetUnit() const;
};

} // namespace ns3

#endif /* CCEVAL_METRIC_H */
