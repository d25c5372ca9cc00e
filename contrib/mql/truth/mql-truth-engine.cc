/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-engine.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/log.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <deque>
#include <iomanip>
#include <map>
#include <queue>
#include <sstream>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlTruthEngine");

namespace
{

/// What both engines do: hosts send packets and acknowledge them, nodes forward them.
class Simulation
{
  public:
    explicit Simulation(const MqlTruthTraffic& traffic)
        : m_traffic(traffic),
          m_source(traffic),
          m_recorder(traffic)
    {
    }

    virtual ~Simulation() = default;

    /// Simulates to the end of the last packet.
    virtual void Run() = 0;

    /// @return the measurements
    MqlTruthResult Finish()
    {
        return m_recorder.Finish();
    }

  protected:
    /// A packet on its way.
    struct PacketState
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

    /**
     * Puts a packet into the queue of its next hop.
     * @param place of the packet
     * @param nowNs present time [ns]
     * @return false if the queue is full
     */
    virtual bool Enqueue(uint32_t place, int64_t nowNs) = 0;

    /// A host sends a data packet of a flow.
    void Send(uint32_t flow, const MqlPacketBirth& birth)
    {
        m_recorder.AddSent(flow, birth.timeNs);
        if (m_free.empty())
        {
            m_free.push_back(static_cast<uint32_t>(m_packets.size()));
            m_packets.emplace_back();
        }
        const uint32_t place = m_free.back();
        m_free.pop_back();
        const auto& stream = m_traffic.GetStreams()[birth.stream];
        m_packets[place] = {birth.timeNs,
                            0,
                            stream.firstHop,
                            stream.firstHop + stream.nHops,
                            flow,
                            birth.ack,
                            birth.bytes,
                            false};
        Forward(place, birth.timeNs);
    }

    /// The last bit of a packet has arrived at a node.
    void Arrive(uint32_t place, int64_t nowNs)
    {
        PacketState& packet = m_packets[place];
        if (packet.hop == packet.endHop)
        {
            if (packet.isAck)
            {
                m_recorder.AddAck(packet.flow, packet.sentNs, packet.echoedNs, nowNs);
                m_free.push_back(place);
                return;
            }
            m_recorder.AddData(packet.flow, packet.sentNs, nowNs);
            if (m_traffic.GetAckBytes() == 0)
            {
                m_free.push_back(place);
                return;
            }
            const auto& stream = m_traffic.GetStreams()[packet.ack];
            packet.isAck = true;
            packet.echoedNs = nowNs;
            packet.bytes = m_traffic.GetAckBytes();
            packet.hop = stream.firstHop;
            packet.endHop = stream.firstHop + stream.nHops;
        }
        Forward(place, nowNs);
    }

    const MqlTruthTraffic& m_traffic;   //!< of the configuration
    MqlPacketSource m_source;           //!< draws the packets
    MqlTruthRecorder m_recorder;        //!< measures
    std::vector<PacketState> m_packets; //!< packets on their way, and free places

  private:
    void Forward(uint32_t place, int64_t nowNs)
    {
        if (!Enqueue(place, nowNs))
        {
            m_recorder.AddDrop(m_packets[place].hop, nowNs);
            m_free.push_back(place);
        }
    }

    std::vector<uint32_t> m_free; //!< free places
};

/// engine=exact
class ExactSimulation : public Simulation
{
  public:
    explicit ExactSimulation(const MqlTruthTraffic& traffic)
        : Simulation(traffic),
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

