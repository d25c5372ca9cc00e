/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_IDEAL_FCT_H
#define DCN_IDEAL_FCT_H

#include "dcn-flow.h"
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
 * headers H = DCN_HEADER_BYTES, link rates R_l, delays d_l and bottleneck b, the smallest R_l of
 * the path and the sender's largest rate,
 *
 *     latency = sum_l d_l + sum_l floor((m + H) * 8e9 / R_l)
 *     rest    = floor((s - m) * 8e9 / b) + floor((s - 1) / M) * floor(H * 8e9 / b)
 *     ideal   = latency + rest
 *
 * in whole nanoseconds: the "standalone FCT" of the simulator in the Parsimon (section 5) and
 * m3 (section 5) evaluations. Slowdown is FCT / ideal.
 */
struct DcnIdealFct
{
    int64_t latencyNs;      //!< propagation and first packet [ns]
    int64_t restNs;         //!< remaining packets at the bottleneck [ns]
    uint64_t bottleneckBps; //!< b [bit/s]

    /** @return latency + rest [ns]. */
    int64_t GetTotalNs() const
    {
        return latencyNs + restNs;
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
