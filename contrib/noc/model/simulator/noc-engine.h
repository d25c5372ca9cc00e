/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_ENGINE_H
#define NOC_ENGINE_H

#include "noc-system.h"

#include "ns3/random-variable-stream.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class NocGgeoSource;

/// @ingroup noc
/// @brief A count of values and their sum.
struct NocSum
{
    uint64_t n{0};   //!< values
    uint64_t sum{0}; //!< of the values

    /// @param value to be added
    void Add(uint64_t value)
    {
        ++n;
        sum += value;
    }

    /** @return the mean, 0 without values. */
    double GetMean() const
    {
        return n ? static_cast<double>(sum) / static_cast<double>(n) : 0;
    }
};

/**
 * @ingroup noc
 * @brief Measurements of one layer, or of the transactions.
 */
struct NocLayerStatistics
{
    NocSum latency;                 //!< generation to acceptance by the ingress queue [cycles]
    NocSum network;                 //!< injection to acceptance [cycles]
    uint64_t generated{0};          //!< packets, the lost ones included
    uint64_t lost{0};               //!< packets dropped at full egress queues of cores
    uint64_t sinkRefusals{0};       //!< attempts to enter a full ingress queue
    uint64_t transgressRefusals{0}; //!< attempts to enter a full transgress queue
    uint32_t longestWait{0};        //!< longest wait for injection at an egress queue [cycles]
    uint32_t mostDeflections{0};    //!< of one packet
    std::vector<NocSum> batches;    //!< latency by stretch of time, see NocEngine::GetBatch
    std::vector<NocSum> pairs;      //!< latency by source and destination (source * nodes + ...)
    std::vector<NocSum> agentWaits; //!< wait in egress queues of caches and controllers, by lane
    std::vector<NocSum> coreWaits;  //!< wait in egress queues of cores, by lane
    std::vector<NocSum> turnWaits;  //!< wait in transgress queues, by lane
    std::vector<uint64_t> accepted; //!< packets accepted by the sink of each node
    std::vector<uint64_t> refused;  //!< refusals of the sink of each node
};

/**
 * @ingroup noc
 * @brief Measurements since the last reset.
 */
struct NocStatistics
{
    uint64_t cycles{0};                     //!< simulated
    std::vector<NocLayerStatistics> layers; //!< by NocLayer
    NocSum transactions;                    //!< request generated to data taken [cycles]
    uint64_t misses{0};                     //!< transactions that were misses
    uint64_t memoryReads{0};                //!< requests that controllers accepted
    uint64_t refusedRequests{0};            //!< lost because a window was full
    std::vector<uint64_t> perCore;          //!< transactions of each node
    std::vector<uint64_t> missesPerCore;    //!< those of them that were misses

    /**
     * @return mean latency of the request network: requests and memory requests [cycles]
     */
    double GetRequestLatency() const;
};

/**
 * @ingroup noc
 * @brief A cycle-accurate simulator of a NocSystem.
 *
 * A cycle has three steps; the order within it is part of the definition.
 *
 * 1. Agents. A core takes a packet of each response layer. A cache slice issues the oldest ready
 *    entry of its list if its egress queues have room (a hit: data and acknowledgement; a miss:
 *    memory request; a snooped hit: snoop and acknowledgement), then moves a packet from its
 *    ingress queue to the list if that has room; so does a core before it with its snoops. A
 *    memory controller sends the oldest finished data packet if there is room, and in every
 *    memoryPeriod-th cycle accepts a request if its list has room. With one layer, each sink takes
 *    a packet with the probability sinkService.
 * 2. Sources generate packets and put them into egress queues; they can be injected in the same
 *    cycle.
 * 3. Each layer, each loop, each position: a packet whose leg ends at this node is ejected if the
 *    ingress queue, or the transgress queue of its next leg, has room; else it stays (a
 *    deflection). If the slot is free then, a packet is injected: from the transgress queue of the
 *    lane, else from the egress queue of the cache slice or controller, else from that of the core.
 *    Rows come before columns, so a packet turns in one cycle at least. Then all slots move on.
 *
 * Runs with equal systems and seeds give equal results. Every source has random streams of its own.
 */
class NocEngine
{
  public:
    /// Cycles without an acceptance that are a deadlock: of all sinks, or of one that refuses
    static constexpr uint32_t PATIENCE = 10000;

