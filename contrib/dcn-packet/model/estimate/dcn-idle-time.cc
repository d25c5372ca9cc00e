/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-idle-time.h"

#include "../congestion/dcn-congestion-control.h"

#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <optional>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnIdleTime");

namespace
{

constexpr double NEVER_NS = std::numeric_limits<double>::infinity(); //!< no event
constexpr double ROUNDING_NS = 1e-6; //!< more than the rounding of a sum of times, less than a tick

/**
 * @param bytes length of a frame
 * @param rateBps rate of a link [bit/s]
 * @param isReference time_grain_ns is 1
 * @return time that the frame occupies it [ns]
 */
double
GetTimeNs(uint64_t bytes, uint64_t rateBps, bool isReference)
{
    return isReference ? static_cast<double>(DcnSerializationNs(bytes, rateBps))
                       : static_cast<double>(bytes) * 8e9 / static_cast<double>(rateBps);
}

/// A flow alone on its path: times of its packets at each link.
struct LonePath
{
    /// A link of the path.
    struct Hop
    {
        uint64_t rateBps; //!< its rate
        double fullNs;    //!< time of a full packet
        double lastNs;    //!< time of the last packet
        double ackNs;     //!< time of an acknowledgement on the other direction
        double delayNs;   //!< its delay
        double backNs;    //!< delay of the other direction
    };

    /**
     * @param topology the network
     * @param path the links
     * @param sizeBytes payload of the flow
     * @param network the configuration
     * @param wire packet sizes
     * @param maxRateBps largest rate of the flow
     */
    LonePath(const DcnTopology& topology,
             DcnPath path,
             uint64_t sizeBytes,
             const DcnNetworkParameters& network,
             const DcnCongestionControl::WireFormat& wire,
             uint64_t maxRateBps)
        : nPackets(DcnPackets(sizeBytes, network.payloadBytes)),
          isReference(network.timeGrainNs > 0)
    {
        const uint64_t full = network.payloadBytes + wire.dataHeaderBytes;
        const uint64_t last =
            sizeBytes - (nPackets - 1) * network.payloadBytes + wire.dataHeaderBytes;
        hops.reserve(path.size());
        for (const uint32_t link : path)
        {
            const DcnLink& there = topology.GetLink(link);
            const DcnLink& back = topology.GetLink(DcnTopology::Reverse(link));
            hops.push_back({there.rateBps,
                            GetTimeNs(full, there.rateBps, isReference),
                            GetTimeNs(last, there.rateBps, isReference),
                            GetTimeNs(wire.ackBytes, back.rateBps, isReference),
                            static_cast<double>(there.delayNs),
                            static_cast<double>(back.delayNs)});
        }
        spacingNs = std::max(hops[0].fullNs, GetTimeNs(full, maxRateBps, isReference));
    }

    /** @return round-trip time of a full packet [ns]. */
    double GetRttNs() const
    {
        double rttNs = 0;
        for (const Hop& hop : hops)
        {
            rttNs += hop.fullNs + hop.delayNs + hop.ackNs + hop.backNs;
        }
        return rttNs;
    }

    /** @return whether no link takes longer for a packet than the sender. */
    bool HasNoQueue() const
    {
        return std::all_of(hops.begin(), hops.end(), [this](const Hop& hop) {
            return hop.fullNs <= spacingNs;
        });
    }

    uint64_t nPackets;     //!< packets of the flow
    bool isReference;      //!< whole nanoseconds (time_grain_ns 1)
    double spacingNs;      //!< distance of packets at the largest rate
    std::vector<Hop> hops; //!< by link
};

/// The sender of a flow alone on its path, with its congestion control.
class LoneSender
{
  public:
    /**
     * @param path times of its packets
     * @param network the configuration of its NIC
     * @param wire packet sizes
     * @param maxRateBps its largest rate
     * @param rttNs round-trip time of the empty path
     */
    LoneSender(const LonePath& path,
               const DcnNetworkParameters& network,
               const DcnCongestionControl::WireFormat& wire,
               uint64_t maxRateBps,
               int64_t rttNs)
        : m_path(path),
          m_network(network),
          m_wire(wire),
          m_maxRateBps(maxRateBps),
          m_fullBytes(network.payloadBytes + wire.dataHeaderBytes),
          m_cc(DcnCongestionControl::Create(network, maxRateBps, rttNs)),
          m_freeNs(path.hops.size(), 0),
          m_backFreeNs(path.hops.size(), 0),
          m_marks(path.hops.size(), 0)
    {
        FollowRate();
    }

