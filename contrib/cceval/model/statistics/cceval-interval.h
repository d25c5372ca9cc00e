/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_INTERVAL_H
#define CCEVAL_INTERVAL_H

#include <cmath>
#include <cstdint>
#include <vector>

namespace ns3
{

class CcevalMoments;

/**
 * @ingroup cceval
 * @brief An estimate with its confidence interval.
 */
struct CcevalInterval
{
    double estimate{0}; //!< point estimate
    double low{0};      //!< lower end
    double high{0};     //!< upper end

    /** @return half of the width. */
    double GetHalfWidth() const
    {
        return (high - low) / 2;
    }

    /**
     * @param margin relative half-width
     * @return true if the half-width is at most the margin; false if an end is unknown
     */
    bool IsWithin(double margin) const
    {
        return GetHalfWidth() <= margin * std::abs(estimate);
    }

    /**
     * @param value a value
     * @return true if it is inside or at an end
     */
    bool Contains(double value) const
    {
        return value >= low && value <= high;
    }
};

/**
 * @ingroup cceval
 * @param p probability in (0, 1)
 * @return quantile of the standard normal distribution
 */
double CcevalNormalQuantile(double p);

/**
 * @ingroup cceval
 * @param x argument
 * @return P(Z <= x) of a standard normal variable
 */
double CcevalNormalCdf(double x);

/**
 * @ingroup cceval
 * @param p probability in (0, 1)
 * @param freedom degrees of freedom, > 0
 * @return quantile of Student's t distribution
 */
double CcevalStudentQuantile(double p, double freedom);

/**
 * @ingroup cceval
 * @param p probability in (0, 1)
 * @param freedom degrees of freedom, > 0
 * @return quantile of the chi-square distribution
 */
double CcevalChiSquareQuantile(double p, double freedom);

/**
 * @ingroup cceval
 * @brief Refuse a confidence level outside (0, 1).
 * @param level the level
 * @throws DcnError that names it
 */
void CcevalCheckLevel(double level);

/**
 * @ingroup cceval
 * @brief Interval of a mean of independent, identically distributed values.
 *
 * m -+ c s / sqrt(N), where c is the (1 + level) / 2 quantile of Student's t with N - 1 degrees of
 * freedom or, as printed in CCEval (section 4.1, Equation 1), of the normal distribution.
 *
 * @param moments of the values, at least two
 * @param level confidence level in (0, 1)
 * @param normal true for the normal quantile
 * @return the interval
 */
CcevalInterval CcevalMeanInterval(const CcevalMoments& moments, double level, bool normal = false);

/**
 * @ingroup cceval
 * @param values repetitions
 * @param level confidence level in (0, 1)
 * @return as for their moments, by Student's t; without width for less than two values
 */
CcevalInterval CcevalMeanInterval(const std::vector<double>& values, double level);

/**
 * @ingroup cceval
 * @brief Interval of a mean that allows for skewness (Hall, J. R. Statist. Soc. B 54, 1992).
 *
 * With T = (m - mu) / e, lambda = skewness / sqrt(N) and c Student's quantile, the interval
 * consists of the mu for which |g(T)| <= c, where g(T) = T + lambda T^2 / 3 + lambda^2 T^3 / 27 +
 * lambda / 6 is nearly normal even if T is not. Counts of a tail are skewed: without this
 * correction their intervals cover 92 to 93 %.
 *
 * @param estimate m
 * @param error standard error e
 * @param lambda skewness of the values over the square root of their number
 * @param c Student's quantile
 * @return the interval; estimate -+ c e for lambda = 0
 */
CcevalInterval CcevalSkewedInterval(double estimate, double error, double lambda, double c);

/**
 * @ingroup cceval
 * @brief Level of each of several intervals that hold jointly (Bonferroni).
 * @param level joint confidence level in (0, 1)
 * @param n number of intervals, at least 1
 * @return 1 - (1 - level) / n
 */
double CcevalBonferroniLevel(double level, uint64_t n);

} // namespace ns3

#endif /* CCEVAL_INTERVAL_H */