    /**
     * @brief Decides what cores with windows may issue (NocThrottle).
     *
     * Functions are called within Run, in the order of the engine's steps.
     */
    class Control
    {
      public:
        virtual ~Control() = default;
        /// A cycle begins.
        /// @param cycle its number
        virtual void Begin(uint32_t cycle) = 0;
        /// @param core a core
        /// @param destination node of a request
        /// @return whether the core may issue a request to it now
        virtual bool MayIssue(uint32_t core, uint32_t destination) const = 0;
        /// @return requests of which a core may choose one per cycle; 1: the oldest one blocks all
        virtual uint32_t GetLookAhead() const = 0;
        /// @return hits that a core may have under way
        virtual uint32_t GetHitWindow() const = 0;
        /// A request or memory request came to the sink of its destination.
        /// @param cycle when
        /// @param node of the sink: of a cache slice, or a memory controller
        /// @param isAccepted whether there was room
        /// @param occupancy packets in the sink before
        /// @param generated cycle in which the packet was put into its egress queue
        virtual void Attempt(uint32_t cycle,
                             uint32_t node,
                             bool isAccepted,
                             uint32_t occupancy,
                             uint32_t generated) = 0;
        /// A cache slice or memory controller took a request from its sink.
        /// @param cycle when
        /// @param node of the sink
        /// @param occupancy packets in the sink after
        virtual void Depart(uint32_t cycle, uint32_t node, uint32_t occupancy) = 0;
    };

    /// Is told of events; functions are called within Run.
    class Observer
    {
      public:
        virtual ~Observer() = default;

        /// Event of a packet at a lane or sink of a layer: cycle, layer, source, destination, node.
        /// @param cycle when
        /// @param layer of the packet
        /// @param source node
        /// @param destination node
        virtual void Injected(uint32_t cycle, NocLayer layer, uint32_t source, uint32_t destination)
        {
        }

        /// A packet was accepted by the ingress queue of its destination.
        /// @param cycle when
        /// @param layer of the packet
        /// @param source node
        /// @param destination node
        /// @param latency since its generation [cycles]
        virtual void Accepted(uint32_t cycle,
                              NocLayer layer,
                              uint32_t source,
                              uint32_t destination,
                              uint32_t latency)
        {
        }

        /// The number of packets in an ingress queue has changed.
        /// @param cycle when
        /// @param layer of the queue
        /// @param node of the queue
        /// @param packets in it now
        virtual void Occupied(uint32_t cycle, NocLayer layer, uint32_t node, uint32_t packets)
        {
        }

        /// A packet found no room where its leg ends.
        /// @param cycle when
        /// @param layer of the packet
        /// @param source node
        /// @param destination node
        /// @param node where it was refused
        virtual void Deflected(uint32_t cycle,
                               NocLayer layer,
                               uint32_t source,
                               uint32_t destination,
                               uint32_t node)
        {
        }
    };

    /**
     * @param system the system, which is checked
     * @param seed of all draws
     * @throws DcnError if the system is none
     */
    NocEngine(const NocSystem& system, uint64_t seed);
    ~NocEngine();

    /**
     * @brief Results of the simulator for built-in systems: a line for each of them.
     *
     * A mesh of caches with small queues and bursts, a mesh with windows and snoops, a torus of
     * one layer with slow sinks and stalls, and a network of six nodes with other links. It takes
     * some hundredths of a second.
     *
     * @return the lines
     */
    static std::string GetRecord();

    /**
     * @brief Identifies the behaviour of the simulator: simulators with equal digests give equal
     * results for the systems of GetRecord. Cards of trees say by which one they were trained.
     * @return 16 hexadecimal digits, the hash of GetRecord
     */
    static const std::string& GetDigest();

    /**
     * @brief Simulate.
     * @param cycles number of cycles
     * @throws DcnError if no packet was accepted for PATIENCE cycles although slots are occupied;
     * or, if requests and memory requests share a layer, if a sink that refuses packets has accepted
     * none for so long: a part of the network is locked while the rest of it goes on
     */
    void Run(uint64_t cycles);

    /**
     * @brief Forget the measurements, for instance at the end of a warm-up.
     * @param batch length of the stretches of NocLayerStatistics::batches [cycles]; 0: none
     */
    void ResetStatistics(uint32_t batch = 0);