    /** @return completion time of the flow [ns]. */
    double Run()
    {
        uint64_t check = DcnIdleTime::STRETCH;
        double checkedNs = 0; // when the packet of the last check was sent
        double stretchNs = 0; // per packet in the stretch before it
        while (m_sent < m_path.nPackets)
        {
            const double sendNs = m_sent - m_acknowledged < m_windowPackets
                                      ? std::max({m_nowNs, m_nextSendNs, m_freeNs[0]})
                                      : NEVER_NS;
            const double ackNs = m_flight.empty() ? NEVER_NS : m_flight[ACK];
            const int64_t timer = m_cc->GetNextTimerNs();
            const double timerNs = timer == DcnCongestionControl::NEVER
                                       ? NEVER_NS
                                       : static_cast<double>(timer);
            if (timerNs <= std::min(sendNs, ackNs))
            {
                m_nowNs = std::max(m_nowNs, timerNs);
                m_cc->OnTimer(timer);
                FollowRate();
                continue;
            }
            if (ackNs <= sendNs)
            {
                m_nowNs = ackNs;
                Acknowledge();
                continue;
            }
            m_nowNs = sendNs;
            Send();
            if (m_sent == check && m_sent < m_path.nPackets)
            {
                const double perPacketNs =
                    (m_nowNs - checkedNs) / static_cast<double>(m_sent - m_checked);
                if (std::abs(perPacketNs - stretchNs) <= DcnIdleTime::STEADY * perPacketNs)
                {
                    return m_endNs +
                           static_cast<double>(m_path.nPackets - m_sent) * perPacketNs;
                }
                stretchNs = perPacketNs;
                checkedNs = m_nowNs;
                m_checked = m_sent;
                check *= 2;
            }
        }
        return m_endNs;
    }

  private:
    /// Numbers of a packet in m_flight, before the arrivals and departures at the switches.
    enum Place : std::size_t
    {
        SENT, //!< when its transmission began [ns]
        ACK,  //!< when its acknowledgement arrives [ns]
        HOPS, //!< arrival and begin of the transmission at the switch of each further link [ns]
    };

    /// Returns the distance of packets at a rate [ns].
    double GetPaceNs(uint64_t rateBps) const
    {
        return GetTimeNs(m_fullBytes, rateBps, m_path.isReference);
    }

    /// Takes over the rate of the congestion control.
    void FollowRate()
    {
        const uint64_t rateBps = m_cc->GetRate();
        if (rateBps == m_rateBps)
        {
            return;
        }
        if (m_sent > 0 && m_cc->RepacesPendingPacket())
        {
            m_nextSendNs += GetPaceNs(rateBps) - GetPaceNs(m_rateBps);
        }
        m_rateBps = rateBps;
        const uint64_t window = m_cc->GetWindowBytes();
        m_windowPackets =
            window ? DcnPackets(std::max<uint64_t>(1, DcnMulDiv(window, rateBps, m_maxRateBps)),
                                m_network.payloadBytes)
                   : std::numeric_limits<uint64_t>::max();
    }

