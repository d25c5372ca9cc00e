/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-engine.h"

#include "noc-traffic.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-random.h"
#include "ns3/log.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocEngine");

namespace
{

constexpr uint64_t NEVER = UINT64_MAX; //!< cycle of a packet that does not come

/// @return a stream of draws of a node
Ptr<UniformRandomVariable>
MakeDraws(const DcnRandom& random, DcnPurpose purpose, uint32_t node)
{
    auto draws = CreateObject<UniformRandomVariable>();
    random.Assign(draws, purpose, node);
    return draws;
}

} // namespace

double
NocStatistics::GetRequestLatency() const
{
    NocSum both = layers[static_cast<std::size_t>(NocLayer::REQUEST)].latency;
    const NocSum& memory = layers[static_cast<std::size_t>(NocLayer::MEMORY_REQUEST)].latency;
    both.n += memory.n;
    both.sum += memory.sum;
    return both.GetMean();
}

NocEngine::NocEngine(const NocSystem& system, uint64_t seed)
    : m_system(system),
      m_topology(*system.topology)
{
    m_system.Check();
    const uint32_t n = m_topology.GetNNodes();
    const DcnRandom random(seed);
    m_layers.resize(NOC_LAYERS);
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        Layer& layer = m_layers[i];
        layer.name = static_cast<NocLayer>(i);
        layer.slots.assign(m_topology.GetNLanes(), NONE);
        layer.offsets.assign(m_topology.GetNLoops(), 0);
        layer.waiting.assign(m_topology.GetNLanes(), 0);
        layer.busy.assign(m_topology.GetNLoops(), 0);
        layer.lanes.resize(m_topology.GetNLanes());
        layer.sinks.resize(n);
        layer.accepted.assign(n, 0);
    }
    m_lists.resize(n);
    m_snoops.resize(n);
    m_services.resize(n);
    m_controllers.resize(n);
    m_sourceOf.assign(n, NONE);
    for (uint32_t node = 0; node < n; ++node)
    {
        m_isMemory.push_back(m_system.IsMemory(node));
        if (!m_isMemory[node])
        {
            m_cores.push_back(node);
        }
        const uint32_t room = m_isMemory[node] ? m_system.memoryList : m_system.cacheList;
        m_lists[node].set_capacity(std::min<uint32_t>(room, 1U << 16));
        if (m_system.snoopRate > 0)
        {
            m_snoops[node].set_capacity(std::min<uint32_t>(m_system.cacheList, 1U << 16));
        }
        m_services[node] = MakeDraws(random, DcnPurpose::NOC_SERVICE, node);
        m_controllers[node] = MakeDraws(random, DcnPurpose::NOC_CONTROLLER, node);
        const bool isTraced = !m_system.trace.empty();
        if (!isTraced && m_system.rates[node] <= 0)
        {
            continue;
        }
        Source source;
        source.node = node;
        source.next = NEVER;
        source.choice = MakeDraws(random, DcnPurpose::NOC_DESTINATIONS, node);
        source.hits = MakeDraws(random, DcnPurpose::NOC_HITS, node);
        source.isUniform = m_system.destinations.empty();
        if (!isTraced)
        {
            source.gaps = MakeDraws(random, DcnPurpose::NOC_ARRIVALS, node);
            StartArrivals(source, m_system.rates[node]);
            double sum = 0;
            for (double share : m_system.GetShares(node))
            {
                source.cumulated.push_back(sum += share);
            }
        }
        m_sourceOf[node] = static_cast<uint32_t>(m_sources.size());
        m_sources.push_back(std::move(source));
    }
    ResetStatistics();
}

NocEngine::~NocEngine() = default;

void
NocEngine::StartArrivals(Source& source, double rate)
{
    source.arrivals =
        std::make_unique<NocGgeoSource>(rate, m_system.bursts[source.node], source.gaps);
    // the first gap is drawn like all others; 0 would begin within a batch
    uint32_t gap = 0;
    while (gap == 0)
    {
        gap = source.arrivals->DrawGap();
    }
    source.next = uint64_t{m_cycle} + gap - 1;
}

