/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-history.h"

#include "../topology/parsimon-link-scenario.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonLeanHistory");

namespace
{

using Names = ParsimonLeanState::Names;

constexpr uint32_t NONE = ParsimonLeanEngine::NONE;

/// Properties of a link's endpoints that depend on its other endpoints.
struct Ends
{
    /**
     * @param link a link topology
     */
    explicit Ends(const ParsimonLink& link)
        : isSplit(link.FindSplitSources()),
          nics(link.NumberNics())
    {
        for (std::size_t i = 0; i < link.sources.size(); ++i)
        {
            if (nics[i] == leastNs.size())
            {
                leastNs.push_back(link.sources[i].delayNs);
            }
            leastNs[nics[i]] = std::min(leastNs[nics[i]], link.sources[i].delayNs);
        }
        for (const auto& destination : link.destinations)
        {
            nearestNs = std::min(nearestNs, destination.delayNs);
        }
    }

    std::vector<bool> isSplit;    //!< by source
    std::vector<uint32_t> nics;   //!< by source
    std::vector<int64_t> leastNs; //!< by NIC: delay of its nearest source [ns]
    int64_t nearestNs{std::numeric_limits<int64_t>::max()}; //!< of the nearest destination [ns]
};

/// Finds equal flows and ends of two topologies of a link.
class Match
{
  public:
    /**
     * @param before one topology
     * @param now another one of the same target
     */
    Match(const ParsimonLink& before, const ParsimonLink& now)
        : m_before(before),
          m_now(now),
          m_endsBefore(before),
          m_endsNow(now)
    {
        names.flows.assign(now.flows.size(), NONE);
        names.nics.assign(m_endsNow.leastNs.size(), NONE);
        names.sources.assign(now.sources.size(), NONE);
        names.destinations.assign(now.destinations.size(), NONE);
        numbers.flows.assign(before.flows.size(), NONE);
        numbers.nics.assign(m_endsBefore.leastNs.size(), NONE);
        numbers.sources.assign(before.sources.size(), NONE);
        numbers.destinations.assign(before.destinations.size(), NONE);
        if (before.position != now.position || before.capacityBps != now.capacityBps ||
            before.availableBps != now.availableBps || before.delayNs != now.delayNs ||
            m_endsBefore.nearestNs != m_endsNow.nearestNs)
        {
            return;
        }
        std::size_t next = 0; // flow before
        for (uint32_t i = 0; i < now.flows.size(); ++i)
        {
            const int64_t startNs = now.flows[i].startNs;
            while (next < before.flows.size() && before.flows[next].startNs < startNs)
            {
                ++next;
            }
            for (std::size_t j = next;
                 j < before.flows.size() && before.flows[j].startNs == startNs;
                 ++j)
            {
                if (IsSame(static_cast<uint32_t>(j), i))
                {
                    next = j + 1;
                    break;
                }
            }
        }
    }

    Names names;   //!< now to before
    Names numbers; //!< before to now

  private:
    /// Whether two flows are equal; if so, pairs them and their ends.
    bool IsSame(uint32_t before, uint32_t now)
    {
        const ParsimonLinkFlow& a = m_before.flows[before];
        const ParsimonLinkFlow& b = m_now.flows[now];
        const uint32_t nicA = m_endsBefore.nics[a.source];
        const uint32_t nicB = m_endsNow.nics[b.source];
        auto isSameEnd = [](const ParsimonEndpoint& one, const ParsimonEndpoint& other) {
            return one.host == other.host && one.rateBps == other.rateBps &&
                   one.delayNs == other.delayNs;
        };
        if (a.GetId() != b.GetId() || a.sizeBytes != b.sizeBytes || a.paceBps != b.paceBps ||
            !isSameEnd(m_before.sources[a.source], m_now.sources[b.source]) ||
            !isSameEnd(m_before.destinations[a.destination], m_now.destinations[b.destination]) ||
            m_endsBefore.isSplit[a.source] != m_endsNow.isSplit[b.source] ||
            m_endsBefore.leastNs[nicA] != m_endsNow.leastNs[nicB] ||
            !CanPair(&Names::nics, nicA, nicB) || !CanPair(&Names::sources, a.source, b.source) ||
            !CanPair(&Names::destinations, a.destination, b.destination))
        {
            return false;
        }
        Pair(&Names::nics, nicA, nicB);
        Pair(&Names::sources, a.source, b.source);
        Pair(&Names::destinations, a.destination, b.destination);
        Pair(&Names::flows, before, now);
        return true;
    }

