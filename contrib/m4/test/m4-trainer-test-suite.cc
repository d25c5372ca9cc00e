/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/m4-architecture.h"
#include "../model/network/m4-torch-model.h"
#include "../model/network/m4-torch-network.h"
#include "../training/m4-replay.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "m4-test.h"

#include "ns3/dcn-torch.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-session.h"
#include "ns3/m4-trainer.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/// Simulations for a training.
class Truths
{
  public:
    /**
     * @param n number of simulations
     * @param nFlows flows of each
     * @param labels whether remaining fractions and queues are known, too
     */
    Truths(uint64_t n, uint64_t nFlows, bool labels)
        : Truths(std::vector<uint64_t>(n, nFlows), labels)
    {
    }

    /**
     * @param sizes flows of each simulation
     * @param labels whether remaining fractions and queues are known, too
     */
    Truths(const std::vector<uint64_t>& sizes, bool labels)
    {
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            auto truth = M4MakeTestTruth(sizes[i], i + 1);
            for (uint32_t flow = 0; labels && flow < truth->fctNs.size(); ++flow)
            {
                const int64_t startNs = truth->scenario->GetFlows()[flow].startNs;
                truth->remaining.push_back({{startNs, 1}, {startNs + truth->fctNs[flow], 0}});
                const DcnPath path = truth->scenario->GetPath(flow);
                truth->queueBytes.insert(truth->queueBytes.end(), path.size(), 2000);
            }
            m_truths.push_back(truth);
        }
    }

    /// @return a trainer on these
    std::unique_ptr<M4Trainer> Make(const M4TrainingOptions& options) const
    {
        return std::make_unique<M4Trainer>(
            options,
            [this](uint64_t i) { return m_truths[i]; },
            m_truths.size());
    }

  private:
    std::vector<std::shared_ptr<M4GroundTruth>> m_truths; //!< by number
};

/// @return whether two models have the same weights
bool
AreEqual(const DcnModelFile& a, const DcnModelFile& b)
{
    return std::equal(a.GetTensors().begin(),
                      a.GetTensors().end(),
                      b.GetTensors().begin(),
                      b.GetTensors().end(),
                      [](const auto& x, const auto& y) { return x.values == y.values; });
}

DCN_TEST_CASE(ForwardTestCase, "Eigen and LibTorch agree within 1e-5")
{
    const auto truth = M4MakeTestTruth(150, 3);
    const M4Architecture architecture("default", 24);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    const DcnModelFile model = M4ChangeWeights(
        M4DefaultNetwork::MakeUntrained(24),
        [&random](const DcnModelFile::Tensor& tensor, std::size_t i) {
            return tensor.values[i] + static_cast<float>(random->GetValue(-0.1, 0.1));
        });
    M4TorchNetwork torch(architecture.sizes, model);
    const auto eigen = architecture.MakeNetwork(model);
    const uint32_t nLinks = truth->scenario->GetTopology().GetNLinks();
    torch.Begin(nLinks);
    eigen->Begin(nLinks);
    M4Replay replay(*truth);
    M4Step event;
    double worst = 0;
    double largest = 0;
    std::size_t nRows = 0;
    auto compare = [this, &worst](const std::vector<float>& a, const std::vector<float>& b) {
        NS_TEST_ASSERT_MSG_EQ(a.size(), b.size(), "rows");
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            const double difference = static_cast<double>(std::abs(a[i] - b[i]));
            worst = std::max(worst, difference / (1 + static_cast<double>(std::abs(b[i]))));
        }
    };
    while (replay.Next(event))
    {
        eigen->Update(event.snapshot);
        const std::vector<float>& slowdown = eigen->GetLogSlowdowns();
        torch.Update(event.snapshot);
        compare(slowdown, torch.GetLogSlowdowns());
        compare(eigen->GetRemaining(), torch.GetRemaining());
        compare(eigen->GetQueueBytes(), torch.GetQueueBytes());
        for (const uint32_t slot : event.snapshot.flows)
        {
            compare(eigen->GetLogQuantiles(slot), torch.GetLogQuantiles(slot));
        }
        for (std::size_t i = 0; i < slowdown.size(); ++i)
        {
            const float fluid = std::max(0.0F, event.snapshot.fluidLogSlowdown[i]);
            largest = std::max(largest, static_cast<double>(std::abs(slowdown[i] - fluid)));
            ++nRows;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nRows, 300, "rows to compare");
    NS_TEST_EXPECT_MSG_GT(largest, 0.05, "they are not those of the fluid");
    NS_TEST_EXPECT_MSG_LT(worst, 1e-5, "largest difference");
}

