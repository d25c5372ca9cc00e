/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_ASSEMBLER_H
#define DCN_TRAIN_ASSEMBLER_H

#include "ns3/dcn-train-collective.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief What a reader of a foreign format does with what the format leaves open.
 */
struct DcnTrainImportOptions
{
    std::string algorithm{"ring"};  //!< of all collectives but all-to-all
    std::string allToAll{"direct"}; //!< algorithm of all-to-all
    uint32_t channels{1};           //!< of collectives
    uint32_t chunks{1};             //!< of a channel
    uint32_t groupSize{0};          //!< of hierarchical collectives
    std::shared_ptr<const DcnTrainHostCosts> protocols; //!< of collectives; null: none
    double peakFlops{312e12};       //!< of compute nodes that have FLOP in place of a duration
    uint32_t mostRanks{1'000'000};  //!< ranks at most, such as the hosts of the network
};

/**
 * @ingroup dcn-train
 * @brief A graph that was read, and what of the file has no effect.
 */
struct DcnTrainImport
{
    std::shared_ptr<DcnTrainGraph> graph; //!< the graph
    std::vector<std::string> ignored;     //!< fields without effect that occurred, in words
    bool hasFlops{false};                 //!< DcnTrainImportOptions::peakFlops has made durations
};

/**
 * @ingroup dcn-train
 * @brief Makes a graph of nodes in any order, with collectives as nodes.
 *
 * **Problem.** Traces name nodes by ids of their own, in any order, and have a collective as one
 * node of each member. The k-th collective of a group at one member belongs to the k-th of that
 * group at the others; each member's order is that in which its nodes were added, as far as
 * dependencies allow.
 *
 * **Algorithm.** Nodes of a rank are sorted so that each comes after those that it waits for (Kahn;
 * of those that are ready, the one that was added first). Ranks then advance in turn, each up to a
 * collective that another member has not reached. A collective is added to the graph when all
 * members have reached it.
 */
class DcnTrainAssembler
{
  public:
    /// A node of a trace.
    struct Step
    {
        uint64_t id{0};              //!< given by the trace, unique in its rank
        DcnTrainNode node;           //!< but for a collective; after is ignored
        std::vector<uint64_t> after; //!< ids that it waits for
        std::string collective;      //!< operation of a collective; empty: node
        uint64_t bytes{0};           //!< of a collective
        std::vector<uint32_t> group; //!< members of a collective
        uint32_t root{0};            //!< of a broadcast: position in the group
        std::string name;            //!< for people
    };

    /**
     * @param nRanks number of ranks
     * @param name of the graph
     * @param options see DcnTrainImportOptions
     */
    DcnTrainAssembler(uint32_t nRanks,
                      const std::string& name,
                      const DcnTrainImportOptions& options);

    /**
     * @brief Add a node.
     * @param rank its rank
     * @param file name of the file that it is from, for sentences
     * @param step the node
     */
    void Add(uint32_t rank, const std::string& file, Step step);

    /**
     * @brief Make the graph; once.
     * @return the graph
     * @throws DcnError naming file and node for an unknown id, an id that occurs twice, a cycle, or
     * a collective that its members do not reach alike, and for messages that wait for each other;
     * and as DcnTrainGraph::Add
     */
    std::shared_ptr<DcnTrainGraph> Make();

  private:
    /// A rank.
    struct Rank
    {
        std::string file;                  //!< of its nodes
        std::vector<Step> steps;           //!< in the order of Add
        std::vector<std::size_t> order;    //!< sorted
        std::size_t next{0};               //!< position in order
        std::map<uint64_t, uint32_t> made; //!< node of the graph by id
    };

    void Sort(Rank& rank) const;
    /// Adds nodes of a rank up to a collective; returns whether it has advanced.
    bool Advance(uint32_t rank);
    using Place = std::pair<uint32_t, uint32_t>;              //!< rank, node
    using Channel = std::tuple<uint32_t, uint32_t, uint32_t>; //!< from, to, tag

    /// Adds the collective that all members of a group have reached.
    void Collect(const Step& step);
    /// Refuses a graph in which receives wait for each other's messages.
    void CheckCausal() const;
    /// Sets how many nodes each node waits for, and which wait for it; returns those without any.
    std::vector<Place> FindReady(std::vector<std::vector<uint32_t>>& nWaiting,
                                 std::vector<std::vector<std::vector<uint32_t>>>& later) const;
    /// Refuses receives that are left without their message.
    void RefuseWaiting(const std::map<Channel, std::vector<Place>>& receiving) const;
    /// Returns the graph's nodes that a step waits for.
    std::vector<uint32_t> GetAfter(const Rank& rank, const Step& step) const;

    DcnTrainImportOptions m_options;        //!< see DcnTrainImportOptions
    std::shared_ptr<DcnTrainGraph> m_graph; //!< to be made
    std::vector<Rank> m_ranks;              //!< by rank
};

} // namespace ns3

#endif /* DCN_TRAIN_ASSEMBLER_H */
