/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-switch.h"

#include "../paths/dcn-link-choice.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketSwitch");
NS_OBJECT_ENSURE_REGISTERED(DcnPacketSwitch);

namespace
{

constexpr uint64_t RESERVE_BYTES = 4096;       //!< r
constexpr uint64_t RESUME_OFFSET_BYTES = 3072; //!< a sender resumes this far below its threshold

/// Nanoseconds that a byte takes at 1 bit/s: R bit/s send R t / NS_PER_BYTE_AT_1_BPS bytes in t ns.
constexpr uint64_t NS_PER_BYTE_AT_1_BPS = 8'000'000'000;

} // namespace

TypeId
DcnPacketSwitch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnPacketSwitch")
                            .SetParent<Object>()
                            .SetGroupName("DcnPacket")
                            .AddConstructor<DcnPacketSwitch>();
    return tid;
}

DcnPacketSwitch::DcnPacketSwitch() = default;
DcnPacketSwitch::~DcnPacketSwitch() = default;

void
DcnPacketSwitch::SetLinkChoice(std::unique_ptr<DcnLinkChoice> choice)
{
    m_choice = std::move(choice);
}

void
DcnPacketSwitch::Configure(const DcnNetworkParameters& network,
                           const std::vector<Port>& ports,
                           uint64_t hostRateBps,
                           const std::string& name,
                           const Options& options)
{
    m_network = &network;
    m_options = options;
    for (const Port& port : ports)
    {
        uint32_t shift = network.pfcAlphaShift;
        for (uint64_t rate = port.rateBps; !port.isToHost && rate > hostRateBps && shift > 0;
             rate /= 2)
        {
            --shift;
        }
        m_ports.push_back({port.pfc, Headroom(port), shift, 0, 0, false});
        m_setAsideBytes += m_ports.back().headroomBytes + RESERVE_BYTES;
    }
    const uint64_t leastBytes = LeastBuffer();
    uint64_t bufferBytes = network.bufferBytes;
    const bool isOfPreset = bufferBytes == network.presetBufferBytes && bufferBytes > 0;
    if (isOfPreset && bufferBytes < leastBytes)
    {
        bufferBytes = std::max(leastBytes, bufferBytes < m_setAsideBytes ? 3 * m_setAsideBytes : 0);
        NS_LOG_INFO("switch " << name << ": the buffer of the preset, " << network.bufferBytes
                              << " bytes, grows to " << bufferBytes << " for " << ports.size()
                              << " ports");
    }
    if (m_setAsideBytes > bufferBytes)
    {
        DcnFail("switch ",
                name,
                " sets aside ",
                m_setAsideBytes,
                " bytes as reserve and headroom of its ",
                ports.size(),
                " ports, but buffer_bytes is ",
                bufferBytes,
                "; a buffer of three times as much leaves them a share: buffer_bytes=",
                std::max(leastBytes, 3 * m_setAsideBytes));
    }
    m_sharedBytes = bufferBytes - m_setAsideBytes;
    for (const Ingress& ingress : m_ports)
    {
        if (options.maxFrameBytes > std::max(ingress.headroomBytes, Threshold(ingress)))
        {
            DcnFail("switch ",
                    name,
                    " can never admit a frame of ",
                    options.maxFrameBytes,
                    " bytes: of buffer_bytes ",
                    bufferBytes,
                    " a port may take ",
                    Threshold(ingress),
                    " shared bytes, and its headroom is ",
                    ingress.headroomBytes,
                    "; the least buffer that suffices is buffer_bytes=",
                    leastBytes);
        }
    }
}

uint64_t
DcnPacketSwitch::LeastBuffer() const
{
    uint64_t sharedBytes = 0;
    for (const Ingress& ingress : m_ports)
    {
        if (m_options.maxFrameBytes > ingress.headroomBytes)
        {
            // T = floor(shared / 2^a) is a frame or more
            sharedBytes = std::max(sharedBytes, uint64_t{m_options.maxFrameBytes} << ingress.alphaShift);
        }
    }
    return m_setAsideBytes + sharedBytes;
}

uint64_t
DcnPacketSwitch::Headroom(const Port& port) const
{
    if (m_options.losslessHeadroom)
    {
        return LosslessHeadroom(port);
    }
    // without overflow for long fast links
    return 3 * DcnMulDiv(port.rateBps, static_cast<uint64_t>(port.delayNs), NS_PER_BYTE_AT_1_BPS);
}

