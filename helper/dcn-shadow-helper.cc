/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-shadow-helper.h"

#include "dcn-flow-network-helper.h"

#include "ns3/bulk-send-application.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/onoff-application.h"

#include <iostream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnShadowHelper");

namespace
{

constexpr uint8_t UDP = 17; //!< protocol number

/// @return returns the socket of an application; null for applications of other modules
DcnShadow::SocketGetter
MakeSocketGetter(Ptr<Application> application)
{
    if (const auto bulk = DynamicCast<BulkSendApplication>(application))
    {
        return [bulk]() { return bulk->GetSocket(); };
    }
    if (const auto onOff = DynamicCast<OnOffApplication>(application))
    {
        return [onOff]() { return onOff->GetSocket(); };
    }
    return nullptr;
}

} // namespace

DcnShadowHelper::DcnShadowHelper(const std::vector<std::string>& methods)
    : m_methods(methods)
{
    if (methods.empty())
    {
        DcnFail("a shadow needs a method: flowsim, m4 or both");
    }
    for (const std::string& method : methods)
    {
        DcnFlowNetworkHelper{method}; // refuses unknown ones
    }
}

DcnScenarioHelper&
DcnShadowHelper::GetReader()
{
    return m_reader;
}

const std::vector<std::string>&
DcnShadowHelper::GetNotes() const
{
    return m_notes;
}

Ptr<DcnShadow>
DcnShadowHelper::Install(const NodeContainer& nodes)
{
    return Install(DcnTopology::FromNodes(nodes));
}

Ptr<DcnShadow>
DcnShadowHelper::Install(const NodeContainer& hosts, const NodeContainer& switches)
{
    return Install(DcnTopology::FromNodes(hosts, switches));
}

Ptr<DcnShadow>
DcnShadowHelper::Install(Ptr<const DcnTopology> topology)
{
    m_reader.FindSources(topology);
    Ptr<const DcnNetworkConfig> config = m_reader.MakeConfig(*topology);
    m_notes = m_reader.GetNotes();
    Ptr<DcnShadow> shadow = CreateObject<DcnShadow>();
    shadow->Install(topology, config, m_reader.GetSeed());
    for (const std::string& method : m_methods)
    {
        DcnFlowNetworkHelper network(method);
        network.SetConfig(config);
        Ptr<DcnFlowNetwork> follower = network.Install(topology);
        shadow->AddNetwork(method, follower);
        if (!follower->GetNote().empty())
        {
            m_notes.push_back(method + ": " + follower->GetNote());
        }
    }
    for (const DcnScenarioHelper::Source& source : m_reader.GetSources())
    {
        const std::string reason = Follow(*shadow, source);
        if (!reason.empty())
        {
            m_notes.push_back(source.Describe(*topology) + " is not followed: " + reason);
        }
    }
    for (const std::string& note : m_notes)
    {
        NS_LOG_WARN(note);
        std::cerr << "dcn: " << note << std::endl;
    }
    for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
    {
        const Ptr<Node> each = topology->GetNodes().Get(node);
        for (uint32_t i = 0; i < each->GetNApplications(); ++i)
        {
            shadow->FollowSink(each->GetApplication(i), node);
        }
    }
    return shadow;
}

std::string
DcnShadowHelper::Follow(DcnShadow& shadow, const DcnScenarioHelper::Source& source)
{
    if (source.ip.destination.IsInvalid())
    {
        return source.reason;
    }
    const DcnShadow::SocketGetter getSocket = MakeSocketGetter(source.application);
    TypeId::AttributeInformation pace;
    try
    {
        if (source.ip.protocol == UDP)
        {
            shadow.FollowDatagrams(source.node, source.ip);
            return "";
        }
        if (source.application->GetInstanceTypeId().LookupAttributeByName("DataRate", &pace))
        {
            shadow.FollowMessages(source.application, source.node, source.ip, getSocket);
            return "";
        }
        if (source.reason.empty())
        {
            shadow.FollowStream(source.node,
                                source.ip,
                                source.sizeBytes,
                                NanoSeconds(source.startNs),
                                getSocket);
        }
        return source.reason;
    }
    catch (const DcnError& error)
    {
        return error.what(); // the others are followed
    }
}

} // namespace ns3
