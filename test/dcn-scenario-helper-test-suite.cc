/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"
#include "dcn-test-leaf-spine.h"

#include "ns3/boolean.h"
#include "ns3/bridge-helper.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/dcn-estimator-helper.h"
#include "ns3/dcn-scenario-helper.h"
#include "ns3/dcn-topology.h"
#include "ns3/error-model.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/nix-vector-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-client-server-helper.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using LeafSpine = DcnTestLeafSpine; //!< the network of most cases

/// Follows the data packets of flows by the devices that send them.
class Observer
{
  public:
    /// Listens to all devices of a topology.
    explicit Observer(Ptr<const DcnTopology> topology)
    {
        for (uint32_t link = 0; link < topology->GetNLinks(); ++link)
        {
            topology->GetDevice(link)->TraceConnectWithoutContext(
                "PhyTxBegin",
                MakeBoundCallback(&Observer::OnSent, this, link));
        }
    }

    /// @return links in the order in which packets of a size were sent first
    std::vector<uint32_t> GetPath(uint32_t packetBytes) const
    {
        const auto found = m_paths.find(packetBytes);
        return found == m_paths.end() ? std::vector<uint32_t>() : found->second;
    }

  private:
    static void OnSent(Observer* observer, uint32_t link, Ptr<const Packet> packet)
    {
        observer->m_paths[packet->GetSize()].push_back(link);
    }

    std::map<uint32_t, std::vector<uint32_t>> m_paths; //!< by size of the packet on the wire
};

/// @return the path of a flow as a vector
std::vector<uint32_t>
GetPath(Ptr<const DcnScenario> scenario, std::size_t flow)
{
    const DcnPath path = scenario->GetPath(flow);
    return {path.begin(), path.end()};
}

constexpr uint32_t PPP_IPV4_UDP = 30; //!< headers on a PointToPoint link [bytes]
constexpr uint32_t PPP_IPV6_UDP = 50; //!< likewise

/// Each host sends one UDP packet of its own size to each other host; the paths read before the run
/// are those that the packets take.
class PathsTestCase : public TestCase
{
  public:
    /**
     * @param routing global, static, nix or static6
     */
    explicit PathsTestCase(const std::string& routing)
        : TestCase("paths are those of packets: " + routing),
          m_routing(routing)
    {
    }

  private:
    void DoRun() override
    {
        LeafSpine network;
        std::vector<Address> addresses;
        if (m_routing == "static6")
        {
            AddStaticIpv6(network, addresses);
        }
        else
        {
            InternetStackHelper stack;
            Ipv4NixVectorHelper nix;
            Ipv4StaticRoutingHelper fixed;
            if (m_routing == "nix")
            {
                stack.SetRoutingHelper(nix);
            }
            else if (m_routing == "static")
            {
                stack.SetRoutingHelper(fixed);
            }
            network.AddIpv4(stack);
            if (m_routing == "global")
            {
                Ipv4GlobalRoutingHelper::PopulateRoutingTables();
            }
            if (m_routing == "static")
            {
                AddStaticRoutes(network);
            }
            for (uint32_t host = 0; host < LeafSpine::HOSTS; ++host)
            {
                addresses.push_back(network.GetIpv4(host));
            }
        }
        uint32_t bytes = 100;
        for (uint32_t from = 0; from < LeafSpine::HOSTS; ++from)
        {
            for (uint32_t to = 0; to < LeafSpine::HOSTS; ++to)
            {
                if (from != to)
                {
                    UdpClientHelper sender(addresses[to], 9);
                    sender.SetAttribute("MaxPackets", UintegerValue(1));
                    sender.SetAttribute("PacketSize", UintegerValue(bytes++));
                    // after the detection of duplicate addresses, which takes 1 s with IPv6
                    sender.Install(network.hosts.Get(from)).Start(MilliSeconds(2000 + bytes));
                }
            }
        }
        DcnScenarioHelper reader;
        Ptr<const DcnScenario> scenario = reader.FromApplications(network.nodes);
        const Observer observer(scenario->GetTopologyPtr());
        Simulator::Stop(Seconds(3));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(), 30, "one flow per sender");
        std::set<uint32_t> used;
        for (std::size_t i = 0; i < 30; ++i)
        {
            const DcnFlow& flow = scenario->GetFlows()[i];
            const std::vector<uint32_t> path = GetPath(scenario, i);
            used.insert(path.begin(), path.end());
            const auto size = static_cast<uint32_t>(flow.sizeBytes) +
                              (m_routing == "static6" ? PPP_IPV6_UDP : PPP_IPV4_UDP);
            NS_TEST_EXPECT_MSG_EQ((path == observer.GetPath(size)),
                                  true,
                                  "flow " << i << ": packets take another path");
        }
        NS_TEST_EXPECT_MSG_GT(used.size(), 12, "only links of hosts were used");
    }

    /// Routes by destination: odd hosts are reached over the second spine.
    static void AddStaticRoutes(const LeafSpine& network)
    {
        Ipv4StaticRoutingHelper helper;
        for (uint32_t to = 0; to < LeafSpine::HOSTS; ++to)
        {
            const Ipv4Address address = network.GetIpv4(to);
            for (uint32_t from = 0; from < LeafSpine::HOSTS; ++from)
            {
                helper.GetStaticRouting(network.hosts.Get(from)->GetObject<Ipv4>())
                    ->AddHostRouteTo(address, 1);
            }
            for (uint32_t leaf = 0; leaf < 3; ++leaf)
            {
                // interfaces of a leaf: loopback, two hosts, two spines
                const uint32_t port = leaf == to / 2 ? 1 + to % 2 : 3 + to % 2;
                helper.GetStaticRouting(network.leaves.Get(leaf)->GetObject<Ipv4>())
                    ->AddHostRouteTo(address, port);
            }
            for (uint32_t spine = 0; spine < 2; ++spine)
            {
                helper.GetStaticRouting(network.spines.Get(spine)->GetObject<Ipv4>())
                    ->AddHostRouteTo(address, 1 + to / 2);
            }
        }
    }

    /// The same with IPv6.
    static void AddStaticIpv6(const LeafSpine& network, std::vector<Address>& addresses)
    {
        InternetStackHelper stack;
        stack.Install(network.nodes);
        Ipv6AddressHelper subnets;
        // not 2001:db8::, which routers drop
        subnets.SetBase("fd00::", Ipv6Prefix(64));
        for (const auto& link : network.links)
        {
            subnets.Assign(link);
            subnets.NewNetwork();
        }
        Ipv6StaticRoutingHelper helper;
        for (uint32_t i = 0; i < network.nodes.GetN(); ++i)
        {
            const auto ip = network.nodes.Get(i)->GetObject<Ipv6>();
            for (uint32_t interface = 1; interface < ip->GetNInterfaces(); ++interface)
            {
                ip->SetForwarding(interface, true);
            }
        }
        for (uint32_t host = 0; host < LeafSpine::HOSTS; ++host)
        {
            const auto ip = network.hosts.Get(host)->GetObject<Ipv6>();
            addresses.push_back(ip->GetAddress(1, 1).GetAddress());
        }
        for (uint32_t to = 0; to < LeafSpine::HOSTS; ++to)
        {
            const Ipv6Address address = Ipv6Address::ConvertFrom(addresses[to]);
            for (uint32_t from = 0; from < LeafSpine::HOSTS; ++from)
            {
                const auto leaf = network.leaves.Get(from / 2)->GetObject<Ipv6>();
                helper.GetStaticRouting(network.hosts.Get(from)->GetObject<Ipv6>())
                    ->AddHostRouteTo(address,
                                     leaf->GetAddress(1 + from % 2, 1).GetAddress(),
                                     1,
                                     Ipv6Address::ConvertFrom(addresses[from]));
            }
            for (uint32_t leaf = 0; leaf < 3; ++leaf)
            {
                helper.GetStaticRouting(network.leaves.Get(leaf)->GetObject<Ipv6>())
                    ->AddHostRouteTo(address, leaf == to / 2 ? 1 + to % 2 : 3 + to % 2);
            }
            for (uint32_t spine = 0; spine < 2; ++spine)
            {
                helper.GetStaticRouting(network.spines.Get(spine)->GetObject<Ipv6>())
                    ->AddHostRouteTo(address, 1 + to / 2);
            }
        }
    }

    std::string m_routing; //!< see the constructor
};

/// Counts how often a source sends, and when.
void
OnTx(std::vector<int64_t>* times, Ptr<const Packet>)
{
    times->push_back(Simulator::Now().GetNanoSeconds());
}

