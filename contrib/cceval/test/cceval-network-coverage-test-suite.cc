/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/evaluation/cceval-control-method.h"
#include "../model/evaluation/cceval-importance-method.h"
#include "../model/evaluation/cceval-plain-method.h"
#include "cceval-test-tools.h"
#include "dcn-test-case.h"
#include "dcn-test-duration.h"

#include "ns3/cceval-evaluation.h"
#include "ns3/cceval-moments.h"
#include "ns3/cceval-stopping-rule.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LEVEL = 0.95; //!< of intervals

/**
 * @ingroup cceval-tests
 * @brief Counts how often intervals contain references that are intervals themselves.
 *
 * An interval of half-width h1 and an independent reference of half-width h2, both valid at the
 * level with the normal quantile z, differ by a normal variable with standard error sqrt(h1^2 +
 * h2^2) / z. The interval is
 *
 * - inside, if it contains the reference: expected share 2 Phi(z h1 / sqrt(h1^2 + h2^2)) - 1;
 * - consistent, if the two differ by at most sqrt(h1^2 + h2^2): expected share, the level.
 *
 * Pairs with an infinite interval (a pooled quantile beyond the trials), or with two intervals of
 * zero width, give no information: they are omitted, and counted.
 */
class Agreement
{
  public:
    /// Agreement of one interval with its reference.
    struct Verdict
    {
        bool inside;      //!< true if the interval contains the reference
        bool consistent;  //!< true if the difference is within both errors together
        double expected;  //!< expected probability of inside
        double deviation; //!< difference over its standard error
    };

    /// Numbers of intervals.
    struct Counts
    {
        uint64_t n{0};          //!< pairs counted
        uint64_t leftOut{0};    //!< pairs omitted
        uint64_t inside{0};     //!< intervals that contain their reference
        uint64_t consistent{0}; //!< intervals consistent with their reference
        double expected{0};     //!< expected number inside
    };

    /**
     * @param interval an interval
     * @param reference its reference, with its interval
     * @return their agreement; neither inside nor consistent for omitted pairs
     */
    Verdict Add(const CcevalInterval& interval, const CcevalInterval& reference)
    {
        const double z = CcevalNormalQuantile((1 + LEVEL) / 2);
        const double half = interval.GetHalfWidth();
        const double both = std::hypot(half, reference.GetHalfWidth());
        const double difference = interval.estimate - reference.estimate;
        if (!(both > 0) || !std::isfinite(both) || !std::isfinite(difference))
        {
            ++m_counts.leftOut;
            return {false, false, std::nan(""), std::nan("")};
        }
        const Verdict verdict{interval.Contains(reference.estimate),
                              std::abs(difference) <= both,
                              2 * CcevalNormalCdf(z * half / both) - 1,
                              difference / both * z};
        ++m_counts.n;
        m_counts.inside += verdict.inside ? 1 : 0;
        m_counts.consistent += verdict.consistent ? 1 : 0;
        m_counts.expected += verdict.expected;
        m_deviations.Add(verdict.deviation);
        return verdict;
    }

    /// @return numbers of the intervals so far
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /// @return mean of the differences over their standard errors; a bias if it is not 0
    double GetMeanDeviation() const
    {
        return m_deviations.GetMean();
    }

  private:
    Counts m_counts;            //!< see GetCounts
    CcevalMoments m_deviations; //!< differences over their standard errors
};

/**
 * @ingroup cceval-tests
 * @brief Repeated evaluations of N trials each, and the plain trials of their references.
 *
 * Of P N plain trials, repetition r evaluates N: with control variates the trials r N to
 * r N + N - 1, with importance sampling as many tilted trials. Each repetition has its own controls
 * and tuning. Its reference is a model-free value that is independent of it:
 *
 * - that of the other (P - 1) N plain trials, which other repetitions of control variates share in
 *   part, or
 * - that of the R trials from P N on, which no repetition uses: one reference for all.
 */
struct Repetitions
{
    CcevalRequest request;   //!< options of an evaluation; trials is N
    uint64_t parts{11};      //!< P
    uint64_t repetitions{3}; //!< from 2 to P
    uint64_t reference{0};   //!< R, P is then the repetitions; 0: references of their own

    /// @return the evaluation that runs all plain trials
    CcevalRequest GetPlain() const
    {
        CcevalRequest plain = request;
        plain.method = CcevalPlainMethod::NAME;
        plain.trials = parts * request.trials + reference;
        return plain;
    }