void
NocEngine::SetRates(const std::vector<double>& rates)
{
    if (!m_system.trace.empty())
    {
        DcnFail("rates cannot be set: the packets of cores come from a trace");
    }
    if (rates.size() != m_topology.GetNNodes())
    {
        DcnFail("there are ", rates.size(), " rates for ", m_topology.GetNNodes(), " nodes");
    }
    for (std::size_t node = 0; node < rates.size(); ++node)
    {
        const bool isSource = m_sourceOf[node] != NONE;
        if (isSource ? !(rates[node] > 0 && rates[node] < 1) : rates[node] != 0)
        {
            DcnFail("the rate of node ",
                    node,
                    isSource ? " must be above 0 and below 1, but it is "
                             : " must be 0, for it has no source, but it is ",
                    rates[node]);
        }
    }
    for (Source& source : m_sources)
    {
        StartArrivals(source, rates[source.node]);
    }
}

void
NocEngine::ResetStatistics(uint32_t batch)
{
    m_batch = batch;
    m_reset = m_cycle;
    const std::size_t n = m_topology.GetNNodes();
    m_statistics = NocStatistics();
    m_statistics.layers.resize(NOC_LAYERS);
    m_statistics.perCore.assign(n, 0);
    m_statistics.missesPerCore.assign(n, 0);
    for (NocLayerStatistics& layer : m_statistics.layers)
    {
        layer.pairs.resize(n * n);
        for (auto* waits : {&layer.agentWaits, &layer.coreWaits, &layer.turnWaits})
        {
            waits->resize(m_topology.GetNLanes());
        }
        layer.accepted.assign(n, 0);
        layer.refused.assign(n, 0);
    }
}

uint64_t
NocEngine::GetNInside() const
{
    return m_packets.size() - m_unused.size();
}

uint32_t
NocEngine::GetOccupancy(NocLayer layer, uint32_t node) const
{
    return m_layers[static_cast<std::size_t>(layer)].sinks[node].GetSize();
}

uint32_t
NocEngine::NewPacket(Layer& layer,
                     uint32_t source,
                     uint32_t destination,
                     uint32_t generated,
                     uint32_t started,
                     uint32_t core,
                     bool isMiss)
{
    if (m_unused.empty())
    {
        m_unused.push_back(static_cast<uint32_t>(m_packets.size()));
        m_packets.emplace_back();
    }
    const uint32_t packet = m_unused.back();
    m_unused.pop_back();
    ++layer.nGenerated;
    ++StatisticsOf(layer.name).generated;
    m_packets[packet] = {generated,
                         m_cycle,
                         generated,
                         m_cycle,
                         started,
                         static_cast<uint16_t>(source),
                         static_cast<uint16_t>(destination),
                         static_cast<uint16_t>(m_topology.GetLeg(source, destination).exit),
                         static_cast<uint16_t>(core),
                         0,
                         isMiss};
    return packet;
}

bool
NocEngine::HasRoom(NocLayer layer, uint32_t node, uint32_t destination)
{
    const Layer& network = m_layers[static_cast<std::size_t>(layer)];
    return network.lanes[m_topology.GetLeg(node, destination).lane].agent.GetSize() <
           m_system.egress;
}

void
NocEngine::Send(NocLayer layer, uint32_t node, uint32_t destination, const Entry& entry)
{
    Layer& network = m_layers[static_cast<std::size_t>(layer)];
    const uint32_t lane = m_topology.GetLeg(node, destination).lane;
    network.lanes[lane].agent.Push(
        NewPacket(network, node, destination, m_cycle, entry.started, entry.core, entry.isMiss));
    ++network.waiting[lane];
    ++network.busy[m_topology.GetLoop(lane)];
}

NocEngine::Packet
NocEngine::Take(Layer& layer, uint32_t node)
{
    const uint32_t packet = layer.sinks[node].Pop();
    ++layer.nTaken;
    m_unused.push_back(packet);
    if (m_observer)
    {
        m_observer->Occupied(m_cycle, layer.name, node, layer.sinks[node].GetSize());
    }
    return m_packets[packet];
}

