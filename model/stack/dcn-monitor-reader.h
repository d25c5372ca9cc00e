/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MONITOR_READER_H
#define DCN_MONITOR_READER_H

#include "dcn-traffic-source.h"

#include <cstdint>

namespace ns3
{

class FlowMonitor;
class FlowClassifier;

/**
 * @ingroup dcn
 * @brief Reads the flows that a FlowMonitor has seen; DcnScenarioHelper::FromFlowMonitor says how.
 */
class DcnMonitorReader
{
  public:
    /**
     * @param topology all nodes of the network
     * @param routes of the network
     * @param monitor installed on all hosts
     * @param classifier of the monitor, Ipv4FlowClassifier or Ipv6FlowClassifier
     * @param maxMessages largest number of messages of a sender with a pace
     * @return its flows with payload, without flows of acknowledgements
     * @throws DcnError if it has none, or the classifier is another one
     */
    static DcnTraffic Read(const DcnTopology& topology,
                           const DcnIpRoutes& routes,
                           const FlowMonitor& monitor,
                           Ptr<FlowClassifier> classifier,
                           uint32_t maxMessages);
};

} // namespace ns3

#endif /* DCN_MONITOR_READER_H */
