/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_POOLED_QUANTILE_H
#define CCEVAL_POOLED_QUANTILE_H

#include "cceval-forecast.h"
#include "cceval-interval.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Values of the flows of one trial, with their likelihood ratios.
 */
struct CcevalCycle
{
    std::vector<std::pair<double, double>> values; //!< (R_n, L_n) by flow; L_n = 1 without tilting
    double flows{0};                               //!< number of flows without tilting
};

/**
 * @ingroup cceval
 * @brief Quantile of weighted values by summing weights from the largest value down.
 *
 * Q = inf{g : sum of L over R > g is at most the limit}: sorted in descending order, the first
 * value whose inclusive sum exceeds the limit (with a relative slack of 1e-12, since limits such as
 * (1 - 0.99) 100 are not exact). From the top only the small weights of the tail are summed.
 *
 * CCEval's Equation 13 instead has the last value whose inclusive sum is at most the limit, one
 * order statistic higher, which shifts batches of 40 trials up by 1 to 4 %, up to 86 % at p99.9.
 *
 * @param values (R_n, L_n), any order
 * @param limit (1 - p) times the number of flows, without tilting
 * @param printed true for the index as printed, which the regression test compares
 * @return the quantile; NaN if the sum never exceeds the limit, or with printed if the largest
 * value's weight alone exceeds it
 */
double CcevalTopDownQuantile(std::vector<std::pair<double, double>> values,
                             double limit,
                             bool printed = false);

/**
 * @ingroup cceval
 * @brief The pooled quantile of trials, with an interval by test inversion.
 *
 * Problem. With trials as cycles of a regenerative process (CCEval, section 4.3.3, Equation 4),
 * P(R > g) = E[sum_n 1{R_n > g} L_n] / E[alpha]. With
 *
 *     Y_i(g) = sum_n 1{R_in > g} L_in - (1 - p) alpha_i
 *
 * the quantile is where E[Y(g)] passes 0. Y_1(g), ..., Y_N(g) are independent and identically
 * distributed, so that the interval is {g : |mean Y(g)| <= t s_Y(g) / sqrt(N)}, with a correction
 * for the skewness of such counts (CcevalSkewedInterval). Unlike the means of quantiles of batches
 * (section 5) it has no bias that remains when there are more batches.
 *
 * With controls the mean of Y(g) and its error are those of the regression estimator
 * (CcevalControlled). With a proposal, alpha_i is the expected number of flows, which tilting of
 * sizes does not change.
 */
class CcevalPooledQuantile
{
  public:
    static constexpr double MIN_EFFECTIVE =
        20; //!< least effective sample size of the tail for a known variance

    /**
     * @param p probability in (0, 1)
     * @param cycles the trials, at least two
     */
    CcevalPooledQuantile(double p, std::vector<CcevalCycle> cycles);

    /**
     * @brief Add answers of a cheap method for the same traffic as control variates.
     *
     * Controls of Y(g) are the number of flows of the trial and the numbers of flows above
     * thresholds near h g according to the cheap method, where h is the ratio of its quantile to
     * the true one over these trials: if its times were proportional to the true ones, the count at
     * h g would leave no variance. Their means come from many traces simulated by the cheap method
     * only.
     *
     * @param trials its values of the trials, in the order of the cycles
     * @param traces its values of other, independent traces
     * @param least smaller values may be missing in the traces
     */
    void AddPreEstimate(std::vector<CcevalCycle> trials,
                        std::vector<CcevalCycle> traces,
                        double least);

    /**
     * @param level confidence level in (0, 1)
     * @return the quantile and its interval; ends are NaN beyond the values of the trials. With
     * controls it reaches at least to the next smaller and larger value.
     */
    CcevalInterval GetInterval(double level) const;

    /**
     * @brief The published interval: mean of the quantiles of batches, Student's t over the
     * batches.
     * @param batch trials in a batch K, at least 1
     * @param level confidence level in (0, 1)
     * @param printed the index as printed, see CcevalTopDownQuantile
     * @return the interval; NaN if a batch has no quantile
     */
    CcevalInterval GetBatchInterval(uint64_t batch, double level, bool printed = false) const;

    /**
     * @param g threshold
     * @param level confidence level in (0, 1)
     * @return mean of Y(g) with its interval
     */
    CcevalInterval GetExcess(double g, double level) const;

    /**
     * @param g threshold
     * @return standard error of the mean of Y(g)
     */
    double GetExcessError(double g) const;

    /**
     * @param g threshold
     * @return effective sample size of the tail, (sum w)^2 / sum w^2 with w_i the weight of the
     * flows of trial i above g [trials]
     */
    double GetEffectiveSampleSize(double g) const;

    /**
     * @param times odds of a value above, over those of the quantile
     * @return the quantile with these odds, without controls; NaN beyond the values of the trials
     */
    double GetThreshold(double times) const;

