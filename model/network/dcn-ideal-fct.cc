/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-ideal-fct.h"
#include "dcn-units.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ns3
{

namespace
{

/**
 * @param bytes any number of bytes
 * @param rateBps link rate [bit/s]
 * @return floor(8e9 * bytes / rate) [ns], without overflow for flows of many gigabytes
 */
int64_t
FloorNs(uint64_t bytes, uint64_t rateBps)
{
    return static_cast<int64_t>(DcnMulDiv(bytes, 8'000'000'000ULL, rateBps));
}

/**
 * @param ns a time [ns]
 * @return the whole nanoseconds in it, of sums that miss a whole number by their rounding, too
 */
int64_t
WholeNs(double ns)
{
    return static_cast<int64_t>(std::floor(ns + 1e-6));
}

/// @return the ideal completion time without opening; see DcnIdealFct
DcnIdealFct
ComputeTransfer(const DcnTopology& topology,
                DcnPath path,
                uint64_t sizeBytes,
                uint32_t payloadBytes,
                uint32_t headerBytes,
                uint64_t maxRateBps)
{
    const uint64_t nPackets = DcnPackets(sizeBytes, payloadBytes);
    const auto nFollowing = static_cast<double>(nPackets - 1);
    const uint64_t lastBytes = sizeBytes - (nPackets - 1) * payloadBytes + headerBytes;
    const uint64_t firstBytes = std::min<uint64_t>(payloadBytes, sizeBytes) + headerBytes;
    DcnIdealFct ideal{0, 0, maxRateBps ? maxRateBps : std::numeric_limits<uint64_t>::max()};
    const auto time = [](uint64_t bytes, uint64_t rateBps) {
        return 8e9 * static_cast<double>(bytes) / static_cast<double>(rateBps);
    };
    double slowestNs = maxRateBps ? time(firstBytes, maxRateBps) : 0; // max(t_0, ..., t_l)
    double firstNs = 0;                                               // t_1 + ... + t_l
    double lastNs = nFollowing * slowestNs;                           // c_l
    int64_t delayNs = 0;
    for (uint32_t l : path)
    {
        const DcnLink& link = topology.GetLink(l);
        delayNs += link.delayNs;
        ideal.bottleneckBps = std::min(ideal.bottleneckBps, link.rateBps);
        const double hopNs = time(firstBytes, link.rateBps);
        firstNs += hopNs;
        slowestNs = std::max(slowestNs, hopNs);
        if (nPackets > 1)
        {
            lastNs = std::max(lastNs, firstNs + (nFollowing - 1) * slowestNs);
        }
        lastNs += time(lastBytes, link.rateBps);
    }
    ideal.latencyNs = delayNs + WholeNs(firstNs);
    ideal.restNs = delayNs + WholeNs(lastNs) - ideal.latencyNs;
    return ideal;
}

/// @return the same for time_grain_ns 1; see DcnIdealFct
DcnIdealFct
ComputeReferenceTransfer(const DcnTopology& topology,
                         DcnPath path,
                         uint64_t sizeBytes,
                         uint32_t payloadBytes,
                         uint32_t headerBytes,
                         uint64_t maxRateBps)
{
    const uint64_t firstPayload = std::min<uint64_t>(payloadBytes, sizeBytes);
    DcnIdealFct ideal{0, 0, maxRateBps ? maxRateBps : std::numeric_limits<uint64_t>::max()};
    for (uint32_t l : path)
    {
        const DcnLink& link = topology.GetLink(l);
        ideal.latencyNs += link.delayNs + FloorNs(firstPayload + headerBytes, link.rateBps);
        ideal.bottleneckBps = std::min(ideal.bottleneckBps, link.rateBps);
    }
    ideal.restNs = FloorNs(sizeBytes - firstPayload, ideal.bottleneckBps) +
                   static_cast<int64_t>((sizeBytes - 1) / payloadBytes) *
                       FloorNs(headerBytes, ideal.bottleneckBps);
    return ideal;
}

/// @return the round-trip time of DcnBaseRttNs before it is rounded down [ns]
double
ComputeBaseRtt(const DcnTopology& topology, DcnPath path, uint32_t dataBytes, uint32_t ackBytes)
{
    int64_t delayNs = 0;
    double txNs = 0;
    const auto time = [](uint32_t bytes, uint64_t rateBps) {
        return 8e9 * bytes / static_cast<double>(rateBps);
    };
    for (uint32_t l : path)
    {
        const DcnLink& forward = topology.GetLink(l);
        const DcnLink& back = topology.GetLink(DcnTopology::Reverse(l));
        delayNs += forward.delayNs + back.delayNs;
        txNs += time(dataBytes, forward.rateBps) + time(ackBytes, back.rateBps);
    }
    return static_cast<double>(delayNs) + txNs;
}

/**
 * @param network the configuration, with a slow start
 * @param sizeBytes payload of the flow
 * @param rttNs T of DcnIdealFct
 * @param packetNs t
 * @return sum of the sender's idle times [ns]
 */
double
GetIdleNs(const DcnNetworkParameters& network, uint64_t sizeBytes, double rttNs, double packetNs)
{
    const uint64_t most = network.windowBytes > 0 ? network.windowBytes : UINT64_MAX / 4;
    uint64_t window = std::min(network.initialWindowBytes, most);
    uint64_t left = sizeBytes;
    double idleNs = 0;
    while (window < left)
    {
        const uint64_t nPackets = DcnPackets(window, network.payloadBytes);
        const double gapNs = rttNs - static_cast<double>(nPackets) * packetNs;
        if (gapNs <= 0)
        {
            return idleNs; // the window covers the path, as do all later ones
        }
        const uint64_t next = std::min(2 * window, most);
        if (next == window)
        {
            return idleNs + static_cast<double>((left - 1) / window) * gapNs;
        }
        idleNs += gapNs;
        left -= window;
        window = next;
    }
    return idleNs;
}

} // namespace

DcnIdealFct
DcnComputeIdealFct(const DcnTopology& topology,
                   DcnPath path,
                   uint64_t sizeBytes,
                   uint32_t payloadBytes,
                   uint64_t maxRateBps,
                   bool isReference)
{
    const auto compute = isReference ? ComputeReferenceTransfer : ComputeTransfer;
    return compute(topology, path, sizeBytes, payloadBytes, DCN_HEADER_BYTES, maxRateBps);
}

DcnIdealFct
DcnComputeIdealFct(const DcnTopology& topology,
                   DcnPath path,
                   uint64_t sizeBytes,
                   const DcnNetworkParameters& network)
{
    const uint32_t header = network.headerBytes;
    const auto compute = network.timeGrainNs > 0 ? ComputeReferenceTransfer : ComputeTransfer;
    DcnIdealFct ideal = compute(topology,
                                path,
                                sizeBytes,
                                network.payloadBytes,
                                header,
                                network.maxRate.GetBitRate());
    double openingNs = 0;
    if (network.handshakeRtts > 0)
    {
        openingNs = network.handshakeRtts * ComputeBaseRtt(topology, path, header, header);
    }
    if (network.initialWindowBytes > 0)
    {
        const uint32_t packet = network.payloadBytes + header;
        const double packetNs = 8e9 * packet / static_cast<double>(ideal.bottleneckBps);
        const double rttNs = ComputeBaseRtt(topology, path, packet, header) + packetNs;
        openingNs += GetIdleNs(network, sizeBytes, rttNs, packetNs);
    }
    ideal.openingNs = WholeNs(openingNs);
    return ideal;
}

int64_t
DcnBaseRttNs(const DcnTopology& topology, DcnPath path, uint32_t dataBytes, uint32_t ackBytes)
{
    return WholeNs(ComputeBaseRtt(topology, path, dataBytes, ackBytes));
}

} // namespace ns3
