/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-torch-test-plugin.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-torch-training.h"
#include "ns3/dcn-torch.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>

using namespace ns3;

namespace
{

using Checkpoint = DcnTorchCheckpoint;
using Curve = DcnTorchLearningCurve;
using Network = DcnTorchTestNetwork;

constexpr uint32_t N_MATRIX = Network::INPUTS * Network::OUTPUTS; //!< numbers of layer.w
constexpr uint32_t N_WEIGHTS = N_MATRIX + Network::OUTPUTS;       //!< and of layer.b
const std::vector<float> INPUT{1, -2, 0.5F};                      //!< of all steps
const std::vector<float> TARGET{3, -1};                           //!< of all steps

/**
 * @param options of the training
 * @return a network
 */
std::unique_ptr<Network>
Make(const DcnTorchOptimizerOptions& options)
{
    auto& factory = DcnTorch::Load<DcnTorchTestFactory>("a test", "dcn-test");
    return DcnTorch::Call("a test", [&]() { return factory.Make(options); });
}

/// An interface of another version than that of the plug-in.
struct OtherFactory : DcnTorchPlugin
{
    static constexpr uint32_t VERSION = DcnTorchTestFactory::VERSION + 1; //!< of the interface
};

/// With LibTorch, a plug-in is loaded and kept to one thread; without, a sentence tells the remedy.
DCN_TEST_CASE(AvailabilityTestCase, "LibTorch is used if it is there")
{
    if (!DcnTorch::IsAvailable())
    {
        const std::string sentence =
            "a test needs LibTorch, which was not found when the module dcn-torch was built: "
            "install it (libtorch-dev and libopenblas0-pthread) and configure ns-3 again";
        NS_TEST_EXPECT_MSG_EQ(DcnTorch::GetVersion(), "", "there is no version");
        DCN_TEST_EXPECT_ERROR(DcnTorch::Require("a test"), sentence);
        DCN_TEST_EXPECT_ERROR(Make({}), sentence);
        return;
    }
    DCN_TEST_EXPECT_ERROR(DcnTorch::Require("a test"), "no error");
    auto& factory = DcnTorch::Load<DcnTorchTestFactory>("a test", "dcn-test");
    NS_TEST_EXPECT_MSG_EQ(factory.GetTorchVersion().find(DcnTorch::GetVersion()),
                          0,
                          factory.GetTorchVersion());
    NS_TEST_EXPECT_MSG_EQ(std::string(std::getenv("OMP_NUM_THREADS")), "1", "threads");
    NS_TEST_EXPECT_MSG_EQ(&DcnTorch::Load<DcnTorchTestFactory>("a test", "dcn-test"),
                          &factory,
                          "a plug-in is loaded once");

    const std::string missing =
        DcnSentenceOf([]() { DcnTorch::Load<DcnTorchTestFactory>("a test", "nothing"); });
    NS_TEST_EXPECT_MSG_EQ(missing.find("a test needs LibTorch, and "), 0, missing);
    NS_TEST_EXPECT_MSG_NE(missing.find("ns3-nothing-torch"), std::string::npos, missing);
    NS_TEST_EXPECT_MSG_NE(missing.find(" has not been built: \"./dcn setup\""),
                          std::string::npos,
                          missing);

    const std::string old =
        DcnSentenceOf([]() { DcnTorch::Load<OtherFactory>("a test", "dcn-test"); });
    NS_TEST_EXPECT_MSG_NE(old.find("is of another version than its module: build ns-3 again"),
                          std::string::npos,
                          old);
    DcnTorchOptimizerOptions options;
    options.device = "cuda";
    const std::string cuda = DcnSentenceOf([&]() { Make(options); });
    NS_TEST_EXPECT_MSG_EQ(
        (cuda == "no error" || cuda == "a test: LibTorch " + factory.GetTorchVersion() +
                                           " has no CUDA or finds no GPU: use --device=cpu"),
        true,
        cuda);
}

/// Steps of the trainer, compared with the equations of AdamW in double precision.
DCN_TEST_CASE_OF(OptimizerTestCase,
                 double,
                 clipNorm,
                 "AdamW, gradients clipped to " + std::to_string(clipNorm))
{
    constexpr double RATE = 0.1;
    constexpr double BETA_1 = 0.9;
    DcnTorchOptimizerOptions options;
    options.weightDecay = 0.3;
    options.beta2 = 0.95;
    options.clipNorm = clipNorm;
    options.averaging = 0.75;
    const auto network = Make(options);
    auto& trainer = network->GetTrainer();
    const auto start = trainer.GetWeights();
    NS_TEST_ASSERT_MSG_EQ(start.size(), N_WEIGHTS, "weights");
    std::vector<double> w(start.begin(), start.end());
    std::vector<double> first(N_WEIGHTS);
    std::vector<double> second(N_WEIGHTS);
    std::vector<double> average = w;
    for (int step = 1; step <= 5; ++step)
    {
        std::vector<double> gradient(N_WEIGHTS);
        double squares = 0;
        for (uint32_t o = 0; o < Network::OUTPUTS; ++o)
        {
            double y = w[N_MATRIX + o];
            for (uint32_t i = 0; i < Network::INPUTS; ++i)
            {
                y += w[o * Network::INPUTS + i] * INPUT[i];
            }
            gradient[N_MATRIX + o] = 2 * (y - TARGET[o]);
            for (uint32_t i = 0; i < Network::INPUTS; ++i)
            {
                gradient[o * Network::INPUTS + i] = 2 * (y - TARGET[o]) * INPUT[i];
            }
        }
        for (double g : gradient)
        {
            squares += g * g;
        }
        const double norm = std::sqrt(squares);
        const double found = network->Train(INPUT, TARGET, RATE);
        NS_TEST_EXPECT_MSG_EQ_TOL(found, norm, 1e-5 * norm, "norm before clipping");
        const auto weights = trainer.GetWeights();
        const auto averages = trainer.GetAverage();
        const auto gradients = trainer.GetGradient();
        for (uint32_t i = 0; i < N_WEIGHTS; ++i)
        {
            const double g = gradient[i] * std::min(1.0, clipNorm / norm);
            first[i] += (1 - BETA_1) * (g - first[i]);
            second[i] += (1 - options.beta2) * (g * g - second[i]);
            w[i] *= i < N_MATRIX ? 1 - RATE * options.weightDecay : 1;
            w[i] -= RATE * first[i] / (1 - std::pow(BETA_1, step)) /
                    (std::sqrt(second[i] / (1 - std::pow(options.beta2, step))) + 1e-8);
            average[i] += (1 - options.averaging) * (w[i] - average[i]);
            NS_TEST_EXPECT_MSG_EQ_TOL(gradients[i], g, 1e-5 * norm, "gradient");
            NS_TEST_EXPECT_MSG_EQ_TOL(weights[i], w[i], 1e-5, "weight");
            NS_TEST_EXPECT_MSG_EQ_TOL(averages[i], average[i], 1e-5, "average");
        }
    }
    // a step without a finite loss changes nothing
    const auto before = trainer.GetWeights();
    const double norm =
        network->Train({std::numeric_limits<float>::quiet_NaN(), 1, 1}, TARGET, RATE);
    NS_TEST_EXPECT_MSG_EQ(std::isfinite(norm), false, "norm");
    NS_TEST_EXPECT_MSG_EQ((trainer.GetWeights() == before), true, "weights");
    NS_TEST_EXPECT_MSG_EQ(trainer.GetState().nSteps, 5, "steps");
}

/// Import is the inverse of export, in any order of the matrices, and refuses what does not fit.
DCN_TEST_CASE(CheckpointTestCase, "weights and states, saved and resumed")
{
    DcnTorchOptimizerOptions options;
    options.averaging = 0.9;
    options.seed = 7;
    const auto network = Make(options);
    auto& trainer = network->GetTrainer();
    NS_TEST_EXPECT_MSG_EQ((Make(options)->GetTrainer().GetWeights() == trainer.GetWeights()),
                          true,
                          "same seed, same bytes");
    options.seed = 8;
    const auto other = Make(options);
    NS_TEST_EXPECT_MSG_NE(other->GetTrainer().GetWeights()[0],
                          trainer.GetWeights()[0],
                          "another seed");

    auto tensors = Checkpoint::Export(trainer, trainer.GetWeights());
    NS_TEST_ASSERT_MSG_EQ(tensors.size(), 2, "matrices");
    NS_TEST_EXPECT_MSG_EQ(tensors[0].name, "layer.w", "name");
    NS_TEST_EXPECT_MSG_EQ(tensors[0].rows, Network::OUTPUTS, "rows");
    NS_TEST_EXPECT_MSG_EQ(tensors[0].columns, Network::INPUTS, "columns");
    NS_TEST_EXPECT_MSG_EQ(tensors[0].values[4], trainer.GetWeights()[4], "row 1, column 1");
    NS_TEST_EXPECT_MSG_EQ(tensors[1].name, "layer.b", "name");
    NS_TEST_EXPECT_MSG_EQ(tensors[1].rows, 1, "a vector has one row");
    std::reverse(tensors.begin(), tensors.end());
    Checkpoint::ImportWeights(tensors, other->GetTrainer());
    NS_TEST_EXPECT_MSG_EQ((other->GetTrainer().GetWeights() == trainer.GetWeights()),
                          true,
                          "by name, not by order");
    std::swap(tensors[1].rows, tensors[1].columns);
    DCN_TEST_EXPECT_ERROR(Checkpoint::ImportWeights(tensors, trainer),
                          "the matrix layer.w has 3 x 2 numbers, not 2 x 3");
    tensors.pop_back();
    DCN_TEST_EXPECT_ERROR(Checkpoint::ImportWeights(tensors, trainer),
                          "there is no matrix layer.w among the weights");

    const std::string folder = CreateTempDirFilename("state");
    options.seed = 7;
    for (int step = 0; step < 3; ++step)
    {
        network->Train(INPUT, TARGET, 0.1);
    }
    Checkpoint::Save(folder, "test-training", "a=1", 2, trainer);
    const auto resumed = Make(options);
    NS_TEST_EXPECT_MSG_EQ(Checkpoint::Load(folder, "test-training", "a=1", resumed->GetTrainer()),
                          2,
                          "epochs");
    NS_TEST_EXPECT_MSG_EQ((resumed->Draw(5) == network->Draw(5)), true, "dropout");
    for (Network* each : {network.get(), resumed.get()})
    {
        each->Train(INPUT, TARGET, 0.1);
    }
    const auto state = trainer.GetState();
    const auto otherState = resumed->GetTrainer().GetState();
    NS_TEST_EXPECT_MSG_EQ((resumed->GetTrainer().GetWeights() == trainer.GetWeights()),
                          true,
                          "weights");
    NS_TEST_EXPECT_MSG_EQ((otherState.first == state.first), true, "first moments");
    NS_TEST_EXPECT_MSG_EQ((otherState.second == state.second), true, "second moments");
    NS_TEST_EXPECT_MSG_EQ((otherState.average == state.average), true, "average");
    NS_TEST_EXPECT_MSG_EQ((resumed->Draw(5) != Make(options)->Draw(5)),
                          true,
                          "each step has random numbers of its own");
    DCN_TEST_EXPECT_ERROR(Checkpoint::Load(folder, "test-training", "a=2", trainer),
                          "the training in " + folder +
                              " was made with a=1, but a=2 is asked for: choose another folder, or "
                              "delete this one to begin anew");

    constexpr uint64_t FLOAT = 1ULL << 24; // floats do not hold odd numbers above
    for (uint64_t steps : {uint64_t{0}, FLOAT - 1, FLOAT, FLOAT + 1, 1000 * FLOAT + 12'345'677})
    {
        auto changed = state;
        changed.nSteps = steps;
        trainer.SetState(changed);
        Checkpoint::Save(folder, "test-training", "", 1, trainer);
        Checkpoint::Load(folder, "test-training", "", resumed->GetTrainer());
        NS_TEST_EXPECT_MSG_EQ(resumed->GetTrainer().GetState().nSteps, steps, "steps");
    }
}

DCN_TEST_CASE(OptionsTestCase, "learning rate and options")
{
    DcnTorchTrainingOptions options;
    options.firstRate = 3;
    options.lastRate = 1;
    options.warmUp = 0.1;
    NS_TEST_EXPECT_MSG_EQ_TOL(options.GetRate(0), 0.15, 1e-12, "a twentieth at first");
    NS_TEST_EXPECT_MSG_EQ_TOL(options.GetRate(0.05),
                              0.55 * (2 + std::cos(0.05 * M_PI)),
                              1e-12,
                              "warm-up");
    NS_TEST_EXPECT_MSG_EQ_TOL(options.GetRate(0.5), 2, 1e-12, "half of the cosine");
    NS_TEST_EXPECT_MSG_EQ_TOL(options.GetRate(1), 1, 1e-12, "the last rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(options.GetRate(2), 1, 1e-12, "after the end");
    options.warmUp = 0;
    NS_TEST_EXPECT_MSG_EQ_TOL(options.GetRate(0), 3, 1e-12, "no warm-up");
    DCN_TEST_EXPECT_ERROR(options.Check(), "no error");

    auto refuse = [this](auto change, const std::string& sentence) {
        DcnTorchTrainingOptions wrong;
        change(wrong);
        DCN_TEST_EXPECT_ERROR(wrong.Check(), sentence);
    };
    refuse([](auto& o) { o.batch = 0; },
           "batch and epochs of a training must be at least 1, but they are 0 and 20");
    refuse([](auto& o) { o.lastRate = 1; },
           "the learning rate of a training must not rise, but goes from 0.001 to 1");
    refuse([](auto& o) { o.warmUp = 1; }, "the warm-up of a training is a fraction below 1, not 1");
    refuse([](auto& o) { o.weightDecay = -1; }, "the weight decay of a training is -1");
    refuse([](auto& o) { o.averaging = 1; },
           "a training cannot clip gradients to 1 or average weights with a decay of 1");
    refuse([](auto& o) { o.device = "gpu"; },
           "the device of a training is cpu or cuda, not \"gpu\"");
}

/// Returns the lines of the table in a folder.
std::vector<std::string>
ReadLines(const std::string& folder)
{
    std::ifstream file(folder + "/learning-curve.csv");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/// A table of epochs, its best epoch, and what is kept of it when a training is resumed.
DCN_TEST_CASE(CurveTestCase, "learning curve")
{
    const std::string folder = CreateTempDirFilename("curve");
    DcnMakeFolder(folder);
    const std::vector<Curve::Column> columns{{"loss", "loss"}, {"seconds", ""}};
    Curve curve(folder, columns, "loss", 0);
    NS_TEST_EXPECT_MSG_EQ(curve.GetBest(0).epoch, 0, "no epochs");
    NS_TEST_EXPECT_MSG_EQ(std::isinf(curve.GetBest(0).value), true, "no epochs");
    curve.Add({2, 0.5});
    curve.Add({3, 0.25});
    curve.Add({1, 0.5});
    NS_TEST_EXPECT_MSG_EQ(curve.GetBest(0).epoch, 3, "smallest loss");
    NS_TEST_EXPECT_MSG_EQ(curve.GetBest(1).epoch, 2, "least seconds");
    const auto whole = ReadLines(folder);
    NS_TEST_ASSERT_MSG_EQ(whole.size(), 4, "a header and three epochs");
    NS_TEST_EXPECT_MSG_EQ(whole[0], "epoch,loss,seconds", "header");
    NS_TEST_EXPECT_MSG_EQ(whole[2], "2,3,0.25", "the second epoch");
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/learning-curve.plt"), true, "picture");

    // the third epoch was written, but its state was not saved: the training repeats it
    Curve resumed(folder, columns, "loss", 2);
    NS_TEST_EXPECT_MSG_EQ(resumed.GetBest(0).epoch, 1, "later epochs are dropped");
    NS_TEST_EXPECT_MSG_EQ(resumed.GetBest(0).value, 2, "loss");
    resumed.Add({1, 0.5});
    NS_TEST_EXPECT_MSG_EQ((ReadLines(folder) == whole), true, "each epoch once");
    NS_TEST_EXPECT_MSG_NE(DcnSentenceOf([&]() {
                              Curve(folder, {{"error", ""}}, "loss", 2);
                          }),
                          "no error",
                          "other columns");

    std::filesystem::remove(folder + "/learning-curve.csv");
    Curve lost(folder, columns, "loss", 2);
    lost.Add({1, 0.5});
    NS_TEST_EXPECT_MSG_EQ(ReadLines(folder).at(1), whole[3], "a lost file: the third epoch");
    Curve anew(folder, columns, "loss", 0);
    anew.Add({1, 0.5});
    NS_TEST_EXPECT_MSG_EQ(ReadLines(folder).size(), 2, "another training begins anew");
}

/// A training whose epoch is a step of the network above.
class StepTraining : public DcnTorchTraining
{
  public:
    StepTraining()
        : DcnTorchTraining("test"),
          m_network(Make({}))
    {
    }

    std::string DescribeOptions() const override
    {
        return "a=1";
    }

    DcnModelFile GetModel() const override
    {
        DcnModelFile model(GetName());
        AddWeights(model);
        return model;
    }

    /// Trains an epoch.
    void RunEpoch()
    {
        const auto random = BeginEpoch(1, DcnPurpose::M3_TRAINING);
        const double norm =
            m_network->Train(INPUT, TARGET, 0.1 * random->GetValue(0.5, 1)); // a rate of its own
        CheckLoss(0, norm);
        EndEpoch();
    }

    using DcnTorchTraining::CheckLoss;

  protected:
    DcnTorchTrainer& GetTrainer() const override
    {
        return m_network->GetTrainer();
    }

  private:
    std::unique_ptr<Network> m_network; //!< the network
};

/// Epochs and what the loop asked for.
struct LoopRecord
{
    uint32_t nEpochs{0};             //!< done
    std::vector<uint32_t> described; //!< epochs that were the best so far
};

/**
 * Run a training in a folder.
 * @param folder of the training
 * @param scores of the epochs
 * @param epochs of the training, at most as many as scores
 * @param patience see DcnTorchPlan
 * @param hasColumn whether the scores are a column of the learning curve
 * @return what was asked for
 */
LoopRecord
RunLoop(const std::string& folder,
        const std::vector<double>& scores,
        uint32_t epochs,
        uint32_t patience = std::numeric_limits<uint32_t>::max(),
        bool hasColumn = true)
{
    LoopRecord record;
    StepTraining training;
    DcnTorchLoop loop(folder, training);
    DcnTorchPlan plan;
    plan.epochs = epochs;
    plan.patience = patience;
    plan.columns = {{"steps", ""}, {hasColumn ? "score" : "other", ""}};
    plan.quantity = "score";
    plan.scoreColumn = 1;
    plan.scoreKey = hasColumn ? "" : "score";
    plan.run = [&]() {
        training.RunEpoch();
        const uint32_t epoch = training.GetNEpochs();
        const double score = scores.at(epoch - 1);
        return DcnTorchPlan::Epoch{training.GetModel(),
                                   {double(epoch), hasColumn ? score : 0},
                                   score,
                                   [&record, epoch, score](DcnModelFile& best) {
                                       record.described.push_back(epoch);
                                       best.Set("training", "epoch", epoch);
                                       best.Set("errors", "score", score);
                                   }};
    };
    loop.Run(plan);
    record.nEpochs = training.GetNEpochs();
    return record;
}

/// @return the bytes of a file
std::string
ReadBytes(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The best epoch is written, a resumed training has the same bytes, and patience ends.
DCN_TEST_CASE(LoopTestCase, "the loop of a training")
{
    using Epochs = std::vector<uint32_t>;
    const std::vector<double> scores{3, 1, 2, 1, 0.5};
    for (const bool hasColumn : {true, false})
    {
        const std::string kind = hasColumn ? "column" : "key";
        const std::string whole = CreateTempDirFilename("whole-" + kind);
        const std::string parts = CreateTempDirFilename("parts-" + kind);
        const uint32_t most = std::numeric_limits<uint32_t>::max();
        const auto once = RunLoop(whole, scores, 4, most, hasColumn);
        NS_TEST_EXPECT_MSG_EQ(once.nEpochs, 4, "epochs");
        NS_TEST_EXPECT_MSG_EQ((once.described == Epochs{1, 2}),
                              true,
                              "an equal score is no better");
        NS_TEST_EXPECT_MSG_EQ(DcnModelFile::Read(whole, "test").GetNumber("training", "epoch"),
                              2,
                              "the best epoch");
        for (uint32_t epochs = 1; epochs <= 4; ++epochs) // stopped after each epoch
        {
            const auto next = RunLoop(parts, scores, epochs, most, hasColumn);
            NS_TEST_EXPECT_MSG_EQ(next.nEpochs, epochs, "epochs");
            NS_TEST_EXPECT_MSG_EQ(next.described.empty(), (epochs > 2), "better than all before");
        }
        for (const char* file : {"card.json",
                                 "weights.bin",
                                 "learning-curve.csv",
                                 "state/card.json",
                                 "state/weights.bin"})
        {
            NS_TEST_EXPECT_MSG_EQ((ReadBytes(whole + "/" + file) == ReadBytes(parts + "/" + file) &&
                                   !ReadBytes(whole + "/" + file).empty()),
                                  true,
                                  file);
        }
        NS_TEST_EXPECT_MSG_EQ((RunLoop(parts, scores, 5, most, hasColumn).described == Epochs{5}),
                              true,
                              "a better epoch after a resumption");
    }
    const std::string patient = CreateTempDirFilename("patience");
    NS_TEST_EXPECT_MSG_EQ(RunLoop(patient, scores, 5, 1).nEpochs, 3, "an epoch after the best one");
    NS_TEST_EXPECT_MSG_EQ(RunLoop(patient, scores, 5, 1).nEpochs, 3, "also when it is resumed");
    NS_TEST_EXPECT_MSG_EQ(RunLoop(patient, scores, 5, 2).nEpochs, 4, "an equal one is no better");
    NS_TEST_EXPECT_MSG_EQ(RunLoop(patient, scores, 5, 3).nEpochs, 5, "a better one comes in time");

    StepTraining training;
    DcnTorchLoop loop(patient, training);
    StepTraining second;
    NS_TEST_EXPECT_MSG_NE(DcnSentenceOf([&]() { DcnTorchLoop(patient, second); }),
                          "no error",
                          "two processes in a folder");
    DCN_TEST_EXPECT_ERROR(
        training.CheckLoss(std::nan(""), 1),
        "the loss of the training of test is nan and the norm of its gradient 1: the data have a "
        "value that is no number, or the learning rate is too high");
}

DcnTestSuite g_dcnTorchTestSuite("dcn-torch",
                                 {new AvailabilityTestCase, new OptionsTestCase, new CurveTestCase},
                                 DcnTestsIf(DcnTorch::IsAvailable(),
                                            DCN_NEED_LIBTORCH,
                                            {new OptimizerTestCase(1e9),
                                             new OptimizerTestCase(0.5),
                                             new CheckpointTestCase,
                                             new LoopTestCase})); //!< the suite

} // namespace
