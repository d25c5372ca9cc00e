/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAPER_PAGE_H
#define PAPER_PAGE_H

#include "paper-report.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief Write the pages of the documentation: papers.rst (claims, rules, list of figures) and
 * papers/PREFIX.rst (figures of a paper: values, pictures).
 * @param outcomes all figures, by paper
 * @param folder existing folder; doc of the repository, or one of a run
 * @throws DcnError if a file cannot be read or written, or if data/papers/claims.csv names a value
 * that there is not
 */
void PaperWritePages(const std::vector<PaperOutcome>& outcomes, const std::string& folder);

} // namespace ns3

#endif /* PAPER_PAGE_H */
