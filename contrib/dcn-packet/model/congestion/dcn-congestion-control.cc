/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-congestion-control.h"

#include "dcn-dcqcn.h"
#include "dcn-dctcp.h"
#include "dcn-hpcc.h"
#include "dcn-timely.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>

namespace ns3
{

std::unique_ptr<DcnCongestionControl>
DcnCongestionControl::Create(const DcnNetworkParameters& network,
                             uint64_t maxRateBps,
                             int64_t pathRttNs)
{
    if (network.congestionControl == "dctcp")
    {
        return std::make_unique<DcnDctcp>(network, maxRateBps);
    }
    if (network.congestionControl == "dcqcn")
    {
        return std::make_unique<DcnDcqcn>(network, maxRateBps);
    }
    if (network.congestionControl == "timely")
    {
        return std::make_unique<DcnTimely>(network, maxRateBps, pathRttNs);
    }
    if (network.congestionControl == "hpcc")
    {
        return std::make_unique<DcnHpcc>(network, maxRateBps, pathRttNs);
    }
    DcnFail("the packet engine has no congestion control \"", network.congestionControl, "\"");
}

DcnCongestionControl::WireFormat
DcnCongestionControl::GetWireFormat(const DcnNetworkParameters& network)
{
    static constexpr uint32_t TIMESTAMP_BYTES = 8; // TIMELY's send time
    static constexpr uint32_t TELEMETRY_BYTES = 42; // 5 hops of 8 bytes and a count, always whole
    static constexpr uint32_t ACK_HEADER_BYTES = 46; // link and IP header and acknowledgement
    if (network.congestionControl == "timely")
    {
        return {DCN_HEADER_BYTES + TIMESTAMP_BYTES, DCN_ACK_BYTES, false};
    }
    if (network.congestionControl == "hpcc")
    {
        return {DCN_HEADER_BYTES + TELEMETRY_BYTES, ACK_HEADER_BYTES + TELEMETRY_BYTES, true};
    }
    return {DCN_HEADER_BYTES, DCN_ACK_BYTES, false};
}

DcnCongestionControl::DcnCongestionControl(const DcnNetworkParameters& network, uint64_t maxRateBps)
    : m_network(network),
      m_minRate(std::min(network.minRate.GetBitRate(), maxRateBps)),
      m_maxRate(maxRateBps),
      m_rate(maxRateBps)
{
}

void
DcnCongestionControl::OnGoBack(uint64_t /* sndNxt */)
{
}

void
DcnCongestionControl::OnTimer(int64_t /* nowNs */)
{
}

int64_t
DcnCongestionControl::GetNextTimerNs() const
{
    return NEVER;
}

bool
DcnCongestionControl::RepacesPendingPacket() const
{
    return false;
}

void
DcnCongestionControl::ExchangeState(DcnStateBytes& state)
{
    state.Exchange(m_rate);
}

} // namespace ns3
