/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRAFFIC_H
#define MQL_TRAFFIC_H

#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief A stream of packets from one host to another, given by its rate and two moments.
 */
struct MqlFlow
{
    static constexpr uint32_t NO_PARTNER = 0xffffffff; //!< no flow in the other direction

    /// Kind of the packets.
    enum class Kind : uint8_t
    {
        DATA, //!< data
        ACK   //!< acknowledgements of the partner's data
    };

    uint32_t src;                 //!< node index of the sending host
    uint32_t dst;                 //!< node index of the receiving host
    double rate;                  //!< lambda, packets/s, > 0
    double c2a{1};                //!< SCV of the gaps between packets, >= 0 (1: Poisson; GE: >= 1)
    double wireBytes{500};        //!< b, mean packet size on the wire [bytes], > 0
    double c2s{0};                //!< SCV of the packet size, >= 0 (0: constant)
    Kind kind{Kind::DATA};        //!< data or acknowledgements
    uint32_t partner{NO_PARTNER}; //!< index of the flow in the other direction of a round trip
};

/**
 * @ingroup mql
 * @brief One queue on the route of a flow.
 */
struct MqlVisit
{
    uint32_t pair;   //!< index in MqlNetwork::GetPairs: (upstream link, link)
    uint32_t link;   //!< directed link of the queue
    uint32_t hop;    //!< position from the source, 0-based
    double fraction; //!< share of the flow's packets at this visit
};

/// @ingroup mql
/// @brief Pattern of the pairs of hosts that exchange traffic (dissertation, tables 4.3 and 5.2).
enum class MqlPattern : uint8_t
{
    ALL_TO_ALL, //!< every host sends to every other
    INCAST,     //!< every other host sends to the first
    BROADCAST,  //!< the first host sends to every other
    ASYMMETRIC  //!< thirds of the hosts: incast to the first host, all-to-all, broadcast
};

/// @ingroup mql
/// @brief A host that sends and the host that receives: node indices.
using MqlHostPair = std::pair<uint32_t, uint32_t>;

/**
 * @ingroup mql
 * @param hosts node indices of hosts
 * @param pattern of the pairs
 * @return the pairs that communicate, ordered by position of sender and receiver among the hosts;
 * with ASYMMETRIC, those of each third in turn
 */
std::vector<MqlHostPair> MqlMakePairs(const std::vector<uint32_t>& hosts, MqlPattern pattern);

/**
 * @ingroup mql
 * @brief Keep a random fraction of pairs, at least one, and sort them.
 * @param pairs reduced
 * @param density fraction to keep, in (0, 1]; 1: pairs stay as they are
 * @param uniform the random variable
 */
void MqlThinPairs(std::vector<MqlHostPair>& pairs, double density, UniformRandomVariable& uniform);

/**
 * @ingroup mql
 * @brief Synthetic traffic: pattern, load and moments.
 */
struct MqlTrafficOptions
{
    MqlPattern pattern{MqlPattern::ALL_TO_ALL}; //!< pairs of senders and receivers
    double load{0.5};         //!< utilisation of the busiest host link by data, > 0
    double c2a{1};            //!< SCV of the gaps of each data flow
    double wireBytes{500};    //!< mean size of data packets on the wire [bytes]
    double c2s{0};            //!< SCV of the size of data packets
    double density{1};        //!< fraction of the pattern's pairs used, in (0, 1]
    bool unequalRates{false}; //!< rates uniform in (0, 1) before scaling, else equal
    uint32_t ackBytes{0};     //!< size of the ACK of each data packet on the wire; 0: no ACKs
    double acksPerPacket{1};  //!< ACKs per data packet (delayed ACKs: 1/2)
    uint64_t seed{1};         //!< seed of the choice of pairs and of unequal rates
};

/**
 * @ingroup mql
 * @brief Make the flows of a synthetic pattern.
 *
 * Rates are scaled so that the busiest host link (sending or receiving) has the given utilisation
 * by data packets; links between switches may be busier. Flows are ordered by (source,
 * destination); with ACKs, data flows are followed by ACK flows: flow n + i acknowledges flow i.
 *
 * @param topology the network
 * @param options pattern, load and moments
 * @return the flows
 * @throws DcnError that names a value out of range
 */
std::vector<MqlFlow> MqlMakeTraffic(const DcnTopology& topology, const MqlTrafficOptions& options);

/**
 * @ingroup mql
 * @brief Append an ACK flow for each data flow: rate times acksPerPacket, SCV of gaps 1, SCV of
 * sizes 0, host to host in the other direction.
 * @param flows data flows; doubled
 * @param ackBytes size on the wire [bytes]
 * @param acksPerPacket ACKs per data packet
 */
void MqlAddAcks(std::vector<MqlFlow>& flows, double ackBytes, double acksPerPacket = 1);

/**
 * @ingroup mql
 * @param path links of a path
 * @return the links of the reverse path
 */
std::vector<uint32_t> MqlReversePath(const DcnPath& path);

/**
 * @ingroup mql
 * @brief One path per flow by the shared per-flow ECMP.
 * @param flows the flows; the hash uses the flow's index as its id
 * @param routing routing rule
 * @return path i is that of flow i; ACKs take the reverse path of their data
 */
DcnPathTable MqlHashPaths(const std::vector<MqlFlow>& flows, const DcnRouting& routing);

/**
 * @ingroup mql
 * @brief Queue types by tier: the level of a node is its distance from the nearest host.
 *
 * Level 0 is "host", 1 "edge", 2 "agg", 3 "core", then "level4" ...; a link up, down or across is
 * of type <level of its sender> + "Up", "Down" or "Peer": hostUp, edgeUp, aggUp, coreDown, aggDown
 * and edgeDown (to a host) in a three-tier fat tree.
 */
class MqlQueueTypes
{
  public:
    /**
     * @param topology the network
     * @return the type number of each directed link
     */
    static std::vector<uint8_t> Of(const DcnTopology& topology);

    /**
     * @param type a type number
     * @return its name
     */
    static std::string GetName(uint8_t type);
};

} // namespace ns3

#endif /* MQL_TRAFFIC_H */
