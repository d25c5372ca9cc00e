/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_COLLECTOR_H
#define DCN_COLLECTOR_H

#include "dcn-queue-record.h"

#include "ns3/dcn-packet-network.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class BulkSendApplication;
class DcnFlowNetwork;
class DcnQueueProbe;
class PacketSink;
class Socket;
class TcpHeader;
class TcpSocketBase;

/**
 * @ingroup dcn-packet
 * @brief Times and bytes of a flow.
 *
 * Identities: startNs <= firstByteNs <= lastByteNs where they are not NONE; the flow is complete
 * (lastByteNs is not NONE) if and only if receivedBytes is its size.
 */
struct DcnFlowRecord
{
    static constexpr int64_t NONE = -1; //!< the event has not happened

    int64_t startNs{NONE};          //!< when it started [ns]
    int64_t firstByteNs{NONE};      //!< when its first payload byte reached the receiver [ns]
    int64_t lastByteNs{NONE};       //!< when the receiver had all of it [ns]
    uint64_t receivedBytes{0};      //!< payload bytes that the receiver has in order
    uint64_t retransmittedBytes{0}; //!< payload bytes sent more than once

    /** @return completion time [ns], NONE if it is not complete. */
    int64_t GetFctNs() const
    {
        return lastByteNs == NONE ? NONE : lastByteNs - startNs;
    }
};

/**
 * @ingroup dcn-packet
 * @brief The queue that the first packet of a flow found at a switch.
 */
struct DcnFirstPacketRecord
{
    uint32_t flow;  //!< flow index
    uint32_t hop;   //!< links crossed so far: it is the queue of link hop (0-based) of the path
    int64_t timeNs; //!< when the packet came to the queue [ns]
    uint64_t queueBytes; //!< wire bytes that waited in the queue, without the packet itself
};

/**
 * @ingroup dcn-packet
 * @brief Remaining payload and rate of every active flow at every flow arrival and completion.
 *
 * Event e has the entries offsets[e] .. offsets[e + 1] - 1 of the arrays of entries, ascending by
 * flow. A flow is active from its arrival, its own event included, until its completion, its own
 * event excluded.
 *
 * Identity: sum of the entries' bytes of an event = sizes of the flows that have arrived - payload
 * that receivers have in order.
 */
struct DcnRemainingRecords
{
    /// A flow has arrived or is complete.
    struct Event
    {
        int64_t timeNs; //!< when [ns]
        uint32_t flow;  //!< flow index
        bool isArrival; //!< false: completion
    };

    std::vector<Event> events;           //!< in the order of time
    std::vector<std::size_t> offsets{0}; //!< see above; one more than events
    std::vector<uint32_t> flows;         //!< entries: flow index
    std::vector<uint64_t> bytes;         //!< entries: payload that the receiver does not have
    std::vector<uint64_t> ratesBps;      //!< entries: sending rate [bit/s]; 0: not known (TCP)
    bool isCut{false};                   //!< later events were omitted: MaxRemainingEntries
};

/**
 * @ingroup dcn-packet
 * @brief The congestion control of a flow over time: an entry for each acknowledgement and timer.
 */
struct DcnControlRecords
{
    std::vector<int64_t> timesNs; //!< when [ns]

    /// Names: rate_bps (on the wire), window_bytes (payload that may be on its way; 0: no limit),
    /// flight_bytes (payload sent and not acknowledged) and those of DcnCongestionControl::GetState.
    std::vector<std::string> quantities;
    std::vector<std::vector<double>> values; //!< by quantity, by entry
};

/**
 * @ingroup dcn-packet
 * @brief Records queues and flows from trace sources, and writes the records as CSV files.
 *
 * The engine does not know collectors; queues and flows without a collector cost nothing. A
 * collector watches a DcnPacketNetwork, or queues of stock ns-3 devices and TCP flows, each with
 * one BulkSendApplication and one PacketSink:
 *
 *     Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
 *     collector->Watch(network);        // after Install, before Start or Run
 *     network->Run();
 *     collector->Write("results");      // before Simulator::Destroy
 *
 * Records are per interval and per event, never per packet: their number is at most that of queues
 * times intervals with activity, and is proportional to that of flows. Only the remaining bytes
 * grow faster (events times active flows): they are off by default, and limited to
 * MaxRemainingEntries. Times are simulation times. Columns of the files: doc/schema.rst.
 *
 * A network is simulated by as many threads as without a collector (DcnPacketListener), and has the
 * same records for any number of them; only remaining bytes, which are those of all flows at one
 * instant, take one thread.
 *
 * Identity of every queue of every layer, in bytes and in packets: at the end of each record,
 * waiting = sum of in - sum of out, over this record and all earlier ones.
 */
