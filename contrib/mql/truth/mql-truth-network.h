/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_NETWORK_H
#define MQL_TRUTH_NETWORK_H

#include "mql-truth-engine.h"

#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/tag.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Tag of every packet: its stream and the times of the round trip.
 */
class MqlStreamTag : public Tag
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(TagBuffer buffer) const override;
    void Deserialize(TagBuffer buffer) override;
    void Print(std::ostream& os) const override;

    uint32_t stream{0};  //!< stream of the packet
    uint32_t ack{0};     //!< stream of its acknowledgement
    int64_t sentNs{0};   //!< when the data packet was sent [ns]
    int64_t echoedNs{0}; //!< when the acknowledgement was sent [ns]
};

/**
 * @ingroup mql
 * @brief The network of a configuration in stock ns-3: PointToPointNetDevice, PointToPointChannel
 * and DropTailQueue, with no queue disc.
 *
 * The queues' trace sources measure waiting: from Enqueue to Dequeue, which is the start of
 * transmission. Forwarding does not use IP: a switch hands a packet to the device of the next link
 * of its stream's path, so that packets take the paths of the model.
 */
class MqlTruthNetwork
{
  public:
    /**
     * @param traffic of the configuration; must outlive this object
     * @param recorder measures; must outlive this object
     * @param watch its collector watches the devices; must outlive this object
     */
    MqlTruthNetwork(const MqlTruthTraffic& traffic,
                    MqlTruthRecorder& recorder,
                    const MqlTruthWatch& watch);

    MqlTruthNetwork(const MqlTruthNetwork&) = delete;
    MqlTruthNetwork& operator=(const MqlTruthNetwork&) = delete;

    /** @return the nodes, numbered as in the topology. */
    const NodeContainer& GetNodes() const
    {
        return m_nodes;
    }

    /**
     * @param link directed link index
     * @return the device that sends on it
     */
    Ptr<PointToPointNetDevice> GetDevice(uint32_t link) const;

    /**
     * @brief Send a packet on the first link of its stream.
     * @param packet with a MqlStreamTag
     * @param stream the stream
     */
    void Send(Ptr<Packet> packet, uint32_t stream);

    /**
     * @brief Let switches forward packets, and hosts deliver packets at the end of their path.
     * @param deliver called with a packet at the end of its path; null: the hosts' protocols
     * receive packets
     */
    void Forward(const Callback<void, Ptr<Packet>>& deliver);

    /** @brief Run the simulator to its end, write the collector's files and destroy the simulator.
     */
    void Run();

  private:
    /// A packet that waits.
    struct Waiting
    {
        uint32_t hop;      //!< position of the hop among all hops
        int64_t arrivalNs; //!< time of its arrival [ns]
    };

    void Watch(uint32_t link);
    uint32_t FindHop(const MqlStreamTag& tag, uint32_t link) const;
    bool Receive(uint32_t link, Ptr<const Packet> packet);

    const MqlTruthTraffic& m_traffic;                  //!< of the configuration
    MqlTruthRecorder& m_recorder;                      //!< measures
    const MqlTruthWatch& m_watch;                      //!< collector
    NodeContainer m_nodes;                             //!< by node index
    std::vector<Ptr<PointToPointNetDevice>> m_devices; //!< by directed link
    std::vector<std::deque<Waiting>> m_waiting;        //!< by directed link
    Callback<void, Ptr<Packet>> m_deliver;             //!< see Forward
};

/**
 * @ingroup mql
 * @brief engine=ns3, transport=udp: UDP-like data packets; the destination acknowledges each at
 * once with a packet of its own.
 *
 * Sources and sinks hand packets to the hosts' devices directly: sockets for thousands of flows
 * would be costly without an effect on the network.
 *
 * @param traffic of the configuration
 * @param watch collector
 * @return the measurements
 */
MqlTruthResult MqlSimulateNetwork(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch);

} // namespace ns3

#endif /* MQL_TRUTH_NETWORK_H */
