/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_EXECUTOR_H
#define DCN_TRAIN_EXECUTOR_H

#include "ns3/dcn-flow-network.h"
#include "ns3/dcn-train-graph.h"
#include "ns3/dcn-train-matching.h"
#include "ns3/event-id.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Carries out a dependency graph on a flow network, by ns-3 events.
 *
 * Rank r is host r of a list. A node starts at the instant at which the last of the nodes that it
 * waits for is finished, and is finished
 *
 *     compute   its duration after its stream begins with it: nodes of a stream of a rank run one
 *               after the other, in the order in which they become ready
 *     send      when the sender has the last acknowledgement
 *     receive   when the receiver has the message, or at its start if the message is there already
 *     join      at its start
 *
 * **Hosts.** A send with a duration occupies the sends of its stream (a queue pair's or a proxy's
 * processor): those of a stream of a rank are prepared one after the other. Then its message takes
 * HostLatency, which messages spend side by side, and the network has it. A receive and a join are
 * finished their duration later. So the host's part of a message is, in the terms of LogGP, the
 * overhead (duration of the send) and the latency (HostLatency, duration of the receive). All this
 * time counts as exposed communication, unless the rank computes.
 *
 * Two ranks have a connection for each stream of sends (DcnFlowNetwork::Connect), made at the first
 * send; the stream is its channel, so that its path depends on ranks and stream alone. The order of
 * events at one instant follows from the order of the network's completions and of the nodes: a run
 * is reproducible.
 *
 * **Failures.** A message whose receiver is cut off (DcnFlowNetwork::FailLink) waits until a repair
 * brings back a path; all that does not depend on it goes on. With SetLastLinkChange, a run *stops*
 * when nothing of it has gone on for StopAfter, a message waits, and no link changes any more. Its
 * end is the last instant at which something went on; its times and counts until then stay, and
 * GetStop says where it waits. Other runs on the network go on.
 *
 * **Window.** Nodes are read as ranks advance. A rank has the nodes from its first unfinished one
 * to Window nodes further in memory, as a runtime with a queue of that length; a node beyond does
 * not start. Memory is bounded by ranks times Window. GetNLate says how many nodes may have started
 * late for it: 0 means that the window had no effect.
 */
class DcnTrainExecutor : public Object
{
  public:
    /**
     * @brief Signature of NodeFinished.
     * @param rank its rank
     * @param number its number
     * @param node the node
     * @param start when it became ready; for a compute node: when its stream began with it
     */
    typedef void (*NodeCallback)(uint32_t rank,
                                 uint32_t number,
                                 const DcnTrainNode& node,
                                 Time start);

    /// How a rank has spent its time.
    struct RankTimes
    {
        int64_t computeNs{0}; //!< a compute node runs
        int64_t exposedNs{0}; //!< none does, but a message from or to the rank is on its way, or
                              //!< its host works on one
        int64_t stalledNs{0}; //!< none does, and a message from or to the rank waits for a host
                              //!< that is cut off
        int64_t idleNs{0}; //!< none of these, until the end of the graph
    };

    /// Where a run waits that a failure has stopped.
    struct Stop
    {
        uint32_t rank{0};      //!< of the send that has waited longest
        uint32_t number{0};    //!< its number
        int64_t sinceNs{0};    //!< since when it waits [ns]
        uint32_t nMessages{0}; //!< messages that wait
        uint64_t bytes{0};     //!< payload of these
        std::string sentence;  //!< all of this; empty: the run was not stopped
    };

    /// When an operation took place.
    struct OperationTimes
    {
        int64_t beginNs{-1}; //!< start of its first node [ns], -1: never
        int64_t endNs{-1}; //!< end of its last compute or receive node; of an iteration: join [ns]
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnTrainExecutor() = default;
    ~DcnTrainExecutor() override = default;

    /**
     * @brief Prepare a run; once.
     * @param network carries the messages; it may carry other traffic, too
     * @param hosts host of rank r at position r
     * @param source the graph; read from its beginning. It outlives the run
     * @throws DcnError if there are more ranks than hosts
     */
    void Install(Ptr<DcnFlowNetwork> network,
                 const NodeContainer& hosts,
                 std::shared_ptr<DcnTrainSource> source);

    /// Start now; Simulator::Run carries the graph out.
    void Start();

    /**
     * @brief Set what is done when the last node is finished, such as Simulator::Stop.
     * @param finish called once
     */
    void SetFinishCallback(std::function<void()> finish);

