/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-test-tools.h"

#include "ns3/cceval-coverage.h"
#include "ns3/test.h"

#include <cmath>
#include <functional>
#include <memory>
#include <string>

using namespace ns3;

namespace
{

using Kind = CcevalStoppingRule::Kind;

/// Data of known mean and what is expected of evaluations on it.
struct Data
{
    std::string name;                           //!< for messages
    double margin;                              //!< relative half-width asked for
    std::function<CcevalSource(uint64_t)> make; //!< makes the source from a seed
    std::function<double()> truth;              //!< the mean
};

/**
 * @param load of the queue
 * @param trials how many
 * @return mean of the 198th of 200 sojourn times from an empty queue, by brute force
 */
double
BruteForceQueue(double load, uint64_t trials)
{
    CcevalQueueSource queue(load, 200, false, 999);
    CcevalMoments moments;
    for (uint64_t i = 0; i < trials; ++i)
    {
        moments.Add(queue.DrawRanked(198));
    }
    return moments.GetMean();
}

/**
 * @param load of the queue
 * @param seed of the draws
 * @return a source of the 198th of 200 sojourn times
 */
CcevalSource
QueueSource(double load, uint64_t seed)
{
    auto queue = std::make_shared<CcevalQueueSource>(load, 200, false, seed);
    return [queue]() { return queue->DrawRanked(198); };
}

/// The share of intervals that cover, by the recommended rule at 95 %.
class CoverageTestCase : public TestCase
{
  public:
    /**
     * @param data what to evaluate
     * @param evaluations how often
     * @param low least share that covers
     * @param high largest share that covers
     */
    CoverageTestCase(const Data& data, uint64_t evaluations, double low, double high)
        : TestCase("coverage: " + data.name),
          m_data(data),
          m_evaluations(evaluations),
          m_low(low),
          m_high(high)
    {
    }

  private:
    void DoRun() override
    {
        const CcevalStoppingRule rule(Kind::GUARDED, m_data.margin, 0.95);
        const auto result =
            CcevalMeasureCoverage(rule, m_data.make(7), m_data.truth(), m_evaluations);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(result.covered, m_low, "covers too rarely");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(result.covered, m_high, "covers too often");
    }

    Data m_data;            //!< what to evaluate
    uint64_t m_evaluations; //!< how often
    double m_low;           //!< least share
    double m_high;          //!< largest share
};

/// Log-normal values with sigma = 2: no rule covers, and the diagnosis says so.
class DiagnosisFiresTestCase : public TestCase
{
  public:
    /**
     * @param evaluations how often
     * @param most largest share of intervals that cover, about 91.5 %; 1: too few evaluations to
     * tell
     */
    DiagnosisFiresTestCase(uint64_t evaluations, double most)
        : TestCase("diagnosis fires on log-normal values with sigma 2"),
          m_evaluations(evaluations),
          m_most(most)
    {
    }

  private:
    void DoRun() override
    {
        const CcevalStoppingRule rule(Kind::GUARDED, 0.1, 0.95);
        const auto result =
            CcevalMeasureCoverage(rule, CcevalLogNormalSource(2, 11), std::exp(2.0), m_evaluations);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(result.diagnosed, 0.99, "diagnosis");
        if (m_most < 1)
        {
            NS_TEST_EXPECT_MSG_LT(result.covered, m_most, "covers as if nothing were wrong");
        }
        const auto fine =
            CcevalMeasureCoverage(rule, CcevalNormalSource(1, 0.5, 11), 1, m_evaluations);
        NS_TEST_EXPECT_MSG_EQ(fine.diagnosed, 0, "false alarm");
        // the published rule stops after some 20 trials, where one of them is 4 to 10 % of the sum
        const CcevalStoppingRule early(Kind::PUBLISHED, 0.1, 0.95);
        const auto few =
            CcevalMeasureCoverage(early, CcevalNormalSource(1, 0.25, 11), 1, m_evaluations);
        NS_TEST_EXPECT_MSG_EQ(few.diagnosed, 0, "false alarm of few trials");
    }

    uint64_t m_evaluations; //!< how often
    double m_most;          //!< largest share that covers
};

/// The band told by 20 trials contains the number at the stop, and the refined forecast is close.
class ForecastQualityTestCase : public TestCase
{
  public:
    /**
     * @param data what to evaluate
     * @param evaluations how often
     * @param low least share of stops in the band
     * @param high largest share of stops in the band
     * @param refined largest median error of the forecast from a third of the trials
     */
    ForecastQualityTestCase(const Data& data,
                            uint64_t evaluations,
                            double low,
                            double high,
                            double refined)
        : TestCase("forecast: " + data.name),
          m_data(data),
          m_evaluations(evaluations),
          m_low(low),
          m_high(high),
          m_refined(refined)
    {
    }

