/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-replay.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ns3
{

M4Replay::M4Replay(const M4GroundTruth& truth,
                   const M4Architecture& architecture,
                   std::vector<M4Event> events,
                   double dense)
    : m_truth(truth),
      m_model(truth.scenario->GetTopology(), truth.scenario->GetNetwork()),
      m_tracker(
          architecture.MakeTracker(truth.scenario->GetTopology(), truth.scenario->GetNetwork())),
      m_events(std::move(events)),
      m_dense(static_cast<float>(dense)),
      m_slotOfFlow(truth.scenario->GetFlows().size(), 0),
      m_nSnapshots(truth.scenario->GetFlows().size(), 0),
      m_nSeen(truth.scenario->GetFlows().size(), 0)
{
    NS_ASSERT_MSG(truth.fctNs.size() == m_slotOfFlow.size(), "a completion time per flow");
    std::size_t n = 0;
    for (std::size_t flow = 0; flow < m_slotOfFlow.size(); ++flow)
    {
        m_firstQueue.push_back(n);
        n += truth.scenario->GetPath(flow).size();
    }
    if (m_events.empty())
    {
        AddTrueEvents();
    }
    // a first pass without features, to count the snapshots of each flow
    const auto rehearsal = architecture.MakeTracker(truth.scenario->GetTopology(),
                                                    truth.scenario->GetNetwork(),
                                                    false);
    M4Snapshot snapshot;
    for (const M4Event& event : m_events)
    {
        Feed(*rehearsal, event, snapshot);
        for (const uint32_t slot : snapshot.flows)
        {
            ++m_nSnapshots[m_flowOfSlot[slot]];
        }
    }
}

void
M4Replay::AddTrueEvents()
{
    const auto& flows = m_truth.scenario->GetFlows();
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        const int64_t startNs = flows[flow].startNs;
        m_events.push_back({startNs, flow, true});
        if (m_truth.fctNs[flow] >= 0)
        {
            const M4FlowConstants constants =
                m_model.Compute(m_truth.scenario->GetPath(flow), flows[flow].sizeBytes);
            m_events.push_back(
                {startNs + constants.GetServiceNs(m_truth.fctNs[flow]), flow, false});
        }
    }
    // as in M4Session: at equal times departures precede starts, but a flow that departs at its own
    // start does so after it
    auto key = [&flows](const M4Event& event) {
        const bool starts = event.isArrival || event.timeNs == flows[event.flow].startNs;
        return std::make_tuple(event.timeNs, starts, event.flow, !event.isArrival);
    };
    std::sort(m_events.begin(), m_events.end(), [&key](const M4Event& a, const M4Event& b) {
        return key(a) < key(b);
    });
}

uint32_t
M4Replay::GetNSlots() const
{
    return static_cast<uint32_t>(m_flowOfSlot.size());
}

void
M4Replay::Feed(M4Tracker& tracker, const M4Event& event, M4Snapshot& snapshot)
{
    if (!event.isArrival)
    {
        tracker.End(m_slotOfFlow[event.flow], event.timeNs, snapshot);
        return;
    }
    const DcnPath path = m_truth.scenario->GetPath(event.flow);
    const uint64_t size = m_truth.scenario->GetFlows()[event.flow].sizeBytes;
    const uint32_t slot = tracker.Start(m_model.Compute(path, size), path, event.timeNs, snapshot);
    if (slot >= m_flowOfSlot.size())
    {
        m_flowOfSlot.resize(slot + 1);
    }
    m_flowOfSlot[slot] = event.flow;
    m_slotOfFlow[event.flow] = slot;
}

bool
M4Replay::Next(M4Step& step)
{
    if (m_next == m_events.size())
    {
        return false;
    }
    const M4Event& event = m_events[m_next++];
    Feed(*m_tracker, event, step.snapshot);
    step.timeNs = event.timeNs;
    const std::size_t n = step.snapshot.flows.size();
    step.flow.resize(n);
    step.logSlowdown.assign(n, 0);
    step.slowdownWeight.assign(n, 0);
    step.isLast.assign(n, 0);
    step.remaining.assign(n, 0);
    step.remainingWeight.assign(n, 0);
    for (std::size_t row = 0; row < n; ++row)
    {
        const uint32_t slot = step.snapshot.flows[row];
        const uint32_t flow = m_flowOfSlot[slot];
        step.flow[row] = flow;
        ++m_nSeen[flow];
        const auto nSnapshots = static_cast<float>(m_nSnapshots[flow]);
        if (m_truth.fctNs[flow] >= 0)
        {
            const double ideal = m_tracker->GetConstants(slot).idealNs;
            step.logSlowdown[row] = static_cast<float>(
                std::log(std::max(1.0, static_cast<double>(m_truth.fctNs[flow]) / ideal)));
            step.isLast[row] = m_nSeen[flow] == m_nSnapshots[flow] ? 1.0F : 0.0F;
            step.slowdownWeight[row] = m_dense / nSnapshots + (1 - m_dense) * step.isLast[row];
        }
        const float remaining = m_truth.GetRemaining(flow, event.timeNs);
        if (remaining != M4GroundTruth::UNKNOWN)
        {
            step.remaining[row] = remaining;
            step.remainingWeight[row] = 1.0F / nSnapshots;
        }
    }
    const std::size_t nLinks = step.snapshot.links.size();
    step.queue.assign(nLinks, 0);
    step.queueWeight.assign(nLinks, 0);
    if (event.isArrival && !m_truth.queueBytes.empty())
    {
        // the links of the path come first
        const std::size_t length = m_truth.scenario->GetPath(event.flow).size();
        for (std::size_t place = 0; place < length; ++place)
        {
            const int64_t bytes = m_truth.queueBytes[m_firstQueue[event.flow] + place];
            if (bytes >= 0)
            {
                step.queue[place] =
                    static_cast<float>(std::log1p(static_cast<double>(bytes) / 1000));
                step.queueWeight[place] = 1.0F / static_cast<float>(length);
            }
        }
    }
    return true;
}

} // namespace ns3
