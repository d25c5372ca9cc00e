/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-trainer.h"

#include "../model/network/m4-torch-network.h"
#include "m4-replay.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-torch.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4Trainer");

namespace
{

constexpr uint32_t MAX_SLOTS = 16384;        //!< most active flows of a simulation
constexpr uint32_t MAX_LINKS = 4096;         //!< most directed links of a simulation
constexpr uint64_t MAX_NUMBERS = 1ULL << 29; //!< most numbers in the states of a batch: 2 GiB

/**
 * @param value an option
 * @return whether it is a fraction
 */
bool
IsFraction(double value)
{
    return value >= 0 && value <= 1;
}

} // namespace

M4TrainingOptions::M4TrainingOptions()
{
    batch = 32;
    firstRate = 3e-3;
    lastRate = 3e-5;
    averaging = 0.999;
}

void
M4TrainingOptions::AddTo(CommandLine& cmd)
{
    DcnAddText(cmd, "architecture", "Network: default, or published (m4, section 4)", architecture);
    cmd.AddValue("hidden", "Width of states; 0: 32, published 400", hidden);
    cmd.AddValue("messageWidth",
                 "Published network: width between layers of GraphSAGE; 0: 300",
                 messageWidth);
    cmd.AddValue("headWidth", "Published network: width of the heads; 0: 200", headWidth);
    DcnTorchTrainingOptions::AddTo(cmd, "Simulations");
    cmd.AddValue("chunk", "Events between two steps of the optimiser", chunk);
    cmd.AddValue("perEpoch", "Simulations in an epoch, drawn for each; 0: all", perEpoch);
    cmd.AddValue("lambdaRemaining",
                 "Weight of remaining fractions in the loss; 0: not supervised",
                 lambdaRemaining);
    cmd.AddValue("lambdaQueue", "Weight of queues in the loss; 0: not supervised", lambdaQueue);
    cmd.AddValue("rollouts",
                 "Fraction of simulations that have the events of the model's own simulation; 0: "
                 "teacher forcing",
                 rollouts);
    cmd.AddValue("firstRollouts",
                 "Fraction of roll-outs in the first epoch; it changes to --rollouts in "
                 "equal steps; -1: --rollouts throughout",
                 firstRollouts);
    cmd.AddValue("dense",
                 "Weight of slowdowns at all events of a flow; the rest is at its last event",
                 dense);
    cmd.AddValue("onlySpread",
                 "Train the head of the spread alone; the other weights of --from stay",
                 onlySpread);
}

void
M4TrainingOptions::Check() const
{
    DcnTorchTrainingOptions::Check();
    if (chunk == 0)
    {
        DcnFail("the chunk of a training must be at least 1, but it is 0");
    }
    for (const double fraction : {rollouts, firstRollouts == -1 ? rollouts : firstRollouts})
    {
        if (!IsFraction(fraction))
        {
            DcnFail("the fraction of roll-outs must be between 0 and 1, but it is ", fraction);
        }
    }
    if (!IsFraction(dense))
    {
        DcnFail("the weight of slowdowns at all events must be between 0 and 1, but it is ", dense);
    }
    if (!(lambdaRemaining >= 0 && lambdaQueue >= 0 && std::isfinite(lambdaRemaining) &&
          std::isfinite(lambdaQueue)))
    {
        DcnFail("weights in the loss must be at least 0, but they are ",
                lambdaRemaining,
                " for remaining fractions and ",
                lambdaQueue,
                " for queues");
    }
    if (onlySpread && (from.empty() || GetArchitecture().sizes.isPublished))
    {
        DcnFail("--onlySpread needs --from, a model of the default architecture");
    }
    const uint32_t width = GetArchitecture().sizes.hidden;
    const uint64_t most = MAX_NUMBERS / ((MAX_SLOTS + MAX_LINKS) * uint64_t{width});
    if (batch > most)
    {
        DcnFail("the batch of a training with states of ",
                width,
                " numbers must be at most ",
                most,
                ", but it is ",
                batch);
    }
}

M4Architecture
M4TrainingOptions::GetArchitecture() const
{
    M4Architecture made(architecture, hidden);
    if ((messageWidth > 0 || headWidth > 0) && !made.sizes.isPublished)
    {
        DcnFail("--messageWidth and --headWidth are for --architecture=published only");
    }
    made.sizes.messageWidth = messageWidth > 0 ? messageWidth : made.sizes.messageWidth;
    made.sizes.headWidth = headWidth > 0 ? headWidth : made.sizes.headWidth;
    made.Check();
    return made;
}

std::string
M4TrainingOptions::Describe() const
{
    std::ostringstream text;
    text << GetArchitecture().Describe() << ' ' << DcnTorchTrainingOptions::Describe()
         << " chunk=" << chunk << " lambda_remaining=" << lambdaRemaining
         << " lambda_queue=" << lambdaQueue
         << " rollouts=" << (firstRollouts == -1 ? rollouts : firstRollouts) << ':' << rollouts
         << " dense=" << dense << " data=" << data;
    if (const auto model = ReadFrom())
    {
        text << " from=" << model->GetText("model", "weights_checksum")
             << " only_spread=" << onlySpread;
    }
    return text.str();
}

