/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TOPOLOGY_BUILDERS_H
#define DCN_TOPOLOGY_BUILDERS_H

#include "dcn-topology.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

/**
 * @file
 * @ingroup dcn
 * The topologies that evaluations use.
 *
 * Nodes are numbered hosts first, rack by rack, then ToRs (leaves), fabric switches pod by pod, and
 * spines plane by plane, as in the scenario files of these evaluations.
 */

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Three-tier fabric: pods of racks, and a plane of spines for each fabric switch of a pod.
 *
 * Each top-of-rack switch (ToR) is joined to every fabric switch of its pod, and the i-th fabric
 * switch of each pod to every spine of plane i (Meta's F4; Parsimon, section 5). The default is
 * the 32-host fabric that m4 is trained on; the 256-host fabrics of the Parsimon and m3 evaluations
 * are 2 pods of 16 racks of 8 hosts with 16, 8 or 4 spines per plane (1:1, 2:1, 4:1).
 */
struct DcnFabricParameters
{
    uint32_t pods{2};                    //!< pods
    uint32_t racksPerPod{4};             //!< racks, each with one ToR, in a pod
    uint32_t hostsPerRack{4};            //!< hosts in a rack
    uint32_t fabricsPerPod{2};           //!< fabric switches in a pod, and planes
    uint32_t spinesPerPlane{2};          //!< spines in a plane; 0 with a single pod
    DataRate hostRate{10'000'000'000};   //!< of links between host and ToR
    DataRate fabricRate{40'000'000'000}; //!< of links between switches
    Time linkDelay{MicroSeconds(1)};     //!< propagation delay of every link
};

/**
 * @ingroup dcn
 * @brief Two tiers: every leaf (ToR) is joined to every spine.
 */
struct DcnLeafSpineParameters
{
    uint32_t racks{8};                   //!< racks, each with one leaf
    uint32_t hostsPerRack{4};            //!< hosts in a rack
    uint32_t spines{2};                  //!< spines
    DataRate hostRate{10'000'000'000};   //!< of links between host and leaf
    DataRate fabricRate{40'000'000'000}; //!< of links between leaf and spine
    Time linkDelay{MicroSeconds(1)};     //!< propagation delay of every link
};

/**
 * @ingroup dcn
 * @brief k-ary fat tree: k pods of k/2 racks of k/2 hosts, k/2 planes of k/2 spines, one link rate.
 */
struct DcnFatTreeParameters
{
    uint32_t k{4};                     //!< ports of each switch, even; k^3 / 4 hosts
    DataRate linkRate{10'000'000'000}; //!< of every link
    Time linkDelay{MicroSeconds(1)};   //!< propagation delay of every link
};

/**
 * @ingroup dcn
 * @brief Two switches joined by the bottleneck, senders at one and receivers at the other.
 */
struct DcnDumbbellParameters
{
    uint32_t senders{4};                     //!< hosts of the first switch
    uint32_t receivers{4};                   //!< hosts of the second switch
    DataRate edgeRate{10'000'000'000};       //!< of links between host and switch
    DataRate bottleneckRate{10'000'000'000}; //!< of the link between the switches
    Time linkDelay{MicroSeconds(1)};         //!< propagation delay of every link
};

/**
 * @ingroup dcn
 * @brief Switches in a row with hosts at each of them.
 *
 * The first and the last host of the topology are the ends of the whole row; hosts between start
 * and end cross traffic (Parsimon, appendix C; the training paths of m3 are such rows).
 */
struct DcnParkingLotParameters
{
    uint32_t switches{4};                //!< switches, at least 2
    uint32_t hostsPerSwitch{1};          //!< hosts at each switch for cross traffic
    uint32_t endHosts{1};                //!< further hosts at the first and at the last switch
    DataRate hostRate{10'000'000'000};   //!< of links between host and switch
    DataRate switchRate{10'000'000'000}; //!< of links between switches
    Time linkDelay{MicroSeconds(1)};     //!< propagation delay of every link
};

/// @ingroup dcn
/// @brief Largest number of nodes that DcnBuildTopology accepts: a digit too many in a parameter
/// should not exhaust the memory.
constexpr uint64_t DCN_MAX_NODES = 10'000'000;

/**
 * @ingroup dcn
 * @param parameters sizes, rates and delay
 * @return the topology
 * @throws DcnError that names the parameter if one is out of range
 */
Ptr<DcnTopology> DcnBuildTopology(const DcnFabricParameters& parameters);
/** @copydoc DcnBuildTopology(const DcnFabricParameters&) */
Ptr<DcnTopology> DcnBuildTopology(const DcnLeafSpineParameters& parameters);
/** @copydoc DcnBuildTopology(const DcnFabricParameters&) */
Ptr<DcnTopology> DcnBuildTopology(const DcnFatTreeParameters& parameters);
/** @copydoc DcnBuildTopology(const DcnFabricParameters&) */
Ptr<DcnTopology> DcnBuildTopology(const DcnDumbbellParameters& parameters);
/** @copydoc DcnBuildTopology(const DcnFabricParameters&) */
Ptr<DcnTopology> DcnBuildTopology(const DcnParkingLotParameters& parameters);

} // namespace ns3

#endif /* DCN_TOPOLOGY_BUILDERS_H */