    using List = std::vector<uint32_t> Names::*; //!< of flows, NICs, sources or destinations

    bool CanPair(List list, uint32_t before, uint32_t now) const
    {
        return (numbers.*list)[before] == now ||
               ((numbers.*list)[before] == NONE && (names.*list)[now] == NONE);
    }

    void Pair(List list, uint32_t before, uint32_t now)
    {
        (numbers.*list)[before] = now;
        (names.*list)[now] = before;
    }

    const ParsimonLink& m_before; //!< one topology
    const ParsimonLink& m_now;    //!< the other
    const Ends m_endsBefore;      //!< ends of m_before
    const Ends m_endsNow;         //!< ends of m_now
};

/**
 * @brief Compute the missing ideal completion times.
 * @param link the topology
 * @param network the configuration
 * @param idealNs by flow; negative where it is missing [ns]
 */
void
AddIdealFcts(const ParsimonLink& link,
             const DcnNetworkParameters& network,
             std::vector<int64_t>& idealNs)
{
    ParsimonLink rest = link;
    rest.flows.clear();
    rest.sources.clear();
    rest.destinations.clear();
    const std::vector<uint32_t> nics = link.NumberNics();
    std::vector<char> isUsed(link.sources.size(), 0); // by source: in use
    for (std::size_t i = 0; i < idealNs.size(); ++i)
    {
        if (idealNs[i] < 0)
        {
            rest.flows.push_back(link.flows[i]);
            isUsed[nics[link.flows[i].source]] = 1;
        }
    }
    if (rest.flows.empty())
    {
        return;
    }
    std::vector<uint32_t> sources(link.sources.size(), NONE);
    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        if (isUsed[nics[i]])
        {
            sources[i] = static_cast<uint32_t>(rest.sources.size());
            rest.sources.push_back(link.sources[i]);
        }
    }
    std::vector<uint32_t> destinations(link.destinations.size(), NONE);
    for (ParsimonLinkFlow& flow : rest.flows)
    {
        flow.source = sources[flow.source];
        uint32_t& destination = destinations[flow.destination];
        if (destination == NONE)
        {
            destination = static_cast<uint32_t>(rest.destinations.size());
            rest.destinations.push_back(link.destinations[flow.destination]);
        }
        flow.destination = destination;
    }
    const std::vector<int64_t> restNs = ParsimonIdealFcts(rest, network);
    std::size_t next = 0;
    for (int64_t& each : idealNs)
    {
        each = each < 0 ? restNs[next++] : each;
    }
}

} // namespace

