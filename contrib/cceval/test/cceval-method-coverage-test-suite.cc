/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/statistics/cceval-control-variate.h"
#include "../model/trials/cceval-importance.h"
#include "cceval-test-coverage.h"
#include "cceval-test-queues.h"
#include "cceval-test-tools.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/cceval-forecast.h"
#include "ns3/random-variable-stream.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Trials of a queue in equilibrium, drawn once: the population of evaluations.
class QueueBank
{
  public:
    /**
     * @param load of the queue
     * @param customers of a trial
     * @param odds values are left out below the quantile at so many times the odds of the p99,
     * exponential as they are; forecasts ask for thresholds at 4 times the odds, of few trials
     * @param seed of the draws
     */
    QueueBank(double load, uint32_t customers, double odds, uint64_t seed)
        : m_queue(load, customers, true, seed),
          m_least(std::log(100.0 / odds) / (1 - load)),
          m_bank(
              TRIALS,
              [this]() { return m_queue.DrawCycle(m_least); },
              seed)
    {
    }

    /// @return one more trial
    const CcevalCycle& Draw()
    {
        return m_bank.Draw();
    }

    /// @return the 99th percentile of the flows of all trials
    double GetP99() const
    {
        std::vector<std::pair<double, double>> values;
        double flows = 0;
        for (const CcevalCycle& cycle : m_bank.Get())
        {
            values.insert(values.end(), cycle.values.begin(), cycle.values.end());
            flows += cycle.flows;
        }
        return CcevalTopDownQuantile(std::move(values), 0.01 * flows);
    }

  private:
    static constexpr std::size_t TRIALS = 20000; //!< of the population

    CcevalQueueSource m_queue;      //!< of which the trials are
    double m_least;                 //!< values that are not larger are left out
    CcevalBank<CcevalCycle> m_bank; //!< the trials
};

/// The regression estimator, where everything is known.
DCN_TEST_CASE_OF(ControlVariateTestCase, uint64_t, evaluations, "control variates")
{
    // y = 3 + 2 x1 - x2 exactly: no error is left, and E[y] = 3 + 2 * 1.5 - 0.5
    std::vector<double> y;
    std::vector<std::vector<double>> x;
    for (int i = 0; i < 10; ++i)
    {
        const double a = i % 4;
        const double b = i * i % 7;
        x.push_back({a, b, 5, a + b}); // a constant and a combination are left out
        y.push_back(3 + 2 * a - b);
    }
    CcevalControlMeans means;
    means.traces = 1'000'000'000;
    means.means = {1.5, 0.5, 5, 2};
    means.covariance.assign(4, std::vector<double>(4, 0.0));
    const auto exact = CcevalControlled::Make(y, x, means, 0.95);
    NS_TEST_EXPECT_MSG_EQ(exact.controls, 2, "independent controls");
    NS_TEST_EXPECT_MSG_EQ_TOL(exact.interval.estimate, 5.5, 1e-9, "estimate");
    NS_TEST_EXPECT_MSG_LT(exact.interval.GetHalfWidth(), 1e-6, "no error");
    // the error of the means alone: b' C b / M
    means.traces = 4;
    means.covariance[0][0] = 9;
    const auto loose = CcevalControlled::Make(y, x, means, 0.95);
    NS_TEST_EXPECT_MSG_EQ_TOL(loose.error, 2 * 3 / 2.0, 1e-6, "sqrt(b^2 C / M)");
    NS_TEST_EXPECT_MSG_EQ_TOL(loose.controlShare, 1, 1e-6, "share of it");
    DCN_TEST_EXPECT_ERROR(CcevalControlled::Make({1, 2, 4, 7},
                                                 {{1, 5}, {2, 1}, {3, 2}, {5, 9}},
                                                 {2, {0, 0}, {{1, 0}, {0, 1}}},
                                                 0.95),
                          "control variates need more trials: there are 4 for 2 controls");

    // coverage and gain: y = u + e with var(u) = 9 var(e), mean of u from 2000 traces
    auto normal = CreateObject<NormalRandomVariable>();
    DcnRandom(3).Assign(normal, DcnPurpose::TRIAL_VALUES);
    double covered = 0;
    double gain = 0;
    const double share = 1.0 / static_cast<double>(evaluations);
    for (uint64_t k = 0; k < evaluations; ++k)
    {
        std::vector<std::vector<double>> traces;
        for (int i = 0; i < 400; ++i)
        {
            traces.push_back({3 * normal->GetValue(), normal->GetValue()});
        }
        std::vector<double> values;
        std::vector<std::vector<double>> controls;
        CcevalMoments moments;
        for (int i = 0; i < 60; ++i)
        {
            controls.push_back({3 * normal->GetValue(), normal->GetValue()});
            values.push_back(10 + controls.back()[0] + normal->GetValue());
            moments.Add(values.back());
        }
        const auto made =
            CcevalControlled::Make(values, controls, CcevalControlMeans::Make(traces), 0.95);
        covered += made.interval.Contains(10) ? share : 0;
        gain += share * moments.GetVariance() / 60 / (made.error * made.error);
    }
    NS_TEST_EXPECT_MSG_EQ(CcevalBinomialBounds(evaluations, 0.95).Contains(covered),
                          true,
                          "covers " << covered);
    // (10 / 60) / (1 / 60 * (1 + 2 / 57) + 9 / 400)
    NS_TEST_EXPECT_MSG_EQ_TOL(gain, 10.0 / 60 / (1.035 / 60 + 9.0 / 400), 0.4, "gain");
}

