/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/evaluation/cceval-violin.h"
#include "../model/statistics/cceval-comparison.h"
#include "cceval-test-tools.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/cceval-error-evaluation.h"
#include "ns3/cceval-report.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-random.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Pairs on common random numbers, and the order that they tell.
DCN_TEST_CASE(ComparisonTestCase, "comparison of algorithms")
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
    // Bonferroni: t at 1 - 0.05 / 6 with f degrees of freedom, 2 / f = 2 / 99 + kurtosis / 100
    CcevalMoments difference;
    for (std::size_t i = 0; i < 100; ++i)
    {
        difference.Add(values[0][i] - values[1][i]);
    }
    const double freedom = 2 / (2.0 / 99 + std::max(0.0, difference.GetExcessKurtosis()) / 100);
    NS_TEST_EXPECT_MSG_EQ(pairs[0].assured, true, "normal differences");
    NS_TEST_EXPECT_MSG_EQ_TOL(pairs[0].difference.GetHalfWidth(),
                              CcevalStudentQuantile(1 - 0.05 / 6, freedom) *
                                  difference.GetDeviation() / 10,
                              1e-8,
                              "half-width");
    // with independent trials nothing would be resolved
    for (double& value : values[0])
    {
        value = 50 + 10 * normal->GetValue();
    }
    NS_TEST_EXPECT_MSG_EQ(CcevalComparison({"a", "b", "c"}, values, 0.95).GetPairs()[0].GetSign(),
                          0,
                          "not resolved without common random numbers");
    // what follows from others is not repeated
    const CcevalComparison chain({"x", "y", "z"},
                                 {{1, 2, 1}, {11, 12.5, 11}, {21, 22, 21.5}},
                                 0.95);
    NS_TEST_EXPECT_MSG_EQ(chain.DescribeOrder(), "x < y, y < z", "chain");
    NS_TEST_EXPECT_MSG_EQ(chain.GetPairs()[0].assured, false, "three trials");
    // equal differences tell nothing about their error
    const std::vector<double> twenty(20, 3.0);
    const CcevalComparison equal({"x", "y"}, {twenty, std::vector<double>(20, 4.0)}, 0.95);
    NS_TEST_EXPECT_MSG_EQ(equal.GetPairs()[0].GetSign(), 0, "no variance");
    NS_TEST_EXPECT_MSG_EQ(equal.GetPairs()[0].assured, false, "no variance");
    NS_TEST_EXPECT_MSG_EQ(equal.DescribeOrder(), "no difference is resolved", "no variance");
    DCN_TEST_EXPECT_ERROR(CcevalComparison({"a"}, {{1, 2}}, 0.95),
                          "a comparison needs two algorithms, but there is 1");
    DCN_TEST_EXPECT_ERROR(CcevalComparison({"a", "b"}, {{1}, {2}}, 0.95),
                          "a comparison needs at least two trials, the same for all algorithms");
    // algorithms are compared on the trials that none of them failed
    CcevalResult a;
    a.algorithm = "a";
    a.metric = "p99_fct";
    a.values = {1, 12, 3, 5};
    a.runs = {0, 1, 2, 3};
    CcevalResult b = a;
    b.algorithm = "b";
    b.values = {3.5, 5, 7.5}; // 2.5, 2, 2.5 more
    b.runs = {0, 2, 3};
    b.failed = 1;
    a.otherRuns = {1, 2}; // run 1 is not common
    b.otherRuns = {2, 3};
    CcevalReport report({std::string("p99_fct")}, 0.95);
    report.Add({a});
    report.Add({b});
    const std::string folder = CreateTempDirFilename("report");
    DcnMakeFolder(folder);
    report.Write(folder);
    std::ifstream csv(folder + "/comparison.csv");
    std::string line;
    std::getline(csv, line);
    std::getline(csv, line);
    NS_TEST_EXPECT_MSG_EQ((line.find("p99_fct,a,b,3,2,-2.33333,") == 0), true, line);
    NS_TEST_EXPECT_MSG_EQ((line.find(",below,0") != std::string::npos), true, line);
    NS_TEST_EXPECT_MSG_EQ(report.HasFailures(), true, "of b");
    // the density of the violins integrates to 1
    double area = 0;
    const auto density = CcevalDensity(values[1], 400);
    for (std::size_t i = 1; i < density.size(); ++i)
    {
        area += (density[i].first - density[i - 1].first) * density[i].second;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(area, 1, 0.01, "density");
}

