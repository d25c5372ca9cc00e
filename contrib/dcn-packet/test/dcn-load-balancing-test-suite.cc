/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/transport/dcn-flow-receiver.h"
#include "../model/transport/dcn-selective-repeat.h"
#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-flow-network.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario-change.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

using namespace ns3;

namespace
{

/**
 * 400 packets of 1 to 9 bytes go through a channel that delays each by a random time and loses a
 * third. At any time bytes sent = acknowledged + in flight + lost, the receiver has exactly the
 * bytes below the first missing one, and in the end all. A packet that is sent again without having
 * been lost by the channel is one that another overtook by more than `reorder`.
 */
DCN_TEST_CASE_OF(ChannelTestCase,
                 int64_t,
                 longestNs,
                 "selective repeat over a lossy channel of " + std::to_string(longestNs) + " ns")
{
    static constexpr int64_t REORDER_NS = 50;
    static constexpr uint64_t WINDOW = 60;
    std::mt19937_64 random(7);
    const auto draw = [&random](uint64_t n) { return random() % n; };
    DcnSelectiveRepeat sender(REORDER_NS, false);
    DcnFlowReceiver receiver;
    receiver.Begin(true);

    struct Packet
    {
        DcnSelectiveRepeat::Range range;
        int64_t sentNs;
        bool isAck;
    };

    std::multimap<int64_t, Packet> channel; // by time of arrival
    std::map<uint64_t, uint64_t> ends;      // of each packet, by its first byte
    uint64_t next = 0;
    uint64_t packets = 0;
    uint64_t missing = 0;
    uint64_t nAgain = 0;
    uint64_t nDropped = 0;
    int64_t nowNs = 0;
    int64_t idleNs = 0;
    while (sender.GetUnacknowledged(next) < next || packets < 400)
    {
        ++nowNs;
        const bool hasLost = sender.HasLost();
        if ((hasLost || packets < 400) && sender.GetInFlightBytes() < WINDOW)
        {
            DcnSelectiveRepeat::Range range{next, static_cast<uint16_t>(1 + draw(9))};
            if (hasLost)
            {
                range = sender.Resend(nowNs);
                NS_TEST_ASSERT_MSG_EQ(ends.at(range.sequence),
                                      range.sequence + range.bytes,
                                      "the same packet");
                ++nAgain;
            }
            else
            {
                next += range.bytes;
                ends[range.sequence] = next;
                sender.OnSend(range, nowNs);
                ++packets;
            }
            if (draw(3) > 0)
            {
                channel.insert(
                    {nowNs + 1 + static_cast<int64_t>(draw(longestNs)), {range, nowNs, false}});
            }
            else
            {
                ++nDropped;
            }
        }
        while (!channel.empty() && channel.begin()->first <= nowNs)
        {
            Packet packet = channel.begin()->second;
            channel.erase(channel.begin());
            idleNs = nowNs;
            if (packet.isAck)
            {
                sender.OnAck(packet.range.sequence, packet.sentNs);
                continue;
            }
            const uint64_t missingBefore = missing;
            receiver.OnData(packet.range.sequence, packet.range.bytes, nowNs, 0);
            missing = receiver.GetExpected();
            NS_TEST_ASSERT_MSG_GT_OR_EQ(missing, missingBefore, "it never goes back");
            NS_TEST_ASSERT_MSG_EQ((missing == next || ends.count(missing) > 0),
                                  true,
                                  "a packet is missing, not a part of one");
            packet.isAck = true;
            channel.insert({nowNs + 1 + static_cast<int64_t>(draw(longestNs)), packet});
        }
        if (nowNs - idleNs > 1000)
        {
            sender.LoseAll(); // timeout
            NS_TEST_ASSERT_MSG_EQ(sender.GetInFlightBytes(), 0, "nothing is left in flight");
            idleNs = nowNs;
        }
        NS_TEST_ASSERT_MSG_LT(sender.GetInFlightBytes(), WINDOW + 9, "the window");
    }
    NS_TEST_EXPECT_MSG_EQ(missing, next, "all arrives");
    NS_TEST_EXPECT_MSG_EQ(sender.GetInFlightBytes(), 0, "and is acknowledged");
    NS_TEST_EXPECT_MSG_EQ(sender.HasLost(), false, "nothing is sent again");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nAgain, nDropped, "every loss is repaired");
    if (longestNs < REORDER_NS / 2)
    {
        NS_TEST_EXPECT_MSG_EQ(nAgain, nDropped, "nothing else is sent again");
    }
}

