/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-two-tier.h"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Counts and checks that all topologies share.
class TopologyTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Check the numbers of nodes and cables, that hosts come first, rack by rack, with one link
     * each, and that any two of a few hosts are joined.
     * @param topology the topology
     * @param nHosts expected hosts
     * @param nSwitches expected switches
     * @param nCables expected links, both directions together
     * @param nRacks expected racks
     */
    void Check(Ptr<const DcnTopology> topology,
               std::size_t nHosts,
               uint32_t nSwitches,
               uint32_t nCables,
               uint32_t nRacks)
    {
        NS_TEST_ASSERT_MSG_EQ(topology->GetHosts().size(), nHosts, "wrong number of hosts");
        NS_TEST_ASSERT_MSG_EQ(topology->GetNNodes(), nHosts + nSwitches, "wrong number of nodes");
        NS_TEST_ASSERT_MSG_EQ(topology->GetNLinks(), 2 * nCables, "wrong number of links");
        NS_TEST_ASSERT_MSG_EQ(topology->GetNRacks(), nRacks, "wrong number of racks");
        uint32_t rack = 0;
        for (uint32_t host = 0; host < nHosts; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(topology->IsHost(host), true, "hosts have the first numbers");
            NS_TEST_EXPECT_MSG_EQ(topology->GetOutLinks(host).size(), 1, "hosts have one link");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(topology->GetRack(host), rack, "not numbered by rack");
            rack = topology->GetRack(host);
        }
        const DcnRouting routing(topology);
        for (uint32_t host = 1; host < nHosts; host += 1 + nHosts / 7)
        {
            NS_TEST_EXPECT_MSG_GT(routing.GetHops(0, host), 1, "host " << host << " is apart");
        }
    }

    /**
     * @param topology the topology
     * @param from a node
     * @param to a node
     * @return number of links from one to the other
     */
    static uint32_t CountLinks(const DcnTopology& topology, uint32_t from, uint32_t to)
    {
        uint32_t n = 0;
        for (uint32_t link : topology.GetOutLinks(from))
        {
            n += topology.GetLink(link).to == to;
        }
        return n;
    }
};

/**
 * Fabric: pods P, racks R, hosts H, fabric switches F, spines S per plane give P R H hosts,
 * P R + P F + F S switches and P R H + P R F + P F S cables; paths within a rack, a pod and
 * between pods have 2, 4 and 6 links, and there are F S of the latter.
 */
class FabricTestCase : public TopologyTestCase
{
  public:
    FabricTestCase()
        : TopologyTestCase("three-tier fabric")
    {
    }