/// Pooled quantiles on common random numbers: queues that differ in nothing but their speed.
class PooledComparisonTestCase : public TestCase
{
  public:
    /**
     * @param evaluations for the coverage
     */
    explicit PooledComparisonTestCase(uint64_t evaluations)
        : TestCase("comparison of pooled quantiles"),
          m_evaluations(evaluations)
    {
    }

  private:
    static constexpr uint32_t FLOWS = 45; //!< of a trial

    /// The p99 of the pooled metric of two queues, the second SPEED times as fast.
    static CcevalResult MakeResult(const std::string& name, std::vector<CcevalCycle> cycles)
    {
        CcevalResult result;
        result.algorithm = name;
        result.metric = "pooled_p99_fct";
        result.method = "model-free";
        for (uint64_t run = 0; run < cycles.size(); ++run)
        {
            result.runs.push_back(run);
        }
        result.tails = std::make_shared<const std::vector<CcevalCycle>>(
            CcevalPooledQuantile(0.99, std::move(cycles)).GetTails(8));
        return result;
    }

    /// Sends n trials of the same traffic through both queues.
    std::vector<std::vector<CcevalCycle>> Draw(uint64_t n, double speed)
    {
        std::vector<std::vector<CcevalCycle>> cycles(2, std::vector<CcevalCycle>(n));
        for (uint64_t i = 0; i < n; ++i)
        {
            double waits[] = {0, 0};
            for (uint32_t k = 0; k < FLOWS; ++k)
            {
                const double gap = 2 * m_exponential->GetValue(); // load 0.5
                const double work = m_exponential->GetValue();
                for (std::size_t a = 0; a < 2; ++a)
                {
                    // the second is not a multiple of the first
                    const double own = 1 + 0.2 * std::sin(static_cast<double>(k + 3 * a));
                    const double sojourn = waits[a] + work * own / (a == 0 ? 1 : speed);
                    cycles[a][i].values.emplace_back(sojourn, 1.0);
                    waits[a] = std::max(0.0, sojourn - gap);
                }
            }
            cycles[0][i].flows = cycles[1][i].flows = FLOWS;
        }
        return cycles;
    }

    /**
     * @brief Where a tail has two modes the quantile jumps, and no slope tells by how much.
     *
     * 7,500 flows, of which about 82 are in the upper mode, so that the p99 is its 75th value from
     * the top: 102 in truth, but 3 where chance leaves fewer than 75 there. Two algorithms that are
     * alike do not differ, and what excludes that must not be called assured more often than it
     * may.
     */
    void TwoModes()
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        auto normal = CreateObject<NormalRandomVariable>();
        DcnRandom(9).Assign(uniform, DcnPurpose::TRIAL_VALUES);
        DcnRandom(10).Assign(normal, DcnPurpose::TRIAL_VALUES);
        const std::string folder = CreateTempDirFilename("modes");
        DcnMakeFolder(folder);
        int resolved = 0;
        int wrong = 0;
        constexpr int EVALUATIONS = 40;
        for (int k = 0; k < EVALUATIONS; ++k)
        {
            CcevalReport report({std::string("pooled_p99_fct")}, 0.95);
            for (const std::string name : {"one", "other"})
            {
                std::vector<CcevalCycle> cycles(150);
                for (CcevalCycle& cycle : cycles)
                {
                    for (cycle.flows = 0; cycle.flows < 50; ++cycle.flows)
                    {
                        const bool upper = uniform->GetValue() < 0.011;
                        cycle.values.emplace_back(upper ? uniform->GetValue(100, 120)
                                                        : std::exp(0.5 * normal->GetValue()),
                                                  1.0);
                    }
                }
                report.Add({MakeResult(name, cycles)});
            }
            report.Write(folder);
            std::ifstream csv(folder + "/comparison.csv");
            std::string line;
            std::getline(csv, line);
            std::getline(csv, line);
            const bool isResolved = line.find(",unresolved,") == std::string::npos;
            resolved += isResolved ? 1 : 0;
            wrong += isResolved && line.back() == '1' ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(resolved, EVALUATIONS / 20, "the slope is not right");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(wrong, EVALUATIONS / 20, "and it is said");
    }

