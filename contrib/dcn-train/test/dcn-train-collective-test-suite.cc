/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Collectives: that the messages of each algorithm give each member what it wants, and how
 * long they take on an idle network.
 */

#include "../model/collective/dcn-train-tree.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-train-collective.h"
#include "ns3/dcn-train-fabric.h"
#include "ns3/dcn-train-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Members whose data is in a block, by member and block.
using Data = std::vector<std::vector<std::set<uint32_t>>>;

/// @return blocks of the part of a member, as [first, last)
std::pair<uint64_t, uint64_t>
GetPart(const DcnTrainSchedule& schedule, uint32_t n, uint32_t member)
{
    return {schedule.nBlocks * member / n, schedule.nBlocks * (member + 1) / n};
}

/**
 * @brief Carry out a schedule on sets.
 * @return a sentence on what is wrong; empty if every member has what it wants
 */
std::string
FindFault(const DcnTrainCollective& collective, uint32_t n, uint32_t channel = 0)
{
    const DcnTrainSchedule schedule = collective.MakeSchedule(n, channel);
    const std::string& operation = collective.operation;
    const bool isSum = operation == "all-reduce" || operation == "reduce-scatter";
    Data data(n, std::vector<std::set<uint32_t>>(schedule.nBlocks));
    auto isOwn = [&](uint32_t member, uint64_t block) { // has data at the beginning
        const auto [first, last] = GetPart(schedule, n, member);
        return isSum || (operation == "broadcast" && member == collective.root) ||
               (operation == "all-gather" && block >= first && block < last) ||
               (operation == "all-to-all" && block / n == member);
    };
    for (uint32_t member = 0; member < n; ++member)
    {
        for (uint64_t block = 0; block < schedule.nBlocks; ++block)
        {
            if (isOwn(member, block))
            {
                data[member][block].insert(member);
            }
        }
    }
    for (const auto& transfer : schedule.transfers)
    {
        for (uint64_t i = 0; i < transfer.count; ++i)
        {
            const uint64_t block = transfer.first + i * transfer.stride;
            const auto& from = data[transfer.from][block];
            auto& to = data[transfer.to][block];
            if (from.empty())
            {
                return "a member sends what it does not have";
            }
            if (!transfer.isReduction)
            {
                to.clear();
            }
            for (const uint32_t member : from)
            {
                if (!to.insert(member).second)
                {
                    return "data is added twice";
                }
            }
        }
    }
    std::set<uint32_t> all;
    for (uint32_t member = 0; member < n; ++member)
    {
        all.insert(member);
    }
    for (uint32_t member = 0; member < n; ++member)
    {
        const auto [first, last] = GetPart(schedule, n, member);
        for (uint64_t block = 0; block < schedule.nBlocks; ++block)
        {
            const bool isPart = block >= first && block < last;
            bool isRight = true;
            if (operation == "all-reduce" || (operation == "reduce-scatter" && isPart))
            {
                isRight = data[member][block] == all;
            }
            else if (operation == "all-gather" || operation == "broadcast")
            {
                isRight = data[member][block].size() == 1;
            }
            else if (operation == "all-to-all" && block % n == member)
            {
                isRight =
                    data[member][block] == std::set<uint32_t>{static_cast<uint32_t>(block / n)};
            }
            if (!isRight)
            {
                return "member " + std::to_string(member) + " lacks data of block " +
                       std::to_string(block);
            }
        }
    }
    return "";
}

