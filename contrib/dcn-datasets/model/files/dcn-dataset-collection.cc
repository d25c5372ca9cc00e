/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-collection.h"

#include "dcn-dataset-manifest.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace ns3
{

DcnDatasetCollection::DcnDatasetCollection(const std::string& folders)
{
    for (const std::string& folder : DcnSplitValues("data", folders))
    {
        std::error_code error;
        for (const auto& other : m_readers)
        {
            if (std::filesystem::equivalent(folder, other->GetFolder(), error))
            {
                DcnFail("--data names a folder twice: ", other->GetFolder(), " and ", folder);
            }
        }
        m_readers.push_back(std::make_unique<DcnDatasetReader>(folder));
        const std::string unused = m_readers.back()->DescribeUnused();
        if (!unused.empty())
        {
            std::printf("%s\n", unused.c_str());
        }
    }
    if (m_readers.empty())
    {
        DcnFail("there is no folder of a data set (dcn-dataset makes them)");
    }
}

DcnDatasetReader&
DcnDatasetCollection::Get(std::size_t number)
{
    return *m_readers.at(number);
}

const DcnDatasetReader&
DcnDatasetCollection::Get(std::size_t number) const
{
    return *m_readers.at(number);
}

std::string
DcnDatasetCollection::GetName(std::size_t number) const
{
    const std::string& folder = Get(number).GetFolder();
    const std::size_t last = folder.find_last_not_of('/');
    const std::size_t slash = folder.find_last_of('/', last);
    return folder.substr(slash + 1, last - slash);
}

std::string
DcnDatasetCollection::GetNames() const
{
    std::string names;
    for (std::size_t i = 0; i < m_readers.size(); ++i)
    {
        names += (i > 0 ? "," : "") + GetName(i);
    }
    return names;
}

void
DcnDatasetCollection::RequireOneEngine() const
{
    for (std::size_t i = 0; i < m_readers.size(); ++i)
    {
        const std::string& engine =
            m_readers[i]->GetOptions().Get(DcnDatasetOptions::ENGINE_DIGEST);
        if (engine == DCN_UNKNOWN_ORIGIN)
        {
            DcnFail("the data set ",
                    m_readers[i]->GetFolder(),
                    " does not say which packet engine made it, as those of dcn 0.1, and cannot be "
                    "trained with: make it again with dcn-dataset in another folder; its kind, "
                    "seed and rules are in its dataset.csv");
        }
        const std::string first = m_readers[0]->GetOptions().DescribeEngine();
        const std::string other = m_readers[i]->GetOptions().DescribeEngine();
        if (other != first)
        {
            DcnFail("the data sets of a training must be of one engine, but ",
                    m_readers[0]->GetFolder(),
                    " is of ",
                    first,
                    " and ",
                    m_readers[i]->GetFolder(),
                    " of ",
                    other,
                    ": make one of them again with dcn-dataset in another folder; the command is "
                    "in its dataset.csv");
        }
    }
}

const std::string&
DcnDatasetCollection::GetEngineDigest() const
{
    return m_readers.front()->GetOptions().Get(DcnDatasetOptions::ENGINE_DIGEST);
}

std::string
DcnDatasetCollection::GetHash(std::size_t number) const
{
    const DcnDatasetReader& reader = Get(number);
    std::string text = reader.GetOptions().GetContentText();
    for (const DcnDatasetManifestRow& row : reader.GetManifest())
    {
        text += row.hash + "\n";
    }
    return DcnHashText(text);
}

void
DcnDatasetCollection::Describe(DcnModelCard& card) const
{
    for (std::size_t i = 0; i < m_readers.size(); ++i)
    {
        const DcnDatasetOptions& options = m_readers[i]->GetOptions();
        DcnModelCard::Entries entries{
            {"name", GetName(i)},
            {"hash", GetHash(i)},
            {DcnDatasetOptions::ENGINE_DIGEST, options.Get(DcnDatasetOptions::ENGINE_DIGEST)}};
        for (const auto& each : {options.GetOrigin(), options.content})
        {
            for (const auto& entry : each)
            {
                if (entry.first != DcnDatasetOptions::ENGINE_DIGEST)
                {
                    entries.push_back(entry);
                }
            }
        }
        card.AddData(entries, m_readers[i]->GetN());
    }
}

} // namespace ns3