  private:
    void DoRun() override
    {
        auto topology = DcnBuildTopology(DcnFabricParameters());
        Check(topology, 32, 8 + 4 + 4, 32 + 16 + 8, 8);
        DcnFabricParameters p;
        p.pods = 3;
        p.racksPerPod = 5;
        p.hostsPerRack = 2;
        p.fabricsPerPod = 4;
        p.spinesPerPlane = 6;
        p.hostRate = DataRate("25Gbps");
        p.fabricRate = DataRate("100Gbps");
        p.linkDelay = NanoSeconds(600);
        topology = DcnBuildTopology(p);
        Check(topology, 30, 15 + 12 + 24, 30 + 60 + 72, 15);
        const uint32_t tors = 30;
        const uint32_t fabrics = tors + 15;
        const uint32_t spines = fabrics + 12;
        for (uint32_t link = 0; link < topology->GetNLinks(); ++link)
        {
            const DcnLink& l = topology->GetLink(link);
            const bool isHostLink = topology->IsHost(l.from) || topology->IsHost(l.to);
            const uint64_t rate = isHostLink ? 25'000'000'000 : 100'000'000'000;
            NS_TEST_EXPECT_MSG_EQ(l.rateBps,
                                  rate,
                                  "wrong rate of " << topology->DescribeLink(link));
            NS_TEST_EXPECT_MSG_EQ(l.delayNs, 600, "wrong delay");
        }
        for (uint32_t tor = 0; tor < 15; ++tor)
        {
            for (uint32_t fabric = 0; fabric < 12; ++fabric)
            {
                NS_TEST_EXPECT_MSG_EQ(CountLinks(*topology, tors + tor, fabrics + fabric),
                                      (tor / 5 == fabric / 4),
                                      "ToRs join the switches of their pod");
            }
        }
        for (uint32_t fabric = 0; fabric < 12; ++fabric)
        {
            for (uint32_t spine = 0; spine < 24; ++spine)
            {
                NS_TEST_EXPECT_MSG_EQ(CountLinks(*topology, fabrics + fabric, spines + spine),
                                      (fabric % 4 == spine / 6),
                                      "switches join their plane");
            }
        }
        const DcnRouting routing(topology);
        NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 1), 2, "hosts of one rack");
        NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 2), 4, "racks of one pod");
        NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 10), 6, "hosts of two pods");
        NS_TEST_EXPECT_MSG_EQ(routing.GetNextLinks(tors, 10).size(), 4, "a choice of planes");
        NS_TEST_EXPECT_MSG_EQ(routing.GetNextLinks(fabrics, 10).size(), 6, "a choice of spines");
        // the networks of the evaluations: hosts, switches and cables as published
        p = DcnFabricParameters();
        p.racksPerPod = 16;
        p.hostsPerRack = 8;
        for (auto [spinesPerPlane, nCables] :
             std::map<uint32_t, uint32_t>{{16, 384}, {8, 352}, {4, 336}})
        {
            p.spinesPerPlane = spinesPerPlane;
            Check(DcnBuildTopology(p), 256, 36 + 2 * spinesPerPlane, nCables, 32);
        }
        p.pods = 8;
        p.racksPerPod = 48;
        p.hostsPerRack = 16;
        p.fabricsPerPod = 4;
        p.spinesPerPlane = 24;
        Check(DcnBuildTopology(p), 6144, 384 + 32 + 96, 8448, 384);
        p = DcnFabricParameters();
        p.pods = 1;
        p.spinesPerPlane = 0;
        Check(DcnBuildTopology(p), 16, 4 + 2, 16 + 8, 4);
    }
};

/// Leaf-spine: R leaves with H hosts and S spines have R H + R S cables.
class LeafSpineTestCase : public TopologyTestCase
{
  public:
    LeafSpineTestCase()
        : TopologyTestCase("leaf-spine")
    {
    }

  private:
    void DoRun() override
    {
        DcnLeafSpineParameters p;
        p.racks = 6;
        p.hostsPerRack = 3;
        p.spines = 4;
        auto topology = DcnBuildTopology(p);
        Check(topology, 18, 6 + 4, 18 + 24, 6);
        const DcnRouting routing(topology);
        NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 1), 2, "hosts of one rack");
        NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, 17), 4, "hosts of two racks");
        NS_TEST_EXPECT_MSG_EQ(routing.GetNextLinks(18, 17).size(), 4, "a choice of spines");
        NS_TEST_EXPECT_MSG_EQ(topology->GetLink(0).rateBps, 10'000'000'000, "wrong host rate");
        NS_TEST_EXPECT_MSG_EQ(topology->GetLink(2 * 18).rateBps, 40'000'000'000, "wrong rate");
    }
};

