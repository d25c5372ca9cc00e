/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../test/dcn-test-error.h"
#include "cceval-test-queues.h"
#include "cceval-test-tools.h"

#include "ns3/cceval-comparison.h"
#include "ns3/cceval-control-variate.h"
#include "ns3/cceval-error-evaluation.h"
#include "ns3/cceval-evaluation.h"
#include "ns3/cceval-violin.h"
#include "ns3/dcn-estimator.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <sstream>

using namespace ns3;

namespace
{

/// Method "cceval-test-queue": all flows share one queue; for tests of evaluations.
class TestQueueEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::CcevalTestQueueEstimator")
                .SetParent<DcnEstimator>()
                .AddConstructor<TestQueueEstimator>()
                .AddAttribute("Speed",
                              "Rate of the queue in units of 20 Gb/s.",
                              DoubleValue(1),
                              MakeDoubleAccessor(&TestQueueEstimator::m_speed),
                              MakeDoubleChecker<double>(0.1))
                .AddAttribute("Noise",
                              "Standard deviation of what is added to each time, relative to it.",
                              DoubleValue(0),
                              MakeDoubleAccessor(&TestQueueEstimator::m_noise),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("FailEvery",
                              "Leave a flow of every so many seeds unfinished; 0: of none.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&TestQueueEstimator::m_failEvery),
                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    std::string GetName() const override
    {
        return "cceval-test-queue";
    }

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override
    {
        std::vector<double> starts;
        std::vector<double> work;
        for (const auto& flow : scenario->GetFlows())
        {
            starts.push_back(static_cast<double>(flow.startNs));
            work.push_back(static_cast<double>(flow.sizeBytes) * 8 / (20 * m_speed));
        }
        const auto times = CcevalToyQueue(starts, work, true);
        auto noise = CreateObject<NormalRandomVariable>();
        DcnRandom(scenario->GetSeed()).Assign(noise, DcnPurpose::TRIAL_VALUES);
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            const double factor = std::max(0.1, 1 + m_noise * noise->GetValue());
            estimate.fctNs[i] = std::llround(std::ceil(times[i] * factor));
        }
        if (m_failEvery && scenario->GetSeed() % m_failEvery == 0)
        {
            estimate.fctNs[0] = DcnEstimate::UNFINISHED;
            estimate.unfinished["by design"] = 1;
        }
    }

    double m_speed;       //!< attribute
    double m_noise;       //!< attribute
    uint32_t m_failEvery; //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(TestQueueEstimator);

/// The regression estimator, where everything is known.
class ControlVariateTestCase : public TestCase
{
  public:
    /**
     * @param evaluations repeated evaluations for the coverage
     * @param margin how far coverage may be from 95 %
     */
    ControlVariateTestCase(uint64_t evaluations, double margin)
        : TestCase("control variates"),
          m_evaluations(evaluations),
          m_margin(margin)
    {
    }

  private:
    void DoRun() override
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
        const double share = 1.0 / static_cast<double>(m_evaluations);
        for (uint64_t k = 0; k < m_evaluations; ++k)
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
        NS_TEST_EXPECT_MSG_EQ_TOL(covered, 0.95, m_margin, "coverage");
        // (10 / 60) / (1 / 60 * (1 + 2 / 57) + 9 / 400)
        NS_TEST_EXPECT_MSG_EQ_TOL(gain, 10.0 / 60 / (1.035 / 60 + 9.0 / 400), 0.4, "gain");
    }

    uint64_t m_evaluations; //!< repeated evaluations
    double m_margin;        //!< how far from 95 %
};

/// Pairs on common random numbers, and the order that they tell.
class ComparisonTestCase : public TestCase
{
  public:
    ComparisonTestCase()
        : TestCase("comparison of algorithms")
    {
    }

