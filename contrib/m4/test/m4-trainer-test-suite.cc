/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "m4-test-truth.h"

#include "ns3/dcn-torch-graph-network.h"
#include "ns3/dcn-torch.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-network.h"
#include "ns3/m4-session.h"
#include "ns3/m4-tape.h"
#include "ns3/m4-trainer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/// Weights that are all drawn at random, heads included.
DcnModelFile
MakeRandomModel(const M4Architecture& sizes)
{
    const DcnModelFile untrained = M4Network::MakeUntrained(sizes);
    DcnModelFile model("m4");
    model.Set("architecture", "feature_version", M4Features::VERSION);
    sizes.Write(model);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    for (DcnModelFile::Tensor tensor : untrained.GetTensors())
    {
        for (float& value : tensor.values)
        {
            value += static_cast<float>(random->GetValue(-0.1, 0.1));
        }
        tensor.values[0] += tensor.name == "queue.b.b" ? 1.0F : 0.0F; // no queue is empty
        model.Add(std::move(tensor));
    }
    return model;
}

/// The network without LibTorch answers like the one with it, over many events with their states.
class ForwardTestCase : public TestCase
{
  public:
    /**
     * @param sizes of the network
     */
    explicit ForwardTestCase(const M4Architecture& sizes)
        : TestCase("Eigen and LibTorch agree within 1e-5: " + sizes.Describe()),
          m_sizes(sizes)
    {
    }

  private:
    M4Architecture m_sizes; //!< of the network

    void DoRun() override
    {
        const auto truth = M4MakeTestTruth(150, 3);
        const DcnModelFile model = MakeRandomModel(m_sizes);
        DcnTorchGraphNetwork torch(m_sizes.MakeTorchSizes(), {}, 1);
        torch.ImportWeights(model.GetTensors());
        M4Tape tape(*truth);
        const uint32_t nLinks = truth->scenario->GetTopology().GetNLinks();
        torch.Begin(tape.GetNSlots(), nLinks, false);
        M4Network eigen(model);
        eigen.Begin(nLinks);
        M4Step event;
        double worst = 0;
        std::size_t rows = 0;
        double largest = 0;
        double waited = 0;
        while (tape.Next(event))
        {
            DcnTorchGraphNetwork::Step step;
            step.flowState = event.snapshot.flows;
            step.linkState = event.snapshot.links;
            step.isNew = event.isNew;
            step.edgeFlow = event.snapshot.edgeFlow;
            step.edgeLink = event.snapshot.edgeLink;
            step.flowFeatures = event.snapshot.flowFeatures;
            step.linkFeatures = event.snapshot.linkFeatures;
            step.fluidLeft = event.snapshot.fluidLeft;
            step.fluidLogSlowdown = event.snapshot.fluidLogSlowdown;
            if (m_sizes.jointHeads)
            {
                step.fluidService = event.snapshot.fluidService;
                step.edgeWait = event.snapshot.edgeWait;
            }
            DcnTorchGraphNetwork::Predictions expected;
            torch.Accumulate(step, expected);
            const auto slowdown = eigen.Update(event.snapshot);
            const auto left = eigen.PredictLeft(event.snapshot.fluidLeft);
            const auto queue = eigen.PredictQueues();
            NS_TEST_ASSERT_MSG_EQ(slowdown.size(), expected.logSlowdown.size(), "flows");
            NS_TEST_ASSERT_MSG_EQ(queue.size(), expected.queue.size(), "links");
            auto compare = [&worst](float a, float b) {
                worst = std::max(worst,
                                 static_cast<double>(std::abs(a - b) / (1 + std::abs(b))));
            };
            for (std::size_t i = 0; i < slowdown.size(); ++i)
            {
                compare(slowdown[i], expected.logSlowdown[i]);
                compare(left[i], expected.left[i]);
                largest = std::max(
                    largest,
                    static_cast<double>(std::abs(
                        slowdown[i] - std::max(0.0F, event.snapshot.fluidLogSlowdown[i]))));
                ++rows;
            }
            for (std::size_t i = 0; i < queue.size(); ++i)
            {
                compare(std::log1p(queue[i] / 1000), expected.queue[i]);
            }
            for (std::size_t e = 0; e < step.edgeWait.size(); ++e)
            {
                waited += std::expm1(expected.queue[step.edgeLink[e]]) * step.edgeWait[e];
            }
        }
        NS_TEST_EXPECT_MSG_GT(rows, 300, "something was compared");
        NS_TEST_EXPECT_MSG_GT(largest, 0.05, "and was no fluid");
        NS_TEST_EXPECT_MSG_EQ((waited > 10), m_sizes.jointHeads, "queues of flows that start");
        NS_TEST_EXPECT_MSG_LT(worst, 1e-5, "largest difference");
    }
};

