/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/statistics/cceval-moments.h"
#include "../model/statistics/cceval-pooled-quantile.h"
#include "../model/statistics/cceval-stopping-rule.h"
#include "../model/trials/cceval-proposal.h"
#include "../model/trials/cceval-runner.h"
#include "cceval-test-queues.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/cceval-forecast.h"
#include "ns3/cceval-interval.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/string.h"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Moments of distributions whose moments are formulas.
DCN_TEST_CASE(MomentsFormulaTestCase, "moments of two values, scaled and in any order")
{
    // k ones among n values: p = k / n, skewness (1 - 2 p) / sqrt(p (1 - p)),
    // excess kurtosis (1 - 6 p (1 - p)) / (p (1 - p))
    for (const int k : {1, 3, 10})
    {
        CcevalMoments forward;
        CcevalMoments scaled; // 5 - 3 Z, last value first
        constexpr int N = 20;
        for (int i = 0; i < N; ++i)
        {
            forward.Add(i < k ? 1 : 0);
            scaled.Add(5 - 3 * (N - 1 - i < k ? 1 : 0));
        }
        const double p = static_cast<double>(k) / N;
        const double v = p * (1 - p);
        NS_TEST_EXPECT_MSG_EQ_TOL(forward.GetMean(), p, 1e-14, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(forward.GetVariance(), v * N / (N - 1), 1e-14, "variance");
        NS_TEST_EXPECT_MSG_EQ_TOL(forward.GetSkewness(),
                                  (1 - 2 * p) / std::sqrt(v),
                                  1e-12,
                                  "skewness");
        NS_TEST_EXPECT_MSG_EQ_TOL(forward.GetExcessKurtosis(),
                                  (1 - 6 * v) / v,
                                  1e-11,
                                  "excess kurtosis");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaled.GetMean(), 5 - 3 * p, 1e-13, "mean of a + b Z");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaled.GetDeviation(),
                                  3 * forward.GetDeviation(),
                                  1e-13,
                                  "|b| s");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaled.GetSkewness(),
                                  -forward.GetSkewness(),
                                  1e-12,
                                  "the sign of b");
        NS_TEST_EXPECT_MSG_EQ_TOL(scaled.GetExcessKurtosis(),
                                  forward.GetExcessKurtosis(),
                                  1e-11,
                                  "no unit");
    }
    const CcevalMoments none;
    NS_TEST_EXPECT_MSG_EQ(none.GetN(), 0, "none");
    NS_TEST_EXPECT_MSG_EQ(none.GetVariance(), 0, "of none");
}

DCN_TEST_CASE(IntervalFormulaTestCase, "quantiles that are formulas, and symmetries of intervals")
{
    for (const double p : {0.005, 0.3, 0.975})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(CcevalNormalCdf(CcevalNormalQuantile(p)), p, 1e-12, "normal");
        NS_TEST_EXPECT_MSG_EQ_TOL(CcevalStudentQuantile(p, 1),
                                  std::tan(M_PI * (p - 0.5)),
                                  1e-8,
                                  "Cauchy");
        NS_TEST_EXPECT_MSG_EQ_TOL(CcevalStudentQuantile(p, 2),
                                  (2 * p - 1) / std::sqrt(2 * p * (1 - p)),
                                  1e-8,
                                  "2 degrees of freedom");
        NS_TEST_EXPECT_MSG_EQ_TOL(CcevalChiSquareQuantile(p, 2),
                                  -2 * std::log(1 - p),
                                  1e-9,
                                  "exponential with mean 2");
    }
    // of a and b: s / sqrt(2) = |a - b| / 2
    CcevalMoments two;
    two.Add(3);
    two.Add(11);
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalMeanInterval(two, 0.95).GetHalfWidth(),
                              4 * std::tan(0.475 * M_PI),
                              1e-6,
                              "of two values");
    // values turned around turn the interval around
    for (const double lambda : {1e-4, 0.05, 0.4})
    {
        const auto right = CcevalSkewedInterval(7, 2, lambda, 1.96);
        const auto left = CcevalSkewedInterval(-7, 2, -lambda, 1.96);
        NS_TEST_EXPECT_MSG_EQ_TOL(right.low, -left.high, 1e-9, "mirrored");
        NS_TEST_EXPECT_MSG_EQ_TOL(right.high, -left.low, 1e-9, "mirrored");
        NS_TEST_EXPECT_MSG_EQ(right.Contains(7), true, "around the estimate");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalBonferroniLevel(0.95, 1), 0.95, 1e-15, "one interval");
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalBonferroniLevel(0.95, 10), 0.995, 1e-15, "ten");
}

