/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_COMPARISON_H
#define CCEVAL_COMPARISON_H

#include "cceval-interval.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Paired comparison of algorithms on common trials.
 *
 * In trial i all algorithms have the same traffic (common random numbers), so that the differences
 * D_i = A_i - B_i vary less than A and B. The interval is mean D -+ t s_D / sqrt(N) with Student's
 * t. For pooled quantiles, A_i and B_i are pseudo-values (CcevalPooledQuantile::GetPseudoValues),
 * with the quantiles as their means. The degrees of freedom f follow from 2 / f = 2 / (N - 1) +
 * kappa / N: differences with a large excess kurtosis kappa > 0, as if few flows of the tail
 * differ, give their variance less precisely than normal ones (CcevalControlled).
 *
 * Over all pairs and metrics, each interval has the level 1 - (1 - level) / (number of intervals),
 * so that all hold together with the level (Bonferroni). A is below B only if the interval excludes
 * 0, and never if all differences are equal, since zero variance does not bound the error. The
 * result is a partial order.
 */
class CcevalComparison
{
  public:
    static constexpr uint64_t MIN_TRIALS = 20; //!< fewer do not assure coverage

    /// The difference of two algorithms.
    struct Pair
    {
        std::size_t first;         //!< position of A
        std::size_t second;        //!< position of B
        CcevalInterval difference; //!< of E[A - B]
        double correlation;        //!< correlation of A and B over the trials
        double gain;     //!< variance of A - B for independent A and B, over the actual one
        double skewness; //!< skewness of the differences
        bool assured;    //!< false: fewer than MIN_TRIALS, or equal differences

        /** @return -1 if A is below B, 1 if it is above, 0 if unresolved. */
        int GetSign() const
        {
            if (!(difference.high > difference.low))
            {
                return 0;
            }
            return difference.high < 0 ? -1 : difference.low > 0 ? 1 : 0;
        }
    };

    /**
     * @param names of the algorithms, at least two
     * @param values by algorithm and trial; trial i has the same traffic for all
     * @param level joint confidence level in (0, 1)
     * @param others number of intervals of other comparisons that hold jointly with these
     * @throws DcnError if there are fewer than two trials or algorithms
     */
    CcevalComparison(std::vector<std::string> names,
                     const std::vector<std::vector<double>>& values,
                     double level,
                     uint64_t others = 0);

    /** @return all pairs, first < second. */
    const std::vector<Pair>& GetPairs() const;

    /**
     * @brief The partial order in words: resolved differences, without those implied by others.
     * @return e.g. "hpcc < dctcp, hpcc < timely"; "no difference is resolved"
     */
    std::string DescribeOrder() const;

  private:
    std::vector<std::string> m_names; //!< of the algorithms
    std::vector<Pair> m_pairs;        //!< all pairs
};

} // namespace ns3

#endif /* CCEVAL_COMPARISON_H */