/// A packet is lost when one that was sent more than `reorder` later is acknowledged, not before.
DCN_TEST_CASE(ReorderTestCase, "selective repeat: overtaking is no loss")
{
    DcnSelectiveRepeat sender(100, false);
    for (uint64_t i = 0; i < 5; ++i)
    {
        sender.OnSend({10 * i, 10}, static_cast<int64_t>(50 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(20, 100), false, "sent 100 ns after the first one");
    NS_TEST_EXPECT_MSG_EQ(sender.HasLost(), false, "not yet");
    NS_TEST_EXPECT_MSG_EQ(sender.GetInFlightBytes(), 40, "four of five");
    NS_TEST_EXPECT_MSG_EQ(sender.GetAcknowledgedBytes(), 10, "one of five, out of order");
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(30, 150), true, "150 ns after the first one");
    NS_TEST_EXPECT_MSG_EQ(sender.GetInFlightBytes(), 20, "the second and the last");
    const auto again = sender.Resend(400);
    NS_TEST_EXPECT_MSG_EQ(again.sequence, 0, "the first one, alone");
    NS_TEST_EXPECT_MSG_EQ(sender.HasLost(), false, "alone");
    NS_TEST_EXPECT_MSG_EQ(sender.GetUnacknowledged(50), 0, "it is missing");
    sender.OnAck(0, 0); // the first transmission arrives late
    NS_TEST_EXPECT_MSG_EQ(sender.GetUnacknowledged(50), 10, "now the second one");
    NS_TEST_EXPECT_MSG_EQ(sender.GetInFlightBytes(), 20, "the second and the last");
    sender.LoseAll();
    NS_TEST_EXPECT_MSG_EQ(sender.Resend(500).sequence, 10, "in order");
    NS_TEST_EXPECT_MSG_EQ(sender.Resend(500).sequence, 40, "in order");
    NS_TEST_EXPECT_MSG_EQ(sender.GetReorderNs(), 100, "as given");

    // sent at 0, 200 and 400; the last one arrives first, the first one after it was taken for lost
    DcnSelectiveRepeat growing(100, true);
    for (uint64_t i = 0; i < 3; ++i)
    {
        growing.OnSend({10 * i, 10}, static_cast<int64_t>(200 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(growing.OnAck(20, 400), true, "the others are lost");
    growing.Resend(500); // the first one
    growing.OnAck(10, 200);
    NS_TEST_EXPECT_MSG_EQ(growing.GetReorderNs(), 200, "overtaken by 200 ns");
    growing.OnAck(0, 0);
    NS_TEST_EXPECT_MSG_EQ(growing.GetReorderNs(), 400, "overtaken by 400 ns");
    NS_TEST_EXPECT_MSG_EQ(growing.GetInFlightBytes(), 0, "all has arrived");
}

/**
 * On one path the next acknowledgement proves a loss. After a change of the path it does so of packets
 * of the new path only; those sent before may be overtaken for a while, and are lost later.
 */
DCN_TEST_CASE(OnePathTestCase, "selective repeat: one path and its changes")
{
    DcnSelectiveRepeat sender(0, false);
    for (uint64_t i = 0; i < 4; ++i)
    {
        sender.OnSend({10 * i, 10}, static_cast<int64_t>(50 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(10, 50), true, "the first one is lost");
    NS_TEST_EXPECT_MSG_EQ(sender.GetInFlightBytes(), 20, "the last two");
    NS_TEST_EXPECT_MSG_EQ(sender.Resend(160).sequence, 0, "alone");
    NS_TEST_EXPECT_MSG_EQ(sender.HasLost(), false, "alone");
    NS_TEST_EXPECT_MSG_EQ(sender.GetReorderNs(), 0, "no window");

    sender.OnPathChange(1000, 160); // packets 0, 2 and 3 are on the path before
    for (uint64_t i = 4; i < 7; ++i)
    {
        sender.OnSend({10 * i, 10}, static_cast<int64_t>(50 * i));
    }
    NS_TEST_EXPECT_MSG_EQ(sender.GetReorderNs(), 1000, "of packets before the change");
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(50, 250), true, "packet 4 is lost, which was sent at 200");
    NS_TEST_EXPECT_MSG_EQ(sender.Resend(360).sequence, 40, "packet 4");
    NS_TEST_EXPECT_MSG_EQ(sender.HasLost(), false, "and no other one");
    sender.OnAck(30, 150);
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(60, 300), false, "packet 2 may be late");
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(0, 160), false, "packet 2 may be late");
    sender.OnSend({70, 10}, 1100);
    sender.OnSend({80, 10}, 1101);
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(40, 360), false, "packet 2 may be late");
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(70, 1100), false, "1000 ns after packet 2");
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(80, 1101), true, "1001 ns after it");
    NS_TEST_EXPECT_MSG_EQ(sender.Resend(1200).sequence, 20, "packet 2");
    sender.OnAck(20, 1200);
    NS_TEST_EXPECT_MSG_EQ(sender.GetUnacknowledged(90), 90, "all has arrived");
    NS_TEST_EXPECT_MSG_EQ(sender.GetReorderNs(), 0, "no window again");
}

