/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TEST_STATISTICS_H
#define DCN_TEST_STATISTICS_H

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

/// Statistical bounds: a normal variable is further off in one case of 150,000, so that with
/// fixed seeds a violation means a fault.
constexpr double DCN_TEST_SIGMAS = 4.5;

/**
 * @ingroup dcn-tests
 * @brief Mean and variance of a sample.
 */
struct DcnMoments
{
    double n{0};       //!< number of values
    double sum{0};     //!< their sum
    double squares{0}; //!< sum of their squares

    /**
     * @param value one more value
     */
    void Add(double value)
    {
        n += 1;
        sum += value;
        squares += value * value;
    }

    /** @return the mean. */
    double GetMean() const
    {
        return sum / n;
    }

    /** @return the variance. */
    double GetVariance() const
    {
        return squares / n - GetMean() * GetMean();
    }

    /** @return the standard error of the mean. */
    double GetError() const
    {
        return std::sqrt(GetVariance() / n);
    }
};

/**
 * @ingroup dcn-tests
 * @brief Pearson's chi-square of counts against expectations.
 *
 * Cells whose expectation is 0 must be empty; cells expected to be rare (fewer than 5) are put
 * together, since the statistic is chi-square distributed only for larger ones.
 */
struct DcnChiSquare
{
    double statistic{0}; //!< sum of (count - expected)^2 / expected
    double freedom{-1};  //!< cells less one
    bool possible{true}; //!< false: something was counted that cannot happen

    /**
     * @brief Add the counts of one multinomial variable.
     * @param counts how often each outcome was seen
     * @param expected how often it is expected; the sum is that of the counts
     */
    void Add(const std::vector<uint64_t>& counts, const std::vector<double>& expected)
    {
        double rareCount = 0;
        double rareExpected = 0;
        for (std::size_t i = 0; i < counts.size(); ++i)
        {
            possible = possible && (expected[i] > 0 || counts[i] == 0);
            if (expected[i] >= 5)
            {
                AddCell(counts[i], expected[i]);
            }
            else
            {
                rareCount += counts[i];
                rareExpected += expected[i];
            }
        }
        if (rareExpected > 0)
        {
            AddCell(rareCount, rareExpected);
        }
    }

    /**
     * @brief Add one cell.
     * @param count how often it was seen
     * @param expected how often it is expected
     */
    void AddCell(double count, double expected)
    {
        statistic += (count - expected) * (count - expected) / expected;
        freedom += 1;
    }

    /**
     * @param level probability of a larger value if the expectations are right
     * @return true if the counts are compatible with the expectations
     */
    bool IsAccepted(double level) const
    {
        return possible && statistic <= GetCritical(level);
    }

    /**
     * @param level probability of a larger value
     * @return the critical value
     */
    double GetCritical(double level) const
    {
        return freedom <= 0
                   ? 0.0
                   : boost::math::quantile(
                         boost::math::complement(boost::math::chi_squared(freedom), level));
    }
};

#endif /* DCN_TEST_STATISTICS_H */
