/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-ideal-fct.h"

#include "dcn-units.h"

#include <algorithm>
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

} // namespace

DcnIdealFct
DcnComputeIdealFct(const DcnTopology& topology,
                   DcnPath path,
                   uint64_t sizeBytes,
                   uint32_t payloadBytes,
                   uint64_t maxRateBps)
{
    const uint64_t firstPayload = std::min<uint64_t>(payloadBytes, sizeBytes);
    DcnIdealFct ideal{0, 0, maxRateBps ? maxRateBps : std::numeric_limits<uint64_t>::max()};
    for (uint32_t l : path)
    {
        const DcnLink& link = topology.GetLink(l);
        ideal.latencyNs += link.delayNs + FloorNs(firstPayload + DCN_HEADER_BYTES, link.rateBps);
        ideal.bottleneckBps = std::min(ideal.bottleneckBps, link.rateBps);
    }
    ideal.restNs = FloorNs(sizeBytes - firstPayload, ideal.bottleneckBps) +
                   static_cast<int64_t>((sizeBytes - 1) / payloadBytes) *
                       FloorNs(DCN_HEADER_BYTES, ideal.bottleneckBps);
    return ideal;
}

int64_t
DcnBaseRttNs(const DcnTopology& topology, DcnPath path, uint32_t dataBytes, uint32_t ackBytes)
{
    int64_t rtt = 0;
    for (uint32_t l : path)
    {
        const DcnLink& forward = topology.GetLink(l);
        const DcnLink& back = topology.GetLink(DcnTopology::Reverse(l));
        rtt += forward.delayNs + DcnSerializationNs(dataBytes, forward.rateBps) + back.delayNs +
               DcnSerializationNs(ackBytes, back.rateBps);
    }
    return rtt;
}

} // namespace ns3
