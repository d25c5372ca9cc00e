/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-path-index.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 10'000'000'000; //!< of links in hand-made networks [bit/s]

/// A ring of four switches 4, 5, 6, 7 with the hosts 0, 1, 2, 3 at them, and a second cable between
/// the switches 4 and 5. Cable i of the list has the directed links 2 i and 2 i + 1: 0: 0-4, 1:
/// 1-5, 2: 2-6, 3: 3-7, 4: 4-5, 5: 4-5, 6: 5-6, 7: 6-7, 8: 7-4; delay 1000 + 100 i. @return the
/// network
Ptr<DcnTopology>
MakeRing()
{
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < 8; ++node)
    {
        builder.AddNode(node < 4 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    const std::vector<std::pair<uint32_t, uint32_t>>
        cables{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 5}, {4, 5}, {5, 6}, {6, 7}, {7, 4}};
    int64_t delayNs = 1000;
    for (const auto& [a, b] : cables)
    {
        builder.AddLink(a, b, a < 4 ? RATE : 4 * RATE, delayNs);
        delayNs += 100;
    }
    return builder.Build();
}

/// @return the scenario
Ptr<const DcnScenario>
MakeScenario(Ptr<DcnTopology> topology,
             const std::vector<DcnFlow>& flows,
             const std::vector<std::vector<uint32_t>>& links)
{
    DcnPathTable paths;
    for (const auto& each : links)
    {
        paths.Append(each);
    }
    return DcnScenario::CreateWithPaths(topology,
                                        DcnNetworkConfig::Preset("dctcp"),
                                        flows,
                                        std::move(paths));
}

/// The path under test goes 0-4-5-6-7-3: links 0, 8, 12, 14, 7. @return flows on the ring: 0 and 5
/// are its foreground
Ptr<const DcnScenario>
MakeRingScenario()
{
    return MakeScenario(MakeRing(),
                        {{0, 0, 3, 5000, 0},   // the path
                         {1, 0, 3, 5000, 10},  // same hosts, other cable between 4 and 5
                         {2, 1, 2, 5000, 20},  // 1-5-6-2
                         {3, 0, 3, 5000, 30},  // same hosts, other way round the ring
                         {4, 3, 0, 5000, 40},  // the path backwards
                         {5, 0, 3, 5000, 50},  // the path
                         {6, 2, 1, 5000, 60},  // 2-6-7-4-5-1: joins at 6, leaves, joins at 4
                         {7, 2, 1, 5000, 70}}, // 2-6-5-1: backwards on one link
                        {{0, 8, 12, 14, 7},
                         {0, 10, 12, 14, 7},
                         {2, 12, 5},
                         {0, 17, 7},
                         {6, 15, 13, 9, 1},
                         {0, 8, 12, 14, 7},
                         {4, 14, 16, 8, 3},
                         {4, 13, 3}});
}

/// @return the same as a vector
std::vector<uint32_t>
ToVector(DcnIndexSpan range)
{
    return {range.begin(), range.end()};
}

/// @return "flow:enter-leave" of each
std::string
ToText(const std::vector<DcnPathInterval>& intervals)
{
    std::string text;
    for (const auto& each : intervals)
    {
        text += std::to_string(each.flow) + ":" + std::to_string(each.enter) + "-" +
                std::to_string(each.leave) + " ";
    }
    return text;
}

/// @return 5000 flows on a fabric with parallel choices, several paths with many flows
Ptr<const DcnScenario>
MakeFabricScenario()
{
    DcnFabricParameters parameters;
    parameters.racksPerPod = 2;
    parameters.hostsPerRack = 2;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    return DcnMakeTestScenario(topology, DcnTestWorkload(5000, "google-rpc"));
}

