/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-window-simulation.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("FlowsimWindowSimulation");

FlowsimWindowSimulation::FlowsimWindowSimulation(const DcnScenario& scenario,
                                                 const FlowsimOptions& options,
                                                 const Weight& weight)
    : m_scenario(scenario),
      m_network(scenario.GetNetwork()),
      m_model(scenario.GetTopology(), scenario.GetNetwork(), options),
      m_weight(weight),
      m_solver(m_model.GetCapacities()),
      m_flows(scenario.GetFlows().size()),
      m_queueNs(scenario.GetTopology().GetNLinks(), 0),
      m_load(scenario.GetTopology().GetNLinks(), 0),
      m_waiting(scenario.GetTopology().GetNLinks(), 0)
{
}

void
FlowsimWindowSimulation::Schedule(double timeNs, Step step, uint32_t flow)
{
    m_events.push({timeNs, m_nEvents++, step, flow});
}

double
FlowsimWindowSimulation::GetQueueNs(const Flow& flow, bool isRoundTrip) const
{
    double sum = 0;
    for (uint32_t link : flow.path)
    {
        sum += m_queueNs[link] + (isRoundTrip ? m_queueNs[DcnTopology::Reverse(link)] : 0);
    }
    return sum;
}

void
FlowsimWindowSimulation::SetWindow(Flow& flow, bool isAlone) const
{
    const double wireBits = 8.0 * (m_network.payloadBytes + m_network.headerBytes) /
                            static_cast<double>(m_network.payloadBytes); // per byte of payload
    double window =
        wireBits * static_cast<double>(m_network.initialWindowBytes) + flow.bits - flow.leftBits;
    if (flow.slowEndBits == 0 && m_network.slowStartBytes > 0)
    {
        const double product =
            isAlone ? static_cast<double>(flow.ideal.bottleneckBps) * flow.baseNs * 1e-9
                    : flow.windowBits;
        const double end =
            std::max(wireBits * static_cast<double>(m_network.slowStartBytes), product);
        flow.slowEndBits = window >= end ? end : 0;
    }
    if (flow.slowEndBits > 0)
    {
        const uint32_t divisor = m_network.windowGrowthDivisor;
        window = flow.slowEndBits + (divisor > 0 ? (window - flow.slowEndBits) / divisor : 0);
    }
    if (m_network.windowBytes > 0)
    {
        window = std::min(window, wireBits * static_cast<double>(m_network.windowBytes));
    }
    flow.windowBits = window;
    flow.creditBits = window;
}

bool
FlowsimWindowSimulation::Take(const Event& event)
{
    Flow& flow = m_flows[event.flow];
    bool isAlone = false;
    switch (event.step)
    {
    case Step::START: {
        const DcnFlow& about = m_scenario.GetFlows()[event.flow];
        const DcnTopology& topology = m_scenario.GetTopology();
        const DcnPath path = m_scenario.GetPath(event.flow);
        const uint32_t header = m_network.headerBytes;
        const uint32_t packet = m_network.payloadBytes + header;
        flow.path.assign(path.begin(), path.end());
        flow.ideal = m_scenario.GetIdealFct(event.flow);
        flow.bits = 8.0 * static_cast<double>(
                              DcnWireBytes(about.sizeBytes, m_network.payloadBytes, header));
        flow.leftBits = flow.bits;
        flow.baseNs = static_cast<double>(DcnBaseRttNs(topology, path, packet, header) +
                                          DcnSerializationNs(packet, flow.ideal.bottleneckBps));
        const double roundNs = static_cast<double>(DcnBaseRttNs(topology, path, header, header)) +
                               GetQueueNs(flow, true);
        Schedule(m_nowNs + m_network.handshakeRtts * roundNs, Step::OPEN, event.flow);
        return false;
    }
    case Step::OPEN:
        Schedule(m_nowNs + GetQueueNs(flow, false), Step::SERVE, event.flow);
        return false;
    case Step::SERVE:
        flow.openNs = m_nowNs;
        SetWindow(flow, false);
        Insert(event.flow);
        break;
    case Step::ROUND: {
        if (flow.leftBits <= 0)
        {
            return false;
        }
        // alone at its bottleneck, it sends its windows back to back
        isAlone = flow.slot == NONE && flow.cap == FlowsimMaxMinSolver::INFINITE &&
                  flow.rate >= 0.999 * static_cast<double>(flow.ideal.bottleneckBps);
        SetWindow(flow, isAlone);
        if (!isAlone)
        {
            flow.cap = GetCap(flow);
            flow.creditBits = FlowsimMaxMinSolver::INFINITE;
        }
        Insert(event.flow);
        break;
    }
    }
    const double roundNs = flow.baseNs + GetQueueNs(flow, true);
    const double stepNs = isAlone ? 0 : AGE_STEP * (m_nowNs - flow.openNs);
    Schedule(m_nowNs + std::max(roundNs, stepNs), Step::ROUND, event.flow);
    return true;
}

