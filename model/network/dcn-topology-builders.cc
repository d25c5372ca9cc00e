/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-topology-builders.h"

#include "ns3/dcn-error.h"

#include <initializer_list>

namespace ns3
{

namespace
{

/// A number of things with the name of its parameter.
struct Count
{
    const char* name; //!< as in the parameters
    uint32_t value;   //!< as given
};

/// A link rate with the name of its parameter.
struct Rate
{
    const char* name; //!< as in the parameters
    DataRate value;   //!< as given
};

/**
 * Check the parameters that all topologies have.
 * @param topology name for the sentence
 * @param counts numbers that must be at least 1
 * @param rates rates that must be above 0
 * @param delay propagation delay, must not be below 0
 */
void
Check(const char* topology,
      std::initializer_list<Count> counts,
      std::initializer_list<Rate> rates,
      Time delay)
{
    for (const Count& count : counts)
    {
        if (count.value == 0)
        {
            DcnFail(topology, ": ", count.name, " must be at least 1, but it is 0");
        }
    }
    for (const Rate& rate : rates)
    {
        if (rate.value.GetBitRate() == 0)
        {
            DcnFail(topology, ": ", rate.name, " must be above 0, but it is 0 b/s");
        }
    }
    if (delay.IsStrictlyNegative())
    {
        DcnFail(topology,
                ": linkDelay must not be below 0, but it is ",
                delay.GetNanoSeconds(),
                " ns");
    }
}

/**
 * Refuse a topology that is too large.
 * @param topology name for the sentence
 * @param nNodes number of nodes it would have
 */
void
CheckNodes(const char* topology, double nNodes)
{
    if (nNodes > DCN_MAX_NODES)
    {
        DcnFail(topology,
                ": there would be ",
                nNodes,
                " nodes, but at most ",
                DCN_MAX_NODES,
                " are possible");
    }
}

/**
 * @param builder where to add
 * @param kind host or switch
 * @param n number of nodes
 * @return index of the first; the others follow
 */
uint32_t
AddNodes(DcnTopologyBuilder& builder, DcnNodeKind kind, uint32_t n)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        const uint32_t node = builder.AddNode(kind);
        first = i == 0 ? node : first;
    }
    return first;
}

/**
 * Join hosts to ToRs, rack by rack.
 * @param builder where to add
 * @param hosts first host
 * @param tors first ToR
 * @param nTors number of ToRs
 * @param hostsPerRack hosts in a rack
 * @param rate link rate
 * @param delay propagation delay
 */
void
JoinRacks(DcnTopologyBuilder& builder,
          uint32_t hosts,
          uint32_t tors,
          uint32_t nTors,
          uint32_t hostsPerRack,
          DataRate rate,
          Time delay)
{
    for (uint32_t tor = 0; tor < nTors; ++tor)
    {
        for (uint32_t host = 0; host < hostsPerRack; ++host)
        {
            builder.AddLink(hosts + tor * hostsPerRack + host, tors + tor, rate, delay);
        }
    }
}

} // namespace