/// Completion times that scatter by a known factor: the spread is learned. The true slowdowns are
/// those of the untrained network times exp(0.5 u), u uniform in [-1, 1], wherever they stay above
/// 1: the quantile of the residual at level p is 0.5 (2 p - 1) less that at 0.5, which the
/// network's slowdowns move to 0.
DCN_TEST_CASE(SpreadTestCase, "the spread of completion times is learned")
{
    constexpr uint64_t FLOWS = 300;
    constexpr double WIDTH = 0.5; // of ln slowdown
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(11);
    auto make = [&random](uint64_t seed) {
        auto truth = M4MakeTestTruth(FLOWS, seed);
        for (std::size_t flow = 0; flow < truth->fctNs.size(); ++flow)
        {
            const auto ideal = static_cast<double>(truth->scenario->GetIdealFct(flow).GetTotalNs());
            // 3 is far above the fluid's slowdowns, so that nothing but chance decides
            truth->fctNs[flow] =
                std::llround(3 * ideal * std::exp(WIDTH * random->GetValue(-1, 1)));
        }
        return truth;
    };
    std::vector<std::shared_ptr<M4GroundTruth>> truths;
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        truths.push_back(make(seed));
    }
    M4TrainingOptions options;
    options.hidden = 8;
    options.batch = 4;
    options.chunk = 8;
    options.epochs = 6;
    options.firstRate = 1e-2;
    options.averaging = 0.9;
    options.lambdaRemaining = 0;
    options.lambdaQueue = 0;
    M4Trainer trainer(
        options,
        [&truths](uint64_t i) { return truths[i]; },
        truths.size());
    double pinball = 0;
    while (trainer.GetNEpochs() < options.epochs)
    {
        pinball = trainer.RunEpoch().spread;
    }
    // of the true quantiles: mean over levels of p (1 - p) times the width of the distribution
    double least = 0;
    for (const float level : M4Spread::LEVELS)
    {
        const auto p = static_cast<double>(level);
        least += p * (1 - p) * WIDTH / M4Spread::N;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(pinball, least, 0.1 * least, "pinball error");
    const auto unseen = make(99);
    M4SpreadTable spread;
    const auto fctNs = M4Run(*unseen->scenario, trainer.GetModel(), nullptr, nullptr, &spread);
    M4Errors errors;
    errors.Add(*unseen, fctNs, &spread);
    // ln slowdown is uniform over a width of 1: an error of 0.05 at each end is 0.1
    NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetCoverage(), 0.9, 0.1 + 0.03, "intervals of 90 %");
    // here, all of the spread is within the scenario: the distribution has a part of it only
    constexpr double P99 = 0.98 * WIDTH;
    NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP99Bias(),
                              std::expm1((M4Spread::WITHIN - 1) * P99),
                              0.06,
                              "p99 of the distribution");
    M4Errors without;
    without.Add(*unseen, fctNs);
    NS_TEST_EXPECT_MSG_LT(without.GetP99Bias(), -0.2, "p99 of the completion times is too low");
}

