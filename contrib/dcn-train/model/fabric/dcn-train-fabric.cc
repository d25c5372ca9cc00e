/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-fabric.h"

#include "ns3/dcn-error.h"

namespace ns3
{

Ptr<DcnTopology>
DcnTrainFabric::Build() const
{
    const uint32_t perPod = serversPerPod > 0 ? serversPerPod : servers;
    if (servers == 0 || accelerators == 0 || planes == 0 || servers % perPod != 0)
    {
        DcnFail("a fabric has servers, accelerators and planes, and pods of equal size, but there "
                "are ",
                servers,
                " servers in pods of ",
                perPod,
                ", ",
                accelerators,
                " accelerators and ",
                planes,
                " planes");
    }
    const uint32_t pods = servers / perPod;
    if (spines == 0 && pods > 1)
    {
        DcnFail("without spines all servers are in one pod, but there are ", pods, " pods");
    }
    // products of four numbers of 32 bits: doubles do not overflow
    const uint64_t hosts = uint64_t{servers} * accelerators;
    const double links = static_cast<double>(hosts) * (1.0 + planes) +
                         static_cast<double>(pods) * accelerators * planes * spines;
    if (hosts > MOST_ACCELERATORS || links > MOST_LINKS)
    {
        DcnFail("a fabric has at most ",
                MOST_ACCELERATORS,
                " accelerators and ",
                MOST_LINKS,
                " links, but ",
                servers,
                " servers of ",
                accelerators,
                " accelerators with ",
                planes,
                " planes of ",
                spines,
                " spines have more: take fewer");
    }
    DcnTopologyBuilder builder;
    for (uint32_t host = 0; host < servers * accelerators; ++host)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    for (uint32_t server = 0; server < servers; ++server)
    {
        const uint32_t scaleUp = builder.AddNode(DcnNodeKind::SWITCH);
        for (uint32_t i = 0; i < accelerators; ++i)
        {
            builder.AddLink(server * accelerators + i, scaleUp, scaleUpRate, scaleUpDelay);
        }
    }
    const DataRate planeRate(nicRate.GetBitRate() / planes);
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        std::vector<uint32_t> leaves;
        for (uint32_t pod = 0; pod < pods; ++pod)
        {
            const uint32_t perLeaf = rails ? 1 : accelerators; // of a server
            for (uint32_t first = 0; first < accelerators; first += perLeaf)
            {
                leaves.push_back(builder.AddNode(DcnNodeKind::SWITCH));
                for (uint32_t i = 0; i < perPod * perLeaf; ++i)
                {
                    const uint32_t server = pod * perPod + i / perLeaf;
                    builder.AddLink(server * accelerators + first + i % perLeaf,
                                    leaves.back(),
                                    planeRate,
                                    linkDelay);
                }
            }
        }
        for (uint32_t spine = 0; spine < spines; ++spine)
        {
            const uint32_t top = builder.AddNode(DcnNodeKind::SWITCH);
            for (const uint32_t leaf : leaves)
            {
                builder.AddLink(leaf, top, spineRate, linkDelay);
            }
        }
    }
    return builder.Build();
}

} // namespace ns3
