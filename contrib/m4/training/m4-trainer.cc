/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-trainer.h"

#include "ns3/m4-session.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_SLOTS = 4096; //!< flows of a simulation that are active at a time
constexpr uint32_t MAX_LINKS = 4096; //!< directed links of a simulation
/// Numbers of the states of a batch: 2 GiB, and as much for their gradients; rows of states, at
/// least one number each, are counted in 32 bits.
constexpr uint64_t MAX_NUMBERS = 1ULL << 29;
constexpr double WARM_UP = 0.02;     //!< share of the training in which the rate rises

} // namespace

M4Trainer::M4Trainer(const M4TrainingOptions& options, Source source, uint64_t nSimulations)
    : m_options(options),
      m_source(std::move(source)),
      m_nSimulations(nSimulations)
{
    if (options.batch == 0 || options.chunk == 0 || options.epochs == 0 || nSimulations == 0)
    {
        DcnFail("batch, chunk, epochs and simulations of a training must be at least 1, but they "
                "are ",
                options.batch, ", ", options.chunk, ", ", options.epochs, " and ", nSimulations);
    }
    if (options.firstRollouts == -1)
    {
        m_options.firstRollouts = options.rollouts;
    }
    for (const double share : {options.rollouts, m_options.firstRollouts})
    {
        if (!(share >= 0 && share <= 1))
        {
            DcnFail("the share of roll-outs must be between 0 and 1, but it is ", share);
        }
    }
    if (!(options.dense >= 0 && options.dense <= 1))
    {
        DcnFail("the weight of slowdowns at all events must be between 0 and 1, but it is ",
                options.dense);
    }
    if (options.curriculum > 0 && options.curriculum >= options.epochs)
    {
        DcnFail("a curriculum must be shorter than the training, but it has ", options.curriculum,
                " of ", options.epochs, " epochs");
    }
    if (!(options.lastRate > 0 && options.lastRate <= options.firstRate &&
          std::isfinite(options.firstRate)))
    {
        DcnFail("the learning rate must be above 0 and not rise, but it is ", options.firstRate,
                " in the beginning and ", options.lastRate, " in the end");
    }
    if (!(options.lambdaLeft >= 0 && options.lambdaQueue >= 0 &&
          std::isfinite(options.lambdaLeft) && std::isfinite(options.lambdaQueue)))
    {
        DcnFail("weights in the loss must be at least 0, but they are ", options.lambdaLeft,
                " for the shares left and ", options.lambdaQueue, " for the queues");
    }
    if (!(options.averaging >= 0 && options.averaging < 1))
    {
        DcnFail("the decay of the average of the weights must be at least 0 and below 1, but it "
                "is ", options.averaging);
    }
    options.architecture.Check();
    const uint64_t perPlace = (MAX_SLOTS + MAX_LINKS) * uint64_t{options.architecture.hidden};
    if (options.batch > MAX_NUMBERS / perPlace)
    {
        DcnFail("the batch of a training with states of ", options.architecture.hidden,
                " numbers must be at most ", MAX_NUMBERS / perPlace, ", but it is ",
                options.batch);
    }
    DcnTorchGraphNetwork::Options training;
    training.lambdaLeft = options.lambdaLeft;
    training.lambdaQueue = options.lambdaQueue;
    training.averaging = options.averaging;
    m_network = std::make_unique<DcnTorchGraphNetwork>(options.architecture.MakeTorchSizes(),
                                                       training,
                                                       options.seed);
}

M4Trainer::~M4Trainer() = default;

double
M4Trainer::GetRollouts() const
{
    if (m_options.epochs == 1)
    {
        return m_options.rollouts;
    }
    const double part = static_cast<double>(m_nEpochs) / (m_options.epochs - 1);
    return m_options.firstRollouts + part * (m_options.rollouts - m_options.firstRollouts);
}

double
M4Trainer::GetRate() const
{
    const double share =
        std::min(1.0, (m_nEpochs + m_done) / static_cast<double>(m_options.epochs));
    const double cosine = m_options.lastRate + (m_options.firstRate - m_options.lastRate) *
                                                   (1 + std::cos(M_PI * share)) / 2;
    return cosine * std::min(1.0, 0.05 + share / WARM_UP);
}

std::size_t
M4Trainer::GetNEvents(const M4Truth& truth) const
{
    if (m_nEpochs >= m_options.curriculum)
    {
        return SIZE_MAX;
    }
    const double part = std::exp2(static_cast<double>(m_nEpochs) - m_options.curriculum);
    return static_cast<std::size_t>(
        std::ceil(part * 2 * static_cast<double>(truth.scenario->GetFlows().size())));
}