    /**
     * @brief Set the rates of all cores from the next cycle on: the phase of a workload ends.
     *
     * The next packet of each core is drawn anew, which changes no distribution: gaps between
     * batches have no memory.
     *
     * @param rates lambda by node, of the cores that had a rate at the beginning, in (0, 1)
     * @throws DcnError for a rate out of its range or of a node without a source, and with a trace
     */
    void SetRates(const std::vector<double>& rates);

    /** @return the measurements. */
    const NocStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /** @return the number of cycles simulated so far. */
    uint64_t GetCycle() const
    {
        return m_cycle;
    }

    /** @return packets on slots and in queues. */
    uint64_t GetNInside() const;

    /**
     * @param layer a layer
     * @param node a node
     * @return packets in its ingress queue
     */
    uint32_t GetOccupancy(NocLayer layer, uint32_t node) const;

    /**
     * @param observer is told of events; null: none
     */
    void SetObserver(Observer* observer)
    {
        m_observer = observer;
    }

    /**
     * @param control decides what cores with windows issue; null: nothing holds them
     */
    void SetControl(Control* control)
    {
        m_control = control;
    }

    /**
     * @brief Count everything again.
     * @return whether each layer's packets are accounted for: generated = lost + taken + inside,
     * and no queue holds more than its capacity
     */
    bool IsConsistent() const;

  private:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no packet, an empty slot

    /// A packet.
    struct Packet
    {
        uint32_t generated;   //!< cycle
        uint32_t issued;      //!< cycle in which it came to its egress queue
        uint32_t injected;    //!< cycle
        uint32_t queued;      //!< cycle in which it came to the queue where it waits
        uint32_t started;     //!< cycle in which the request of its transaction was generated
        uint16_t source;      //!< node
        uint16_t destination; //!< node
        uint16_t exit;        //!< node of the end of its leg
        uint16_t core;        //!< node of the core of its transaction
        uint32_t deflections; //!< so far
        bool isMiss;          //!< of the transaction
    };

    /// A queue of packets, which grows up to its capacity.
    class Fifo
    {
      public:
        /// Appends.
        void Push(uint32_t packet)
        {
            if (m_packets.full())
            {
                m_packets.set_capacity(std::max<std::size_t>(8, 2 * m_packets.capacity()));
            }
            m_packets.push_back(packet);
        }

        /// @return the first packet, which is removed
        uint32_t Pop()
        {
            const uint32_t packet = m_packets.front();
            m_packets.pop_front();
            return packet;
        }

        /// @return number of packets
        uint32_t GetSize() const
        {
            return static_cast<uint32_t>(m_packets.size());
        }

        /// @return whether there is none
        bool IsEmpty() const
        {
            return m_packets.empty();
        }

        /// @return the first packet
        uint32_t Front() const
        {
            return m_packets.front();
        }

      private:
        boost::circular_buffer<uint32_t> m_packets; //!< from the first one
    };

    /// Queues in front of a lane.
    struct Lane
    {
        Fifo turning; //!< transgress queue
        Fifo agent;   //!< egress queue of the cache slice or memory controller
        Fifo core;    //!< egress queue of the core
    };

    /// A physical network.
    struct Layer
    {
        NocLayer name;                  //!< which
        std::vector<uint32_t> slots;    //!< packet or NONE, by first lane of the loop + slot
        std::vector<uint32_t> offsets;  //!< by loop: slot that is at position 0
        std::vector<uint32_t> waiting;  //!< packets in front of each lane
        std::vector<uint32_t> busy;     //!< packets on slots and in front of lanes, by loop
        std::vector<Lane> lanes;        //!< queues
        std::vector<Fifo> sinks;        //!< ingress queue by node
        std::vector<uint32_t> accepted; //!< cycle of the latest acceptance by each sink
        uint64_t nGenerated{0};         //!< packets ever, without the lost ones
        uint64_t nTaken{0};             //!< packets that agents took from sinks ever
        uint64_t nOnSlots{0};           //!< packets
    };

    /// A request in the list of an agent.
    struct Entry
    {
        uint32_t ready;   //!< cycle from which it can be answered
        uint32_t started; //!< see Packet
        uint16_t core;    //!< who asked
        uint16_t third;   //!< controller of a miss, owner of the line of a snooped hit
        bool isMiss;      //!< of the transaction
        bool isSnooped;   //!< a hit of which another core owns the line
    };

