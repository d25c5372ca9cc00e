/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_REPORT_H
#define PAPER_REPORT_H

#include "paper-figure.h"

#include <string>
#include <vector>

namespace ns3
{

/// A figure with its result and what it cost.
struct PaperOutcome
{
    PaperFigure figure;    //!< the figure
    PaperResult result;    //!< empty without a computation
    PaperVerdict verdict;  //!< of the result
    double cpuSeconds{0};  //!< processor time of this run; stored results cost none
    double wallSeconds{0}; //!< elapsed time of this run
};

/// How a run was made, for headings.
struct PaperOrigin
{
    std::string command;  //!< the command line
    std::string scale;    //!< small or full
    std::string revision; //!< of the sources
    std::string date;     //!< day in UTC
};

/**
 * @brief Print a figure: published values beside ours, verdict, departures.
 * @param outcome the figure
 */
void PaperPrint(const PaperOutcome& outcome);

/**
 * @brief Write NAME.csv, the pictures and NAME.html.
 * @param outcome the figure
 * @param origin of the run
 * @param folder existing folder
 */
void PaperWriteFigure(const PaperOutcome& outcome,
                      const PaperOrigin& origin,
                      const std::string& folder);

/**
 * @brief Write report.html (all figures with their pictures, by paper) and papers.rst (the table of
 * the documentation).
 * @param outcomes all figures, by paper
 * @param origin of the run
 * @param folder with the pictures of PaperWriteFigure
 */
void PaperWriteAll(const std::vector<PaperOutcome>& outcomes,
                   const PaperOrigin& origin,
                   const std::string& folder);

/**
 * @param outcomes figures
 * @return "75 figures and tables: 20 reproduced, 30 better, ..."
 */
std::string PaperCount(const std::vector<PaperOutcome>& outcomes);

} // namespace ns3

#endif /* PAPER_REPORT_H */