bool
M4Trainer::Fill(Place& place, uint32_t index, Report& report)
{
    place.tape.reset();
    place.truth.reset();
    if (m_next == m_order.size())
    {
        return false;
    }
    place.truth = m_source(m_order[m_next++]);
    // drawn in any case, so that the others are drawn the same
    std::vector<M4Event> events;
    const std::size_t most = GetNEvents(*place.truth);
    if (m_random->GetValue() < GetRollouts())
    {
        events = M4RunEvents(*place.truth->scenario, GetModel(), most);
        ++report.rollouts;
    }
    place.tape = std::make_unique<M4Tape>(*place.truth,
                                          std::move(events),
                                          m_options.dense,
                                          most,
                                          m_options.architecture.memory);
    const uint32_t nLinks = place.truth->scenario->GetTopology().GetNLinks();
    if (place.tape->GetNSlots() > MAX_SLOTS || nLinks > MAX_LINKS)
    {
        DcnFail("simulation ", m_order[m_next - 1], " has ", place.tape->GetNSlots(),
                " flows at a time and ", nLinks, " directed links, but at most ", MAX_SLOTS,
                " and ", MAX_LINKS, " can be trained on");
    }
    m_network->ClearStates({index * MAX_SLOTS, (index + 1) * MAX_SLOTS},
                           {index * MAX_LINKS, (index + 1) * MAX_LINKS});
    return true;
}

void
M4Trainer::Append(const M4Step& event, uint32_t index, DcnTorchGraphNetwork::Step& step) const
{
    const auto firstFlow = static_cast<uint32_t>(step.flowState.size());
    const auto firstLink = static_cast<uint32_t>(step.linkState.size());
    const M4Snapshot& snapshot = event.snapshot;
    for (std::size_t row = 0; row < snapshot.flows.size(); ++row)
    {
        step.flowState.push_back(index * MAX_SLOTS + snapshot.flows[row]);
        step.leftTarget.push_back(std::max(0.0F, event.left[row]));
    }
    for (std::size_t row = 0; row < snapshot.links.size(); ++row)
    {
        step.linkState.push_back(index * MAX_LINKS + snapshot.links[row]);
        step.queueTarget.push_back(std::max(0.0F, event.queue[row]));
    }
    for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
    {
        step.edgeFlow.push_back(firstFlow + snapshot.edgeFlow[e]);
        step.edgeLink.push_back(firstLink + snapshot.edgeLink[e]);
    }
    auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(step.isNew, event.isNew);
    append(step.flowFeatures, snapshot.flowFeatures);
    append(step.linkFeatures, snapshot.linkFeatures);
    append(step.fluidLeft, snapshot.fluidLeft);
    append(step.fluidLogSlowdown, snapshot.fluidLogSlowdown);
    if (m_options.architecture.jointHeads)
    {
        append(step.fluidService, snapshot.fluidService);
        append(step.edgeWait, snapshot.edgeWait);
    }
    append(step.logSlowdownTarget, event.logSlowdown);
    append(step.logSlowdownWeight, event.weight);
    append(step.leftWeight, event.leftWeight);
    append(step.queueWeight, event.queueWeight);
}

M4Trainer::Report
M4Trainer::RunEpoch(const std::function<void()>& onSimulation)
{
    // the order depends on seed and epoch alone, so that a training can go on
    m_random = CreateObject<UniformRandomVariable>();
    DcnRandom(m_options.seed).Assign(m_random, DcnPurpose::M4_TRAINING, m_nEpochs);
    m_order.resize(m_nSimulations);
    std::iota(m_order.begin(), m_order.end(), 0);
    DcnShuffle(m_order, *m_random);
    if (m_options.perEpoch > 0)
    {
        m_order.resize(std::min<uint64_t>(m_options.perEpoch, m_nSimulations));
    }
    m_next = 0;
    m_done = 0;
    m_network->Begin(m_options.batch * MAX_SLOTS, m_options.batch * MAX_LINKS, true);

    Report report;
    DcnTorchGraphNetwork::Losses sum;
    std::vector<Place> places(m_options.batch);
    uint32_t nFilled = 0;
    for (uint32_t i = 0; i < places.size(); ++i)
    {
        nFilled += Fill(places[i], i, report) ? 1 : 0;
    }
    uint32_t inChunk = 0;
    uint64_t nDone = 0;
    M4Step event;
    while (nFilled > 0)
    {
        DcnTorchGraphNetwork::Step step;
        for (uint32_t i = 0; i < places.size(); ++i)
        {
            if (!places[i].tape)
            {
                continue;
            }
            if (places[i].tape->Next(event))
            {
                Append(event, i, step);
                ++report.events;
                continue;
            }
            ++nDone;
            m_done = static_cast<double>(nDone) / static_cast<double>(m_order.size());
            if (onSimulation)
            {
                onSimulation();
            }
            nFilled -= Fill(places[i], i, report) ? 0 : 1;
        }
        if (!step.linkState.empty())
        {
            m_network->Accumulate(step);
            ++inChunk;
        }
        if (inChunk == m_options.chunk || (nFilled == 0 && inChunk > 0))
        {
            const auto losses = m_network->Finish(GetRate());
            sum.slowdown += losses.slowdown;
            sum.slowdownWeight += losses.slowdownWeight;
            sum.left += losses.left;
            sum.leftWeight += losses.leftWeight;
            sum.queue += losses.queue;
            sum.queueWeight += losses.queueWeight;
            inChunk = 0;
        }
    }
    ++m_nEpochs;
    m_done = 0;
    report.logSlowdown = sum.slowdown / std::max(sum.slowdownWeight, 1e-9);
    report.left = sum.left / std::max(sum.leftWeight, 1e-9);
    report.queue = sum.queue / std::max(sum.queueWeight, 1e-9);
    return report;
}

