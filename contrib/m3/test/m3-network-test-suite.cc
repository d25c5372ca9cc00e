/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/estimate/m3-distribution.h"
#include "../model/network/m3-network.h"
#include "../training/m3-evaluation.h"
#include "../training/m3-trainer.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "m3-test-case.h"
#include "m3-test-inputs.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-torch.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

const M3FeatureSet& DEFAULT = M3FeatureSet::Default(); //!< the default feature set
const uint32_t C = DEFAULT.nSlots;                     //!< slots
const uint32_t K = DEFAULT.nKnots;                     //!< knots

/// By construction: the fluid's answer at first, then never below 1 nor falling.
DCN_TEST_CASE_WITH(M3TestCase, ConstructionTestCase, "construction")
{
    M3TestDraws draws;
    const std::vector<M3PathFeatures> inputs = draws.Inputs(9);
    const M3Network zero(MakeM3TestModel(0));
    const std::vector<float> first = zero.Predict(inputs);
    NS_TEST_ASSERT_MSG_EQ(first.size(), inputs.size() * C * K, "outputs");
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        const double excess = first[i] - inputs[i / (C * K)].base[i % (C * K)];
        const double most = M3NetworkShape::FLOOR * static_cast<double>(i % K + 1);
        NS_TEST_EXPECT_MSG_EQ((excess > -1e-5 && excess < most + 1e-5),
                              true,
                              "the fluid's answer, not " << excess << " above");
    }

    const M3Network network(MakeM3TestModel(1));
    const std::vector<float> answer = network.Predict(inputs);
    double change = 0;
    CheckOrder(answer, K);
    for (std::size_t i = 0; i < answer.size(); ++i)
    {
        change = std::max<double>(change, std::abs(answer[i] - first[i]));
    }
    NS_TEST_EXPECT_MSG_GT(change, 0.5, "the network says something");
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        const std::vector<float> alone = network.Predict({inputs[i]});
        for (std::size_t k = 0; k < C * K; ++k)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(alone[k],
                                      answer[i * C * K + k],
                                      1e-4,
                                      "the other paths of a batch do not matter");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(network.Predict({}).size(), 0, "no paths");

    M3PathFeatures moved = inputs[0];
    moved.token[0] += 1;
    const std::vector<float> other = network.Predict({moved});
    const bool differs = !std::equal(other.begin(), other.end(), answer.begin());
    NS_TEST_EXPECT_MSG_EQ(differs, true, "features of links have an influence");
}

/// Many paths are asked in several calls of the network: the points of each are those of the path
/// alone, in its place, with any number of threads the same ones, and what is outside of the ranges
/// is counted for all of them.
DCN_TEST_CASE(PredictionTestCase, "predictions of many paths")
{
    const std::size_t n = 300; // three calls, the last of fewer paths
    const std::vector<M3PathFeatures> inputs = M3TestDraws().Inputs(n);
    std::vector<M3PathFeatures> outside = inputs;
    DcnTrainedRanges ranges(M3RangeFeatures::GetQuantities());
    for (M3PathFeatures& input : outside)
    {
        input.ranges.congestionControl = "dctcp";
        input.ranges.values.assign(M3RangeFeatures::GetQuantities().size(), 1);
        ranges.Add(input.ranges);
        input.ranges.values.assign(input.ranges.values.size(), 5);
    }
    const M3Network network(MakeM3TestModel(1, MakeM3TestShape(), M3FeatureSet::Default(), ranges));
    const auto scenario = M3TestStar::Make({{0, 0, 2, 500, 0}});
    std::vector<DcnDrawnPath> drawn;
    for (uint32_t i = 0; i < n; ++i)
    {
        drawn.push_back({i, 1, 1});
    }
    auto predict = [&](const std::vector<DcnDrawnPath>& paths, uint32_t nThreads) {
        return M3Distribution::Predict(network,
                                       scenario,
                                       paths,
                                       DcnPathSampling::SYSTEMATIC,
                                       nThreads,
                                       [&](std::size_t i) { return outside[i]; });
    };
    const M3Distribution one = predict(drawn, 1);
    NS_TEST_EXPECT_MSG_EQ(one.GetNPaths(), n, "paths");
    NS_TEST_EXPECT_MSG_EQ(one.GetWarnings().empty(), false, "5 is not 1");
    for (const std::string& warning : one.GetWarnings())
    {
        NS_TEST_EXPECT_MSG_NE(warning.find("(300 of 300 paths)"), std::string::npos, warning);
    }
    const M3Distribution three = predict(drawn, 3);
    NS_TEST_EXPECT_MSG_EQ((three.GetWarnings() == one.GetWarnings()), true, "threads");
    const auto samples = one.MakeSamples();
    const auto others = three.MakeSamples();
    NS_TEST_ASSERT_MSG_EQ(others.size(), samples.size(), "points");
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        std::vector<M3Point> alone;
        M3Expand(inputs[i], network.Predict({inputs[i]}).data(), 1, alone);
        NS_TEST_ASSERT_MSG_LT_OR_EQ(at + alone.size(), samples.size(), "points of path " << i);
        for (const M3Point& point : alone)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(std::log(samples[at].slowdown),
                                      std::log(point.slowdown),
                                      1e-4,
                                      "the other paths of a call do not matter");
            NS_TEST_EXPECT_MSG_EQ(samples[at].weight, point.nFlows, "flows");
            NS_TEST_EXPECT_MSG_EQ(others[at].slowdown, samples[at].slowdown, "threads");
            ++at;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(at, samples.size(), "points of all paths");
    NS_TEST_EXPECT_MSG_EQ(predict({}, 1).MakeSamples().empty(), true, "no paths");
}

