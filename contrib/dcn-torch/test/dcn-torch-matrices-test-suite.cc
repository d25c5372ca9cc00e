/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "dcn-test-statistics.h"
#include "../model/dcn-torch-matrices.h"
#include "dcn-torch-test-draws.h"

#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return a layer of 4 inputs and 3 outputs, a gain of 5 columns and a matrix of 6 inputs
DcnTorchMatrices
MakeMatrices()
{
    DcnTorchMatrices matrices;
    matrices.AddLayer("a", 3, 4);
    matrices.AddVector("gain", 5, 0, 1);
    matrices.AddMatrix("m", 2, 6);
    return matrices;
}

constexpr std::size_t COUNT = 3 * 4 + 3 + 5 + 2 * 6; //!< their numbers

/**
 * Parameters in order; what is drawn of I inputs is within 1 / sqrt(I), has a mean of 0 and a
 * variance of 1 / (3 I), and is another stream for each matrix: those that come later change
 * nothing.
 */
class DrawTestCase : public TestCase
{
  public:
    DrawTestCase()
        : TestCase("names, shapes and first values")
    {
    }

  private:
    void DoRun() override
    {
        DcnTorchMatrices matrices = MakeMatrices();
        const auto& parameters = matrices.Get();
        NS_TEST_ASSERT_MSG_EQ(parameters.size(), 4, "parameters");
        const std::vector<DcnTorchParameter> expected{{"a.w", 3, 4, 0.5F, true, 0},
                                                      {"a.b", 1, 3, 0.5F, false, 0},
                                                      {"gain", 1, 5, 0, false, 1},
                                                      {"m", 2, 6, std::sqrt(1 / 6.0F), true, 0}};
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            const auto& one = parameters[i];
            NS_TEST_EXPECT_MSG_EQ(one.name, expected[i].name, "order");
            NS_TEST_EXPECT_MSG_EQ(one.rows, expected[i].rows, one.name);
            NS_TEST_EXPECT_MSG_EQ(one.columns, expected[i].columns, one.name);
            NS_TEST_EXPECT_MSG_EQ_TOL(one.bound, expected[i].bound, 1e-7, one.name);
            NS_TEST_EXPECT_MSG_EQ(one.decays, expected[i].decays, one.name);
            NS_TEST_EXPECT_MSG_EQ(one.value, expected[i].value, one.name);
        }
        const auto values = matrices.Draw(7);
        NS_TEST_ASSERT_MSG_EQ(values.size(), COUNT, "values");
        for (std::size_t i = 15; i < 20; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(values[i], 1, "gains are not drawn");
        }
        NS_TEST_EXPECT_MSG_EQ((matrices.Draw(7) == values), true, "the same seed");
        const auto others = matrices.Draw(8);
        NS_TEST_EXPECT_MSG_NE(others[0], values[0], "another seed");
        NS_TEST_EXPECT_MSG_NE(values[0], values[12], "weights and biases of a layer");

        constexpr uint32_t WIDE = 100;
        matrices.AddMatrix("wide", WIDE, WIDE);
        const auto more = matrices.Draw(7);
        NS_TEST_ASSERT_MSG_EQ(more.size(), COUNT + WIDE * WIDE, "values");
        NS_TEST_EXPECT_MSG_EQ(std::equal(values.begin(), values.end(), more.begin()),
                              true,
                              "a matrix more changes no other");
        DcnMoments moments;
        for (std::size_t i = COUNT; i < more.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(more[i]), 0.1F, "bound");
            moments.Add(more[i]);
        }
        // x uniform in [-b, b]: variances of x and x^2 are b^2 / 3 and 4 b^4 / 45
        const double n = WIDE * WIDE;
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.sum / n,
                                  0,
                                  DCN_TEST_SIGMAS * 0.1 / std::sqrt(3 * n),
                                  "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(moments.squares / n,
                                  0.01 / 3,
                                  DCN_TEST_SIGMAS * 0.01 * std::sqrt(4 / (45 * n)),
                                  "variance");

        DcnTorchMatrices idle = MakeMatrices();
        idle.StartAtZero(2);
        const auto first = idle.Draw(7);
        for (std::size_t i = 0; i < COUNT; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(first[i], (i < 15 ? values[i] : 0), "the last two are 0");
        }
    }
};

