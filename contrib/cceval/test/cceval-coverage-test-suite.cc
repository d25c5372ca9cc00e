/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/statistics/cceval-rehearsal.h"
#include "../model/trials/cceval-trial-set.h"
#include "cceval-test-coverage.h"
#include "cceval-test-tools.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-random.h"
#include "ns3/dcn-statistics.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// Log-normal values with sigma = 2: no rule covers; the rehearsal says so, and the tail shows.
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
        const auto draw = [](CcevalSource source) {
            std::vector<double> bank(100'000);
            std::generate(bank.begin(), bank.end(), std::move(source));
            return bank;
        };
        NS_TEST_EXPECT_MSG_EQ(CcevalRehearsal::Make(CcevalStoppingRule(Kind::GUARDED, 0.2, 0.95),
                                                    draw(CcevalLogNormalSource(2, 12)),
                                                    0,
                                                    1'000'000)
                                  .IsAssured(),
                              false,
                              "the mark, whatever the sample");
    }

    uint64_t m_evaluations; //!< how often
    double m_most;          //!< largest share that covers
};

/// Marks of intervals, and how often intervals with and without them cover.
DCN_TEST_CASE(MarkTestCase, "what a mark says of the coverage")
{
    constexpr uint64_t N = 4000; // evaluations
    constexpr double NOT_MEASURED = -1;

    struct Row
    {
        const char* name;                           //!< of the data
        double margin;                              //!< relative half-width
        double truth;                               //!< the mean
        std::function<CcevalSource(uint64_t)> make; //!< makes the source from a seed
    };

    const auto logNormal = [](double sigma) {
        return [sigma](uint64_t seed) { return CcevalLogNormalSource(sigma, seed); };
    };
    const std::vector<Row> rows{
        {"normal, deviation 0.5",
         0.1,
         1,
         [](uint64_t seed) { return CcevalNormalSource(1, 0.5, seed); }},
        {"exponential", 0.3, 1, CcevalExponentialSource},
        {"exponential", 0.1, 1, CcevalExponentialSource},
        {"log-normal, sigma 1", 0.3, std::exp(0.5), logNormal(1)},
        {"log-normal, sigma 1", 0.1, std::exp(0.5), logNormal(1)},
        {"log-normal, sigma 1.5", 0.2, std::exp(1.125), logNormal(1.5)},
        {"2 % are 20 times as large", 0.3, 1.38, CcevalMixtureSource},
    };
    std::map<bool, std::pair<double, double>> byMark; // covered and all, by IsAssured
    std::map<bool, std::pair<double, double>> bySign; // covered and all, by no tail in the sample
    for (const Kind kind : {Kind::GUARDED, Kind::PUBLISHED})
    {
        for (const Row& row : rows)
        {
            const CcevalStoppingRule rule(kind, row.margin, 0.95);
            std::vector<double> bank(100'000);
            std::generate(bank.begin(), bank.end(), row.make(99));
            const auto rehearsal = CcevalRehearsal::Make(rule, bank, 0, 1'000'000);
            const auto result = CcevalMeasureCoverage(rule, row.make(7), row.truth, N);
            const double with = result.diagnosed > 0 ? result.coveredWithTail : NOT_MEASURED;
            const double without = result.diagnosed < 1 ? result.coveredWithout : NOT_MEASURED;
            std::printf("%-9s %-26s %4.2f: %5.1f %% cover, rehearsal %5.1f %% (%s); a tail shows "
                        "in %5.1f %%, of which %5.1f %% cover, of the others %5.1f %%\n",
                        rule.GetName().c_str(),
                        row.name,
                        row.margin,
                        100 * result.covered,
                        100 * rehearsal.covered,
                        rehearsal.IsAssured() ? "assured" : "not",
                        100 * result.diagnosed,
                        100 * with,
                        100 * without);
            // four standard errors of the difference of two shares
            const double c = result.covered;
            const double error = std::sqrt(
                c * (1 - c) * (1.0 / N + 1.0 / static_cast<double>(rehearsal.evaluations)));
            NS_TEST_EXPECT_MSG_EQ_TOL(rehearsal.covered, c, 4 * error, "rehearsal, " << row.name);
            if (kind == Kind::PUBLISHED)
            {
                continue; // it covers too rarely also without a tail
            }
            auto& [covered, all] = byMark[rehearsal.IsAssured()];
            covered += result.covered * N;
            all += N;
            for (const bool hasNoTail : {false, true})
            {
                const double share = hasNoTail ? 1 - result.diagnosed : result.diagnosed;
                bySign[hasNoTail].first += share > 0 ? share * N * (hasNoTail ? without : with) : 0;
                bySign[hasNoTail].second += share * N;
            }
            if (std::string(row.name) == "log-normal, sigma 1.5")
            {
                NS_TEST_EXPECT_MSG_LT(without, with - 0.1, "no sign selects wrong intervals");
            }
        }
    }
    const auto share = [](const std::pair<double, double>& counts) {
        return counts.first / counts.second;
    };
    std::printf("guarded: %.1f %% of assured intervals cover, %.1f %% of the others; %.1f %% of "
                "those without a tail in the sample\n",
                100 * share(byMark[true]),
                100 * share(byMark[false]),
                100 * share(bySign[true]));
    NS_TEST_EXPECT_MSG_GT(share(byMark[true]), 0.94, "assured intervals cover");
    NS_TEST_EXPECT_MSG_LT(share(byMark[false]), 0.92, "the others do so less often");
    NS_TEST_EXPECT_MSG_EQ((byMark[true].second > 0 && byMark[false].second > 0), true, "both");
}

/// A rehearsal in algebra: a bank of two values, and a number of trials that is planned.
DCN_TEST_CASE(RehearsalTestCase, "rehearsals")
{
    const CcevalStoppingRule rule(Kind::GUARDED, 0.1, 0.95);
    const auto constant = CcevalRehearsal::Make(rule, std::vector<double>(10, 3.7), 0, 1000);
    NS_TEST_EXPECT_MSG_EQ(constant.covered, 1, "there is no other value");
    // one of 1000 values is 1000, the others 0: 20 trials have one with 1 - 0.999^20 = 2 %
    std::vector<double> rare(1000, 0.0);
    rare.back() = 1000;
    const auto few = CcevalRehearsal::Make(rule, rare, 20, 1000);
    NS_TEST_EXPECT_MSG_EQ(few.evaluations, CcevalRehearsal::EVALUATIONS, "evaluations");
    NS_TEST_EXPECT_MSG_LT(few.covered, 0.05, "most have no interval");
    NS_TEST_EXPECT_MSG_EQ(few.IsAssured(), false, "the tail does not come");
    // 0 and 1 in turn: normal after 1000 trials
    const auto fair = CcevalRehearsal::Make(rule, {0, 1}, 1000, 2000);
    const CcevalBinomialBounds bounds(fair.evaluations, 0.95);
    NS_TEST_EXPECT_MSG_EQ(bounds.Contains(fair.covered), true, fair.covered);
    NS_TEST_EXPECT_MSG_EQ(fair.IsAssured(), true, "two values");
    NS_TEST_EXPECT_MSG_EQ(CcevalRehearsal::Make(rule, {0, 1}, 1000, 2000).covered,
                          fair.covered,
                          "the same again");
    CcevalRehearsal at{1000, 0.925, 0.95};
    NS_TEST_EXPECT_MSG_EQ(at.IsAssured(), true, "1.5 times 5 % miss");
    at.covered = 0.924;
    NS_TEST_EXPECT_MSG_EQ(at.IsAssured(), false, "more miss");
}

/// The values of one evaluation, which several rules see from the first on.
class CommonValues
{
  public:
    /**
     * @param source makes them
     */
    explicit CommonValues(CcevalSource source)
        : m_source(std::move(source))
    {
    }

    /// Begins with new values.
    void Renew()
    {
        m_values.clear();
    }

    /// @return a source of them, from the first on
    CcevalSource Replay()
    {
        return [this, next = std::size_t{0}]() mutable {
            if (next == m_values.size())
            {
                m_values.push_back(m_source());
            }
            return m_values[next++];
        };
    }

    /**
     * @param n how many, at most as many as were asked for
     * @return moments of the first n
     */
    CcevalMoments GetMoments(double n) const
    {
        CcevalMoments moments;
        for (std::size_t i = 0; i < static_cast<std::size_t>(std::lround(n)); ++i)
        {
            moments.Add(m_values[i]);
        }
        return moments;
    }

  private:
    CcevalSource m_source;        //!< makes them
    std::vector<double> m_values; //!< so far
};

/**
 * The recommended rule covers as often as it says, and misses as often on either side; the
 * published one, on the same values, does not. As many evaluations as tell the one from the other,
 * and from the recommended one with a tenth less variance or without its correction for skewness.
 */
class RulesTestCase : public TestCase
{
  public:
    /**
     * @param data what to evaluate
     * @param evaluations how often
     */
    RulesTestCase(const Data& data, uint64_t evaluations)
        : TestCase("coverage of both rules: " + data.name),
          m_data(data),
          m_evaluations(evaluations)
    {
    }

  private:
    void DoRun() override
    {
        const CcevalStoppingRule guarded(Kind::GUARDED, m_data.margin, 0.95);
        const CcevalStoppingRule published(Kind::PUBLISHED, m_data.margin, 0.95);
        CommonValues values(m_data.make(7));
        const double truth = m_data.truth();
        double covered = 0;
        double tooHigh = 0;
        double tooLow = 0;
        double itsCovered = 0;
        double onlyGuarded = 0;
        double onlyPublished = 0;
        double tooWide = 0;
        for (uint64_t k = 0; k < m_evaluations; ++k)
        {
            values.Renew();
            const auto ours = CcevalMeasureCoverage(guarded, values.Replay(), truth, 1);
            const auto its = CcevalMeasureCoverage(published, values.Replay(), truth, 1);
            covered += ours.covered;
            tooHigh += ours.tooHigh;
            tooLow += ours.tooLow;
            itsCovered += its.covered;
            onlyGuarded += ours.covered > its.covered ? 1 : 0;
            onlyPublished += ours.covered < its.covered ? 1 : 0;
            const CcevalMoments moments = values.GetMoments(ours.meanTrials);
            tooWide += guarded.GetInterval(moments).GetHalfWidth() >
                               m_data.margin * std::abs(moments.GetMean())
                           ? 1
                           : 0;
        }
        const auto n = static_cast<double>(m_evaluations);
        std::printf(
            "%s: %.0f evaluations, %.2f %% cover, %.2f %% are too high and %.2f %% too low; "
            "published rule: %.2f %% cover\n",
            m_data.name.c_str(),
            n,
            100 * covered / n,
            100 * tooHigh / n,
            100 * tooLow / n,
            100 * itsCovered / n);
        const CcevalBinomialBounds whole(m_evaluations, 0.95);
        const CcevalBinomialBounds side(m_evaluations, 0.025);
        NS_TEST_EXPECT_MSG_EQ(whole.Contains(covered / n), true, "covers " << covered / n);
        NS_TEST_EXPECT_MSG_EQ(side.Contains(tooHigh / n), true, "too high " << tooHigh / n);
        NS_TEST_EXPECT_MSG_EQ(side.Contains(tooLow / n), true, "too low " << tooLow / n);
        NS_TEST_EXPECT_MSG_EQ(tooWide, 0, "stops with an interval that is wider than asked for");
        NS_TEST_EXPECT_MSG_LT(itsCovered / n, whole.low, "the published rule covers, too");
        // where just one of them covers it is the recommended one more often than by chance
        const double differ = onlyGuarded + onlyPublished;
        NS_TEST_EXPECT_MSG_GT(onlyGuarded,
                              differ *
                                  CcevalBinomialBounds(static_cast<uint64_t>(differ), 0.5).high,
                              "pairs");
    }

    Data m_data;            //!< what to evaluate
    uint64_t m_evaluations; //!< how often
};

/// The band forecast by 20 trials contains the number at the stop as often as it says, and the
/// refined forecast is close; a band for normal values about the published forecast (Equation 3) is
/// not.
class ForecastQualityTestCase : public TestCase
{
  public:
    /**
     * @param data what to evaluate
     * @param evaluations how often
     * @param low least share of stops in the band
     * @param high largest share of stops in the band
     * @param normal largest share of stops in the band for normal values; 1: they are normal
     * @param refined largest median error of the forecast from a third of the trials
     */
    ForecastQualityTestCase(const Data& data,
                            uint64_t evaluations,
                            double low,
                            double high,
                            double normal,
                            double refined)
        : TestCase("forecast: " + data.name),
          m_data(data),
          m_evaluations(evaluations),
          m_low(low),
          m_high(high),
          m_normal(normal),
          m_refined(refined)
    {
    }

  private:
    void DoRun() override
    {
        constexpr double PILOT = 20;
        const CcevalStoppingRule rule(Kind::GUARDED, m_data.margin, 0.95);
        CommonValues values(m_data.make(3));
        double inBand = 0;
        double inNormalBand = 0;
        std::vector<double> refined;
        for (uint64_t k = 0; k < m_evaluations; ++k)
        {
            values.Renew();
            const auto result = CcevalMeasureCoverage(rule, values.Replay(), 0, 1);
            inBand += result.inBand;
            refined.push_back(result.medianRefinedError);
            // (n - 1) s^2 / sigma^2 of n normal values is chi-square distributed
            const CcevalMoments pilot = values.GetMoments(PILOT);
            auto trials = [&](double p) {
                const double factor = (PILOT - 1) / CcevalChiSquareQuantile(p, PILOT - 1);
                return static_cast<double>(
                    rule.GetTrials(pilot.GetMean(), pilot.GetDeviation() * std::sqrt(factor)));
            };
            inNormalBand +=
                result.meanTrials >= trials(0.975) && result.meanTrials <= trials(0.025) ? 1 : 0;
        }
        const auto n = static_cast<double>(m_evaluations);
        std::sort(refined.begin(), refined.end());
        const double middle = refined[refined.size() / 2];
        std::printf("forecasts, %s: %.1f %% of %.0f stops in the band, %.1f %% in that for normal "
                    "values; forecast at a third: %.1f %% off\n",
                    m_data.name.c_str(),
                    100 * inBand / n,
                    n,
                    100 * inNormalBand / n,
                    100 * middle);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(inBand / n, m_low, "the band is too narrow");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(inBand / n, m_high, "the band is too wide");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(inNormalBand / n, m_normal, "a band for normal values does");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(middle, m_refined, "refined forecast");
    }

    Data m_data;            //!< what to evaluate
    uint64_t m_evaluations; //!< how often
    double m_low;           //!< least share
    double m_high;          //!< largest share
    double m_normal;        //!< largest share in the band for normal values
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
            return Data{"99th percentile of the sojourn time, exponential server, load " +
                            std::to_string(load),
                        margin,
                        [=](uint64_t seed) { return QueueSource(load, seed); },
                        [=]() { return BruteForceQueue(load, trials); }};
        };
        // of 20,000 trials drawn once, whose mean is known exactly
        auto queueBank = [](double margin) {
            auto makeBank = [](uint64_t seed) {
                return std::make_shared<CcevalBank<double>>(20000, QueueSource(0.5, 5), seed);
            };
            return Data{
                "99th percentile of the M-M-1 sojourn time, drawn again, at " +
                    std::to_string(margin),
                margin,
                [=](uint64_t seed) { return [bank = makeBank(seed)]() { return bank->Draw(); }; },
                [=]() {
                    const auto bank = makeBank(1);
                    return DcnMean(bank->Get());
                }};
        };
        const auto extensive = DCN_TEST_EXTENSIVE(CcevalCoverageTestSuite);
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
        AddTestCase(new ForecastQualityTestCase(normal(0.01, 0.2), 200, 0.9, 0.98, 1, 0.1),
                    extensive);
        AddTestCase(new ForecastQualityTestCase(queue(0.02, 0.5, 1), 200, 0.9, 0.98, 1, 0.1),
                    extensive);
        AddTestCase(new ForecastQualityTestCase(logNormal(0.02), 200, 0.9, 0.98, 0.9, 0.1),
                    extensive);

        // what a quick run can tell for certain: cheap values, and as many evaluations as it takes
        const Data exponential{"exponential values at 0.3", 0.3, CcevalExponentialSource, []() {
                                   return 1.0;
                               }};
        AddTestCase(new RulesTestCase(exponential, 20000));
        AddTestCase(new RulesTestCase(normal(0.1, 0.2), 20000));
        AddTestCase(new RulesTestCase(queueBank(0.1), 10000));
        const CcevalBinomialBounds stops(3000, 0.95);
        constexpr double ONE_LOOK = 134.0 / 121 - 1; // 10 % and what rounding up to trials adds
        AddTestCase(new ForecastQualityTestCase(queueBank(0.05),
                                                3000,
                                                stops.low,
                                                stops.high,
                                                0.935,
                                                ONE_LOOK));
        AddTestCase(new ForecastQualityTestCase(logNormal(0.1),
                                                3000,
                                                stops.low,
                                                stops.high,
                                                0.75,
                                                ONE_LOOK));
        AddTestCase(new DiagnosisFiresTestCase(40, 1));
        AddTestCase(new MarkTestCase);
        AddTestCase(new RehearsalTestCase);
    }
};

CcevalCoverageTestSuite g_ccevalCoverageTestSuite; //!< the suite

} // namespace
