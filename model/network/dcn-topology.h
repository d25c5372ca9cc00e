/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TOPOLOGY_H
#define DCN_TOPOLOGY_H

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/dcn-parallel.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace ns3
{

/// @ingroup dcn
/// @brief Kind of a node: flows start and end at hosts, switches forward.
enum class DcnNodeKind : uint8_t
{
    HOST,
    SWITCH
};

/**
 * @ingroup dcn
 * @brief One direction of a full-duplex link.
 *
 * The two directions of a link have the indices 2k (a to b) and 2k+1 (b to a), so that the
 * reverse of link l is l ^ 1.
 */
struct DcnLink
{
    uint32_t from;    //!< node index of the sender
    uint32_t to;      //!< node index of the receiver
    uint64_t rateBps; //!< capacity [bit/s], > 0
    int64_t delayNs;  //!< propagation delay [ns], >= 0
};

/**
 * @ingroup dcn
 * @brief Channel that a method lays over a link of a topology, beside the link's own channel.
 *
 * It is no link of the network: DcnTopology::FromNodes passes over it, so that several methods can
 * be installed on the same nodes.
 */
class DcnOverlayChannel : public Channel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
};

/**
 * @ingroup dcn
 * @brief The network of all methods: hosts, switches and directed links with dense indices.
 *
 * Every method (packets, fluid, decomposition, learned models) reads the same object. It is made
 * by DcnTopologyBuilder: from ns-3 nodes that already have devices (FromNodes), by
 * DcnBuildTopology, or from a scenario directory. It cannot be changed afterwards. Hosts may have
 * several links, and two nodes may be joined by parallel links.
 *
 * Racks: the rack of a host is the first switch to which it is attached (a host attached to hosts
 * only is its own rack); racks are numbered in the order of their first host.
 */
class DcnTopology : public DcnSharedCount<DcnTopology>
{
  public:
    /**
     * @brief Create the topology of connected ns-3 nodes.
     *
     * A link is a channel with two ends, both on nodes of the container, whose devices or the
     * channel itself have a DataRate attribute (PointToPointNetDevice, CsmaChannel). The channel's
     * Delay attribute (0 if absent) is its propagation delay. A CSMA channel with two ends counts as
     * a full-duplex link. Devices without a rate (loopback) and those of methods
     * (DcnOverlayChannel) are left out. A node with exactly one link is a host, any other a switch.
     *
     * @param nodes the nodes
     * @return the topology; node i is nodes.Get(i)
     * @throws DcnError for a node that is given twice, and for a channel with a rate and more than
     * two ends, which is no link
     */
    static Ptr<DcnTopology> FromNodes(const NodeContainer& nodes);

    /**
     * @brief Create the topology of connected ns-3 nodes with given hosts, which may be
     * multi-homed.
     * @param hosts nodes that start and end flows; their indices start at 0
     * @param switches nodes that forward
     * @return the topology
     */
    static Ptr<DcnTopology> FromNodes(const NodeContainer& hosts, const NodeContainer& switches);

    /** @return the number of nodes. */
    uint32_t GetNNodes() const;
    /** @return the number of directed links (twice the number of cables). */
    uint32_t GetNLinks() const;

    /**
     * @param node node index
     * @return true if the node is a host
     */
    bool IsHost(uint32_t node) const;

    /**
     * @param node node index
     * @return the number of the node in files and messages
     */
    uint64_t GetExternalId(uint32_t node) const;

    /** @return node indices of the hosts, ascending. */
    const std::vector<uint32_t>& GetHosts() const;

    /**
     * @param link directed link index
     * @return the link
     */
    const DcnLink& GetLink(uint32_t link) const;

    /**
     * @param node node index
     * @return the links that leave the node, ordered by (peer, link index)
     */
    const std::vector<uint32_t>& GetOutLinks(uint32_t node) const;

    /**
     * @param link directed link index
     * @return the other direction of the same cable
     */
    static uint32_t Reverse(uint32_t link)
    {
        return link ^ 1U;
    }

    /** @return the number of racks. */
    uint32_t GetNRacks() const;

    /**
     * @param rack rack number
     * @return node indices of its hosts, ascending
     */
    const std::vector<uint32_t>& GetRackHosts(uint32_t rack) const;

    /**
     * @param host node index of a host
     * @return its rack number
     */
    uint32_t GetRack(uint32_t host) const;

