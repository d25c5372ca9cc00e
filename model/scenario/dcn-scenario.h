/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_H
#define DCN_SCENARIO_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Topology, flows with their paths, and network configuration: the input of every method.
 *
 * Checked when it is made and never changed afterwards, so that any number of methods can be run
 * on it and mean the same flows. Flows are ordered by (start, id); a flow's position in that order
 * is its index everywhere else.
 */
class DcnScenario : public DcnSharedCount<DcnScenario>
{
  public:
    static constexpr uint64_t MAX_SIZE_BYTES = 1'000'000'000'000'000; //!< largest flow [bytes]
    static constexpr int64_t MAX_TIME_NS = 1'000'000'000'000'000;     //!< last start: 11 days [ns]

    /// Nodes of pinned paths by flow id, with the place that a message names.
    struct PinnedPath
    {
        DcnNodePath nodes; //!< from source to destination
        std::string where; //!< e.g. "paths.csv:7: "
    };

    /// Says where a flow comes from ("flows.csv:7: "), by its position as given.
    using Locator = std::function<std::string(std::size_t)>;

    /**
     * @brief Check the parts and route every flow that is not pinned.
     * @param topology the network
     * @param network the configuration; copied
     * @param flows at least one; any order
     * @param pinned paths by flow id; flows without one are routed by ECMP
     * @param seed of the network's random choices: ECMP (DcnRouting), and see GetSeed
     * @param locator prefix for sentences about a flow
     * @throws DcnError if there is no flow, an id stands for two flows, a size is 0, a start is
     * before 0, a flow starts or ends at a switch or goes from a host to itself, a destination
     * cannot be reached, a pin names an unknown flow or is no walk, or the configuration is bad
     */
    static Ptr<const DcnScenario> Create(
        Ptr<const DcnTopology> topology,
        Ptr<const DcnNetworkConfig> network,
        std::vector<DcnFlow> flows,
        const std::unordered_map<uint64_t, PinnedPath>& pinned = {},
        uint64_t seed = 1,
        const Locator& locator = nullptr);

    /**
     * @brief The same for flows whose paths are known, such as those of a DcnWorkload.
     * @param topology the network
     * @param network the configuration; copied
     * @param flows at least one, ordered by (start, id)
     * @param paths in the order of the flows; each a walk from source to destination
     * @param seed see GetSeed
     * @throws DcnError as Create
     */
    static Ptr<const DcnScenario> CreateWithPaths(Ptr<const DcnTopology> topology,
                                                  Ptr<const DcnNetworkConfig> network,
                                                  std::vector<DcnFlow> flows,
                                                  DcnPathTable paths,
                                                  uint64_t seed = 1);

    /** @return the network. */
    const DcnTopology& GetTopology() const;
    /** @return the network, shared. */
    Ptr<const DcnTopology> GetTopologyPtr() const;
    /** @return the configuration's values. */
    const DcnNetworkParameters& GetNetwork() const;
    /** @return the configuration with its keys. */
    Ptr<const DcnNetworkConfig> GetNetworkConfig() const;
    /** @return the flows, ordered by (start, id). */
    const std::vector<DcnFlow>& GetFlows() const;

    /** @return the seed of the random draws of methods, such as ECN marking. */
    uint64_t GetSeed() const;

    /**
     * @param flow flow index
     * @return its path
     */
    DcnPath GetPath(std::size_t flow) const;

    /**
     * @param flow flow index
     * @return its completion time alone in the network
     */
    DcnIdealFct GetIdealFct(std::size_t flow) const;

    /**
     * @param host node index of a host
     * @return the rate at which a flow may leave it: its link's, limited by the configuration
     */
    uint64_t GetMaxRate(uint32_t host) const;

  private:
    DcnScenario() = default;
    /// Refuses bad flows and configurations; returns the flows' ids.
    static std::unordered_set<uint64_t> CheckFlows(const DcnTopology& topology,
                                                   const DcnNetworkConfig& network,
                                                   const std::vector<DcnFlow>& flows,
                                                   const Locator& locator);

    Ptr<const DcnTopology> m_topology;     //!< the network
    Ptr<const DcnNetworkConfig> m_network; //!< the configuration
    std::vector<DcnFlow> m_flows;          //!< ordered by (start, id)
    DcnPathTable m_paths;                  //!< by flow index
    uint64_t m_seed{1};                    //!< see GetSeed
};

/**
 * @ingroup dcn
 * @brief Refuse a flow that no scenario can have: it names no host, goes to itself, or has a size
 * or a start out of range.
 * @param topology the network
 * @param flow the flow
 * @param where says where the flow comes from; may be null
 * @throws DcnError that names the fault
 */
void DcnCheckFlow(const DcnTopology& topology,
                  const DcnFlow& flow,
                  const std::function<std::string()>& where);

} // namespace ns3

#endif /* DCN_SCENARIO_H */
