/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-trainer.h"

#include "ns3/m3-network.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/hash.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

constexpr double WARM_UP = 0.02; //!< share of the training in which the rate rises

/// Of the loss and of what is kept by it: states of another are refused. 2: known quantiles count
/// by their relative error, and the model with the smallest loss is kept, not that with the best
/// p99.
constexpr int LOSS_VERSION = 2;

} // namespace

M3Trainer::M3Trainer(const M3TrainingOptions& options, const std::vector<M3Example>& examples)
    : m_options(options),
      m_examples(examples)
{
    if (options.batch == 0 || options.epochs == 0 || examples.empty())
    {
        DcnFail("batch, epochs and paths of a training must be at least 1, but they are ",
                options.batch,
                ", ",
                options.epochs,
                " and ",
                examples.size());
    }
    m_layout = examples.front().input.layout;
    options.loss.Check(*m_layout);
    if (!(options.lastRate > 0) || !(options.firstRate >= options.lastRate))
    {
        DcnFail("the learning rate of a training must fall, but goes from ",
                options.firstRate,
                " to ",
                options.lastRate);
    }
    std::vector<const std::vector<float>*> token;
    std::vector<const std::vector<float>*> foreground;
    for (const M3Example& example : examples)
    {
        if (example.input.layout != m_layout)
        {
            DcnFail("a training has paths with ",
                    m_layout->name,
                    " and with ",
                    example.input.layout->name,
                    " features");
        }
        token.push_back(&example.input.token);
        foreground.push_back(&example.input.foreground);
        m_ranges.Add(example.conditions);
        for (const auto* numbers :
             {&example.input.token, &example.input.foreground, &example.target})
        {
            // continued with other data, a training would be of neither
            const uint64_t chain = m_checksum + 0x9e3779b97f4a7c15ULL;
            m_checksum = chain * 31 + Hash64(reinterpret_cast<const char*>(numbers->data()),
                                             numbers->size() * sizeof(float));
        }
    }
    M3Example::RequireFlows(examples, "to learn from");
    auto fit = [this](const std::vector<const std::vector<float>*>& rows, uint32_t n) {
        return m_layout->isScaled ? M3Scaler::Fit(rows, n) : M3Scaler::Raw(n);
    };
    m_tokenScaler = fit(token, m_layout->nToken);
    m_foregroundScaler = fit(foreground, m_layout->nForeground);

    DcnTorchSetNetwork::Sizes sizes = M3Network::MakeSizes(*m_layout);
    sizes.width = options.width;
    sizes.heads = options.heads;
    sizes.layers = options.layers;
    sizes.feedForward = options.feedForward;
    sizes.mlp = options.mlp;
    sizes.gain = static_cast<float>(options.gain);
    sizes.context = options.context;
    DcnTorchSetNetwork::Options training;
    training.weightDecay = options.weightDecay;
    training.averaging = options.averaging;
    if (m_layout->learnsFlows)
    {
        training.levels.assign(m_layout->knots.begin(), m_layout->knots.end());
        training.levelWeights = options.loss.GetLevelWeights(m_layout->knots);
    }
    m_network = std::make_unique<DcnTorchSetNetwork>(sizes, training, options.seed);
}

M3Trainer::~M3Trainer() = default;

double
M3Trainer::GetRate(double step) const
{
    const double perEpoch = std::ceil(static_cast<double>(m_examples.size()) / m_options.batch);
    const double share = std::min(1.0, step / (perEpoch * m_options.epochs));
    const double cosine = m_options.lastRate + (m_options.firstRate - m_options.lastRate) *
                                                   (1 + std::cos(M_PI * share)) / 2;
    return cosine * std::min(1.0, 0.05 + share / WARM_UP);
}

