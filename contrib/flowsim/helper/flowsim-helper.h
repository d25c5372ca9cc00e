/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_HELPER_H
#define FLOWSIM_HELPER_H

#include "ns3/dcn-network-config.h"
#include "ns3/flowsim-network.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Makes fluid simulations on ns-3 nodes.
 *
 *     FlowsimHelper helper;
 *     helper.SetNetworkAttribute("WindowCap", BooleanValue(true));
 *     Ptr<FlowsimNetwork> network = helper.Install(nodes);
 *     network->TraceConnectWithoutContext("FlowCompleted", MakeCallback(&OnCompleted));
 *     network->AddFlow(nodes.Get(0), nodes.Get(1), 1000000);
 *     Simulator::Run();
 */
class FlowsimHelper
{
  public:
    FlowsimHelper();

    /**
     * @brief Sets an attribute of the networks made from now on.
     * @param name of the attribute of FlowsimNetwork
     * @param value of the attribute
     */
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Sets the configuration of the networks made from now on: packet size and window.
     * @param config the configuration; null: that of the evaluations (DcnNetworkConfig::Preset)
     */
    void SetConfig(Ptr<const DcnNetworkConfig> config);

    /**
     * @brief Makes a network of nodes as they are wired; see DcnTopology::FromNodes().
     * @param nodes the nodes; those with one link are hosts
     * @return the network; DcnError if the nodes are none
     */
    Ptr<FlowsimNetwork> Install(const NodeContainer& nodes) const;

    /**
     * @brief The same with the hosts given, for multi-homed hosts.
     * @param hosts nodes that start and end flows
     * @param switches nodes that forward
     * @return the network
     */
    Ptr<FlowsimNetwork> Install(const NodeContainer& hosts, const NodeContainer& switches) const;

    /**
     * @brief The same for a topology that is there.
     * @param topology the topology
     * @return the network
     */
    Ptr<FlowsimNetwork> Install(Ptr<const DcnTopology> topology) const;

  private:
    ObjectFactory m_factory;              //!< Of networks
    Ptr<const DcnNetworkConfig> m_config; //!< See SetConfig()
};

} // namespace ns3

#endif // FLOWSIM_HELPER_H