/// Training reduces the error; a resumed training continues with the same bytes.
DCN_TEST_CASE_OF(TrainingTestCase,
                 std::string,
                 architecture,
                 "training, and resuming it: " + architecture)
{
    const bool isPublished = architecture == "published";
    const Truths truths(isPublished ? 6 : 8, isPublished ? 100 : 250, isPublished);
    M4TrainingOptions options;
    options.architecture = architecture;
    options.hidden = 8;
    options.messageWidth = isPublished ? 6 : 0;
    options.headWidth = isPublished ? 5 : 0;
    options.batch = 4;
    options.chunk = 8;
    options.epochs = 4;
    options.firstRate = isPublished ? 2e-2 : 1e-2;
    options.lastRate = options.firstRate / 10;
    options.averaging = 0.9;
    options.rollouts = isPublished ? 0.5 : 1;
    options.lambdaQueue = isPublished ? 0.05 : 0.5; // cube roots of bytes are large numbers
    const auto trainer = truths.Make(options);
    const DcnModelFile before = trainer->GetModel();
    const std::string folder = CreateTempDirFilename("half");
    std::vector<double> errors;
    while (trainer->GetNEpochs() < options.epochs)
    {
        if (trainer->GetNEpochs() == 2)
        {
            trainer->Save(folder);
        }
        const auto report = trainer->RunEpoch();
        NS_TEST_EXPECT_MSG_EQ(report.events, (isPublished ? 1200U : 4000U), "events");
        errors.push_back(report.logSlowdown);
    }
    const DcnModelFile after = trainer->GetModel();
    // on flows of another seed, acting on its own predictions
    const auto unseen = M4MakeTestTruth(isPublished ? 100 : 250, 99);
    M4Errors untrained;
    M4Errors trained;
    untrained.Add(*unseen, M4Run(*unseen->scenario, before));
    trained.Add(*unseen, M4Run(*unseen->scenario, after));
    if (isPublished)
    {
        NS_TEST_EXPECT_MSG_LT(errors.back(), 0.6 * errors.front(), "learned");
    }
    else
    {
        NS_TEST_EXPECT_MSG_GT(untrained.GetMean(), 0.25, "a fluid is a third too fast");
        NS_TEST_EXPECT_MSG_LT(trained.GetMean(), 0.6 * untrained.GetMean(), "learned");
    }

    const auto other = truths.Make(options);
    other->Load(folder);
    NS_TEST_EXPECT_MSG_EQ(other->GetNEpochs(), 2, "epochs done");
    other->RunEpoch();
    other->RunEpoch();
    NS_TEST_EXPECT_MSG_EQ(AreEqual(after, other->GetModel()), true, "resumed, the same bytes");
    options.seed = 2;
    const std::string sentence = DcnSentenceOf([&]() { truths.Make(options)->Load(folder); });
    NS_TEST_EXPECT_MSG_EQ((sentence.find("seed=1") != std::string::npos &&
                           sentence.find("seed=2") != std::string::npos),
                          true,
                          "another training: " << sentence);

    // written and read, it answers with the same bytes
    const std::string place = CreateTempDirFilename("model");
    after.Write(place);
    const DcnModelFile read = DcnModelFile::Read(place, "m4");
    const auto fctNs = M4Run(*unseen->scenario, read);
    NS_TEST_EXPECT_MSG_EQ((fctNs == M4Run(*unseen->scenario, after)), true, "written and read");
    NS_TEST_EXPECT_MSG_EQ(M4Architecture::Read(read).Describe(),
                          options.GetArchitecture().Describe(),
                          "its card");
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        const auto ideal = unseen->scenario->GetIdealFct(i).GetTotalNs();
        NS_TEST_EXPECT_MSG_GT_OR_EQ(fctNs[i] + 1, ideal, "no slowdown below 1, flow " << i);
    }
}

/// The last, long simulations of an epoch are not trained on alone.
DCN_TEST_CASE(LastSimulationsTestCase, "an epoch ends when half of the places are empty")
{
    const Truths truths({5, 5, 5, 5, 5, 5, 5, 60}, true);
    M4TrainingOptions options;
    options.hidden = 8;
    options.epochs = 1;
    options.rollouts = 0;
    const auto run = [&](uint32_t batch) {
        options.batch = batch;
        uint32_t nEnds = 0;
        const auto report = truths.Make(options)->RunEpoch([&nEnds]() { ++nEnds; });
        NS_TEST_EXPECT_MSG_EQ(nEnds, 8, "progress of all, batch " << batch);
        return report.events;
    };
    // a start and a departure of each flow
    constexpr uint64_t ALL = 2 * (7 * 5 + 60);
    NS_TEST_EXPECT_MSG_LT(run(4), ALL - 2 * 20, "the long one is left when it is alone");
    NS_TEST_EXPECT_MSG_EQ(run(8), ALL, "one batch: all to their end");
    NS_TEST_EXPECT_MSG_EQ(run(1), ALL, "one place");
}