/// Skewed residuals, as of tails: the interval follows them.
DCN_TEST_CASE_OF(SkewedResidualsTestCase,
                 uint64_t,
                 evaluations,
                 "control variates with skewed residuals")
{
    // y = 10 + u + e - 1 with u normal and known to any accuracy, e exponential
    auto normal = CreateObject<NormalRandomVariable>();
    auto exponential = CreateObject<ExponentialRandomVariable>();
    DcnRandom(4).Assign(normal, DcnPurpose::TRIAL_VALUES);
    DcnRandom(5).Assign(exponential, DcnPurpose::TRIAL_VALUES);
    const CcevalControlMeans means{1'000'000'000, {0}, {{9}}};
    double covered = 0;
    double tooLow = 0;
    double symmetric = 0;
    double symmetricTooLow = 0;
    for (uint64_t k = 0; k < evaluations; ++k)
    {
        std::vector<double> values;
        std::vector<std::vector<double>> controls;
        for (int i = 0; i < 60; ++i)
        {
            controls.push_back({3 * normal->GetValue()});
            values.push_back(9 + controls.back()[0] + exponential->GetValue());
        }
        const auto made = CcevalControlled::Make(values, controls, means, 0.95);
        covered += made.interval.Contains(10) ? 1 : 0;
        tooLow += made.interval.high < 10 ? 1 : 0;
        const double half = CcevalStudentQuantile(0.975, made.freedom) * made.error;
        symmetric += std::abs(made.interval.estimate - 10) <= half ? 1 : 0;
        symmetricTooLow += made.interval.estimate + half < 10 ? 1 : 0;
        if (k == 0)
        {
            NS_TEST_EXPECT_MSG_GT(made.interval.high - made.interval.estimate,
                                  made.interval.estimate - made.interval.low,
                                  "longer on the side of the tail");
        }
    }
    const auto n = static_cast<double>(evaluations);
    std::printf("skewed residuals: %.1f %% of %.0f intervals cover, %.1f %% are too low; %.1f "
                "and %.1f %% if symmetric\n",
                100 * covered / n,
                n,
                100 * tooLow / n,
                100 * symmetric / n,
                100 * symmetricTooLow / n);
    NS_TEST_EXPECT_MSG_EQ(CcevalBinomialBounds(evaluations, 0.95).Contains(covered / n),
                          true,
                          "covers " << covered / n);
    const CcevalBinomialBounds side(evaluations, 0.025);
    NS_TEST_EXPECT_MSG_EQ(side.Contains(tooLow / n), true, "too low " << tooLow / n);
    NS_TEST_EXPECT_MSG_GT(symmetricTooLow / n, side.high, "a symmetric interval does as well");
}

/// Coverage of the interval by inversion, and of the published one of batches on the same trials.
DCN_TEST_CASE_OF(InversionCoverageTestCase, uint64_t, evaluations, "coverage of pooled quantiles")
{
    // Value and ends are the first at which the mean of Y(g), or an end of it, is not above 0.
    const auto checkEnds = [&](const CcevalPooledQuantile& pooled, const CcevalInterval& interval) {
        const double below = 1 - 1e-12; // Y(g) is constant between two values of the sample
        for (const auto& [end, part] :
             {std::make_pair(interval.low, &CcevalInterval::low),
              std::make_pair(interval.estimate, &CcevalInterval::estimate),
              std::make_pair(interval.high, &CcevalInterval::high)})
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(pooled.GetExcess(end, 0.95).*part, 1e-9, "too small");
            NS_TEST_EXPECT_MSG_GT(pooled.GetExcess(below * end, 0.95).*part, 1e-9, "too large");
        }
    };
    constexpr std::size_t TRIALS = 400;
    constexpr uint64_t BATCH = 40;
    QueueBank bank(0.5, 45, 4, 5);
    const double truth = bank.GetP99();
    double covered = 0;
    double tooHigh = 0;
    double tooLow = 0;
    double itsTooLow = 0;
    for (uint64_t i = 0; i < evaluations; ++i)
    {
        std::vector<CcevalCycle> cycles;
        for (std::size_t k = 0; k < TRIALS; ++k)
        {
            cycles.push_back(bank.Draw());
        }
        const CcevalPooledQuantile pooled(0.99, std::move(cycles));
        const auto interval = pooled.GetInterval(0.95);
        covered += interval.Contains(truth) ? 1 : 0;
        tooHigh += interval.low > truth ? 1 : 0;
        tooLow += interval.high < truth ? 1 : 0;
        itsTooLow += pooled.GetBatchInterval(BATCH, 0.95, true).high < truth ? 1 : 0;
        if (i < 20)
        {
            checkEnds(pooled, interval);
        }
    }
    const auto n = static_cast<double>(evaluations);
    std::printf("pooled quantiles: %.2f %% of %.0f intervals cover, %.2f %% are too high and "
                "%.2f %% too low; published ones: %.2f %% too low\n",
                100 * covered / n,
                n,
                100 * tooHigh / n,
                100 * tooLow / n,
                100 * itsTooLow / n);
    const CcevalBinomialBounds side(evaluations, 0.025);
    NS_TEST_EXPECT_MSG_EQ(CcevalBinomialBounds(evaluations, 0.95).Contains(covered / n),
                          true,
                          "covers " << covered / n);
    NS_TEST_EXPECT_MSG_EQ(side.Contains(tooHigh / n), true, "too high " << tooHigh / n);
    NS_TEST_EXPECT_MSG_EQ(side.Contains(tooLow / n), true, "too low " << tooLow / n);
    NS_TEST_EXPECT_MSG_GT(itsTooLow / n, side.high, "published intervals do as well");
}

