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
     * @param controls of each trace, at least two
     * @return their means and covariances
     */
    static CcevalControlMeans Make(const std::vector<std::vector<double>>& controls);
};

/**
 * @ingroup cceval
 * @brief The mean of an expensive number with the help of cheap ones that go along with it.
 *
 * Problem. N trials have (Y_i, X_i) with d controls X whose mean mu is known, or was estimated from
 * M other traces with covariance C. What is E[Y]?
 *
 * Regression estimator (Asmussen and Glynn, Stochastic Simulation, section V.2):
 * with the least-squares slope b of Y on X, residual variance v (divisor N - d - 1), means m_Y, m_X
 * and the centred cross products S_XX,
 *
 *     estimate = m_Y - b (m_X - mu)
 *     variance = v (1 / N + (m_X - mu)' S_XX^-1 (m_X - mu)) + b' C b / M
 *
 * and the interval is Student's with f degrees of freedom, 2 / f = 2 / (N - d - 1) + kappa / N:
 * N - d - 1 for normal residuals, fewer with an excess kurtosis kappa > 0, as where few flows of
 * the tail differ between the methods and v depends on those alone. The interval allows for the
 * skewness of the residuals (CcevalSkewedInterval). The variance is 1 - R^2 of that of m_Y, but for
 * the last term and a loss of (N - 2) / (N - d - 2), so that trials should be at least 20 per
 * control. Controls that are combinations of others are left out.
 */
struct CcevalControlled
{
    CcevalInterval interval; //!< with the level asked for
    double error{0};         //!< standard error of the estimate
    double freedom{0};       //!< degrees of freedom of the interval
    double rSquared{0};      //!< share of the variance of Y that the controls explain
    double controlShare{0};  //!< share of the variance of the estimate that the M traces bring
    double lambda{0};        //!< skewness of the residuals over sqrt(N), see CcevalSkewedInterval
    uint32_t controls{0};    //!< controls that were used

    static constexpr uint64_t TRIALS_PER_CONTROL = 20; //!< recommended least number of trials

    /**
     * @param y expensive numbers, by trial
     * @param x controls, by trial
     * @param means what is known of the controls' means
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
