/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-forecast.h"

#include "cceval-stopping-rule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Estimate of ln c^2, the logarithm of the squared coefficient of variation.
struct Knowledge
{
    double logSquare; //!< estimate of ln c^2
    double low;       //!< lower end of its band
    double high;      //!< upper end of its band
    double kurtosis;  //!< excess kurtosis
    double skewness;  //!< skewness
};

/**
 * @param n number of values
 * @param cv coefficient of variation
 * @param skewness of the values
 * @param kurtosis excess kurtosis of the values
 * @return variance of ln (s^2 / m^2)
 */
double
VarianceOfLog(double n, double cv, double skewness, double kurtosis)
{
    // kappa >= gamma^2 - 2 for every distribution, so this is positive except for sampling errors
    const double variance =
        2 / std::max(1.0, n - 1) + (kurtosis - 4 * skewness * cv + 4 * cv * cv) / n;
    return std::max(variance, 0.5 / n);
}

/**
 * @param values moments of the values
 * @param tail probability outside each end of the band
 * @return estimate from the moments alone
 */
Knowledge
FromMoments(const CcevalMoments& values, double tail)
{
    const auto n = static_cast<double>(values.GetN());
    const double square = values.GetVariance() / (values.GetMean() * values.GetMean());
    Knowledge known{};
    known.logSquare = std::log(square);
    known.skewness = values.GetSkewness();
    known.kurtosis = values.GetExcessKurtosis();
    // a sample without outliers underestimates kurtosis: at least that of a normal distribution;
    // with less than one degree of freedom the band would have no end
    const double freedom = std::max(
        1.0,
        2 / VarianceOfLog(n, std::sqrt(square), known.skewness, std::max(0.0, known.kurtosis)));
    known.low = known.logSquare + std::log(freedom / CcevalChiSquareQuantile(1 - tail, freedom));
    known.high = known.logSquare + std::log(freedom / CcevalChiSquareQuantile(tail, freedom));
    return known;
}

/**
 * @param values moments of the values
 * @param logs moments of their logarithms
 * @param tail probability outside each end of the band
 * @return estimate from a log-normal shape and the moments together
 */
Knowledge
FromLogarithms(const CcevalMoments& values, const CcevalMoments& logs, double tail)
{
    const auto n = static_cast<double>(values.GetN());
    const double freedom = n - 1;
    const double shape = std::max(logs.GetVariance(), 1e-300);
    auto logOf = [](double variance) { return std::log(std::expm1(variance)); };
    Knowledge known{};
    const double w = std::exp(std::min(shape, 10.0));
    known.skewness = (w + 2) * std::sqrt(w - 1);
    known.kurtosis = w * w * w * w + 2 * w * w * w + 3 * w * w - 6;

    const double square = values.GetVariance() / (values.GetMean() * values.GetMean());
    const double slope = shape * w / (w - 1); // d ln c^2 / d ln sigma_L^2
    const double logVariance = 2 * slope * slope / freedom;
    const double shapeVariance =
        logVariance + CcevalForecast::SHAPE_ERROR * CcevalForecast::SHAPE_ERROR;
    const double momentVariance =
        VarianceOfLog(n, std::sqrt(w - 1), known.skewness, known.kurtosis);
    const double weight = momentVariance / (momentVariance + shapeVariance);
    const double fromShape = logOf(shape);
    known.logSquare = weight * fromShape + (1 - weight) * std::log(square);
    // the band of the shape, widened if the shape itself is the least certain part
    const double widen = std::sqrt(std::min(shapeVariance, momentVariance) / logVariance);
    const double down =
        logOf(shape * freedom / CcevalChiSquareQuantile(1 - tail, freedom)) - fromShape;
    const double up = logOf(shape * freedom / CcevalChiSquareQuantile(tail, freedom)) - fromShape;
    known.low = known.logSquare + down * widen;
    known.high = known.logSquare + up * widen;
    return known;
}

} // namespace

CcevalForecast
CcevalForecast::Make(const CcevalStoppingRule& rule,
                     const CcevalMoments& values,
                     const CcevalMoments& logarithms,
                     double level)
{
    NS_ASSERT_MSG(values.GetN() >= MIN_TRIALS, "too few trials for a forecast");
    CcevalCheckLevel(level);
    const double mean = std::abs(values.GetMean());
    const double tail = (1 - level) / 2;
    const uint64_t n = values.GetN();
    CcevalForecast forecast;
    if (!(values.GetVariance() > 0) || mean == 0)
    {
        forecast.trials = forecast.low = forecast.high =
            mean == 0 ? UINT64_MAX : std::max(rule.GetNextCheck(n), rule.GetTrials(mean, 0));
        return forecast;
    }
    const bool useLogs = logarithms.GetN() == n &&
                         std::abs(logarithms.GetSkewness()) <= std::abs(values.GetSkewness());
    const Knowledge known =
        useLogs ? FromLogarithms(values, logarithms, tail) : FromMoments(values, tail);

    // deviation at the stop of the rule, given ln c^2 of the trials to come
    auto trialsFor = [&](double logSquare) {
        uint64_t trials = rule.GetTrials(mean, mean * std::exp(logSquare / 2));
        for (int i = 0; i < 20 && trials > n; ++i)
        {
            const double share = static_cast<double>(n) / static_cast<double>(trials);
            const double seen =
                share * values.GetVariance() + (1 - share) * mean * mean * std::exp(logSquare);
            const uint64_t next = rule.GetTrials(mean, std::sqrt(seen));
            if (next == trials)
            {
                break;
            }
            trials = next;
        }
        return std::max(trials, rule.GetNextCheck(n));
    };
    forecast.trials = trialsFor(known.logSquare);

    // sampling error of the trials to come
    const double coming = static_cast<double>(forecast.trials - n);
    const double cv = std::exp(known.logSquare / 2);
    const double sd =
        coming < 1 ? 0.0 : std::sqrt(VarianceOfLog(coming + 1, cv, known.skewness, known.kurtosis));
    const double chance = std::min(1.0, sd) * CcevalNormalQuantile(1 - tail);
    const double down = std::hypot(known.logSquare - known.low, chance);
    const double up = std::hypot(known.high - known.logSquare, chance);
    forecast.low = trialsFor(known.logSquare - down);
    forecast.high = trialsFor(known.logSquare + up);
    return forecast;
}

CcevalForecast
CcevalForecast::MakeBySpread(const CcevalStoppingRule& rule, uint64_t n, const CcevalSpread& spread)
{
    CcevalForecast forecast;
    if (!std::isfinite(spread.perTrial) || !std::isfinite(spread.logVariance))
    {
        return forecast;
    }
    constexpr double LEAST = 1e-6; // smallest variance of a logarithm
    const double aim = rule.GetMargin() / CcevalNormalQuantile((1 + rule.GetLevel()) / 2);
    const double room = aim * aim - spread.fixed;
    auto trials = [&](double factor) {
        const double needed = room > 0 ? spread.perTrial * factor / room : MOST;
        return rule.GetNextCheck(
            std::max(n, static_cast<uint64_t>(std::ceil(std::min(MOST, needed)))));
    };
    const double tail = (1 - rule.GetLevel()) / 2;
    const double freedom = 2 / std::max(LEAST, spread.logVariance);
    forecast.trials = trials(1);
    forecast.low = trials(freedom / CcevalChiSquareQuantile(1 - tail, freedom));
    forecast.high = trials(freedom / CcevalChiSquareQuantile(tail, freedom));
    return forecast;
}

} // namespace ns3
