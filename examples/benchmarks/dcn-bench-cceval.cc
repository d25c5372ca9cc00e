/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmark of dcn-bench: coverage of intervals and forecasts of evaluations.
 */

#include "ns3/cceval-rehearsal.h"
#include "../../contrib/cceval/test/cceval-test-coverage.h"
#include "dcn-bench.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LEVEL = 0.95; //!< of all intervals

/// Data of known mean.
struct Row
{
    std::string name;    //!< name of the data
    double margin;       //!< relative half-width of the interval
    CcevalSource source; //!< the data
    double truth;        //!< their mean
};

/// A known pooled quantile.
struct PooledRow
{
    double load;        //!< load of the queue
    uint32_t customers; //!< customers of a trial
    double margin;      //!< relative half-width of the interval
};

/// The coverage farthest from the level, so that too low and too high ones do not cancel.
class Farthest
{
  public:
    /**
     * @param covered share of intervals that cover
     */
    void Add(double covered)
    {
        if (std::isnan(m_covered) || std::abs(covered - LEVEL) > std::abs(m_covered - LEVEL))
        {
            m_covered = covered;
        }
    }

    /// @return the farthest so far
    double Get() const
    {
        return m_covered;
    }

  private:
    double m_covered{NAN}; //!< see Get
};

/**
 * @param load of the queue
 * @param seed of the draws
 * @return the 198th of 200 sojourn times in an M/M/1 queue that starts empty
 */
CcevalSource
QueueSource(double load, uint64_t seed)
{
    auto queue = std::make_shared<CcevalQueueSource>(load, 200, false, seed);
    return [queue]() { return queue->DrawRanked(198); };
}

constexpr uint64_t EVALUATIONS = 2000;
constexpr uint64_t POOLED_EVALUATIONS = 200;
constexpr uint64_t BANK = 400000; // trials for the true mean of a queue

/// Reports a row.
void
ReportCoverage(const std::string& name, const CcevalCoverage& result)
{
    Report("cceval", name + "_coverage", result.covered);
    Report("cceval", name + "_mean_trials", result.meanTrials);
    Report("cceval", name + "_tail_shows", result.diagnosed);
    Report("cceval", name + "_coverage_where_a_tail_shows", result.coveredWithTail);
    Report("cceval", name + "_coverage_where_none_shows", result.coveredWithout);
    Report("cceval", name + "_in_forecast_band", result.inBand);
    Report("cceval", name + "_median_pilot_forecast_error", result.medianPilotError);
    Report("cceval", name + "_median_refined_forecast_error", result.medianRefinedError);
    Report("cceval", name + "_median_error_of_the_median_stop", result.medianKnownError);
}

/// Reports rules on samples with heavy tails.
void
BenchTails()
{
    // the mark: what a rehearsal on the distribution of the data says before the trials
    const std::vector<Row> tails{
        {"exponential_margin_0.3", 0.3, CcevalExponentialSource(15), 1},
        {"lognormal_sigma_1_margin_0.3", 0.3, CcevalLogNormalSource(1, 16), std::exp(0.5)},
        {"lognormal_sigma_1.5_margin_0.2", 0.2, CcevalLogNormalSource(1.5, 17), std::exp(1.125)},
        {"mixture_2_percent_margin_0.3", 0.3, CcevalMixtureSource(18), 1.38},
    };
    for (const auto kind : {CcevalStoppingRule::Kind::GUARDED, CcevalStoppingRule::Kind::PUBLISHED})
    {
        for (const Row& row : tails)
        {
            const CcevalStoppingRule rule(kind, row.margin, LEVEL);
            std::vector<double> bank(100'000);
            std::generate(bank.begin(), bank.end(), row.source);
            const std::string name = rule.GetName() + "_" + row.name;
            ReportCoverage(name, CcevalMeasureCoverage(rule, row.source, row.truth, EVALUATIONS));
            const auto rehearsal = CcevalRehearsal::Make(rule, bank, 0, BANK);
            Report("cceval", name + "_rehearsal", rehearsal.covered);
            Report("cceval", name + "_assured", rehearsal.IsAssured() ? 1 : 0);
        }
    }
}

/// Reports pooled quantiles.
void
BenchPooled()
{
    // pooled p99 of an M/M/1 queue in equilibrium, where sojourn times are exponential
    const std::vector<PooledRow> pooled{{0.5, 45, 0.07},
                                        {0.5, 200, 0.05},
                                        {0.8, 200, 0.1},
                                        {0.5, 45, 0.05},
                                        {0.5, 45, 0.025},
                                        {0.5, 200, 0.015}};
    Farthest pooledCoverage;
    for (const auto& [load, customers, margin] : pooled)
    {
        CcevalQueueSource queue(load, customers, true, 516);
        const double mean = 1 / (1 - load);
        const double quartile = mean * std::log(4.0); // smaller values are not needed
        std::ostringstream name;
        name << "mm1_pooled_p99_load_" << load << "_flows_" << customers << "_margin_" << margin;
        const auto result = CcevalMeasurePooledCoverage(
            CcevalStoppingRule(CcevalStoppingRule::Kind::GUARDED, margin, LEVEL),
            0.99,
            [&queue, quartile]() { return queue.DrawCycle(quartile); },
            mean * std::log(100.0),
            POOLED_EVALUATIONS);
        ReportCoverage(name.str(), result);
        pooledCoverage.Add(result.covered);
        Report("cceval", name.str() + "_in_band_of_first_look", result.inLaterBand);
        Report("cceval", name.str() + "_effective_trials", result.medianEffective);
    }
    // the standard error of a row is 1.5 points
    Report("cceval", "pooled_evaluations", POOLED_EVALUATIONS);
    Report("cceval", "pooled_coverage", pooledCoverage.Get());
}

} // namespace

