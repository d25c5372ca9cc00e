/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/statistics/cceval-moments.h"
#include "../model/statistics/cceval-size-fit.h"
#include "../model/trials/cceval-importance.h"
#include "cceval-test-queues.h"
#include "cceval-test-tools.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-size-distribution.h"

#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

/// Factors of the likelihood ratio, by the densities.
DCN_TEST_CASE(LikelihoodTestCase, "likelihood ratios")
{
    // ln S ~ N(1, 2^2) drawn from N(1.5, 2.2^2): in scores z = (ln S - 1) / 2, N(0.25, 1.1^2)
    const CcevalProposal tilt{1, 0.25, 1.1};
    double sum = 0;
    const double expected[] = {0.202748196, -0.050237130, -0.533263490};
    const double sizes[] = {1, 10, 100};
    for (int i = 0; i < 3; ++i)
    {
        const double factor = tilt.GetLogFactor((std::log(sizes[i]) - 1) / 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(factor, expected[i], 1e-9, "ln L at " << sizes[i]);
        sum += factor;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(sum, -0.380752423, 1e-9, "sum");
    const CcevalProposal mixture{0.05, 2, 0.6};
    const double scores[] = {-1, 0, 2, 3};
    const double logs[] = {0.051292755, 0.050954236, -0.448367928, -1.036913303};
    for (int i = 0; i < 4; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(mixture.GetLogFactor(scores[i]), logs[i], 1e-9, "mixture");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(CcevalProposal({0.5, 2, 1}).GetResponsibility(1),
                              0.5,
                              1e-12,
                              "halfway between two equal bells");
    NS_TEST_EXPECT_MSG_EQ(CcevalProposal({0.5, 0, 1}).GetLogFactor(3), 0, "no tilting");
    NS_TEST_EXPECT_MSG_EQ_TOL(mixture.GetLogFactor(-300), -std::log(0.95), 1e-9, "bound");

    // second moment of L under the proposal, the integral of phi^2 / g:
    // s^2 / sqrt(2 s^2 - 1) exp(m^2 / (2 s^2 - 1)) = 1.0295 per flow
    const CcevalProposal weak{1, 0.134, 1.105};
    double second = 0;
    const double step = 1e-3;
    for (double z = -10; z < 10; z += step)
    {
        second += step * std::exp(-z * z / 2 + weak.GetLogFactor(z)) / std::sqrt(2 * M_PI);
    }
    const double square = 1.105 * 1.105;
    const double exact =
        square / std::sqrt(2 * square - 1) * std::exp(0.134 * 0.134 / (2 * square - 1));
    NS_TEST_EXPECT_MSG_EQ_TOL(second, exact, 1e-6, "E[L^2]");
    NS_TEST_EXPECT_MSG_EQ_TOL(std::pow(second, 45), 3.7, 0.05, "of 45 flows");
}

/// A flow carries the factors of the flows that have arrived when it is done.
DCN_TEST_CASE(WeighTestCase, "which flows' factors a flow carries")
{
    using Times = std::vector<double>;
    const Times starts{0, 1, 2};
    const Times work{3, 1, 1};
    NS_TEST_EXPECT_MSG_EQ((CcevalToyQueue(starts, work, false) == Times{3, 3, 3}), true, "FIFO");
    NS_TEST_EXPECT_MSG_EQ((CcevalToyQueue(starts, work, true) == Times{5, 2.5, 2.5}), true, "PS");

    CcevalTiltedTrial trial;
    for (const int64_t start : {0, 1, 2, 10})
    {
        trial.trace.flows.push_back({trial.trace.flows.size(), 0, 1, 1, start});
    }
    trial.trace.logFactors = {0.1, 0.2, 0.4, 0.8};
    trial.fctNs = {5, 1, 1, 7}; // done at 5, 2, 3, 17: arrived by then 3, 3, 3, 4
    trial.values = {5, NAN, 1, 7};
    trial.flows = 3;
    const CcevalCycle cycle = CcevalWeigh(trial);
    NS_TEST_EXPECT_MSG_EQ(cycle.values.size(), 3, "flows of the class");
    NS_TEST_EXPECT_MSG_EQ_TOL(cycle.values[0].second, std::exp(0.7), 1e-12, "flow 0");
    NS_TEST_EXPECT_MSG_EQ_TOL(cycle.values[1].second, std::exp(0.7), 1e-12, "flow 2");
    NS_TEST_EXPECT_MSG_EQ_TOL(cycle.values[2].second, std::exp(1.5), 1e-12, "flow 3");
    NS_TEST_EXPECT_MSG_EQ_TOL(trial.trace.GetLogLikelihood(), 1.5, 1e-12, "whole trial");
}

/// The index of the weighted quantile; the printed one is an order statistic too high.
DCN_TEST_CASE(IndexTestCase, "index of the weighted quantile")
{
    const std::vector<std::pair<double, double>> five{{1, 0.5},
                                                      {2, 0.5},
                                                      {3, 2},
                                                      {4, 0.5},
                                                      {5, 0.5}};
    NS_TEST_EXPECT_MSG_EQ(CcevalTopDownQuantile(five, (1 - 0.82) * 5), 4, "corrected");
    NS_TEST_EXPECT_MSG_EQ(CcevalTopDownQuantile(five, (1 - 0.82) * 5, true), 5, "printed");
    std::vector<std::pair<double, double>> hundred;
    for (int i = 1; i <= 100; ++i)
    {
        hundred.emplace_back(i, 1);
    }
    for (const double p : {0.985, 0.99}) // (1 - 0.99) 100 is a little more than 1
    {
        NS_TEST_EXPECT_MSG_EQ(CcevalTopDownQuantile(hundred, (1 - p) * 100), 99, "corrected");
        NS_TEST_EXPECT_MSG_EQ(CcevalTopDownQuantile(hundred, (1 - p) * 100, true), 100, "printed");
    }
    NS_TEST_EXPECT_MSG_EQ(std::isnan(CcevalTopDownQuantile(five, 5)), true, "never exceeded");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(CcevalTopDownQuantile(five, 0.1, true)),
                          true,
                          "the printed one has no answer where the top weight is too much");
    // the inversion finds the same value: 50 trials of two flows
    std::vector<CcevalCycle> cycles;
    for (int i = 1; i <= 100; i += 2)
    {
        cycles.push_back({{{i, 1}, {i + 1, 1}}, 2});
    }
    NS_TEST_EXPECT_MSG_EQ(CcevalPooledQuantile(0.9, cycles).GetInterval(0.95).estimate, 90, "p90");
    NS_TEST_EXPECT_MSG_EQ(CcevalPooledQuantile(0.95, cycles).GetInterval(0.95).estimate, 95, "p95");
    NS_TEST_EXPECT_MSG_EQ(CcevalPooledQuantile(0.9, cycles).GetTailProbability(90), 0.1, "tail");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(CcevalPooledQuantile(0.999, cycles).GetInterval(0.95).high),
                          true,
                          "no upper end beyond the sample");
}

/// The log-normal fit, and why it must not replace the sizes.
DCN_TEST_CASE(FitTestCase, "log-normal fit of flow sizes")
{
    const auto fit = CcevalLogNormalFit::Make("web-search");
    NS_TEST_EXPECT_MSG_EQ_TOL(fit.mu, 11.725256, 2e-6, "mu");
    NS_TEST_EXPECT_MSG_EQ_TOL(fit.sigma, 2.834533, 2e-6, "sigma");
    NS_TEST_EXPECT_MSG_EQ_TOL(fit.squaredError, 0.02295, 1e-5, "squared error");
    NS_TEST_EXPECT_MSG_EQ_TOL(fit.largestError, 0.091, 5e-4, "largest error");
    const auto sizes = DcnSizeDistribution::Create("web-search");
    NS_TEST_EXPECT_MSG_EQ_TOL(sizes->GetMean(), 1711250, 1, "mean of the sizes");
    NS_TEST_EXPECT_MSG_EQ_TOL(fit.GetMean() / sizes->GetMean(), 4.014, 1e-3, "mean of the fit");
    NS_TEST_EXPECT_MSG_EQ(fit.GetSize(0), std::llround(std::exp(fit.mu)), "median of the fit");
    NS_TEST_EXPECT_MSG_EQ(sizes->GetQuantile(0.5), 73077, "median");
    NS_TEST_EXPECT_MSG_EQ(sizes->GetQuantile(0.99), 23333333, "99th percentile");
    // of four forms, the one that a distribution has fits best (figure 14b of the paper)
    const auto forms = CcevalFitForms("exp:20000");
    NS_TEST_ASSERT_MSG_EQ(forms.size(), 4, "forms");
    NS_TEST_EXPECT_MSG_EQ(forms[2].form, "exponential", "third");
    NS_TEST_EXPECT_MSG_LT(forms[2].largestError, 0.01, "exponential sizes, shifted by 50 bytes");
    for (const auto& other : {forms[0], forms[1], forms[3]})
    {
        NS_TEST_EXPECT_MSG_GT(other.squaredError, 10 * forms[2].squaredError, other.form);
    }
    const auto web = CcevalFitForms("web-search");
    NS_TEST_EXPECT_MSG_EQ_TOL(web[0].squaredError, fit.squaredError, 1e-12, "log-normal as above");
    NS_TEST_EXPECT_MSG_LT(web[0].squaredError, web[1].squaredError, "better than normal");
    NS_TEST_EXPECT_MSG_LT(web[0].squaredError, web[2].squaredError, "better than exponential");
    // a log-normal distribution is found again
    const auto again = CcevalLogNormalFit::Make("lognorm:20000");
    NS_TEST_EXPECT_MSG_EQ_TOL(again.sigma, 1.4, 0.02, "but for the floor of 50 bytes");
    DCN_TEST_EXPECT_ERROR(CcevalLogNormalFit::Make(std::vector<std::pair<double, double>>{{1, 1}}),
                          "a log-normal fit needs three points of the distribution, but there "
                          "are 1");
    // every distribution: the mean of its quantiles is its mean
    for (const std::string name : {"web-search",
                                   "web-server",
                                   "exp:20000",
                                   "gaussian:20000",
                                   "lognorm:20000",
                                   "pareto:20000",
                                   "constant:700"})
    {
        const auto distribution = DcnSizeDistribution::Create(name);
        double sum = 0;
        const int n = 200000;
        for (int i = 0; i < n; ++i)
        {
            sum += static_cast<double>(distribution->GetQuantile((i + 0.5) / n)) / n;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, distribution->GetMean(), 3e-3 * sum, name);
    }
}

/// A step of the search, where its result is known: one flow per trial, and R is its size.
DCN_TEST_CASE(TuneTestCase, "cross-entropy with likelihood weights")
{
    // Whatever trials are drawn from, m' = E[z | z > z_p] = phi(z_p) / (1 - p) and
    // s'^2 = 1 + z_p m' - m'^2: 1.7550 and 0.4114^2 at p = 0.9. Without weights, as printed, the
    // mean would be 1 + 1.2 * 1.7550.
    const CcevalTraffic traffic = CcevalToyTraffic(1, 0.3, "web-search");
    const CcevalProposal tilt{1, 1, 1.2};
    const auto trials = CcevalDrawTrials(traffic, CcevalStage::TUNING, 0, 6000, tilt, true);
    const CcevalProposal next = CcevalTune(tilt, trials, 0.9);
    NS_TEST_EXPECT_MSG_EQ_TOL(next.mean, 1.7550, 0.03, "m'");
    NS_TEST_EXPECT_MSG_EQ_TOL(next.deviation, 0.4114, 0.03, "s'");
    NS_TEST_EXPECT_MSG_EQ(next.share, 1, "all flows");
    // the mixture: q' is the part of the tail's flows that came from the proposal, nearly all
    const CcevalProposal mixture{0.3, 1.7, 0.5};
    const auto mixed = CcevalDrawTrials(traffic, CcevalStage::TUNING, 0, 6000, mixture, true);
    const CcevalProposal after = CcevalTune(mixture, mixed, 0.9);
    NS_TEST_EXPECT_MSG_EQ_TOL(after.mean, 1.7550, 0.05, "m' of the mixture");
    NS_TEST_EXPECT_MSG_GT(after.share, 0.7, "q' of the mixture");
}

/// Estimates are unbiased: sharing and first-in-first-out queues against brute force.
class UnbiasedTestCase : public TestCase
{
  public:
    /**
     * @param shared see CcevalToyQueue
     * @param plain trials of the brute force
     * @param tilted trials drawn from a proposal
     */
    UnbiasedTestCase(bool shared, uint64_t plain, uint64_t tilted)
        : TestCase(shared ? "unbiased: shared queue" : "unbiased: first in, first out"),
          m_shared(shared),
          m_plain(plain),
          m_tilted(tilted)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t FLOWS = 45;
        const CcevalTraffic traffic = CcevalToyTraffic(FLOWS, 0.3, "web-search");
        const CcevalPooledQuantile force(
            0.99,
            CcevalCyclesOf(
                CcevalDrawTrials(traffic, CcevalStage::TRIALS, 0, m_plain, {}, m_shared)));
        const double g = force.GetInterval(0.95).estimate;
        for (const CcevalProposal& proposal :
             {CcevalProposal{0.06, 2.2, 0.5}, CcevalProposal{1, 0.1, 1.05}})
        {
            const auto trials =
                CcevalDrawTrials(traffic, CcevalStage::TILTED, 0, m_tilted, proposal, m_shared);
            CcevalMoments likelihoods;
            for (const auto& trial : trials)
            {
                likelihoods.Add(std::exp(trial.trace.GetLogLikelihood()));
            }
            const CcevalPooledQuantile pooled(0.99, CcevalCyclesOf(trials));
            const auto n = static_cast<double>(m_tilted);
            const double error = likelihoods.GetDeviation() / std::sqrt(n);
            NS_TEST_EXPECT_MSG_EQ_TOL(likelihoods.GetMean(), 1, 4 * error, "E[L]");
            const double level = 0.95;
            const auto one = force.GetExcess(g, level);
            const auto two = pooled.GetExcess(g, level);
            const double sigma = std::hypot(one.GetHalfWidth(), two.GetHalfWidth()) / 1.96;
            NS_TEST_EXPECT_MSG_EQ_TOL(two.estimate, one.estimate, 3.5 * sigma, "P(R > g)");
            if (proposal.share < 1)
            {
                // per trial the mixture is better than plain sampling (2.5-fold in simulations
                // made for the design)
                const double gain = std::pow(one.GetHalfWidth() / two.GetHalfWidth(), 2) *
                                    static_cast<double>(m_plain) / n;
                NS_TEST_EXPECT_MSG_GT(gain, 1.5, "variance reduction");
            }
        }
        // switching: as unbiased, whatever the threshold
        std::vector<CcevalTiltedTrial> switched(m_tilted);
        const CcevalProposal tilt{1, 0.1, 1.05};
        for (uint64_t i = 0; i < m_tilted; ++i)
        {
            const uint64_t seed = CcevalSeed(1, CcevalStage::TILTED, i);
            switched[i].trace = traffic.Draw(seed, tilt);
            CcevalToySimulate(switched[i], m_shared);
            const int64_t at = CcevalSwitchNs(switched[i], g);
            if (at < INT64_MAX)
            {
                switched[i].trace = traffic.Draw(seed, tilt, at + 1);
                CcevalToySimulate(switched[i], m_shared);
            }
        }
        const auto plainExcess = force.GetExcess(g, 0.95);
        const auto switchedExcess =
            CcevalPooledQuantile(0.99, CcevalCyclesOf(switched)).GetExcess(g, 0.95);
        NS_TEST_EXPECT_MSG_EQ_TOL(
            switchedExcess.estimate,
            plainExcess.estimate,
            3.5 / 1.96 * std::hypot(plainExcess.GetHalfWidth(), switchedExcess.GetHalfWidth()),
            "P(R > g) with switching");
        // without tilting, nothing changes, to the last bit
        const auto same =
            CcevalDrawTrials(traffic, CcevalStage::TRIALS, 0, 100, {1, 0, 1}, m_shared);
        const auto plain = CcevalDrawTrials(traffic, CcevalStage::TRIALS, 0, 100, {}, m_shared);
        double logs = 0;
        for (const auto& trial : same)
        {
            logs += std::abs(trial.trace.GetLogLikelihood());
        }
        NS_TEST_EXPECT_MSG_EQ(logs, 0, "log likelihoods");
        NS_TEST_EXPECT_MSG_EQ(
            CcevalPooledQuantile(0.99, CcevalCyclesOf(same)).GetInterval(0.95).estimate,
            CcevalPooledQuantile(0.99, CcevalCyclesOf(plain)).GetInterval(0.95).estimate,
            "quantile");
    }

    bool m_shared;     //!< see CcevalToyQueue
    uint64_t m_plain;  //!< trials of the brute force
    uint64_t m_tilted; //!< trials drawn from a proposal
};