uint64_t
DcnPacketSwitch::LosslessHeadroom(const Port& port) const
{
    const uint64_t frame = m_options.maxFrameBytes;
    const uint64_t delayNs = 2 * static_cast<uint64_t>(port.delayNs);
    if (m_network->timeGrainNs == 0)
    {
        static constexpr uint64_t ROUNDING_NS = 3; // see the class
        return 3 * frame + PFC_FRAME_BYTES + 1 +
               DcnMulDiv(port.rateBps, delayNs + ROUNDING_NS, NS_PER_BYTE_AT_1_BPS);
    }
    const auto shortestNs =
        static_cast<uint64_t>(DcnSerializationNs(m_options.minFrameBytes, port.rateBps));
    if (shortestNs == 0)
    {
        DcnFail("no headroom is lossless at ",
                port.rateBps,
                " bit/s with time_grain_ns 1, where frames of ",
                m_options.minFrameBytes,
                " bytes take no time: take time_grain_ns=0, or LosslessHeadroom=false");
    }
    const uint64_t untilNs =
        delayNs + static_cast<uint64_t>(DcnSerializationNs(frame, port.rateBps) +
                                        DcnSerializationNs(PFC_FRAME_BYTES, port.rateBps));
    const uint64_t begun = DcnMulDiv(port.rateBps, untilNs, NS_PER_BYTE_AT_1_BPS) + 1;
    return 2 * frame + begun + begun / shortestNs + 1;
}

uint64_t
DcnPacketSwitch::Threshold(const Ingress& ingress) const
{
    // usage may exceed the shared buffer a little: thresholds are checked before a packet is added
    const uint64_t free = m_sharedBytes > m_sharedUsed ? m_sharedBytes - m_sharedUsed : 0;
    return free >> ingress.alphaShift;
}

bool
DcnPacketSwitch::Admit(uint32_t port, uint32_t bytes, int64_t nowNs)
{
    Ingress& ingress = m_ports[port];
    const uint64_t after = ingress.usedBytes + bytes;
    const uint64_t shared =
        ingress.usedBytes > RESERVE_BYTES ? ingress.usedBytes - RESERVE_BYTES : 0;
    if (ingress.usedHeadroom + bytes > ingress.headroomBytes && shared + bytes > Threshold(ingress))
    {
        NS_LOG_INFO("port " << port << " has no room for a frame of " << bytes
                            << " bytes: shared buffer " << shared << " of " << Threshold(ingress)
                            << " bytes, headroom " << ingress.usedHeadroom << " of "
                            << ingress.headroomBytes);
        ++m_nDropped;
        return false;
    }
    if (after <= RESERVE_BYTES)
    {
        ingress.usedBytes = after;
    }
    else if (after - RESERVE_BYTES > Threshold(ingress))
    {
        ingress.usedHeadroom += bytes;
    }
    else
    {
        ingress.usedBytes = after;
        m_sharedUsed += std::min<uint64_t>(bytes, after - RESERVE_BYTES);
    }
    if (m_network->pfc && !ingress.paused)
    {
        const uint64_t sharedNow =
            ingress.usedBytes > RESERVE_BYTES ? ingress.usedBytes - RESERVE_BYTES : 0;
        if (ingress.usedHeadroom > 0 || sharedNow >= Threshold(ingress))
        {
            ingress.paused = true;
            ++m_nPauses;
            ingress.pfc->SendPfc(true, PFC_FRAME_BYTES, nowNs);
        }
    }
    return true;
}

void
DcnPacketSwitch::Release(uint32_t port, uint32_t bytes, int64_t nowNs)
{
    Ingress& ingress = m_ports[port];
    const uint64_t fromHeadroom = std::min<uint64_t>(bytes, ingress.usedHeadroom);
    const uint64_t rest = bytes - fromHeadroom;
    ingress.usedHeadroom -= fromHeadroom;
    const uint64_t shared =
        ingress.usedBytes > RESERVE_BYTES ? ingress.usedBytes - RESERVE_BYTES : 0;
    m_sharedUsed -= std::min(rest, shared);
    ingress.usedBytes -= rest;
    if (ingress.paused && ingress.usedHeadroom == 0)
    {
        const uint64_t left =
            ingress.usedBytes > RESERVE_BYTES ? ingress.usedBytes - RESERVE_BYTES : 0;
        if (left == 0 || left + RESUME_OFFSET_BYTES <= Threshold(ingress))
        {
            ingress.paused = false;
            ++m_nResumes;
            ingress.pfc->SendPfc(false, PFC_FRAME_BYTES, nowNs);
        }
    }
}

bool
DcnPacketSwitch::HasRoomFor(const std::vector<uint64_t>& mostBytes, uint64_t mostOfAll) const
{
    const uint64_t leastFree = m_sharedBytes > mostOfAll ? m_sharedBytes - mostOfAll : 0;
    for (std::size_t port = 0; port < m_ports.size(); ++port)
    {
        const Ingress& ingress = m_ports[port];
        if (ingress.paused || ingress.usedHeadroom > 0 ||
            mostBytes[port] >= leastFree >> ingress.alphaShift)
        {
            return false;
        }
    }
    return true;
}

uint64_t
DcnPacketSwitch::GetBufferedBytes() const
{
    uint64_t bytes = 0;
    for (const Ingress& ingress : m_ports)
    {
        bytes += ingress.usedBytes + ingress.usedHeadroom;
    }
    return bytes;
}

} // namespace ns3
