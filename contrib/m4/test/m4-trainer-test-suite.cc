/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../test/dcn-test-error.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-torch-graph-network.h"
#include "ns3/dcn-torch.h"
#include "ns3/dcn-workload.h"
#include "ns3/flowsim-estimator.h"
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
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param nFlows number of flows
 * @param seed of the flows
 * @return flows on a small fabric that take half as long again as in the fluid simulation: a
 * truth without packets that can be learned
 */
std::shared_ptr<M4Truth>
MakeTruth(uint32_t nFlows, uint64_t seed)
{
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    spec.seed = seed;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    auto truth = std::make_shared<M4Truth>();
    truth->scenario = DcnScenario::CreateWithPaths(topology,
                                                   DcnNetworkConfig::Preset("dctcp"),
                                                   std::move(workload.flows),
                                                   std::move(workload.paths));
    const auto fluid = DcnEstimator::CreateByName("flowsim")->Estimate(truth->scenario).fctNs;
    for (std::size_t i = 0; i < fluid.size(); ++i)
    {
        truth->fctNs.push_back(fluid[i] * 3 / 2);
    }
    return truth;
}

/// Weights that are all drawn at random, heads included.
DcnModelFile
MakeRandomModel(const M4NetworkSizes& sizes)
{
    const DcnModelFile untrained = M4Network::MakeUntrained(sizes);
    DcnModelFile model("m4");
    for (const char* key : {"feature_version", "hidden", "rounds"})
    {
        model.Set("architecture", key, untrained.GetNumber("architecture", key));
    }
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    for (DcnModelFile::Tensor tensor : untrained.GetTensors())
    {
        for (float& value : tensor.values)
        {
            value += static_cast<float>(random->GetValue(-0.1, 0.1));
        }
        model.Add(std::move(tensor));
    }
    return model;
}

/// The network without LibTorch answers like the one with it, over many events with their states.
class ForwardTestCase : public TestCase
{
  public:
    ForwardTestCase()
        : TestCase("Eigen and LibTorch agree within 1e-5")
    {
    }

  private:
    void DoRun() override
    {
        const auto truth = MakeTruth(150, 3);
        const M4NetworkSizes sizes{24, 2};
        const DcnModelFile model = MakeRandomModel(sizes);
        DcnTorchGraphNetwork::Sizes torchSizes;
        torchSizes.hidden = sizes.hidden;
        torchSizes.rounds = sizes.rounds;
        torchSizes.flowFeatures = M4Features::N_FLOW;
        torchSizes.linkFeatures = M4Features::N_LINK;
        DcnTorchGraphNetwork torch(torchSizes, {}, 1);
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
            step.fluidLeft = event.fluidLeft;
            step.fluidLogSlowdown = event.snapshot.fluidLogSlowdown;
            DcnTorchGraphNetwork::Predictions expected;
            torch.Accumulate(step, expected);
            const auto slowdown = eigen.Update(event.snapshot);
            const auto left = eigen.PredictLeft(event.fluidLeft);
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
        }
        NS_TEST_EXPECT_MSG_GT(rows, 300, "something was compared");
        NS_TEST_EXPECT_MSG_GT(largest, 0.05, "and was no fluid");
        NS_TEST_EXPECT_MSG_LT(worst, 1e-5, "largest difference");
    }
};

/// A truth that can be learned is learned, with roll-outs; and a training can go on.
class TrainingTestCase : public TestCase
{
  public:
    TrainingTestCase()
        : TestCase("training, and going on with it")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::shared_ptr<const M4Truth>> truths;
        for (uint64_t seed = 1; seed <= 8; ++seed)
        {
            truths.push_back(MakeTruth(250, seed));
        }
        const auto source = [&truths](uint64_t i) { return truths[i]; };
        M4TrainingOptions options;
        options.sizes = {8, 1};
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
        const auto unseen = MakeTruth(250, 99);
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
        options.seed = 2;
        bool refused = false;
        try
        {
            M4Trainer(options, source, truths.size()).Load(folder);
        }
        catch (const DcnError&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "a training with other options");
        options.rollouts = 1.5;
        DCN_TEST_EXPECT_ERROR(M4Trainer(options, source, truths.size()),
                              "the share of roll-outs must be between 0 and 1, but it is 1.5");
    }
};

