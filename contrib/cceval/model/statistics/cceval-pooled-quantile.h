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
 * @brief What the flows of one trial took, with their likelihood ratios.
 */
struct CcevalCycle
{
    std::vector<std::pair<double, double>> values; //!< (R_n, L_n) by flow; L_n = 1 without tilting
    double flows{0};                               //!< number of flows, as if not tilted
};

/**
 * @ingroup cceval
 * @brief Quantile of weighted values by summing weights from the largest value down.
 *
 * Q = inf{g : sum of L over R > g is at most the limit}: sorted in descending order, the first
 * value whose inclusive sum exceeds the limit (with a relative slack of 1e-12, since limits such as
 * (1 - 0.99) 100 are not exact). From the top only the small weights of the tail are summed.
 *
 * CCEval's Equation 13 takes instead the last value whose inclusive sum is at most the limit, one
 * order statistic higher, which shifts batches of 40 trials up by 1 to 4 %, up to 86 % at p99.9.
 *
 * @param values (R_n, L_n), any order
 * @param limit (1 - p) times the number of flows, as if not tilted
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
        20; //!< effective sample size of the tail; with less the variance is not known

    /**
     * @param p probability in (0, 1)
     * @param cycles the trials, at least two
     */
    CcevalPooledQuantile(double p, std::vector<CcevalCycle> cycles);

    /**
     * @brief Use what a cheap method says about the same traffic as control variates.
     *
     * Controls of Y(g) are the number of flows of the trial and the numbers of flows that the cheap
     * method puts above thresholds about h g, where h is the ratio of its quantile to this one over
     * the same trials: were its times proportional to the true ones, the count at h g would leave
     * no variance at all. Their means come from many traces that only the cheap method has seen.
     *
     * @param trials what the method says about the trials, in the order of the cycles
     * @param traces what it says about other, independent traces
     * @param least values that are not larger may have been left out of the traces
     */
    void AddPreEstimate(std::vector<CcevalCycle> trials,
                        std::vector<CcevalCycle> traces,
                        double least);

    /**
     * @param level confidence level in (0, 1)
     * @return the quantile and its interval; ends are NaN where the trials do not reach them. With
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
     * @return (sum w)^2 / sum w^2 with w_i the weight of the flows of trial i above g: the number
     * of trials that the tail stands on
     */
    double GetEffectiveTrials(double g) const;

    /**
     * @param times odds of being above, in units of those of the quantile
     * @return the quantile with these odds, without controls; NaN if the trials do not reach it
     */
    double GetThreshold(double times) const;

    /**
     * @brief How the error of the quantile falls with trials, for a forecast of those needed.
     *
     * With T = (1 - p) E[alpha], e the standard error of the mean of Y(Q) and lambda the slope
     * - d ln P(R > g) / d ln g at Q, the relative variance of Q is e^2 / (T lambda)^2.
     *
     * - lambda = p 2 ln a / ln(Q+ / Q-) is that of the chord between the quantiles Q-+ whose odds
     *   are a = 2 times as large and as small; Var(ln lambda^2) follows from the influence of each
     *   trial on it.
     * - Var(Y) = D T p. D, 1 for independent flows, is larger where flows of the tail come
     * together. Few trials have any of them; at 4 times the odds more have, and D is much the same
     * (flows of one busy period are long together). ln D is the mean of both, weighted by 1 /
     * variance, of which the second has the error SHAPE_ERROR of that likeness.
     * - Var(ln D) is the mean of ((Y^2 - s^2) / s^2)^2 / N, but at least 3 / n with n effective
     *   trials (GetEffectiveTrials): 20 trials do not show the large clusters that there will be. k
     *   clusters with exponential sizes c have n = k / 2, and sum c^2 has the relative variance
     *   E[c^4] / (k E[c^2]^2) = 6 / k.
     *
     * With a proposal D depends on the threshold, and with controls e is that of the regression;
     * then D at Q alone counts, and of the regression Var(ln e^2) = 2 / f. What the error of the
     * means of controls brings is fixed.
     *
     * @param quantile Q
     * @return W, F and Var(ln W); W is NaN if no flow is above Q
     */
    CcevalSpread GetSpread(double quantile) const;

    /**
     * @brief Numbers by trial, whose mean is the quantile and whose deviation gives its error.
     *
     * To first order Q moves by mean Y(Q) / s, with s = T lambda / Q the slope of E[Y(g)] at Q (see
     * GetSpread), so that V_i = Q + (Y_i(Q) - mean Y(Q)) / s. Differences of two algorithms on the
     * same trials are those of their V_i; the interval by inversion, which needs no slope, has no
     * such pairs. Without controls.
     *
     * @return V_i by trial; none if the slope is not known
     */
    std::vector<double> GetPseudoValues() const;

    /**
     * @param times the odds of the quantile
     * @return the trials without the values below the quantile at so many times the odds: they
     * sufficient for thresholds above
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
    /// What a cheap method says.
    struct PreEstimate
    {
        std::vector<CcevalCycle> trials; //!< values in descending order
        std::vector<CcevalCycle> traces; //!< values in descending order
        double ratio;                    //!< h
        double least;                    //!< thresholds below are not used
    };

    /// The mean of Y(g) and what its interval is made of.
    struct Excess
    {
        double mean;    //!< estimate
        double error;   //!< its standard error
        double lambda;  //!< see CcevalSkewedInterval
        double freedom; //!< degrees of freedom
        double fixed;   //!< variance that the means of controls bring
    };

    /// Statistics of the flows above a threshold.
    struct Tail
    {
        std::vector<double> excesses; //!< weight above less what is expected, by trial
        double weight;                //!< expected weight above in a trial
        double probability;           //!< expected share of the flows above
        double dispersion;            //!< D
        double logVariance;           //!< Var(ln D)
    };

    /// Returns what is known at a threshold that the share of the flows is expected to be above.
    Tail ExamineTail(double g, double probability) const;
    /// Returns the share of the flows that is above the quantile at so many times the odds.
    double GetShare(double times) const;
    /// Returns lambda, see GetSpread, of the thresholds at the ends of the chord.
    double GetSlope(double upper, double lower) const;

    /// Returns the mean of Y(g).
    Excess ComputeExcess(double g) const;
    /// Returns Y(g) of every trial.
    std::vector<double> GetExcesses(double g) const;
    /// Returns the controls of Y(g) of a cycle, given what each cheap method says about it.
    std::vector<double> GetControls(double g, const std::vector<const CcevalCycle*>& said) const;

    double m_p;                              //!< see the constructor
    std::vector<CcevalCycle> m_cycles;       //!< values in descending order
    std::vector<double> m_sorted;            //!< all values, ascending, each once
    std::vector<PreEstimate> m_preEstimates; //!< see AddPreEstimate
};

} // namespace ns3

#endif /* CCEVAL_POOLED_QUANTILE_H */