/// Trials until a pooled quantile is known: are they in the bands that were told on the way, and
/// are they what was forecast at a third of them?
class PooledForecastTestCase : public TestCase
{
  public:
    /**
     * @param load of the queue
     * @param customers of a trial of the queue
     * @param margin relative half-width asked for
     * @param evaluations how often
     * @param low least share of stops in the band
     * @param high largest share of stops in the band
     * @param refined largest median error of the number forecast at a third
     */
    PooledForecastTestCase(double load,
                           uint32_t customers,
                           double margin,
                           uint64_t evaluations,
                           double low,
                           double high,
                           double refined)
        : TestCase("forecast of the trials of pooled quantiles, " + std::to_string(customers) +
                   " flows, load " + std::to_string(load)),
          m_load(load),
          m_customers(customers),
          m_margin(margin),
          m_evaluations(evaluations),
          m_low(low),
          m_high(high),
          m_refined(refined)
    {
    }

  private:
    void DoRun() override
    {
        const CcevalStoppingRule rule(CcevalStoppingRule::Kind::GUARDED, m_margin, 0.95);
        QueueBank bank(m_load, m_customers, 16, 6);
        const double truth = bank.GetP99();
        const auto measured = CcevalMeasurePooledCoverage(
            rule,
            0.99,
            [&bank]() { return bank.Draw(); },
            truth,
            m_evaluations);
        std::printf("pooled quantiles of %u flows, load %g, margin %g: %.0f trials; %.1f %% of "
                    "%.0f intervals cover; in the bands told at 20 and 100: %.1f and %.1f %%; told "
                    "at a third: %.1f %% off\n",
                    m_customers,
                    m_load,
                    m_margin,
                    measured.meanTrials,
                    100 * measured.covered,
                    static_cast<double>(m_evaluations),
                    100 * measured.inBand,
                    100 * measured.inLaterBand,
                    100 * measured.medianRefinedError);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(measured.covered,
                                    0.95 - CcevalBinomialMargin(0.95, m_evaluations, 3.5),
                                    "coverage of intervals where the trials stop by the rule");
        for (const auto& [told, share] :
             {std::make_pair(20, measured.inBand), std::make_pair(100, measured.inLaterBand)})
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(share, m_low, "told at " << told << " trials: narrow");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(share, m_high, "told at " << told << " trials: wide");
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(measured.medianRefinedError, m_refined, "forecast at a third");
    }

