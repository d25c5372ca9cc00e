/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-interval.h"

#include "cceval-moments.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <gsl/gsl_cdf.h>

namespace ns3
{

// Boost's normal and Student distributions differ from these in the last digits of every third
// value. The normal one converts scores to flow sizes, so that trials would change.

double
CcevalNormalQuantile(double p)
{
    return gsl_cdf_ugaussian_Pinv(p);
}

double
CcevalNormalCdf(double x)
{
    return gsl_cdf_ugaussian_P(x);
}

double
CcevalStudentQuantile(double p, double freedom)
{
    return gsl_cdf_tdist_Pinv(p, freedom);
}

double
CcevalChiSquareQuantile(double p, double freedom)
{
    // GSL's does not converge for few degrees of freedom
    return boost::math::quantile(boost::math::chi_squared(freedom), p);
}

void
CcevalCheckLevel(double level)
{
    if (!(level > 0 && level < 1))
    {
        DcnFail("the confidence level must be between 0 and 1, but it is ", level);
    }
}

CcevalInterval
CcevalMeanInterval(const CcevalMoments& moments, double level, bool normal)
{
    const auto n = static_cast<double>(moments.GetN());
    NS_ASSERT_MSG(n >= 2, "an interval needs two values");
    const double p = (1 + level) / 2;
    const double c = normal ? CcevalNormalQuantile(p) : CcevalStudentQuantile(p, n - 1);
    const double half = c * moments.GetDeviation() / std::sqrt(n);
    return {moments.GetMean(), moments.GetMean() - half, moments.GetMean() + half};
}

CcevalInterval
CcevalMeanInterval(const std::vector<double>& values, double level)
{
    CcevalMoments moments;
    for (double value : values)
    {
        moments.Add(value);
    }
    const double mean = moments.GetMean();
    return values.size() < 2 ? CcevalInterval{mean, mean, mean}
                             : CcevalMeanInterval(moments, level);
}

CcevalInterval
CcevalSkewedInterval(double estimate, double error, double lambda, double c)
{
    constexpr double SMALL = 1e-6; // below, the inverse loses precision without an effect
    auto invert = [lambda](double x) {
        return 3 / lambda * (std::cbrt(1 + lambda * (x - lambda / 6)) - 1);
    };
    if (std::abs(lambda) < SMALL)
    {
        return {estimate, estimate - c * error, estimate + c * error};
    }
    return {estimate, estimate - error * invert(c), estimate - error * invert(-c)};
}

double
CcevalBonferroniLevel(double level, uint64_t n)
{
    return 1 - (1 - level) / static_cast<double>(n);
}

} // namespace ns3
