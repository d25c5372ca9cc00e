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
 * @brief Intervals of the errors of methods: repeats a comparison on independent scenarios until
 * the error of every method's 99th percentile of the slowdown is known to the margin.
 *
 * Errors are near 0, so that the margin is absolute: 0.01 is one percent of the true value. Interim
 * analyses are at 50 * 1.2^k repetitions, with Student's t and a correction for skewness
 * (CcevalSkewedInterval): ratios of two 99th percentiles are skewed, and with the first analysis at
 * 20 or 30 some intervals covered less than 93.5 % (doc/validation.rst). The level holds for each
 * error by itself, not for all together.
 *
 * A repetition that another method answered (DcnFctTable::HasError) does not count for the errors
 * of this method, but is counted separately. If these are nine in ten or more of at least
 * FIRST_ANALYSIS repetitions, the evaluation does not wait for the method (IsGivenUp). The answers
 * of a variant of a method (DcnEstimate::answeredBy) have their own error, under the variant's
 * name; the evaluation does not wait for a variant that answered at most one in ten, if another
 * error of the method is known.
 */
class CcevalErrorEvaluation
{
  public:
    /// An error of a method, for one metric and size class.
    struct Error
    {
        std::string method;     //!< its name
        std::string answeredBy; //!< the variant that answered; empty: the method's own rules
        std::string metric;     //!< of DcnFctTable::GetSummary
        std::string sizeClass;  //!< of the flows
        uint64_t repetitions;   //!< repetitions with flows of the class that count
        uint64_t leftOut;       //!< repetitions answered by another method
        /// Mean of the relative error (of mean_abs_flow_error: of that error itself). The ends are
        /// NaN if there is one repetition or all agree; all is NaN if at most one repetition
        /// counts: then answeredBy names the other method.
        CcevalInterval interval;
        /// False with failures, answers of other methods, zero variance or too few repetitions; the
        /// tail of an error is not known before the repetitions (CcevalRehearsal).
        bool assured;
        bool hasTail; //!< see CcevalDiagnosis: it describes the repetitions, not their coverage
    };

    /**
     * @param margin half-width aimed at, between 0 and 1
     * @param level confidence level, between 0 and 1
     * @throws DcnError for a margin or level outside its range
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
     * @throws DcnError without a method to compare, or if nearly all repetitions fail
     */
    void Run(const std::function<Ptr<const DcnScenario>(uint64_t)>& make,
             const std::vector<Ptr<DcnEstimator>>& methods,
             uint64_t base);

    /**
     * @brief Add one repetition.
     * @param rows summary of its comparison
     * @throws DcnError if it has no method to compare
     */
    void Add(const std::vector<DcnFctTable::SummaryRow>& rows);

    /**
     * @brief Count a repetition in which a method left flows unfinished. It does not count for the
     * errors, which would otherwise be those of the other flows.
     * @param seed of the repetition
     * @param reason of the failure
     * @throws DcnError if at least FIRST_ANALYSIS have failed, and nine in ten
     */
    void AddFailure(uint64_t seed, const std::string& why);

    /** @return number of repetitions that failed. */
    uint64_t GetNFailed() const;

    /**
     * @param method its name
     * @return true if another method answered nine in ten or more of at least FIRST_ANALYSIS
     * repetitions, so that its error cannot become known
     */
    bool IsGivenUp(const std::string& method) const;

    /**
     * @return true if a method's error is equal in all of at least FIRST_ANALYSIS repetitions:
     * without variance it has no interval, at any number of repetitions
     */
    bool IsFixed() const;

    /**
     * @return true if this is an interim analysis and every method's error is known to the margin;
     * false after Run if the largest number of repetitions is reached, an error is fixed or a
     * method given up
     */
    bool IsKnown() const;

    /** @return number of repetitions that did not fail. */
    uint64_t GetN() const;

    /** @return the errors by method; size classes and metrics in the order of the comparison.
     */
    std::vector<Error> GetErrors() const;

    /**
     * @brief Print a line per method and write errors.csv.
     * @param folder folder of errors.csv
     */
    void Report(const std::string& folder) const;

  private:
    /// Method, variant that answered, metric and size class.
    using Key = std::tuple<std::string, std::string, std::string, std::string>;

    /// Repetitions of a method answered by another method.
    struct LeftOut
    {
        uint64_t n{0};  //!< number of repetitions
        std::string by; //!< name of the latest such method
    };

    /// Whether the present number of repetitions has an interim analysis.
    bool IsAnalysis() const;
    /// Whether every error that decides when to stop is known to the margin.
    bool AreOthersKnown() const;
    /// Prints the line of an error.
    void Print(const Error& error) const;
    /// The number of repetitions with an error of a method, its variants included.
    uint64_t GetNOwn(const std::string& method) const;

    double m_margin;                          //!< see the constructor
    double m_level;                           //!< see the constructor
    uint64_t m_n{0};                          //!< repetitions
    uint64_t m_failed{0};                     //!< see GetNFailed
    std::string m_failure;                    //!< reason of the first failure
    std::vector<Key> m_order;                 //!< keys in the order of their first repetition
    std::map<Key, CcevalMoments> m_values;    //!< errors
    std::map<std::string, LeftOut> m_leftOut; //!< by method
};

} // namespace ns3

#endif /* CCEVAL_ERROR_EVALUATION_H */
