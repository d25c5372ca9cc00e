/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCTCP_DUMBBELL_H
#define DCTCP_DUMBBELL_H

#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/dcn-error.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ns3
{

/// Two switches with hosts on PointToPoint links, for ns-3's own DCTCP as in a data center.
struct DctcpDumbbell
{
    uint32_t hostsPerSwitch{8};    //!< hosts at each of the two switches
    DataRate rate{10'000'000'000}; //!< of every link
    Time delay{MicroSeconds(5)};   //!< propagation delay of every link
    uint32_t threshold{65};        //!< marking threshold K of the queue discs [packets]

    /// Declares the command-line options.
    void AddTo(CommandLine& cmd)
    {
        cmd.AddValue("hosts", "Hosts at each of the two switches", hostsPerSwitch);
        cmd.AddValue("rate", "Rate of every link", rate);
        cmd.AddValue("delay", "Propagation delay of every link", delay);
        cmd.AddValue("k", "Marking threshold of the queue discs [packets]", threshold);
    }

    /**
     * @brief Set defaults of TCP and queue discs, which are for the Internet, and join the nodes.
     * @param hosts empty; gets the hosts, half of them at each switch
     * @param switches empty; gets the two switches
     * @return devices of the link between the switches, the bottleneck
     */
    NetDeviceContainer Make(NodeContainer& hosts, NodeContainer& switches) const
    {
        if (hostsPerSwitch == 0 || rate.GetBitRate() == 0 || delay < Time(0) || threshold == 0)
        {
            DcnFail("--hosts, --rate and --k must be above 0, and --delay at least 0");
        }
        const std::string k = std::to_string(threshold);
        const std::pair<const char*, std::string> defaults[] = {
            {"TcpL4Protocol::SocketType", "ns3::TcpDctcp"},
            {"TcpSocket::SegmentSize", "1448"},
            {"TcpSocket::SndBufSize", "4000000"},
            {"TcpSocket::RcvBufSize", "4000000"},
            {"TcpSocket::DelAckCount", "1"},
            {"TcpSocket::ConnTimeout", "10ms"},
            {"TcpSocketBase::MinRto", "10ms"},
            {"TcpSocketBase::ClockGranularity", "10us"},
            // DCTCP's step: the instantaneous queue (QW = 1), one threshold, marks, not drops
            {"RedQueueDisc::UseEcn", "true"},
            {"RedQueueDisc::UseHardDrop", "false"},
            {"RedQueueDisc::Gentle", "false"},
            {"RedQueueDisc::QW", "1"},
            {"RedQueueDisc::MinTh", k},
            {"RedQueueDisc::MaxTh", k},
            {"RedQueueDisc::MeanPktSize", "1500"},
            {"RedQueueDisc::MaxSize", "2666p"}};
        for (const auto& [name, value] : defaults)
        {
            Config::SetDefault(std::string("ns3::") + name, StringValue(value));
        }
        hosts.Create(2 * hostsPerSwitch);
        switches.Create(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", DataRateValue(rate));
        link.SetChannelAttribute("Delay", TimeValue(delay));
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
                                   switches.Get(isLast ? 1 : i / hostsPerSwitch));
            control.Install(devices);
            subnets.Assign(devices);
            subnets.NewNetwork();
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        return devices;
    }
};

} // namespace ns3

#endif /* DCTCP_DUMBBELL_H */