/// Fat tree: k^3 / 4 hosts, 5 k^2 / 4 switches of k ports, 3 k^3 / 4 cables, (k / 2)^2 long paths.
class FatTreeTestCase : public TopologyTestCase
{
  public:
    FatTreeTestCase()
        : TopologyTestCase("k-ary fat tree")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t k : {2U, 4U, 8U})
        {
            DcnFatTreeParameters p;
            p.k = k;
            auto topology = DcnBuildTopology(p);
            Check(topology, k * k * k / 4, 5 * k * k / 4, 3 * k * k * k / 4, k * k / 2);
            for (uint32_t node = k * k * k / 4; node < topology->GetNNodes(); ++node)
            {
                NS_TEST_EXPECT_MSG_EQ(topology->GetOutLinks(node).size(), k, "wrong port count");
            }
            const DcnRouting routing(topology);
            const uint32_t last = k * k * k / 4 - 1;
            NS_TEST_EXPECT_MSG_EQ(routing.GetHops(0, last), 6, "hosts of two pods");
            const uint32_t tor = k * k * k / 4;
            NS_TEST_EXPECT_MSG_EQ(routing.GetNextLinks(tor, last).size(), k / 2, "uplinks");
        }
    }
};

/// Dumbbell and parking lot: hosts, distances and rates along the row.
class RowTestCase : public TopologyTestCase
{
  public:
    RowTestCase()
        : TopologyTestCase("dumbbell and parking lot")
    {
    }