DCN_TEST_CASE(PaceTestCase, "senders with a pace are flows at the instants of their packets")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    // 800 bytes at 10 Mb/s: a packet each 640 us of the on times of 2 ms; 5 ms of pause
    OnOffHelper onOff("ns3::UdpSocketFactory", InetSocketAddress(network.GetIpv4(3), 7));
    onOff.SetConstantRate(DataRate("10Mbps"), 800);
    onOff.SetAttribute("OnTime", StringValue("ns3::ConstantRandomVariable[Constant=0.002]"));
    onOff.SetAttribute("OffTime", StringValue("ns3::ConstantRandomVariable[Constant=0.005]"));
    onOff.SetAttribute("MaxBytes", UintegerValue(7500));
    ApplicationContainer first = onOff.Install(network.hosts.Get(0));
    first.Start(MilliSeconds(1));
    // no largest number of bytes: the stop ends it
    onOff.SetAttribute("MaxBytes", UintegerValue(0));
    ApplicationContainer second = onOff.Install(network.hosts.Get(1));
    second.Start(MilliSeconds(3));
    second.Stop(MilliSeconds(20));
    UdpClientHelper client(network.GetIpv4(5), 9);
    client.SetAttribute("MaxPackets", UintegerValue(6));
    client.SetAttribute("Interval", TimeValue(MicroSeconds(300)));
    client.SetAttribute("PacketSize", UintegerValue(1200));
    ApplicationContainer third = client.Install(network.hosts.Get(2));
    third.Start(MilliSeconds(2));

    DcnScenarioHelper reader;
    Ptr<const DcnScenario> scenario = reader.FromApplications(network.nodes);
    NS_TEST_ASSERT_MSG_EQ(reader.GetSources().size(), 3, "three senders");
    std::vector<std::vector<int64_t>> sent(3);
    for (uint32_t host = 0; host < 3; ++host)
    {
        // the first device is the link's: it is idle whenever a packet comes
        network.hosts.Get(host)->GetDevice(0)->TraceConnectWithoutContext(
            "PhyTxBegin",
            MakeBoundCallback(&OnTx, &sent[host]));
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();

    std::vector<std::vector<int64_t>> read(3);
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario->GetFlows()[i];
        read[reader.GetSourceOf(i)].push_back(flow.startNs);
        const uint64_t bytes = reader.GetSourceOf(i) == 2 ? 1200 : 800;
        NS_TEST_EXPECT_MSG_EQ(flow.sizeBytes, bytes, "a flow is a packet");
    }
    for (std::size_t i = 0; i < 3; ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(read[i].size(), sent[i].size(), "packets of sender " << i);
        for (std::size_t j = 0; j < sent[i].size(); ++j)
        {
            // OnOff rounds what is left of a packet at the end of an on time down to whole bits
            const auto bits = static_cast<int64_t>(i < 2 ? j / 3 : 0);
            NS_TEST_EXPECT_MSG_EQ_TOL(read[i][j],
                                      sent[i][j],
                                      100 * bits + 2,
                                      "packet " << j << " of " << i);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(reader.GetSources()[0].sizeBytes, 8000, "whole packets are sent");
}

DCN_TEST_CASE(GroupTestCase, "packets in a row are one flow where there would be too many")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    UdpClientHelper client(network.GetIpv4(5), 9);
    client.SetAttribute("MaxPackets", UintegerValue(10));
    client.SetAttribute("Interval", TimeValue(MicroSeconds(100)));
    client.SetAttribute("PacketSize", UintegerValue(1000));
    client.Install(network.hosts.Get(2)).Start(Seconds(0));
    DcnScenarioHelper reader;
    reader.SetMaxMessages(4);
    Ptr<const DcnScenario> scenario = reader.FromApplications(network.nodes);
    // groups of ceil(10 / 4) packets
    const std::vector<DcnFlow>& flows = scenario->GetFlows();
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 4, "groups");
    const uint64_t bytes[] = {3000, 3000, 3000, 1000};
    for (std::size_t i = 0; i < 4; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(flows[i].sizeBytes, bytes[i], "bytes of group " << i);
        NS_TEST_EXPECT_MSG_EQ(flows[i].startNs, static_cast<int64_t>(300'000 * i), "its start");
    }
    // from the start of the sender to the last byte of its last flow
    DcnEstimate estimate;
    estimate.fctNs = {10, 20, 30, 40};
    NS_TEST_EXPECT_MSG_EQ(reader.GetSourceFctNs(estimate)[0], 900'040, "of the sender");
    estimate.fctNs[1] = DcnEstimate::UNFINISHED;
    NS_TEST_EXPECT_MSG_EQ(reader.GetSourceFctNs(estimate)[0],
                          DcnEstimate::UNFINISHED,
                          "a flow of it is unfinished");
}

DCN_TEST_CASE(SourcesTestCase, "each application that sends is listed, with a reason if not read")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const InetSocketAddress to(network.GetIpv4(4), 80);
    PacketSinkHelper("ns3::TcpSocketFactory", to).Install(network.hosts.Get(4));
    UdpEchoServerHelper(7).Install(network.hosts.Get(4));
    network.Send(0, to, 0, Seconds(1));
    network.Send(0, to, 70'000, Seconds(2));
    OnOffHelper onOff("ns3::TcpSocketFactory", to);
    onOff.SetAttribute("OnTime", StringValue("ns3::ExponentialRandomVariable[Mean=1]"));
    onOff.SetAttribute("MaxBytes", UintegerValue(1000));
    onOff.Install(network.hosts.Get(1));
    DcnScenarioHelper reader;
    Ptr<const DcnScenario> scenario = reader.FromApplications(network.nodes);
    const auto& sources = reader.GetSources();
    NS_TEST_ASSERT_MSG_EQ(sources.size(), 3, "receivers are no sources");
    NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(), 1, "one was read");
    NS_TEST_EXPECT_MSG_EQ(sources[0].reason, "it sends without end (MaxBytes is 0)", "endless");
    NS_TEST_EXPECT_MSG_EQ(sources[1].reason, "", "it was read");
    NS_TEST_EXPECT_MSG_EQ(sources[2].reason, "its on and off times are random", "random");
    NS_TEST_EXPECT_MSG_EQ(sources[1].ip.destinationPort, 80, "port");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows()[0].dst, 4, "destination");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows()[0].startNs, 2'000'000'000, "start");
    NS_TEST_ASSERT_MSG_EQ(reader.GetNotes().size(), 2, "a note for each that was not read");
    NS_TEST_EXPECT_MSG_EQ(reader.GetNotes()[0],
                          "application 0 of node 0 (ns3::BulkSendApplication) was not read: it "
                          "sends without end (MaxBytes is 0)",
                          "sentence");
}

/// Senders over TCP to which nobody listens are named; where that is not known, nothing is said.
DCN_TEST_CASE(DeafTestCase, "a sender to which no application listens is said")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    auto read = [&network]() {
        DcnScenarioHelper reader;
        reader.FromApplications(network.nodes);
        std::string found;
        for (const std::string& note : reader.GetNotes())
        {
            found += note.rfind("no application listens", 0) == 0 ? note : "";
        }
        return found;
    };
    const InetSocketAddress to(network.GetIpv4(4), 80);
    network.Send(0, to, 70'000, Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(read(), "", "a node without applications may have a socket");
    PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 80))
        .Install(network.hosts.Get(4));
    NS_TEST_EXPECT_MSG_EQ(read(), "", "the sink listens");
    network.Send(1, InetSocketAddress(network.GetIpv4(4), 81), 1000, Seconds(3));
    network.Send(2, InetSocketAddress(network.GetIpv4(4), 81), 1000, Seconds(3));
    const std::string node =
        std::to_string(network.hosts.Get(4)->GetId()) + ": unless a socket of the script does, ";
    NS_TEST_EXPECT_MSG_EQ(read(),
                          "no application listens to 2 senders over TCP, such as application 0 of "
                          "node " +
                              std::to_string(network.hosts.Get(1)->GetId()) +
                              " (ns3::BulkSendApplication), at port 81 of node " + node +
                              "they send nothing in ns-3",
                          "nobody");
    PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 81))
        .Install(network.hosts.Get(4));
    NS_TEST_EXPECT_MSG_EQ(read(), "", "a second sink");
    // to a host that only sends: its own applications do not listen
    network.Send(3, InetSocketAddress(network.GetIpv4(0), 9), 1000, Seconds(3));
    NS_TEST_EXPECT_MSG_NE(read().find("such as application 0 of node " +
                                      std::to_string(network.hosts.Get(3)->GetId())),
                          std::string::npos,
                          "senders do not listen");
}

DCN_TEST_CASE(RandomRoutingTestCase, "a path drawn for each packet is said, and not drawn from")
{
    Config::SetDefault("ns3::Ipv4GlobalRouting::RandomEcmpRouting", BooleanValue(true));
    {
        LeafSpine network;
        network.AddIpv4();
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        for (uint32_t i = 0; i < 20; ++i)
        {
            network.Send(0, InetSocketAddress(network.GetIpv4(4), 80), 5000, Seconds(1));
        }
        DcnScenarioHelper reader;
        Ptr<const DcnScenario> scenario = reader.FromApplications(network.nodes);
        std::set<uint32_t> spines;
        for (std::size_t i = 0; i < 20; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(scenario->GetPath(i).size(), 4, "shortest paths");
            spines.insert(scenario->GetTopology().GetLink(scenario->GetPath(i)[1]).to);
        }
        NS_TEST_EXPECT_MSG_EQ(spines.size(), 2, "flows use both spines");
        NS_TEST_ASSERT_MSG_EQ(reader.GetNotes().size(), 1, "a note");
        NS_TEST_EXPECT_MSG_EQ(reader.GetNotes()[0].substr(0, 44),
                              "routing draws a path for each packet of 20 s",
                              "sentence");
    }
    {
        // an arrival was sent as long before as its shortest paths take, which are equally long
        LeafSpine network;
        network.AddIpv4();
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        UdpServerHelper(9).Install(network.hosts.Get(4));
        UdpClientHelper client(network.GetIpv4(4), 9);
        client.SetAttribute("MaxPackets", UintegerValue(8));
        client.SetAttribute("PacketSize", UintegerValue(900));
        client.SetAttribute("Interval", TimeValue(MicroSeconds(100)));
        client.Install(network.hosts.Get(0)).Start(MilliSeconds(1));
        DcnScenarioHelper reader;
        reader.WatchSinks(network.nodes);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        Ptr<const DcnScenario> scenario = reader.FromSinks(network.nodes);
        NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(), 8, "datagrams");
        for (std::size_t i = 0; i < 8; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(scenario->GetFlows()[i].startNs,
                                      static_cast<int64_t>(1'000'000 + i * 100'000),
                                      1,
                                      "when datagram " << i << " was sent");
        }
    }
    Config::SetDefault("ns3::Ipv4GlobalRouting::RandomEcmpRouting", BooleanValue(false));
}