/// Answers are a pool of those of the base and of the network.
DCN_TEST_CASE(CorrectionTestCase, "a share of the correction")
{
    const M3PathFeatures input = M3TestDraws().Inputs(1).front();
    DcnModelFile model = MakeM3TestModel(0.5);
    NS_TEST_EXPECT_MSG_EQ(M3Network(model).GetCorrection(), 1, "all of it by default");
    model.Set("architecture", "correction", 0.25);
    const M3Network network(model);
    NS_TEST_EXPECT_MSG_EQ(network.GetCorrection(), 0.25, "a share");
    const std::vector<float> quantiles = network.Predict({input});
    auto expand = [&input](const std::vector<float>& values, double share) {
        std::vector<M3Point> points;
        M3Expand(input, values.data(), share, points);
        return points;
    };
    // flows below a slowdown, of all points
    auto count = [](const std::vector<M3Point>& points, double slowdown) {
        double n = 0;
        for (const M3Point& point : points)
        {
            n += point.slowdown < slowdown ? point.nFlows : 0;
        }
        return n;
    };
    const auto pool = expand(quantiles, 0.25);
    const auto whole = expand(quantiles, 1);
    const auto base = expand(input.base, 1);
    bool differs = false;
    for (double slowdown : {1.01, 1.2, 2.0, 3.0, 5.0, 20.0, 1e9})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(count(pool, slowdown),
                                  0.25 * count(whole, slowdown) + 0.75 * count(base, slowdown),
                                  1e-6,
                                  "flows below " << slowdown);
        differs = differs || std::abs(count(whole, slowdown) - count(base, slowdown)) > 1;
    }
    NS_TEST_EXPECT_MSG_EQ(differs, true, "the network and its base differ");
    for (const auto& [architecture, share, sentence] :
         std::vector<std::tuple<std::string, double, std::string>>{
             {"default", -1, "the option correction is at least 0 and at most 1, not -1"},
             {"links", 1.5, "the option correction is at least 0 and at most 1, not 1.5"},
             {"published",
              0.5,
              "the option correction has no effect with the published architecture, which has no "
              "base"}})
    {
        M3TrainingOptions options(architecture);
        options.correction = share;
        DCN_TEST_EXPECT_ERROR(options.Check(), sentence);
    }
}

