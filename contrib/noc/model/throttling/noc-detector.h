/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_DETECTOR_H
#define NOC_DETECTOR_H

#include "ns3/mql-tree.h"
#include "ns3/noc-engine.h"

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief Attempts at sinks with their features and labels, recorded in a run without throttling.
 *
 * The label of time reversal (dissertation, section 3.3): a sample at time t_i of a sink is 1 if
 * some packet that bounced at this sink was sent at d_j with |t_i - d_j| <= Delta: "a packet that
 * is sent now will bounce". d_j is the cycle in which the packet came to its egress queue.
 */
class NocLabelledRun : public NocEngine::Control
{
  public:
    /// A sample.
    struct Row
    {
        std::array<float, 14> features; //!< NocSinkFeatures
        uint32_t cycle;                 //!< t_i
        uint32_t node;                  //!< of the sink
        bool bounced;                   //!< the attempt was refused
        bool label;                     //!< set by Label
    };

    /**
     * @param system the system; sinks of memory controllers are not recorded
     * @param alpha weight of a new value of the features
     */
    NocLabelledRun(const NocSystem& system, double alpha);
    ~NocLabelledRun() override;

    /**
     * @brief Set all labels.
     * @param delta Delta [cycles]
     * @param from samples before this cycle are dropped
     */
    void Label(uint32_t delta, uint32_t from);

    /** @return samples in the order of their attempts. */
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

    // of NocEngine::Control: nothing is held back
    void Begin(uint32_t cycle) override;
    bool MayIssue(uint32_t core, uint32_t destination) const override;
    uint32_t GetLookAhead() const override;
    uint32_t GetHitWindow() const override;
    void Attempt(uint32_t cycle,
                 uint32_t node,
                 bool isAccepted,
                 uint32_t occupancy,
                 uint32_t issued) override;
    void Depart(uint32_t cycle, uint32_t node, uint32_t occupancy) override;

  private:
    struct Sinks;

    std::unique_ptr<Sinks> m_sinks;            //!< features by node
    std::vector<bool> m_isMemory;              //!< by node
    std::vector<Row> m_rows;                   //!< samples
    std::vector<std::vector<uint32_t>> m_sent; //!< by node: d_j of packets that bounced
};

/// @ingroup noc
/// @brief Labelled runs, such as those of different rates.
using NocLabelledRuns = std::vector<std::unique_ptr<NocLabelledRun>>;

/// @ingroup noc
/// @brief How well a detector tells the labels.
struct NocDetectorScore
{
    uint64_t rows{0};      //!< samples
    uint64_t positives{0}; //!< samples of label 1
    double accuracy0{0};   //!< share of the samples of label 0 that it calls 0
    double accuracy1{0};   //!< share of the samples of label 1 that it calls 1: recall
    double precision{0};   //!< share of the samples it calls 1 that have label 1
    double lead{0};        //!< mean time from its signal to the first refusal after it [cycles]
};

/**
 * @ingroup noc
 * @brief A tree that says from the features of a sink whether a packet sent now will bounce.
 */
namespace NocDetector
{
/**
 * @brief Fit a tree by CART with classes of equal weight.
 * @param runs labelled runs
 * @param depth splits on the way to a leaf, at most
 * @param feature number of the only feature that is used; -1: all (a stump has depth 1)
 * @return the tree; it calls 1 what it predicts above 1/2
 * @throws DcnError if a label does not occur
 */
MqlTree Fit(const NocLabelledRuns& runs, uint32_t depth, int feature = -1);

/**
 * @param tree a tree
 * @param runs labelled runs
 * @return its score
 */
NocDetectorScore Score(const MqlTree& tree, const NocLabelledRuns& runs);

/**
 * @brief Write a tree as a table, node,feature,threshold,right,value,rows,gain.
 * @param tree a tree
 * @param out where to: a CSV file
 */
void Write(const MqlTree& tree, std::ostream& out);

/**
 * @param path of a file that Write wrote
 * @return the tree
 * @throws DcnError naming file and line for anything else
 */
MqlTree Read(const std::string& path);

/**
 * @brief Write a tree as a C++ function of an array of 14 features.
 * @param tree a tree
 * @param out where to
 */
void WriteCpp(const MqlTree& tree, std::ostream& out);
} // namespace NocDetector

} // namespace ns3

#endif /* NOC_DETECTOR_H */
