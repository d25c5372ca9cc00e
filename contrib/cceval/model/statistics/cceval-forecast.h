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
 * @brief Dependence of an estimate's error on the number N of trials: its squared standard error
 * over its square is W / N + F.
 */
struct CcevalSpread
{
    double perTrial{0};    //!< W; NaN if unknown
    double fixed{0};       //!< F, which more trials do not reduce
    double logVariance{0}; //!< Var(ln W): uncertainty of W
};

/**
 * @ingroup cceval
 * @brief Forecast of the number of trials at which a stopping rule stops.
 *
 * Problem. With c = sigma / |mu|, the rule stops near N_e = v^2 c^2 / eps^2 (CCEval, section 4.2,
 * Equation 3). After n trials the relative error of c^2 is, for large n,
 *
 *     Var(ln c^2) = 2 / (n - 1) + kappa / n - 4 gamma c / n + 4 c^2 / n
 *
 * with skewness gamma and excess kurtosis kappa: 32 % for 20 normal values, and far more for skewed
 * ones, whose kappa is not visible in 20 values. The paper reports forecasts from 20 trials to be
 * accurate within 1 to 10 %; their errors are 18 to 47 % (median).
 *
 * Estimate. Two estimates of c^2 are combined.
 * - From moments: s^2 / m^2. Valid for any distribution, but slow to include a tail.
 * - From logarithms, if all values are positive and their logarithms less skewed than the values:
 *   exp(s_L^2) - 1, exact for log-normal values, where s_L^2 (n - 1) / sigma_L^2 is chi-square
 *   distributed with n - 1 degrees of freedom; for small c it equals the first. An assumed shape is
 *   not exact; this is included as a relative error of SHAPE_ERROR.
 *
 * ln c^2 is their mean weighted by 1 / variance; the variance of the first follows from the
 * kurtosis implied by the second, if there is a second. The contribution of the n trials is fixed:
 * the variance for the rule at N is (n s^2 + (N - n) c^2 m^2) / N.
 *
 * Band. Quantiles of the chi-square distribution of s_L^2 (or of s^2, with f degrees of freedom
 * such that 2 / f is the variance of ln c^2 above), times the sampling error between n and N, whose
 * variance is that of ln c^2 for the N - n trials to come, which the rule includes. Ends are
 * numbers of trials with an interim analysis.
 */
struct CcevalForecast
{
    static constexpr double SHAPE_ERROR =
        0.1;                                  //!< relative error of the log-normal shape, in ln c^2
    static constexpr uint64_t MIN_TRIALS = 5; //!< fewest trials; fewer do not show the tail
    static constexpr double MOST = 1e15;      //!< larger numbers of trials count as infinite

    uint64_t trials{0}; //!< expected number of trials at the stop
    uint64_t low{0};    //!< lower end of the band
    uint64_t high{0};   //!< upper end of the band

    /** @return false if no number of trials suffices. */
    bool IsReachable() const
    {
        return static_cast<double>(trials) < MOST;
    }

    /**
     * @param rule the rule that will stop
     * @param values moments of the values so far, at least MIN_TRIALS
     * @param logarithms moments of their logarithms; no values unless all are positive
     * @param level probability of the band
     * @return the forecast; at least the number of values
     */
    static CcevalForecast Make(const CcevalStoppingRule& rule,
                               const CcevalMoments& values,
                               const CcevalMoments& logarithms,
                               double level);

    /**
     * @brief Forecast for an estimate that is not a mean.
     *
     * The rule stops near N = W / (eps^2 / v^2 - F). The band is W f / chi^2, with the quantiles of
     * the chi-square distribution with f = 2 / Var(ln W) degrees of freedom. The present half-width
     * is not used: with few trials it is too large, because of their skewness and of gaps between
     * the largest values, and does not yet fall with the square root of their number.
     *
     * @param rule the rule that will stop
     * @param n trials so far
     * @param spread of the estimate
     * @return the forecast with a band of the level of the rule; at least n; all 0 if the spread is
     * unknown
     */
    static CcevalForecast MakeBySpread(const CcevalStoppingRule& rule,
                                       uint64_t n,
                                       const CcevalSpread& spread);
};

} // namespace ns3

#endif /* CCEVAL_FORECAST_H */
