/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../truth/mql-truth-config.h"
#include "../truth/mql-truth-engine.h"
#include "../truth/mql-truth-files.h"
#include "../truth/mql-truth-traffic.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/mql-truth-runs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace ns3;

namespace
{

constexpr double SERVICE_NS = 40000; //!< of 500 bytes at 100 Mb/s

/// Simulates a configuration given as text.
MqlTruthResult
Simulate(const std::string& text)
{
    return MqlSimulateTruth(MqlTruthTraffic(MqlTruthConfig::Parse(text)));
}

/**
 * Broadcast: everything goes through the source's link, a queue whose mean wait is known.
 *
 * Without acknowledgements, independent GE flows of equal packets wait W / S = (C2 - 1) / 2 + rho
 * C2 / (2 (1 - rho)) there: 1/2 for Poisson and 7/2 for C2 = 4 at rho = 1/2. Packets leave it at
 * least S apart and stay so: no later queue makes any wait, exactly.
 */
DCN_TEST_CASE(BroadcastTestCase, "Waiting of a broadcast is that of one queue")
{
    const auto check = [&](const std::string& text, double expected, double tolerance) {
        const MqlTruthTraffic traffic(
            MqlTruthConfig::Parse("pattern=broadcast,ack_bytes=0,load=0.5," + text));
        const auto result = MqlSimulateTruth(traffic);
        double packets = 0;
        double waits = 0;
        double later = 0;
        for (const auto& stream : traffic.GetStreams())
        {
            for (uint32_t hop = 0; hop < stream.nHops; ++hop)
            {
                const auto& r = result.hops[stream.firstHop + hop];
                packets += hop == 0 ? static_cast<double>(r.packets) : 0;
                waits += hop == 0 ? r.waitNs * static_cast<double>(r.packets) : 0;
                later = std::max(later, hop > 0 ? r.waitNs : 0);
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(waits / packets / SERVICE_NS,
                                  expected,
                                  tolerance * expected,
                                  text << ": first queue");
        NS_TEST_EXPECT_MSG_EQ(later, 0, text << ": later queues");
        const auto first = traffic.GetHopLinks()[0];
        NS_TEST_EXPECT_MSG_EQ_TOL(result.queues[first].utilisation, 0.5, 0.01, "utilisation");
        // Little: number of waiting packets = rate of arrivals times waiting.
        NS_TEST_EXPECT_MSG_EQ_TOL(result.queues[first].waiting,
                                  result.queues[first].utilisation * waits / packets / SERVICE_NS,
                                  1e-6,
                                  "number of waiting packets");
    };
    check("arrivals=poisson,duration_s=40", 0.5, 0.01);
    check("arrivals=ge,scv=4,duration_s=80", 3.5, 0.02);
    check("arrivals=poisson,duration_s=2,engine=ns3", 0.5, 0.05);
}

/// They differ only where packets come to a queue in the same nanosecond: numbers of packets must
/// be equal, waiting times almost all and on average.
DCN_TEST_CASE(EnginesTestCase, "ns-3 and the exact recursion agree")
{
    const auto check = [&](const std::string& text, double sameHops) {
        const auto exact = Simulate(text + ",engine=exact");
        const auto network = Simulate(text + ",engine=ns3");
        NS_TEST_ASSERT_MSG_EQ(exact.hops.size(), network.hops.size(), "hops");
        double same = 0;
        double sums[2]{};
        uint64_t drops[2]{};
        uint64_t packets[2]{};
        for (std::size_t i = 0; i < exact.hops.size(); ++i)
        {
            const auto& a = exact.hops[i];
            const auto& b = network.hops[i];
            same += std::abs(a.waitNs - b.waitNs) < 1e-6 * a.waitNs + 1e-6 ? 1 : 0;
            sums[0] += a.waitNs * static_cast<double>(a.packets);
            sums[1] += b.waitNs * static_cast<double>(b.packets);
            drops[0] += a.drops;
            drops[1] += b.drops;
            packets[0] += a.packets;
            packets[1] += b.packets;
        }
        const double n = static_cast<double>(exact.hops.size());
        NS_TEST_EXPECT_MSG_GT_OR_EQ(same / n, sameHops, text << ": equal (queue, flow) pairs");
        NS_TEST_EXPECT_MSG_EQ_TOL(sums[0] / sums[1], 1, 1e-3, text << ": mean waiting");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(packets[0]) / static_cast<double>(packets[1]),
                                  1,
                                  1e-3,
                                  text << ": packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(drops[0]),
                                  static_cast<double>(drops[1]),
                                  0.01 * static_cast<double>(drops[1]),
                                  text << ": drops");
        for (std::size_t i = 0; i < exact.flows.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(exact.flows[i].sent, network.flows[i].sent, "sent by flow " << i);
        }
    };
    const std::string length = "warmup_s=0.02,duration_s=0.15,";
    // Delays and odd sizes make simultaneous arrivals rare.
    check(length + "arrivals=ge,load=0.75,spread=0.3,delay_ns=1234", 0.6);
    check(length + "load=0.75", 0.1);
    check(length + "pattern=incast,arrivals=ge,load=1.4,buffer=9,spread=0.2,delay_ns=1234", 0.2);
    check(length + "load=0.6,routing=split,spread=0.2,delay_ns=77", 0.5);
    check(length + "topology=two-tier,load=0.6,pattern=asymmetric,spread=0.2", 0.5);
}

DCN_TEST_CASE(TrafficTestCase, "Traffic of a configuration")
{
    for (const std::string text : {"load=0.7",
                                   "load=0.7,routing=split",
                                   "load=0.7,rates=uniform,spread=0.01",
                                   "load=0.7,pattern=asymmetric,k=6",
                                   "load=0.7,density=0.3,k=6",
                                   "load=0.7,topology=two-tier,hosts=128,radix=64"})
    {
        const MqlTruthTraffic traffic(MqlTruthConfig::Parse(text));
        const auto utilisation = traffic.GetUtilisation();
        NS_TEST_EXPECT_MSG_EQ_TOL(*std::max_element(utilisation.begin(), utilisation.end()),
                                  0.7,
                                  1e-9,
                                  text << ": busiest link");
        const auto& topology = *traffic.GetTopology();
        for (const auto& flow : traffic.GetFlows())
        {
            double share = 0;
            for (uint32_t s = flow.firstStream; s < flow.firstAck; ++s)
            {
                const auto path = traffic.GetPath(traffic.GetStreams()[s]);
                share += traffic.GetStreams()[s].share;
                NS_TEST_ASSERT_MSG_EQ(topology.GetLink(path[0]).from, flow.src, "source");
                NS_TEST_ASSERT_MSG_EQ(topology.GetLink(path[path.size() - 1]).to,
                                      flow.dst,
                                      "destination");
            }
            NS_TEST_ASSERT_MSG_EQ_TOL(share, 1, 1e-12, text << ": shares of paths");
            const auto back = traffic.GetPath(traffic.GetStreams()[flow.firstAck]);
            NS_TEST_ASSERT_MSG_EQ(topology.GetLink(back[0]).from, flow.dst, "way back");
        }
    }
    auto flows = [](const std::string& text) {
        return MqlTruthTraffic(MqlTruthConfig::Parse(text)).GetFlows().size();
    };
    NS_TEST_EXPECT_MSG_EQ(flows(""), 240, "all to all");
    NS_TEST_EXPECT_MSG_EQ(flows("density=0.25"), 60, "density");
    NS_TEST_EXPECT_MSG_EQ(flows("pattern=incast"), 15, "incast");
    NS_TEST_EXPECT_MSG_EQ(flows("pattern=broadcast"), 15, "broadcast");
    NS_TEST_EXPECT_MSG_EQ(flows("pattern=asymmetric"), 5 + 20 + 5, "asymmetric");
    // In the fat tree k = 4, hosts of different pods have (k / 2)^2 paths.
    const MqlTruthTraffic split(MqlTruthConfig::Parse("routing=split"));
    const MqlTruthFlow& last = split.GetFlows().back();
    NS_TEST_EXPECT_MSG_EQ(last.firstAck - last.firstStream, 1, "paths within a rack");
    NS_TEST_EXPECT_MSG_EQ(split.GetFlows()[14].firstAck - split.GetFlows()[14].firstStream,
                          4,
                          "paths between pods");
    // Two tiers of switches with 8 ports: 4 leaves, 2 spines, 2 parallel links.
    const MqlTruthTraffic two(MqlTruthConfig::Parse("topology=two-tier"));
    NS_TEST_EXPECT_MSG_EQ(two.GetTopology()->GetNLinks(), 2 * (16 + 16), "links");
    std::map<std::pair<uint32_t, uint32_t>, int> parallel;
    for (uint32_t link = 32; link < 64; link += 2)
    {
        const auto& ends = two.GetTopology()->GetLink(link);
        parallel[{ends.from, ends.to}]++;
    }
    NS_TEST_EXPECT_MSG_EQ(parallel.size(), 8, "leaf and spine pairs");
    NS_TEST_EXPECT_MSG_EQ(parallel.begin()->second, 2, "parallel links");
    const MqlTruthTraffic wide(MqlTruthConfig::Parse("topology=two-tier,hosts=128,radix=64"));
    NS_TEST_EXPECT_MSG_EQ(wide.GetTopology()->GetNNodes(), 128 + 4 + 2, "nodes");
}

/// Gaps and sizes that are drawn have the moments that the model gets.
DCN_TEST_CASE(SourceTestCase, "Moments of the packets of a flow")
{
    const MqlTruthTraffic traffic(
        MqlTruthConfig::Parse("arrivals=ge,scv=5,spread=0.4,pattern=incast,load=0.5"));
    MqlPacketSource source(traffic);
    MqlMomentCounter counter;
    int64_t last = 0;
    uint64_t together = 0;
    constexpr uint64_t PACKETS = 400000;
    for (uint64_t i = 0; i < PACKETS; ++i)
    {
        source.Next(3);
        together += source.Get(3).timeNs == last ? 1 : 0;
        last = source.Get(3).timeNs;
        counter.Add(last, source.Get(3).bytes);
    }
    const auto& flow = traffic.GetFlows()[3];
    const auto moments = counter.Get(static_cast<double>(last) * 1e-9);
    NS_TEST_EXPECT_MSG_EQ_TOL(moments.rate / flow.rate, 1, 0.02, "rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(moments.gapScv, 5, 0.15, "SCV of gaps");
    NS_TEST_EXPECT_MSG_EQ_TOL(moments.meanBytes, 500, 1, "size");
    NS_TEST_EXPECT_MSG_EQ_TOL(moments.bytesScv, flow.c2s, 1e-3, "SCV of sizes");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(together) / PACKETS,
                              1 - 2.0 / 6,
                              0.01,
                              "packets that come with the one before");
}

/**
 * @ingroup mql-tests
 * @brief A collector that watches the devices agrees with the packets' own records.
 *
 * The recorder counts packets by their arrival, the collector queues by time: numbers are equal,
 * and the sum of waiting time times size is the integral of the waiting bytes (Little), up to the
 * packets that wait at the beginning and at the end.
 */
class CollectorTestCase : public TestCase
{
  public:
    CollectorTestCase()
        : TestCase("Collector and recorder agree about every queue")
    {
    }

  private:
    void Check(const std::string& text)
    {
        constexpr int64_t START_NS = 100'000'000; // of the recorded time
        constexpr int64_t END_NS = 200'000'000;
        const MqlTruthTraffic traffic(
            MqlTruthConfig::Parse("engine=ns3,warmup_s=0.1,duration_s=0.1," + text));
        const auto& topology = *traffic.GetTopology();
        MqlTruthWatch watch;
        watch.collector = CreateObject<DcnCollector>();
        watch.collector->SetAttribute("Interval", TimeValue(MilliSeconds(20)));
        watch.folder = CreateTempDirFilename("collector");
        const auto result = MqlSimulateTruth(traffic, watch);
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(watch.folder + "/queues.csv"), true, text);
        std::map<std::string, uint32_t> named;
        std::vector<double> byteNs(result.queues.size(), 0);
        for (std::size_t i = 0; i < result.hops.size(); ++i)
        {
            const auto& hop = result.hops[i];
            byteNs[traffic.GetHopLinks()[i]] +=
                hop.waitNs * static_cast<double>(hop.packets) * hop.bytes;
        }
        for (uint32_t link = 0; link < result.queues.size(); ++link)
        {
            uint64_t packets = 0;
            uint64_t drops = 0;
            double longest = 0;
            double seenNs = 0; // integral of the waiting bytes
            std::string name = topology.DescribeLink(link);
            const uint32_t number = ++named[name]; // of parallel links
            name += number == 1 ? "" : "/" + std::to_string(number);
            for (const auto& record : watch.collector->GetQueueRecords(name, "device"))
            {
                longest = std::max(longest, static_cast<double>(record.maxBytes));
                if (record.startNs >= START_NS && record.startNs < END_NS)
                {
                    packets += record.inPackets;
                    drops += record.drops;
                    seenNs += record.meanBytes * static_cast<double>(record.endNs - record.startNs);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(packets, result.queues[link].packets, name << ": packets");
            NS_TEST_EXPECT_MSG_EQ(drops, result.queues[link].drops, name << ": drops");
            const double ends = 2 * longest * (longest + 1502) * 8e9 /
                                static_cast<double>(topology.GetLink(link).rateBps);
            NS_TEST_EXPECT_MSG_EQ_TOL(seenNs,
                                      byteNs[link],
                                      ends + 1e-6 * byteNs[link],
                                      name << ": waiting bytes");
        }
    }

    void DoRun() override
    {
        Check("load=0.7,arrivals=ge");
        Check("load=1.4,arrivals=ge,pattern=incast,buffer=9");
        Check("load=0.7,topology=two-tier");
        MqlTruthWatch watch;
        watch.collector = CreateObject<DcnCollector>();
        DCN_TEST_EXPECT_ERROR(MqlSimulateTruth(MqlTruthTraffic(MqlTruthConfig::Parse("")), watch),
                              "engine=exact has no devices to watch");
    }
};

/// Results are written, found and read; what does not fit is refused.
DCN_TEST_CASE(TruthFilesTestCase, "Files of the ground truth")
{
    const auto config = MqlTruthConfig::Parse("load=0.6,warmup_s=0,duration_s=0.05");
    const MqlTruthTraffic traffic(config);
    const auto result = MqlSimulateTruth(traffic);
    const std::string folder = CreateTempDirFilename("truth");
    NS_TEST_EXPECT_MSG_EQ(MqlHasTruth(config, folder), false, "before");
    MqlWriteTruth(traffic, result, folder);
    NS_TEST_EXPECT_MSG_EQ(MqlHasTruth(config, folder), true, "after");
    const auto run = MqlReadTruth(folder + "/" + config.GetName());
    const auto& again = run.result;
    NS_TEST_EXPECT_MSG_EQ(run.config.ToFullText(), config.ToFullText(), "configuration");
    NS_TEST_ASSERT_MSG_EQ(again.hops.size(), result.hops.size(), "hops");
    NS_TEST_ASSERT_MSG_EQ(again.flows.size(), result.flows.size(), "flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(again.hops[7].waitNs, result.hops[7].waitNs, 1e-3, "waiting");
    NS_TEST_EXPECT_MSG_EQ_TOL(again.flows[5].rttP99Ns, result.flows[5].rttP99Ns, 1, "p99");
    NS_TEST_EXPECT_MSG_EQ(again.queues[3].packets, result.queues[3].packets, "packets");
    const auto other = MqlTruthConfig::Parse("load=0.6,warmup_s=0,duration_s=0.06");
    const std::string sentence = DcnSentenceOf([&]() { MqlHasTruth(other, folder); });
    const bool refused = sentence.find("is of another configuration") != std::string::npos;
    NS_TEST_EXPECT_MSG_EQ(refused, true, sentence);
    // Without a collector; what is in the folder is not simulated again.
    MqlTruthRunOptions options;
    options.config = "pattern=incast,warmup_s=0,duration_s=0.01,engine=ns3";
    options.out = folder;
    const std::string incast = folder + "/" + MqlTruthConfig::Parse(options.config).GetName() + "/";
    MqlRunTruth(options, "dcn-mql-truth");
    const std::string first = DcnReadTestFile(incast + "run.csv");
    MqlRunTruth(options, "another command");
    NS_TEST_EXPECT_MSG_EQ(DcnReadTestFile(incast + "run.csv"), first, "of the first command");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(incast + "collector"), false, "no collector");
    options.interval = NanoSeconds(-1);
    DCN_TEST_EXPECT_ERROR(MqlRunTruth(options, ""),
                          "--interval must be at least 0, but it is -1e-09s");
    // The same seed, the same bytes.
    const auto twice = MqlSimulateTruth(traffic);
    bool same = true;
    for (std::size_t i = 0; i < twice.hops.size(); ++i)
    {
        same = same && twice.hops[i].waitNs == result.hops[i].waitNs;
    }
    NS_TEST_EXPECT_MSG_EQ(same, true, "a second run");
}

DCN_TEST_CASE(TruthConfigTestCase, "Text of a configuration")
{
    const auto config = MqlTruthConfig::Parse("arrivals=ge,load=0.75,spread=0.01,k=8");
    NS_TEST_EXPECT_MSG_EQ(config.GetScv(), 4, "C2 of ge");
    NS_TEST_EXPECT_MSG_EQ(config.GetName(),
                          "ft128_all-to-all_ge4_u0.75_s0.01_ecmp1_exact_1",
                          "name");
    const std::string full =
        "topology=fat-tree,k=8,rate_mbps=100,delay_ns=0,buffer=128,pattern=all-to-all,"
        "density=1,rates=equal,arrivals=ge,scv=4,bytes=500,spread=0.01,ack_bytes=54,load=0.75,"
        "routing=ecmp,hash_seed=1,seed=1,warmup_s=0.2,duration_s=5,engine=exact";
    NS_TEST_EXPECT_MSG_EQ(config.ToFullText(), full, "as it is recorded");
    NS_TEST_EXPECT_MSG_EQ(MqlTruthConfig::Parse(full).ToFullText(), full, "text of the text");
    // release 0.1 recorded keys without effect, too
    const std::string old = "topology=fat-tree,k=8,hosts=16,radix=8,arrivals=poisson,scv=1,trace=";
    NS_TEST_EXPECT_MSG_EQ(MqlTruthConfig::Parse(old, "", true).ToFullText(),
                          MqlTruthConfig::Parse("k=8").ToFullText(),
                          "text of release 0.1");
    // later releases recorded the transport
    const std::string later = full + ",transport=";
    NS_TEST_EXPECT_MSG_EQ(MqlTruthConfig::Parse(later + "udp", "", true).ToFullText(),
                          full,
                          "text of release 0.2");
    const std::string tcp =
        DcnSentenceOf([&]() { MqlTruthConfig::Parse(later + "tcp", "run.csv:2: ", true); });
    NS_TEST_EXPECT_MSG_EQ(tcp.find("run.csv:2: "), 0, tcp);
    NS_TEST_EXPECT_MSG_NE(tcp.find("\"transport\""), std::string::npos, tcp);
    const auto drawn = MqlTruthConfig::Parse("k=4+8,load=0.3:0.8,seed=7");
    const double load = drawn.GetNumber("load");
    NS_TEST_EXPECT_MSG_EQ((load >= 0.3 && load <= 0.8), true, "drawn by the seed");
    NS_TEST_EXPECT_MSG_EQ(MqlTruthConfig::Parse(drawn.ToFullText()).GetNumber("load"),
                          load,
                          "recorded as drawn");
    auto expect = [&](const std::string& text, const std::string& sentence) {
        DCN_TEST_EXPECT_ERROR(MqlTruthConfig::Parse(text, "list:3: "), "list:3: " + sentence);
    };
    expect("load", "\"load\" is not of the form key=value");
    expect("load=2",
           "load must be a number from 1e-06 to 1.5, a range LOW:HIGH or a choice A+B, but it "
           "is \"2\"");
    expect("load=0.5,load=0.6", "the key \"load\" is given twice");
    expect("hosts=16", "hosts=16 has no effect with topology=fat-tree");
    expect("scv=4", "scv=4 has no effect with arrivals=poisson");
    expect("k=5", "k must be even, but it is 5");
    expect("radix=6,topology=two-tier", "radix must be a multiple of 4, but it is 6");
    expect("bytes=100,spread=0.5",
           "spread must be such that packets have 64 to 1502 bytes, but it is 0.5");
    expect("trace=a.csv,load=0.5", "load=0.5 has no effect with trace=a.csv");
    const std::string path = CreateTempDirFilename("list.txt");
    std::ofstream(path) << "# two\nload=0.5\n\nload=0.5,duration_s=9\n";
    DCN_TEST_EXPECT_ERROR(MqlTruthConfig::ReadList(path),
                          path + ":4: the configuration "
                                 "ft16_all-to-all_poisson_u0.5_s0_ecmp1_exact_1 is listed "
                                 "twice");
}

DcnTestSuite<BroadcastTestCase,
             EnginesTestCase,
             TrafficTestCase,
             SourceTestCase,
             CollectorTestCase,
             TruthFilesTestCase,
             TruthConfigTestCase>
    g_mqlTruthTestSuite("mql-truth"); //!< the suite

} // namespace