    void DoRun() override
    {
        m_exponential = CreateObject<ExponentialRandomVariable>();
        DcnRandom(8).Assign(m_exponential, DcnPurpose::TRIAL_VALUES);
        // pseudo-values: their mean is the quantile, and their error that of Y over its slope
        auto cycles = Draw(400, 1.2);
        const CcevalPooledQuantile one(0.99, cycles[0]);
        const auto values = one.GetPseudoValues();
        CcevalMoments moments;
        for (const double value : values)
        {
            moments.Add(value);
        }
        const auto interval = one.GetInterval(0.95);
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.GetMean(), interval.estimate, 1e-9, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(CcevalMeanInterval(moments, 0.95).GetHalfWidth(),
                                  interval.GetHalfWidth(),
                                  0.3 * interval.GetHalfWidth(),
                                  "as wide as by inversion, to first order");
        // the error of the mean of Y(Q) over its slope: T lambda / Q, with lambda from the chord
        // between the quantiles at half and twice the odds
        const double slope = 0.01 * FLOWS * 0.99 * 2 * std::log(2.0) /
                             std::log(one.GetThreshold(0.5) / one.GetThreshold(2)) /
                             interval.estimate;
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.GetDeviation() / 20,
                                  one.GetExcessError(interval.estimate) / slope,
                                  1e-9,
                                  "standard error of the mean of 400");
        // the tails of the trials tell the same
        NS_TEST_EXPECT_MSG_EQ(
            (CcevalPooledQuantile(0.99, one.GetTails(8)).GetPseudoValues() == values),
            true,
            "tails");
        // the report compares pooled metrics; 17 % in 12 is resolved because of common traffic
        CcevalReport report({std::string("pooled_p99_fct")}, 0.95);
        report.Add({MakeResult("slow", cycles[0])});
        report.Add({MakeResult("fast", cycles[1])});
        const std::string folder = CreateTempDirFilename("pooled");
        DcnMakeFolder(folder);
        report.Write(folder);
        std::ifstream csv(folder + "/comparison.csv");
        std::string line;
        std::getline(csv, line);
        NS_TEST_EXPECT_MSG_EQ(
            line,
            "metric,first,second,trials,others,difference,low,high,correlation,gain,"
            "verdict,coverage_assured",
            "columns");
        line.clear();
        std::getline(csv, line);
        NS_TEST_EXPECT_MSG_EQ((line.find("pooled_p99_fct,slow,fast,400,0,") == 0), true, line);
        NS_TEST_EXPECT_MSG_EQ((line.find(",above,1") != std::string::npos), true, line);
        // traffic of its own is not compared
        CcevalReport apart({std::string("pooled_p99_fct")}, 0.95);
        apart.Add({MakeResult("slow", cycles[0])}, "2ms");
        apart.Add({MakeResult("fast", cycles[1])}, "20ms");
        const std::string other = CreateTempDirFilename("apart");
        DcnMakeFolder(other);
        apart.Write(other);
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(other + "/comparison.csv").is_open(), false, "apart");

        TwoModes();
        Cover();
    }

    /// Intervals of the difference of two pooled quantiles of the same traffic, of 5 % in speed.
    void Cover()
    {
        constexpr std::size_t TRIALS = 400;
        constexpr std::size_t POPULATION = 20000;
        // of both queues, and as much of them as evaluations keep
        auto cycles = Draw(POPULATION, 1.05);
        for (auto& each : cycles)
        {
            each = CcevalPooledQuantile(0.99, std::move(each)).GetTails(8);
        }
        std::size_t next = 0;
        CcevalBank<std::pair<CcevalCycle, CcevalCycle>> bank(
            POPULATION,
            [&]() {
                ++next;
                return std::make_pair(cycles[0][next - 1], cycles[1][next - 1]);
            },
            8);
        const double truth = CcevalPooledQuantile(0.99, cycles[0]).GetThreshold(1) -
                             CcevalPooledQuantile(0.99, cycles[1]).GetThreshold(1);
        double covered = 0;
        double tooHigh = 0;
        double tooLow = 0;
        double apart = 0;
        for (uint64_t i = 0; i < m_evaluations; ++i)
        {
            std::vector<CcevalCycle> drawn[2];
            for (std::size_t k = 0; k < TRIALS; ++k)
            {
                const auto& [slow, fast] = bank.Draw();
                drawn[0].push_back(slow);
                drawn[1].push_back(fast);
            }
            const std::vector<std::vector<double>> values{
                CcevalPooledQuantile(0.99, std::move(drawn[0])).GetPseudoValues(),
                CcevalPooledQuantile(0.99, std::move(drawn[1])).GetPseudoValues()};
            const auto pair = CcevalComparison({"slow", "fast"}, values, 0.95).GetPairs()[0];
            covered += pair.difference.Contains(truth) ? 1 : 0;
            tooHigh += pair.difference.low > truth ? 1 : 0;
            tooLow += pair.difference.high < truth ? 1 : 0;
            // an interval as of independent trials is sqrt(gain) times as wide
            const double wide = std::sqrt(pair.gain) * pair.difference.GetHalfWidth();
            apart += std::abs(pair.difference.estimate - truth) <= wide ? 1 : 0;
        }
        const auto n = static_cast<double>(m_evaluations);
        std::printf(
            "comparison of pooled quantiles: %.2f %% of %.0f intervals cover, %.2f %% are too "
            "high and %.2f %% too low; %.2f %% cover without pairs\n",
            100 * covered / n,
            n,
            100 * tooHigh / n,
            100 * tooLow / n,
            100 * apart / n);
        const CcevalBinomialBounds whole(m_evaluations, 0.95);
        NS_TEST_EXPECT_MSG_EQ(whole.Contains(covered / n), true, "covers " << covered / n);
        NS_TEST_EXPECT_MSG_GT(apart / n, whole.high, "pairs make no difference");
    }

    uint64_t m_evaluations;                       //!< how often
    Ptr<ExponentialRandomVariable> m_exponential; //!< mean 1
};

