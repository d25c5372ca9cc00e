/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-controls.h"

#include "../trials/cceval-runner.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-progress.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalControls");

namespace
{

const std::string TRACE = "control trace"; //!< word in sentences

constexpr uint64_t PILOT_TRACES = 200; //!< traces from which the thresholds of the tail are chosen
constexpr double KEPT = 4;             //!< stored part of the flows of a trace, in units of 1 - p

/**
 * @param numbers buffer of numbers
 * @param number number to append
 */
void
Put(std::string& numbers, double number)
{
    numbers.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

} // namespace

CcevalControls::CcevalControls(const CcevalTraffic& traffic,
                               Ptr<const DcnNetworkConfig> network,
                               const std::vector<CcevalMetric>& metrics,
                               const std::vector<std::string>& estimators,
                               CcevalTrim trim)
    : m_traffic(traffic),
      m_network(network),
      m_metrics(metrics),
      m_estimators(estimators),
      m_trim(trim),
      m_least(metrics.size(), std::vector<double>(estimators.size(), 0.0)),
      m_traces(metrics.size(), std::vector<std::vector<CcevalCycle>>(estimators.size()))
{
    if (estimators.empty())
    {
        DcnFail("control variates need an estimator: set --control");
    }
    for (const auto& name : estimators)
    {
        DcnEstimator::CreateByName(name);
    }
}

CcevalControls::Row
CcevalControls::Get(const CcevalTrace& trace, uint64_t run, const std::string& kind) const
{
    Ptr<const DcnScenario> scenario = m_traffic.MakeScenario(trace, m_network);
    Row row;
    row.values.resize(m_metrics.size());
    row.preEstimates.resize(m_metrics.size());
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        if (m_metrics[m].pooled)
        {
            continue;
        }
        double bytes = 0;
        double flows = 0;
        double largest[2] = {};
        for (const DcnFlow& flow : trace.flows)
        {
            const auto size = static_cast<double>(flow.sizeBytes);
            if (m_metrics[m].sizeClass.Contains(size))
            {
                bytes += size;
                ++flows;
                largest[1] = std::max(std::min(size, largest[0]), largest[1]);
                largest[0] = std::max(size, largest[0]);
            }
        }
        row.values[m] = {flows, bytes, largest[0], largest[1]};
    }
    for (std::size_t e = 0; e < m_estimators.size(); ++e)
    {
        const auto estimate = DcnEstimator::CreateByName(m_estimators[e])->Estimate(scenario);
        if (estimate.GetNFinished() != estimate.fctNs.size())
        {
            DcnFail(m_estimators[e],
                    " does not give the completion time of every flow, so it cannot be a control");
        }
        CcevalOutcome outcome;
        outcome.fctNs = estimate.fctNs;
        for (std::size_t m = 0; m < m_metrics.size(); ++m)
        {
            auto values = m_metrics[m].GetValues(*scenario, outcome, m_trim);
            if (!m_metrics[m].pooled)
            {
                row.values[m].push_back(
                    m_metrics[m].Evaluate(std::move(values), run, trace.seed, kind));
                continue;
            }
            CcevalCycle cycle;
            cycle.flows = static_cast<double>(values.size());
            cycle.values = std::move(values);
            row.preEstimates[m].push_back(std::move(cycle));
        }
    }
    return row;
}

void
CcevalControls::ChooseLeast()
{
    // From traces of their own, since the traces of the means must not choose the thresholds. All
    // values would be valid, too, but too many to store.
    const uint64_t base = m_traffic.GetSpec().seed;
    std::vector<std::vector<std::vector<std::pair<double, double>>>> all(
        m_metrics.size(),
        std::vector<std::vector<std::pair<double, double>>>(m_estimators.size()));
    for (uint64_t run = 0; run < PILOT_TRACES; ++run)
    {
        const uint64_t number = CCEVAL_MAX_RUNS - 1 - run;
        const uint64_t seed = CcevalSeed(base, CcevalStage::CONTROLS, number);
        const Row row = Get(m_traffic.Draw(seed), number, TRACE);
        for (std::size_t m = 0; m < m_metrics.size(); ++m)
        {
            for (std::size_t e = 0; e < row.preEstimates[m].size(); ++e)
            {
                const auto& values = row.preEstimates[m][e].values;
                all[m][e].insert(all[m][e].end(), values.begin(), values.end());
            }
        }
    }
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        for (std::size_t e = 0; e < m_estimators.size() && m_metrics[m].pooled; ++e)
        {
            const double n = static_cast<double>(all[m][e].size());
            const double g =
                CcevalTopDownQuantile(all[m][e], KEPT * (1 - m_metrics[m].probability) * n);
            m_least[m][e] = std::isnan(g) ? 0.0 : g;
        }
    }
}

