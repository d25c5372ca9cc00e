/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-helper.h"

#include "ns3/channel.h"
#include "ns3/dcn-error.h"
#include "ns3/net-device.h"
#include "ns3/node.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{

NocHelper::NocHelper()
    : m_factory("ns3::NocNetwork")
{
}

void
NocHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<NocNetwork>
NocHelper::Install(const NodeContainer& nodes) const
{
    std::map<Ptr<Node>, uint32_t> numbers;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        numbers.emplace(nodes.Get(i), i);
    }
    std::vector<std::pair<uint32_t, uint32_t>> links;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        for (uint32_t d = 0; d < nodes.Get(i)->GetNDevices(); ++d)
        {
            const Ptr<NetDevice> device = nodes.Get(i)->GetDevice(d);
            const Ptr<Channel> channel = device->GetChannel();
            if (!channel)
            {
                continue; // such as a loopback device
            }
            if (channel->GetNDevices() != 2)
            {
                DcnFail("a channel of node ",
                        i,
                        " has ",
                        channel->GetNDevices(),
                        " ends; a link of a network on chip has two");
            }
            const Ptr<NetDevice> first = channel->GetDevice(0);
            const auto peer =
                numbers.find((first == device ? channel->GetDevice(1) : first)->GetNode());
            if (peer != numbers.end() && first == device)
            {
                links.emplace_back(i, peer->second);
            }
        }
    }
    Ptr<NocNetwork> network = m_factory.Create<NocNetwork>();
    network->SetTopology(std::make_shared<const NocTopology>(
        NocTopology::FromLinks(nodes.GetN(), links)));
    return network;
}

Ptr<NocNetwork>
NocHelper::InstallMesh(const NodeContainer& nodes, uint32_t rows, uint32_t columns) const
{
    auto mesh = std::make_shared<const NocTopology>(NocTopology::Mesh(rows, columns));
    if (nodes.GetN() != mesh->GetNNodes())
    {
        DcnFail("a mesh of ",
                rows,
                " rows and ",
                columns,
                " columns needs ",
                mesh->GetNNodes(),
                " nodes, but there are ",
                nodes.GetN());
    }
    Ptr<NocNetwork> network = m_factory.Create<NocNetwork>();
    network->SetTopology(mesh);
    return network;
}

} // namespace ns3