  private:
    void DoRun() override
    {
        DcnDumbbellParameters d;
        d.senders = 3;
        d.receivers = 2;
        d.edgeRate = DataRate("40Gbps");
        auto dumbbell = DcnBuildTopology(d);
        Check(dumbbell, 5, 2, 6, 2);
        NS_TEST_EXPECT_MSG_EQ(DcnRouting(dumbbell).GetHops(0, 4), 3, "over the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(DcnRouting(dumbbell).GetHops(0, 2), 2, "among senders");
        NS_TEST_EXPECT_MSG_EQ(dumbbell->GetRackHosts(1).size(), 2, "wrong receivers");
        NS_TEST_EXPECT_MSG_EQ(dumbbell->GetLink(2 * 5).rateBps, 10'000'000'000, "bottleneck rate");
        NS_TEST_EXPECT_MSG_EQ(dumbbell->GetHostRate(0), 40'000'000'000, "edge rate");

        DcnParkingLotParameters r;
        r.switches = 5;
        r.hostsPerSwitch = 2;
        r.endHosts = 1;
        r.switchRate = DataRate("40Gbps");
        auto row = DcnBuildTopology(r);
        Check(row, 12, 5, 12 + 4, 5);
        NS_TEST_EXPECT_MSG_EQ(DcnRouting(row).GetHops(0, 11), 6, "the whole row");
        NS_TEST_EXPECT_MSG_EQ(row->GetRackHosts(0).size(), 3, "hosts at the first switch");
        NS_TEST_EXPECT_MSG_EQ(row->GetRackHosts(2).size(), 2, "hosts at a switch between");
        NS_TEST_EXPECT_MSG_EQ(row->GetRackHosts(4).size(), 3, "hosts at the last switch");
        NS_TEST_EXPECT_MSG_EQ(row->GetLink(2 * 12).rateBps,
                              40'000'000'000,
                              "rate between switches");
        r.hostsPerSwitch = 0;
        auto ends = DcnBuildTopology(r);
        Check(ends, 2, 5, 2 + 4, 2);
    }
};

/// Every parameter out of its range is refused with a sentence that names it.
DCN_TEST_CASE(BadTopologyTestCase, "bad topology parameters are refused")
{
    DcnFabricParameters fabric;
    auto refuse = [&](auto& parameter, auto value, const std::string& sentence) {
        const auto good = parameter;
        parameter = value;
        DCN_TEST_EXPECT_ERROR(DcnBuildTopology(fabric), sentence);
        parameter = good;
    };
    refuse(fabric.pods, 0U, "fabric: pods must be at least 1, but it is 0");
    refuse(fabric.racksPerPod, 0U, "fabric: racksPerPod must be at least 1, but it is 0");
    refuse(fabric.hostsPerRack, 0U, "fabric: hostsPerRack must be at least 1, but it is 0");
    refuse(fabric.fabricsPerPod, 0U, "fabric: fabricsPerPod must be at least 1, but it is 0");
    refuse(fabric.spinesPerPlane,
           0U,
           "fabric: spinesPerPlane must be at least 1 to join 2 pods, but it is 0");
    refuse(fabric.hostRate, DataRate(0), "fabric: hostRate must be above 0, but it is 0 b/s");
    refuse(fabric.fabricRate, DataRate(0), "fabric: fabricRate must be above 0, but it is 0 b/s");
    refuse(fabric.linkDelay,
           NanoSeconds(-5),
           "fabric: linkDelay must not be below 0, but it is -5 ns");
    refuse(fabric.racksPerPod,
           4'000'000'000U,
           "fabric: there would be 4e+10 nodes, but at most 10000000 are possible");
    DcnFatTreeParameters tree;
    tree.k = 5;
    DCN_TEST_EXPECT_ERROR(DcnBuildTopology(tree), "fat-tree: k must be even, but it is 5");
    tree.k = 0;
    DCN_TEST_EXPECT_ERROR(DcnBuildTopology(tree), "fat-tree: k must be at least 1, but it is 0");
    DcnLeafSpineParameters leafSpine;
    leafSpine.spines = 0;
    DCN_TEST_EXPECT_ERROR(DcnBuildTopology(leafSpine),
                          "leaf-spine: spines must be at least 1, but it is 0");
    DcnDumbbellParameters dumbbell;
    dumbbell.receivers = 0;
    DCN_TEST_EXPECT_ERROR(DcnBuildTopology(dumbbell),
                          "dumbbell: receivers must be at least 1, but it is 0");
    DcnParkingLotParameters row;
    row.switches = 1;
    DCN_TEST_EXPECT_ERROR(DcnBuildTopology(row),
                          "parking-lot: switches must be at least 2, but it is 1");
    row.switches = 3;
    row.hostsPerSwitch = row.endHosts = 0;
    DCN_TEST_EXPECT_ERROR(
        DcnBuildTopology(row),
        "parking-lot: hostsPerSwitch and endHosts are both 0, so there is no host");
}

/// Two tiers with parallel links, 16 and 128 hosts (dissertation, section 5.4).
class TwoTierTestCase : public TopologyTestCase
{
  public:
    TwoTierTestCase()
        : TopologyTestCase("two tiers with parallel links")
    {
    }

  private:
    void DoRun() override
    {
        const DcnTwoTierParameters defaults; // 4 leaves, 2 spines, 2 parallel links
        Check(DcnBuildTopology(defaults), 16, 6, 16 + 16, 4);
        DcnTwoTierParameters wide;
        wide.hosts = 128;
        wide.radix = 64; // 4 leaves, 2 spines, 16 parallel links
        auto topology = DcnBuildTopology(wide);
        Check(topology, 128, 6, 128 + 128, 4);
        std::map<uint32_t, int> parallel; // links of a leaf by spine
        for (const uint32_t link : topology->GetOutLinks(128))
        {
            parallel[topology->GetLink(link).to] += topology->IsHost(topology->GetLink(link).to) ? 0 : 1;
        }
        NS_TEST_EXPECT_MSG_EQ(parallel[132], 16, "to the first spine");
        NS_TEST_EXPECT_MSG_EQ(parallel[133], 16, "to the second spine");
        wide.radix = 6;
        DCN_TEST_EXPECT_ERROR(DcnBuildTopology(wide), "radix must be a multiple of 4, but it is 6");
        wide.radix = 12;
        wide.hosts = 48; // 4 spines for 6 links
        DCN_TEST_EXPECT_ERROR(DcnBuildTopology(wide),
                              "hosts must be a multiple of the radix, 12, whose leaves' links can "
                              "be shared evenly by the spines, but it is 48");
    }
};

DcnTestSuite<FabricTestCase,
             LeafSpineTestCase,
             FatTreeTestCase,
             RowTestCase,
             TwoTierTestCase,
             BadTopologyTestCase>
    g_dcnTopologyTestSuite("dcn-topology"); //!< the suite

} // namespace