/// Quantiles are at most the card's multiple of those of the base.
DCN_TEST_CASE(LimitTestCase, "a limit of the correction")
{
    const std::vector<M3PathFeatures> inputs = M3TestDraws().Inputs(20);
    DcnModelFile model = MakeM3TestModel(0.5);
    const M3Network unlimited(model);
    NS_TEST_EXPECT_MSG_EQ(unlimited.GetLimit(), 0, "none by default");
    const std::vector<float> free = unlimited.Predict(inputs);
    uint32_t nLimited = 0;
    for (const double limit : {1.1, 2.0})
    {
        model.Set("architecture", "limit", limit);
        const M3Network network(model);
        NS_TEST_EXPECT_MSG_EQ(network.GetLimit(), limit, "of the card");
        const std::vector<float> quantiles = network.Predict(inputs);
        NS_TEST_ASSERT_MSG_EQ(quantiles.size(), free.size(), "as many");
        for (std::size_t i = 0; i < free.size(); ++i)
        {
            const std::size_t n = inputs[0].base.size();
            const double most = static_cast<double>(inputs[i / n].base[i % n]) + std::log(limit);
            const auto before = static_cast<double>(free[i]);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(quantiles[i]),
                                      std::min(before, most),
                                      1e-6,
                                      "quantile " << i);
            nLimited += before > most + 1e-3 ? 1 : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nLimited, 10, "the limit matters");
    NS_TEST_EXPECT_MSG_LT(nLimited, 2 * free.size(), "not everywhere");
    for (const auto& [architecture, limit, sentence] :
         std::vector<std::tuple<std::string, double, std::string>>{
             {"links", 1, "the option limit is -1, 0 or above 1, not 1"},
             {"links", -2, "the option limit is -1, 0 or above 1, not -2"},
             {"published",
              2,
              "the option limit has no effect with the published architecture, which has no "
              "base"}})
    {
        M3TrainingOptions options(architecture);
        options.limit = limit;
        DCN_TEST_EXPECT_ERROR(options.Check(), sentence);
    }
}

/// Models that do not fit.
DCN_TEST_CASE(ErrorsTestCase, "errors")
{
    auto refuse = [this](const std::string& key, double value, const std::string& sentence) {
        DcnModelFile model = MakeM3TestModel(0);
        model.Set("architecture", key, value);
        const std::string found = DcnSentenceOf([&]() { M3Network network(model); });
        NS_TEST_EXPECT_MSG_NE(found.find(sentence), std::string::npos, found);
    };
    refuse("feature_version",
           DEFAULT.version + 1,
           "the model was made with version " + std::to_string(DEFAULT.version + 1) +
               " of the default features of m3, but " + std::to_string(DEFAULT.version) +
               " is needed: train it again with m3-train");
    refuse("heads", 3, "the width 16 of the model of m3 is no multiple of its 3 heads");
    refuse("heads", -2, "the heads of the model of m3 is -2");
    refuse("gain", 0, "the gain of the model of m3 is 0");
    refuse("correction", 0, "the correction of the model of m3 is above 0 and at most 1, not 0");
    refuse("limit", 0.5, "the limit of the model of m3 is 0 or above 1, not 0.5");
    for (const std::string key : {"correction", "limit"})
    {
        const M3FeatureSet& published = M3FeatureSet::Get("published");
        DcnModelFile card =
            M3Network::MakeCard(published, MakeM3TestShape(published), DcnTrainedRanges());
        card.Set("architecture", key, key == "limit" ? 2 : 0.5);
        NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { M3Network network(card); }),
                              "a model of m3 of the published architecture has no base, so that "
                              "its card can have no correction and no limit",
                              key);
    }
    refuse("context",
           0,
           "the model of m3 was trained without the links of a path (context is not 1)");
    refuse("mlp", 31, "mlp1.w");   // a matrix of another shape
    refuse("layers", 3, "block2"); // a matrix that is missing

    const DcnModelFile model = MakeM3TestModel(0);
    DcnModelFile damaged = M3Network::MakeCard(DEFAULT, MakeM3TestShape(), DcnTrainedRanges());
    for (DcnModelFile::Tensor tensor : model.GetTensors())
    {
        tensor.values.back() = tensor.name == "norm.g" ? NAN : tensor.values.back();
        damaged.Add(std::move(tensor));
    }
    DCN_TEST_EXPECT_ERROR(M3Network(damaged),
                          "the matrix norm.g of the model of m3 has entries that are not finite");
}

