/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-data-path.h"

#include <cstdlib>

#ifndef DCN_DATA_DIR
#error "the build must define DCN_DATA_DIR, the data folder of the repository"
#endif

namespace ns3
{

std::string
DcnDataPath(const std::string& relative)
{
    const char* folder = std::getenv("DCN_DATA");
    return std::string(folder && *folder ? folder : DCN_DATA_DIR) + "/" + relative;
}

} // namespace ns3