class DcnCollector : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnCollector();
    ~DcnCollector() override;

    /**
     * @brief Watch all flows and, if the attribute Queues is set, all queues of a network.
     *
     * A queue is named after the nodes of its link, e.g. "3->7" (a second link between the same
     * nodes: "3->7#2"), and its layer is "switch". Layer "host" is the transmitter of a host,
     * which has no queue but can be paused.
     *
     * Flows that are added one by one are numbered in that order.
     *
     * @param network after Install and before Start or the first flow
     * @throws DcnError if the collector watches the flows of another network
     */
    void Watch(Ptr<DcnPacketNetwork> network);

    /**
     * @brief Watch a network that applications run on.
     * @param network made by DcnFlowNetworkHelper("packet"), before its first flow
     * @throws DcnError as above, and if it does not simulate packets
     */
    void Watch(Ptr<DcnFlowNetwork> network);

    /**
     * @brief Keep the rate, the window and the state of the congestion control of a flow, too.
     * @param flow its index; before the network is watched
     */
    void KeepControl(std::size_t flow);

    /**
     * @brief Watch the queues of a stock ns-3 device.
     *
     * Layer "device" is the device's own queue (attribute TxQueue, e.g. of PointToPointNetDevice),
     * which counts frames with their link header. Layer "qdisc" is the root queue disc that the
     * node's TrafficControlLayer has for the device, if any; it counts IP packets. A packet that a
     * queue disc drops after it was enqueued counts as out and as a drop.
     *
     * @param device the device, with its queue disc installed
     * @param name of the queues in records, unique
     * @throws DcnError if the device has neither queue, a queue is not empty, or the name is in use
     */
    void Watch(Ptr<NetDevice> device, const std::string& name);

    /**
     * @brief Watch a TCP flow.
     *
     * The flow starts with its application, before the handshake. Retransmissions are payload in
     * segments below the highest sequence number sent.
     *
     * @param scenario of the flow, one for all calls
     * @param flow its index
     * @param source sends exactly this flow (MaxBytes); its StartTime counts from time 0
     * @param sink receives exactly this flow
     * @throws DcnError if MaxBytes is not the flow's size or the flow is watched already
     */
    void WatchTcpFlow(Ptr<const DcnScenario> scenario,
                      std::size_t flow,
                      Ptr<BulkSendApplication> source,
                      Ptr<PacketSink> sink);

    /**
     * @brief Watch all flows of a scenario that a program runs over TCP sockets of its own, without
     * applications; it calls NoteTcpStart and NoteTcpReceived, and NoteFirstPacket if it knows
     * the queues.
     * @param scenario of the flows, one for all calls
     * @throws DcnError if a flow is watched already
     */
    void WatchTcp(Ptr<const DcnScenario> scenario);

    /**
     * @brief A flow of WatchTcp starts now.
     * @param flow its index
     * @param source its socket, which has sent nothing yet
     */
    void NoteTcpStart(std::size_t flow, Ptr<Socket> source);

    /**
     * @brief The receiver of a flow of WatchTcp has more of it now.
     * @param flow its index
     * @param bytes payload, in order [bytes]
     */
    void NoteTcpReceived(std::size_t flow, uint64_t bytes);

    /**
     * @brief The first packet with payload of a flow of WatchTcp comes to a queue now; kept if the
     * attribute FirstPackets is set.
     * @param flow its index
     * @param hop see DcnFirstPacketRecord
     * @param queueBytes see DcnFirstPacketRecord
     */
    void NoteFirstPacket(std::size_t flow, std::size_t hop, uint64_t queueBytes);

    /**
     * @brief Bring the records up to the present time: end the running intervals, and update the
     * bytes of active flows. Watching goes on. Write calls this function.
     */
    void Finish();

    /** @return queues watched. */
    std::size_t GetNQueues() const;

    /**
     * @param queue position in the order of Watch
     * @return its name
     */
    const std::string& GetQueueName(std::size_t queue) const;

    /**
     * @param queue position in the order of Watch
     * @return its layer: switch, host, device or qdisc
     */
    const std::string& GetQueueLayer(std::size_t queue) const;

    /**
     * @param queue position in the order of Watch
     * @return records of the intervals that have ended
     */
    const std::vector<DcnQueueRecord>& GetQueueRecords(std::size_t queue) const;

    /**
     * @param name of the queue
     * @param layer of the queue
     * @return records of the intervals that have ended
     * @throws DcnError if no such queue is watched
     */
    const std::vector<DcnQueueRecord>& GetQueueRecords(const std::string& name,
                                                       const std::string& layer) const;

    /** @return records by flow index; empty if no flows are watched. */
    const std::vector<DcnFlowRecord>& GetFlowRecords() const
    {
        return m_flowRecords;
    }

    /** @return completion times by flow index [ns], DcnFlowRecord::NONE for incomplete flows. */
    std::vector<int64_t> GetFctNs() const;

    /** @return queues that first packets found, in the order of time, flow and hop. */
    const std::vector<DcnFirstPacketRecord>& GetFirstPackets() const;

    /**
     * @param flow index of a flow
     * @return its congestion control over time
     * @throws DcnError without KeepControl for it
     */
    const DcnControlRecords& GetControl(std::size_t flow) const;

    /** @return remaining bytes; no events unless the attribute RemainingBytes is true. */
    const DcnRemainingRecords& GetRemaining() const
    {
        return m_remaining;
    }

    /**
     * @brief Write queues.csv, flow-records.csv, first-packets.csv, control.csv and remaining.csv,
     * each if it has records; columns in doc/schema.rst.
     * @param folder made if it does not exist
     * @return paths of the files written
     * @throws DcnError if one cannot be written
     */
    std::vector<std::string> Write(const std::string& folder);

    /**
     * @brief Plot the queues that were longest, over time: the mean of each interval.
     * @param base path without suffix: <base>.plt and <base>.png are written; nothing if no packet
     * waited in a queue
     * @param nQueues largest number of queues; the layer "host" has none
     * @return true if there is a picture
     */
    bool PlotQueues(const std::string& base, std::size_t nQueues = 6);

  private:
    /// State of a TCP sender, to find retransmissions.
    struct TcpSender;
    /// Listens to the flows of a network.
    class FlowListener;

    void SetScenario(Ptr<const DcnScenario> scenario);
    DcnQueueProbe& AddQueue(const std::string& name, const std::string& layer);

    const DcnFlow& GetFlow(std::size_t flow) const;
    DcnPath GetPath(std::size_t flow) const;
    void OnFlowStarted(const DcnPacketFlow& flow);
    void OnFlowDelivered(const DcnPacketFlow& flow);
    void OnFlowAcknowledged(const DcnPacketFlow& flow);
    void OnFlowControl(const DcnPacketFlow& flow, int64_t nowNs);
    void StartTcpFlow(std::size_t flow, Ptr<BulkSendApplication> source);
    void ListenToTcpSender(std::size_t flow, Ptr<Socket> socket);
    void OnTcpSegment(Ptr<TcpSender> sender,
                      Ptr<const Packet> payload,
                      const TcpHeader& header,
                      Ptr<const TcpSocketBase> socket);
    void OnTcpReceived(std::size_t flow, Ptr<const Packet> payload, const Address& from);
    void NoteRemaining(std::size_t flow, bool isArrival);

    void WriteQueues(const std::string& path) const;
    void WriteFlows(const std::string& path) const;
    void WriteFirstPackets(const std::string& path) const;
    void WriteControl(const std::string& path) const;
    void WriteRemaining(const std::string& path) const;

    Time m_interval;                //!< length of the intervals of queues
    bool m_queues;                  //!< Watch(network) watches queues
    bool m_firstPackets;            //!< queues seen by first packets are kept
    bool m_remainingBytes;          //!< remaining bytes are kept
    uint64_t m_maxRemainingEntries; //!< entries of m_remaining at most

    Ptr<const DcnScenario> m_scenario;        //!< the flows; null: those of m_network
    Ptr<const DcnPacketNetwork> m_network;    //!< the latest that Watch was called with
    std::vector<Ptr<DcnQueueProbe>> m_probes; //!< in the order of Watch
    std::map<std::pair<std::string, std::string>, std::size_t> m_probeIndex; //!< by name and layer
    std::vector<DcnFlowRecord> m_flowRecords;                                //!< by flow index
    mutable std::vector<DcnFirstPacketRecord> m_firstPacketRecords; //!< sorted by GetFirstPackets
    std::map<std::size_t, DcnControlRecords> m_control;     //!< see GetControl, by flow index
    DcnRemainingRecords m_remaining;                        //!< see GetRemaining
    /// Active flows by index; null for TCP.
    std::map<std::size_t, Ptr<const DcnPacketFlow>> m_active;
    std::map<std::size_t, Ptr<const DcnPacketFlow>> m_delivered; //!< and not acknowledged
    /// Of what is not a single flow's or queue's, as threads tell of different flows.
    std::mutex m_mutex;
    std::vector<bool> m_isTcp; //!< by flow index: it is watched as a TCP flow
};

} // namespace ns3

#endif /* DCN_COLLECTOR_H */
