/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_OPTIONS_H
#define DCN_SCENARIO_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-workload.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Command-line options that say which scenario to estimate, shared by all programs.
 *
 * Either --scenario=DIR, or a topology, a workload and a network configuration:
 *
 * - --topology and its sizes: fabric (pods, racksPerPod, hostsPerRack, fabricsPerPod,
 *   spinesPerPlane), leaf-spine (racksPerPod, hostsPerRack, spinesPerPlane), fat-tree (pods: k),
 *   dumbbell (hostsPerRack on each side), parking-lot (racksPerPod switches, hostsPerRack at each);
 * - --hostRate, --fabricRate, --linkDelay;
 * - --sizes, --matrix, --load, --sigma, --flows or --duration, --seed: see DcnWorkloadSpec;
 * - --cc, --preset, and --network=key=value,...: see DcnNetworkConfig.
 *
 * An option that has no effect on the scenario chosen is refused.
 */
class DcnScenarioOptions
{
  public:
    /**
     * @brief Declare the options.
     * @param cmd the program's command line
     */
    void AddTo(CommandLine& cmd);

    /**
     * @brief Make the scenario that the options describe; call it after parsing.
     * @return the scenario
     * @throws DcnError for a bad value or an option without effect
     */
    Ptr<const DcnScenario> Create() const;

    /// What a scenario is made of, before flows are drawn.
    struct Parts
    {
        Ptr<const DcnTopology> topology;     //!< the network
        Ptr<const DcnNetworkConfig> network; //!< the configuration
        DcnWorkloadSpec spec;                //!< what flows to draw
    };

    /**
     * @brief The parts of the scenario, for programs that draw flows many times.
     * @param congestionControl in place of --cc, which may then be a list; empty: that of --cc
     * @return the parts
     * @throws DcnError as Create, and for --scenario, whose flows are fixed
     */
    Parts CreateParts(const std::string& congestionControl = "") const;

    /**
     * @brief Read an option as a list, for programs that go through several values.
     * @param name of the option, without dashes
     * @return its parts between commas; none if it was not given
     * @throws DcnError if a part comes twice
     */
    std::vector<std::string> GetList(const std::string& name) const;

    /**
     * @brief Set an option as if it had been given.
     * @param name of the option, without dashes
     * @param value its value; empty: not given
     */
    void Set(const std::string& name, const std::string& value);

    /**
     * @return what the workload generator says about the load, none for a scenario directory; set
     * by Create
     */
    const std::optional<DcnLoadReport>& GetLoadReport() const;

  private:
    /// Returns the value of an option, or a default value if it was not given.
    std::string Get(const std::string& name, const std::string& defaultValue) const;
    uint64_t GetUint(const std::string& name, uint64_t defaultValue, uint64_t largest) const;
    double GetDouble(const std::string& name, double defaultValue) const;
    DataRate GetRate(const std::string& name, DataRate defaultValue) const;
    Time GetTime(const std::string& name, Time defaultValue) const;

    Ptr<DcnTopology> CreateTopology() const;
    void CheckAllUsed() const;

    std::map<std::string, std::string> m_values;      //!< by option; empty: not given
    mutable std::vector<std::string> m_used;          //!< options that were looked at
    mutable std::optional<DcnLoadReport> m_loadReport; //!< see GetLoadReport
};

} // namespace ns3

#endif /* DCN_SCENARIO_OPTIONS_H */
