/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/statistics/cceval-plan.h"
#include "../model/trials/cceval-trial-set.h"
#include "cceval-test-queues.h"
#include "dcn-test-case.h"

#include "ns3/cceval-evaluation.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-random.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const CcevalInterval NARROW{1, 0.95, 1.05}; //!< half of a margin of 10 %
const CcevalInterval WIDE{1, 0.8, 1.2};     //!< twice that margin
constexpr double SURE = 0;                  //!< variance of ln W, so that k = 1
constexpr double ENOUGH = 1e9;              //!< effective sample size that never matter

/// @return a rule with a margin of 10 %
CcevalStoppingRule
Rule(CcevalStoppingRule::Kind kind = CcevalStoppingRule::Kind::GUARDED)
{
    return CcevalStoppingRule(kind, 0.1, 0.95);
}

/**
 * @param n trials
 * @param needed z^2 W / eps^2
 * @param logVariance Var(ln W)
 * @param effective effective sample size
 * @param interval of the quantile
 * @return that analysis
 */
CcevalAnalysis
Analyse(uint64_t n,
        double needed,
        double logVariance,
        double effective = ENOUGH,
        CcevalInterval interval = NARROW)
{
    const double perTrial = needed * std::pow(0.1 / CcevalNormalQuantile(0.975), 2);
    return {n, interval, {perTrial * (1 - 1e-12), 0, logVariance}, effective, 0};
}

/// Plans, in algebra. Analyses are at 100 1.1^k: 100, 110, 121, 134, ..., 986, 1084, 1192, 1311,
/// ...
class PlanFormulaTestCase : public TestCase
{
  public:
    PlanFormulaTestCase()
        : TestCase("plans of the number of trials")
    {
    }

  private:
    void DoRun() override
    {
        Analyses();
        Plan();
        Last();
        Safety();
        Effective();
        Bands();
        NoPlan();
        Invariants();
    }

    /// When numbers are told.
    void Analyses()
    {
        std::vector<uint64_t> analyses{0};
        while (analyses.back() < 134)
        {
            analyses.push_back(CcevalPlan::GetNextAnalysis(Rule(), analyses.back()));
        }
        const std::vector<uint64_t> expected{0, 20, 26, 36, 50, 72, 100, 110, 121, 134};
        NS_TEST_EXPECT_MSG_EQ((analyses == expected), true, "six before 110");
        // 100 1.1^46 = 8017.95: 1.1 times 7290 is beyond it
        NS_TEST_EXPECT_MSG_EQ(CcevalPlan::GetNextAnalysis(Rule(), 7290), 8018, "none is left out");
        const auto published = Rule(CcevalStoppingRule::Kind::PUBLISHED);
        NS_TEST_EXPECT_MSG_EQ(CcevalPlan::GetNextAnalysis(published, 0), 20, "the paper's first");
        NS_TEST_EXPECT_MSG_EQ(CcevalPlan::GetNextAnalysis(published, 20), 22, "10 %");
    }

