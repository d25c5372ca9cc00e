/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-reader.h"

#include "dcn-dataset-file.h"
#include "dcn-dataset-manifest.h"
#include "dcn-dataset-shard.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDatasetReader");

bool
DcnDatasetReader::IsAvailable()
{
    return DcnDatasetFile::IsAvailable();
}

DcnDatasetReader::DcnDatasetReader(const std::string& folder)
    : m_folder(folder)
{
    DcnDatasetFile::CheckAvailable();
    if (!std::filesystem::is_directory(folder))
    {
        DcnFail(folder, ": there is no such folder");
    }
    m_options = std::make_unique<DcnDatasetOptions>(DcnDatasetOptions::Read(folder));
    m_manifest = DcnReadManifest(folder);
    const uint64_t listed =
        m_manifest.empty() ? 0 : m_manifest.back().firstSample + m_manifest.back().samples;
    if (listed != m_options->samples)
    {
        DcnFail(folder,
                "/manifest.csv: there are ",
                listed,
                " samples, but dataset.csv says ",
                m_options->samples);
    }
    m_kind = m_options->Get("kind");
    m_isChecked.resize(m_manifest.size());
    NS_LOG_INFO(folder << ": " << listed << " samples of the kind " << m_kind);
}

DcnDatasetReader::~DcnDatasetReader() = default;

const DcnDatasetOptions&
DcnDatasetReader::GetOptions() const
{
    return *m_options;
}

const std::vector<DcnDatasetManifestRow>&
DcnDatasetReader::GetManifest() const
{
    return m_manifest;
}

std::string
DcnDatasetReader::DescribeUnused() const
{
    std::set<std::string> used{"dataset.csv", "manifest.csv"};
    for (const DcnDatasetManifestRow& row : m_manifest)
    {
        used.insert(row.file);
    }
    return DcnDescribeUnusedFiles(m_folder, used);
}

uint64_t
DcnDatasetReader::GetN() const
{
    return m_options->samples;
}

uint64_t
DcnDatasetReader::GetNShards() const
{
    return m_manifest.size();
}

DcnDatasetShard&
DcnDatasetReader::GetShard(const DcnDatasetManifestRow& row)
{
    auto found = std::find_if(m_open.begin(), m_open.end(), [&row](const auto& open) {
        return open.first == row.shard;
    });
    if (found != m_open.end())
    {
        m_open.splice(m_open.begin(), m_open, found);
        return *m_open.front().second;
    }
    const std::string path = m_folder + "/" + row.file;
    // before HDF5 reads a damaged file
    if (!m_isChecked.at(row.shard))
    {
        CheckBytes(row);
        m_isChecked[row.shard] = true;
    }
    auto shard = std::make_unique<DcnDatasetShard>(path);
    m_options->CheckShard(path, shard->GetOptions());
    if (shard->GetN() != row.samples || shard->GetFirst() != row.firstSample ||
        shard->GetNFlows() != row.flows)
    {
        DcnFail(path,
                ": the shard has ",
                shard->GetN(),
                " samples from ",
                shard->GetFirst(),
                " on with ",
                shard->GetNFlows(),
                " flows, but manifest.csv says ",
                row.samples,
                " from ",
                row.firstSample,
                " on with ",
                row.flows);
    }
    if (m_open.size() == MAX_OPEN)
    {
        m_open.pop_back();
    }
    m_open.emplace_front(row.shard, std::move(shard));
    return *m_open.front().second;
}

DcnDatasetSample
DcnDatasetReader::Read(uint64_t index)
{
    NS_ASSERT_MSG(index < GetN(), "no such sample");
    auto row = std::upper_bound(
        m_manifest.begin(),
        m_manifest.end(),
        index,
        [](uint64_t i, const DcnDatasetManifestRow& r) { return i < r.firstSample; });
    --row;
    DcnDatasetSample sample = GetShard(*row).Read(index - row->firstSample);
    if (sample.index != index || sample.seed != row->firstSeed + (index - row->firstSample))
    {
        DcnFail(m_folder,
                "/",
                row->file,
                ": sample ",
                index,
                " says that it is ",
                sample.index,
                " with the seed ",
                sample.seed);
    }
    return sample;
}

void
DcnDatasetReader::CheckBytes(const DcnDatasetManifestRow& row) const
{
    const std::string path = m_folder + "/" + row.file;
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    if (error || bytes != row.bytes)
    {
        DcnFail(path,
                ": the file has ",
                error ? 0 : bytes,
                " bytes, but manifest.csv says ",
                row.bytes);
    }
    const std::string hash = DcnHashFile(path);
    if (hash != row.hash)
    {
        DcnFail(path, ": the file has the hash ", hash, ", but manifest.csv says ", row.hash);
    }
}

void
DcnDatasetReader::Verify()
{
    m_isChecked.assign(m_manifest.size(), false); // files may have changed
    m_open.clear();
    for (uint64_t i = 0; i < GetN(); ++i)
    {
        Read(i);
    }
}

} // namespace ns3