/// @return the part if it is in the sentence by which an action is refused, else the sentence
std::string
Refuse(const std::function<void()>& action, const std::string& part)
{
    const std::string sentence = DcnSentenceOf(action);
    return sentence.find(part) == std::string::npos ? sentence : part;
}

DCN_TEST_CASE(BadApplicationsTestCase, "bad applications are refused by a sentence")
{
    const auto read = [](const LeafSpine& network) {
        DcnScenarioHelper().FromApplications(network.nodes);
    };
    {
        LeafSpine network;
        network.AddIpv4();
        NS_TEST_EXPECT_MSG_EQ(
            Refuse([&] { read(network); }, "none of the 11 nodes has an application"),
            "none of the 11 nodes has an application",
            "sentence");
        network.Send(0, InetSocketAddress(network.GetIpv4(4), 80), 5000, Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(Refuse([&] { read(network); },
                                     "node 0 sends to 10.0.4.1, but node 0 has no route to it"),
                              "node 0 sends to 10.0.4.1, but node 0 has no route to it",
                              "sentence");
    }
    {
        LeafSpine network;
        network.AddIpv4();
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        network.Send(0, InetSocketAddress("10.99.0.1", 80), 5000, Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(Refuse([&] { read(network); },
                                     "node 0 sends to 10.99.0.1, but no node has this address"),
                              "node 0 sends to 10.99.0.1, but no node has this address",
                              "sentence");
    }
    {
        LeafSpine network;
        network.AddIpv4();
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        Ptr<Application> sender =
            network.Send(0, InetSocketAddress(network.GetIpv4(4), 80), 1'000'000, Seconds(1));
        sender->SetStopTime(MilliSeconds(1005)); // 8 ms are needed
        const std::string part = "application 0 of node 0 (ns3::BulkSendApplication) was not read: "
                                 "it is stopped at 1005000000 ns";
        NS_TEST_EXPECT_MSG_EQ(Refuse([&] { read(network); }, part), part, "sentence");
        sender->SetStopTime(Seconds(2));
        read(network);
        Simulator::Stop(Seconds(1.5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(
            Refuse([&] { read(network); },
                   "starts at 1000000000 ns, before the present time of 1500000000 ns"),
            "starts at 1000000000 ns, before the present time of 1500000000 ns",
            "sentence");
    }
    {
        LeafSpine network;
        network.AddIpv4();
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        network.Send(0, InetSocketAddress(network.GetIpv4(4), 80), 0, Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(
            Refuse([&] { read(network); }, "no application can be read: application 0 of node 0"),
            "no application can be read: application 0 of node 0",
            "sentence");
        network.Send(1, InetSocketAddress(network.GetIpv4(1), 80), 10, Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(Refuse([&] { read(network); }, "(and 1 further sentences: GetNotes)"),
                              "(and 1 further sentences: GetNotes)",
                              "sentence");
    }
}

/// A routing protocol that the helper does not know: it could do more than read its table.
class OwnRouting : public Ipv4StaticRouting
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("DcnTestOwnRouting").SetParent<Ipv4StaticRouting>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }
};

DCN_TEST_CASE(BadRoutesTestCase, "bad routes are refused by a sentence")
{
    const auto read = [](const NodeContainer& nodes) {
        DcnScenarioHelper().FromApplications(nodes);
    };
    {
        LeafSpine network;
        network.AddIpv4();
        network.Send(0, InetSocketAddress(network.GetIpv4(4), 80), 5000, Seconds(1));
        network.hosts.Get(0)->GetObject<Ipv4>()->SetRoutingProtocol(CreateObject<OwnRouting>());
        const std::string part = "node 0 routes by DcnTestOwnRouting, whose lookups do more than "
                                 "read a table, so that no path can be read: use ";
        NS_TEST_EXPECT_MSG_EQ(Refuse([&] { read(network.nodes); }, part), part, "protocol");
    }
    {
        LeafSpine network;
        InternetStackHelper stack;
        Ipv4StaticRoutingHelper fixed;
        stack.SetRoutingHelper(fixed);
        network.AddIpv4(stack);
        const Ipv4Address to = network.GetIpv4(4);
        auto route = [&](Ptr<Node> node, uint32_t interface) {
            fixed.GetStaticRouting(node->GetObject<Ipv4>())->AddHostRouteTo(to, interface);
        };
        route(network.hosts.Get(0), 1);
        route(network.leaves.Get(0), 3); // to spine 0
        route(network.spines.Get(0), 1); // and back
        network.Send(0, InetSocketAddress(to, 80), 5000, Seconds(1));
        const std::string part =
            "node 0 sends to 10.0.4.1, but its route is a loop that passes node";
        NS_TEST_EXPECT_MSG_EQ(Refuse([&] { read(network.nodes); }, part), part, "loop");
    }
}

DCN_TEST_CASE(DocumentationTestCase, "addresses that ns-3's routers drop are refused")
{
    NodeContainer nodes(3);
    PointToPointHelper link;
    InternetStackHelper().Install(nodes);
    Ipv6AddressHelper subnets(Ipv6Address("2001:db8::"), Ipv6Prefix(64));
    for (uint32_t host : {0, 1})
    {
        subnets.Assign(link.Install(nodes.Get(host), nodes.Get(2)));
        subnets.NewNetwork();
    }
    const auto router = nodes.Get(2)->GetObject<Ipv6>();
    Ipv6StaticRoutingHelper helper;
    for (uint32_t interface : {1, 2})
    {
        router->SetForwarding(interface, true);
        helper.GetStaticRouting(nodes.Get(interface - 1)->GetObject<Ipv6>())
            ->SetDefaultRoute(router->GetAddress(interface, 1).GetAddress(), 1);
    }
    const Ipv6Address to = nodes.Get(1)->GetObject<Ipv6>()->GetAddress(1, 1).GetAddress();
    UdpClientHelper(to, 9).Install(nodes.Get(0)).Start(Seconds(2));
    const std::string part = "node 2 does not forward to 2001:db8::/32";
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { DcnScenarioHelper().FromApplications(nodes); }, part),
                          part,
                          "sentence");
    Simulator::Destroy();
}

DCN_TEST_CASE(FlowMonitorTestCase, "flows of a FlowMonitor have the payload of their applications")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const uint64_t bytes[] = {1, 536, 70'000, 1'000'000};
    for (uint32_t i = 0; i < 4; ++i)
    {
        const uint32_t to = (i + 3) % LeafSpine::HOSTS;
        const InetSocketAddress address(network.GetIpv4(to), 80);
        PacketSinkHelper("ns3::TcpSocketFactory", address).Install(network.hosts.Get(to));
        network.Send(i, address, bytes[i], MilliSeconds(10 + i));
    }
    FlowMonitorHelper monitor;
    Ptr<FlowMonitor> seen = monitor.InstallAll();
    DcnScenarioHelper before;
    Ptr<const DcnScenario> expected = before.FromApplications(network.nodes);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    DcnScenarioHelper reader;
    Ptr<const DcnScenario> scenario =
        reader.FromFlowMonitor(network.nodes, seen, monitor.GetClassifier());
    NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(), 4, "acknowledgements are no flows");
    for (std::size_t i = 0; i < 4; ++i)
    {
        const DcnFlow& flow = scenario->GetFlows()[i];
        NS_TEST_EXPECT_MSG_EQ(flow.sizeBytes, bytes[i], "payload of flow " << i);
        NS_TEST_EXPECT_MSG_EQ(flow.startNs, expected->GetFlows()[i].startNs, "its start");
        const bool isEqual = GetPath(scenario, i) == GetPath(expected, i);
        NS_TEST_EXPECT_MSG_EQ(isEqual, true, "its path");
    }
}

DCN_TEST_CASE(DuplicateTestCase, "segments that arrive twice are counted once")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const InetSocketAddress address(network.GetIpv4(1), 80);
    PacketSinkHelper("ns3::TcpSocketFactory", address).Install(network.hosts.Get(1));
    // applications with one destination are told apart by their starts
    network.Send(0, address, 30'000, MilliSeconds(70));
    network.Send(0, address, 20'000, MilliSeconds(80));
    // no acknowledgement arrives, not even a delayed one: what has arrived is sent again
    auto loss = CreateObject<RateErrorModel>();
    loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    loss->SetRate(1);
    loss->Disable();
    network.links[0].Get(0)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    Simulator::Schedule(MicroSeconds(80'040), &ErrorModel::Enable, PeekPointer(loss));
    Simulator::Schedule(MilliSeconds(500), &ErrorModel::Disable, PeekPointer(loss));
    FlowMonitorHelper monitor;
    Ptr<FlowMonitor> seen = monitor.InstallAll();
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    uint64_t most = 0;
    for (const auto& [id, stats] : seen->GetFlowStats())
    {
        const bool isSecond = stats.timeFirstTxPacket == MilliSeconds(80);
        most = isSecond ? std::max(most, stats.rxBytes - 52 * stats.rxPackets) : most;
    }
    NS_TEST_EXPECT_MSG_GT(most, 20'400, "the monitor has counted segments twice");
    DcnScenarioHelper reader;
    Ptr<const DcnScenario> scenario =
        reader.FromFlowMonitor(network.nodes, seen, monitor.GetClassifier());
    NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(), 2, "flows");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows()[0].sizeBytes, 30'000, "first one");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows()[1].sizeBytes, 20'000, "second one");
}

DCN_TEST_CASE(SinksTestCase, "FromSinks reads what sinks received, of senders without an end, too")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    // 0: a transfer with an end; 1: one without, which is stopped
    const InetSocketAddress bulk(network.GetIpv4(4), 80);
    PacketSinkHelper("ns3::TcpSocketFactory", bulk).Install(network.hosts.Get(4));
    network.Send(0, bulk, 70'000, MilliSeconds(1));
    network.Send(1, bulk, 0, MilliSeconds(2))->SetStopTime(MilliSeconds(6));
    // 2: datagrams at random times, to a sink that listens on all addresses of its node
    OnOffHelper onOff("ns3::UdpSocketFactory", InetSocketAddress(network.GetIpv4(5), 7));
    onOff.SetConstantRate(DataRate("80Mbps"), 1000);
    onOff.SetAttribute("OffTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.0005]"));
    onOff.SetAttribute("OnTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.0005]"));
    onOff.SetAttribute("MaxBytes", UintegerValue(20'000));
    onOff.Install(network.hosts.Get(2)).Start(MilliSeconds(300)); // when queues are empty
    PacketSinkHelper("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 7))
        .Install(network.hosts.Get(5));
    // 3: requests and replies
    UdpEchoServerHelper(9).Install(network.hosts.Get(4));
    UdpEchoClientHelper echo(network.GetIpv4(4), 9);
    echo.SetAttribute("MaxPackets", UintegerValue(2));
    echo.SetAttribute("Interval", TimeValue(MilliSeconds(20)));
    echo.SetAttribute("PacketSize", UintegerValue(300));
    echo.Install(network.hosts.Get(3)).Start(MilliSeconds(100));

    DcnScenarioHelper before;
    before.FromApplications(network.nodes);
    const auto notes = before.GetNotes();
    NS_TEST_EXPECT_MSG_EQ(
        notes.empty() ? "" : notes.front(),
        "replies to application 0 of node 3 (ns3::UdpEchoClient) (ns3::UdpEchoServer) are not "
        "read, since they start when a request arrives: FromSinks and FromFlowMonitor read them "
        "after a run",
        "replies");

    DcnScenarioHelper reader;
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { reader.FromSinks(network.nodes); }, "since WatchSinks"),
                          "since WatchSinks",
                          "sentence");
    NS_TEST_EXPECT_MSG_EQ(
        Refuse([&] { reader.WatchSinks(network.spines); }, "with the trace RxWithAddresses"),
        "with the trace RxWithAddresses",
        "sentence");
    reader.WatchSinks(network.nodes);
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { reader.FromSinks(network.nodes); }, "no sink has received"),
                          "no sink has received",
                          "sentence");
    std::vector<int64_t> sent;
    network.hosts.Get(2)->GetDevice(0)->TraceConnectWithoutContext("PhyTxBegin",
                                                                   MakeBoundCallback(&OnTx, &sent));
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    Ptr<const DcnScenario> scenario = reader.FromSinks(network.nodes);
    std::map<uint32_t, std::pair<uint64_t, uint32_t>> read; // bytes and flows, by sender
    std::vector<int64_t> datagrams;
    for (const DcnFlow& flow : scenario->GetFlows())
    {
        read[flow.src].first += flow.sizeBytes;
        read[flow.src].second += 1;
        if (flow.src == 2)
        {
            datagrams.push_back(flow.startNs);
        }
        if (flow.src < 2)
        {
            NS_TEST_EXPECT_MSG_EQ(flow.startNs, 1'000'000 * (flow.src + 1), "StartTime");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(read[0].first, 70'000, "all bytes");
    NS_TEST_EXPECT_MSG_GT(read[1].first, 100'000, "4 ms at 1 Gb/s, by a window of 128 KB");
    NS_TEST_EXPECT_MSG_EQ(read[1].second, 1, "in one flow");
    NS_TEST_EXPECT_MSG_EQ(read[2].first, 20'000, "datagrams");
    NS_TEST_ASSERT_MSG_EQ(datagrams.size(), sent.size(), "a flow for each");
    for (std::size_t i = 0; i < sent.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(datagrams[i], sent[i], 1, "when datagram " << i << " was sent");
    }
    NS_TEST_EXPECT_MSG_EQ(read[3].first, 600, "requests");
    NS_TEST_EXPECT_MSG_EQ(read[4].first, 600, "replies");
}

DCN_TEST_CASE(OrderTestCase, "senders to one sink have their own starts, however installed")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const InetSocketAddress to(network.GetIpv4(4), 80);
    PacketSinkHelper("ns3::TcpSocketFactory", to).Install(network.hosts.Get(4));
    network.Send(0, to, 30'000, MilliSeconds(200));
    network.Send(0, to, 20'000, MilliSeconds(100));
    FlowMonitorHelper monitor;
    Ptr<FlowMonitor> seen = monitor.InstallAll();
    DcnScenarioHelper reader;
    reader.WatchSinks(network.nodes);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    for (bool isMonitor : {false, true})
    {
        Ptr<const DcnScenario> scenario =
            isMonitor ? reader.FromFlowMonitor(network.nodes, seen, monitor.GetClassifier())
                      : reader.FromSinks(network.nodes);
        const std::vector<DcnFlow>& flows = scenario->GetFlows();
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 2, "flows");
        NS_TEST_EXPECT_MSG_EQ(flows[0].startNs, 100'000'000, "start of the first");
        NS_TEST_EXPECT_MSG_EQ(flows[0].sizeBytes, 20'000, "its bytes");
        NS_TEST_EXPECT_MSG_EQ(flows[1].startNs, 200'000'000, "start of the second");
        NS_TEST_EXPECT_MSG_EQ(flows[1].sizeBytes, 30'000, "its bytes");
    }
}

DCN_TEST_CASE(DatagramTestCase, "datagrams that a FlowMonitor has seen have their size")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    UdpServerHelper(9).Install(network.hosts.Get(4));
    UdpClientHelper client(network.GetIpv4(4), 9);
    client.SetAttribute("MaxPackets", UintegerValue(10'000));
    client.SetAttribute("PacketSize", UintegerValue(100));
    client.SetAttribute("Interval", TimeValue(MicroSeconds(2)));
    client.Install(network.hosts.Get(0)).Start(MilliSeconds(1));
    FlowMonitorHelper monitor;
    Ptr<FlowMonitor> seen = monitor.InstallAll();
    DcnScenarioHelper reader;
    Ptr<const DcnScenario> expected = reader.FromApplications(network.nodes);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    Ptr<const DcnScenario> scenario =
        reader.FromFlowMonitor(network.nodes, seen, monitor.GetClassifier());
    NS_TEST_ASSERT_MSG_EQ(reader.GetSources().size(), 1, "a sender");
    NS_TEST_EXPECT_MSG_EQ(reader.GetSources()[0].sizeBytes, 1'000'000, "payload");
    NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(), 1000, "SetMaxMessages");
    for (std::size_t i = 0; i < 1000; ++i)
    {
        const DcnFlow& flow = scenario->GetFlows()[i];
        NS_TEST_EXPECT_MSG_EQ(flow.sizeBytes, 1000, "ten datagrams");
        NS_TEST_EXPECT_MSG_EQ(flow.startNs, expected->GetFlows()[i].startNs, "when they are sent");
    }
    NS_TEST_EXPECT_MSG_EQ(scenario->GetNetwork().payloadBytes, 100, "of a datagram");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetNetwork().headerBytes, PPP_IPV4_UDP, "headers");
    NS_TEST_EXPECT_MSG_EQ(expected->GetNetwork().payloadBytes, 100, "as the application says");
    // what was read before is forgotten, also when nothing can be read
    const std::string none = "the FlowMonitor has seen no flow with payload";
    FlowMonitorHelper another;
    NS_TEST_EXPECT_MSG_EQ(Refuse(
                              [&] {
                                  reader.FromFlowMonitor(network.nodes,
                                                         another.Install(network.spines),
                                                         another.GetClassifier());
                              },
                              none),
                          none,
                          "sentence");
    NS_TEST_EXPECT_MSG_EQ((reader.GetScenario() == nullptr), true, "no scenario");
    DcnEstimate estimate;
    estimate.fctNs = {1};
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { reader.GetSourceFctNs(estimate); }, "has 0"),
                          "has 0",
                          "no flow of the scenario before");
}

DCN_TEST_CASE(MessagesTestCase,
              "a paced sender over TCP: flows have handshakes, and a note says so")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    OnOffHelper onOff("ns3::TcpSocketFactory", InetSocketAddress(network.GetIpv4(3), 7));
    onOff.SetConstantRate(DataRate("10Mbps"), 800);
    onOff.SetAttribute("MaxBytes", UintegerValue(4000));
    onOff.Install(network.hosts.Get(0)).Start(MilliSeconds(1));
    DcnScenarioHelper reader;
    Ptr<const DcnScenario> scenario = reader.FromApplications(network.nodes);
    NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(), 5, "messages");
    NS_TEST_EXPECT_MSG_EQ(scenario->GetNetwork().handshakeRtts, 1, "of each");
    const std::vector<std::string> notes = reader.GetNotes();
    NS_TEST_EXPECT_MSG_EQ(notes.empty() ? "" : notes.back(),
                          "each message of 1 senders over TCP with a pace is a flow with a "
                          "handshake and a first window of its own, but the sender has one "
                          "connection",
                          "sentence");
}

DCN_TEST_CASE(CsmaTestCase, "a CSMA channel with two ends is a link, with more it is refused")
{
    NodeContainer nodes(4);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    csma.SetChannelAttribute("Delay", StringValue("3us"));
    csma.Install(NodeContainer(nodes.Get(0), nodes.Get(1)));
    csma.Install(NodeContainer(nodes.Get(1), nodes.Get(2)));
    Ptr<DcnTopology> topology =
        DcnTopology::FromNodes(NodeContainer(nodes.Get(0), nodes.Get(1), nodes.Get(2)));
    NS_TEST_ASSERT_MSG_EQ(topology->GetNLinks(), 4, "two links");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(0).rateBps, 1'000'000'000, "rate of the channel");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(0).delayNs, 3000, "delay of the channel");
    NS_TEST_EXPECT_MSG_EQ(topology->GetHosts().size(), 2, "ends of the chain");
    csma.Install(NodeContainer(nodes.Get(1), nodes.Get(2), nodes.Get(3)));
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { DcnTopology::FromNodes(nodes); },
                                 "is on a channel with 3 ends, but a link has two"),
                          "is on a channel with 3 ends, but a link has two",
                          "sentence");
    Simulator::Destroy();
}

