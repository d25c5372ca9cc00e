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
    CcevalSpread spread;     //!< dependence of its error on the number of trials
    double effective{0};     //!< effective sample size of the tail [trials]
    uint64_t least{0};       //!< least number of trials for a trusted interval of any width

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
 * Problem. The half-width of a quantile varies with the few flows between the ends of its interval
 * and with the few clusters of the tail. An evaluation that stops as soon as its interval is narrow
 * stops where it is narrow by chance: at numbers of trials that vary by 20 to 60 %, which no
 * forecast can predict (the median of all stops would be 10 to 33 % off), and too early when the
 * interval covers too little. So the number is planned, by three-stage sampling (Hall 1981, Annals
 * of Statistics 9, "Asymptotic theory of triple sampling for sequential estimation of a mean"): a
 * pilot, a fraction of the trials needed according to the pilot, and then the trials needed
 * according to that fraction. Only then a narrow interval ends the evaluation.
 *
 * With n trials
 *
 *     n^ = max(CcevalForecast::MakeBySpread, L(N_e n / e), least)
 *     k = exp(z sqrt(min(Var(ln W), 4)))
 *
 * where L(x) is the first interim analysis of the rule at x trials or more (n^ is one, too), e is
 * the effective sample size of the tail, which must reach N_e (STOP_EFFECTIVE), W is that of
 * CcevalSpread, and z = 0.5: with log-normal W, k n^ suffices in 69 % of all cases.
 *
 * - The plan is made at the first analysis with n >= n^ / 3: P = L(k n^) trials. n^ may be less
 *   than n then, if other metrics needed more trials before.
 * - The forecast is L(k n^) before, P from then on, and after P the larger of n^ and the next
 *   analysis.
 * - The evaluation stops at the first analysis with n >= P whose interval is within the margin,
 *   with e >= N_e and no fewer trials than the least.
 * - Band. The effective sample size grows with trials: L(N_e n / e f / chi^2) with the quantiles of
 *   the chi-square distribution with f = 2 e degrees of freedom. (For a Poisson number of clusters,
 * c on average, with exponential weights w, e = (sum w)^2 / sum w^2 is c / 2, and Var(ln e) = 8 / c
 * + 6 / c less 12 / c = 1 / e: the variances of 2 ln sum w and of ln sum w^2 less twice their
 *   covariance.) The ends are the larger of these and those of MakeBySpread. Before the plan both
 *   include the safety factor: the upper end is multiplied by k, the lower end N by less, since W
 * will be known better when the plan is made there: with Var(ln W) sqrt(3 n / N), between its
 * present value and its value if it falls with 1 / n (with the first, up to 12 % of the stops are
 * below; with the second, bands hold 98 %). With a plan the lower end is the least number at which
 * the evaluation can stop, without a factor.
 *
 * k approaches 1 as W becomes known, and P the analysis after n^. A planned number is run even if
 * fewer trials would have sufficed: 11 to 44 % more trials than by stopping when narrow
 * (doc/validation.rst).
 *
 * The rule PUBLISHED is the paper's: no plan, k = 1, and the first narrow interval ends the
 * evaluation. There is no plan either if the spread is unknown although an interval is known, or if
 * no number of trials suffices.
 */
class CcevalPlan
{
  public:
    /// Effective sample size of the tail [trials] below which a narrow interval, narrow by
    /// chance, does not end an evaluation (20 to 40 compared: doc/validation.rst).
    static constexpr double STOP_EFFECTIVE = 30;
    static constexpr double SAFETY = 0.5;        //!< z
    static constexpr double MOST_VARIANCE = 4;   //!< largest variance of ln W used
    static constexpr uint64_t FRACTION = 3;      //!< the plan is made at n^ / FRACTION
    static constexpr uint64_t FIRST_TRIALS = 20; //!< trials of the first forecast

    /**
     * @param rule interim analyses, margin and level
     * @param effective effective sample size N_e required at the stop
     */
    explicit CcevalPlan(const CcevalStoppingRule& rule, double effective = STOP_EFFECTIVE);

    /**
     * @param analysis analysis of more trials than before
     * @param isLast no more trials follow, since their number was given or a limit is reached. Then
     * no interval has chosen the number: a narrow interval suffices without a plan, and no plan is
     * made.
     */
    void Add(const CcevalAnalysis& analysis, bool isLast = false);

    /** @return the trials needed, as forecast now; all 0 if neither spread nor plan is known. */
    const CcevalForecast& GetForecast() const;

    /** @return the trials planned P; 0 while there is no plan. */
    uint64_t GetTrials() const;

    /**
     * @return true if the interval is within the margin and the effective sample size suffices
     */
    bool IsNarrow() const;

    /** @return true if the evaluation stops, with its metric known to the margin. */
    bool IsDone() const;

    /**
     * @brief Numbers of trials with a forecast: 20, 26, 36, 50, 72 and then the analyses of the
     * rule; for PUBLISHED steps of 10 %.
     * @param rule the rule
     * @param trials number of trials so far
     * @return the next number
     */
    static uint64_t GetNextAnalysis(const CcevalStoppingRule& rule, uint64_t trials);

  private:
    /// Returns the trials needed, without safety factor, and their band; all at least the fewest.
    CcevalForecast GetNeed(const CcevalAnalysis& analysis, uint64_t fewest) const;

    CcevalStoppingRule m_rule; //!< see the constructor
    double m_effective;        //!< see the constructor
    bool m_isPlanned;          //!< whether the rule plans the number of trials
    CcevalForecast m_forecast; //!< see GetForecast
    uint64_t m_trials{0};      //!< see GetTrials
    bool m_isNarrow{false};    //!< see IsNarrow
    bool m_isDone{false};      //!< see IsDone
};

} // namespace ns3

#endif /* CCEVAL_PLAN_H */
