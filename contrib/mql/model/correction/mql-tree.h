/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TREE_H
#define MQL_TREE_H

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief Training rows, stored by column.
 */
struct MqlTrainingSet
{
    std::vector<std::vector<double>> columns; //!< by feature: value of every row
    std::vector<double> targets;              //!< y of every row
    std::vector<double> weights;              //!< w > 0 of every row

    /** @return the number of rows. */
    std::size_t GetN() const
    {
        return targets.size();
    }
};

/**
 * @ingroup mql
 * @brief Limits of a tree.
 */
struct MqlTreeOptions
{
    uint32_t maxDepth{12};    //!< splits on the way from the root to a leaf, at most
    uint32_t minLeafRows{20}; //!< rows in a leaf, at least
    uint32_t threads{1};      //!< threads; the tree does not depend on their number
};

/**
 * @ingroup mql
 * @brief A regression tree (CART: Breiman, Friedman, Olshen and Stone 1984), fitted exactly.
 *
 * With rows (x_i, y_i, w_i) in a node, W = sum w_i and S = sum w_i y_i, the node predicts S / W. A
 * split "x_f <= t goes left" reduces the weighted sum of squared errors by
 *
 *     gain(f, t) = S_L^2 / W_L + S_R^2 / W_R - S^2 / W  >= 0.
 *
 * Every feature and every midpoint t between neighbouring distinct values is tried, and the largest
 * gain is taken; of equal gains, that of the first feature, then the lowest t. Nodes are split
 * while there is a gain, within the limits of MqlTreeOptions.
 *
 * Each feature is sorted once; a node is a range of each sorted list, and splitting partitions it
 * stably. Time is O(features * rows * (log rows + depth)), memory 4 bytes per row and feature
 * beside the rows.
 */
class MqlTree
{
  public:
    static constexpr uint32_t LEAF = 0xffffffff; //!< feature of a node that is not split

    /// A node; nodes are numbered in depth-first order, left before right, from the root 0.
    struct Node
    {
        uint32_t feature{LEAF}; //!< the feature that is compared, or LEAF
        double threshold{0};    //!< rows with x_f <= threshold go left, to the next node
        uint32_t right{0};      //!< child of the other rows
        double value{0};        //!< prediction of this node
        uint64_t rows{0};       //!< number of training rows in it
        double gain{0};         //!< reduction of the weighted sum of squared errors by its split
    };

    /**
     * @brief Fit a tree.
     * @param set at least one row; columns, targets and weights of equal length, all finite
     * @param options limits
     * @return the tree
     * @throws DcnError if the set is empty or invalid
     */
    static MqlTree Fit(const MqlTrainingSet& set, const MqlTreeOptions& options);

    /**
     * @brief Make a tree of nodes, such as those of a file.
     * @param nodes in depth-first order
     * @param nFeatures number of features
     * @param where prefix of the error sentence
     * @throws DcnError if they do not form a tree
     */
    MqlTree(std::vector<Node> nodes, uint32_t nFeatures, const std::string& where = "");

    /**
     * @param features values of all features
     * @return the prediction
     */
    double Predict(const double* features) const
    {
        const Node* node = m_nodes.data();
        while (node->feature != LEAF)
        {
            node = features[node->feature] <= node->threshold ? node + 1
                                                              : m_nodes.data() + node->right;
        }
        return node->value;
    }

    /** @return the nodes. */
    const std::vector<Node>& GetNodes() const;

    /** @return the number of features. */
    uint32_t GetNFeatures() const
    {
        return m_nFeatures;
    }

    /** @return the number of leaves. */
    uint32_t GetNLeaves() const;

    /** @return splits on the longest way from the root to a leaf. */
    uint32_t GetDepth() const;

    /** @return by feature: its share of the gain of all splits; all 0 without a split. */
    std::vector<double> GetImportances() const;

  private:
    std::vector<Node> m_nodes; //!< in depth-first order
    uint32_t m_nFeatures;      //!< number of features
};

} // namespace ns3

#endif /* MQL_TREE_H */