DCN_TEST_CASE(OddApplicationsTestCase, "an odd application does not refuse the others")
{
    struct Odd
    {
        const char* name; // of the case
        Address to;       // where its bytes go
        uint32_t host;    // that sends
        Time stop;        // of the application; 0: none
        const char* part; // of the reason
    };

    const Ipv4Address third("10.0.3.1"); // host 3
    const std::vector<Odd> odds{
        {"multicast", Ipv4Address("225.1.2.4"), 1, Time(0), "a group (multicast)"},
        {"all nodes", Ipv4Address("255.255.255.255"), 1, Time(0), "all nodes of a link"},
        {"subnet", Ipv4Address("10.0.2.255"), 1, Time(0), "all nodes of a link (broadcast)"},
        {"own", Ipv4Address("10.0.1.1"), 1, Time(0), "an address of its own"},
        {"loopback", Ipv4Address("127.0.0.1"), 1, Time(0), "its own loopback"},
        {"nowhere", Ipv4Address("10.99.0.1"), 1, Time(0), "but no node has this address"},
        {"twice", Ipv4Address("10.77.0.1"), 1, Time(0), "but several nodes have this address"},
        {"router", Ipv4Address("10.0.2.2"), 1, Time(0), "end at node 7, which has 4 links"},
        {"group6", Ipv6Address("ff02::1"), 1, Time(0), "it sends over IPv6, most others over"},
        {"host6", Ipv6Address("fd00::1"), 1, Time(0), "it sends over IPv6, most others over"},
        {"stopped", third, 1, MicroSeconds(1000001), "it is stopped at"},
        {"no stack", Ipv4Address("10.0.4.1"), 1, Time(0), "node 9 has no route to it"},
        {"down", Ipv4Address("10.0.5.1"), 1, Time(0), "of node 5 is down"},
        {"back", third, 2, Time(0), "node 3 sends to 10.0.2.1, but interface 1 of node 2 is down"},
    };
    for (const Odd& odd : odds)
    {
        LeafSpine network;
        network.AddIpv4();
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        const std::string name = odd.name;
        if (name == "twice")
        {
            for (uint32_t host : {4, 5})
            {
                network.hosts.Get(host)->GetObject<Ipv4>()->AddAddress(
                    1,
                    Ipv4InterfaceAddress("10.77.0.1", "255.255.255.255"));
            }
        }
        else if (name == "no stack")
        {
            for (uint32_t spine : {0, 1})
            {
                network.spines.Get(spine)->GetObject<Ipv4>()->SetRoutingProtocol(
                    CreateObject<Ipv4StaticRouting>());
            }
        }
        else if (name == "down")
        {
            network.hosts.Get(5)->GetObject<Ipv4>()->SetDown(1);
        }
        else if (name == "back")
        {
            // sending does not ask whether the interface is up before the bytes are handed over
            network.hosts.Get(2)->GetObject<Ipv4>()->SetDown(1);
        }
        const InetSocketAddress good(network.GetIpv4(1), 80);
        network.Send(0, good, 5000, Seconds(1));
        const bool isV4 = Ipv4Address::IsMatchingType(odd.to);
        const Address to = isV4 ? Address(InetSocketAddress(Ipv4Address::ConvertFrom(odd.to), 9))
                                : Address(Inet6SocketAddress(Ipv6Address::ConvertFrom(odd.to), 9));
        const Ptr<Application> application = network.Send(odd.host, to, 100'000, Seconds(1));
        application->SetStopTime(odd.stop);
        DcnScenarioHelper reader;
        Ptr<const DcnScenario> scenario = reader.FromApplications(network.nodes);
        NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows().size(), 1, name << ": the other one is read");
        NS_TEST_ASSERT_MSG_EQ(reader.GetSources().size(), 2, name);
        const std::string& reason = reader.GetSources()[1].reason;
        const std::string part = name == "back" ? "is down" : odd.part;
        NS_TEST_EXPECT_MSG_NE(reason.find(part), std::string::npos, name << ": " << reason);
        const std::vector<std::string> notes = reader.GetNotes();
        NS_TEST_EXPECT_MSG_EQ(
            std::any_of(notes.begin(),
                        notes.end(),
                        [&](const auto& note) { return note.find(reason) != std::string::npos; }),
            true,
            name << ": a note");
        DcnEstimate estimate;
        estimate.fctNs = {7};
        NS_TEST_EXPECT_MSG_EQ(reader.GetSourceFctNs(estimate)[0], 7, name);
        NS_TEST_EXPECT_MSG_EQ(reader.GetSourceFctNs(estimate)[1], DcnEstimate::UNFINISHED, name);
    }
}

