/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/statistics/cceval-stopping-rule.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/cceval-forecast.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param values any
 * @return their moments
 */
CcevalMoments
MomentsOf(const std::vector<double>& values)
{
    CcevalMoments moments;
    for (const double value : values)
    {
        moments.Add(value);
    }
    return moments;
}

/**
 * @param n number of values
 * @param offset added to each
 * @return 1 + offset, ..., n + offset
 */
std::vector<double>
Count(int n, double offset = 0)
{
    std::vector<double> values;
    for (int i = 1; i <= n; ++i)
    {
        values.push_back(i + offset);
    }
    return values;
}

/// Streaming moments equal those computed from all values, also far away from 0.
DCN_TEST_CASE(MomentsTestCase, "moments of values one after the other")
{
    for (const double offset : {0.0, 1e6})
    {
        const std::vector<double> values{1 + offset,
                                         2 + offset,
                                         2 + offset,
                                         9 + offset,
                                         30 + offset};
        const CcevalMoments moments = MomentsOf(values);
        double mean = 0;
        for (const double value : values)
        {
            mean += value / 5;
        }
        double central[5] = {};
        for (const double value : values)
        {
            for (int k = 2; k <= 4; ++k)
            {
                central[k] += std::pow(value - mean, k);
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.GetMean(), mean, 1e-9 * mean, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.GetVariance(), central[2] / 4, 1e-8, "variance");
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.GetSkewness(),
                                  central[3] / 5 / std::pow(central[2] / 5, 1.5),
                                  1e-7,
                                  "skewness");
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.GetExcessKurtosis(),
                                  central[4] / 5 / std::pow(central[2] / 5, 2) - 3,
                                  1e-7,
                                  "excess kurtosis");
        NS_TEST_EXPECT_MSG_EQ(moments.GetLargestAbsolute(), 30 + offset, "largest");
    }
    const CcevalMoments equal = MomentsOf({3, 3, 3});
    NS_TEST_EXPECT_MSG_EQ(equal.GetVariance(), 0, "no variance");
    NS_TEST_EXPECT_MSG_EQ(equal.GetSkewness(), 0, "no skewness");
    NS_TEST_EXPECT_MSG_EQ(equal.GetExcessKurtosis(), 0, "no kurtosis");
    NS_TEST_EXPECT_MSG_EQ(MomentsOf({-5, 1}).GetAbsoluteSum(), 6, "sum of absolute values");
}

DCN_TEST_CASE(IntervalTestCase, "quantiles and intervals of known numbers")
{
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalStudentQuantile(0.975, 19), 2.093024054, 1e-9, "t");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalStudentQuantile(0.975, 49), 2.009575237, 1e-8, "t");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalStudentQuantile(0.975, 99), 1.984216952, 1e-8, "t");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalNormalQuantile(0.975), 1.959963985, 1e-9, "z");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalNormalCdf(1.959963985), 0.975, 1e-10, "Phi");
    // 20-trial band of normal values: s^2 (n - 1) / sigma^2 is chi-square distributed
    NS_TEST_EXPECT_MSG_EQ_TOL(19 / CcevalChiSquareQuantile(0.975, 19), 0.578, 5e-4, "chi2");
    NS_TEST_EXPECT_MSG_EQ_TOL(19 / CcevalChiSquareQuantile(0.025, 19), 2.133, 5e-4, "chi2");
    // several intervals at once: 6 pairs of 4 algorithms, 3 of 3
    auto joint = [](uint64_t n) {
        return CcevalStudentQuantile((1 + CcevalBonferroniLevel(0.95, n)) / 2, 99);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(joint(6), 2.692306054, 1e-8, "t of 6 pairs");
    NS_TEST_EXPECT_MSG_EQ_TOL(joint(3), 2.435339300, 1e-8, "t of 3 pairs");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalNormalQuantile((1 + CcevalBonferroniLevel(0.95, 6)) / 2),
                              2.638257273,
                              1e-8,
                              "z of 6 pairs");

    const CcevalMoments twenty = MomentsOf(Count(20));
    NS_TEST_EXPECT_MSG_EQ_TOL(twenty.GetDeviation(), 5.916079783, 1e-9, "s of 1..20");
    const auto z = CcevalMeanInterval(twenty, 0.95, true);
    const auto t = CcevalMeanInterval(twenty, 0.95);
    NS_TEST_EXPECT_MSG_EQ_TOL(z.estimate, 10.5, 1e-12, "m of 1..20");
    NS_TEST_EXPECT_MSG_EQ_TOL(z.GetHalfWidth(), 2.592788641, 1e-8, "normal half-width");
    NS_TEST_EXPECT_MSG_EQ_TOL(t.GetHalfWidth(), 2.768810568, 1e-8, "Student half-width");
    NS_TEST_EXPECT_MSG_EQ((z.Contains(8) && !z.Contains(7.9) && !z.Contains(13.1)),
                          true,
                          "inside and outside");
    // the ends are where |g(T)| = c
    const auto skewed = CcevalSkewedInterval(10, 2, 0.3, 1.9);
    for (const double end : {skewed.low, skewed.high})
    {
        const double x = (10 - end) / 2;
        const double g = x + 0.3 * x * x / 3 + 0.09 * x * x * x / 27 + 0.3 / 6;
        NS_TEST_EXPECT_MSG_EQ_TOL(std::abs(g), 1.9, 1e-9, "end of a skewed interval");
    }
    NS_TEST_EXPECT_MSG_LT(skewed.high, 100, "finite");
    NS_TEST_EXPECT_MSG_GT(skewed.high - 10, 10 - skewed.low, "longer on the side of the tail");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalSkewedInterval(10, 2, 1e-5, 1.9).high, 13.8, 1e-3, "limit");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalSkewedInterval(10, 2, 0, 1.9).high, 13.8, 1e-12, "symmetric");
    DCN_TEST_EXPECT_ERROR(CcevalCheckLevel(1),
                          "the confidence level must be between 0 and 1, but it is 1");
    DCN_TEST_EXPECT_ERROR(CcevalCheckLevel(NAN),
                          "the confidence level must be between 0 and 1, but it is nan");
}

