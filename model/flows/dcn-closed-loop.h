/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_CLOSED_LOOP_H
#define DCN_CLOSED_LOOP_H

#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Closed-loop source: limits the number of flows of a rack in flight; further flows wait.
 *
 * A flow that is offered is released at once if fewer than the limit are in flight from its rack;
 * otherwise it waits (first come, first served), and a completion at once releases the next flow of
 * the rack (m4, section 5.3: storage clients). The class depends on no method and no clock: the
 * caller reports offers and completions in order of time, and starts the released flows.
 * Release times are explicit, because the completion time of a flow counts from its release.
 *
 * Racks stand for any groups of flows that share a limit. Different threads may report offers and
 * completions of different racks at the same time.
 */
class DcnClosedLoop
{
  public:
    static constexpr std::size_t NONE = SIZE_MAX; //!< no flow
    static constexpr int64_t UNRELEASED = -1;     //!< release time of a flow that waits

    /**
     * @param nRacks number of racks
     * @param limit flows in flight from a rack, at least 1
     * @param nFlows number of flows, which are numbered from 0
     * @throws DcnError if the limit is 0
     */
    DcnClosedLoop(uint32_t nRacks, uint32_t limit, std::size_t nFlows);

    /**
     * @brief Offer a flow.
     * @param flow its number
     * @param rack its rack
     * @param nowNs the present time [ns], not before that of an earlier call for the rack
     * @return true if it is released now, false if it has to wait
     */
    bool Offer(std::size_t flow, uint32_t rack, int64_t nowNs);

    /**
     * @brief A flow in flight has completed.
     * @param flow its number
     * @param nowNs the present time [ns], not before that of an earlier call for its rack
     * @return the flow that is released next, NONE if no flow of the rack waits
     */
    std::size_t Complete(std::size_t flow, int64_t nowNs);

    /**
     * @param flow number of a flow
     * @return when it was released [ns], or UNRELEASED
     */
    int64_t GetReleaseNs(std::size_t flow) const;

    /**
     * @param rack a rack
     * @return number of its flows in flight
     */
    uint32_t GetNInFlight(uint32_t rack) const;

    /**
     * @param rack a rack
     * @return number of its waiting flows
     */
    std::size_t GetNWaiting(uint32_t rack) const;

  private:
    /// State of a flow.
    struct Flow
    {
        uint32_t rack{0};              //!< its rack
        int64_t releaseNs{UNRELEASED}; //!< see GetReleaseNs
    };

    /// State of a rack.
    struct Rack
    {
        uint32_t nInFlight{0};           //!< flows in flight
        std::deque<std::size_t> waiting; //!< flows that wait, the first in front
    };

    uint32_t m_limit;          //!< flows in flight from a rack
    std::vector<Flow> m_flows; //!< by number
    std::vector<Rack> m_racks; //!< by rack
};

/// @ingroup dcn
/// Result of a closed loop, by flow index.
struct DcnClosedLoopResult
{
    std::vector<int64_t> releaseNs; //!< when each flow was released [ns]
    std::vector<int64_t> fctNs;     //!< completion times, counted from the release [ns]
};

/**
 * @ingroup dcn
 * @brief Whether a class is a session: a simulation that is driven from outside (FlowsimSession,
 * M4Session, DcnPacketSession). It has
 *
 *     AddFlow(id, path, payload bytes)    the flow starts now
 *     GetNextEventNs()                    Session::NEVER: no event
 *     AdvanceTo(time [ns])                events at the time run
 *     GetNowNs()
 */
template <class Session, class = void>
constexpr bool DcnIsSession = false;

/// A class that has all of them.
template <class Session>
constexpr bool DcnIsSession<
    Session,
    std::void_t<decltype(std::declval<Session&>().AddFlow(uint64_t{}, DcnPath(), uint64_t{})),
                decltype(std::declval<Session&>().AdvanceTo(Session::NEVER)),
                decltype(int64_t{std::declval<Session&>().GetNextEventNs()}),
                decltype(int64_t{std::declval<Session&>().GetNowNs()})>> = true;

/**
 * @ingroup dcn
 * @brief Run a scenario as a closed loop on a flow-level simulation: flows are offered at their
 * start times (DcnClosedLoop); their racks are those of their sources.
 *
 * @tparam Session a session (DcnIsSession) that has SetDeliveryListener(function of id and
 * completion time [ns]), which is called when a flow completes, and accepts new flows from there
 * @param scenario the scenario
 * @param session a session on the scenario's network, without flows, at time 0
 * @param limit flows in flight from a rack; DcnError for 0
 * @return releases and completion times
 */
template <class Session>
DcnClosedLoopResult
DcnDriveClosedLoop(const DcnScenario& scenario, Session& session, uint32_t limit)
{
    static_assert(DcnIsSession<Session>, "see DcnIsSession");
    const DcnTopology& topology = scenario.GetTopology();
    const auto& flows = scenario.GetFlows();
    DcnClosedLoop loop(topology.GetNRacks(), limit, flows.size());
    DcnClosedLoopResult result;
    result.fctNs.resize(flows.size());
    auto start = [&](std::size_t flow) {
        session.AddFlow(flow, scenario.GetPath(flow), flows[flow].sizeBytes);
    };
    session.SetDeliveryListener([&](uint64_t flow, int64_t fctNs) {
        result.fctNs[flow] = fctNs;
        const std::size_t released = loop.Complete(flow, session.GetNowNs());
        if (released != DcnClosedLoop::NONE)
        {
            start(released);
        }
    });
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        // add all flows of one instant before the session advances
        if (flows[i].startNs > session.GetNowNs())
        {
            session.AdvanceTo(flows[i].startNs);
        }
        if (loop.Offer(i, topology.GetRack(flows[i].src), flows[i].startNs))
        {
            start(i);
        }
    }
    for (int64_t next = session.GetNextEventNs(); next != Session::NEVER;
         next = session.GetNextEventNs())
    {
        session.AdvanceTo(next);
    }
    session.SetDeliveryListener(nullptr);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        result.releaseNs.push_back(loop.GetReleaseNs(i));
    }
    return result;
}

} // namespace ns3

#endif /* DCN_CLOSED_LOOP_H */
