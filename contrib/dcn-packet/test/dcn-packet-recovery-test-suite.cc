/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Many packets are lost where three senders without a window meet a slow link. The sender goes
/// back and the congestion control keeps working: all are delivered within a few times the time
/// that the bottleneck needs. (If what "once per round trip" waits for lay beyond the point that
/// the sender goes back to, rates would stay where they are and the link would be lost to
/// repetitions.)
DCN_TEST_CASE_OF(GoBackTestCase, std::string, cc, "loss without a window, " + cc)
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
    config->windowBytes = 0;
    config->pfc = false;
    config->minRate = DataRate(1'000'000);
    // the evaluations' 500 Mb/s for each flow would overload the slow link for ever
    config->SetOwn("hpcc_additive_increase_bps", 5e6);
    config->bufferBytes = cc == "hpcc" ? 60'000 : 3'000'000; // HPCC's queues are short
    const uint64_t size = 3'000'000;
    auto scenario =
        DcnScenario::Create(DcnMakeStar(4, {10 * DCN_GBPS, 10 * DCN_GBPS, 10 * DCN_GBPS, DCN_GBPS}),
                            config,
                            {{0, 0, 3, size, 0}, {1, 1, 3, size, 0}, {2, 2, 3, size, 0}});
    const DcnPacketTestNetwork network(scenario);
    network->Run();
    const auto& fct = network->GetFctNs();
    const double bottleneckNs = static_cast<double>(3 * DcnWireBytes(size, 1000)) * 8;
    NS_TEST_EXPECT_MSG_GT(network->GetNDropped(), 0, "packets are lost");
    NS_TEST_EXPECT_MSG_GT(*std::min_element(fct.begin(), fct.end()), 0, "all are delivered");
    NS_TEST_EXPECT_MSG_LT(static_cast<double>(*std::max_element(fct.begin(), fct.end())),
                          6 * bottleneckNs,
                          "in a small multiple of the bottleneck's time");
}

/**
 * Acknowledgements in the data class are lost, too, where data goes both ways through small
 * buffers; data that comes twice is acknowledged again, so that every flow ends.
 */
