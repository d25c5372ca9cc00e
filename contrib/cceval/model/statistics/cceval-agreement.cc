/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-agreement.h"

#include <cmath>

namespace ns3
{

CcevalAgreement::CcevalAgreement(double level)
{
    CcevalCheckLevel(level);
    m_quantile = CcevalNormalQuantile((1 + level) / 2);
}

CcevalAgreement::Verdict
CcevalAgreement::Add(const CcevalInterval& interval, const CcevalInterval& reference)
{
    const double half = interval.GetHalfWidth();
    const double both = std::hypot(half, reference.GetHalfWidth());
    const double difference = interval.estimate - reference.estimate;
    if (!(both > 0) || !std::isfinite(both) || !std::isfinite(difference))
    {
        ++m_leftOut;
        return {false, false, std::nan(""), std::nan("")};
    }
    const Verdict verdict{interval.Contains(reference.estimate),
                          std::abs(difference) <= both,
                          2 * CcevalNormalCdf(m_quantile * half / both) - 1,
                          difference / both * m_quantile};
    m_inside += verdict.inside ? 1 : 0;
    m_consistent += verdict.consistent ? 1 : 0;
    m_expected += verdict.expected;
    m_deviations.Add(verdict.deviation);
    return verdict;
}

uint64_t
CcevalAgreement::GetN() const
{
    return m_deviations.GetN();
}

uint64_t
CcevalAgreement::GetLeftOut() const
{
    return m_leftOut;
}

uint64_t
CcevalAgreement::GetInside() const
{
    return m_inside;
}

double
CcevalAgreement::GetExpected() const
{
    return m_expected;
}

uint64_t
CcevalAgreement::GetConsistent() const
{
    return m_consistent;
}

const CcevalMoments&
CcevalAgreement::GetDeviations() const
{
    return m_deviations;
}

} // namespace ns3
