/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-switch-bounds.h"

#include "../engine/dcn-flow-owner.h"
#include "../engine/dcn-packet-flow.h"
#include "../engine/dcn-packet-switch.h"
#include "../engine/dcn-switch-device.h"

#include "ns3/dcn-topology.h"

#include <algorithm>

namespace ns3
{

DcnSwitchBounds::DcnSwitchBounds(const DcnFlowOwner& owner,
                                 const std::vector<DcnPacketDevice*>& devices,
                                 uint32_t frameBytes)
    : m_owner(owner),
      m_devices(devices),
      m_frameBytes(frameBytes)
{
    std::unordered_map<const DcnPacketSwitch*, uint32_t> numbers;
    for (DcnPacketDevice* device : devices)
    {
        if (device->IsHost())
        {
            m_switchOf.push_back(0); // of no use
            continue;
        }
        auto* port = static_cast<DcnSwitchDevice*>(device);
        const auto [position, isNew] =
            numbers.emplace(port->GetSwitch(), static_cast<uint32_t>(m_switches.size()));
        if (isNew)
        {
            m_switches.emplace_back();
            m_switches.back().device = port->GetSwitch();
        }
        m_switchOf.push_back(position->second);
        auto& ports = m_switches[position->second].ports;
        ports.resize(std::max<std::size_t>(ports.size(), port->GetPort() + 1));
        ports[port->GetPort()] = port;
    }
    for (Switch& forwarder : m_switches)
    {
        forwarder.mostBytes.resize(forwarder.ports.size());
    }
}

bool
DcnSwitchBounds::CanFill(uint32_t number) const
{
    const Switch& forwarder = m_switches[number];
    return m_owner.events.HasLost() || forwarder.nUnbounded > 0 ||
           !forwarder.device->HasRoomFor(forwarder.mostBytes, forwarder.mostOfAll);
}

uint64_t
DcnSwitchBounds::GetMostFrames(const DcnPacketFlow& flow) const
{
    const uint64_t window = flow.GetControl()->GetWindowBytes();
    const DcnFlowMessages* messages = flow.GetMessages();
    if (window == 0 || (messages && messages->HasShort()))
    {
        return ANY;
    }
    // one is sent while less than a window is on its way
    const uint64_t packets = (window - 1) / m_owner.parameters->payloadBytes + 2;
    return messages ? 2 * packets + 1 : packets; // a full one follows the short end of a message
}

void
DcnSwitchBounds::Add(const Counted& counted, bool isAdded)
{
    const bool isBounded = counted.frames != ANY;
    const uint64_t bytes = isBounded ? counted.frames * m_frameBytes : 0;
    const auto add = [isAdded](uint64_t& sum, uint64_t term) { sum += isAdded ? term : -term; };
    for (std::size_t i = 1; i < counted.links.size(); ++i)
    {
        // data come from the link before, acknowledgements from the link behind the switch
        Switch& forwarder = m_switches[m_switchOf[counted.links[i]]];
        const auto* before = static_cast<const DcnSwitchDevice*>(
            m_devices[DcnTopology::Reverse(counted.links[i - 1])]);
        const auto* behind = static_cast<const DcnSwitchDevice*>(m_devices[counted.links[i]]);
        add(forwarder.mostBytes[before->GetPort()], bytes);
        add(forwarder.mostBytes[behind->GetPort()], bytes);
        add(forwarder.mostOfAll, bytes);
        add(forwarder.nUnbounded, isBounded ? 0 : 1);
    }
}

void
DcnSwitchBounds::Count(const DcnPacketFlow& flow, const std::vector<uint32_t>& links)
{
    Forget(flow);
    const auto position = m_counted.emplace(&flow, Counted{GetMostFrames(flow), links}).first;
    Add(position->second, true);
}

void
DcnSwitchBounds::Forget(const DcnPacketFlow& flow)
{
    const auto counted = m_counted.find(&flow);
    if (counted != m_counted.end())
    {
        Add(counted->second, false);
        m_counted.erase(counted);
    }
}

void
DcnSwitchBounds::Clear()
{
    m_counted.clear();
    for (Switch& forwarder : m_switches)
    {
        std::fill(forwarder.mostBytes.begin(), forwarder.mostBytes.end(), 0);
        forwarder.mostOfAll = 0;
        forwarder.nUnbounded = 0;
    }
}

} // namespace ns3
