/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/topology/parsimon-shares.h"
#include "dcn-test-case.h"
#include "dcn-test-scenario.h"
#include "parsimon-test-links.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 10'000'000'000; ///< R, of links of hosts [bit/s]

/// Hosts 0 and 1 send 1 MB each to hosts 3 and 4 over 40 Gb/s, all at once.
Ptr<const DcnScenario>
Make(uint64_t windowBytes, uint64_t sizeBytes)
{
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = windowBytes;
    return DcnScenario::Create(
        DcnMakeDumbbell(3, 3, 40 * DCN_GBPS),
        network,
        {{0, 0, 3, sizeBytes, 0}, {1, 0, 4, sizeBytes, 0}, {2, 1, 3, sizeBytes, 0}});
}

DCN_TEST_CASE(SharesByHandTestCase, "Shares of two NICs and two receivers, by hand")
{
    auto scenario = Make(100'000, 1'000'000);
    const ParsimonLinkBuilder builder(scenario);
    const ParsimonShares shares(builder);
    // two equal flows share each of the links of hosts 0 and 3: N = w / R and r = R / 2; three
    // flows on 40 Gb/s have more than their NICs: no share
    const uint64_t expected[3][3] = {{RATE / 2, 0, RATE / 2}, {RATE / 2, 0, 0}, {0, 0, RATE / 2}};
    for (std::size_t flow = 0; flow < 3; ++flow)
    {
        for (std::size_t hop = 0; hop < 3; ++hop)
        {
            NS_TEST_EXPECT_MSG_EQ(shares.GetShare(flow, hop),
                                  expected[flow][hop],
                                  "flow " << flow << ", hop " << hop);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(0, 2), RATE / 2, "its NIC");
    NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(1, 0), 0, "no other");
    NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(2, 1), RATE / 2, "its last link");

    // the last link of host 3: flow 2 keeps the NIC of host 1
    const DcnPath path = scenario->GetPath(0);
    const ParsimonLink before = builder.Build(path[2]);
    ParsimonLink link = before;
    shares.Apply(link, false);
    NS_TEST_ASSERT_MSG_EQ(link.sources.size(), 2, "host 0 has none but the flow's");
    for (const auto& flow : link.flows)
    {
        const ParsimonEndpoint& source = link.sources[flow.source];
        NS_TEST_EXPECT_MSG_EQ(source.host, scenario->GetFlows()[flow.flow].src, "host");
        const uint64_t rate = flow.flow == 0 ? RATE / 2 : RATE;
        NS_TEST_EXPECT_MSG_EQ(source.rateBps, rate, "rate");
        NS_TEST_EXPECT_MSG_EQ((source.link >= scenario->GetTopology().GetNLinks()),
                              (flow.flow == 0),
                              "own NIC");
        // data and acknowledgement take twice their time, half of it at the cost of the delay
        auto roundTripNs = [](uint64_t rateBps) {
            return DcnSerializationNs(1048, rateBps) + DcnSerializationNs(60, rateBps);
        };
        const int64_t longerNs = roundTripNs(rate) - roundTripNs(RATE);
        NS_TEST_EXPECT_MSG_EQ(source.delayNs,
                              std::max<int64_t>(0, before.sources[0].delayNs - longerNs / 2),
                              "round trip");
    }

    // a simulator that paces: the NIC keeps its rate, to which rates and windows belong, and delay
    link = before;
    shares.Apply(link, true);
    for (const auto& flow : link.flows)
    {
        const ParsimonEndpoint& source = link.sources[flow.source];
        NS_TEST_EXPECT_MSG_EQ(source.rateBps, RATE, "rate of the host's NIC");
        NS_TEST_EXPECT_MSG_EQ(source.delayNs, before.sources[0].delayNs, "delay");
        NS_TEST_EXPECT_MSG_EQ(flow.paceBps, (flow.flow == 0 ? RATE / 2 : 0), "pace");
        NS_TEST_EXPECT_MSG_EQ((source.link >= scenario->GetTopology().GetNLinks()),
                              (flow.flow == 0),
                              "own NIC");
    }

    // between the switches flows 0 and 1 meet at their NIC, which takes 2 w / R for each as their
    // shares do; flow 2 is alone at its own, and its share of the last link is R / 2
    ParsimonLink middle = builder.Build(path[1]);
    shares.Apply(middle, false);
    NS_TEST_ASSERT_MSG_EQ(middle.flows.size(), 3, "all flows");
    for (const auto& flow : middle.flows)
    {
        const ParsimonEndpoint& source = middle.sources[flow.source];
        NS_TEST_EXPECT_MSG_EQ((source.link >= scenario->GetTopology().GetNLinks()),
                              (flow.flow == 2),
                              "own NIC of flow " << flow.flow);
        NS_TEST_EXPECT_MSG_EQ(source.rateBps, (flow.flow == 2 ? RATE / 2 : RATE), "rate");
    }

    // first hop unchanged
    ParsimonLink firstHop = builder.Build(path[0]);
    shares.Apply(firstHop, false);
    NS_TEST_EXPECT_MSG_EQ(firstHop.sources.size(), 1, "the target is the NIC");

    // flows of one window are bursts, which no link behind slows
    auto small = Make(100'000, 100'000);
    const ParsimonLinkBuilder smallBuilder(small);
    const ParsimonShares bursts(smallBuilder);
    NS_TEST_EXPECT_MSG_EQ(bursts.GetLeastOther(0, 2), RATE / 2, "spread by its NIC");
    NS_TEST_EXPECT_MSG_EQ(bursts.GetShare(2, 2), RATE / 2, "shares its last link");
    NS_TEST_EXPECT_MSG_EQ(bursts.GetLeastOther(2, 1), 0, "and has left before");
    NS_TEST_EXPECT_MSG_EQ(bursts.SlowsBefore(2, 2), false, "burst");
    NS_TEST_EXPECT_MSG_EQ(shares.SlowsBefore(2, 2), true, "many windows");

    // a window that takes more than half of the rate leaves nothing to share:
    // K (M + H) 8 / T < R / 2 with K = 2
    auto narrow = Make(2'000, 1'000'000);
    const ParsimonLinkBuilder narrowBuilder(narrow);
    const ParsimonShares idle(narrowBuilder);
    const int64_t rttNs = DcnBaseRttNs(narrow->GetTopology(), narrow->GetPath(0), 1048, 60);
    NS_TEST_ASSERT_MSG_LT(2 * 1048 * 8e9 / static_cast<double>(rttNs), RATE / 2., "narrow");
    NS_TEST_EXPECT_MSG_EQ(idle.GetLeastOther(0, 2), 0, "window");
}

/**
 * @param receivers hosts of the other side
 * @param maxRateBps largest rate of a flow [bit/s]; 0: none
 * @return hosts 0 to 2 of a dumbbell with three hosts at each side send them 1 MB at time 0, with a
 * window of 100 KB
 */
Ptr<const DcnScenario>
MakeThree(const std::vector<uint32_t>& receivers, uint64_t maxRateBps = 0)
{
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = 100'000;
    network->maxRate = DataRate(maxRateBps);
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 3; ++i)
    {
        flows.push_back({i, i, receivers[i], 1'000'000, 0});
    }
    return DcnScenario::Create(DcnMakeDumbbell(3, 3, RATE), network, flows);
}

