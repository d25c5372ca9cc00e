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
 * @brief What a simulation is of and where it comes from; files of release 0.1 do not record the
 * origin, and have DCN_UNKNOWN_ORIGIN for it.
 */
struct MqlTruthRun
{
    MqlTruthConfig config;    //!< the configuration
    std::string engineDigest; //!< MqlTruthDigest
    std::string release;      //!< of dcn
    std::string date;         //!< day in UTC
    std::string command;      //!< command of the simulation, without the machine's name
    MqlTruthResult result;    //!< measurements: those of the whole network
};

/**
 * @ingroup mql
 * @brief Write the measurements of a simulation: FOLDER/NAME/{hops,flows,queues,run}.csv, with the
 * NAME of the configuration; columns in doc/schema.rst. run.csv is written last: if it exists, the
 * other files are complete.
 *
 * @param traffic of the simulation
 * @param result the measurements
 * @param folder created if missing
 * @param command command of the simulation (DcnDescribeCommand); empty: not recorded
 */
void MqlWriteTruth(const MqlTruthTraffic& traffic,
                   const MqlTruthResult& result,
                   const std::string& folder,
                   const std::string& command = "");

/**
 * @ingroup mql
 * @brief Whether the measurements of a configuration are in a folder.
 * @param config the configuration
 * @param folder the folder
 * @return false if they are missing
 * @throws DcnError if those of this name belong to another configuration or program
 * (MqlTruthDigest)
 */
bool MqlHasTruth(const MqlTruthConfig& config, const std::string& folder);

/**
 * @ingroup mql
 * @brief Read run.csv only.
 * @param path FOLDER/NAME
 * @return configuration, origin and measurements of the whole network
 * @throws DcnError with file and line
 */
MqlTruthRun MqlReadTruthRun(const std::string& path);

/**
 * @ingroup mql
 * @brief Read all files of MqlWriteTruth.
 * @param path FOLDER/NAME
 * @return configuration, origin and all measurements
 * @throws DcnError with file and line
 */
MqlTruthRun MqlReadTruth(const std::string& path);

} // namespace ns3

#endif /* MQL_TRUTH_FILES_H */
