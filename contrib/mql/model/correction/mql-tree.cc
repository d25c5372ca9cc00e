/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-tree.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace ns3
{

namespace
{

/// A split of a node.
struct Split
{
    double gain{0};          //!< 0: none
    double threshold{0};     //!< value that is compared with
    std::size_t leftRows{0}; //!< rows on the left
};

/// Fits one tree.
class TreeBuilder
{
  public:
    TreeBuilder(const MqlTrainingSet& set, const MqlTreeOptions& options)
        : m_set(set),
          m_options(options),
          m_order(set.columns.size()),
          m_goesLeft(set.GetN())
    {
        // Gains do not depend on the origin of y; with the mean as the origin they are most
        // precise.
        double weight = 0;
        for (std::size_t i = 0; i < set.GetN(); ++i)
        {
            m_mean += set.weights[i] * set.targets[i];
            weight += set.weights[i];
        }
        m_mean /= weight;
        DcnParallelFor(m_order.size(), options.threads, [&](std::size_t f) {
            auto& order = m_order[f];
            const auto& column = set.columns[f];
            order.resize(set.GetN());
            std::iota(order.begin(), order.end(), 0U);
            std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
                return column[a] != column[b] ? column[a] < column[b] : a < b;
            });
        });
    }

    std::vector<MqlTree::Node> Build()
    {
        Grow(0, m_set.GetN(), 0);
        return std::move(m_nodes);
    }

  private:
    void Grow(std::size_t first, std::size_t last, uint32_t depth)
    {
        const std::size_t number = m_nodes.size();
        m_nodes.emplace_back();
        double weight = 0;
        double sum = 0;
        for (std::size_t i = first; i < last; ++i)
        {
            const uint32_t row = m_order[0][i];
            weight += m_set.weights[row];
            sum += m_set.weights[row] * (m_set.targets[row] - m_mean);
        }
        m_nodes[number].value = m_mean + sum / weight;
        m_nodes[number].rows = last - first;
        if (depth == m_options.maxDepth || last - first < 2 * std::size_t{m_options.minLeafRows})
        {
            return;
        }
        std::vector<Split> splits(m_order.size());
        DcnParallelFor(splits.size(), m_options.threads, [&](std::size_t f) {
            splits[f] = FindSplit(f, first, last, weight, sum);
        });
        std::size_t best = 0;
        for (std::size_t f = 1; f < splits.size(); ++f)
        {
            best = splits[f].gain > splits[best].gain ? f : best;
        }
        // Rounding differences of equal targets are no gain.
        const double noise = 1e-12 * (sum * sum / weight);
        if (splits[best].gain <= noise)
        {
            return;
        }
        const std::size_t middle = first + splits[best].leftRows;
        for (std::size_t i = first; i < last; ++i)
        {
            m_goesLeft[m_order[best][i]] = i < middle ? 1 : 0;
        }
        DcnParallelFor(m_order.size(), m_options.threads, [&](std::size_t f) {
            if (f != best)
            {
                std::stable_partition(m_order[f].begin() + static_cast<std::ptrdiff_t>(first),
                                      m_order[f].begin() + static_cast<std::ptrdiff_t>(last),
                                      [&](uint32_t row) { return m_goesLeft[row] != 0; });
            }
        });
        m_nodes[number].feature = static_cast<uint32_t>(best);
        m_nodes[number].threshold = splits[best].threshold;
        m_nodes[number].gain = splits[best].gain;
        Grow(first, middle, depth + 1);
        m_nodes[number].right = static_cast<uint32_t>(m_nodes.size());
        Grow(middle, last, depth + 1);
    }

    Split FindSplit(std::size_t f,
                    std::size_t first,
                    std::size_t last,
                    double weight,
                    double sum) const
    {
        const auto& order = m_order[f];
        const auto& column = m_set.columns[f];
        Split best;
        if (column[order[first]] == column[order[last - 1]])
        {
            return best;
        }
        const double whole = sum * sum / weight;
        double leftWeight = 0;
        double leftSum = 0;
        for (std::size_t i = first; i + 1 < last; ++i)
        {
            const uint32_t row = order[i];
            leftWeight += m_set.weights[row];
            leftSum += m_set.weights[row] * (m_set.targets[row] - m_mean);
            const double here = column[row];
            const double next = column[order[i + 1]];
            const std::size_t leftRows = i + 1 - first;
            if (here == next || leftRows < m_options.minLeafRows)
            {
                continue;
            }
            const double rightWeight = weight - leftWeight;
            if (last - first - leftRows < m_options.minLeafRows)
            {
                break;
            }
            const double rightSum = sum - leftSum;
            const double gain =
                leftSum * leftSum / leftWeight + rightSum * rightSum / rightWeight - whole;
            if (gain > best.gain)
            {
                // The midpoint may round up to the larger neighbour, which must go right.
                const double half = here + (next - here) / 2;
                best = {gain, half < next ? half : here, leftRows};
            }
        }
        return best;
    }

    const MqlTrainingSet& m_set;                //!< rows
    const MqlTreeOptions& m_options;            //!< limits
    std::vector<std::vector<uint32_t>> m_order; //!< by feature: rows by value, node by node
    std::vector<uint8_t> m_goesLeft;            //!< by row, of the split being made
    double m_mean{0};                           //!< of all targets
    std::vector<MqlTree::Node> m_nodes;         //!< made so far
};

} // namespace