std::string
CcevalControls::ComputeChunk(uint64_t first, uint64_t end) const
{
    const uint64_t base = m_traffic.GetSpec().seed;
    const std::clock_t begin = std::clock();
    std::string bytes;
    for (uint64_t run = first; run < end; ++run)
    {
        const uint64_t seed = CcevalSeed(base, CcevalStage::CONTROLS, run);
        const Row row = Get(m_traffic.Draw(seed), run, TRACE);
        for (std::size_t m = 0; m < m_metrics.size(); ++m)
        {
            for (const double value : row.values[m])
            {
                Put(bytes, value);
            }
            for (std::size_t e = 0; e < row.preEstimates[m].size(); ++e)
            {
                const CcevalCycle& cycle = row.preEstimates[m][e];
                std::string kept;
                double n = 0;
                for (const auto& value : cycle.values)
                {
                    if (value.first > m_least[m][e])
                    {
                        Put(kept, value.first);
                        ++n;
                    }
                }
                Put(bytes, cycle.flows);
                Put(bytes, n);
                bytes += kept;
            }
        }
    }
    std::string cost;
    Put(cost, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    return cost + bytes;
}

void
CcevalControls::TakeChunk(const std::string& bytes,
                          std::vector<std::vector<std::vector<double>>>& rows)
{
    std::vector<double> numbers(bytes.size() / sizeof(double));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    m_cpuSeconds += numbers.front();
    for (std::size_t i = 1; i < numbers.size();)
    {
        for (std::size_t m = 0; m < m_metrics.size(); ++m)
        {
            if (!m_metrics[m].pooled)
            {
                const std::size_t n = 4 + m_estimators.size(); // as in Get
                const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(i);
                rows[m].emplace_back(from, from + static_cast<std::ptrdiff_t>(n));
                i += n;
                continue;
            }
            for (std::size_t e = 0; e < m_estimators.size(); ++e)
            {
                CcevalCycle cycle;
                cycle.flows = numbers[i];
                const auto n = static_cast<std::size_t>(numbers[i + 1]);
                for (std::size_t j = 0; j < n; ++j)
                {
                    cycle.values.emplace_back(numbers[i + 2 + j], 1.0);
                }
                i += 2 + n;
                m_traces[m][e].push_back(std::move(cycle));
            }
        }
    }
}

void
CcevalControls::Prepare(uint64_t traces, const DcnTaskFarm& farm, uint64_t first)
{
    if (first + traces + PILOT_TRACES > CCEVAL_MAX_RUNS)
    {
        DcnFail("there are no seeds for ",
                traces,
                " traces of controls from number ",
                first,
                " on");
    }
    if (traces < 2)
    {
        DcnFail("the means of the controls need at least two traces, but there are ", traces);
    }
    NS_LOG_INFO(traces << " traces for the means of controls by " << m_estimators.size()
                       << " estimators");
    const std::clock_t begin = std::clock();
    ChooseLeast();
    m_cpuSeconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const uint64_t chunks = std::min<uint64_t>(traces, uint64_t(farm.GetJobs()) * farm.GetNRanks() * 8);
    std::vector<std::string> results(chunks);
    DcnProgress progress("controls", chunks, "parts");
    uint64_t done = 0;
    std::vector<std::string> tasks;
    for (uint64_t chunk = 0; chunk < chunks; ++chunk)
    {
        tasks.push_back(
            DcnTaskFarm::Pack({std::to_string(first + chunk * traces / chunks),
                               std::to_string(first + (chunk + 1) * traces / chunks)}));
    }
    DcnResultStore::Experiment experiment;
    for (std::size_t e = 0; e < m_estimators.size() && farm.GetNRanks() > 1; ++e)
    {
        for (const auto& [key, value] : CcevalDescribeTrials(m_traffic, *m_network, m_estimators[e]))
        {
            experiment[key + " of control " + std::to_string(e)] = value;
        }
    }
    farm.Run(
        experiment,
        tasks,
        [&](const std::string& task, const DcnTaskFarm::Reply& reply) {
            const auto parts = DcnTaskFarm::Unpack(task);
            reply(ComputeChunk(std::stoull(parts[0]), std::stoull(parts[1])));
        },
        [&](uint64_t chunk, std::string&& bytes) {
            results[chunk] = std::move(bytes);
            progress.Update(++done);
        });
    results = DcnTaskFarm::Unpack(farm.Share(DcnTaskFarm::Pack(results)));
    std::vector<std::vector<std::vector<double>>> rows(m_metrics.size());
    for (const std::string& bytes : results) // in the order of the traces
    {
        TakeChunk(bytes, rows);
    }
    for (const auto& each : rows)
    {
        m_means.push_back(each.empty() ? CcevalControlMeans() : CcevalControlMeans::Make(each));
    }
}

const CcevalControlMeans&
CcevalControls::GetMeans(std::size_t metric) const
{
    return m_means[metric];
}

void
CcevalControls::AddTo(std::size_t metric,
                      const std::vector<Row>& rows,
                      CcevalPooledQuantile& pooled) const
{
    for (std::size_t e = 0; e < m_estimators.size(); ++e)
    {
        std::vector<CcevalCycle> trials;
        for (const Row& row : rows)
        {
            trials.push_back(row.preEstimates[metric][e]);
        }
        pooled.AddPreEstimate(std::move(trials), m_traces[metric][e], m_least[metric][e]);
    }
}

double
CcevalControls::GetCpuSeconds() const
{
    return m_cpuSeconds;
}

} // namespace ns3
