/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SINK_READER_H
#define DCN_SINK_READER_H

#include "dcn-traffic-source.h"

#include "ns3/node-container.h"
#include "ns3/packet.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Notes what sinks receive, and reads it as senders; DcnScenarioHelper::FromSinks says how.
 */
class DcnSinkReader
{
  public:
    /**
     * Finds the links of a source that has no messages yet; returns why it cannot be read, empty if
     * it can. Arguments: the source, its position among the sources, and the links.
     */
    using PathFinder =
        std::function<std::string(const DcnTrafficSource&, std::size_t, std::vector<uint32_t>&)>;

    /**
     * @brief Note from now on what the applications of nodes receive.
     * @param nodes nodes with the sinks
     * @throws DcnError if no application has the trace RxWithAddresses
     */
    explicit DcnSinkReader(const NodeContainer& nodes);

    /**
     * @param topology all nodes of the network
     * @param routes of the network
     * @param findPath see PathFinder
     * @param maxMessages largest number of messages of a sender with a pace
     * @return senders of what was received by now, by addresses and ports
     * @throws DcnError if nothing was received
     */
    DcnTraffic Read(const DcnTopology& topology,
                    const DcnIpRoutes& routes,
                    const PathFinder& findPath,
                    uint32_t maxMessages) const;

  private:
    /// What was received, with its times.
    using Arrivals = std::map<DcnTrafficSource::Key, DcnTrafficSource::Messages>;
    /// Where arrivals go, protocol, and addresses of the node, for sinks that listen on all of it.
    using Listener = std::tuple<std::shared_ptr<Arrivals>, uint8_t, Address, Address>;

    /// A sink has received payload.
    static void OnReceived(Listener listener,
                           Ptr<const Packet> packet,
                           const Address& from,
                           const Address& local);
    /// Makes messages of what arrived from a source, and sets its application and start.
    static DcnTrafficSource::Messages ReadArrivals(const DcnTopology& topology,
                                                   const std::vector<uint32_t>& path,
                                                   const DcnTrafficSource::Messages& arrivals,
                                                   uint32_t maxMessages,
                                                   std::vector<DcnTrafficSource>& senders,
                                                   DcnTrafficSource& source);

    std::shared_ptr<Arrivals> m_arrivals; //!< traces hold it, too
};

} // namespace ns3

#endif /* DCN_SINK_READER_H */
