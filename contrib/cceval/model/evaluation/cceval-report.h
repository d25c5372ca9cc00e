/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_REPORT_H
#define CCEVAL_REPORT_H

#include "cceval-request.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

struct CcevalMetric;

/**
 * @ingroup cceval
 * @brief Reports results of evaluations as text, tables and plots.
 */
class CcevalReport
{
  public:
    /**
     * @param metrics their names
     * @param level confidence level
     */
    CcevalReport(const std::vector<std::string>& metrics, double level);
    ~CcevalReport();

    /** @brief Print the names of the columns of PrintResult. */
    static void PrintHeader();

    /**
     * @brief Print the result of a metric: a line, and lines for forecast and warnings.
     * @param result of a metric
     */
    static void PrintResult(const CcevalResult& result);

    /**
     * @brief Print flows per trial and their shares in the three phases.
     * @param result of any metric
     */
    static void PrintPhases(const CcevalResult& result);

    /**
     * @brief Print the progress of an evaluation to stderr: half-width, trials needed, time left.
     * @param result of an interim analysis
     */
    static void ShowProgress(const CcevalResult& result);

    /**
     * @brief Add an algorithm.
     * @param results one per metric
     * @param traffic name of the traffic; algorithms with equal traffic are compared
     */
    void Add(const std::vector<CcevalResult>& results, const std::string& traffic = "");

    /** @return true if every metric of every algorithm is known to the margin. */
    bool IsKnown() const;

    /** @return true if a trial of an algorithm failed. */
    bool HasFailures() const;

    /**
     * @brief Write cceval.csv, comparison.csv if two algorithms or more have the same traffic, and
     * a violin plot for each metric of trials. Prints the order of the algorithms.
     * @param folder folder of the files
     */
    void Write(const std::string& folder) const;

  private:
    void WriteResults(const std::string& path) const;
    void WriteComparison(const std::string& path) const;

    /// The trials that several algorithms have in common.
    struct Common
    {
        std::map<uint64_t, std::vector<std::size_t>> runs; //!< positions in the results, by run
        std::vector<std::string> names;                    //!< of the algorithms
        std::vector<std::vector<double>> values;           //!< of a metric, by algorithm
        std::size_t n{0};                                  //!< number of values
        std::string doubt; //!< why coverage is not assured; empty if it is
    };

    /// @return the trials that algorithms have in common, without values
    Common FindCommon(std::size_t metric, const std::vector<std::size_t>& which) const;
    /// Reads the values of a metric; false after a line that says why there are too few.
    bool ReadValues(std::size_t metric,
                    const std::vector<std::size_t>& which,
                    Common& common) const;
    /// Compares algorithms by a metric; others: number of pairs in other comparisons.
    void Compare(std::size_t metric,
                 const std::vector<std::size_t>& which,
                 uint64_t others,
                 std::ostream& csv) const;
    void WriteViolins(const std::string& folder) const;

    std::vector<CcevalMetric> m_metrics;              //!< the metrics
    double m_level;                                   //!< confidence level
    std::vector<std::vector<CcevalResult>> m_results; //!< by algorithm and metric
    std::vector<std::string> m_traffic;               //!< by algorithm
};

} // namespace ns3

#endif /* CCEVAL_REPORT_H */
