/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-data.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"

namespace ns3
{

M4Data::M4Data(const std::string& folders, uint32_t validation)
    : m_sets(folders)
{
    for (std::size_t number = 0; number < m_sets.GetN(); ++number)
    {
        const DcnDatasetReader& reader = m_sets.Get(number);
        if (reader.GetKind() != "fabric" || reader.GetN() < validation)
        {
            DcnFail("m4 needs a data set of the kind fabric with at least ", validation,
                    " samples, but ", reader.GetFolder(), " has ", reader.GetN(), " of the kind ",
                    reader.GetKind());
        }
        for (uint64_t sample = 0; sample < reader.GetN(); ++sample)
        {
            const bool training = sample + validation < reader.GetN();
            (training ? m_training : m_validation).emplace_back(number, sample);
        }
    }
}

uint64_t
M4Data::GetNTraining() const
{
    return m_training.size();
}

uint64_t
M4Data::GetNValidation() const
{
    return m_validation.size();
}

std::shared_ptr<const M4Truth>
M4Data::ReadTraining(uint64_t index)
{
    return Read(m_training.at(index));
}

std::shared_ptr<const M4Truth>
M4Data::ReadValidation(uint64_t index)
{
    return Read(m_validation.at(index));
}

DcnTrainedRanges
M4Data::ReadRange(const std::function<void()>& onSample)
{
    DcnTrainedRanges range(M4Conditions::GetQuantities());
    for (const auto& [number, sample] : m_training)
    {
        M4Conditions::Add(*m_sets.Get(number).Read(sample).scenario, range);
        if (onSample)
        {
            onSample();
        }
    }
    return range;
}

const DcnDatasetCollection&
M4Data::GetSets() const
{
    return m_sets;
}

std::string
M4Data::GetHash() const
{
    std::string text;
    for (std::size_t i = 0; i < m_sets.GetN(); ++i)
    {
        text += m_sets.GetHash(i) + "\n";
    }
    return DcnHashText(text + std::to_string(m_training.size()) + " " +
                       std::to_string(m_validation.size()));
}

std::shared_ptr<const M4Truth>
M4Data::Read(std::pair<std::size_t, uint64_t> which)
{
    const DcnDatasetSample sample = m_sets.Get(which.first).Read(which.second);
    auto truth = std::make_shared<M4Truth>();
    truth->scenario = sample.scenario;
    truth->fctNs = sample.fctNs;
    truth->queueBytes = sample.queueBytes;
    if (sample.events.empty())
    {
        return truth; // completion times only (rule record=fct)
    }
    const auto& flows = sample.scenario->GetFlows();
    truth->left.resize(flows.size());
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        truth->left[flow].push_back({flows[flow].startNs, 1});
    }
    for (std::size_t e = 0; e < sample.events.size(); ++e)
    {
        for (const auto& active : sample.actives[e])
        {
            const float share = static_cast<float>(active.remainingBytes) /
                                static_cast<float>(flows[active.flow].sizeBytes);
            truth->left[active.flow].push_back({sample.events[e].timeNs, share});
        }
    }
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        if (truth->fctNs[flow] >= 0)
        {
            truth->left[flow].push_back({flows[flow].startNs + truth->fctNs[flow], 0});
        }
    }
    return truth;
}

} // namespace ns3
