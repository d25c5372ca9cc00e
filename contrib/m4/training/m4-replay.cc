/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-tape.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ns3
{

float
M4Truth::GetLeft(uint32_t flow, int64_t timeNs) const
{
    if (left.empty() || left[flow].empty())
    {
        return M4Step::NO_LABEL;
    }
    const auto after = std::lower_bound(
        left[flow].begin(),
        left[flow].end(),
        timeNs,
        [](const Left& known, int64_t time) { return known.timeNs < time; });
    if (after == left[flow].end())
    {
        return fctNs[flow] >= 0 ? 0 : M4Step::NO_LABEL;
    }
    if (after->timeNs == timeNs || after == left[flow].begin())
    {
        return after->share;
    }
    const Left& before = *(after - 1);
    const double part = static_cast<double>(timeNs - before.timeNs) /
                        static_cast<double>(after->timeNs - before.timeNs);
    return before.share + static_cast<float>(part) * (after->share - before.share);
}

M4Tape::M4Tape(const M4Truth& truth,
               std::vector<M4Event> events,
               double dense,
               std::size_t most,
               M4Memory memory)
    : m_truth(truth),
      m_model(truth.scenario->GetTopology(), truth.scenario->GetNetwork()),
      m_tracker(truth.scenario->GetTopology(), true, memory),
      m_events(std::move(events)),
      m_dense(static_cast<float>(dense)),
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
    if (m_events.empty())
    {
        for (uint32_t flow = 0; flow < flows.size(); ++flow)
        {
            const int64_t startNs = flows[flow].startNs;
            m_events.push_back({startNs, flow, true});
            if (truth.fctNs[flow] >= 0)
            {
                const M4FlowConstants constants =
                    m_model.Compute(truth.scenario->GetPath(flow), flows[flow].sizeBytes);
                m_events.push_back(
                    {startNs + constants.GetServiceNs(truth.fctNs[flow]), flow, false});
            }
        }
        // those that leave come before those that start at one instant, but a flow that leaves when
        // it starts comes right after its start, all as in M4Session
        auto key = [&flows](const M4Event& event) {
            const bool starts = event.arrival || event.timeNs == flows[event.flow].startNs;
            return std::make_tuple(event.timeNs, starts, event.flow, !event.arrival);
        };
        std::sort(m_events.begin(), m_events.end(), [&key](const M4Event& a, const M4Event& b) {
            return key(a) < key(b);
        });
    }
    m_events.resize(std::min(m_events.size(), most));
    // once without labels, to know how often each flow is touched
    M4Tracker rehearsal(truth.scenario->GetTopology(), false);
    M4Snapshot snapshot;
    for (const M4Event& event : m_events)
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
M4Tape::Feed(M4Tracker& tracker, const M4Event& event, M4Snapshot& snapshot)
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
    const M4Event& event = m_events[m_next];
    Feed(m_tracker, event, step.snapshot);
    step.timeNs = event.timeNs;
    const std::size_t n = step.snapshot.flows.size();
    step.flow.resize(n);
    step.logSlowdown.assign(n, 0);
    step.weight.assign(n, 0);
    step.left.assign(n, M4Step::NO_LABEL);
    step.leftWeight.assign(n, 0);
    step.isNew.assign(n, 0);
    for (std::size_t row = 0; row < n; ++row)
    {
        const uint32_t slot = step.snapshot.flows[row];
        const uint32_t flow = m_flowOfSlot[slot];
        step.flow[row] = flow;
        step.isNew[row] = row == step.snapshot.eventRow ? 1 : 0;
        ++m_nSeen[flow];
        if (m_truth.fctNs[flow] >= 0)
        {
            const double ideal = m_tracker.GetConstants(slot).idealNs;
            step.logSlowdown[row] = static_cast<float>(
                std::log(std::max(1.0, static_cast<double>(m_truth.fctNs[flow]) / ideal)));
            step.weight[row] = m_dense / static_cast<float>(m_nTouches[flow]) +
                               (m_nSeen[flow] == m_nTouches[flow] ? 1 - m_dense : 0.0F);
        }
        step.left[row] = m_truth.GetLeft(flow, event.timeNs);
        if (step.left[row] >= 0)
        {
            step.leftWeight[row] = 1.0F / static_cast<float>(m_nTouches[flow]);
        }
    }
    const std::size_t nLinks = step.snapshot.links.size();
    step.queue.assign(nLinks, M4Step::NO_LABEL);
    step.queueWeight.assign(nLinks, 0);
    if (event.arrival && !m_truth.queueBytes.empty())
    {
        for (std::size_t place = 0; place < step.queue.size(); ++place)
        {
            const int64_t bytes = m_truth.queueBytes[m_firstQueue[event.flow] + place];
            if (bytes >= 0)
            {
                step.queue[place] =
                    static_cast<float>(std::log1p(static_cast<double>(bytes) / 1000));
                step.queueWeight[place] = 1.0F / static_cast<float>(nLinks);
            }
        }
    }
    ++m_next;
    return true;
}

} // namespace ns3
