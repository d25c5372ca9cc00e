/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"

#include "ns3/dcn-estimator.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RESERVE = 4096; //!< r of DcnPacketSwitch [bytes]

/// Takes the PFC frames of a port.
class PfcLog : public DcnPacketSwitch::PfcSender
{
  public:
    void SendPfc(bool pause, uint32_t /* frameBytes */, int64_t /* nowNs */) override
    {
        sent.push_back(pause);
    }

    std::vector<bool> sent; //!< true: PAUSE, false: RESUME
};

/**
 * A switch with two ports of 10 Gb/s and 1 us has h = 3750. Of 40,000 shared bytes that are free
 * but for S, port 0 may take T = (40000 - S) / 4. Frames of 1000 bytes: the twelfth makes S = 7904
 * and T = 8024, no pause; the thirteenth would make S > T, goes to H, and the switch pauses. Then H
 * is empty after one departure, and S + 3072 <= T from S = 4904 on, after three further ones.
 */
DCN_TEST_CASE(ThresholdTestCase, "pauses and resumes at the thresholds")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    constexpr uint64_t HEADROOM = 3750;
    config->bufferBytes = 2 * (RESERVE + HEADROOM) + 40'000;
    PfcLog log;
    Ptr<DcnPacketSwitch> forwarder = CreateObject<DcnPacketSwitch>();
    const DcnPacketSwitch::Port port{&log, 10 * DCN_GBPS, 1000};
    forwarder->Configure(*config, {port, port}, 10 * DCN_GBPS, "2", {true, false, 43, 1048, 0});
    NS_TEST_EXPECT_MSG_EQ(forwarder->GetSetAsideBytes(), 2 * (RESERVE + HEADROOM), "set aside");
    for (int i = 1; i <= 12; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(forwarder->Admit(0, 1000, i), true, "frame " << i);
        NS_TEST_EXPECT_MSG_EQ(log.sent.size(), 0, "no pause at frame " << i);
    }
    for (int i = 13; i <= 15; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(forwarder->Admit(0, 1000, i), true, "headroom has three frames");
        NS_TEST_EXPECT_MSG_EQ((log.sent == std::vector<bool>{true}), true, "a pause");
    }
    NS_TEST_EXPECT_MSG_EQ(forwarder->Admit(0, 1000, 16), false, "but no fourth one");
    NS_TEST_EXPECT_MSG_EQ(forwarder->GetNDropped(), 1, "dropped");
    for (int i = 1; i <= 5; ++i) // three from H, then S = 6904 and 5904
    {
        forwarder->Release(0, 1000, 16 + i);
        NS_TEST_EXPECT_MSG_EQ(log.sent.size(), 1, "no resume after " << i << " departures");
    }
    forwarder->Release(0, 1000, 22);
    NS_TEST_EXPECT_MSG_EQ((log.sent == std::vector<bool>{true, false}), true, "S = 4904");
    NS_TEST_EXPECT_MSG_EQ(forwarder->GetBufferedBytes(), 9000, "15 less 6 frames");
}

/// What a scenario of pauses has shown.
struct Outcome
{
    uint64_t nDropped; //!< frames
    uint64_t nPauses;  //!< pauses
    bool isComplete;   //!< every flow was delivered
};

/**
 * @param scenario to simulate
 * @param isLossless attribute LosslessHeadroom
 * @return what it shows
 */
Outcome
Simulate(Ptr<const DcnScenario> scenario, bool isLossless)
{
    const DcnPacketTestNetwork network(scenario, "LosslessHeadroom", BooleanValue(isLossless));
    network->Run();
    const auto& fct = network->GetFctNs();
    return {network->GetNDropped(),
            network->GetNPauses(),
            std::all_of(fct.begin(), fct.end(), [](int64_t fctNs) { return fctNs > 0; })};
}

/**
 * @param topology a network
 * @param config its configuration
 * @return the most bytes that a switch sets aside with a lossless headroom
 */