DCN_TEST_CASE(MiddleShareTestCase, "A share of a link between switches counts at the last link")
{
    // hosts 0 to 2 send to hosts 3 to 5 over one link of the hosts' rate R: N = 2 w / R there, and
    // w / R at no other link
    auto scenario = MakeThree({3, 4, 5});
    const ParsimonLinkBuilder builder(scenario);
    const ParsimonShares shares(builder);
    for (std::size_t flow = 0; flow < 3; ++flow)
    {
        NS_TEST_EXPECT_MSG_EQ(shares.GetShare(flow, 0), 0, "alone");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shares.GetShare(flow, 1)),
                                  RATE / 3.,
                                  1,
                                  "a third");
        ParsimonLink last = builder.Build(scenario->GetPath(flow)[2]);
        shares.Apply(last, false);
        NS_TEST_ASSERT_MSG_EQ(last.sources.size(), 1, "alone");
        NS_TEST_EXPECT_MSG_EQ(last.sources[0].rateBps, shares.GetShare(flow, 1), "its NIC there");
    }
    // at most R / 4 of its own accord: a third of the link is no limit
    const ParsimonLinkBuilder capped(MakeThree({3, 4, 5}, RATE / 4));
    NS_TEST_EXPECT_MSG_EQ(ParsimonShares(capped).GetShare(0, 1), 0, "max_rate_bps");
}

