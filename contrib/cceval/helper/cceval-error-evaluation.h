/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_ERROR_EVALUATION_H
#define CCEVAL_ERROR_EVALUATION_H

#include "ns3/cceval-interval.h"
#include "ns3/dcn-fct-table.h"

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
 * Errors are near 0, so that the margin is absolute: 0.01 is one percent of the true value. Looks
 * are at 20 * 1.2^k repetitions, with Student's t; a repetition is a whole comparison, and its
 * error is far less skewed than a quantile, so that 20 are enough to begin with.
 */
class CcevalErrorEvaluation
{
  public:
    /// What is known of a method.
    struct Error
    {
        std::string method;      //!< its name
        std::string metric;      //!< of DcnFctTable::GetSummary
        std::string sizeClass;   //!< of the flows
        uint64_t repetitions;    //!< that had flows of the class
        CcevalInterval interval; //!< mean of the relative error, of mean_abs_flow_error itself
        bool assured;            //!< see CcevalDiagnosis
    };

    /**
     * @param margin half-width aimed at, between 0 and 1
     * @param level confidence level, between 0 and 1
     * @throws DcnError if one is not
     */
    CcevalErrorEvaluation(double margin, double level);

    /**
     * @brief Take one repetition.
     * @param rows of its comparison
     * @throws DcnError if it compares nothing
     */
    void Add(const std::vector<DcnFctTable::SummaryRow>& rows);

    /** @return true if the rule looks now and every method's error is known to the margin. */
    bool IsKnown() const;

    /** @return number of repetitions. */
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
    using Key = std::tuple<std::string, std::string, std::string>; //!< method, metric, class

    double m_margin;                       //!< see the constructor
    double m_level;                        //!< see the constructor
    uint64_t m_n{0};                       //!< repetitions
    std::vector<Key> m_order;              //!< keys as they came
    std::map<Key, CcevalMoments> m_values; //!< errors
};

} // namespace ns3

#endif /* CCEVAL_ERROR_EVALUATION_H */
