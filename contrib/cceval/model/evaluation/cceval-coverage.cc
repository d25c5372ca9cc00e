/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-coverage.h"

#include "ns3/cceval-forecast.h"
#include "ns3/cceval-plan.h"

#include "ns3/assert.h"
#include "ns3/dcn-statistics.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace ns3
{

namespace
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
double
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
void
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
     * @param later told at the first look
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
    double m_inLaterBand{0};             //!< stops in the band of the first look
};

} // namespace

CcevalCoverage
CcevalMeasureCoverage(const CcevalStoppingRule& rule,
                      const CcevalSource& source,
                      double truth,
                      uint64_t evaluations,
                      uint64_t pilot)
{
    NS_ASSERT_MSG(evaluations >= 1 && pilot >= CcevalForecast::MIN_TRIALS, "too few");
    CcevalCoverage result;
    result.evaluations = evaluations;
    Forecasts forecasts;
    const auto share = 1.0 / static_cast<double>(evaluations);
    for (uint64_t i = 0; i < evaluations; ++i)
    {
        Sample sample;
        // what was known on the way, at steps of 2 %, from which that of a third is taken
        std::vector<Sample> known;
        Sample first; // what was known at the first look
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
        Count(rule.GetInterval(sample.values), truth, share, result);
        result.diagnosed += CcevalDiagnosis::Make(sample.values).assured ? 0 : share;
        auto forecast = [&](const Sample& at) {
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
    forecasts.Fill(result);
    return result;
}

CcevalCoverage
CcevalMeasurePooledCoverage(const CcevalStoppingRule& rule,
                            double p,
                            const CcevalCycleSource& source,
                            double truth,
                            uint64_t evaluations,
                            uint64_t pilot)
{
    NS_ASSERT_MSG(evaluations >= 1 && pilot >= CcevalForecast::MIN_TRIALS, "too few");
    CcevalCoverage result;
    result.evaluations = evaluations;
    Forecasts forecasts;
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
            const auto look = CcevalLook::Make(CcevalPooledQuantile(p, cycles), n, rule.GetLevel());
            plan.Add(look);
            told.emplace_back(n, plan.GetForecast());
            if (plan.IsDone())
            {
                Count(look.interval, truth, share, result);
                effective.push_back(look.effective);
                break;
            }
            n = CcevalPlan::GetNextLook(rule, n);
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
    result.medianEffective = Median(effective);
    return result;
}

CcevalSource
CcevalNormalSource(double mean, double deviation, uint64_t seed)
{
    auto normal = CreateObject<NormalRandomVariable>();
    DcnRandom(seed).Assign(normal, DcnPurpose::TRIAL_VALUES);
    return [=]() { return mean + deviation * normal->GetValue(); };
}

CcevalSource
CcevalLogNormalSource(double sigma, uint64_t seed)
{
    auto normal = CreateObject<NormalRandomVariable>();
    DcnRandom(seed).Assign(normal, DcnPurpose::TRIAL_VALUES);
    return [=]() { return std::exp(sigma * normal->GetValue()); };
}

CcevalQueueSource::CcevalQueueSource(double load,
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

std::vector<double>
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

CcevalCycle
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

double
CcevalQueueSource::DrawRanked(uint32_t rank)
{
    std::vector<double> sojourns = Draw();
    const auto place = sojourns.begin() + (rank - 1);
    std::nth_element(sojourns.begin(), place, sojourns.end());
    return *place;
}

} // namespace ns3
