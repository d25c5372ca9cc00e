/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_IDEAL_FCT_H
#define DCN_IDEAL_FCT_H

#include "dcn-flow.h"
#include "dcn-network-config.h"
#include "dcn-topology.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Parts of the ideal completion time: that of a flow alone in the network.
 *
 * Every packet is stored and forwarded at every hop, in the order of the packets, and links have
 * their exact rates. A flow of s bytes has n = ceil(s / M) packets: n - 1 with M bytes of payload
 * and a last one with the rest q = s - (n - 1) M. With headers H (header_bytes, 48 by default),
 * rates R_l and delays d_l of the links 1 to L, and the sender's largest rate R_0, the times of a
 * packet of M and of q bytes are
 *
 *     t_l = 8e9 (M + H) / R_l,    u_l = 8e9 (q + H) / R_l.
 *
 * Full packets leave link l one after another, t_k apart at the slowest of the links 0 to l: packet
 * n - 1 at F_l = t_1 + ... + t_l + (n - 2) max(t_0, ..., t_l). The last one follows it everywhere:
 *
 *     c_0 = (n - 1) t_0,    c_l = max(c_(l-1), F_l) + u_l      (n = 1: without F)
 *     ideal = floor(c_L + d_1 + ... + d_L)
 *     latency = floor(sum_l d_l + time of the first packet on the links),    rest = ideal - latency
 *
 * in nanoseconds; t_0 = 0 if the sender has no rate of its own. Slowdown is FCT / ideal: the packet
 * engine rounds completion times up, so that no flow has a slowdown below 1.
 *
 * With time_grain_ns 1, ideal is the "standalone FCT" of the simulator in the Parsimon (section 5)
 * and m3 (section 5) evaluations instead: with m = min(M, s) and b = min(R_0, R_1, ..., R_L)
 *
 *     latency = sum_l d_l + sum_l floor((m + H) 8e9 / R_l)
 *     rest    = floor((s - m) 8e9 / b) + (n - 1) floor(H 8e9 / b).
 *
 * **Transports with connections** (handshake_rtts h, initial_window_bytes I; both 0 by default) add
 * an opening. A handshake is h round trips of packets without payload. Then window k is sent back
 * to back, and the next one begins when the first acknowledgement of window k returns, T after its
 * beginning. With t = 8e9 (M + H) / b, b the smallest of R_0 to R_L, the time of a packet at the bottleneck and n_k packets in
 * window k, the sender is idle for T - n_k t:
 *
 *     T_0     = DcnBaseRttNs of H and H bytes
 *     T       = DcnBaseRttNs of M + H and H bytes, + t: acknowledgements are of two packets
 *     w_0     = min(I, W)
 *     w_k+1   = min(2 w_k, W)
 *     n_k     = ceil(w_k / M)
 *     opening = h T_0 + sum over all windows but the last of max(0, T - n_k t)
 *     ideal   = opening + latency + rest
 *
 * with W = window_bytes, without limit where that is 0. So slow start costs time until a window
 * covers the bandwidth-delay product b T. RFC 5681: slow start (section 3.1), an acknowledgement
 * for every second segment (4.2); RFC 6928: I of ten segments; RFC 3465: windows double in spite of
 * delayed acknowledgements, as in ns-3's TcpCubic and TcpLinuxReno. In ns-3 I is
 * TcpSocket::InitialCwnd (10) times SegmentSize, and W the smaller one of SndBufSize and RcvBufSize
 * (128 KiB): DcnStackConfig.
 */
struct DcnIdealFct
{
    int64_t latencyNs;      //!< propagation and first packet [ns]
    int64_t restNs;         //!< remaining packets at the bottleneck [ns]
    uint64_t bottleneckBps; //!< b, the smallest rate of the links and the sender [bit/s]
    int64_t openingNs{0};   //!< handshake, and idle times of growing windows [ns]

    /** @return opening + latency + rest [ns]. */
    int64_t GetTotalNs() const
    {
        return openingNs + latencyNs + restNs;
    }
};

/**
 * @ingroup dcn
 * @brief Completion time of a flow alone in the network; see DcnIdealFct.
 * @param topology the network
 * @param path the flow's links
 * @param sizeBytes payload bytes, > 0
 * @param payloadBytes largest payload of a packet M
 * @param maxRateBps largest rate of a sender [bit/s]; 0: the rate of its link
 * @param isReference time_grain_ns is 1
 * @return the parts of the ideal FCT
 */
DcnIdealFct DcnComputeIdealFct(const DcnTopology& topology,
                               DcnPath path,
                               uint64_t sizeBytes,
                               uint32_t payloadBytes,
                               uint64_t maxRateBps,
                               bool isReference = false);

/**
 * @ingroup dcn
 * @brief The same with the headers and the opening of a configuration's transport.
 * @param topology the network
 * @param path the flow's links
 * @param sizeBytes payload bytes, > 0
 * @param network the configuration
 * @return the parts of the ideal FCT
 */
DcnIdealFct DcnComputeIdealFct(const DcnTopology& topology,
                               DcnPath path,
                               uint64_t sizeBytes,
                               const DcnNetworkParameters& network);

/**
 * @ingroup dcn
 * @brief Round-trip time of a full packet alone in the network.
 *
 *     T = sum over the path of (d_l + t(data, R_l)) + (d_l' + t(ack, R_l'))
 *
 * where l' is the other direction of link l, used by the acknowledgement, and t(S, R) = 8e9 S / R;
 * the sum is rounded down. A sender with at most W bytes in flight is not faster than W / T.
 *
 * @param topology the network
 * @param path the flow's links
 * @param dataBytes length of the data packet on the wire
 * @param ackBytes length of the acknowledgement on the wire
 * @return T [ns]
 */
int64_t DcnBaseRttNs(const DcnTopology& topology,
                     DcnPath path,
                     uint32_t dataBytes,
                     uint32_t ackBytes);

} // namespace ns3

#endif /* DCN_IDEAL_FCT_H */
