/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-statistics.h"

#include "ns3/dcn-random.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/hash.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr double LEVEL = 0.01;            //!< of the chi-square tests
constexpr std::size_t N_FLOWS = 100'000;  //!< flows of an ECMP test
constexpr uint64_t RATE = 10'000'000'000; //!< rate of links that only need to exist [bit/s]
constexpr int64_t DELAY = 1000;           //!< delay of links that only need to exist [ns]

/**
 * @param id flow id
 * @param src source
 * @param dst destination
 * @return a flow between two hosts
 */
DcnFlow
MakeFlow(uint64_t id, uint32_t src, uint32_t dst)
{
    return {id, src, dst, 1000, 0};
}

/**
 * @param routing the paths
 * @param flow a flow
 * @return its path
 */
std::vector<uint32_t>
PathOf(const DcnRouting& routing, const DcnFlow& flow)
{
    std::vector<uint32_t> path;
    routing.AppendPath(flow, path);
    return path;
}

/**
 * @param topology the network
 * @param src a host
 * @return links from it to every node, not over hosts; 0 for itself and what it cannot reach
 */
std::vector<uint32_t>
Search(const DcnTopology& topology, uint32_t src)
{
    std::vector<uint32_t> hops(topology.GetNNodes(), 0);
    std::vector<uint32_t> frontier{src};
    for (std::size_t i = 0; i < frontier.size(); ++i)
    {
        const uint32_t node = frontier[i];
        if (node != src && topology.IsHost(node))
        {
            continue;
        }
        for (uint32_t link : topology.GetOutLinks(node))
        {
            const uint32_t peer = topology.GetLink(link).to;
            if (peer != src && hops[peer] == 0)
            {
                hops[peer] = hops[node] + 1;
                frontier.push_back(peer);
            }
        }
    }
    return hops;
}

/**
 * Paths are walks from source to destination with as few links as a search over all nodes finds
 * that never passes a host. At every node X the candidates are all links from X to a Y with
 * d(Y) = d(X) - 1, where d is the distance to the destination by such a search, and the hash
 * chooses among them. Networks: random ones with multi-homed hosts and parallel links, and regular
 * ones, whose switches share their neighbours.
 */
