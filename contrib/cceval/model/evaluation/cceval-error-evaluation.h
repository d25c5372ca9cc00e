/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_ERROR_EVALUATION_H
#define CCEVAL_ERROR_EVALUATION_H

#include "ns3/cceval-interval.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Intervals of the errors of methods: comparisons on independent scenarios, repeated until
 * the error of the 99th percentile of the slowdown of every method is known.
 *
 * Errors are near 0, so that the margin is absolute: 0.01 is one percent of the true value. Interim
 * analyses are at 50 * 1.2^k repetitions, with Student's t and a correction for skewness
 * (CcevalSkewedInterval): ratios of two 99th percentiles are skewed, and where the first ones were
 * at 20 or 30 some intervals covered less than 93.5 % (doc/validation.rst). Each error is known at
 * the level by itself, not all of them together.
 *
 * A repetition in which another method answered (DcnFctTable::HasError) is left out of the errors
 * of this method and counted. A method that is left out of nine in ten or more of at least
 * FIRST_ANALYSIS is not waited for (IsGivenUp). What a variant of a method answered
 * (DcnEstimate::answeredBy) is an error by itself, under the variant's name; a variant that
 * answered no more than one in ten is not waited for, if another error of the method is known.
 */
class CcevalErrorEvaluation
{
  public:
    /// What is known of a method.
    struct Error
    {
        std::string method;     //!< its name
        std::string answeredBy; //!< the variant that answered; empty: the method's own rules
        std::string metric;     //!< of DcnFctTable::GetSummary
        std::string sizeClass;  //!< of the flows
        uint64_t repetitions;   //!< that had flows of the class and are not left out
        uint64_t leftOut;       //!< repetitions that another method answered
        /// Mean of the relative error, of mean_abs_flow_error itself. Without ends (NaN) where all
        /// repetitions agree or there is one, all NaN where all but one at most are left out: then
        /// answeredBy names the other method.
        CcevalInterval interval;
        bool assured; //!< see CcevalDiagnosis; false with failures, left out ones, zero variance
    };

    /**
     * @param margin half-width aimed at, between 0 and 1
     * @param level confidence level, between 0 and 1
     * @throws DcnError if one is not
     */
    CcevalErrorEvaluation(double margin, double level);
    ~CcevalErrorEvaluation();
    CcevalErrorEvaluation(const CcevalErrorEvaluation&) = delete;
    CcevalErrorEvaluation& operator=(const CcevalErrorEvaluation&) = delete;

    static constexpr uint64_t FIRST_ANALYSIS =
        50; //!< repetitions before the first interim analysis

    /**
     * @brief Repeat comparisons until the errors are known.
     * @param make makes the scenario of a seed
     * @param methods the methods, the truth first
     * @param base seed of the evaluation; repetition i has CcevalSeed(base, TRIALS, i), so that
     * evaluations with different seeds have no repetition in common
     * @throws DcnError if there is nothing to compare, or hardly anything but failures
     */
    void Run(const std::function<Ptr<const DcnScenario>(uint64_t)>& make,
             const std::vector<Ptr<DcnEstimator>>& methods,
             uint64_t base);

    /**
     * @brief Take one repetition.
     * @param rows of its comparison
     * @throws DcnError if it compares nothing
     */
    void Add(const std::vector<DcnFctTable::SummaryRow>& rows);

    /**
     * @brief Count a repetition in which a method left flows unfinished; it is kept out of the
     * errors, which would otherwise be those of the other flows.
     * @param seed of the repetition
     * @param why there is no comparison
     * @throws DcnError if at least FIRST_ANALYSIS have failed, and nine in ten
     */
    void AddFailure(uint64_t seed, const std::string& why);

    /** @return number of repetitions that failed. */
    uint64_t GetNFailed() const;

    /**
     * @param method its name
     * @return true if another method answered nine in ten or more of at least FIRST_ANALYSIS
     * repetitions, so that its error will not be known
     */
    bool IsGivenUp(const std::string& method) const;

    /**
     * @return true if a method's error is the same in all of at least FIRST_ANALYSIS repetitions:
     * then nothing random is left, so that it has no interval, whatever their number
     */
    bool IsFixed() const;

    /**
     * @return true if there is an interim analysis now and every method's error is known to the
     * margin; after Run false if there were as many repetitions as there may be, if an error is
     * fixed or a method given up
     */
    bool IsKnown() const;

    /** @return number of repetitions that did not fail. */
    uint64_t GetN() const;

    /** @return what is known, by method; size classes and metrics in the order of the comparison.
     */
    std::vector<Error> GetErrors() const;

    /**
     * @brief Print a line per method and write errors.csv.
     * @param folder where to
     */
    void Report(const std::string& folder) const;

  private:
    /// Method, variant that answered, metric and size class.
    using Key = std::tuple<std::string, std::string, std::string, std::string>;

    /// Repetitions of a method that another one answered.
    struct LeftOut
    {
        uint64_t n{0};  //!< how many
        std::string by; //!< by which method, the last one
    };

    /// Whether there is an interim analysis now.
    bool IsAnalysis() const;
    /// Whether every error that is waited for is known to the margin.
    bool AreOthersKnown() const;
    /// Prints the line of an error.
    void Print(const Error& error) const;
    /// The number of repetitions with an error of a method, its variants included.
    uint64_t GetNOwn(const std::string& method) const;

    double m_margin;                          //!< see the constructor
    double m_level;                           //!< see the constructor
    uint64_t m_n{0};                          //!< repetitions
    uint64_t m_failed{0};                     //!< see GetNFailed
    std::string m_failure;                    //!< the first of them
    std::vector<Key> m_order;                 //!< keys as they came
    std::map<Key, CcevalMoments> m_values;    //!< errors
    std::map<std::string, LeftOut> m_leftOut; //!< by method
};

} // namespace ns3

#endif /* CCEVAL_ERROR_EVALUATION_H */
