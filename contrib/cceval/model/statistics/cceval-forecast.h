/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_FORECAST_H
#define CCEVAL_FORECAST_H

#include <cstdint>

namespace ns3
{

class CcevalMoments;
class CcevalStoppingRule;

/**
 * @ingroup cceval
 * @brief How the error of an estimate falls with trials: its squared standard error over its square
 * is W / N + F after N of them.
 */
struct CcevalSpread
{
    double perTrial{0};    //!< W; NaN if it is not known
    double fixed{0};       //!< F, which trials do not take away
    double logVariance{0}; //!< Var(ln W): how well W is known
};

/**
 * @ingroup cceval
 * @brief Forecast of the trials that a stopping rule will have needed, from the trials so far.
 *
 * Problem. With c = sigma / |mu|, the rule stops near N_e = v^2 c^2 / eps^2 (CCEval, section 4.2,
 * Equation 3). After n trials c^2 is known with an error of, relative and for n large,
 *
 *     Var(ln c^2) = 2 / (n - 1) + kappa / n - 4 gamma c / n + 4 c^2 / n
 *
 * with skewness gamma and excess kurtosis kappa: 32 % for n = 20 normal values, and far more for
 * skewed ones, whose kappa 20 values do not show at all. The paper calls forecasts from 20
 * trials 1 to 10 % accurate; they are 18 to 47 % off (median).
 *
 * Estimate. Two estimates of c^2 are combined.
 * - From moments: s^2 / m^2. Right for any distribution, but late to see a tail.
 * - From logarithms, if all values are positive and their logarithms less skewed than they
 *   themselves: exp(s_L^2) - 1, exact for log-normal values, where s_L^2 (n - 1) / sigma_L^2 is
 *   chi-square distributed with n - 1 degrees of freedom; for small c the same as the above. The
 *   shape of an assumed distribution is not exact, which is taken for a relative error of
 *   SHAPE_ERROR.
 *
 * ln c^2 is their mean weighted by 1 / variance; that of the first follows from the kurtosis that
 * the second implies, if there is a second. What the n trials have contributed stays as it is:
 * the variance that the rule sees at N is (n s^2 + (N - n) c^2 m^2) / N.
 *
 * Band. Quantiles of the chi-square distribution of s_L^2 (or of s^2, with f degrees of freedom
 * such that 2 / f is the variance of ln c^2 above), times the chance left between n and N, whose
 * variance is that of ln c^2 for the N - n trials to come, which the rule does see. Ends are
 * numbers of trials with an interim analysis.
 */
struct CcevalForecast
{
    static constexpr double SHAPE_ERROR = 0.1; //!< of the log-normal shape, in ln c^2
    static constexpr uint64_t MIN_TRIALS = 5;  //!< fewer do not show the tail
    static constexpr double MOST = 1e15;       //!< as many as that are never run

    uint64_t trials{0}; //!< expected number of trials at the stop
    uint64_t low{0};    //!< lower end of the band
    uint64_t high{0};   //!< upper end of the band

    /** @return false if no number of trials is enough. */
    bool IsReachable() const
    {
        return static_cast<double>(trials) < MOST;
    }

    /**
     * @param rule the rule that will stop
     * @param values moments of the values so far, at least MIN_TRIALS
     * @param logarithms moments of their logarithms; those of no value unless all are positive
     * @param level probability that the band is to have
     * @return the forecast; never less than the number of values
     */
    static CcevalForecast Make(const CcevalStoppingRule& rule,
                               const CcevalMoments& values,
                               const CcevalMoments& logarithms,
                               double level);

    /**
     * @brief The same for an estimate that is not a mean.
     *
     * The rule stops near N = W / (eps^2 / v^2 - F). The band is W f / chi^2, with the quantiles of
     * the chi-square distribution with f = 2 / Var(ln W) degrees of freedom. The half-width now is
     * not asked: that of few trials is wider than it will be, by their skewness and by gaps between
     * the largest values, and does not yet fall with the square root of their number.
     *
     * @param rule the rule that will stop
     * @param n trials so far
     * @param spread of the estimate
     * @return the forecast with a band of the level of the rule; never less than n; all 0 if the
     * spread is not known
     */
    static CcevalForecast MakeBySpread(const CcevalStoppingRule& rule,
                                       uint64_t n,
                                       const CcevalSpread& spread);
};

} // namespace ns3

#endif /* CCEVAL_FORECAST_H */
