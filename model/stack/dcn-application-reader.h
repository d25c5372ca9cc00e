/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_APPLICATION_READER_H
#define DCN_APPLICATION_READER_H

#include "dcn-traffic-source.h"

#include "ns3/node-container.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Reads the applications of ns-3 nodes by their attributes; DcnScenarioHelper says which.
 */
class DcnApplicationReader
{
  public:
    /** @return the applications of nodes that send; those that cannot be read have a reason. */
    static std::vector<DcnTrafficSource> FindSenders(const NodeContainer& nodes);

    /**
     * @brief Find the application that made a flow: on its node, with its destination and protocol;
     * of several the one that starts last but not after the flow, else the first one to start.
     * @param senders applications that were not found yet; the one that is found becomes another
     * node's
     * @param flow with node, addresses and start
     * @return the application; null if there is none
     */
    static const DcnTrafficSource* TakeSender(std::vector<DcnTrafficSource>& senders,
                                              const DcnTrafficSource& flow);

    /**
     * @brief Read what the applications of nodes send.
     * @param topology all nodes of the network
     * @param routes of the network
     * @param maxMessages largest number of messages of a sender with a pace
     * @return the senders; times that contradict are a reason
     */
    static DcnTraffic Read(const DcnTopology& topology,
                           const DcnIpRoutes& routes,
                           uint32_t maxMessages);

    /**
     * @brief Read the messages of an application.
     * @param source the application; gets the size of packets, or a reason
     * @param maxMessages largest number of messages
     * @return the messages; none where the source has a reason
     */
    static DcnTrafficSource::Messages ReadMessages(DcnTrafficSource& source, uint32_t maxMessages);

    /** @return bytes that an application sends at most; 0 if its attributes name no such number. */
    static uint64_t ReadMaxBytes(const Application& application);

    /** @return when an application starts [ns]. */
    static int64_t ReadStartNs(const Application& application);

    /** @return whether an application sends its bytes one by one, at a pace. */
    static bool IsPaced(const Application& application);

    /** @return port of an address that has one, else 0. */
    static uint16_t GetPort(const Address& address);
};

} // namespace ns3

#endif /* DCN_APPLICATION_READER_H */
