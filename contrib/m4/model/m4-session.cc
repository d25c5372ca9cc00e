/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-session.h"

#include "ns3/assert.h"
#include "ns3/dcn-closed-loop.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

M4Session::M4Session(const DcnTopology& topology,
                     const DcnNetworkParameters& network,
                     const DcnModelFile& model)
    : m_topology(topology),
      m_model(topology, network),
      m_tracker(topology),
      m_network(model)
{
    m_network.Begin(topology.GetNLinks());
}

void
M4Session::SetDeliveryListener(DeliveryListener listener)
{
    m_listener = std::move(listener);
}

void
M4Session::SetWatching(bool on)
{
    m_watching = on;
}

M4Session::Handle
M4Session::AddFlow(uint64_t id, DcnPath path, uint64_t sizeBytes)
{
    if (sizeBytes == 0)
    {
        DcnFail("flow ", id, " has a size of 0 bytes");
    }
    for (const uint32_t* link = path.begin(); link != path.end(); ++link)
    {
        if (*link >= m_topology.GetNLinks() || std::find(path.begin(), link, *link) != link)
        {
            DcnFail("the path of flow ", id, " has link ", *link,
                    " twice, or there is no such link");
        }
    }
    if (path.size() == 0)
    {
        DcnFail("flow ", id, " has a path without links");
    }
    const Handle handle =
        m_tracker.Start(m_model.Compute(path, sizeBytes), path, m_nowNs, m_snapshot);
    if (handle >= m_flows.size())
    {
        m_flows.resize(handle + 1);
    }
    Flow& flow = m_flows[handle];
    flow = {id, m_nowNs, NEVER, m_nStarted++, flow.version, 1};
    Predict();
    return handle;
}

void
M4Session::Predict()
{
    ++m_nEvents;
    m_nTouched += m_snapshot.flows.size();
    const std::vector<float>& logSlowdown = m_network.Update(m_snapshot);
    for (std::size_t row = 0; row < logSlowdown.size(); ++row)
    {
        const Handle handle = m_snapshot.flows[row];
        Flow& flow = m_flows[handle];
        const double fctNs = m_tracker.GetConstants(handle).idealNs *
                             std::exp(static_cast<double>(logSlowdown[row]));
        const int64_t predictedNs = std::llround(fctNs);
        const int64_t departureNs = std::max(
            flow.startNs + m_tracker.GetConstants(handle).GetServiceNs(predictedNs),
            m_nowNs);
        flow.endNs = std::max(flow.startNs + predictedNs, departureNs);
        m_departures.push({departureNs, flow.order, handle, ++flow.version});
    }
    if (m_watching)
    {
        m_fluidLeft.clear();
        for (const Handle handle : m_snapshot.flows)
        {
            m_fluidLeft.push_back(static_cast<float>(m_tracker.GetFluidLeft(handle, m_nowNs)));
        }
        const std::vector<float> left = m_network.PredictLeft(m_fluidLeft);
        for (std::size_t row = 0; row < left.size(); ++row)
        {
            m_flows[m_snapshot.flows[row]].left = left[row];
        }
        if (m_snapshot.eventRow != M4Snapshot::NO_ROW)
        {
            m_queues = m_network.PredictQueues();
        }
    }
}

void
M4Session::SkipOutdated()
{
    while (!m_departures.empty() &&
           m_flows[m_departures.top().flow].version != m_departures.top().version)
    {
        m_departures.pop();
    }
}

int64_t
M4Session::GetNextEventNs()
{
    SkipOutdated();
    const int64_t end = m_ends.empty() ? NEVER : m_ends.top().timeNs;
    return m_departures.empty() ? end : std::min(end, m_departures.top().timeNs);
}

void
M4Session::Depart()
{
    const Handle handle = m_departures.top().flow;
    m_departures.pop();
    Flow& flow = m_flows[handle];
    ++flow.version; // no prediction of it is valid any more
    m_ends.push({flow.endNs, m_nDeparted++, flow.id, flow.endNs - flow.startNs});
    m_tracker.End(handle, m_nowNs, m_snapshot);
    Predict();
}