DCN_TEST_CASE(AckLossTestCase, "lost acknowledgements")
{
    const uint32_t n = 16;
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dcqcn");
    config->pfc = false;
    config->windowBytes = 100'000;
    config->bufferBytes = 300'000;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < n; ++i)
    {
        flows.push_back({2 * i, i, n, 150'000, 0});    // all to one
        flows.push_back({2 * i + 1, n, i, 50'000, 0}); // and back
    }
    auto scenario = DcnScenario::Create(DcnMakeStar(n + 1), config, flows);
    const DcnPacketTestNetwork network(scenario);
    network->Run();
    NS_TEST_EXPECT_MSG_GT(network->GetNDropped(), 100, "much is lost");
    for (int64_t fctNs : network->GetFctNs())
    {
        NS_TEST_EXPECT_MSG_GT(fctNs, 0, "every flow ends");
    }
}

/**
 * Three switches in a ring, each with a host, and flows whose paths go two hops round: the pauses
 * can wait for each other in a circle. Then the run ends by itself and says why flows are left.
 */
DCN_TEST_CASE(DeadlockTestCase, "pauses that wait for each other end the run")
{
    const uint32_t n = 3;
    const uint32_t perSwitch = 8;
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i < n * perSwitch; ++i)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    const uint32_t first = n * perSwitch;
    for (uint32_t s = 0; s < n; ++s)
    {
        builder.AddNode(DcnNodeKind::SWITCH);
    }
    for (uint32_t i = 0; i < n * perSwitch; ++i)
    {
        builder.AddLink(i, first + i / perSwitch, 10 * DCN_GBPS, 1000);
    }
    for (uint32_t s = 0; s < n; ++s)
    {
        builder.AddLink(first + s, first + (s + 1) % n, 10 * DCN_GBPS, 1000);
    }
    std::vector<DcnFlow> flows;
    std::unordered_map<uint64_t, DcnScenario::PinnedPath> pinned;
    for (uint32_t i = 0; i < n * perSwitch; ++i)
    {
        const uint32_t s = i / perSwitch;
        const uint32_t dst = (i + 2 * perSwitch) % (n * perSwitch);
        flows.push_back({i, i, dst, 1'000'000, 0});
        pinned[i].nodes.nodes = {i, first + s, first + (s + 1) % n, first + (s + 2) % n, dst};
    }
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->bufferBytes = 150'000;
    config->ecnKminBytes = config->ecnKmaxBytes = 150'000;
    auto scenario = DcnScenario::Create(builder.Build(), config, flows, pinned);
    const DcnPacketTestNetwork network(scenario);
    network->Run(); // has to return
    uint64_t left = 0;
    for (const auto& [reason, count] : network->GetUnfinished())
    {
        left += count;
    }
    const auto& fct = network->GetFctNs();
    NS_TEST_EXPECT_MSG_EQ(left,
                          static_cast<uint64_t>(std::count(fct.begin(), fct.end(), -1)),
                          "every flow that is left has a reason");
    NS_TEST_EXPECT_MSG_GT(left, 0, "the circle closes");
}

/// A network may go at any time; what it had scheduled has no effect then.
DCN_TEST_CASE(EarlyEndTestCase, "a network goes before its simulation ends")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dcqcn");
    auto scenario = DcnScenario::Create(
        DcnMakeStar(3),
        config,
        {{0, 0, 2, 1'000'000, 0}, {1, 1, 2, 1'000'000, 0}, {2, 0, 1, 1000, 5'000'000}});
    for (bool dispose : {false, true})
    {
        for (int64_t stopNs : {0, 500, 20'000, 200'000})
        {
            Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
            network->Install(scenario);
            network->Start();
            Simulator::Stop(NanoSeconds(stopNs));
            Simulator::Run();
            if (dispose)
            {
                network->Dispose();
            }
            network = nullptr;
            Simulator::Run(); // events that are left find nothing to do
        }
    }
    // and one that is stopped from outside reports what is left
    Ptr<DcnPacketNetwork> stopped = CreateObject<DcnPacketNetwork>();
    stopped->Install(scenario);
    Simulator::Stop(MicroSeconds(20));
    stopped->Run();
    DcnEstimate estimate;
    estimate.method = "packet";
    estimate.fctNs = stopped->GetFctNs();
    estimate.unfinished = stopped->GetUnfinished();
    NS_TEST_EXPECT_MSG_EQ(estimate.GetNFinished(), 0, "stopped early");
    NS_TEST_EXPECT_MSG_EQ(estimate.DescribeCompletion(),
                          "packet: 3 flows started, 0 finished, 3 unfinished (in flight: 2, not "
                          "started: 1)",
                          "completion report");
    Simulator::Destroy();
}

/// Hosts joined directly, and hosts with several links of different rates.
DCN_TEST_CASE(HostLinksTestCase, "paths of one link, hosts with two links")
{
    for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
    {
        DcnTopologyBuilder builder;
        const uint32_t a = builder.AddNode(DcnNodeKind::HOST);
        const uint32_t b = builder.AddNode(DcnNodeKind::HOST);
        const uint32_t c = builder.AddNode(DcnNodeKind::HOST);
        const uint32_t s = builder.AddNode(DcnNodeKind::SWITCH);
        builder.AddLink(a, b, 10 * DCN_GBPS, 1000);
        builder.AddLink(a, s, DCN_GBPS / 10, 1000);
        builder.AddLink(s, c, 10 * DCN_GBPS, 1000);
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
        auto scenario = DcnScenario::Create(builder.Build(),
                                            config,
                                            {{0, a, b, 1'000'000, 0}, {1, a, c, 100'000, 0}});
        const DcnPacketTestNetwork network(scenario);
        network->Run();
        for (std::size_t i = 0; i < 2; ++i)
        {
            const double slowdown = static_cast<double>(network->GetFctNs()[i]) /
                                    static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
            // HPCC aims below the full rate and has long headers
            NS_TEST_EXPECT_MSG_EQ_TOL(slowdown,
                                      (cc == "hpcc" ? 1.1 : 1.0),
                                      0.12,
                                      cc << ", flow " << i);
        }
    }
}

/**
 * With a closed loop of N per rack, flows that all start at once leave one rack N at a time: flow k
 * begins when the last acknowledgement of an earlier one is back, in order, and its completion time
 * counts from there.
 */
DCN_TEST_CASE(ClosedLoopTestCase, "closed loop")
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 12; ++i)
    {
        flows.push_back({i, i % 3, 3, 20'000, 0});
    }
    auto scenario = DcnScenario::Create(DcnMakeStar(4), DcnNetworkConfig::Preset("dctcp"), flows);
    for (uint32_t limit : {1, 3})
    {
        const DcnPacketTestNetwork network(scenario, "InFlightPerRack", UintegerValue(limit));
        network->Run();
        // the acknowledgement of 60 bytes takes two links of 1 us and 48 ns; the end of the flow,
        // whose exact time is up to 1 ns before, is rounded up
        const int64_t backNs = 2 * (1000 + 48);
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const int64_t releaseNs = network->GetReleaseNs(i);
            NS_TEST_ASSERT_MSG_GT(network->GetFctNs()[i], 0, "delivered");
            if (i < limit)
            {
                NS_TEST_EXPECT_MSG_EQ(releaseNs, 0, "the first ones begin at once");
                continue;
            }
            std::size_t inFlight = 0;
            bool follows = false;
            for (std::size_t j = 0; j < i; ++j)
            {
                const int64_t endNs = network->GetReleaseNs(j) + network->GetFctNs()[j] + backNs;
                inFlight += endNs > releaseNs + 1 ? 1 : 0;
                follows = follows || endNs == releaseNs || endNs == releaseNs + 1;
            }
            NS_TEST_EXPECT_MSG_LT(inFlight, limit, "room for flow " << i);
            NS_TEST_EXPECT_MSG_EQ(follows, true, "flow " << i << " takes the place of another");
            if (limit == 1)
            {
                const int64_t lateNs =
                    network->GetFctNs()[i] - scenario->GetIdealFct(i).GetTotalNs();
                NS_TEST_EXPECT_MSG_EQ((lateNs == 0 || lateNs == 1), true, "alone in the network");
            }
        }
    }
}

/// Who keeps the events of a simulation, and how lost packets are repaired.
struct Engine
{
    std::string name;      //!< for messages
    bool hasOthers;        //!< another event of ns-3 is pending, so that it gives turns
    uint32_t nThreads;     //!< attribute Threads
    bool isSelective;      //!< selective_repeat
};

/**
 * Two hosts with links of 10 Gb/s send to a third one with 1 Gb/s, over cables of 100 ns, frames of
 * 1048 bytes, without a window that binds. A frame takes s = 838 ns on the fast links and S = 8384
 * on the slow one, an acknowledgement 480 + 48 ns. No link has a frame of headroom, and the shared
 * buffer has 4.5 frames: a port gets a frame if a quarter of what is free holds it, so that it
 * takes 4096 bytes of reserve, 96 and 1048 of the shared buffer, five frames in all, beside the one
 * that is being sent. Then no port gets one before a frame has left.
 */
class TimeoutTestCase : public TestCase
{
  public:
    /**
     * @param engine who keeps the events
     */
    explicit TimeoutTestCase(const Engine& engine)
        : TestCase("a timeout is RetransmissionTimeout after drop or progress: " + engine.name),
          m_engine(engine)
    {
    }

  private:
    static constexpr int64_t D = 100;                 //!< delay of a cable [ns]
    static constexpr int64_t FAST = 838;              //!< s [ns]
    static constexpr int64_t SLOW = 8384;             //!< S [ns]
    static constexpr int64_t TO_QUEUE = FAST + D;     //!< from a host to the queue [ns]
    static constexpr int64_t BACK = 480 + 48 + 2 * D; //!< of an acknowledgement [ns]
    static constexpr int64_t LEEWAY = 30; //!< for parts of nanoseconds of some dozen frames [ns]

    /**
     * @param flows to simulate
     * @param windowBytes of each
     * @param timeoutNs attribute RetransmissionTimeout
     * @param nDropped expected drops
     * @return their completion times [ns]
     */
    std::vector<int64_t> Simulate(const std::vector<DcnFlow>& flows,
                                  uint64_t windowBytes,
                                  int64_t timeoutNs,
                                  uint64_t nDropped)
    {
        DcnTopologyBuilder builder;
        for (int i = 0; i < 3; ++i)
        {
            builder.AddNode(DcnNodeKind::HOST);
        }
        builder.AddNode(DcnNodeKind::SWITCH);
        for (uint32_t i = 0; i < 3; ++i)
        {
            builder.AddLink(i, 3, i < 2 ? 10 * DCN_GBPS : DCN_GBPS, D);
        }
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        config->pfc = false;
        config->windowBytes = windowBytes;
        config->selectiveRepeat = m_engine.isSelective;
        config->bufferBytes = 3 * 4096 + 375 + 375 + 36 + 4716; // reserves, headroom and the rest
        config->ecnKminBytes = config->ecnKmaxBytes = config->bufferBytes; // no marks,
        config->ecnReferenceRate = DataRate(DCN_GBPS); // at the slow port either
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("RetransmissionTimeout", TimeValue(NanoSeconds(timeoutNs)));
        network->SetAttribute("Threads", UintegerValue(m_engine.nThreads));
        network->Install(DcnScenario::Create(builder.Build(), config, flows));
        if (m_engine.hasOthers)
        {
            Simulator::Schedule(Seconds(1e6), []() {});
        }
        network->Run();
        NS_TEST_EXPECT_MSG_EQ(network->GetNDropped(), nDropped, "frames that are lost");
        const std::vector<int64_t> fctNs = network->GetFctNs();
        network->Dispose();
        Simulator::Destroy();
        return fctNs;
    }

    void DoRun() override
    {
        // Flow 0 sends seven packets at once, the last of which is lost. Progress: the sixth one
        // ends in the queue at s + D + 6 S. Flow 1 sends one packet when the queue is full.
        constexpr int64_t TIMEOUT = 100'000;
        constexpr int64_t LATE = 6300; // the queue is full from 6 s + D to s + D + S
        const auto fct = Simulate({{0, 0, 2, 7000, 0}, {1, 1, 2, 1000, LATE}}, 7000, TIMEOUT, 2);
        const int64_t alone = TO_QUEUE + SLOW + D;
        const int64_t progress = TO_QUEUE + 6 * SLOW + D + BACK;
        NS_TEST_EXPECT_MSG_EQ_TOL(fct[0], progress + TIMEOUT + alone, LEEWAY, "after progress");
        NS_TEST_EXPECT_MSG_EQ_TOL(fct[1], TO_QUEUE + TIMEOUT + alone, LEEWAY, "after the drop");

        // Flow 0 keeps the queue full with six packets until some 59 us. The packet of flow 1 is
        // lost at 7.2 us and, 50 us later, again; the second timeout is twice as long.
        constexpr int64_t SHORT = 50'000;
        const auto twice = Simulate({{0, 0, 2, 12'000, 0}, {1, 1, 2, 1000, LATE}}, 6000, SHORT, 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(twice[0], TO_QUEUE + 12 * SLOW + D, LEEWAY, "loses nothing");
        NS_TEST_EXPECT_MSG_EQ_TOL(twice[1], TO_QUEUE + 3 * SHORT + alone, LEEWAY, "two in a row");

        // three round-trip times of the empty path are more than a short timeout
        const auto least = Simulate({{0, 0, 2, 7000, 0}}, 7000, 1000, 1);
        const int64_t rtt = TO_QUEUE + SLOW + D + BACK;
        NS_TEST_EXPECT_MSG_EQ_TOL(least[0], progress + 3 * rtt + alone, LEEWAY, "the floor");
    }

    Engine m_engine; //!< who keeps the events
};

/// Mean slowdowns of flows on a leaf-spine network with small buffers and without PFC.
struct Recovery
{
    double goBackN;       //!< with go-back-N
    double selective;     //!< with selective repeat
    uint64_t nDropped{0}; //!< packets lost by go-back-N
};

/**
 * @param cc congestion control
 * @param keys further ones of network.csv
 * @param seed of the flows
 * @param nFlows number of flows
 * @return mean slowdowns
 */
Recovery
CompareRecovery(const std::string& cc, const std::string& keys, uint64_t seed, uint64_t nFlows)
{
    uint64_t nDropped = 0;
    const auto mean = [&](const std::string& selective) {
        DcnLeafSpineParameters leafSpine;
        leafSpine.racks = 4;
        leafSpine.hostsPerRack = 4;
        leafSpine.spines = 2;
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
        config->SetKeys("pfc=0,selective_repeat=" + selective + "," + keys);
        DcnWorkloadSpec spec = DcnTestWorkload(nFlows, "constant:100000", 0.8);
        spec.seed = seed;
        const auto scenario = DcnMakeTestScenario(DcnBuildTopology(leafSpine), spec, config);
        const DcnPacketTestNetwork network(scenario);
        network->Run();
        nDropped = selective == "0" ? network->GetNDropped() : nDropped;
        double sum = 0;
        for (std::size_t i = 0; i < nFlows; ++i)
        {
            sum += static_cast<double>(network->GetFctNs()[i]) /
                   static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
        }
        return sum / static_cast<double>(nFlows);
    };
    Recovery recovery{mean("0"), mean("1")};
    recovery.nDropped = nDropped;
    return recovery;
}

/**
 * Two flows of 20 packets that start together into a buffer that is too small: the acknowledgement
 * of the packet behind a lost one proves the loss, also shortly before the end of a flow. So
 * selective repeat, which sends less again, is not behind go-back-N, and nobody waits for a timeout
 * of 1 ms.
 */
DCN_TEST_CASE(ReorderWindowTestCase, "selective repeat on one path does not wait for reordering")
{
    int64_t sumNs[2];
    for (const bool isSelective : {false, true})
    {
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        config->pfc = false;
        config->bufferBytes = 31'538; // 23,538 are set aside
        config->selectiveRepeat = isSelective;
        const DcnPacketTestNetwork network(
            DcnScenario::Create(DcnMakeStar(3),
                                config,
                                {{0, 0, 2, 20'000, 0}, {1, 1, 2, 20'000, 0}}));
        network->Run();
        NS_TEST_EXPECT_MSG_GT(network->GetNDropped(), 0, "packets are lost");
        sumNs[isSelective] = network->GetFctNs()[0] + network->GetFctNs()[1];
    }
    NS_TEST_EXPECT_MSG_LT(sumNs[false], 100'000, "go-back-N has a report of the loss");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(sumNs[true], sumNs[false], "selective repeat, too");
}

/// Selective repeat is not worse than go-back-N in the mean over seeds.
class CompareTestCase : public TestCase
{
  public:
    /**
     * @param cc congestion control
     * @param keys further ones of network.csv
     * @param nSeeds seeds of the flows
     */
    CompareTestCase(const std::string& cc, const std::string& keys, uint64_t nSeeds)
        : TestCase("selective repeat and go-back-N: " + cc + ", " + keys),
          m_cc(cc),
          m_keys(keys),
          m_nSeeds(nSeeds)
    {
    }

  private:
    void DoRun() override
    {
        Recovery sum{};
        for (uint64_t seed = 1; seed <= m_nSeeds; ++seed)
        {
            const Recovery recovery = CompareRecovery(m_cc, m_keys, seed, 400);
            sum.goBackN += recovery.goBackN;
            sum.selective += recovery.selective;
            sum.nDropped += recovery.nDropped;
        }
        NS_TEST_EXPECT_MSG_GT(sum.nDropped, 20 * m_nSeeds, "packets are lost");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sum.selective, sum.goBackN, "sums of mean slowdowns");
    }

    std::string m_cc;   //!< congestion control
    std::string m_keys; //!< further keys
    uint64_t m_nSeeds;  //!< seeds of the flows
};

/// A switch that could never admit a full packet is refused, instead of dropping it for ever.
DCN_TEST_CASE(NeverAdmittedTestCase, "a frame that never fits is refused")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->payloadBytes = 9000;
    config->bufferBytes = 40'000;
    auto scenario = DcnScenario::Create(DcnMakeStar(2), config, {{0, 0, 1, 100'000, 0}});
    // (40000 - 2 * (4096 + 3750)) / 4 = 6077; 2 * (4096 + 3750) + 4 * 9048 = 51884
    DCN_TEST_EXPECT_ERROR(CreateObject<DcnPacketNetwork>()->Install(scenario),
                          "switch 2 can never admit a frame of 9048 bytes: of buffer_bytes 40000 "
                          "a port may take 6077 shared bytes, and its headroom is 3750; the least "
                          "buffer that suffices is buffer_bytes=51884");
    Simulator::Destroy();
}

/// The suite.
class DcnPacketRecoveryTestSuite : public TestSuite
{
  public:
    DcnPacketRecoveryTestSuite()
        : TestSuite("dcn-packet-recovery", Type::UNIT)
    {
        for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
        {
            AddTestCase(new GoBackTestCase(cc));
        }
        AddTestCase(new AckLossTestCase);
        AddTestCase(new DeadlockTestCase);
        AddTestCase(new EarlyEndTestCase);
        AddTestCase(new HostLinksTestCase);
        AddTestCase(new NeverAdmittedTestCase);
        AddTestCase(new ClosedLoopTestCase);
        for (const Engine& engine :
             std::initializer_list<Engine>{{"windows", false, 0, false},
                                           {"turns of ns-3", true, 0, false},
                                           {"a thread", false, 1, false},
                                           {"two threads", false, 2, false},
                                           {"windows, selective repeat", false, 0, true},
                                           {"turns of ns-3, selective repeat", true, 0, true}})
        {
            AddTestCase(new TimeoutTestCase(engine));
        }
        AddTestCase(new ReorderWindowTestCase);
        for (const std::string cc : {"dctcp", "dcqcn", "timely", "swift"})
        {
            AddTestCase(new CompareTestCase(cc, "buffer_bytes=120000", 1));
            for (const std::string keys : {"buffer_bytes=120000",
                                           "buffer_bytes=90000",
                                           "buffer_bytes=120000,window_bytes=60000"})
            {
                AddTestCase(new CompareTestCase(cc, keys, 3),
                            DCN_TEST_EXTENSIVE(DcnPacketRecoveryTestSuite));
            }
        }
    }
};

DcnPacketRecoveryTestSuite g_dcnPacketRecoveryTestSuite; //!< the suite

} // namespace