/// Proposals: the weights turn their density into that of the original.
DCN_TEST_CASE(ProposalFormulaTestCase, "weights of proposals")
{
    auto density = [](double z, double m, double s) {
        return std::exp(-(z - m) * (z - m) / (2 * s * s)) / (s * std::sqrt(2 * M_PI));
    };
    for (const CcevalProposal& proposal :
         {CcevalProposal{0.05, 2, 0.6}, CcevalProposal{0.4, 1, 1.5}, CcevalProposal{1, 0.3, 1.1}})
    {
        const double q = proposal.share;
        double responsibility = 0;
        constexpr double STEP = 1e-3;
        for (double z = -12; z < 12; z += STEP)
        {
            const double drawn =
                (1 - q) * density(z, 0, 1) + q * density(z, proposal.mean, proposal.deviation);
            const double original = density(z, 0, 1);
            NS_TEST_EXPECT_MSG_EQ_TOL(drawn * std::exp(proposal.GetLogFactor(z)),
                                      original,
                                      1e-9 * original + 1e-300,
                                      "drawn times weight at " << z);
            responsibility += STEP * drawn * proposal.GetResponsibility(z);
            if (q < 1)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(proposal.GetLogFactor(z),
                                            -std::log(1 - q) * (1 + 1e-12),
                                            "bound 1 / (1 - q)");
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(responsibility, q, 1e-6, "as many come from the proposal");
    }
    const CcevalProposal none;
    NS_TEST_EXPECT_MSG_EQ(none.IsOriginal(), true, "nothing is tilted");
    NS_TEST_EXPECT_MSG_EQ(none.GetLogFactor(3), 0, "no weight");
    NS_TEST_EXPECT_MSG_EQ((CcevalProposal{0.5, 0, 1}.IsOriginal()), true, "the same density");
    NS_TEST_EXPECT_MSG_EQ((CcevalProposal{0.5, 0, 1}.GetLogFactor(-2)), 0, "no weight");
    NS_TEST_EXPECT_MSG_EQ((CcevalProposal{0.1, 2.1, 0.6}.Describe()),
                          "10 % of the flows from N(2.1, 0.6^2)",
                          "description");
}

/**
 * @param large how many of ten values are 10; the others are 1
 * @return the cycle
 */
CcevalCycle
Cycle(int large)
{
    CcevalCycle cycle;
    for (int i = 0; i < 10; ++i)
    {
        cycle.values.emplace_back(i < large ? 10 : 1, 1);
    }
    cycle.flows = 10;
    return cycle;
}

DCN_TEST_CASE(PooledFormulaTestCase, "pooled quantiles by hand")
{
    // N equal cycles of 1, ..., 10: nothing varies, and 1 of 10 is above 9
    std::vector<CcevalCycle> equal(7);
    for (auto& cycle : equal)
    {
        for (int value = 1; value <= 10; ++value)
        {
            cycle.values.emplace_back(value, 1);
        }
        cycle.flows = 10;
    }
    const CcevalPooledQuantile ramp(0.9, equal);
    const auto exact = ramp.GetInterval(0.95);
    NS_TEST_EXPECT_MSG_EQ(exact.estimate, 9, "inf{g : P(R > g) <= 0.1}");
    NS_TEST_EXPECT_MSG_EQ((exact.low == 9 && exact.high == 9), true, "no variance");
    NS_TEST_EXPECT_MSG_EQ_TOL(ramp.GetTailProbability(7.5), 0.3, 1e-14, "3 of 10");
    NS_TEST_EXPECT_MSG_EQ_TOL(ramp.GetEffectiveSampleSize(7.5), 7, 1e-12, "all alike");
    NS_TEST_EXPECT_MSG_EQ(ramp.GetNValues(), 10, "values");
    NS_TEST_EXPECT_MSG_EQ_TOL(ramp.GetBatchInterval(3, 0.95).estimate, 9, 1e-12, "batches");

    NS_TEST_EXPECT_MSG_EQ(ramp.GetSpread(9).perTrial, 0, "no variance, no error");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(ramp.GetSpread(10).perTrial), true, "nothing above");

    // Y(5) = (number of large values) - 0.1 * 10; 6 of 20 cycles have two of them, others none
    constexpr int N = 20;
    std::vector<CcevalCycle> cycles;
    for (int i = 0; i < N; ++i)
    {
        cycles.push_back(Cycle(i < 6 ? 2 : 0));
    }
    CcevalPooledQuantile pooled(0.9, cycles);
    const double share = 0.3;
    const double error = 2 * std::sqrt(share * (1 - share) / (N - 1));
    NS_TEST_EXPECT_MSG_EQ_TOL(pooled.GetExcess(5, 0.95).estimate, 2 * share - 1, 1e-14, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(pooled.GetExcessError(5), error, 1e-14, "standard error");
    NS_TEST_EXPECT_MSG_EQ_TOL(pooled.GetEffectiveSampleSize(5), 6, 1e-12, "six trials have a tail");
    NS_TEST_EXPECT_MSG_EQ(pooled.GetEffectiveSampleSize(10), 0, "nothing above");
    NS_TEST_EXPECT_MSG_EQ(pooled.GetInterval(0.95).estimate, 1, "6 % are above 1");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(pooled.GetInterval(0.95).high),
                          true,
                          "at the largest value there is no upper end");

    // A cheap method that says the same about the trials: Y is linear in its counts, so that
    // what is left is their mean over the traces and its error. 5 of 25 traces have three.
    constexpr int M = 25;
    std::vector<CcevalCycle> traces;
    for (int i = 0; i < M; ++i)
    {
        traces.push_back(Cycle(i < 5 ? 3 : 0));
    }
    pooled.AddPreEstimate(cycles, traces, 0);
    NS_TEST_EXPECT_MSG_EQ_TOL(pooled.GetExcess(5, 0.95).estimate,
                              3 * 0.2 - 1,
                              1e-9,
                              "mean of the traces");
    NS_TEST_EXPECT_MSG_EQ_TOL(pooled.GetExcessError(5),
                              3 * std::sqrt(0.2 * 0.8 / (M - 1)),
                              1e-9,
                              "its error");
}

