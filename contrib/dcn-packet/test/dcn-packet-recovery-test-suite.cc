/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-estimator.h"
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
    config->hpccAdditiveIncrease = DataRate(5'000'000);
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
    for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
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
        // the acknowledgement of 60 bytes takes two links of 1 us and 47 ns
        const int64_t backNs = 2 * (1000 + DcnSerializationNs(60, 10 * DCN_GBPS));
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
                inFlight += endNs > releaseNs ? 1 : 0;
                follows = follows || endNs == releaseNs;
            }
            NS_TEST_EXPECT_MSG_LT(inFlight, limit, "room for flow " << i);
            NS_TEST_EXPECT_MSG_EQ(follows, true, "flow " << i << " takes the place of another");
            if (limit == 1)
            {
                NS_TEST_EXPECT_MSG_EQ(network->GetFctNs()[i],
                                      scenario->GetIdealFct(i).GetTotalNs(),
                                      "alone in the network");
            }
        }
    }
}

/// A switch that could never admit a full packet is refused, instead of dropping it for ever.
DCN_TEST_CASE(NeverAdmittedTestCase, "a frame that never fits is refused")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->payloadBytes = 9000;
    config->bufferBytes = 40'000;
    auto scenario = DcnScenario::Create(DcnMakeStar(2), config, {{0, 0, 1, 100'000, 0}});
    // (40000 - 2 * (4096 + 3750)) / 4 = 6077
    DCN_TEST_EXPECT_ERROR(CreateObject<DcnPacketNetwork>()->Install(scenario),
                          "switch 2 can never admit a frame of 9048 bytes: of buffer_bytes 40000 "
                          "a port may take 6077 shared bytes, and its headroom is 3750");
    Simulator::Destroy();
}

/// The suite.
class DcnPacketRecoveryTestSuite : public TestSuite
{
  public:
    DcnPacketRecoveryTestSuite()
        : TestSuite("dcn-packet-recovery", Type::UNIT)
    {
        for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
        {
            AddTestCase(new GoBackTestCase(cc));
        }
        AddTestCase(new AckLossTestCase);
        AddTestCase(new DeadlockTestCase);
        AddTestCase(new EarlyEndTestCase);
        AddTestCase(new HostLinksTestCase);
        AddTestCase(new NeverAdmittedTestCase);
        AddTestCase(new ClosedLoopTestCase);
    }
};

DcnPacketRecoveryTestSuite g_dcnPacketRecoveryTestSuite; //!< the suite

} // namespace
