/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_MESSAGES_H
#define DCN_TRAIN_MESSAGES_H

#include "dcn-train-matching.h"

#include "ns3/dcn-flow-network.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Messages between ranks for programs that decide during the run what is sent: a library of
 * communication, or a simulator of another one.
 *
 *     auto messages = Create<DcnTrainMessages>(network, hosts);
 *     messages->Send(0, 1, 7, 65536, []() { ... });    // the sender has the acknowledgement
 *     messages->Receive(1, 0, 7, 65536, []() { ... }); // the receiver has the message
 *
 * Rank r is host r of a list. Sends and receives of a source, destination and tag are paired in
 * their order (DcnTrainMatching). The bytes are sent when Send is called, whether they are received
 * already or not; the messages from one rank to another use one connection, back to back in the
 * order of Send (DcnFlowNetwork::Connect, channel 0, as stream 0 of DcnTrainExecutor).
 *
 * A handler is called at the instant at which its message is acknowledged or has arrived, never
 * within Send or Receive. It may call both. The order of handlers of one instant follows from the
 * order of the network's completions and of the calls: a run is reproducible.
 */
class DcnTrainMessages : public SimpleRefCount<DcnTrainMessages>
{
  public:
    using Handler = std::function<void()>; //!< what is done next

    /**
     * @param network carries the messages; it may carry other traffic, too
     * @param hosts host of rank r at position r
     */
    DcnTrainMessages(Ptr<DcnFlowNetwork> network, const NodeContainer& hosts);
    ~DcnTrainMessages();
    DcnTrainMessages(const DcnTrainMessages&) = delete;
    DcnTrainMessages& operator=(const DcnTrainMessages&) = delete;

    /**
     * @brief Send a message, now.
     * @param source rank that sends
     * @param destination rank that receives, another one
     * @param tag of the message
     * @param bytes payload, > 0
     * @param sent called when the source has the last acknowledgement
     * @throws DcnError for a rank without host, a message of a rank to itself or of 0 bytes, and
     * another size than its receive has
     */
    void Send(uint32_t source, uint32_t destination, uint32_t tag, uint64_t bytes, Handler sent);

    /**
     * @brief Receive a message.
     * @param destination rank that receives
     * @param source rank that sends, another one
     * @param tag of the message
     * @param bytes payload, > 0
     * @param received called when the destination has the message; at once if it has it already
     * @throws DcnError as Send
     */
    void Receive(uint32_t destination,
                 uint32_t source,
                 uint32_t tag,
                 uint64_t bytes,
                 Handler received);

    /** @return number of messages sent. */
    uint64_t GetNMessages() const;

    /** @return payload of them [bytes]. */
    uint64_t GetNBytes() const;

    /**
     * @param rank a rank
     * @return its first receive without a send, such as "waits for 65536 bytes from rank 0 with tag
     * 7, which were not sent"; empty if there is none
     */
    std::string DescribeWait(uint32_t rank) const;

  private:
    using Matching = DcnTrainMatching<Handler>; //!< handlers of sends and receives

    /// Refuses ends and sizes that cannot be.
    void Check(const Matching::Key& key, uint64_t bytes, const char* verb) const;
    /// Refuses a pair of different sizes.
    void CheckSizes(const Matching::Key& key, uint32_t slot);
    /// Calls a handler.
    static void Call(const Handler& handler);
    /// The destination has a message.
    void OnCompleted(uint64_t flow, Time time);
    /// The source knows it.
    void OnAcknowledged(uint64_t flow, Time time);

    Ptr<DcnFlowNetwork> m_network;                                   //!< carries the messages
    NodeContainer m_hosts;                                           //!< by rank
    Matching m_matching;                                             //!< sends and receives
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_connections; //!< by source, destination
    std::unordered_map<uint64_t, uint32_t> m_slotOf;        //!< by number of the network's message
    std::unordered_map<uint64_t, Handler> m_unacknowledged; //!< by the same number
    uint64_t m_nMessages{0};                                //!< see GetNMessages
    uint64_t m_nBytes{0};                                   //!< see GetNBytes
};

} // namespace ns3

#endif /* DCN_TRAIN_MESSAGES_H */
