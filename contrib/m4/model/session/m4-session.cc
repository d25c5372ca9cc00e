/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-session.h"

#include "../network/m4-architecture.h"
#include "../network/m4-torch-model.h"
#include "../state/m4-message-rate.h"
#include "m4-range-features.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-idle-time.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4Session");

namespace
{

const double MAX_LOG_SLOWDOWN = std::log(1e6); //!< limit of predictions
constexpr double MAX_FCT_NS = 1e18;            //!< limit, so that times stay below M4Session::NEVER

} // namespace

M4Session::M4Session(const DcnTopology& topology,
                     const DcnNetworkParameters& network,
                     const DcnModelFile& model,
                     const std::string& name)
    : m_topology(&topology),
      m_parameters(network),
      m_rangeFeatures(std::make_unique<M4RangeFeatures>(network)),
      m_range(std::make_unique<DcnRangeMonitor>(
          DcnTrainedRanges::Read(model, M4RangeFeatures::GetQuantities()),
          name)),
      m_snapshot(std::make_unique<M4Snapshot>())
{
    m_range->Check(m_rangeFeatures->Describe());
    const M4Architecture architecture = M4Architecture::Read(model);
    m_network = architecture.MakeNetwork(model);
    m_tracker = architecture.MakeTracker(topology, network);
    m_network->Begin(topology.GetNLinks());
    m_hasIdleTimes = !architecture.sizes.isPublished && DcnIdleTime::Applies(network);
    FollowTopology();
    NS_LOG_INFO("session with " << architecture.Describe());
}

void
M4Session::FollowTopology()
{
    m_model = std::make_unique<M4FlowModel>(*m_topology, m_parameters);
    m_rate = std::make_unique<M4MessageRate>(*m_topology, m_parameters);
    if (m_hasIdleTimes)
    {
        m_idle = std::make_unique<DcnIdleTime>(*m_topology, m_parameters);
    }
}

M4Session::~M4Session() = default;

void
M4Session::SetDeliveryListener(DeliveryListener listener)
{
    m_listener = std::move(listener);
}

void
M4Session::SetDepartureListener(DepartureListener listener)
{
    m_departureListener = std::move(listener);
}

void
M4Session::SetSpreadListener(SpreadListener listener)
{
    m_spreadListener = HasSpread() ? std::move(listener) : nullptr;
}

bool
M4Session::HasSpread() const
{
    return m_network->HasSpread();
}

M4Session::Handle
M4Session::AddFlow(uint64_t id, DcnPath path, uint64_t sizeBytes, DcnFlowKind kind)
{
    if (sizeBytes == 0)
    {
        DcnFail("flow ", id, " has a size of 0 bytes");
    }
    for (const uint32_t* link = path.begin(); link != path.end(); ++link)
    {
        if (*link >= m_topology->GetNLinks() || std::find(path.begin(), link, *link) != link)
        {
            DcnFail("the path of flow ",
                    id,
                    " has link ",
                    *link,
                    " twice, or there is no such link");
        }
    }
    if (path.size() == 0)
    {
        DcnFail("flow ", id, " has a path without links");
    }
    const M4FlowConstants constants = m_model->Compute(path, sizeBytes);
    if (!m_range->IsEmpty())
    {
        m_range->Check(m_rangeFeatures->Describe(path.size(), constants));
    }
    const Handle handle = m_tracker->Start(constants, path, m_nowNs, *m_snapshot);
    if (handle >= m_flows.size())
    {
        m_flows.resize(handle + 1);
    }
    Flow& flow = m_flows[handle];
    flow = {id,
            m_nowNs,
            NEVER,
            m_nStarted++,
            flow.version,
            kind,
            constants.fluidBits,
            0,
            m_nowNs,
            false,
            0};
    NS_LOG_INFO("flow " << id << " of " << sizeBytes << " bytes starts at " << m_nowNs << " ns");
    Predict();
    return handle;
}