DCN_TEST_CASE(ShortestPathTestCase, "paths are shortest walks")
{
    uint64_t seed = 0; // of the routing
    uint32_t nBehindHosts = 0;
    uint32_t nApart = 0;
    // toDst: per node, links of a shortest path to the destination, 0 if there is none
    const auto checkPair = [&](const DcnRouting& routing,
                               uint32_t src,
                               uint32_t dst,
                               const std::vector<uint32_t>& toDst) {
        auto topology = routing.GetTopology();
        const uint32_t hops = toDst[src];
        NS_TEST_EXPECT_MSG_EQ(routing.GetHops(src, dst), hops, "wrong distance");
        const DcnFlow flow = MakeFlow(src * 1000 + dst, src, dst);
        if (hops == 0)
        {
            // nodes joined by links in any way have one number
            std::vector<uint32_t> island(topology->GetNNodes());
            std::iota(island.begin(), island.end(), 0);
            for (uint32_t link = 0; link < topology->GetNLinks(); ++link)
            {
                const uint32_t from = island[topology->GetLink(link).from];
                std::replace(island.begin(),
                             island.end(),
                             from,
                             island[topology->GetLink(link).to]);
            }
            const bool isJoined = island[src] == island[dst];
            ++(isJoined ? nBehindHosts : nApart);
            DCN_TEST_EXPECT_ERROR(
                PathOf(routing, flow),
                "flow " + std::to_string(flow.id) + ": host " + std::to_string(dst) +
                    " cannot be reached from host " + std::to_string(src) +
                    (isJoined ? ": every way between them passes a host, and hosts do not forward"
                              : ""));
            NS_TEST_EXPECT_MSG_EQ(routing.GetNextLinks(src, dst).size(), 0, "a way to nowhere");
            return;
        }
        const std::vector<uint32_t> path = PathOf(routing, flow);
        NS_TEST_ASSERT_MSG_EQ(path.size(), hops, "not a shortest path");
        uint32_t node = src;
        for (uint32_t link : path)
        {
            const auto candidates = routing.GetNextLinks(node, dst);
            std::vector<uint32_t> expected;
            for (uint32_t out : topology->GetOutLinks(node))
            {
                const uint32_t peer = topology->GetLink(out).to;
                const bool mayPass = peer == dst || !topology->IsHost(peer);
                if (mayPass && (peer == dst || toDst[peer] > 0) && toDst[peer] + 1 == toDst[node])
                {
                    expected.push_back(out);
                }
            }
            NS_TEST_EXPECT_MSG_EQ((candidates == expected), true, "wrong candidates");
            NS_TEST_ASSERT_MSG_EQ(candidates.empty(), false, "no candidate");
            const uint64_t key[4] = {seed, node, flow.id, uint64_t{flow.src} << 32 | flow.dst};
            const uint64_t hash =
                Hash64(std::string(reinterpret_cast<const char*>(key), sizeof(key))) >> 32;
            NS_TEST_EXPECT_MSG_EQ(link,
                                  candidates[hash * candidates.size() >> 32],
                                  "the candidate of the hash");
            NS_TEST_EXPECT_MSG_EQ(topology->GetLink(link).from, node, "not a walk");
            node = topology->GetLink(link).to;
            const bool passesHost = topology->IsHost(node) && node != dst;
            NS_TEST_EXPECT_MSG_EQ(passesHost, false, "hosts do not forward");
        }
        NS_TEST_EXPECT_MSG_EQ(node, dst, "does not end at the destination");
    };
    const auto checkAll = [&](Ptr<const DcnTopology> topology, uint64_t ecmpSeed) {
        seed = ecmpSeed;
        const DcnRouting routing(topology, seed);
        for (uint32_t dst : topology->GetHosts())
        {
            const std::vector<uint32_t> toDst = Search(*topology, dst);
            for (uint32_t src : topology->GetHosts())
            {
                if (src != dst)
                {
                    checkPair(routing, src, dst, toDst);
                }
            }
        }
    };
    auto uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(11).Assign(uniform, DcnPurpose::TEST_PAIRS);
    for (int instance = 0; instance < 200; ++instance)
    {
        DcnTopologyBuilder builder;
        const uint32_t nHosts = uniform->GetInteger(2, 8);
        const uint32_t nSwitches = uniform->GetInteger(1, 10);
        const uint32_t nNodes = nHosts + nSwitches;
        for (uint32_t node = 0; node < nNodes; ++node)
        {
            builder.AddNode(node < nHosts ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
        }
        for (uint32_t node = 0; node < nNodes; ++node)
        {
            // one or two links to others, so that some networks fall apart and some have
            // parallel links, hosts at several switches and hosts joined to each other
            const uint32_t nLinks = uniform->GetInteger(1, 2);
            for (uint32_t i = 0; i < nLinks; ++i)
            {
                const uint32_t other = uniform->GetInteger(0, nNodes - 2);
                builder.AddLink(node, other + (other >= node), RATE, DELAY);
            }
        }
        checkAll(builder.Build(), instance);
    }
    NS_TEST_EXPECT_MSG_GT(nBehindHosts, 0, "pairs that only hosts join");
    NS_TEST_EXPECT_MSG_GT(nApart, 0, "pairs that nothing joins");
    DcnFabricParameters fabric;
    fabric.pods = 3;
    fabric.racksPerPod = 2;
    fabric.hostsPerRack = 2;
    fabric.spinesPerPlane = 3;
    checkAll(DcnBuildTopology(fabric), 3);
    checkAll(DcnBuildTopology(DcnFatTreeParameters()), 4);
    checkAll(DcnBuildTopology(DcnLeafSpineParameters()), 5);
    checkAll(DcnBuildTopology(DcnDumbbellParameters()), 6);
    checkAll(DcnBuildTopology(DcnParkingLotParameters()), 7);
}

/**
 * ECMP on a fabric of two pods with F = 4 planes of S = 8 spines. For flows between the pods:
 * - at every ToR the F uplinks, at every fabric switch the S uplinks, and over all of them the F S
 *   spines are equally likely;
 * - plane and spine are independent: their table of F rows and S columns has (F - 1) (S - 1)
 * degrees of freedom. Where one hash value serves both switches, plane = h mod F and spine = h mod
 * S, a quarter of the spines is used; the same test must reject that.
 */
class EcmpTestCase : public TestCase
{
  public:
    EcmpTestCase()
        : TestCase("ECMP spreads 100,000 flows evenly and independently")
    {
    }

  private:
    static constexpr uint32_t PLANES = 4; //!< F
    static constexpr uint32_t SPINES = 8; //!< S

    /// How often each plane and spine was taken.
    using Table = std::vector<uint64_t>;

    /**
     * @param table flows by plane (rows) and spine of the plane (columns)
     * @return test of independence
     */
    static DcnChiSquare Independence(const Table& table)
    {
        std::vector<double> rows(PLANES, 0.0);
        std::vector<double> columns(SPINES, 0.0);
        double total = 0;
        for (std::size_t i = 0; i < table.size(); ++i)
        {
            rows[i / SPINES] += table[i];
            columns[i % SPINES] += table[i];
            total += table[i];
        }
        DcnChiSquare test;
        for (std::size_t i = 0; i < table.size(); ++i)
        {
            test.AddCell(table[i], rows[i / SPINES] * columns[i % SPINES] / total);
        }
        test.freedom = (PLANES - 1.0) * (SPINES - 1.0);
        return test;
    }

    /**
     * @param counts how often each of some equally likely outcomes was seen
     * @param test where to add them
     */
    static void AddEven(const Table& counts, DcnChiSquare& test)
    {
        const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
        DcnChiSquare one;
        one.Add(counts, std::vector<double>(counts.size(), total / counts.size()));
        test.statistic += one.statistic;
        test.freedom += one.freedom;
    }

    void DoRun() override
    {
        DcnFabricParameters p;
        p.fabricsPerPod = PLANES;
        p.spinesPerPlane = SPINES;
        m_topology = DcnBuildTopology(p);
        m_nHosts = static_cast<uint32_t>(m_topology->GetHosts().size());

        // flows of all hosts with consecutive ids; of one pair; of one pair with ids that differ
        // only in high bits
        CheckFlows("all pairs", 1, 1, true);
        CheckFlows("one pair", 1, 1, false);
        CheckFlows("one pair, sparse ids", 1, uint64_t{1} << 40, false);

        // the level is right: of 100 seeds about one is rejected (more than 5: once in 2000 times)
        int rejected = 0;
        for (uint64_t seed = 0; seed < 100; ++seed)
        {
            const DcnRouting routing(m_topology, seed);
            Table spines(PLANES * SPINES, 0);
            for (uint64_t id = 0; id < 10'000; ++id)
            {
                ++spines[SpineOf(PathOf(routing, MakeFlow(id, 0, m_nHosts - 1)))];
            }
            DcnChiSquare test{0, 0, true};
            AddEven(spines, test);
            rejected += !test.IsAccepted(LEVEL);
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(rejected, 5, "too many seeds give uneven spines");

        Table polarised(PLANES * SPINES, 0);
        for (uint64_t id = 0; id < N_FLOWS; ++id)
        {
            const uint64_t h = Hash64(std::to_string(id));
            ++polarised[h % PLANES * SPINES + h % SPINES];
        }
        NS_TEST_EXPECT_MSG_EQ(Independence(polarised).IsAccepted(LEVEL),
                              false,
                              "the test of independence does not see polarisation");
    }

    /**
     * @param path a path between pods
     * @return the number of its spine, plane by plane
     */
    uint32_t SpineOf(const std::vector<uint32_t>& path) const
    {
        return m_topology->GetLink(path[2]).to - (m_topology->GetNNodes() - PLANES * SPINES);
    }

    /**
     * @param what name of the set of flows
     * @param seed ECMP seed
     * @param idStep difference of successive flow ids
     * @param allPairs false: all flows have the same source and destination
     */
    void CheckFlows(const std::string& what, uint64_t seed, uint64_t idStep, bool allPairs)
    {
        const DcnRouting routing(m_topology, seed);
        std::vector<Table> byLevel(2, Table(m_topology->GetNLinks(), 0));
        Table spines(PLANES * SPINES, 0);
        for (uint64_t i = 0; i < N_FLOWS; ++i)
        {
            // from one pod to the other, either way
            const uint32_t src = allPairs ? i % m_nHosts : 0;
            const uint32_t dst =
                allPairs ? (src + m_nHosts / 2 + i / m_nHosts % 4) % m_nHosts : m_nHosts - 1;
            if (src / (m_nHosts / 2) == dst / (m_nHosts / 2))
            {
                continue;
            }
            const auto path = PathOf(routing, MakeFlow(i * idStep, src, dst));
            NS_TEST_ASSERT_MSG_EQ(path.size(), 6, "wrong path between pods");
            ++byLevel[0][path[1]];
            ++byLevel[1][path[2]];
            ++spines[SpineOf(path)];
        }
        const char* names[] = {"ToRs", "fabric switches"};
        for (std::size_t level = 0; level < byLevel.size(); ++level)
        {
            DcnChiSquare test{0, 0, true};
            for (uint32_t node = m_nHosts; node < m_topology->GetNNodes(); ++node)
            {
                Table uplinks;
                for (uint32_t link : m_topology->GetOutLinks(node))
                {
                    if (m_topology->GetLink(link).to > node)
                    {
                        uplinks.push_back(byLevel[level][link]);
                    }
                }
                if (std::accumulate(uplinks.begin(), uplinks.end(), uint64_t{0}) > 0)
                {
                    AddEven(uplinks, test);
                }
            }
            Accept(test, what + ": uplinks of the " + names[level]);
        }
        DcnChiSquare even{0, 0, true};
        AddEven(spines, even);
        Accept(even, what + ": all spines");
        Accept(Independence(spines), what + ": independence of plane and spine");
    }

    /**
     * @param test a test that must accept
     * @param what its name
     */
    void Accept(const DcnChiSquare& test, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_GT(test.freedom, 0, what << " has no choice");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(test.statistic,
                                    test.GetCritical(LEVEL),
                                    what << ", chi-square with " << test.freedom
                                         << " degrees of freedom");
    }

    Ptr<DcnTopology> m_topology; //!< the fabric
    uint32_t m_nHosts{0};        //!< its hosts
};

/// A path depends on the flow's id, source and destination and on the seed, and on nothing else.
DCN_TEST_CASE(PathKeyTestCase, "paths are reproducible")
{
    DcnFabricParameters p;
    p.spinesPerPlane = 8;
    auto topology = DcnBuildTopology(p);
    const DcnRouting first(topology, 1);
    const DcnRouting again(topology, 1);
    const DcnRouting other(topology, 2);
    uint32_t differing = 0;
    for (uint64_t id = 0; id < 1000; ++id)
    {
        const DcnFlow flow = MakeFlow(id, id % 16, 16 + id % 13);
        DcnFlow later = flow;
        later.sizeBytes = 77;
        later.startNs = 123;
        const auto path = PathOf(first, flow);
        const bool same = path == PathOf(again, later);
        NS_TEST_EXPECT_MSG_EQ(same, true, "the path changed");
        differing += path != PathOf(other, flow);
    }
    // sixteen equally likely paths: 1/16 are the same by chance
    NS_TEST_EXPECT_MSG_EQ_TOL(differing, 937.5, 4.5 * 7.7, "the seed does not choose the paths");
}

/// Multi-homed hosts use all their links, in both directions; so do parallel links.
DCN_TEST_CASE(MultiHomedTestCase, "multi-homed hosts and parallel links")
{
    // hosts 0 and 1, both at the switches 2 and 3, host 4 at switch 3 alone; two parallel
    // cables between the switches
    DcnTopologyBuilder builder;
    for (DcnNodeKind kind : {DcnNodeKind::HOST,
                             DcnNodeKind::HOST,
                             DcnNodeKind::SWITCH,
                             DcnNodeKind::SWITCH,
                             DcnNodeKind::HOST,
                             DcnNodeKind::HOST})
    {
        builder.AddNode(kind);
    }
    const uint32_t a = builder.AddLink(0, 2, RATE, DELAY);
    const uint32_t b = builder.AddLink(0, 3, RATE, DELAY);
    builder.AddLink(1, 2, RATE, DELAY);
    builder.AddLink(1, 3, RATE, DELAY);
    builder.AddLink(4, 3, RATE, DELAY);
    builder.AddLink(5, 2, RATE, DELAY);
    const uint32_t c = builder.AddLink(2, 3, RATE, DELAY);
    const uint32_t d = builder.AddLink(2, 3, RATE, DELAY);
    auto topology = builder.Build();
    const DcnRouting routing(topology);
    NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 1), 2, "over one switch");
    NS_TEST_EXPECT_MSG_EQ(routing.GetHops(5, 4), 3, "hosts do not forward");
    std::vector<uint64_t> homes(2, 0);
    std::vector<uint64_t> cables(2, 0);
    for (uint64_t id = 0; id < N_FLOWS; ++id)
    {
        const auto path = PathOf(routing, MakeFlow(id, 0, 1));
        NS_TEST_ASSERT_MSG_EQ(path.size(), 2, "over one switch");
        homes[0] += path[0] == a;
        homes[1] += path[0] == b;
        // the host next to switch 3 is reached by the link to that switch alone
        NS_TEST_EXPECT_MSG_EQ(PathOf(routing, MakeFlow(id, 0, 4))[0], b, "a detour");
        const auto across = PathOf(routing, MakeFlow(id, 5, 4));
        cables[0] += across[1] == c;
        cables[1] += across[1] == d;
    }
    for (const auto& counts : {homes, cables})
    {
        DcnChiSquare test;
        test.Add(counts, {N_FLOWS / 2.0, N_FLOWS / 2.0});
        NS_TEST_EXPECT_MSG_EQ(test.IsAccepted(LEVEL),
                              true,
                              "links are not used alike: " << counts[0] << " and " << counts[1]
                                                           << " flows");
    }
}

/// Pinned paths: node walks become links, and every kind of walk that is none is refused.
DCN_TEST_CASE(PinnedPathTestCase, "pinned paths")
{
    // hosts 100 .. 102; switches 200 .. 202 in a triangle, two cables between 200 and 201
    DcnTopologyBuilder builder;
    for (uint64_t id : {100, 101, 102})
    {
        builder.AddNode(DcnNodeKind::HOST, id);
    }
    for (uint64_t id : {200, 201, 202})
    {
        builder.AddNode(DcnNodeKind::SWITCH, id);
    }
    builder.AddLink(0, 3, RATE, DELAY);
    builder.AddLink(1, 4, RATE, DELAY);
    builder.AddLink(2, 5, RATE, DELAY);
    builder.AddLink(2, 3, RATE, DELAY);
    const uint32_t first = builder.AddLink(3, 4, RATE, DELAY);
    const uint32_t second = builder.AddLink(3, 4, RATE, DELAY);
    builder.AddLink(4, 5, RATE, DELAY);
    builder.AddLink(5, 3, RATE, DELAY);
    auto topology = builder.Build();
    auto pin = [&](const DcnFlow& flow, const std::vector<uint32_t>& nodes) {
        return DcnPathFromNodes(*topology, flow, {nodes, {}}, "paths.csv:7: ");
    };
    const DcnFlow flow = MakeFlow(9, 0, 1);
    const std::vector<uint32_t> walk{0, 3, 5, 4, 1};
    uint32_t node = 0;
    std::vector<uint32_t> seen{node};
    for (uint32_t link : pin(flow, walk))
    {
        NS_TEST_EXPECT_MSG_EQ(topology->GetLink(link).from, node, "not a walk");
        node = topology->GetLink(link).to;
        seen.push_back(node);
    }
    const bool same = seen == walk;
    NS_TEST_EXPECT_MSG_EQ(same, true, "another path was pinned");
    // a walk may pass a switch twice, as long as it takes no link twice
    NS_TEST_EXPECT_MSG_EQ(pin(flow, {0, 3, 5, 4, 3, 4, 1}).size(), 6, "a loop is a walk");
    std::set<uint32_t> used;
    for (uint64_t id = 0; id < 50; ++id)
    {
        used.insert(pin(MakeFlow(id, 0, 1), {0, 3, 4, 1})[1]);
    }
    const bool both = used == std::set<uint32_t>{first, second};
    NS_TEST_EXPECT_MSG_EQ(both, true, "flows do not share the parallel links");

    const std::string ends = "paths.csv:7: the path of flow 9 does not lead from its source 100 "
                             "to its destination 101";
    DCN_TEST_EXPECT_ERROR(pin(flow, std::vector<uint32_t>{}), ends);
    DCN_TEST_EXPECT_ERROR(pin(flow, std::vector<uint32_t>{0}), ends);
    DCN_TEST_EXPECT_ERROR(pin(flow, (std::vector<uint32_t>{0, 3, 4})), ends);
    DCN_TEST_EXPECT_ERROR(pin(flow, (std::vector<uint32_t>{2, 3, 4, 1})), ends);
    DCN_TEST_EXPECT_ERROR(pin(flow, (std::vector<uint32_t>{0, 4, 1})),
                          "paths.csv:7: the path of flow 9 goes from 100 to 201, but no link "
                          "joins them");
    DCN_TEST_EXPECT_ERROR(pin(flow, (std::vector<uint32_t>{0, 3, 2, 5, 4, 1})),
                          "paths.csv:7: the path of flow 9 passes through host 102");
    DCN_TEST_EXPECT_ERROR(pin(flow, (std::vector<uint32_t>{0, 3, 5, 4, 3, 5, 4, 1})),
                          "paths.csv:7: the path of flow 9 takes the link from 200 to 202 "
                          "twice");
}

/// Two islands: no path, and a sentence with both ends; the table of paths keeps what it is given.
DCN_TEST_CASE(UnreachableTestCase, "unreachable destinations and the path table")
{
    DcnTopologyBuilder builder;
    const uint32_t a = builder.AddNode(DcnNodeKind::HOST, 10);
    const uint32_t b = builder.AddNode(DcnNodeKind::HOST, 20);
    const uint32_t left = builder.AddNode(DcnNodeKind::SWITCH, 30);
    const uint32_t right = builder.AddNode(DcnNodeKind::SWITCH, 40);
    builder.AddLink(a, left, RATE, DELAY);
    builder.AddLink(b, right, RATE, DELAY);
    const DcnRouting routing(builder.Build());
    DCN_TEST_EXPECT_ERROR(PathOf(routing, MakeFlow(3, a, b)),
                          "flow 3: host 20 cannot be reached from host 10");
    NS_TEST_EXPECT_MSG_EQ(routing.GetHops(a, b), 0, "there is no path");

    DcnPathTable table;
    table.Reserve(3, 5);
    table.Append({4, 5, 6});
    table.Append({});
    table.Append({7, 8});
    NS_TEST_EXPECT_MSG_EQ(table.GetN(), 3, "wrong number of paths");
    NS_TEST_EXPECT_MSG_EQ(table.Get(0).size(), 3, "wrong length");
    NS_TEST_EXPECT_MSG_EQ(table.Get(1).size(), 0, "wrong length");
    NS_TEST_EXPECT_MSG_EQ(table.Get(2)[1], 8, "wrong link");
}

DcnTestSuite<ShortestPathTestCase,
             EcmpTestCase,
             PathKeyTestCase,
             MultiHomedTestCase,
             PinnedPathTestCase,
             UnreachableTestCase>
    g_dcnRoutingTestSuite("dcn-routing"); //!< the suite

} // namespace