    /**
     * @brief Say when links change for the last time, before Start: the run stops if it waits for a
     * host after that. Without this call it waits for ever.
     * @param time simulation time of the last failure, repair or change of a rate
     */
    void SetLastLinkChange(Time time);

    /** @return whether all nodes are finished. */
    bool IsFinished() const;

    /** @return where it waits if a failure has stopped it. */
    const Stop& GetStop() const;

    /**
     * @brief Refuse an unfinished graph, after Simulator::Run.
     * @throws DcnError naming the first node of the first rank that waits, or with the sentence of
     * GetStop
     */
    void CheckFinished() const;

    /** @return when it was started. */
    Time GetStart() const;

    /** @return time from Start to the end of the last node, or of a run that was stopped. */
    Time GetDuration() const;

    /** @return number of nodes that are finished. */
    uint64_t GetNFinished() const;

    /** @return upper bound of the number of nodes that started late for Window. */
    uint64_t GetNLate() const;

    /** @return number of messages sent. */
    uint64_t GetNMessages() const;

    /** @return by rank. */
    std::vector<RankTimes> GetRankTimes() const;

    /** @return by index of the operation. */
    const std::vector<OperationTimes>& GetOperationTimes() const;

    /** @return payload sent by directed link of the network's topology [bytes]. */
    const std::vector<uint64_t>& GetLinkBytes() const;

  protected:
    void DoDispose() override;

  private:
    /// A node in memory.
    struct Active
    {
        DcnTrainNode node;           //!< the node
        uint32_t nWaiting{0};        //!< nodes that it waits for
        bool isFinished{false};      //!< see above
        int64_t startNs{-1};         //!< when it started
        int64_t sentNs{-1};          //!< of a send: when the network got its message
        uint32_t slot{0};            //!< of the message of a send, once it has started
        std::vector<uint32_t> later; //!< nodes that wait for it
    };

    /// Compute nodes of a rank that run one after the other.
    struct Stream
    {
        bool isBusy{false};         //!< one runs
        std::deque<uint32_t> ready; //!< that are ready
    };

    /// A rank.
    struct Rank
    {
        uint32_t base{0};                   //!< number of the first node in memory
        std::deque<Active> nodes;           //!< from the first unfinished one on
        bool isRead{false};                 //!< no more nodes
        std::map<uint32_t, Stream> streams; //!< compute streams
        std::map<uint32_t, Stream> senders; //!< streams of sends, of which one has had a duration
        uint32_t nComputing{0};             //!< compute nodes that run
        uint32_t nOnWay{0};                 //!< messages from or to it, and delays of the host
        uint32_t nHeld{0};                  //!< of these messages: wait for a host that is cut off
        int64_t sinceNs{0};                 //!< last change of the three
        RankTimes times;                    //!< until then
    };

    /// The messages of a connection.
    struct Connection
    {
        uint32_t source{0};          //!< rank
        uint32_t peer{0};            //!< rank
        uint32_t nUndelivered{0};    //!< that the receiver does not have
        uint32_t nUnacknowledged{0}; //!< that the sender does not know to be delivered
        int64_t cutOffNs{NOT_CUT};   //!< since when it is cut off [ns]
    };

    /// A message in the network.
    struct Message
    {
        uint32_t slot;       //!< in m_matching, until it is delivered
        uint64_t connection; //!< its number
    };

    /// A node by its place.
    struct Place
    {
        uint32_t rank;   //!< its rank
        uint32_t number; //!< its number
    };

    static constexpr int64_t NOT_CUT = -1; //!< see Connection

    using Step = void (DcnTrainExecutor::*)(Place); //!< what is done with a node

    using Key = std::pair<uint64_t, uint32_t>; //!< sender and receiver, and stream

    /// Hash of a key.
    struct KeyHash
    {
        /// @return the hash
        std::size_t operator()(const Key& key) const
        {
            return std::hash<uint64_t>()((key.first * 0x9e3779b97f4a7c15ULL) ^ key.second);
        }
    };

