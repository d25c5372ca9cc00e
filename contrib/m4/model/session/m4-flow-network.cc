/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-flow-network.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>

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
    const Payload whole{flow.sizeBytes, flow.sizeBytes};
    m_payloads.emplace(flow.id, whole).first->second.part = flow.sizeBytes;
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
    m_payloads.erase(flow);
}

void
M4FlowNetwork::OnSuspended(uint64_t flow, uint64_t bytes)
{
    m_onLinks.erase(flow);
    m_payloads.at(flow).part = bytes;
}

bool
M4FlowNetwork::HasLinkChanges() const
{
    return true;
}

void
M4FlowNetwork::DoChangeLink(uint32_t link, uint64_t rateBps)
{
    M4Session& session = GetInstalled();
    if (rateBps == 0 || session.GetLinkRate(link) == rateBps)
    {
        return; // the flows of a failed cable are moved
    }
    std::map<uint64_t, std::vector<uint32_t>> paths; // of flows on the cable, in their order
    for (const auto& [flow, handle] : m_onLinks)
    {
        const std::vector<uint32_t>& links = session.GetLinks(handle);
        if (std::any_of(links.begin(), links.end(), [link](uint32_t each) {
                return each / 2 == link / 2;
            }))
        {
            paths[flow] = links;
        }
    }
    for (const auto& [flow, links] : paths)
    {
        Suspend(flow);
    }
    session.SetLinkRate(link, rateBps);
    for (const auto& [flow, links] : paths)
    {
        Continue(flow, {links.data(), links.data() + links.size()});
    }
    UpdateSoon();
}

void
M4FlowNetwork::DoStop()
{
    DcnSessionNetwork::DoStop();
    m_onLinks.clear();
    m_payloads.clear();
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
    const auto payload = m_payloads.find(flow);
    if (payload != m_payloads.end())
    {
        const double part =
            static_cast<double>(payload->second.part) / static_cast<double>(payload->second.size);
        const auto handle = m_onLinks.find(flow);
        return handle == m_onLinks.end() ? part : part * session.GetRemaining(handle->second);
    }
    return flow < m_started.size() && m_started[flow] ? 0 : 1;
}

double
M4FlowNetwork::GetQueueBytes(uint32_t link)
{
    return GetInstalled().GetQueueBytes(link);
}

} // namespace ns3