/// A network that has run.
struct Outcome
{
    std::vector<int64_t> fctNs; //!< by flow
    double share;               //!< mean of ideal over actual completion times
    uint64_t againBytes;        //!< payload sent again
    uint64_t dropped;           //!< packets
};

/**
 * @param topology the network
 * @param config its configuration
 * @param destinations by host: where it sends to, from time 0 on
 * @param stream random stream
 * @param bytes of a flow
 * @return packets of this traffic
 */
Outcome
RunFlows(Ptr<const DcnTopology> topology,
         Ptr<const DcnNetworkConfig> config,
         const std::vector<uint32_t>& destinations,
         int64_t stream,
         uint64_t bytes)
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < destinations.size(); ++i)
    {
        flows.push_back({i, i, destinations[i], bytes, 0});
    }
    auto scenario = DcnScenario::Create(topology, config, flows);
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->AssignStreams(stream);
    network->Install(scenario);
    network->Run();
    Outcome outcome{network->GetFctNs(),
                    0,
                    network->GetRetransmittedBytes(),
                    network->GetNDropped()};
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto ideal = static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
        outcome.share += ideal / static_cast<double>(outcome.fctNs[i]) /
                         static_cast<double>(flows.size());
    }
    network->Dispose();
    Simulator::Destroy();
    return outcome;
}

/**
 * @param keys of network.csv
 * @param cc congestion control
 * @param stream random stream
 * @param bytes of a flow
 * @return every host of a fat tree with 16 hosts, 10 Gb/s and 1 us sends them to the host half way
 * round, over up to four paths. Packets have 4096 bytes, as in RoCE, so that acknowledgements,
 * which share the links, take 1.5 %; windows and thresholds are those of deep buffers: random
 * choices have long queues where links are full
 */
Outcome
RunPermutation(const std::string& keys,
               const std::string& cc = "dctcp",
               int64_t stream = 1,
               uint64_t bytes = 4'000'000)
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
    config->SetKeys("payload_bytes=4096,window_bytes=480000,buffer_bytes=40000000,"
                    "ecn_kmin_bytes=2000000,ecn_kmax_bytes=2000000");
    config->SetKeys(keys);
    std::vector<uint32_t> destinations;
    for (uint32_t i = 0; i < 16; ++i)
    {
        destinations.push_back((i + 8) % 16);
    }
    return RunFlows(DcnBuildTopology(DcnFatTreeParameters()), config, destinations, stream, bytes);
}

