/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_COLLECTIVE_H
#define DCN_TRAIN_COLLECTIVE_H

#include "ns3/dcn-train-graph.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

struct DcnTrainCollective;

/**
 * @ingroup dcn-train
 * @brief A message of a collective: blocks of data that one member sends to another one.
 *
 * The blocks are first, first + stride, ..., count of them.
 */
struct DcnTrainTransfer
{
    uint32_t from;    //!< sender, position in the list of members
    uint32_t to;      //!< receiver
    uint64_t first;   //!< first block
    uint64_t count;   //!< number of blocks, > 0
    uint64_t stride;  //!< distance of the blocks
    bool isReduction; //!< the receiver adds the blocks to its own; false: it replaces its own
};

/**
 * @ingroup dcn-train
 * @brief An algorithm for a collective operation: the transfers, in an order in which they can be
 * carried out one by one.
 */
struct DcnTrainSchedule
{
    uint64_t nBlocks{1};                     //!< parts of equal size into which the data is divided
    std::vector<DcnTrainTransfer> transfers; //!< in order
};

/**
 * @ingroup dcn-train
 * @brief Costs of collectives on hosts, and the choice among ways to carry one out:
 * DcnTrainProtocols.
 */
class DcnTrainHostCosts
{
  public:
    /// Costs of a message.
    struct Message
    {
        uint64_t bytes;    //!< on the network, without headers
        int64_t sendNs;    //!< duration of its send [ns]
        int64_t receiveNs; //!< duration of its receive [ns]
    };

    virtual ~DcnTrainHostCosts() = default;

    /**
     * @brief Choose how a collective is carried out.
     * @param collective gets algorithm, channels, chunks and groupSize
     * @param members ranks
     * @return number of the choice, for the other functions
     * @throws DcnError if there is no way
     */
    virtual uint32_t Fix(DcnTrainCollective& collective,
                         const std::vector<uint32_t>& members) const = 0;

    /**
     * @param choice see Fix
     * @return time from the start of a member to its first message [ns]
     */
    virtual int64_t GetLaunchNs(uint32_t choice) const = 0;

    /**
     * @param choice see Fix
     * @param channels of the collective
     * @param from rank that sends
     * @param to rank that receives
     * @param bytes of data
     * @return costs
     */
    virtual Message MakeMessage(uint32_t choice,
                                uint32_t channels,
                                uint32_t from,
                                uint32_t to,
                                uint64_t bytes) const = 0;
};

/**
 * @ingroup dcn-train
 * @brief A collective operation among ranks, as dependency graph.
 *
 * **Problem.** n members have data and want data, by operation:
 *
 *     all-reduce      each has a vector of S bytes, and wants the sum of all
 *     reduce-scatter  each has a vector of S bytes; member i wants part i of n of the sum
 *     all-gather      member i has part i of n of S bytes, and each wants all S bytes
 *     all-to-all      each has S bytes, of which part j of n is for member j
 *     broadcast       the root has S bytes, and each wants them
 *
 * An algorithm divides the data into blocks and gives the messages (DcnTrainSchedule). Dependencies
 * follow from the data: a member sends blocks when it has received the latest version of each of
 * them, and not before; it adds what it receives to its own blocks when it has these. Receives are
 * posted when the collective begins, as far as this allows. So every algorithm runs as fast as its
 * data lets it, without steps in which all wait for all.
 *
 * **Channels and chunks.** The data is divided into C channels of K chunks each, and the algorithm
 * runs for each part by itself; the parts of a channel follow each other on the connections of the
 * channel (stream number), so that chunks make a pipeline. Connections of different channels may
 * take different paths. Algorithms that know servers (groupSize) give each channel an order of
 * members of its own, so that channels use different NICs of a server.
 *
 * **Costs.** Messages cost their time on the network; the arithmetic of reductions costs nothing.
 * With a table of protocols (DcnTrainProtocols), the host's part costs time, too: the launch, each
 * hop, and the rate at which processors copy. The table then also chooses channels, chunks and the
 * algorithm ("auto") by the size, as NCCL's tuner does.
 *
 * Sizes follow the convention of nccl-tests, and so do bandwidths: with a duration t, the algorithm
 * bandwidth is S / t, and the bus bandwidth S / t times 2 (n - 1) / n for all-reduce, (n - 1) / n
 * for reduce-scatter, all-gather and all-to-all, and 1 for broadcast. It is the rate at which a
 * ring would use each link, to be compared with the rate of the hosts.
 */