    /**
     * @brief Dependence of the quantile's error on the number of trials, for forecasts.
     *
     * With T = (1 - p) E[alpha], e the standard error of the mean of Y(Q) and lambda the slope
     * - d ln P(R > g) / d ln g at Q, the relative variance of Q is e^2 / (T lambda)^2.
     *
     * - lambda = p 2 ln a / ln(Q+ / Q-) is that of the chord between the quantiles Q-+ whose odds
     *   are a = 2 times as large and as small; Var(ln lambda^2) follows from the influence of each
     *   trial on it.
     * - Var(Y) = D T p. The dispersion D is 1 for independent flows and larger if flows of the tail
     *   come in clusters. Few trials contain tail flows; more do at 4 times the odds, where D is
     * nearly the same (flows of one busy period are long together). ln D is the mean of both,
     * weighted by 1 / variance, where the second has the additional error SHAPE_ERROR.
     * - Var(ln D) is the mean of ((Y^2 - s^2) / s^2)^2 / N, but at least 3 / n with the effective
     *   sample size n (GetEffectiveSampleSize): 20 trials do not show the rare large clusters. k
     * clusters with exponential sizes c have n = k / 2, and sum c^2 has the relative variance
     *   E[c^4] / (k E[c^2]^2) = 6 / k.
     *
     * With a proposal D depends on the threshold, and with controls e is that of the regression;
     * then only D at Q is used, and Var(ln e^2) = 2 / f for the regression. The error due to the
     * means of the controls is fixed.
     *
     * @param quantile Q
     * @return W, F and Var(ln W); W is NaN if no flow is above Q
     */
    CcevalSpread GetSpread(double quantile) const;

    /**
     * @brief Pseudo-values by trial: their mean is the quantile, their deviation gives its error.
     *
     * To first order Q changes by mean Y(Q) / s, with s = T lambda / Q the slope of E[Y(g)] at Q
     * (see GetSpread), so that V_i = Q + (Y_i(Q) - mean Y(Q)) / s. Differences of two algorithms on
     * the same trials are those of their V_i; the interval by inversion, which needs no slope,
     * gives no such pairs. Without controls.
     *
     * @return V_i by trial; empty if the slope is unknown
     */
    std::vector<double> GetPseudoValues() const;

    /**
     * @param times factor of the odds of the quantile
     * @return the trials without the values below the quantile at these odds: they suffice for
     * higher thresholds
     */
    std::vector<CcevalCycle> GetTails(double times) const;

    /** @return number of controls; 0 without AddPreEstimate. */
    std::size_t GetNControls() const;

    /** @return number of different values of all flows. */
    std::size_t GetNValues() const;

    /**
     * @param g threshold
     * @return estimate of P(R > g), without controls
     */
    double GetTailProbability(double g) const;

  private:
    /// Values by a cheap method.
    struct PreEstimate
    {
        std::vector<CcevalCycle> trials; //!< values in descending order
        std::vector<CcevalCycle> traces; //!< values in descending order
        double ratio;                    //!< h
        double least;                    //!< thresholds below are not used
    };

    /// The mean of Y(g) and the parts of its interval.
    struct Excess
    {
        double mean;    //!< estimate
        double error;   //!< its standard error
        double lambda;  //!< see CcevalSkewedInterval
        double freedom; //!< degrees of freedom
        double fixed;   //!< variance due to the means of the controls
    };

    /// Statistics of the flows above a threshold.
    struct Tail
    {
        std::vector<double> excesses; //!< weight above less its expectation, by trial
        double weight;                //!< expected weight above in a trial
        double probability;           //!< expected share of the flows above
        double dispersion;            //!< D
        double logVariance;           //!< Var(ln D)
    };

    /// Returns the statistics of the flows above a threshold with a given expected share above.
    Tail ExamineTail(double g, double probability) const;
    /// Returns the share of the flows above the quantile at a multiple of its odds.
    double GetShare(double times) const;
    /// Returns lambda, see GetSpread, of the thresholds at the ends of the chord.
    double GetSlope(double upper, double lower) const;

    /// Returns the mean of Y(g).
    Excess ComputeExcess(double g) const;
    /// Returns Y(g) of every trial.
    std::vector<double> GetExcesses(double g) const;
    /// Returns the controls of Y(g) of a cycle, given its values by each cheap method.
    std::vector<double> GetControls(double g, const std::vector<const CcevalCycle*>& said) const;

    double m_p;                              //!< see the constructor
    std::vector<CcevalCycle> m_cycles;       //!< values in descending order
    std::vector<double> m_sorted;            //!< all values, ascending, each once
    std::vector<PreEstimate> m_preEstimates; //!< see AddPreEstimate
};

} // namespace ns3

#endif /* CCEVAL_POOLED_QUANTILE_H */