/// A truth that can be learned is learned, with roll-outs; and a training can go on.
class TrainingTestCase : public TestCase
{
  public:
    /**
     * @param jointHeads of the network; then what is left and queues are labelled, too
     */
    explicit TrainingTestCase(bool jointHeads)
        : TestCase(std::string("training, and going on with it") + (jointHeads ? ", joint" : "")),
          m_jointHeads(jointHeads)
    {
    }

  private:
    bool m_jointHeads; //!< of the network

    void DoRun() override
    {
        std::vector<std::shared_ptr<const M4Truth>> truths;
        for (uint64_t seed = 1; seed <= 8; ++seed)
        {
            auto truth = M4MakeTestTruth(250, seed);
            for (uint32_t flow = 0; m_jointHeads && flow < truth->fctNs.size(); ++flow)
            {
                const int64_t startNs = truth->scenario->GetFlows()[flow].startNs;
                truth->left.push_back({{startNs, 1}, {startNs + truth->fctNs[flow], 0}});
                const DcnPath path = truth->scenario->GetPath(flow);
                truth->queueBytes.insert(truth->queueBytes.end(), path.size(), 2000);
            }
            truths.push_back(truth);
        }
        const auto source = [&truths](uint64_t i) { return truths[i]; };
        M4TrainingOptions options;
        options.architecture = {8, 1};
        options.architecture.jointHeads = m_jointHeads;
        options.batch = 4;
        options.chunk = 8;
        options.epochs = 4;
        options.firstRate = 1e-2;
        options.lastRate = 1e-3;
        options.averaging = 0.9;
        M4Trainer trainer(options, source, truths.size());
        const DcnModelFile before = trainer.GetModel();
        std::string folder = CreateTempDirFilename("half");
        for (uint32_t epoch = 0; epoch < options.epochs; ++epoch)
        {
            if (epoch == 2)
            {
                trainer.Save(folder);
            }
            NS_TEST_EXPECT_MSG_GT(trainer.RunEpoch().events, 3500, "events of an epoch");
        }
        // on flows that were not trained on, acting on its own predictions
        const auto unseen = M4MakeTestTruth(250, 99);
        M4Errors untaught;
        M4Errors taught;
        untaught.Add(*unseen, M4Run(*unseen->scenario, before));
        taught.Add(*unseen, M4Run(*unseen->scenario, trainer.GetModel()));
        NS_TEST_EXPECT_MSG_GT(untaught.GetMean(), 0.25, "a fluid is a third too fast");
        NS_TEST_EXPECT_MSG_LT(taught.GetMean(), 0.6 * untaught.GetMean(), "learned");

        M4Trainer other(options, source, truths.size());
        other.Load(folder);
        NS_TEST_EXPECT_MSG_EQ(other.GetNEpochs(), 2, "epochs done");
        other.RunEpoch();
        other.RunEpoch();
        const DcnModelFile once = trainer.GetModel();
        const DcnModelFile again = other.GetModel();
        bool same = true;
        for (std::size_t i = 0; i < once.GetTensors().size(); ++i)
        {
            same = same && once.GetTensors()[i].values == again.GetTensors()[i].values;
        }
        NS_TEST_EXPECT_MSG_EQ(same, true, "the same weights after going on");
        const DcnModelFile state = DcnModelFile::Read(folder, "m4-training");
        const std::string& text = state.GetText("training", "options");
        const std::size_t loss = text.find(" queue_loss=huber");
        NS_TEST_EXPECT_MSG_EQ((loss != std::string::npos), m_jointHeads, "of joint heads only");
        if (m_jointHeads)
        {
            NS_TEST_EXPECT_MSG_EQ(once.GetText("training", "queue_loss"), "huber", "on the card");
            DcnModelFile old = state; // begun when the loss was that of heads apart
            old.Set("training", "options", text.substr(0, loss));
            const std::string oldFolder = CreateTempDirFilename("old");
            old.Write(oldFolder);
            DCN_TEST_EXPECT_ERROR(M4Trainer(options, source, truths.size()).Load(oldFolder),
                                  "the training in " + oldFolder + " has the options " +
                                      text.substr(0, loss) + ", but " + text + " are asked for");
        }
        options.seed = 2;
        NS_TEST_EXPECT_MSG_NE(
            DcnSentenceOf([&]() { M4Trainer(options, source, truths.size()).Load(folder); }),
            "no error",
            "a training with other options");
        // 8192 rows of states of a place, 4 bytes a number: 8192 8192 8 4 bytes are 2 GiB
        options.batch = 8193;
        DCN_TEST_EXPECT_ERROR(M4Trainer(options, source, truths.size()),
                              "the batch of a training with states of 8 numbers must be at most "
                              "8192, but it is 8193");
        options.batch = 164; // of 400 numbers: 163.8
        options.architecture = M4Architecture::MakePublished();
        DCN_TEST_EXPECT_ERROR(M4Trainer(options, source, truths.size()),
                              "the batch of a training with states of 400 numbers must be at most "
                              "163, but it is 164");
        options.architecture = {8, 1};
        options.batch = 4;
        options.rollouts = 1.5;
        DCN_TEST_EXPECT_ERROR(M4Trainer(options, source, truths.size()),
                              "the share of roll-outs must be between 0 and 1, but it is 1.5");
    }
};