DCN_TEST_CASE(EqualSharesTestCase, "Of equal shares, the first one counts")
{
    // hosts 0 to 2 send to host 3 over two links of the hosts' rate R: a third at both
    auto scenario = MakeThree({3, 3, 3});
    const ParsimonLinkBuilder builder(scenario);
    const ParsimonShares shares(builder);
    for (std::size_t flow = 0; flow < 3; ++flow)
    {
        NS_TEST_EXPECT_MSG_EQ(shares.GetShare(flow, 1), shares.GetShare(flow, 2), "equal");
        NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(flow, 1), 0, "windows wait here");
        NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(flow, 2),
                              shares.GetShare(flow, 1),
                              "and come to the second link as it serves them");
    }
}

DCN_TEST_CASE(BurstTestCase, "A link spreads bursts that meet there, as processor sharing has it")
{
    // Two bursts of n packets from two hosts over one link of the hosts' rate R to two others, the
    // second one d later. With t the time of a packet, the link has 2 n t of work from 0 on: the
    // first burst ends after d + 2 (n t - d), the second one after 2 n t - d
    static constexpr uint64_t N_PACKETS = 80;
    static constexpr uint64_t WIRE_BYTES = 1048;
    const double packetNs = WIRE_BYTES * 8e9 / static_cast<double>(RATE);
    for (const int64_t laterNs : {0, 20'000, 40'000})
    {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        network->windowBytes = 100'000;
        network->ecnKminBytes = 400'000; // no marks: the windows stay
        network->ecnKmaxBytes = 400'000;
        auto scenario = DcnScenario::Create(
            DcnMakeDumbbell(2, 2, RATE),
            network,
            {{0, 0, 2, N_PACKETS * 1000, 0}, {1, 1, 3, N_PACKETS * 1000, laterNs}});
        const ParsimonLinkBuilder builder(scenario);
        const ParsimonShares shares(builder);
        const double spanNs = 2 * N_PACKETS * packetNs - static_cast<double>(laterNs);
        const double rate = N_PACKETS * WIRE_BYTES * 8e9 / spanNs;
        const DcnEstimate packet = DcnEstimator::CreateByName("packet")->Estimate(scenario);
        for (std::size_t flow = 0; flow < 2; ++flow)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shares.GetShare(flow, 1)),
                                      rate,
                                      1e-6 * rate,
                                      "share");
            NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(flow, 0), 0, "before");
            NS_TEST_EXPECT_MSG_EQ(shares.GetLeastOther(flow, 2),
                                  shares.GetShare(flow, 1),
                                  "behind");
            // the packet engine: the burst comes to its receiver that much later than alone
            const auto delayNs =
                static_cast<double>(packet.fctNs[flow] - scenario->GetIdealFct(flow).GetTotalNs());
            NS_TEST_EXPECT_MSG_EQ_TOL(delayNs,
                                      spanNs - N_PACKETS * packetNs,
                                      2 * packetNs,
                                      "delay");
        }
        // each comes alone to its last link, where nothing is left to wait for
        ParsimonLink last = builder.Build(scenario->GetPath(0)[2]);
        shares.Apply(last, false);
        NS_TEST_ASSERT_MSG_EQ(last.sources.size(), 1, "alone");
        NS_TEST_EXPECT_MSG_EQ(last.sources[0].rateBps, shares.GetShare(0, 1), "its NIC there");
    }
    // one packet cannot be spread
    auto single = DcnScenario::Create(DcnMakeDumbbell(2, 2, RATE),
                                      DcnNetworkConfig::Preset("dctcp"),
                                      {{0, 0, 2, 1000, 0}, {1, 1, 3, 1000, 0}});
    const ParsimonLinkBuilder singleBuilder(single);
    NS_TEST_EXPECT_MSG_EQ(ParsimonShares(singleBuilder).GetShare(1, 1), 0, "one packet");
}

