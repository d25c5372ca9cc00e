/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-network.h"

#include "../simulator/noc-traffic.h"

#include "ns3/boolean.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-random.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/noc-detector.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocNetwork");

NS_OBJECT_ENSURE_REGISTERED(NocNetwork);

namespace
{

constexpr double LEVEL = 0.95;      // of confidence intervals
constexpr uint32_t STRETCHES = 20;  // of one repetition
constexpr double LEFT_SHARE = 0.02; // of requests that stay inside, from which it is saturated

/**
 * @param all repetitions
 * @param layer number of a layer
 * @param list one of its lists of sums
 * @return the means over all repetitions, not a number where there is no value
 */
std::vector<double>
MeanOf(const std::vector<NocStatistics>& all,
       uint32_t layer,
       std::vector<NocSum> NocLayerStatistics::*list)
{
    std::vector<double> means;
    for (std::size_t i = 0; i < (all[0].layers[layer].*list).size(); ++i)
    {
        NocSum sum;
        for (const NocStatistics& each : all)
        {
            sum.n += (each.layers[layer].*list)[i].n;
            sum.sum += (each.layers[layer].*list)[i].sum;
        }
        means.push_back(sum.n > 0 ? sum.GetMean() : std::nan(""));
    }
    return means;
}

/// @return the means of the sums that have values: a stretch without packets has no mean
std::vector<double>
MeansOf(const std::vector<NocSum>& sums)
{
    std::vector<double> means;
    for (const NocSum& sum : sums)
    {
        if (sum.n > 0)
        {
            means.push_back(sum.GetMean());
        }
    }
    return means;
}

/// @return mean latencies of requests and memory requests together, by stretch of a repetition
std::vector<double>
RequestStretches(const NocStatistics& statistics)
{
    const auto& requests = statistics.layers[0].batches;
    const auto& memory = statistics.layers[1].batches;
    std::vector<NocSum> stretches;
    for (std::size_t b = 0; b < std::min<std::size_t>(requests.size(), STRETCHES); ++b)
    {
        NocSum both = requests[b];
        both.n += b < memory.size() ? memory[b].n : 0;
        both.sum += b < memory.size() ? memory[b].sum : 0;
        stretches.push_back(both);
    }
    return MeansOf(stretches);
}

} // namespace

/// Forwards events of the simulator to trace sources.
class NocNetwork::Tracer : public NocEngine::Observer
{
  public:
    explicit Tracer(NocNetwork& network)
        : m_network(network)
    {
    }

    void Injected(uint32_t cycle, NocLayer layer, uint32_t source, uint32_t destination) override
    {
        m_network.m_injected(cycle, layer, source, destination, 0);
    }

    void Accepted(uint32_t cycle,
                  NocLayer layer,
                  uint32_t source,
                  uint32_t destination,
                  uint32_t latency) override
    {
        m_network.m_accepted(cycle, layer, source, destination, latency);
    }

    void Deflected(uint32_t cycle,
                   NocLayer layer,
                   uint32_t source,
                   uint32_t destination,
                   uint32_t node) override
    {
        m_network.m_deflected(cycle, layer, source, destination, node);
    }

    void Occupied(uint32_t cycle, NocLayer layer, uint32_t node, uint32_t packets) override
    {
        m_network.m_occupied(cycle, layer, node, packets);
    }

  private:
    NocNetwork& m_network; //!< owner
};

TypeId
NocNetwork::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::NocNetwork")
                          .SetParent<Object>()
                          .SetGroupName("noc")
                          .AddConstructor<NocNetwork>();
        AddAttributes(type);
        AddTraceSources(type);
        return type;
    }();
    return tid;
}

// clang-format off

