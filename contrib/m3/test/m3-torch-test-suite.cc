/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "m3-reference-network.h"
#include "m3-test-inputs.h"

#include "ns3/dcn-torch-training.h"
#include "ns3/dcn-torch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Checkpoint = DcnTorchCheckpoint;
using Row = M3ReferenceNetwork::Row;

/// @return the plug-in
M3TorchFactory&
GetFactory()
{
    return DcnTorch::Load<M3TorchFactory>("a test", "m3");
}

/// A network with random weights, the same weights in double precision, and paths.
class TorchTestCase : public TestCase
{
  protected:
    /**
     * @param name of the case
     * @param layers blocks
     */
    TorchTestCase(const std::string& name, uint32_t layers)
        : TestCase(name + ", " + std::to_string(layers) + " blocks"),
          m_uniform(CreateObject<UniformRandomVariable>())
    {
        auto& shape = m_reference.shape;
        shape.tokenFeatures = 3;
        shape.foregroundFeatures = 2;
        shape.slots = 2;
        shape.knots = 3;
        shape.width = 8; // two pairs in each head
        shape.heads = 2;
        shape.layers = layers;
        shape.feedForward = 5;
        shape.mlp = 6;
        shape.gain = 0.3;
        m_uniform->SetStream(2);
    }

    /**
     * @param n how many
     * @param low least
     * @param high largest
     * @return numbers
     */
    std::vector<float> Draw(std::size_t n, double low, double high)
    {
        std::vector<float> numbers(n);
        for (float& number : numbers)
        {
            number = static_cast<float>(m_uniform->GetValue(low, high));
        }
        return numbers;
    }

    /**
     * @brief Draw the weights of a network and of the reference.
     * @param network gets them
     */
    void DrawWeights(M3TorchNetwork& network)
    {
        auto& trainer = network.GetTrainer();
        auto weights = Checkpoint::Export(trainer, trainer.GetWeights());
        for (auto& tensor : weights)
        {
            tensor.values = Draw(tensor.values.size(), -0.9, 0.9);
            m_reference.weights[tensor.name] = {tensor.values.begin(), tensor.values.end()};
        }
        Checkpoint::ImportWeights(weights, trainer);
    }

    /**
     * @param nPaths how many, of 1 to 5 links
     * @return their features, a base with many increments of 0, and targets
     */
    M3TorchBatch MakeBatch(std::size_t nPaths)
    {
        const auto& shape = m_reference.shape;
        M3TorchBatch batch;
        std::size_t nTokens = 0;
        for (std::size_t i = 0; i < nPaths; ++i)
        {
            batch.tokens.push_back(m_uniform->GetInteger(1, 5));
            nTokens += batch.tokens.back();
        }
        const std::size_t outputs = nPaths * shape.slots * shape.knots;
        batch.token = Draw(nTokens * shape.tokenFeatures, -1, 1);
        batch.foreground = Draw(nPaths * shape.foregroundFeatures, -1, 1);
        batch.base = Draw(outputs, 0, 0.1);
        for (std::size_t i = 0; i < outputs; ++i)
        {
            batch.base[i] *= m_uniform->GetInteger(0, 2) > 0;
            batch.base[i] += i % shape.knots ? batch.base[i - 1] : 0;
        }
        batch.target = Draw(outputs, 0, 1);
        batch.weight = Draw(outputs, 0, 1);
        return batch;
    }

    Ptr<UniformRandomVariable> m_uniform; //!< source of all draws
    M3ReferenceNetwork m_reference;       //!< in double precision
};

/// Default architecture: predictions, loss and gradients are those of the equations.
class DefaultTestCase : public TorchTestCase
{
  public:
    /**
     * @param layers blocks
     * @param nTargets targets of a slot
     */
    DefaultTestCase(uint32_t layers, std::size_t nTargets)
        : TorchTestCase("default: answers and gradients, " + std::to_string(nTargets) + " targets",
                        layers),
          m_nTargets(nTargets)
    {
    }