    void Run() override
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
            for (const auto& [flow, birth] : m_born)
            {
                ArriveUntil(birth.timeNs);
                Send(flow, birth);
            }
        }
        ArriveUntil(INT64_MAX);
    }

  private:
    static constexpr int64_t AHEAD_NS = 50'000'000; //!< time for which packets are drawn ahead [ns]

    /// Arrival of a packet; events of equal time are in the order of their creation.
    struct Event
    {
        int64_t timeNs;  //!< time [ns]
        uint32_t number; //!< counts events; wraps around, but pending ones are close together
        uint32_t place;  //!< of the packet that arrives

        /// Whether it comes after another.
        bool operator>(const Event& other) const
        {
            return timeNs != other.timeNs ? timeNs > other.timeNs
                                          : static_cast<int32_t>(number - other.number) > 0;
        }
    };

    /// A FIFO queue with its server.
    struct Queue
    {
        int64_t freeNs{0};           //!< end of the transmission of all packets so far
        double nsPerByte{0};         //!< of the link
        int64_t delayNs{0};          //!< propagation delay of the link
        std::vector<int64_t> starts; //!< starts of transmission of the latest `buffer` packets, a
                                     //!< ring
        uint32_t next{0};            //!< place of the next packet in the ring
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
                m_born.emplace_back(flow, m_source.Get(flow));
                more = m_source.Next(flow);
            }
            if (more)
            {
                m_active[kept++] = flow;
            }
        }
        m_active.resize(kept);
        std::stable_sort(m_born.begin(), m_born.end(), [](const auto& a, const auto& b) {
            return a.second.timeNs < b.second.timeNs;
        });
    }

    /// Handles the events before a time.
    void ArriveUntil(int64_t timeNs)
    {
        while (!m_events.empty() && m_events.top().timeNs < timeNs)
        {
            const Event event = m_events.top();
            m_events.pop();
            Arrive(event.place, event.timeNs);
        }
    }

    bool Enqueue(uint32_t place, int64_t nowNs) override
    {
        PacketState& packet = m_packets[place];
        Queue& queue = m_queues[m_traffic.GetHopLinks()[packet.hop]];
        int64_t& oldest = queue.starts[queue.next];
        // The ring's oldest packet is not in transmission yet: the buffer is full.
        if (oldest > nowNs)
        {
            return false;
        }
        const int64_t start = std::max(nowNs, queue.freeNs);
        oldest = start;
        queue.next = queue.next + 1 == queue.starts.size() ? 0 : queue.next + 1;
        // Rounded down to nanoseconds, as by DataRate::CalculateBytesTxTime.
        queue.freeNs = start + static_cast<int64_t>(packet.bytes * queue.nsPerByte + 1e-6);
        m_recorder.AddHop(packet.hop, nowNs, start - nowNs, packet.bytes);
        if (++packet.hop < packet.endHop)
        {
            m_recorder.Prefetch(packet.hop);
        }
        m_events.push({queue.freeNs + queue.delayNs, m_nEvents++, place});
        return true;
    }

    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events; //!< arrivals to come
    uint32_t m_nEvents{0};                                   //!< number of the next event
    std::vector<Queue> m_queues;                             //!< by directed link
    std::vector<uint32_t> m_active;                          //!< flows that have packets to come
    std::vector<std::pair<uint32_t, MqlPacketBirth>> m_born; //!< flow and packet, by time
};

/// engine=ns3
class NetworkSimulation : public Simulation
{
  public:
    NetworkSimulation(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch)
        : Simulation(traffic),
          m_watch(watch),
          m_links(traffic.GetTopology()->GetNLinks())
    {
        const auto& topology = *traffic.GetTopology();
        NodeContainer nodes(topology.GetNNodes());
        PointToPointHelper helper;
        helper.DisableFlowControl(); // there is no queue disc to stop
        helper.SetQueue("ns3::DropTailQueue<Packet>",
                        "MaxSize",
                        StringValue(traffic.GetConfig().Get("buffer") + "p"));
        std::map<std::string, uint32_t> named; // links by the name of their ends
        for (uint32_t link = 0; link < m_links.size(); ++link)
        {
            const auto& ends = topology.GetLink(link);
            if (link % 2 == 0)
            {
                helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(ends.rateBps)));
                helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(ends.delayNs)));
                const auto devices = helper.Install(nodes.Get(ends.from), nodes.Get(ends.to));
                m_links[link].device = DynamicCast<PointToPointNetDevice>(devices.Get(0));
                m_links[link + 1].device = DynamicCast<PointToPointNetDevice>(devices.Get(1));
            }
            Connect(link);
            const std::string name = topology.DescribeLink(link);
            const uint32_t number = ++named[name];
            if (watch.collector)
            {
                watch.collector->Watch(m_links[link].device,
                                       number == 1 ? name : name + "/" + std::to_string(number));
            }
        }
    }

    void Run() override
    {
        for (uint32_t flow = 0; flow < m_traffic.GetFlows().size(); ++flow)
        {
            Plan(flow, m_source.Next(flow));
        }
        Simulator::Run();
        if (m_watch.collector)
        {
            m_watch.collector->Write(m_watch.folder);
        }
        Simulator::Destroy();
    }

  private:
    static constexpr uint16_t IPV4_ETHERTYPE = 0x0800; //!< the device accepts IP packets only
    static constexpr uint32_t PPP_BYTES = 2;           //!< header bytes that it adds

    /// A directed link.
    struct Link
    {
        Ptr<PointToPointNetDevice> device;                //!< that sends on it
        std::deque<std::pair<uint32_t, int64_t>> waiting; //!< places and arrivals [ns] of packets
        std::deque<uint32_t> flying;                      //!< places of packets on the link
    };

    /// Connects the trace sources of a link's queue and the receiver at the link's end.
    void Connect(uint32_t number)
    {
        using Traced = Callback<void, Ptr<const Packet>>;
        Link* link = &m_links[number];
        const auto queue = link->device->GetQueue();
        queue->TraceConnectWithoutContext("Enqueue", Traced([this, link](Ptr<const Packet>) {
                                              link->waiting.emplace_back(m_place, Now());
                                          }));
        queue->TraceConnectWithoutContext("DropBeforeEnqueue", Traced([this](Ptr<const Packet>) {
                                              m_isDropped = true;
                                          }));
        queue->TraceConnectWithoutContext("Dequeue", Traced([this, link](Ptr<const Packet> packet) {
                                              const auto [place, arrivalNs] = link->waiting.front();
                                              link->waiting.pop_front();
                                              link->flying.push_back(place);
                                              m_recorder.AddHop(m_packets[place].hop++,
                                                                arrivalNs,
                                                                Now() - arrivalNs,
                                                                packet->GetSize());
                                          }));
        // Packets on a link arrive at the device of its other direction.
        m_links[DcnTopology::Reverse(number)].device->SetReceiveCallback(NetDevice::ReceiveCallback(
            [this, link](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                const uint32_t place = link->flying.front();
                link->flying.pop_front();
                Arrive(place, Now());
                return true;
            }));
    }

    /// @return present time [ns]
    static int64_t Now()
    {
        return Simulator::Now().GetNanoSeconds();
    }

    /// Schedules the next packets of a flow, if there are any within the recorded time.
    void Plan(uint32_t flow, bool more)
    {
        if (more && m_source.Get(flow).timeNs < m_recorder.GetEndNs())
        {
            Simulator::Schedule(NanoSeconds(m_source.Get(flow).timeNs - Now()),
                                &NetworkSimulation::SendBatch,
                                this,
                                flow);
        }
    }

    /// Sends a batch at once, before other events of this time.
    void SendBatch(uint32_t flow)
    {
        bool more = true;
        while (more && m_source.Get(flow).timeNs == Now())
        {
            Send(flow, m_source.Get(flow));
            more = m_source.Next(flow);
        }
        Plan(flow, more);
    }

    bool Enqueue(uint32_t place, int64_t) override
    {
        m_place = place;
        m_isDropped = false;
        const PacketState& packet = m_packets[place];
        const auto& device = m_links[m_traffic.GetHopLinks()[packet.hop]].device;
        device->Send(Create<Packet>(packet.bytes - PPP_BYTES),
                     device->GetBroadcast(),
                     IPV4_ETHERTYPE);
        return !m_isDropped;
    }

    const MqlTruthWatch& m_watch; //!< collector
    std::vector<Link> m_links;    //!< by index
    uint32_t m_place{0};          //!< place of the packet that is being sent
    bool m_isDropped{false};      //!< the queue dropped it
};

