/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-writer.h"

#include "dcn-dataset-shard.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @param names words
 * @return the words joined by commas
 */
std::string
Join(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : ",") + name;
    }
    return text;
}

} // namespace

DcnDatasetWriter::DcnDatasetWriter(const std::string& path,
                                   const std::string& kind,
                                   const std::string& options)
    : m_path(path),
      m_temporary(path + ".part-" + std::to_string(getpid())),
      m_narrow(m_temporary + "-narrow"),
      m_options(options),
      m_schema(kind)
{
    Create();
}

void
DcnDatasetWriter::Create()
{
    m_nextRows.clear();
    m_file = DcnDatasetFile::Create(m_temporary, m_schema.GetColumns());
    m_file->SetText("format", "dcn-dataset");
    m_file->SetText("format_version", std::to_string(DcnDatasetSchema::VERSION));
    m_file->SetText("kind", m_schema.GetKind());
    m_file->SetText("options", m_options);
    m_file->SetText("network_names", Join(m_schema.GetNetworkNames()));
    m_file->SetText("draw_names", Join(m_schema.GetDrawNames()));
    for (const DcnDatasetColumn& column : m_schema.GetColumns())
    {
        if (!column.owned.empty())
        {
            m_file->Append(column, std::vector<uint64_t>{0});
        }
    }
}

DcnDatasetWriter::~DcnDatasetWriter()
{
    if (m_file)
    {
        m_file.reset();
        Remove();
    }
}

void
DcnDatasetWriter::Remove() const
{
    for (const std::string& file : {m_temporary, m_narrow})
    {
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
    }
}

void
DcnDatasetWriter::Widen()
{
    try
    {
        m_file->Close();
        m_file.reset();
        std::filesystem::rename(m_temporary, m_narrow);
        m_schema = DcnDatasetSchema(m_schema.GetKind(), DcnDatasetSchema::ListAllNetworkNames());
        Create();
        DcnDatasetShard narrow(m_narrow);
        for (uint64_t i = 0; i < narrow.GetN(); ++i)
        {
            Add(narrow.Read(i));
        }
    }
    catch (...)
    {
        m_file.reset();
        Remove();
        throw;
    }
    std::filesystem::remove(m_narrow);
}

void
DcnDatasetWriter::Add(const DcnDatasetSample& sample)
{
    const DcnNetworkConfig& network = *sample.scenario->GetNetworkConfig();
    if (!m_schema.Covers(network) &&
        m_schema.GetNetworkNames() != DcnDatasetSchema::ListAllNetworkNames())
    {
        Widen();
    }
    DcnDatasetSchema::Rows rows = m_schema.Pack(sample);
    for (const DcnDatasetColumn& column : m_schema.GetColumns())
    {
        DcnDatasetArray& values = rows.at(column.GetPath());
        if (!column.owned.empty())
        {
            uint64_t& next = m_nextRows[column.GetPath()];
            for (uint64_t& value : std::get<std::vector<uint64_t>>(values))
            {
                value = next += value;
            }
        }
        m_file->Append(column, values);
    }
}

void
DcnDatasetWriter::Commit()
{
    m_file->Close();
    std::error_code error;
    std::filesystem::rename(m_temporary, m_path, error);
    if (error)
    {
        DcnFail(m_path,
                ": the file cannot be written",
                DcnDescribeFileError(m_path, error.value()));
    }
    m_file.reset();
}

} // namespace ns3
