/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-test-queues.h"
#include "cceval-test-tools.h"

#include "ns3/cceval-coverage.h"
#include "ns3/cceval-importance.h"
#include "ns3/test.h"

#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

/// Coverage of the interval by inversion; of an M/M/1 queue in equilibrium the quantile is known.
class InversionCoverageTestCase : public TestCase
{
  public:
    /**
     * @param evaluations how often
     * @param margin how far the share that covers may be from 95 %
     */
    InversionCoverageTestCase(uint64_t evaluations, double margin)
        : TestCase("coverage of pooled quantiles"),
          m_evaluations(evaluations),
          m_margin(margin)
    {
    }

  private:
    void DoRun() override
    {
        // a sojourn time is exponential with mean 1 / (1 - load), whatever depends on what
        const double load = 0.5;
        const double truth = std::log(100.0) / (1 - load);
        CcevalQueueSource queue(load, 100, true, 5);
        double covered = 0;
        for (uint64_t i = 0; i < m_evaluations; ++i)
        {
            std::vector<CcevalCycle> cycles(200);
            for (auto& cycle : cycles)
            {
                for (const double sojourn : queue.Draw())
                {
                    cycle.values.emplace_back(sojourn, 1.0);
                }
                cycle.flows = static_cast<double>(cycle.values.size());
            }
            const auto interval = CcevalPooledQuantile(0.99, std::move(cycles)).GetInterval(0.95);
            covered += interval.Contains(truth) ? 1.0 / static_cast<double>(m_evaluations) : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(covered, 0.95, m_margin, "coverage");
    }

    uint64_t m_evaluations; //!< how often
    double m_margin;        //!< how far from 95 %
};

/// Coverage of the intervals of importance sampling and of pooled control variates.
class MethodCoverageTestCase : public TestCase
{
  public:
    /**
     * @param evaluations how often
     */
    explicit MethodCoverageTestCase(uint64_t evaluations)
        : TestCase("coverage of importance sampling and control variates"),
          m_evaluations(evaluations)
    {
    }

  private:
    /// A queue of the trials and one of their surrogate, 10 % slower and not always right.
    static CcevalCycle Surrogate(const CcevalTiltedTrial& trial)
    {
        CcevalCycle cycle = CcevalWeigh(trial);
        for (std::size_t i = 0; i < cycle.values.size(); ++i)
        {
            const double wrong =
                1.1 + 0.1 * std::sin(static_cast<double>(i) + cycle.values[i].first);
            cycle.values[i].first *= wrong;
        }
        return cycle;
    }

    void DoRun() override
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
        const double share = 1.0 / static_cast<double>(m_evaluations);
        const CcevalProposal proposal{0.06, 2.2, 0.5};
        constexpr uint64_t TRIALS = 200;
        constexpr uint64_t TRACES = 600;
        for (uint64_t i = 0; i < m_evaluations; ++i)
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
            std::vector<CcevalCycle> surrogates;
            std::vector<CcevalCycle> traces;
            for (const auto& trial : trials)
            {
                surrogates.push_back(Surrogate(trial));
            }
            for (const auto& trial :
                 CcevalDrawTrials(traffic, CcevalStage::CONTROLS, i * TRACES, TRACES, {}, true))
            {
                traces.push_back(Surrogate(trial));
            }
            CcevalPooledQuantile pooled(0.99, CcevalCyclesOf(trials));
            pooled.AddSurrogate(surrogates, traces, 0);
            controlled += pooled.GetInterval(0.95).Contains(truth) ? share : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(tilted, 0.95, 0.015, "importance sampling");
        NS_TEST_EXPECT_MSG_EQ_TOL(controlled, 0.95, 0.015, "control variates");
    }

    uint64_t m_evaluations; //!< how often
};

/// The suite.
class CcevalMethodCoverageTestSuite : public TestSuite
{
  public:
    CcevalMethodCoverageTestSuite()
        : TestSuite("cceval-method-coverage", Type::UNIT)
    {
        AddTestCase(new InversionCoverageTestCase(60, CcevalBinomialMargin(0.95, 60, 3.5)));
        const auto extensive = CCEVAL_EXTENSIVE(CcevalMethodCoverageTestSuite);
        AddTestCase(new InversionCoverageTestCase(1000, 0.015), extensive);
        AddTestCase(new MethodCoverageTestCase(1000), extensive);
    }
};

CcevalMethodCoverageTestSuite g_ccevalMethodCoverageTestSuite; //!< the suite

} // namespace
