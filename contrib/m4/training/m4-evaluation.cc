/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-evaluation.h"

#include "../model/network/m4-default-network.h"
#include "../model/network/m4-torch-model.h"
#include "m4-replay.h"

#include "ns3/assert.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

void
M4Errors::Add(const M4GroundTruth& truth,
              const std::vector<int64_t>& fctNs,
              const M4SpreadTable* spread,
              const DcnSizeClass* sizes)
{
    constexpr uint32_t SAMPLES = 16; // of the distribution of a flow
    constexpr double LOW = 0.05;     // levels of the interval
    constexpr double HIGH = 0.95;
    const bool hasSpread = spread && !spread->IsEmpty();
    NS_ASSERT_MSG(fctNs.size() == truth.fctNs.size(), "a completion time per flow");
    std::vector<double> slowdowns;
    std::vector<double> truths;
    std::vector<double> distribution; // of slowdowns
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        const auto bytes = static_cast<double>(truth.scenario->GetFlows()[i].sizeBytes);
        if (truth.fctNs[i] < 0 || fctNs[i] < 0 || (sizes != nullptr && !sizes->Contains(bytes)))
        {
            continue;
        }
        const auto ideal = static_cast<double>(truth.scenario->GetIdealFct(i).GetTotalNs());
        slowdowns.push_back(std::max(1.0, static_cast<double>(fctNs[i]) / ideal));
        truths.push_back(std::max(1.0, static_cast<double>(truth.fctNs[i]) / ideal));
        const double error = slowdowns.back() / truths.back() - 1;
        if (hasSpread)
        {
            for (const double each : spread->GetSample(i, SAMPLES))
            {
                distribution.push_back(each);
            }
            ++m_nIntervals;
            for (const float each : M4Spread::LEVELS)
            {
                const auto level = static_cast<double>(each);
                const double rest = std::log(truths.back() / spread->GetQuantile(i, level));
                m_pinball += std::max(level * rest, (level - 1) * rest) / M4Spread::N;
            }
            // completion times are whole nanoseconds
            constexpr double ROUNDING = 1e-6;
            m_nCovered += truths.back() >= spread->GetQuantile(i, LOW) * (1 - ROUNDING) &&
                                  truths.back() <= spread->GetQuantile(i, HIGH) * (1 + ROUNDING)
                              ? 1
                              : 0;
        }
        m_flows.push_back(std::abs(error));
        m_signed += error;
    }
    if (!truths.empty())
    {
        std::vector<double>& all = hasSpread ? distribution : slowdowns;
        std::sort(all.begin(), all.end());
        std::sort(truths.begin(), truths.end());
        m_p99.push_back(DcnQuantile(all, 0.99) / DcnQuantile(truths, 0.99) - 1);
    }
}

double
M4Errors::GetMean() const
{
    return DcnMean(m_flows);
}

double
M4Errors::GetP90() const
{
    std::vector<double> sorted = m_flows;
    std::sort(sorted.begin(), sorted.end());
    return DcnQuantile(sorted, 0.9);
}

double
M4Errors::GetP99Error() const
{
    std::vector<double> errors;
    for (const double error : m_p99)
    {
        errors.push_back(std::abs(error));
    }
    return DcnMean(errors);
}

double
M4Errors::GetP99Bias() const
{
    return DcnMean(m_p99);
}

double
M4Errors::GetPinball() const
{
    return m_nIntervals == 0 ? std::nan("") : m_pinball / static_cast<double>(m_nIntervals);
}

double
M4Errors::GetCoverage() const
{
    return m_nIntervals == 0 ? std::nan("")
                             : static_cast<double>(m_nCovered) / static_cast<double>(m_nIntervals);
}

double
M4Errors::GetBias() const
{
    return m_signed / static_cast<double>(m_flows.size());
}

std::size_t
M4Errors::GetNFlows() const
{
    return m_flows.size();
}

void
M4ErrorTable::Add(const M4GroundTruth& truth,
                  const std::vector<int64_t>& fctNs,
                  const M4SpreadTable* spread)
{
    m_errors[truth.scenario->GetNetwork().congestionControl].Add(truth, fctNs, spread);
    for (const DcnSizeClass& sizes : DcnSizeClasses())
    {
        m_errors[sizes.name].Add(truth, fctNs, spread, &sizes);
    }
}

std::vector<std::pair<std::string, M4Errors>>
M4ErrorTable::GetGroups() const
{
    std::vector<std::string> names;
    for (const DcnSizeClass& sizes : DcnSizeClasses())
    {
        names.push_back(sizes.name);
    }
    for (const auto& [name, errors] : m_errors)
    {
        if (std::find(names.begin(), names.end(), name) == names.end())
        {
            names.push_back(name); // a congestion control
        }
    }
    std::vector<std::pair<std::string, M4Errors>> groups;
    for (const std::string& name : names)
    {
        const auto found = m_errors.find(name);
        if (found != m_errors.end() && found->second.GetNFlows() > 0)
        {
            groups.emplace_back(*found);
        }
    }
    return groups;
}

std::vector<int64_t>
M4RepeatPackets(Ptr<const DcnScenario> scenario)
{
    const Ptr<const DcnScenario> repeated = DcnScenarioSuite::Repeat(scenario, 2);
    const std::vector<int64_t> answer =
        DcnEstimator::CreateByName("packet")->Estimate(repeated).fctNs;
    Simulator::Destroy();
    std::vector<int64_t> fctNs(answer.size());
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        fctNs.at(repeated->GetFlows()[i].id) = answer[i];
    }
    return fctNs;
}

std::vector<int64_t>
M4RunTeacherForced(const M4GroundTruth& truth, const DcnModelFile& model)
{
    const M4Architecture architecture = M4Architecture::Read(model);
    const auto network = architecture.MakeNetwork(model);
    network->Begin(truth.scenario->GetTopology().GetNLinks());
    M4Replay replay(truth, architecture, {}, 0);
    M4Step step;
    std::vector<double> logSlowdown(truth.fctNs.size(), 0);
    while (replay.Next(step))
    {
        network->Update(step.snapshot);
        const std::vector<float>& predicted = network->GetLogSlowdowns();
        for (std::size_t row = 0; row < predicted.size(); ++row)
        {
            logSlowdown[step.flow[row]] = static_cast<double>(predicted[row]);
        }
    }
    std::vector<int64_t> fctNs;
    for (std::size_t flow = 0; flow < logSlowdown.size(); ++flow)
    {
        const auto ideal = static_cast<double>(truth.scenario->GetIdealFct(flow).GetTotalNs());
        fctNs.push_back(std::llround(ideal * std::exp(logSlowdown[flow])));
    }
    return fctNs;
}

DcnModelFile
M4MakeUntrained()
{
    return M4DefaultNetwork::MakeUntrained();
}

} // namespace ns3
