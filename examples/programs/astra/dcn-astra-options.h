/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ASTRA_OPTIONS_H
#define DCN_ASTRA_OPTIONS_H

#include "ns3/command-line.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief The command line of ASTRA-sim 2's network back ends.
 */
struct DcnAstraOptions
{
    std::string workload;           //!< --workload-configuration: traces without .RANK.et
    std::string commGroup{"empty"}; //!< --comm-group-configuration; "empty": none
    std::string system;             //!< --system-configuration
    std::string remoteMemory;       //!< --remote-memory-configuration
    std::string network;            //!< --network-configuration; empty: options of the network
    std::string logicalTopology;    //!< --logical-topology-configuration; empty: one dimension
    std::string logging{"empty"};   //!< --logging-configuration; "empty": none
    std::string loggingFolder;      //!< --logging-folder; empty: log in the folder of results
    int32_t queuesPerDimension{1};  //!< --num-queues-per-dim
    double commScale{1};            //!< --comm-scale
    double injectionScale{1};       //!< --injection-scale
    bool hasRendezvous{false};      //!< --rendezvous-protocol

    /**
     * @brief Declare the options.
     * @param cmd the program's command line
     */
    void AddTo(CommandLine& cmd);

    /**
     * @brief Check that values are in range and that files are there and are JSON.
     * @throws DcnError for the first that is not
     */
    void Check() const;

    /**
     * @brief Read the logical topology.
     * @return ranks of each dimension; without a file one dimension of as many ranks as there are
     * traces
     * @throws DcnError for a bad file, and for a rank without trace
     */
    std::vector<int> ReadDimensions() const;
};

} // namespace ns3

#endif /* DCN_ASTRA_OPTIONS_H */
