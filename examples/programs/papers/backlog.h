/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BACKLOG_H
#define BACKLOG_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario-suite.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The interactive application of m4's evaluation (section 5.4): a backlog of flows from
 * clients to storage servers.
 *
 * A random quarter of the racks has the clients, the others have the servers. All flows are there
 * at time 0; in a closed loop, each rack of clients has a limited number of them in flight.
 *
 * @param drawn topology, sizes and configuration
 * @param nFlows number of flows
 * @return the scenario; all flows start at 0
 */
Ptr<const DcnScenario> M4MakeBacklog(const DcnSuiteScenario& drawn, uint64_t nFlows);

/**
 * @ingroup m4
 * @brief Throughput of a closed loop, without its end, where few flows are left.
 * @param method a method with the attribute InFlightPerRack, which is set
 * @param scenario of M4MakeBacklog
 * @param limit flows in flight per rack, at least 1
 * @return flows per second until four fifths have completed
 * @throws DcnError if a fifth of the flows did not complete
 */
double M4MeasureThroughput(Ptr<DcnEstimator> method,
                           Ptr<const DcnScenario> scenario,
                           uint32_t limit);

} // namespace ns3

#endif /* BACKLOG_H */