/// Paths, foreground and intervals of a network that fits on a page.
DCN_TEST_CASE(RingTestCase, "parallel links, both ways round, backwards, leaving and joining again")
{
    const DcnPathIndex pathIndex(MakeRingScenario());
    NS_TEST_ASSERT_MSG_EQ(pathIndex.GetNPaths(), 7, "eight flows, two of them on the same links");
    NS_TEST_EXPECT_MSG_EQ((ToVector(pathIndex.GetForeground(0)) == std::vector<uint32_t>{0, 5}),
                          true,
                          "foreground of the path");
    NS_TEST_EXPECT_MSG_EQ(pathIndex.GetPathOf(1), 1, "a parallel cable is another path");
    NS_TEST_EXPECT_MSG_EQ(
        (ToVector(pathIndex.GetFlowsOnLink(12)) == std::vector<uint32_t>{0, 1, 2, 5}),
        true,
        "flows on 5-6");
    const DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, 0, false);
    NS_TEST_EXPECT_MSG_EQ(ToText(traffic.background),
                          "1:0-1 1:2-5 2:2-3 3:0-1 3:4-5 6:3-4 6:1-2 ",
                          "maximal intervals in the path's direction");
    const DcnPathTraffic both = DcnFindPathTraffic(pathIndex, 0, true);
    NS_TEST_EXPECT_MSG_EQ(ToText(both.background),
                          "1:0-1 1:2-5 2:2-3 3:0-1 3:4-5 4:5-0 6:3-4 6:1-2 7:3-2 ",
                          "intervals in both directions");
    const DcnPathSpec spec = DcnGetPathSpec(pathIndex, 0);
    NS_TEST_EXPECT_MSG_EQ((spec.delaysNs == std::vector<int64_t>{1000, 1400, 1600, 1700, 1300}),
                          true,
                          "delays");
    NS_TEST_EXPECT_MSG_EQ(spec.bottleneckBps, RATE, "bottleneck");
    // 2 x 7000 ns, a packet of 1048 and an answer of 60 bytes on 2 slow and 3 fast links
    const int64_t rttNs = 16437; // 14000 + 2 x (838.4 + 48) + 3 x (209.6 + 12), rounded down
    NS_TEST_EXPECT_MSG_EQ(spec.baseRttNs, rttNs, "base round-trip time");
    NS_TEST_EXPECT_MSG_EQ_TOL(spec.bdpBytes, 1.25 * static_cast<double>(rttNs), 1e-6, "BDP");
}

