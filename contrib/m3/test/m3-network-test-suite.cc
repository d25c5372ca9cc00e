/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-test-case.h"
#include "m3-test-inputs.h"

#include "dcn-test-error.h"
#include "dcn-test-optional.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-torch.h"
#include "ns3/m3-evaluation.h"
#include "ns3/m3-network.h"
#include "ns3/m3-prediction.h"
#include "ns3/m3-trainer.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const M3FeatureSet& DEFAULT = M3FeatureSet::Default(); //!< the default feature set
const uint32_t C = DEFAULT.nSlots;          //!< slots
const uint32_t K = DEFAULT.nKnots;          //!< knots

/// By construction: the fluid's answer at first, then never below 1 nor falling.
class ConstructionTestCase : public M3TestCase
{
  public:
    /**
     * @param context whether links are looked at
     */
    explicit ConstructionTestCase(bool context)
        : M3TestCase(std::string("construction, ") + (context ? "with" : "without") + " context"),
          m_context(context)
    {
    }

  private:
    void DoRun() override
    {
        M3TestDraws draws;
        const std::vector<M3PathFeatures> inputs = draws.Inputs(9);
        const M3Network zero(M3Network::MakeRandom(MakeM3TestSizes(m_context), 0));
        const std::vector<float> first = zero.Predict(inputs);
        NS_TEST_ASSERT_MSG_EQ(first.size(), inputs.size() * C * K, "outputs");
        for (std::size_t i = 0; i < first.size(); ++i)
        {
            const double excess = first[i] - inputs[i / (C * K)].base[i % (C * K)];
            const double most = DcnTorchSetNetwork::FLOOR * static_cast<double>(i % K + 1);
            NS_TEST_EXPECT_MSG_EQ((excess > -1e-5 && excess < most + 1e-5),
                                  true,
                                  "the fluid's answer, not " << excess << " above");
        }

        const M3Network network(M3Network::MakeRandom(MakeM3TestSizes(m_context), 1));
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
        NS_TEST_EXPECT_MSG_EQ(differs, m_context, "whether links are looked at");
    }

    bool m_context; //!< whether links are looked at
};

/**
 * Many paths are asked in several calls of the network: the points of each are those of the path
 * alone, in its place, with any number of threads the same ones, and what is outside of the ranges
 * is counted for all of them.
 */
class PredictionTestCase : public TestCase
{
  public:
    PredictionTestCase()
        : TestCase("predictions of many paths")
    {
    }