uint64_t
M4Session::Withdraw(Handle handle)
{
    Find(handle);
    Flow& flow = m_flows[handle];
    const M4FlowConstants& constants = m_tracker->GetConstants(handle);
    double left = 1;
    int64_t sinceNs = flow.startNs; // what is left below is of then
    if (flow.rateBps > 0)
    {
        Settle(flow);
    }
    if (flow.rateBps > 0 || flow.wasFluid)
    {
        left = flow.leftBits / constants.fluidBits;
        sinceNs = flow.sinceNs;
    }
    const int64_t departureNs = flow.startNs + constants.GetServiceNs(flow.endNs - flow.startNs);
    if (flow.rateBps == 0 && departureNs > sinceNs)
    {
        left *=
            static_cast<double>(departureNs - m_nowNs) / static_cast<double>(departureNs - sinceNs);
    }
    const uint64_t sizeBytes = constants.sizeBytes;
    NS_LOG_INFO("flow " << flow.id << " is taken out at " << m_nowNs << " ns, " << left
                        << " of it are left");
    ++flow.version; // makes its predictions outdated
    m_tracker->End(handle, m_nowNs, *m_snapshot, false);
    Predict();
    const double bytes = std::ceil(left * static_cast<double>(sizeBytes));
    return static_cast<uint64_t>(std::clamp(bytes, 1.0, static_cast<double>(sizeBytes)));
}

void
M4Session::SetLinkRate(uint32_t link, uint64_t rateBps)
{
    if (m_topology->GetLink(link).rateBps == rateBps)
    {
        return;
    }
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < m_topology->GetNNodes(); ++node)
    {
        builder.AddNode(m_topology->IsHost(node) ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                        m_topology->GetExternalId(node));
    }
    for (uint32_t each = 0; each < m_topology->GetNLinks(); each += 2)
    {
        const DcnLink& cable = m_topology->GetLink(each);
        builder.AddLink(cable.from,
                        cable.to,
                        each / 2 == link / 2 ? rateBps : cable.rateBps,
                        cable.delayNs);
    }
    const Ptr<const DcnTopology> changed = builder.Build();
    m_tracker->SetTopology(*changed);
    m_changed = changed; // nobody uses the one before any more
    m_topology = PeekPointer(changed);
    FollowTopology();
}

const std::vector<uint32_t>&
M4Session::GetLinks(Handle flow) const
{
    Find(flow);
    return m_tracker->GetLinks(flow);
}

void
M4Session::Predict()
{
    ++m_nEvents;
    m_nTouched += m_snapshot->flows.size();
    m_network->Update(*m_snapshot);
    for (std::size_t row = 0; row < m_snapshot->flows.size(); ++row)
    {
        const Handle handle = m_snapshot->flows[row];
        if (IsFluid(handle))
        {
            Serve(handle);
            continue;
        }
        if (IsIdle(handle))
        {
            SetIdle(handle);
            continue;
        }
        const auto logarithm = static_cast<double>(m_network->GetLogSlowdowns()[row]);
        if (!std::isfinite(logarithm))
        {
            DcnFail("the model predicts for flow ",
                    m_flows[handle].id,
                    " a slowdown whose logarithm is ",
                    logarithm);
        }
        const double fctNs = m_tracker->GetConstants(handle).idealNs *
                             std::exp(std::min(logarithm, MAX_LOG_SLOWDOWN));
        Schedule(handle, std::max(fctNs, GetLeastFctNs(handle)));
    }
    for (const uint32_t link : m_snapshot->links)
    {
        const Handle handle = m_tracker->FindAlone(DcnTopology::Reverse(link));
        if (handle != M4Tracker::NO_FLOW && IsFluid(handle))
        {
            Serve(handle);
        }
    }
    // removes outdated predictions, which for long flows would stay until their time
    if (m_departures.size() > 4 * m_tracker->GetNFlows() + 1024)
    {
        m_departures.Keep([this](const Departure& each) { return IsLatest(each); });
    }
}