DcnTorchSetNetwork::Batch
M3Trainer::MakeBatch(const std::vector<const M3Example*>& examples,
                     std::size_t first,
                     std::size_t last) const
{
    DcnTorchSetNetwork::Batch batch;
    auto append = [](std::vector<float>& to, const std::vector<float>& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (std::size_t i = first; i < last; ++i)
    {
        const M3Example& example = *examples[i];
        batch.tokens.push_back(example.input.nTokens);
        if (m_options.context)
        {
            m_tokenScaler.Apply(example.input.token, batch.token);
        }
        m_foregroundScaler.Apply(example.input.foreground, batch.foreground);
        if (m_layout->isResidual)
        {
            append(batch.base, example.input.base);
        }
        else
        {
            batch.base.resize(batch.base.size() + m_layout->nOutputs, 0.0F);
        }
        append(batch.target, example.target);
        append(batch.weight, example.weight);
        if (m_layout->learnsFlows && m_options.loss.known > 0)
        {
            append(batch.known, example.known);
            for (float weight : example.knownWeight)
            {
                batch.knownWeight.push_back(static_cast<float>(m_options.loss.known) * weight);
            }
        }
    }
    return batch;
}

double
M3Trainer::RunEpoch(const std::function<void(uint64_t)>& onStep)
{
    // the order depends on seed and epoch alone, so that a training can go on
    auto random = CreateObject<UniformRandomVariable>();
    DcnRandom(m_options.seed).Assign(random, DcnPurpose::M3_TRAINING, m_nEpochs);
    std::vector<const M3Example*> order;
    for (const M3Example& example : m_examples)
    {
        order.push_back(&example);
    }
    DcnShuffle(order, *random);
    const std::size_t perEpoch = (order.size() + m_options.batch - 1) / m_options.batch;
    double error = 0;
    double weight = 0;
    for (std::size_t step = 0; step < perEpoch; ++step)
    {
        const std::size_t first = step * m_options.batch;
        const std::size_t last = std::min(order.size(), first + m_options.batch);
        const auto losses =
            m_network->Train(MakeBatch(order, first, last),
                             GetRate(static_cast<double>(m_nEpochs * perEpoch + step)));
        error += losses.error;
        weight += losses.weight;
        if (onStep)
        {
            onStep(last);
        }
    }
    ++m_nEpochs;
    return error / std::max(weight, 1e-9);
}

uint32_t
M3Trainer::GetNEpochs() const
{
    return m_nEpochs;
}

DcnTorchSetNetwork&
M3Trainer::GetNetwork()
{
    return *m_network;
}

DcnModelFile
M3Trainer::GetModel() const
{
    DcnModelFile model = M3Network::MakeModel(*m_layout,
                                              m_network->GetSizes(),
                                              m_tokenScaler,
                                              m_foregroundScaler,
                                              m_ranges);
    for (auto& tensor : m_network->ExportWeights(m_options.averaging > 0))
    {
        model.Add(std::move(tensor));
    }
    return model;
}

std::string
M3Trainer::DescribeOptions() const
{
    std::ostringstream text;
    if (m_layout != &M3Layout::Ours()) // trainings from before there were layouts go on
    {
        text << "features=" << m_layout->name << ' ';
    }
    text << "context=" << m_options.context << " width=" << m_options.width
         << " heads=" << m_options.heads << " layers=" << m_options.layers
         << " feed_forward=" << m_options.feedForward << " mlp=" << m_options.mlp
         << " gain=" << m_options.gain << " batch=" << m_options.batch
         << " epochs=" << m_options.epochs << " first_rate=" << m_options.firstRate
         << " last_rate=" << m_options.lastRate << " weight_decay=" << m_options.weightDecay
         << " averaging=" << m_options.averaging << " tail=" << m_options.loss.tail
         << " known=" << m_options.loss.known << " loss=" << LOSS_VERSION
         << " seed=" << m_options.seed << " paths=" << m_examples.size() << " data=" << std::hex
         << m_checksum;
    return text.str();
}

void
M3Trainer::Save(const std::string& folder) const
{
    DcnModelFile state("m3-training");
    state.Set("training", "options", DescribeOptions());
    state.Set("training", "epochs_done", m_nEpochs);
    for (auto& tensor : m_network->ExportWeights())
    {
        state.Add(std::move(tensor));
    }
    for (auto& tensor : m_network->ExportOptimizer())
    {
        state.Add(std::move(tensor));
    }
    state.Write(folder);
}

void
M3Trainer::Load(const std::string& folder)
{
    const DcnModelFile state = DcnModelFile::Read(folder, "m3-training");
    const std::string& options = state.GetText("training", "options");
    if (options != DescribeOptions())
    {
        DcnFail("the training in ",
                folder,
                " has the options ",
                options,
                ", but ",
                DescribeOptions(),
                " are asked for");
    }
    m_network->ImportWeights(state.GetTensors());
    m_network->ImportOptimizer(state.GetTensors());
    m_nEpochs = static_cast<uint32_t>(state.GetNumber("training", "epochs_done"));
}

} // namespace ns3