    /// Reads nodes of a rank as far as the window allows.
    void Read(uint32_t rank, bool isStart);
    /// Returns a node in memory.
    Active& Get(const Place& place);
    /// Starts nodes and finishes what costs no time, until nothing is left to do.
    void Work();
    /// Starts a node.
    void Begin(const Place& place);
    /// Begins with the next compute node of a stream.
    void Compute(uint32_t rank, uint32_t stream);
    /// A compute node is over.
    void OnComputed(Place place);
    /// Starts a send or a receive: finds its partner.
    void Match(const Place& place, const DcnTrainNode& node);
    /// A send is in the queue of its stream, if there is one: the host begins with it.
    void Prepare(const Place& place, const DcnTrainNode& node);
    /// Begins with the next send of a stream with durations.
    void PrepareNext(uint32_t rank, uint32_t stream);
    /// A send with a duration is prepared.
    void OnPrepared(Place place);
    /// A message takes HostLatency.
    void Post(Place place);
    /// Gives the message of a send node to the network.
    void Send(Place place);
    /// Finishes a node, which is a receive or a join, when its duration is over.
    void FinishLater(const Place& place);
    /// The duration of a receive or a join is over.
    void OnDelayed(Place place);
    /// Has a step done after a time, unless the run is disposed of.
    void Schedule(int64_t delayNs, Step step, const Place& place);
    /// The receiver has a message.
    void OnCompleted(uint64_t flow, Time time);
    /// The sender knows it.
    void OnAcknowledged(uint64_t flow, Time time);
    /// A node is finished.
    void Finish(const Place& place);
    /// A connection of the network is cut off, or is no more.
    void OnCutOff(uint64_t connection, bool isCutOff);
    /// Accounts for the time until now, then changes what a rank does.
    void Change(uint32_t rank, int32_t nComputing, int32_t nOnWay, int32_t nHeld = 0);
    /// Adds the time of a rank until an instant.
    void Account(Rank& rank, int64_t untilNs);
    /// If nothing goes on and a message waits: looks again later whether the run stops.
    void StopSoon();
    /// Stops the run if it has waited long enough.
    void StopIfStuck();
    /// Fills in where the run waits. @return whether a message waits for a host that is cut off
    bool FindStop(Stop& stop) const;

    uint32_t m_window;                                    //!< attribute Window
    Time m_hostLatency;                                   //!< attribute HostLatency
    Ptr<DcnFlowNetwork> m_network;                        //!< carries the messages
    NodeContainer m_hosts;                                //!< by rank
    std::shared_ptr<DcnTrainSource> m_source;             //!< the graph
    std::function<void()> m_finish;                       //!< see SetFinishCallback
    std::vector<Rank> m_ranks;                            //!< by rank
    std::deque<Place> m_ready;                            //!< nodes to be started
    bool m_isWorking{false};                              //!< within Work
    DcnTrainMatching<Place> m_matching;                   //!< sends and receives
    std::unordered_map<uint64_t, Message> m_messages;     //!< by number of the network's message
    std::unordered_map<uint64_t, Place> m_unacknowledged; //!< by the same number: its send
    std::unordered_map<Key, uint64_t, KeyHash> m_connections; //!< by ranks and stream
    std::unordered_map<uint64_t, Connection> m_ends;          //!< by number of the connection
    uint64_t m_nGoing{0};  //!< what ends by itself: compute nodes, delays, messages not cut off
    uint32_t m_nCutOff{0}; //!< connections that are cut off and have messages
    Time m_stopAfter;      //!< attribute StopAfter
    int64_t m_lastChangeNs{INT64_MAX};        //!< see SetLastLinkChange [ns]
    int64_t m_lastNs{0};                      //!< when something went on last [ns]
    EventId m_stopEvent;                      //!< pending call of StopIfStuck
    Stop m_stop;                              //!< see GetStop
    std::vector<bool> m_isMark;               //!< by operation: its kind is iteration
    std::vector<OperationTimes> m_operations; //!< see GetOperationTimes
    std::vector<uint64_t> m_linkBytes;        //!< see GetLinkBytes
    uint64_t m_nUnfinishedRanks{0};           //!< ranks with nodes left
    uint64_t m_nFinished{0};                  //!< see GetNFinished
    uint64_t m_nLate{0};                      //!< see GetNLate
    uint64_t m_nMessages{0};                  //!< see GetNMessages
    int64_t m_startNs{0};                     //!< of the run
    int64_t m_endNs{-1};                      //!< of the run

    TracedCallback<uint32_t, uint32_t, const DcnTrainNode&, Time> m_nodeFinished; //!< NodeFinished
};

} // namespace ns3

#endif /* DCN_TRAIN_EXECUTOR_H */
