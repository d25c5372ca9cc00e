/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-moments.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

void
CcevalMoments::Add(double value)
{
    ++m_n;
    const auto n = static_cast<double>(m_n);
    const double difference = value - m_mean;
    const double step = difference / n;
    const double term = difference * step * (n - 1);
    m_mean += step;
    m_fourth +=
        term * step * step * (n * n - 3 * n + 3) + 6 * step * step * m_second - 4 * step * m_third;
    m_third += term * step * (n - 2) - 3 * step * m_second;
    m_second += term;
    m_largest = std::max(m_largest, std::abs(value));
    m_absolute += std::abs(value);
}

uint64_t
CcevalMoments::GetN() const
{
    return m_n;
}

double
CcevalMoments::GetMean() const
{
    return m_mean;
}

double
CcevalMoments::GetVariance() const
{
    return m_n < 2 ? 0.0 : m_second / static_cast<double>(m_n - 1);
}

double
CcevalMoments::GetDeviation() const
{
    return std::sqrt(GetVariance());
}

double
CcevalMoments::GetSkewness() const
{
    const double n = static_cast<double>(m_n);
    return m_second > 0 ? std::sqrt(n) * m_third / std::pow(m_second, 1.5) : 0.0;
}

double
CcevalMoments::GetExcessKurtosis() const
{
    const double n = static_cast<double>(m_n);
    return m_second > 0 ? n * m_fourth / (m_second * m_second) - 3 : 0.0;
}

double
CcevalMoments::GetLargestAbsolute() const
{
    return m_largest;
}

double
CcevalMoments::GetAbsoluteSum() const
{
    return m_absolute;
}

} // namespace ns3
