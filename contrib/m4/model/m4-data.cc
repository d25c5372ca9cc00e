/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-data.h"

#include "ns3/dcn-error.h"
#include "ns3/hash.h"

#include <iomanip>
#include <sstream>

namespace ns3
{

M4Data::M4Data(const std::string& folders, uint32_t validation)
{
    std::istringstream parts(folders);
    for (std::string folder; std::getline(parts, folder, ',');)
    {
        const std::size_t number = m_readers.size();
        m_readers.push_back(std::make_unique<DcnDatasetReader>(folder));
        const DcnDatasetReader& reader = *m_readers.back();
        if (reader.GetKind() != "fabric" || reader.GetN() < validation)
        {
            DcnFail("m4 needs a data set of the kind fabric with at least ", validation,
                    " samples, but ", folder, " has ", reader.GetN(), " of the kind ",
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
        M4Conditions::Add(*m_readers[number]->Read(sample).scenario, range);
        if (onSample)
        {
            onSample();
        }
    }
    return range;
}

namespace
{

/**
 * @param text anything
 * @return 16 hexadecimal digits
 */
std::string
MakeHash(const std::string& text)
{
    std::ostringstream digits;
    digits << std::hex << std::setw(16) << std::setfill('0') << Hash64(text);
    return digits.str();
}

/**
 * @param reader of a data set
 * @return hash of its options and of its files
 */
std::string
HashSet(const DcnDatasetReader& reader)
{
    std::string text = reader.GetOptions().GetContentText();
    for (const DcnDatasetManifestRow& row : reader.GetManifest())
    {
        text += row.hash + "\n";
    }
    return MakeHash(text);
}

} // namespace

void
M4Data::Describe(DcnModelFile& model) const
{
    for (std::size_t i = 0; i < m_readers.size(); ++i)
    {
        const std::string section = "data_" + std::to_string(i + 1);
        model.Set(section, "hash", HashSet(*m_readers[i]));
        model.Set(section, "samples", static_cast<double>(m_readers[i]->GetN()));
        for (const auto& [key, value] : m_readers[i]->GetOptions().content)
        {
            model.Set(section, key, value);
        }
    }
}

std::string
M4Data::GetHash() const
{
    std::string text;
    for (const auto& reader : m_readers)
    {
        text += HashSet(*reader) + "\n";
    }
    return MakeHash(text + std::to_string(m_training.size()) + " " +
                std::to_string(m_validation.size()));
}

std::shared_ptr<const M4Truth>
M4Data::Read(std::pair<std::size_t, uint64_t> which)
{
    const DcnDatasetSample sample = m_readers[which.first]->Read(which.second);
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