  private:
    void DoRun() override
    {
        const std::size_t n = 300; // three calls, the last of fewer paths
        const std::vector<M3PathFeatures> inputs = M3TestDraws().Inputs(n);
        M3RangeFeatures conditions;
        conditions.congestionControl = "dctcp";
        conditions.values.assign(M3RangeFeatures::GetQuantities().size(), 1);
        DcnTrainedRanges ranges(M3RangeFeatures::GetQuantities());
        ranges.Add(conditions);
        DcnModelFile model = M3Network::MakeRandom(MakeM3TestSizes(true), 1);
        ranges.Write(model);
        const M3Network network(model);
        conditions.values.assign(conditions.values.size(), 5);
        auto ask = [&](std::size_t i) { return M3Question{inputs[i], conditions}; };
        DcnTrainedRanges::Findings findings;
        const auto points = M3Predict(network, n, 1, ask, findings);
        NS_TEST_ASSERT_MSG_EQ(points.size(), n, "paths");
        NS_TEST_EXPECT_MSG_EQ(findings.empty(), false, "5 is not 1");
        for (const auto& [quantity, finding] : findings)
        {
            NS_TEST_EXPECT_MSG_EQ(finding.n, n, "all paths are outside of " << finding.text);
        }
        DcnTrainedRanges::Findings others;
        const auto threads = M3Predict(network, n, 3, ask, others);
        NS_TEST_EXPECT_MSG_EQ(others.size(), findings.size(), "threads and what is outside");
        for (std::size_t i = 0; i < n; ++i)
        {
            std::vector<M3Point> alone;
            M3Expand(inputs[i], network.Predict({inputs[i]}).data(), alone);
            NS_TEST_ASSERT_MSG_EQ(points[i].size(), alone.size(), "points of path " << i);
            NS_TEST_ASSERT_MSG_EQ(threads[i].size(), alone.size(), "points of path " << i);
            for (std::size_t k = 0; k < alone.size(); ++k)
            {
                NS_TEST_EXPECT_MSG_EQ(points[i][k].sizeClass, alone[k].sizeClass, "class");
                NS_TEST_EXPECT_MSG_EQ_TOL(std::log(points[i][k].slowdown),
                                          std::log(alone[k].slowdown),
                                          1e-4,
                                          "the other paths of a call do not matter");
                NS_TEST_EXPECT_MSG_EQ(threads[i][k].slowdown, points[i][k].slowdown, "threads");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(M3Predict(network, 0, 1, ask, others).empty(), true, "no paths");
    }
};

/// Models that do not fit.
class ErrorsTestCase : public TestCase
{
  public:
    ErrorsTestCase()
        : TestCase("errors")
    {
    }

  private:
    void DoRun() override
    {
        const auto sizes = MakeM3TestSizes(true);
        DcnModelFile model = M3Network::MakeRandom(sizes, 0);
        model.Set("architecture", M3Network::FEATURE_VERSION, DEFAULT.version + 1);
        DCN_TEST_EXPECT_ERROR(
            M3Network(model),
            "the model was made with version " + std::to_string(DEFAULT.version + 1) +
                " of the default features of m3, but " + std::to_string(DEFAULT.version) +
                " is needed: train it again with m3-train");
        model = M3Network::MakeRandom(sizes, 0);
        model.Set("architecture", "heads", 3);
        DCN_TEST_EXPECT_ERROR(M3Network(model),
                              "the width 16 of the model of m3 is no multiple of its 3 heads");
        model.Set("architecture", "context", 2);
        DCN_TEST_EXPECT_ERROR(M3Network(model), "the context of the model of m3 is 2");
        model = M3Network::MakeRandom(sizes, 0);
        model.Set("architecture", "gain", 0);
        DCN_TEST_EXPECT_ERROR(M3Network(model), "the gain of the model of m3 is 0");
        model = M3Network::MakeRandom(sizes, 0);
        DcnModelFile damaged = M3Network::MakeModel(DEFAULT,
                                                    sizes,
                                                    M3Scaler(sizes.tokenFeatures),
                                                    M3Scaler(sizes.foregroundFeatures),
                                                    DcnTrainedRanges());
        for (DcnModelFile::Tensor tensor : model.GetTensors())
        {
            if (tensor.name.find(".mean") == std::string::npos &&
                tensor.name.find(".scale") == std::string::npos)
            {
                tensor.values.back() = tensor.name == "norm.g" ? NAN : tensor.values.back();
                damaged.Add(std::move(tensor));
            }
        }
        DCN_TEST_EXPECT_ERROR(
            M3Network(damaged),
            "the matrix norm.g of the model of m3 has entries that are no numbers");
        model.Set("architecture", "heads", -2);
        DCN_TEST_EXPECT_ERROR(M3Network(model), "the heads of the model of m3 is -2");
        model = M3Network::MakeRandom(sizes, 0);
        model.Set("architecture", "mlp", 31);
        NS_TEST_EXPECT_MSG_EQ(
            (DcnSentenceOf([&]() { M3Network network(model); }).find("mlp1.w") !=
             std::string::npos),
            true,
            "a matrix of another shape");
        model = M3Network::MakeRandom(MakeM3TestSizes(false), 0);
        model.Set("architecture", "context", 1);
        NS_TEST_EXPECT_MSG_EQ(
            (DcnSentenceOf([&]() { M3Network network(model); }).find("token.w") !=
             std::string::npos),
            true,
            "a matrix that is missing");
    }
};

/// Both evaluations of a network, and its loss, are the same.
class TorchTestCase : public M3TestCase
{
  public:
    /**
     * @param context whether links are looked at
     */
    explicit TorchTestCase(bool context)
        : M3TestCase(std::string("the answers of LibTorch, ") + (context ? "with" : "without") +
                     " context"),
          m_context(context)
    {
    }

  private:
    void DoRun() override
    {
        M3TestDraws draws;
        const auto examples = draws.Examples(40);
        M3TrainingOptions options;
        options.width = 16;
        options.feedForward = 24;
        options.mlp = 32;
        options.batch = 8;
        options.epochs = 4;
        options.averaging = 0;
        options.context = m_context;
        options.loss = {0.3, 0.7};
        M3Trainer trainer(options, examples);
        Finish(trainer, options.epochs);
        const auto answer = M3Network(trainer.GetModel()).Predict(GetInputs(examples));
        CheckTorch(trainer, examples, answer, options.loss, 1e-5);
    }

    bool m_context; //!< whether links are looked at
};

/// Training finds the distribution, is repeatable, and goes on where it was.
class TrainingTestCase : public M3TestCase
{
  public:
    TrainingTestCase()
        : M3TestCase("training")
    {
    }

  private:
    void DoRun() override
    {
        M3TestDraws draws;
        const auto examples = draws.Examples(1200);
        const auto others = draws.Examples(100);
        M3TrainingOptions options;
        options.width = 16;
        options.feedForward = 32;
        options.mlp = 32;
        // By the order of paths and the rounding of a machine the share of flows below the median
        // varies; with so long an average by 0.8 points (one standard deviation).
        options.epochs = 18;
        options.batch = 16;
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
        NS_TEST_EXPECT_MSG_EQ_TOL(after.GetFluidLoss(), before, 0.01, "it began as the fluid");

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
        // of the loss before: no version was said
        DcnModelFile state = DcnModelFile::Read(folder, "m3-training");
        std::string text = state.GetText("training", "options");
        const std::string version = " loss=2";
        NS_TEST_ASSERT_MSG_EQ((text.find(version) != std::string::npos), true, "has one: " << text);
        text.erase(text.find(version), version.size());
        state.Set("training", "options", text);
        state.Write(folder + "/old");
        DCN_TEST_EXPECT_ERROR(resumed.Load(folder + "/old"),
                              "the training in " + folder + "/old has the options " + text +
                                  ", but " + trainer.DescribeOptions() + " are asked for");
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
        options.loss.tail = 2;
        DCN_TEST_EXPECT_ERROR(M3Trainer(options, examples),
                              "of a training, tail must be from 0 to 1 and known at least 0, but "
                              "they are 2 and 1");
        options.loss.tail = 0.5;
        options.epochs = 13;
        M3Trainer longer(options, examples);
        NS_TEST_EXPECT_MSG_EQ(
            (DcnSentenceOf([&]() { longer.Load(folder); }).find("epochs=13") !=
             std::string::npos),
            true,
            "other options are refused");
        options.lastRate = 1;
        DCN_TEST_EXPECT_ERROR(
            M3Trainer(options, examples),
            "the learning rate of a training must fall, but goes from 0.005 to 1");
        options.batch = 0;
        DCN_TEST_EXPECT_ERROR(M3Trainer(options, examples),
                              "batch, epochs and paths of a training must be at least 1, but they "
                              "are 0, 13 and 1200");
    }
};

/// The published size can be built, asked and trained.
class PublishedSizeTestCase : public TestCase
{
  public:
    PublishedSizeTestCase()
        : TestCase("the published size")
    {
    }

  private:
    void DoRun() override
    {
        M3TestDraws draws;
        const auto examples = draws.Examples(4);
        M3TrainingOptions options;
        options.width = 576;
        options.heads = 4;
        options.layers = 4;
        options.feedForward = 1536;
        options.mlp = 512;
        options.batch = 2;
        options.epochs = 1;
        options.averaging = 0;
        M3Trainer trainer(options, examples);
        uint64_t nWeights = 0;
        const DcnModelFile model = trainer.GetModel();
        for (const auto& tensor : model.GetTensors())
        {
            nWeights += tensor.name.rfind("block", 0) == 0 ? tensor.values.size() : 0;
        }
        // m3, section 5.1: 16.8 million in all
        NS_TEST_EXPECT_MSG_EQ_TOL(nWeights / 1e6, 16, 0.3, "weights of blocks");
        NS_TEST_EXPECT_MSG_GT(trainer.RunEpoch(), 0, "loss");
        const auto answer = M3Network(trainer.GetModel()).Predict({examples[0].input});
        NS_TEST_EXPECT_MSG_EQ(std::is_sorted(answer.begin(), answer.begin() + K), true, "answer");
    }
};

/// The suite.
class M3NetworkTestSuite : public DcnOptionalTestSuite
{
  public:
    M3NetworkTestSuite()
        : DcnOptionalTestSuite("m3-network", Type::UNIT)
    {
        AddTestCase(new ConstructionTestCase(true));
        AddTestCase(new ConstructionTestCase(false));
        AddTestCase(new PredictionTestCase);
        AddTestCase(new ErrorsTestCase);
        AddTestCasesIf(DcnTorch::IsAvailable(),
                       DCN_NEED_LIBTORCH,
                       {new TorchTestCase(true),
                        new TorchTestCase(false),
                        new TrainingTestCase,
                        new PublishedSizeTestCase});
    }
};

M3NetworkTestSuite g_m3NetworkTestSuite; //!< the suite

} // namespace
