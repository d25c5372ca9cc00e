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
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Topology, flows with their paths, and network configuration: the input of every method.
 *
 * Checked at its creation and immutable, so that all methods run on it with the same flows. Flows
 * are ordered by (start, id); a flow's position in that order is its index.
 */
class DcnScenario : public DcnSharedCount<DcnScenario>
{
  public:
    static constexpr uint64_t MAX_SIZE_BYTES = 1'000'000'000'000'000; //!< largest flow [bytes]
    static constexpr int64_t MAX_TIME_NS = 1'000'000'000'000'000;     //!< last start: 11 days [ns]

    /// Nodes of pinned paths by flow id, with their place in a file, for messages.
    struct PinnedPath
    {
        DcnNodePath nodes; //!< nodes from source to destination
        std::string where; //!< e.g. "paths.csv:7: "
    };

    /// Returns the origin of a flow ("flows.csv:7: ") by its position in Create's argument.
    using Locator = std::function<std::string(std::size_t)>;

    /**
     * @brief Check the parts, and route flows without a pinned path.
     * @param topology the network
     * @param network the configuration; copied
     * @param flows at least one; any order
     * @param pinned paths by flow id; flows without one are routed by ECMP
     * @param seed seed of ECMP (DcnRouting) and of methods (GetSeed)
     * @param locator prefix of sentences about a flow
     * @throws DcnError without flows; for a repeated id, a size of 0, a start before 0, an end at a
     * switch, equal ends, an unreachable destination, a pinned path of an unknown flow or that is
     * no walk, or a bad configuration
     */
    static Ptr<const DcnScenario> Create(
        Ptr<const DcnTopology> topology,
        Ptr<const DcnNetworkConfig> network,
        std::vector<DcnFlow> flows,
        const std::unordered_map<uint64_t, PinnedPath>& pinned = {},
        uint64_t seed = 1,
        const Locator& locator = nullptr);

    /**
     * @brief Create a scenario of flows with known paths, such as those of a DcnWorkload.
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
     * @return the largest rate of its flows: that of its link, limited by the configuration
     */
    uint64_t GetMaxRate(uint32_t host) const;

  private:
    DcnScenario() = default;
    /// Refuses bad flows and configurations.
    static void CheckFlows(const DcnTopology& topology,
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
 * @brief Refuse an invalid flow: with an end that is no host, equal ends, or a size or start out of
 * range.
 * @param topology the network
 * @param flow the flow
 * @param where returns the origin of the flow; may be null
 * @throws DcnError for an invalid flow
 */
void DcnCheckFlow(const DcnTopology& topology,
                  const DcnFlow& flow,
                  const std::function<std::string()>& where);

} // namespace ns3

#endif /* DCN_SCENARIO_H */
