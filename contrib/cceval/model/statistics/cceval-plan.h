/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_PLAN_H
#define CCEVAL_PLAN_H

#include "cceval-pooled-quantile.h"
#include "cceval-stopping-rule.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Interim analysis of a pooled quantile.
 */
struct CcevalAnalysis
{
    uint64_t trials{0};      //!< number of trials n
    CcevalInterval interval; //!< of the quantile
    CcevalSpread spread;     //!< how its error falls with trials
    double effective{0};     //!< effective sample size of the tail [trials]
    uint64_t least{0};       //!< trials without which an interval is not trusted, however narrow

    /**
     * @param pooled quantile of the trials
     * @param trials their number
     * @param level confidence level in (0, 1)
     * @return the analysis
     */
    static CcevalAnalysis Make(const CcevalPooledQuantile& pooled, uint64_t trials, double level);
};

/**
 * @ingroup cceval
 * @brief Fixes the number of trials for a pooled quantile in advance (three-stage sampling).
 *
 * Problem. The half-width of a quantile varies with the few flows that lie between the ends of its
 * interval and with the few clusters of the tail. An evaluation that stops as soon as its interval
 * is narrow stops where it happens to be narrow: at numbers of trials that vary by 20 to 60 %,
 * which no forecast knows (one that knew the median of all stops would be 10 to 33 % off), and that
 * are early when the interval covers too little. So the number is planned, as in sampling in three
 * stages (Hall 1981, Annals of Statistics 9, "Asymptotic theory of triple sampling for sequential
 * estimation of a mean"): a pilot, a fraction of the trials that the pilot asks for, and then the
 * trials that this fraction asks for. Only then a narrow interval ends the evaluation.
 *
 * With n trials
 *
 *     n^ = max(CcevalForecast::MakeBySpread, L(N_e n / e), least)
 *     k = exp(z sqrt(min(Var(ln W), 4)))
 *
 * where L(x) is the first interim analysis of the rule at x trials or more (n^ is one, too), e is
 * the effective sample size of the tail, of which N_e is needed (STOP_EFFECTIVE), W is that of
 * CcevalSpread, and z = 0.5: with W log-normal k n^ is enough in 69 % of all cases.
 *
 * - The plan is made at the first analysis with n >= n^ / 3: P = L(k n^) trials. n^ may be less
 *   than n there, where other metrics have asked for many trials before.
 * - The forecast is L(k n^) before, P from then on, and after P the larger of n^ and the next
 *   analysis.
 * - The evaluation stops at the first analysis with n >= P whose interval is within the margin,
 *   with e >= N_e and no fewer trials than the least.
 * - Band. The effective sample size grows with trials: L(N_e n / e f / chi^2) with the quantiles of
 *   the chi-square distribution with f = 2 e degrees of freedom. (For a Poisson number of clusters,
 *   c on average, with exponential weights w, e = (sum w)^2 / sum w^2 is c / 2, and Var(ln e) =
 *   8 / c + 6 / c less 12 / c = 1 / e: the variances of 2 ln sum w and of ln sum w^2 less twice
 *   their covariance.) The ends are the larger of these and those of MakeBySpread. While there is
 *   no plan both have the safety: the upper end times k; the lower end N with less, since W will be
 *   better known when the plan is made there: with Var(ln W) sqrt(3 n / N), between its value now
 *   and its value if it falls with 1 / n (the first leaves up to 12 % of the stops below, the
 *   second makes bands that hold 98 %). With a plan the lower end is the least number at which the
 *   evaluation can stop, and nothing is multiplied.
 *
 * k approaches 1 as W becomes known, and P the analysis after n^. A planned number is run even if
 * fewer trials would have done: 11 to 44 % more trials than by stopping when narrow
 * (doc/validation.rst).
 *
 * The rule PUBLISHED stays that of the paper: no plan, k = 1, and the first narrow interval ends
 * it. Nor is there a plan where the spread is not known although an interval is, and where no
 * number of trials is enough.
 */
class CcevalPlan
{
  public:
    /// Effective sample size of the tail [trials] below which a narrow interval ends no
    /// evaluation: it is narrow by chance (20 to 40 compared: doc/validation.rst).
    static constexpr double STOP_EFFECTIVE = 30;
    static constexpr double SAFETY = 0.5;        //!< z
    static constexpr double MOST_VARIANCE = 4;   //!< of ln W, that is believed
    static constexpr uint64_t FRACTION = 3;      //!< the plan is made at 1 / so much of n^
    static constexpr uint64_t FIRST_TRIALS = 20; //!< of the first forecast

    /**
     * @param rule interim analyses, margin and level
     * @param effective effective sample size N_e that is needed
     */
    explicit CcevalPlan(const CcevalStoppingRule& rule, double effective = STOP_EFFECTIVE);

    /**
     * @param analysis of more trials than before
     * @param isLast no more trials follow in any case: their number was given, or a limit is
     * reached, so that no interval has chosen it. Then a narrow one is enough without a plan, and
     * none is made.
     */
    void Add(const CcevalAnalysis& analysis, bool isLast = false);

    /** @return the trials needed, as known now; all 0 if neither spread nor plan is known. */
    const CcevalForecast& GetForecast() const;

    /** @return the trials planned P; 0 while there is no plan. */
    uint64_t GetTrials() const;

    /**
     * @return true if the interval is within the margin and the effective sample size is enough
     */
    bool IsNarrow() const;

    /** @return true if the evaluation is to stop, known to the margin. */
    bool IsDone() const;

    /**
     * @brief Numbers of trials of forecasts: 20, 26, 36, 50, 72 and then the analyses of the rule;
     * for PUBLISHED steps of 10 %.
     * @param rule the rule
     * @param trials number of trials so far
     * @return the next one
     */
    static uint64_t GetNextAnalysis(const CcevalStoppingRule& rule, uint64_t trials);

  private:
    /// Returns the trials that are needed, without safety, and their band; all at least the fewest.
    CcevalForecast GetNeed(const CcevalAnalysis& analysis, uint64_t fewest) const;

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
