/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_STOPPING_RULE_H
#define CCEVAL_STOPPING_RULE_H

#include "cceval-interval.h"
#include "cceval-moments.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Stopping rule: the number of trials for a mean with a relative margin.
 *
 * Given N values with mean m and standard deviation s, the margin eps and the level 1 - rho:
 *
 * - PUBLISHED (CCEval, section 4.2, Equation 2): after each trial from the 20th on, stop if
 *   v s <= eps |m| sqrt(N), where v is the normal quantile at 1 - rho / 2. N is small when s
 * happens to be small, so that intervals with large margins cover too rarely.
 * - GUARDED, the default: Student's quantile t with N - 1 degrees of freedom; not before trial 100;
 *   s^2 + m^2 / N instead of s^2, so that a small s by chance cannot stop early (it implies
 *   N >= t / eps); and checks only at N = 100 * 1.1^k, so that there are few chances to stop.
 *
 * The interval of PUBLISHED is m -+ v s / sqrt(N); that of GUARDED has Student's t and a correction
 * for skewness (CcevalSkewedInterval), which moves it and, with a large skewness and few trials,
 * widens it (100 trials: 4 % at a skewness of 2, 22 % at 4). GUARDED stops only if that interval is
 * within the margin, too.
 */
class CcevalStoppingRule
{
  public:
    /// The rules.
    enum class Kind : uint8_t
    {
        GUARDED,  //!< the recommended one
        PUBLISHED //!< the paper's
    };

    /**
     * @param kind the rule
     * @param margin relative half-width aimed at, between 0 and 1
     * @param level confidence level, between 0 and 1
     * @throws DcnError if margin or level is not between 0 and 1
     */
    CcevalStoppingRule(Kind kind, double margin, double level);

    /**
     * @param name "guarded" or "published"
     * @return the rule of that name
     * @throws DcnError for another name
     */
    static Kind ParseKind(const std::string& name);

    /** @return the rule. */
    Kind GetKind() const;
    /** @return the name of the rule. */
    std::string GetName() const;
    /** @return eps. */
    double GetMargin() const;
    /** @return 1 - rho. */
    double GetLevel() const;
    /** @return number of trials of the first interim analysis. */
    uint64_t GetFirstCheck() const;

    /**
     * @param n number of trials
     * @return the smallest number of trials >= n that has an interim analysis
     */
    uint64_t GetNextCheck(uint64_t n) const;

    /**
     * @param moments of the values so far
     * @return true if their number has an interim analysis and suffices
     */
    bool IsMet(const CcevalMoments& moments) const;

    /**
     * @brief Number of trials at which the rule stops with a given mean and deviation.
     * @param mean m
     * @param deviation s
     * @return the smallest number that has an interim analysis and for which IsMet would hold
     */
    uint64_t GetTrials(double mean, double deviation) const;

    /**
     * @param moments of the values, at least two
     * @return the interval
     */
    CcevalInterval GetInterval(const CcevalMoments& moments) const;

  private:
    /// Returns true if n trials with this mean and deviation suffice.
    bool IsEnough(double n, double mean, double deviation) const;

    Kind m_kind;     //!< the rule
    double m_margin; //!< eps
    double m_level;  //!< 1 - rho
};

/**
 * @ingroup cceval
 * @brief What a sample shows of the tail of its values. It does not tell whether the interval
 * covers (CcevalRehearsal does).
 *
 * No stopping rule repairs a mean that depends on values not yet seen: for log-normal values with
 * sigma = 2 every rule covers 87 to 92 % at 95 %. A tail shows in a sample skewness above 5, or in
 * a single value above 5 % of the sum and, since each of N equal values is 1 / N of it, above 5
 * times the mean: the limit is max(5 %, 5 / N), which is 5 % from 100 values on. The skewness of N
 * values is at most (N - 2) / sqrt(N - 1), that of N - 1 equal values and one other; for fewer than
 * 104 values half of it is the limit.
 *
 * A tail that does not show may be there all the same. Among evaluations of one metric the samples
 * without a sign are those in which few large values came: their means are too small and their
 * intervals cover less often. So the sign describes one sample, for a reader who wants to know what
 * carries the mean, and must not be used to select results.
 */
struct CcevalDiagnosis
{
    static constexpr uint64_t MIN_TRIALS = 20; //!< fewest values of an interval that is assured
    static constexpr double MAX_SKEWNESS = 5;  //!< largest sample skewness of many values
    static constexpr double MAX_SHARE = 0.05;  //!< largest share of one value in the sum, or
    static constexpr double MAX_TIMES = 5;     //!< this multiple of the mean absolute value

    uint64_t trials{0};     //!< number of values
    double skewness{0};     //!< of the values
    double largestShare{0}; //!< largest |value| over the sum of |values|
    bool hasTail{false};    //!< a tail shows

    /**
     * @param moments of the values
     * @return the diagnosis
     */
    static CcevalDiagnosis Make(const CcevalMoments& moments);

    /**
     * @param trials number of values N
     * @return min(MAX_SKEWNESS, (N - 2) / sqrt(N - 1) / 2)
     */
    static double GetMaxSkewness(uint64_t trials);

    /** @return what shows a tail, in words; empty: nothing. */
    std::string Describe() const;
};

} // namespace ns3

#endif /* CCEVAL_STOPPING_RULE_H */
