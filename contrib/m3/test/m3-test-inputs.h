/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TEST_INPUTS_H
#define M3_TEST_INPUTS_H

#include "ns3/double.h"
#include "ns3/m3-network.h"
#include "ns3/m3-trainer.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <vector>

/**
 * @file
 * @brief A small network of m3, and paths and examples for it that no simulation has made.
 */

namespace ns3
{

/**
 * @param context whether links are looked at
 * @return sizes of a small network
 */
inline DcnTorchSetNetwork::Sizes
MakeM3TestSizes(bool context)
{
    DcnTorchSetNetwork::Sizes sizes;
    sizes.tokenFeatures = M3Features::N_TOKEN;
    sizes.foregroundFeatures = M3Features::N_FOREGROUND;
    sizes.classes = M3Features::N_SLOTS;
    sizes.knots = M3Features::N_KNOTS;
    sizes.width = 16;
    sizes.heads = 2;
    sizes.layers = 2;
    sizes.feedForward = 24;
    sizes.mlp = 32;
    sizes.context = context;
    return sizes;
}

/// Draws paths that no fluid has made.
class M3TestDraws
{
  public:
    M3TestDraws()
        : m_uniform(CreateObject<UniformRandomVariable>())
    {
        m_uniform->SetStream(3);
    }

    /**
     * @param n how many
     * @return paths of 1 to 6 links; some slots have no increments
     */
    std::vector<M3Input> Inputs(std::size_t n)
    {
        std::vector<M3Input> inputs(n);
        for (M3Input& input : inputs)
        {
            input.nTokens = m_uniform->GetInteger(1, 6);
            input.token = Numbers(input.nTokens * M3Features::N_TOKEN);
            input.foreground = Numbers(M3Features::N_FOREGROUND);
            input.flows.assign(M3Features::N_SLOTS, {0});
            for (uint32_t c = 0; c < M3Features::N_SLOTS; ++c)
            {
                float log = 0;
                for (uint32_t k = 0; k < M3Features::N_KNOTS; ++k)
                {
                    log += c % 2 ? 0.0F : static_cast<float>(m_uniform->GetValue(0, 0.3));
                    input.base.push_back(log);
                }
            }
        }
        return inputs;
    }

    /**
     * @param n how many
     * @return numbers around 0
     */
    std::vector<float> Numbers(std::size_t n)
    {
        std::vector<float> numbers(n);
        for (float& number : numbers)
        {
            number = static_cast<float>(m_uniform->GetValue(-2, 2));
        }
        return numbers;
    }

    /**
     * @brief Paths of which each link with a positive first feature adds 0.1 to every log
     * slowdown; all other features are 0.
     * @param n how many
     * @return examples of one flow by slot, which is spread evenly over another 0.2
     */
    std::vector<M3Example> Examples(std::size_t n)
    {
        std::vector<M3Example> examples;
        for (M3Input& input : Inputs(n))
        {
            M3Example example;
            double busy = 0;
            std::fill(input.foreground.begin(), input.foreground.end(), 0.0F);
            for (std::size_t i = 0; i < input.token.size(); ++i)
            {
                // nothing else to be learned by heart
                input.token[i] *= i % M3Features::N_TOKEN ? 0 : 1;
            }
            for (uint32_t i = 0; i < input.nTokens; ++i)
            {
                busy += input.token[i * M3Features::N_TOKEN] > 0 ? 0.1 : 0;
            }
            example.conditions.congestionControl = "dctcp";
            example.conditions.values.assign(M3Conditions::GetQuantities().size(),
                                             m_uniform->GetValue(1, 2));
            example.target.assign(M3Features::N_SLOTS * M3Example::N_TARGETS, 0.0F);
            example.weight = example.target;
            example.known = example.target;
            example.knownWeight = example.target;
            for (uint32_t c = 0; c < M3Features::N_SLOTS; ++c)
            {
                std::fill_n(input.base.begin() + c * M3Features::N_KNOTS,
                            M3Features::N_KNOTS,
                            0.05F);
                const std::size_t at = c * M3Example::N_TARGETS;
                example.target[at] = static_cast<float>(0.05 + busy + m_uniform->GetValue(0, 0.2));
                example.weight[at] = 1;
                if (c + 1 == M3Features::N_SLOTS)
                {
                    // one slot of which quantiles are known
                    for (uint32_t k = 0; k < M3Features::N_KNOTS; ++k)
                    {
                        example.known[at + k] =
                            static_cast<float>(0.05 + busy + 0.2 * M3Features::KNOTS[k]);
                        example.knownWeight[at + k] = 0.1F;
                    }
                }
            }
            example.input = std::move(input);
            examples.push_back(std::move(example));
        }
        return examples;
    }

  private:
    Ptr<UniformRandomVariable> m_uniform; //!< what is drawn from
};

} // namespace ns3

#endif /* M3_TEST_INPUTS_H */
