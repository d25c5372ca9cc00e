/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../test/dcn-test-error.h"

#include "ns3/cceval-comparison.h"
#include "ns3/cceval-error-evaluation.h"
#include "ns3/cceval-report.h"
#include "ns3/cceval-violin.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-random.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

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
        CcevalReport report({CcevalMetric::Parse("p99_fct")}, 0.95, true);
        report.Add({a});
        report.Add({b});
        const std::string folder = CreateTempDirFilename("report");
        DcnMakeFolder(folder);
        report.Write(folder);
        std::ifstream csv(folder + "/comparison.csv");
        std::string line;
        std::getline(csv, line);
        std::getline(csv, line);
        NS_TEST_EXPECT_MSG_EQ((line.find("p99_fct,a,b,3,-2.33333,") == 0), true, line);
        NS_TEST_EXPECT_MSG_EQ((line.find(",below") != std::string::npos), true, line);
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
        // failed repetitions are kept out and counted; errors without variance are not trusted
        CcevalErrorEvaluation failing(0.5, 0.95);
        for (uint64_t seed = 1; seed < 20; ++seed)
        {
            failing.AddFailure(seed, "3 flows did not finish");
        }
        DCN_TEST_EXPECT_ERROR(failing.AddFailure(20, "4 flows did not finish"),
                              "all of 20 repetitions failed; the first is the one with the seed 1: "
                              "3 flows did not finish");
        CcevalErrorEvaluation equal(0.5, 0.95);
        for (int i = 0; i < 20; ++i)
        {
            equal.Add({Row{"t", "p99_slowdown", "all", 1, 1, 0},
                       Row{"m", "p99_slowdown", "all", 1, 1, 0}});
        }
        NS_TEST_EXPECT_MSG_EQ(equal.GetErrors().front().assured, false, "zero variance");
        strict.AddFailure(7, "1 flow did not finish");
        NS_TEST_EXPECT_MSG_EQ((strict.GetN() == 20 && strict.GetNFailed() == 1), true, "counted");
        NS_TEST_EXPECT_MSG_EQ(strict.GetErrors().front().assured, false, "a choice");
        DCN_TEST_EXPECT_ERROR(CcevalErrorEvaluation(0, 0.95),
                              "the margin must be between 0 and 1, but it is 0");
    }
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
    }
};

CcevalComparisonTestSuite g_ccevalComparisonTestSuite; //!< the suite

} // namespace
