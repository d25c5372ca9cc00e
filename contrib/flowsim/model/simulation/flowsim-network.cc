/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-network.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/double.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowsimNetwork");
NS_OBJECT_ENSURE_REGISTERED(FlowsimNetwork);

TypeId
FlowsimNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowsimNetwork")
            .SetParent<DcnFlowNetwork>()
            .SetGroupName("Flowsim")
            .AddConstructor<FlowsimNetwork>()
            .AddAttribute("WindowCap",
                          "Limits a flow's rate to one window per base round-trip time.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FlowsimNetwork::m_windowCap),
                          MakeBooleanChecker())
            .AddAttribute("Acknowledgements",
                          "Lets acknowledgements load the links of the way back.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FlowsimNetwork::m_acknowledgements),
                          MakeBooleanChecker())
            .AddAttribute("LinkEfficiency",
                          "Fraction of every link's rate available to flows, in (0, 1].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FlowsimNetwork::m_linkEfficiency),
                          MakeDoubleChecker<double>(FlowsimOptions::SMALLEST_EFFICIENCY, 1))
            .AddTraceSource("RateChange",
                            "The rate of a flow changes.",
                            MakeTraceSourceAccessor(&FlowsimNetwork::m_rateChange),
                            "ns3::FlowsimNetwork::RateCallback");
    return tid;
}

void
FlowsimNetwork::DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    config->RefuseManyPaths("flowsim");
    m_hasSlowStart = config->initialWindowBytes > 0;
    if (m_hasSlowStart && m_windowCap)
    {
        DcnFail("WindowCap has no effect in a flow network whose windows grow from "
                "initial_window_bytes = ",
                config->initialWindowBytes,
                ", since ideal completion times have the window: leave it out, or give a "
                "configuration without slow start");
    }
    const FlowsimOptions options{m_windowCap, m_linkEfficiency};
    auto session = std::make_unique<FlowsimSession>(*topology, *config, options);
    session->SetAcknowledgements(m_acknowledgements);
    session->SetRateListener(
        [this](uint64_t flow, double rate) { m_rates.emplace_back(flow, rate); });
    SetSession(std::move(session));
}

uint64_t
FlowsimNetwork::AddFlow(Ptr<Node> source, Ptr<Node> destination, uint64_t bytes, double weight)
{
    const uint64_t next = GetNFlows();
    FlowsimCheckWeight(next, weight);
    m_weights[next] = weight;
    try
    {
        return AddFlow(source, destination, bytes);
    }
    catch (...)
    {
        m_weights.erase(next);
        throw;
    }
}

FlowsimSession::Handle
FlowsimNetwork::AddToSession(FlowsimSession& session,
                             const DcnFlow& flow,
                             DcnPath path,
                             DcnFlowKind /* kind */)
{
    const auto weight = m_weights.find(flow.id);
    return session.AddFlow(flow.id,
                           path,
                           flow.sizeBytes,
                           weight == m_weights.end() ? 1 : weight->second);
}

void
FlowsimNetwork::OnDeparture(uint64_t flow)
{
    m_weights.erase(flow);
}

double
FlowsimNetwork::GetRate(uint64_t flow)
{
    FlowsimSession* session = GetSession();
    const FlowsimSession::Handle* handle = FindHandle(flow);
    return handle ? session->GetRate(*handle) : 0;
}

std::string
FlowsimNetwork::GetNote() const
{
    return m_hasSlowStart ? "flows share links without windows and their queues, which the method "
                            "flowsim has for a transport with a slow start: its estimate of the "
                            "same flows (DcnShadow::GetScenario) differs"
                          : "";
}

bool
FlowsimNetwork::HasLinkChanges() const
{
    return true;
}

void
FlowsimNetwork::DoChangeLink(uint32_t link, uint64_t rateBps)
{
    if (rateBps > 0) // else its flows take other paths
    {
        for (const uint32_t direction : {link, DcnTopology::Reverse(link)})
        {
            GetSession()->SetLinkRate(direction, rateBps);
        }
        UpdateSoon();
    }
}

bool
FlowsimNetwork::MoveInSession(FlowsimSession& session, FlowsimSession::Handle flow, DcnPath path)
{
    session.MoveFlow(flow, path);
    return true;
}

void
FlowsimNetwork::OnUpdate()
{
    // sinks may add flows, so that another update follows at this time
    std::vector<std::pair<uint64_t, double>> rates;
    rates.swap(m_rates);
    for (const auto& [flow, rate] : rates)
    {
        NS_LOG_INFO("flow " << flow << ": rate " << rate << " bit/s");
        m_rateChange(flow, rate);
    }
}

} // namespace ns3