    /// Var(ln W) = 0, so that k = 1 and n^ = P = 1084, a third of which is 361.3.
    void Plan()
    {
        CcevalPlan plan(Rule());
        plan.Add(Analyse(361, 1000, SURE));
        NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(), 0, "less than a third");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials,
                              1084,
                              "the analysis that 1000 trials ask for");
        NS_TEST_EXPECT_MSG_EQ((plan.IsNarrow() && !plan.IsDone()), true, "narrow by chance");
        plan.Add(Analyse(362, 1000, SURE));
        NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(), 1084, "the plan");
        // what is needed may change, in both directions, and intervals may be narrow
        for (const double needed : {100.0, 5000.0})
        {
            plan.Add(Analyse(1083, needed, 1));
            NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(), 1084, "kept");
            NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 1084, "told");
            NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().low, 1084, "no stop before it");
            NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), false, "not yet");
        }
        // nor does it fall if these trials tell no spread
        plan.Add(Analyse(1083, std::nan(""), 1));
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 1084, "stands");
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), false, "not yet");
        // not narrow there: the larger of the next analysis and of what is needed
        plan.Add(Analyse(1084, 1000, SURE, ENOUGH, WIDE));
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), false, "not narrow");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 1192, "the next analysis");
        plan.Add(Analyse(1192, 1400, SURE, ENOUGH, WIDE));
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 1443, "1400");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().low, 1311, "the next analysis");
        plan.Add(Analyse(1311, 1400, SURE));
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), true, "narrow");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 1311, "what was needed");
        // narrow at the number that was planned: done there
        CcevalPlan good(Rule());
        good.Add(Analyse(362, 1000, SURE));
        good.Add(Analyse(1084, 3000, 1));
        NS_TEST_EXPECT_MSG_EQ(good.IsDone(), true, "kept from both sides");
        // 20 trials can plan, but no evaluation ends before the rule analyses
        CcevalPlan early(Rule());
        early.Add(Analyse(36, 1, SURE));
        NS_TEST_EXPECT_MSG_EQ(early.GetTrials(), 100, "the first analysis");
        NS_TEST_EXPECT_MSG_EQ(early.IsDone(), false, "too early");
        // trials that are there already are not needed: P = 1084 although there are 5000
        CcevalPlan late(Rule());
        late.Add(Analyse(5000, 1000, SURE));
        NS_TEST_EXPECT_MSG_EQ(late.GetTrials(), 1084, "what is needed");
        NS_TEST_EXPECT_MSG_EQ(late.IsDone(), true, "more than planned");
        CcevalPlan wide(Rule());
        wide.Add(Analyse(5000, 1000, SURE, ENOUGH, WIDE));
        NS_TEST_EXPECT_MSG_EQ(wide.IsDone(), false, "not narrow");
        NS_TEST_EXPECT_MSG_EQ(wide.GetForecast().trials,
                              Rule().GetNextCheck(5001),
                              "next analysis");
    }

    /// Numbers of trials that a limit sets: they are not chosen by their intervals.
    void Last()
    {
        CcevalPlan enough(Rule());
        enough.Add(Analyse(362, 1000, 1), true);
        NS_TEST_EXPECT_MSG_EQ(enough.IsDone(), true, "narrow");
        NS_TEST_EXPECT_MSG_EQ(enough.GetTrials(), 0, "nothing is planned for what is over");
        NS_TEST_EXPECT_MSG_EQ(enough.GetForecast().trials, 362, "they were enough");
        NS_TEST_EXPECT_MSG_EQ(enough.GetForecast().high, 362, "they were enough");
        // without a plan the number that is told has its band: 1084 e^(1/2) = 1787.2
        CcevalPlan wide(Rule());
        wide.Add(Analyse(362, 1000, 1, ENOUGH, WIDE), true);
        NS_TEST_EXPECT_MSG_EQ(wide.IsDone(), false, "not narrow");
        NS_TEST_EXPECT_MSG_EQ(wide.GetTrials(), 0, "nothing is planned");
        NS_TEST_EXPECT_MSG_EQ(wide.GetForecast().trials, Rule().GetNextCheck(1788), "k n^");
        NS_TEST_EXPECT_MSG_LT(wide.GetForecast().low, wide.GetForecast().trials, "a band");
        CcevalPlan few(Rule());
        few.Add(Analyse(100, 1, SURE, 29), true);
        NS_TEST_EXPECT_MSG_EQ(few.IsDone(), false, "29 effective sample size");
        // what was planned stays so
        CcevalPlan planned(Rule());
        planned.Add(Analyse(362, 1000, SURE));
        planned.Add(Analyse(400, 1000, SURE, ENOUGH, WIDE), true);
        NS_TEST_EXPECT_MSG_EQ(planned.GetForecast().trials, 1084, "the plan");
        // with all of them the number is never below that of the trials
        CcevalPlan many(Rule());
        many.Add(Analyse(5000, 1000, SURE, ENOUGH, WIDE), true);
        NS_TEST_EXPECT_MSG_EQ(many.GetForecast().trials, Rule().GetNextCheck(5001), "more");
        NS_TEST_EXPECT_MSG_EQ(many.GetForecast().low, Rule().GetNextCheck(5001), "more");
    }

    /// P = L(k n^) with k = exp(sqrt(Var) / 2), at most e.
    void Safety()
    {
        double last = 1e9;
        for (const double variance : {100.0, 4.0, 1.0, 0.16, 0.01, 1e-4, 1e-8})
        {
            CcevalPlan plan(Rule());
            plan.Add(Analyse(362, 1000, variance));
            const double k = std::min(M_E, std::exp(std::sqrt(variance) / 2));
            NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(),
                                  Rule().GetNextCheck(static_cast<uint64_t>(std::ceil(1084 * k))),
                                  "variance " << variance);
            NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, plan.GetTrials(), "told");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.GetTrials(), last, "falls with the variance");
            last = static_cast<double>(plan.GetTrials());
            // the same safety is told before there is a plan
            CcevalPlan before(Rule());
            before.Add(Analyse(361, 1000, variance));
            NS_TEST_EXPECT_MSG_EQ(before.GetForecast().trials, plan.GetTrials(), "one number");
        }
        NS_TEST_EXPECT_MSG_EQ(last, Rule().GetNextCheck(1085), "k -> 1: the next analysis");
    }

    /// 30 effective sample size, and the least number.
    void Effective()
    {
        // 10 of 100 are effective, so that 30 need 300: L(300) = 314
        CcevalPlan plan(Rule());
        plan.Add(Analyse(100, 1, SURE, 10));
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 314, "30 n / e");
        NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(), 0, "100 < 314 / 3");
        NS_TEST_EXPECT_MSG_EQ(plan.IsNarrow(), false, "10 effective sample size");
        // 20 degrees of freedom: 300 20 / 34.1696 = 175.6 and 300 20 / 9.59078 = 625.6
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().low, 178, "lower end");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().high, 673, "upper end");
        plan.Add(Analyse(110, 1, SURE, 11));
        NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(), 314, "planned");
        plan.Add(Analyse(314, 1, SURE, 29.9));
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), false, "29.9 are too few");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 346, "315 need the next analysis");
        plan.Add(Analyse(346, 1, SURE, 30));
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), true, "30");
        // as many as are asked for
        CcevalPlan more(Rule(), 100);
        more.Add(Analyse(100, 1, SURE, 10));
        NS_TEST_EXPECT_MSG_EQ(more.GetForecast().trials, Rule().GetNextCheck(1000), "100 n / e");
        // what is needed whatever the interval
        CcevalAnalysis controlled = Analyse(100, 1, SURE);
        controlled.least = 180;
        CcevalPlan least(Rule());
        least.Add(controlled);
        NS_TEST_EXPECT_MSG_EQ(least.GetTrials(), Rule().GetNextCheck(180), "known before");
        NS_TEST_EXPECT_MSG_EQ(least.IsNarrow(), false, "100 of 180");
    }

    /// Both ends have the safety until there is a plan.
    void Bands()
    {
        // 10 degrees of freedom: 800 10 / 20.48318 = 391 and 800 10 / 3.24697 = 2464
        const CcevalStoppingRule rule = Rule();
        const double k = std::exp(std::sqrt(0.2) / 2);
        auto times = [&](double factor, uint64_t trials) {
            return rule.GetNextCheck(static_cast<uint64_t>(
                std::ceil(factor * static_cast<double>(rule.GetNextCheck(trials)))));
        };
        CcevalPlan plan(rule);
        plan.Add(Analyse(20, 800, 0.2));
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, times(k, 800), "point");
        // its plan is made with a third of them: in between the variance falls
        const auto low = static_cast<double>(rule.GetNextCheck(391));
        const double less = std::exp(std::sqrt(0.2 * std::sqrt(3 * 20 / low)) / 2);
        NS_TEST_EXPECT_MSG_LT(less, k, "less safety");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().low, times(less, 391), "low");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().high, times(k, 2464), "high");
        plan.Add(Analyse(300, 800, 0.2));
        NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(), times(k, 800), "planned");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().low, plan.GetTrials(), "it will not stop before");
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().high, times(1, 2464), "and be narrow by then");
        plan.Add(Analyse(301, 100, SURE));
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().high, plan.GetTrials(), "narrow when planned");
        // effective sample size widen it on either side
        CcevalPlan rare(rule);
        rare.Add(Analyse(20, 800, 0.2, 1));
        NS_TEST_EXPECT_MSG_EQ(rare.GetForecast().low, times(less, 391), "600 2 / 7.3778 = 163");
        NS_TEST_EXPECT_MSG_EQ(rare.GetForecast().trials, times(k, 800), "600");
        NS_TEST_EXPECT_MSG_EQ(rare.GetForecast().high, times(k, 23699), "600 2 / 0.0506356");
    }

    /// The paper's rule, and where nothing can be planned.
    void NoPlan()
    {
        const auto published = Rule(CcevalStoppingRule::Kind::PUBLISHED);
        CcevalPlan plan(published);
        plan.Add(Analyse(20, 1000, 1, ENOUGH, WIDE));
        NS_TEST_EXPECT_MSG_EQ(plan.GetForecast().trials, 1000, "neither safety nor analyses");
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), false, "not narrow");
        plan.Add(Analyse(22, 1000, 1));
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), true, "the first narrow interval");
        NS_TEST_EXPECT_MSG_EQ(plan.GetTrials(), 0, "no plan");
        CcevalPlan few(published);
        few.Add(Analyse(22, 10, 1, 11));
        NS_TEST_EXPECT_MSG_EQ(few.IsDone(), false, "30 effective sample size are needed here, too");
        NS_TEST_EXPECT_MSG_EQ(few.GetForecast().trials, 60, "and forecast");
        // an interval, but no spread
        CcevalPlan unknown(Rule());
        unknown.Add(Analyse(72, std::nan(""), 1));
        NS_TEST_EXPECT_MSG_EQ(unknown.GetForecast().trials, 0, "not known");
        NS_TEST_EXPECT_MSG_EQ(unknown.IsDone(), false, "before the first analysis");
        unknown.Add(Analyse(100, std::nan(""), 1));
        NS_TEST_EXPECT_MSG_EQ(unknown.IsDone(), true, "narrow");
        CcevalPlan nothing(Rule());
        nothing.Add(Analyse(100, 1, 1, 0, {1, std::nan(""), std::nan("")}));
        NS_TEST_EXPECT_MSG_EQ(nothing.GetForecast().trials, 0, "no flow in the tail");
        NS_TEST_EXPECT_MSG_EQ((nothing.IsDone() || nothing.IsNarrow()), false, "no interval");
        // what trials do not take away is beyond the margin
        CcevalAnalysis fixed = Analyse(100, 1, 1, ENOUGH, WIDE);
        fixed.spread.fixed = 1;
        CcevalPlan hopeless(Rule());
        hopeless.Add(fixed);
        NS_TEST_EXPECT_MSG_EQ(hopeless.GetForecast().IsReachable(), false, "no number is enough");
        NS_TEST_EXPECT_MSG_EQ((hopeless.IsDone() || hopeless.GetTrials() > 0), false, "no plan");
    }

    /// Whatever is seen: ends of the band about the number, and the plan is kept.
    void Invariants()
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        DcnRandom(11).Assign(uniform, DcnPurpose::TRIAL_VALUES);
        for (int i = 0; i < 2000; ++i)
        {
            CcevalPlan plan(Rule());
            uint64_t planned = 0;
            for (uint64_t n = 20; !plan.IsDone(); n = CcevalPlan::GetNextAnalysis(Rule(), n))
            {
                const auto trials = static_cast<double>(n);
                plan.Add(Analyse(n,
                                 std::exp(uniform->GetValue(2, 8)),
                                 std::exp(uniform->GetValue(-5, 2)),
                                 std::max(1.0, trials * uniform->GetValue(0.01, 0.3)),
                                 uniform->GetValue() < 0.5 ? NARROW : WIDE));
                const auto& told = plan.GetForecast();
                const bool inside = told.low <= told.trials && told.trials <= told.high;
                NS_TEST_ASSERT_MSG_EQ(inside, true, "band");
                NS_TEST_ASSERT_MSG_EQ((planned == 0 || plan.GetTrials() == planned), true, "kept");
                planned = plan.GetTrials();
                NS_TEST_ASSERT_MSG_EQ((!plan.IsDone() || (planned > 0 && n >= planned)),
                                      true,
                                      "not before it");
                NS_TEST_ASSERT_MSG_EQ((n < planned && told.trials != planned), false, "told");
            }
        }
    }
};