DCN_TEST_CASE(VersionTestCase, "of IPv4 and IPv6, the one that most senders use is read")
{
    for (bool isMostV4 : {false, true})
    {
        NodeContainer nodes(3); // 2 is the router
        PointToPointHelper link;
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
        Ipv6AddressHelper subnets6(Ipv6Address("fd00::"), Ipv6Prefix(64));
        Ipv6StaticRoutingHelper fixed;
        const auto router = nodes.Get(2)->GetObject<Ipv6>();
        for (uint32_t host : {0, 1})
        {
            const NetDeviceContainer ends = link.Install(nodes.Get(host), nodes.Get(2));
            subnets.Assign(ends);
            subnets6.Assign(ends);
            subnets.NewNetwork();
            subnets6.NewNetwork();
            router->SetForwarding(host + 1, true);
            fixed.GetStaticRouting(nodes.Get(host)->GetObject<Ipv6>())
                ->SetDefaultRoute(router->GetAddress(host + 1, 1).GetAddress(), 1);
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        const auto send = [&nodes](const Address& to) {
            UdpClientHelper client(to, 9);
            client.SetAttribute("MaxPackets", UintegerValue(3));
            client.Install(nodes.Get(0)).Start(Seconds(1));
        };
        const Address v4 = nodes.Get(1)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
        const Address v6 = nodes.Get(1)->GetObject<Ipv6>()->GetAddress(1, 1).GetAddress();
        send(v4);
        send(v6);
        send(isMostV4 ? v4 : v6);
        DcnScenarioHelper reader;
        Ptr<const DcnScenario> scenario = reader.FromApplications(nodes);
        NS_TEST_EXPECT_MSG_EQ(scenario->GetFlows().size(), 6, "of two senders");
        NS_TEST_EXPECT_MSG_EQ(scenario->GetNetwork().headerBytes,
                              (isMostV4 ? PPP_IPV4_UDP : PPP_IPV6_UDP),
                              "headers of their version");
        NS_TEST_EXPECT_MSG_EQ(reader.GetSources()[isMostV4 ? 1 : 0].reason.empty(), false, "why");
        Simulator::Destroy();
    }
}

DCN_TEST_CASE(SeveralLinksTestCase, "a node of several links that ends flows is given as a host")
{
    NodeContainer nodes(3); // a chain; 1 serves
    PointToPointHelper link;
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
    for (uint32_t i : {0, 1})
    {
        subnets.Assign(link.Install(nodes.Get(i), nodes.Get(i + 1)));
        subnets.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const auto ip = nodes.Get(1)->GetObject<Ipv4>();
    UdpClientHelper client(ip->GetAddress(1, 0).GetLocal(), 9);
    client.SetAttribute("MaxPackets", UintegerValue(1));
    client.Install(nodes.Get(0));
    DcnEstimatorHelper flowsim("flowsim");
    const std::string part = "its flows end at node 1, which has 2 links and so counts as a "
                             "switch: say which nodes are hosts (FromApplications(hosts, "
                             "switches), or Estimate(hosts, switches) of a method's helper)";
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { flowsim.Estimate(nodes); }, part), part, "sentence");
    const DcnEstimate answer = flowsim.Estimate(nodes, NodeContainer());
    NS_TEST_ASSERT_MSG_EQ(answer.fctNs.size(), 1, "a flow");
    NS_TEST_EXPECT_MSG_EQ(flowsim.GetReader().GetScenario()->GetPath(0).size(), 1, "of one link");
    NS_TEST_EXPECT_MSG_GT(answer.fctNs[0], 0, "its time");
    Simulator::Destroy();
}