DCN_TEST_CASE(SpreadFormulaTestCase, "spread of pooled quantiles")
{
    // N / 2 trials with 1, 2, 3, 4 twice and as many with 5, 6, 7, 8: N of each value
    constexpr int N = 40;
    std::vector<CcevalCycle> cycles(N);
    for (int i = 0; i < N; ++i)
    {
        for (int k = 0; k < 8; ++k)
        {
            cycles[i].values.emplace_back(1 + k % 4 + 4 * (i % 2), 1);
        }
        cycles[i].flows = 8;
    }
    // p = 1/2: Q = 4, and at twice and half the odds 3 and 6: lambda = ln 2 / ln (6 / 3)
    const CcevalPooledQuantile pooled(0.5, cycles);
    const double q = pooled.GetInterval(0.95).estimate;
    NS_TEST_EXPECT_MSG_EQ(q, 4, "median");
    // Y(4) = -+ 4, T = 4, D = s^2 / (T p); the trials with 5 to 8 are the effective ones
    const double unbiased = N / (N - 1.0);
    const double direct = 16 * unbiased / 2;
    const double variance = 3 / (N / 2.0);
    // at 4 times the odds 0.8 of the flows are above 2: Y = 4 or 8, less 6.4, and D is
    // s^2 / (6.4 0.2)
    const double shape = 4 * unbiased / 1.28;
    const double shapeVariance = 3 / (std::pow(N / 2.0 * 12, 2) / (N / 2.0 * 80));
    const double mine = 1 / variance;
    const double its = 1 / (shapeVariance + 0.09);
    const double d = std::exp((mine * std::log(direct) + its * std::log(shape)) / (mine + its));
    const CcevalSpread spread = pooled.GetSpread(q);
    NS_TEST_EXPECT_MSG_EQ_TOL(spread.perTrial, d * 2 / 16, 1e-9, "D T p / (T lambda)^2");
    // Y(6) = -8/3 or 4/3 and Y(3) = -10/3 or 8/3, both over T (1 - P) = 16/9
    const double slope = (std::pow(0.375, 2) + std::pow(0.75, 2)) / 2 / N / std::pow(M_LN2, 2);
    NS_TEST_EXPECT_MSG_EQ_TOL(spread.logVariance, 1 / (mine + its) + slope, 1e-9, "Var(ln W)");

    // weights: of tilted trials D at Q alone counts
    cycles[0].values[0].second = 1 + 1e-9;
    const CcevalSpread tilted = CcevalPooledQuantile(0.5, cycles).GetSpread(q);
    NS_TEST_EXPECT_MSG_EQ_TOL(tilted.perTrial, direct * 2 / 16, 1e-6, "tilted");
    NS_TEST_EXPECT_MSG_EQ_TOL(tilted.logVariance, variance + slope, 1e-6, "tilted, Var(ln W)");

    // a cheap method that says the same: what is left is the error of its means, F
    CcevalPooledQuantile controlled(0.5, cycles);
    controlled.AddPreEstimate(cycles, {cycles[0], cycles[1], cycles[2], cycles[3]}, 0);
    const CcevalSpread left = controlled.GetSpread(q);
    NS_TEST_EXPECT_MSG_EQ_TOL(left.perTrial, 0, 1e-6, "no error of the trials");
    NS_TEST_EXPECT_MSG_EQ_TOL(left.fixed, 64.0 / 3 / 4 / 16, 1e-6, "Var(-+ 4) / (4 T^2)");

    // certain means, but whether the median is 3, 4 or 5 depends on single flows
    std::vector<CcevalCycle> many;
    for (int i = 0; i < 100; ++i)
    {
        many.insert(many.end(), cycles.begin(), cycles.end());
    }
    CcevalPooledQuantile certain(0.5, cycles);
    certain.AddPreEstimate(cycles, many, 0);
    NS_TEST_EXPECT_MSG_EQ(certain.GetInterval(0.95).low, 3, "the next smaller value");
    NS_TEST_EXPECT_MSG_EQ(certain.GetInterval(0.95).high, 5, "the next larger value");

    // v^2 W / eps^2 trials, and the quantiles of chi-square for the band
    const CcevalStoppingRule rule(CcevalStoppingRule::Kind::GUARDED, 0.1, 0.95);
    const double per = std::pow(0.1 / 1.959963985, 2);
    const auto told = CcevalForecast::MakeBySpread(rule, 20, {800 * per, 0, 0.2});
    NS_TEST_EXPECT_MSG_EQ(told.trials, rule.GetNextCheck(800), "point");
    NS_TEST_EXPECT_MSG_EQ(told.low, rule.GetNextCheck(391), "800 10 / 20.48318");
    NS_TEST_EXPECT_MSG_EQ(told.high, rule.GetNextCheck(2464), "800 10 / 3.24697");
    const auto half = CcevalForecast::MakeBySpread(rule, 20, {800 * per, per / 2, 0.2});
    NS_TEST_EXPECT_MSG_EQ(half.trials, rule.GetNextCheck(1600), "half of the room is taken");
    NS_TEST_EXPECT_MSG_GT(CcevalForecast::MakeBySpread(rule, 20, {per, 1.01 * per, 0}).trials,
                          999'999'999'999'999,
                          "no room");
    NS_TEST_EXPECT_MSG_EQ(CcevalForecast::MakeBySpread(rule, 200, {per, 0, 0.2}).high,
                          rule.GetNextCheck(200),
                          "it is there");
    NS_TEST_EXPECT_MSG_EQ(CcevalForecast::MakeBySpread(rule, 20, {std::nan(""), 0, 0.2}).trials,
                          0,
                          "not known");
}

