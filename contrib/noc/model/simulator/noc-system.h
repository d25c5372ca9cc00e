/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_SYSTEM_H
#define NOC_SYSTEM_H

#include "noc-topology.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup noc
/// @brief Physical networks, which share the nodes and nothing else.
enum class NocLayer : uint8_t
{
    REQUEST,         //!< core to cache slice
    MEMORY_REQUEST,  //!< cache slice to memory controller
    DATA,            //!< cache slice, memory controller or owner of a line to core
    ACKNOWLEDGEMENT, //!< cache slice to core
    SNOOP            //!< cache slice to the core that owns the line of a hit
};

/// @ingroup noc
/// @brief The number of physical networks.
constexpr uint32_t NOC_LAYERS = 5;

/**
 * @ingroup noc
 * @param layer a layer
 * @return its name: request, memory request, data, acknowledgement, snoop
 */
const char* NocGetLayerName(NocLayer layer);

/// @ingroup noc
/// @brief A packet of a trace.
struct NocTraceEntry
{
    uint32_t cycle;       //!< when it is generated
    uint32_t source;      //!< node of the agent that sends it
    uint32_t destination; //!< node of the agent that receives it
    uint32_t line{0};     //!< of the file; 0: of no file
};

/**
 * @ingroup noc
 * @brief A network on chip with its agents and traffic: all that simulator and model need.
 *
 * **Agents.** A node has a core and a slice of the last-level cache, or a memory controller. Cores
 * generate requests, GGeo(lambda, p) or from a trace, each to the cache slice of another node. A
 * hit (with the hit rate) is answered by a data and an acknowledgement packet; a miss goes to a
 * memory controller, which sends the data. Of a share `snoopRate` of the hits another core owns the
 * line: the slice sends it a snoop in place of the data, and that core sends the data. Cores take
 * one packet of each response layer per cycle, and a snoop if they have fewer than `cacheList`.
 *
 * **One layer.** With `isCache` false there is the request layer alone: every node with a rate
 * sends, and every node takes packets, in each cycle one with the probability `sinkService`.
 *
 * **Queues.** Per layer and lane of a node: an egress queue for packets of the cache slice or
 * memory controller, another one for packets of the core, and a transgress queue for packets that
 * turn. Per layer and node: an ingress queue (sink). Capacities in packets.
 */
struct NocSystem
{
    static constexpr uint32_t UNLIMITED = UINT32_MAX; //!< capacity of a queue without limit

    /// What becomes of a packet of a core whose egress queue is full.
    enum class Overflow : uint8_t
    {
        DROP, //!< it is lost, and counted
        STALL //!< the core's arrivals wait, in their order, until there is room
    };

    std::shared_ptr<const NocTopology> topology; //!< loops and routes

    bool isCache{true};                      //!< cores, caches and memory; else one layer
    std::vector<uint32_t> memoryControllers; //!< nodes that are memory controllers
    uint32_t cacheList{40};                  //!< requests that a cache slice works on at a time
    uint32_t cacheLatency{10};               //!< from acceptance by the list to the answer [cycles]
    uint32_t memoryList{64};                 //!< requests that a controller works on at a time
    uint32_t memoryLatency{100};             //!< from acceptance to the data packet [cycles]
    uint32_t memoryPeriod{2};                //!< cycles between two acceptances of a controller
    double snoopRate{0};        //!< share of the hits of which another core owns the line
    uint32_t snoopLatency{10};  //!< from taking a snoop to the data packet [cycles]
    bool hitsPass{false};       //!< hits pass misses that are blocked in a cache slice's list
    bool sharedRequests{false}; //!< memory requests travel on the request layer (may deadlock)
    double sinkService{1};      //!< one layer: packets that a sink takes per cycle, in (0, 1]

    uint32_t egress{16};               //!< capacity of an egress queue
    uint32_t transgress{16};           //!< capacity of a transgress queue
    uint32_t ingress{16};              //!< capacity of an ingress queue
    Overflow overflow{Overflow::DROP}; //!< at full egress queues of cores