void
NocEngine::RunAgents()
{
    Layer& requests = m_layers[static_cast<std::size_t>(NocLayer::REQUEST)];
    if (!m_system.isCache)
    {
        for (uint32_t node : m_cores)
        {
            if (!requests.sinks[node].IsEmpty() &&
                (m_system.sinkService >= 1 ||
                 m_services[node]->GetValue(0, 1) < m_system.sinkService))
            {
                Take(requests, node);
            }
        }
        return;
    }
    Layer& data = m_layers[static_cast<std::size_t>(NocLayer::DATA)];
    Layer& acknowledgements = m_layers[static_cast<std::size_t>(NocLayer::ACKNOWLEDGEMENT)];
    for (uint32_t node : m_cores)
    {
        if (!data.sinks[node].IsEmpty())
        {
            const Packet packet = Take(data, node);
            m_statistics.transactions.Add(m_cycle - packet.started);
            m_statistics.misses += packet.isMiss;
            ++m_statistics.perCore[node];
            m_statistics.missesPerCore[node] += packet.isMiss;
            if (m_system.HasWindows())
            {
                Source& source = m_sources[m_sourceOf[node]];
                --(packet.isMiss ? source.missesUnderWay : source.hitsUnderWay);
            }
        }
        if (!acknowledgements.sinks[node].IsEmpty())
        {
            Take(acknowledgements, node);
        }
        if (m_system.snoopRate > 0)
        {
            RunOwner(node);
        }
        RunCache(node);
    }
    for (uint32_t node : m_system.memoryControllers)
    {
        RunMemory(node);
    }
}

bool
NocEngine::IssueEntry(uint32_t node, const Entry& entry)
{
    if (!entry.isMiss)
    {
        const NocLayer first = entry.isSnooped ? NocLayer::SNOOP : NocLayer::DATA;
        const uint32_t destination = entry.isSnooped ? entry.third : entry.core;
        if (!HasRoom(first, node, destination) ||
            !HasRoom(NocLayer::ACKNOWLEDGEMENT, node, entry.core))
        {
            return false;
        }
        Send(first, node, destination, entry);
        Send(NocLayer::ACKNOWLEDGEMENT, node, entry.core, entry);
        return true;
    }
    const NocLayer layer = m_system.sharedRequests ? NocLayer::REQUEST : NocLayer::MEMORY_REQUEST;
    if (!HasRoom(layer, node, entry.third))
    {
        return false;
    }
    Send(layer, node, entry.third, entry);
    return true;
}

void
NocEngine::DrawThird(uint32_t node, Entry& entry)
{
    const Ptr<UniformRandomVariable>& draws = m_controllers[node];
    if (entry.isMiss)
    {
        const auto last = static_cast<uint32_t>(m_system.memoryControllers.size() - 1);
        entry.third = static_cast<uint16_t>(m_system.memoryControllers[draws->GetInteger(0, last)]);
    }
    else if (m_system.snoopRate > 0 && draws->GetValue(0, 1) < m_system.snoopRate)
    {
        entry.isSnooped = true;
        do
        {
            const auto last = static_cast<uint32_t>(m_cores.size() - 1);
            entry.third = static_cast<uint16_t>(m_cores[draws->GetInteger(0, last)]);
        } while (entry.third == node || entry.third == entry.core);
    }
}

void
NocEngine::RunOwner(uint32_t node)
{
    auto& list = m_snoops[node];
    if (!list.empty() && list.front().ready <= m_cycle &&
        HasRoom(NocLayer::DATA, node, list.front().core))
    {
        Send(NocLayer::DATA, node, list.front().core, list.front());
        list.pop_front();
    }
    Layer& snoops = m_layers[static_cast<std::size_t>(NocLayer::SNOOP)];
    if (!list.full() && !snoops.sinks[node].IsEmpty())
    {
        const Packet packet = Take(snoops, node);
        list.push_back(
            {m_cycle + m_system.snoopLatency, packet.started, packet.core, 0, false, true});
    }
}

