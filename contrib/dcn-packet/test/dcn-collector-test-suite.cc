/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-collector.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-packet-helper.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-scenario.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/pcap-file.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Counts the payload of data frames that arrive at hosts.
class PayloadCounter
{
  public:
    /**
     * @param packet that arrives
     */
    void Take(Ptr<const Packet> packet)
    {
        EthernetHeader link(false);
        Ipv4Header ip;
        UdpHeader udp;
        Ptr<Packet> copy = packet->Copy();
        copy->RemoveHeader(link);
        copy->RemoveHeader(ip);
        if (ip.GetProtocol() == 17)
        {
            bytes += copy->GetSize() - udp.GetSerializedSize() - transportBytes;
        }
    }

    /**
     * @param flow that has arrived or is complete
     */
    void OnFlow(Ptr<const DcnPacketFlow> flow)
    {
        atEvents.push_back(bytes);
    }

    uint64_t transportBytes{0};     //!< length of the transport header
    uint64_t bytes{0};              //!< payload that has arrived
    std::vector<uint64_t> atEvents; //!< the same at every flow event
};

/**
 * Collected records of a network without loss agree with the engine's own counters, with the
 * payload that is seen to arrive, and do not disturb the simulation.
 */
class NetworkTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     */
    explicit NetworkTestCase(const std::string& cc)
        : TestCase("collected records of a network with " + cc),
          m_cc(cc)
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t n = 4;
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < 60; ++i)
        {
            flows.push_back({100 + i, i % n, n + (i * 7) % n, 1 + 1777 * i, 3000 * i});
        }
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(m_cc);
        auto scenario = DcnScenario::Create(DcnMakeDumbbell(n, n), config, flows);
        DcnPacketHelper helper;
        helper.SetNetworkAttribute("LosslessHeadroom", BooleanValue(true));
        Ptr<DcnPacketNetwork> plain = helper.Install(scenario);
        plain->Run();
        const std::vector<int64_t> fctNs = plain->GetFctNs();
        plain->Dispose();
        Simulator::Destroy();

        Ptr<DcnPacketNetwork> network = helper.Install(scenario);
        PayloadCounter counter;
        counter.transportBytes = DcnCongestionControl::GetWireFormat(*config).dataHeaderBytes - 42;
        Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
        collector->SetAttribute("Interval", TimeValue(MicroSeconds(10)));
        collector->SetAttribute("RemainingBytes", BooleanValue(true));
        collector->Watch(network);
        network->TraceConnectWithoutContext("FlowStarted",
                                            MakeCallback(&PayloadCounter::OnFlow, &counter));
        network->TraceConnectWithoutContext("FlowDelivered",
                                            MakeCallback(&PayloadCounter::OnFlow, &counter));
        for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
        {
            if (scenario->GetTopology().IsHost(scenario->GetTopology().GetLink(link).from))
            {
                network->GetDevice(link)->TraceConnectWithoutContext(
                    "PhyRxEnd",
                    MakeCallback(&PayloadCounter::Take, &counter));
            }
        }
        network->Run();
        Simulator::Run(); // the last acknowledgements
        collector->Finish();
        NS_TEST_EXPECT_MSG_EQ(network->GetNDropped(), 0, "no loss in this test");
        NS_TEST_EXPECT_MSG_EQ((network->GetFctNs() == fctNs), true, "watching changes nothing");
        NS_TEST_EXPECT_MSG_EQ((collector->GetFctNs() == fctNs), true, "completion times");
        CheckQueues(*collector, *network);
        CheckFlows(*collector, *scenario);
        CheckRemaining(*collector, *scenario, counter);
        network->Dispose();
        Simulator::Destroy();
    }

    void CheckQueues(const DcnCollector& collector, const DcnPacketNetwork& network)
    {
        const DcnTopology& topology = network.GetScenario()->GetTopology();
        NS_TEST_ASSERT_MSG_EQ(collector.GetNQueues(), topology.GetNLinks(), "a queue per link");
        uint64_t pauses = 0;
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            NS_TEST_EXPECT_MSG_EQ(collector.GetQueueName(link),
                                  topology.DescribeLink(link),
                                  "name");
            uint64_t out = 0;
            uint64_t marks = 0;
            int64_t waiting = 0;
            int64_t packets = 0;
            for (const auto& record : collector.GetQueueRecords(link))
            {
                out += record.outBytes;
                marks += record.marks;
                pauses += record.pauses;
                waiting += static_cast<int64_t>(record.inBytes - record.outBytes);
                packets += static_cast<int64_t>(record.inPackets - record.outPackets);
                NS_TEST_EXPECT_MSG_EQ((waiting >= 0 && packets >= 0), true, "waiting = in - out");
                NS_TEST_EXPECT_MSG_EQ((waiting <= static_cast<int64_t>(record.maxBytes)),
                                      true,
                                      "no more waits at the end than at most");
            }
            NS_TEST_EXPECT_MSG_EQ(waiting, 0, "empty at the end");
            auto port = DynamicCast<DcnSwitchDevice>(network.GetDevice(link));
            NS_TEST_EXPECT_MSG_EQ(collector.GetQueueLayer(link),
                                  (port ? "switch" : "host"),
                                  "layer");
            if (port)
            {
                NS_TEST_EXPECT_MSG_EQ(out, port->GetLeftBytes(), "bytes that left");
                NS_TEST_EXPECT_MSG_EQ(marks, port->GetNMarked(), "marks");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(pauses, network.GetNPauses(), "a pause sent is a pause received");
    }

    void CheckFlows(const DcnCollector& collector, const DcnScenario& scenario)
    {
        const auto& flows = scenario.GetFlows();
        uint64_t hops = 0;
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const DcnFlowRecord& record = collector.GetFlowRecords()[i];
            NS_TEST_EXPECT_MSG_EQ(record.startNs, flows[i].startNs, "start");
            NS_TEST_EXPECT_MSG_EQ(record.receivedBytes, flows[i].sizeBytes, "all of it");
            NS_TEST_EXPECT_MSG_EQ(record.retransmittedBytes, 0, "no loss");
            // the transport of TIMELY and HPCC has longer headers than the ideal completion time
            NS_TEST_EXPECT_MSG_GT_OR_EQ(record.firstByteNs - record.startNs + 3,
                                        scenario.GetIdealFct(i).latencyNs,
                                        "first byte");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(record.lastByteNs, record.firstByteNs, "last byte");
            hops += scenario.GetPath(i).size() - 1;
        }
        const auto& first = collector.GetFirstPackets();
        NS_TEST_ASSERT_MSG_EQ(first.size(), hops, "every flow at every switch");
        std::map<uint32_t, uint32_t> lastHop;
        for (const auto& record : first)
        {
            NS_TEST_EXPECT_MSG_EQ(record.hop, ++lastHop[record.flow], "hop after hop");
            NS_TEST_EXPECT_MSG_LT(record.timeNs,
                                  collector.GetFlowRecords()[record.flow].firstByteNs,
                                  "before it is delivered");
        }
        NS_TEST_EXPECT_MSG_EQ(first[0].queueBytes, 0, "nobody is before the first flow");
        NS_TEST_EXPECT_MSG_GT(std::max_element(first.begin(),
                                               first.end(),
                                               [](const auto& a, const auto& b) {
                                                   return a.queueBytes < b.queueBytes;
                                               })
                                  ->queueBytes,
                              0,
                              "but somebody before others");
    }

    void CheckRemaining(const DcnCollector& collector,
                        const DcnScenario& scenario,
                        const PayloadCounter& counter)
    {
        const DcnRemainingRecords& remaining = collector.GetRemaining();
        const auto& flows = scenario.GetFlows();
        NS_TEST_ASSERT_MSG_EQ(remaining.events.size(), 2 * flows.size(), "starts and ends");
        NS_TEST_ASSERT_MSG_EQ(remaining.offsets.size(), 2 * flows.size() + 1, "offsets");
        NS_TEST_EXPECT_MSG_EQ(remaining.offsets.back(), remaining.bytes.size(), "all entries");
        std::set<uint32_t> active;
        uint64_t arrived = 0;
        for (std::size_t e = 0; e < remaining.events.size(); ++e)
        {
            const auto& event = remaining.events[e];
            if (event.isArrival)
            {
                active.insert(event.flow);
                arrived += flows[event.flow].sizeBytes;
            }
            else
            {
                active.erase(event.flow);
            }
            std::set<uint32_t> listed;
            uint64_t sum = 0;
            for (std::size_t i = remaining.offsets[e]; i < remaining.offsets[e + 1]; ++i)
            {
                listed.insert(remaining.flows[i]);
                sum += remaining.bytes[i];
                NS_TEST_EXPECT_MSG_GT(remaining.bytes[i], 0, "active");
                NS_TEST_EXPECT_MSG_EQ((remaining.ratesBps[i] >= 1'000'000'000 &&
                                       remaining.ratesBps[i] <= 10'000'000'000),
                                      true,
                                      "from the least rate to the link's");
            }
            NS_TEST_EXPECT_MSG_EQ((listed == active), true, "those that are active");
            NS_TEST_EXPECT_MSG_EQ(sum, arrived - counter.atEvents[e], "arrived - delivered");
        }
    }

    std::string m_cc; //!< congestion control
};