    /// Sends a packet now, and lets it and its acknowledgement pass all links.
    void Send()
    {
        const bool isLast = ++m_sent == m_path.nPackets;
        m_flight.push_back(m_nowNs);
        m_flight.push_back(0);
        const std::size_t ack = m_flight.size() - 1;
        double nowNs = m_nowNs;
        for (std::size_t l = 0; l < m_path.hops.size(); ++l)
        {
            const LonePath::Hop& hop = m_path.hops[l];
            const double beginNs = std::max(nowNs, m_freeNs[l]);
            if (l > 0)
            {
                m_flight.push_back(nowNs);
                m_flight.push_back(beginNs);
            }
            m_freeNs[l] = beginNs + (isLast ? hop.lastNs : hop.fullNs);
            nowNs = m_freeNs[l] + hop.delayNs;
        }
        m_endNs = nowNs;
        for (std::size_t l = m_path.hops.size(); l > 0; --l)
        {
            const LonePath::Hop& hop = m_path.hops[l - 1];
            m_backFreeNs[l - 1] = std::max(nowNs, m_backFreeNs[l - 1]) + hop.ackNs;
            nowNs = m_backFreeNs[l - 1] + hop.backNs;
        }
        m_flight[ack] = nowNs;
        m_nextSendNs = m_nowNs + GetPaceNs(m_rateBps);
    }

    /// Returns the wire bytes that the oldest packet in flight leaves behind in the queue of a link.
    uint64_t GetQueueBytes(std::size_t link) const
    {
        const std::size_t arrival = HOPS + 2 * (link - 1);
        const std::size_t stride = HOPS + 2 * (m_path.hops.size() - 1);
        // packets that come in the same sixteenth of a nanosecond come first, as in the engine
        const double leftNs = std::ceil(16 * (m_flight[arrival + 1] - ROUNDING_NS)) / 16;
        uint64_t n = 0;
        while ((n + 1) * stride < m_flight.size() && m_flight[(n + 1) * stride + arrival] <= leftNs)
        {
            ++n;
        }
        return n * m_fullBytes;
    }

    /// Returns whether the switch before a link marks the oldest packet in flight.
    bool IsMarked(std::size_t link, uint64_t queueBytes)
    {
        const double scale = static_cast<double>(m_path.hops[link].rateBps) /
                             static_cast<double>(m_network.ecnReferenceRate.GetBitRate());
        const double kmin = static_cast<double>(m_network.ecnKminBytes) * scale;
        const double kmax = static_cast<double>(m_network.ecnKmaxBytes) * scale;
        const auto queue = static_cast<double>(queueBytes);
        if (queue <= kmin || queue > kmax)
        {
            return queue > kmin;
        }
        m_marks[link] += m_network.ecnPmax * (queue - kmin) / (kmax - kmin);
        if (m_marks[link] < 1)
        {
            return false;
        }
        m_marks[link] -= 1;
        return true;
    }

    /// Receives the acknowledgement of the oldest packet in flight.
    void Acknowledge()
    {
        static constexpr uint64_t TX_UNIT_BYTES = 128; // of the wire format, as in the engine
        static constexpr uint64_t QUEUE_UNIT_BYTES = 80;
        const uint64_t txBytes = m_acknowledged * m_fullBytes;
        bool isMarked = false;
        m_telemetry.nHops = 0;
        for (std::size_t l = 1; l < m_path.hops.size(); ++l)
        {
            const uint64_t queueBytes = GetQueueBytes(l);
            isMarked = IsMarked(l, queueBytes) || isMarked;
            if (m_telemetry.nHops < DcnTelemetry::MAX_HOPS)
            {
                const double leftNs = m_flight[HOPS + 2 * (l - 1) + 1];
                m_telemetry.hops[m_telemetry.nHops++] = {
                    static_cast<uint64_t>(leftNs * static_cast<double>(DCN_TICKS_PER_NS)),
                    txBytes - txBytes % TX_UNIT_BYTES,
                    queueBytes - queueBytes % QUEUE_UNIT_BYTES,
                    m_path.hops[l].rateBps};
            }
        }
        const double exactSentNs = m_flight[SENT];
        const auto sentNs = static_cast<int64_t>(exactSentNs);
        const auto nowNs = static_cast<int64_t>(m_nowNs);
        const std::size_t stride = HOPS + 2 * (m_path.hops.size() - 1);
        m_flight.erase(m_flight.begin(), m_flight.begin() + static_cast<std::ptrdiff_t>(stride));
        ++m_acknowledged;
        // the flow is over when its last packet is sent: those before it are full
        m_cc->OnAck({nowNs,
                     m_acknowledged * m_network.payloadBytes,
                     m_sent * m_network.payloadBytes,
                     isMarked,
                     sentNs,
                     m_wire.telemetry ? &m_telemetry : nullptr,
                     m_nowNs - exactSentNs - static_cast<double>(nowNs - sentNs)});
        FollowRate();
    }