    /**
     * @param host node index of a host
     * @return the rate of its fastest link [bit/s]
     */
    uint64_t GetHostRate(uint32_t host) const;

    /**
     * @brief The rates of the NICs of some hosts: of all links on which they send.
     * @param hosts node indices; others than hosts have none
     * @return the rates, ascending, each once [bit/s]
     */
    std::vector<uint64_t> GetNicRates(const std::vector<uint32_t>& hosts) const;

    /** @return the smallest GetHostRate of all hosts [bit/s]. */
    uint64_t GetSlowestHostRate() const;

    /**
     * @brief The ns-3 nodes, created on first use unless the topology comes from nodes.
     * @return node i of the container is node index i
     */
    const NodeContainer& GetNodes() const;

    /**
     * @param link directed link index
     * @return the device that sends on it, null unless the topology comes from nodes
     */
    Ptr<NetDevice> GetDevice(uint32_t link) const;

    /**
     * @param link directed link index
     * @return "3->7", with external ids, for messages and reports
     */
    std::string DescribeLink(uint32_t link) const;

  private:
    friend class DcnTopologyBuilder;
    DcnTopology() = default;
    void Index();

    std::vector<DcnNodeKind> m_kinds;               //!< per node
    std::vector<uint64_t> m_externalIds;            //!< per node
    std::vector<DcnLink> m_links;                   //!< per directed link
    std::vector<std::vector<uint32_t>> m_outLinks;  //!< per node
    std::vector<uint32_t> m_hosts;                  //!< host node indices
    std::vector<std::vector<uint32_t>> m_rackHosts; //!< per rack
    std::vector<uint32_t> m_racks;                  //!< per node, hosts only
    std::vector<Ptr<NetDevice>> m_devices;          //!< per directed link, empty unless FromNodes
    mutable NodeContainer m_nodes;                  //!< see GetNodes
};

/**
 * @ingroup dcn
 * @brief Collects and checks nodes and links, and creates a DcnTopology.
 *
 * All Add calls refuse bad values with a DcnError; its sentence begins with `where`
 * ("links.csv:7: ") for values from a file.
 */
class DcnTopologyBuilder
{
  public:
    static constexpr int64_t MAX_DELAY_NS = 100'000'000'000; //!< longest link, 100 s [ns]

    /**
     * @brief Add a node.
     * @param kind host or switch
     * @return its index: nodes are numbered from 0 in the order of the calls
     */
    uint32_t AddNode(DcnNodeKind kind);

    /**
     * @brief Add a node with a number in files.
     * @param kind host or switch
     * @param externalId the number, unique
     * @param where prefix of the error sentence
     * @return its index
     */
    uint32_t AddNode(DcnNodeKind kind, uint64_t externalId, const std::string& where = "");

    /**
     * @brief Add a full-duplex link.
     * @param a node index of one end
     * @param b node index of the other end
     * @param rateBps capacity of each direction [bit/s], > 0
     * @param delayNs propagation delay [ns], >= 0
     * @param where prefix of the error sentence
     * @return directed link index of a to b (b to a is the next one)
     */
    uint32_t AddLink(uint32_t a,
                     uint32_t b,
                     uint64_t rateBps,
                     int64_t delayNs,
                     const std::string& where = "");

    /**
     * @brief Add a full-duplex link.
     * @param a node index of one end
     * @param b node index of the other end
     * @param rate capacity of each direction
     * @param delay propagation delay
     * @return directed link index of a to b (b to a is the next one)
     */
    uint32_t AddLink(uint32_t a, uint32_t b, DataRate rate, Time delay);

    /**
     * @brief Check the topology (at least one host; every node has a link) and create it.
     * @return the topology; the builder is empty afterwards
     */
    Ptr<DcnTopology> Build();

  private:
    friend class DcnTopology;

    static Ptr<DcnTopology> Create();
    static Ptr<DcnTopology> FromDevices(const NodeContainer& nodes,
                                        const std::vector<DcnNodeKind>& kinds);

    Ptr<DcnTopology> m_topology{Create()};      //!< under construction
    std::unordered_set<uint64_t> m_externalIds; //!< ids given so far, to find duplicates
};

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
 * @brief Make one of the topologies that evaluations use.
 *
 * Nodes are numbered hosts first, rack by rack, then ToRs (leaves), fabric switches pod by pod, and
 * spines plane by plane, as in the scenario files of these evaluations.
 *
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

#endif /* DCN_TOPOLOGY_H */