DCN_TEST_CASE(DistributionTestCase, "a method without a time for each flow is refused")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    network.Send(0, InetSocketAddress(network.GetIpv4(4), 80), 5000, Seconds(1));
    network.Send(1, InetSocketAddress(network.GetIpv4(4), 81), 5000, Seconds(1));
    DcnScenarioHelper reader;
    reader.FromApplications(network.nodes);
    DcnEstimate estimate;
    estimate.method = "m3";
    estimate.fctNs = {DcnEstimate::UNFINISHED, DcnEstimate::UNFINISHED};
    estimate.samples = {{1.5, 5000, 1, 0, 4}};
    DCN_TEST_EXPECT_ERROR(reader.GetSourceFctNs(estimate),
                          "the method m3 gives slowdowns of all flows together, not the completion "
                          "time of each flow: read DcnEstimate::samples, or ask another method for "
                          "times, such as flowsim");
    estimate.fctNs[0] = 12;
    DCN_TEST_EXPECT_ERROR(
        reader.GetSourceFctNs(estimate),
        "the method m3 gives times for some of the flows only, not the completion "
        "time of each flow: read DcnEstimate::samples, or ask another method for "
        "times, such as flowsim");
    // an unfinished flow with its reason is an answer
    estimate.unfinished["lost packets"] = 1;
    NS_TEST_EXPECT_MSG_EQ(reader.GetSourceFctNs(estimate)[0], 12, "time");
    NS_TEST_EXPECT_MSG_EQ(reader.GetSourceFctNs(estimate)[1],
                          DcnEstimate::UNFINISHED,
                          "unfinished");
}

DCN_TEST_CASE(MonitorPaceTestCase,
              "senders with a pace that a FlowMonitor has seen keep their pace")
{
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    // 0: a datagram of 1,000 bytes each ms; 1: 500 kB over TCP at 10 Mb/s, of which a part is left
    // over; 2: datagrams at random times; 3: few datagrams, far apart
    UdpServerHelper(9).Install(network.hosts.Get(4));
    UdpClientHelper client(network.GetIpv4(4), 9);
    client.SetAttribute("MaxPackets", UintegerValue(1000));
    client.SetAttribute("PacketSize", UintegerValue(1000));
    client.SetAttribute("Interval", TimeValue(MilliSeconds(1)));
    client.Install(network.hosts.Get(0)).Start(MilliSeconds(10));
    const InetSocketAddress paced(network.GetIpv4(5), 80);
    PacketSinkHelper("ns3::TcpSocketFactory", paced).Install(network.hosts.Get(5));
    OnOffHelper onOff("ns3::TcpSocketFactory", paced);
    onOff.SetConstantRate(DataRate("10Mbps"), 800);
    onOff.SetAttribute("MaxBytes", UintegerValue(499'900));
    onOff.Install(network.hosts.Get(1)).Start(MilliSeconds(20));
    UdpServerHelper(10).Install(network.hosts.Get(5));
    OnOffHelper random("ns3::UdpSocketFactory", InetSocketAddress(network.GetIpv4(5), 10));
    random.SetConstantRate(DataRate("8Mbps"), 500);
    random.SetAttribute("OnTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.002]"));
    random.SetAttribute("OffTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.01]"));
    random.SetAttribute("MaxBytes", UintegerValue(100'000));
    random.Install(network.hosts.Get(2)).Start(MilliSeconds(30));
    UdpServerHelper(11).Install(network.hosts.Get(5));
    UdpClientHelper few(network.GetIpv4(5), 11);
    few.SetAttribute("MaxPackets", UintegerValue(5));
    few.SetAttribute("Interval", TimeValue(Seconds(1)));
    few.Install(network.hosts.Get(3)).Start(MilliSeconds(1));
    FlowMonitorHelper monitor;
    Ptr<FlowMonitor> seen = monitor.InstallAll();
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    for (uint32_t most : {1000, 7})
    {
        DcnScenarioHelper reader;
        reader.SetMaxMessages(most);
        Ptr<const DcnScenario> scenario =
            reader.FromFlowMonitor(network.nodes, seen, monitor.GetClassifier());
        const std::vector<int64_t> fctNs =
            reader.GetSourceFctNs(DcnEstimator::CreateByName("flowsim")->Estimate(scenario));
        NS_TEST_ASSERT_MSG_EQ(fctNs.size(), 4, "senders");
        for (std::size_t i = 0; i < 4; ++i)
        {
            const DcnScenarioHelper::Source& source = reader.GetSources()[i];
            const FlowMonitor::FlowStats stats = seen->GetFlowStats().at(source.monitorId);
            const Time real = stats.timeLastRxPacket - stats.timeFirstTxPacket;
            const auto realNs = static_cast<double>(real.GetNanoSeconds());
            // the last message begins with its first packet; TCP has packets after its last byte
            const double tolerance = most == 1000 ? 0.01 : 0.2;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fctNs[i]),
                                      realNs,
                                      tolerance * realNs,
                                      "sender " << i << " in " << most << " messages");
            const uint64_t bytes[] = {1'000'000, 500'000, 100'000, 5 * 1024};
            NS_TEST_EXPECT_MSG_EQ(source.sizeBytes, bytes[source.node], "bytes of " << i);
        }
    }
}

/// Four hosts on CSMA channels, two at each of two switches that a CSMA channel joins.
struct Lan
{
    NodeContainer hosts{4};                              //!< hosts 0 and 1 are at the first switch
    NodeContainer switches{2};                           //!< node indices 4 and 5
    NodeContainer nodes{NodeContainer(hosts, switches)}; //!< all

    /**
     * @param hasStack whether the switches have a stack and an address, too
     * @param nTrunks channels between the switches
     * @param isRouter whether the second switch routes between its bridge and its other port
     */
    Lan(bool hasStack, uint32_t nTrunks, bool isRouter)
    {
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
        csma.SetChannelAttribute("Delay", StringValue("1us"));
        NetDeviceContainer ends;
        NetDeviceContainer behind;
        NetDeviceContainer ports[2];
        for (uint32_t host = 0; host < 4; ++host)
        {
            const NetDeviceContainer link =
                csma.Install(NodeContainer(hosts.Get(host), switches.Get(host / 2)));
            const bool isRouted = isRouter && host == 3;
            (isRouted ? behind : ends).Add(link.Get(0));
            (isRouted ? behind : ports[host / 2]).Add(link.Get(1));
        }
        for (uint32_t i = 0; i < nTrunks; ++i)
        {
            const NetDeviceContainer trunk = csma.Install(switches);
            ports[0].Add(trunk.Get(0));
            ports[1].Add(trunk.Get(1));
        }
        InternetStackHelper stack;
        stack.Install(hosts);
        if (hasStack || isRouter)
        {
            stack.Install(switches);
        }
        for (uint32_t i = 0; i < 2; ++i)
        {
            const NetDeviceContainer bridge = BridgeHelper().Install(switches.Get(i), ports[i]);
            if (hasStack || (isRouter && i == 1))
            {
                ends.Add(bridge);
            }
        }
        Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
        subnets.Assign(ends);
        subnets.NewNetwork();
        if (isRouter)
        {
            subnets.Assign(behind);
            Ipv4StaticRoutingHelper fixed;
            for (uint32_t host = 0; host < 4; ++host)
            {
                fixed.GetStaticRouting(hosts.Get(host)->GetObject<Ipv4>())
                    ->SetDefaultRoute(host < 3 ? "10.0.0.4" : "10.0.1.2", 1);
            }
        }
    }

    ~Lan()
    {
        Simulator::Destroy();
    }

    /// @return address of a host
    Ipv4Address GetAddress(uint32_t host) const
    {
        return hosts.Get(host)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    }
};