/// Events of a roll-out are those of the model's own simulation; labels stay.
class RolloutTestCase : public TestCase
{
  public:
    RolloutTestCase()
        : TestCase("events of a roll-out")
    {
    }

  private:
    void DoRun() override
    {
        const auto truth = MakeTruth(200, 5);
        const DcnModelFile model = M4Network::MakeUntrained({8, 1});
        M4Tape tape(*truth, M4RunEvents(*truth->scenario, model));
        // the same network that sees these events says what it said when it made them
        M4Network network(model);
        network.Begin(truth->scenario->GetTopology().GetNLinks());
        std::vector<float> last(truth->fctNs.size(), 0);
        M4Step step;
        while (tape.Next(step))
        {
            const auto& predicted = network.Update(step.snapshot);
            for (std::size_t row = 0; row < predicted.size(); ++row)
            {
                last[step.flow[row]] = predicted[row];
                NS_TEST_EXPECT_MSG_GT(step.logSlowdown[row], std::log(1.4), "the true label");
            }
        }
        const auto fctNs = M4Run(*truth->scenario, model);
        std::size_t differing = 0;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            const double ideal =
                static_cast<double>(truth->scenario->GetIdealFct(i).GetTotalNs());
            const double expected = ideal * std::exp(static_cast<double>(last[i]));
            // a flow that should have ended before the event that says so ends later
            differing += std::abs(static_cast<double>(fctNs[i]) - expected) > 2 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(differing, 0, "as in the simulation");
    }
};

/// Errors of answers that are a tenth too long, by group.
class ErrorsTestCase : public TestCase
{
  public:
    ErrorsTestCase()
        : TestCase("errors by class of size and congestion control")
    {
    }

  private:
    void DoRun() override
    {
        auto truth = MakeTruth(300, 7);
        std::vector<int64_t> tenthMore;
        for (int64_t& fct : truth->fctNs)
        {
            fct *= 10;
            tenthMore.push_back(fct / 10 * 11);
        }
        truth->fctNs[3] = -1; // unfinished: counts nowhere
        M4ErrorTable table;
        table.Add(*truth, tenthMore);
        std::size_t ofSizes = 0;
        std::size_t ofDctcp = 0;
        const auto groups = table.GetGroups();
        NS_TEST_ASSERT_MSG_EQ(groups.front().first, "all", "the first");
        NS_TEST_EXPECT_MSG_EQ(groups.front().second.GetNFlows(), 299, "all that finished");
        for (const auto& [name, errors] : groups)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetMean(), 0.1, 1e-9, "|1.1 - 1|");
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP90(), 0.1, 1e-9, "of each flow");
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetBias(), 0.1, 1e-9, "too long");
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP99Error(), 0.1, 1e-9, "so is the tail");
            ofDctcp += name == "dctcp" ? errors.GetNFlows() : 0;
            ofSizes += name == "all" || name == "dctcp" ? 0 : errors.GetNFlows();
        }
        NS_TEST_EXPECT_MSG_EQ(ofSizes, 299, "every flow has one class of size");
        NS_TEST_EXPECT_MSG_EQ(ofDctcp, 299, "and one congestion control");
    }
};

/// The suite.
class M4TrainerTestSuite : public TestSuite
{
  public:
    M4TrainerTestSuite()
        : TestSuite("m4-trainer", Type::UNIT)
    {
        AddTestCase(new RolloutTestCase);
        AddTestCase(new ErrorsTestCase);
        if (DcnTorch::IsAvailable())
        {
            AddTestCase(new ForwardTestCase);
            AddTestCase(new TrainingTestCase);
        }
    }
};

M4TrainerTestSuite g_m4TrainerTestSuite; //!< the suite

} // namespace