void
NocEngine::RunCache(uint32_t node)
{
    auto& list = m_lists[node];
    for (auto entry = list.begin(); entry != list.end() && entry->ready <= m_cycle; ++entry)
    {
        // hits pass misses only: the first ready entry, or behind it the first ready hit
        if (entry != list.begin() && entry->isMiss)
        {
            continue;
        }
        if (IssueEntry(node, *entry))
        {
            list.erase(entry);
            break;
        }
        if (!m_system.hitsPass)
        {
            break;
        }
    }
    Layer& requests = m_layers[static_cast<std::size_t>(NocLayer::REQUEST)];
    if (list.size() < m_system.cacheList && !requests.sinks[node].IsEmpty())
    {
        const Packet packet = Take(requests, node);
        if (m_control)
        {
            m_control->Depart(m_cycle, node, requests.sinks[node].GetSize());
        }
        // an entry keeps its controller or owner while it waits
        Entry entry{m_cycle + m_system.cacheLatency,
                    packet.started,
                    packet.core,
                    0,
                    packet.isMiss,
                    false};
        DrawThird(node, entry);
        list.push_back(entry);
    }
}

void
NocEngine::RunMemory(uint32_t node)
{
    auto& list = m_lists[node];
    if (!list.empty() && list.front().ready <= m_cycle &&
        HasRoom(NocLayer::DATA, node, list.front().core))
    {
        Send(NocLayer::DATA, node, list.front().core, list.front());
        list.pop_front();
    }
    Layer& requests = m_layers[static_cast<std::size_t>(
        m_system.sharedRequests ? NocLayer::REQUEST : NocLayer::MEMORY_REQUEST)];
    if (m_cycle % m_system.memoryPeriod == 0 && list.size() < m_system.memoryList &&
        !requests.sinks[node].IsEmpty())
    {
        const Packet packet = Take(requests, node);
        if (m_control)
        {
            m_control->Depart(m_cycle, node, requests.sinks[node].GetSize());
        }
        list.push_back({m_cycle + m_system.memoryLatency,
                        packet.started,
                        packet.core,
                        static_cast<uint16_t>(node),
                        true,
                        false});
        ++m_statistics.memoryReads;
    }
}

uint32_t
NocEngine::DrawDestination(const Source& source)
{
    const double u = source.choice->GetValue(0, 1);
    if (source.isUniform && m_system.isCache)
    {
        // one of the other cores
        const auto others = static_cast<double>(m_cores.size() - 1);
        auto which = std::min(static_cast<std::size_t>(u * others), m_cores.size() - 2);
        const auto own = static_cast<std::size_t>(
            std::lower_bound(m_cores.begin(), m_cores.end(), source.node) - m_cores.begin());
        which += which >= own;
        return m_cores[which];
    }
    const auto place = std::upper_bound(source.cumulated.begin(), source.cumulated.end(), u);
    if (place != source.cumulated.end())
    {
        return static_cast<uint32_t>(place - source.cumulated.begin());
    }
    // the last node with a share, as the sum may be a rounding error below 1
    const auto last =
        std::lower_bound(source.cumulated.begin(), source.cumulated.end(), source.cumulated.back());
    return static_cast<uint32_t>(last - source.cumulated.begin());
}

bool
NocEngine::Generate(const Source& source, uint32_t destination, uint32_t generated, bool isMiss)
{
    Layer& layer = m_layers[static_cast<std::size_t>(NocLayer::REQUEST)];
    const uint32_t lane = m_topology.GetLeg(source.node, destination).lane;
    Fifo& egress = layer.lanes[lane].core;
    if (egress.GetSize() >= m_system.egress)
    {
        return false;
    }
    egress.Push(
        NewPacket(layer, source.node, destination, generated, generated, source.node, isMiss));
    ++layer.waiting[lane];
    ++layer.busy[m_topology.GetLoop(lane)];
    return true;
}

