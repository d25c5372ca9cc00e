/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_FABRIC_H
#define DCN_TRAIN_FABRIC_H

#include "ns3/data-rate.h"
#include "ns3/dcn-topology.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Fabric of servers with accelerators, a scale-up switch and several NICs, on rails or on
 * racks.
 *
 * W. Wang, M. Ghobadi, K. Shakeri, Y. Zhang and N. Hasani, "Rail-only: A Low-Cost High-Performance
 * Network for Training LLMs with Trillion Parameters", 2023, section 2; Alibaba HPN (K. Qian et
 * al., SIGCOMM 2024) has two planes.
 *
 * Each accelerator is a host with a link to the switch of its server (the scale-up tier) and a link
 * to a leaf of its rail in each plane. Accelerator i of all servers of a pod share the leaves of
 * rail i; each plane has spines to which all of its leaves are joined. With spines = 0 there are
 * rails alone: then all servers are in one pod, and accelerators of different rails reach each
 * other within a server only (rail-only).
 *
 * Without rails, all accelerators of a pod share its leaves: a rack of servers below a fat tree of
 * leaves and spines.
 *
 * Hosts are numbered server by server, so that member a g + i of a hierarchical collective is
 * accelerator i of server a. Then come the switches of the servers, leaves and spines. Paths are
 * the shortest ones: within a server through its switch, on a rail through a leaf, else through a
 * spine. A connection takes one plane.
 */
struct DcnTrainFabric
{
    static constexpr uint32_t MOST_ACCELERATORS = 1U << 20; //!< of all servers
    static constexpr uint32_t MOST_LINKS = 1U << 23;        //!< of all tiers

    uint32_t servers{4};                     //!< servers
    uint32_t accelerators{8};                //!< g, accelerators of a server
    uint32_t serversPerPod{0};               //!< servers that share leaves; 0: all
    uint32_t planes{1};                      //!< leaves of a rail and pod, or of a pod
    uint32_t spines{1};                      //!< spines of a plane
    bool rails{true};                        //!< false: a leaf has all accelerators of its pod
    DataRate scaleUpRate{3'600'000'000'000}; //!< to the switch of the server
    DataRate nicRate{400'000'000'000};       //!< of an accelerator, over all planes
    DataRate spineRate{400'000'000'000};     //!< of each link between leaf and spine
    Time scaleUpDelay{NanoSeconds(100)};     //!< of a link to the switch of the server
    Time linkDelay{MicroSeconds(1)};         //!< of all other links

    /**
     * @return the topology
     * @throws DcnError for a number that is 0, pods of different size, several pods without spines,
     * and more than MOST_ACCELERATORS or MOST_LINKS
     */
    Ptr<DcnTopology> Build() const;
};

} // namespace ns3

#endif /* DCN_TRAIN_FABRIC_H */