uint32_t
M4Trainer::GetNEpochs() const
{
    return m_nEpochs;
}

DcnModelFile
M4Trainer::GetModel() const
{
    DcnModelFile model("m4");
    model.Set("architecture", "feature_version", M4Features::VERSION);
    m_options.architecture.Write(model);
    DcnTrainedRanges().Write(model); // a model to be used gets those of M4Data
    const std::pair<const char*, double> numbers[] = {
        {"epochs", m_nEpochs},
        {"epochs_planned", m_options.epochs},
        {"samples_per_epoch", static_cast<double>(m_options.perEpoch)},
        {"batch", m_options.batch},
        {"chunk", m_options.chunk},
        {"first_rate", m_options.firstRate},
        {"last_rate", m_options.lastRate},
        {"lambda_left", m_options.lambdaLeft},
        {"lambda_queue", m_options.lambdaQueue},
        {"first_rollouts", m_options.firstRollouts},
        {"rollouts", m_options.rollouts},
        {"dense", m_options.dense},
        {"averaging", m_options.averaging},
        {"seed", static_cast<double>(m_options.seed)},
    };
    for (const auto& [key, number] : numbers)
    {
        model.Set("training", key, number);
    }
    if (m_options.curriculum > 0)
    {
        model.Set("training", "curriculum", m_options.curriculum);
    }
    if (m_options.architecture.jointHeads)
    {
        model.Set("training", "queue_loss", "huber"); // once it was that of heads apart
    }
    for (const auto& tensor : m_network->ExportWeights(true))
    {
        model.Add(tensor);
    }
    return model;
}

std::string
M4Trainer::DescribeOptions() const
{
    std::ostringstream text;
    text << m_options.architecture.Describe() << " batch=" << m_options.batch
         << " chunk=" << m_options.chunk << " first_rate=" << m_options.firstRate
         << " last_rate=" << m_options.lastRate << " lambda_left=" << m_options.lambdaLeft
         << " lambda_queue=" << m_options.lambdaQueue << " rollouts=" << m_options.firstRollouts
         << ':' << m_options.rollouts << " dense=" << m_options.dense
         << " averaging=" << m_options.averaging << " seed=" << m_options.seed
         << " simulations=" << m_nSimulations << " data=" << m_options.data;
    if (m_options.curriculum > 0)
    {
        text << " curriculum=" << m_options.curriculum;
    }
    if (m_options.architecture.jointHeads)
    {
        text << " queue_loss=huber"; // what was begun with another loss does not go on with this
    }
    return text.str();
}

void
M4Trainer::Save(const std::string& folder) const
{
    DcnModelFile state("m4-training");
    state.Set("training", "options", DescribeOptions());
    state.Set("training", "epochs_done", m_nEpochs);
    for (const auto& tensor : m_network->ExportWeights())
    {
        state.Add(tensor);
    }
    for (const auto& tensor : m_network->ExportOptimizer())
    {
        state.Add(tensor);
    }
    state.Write(folder);
}

void
M4Trainer::Load(const std::string& folder)
{
    const DcnModelFile state = DcnModelFile::Read(folder, "m4-training");
    const std::string& options = state.GetText("training", "options");
    if (options != DescribeOptions())
    {
        DcnFail("the training in ", folder, " has the options ", options, ", but ",
                DescribeOptions(), " are asked for");
    }
    m_network->ImportWeights(state.GetTensors());
    m_network->ImportOptimizer(state.GetTensors());
    m_nEpochs = static_cast<uint32_t>(state.GetNumber("training", "epochs_done"));
}

} // namespace ns3