uint64_t
GetSetAside(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    Ptr<DcnNetworkConfig> large = CopyObject(config);
    large->bufferBytes = 1'000'000'000'000;
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->SetAttribute("LosslessHeadroom", BooleanValue(true));
    network->Install(topology, large);
    uint64_t bytes = 0;
    for (const auto& forwarder : network->GetSwitches())
    {
        bytes = std::max(bytes, forwarder->GetSetAsideBytes());
    }
    network->Dispose();
    Simulator::Destroy();
    return bytes;
}

/**
 * @param nSenders hosts that send to another one
 * @param rateBps of all links [bit/s]
 * @param delayNs of all links [ns]
 * @return a star of them and the receiver
 */
Ptr<DcnTopology>
MakeStar(uint32_t nSenders, uint64_t rateBps, int64_t delayNs)
{
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i <= nSenders; ++i)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    builder.AddNode(DcnNodeKind::SWITCH);
    for (uint32_t i = 0; i <= nSenders; ++i)
    {
        builder.AddLink(i, nSenders + 1, rateBps, delayNs);
    }
    return builder.Build();
}

/**
 * @param cc congestion control
 * @return its preset for 10 Gb/s with PFC, without a window and marks: with most controls senders
 * stop at pauses only
 */
Ptr<DcnNetworkConfig>
MakeGreedyConfig(const std::string& cc = "dctcp")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
    config->pfc = true;
    config->windowBytes = 0;
    config->ecnPmax = 0;
    config->ecnKminBytes = 0;
    config->ecnKmaxBytes = 1'000'000'000'000;
    return config;
}

/**
 * 32 senders at line rate, each of which receives at line rate, too, so that every PAUSE waits for
 * a frame, and a buffer that holds little more than what is set aside. The headroom must have the
 * frame that leads to the pause, the one that the PAUSE waits for, and the one that the sender has
 * begun: of 10 Gb/s and 1 us, 3 x 1048 + 43 + 2500 bytes and 3 ns.
 */