    double m_load;          //!< of the queue
    uint32_t m_customers;   //!< of a trial
    double m_margin;        //!< asked for
    uint64_t m_evaluations; //!< how often
    double m_low;           //!< least share
    double m_high;          //!< largest share
    double m_refined;       //!< largest error
};

/**
 * Is the stop foretold, where nothing is planned and the first narrow interval ends the trials? The
 * band of the first analysis holds it. The number forecast at a third of the trials does not, nor
 * would the median of all stops: that is why a number is planned and kept (CcevalPlan).
 */
class NarrowStopForecastTestCase : public TestCase
{
  public:
    /**
     * @param customers of a trial of the queue
     * @param margin relative half-width asked for
     * @param evaluations how often
     * @param low least share of stops in the band
     * @param high largest share of stops in the band
     */
    NarrowStopForecastTestCase(uint32_t customers,
                               double margin,
                               uint64_t evaluations,
                               double low,
                               double high)
        : TestCase("forecast of the first narrow interval of a pooled quantile, " +
                   std::to_string(customers) + " flows"),
          m_customers(customers),
          m_margin(margin),
          m_evaluations(evaluations),
          m_low(low),
          m_high(high)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t FIRST_LOOK = 100;
        const CcevalStoppingRule rule(CcevalStoppingRule::Kind::PUBLISHED, m_margin, 0.95);
        QueueBank bank(0.5, m_customers, 16, 13);
        const auto measured = CcevalMeasurePooledCoverage(
            rule,
            0.99,
            [&bank]() { return bank.Draw(); },
            bank.GetP99(),
            m_evaluations,
            FIRST_LOOK);
        std::printf(
            "first narrow interval of %u flows: %.0f trials; %.1f %% of %.0f stops in the "
            "band forecast at 100; forecast at a third: %.1f %% off, the median stop %.1f %%\n",
            m_customers,
            measured.meanTrials,
            100 * measured.inBand,
            static_cast<double>(m_evaluations),
            100 * measured.medianRefinedError,
            100 * measured.medianKnownError);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(measured.inBand, m_low, "the band is too narrow");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(measured.inBand, m_high, "the band is too wide");
        NS_TEST_EXPECT_MSG_GT(measured.medianRefinedError, 0.1, "a plan is not needed");
        NS_TEST_EXPECT_MSG_GT(measured.medianKnownError, 0.1, "a plan is not needed");
    }

    uint32_t m_customers;   //!< of a trial
    double m_margin;        //!< asked for
    uint64_t m_evaluations; //!< how often
    double m_low;           //!< least share
    double m_high;          //!< largest share
};

/// A queue of the trials and one of their pre-estimate, 10 % slower and not always right.
CcevalCycle
PreEstimate(const CcevalTiltedTrial& trial)
{
    CcevalCycle cycle = CcevalWeigh(trial);
    for (std::size_t i = 0; i < cycle.values.size(); ++i)
    {
        const double wrong = 1.1 + 0.1 * std::sin(static_cast<double>(i) + cycle.values[i].first);
        cycle.values[i].first *= wrong;
    }
    return cycle;
}

