/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-trial-set.h"

#include "cceval-phases.h"

#include "ns3/dcn-progress.h"
#include "ns3/log.h"

#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalTrialSet");

CcevalTrialSet::CcevalTrialSet(const CcevalTraffic* traffic,
                               const Options& options,
                               CcevalStore store)
    : m_traffic(traffic),
      m_options(options),
      m_runner(
          [this](uint64_t run) {
              const uint64_t seed = CcevalSeed(m_options.seed, CcevalStage::TRIALS, run);
              CcevalTrace own;
              own.seed = seed;
              return m_traffic ? m_traffic->Draw(seed) : own;
          },
          traffic ? CcevalEstimatorSimulator(*traffic, options.network, options.estimator)
                  : CcevalOwnSimulator(options.simulation),
          std::move(store),
          options.farm,
          options.first,
          traffic ? CcevalRunner::Processes::SHARED : CcevalRunner::Processes::OWN)
{
}

void
CcevalTrialSet::Extend(uint64_t n)
{
    DcnProgress progress(m_options.label, n, "trials");
    m_runner.Run(n, [&progress](uint64_t done) { progress.Update(done); });
    for (; m_nRun < n; ++m_nRun)
    {
        const uint64_t run = m_options.first + m_nRun;
        const std::string& failure = m_runner.Get(run).failure;
        if (failure.empty())
        {
            m_trials.push_back(Examine(run));
        }
        else
        {
            m_failures.push_back(CcevalDescribeFailure(run, m_runner.GetTrace(run).seed, failure));
            NS_LOG_INFO(m_options.label << ": " << m_failures.back());
        }
    }
}

CcevalTrial
CcevalTrialSet::Examine(uint64_t run) const
{
    const CcevalTrace trace = m_runner.GetTrace(run);
    const CcevalOutcome& outcome = m_runner.Get(run);
    const auto& flows = m_traffic ? trace.flows : outcome.flows;
    const auto scenario =
        m_traffic ? m_traffic->MakeScenario(trace, m_options.network) : Ptr<const DcnScenario>();
    CcevalTrial
        trial{run, trace.seed, flows.size(), outcome.cpuSeconds, {}, {}, {}, outcome.answeredBy};
    if (outcome.samples.empty())
    {
        trial.phases = CcevalPhases(flows, outcome.fctNs).GetShares();
    }
    for (const auto& metric : m_options.metrics)
    {
        auto values = scenario ? metric.GetValues(*scenario, outcome, m_options.trim)
                               : metric.GetValues(outcome, m_options.trim);
        trial.cycles.emplace_back();
        trial.values.push_back(std::numeric_limits<double>::quiet_NaN());
        if (!metric.pooled)
        {
            trial.values.back() = metric.Evaluate(std::move(values), run, trace.seed);
            continue;
        }
        for (const auto& value : values)
        {
            trial.cycles.back().flows += value.second;
        }
        trial.cycles.back().values = std::move(values);
    }
    return trial;
}

const std::vector<CcevalTrial>&
CcevalTrialSet::Get() const
{
    return m_trials;
}

uint64_t
CcevalTrialSet::GetNRun() const
{
    return m_nRun;
}

const std::vector<std::string>&
CcevalTrialSet::GetFailures() const
{
    return m_failures;
}

double
CcevalTrialSet::GetMeanFlows() const
{
    double flows = 0;
    for (const CcevalTrial& trial : m_trials)
    {
        flows += static_cast<double>(trial.flows) / static_cast<double>(m_trials.size());
    }
    return flows;
}

std::array<double, 3>
CcevalTrialSet::GetPhaseShares() const
{
    std::array<double, 3> shares{};
    for (const CcevalTrial& trial : m_trials)
    {
        for (std::size_t i = 0; i < shares.size(); ++i)
        {
            shares[i] += trial.phases[i] / static_cast<double>(m_trials.size());
        }
    }
    return shares;
}

double
CcevalTrialSet::GetCpuSeconds() const
{
    return m_runner.GetCpuSeconds(m_nRun);
}

CcevalRunner&
CcevalTrialSet::GetRunner()
{
    return m_runner;
}

const CcevalRunner&
CcevalTrialSet::GetRunner() const
{
    return m_runner;
}

void
CcevalTrialSet::Write(std::ostream& csv, bool header) const
{
    if (header)
    {
        csv << "algorithm,run,seed,flows,warm_up,stable,cool_down,cpu_s";
        for (const auto& metric : m_options.metrics)
        {
            csv << (metric.pooled ? "" : "," + metric.name);
        }
        csv << "\n";
    }
    for (const CcevalTrial& trial : m_trials)
    {
        csv << m_options.label << ',' << trial.run << ',' << trial.seed << ',' << trial.flows;
        for (const double share : trial.phases)
        {
            csv << ',' << share;
        }
        csv << ',' << trial.cpuSeconds;
        for (std::size_t m = 0; m < m_options.metrics.size(); ++m)
        {
            if (!m_options.metrics[m].pooled)
            {
                csv << ',' << trial.values[m];
            }
        }
        csv << "\n";
    }
}

} // namespace ns3