    /// Hits and misses that a core may have under way, from generation to data; further ones are
    /// lost. UNLIMITED for both: requests go to egress queues as they are generated.
    uint32_t hitWindow{UNLIMITED};
    uint32_t missWindow{UNLIMITED}; //!< see hitWindow
    uint32_t lookAhead{32}; //!< with windows: requests of which a core may issue one per cycle

    std::vector<double> rates;  //!< lambda by node [packets per cycle]; 0: no core that sends
    std::vector<double> bursts; //!< p by node
    double hitRate{1};          //!< share of hits among requests
    /// Shares of destinations by source and destination; empty: the other nodes alike
    std::vector<std::vector<double>> destinations;
    std::vector<NocTraceEntry> trace; //!< packets of cores in place of rates; may be empty
    std::string traceFile;            //!< of the trace, for messages; may be empty

    /**
     * @brief A mesh of co-located cores and cache slices with equal rates (dissertation, 2.4).
     * @param topology nodes and loops
     * @param memoryControllers nodes that are no cores
     * @param rate lambda of every core
     * @param burst p of every core
     * @param hitRate share of hits
     * @return the system, with default capacities
     */
    static NocSystem Cache(std::shared_ptr<const NocTopology> topology,
                           const std::vector<uint32_t>& memoryControllers,
                           double rate,
                           double burst,
                           double hitRate);

    /**
     * @brief One layer in which all nodes send and receive, uniformly.
     * @param topology nodes and loops
     * @param rate lambda of every node
     * @param burst p of every node
     * @return the system, with default capacities
     */
    static NocSystem OneLayer(std::shared_ptr<const NocTopology> topology,
                              double rate,
                              double burst);

    /**
     * @param node a node
     * @return whether it is a memory controller
     */
    bool IsMemory(uint32_t node) const;

    /**
     * @param source a node that sends requests
     * @return shares of the destinations of its requests, by node; their sum is 1
     */
    std::vector<double> GetShares(uint32_t source) const;

    /** @return nodes with a core: all but the memory controllers. */
    uint32_t GetNCores() const
    {
        return topology->GetNNodes() - static_cast<uint32_t>(memoryControllers.size());
    }

    /**
     * @param entry a packet of the trace
     * @return "trace.csv:7: ", the prefix of sentences about it; empty without a file
     */
    std::string Where(const NocTraceEntry& entry) const;

    /**
     * @return whether a simulation draws anything, so that repetitions differ: arrivals,
     * destinations, services of sinks, hits, controllers or snoops
     */
    bool IsDrawn() const;

    /** @return the layers that carry packets. */
    std::vector<NocLayer> GetLayers() const;

    /**
     * @brief The largest rate of equal cores: lanes below 1 packet per cycle and memory controllers
     * below their acceptance rate, with routes, shares and the hit rate as they are.
     * @return lambda [packets per cycle and core]
     */
    double GetLargestRate() const;

    /** @return whether cores have windows. */
    bool HasWindows() const
    {
        return hitWindow != UNLIMITED || missWindow != UNLIMITED;
    }

    /**
     * @brief Multiply all rates.
     * @param factor of every rate
     */
    void Scale(double factor);

    /**
     * @throws DcnError for a queue of size 0, a rate or burst probability out of its range, a hit
     * rate outside of [0, 1], misses without memory controller, and the other values that make no
     * system
     */
    void Check() const;

  private:
    /// Adds a rate of packets to the route of a layer, from a source to a destination.
    using AddLoad = std::function<void(NocLayer, uint32_t, uint32_t, double)>;

    /// Adds the answers to requests of a source: hits, snoops and misses; shares as by GetShares.
    void AddAnswers(uint32_t source, const std::vector<double>& shares, const AddLoad& add) const;
    void CheckQueues() const;       //!< sizes, windows and services
    void CheckCores() const;        //!< rates and bursts
    void CheckCaches() const;       //!< hits, misses and snoops
    void CheckDestinations() const; //!< shares of destinations
    void CheckTrace() const;        //!< packets of the trace
};

} // namespace ns3

#endif /* NOC_SYSTEM_H */
