/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-two-tier.h"

#include "ns3/dcn-error.h"

namespace ns3
{

Ptr<DcnTopology>
DcnBuildTopology(const DcnTwoTierParameters& parameters)
{
    const uint32_t hosts = parameters.hosts;
    const uint32_t radix = parameters.radix;
    if (radix == 0 || radix % 4 != 0)
    {
        DcnFail("radix must be a multiple of 4, but it is ", radix);
    }
    if (hosts == 0 || hosts % radix != 0 || radix / 2 % (hosts / radix) != 0)
    {
        DcnFail("hosts must be a multiple of the radix, ",
                radix,
                ", whose leaves' links can be shared evenly by the spines, but it is ",
                hosts);
    }
    const uint32_t perLeaf = radix / 2;
    const uint32_t leaves = hosts / perLeaf;
    const uint32_t spines = leaves / 2;
    const uint32_t parallel = perLeaf / spines;
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i < hosts; ++i)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    for (uint32_t i = 0; i < leaves + spines; ++i)
    {
        builder.AddNode(DcnNodeKind::SWITCH);
    }
    for (uint32_t i = 0; i < hosts; ++i)
    {
        builder.AddLink(i, hosts + i / perLeaf, parameters.linkRate, parameters.linkDelay);
    }
    for (uint32_t leaf = 0; leaf < leaves; ++leaf)
    {
        for (uint32_t i = 0; i < spines * parallel; ++i)
        {
            builder.AddLink(hosts + leaf,
                            hosts + leaves + i / parallel,
                            parameters.linkRate,
                            parameters.linkDelay);
        }
    }
    return builder.Build();
}

} // namespace ns3
