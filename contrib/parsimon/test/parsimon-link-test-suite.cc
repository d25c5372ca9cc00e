/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/topology/parsimon-link-index.h"
#include "../model/topology/parsimon-link-scenario.h"
#include "../model/topology/parsimon-nic-delays.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"
#include "parsimon-test-links.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/parsimon-decomposition.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/parsimon-link.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t G10 = 10'000'000'000; //!< 10 Gb/s

/**
 * @param flows the flows
 * @param network the configuration
 * @return hosts 0 to 3, rack switches 4 and 5, switches 6 and 7 that join them; 10 Gb/s, 1 us
 */
Ptr<const DcnScenario>
MakeSmall(const std::vector<DcnFlow>& flows,
          Ptr<const DcnNetworkConfig> network = ParsimonMakeTestNetwork())
{
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < 8; ++node)
    {
        builder.AddNode(node < 4 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    for (const auto& [a, b] : std::vector<std::pair<uint32_t, uint32_t>>{{0, 4},
                                                                         {1, 4},
                                                                         {2, 5},
                                                                         {3, 5},
                                                                         {4, 6},
                                                                         {4, 7},
                                                                         {5, 6},
                                                                         {5, 7}})
    {
        builder.AddLink(a, b, G10, 1000);
    }
    return DcnScenario::Create(builder.Build(), network, flows);
}

/**
 * @param topology a topology
 * @param from node index
 * @param to node index
 * @return the directed link
 */
uint32_t
FindLink(const DcnTopology& topology, uint32_t from, uint32_t to)
{
    for (uint32_t link : topology.GetOutLinks(from))
    {
        if (topology.GetLink(link).to == to)
        {
            return link;
        }
    }
    return 0xffffffff;
}

/// Link topologies by hand: the example of the published system.
DCN_TEST_CASE(LinkByHandTestCase, "Link topologies of two flows by hand")
{
    // Delay and rate of an endpoint.
    const auto expect = [&](const ParsimonEndpoint& endpoint,
                            uint32_t host,
                            uint64_t rateBps,
                            int64_t delayNs,
                            const std::string& where) {
        NS_TEST_EXPECT_MSG_EQ(endpoint.host, host, where);
        NS_TEST_EXPECT_MSG_EQ(endpoint.rateBps, rateBps, where);
        NS_TEST_EXPECT_MSG_EQ(endpoint.delayNs, delayNs, where);
    };
    // 0 to 1 in the rack, 0 to 2 across; a second apart
    auto scenario = MakeSmall({{0, 0, 1, 5000, 0}, {1, 0, 2, 7000, 1'000'000'000}});
    const DcnTopology& topology = scenario->GetTopology();
    const DcnPath path = scenario->GetPath(1);
    const uint32_t middle = topology.GetLink(path[1]).to; // ECMP's choice
    const ParsimonLinkBuilder builder(scenario);
    NS_TEST_EXPECT_MSG_EQ(builder.GetBusyLinks().size(), 5, "0-4, 4-1, 4-m, m-5, 5-2");

    const ParsimonLink first = builder.Build(FindLink(topology, 0, 4));
    NS_TEST_EXPECT_MSG_EQ((first.position == ParsimonPosition::FIRST_HOP), true, "0-4");
    NS_TEST_EXPECT_MSG_EQ(first.capacityBps, G10, "0-4");
    NS_TEST_EXPECT_MSG_EQ(first.availableBps, G10, "no acknowledgements on 0-4");
    NS_TEST_EXPECT_MSG_EQ(first.delayNs, 1000, "0-4");
    NS_TEST_ASSERT_MSG_EQ(first.sources.size(), 1, "0-4");
    expect(first.sources[0], 0, 0, 0, "0-4, source");
    NS_TEST_ASSERT_MSG_EQ(first.destinations.size(), 2, "0-4");
    expect(first.destinations[0], 1, 10 * G10, 1000, "0-4, near");
    expect(first.destinations[1], 2, 10 * G10, 3000, "0-4, far");
    NS_TEST_ASSERT_MSG_EQ(first.flows.size(), 2, "0-4");
    NS_TEST_EXPECT_MSG_EQ(first.flows[1].destination, 1, "0-4");
    NS_TEST_EXPECT_MSG_EQ(first.flows[1].sizeBytes, 7000, "0-4");
    NS_TEST_EXPECT_MSG_EQ(first.flows[1].startNs, 1'000'000'000, "0-4");

    const ParsimonLink up = builder.Build(FindLink(topology, 4, middle));
    NS_TEST_EXPECT_MSG_EQ((up.position == ParsimonPosition::SWITCH_TO_SWITCH), true, "4-m");
    NS_TEST_ASSERT_MSG_EQ(up.flows.size(), 1, "4-m");
    NS_TEST_EXPECT_MSG_EQ(up.flows[0].flow, 1, "4-m");
    expect(up.sources[0], 0, G10, 1000, "4-m, source");
    expect(up.destinations[0], 2, 10 * G10, 2000, "4-m, destination");

    const ParsimonLink last = builder.Build(FindLink(topology, 5, 2));
    NS_TEST_EXPECT_MSG_EQ((last.position == ParsimonPosition::LAST_HOP), true, "5-2");
    expect(last.sources[0], 0, G10, 3000, "5-2, source");
    expect(last.destinations[0], 2, 0, 0, "5-2, destination");

    DCN_TEST_EXPECT_ERROR(builder.Build(FindLink(topology, 3, 5)), "no flow crosses link 3->5");

    // complete topologies have the round trip of the network: an empty path of 4 hops of 1048
    // and 60 bytes, 838 and 48 ns; 1 ns is lost where half of an odd time is added
    const ParsimonDecomposition decomposition(scenario, ParsimonRules::DEFAULT);
    const int64_t rttNs = DcnBaseRttNs(topology, path, 1048, 60);
    for (uint32_t each : path)
    {
        const ParsimonLink link = decomposition.Make(each);
        const auto exported = decomposition.MakeScenario(link);
        const std::size_t last = link.flows.size() - 1; // flow 1
        const int64_t linkRttNs =
            DcnBaseRttNs(exported->GetTopology(), exported->GetPath(last), 1048, 60);
        NS_TEST_EXPECT_MSG_EQ_TOL(linkRttNs, rttNs, 2, "round trip at link " << each);
    }
}

DCN_TEST_CASE(AckRateTestCase, "Acknowledgements take their share of the reverse link")
{
    // 2500 and 3000 bytes are three packets each; 100 us between the starts
    auto scenario = MakeSmall({{0, 0, 1, 2500, 0}, {1, 0, 1, 3000, 100'000}});
    const DcnTopology& topology = scenario->GetTopology();
    const uint32_t back = FindLink(topology, 4, 0);
    const uint64_t bits = 8 * 60 * 6;
    const ParsimonLinkBuilder published(scenario, ParsimonRules::PUBLISHED);
    NS_TEST_EXPECT_MSG_EQ(published.GetAckRate(back), bits * 1'000'000'000 / 100'000, "span");
    // one gap more: as long as two flows take to arrive
    const ParsimonLinkBuilder byRun(scenario);
    NS_TEST_EXPECT_MSG_EQ(byRun.GetAckRate(back), bits * 1'000'000'000 / 200'000, "run");
    NS_TEST_EXPECT_MSG_EQ(byRun.GetAckRate(FindLink(topology, 0, 4)), 0, "no acknowledgements");

    // between switches in steps of C / 128: 100 acknowledgements of each flow in 200 us are 240
    // Mb/s, 3.07 steps
    auto across = MakeSmall({{0, 0, 2, 100'000, 0}, {1, 0, 2, 100'000, 100'000}});
    const ParsimonLinkBuilder acrossBuilder(across);
    const uint32_t taken = across->GetPath(0)[1];
    NS_TEST_EXPECT_MSG_EQ(acrossBuilder.GetAckRate(DcnTopology::Reverse(taken)),
                          3 * acrossBuilder.GetFlows(taken).size() * G10 / 128,
                          "whole steps between switches");

    // HPCC's acknowledgements have 88 bytes
    auto hpcc =
        MakeSmall({{0, 0, 1, 2500, 0}, {1, 0, 1, 3000, 100'000}}, DcnNetworkConfig::Preset("hpcc"));
    NS_TEST_EXPECT_MSG_EQ(ParsimonLinkBuilder(hpcc, ParsimonRules::PUBLISHED).GetAckRate(back),
                          uint64_t{8 * 88 * 6 * 10'000},
                          "HPCC");

    // 1 ns apart: half the link by the published rules; by the default ones the rate at which 10
    // Gb/s of data are answered
    auto close = MakeSmall({{0, 0, 1, 100, 0}, {1, 0, 1, 100, 1}});
    NS_TEST_EXPECT_MSG_EQ(ParsimonLinkBuilder(close, ParsimonRules::PUBLISHED).GetAckRate(back),
                          G10 / 2,
                          "limit of the published rules");
    // 148 bytes of data per 60 bytes; limited to half the link
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(ParsimonLinkBuilder(close).GetAckRate(back)),
                              1e10 * 60 / 148,
                              1,
                              "as fast as the data can come");
    auto tiny = MakeSmall({{0, 0, 1, 1, 0}, {1, 0, 1, 1, 1}});
    NS_TEST_EXPECT_MSG_EQ(ParsimonLinkBuilder(tiny).GetAckRate(back), G10 / 2, "limit");

    // a flow over the reverse link finds its NIC and the target slower
    auto both = MakeSmall({{0, 0, 1, 2500, 0}, {1, 0, 1, 3000, 100'000}, {2, 1, 0, 1000, 0}});
    const ParsimonLinkBuilder builder(both, ParsimonRules::PUBLISHED);
    const ParsimonLink link = builder.Build(FindLink(topology, 4, 0));
    const uint64_t available = G10 - bits * 10'000;
    NS_TEST_EXPECT_MSG_EQ(link.availableBps, available, "target");
    NS_TEST_EXPECT_MSG_EQ(link.capacityBps, G10, "target");
    NS_TEST_EXPECT_MSG_EQ(link.sources[0].rateBps, available, "NIC of 1");
}

DCN_TEST_CASE(DelaysTestCase, "Link topologies and their scenarios keep the delays of all paths")
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    auto scenario = DcnMakeTestScenario(topology, DcnTestWorkload(500), ParsimonMakeTestNetwork());
    const ParsimonLinkBuilder builder(scenario);
    auto delayOf = [](const DcnScenario& where, std::size_t flow) {
        int64_t delayNs = 0;
        for (uint32_t link : where.GetPath(flow))
        {
            delayNs += where.GetTopology().GetLink(link).delayNs;
        }
        return delayNs;
    };
    std::size_t hops = 0;
    for (uint32_t each : builder.GetBusyLinks())
    {
        const ParsimonLink link = builder.Build(each);
        auto exported = ParsimonMakeLinkScenario(link, scenario->GetNetwork(), 1, scenario);
        NS_TEST_ASSERT_MSG_EQ(exported->GetFlows().size(), link.flows.size(), each);
        for (std::size_t i = 0; i < link.flows.size(); ++i)
        {
            const ParsimonLinkFlow& flow = link.flows[i];
            const int64_t sum = link.sources[flow.source].delayNs + link.delayNs +
                                link.destinations[flow.destination].delayNs;
            NS_TEST_EXPECT_MSG_EQ(sum, delayOf(*scenario, flow.flow), each);
            NS_TEST_EXPECT_MSG_EQ(delayOf(*exported, i), sum, each);
            const DcnFlow& original = scenario->GetFlows()[flow.flow];
            NS_TEST_EXPECT_MSG_EQ(exported->GetFlows()[i].id, original.id, each);
            NS_TEST_EXPECT_MSG_EQ(
                exported->GetTopology().GetExternalId(exported->GetFlows()[i].src),
                topology->GetExternalId(original.src),
                each);
        }
        hops += link.flows.size();
    }
    std::size_t expected = 0;
    for (std::size_t flow = 0; flow < scenario->GetFlows().size(); ++flow)
    {
        expected += scenario->GetPath(flow).size();
    }
    NS_TEST_EXPECT_MSG_EQ(hops, expected, "every flow is in the topology of each of its links");
}

/// With P_f the path of f and n_l the length of the list of l, which is ascending: list of P_f[h]
/// at GetPlace(f, h) is f for every f and h, and sum of n_l = sum of |P_f|, so that no list has
/// another flow. The bytes of l are the sum of the sizes in its list.
DCN_TEST_CASE(IndexTestCase, "Flows of links, and their places in the lists")
{
    const auto scenario = DcnMakeTestScenario(DcnTestWorkload(2000));
    const ParsimonLinkIndex index(*scenario);
    const auto& flows = scenario->GetFlows();
    std::size_t hops = 0;
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath path = scenario->GetPath(f);
        hops += path.size();
        for (std::size_t h = 0; h < path.size(); ++h)
        {
            const uint32_t place = index.GetPlace(f, h);
            NS_TEST_ASSERT_MSG_LT(place, index.GetNFlows(path[h]), "place of flow " << f);
            NS_TEST_EXPECT_MSG_EQ(index.GetFlows(path[h])[place], f, "hop " << h);
        }
    }
    std::size_t entries = 0;
    for (uint32_t link = 0; link < index.GetNLinks(); ++link)
    {
        const DcnIndexSpan list = index.GetFlows(link);
        NS_TEST_EXPECT_MSG_EQ(list.size(), index.GetNFlows(link), "length");
        const auto unordered = std::adjacent_find(list.begin(), list.end(), std::greater_equal<>());
        NS_TEST_EXPECT_MSG_EQ((unordered == list.end()), true, "link " << link);
        uint64_t bytes = 0;
        for (const uint32_t flow : list)
        {
            bytes += flows[flow].sizeBytes;
        }
        NS_TEST_EXPECT_MSG_EQ(index.GetBytes(link), bytes, "bytes on link " << link);
        entries += list.size();
    }
    NS_TEST_EXPECT_MSG_EQ(index.GetNLinks(), scenario->GetTopology().GetNLinks(), "links");
    NS_TEST_EXPECT_MSG_EQ(entries, hops, "no other flow");
}

DCN_TEST_CASE(RingTestCase, "A host may be before and behind a link, and at two distances")
{
    // switches 0 to 3 in a ring, host 4 + i at switch i; all flows go round by pinned paths
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < 8; ++node)
    {
        builder.AddNode(node < 4 ? DcnNodeKind::SWITCH : DcnNodeKind::HOST);
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        builder.AddLink(i, (i + 1) % 4, G10, 1000);
        builder.AddLink(4 + i, i, G10, 1000);
    }
    // a detour that makes the way from 0 to 1 longer
    builder.AddLink(0, 1, G10, 5000);
    const auto topology = builder.Build();
    const std::vector<DcnFlow> flows{{0, 4, 7, 20'000, 0},
                                     {1, 5, 4, 20'000, 0},
                                     {2, 4, 7, 20'000, 0},
                                     {3, 7, 6, 20'000, 0}};
    std::unordered_map<uint64_t, DcnScenario::PinnedPath> pins;
    pins[0] = {{{4, 0, 1, 2, 3, 7}, {0, 0, 0, 0, 0, 0}}, ""};
    pins[1] = {{{5, 1, 2, 3, 0, 4}, {}}, ""};
    pins[2] = {{{4, 0, 1, 2, 3, 7}, {0, 0, 1, 0, 0, 0}}, ""};
    pins[3] = {{{7, 3, 0, 1, 2, 6}, {0, 0, 0, 0, 0, 0}}, ""};
    auto scenario = DcnScenario::Create(topology, ParsimonMakeTestNetwork(), flows, pins);
    const ParsimonLinkBuilder links(scenario);
    // the link from 1 to 2 carries all: 4 sends at two distances; 7 sends and receives
    const ParsimonLink link = links.Build(FindLink(*topology, 1, 2));
    NS_TEST_ASSERT_MSG_EQ(link.flows.size(), 4, "all cross 1->2");
    NS_TEST_EXPECT_MSG_EQ(link.sources.size(), 4, "host 4 twice");
    NS_TEST_EXPECT_MSG_EQ(link.destinations.size(), 3, "7, 4, 6");
    const std::vector<bool> split = link.FindSplitSources();
    NS_TEST_EXPECT_MSG_EQ(std::count(split.begin(), split.end(), true), 2, "host 4");
    auto exported = ParsimonMakeLinkScenario(link, scenario->GetNetwork(), 1, scenario);
    NS_TEST_EXPECT_MSG_EQ(exported->GetTopology().GetHosts().size(), 6, "4, 5, 7; 7, 4, 6");
    NS_TEST_EXPECT_MSG_EQ(exported->GetPath(0)[0], exported->GetPath(2)[0], "one NIC");

    auto lean = ParsimonLinkSimulator::Create("lean", scenario->GetNetwork(), 1);
    auto packet = ParsimonLinkSimulator::Create("packet", scenario->GetNetwork(), 1);
    const auto leanResult = lean->Simulate(link);
    const auto packetResult = packet->Simulate(link);
    for (std::size_t i = 0; i < link.flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(leanResult.idealNs[i], packetResult.idealNs[i], i);
        // packets round the times of each hop down to 2^-14 ns before the end is rounded up
        NS_TEST_EXPECT_MSG_EQ_TOL(leanResult.fctNs[i], packetResult.fctNs[i], 1, i);
    }
    const auto nicNs = ParsimonNicDelays(link, 1000, DCN_HEADER_BYTES);
    NS_TEST_EXPECT_MSG_GT(nicNs[0], 0, "4 sends twice");
    NS_TEST_EXPECT_MSG_LT(nicNs[0],
                          leanResult.fctNs[0] - leanResult.idealNs[0],
                          "and then shares the target");
}

DCN_TEST_CASE(MarkingTestCase, "A corrected rate does not shift the marking threshold")
{
    const auto network = ParsimonMakeTestNetwork();
    ParsimonLink link{0, ParsimonPosition::LAST_HOP, 4 * G10, 37'777'777'777, 1000, {}, {}, {}};
    link.sources.push_back({0, 2, G10, 1000});
    link.destinations.push_back({1, 0, 0, 0});
    link.flows.push_back({0, 0, 0, 1000, 0});
    const ParsimonMarking marking = ParsimonTargetMarking(link, *network);
    NS_TEST_EXPECT_MSG_EQ(marking.kminBytes, 120'000, "3 kB per Gb/s");
    auto exported = ParsimonMakeLinkScenario(link, *network);
    const DcnNetworkParameters& parameters = exported->GetNetwork();
    const double scale = static_cast<double>(link.availableBps) /
                         static_cast<double>(parameters.ecnReferenceRate.GetBitRate());
    NS_TEST_EXPECT_MSG_EQ(
        static_cast<uint64_t>(static_cast<double>(parameters.ecnKminBytes) * scale),
        120'000,
        "as the packet engine scales it");
}

DcnTestSuite<LinkByHandTestCase,
             AckRateTestCase,
             IndexTestCase,
             DelaysTestCase,
             RingTestCase,
             MarkingTestCase>
    g_parsimonLinkTestSuite("parsimon-link"); //!< the suite

} // namespace