  private:
    void DoRun() override
    {
        // common part of deviation 10, own parts of deviation 1: A, B = A + 1, C = B
        auto normal = CreateObject<NormalRandomVariable>();
        DcnRandom(1).Assign(normal, DcnPurpose::TRIAL_VALUES);
        std::vector<std::vector<double>> values(3);
        for (int i = 0; i < 100; ++i)
        {
            const double common = 10 * normal->GetValue();
            for (std::size_t a = 0; a < 3; ++a)
            {
                values[a].push_back(50 + (a > 0 ? 1 : 0) + common + normal->GetValue());
            }
        }
        const CcevalComparison comparison({"a", "b", "c"}, values, 0.95);
        const auto& pairs = comparison.GetPairs();
        NS_TEST_EXPECT_MSG_EQ(pairs.size(), 3, "pairs");
        NS_TEST_EXPECT_MSG_EQ(comparison.DescribeOrder(), "a < b, a < c", "partial order");
        NS_TEST_EXPECT_MSG_EQ(pairs[2].GetSign(), 0, "b and c are the same");
        NS_TEST_EXPECT_MSG_EQ_TOL(pairs[0].correlation, 100.0 / 101, 0.01, "correlation");
        NS_TEST_EXPECT_MSG_GT(pairs[0].gain, 40, "202 / 2 = 101 but for chance");
        // Bonferroni: t at 1 - 0.05 / 6 with 99 degrees of freedom
        CcevalMoments difference;
        for (std::size_t i = 0; i < 100; ++i)
        {
            difference.Add(values[0][i] - values[1][i]);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(pairs[0].difference.GetHalfWidth(),
                                  2.435339300 * difference.GetDeviation() / 10,
                                  1e-8,
                                  "half-width");
        // with independent trials nothing would be resolved
        for (double& value : values[0])
        {
            value = 50 + 10 * normal->GetValue();
        }
        NS_TEST_EXPECT_MSG_EQ(
            CcevalComparison({"a", "b", "c"}, values, 0.95).GetPairs()[0].GetSign(),
            0,
            "not resolved without common random numbers");
        // what follows from others is not repeated
        const CcevalComparison chain({"x", "y", "z"},
                                     {{1, 2, 1}, {11, 12, 11}, {21, 22, 21}},
                                     0.95);
        NS_TEST_EXPECT_MSG_EQ(chain.DescribeOrder(), "x < y, y < z", "chain");
        DCN_TEST_EXPECT_ERROR(CcevalComparison({"a"}, {{1, 2}}, 0.95),
                              "a comparison needs two algorithms, but there is 1");
        DCN_TEST_EXPECT_ERROR(
            CcevalComparison({"a", "b"}, {{1}, {2}}, 0.95),
            "a comparison needs at least two trials, the same for all algorithms");
        // the density of the violins integrates to 1
        double area = 0;
        const auto density = CcevalDensity(values[1], 400);
        for (std::size_t i = 1; i < density.size(); ++i)
        {
            area += (density[i].first - density[i - 1].first) * density[i].second;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(area, 1, 0.01, "density");
    }
};

/// Evaluations from end to end, on the queue.
class EvaluationTestCase : public TestCase
{
  public:
    EvaluationTestCase()
        : TestCase("evaluations")
    {
    }

  private:
    /// @return a request for a metric
    static CcevalRequest Request(const std::string& metric)
    {
        CcevalRequest request;
        request.metrics = {CcevalMetric::Parse(metric)};
        request.estimator = "cceval-test-queue:Noise=0.1";
        request.control = "cceval-test-queue:Speed=1.1";
        request.controlTraces = 1000;
        request.jobs = 2;
        return request;
    }

    void DoRun() override
    {
        const CcevalTraffic traffic = CcevalToyTraffic(45, 0.3, "web-search");
        Ptr<const DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        auto run = [&](const CcevalRequest& request) {
            return CcevalEvaluation("a", traffic, network, request).Run();
        };
        // model-free, two metrics at once; each is converged at its own number of trials
        CcevalRequest request = Request("p50_slowdown");
        request.metrics.push_back(CcevalMetric::Parse("p90_fct"));
        request.rule = CcevalStoppingRule(CcevalStoppingRule::Kind::GUARDED, 0.15, 0.95);
        request.maxTrials = 400;
        const auto free = run(request);
        NS_TEST_EXPECT_MSG_EQ((free[0].converged && free[1].converged), true, "known");
        NS_TEST_EXPECT_MSG_EQ(free[1].values.size(), free[1].trials, "values");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(free[1].interval.GetHalfWidth(),
                                    0.15 * free[1].interval.estimate,
                                    "margin");
        request.jobs = 1;
        const auto again = run(request);
        NS_TEST_EXPECT_MSG_EQ(again[1].interval.high, free[1].interval.high, "whatever the jobs");

        // control variates know the same with fewer trials, per-trial and pooled
        for (const std::string name : {"p99_fct", "pooled_p99_fct"})
        {
            CcevalRequest fixed = Request(name);
            fixed.trials = 120;
            fixed.method = "control-variate";
            const auto controlled = run(fixed)[0];
            fixed.method = "model-free";
            fixed.trials = 400;
            const auto plain = run(fixed)[0];
            NS_TEST_EXPECT_MSG_GT(controlled.gain, 2, "gain, " << name);
            const double sigma =
                std::hypot(controlled.interval.GetHalfWidth(), plain.interval.GetHalfWidth()) /
                1.96;
            NS_TEST_EXPECT_MSG_EQ_TOL(controlled.interval.estimate,
                                      plain.interval.estimate,
                                      3.5 * sigma,
                                      name);
            NS_TEST_EXPECT_MSG_LT(controlled.interval.GetHalfWidth(),
                                  2 * plain.interval.GetHalfWidth(),
                                  "half-width, " << name);
            // importance sampling of the pooled quantile
            if (name == "pooled_p99_fct")
            {
                fixed.method = "importance";
                fixed.trials = 300;
                const auto tilted = run(fixed)[0];
                NS_TEST_EXPECT_MSG_EQ((tilted.note.find("plain sampling") == std::string::npos),
                                      true,
                                      tilted.note);
                NS_TEST_EXPECT_MSG_GT(tilted.gain, 1, "gain of importance sampling");
                const double both =
                    std::hypot(tilted.interval.GetHalfWidth(), plain.interval.GetHalfWidth()) /
                    1.96;
                NS_TEST_EXPECT_MSG_EQ_TOL(tilted.interval.estimate,
                                          plain.interval.estimate,
                                          3.5 * both,
                                          "importance sampling");
                fixed.trials = 20; // too few for the gates
                const auto few = run(fixed)[0];
                NS_TEST_EXPECT_MSG_EQ((few.note.find("plain sampling, since the tail stands on") !=
                                       std::string::npos),
                                      true,
                                      few.note);
            }
        }
        // failed trials are kept out and counted
        CcevalRequest failing = Request("p99_fct");
        failing.estimator = "cceval-test-queue:FailEvery=10";
        failing.trials = 40;
        const auto partly = run(failing)[0];
        NS_TEST_EXPECT_MSG_EQ(partly.failed, 4, "seeds that 10 divides");
        NS_TEST_EXPECT_MSG_EQ(partly.trials, 36, "the others");
        NS_TEST_EXPECT_MSG_EQ(partly.assured, false, "leaving out failures is a choice");
        NS_TEST_EXPECT_MSG_EQ(
            (partly.note.find(
                 "4 trials failed and were kept out, the first: trial 6 (seed 4194310) failed: ") !=
             std::string::npos),
            true,
            partly.note);
        // zero variance
        const CcevalTraffic constant = CcevalToyTraffic(1, 0.3, "constant:1000");
        CcevalRequest equal = Request("p99_fct");
        equal.estimator = "cceval-test-queue";
        equal.trials = 30;
        const auto same = CcevalEvaluation("a", constant, network, equal).Run()[0];
        NS_TEST_EXPECT_MSG_EQ(same.note,
                              "all trials are equal: zero variance tells nothing about the error",
                              "zero variance");
        Errors(traffic, network);
    }

    /// What must be refused.
    void Errors(const CcevalTraffic& traffic, Ptr<const DcnNetworkConfig> network)
    {
        auto make = [&](const CcevalRequest& request) {
            CcevalEvaluation evaluation("a", traffic, network, request);
        };
        CcevalRequest bad = Request("p99_fct");
        bad.method = "importance";
        DCN_TEST_EXPECT_ERROR(make(bad),
                              "importance sampling estimates the pooled quantile: write "
                              "pooled_p99_fct in place of p99_fct");
        bad.method = "luck";
        DCN_TEST_EXPECT_ERROR(
            make(bad),
            "the method must be model-free, importance or control-variate, but it "
            "is \"luck\"");
        bad = Request("p99_fct");
        bad.proposal = "guess";
        DCN_TEST_EXPECT_ERROR(
            make(bad),
            "the proposal must be mixture, tilt or published, but it is \"guess\"");
        bad = Request("p99_fct");
        bad.tuner = "guess";
        DCN_TEST_EXPECT_ERROR(make(bad),
                              "the tuner must be control or method, but it is \"guess\"");
        bad = Request("p99_fct");
        bad.trials = 1;
        DCN_TEST_EXPECT_ERROR(make(bad), "an interval needs at least two trials");
        bad = Request("p99_fct");
        bad.metrics.clear();
        DCN_TEST_EXPECT_ERROR(make(bad), "there is no metric to evaluate");
        bad = Request("p99_fct@>29MB");
        bad.trials = 50;
        const std::string sentence =
            DcnSentenceOf([&]() { CcevalEvaluation("a", traffic, network, bad).Run(); });
        NS_TEST_EXPECT_MSG_EQ(
            (sentence.find("has no flow in the size class >29MB") != std::string::npos),
            true,
            sentence);
    }
};

/// Intervals of the errors of methods.
class ErrorTestCase : public TestCase
{
  public:
    ErrorTestCase()
        : TestCase("errors of methods")
    {
    }

  private:
    void DoRun() override
    {
        using Row = DcnFctTable::SummaryRow;
        CcevalErrorEvaluation errors(0.01, 0.95);
        // errors of 5 % -+ 2 % in turn: s = 0.02 sqrt(N / (N - 1)), so t s / sqrt(N) <= 0.01 needs
        // 19 trials; the first look is at 20
        uint64_t n = 0;
        while (!errors.IsKnown())
        {
            const double error = ++n % 2 ? 0.03 : 0.07;
            errors.Add({Row{"t", "p99_slowdown", "all", 10, 10, NAN},
                        Row{"m", "p99_slowdown", "all", 10 * (1 + error), 10, error},
                        Row{"m", "mean_abs_flow_error", "all", 2 * error, NAN, NAN},
                        Row{"m", "wall_s", "all", 1, 2, -0.5}});
        }
        NS_TEST_EXPECT_MSG_EQ(n, 20, "repetitions");
        const auto known = errors.GetErrors();
        NS_TEST_EXPECT_MSG_EQ(known.size(), 2, "errors");
        NS_TEST_EXPECT_MSG_EQ_TOL(known[0].interval.estimate, 0.05, 1e-12, "p99");
        NS_TEST_EXPECT_MSG_EQ_TOL(known[0].interval.GetHalfWidth(),
                                  2.093024054 * 0.02 / std::sqrt(19.0),
                                  1e-9,
                                  "half-width");
        NS_TEST_EXPECT_MSG_EQ_TOL(known[1].interval.estimate, 0.1, 1e-12, "of flows");
        CcevalErrorEvaluation strict(0.009, 0.95);
        for (int i = 0; i < 20; ++i)
        {
            strict.Add({Row{"t", "p99_slowdown", "all", 1, 1, 0},
                        Row{"m", "p99_slowdown", "all", 1, 1, i % 2 ? 0.03 : 0.07}});
        }
        NS_TEST_EXPECT_MSG_EQ(strict.IsKnown(), false, "not to that margin");
        DCN_TEST_EXPECT_ERROR(strict.Add({Row{"t", "p99_slowdown", "all", 10, 10, NAN}}),
                              "an error needs a second method to compare with the first");
        DCN_TEST_EXPECT_ERROR(CcevalErrorEvaluation(0, 0.95),
                              "the margin must be between 0 and 1, but it is 0");
    }
};

/// The suite.
class CcevalEvaluationTestSuite : public TestSuite
{
  public:
    CcevalEvaluationTestSuite()
        : TestSuite("cceval-evaluation", Type::UNIT)
    {
        AddTestCase(new ControlVariateTestCase(300, CcevalBinomialMargin(0.95, 300, 3.5)));
        AddTestCase(new ComparisonTestCase);
        AddTestCase(new ErrorTestCase);
        AddTestCase(new EvaluationTestCase);
        AddTestCase(new ControlVariateTestCase(3000, 0.015),
                    CCEVAL_EXTENSIVE(CcevalEvaluationTestSuite));
    }
};

CcevalEvaluationTestSuite g_ccevalEvaluationTestSuite; //!< the suite

} // namespace
