/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-file.h"

#include "ns3/dcn-error.h"

namespace ns3
{

/// Nothing: no file is ever made.
struct DcnDatasetFile::Impl
{
};

bool
DcnDatasetFile::IsAvailable()
{
    return false;
}

void
DcnDatasetFile::CheckAvailable()
{
    DcnFail(
        "data sets need HDF5, which was not found when the module dcn-packet was built: install "
        "it (libhdf5-dev) and configure ns-3 again");
}

std::unique_ptr<DcnDatasetFile>
DcnDatasetFile::Create(const std::string&, const std::vector<DcnDatasetColumn>&)
{
    CheckAvailable();
    return nullptr;
}

std::unique_ptr<DcnDatasetFile>
DcnDatasetFile::Open(const std::string&)
{
    CheckAvailable();
    return nullptr;
}

DcnDatasetFile::DcnDatasetFile(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

DcnDatasetFile::~DcnDatasetFile() = default;

void
DcnDatasetFile::Append(const DcnDatasetColumn&, const DcnDatasetArray&)
{
    CheckAvailable();
}

std::optional<uint64_t>
DcnDatasetFile::GetRows(const DcnDatasetColumn&)
{
    return std::nullopt;
}

bool
DcnDatasetFile::HasColumn(const DcnDatasetColumn&)
{
    return false;
}

DcnDatasetArray
DcnDatasetFile::Read(const DcnDatasetColumn&, uint64_t, uint64_t)
{
    return {};
}

void
DcnDatasetFile::SetText(const std::string&, const std::string&)
{
    CheckAvailable();
}

std::optional<std::string>
DcnDatasetFile::GetText(const std::string&) const
{
    return std::nullopt;
}

void
DcnDatasetFile::Close()
{
}

} // namespace ns3
