/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulator/noc-traffic.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/noc-system.h"
#include "ns3/noc-topology.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @return a topology as systems hold it
std::shared_ptr<const NocTopology>
Share(NocTopology&& topology)
{
    return std::make_shared<const NocTopology>(std::move(topology));
}

/// Half rings: two positions per stop, one at the ends, and the shorter way in both directions.
DCN_TEST_CASE(HalfRingTestCase, "a half ring of n stops is a loop of 2 (n - 1) positions")
{
    const NocTopology line = NocTopology::HalfRing(5);
    NS_TEST_ASSERT_MSG_EQ(line.GetNLanes(), 8, "positions");
    NS_TEST_EXPECT_MSG_EQ(line.GetNLoops(), 1, "one loop");
    for (uint32_t lane = 0; lane < 8; ++lane)
    {
        NS_TEST_EXPECT_MSG_EQ(line.GetNode(lane), (lane < 5 ? lane : 8 - lane), "stop of " << lane);
    }
    for (uint32_t a = 0; a < 5; ++a)
    {
        NS_TEST_EXPECT_MSG_EQ(line.GetLeg(a, a).lane, NocTopology::NONE, "no way to itself");
        for (uint32_t b = 0; b < 5; ++b)
        {
            if (a != b)
            {
                NS_TEST_EXPECT_MSG_EQ(line.GetLeg(a, b).hops, (a < b ? b - a : a - b), a << b);
                NS_TEST_EXPECT_MSG_EQ(line.GetLeg(a, b).lane, (b > a ? a : (8 - a) % 8), a << b);
            }
        }
    }
}

/// Y-X routes: column first, a cycle for the turn; the largest loads have a closed form.
DCN_TEST_CASE(MeshTestCase, "meshes route in the column, then in the row")
{
    const NocTopology mesh = NocTopology::Mesh(3, 4);
    NS_TEST_EXPECT_MSG_EQ(mesh.GetNLoops(), 7, "rows and columns");
    for (uint32_t a = 0; a < 12; ++a)
    {
        for (uint32_t b = 0; b < 12; ++b)
        {
            if (a == b)
            {
                continue;
            }
            const int rows = std::abs(static_cast<int>(a / 4) - static_cast<int>(b / 4));
            const int columns = std::abs(static_cast<int>(a % 4) - static_cast<int>(b % 4));
            NS_TEST_EXPECT_MSG_EQ(mesh.GetZeroLoadLatency(a, b),
                                  static_cast<uint32_t>(rows + columns + (rows && columns)),
                                  "from " << a << " to " << b);
            const auto route = mesh.GetRoute(a, b);
            NS_TEST_EXPECT_MSG_EQ(route.size(), std::size_t(1 + (rows && columns)), "legs");
            if (rows && columns)
            {
                NS_TEST_EXPECT_MSG_EQ(route[0].exit, b / 4 * 4 + a % 4, "the turn");
            }
        }
    }
    // uniform traffic on n x n, n even: largest lane load lambda n^3 / (4 (n^2 - 1))
    for (uint32_t n : {4, 6, 8})
    {
        const auto system = NocSystem::OneLayer(Share(NocTopology::Mesh(n, n)), 0.1, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(system.GetLargestRate(),
                                  std::min(1.0, 4.0 * (n * n - 1) / (n * n * n)),
                                  1e-12,
                                  "largest rate of " << n);
    }
    // memory controllers of T_mc = 2 and half misses: 34 agents, 2 controllers
    const auto half = NocSystem::Cache(Share(NocTopology::Mesh(6, 6)), {12, 17}, 0.1, 0, 0.5);
    NS_TEST_EXPECT_MSG_EQ_TOL(half.GetLargestRate(), 2 * 0.5 / (34 * 0.5), 1e-12, "controllers");
}

/// Tori: rings in both directions, at most half a round.
DCN_TEST_CASE(TorusTestCase, "tori take the shorter way round")
{
    const NocTopology torus = NocTopology::Torus(4, 5);
    for (uint32_t a = 0; a < 20; ++a)
    {
        for (uint32_t b = 0; b < 20; ++b)
        {
            if (a == b)
            {
                continue;
            }
            const uint32_t rows = (b / 5 + 4 - a / 5) % 4;
            const uint32_t columns = (b % 5 + 5 - a % 5) % 5;
            NS_TEST_EXPECT_MSG_EQ(torus.GetZeroLoadLatency(a, b),
                                  std::min(rows, 4 - rows) + std::min(columns, 5 - columns) +
                                      (rows && columns),
                                  "from " << a << " to " << b);
        }
    }
    const NocTopology ring = NocTopology::Ring(3);
    NS_TEST_EXPECT_MSG_EQ(ring.GetLeg(1, 0).hops, 2, "one direction");
    NS_TEST_EXPECT_MSG_EQ(ring.GetLeg(1, 1).hops, 3, "a whole round");
}

/// Any graph: each directed link on one loop, and shortest routes but for turns.
DCN_TEST_CASE(GraphTestCase, "loops over the links of a graph")
{
    const std::vector<std::pair<uint32_t, uint32_t>>
        links{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}, {0, 3}};
    const NocTopology graph = NocTopology::FromLinks(6, links);
    NS_TEST_EXPECT_MSG_EQ(graph.GetNLanes(), 2 * links.size(), "a lane per directed link");
    std::set<std::pair<uint32_t, uint32_t>> hops;
    for (uint32_t lane = 0; lane < graph.GetNLanes(); ++lane)
    {
        hops.emplace(graph.GetNode(lane), graph.GetNode(graph.GetNext(lane)));
    }
    NS_TEST_EXPECT_MSG_EQ(hops.size(), 2 * links.size(), "each once");
    for (const auto& [a, b] : links)
    {
        NS_TEST_EXPECT_MSG_EQ(hops.count({a, b}) + hops.count({b, a}), 2, "both directions");
        NS_TEST_EXPECT_MSG_EQ(graph.GetZeroLoadLatency(a, b), 1, "neighbours");
    }
    // hops over links by breadth-first search
    for (uint32_t a = 0; a < 6; ++a)
    {
        std::vector<uint32_t> distance(6, 99);
        distance[a] = 0;
        for (int round = 0; round < 6; ++round)
        {
            for (const auto& [from, to] : hops)
            {
                distance[to] = std::min(distance[to], distance[from] + 1);
            }
        }
        for (uint32_t b = 0; b < 6; ++b)
        {
            if (a != b)
            {
                const uint32_t cycles = graph.GetZeroLoadLatency(a, b);
                NS_TEST_EXPECT_MSG_EQ((cycles >= distance[b] && cycles < 2 * distance[b]),
                                      true,
                                      a << b);
                uint32_t node = a;
                for (const auto& leg : graph.GetRoute(a, b))
                {
                    NS_TEST_EXPECT_MSG_EQ(graph.GetNode(leg.lane), node, "begins where it is");
                    uint32_t lane = leg.lane;
                    for (uint32_t hop = 0; hop < leg.hops; ++hop)
                    {
                        lane = graph.GetNext(lane);
                        NS_TEST_EXPECT_MSG_EQ((graph.GetNode(lane) == leg.exit),
                                              (hop + 1 == leg.hops),
                                              "leaves at the first position of its exit");
                    }
                    node = leg.exit;
                }
                NS_TEST_EXPECT_MSG_EQ(node, b, "ends at the destination");
            }
        }
    }
    // a line of links is the half ring
    const NocTopology line = NocTopology::FromLinks(4, {{0, 1}, {1, 2}, {2, 3}});
    NS_TEST_EXPECT_MSG_EQ(line.GetNLoops(), 1, "one loop");
    NS_TEST_EXPECT_MSG_EQ(line.GetZeroLoadLatency(3, 0), 3, "no turn");
}