/// Evaluations of pooled quantiles stop as their plans say.
class PlannedEvaluationTestCase : public TestCase
{
  public:
    PlannedEvaluationTestCase()
        : TestCase("evaluations stop as planned")
    {
    }

  private:
    /// @return a request for metrics; the method is that of suite cceval-evaluation
    static CcevalRequest Request(const std::vector<std::string>& metrics)
    {
        CcevalRequest request;
        request.metrics = metrics;
        request.estimator = "cceval-test-queue:Noise=0.1";
        request.control = "cceval-test-queue:Speed=1.1";
        request.controlTraces = 1000;
        request.margin = 0.15;
        return request;
    }

    /**
     * @param request what is asked for
     * @param analyses filled with what was told of each analysis
     * @param trials filled with the trials
     * @return the results
     */
    static std::vector<CcevalResult> Run(const CcevalRequest& request,
                                         std::vector<CcevalResult>* analyses = nullptr,
                                         std::vector<CcevalTrial>* trials = nullptr)
    {
        CcevalEvaluation evaluation("a",
                                    CcevalToyTraffic(45, 0.3, "web-search"),
                                    DcnNetworkConfig::Preset("dctcp"),
                                    request);
        const auto results = evaluation.Run([analyses](const CcevalResult& analysis) {
            if (analyses)
            {
                analyses->push_back(analysis);
            }
        });
        if (trials)
        {
            *trials = evaluation.GetTrials();
        }
        return results;
    }

