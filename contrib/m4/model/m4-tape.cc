/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-tape.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

M4Tape::M4Tape(const M4Truth& truth, const std::vector<int64_t>& departureNs)
    : m_truth(truth),
      m_model(truth.scenario->GetTopology(), truth.scenario->GetNetwork()),
      m_tracker(truth.scenario->GetTopology()),
      m_slotOfFlow(truth.scenario->GetFlows().size(), 0),
      m_nTouches(truth.scenario->GetFlows().size(), 0),
      m_nSeen(truth.scenario->GetFlows().size(), 0)
{
    NS_ASSERT_MSG(truth.fctNs.size() == m_slotOfFlow.size(), "a completion time per flow");
    std::size_t n = 0;
    for (std::size_t flow = 0; flow < m_slotOfFlow.size(); ++flow)
    {
        m_firstQueue.push_back(n);
        n += truth.scenario->GetPath(flow).size();
    }
    const auto& flows = truth.scenario->GetFlows();
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        m_events.push_back({flows[flow].startNs, flow, true});
        if (!departureNs.empty())
        {
            m_events.push_back({departureNs[flow], flow, false});
        }
        else if (truth.fctNs[flow] >= 0)
        {
            const M4FlowConstants constants =
                m_model.Compute(truth.scenario->GetPath(flow), flows[flow].sizeBytes);
            m_events.push_back({flows[flow].startNs + constants.GetServiceNs(truth.fctNs[flow]),
                                flow,
                                false});
        }
    }
    std::sort(m_events.begin(), m_events.end());
    // once without labels, to know how often each flow is touched
    M4Tracker rehearsal(truth.scenario->GetTopology(), false);
    M4Snapshot snapshot;
    for (const Event& event : m_events)
    {
        Feed(rehearsal, event, snapshot);
        for (const uint32_t slot : snapshot.flows)
        {
            ++m_nTouches[m_flowOfSlot[slot]];
        }
    }
}

uint32_t
M4Tape::GetNSlots() const
{
    return static_cast<uint32_t>(m_flowOfSlot.size());
}

void
M4Tape::Feed(M4Tracker& tracker, const Event& event, M4Snapshot& snapshot)
{
    if (!event.arrival)
    {
        tracker.End(m_slotOfFlow[event.flow], event.timeNs, snapshot);
        return;
    }
    const DcnPath path = m_truth.scenario->GetPath(event.flow);
    const uint64_t size = m_truth.scenario->GetFlows()[event.flow].sizeBytes;
    const uint32_t slot =
        tracker.Start(m_model.Compute(path, size), path, event.timeNs, snapshot);
    if (slot >= m_flowOfSlot.size())
    {
        m_flowOfSlot.resize(slot + 1);
    }
    m_flowOfSlot[slot] = event.flow;
    m_slotOfFlow[event.flow] = slot;
}

bool
M4Tape::Next(M4Step& step)
{
    if (m_next == m_events.size())
    {
        return false;
    }
    const Event& event = m_events[m_next];
    Feed(m_tracker, event, step.snapshot);
    const std::size_t n = step.snapshot.flows.size();
    step.flow.resize(n);
    step.logSlowdown.assign(n, 0);
    step.weight.assign(n, 0);
    step.fluidLeft.resize(n);
    step.left.assign(n, M4Step::NO_LABEL);
    step.isNew.assign(n, 0);
    for (std::size_t row = 0; row < n; ++row)
    {
        const uint32_t slot = step.snapshot.flows[row];
        const uint32_t flow = m_flowOfSlot[slot];
        step.flow[row] = flow;
        step.isNew[row] = row == step.snapshot.eventRow ? 1 : 0;
        step.fluidLeft[row] = static_cast<float>(m_tracker.GetFluidLeft(slot, event.timeNs));
        ++m_nSeen[flow];
        if (m_truth.fctNs[flow] >= 0)
        {
            const double ideal = m_tracker.GetConstants(slot).idealNs;
            step.logSlowdown[row] = static_cast<float>(
                std::log(std::max(1.0, static_cast<double>(m_truth.fctNs[flow]) / ideal)));
            step.weight[row] = 0.5F / static_cast<float>(m_nTouches[flow]) +
                               (m_nSeen[flow] == m_nTouches[flow] ? 0.5F : 0.0F);
        }
        if (event.arrival && !m_truth.actives.empty())
        {
            const auto& actives = m_truth.actives[event.flow];
            auto found = std::lower_bound(
                actives.begin(),
                actives.end(),
                flow,
                [](const M4Truth::Active& active, uint32_t index) { return active.flow < index; });
            if (found != actives.end() && found->flow == flow)
            {
                step.left[row] = found->left;
            }
            else if (m_truth.fctNs[flow] >= 0 &&
                     m_truth.scenario->GetFlows()[flow].startNs + m_truth.fctNs[flow] <=
                         event.timeNs)
            {
                step.left[row] = 0; // in a roll-out that is slower than the truth
            }
        }
    }
    step.queue.assign(step.snapshot.links.size(), M4Step::NO_LABEL);
    if (event.arrival && !m_truth.queueBytes.empty())
    {
        for (std::size_t place = 0; place < step.queue.size(); ++place)
        {
            const int64_t bytes = m_truth.queueBytes[m_firstQueue[event.flow] + place];
            if (bytes >= 0)
            {
                step.queue[place] =
                    static_cast<float>(std::log1p(static_cast<double>(bytes) / 1000));
            }
        }
    }
    ++m_next;
    return true;
}

} // namespace ns3