    const LonePath& m_path;                              //!< times of packets
    const DcnNetworkParameters& m_network;               //!< the configuration
    const DcnCongestionControl::WireFormat& m_wire;      //!< packet sizes
    const uint64_t m_maxRateBps;                         //!< largest rate
    const uint64_t m_fullBytes;                          //!< full data packet on the wire
    const std::unique_ptr<DcnCongestionControl> m_cc;    //!< the state machine
    std::vector<double> m_freeNs;                        //!< by link: end of its last packet
    std::vector<double> m_backFreeNs;                    //!< by link: of the other direction
    std::vector<double> m_marks;                         //!< by link: expected marks not made yet
    std::deque<double> m_flight;                         //!< of packets in flight: see Place
    DcnTelemetry m_telemetry;                            //!< of the last acknowledgement
    uint64_t m_rateBps{0};                               //!< rate
    uint64_t m_windowPackets{0};                         //!< packets that may be in flight
    uint64_t m_sent{0};                                  //!< packets sent
    uint64_t m_acknowledged{0};                          //!< packets acknowledged
    uint64_t m_checked{0};                               //!< m_sent at the last check
    double m_nowNs{0};                                   //!< present time
    double m_nextSendNs{0};                              //!< next packet by pacing
    double m_endNs{0};                                   //!< arrival of the latest packet
};

/**
 * @brief Find flows that meet others.
 * @param scenario the flows
 * @param busyNs by flow: time for which it is under way; below 0: for ever
 * @return by flow: 1 if it meets another one
 */
std::vector<char>
FindMeetings(const DcnScenario& scenario, const std::vector<int64_t>& busyNs)
{
    const auto& flows = scenario.GetFlows();
    /// A link, both directions.
    struct Cable
    {
        int64_t untilNs{-1}; //!< latest end of a flow so far
        std::size_t flow{0}; //!< the flow that ends then
    };

    std::vector<Cable> cables((scenario.GetTopology().GetNLinks() + 1) / 2);
    std::vector<char> meets(flows.size(), 0);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const int64_t endNs = busyNs[i] < 0 ? std::numeric_limits<int64_t>::max()
                                            : flows[i].startNs + busyNs[i];
        for (const uint32_t link : scenario.GetPath(i))
        {
            Cable& cable = cables[link / 2];
            if (flows[i].startNs < cable.untilNs)
            {
                // Others that are still under way there have met this one already.
                meets[i] = 1;
                meets[cable.flow] = 1;
            }
            if (endNs > cable.untilNs)
            {
                cable = {endNs, i};
            }
        }
    }
    return meets;
}

} // namespace

DcnIdleTime::DcnIdleTime(const DcnTopology& topology, const DcnNetworkParameters& network)
    : m_topology(topology),
      m_network(network),
      m_withHeaders(network)
{
    m_withHeaders.headerBytes = DcnCongestionControl::GetWireFormat(network).dataHeaderBytes;
}

bool
DcnIdleTime::Applies(const DcnNetworkParameters& network)
{
    return network.initialWindowBytes == 0 && network.handshakeRtts == 0 &&
           !network.HasManyPaths();
}

