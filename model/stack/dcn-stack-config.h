/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_STACK_CONFIG_H
#define DCN_STACK_CONFIG_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The network configuration of an ns-3 simulation: sockets, devices and queue discs.
 *
 * Sockets are made when applications start, so the defaults in force are read: those of the types,
 * as Config::SetDefault left them, and TcpL4Protocol's SocketType of the sending nodes.
 *
 * ======================  =========================================================================
 * header_bytes            2 of PPP, or 18 of Ethernet; IP; TCP with time stamps, or UDP
 * payload_bytes           TcpSocket::SegmentSize, at most the MTU less the headers of IP and TCP;
 *                         of UDP the largest packet, at most the MTU less headers, which it is
 *                         where no packet's size is known
 * handshake_rtts          1 of TCP, 0 of UDP
 * initial_window_bytes    TcpSocket::InitialCwnd segments; UDP: 0
 * window_bytes            the smaller one of SndBufSize and RcvBufSize; UDP: 0
 * slow_start_bytes        of TcpCubic with HyStart: HyStartLowWindow segments; else 0
 * window_growth_divisor   of TcpCubic with HyStart: CntClamp; else 0
 * queue_packets           packets of the device's queue; without fair queueing those of the queue
 *                         disc, too (CoDel: those that its target delay holds)
 * buffer_bytes            of the switch with most: the limits of its queues and queue discs
 * ecn_kmin, kmax, pmax    RedQueueDisc with ECN at both sockets (always with TcpDctcp) and
 *                         queue disc; else no marks
 * pfc                     0
 * ======================  =========================================================================
 *
 * Other keys are those of the preset `evaluation` of DCTCP for the slowest host.
 */
class DcnStackConfig
{
  public:
    static constexpr uint8_t TCP = 6;  //!< number of the protocol in the IP header
    static constexpr uint8_t UDP = 17; //!< likewise

    /**
     * @param protocol TCP or UDP
     * @param isV4 IPv4, else IPv6
     * @param isFirst of the first packet, TCP's SYN, else of a packet with data
     * @return bytes of the headers of IP and transport, by the defaults of TcpSocketBase's options
     */
    static uint32_t GetHeaderBytes(uint8_t protocol, bool isV4, bool isFirst = false);

    /// Sizes of a transport's packets.
    struct Packet
    {
        uint32_t headerBytes;  //!< of the device, IP and the transport
        uint32_t payloadBytes; //!< largest payload: that of the MTU, of TCP at most SegmentSize
    };

    /**
     * @param topology made of ns-3 nodes
     * @param protocol TCP or UDP
     * @param isV4 IPv4, else IPv6
     * @return sizes of the packets with data
     * @throws DcnError if TcpSocket::SegmentSize is 0
     */
    static Packet GetPacket(const DcnTopology& topology, uint8_t protocol, bool isV4);

    /// What a scenario's senders use.
    struct Senders
    {
        uint64_t nTcp{0};                 //!< number of those that use TCP
        uint64_t nUdp{0};                 //!< number of those that use UDP
        bool isV4{true};                  //!< IPv4, else IPv6
        std::vector<uint32_t> tcpNodes;   //!< node indices of the senders over TCP
        uint32_t largestDatagramBytes{0}; //!< largest packet over UDP, payload; 0: not known
    };

    /**
     * @brief Read the configuration. Where senders differ, or there is none, it is that of TCP.
     * @param topology made of ns-3 nodes
     * @param senders of the scenario
     * @param notes gets sentences on differences that one configuration cannot have
     * @return the configuration
     * @throws DcnError if the initial window is 0, or a buffer holds less than a segment
     */
    static Ptr<DcnNetworkConfig> Read(const DcnTopology& topology,
                                      const Senders& senders,
                                      std::vector<std::string>& notes);

    /**
     * @brief Find what links, devices, queue discs and sockets do that no method models: error
     * models, CSMA, resolution of addresses, gaps between frames, queue discs whose rule is not
     * read, bridges that do not learn, differing MTUs, congestion control other than that of
     * NewReno, Cubic and DCTCP, pacing, and first windows that wait for delayed acknowledgements.
     * @param topology made of ns-3 nodes
     * @param senders of the scenario
     * @param isUsed by directed link: whether flows cross it; empty: all of them
     * @param notes gets a sentence for each kind
     */
    static void NoteUnmodelled(const DcnTopology& topology,
                               const Senders& senders,
                               const std::vector<bool>& isUsed,
                               std::vector<std::string>& notes);

    /**
     * @brief Find links in front of which packets may be lost, since the windows and datagrams that
     * come together there exceed what the port's queues hold or what CoDel lets wait.
     *
     * Flows that a link has not carried yet, if it carries them in the order of their starts, count
     * with their bytes, over TCP at most with the window.
     *
     * @param topology made of ns-3 nodes
     * @param config sizes of packets and windows
     * @param flows by start time
     * @param pathOf returns the links of a flow, by flow index
     * @param isTcp by flow index: whether it has a window
     * @param notes gets a sentence if there is such a link
     */
    static void NoteLosses(const DcnTopology& topology,
                           const DcnNetworkParameters& config,
                           const std::vector<DcnFlow>& flows,
                           const std::function<DcnPath(std::size_t flow)>& pathOf,
                           const std::vector<bool>& isTcp,
                           std::vector<std::string>& notes);
};

} // namespace ns3

#endif /* DCN_STACK_CONFIG_H */