/// @return whether a number is a power of two
bool
IsPower(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

DCN_TEST_CASE(ResultTestCase, "every member has what it wants in the end")
{
    uint32_t nChecked = 0;
    for (const std::string& operation : DcnTrainCollective::GetOperations())
    {
        for (const std::string& algorithm : DcnTrainCollective::GetAlgorithms(operation))
        {
            for (uint32_t n = 2; n <= 24; ++n)
            {
                DcnTrainCollective collective;
                collective.operation = operation;
                collective.algorithm = algorithm;
                if (algorithm == "halving-doubling" && operation != "all-reduce" && !IsPower(n))
                {
                    continue;
                }
                for (uint32_t root = 0; root < (operation == "broadcast" ? n : 1); ++root)
                {
                    collective.root = root;
                    for (uint32_t group = 2; group < n; ++group)
                    {
                        if (algorithm == "hierarchical" && n % group == 0)
                        {
                            collective.groupSize = group;
                            NS_TEST_EXPECT_MSG_EQ(FindFault(collective, n),
                                                  "",
                                                  operation << " in groups of " << group << " of "
                                                            << n);
                            ++nChecked;
                        }
                    }
                    if (algorithm != "hierarchical")
                    {
                        NS_TEST_EXPECT_MSG_EQ(FindFault(collective, n),
                                              "",
                                              operation << " by " << algorithm << " of " << n);
                        ++nChecked;
                    }
                }
            }
        }
    }
    NS_TEST_EXPECT_MSG_GT(nChecked, 2000, "cases");
}

/// @return operation and algorithm of all pairs for which groupSize has an effect
std::vector<DcnTrainCollective>
GetGrouped()
{
    std::vector<DcnTrainCollective> all;
    for (const std::string& operation : DcnTrainCollective::GetOperations())
    {
        for (const std::string& algorithm : DcnTrainCollective::GetAlgorithms(operation))
        {
            DcnTrainCollective collective;
            collective.operation = operation;
            collective.algorithm = algorithm;
            if (collective.IsGrouped() && algorithm != "hierarchical")
            {
                all.push_back(collective);
            }
        }
    }
    return all;
}

DCN_TEST_CASE(ServersTestCase, "every member has what it wants, in each channel over servers")
{
    uint32_t nChecked = 0;
    for (DcnTrainCollective collective : GetGrouped())
    {
        for (uint32_t n = 2; n <= 24; ++n)
        {
            for (uint32_t g = 2; g <= n; ++g)
            {
                for (uint32_t channel = 0; channel < g && n % g == 0; ++channel)
                {
                    collective.groupSize = g;
                    collective.root = collective.operation == "broadcast" ? channel : 0;
                    NS_TEST_EXPECT_MSG_EQ(FindFault(collective, n, channel),
                                          "",
                                          collective.operation << " by " << collective.algorithm
                                                               << ", channel " << channel << ", "
                                                               << n << " in servers of " << g);
                    ++nChecked;
                }
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(GetGrouped().size(), 9, "two rings of four operations, and trees");
    NS_TEST_EXPECT_MSG_GT(nChecked, 1000, "cases");
}

/// Over as many channels as a server has NICs, each NIC sends and receives for one channel of a
/// ring; messages between servers stay on a rail.
DCN_TEST_CASE(RailsTestCase, "channels use all NICs alike")
{
    for (DcnTrainCollective collective : GetGrouped())
    {
        const bool isTree = collective.algorithm == "double-binary-tree";
        for (const uint32_t g : {2, 3, 4, 8})
        {
            for (const uint32_t nServers : {2, 3, 4, 5, 8})
            {
                if (g == 2 && nServers % 2 == 1 && !isTree)
                {
                    continue; // a ring of an odd number of servers needs a third rail
                }
                collective.groupSize = g;
                std::vector<double> sent(g * nServers, 0); // blocks between servers
                std::vector<double> received(g * nServers, 0);
                uint32_t nCrossed = 0;
                for (uint32_t channel = 0; channel < g; ++channel)
                {
                    for (const auto& each :
                         collective.MakeSchedule(g * nServers, channel).transfers)
                    {
                        if (each.from / g != each.to / g)
                        {
                            sent[each.from] += static_cast<double>(each.count);
                            received[each.to] += static_cast<double>(each.count);
                            nCrossed += each.from % g == each.to % g ? 0 : 1;
                        }
                    }
                }
                const std::string of = collective.operation + " by " + collective.algorithm + ", " +
                                       std::to_string(nServers) + " servers of " +
                                       std::to_string(g);
                NS_TEST_EXPECT_MSG_EQ(nCrossed, 0, "between rails, " << of);
                for (uint32_t member = 0; member < g * nServers; ++member)
                {
                    const uint32_t first = member / g * g; // of the server
                    const bool isRoots = collective.operation == "broadcast";
                    NS_TEST_EXPECT_MSG_EQ((isRoots || sent[member] == sent[first]),
                                          true,
                                          "sent, " << of);
                    NS_TEST_EXPECT_MSG_EQ((isRoots || received[member] == received[first]),
                                          true,
                                          "received, " << of);
                    NS_TEST_EXPECT_MSG_EQ((isRoots || sent[member] > 0), true, "used, " << of);
                }
            }
        }
    }
}

/// Sanders, Speck and Träff: a member with children in one tree is a leaf of the other.
DCN_TEST_CASE(TwoTreesTestCase, "the two trees have different inner members")
{
    for (uint32_t n = 2; n <= 130; ++n)
    {
        std::vector<uint32_t> nTrees(n, 0); // trees in which a member is inner
        for (const bool isSecond : {false, true})
        {
            const auto parents = DcnTrainTree::MakeInOrderTree(n, isSecond);
            std::vector<uint32_t> nChildren(n, 0);
            uint32_t nRoots = 0;
            uint32_t deepest = 0;
            for (uint32_t member = 0; member < n; ++member)
            {
                uint32_t depth = 0;
                for (uint32_t at = member; parents[at] != DcnTrainTree::ROOT && depth <= n;
                     at = parents[at])
                {
                    ++depth;
                }
                deepest = std::max(deepest, depth);
                nRoots += parents[member] == DcnTrainTree::ROOT ? 1 : 0;
                if (parents[member] != DcnTrainTree::ROOT)
                {
                    ++nChildren[parents[member]];
                }
            }
            NS_TEST_EXPECT_MSG_EQ(nRoots, 1, "one root of " << n);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(deepest, std::log2(n) + 1e-9, "depth of " << n);
            for (uint32_t member = 0; member < n; ++member)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(nChildren[member], 2, "children in " << n);
                nTrees[member] += nChildren[member] > 0 ? 1 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(*std::max_element(nTrees.begin(), nTrees.end()),
                              1,
                              "inner in one tree at most, of " << n);
    }
}

/// A star of hosts, with the times of messages on it.
class Star
{
  public:
    /**
     * @param nHosts number of hosts
     * @param isFluid false: on packets each host also sends an acknowledgement for each packet that
     * it receives
     */
    explicit Star(uint32_t nHosts, bool isFluid = true)
        : m_topology(DcnMakeStar(nHosts)),
          m_config(DcnNetworkConfig::Preset("dctcp")),
          m_isFluid(isFluid)
    {
    }

    /// @return time of a message alone, T(s) [ns]
    double T(double bytes) const
    {
        return L() + A(bytes);
    }

    /// @return time of the bytes of a message on a link, A(s) [ns]
    double A(double bytes) const
    {
        return std::ceil(bytes / 1000) * (m_isFluid ? 48 : 108) * 0.8 + bytes * 0.8;
    }

    /// @return latency without the time on the first link [ns]
    double L() const
    {
        const uint32_t links[] = {m_topology->GetOutLinks(0)[0],
                                  DcnTopology::Reverse(m_topology->GetOutLinks(1)[0])};
        return static_cast<double>(
                   DcnComputeIdealFct(*m_topology, {links, links + 2}, 1000, *m_config)
                       .GetTotalNs()) -
               838.4;
    }

    /// @return duration of a collective among all hosts [ns]
    double Run(const DcnTrainCollective& collective) const
    {
        const auto n = static_cast<uint32_t>(m_topology->GetHosts().size());
        auto graph = std::make_shared<DcnTrainGraph>(n);
        std::vector<uint32_t> members(n);
        std::iota(members.begin(), members.end(), 0);
        collective.AddTo(*graph, members);
        DcnTrainHelper helper(m_isFluid ? "flowsim" : "packet");
        helper.GetNetworkHelper().SetConfig(m_config);
        Ptr<DcnTrainExecutor> executor = helper.Install(m_topology, graph);
        executor->Start();
        Simulator::Run();
        executor->CheckFinished();
        const auto& times = executor->GetOperationTimes()[0];
        const auto duration = static_cast<double>(times.endNs - times.beginNs);
        executor->Dispose();
        Simulator::Destroy();
        return duration;
    }

  private:
    Ptr<DcnTopology> m_topology;    //!< the star
    Ptr<DcnNetworkConfig> m_config; //!< its configuration
    bool m_isFluid;                 //!< see the constructor
};

/// @return a collective
DcnTrainCollective
Make(const std::string& operation,
     const std::string& algorithm,
     double bytes,
     uint32_t chunks = 1,
     uint32_t groupSize = 0)
{
    DcnTrainCollective collective;
    collective.operation = operation;
    collective.algorithm = algorithm;
    collective.bytes = static_cast<uint64_t>(bytes);
    collective.chunks = chunks;
    collective.groupSize = groupSize;
    return collective;
}

/// Costs on an idle network of n hosts around a switch, from the headers of the algorithms.
DCN_TEST_CASE(CostTestCase, "costs on an idle network are those of closed forms, within 1 %")
{
    double worst = 0;
    auto expect = [&](double measured, double formula, const std::string& name) {
        worst = std::max(worst, std::abs(measured / formula - 1));
        NS_TEST_EXPECT_MSG_EQ_TOL(measured / formula, 1, 0.01, name);
    };
    for (uint32_t n : {2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 48, 64})
    {
        const Star star(n);
        const double s = 20'000.0 * n;
        const double part = s / n;
        const std::string of = " of " + std::to_string(n);
        expect(star.Run(Make("all-reduce", "ring", s)), 2 * (n - 1) * star.T(part), "ring" + of);
        expect(star.Run(Make("reduce-scatter", "ring", s)), (n - 1) * star.T(part), "ring RS" + of);
        expect(star.Run(Make("all-gather", "ring", s)), (n - 1) * star.T(part), "ring AG" + of);
        expect(star.Run(Make("broadcast", "ring", s)), (n - 1) * star.T(s), "chain" + of);
        expect(star.Run(Make("broadcast", "ring", s, 4)),
               (n - 1) * star.T(s / 4) + 3 * star.A(s / 4),
               "chain of 4 chunks" + of);
        if (n > 2)
        {
            // both directions share the link of the host
            expect(star.Run(Make("all-reduce", "bidirectional-ring", s)),
                   2 * (n - 1) * (star.L() + 2 * star.A(part / 2)),
                   "two rings" + of);
            expect(star.Run(Make("broadcast", "bidirectional-ring", s)),
                   star.L() + 2 * star.A(s) + (n / 2 - 1) * star.T(s),
                   "two chains" + of);
        }
        const double direct = star.L() + (n - 1) * star.A(part);
        expect(star.Run(Make("all-to-all", "direct", s)), direct, "all-to-all" + of);
        expect(star.Run(Make("reduce-scatter", "direct", s)), direct, "direct RS" + of);
        expect(star.Run(Make("all-gather", "direct", s)), direct, "direct AG" + of);
        expect(star.Run(Make("all-reduce", "direct", s)), 2 * direct, "direct" + of);
        expect(star.Run(Make("broadcast", "direct", s)),
               star.L() + (n - 1) * star.A(s),
               "direct broadcast" + of);
        if (IsPower(n))
        {
            double sum = 0;
            for (double size = s / 2; size >= part; size /= 2)
            {
                sum += star.T(size);
            }
            expect(star.Run(Make("all-reduce", "halving-doubling", s)), 2 * sum, "HD" + of);
            expect(star.Run(Make("reduce-scatter", "halving-doubling", s)), sum, "HD RS" + of);
            expect(star.Run(Make("all-gather", "halving-doubling", s)), sum, "HD AG" + of);
        }
        if (IsPower(n + 1)) // all inner members have two children, which share the parent's link
        {
            const double depth = std::log2(n + 1) - 1;
            expect(star.Run(Make("all-reduce", "binary-tree", s)),
                   2 * depth * (star.L() + 2 * star.A(s)),
                   "tree" + of);
            expect(star.Run(Make("broadcast", "binary-tree", s)),
                   depth * (star.L() + 2 * star.A(s)),
                   "tree broadcast" + of);
        }
        for (uint32_t g : {2, 4, 8})
        {
            if (n % g == 0 && n > g)
            {
                const uint32_t groups = n / g;
                const std::string in = of + " in groups of " + std::to_string(g);
                const double half = (g - 1) * star.T(s / g) + (groups - 1) * star.T(part);
                expect(star.Run(Make("all-reduce", "hierarchical", s, 1, g)), 2 * half, "H" + in);
                expect(star.Run(Make("reduce-scatter", "hierarchical", s, 1, g)),
                       half,
                       "H RS" + in);
                expect(star.Run(Make("all-gather", "hierarchical", s, 1, g)), half, "H AG" + in);
                expect(star.Run(Make("all-to-all", "hierarchical", s, 1, g)),
                       2 * star.L() + (g - 1) * star.A(groups * part) +
                           (groups - 1) * star.A(g * part),
                       "H all-to-all" + in);
            }
        }
    }
    // member 0 is the root of one tree of two and the leaf of the other
    const Star two(2);
    expect(two.Run(Make("all-reduce", "double-binary-tree", 40'000)), 2 * two.T(20'000), "2 trees");
    // in a long pipeline each host's link carries S up and S down: no closed form, but a bound
    const Star many(16);
    const double overBound =
        many.Run(Make("all-reduce", "double-binary-tree", 64e6, 1600)) / (2 * many.A(64e6));
    NS_TEST_EXPECT_MSG_GT(overBound, 1, "double tree, bound");
    NS_TEST_EXPECT_MSG_LT(overBound, 1.1, "double tree, many chunks");
    NS_TEST_EXPECT_MSG_GT(worst, 0, "the largest deviation");
}

/// On packets, a host that sends and receives also sends 60 bytes for each packet it receives.
DCN_TEST_CASE(PacketCostTestCase, "costs on packets")
{
    for (uint32_t n : {2, 4, 8, 16})
    {
        const Star star(n, false);
        const double s = 100'000.0 * n;
        NS_TEST_EXPECT_MSG_EQ_TOL(star.Run(Make("all-reduce", "ring", s)) /
                                      (2 * (n - 1) * star.T(s / n)),
                                  1,
                                  0.01,
                                  "ring of " << n);
        double sum = 0;
        for (double size = s / 2; size >= s / n; size /= 2)
        {
            sum += star.T(size);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(star.Run(Make("all-reduce", "halving-doubling", s)) / (2 * sum),
                                  1,
                                  0.01,
                                  "halving and doubling of " << n);
    }
}

/// In a server a message crosses two links of the scale-up tier, on a rail two links and a leaf.
DCN_TEST_CASE(FabricTestCase, "a hierarchical all-reduce on servers and rails")
{
    DcnTrainFabric fabric;
    fabric.servers = 4;
    fabric.accelerators = 4;
    fabric.planes = 2;
    Ptr<DcnTopology> topology = fabric.Build();
    NS_TEST_EXPECT_MSG_EQ(topology->GetHosts().size(), 16, "accelerators");
    // a switch for each server; in each plane four leaves and a spine
    NS_TEST_EXPECT_MSG_EQ(topology->GetNNodes(), 16 + 4 + 2 * 5, "nodes");
    NS_TEST_EXPECT_MSG_EQ(topology->GetNLinks() / 2, 16 + 2 * (16 + 4), "links");
    NS_TEST_EXPECT_MSG_EQ(topology->GetOutLinks(5).size(), 3, "of an accelerator");
    const auto config = DcnNetworkConfig::Preset("dctcp", 400'000'000'000);
    // on two links of one rate; the ideal time rounds the time of each header down, and no message
    // is there before it is sent
    auto ideal = [&](double bytes, double rate, double delayNs) {
        const double packets = std::ceil(bytes / 1000);
        auto ns = [&](double size) { return 8e9 * size / rate; };
        return 2 * delayNs + ns(1048) + ns(bytes + 48 * packets);
    };
    const double s = 16e6;
    auto graph = std::make_shared<DcnTrainGraph>(16);
    std::vector<uint32_t> members(16);
    std::iota(members.begin(), members.end(), 0);
    Make("all-reduce", "hierarchical", s, 1, 4).AddTo(*graph, members);
    DcnTrainHelper helper("flowsim");
    helper.GetNetworkHelper().SetConfig(config);
    Ptr<DcnTrainExecutor> executor = helper.Install(topology, graph);
    executor->Start();
    Simulator::Run();
    executor->CheckFinished();
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(executor->GetOperationTimes()[0].endNs) /
                                  (6 * ideal(s / 4, 3.6e12, 100) + 6 * ideal(s / 16, 2e11, 1000)),
                              1,
                              0.01,
                              "duration");
    executor->Dispose();
    Simulator::Destroy();
    fabric.rails = false;
    fabric.planes = 1;
    fabric.serversPerPod = 2;
    topology = fabric.Build();
    NS_TEST_EXPECT_MSG_EQ(topology->GetNNodes(), 16 + 4 + 2 + 1, "racks: a leaf for each pod");
    NS_TEST_EXPECT_MSG_EQ(topology->GetNLinks() / 2, 16 + 16 + 2, "links of racks");
    DcnRouting routing(topology, 1);
    NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 3), 2, "within a server");
    NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 7), 2, "servers of a rack, any rail");
    NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 8), 4, "over a spine");
    fabric.rails = true;
    fabric.planes = 2;
    fabric.serversPerPod = 3;
    DCN_TEST_EXPECT_ERROR(fabric.Build(),
                          "a fabric has servers, accelerators and planes, and pods of equal size, "
                          "but there are 4 servers in pods of 3, 4 accelerators and 2 planes");
    fabric.serversPerPod = 2;
    fabric.spines = 0;
    DCN_TEST_EXPECT_ERROR(fabric.Build(),
                          "without spines all servers are in one pod, but there are 2 pods");
}

DCN_TEST_CASE(PartsTestCase, "channels and chunks divide the data")
{
    DcnTrainCollective collective = Make("all-reduce", "ring", 1003, 3);
    collective.channels = 2;
    DcnTrainGraph graph(3);
    const auto ends = collective.AddTo(graph, {2, 0, 1});
    NS_TEST_EXPECT_MSG_EQ(ends.size(), 3, "an end for each member");
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        uint64_t bytes = 0;
        std::set<uint32_t> streams;
        std::set<uint32_t> tags;
        uint32_t nSends = 0;
        for (const DcnTrainNode& node : graph.GetNodes(rank))
        {
            if (node.kind == DcnTrainKind::SEND)
            {
                bytes += node.bytes;
                streams.insert(node.stream);
                tags.insert(node.tag);
                ++nSends;
                NS_TEST_EXPECT_MSG_EQ(node.peer, (rank + 1) % 3, "to the successor");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(nSends, 2 * 2 * 6, "messages");
        NS_TEST_EXPECT_MSG_EQ(tags.size(), nSends, "a tag for each");
        NS_TEST_EXPECT_MSG_EQ(streams.size(), 2, "channels");
        // four thirds of the data, in blocks of 1003 / 18 bytes rounded up or down
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(bytes), 4.0 / 3 * 1003, 24, "bytes");
    }
    DcnCheckTrainMessages(graph);
}

DCN_TEST_CASE(RefusedTestCase, "collectives that cannot be")
{
    DCN_TEST_EXPECT_ERROR(Make("reduce", "ring", 1000).MakeSchedule(2),
                          "the collective must be all-reduce, reduce-scatter, all-gather, "
                          "all-to-all, broadcast, but it is \"reduce\"");
    DCN_TEST_EXPECT_ERROR(Make("all-to-all", "ring", 1000).MakeSchedule(2),
                          "the algorithm of all-to-all must be direct, hierarchical, but it is "
                          "\"ring\"");
    DCN_TEST_EXPECT_ERROR(Make("all-reduce", "ring", 1000).MakeSchedule(1),
                          "all-reduce needs at least 2 ranks, but there is 1");
    DCN_TEST_EXPECT_ERROR(
        Make("all-gather", "halving-doubling", 1000).MakeSchedule(6),
        "all-gather by halving-doubling needs a power of two ranks, but there are "
        "6: take the algorithm ring");
    DCN_TEST_EXPECT_ERROR(Make("all-reduce", "hierarchical", 1000, 1, 4).MakeSchedule(6),
                          "the algorithm hierarchical needs at least two groups of equal size, at "
                          "least 2, but 6 ranks are to be divided into groups of 4");
    DCN_TEST_EXPECT_ERROR(
        Make("all-reduce", "halving-doubling", 1000, 1, 4).MakeSchedule(8),
        "a group size (4) has no effect on the algorithm halving-doubling of all-reduce");
    DCN_TEST_EXPECT_ERROR(Make("all-reduce", "ring", 1000, 1, 4).MakeSchedule(6),
                          "the algorithm ring needs groups of equal size, at least 2, but 6 ranks "
                          "are to be divided into groups of 4");
    DcnTrainGraph graph(4);
    DCN_TEST_EXPECT_ERROR(Make("all-reduce", "ring", 7, 2).AddTo(graph, {0, 1, 2, 3}),
                          "all-reduce of 7 bytes cannot be divided into 8 blocks: 1 channels of 2 "
                          "chunks of 4 blocks of the algorithm ring among 4 ranks");
}

DcnTestSuite<ResultTestCase,
             ServersTestCase,
             RailsTestCase,
             TwoTreesTestCase,
             CostTestCase,
             PacketCostTestCase,
             FabricTestCase,
             PartsTestCase,
             RefusedTestCase>
    g_dcnTrainCollectiveTestSuite("dcn-train-collective"); //!< the suite

} // namespace
