/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_CONTROL_VARIATE_H
#define CCEVAL_CONTROL_VARIATE_H

#include "cceval-interval.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Means of control variates, estimated from many cheap traces.
 */
struct CcevalControlMeans
{
    uint64_t traces{0};                          //!< number of traces M
    std::vector<double> means;                   //!< by control
    std::vector<std::vector<double>> covariance; //!< of the controls of one trace

    /**
     * @param controls controls of each trace, at least two traces
     * @return their means and covariances
     */
    static CcevalControlMeans Make(const std::vector<std::vector<double>>& controls);
};

/**
 * @ingroup cceval
 * @brief Estimates the mean of an expensive quantity with correlated cheap ones (control variates).
 *
 * Problem. N trials have (Y_i, X_i) with d controls X whose mean mu is known, or is estimated from
 * M other traces with covariance C. Estimate E[Y].
 *
 * Regression estimator (Asmussen and Glynn, Stochastic Simulation, section V.2):
 * with the least-squares slope b of Y on X, residual variance v (divisor N - d - 1), means m_Y, m_X
 * and the centred cross products S_XX,
 *
 *     estimate = m_Y - b (m_X - mu)
 *     variance = v (1 / N + (m_X - mu)' S_XX^-1 (m_X - mu)) + b' C b / M
 *
 * and the interval is Student's with f degrees of freedom, 2 / f = 2 / (N - d - 1) + kappa / N.
 * That is N - d - 1 for normal residuals, fewer with an excess kurtosis kappa > 0, as if few flows
 * of the tail differ between the methods and determine v. The interval corrects for the skewness of
 * the residuals (CcevalSkewedInterval). The variance is 1 - R^2 times that of m_Y, apart from the
 * last term and a loss of (N - 2) / (N - d - 2), so that at least 20 trials per control are
 * advisable. Controls that are linear combinations of others are omitted.
 */
struct CcevalControlled
{
    CcevalInterval interval; //!< interval at the given level
    double error{0};         //!< standard error of the estimate
    double freedom{0};       //!< degrees of freedom of the interval
    double rSquared{0};      //!< share of the variance of Y that the controls explain
    double controlShare{0};  //!< share of the variance of the estimate due to the M traces
    double lambda{0};        //!< skewness of the residuals over sqrt(N), see CcevalSkewedInterval
    uint32_t controls{0};    //!< controls that were used

    static constexpr uint64_t TRIALS_PER_CONTROL = 20; //!< recommended least number of trials

    /**
     * @param y expensive numbers, by trial
     * @param x controls, by trial
     * @param means means of the controls and their covariance
     * @param level confidence level in (0, 1)
     * @return the estimate
     * @throws DcnError if there are not enough trials for the controls
     */
    static CcevalControlled Make(const std::vector<double>& y,
                                 const std::vector<std::vector<double>>& x,
                                 const CcevalControlMeans& means,
                                 double level);
};

} // namespace ns3

#endif /* CCEVAL_CONTROL_VARIATE_H */
