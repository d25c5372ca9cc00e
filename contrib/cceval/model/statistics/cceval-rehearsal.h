/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_REHEARSAL_H
#define CCEVAL_REHEARSAL_H

#include "cceval-stopping-rule.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Whether intervals cover, known before the trials: the stopping rule on values of a known
 * distribution.
 *
 * **Problem.** An interval of the level 1 - rho should contain the mean in the share 1 - rho of all
 * evaluations. With a heavy tail it does so less often, and the values of the evaluation cannot
 * tell: the mean is underestimated where few values of the tail came, and there the sample looks
 * harmless, too. A sign that depends on the sample (its skewness, its largest value) therefore
 * sorts out intervals that are right: of log-normal values (sigma 1, margin 0.3) intervals without
 * such a sign cover 83 %, those with one 95 %.
 *
 * **Rule.** Take a *bank*: B values of a distribution that is known without the trials and has the
 * tail that the metric can have. Draw R evaluations from it, with replacement. Each stops by the
 * rule, or has a number N of trials that is planned. With c the share of intervals that contain the
 * mean of the bank, coverage is assured if
 *
 *     1 - c <= MAX_MISS rho.
 *
 * c depends on the rule, margin, level, N and the bank, on nothing of the sample: all evaluations
 * of a metric have the same mark, so that nobody can select by it. The standard error of c is
 * sqrt(c (1 - c) / R), 0.7 % at 95 %. A tail that the bank does not have is not rehearsed: with N
 * near B and a tail as that of log-normal values of sigma 2, c is two points too high.
 */
struct CcevalRehearsal
{
    static constexpr uint64_t EVALUATIONS = 1000;   //!< R, at most
    static constexpr uint64_t LEAST = 200;          //!< R, at least
    static constexpr uint64_t MAX_DRAWS = 10000000; //!< no evaluation after the LEAST begins then
    static constexpr double MAX_MISS = 1.5;         //!< see the class

    uint64_t evaluations{0}; //!< R
    double covered{0};       //!< c
    double level{0};         //!< 1 - rho

    /** @return whether coverage is assured. */
    bool IsAssured() const
    {
        return 1 - covered <= MAX_MISS * (1 - level);
    }

    /**
     * @param rule stopping rule, margin and level
     * @param bank values, at least one
     * @param trials N that is planned, at least 2; 0: the rule stops
     * @param maxTrials the rule stops there at the latest, at least 2
     * @return the same for the same arguments
     */
    static CcevalRehearsal Make(const CcevalStoppingRule& rule,
                                const std::vector<double>& bank,
                                uint64_t trials,
                                uint64_t maxTrials);
};

} // namespace ns3

#endif /* CCEVAL_REHEARSAL_H */
