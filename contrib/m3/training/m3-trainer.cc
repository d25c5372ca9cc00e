/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-trainer.h"

#include "../model/network/m3-network.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-torch.h"
#include "ns3/hash.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M3Trainer");

M3Trainer::M3Trainer(const M3TrainingOptions& options, const std::vector<M3Example>& examples)
    : DcnTorchTraining("m3"),
      m_options(options),
      m_examples(examples),
      m_featureSet(M3FeatureSet::Get(options.architecture)),
      m_shape(M3Network::MakeShape(m_featureSet))
{
    m_options.Check();
    std::vector<const std::vector<float>*> token;
    std::vector<const std::vector<float>*> foreground;
    for (const M3Example& example : examples)
    {
        if (example.input.featureSet != &m_featureSet)
        {
            DcnFail("a training of the ",
                    m_featureSet.name,
                    " architecture has a path with ",
                    example.input.featureSet->name,
                    " features");
        }
        token.push_back(&example.input.token);
        foreground.push_back(&example.input.foreground);
        m_ranges.Add(example.input.ranges);
        for (const auto* numbers :
             {&example.input.token, &example.input.foreground, &example.target})
        {
            // a checksum: a training must not resume with other data
            const uint64_t chain = m_checksum + 0x9e3779b97f4a7c15ULL;
            m_checksum = chain * 31 + Hash64(reinterpret_cast<const char*>(numbers->data()),
                                             numbers->size() * sizeof(float));
        }
    }
    M3Example::RequireFlows(examples, "to learn from");
    m_shape.width = options.width;
    m_shape.heads = options.heads;
    m_shape.layers = options.layers;
    m_shape.feedForward = options.feedForward;
    m_shape.mlp = options.mlp;
    const auto from = options.ReadFrom("m3");
    if (from)
    {
        CheckArchitecture(*from);
        const M3Network network(*from);
        m_shape.correction = network.GetCorrection();
        m_shape.limit = network.GetLimit();
        m_ranges.Add(DcnTrainedRanges::Read(*from, M3RangeFeatures::GetQuantities()));
    }
    m_shape.correction = options.correction > 0 ? options.correction : m_shape.correction;
    m_shape.limit = options.limit >= 0 ? options.limit : m_shape.limit;
    const std::string user = "a training of m3";
    auto& factory = DcnTorch::Load<M3TorchFactory>(user, "m3");
    if (m_featureSet.isPublished)
    {
        m_network =
            DcnTorch::Call(user, [&]() { return factory.MakePublished(m_shape, m_options); });
    }
    else
    {
        // weights belong to the scales with which they were trained
        m_tokenScaler = from ? M3Scaler::Read(*from, "token", m_featureSet.nToken)
                             : M3Scaler::Fit(token, m_featureSet.nToken);
        m_foregroundScaler = from ? M3Scaler::Read(*from, "foreground", m_featureSet.nForeground)
                                  : M3Scaler::Fit(foreground, m_featureSet.nForeground);
        m_network = DcnTorch::Call(user, [&]() {
            return factory.MakeDefault(m_shape, m_featureSet.knots, m_options);
        });
    }
    if (from)
    {
        DcnTorchCheckpoint::ImportWeights(from->GetTensors(), m_network->GetTrainer());
    }
    NS_LOG_INFO("training of the " << m_featureSet.name << " architecture on " << examples.size()
                                   << " paths");
}

M3Trainer::~M3Trainer() = default;

void
M3Trainer::CheckArchitecture(const DcnModelFile& from) const
{
    const DcnModelFile card = M3Network::MakeCard(m_featureSet, m_shape, m_ranges);
    for (const auto& [key, value] : card.GetSection("architecture"))
    {
        // share and limit of the network in answers are chosen after the training
        if (key != "correction" && key != "limit" && from.GetText("architecture", key) != value)
        {
            DcnFail("--from=",
                    m_options.from,
                    " has the ",
                    key,
                    ' ',
                    from.GetText("architecture", key),
                    ", but the training has ",
                    value);
        }
    }
}

M3TorchBatch
M3Trainer::MakeBatch(const std::vector<const M3Example*>& examples,
                     std::size_t first,
                     std::size_t last) const
{
    M3TorchBatch batch;
    auto append = [](std::vector<float>& to, const std::vector<float>& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (std::size_t i = first; i < last; ++i)
    {
        const M3Example& example = *examples[i];
        batch.tokens.push_back(example.input.nTokens);
        append(batch.target, example.target);
        append(batch.weight, example.weight);
        if (m_featureSet.isPublished)
        {
            append(batch.token, example.input.token);
            append(batch.foreground, example.input.foreground);
            continue;
        }
        m_tokenScaler.Apply(example.input.token, batch.token);
        m_foregroundScaler.Apply(example.input.foreground, batch.foreground);
        append(batch.base, example.input.base);
        append(batch.known, example.known);
        append(batch.knownWeight, example.knownWeight);
    }
    return batch;
}

double
M3Trainer::RunEpoch(const std::function<void(uint64_t)>& onStep)
{
    const auto random = BeginEpoch(m_options.seed, DcnPurpose::M3_TRAINING);
    std::vector<const M3Example*> order;
    for (const M3Example& example : m_examples)
    {
        order.push_back(&example);
    }
    DcnShuffle(order, *random);
    const std::size_t perEpoch = (order.size() + m_options.batch - 1) / m_options.batch;
    M3Loss sum;
    for (std::size_t step = 0; step < perEpoch; ++step)
    {
        const std::size_t first = step * m_options.batch;
        const std::size_t last = std::min(order.size(), first + m_options.batch);
        const double done =
            (GetNEpochs() + static_cast<double>(step) / static_cast<double>(perEpoch)) /
            m_options.epochs;
        const M3Loss loss =
            m_network->Train(MakeBatch(order, first, last), m_options.GetRate(done));
        CheckLoss(loss.error, loss.gradientNorm);
        sum.error += loss.error;
        sum.weight += loss.weight;
        if (onStep)
        {
            onStep(last);
        }
    }
    EndEpoch();
    NS_LOG_INFO("epoch " << GetNEpochs() << ", loss " << sum.GetMean());
    return sum.GetMean();
}

DcnTorchTrainer&
M3Trainer::GetTrainer() const
{
    return m_network->GetTrainer();
}

M3TorchNetwork&
M3Trainer::GetNetwork()
{
    return *m_network;
}

DcnModelFile
M3Trainer::GetModel() const
{
    DcnModelFile model = M3Network::MakeCard(m_featureSet, m_shape, m_ranges);
    if (!m_featureSet.isPublished)
    {
        m_tokenScaler.Add(model, "token");
        m_foregroundScaler.Add(model, "foreground");
    }
    AddWeights(model);
    return model;
}

std::string
M3Trainer::DescribeOptions() const
{
    std::ostringstream text;
    text << "architecture=" << m_options.architecture << " width=" << m_options.width
         << " heads=" << m_options.heads << " layers=" << m_options.layers
         << " feed_forward=" << m_options.feedForward << " mlp=" << m_options.mlp
         << " epochs=" << m_options.epochs << ' ' << m_options.Describe()
         << " paths=" << m_examples.size() << " data=" << std::hex << m_checksum;
    if (m_shape.limit > 0)
    {
        text << " limit=" << m_shape.limit; // it affects the losses that choose an epoch
    }
    if (const auto from = m_options.ReadFrom("m3"))
    {
        text << " from=" << from->GetText("model", "weights_checksum");
    }
    return text.str();
}

} // namespace ns3
