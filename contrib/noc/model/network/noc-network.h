/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_NETWORK_H
#define NOC_NETWORK_H

#include "ns3/cceval-interval.h"
#include "ns3/event-id.h"
#include "ns3/noc-engine.h"
#include "ns3/noc-model.h"
#include "ns3/noc-system.h"
#include "ns3/noc-throttle.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief Mean waits in the queues of a layer and latencies of its pairs of nodes [cycles]; not a
 * number where no packet came.
 */
struct NocWaits
{
    std::vector<double> agents; //!< egress queues of cache slices and controllers, by lane
    std::vector<double> cores;  //!< egress queues of cores, by lane
    std::vector<double> turns;  //!< transgress queues, by lane
    std::vector<double> pairs;  //!< generation to acceptance by source * nodes + destination
};

/**
 * @ingroup noc
 * @brief Latencies and throughput of a network on chip, by simulation or by a model.
 */
struct NocResult
{
    std::string method;     //!< simulation, published, independent, closed or chain
    CcevalInterval request; //!< mean latency of requests and memory requests [cycles]
    std::array<CcevalInterval, NOC_LAYERS> layers; //!< mean latency by NocLayer [cycles]
    std::array<NocWaits, NOC_LAYERS> waits;        //!< by NocLayer
    CcevalInterval transaction; //!< mean from request to data taken [cycles]; simulation only
    double throughput{0};       //!< accepted requests per cycle
    double offered{0};          //!< generated requests per cycle
    double deflections{0};      //!< refused attempts at sinks and transgress queues per cycle
    double lost{0};             //!< share of requests that found a full egress queue
    bool isSaturated{false};    //!< there is no steady state, or a tenth of the requests is lost
    bool isNear{false};         //!< model: near saturation, where it is less accurate
    std::string binding;        //!< busiest resource, by the model
    double seconds{0};          //!< processor time
};

/**
 * @ingroup noc
 * @brief A network on chip as an ns-3 object: attributes, nodes, trace sources, and simulator and
 * models behind the same calls.
 *
 * NocHelper makes it of a NodeContainer. Estimate answers by a method of which the name is given.
 * Start runs the simulator along with ns-3's events: an event per Chunk cycles, with trace
 * sources of packets.
 *
 * Trace sources: Inject (a packet left its egress queue), Accept (the sink took it), Deflect (it
 * found no room and stays on its slot), Occupancy (packets in a sink), Throttle (the signal of a
 * congested sink). Times of events within a chunk are that of the chunk; their first argument is
 * the exact cycle.
 *
 * With HitWindow and MissWindow cores have limits of requests under way, which Policy
 * (NocThrottleOptions::Read) may narrow; only the simulator knows them.
 */
class NocNetwork : public Object
{
  public:
    /** @return the ns-3 type. */
    static TypeId GetTypeId();
    NocNetwork();
    ~NocNetwork() override;

    /**
     * @brief Set nodes and loops; all nodes but the memory controllers are cores.
     * @param topology nodes and loops
     */
    void SetTopology(std::shared_ptr<const NocTopology> topology);

    /**
     * @brief Set rates of single cores, in place of the attribute Rate.
     * @param rates packets per cycle, by node; empty: Rate for all
     */
    void SetRates(const std::vector<double>& rates);

    /**
     * @brief Set shares of destinations, in place of uniform ones.
     * @param shares by source and destination; empty: uniform
     */
    void SetDestinations(const std::vector<std::vector<double>>& shares);

    /**
     * @brief Let cores send the packets of a trace (NocReadTrace).
     * @param path of the file; empty: GGeo sources
     */
    void SetTrace(const std::string& path);

    /**
     * @return the system that the attributes describe
     * @throws DcnError if it is none
     */
    NocSystem GetSystem() const;

    /**
     * @brief Latencies by simulation or a model.
     *
     * A simulation has Seeds repetitions (seed, seed + 1, ...) of WarmUp + Cycles cycles each. Its
     * intervals are of 95 %, from the means of the repetitions, or of 20 stretches of time if there
     * is one. There is one if nothing is drawn (NocSystem::IsDrawn): others would be its copies.
     * It is saturated if more than 2 % of the requests stay inside, or more than a tenth
     * is lost.
     *
     * @param method simulation, published, independent, closed or chain
     * @return the answer
     * @throws DcnError for another method, a system that is none, and a deadlock; for simulation
     * as CheckSimulation, too
     */
    NocResult Estimate(const std::string& method) const;

    /**
     * @brief Refuse a simulation that measures nothing, or other packets than a model counts.
     * @throws DcnError if Cycles or Seeds is 0, a packet of the trace comes after WarmUp + Cycles,
     * or the last one within WarmUp; as GetSystem, too
     */
    void CheckSimulation() const;

    /**
     * @brief Run the simulator along with ns-3's events.
     * @param start time of the first cycle
     * @param duration how long
     */
    void Start(Time start, Time duration);

    /** @return the measurements of Start so far. */
    const NocStatistics& GetStatistics() const;

