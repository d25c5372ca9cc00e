/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TEST_COVERAGE_H
#define CCEVAL_TEST_COVERAGE_H

#include "../model/statistics/cceval-moments.h"
#include "../model/statistics/cceval-plan.h"
#include "../model/statistics/cceval-pooled-quantile.h"
#include "../model/statistics/cceval-stopping-rule.h"

#include "ns3/assert.h"
#include "ns3/cceval-forecast.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-statistics.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup cceval-tests
/// @brief Gives the result of one more independent trial.
using CcevalSource = std::function<double()>;

/// @ingroup cceval-tests
/// @brief Gives what the flows of one more independent trial took.
using CcevalCycleSource = std::function<CcevalCycle()>;

/**
 * @ingroup cceval-tests
 * @brief What came of many evaluations of the same thing, each of which stopped by itself.
 */
struct CcevalCoverage
{
    uint64_t evaluations{0};      //!< number of evaluations
    double covered{0};            //!< share whose interval contains the true value
    double tooHigh{0};            //!< share whose interval is above it as a whole
    double tooLow{0};             //!< share whose interval is below it as a whole
    double diagnosed{0};          //!< share in whose sample a tail shows (CcevalDiagnosis)
    double coveredWithTail{0};    //!< share of these that covers; NaN: there are none
    double coveredWithout{0};     //!< share of the others that covers; NaN: there are none
    double meanTrials{0};         //!< mean number of trials
    double inBand{0};             //!< share whose number of trials is in the band of the pilot
    double medianPilotError{0};   //!< median of |forecast by the pilot / trials - 1|
    double medianRefinedError{0}; //!< the same told from a third of the trials
    double inLaterBand{0};        //!< share in the band told at the first analysis of the rule
    double medianKnownError{0};   //!< median of |median of all these stops / trials - 1|
    double medianEffective{0};    //!< effective sample size of the tail at the stop; 0 of means
};

namespace cceval_test
{

/// Values so far, and their logarithms while all are positive.
struct Sample
{
    CcevalMoments values;     //!< of the values
    CcevalMoments logarithms; //!< of their logarithms; stops growing at the first that is not > 0

    /**
     * @param value one more value
     */
    void Add(double value)
    {
        if (value > 0 && logarithms.GetN() == values.GetN())
        {
            logarithms.Add(std::log(value));
        }
        values.Add(value);
    }
};

/**
 * @param values at least one
 * @return their median
 */
inline double
Median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return DcnQuantile(values, 0.5);
}

/**
 * @param interval of an evaluation
 * @param truth the true value
 * @param share that an evaluation counts for
 * @param coverage what it is counted in
 */
inline void
Count(const CcevalInterval& interval, double truth, double share, CcevalCoverage& coverage)
{
    coverage.covered += interval.Contains(truth) ? share : 0;
    coverage.tooHigh += interval.low > truth ? share : 0;
    coverage.tooLow += interval.high < truth ? share : 0;
}

/// What repeated evaluations tell of the forecasts of their stops.
class Forecasts
{
  public:
    /**
     * @param trials at the stop
     * @param pilot told by the pilot
     * @param later told at the first analysis
     * @param refined told at a third of the trials
     */
    void Add(uint64_t trials,
             const CcevalForecast& pilot,
             const CcevalForecast& later,
             const CcevalForecast& refined)
    {
        const auto n = static_cast<double>(trials);
        auto error = [n](const CcevalForecast& told) {
            return std::abs(static_cast<double>(told.trials) / n - 1);
        };
        m_stops.push_back(n);
        m_pilotErrors.push_back(error(pilot));
        m_refinedErrors.push_back(error(refined));
        m_inBand += trials >= pilot.low && trials <= pilot.high ? 1 : 0;
        m_inLaterBand += trials >= later.low && trials <= later.high ? 1 : 0;
    }

