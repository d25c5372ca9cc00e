/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_CLOSED_LOOP_DRIVER_H
#define DCN_CLOSED_LOOP_DRIVER_H

#include "ns3/dcn-closed-loop.h"
#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup dcn
/// What came of a closed loop, by flow index.
struct DcnClosedLoopResult
{
    std::vector<int64_t> releaseNs; //!< when each flow was released [ns]
    std::vector<int64_t> fctNs;     //!< completion times, counted from the release [ns]
};

/**
 * @ingroup dcn
 * @brief Run a scenario as a closed loop on a flow-level simulation: the starts of its flows are
 * when they are offered (DcnClosedLoop), racks are those of their sources.
 *
 * A session is a simulation that is driven from outside (FlowsimSession, M4Session). It has
 *
 *     SetDeliveryListener(function of id and completion time [ns])    called when a flow completes
 *     AddFlow(id, path, payload bytes)                                the flow starts now
 *     GetNextEventNs()                                                Session::NEVER: no event
 *     AdvanceTo(time [ns])
 *     GetNowNs()
 *
 * and allows that flows are added by the listener.
 *
 * @tparam Session see above
 * @param scenario the scenario
 * @param session a session on the scenario's network, without flows, at time 0
 * @param limit flows in flight from a rack; DcnError for 0
 * @return releases and completion times
 */
template <class Session>
DcnClosedLoopResult
DcnDriveClosedLoop(const DcnScenario& scenario, Session& session, uint32_t limit)
{
    const DcnTopology& topology = scenario.GetTopology();
    const auto& flows = scenario.GetFlows();
    DcnClosedLoop loop(topology.GetNRacks(), limit);
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
        // flows of one instant are added without going on in between
        if (flows[i].startNs > session.GetNowNs())
        {
            session.AdvanceTo(flows[i].startNs);
        }
        if (loop.Offer(topology.GetRack(flows[i].src), flows[i].startNs))
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

#endif /* DCN_CLOSED_LOOP_DRIVER_H */