/// Method "cceval-test-model": has learned something, and an attribute that can only be set.
class TestModelEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::CcevalTestModelEstimator")
                                .SetParent<DcnEstimator>()
                                .AddConstructor<TestModelEstimator>()
                                .AddAttribute("Kind",
                                              "Can be set alone.",
                                              StringValue("any"),
                                              MakeStringAccessor(&TestModelEstimator::SetKind),
                                              MakeStringChecker())
                                .AddAttribute("Model",
                                              "File of the model.",
                                              StringValue(""),
                                              MakeStringAccessor(&TestModelEstimator::m_model),
                                              MakeStringChecker());
        return tid;
    }

    std::string GetName() const override
    {
        return "cceval-test-model";
    }

    std::vector<std::string> GetInputFiles() const override
    {
        return {m_model};
    }

  private:
    void SetKind(std::string kind)
    {
        m_kind = kind;
    }

    void DoEstimate(Ptr<const DcnScenario>, DcnEstimate&) override
    {
        DcnFail("it has learned nothing about ", m_kind);
    }

    std::string m_kind;  //!< attribute
    std::string m_model; //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(TestModelEstimator);

/// The digest of what a method has learned.
DCN_TEST_CASE(ModelDigestTestCase, "digest of model files")
{
    const CcevalTraffic traffic = CcevalToyTraffic(10, 0.3, "web-search");
    Ptr<const DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    const std::string file = CreateTempDirFilename("model");
    auto describe = [&](const std::string& estimator) {
        return CcevalDescribeTrials(traffic, *network, estimator);
    };
    const std::string named = "cceval-test-model:Model=" + file;
    NS_TEST_EXPECT_MSG_EQ(describe(named).count("digest"), 0, "there is no such file");
    std::ofstream(file) << "weights";
    const auto before = describe(named);
    NS_TEST_EXPECT_MSG_EQ(before.count("digest"), 1, "a digest");
    NS_TEST_EXPECT_MSG_EQ((describe(named) == before), true, "of the same file");
    std::ofstream(file) << "other weights";
    NS_TEST_EXPECT_MSG_NE(describe(named)["digest"], before.at("digest"), "trained again");
    NS_TEST_EXPECT_MSG_EQ(describe("cceval-test-model").count("digest"), 0, "no files");
    // a method that refuses the scenarios ends the run, here and in processes; nothing is stored
    for (const bool isCheap : {true, false})
    {
        CcevalRunner runner([&traffic](uint64_t run) { return traffic.Draw(run + 5); },
                            CcevalEstimatorSimulator(traffic, network, named),
                            CcevalStore("", {}),
                            1,
                            0,
                            isCheap ? CcevalRunner::Processes::CHEAP
                                    : CcevalRunner::Processes::SHARED);
        DCN_TEST_EXPECT_ERROR(runner.Run(3),
                              "trial 0 (seed 5) cannot be run: it has learned nothing about any");
    }
    // no model: a folder of cached results, which grows while trials are run
    const std::string cache = CreateTempDirFilename("cache");
    DcnMakeFolder(cache);
    const auto empty = describe("parsimon:Cache=" + cache);
    std::ofstream(cache + "/link") << "results";
    NS_TEST_EXPECT_MSG_EQ((describe("parsimon:Cache=" + cache) == empty), true, "cache");
    // the packet engine has the digest of its results, and so have its users
    const std::string packets = DcnEstimator::CreateByName("packet")->GetDigest();
    NS_TEST_EXPECT_MSG_EQ(describe("packet").at("digest"), packets, "of packets");
    // Parsimon has that of its link simulator and of its rules
    const std::string parsimon = describe("parsimon").at("digest");
    NS_TEST_EXPECT_MSG_EQ(describe("parsimon").at("digest"), parsimon, "the same again");
    NS_TEST_EXPECT_MSG_EQ(describe("parsimon:Threads=2").at("digest"), parsimon, "threads");
    NS_TEST_EXPECT_MSG_NE(parsimon, packets, "rules, too");
    NS_TEST_EXPECT_MSG_NE(describe("parsimon:Rules=published").at("digest"), parsimon, "rules");
    NS_TEST_EXPECT_MSG_NE(describe("parsimon:LinkSimulator=flowsim").at("digest"),
                          parsimon,
                          "link simulator");
    // ns3-path has those of the methods that it asks
    NS_TEST_EXPECT_MSG_EQ(describe("ns3-path").at("digest"),
                          describe("ns3-path:Engine=packet").at("digest"),
                          "packets by default");
    NS_TEST_EXPECT_MSG_NE(describe("ns3-path:Engine=m3").at("digest"),
                          describe("ns3-path").at("digest"),
                          "that of the engine");
}

DcnTestSuite<ModelDigestTestCase,
             MomentsFormulaTestCase,
             IntervalFormulaTestCase,
             ProposalFormulaTestCase,
             PooledFormulaTestCase,
             SpreadFormulaTestCase>
    g_ccevalPartsTestSuite("cceval-parts"); //!< the suite

} // namespace
