/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-window-events.h"

#include "ns3/abort.h"

namespace ns3
{

void
DcnWindowEvents::Post(uint32_t partition, DcnWindowEvent event)
{
    NS_ABORT_MSG_IF(event.timeNs < m_endNs, "a message within the lookahead");
    m_boxes[m_writing][partition].events.push_back(event);
    m_firstSentNs = std::min(m_firstSentNs, event.timeNs);
}

} // namespace ns3