/// Where the rules analysis, and when they are content.
DCN_TEST_CASE(RuleTestCase, "stopping rules")
{
    const CcevalStoppingRule published(CcevalStoppingRule::Kind::PUBLISHED, 0.05, 0.95);
    const CcevalStoppingRule guarded(CcevalStoppingRule::Kind::GUARDED, 0.05, 0.95);
    // Equation 3 for 1..20: 487.80 trials
    const CcevalMoments twenty = MomentsOf(Count(20));
    NS_TEST_EXPECT_MSG_EQ(published.GetTrials(twenty.GetMean(), twenty.GetDeviation()),
                          488,
                          "Equation 3");
    NS_TEST_EXPECT_MSG_EQ(published.IsMet(twenty), false, "not met by 1..20");
    // v s / sqrt(20) is 2.59; it is 5 % of a mean of 51.9
    NS_TEST_EXPECT_MSG_EQ(published.IsMet(MomentsOf(Count(20, 41.2))), false, "just not");
    NS_TEST_EXPECT_MSG_EQ(published.IsMet(MomentsOf(Count(20, 41.5))), true, "just met");
    NS_TEST_EXPECT_MSG_EQ(published.IsMet(MomentsOf(Count(19, 1000))), false, "too few");

    std::vector<uint64_t> checks;
    for (uint64_t n = 1; checks.size() < 5; n = checks.back() + 1)
    {
        checks.push_back(guarded.GetNextCheck(n));
    }
    NS_TEST_EXPECT_MSG_EQ((checks == std::vector<uint64_t>{100, 110, 121, 134, 147}),
                          true,
                          "100 * 1.1^k, rounded up");
    NS_TEST_EXPECT_MSG_EQ(guarded.IsMet(MomentsOf(Count(20, 1000))), false, "before trial 100");
    NS_TEST_EXPECT_MSG_EQ(guarded.IsMet(MomentsOf(Count(100, 10000))), true, "at 100");
    NS_TEST_EXPECT_MSG_EQ(guarded.IsMet(MomentsOf(Count(101, 10000))), false, "between analyses");
    // with c = 0.563, v^2 c^2 / eps^2 is 459, but t^2 (c^2 + 1 / N) / eps^2 is 465: the
    // analysis after 460
    const CcevalStoppingRule between(CcevalStoppingRule::Kind::GUARDED, 0.05155, 0.95);
    NS_TEST_EXPECT_MSG_EQ(between.GetTrials(twenty.GetMean(), twenty.GetDeviation()),
                          506,
                          "Student's t and the guard");
    // without variance the guard alone decides: t m / N <= eps m
    const CcevalStoppingRule strict(CcevalStoppingRule::Kind::GUARDED, 0.01, 0.95);
    const uint64_t trials = strict.GetTrials(7, 0);
    NS_TEST_EXPECT_MSG_EQ(trials, strict.GetNextCheck(197), "196 < t / eps < 198");
    std::vector<double> sevens(trials, 7.0);
    NS_TEST_EXPECT_MSG_EQ(strict.IsMet(MomentsOf(sevens)), true, "no variance");
    sevens.resize(178, 7.0); // the analysis before
    NS_TEST_EXPECT_MSG_EQ(strict.GetNextCheck(178), 178, "an analysis");
    NS_TEST_EXPECT_MSG_EQ(strict.IsMet(MomentsOf(sevens)), false, "the guard");

    using Rule = CcevalStoppingRule;
    DCN_TEST_EXPECT_ERROR(Rule(Rule::Kind::GUARDED, 0, 0.95),
                          "the margin must be between 0 and 1, but it is 0");
    DCN_TEST_EXPECT_ERROR(Rule(Rule::Kind::GUARDED, 1, 0.95),
                          "the margin must be between 0 and 1, but it is 1");
    DCN_TEST_EXPECT_ERROR(Rule(Rule::Kind::GUARDED, 0.1, 95),
                          "the confidence level must be between 0 and 1, but it is 95");
    DCN_TEST_EXPECT_ERROR(Rule::ParseKind("z"),
                          "the rule must be guarded or published, but it is \"z\"");
    NS_TEST_EXPECT_MSG_EQ((Rule::ParseKind("published") == Rule::Kind::PUBLISHED), true, "name");
}

