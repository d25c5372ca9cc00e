/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_TEST_INPUTS_H
#define M3_TEST_INPUTS_H

#include "../model/network/m3-network.h"
#include "../model/features/m3-scaler.h"
#include "../training/m3-trainer.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/double.h"
#include "ns3/m3-torch-network.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @brief A small network of m3, and paths and examples for it that no simulation has made.
 */

namespace ns3
{

/// Hosts 0, 1 and 2 around switch 3: the links 0, 2, 4 lead to the switch, 1, 3, 5 from it.
struct M3TestStar
{
    static constexpr uint64_t RATE = 10'000'000'000; //!< of all links [bit/s]
    static constexpr int64_t DELAY = 1000;           //!< of all links [ns]
    static constexpr uint64_t WINDOW = 50'000;       //!< above the bandwidth-delay product [bytes]

    /**
     * @param flows from and to the hosts
     * @return the scenario
     */
    static Ptr<const DcnScenario> Make(const std::vector<DcnFlow>& flows)
    {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        network->windowBytes = WINDOW;
        return DcnScenario::Create(DcnMakeStar(3), network, flows);
    }
};

/**
 * @param featureSet of features and answers
 * @return shape of a small network
 */
inline M3NetworkShape
MakeM3TestShape(const M3FeatureSet& featureSet = M3FeatureSet::Default())
{
    M3NetworkShape shape = M3Network::MakeShape(featureSet);
    shape.width = 16;
    shape.heads = 2;
    shape.layers = 2;
    shape.feedForward = 24;
    shape.mlp = 32;
    shape.gain = 1;
    return shape;
}

/**
 * @param last largest weight of the last layer; 0: a default network answers with the fluid
 * @param shape of the network
 * @param featureSet of the network
 * @param ranges of the training; by default nothing is outside
 * @return a model with random weights that does not scale its features
 */
inline DcnModelFile
MakeM3TestModel(double last,
                const M3NetworkShape& shape = MakeM3TestShape(),
                const M3FeatureSet& featureSet = M3FeatureSet::Default(),
                const DcnTrainedRanges& ranges = DcnTrainedRanges())
{
    DcnModelFile model = M3Network::MakeCard(featureSet, shape, ranges);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    auto add = [&](const std::string& name, uint32_t rows, uint32_t columns) {
        const bool isGain = name.substr(name.size() - 2) == ".g";
        const double bound = name.rfind("mlp3", 0) == 0 ? last : 1 / std::sqrt(columns);
        DcnModelFile::Tensor tensor{name, rows, columns, {}};
        for (uint32_t i = 0; i < rows * columns; ++i)
        {
            tensor.values.push_back(
                static_cast<float>(random->GetValue(-bound, bound) + (isGain ? 1 : 0)));
        }
        model.Add(std::move(tensor));
    };
    auto addLayer = [&](const std::string& name, uint32_t outputs, uint32_t inputs) {
        add(name + ".w", outputs, inputs);
        add(name + ".b", 1, outputs);
    };
    const uint32_t d = shape.width;
    if (featureSet.isPublished)
    {
        add("absent", 1, shape.knots);
    }
    else
    {
        M3Scaler(featureSet.nToken).Add(model, "token");
        M3Scaler(featureSet.nForeground).Add(model, "foreground");
    }
    addLayer("token", d, shape.tokenFeatures);
    for (uint32_t i = 0; i < shape.layers; ++i)
    {
        const std::string block = "block" + std::to_string(i);
        add(block + ".norm1.g", 1, d);
        add(block + ".qkv.w", 3 * d, d);
        add(block + ".o.w", d, d);
        add(block + ".norm2.g", 1, d);
        add(block + ".gate.w", shape.feedForward, d);
        add(block + ".up.w", shape.feedForward, d);
        add(block + ".down.w", d, shape.feedForward);
    }
    add("norm.g", 1, d);
    if (featureSet.isPublished)
    {
        add("output.w", d, d);
    }
    addLayer("mlp1", shape.mlp, shape.foregroundFeatures + d);
    addLayer("mlp2", shape.mlp, shape.mlp);
    addLayer("mlp3", shape.slots * shape.knots, shape.mlp);
    return model;
}

/**
 * @param architecture default or published
 * @param batch paths in a step
 * @param epochs of the training
 * @return options to train a small network quickly
 */
inline M3TrainingOptions
MakeM3TestOptions(const std::string& architecture, uint32_t batch, uint32_t epochs)
{
    M3TrainingOptions options(architecture);
    options.width = 16;
    options.heads = 4;
    options.layers = 2;
    options.feedForward = 24;
    options.mlp = 32;
    options.batch = batch;
    options.epochs = epochs;
    options.averaging = 0;
    return options;
}

/// Draws paths that no fluid has made.
class M3TestDraws
{
  public:
    /**
     * @param featureSet of the paths
     */
    explicit M3TestDraws(const M3FeatureSet& featureSet = M3FeatureSet::Default())
        : m_featureSet(featureSet),
          m_uniform(CreateObject<UniformRandomVariable>())
    {
        m_uniform->SetStream(3);
    }