/**
 * Each host sends to one and receives from one, so every host's link could be full. With ECMP some
 * links have several flows: with n flows on its fullest link a flow has 1 / n of the rate. Spread
 * over all paths, each link has as much as a host's; flows have 95 % of line rate or more in turn and
 * by shortest queues, and with go-back-N less than ECMP gives, since nearly every packet that is
 * overtaken costs a window.
 *
 * With random links the numbers of packets of two links differ by a walk of n steps, n those of two
 * flows of m packets. The longer of the two queues is half of the walk's largest distance from its
 * end, sqrt(pi n / 2) / 2 on average. It delays a flow by a part d = sqrt(pi n / 2) / (2 m) of its
 * time at each place where packets mix at random: at one of the four (edge and aggregation, up and
 * down) at least, at each of them at most. So the share is 1 / (1 + 4 d) to 1 / (1 + d), and grows
 * with the flows.
 */
DCN_TEST_CASE(PermutationTestCase, "permutation on a fat tree: spraying and selective repeat")
{
    const Outcome ecmp = RunPermutation("");
    NS_TEST_EXPECT_MSG_LT(ecmp.share, 0.8, "ECMP collides");
    for (const auto& [cc, balancing] : {std::pair<std::string, std::string>{"dctcp", "2"},
                                        {"dctcp", "4"},
                                        {"dcqcn", "4"},
                                        {"swift", "4"}})
    {
        const Outcome sprayed =
            RunPermutation("load_balancing=" + balancing + ",selective_repeat=1", cc);
        NS_TEST_EXPECT_MSG_GT(sprayed.share, 0.95, cc << ", load_balancing " << balancing);
        NS_TEST_EXPECT_MSG_EQ(sprayed.againBytes, 0, cc << ", load_balancing " << balancing);
    }
    for (const uint64_t bytes : {1'000'000, 4'000'000, 16'000'000})
    {
        constexpr int64_t STREAMS = 4;
        const double m = std::ceil(static_cast<double>(bytes) / 4096);
        const double d = std::sqrt(M_PI * 2 * m / 2) / (2 * m);
        double share = 0;
        double again = 0;
        for (int64_t stream = 1; stream <= STREAMS; ++stream)
        {
            const Outcome random = RunPermutation("load_balancing=1,selective_repeat=1",
                                                  "dctcp",
                                                  stream,
                                                  bytes);
            share += random.share / STREAMS;
            again += static_cast<double>(random.againBytes) /
                     (16 * static_cast<double>(bytes) * STREAMS);
        }
        NS_TEST_EXPECT_MSG_GT(share, 1 / (1 + 4 * d), "random links, " << bytes << " bytes");
        NS_TEST_EXPECT_MSG_LT(share, 1 / (1 + d), "random links, " << bytes << " bytes");
        NS_TEST_EXPECT_MSG_LT(again, 0.01, "few are taken for lost, " << bytes << " bytes");
        NS_TEST_EXPECT_MSG_EQ((share > 0.95), (bytes == 16'000'000), "95 % with long flows: " << share);
    }
    const Outcome goBack = RunPermutation("load_balancing=1");
    for (const int64_t fctNs : goBack.fctNs)
    {
        NS_TEST_EXPECT_MSG_GT(fctNs, 0, "every flow ends");
    }
    NS_TEST_EXPECT_MSG_GT(goBack.againBytes, 16 * 4'000'000, "all is sent twice or more");
    NS_TEST_EXPECT_MSG_LT(goBack.share, ecmp.share, "less than ECMP gives");
}

/**
 * Random permutations of the 128 hosts of a fat tree (k = 8, 100 Gb/s, 1 us), 16 paths between pods,
 * with ten times the windows, thresholds and buffers of RunPermutation. Random links reach 95 % of the
 * ideal rate. Links in turn and by shortest queues do not: dcn-packet.rst has the shares.
 */