    /**
     * @brief A packet was injected or accepted, or found no room.
     * @param cycle when
     * @param layer of the packet
     * @param source node
     * @param destination node
     * @param value Inject: 0; Accept: latency [cycles]; Deflect: node
     */
    using PacketCallback = void (*)(uint32_t cycle,
                                    NocLayer layer,
                                    uint32_t source,
                                    uint32_t destination,
                                    uint32_t value);

    /**
     * @brief The number of packets in a sink has changed.
     * @param cycle when
     * @param layer of the sink
     * @param node of the sink
     * @param packets in it now
     */
    using OccupancyCallback = void (*)(uint32_t cycle,
                                       NocLayer layer,
                                       uint32_t node,
                                       uint32_t packets);

    /**
     * @brief The detector of source throttling has changed its signal; cores hear of it later.
     * @param cycle when
     * @param node of the sink
     * @param isCongested the signal
     */
    using ThrottleCallback = void (*)(uint32_t cycle, uint32_t node, bool isCongested);

  protected:
    void DoDispose() override;

  private:
    class Tracer;

    /// @param hitWindow is set by a policy with a constant window
    /// @return the policy of source throttling
    NocThrottleOptions GetPolicy(uint32_t& hitWindow) const;
    NocResult Simulate() const;
    /// Returns the results of repetitions of the simulation.
    NocResult Summarise(const std::vector<NocStatistics>& all) const;
    /// Adds the attributes of the system, of the policy and of the simulation.
    static void AddAttributes(TypeId& type);
    /// Adds the trace sources.
    static void AddTraceSources(TypeId& type);
    void RunChunk();

    std::shared_ptr<const NocTopology> m_topology;   //!< nodes and loops
    std::vector<double> m_rates;                     //!< of cores, or empty
    std::vector<std::vector<double>> m_destinations; //!< shares, or empty
    std::vector<NocTraceEntry> m_trace;              //!< packets, or empty
    std::string m_traceFile;                         //!< of m_trace
    bool m_isCache;                                  //!< attribute Cache
    std::string m_memory;                            //!< attribute MemoryControllers
    double m_rate;                                   //!< attribute Rate
    double m_burst;                                  //!< attribute Burst
    double m_hitRate;                                //!< attribute HitRate
    uint32_t m_egress;                               //!< attribute Egress
    uint32_t m_transgress;                           //!< attribute Transgress
    uint32_t m_ingress;                              //!< attribute Ingress
    uint32_t m_cacheList;                            //!< attribute CacheList
    uint32_t m_cacheLatency;                         //!< attribute CacheLatency
    uint32_t m_memoryList;                           //!< attribute MemoryList
    uint32_t m_memoryLatency;                        //!< attribute MemoryLatency
    uint32_t m_memoryPeriod;                         //!< attribute MemoryPeriod
    double m_snoopRate;                              //!< attribute SnoopRate
    uint32_t m_snoopLatency;                         //!< attribute SnoopLatency
    double m_sinkService;                            //!< attribute SinkService
    uint32_t m_hitWindow;                            //!< attribute HitWindow
    uint32_t m_missWindow;                           //!< attribute MissWindow
    std::string m_policy;                            //!< attribute Policy
    std::string m_tree;                              //!< attribute Tree
    bool m_hitsPass;                                 //!< attribute HitsPass
    bool m_sharedRequests;                           //!< attribute SharedRequests
    bool m_stalls;                                   //!< attribute Stall
    uint32_t m_cycles;                               //!< attribute Cycles
    uint32_t m_warmUp;                               //!< attribute WarmUp
    uint32_t m_seeds;                                //!< attribute Seeds
    uint64_t m_seed;                                 //!< attribute Seed
    uint32_t m_threads;                              //!< attribute Threads
    double m_frequency;                              //!< attribute Frequency
    uint32_t m_chunk;                                //!< attribute Chunk
    std::unique_ptr<NocEngine> m_engine;             //!< of Start
    std::unique_ptr<Tracer> m_tracer;                //!< of m_engine
    std::unique_ptr<NocThrottle> m_throttle;         //!< of m_engine
    Time m_start;                                    //!< of Start
    uint64_t m_last{0};                              //!< cycles of Start
    EventId m_event;                                 //!< next chunk

    TracedCallback<uint32_t, NocLayer, uint32_t, uint32_t, uint32_t> m_injected;  //!< trace source
    TracedCallback<uint32_t, NocLayer, uint32_t, uint32_t, uint32_t> m_accepted;  //!< trace source
    TracedCallback<uint32_t, NocLayer, uint32_t, uint32_t, uint32_t> m_deflected; //!< trace source
    TracedCallback<uint32_t, NocLayer, uint32_t, uint32_t> m_occupied; //!< trace source Occupancy
    TracedCallback<uint32_t, uint32_t, bool> m_signalled;              //!< trace source Throttle
};

} // namespace ns3

#endif /* NOC_NETWORK_H */
