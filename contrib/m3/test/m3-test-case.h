/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TEST_CASE_H
#define M3_TEST_CASE_H

#include "../training/m3-trainer.h"

#include "ns3/test.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// Checks of networks of m3 of either architecture.
class M3TestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /**
     * @param trainer runs until all epochs are over
     * @param nEpochs how many there are
     */
    static void Finish(M3Trainer& trainer, uint32_t nEpochs)
    {
        while (trainer.GetNEpochs() < nEpochs)
        {
            trainer.RunEpoch();
        }
    }

    /**
     * @param examples paths with targets
     * @return the paths
     */
    static std::vector<M3PathFeatures> GetInputs(const std::vector<M3Example>& examples)
    {
        std::vector<M3PathFeatures> inputs;
        for (const M3Example& example : examples)
        {
            inputs.push_back(example.input);
        }
        return inputs;
    }

    /**
     * @brief 0 <= Q_1 <= ... <= Q_K in every slot.
     * @param answer logarithms of slowdowns
     * @param nKnots K
     */
    void CheckOrder(const std::vector<float>& answer, uint32_t nKnots)
    {
        for (std::size_t i = 0; i < answer.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((answer[i] >= (i % nKnots ? answer[i - 1] : 0.0F)),
                                  true,
                                  "slowdowns are at least 1 and do not fall");
        }
    }

    /**
     * @brief Answers and loss are those that LibTorch finds with the same weights.
     * @param trainer with its network
     * @param examples the paths
     * @param answer of the network of M3Network
     * @param tolerance of an answer
     */
    void CheckTorch(M3Trainer& trainer,
                    const std::vector<M3Example>& examples,
                    const std::vector<float>& answer,
                    double tolerance)
    {
        std::vector<const M3Example*> pointers;
        for (const M3Example& example : examples)
        {
            pointers.push_back(&example);
        }
        const auto batch = trainer.MakeBatch(pointers, 0, pointers.size());
        const std::vector<float> expected = trainer.GetNetwork().Predict(batch);
        NS_TEST_ASSERT_MSG_EQ(answer.size(), expected.size(), "outputs");
        for (std::size_t i = 0; i < answer.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(answer[i], expected[i], tolerance, "LibTorch's answer " << i);
        }
        M3Loss loss;
        for (std::size_t i = 0; i < examples.size(); ++i)
        {
            const std::size_t nOutputs = examples[i].input.featureSet->nOutputs;
            examples[i].AddLoss(answer.data() + i * nOutputs, loss);
        }
        // published slowdowns may come out below 1, which answers do not show
        if (!examples.front().input.featureSet->isPublished)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(trainer.GetNetwork().Evaluate(batch).GetMean(),
                                      loss.GetMean(),
                                      1e-5,
                                      "loss of the examples");
        }
    }
};

} // namespace ns3

#endif /* M3_TEST_CASE_H */
