/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_GRAPH_FILE_H
#define DCN_TRAIN_GRAPH_FILE_H

#include "dcn-train-graph.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief A dependency graph on disk: graph.csv, and operations.csv beside it (doc/schema.rst).
 *
 * A row of graph.csv is a node. The nodes of a rank are in rows that follow each other, in the
 * order of their numbers; ranks come in their order. So every rank is read by itself, a block of
 * the file at a time: memory does not grow with the length of the file. The constructor reads the
 * file once and checks it.
 */
class DcnTrainGraphFile : public DcnTrainSource
{
  public:
    /**
     * @param path graph.csv, or a folder with it; operations.csv is optional
     * @throws DcnError for bad input: see DcnCheckTrainNode and DcnCheckTrainMessages
     */
    explicit DcnTrainGraphFile(const std::string& path);

    uint32_t GetNRanks() const override;
    const std::vector<DcnTrainOperation>& GetOperations() const override;
    bool Fetch(uint32_t rank, DcnTrainNode& node) override;
    void Rewind() override;
    std::string GetName() const override;

    /** @return number of nodes. */
    uint64_t GetNNodes() const;

  private:
    /// Rows of a rank.
    struct Rank
    {
        uint64_t begin{0};     //!< offset of its first row
        uint64_t end{0};       //!< offset after its last row
        uint64_t firstLine{0}; //!< line of its first row, from 1
        uint64_t next{0};      //!< offset of what is not in the text below
        uint64_t number{0};    //!< number of the next node
        std::size_t at{0};     //!< of the text below: the next row
        std::string text;      //!< a block of the file
    };

    /// A row as it is read.
    struct Row
    {
        uint64_t rank;     //!< its rank
        uint64_t number;   //!< number of the node
        DcnTrainNode node; //!< the node
    };

    void ReadOperations(const std::string& path);
    /// Finds the rows of all ranks.
    void Scan();
    /// Begins a rank at its first row, and refuses a row out of order; begin is its offset.
    void TakeRank(const Row& row, uint64_t line, uint64_t begin);
    /// Reads a row.
    void Parse(const char* begin, const char* end, uint64_t line, Row& row) const;
    /// Returns "graph.csv:7: ".
    std::string Where(uint64_t line) const;

    std::string m_path;                          //!< of graph.csv
    std::ifstream m_file;                        //!< the file
    std::vector<Rank> m_ranks;                   //!< by rank
    std::vector<DcnTrainOperation> m_operations; //!< by index
    uint64_t m_nNodes{0};                        //!< see GetNNodes
};

/**
 * @ingroup dcn-train
 * @brief Write a graph as graph.csv and operations.csv.
 * @param source the graph; it is read once and rewound
 * @param folder where to write; it is made
 * @throws DcnError if it cannot be written
 */
void DcnWriteTrainGraph(DcnTrainSource& source, const std::string& folder);

} // namespace ns3

#endif /* DCN_TRAIN_GRAPH_FILE_H */