DCN_TEST_CASE(ReverseTestCase, "lossless headroom: pauses wait for frames of the other direction")
{
    constexpr uint32_t N = 32;
    Ptr<DcnTopology> topology = MakeStar(N, 10 * DCN_GBPS, 1000);
    Ptr<DcnNetworkConfig> config = MakeGreedyConfig();
    const uint64_t setAside = GetSetAside(topology, config);
    NS_TEST_EXPECT_MSG_EQ(setAside, (N + 1) * (RESERVE + 3 * 1048 + 43 + 2503 + 1), "by hand");
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < N; ++i)
    {
        flows.push_back({2 * i, i, N, 40'000, 0});
        flows.push_back({2 * i + 1, i, (i + 1) % N, 400'000, 0});
    }
    uint64_t nPauses = 0;
    for (const uint64_t more : {0, 500, 2000, 20'000})
    {
        config->bufferBytes = setAside + more;
        for (int64_t jitterNs : {0, 37, 411})
        {
            for (DcnFlow& flow : flows)
            {
                flow.startNs = static_cast<int64_t>(flow.src) * jitterNs;
            }
            const Outcome outcome = Simulate(DcnScenario::Create(topology, config, flows), true);
            NS_TEST_EXPECT_MSG_EQ(outcome.nDropped, 0, more << " bytes more, jitter " << jitterNs);
            NS_TEST_EXPECT_MSG_EQ(outcome.isComplete, true, "all is delivered");
            nPauses += outcome.nPauses;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nPauses, 1000, "pauses");
}

/**
 * The product of rate and delay is nothing on cables without delay, so that PFC loses packets with
 * the headroom of the evaluations, and none with the lossless one.
 */
DCN_TEST_CASE(ShortCableTestCase, "lossless headroom: cables of 0 and 100 ns")
{
    constexpr uint32_t N = 16;
    for (const int64_t delayNs : {0, 100})
    {
        Ptr<DcnTopology> topology = MakeStar(N, 100 * DCN_GBPS, delayNs);
        Ptr<DcnNetworkConfig> config = MakeGreedyConfig();
        config->bufferBytes = std::max<uint64_t>(168'000, GetSetAside(topology, config));
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < N; ++i)
        {
            flows.push_back({i, i, N, 100'000, 0});
        }
        auto scenario = DcnScenario::Create(topology, config, flows);
        NS_TEST_EXPECT_MSG_GT(Simulate(scenario, false).nDropped, 50, delayNs << " ns");
        const Outcome outcome = Simulate(scenario, true);
        NS_TEST_EXPECT_MSG_EQ(outcome.nDropped, 0, delayNs << " ns, lossless");
        NS_TEST_EXPECT_MSG_GT(outcome.nPauses, 0, delayNs << " ns, lossless");
        NS_TEST_EXPECT_MSG_EQ(outcome.isComplete, true, "all is delivered");
    }
}

/**
 * @ingroup dcn-packet-tests
 * @brief Random trees of switches with PFC and buffers just above what is set aside: nothing is
 * lost, everything arrives. Rates of 10 to 800 Gb/s, equal or not, cables of 0 ns to 5 us, frames
 * of equal and of unequal sizes, one to three receivers, traffic in the other direction, and
 * acknowledgements in either class.
 */
class RandomTestCase : public TestCase
{
  public:
    /**
     * @param first seed of the first scenario
     * @param n scenarios
     */
    RandomTestCase(uint32_t first, uint32_t n)
        : TestCase("lossless headroom: random scenarios from " + std::to_string(first)),
          m_first(first),
          m_n(n)
    {
    }

  private:
    using Generator = std::mt19937_64; //!< independent of the random numbers under test

    /**
     * @param random generator
     * @param values some
     * @return one of them
     */
    template <typename Value>
    static Value Pick(Generator& random, const std::vector<Value>& values)
    {
        return values[random() % values.size()];
    }

    void DoRun() override
    {
        uint32_t nPaused = 0;
        for (uint32_t seed = m_first; seed < m_first + m_n; ++seed)
        {
            const Outcome outcome = Simulate(Make(seed), true);
            NS_TEST_EXPECT_MSG_EQ(outcome.nDropped, 0, "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(outcome.isComplete, true, "seed " << seed);
            nPaused += outcome.nPauses > 0 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(nPaused, m_n * 9 / 10, "pauses");
    }

    /**
     * @param seed of everything in it
     * @return a scenario
     */
    static Ptr<const DcnScenario> Make(uint32_t seed)
    {
        Generator random(seed);
        const std::vector<uint64_t> gbps{10, 25, 40, 100, 200, 400, 800};
        const std::vector<int64_t> delays{0, 1, 7, 20, 100, 500, 1000, 5000};
        const uint64_t hostGbps = Pick(random, gbps);
        const bool isEqual = random() % 2 == 0;
        const auto nHosts = static_cast<uint32_t>(4 + random() % 21);
        const auto nSwitches = static_cast<uint32_t>(1 + random() % 3);
        DcnTopologyBuilder builder;
        for (uint32_t i = 0; i < nHosts + nSwitches; ++i)
        {
            builder.AddNode(i < nHosts ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
        }
        uint64_t productBytes = 0; // largest of rate and round trip
        const auto link = [&](uint32_t a, uint32_t b) {
            const uint64_t rate = isEqual ? hostGbps : Pick(random, gbps);
            const int64_t delayNs = Pick(random, delays);
            builder.AddLink(a, b, rate * DCN_GBPS, delayNs);
            productBytes = std::max(productBytes, rate * 2 * static_cast<uint64_t>(delayNs) / 8);
        };
        for (uint32_t i = 1; i < nSwitches; ++i)
        {
            link(nHosts, nHosts + i); // a tree: pauses cannot wait for each other
        }
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            link(i, nHosts + static_cast<uint32_t>(random() % nSwitches));
        }
        Ptr<DcnTopology> topology = builder.Build();
        Ptr<DcnNetworkConfig> config =
            MakeGreedyConfig(Pick<std::string>(random, {"dctcp", "dcqcn", "timely"}));
        config->payloadBytes = Pick<uint32_t>(random, {256, 1000, 1500, 4096, 9000});
        config->ackHighPriority = random() % 2 == 0;
        config->pfcAlphaShift = static_cast<uint32_t>(random() % 4);
        config->minRate = DataRate(DCN_GBPS);
        config->bufferBytes = GetSetAside(topology, config) + random() % 3 * 5000;
        const auto nReceivers = static_cast<uint32_t>(1 + random() % 3);
        const bool isReverse = random() % 3 > 0;
        std::vector<DcnFlow> flows;
        const auto add = [&](uint32_t src, uint32_t dst, uint64_t bytes) {
            if (src != dst)
            {
                flows.push_back(
                    {flows.size(), src, dst, bytes, static_cast<int64_t>(random() % 1000)});
            }
        };
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            // more than a port can hold, in whole packets, or in two flows with short last ones
            const uint64_t bytes = productBytes + 10'000 + random() % 50'000;
            const auto receiver = static_cast<uint32_t>(random() % nReceivers);
            add(i, receiver, bytes / config->payloadBytes * config->payloadBytes);
            add(i, receiver, 1 + random() % (2 * config->payloadBytes));
            if (isReverse)
            {
                add(receiver, i, bytes / 2);
                add(static_cast<uint32_t>(random() % nHosts), i, bytes / 2);
            }
        }
        return DcnScenario::Create(topology, config, flows, {}, seed);
    }

    uint32_t m_first; //!< seed of the first scenario
    uint32_t m_n;     //!< scenarios
};

/// A link whose shortest frames take no time has no bound of what arrives.
DCN_TEST_CASE(GrainTestCase, "lossless headroom with whole nanoseconds")
{
    Ptr<DcnNetworkConfig> config = MakeGreedyConfig();
    config->timeGrainNs = 1;
    config->bufferBytes = 10'000'000;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 8; ++i)
    {
        flows.push_back({i, i, 8, 100'000, 0});
    }
    for (const uint64_t rate : {10, 40, 100, 300})
    {
        Ptr<DcnTopology> topology = MakeStar(8, rate * DCN_GBPS, 500);
        config->bufferBytes = GetSetAside(topology, config);
        const Outcome outcome = Simulate(DcnScenario::Create(topology, config, flows), true);
        NS_TEST_EXPECT_MSG_EQ(outcome.nDropped, 0, rate << " Gb/s");
        NS_TEST_EXPECT_MSG_GT(outcome.nPauses, 0, rate << " Gb/s");
    }
    auto fast = DcnScenario::Create(MakeStar(8, 400 * DCN_GBPS, 500), config, flows);
    DCN_TEST_EXPECT_ERROR(Simulate(fast, true),
                          "no headroom is lossless at 400000000000 bit/s with time_grain_ns 1, "
                          "where frames of 43 bytes take no time: take time_grain_ns=0, or "
                          "LosslessHeadroom=false");
    Simulator::Destroy();
}

/// The report of losses under PFC names what prevents them, and that does.
DCN_TEST_CASE(ReportTestCase, "losses under PFC are reported with their remedy")
{
    constexpr uint32_t N = 32;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < N; ++i)
    {
        flows.push_back({i, i, N, 100'000, 0});
    }
    const auto estimate = [&](bool pfc, const std::string& method) {
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        config->pfc = pfc;
        const DcnEstimate answer = DcnEstimator::CreateByName(method)->Estimate(
            DcnScenario::Create(DcnMakeStar(N + 1), config, flows));
        Simulator::Destroy();
        return answer;
    };
    const auto getDropped = [](const DcnEstimate& answer) {
        return static_cast<uint64_t>(
            std::find_if(answer.events.begin(), answer.events.end(), [](const auto& event) {
                return event.first == "dropped_packets";
            })->second);
    };
    const DcnEstimate lossy = estimate(true, "packet");
    NS_TEST_EXPECT_MSG_GT(getDropped(lossy), 1, "the headroom of the evaluations is too small");
    const std::string note =
        std::to_string(getDropped(lossy)) +
        " packets were dropped although PFC is on: the published headroom (three one-way "
        "bandwidth-delay products of a link) is too small here, and the attribute LosslessHeadroom "
        "(packet:LosslessHeadroom=true in --methods, or "
        "--ns3::DcnPacketNetwork::LosslessHeadroom=true) prevents these losses";
    const std::vector<std::string> notes{note};
    NS_TEST_EXPECT_MSG_EQ((lossy.notes == notes), true, "one note");
    DcnEstimate copy;
    copy.ReadTimes(lossy.WriteTimes());
    NS_TEST_EXPECT_MSG_EQ((copy.notes == notes), true, "from another process, too");

    const DcnEstimate lossless = estimate(true, "packet:LosslessHeadroom=true");
    NS_TEST_EXPECT_MSG_EQ(getDropped(lossless), 0, "what the note promises");
    NS_TEST_EXPECT_MSG_EQ(lossless.notes.size(), 0, "nothing to say");
    NS_TEST_EXPECT_MSG_EQ(lossless.provenance,
                          "packet-level simulation, dctcp, lossless headroom",
                          "provenance");
    const DcnEstimate without = estimate(false, "packet");
    NS_TEST_EXPECT_MSG_GT(getDropped(without), 0, "losses without PFC");
    NS_TEST_EXPECT_MSG_EQ(without.notes.size(), 0, "are as expected");
}

/// The buffer of a preset grows with the ports of a switch that it cannot hold, and of no other.
DCN_TEST_CASE(GrowthTestCase, "buffers of presets grow with the ports")
{
    constexpr uint32_t N = 256;
    constexpr uint64_t RATE = 100 * DCN_GBPS;
    constexpr uint64_t PORT = RESERVE + 37'500; // r + h of 100 Gb/s and 1 us
    DcnDumbbellParameters dumbbell;
    dumbbell.senders = N;
    dumbbell.receivers = 2;
    dumbbell.edgeRate = dumbbell.bottleneckRate = DataRate(RATE);
    Ptr<DcnTopology> topology = DcnBuildTopology(dumbbell);
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp", RATE);
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < N; ++i)
    {
        flows.push_back({i, i, N, 1000, 0});
    }
    {
        const DcnPacketTestNetwork network(DcnScenario::Create(topology, config, flows));
        NS_TEST_EXPECT_MSG_EQ(network->GetSwitches()[0]->GetBufferBytes(),
                              3 * (N + 1) * PORT,
                              "three times reserves and headroom");
        NS_TEST_EXPECT_MSG_EQ(network->GetSwitches()[1]->GetBufferBytes(),
                              4'096'000,
                              "of the preset");
        network->Run();
        NS_TEST_EXPECT_MSG_EQ(network->GetUnfinished().size(), 0, "all is delivered");
    }
    const std::string sentence = " sets aside " + std::to_string((N + 1) * PORT) +
                                 " bytes as reserve and headroom of its 257 ports, but "
                                 "buffer_bytes is 4000000; a buffer of three times as much leaves "
                                 "them a share: buffer_bytes=" +
                                 std::to_string(3 * (N + 1) * PORT);
    config->SetKey("buffer_bytes", "4000000");
    DCN_TEST_EXPECT_ERROR(
        CreateObject<DcnPacketNetwork>()->Install(DcnScenario::Create(topology, config, flows)),
        "switch 258" + sentence);
    Simulator::Destroy();
    // the preset's value in a file is the preset's
    config = DcnNetworkConfig::Preset("dctcp", RATE);
    config->SetKey("buffer_bytes", "4096000");
    const DcnPacketTestNetwork network(DcnScenario::Create(topology, config, flows));
    NS_TEST_EXPECT_MSG_EQ(network->GetSwitches()[0]->GetBufferBytes(), 3 * (N + 1) * PORT, "file");
}

/// The sentence of a buffer in which a frame never fits names the least one in which it does.
DCN_TEST_CASE(LeastBufferTestCase, "a frame that never fits: the buffer that suffices")
{
    const auto install = [](uint64_t bufferBytes) {
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        config->payloadBytes = 9000;
        config->bufferBytes = bufferBytes;
        const DcnPacketTestNetwork network(
            DcnScenario::Create(DcnMakeStar(2), config, {{0, 0, 1, 100'000, 0}}));
        network->Run();
        return network->GetUnfinished().size();
    };
    // 2 * (4096 + 3750) + 4 * 9048
    constexpr uint64_t LEAST = 51'884;
    const std::string begin = "switch 2 can never admit a frame of 9048 bytes: of buffer_bytes ";
    const std::string end = " shared bytes, and its headroom is 3750; the least buffer that "
                            "suffices is buffer_bytes=51884";
    DCN_TEST_EXPECT_ERROR(install(40'000), begin + "40000 a port may take 6077" + end);
    DCN_TEST_EXPECT_ERROR(install(LEAST - 9048), begin + "42836 a port may take 6786" + end);
    DCN_TEST_EXPECT_ERROR(install(LEAST - 1), begin + "51883 a port may take 9047" + end);
    NS_TEST_EXPECT_MSG_EQ(install(LEAST), 0, "the least one");
    Simulator::Destroy();
}

/// Acknowledgements of four receivers come to a switch at one time, as the ones served first are
/// farther away. Three of them wait for the link of the sender when a PAUSE is to be sent: it goes
/// before them with LosslessHeadroom, since the headroom counts on it, and after them without.
DCN_TEST_CASE(OvertakeTestCase, "a PAUSE overtakes acknowledgements")
{
    constexpr uint32_t N = 4;
    DcnTopologyBuilder builder;
    const uint32_t middle = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t sender = builder.AddNode(DcnNodeKind::HOST);
    builder.AddLink(middle, sender, 10 * DCN_GBPS, 1000);
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < N; ++i)
    {
        const uint32_t receiver = builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(middle, receiver, 10 * DCN_GBPS, 5000 - 419 * int64_t{i}); // half a frame
        flows.push_back({i, sender, receiver, 1000, 0});
    }
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->ackHighPriority = true;
    const auto scenario = DcnScenario::Create(builder.Build(), config, flows);
    for (const bool isLossless : {true, false})
    {
        const DcnPacketTestNetwork network(scenario, "LosslessHeadroom", BooleanValue(isLossless));
        const auto port = network.GetPort(0);
        bool isSent = false;
        for (int64_t atNs = 0; atNs < 20'000; atNs += 5)
        {
            Simulator::Schedule(NanoSeconds(atNs), [&, atNs]() {
                if (isSent || port->GetWaiting().size() < 2)
                {
                    return;
                }
                isSent = true;
                port->SendPfc(true, DcnPacketSwitch::PFC_FRAME_BYTES, atNs);
                const std::vector<DcnFrame*> waiting = port->GetWaiting();
                const bool isFirst = waiting.front()->kind == DcnFrameKind::PAUSE;
                const bool isLast = waiting.back()->kind == DcnFrameKind::PAUSE;
                NS_TEST_EXPECT_MSG_EQ(isFirst, isLossless, "before the acknowledgements");
                NS_TEST_EXPECT_MSG_EQ(isLast, !isLossless, "after them");
            });
        }
        network->Run();
        NS_TEST_EXPECT_MSG_EQ(isSent, true, "acknowledgements have waited");
    }
}

/// The suite.
class DcnPacketLosslessTestSuite : public TestSuite
{
  public:
    DcnPacketLosslessTestSuite()
        : TestSuite("dcn-packet-lossless", Type::UNIT)
    {
        for (TestCase* each : std::initializer_list<TestCase*>{new ThresholdTestCase,
                                                               new ReverseTestCase,
                                                               new ShortCableTestCase,
                                                               new RandomTestCase(1, 40),
                                                               new GrainTestCase,
                                                               new ReportTestCase,
                                                               new GrowthTestCase,
                                                               new LeastBufferTestCase,
                                                               new OvertakeTestCase})
        {
            AddTestCase(each);
        }
        AddTestCase(new RandomTestCase(1001, 300), DCN_TEST_EXTENSIVE(DcnPacketLosslessTestSuite));
    }
};

DcnPacketLosslessTestSuite g_dcnPacketLosslessTestSuite; //!< the suite

} // namespace
