/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_EXECUTOR_H
#define DCN_TRAIN_EXECUTOR_H

#include "ns3/dcn-flow-network.h"
#include "ns3/dcn-train-graph.h"
#include "ns3/dcn-train-matching.h"
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
        int64_t idleNs{0};    //!< neither, until the end of the graph
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

    /** @return whether all nodes are finished. */
    bool IsFinished() const;

    /**
     * @brief Refuse an unfinished graph, after Simulator::Run.
     * @throws DcnError naming the first node of the first rank that waits
     */
    void CheckFinished() const;

    /** @return when it was started. */
    Time GetStart() const;

    /** @return time from Start to the end of the last node. */
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
        int64_t sinceNs{0};                 //!< last change of the two
        RankTimes times;                    //!< until then
    };

    /// A node by its place.
    struct Place
    {
        uint32_t rank;   //!< its rank
        uint32_t number; //!< its number
    };

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
    /// Accounts for the time until now, then changes what a rank does.
    void Change(uint32_t rank, int32_t nComputing, int32_t nOnWay);

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
    std::unordered_map<uint64_t, uint32_t> m_slotOf;      //!< by number of the network's message
    std::unordered_map<uint64_t, Place> m_unacknowledged; //!< by the same number: its send
    std::unordered_map<Key, uint64_t, KeyHash> m_connections; //!< by ranks and stream
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