void
M4Session::ReportEnds()
{
    while (!m_ends.empty() && m_ends.top().timeNs <= m_nowNs)
    {
        const End end = m_ends.top();
        m_ends.pop();
        if (m_listener)
        {
            m_listener(end.id, end.fctNs);
        }
    }
}

void
M4Session::AdvanceTo(int64_t timeNs)
{
    if (timeNs < m_nowNs)
    {
        DcnFail("time cannot go back from ", m_nowNs, " ns to ", timeNs, " ns");
    }
    for (int64_t next = GetNextEventNs(); next <= timeNs; next = GetNextEventNs())
    {
        m_nowNs = next;
        if (!m_departures.empty() && m_departures.top().timeNs <= m_nowNs)
        {
            Depart();
        }
        else
        {
            ReportEnds();
        }
    }
    m_nowNs = timeNs;
}

int64_t
M4Session::GetNowNs() const
{
    return m_nowNs;
}

int64_t
M4Session::GetPredictedFctNs(Handle flow) const
{
    return m_flows[flow].endNs - m_flows[flow].startNs;
}

double
M4Session::GetLeft(Handle flow) const
{
    return m_watching ? static_cast<double>(m_flows[flow].left)
                      : m_tracker.GetFluidLeft(flow, m_nowNs);
}

const std::vector<float>&
M4Session::GetLastQueues() const
{
    return m_queues;
}

uint64_t
M4Session::GetNEvents() const
{
    return m_nEvents;
}

uint64_t
M4Session::GetNTouched() const
{
    return m_nTouched;
}

std::vector<int64_t>
M4Run(const DcnScenario& scenario, const DcnModelFile& model, const std::function<void()>& onFlow)
{
    const auto& flows = scenario.GetFlows();
    M4Session session(scenario.GetTopology(), scenario.GetNetwork(), model);
    std::vector<int64_t> fctNs(flows.size());
    session.SetDeliveryListener([&](uint64_t flow, int64_t fct) {
        fctNs[flow] = fct;
        if (onFlow)
        {
            onFlow();
        }
    });
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        session.AdvanceTo(flows[i].startNs);
        session.AddFlow(i, scenario.GetPath(i), flows[i].sizeBytes);
    }
    for (int64_t next = session.GetNextEventNs(); next != M4Session::NEVER;
         next = session.GetNextEventNs())
    {
        session.AdvanceTo(next);
    }
    return fctNs;
}

M4ClosedLoopResult
M4RunClosedLoop(const DcnScenario& scenario, const DcnModelFile& model, uint32_t limit)
{
    const DcnTopology& topology = scenario.GetTopology();
    const auto& flows = scenario.GetFlows();
    DcnClosedLoop loop(topology.GetNRacks(), limit);
    M4Session session(topology, scenario.GetNetwork(), model);
    M4ClosedLoopResult result;
    result.fctNs.resize(flows.size());
    auto start = [&](std::size_t flow) {
        session.AddFlow(flow, scenario.GetPath(flow), flows[flow].sizeBytes);
    };
    session.SetDeliveryListener([&](uint64_t flow, int64_t fctNs) {
        result.fctNs[flow] = fctNs;
        const std::size_t released = loop.Complete(flow, session.GetNowNs());
        if (released != DcnClosedLoop::NONE)
        {
            start(released);
        }
    });
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        session.AdvanceTo(flows[i].startNs);
        if (loop.Offer(topology.GetRack(flows[i].src), flows[i].startNs))
        {
            start(i);
        }
    }
    for (int64_t next = session.GetNextEventNs(); next != M4Session::NEVER;
         next = session.GetNextEventNs())
    {
        session.AdvanceTo(next);
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        result.releaseNs.push_back(loop.GetReleaseNs(i));
    }
    return result;
}

} // namespace ns3
