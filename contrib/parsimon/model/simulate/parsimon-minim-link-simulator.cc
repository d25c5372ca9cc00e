/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-minim-link-simulator.h"

#include "../topology/parsimon-link-scenario.h"
#include "parsimon-lean-events.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace ns3
{

namespace
{

const ParsimonLinkSimulator::Registration g_minim( //!< at start-up
    "minim",
    [](const DcnNetworkParameters& network, uint64_t) {
        return std::make_unique<ParsimonMinimLinkSimulator>(network);
    });

/**
 * @param bytes frame length
 * @param rateBps rate [bit/s]
 * @return round(8e9 bytes / rate) [ns]
 */
int64_t
RoundedTxNs(uint64_t bytes, double rateBps)
{
    return static_cast<int64_t>(std::llround(static_cast<double>(bytes) * 8e9 / rateBps));
}

/// Rates and delays of a target as used by the published simulator.
struct View
{
    /**
     * @param target the topology
     */
    explicit View(const ParsimonLink& target)
        : link(target),
          isFirstHop(target.position == ParsimonPosition::FIRST_HOP),
          rateBps(isFirstHop ? 100.0 * static_cast<double>(target.capacityBps)
                             : static_cast<double>(target.availableBps))
    {
    }

    /**
     * @param flow a flow
     * @return rate of its source [bit/s]
     */
    double SourceBps(const ParsimonLinkFlow& flow) const
    {
        return static_cast<double>(link.GetNicRate(flow));
    }

    /**
     * @param flow a flow
     * @return delay from its source to the target [ns]
     */
    int64_t SourceNs(const ParsimonLinkFlow& flow) const
    {
        return link.sources[flow.source].delayNs;
    }

    /**
     * @param flow a flow
     * @return delay from the start of the target to its destination [ns]
     */
    int64_t BehindNs(const ParsimonLinkFlow& flow) const
    {
        return link.delayNs + link.destinations[flow.destination].delayNs;
    }

    const ParsimonLink& link; //!< the topology
    bool isFirstHop;          //!< its position
    double rateBps;           //!< B
};

/// One run.
class MinimRun
{
  public:
    MinimRun(const ParsimonLink& link,
             const DcnNetworkParameters& network,
             ParsimonMinimLinkSimulator::Counts& counts)
        : m_view(link),
          m_network(network),
          m_counts(counts),
          m_kBytes(ParsimonTargetMarking(link, network).kminBytes),
          m_minRate(static_cast<double>(network.minRate.GetBitRate())),
          m_gain(network.GetOwn("dctcp_g")),
          m_stepBps(network.GetOwn("dctcp_additive_increase_bps")),
          m_nicOf(link.NumberNics()),
          m_flows(link.flows.size()),
          m_fctNs(link.flows.size(), -1)
    {
        m_nics.resize(m_nicOf.empty() ? 0 : 1 + *std::max_element(m_nicOf.begin(), m_nicOf.end()));
    }

    std::vector<int64_t> Simulate()
    {
        const auto& flows = m_view.link.flows;
        uint32_t next = 0;
        for (;;)
        {
            const int64_t eventNs = m_events.PeekTimeNs();
            if (next < flows.size() && flows[next].startNs <= eventNs)
            {
                m_nowNs = flows[next].startNs;
                m_events.Advance(m_nowNs);
                Start(next++);
                continue;
            }
            if (eventNs == NEVER)
            {
                return std::move(m_fctNs);
            }
            const ParsimonLeanEvent event = m_events.Pop();
            m_nowNs = event.timeNs;
            const uint32_t number = event.payload & ~KIND_MASK;
            switch (event.payload & KIND_MASK)
            {
            case TRY:
                if (m_nics[number].wakeNs == event.timeNs)
                {
                    TrySend(number, event.timeNs);
                }
                break;
            case RECEIVE:
                Receive(number, event.timeNs);
                break;
            case STEP:
                Step(event.timeNs);
                break;
            default:
                Acknowledge(number, event.timeNs);
                break;
            }
        }
    }

  private:
    static constexpr int64_t NEVER = ParsimonLeanEvents::NEVER;
    static constexpr uint32_t KIND_MASK = 0xc0000000; //!< kind of an event
    static constexpr uint32_t TRY = 0x00000000;       //!< a NIC may send
    static constexpr uint32_t RECEIVE = 0x40000000;   //!< packet comes to the target
    static constexpr uint32_t STEP = 0x80000000;      //!< target is free
    static constexpr uint32_t ACK = 0xc0000000;       //!< acknowledgement comes to the source

    /// A flow at its source.
    struct Flow
    {
        double maxRate{0};     //!< R_s [bit/s]
        double rate{0};        //!< rate [bit/s]
        int64_t nextSendNs{0}; //!< pacing [ns]
        uint64_t sndNxt{0};    //!< next byte to send
        uint64_t sndUna{0};    //!< first byte not acknowledged
        double alpha{1};       //!< average of the marked fraction
        uint64_t batchEnd{0};  //!< the batch ends when this byte is acknowledged; 0: none yet
        uint64_t batchSize{0}; //!< packets of the batch
        uint64_t marked{0};    //!< marked packets of the batch
        bool hasCut{false};    //!< the rate was cut; bytes in flight at the cut are unacknowledged
        uint64_t cutEnd{0};    //!< next byte to send at the time of the cut
    };

    /// A NIC and its flows.
    struct Nic
    {
        std::vector<uint32_t> flows; //!< in the order of arrival
        std::size_t turn{0};         //!< whose turn it is
        int64_t freeNs{0};           //!< end of the present transmission [ns]
        int64_t wakeNs{NEVER};       //!< next attempt to send [ns]
    };

    /// A packet on its way or its acknowledgement.
    struct Packet
    {
        uint32_t flow;    //!< position in the link's flows
        uint32_t payload; //!< bytes
        bool isLast;      //!< it ends its flow
        bool marked;      //!< it carries a mark
    };

    const ParsimonLinkFlow& Spec(uint32_t flow) const
    {
        return m_view.link.flows[flow];
    }

    Nic& NicOf(uint32_t flow)
    {
        return m_nics[m_nicOf[Spec(flow).source]];
    }

    void WakeAt(uint32_t nic, int64_t timeNs)
    {
        m_nics[nic].wakeNs = timeNs;
        m_events.Push({timeNs, m_nowNs, nic | TRY});
    }

    uint64_t Usable(const Flow& flow) const
    {
        const auto window = static_cast<uint64_t>(
            std::llround(static_cast<double>(m_network.windowBytes) * flow.rate / flow.maxRate));
        const uint64_t out = flow.sndNxt - flow.sndUna;
        return window > out ? window - out : 0;
    }

    void Start(uint32_t index)
    {
        const ParsimonLinkFlow& spec = Spec(index);
        Flow& flow = m_flows[index];
        flow.maxRate = m_view.SourceBps(spec);
        flow.rate = flow.maxRate;
        flow.nextSendNs = spec.startNs;
        const uint32_t nic = m_nicOf[spec.source];
        m_nics[nic].flows.push_back(index);
        if (m_nics[nic].freeNs <= spec.startNs)
        {
            TrySend(nic, spec.startNs);
        }
    }

    void TrySend(uint32_t index, int64_t nowNs)
    {
        Nic& nic = m_nics[index];
        nic.wakeNs = NEVER;
        if (nowNs < nic.freeNs)
        {
            WakeAt(index, nic.freeNs);
            return;
        }
        const std::size_t n = nic.flows.size();
        int64_t nextNs = NEVER;
        for (std::size_t tried = 0; tried < n; ++tried)
        {
            const std::size_t place = (nic.turn + tried) % n;
            Flow& flow = m_flows[nic.flows[place]];
            const uint64_t usable = Usable(flow);
            if (usable == 0)
            {
                continue;
            }
            if (flow.nextSendNs > nowNs)
            {
                nextNs = std::min(nextNs, flow.nextSendNs);
                continue;
            }
            const uint32_t number = nic.flows[place];
            nic.turn = place + 1;
            if (Send(number, usable, nowNs))
            {
                nic.flows.erase(nic.flows.begin() + static_cast<std::ptrdiff_t>(place));
            }
            WakeAt(index, nic.freeNs);
            return;
        }
        if (nextNs != NEVER)
        {
            WakeAt(index, nextNs);
        }
    }

    /// Sends a packet; returns true if it is the flow's last.
    bool Send(uint32_t number, uint64_t usable, int64_t nowNs)
    {
        const ParsimonLinkFlow& spec = Spec(number);
        Flow& flow = m_flows[number];
        const auto payload = static_cast<uint32_t>(
            std::min<uint64_t>({spec.sizeBytes - flow.sndNxt, m_network.payloadBytes, usable}));
        const uint32_t wire = payload + DCN_HEADER_BYTES;
        const int64_t txNs = RoundedTxNs(wire, flow.maxRate);
        flow.sndNxt += payload;
        flow.nextSendNs = nowNs + RoundedTxNs(wire, flow.rate);
        NicOf(number).freeNs = nowNs + txNs;
        const bool isLast = flow.sndNxt == spec.sizeBytes;
        uint32_t packet = static_cast<uint32_t>(m_packets.size());
        if (m_freePackets.empty())
        {
            m_packets.emplace_back();
        }
        else
        {
            packet = m_freePackets.back();
            m_freePackets.pop_back();
        }
        m_packets[packet] = {number, payload, isLast, false};
        ++m_counts.packets;
        m_events.Push({nowNs + txNs + m_view.SourceNs(spec), nowNs, packet | RECEIVE});
        return isLast;
    }

    void Receive(uint32_t packet, int64_t nowNs)
    {
        const uint32_t wire = m_packets[packet].payload + DCN_HEADER_BYTES;
        m_queue.push_back(packet);
        m_queueBytes += wire;
        if (!m_busy)
        {
            Step(nowNs);
        }
        m_counts.maxQueueBytes = std::max(m_counts.maxQueueBytes, m_queueBytes);
    }

    void Step(int64_t nowNs)
    {
        m_busy = !m_queue.empty();
        if (!m_busy)
        {
            return;
        }
        const uint32_t packet = m_queue.front();
        m_queue.pop_front();
        const uint32_t wire = m_packets[packet].payload + DCN_HEADER_BYTES;
        m_queueBytes -= wire;
        if (m_queueBytes > m_kBytes)
        {
            m_packets[packet].marked = true;
            ++m_counts.marked;
        }
        const int64_t leftNs = nowNs + RoundedTxNs(wire, m_view.rateBps);
        m_events.Push({leftNs, nowNs, STEP});
        Leave(packet, leftNs);
    }

    void Leave(uint32_t packet, int64_t leftNs)
    {
        const ParsimonLinkFlow& spec = Spec(m_packets[packet].flow);
        const int64_t deliveredNs = leftNs + m_view.BehindNs(spec);
        if (m_packets[packet].isLast)
        {
            m_fctNs[m_packets[packet].flow] = deliveredNs - spec.startNs;
        }
        m_events.Push({deliveredNs + m_view.SourceNs(spec) + m_view.BehindNs(spec),
                       m_nowNs,
                       packet | ACK});
    }

    void Acknowledge(uint32_t number, int64_t nowNs)
    {
        const Packet packet = m_packets[number];
        m_freePackets.push_back(number);
        const ParsimonLinkFlow& spec = Spec(packet.flow);
        Flow& flow = m_flows[packet.flow];
        if (flow.sndNxt == spec.sizeBytes)
        {
            return; // the flow has ended
        }
        UpdateRate(flow, packet);
        const uint32_t nic = m_nicOf[spec.source];
        const int64_t earliestNs = std::max({flow.nextSendNs, nowNs, m_nics[nic].freeNs});
        if (Usable(flow) > 0 && earliestNs < m_nics[nic].wakeNs)
        {
            WakeAt(nic, earliestNs);
        }
    }

    void UpdateRate(Flow& flow, const Packet& packet) const
    {
        flow.sndUna += packet.payload;
        flow.marked += packet.marked ? 1 : 0;
        const bool batchEnds = flow.sndUna > flow.batchEnd;
        if (batchEnds)
        {
            const uint32_t payload = m_network.payloadBytes;
            if (flow.batchEnd == 0)
            {
                flow.batchSize = flow.sndNxt / payload + 1;
            }
            else
            {
                const double fraction = std::min(1.0,
                                                 static_cast<double>(flow.marked) /
                                                     static_cast<double>(flow.batchSize));
                flow.alpha = (1 - m_gain) * flow.alpha + m_gain * fraction;
                flow.marked = 0;
                flow.batchSize = (flow.sndNxt - flow.sndUna) / payload + 1;
            }
            flow.batchEnd = flow.sndNxt;
        }
        if (flow.hasCut && flow.sndUna > flow.cutEnd)
        {
            flow.hasCut = false;
        }
        if (flow.hasCut)
        {
            return;
        }
        if (packet.marked)
        {
            flow.rate = std::max(m_minRate, std::round(flow.rate * (1 - flow.alpha / 2)));
            flow.hasCut = true;
            flow.cutEnd = flow.sndNxt;
        }
        if (batchEnds)
        {
            flow.rate = std::min(flow.maxRate, flow.rate + m_stepBps);
        }
    }

    const View m_view;                            //!< rates and delays
    const DcnNetworkParameters& m_network;        //!< the configuration
    ParsimonMinimLinkSimulator::Counts& m_counts; //!< counts of the run
    const uint64_t m_kBytes;                      //!< K
    const double m_minRate;                       //!< floor of the rate [bit/s]
    const double m_gain;                          //!< gain of alpha
    const double m_stepBps;                       //!< additive increase [bit/s]
    const std::vector<uint32_t> m_nicOf;          //!< by ParsimonLink::sources
    std::vector<Nic> m_nics;                      //!< by ParsimonLink::NumberNics
    std::vector<Flow> m_flows;                    //!< by position
    std::vector<Packet> m_packets;                //!< packets
    std::vector<uint32_t> m_freePackets;          //!< places not in use
    std::deque<uint32_t> m_queue;                 //!< packets at the target
    uint64_t m_queueBytes{0};                     //!< their bytes
    bool m_busy{false};                           //!< the target transmits
    ParsimonLeanEvents m_events;                  //!< pending events
    int64_t m_nowNs{0};                           //!< present time [ns]
    std::vector<int64_t> m_fctNs;                 //!< result
};

} // namespace

ParsimonMinimLinkSimulator::ParsimonMinimLinkSimulator(const DcnNetworkParameters& network)
    : m_network(network)
{
    if (network.congestionControl != "dctcp")
    {
        DcnFail("the link simulator \"minim\" has dctcp only, not ", network.congestionControl);
    }
    if (network.windowBytes == 0)
    {
        DcnFail("the link simulator \"minim\" needs a window, but window_bytes is 0");
    }
    if (network.ecnKminBytes != network.ecnKmaxBytes)
    {
        DcnFail("the link simulator \"minim\" has one marking threshold, but ecn_kmin_bytes is ",
                network.ecnKminBytes,
                " and ecn_kmax_bytes ",
                network.ecnKmaxBytes);
    }
}

std::vector<int64_t>
ParsimonMinimLinkSimulator::Run(const ParsimonLink& link, Counts& counts) const
{
    return MinimRun(link, m_network, counts).Simulate();
}

ParsimonLinkResult
ParsimonMinimLinkSimulator::Simulate(const ParsimonLink& link) const
{
    ParsimonLinkResult result;
    Counts counts;
    result.fctNs = Run(link, counts);
    const View view(link);
    for (const ParsimonLinkFlow& flow : link.flows)
    {
        const double sourceBps = view.SourceBps(flow);
        const double slowest = std::min(sourceBps, view.rateBps);
        const uint64_t payload = m_network.payloadBytes;
        const uint64_t head = std::min(payload, flow.sizeBytes);
        const uint64_t rest = flow.sizeBytes - head;
        int64_t idealNs = RoundedTxNs(head + DCN_HEADER_BYTES, sourceBps) +
                          RoundedTxNs(head + DCN_HEADER_BYTES, view.rateBps) +
                          static_cast<int64_t>(rest / payload) *
                              RoundedTxNs(payload + DCN_HEADER_BYTES, slowest) +
                          view.SourceNs(flow) + view.BehindNs(flow);
        if (rest % payload > 0)
        {
            idealNs += RoundedTxNs(rest % payload + DCN_HEADER_BYTES, slowest);
        }
        result.idealNs.push_back(idealNs);
    }
    return result;
}

bool
ParsimonMinimLinkSimulator::IsThreadSafe() const
{
    return true;
}

std::string
ParsimonMinimLinkSimulator::GetVersion() const
{
    return "minim-2"; // 2: results have the largest queue
}

} // namespace ns3