void
NocEngine::RunSources()
{
    NocLayerStatistics& statistics = StatisticsOf(NocLayer::REQUEST);
    auto offer = [&](Source& source, uint32_t destination) {
        const bool isMiss = m_system.hitRate < 1 && source.hits->GetValue(0, 1) >= m_system.hitRate;
        if (m_system.HasWindows())
        {
            uint32_t& underWay = isMiss ? source.missesUnderWay : source.hitsUnderWay;
            uint32_t window = isMiss ? m_system.missWindow : m_system.hitWindow;
            if (m_control && !isMiss)
            {
                window = std::min(window, m_control->GetHitWindow());
            }
            if (underWay >= window)
            {
                ++m_statistics.refusedRequests;
                return;
            }
            ++underWay;
            source.held.push_back({m_cycle, static_cast<uint16_t>(destination), isMiss});
        }
        else if (m_system.overflow == NocSystem::Overflow::STALL)
        {
            source.held.push_back({m_cycle, static_cast<uint16_t>(destination), isMiss});
        }
        else if (!Generate(source, destination, m_cycle, isMiss))
        {
            ++statistics.generated;
            ++statistics.lost;
        }
    };
    for (Source& source : m_sources)
    {
        while (source.next == m_cycle)
        {
            offer(source, DrawDestination(source));
            source.next += source.arrivals->DrawGap();
        }
        if (m_system.HasWindows())
        {
            IssueRequest(source);
            continue;
        }
        // stalled packets, in their order
        while (!source.held.empty() && Generate(source,
                                                source.held.front().destination,
                                                source.held.front().generated,
                                                source.held.front().isMiss))
        {
            source.held.pop_front();
        }
    }
    for (; m_traced < m_system.trace.size() && m_system.trace[m_traced].cycle <= m_cycle;
         ++m_traced)
    {
        const NocTraceEntry& entry = m_system.trace[m_traced];
        const auto source =
            std::find_if(m_sources.begin(), m_sources.end(), [&entry](const Source& each) {
                return each.node == entry.source;
            });
        offer(*source, entry.destination);
    }
}