DCN_TEST_CASE(LargePermutationTestCase, "random permutations on a fat tree of 128 hosts")
{
    DcnFatTreeParameters tree;
    tree.k = 8;
    tree.linkRate = DataRate(100'000'000'000);
    const Ptr<DcnTopology> topology = DcnBuildTopology(tree);
    for (const std::string balancing : {"0", "1", "2", "4"})
    {
        double share = 0;
        constexpr uint64_t SEEDS = 4;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
        {
            Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp", 100'000'000'000);
            config->SetKeys("payload_bytes=4096,window_bytes=4800000,buffer_bytes=400000000,"
                            "ecn_kmin_bytes=2000000,ecn_kmax_bytes=2000000,selective_repeat=1,"
                            "load_balancing=" +
                            balancing);
            std::vector<uint32_t> destinations(128);
            std::iota(destinations.begin(), destinations.end(), 0);
            Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
            DcnRandom(seed).Assign(uniform, DcnPurpose::LINK_DELAYS, 1);
            const auto isOwn = [&]() { // a host that would send to itself
                for (uint32_t i = 0; i < destinations.size(); ++i)
                {
                    if (destinations[i] == i)
                    {
                        return true;
                    }
                }
                return false;
            };
            while (isOwn())
            {
                DcnShuffle(destinations, *uniform);
            }
            share += RunFlows(topology,
                              config,
                              destinations,
                              static_cast<int64_t>(seed),
                              16'000'000)
                         .share /
                     SEEDS;
        }
        if (balancing == "0")
        {
            NS_TEST_EXPECT_MSG_LT(share, 0.6, "ECMP collides");
        }
        else if (balancing == "1")
        {
            NS_TEST_EXPECT_MSG_GT(share, 0.95, "random links");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(share, 0.7, "load_balancing " << balancing);
        }
    }
}

/**
 * Flowlets: with a gap that never comes a flow stays on one path, is never reordered, and go-back-N
 * has nothing to repeat. With a gap of 1 ns every packet is a flowlet, as with random links.
 */
DCN_TEST_CASE(FlowletTestCase, "flowlets")
{
    const Outcome fixed = RunPermutation("load_balancing=3,flowlet_gap_ns=1000000000");
    NS_TEST_EXPECT_MSG_EQ(fixed.againBytes, 0, "one path each");
    NS_TEST_EXPECT_MSG_LT(fixed.share, 0.8, "which collide");
    const Outcome shortGap = RunPermutation("load_balancing=3,flowlet_gap_ns=1,selective_repeat=1");
    NS_TEST_EXPECT_MSG_GT(shortGap.share, 0.9, "every packet is a flowlet");
}

/// The same seeds give the same times; other streams, seeds and runs others, where links are drawn.
DCN_TEST_CASE(SeedTestCase, "draws of links are those of the seed")
{
    const std::string keys = "load_balancing=1,selective_repeat=1";
    const auto first = RunPermutation(keys).fctNs;
    NS_TEST_EXPECT_MSG_EQ((RunPermutation(keys).fctNs == first), true, "again");
    NS_TEST_EXPECT_MSG_EQ((RunPermutation(keys, "dctcp", 2).fctNs == first), false, "stream");
    RngSeedManager::SetRun(RngSeedManager::GetRun() + 1);
    NS_TEST_EXPECT_MSG_EQ((RunPermutation(keys).fctNs == first), false, "run");
    RngSeedManager::SetRun(RngSeedManager::GetRun() - 1);
    const std::string inTurn = "load_balancing=2,selective_repeat=1";
    NS_TEST_EXPECT_MSG_EQ((RunPermutation(inTurn).fctNs == RunPermutation(inTurn).fctNs),
                          true,
                          "in turn");
}

/// Without losses and on one path, selective repeat changes no completion time.
DCN_TEST_CASE(SamePathTestCase, "selective repeat on one path")
{
    NS_TEST_EXPECT_MSG_EQ((RunPermutation("selective_repeat=1").fctNs == RunPermutation("").fctNs),
                          true,
                          "equal to the nanosecond");
}

/**
 * Losses: a burst of 16 windows overflows a small buffer. All arrives with both; selective repeat
 * sends again about as much as was lost (a packet is 1000 bytes), go-back-N more.
 */
DCN_TEST_CASE(LossTestCase, "selective repeat sends again little but what was lost")
{
    double again[2]; // bytes per packet lost
    for (const char* selective : {"0", "1"})
    {
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        config->SetKeys("window_bytes=100000,buffer_bytes=300000,pfc=0,min_rate_bps=10000000");
        config->SetKeys(std::string("selective_repeat=") + selective);
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < 16; ++i)
        {
            flows.push_back({i, i, 16, 300'000, 0});
        }
        auto scenario = DcnScenario::Create(DcnMakeStar(17), config, flows);
        const DcnPacketTestNetwork network(scenario);
        network->Run();
        for (const int64_t fctNs : network->GetFctNs())
        {
            NS_TEST_EXPECT_MSG_GT(fctNs, 0, "every flow ends");
        }
        NS_TEST_EXPECT_MSG_GT(network->GetNDropped(), 100, "much is lost");
        again[selective[0] - '0'] = static_cast<double>(network->GetRetransmittedBytes()) /
                                    static_cast<double>(network->GetNDropped());
    }
    NS_TEST_EXPECT_MSG_GT(again[1], 999, "what is lost is sent again");
    NS_TEST_EXPECT_MSG_LT(again[1], 1050, "and hardly anything else");
    NS_TEST_EXPECT_MSG_GT(again[0], 1.2 * again[1], "go-back-N sends more");
}

/// Messages of a connection arrive and are acknowledged once each and in order, though packets do
/// not.
DCN_TEST_CASE(MessagesTestCase, "messages over many paths")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->SetKeys("load_balancing=1,selective_repeat=1,window_bytes=40000,buffer_bytes=2000000");
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
    DcnFlowNetworkHelper helper("packet");
    helper.SetConfig(config);
    Ptr<DcnFlowNetwork> network = helper.Install(topology);
    std::vector<uint64_t> completed;
    std::vector<uint64_t> acknowledged;
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>(
            [&completed](uint64_t flow, Time) { completed.push_back(flow); }));
    network->TraceConnectWithoutContext(
        "FlowAcknowledged",
        Callback<void, uint64_t, Time>(
            [&acknowledged](uint64_t flow, Time) { acknowledged.push_back(flow); }));
    const NodeContainer& nodes = topology->GetNodes();
    for (uint32_t i = 0; i < 16; ++i)
    {
        network->Connect(nodes.Get(i), nodes.Get((i + 8) % 16));
    }
    for (uint64_t message = 0; message < 640; ++message)
    {
        network->AddMessage(message % 16, 1 + 977 * (message % 23)); // some less than a packet
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    for (const auto* all : {&completed, &acknowledged})
    {
        NS_TEST_EXPECT_MSG_EQ(all->size(), 640, "every message");
        std::vector<uint64_t> latest(16, 0);
        for (const uint64_t message : *all)
        {
            NS_TEST_EXPECT_MSG_GT(message + 1, latest[message % 16], "once, and in order");
            latest[message % 16] = message + 1;
        }
    }
    network->Dispose();
    Simulator::Destroy();
}

/// What cannot work is refused.
DCN_TEST_CASE(ManyPathsRefusalTestCase, "refusals of many paths")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->SetKeys("load_balancing=1");
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
    auto scenario = DcnScenario::Create(topology, config, {{0, 0, 8, 1000, 0}});
    for (const std::string& method : DcnEstimator::GetNames())
    {
        auto estimator = DcnEstimator::CreateByName(method);
        if (!estimator->HasManyPaths() && !estimator->TakesMergedLinks())
        {
            DCN_TEST_EXPECT_ERROR(estimator->Estimate(scenario),
                                  method + " gives each flow one path, but load_balancing is 1: "
                                           "take packet, or load_balancing=0");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(DcnEstimator::CreateByName("tcp")->TakesMergedLinks(), false, "a truth");
    Ptr<DcnNetworkConfig> hpcc = DcnNetworkConfig::Preset("hpcc");
    hpcc->SetKeys("load_balancing=4");
    DCN_TEST_EXPECT_ERROR(DcnScenario::Create(topology, hpcc, {{0, 0, 8, 1000, 0}}),
                          "hpcc compares reports of successive packets of a flow, which have one "
                          "path, but load_balancing is 4: take another congestion control, or "
                          "load_balancing=0");
    Ptr<DcnNetworkConfig> power = DcnNetworkConfig::Preset("powertcp");
    power->SetKeys("load_balancing=1");
    DCN_TEST_EXPECT_ERROR(DcnScenario::Create(topology, power, {{0, 0, 8, 1000, 0}}),
                          "powertcp compares reports of successive packets of a flow, which have "
                          "one path, but load_balancing is 1: take another congestion control, or "
                          "load_balancing=0");
    // paths that packets would leave, and hosts that they would reach by other links
    std::unordered_map<uint64_t, DcnScenario::PinnedPath> pinned;
    pinned[0].nodes.nodes = {0, 16, 8};
    DCN_TEST_EXPECT_ERROR(
        DcnScenario::Create(topology, config, {{0, 0, 8, 1000, 0}}, pinned),
        "paths of flows are given, but load_balancing is 1, with which packets choose their links: "
        "leave paths.csv away, or take load_balancing=0");
    DcnScenarioChange change;
    change.FailLink(scenario->GetPath(0)[1]);
    DCN_TEST_EXPECT_ERROR(change.Apply(scenario),
                          "DcnScenarioChange::FailLink gives each flow one path, but load_balancing "
                          "is 1: take packet, or load_balancing=0");
    DcnTopologyBuilder builder;
    for (const DcnNodeKind kind :
         {DcnNodeKind::HOST, DcnNodeKind::HOST, DcnNodeKind::SWITCH, DcnNodeKind::SWITCH})
    {
        builder.AddNode(kind);
    }
    for (const uint32_t leaf : {2, 3})
    {
        builder.AddLink(0, leaf, DataRate("10Gbps"), MicroSeconds(1));
    }
    builder.AddLink(1, 2, DataRate("10Gbps"), MicroSeconds(1));
    builder.AddLink(2, 3, DataRate("10Gbps"), MicroSeconds(1));
    auto multiHomed = DcnScenario::Create(builder.Build(), config, {{0, 0, 1, 1000, 0}});
    DCN_TEST_EXPECT_ERROR(DcnEstimator::CreateByName("packet")->Estimate(multiHomed),
                          "packets of a flow would reach host 0 by several switches, but "
                          "load_balancing is 1: link each host with one switch, or take "
                          "load_balancing=0");
    Simulator::Destroy();
    const auto check = [](const std::string& keys) {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        network->SetKeys(keys);
        network->Check({10 * DCN_GBPS});
    };
    DCN_TEST_EXPECT_ERROR(check("load_balancing=2,flowlet_gap_ns=5"),
                          "flowlet_gap_ns is 5, which has no effect without load_balancing 3");
    DCN_TEST_EXPECT_ERROR(check("reorder_window_ns=5"),
                          "reorder_window_ns is 5, which has no effect without selective_repeat");
    DCN_TEST_EXPECT_ERROR(check("load_balancing=5"),
                          "load_balancing cannot be \"5\"; it takes a whole number from 0 to 4");
}

/// The suite.
class DcnLoadBalancingTestSuite : public TestSuite
{
  public:
    DcnLoadBalancingTestSuite()
        : TestSuite("dcn-packet-load-balancing", Type::UNIT)
    {
        for (TestCase* each : std::initializer_list<TestCase*>{new ChannelTestCase(1),
                                                               new ChannelTestCase(20),
                                                               new ChannelTestCase(300),
                                                               new ReorderTestCase,
                                                               new OnePathTestCase,
                                                               new PermutationTestCase,
                                                               new FlowletTestCase,
                                                               new SeedTestCase,
                                                               new SamePathTestCase,
                                                               new LossTestCase,
                                                               new MessagesTestCase,
                                                               new ManyPathsRefusalTestCase})
        {
            AddTestCase(each);
        }
        AddTestCase(new LargePermutationTestCase, DCN_TEST_EXTENSIVE(DcnLoadBalancingTestSuite));
    }
};

DcnLoadBalancingTestSuite g_dcnLoadBalancingTestSuite; //!< the suite

} // namespace
