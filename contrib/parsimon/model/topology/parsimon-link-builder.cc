/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-builder.h"

#include "parsimon-link-index.h"
#include "parsimon-window.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonLinkBuilder");

namespace
{

/// Gives equal endpoints the same number.
class EndpointTable
{
  public:
    /**
     * @param list where new endpoints are appended
     */
    explicit EndpointTable(std::vector<ParsimonEndpoint>& list)
        : m_list(list)
    {
    }

    /**
     * @param endpoint an endpoint
     * @return its position in the list
     */
    uint32_t Find(const ParsimonEndpoint& endpoint)
    {
        auto& candidates = m_byLink[endpoint.link];
        for (uint32_t candidate : candidates)
        {
            const ParsimonEndpoint& known = m_list[candidate];
            if (known.rateBps == endpoint.rateBps && known.delayNs == endpoint.delayNs)
            {
                return candidate;
            }
        }
        candidates.push_back(static_cast<uint32_t>(m_list.size()));
        m_list.push_back(endpoint);
        return candidates.back();
    }

  private:
    std::vector<ParsimonEndpoint>& m_list; //!< endpoints in the order of their first flow
    std::unordered_map<uint32_t, std::vector<uint32_t>> m_byLink; //!< by link at the host
};

/**
 * @brief Sort endpoints by host, link, rate and delay.
 * @param ends sorted on return
 * @return the new place of each
 */
std::vector<uint32_t>
SortEnds(std::vector<ParsimonEndpoint>& ends)
{
    std::vector<uint32_t> order(ends.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&ends](uint32_t a, uint32_t b) {
        const auto key = [&ends](uint32_t i) {
            return std::tie(ends[i].host, ends[i].link, ends[i].rateBps, ends[i].delayNs);
        };
        return key(a) < key(b);
    });
    std::vector<ParsimonEndpoint> sorted;
    std::vector<uint32_t> places(ends.size());
    for (uint32_t i : order)
    {
        places[i] = static_cast<uint32_t>(sorted.size());
        sorted.push_back(ends[i]);
    }
    ends = std::move(sorted);
    return places;
}

} // namespace

ParsimonLinkBuilder::ParsimonLinkBuilder(Ptr<const DcnScenario> scenario, ParsimonRules rules)
    : m_scenario(scenario),
      m_rules(rules),
      m_index(std::make_shared<const ParsimonLinkIndex>(*scenario)),
      m_packets(scenario->GetTopology().GetNLinks())
{
    const auto& flows = scenario->GetFlows();
    const uint32_t payload = scenario->GetNetwork().payloadBytes;
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
    {
        const uint64_t packets = DcnPackets(flows[flow].sizeBytes, payload);
        for (uint32_t link : scenario->GetPath(flow))
        {
            m_packets[link] += packets;
        }
    }
    m_window =
        std::make_shared<const ParsimonWindow>(ParsimonWindow::Of(scenario->GetNetwork(), rules));
    m_limits.assign(flows.size(), scenario->GetNetwork().maxRate.GetBitRate());
    if (m_window->windowBytes > 0)
    {
        const DcnTopology& topology = scenario->GetTopology();
        m_idleNs.assign(flows.size(), 0);
        for (std::size_t flow = 0; flow < flows.size(); ++flow)
        {
            const DcnPath path = scenario->GetPath(flow);
            const uint64_t rate = m_window->GetRate(topology, path, flows[flow].sizeBytes);
            if (rate == 0)
            {
                continue;
            }
            m_idleNs[flow] =
                static_cast<float>(m_window->GetIdleNs(topology,
                                                       path,
                                                       flows[flow].sizeBytes,
                                                       scenario->GetIdealFct(flow).bottleneckBps));
            if (m_limits[flow] > 0 && m_limits[flow] <= rate)
            {
                m_idleNs[flow] = 0; // `max_rate_bps` limits it
            }
            else
            {
                m_limits[flow] = rate;
            }
        }
    }
    const auto headers =
        DcnCongestionControl::GetWireFormat(scenario->GetNetwork()).dataHeaderBytes;
    if (rules != ParsimonRules::PUBLISHED)
    {
        m_aloneNs = m_idleNs;
        m_aloneNs.resize(flows.size(), 0);
        for (std::size_t flow = 0; flow < flows.size(); ++flow)
        {
            const auto bytes = static_cast<double>(DcnPackets(flows[flow].sizeBytes, payload)) *
                               (static_cast<double>(headers) -
                                scenario->GetNetwork().headerBytes); // the ideal time has these
            m_aloneNs[flow] += static_cast<float>(
                bytes * 8e9 / static_cast<double>(scenario->GetIdealFct(flow).bottleneckBps));
        }
    }
    const auto n = static_cast<double>(flows.size());
    const auto span = static_cast<double>(flows.back().startNs - flows.front().startNs);
    m_runNs = flows.size() > 1 ? span * n / (n - 1) : 0;
    const auto wire = DcnCongestionControl::GetWireFormat(scenario->GetNetwork());
    m_ackBytes = wire.ackBytes;
    for (uint32_t link = 0; link < m_packets.size(); ++link)
    {
        const double bytes = static_cast<double>(m_index->GetBytes(link)) +
                             static_cast<double>(m_packets[link]) * wire.dataHeaderBytes;
        const auto capacity = static_cast<double>(scenario->GetTopology().GetLink(link).rateBps);
        m_runNs = std::max(m_runNs, bytes * 8e9 / capacity);
    }
    NS_LOG_INFO(flows.size() << " flows, run length " << m_runNs << " ns");
}

const DcnScenario&
ParsimonLinkBuilder::GetScenario() const
{
    return *m_scenario;
}

ParsimonRules
ParsimonLinkBuilder::GetRules() const
{
    return m_rules;
}

