/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-session.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowsimSession");

FlowsimSession::FlowsimSession(const DcnTopology& topology,
                               const DcnNetworkParameters& network,
                               const FlowsimOptions& options)
    : m_topology(topology),
      m_network(network),
      m_model(topology, network, options),
      m_engine(m_model.GetCapacities())
{
    m_engine.SetSink([this](const FlowsimCompletion& completion) { OnServed(completion); });
}

void
FlowsimSession::SetDeliveryListener(DeliveryListener listener)
{
    m_deliveryListener = std::move(listener);
}

void
FlowsimSession::SetDepartureListener(DepartureListener listener)
{
    m_departureListener = std::move(listener);
}

void
FlowsimSession::SetRateListener(RateListener listener)
{
    m_rateListener = std::move(listener);
    m_engine.SetRateListener([this](uint64_t handle, double rate) {
        if ((handle & ACKNOWLEDGEMENTS) == 0)
        {
            m_rateListener(m_flows.Get(static_cast<Handle>(handle)).id, rate);
        }
    });
}

void
FlowsimSession::SetAcknowledgements(bool isOn)
{
    m_hasAcknowledgements = isOn;
}

double
FlowsimSession::GetAckShare() const
{
    return static_cast<double>(DCN_ACK_BYTES) /
           static_cast<double>(m_network.payloadBytes + m_network.headerBytes);
}

void
FlowsimSession::SetWayBack(DcnPath path)
{
    m_arrival.cap = FlowsimMaxMinSolver::INFINITE;
    m_arrival.path.clear();
    for (std::size_t i = path.size(); i-- > 0;)
    {
        m_arrival.cap =
            std::min(m_arrival.cap,
                     GetAckShare() * static_cast<double>(m_topology.GetLink(path[i]).rateBps));
        m_arrival.path.push_back(DcnTopology::Reverse(path[i]));
    }
}

void
FlowsimSession::AddAcknowledgements(Handle handle, DcnPath path, double weight)
{
    Flow& flow = m_flows.Get(handle);
    m_arrival.id = ACKNOWLEDGEMENTS | handle;
    m_arrival.bits = 8.0 * static_cast<double>(
                               DCN_ACK_BYTES * DcnPackets(flow.sizeBytes, m_network.payloadBytes));
    m_arrival.weight = std::max(FlowsimMaxMinSolver::MIN_WEIGHT, GetAckShare() * weight);
    SetWayBack(path);
    flow.ackSlot = m_engine.AddFlow(m_arrival);
    flow.hasAcks = true;
}

FlowsimSession::Handle
FlowsimSession::AddFlow(uint64_t id, DcnPath path, uint64_t sizeBytes, double weight)
{
    const FlowsimFluid fluid = m_model.GetFluid(path, sizeBytes);
    const Handle handle = m_flows.Add({id, sizeBytes, fluid, 0, 0, false, false, false, 0});
    m_arrival.id = handle;
    m_arrival.bits = fluid.bits;
    m_arrival.cap = fluid.cap;
    m_arrival.weight = weight;
    m_arrival.path.assign(path.begin(), path.end());
    try
    {
        m_flows.Get(handle).slot = m_engine.AddFlow(m_arrival);
    }
    catch (...)
    {
        m_flows.Take(handle);
        throw;
    }
    if (m_hasAcknowledgements)
    {
        AddAcknowledgements(handle, path, weight);
    }
    return handle;
}

void
FlowsimSession::MoveFlow(Handle handle, DcnPath path)
{
    Flow& flow = m_flows.Get(handle);
    if (!flow.isServed)
    {
        flow.fluid = m_model.GetFluid(path, flow.sizeBytes);
        // an earlier part was served at other rates: only the latency is left of the ideal time
        flow.fluid.unloadedNs -= std::llround(flow.fluid.aloneNs);
        flow.fluid.aloneNs = 0;
        flow.slot = m_engine.MoveFlow(flow.slot, {path.begin(), path.end()}, flow.fluid.cap);
    }
    if (flow.hasAcks)
    {
        SetWayBack(path);
        flow.ackSlot = m_engine.MoveFlow(flow.ackSlot, m_arrival.path, m_arrival.cap);
    }
}

