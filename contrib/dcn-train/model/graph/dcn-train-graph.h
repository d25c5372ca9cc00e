/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_GRAPH_H
#define DCN_TRAIN_GRAPH_H

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief What a node of a dependency graph does.
 */
enum class DcnTrainKind : uint8_t
{
    COMPUTE, //!< occupies a stream of its rank for a time
    SEND,    //!< sends a message; finished when it is acknowledged
    RECEIVE, //!< finished when the message is there
    JOIN     //!< finished when the nodes that it waits for are, or its duration later
};

/**
 * @ingroup dcn-train
 * @brief A node of a dependency graph: one step of one rank.
 *
 * Nodes of a rank are numbered from 0. A node starts when the nodes of its rank that it waits for
 * are finished; these have smaller numbers. Ranks depend on each other by messages alone: the k-th
 * send that rank r starts to rank s with tag g belongs to the k-th receive that rank s starts from
 * rank r with tag g. A message may arrive before its receive starts.
 */
struct DcnTrainNode
{
    static constexpr uint32_t NO_OPERATION = UINT32_MAX; //!< see operation

    DcnTrainKind kind{DcnTrainKind::JOIN}; //!< what it does
    uint32_t peer{0};                      //!< rank that it sends to or receives from
    uint64_t bytes{0};                     //!< payload of its message, > 0
    uint32_t tag{0};                       //!< tells messages between two ranks apart

    /// Compute nodes of a stream of a rank run one after the other, in the order in which they
    /// become ready. Sends of a stream to one peer use one connection, as one queue pair.
    uint32_t stream{0};

    /// Time that the rank spends on the node [ns], >= 0. Compute: its duration. Send: for which its
    /// stream prepares the message, one after the other of the stream, before the network has it.
    /// Receive: from the arrival of its message until it is finished. Join: until it is finished.
    int64_t durationNs{0};
    uint32_t operation{NO_OPERATION}; //!< index of the operation that it is part of

    boost::container::small_vector<uint32_t, 2> after; //!< numbers of the nodes it waits for
};

/**
 * @ingroup dcn-train
 * @brief Nodes that belong together, such as those of a collective, for results.
 */
struct DcnTrainOperation
{
    std::string name;   //!< for people
    std::string kind;   //!< all-reduce, ..., point-to-point, compute, or iteration
    uint32_t nRanks{0}; //!< ranks that take part
    uint64_t bytes{0};  //!< size in the convention of its kind (DcnTrainCollective), 0: none
};

/**
 * @ingroup dcn-train
 * @brief Nodes of a dependency graph, rank by rank, in the order of their numbers.
 */
class DcnTrainSource
{
  public:
    virtual ~DcnTrainSource() = default;

    /** @return number of ranks. */
    virtual uint32_t GetNRanks() const = 0;

    /** @return operations by index. */
    virtual const std::vector<DcnTrainOperation>& GetOperations() const = 0;

    /**
     * @brief Get the next node of a rank.
     * @param rank its rank
     * @param node set to the node
     * @return false if there are no more
     * @throws DcnError for bad input
     */
    virtual bool Fetch(uint32_t rank, DcnTrainNode& node) = 0;

    /** @brief Begin again with the first node of every rank. */
    virtual void Rewind() = 0;

    /** @return name of the file for sentences, such as "graph.csv"; "graph" without a file. */
    virtual std::string GetName() const = 0;
};

/**
 * @ingroup dcn-train
 * @brief A node in words, such as "node 7 of rank 3 (receive of 100 bytes from rank 2 with tag 5)".
 * @param rank its rank
 * @param number its number
 * @param node the node
 * @return the words
 */
std::string DcnDescribeTrainNode(uint32_t rank, uint64_t number, const DcnTrainNode& node);

/**
 * @ingroup dcn-train
 * @brief Check the messages of a graph: that each receive has a send, and each send a receive.
 *
 * Ranks, sizes and the order of nodes are checked where nodes are made or read. Sends and receives
 * of one (sender, receiver, tag) must be equally many and of as many bytes together; that each pair
 * agrees depends on the order at run time, and is checked by DcnTrainExecutor.
 *
 * @param source the graph; it is read once and rewound
 * @throws DcnError naming file, node and value
 */
void DcnCheckTrainMessages(DcnTrainSource& source);

/**
 * @ingroup dcn-train
 * @brief A dependency graph in memory.
 */
