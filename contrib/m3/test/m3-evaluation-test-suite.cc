/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../training/m3-data.h"
#include "../training/m3-evaluation.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "m3-test-inputs.h"

#include "ns3/dcn-dataset-collection.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-recipe.h"

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
    NS_TEST_ASSERT_MSG_EQ(evaluation.GetNetworkErrors().size(), 2, "all, and <1KB");
    for (const auto& error : evaluation.GetNetworkErrors())
    {
        NS_TEST_EXPECT_MSG_EQ(error.network, 7, "network");
        NS_TEST_EXPECT_MSG_EQ(error.nFlows, 600, "flows of both paths");
        NS_TEST_EXPECT_MSG_EQ_TOL(error.model, whole.bias, 1e-12, "with sign");
        NS_TEST_EXPECT_MSG_EQ_TOL(error.base, whole.base, 1e-12, "of the base");
    }
    examples.pop_back();
    examples[0].truth[0].resize(M3Evaluation::LEAST_FLOWS - 1);
    NS_TEST_EXPECT_MSG_EQ(M3Evaluation(examples, M3Network(MakeM3TestModel(0))).GetPaths().size(),
                          0,
                          "too few flows");
}

/// Samples that are in the test only, and shares of the training.
DCN_TEST_CASE(DataTestCase, "samples of a training")
{
    const std::string folder = CreateTempDirFilename("set");
    DcnDatasetRecipe recipe("fabric");
    recipe.SetAll("flows=30,sizes=exp+web-server,record=fct");
    DcnDatasetGenerator(recipe, 9, 32, 32, folder).Run(1);
    auto read = [&folder](double share, const std::string& leaveOut) {
        DcnDatasetCollection sets(folder);
        M3Data::Options options;
        options.pathsPerFabric = 1;
        options.share = share;
        options.leaveOut = leaveOut;
        return M3Data::Read(sets, options);
    };
    const M3Data all = read(1, "");
    NS_TEST_EXPECT_MSG_EQ(all.training.size(), 24, "six of eight workloads, a path each");
    NS_TEST_EXPECT_MSG_EQ(all.networks.size(), 8, "validation and test");
    NS_TEST_EXPECT_MSG_EQ(read(0.5, "").training.size(), 12, "half of them");
    NS_TEST_EXPECT_MSG_EQ(read(0.25, "").training.size(), 6, "a quarter");
    NS_TEST_EXPECT_MSG_EQ(read(0.25, "").test.size(), all.test.size(), "the test stays");
    const M3Data left = read(1, "sizes:web-server");
    const M3Data other = read(1, "sizes:exp");
    NS_TEST_EXPECT_MSG_EQ(left.training.size() + other.training.size(), 24, "one or the other");
    NS_TEST_EXPECT_MSG_EQ(left.validation.size() + other.validation.size(),
                          all.validation.size(),
                          "one or the other");
    NS_TEST_EXPECT_MSG_EQ(left.test.size(), all.test.size(), "the test stays");
    std::size_t nLeftOut = 0;
    for (const M3Example& example : left.test)
    {
        const bool isWeb = left.networks.at(example.network - 1).at("sizes") == "web-server";
        NS_TEST_EXPECT_MSG_EQ(example.isLeftOut, isWeb, "marked");
        nLeftOut += isWeb ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ((nLeftOut > 0 && nLeftOut < left.test.size()), true, "both in the test");
    DCN_TEST_EXPECT_ERROR(read(1, "sizes:hadoop"),
                          "no sample has what the option leaveOut names, sizes \"hadoop\"; the "
                          "samples have exp, web-server");
}

DcnTestSuite g_m3EvaluationTestSuite("m3-evaluation",
                                     {new EvaluationTestCase},
                                     DcnTestsIf(DcnDatasetReader::IsAvailable(),
                                                DCN_NEED_HDF5,
                                                {new DataTestCase})); //!< the suite

} // namespace
