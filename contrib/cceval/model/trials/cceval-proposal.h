/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_PROPOSAL_H
#define CCEVAL_PROPOSAL_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Proposal distribution of flow sizes, with its likelihood ratio.
 *
 * A size is S = F^-1(Phi(z)) with F the distribution of sizes and the normal score z ~ N(0, 1). For
 * a log-normal F this is S = exp(mu + sigma z), so that a proposal for z is one for ln S. Any other
 * F, with atoms too, needs no fit, and the target stays exact. A score is drawn from N(0, 1) with
 * probability 1 - q, else from N(m, s^2). With the ratio of densities
 *
 *     r(z) = exp(-ln s - (z - m)^2 / (2 s^2) + z^2 / 2)
 *
 * the factor of the likelihood ratio is 1 / (1 - q + q r), at most 1 / (1 - q) (CCEval,
 * section 4.3.4, Equation 10, for f_S only: arrivals are not tilted, so that no age term is
 * needed). q = 1 is the paper's proposal, q = 0 the original distribution.
 */
struct CcevalProposal
{
    double share{0};     //!< q
    double mean{0};      //!< m
    double deviation{1}; //!< s

    /** @return true if scores are drawn from N(0, 1). */
    bool IsOriginal() const
    {
        return share == 0 || (mean == 0 && deviation == 1);
    }

    /**
     * @param score z
     * @return logarithm of the factor of the likelihood ratio
     */
    double GetLogFactor(double score) const;

    /**
     * @param score z
     * @return probability that the score was drawn from N(m, s^2), given its value
     */
    double GetResponsibility(double score) const;

    /** @return e.g. "10 % of the flows from N(2.1, 0.6^2)". */
    std::string Describe() const;
};

} // namespace ns3

#endif /* CCEVAL_PROPOSAL_H */