DCN_TEST_CASE(ErrorTestCase, "errors of methods")
{
    using Row = DcnFctTable::SummaryRow;
    CcevalErrorEvaluation errors(0.008, 0.95);
    // errors of 5 % -+ 2 % in turn: s = 0.02 sqrt(N / (N - 1)), so t s / sqrt(N) <= 0.008 needs
    // 27 trials; the first analysis is at 50, where it is 0.00574
    uint64_t n = 0;
    while (!errors.IsKnown())
    {
        const double error = ++n % 2 ? 0.03 : 0.07;
        errors.Add({Row{"t", "p99_slowdown", "all", 10, 10, NAN},
                    Row{"m", "p99_slowdown", "all", 10 * (1 + error), 10, error},
                    Row{"m", "mean_abs_flow_error", "all", 2 * error, NAN, NAN},
                    Row{"m", "wall_s", "all", 1, 2, -0.5}});
    }
    NS_TEST_EXPECT_MSG_EQ(n, 50, "repetitions");
    const auto known = errors.GetErrors();
    NS_TEST_EXPECT_MSG_EQ(known.size(), 2, "errors");
    NS_TEST_EXPECT_MSG_EQ_TOL(known[0].interval.estimate, 0.05, 1e-12, "p99");
    NS_TEST_EXPECT_MSG_EQ_TOL(known[0].interval.GetHalfWidth(),
                              2.009575237 * 0.02 / std::sqrt(49.0),
                              1e-9,
                              "half-width");
    NS_TEST_EXPECT_MSG_EQ_TOL(known[1].interval.estimate, 0.1, 1e-12, "of flows");
    CcevalErrorEvaluation strict(0.0057, 0.95);
    for (int i = 0; i < 50; ++i)
    {
        strict.Add({Row{"t", "p99_slowdown", "all", 1, 1, 0},
                    Row{"m", "p99_slowdown", "all", 1, 1, i % 2 ? 0.03 : 0.07}});
    }
    NS_TEST_EXPECT_MSG_EQ(strict.IsKnown(), false, "not to that margin");
    DCN_TEST_EXPECT_ERROR(strict.Add({Row{"t", "p99_slowdown", "all", 10, 10, NAN}}),
                          "an error needs a second method to compare with the first");
    // failed repetitions are kept out and counted; errors without variance are not trusted
    CcevalErrorEvaluation failing(0.5, 0.95);
    for (uint64_t seed = 1; seed < 50; ++seed)
    {
        failing.AddFailure(seed, "3 flows did not finish");
    }
    DCN_TEST_EXPECT_ERROR(failing.AddFailure(50, "4 flows did not finish"),
                          "50 of 50 repetitions failed; the first is the one with the seed 1: "
                          "3 flows did not finish");
    // one that did not fail does not help
    CcevalErrorEvaluation hopeless(0.5, 0.95);
    hopeless.Add(
        {Row{"t", "p99_slowdown", "all", 1, 1, 0}, Row{"m", "p99_slowdown", "all", 1, 1, 0.1}});
    for (uint64_t seed = 1; seed < 50; ++seed)
    {
        hopeless.AddFailure(seed, "late");
    }
    DCN_TEST_EXPECT_ERROR(hopeless.AddFailure(50, "late"),
                          "50 of 51 repetitions failed; the first is the one with the seed 1: "
                          "late");
    NS_TEST_EXPECT_MSG_EQ(hopeless.IsKnown(), false, "nothing is known");
    CcevalErrorEvaluation equal(0.5, 0.95);
    for (int i = 0; i < 50; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(equal.IsFixed(), false, "not before the first analysis");
        equal.Add(
            {Row{"t", "p99_slowdown", "all", 1, 1, 0}, Row{"m", "p99_slowdown", "all", 1, 1, 0}});
    }
    NS_TEST_EXPECT_MSG_EQ((equal.IsFixed() && !equal.IsKnown()), true, "nothing is random");
    NS_TEST_EXPECT_MSG_EQ(equal.GetErrors().front().assured, false, "zero variance");
    NS_TEST_EXPECT_MSG_EQ(equal.GetErrors().front().interval.estimate, 0, "the error");
    NS_TEST_EXPECT_MSG_EQ((std::isnan(equal.GetErrors().front().interval.low) &&
                           std::isnan(equal.GetErrors().front().interval.high)),
                          true,
                          "no interval of width 0");
    strict.AddFailure(7, "1 flow did not finish");
    NS_TEST_EXPECT_MSG_EQ((strict.GetN() == 50 && strict.GetNFailed() == 1), true, "counted");
    NS_TEST_EXPECT_MSG_EQ(strict.GetErrors().front().assured, false, "a choice");
    DCN_TEST_EXPECT_ERROR(CcevalErrorEvaluation(0, 0.95),
                          "the margin must be between 0 and 1, but it is 0");
}