struct DcnTrainCollective
{
    std::string operation{"all-reduce"}; //!< see above
    std::string algorithm{"ring"};       //!< a registered name; with protocols also auto
    uint64_t bytes{0};                   //!< S
    uint32_t channels{1};                //!< C; with protocols: at most
    uint32_t chunks{1};                  //!< K; with protocols and 1: as their table says
    uint32_t groupSize{0};               //!< of algorithms that know servers: members of a server;
                                         //!< with protocols: theirs
    uint32_t root{0};                    //!< of a broadcast: position in the list of members
    uint32_t stream{0};                  //!< of the first channel: communicators have their own
    std::string name;                    //!< of the operation in results; empty: its kind
    std::shared_ptr<const DcnTrainHostCosts> protocols; //!< costs of hosts; null: there are none

    /**
     * @brief Compute the messages.
     * @param nMembers number of members, > 1
     * @param channel of the part, from 0; without effect unless groupSize is set
     * @return the schedule of one part
     * @throws DcnError if the algorithm does not have the operation, or not for this many members
     */
    DcnTrainSchedule MakeSchedule(uint32_t nMembers, uint32_t channel = 0) const;

    /**
     * @brief Add the collective to a graph, as an operation.
     * @param graph the graph
     * @param members ranks, in the algorithm's order
     * @param after by member: node after which it begins (DcnTrainGraph::NONE: at once); empty: all
     * at once
     * @return by member: node that is finished when the member has the result
     * @throws DcnError as MakeSchedule, and, without protocols, if there are fewer bytes than
     * blocks
     */
    std::vector<uint32_t> AddTo(DcnTrainGraph& graph,
                                const std::vector<uint32_t>& members,
                                const std::vector<uint32_t>& after = {}) const;

    /// @return factor between algorithm bandwidth and bus bandwidth, see above
    static double GetBusFactor(const std::string& operation, uint32_t nMembers);

    /// @return operations that there are
    static const std::vector<std::string>& GetOperations();

    /// Computes the schedule of a channel; the collective has its operation, groupSize and root.
    using Algorithm = DcnTrainSchedule (*)(const DcnTrainCollective& collective,
                                           uint32_t nMembers,
                                           uint32_t channel);

    /// A static object of this type makes an algorithm known.
    struct Registration
    {
        /**
         * @param name of the algorithm
         * @param operations that it has
         * @param algorithm computes schedules
         * @param grouped operations for which groupSize has an effect
         */
        Registration(const std::string& name,
                     const std::vector<std::string>& operations,
                     Algorithm algorithm,
                     const std::vector<std::string>& grouped = {});
    };

    /**
     * @brief Refuse groups of different size, for algorithms.
     * @param nMembers number of members
     * @throws DcnError unless they are groups of groupSize, at least 2
     */
    void CheckGroups(uint32_t nMembers) const;

    /// @return whether groupSize has an effect on the algorithm for the operation
    bool IsGrouped() const;

    /// @return the names of the registered algorithms that have an operation
    static std::vector<std::string> GetAlgorithms(const std::string& operation);

  private:
    /// Returns the bytes of all blocks; fails if there are fewer than blocks of the schedule.
    uint64_t GetTotalBytes(uint32_t nMembers, uint64_t nBlocks) const;
    /// @return the schedules of channels 0, 1, ...: those of channels beyond repeat them
    std::vector<DcnTrainSchedule> MakeSchedules(uint32_t nMembers) const;
    /// Adds what the launch costs; returns, by member, the node after which it begins, or NONE.
    std::vector<uint32_t> AddLaunches(DcnTrainGraph& graph,
                                      const std::vector<uint32_t>& members,
                                      const std::vector<uint32_t>& after,
                                      uint32_t choice) const;
    /// Adds the collective, whose algorithm and parts are fixed; choice: of the protocols, if any.
    std::vector<uint32_t> AddParts(DcnTrainGraph& graph,
                                   const std::vector<uint32_t>& members,
                                   const std::vector<uint32_t>& after,
                                   uint32_t choice) const;
};

} // namespace ns3

#endif /* DCN_TRAIN_COLLECTIVE_H */
