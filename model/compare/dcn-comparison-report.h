/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_COMPARISON_REPORT_H
#define DCN_COMPARISON_REPORT_H

#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-flow-query.h"
#include "ns3/dcn-workload.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Prints the answers of several methods for one scenario, and writes them as a page.
 */
class DcnComparisonReport
{
  public:
    /** @param table the answers, at least one; it must outlive the object */
    explicit DcnComparisonReport(const DcnFctTable& table);

    /**
     * @brief Print a scenario.
     * @param scenario the scenario
     * @param recipe of the scenario, in full
     * @param load load report of the workload generator, if it made the flows
     * @param cost cost of creating it
     */
    static void PrintScenario(const DcnScenario& scenario,
                              const std::string& recipe,
                              const std::optional<DcnLoadReport>& load,
                              const DcnCost& cost);

    /**
     * @brief Print the completion of an answer, the busiest links, losses and notes.
     * @param scenario the flows
     * @param estimate the answer
     * @param verbose print its provenance, too
     */
    static void PrintAnswer(const DcnScenario& scenario, const DcnEstimate& estimate, bool verbose);

    /** @brief Print a line for each method: cost, tail and errors; and what the columns are. */
    void PrintTable() const;

    /** @brief Print limits of the p99: by chance, of learned models, and of drawn paths. */
    void PrintLimits() const;

    /**
     * @brief Write queries.csv and print its rows.
     * @param queries what is asked
     * @param folder of the file
     */
    void AnswerQueries(const std::vector<DcnFlowQuery>& queries, const std::string& folder) const;

    /** @brief Print what the methods are for, and which came closest to the truth. */
    void PrintMethods() const;

    /**
     * @brief Write report.html, with the pictures and summary.csv that are in the folder.
     * @param folder of the file
     * @param title of the scenario; empty: a scenario directory
     * @param recipe of the scenario, in full
     * @param command that made the results
     */
    void WriteHtml(const std::string& folder,
                   const std::string& title,
                   const std::string& recipe,
                   const std::string& command) const;

  private:
    /**
     * @param first the answer that is compared with
     * @param method another one
     * @return the ratio of their processor times
     */
    static double GetSpeedUp(const DcnEstimate& first, const DcnEstimate& method);
    /// Returns a row of the summary of all flows; NaN without it.
    DcnFctTable::SummaryRow Find(const std::string& method, const std::string& metric) const;
    /// Prints the line of a method.
    void PrintRow(const DcnEstimate& estimate, int width) const;
    /// Prints what the columns of the table are.
    void PrintLegend() const;
    /// Prints limits of the p99 from the card of a learned model.
    void PrintMargins(std::size_t method) const;
    /// Prints limits of the p99 of the draw of paths.
    void PrintDraws(std::size_t method) const;
    /// Describes how far chance moves the p99 of the first answer; empty for answers by samples.
    std::string DescribeSampling() const;
    /// Returns what the methods do and are for; none for methods of other modules.
    std::vector<std::pair<std::string, std::string>> GetPurposes() const;
    /// Prints which methods came closest to the truth, and which was fastest.
    void PrintBest() const;
    /// Returns the cells of the page's table.
    std::vector<std::vector<std::string>> MakeCells() const;

    const DcnFctTable& m_table;                  //!< the answers
    std::vector<DcnFctTable::SummaryRow> m_rows; //!< of all flows
};

} // namespace ns3

#endif /* DCN_COMPARISON_REPORT_H */