void
NocNetwork::AddAttributes(TypeId& type)
{
    using N = NocNetwork;
    auto number = [&type](const char* name, double initial, double N::*member,
                          const char* help) {
        type.AddAttribute(name, help, DoubleValue(initial), MakeDoubleAccessor(member),
                          MakeDoubleChecker<double>());
    };
    auto whole = [&type](const char* name, uint32_t initial, uint32_t N::*member,
                         const char* help) {
        type.AddAttribute(name, help, UintegerValue(initial), MakeUintegerAccessor(member),
                          MakeUintegerChecker<uint32_t>());
    };
    auto flag = [&type](const char* name, bool initial, bool N::*member, const char* help) {
        type.AddAttribute(name, help, BooleanValue(initial), MakeBooleanAccessor(member),
                          MakeBooleanChecker());
    };
    flag("Cache", true, &N::m_isCache,
         "Cores with caches and memory; false: one layer in which all nodes send and receive.");
    type.AddAttribute("MemoryControllers", "Nodes that are memory controllers, joined by +.",
                      StringValue(""), MakeStringAccessor(&N::m_memory), MakeStringChecker());
    number("Rate", 0.1, &N::m_rate, "Requests of a core [packets per cycle], below 1.");
    number("Burst", 0, &N::m_burst,
           "Probability that the next request comes in the same cycle, below 1.");
    number("HitRate", 1, &N::m_hitRate, "Share of requests that caches answer.");
    whole("Egress", 16, &N::m_egress,
          "Packets in an egress queue, at most; 4294967295: no limit.");
    whole("Transgress", 16, &N::m_transgress,
          "Packets that wait to turn into a lane, at most; 4294967295: no limit.");
    whole("Ingress", 16, &N::m_ingress, "Packets in a sink, at most; 4294967295: no limit.");
    whole("CacheList", 40, &N::m_cacheList, "Requests in a cache slice, at most.");
    whole("CacheLatency", 10, &N::m_cacheLatency, "Cycles until a cache slice answers.");
    whole("MemoryList", 64, &N::m_memoryList, "Requests in a memory controller, at most.");
    whole("MemoryLatency", 100, &N::m_memoryLatency, "Cycles until a controller answers.");
    whole("MemoryPeriod", 2, &N::m_memoryPeriod, "Cycles per request of a controller.");
    number("SnoopRate", 0, &N::m_snoopRate,
           "Share of hits of which another core owns the line: snoops have a layer of their own.");
    whole("SnoopLatency", 10, &N::m_snoopLatency, "Cycles until the owner of a line answers.");
    number("SinkService", 1, &N::m_sinkService,
           "One layer: probability that a sink takes a packet in a cycle.");
    flag("HitsPass", false, &N::m_hitsPass, "Hits pass misses that are blocked in a cache.");
    flag("SharedRequests", false, &N::m_sharedRequests,
         "Memory requests travel on the request layer, which may end in a deadlock.");
    flag("Stall", false, &N::m_stalls,
         "Requests wait in the core while its egress queue is full; false: they are lost.");
    whole("HitWindow", NocSystem::UNLIMITED, &N::m_hitWindow,
          "Hits that a core may have under way; 4294967295: no limit.");
    whole("MissWindow", NocSystem::UNLIMITED, &N::m_missWindow,
          "Misses that a core may have under way; 4294967295: no limit.");
    type.AddAttribute("Policy",
                      "Source throttling within these windows: none, fixed-N, or a detector, "
                      "threshold or tree, then any of -global, -any, -hold, -window, -local, "
                      "then :ON:OFF.",
                      StringValue("none"), MakeStringAccessor(&N::m_policy),
                      MakeStringChecker());
    type.AddAttribute("Tree", "Table of the decision tree of Policy; empty: the shipped one.",
                      StringValue(""), MakeStringAccessor(&N::m_tree), MakeStringChecker());
    whole("Cycles", 200000, &N::m_cycles, "Simulated cycles that are measured.");
    whole("WarmUp", 20000, &N::m_warmUp, "Simulated cycles before.");
    whole("Seeds", 3, &N::m_seeds, "Repetitions of a simulation.");
    type.AddAttribute("Seed", "Seed of the first repetition.", UintegerValue(1),
                      MakeUintegerAccessor(&N::m_seed),
                      MakeUintegerChecker<uint64_t>(0, DcnRandom::MAX_SEED));
    whole("Threads", 0, &N::m_threads, "Repetitions at a time; 0: as many as cores.");
    number("Frequency", 2e9, &N::m_frequency, "Start: cycles per second.");
    type.AddAttribute("Chunk", "Start: cycles per event.", UintegerValue(1000),
                      MakeUintegerAccessor(&N::m_chunk), MakeUintegerChecker<uint32_t>(1));
}

void
NocNetwork::AddTraceSources(TypeId& type)
{
    using N = NocNetwork;
    type.AddTraceSource("Inject", "A packet left its egress queue.",
                        MakeTraceSourceAccessor(&N::m_injected),
                        "ns3::NocNetwork::PacketCallback");
    type.AddTraceSource("Accept", "The sink of its destination took a packet.",
                        MakeTraceSourceAccessor(&N::m_accepted),
                        "ns3::NocNetwork::PacketCallback");
    type.AddTraceSource("Deflect", "A packet found no room and stays on its slot.",
                        MakeTraceSourceAccessor(&N::m_deflected),
                        "ns3::NocNetwork::PacketCallback");
    type.AddTraceSource("Occupancy", "The number of packets in a sink has changed.",
                        MakeTraceSourceAccessor(&N::m_occupied),
                        "ns3::NocNetwork::OccupancyCallback");
    type.AddTraceSource("Throttle", "The detector has changed the signal of a sink.",
                        MakeTraceSourceAccessor(&N::m_signalled),
                        "ns3::NocNetwork::ThrottleCallback");
}

