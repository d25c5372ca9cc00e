/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_NETWORK_OPTIONS_H
#define DCN_TRAIN_NETWORK_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-train-fabric.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Command-line options that describe the network of training traffic, and its engines.
 *
 * The network is one of three: that of DcnScenarioOptions (--topology, the default), a fabric of
 * servers (--servers, DcnTrainFabric), or a file of HPCC's family of simulators (--topologyFile,
 * DcnHpccFiles). An option without effect is refused.
 */
class DcnTrainNetworkOptions
{
  public:
    /// A network and its configuration.
    struct Network
    {
        Ptr<DcnTopology> topology;    //!< the network
        Ptr<DcnNetworkConfig> config; //!< its configuration
        /// What of the topology file has no effect or two meanings, in lines to be printed.
        std::vector<std::string> notes;
    };

    DcnTrainNetworkOptions();

    /**
     * @brief Declare the options.
     * @param cmd the program's command line
     */
    void AddTo(CommandLine& cmd);

    /**
     * @brief Make the network of the options; call it after parsing.
     * @return the network, a new one for each call
     * @throws DcnError for a bad value or an option without effect
     */
    Network Create() const;

    /**
     * @return the values of --engine
     * @throws DcnError for an unknown engine, or none
     */
    std::vector<std::string> GetEngines() const;

    /**
     * @brief Take a topology file in place of the other options of the topology.
     * @param path the file
     */
    void SetTopologyFile(const std::string& path);

    /** @return the options of the scenario, such as --cc and --network. */
    DcnScenarioOptions& GetScenarioOptions();

  private:
    DcnScenarioOptions m_scenario;         //!< --topology, and what belongs to it
    DcnTrainFabric m_fabric;               //!< --servers, and what belongs to it
    std::string m_topologyFile;            //!< --topologyFile
    std::string m_engines;                 //!< --engine
    std::string m_scaleUpRate{"3600Gbps"}; //!< --scaleUpRate
    std::string m_nicRate{"400Gbps"};      //!< --nicRate
};

} // namespace ns3

#endif /* DCN_TRAIN_NETWORK_OPTIONS_H */
