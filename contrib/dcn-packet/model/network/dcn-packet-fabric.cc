/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-fabric.h"

#include "../congestion/dcn-telemetry-control.h"
#include "../engine/dcn-host-device.h"
#include "../engine/dcn-packet-channel.h"
#include "../engine/dcn-packet-switch.h"
#include "../engine/dcn-switch-device.h"
#include "../paths/dcn-link-choice.h"
#include "../windows/dcn-network-cut.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-marking.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketFabric");

DcnPacketFabric::DcnPacketFabric(Ptr<const DcnTopology> topology,
                                 Ptr<const DcnNetworkConfig> config)
    : m_topology(topology),
      m_config(config),
      m_wireFormat(DcnCongestionControl::GetWireFormat(*config))
{
    CheckConfig();
    if (config->HasManyPaths())
    {
        m_routing = std::make_unique<DcnRouting>(topology);
    }
}

DcnPacketFabric::DcnPacketFabric(Ptr<const DcnTopology> topology,
                                 Ptr<const DcnNetworkConfig> config,
                                 const std::vector<uint32_t>& senders,
                                 const Settings& settings)
    : DcnPacketFabric(topology, config) // so that the destructor runs if a switch is refused
{
    m_devices.resize(topology->GetNLinks());
    for (uint32_t link = 0; link < topology->GetNLinks(); link += 2)
    {
        MakeLink(link);
    }
    const uint64_t hostRateBps = topology->GetNicRates(senders).back();
    for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
    {
        if (!topology->IsHost(node))
        {
            MakeSwitch(node, hostRateBps, settings);
        }
    }
    NS_LOG_INFO("installed on " << topology->GetNNodes() << " nodes and "
                                << topology->GetNLinks() / 2 << " links, congestion control "
                                << config->congestionControl);
}

DcnPacketFabric::~DcnPacketFabric()
{
    Dispose();
}

void
DcnPacketFabric::Dispose()
{
    for (const auto& device : m_devices)
    {
        device->Dispose();
    }
    m_devices.clear();
}

void
DcnPacketFabric::CheckConfig() const
{
    DcnPacketEvents::CheckNumber(m_topology->GetNLinks(),
                                 DcnPacketEvents::MAX_LINK,
                                 "directed links");
    if (GetMaxFrameBytes() > DcnFrame::MAX_WIRE_BYTES)
    {
        DcnFail("with payload_bytes ",
                m_config->payloadBytes,
                " a frame of ",
                m_config->congestionControl,
                " has ",
                GetMaxFrameBytes(),
                " bytes, but the packet engine has frames of at most ",
                DcnFrame::MAX_WIRE_BYTES);
    }
    for (uint32_t node = 0; node < m_topology->GetNNodes(); ++node)
    {
        if (!m_topology->IsHost(node) && m_topology->GetOutLinks(node).size() > DcnFrame::MAX_PORTS)
        {
            DcnFail("switch ",
                    m_topology->GetExternalId(node),
                    " has ",
                    m_topology->GetOutLinks(node).size(),
                    " ports, but a switch of the packet engine has at most ",
                    DcnFrame::MAX_PORTS);
        }
    }
    if (m_config->HasManyPaths())
    {
        if (m_wireFormat.telemetry)
        {
            DcnTelemetryControl::Check(*m_config, ""); // also of controls that have no check
        }
        for (uint32_t node = 0; node < m_topology->GetNNodes(); ++node)
        {
            const auto& links = m_topology->GetOutLinks(node);
            if (m_topology->IsHost(node) &&
                std::any_of(links.begin(), links.end(), [&](uint32_t link) {
                    return m_topology->GetLink(link).to != m_topology->GetLink(links.front()).to;
                }))
            {
                // acknowledgements leave by the link of the flow's own path
                DcnFail("packets of a flow would reach host ",
                        node,
                        " by several switches, but load_balancing is ",
                        m_config->loadBalancing,
                        ": link each host with one switch, or take load_balancing=0");
            }
        }
    }
}