// clang-format on

NocNetwork::NocNetwork() = default;
NocNetwork::~NocNetwork() = default;

void
NocNetwork::DoDispose()
{
    m_event.Cancel();
    m_engine.reset();
    m_throttle.reset();
    m_tracer.reset();
    Object::DoDispose();
}

void
NocNetwork::SetTopology(std::shared_ptr<const NocTopology> topology)
{
    m_topology = std::move(topology);
}

void
NocNetwork::SetRates(const std::vector<double>& rates)
{
    m_rates = rates;
}

void
NocNetwork::SetDestinations(const std::vector<std::vector<double>>& shares)
{
    m_destinations = shares;
}

void
NocNetwork::SetTrace(const std::string& path)
{
    m_trace.clear();
    m_traceFile = path;
    if (!path.empty())
    {
        if (!m_topology)
        {
            DcnFail(path, ": set the topology before the trace, whose nodes are checked");
        }
        m_trace = NocReadTrace(path, m_topology->GetNNodes());
        if (m_trace.empty())
        {
            DcnFail(path, ": the trace has no packet");
        }
    }
}

NocThrottleOptions
NocNetwork::GetPolicy(uint32_t& hitWindow) const
{
    NocThrottleOptions defaults;
    if (m_policy.rfind("tree", 0) == 0)
    {
        defaults.tree = std::make_shared<const MqlTree>(NocDetector::Read(
            m_tree.empty() ? DcnDataPath("models/noc-throttle/tree.csv") : m_tree));
    }
    else if (!m_tree.empty())
    {
        DcnFail("the tree ", m_tree, " has no effect: the policy is ", m_policy);
    }
    return NocThrottleOptions::Read(m_policy, std::move(defaults), hitWindow);
}

NocSystem
NocNetwork::GetSystem() const
{
    if (!m_topology)
    {
        DcnFail("the network on chip has no nodes: make it with NocHelper, or call SetTopology");
    }
    std::vector<uint32_t> memory;
    for (const std::string& text : DcnSplit(m_memory, '+'))
    {
        uint64_t node = 0;
        if (!DcnParse(text, node) || node >= m_topology->GetNNodes())
        {
            DcnFail("the memory controller \"",
                    text,
                    "\" is no node: there are ",
                    m_topology->GetNNodes(),
                    " nodes, from 0 on; join several by +");
        }
        memory.push_back(static_cast<uint32_t>(node));
    }
    NocSystem system = NocSystem::Cache(m_topology, memory, m_rate, m_burst, m_hitRate);
    system.isCache = m_isCache;
    if (!m_isCache && !memory.empty())
    {
        DcnFail("one layer (Cache=false) has no memory controllers, but MemoryControllers is \"",
                m_memory,
                "\"");
    }
    if (!m_rates.empty())
    {
        system.rates = m_rates;
    }
    system.destinations = m_destinations;
    system.trace = m_trace;
    system.traceFile = m_traceFile;
    system.egress = m_egress;
    system.transgress = m_transgress;
    system.ingress = m_ingress;
    system.cacheList = m_cacheList;
    system.cacheLatency = m_cacheLatency;
    system.memoryList = m_memoryList;
    system.memoryLatency = m_memoryLatency;
    system.memoryPeriod = m_memoryPeriod;
    system.hitWindow = m_hitWindow;
    system.missWindow = m_missWindow;
    GetPolicy(system.hitWindow);
    system.snoopRate = m_snoopRate;
    system.snoopLatency = m_snoopLatency;
    system.sinkService = m_sinkService;
    system.hitsPass = m_hitsPass;
    system.sharedRequests = m_sharedRequests;
    system.overflow = m_stalls ? NocSystem::Overflow::STALL : NocSystem::Overflow::DROP;
    system.Check();
    return system;
}

