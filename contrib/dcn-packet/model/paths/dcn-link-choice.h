/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_LINK_CHOICE_H
#define DCN_LINK_CHOICE_H

#include "ns3/dcn-network-config.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace ns3
{

class DcnRouting;

/**
 * @ingroup dcn-packet
 * @brief Chooses the egress port of data packets at a switch, where load_balancing is not 0.
 *
 * **Problem.** ECMP gives each flow one path, and some links have several flows while others are
 * idle. A switch that spreads packets, or parts of flows, over all links of shortest paths uses
 * them evenly, but reorders packets.
 *
 * A switch knows for each destination the n ports on shortest paths (DcnRouting::GetNextLinks):
 *
 * - RANDOM: one of them, at random (A. Dixit et al., "On the Impact of Packet Spraying in Data
 *   Center Networks", INFOCOM 2013);
 * - ROUND_ROBIN: the one after the latest packet's to any destination with the same ports;
 * - FLOWLET: that of the flow's latest packet here, or a random one if more than `flowlet_gap_ns`
 *   has passed since (E. Vanini et al., "Let it Flow", NSDI 2017), with a place in the switch's
 *   table for every flow. With a gap of at least the difference between paths nothing is reordered;
 * - ADAPTIVE: the one that would begin to transmit it first, by the bytes that wait and the present
 *   transmission, paused ports last; a random one of equals (S. Ghorbani et al., "DRILL", SIGCOMM
 *   2017, with all n ports in view and no memory).
 *
 * Random choices are hashes of the seed, the switch, the flow, the packet's first byte and its time
 * of transmission: they do not depend on the order of events, nor on other random numbers. All
 * state is the switch's own, so that threads may simulate different switches (DcnWindowLoop).
 */
class DcnLinkChoice
{
  public:
    /// An egress port.
    class Port
    {
      public:
        /**
         * @param nowNs present time [ns]
         * @return time until all that waits has left [ns]
         */
        virtual int64_t GetWaitNs(int64_t nowNs) const = 0;

      protected:
        ~Port() = default;
    };

    /// A data packet.
    struct Packet
    {
        uint32_t destination; //!< node index of its destination
        std::size_t flow;     //!< flow index
        uint64_t sequence;    //!< first payload byte
        int64_t sentNs;       //!< start of its transmission at the host [ns]
        int64_t pathRttNs;    //!< round-trip time of the flow's empty path [ns]
    };

    /**
     * @param network the configuration, which outlives this object
     * @param routing shortest paths; they, too
     * @param node node index of the switch
     * @param seed of random choices
     * @param port egress port of a link of the switch
     */
    DcnLinkChoice(const DcnNetworkParameters& network,
                  const DcnRouting& routing,
                  uint32_t node,
                  uint64_t seed,
                  const std::function<Port*(uint32_t link)>& port);

    /**
     * @param packet a data packet
     * @param nowNs present time [ns]
     * @return where it goes
     */
    Port* Choose(const Packet& packet, int64_t nowNs);

  private:
    /// Ports on shortest paths to some destinations.
    struct Group
    {
        std::vector<Port*> ports; //!< in the order of their links
        std::size_t next{0};      //!< of ROUND_ROBIN
    };

    /// The latest packet of a flow here.
    struct Flowlet
    {
        Port* port;      //!< where it went
        int64_t untilNs; //!< packets until then follow it [ns]
    };

    Group& FindGroup(uint32_t destination);
    Flowlet& FindFlowlet(std::size_t flow, int64_t nowNs);
    std::size_t Draw(const Packet& packet, std::size_t n) const;
    Port* ChooseShortest(const Group& group, const Packet& packet, int64_t nowNs) const;

    static constexpr uint32_t UNKNOWN = 0xffffffff; //!< group of a destination not met yet

    const DcnNetworkParameters& m_network;             //!< the configuration
    const DcnRouting& m_routing;                       //!< shortest paths
    uint32_t m_node;                                   //!< the switch
    uint64_t m_seed;                                   //!< see the constructor
    std::function<Port*(uint32_t)> m_port;             //!< see the constructor
    std::vector<uint32_t> m_groupOf;                   //!< by destination's node index
    std::vector<Group> m_groups;                       //!< all groups
    std::map<std::vector<uint32_t>, uint32_t> m_known; //!< groups by their links
    std::unordered_map<std::size_t, Flowlet> m_flowlets; //!< of FLOWLET, by flow index
    std::size_t m_cleanAt{1024}; //!< size of m_flowlets at which ended flowlets are removed
};

} // namespace ns3

#endif /* DCN_LINK_CHOICE_H */