  private:
    void DoRun() override
    {
        const CcevalStoppingRule rule(Kind::GUARDED, m_data.margin, 0.95);
        const auto result = CcevalMeasureCoverage(rule, m_data.make(3), 0, m_evaluations);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(result.inBand, m_low, "the band is too narrow");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(result.inBand, m_high, "the band is too wide");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(result.medianRefinedError, m_refined, "refined forecast");
    }

    Data m_data;            //!< what to evaluate
    uint64_t m_evaluations; //!< how often
    double m_low;           //!< least share
    double m_high;          //!< largest share
    double m_refined;       //!< largest median error
};

/// The suite.
class CcevalCoverageTestSuite : public TestSuite
{
  public:
    CcevalCoverageTestSuite()
        : TestSuite("cceval-coverage", Type::UNIT)
    {
        auto normal = [](double margin, double deviation) {
            return Data{"normal values of deviation " + std::to_string(deviation) + " at " +
                            std::to_string(margin),
                        margin,
                        [=](uint64_t seed) { return CcevalNormalSource(1, deviation, seed); },
                        []() { return 1.0; }};
        };
        auto logNormal = [](double margin) {
            return Data{"log-normal values at " + std::to_string(margin),
                        margin,
                        [](uint64_t seed) { return CcevalLogNormalSource(1, seed); },
                        []() { return std::exp(0.5); }};
        };
        auto queue = [](double margin, double load, uint64_t trials) {
            return Data{"99th percentile of the M/M/1 sojourn time, load " + std::to_string(load),
                        margin,
                        [=](uint64_t seed) { return QueueSource(load, seed); },
                        [=]() { return BruteForceQueue(load, trials); }};
        };
        const auto extensive = CCEVAL_EXTENSIVE(CcevalCoverageTestSuite);
        // 93.5 to 96.5 %; of 4000 evaluations, so that chance moves the share by 0.35 points, not
        // 0.7
        AddTestCase(new CoverageTestCase(normal(0.02, 0.2), 4000, 0.935, 0.965), extensive);
        AddTestCase(new CoverageTestCase(normal(0.05, 0.5), 4000, 0.935, 0.965), extensive);
        AddTestCase(new CoverageTestCase(queue(0.05, 0.5, 400000), 4000, 0.935, 0.965), extensive);
        AddTestCase(new CoverageTestCase(queue(0.05, 0.8, 400000), 4000, 0.935, 0.965), extensive);
        AddTestCase(new CoverageTestCase(logNormal(0.05), 4000, 0.935, 0.965), extensive);
        AddTestCase(new CoverageTestCase(logNormal(0.02), 4000, 0.935, 0.965), extensive);
        // no rule covers here: about 91.7 %
        const Data carried{"log-normal values of sigma 2 at 0.1",
                           0.1,
                           [](uint64_t seed) { return CcevalLogNormalSource(2, seed); },
                           []() { return std::exp(2.0); }};
        AddTestCase(new CoverageTestCase(carried, 1000, 0.88, 0.945), extensive);
        AddTestCase(new DiagnosisFiresTestCase(1000, 0.945), extensive);
        AddTestCase(new ForecastQualityTestCase(normal(0.01, 0.2), 200, 0.9, 0.98, 0.1), extensive);
        AddTestCase(new ForecastQualityTestCase(queue(0.02, 0.5, 1), 200, 0.9, 0.98, 0.1),
                    extensive);
        AddTestCase(new ForecastQualityTestCase(logNormal(0.02), 200, 0.9, 0.98, 0.1), extensive);

        // the same with fewer evaluations: within 3.5 standard deviations of the binomial law
        const double margin = CcevalBinomialMargin(0.95, 300, 3.5);
        AddTestCase(new CoverageTestCase(normal(0.05, 0.2), 300, 0.95 - margin, 0.95 + margin));
        AddTestCase(
            new CoverageTestCase(queue(0.1, 0.5, 10000), 300, 0.945 - margin, 0.945 + margin));
        AddTestCase(new CoverageTestCase(logNormal(0.1), 300, 0.935 - margin, 0.935 + margin));
        AddTestCase(new DiagnosisFiresTestCase(40, 1));
        AddTestCase(new ForecastQualityTestCase(normal(0.02, 0.2),
                                                200,
                                                0.95 - CcevalBinomialMargin(0.95, 200, 3.5),
                                                1,
                                                0.1));
    }
};

CcevalCoverageTestSuite g_ccevalCoverageTestSuite; //!< the suite

} // namespace
