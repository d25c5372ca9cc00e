/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCTCP_DUMBBELL_H
#define DCTCP_DUMBBELL_H

#include "ns3/config.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// DCTCP as in a data center: the defaults of ns-3's TCP are for the Internet.
inline const std::vector<std::pair<std::string, std::string>> DCTCP_DEFAULTS{
    {"TcpL4Protocol::SocketType", "ns3::TcpDctcp"},
    {"TcpSocket::SegmentSize", "1448"},
    {"TcpSocket::SndBufSize", "4000000"},
    {"TcpSocket::RcvBufSize", "4000000"},
    {"TcpSocket::DelAckCount", "1"},
    {"TcpSocket::ConnTimeout", "10ms"},
    {"TcpSocketBase::MinRto", "10ms"},
    {"TcpSocketBase::ClockGranularity", "10us"},
    // DCTCP's step: the instantaneous queue (QW = 1), one threshold, marks instead of drops
    {"RedQueueDisc::UseEcn", "true"},
    {"RedQueueDisc::UseHardDrop", "false"},
    {"RedQueueDisc::Gentle", "false"},
    {"RedQueueDisc::QW", "1"},
    {"RedQueueDisc::MinTh", "65"},
    {"RedQueueDisc::MaxTh", "65"},
    {"RedQueueDisc::MeanPktSize", "1500"},
    {"RedQueueDisc::MaxSize", "2666p"}};

/**
 * Sets the defaults above and joins nodes by PointToPoint links of 10 Gb/s.
 * @param hosts half of them are joined to each switch
 * @param switches the two switches
 * @return devices of the link between the switches, the bottleneck
 */
inline NetDeviceContainer
MakeDumbbell(const NodeContainer& hosts, const NodeContainer& switches)
{
    for (const auto& [name, value] : DCTCP_DEFAULTS)
    {
        Config::SetDefault("ns3::" + name, StringValue(value));
    }
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    link.SetChannelAttribute("Delay", StringValue("5us"));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p")); // the disc has the rest
    InternetStackHelper().InstallAll();
    TrafficControlHelper control;
    control.SetRootQueueDisc("ns3::RedQueueDisc");
    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.252");
    NetDeviceContainer devices;
    for (uint32_t i = 0; i <= hosts.GetN(); ++i)
    {
        const bool isLast = i == hosts.GetN();
        devices = link.Install(isLast ? switches.Get(0) : hosts.Get(i),
                               switches.Get(isLast ? 1 : i * 2 / hosts.GetN()));
        control.Install(devices);
        subnets.Assign(devices);
        subnets.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    return devices;
}

} // namespace ns3

#endif /* DCTCP_DUMBBELL_H */
