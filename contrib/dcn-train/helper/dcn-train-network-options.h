/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_NETWORK_OPTIONS_H
#define DCN_TRAIN_NETWORK_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-train-fabric.h"
#include "ns3/dcn-train-protocols.h"
#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Command-line options that describe the network of training traffic, and its engines.
 *
 * The network is one of three: that of DcnScenarioOptions (--topology, the default), a fabric of
 * servers (--servers, DcnTrainFabric), or a file of HPCC's family of simulators (--topologyFile or
 * SetNetworkFile, DcnHpccFiles). GetEffects has the options without effect.
 */
class DcnTrainNetworkOptions
{
  public:
    /// A network and its configuration.
    struct Network
    {
        Ptr<DcnTopology> topology;    //!< the network
        Ptr<DcnNetworkConfig> config; //!< its configuration
        DcnTrainServers servers;      //!< of the hosts, in their order
        Time hostLatency;             //!< for DcnTrainExecutor::HostLatency
        /// What of the files has no effect or two meanings, and what the options do not show, in
        /// lines to be printed.
        std::vector<std::string> notes;
    };

    /// @param engines default of --engine
    explicit DcnTrainNetworkOptions(
        const std::string& engines = "packet,flowsim:Acknowledgements=true,m4");

    /**
     * @brief Declare the options.
     * @param cmd the program's command line
     */
    void AddTo(CommandLine& cmd);

    /**
     * @brief Make the network of the options; call it after parsing.
     * @return the network, a new one for each call
     * @throws DcnError for a bad value
     */
    Network Create() const;

    /** @return the options that not every network reads, for DcnGivenOptions. */
    std::vector<DcnOptionEffect> GetEffects() const;

    /**
     * @return the values of --engine
     * @throws DcnError for an unknown engine, one that is named twice, or none
     */
    std::vector<std::string> GetEngines() const;

    /**
     * @param network its configuration
     * @return whether all engines are flowsim without windows, which reads rates, delays and sizes
     * of packets, but neither congestion control, windows, buffers nor PFC
     */
    bool IsFluid(const DcnNetworkParameters& network) const;

    /**
     * @brief Take a file in place of the other options of the topology.
     * @param path a topology file, or the config.txt of a simulator of HPCC's family, which --cc
     * and --network come before (DcnHpccFiles::Apply)
     * @throws DcnError if it cannot be read
     */
    void SetNetworkFile(const std::string& path);

    /**
     * @brief Read a parameter of DcnTrainCalibration.
     * @param name hostLatency or linkDelay
     * @return its value [us]
     */
    double GetTimeUs(const std::string& name) const;

    /**
     * @brief Set a parameter of DcnTrainCalibration, once.
     * @param name hostLatency, linkDelay or nicEfficiency
     * @param value [us], or the factor on the rate of NICs
     */
    void SetParameter(const std::string& name, double value);

    /**
     * @param name see SetParameter
     * @param value see SetParameter
     * @return the option that sets the parameter, as on the command line
     */
    std::string DescribeParameter(const std::string& name, double value) const;

  private:
    /// @return the rate of NICs times a factor, as text
    std::string GetNicRate(double factor) const;
    /// @return the sizes and rates of a fabric, in a line
    static std::string DescribeFabric(const DcnTrainFabric& fabric);
    /// @return the fabric of --servers and what belongs to it
    DcnTrainFabric MakeFabric() const;
    /// @return --hostLatency, in the range of DcnTrainExecutor::HostLatency
    Time ReadHostLatency() const;
    /// @return options that were given and that a fluid engine does not read; empty: none
    std::string DescribeIgnored() const;
    /// @return the file that the network is from, for messages; empty: none
    std::string DescribeFile() const;
    /// Makes topology and configuration of a fabric or of files.
    Network CreateFabricOrFile() const;

    DcnScenarioOptions m_scenario;         //!< --topology, and what belongs to it
    DcnTrainFabric m_fabric;               //!< --servers, and what belongs to it
    std::string m_topologyFile;            //!< --topologyFile
    std::string m_configFile;              //!< config.txt; empty: none
    std::string m_engines;                 //!< --engine
    std::string m_scaleUpRate{"3600Gbps"}; //!< --scaleUpRate
    std::string m_nicRate{"400Gbps"};      //!< --nicRate
    std::string m_spineRate;               //!< --spineRate; empty: that of NICs
    std::string m_scaleUpDelay{"100ns"};   //!< --scaleUpDelay
    std::string m_hostLatency{"0ns"};      //!< --hostLatency
};

} // namespace ns3

#endif /* DCN_TRAIN_NETWORK_OPTIONS_H */