std::optional<DcnModelFile>
M4TrainingOptions::ReadFrom() const
{
    auto model = DcnTorchTrainingOptions::ReadFrom("m4");
    if (!model)
    {
        return {};
    }
    const std::string found = M4Architecture::Read(*model).Describe();
    if (found != GetArchitecture().Describe())
    {
        DcnFail("--from=",
                from,
                " has ",
                found,
                ", but the training has ",
                GetArchitecture().Describe());
    }
    return model;
}

/// A place in the batch, occupied by one simulation after the other.
struct M4Trainer::Place
{
    std::shared_ptr<const M4GroundTruth> truth; //!< of the simulation
    std::unique_ptr<M4Replay> replay; //!< replay of the simulation; null: no simulation is left
};

/// An epoch that is running.
struct M4Trainer::Epoch
{
    std::vector<Place> places; //!< simulations in lock-step
    uint32_t nFilled{0};       //!< places that have one
    uint64_t nDone{0};         //!< simulations finished
    M4TorchChunk chunk;        //!< steps since the last one of the optimiser
    M4Step event;              //!< the last that was read
    M4TorchLosses losses;      //!< sums over chunks
    Report report;             //!< results; its errors are set at the end
};

M4Trainer::M4Trainer(const M4TrainingOptions& options, Source source, uint64_t nSimulations)
    : DcnTorchTraining("m4"),
      m_options(options),
      m_source(std::move(source)),
      m_nSimulations(nSimulations)
{
    m_options.Check();
    if (m_options.onlySpread)
    {
        m_options.weightDecay = 0; // which would change the weights that stay
    }
    if (nSimulations == 0)
    {
        DcnFail("a training needs at least one simulation");
    }
    m_architecture = std::make_unique<M4Architecture>(options.GetArchitecture());
    M4TorchModel::Options training;
    static_cast<DcnTorchOptimizerOptions&>(training) = m_options;
    training.lambdaRemaining = options.lambdaRemaining;
    training.lambdaQueue = options.lambdaQueue;
    training.onlySpread = options.onlySpread;
    m_model = M4TorchNetwork::Make("the training of m4", m_architecture->sizes, training);
    if (const auto from = options.ReadFrom())
    {
        // models of before dcn 0.2 have no head of the spread: it begins with random weights
        DcnTorchCheckpoint::ImportKnown(from->GetTensors(), m_model->GetTrainer());
    }
}

M4Trainer::~M4Trainer() = default;

double
M4Trainer::GetRollouts() const
{
    if (m_options.epochs == 1 || m_options.firstRollouts == -1)
    {
        return m_options.rollouts;
    }
    const double part = static_cast<double>(GetNEpochs()) / (m_options.epochs - 1);
    return m_options.firstRollouts + part * (m_options.rollouts - m_options.firstRollouts);
}

bool
M4Trainer::Fill(Place& place, Report& report)
{
    place.replay.reset();
    place.truth.reset();
    if (m_next == m_order.size())
    {
        return false;
    }
    const uint64_t number = m_order[m_next++];
    place.truth = m_source(number);
    std::vector<M4Event> events;
    // always drawn, so that the other simulations do not depend on the fraction
    const bool isRollout = m_random->GetValue() < GetRollouts();
    if (isRollout)
    {
        events = M4RunEvents(*place.truth->scenario, GetModel());
        ++report.rollouts;
    }
    NS_LOG_INFO("simulation " << number << (isRollout ? ", a roll-out" : ", teacher forcing"));
    place.replay = std::make_unique<M4Replay>(*place.truth,
                                              *m_architecture,
                                              std::move(events),
                                              m_options.dense);
    const uint32_t nLinks = place.truth->scenario->GetTopology().GetNLinks();
    if (place.replay->GetNSlots() > MAX_SLOTS || nLinks > MAX_LINKS)
    {
        DcnFail("simulation ",
                number,
                " has ",
                place.replay->GetNSlots(),
                " flows at a time and ",
                nLinks,
                " directed links, but at most ",
                MAX_SLOTS,
                " and ",
                MAX_LINKS,
                " can be trained on");
    }
    return true;
}

void
M4Trainer::Append(const M4Step& step, uint32_t place, M4TorchChunk& chunk)
{
    M4TorchNetwork::Append(step.snapshot,
                           int64_t{place} * MAX_SLOTS,
                           int64_t{place} * MAX_LINKS,
                           chunk);
    auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(chunk.logSlowdownTarget, step.logSlowdown);
    append(chunk.logSlowdownWeight, step.slowdownWeight);
    append(chunk.spreadWeight, step.isLast);
    append(chunk.remainingTarget, step.remaining);
    append(chunk.remainingWeight, step.remainingWeight);
    append(chunk.queueTarget, step.queue);
    append(chunk.queueWeight, step.queueWeight);
}