    void DoRun() override
    {
        const std::vector<std::string> names{"pooled_p90_fct", "pooled_p99_fct", "p90_fct"};
        std::vector<CcevalResult> analyses;
        std::vector<CcevalTrial> trials;
        const CcevalRequest both = Request(names);
        const auto together = Run(both, &analyses, &trials);
        for (std::size_t m = 0; m < names.size(); ++m)
        {
            const auto alone = Run(Request({names[m]}))[0];
            NS_TEST_EXPECT_MSG_EQ(together[m].converged, true, names[m]);
            NS_TEST_EXPECT_MSG_EQ(together[m].trials, alone.trials, "alone, " << names[m]);
            NS_TEST_EXPECT_MSG_EQ(together[m].interval.high, alone.interval.high, names[m]);
            if (CcevalMetric::Parse(names[m]).pooled)
            {
                Replay(both, m, trials, analyses);
            }
        }
        Failures();
        Stores();
        Limits();
        Methods();
    }

    /**
     * @brief What was told and where it stopped is what the plan says of the same trials.
     * @param request of the evaluation
     * @param metric which one
     * @param trials of the evaluation
     * @param analyses of the evaluation, all metrics
     */
    void Replay(const CcevalRequest& request,
                std::size_t metric,
                const std::vector<CcevalTrial>& trials,
                const std::vector<CcevalResult>& analyses)
    {
        const CcevalStoppingRule rule(CcevalStoppingRule::Kind::GUARDED,
                                      request.margin,
                                      request.level);
        CcevalPlan plan(rule);
        const auto asked = CcevalMetric::Parse(request.metrics[metric]);
        uint64_t n = 0;
        for (const CcevalResult& analysis : analyses)
        {
            if (analysis.metric != asked.name)
            {
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(plan.IsDone(), false, "no analysis after the stop");
            n = CcevalPlan::GetNextAnalysis(rule, n);
            std::vector<CcevalCycle> cycles;
            for (std::size_t i = 0; i < trials.size() && trials[i].run < trials[0].run + n; ++i)
            {
                cycles.push_back(trials[i].cycles[metric]);
            }
            NS_TEST_ASSERT_MSG_EQ(analysis.trials, cycles.size(), "those that have not failed");
            NS_TEST_ASSERT_MSG_EQ(analysis.trials + analysis.failed, n, "an analysis");
            const CcevalPooledQuantile pooled(asked.probability, cycles);
            plan.Add(CcevalAnalysis::Make(pooled, cycles.size(), request.level));
            NS_TEST_EXPECT_MSG_EQ(analysis.planned, plan.GetTrials(), "planned");
            NS_TEST_EXPECT_MSG_EQ(analysis.forecast.trials, plan.GetForecast().trials, "told");
            NS_TEST_EXPECT_MSG_EQ(analysis.forecast.low, plan.GetForecast().low, "band");
            NS_TEST_EXPECT_MSG_EQ(analysis.forecast.high, plan.GetForecast().high, "band");
            NS_TEST_EXPECT_MSG_EQ(analysis.converged, plan.IsDone(), "stop");
        }
        NS_TEST_EXPECT_MSG_EQ(plan.IsDone(), true, "the last analysis");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(n, plan.GetTrials(), "as planned");
        NS_TEST_EXPECT_MSG_GT(plan.GetTrials(), 0, "planned");
    }

    /// Trials that fail, before and after the plan was made, count for nothing of it.
    void Failures()
    {
        CcevalRequest request = Request({"pooled_p90_fct"});
        request.estimator += ":FailEvery=10";
        std::vector<CcevalResult> analyses;
        std::vector<CcevalTrial> trials;
        const auto result = Run(request, &analyses, &trials)[0];
        Replay(request, 0, trials, analyses);
        const auto planned =
            std::find_if(analyses.begin(), analyses.end(), [](const CcevalResult& analysis) {
                return analysis.planned > 0;
            });
        NS_TEST_ASSERT_MSG_EQ((planned != analyses.end()), true, "planned");
        NS_TEST_EXPECT_MSG_GT(planned->failed, 0, "failed before");
        NS_TEST_EXPECT_MSG_GT(result.failed, planned->failed, "and after");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(result.trials, planned->planned, "the others are as planned");
        NS_TEST_EXPECT_MSG_EQ(result.converged, true, "known to the margin");
        NS_TEST_EXPECT_MSG_EQ(result.assured, false, "leaving out failures is a choice");
    }

    /// An evaluation that was interrupted analyses again at what it had looked at.
    void Stores()
    {
        CcevalRequest request = Request({"pooled_p90_fct"});
        const auto whole = Run(request)[0];
        request.folder = CreateTempDirFilename("store");
        DcnMakeFolder(request.folder);
        CcevalRequest part = request;
        part.maxTrials = 60;
        NS_TEST_EXPECT_MSG_EQ(Run(part)[0].converged, false, "interrupted");
        const auto again = Run(request)[0];
        NS_TEST_EXPECT_MSG_EQ(again.trials, whole.trials, "the same number of trials");
        NS_TEST_EXPECT_MSG_EQ(again.interval.low, whole.interval.low, "the same interval");
    }

    /// Numbers that intervals have not chosen need no plan.
    void Limits()
    {
        CcevalRequest request = Request({"pooled_p90_fct"});
        std::vector<CcevalResult> analyses;
        const auto free = Run(request, &analyses)[0];
        const auto early =
            std::find_if(analyses.begin(), analyses.end(), [&free](const CcevalResult& analysis) {
                return analysis.trials >= 100 && analysis.trials < free.trials &&
                       analysis.interval.GetHalfWidth() <= 0.15 * analysis.interval.estimate;
            });
        NS_TEST_ASSERT_MSG_EQ((early != analyses.end()), true, "narrow before the planned number");
        NS_TEST_EXPECT_MSG_EQ(early->converged, false, "which it went on to");
        request.maxTrials = early->trials;
        const auto limited = Run(request)[0];
        NS_TEST_EXPECT_MSG_EQ(limited.trials, early->trials, "as many as there may be");
        NS_TEST_EXPECT_MSG_EQ(limited.converged, true, "known to the margin");
        NS_TEST_EXPECT_MSG_EQ(limited.forecast.trials, limited.trials, "no more are needed");
        request.maxTrials = CcevalRequest().maxTrials;
        request.trials = early->trials;
        const auto fixed = Run(request)[0];
        NS_TEST_EXPECT_MSG_EQ(fixed.converged, true, "known to the margin, too");
        NS_TEST_EXPECT_MSG_EQ(fixed.interval.high, limited.interval.high, "the same");
        NS_TEST_EXPECT_MSG_EQ(fixed.planned, 0, "the number is given");
        NS_TEST_EXPECT_MSG_EQ(fixed.forecast.trials, fixed.trials, "no more are needed");
        // a limit before the first analysis of the rule ends it without an answer
        request.trials = 0;
        request.maxTrials = 60;
        request.margin = 0.6;
        const auto few = Run(request)[0];
        NS_TEST_EXPECT_MSG_LT(few.interval.GetHalfWidth(), 0.6 * few.interval.estimate, "narrow");
        NS_TEST_EXPECT_MSG_EQ(few.converged, false, "too few");
        NS_TEST_EXPECT_MSG_GT(few.forecast.trials, 60, "more are needed");
    }

    /// Control variates and importance sampling have plans, too.
    void Methods()
    {
        for (const std::string method : {"control-variate", "importance"})
        {
            CcevalRequest request = Request({"pooled_p99_fct"});
            request.method = method;
            request.controlTraces = 4000;
            std::vector<CcevalResult> analyses;
            const auto result = Run(request, &analyses)[0];
            NS_TEST_EXPECT_MSG_EQ(result.converged, true, method);
            NS_TEST_EXPECT_MSG_EQ(result.note.find("plain sampling"), std::string::npos, method);
            NS_TEST_EXPECT_MSG_EQ(analyses.front().trials, 100, "the first analysis");
            NS_TEST_EXPECT_MSG_EQ(analyses.back().trials, result.trials, "the last one");
            NS_TEST_EXPECT_MSG_EQ(analyses.back().forecast.trials, result.trials, "was enough");
            for (const CcevalResult& analysis : analyses)
            {
                // a number below three times that of the analysis is planned, and kept
                if (3 * analysis.trials >= analysis.forecast.trials)
                {
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(result.trials, analysis.forecast.trials, method);
                }
            }
        }
    }
};

DcnTestSuite<PlanFormulaTestCase, PlannedEvaluationTestCase> g_ccevalPlanTestSuite(
    "cceval-plan"); //!< the suite

} // namespace
