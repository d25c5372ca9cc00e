/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-helper.h"

#include "../model/engine/dcn-packet-device.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <iostream>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * Write the line of an ascii trace for a frame whose transmission begins; ns-3 has a function for
 * received frames only.
 * @param stream output
 * @param context path of the trace source; empty if the file is of one device
 * @param packet the frame
 */
void
WriteTransmission(Ptr<OutputStreamWrapper> stream, std::string context, Ptr<const Packet> packet)
{
    *stream->GetStream() << "t " << Simulator::Now().GetSeconds() << ' '
                         << (context.empty() ? "" : context + " ") << *packet << std::endl;
}

} // namespace

DcnPacketHelper::DcnPacketHelper()
    : DcnNetworkMethodHelper("packet")
{
    m_factory.SetTypeId(DcnPacketNetwork::GetTypeId());
}

void
DcnPacketHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<DcnPacketNetwork>
DcnPacketHelper::Install(Ptr<const DcnScenario> scenario) const
{
    Ptr<DcnPacketNetwork> network = m_factory.Create<DcnPacketNetwork>();
    network->Install(scenario);
    return network;
}

void
DcnPacketHelper::EnablePcapInternal(std::string prefix,
                                    Ptr<NetDevice> nd,
                                    bool /* promiscuous */,
                                    bool explicitFilename)
{
    Ptr<DcnPacketDevice> device = DynamicCast<DcnPacketDevice>(nd);
    if (!device)
    {
        return;
    }
    PcapHelper pcap;
    const std::string name = explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, device);
    Ptr<PcapFileWrapper> file = pcap.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB);
    pcap.HookDefaultSink<DcnPacketDevice>(device, "PhyTxBegin", file);
    pcap.HookDefaultSink<DcnPacketDevice>(device, "PhyRxEnd", file);
}

void
DcnPacketHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                     std::string prefix,
                                     Ptr<NetDevice> nd,
                                     bool explicitFilename)
{
    Ptr<DcnPacketDevice> device = DynamicCast<DcnPacketDevice>(nd);
    if (!device)
    {
        return;
    }
    Packet::EnablePrinting();
    if (!stream)
    {
        AsciiTraceHelper ascii;
        stream = ascii.CreateFileStream(
            explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, device));
        device->TraceConnectWithoutContext(
            "PhyTxBegin",
            MakeBoundCallback(&WriteTransmission, stream, std::string()));
        ascii.HookDefaultReceiveSinkWithoutContext<DcnPacketDevice>(device, "PhyRxEnd", stream);
        return;
    }
    // several devices share the stream: the context says which it is
    std::ostringstream path;
    path << "/NodeList/" << device->GetNode()->GetId() << "/DeviceList/" << device->GetIfIndex()
         << "/$ns3::DcnPacketDevice/";
    device->TraceConnect("PhyTxBegin",
                         path.str() + "PhyTxBegin",
                         MakeBoundCallback(&WriteTransmission, stream));
    device->TraceConnect(
        "PhyRxEnd",
        path.str() + "PhyRxEnd",
        MakeBoundCallback(&AsciiTraceHelper::DefaultReceiveSinkWithContext, stream));
}

} // namespace ns3