void
M4Session::Schedule(Handle handle, double fctNs)
{
    Flow& flow = m_flows[handle];
    const int64_t predictedNs = std::llround(std::min(fctNs, MAX_FCT_NS));
    const int64_t departureNs =
        std::max(flow.startNs + m_tracker->GetConstants(handle).GetServiceNs(predictedNs), m_nowNs);
    flow.endNs = std::max(flow.startNs + predictedNs, departureNs);
    m_departures.push({departureNs, flow.order, handle, ++flow.version});
}

bool
M4Session::IsFluid(Handle handle) const
{
    switch (m_flows[handle].kind)
    {
    case DcnFlowKind::FLOW:
        return false;
    case DcnFlowKind::MESSAGE:
        return m_tracker->IsAlone(handle);
    case DcnFlowKind::NEXT_MESSAGE:
        return m_tracker->HasFairRates() || m_tracker->IsAlone(handle);
    }
    return false;
}

bool
M4Session::IsIdle(Handle handle) const
{
    return m_idle && m_flows[handle].kind == DcnFlowKind::FLOW &&
           m_tracker->IsUndisturbed(handle);
}

void
M4Session::SetIdle(Handle handle)
{
    Flow& flow = m_flows[handle];
    if (flow.endNs == NEVER) // it has no departure yet
    {
        const auto& links = m_tracker->GetLinks(handle);
        flow.idleNs = m_idle->GetNs({links.data(), links.data() + links.size()},
                                    m_tracker->GetConstants(handle).sizeBytes);
        Schedule(handle, static_cast<double>(flow.idleNs));
    }
}

void
M4Session::Serve(Handle handle)
{
    Flow& flow = m_flows[handle];
    double rateBps = m_rate->GetBps(*m_tracker, handle, m_nEvents);
    if (flow.kind == DcnFlowKind::NEXT_MESSAGE)
    {
        rateBps = std::min(rateBps, m_tracker->GetConstants(handle).windowBps);
    }
    if (rateBps == flow.rateBps)
    {
        return; // also a further link of its path
    }
    Settle(flow);
    flow.rateBps = rateBps;
    Schedule(handle, GetFctNs(handle, rateBps));
}

void
M4Session::Settle(Flow& flow)
{
    const double sentBits = flow.rateBps * static_cast<double>(m_nowNs - flow.sinceNs) / 1e9;
    flow.leftBits = std::max(0.0, flow.leftBits - sentBits);
    flow.sinceNs = m_nowNs;
}

double
M4Session::GetFctNs(Handle handle, double rateBps) const
{
    const Flow& flow = m_flows[handle];
    return static_cast<double>(flow.sinceNs - flow.startNs) + flow.leftBits * 1e9 / rateBps +
           m_tracker->GetConstants(handle).latencyNs;
}

double
M4Session::GetLeastFctNs(Handle handle)
{
    Flow& flow = m_flows[handle];
    if (flow.rateBps > 0)
    {
        Settle(flow);
        flow.rateBps = 0;
        flow.wasFluid = true;
    }
    const M4FlowConstants& constants = m_tracker->GetConstants(handle);
    return flow.wasFluid ? GetFctNs(handle, std::min(constants.capBps, constants.slowestBps)) : 0;
}

bool
M4Session::IsLatest(const Departure& departure) const
{
    return m_flows[departure.flow].version == departure.version;
}

void
M4Session::SkipOutdated()
{
    while (!m_departures.empty() && !IsLatest(m_departures.top()))
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
    ++flow.version; // makes its predictions outdated
    NS_LOG_INFO("flow " << flow.id << " departs at " << m_nowNs << " ns and ends at " << flow.endNs
                        << " ns");
    m_ends.push({flow.endNs, m_nDeparted++, flow.id, flow.endNs - flow.startNs});
    // a flow that only acknowledgements of others have met keeps the idle time that it was given
    const bool hasIdleTime = flow.idleNs > 0 && flow.endNs - flow.startNs == flow.idleNs;
    if (m_spreadListener && hasIdleTime)
    {
        const double slowdown =
            static_cast<double>(flow.idleNs) / m_tracker->GetConstants(handle).idealNs;
        m_spreadListener(flow.id, std::vector<double>(M4Spread::N, std::max(1.0, slowdown)));
    }
    else if (m_spreadListener)
    {
        std::vector<double> quantiles;
        for (const float logarithm : m_network->GetLogQuantiles(handle))
        {
            quantiles.push_back(
                std::exp(std::clamp(static_cast<double>(logarithm), 0.0, MAX_LOG_SLOWDOWN)));
        }
        m_spreadListener(flow.id, quantiles);
    }
    m_tracker->End(handle, m_nowNs, *m_snapshot);
    Predict();
    if (m_departureListener)
    {
        m_departed.push_back(flow.id);
    }
}