/// A curriculum plays a quarter, then half, then all; the published network learns by it, and goes
/// on with the same bytes.
class CurriculumTestCase : public TestCase
{
  public:
    CurriculumTestCase()
        : TestCase("a curriculum for the published network")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 6;       //!< simulations
        constexpr uint64_t FLOWS = 151; //!< of each
        std::vector<std::shared_ptr<const M4Truth>> truths;
        for (uint64_t seed = 1; seed <= N; ++seed)
        {
            truths.push_back(M4MakeTestTruth(FLOWS, seed));
        }
        const auto source = [&truths](uint64_t i) { return truths[i]; };
        M4TrainingOptions options;
        options.architecture = M4Architecture::MakePublished();
        options.architecture.hidden = 8;
        options.architecture.messageWidth = 6;
        options.architecture.headWidth = 5;
        options.batch = 3;
        options.chunk = 8;
        options.epochs = 4;
        options.curriculum = 2;
        options.firstRate = 2e-2;
        options.lastRate = 2e-3;
        options.averaging = 0.9;
        options.rollouts = 0.5;
        options.firstRollouts = 0.5;
        M4Trainer trainer(options, source, N);
        const std::string folder = CreateTempDirFilename("curriculum");
        std::vector<double> errors;
        for (const uint64_t events : {N * 76, N * 151, N * 302, N * 302}) // ceil(302 / 4), ...
        {
            const auto report = trainer.RunEpoch();
            NS_TEST_EXPECT_MSG_EQ(report.events, events, "epoch " << trainer.GetNEpochs());
            errors.push_back(report.logSlowdown);
            if (trainer.GetNEpochs() == 1)
            {
                trainer.Save(folder);
            }
        }
        NS_TEST_EXPECT_MSG_LT(errors.back(), 0.6 * errors.front(), "learned");
        M4Trainer other(options, source, N);
        other.Load(folder);
        other.RunEpoch();
        other.RunEpoch();
        other.RunEpoch();
        const DcnModelFile once = trainer.GetModel();
        const DcnModelFile again = other.GetModel();
        NS_TEST_EXPECT_MSG_EQ(M4Architecture::Read(once).Describe(),
                              options.architecture.Describe(),
                              "its card");
        for (std::size_t i = 0; i < once.GetTensors().size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((once.GetTensors()[i].values == again.GetTensors()[i].values),
                                  true,
                                  once.GetTensors()[i].name << " after going on");
        }
        const auto fctNs = M4Run(*truths[0]->scenario, once);
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            const auto ideal = truths[0]->scenario->GetIdealFct(i).GetTotalNs();
            NS_TEST_EXPECT_MSG_GT_OR_EQ(fctNs[i], ideal, "no slowdown below 1, flow " << i);
        }
        options.curriculum = 0;
        const std::string sentence =
            DcnSentenceOf([&]() { M4Trainer(options, source, N).Load(folder); });
        NS_TEST_EXPECT_MSG_EQ((sentence.find(" curriculum=2, but ") != std::string::npos),
                              true,
                              sentence);
        options.curriculum = 4;
        DCN_TEST_EXPECT_ERROR(
            M4Trainer(options, source, N),
            "a curriculum must be shorter than the training, but it has 4 of 4 epochs");
    }
};

