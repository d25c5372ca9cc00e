/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-flow-network.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/string.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4FlowNetwork");

NS_OBJECT_ENSURE_REGISTERED(M4FlowNetwork);

TypeId
M4FlowNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::M4FlowNetwork")
            .SetParent<DcnFlowNetwork>()
            .SetGroupName("M4")
            .AddConstructor<M4FlowNetwork>()
            .AddAttribute("Model",
                          "Folder of the model, or name of a folder in data/models; empty: m4.",
                          StringValue(""),
                          MakeStringAccessor(&M4FlowNetwork::m_model),
                          MakeStringChecker());
    return tid;
}

void
M4FlowNetwork::DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    config->RefuseManyPaths("m4");
    const std::string folder = DcnModelFile::FindFolder(m_model, "m4");
    auto session =
        std::make_unique<M4Session>(*topology, *config, DcnModelFile::Read(folder, "m4"), "m4");
    SetSession(std::move(session));
    NS_LOG_INFO("installed with the model " << folder);
}

M4Session::Handle
M4FlowNetwork::AddToSession(M4Session& session, const DcnFlow& flow, DcnPath path, DcnFlowKind kind)
{
    const M4Session::Handle handle = session.AddFlow(flow.id, path, flow.sizeBytes, kind);
    m_onLinks[flow.id] = handle;
    if (flow.id >= m_started.size())
    {
        m_started.resize(flow.id + 1, false);
    }
    m_started[flow.id] = true;
    return handle;
}

void
M4FlowNetwork::OnDeparture(uint64_t flow)
{
    m_onLinks.erase(flow);
}

void
M4FlowNetwork::DoStop()
{
    DcnSessionNetwork::DoStop();
    m_onLinks.clear();
    m_started.clear();
}

M4Session&
M4FlowNetwork::GetInstalled()
{
    M4Session* session = GetSession();
    if (!session)
    {
        DcnFail("the network is not installed");
    }
    return *session;
}

const std::vector<std::string>&
M4FlowNetwork::GetWarnings()
{
    return GetInstalled().GetWarnings();
}

double
M4FlowNetwork::GetRemaining(uint64_t flow)
{
    if (flow >= GetNFlows())
    {
        DcnFail("there is no flow ", flow, ", only ", GetNFlows(), " were added");
    }
    M4Session& session = GetInstalled();
    const auto handle = m_onLinks.find(flow);
    if (handle != m_onLinks.end())
    {
        return session.GetRemaining(handle->second);
    }
    return flow < m_started.size() && m_started[flow] ? 0 : 1;
}

double
M4FlowNetwork::GetQueueBytes(uint32_t link)
{
    return GetInstalled().GetQueueBytes(link);
}

} // namespace ns3