ParsimonLeanHistory::ParsimonLeanHistory(const ParsimonLink& link,
                                         const ParsimonLeanEngine::Options& options)
    : m_link(link)
{
    ParsimonLeanEngine engine(m_link, options);
    const Names own(m_link);
    const bool canResume =
        DcnCongestionControl::Create(*options.network, 1'000'000'000, 1)->AsReplayable();
    uint64_t latest = 0;
    engine.RunUntil([&](uint32_t flow) {
        if (!canResume)
        {
            return true;
        }
        const uint64_t grain = engine.IsIdle() ? GRAIN / 8 : GRAIN; // idle states are short
        if (flow == 0 || engine.GetNPackets() - latest >= grain)
        {
            latest = engine.GetNPackets();
            const uint64_t queueBytes = engine.TakeQueueBytes();
            if (!m_states.empty())
            {
                m_states.back().queueBytes = queueBytes;
            }
            m_result.queueBytes = std::max(m_result.queueBytes, queueBytes);
            m_states.push_back({flow, ParsimonLeanState(engine, own), 0});
        }
        return true;
    });
    const uint64_t queueBytes = engine.TakeQueueBytes();
    if (!m_states.empty())
    {
        m_states.back().queueBytes = queueBytes;
    }
    m_result.queueBytes = std::max(m_result.queueBytes, queueBytes);
    m_result.fctNs = std::move(engine.GetFctNs());
    m_result.idealNs = ParsimonIdealFcts(m_link, *options.network);
}

const ParsimonLinkResult&
ParsimonLeanHistory::GetResult() const
{
    return m_result;
}

std::size_t
ParsimonLeanHistory::GetNStates() const
{
    return m_states.size();
}

const ParsimonLeanHistory::Kept*
ParsimonLeanHistory::FindUpTo(uint32_t flow) const
{
    auto later =
        std::upper_bound(m_states.begin(), m_states.end(), flow, [](uint32_t f, const Kept& kept) {
            return f < kept.flow;
        });
    return later == m_states.begin() ? nullptr : &*(later - 1);
}

uint64_t
ParsimonLeanHistory::GetQueueBytes(const Kept* first, const Kept* last) const
{
    uint64_t bytes = 0;
    const Kept* const end = last ? last : m_states.data() + m_states.size();
    for (const Kept* kept = first; kept < end; ++kept)
    {
        bytes = std::max(bytes, kept->queueBytes);
    }
    return bytes;
}

const ParsimonLeanHistory::Kept*
ParsimonLeanHistory::Find(uint32_t flow) const
{
    const Kept* kept = flow == NONE ? nullptr : FindUpTo(flow);
    return kept && kept->flow == flow ? kept : nullptr;
}

ParsimonLinkResult
ParsimonLeanHistory::Repeat(const ParsimonLink& link,
                            const ParsimonLeanEngine::Options& options,
                            uint64_t* nPackets) const
{
    const Match match(m_link, link);
    const auto& names = match.names.flows;
    const auto n = static_cast<uint32_t>(names.size());
    ParsimonLeanEngine engine(link, options);
    std::vector<int64_t> idealNs(n, -1);
    for (uint32_t i = 0; i < n; ++i)
    {
        if (names[i] != NONE)
        {
            engine.GetFctNs()[i] =
                m_result.fctNs[names[i]]; // kept unless the flow is simulated again
            idealNs[i] = m_result.idealNs[names[i]];
        }
    }
    AddIdealFcts(link, *options.network, idealNs);
    auto isFollowed = [&](uint32_t i) { // by the same next flow as before, or by none as before
        const uint32_t next = names[i] + 1;
        return i + 1 < n ? names[i + 1] == next : next == m_result.fctNs.size();
    };
    // the first flow differs, or nothing can be resumed
    bool isStart = n > 0 && (names[0] != 0 || m_states.empty());
    const Kept* same = m_states.data(); // the stored state that the one before flow i equals
    uint64_t queueBytes = 0;
    for (uint32_t i = 0; i < n;)
    {
        uint32_t change = i;
        while (!isStart && change < n && isFollowed(change))
        {
            ++change;
        }
        if (change == n)
        {
            queueBytes = std::max(queueBytes, GetQueueBytes(same, nullptr));
            break;
        }
        if (!isStart)
        {
            const Kept* kept = FindUpTo(names[change]);
            queueBytes = std::max(queueBytes, GetQueueBytes(same, kept));
            kept->state.Restore(engine, match.numbers.flows[kept->flow], match.numbers);
        }
        isStart = false;
        i = n;
        engine.RunUntil([&](uint32_t flow) {
            const Kept* kept = flow > change ? Find(names[flow]) : nullptr;
            if (!kept || !(ParsimonLeanState(engine, match.names) == kept->state))
            {
                return true;
            }
            i = flow;
            same = kept;
            return false;
        });
        queueBytes = std::max(queueBytes, engine.TakeQueueBytes());
    }
    if (nPackets)
    {
        *nPackets = engine.GetNPackets();
    }
    NS_LOG_INFO("link " << link.link << ": " << engine.GetNPackets() << " packets simulated again");
    return {std::move(engine.GetFctNs()), std::move(idealNs), queueBytes};
}

} // namespace ns3
