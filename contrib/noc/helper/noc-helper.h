/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_HELPER_H
#define NOC_HELPER_H

#include "ns3/noc-network.h"

#include "ns3/attribute.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup noc
 * @brief Makes a network on chip of ns-3 nodes.
 *
 *     NocHelper helper;
 *     helper.SetAttribute("Rate", DoubleValue(0.2));
 *     Ptr<NocNetwork> noc = helper.Install(nodes); // joined by channels with two ends
 *     NocResult simulated = noc->Estimate("simulation");
 *     NocResult modelled = noc->Estimate("closed");
 *
 * Attributes: NocNetwork. Node i of the network is the i-th node of the container.
 */
class NocHelper
{
  public:
    NocHelper();

    /**
     * @param name of an attribute of NocNetwork
     * @param value its value
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Join nodes as their channels do, whatever kind of channel it is.
     * @param nodes the nodes; each channel between two of them is a link in both directions
     * @return the network, whose loops NocTopology::FromLinks makes
     * @throws DcnError for a channel with more than two ends, two channels between the same nodes,
     * and nodes that are not connected
     */
    Ptr<NocNetwork> Install(const NodeContainer& nodes) const;

    /**
     * @brief Join nodes to a mesh; they need no channels.
     * @param nodes the nodes, row by row
     * @param rows number of rows
     * @param columns number of columns
     * @return the network
     * @throws DcnError if there are not rows x columns nodes
     */
    Ptr<NocNetwork> InstallMesh(const NodeContainer& nodes, uint32_t rows, uint32_t columns) const;

  private:
    ObjectFactory m_factory; //!< of the network
};

} // namespace ns3

#endif /* NOC_HELPER_H */
