/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-exact.h"

#include <algorithm>
#include <queue>
#include <vector>

namespace ns3
{

namespace
{

/// Arrival of a packet; events of equal time are in the order of their creation.
struct Event
{
    int64_t timeNs;  //!< time [ns]
    uint32_t number; //!< counts events; wraps around, but pending ones are close together
    uint32_t packet; //!< the packet that arrives
};

/// Order of a priority queue: whether an event comes after another.
struct IsLater
{
    bool operator()(const Event& a, const Event& b) const
    {
        return a.timeNs != b.timeNs ? a.timeNs > b.timeNs
                                    : static_cast<int32_t>(a.number - b.number) > 0;
    }
};

/// A packet on its way.
struct Packet
{
    int64_t sentNs;   //!< time at which the data packet was sent
    int64_t echoedNs; //!< time at which the acknowledgement was sent
    uint32_t hop;     //!< position of its next hop among all hops
    uint32_t endHop;  //!< one past its last hop
    uint32_t flow;    //!< the flow
    uint32_t ack;     //!< stream of its acknowledgement
    uint32_t bytes;   //!< size on the wire
    bool isAck;       //!< acknowledgement or data
};

/// A FIFO queue with its server.
struct Queue
{
    int64_t freeNs{0};           //!< end of the transmission of all packets so far
    double nsPerByte{0};         //!< of the link
    int64_t delayNs{0};          //!< propagation delay of the link
    std::vector<int64_t> starts; //!< starts of transmission of the latest `buffer` packets, a ring
    uint32_t next{0};            //!< place of the next packet in the ring
};

/// The simulation.
class ExactSimulation
{
  public:
    explicit ExactSimulation(const MqlTruthTraffic& traffic)
        : m_traffic(traffic),
          m_links(traffic.GetHopLinks()),
          m_source(traffic),
          m_recorder(traffic),
          m_queues(traffic.GetTopology()->GetNLinks())
    {
        for (uint32_t i = 0; i < m_queues.size(); ++i)
        {
            const auto& link = traffic.GetTopology()->GetLink(i);
            m_queues[i].nsPerByte = 8e9 / static_cast<double>(link.rateBps);
            m_queues[i].delayNs = link.delayNs;
            m_queues[i].starts.assign(traffic.GetConfig().GetWhole("buffer"), 0);
        }
    }

    MqlTruthResult Run()
    {
        for (uint32_t flow = 0; flow < m_traffic.GetFlows().size(); ++flow)
        {
            if (m_source.Next(flow))
            {
                m_active.push_back(flow);
            }
        }
        // Packets are drawn for some time ahead, flow by flow, and sorted, so that the heap only
        // contains packets in flight.
        for (int64_t upTo = 0; !m_active.empty() && upTo < m_recorder.GetEndNs();)
        {
            upTo = std::min(upTo + AHEAD_NS, m_recorder.GetEndNs());
            Draw(upTo);
            for (const auto& birth : m_born)
            {
                while (!m_events.empty() && m_events.top().timeNs < birth.birth.timeNs)
                {
                    Arrive();
                }
                Send(birth);
            }
        }
        while (!m_events.empty())
        {
            Arrive();
        }
        return m_recorder.Finish();
    }

  private:
    static constexpr int64_t AHEAD_NS = 50'000'000; //!< time for which packets are drawn ahead [ns]

    /// A packet to come.
    struct Born
    {
        MqlPacketBirth birth; //!< time, size and streams
        uint32_t flow;        //!< the flow
    };

    /// Draws the packets that are sent before a time.
    void Draw(int64_t upTo)
    {
        m_born.clear();
        std::size_t kept = 0;
        for (const uint32_t flow : m_active)
        {
            bool more = true;
            while (more && m_source.Get(flow).timeNs < upTo)
            {
                m_born.push_back({m_source.Get(flow), flow});
                more = m_source.Next(flow);
            }
            if (more)
            {
                m_active[kept++] = flow;
            }
        }
        m_active.resize(kept);
        std::stable_sort(m_born.begin(), m_born.end(), [](const Born& a, const Born& b) {
            return a.birth.timeNs < b.birth.timeNs;
        });
    }

