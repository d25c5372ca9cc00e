/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-proposal.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

constexpr double LARGEST_LOG =
    600; //!< largest exponent whose exp is well within the range of a double

/**
 * @param proposal distribution of the scores
 * @param score z
 * @return ln r
 */
double
LogRatio(const CcevalProposal& proposal, double score)
{
    const double scaled = (score - proposal.mean) / proposal.deviation;
    return std::clamp(-std::log(proposal.deviation) - scaled * scaled / 2 + score * score / 2,
                      -LARGEST_LOG,
                      LARGEST_LOG);
}

} // namespace

double
CcevalProposal::GetLogFactor(double score) const
{
    if (IsOriginal())
    {
        return 0;
    }
    const double logRatio = LogRatio(*this, score);
    return share == 1 ? -logRatio : -std::log1p(share * std::expm1(logRatio));
}

double
CcevalProposal::GetResponsibility(double score) const
{
    if (share == 0 || share == 1)
    {
        return share;
    }
    const double tilted = share * std::exp(LogRatio(*this, score));
    return tilted / (1 - share + tilted);
}

std::string
CcevalProposal::Describe() const
{
    std::ostringstream text;
    text.precision(3);
    text << 100 * share << " % of the flows from N(" << mean << ", " << deviation << "^2)";
    return IsOriginal() ? "the original distribution" : text.str();
}

} // namespace ns3