  private:
    void DoRun() override
    {
        m_reference.levels = {0.1, 0.5, 0.9};
        DcnTorchOptimizerOptions options;
        options.clipNorm = std::numeric_limits<double>::infinity();
        const auto network =
            GetFactory().MakeDefault(m_reference.shape, m_reference.levels, options);
        DrawWeights(*network);
        M3TorchBatch batch = MakeBatch(7);
        batch.target = Draw(7 * m_reference.shape.slots * m_nTargets, 0, 1);
        batch.weight = Draw(batch.target.size(), 0, 1);
        std::fill_n(batch.weight.begin(), m_nTargets, 0.0F); // a slot without flows
        if (m_nTargets > 1)
        {
            // predictions on both sides of D of M3Loss
            batch.known = Draw(batch.base.size(), -2, 1);
            batch.knownWeight = Draw(batch.base.size(), 0, 1);
        }
        const Row expected = m_reference.Predict(batch);
        const std::vector<float> predicted = network->Predict(batch);
        NS_TEST_ASSERT_MSG_EQ(predicted.size(), expected.size(), "outputs");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(predicted[i], expected[i], 1e-5, "output " << i);
        }
        const double loss = m_reference.Loss(batch);
        NS_TEST_EXPECT_MSG_EQ_TOL(network->Evaluate(batch).GetMean(), loss, 1e-5, "loss");
        auto& trainer = network->GetTrainer();
        const auto before = trainer.GetWeights();
        const double trained = network->Train(batch, 0).GetMean();
        NS_TEST_EXPECT_MSG_EQ_TOL(trained, loss, 1e-5, "loss");
        NS_TEST_EXPECT_MSG_EQ((trainer.GetWeights() == before), true, "a rate of 0");
        double largest = 0;
        for (const auto& tensor : Checkpoint::Export(trainer, trainer.GetGradient()))
        {
            for (std::size_t i = 0; i < tensor.values.size(); ++i)
            {
                constexpr double DELTA = 1e-6;
                double difference = 0;
                for (double sign : {1.0, -1.0})
                {
                    M3ReferenceNetwork moved = m_reference;
                    moved.weights.at(tensor.name)[i] += sign * DELTA;
                    difference += sign * moved.Loss(batch) / (2 * DELTA);
                }
                largest = std::max(largest, std::abs(difference));
                NS_TEST_EXPECT_MSG_EQ_TOL(tensor.values[i],
                                          difference,
                                          2e-5,
                                          tensor.name << " " << i);
            }
        }
        NS_TEST_EXPECT_MSG_GT(largest, 0.02, "there is something to compare");
        batch.token[0] = std::numeric_limits<float>::quiet_NaN();
        const double error = network->Train(batch, 1).error;
        NS_TEST_EXPECT_MSG_EQ(std::isfinite(error), false, "no number");
        NS_TEST_EXPECT_MSG_EQ((trainer.GetWeights() == before), true, "no step without a number");
    }

    std::size_t m_nTargets; //!< targets of a slot
};

/// Published architecture: predictions and loss are those of the equations, without dropout.
class PublishedTestCase : public TorchTestCase
{
  public:
    /**
     * @param layers blocks
     */
    explicit PublishedTestCase(uint32_t layers)
        : TorchTestCase("published: answers and loss", layers)
    {
        m_reference.isPublished = true;
    }

  private:
    void DoRun() override
    {
        DcnTorchOptimizerOptions options;
        options.weightDecay = 0.5;
        const auto network = GetFactory().MakePublished(m_reference.shape, options);
        DrawWeights(*network);
        M3TorchBatch batch = MakeBatch(7);
        for (auto* features : {&batch.token, &batch.foreground})
        {
            for (std::size_t i = 0; i < features->size(); i += 3 - i % 2)
            {
                (*features)[i] = std::numeric_limits<float>::quiet_NaN();
            }
        }
        const Row expected = m_reference.Predict(batch);
        const std::vector<float> predicted = network->Predict(batch);
        NS_TEST_ASSERT_MSG_EQ(predicted.size(), expected.size(), "outputs");
        std::size_t nBelow = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            nBelow += expected[i] < 1 ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ_TOL(predicted[i],
                                      std::log(std::max(1.0, expected[i])),
                                      1e-5,
                                      "output " << i);
        }
        NS_TEST_EXPECT_MSG_EQ((nBelow > 0 && nBelow < expected.size()), true, "below and above 1");
        const double loss = m_reference.Loss(batch);
        NS_TEST_EXPECT_MSG_EQ_TOL(network->Evaluate(batch).GetMean(), loss, 1e-5 * loss, "loss");

        // weight decay reaches the matrices of the encoder and nothing else
        auto& trainer = network->GetTrainer();
        const auto before = Checkpoint::Export(trainer, trainer.GetWeights());
        batch.weight.assign(batch.weight.size(), 0.0F);
        network->Train(batch, 0.1);
        const auto after = Checkpoint::Export(trainer, trainer.GetWeights());
        for (std::size_t i = 0; i < after.size(); ++i)
        {
            const bool decays = before[i].rows > 1 && before[i].name.rfind("mlp", 0) != 0;
            const float expectedWeight = before[i].values[0] * (decays ? 0.95F : 1.0F);
            NS_TEST_EXPECT_MSG_EQ_TOL(after[i].values[0], expectedWeight, 1e-6, before[i].name);
        }
    }
};

/// The published size has the published number of weights, and makes a step.
DCN_TEST_CASE(PublishedSizeTestCase, "published: size")
{
    M3TestDraws draws(M3FeatureSet::Published());
    const auto examples = draws.Examples(2);
    M3TrainingOptions options("published");
    options.batch = 2;
    options.epochs = 1;
    M3Trainer trainer(options, examples);
    std::map<std::string, std::size_t> nWeights; // of the head, absent features, the encoder
    const DcnModelFile model = trainer.GetModel();
    for (const auto& tensor : model.GetTensors())
    {
        const bool isHead = tensor.name.rfind("mlp", 0) == 0;
        nWeights[isHead                    ? "head"
                 : tensor.name == "absent" ? "absent"
                                           : "encoder"] += tensor.values.size();
    }
    NS_TEST_EXPECT_MSG_EQ(nWeights["encoder"], 16'849'728, "encoder, as released");
    NS_TEST_EXPECT_MSG_EQ(nWeights["head"], 1'285'008, "head, as released");
    NS_TEST_EXPECT_MSG_EQ(nWeights["absent"], 100, "absent features, as released");
    const double loss = trainer.RunEpoch();
    NS_TEST_EXPECT_MSG_GT(loss, 0, "loss");
}