void
DcnPacketFabric::MakeLink(uint32_t link)
{
    const DcnTopology& topology = *m_topology;
    const NodeContainer& nodes = topology.GetNodes();
    for (uint32_t direction : {link, DcnTopology::Reverse(link)})
    {
        const DcnLink& end = topology.GetLink(direction);
        Ptr<DcnPacketDevice> device;
        if (topology.IsHost(end.from))
        {
            device = CreateObject<DcnHostDevice>();
        }
        else
        {
            device = CreateObject<DcnSwitchDevice>();
        }
        device->SetAttribute("DataRate", DataRateValue(DataRate(end.rateBps)));
        device->SetNumber(direction);
        device->SetTimeGrain(m_config->timeGrainNs > 0);
        nodes.Get(end.from)->AddDevice(device);
        m_devices[direction] = device;
    }
    Ptr<DcnPacketChannel> channel = CreateObject<DcnPacketChannel>();
    channel->SetAttribute("Delay", TimeValue(NanoSeconds(topology.GetLink(link).delayNs)));
    channel->Connect(m_devices[link], m_devices[DcnTopology::Reverse(link)]);
}

void
DcnPacketFabric::MakeSwitch(uint32_t node, uint64_t hostRateBps, const Settings& settings)
{
    const DcnTopology& topology = *m_topology;
    const uint64_t seed = DcnMarking::MakeSeed(RngSeedManager::GetSeed(),
                                               RngSeedManager::GetRun(),
                                               static_cast<uint64_t>(settings.stream));
    std::vector<DcnSwitchDevice*> devices;
    std::vector<DcnPacketSwitch::Port> ports;
    for (uint32_t link : topology.GetOutLinks(node))
    {
        devices.push_back(static_cast<DcnSwitchDevice*>(PeekPointer(m_devices[link])));
        ports.push_back({devices.back(),
                         devices.back()->GetRateBps(),
                         devices.back()->GetDelayNs(),
                         topology.IsHost(topology.GetLink(link).to)});
    }
    Ptr<DcnPacketSwitch> forwarder = CreateObject<DcnPacketSwitch>();
    forwarder->Configure(*m_config,
                         ports,
                         hostRateBps,
                         std::to_string(topology.GetExternalId(node)),
                         {settings.telemetryQuantised,
                          settings.losslessHeadroom,
                          GetMinFrameBytes(),
                          GetMaxFrameBytes(),
                          seed});
    for (std::size_t port = 0; port < devices.size(); ++port)
    {
        devices[port]->SetSwitch(PeekPointer(forwarder), static_cast<uint32_t>(port));
    }
    if (m_routing)
    {
        forwarder->SetLinkChoice(std::make_unique<DcnLinkChoice>(
            *m_config,
            *m_routing,
            node,
            seed,
            [this](uint32_t link) {
                return static_cast<DcnSwitchDevice*>(PeekPointer(m_devices[link]));
            }));
    }
    m_switches.push_back(forwarder);
}

void
DcnPacketFabric::CheckFlow(const DcnNetworkConfig& config, const DcnFlow& flow, DcnPath path)
{
    if (flow.sizeBytes > DcnFrame::MAX_SEQUENCE)
    {
        DcnFail("flow ",
                flow.id,
                " has ",
                flow.sizeBytes,
                " bytes, but a flow of the packet engine has at most ",
                DcnFrame::MAX_SEQUENCE,
                ": take several flows");
    }
    CheckPath(config, flow, path);
}

void
DcnPacketFabric::CheckPath(const DcnNetworkConfig& config, const DcnFlow& flow, DcnPath path)
{
    const std::size_t switches = path.size() - 1;
    if (DcnCongestionControl::GetWireFormat(config).telemetry && switches > DcnTelemetry::MAX_HOPS)
    {
        DcnFail("flow ",
                flow.id,
                " crosses ",
                switches,
                " switches, but the telemetry of ",
                config.congestionControl,
                " holds ",
                int{DcnTelemetry::MAX_HOPS});
    }
}

DcnFlowPath
DcnPacketFabric::FindPath(DcnPath path) const
{
    const auto host = [this](uint32_t link) {
        return static_cast<DcnHostDevice*>(PeekPointer(m_devices[link]));
    };
    const auto port = [this](uint32_t link) {
        return static_cast<DcnSwitchDevice*>(PeekPointer(m_devices[link]));
    };
    DcnHostDevice* source = host(path[0]);
    DcnHostDevice* sink = host(DcnTopology::Reverse(path[path.size() - 1]));
    DcnFlowPath ports{source, source, sink, {}, {}, 0};
    for (std::size_t hop = 1; hop < path.size(); ++hop) // all links but the first begin at switches
    {
        if (!m_routing)
        {
            ports.forward.push_back(port(path[hop]));
        }
        ports.reverse.push_back(port(DcnTopology::Reverse(path[path.size() - 1 - hop])));
    }
    ports.forward.push_back(nullptr);
    ports.reverse.push_back(nullptr);
    ports.rttNs = DcnBaseRttNs(*m_topology,
                               path,
                               m_config->payloadBytes + m_wireFormat.dataHeaderBytes,
                               m_wireFormat.ackBytes);
    return ports;
}