    /// A host sends a data packet.
    void Send(const Born& born)
    {
        const auto& stream = m_traffic.GetStreams()[born.birth.stream];
        m_recorder.AddSent(born.flow, born.birth.timeNs);
        uint32_t place;
        if (m_freePackets.empty())
        {
            place = static_cast<uint32_t>(m_packets.size());
            m_packets.emplace_back();
        }
        else
        {
            place = m_freePackets.back();
            m_freePackets.pop_back();
        }
        m_packets[place] = {born.birth.timeNs,
                            0,
                            stream.firstHop,
                            stream.firstHop + stream.nHops,
                            born.flow,
                            born.birth.ack,
                            born.birth.bytes,
                            false};
        const int64_t next = Forward(m_packets[place], born.birth.timeNs);
        if (next < 0)
        {
            m_freePackets.push_back(place);
        }
        else
        {
            m_events.push({next, m_nEvents++, place});
        }
    }

    /// Handles the first event: the last bit of its packet has arrived at a node.
    void Arrive()
    {
        const Event event = m_events.top();
        m_events.pop();
        const uint32_t place = event.packet;
        Packet& packet = m_packets[place];
        if (packet.hop == packet.endHop)
        {
            if (packet.isAck)
            {
                m_recorder.AddAck(packet.flow, packet.sentNs, packet.echoedNs, event.timeNs);
                m_freePackets.push_back(place);
                return;
            }
            m_recorder.AddData(packet.flow, packet.sentNs, event.timeNs);
            if (m_traffic.GetAckBytes() == 0)
            {
                m_freePackets.push_back(place);
                return;
            }
            const auto& stream = m_traffic.GetStreams()[packet.ack];
            packet.isAck = true;
            packet.echoedNs = event.timeNs;
            packet.bytes = m_traffic.GetAckBytes();
            packet.hop = stream.firstHop;
            packet.endHop = stream.firstHop + stream.nHops;
        }
        const int64_t next = Forward(packet, event.timeNs);
        if (next < 0)
        {
            m_freePackets.push_back(place);
            return;
        }
        m_events.push({next, m_nEvents++, place});
    }

    /// Puts a packet into its next queue; returns when it leaves the link, -1 if it is dropped.
    int64_t Forward(Packet& packet, int64_t now)
    {
        const uint32_t hop = packet.hop++;
        Queue& queue = m_queues[m_links[hop]];
        // The ring's oldest packet is not in transmission yet: the buffer is full.
        if (queue.starts[queue.next] > now)
        {
            m_recorder.AddDrop(hop, now);
            return -1;
        }
        const int64_t start = std::max(now, queue.freeNs);
        queue.starts[queue.next] = start;
        queue.next = queue.next + 1 == queue.starts.size() ? 0 : queue.next + 1;
        // Rounded down to nanoseconds, as by DataRate::CalculateBytesTxTime.
        queue.freeNs = start + static_cast<int64_t>(packet.bytes * queue.nsPerByte + 1e-6);
        m_recorder.AddHop(hop, now, start - now, packet.bytes);
        if (packet.hop < packet.endHop)
        {
            m_recorder.Prefetch(packet.hop);
        }
        return queue.freeNs + queue.delayNs;
    }

    const MqlTruthTraffic& m_traffic;                                 //!< of the configuration
    const std::vector<uint32_t>& m_links;                             //!< by hop
    MqlPacketSource m_source;                                         //!< draws the packets
    MqlTruthRecorder m_recorder;                                      //!< measures
    std::priority_queue<Event, std::vector<Event>, IsLater> m_events; //!< arrivals to come
    uint32_t m_nEvents{0};                                            //!< number of the next event
    std::vector<Queue> m_queues;                                      //!< by directed link
    std::vector<Packet> m_packets;       //!< packets on their way, and free places
    std::vector<uint32_t> m_freePackets; //!< free places
    std::vector<uint32_t> m_active;      //!< flows that have packets to come
    std::vector<Born> m_born;            //!< packets to come, in order of time
};

} // namespace

MqlTruthResult
MqlSimulateExact(const MqlTruthTraffic& traffic, const MqlTruthWatch&)
{
    return ExactSimulation(traffic).Run();
}

static const MqlTruthEngine g_exact("exact", "udp", &MqlSimulateExact); //!< registers it

} // namespace ns3