/// Numbers, links and systems that make no sense.
DCN_TEST_CASE(RefusalTestCase, "bad input is refused by a sentence")
{
    DCN_TEST_EXPECT_ERROR(NocTopology::Mesh(0, 4),
                          "the number of rows must be from 1 to 32, but it is 0");
    DCN_TEST_EXPECT_ERROR(NocTopology::Mesh(1, 1),
                          "a network on chip needs two nodes, but it has one row and one column");
    DCN_TEST_EXPECT_ERROR(NocTopology::Torus(4, 33),
                          "the number of columns must be from 1 to 32, but it is 33");
    DCN_TEST_EXPECT_ERROR(NocTopology::FromLinks(3, {{0, 3}}),
                          "a link joins the nodes 0 and 3, but there are only 3 nodes");
    DCN_TEST_EXPECT_ERROR(NocTopology::FromLinks(3, {{1, 1}}), "a link joins node 1 with itself");
    DCN_TEST_EXPECT_ERROR(NocTopology::FromLinks(3, {{0, 1}, {1, 0}}),
                          "the nodes 1 and 0 are joined by two links");
    DCN_TEST_EXPECT_ERROR(NocTopology::FromLinks(3, {{0, 1}}),
                          "node 2 is not connected with node 0");
    const auto mesh = Share(NocTopology::Mesh(2, 3));
    auto expect = [this, &mesh](const std::function<void(NocSystem&)>& change,
                                const std::string& sentence) {
        NocSystem system = NocSystem::Cache(mesh, {5}, 0.1, 0, 0.5);
        system.Check();
        change(system);
        DCN_TEST_EXPECT_ERROR(system.Check(), sentence);
    };
    expect([](NocSystem& s) { s.ingress = 0; },
           "an ingress queue must hold at least one packet, but its size is 0");
    expect([](NocSystem& s) { s.egress = 0; },
           "an egress queue must hold at least one packet, but its size is 0");
    expect([](NocSystem& s) { s.transgress = 0; },
           "a transgress queue must hold at least one packet, but its size is 0");
    expect([](NocSystem& s) { s.cacheList = 0; },
           "the list of a cache slice must hold at least one packet, but its size is 0");
    expect([](NocSystem& s) { s.memoryList = 0; },
           "the list of a memory controller must hold at least one packet, but its size is 0");
    expect([](NocSystem& s) { s.memoryPeriod = 0; },
           "a memory controller must have at least one cycle per request, but it has 0");
    expect([](NocSystem& s) { s.rates[1] = 1; },
           "the rate of node 1 must be at least 0 and below 1 packet per cycle, but it is 1");
    expect([](NocSystem& s) { s.rates[1] = -0.1; },
           "the rate of node 1 must be at least 0 and below 1 packet per cycle, but it is -0.1");
    expect([](NocSystem& s) { s.rates[1] = std::nan(""); },
           "the rate of node 1 must be at least 0 and below 1 packet per cycle, but it is nan");
    expect([](NocSystem& s) { s.bursts[2] = -0.1; },
           "the burst probability of node 2 must be at least 0 and below 1, but it is -0.1");
    expect([](NocSystem& s) { s.hitRate = -0.5; },
           "the hit rate must be from 0 to 1, but it is -0.5");
    expect([](NocSystem& s) { s.rates[1] = 1.2; },
           "the rate of node 1 must be at least 0 and below 1 packet per cycle, but it is 1.2");
    expect([](NocSystem& s) { s.bursts[2] = 1; },
           "the burst probability of node 2 must be at least 0 and below 1, but it is 1");
    expect([](NocSystem& s) { s.hitRate = 1.5; },
           "the hit rate must be from 0 to 1, but it is 1.5");
    expect([](NocSystem& s) { s.memoryControllers.clear(); },
           "the hit rate is 0.5, but there is no memory controller for the misses");
    expect([](NocSystem& s) { s.memoryControllers = {7}; },
           "memory controller 7 is no node: there are 6 nodes");
    expect([](NocSystem& s) { s.rates[5] = 0.1; },
           "node 5 is a memory controller, which sends no requests");
    expect([](NocSystem& s) { s.rates.assign(6, 0); }, "no node sends a packet: all rates are 0");
    expect([](NocSystem& s) { s.sinkService = 0; },
           "a sink takes packets with a probability in (0, 1] per cycle, not 0");
    expect([](NocSystem& s) { s.destinations.assign(6, std::vector<double>(6, 0)); },
           "node 0 has a rate, but no destination");
    expect(
        [](NocSystem& s) {
            s.trace = {{0, 1, 5}};
        },
        "a packet of the trace goes from 1 to 5, but node 5 is a memory controller: choose others "
        "by MemoryControllers (--memory), or none (--memory=none) if all requests are hits");
    expect(
        [](NocSystem& s) {
            s.memoryControllers = {5, 5};
        },
        "node 5 is a memory controller twice: name it once");
    expect(
        [](NocSystem& s) {
            s.trace = {{0, 1, 2, 3}, {0, 1, 6, 4}};
            s.traceFile = "t.csv";
        },
        "t.csv:4: a packet of the trace goes from 1 to 6, but there are 6 nodes");
}