/// Both evaluations of a network, and its loss, are the same.
DCN_TEST_CASE_WITH(M3TestCase, TorchTestCase, "the answers of LibTorch")
{
    M3TestDraws draws;
    const auto examples = draws.Examples(40);
    const auto options = MakeM3TestOptions("default", 8, 4);
    M3Trainer trainer(options, examples);
    Finish(trainer, options.epochs);
    const auto answer = M3Network(trainer.GetModel()).Predict(GetInputs(examples));
    CheckTorch(trainer, examples, answer, 1e-5);
}

/// Training finds the distribution, is repeatable, and goes on where it was.
DCN_TEST_CASE_WITH(M3TestCase, TrainingTestCase, "training")
{
    M3TestDraws draws;
    const auto examples = draws.Examples(1200);
    const auto others = draws.Examples(100);
    M3TrainingOptions options = MakeM3TestOptions("default", 16, 18);
    options.feedForward = 32;
    // By the order of paths and the rounding of a machine the share of flows below the median
    // varies; with so long an average by 0.8 points (one standard deviation).
    options.firstRate = 5e-3;
    options.averaging = 0.995;
    M3Trainer trainer(options, examples);
    const double before = M3Evaluation(others, M3Network(trainer.GetModel())).GetLoss();
    for (int i = 0; i < 6; ++i)
    {
        trainer.RunEpoch();
    }
    const std::string folder = CreateTempDirFilename("m3-training");
    trainer.Save(folder);
    Finish(trainer, options.epochs);
    const M3Evaluation after(others, M3Network(trainer.GetModel()));
    NS_TEST_EXPECT_MSG_LT(after.GetLoss(), before / 3, "it learns");
    NS_TEST_EXPECT_MSG_EQ_TOL(after.GetBaseLoss(), before, 0.01, "it began as the base");

    // One flow by path: what is learned are quantiles over paths, not the median. How flows are
    // spread is known, so that no chance of held-out flows is in the share below an answer.
    const M3Network network(trainer.GetModel());
    const auto answer = network.Predict(GetInputs(others));
    for (uint32_t k : {5, 11, 14})
    {
        double below = 0;
        for (std::size_t i = 0; i < others.size(); ++i)
        {
            const M3PathFeatures& input = others[i].input;
            double least = 0.05;
            for (uint32_t link = 0; link < input.nTokens; ++link)
            {
                least += input.token[std::size_t{link} * DEFAULT.nToken] > 0 ? 0.1 : 0;
            }
            for (uint32_t c = 0; c < C; ++c)
            {
                const double at = answer[(i * C + c) * K + k];
                below += std::clamp((at - least) / 0.2, 0.0, 1.0);
            }
        }
        const double level = DEFAULT.knots[k];
        NS_TEST_EXPECT_MSG_EQ_TOL(below / static_cast<double>(others.size() * C),
                                  level,
                                  0.005 + 0.06 * std::sqrt(level * (1 - level)),
                                  "share of flows below the percentile " << level);
    }

    M3Trainer resumed(options, examples);
    resumed.Load(folder);
    NS_TEST_EXPECT_MSG_EQ(resumed.GetNEpochs(), 6, "goes on after the sixth epoch");
    Finish(resumed, options.epochs);
    const DcnModelFile a = trainer.GetModel();
    const DcnModelFile b = resumed.GetModel();
    NS_TEST_ASSERT_MSG_EQ(a.GetTensors().size(), b.GetTensors().size(), "matrices");
    for (std::size_t i = 0; i < a.GetTensors().size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((a.GetTensors()[i].values == b.GetTensors()[i].values),
                              true,
                              "the same " << a.GetTensors()[i].name);
    }
    auto changed = examples;
    changed[17].input.foreground[3] += 1;
    M3Trainer another(options, changed);
    NS_TEST_EXPECT_MSG_EQ(
        (DcnSentenceOf([&]() { another.Load(folder); }).find(" data=") != std::string::npos),
        true,
        "other data of the same size are refused");
    auto unfinished = others;
    for (M3Example& example : unfinished)
    {
        std::fill(example.weight.begin(), example.weight.end(), 0.0F);
    }
    DCN_TEST_EXPECT_ERROR(M3Trainer(options, unfinished),
                          "no flow of the 100 paths to learn from finished");
    unfinished.back().weight.back() = 1;
    M3Example::RequireFlows(unfinished, "to validate with"); // one is enough
    DCN_TEST_EXPECT_ERROR(M3Example::RequireFlows({}, "to validate with"),
                          "no flow of the 0 paths to validate with finished");
    options.epochs = 13;
    M3Trainer longer(options, examples);
    DCN_TEST_EXPECT_ERROR(longer.Load(folder),
                          "the training in " + folder +
                              " was made with epochs=18, but epochs=13 is asked for: choose "
                              "another folder, or delete this one to begin anew");
    DCN_TEST_EXPECT_ERROR(M3Trainer(options, {}), "no flow of the 0 paths to learn from finished");
}

