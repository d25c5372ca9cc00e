/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-closed-loop.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnClosedLoop");

DcnClosedLoop::DcnClosedLoop(uint32_t nRacks, uint32_t limit, std::size_t nFlows)
    : m_limit(limit),
      m_flows(nFlows),
      m_racks(nRacks)
{
    if (limit == 0)
    {
        DcnFail("a closed loop with 0 flows in flight never starts one");
    }
}

bool
DcnClosedLoop::Offer(std::size_t flow, uint32_t rack, int64_t nowNs)
{
    Rack& queue = m_racks.at(rack);
    const bool isReleased = queue.nInFlight < m_limit;
    if (isReleased)
    {
        ++queue.nInFlight;
    }
    else
    {
        queue.waiting.push_back(flow);
    }
    NS_LOG_LOGIC("flow " << flow << " of rack " << rack
                         << (isReleased ? " starts at " : " waits at ") << nowNs << " ns");
    m_flows.at(flow) = {rack, isReleased ? nowNs : UNRELEASED};
    return isReleased;
}

std::size_t
DcnClosedLoop::Complete(std::size_t flow, int64_t nowNs)
{
    NS_ASSERT_MSG(m_flows.at(flow).releaseNs != UNRELEASED, "the flow has not been released");
    Rack& queue = m_racks[m_flows[flow].rack];
    if (queue.waiting.empty())
    {
        --queue.nInFlight;
        return NONE;
    }
    const std::size_t next = queue.waiting.front();
    queue.waiting.pop_front();
    m_flows[next].releaseNs = nowNs;
    NS_LOG_LOGIC("flow " << next << " is released at " << nowNs << " ns");
    return next;
}

int64_t
DcnClosedLoop::GetReleaseNs(std::size_t flow) const
{
    return m_flows.at(flow).releaseNs;
}

uint32_t
DcnClosedLoop::GetNInFlight(uint32_t rack) const
{
    return m_racks.at(rack).nInFlight;
}

std::size_t
DcnClosedLoop::GetNWaiting(uint32_t rack) const
{
    return m_racks.at(rack).waiting.size();
}

} // namespace ns3
