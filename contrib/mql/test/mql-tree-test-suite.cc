/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/correction/mql-tree.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/double.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

using namespace ns3;

namespace
{

/// Rows with uniform features; targets and weights by functions of the row.
MqlTrainingSet
MakeSet(std::size_t n,
        std::size_t nFeatures,
        int64_t stream,
        const std::function<double(const std::vector<double>&, double)>& target,
        uint32_t levels = 0)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(stream);
    MqlTrainingSet set;
    set.columns.resize(nFeatures);
    for (std::size_t i = 0; i < n; ++i)
    {
        std::vector<double> row;
        for (auto& column : set.columns)
        {
            double x = uniform->GetValue(0, 1);
            x = levels > 0 ? std::floor(x * levels) : x;
            row.push_back(x);
            column.push_back(x);
        }
        set.targets.push_back(target(row, uniform->GetValue(0, 1)));
        set.weights.push_back(0.5 + uniform->GetValue(0, 1));
    }
    return set;
}

/**
 * A function that is constant on boxes is recovered: every prediction is the target.
 *
 * y = 3 if x_0 > 1/2, else 1 if x_1 <= 1/4, else -2: three leaves, depth 2. Features that y does
 * not depend on get no importance.
 */
DCN_TEST_CASE(StepTestCase, "A step function is recovered exactly")
{
    const auto step = [](const std::vector<double>& x, double) {
        return x[0] > 0.5 ? 3.0 : x[1] <= 0.25 ? 1.0 : -2.0;
    };
    const auto set = MakeSet(2000, 3, 1, step);
    const auto tree = MqlTree::Fit(set, {});
    NS_TEST_EXPECT_MSG_EQ(tree.GetNLeaves(), 3, "leaves");
    NS_TEST_EXPECT_MSG_EQ(tree.GetDepth(), 2, "depth");
    NS_TEST_EXPECT_MSG_EQ_TOL(tree.GetNodes()[0].threshold, 0.5, 2e-3, "first threshold");
    for (std::size_t i = 0; i < set.GetN(); ++i)
    {
        const double x[]{set.columns[0][i], set.columns[1][i], set.columns[2][i]};
        NS_TEST_ASSERT_MSG_EQ_TOL(tree.Predict(x), set.targets[i], 1e-12, "row " << i);
    }
    const auto importances = tree.GetImportances();
    NS_TEST_EXPECT_MSG_EQ_TOL(importances[0] + importances[1], 1, 1e-12, "importances");
    NS_TEST_EXPECT_MSG_EQ(importances[2], 0, "importance of what does not matter");
}

/**
 * @ingroup mql-tests
 * @brief Each split is the best of all that brute force finds.
 *
 * For every node: the error sums of all (feature, threshold) pairs are computed directly from the
 * rows; the largest reduction must be the node's gain, and its children's values the means.
 */
class BruteForceTestCase : public TestCase
{
  public:
    BruteForceTestCase()
        : TestCase("Splits are those of brute force")
    {
    }

  private:
    /// Weighted sum of squared deviations from the mean, and the mean.
    static std::pair<double, double> Error(const MqlTrainingSet& set,
                                           const std::vector<uint32_t>& rows)
    {
        double weight = 0;
        double mean = 0;
        for (const uint32_t row : rows)
        {
            weight += set.weights[row];
            mean += set.weights[row] * set.targets[row];
        }
        mean /= weight;
        double error = 0;
        for (const uint32_t row : rows)
        {
            error += set.weights[row] * std::pow(set.targets[row] - mean, 2);
        }
        return {error, mean};
    }

    void CheckNode(const MqlTrainingSet& set,
                   const MqlTree& tree,
                   std::size_t number,
                   const std::vector<uint32_t>& rows,
                   uint32_t depth,
                   const MqlTreeOptions& options)
    {
        const auto& node = tree.GetNodes()[number];
        const auto [error, mean] = Error(set, rows);
        NS_TEST_ASSERT_MSG_EQ(node.rows, rows.size(), "rows of node " << number);
        NS_TEST_ASSERT_MSG_EQ_TOL(node.value, mean, 1e-12, "value of node " << number);
        double best = 0;
        std::size_t bestFeature = 0;
        for (std::size_t f = 0; f < set.columns.size(); ++f)
        {
            std::vector<double> values;
            for (const uint32_t row : rows)
            {
                values.push_back(set.columns[f][row]);
            }
            std::sort(values.begin(), values.end());
            values.erase(std::unique(values.begin(), values.end()), values.end());
            for (std::size_t v = 0; v + 1 < values.size(); ++v)
            {
                std::vector<uint32_t> sides[2];
                for (const uint32_t row : rows)
                {
                    sides[set.columns[f][row] <= values[v] ? 0 : 1].push_back(row);
                }
                if (std::min(sides[0].size(), sides[1].size()) < options.minLeafRows)
                {
                    continue;
                }
                const double gain = error - Error(set, sides[0]).first - Error(set, sides[1]).first;
                if (gain > best * (1 + 1e-9))
                {
                    best = gain;
                    bestFeature = f;
                }
            }
        }
        if (depth == options.maxDepth || best == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(node.feature, +MqlTree::LEAF, "node " << number);
            return;
        }
        NS_TEST_ASSERT_MSG_EQ(node.feature, bestFeature, "feature of node " << number);
        NS_TEST_ASSERT_MSG_EQ_TOL(node.gain, best, 1e-9 * best + 1e-12, "gain of node " << number);
        std::vector<uint32_t> sides[2];
        for (const uint32_t row : rows)
        {
            sides[set.columns[node.feature][row] <= node.threshold ? 0 : 1].push_back(row);
        }
        CheckNode(set, tree, number + 1, sides[0], depth + 1, options);
        CheckNode(set, tree, node.right, sides[1], depth + 1, options);
    }