bool
M4Session::IsDepartureDue()
{
    SkipOutdated();
    return !m_departures.empty() && m_departures.top().timeNs <= m_nowNs;
}

void
M4Session::ReportDeparture()
{
    const uint64_t flow = m_departed.front();
    m_departed.pop_front();
    m_departureListener(flow, m_nowNs);
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
    for (;;)
    {
        if (IsDepartureDue())
        {
            Depart();
        }
        else if (!m_departed.empty())
        {
            ReportDeparture();
        }
        else if (!m_ends.empty() && m_ends.top().timeNs <= m_nowNs)
        {
            ReportEnds();
        }
        else
        {
            const int64_t next = GetNextEventNs();
            if (next == NEVER || next > timeNs)
            {
                break;
            }
            m_nowNs = next;
        }
    }
    m_nowNs = timeNs;
}

int64_t
M4Session::GetNowNs() const
{
    return m_nowNs;
}

const M4Session::Flow&
M4Session::Find(Handle handle) const
{
    if (!m_tracker->IsActive(handle))
    {
        DcnFail("no flow that has not departed has the handle ", handle);
    }
    return m_flows[handle];
}

int64_t
M4Session::GetPredictedFctNs(Handle flow) const
{
    return Find(flow).endNs - Find(flow).startNs;
}

double
M4Session::GetRemaining(Handle flow)
{
    Find(flow);
    return static_cast<double>(
        m_network->QueryRemaining(flow, m_tracker->DescribeFlow(flow, m_nowNs)));
}

double
M4Session::GetFluidRemaining(Handle flow) const
{
    Find(flow);
    return m_tracker->GetFluidRemaining(flow, m_nowNs);
}

double
M4Session::GetQueueBytes(uint32_t link)
{
    if (link >= m_topology->GetNLinks())
    {
        DcnFail("there is no link ", link, ", only 0 to ", m_topology->GetNLinks() - 1);
    }
    const std::vector<float> features = m_tracker->DescribeLink(link, m_nowNs);
    return features.empty() ? 0 : static_cast<double>(m_network->QueryQueueBytes(link, features));
}

std::vector<float>
M4Session::GetQueuesOfEvent() const
{
    return m_network->GetQueueBytes();
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

std::size_t
M4Session::GetNPredictions() const
{
    return m_departures.size();
}

const std::vector<std::string>&
M4Session::GetWarnings() const
{
    return m_range->GetWarnings();
}

namespace
{

/**
 * @brief Run the flows of a scenario, open loop, until no event is left.
 * @param scenario the scenario
 * @param session a session in the scenario's network, with listeners
 * @param onStart called with the index of a flow before its start; may be null
 */
void
Drive(const DcnScenario& scenario,
      M4Session& session,
      const std::function<void(uint32_t)>& onStart = nullptr)
{
    const auto& flows = scenario.GetFlows();
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        session.AdvanceTo(flows[i].startNs);
        if (onStart)
        {
            onStart(static_cast<uint32_t>(i));
        }
        session.AddFlow(i, scenario.GetPath(i), flows[i].sizeBytes);
    }
    while (session.GetNextEventNs() != M4Session::NEVER)
    {
        session.AdvanceTo(session.GetNextEventNs());
    }
}

} // namespace