DCN_TEST_CASE(OwnNicTestCase, "The lean simulator and the packet engine agree on own NICs")
{
    auto scenario = ParsimonMakeTestFabric("dctcp", 0.6, 4000);
    const DcnTopology& topology = scenario->GetTopology();
    const ParsimonLinkBuilder builder(scenario);
    const ParsimonShares shares(builder);
    ParsimonLink link = builder.Build(ParsimonFindHottest(builder, ParsimonPosition::LAST_HOP));
    shares.Apply(link, false);
    const auto own = std::count_if(link.sources.begin(), link.sources.end(), [&](auto& source) {
        return source.link >= topology.GetNLinks();
    });
    NS_TEST_ASSERT_MSG_GT(own, 0, "some flows have NICs of their own");
    DcnNetworkParameters network = scenario->GetNetwork();
    network.timeGrainNs = 1; // else both have times within a nanosecond, and another order within it
    const auto lean = ParsimonLinkSimulator::Create("lean", network, 1)->Simulate(link);
    const auto packet = ParsimonLinkSimulator::Create("packet", network, 1)->Simulate(link);
    NS_TEST_EXPECT_MSG_EQ((lean.idealNs == packet.idealNs), true, "ideal");
    std::size_t same = 0;
    for (std::size_t i = 0; i < link.flows.size(); ++i)
    {
        same += lean.fctNs[i] == packet.fctNs[i] ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(static_cast<double>(same),
                          0.9 * static_cast<double>(link.flows.size()),
                          "equal to the nanosecond");
}

/// All flows of a NIC go to one host: they come one after the other, and wait nowhere else.
DCN_TEST_CASE(PermutationTestCase, "One sender and one receiver: the NIC waits, no other link")
{
    DcnDumbbellParameters parameters;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 6; ++i)
    {
        flows.push_back({i, 0, 4, 200'000 + 50'000ULL * i, 20'000 * i});
    }
    auto scenario =
        DcnScenario::Create(DcnBuildTopology(parameters), DcnNetworkConfig::Preset("dctcp"), flows);
    NS_TEST_EXPECT_MSG_LT(ParsimonGetLargestError(scenario), 0.02, "of a flow");
}

/// A long flow that is slower elsewhere shares its NIC with a short one, packet by packet.
DCN_TEST_CASE(PaceTestCase, "A paced flow stays at its NIC where the NIC is full")
{
    // Links of rate R. With w the bytes of flow 0: flow 2 (0.4 w) halves its rate between the
    // switches up to 0.8 w / R, and flow 1 (0.1 w, from the NIC of flow 0 to the same receiver)
    // comes at 0.9 w / R, when nearly half of flow 0 is left.
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = 50'000;
    static constexpr uint64_t LONG = 1'000'000;
    const double aloneNs = DcnWireBytes(LONG, 1000, DCN_HEADER_BYTES) * 8e9 / RATE; // w / R
    auto scenario =
        DcnScenario::Create(DcnMakeDumbbell(3, 3, RATE),
                            network,
                            {{0, 0, 3, LONG, 0},
                             {2, 1, 4, 4 * LONG / 10, 0},
                             {1, 0, 3, LONG / 10, static_cast<int64_t>(0.9 * aloneNs)}});
    const ParsimonLinkBuilder builder(scenario);
    const ParsimonShares shares(builder);
    const uint32_t last = scenario->GetPath(0)[2];
    // processor sharing: flow 0 ends at 1.5 w / R between the switches, flow 1 after 0.2 w / R
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shares.GetShare(0, 1)),
                              RATE / 1.5,
                              0.01 * RATE,
                              "long");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shares.GetShare(2, 0)),
                              RATE / 2.,
                              0.01 * RATE,
                              "NIC");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shares.GetShare(2, 1)),
                              RATE / 2.,
                              0.01 * RATE,
                              "next");
    const uint32_t nHosts = scenario->GetTopology().GetNLinks();
    for (const bool paces : {true, false})
    {
        ParsimonLink link = builder.Build(last);
        shares.Apply(link, paces);
        NS_TEST_ASSERT_MSG_EQ(link.flows.size(), 2, "of host 0");
        const ParsimonLinkFlow& slow = link.flows[0];
        const ParsimonLinkFlow& quick = link.flows[1];
        NS_TEST_EXPECT_MSG_EQ(quick.paceBps, 0, "it meets the long flow at the NIC");
        NS_TEST_EXPECT_MSG_LT(link.sources[quick.source].link, nHosts, "the NIC of host 0");
        NS_TEST_EXPECT_MSG_EQ((link.sources[slow.source].link < nHosts), paces, "same NIC");
        const uint64_t rate = paces ? slow.paceBps : link.sources[slow.source].rateBps;
        NS_TEST_EXPECT_MSG_EQ(rate, shares.GetShare(0, 1), "the least share");
    }
    // at the NIC the short flow waits w_1 / R; not once more at each of the next links
    NS_TEST_EXPECT_MSG_LT(ParsimonGetLargestError(scenario), 0.15, "of a flow");
}

