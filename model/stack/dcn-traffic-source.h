/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAFFIC_SOURCE_H
#define DCN_TRAFFIC_SOURCE_H

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/dcn-ip-routes.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

class DcnTopology;

/**
 * @ingroup dcn
 * @brief A sender of an ns-3 simulation: an application, a flow of a FlowMonitor or a flow that a
 * sink received.
 */
struct DcnTrafficSource
{
    /// A part of a source: bytes that are handed over at one instant.
    struct Message
    {
        uint64_t sizeBytes; //!< payload
        int64_t startNs;    //!< instant [ns]
    };

    using Messages = std::vector<Message>; //!< of one source, by instant

    /// Addresses and ports of source and destination, and protocol.
    using Key = std::tuple<Address, uint16_t, Address, uint16_t, uint8_t>;

    Ptr<Application> application; //!< null where it is a flow whose application is not known
    uint32_t monitorId{0};        //!< number of the flow of a FlowMonitor, from 1; else 0
    uint32_t node{0};             //!< node index of the sender
    DcnIpFlow ip;                 //!< addresses and ports
    uint64_t sizeBytes{0};        //!< payload
    uint64_t packetBytes{0};      //!< payload of its packets; 0 where it is not known
    int64_t startNs{0};           //!< first packet is handed over [ns]
    uint32_t nFlows{0};           //!< number of flows of the scenario; 0 if it was not read
    std::string reason;           //!< why it was not read; empty if it was

    /**
     * @param topology the network
     * @return e.g. "application 2 of node 5 (ns3::BulkSendApplication)", or "flow 7 of the
     * FlowMonitor"
     */
    std::string Describe(const DcnTopology& topology) const;

    /**
     * @param ip addresses and ports of a flow
     * @param isSwapped with exchanged ends: of the flow in the other direction
     * @return its key
     */
    static Key MakeKey(const DcnIpFlow& ip, bool isSwapped);

    /** @return the payload of messages [byte]. */
    static uint64_t GetBytes(const Messages& messages);
};

/// The senders of a simulation, as one of the readers of this folder found them.
struct DcnTraffic
{
    std::vector<DcnTrafficSource> sources;            //!< those that were not read have a reason
    std::vector<DcnTrafficSource::Messages> messages; //!< by source; none where it has a reason
    std::vector<std::string> notes;                   //!< sentences on what was assumed
};

} // namespace ns3

#endif /* DCN_TRAFFIC_SOURCE_H */