    /**
     * @param coverage set to what is known of the forecasts
     */
    void Fill(CcevalCoverage& coverage) const
    {
        const auto n = static_cast<double>(m_stops.size());
        const double middle = Median(m_stops);
        std::vector<double> errors;
        for (const double stop : m_stops)
        {
            coverage.meanTrials += stop / n;
            errors.push_back(std::abs(middle / stop - 1));
        }
        coverage.inBand = m_inBand / n;
        coverage.inLaterBand = m_inLaterBand / n;
        coverage.medianPilotError = Median(m_pilotErrors);
        coverage.medianRefinedError = Median(m_refinedErrors);
        coverage.medianKnownError = Median(errors);
    }

  private:
    std::vector<double> m_stops;         //!< trials
    std::vector<double> m_pilotErrors;   //!< of the pilot's numbers
    std::vector<double> m_refinedErrors; //!< of those told at a third
    double m_inBand{0};                  //!< stops in the pilot's band
    double m_inLaterBand{0};             //!< stops in the band of the first analysis
};

} // namespace cceval_test

/**
 * @ingroup cceval-tests
 * @brief Measure how often the intervals of a stopping rule cover, on data of known mean.
 * @param rule the rule
 * @param source the data
 * @param truth their mean
 * @param evaluations number of evaluations, at least 1
 * @param pilot trials after which the band is told, at least CcevalForecast::MIN_TRIALS
 * @return what was measured
 */
inline CcevalCoverage
CcevalMeasureCoverage(const CcevalStoppingRule& rule,
                      const CcevalSource& source,
                      double truth,
                      uint64_t evaluations,
                      uint64_t pilot = 20)
{
    NS_ASSERT_MSG(evaluations >= 1 && pilot >= CcevalForecast::MIN_TRIALS, "too few");
    CcevalCoverage result;
    result.evaluations = evaluations;
    cceval_test::Forecasts forecasts;
    const auto share = 1.0 / static_cast<double>(evaluations);
    for (uint64_t i = 0; i < evaluations; ++i)
    {
        cceval_test::Sample sample;
        // what was known on the way, at steps of 2 %, from which that of a third is taken
        std::vector<cceval_test::Sample> known;
        cceval_test::Sample first; // what was known at the first analysis
        uint64_t nextForecast = pilot;
        uint64_t nextCheck = rule.GetFirstCheck();
        while (true)
        {
            sample.Add(source());
            const uint64_t n = sample.values.GetN();
            if (n == nextForecast)
            {
                known.push_back(sample);
                nextForecast = std::max(n + 1, n + n / 50);
            }
            if (n < nextCheck)
            {
                continue;
            }
            if (n >= pilot && first.values.GetN() == 0)
            {
                first = sample;
            }
            if (n >= pilot && rule.IsMet(sample.values))
            {
                break;
            }
            nextCheck = rule.GetNextCheck(n + 1);
        }
        const uint64_t trials = sample.values.GetN();
        const CcevalInterval interval = rule.GetInterval(sample.values);
        cceval_test::Count(interval, truth, share, result);
        const bool hasTail = CcevalDiagnosis::Make(sample.values).hasTail;
        result.diagnosed += hasTail ? share : 0;
        (hasTail ? result.coveredWithTail : result.coveredWithout) +=
            interval.Contains(truth) ? share : 0;
        auto forecast = [&](const cceval_test::Sample& at) {
            return CcevalForecast::Make(rule, at.values, at.logarithms, rule.GetLevel());
        };
        // the latest that a third of the trials could tell; the pilot if that is more
        std::size_t third = 0;
        while (third + 1 < known.size() && known[third + 1].values.GetN() <= trials / 3)
        {
            ++third;
        }
        forecasts.Add(trials, forecast(known.front()), forecast(first), forecast(known[third]));
    }
    result.coveredWithTail /= result.diagnosed;
    result.coveredWithout /= 1 - result.diagnosed;
    forecasts.Fill(result);
    return result;
}