void
NocEngine::IssueRequest(Source& source)
{
    std::size_t most = std::min<std::size_t>(source.held.size(), m_system.lookAhead);
    if (m_control)
    {
        most = std::min<std::size_t>(most, m_control->GetLookAhead());
    }
    for (std::size_t i = 0; i < most; ++i)
    {
        const Held& held = source.held[i];
        if ((!m_control || m_control->MayIssue(source.node, held.destination)) &&
            Generate(source, held.destination, held.generated, held.isMiss))
        {
            source.held.erase(source.held.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
    }
}

bool
NocEngine::Eject(Layer& layer, uint32_t number, uint32_t node)
{
    Packet& packet = m_packets[number];
    NocLayerStatistics& statistics = StatisticsOf(layer.name);
    auto refuse = [&](uint64_t& refusals) {
        ++refusals;
        statistics.mostDeflections = std::max(statistics.mostDeflections, ++packet.deflections);
        if (m_observer)
        {
            m_observer->Deflected(m_cycle, layer.name, packet.source, packet.destination, node);
        }
        return false;
    };
    if (packet.destination != node)
    {
        const NocTopology::Leg& leg = m_topology.GetLeg(node, packet.destination);
        Fifo& turning = layer.lanes[leg.lane].turning;
        if (turning.GetSize() >= m_system.transgress)
        {
            return refuse(statistics.transgressRefusals);
        }
        packet.exit = static_cast<uint16_t>(leg.exit);
        packet.queued = m_cycle;
        turning.Push(number);
        ++layer.waiting[leg.lane];
        ++layer.busy[m_topology.GetLoop(leg.lane)];
        return true;
    }
    Fifo& sink = layer.sinks[node];
    if (m_control && (layer.name == NocLayer::REQUEST || layer.name == NocLayer::MEMORY_REQUEST))
    {
        m_control->Attempt(m_cycle,
                           node,
                           sink.GetSize() < m_system.ingress,
                           sink.GetSize(),
                           packet.issued);
    }
    if (sink.GetSize() >= m_system.ingress)
    {
        ++statistics.refused[node];
        // with layers of their own, what a sink waits for always comes: under overload a sink may
        // starve for long while others are served, but it is not locked
        if (m_system.sharedRequests && m_cycle - layer.accepted[node] >= PATIENCE)
        {
            FailLocked(layer, node);
        }
        return refuse(statistics.sinkRefusals);
    }
    sink.Push(number);
    m_lastAcceptance = layer.accepted[node] = m_cycle;
    const uint32_t latency = m_cycle - packet.generated;
    ++statistics.accepted[node];
    statistics.latency.Add(latency);
    statistics.network.Add(m_cycle - packet.injected);
    statistics
        .pairs[static_cast<std::size_t>(packet.source) * m_topology.GetNNodes() +
               packet.destination]
        .Add(latency);
    if (m_batch > 0)
    {
        const uint32_t batch = (m_cycle - m_reset) / m_batch;
        if (batch >= statistics.batches.size())
        {
            statistics.batches.resize(batch + 1);
        }
        statistics.batches[batch].Add(latency);
    }
    if (m_observer)
    {
        m_observer->Accepted(m_cycle, layer.name, packet.source, packet.destination, latency);
        m_observer->Occupied(m_cycle, layer.name, node, sink.GetSize());
    }
    return true;
}

void
NocEngine::FailLocked(const Layer& layer, uint32_t node) const
{
    DcnFail("the network on chip is in a deadlock: the ",
            NocGetLayerName(layer.name),
            " sink of node ",
            node,
            " is full and has accepted no packet from cycle ",
            layer.accepted[node],
            " to ",
            m_cycle,
            "; give memory requests a layer of their own");
}

void
NocEngine::Inject(Layer& layer, uint32_t lane, uint32_t slot)
{
    Lane& queues = layer.lanes[lane];
    NocLayerStatistics& statistics = StatisticsOf(layer.name);
    Fifo* from = nullptr;
    std::vector<NocSum>* waits = nullptr;
    // a packet that turned in this cycle waits for the next one
    if (!queues.turning.IsEmpty() && m_packets[queues.turning.Front()].queued < m_cycle)
    {
        from = &queues.turning;
        waits = &statistics.turnWaits;
    }
    else if (!queues.agent.IsEmpty())
    {
        from = &queues.agent;
        waits = &statistics.agentWaits;
    }
    else if (!queues.core.IsEmpty())
    {
        from = &queues.core;
        waits = &statistics.coreWaits;
    }
    else
    {
        return;
    }
    const uint32_t number = from->Pop();
    Packet& packet = m_packets[number];
    --layer.waiting[lane];
    ++layer.nOnSlots;
    layer.slots[slot] = number;
    (*waits)[lane].Add(m_cycle - packet.queued);
    if (from != &queues.turning)
    {
        packet.injected = m_cycle;
        statistics.longestWait = std::max(statistics.longestWait, m_cycle - packet.queued);
        if (m_observer)
        {
            m_observer->Injected(m_cycle, layer.name, packet.source, packet.destination);
        }
    }
}

void
NocEngine::RunLayer(Layer& layer)
{
    for (uint32_t loop = 0; loop < m_topology.GetNLoops(); ++loop)
    {
        const uint32_t first = m_topology.GetFirst(loop);
        const uint32_t end = m_topology.GetFirst(loop + 1);
        uint32_t& offset = layer.offsets[loop];
        if (layer.busy[loop] > 0)
        {
            uint32_t slot = first + offset;
            for (uint32_t lane = first; lane < end; ++lane)
            {
                uint32_t& packet = layer.slots[slot];
                if (packet != NONE)
                {
                    const uint32_t node = m_topology.GetNode(lane);
                    // a ride begins on a slot after the ejections, so it is at least a hop old
                    if (m_packets[packet].exit == node && Eject(layer, packet, node))
                    {
                        packet = NONE;
                        --layer.nOnSlots;
                        --layer.busy[loop];
                    }
                }
                if (packet == NONE && layer.waiting[lane] > 0)
                {
                    Inject(layer, lane, slot);
                }
                slot = slot + 1 < end ? slot + 1 : first;
            }
        }
        // the slot at position 0 is next at position 1
        offset = offset > 0 ? offset - 1 : end - first - 1;
    }
}

void
NocEngine::Run(uint64_t cycles)
{
    for (uint64_t i = 0; i < cycles; ++i)
    {
        if (m_control)
        {
            m_control->Begin(m_cycle);
        }
        RunAgents();
        RunSources();
        uint64_t onSlots = 0;
        for (Layer& layer : m_layers)
        {
            if (layer.nGenerated == layer.nTaken)
            {
                continue; // empty: which slots pass does not matter
            }
            RunLayer(layer);
            onSlots += layer.nOnSlots;
        }
        if (onSlots == 0)
        {
            m_lastAcceptance = m_cycle;
        }
        else if (m_cycle - m_lastAcceptance >= PATIENCE)
        {
            DcnFail("the network on chip is in a deadlock: ",
                    onSlots,
                    " packets are on slots, but none was accepted from cycle ",
                    m_lastAcceptance,
                    " to ",
                    m_cycle,
                    m_system.sharedRequests ? "; give memory requests a layer of their own" : "");
        }
        NS_ASSERT_MSG(m_cycle % 64 != 0 || IsConsistent(), "a packet got lost before " << m_cycle);
        ++m_cycle;
        ++m_statistics.cycles;
    }
    NS_LOG_INFO("cycle " << m_cycle << ": " << GetNInside() << " packets inside");
}

std::string
NocEngine::GetRecord()
{
    constexpr uint64_t CYCLES = 3000;
    auto share = [](NocTopology&& topology) {
        return std::make_shared<const NocTopology>(std::move(topology));
    };
    NocSystem small = NocSystem::Cache(share(NocTopology::Mesh(4, 4)), {4, 7}, 0.11, 0.3, 0.6);
    small.egress = small.transgress = 3;
    small.ingress = 2;
    NocSystem windows = NocSystem::Cache(share(NocTopology::Mesh(3, 5)), {5}, 0.9, 0, 0.8);
    windows.hitsPass = true;
    windows.hitWindow = 12;
    windows.missWindow = 4;
    windows.snoopRate = 0.3;
    NocSystem torus = NocSystem::OneLayer(share(NocTopology::Torus(4, 3)), 0.6, 0.1);
    torus.sinkService = 0.7;
    torus.ingress = torus.transgress = torus.egress = 4;
    torus.overflow = NocSystem::Overflow::STALL;
    NocSystem graph = NocSystem::OneLayer(
        share(NocTopology::FromLinks(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}})),
        0.4,
        0.2);
    const std::pair<const char*, NocSystem> systems[] = {{"small queues", small},
                                                         {"windows", windows},
                                                         {"torus", torus},
                                                         {"graph", graph}};
    std::ostringstream out;
    for (const auto& [name, system] : systems)
    {
        NocEngine engine(system, 1);
        engine.Run(CYCLES);
        const NocStatistics& all = engine.GetStatistics();
        out << name << ": transactions " << all.transactions.n << " in " << all.transactions.sum
            << ", misses " << all.misses << ", reads " << all.memoryReads << ", refused "
            << all.refusedRequests;
        for (const NocLayerStatistics& layer : all.layers)
        {
            out << "; " << layer.generated << ' ' << layer.lost << ' ' << layer.latency.n << ' '
                << layer.latency.sum << ' ' << layer.network.sum << ' ' << layer.sinkRefusals << ' '
                << layer.transgressRefusals << ' ' << layer.longestWait;
        }
        out << '\n';
    }
    return out.str();
}

const std::string&
NocEngine::GetDigest()
{
    static const std::string digest = DcnHashText(GetRecord());
    NS_LOG_INFO("digest of the simulator: " << digest);
    return digest;
}

bool
NocEngine::IsConsistent() const
{
    uint64_t inside = 0;
    bool good = true;
    for (const Layer& layer : m_layers)
    {
        uint64_t n = layer.nOnSlots;
        good = good &&
               layer.slots.size() - static_cast<std::size_t>(
                                        std::count(layer.slots.begin(), layer.slots.end(), NONE)) ==
                   layer.nOnSlots;
        for (const Lane& lane : layer.lanes)
        {
            n += lane.turning.GetSize() + lane.agent.GetSize() + lane.core.GetSize();
            good = good && lane.turning.GetSize() <= m_system.transgress &&
                   lane.agent.GetSize() <= m_system.egress &&
                   lane.core.GetSize() <= m_system.egress;
        }
        for (const Fifo& sink : layer.sinks)
        {
            n += sink.GetSize();
            good = good && sink.GetSize() <= m_system.ingress;
        }
        good = good && layer.nGenerated == layer.nTaken + n;
        inside += n;
    }
    return good && inside == GetNInside();
}

} // namespace ns3