NocResult
NocNetwork::Estimate(const std::string& method) const
{
    if (method == "simulation")
    {
        return Simulate();
    }
    const DcnStopwatch watch;
    const NocModel model(GetSystem());
    uint32_t hitWindow = 0;
    if (GetPolicy(hitWindow).detector != NocThrottleOptions::Detector::NONE)
    {
        DcnFail("the models know no source throttling: simulate, or set Policy to none, not ",
                m_policy);
    }
    const NocAnswer answer = model.Solve(NocGetMethod(method));
    NocResult result;
    result.method = method;
    auto exactly = [](double value) { return CcevalInterval{value, value, value}; };
    result.request = exactly(answer.requestLatency);
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        result.layers[i] = exactly(answer.layers[i].latency);
        result.deflections += answer.layers[i].deflections;
        const NocLayerAnswer& layer = answer.layers[i];
        result.waits[i] = {layer.agentWaits, layer.coreWaits, layer.turnWaits, layer.pairs};
        for (double& latency : result.waits[i].pairs)
        {
            latency = latency > 0 ? latency : std::nan("");
        }
    }
    const NocLayerAnswer& requests = answer.layers[0];
    result.offered = requests.offered;
    result.isSaturated = answer.isSaturated;
    result.isNear = answer.isNear;
    result.throughput = std::min(requests.rate, answer.throughput);
    result.lost = 1 - result.throughput / requests.offered;
    result.binding = answer.binding;
    result.seconds = watch.Get().cpuSeconds;
    return result;
}

void
NocNetwork::CheckSimulation() const
{
    if (m_cycles == 0 || m_seeds == 0)
    {
        DcnFail("a simulation needs cycles and repetitions, but Cycles is ",
                m_cycles,
                " and Seeds is ",
                m_seeds);
    }
    const NocSystem system = GetSystem();
    if (system.trace.empty())
    {
        return;
    }
    const NocTraceEntry& last = system.trace.back();
    const uint64_t end = uint64_t{m_warmUp} + m_cycles;
    if (last.cycle >= end)
    {
        const auto late = std::find_if(system.trace.begin(),
                                       system.trace.end(),
                                       [end](const auto& entry) { return entry.cycle >= end; });
        DcnFail(system.Where(*late),
                "the packet of cycle ",
                late->cycle,
                " is not simulated, as WarmUp and Cycles are ",
                m_warmUp,
                " and ",
                m_cycles,
                ", but a model would count it: set Cycles to ",
                last.cycle + 1 - m_warmUp,
                " (--cycles), or cut the trace");
    }
    if (last.cycle < m_warmUp)
    {
        DcnFail(system.Where(last),
                "the last packet, of cycle ",
                last.cycle,
                ", comes within the WarmUp of ",
                m_warmUp,
                " cycles, so that nothing is measured: set a smaller WarmUp (--warmUp)");
    }
}

NocResult
NocNetwork::Simulate() const
{
    const DcnStopwatch watch;
    CheckSimulation();
    const NocSystem system = GetSystem();
    const uint32_t seeds = system.IsDrawn() ? m_seeds : 1;
    // random variables are ns-3 objects, which are made and released by one thread
    std::vector<std::unique_ptr<NocEngine>> engines;
    std::vector<std::unique_ptr<NocThrottle>> throttles;
    uint32_t hitWindow = 0;
    const NocThrottleOptions policy = GetPolicy(hitWindow);
    for (uint32_t i = 0; i < seeds; ++i)
    {
        engines.push_back(std::make_unique<NocEngine>(system, m_seed + i));
        throttles.push_back(std::make_unique<NocThrottle>(system, policy));
        if (policy.detector != NocThrottleOptions::Detector::NONE)
        {
            engines.back()->SetControl(throttles.back().get());
        }
    }
    DcnParallelFor(seeds, m_threads, [&](std::size_t i) {
        engines[i]->Run(m_warmUp);
        engines[i]->ResetStatistics(seeds == 1 ? std::max(1U, m_cycles / STRETCHES) : 0);
        engines[i]->Run(m_cycles);
    });
    std::vector<NocStatistics> all;
    for (const auto& engine : engines)
    {
        all.push_back(engine->GetStatistics());
    }
    NocResult result = Summarise(all);
    result.seconds = watch.Get().cpuSeconds;
    NS_LOG_INFO("simulated " << static_cast<double>(m_cycles) * seeds
                             << " cycles: " << result.request.estimate);
    return result;
}

