/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-file.h"

#include "ns3/dcn-error.h"

namespace ns3
{

bool
DcnDatasetFile::IsAvailable()
{
    return false;
}

void
DcnDatasetFile::CheckAvailable()
{
    DcnFail(
        "data sets need HDF5, which was not found when the module dcn-dataset was built: install "
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

} // namespace ns3