    /**
     * @param method control-variate or importance
     * @param repetition r
     * @return the evaluation; with importance sampling of the pooled metrics, by the first control
     */
    CcevalRequest GetRepetition(const std::string& method, uint64_t repetition) const
    {
        CcevalRequest each = request;
        each.method = method;
        each.repetition = repetition;
        if (method == CcevalImportanceMethod::NAME)
        {
            each.control = request.control.substr(0, request.control.find('+'));
            each.metrics.clear();
            std::copy_if(
                request.metrics.begin(),
                request.metrics.end(),
                std::back_inserter(each.metrics),
                [](const std::string& metric) { return CcevalMetric::Parse(metric).pooled; });
        }
        return each;
    }

    /**
     * @param trials the plain trials
     * @param metric name of one of the metrics
     * @param repetition r
     * @return the model-free interval of the trials that are its reference
     */
    CcevalInterval GetReference(const std::vector<CcevalTrial>& trials,
                                const std::string& metric,
                                uint64_t repetition) const
    {
        const auto which = static_cast<std::size_t>(
            std::find(request.metrics.begin(), request.metrics.end(), metric) -
            request.metrics.begin());
        const uint64_t first = repetition * request.trials;
        CcevalMoments moments;
        std::vector<CcevalCycle> cycles;
        for (const auto& trial : trials)
        {
            const bool isOther = trial.run < first || trial.run >= first + request.trials;
            if (reference > 0 ? trial.run >= parts * request.trials : isOther)
            {
                moments.Add(trial.values[which]);
                cycles.push_back(trial.cycles[which]);
            }
        }
        const auto parsed = CcevalMetric::Parse(metric);
        const CcevalStoppingRule rule(CcevalStoppingRule::ParseKind(request.rule),
                                      request.margin,
                                      request.level);
        return parsed.pooled ? CcevalPooledQuantile(parsed.probability, std::move(cycles))
                                   .GetInterval(request.level)
                             : rule.GetInterval(moments);
    }
};

/// Verdicts on given intervals.
DCN_TEST_CASE(AgreementTestCase, "intervals and references that are not exact")
{
    const double z = 1.959963984540054;
    Agreement agreement;
    // h1 = 1, h2 = 2, both sqrt(5); differences - 1/2, - 3/2 and - 5/2
    const auto inside = agreement.Add({10, 9, 11}, {10.5, 8.5, 12.5});
    const auto near = agreement.Add({10, 9, 11}, {11.5, 9.5, 13.5});
    const auto far = agreement.Add({10, 9, 11}, {12.5, 10.5, 14.5});
    NS_TEST_EXPECT_MSG_EQ((inside.inside && inside.consistent), true, "1/2 < 1");
    NS_TEST_EXPECT_MSG_EQ((!near.inside && near.consistent), true, "1 < 3/2 < sqrt(5)");
    NS_TEST_EXPECT_MSG_EQ((!far.inside && !far.consistent), true, "5/2 > sqrt(5)");
    const double chance = 2 * CcevalNormalCdf(z / std::sqrt(5)) - 1;
    NS_TEST_EXPECT_MSG_EQ_TOL(near.expected, chance, 1e-12, "2 Phi(z h1 / h) - 1");
    NS_TEST_EXPECT_MSG_EQ_TOL(near.deviation, -1.5 / std::sqrt(5) * z, 1e-12, "z d / h");
    NS_TEST_EXPECT_MSG_EQ(agreement.GetCounts().n, 3, "intervals");
    NS_TEST_EXPECT_MSG_EQ(agreement.GetCounts().inside, 1, "inside");
    NS_TEST_EXPECT_MSG_EQ(agreement.GetCounts().consistent, 2, "consistent");
    NS_TEST_EXPECT_MSG_EQ_TOL(agreement.GetCounts().expected, 3 * chance, 1e-12, "sum of chances");
    NS_TEST_EXPECT_MSG_EQ_TOL(agreement.GetMeanDeviation(), -1.5 / std::sqrt(5) * z, 1e-12, "bias");
    // an interval without limits, or of no width, is left out
    for (const CcevalInterval& none :
         {CcevalInterval{NAN, NAN, NAN}, CcevalInterval{10, 9, INFINITY}})
    {
        NS_TEST_EXPECT_MSG_EQ(agreement.Add(none, {10, 9, 11}).inside, false, "no interval");
        NS_TEST_EXPECT_MSG_EQ(agreement.Add({10, 9, 11}, none).consistent, false, "no reference");
    }
    agreement.Add({10, 10, 10}, {10, 10, 10});
    NS_TEST_EXPECT_MSG_EQ(agreement.GetCounts().leftOut, 5, "left out");
    NS_TEST_EXPECT_MSG_EQ(agreement.GetCounts().n, 3, "intervals that count");
    NS_TEST_EXPECT_MSG_EQ_TOL(agreement.GetCounts().expected,
                              3 * chance,
                              1e-12,
                              "sum of their chances");
    // an exact reference is inside at the level of the interval
    Agreement exact;
    NS_TEST_EXPECT_MSG_EQ_TOL(exact.Add({10, 9, 11}, {10, 10, 10}).expected, 0.95, 1e-12, "");
}