/// sum of F(p) = N; what is listed is what a search through all flows finds.
DCN_TEST_CASE(ConservationTestCase,
              "every flow is foreground of one path; background as found by brute force")
{
    const auto checkBackground = [&](const DcnPathIndex& pathIndex, uint32_t path) {
        const DcnScenario& scenario = pathIndex.GetScenario();
        const DcnPath links = pathIndex.GetLinks(path);
        std::set<uint32_t> expected;
        for (uint32_t i = 0; i < scenario.GetFlows().size(); ++i)
        {
            for (uint32_t link : scenario.GetPath(i))
            {
                const bool shared = std::find(links.begin(), links.end(), link) != links.end();
                if (shared && pathIndex.GetPathOf(i) != path)
                {
                    expected.insert(i);
                }
            }
        }
        std::set<uint32_t> found;
        for (const auto& each : DcnFindPathTraffic(pathIndex, path, false).background)
        {
            found.insert(each.flow);
        }
        NS_TEST_EXPECT_MSG_EQ((expected == found), true, "background of path " << path);
    };
    Ptr<const DcnScenario> scenario = MakeFabricScenario();
    const DcnPathIndex pathIndex(scenario);
    std::map<std::vector<uint32_t>, std::vector<uint32_t>> expected;
    for (uint32_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        const DcnPath path = scenario->GetPath(i);
        expected[{path.begin(), path.end()}].push_back(i);
    }
    NS_TEST_ASSERT_MSG_EQ(pathIndex.GetNPaths(), expected.size(), "number of paths");
    std::size_t nFlows = 0;
    for (uint32_t path = 0; path < pathIndex.GetNPaths(); ++path)
    {
        const DcnPath links = pathIndex.GetLinks(path);
        const auto foreground = ToVector(pathIndex.GetForeground(path));
        nFlows += foreground.size();
        NS_TEST_EXPECT_MSG_EQ((expected[{links.begin(), links.end()}] == foreground),
                              true,
                              "foreground of path " << path);
        if (path % 20 == 0)
        {
            checkBackground(pathIndex, path);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(nFlows, scenario->GetFlows().size(), "sum of the foreground flows");
}

/// The sum of the weights is N in expectation and, for systematic draws of all paths, exactly.
DCN_TEST_CASE(DrawTestCase, "draws of paths: multiplicities, weights, no bias")
{
    const DcnPathIndex pathIndex(MakeFabricScenario());
    const auto nFlows = static_cast<double>(pathIndex.GetScenario().GetFlows().size());
    for (auto sampling : {DcnPathSampling::REPLACEMENT, DcnPathSampling::SYSTEMATIC})
    {
        const bool replacement = sampling == DcnPathSampling::REPLACEMENT;
        // mean over seeds of m(p) / E[m(p)], which is 1 for every path
        std::vector<double> ratio(pathIndex.GetNPaths(), 0);
        const uint32_t nSeeds = 400;
        for (uint32_t seed = 1; seed <= nSeeds; ++seed)
        {
            uint64_t draws = 0;
            double weight = 0;
            for (const auto& each : DcnDrawPaths(pathIndex, 60, sampling, seed))
            {
                draws += each.multiplicity;
                weight += each.flowWeight *
                          static_cast<double>(pathIndex.GetForeground(each.path).size());
                ratio[each.path] += each.flowWeight / nSeeds;
                NS_TEST_EXPECT_MSG_EQ((replacement || each.multiplicity == 1), true, "repetition");
            }
            NS_TEST_EXPECT_MSG_EQ(draws, 60, "number of draws");
            // n draws of the weight N / n; certain paths have their own number of flows
            NS_TEST_EXPECT_MSG_EQ_TOL(weight, nFlows, 1e-6 * nFlows, "flows stood for");
        }
        double chi = 0;
        for (uint32_t path = 0; path < pathIndex.GetNPaths(); ++path)
        {
            // each draw takes p with the probability F / N: Var(m) <= n F / N
            const double mean =
                60 * static_cast<double>(pathIndex.GetForeground(path).size()) / nFlows;
            chi += (ratio[path] - 1) * (ratio[path] - 1) * mean * nSeeds;
        }
        // mean 1 per path without bias, and less for systematic draws; 6 standard deviations
        const double n = pathIndex.GetNPaths();
        NS_TEST_EXPECT_MSG_LT(chi, n + 6 * std::sqrt(2 * n), "bias");
    }
    const auto all = DcnDrawPaths(pathIndex,
                                  pathIndex.GetScenario().GetFlows().size(),
                                  DcnPathSampling::SYSTEMATIC,
                                  1);
    NS_TEST_EXPECT_MSG_EQ(all.size(), pathIndex.GetNPaths(), "all paths");
    for (const auto& each : all)
    {
        NS_TEST_EXPECT_MSG_EQ(each.flowWeight, 1, "each flow stands for itself");
    }
}

/// What a path-level scenario keeps: links, sizes, starts, round-trip times, ideal times.
class PathScenarioTestCase : public TestCase
{
  public:
    PathScenarioTestCase()
        : TestCase("path-level scenarios keep round-trip times, rates and ideal times")
    {
    }

  private:
    void DoRun() override
    {
        Check(DcnPathIndex(MakeRingScenario()), 1);
        Check(DcnPathIndex(MakeFabricScenario()), 40);
        const DcnPathIndex ring(MakeRingScenario());
        auto traffic = DcnFindPathTraffic(ring, 0, false);
        for (uint32_t link = 0; link < ring.GetScenario().GetTopology().GetNLinks(); ++link)
        {
            traffic.contended.push_back(link);
        }
        auto size = [&](DcnPathHosts hosts) {
            return DcnPathScenarioBuilder(ring, hosts)
                .Build(0, traffic)
                .scenario->GetFlows()
                .size();
        };
        NS_TEST_EXPECT_MSG_EQ(size(DcnPathHosts::HOST), 2 + 7, "an interval is a flow");
        NS_TEST_EXPECT_MSG_EQ(size(DcnPathHosts::CONTENDED), 2 + 4, "but not on contended links");
        CheckContended(DcnPathIndex(MakeFabricScenario()));
    }

    /// Flows keep some links; each row of others, before, between and after them, is one link.
    void CheckContended(const DcnPathIndex& pathIndex)
    {
        const DcnScenario& whole = pathIndex.GetScenario();
        const DcnPathScenarioBuilder builder(pathIndex, DcnPathHosts::CONTENDED);
        uint32_t nRows[3] = {0, 0, 0}; // before, between, after
        for (uint32_t path = 0; path < pathIndex.GetNPaths(); path += 40)
        {
            DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, path, true);
            for (uint32_t link : pathIndex.GetLinks(path))
            {
                traffic.contended.push_back(link);
                traffic.contended.push_back(DcnTopology::Reverse(link));
            }
            // and the first and the last link of one flow, which other flows use, too
            const DcnPath some = whole.GetPath(traffic.background[0].flow);
            traffic.contended.push_back(some[0]);
            traffic.contended.push_back(some[some.size() - 1]);
            const std::set<uint32_t> kept(traffic.contended.begin(), traffic.contended.end());
            const DcnPathScenario local = builder.Build(path, traffic);
            for (uint32_t i = 0; i < local.origins.size(); ++i)
            {
                CheckFlow(whole, local, i, DcnPathHosts::CONTENDED, true);
                std::size_t nLinks = 0;
                bool before = true; // the link before is kept
                const DcnPath own = whole.GetPath(local.origins[i].flow);
                for (std::size_t k = 0; k < own.size(); ++k)
                {
                    const bool here = local.origins[i].foreground || kept.count(own[k]) > 0;
                    const bool isNew = !here && (before || k == 0);
                    nLinks += here || isNew ? 1 : 0;
                    if (isNew)
                    {
                        const bool last = std::none_of(own.begin() + k, own.end(), [&](uint32_t l) {
                            return kept.count(l) > 0;
                        });
                        ++nRows[k == 0 ? 0 : last ? 2 : 1];
                    }
                    before = here;
                }
                NS_TEST_EXPECT_MSG_EQ(local.scenario->GetPath(i).size(), nLinks, "links and rows");
            }
        }
        for (uint32_t n : nRows)
        {
            NS_TEST_EXPECT_MSG_GT(n, 10, "rows of each kind");
        }
    }

    void Check(const DcnPathIndex& pathIndex, uint32_t step)
    {
        const DcnScenario& whole = pathIndex.GetScenario();
        std::vector<uint32_t> all(whole.GetTopology().GetNLinks()); // flows keep their whole paths
        std::iota(all.begin(), all.end(), 0);
        for (auto hosts : {DcnPathHosts::HOST, DcnPathHosts::CONTENDED})
        {
            const DcnPathScenarioBuilder builder(pathIndex, hosts);
            for (uint32_t path = 0; path < pathIndex.GetNPaths(); path += step)
            {
                DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, path, true);
                traffic.contended = all;
                const DcnPathScenario local = builder.Build(path, traffic);
                std::set<uint32_t> seen;
                for (uint32_t i = 0; i < local.origins.size(); ++i)
                {
                    CheckFlow(whole, local, i, hosts, seen.insert(local.origins[i].flow).second);
                }
            }
        }
    }

    void CheckFlow(const DcnScenario& whole,
                   const DcnPathScenario& local,
                   uint32_t i,
                   DcnPathHosts hosts,
                   bool first)
    {
        const DcnPathScenario::Origin& origin = local.origins[i];
        const DcnFlow& real = whole.GetFlows()[origin.flow];
        const DcnFlow& here = local.scenario->GetFlows()[i];
        NS_TEST_EXPECT_MSG_EQ(here.sizeBytes, real.sizeBytes, "size");
        NS_TEST_EXPECT_MSG_EQ(here.startNs, real.startNs, "start");
        if (first)
        {
            NS_TEST_EXPECT_MSG_EQ(here.id, real.id, "number");
        }
        auto rtt = [](const DcnScenario& scenario, uint32_t flow) {
            return DcnBaseRttNs(scenario.GetTopology(), scenario.GetPath(flow), 1048, 60);
        };
        const int64_t lost = rtt(whole, origin.flow) - rtt(*local.scenario, i);
        NS_TEST_EXPECT_MSG_EQ((lost >= -1 && lost <= (hosts == DcnPathHosts::CONTENDED ? 3 : 2)),
                              true,
                              "round-trip time less " << lost);
        NS_TEST_EXPECT_MSG_EQ(local.scenario->GetMaxRate(here.src),
                              whole.GetMaxRate(real.src),
                              "rate of the host");
        if (origin.foreground)
        {
            NS_TEST_EXPECT_MSG_EQ(local.scenario->GetIdealFct(i).GetTotalNs(),
                                  whole.GetIdealFct(origin.flow).GetTotalNs(),
                                  "ideal completion time");
        }
    }
};