/// The search finds a proposal that passes the gates; a bad one falls back to plain sampling.
DCN_TEST_CASE(GatesTestCase, "search, gates and switching")
{
    const CcevalTraffic traffic = CcevalToyTraffic(45, 0.3, "web-search");
    CcevalImportance importance(
        {},
        [&](CcevalStage stage, uint64_t first, uint64_t n, const CcevalProposal& proposal) {
            return CcevalDrawTrials(traffic, stage, first, n, proposal, true);
        });
    const CcevalProposal found = importance.Search(45);
    NS_TEST_EXPECT_MSG_GT(found.mean, 1.5, "tail sizes");
    NS_TEST_EXPECT_MSG_LT(found.share * 45, 4.01, "few flows of a trial");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(importance.GetTuningTrials(), 100, "tuning trials");
    // no tuning trial is drawn twice, although one in three fails
    uint64_t next = 0;
    CcevalImportance failing(
        {},
        [&](CcevalStage stage, uint64_t first, uint64_t n, const CcevalProposal& proposal) {
            NS_TEST_EXPECT_MSG_EQ(first, next, "first of the next trials");
            next = first + n;
            auto drawn = CcevalDrawTrials(traffic, stage, first, n, proposal, true);
            drawn.resize(n - n / 3);
            return drawn;
        });
    failing.Search(45);
    NS_TEST_EXPECT_MSG_EQ(failing.GetTuningTrials(), next, "failed ones, too");
    const auto plain = CcevalDrawTrials(traffic, CcevalStage::TRIALS, 0, 100, {}, true);
    const auto tilted = CcevalDrawTrials(traffic, CcevalStage::TILTED, 0, 600, found, true);
    const auto good = importance.Evaluate(found, tilted, plain);
    NS_TEST_EXPECT_MSG_EQ(good.reason, "", "passes");
    NS_TEST_EXPECT_MSG_EQ(good.tilted, true, "tilted");

    // so far out that no weight is seen: a narrow interval about a wrong value
    const CcevalProposal drifted{1, 1.136, 1.466};
    const auto bad =
        importance.Evaluate(drifted,
                            CcevalDrawTrials(traffic, CcevalStage::TILTED, 0, 600, drifted, true),
                            plain);
    NS_TEST_EXPECT_MSG_EQ(bad.tilted, false, "refused");
    NS_TEST_EXPECT_MSG_EQ(bad.drifted, true, bad.reason);
    NS_TEST_EXPECT_MSG_EQ((bad.reason.find("the likelihood ratios have the mean ") == 0),
                          true,
                          bad.reason);
    const double fallback =
        CcevalPooledQuantile(0.99, CcevalCyclesOf(plain)).GetInterval(0.95).estimate;
    NS_TEST_EXPECT_MSG_EQ(bad.interval.estimate, fallback, "plain sampling");

    // switching: until the first large flow is done nothing differs; what starts later is as
    // in a trial without tilting
    const CcevalProposal strong{1, 1, 1};
    const double threshold = 5e6;
    const uint64_t seed = CcevalSeed(1, CcevalStage::TILTED, 3);
    CcevalTiltedTrial all;
    all.trace = traffic.Draw(seed, strong);
    CcevalToySimulate(all, true);
    const int64_t at = CcevalSwitchNs(all, threshold);
    CcevalTiltedTrial switched;
    switched.trace = traffic.Draw(seed, strong, at + 1);
    CcevalToySimulate(switched, true);
    NS_TEST_EXPECT_MSG_EQ(CcevalSwitchNs(switched, threshold), at, "the same instant");
    const auto original = traffic.Draw(seed);
    NS_TEST_EXPECT_MSG_LT(at, all.trace.flows.back().startNs, "something to switch");
    for (std::size_t i = 0; i < all.values.size(); ++i)
    {
        const bool before = all.trace.flows[i].startNs <= at;
        const auto& expected = before ? all.trace : original;
        NS_TEST_EXPECT_MSG_EQ(switched.trace.scores[i], expected.scores[i], "flow " << i);
        NS_TEST_EXPECT_MSG_EQ((switched.trace.logFactors[i] == 0), !before, "factor " << i);
    }
    DCN_TEST_EXPECT_ERROR(CcevalImportance({0.99, 2}, nullptr),
                          "the confidence level must be between 0 and 1, but it is 2");
}

/// The suite.
class CcevalImportanceTestSuite : public TestSuite
{
  public:
    CcevalImportanceTestSuite()
        : TestSuite("cceval-importance", Type::UNIT)
    {
        AddTestCase(new LikelihoodTestCase);
        AddTestCase(new WeighTestCase);
        AddTestCase(new IndexTestCase);
        AddTestCase(new FitTestCase);
        AddTestCase(new TuneTestCase);
        AddTestCase(new UnbiasedTestCase(true, 3000, 800));
        AddTestCase(new UnbiasedTestCase(false, 3000, 800));
        AddTestCase(new GatesTestCase);
        const auto extensive = DCN_TEST_EXTENSIVE(CcevalImportanceTestSuite);
        AddTestCase(new UnbiasedTestCase(true, 50000, 10000), extensive);
        AddTestCase(new UnbiasedTestCase(false, 50000, 10000), extensive);
    }
};

CcevalImportanceTestSuite g_ccevalImportanceTestSuite; //!< the suite

} // namespace
