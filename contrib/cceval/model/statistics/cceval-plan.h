/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_PLAN_H
#define CCEVAL_PLAN_H

#include "ns3/cceval-pooled-quantile.h"
#include "ns3/cceval-stopping-rule.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief What is known of a pooled quantile at a number of trials.
 */
struct CcevalLook
{
    uint64_t trials{0};      //!< number of trials n
    CcevalInterval interval; //!< of the quantile
    CcevalSpread spread;     //!< how its error falls with trials
    double effective{0};     //!< effective trials of the tail
    uint64_t least{0};       //!< trials without which an interval is not trusted, however narrow

    /**
     * @param pooled the trials
     * @param trials their number
     * @param level confidence level in (0, 1)
     * @return what they tell
     */
    static CcevalLook Make(const CcevalPooledQuantile& pooled, uint64_t trials, double level);
};

/**
 * @ingroup cceval
 * @brief How many trials a pooled quantile is evaluated with: told on the way, and kept.
 *
 * Problem. The half-width of a quantile varies with the few flows that lie between the ends of its
 * interval and with the few clusters of the tail. An evaluation that stops as soon as its interval
 * is narrow stops where it happens to be narrow: at numbers of trials that vary by 20 to 60 %,
 * which no forecast can tell (one that knew the median of all stops would be 10 to 33 % off), and
 * that are early when the interval covers too little. So the number is planned, as in sampling in
 * three stages (Hall 1981, Annals of Statistics 9, "Asymptotic theory of triple sampling for
 * sequential estimation of a mean"): a pilot, a fraction of the trials that are needed as far as
 * that tells, and then the trials that are needed as far as these tell. Only then intervals are
 * asked whether they are narrow.
 *
 * With n trials
 *
 *     n^ = max(CcevalForecast::MakeBySpread, L(N_e n / e), least)
 *     k = exp(z sqrt(min(Var(ln W), 4)))
 *
 * where L(x) is the first look of the rule at x trials or more (n^ is one, too), e are the
 * effective trials of the tail, of which N_e are needed (STOP_EFFECTIVE), W is the CcevalSpread's,
 * and z = 0.5: with W log-normal k n^ is enough in 69 % of all cases.
 *
 * - The plan is made at the first look with n >= n^ / 3: P = L(k n^) trials, for which n^ need not
 *   be n or more (where other metrics have asked for many before).
 * - The number told is L(k n^) before, P from then on, and after P the larger of n^ and the next
 *   look.
 * - The evaluation stops at the first look with n >= P whose interval is within the margin, with
 *   N_e effective trials and no fewer than the least.
 * - Band. Effective trials grow with trials: L(N_e n / e f / chi^2) with the quantiles of the
 *   chi-square distribution with f = 2 e degrees of freedom. (For a Poisson number of clusters, c
 *   on average, with exponential weights w, e = (sum w)^2 / sum w^2 is c / 2, and Var(ln e) = 8 / c
 *   + 6 / c less 12 / c = 1 / e: the variances of 2 ln sum w and of ln sum w^2 less twice their
 *   covariance.) The ends are the larger of these and those of MakeBySpread. While there is no plan
 *   both have the safety: the upper end times k; the lower one N with less, since by its plan W is
 *   better known: with Var(ln W) sqrt(3 n / N), between what it is now and what it is if it falls
 *   with 1 / n (the one leaves up to 12 % of the stops below, the other makes bands that hold 98
 *   %). With a plan the lower end is the least number at which it can stop, and nothing is
 *   multiplied.
 *
 * k approaches 1 as W becomes known, and P the look after n^. A number that is planned is run even
 * if fewer trials would have done: 11 to 44 % more trials than by stopping when narrow
 * (doc/validation.rst).
 *
 * The rule PUBLISHED stays that of the paper: no plan, k = 1, and the first narrow interval ends
 * it. Nor is there a plan where the trials tell no spread although they tell an interval, and where
 * no number of trials is enough.
 */
class CcevalPlan
{
  public:
    /// Effective trials without which a narrow interval ends no evaluation: those with fewer are
    /// narrow by chance (20 to 40 compared: doc/validation.rst).
    static constexpr double STOP_EFFECTIVE = 30;
    static constexpr double SAFETY = 0.5;        //!< z
    static constexpr double MOST_VARIANCE = 4;   //!< of ln W, that is believed
    static constexpr uint64_t FRACTION = 3;      //!< the plan is made at 1 / so much of n^
    static constexpr uint64_t FIRST_TRIALS = 20; //!< at which a number is told first

    /**
     * @param rule when to look, margin and level
     * @param effective effective trials N_e that are needed
     */
    explicit CcevalPlan(const CcevalStoppingRule& rule, double effective = STOP_EFFECTIVE);

    /**
     * @param look what is known now, of more trials than before
     * @param isLast whatever it tells, no more trials follow: their number was given, or a limit is
     * reached, so that no interval has chosen it. Then a narrow one is enough without a plan, and
     * none is made.
     */
    void Add(const CcevalLook& look, bool isLast = false);

    /** @return the trials needed as told now; all 0 if neither spread nor plan is known. */
    const CcevalForecast& GetForecast() const;

    /** @return the trials planned P; 0 while there is no plan. */
    uint64_t GetTrials() const;

    /**
     * @return true if the interval is within the margin and stands on enough effective trials
     */
    bool IsNarrow() const;

    /** @return true if the evaluation is to stop, known to the margin. */
    bool IsDone() const;

    /**
     * @brief Numbers of trials at which a number is told: 20, 26, 36, 50, 72 and then the looks of
     * the rule; those of PUBLISHED at steps of 10 %.
     * @param rule the rule
     * @param trials number of trials so far
     * @return the next one
     */
    static uint64_t GetNextLook(const CcevalStoppingRule& rule, uint64_t trials);

  private:
    /// Returns the trials that are needed, without safety, and their band; all at least the fewest.
    CcevalForecast GetNeed(const CcevalLook& look, uint64_t fewest) const;

    CcevalStoppingRule m_rule; //!< see the constructor
    double m_effective;        //!< see the constructor
    bool m_isPlanned;          //!< by the rule
    CcevalForecast m_forecast; //!< see GetForecast
    uint64_t m_trials{0};      //!< see GetTrials
    bool m_isNarrow{false};    //!< see IsNarrow
    bool m_isDone{false};      //!< see IsDone
};

} // namespace ns3

#endif /* CCEVAL_PLAN_H */