void
M4Trainer::Begin(Epoch& epoch)
{
    m_random = BeginEpoch(m_options.seed, DcnPurpose::M4_TRAINING);
    m_order.resize(m_nSimulations);
    std::iota(m_order.begin(), m_order.end(), 0);
    DcnShuffle(m_order, *m_random);
    if (m_options.perEpoch > 0)
    {
        m_order.resize(std::min<uint64_t>(m_options.perEpoch, m_nSimulations));
    }
    m_next = 0;
    m_model->Begin();
    epoch.places.resize(m_options.batch);
    for (Place& place : epoch.places)
    {
        epoch.nFilled += Fill(place, epoch.report) ? 1 : 0;
    }
}

void
M4Trainer::Collect(Epoch& epoch, const std::function<void()>& onSimulation)
{
    const std::size_t nLinks = epoch.chunk.linkState.size();
    for (uint32_t i = 0; i < epoch.places.size(); ++i)
    {
        Place& place = epoch.places[i];
        if (!place.replay)
        {
            continue;
        }
        if (place.replay->Next(epoch.event))
        {
            Append(epoch.event, i, epoch.chunk);
            ++epoch.report.events;
            continue;
        }
        ++epoch.nDone;
        if (onSimulation)
        {
            onSimulation();
        }
        epoch.nFilled -= Fill(place, epoch.report) ? 0 : 1;
    }
    if (epoch.chunk.linkState.size() > nLinks)
    {
        epoch.chunk.EndStep();
    }
}

void
M4Trainer::TrainChunk(Epoch& epoch)
{
    const double part = static_cast<double>(epoch.nDone) / static_cast<double>(m_order.size());
    const double rate = m_options.GetRate((GetNEpochs() + part) / m_options.epochs);
    const auto losses =
        DcnTorch::Call("the training of m4", [&]() { return m_model->Train(epoch.chunk, rate); });
    CheckLoss(losses.total, losses.gradientNorm);
    M4TorchLosses& sum = epoch.losses;
    sum.slowdown += losses.slowdown;
    sum.slowdownWeight += losses.slowdownWeight;
    sum.remaining += losses.remaining;
    sum.remainingWeight += losses.remainingWeight;
    sum.queue += losses.queue;
    sum.queueWeight += losses.queueWeight;
    sum.spread += losses.spread;
    sum.spreadWeight += losses.spreadWeight;
    epoch.chunk = {};
}

M4Trainer::Report
M4Trainer::RunEpoch(const std::function<void()>& onSimulation)
{
    Epoch epoch;
    Begin(epoch);
    // only if every place has several simulations: else a large part of each epoch would be lost
    const uint32_t least =
        m_order.size() >= 2 * epoch.places.size() ? (m_options.batch + 1) / 2 : 1;
    bool isOver = epoch.nFilled == 0;
    while (!isOver)
    {
        Collect(epoch, onSimulation);
        isOver = epoch.nFilled < least;
        if (epoch.chunk.ends.size() == m_options.chunk || (isOver && !epoch.chunk.ends.empty()))
        {
            TrainChunk(epoch);
        }
    }
    for (; onSimulation && epoch.nFilled > 0; --epoch.nFilled)
    {
        onSimulation(); // it was left unfinished
    }
    EndEpoch();
    const M4TorchLosses& sum = epoch.losses;
    Report& report = epoch.report;
    report.logSlowdown = sum.slowdown / std::max(sum.slowdownWeight, 1e-9);
    report.remaining = sum.remaining / std::max(sum.remainingWeight, 1e-9);
    report.queue = sum.queue / std::max(sum.queueWeight, 1e-9);
    report.spread = sum.spread / std::max(sum.spreadWeight, 1e-9);
    NS_LOG_INFO("epoch " << GetNEpochs() << ": " << report.events << " events, error of slowdowns "
                         << report.logSlowdown);
    return report;
}

DcnTorchTrainer&
M4Trainer::GetTrainer() const
{
    return m_model->GetTrainer();
}

DcnModelFile
M4Trainer::GetModel() const
{
    DcnModelFile model("m4");
    m_architecture->Write(model);
    DcnTrainedRanges().Write(model); // replaced by the ranges of M4Data
    const std::pair<const char*, double> numbers[] = {
        {"epochs", GetNEpochs()},
        {"epochs_planned", m_options.epochs},
        {"samples_per_epoch", static_cast<double>(m_options.perEpoch)},
    };
    for (const auto& [key, number] : numbers)
    {
        model.Set("training", key, number);
    }
    model.Set("training", "options", m_options.Describe());
    AddWeights(model);
    return model;
}

std::string
M4Trainer::DescribeOptions() const
{
    return m_options.Describe() + " simulations=" + std::to_string(m_nSimulations);
}

} // namespace ns3