void
DcnPacketFabric::ChangeLink(uint32_t link, uint64_t rateBps, int64_t nowNs)
{
    for (uint32_t direction : {link, DcnTopology::Reverse(link)})
    {
        const Ptr<DcnPacketDevice>& device = m_devices[direction];
        if (rateBps == 0)
        {
            device->SetDown(nowNs);
            continue;
        }
        device->SetAttribute("DataRate", DataRateValue(DataRate(rateBps)));
        if (!device->IsHost())
        {
            static_cast<DcnSwitchDevice*>(PeekPointer(device))->FollowRate();
        }
    }
    for (uint32_t direction : {link, DcnTopology::Reverse(link)})
    {
        if (rateBps > 0 && m_devices[direction]->IsDown())
        {
            m_devices[direction]->SetUp(nowNs);
        }
    }
}

std::vector<int64_t>
DcnPacketFabric::GetHopNs() const
{
    std::vector<int64_t> hopNs;
    for (uint32_t i = 0; i < m_devices.size(); ++i)
    {
        const DcnLink& link = m_topology->GetLink(i);
        hopNs.push_back(DcnNetworkCut::GetHopNs(std::min(link.delayNs, m_devices[i]->GetDelayNs()),
                                                std::max(link.rateBps, m_devices[i]->GetRateBps()),
                                                GetMinFrameBytes()));
    }
    return hopNs;
}

uint32_t
DcnPacketFabric::GetNListeners() const
{
    uint32_t n = 0;
    for (const auto& device : m_devices)
    {
        n += device->GetNListeners();
    }
    return n;
}

int64_t
DcnPacketFabric::GetLastTransmissionNs(int64_t fromNs) const
{
    int64_t lastNs = fromNs;
    for (const auto& device : m_devices)
    {
        lastNs = std::max(lastNs, device->IsDown() ? lastNs : device->GetFreeAtNs());
    }
    return lastNs;
}

int64_t
DcnPacketFabric::GetLongestHopNs() const
{
    int64_t longestNs = 0;
    for (const auto& device : m_devices)
    {
        longestNs = std::max(longestNs,
                             device->GetDelayNs() +
                                 DcnSerializationNs(GetMaxFrameBytes(), device->GetRateBps()));
    }
    return longestNs;
}

uint32_t
DcnPacketFabric::GetMaxFrameBytes() const
{
    return std::max(m_config->payloadBytes + m_wireFormat.dataHeaderBytes, m_wireFormat.ackBytes);
}

uint32_t
DcnPacketFabric::GetMinFrameBytes() const
{
    uint32_t bytes = std::min(m_wireFormat.dataHeaderBytes + 1, m_wireFormat.ackBytes);
    return m_config->pfc ? std::min(bytes, DcnPacketSwitch::PFC_FRAME_BYTES) : bytes;
}

int64_t
DcnPacketFabric::GetShortestPacketNs() const
{
    int64_t packetNs = std::numeric_limits<int64_t>::max();
    for (const auto& device : m_devices)
    {
        if (device->IsHost())
        {
            packetNs =
                std::min(packetNs, DcnSerializationNs(GetMaxFrameBytes(), device->GetRateBps()));
        }
    }
    return packetNs;
}

uint64_t
DcnPacketFabric::GetDataPacketHops() const
{
    uint64_t hops = 0;
    for (const auto& device : m_devices)
    {
        hops += device->GetTxDataPackets();
    }
    return hops;
}

uint64_t
DcnPacketFabric::GetNDropped() const
{
    uint64_t dropped = 0;
    for (const auto& forwarder : m_switches)
    {
        dropped += forwarder->GetNDropped();
    }
    return dropped;
}

uint64_t
DcnPacketFabric::GetNLost() const
{
    uint64_t lost = 0;
    for (const auto& device : m_devices)
    {
        lost += device->GetNLost();
    }
    return lost;
}

uint64_t
DcnPacketFabric::GetNPauses() const
{
    uint64_t pauses = 0;
    for (const auto& forwarder : m_switches)
    {
        pauses += forwarder->GetNPauses();
    }
    return pauses;
}

} // namespace ns3
