/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-nic-delays.h"

#include "ns3/dcn-units.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/// Flows of one limit c.
struct LimitClass
{
    using Entry = std::pair<double, uint32_t>; //!< V_c at which a flow ends, the flow

    double served{0}; //!< V_c [bytes]
    double rate{0};   //!< of each flow, min(c, x) [bytes/ns]
    /// Flows that have begun and not ended.
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> flows;
};

/// Processor sharing with limits at one NIC.
class Nic
{
  public:
    /**
     * @param rate R [bytes/ns]
     */
    explicit Nic(double rate)
        : m_rate(rate)
    {
    }

    /// Part of a flow that is sent after its first window.
    struct Rest
    {
        double limit; //!< c [bytes/ns]
        double bytes; //!< on the wire
    };

    /**
     * @brief Start a flow, or its rest, now.
     * @param limit c [bytes/ns]
     * @param bytes w
     * @param flow its number
     */
    void Start(double limit, double bytes, uint32_t flow)
    {
        LimitClass& its = m_classes[limit];
        its.flows.emplace(its.served + bytes, flow);
        ++m_nFlows;
    }

    /**
     * @brief Start a flow now that continues with another limit.
     * @param limit c of its first part [bytes/ns]
     * @param bytes of its first part
     * @param rest the other part
     * @param flow its number
     */
    void Start(double limit, double bytes, const Rest& rest, uint32_t flow)
    {
        Start(limit, bytes, flow);
        m_rests.emplace(flow, rest);
    }

    /**
     * @brief Serve the flows.
     * @param until time [ns]
     * @param end called at each end with the flow, the time, and the last time at which the NIC was
     * full
     */
    template <typename End>
    void Advance(double until, const End& end)
    {
        while (m_nFlows > 0)
        {
            const bool isFull = SetRates();
            auto first = m_classes.end();
            double lastsNs = std::numeric_limits<double>::infinity();
            for (auto entry = m_classes.begin(); entry != m_classes.end(); ++entry)
            {
                const LimitClass& its = entry->second;
                const double itsNs = (its.flows.top().first - its.served) / its.rate;
                if (itsNs < lastsNs)
                {
                    lastsNs = itsNs;
                    first = entry;
                }
            }
            const bool ends = m_nowNs + lastsNs <= until;
            const double passesNs = ends ? lastsNs : until - m_nowNs;
            for (auto& [limit, its] : m_classes)
            {
                its.served += its.rate * passesNs;
            }
            m_nowNs += passesNs;
            m_lastFullNs = isFull ? m_nowNs : m_lastFullNs;
            if (!ends)
            {
                break;
            }
            LimitClass& its = first->second;
            its.served = its.flows.top().first;
            const uint32_t flow = its.flows.top().second;
            its.flows.pop();
            --m_nFlows;
            if (its.flows.empty())
            {
                m_classes.erase(first);
            }
            const auto rest = m_rests.find(flow);
            if (rest == m_rests.end())
            {
                end(flow, m_nowNs, m_lastFullNs);
                continue;
            }
            Start(rest->second.limit, rest->second.bytes, flow);
            m_rests.erase(rest);
        }
        m_nowNs = until;
    }

  private:
    /**
     * @brief Divide R: in ascending order of limits, a flow has its limit, or an equal part of the
     * rest.
     * @return whether a flow has less than its limit
     */
    bool SetRates()
    {
        double rest = m_rate;
        auto n = static_cast<double>(m_nFlows);
        bool isFull = false;
        for (auto& [limit, its] : m_classes)
        {
            const auto flows = static_cast<double>(its.flows.size());
            its.rate = std::min(limit, rest / n);
            isFull = its.rate < limit * (1 - 1e-9);
            rest -= flows * its.rate;
            n -= flows;
        }
        return isFull;
    }

    double m_rate;                                                 //!< R [bytes/ns]
    double m_nowNs{-std::numeric_limits<double>::infinity()};      //!< time [ns]
    double m_lastFullNs{-std::numeric_limits<double>::infinity()}; //!< see Advance [ns]
    std::size_t m_nFlows{0};                                       //!< in all classes
    std::map<double, LimitClass> m_classes;     //!< with flows, by limit [bytes/ns]
    std::unordered_map<uint32_t, Rest> m_rests; //!< by flow
};

} // namespace

std::vector<float>
ParsimonNicDelays(const ParsimonLink& link,
                  uint32_t payloadBytes,
                  uint32_t headerBytes,
                  std::vector<char>* isMet)
{
    std::unordered_map<uint32_t, Nic> nics;
    std::vector<float> delays(link.flows.size(), 0);
    if (isMet)
    {
        isMet->assign(link.flows.size(), 0);
    }
    auto wire = [&](const ParsimonLinkFlow& flow) {
        return static_cast<double>(DcnWireBytes(flow.sizeBytes, payloadBytes, headerBytes));
    };
    auto bytesPerNs = [](uint64_t bps) { return static_cast<double>(bps) / 8e9; };
    auto limitBps = [&](const ParsimonLinkFlow& flow) {
        const uint64_t nic = link.GetNicRate(flow);
        return flow.GetLimit() > 0 ? std::min(nic, flow.GetLimit()) : nic;
    };
    auto isWindow = [&](const ParsimonLinkFlow& flow) {
        return flow.idleNs > 0 && limitBps(flow) == flow.limitBps &&
               flow.limitBps < link.GetNicRate(flow);
    };
    // without other flows [ns]
    auto aloneNs = [&](const ParsimonLinkFlow& flow) {
        return isWindow(flow) ? wire(flow) / bytesPerNs(link.GetNicRate(flow)) +
                                    static_cast<double>(flow.idleNs)
                              : wire(flow) / bytesPerNs(limitBps(flow));
    };
    auto end = [&](uint32_t i, double endNs, double lastFullNs) {
        const ParsimonLinkFlow& flow = link.flows[i];
        const auto startNs = static_cast<double>(flow.startNs);
        const uint64_t rate = isWindow(flow) ? link.GetNicRate(flow) : limitBps(flow);
        const double idealNs =
            static_cast<double>(DcnWireBytes(flow.sizeBytes, payloadBytes)) / bytesPerNs(rate);
        const double alone = aloneNs(flow);
        delays[i] = static_cast<float>(std::max(0.0, endNs - startNs - alone) + alone - idealNs);
        if (isMet)
        {
            (*isMet)[i] = lastFullNs > startNs;
        }
    };
    const auto window = static_cast<double>(link.windowBytes);
    for (uint32_t i = 0; i < link.flows.size(); ++i)
    {
        const ParsimonLinkFlow& flow = link.flows[i];
        const double rate = bytesPerNs(link.GetNicRate(flow));
        Nic& nic = nics.try_emplace(link.sources[flow.source].link, rate).first->second;
        nic.Advance(static_cast<double>(flow.startNs), end);
        if (isWindow(flow) && window < wire(flow))
        {
            const double rest = wire(flow) - window;
            nic.Start(rate, window, {rest / (aloneNs(flow) - window / rate), rest}, i);
        }
        else
        {
            nic.Start(bytesPerNs(limitBps(flow)), wire(flow), i);
        }
    }
    for (auto& entry : nics)
    {
        entry.second.Advance(std::numeric_limits<double>::infinity(), end);
    }
    return delays;
}

} // namespace ns3