MqlTree
MqlTree::Fit(const MqlTrainingSet& set, const MqlTreeOptions& options)
{
    const std::size_t n = set.GetN();
    if (n == 0 || set.columns.empty())
    {
        DcnFail("a regression tree needs at least one row and one feature");
    }
    if (n > 0xffffffffULL || set.weights.size() != n)
    {
        DcnFail("a training set of ", n, " rows has ", set.weights.size(), " weights");
    }
    if (options.minLeafRows == 0)
    {
        DcnFail("a leaf must have at least 1 row, not 0");
    }
    for (std::size_t i = 0; i < n; ++i)
    {
        if (!std::isfinite(set.targets[i]) || !(set.weights[i] > 0) ||
            !std::isfinite(set.weights[i]))
        {
            DcnFail("row ",
                    i,
                    " has the target ",
                    set.targets[i],
                    " and the weight ",
                    set.weights[i],
                    ", but they must be finite and the weight above 0");
        }
    }
    for (std::size_t f = 0; f < set.columns.size(); ++f)
    {
        if (set.columns[f].size() != n)
        {
            DcnFail("feature ", f, " has ", set.columns[f].size(), " values for ", n, " rows");
        }
        for (std::size_t i = 0; i < n; ++i)
        {
            if (!std::isfinite(set.columns[f][i]))
            {
                DcnFail("feature ", f, " of row ", i, " is not finite");
            }
        }
    }
    return MqlTree(TreeBuilder(set, options).Build(), static_cast<uint32_t>(set.columns.size()));
}

MqlTree::MqlTree(std::vector<Node> nodes, uint32_t nFeatures, const std::string& where)
    : m_nodes(std::move(nodes)),
      m_nFeatures(nFeatures)
{
    // Depth first: the left child is the next node, the right one follows the left one's subtree.
    std::size_t next = 0;
    std::function<void(uint32_t)> visit = [&](uint32_t depth) {
        if (next >= m_nodes.size() || depth > 64)
        {
            DcnFail(where, "the nodes do not form a tree");
        }
        const std::size_t number = next++;
        const Node& node = m_nodes[number];
        if (!std::isfinite(node.value) || !std::isfinite(node.threshold))
        {
            DcnFail(where, "node ", number, " has a value that is not finite");
        }
        if (node.feature == LEAF)
        {
            return;
        }
        if (node.feature >= m_nFeatures)
        {
            DcnFail(where,
                    "node ",
                    number,
                    " compares feature ",
                    node.feature,
                    " of ",
                    m_nFeatures);
        }
        visit(depth + 1);
        if (node.right != next)
        {
            DcnFail(where, "node ", number, " has the right child ", node.right, ", not ", next);
        }
        visit(depth + 1);
    };
    visit(0);
    if (next != m_nodes.size())
    {
        DcnFail(where, "there are ", m_nodes.size(), " nodes, but the tree has ", next);
    }
}

const std::vector<MqlTree::Node>&
MqlTree::GetNodes() const
{
    return m_nodes;
}

uint32_t
MqlTree::GetNLeaves() const
{
    return static_cast<uint32_t>(m_nodes.size() + 1) / 2;
}

uint32_t
MqlTree::GetDepth() const
{
    std::vector<uint32_t> depths(m_nodes.size(), 0);
    uint32_t deepest = 0;
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
    {
        deepest = std::max(deepest, depths[i]);
        if (m_nodes[i].feature != LEAF)
        {
            depths[i + 1] = depths[m_nodes[i].right] = depths[i] + 1;
        }
    }
    return deepest;
}

std::vector<double>
MqlTree::GetImportances() const
{
    std::vector<double> importances(m_nFeatures, 0);
    double sum = 0;
    for (const auto& node : m_nodes)
    {
        if (node.feature != LEAF)
        {
            importances[node.feature] += node.gain;
            sum += node.gain;
        }
    }
    for (auto& importance : importances)
    {
        importance = sum > 0 ? importance / sum : 0;
    }
    return importances;
}

} // namespace ns3