void
FlowsimWindowSimulation::Insert(uint32_t index)
{
    Flow& flow = m_flows[index];
    if (flow.slot == NONE)
    {
        m_active.push_back(index);
    }
    else
    {
        m_solver.EraseFlow(flow.slot);
    }
    const uint64_t maxRate = m_network.maxRate.GetBitRate();
    const double cap = maxRate > 0 ? std::min(flow.cap, static_cast<double>(maxRate)) : flow.cap;
    flow.slot = m_solver.InsertFlow(flow.path.data(),
                                    static_cast<uint32_t>(flow.path.size()),
                                    m_weight ? m_weight(m_scenario.GetFlows()[index]) : 1,
                                    cap);
}

void
FlowsimWindowSimulation::Erase(Flow& flow)
{
    m_solver.EraseFlow(flow.slot);
    flow.slot = NONE;
}

void
FlowsimWindowSimulation::Finish(const Sink& sink)
{
    std::size_t kept = 0;
    for (const uint32_t index : m_active)
    {
        Flow& flow = m_flows[index];
        if (flow.endNs > m_nowNs)
        {
            m_active[kept++] = index;
            continue;
        }
        Erase(flow);
        if (flow.leftBits > flow.creditBits)
        {
            flow.leftBits -= flow.creditBits;
            flow.creditBits = 0; // waits for the next round
            continue;
        }
        flow.leftBits = 0;
        const double aloneNs = flow.bits * 1e9 / static_cast<double>(flow.ideal.bottleneckBps);
        const auto restNs = static_cast<double>(flow.ideal.latencyNs + flow.ideal.restNs);
        const int64_t startNs = m_scenario.GetFlows()[index].startNs;
        const double fctNs = m_nowNs - static_cast<double>(startNs) + restNs - aloneNs;
        sink(index, std::max<int64_t>(std::llround(fctNs), flow.ideal.GetTotalNs()));
        flow.path.clear();
        flow.path.shrink_to_fit();
    }
    m_active.resize(kept);
}

double
FlowsimWindowSimulation::GetCap(const Flow& flow) const
{
    return flow.windowBits * 1e9 / (flow.baseNs + GetQueueNs(flow, true));
}

void
FlowsimWindowSimulation::Allocate()
{
    SetRates();
    if (m_network.queuePackets == 0)
    {
        return;
    }
    UpdateQueues();
    // flows that come and go change queues, and by them the caps of the others
    bool isChanged = false;
    for (const uint32_t index : m_active)
    {
        Flow& flow = m_flows[index];
        if (flow.cap < FlowsimMaxMinSolver::INFINITE)
        {
            const double cap = GetCap(flow);
            if (std::abs(cap - flow.cap) > CAP_TOLERANCE * flow.cap)
            {
                flow.cap = cap;
                Insert(index);
                isChanged = true;
            }
        }
    }
    if (isChanged)
    {
        SetRates();
        UpdateQueues();
    }
}

