/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-tilted-trials.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/log.h"

#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalTiltedTrials");

CcevalTiltedTrials::CcevalTiltedTrials(const CcevalTraffic& traffic,
                                       Ptr<const DcnNetworkConfig> network,
                                       const Options& options,
                                       CcevalStore store,
                                       const DcnTaskFarm& farm)
    : m_traffic(traffic),
      m_network(network),
      m_options(options),
      m_simulator(CcevalEstimatorSimulator(traffic, network, options.estimator)),
      m_runner(
          [this](uint64_t run) {
              return m_traffic.Draw(CcevalSeed(m_traffic.GetSpec().seed, m_options.stage, run),
                                    m_options.proposal);
          },
          [this](const CcevalTrace& trace) { return Simulate(trace); },
          std::move(store),
          farm,
          options.first,
          options.cheap ? CcevalRunner::Processes::CHEAP : CcevalRunner::Processes::SHARED)
{
}

CcevalOutcome
CcevalTiltedTrials::Simulate(const CcevalTrace& trace) const
{
    CcevalOutcome outcome = m_simulator(trace);
    if (std::isfinite(m_options.threshold) && outcome.failure.empty())
    {
        const double cpu = outcome.cpuSeconds;
        outcome = m_simulator(Redraw(trace, outcome));
        outcome.cpuSeconds += cpu;
    }
    return outcome;
}

CcevalTiltedTrial
CcevalTiltedTrials::Complete(const CcevalTrace& trace, const CcevalOutcome& outcome) const
{
    constexpr double NS_PER_US = 1000;
    const auto scenario = m_traffic.MakeScenario(trace, m_network);
    std::vector<double> values(trace.flows.size(), std::numeric_limits<double>::quiet_NaN());
    if (outcome.fctNs.size() != values.size())
    {
        DcnFail("importance sampling needs the completion time of every flow, which ",
                m_options.estimator,
                " does not give");
    }
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (m_options.metric.sizeClass.Contains(static_cast<double>(trace.flows[i].sizeBytes)))
        {
            const auto fct = static_cast<double>(outcome.fctNs[i]);
            values[i] = m_options.metric.slowdown
                            ? fct / static_cast<double>(scenario->GetIdealFct(i).GetTotalNs())
                            : fct / NS_PER_US;
        }
    }
    return {trace, outcome.fctNs, std::move(values), 0, outcome.answeredBy};
}

CcevalTrace
CcevalTiltedTrials::Redraw(const CcevalTrace& trace, const CcevalOutcome& outcome) const
{
    const int64_t at = CcevalSwitchNs(Complete(trace, outcome), m_options.threshold);
    return at == INT64_MAX ? trace : m_traffic.Draw(trace.seed, m_options.proposal, at + 1);
}

std::vector<CcevalTiltedTrial>
CcevalTiltedTrials::Get(uint64_t n, const std::string& label)
{
    DcnProgress progress(label + " " + m_options.estimator, n, "trials");
    m_runner.Run(n, [&progress](uint64_t done) { progress.Update(done); });
    return GetFrom(m_runner, n);
}

std::vector<CcevalTiltedTrial>
CcevalTiltedTrials::GetFrom(const CcevalRunner& runner, uint64_t n)
{
    m_failures.clear();
    std::vector<CcevalTiltedTrial> trials;
    for (uint64_t run = m_options.first; run < m_options.first + n; ++run)
    {
        const CcevalOutcome& outcome = runner.Get(run);
        CcevalTrace trace = runner.GetTrace(run);
        if (!outcome.failure.empty())
        {
            m_failures.push_back(CcevalDescribeFailure(run, trace.seed, outcome.failure));
            NS_LOG_INFO(m_failures.back());
            continue;
        }
        trace = std::isfinite(m_options.threshold) ? Redraw(trace, outcome) : trace;
        trials.push_back(Complete(trace, outcome));
        // tilting keeps the number of flows; a class counts its flows by weight
        CcevalTiltedTrial& trial = trials.back();
        trial.flows = static_cast<double>(trial.values.size());
        if (m_options.metric.sizeClass.name != "all")
        {
            trial.flows = 0;
            for (const auto& value : CcevalWeigh(trial).values)
            {
                trial.flows += value.second;
            }
        }
    }
    return trials;
}

double
CcevalTiltedTrials::GetCpuSeconds(uint64_t n) const
{
    return m_runner.GetCpuSeconds(n);
}

const std::vector<std::string>&
CcevalTiltedTrials::GetFailures() const
{
    return m_failures;
}

} // namespace ns3