/// Four flows of one host to two receivers wait at their NIC only, whatever their number of
/// windows.
DCN_TEST_CASE(FewWindowsTestCase, "Flows of a few windows wait once, with headers of any length")
{
    for (const std::string& cc : ParsimonTestControls())
    {
        for (const uint64_t bytes : {11'000, 15'000, 20'000, 40'000, 100'000})
        {
            Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(cc);
            network->windowBytes = 10'000;
            std::vector<DcnFlow> flows;
            for (uint32_t i = 0; i < 4; ++i)
            {
                flows.push_back({i, 0, 2 + i % 2, bytes, 0});
            }
            auto scenario = DcnScenario::Create(DcnMakeDumbbell(2, 2, 10 * RATE), network, flows);
            const auto truth = DcnEstimator::CreateByName("packet")->Estimate(scenario).fctNs;
            const auto fctNs = DcnEstimator::CreateByName("parsimon")->Estimate(scenario).fctNs;
            Simulator::Destroy();
            const auto expected = std::accumulate(truth.begin(), truth.end(), 0.0);
            const auto sum = std::accumulate(fctNs.begin(), fctNs.end(), 0.0);
            NS_TEST_EXPECT_MSG_EQ_TOL(sum,
                                      expected,
                                      0.02 * expected,
                                      cc << ", " << bytes << " bytes");
        }
    }
}

DCN_TEST_CASE(WindowTestCase, "A flow that its window slows stays longer at its NIC")
{
    // The window allows 5/8 of the rate R, about; the first flow needs 8/5 of its time. The second
    // one starts when the first one would have ended without a window.
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    auto topology = DcnMakeDumbbell(2, 2, RATE);
    network->windowBytes = 8'000;
    static constexpr uint64_t SIZE = 400'000;
    const double aloneNs = DcnWireBytes(SIZE, 1000, DCN_HEADER_BYTES) * 8e9 / RATE;
    auto scenario =
        DcnScenario::Create(topology,
                            network,
                            {{0, 0, 2, SIZE, 0}, {1, 0, 2, SIZE, static_cast<int64_t>(aloneNs)}});
    const ParsimonLinkBuilder builder(scenario);
    const ParsimonLink link = builder.Build(scenario->GetPath(0)[0]);
    const auto limit = static_cast<double>(link.flows[0].limitBps);
    const int64_t rttNs = DcnBaseRttNs(scenario->GetTopology(), scenario->GetPath(0), 1048, 60);
    NS_TEST_EXPECT_MSG_EQ_TOL(limit,
                              8 * 1048 * 8e9 / static_cast<double>(rttNs),
                              1,
                              "K (M + H) / T");
    NS_TEST_ASSERT_MSG_GT(limit, 0.5 * RATE, "two of them fill the NIC");
    NS_TEST_ASSERT_MSG_LT(limit, 0.9 * RATE, "but one does not");
    const auto truth = DcnEstimator::CreateByName("packet")->Estimate(scenario).fctNs;
    Simulator::Destroy();
    const auto ideal = static_cast<double>(scenario->GetIdealFct(1).GetTotalNs());
    NS_TEST_EXPECT_MSG_GT(static_cast<double>(truth[1]), 1.1 * ideal, "they meet");
    NS_TEST_EXPECT_MSG_LT(ParsimonGetLargestError(scenario), 0.03, "of a flow");
}

DcnTestSuite<SharesByHandTestCase,
             MiddleShareTestCase,
             EqualSharesTestCase,
             BurstTestCase,
             OwnNicTestCase,
             PermutationTestCase,
             PaceTestCase,
             FewWindowsTestCase,
             WindowTestCase>
    g_parsimonSharesTestSuite("parsimon-shares"); //!< the suite

} // namespace
