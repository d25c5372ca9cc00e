/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_HELPER_H
#define DCN_SCENARIO_HELPER_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-traffic-source.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DcnRouting;
class DcnSinkReader;
class FlowMonitor;
class FlowClassifier;

/**
 * @ingroup dcn
 * @brief Makes a scenario of an ns-3 simulation: its nodes, applications and routes.
 *
 *     // ... nodes, links, InternetStackHelper, addresses, routing tables, applications ...
 *     DcnScenarioHelper reader;
 *     Ptr<const DcnScenario> scenario = reader.FromApplications(nodes);
 *     DcnEstimate fluid = DcnEstimator::CreateByName("flowsim")->Estimate(scenario);
 *
 * *Senders.* An application is read by its attributes, so that applications of other modules are
 * read, too:
 *
 * - destination: `Remote`, or `RemoteAddress` and `RemotePort`;
 * - bytes: `MaxBytes` (BulkSend, OnOff), or `MaxPackets` times `PacketSize` (UdpClient,
 *   UdpEchoClient);
 * - begin and end: `StartTime` and `StopTime`, counted from time 0;
 * - pace: `Interval`, or `DataRate`, `OnTime` and `OffTime` with constant times. A sender without
 *   pace gives all its bytes to the network at its start and is one flow. A sender with a pace is
 *   one flow per packet, each at the instant at which it is sent; packets in a row become one flow
 *   where there would be more than SetMaxMessages of them.
 *
 * Replies, such as those of UdpEchoServer, are not read by FromApplications, since they start when
 * a request arrives; FromSinks and FromFlowMonitor read them.
 *
 * *Sources.* All applications that send are listed by GetSources; those that cannot be read have a
 * reason. A flow of the scenario has the number GetSourceOf of its source, and GetSourceFctNs turns
 * the answer of a method into the times from a source's start to its last byte.
 *
 * *Paths* are those of the installed routing (DcnIpRoutes). Where that draws a path for each
 * packet, a flow has one of the shortest paths (DcnRouting), and GetNotes says so.
 *
 * *Configuration.* Segment and header sizes, handshake, windows, queues and ECN are those of the
 * sockets, devices and queue discs (DcnStackConfig), unless SetConfig says otherwise.
 */
class DcnScenarioHelper
{
  public:
    using Source = DcnTrafficSource; //!< an application, or a flow of a FlowMonitor or of a sink

    DcnScenarioHelper();

    /**
     * @brief Set the configuration of the scenarios made from now on.
     * @param config the configuration; null: that of the sockets, devices and queue discs
     * (DcnStackConfig)
     */
    void SetConfig(Ptr<const DcnNetworkConfig> config);

    /**
     * @brief Set the seed of the scenarios made from now on.
     * @param seed see DcnScenario::GetSeed
     */
    void SetSeed(uint64_t seed);

    /** @return see SetSeed. */
    uint64_t GetSeed() const;

    /**
     * @brief Set how finely senders with a pace are read.
     * @param messages largest number of flows per sender, at least 1; 1000 at first
     */
    void SetMaxMessages(uint32_t messages);

    /**
     * @brief Read the applications of nodes, before or during a simulation.
     * @param nodes all nodes of the network, those that forward included
     * @return the scenario
     * @throws DcnError if no application can be read. One that cannot be read beside others has a
     * reason (GetSources) and a note: it has no end, sends to a group, to an address that no node
     * has or by a route that does not work (DcnIpRoutes), starts or ends at a node with several
     * links, starts in the past, is stopped before its bytes can be sent, or uses another version
     * of IP than most. See also DcnTopology::FromNodes
     */
    Ptr<const DcnScenario> FromApplications(const NodeContainer& nodes);

    /**
     * @brief The same with the hosts given, for hosts with several links.
     * @param hosts nodes that start and end flows
     * @param switches nodes that forward
     * @return the scenario
     * @throws DcnError as above
     */
    Ptr<const DcnScenario> FromApplications(const NodeContainer& hosts,
                                            const NodeContainer& switches);

    /**
     * @brief Read the flows that a FlowMonitor has seen, during or after a simulation.
     *
     * The payload of a flow is the bytes of the packets that arrived without the headers of IP and
     * the transport, whose options are those of the socket defaults (52 bytes for TCP over IPv4
     * with time stamps, 28 for UDP; 20 more for IPv6). A segment that arrived twice counts twice,
     * but a flow has no more bytes than the MaxBytes of the application that made it: the one on
     * its node with its destination and protocol, and of several the one that starts last but not
     * after it. Packets over UDP have the mean size. Flows of acknowledgements are left out.
     *
     * A flow over TCP whose sender has no pace is handed over at its start. All others are one flow
     * per packet, at most SetMaxMessages of them, at the instants of the application if these are
     * known and all of its bytes arrived, else evenly from the first to the last packet that was
     * sent.
     *
     * @param nodes all nodes of the network
     * @param monitor installed on all hosts
     * @param classifier of the monitor, Ipv4FlowClassifier or Ipv6FlowClassifier
     * @return the scenario
     * @throws DcnError if the monitor has no flow with payload; see also FromApplications
     */
    Ptr<const DcnScenario> FromFlowMonitor(const NodeContainer& nodes,
                                           Ptr<FlowMonitor> monitor,
                                           Ptr<FlowClassifier> classifier);

