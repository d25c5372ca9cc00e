/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-message-rate.h"

#include "ns3/dcn-congestion-control.h"

#include <algorithm>

namespace ns3
{

M4MessageRate::M4MessageRate(const DcnTopology& topology, const DcnNetworkParameters& network)
    : m_topology(topology),
      m_isHpcc(network.congestionControl == "hpcc"),
      m_eta(network.GetOwn("hpcc_eta")),
      m_increaseBps(network.GetOwn("hpcc_additive_increase_bps")),
      m_links(topology.GetNLinks())
{
    const auto wire = DcnCongestionControl::GetWireFormat(network);
    const double packet = network.payloadBytes + network.headerBytes;
    // a configuration may have larger headers than the congestion control needs
    m_data =
        std::max(packet, static_cast<double>(network.payloadBytes + wire.dataHeaderBytes)) / packet;
    m_acknowledgements = wire.ackBytes / packet;
}

double
M4MessageRate::GetUsedBps(uint32_t link, uint32_t nFlows) const
{
    const auto rateBps = static_cast<double>(m_topology.GetLink(link).rateBps);
    return m_isHpcc ? std::min(rateBps, m_eta * rateBps + nFlows * m_increaseBps) : rateBps;
}

double
M4MessageRate::GetPart(const M4Tracker& tracker, uint32_t link) const
{
    const double used = GetUsedBps(link, tracker.GetNFlowsOn(link));
    // without fair rates, those of a tracker may exceed the link
    const double back =
        m_acknowledgements * std::min(static_cast<double>(m_topology.GetLink(link).rateBps),
                                      tracker.GetRateOn(DcnTopology::Reverse(link)));
    const double available = std::max((used - back) / m_data, used / (m_data + m_acknowledgements));
    return available / tracker.GetRateOn(link);
}

double
M4MessageRate::GetBps(const M4Tracker& tracker, uint32_t slot, uint64_t event)
{
    double part = 1;
    for (const uint32_t link : tracker.GetLinks(slot))
    {
        if (m_links[link].event != event)
        {
            m_links[link] = {event, GetPart(tracker, link)};
        }
        part = std::min(part, m_links[link].part);
    }
    return part * tracker.GetRate(slot);
}

} // namespace ns3