/// R(d) of M3Loss, which is the same with and without LibTorch, and weights of levels.
DCN_TEST_CASE(LossTestCase, "relative error and weights of levels")
{
    constexpr double E = 2.718281828459045;
    constexpr double D = M3Loss::STRAIGHT;
    NS_TEST_EXPECT_MSG_EQ(D, 1, "the values below are for this one");
    auto error = [](double d) { return M3Loss::GetRelativeError(d); };
    NS_TEST_EXPECT_MSG_EQ_TOL(error(-2), 1 - 1 / (E * E), 1e-15, "0.8647");
    NS_TEST_EXPECT_MSG_EQ(error(0), 0, "no error");
    NS_TEST_EXPECT_MSG_EQ_TOL(error(0.5), 0.6487212707001282, 1e-15, "sqrt(e) - 1");
    NS_TEST_EXPECT_MSG_EQ_TOL(error(1), E - 1, 1e-15, "1.718");
    NS_TEST_EXPECT_MSG_EQ_TOL(error(3), 3 * E - 1, 1e-14, "e - 1 + 2 e = 7.155, not e^3 - 1");
    NS_TEST_EXPECT_MSG_EQ_TOL(error(std::log(10)), 5.26, 0.005, "ten times too high");
    // value and slope, which is e, go on at D
    constexpr double H = 1e-6;
    NS_TEST_EXPECT_MSG_EQ_TOL(error(D + H) - error(D), E * H, 1e-11, "above D");
    NS_TEST_EXPECT_MSG_EQ_TOL(error(D) - error(D - H), E * H, 1e-11, "below D");

    const auto weights = M3Loss::GetLevelWeights({0.2, 0.5, 0.98});
    // 1 / sqrt(p (1 - p)): 2.5, 2 and 7.142857, of mean 3.880952
    NS_TEST_EXPECT_MSG_EQ_TOL(weights[0], 0.644172, 1e-6, "level 0.2");
    NS_TEST_EXPECT_MSG_EQ_TOL(weights[1], 0.515337, 1e-6, "level 0.5");
    NS_TEST_EXPECT_MSG_EQ_TOL(weights[2], 1.840491, 1e-6, "level 0.98");
}

/// Options of a training that are refused, and those that an architecture has.
DCN_TEST_CASE(OptionsTestCase, "options")
{
    auto refuse = [this](auto change, const std::string& sentence) {
        M3TrainingOptions wrong;
        change(wrong);
        DCN_TEST_EXPECT_ERROR(wrong.Check(), sentence);
    };
    refuse([](auto& o) { o.width = 0; }, "the width of a network of m3 is 0");
    refuse([](auto& o) { o.heads = 0; }, "the number of heads of a network of m3 is 0");
    refuse([](auto& o) { o.feedForward = 0; }, "the feed-forward width of a network of m3 is 0");
    refuse([](auto& o) { o.mlp = 0; }, "the width of the hidden layers of a network of m3 is 0");
    refuse([](auto& o) { o.width = 4'000'000'000; },
           "the width of a network of m3 is at most 16384, not 4000000000");
    refuse([](auto& o) { o.mlp = 16'385; },
           "the width of the hidden layers of a network of m3 is at most 16384, not 16385");
    refuse([](auto& o) { o.layers = 257; },
           "the number of layers of a network of m3 is at most 256, not 257");
    refuse([](auto& o) { o.width = 6; },
           "the width 6 of a network of m3 is not a multiple of its 4 heads");
    refuse([](auto& o) { o.batch = 0; },
           "batch and epochs of a training must be at least 1, but they are 0 and 25");
    DCN_TEST_EXPECT_ERROR(M3TrainingOptions("other"),
                          "the architecture of m3 is default, links or published, not \"other\"");
    const M3TrainingOptions published("published");
    published.Check();
    NS_TEST_EXPECT_MSG_EQ(published.GetRate(0), 1e-4, "a constant rate");
    NS_TEST_EXPECT_MSG_EQ(published.GetRate(1), 1e-4, "a constant rate");
}

DcnTestSuite g_m3TorchTestSuite("m3-torch",
                                {new LossTestCase, new OptionsTestCase},
                                DcnTestsIf(DcnTorch::IsAvailable(),
                                           DCN_NEED_LIBTORCH,
                                           {new DefaultTestCase(0, 1),
                                            new DefaultTestCase(1, 4),
                                            new DefaultTestCase(2, 1),
                                            new PublishedTestCase(0),
                                            new PublishedTestCase(2),
                                            new PublishedSizeTestCase})); //!< the suite

} // namespace
