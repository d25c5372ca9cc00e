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
 * The flow's first packet is stored and forwarded at every hop; the others follow in a pipeline at
 * the rate of the slowest link. With size s, payload per packet M, first payload m = min(M, s),
 * headers H (header_bytes, 48 by default), link rates R_l, delays d_l and bottleneck b, the smallest
 * R_l of the path and the sender's largest rate,
 *
 *     latency = sum_l d_l + sum_l floor((m + H) * 8e9 / R_l)
 *     rest    = floor((s - m) * 8e9 / b) + floor((s - 1) / M) * floor(H * 8e9 / b)
 *     ideal   = latency + rest
 *
 * in whole nanoseconds: the "standalone FCT" of the simulator in the Parsimon (section 5) and
 * m3 (section 5) evaluations. Slowdown is FCT / ideal.
 *
 * **Transports with connections** (handshake_rtts h, initial_window_bytes I; both 0 by default) add
 * an opening. A handshake is h round trips of packets without payload. Then window k is sent back
 * to back, and the next one begins when the first acknowledgement of window k returns, T after its
 * beginning. With t = 8e9 (M + H) / b the time of a packet at the bottleneck and n_k packets in
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
    uint64_t bottleneckBps; //!< b [bit/s]
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
 * @return the parts of the ideal FCT
 */
DcnIdealFct DcnComputeIdealFct(const DcnTopology& topology,
                               DcnPath path,
                               uint64_t sizeBytes,
                               uint32_t payloadBytes,
                               uint64_t maxRateBps);

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
 * where l' is the other direction of link l, used by the acknowledgement, and t is
 * DcnSerializationNs. A sender with at most W bytes in flight is not faster than W / T.
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