bool
M4SpreadTable::IsEmpty() const
{
    return m_log.empty();
}

void
M4SpreadTable::Reset(std::size_t nFlows)
{
    m_log.assign(nFlows * M4Spread::N, 0);
}

void
M4SpreadTable::Set(std::size_t flow, const std::vector<double>& quantiles)
{
    for (std::size_t k = 0; k < M4Spread::N; ++k)
    {
        m_log.at(flow * M4Spread::N + k) = static_cast<float>(std::log(quantiles.at(k)));
    }
}

double
M4SpreadTable::GetQuantile(std::size_t flow, double level) const
{
    const float* quantiles = &m_log.at(flow * M4Spread::N);
    const auto* upper =
        std::upper_bound(std::begin(M4Spread::LEVELS), std::end(M4Spread::LEVELS), level);
    const auto k = static_cast<std::size_t>(upper - std::begin(M4Spread::LEVELS));
    if (k == 0 || k == M4Spread::N)
    {
        return std::exp(static_cast<double>(quantiles[k == 0 ? 0 : k - 1]));
    }
    const auto low = static_cast<double>(M4Spread::LEVELS[k - 1]);
    const double part = (level - low) / (static_cast<double>(M4Spread::LEVELS[k]) - low);
    return std::exp((1 - part) * static_cast<double>(quantiles[k - 1]) +
                    part * static_cast<double>(quantiles[k]));
}

std::vector<double>
M4SpreadTable::GetSample(std::size_t flow, uint32_t n) const
{
    constexpr double GOLDEN = 0.6180339887498949;
    const double turns = GOLDEN * static_cast<double>(flow);
    const double shift = turns - std::floor(turns);
    const double median = GetQuantile(flow, 0.5);
    std::vector<double> slowdowns;
    for (uint32_t j = 0; j < n; ++j)
    {
        const double ratio = GetQuantile(flow, (j + shift) / n) / median;
        slowdowns.push_back(std::max(1.0, median * std::pow(ratio, M4Spread::WITHIN)));
    }
    return slowdowns;
}

std::vector<int64_t>
M4Run(const DcnScenario& scenario,
      const DcnModelFile& model,
      const std::function<void()>& onFlow,
      std::vector<std::string>* warnings,
      M4SpreadTable* spread)
{
    M4Session session(scenario.GetTopology(), scenario.GetNetwork(), model);
    if (spread)
    {
        spread->Reset(session.HasSpread() ? scenario.GetFlows().size() : 0);
        session.SetSpreadListener([spread](uint64_t flow, const std::vector<double>& quantiles) {
            spread->Set(flow, quantiles);
        });
    }
    std::vector<int64_t> fctNs(scenario.GetFlows().size());
    session.SetDeliveryListener([&](uint64_t flow, int64_t fct) {
        fctNs[flow] = fct;
        if (onFlow)
        {
            onFlow();
        }
    });
    Drive(scenario, session);
    if (warnings)
    {
        *warnings = session.GetWarnings();
    }
    return fctNs;
}

std::vector<M4Event>
M4RunEvents(const DcnScenario& scenario, const DcnModelFile& model)
{
    M4Session session(scenario.GetTopology(), scenario.GetNetwork(), model);
    std::vector<M4Event> events;
    session.SetDepartureListener([&](uint64_t flow, int64_t timeNs) {
        events.push_back({timeNs, static_cast<uint32_t>(flow), false});
    });
    Drive(scenario, session, [&](uint32_t flow) {
        events.push_back({session.GetNowNs(), flow, true});
    });
    return events;
}

DcnClosedLoopResult
M4RunClosedLoop(const DcnScenario& scenario,
                const DcnModelFile& model,
                uint32_t limit,
                std::vector<std::string>* warnings)
{
    M4Session session(scenario.GetTopology(), scenario.GetNetwork(), model);
    DcnClosedLoopResult result = DcnDriveClosedLoop(scenario, session, limit);
    if (warnings)
    {
        *warnings = session.GetWarnings();
    }
    return result;
}

} // namespace ns3