void
FlowsimWindowSimulation::SetRates()
{
    m_solver.Solve();
    for (const uint32_t index : m_active)
    {
        Flow& flow = m_flows[index];
        flow.rate = m_solver.GetRate(flow.slot);
        flow.endNs = m_nowNs + std::min(flow.leftBits, flow.creditBits) * 1e9 / flow.rate;
    }
}

void
FlowsimWindowSimulation::UpdateQueues()
{
    const DcnTopology& topology = m_scenario.GetTopology();
    for (uint32_t link : m_used)
    {
        m_load[link] = 0;
        m_queueNs[link] = 0;
        m_waiting[link] = 0;
    }
    m_used.clear();
    for (const uint32_t index : m_active)
    {
        for (uint32_t link : m_flows[index].path)
        {
            if (m_load[link] == 0)
            {
                m_used.push_back(link);
            }
            m_load[link] += m_flows[index].rate;
        }
    }
    for (const uint32_t index : m_active)
    {
        Flow& flow = m_flows[index];
        const uint32_t bottleneck = m_solver.GetBottleneck(flow.slot);
        if (bottleneck < m_solver.GetNLinks())
        {
            flow.bottleneck = bottleneck;
        }
        else if (flow.bottleneck == NONE ||
                 m_load[flow.bottleneck] <
                     FULL * static_cast<double>(topology.GetLink(flow.bottleneck).rateBps))
        {
            continue; // its window limits it, and nothing of it waits
        }
        m_waiting[flow.bottleneck] +=
            std::max(0.0, flow.windowBits - flow.rate * flow.baseNs * 1e-9);
    }
    const double dataBits = 8.0 * (m_network.payloadBytes + m_network.headerBytes);
    const double ackBits = 8.0 * m_network.headerBytes;
    for (uint32_t link : m_used)
    {
        if (m_waiting[link] > 0)
        {
            const double nData = m_load[link] / dataBits;
            const double nAcks = m_load[DcnTopology::Reverse(link)] / (2 * dataBits);
            const double meanBits = (nData * dataBits + nAcks * ackBits) / (nData + nAcks);
            const double bits = std::min(m_waiting[link], m_network.queuePackets * meanBits);
            m_queueNs[link] = bits * 1e9 / static_cast<double>(topology.GetLink(link).rateBps);
        }
    }
}

FlowsimStatistics
FlowsimWindowSimulation::Run(const Sink& sink)
{
    FlowsimStatistics statistics;
    const auto& flows = m_scenario.GetFlows();
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        FlowsimCheckWeight(flows[i].id, m_weight ? m_weight(flows[i]) : 1);
        Schedule(static_cast<double>(flows[i].startNs), Step::START, i);
    }
    while (!m_events.empty() || !m_active.empty())
    {
        double nextNs = m_events.empty() ? FlowsimMaxMinSolver::INFINITE : m_events.top().timeNs;
        for (const uint32_t index : m_active)
        {
            nextNs = std::min(nextNs, m_flows[index].endNs);
        }
        for (const uint32_t index : m_active)
        {
            Flow& flow = m_flows[index];
            if (flow.endNs > nextNs)
            {
                const double bits = flow.rate * (nextNs - m_nowNs) * 1e-9;
                flow.leftBits -= bits;
                flow.creditBits -= bits;
            }
        }
        m_nowNs = nextNs;
        const std::size_t before = m_active.size();
        Finish(sink);
        bool isChanged = m_active.size() < before;
        statistics.nEvents += before - m_active.size();
        while (!m_events.empty() && m_events.top().timeNs <= m_nowNs)
        {
            const Event event = m_events.top();
            m_events.pop();
            isChanged = Take(event) || isChanged;
            ++statistics.nEvents;
        }
        statistics.maxActive = std::max<uint64_t>(statistics.maxActive, m_active.size());
        if (isChanged)
        {
            Allocate();
            ++statistics.nRateChanges;
        }
    }
    statistics.nFlows = flows.size();
    NS_LOG_INFO(statistics.nFlows << " flows served at " << m_nowNs << " ns, " << statistics.nEvents
                                  << " events, " << statistics.nRateChanges << " allocations");
    return statistics;
}

} // namespace ns3
