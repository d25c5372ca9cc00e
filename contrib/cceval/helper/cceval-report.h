/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_REPORT_H
#define CCEVAL_REPORT_H

#include "cceval-evaluation.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief What evaluations have found, as text, tables and pictures.
 */
class CcevalReport
{
  public:
    /**
     * @param metrics the metrics
     * @param level confidence level
     * @param paired false: trials of different algorithms have not the same traffic, so that they
     * are not compared
     */
    CcevalReport(const std::vector<CcevalMetric>& metrics, double level, bool paired);

    /** @brief Print the names of the columns of PrintResult. */
    static void PrintHeader();

    /**
     * @brief Print what is known of a metric: a line, and lines for what the reader should know.
     * @param result what is known
     */
    static void PrintResult(const CcevalResult& result);

    /**
     * @brief Print flows per trial and their shares in the three phases.
     * @param result what is known of any metric
     */
    static void PrintPhases(const CcevalResult& result);

    /**
     * @brief Say on stderr how far an evaluation is: half-width, trials needed, time left.
     * @param result what is known
     */
    static void ShowProgress(const CcevalResult& result);

    /**
     * @brief Add an algorithm.
     * @param results one per metric
     */
    void Add(const std::vector<CcevalResult>& results);

    /** @return true if every metric of every algorithm is known to the margin. */
    bool IsKnown() const;

    /**
     * @brief Write cceval.csv, for two or more algorithms comparison.csv, and a violin plot for
     * each metric of trials. Prints the order of the algorithms.
     * @param folder where to
     */
    void Write(const std::string& folder) const;

  private:
    void WriteResults(const std::string& path) const;
    void WriteComparison(const std::string& path) const;
    void WriteViolins(const std::string& folder) const;

    std::vector<CcevalMetric> m_metrics;              //!< the metrics
    double m_level;                                   //!< confidence level
    bool m_paired;                                    //!< see the constructor
    std::vector<std::vector<CcevalResult>> m_results; //!< by algorithm and metric
};

} // namespace ns3

#endif /* CCEVAL_REPORT_H */
