/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-congestion-control.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/// A registered algorithm.
struct Algorithm
{
    DcnCongestionControl::Traits traits;   //!< its properties
    DcnCongestionControl::Factory factory; //!< makes its state machines
};

/** @return the registered algorithms by name; complete before main begins. */
std::map<std::string, Algorithm>&
GetAlgorithms()
{
    static std::map<std::string, Algorithm> algorithms;
    return algorithms;
}

/**
 * @param name of an algorithm
 * @return the algorithm
 * @throws DcnError if it is not registered
 */
const Algorithm&
FindAlgorithm(const std::string& name)
{
    const auto found = GetAlgorithms().find(name);
    if (found == GetAlgorithms().end())
    {
        DcnFail("the packet engine has no congestion control \"", name, "\"");
    }
    return found->second;
}

} // namespace

DcnCongestionControl::Registration::Registration(const DcnNetworkConfig::Control& control,
                                                 const Traits& traits,
                                                 Factory factory)
{
    DcnNetworkConfig::AddCongestionControl(control);
    GetAlgorithms().insert({control.name, {traits, factory}});
}

DcnCongestionControl::WireFormat
DcnCongestionControl::WireFormat::WithTelemetry()
{
    static constexpr uint32_t TELEMETRY_BYTES = 42;  // 5 hops of 8 bytes and a count, always whole
    static constexpr uint32_t ACK_HEADER_BYTES = 46; // link and IP header and acknowledgement
    return {DCN_HEADER_BYTES + TELEMETRY_BYTES, ACK_HEADER_BYTES + TELEMETRY_BYTES, true};
}

std::unique_ptr<DcnCongestionControl>
DcnCongestionControl::Create(const DcnNetworkParameters& network,
                             uint64_t maxRateBps,
                             int64_t pathRttNs)
{
    return FindAlgorithm(network.congestionControl).factory(network, maxRateBps, pathRttNs);
}

const DcnCongestionControl::Traits&
DcnCongestionControl::GetTraits(const DcnNetworkParameters& network)
{
    return FindAlgorithm(network.congestionControl).traits;
}

DcnCongestionControl::WireFormat
DcnCongestionControl::GetWireFormat(const DcnNetworkParameters& network)
{
    WireFormat format = GetTraits(network).wireFormat;
    // header_bytes says what 48 bytes are otherwise; what a control adds comes on top of them
    format.dataHeaderBytes += network.headerBytes;
    format.dataHeaderBytes -= std::min(format.dataHeaderBytes - 1, DCN_HEADER_BYTES);
    return format;
}

DcnCongestionControl::DcnCongestionControl(const DcnNetworkParameters& network,
                                           uint64_t maxRateBps,
                                           int64_t pathRttNs)
    : m_network(network),
      m_minRate(std::min(network.minRate.GetBitRate(), maxRateBps)),
      m_maxRate(maxRateBps),
      m_rate(maxRateBps),
      m_windowBytes(network.GetWindowBytes(maxRateBps, pathRttNs))
{
}

void
DcnCongestionControl::HaveOwnWindow(int64_t rttNs)
{
    if (m_windowBytes == 0)
    {
        m_windowBytes =
            std::max<uint64_t>(m_network.payloadBytes,
                               DcnMulDiv(m_maxRate, static_cast<uint64_t>(rttNs), 8'000'000'000));
    }
}

void
DcnCongestionControl::OnGoBack(uint64_t /* sndNxt */, int64_t /* nowNs */)
{
}

void
DcnCongestionControl::OnPathChange()
{
}

void
DcnCongestionControl::OnTimer(int64_t /* nowNs */)
{
}

DcnCongestionControl::State
DcnCongestionControl::GetState() const
{
    return {};
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

} // namespace ns3
