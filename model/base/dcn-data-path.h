/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATA_PATH_H
#define DCN_DATA_PATH_H

#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Where a file of the repository's data folder lies.
 *
 * The folder is the environment variable DCN_DATA if it is set, else the one that was in force
 * when the module was built.
 *
 * @param relative path inside the data folder, e.g. "sizes/web-server.csv"
 * @return the path to open; whether it exists is not checked
 */
std::string DcnDataPath(const std::string& relative);

} // namespace ns3

#endif /* DCN_DATA_PATH_H */