/// Repetitions that another method answered are left out, counted and said.
class LeftOutTestCase : public TestCase
{
  public:
    LeftOutTestCase()
        : TestCase("errors of methods: answers of other methods are left out")
    {
    }

  private:
    /// A comparison: the truth, a method that answers by itself, and one that may not.
    static std::vector<DcnFctTable::SummaryRow> Compare(double error,
                                                        const std::string& by,
                                                        const std::string& variant = "")
    {
        const double known = by.empty() ? error : NAN;
        return {{"packet", "p99_slowdown", "all", 10, 10, NAN},
                {"m", "p99_slowdown", "all", 10 * (1 + error), 10, error, variant},
                {"ns3-path", "p99_slowdown", "all", 10, 10, known, by},
                {"ns3-path", "mean_abs_flow_error", "all", known, NAN, NAN, by},
                {"ns3-path", "cpu_s", "all", 1, 2, NAN, by}};
    }

    /**
     * @param errors what is known
     * @return the lines of errors.csv, with their ends
     */
    std::vector<std::string> Write(const CcevalErrorEvaluation& errors)
    {
        const std::string folder = CreateTempDirFilename("errors");
        DcnMakeFolder(folder);
        errors.Report(folder);
        std::ifstream file(folder + "/errors.csv");
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);)
        {
            lines.push_back(line);
        }
        return lines;
    }

    void DoRun() override
    {
        // always by packets: nothing is known of it, and the other is known all the same
        CcevalErrorEvaluation never(0.05, 0.95);
        for (int i = 0; i < 50; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(never.IsGivenUp("ns3-path"), false, "too early");
            never.Add(Compare(i % 2 ? 0.03 : 0.07, "packet"));
        }
        NS_TEST_EXPECT_MSG_EQ(never.IsGivenUp("ns3-path"), true, "packets answer");
        NS_TEST_EXPECT_MSG_EQ(never.IsGivenUp("m"), false, "answers itself");
        NS_TEST_EXPECT_MSG_EQ((never.IsKnown() || never.IsFixed()), false, "one is not known");
        const auto errors = never.GetErrors();
        NS_TEST_ASSERT_MSG_EQ(errors.size(), 2, "errors");
        NS_TEST_EXPECT_MSG_EQ_TOL(errors[0].interval.estimate, 0.05, 1e-12, "the other");
        NS_TEST_EXPECT_MSG_EQ(errors[1].method, "ns3-path", "is not forgotten");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(errors[1].interval.estimate), true, "not 0");
        auto lines = Write(never);
        NS_TEST_ASSERT_MSG_EQ(lines.size(), 3, "header and two");
        NS_TEST_EXPECT_MSG_EQ(lines[0],
                              "method,answered_by,metric,size_class,repetitions,left_out,error,"
                              "low,high,coverage_assured",
                              "header");
        NS_TEST_EXPECT_MSG_EQ(lines[2],
                              "ns3-path,packet,p99_slowdown,all,0,50,nan,nan,nan,0",
                              "no error");

        // one in ten by itself: that is not known either, and not waited for
        CcevalErrorEvaluation tenth(0.05, 0.95);
        for (int i = 0; i < 50; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(tenth.IsGivenUp("ns3-path"), false, "too early");
            tenth.Add(Compare(i % 2 ? 0.03 : 0.07, i % 10 ? "packet" : ""));
        }
        NS_TEST_EXPECT_MSG_EQ(tenth.IsGivenUp("ns3-path"), true, "45 of 50");
        NS_TEST_EXPECT_MSG_EQ(tenth.IsKnown(), false, "5 of it are not enough");
        // 12 of 110 by itself, in two variants of 6: none is frequent, but the method is waited for
        CcevalErrorEvaluation rare(0.05, 0.95);
        uint64_t repetitions = 0;
        while (!rare.IsKnown() && repetitions < 3000)
        {
            const uint64_t i = repetitions++ % 110;
            auto rows = Compare(repetitions % 4 < 2 ? 0.03 : 0.07, i < 12 ? "" : "packet");
            for (auto& row : rows)
            {
                const bool isSecond = row.method == "ns3-path" && i < 6;
                row.answeredBy = isSecond ? "ns3-path:Quick=1" : row.answeredBy;
            }
            rare.Add(rows);
        }
        uint64_t most = 0;
        for (const auto& error : rare.GetErrors())
        {
            most = error.method == "ns3-path" ? std::max(most, error.repetitions) : most;
        }
        NS_TEST_EXPECT_MSG_EQ(rare.IsKnown(), true, "in the end");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(most, 50, "one of its errors is known");
        // once by itself: no mean, but not forgotten
        CcevalErrorEvaluation once(0.05, 0.95);
        for (int i = 0; i < 50; ++i)
        {
            once.Add(Compare(i % 2 ? 0.03 : 0.07, i ? "packet" : ""));
        }
        lines = Write(once);
        NS_TEST_ASSERT_MSG_EQ(lines.size(), 3, "header and two");
        NS_TEST_EXPECT_MSG_EQ(lines[2],
                              "ns3-path,packet,p99_slowdown,all,1,49,nan,nan,nan,0",
                              "one of its own");
        // two by itself, of different variants: a row each, without an interval
        CcevalErrorEvaluation two(0.05, 0.95);
        for (int i = 0; i < 50; ++i)
        {
            auto rows = Compare(i % 2 ? 0.03 : 0.07, i < 2 ? "" : "packet");
            for (auto& row : rows)
            {
                const bool isVariant = i == 1 && row.method == "ns3-path";
                row.answeredBy = isVariant ? "ns3-path:Quick=1" : row.answeredBy;
            }
            two.Add(rows);
        }
        lines = Write(two);
        NS_TEST_ASSERT_MSG_EQ(lines.size(), 4, "header and three");
        NS_TEST_EXPECT_MSG_EQ(lines[2],
                              "ns3-path,,p99_slowdown,all,1,48,0.07,nan,nan,0",
                              "the method's own rules");
        NS_TEST_EXPECT_MSG_EQ(lines[3],
                              "ns3-path,ns3-path:Quick=1,p99_slowdown,all,1,48,0.03,nan,nan,0",
                              "the variant");

        // every second time: the mean is over the others
        CcevalErrorEvaluation half(0.05, 0.95);
        uint64_t n = 0;
        while (!half.IsKnown() && n < 1000)
        {
            ++n;
            half.Add(Compare(n % 4 < 2 ? 0.03 : 0.07, n % 2 ? "packet" : ""));
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(n, 100, "50 by itself are needed, too");
        for (const auto& error : half.GetErrors())
        {
            const bool own = error.method == "m";
            NS_TEST_EXPECT_MSG_EQ_TOL(error.interval.estimate, 0.05, 2e-3, "mean of the others");
            NS_TEST_EXPECT_MSG_EQ(error.repetitions, (own ? n : n / 2), error.metric);
            NS_TEST_EXPECT_MSG_EQ(error.leftOut, (own ? 0 : n - n / 2), error.metric);
            NS_TEST_EXPECT_MSG_EQ(error.assured, own, "leaving out is a choice");
        }
        // a variant has a mean of its own
        CcevalErrorEvaluation variants(0.05, 0.95);
        for (int i = 0; i < 60; ++i)
        {
            const double noise = i % 4 < 2 ? 0.01 : -0.01;
            variants.Add(i % 2 ? Compare(0.4 + noise, "packet", "m:Quick=1")
                               : Compare(0.1 + noise, "packet"));
        }
        for (const auto& error : variants.GetErrors())
        {
            if (error.method == "m")
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(error.interval.estimate,
                                          (error.answeredBy.empty() ? 0.1 : 0.4),
                                          1e-12,
                                          error.answeredBy);
            }
        }
        // an error that is always the same is written without an interval
        CcevalErrorEvaluation fixed(0.05, 0.95);
        for (int i = 0; i < 50; ++i)
        {
            fixed.Add({{"packet", "p99_slowdown", "all", 10, 10, NAN},
                       {"m", "p99_slowdown", "all", 11, 10, 0.125}});
        }
        lines = Write(fixed);
        NS_TEST_EXPECT_MSG_EQ(lines.back(), "m,,p99_slowdown,all,50,0,0.125,nan,nan,0", "no ends");
    }
};

