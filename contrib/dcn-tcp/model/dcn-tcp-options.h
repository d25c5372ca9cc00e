/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TCP_OPTIONS_H
#define DCN_TCP_OPTIONS_H

#include "ns3/dcn-network-config.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class QueueDisc;
class Socket;
class TcpL4Protocol;

/**
 * @ingroup dcn-tcp
 * @brief The TCP and the queue discs of a simulation: attributes of DcnTcpEstimator.
 *
 * Makes sockets and queue discs that have these options and, where a key of the network
 * configuration has that meaning, its value: payload_bytes (segments), ecn_kmin_bytes,
 * ecn_kmax_bytes, ecn_pmax and ecn_reference_rate_bps (marking), buffer_bytes (limit of a port),
 * dctcp_g (gain of a transport that has one), initial_window_bytes. A handshake is a round trip
 * (handshake_rtts 1), headers take HEADER_BYTES (header_bytes). GetUnmodelled lists the other keys.
 */
struct DcnTcpOptions
{
    TypeId transport;       //!< a TcpCongestionOps
    TypeId queueDisc;       //!< of the ports of switches, a QueueDisc
    TypeId hostQueueDisc;   //!< of the ports of hosts, a QueueDisc
    bool ecn;               //!< sockets and queue discs use ECN
    Time minRto;            //!< smallest retransmission timeout
    Time connTimeout;       //!< timeout of the first SYN; doubles with every further one
    Time delayedAckTimeout; //!< longest delay of an acknowledgement
    uint32_t delayedAcks;   //!< segments for an acknowledgement
    uint32_t initialWindow; //!< first congestion window [segments]; 0: see GetInitialWindow
    uint32_t socketBuffer;  //!< send and receive buffers of a socket [bytes]
    bool sack;              //!< selective acknowledgements

    static constexpr int64_t DELAYED_ACK_NS = 1'000'000; //!< default of delayedAckTimeout [ns]

    /// Bytes of the IP and TCP headers of a segment without options.
    static constexpr uint32_t IP_TCP_BYTES = 40;
    static constexpr uint32_t LINK_BYTES = 14; //!< link header of a frame, as DCN_HEADER_BYTES has
    static constexpr uint32_t HEADER_BYTES = IP_TCP_BYTES + LINK_BYTES; //!< of a segment
    static constexpr uint32_t INITIAL_WINDOW = 10; //!< without initial_window_bytes [segments]

    /**
     * @brief Refuse types that are of another kind or cannot do what the options say; makes objects
     * of these types, which draw stream numbers.
     * @throws DcnError with the type and the remedy
     */
    void Check() const;

    /**
     * @param network the configuration
     * @return the first congestion window [segments]: initialWindow, or if that is 0 the segments
     * of initial_window_bytes, or if that is 0 INITIAL_WINDOW
     */
    uint32_t GetInitialWindow(const DcnNetworkParameters& network) const;

    /**
     * @param tcp of a node
     * @param network the configuration
     * @param stream random stream of a transport that draws numbers (TcpBbr takes 32 bits)
     * @return a new socket of that node
     */
    Ptr<Socket> MakeSocket(Ptr<TcpL4Protocol> tcp,
                           const DcnNetworkParameters& network,
                           uint32_t stream) const;

    /**
     * @param type queueDisc or hostQueueDisc
     * @param network the configuration
     * @param rateBps of the port [bit/s]
     * @param stream random stream
     * @return a new queue disc
     */
    Ptr<QueueDisc> MakeQueueDisc(TypeId type,
                                 const DcnNetworkParameters& network,
                                 uint64_t rateBps,
                                 int64_t stream) const;

    /**
     * @param config a configuration
     * @return its keys that have an effect in the packet engine and none here; "cc" among them if
     * the congestion control is not that of the transport
     */
    std::vector<std::string> GetUnmodelled(Ptr<const DcnNetworkConfig> config) const;

    /** @return the options in words, for DcnEstimate::provenance. */
    std::string Describe() const;
};

} // namespace ns3

#endif /* DCN_TCP_OPTIONS_H */
