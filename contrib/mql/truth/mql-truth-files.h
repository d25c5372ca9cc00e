/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_FILES_H
#define MQL_TRUTH_FILES_H

#include "mql-truth-recorder.h"

#include <string>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Where a simulation comes from; files of release 0.1 do not record it.
 */
struct MqlTruthOrigin
{
    std::string engineDigest; //!< MqlTruthDigest
    std::string release;      //!< of dcn
    std::string date;         //!< day in UTC
    std::string command;      //!< that simulated it, without the machine it ran on
};

/**
 * @ingroup mql
 * @brief Write the outcome of a simulation: FOLDER/NAME/{hops,flows,queues,run}.csv, where NAME is
 * that of the configuration; columns in doc/schema.rst. run.csv comes last: where it exists, the
 * others are complete.
 *
 * @param traffic of the simulation
 * @param result the outcome
 * @param folder made if it is not there
 * @param command that simulated it (DcnDescribeCommand); empty: none is recorded
 */
void MqlWriteTruth(const MqlTruthTraffic& traffic,
                   const MqlTruthResult& result,
                   const std::string& folder,
                   const std::string& command = "");

/**
 * @ingroup mql
 * @brief Whether the outcome of a configuration is in a folder.
 * @param config the configuration
 * @param folder the folder
 * @return false if it is not there
 * @throws DcnError if the one of this name that is there is of another configuration, or was
 * simulated by another program (MqlTruthDigest)
 */
bool MqlHasTruth(const MqlTruthConfig& config, const std::string& folder);

/**
 * @ingroup mql
 * @brief Read the files of MqlWriteTruth.
 * @param path FOLDER/NAME
 * @param config set to the configuration
 * @return the outcome
 * @throws DcnError with file and line
 */
MqlTruthResult MqlReadTruth(const std::string& path, MqlTruthConfig& config);

/**
 * @ingroup mql
 * @brief Read the configuration alone.
 * @param path FOLDER/NAME
 * @return the configuration
 */
MqlTruthConfig MqlReadTruthConfig(const std::string& path);

/**
 * @ingroup mql
 * @brief Read the origin alone.
 * @param path FOLDER/NAME
 * @return the origin, DCN_UNKNOWN_ORIGIN where nothing is recorded
 */
MqlTruthOrigin MqlReadTruthOrigin(const std::string& path);

} // namespace ns3

#endif /* MQL_TRUTH_FILES_H */