    void DoRun() override
    {
        const auto wave = [](const std::vector<double>& x, double noise) {
            return std::sin(7 * x[0]) + x[1] * x[2] + noise;
        };
        for (const uint32_t levels : {0U, 5U})
        {
            const auto set = MakeSet(150, 4, 10 + levels, wave, levels);
            MqlTreeOptions options;
            options.maxDepth = 4;
            options.minLeafRows = 5;
            const auto tree = MqlTree::Fit(set, options);
            std::vector<uint32_t> rows;
            for (uint32_t i = 0; i < set.GetN(); ++i)
            {
                rows.push_back(i);
            }
            NS_TEST_EXPECT_MSG_GT(tree.GetNLeaves(), 4, "a tree that is worth the test");
            CheckNode(set, tree, 0, rows, 0, options);
        }
    }
};

/// What is equal is decided by rule: the first feature, the lowest threshold; limits hold; threads
/// change nothing.
DCN_TEST_CASE(TieTestCase, "Ties, limits and threads")
{
    // y = 0 1 1 0 over x = 0 1 2 3: splits at 0.5 and 2.5 gain the same; a copy of x, too.
    MqlTrainingSet set;
    set.columns = {{5, 5, 5, 5}, {0, 1, 2, 3}, {0, 1, 2, 3}};
    set.targets = {0, 1, 1, 0};
    set.weights = {1, 1, 1, 1};
    MqlTreeOptions options;
    options.minLeafRows = 1;
    auto tree = MqlTree::Fit(set, options);
    NS_TEST_EXPECT_MSG_EQ(tree.GetNodes()[0].feature, 1, "the first of equal features");
    NS_TEST_EXPECT_MSG_EQ(tree.GetNodes()[0].threshold, 0.5, "the lowest of equal thresholds");
    NS_TEST_EXPECT_MSG_EQ(tree.GetNLeaves(), 3, "leaves");
    // Neighbouring doubles: the threshold must keep them apart.
    const double up = std::nextafter(1.0, 2.0);
    set.columns = {{1, 1, up, up}};
    set.targets = {0, 0, 1, 1};
    tree = MqlTree::Fit(set, options);
    NS_TEST_EXPECT_MSG_EQ(tree.Predict(&set.columns[0][0]), 0, "left of the gap");
    NS_TEST_EXPECT_MSG_EQ(tree.Predict(&set.columns[0][2]), 1, "right of the gap");
    // Constant targets, whatever rounding does to their sums: no split.
    set = MakeSet(100, 2, 3, [](const std::vector<double>&, double) { return 0.1; });
    NS_TEST_EXPECT_MSG_EQ(MqlTree::Fit(set, {}).GetNLeaves(), 1, "constant targets");
    const auto noise = [](const std::vector<double>&, double y) { return y; };
    set = MakeSet(5000, 3, 4, noise);
    options.minLeafRows = 30;
    options.maxDepth = 5;
    tree = MqlTree::Fit(set, options);
    NS_TEST_EXPECT_MSG_EQ(tree.GetDepth(), 5, "depth");
    uint64_t fewest = set.GetN();
    for (const auto& node : tree.GetNodes())
    {
        fewest = std::min(fewest, node.rows);
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(fewest, 30, "rows of a leaf");
    options.threads = 3;
    const auto again = MqlTree::Fit(set, options);
    bool same = tree.GetNodes().size() == again.GetNodes().size();
    for (std::size_t i = 0; same && i < tree.GetNodes().size(); ++i)
    {
        same = tree.GetNodes()[i].threshold == again.GetNodes()[i].threshold &&
               tree.GetNodes()[i].value == again.GetNodes()[i].value;
    }
    NS_TEST_EXPECT_MSG_EQ(same, true, "another number of threads");
}

DCN_TEST_CASE(TreeErrorTestCase, "Bad training sets and nodes")
{
    MqlTrainingSet set;
    DCN_TEST_EXPECT_ERROR(MqlTree::Fit(set, {}),
                          "a regression tree needs at least one row and one feature");
    set.columns = {{1, 2}};
    set.targets = {1, 2};
    set.weights = {1, 0};
    DCN_TEST_EXPECT_ERROR(MqlTree::Fit(set, {}),
                          "row 1 has the target 2 and the weight 0, but they must be finite "
                          "and the weight above 0");
    set.weights = {1, 1};
    set.columns[0][1] = std::numeric_limits<double>::infinity();
    DCN_TEST_EXPECT_ERROR(MqlTree::Fit(set, {}), "feature 0 of row 1 is not finite");
    MqlTree::Node root;
    root.feature = 0;
    root.right = 2;
    DCN_TEST_EXPECT_ERROR(MqlTree({root}, 1, "x.json: "), "x.json: the nodes do not form a tree");
    DCN_TEST_EXPECT_ERROR(MqlTree({root, {}, {}}, 0, ""), "node 0 compares feature 0 of 0");
    DCN_TEST_EXPECT_ERROR(MqlTree({root, {}, {}, {}}, 1, ""),
                          "there are 4 nodes, but the tree has 3");
    root.right = 1;
    DCN_TEST_EXPECT_ERROR(MqlTree({root, {}, {}}, 1, ""), "node 0 has the right child 1, not 2");
}

DcnTestSuite<StepTestCase, BruteForceTestCase, TieTestCase, TreeErrorTestCase> g_mqlTreeTestSuite(
    "mql-tree"); //!< the suite

} // namespace
