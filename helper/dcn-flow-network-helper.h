/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_NETWORK_HELPER_H
#define DCN_FLOW_NETWORK_HELPER_H

#include "ns3/dcn-flow-network.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Creates the flow network of applications, with an engine chosen by name.
 *
 *     DcnFlowNetworkHelper helper("m4"); // or packet, or flowsim
 *     Ptr<DcnFlowNetwork> network = helper.Install(nodes);
 *     network->TraceConnectWithoutContext("FlowCompleted", MakeCallback(&OnCompleted));
 *     network->AddFlow(nodes.Get(0), nodes.Get(1), 1000000);
 *     Simulator::Run();
 */
class DcnFlowNetworkHelper
{
  public:
    /**
     * @param engine packet, flowsim or m4, which may set attributes: "flowsim:WindowCap=true"
     * @throws DcnError for another name, or if the program is not linked with the engine's module;
     * Install throws one for an attribute that the engine does not have
     */
    explicit DcnFlowNetworkHelper(const std::string& engine);

    /**
     * @brief Sets an attribute of the networks made from now on.
     * @param name of the attribute, e.g. Seed
     * @param value of the attribute
     */
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Sets the configuration of the networks made from now on.
     * @param config the configuration; null: the preset of the evaluations
     * (DcnNetworkConfig::Preset)
     */
    void SetConfig(Ptr<const DcnNetworkConfig> config);

    /**
     * @brief Creates a network on connected nodes; see DcnTopology::FromNodes().
     * @param nodes the nodes; nodes with one link are hosts
     * @return the network; DcnError for invalid nodes
     */
    Ptr<DcnFlowNetwork> Install(const NodeContainer& nodes) const;

    /**
     * @brief Creates a network with given hosts, for hosts of several links or switches of one.
     * @param hosts nodes that send and receive
     * @param switches the other nodes
     * @return the network; DcnError for invalid nodes
     */
    Ptr<DcnFlowNetwork> Install(const NodeContainer& hosts, const NodeContainer& switches) const;

    /**
     * @brief Creates a network on an existing topology.
     * @param topology the topology
     * @return the network
     */
    Ptr<DcnFlowNetwork> Install(Ptr<const DcnTopology> topology) const;

  private:
    std::string m_engine;                 //!< see the constructor
    ObjectFactory m_factory;              //!< of networks
    Ptr<const DcnNetworkConfig> m_config; //!< see SetConfig()
};

} // namespace ns3

#endif /* DCN_FLOW_NETWORK_HELPER_H */