/// Which plain trials repetitions are held against.
DCN_TEST_CASE(RepetitionsTestCase, "repeated evaluations and their references")
{
    // trial r has the value 2^r and one flow of 2^r; three repetitions of two, four further
    Repetitions all;
    all.request.metrics = {"p50_fct", "pooled_p50_fct"};
    all.request.trials = 2;
    all.request.control = "flowsim+m4";
    all.parts = 3;
    all.repetitions = 3;
    std::vector<CcevalTrial> trials;
    for (uint64_t run = 0; run < 10; ++run)
    {
        const double value = std::pow(2, run);
        trials.push_back({run, 0, 1, 0, {}, {value, NAN}, {{}, {{{value, 1.0}}, 1}}, {}});
    }
    std::vector<CcevalTrial> first(trials.begin(), trials.begin() + 6);
    NS_TEST_EXPECT_MSG_EQ(all.GetPlain().trials, 6, "P N");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.GetReference(first, "p50_fct", 1).estimate,
                              (1 + 2 + 16 + 32) / 4.0,
                              1e-12,
                              "all but trials 2 and 3");
    NS_TEST_EXPECT_MSG_EQ_TOL(all.GetReference(first, "pooled_p50_fct", 2).estimate,
                              2,
                              1e-12,
                              "of 1, 2, 4 and 8 two are above 2, half of all");
    first.erase(first.begin() + 1); // trial 1 failed; those after it are still themselves
    NS_TEST_EXPECT_MSG_EQ_TOL(all.GetReference(first, "p50_fct", 1).estimate,
                              (1 + 16 + 32) / 3.0,
                              1e-12,
                              "all but trials 1, 2 and 3");
    all.reference = 4;
    NS_TEST_EXPECT_MSG_EQ(all.GetPlain().trials, 10, "P N + R");
    for (uint64_t repetition = 0; repetition < 3; ++repetition)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(all.GetReference(trials, "p50_fct", repetition).estimate,
                                  (64 + 128 + 256 + 512) / 4.0,
                                  1e-12,
                                  "trials 6 to 9, whatever the repetition");
    }
    const auto controlled = all.GetRepetition("control-variate", 2);
    NS_TEST_EXPECT_MSG_EQ(controlled.repetition, 2, "r");
    NS_TEST_EXPECT_MSG_EQ(controlled.control, "flowsim+m4", "all controls");
    NS_TEST_EXPECT_MSG_EQ(controlled.metrics.size(), 2, "all metrics");
    const auto tilted = all.GetRepetition("importance", 1);
    NS_TEST_EXPECT_MSG_EQ(tilted.control, "flowsim", "the first control");
    NS_TEST_EXPECT_MSG_EQ(tilted.metrics.size(), 1, "pooled metrics");
    NS_TEST_EXPECT_MSG_EQ(tilted.metrics[0], "pooled_p50_fct", "pooled metrics");
}

/**
 * @ingroup cceval-tests
 * @brief Intervals of control variates and of importance sampling on a network cover the values of
 * further trials.
 *
 * 95 % of the intervals are consistent with their references, but by chance once in 10,000 suites.
 * With --verbose, a line of numbers for each method and metric: gain (variance of plain trials over
 * that of the method), that gain for equal processor times, intervals that contain their reference
 * of the expected number, consistent intervals, mean difference in standard errors.
 */
class NetworkCoverageTestCase : public TestCase
{
  public:
    /**
     * @param network recipe of the scenario
     * @param methods to evaluate
     * @param all the evaluations
     */
    NetworkCoverageTestCase(const std::string& network,
                            const std::vector<std::string>& methods,
                            const Repetitions& all)
        : TestCase("coverage on a network: " + network),
          m_network(network),
          m_methods(methods),
          m_all(all)
    {
    }