DCN_TEST_CASE(BridgeTestCase,
              "frames go through bridges, as in ns-3, and bridges in a ring are refused")
{
    for (uint32_t variant = 0; variant < 3; ++variant)
    {
        Lan lan(variant == 1, 1, variant == 2);
        uint32_t bytes = 100;
        UdpServerHelper(9).Install(lan.hosts);
        for (uint32_t from = 0; from < 4; ++from)
        {
            for (uint32_t to = 0; to < 4; ++to)
            {
                if (from != to)
                {
                    UdpClientHelper sender(lan.GetAddress(to), 9);
                    sender.SetAttribute("MaxPackets", UintegerValue(1));
                    sender.SetAttribute("PacketSize", UintegerValue(bytes++));
                    sender.Install(lan.hosts.Get(from)).Start(MilliSeconds(50 * bytes));
                }
            }
        }
        DcnScenarioHelper reader;
        Ptr<const DcnScenario> scenario = reader.FromApplications(lan.nodes);
        const Observer observer(scenario->GetTopologyPtr());
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(scenario->GetFlows().size(),
                              12,
                              "one flow per sender: " << reader.GetNotes().front());
        for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
        {
            const DcnFlow& flow = scenario->GetFlows()[i];
            const std::vector<uint32_t> path = GetPath(scenario, i);
            NS_TEST_EXPECT_MSG_EQ(path.size(), (flow.src / 2 == flow.dst / 2 ? 2U : 3U), "links");
            constexpr uint32_t CSMA_IPV4_UDP = 46; // headers and trailer
            const auto size = static_cast<uint32_t>(flow.sizeBytes) + CSMA_IPV4_UDP;
            NS_TEST_EXPECT_MSG_EQ((path == observer.GetPath(size)),
                                  true,
                                  "variant " << variant << ", flow " << i << ": another path");
        }
    }
    Lan ring(false, 2, false);
    UdpClientHelper(ring.GetAddress(3), 9).Install(ring.hosts.Get(0));
    const std::string part = "bridges are joined to a ring at node";
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { DcnScenarioHelper().FromApplications(ring.nodes); }, part),
                          part,
                          "ring");
}

DCN_TEST_CASE(NoInterfaceTestCase, "a packet that comes by a device without an address is refused")
{
    // the second router has no address on the link by which the first one sends
    NodeContainer nodes(4); // 0 - 2 - 3 - 1
    PointToPointHelper link;
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
    subnets.Assign(link.Install(nodes.Get(0), nodes.Get(2)));
    subnets.NewNetwork();
    const NetDeviceContainer between = link.Install(nodes.Get(2), nodes.Get(3));
    subnets.Assign(NetDeviceContainer(between.Get(0)));
    subnets.NewNetwork();
    const Ipv4InterfaceContainer last = subnets.Assign(link.Install(nodes.Get(3), nodes.Get(1)));
    Ipv4StaticRoutingHelper fixed;
    const Ipv4Address to = last.GetAddress(1);
    fixed.GetStaticRouting(nodes.Get(0)->GetObject<Ipv4>())->AddHostRouteTo(to, 1);
    fixed.GetStaticRouting(nodes.Get(2)->GetObject<Ipv4>())->AddHostRouteTo(to, 2);
    UdpClientHelper(to, 9).Install(nodes.Get(0));
    const std::string part = "of node 3 (ns3::PointToPointNetDevice) has no IPv4 address, so that";
    NS_TEST_EXPECT_MSG_EQ(Refuse([&] { DcnScenarioHelper().FromApplications(nodes); }, part),
                          part,
                          "sentence");
    Simulator::Destroy();
}

DCN_TEST_CASE(AroundTestCase, "routes around an interface that is down are those of ns-3")
{
    Config::SetDefault("ns3::Ipv4GlobalRouting::RespondToInterfaceEvents", BooleanValue(true));
    LeafSpine network;
    network.AddIpv4();
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    UdpClientHelper client(network.GetIpv4(4), 9);
    client.SetAttribute("MaxPackets", UintegerValue(1));
    client.SetAttribute("PacketSize", UintegerValue(300));
    client.Install(network.hosts.Get(0)).Start(Seconds(2));
    std::vector<uint32_t> before;
    Ptr<const DcnScenario> scenario;
    for (bool isDown : {false, true})
    {
        DcnScenarioHelper reader;
        scenario = reader.FromApplications(network.nodes);
        if (!isDown)
        {
            before = GetPath(scenario, 0);
            // the first spine's or the second's: interfaces 3 and 4 of a leaf
            const bool isFirst = scenario->GetTopology().GetLink(before[1]).to == 9;
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            network.leaves.Get(0)->GetObject<Ipv4>()->SetDown(isFirst ? 3 : 4);
        }
    }
    const Observer observer(scenario->GetTopologyPtr());
    Simulator::Stop(Seconds(2));
    Simulator::Run();
    const std::vector<uint32_t> path = GetPath(scenario, 0);
    NS_TEST_EXPECT_MSG_EQ((path == observer.GetPath(300 + PPP_IPV4_UDP)), true, "that of packets");
    NS_TEST_EXPECT_MSG_EQ((path != before), true, "another one than before");
    Config::SetDefault("ns3::Ipv4GlobalRouting::RespondToInterfaceEvents", BooleanValue(false));
}

/// Random scripts as users write them: routers, bridges and hosts on PointToPoint and CSMA links,
/// with applications of all kinds, variants of TCP, queue discs, losses and interfaces that are
/// down.
class FuzzTestCase : public TestCase
{
  public:
    /**
     * @param nScripts number of scripts
     */
    explicit FuzzTestCase(uint32_t nScripts)
        : TestCase("random scripts are read; where an estimate is far off, a note says why: " +
                   std::to_string(nScripts)),
          m_nScripts(nScripts)
    {
    }

  private:
    /// What a sink has received.
    struct Arrival
    {
        uint64_t bytes{0}; //!< payload
        int64_t lastNs{0}; //!< the latest of it [ns]
    };

    using Arrivals = std::map<uint16_t, Arrival>; //!< by port

    /// A sink has received payload.
    static void OnArrival(Arrivals* arrivals,
                          uint16_t port,
                          Ptr<const Packet> packet,
                          const Address&)
    {
        (*arrivals)[port].bytes += packet->GetSize();
        (*arrivals)[port].lastNs = Simulator::Now().GetNanoSeconds();
    }

    void DoRun() override
    {
        for (uint32_t script = 1; script <= m_nScripts; ++script)
        {
            m_random->SetStream(script);
            const auto variant = DrawVariant();
            Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue(variant));
            RunScript(script);
            Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(m_nCompared, m_nScripts, "senders were compared");
        NS_TEST_EXPECT_MSG_GT(m_nNear, m_nCompared / 3, "and many estimates are near");
    }

    /// @return a whole number
    uint32_t Draw(uint32_t low, uint32_t high)
    {
        return m_random->GetInteger(low, high);
    }

    /// @return one of some texts
    std::string Choose(const std::vector<std::string>& texts)
    {
        return texts[Draw(0, static_cast<uint32_t>(texts.size()) - 1)];
    }

    /// @return a congestion control
    std::string DrawVariant()
    {
        return Draw(0, 1) ? "ns3::TcpCubic"
                          : "ns3::" + Choose({"TcpNewReno",
                                              "TcpVegas",
                                              "TcpBbr",
                                              "TcpDctcp",
                                              "TcpVeno",
                                              "TcpIllinois"});
    }

    /// Wires a tree of switches, some of which are bridges, and hosts at its switches.
    void Wire()
    {
        const uint32_t nSwitches = Draw(1, 4);
        const uint32_t nHosts = Draw(2, 6);
        m_hosts = NodeContainer(nHosts);
        m_switches = NodeContainer(nSwitches);
        // a script with bridges is one subnet, since ns-3's global routing does not see through all
        const bool isBridged = Draw(0, 2) == 0;
        const std::string rate = Choose({"10Mbps", "100Mbps", "1Gbps"});
        const std::string delay = Choose({"1us", "20us", "500us"});
        std::vector<NetDeviceContainer> links;
        const auto join = [&](Ptr<Node> a, Ptr<Node> b) {
            if (isBridged || Draw(0, 3) == 0)
            {
                CsmaHelper csma;
                csma.SetChannelAttribute("DataRate", StringValue(rate));
                csma.SetChannelAttribute("Delay", StringValue(delay));
                links.push_back(csma.Install(NodeContainer(a, b)));
                return;
            }
            PointToPointHelper link;
            link.SetDeviceAttribute("DataRate", StringValue(rate));
            link.SetChannelAttribute("Delay", StringValue(delay));
            links.push_back(link.Install(a, b));
        };
        for (uint32_t host = 0; host < nHosts; ++host)
        {
            join(m_hosts.Get(host),
                 m_switches.Get(host < nSwitches ? host : Draw(0, nSwitches - 1)));
        }
        for (uint32_t i = 1; i < nSwitches; ++i)
        {
            join(m_switches.Get(i), m_switches.Get(Draw(0, i - 1)));
        }
        InternetStackHelper stack;
        stack.Install(m_hosts);
        const bool hasStack = !isBridged || Draw(0, 1);
        if (hasStack)
        {
            stack.Install(m_switches);
        }
        Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
        if (isBridged)
        {
            NetDeviceContainer ends;
            for (uint32_t i = 0; i < nSwitches; ++i)
            {
                NetDeviceContainer ports;
                for (const NetDeviceContainer& link : links)
                {
                    for (uint32_t end : {0, 1})
                    {
                        if (link.Get(end)->GetNode() == m_switches.Get(i))
                        {
                            ports.Add(link.Get(end));
                        }
                    }
                }
                const NetDeviceContainer bridge = BridgeHelper().Install(m_switches.Get(i), ports);
                if (hasStack)
                {
                    ends.Add(bridge);
                }
            }
            for (uint32_t host = 0; host < nHosts; ++host)
            {
                ends.Add(links[host].Get(0));
            }
            subnets.Assign(ends);
        }
        else
        {
            TrafficControlHelper disc;
            const std::string type = Choose({"", "", "Fifo", "Red", "CoDel", "Pie", "Tbf"});
            for (const NetDeviceContainer& link : links)
            {
                if (!type.empty())
                {
                    disc = TrafficControlHelper();
                    disc.SetRootQueueDisc("ns3::" + type + "QueueDisc");
                    disc.Install(link);
                }
                subnets.Assign(link);
                subnets.NewNetwork();
            }
            Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        }
        if (Draw(0, 3) == 0)
        {
            auto model = CreateObject<RateErrorModel>();
            model->SetRate(1e-3);
            model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            links[Draw(0, static_cast<uint32_t>(links.size()) - 1)]
                .Get(Draw(0, 1))
                ->SetAttribute("ReceiveErrorModel", PointerValue(model));
        }
        if (Draw(0, 4) == 0)
        {
            const auto ip = m_hosts.Get(Draw(0, nHosts - 1))->GetObject<Ipv4>();
            ip->SetDown(1);
        }
        m_nodes = NodeContainer(m_hosts, m_switches);
    }

