/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-evaluation.h"

#include "../model/network/m4-default-network.h"
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
              const DcnSizeClass* sizes)
{
    NS_ASSERT_MSG(fctNs.size() == truth.fctNs.size(), "a completion time per flow");
    std::vector<double> slowdowns;
    std::vector<double> truths;
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
        m_flows.push_back(std::abs(error));
        m_signed += error;
    }
    if (!truths.empty())
    {
        std::sort(slowdowns.begin(), slowdowns.end());
        std::sort(truths.begin(), truths.end());
        m_p99.push_back(std::abs(DcnQuantile(slowdowns, 0.99) / DcnQuantile(truths, 0.99) - 1));
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
    return DcnMean(m_p99);
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
M4ErrorTable::Add(const M4GroundTruth& truth, const std::vector<int64_t>& fctNs)
{
    m_errors[truth.scenario->GetNetwork().congestionControl].Add(truth, fctNs);
    for (const DcnSizeClass& sizes : DcnSizeClasses())
    {
        m_errors[sizes.name].Add(truth, fctNs, &sizes);
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
        const std::vector<float>& predicted = network->Update(step.snapshot);
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