Ptr<DcnTopology>
DcnBuildTopology(const DcnFabricParameters& p)
{
    Check("fabric",
          {{"pods", p.pods},
           {"racksPerPod", p.racksPerPod},
           {"hostsPerRack", p.hostsPerRack},
           {"fabricsPerPod", p.fabricsPerPod}},
          {{"hostRate", p.hostRate}, {"fabricRate", p.fabricRate}},
          p.linkDelay);
    if (p.spinesPerPlane == 0 && p.pods > 1)
    {
        DcnFail("fabric: spinesPerPlane must be at least 1 to join ", p.pods, " pods, but it is 0");
    }
    CheckNodes("fabric",
               static_cast<double>(p.pods) * p.racksPerPod * (p.hostsPerRack + 1.0) +
                   static_cast<double>(p.fabricsPerPod) * (p.pods + 1.0 * p.spinesPerPlane));
    DcnTopologyBuilder builder;
    const uint32_t nTors = p.pods * p.racksPerPod;
    const uint32_t hosts = AddNodes(builder, DcnNodeKind::HOST, nTors * p.hostsPerRack);
    const uint32_t tors = AddNodes(builder, DcnNodeKind::SWITCH, nTors);
    const uint32_t fabrics = AddNodes(builder, DcnNodeKind::SWITCH, p.pods * p.fabricsPerPod);
    const uint32_t spines =
        AddNodes(builder, DcnNodeKind::SWITCH, p.fabricsPerPod * p.spinesPerPlane);
    JoinRacks(builder, hosts, tors, nTors, p.hostsPerRack, p.hostRate, p.linkDelay);
    for (uint32_t tor = 0; tor < nTors; ++tor)
    {
        for (uint32_t plane = 0; plane < p.fabricsPerPod; ++plane)
        {
            const uint32_t fabric = fabrics + tor / p.racksPerPod * p.fabricsPerPod + plane;
            builder.AddLink(tors + tor, fabric, p.fabricRate, p.linkDelay);
        }
    }
    for (uint32_t pod = 0; pod < p.pods; ++pod)
    {
        for (uint32_t plane = 0; plane < p.fabricsPerPod; ++plane)
        {
            for (uint32_t spine = 0; spine < p.spinesPerPlane; ++spine)
            {
                builder.AddLink(fabrics + pod * p.fabricsPerPod + plane,
                                spines + plane * p.spinesPerPlane + spine,
                                p.fabricRate,
                                p.linkDelay);
            }
        }
    }
    return builder.Build();
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnLeafSpineParameters& p)
{
    Check("leaf-spine",
          {{"racks", p.racks}, {"hostsPerRack", p.hostsPerRack}, {"spines", p.spines}},
          {{"hostRate", p.hostRate}, {"fabricRate", p.fabricRate}},
          p.linkDelay);
    CheckNodes("leaf-spine", static_cast<double>(p.racks) * (p.hostsPerRack + 1.0) + p.spines);
    DcnTopologyBuilder builder;
    const uint32_t hosts = AddNodes(builder, DcnNodeKind::HOST, p.racks * p.hostsPerRack);
    const uint32_t leaves = AddNodes(builder, DcnNodeKind::SWITCH, p.racks);
    const uint32_t spines = AddNodes(builder, DcnNodeKind::SWITCH, p.spines);
    JoinRacks(builder, hosts, leaves, p.racks, p.hostsPerRack, p.hostRate, p.linkDelay);
    for (uint32_t leaf = 0; leaf < p.racks; ++leaf)
    {
        for (uint32_t spine = 0; spine < p.spines; ++spine)
        {
            builder.AddLink(leaves + leaf, spines + spine, p.fabricRate, p.linkDelay);
        }
    }
    return builder.Build();
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnFatTreeParameters& p)
{
    Check("fat-tree", {{"k", p.k}}, {{"linkRate", p.linkRate}}, p.linkDelay);
    if (p.k % 2 != 0)
    {
        DcnFail("fat-tree: k must be even, but it is ", p.k);
    }
    CheckNodes("fat-tree", 0.25 * p.k * p.k * p.k + 1.25 * p.k * p.k);
    DcnFabricParameters fabric;
    fabric.pods = p.k;
    fabric.racksPerPod = fabric.hostsPerRack = p.k / 2;
    fabric.fabricsPerPod = fabric.spinesPerPlane = p.k / 2;
    fabric.hostRate = fabric.fabricRate = p.linkRate;
    fabric.linkDelay = p.linkDelay;
    return DcnBuildTopology(fabric);
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnDumbbellParameters& p)
{
    Check("dumbbell",
          {{"senders", p.senders}, {"receivers", p.receivers}},
          {{"edgeRate", p.edgeRate}, {"bottleneckRate", p.bottleneckRate}},
          p.linkDelay);
    CheckNodes("dumbbell", 2.0 + p.senders + p.receivers);
    DcnTopologyBuilder builder;
    const uint32_t senders = AddNodes(builder, DcnNodeKind::HOST, p.senders);
    const uint32_t receivers = AddNodes(builder, DcnNodeKind::HOST, p.receivers);
    const uint32_t switches = AddNodes(builder, DcnNodeKind::SWITCH, 2);
    JoinRacks(builder, senders, switches, 1, p.senders, p.edgeRate, p.linkDelay);
    JoinRacks(builder, receivers, switches + 1, 1, p.receivers, p.edgeRate, p.linkDelay);
    builder.AddLink(switches, switches + 1, p.bottleneckRate, p.linkDelay);
    return builder.Build();
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnParkingLotParameters& p)
{
    Check("parking-lot", {}, {{"hostRate", p.hostRate}, {"switchRate", p.switchRate}}, p.linkDelay);
    if (p.switches < 2)
    {
        DcnFail("parking-lot: switches must be at least 2, but it is ", p.switches);
    }
    if (p.hostsPerSwitch == 0 && p.endHosts == 0)
    {
        DcnFail("parking-lot: hostsPerSwitch and endHosts are both 0, so there is no host");
    }
    CheckNodes("parking-lot", p.switches * (p.hostsPerSwitch + 1.0) + 2.0 * p.endHosts);
    DcnTopologyBuilder builder;
    const uint32_t nHosts = p.switches * p.hostsPerSwitch + 2 * p.endHosts;
    const uint32_t hosts = AddNodes(builder, DcnNodeKind::HOST, nHosts);
    const uint32_t switches = AddNodes(builder, DcnNodeKind::SWITCH, p.switches);
    uint32_t next = hosts;
    for (uint32_t i = 0; i < p.switches; ++i)
    {
        const bool isEnd = i == 0 || i + 1 == p.switches;
        const uint32_t nHere = p.hostsPerSwitch + (isEnd ? p.endHosts : 0);
        JoinRacks(builder, next, switches + i, 1, nHere, p.hostRate, p.linkDelay);
        next += nHere;
    }
    for (uint32_t i = 0; i + 1 < p.switches; ++i)
    {
        builder.AddLink(switches + i, switches + i + 1, p.switchRate, p.linkDelay);
    }
    return builder.Build();
}

} // namespace ns3