    /// Installs an application, and its sink at the host that it should send to.
    void Send(uint16_t port, Arrivals& arrivals)
    {
        const uint32_t nHosts = m_hosts.GetN();
        const uint32_t from = Draw(0, nHosts - 1);
        const uint32_t to = (from + Draw(1, nHosts - 1)) % nHosts;
        Ipv4Address address = m_hosts.Get(to)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
        const Ipv4Address own = m_hosts.Get(from)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
        const std::vector<Ipv4Address> odd{"225.1.2.4",
                                           "10.0.0.255",
                                           "10.200.0.1",
                                           "127.0.0.1",
                                           own};
        const bool isOdd = Draw(0, 9) == 0;
        const uint32_t choice = Draw(0, 4);
        address = isOdd ? odd[choice] : address;
        const InetSocketAddress remote(address, port);
        ApplicationContainer sender;
        ApplicationContainer sink;
        bool isEndless = false;
        // TCP to all nodes of a link is answered by all of them, without end
        const uint32_t kind = isOdd && choice < 2 ? 3 : Draw(0, 3);
        if (kind < 2)
        {
            BulkSendHelper bulk("ns3::TcpSocketFactory", remote);
            isEndless = Draw(0, 9) == 0;
            bulk.SetAttribute("MaxBytes",
                              UintegerValue(isEndless ? 0 : Draw(1, 1000) * Draw(1, 1000)));
            sender = bulk.Install(m_hosts.Get(from));
        }
        else if (kind == 2)
        {
            OnOffHelper onOff(Draw(0, 1) ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory",
                              remote);
            onOff.SetConstantRate(DataRate(Choose({"1Mbps", "5Mbps", "50Mbps"})), Draw(100, 1400));
            onOff.SetAttribute("MaxBytes", UintegerValue(Draw(1000, 100'000)));
            sender = onOff.Install(m_hosts.Get(from));
        }
        else
        {
            UdpClientHelper client(remote);
            client.SetAttribute("MaxPackets", UintegerValue(Draw(1, 200)));
            client.SetAttribute("Interval", TimeValue(MicroSeconds(Draw(50, 20'000))));
            client.SetAttribute("PacketSize", UintegerValue(Draw(12, 1400)));
            sender = client.Install(m_hosts.Get(from));
        }
        sender.Start(MilliSeconds(1000 + Draw(0, 200)));
        if (isEndless || Draw(0, 9) == 0)
        {
            sender.Stop(MilliSeconds(1000 + Draw(1, 300)));
        }
        for (const char* protocol : {"ns3::TcpSocketFactory", "ns3::UdpSocketFactory"})
        {
            PacketSinkHelper receiver(protocol, InetSocketAddress(Ipv4Address::GetAny(), port));
            receiver.Install(m_hosts.Get(to))
                .Get(0)
                ->TraceConnectWithoutContext(
                    "Rx",
                    MakeBoundCallback(&FuzzTestCase::OnArrival, &arrivals, port));
        }
    }

    void RunScript(uint32_t script)
    {
        Wire();
        Arrivals arrivals;
        const uint32_t nSenders = Draw(1, 8);
        for (uint32_t i = 0; i < nSenders; ++i)
        {
            Send(static_cast<uint16_t>(1000 + i), arrivals);
        }
        FlowMonitorHelper monitor;
        Ptr<FlowMonitor> seen = monitor.Install(m_hosts);
        DcnScenarioHelper before;
        std::vector<int64_t> fctNs;
        try
        {
            before.WatchSinks(m_nodes);
            Ptr<const DcnScenario> scenario = before.FromApplications(m_nodes);
            fctNs =
                before.GetSourceFctNs(DcnEstimator::CreateByName("flowsim")->Estimate(scenario));
        }
        catch (const DcnError& error)
        {
            const std::string sentence = error.what();
            const bool isKnown = sentence.rfind("no application can be read: ", 0) == 0;
            NS_TEST_EXPECT_MSG_EQ(isKnown, true, "script " << script << ": " << sentence);
        }
        const std::vector<DcnScenarioHelper::Source> sources = before.GetSources();
        std::vector<std::string> notes; // but those on senders that were not read
        for (const std::string& note : before.GetNotes())
        {
            if (note.find(" was not read: ") == std::string::npos)
            {
                notes.push_back(note);
            }
        }
        Simulator::Stop(Seconds(6));
        Simulator::Run();
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            if (!sources[i].reason.empty())
            {
                continue;
            }
            const Arrival& arrival = arrivals[sources[i].ip.destinationPort];
            const double real = static_cast<double>(arrival.lastNs - sources[i].startNs);
            const bool isNear = arrival.bytes == sources[i].sizeBytes &&
                                std::abs(static_cast<double>(fctNs[i]) / real - 1) <= 0.3;
            ++m_nCompared;
            m_nNear += isNear;
            NS_TEST_EXPECT_MSG_EQ((isNear || !notes.empty()),
                                  true,
                                  "script " << script << ", " << sources[i].ip.destinationPort
                                            << ": estimate " << fctNs[i] << " ns of "
                                            << sources[i].sizeBytes << " bytes, ns-3 " << real
                                            << " ns of " << arrival.bytes);
        }
        for (bool isMonitor : {false, true})
        {
            DcnScenarioHelper after = before;
            try
            {
                const auto scenario =
                    isMonitor ? after.FromFlowMonitor(m_nodes, seen, monitor.GetClassifier())
                              : after.FromSinks(m_nodes);
                after.GetSourceFctNs(DcnEstimator::CreateByName("flowsim")->Estimate(scenario));
            }
            catch (const DcnError& error)
            {
                const std::string sentence = error.what();
                const bool isKnown = sentence.rfind("no application can be read: ", 0) == 0 ||
                                     sentence == "no sink has received payload since WatchSinks" ||
                                     sentence == "the FlowMonitor has seen no flow with payload";
                NS_TEST_EXPECT_MSG_EQ(isKnown, true, "script " << script << ": " << sentence);
            }
        }
    }

    uint32_t m_nScripts;      //!< see the constructor
    uint32_t m_nCompared{0};  //!< senders whose estimate was compared
    uint32_t m_nNear{0};      //!< those whose estimate is within 30 %
    NodeContainer m_hosts;    //!< of the script
    NodeContainer m_switches; //!< of the script
    NodeContainer m_nodes;    //!< of the script
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< of the script
};

/// The suite, with a long case beside the short ones.
class DcnScenarioHelperTestSuite : public DcnTestSuite<>
{
  public:
    /**
     * @param cases the short ones
     */
    explicit DcnScenarioHelperTestSuite(const std::vector<TestCase*>& cases)
        : DcnTestSuite<>("dcn-scenario-helper", cases)
    {
        AddTestCase(new FuzzTestCase(300), DCN_TEST_EXTENSIVE(DcnScenarioHelperTestSuite));
    }
};

const DcnScenarioHelperTestSuite g_suite({new PathsTestCase("global"),
                                          new PathsTestCase("static"),
                                          new PathsTestCase("nix"),
                                          new PathsTestCase("static6"),
                                          new PaceTestCase,
                                          new GroupTestCase,
                                          new SourcesTestCase,
                                          new DeafTestCase,
                                          new RandomRoutingTestCase,
                                          new BadApplicationsTestCase,
                                          new BadRoutesTestCase,
                                          new DocumentationTestCase,
                                          new FlowMonitorTestCase,
                                          new DuplicateTestCase,
                                          new SinksTestCase,
                                          new OrderTestCase,
                                          new DatagramTestCase,
                                          new MessagesTestCase,
                                          new CsmaTestCase,
                                          new OddApplicationsTestCase,
                                          new VersionTestCase,
                                          new SeveralLinksTestCase,
                                          new DistributionTestCase,
                                          new MonitorPaceTestCase,
                                          new BridgeTestCase,
                                          new NoInterfaceTestCase,
                                          new AroundTestCase,
                                          new FuzzTestCase(10)});

} // namespace