/// A training begins with the weights, scales and ranges of another model.
DCN_TEST_CASE_WITH(M3TestCase, FromTestCase, "training from a model")
{
    M3TestDraws draws;
    const auto examples = draws.Examples(200);
    auto options = MakeM3TestOptions("default", 8, 2);
    options.averaging = 0;
    M3Trainer first(options, examples);
    Finish(first, options.epochs);
    DcnModelFile model = first.GetModel();
    const std::string folder = CreateTempDirFilename("m3-from");
    model.Write(folder);

    auto others = draws.Examples(100); // other features: scales fitted to them would differ
    for (M3Example& example : others)
    {
        for (float& feature : example.input.foreground)
        {
            feature *= 3;
        }
    }
    options.from = folder;
    options.seed = 2; // other random weights
    M3Trainer second(options, others);
    const auto inputs = GetInputs(others);
    const auto expected = M3Network(model).Predict(inputs);
    NS_TEST_EXPECT_MSG_EQ((M3Network(second.GetModel()).Predict(inputs) == expected),
                          true,
                          "before a step, the answers of the model");
    second.RunEpoch();
    NS_TEST_EXPECT_MSG_EQ((M3Network(second.GetModel()).Predict(inputs) == expected),
                          false,
                          "it learns");
    const std::string checksum =
        DcnModelFile::Read(folder, "m3").GetText("model", "weights_checksum");
    NS_TEST_EXPECT_MSG_EQ((second.DescribeOptions().find(" from=" + checksum) != std::string::npos),
                          true,
                          "the options name the model");
    // share and limit are those of the model, unless the options have others
    model.Set("architecture", "correction", 0.25);
    model.Set("architecture", "limit", 3);
    model.Write(folder);
    for (const double given : {0.0, 0.5})
    {
        options.correction = given;
        options.limit = given > 0 ? 2 : -1;
        const M3Trainer third(options, others);
        const M3Network network(third.GetModel());
        NS_TEST_EXPECT_MSG_EQ(network.GetCorrection(), (given > 0 ? given : 0.25), "the share");
        NS_TEST_EXPECT_MSG_EQ(network.GetLimit(), (given > 0 ? 2 : 3), "the limit");
        NS_TEST_EXPECT_MSG_NE(third.DescribeOptions().find(given > 0 ? " limit=2" : " limit=3"),
                              std::string::npos,
                              "training with another limit is another training");
    }
    options.width *= 2;
    DCN_TEST_EXPECT_ERROR(M3Trainer(options, others),
                          "--from=" + folder + " has the width " +
                              std::to_string(options.width / 2) + ", but the training has " +
                              std::to_string(options.width));
}

DcnTestSuite g_m3NetworkTestSuite(
    "m3-network",
    {new ConstructionTestCase,
     new PredictionTestCase,
     new CorrectionTestCase,
     new LimitTestCase,
     new ErrorsTestCase},
    DcnTestsIf(DcnTorch::IsAvailable(),
               DCN_NEED_LIBTORCH,
               {new TorchTestCase, new TrainingTestCase, new FromTestCase})); //!< the suite

} // namespace