/// Coverage where the repetitions stop by themselves: the p99 of a queue by one that is not right.
class ErrorCoverageTestCase : public TestCase
{
  public:
    /**
     * @param margin half-width asked for
     * @param evaluations how often
     * @param least share that must cover
     */
    ErrorCoverageTestCase(double margin, uint64_t evaluations, double least)
        : TestCase("coverage of errors of methods at " + std::to_string(margin)),
          m_margin(margin),
          m_evaluations(evaluations),
          m_least(least)
    {
    }

  private:
    /// The error of the p99 of 200 sojourn times, load 0.5, by 10 % slower and noisy service.
    double Draw()
    {
        constexpr std::size_t CUSTOMERS = 200;
        std::vector<double> times[] = {{}, {}};
        double waits[] = {0, 0};
        for (std::size_t i = 0; i < CUSTOMERS; ++i)
        {
            const double gap = 2 * m_exponential->GetValue();
            const double work = m_exponential->GetValue();
            const double noise = 0.7 + 0.3 * m_exponential->GetValue();
            for (std::size_t a = 0; a < 2; ++a)
            {
                times[a].push_back(waits[a] + work * (a == 0 ? 1 : noise / 0.9));
                waits[a] = std::max(0.0, times[a].back() - gap);
            }
        }
        for (auto& each : times)
        {
            std::nth_element(each.begin(), each.begin() + 197, each.end());
        }
        return times[1][197] / times[0][197] - 1;
    }