const std::shared_ptr<const ParsimonLinkIndex>&
ParsimonLinkBuilder::GetIndex() const
{
    return m_index;
}

std::vector<uint32_t>
ParsimonLinkBuilder::GetBusyLinks() const
{
    std::vector<uint32_t> busy;
    for (uint32_t link = 0; link < m_packets.size(); ++link)
    {
        if (m_packets[link] > 0)
        {
            busy.push_back(link);
        }
    }
    return busy;
}

DcnIndexSpan
ParsimonLinkBuilder::GetFlows(uint32_t link) const
{
    return m_index->GetFlows(link);
}

double
ParsimonLinkBuilder::GetRunNs() const
{
    return m_runNs;
}

double
ParsimonLinkBuilder::GetLoad(uint32_t link) const
{
    const auto capacity = static_cast<double>(m_scenario->GetTopology().GetLink(link).rateBps);
    return static_cast<double>(m_index->GetBytes(link)) * 8e9 / (capacity * m_runNs);
}

uint64_t
ParsimonLinkBuilder::GetAckRate(uint32_t link) const
{
    const uint32_t reverse = DcnTopology::Reverse(link);
    const uint64_t answered = m_packets.at(reverse);
    const DcnTopology& topology = m_scenario->GetTopology();
    const uint64_t capacity = topology.GetLink(link).rateBps;
    if (answered == 0)
    {
        return 0;
    }
    const double bits = 8.0 * m_ackBytes * static_cast<double>(answered);
    if (m_rules != ParsimonRules::PUBLISHED)
    {
        double rate = std::round(bits * 1e9 / m_runNs);
        if (ParsimonLinkIndex::GetPosition(topology, link) == ParsimonPosition::SWITCH_TO_SWITCH)
        {
            const double step = static_cast<double>(capacity) / ACK_STEPS;
            rate = std::round(rate / step) * step;
        }
        return std::min(capacity / 2, static_cast<uint64_t>(rate));
    }
    const auto flows = m_index->GetFlows(reverse);
    const auto& all = m_scenario->GetFlows();
    const int64_t spanNs = all[*(flows.end() - 1)].startNs - all[*flows.begin()].startNs;
    if (spanNs == 0)
    {
        return 0;
    }
    const double rate = std::round(bits * 1e9 / static_cast<double>(spanNs));
    return std::min(capacity / 2, static_cast<uint64_t>(std::min(rate, 1e18)));
}

const ParsimonWindow&
ParsimonLinkBuilder::GetWindow() const
{
    return *m_window;
}

float
ParsimonLinkBuilder::GetAloneNs(std::size_t flow) const
{
    return m_aloneNs.empty() ? 0 : m_aloneNs[flow];
}

ParsimonLink
ParsimonLinkBuilder::Build(uint32_t link) const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    const DcnLink& target = topology.GetLink(link);
    const auto range = m_index->GetFlows(link);
    if (range.size() == 0)
    {
        DcnFail("no flow crosses link ", topology.DescribeLink(link));
    }
    ParsimonLink result;
    result.link = link;
    result.position = ParsimonLinkIndex::GetPosition(topology, link);
    result.capacityBps = target.rateBps;
    result.availableBps = target.rateBps - GetAckRate(link);
    result.delayNs = target.delayNs;
    if (m_window->windowBytes > 0)
    {
        result.windowBytes = DcnPackets(m_window->windowBytes, m_window->payloadBytes) *
                             (m_window->payloadBytes + m_window->headerBytes);
    }
    result.flows.reserve(range.size());
    EndpointTable sources(result.sources);
    EndpointTable destinations(result.destinations);
    std::unordered_map<uint32_t, uint64_t> nicRates; // corrected, by first link
    for (uint32_t index : range)
    {
        const DcnFlow& flow = m_scenario->GetFlows()[index];
        const DcnPath path = m_scenario->GetPath(index);
        const auto hop =
            static_cast<std::size_t>(std::find(path.begin(), path.end(), link) - path.begin());
        ParsimonEndpoint source{flow.src, path[0], 0, 0};
        ParsimonEndpoint destination{flow.dst, path[path.size() - 1], 0, 0};
        for (std::size_t i = 0; i < hop; ++i)
        {
            source.delayNs += topology.GetLink(path[i]).delayNs;
        }
        if (hop > 0)
        {
            auto [known, isNew] = nicRates.try_emplace(path[0], 0);
            if (isNew)
            {
                known->second = topology.GetLink(path[0]).rateBps - GetAckRate(path[0]);
            }
            source.rateBps = known->second;
        }
        uint64_t slowest = std::numeric_limits<uint64_t>::max();
        for (std::size_t i = hop + 1; i < path.size(); ++i)
        {
            destination.delayNs += topology.GetLink(path[i]).delayNs;
            slowest = std::min(slowest, topology.GetLink(path[i]).rateBps);
        }
        if (hop + 1 < path.size())
        {
            destination.rateBps = INFLATION * slowest;
        }
        result.flows.push_back({index,
                                sources.Find(source),
                                destinations.Find(destination),
                                flow.sizeBytes,
                                flow.startNs,
                                m_limits[index],
                                m_idleNs.empty() ? 0 : m_idleNs[index]});
        result.flows.back().id = flow.id;
    }
    // in an order that flows elsewhere do not change, since it orders packets of equal times
    const std::vector<uint32_t> sourcePlaces = SortEnds(result.sources);
    const std::vector<uint32_t> destinationPlaces = SortEnds(result.destinations);
    for (ParsimonLinkFlow& flow : result.flows)
    {
        flow.source = sourcePlaces[flow.source];
        flow.destination = destinationPlaces[flow.destination];
    }
    return result;
}

} // namespace ns3