/// Traces: times in order, nodes that exist; the fit inverts the wait of a queue.
DCN_TEST_CASE(TraceTestCase, "traces are read and fitted")
{
    const std::string path = CreateTempDirFilename("trace.csv");
    auto write = [&path](const std::string& rows) {
        std::ofstream(path) << "cycle,source,destination\n" << rows;
    };
    write("0,1,2\n5,0,1\n5,1,0\n");
    NS_TEST_EXPECT_MSG_EQ(NocReadTrace(path, 3).size(), 3, "packets");
    write("0,1,2\n5,0,1\n4,1,0\n");
    DCN_TEST_EXPECT_ERROR(NocReadTrace(path, 3),
                          path + ":4: the time goes backwards: cycle 4 is after 5");
    write("0,1,3\n");
    DCN_TEST_EXPECT_ERROR(NocReadTrace(path, 3), path + ":2: there is no node 3, but only 3 nodes");
    write("0,1,1\n");
    DCN_TEST_EXPECT_ERROR(NocReadTrace(path, 3), path + ":2: node 1 sends a packet to itself");
    // batches of 1 and 3 packets, far apart: waits 0; 0, 1, 2, so W = 3 / 4 with rate 4 / 100
    const auto fits = NocFitTrace({{0, 0, 1}, {50, 0, 1}, {50, 0, 1}, {50, 0, 1}}, 2, 100);
    NS_TEST_EXPECT_MSG_EQ_TOL(fits[0].first, 0.04, 1e-12, "rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(fits[0].second, 0.75 * 0.96 / (1 + 0.75 * 0.96), 1e-12, "burst");
    NS_TEST_EXPECT_MSG_EQ(fits[1].first, 0, "sends nothing");
    // the burst that gives W = g / (1 - lambda)
    NS_TEST_EXPECT_MSG_EQ_TOL(NocGgeoSource::FitBurst(0.5, 0.3 / 0.7 / 0.5), 0.3, 1e-12, "inverse");
}

DcnTestSuite<HalfRingTestCase,
             MeshTestCase,
             TorusTestCase,
             GraphTestCase,
             RefusalTestCase,
             TraceTestCase>
    g_nocTopologyTestSuite("noc-topology");

} // namespace