/**
 * Simulate the built-in configurations.
 * @param engine exact or ns3
 * @return a hash of the measurements
 */
std::string
Digest(const std::string& engine)
{
    Simulator::Destroy(); // the forked process may have inherited a simulation
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    std::ostringstream text;
    text << std::setprecision(9); // as in the files of ground truth
    for (const std::string config :
         {"k=4,load=0.7",
          "k=4,pattern=incast,arrivals=ge,scv=4,buffer=4,spread=0.5,hash_seed=2",
          "topology=two-tier,hosts=8,radix=4,pattern=asymmetric,rates=uniform,routing=split,"
          "delay_ns=700,ack_bytes=0"})
    {
        const MqlTruthResult result = MqlSimulateTruth(MqlTruthTraffic(
            MqlTruthConfig::Parse(config + ",warmup_s=0.005,duration_s=0.03,engine=" + engine)));
        for (const auto& hop : result.hops)
        {
            text << hop.packets << ' ' << hop.drops << ' ' << hop.waitNs << ' ' << hop.wait2 << ' '
                 << hop.gapScv << ' ' << hop.bytes << '\n';
        }
        for (const auto& flow : result.flows)
        {
            text << flow.sent << ' ' << flow.packets << ' ' << flow.dataNs << ' ' << flow.ackNs
                 << ' ' << flow.rttNs << ' ' << flow.rttP99Ns << '\n';
        }
        text << result.rttP99Ns << ' ' << result.packetHops << '\n';
    }
    return DcnHashText(text.str());
}

} // namespace

MqlTruthResult
MqlSimulateTruth(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch)
{
    const auto& config = traffic.GetConfig();
    const bool isExact = config.Get("engine") == "exact";
    if (isExact && watch.collector)
    {
        DcnFail("engine=exact has no devices to watch");
    }
    const DcnStopwatch stopwatch;
    std::unique_ptr<Simulation> simulation;
    if (isExact)
    {
        simulation = std::make_unique<ExactSimulation>(traffic);
    }
    else
    {
        simulation = std::make_unique<NetworkSimulation>(traffic, watch);
    }
    simulation->Run();
    MqlTruthResult result = simulation->Finish();
    simulation.reset();
    result.cpuSeconds = stopwatch.Get().cpuSeconds;
    result.wallSeconds = stopwatch.Get().wallSeconds;
    NS_LOG_INFO(config.GetName() << ": " << result.packetHops << " packets times queues in "
                                 << result.wallSeconds << " s");
    return result;
}

const std::string&
MqlTruthDigest(const std::string& engine)
{
    static std::map<std::string, std::string> digests;
    std::string& digest = digests[engine];
    if (digest.empty())
    {
        digest =
            DcnComputeInProcesses(1, 1, [&engine](uint64_t) { return Digest(engine); }).front();
    }
    return digest;
}

} // namespace ns3
