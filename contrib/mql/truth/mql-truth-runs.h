/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_RUNS_H
#define MQL_TRUTH_RUNS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Options of simulations of configurations.
 */
struct MqlTruthRunOptions
{
    std::string config; //!< text of a configuration (MqlTruthConfig)
    std::string list;   //!< file with a configuration per line, instead of config
    std::string out;    //!< folder; each configuration gets a folder of its own in it
    Time interval;      //!< of the records of a DcnCollector (engine=ns3); 0: no collector
    bool hasInterval{false}; //!< the user gave it: a configuration must have engine=ns3
    uint32_t jobs{1};   //!< parallel processes, at least 1
};

/** @return lines for --help: keys of a configuration with defaults and meanings. */
std::string MqlDescribeTruthKeys();

/**
 * @ingroup mql
 * @brief Simulate configurations, each in a process of its own, print a line for each, and write
 * their files (doc/schema.rst). Configurations already in the folder are kept, so that a stopped
 * run can be continued.
 *
 * With engine=ns3, a DcnCollector watches the queues of all devices and writes its records to the
 * folder collector of the configuration.
 *
 * @param options configurations and folder
 * @param command command line, recorded in the files (DcnDescribeCommand)
 * @throws DcnError as MqlTruthConfig::Parse and MqlHasTruth, and for an option out of range
 */
void MqlRunTruth(const MqlTruthRunOptions& options, const std::string& command);

} // namespace ns3

#endif /* MQL_TRUTH_RUNS_H */