    void DoRun() override
    {
        using Row = DcnFctTable::SummaryRow;
        m_exponential = CreateObject<ExponentialRandomVariable>();
        DcnRandom(12).Assign(m_exponential, DcnPurpose::TRIAL_VALUES);
        CcevalMoments truth;
        for (int i = 0; i < 100000; ++i)
        {
            truth.Add(Draw());
        }
        double covered = 0;
        double repetitions = 0;
        for (uint64_t k = 0; k < m_evaluations; ++k)
        {
            CcevalErrorEvaluation errors(m_margin, 0.95);
            while (!errors.IsKnown())
            {
                const double error = Draw();
                errors.Add({Row{"t", "p99_slowdown", "all", 1, 1, NAN},
                            Row{"m", "p99_slowdown", "all", 1 + error, 1, error}});
            }
            covered += errors.GetErrors().front().interval.Contains(truth.GetMean()) ? 1 : 0;
            repetitions += static_cast<double>(errors.GetN());
        }
        const auto n = static_cast<double>(m_evaluations);
        std::printf("errors of methods, margin %g: %.1f %% of %.0f intervals cover, %.0f "
                    "repetitions\n",
                    m_margin,
                    100 * covered / n,
                    n,
                    repetitions / n);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(covered / n, m_least, "coverage");
    }

    double m_margin;                              //!< half-width asked for
    uint64_t m_evaluations;                       //!< how often
    double m_least;                               //!< share that must cover
    Ptr<ExponentialRandomVariable> m_exponential; //!< mean 1
};

/// The suite.
class CcevalComparisonTestSuite : public TestSuite
{
  public:
    CcevalComparisonTestSuite()
        : TestSuite("cceval-comparison", Type::UNIT)
    {
        AddTestCase(new ComparisonTestCase);
        AddTestCase(new ErrorTestCase);
        AddTestCase(new LeftOutTestCase);
        AddTestCase(new PooledComparisonTestCase(4000));
        const auto extensive = DCN_TEST_EXTENSIVE(CcevalComparisonTestSuite);
        AddTestCase(new ErrorCoverageTestCase(0.13, 1000, 0.935), extensive);
        AddTestCase(new ErrorCoverageTestCase(0.08, 1000, 0.935), extensive);
    }
};

CcevalComparisonTestSuite g_ccevalComparisonTestSuite; //!< the suite

} // namespace
