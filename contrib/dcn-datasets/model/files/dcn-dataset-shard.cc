/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-shard.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"

#include <sstream>
#include <utility>

namespace ns3
{

DcnDatasetShard::DcnDatasetShard(const std::string& path)
    : m_path(path),
      m_file(DcnDatasetFile::Open(path))
{
    const auto format = m_file->GetText("format");
    if (!format || *format != "dcn-dataset")
    {
        DcnFail(path,
                ": the file is no shard of a data set, its format is \"",
                format ? *format : "",
                "\"");
    }
    const std::string version = ReadText("format_version");
    if (version != std::to_string(DcnDatasetSchema::VERSION))
    {
        DcnFail(path,
                ": the data set has the format version ",
                version,
                ", but this program reads version ",
                DcnDatasetSchema::VERSION);
    }
    const std::string kind = ReadText("kind");
    if (kind != "path" && kind != "fabric")
    {
        DcnFail(path, ": the kind must be path or fabric, but it is \"", kind, "\"");
    }
    // the file may be older than some keys of a configuration
    m_schema = std::make_unique<DcnDatasetSchema>(kind, ReadNames("network_names"));
    if (m_schema->GetNetworkNames().front() != "cc")
    {
        DcnFail(path,
                ": network_names must begin with cc, but it begins with ",
                m_schema->GetNetworkNames().front());
    }
    if (ReadNames("draw_names") != m_schema->GetDrawNames())
    {
        DcnFail(path,
                ": draw_names is \"",
                ReadText("draw_names"),
                "\", which is not what data sets of the kind ",
                kind,
                " have");
    }
    m_options = ReadText("options");
    CheckColumns();
}

std::string
DcnDatasetShard::ReadText(const std::string& name) const
{
    const auto text = m_file->GetText(name);
    if (!text)
    {
        DcnFail(m_path, ": the attribute ", name, " is missing");
    }
    return *text;
}

std::vector<std::string>
DcnDatasetShard::ReadNames(const std::string& name) const
{
    std::vector<std::string> names;
    std::istringstream text(ReadText(name));
    for (std::string each; std::getline(text, each, ',');)
    {
        names.push_back(each);
    }
    if (names.empty())
    {
        DcnFail(m_path, ": the attribute ", name, " is empty");
    }
    return names;
}

void
DcnDatasetShard::CheckColumns()
{
    std::map<std::string, std::string> firstColumns; // by table
    for (const DcnDatasetColumn& column : m_schema->GetColumns())
    {
        const std::string name = column.GetPath();
        if (!m_file->HasColumn(column))
        {
            DcnFail(m_path, ": ", name, " is missing");
        }
        auto rows = m_file->GetRows(column);
        if (!rows)
        {
            DcnFail(m_path, ": ", name, " is not of the type ", column.GetTypeName());
        }
        if (!column.owned.empty())
        {
            if (*rows == 0)
            {
                DcnFail(m_path, ": ", name, " is empty, but offsets begin with 0");
            }
            --*rows;
        }
        auto [known, isFirst] = m_rows.emplace(column.table, *rows);
        if (isFirst)
        {
            firstColumns[column.table] = name;
        }
        else if (known->second != *rows)
        {
            DcnFail(m_path,
                    ": ",
                    name,
                    " has ",
                    *rows,
                    " rows",
                    column.owned.empty() ? "" : " + 1",
                    ", but ",
                    firstColumns[column.table],
                    " has ",
                    known->second);
        }
    }
    for (const DcnDatasetColumn& column : m_schema->GetColumns())
    {
        if (!column.owned.empty())
        {
            ReadOffsets(column);
        }
    }
}

void
DcnDatasetShard::ReadOffsets(const DcnDatasetColumn& column)
{
    const std::string name = column.GetPath();
    auto offsets =
        std::get<std::vector<uint64_t>>(m_file->Read(column, 0, m_rows.at(column.table) + 1));
    if (offsets.front() != 0)
    {
        DcnFail(m_path, ": ", name, " begins with ", offsets.front(), ", not 0");
    }
    for (std::size_t i = 1; i < offsets.size(); ++i)
    {
        if (offsets[i] < offsets[i - 1])
        {
            DcnFail(m_path,
                    ": ",
                    name,
                    " falls from ",
                    offsets[i - 1],
                    " to ",
                    offsets[i],
                    " at row ",
                    i);
        }
    }
    if (offsets.back() != m_rows.at(column.owned))
    {
        DcnFail(m_path,
                ": ",
                name,
                " ends with ",
                offsets.back(),
                ", but ",
                column.owned,
                " has ",
                m_rows.at(column.owned),
                " rows");
    }
    m_offsets[name] = std::move(offsets);
}

const std::string&
DcnDatasetShard::GetKind() const
{
    return m_schema->GetKind();
}

const std::string&
DcnDatasetShard::GetOptions() const
{
    return m_options;
}

uint64_t
DcnDatasetShard::GetN() const
{
    return m_rows.at("samples");
}

uint64_t
DcnDatasetShard::GetFirst()
{
    const DcnDatasetColumn& index = m_schema->GetColumns().front();
    NS_ASSERT(index.GetPath() == "samples/index");
    return GetN() > 0 ? std::get<std::vector<uint64_t>>(m_file->Read(index, 0, 1)).front() : 0;
}

uint64_t
DcnDatasetShard::GetNFlows() const
{
    return m_rows.at("flows");
}

DcnDatasetSample
DcnDatasetShard::Read(uint64_t position)
{
    NS_ASSERT_MSG(position < GetN(), "no such sample");
    std::map<std::string, std::pair<uint64_t, uint64_t>> ranges; // of rows, by table
    ranges["samples"] = {position, position + 1};
    DcnDatasetSchema::Rows rows;
    for (const DcnDatasetColumn& column : m_schema->GetColumns())
    {
        const std::string name = column.GetPath();
        const auto [first, last] = ranges.at(column.table);
        if (column.owned.empty())
        {
            rows[name] = m_file->Read(column, first, last - first);
            continue;
        }
        const std::vector<uint64_t>& offsets = m_offsets.at(name);
        std::vector<uint64_t> counts;
        counts.reserve(last - first);
        for (uint64_t i = first; i < last; ++i)
        {
            counts.push_back(offsets[i + 1] - offsets[i]);
        }
        rows[name] = std::move(counts);
        ranges[column.owned] = {offsets[first], offsets[last]};
    }
    try
    {
        return m_schema->Unpack(rows);
    }
    catch (const DcnError& error)
    {
        DcnFail(m_path, ": sample at position ", position, ": ", error.what());
    }
}

} // namespace ns3
