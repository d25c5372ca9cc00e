/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TCP_NETWORK_H
#define DCN_TCP_NETWORK_H

#include "dcn-tcp-options.h"
#include "dcn-tcp-routing.h"

#include "ns3/dcn-scenario.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/queue-disc.h"
#include "ns3/socket.h"

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DcnCollector;
class DcnProgress;

/**
 * @ingroup dcn-tcp
 * @brief The flows of a scenario over ns-3's own Internet stack.
 *
 * New nodes, joined by point-to-point links, have IPv4, TCP, a queue disc on every port, and a
 * routing that keeps every flow on its path (DcnTcpRouting). A flow is a connection of its own: the
 * sender connects at the flow's start time, sends, and closes; the receiver closes after it.
 * Completion times run from the flow's start, before the handshake, to the arrival of the last byte
 * at the receiver's application, in order. Sockets are released after the connection is closed.
 *
 * A frame occupies its link as one with LINK_BYTES of link header: ns-3's devices send 2 of these
 * bytes, a gap follows for the others.
 *
 * The simulator is one per process: the caller sees to it that it has no other events.
 */
class DcnTcpNetwork
{
  public:
    static constexpr uint32_t LINK_BYTES = DcnTcpOptions::LINK_BYTES; //!< link header of a frame
    static constexpr uint32_t PPP_BYTES = 2;   //!< part of it that PointToPointNetDevice sends

    /**
     * @brief Make nodes, links, stacks and sockets.
     * @param scenario topology, flows and configuration
     * @param options transport and queue discs
     * @param seed of random draws of queue discs and transports
     * @param collector records the flows; may be null
     * @throws DcnError if the options are contradictory, or there are not enough addresses or ports
     */
    DcnTcpNetwork(Ptr<const DcnScenario> scenario,
                  const DcnTcpOptions& options,
                  uint64_t seed,
                  Ptr<DcnCollector> collector = nullptr);
    ~DcnTcpNetwork();
    DcnTcpNetwork(const DcnTcpNetwork&) = delete;
    DcnTcpNetwork& operator=(const DcnTcpNetwork&) = delete;

    /**
     * @brief Simulate from the present time until every flow has been delivered or no packet moves.
     *
     * The caller calls Simulator::Destroy, and runs no events after this object is gone.
     *
     * @throws DcnError if the port of a flow is still in use when it starts
     */
    void Run();

    /** @return when Run has ended, from the scenario's time 0 [ns]. */
    int64_t GetEndNs() const
    {
        return m_endNs;
    }

    /** @return completion time by flow index [ns], -1 for flows that are not complete. */
    const std::vector<int64_t>& GetFctNs() const
    {
        return m_fctNs;
    }

    /**
     * @param flow flow index
     * @return payload that the receiver has, in order [bytes]
     */
    uint64_t GetReceivedBytes(std::size_t flow) const
    {
        return m_receivedBytes[flow];
    }

    /** @return flows that are not complete, by reason. */
    std::map<std::string, uint64_t> GetUnfinished() const;

    /** @return segments with payload times links crossed, those sent again included. */
    uint64_t GetDataPacketHops() const;

    /** @return payload that senders sent more than once [bytes]. */
    uint64_t GetRetransmittedBytes() const;

    /**
     * @param link directed link index
     * @return the device that sends on it
     */
    Ptr<NetDevice> GetDevice(uint32_t link) const;

    /**
     * @param link directed link index
     * @return the queue disc of that device
     */
    Ptr<QueueDisc> GetQueueDisc(uint32_t link) const;

    /** @return number of sockets, listening ones included. */
    std::size_t CountSockets() const;

  private:
    /// Why a flow that is not complete stopped.
    enum class Failure : uint8_t
    {
        NONE,
        NO_CONNECTION,
        GIVEN_UP
    };

    void MakeNodes();
    void MakeLink(uint32_t link);
    void Listen();
    void StartDueFlows();
    void StartFlow(std::size_t flow);
    void Fill(std::size_t flow, Ptr<Socket> sender);
    void Accept(Ptr<Socket> receiver, const Address& from);
    void Receive(std::size_t flow, Ptr<Socket> receiver);
    int64_t NowNs() const;

    Ptr<const DcnScenario> m_scenario;     //!< the flows
    DcnTcpOptions m_options;               //!< transport and queue discs
    uint64_t m_seed;                       //!< of random draws
    Ptr<DcnCollector> m_collector;         //!< records the flows; may be null
    DcnTcpRoutes m_routes;                 //!< shared by the routing of all nodes
    NodeContainer m_nodes;                 //!< by node index
    std::vector<Ptr<NetDevice>> m_devices; //!< by directed link
    std::vector<Ptr<QueueDisc>> m_discs;   //!< by directed link
    std::vector<uint64_t> m_unsentBytes;   //!< by flow: payload that its socket has not taken
    std::vector<uint64_t> m_receivedBytes; //!< by flow
    std::vector<int64_t> m_fctNs;          //!< by flow
    std::vector<Failure> m_failures;       //!< by flow
    std::size_t m_nextFlow{0};             //!< first flow not started
    std::size_t m_nDelivered{0};           //!< flows complete
    int64_t m_originNs{0};                 //!< simulation time of the scenario's 0 [ns]
    int64_t m_endNs{0};                    //!< see GetEndNs
    DcnProgress* m_progress{nullptr};      //!< set while Run simulates
    std::exception_ptr m_failure; //!< of an event, thrown at the end of Run; null: none
};

} // namespace ns3

#endif /* DCN_TCP_NETWORK_H */