NocResult
NocNetwork::Summarise(const std::vector<NocStatistics>& all) const
{
    NocResult result;
    result.method = "simulation";
    const auto cycles = static_cast<double>(m_cycles) * static_cast<double>(all.size());
    std::vector<double> request;
    std::vector<double> transaction;
    uint64_t generated = 0;
    uint64_t lost = 0;
    uint64_t accepted = 0;
    uint64_t refused = 0;
    std::array<std::vector<double>, NOC_LAYERS> layers;
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        result.waits[i] = {MeanOf(all, i, &NocLayerStatistics::agentWaits),
                           MeanOf(all, i, &NocLayerStatistics::coreWaits),
                           MeanOf(all, i, &NocLayerStatistics::turnWaits),
                           MeanOf(all, i, &NocLayerStatistics::pairs)};
    }
    for (const NocStatistics& each : all)
    {
        request.push_back(each.GetRequestLatency());
        transaction.push_back(each.transactions.GetMean());
        for (uint32_t i = 0; i < NOC_LAYERS; ++i)
        {
            const NocLayerStatistics& layer = each.layers[i];
            refused += layer.sinkRefusals + layer.transgressRefusals;
            if (layer.latency.n > 0)
            {
                layers[i].push_back(layer.latency.GetMean());
            }
        }
        generated += each.layers[0].generated;
        lost += each.layers[0].lost;
        accepted += each.layers[0].latency.n;
    }
    if (all.size() == 1)
    {
        // stretches of time in place of repetitions
        request = RequestStretches(all[0]);
        for (uint32_t i = 0; i < NOC_LAYERS; ++i)
        {
            layers[i] = MeansOf(all[0].layers[i].batches);
        }
    }
    result.request = CcevalMeanInterval(request, LEVEL);
    result.transaction = CcevalMeanInterval(transaction, LEVEL);
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        result.layers[i] = CcevalMeanInterval(layers[i], LEVEL);
    }
    result.offered = static_cast<double>(generated) / cycles;
    result.throughput = static_cast<double>(accepted) / cycles;
    result.deflections = static_cast<double>(refused) / cycles;
    result.lost = generated ? static_cast<double>(lost) / static_cast<double>(generated) : 0;
    const auto left = static_cast<double>(generated) - static_cast<double>(accepted + lost);
    result.isSaturated =
        left > LEFT_SHARE * static_cast<double>(generated) || result.lost > NocModel::MOST_LOST;
    return result;
}

void
NocNetwork::Start(Time start, Time duration)
{
    m_event.Cancel();
    if (start < Simulator::Now() || duration.IsStrictlyNegative())
    {
        DcnFail("the network on chip cannot start at ",
                start.GetSeconds(),
                " s for ",
                duration.GetSeconds(),
                " s: it is ",
                Simulator::Now().GetSeconds(),
                " s, and durations are not negative");
    }
    const NocSystem system = GetSystem();
    m_engine = std::make_unique<NocEngine>(system, m_seed);
    m_tracer = std::make_unique<Tracer>(*this);
    m_engine->SetObserver(m_tracer.get());
    uint32_t hitWindow = 0;
    const NocThrottleOptions policy = GetPolicy(hitWindow);
    m_throttle.reset();
    if (policy.detector != NocThrottleOptions::Detector::NONE)
    {
        m_throttle = std::make_unique<NocThrottle>(system, policy);
        m_throttle->SetListener([this](uint32_t cycle, uint32_t node, bool isCongested) {
            m_signalled(cycle, node, isCongested);
        });
        m_engine->SetControl(m_throttle.get());
    }
    if (!(m_frequency > 0 && std::isfinite(m_frequency)))
    {
        DcnFail("the frequency must be a positive number of cycles per second, but it is ",
                m_frequency);
    }
    m_start = start;
    m_last = static_cast<uint64_t>(std::llround(duration.GetSeconds() * m_frequency));
    m_event = Simulator::Schedule(start - Simulator::Now(), &NocNetwork::RunChunk, this);
}

void
NocNetwork::RunChunk()
{
    m_engine->Run(std::min<uint64_t>(m_chunk, m_last - m_engine->GetCycle()));
    if (m_engine->GetCycle() < m_last)
    {
        // from the start, so that rounding to ns-3's resolution does not add up
        const Time next =
            m_start + Seconds(static_cast<double>(m_engine->GetCycle()) / m_frequency);
        m_event = Simulator::Schedule(next - Simulator::Now(), &NocNetwork::RunChunk, this);
    }
}

const NocStatistics&
NocNetwork::GetStatistics() const
{
    if (!m_engine)
    {
        DcnFail("the network on chip has not been started: call Start before the simulation");
    }
    return m_engine->GetStatistics();
}

} // namespace ns3