    /**
     * @brief List the applications that send (GetSources), without a scenario of them.
     *
     * Sizes and numbers of flows are those that FromApplications would read, but paths are not
     * looked for. That no application sends, or that none can be read, is no error here.
     *
     * @param topology all nodes of the network
     */
    void FindSources(Ptr<const DcnTopology> topology);

    /**
     * @brief Read the configuration of all senders that FindSources has listed and that have a
     * destination, those that cannot be read included; without any, it is that of TCP.
     * @param topology all nodes of the network
     * @return that of SetConfig if there is one
     * @throws DcnError as DcnStackConfig::Read
     */
    Ptr<const DcnNetworkConfig> MakeConfig(const DcnTopology& topology);

    /**
     * @brief Note from now on what the applications of nodes receive (trace RxWithAddresses of
     * PacketSink, UdpServer, UdpEchoServer and UdpEchoClient). Call it before the simulation runs,
     * after sinks were installed; a second call begins anew.
     * @param nodes nodes with the sinks
     * @throws DcnError if no application has the trace
     */
    void WatchSinks(const NodeContainer& nodes);

    /**
     * @brief Read what sinks have received since WatchSinks, during or after a simulation: also of
     * senders without an end, with random times, or that reply.
     *
     * A flow has a source for each pair of addresses and ports. A sender over TCP without a pace is
     * one flow of the bytes received, from its application's StartTime; if the application is not
     * known (as for FromFlowMonitor), from the first arrival less the time that it takes on the
     * empty path, with the headers and segments of its transport. All others are one flow per
     * arrival, each from its arrival less that time; at most SetMaxMessages of them.
     *
     * @param nodes all nodes of the network
     * @return the scenario
     * @throws DcnError without WatchSinks, or if nothing was received; see also FromApplications
     */
    Ptr<const DcnScenario> FromSinks(const NodeContainer& nodes);

    /** @return all that sends, in the order of nodes and of their applications. */
    const std::vector<Source>& GetSources() const;

    /**
     * @param flow flow index in the latest scenario
     * @return position in GetSources
     */
    std::size_t GetSourceOf(std::size_t flow) const;

    /** @return the latest scenario; null before the first one. */
    Ptr<const DcnScenario> GetScenario() const;

    /**
     * @brief Completion times of sources: from the start of a source to the end of its last flow.
     * @param estimate answer of a method for the latest scenario
     * @return times in the order of GetSources [ns]; DcnEstimate::UNFINISHED for a source that was
     * not read or has an unfinished flow
     * @throws DcnError if the method gives a distribution, or times for some of the flows only (m3,
     * ns3-path)
     */
    std::vector<int64_t> GetSourceFctNs(const DcnEstimate& estimate) const;

    /** @return sentences on what was assumed, and on every application that was not read. */
    std::vector<std::string> GetNotes() const;

  private:
    using Messages = std::vector<DcnTrafficSource::Messages>; //!< by source

    /// Forgets what was read before.
    void Clear();
    /// Keeps what a reader found; returns its messages.
    Messages Take(DcnTraffic&& traffic);
    /// Reads the configuration, and notes what links do that no method models; unread: senders that
    /// were not read count, too; isUsed: by directed link, empty: all.
    Ptr<const DcnNetworkConfig> ReadConfig(const DcnTopology& topology,
                                           bool unread,
                                           const std::vector<bool>& isUsed);

    /// A flow of the scenario.
    struct Entry
    {
        DcnFlow flow;       //!< without its id
        std::size_t source; //!< position in GetSources
    };

    /// Makes the flows of sources that can be read, by start time, and notes the others; paths: by
    /// source, none where routing draws them.
    std::vector<Entry> MakeFlows(const DcnTopology& topology,
                                 const DcnIpRoutes& routes,
                                 const DcnRouting& routing,
                                 const Messages& messages,
                                 std::vector<std::vector<uint32_t>>& paths);
    /// Makes the scenario of sources and their messages.
    Ptr<const DcnScenario> Create(Ptr<const DcnTopology> topology,
                                  const DcnIpRoutes& routes,
                                  const Messages& messages);
    Ptr<const DcnScenario> ReadApplications(Ptr<const DcnTopology> topology);
    /// @return whether most sources without a reason use IPv4, else IPv6
    bool ChooseVersion() const;
    /**
     * @brief Find the path of a source, and check that its flows fit into the scenario.
     * @param topology the network
     * @param routes of the network
     * @param routing finds a path where routing draws one for each packet
     * @param source the source
     * @param messages its messages
     * @param path gets the links; none where routing draws them
     * @return why the source cannot be read; empty if it can
     */
    static std::string FindPath(const DcnTopology& topology,
                                const DcnIpRoutes& routes,
                                const DcnRouting& routing,
                                const Source& source,
                                const DcnTrafficSource::Messages& messages,
                                std::vector<uint32_t>& path);

    Ptr<const DcnNetworkConfig> m_config;   //!< see SetConfig
    uint64_t m_seed{1};                     //!< see SetSeed
    uint32_t m_maxMessages{1000};           //!< see SetMaxMessages
    std::vector<Source> m_sources;          //!< see GetSources
    std::vector<std::size_t> m_sourceOf;    //!< see GetSourceOf
    std::vector<std::string> m_notes;       //!< see GetNotes
    Ptr<const DcnScenario> m_scenario;      //!< see GetScenario
    std::shared_ptr<DcnSinkReader> m_sinks; //!< see WatchSinks; none before it
};

} // namespace ns3

#endif /* DCN_SCENARIO_HELPER_H */
