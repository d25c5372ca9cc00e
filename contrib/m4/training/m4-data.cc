/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-data.h"

#include "../model/session/m4-range-features.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4Data");

float
M4GroundTruth::GetRemaining(uint32_t flow, int64_t timeNs) const
{
    if (remaining.empty() || remaining[flow].empty())
    {
        return UNKNOWN;
    }
    const auto after =
        std::lower_bound(remaining[flow].begin(),
                         remaining[flow].end(),
                         timeNs,
                         [](const Remaining& known, int64_t time) { return known.timeNs < time; });
    if (after == remaining[flow].end())
    {
        return fctNs[flow] >= 0 ? 0 : UNKNOWN;
    }
    if (after->timeNs == timeNs || after == remaining[flow].begin())
    {
        return after->fraction;
    }
    const Remaining& before = *(after - 1);
    const double part = static_cast<double>(timeNs - before.timeNs) /
                        static_cast<double>(after->timeNs - before.timeNs);
    return before.fraction + static_cast<float>(part) * (after->fraction - before.fraction);
}

M4Data::M4Data(const std::string& folders, uint32_t validation)
    : m_sets(folders)
{
    for (std::size_t number = 0; number < m_sets.GetN(); ++number)
    {
        const DcnDatasetReader& reader = m_sets.Get(number);
        if (reader.GetKind() != "fabric" || reader.GetN() < validation)
        {
            DcnFail("m4 needs a data set of the kind fabric with at least ",
                    validation,
                    " samples, but ",
                    reader.GetFolder(),
                    " has ",
                    reader.GetN(),
                    " of the kind ",
                    reader.GetKind());
        }
        for (uint64_t sample = 0; sample < reader.GetN(); ++sample)
        {
            const bool training = sample + validation < reader.GetN();
            (training ? m_training : m_validation).emplace_back(number, sample);
        }
    }
    NS_LOG_INFO(m_training.size() << " simulations for training and " << m_validation.size()
                                  << " for validation in " << folders);
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

std::shared_ptr<const M4GroundTruth>
M4Data::ReadTraining(uint64_t index)
{
    return Read(m_training.at(index));
}

std::shared_ptr<const M4GroundTruth>
M4Data::ReadValidation(uint64_t index)
{
    return Read(m_validation.at(index));
}

DcnTrainedRanges
M4Data::ReadRange(const std::function<void()>& onSample, const DcnModelFile* from)
{
    DcnTrainedRanges range(M4RangeFeatures::GetQuantities());
    if (from)
    {
        range.Add(DcnTrainedRanges::Read(*from, M4RangeFeatures::GetQuantities()));
    }
    for (const auto& [number, sample] : m_training)
    {
        M4RangeFeatures::Learn(*m_sets.Get(number).Read(sample).scenario, range);
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

std::shared_ptr<const M4GroundTruth>
M4Data::Read(std::pair<std::size_t, uint64_t> which)
{
    const DcnDatasetSample sample = m_sets.Get(which.first).Read(which.second);
    auto truth = std::make_shared<M4GroundTruth>();
    truth->scenario = sample.scenario;
    truth->fctNs = sample.fctNs;
    truth->queueBytes = sample.queueBytes;
    if (sample.events.empty())
    {
        return truth; // completion times only (rule record=fct)
    }
    const auto& flows = sample.scenario->GetFlows();
    truth->remaining.resize(flows.size());
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        truth->remaining[flow].push_back({flows[flow].startNs, 1});
    }
    for (std::size_t e = 0; e < sample.events.size(); ++e)
    {
        for (const auto& active : sample.actives[e])
        {
            const float fraction = static_cast<float>(active.remainingBytes) /
                                   static_cast<float>(flows[active.flow].sizeBytes);
            truth->remaining[active.flow].push_back({sample.events[e].timeNs, fraction});
        }
    }
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        if (truth->fctNs[flow] >= 0)
        {
            truth->remaining[flow].push_back({flows[flow].startNs + truth->fctNs[flow], 0});
        }
    }
    return truth;
}

} // namespace ns3