/// How many simulations of an epoch are rolled out.
class RolloutShareTestCase : public TestCase
{
  public:
    RolloutShareTestCase()
        : TestCase("share of roll-outs")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t N = 3;
        const auto source = [](uint64_t i) { return M4MakeTestTruth(20, i + 1); };
        for (const auto& [rollouts, firstRollouts, first, second] :
             {std::make_tuple(1, -1, N, N), // the default
              std::make_tuple(0, -1, uint64_t{0}, uint64_t{0}),
              std::make_tuple(1, 0, uint64_t{0}, N),
              std::make_tuple(0, 1, N, uint64_t{0})})
        {
            M4TrainingOptions options;
            options.architecture = {8, 1};
            options.epochs = 2;
            options.rollouts = rollouts;
            options.firstRollouts = firstRollouts;
            M4Trainer trainer(options, source, N);
            const std::string what = std::to_string(firstRollouts) + ":" + std::to_string(rollouts);
            NS_TEST_EXPECT_MSG_EQ(trainer.RunEpoch().rollouts, first, what << ", first epoch");
            NS_TEST_EXPECT_MSG_EQ(trainer.RunEpoch().rollouts, second, what << ", last epoch");
        }
        M4TrainingOptions options;
        options.firstRollouts = -0.5;
        DCN_TEST_EXPECT_ERROR(M4Trainer(options, source, N),
                              "the share of roll-outs must be between 0 and 1, but it is -0.5");
    }
};

/// The suite.
class M4TrainerTestSuite : public DcnOptionalTestSuite
{
  public:
    M4TrainerTestSuite()
        : DcnOptionalTestSuite("m4-trainer", Type::UNIT)
    {
        M4Architecture published = M4Architecture::MakePublished();
        published.hidden = 24;
        published.messageWidth = 20;
        published.headWidth = 16;
        AddTestCasesIf(DcnTorch::IsAvailable(),
                       DCN_NEED_LIBTORCH,
                       {new ForwardTestCase({24, 2}),
                        new ForwardTestCase({24, 2, 16, 64}),
                        new ForwardTestCase({24, 3, 16, 20, true, false, true}),
                        new ForwardTestCase(published),
                        new ForwardTestCase({24, 2, 0, 0, false, false, false, true}),
                        new TrainingTestCase(false),
                        new TrainingTestCase(true),
                        new RolloutShareTestCase,
                        new CurriculumTestCase});
    }
};

M4TrainerTestSuite g_m4TrainerTestSuite; //!< the suite

} // namespace