DCN_TEST_CASE(EpochTestCase, "fraction of roll-outs; the first error; refused options")
{
    constexpr uint64_t N = 3;
    const Truths truths(N, 20, true);
    M4TrainingOptions options;
    options.hidden = 8;
    options.epochs = 2;
    for (const auto& [rollouts, firstRollouts, first, second] :
         {std::make_tuple(1, -1, N, N), // the default
          std::make_tuple(0, -1, uint64_t{0}, uint64_t{0}),
          std::make_tuple(1, 0, uint64_t{0}, N),
          std::make_tuple(0, 1, N, uint64_t{0})})
    {
        options.rollouts = rollouts;
        options.firstRollouts = firstRollouts;
        const auto trainer = truths.Make(options);
        const std::string what = std::to_string(firstRollouts) + ":" + std::to_string(rollouts);
        NS_TEST_EXPECT_MSG_EQ(trainer->RunEpoch().rollouts, first, what << ", first epoch");
        NS_TEST_EXPECT_MSG_EQ(trainer->RunEpoch().rollouts, second, what << ", last epoch");
    }
    // all events in one step: the error is that of the untrained network, the fluid
    options.rollouts = 0;
    options.firstRollouts = -1;
    options.chunk = 1000;
    options.dense = 0;
    const auto report = truths.Make(options)->RunEpoch();
    NS_TEST_EXPECT_MSG_EQ(report.events, 2 * 20 * N, "all events");
    double sum = 0;
    for (uint64_t seed = 1; seed <= N; ++seed)
    {
        const auto truth = M4MakeTestTruth(20, seed);
        const auto fctNs = M4RunTeacherForced(*truth, M4DefaultNetwork::MakeUntrained(8));
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            sum += std::abs(
                std::log(static_cast<double>(fctNs[i]) / static_cast<double>(truth->fctNs[i])));
        }
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(report.logSlowdown, sum / (20 * N), 1e-3, "of the fluid");

    options.firstRollouts = -0.5;
    const std::string rollouts = "the fraction of roll-outs must be between 0 and 1, but it is ";
    DCN_TEST_EXPECT_ERROR(truths.Make(options), rollouts + "-0.5");
    options.firstRollouts = -1;
    options.rollouts = 1.5;
    DCN_TEST_EXPECT_ERROR(truths.Make(options), rollouts + "1.5");
    options.rollouts = 1;
    // 16384 and 4096 rows of states of a place, 4 bytes a number: 3276.8 20480 8 4 bytes are 2 GiB
    options.batch = 3277;
    DCN_TEST_EXPECT_ERROR(truths.Make(options),
                          "the batch of a training with states of 8 numbers must be at most "
                          "3276, but it is 3277");
    options.batch = 66; // of 400 numbers: 65.5
    options.architecture = "published";
    options.hidden = 0;
    DCN_TEST_EXPECT_ERROR(truths.Make(options),
                          "the batch of a training with states of 400 numbers must be at most "
                          "65, but it is 66");
}

DcnTestSuite g_m4TrainerTestSuite("m4-trainer",
                                  DcnTestsIf(DcnTorch::IsAvailable(),
                                             DCN_NEED_LIBTORCH,
                                             {new ForwardTestCase,
                                              new SpreadTestCase,
                                              new TrainingTestCase("default"),
                                              new TrainingTestCase("published"),
                                              new EpochTestCase,
                                              new LastSimulationsTestCase})); //!< the suite

} // namespace
