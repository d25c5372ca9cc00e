/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../training/m3-evaluation.h"
#include "dcn-test-case.h"
#include "m3-test-inputs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const M3FeatureSet& DEFAULT = M3FeatureSet::Default(); //!< the default feature set
const uint32_t C = DEFAULT.nSlots;                     //!< slots
const uint32_t K = DEFAULT.nKnots;                     //!< knots

/// Errors and scores of paths and networks made by hand.
DCN_TEST_CASE(EvaluationTestCase, "evaluation")
{
    // two paths of 300 flows below 1 KB, in slot c; the network answers with the base
    const uint32_t c = DEFAULT.GetSlot(0, 300);
    M3TestDraws draws;
    std::vector<M3Example> examples;
    for (uint32_t p = 0; p < 2; ++p)
    {
        M3Example example;
        example.input = draws.Inputs(1).front();
        example.input.base.assign(std::size_t{C} * K, 0.0F);
        example.input.flows.assign(C, {});
        example.input.flows[c].resize(300);
        std::fill_n(example.input.base.begin() + c * K, K, 0.1F * static_cast<float>(p + 1));
        example.truth.resize(DEFAULT.nClasses);
        for (int i = 0; i < 300; ++i)
        {
            example.truth[0].push_back(0.3F); // estimates are e^-0.2 and e^-0.1 times as large
        }
        example.base = example.truth;
        example.base[0].assign(300, 0.5F); // e^0.2 times
        example.target.assign(DEFAULT.nOutputs, 0.0F);
        example.weight = example.target;
        example.known = example.target;
        example.knownWeight = example.target;
        example.network = 7;
        examples.push_back(std::move(example));
    }
    const M3Evaluation evaluation(examples, M3Network(MakeM3TestModel(0)));
    NS_TEST_ASSERT_MSG_EQ(evaluation.GetPaths().size(), 2, "all, and <1KB");
    const double floor = 0.01; // M3NetworkShape::FLOOR for each of 16 knots
    for (const auto& row : evaluation.GetPaths())
    {
        NS_TEST_EXPECT_MSG_EQ(row.n, 2, "paths");
        const double expected = (2 - std::exp(-0.2) - std::exp(-0.1)) / 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(row.model, expected, floor, "error of the model");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.bias, -expected, floor, "bias of the model");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.base, std::exp(0.2) - 1, 1e-5, "error of the base");
        NS_TEST_EXPECT_MSG_EQ_TOL(row.noise, 0, 1e-9, "all flows are alike");
    }
    NS_TEST_ASSERT_MSG_EQ(evaluation.GetNetworks().size(), 2, "all, and <1KB");
    const auto& whole = evaluation.GetNetworks()[1];
    NS_TEST_EXPECT_MSG_EQ(whole.name, "<1KB", "class");
    NS_TEST_EXPECT_MSG_EQ(whole.n, 1, "both are of one network");
    NS_TEST_EXPECT_MSG_EQ_TOL(whole.model, 1 - std::exp(-0.1), floor, "the larger is the p99");
    NS_TEST_EXPECT_MSG_EQ_TOL(evaluation.GetScore(),
                              (evaluation.GetPaths()[0].model + whole.model) / 2,
                              1e-9,
                              "score");
    examples.pop_back();
    examples[0].truth[0].resize(M3Evaluation::LEAST_FLOWS - 1);
    NS_TEST_EXPECT_MSG_EQ(M3Evaluation(examples, M3Network(MakeM3TestModel(0))).GetPaths().size(),
                          0,
                          "too few flows");
}

DcnTestSuite<EvaluationTestCase> g_m3EvaluationTestSuite("m3-evaluation"); //!< the suite

} // namespace
