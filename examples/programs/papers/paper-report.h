/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_REPORT_H
#define PAPER_REPORT_H

#include "paper-store.h"

#include <string>
#include <vector>

namespace ns3
{

/// A row of a table of values.
struct PaperRow
{
    std::string name;     //!< of the value
    std::string unit;     //!< of the value
    double published;     //!< NaN: the paper has no such value
    std::string hardware; //!< of a published cost; empty: no cost
    PaperMeasured ours;   //!< NaN: none
    std::string rule;     //!< PaperValue::GetRule
    std::string judged;   //!< verdict of the row; empty: it is only shown
};

/// A figure with its result and what it cost.
struct PaperOutcome
{
    PaperFigure figure;    //!< the figure
    PaperResult result;    //!< empty without a computation
    PaperVerdict verdict;  //!< of the result
    PaperOrigin origin;    //!< of the result
    double cpuSeconds{0};  //!< processor time of this run; stored results cost none
    double wallSeconds{0}; //!< elapsed time of this run

    /** @return whether there is no result: it was not run, or ended with an error. */
    bool IsEmpty() const;

    /** @return all values: the published ones in their order, then the others. */
    std::vector<PaperRow> GetRows() const;

    /**
     * @param value name of a published value
     * @return its verdict in this result; NOT_COMPUTABLE if there is no such value
     */
    PaperVerdict::Kind GetKind(const std::string& value) const;
};

/**
 * @param measured a value of ours
 * @return it with its interval, such as "2.5 (1.4 to 3.7)" or "10.1 (largest of 18)"; "none" of NaN
 */
std::string PaperFormat(const PaperMeasured& measured);

/**
 * @brief Print a figure: published values beside ours, verdict, departures.
 * @param outcome the figure
 */
void PaperPrint(const PaperOutcome& outcome);

/**
 * @brief Write NAME.csv, the pictures and NAME.html.
 * @param outcome the figure
 * @param command of this run
 * @param folder existing folder
 */
void PaperWriteFigure(const PaperOutcome& outcome,
                      const std::string& command,
                      const std::string& folder);

/**
 * @brief Write report.html: all figures with their pictures, by paper.
 * @param outcomes all figures, by paper
 * @param command of this run
 * @param folder with the pictures of PaperWriteFigure
 */
void PaperWriteReport(const std::vector<PaperOutcome>& outcomes,
                      const std::string& command,
                      const std::string& folder);

/**
 * @param outcomes figures
 * @return "74 figures and tables: 20 reproduced, 30 better, ..."
 */
std::string PaperCount(const std::vector<PaperOutcome>& outcomes);

/**
 * @param outcome a figure
 * @return scale and departures in sentences
 */
std::string PaperDescribeScale(const PaperOutcome& outcome);

} // namespace ns3

#endif /* PAPER_REPORT_H */
