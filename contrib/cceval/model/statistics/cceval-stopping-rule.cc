/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-stopping-rule.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint64_t PUBLISHED_FIRST = 20; //!< the paper's first interim analysis (section 4.2)
constexpr uint64_t GUARDED_FIRST = 100;  //!< first interim analysis of the guarded rule
constexpr double GUARDED_STEP = 1.1;     //!< ratio of two successive analyses of the guarded rule

} // namespace

CcevalStoppingRule::CcevalStoppingRule(Kind kind, double margin, double level)
    : m_kind(kind),
      m_margin(margin),
      m_level(level)
{
    if (!(margin > 0 && margin < 1))
    {
        DcnFail("the margin must be between 0 and 1, but it is ", margin);
    }
    CcevalCheckLevel(level);
}

CcevalStoppingRule::Kind
CcevalStoppingRule::ParseKind(const std::string& name)
{
    if (name == "guarded")
    {
        return Kind::GUARDED;
    }
    if (name == "published")
    {
        return Kind::PUBLISHED;
    }
    DcnFail("the rule must be guarded or published, but it is \"", name, "\"");
}

CcevalStoppingRule::Kind
CcevalStoppingRule::GetKind() const
{
    return m_kind;
}

std::string
CcevalStoppingRule::GetName() const
{
    return m_kind == Kind::GUARDED ? "guarded" : "published";
}

double
CcevalStoppingRule::GetMargin() const
{
    return m_margin;
}

double
CcevalStoppingRule::GetLevel() const
{
    return m_level;
}

uint64_t
CcevalStoppingRule::GetFirstCheck() const
{
    return m_kind == Kind::GUARDED ? GUARDED_FIRST : PUBLISHED_FIRST;
}

uint64_t
CcevalStoppingRule::GetNextCheck(uint64_t n) const
{
    if (m_kind == Kind::PUBLISHED)
    {
        return std::max(n, PUBLISHED_FIRST);
    }
    // each analysis is computed from the first, so that it does not depend on n
    double check = GUARDED_FIRST;
    auto roundUp = [](double x) { return std::ceil(x * (1 - 1e-12)); }; // 110 is not 111
    while (roundUp(check) < static_cast<double>(n))
    {
        check *= GUARDED_STEP;
    }
    return static_cast<uint64_t>(roundUp(check));
}

bool
CcevalStoppingRule::IsEnough(double n, double mean, double deviation) const
{
    const double p = (1 + m_level) / 2;
    if (m_kind == Kind::PUBLISHED)
    {
        return CcevalNormalQuantile(p) * deviation <= m_margin * std::abs(mean) * std::sqrt(n);
    }
    const double guarded = deviation * deviation + mean * mean / n;
    return CcevalStudentQuantile(p, n - 1) * std::sqrt(guarded / n) <= m_margin * std::abs(mean);
}

bool
CcevalStoppingRule::IsMet(const CcevalMoments& moments) const
{
    const uint64_t n = moments.GetN();
    return n >= GetFirstCheck() && GetNextCheck(n) == n &&
           IsEnough(static_cast<double>(n), moments.GetMean(), moments.GetDeviation()) &&
           (m_kind == Kind::PUBLISHED ||
            GetInterval(moments).GetHalfWidth() <= m_margin * std::abs(moments.GetMean()));
}

uint64_t
CcevalStoppingRule::GetTrials(double mean, double deviation) const
{
    constexpr double MOST = 1e15; // limit: a mean near 0 needs arbitrarily many
    const double cv = deviation / std::abs(mean);
    const double v = CcevalNormalQuantile((1 + m_level) / 2);
    if (!(v * v * cv * cv / (m_margin * m_margin) < MOST))
    {
        return static_cast<uint64_t>(MOST);
    }
    // Student's quantile and the guard only add trials to those of the normal quantile
    uint64_t n = GetNextCheck(
        static_cast<uint64_t>(std::ceil(v * v * cv * cv / (m_margin * m_margin) * (1 - 1e-12))));
    while (!IsEnough(static_cast<double>(n), mean, deviation))
    {
        n = GetNextCheck(n + 1);
    }
    return n;
}

CcevalInterval
CcevalStoppingRule::GetInterval(const CcevalMoments& moments) const
{
    if (m_kind == Kind::PUBLISHED)
    {
        return CcevalMeanInterval(moments, m_level, true);
    }
    const auto n = static_cast<double>(moments.GetN());
    return CcevalSkewedInterval(moments.GetMean(),
                                moments.GetDeviation() / std::sqrt(n),
                                moments.GetSkewness() / std::sqrt(n),
                                CcevalStudentQuantile((1 + m_level) / 2, n - 1));
}

CcevalDiagnosis
CcevalDiagnosis::Make(const CcevalMoments& moments)
{
    CcevalDiagnosis diagnosis;
    diagnosis.trials = moments.GetN();
    diagnosis.skewness = moments.GetSkewness();
    const double sum = moments.GetAbsoluteSum();
    diagnosis.largestShare = sum > 0 ? moments.GetLargestAbsolute() / sum : 0.0;
    const double most = std::max(MAX_SHARE, MAX_TIMES / static_cast<double>(moments.GetN()));
    diagnosis.hasTail =
        diagnosis.trials > 2 && (std::abs(diagnosis.skewness) > GetMaxSkewness(diagnosis.trials) ||
                                 diagnosis.largestShare > most);
    return diagnosis;
}

double
CcevalDiagnosis::GetMaxSkewness(uint64_t trials)
{
    const auto n = static_cast<double>(trials);
    return trials < 3 ? 0.0 : std::min(MAX_SKEWNESS, (n - 2) / std::sqrt(n - 1) / 2);
}

std::string
CcevalDiagnosis::Describe() const
{
    if (!hasTail)
    {
        return "";
    }
    std::ostringstream text;
    text.precision(3);
    text << "a tail shows: ";
    const double most = GetMaxSkewness(trials);
    if (std::abs(skewness) > most)
    {
        text << "the skewness of the trials is " << skewness << ", beyond " << most;
    }
    else
    {
        text << "one trial is " << 100 * largestShare << " % of the sum of all";
    }
    return text.str();
}

} // namespace ns3
