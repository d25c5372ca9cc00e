/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SHADOW_H
#define DCN_SHADOW_H

#include "dcn-fct-table.h"

#include "ns3/application.h"
#include "ns3/dcn-flow-network.h"
#include "ns3/dcn-ip-routes.h"
#include "ns3/dcn-scenario.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Follows the flows of a running ns-3 simulation with flow-level methods, in the same
 * Simulator::Run.
 *
 * Whenever an application of the Internet stack hands bytes over, a flow of that many bytes starts
 * in every method, at that instant, on the path that the installed routing has then (DcnIpRoutes).
 * Its real completion is the arrival of its last byte at the receiving application. The methods
 * send no packet and draw no random number, so that the order of the user's events stays as it is.
 *
 * DcnShadowHelper makes a shadow and connects it to the applications of nodes. An application that
 * it does not know announces its flows itself:
 *
 *     uint64_t flow = shadow->AddFlow(socket, bytes);                 // a TCP socket and a sink
 *     uint64_t flow = shadow->AddFlow(node, destination, bytes);      // anything else ...
 *     shadow->Finish(flow);                                           // ... at the last byte
 *
 * Flows are numbered from 0 in the order of their starts. The shadow lives at least until
 * Simulator::Destroy; results can be read after it, too.
 */
class DcnShadow : public Object
{
  public:
    /// Name of the column with the completion times of the simulation itself.
    static constexpr const char* SIMULATION = "ns-3";

    /**
     * @brief Signature of Completed.
     * @param flow the flow
     * @param method name of the method; SIMULATION: the application has received it
     * @param completionTime time since its start
     */
    typedef void (*CompletedCallback)(uint64_t flow,
                                      const std::string& method,
                                      Time completionTime);

    /// Returns the socket of a sender once it has one; before, null.
    using SocketGetter = std::function<Ptr<Socket>()>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnShadow() = default;
    ~DcnShadow() override = default;

    /**
     * @brief Set the network; once, with its addresses assigned.
     * @param topology of the nodes of the simulation
     * @param config the configuration of ideal completion times
     * @param seed of the choice among shortest paths where the routing draws one for each packet
     */
    void Install(Ptr<const DcnTopology> topology,
                 Ptr<const DcnNetworkConfig> config,
                 uint64_t seed = 1);

    /**
     * @brief Add a method.
     * @param method its name in results
     * @param network installed on the topology, without flows; nobody else adds flows to it
     * @throws DcnError if there is a method of this name
     */
    void AddNetwork(const std::string& method, Ptr<DcnFlowNetwork> network);

    /**
     * @brief A flow starts now whose end is told by Finish.
     * @param source the sender
     * @param destination IP address of the receiver, with or without a port
     * @param bytes payload, > 0
     * @return its number
     * @throws DcnError if a node or address is not in the network, the size is out of range, or the
     * routing has no path
     */
    uint64_t AddFlow(Ptr<Node> source, const Address& destination, uint64_t bytes);

    /**
     * @brief Bytes are handed to a TCP socket now, or will be as soon as it is connected.
     *
     * They are complete when the sink (FollowSink) has received all bytes that were announced for
     * the socket so far.
     *
     * @param socket after Connect was called
     * @param bytes payload, > 0
     * @return its number
     * @throws DcnError as above, and if the socket has no peer
     */
    uint64_t AddFlow(Ptr<Socket> socket, uint64_t bytes);

    /**
     * @brief The receiver has all bytes of a flow, now.
     * @param flow number of the flow
     * @throws DcnError if there is no such flow or it is complete already
     */
    void Finish(uint64_t flow);

    /**
     * @brief Follow a sender that hands all its bytes over at its start.
     * @param node index of its node
     * @param ip destination, protocol TCP
     * @param bytes payload, > 0
     * @param start simulation time
     * @param getSocket returns its socket; null: the sender is known by its addresses
     * @throws DcnError if the destination is not in the network or has no path, and if another
     * sender without a socket has the same addresses
     */
    void FollowStream(uint32_t node,
                      const DcnIpFlow& ip,
                      uint64_t bytes,
                      Time start,
                      SocketGetter getSocket = nullptr);

    /**
     * @brief Follow a sender of messages over TCP: each packet of its trace source Tx is a flow.
     * @param application the sender
     * @param node index of its node
     * @param ip destination
     * @param getSocket returns its socket; null: the sender is known by its addresses
     * @throws DcnError as above, and if it has no such trace source
     */
    void FollowMessages(Ptr<Application> application,
                        uint32_t node,
                        const DcnIpFlow& ip,
                        SocketGetter getSocket = nullptr);

    /**
     * @brief Follow UDP datagrams: each datagram that a node sends to an address and port is a
     * flow.
     * @param node index of the node
     * @param ip destination with its port
     * @throws DcnError as FollowStream
     */
    void FollowDatagrams(uint32_t node, const DcnIpFlow& ip);

    /**
     * @brief Follow a receiver.
     * @param application with the trace source RxWithAddresses (PacketSink, UdpServer)
     * @param node index of its node
     * @return false if it has no such trace source
     */
    bool FollowSink(Ptr<Application> application, uint32_t node);

    /** @return flows so far. */
    uint64_t GetNFlows() const;

    /**
     * @return a sentence for each reason for which bytes of followed senders became no flow during
     * the run, such as an interface that is down; in alphabetical order. The first time, it is
     * printed on standard error, too
     */
    std::vector<std::string> GetNotes() const;

