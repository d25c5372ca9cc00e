/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-coverage.h"

#include "cceval-forecast.h"

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
    std::vector<double> pilotErrors;
    std::vector<double> refinedErrors;
    const auto share = 1.0 / static_cast<double>(evaluations);
    for (uint64_t i = 0; i < evaluations; ++i)
    {
        Sample sample;
        // what was known on the way, at steps of 2 %, from which that of a third is taken
        std::vector<Sample> known;
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
            if (n >= pilot && rule.IsMet(sample.values))
            {
                break;
            }
            nextCheck = rule.GetNextCheck(n + 1);
        }
        const uint64_t trials = sample.values.GetN();
        const auto n = static_cast<double>(trials);
        result.meanTrials += n * share;
        result.covered += rule.GetInterval(sample.values).Contains(truth) ? share : 0;
        result.diagnosed += CcevalDiagnosis::Make(sample.values).assured ? 0 : share;
        auto forecast = [&](const Sample& at) {
            return CcevalForecast::Make(rule, at.values, at.logarithms, rule.GetLevel());
        };
        const CcevalForecast band = forecast(known.front());
        result.inBand += trials >= band.low && trials <= band.high ? share : 0;
        pilotErrors.push_back(std::abs(static_cast<double>(band.trials) / n - 1));
        // the latest that a third of the trials could tell; the pilot if that is more
        std::size_t third = 0;
        while (third + 1 < known.size() && known[third + 1].values.GetN() <= trials / 3)
        {
            ++third;
        }
        const auto refined = static_cast<double>(forecast(known[third]).trials);
        refinedErrors.push_back(std::abs(refined / n - 1));
    }
    result.medianPilotError = Median(pilotErrors);
    result.medianRefinedError = Median(refinedErrors);
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

double
CcevalQueueSource::DrawRanked(uint32_t rank)
{
    std::vector<double> sojourns = Draw();
    const auto place = sojourns.begin() + (rank - 1);
    std::nth_element(sojourns.begin(), place, sojourns.end());
    return *place;
}

} // namespace ns3
