/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_CLAIMS_H
#define PAPER_CLAIMS_H

#include "paper-report.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A statement of a paper, as a reader would sum it up, and the values that it rests on.
struct PaperClaim
{
    std::string prefix; //!< of the names of the paper's figures, such as "m3"
    std::string claim;  //!< a sentence
    std::vector<std::pair<std::string, std::string>> rows; //!< figure and value
    std::string here;   //!< what was found here, with {FIGURE: VALUE} for values of ours
    std::string phrase; //!< for README; empty: README does not name it

    /**
     * @brief Read data/papers/claims.csv.
     * @param figures all figures
     * @return the claims, in the order of the file
     * @throws DcnError naming file, line and value where a claim names no paper, figure or value
     */
    static std::vector<PaperClaim> ReadAll(const std::vector<PaperFigure>& figures);

    /**
     * @param outcomes all figures with their results
     * @return the largest kind of its values: what a part of the values leaves open is open. BETTER
     * if all of its judged values are better or reproduced and the most are better
     */
    PaperVerdict::Kind Judge(const std::vector<PaperOutcome>& outcomes) const;

    /**
     * @param outcomes all figures with their results
     * @return `here` with the values
     */
    std::string Describe(const std::vector<PaperOutcome>& outcomes) const;
};

/**
 * @param kind of a claim
 * @return whether it holds, for people: "holds", "holds, better", "fails", "open" ...
 */
std::string PaperHolds(PaperVerdict::Kind kind);

/**
 * @param claims all claims
 * @param outcomes all figures with their results
 * @return the number of claims, then a line for each verdict with its claims
 */
std::vector<std::string> PaperSummary(const std::vector<PaperClaim>& claims,
                                      const std::vector<PaperOutcome>& outcomes);

} // namespace ns3

#endif /* PAPER_CLAIMS_H */