/**
 * @ingroup cceval-tests
 * @brief The same for a pooled quantile, on data whose quantile is known.
 *
 * An evaluation tells the number of trials and stops as CcevalPlan says, which is what
 * CcevalEvaluation does. That of the pilot is told after pilot trials, the refined one is the last
 * that is told with a third of the trials at the stop or fewer (the pilot's if there is none).
 *
 * @param rule when to analysis, margin and level
 * @param p probability in (0, 1)
 * @param source the data; values may be left out far below those whose odds are 4 times those of
 * the quantile, which is the lowest that forecasts ask for
 * @param truth the quantile
 * @param evaluations number of evaluations, at least 1
 * @param pilot trials after which the band is told, at least CcevalForecast::MIN_TRIALS
 * @return what was measured
 */
inline CcevalCoverage
CcevalMeasurePooledCoverage(const CcevalStoppingRule& rule,
                            double p,
                            const CcevalCycleSource& source,
                            double truth,
                            uint64_t evaluations,
                            uint64_t pilot = 20)
{
    NS_ASSERT_MSG(evaluations >= 1 && pilot >= CcevalForecast::MIN_TRIALS, "too few");
    CcevalCoverage result;
    result.evaluations = evaluations;
    cceval_test::Forecasts forecasts;
    std::vector<double> effective;
    const auto share = 1.0 / static_cast<double>(evaluations);
    for (uint64_t i = 0; i < evaluations; ++i)
    {
        std::vector<CcevalCycle> cycles;
        std::vector<std::pair<uint64_t, CcevalForecast>> told;
        CcevalPlan plan(rule);
        uint64_t n = pilot;
        while (true)
        {
            while (cycles.size() < n)
            {
                cycles.push_back(source());
            }
            const auto analysis =
                CcevalAnalysis::Make(CcevalPooledQuantile(p, cycles), n, rule.GetLevel());
            plan.Add(analysis);
            told.emplace_back(n, plan.GetForecast());
            if (plan.IsDone())
            {
                cceval_test::Count(analysis.interval, truth, share, result);
                effective.push_back(analysis.effective);
                break;
            }
            n = CcevalPlan::GetNextAnalysis(rule, n);
        }
        // the latest that was told when a third of the trials were there; the pilot's if none was
        std::size_t third = 0;
        while (third + 1 < told.size() && told[third + 1].first <= n / 3)
        {
            ++third;
        }
        const auto first = std::find_if(told.begin(), told.end(), [&rule](const auto& each) {
            return each.first >= rule.GetFirstCheck();
        });
        forecasts.Add(n, told.front().second, first->second, told[third].second);
    }
    forecasts.Fill(result);
    result.medianEffective = cceval_test::Median(effective);
    return result;
}

/**
 * @ingroup cceval-tests
 * @param mean of the values
 * @param deviation of the values
 * @param seed of the values
 * @return a source of normal values
 */
inline CcevalSource
CcevalNormalSource(double mean, double deviation, uint64_t seed)
{
    auto normal = CreateObject<NormalRandomVariable>();
    DcnRandom(seed).Assign(normal, DcnPurpose::TRIAL_VALUES);
    return [=]() { return mean + deviation * normal->GetValue(); };
}

/**
 * @ingroup cceval-tests
 * @param sigma shape; mu is 0, so that the mean is exp(sigma^2 / 2)
 * @param seed of the values
 * @return a source of log-normal values
 */
inline CcevalSource
CcevalLogNormalSource(double sigma, uint64_t seed)
{
    auto normal = CreateObject<NormalRandomVariable>();
    DcnRandom(seed).Assign(normal, DcnPurpose::TRIAL_VALUES);
    return [=]() { return std::exp(sigma * normal->GetValue()); };
}

/**
 * @ingroup cceval-tests
 * @param seed of the values
 * @return a source of exponential values of mean 1
 */
inline CcevalSource
CcevalExponentialSource(uint64_t seed)
{
    auto value = CreateObject<ExponentialRandomVariable>();
    DcnRandom(seed).Assign(value, DcnPurpose::TRIAL_VALUES);
    return [=]() { return value->GetValue(); };
}

