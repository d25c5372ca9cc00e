/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-quantities.h"

#include "ns3/dcn-units.h"

namespace ns3
{

DcnNetworkRatios::DcnNetworkRatios(const DcnNetworkParameters& network,
                                   double rateBps,
                                   double rttNs)
    : bdpBytes(rateBps * rttNs / 8e9),
      packet(static_cast<double>(network.payloadBytes + DCN_HEADER_BYTES) / bdpBytes),
      timelyLow(static_cast<double>(network.timelyLow.GetNanoSeconds()) / rttNs),
      timelyHigh(static_cast<double>(network.timelyHigh.GetNanoSeconds()) / rttNs),
      additiveIncrease(static_cast<double>(network.hpccAdditiveIncrease.GetBitRate()) / rateBps),
      minRate(static_cast<double>(network.minRate.GetBitRate()) / rateBps)
{
    const double port = rateBps / static_cast<double>(network.ecnReferenceRate.GetBitRate());
    kMin = port * static_cast<double>(network.ecnKminBytes) / bdpBytes;
    kMax = port * static_cast<double>(network.ecnKmaxBytes) / bdpBytes;
}

} // namespace ns3