    /**
     * @param flow number of a flow
     * @return its ends, size and start
     */
    const DcnFlow& GetFlow(uint64_t flow) const;

    /**
     * @param method name of a method, or SIMULATION
     * @param flow number of a flow
     * @return its completion time [ns]; DcnEstimate::UNFINISHED so far
     * @throws DcnError if there is no such method or flow
     */
    int64_t GetFctNs(const std::string& method, uint64_t flow) const;

    /**
     * @return all flows so far, with their paths
     * @throws DcnError without flows
     */
    Ptr<const DcnScenario> GetScenario() const;

    /**
     * @return completion times of the simulation, which are the truth, and of all methods; costs
     * are NaN, for the methods ran side by side
     * @throws DcnError without flows
     */
    DcnFctTable GetResults() const;

    /**
     * @brief Write fct.csv, summary.csv and slowdown-cdf.plt with its picture.
     * @param folder made if it does not exist
     * @throws DcnError without flows, or if a file cannot be written
     */
    void Write(const std::string& folder) const;

  protected:
    void DoDispose() override;

  private:
    /// A TCP connection with flows one after the other.
    struct Stream
    {
        uint32_t source;          //!< node index of the sender
        uint32_t destination;     //!< node index of the receiver
        DcnIpFlow ip;             //!< addresses and ports
        SocketGetter getSocket;   //!< see FollowStream
        bool isBound{false};      //!< its connection at the receiver is known
        uint64_t sentBytes{0};    //!< bytes of all its flows
        uint64_t arrivedBytes{0}; //!< bytes that the sink has received
        /// Flows under way, each with sentBytes after it; MISSED: bytes that are no flow.
        std::deque<std::pair<uint64_t, uint64_t>> flows{};
    };

    /// A column of the results.
    struct Method
    {
        std::string name;            //!< of the method
        Ptr<DcnFlowNetwork> network; //!< null: the simulation
        std::vector<int64_t> fctNs;  //!< by flow
    };

    /// Bytes of followed senders that became no flow.
    struct Missed
    {
        uint64_t n{0};       //!< times that a sender sent some
        int64_t firstNs{0};  //!< the first of them [ns]
        int64_t latestNs{0}; //!< the latest of them [ns]
    };

    /// Number in place of a flow's: bytes that are no flow.
    static constexpr uint64_t MISSED = std::numeric_limits<uint64_t>::max();

    /// Connection at a receiver: node index, address and port of the sender, own port.
    using Connection = std::tuple<uint32_t, Address, uint16_t>;

    /// Returns the node of a destination, to which the routing has a path now; else throws.
    uint32_t CheckDestination(uint32_t source, const DcnIpFlow& ip) const;
    /// Returns the index of a node; DcnError if it is not in the network.
    uint32_t FindIndex(Ptr<Node> node) const;
    Stream* AddStream(uint32_t node, const DcnIpFlow& ip, SocketGetter getSocket);
    /**
     * @brief Add a flow that starts now.
     * @param source node index of the sender
     * @param ip addresses and ports
     * @param bytes payload
     * @param isFollowed the sender is followed: where it has no path now, the run goes on
     * @return its number; MISSED: it has no path (GetNotes)
     */
    uint64_t Add(uint32_t source, const DcnIpFlow& ip, uint64_t bytes, bool isFollowed);
    /// Adds a flow of a connection; its bytes count at the receiver also where this fails.
    uint64_t AddToStream(Stream* stream, uint64_t bytes, bool isFollowed);
    /// Counts bytes that are no flow; prints the reason the first time.
    void Miss(const std::string& reason);
    /// Finds the stream of a new connection; null: it is not followed.
    Stream* Bind(const Connection& connection) const;
    void Complete(std::size_t method, uint64_t flow, int64_t fctNs);
    /// A node sends a datagram.
    void OnSent(uint32_t node, const Address& destination, Ptr<const Packet> datagram);
    /// An application receives payload.
    void OnReceived(uint32_t node,
                    Ptr<const Packet> packet,
                    const Address& from,
                    const Address& to);
    /// The simulator is being destroyed.
    void OnDestroy();

    Ptr<const DcnTopology> m_topology;                  //!< the network
    Ptr<const DcnNetworkConfig> m_config;               //!< see Install
    uint64_t m_seed{1};                                 //!< see Install
    std::unique_ptr<DcnIpRoutes> m_routes;              //!< paths
    std::unique_ptr<DcnRouting> m_routing;              //!< paths where routing draws them
    std::unordered_map<uint32_t, uint32_t> m_index;     //!< node index by ns-3 node id
    std::vector<Method> m_methods;                      //!< the simulation first
    std::vector<DcnFlow> m_flows;                       //!< by number
    DcnPathTable m_paths;                               //!< by number
    std::vector<std::unique_ptr<Stream>> m_streams;     //!< TCP connections
    std::map<Ptr<Socket>, Stream*> m_bySocket;          //!< streams of AddFlow(socket)
    std::map<Connection, Stream*> m_byConnection;       //!< those that are followed
    std::map<Connection, DcnIpFlow> m_datagramSenders;  //!< node, destination address and port
    std::vector<bool> m_isListening;                    //!< by node: its datagrams are traced
    std::unordered_map<uint64_t, uint64_t> m_datagrams; //!< flows under way by Packet::GetUid
    std::map<std::string, Missed> m_missed;             //!< by reason
    TracedCallback<uint64_t, const std::string&, Time> m_completed; //!< Completed
};

} // namespace ns3

#endif /* DCN_SHADOW_H */