/// AdamW with a state that is told, and no network.
class FakeTrainer : public DcnTorchOldTrainer
{
  public:
    std::vector<float> GetWeights() const override
    {
        return {};
    }

    std::vector<float> GetAveragedWeights() const override
    {
        return {};
    }

    std::vector<float> GetGradient() const override
    {
        return {};
    }

    void SetWeights(const std::vector<float>& /* weights */) override
    {
    }

    std::vector<float> GetState(uint64_t& number) const override
    {
        number = steps;
        return state;
    }

    void SetState(const std::vector<float>& numbers, uint64_t number) override
    {
        state = numbers;
        steps = number;
    }

    std::vector<float> state; //!< of AdamW
    uint64_t steps{0};        //!< of AdamW
};

/// Import is the inverse of export, in any order of the matrices, and refuses what does not fit.
class ExportTestCase : public TestCase
{
  public:
    ExportTestCase()
        : TestCase("values and states, exported and imported")
    {
    }

  private:
    void DoRun() override
    {
        const DcnTorchMatrices matrices = MakeMatrices();
        DcnTorchTestDraws draws(4);
        const auto values = draws.Numbers(COUNT, -1, 1);
        auto tensors = matrices.Export(values);
        NS_TEST_ASSERT_MSG_EQ(tensors.size(), 4, "matrices");
        NS_TEST_EXPECT_MSG_EQ(tensors[3].name, "m", "name");
        NS_TEST_EXPECT_MSG_EQ(tensors[3].rows, 2, "rows");
        NS_TEST_EXPECT_MSG_EQ(tensors[3].columns, 6, "columns");
        NS_TEST_EXPECT_MSG_EQ(tensors[3].values[7], values[20 + 6 + 1], "row 1, column 1");
        std::reverse(tensors.begin(), tensors.end());
        NS_TEST_EXPECT_MSG_EQ((matrices.Import(tensors) == values), true, "the same again");
        std::swap(tensors[0].rows, tensors[0].columns);
        DCN_TEST_EXPECT_ERROR(matrices.Import(tensors),
                              "the matrix m has 6 x 2 numbers, not 2 x 6");
        tensors.erase(tensors.begin());
        DCN_TEST_EXPECT_ERROR(matrices.Import(tensors), "there is no matrix m among the weights");

        FakeTrainer trainer;
        FakeTrainer other;
        trainer.state = draws.Numbers(3 * COUNT, -1, 1);
        constexpr uint64_t FLOAT = 1ULL << 24; // floats do not hold odd numbers above
        for (uint64_t steps : {uint64_t{0}, FLOAT - 1, FLOAT, FLOAT + 1, 1000 * FLOAT + 12'345'677})
        {
            trainer.steps = steps;
            matrices.ImportOptimizer(DcnTorchMatrices::ExportOptimizer(trainer), other);
            NS_TEST_EXPECT_MSG_EQ(other.steps, steps, "steps");
            NS_TEST_EXPECT_MSG_EQ((other.state == trainer.state), true, "state");
        }
        trainer.state.resize(3 * COUNT - 3);
        DCN_TEST_EXPECT_ERROR(
            matrices.ImportOptimizer(DcnTorchMatrices::ExportOptimizer(trainer), other),
            "the matrix adamw.state has 3 x " + std::to_string(COUNT - 1) + " numbers, not 3 x " +
                std::to_string(COUNT));
        DCN_TEST_EXPECT_ERROR(matrices.ImportOptimizer(tensors, other),
                              "there is no matrix adamw.state among the weights");
        NS_TEST_EXPECT_MSG_EQ(other.state.size(), 3 * COUNT, "what is refused changes nothing");
    }
};

/// The suite.
class DcnTorchMatricesTestSuite : public TestSuite
{
  public:
    DcnTorchMatricesTestSuite()
        : TestSuite("dcn-torch-matrices", Type::UNIT)
    {
        AddTestCase(new DrawTestCase);
        AddTestCase(new ExportTestCase);
    }
};

DcnTorchMatricesTestSuite g_dcnTorchMatricesTestSuite; //!< the suite

} // namespace
