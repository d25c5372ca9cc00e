/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_MOMENTS_H
#define CCEVAL_MOMENTS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief Running moments of values, without storing the values.
 *
 * With the central sums M_k = sum_i (Z_i - m)^k, a new value with d = Z - m_old, N its number and
 * e = d / N changes them as (Welford; Pebay for the higher ones)
 *
 *     M_4 += d e^3 (N - 1) (N^2 - 3 N + 3) + 6 e^2 M_2 - 4 e M_3
 *     M_3 += d e^2 (N - 1) (N - 2) - 3 e M_2
 *     M_2 += d e (N - 1),   m += e,
 *
 * which does not subtract large sums as the textbook formulas do.
 */
class CcevalMoments
{
  public:
    /**
     * @brief Add a value.
     * @param value the value
     */
    void Add(double value);

    /** @return number of values N. */
    uint64_t GetN() const;
    /** @return arithmetic mean m; 0 without values. */
    double GetMean() const;
    /** @return variance s^2 with the divisor N - 1; 0 for fewer than two values. */
    double GetVariance() const;
    /** @return standard deviation s. */
    double GetDeviation() const;
    /** @return skewness (M_3 / N) / (M_2 / N)^1.5; 0 if all values are equal. */
    double GetSkewness() const;
    /** @return excess kurtosis (M_4 / N) / (M_2 / N)^2 - 3; 0 if all values are equal. */
    double GetExcessKurtosis() const;
    /** @return largest absolute value. */
    double GetLargestAbsolute() const;
    /** @return sum of absolute values. */
    double GetAbsoluteSum() const;

  private:
    uint64_t m_n{0};      //!< N
    double m_mean{0};     //!< m
    double m_second{0};   //!< M_2
    double m_third{0};    //!< M_3
    double m_fourth{0};   //!< M_4
    double m_largest{0};  //!< largest |Z|
    double m_absolute{0}; //!< sum of |Z|
};

} // namespace ns3

#endif /* CCEVAL_MOMENTS_H */