int64_t
DcnIdleTime::GetNs(DcnPath path, uint64_t sizeBytes) const
{
    const int64_t idealNs =
        DcnComputeIdealFct(m_topology, path, sizeBytes, m_network).GetTotalNs();
    const uint64_t nicBps = m_topology.GetLink(path[0]).rateBps;
    const uint64_t limitBps = m_network.maxRate.GetBitRate();
    const uint64_t maxRateBps = limitBps ? std::min(limitBps, nicBps) : nicBps;
    std::optional<DcnNetworkParameters> ofNic;
    if (m_network.referenceRate.GetBitRate() > 0)
    {
        ofNic = m_network.ForNic(nicBps);
    }
    const DcnNetworkParameters& network = ofNic ? *ofNic : m_network;
    const auto& traits = DcnCongestionControl::GetTraits(network);
    const auto& wire = traits.wireFormat;
    const LonePath own(m_topology, path, sizeBytes, network, wire, maxRateBps);
    const double rttNs = own.GetRttNs();
    const int64_t baseRttNs = DcnBaseRttNs(m_topology,
                                           path,
                                           network.payloadBytes + wire.dataHeaderBytes,
                                           wire.ackBytes);
    const uint64_t window = network.GetWindowBytes(maxRateBps, baseRttNs);
    // a control without a window of the configuration may have its own, of which only it knows
    const double inFlight = window ? static_cast<double>(DcnPackets(window, network.payloadBytes))
                            : traits.hasOwnWindow ? 1
                                                  : NEVER_NS;
    const auto nPackets = static_cast<double>(own.nPackets);
    const bool isBurst = nPackets <= inFlight && (nPackets - 1) * own.spacingNs < rttNs;
    const bool isUndisturbed = rttNs / own.spacingNs + 1 <= inFlight && own.HasNoQueue() &&
                               traits.undisturbedRttNs &&
                               rttNs < static_cast<double>(traits.undisturbedRttNs(network));
    if (isBurst || isUndisturbed)
    {
        return std::max(
            idealNs,
            DcnComputeIdealFct(m_topology, path, sizeBytes, m_withHeaders).GetTotalNs());
    }
    const double aloneNs = LoneSender(own, network, wire, maxRateBps, baseRttNs).Run();
    return std::max(idealNs, static_cast<int64_t>(std::ceil(aloneNs)));
}

std::vector<int64_t>
DcnIdleTime::Find(const DcnScenario& scenario, const std::vector<int64_t>& fctNs)
{
    const auto& flows = scenario.GetFlows();
    std::vector<int64_t> idleNs(flows.size(), 0);
    if (!Applies(scenario.GetNetwork()))
    {
        return idleNs;
    }
    std::vector<int64_t> busyNs(fctNs);
    for (int64_t& busy : busyNs)
    {
        busy *= busy < 0 ? 1 : GUARD;
    }
    const DcnIdleTime idle(scenario.GetTopology(), scenario.GetNetwork());
    std::vector<char> meets = FindMeetings(scenario, busyNs);
    bool isLonger = false; // some idle time is beyond the guard
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        if (!meets[i])
        {
            idleNs[i] = idle.GetNs(scenario.GetPath(i), flows[i].sizeBytes);
            isLonger = isLonger || idleNs[i] > busyNs[i];
            busyNs[i] = std::max(busyNs[i], idleNs[i]);
        }
    }
    if (isLonger)
    {
        meets = FindMeetings(scenario, busyNs);
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            idleNs[i] = meets[i] ? 0 : idleNs[i];
        }
    }
    return idleNs;
}

uint64_t
DcnIdleTime::Answer(const DcnScenario& scenario, std::vector<int64_t>& fctNs)
{
    const std::vector<int64_t> idleNs = Find(scenario, fctNs);
    uint64_t nAlone = 0;
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        if (idleNs[i] > 0)
        {
            fctNs[i] = idleNs[i];
            ++nAlone;
        }
    }
    NS_LOG_INFO(nAlone << " of " << fctNs.size() << " flows meet no other");
    return nAlone;
}

} // namespace ns3