uint64_t
FlowsimSession::Withdraw(Handle handle)
{
    const Flow flow = m_flows.Get(handle);
    const double left = m_engine.RemoveFlow(flow.slot) / flow.fluid.bits;
    if (flow.hasAcks)
    {
        m_engine.RemoveFlow(flow.ackSlot);
    }
    m_flows.Take(handle); // the engine may report its rate before
    if (m_rateListener)
    {
        m_rateListener(flow.id, 0);
    }
    const auto bytes = static_cast<uint64_t>(std::ceil(left * static_cast<double>(flow.sizeBytes)));
    return std::clamp<uint64_t>(bytes, 1, flow.sizeBytes);
}

void
FlowsimSession::SetLinkRate(uint32_t link, uint64_t rateBps)
{
    m_engine.SetCapacity(link, m_model.GetCapacity(rateBps));
}

int64_t
FlowsimSession::GetNextEventNs()
{
    const int64_t delivery = m_deliveries.empty() ? NEVER : m_deliveries.top().timeNs;
    return std::min(delivery, m_engine.GetNextCompletionNs());
}

void
FlowsimSession::AdvanceTo(int64_t timeNs)
{
    if (timeNs < m_nowNs)
    {
        throw std::invalid_argument("flowsim: cannot advance from " + std::to_string(m_nowNs) +
                                    " back to " + std::to_string(timeNs) + " ns");
    }
    if (m_isDelivering)
    {
        throw std::logic_error("flowsim: the delivery listener advances the session");
    }
    for (int64_t next = GetNextEventNs(); next <= timeNs; next = GetNextEventNs())
    {
        m_nowNs = std::max(next, m_nowNs);
        m_engine.RunUntil(m_nowNs);
        Deliver();
    }
    m_nowNs = timeNs;
    m_engine.RunUntil(timeNs);
}

void
FlowsimSession::OnServed(const FlowsimCompletion& completion)
{
    if ((completion.id & ACKNOWLEDGEMENTS) != 0)
    {
        const auto handle = static_cast<Handle>(completion.id & ~ACKNOWLEDGEMENTS);
        m_flows.Get(handle).hasAcks = false;
        if (m_flows.Get(handle).isDelivered)
        {
            m_flows.Take(handle);
        }
        return;
    }
    Flow& flow = m_flows.Get(static_cast<Handle>(completion.id));
    flow.isServed = true;
    // Flows start at whole nanoseconds, but for those that a departure listener adds. The delivery
    // is never before the end of service.
    flow.fctNs = flow.fluid.GetFctNs(completion.durationNs, completion.startFraction);
    const int64_t timeNs = std::max(completion.startNs + flow.fctNs, m_nowNs);
    const uint64_t id = flow.id;
    m_deliveries.push({timeNs, m_nServed++, static_cast<Handle>(completion.id)});
    if (m_rateListener)
    {
        m_rateListener(id, 0);
    }
    if (m_departureListener)
    {
        m_departureListener(id, m_nowNs); // may add flows, which moves flows in memory
    }
}

void
FlowsimSession::Deliver()
{
    while (!m_deliveries.empty() && m_deliveries.top().timeNs <= m_nowNs)
    {
        const Handle handle = m_deliveries.top().flow;
        m_deliveries.pop();
        const Flow flow = m_flows.Get(handle);
        m_flows.Get(handle).isDelivered = true;
        if (!flow.hasAcks)
        {
            m_flows.Take(handle);
        }
        NS_LOG_INFO("flow " << flow.id << " is delivered at " << m_nowNs << " ns");
        if (m_deliveryListener)
        {
            m_isDelivering = true;
            m_deliveryListener(flow.id, flow.fctNs);
            m_isDelivering = false;
        }
    }
}

int64_t
FlowsimSession::GetNowNs() const
{
    return m_nowNs;
}

double
FlowsimSession::GetRate(Handle flow)
{
    m_engine.GetNextCompletionNs(); // updates the allocation
    return m_flows.Get(flow).isServed ? 0 : m_engine.GetRate(m_flows.Get(flow).slot);
}

const FlowsimEngine&
FlowsimSession::GetEngine() const
{
    return m_engine;
}

DcnClosedLoopResult
FlowsimRunClosedLoop(const DcnScenario& scenario, uint32_t limit, const FlowsimOptions& options)
{
    FlowsimSession session(scenario.GetTopology(), scenario.GetNetwork(), options);
    DcnClosedLoopResult result = DcnDriveClosedLoop(scenario, session, limit);
    if (session.GetEngine().GetSolver().GetNFlows() > 0)
    {
        DcnFail("flows would be in the fluid simulation for more than 292 years");
    }
    return result;
}

} // namespace ns3
