/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-network.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowsimNetwork);

TypeId
FlowsimNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowsimNetwork")
            .SetParent<Object>()
            .SetGroupName("Flowsim")
            .AddConstructor<FlowsimNetwork>()
            .AddAttribute("WindowCap",
                          "Whether a flow is no faster than one window per base round-trip time.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FlowsimNetwork::SetWindowCap),
                          MakeBooleanChecker())
            .AddAttribute("LinkEfficiency",
                          "Part of every link's rate that flows can have, at most 1.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FlowsimNetwork::SetLinkEfficiency),
                          MakeDoubleChecker<double>(FlowsimOptions::SMALLEST_EFFICIENCY, 1))
            .AddAttribute("Seed",
                          "Seed of the choice among shortest paths.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&FlowsimNetwork::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddTraceSource("RateChange",
                            "The rate of a flow changes.",
                            MakeTraceSourceAccessor(&FlowsimNetwork::m_rateChange),
                            "ns3::FlowsimNetwork::RateCallback")
            .AddTraceSource("FlowCompleted",
                            "The receiver has a whole flow.",
                            MakeTraceSourceAccessor(&FlowsimNetwork::m_flowCompleted),
                            "ns3::FlowsimNetwork::CompletionCallback");
    return tid;
}

void
FlowsimNetwork::SetWindowCap(bool windowCap)
{
    m_options.windowCap = windowCap;
}

void
FlowsimNetwork::SetLinkEfficiency(double linkEfficiency)
{
    m_options.linkEfficiency = linkEfficiency;
}

void
FlowsimNetwork::Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    NS_ASSERT_MSG(!m_session, "the network is installed already");
    config->Check(topology->GetSlowestHostRate());
    m_topology = topology;
    m_config = config;
    const NodeContainer& nodes = topology->GetNodes();
    for (uint32_t node = 0; node < nodes.GetN(); ++node)
    {
        m_index[nodes.Get(node)->GetId()] = node;
    }
    m_routing = std::make_unique<DcnRouting>(topology, m_seed);
    m_session = std::make_unique<FlowsimSession>(*topology, *config, m_options);
    m_session->SetDeliveryListener([this](uint64_t flow, int64_t fctNs) {
        m_handles.erase(flow);
        m_done.emplace_back(flow, fctNs);
    });
    m_session->SetRateListener(
        [this](uint64_t flow, double rate) { m_rates.emplace_back(flow, rate); });
}

uint64_t
FlowsimNetwork::AddFlow(Ptr<Node> source, Ptr<Node> destination, uint64_t bytes, double weight)
{
    NS_ASSERT_MSG(m_session, "the network is not installed");
    for (const auto& node : {source, destination})
    {
        if (m_index.find(node->GetId()) == m_index.end())
        {
            DcnFail("node ", node->GetId(), " is not in the network of the fluid simulation");
        }
    }
    const DcnFlow flow{m_nFlows,
                       m_index[source->GetId()],
                       m_index[destination->GetId()],
                       bytes,
                       Simulator::Now().GetNanoSeconds()};
    DcnCheckFlow(*m_topology, flow, nullptr);
    FlowsimCheckWeight(flow.id, weight);
    std::vector<uint32_t> links;
    m_routing->AppendPath(flow, links);
    m_session->AdvanceTo(flow.startNs);
    m_handles[flow.id] =
        m_session->AddFlow(flow.id, {links.data(), links.data() + links.size()}, bytes, weight);
    // Flows of one instant are admitted together: Update comes after the present event.
    m_event.Cancel();
    m_event = Simulator::ScheduleNow(&FlowsimNetwork::Update, this);
    ++m_nFlows;
    return flow.id;
}

double
FlowsimNetwork::GetRate(uint64_t flow)
{
    if (m_session)
    {
        m_session->AdvanceTo(Simulator::Now().GetNanoSeconds());
    }
    const auto handle = m_handles.find(flow);
    return handle == m_handles.end() ? 0 : m_session->GetRate(handle->second);
}

std::size_t
FlowsimNetwork::GetNActive() const
{
    return m_handles.size();
}

void
FlowsimNetwork::Update()
{
    m_session->AdvanceTo(Simulator::Now().GetNanoSeconds());
    // Sinks may add flows, which makes another Update follow at this instant.
    std::vector<std::pair<uint64_t, double>> rates;
    std::vector<std::pair<uint64_t, int64_t>> done;
    rates.swap(m_rates);
    done.swap(m_done);
    const int64_t next = m_session->GetNextEventNs();
    if (next != FlowsimSession::NEVER)
    {
        m_event = Simulator::Schedule(NanoSeconds(next) - Simulator::Now(),
                                      &FlowsimNetwork::Update,
                                      this);
    }
    for (const auto& [flow, rate] : rates)
    {
        m_rateChange(flow, rate);
    }
    for (const auto& [flow, fctNs] : done)
    {
        m_flowCompleted(flow, NanoSeconds(fctNs));
    }
}

void
FlowsimNetwork::DoDispose()
{
    m_event.Cancel();
    m_session.reset();
    m_routing.reset();
    m_handles.clear();
    m_index.clear();
    m_topology = nullptr;
    m_config = nullptr;
    Object::DoDispose();
}

} // namespace ns3