class DcnTrainGraph : public DcnTrainSource
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no node

    /**
     * @param nRanks number of ranks, > 0
     * @param name for sentences
     */
    explicit DcnTrainGraph(uint32_t nRanks, const std::string& name = "graph");

    /**
     * @brief Add a node.
     * @param rank its rank
     * @param node the node; its operation is that of SetOperation
     * @return its number
     * @throws DcnError if a rank does not exist, a size is 0, a duration is negative, a rank sends
     * to itself, or the node waits for a node that was not added before
     */
    uint32_t Add(uint32_t rank, const DcnTrainNode& node);

    /**
     * @brief Add a compute node.
     * @param rank its rank
     * @param durationNs its duration [ns]
     * @param after nodes that it waits for; NONE is left out, in this and the other functions
     * @param stream see DcnTrainNode
     * @return its number
     */
    uint32_t Compute(uint32_t rank,
                     int64_t durationNs,
                     const std::vector<uint32_t>& after = {},
                     uint32_t stream = 0);

    /**
     * @brief Add a send node.
     * @param rank the sender
     * @param peer the receiver
     * @param bytes payload, > 0
     * @param tag see DcnTrainNode
     * @param after nodes that it waits for
     * @param stream see DcnTrainNode
     * @param durationNs time of the host, see DcnTrainNode [ns]
     * @return its number
     */
    uint32_t Send(uint32_t rank,
                  uint32_t peer,
                  uint64_t bytes,
                  uint32_t tag,
                  const std::vector<uint32_t>& after = {},
                  uint32_t stream = 0,
                  int64_t durationNs = 0);

    /**
     * @brief Add a receive node.
     * @param rank the receiver
     * @param peer the sender
     * @param bytes payload, > 0
     * @param tag see DcnTrainNode
     * @param after nodes that it waits for
     * @param durationNs time of the host, see DcnTrainNode [ns]
     * @return its number
     */
    uint32_t Receive(uint32_t rank,
                     uint32_t peer,
                     uint64_t bytes,
                     uint32_t tag,
                     const std::vector<uint32_t>& after = {},
                     int64_t durationNs = 0);

    /**
     * @brief Add a node that occupies nothing.
     * @param rank its rank
     * @param after nodes that it waits for
     * @param durationNs until it is finished [ns]
     * @return its number
     */
    uint32_t Join(uint32_t rank, const std::vector<uint32_t>& after, int64_t durationNs = 0);

    /**
     * @brief Make an operation; nodes that are added from now on are part of it.
     * @param operation the operation
     * @return its index
     */
    uint32_t BeginOperation(const DcnTrainOperation& operation);

    /**
     * @brief Nodes that are added from now on are part of an operation.
     * @param operation its index; DcnTrainNode::NO_OPERATION: of none
     */
    void SetOperation(uint32_t operation);

    /** @return a tag that no other call has returned. */
    uint32_t MakeTag();

    /**
     * @param rank a rank
     * @return its nodes
     */
    const std::vector<DcnTrainNode>& GetNodes(uint32_t rank) const;

    uint32_t GetNRanks() const override;
    const std::vector<DcnTrainOperation>& GetOperations() const override;
    bool Fetch(uint32_t rank, DcnTrainNode& node) override;
    void Rewind() override;
    std::string GetName() const override;

  private:
    std::string m_name;                               //!< see GetName
    std::string m_where;                              //!< begin of sentences
    std::vector<std::vector<DcnTrainNode>> m_nodes;   //!< by rank
    std::vector<std::size_t> m_next;                  //!< by rank: next node of Fetch
    std::vector<DcnTrainOperation> m_operations;      //!< see GetOperations
    uint32_t m_operation{DcnTrainNode::NO_OPERATION}; //!< of nodes that are added now
    uint32_t m_nTags{0};                              //!< see MakeTag
};

/**
 * @ingroup dcn-train
 * @brief Check a node by itself.
 * @param where beginning of the sentence, such as "graph.csv:7: "
 * @param rank its rank
 * @param number its number
 * @param nRanks number of ranks
 * @param node the node
 * @throws DcnError as DcnTrainGraph::Add
 */
void DcnCheckTrainNode(const std::string& where,
                       uint32_t rank,
                       uint64_t number,
                       uint32_t nRanks,
                       const DcnTrainNode& node);

} // namespace ns3

#endif /* DCN_TRAIN_GRAPH_H */