  private:
    void DoRun() override
    {
        const auto parts = DcnScenarioRecipe(m_network).CreateParts();
        CcevalEvaluation plain("a", parts.topology, parts.spec, parts.network, m_all.GetPlain());
        plain.Run();
        for (const std::string& method : m_methods)
        {
            std::map<std::string, Agreement> agreements;                // by metric
            std::map<std::string, std::vector<double>> inverseGains;    // variances over plain ones
            std::map<std::string, std::vector<double>> inverseCpuGains; // for equal processor time
            for (uint64_t r = 0; r < m_all.repetitions; ++r)
            {
                const auto each = m_all.GetRepetition(method, r);
                for (const CcevalResult& result :
                     CcevalEvaluation("a", parts.topology, parts.spec, parts.network, each).Run())
                {
                    if (!result.answeredBy.empty())
                    {
                        continue; // plain sampling answered: it does not count for the method
                    }
                    agreements[result.metric].Add(
                        result.interval,
                        m_all.GetReference(plain.GetTrials(), result.metric, r));
                    inverseGains[result.metric].push_back(1 / result.gain);
                    inverseCpuGains[result.metric].push_back(1 / result.cpuGain);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(agreements.empty(), false, method << " answers");
            for (const auto& [metric, agreement] : agreements)
            {
                const Agreement::Counts& counts = agreement.GetCounts();
                std::printf("%-15s %-15s gain %5.1f, per CPU %5.1f; %2.0f (%4.1f) of %2.0f inside, "
                            "%2.0f consistent, mean deviation %+.2f\n",
                            method.c_str(),
                            metric.c_str(),
                            1 / DcnMean(inverseGains[metric]),
                            1 / DcnMean(inverseCpuGains[metric]),
                            static_cast<double>(counts.inside),
                            counts.expected,
                            static_cast<double>(counts.n),
                            static_cast<double>(counts.consistent),
                            agreement.GetMeanDeviation());
                NS_TEST_EXPECT_MSG_GT_OR_EQ(2 * counts.n,
                                            m_all.repetitions,
                                            metric << ": intervals");
                const CcevalBinomialBounds bounds(counts.n, LEVEL);
                const double share =
                    static_cast<double>(counts.consistent) / static_cast<double>(counts.n);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(share, bounds.low, method << ", " << metric);
                NS_TEST_EXPECT_MSG_GT(1 / DcnMean(inverseGains[metric]), 1, metric << ": gain");
            }
        }
    }

    std::string m_network;              //!< recipe of the scenario
    std::vector<std::string> m_methods; //!< to evaluate
    Repetitions m_all;                  //!< the evaluations
};

/// The suite.
class CcevalNetworkCoverageTestSuite : public TestSuite
{
  public:
    CcevalNetworkCoverageTestSuite()
        : TestSuite("cceval-network-coverage", Type::UNIT)
    {
        AddTestCase(new AgreementTestCase);
        AddTestCase(new RepetitionsTestCase);
        const std::string controlled = CcevalControlMethod::NAME;
        const std::string tilted = CcevalImportanceMethod::NAME;
        Repetitions quick;
        quick.request.metrics = {"p99_fct", "pooled_p99_fct"};
        quick.request.margin = 0.01;
        quick.request.trials = 100;
        quick.request.estimator = "flowsim";
        quick.request.control = "flowsim:LinkEfficiency=0.9";
        quick.request.controlTraces = 200;
        quick.parts = quick.repetitions = 5;
        quick.reference = 1000;
        AddTestCase(new NetworkCoverageTestCase("topology=dumbbell,flows=40,sizes=web-search",
                                                {controlled},
                                                quick));
        // packets, with the scenario of the page about cceval
        const std::string network = "topology=dumbbell,hostRate=100Gbps,fabricRate=100Gbps,"
                                    "duration=20ms,sizes=web-search,load=0.3";
        const auto extensive = DCN_TEST_EXTENSIVE(CcevalNetworkCoverageTestSuite);
        Repetitions packets = quick;
        packets.request.estimator = "packet";
        packets.request.control = "flowsim";
        packets.request.controlTraces = 10000;
        packets.parts = packets.repetitions = 11;
        packets.reference = 1500;
        AddTestCase(new NetworkCoverageTestCase(network, {controlled}, packets), extensive);
        packets.request.trials = 300;
        packets.parts = packets.repetitions = 5;
        AddTestCase(new NetworkCoverageTestCase(network, {tilted}, packets), extensive);
    }
};

CcevalNetworkCoverageTestSuite g_ccevalNetworkCoverageTestSuite; //!< the suite

} // namespace