/// The diagnosis shows a tail and a single value that carries the mean.
DCN_TEST_CASE(DiagnosisTestCase, "what a sample shows of its tail")
{
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(Count(100))).Describe(), "", "fine");
    // n - 1 values of 1 and one of 1 + d: skewness (n - 2) / sqrt(n - 1) = 9.85
    std::vector<double> tail(99, 1.0);
    tail.push_back(2.0);
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(tail)).Describe(),
                          "a tail shows: the skewness of the trials is 9.85, beyond 4.92",
                          "skewness");
    // that is the largest that there can be, and half of it the limit, but not more than 5
    tail.resize(22);
    tail.back() = 2.0;
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(tail)).Describe(),
                          "a tail shows: the skewness of the trials is 4.36, beyond 2.18",
                          "20 / sqrt(21), of 22 values");
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::GetMaxSkewness(1000), 5, "of many values");
    // seven of 30 values are 1, the others 0: with p = 7 / 30 the skewness is
    // (1 - 2 p) / sqrt(p (1 - p)) = 1.26 < 28 / sqrt(29) / 2 = 2.6
    std::vector<double> share(30, 0.0);
    std::fill_n(share.begin(), 7, 1.0);
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(share)).Describe(),
                          "",
                          "1 / 7 is not more than 5 / 30");
    share.front() = 1.5;
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(share)).Describe(),
                          "a tail shows: one trial is 20 % of the sum of all",
                          "1.5 / 7.5 is more than 5 / 30");
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(std::vector<double>(20, 1.0))).hasTail,
                          false,
                          "twenty equal values have 5 % each");
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(Count(2))).Describe(),
                          "",
                          "two values show nothing");
    // 25 values from 0.76 to 1.24 times their mean, deviation 0.15: nothing stands out
    NS_TEST_EXPECT_MSG_EQ(CcevalDiagnosis::Make(MomentsOf(Count(25, 37))).hasTail,
                          false,
                          "no false alarm");
}

DCN_TEST_CASE(ForecastTestCase, "forecast of the number of trials")
{
    const CcevalStoppingRule published(CcevalStoppingRule::Kind::PUBLISHED, 0.05, 0.95);
    // moments alone: no skewness, kurtosis below normal, so the variance of ln c^2 is
    // 2 / 19 + 4 c^2 / 20, and the point is Equation 3
    const CcevalMoments twenty = MomentsOf(Count(20));
    const auto forecast = CcevalForecast::Make(published, twenty, {}, 0.95);
    NS_TEST_EXPECT_MSG_EQ(forecast.trials, 488, "Equation 3");
    const double cv = twenty.GetDeviation() / twenty.GetMean();
    const double freedom = 2 / (2.0 / 19 + 4 * cv * cv / 20);
    // Chance in the 468 trials to come; their kurtosis is that of 1..20, -1.206. With x for
    // what the trials to come would need, N is what they and the 20 need together.
    const double chance = 1.959964 * std::sqrt(2.0 / 468 + (-1.206 + 4 * cv * cv) / 469);
    auto end = [&](double p, double sign) {
        const double quantile = std::log(freedom / CcevalChiSquareQuantile(p, freedom));
        const double x = 487.8 * std::exp(sign * std::hypot(quantile, chance));
        double n = x;
        for (int i = 0; i < 100; ++i)
        {
            n = x + 20 / n * (487.8 - x);
        }
        return n;
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(forecast.low), end(0.975, -1), 2, "low end");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(forecast.high), end(0.025, 1), 2, "high end");
    // the more trials there are, the narrower is the band
    const auto later = CcevalForecast::Make(published, MomentsOf(Count(300)), {}, 0.95);
    NS_TEST_EXPECT_MSG_GT(later.low * forecast.high, later.high * forecast.low, "narrower");

    // values without variance need what the rule asks of any values
    const CcevalStoppingRule guarded(CcevalStoppingRule::Kind::GUARDED, 0.05, 0.95);
    const auto none = CcevalForecast::Make(guarded, MomentsOf({2, 2, 2, 2, 2}), {}, 0.95);
    NS_TEST_EXPECT_MSG_EQ((none.trials == 100 && none.low == 100 && none.high == 100),
                          true,
                          "no variance");
    const CcevalStoppingRule narrow(CcevalStoppingRule::Kind::GUARDED, 0.01, 0.95);
    NS_TEST_EXPECT_MSG_EQ(CcevalForecast::Make(narrow, MomentsOf({2, 2, 2, 2, 2}), {}, 0.95).trials,
                          215,
                          "t / eps = 197, and the analysis after that");
}

DcnTestSuite<MomentsTestCase, IntervalTestCase, RuleTestCase, DiagnosisTestCase, ForecastTestCase>
    g_ccevalStatisticsTestSuite("cceval-statistics"); //!< the suite

} // namespace