/// Coverage of the intervals of importance sampling and of pooled control variates.
DCN_TEST_CASE_OF(MethodCoverageTestCase,
                 uint64_t,
                 evaluations,
                 "coverage of importance sampling and control variates")
{
    const CcevalTraffic traffic = CcevalToyTraffic(45, 0.3, "web-search");
    const double truth =
        CcevalPooledQuantile(
            0.99,
            CcevalCyclesOf(CcevalDrawTrials(traffic, CcevalStage::TUNING, 0, 200000, {}, true)))
            .GetInterval(0.95)
            .estimate;
    double tilted = 0;
    double controlled = 0;
    const double share = 1.0 / static_cast<double>(evaluations);
    const CcevalProposal proposal{0.06, 2.2, 0.5};
    constexpr uint64_t TRIALS = 200;
    constexpr uint64_t TRACES = 600;
    for (uint64_t i = 0; i < evaluations; ++i)
    {
        tilted += CcevalPooledQuantile(0.99,
                                       CcevalCyclesOf(CcevalDrawTrials(traffic,
                                                                       CcevalStage::TILTED,
                                                                       i * TRIALS,
                                                                       TRIALS,
                                                                       proposal,
                                                                       true)))
                          .GetInterval(0.95)
                          .Contains(truth)
                      ? share
                      : 0;
        const auto trials =
            CcevalDrawTrials(traffic, CcevalStage::TRIALS, i * TRIALS, TRIALS, {}, true);
        std::vector<CcevalCycle> preEstimates;
        std::vector<CcevalCycle> traces;
        for (const auto& trial : trials)
        {
            preEstimates.push_back(PreEstimate(trial));
        }
        for (const auto& trial :
             CcevalDrawTrials(traffic, CcevalStage::CONTROLS, i * TRACES, TRACES, {}, true))
        {
            traces.push_back(PreEstimate(trial));
        }
        CcevalPooledQuantile pooled(0.99, CcevalCyclesOf(trials));
        pooled.AddPreEstimate(preEstimates, traces, 0);
        controlled += pooled.GetInterval(0.95).Contains(truth) ? share : 0;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(tilted, 0.95, 0.015, "importance sampling");
    NS_TEST_EXPECT_MSG_EQ_TOL(controlled, 0.95, 0.015, "control variates");
}

/// The suite.
class CcevalMethodCoverageTestSuite : public TestSuite
{
  public:
    CcevalMethodCoverageTestSuite()
        : TestSuite("cceval-method-coverage", Type::UNIT)
    {
        AddTestCase(new InversionCoverageTestCase(4000));
        AddTestCase(new ControlVariateTestCase(4000));
        AddTestCase(new SkewedResidualsTestCase(4000));
        const CcevalBinomialBounds stops(600, 0.95);
        AddTestCase(new PooledForecastTestCase(0.5, 200, 0.1, 600, stops.low, stops.high, 0.1));
        const CcevalBinomialBounds narrow(300, 0.95);
        AddTestCase(new NarrowStopForecastTestCase(45, 0.07, 300, narrow.low, narrow.high));
        const auto extensive = DCN_TEST_EXTENSIVE(CcevalMethodCoverageTestSuite);
        AddTestCase(new MethodCoverageTestCase(1000), extensive);
        AddTestCase(new PooledForecastTestCase(0.5, 45, 0.07, 200, 0.9, 0.98, 0.1), extensive);
        AddTestCase(new PooledForecastTestCase(0.5, 200, 0.05, 200, 0.9, 0.98, 0.1), extensive);
        AddTestCase(new PooledForecastTestCase(0.8, 200, 0.1, 200, 0.9, 0.98, 0.1), extensive);
        AddTestCase(new NarrowStopForecastTestCase(200, 0.05, 400, 0.9, 0.98), extensive);
    }
};

CcevalMethodCoverageTestSuite g_ccevalMethodCoverageTestSuite; //!< the suite

} // namespace