std::map<uint64_t, uint64_t>
SetAside(const DcnTopology& topology)
{
    std::map<uint64_t, uint64_t> bytes;
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const DcnLink& port = topology.GetLink(link);
        if (!topology.IsHost(port.from))
        {
            bytes[topology.GetExternalId(port.from)] +=
                4096 + 3 * (port.rateBps / 1'000'000 * static_cast<uint64_t>(port.delayNs) / 8000);
        }
    }
    return bytes;
}

/// Ports of synthetic links leave what a switch shares as it is.
DCN_TEST_CASE(BufferTestCase, "switches of the path share as much buffer as in the whole network")
{
    const DcnPathIndex pathIndex(MakeFabricScenario());
    const DcnScenario& whole = pathIndex.GetScenario();
    const auto real = SetAside(whole.GetTopology());
    for (auto hosts : {DcnPathHosts::HOST, DcnPathHosts::CONTENDED})
    {
        for (uint32_t path = 0; path < pathIndex.GetNPaths(); path += 50)
        {
            DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, path, false);
            traffic.contended.assign(pathIndex.GetLinks(path).begin(),
                                     pathIndex.GetLinks(path).end());
            const auto local = DcnPathScenarioBuilder(pathIndex, hosts).Build(path, traffic);
            const auto buffer = static_cast<double>(local.scenario->GetNetwork().bufferBytes);
            for (const auto& [id, bytes] : SetAside(local.scenario->GetTopology()))
            {
                const double shared = buffer - static_cast<double>(bytes);
                const double expected = static_cast<double>(whole.GetNetwork().bufferBytes) -
                                        static_cast<double>(real.at(id));
                // the idle port's delay is a whole number of nanoseconds
                NS_TEST_EXPECT_MSG_EQ_TOL(shared, expected, 8, "switch " << id);
            }
        }
    }
}

/// The suite of the pure parts.
DcnTestSuite<RingTestCase, ConservationTestCase, DrawTestCase, PathScenarioTestCase, BufferTestCase>
    g_dcnPathIndexTestSuite("dcn-path-index");

} // namespace