    /**
     * @param n how many
     * @return paths of 1 to 6 links; some slots have no increments
     */
    std::vector<M3PathFeatures> Inputs(std::size_t n)
    {
        std::vector<M3PathFeatures> inputs(n);
        for (M3PathFeatures& input : inputs)
        {
            input.featureSet = &m_featureSet;
            input.nTokens = m_uniform->GetInteger(1, 6);
            input.token = Numbers(input.nTokens * m_featureSet.nToken);
            input.foreground = Numbers(m_featureSet.nForeground);
            input.flows.assign(m_featureSet.nSlots, {0});
            for (uint32_t c = 0; c < m_featureSet.nSlots; ++c)
            {
                float log = 0;
                for (uint32_t k = 0; k < m_featureSet.nKnots; ++k)
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
     * @return examples of one flow by slot, which is spread evenly over another 0.2; where
     * quantiles are learned, they are known
     */
    std::vector<M3Example> Examples(std::size_t n)
    {
        std::vector<M3Example> examples;
        for (M3PathFeatures& input : Inputs(n))
        {
            M3Example example;
            double busy = 0;
            std::fill(input.foreground.begin(), input.foreground.end(), 0.0F);
            for (std::size_t i = 0; i < input.token.size(); ++i)
            {
                // nothing else to be learned by heart
                input.token[i] *= i % m_featureSet.nToken ? 0 : 1;
            }
            for (uint32_t i = 0; i < input.nTokens; ++i)
            {
                busy += input.token[i * m_featureSet.nToken] > 0 ? 0.1 : 0;
            }
            input.ranges.congestionControl = "dctcp";
            input.ranges.values.assign(M3RangeFeatures::GetQuantities().size(),
                                       m_uniform->GetValue(1, 2));
            example.target.assign(m_featureSet.nOutputs, 0.0F);
            example.weight = example.target;
            const bool isDefault = !m_featureSet.isPublished;
            example.known.assign(isDefault ? m_featureSet.nOutputs : 0, 0.0F);
            example.knownWeight = example.known;
            for (uint32_t c = 0; c < m_featureSet.nSlots; ++c)
            {
                const std::size_t at = std::size_t{c} * m_featureSet.nKnots;
                std::fill_n(input.base.begin() + static_cast<std::ptrdiff_t>(at),
                            m_featureSet.nKnots,
                            0.05F);
                if (isDefault)
                {
                    example.target[at] =
                        static_cast<float>(0.05 + busy + m_uniform->GetValue(0, 0.2));
                    example.weight[at] = 1;
                }
                // one slot of which quantiles are known, or all
                auto& known = isDefault ? example.known : example.target;
                auto& weight = isDefault ? example.knownWeight : example.weight;
                for (uint32_t k = 0; k < m_featureSet.nKnots; ++k)
                {
                    if (!isDefault || c + 1 == m_featureSet.nSlots)
                    {
                        known[at + k] =
                            static_cast<float>(0.05 + busy + 0.2 * m_featureSet.knots[k]);
                        weight[at + k] = 0.1F;
                    }
                }
            }
            example.input = std::move(input);
            examples.push_back(std::move(example));
        }
        return examples;
    }

  private:
    const M3FeatureSet& m_featureSet;     //!< of the paths
    Ptr<UniformRandomVariable> m_uniform; //!< what is drawn from
};

} // namespace ns3

#endif /* M3_TEST_INPUTS_H */