void
BenchCceval()
{
    std::vector<double> queueMeans;
    for (const double load : {0.5, 0.8})
    {
        const CcevalSource source = QueueSource(load, 999);
        double sum = 0;
        for (uint64_t i = 0; i < BANK; ++i)
        {
            sum += source();
        }
        queueMeans.push_back(sum / BANK);
    }
    // each row has its own random numbers, so that rows are independent
    const std::vector<Row> rows{
        {"normal_cv_0.2_margin_0.02", 0.02, CcevalNormalSource(1, 0.2, 7), 1},
        {"normal_cv_0.5_margin_0.05", 0.05, CcevalNormalSource(1, 0.5, 8), 1},
        {"mm1_p99_load_0.5_margin_0.1", 0.1, QueueSource(0.5, 9), queueMeans[0]},
        {"mm1_p99_load_0.5_margin_0.05", 0.05, QueueSource(0.5, 10), queueMeans[0]},
        {"mm1_p99_load_0.5_margin_0.02", 0.02, QueueSource(0.5, 11), queueMeans[0]},
        {"mm1_p99_load_0.8_margin_0.05", 0.05, QueueSource(0.8, 12), queueMeans[1]},
        {"lognormal_sigma_1_margin_0.05", 0.05, CcevalLogNormalSource(1, 13), std::exp(0.5)},
        {"lognormal_sigma_1_margin_0.02", 0.02, CcevalLogNormalSource(1, 14), std::exp(0.5)},
    };
    Farthest coverage;
    for (const Row& row : rows)
    {
        const CcevalStoppingRule rule(CcevalStoppingRule::Kind::GUARDED, row.margin, LEVEL);
        const auto result = CcevalMeasureCoverage(rule, row.source, row.truth, EVALUATIONS);
        coverage.Add(result.covered);
        ReportCoverage(row.name, result);
    }
    BenchTails();
    const CcevalStoppingRule rule(CcevalStoppingRule::Kind::GUARDED, 0.1, LEVEL);
    ReportCoverage(
        "lognormal_sigma_2_margin_0.1",
        CcevalMeasureCoverage(rule, CcevalLogNormalSource(2, 7), std::exp(2.0), EVALUATIONS));
    const CcevalStoppingRule published(CcevalStoppingRule::Kind::PUBLISHED, 0.1, LEVEL);
    ReportCoverage(
        "published_rule_mm1_p99_load_0.5_margin_0.1",
        CcevalMeasureCoverage(published, QueueSource(0.5, 7), queueMeans[0], EVALUATIONS));
    // Without the row of sigma 2, for which all rules fail and every evaluation warns, and without
    // the published rule. The standard error of a row is 0.5 points.
    Report("cceval", "evaluations", EVALUATIONS);
    Report("cceval", "coverage", coverage.Get());
    BenchPooled();
}