/// Loss, and flows that are under way when the records are brought up to the present.
DCN_TEST_CASE(LossTestCase, "collected records of a network that loses packets")
{
    const uint32_t n = 16;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < n; ++i)
    {
        flows.push_back({i, i, n, 100'000, 0});
    }
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->pfc = false;
    config->bufferBytes = 200'000;
    auto scenario = DcnScenario::Create(DcnMakeDumbbell(n, 1), config, flows);
    Ptr<DcnPacketNetwork> network = DcnPacketHelper().Install(scenario);
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->SetAttribute("RemainingBytes", BooleanValue(true));
    collector->SetAttribute("MaxRemainingEntries", UintegerValue(100));
    collector->SetAttribute("FirstPackets", BooleanValue(false));
    collector->Watch(network);
    network->Start();
    Simulator::Stop(MicroSeconds(400));
    Simulator::Run();
    collector->Finish();
    uint64_t received = 0;
    for (const auto& record : collector->GetFlowRecords())
    {
        received += record.receivedBytes;
        NS_TEST_EXPECT_MSG_EQ((record.lastByteNs == DcnFlowRecord::NONE),
                              (record.receivedBytes < 100'000),
                              "complete if all is there");
    }
    NS_TEST_EXPECT_MSG_GT(received, 0, "some");
    NS_TEST_EXPECT_MSG_LT(received, n * 100'000, "but not all");
    Simulator::Run();
    collector->Finish();
    uint64_t drops = 0;
    for (std::size_t queue = 0; queue < collector->GetNQueues(); ++queue)
    {
        for (const auto& record : collector->GetQueueRecords(queue))
        {
            drops += record.drops;
        }
    }
    NS_TEST_EXPECT_MSG_GT(drops, 0, "loss");
    NS_TEST_EXPECT_MSG_EQ(drops, network->GetNDropped(), "drops");
    uint64_t again = 0;
    for (const auto& record : collector->GetFlowRecords())
    {
        again += record.retransmittedBytes;
        NS_TEST_EXPECT_MSG_EQ(record.receivedBytes, 100'000, "complete");
    }
    NS_TEST_EXPECT_MSG_GT(again, 0, "what is lost is sent again");
    NS_TEST_EXPECT_MSG_EQ(collector->GetFirstPackets().size(), 0, "not asked for");
    // 1 + 2 + ... + 13 entries are 91, the next event would make it 105
    NS_TEST_EXPECT_MSG_EQ(collector->GetRemaining().events.size(), 13, "bounded");
    NS_TEST_EXPECT_MSG_EQ(collector->GetRemaining().isCut, true, "and said so");
    network->Dispose();
    Simulator::Destroy();
}

/// Files have the columns of doc/schema.rst, and the numbers that are in memory.
DCN_TEST_CASE(FileTestCase, "collected records in files")
{
    auto scenario = DcnScenario::Create(DcnMakeDumbbell(2, 1),
                                        DcnNetworkConfig::Preset("dctcp"),
                                        {{7, 0, 2, 5000, 0}, {9, 1, 2, 5000, 100}});
    Ptr<DcnPacketNetwork> network = DcnPacketHelper().Install(scenario);
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->SetAttribute("RemainingBytes", BooleanValue(true));
    collector->Watch(network);
    network->Run();
    const std::string folder = CreateTempDirFilename("records");
    const std::vector<std::string> written = collector->Write(folder);
    const std::vector<std::string> expected{folder + "/queues.csv",
                                            folder + "/flow-records.csv",
                                            folder + "/first-packets.csv",
                                            folder + "/remaining.csv"};
    NS_TEST_ASSERT_MSG_EQ((written == expected), true, "files");

    DcnCsvReader queues(written[0],
                        {"queue",
                         "layer",
                         "start_ns",
                         "end_ns",
                         "in_bytes",
                         "in_packets",
                         "out_bytes",
                         "out_packets",
                         "marks",
                         "drops",
                         "pauses",
                         "max_bytes",
                         "mean_bytes"});
    uint64_t bottleneck = 0;
    while (queues.FetchRow())
    {
        bottleneck += queues.GetText(0) == "3->4" ? queues.GetUint(6) : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(bottleneck, 10 * 1048, "all packets crossed the bottleneck");

    // only the bottleneck had a queue; its curve: the mean of the only interval, at its middle
    collector->PlotQueues(folder + "/longest");
    std::ifstream script(folder + "/longest.plt");
    const std::string text{std::istreambuf_iterator<char>(script), {}};
    NS_TEST_EXPECT_MSG_NE(text.find("title \"3->4\""), std::string::npos, text);
    NS_TEST_EXPECT_MSG_EQ(text.find("title \"4->2\""), std::string::npos, "no packet waited there");

    // the method "packet" writes these files, too, and its times do not depend on them
    const auto plain = DcnEstimator::CreateByName("packet")->Estimate(scenario);
    const std::string byMethod = CreateTempDirFilename("by-method");
    const auto method = DcnEstimator::CreateByName("packet");
    method->SetAttribute("Queues", StringValue(byMethod));
    NS_TEST_EXPECT_MSG_EQ((method->Estimate(scenario).fctNs == plain.fctNs), true, "same times");
    for (const char* file : {"/queues.csv", "/flow-records.csv", "/queues.plt"})
    {
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(byMethod + file), true, file);
    }

    DcnCsvReader flows(written[1],
                       {"flow_id",
                        "src",
                        "dst",
                        "size_bytes",
                        "start_ns",
                        "first_byte_ns",
                        "last_byte_ns",
                        "fct_ns",
                        "received_bytes",
                        "retransmitted_bytes",
                        "path"});
    NS_TEST_ASSERT_MSG_EQ(flows.FetchRow(), true, "first flow");
    NS_TEST_EXPECT_MSG_EQ(flows.GetUint(0), 7, "id");
    NS_TEST_EXPECT_MSG_EQ(flows.GetInt(7), network->GetFctNs()[0], "completion time");
    NS_TEST_EXPECT_MSG_EQ(flows.GetText(10), "0-3-4-2", "path");
    NS_TEST_ASSERT_MSG_EQ(flows.FetchRow(), true, "second flow");
    NS_TEST_EXPECT_MSG_EQ(flows.FetchRow(), false, "no more");

    DcnCsvReader first(written[2], {"flow_id", "hop", "link", "time_ns", "queue_bytes"});
    NS_TEST_ASSERT_MSG_EQ(first.FetchRow(), true, "first switch");
    NS_TEST_EXPECT_MSG_EQ(first.GetText(2), "3->4", "link");

    DcnCsvReader remaining(
        written[3],
        {"event", "time_ns", "kind", "event_flow_id", "flow_id", "remaining_bytes", "rate_bps"});
    std::ostringstream rows;
    while (remaining.FetchRow())
    {
        rows << remaining.GetText(0) << remaining.GetText(2)[0] << remaining.GetText(3) << ':'
             << remaining.GetText(4) << ' ';
    }
    NS_TEST_EXPECT_MSG_EQ(rows.str(), "0a7:7 1a9:7 1a9:9 2c7:9 ", "events and active flows");
    network->Dispose();
    Simulator::Destroy();
}

/// The control of a flow over time: its names, times that ascend, rates within their limits, and
/// the window W rate / largest rate. Nobody's completion time changes.
DCN_TEST_CASE_OF(ControlTestCase, std::string, cc, "the control of a flow: " + cc)
{
    const std::map<std::string, std::vector<std::string>> own{
        {"dctcp", {"alpha"}},
        {"dcqcn", {"alpha", "target_bps"}},
        {"timely", {"rtt_ns", "gradient"}},
        {"hpcc", {"utilisation", "reference_bps"}},
        {"powertcp", {"power", "old_bps"}},
        {"swift", {"delay_ns", "target_ns", "window_packets"}}};
    const auto scenario = DcnScenario::Create(DcnMakeStar(3),
                                              DcnNetworkConfig::Preset(cc),
                                              {{7, 0, 2, 400'000, 0}, {8, 1, 2, 400'000, 0}});
    std::vector<int64_t> expected;
    {
        const DcnPacketTestNetwork network(scenario);
        network->Run();
        expected = network->GetFctNs();
    }
    const DcnPacketTestNetwork network(scenario);
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->KeepControl(1);
    collector->Watch(network.Get());
    DCN_TEST_EXPECT_ERROR(collector->KeepControl(0),
                          "DcnCollector::KeepControl comes before Watch, but a network is watched "
                          "already");
    DCN_TEST_EXPECT_ERROR(collector->GetControl(0),
                          "the control of flow 0 was not kept: call DcnCollector::KeepControl");
    network->Run();
    Simulator::Run(); // the last acknowledgements
    NS_TEST_EXPECT_MSG_EQ((network->GetFctNs() == expected), true, "as without");
    const DcnControlRecords& records = collector->GetControl(1);
    std::vector<std::string> names{"rate_bps", "window_bytes", "flight_bytes"};
    names.insert(names.end(), own.at(cc).begin(), own.at(cc).end());
    NS_TEST_ASSERT_MSG_EQ((records.quantities == names), true, "quantities");
    // an entry for each of 400 acknowledgements but the last one, and for timers
    NS_TEST_ASSERT_MSG_GT_OR_EQ(records.timesNs.size(), 399, "entries");
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(records.timesNs.begin(), records.timesNs.end()),
                          true,
                          "times ascend");
    const DcnNetworkParameters& network2 = scenario->GetNetwork();
    bool hasMoved = false;
    for (std::size_t i = 0; i < records.timesNs.size(); ++i)
    {
        const double rate = records.values[0][i];
        hasMoved = hasMoved || rate != records.values[0][0];
        NS_TEST_ASSERT_MSG_GT_OR_EQ(rate,
                                    static_cast<double>(network2.minRate.GetBitRate()),
                                    "smallest rate");
        NS_TEST_ASSERT_MSG_LT_OR_EQ(rate, 10e9, "largest rate");
        if (network2.windowBytes > 0)
        {
            NS_TEST_ASSERT_MSG_EQ_TOL(records.values[1][i],
                                      static_cast<double>(network2.windowBytes) * rate / 10e9,
                                      1,
                                      "window");
        }
        NS_TEST_ASSERT_MSG_LT_OR_EQ(records.values[2][i], 400'000, "in flight");
    }
    // the delay of two windows is below Tlow of TIMELY, and below the target of Swift
    NS_TEST_EXPECT_MSG_EQ(hasMoved || cc == "timely" || cc == "swift",
                          true,
                          "two flows share a link, so the rate moves");
}

/**
 * @param path of a text
 * @param first character of the lines to count
 * @return how many there are
 */
int
CountLines(const std::string& path, char first)
{
    std::ifstream file(path);
    int n = 0;
    for (std::string line; std::getline(file, line);)
    {
        n += line[0] == first ? 1 : 0;
    }
    return n;
}

DCN_TEST_CASE(HelperTestCase, "pcap and ascii traces")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    auto scenario = DcnScenario::Create(DcnMakeDumbbell(1, 1), config, {{0, 0, 1, 2500, 1000}});
    DcnPacketHelper helper;
    helper.SetNetworkAttribute("LosslessHeadroom", BooleanValue(true));
    Ptr<DcnPacketNetwork> network = helper.Install(scenario);
    BooleanValue lossless;
    network->GetAttribute("LosslessHeadroom", lossless);
    NS_TEST_EXPECT_MSG_EQ(lossless.Get(), true, "attribute");

    Ptr<NetDevice> source = network->GetDevice(scenario->GetPath(0)[0]);
    const std::string prefix = CreateTempDirFilename("trace");
    const std::string base = prefix + "-" + std::to_string(source->GetNode()->GetId()) + "-" +
                             std::to_string(source->GetIfIndex());
    helper.EnablePcap(prefix, source);
    helper.EnableAscii(prefix, source);
    {
        AsciiTraceHelper ascii;
        helper.EnableAscii(ascii.CreateFileStream(prefix + "-all"),
                           scenario->GetTopology().GetNodes());
    }
    network->Run();
    Simulator::Run(); // the last acknowledgement
    network->Dispose();
    Simulator::Destroy();
    source = nullptr;
    network = nullptr; // with its devices, the files are closed

    PcapFile pcap;
    pcap.Open(base + ".pcap", std::ios::in);
    NS_TEST_ASSERT_MSG_EQ(pcap.Fail(), false, "pcap file");
    NS_TEST_EXPECT_MSG_EQ(pcap.GetDataLinkType(), 1, "Ethernet");
    std::map<uint32_t, int> lengths;
    while (true)
    {
        uint8_t data[2000];
        uint32_t seconds;
        uint32_t microseconds;
        uint32_t included;
        uint32_t original;
        uint32_t read;
        pcap.Read(data, sizeof(data), seconds, microseconds, included, original, read);
        if (pcap.Eof() || pcap.Fail())
        {
            break;
        }
        ++lengths[original];
        NS_TEST_EXPECT_MSG_EQ(included, original, "whole frames");
        NS_TEST_EXPECT_MSG_EQ((data[12] * 256 + data[13]), 0x0800, "IPv4");
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(data[14]), 0x45, "its first byte");
        NS_TEST_EXPECT_MSG_EQ((data[16] * 256U + data[17]), original - 14, "its length");
    }
    const std::map<uint32_t, int> expected{{1048, 2}, {548, 1}, {60, 3}};
    NS_TEST_EXPECT_MSG_EQ((lengths == expected), true, "data packets and acknowledgements");

    NS_TEST_EXPECT_MSG_EQ(CountLines(base + ".tr", 't'), 3, "transmitted by the source");
    NS_TEST_EXPECT_MSG_EQ(CountLines(base + ".tr", 'r'), 3, "received by the source");
    // three links each way
    NS_TEST_EXPECT_MSG_EQ(CountLines(prefix + "-all", 't'), 18, "transmitted by all");
    NS_TEST_EXPECT_MSG_EQ(CountLines(prefix + "-all", 'r'), 18, "received by all");
}

/// The suite.
class DcnCollectorTestSuite : public TestSuite
{
  public:
    DcnCollectorTestSuite()
        : TestSuite("dcn-packet-collector", Type::UNIT)
    {
        AddTestCase(new HelperTestCase); // first: ns-3 prints packets only if all have metadata
        for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
        {
            AddTestCase(new NetworkTestCase(cc));
        }
        for (const char* cc : {"dctcp", "dcqcn", "timely", "hpcc", "powertcp", "swift"})
        {
            AddTestCase(new ControlTestCase(cc));
        }
        AddTestCase(new LossTestCase);
        AddTestCase(new FileTestCase);
    }
};

DcnCollectorTestSuite g_dcnCollectorTestSuite; //!< the suite

} // namespace
