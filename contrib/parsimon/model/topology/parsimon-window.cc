/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-window.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"

#include <algorithm>

namespace ns3
{

ParsimonWindow
ParsimonWindow::Of(const DcnNetworkParameters& network, ParsimonRules rules)
{
    const auto wire = DcnCongestionControl::GetWireFormat(network);
    return {rules != ParsimonRules::PUBLISHED ? network.windowBytes : 0,
            network.payloadBytes,
            wire.dataHeaderBytes,
            wire.ackBytes};
}

double
ParsimonWindow::GetIdleNs(const DcnTopology& topology,
                          DcnPath path,
                          uint64_t sizeBytes,
                          uint64_t bottleneckBps) const
{
    const uint64_t packets = DcnPackets(sizeBytes, payloadBytes);
    const uint64_t inFlight = DcnPackets(windowBytes, payloadBytes);
    if (windowBytes == 0 || packets <= inFlight)
    {
        return 0;
    }
    const uint32_t data = payloadBytes + headerBytes;
    const int64_t roundTrip = DcnBaseRttNs(topology, path, data, ackBytes);
    const double busy =
        static_cast<double>(inFlight) * 8e9 * data / static_cast<double>(bottleneckBps);
    return static_cast<double>((packets - 1) / inFlight) *
           std::max(0.0, static_cast<double>(roundTrip) - busy);
}

uint64_t
ParsimonWindow::GetRate(const DcnTopology& topology, DcnPath path, uint64_t sizeBytes) const
{
    if (windowBytes == 0 ||
        DcnPackets(sizeBytes, payloadBytes) <= DcnPackets(windowBytes, payloadBytes))
    {
        return 0;
    }
    const uint32_t data = payloadBytes + headerBytes;
    const auto inFlight = static_cast<double>(DcnPackets(windowBytes, payloadBytes));
    const auto rttNs = static_cast<double>(DcnBaseRttNs(topology, path, data, ackBytes));
    return static_cast<uint64_t>(inFlight * data * 8e9 / rttNs);
}

bool
ParsimonWindow::IsBurst(const DcnTopology& topology,
                        DcnPath path,
                        uint64_t sizeBytes,
                        uint64_t bottleneckBps) const
{
    if (windowBytes > 0)
    {
        return DcnPackets(sizeBytes, payloadBytes) <= DcnPackets(windowBytes, payloadBytes);
    }
    const auto rttNs =
        static_cast<double>(DcnBaseRttNs(topology, path, payloadBytes + headerBytes, ackBytes));
    return static_cast<double>(sizeBytes) * 8e9 <= rttNs * static_cast<double>(bottleneckBps);
}

} // namespace ns3