/**
 * @ingroup cceval-tests
 * @param seed of the values
 * @return a source of values of which 2 % are 20 times as large as the others, which are from 0.5
 * to 1.5, so that the mean is 0.98 + 0.02 * 20 = 1.38
 */
inline CcevalSource
CcevalMixtureSource(uint64_t seed)
{
    auto value = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(value, DcnPurpose::TRIAL_VALUES);
    return [=]() {
        const double factor = value->GetValue() < 0.02 ? 20 : 1;
        return factor * (0.5 + value->GetValue());
    };
}

/**
 * @ingroup cceval-tests
 * @brief Trials of a queue with Poisson arrivals, exponential service of mean 1 and one server.
 *
 * Waiting times follow Lindley's recursion W_(n+1) = max(0, W_n + S_n - A_n); a sojourn is W + S.
 */
class CcevalQueueSource
{
  public:
    /**
     * @param load arrivals per mean service time, between 0 and 1
     * @param customers per trial, at least 1
     * @param stationary false: the queue is empty at first; true: it is in equilibrium, where a
     * sojourn is exponential with mean 1 / (1 - load)
     * @param seed of the draws
     */
    CcevalQueueSource(double load, uint32_t customers, bool stationary, uint64_t seed);

    /** @return the sojourn times of one more trial, in order of arrival. */
    std::vector<double> Draw();

    /**
     * @param least sojourn times that are not larger are left out
     * @return those of one more trial, as a cycle
     */
    CcevalCycle DrawCycle(double least = 0);

    /**
     * @param rank 1 for the smallest
     * @return the sojourn time of that rank of one more trial
     */
    double DrawRanked(uint32_t rank);

  private:
    double m_load;                                //!< arrivals per mean service time
    uint32_t m_customers;                         //!< per trial
    bool m_stationary;                            //!< see the constructor
    Ptr<ExponentialRandomVariable> m_exponential; //!< mean 1
    Ptr<UniformRandomVariable> m_uniform;         //!< whether the first customer waits
};

inline CcevalQueueSource::CcevalQueueSource(double load,
                                            uint32_t customers,
                                            bool stationary,
                                            uint64_t seed)
    : m_load(load),
      m_customers(customers),
      m_stationary(stationary),
      m_exponential(CreateObjectWithAttributes<ExponentialRandomVariable>("Mean", DoubleValue(1))),
      m_uniform(CreateObject<UniformRandomVariable>())
{
    NS_ASSERT_MSG(load > 0 && load < 1 && customers > 0, "no such queue");
    const DcnRandom random(seed);
    random.Assign(m_exponential, DcnPurpose::TRIAL_VALUES);
    random.Assign(m_uniform, DcnPurpose::TRIAL_VALUES, 1);
}

inline std::vector<double>
CcevalQueueSource::Draw()
{
    std::vector<double> sojourns(m_customers);
    double wait = 0;
    if (m_stationary && m_uniform->GetValue() < m_load)
    {
        wait = m_exponential->GetValue() / (1 - m_load);
    }
    for (double& sojourn : sojourns)
    {
        sojourn = wait + m_exponential->GetValue();
        wait = std::max(0.0, sojourn - m_exponential->GetValue() / m_load);
    }
    return sojourns;
}

inline CcevalCycle
CcevalQueueSource::DrawCycle(double least)
{
    CcevalCycle cycle;
    for (const double sojourn : Draw())
    {
        ++cycle.flows;
        if (sojourn > least)
        {
            cycle.values.emplace_back(sojourn, 1.0);
        }
    }
    return cycle;
}

inline double
CcevalQueueSource::DrawRanked(uint32_t rank)
{
    std::vector<double> sojourns = Draw();
    const auto place = sojourns.begin() + (rank - 1);
    std::nth_element(sojourns.begin(), place, sojourns.end());
    return *place;
}

} // namespace ns3

#endif /* CCEVAL_TEST_COVERAGE_H */