    /// A packet of a core that waits for room in an egress queue.
    struct Held
    {
        uint32_t generated;   //!< cycle
        uint16_t destination; //!< node
        bool isMiss;          //!< of the transaction
    };

    /// A core's source.
    struct Source
    {
        uint32_t node;                           //!< its node
        std::unique_ptr<NocGgeoSource> arrivals; //!< null: from the trace
        Ptr<UniformRandomVariable> gaps;         //!< draws of arrivals
        uint64_t next;                           //!< cycle of the next packet
        std::vector<double> cumulated;           //!< shares of destinations up to a node
        bool isUniform;                          //!< all other cores alike
        Ptr<UniformRandomVariable> choice;       //!< of destinations
        Ptr<UniformRandomVariable> hits;         //!< hit or miss
        std::deque<Held> held;                   //!< stalled packets, or those to issue
        uint32_t hitsUnderWay{0};                //!< with windows
        uint32_t missesUnderWay{0};              //!< with windows
    };

    void RunAgents();
    void RunCache(uint32_t node);
    bool IssueEntry(uint32_t node, const Entry& entry);
    void RunMemory(uint32_t node);
    void RunOwner(uint32_t node);
    void DrawThird(uint32_t node, Entry& entry);
    void RunSources();
    void IssueRequest(Source& source);
    void StartArrivals(Source& source, double rate);
    bool Generate(const Source& source, uint32_t destination, uint32_t generated, bool isMiss);
    uint32_t DrawDestination(const Source& source);
    void RunLayer(Layer& layer);
    bool Eject(Layer& layer, uint32_t packet, uint32_t node);
    [[noreturn]] void FailLocked(const Layer& layer, uint32_t node) const;
    void Inject(Layer& layer, uint32_t lane, uint32_t slot);

    /// The egress queue of an agent for a destination.
    bool HasRoom(NocLayer layer, uint32_t node, uint32_t destination);
    /// Puts a packet of a cache slice or memory controller into its egress queue.
    void Send(NocLayer layer, uint32_t node, uint32_t destination, const Entry& entry);
    uint32_t NewPacket(Layer& layer,
                       uint32_t source,
                       uint32_t destination,
                       uint32_t generated,
                       uint32_t started,
                       uint32_t core,
                       bool isMiss);
    Packet Take(Layer& layer, uint32_t node);

    /// @return the measurements of a layer
    NocLayerStatistics& StatisticsOf(NocLayer layer)
    {
        return m_statistics.layers[static_cast<std::size_t>(layer)];
    }

    const NocSystem m_system;                            //!< the system
    const NocTopology& m_topology;                       //!< of the system
    uint32_t m_cycle{0};                                 //!< now
    uint32_t m_reset{0};                                 //!< cycle of the last reset
    uint32_t m_batch{0};                                 //!< length of a stretch, 0: none
    std::vector<Layer> m_layers;                         //!< by NocLayer
    std::vector<Source> m_sources;                       //!< cores that send
    std::size_t m_traced{0};                             //!< packets of the trace generated so far
    std::vector<boost::circular_buffer<Entry>> m_lists;  //!< of caches and controllers, by node
    std::vector<boost::circular_buffer<Entry>> m_snoops; //!< of cores: snoops to answer, by node
    std::vector<Packet> m_packets;                       //!< all, with unused ones between
    std::vector<uint32_t> m_unused;                      //!< packets that are not in use
    std::vector<uint32_t> m_cores;                       //!< nodes with a core
    std::vector<bool> m_isMemory;                        //!< by node
    std::vector<Ptr<UniformRandomVariable>> m_services;  //!< by node: draws of a sink, or null
    std::vector<Ptr<UniformRandomVariable>>
        m_controllers;                //!< by node: draws of controllers, owners
    uint32_t m_lastAcceptance{0};     //!< cycle
    NocStatistics m_statistics;       //!< since the last reset
    Observer* m_observer{nullptr};    //!< is told of events
    Control* m_control{nullptr};      //!< of cores with windows
    std::vector<uint32_t> m_sourceOf; //!< by node: number of its source
};

} // namespace ns3

#endif /* NOC_ENGINE_H */
