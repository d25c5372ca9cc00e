/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-training.h"

#include "ns3/assert.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-run-record.h"
#include "ns3/gnuplot.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTorchTraining");

namespace
{

constexpr uint32_t STEPS_BASE = 1U << 24; //!< a float holds whole numbers up to it exactly

/**
 * @param text options, as key=value joined by spaces
 * @param other options that are left out
 * @return the options of the text that are not in the other one
 */
std::string
GetDifference(const std::string& text, const std::string& other)
{
    std::istringstream in(text);
    std::string difference;
    for (std::string option; in >> option;)
    {
        if ((" " + other + " ").find(" " + option + " ") == std::string::npos)
        {
            difference += (difference.empty() ? "" : " ") + option;
        }
    }
    return difference.empty() ? "fewer options" : difference;
}

/**
 * @param tensors matrices
 * @param name name of a matrix
 * @param rows required number of rows
 * @param columns required number of columns
 * @return the matrix
 */
const DcnModelFile::Tensor&
Find(const DcnTorchCheckpoint::Tensors& tensors,
     const std::string& name,
     uint32_t rows,
     uint32_t columns)
{
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& tensor) {
        return tensor.name == name;
    });
    if (found == tensors.end())
    {
        DcnFail("there is no matrix ", name, " among the weights");
    }
    if (found->rows != rows || found->columns != columns)
    {
        DcnFail("the matrix ",
                name,
                " has ",
                found->rows,
                " x ",
                found->columns,
                " numbers, not ",
                rows,
                " x ",
                columns);
    }
    return *found;
}

} // namespace

void
DcnTorchTrainingOptions::AddTo(CommandLine& cmd, const std::string& samples)
{
    cmd.AddValue("batch", samples + " in a step of the optimiser", batch);
    cmd.AddValue("epochs", "Passes over the data", epochs);
    cmd.AddValue("firstRate", "Learning rate in the beginning", firstRate);
    cmd.AddValue("lastRate", "Learning rate in the end", lastRate);
    cmd.AddValue("warmUp", "Fraction of the training in which the learning rate rises", warmUp);
    cmd.AddValue("weightDecay", "Weight decay of AdamW", weightDecay);
    cmd.AddValue("clipNorm", "Largest norm of a gradient", clipNorm);
    cmd.AddValue("averaging",
                 "Decay per step of the average of the weights; 0: the latest weights",
                 averaging);
    cmd.AddValue("seed", "Seed of the training", seed);
    DcnAddText(cmd,
               "from",
               "Model to begin with: its folder, or its name in data/models; empty: random weights",
               from);
    DcnAddText(cmd, "device", "Device of LibTorch: cpu or cuda", device);
}

void
DcnTorchTrainingOptions::Check() const
{
    if (batch == 0 || epochs == 0)
    {
        DcnFail("batch and epochs of a training must be at least 1, but they are ",
                batch,
                " and ",
                epochs);
    }
    if (!(lastRate > 0) || !(firstRate >= lastRate))
    {
        DcnFail("the learning rate of a training must not rise, but goes from ",
                firstRate,
                " to ",
                lastRate);
    }
    if (!(warmUp >= 0) || warmUp >= 1)
    {
        DcnFail("the warm-up of a training is a fraction below 1, not ", warmUp);
    }
    if (!(weightDecay >= 0) || !std::isfinite(weightDecay))
    {
        DcnFail("the weight decay of a training is ", weightDecay);
    }
    if (!(clipNorm > 0) || !(averaging >= 0) || averaging >= 1)
    {
        DcnFail("a training cannot clip gradients to ",
                clipNorm,
                " or average weights with a decay of ",
                averaging);
    }
    if (device != "cpu" && device != "cuda")
    {
        DcnFail("the device of a training is cpu or cuda, not \"", device, "\"");
    }
}

double
DcnTorchTrainingOptions::GetRate(double p) const
{
    p = std::min(1.0, p);
    const double cosine = lastRate + (firstRate - lastRate) * (1 + std::cos(M_PI * p)) / 2;
    return warmUp > 0 ? cosine * std::min(1.0, 0.05 + p / warmUp) : cosine;
}

std::string
DcnTorchTrainingOptions::Describe() const
{
    std::ostringstream text;
    text << "batch=" << batch << " first_rate=" << firstRate << " last_rate=" << lastRate
         << " warm_up=" << warmUp << " weight_decay=" << weightDecay << " beta2=" << beta2
         << " clip_norm=" << clipNorm << " averaging=" << averaging << " seed=" << seed;
    return text.str();
}

std::optional<DcnModelFile>
DcnTorchTrainingOptions::ReadFrom(const std::string& kind) const
{
    if (from.empty())
    {
        return {};
    }
    return DcnModelFile::Read(DcnModelFile::FindFolder(from, kind), kind);
}

DcnTorchCheckpoint::Tensors
DcnTorchCheckpoint::Export(const DcnTorchTrainer& trainer, const std::vector<float>& values)
{
    Tensors tensors;
    auto next = values.begin();
    for (const auto& shape : trainer.GetTensors())
    {
        const auto end = next + static_cast<std::ptrdiff_t>(shape.rows) * shape.columns;
        tensors.push_back({shape.name, shape.rows, shape.columns, {next, end}});
        next = end;
    }
    return tensors;
}

void
DcnTorchCheckpoint::ImportWeights(const Tensors& tensors, DcnTorchTrainer& trainer)
{
    std::vector<float> weights;
    for (const auto& shape : trainer.GetTensors())
    {
        const auto& tensor = Find(tensors, shape.name, shape.rows, shape.columns);
        weights.insert(weights.end(), tensor.values.begin(), tensor.values.end());
    }
    trainer.SetWeights(weights);
}

void
DcnTorchCheckpoint::ImportKnown(const Tensors& tensors, DcnTorchTrainer& trainer)
{
    Tensors all = Export(trainer, trainer.GetWeights());
    for (auto& tensor : all)
    {
        for (const auto& known : tensors)
        {
            tensor = known.name == tensor.name ? known : tensor;
        }
    }
    ImportWeights(all, trainer);
}

void
DcnTorchCheckpoint::Save(const std::string& folder,
                         const std::string& kind,
                         const std::string& options,
                         uint32_t nEpochs,
                         const DcnTorchTrainer& trainer)
{
    DcnModelFile file(kind);
    file.Set("training", "options", options);
    file.Set("training", "epochs_done", nEpochs);
    for (auto& tensor : Export(trainer, trainer.GetWeights()))
    {
        file.Add(std::move(tensor));
    }
    const auto state = trainer.GetState();
    const auto count = static_cast<uint32_t>(state.first.size());
    file.Add({"adamw.first", 1, count, state.first});
    file.Add({"adamw.second", 1, count, state.second});
    file.Add({"adamw.average", 1, count, state.average});
    // in two parts, each exact as a float
    file.Add({"adamw.steps",
              1,
              2,
              {static_cast<float>(state.nSteps / STEPS_BASE),
               static_cast<float>(state.nSteps % STEPS_BASE)}});
    file.Write(folder);
    NS_LOG_INFO("saved the training in " << folder << " after epoch " << nEpochs);
}

uint32_t
DcnTorchCheckpoint::Load(const std::string& folder,
                         const std::string& kind,
                         const std::string& options,
                         DcnTorchTrainer& trainer)
{
    const DcnModelFile file = DcnModelFile::Read(folder, kind);
    const std::string& found = file.GetText("training", "options");
    if (found != options)
    {
        DcnFail("the training in ",
                folder,
                " was made with ",
                GetDifference(found, options),
                ", but ",
                GetDifference(options, found),
                " is asked for: choose another folder, or delete this one to begin anew");
    }
    ImportWeights(file.GetTensors(), trainer);
    const auto count = static_cast<uint32_t>(trainer.GetWeights().size());
    DcnTorchTrainer::State state;
    state.first = file.Get("adamw.first", 1, count).values;
    state.second = file.Get("adamw.second", 1, count).values;
    state.average = file.Get("adamw.average", 1, count).values;
    const auto& steps = file.Get("adamw.steps", 1, 2).values;
    state.nSteps = static_cast<uint64_t>(steps[0]) * STEPS_BASE + static_cast<uint64_t>(steps[1]);
    trainer.SetState(state);
    const auto nEpochs = static_cast<uint32_t>(file.GetNumber("training", "epochs_done"));
    NS_LOG_INFO("resumed the training in " << folder << " after epoch " << nEpochs);
    return nEpochs;
}

DcnTorchLearningCurve::DcnTorchLearningCurve(const std::string& folder,
                                             std::vector<Column> columns,
                                             const std::string& quantity,
                                             uint32_t nEpochs)
    : m_base(folder + "/learning-curve"),
      m_quantity(quantity),
      m_columns(std::move(columns)),
      m_nEpochs(nEpochs)
{
    if (nEpochs == 0 || !std::ifstream(m_base + ".csv"))
    {
        return;
    }
    std::vector<std::string> head{"epoch"};
    for (const Column& column : m_columns)
    {
        head.push_back(column.name);
    }
    DcnCsvReader reader(m_base + ".csv", head);
    while (reader.FetchRow())
    {
        Line line{static_cast<uint32_t>(reader.GetDouble(0)), {}};
        for (std::size_t i = 1; i < head.size(); ++i)
        {
            line.values.push_back(reader.GetDouble(i));
        }
        if (line.epoch <= nEpochs)
        {
            m_lines.push_back(std::move(line));
        }
    }
}

void
DcnTorchLearningCurve::Add(const std::vector<double>& values)
{
    NS_ASSERT_MSG(values.size() == m_columns.size(), "a value for each column");
    m_lines.push_back({++m_nEpochs, values});
    DcnFileWriter file(m_base + ".csv");
    file.Stream().precision(std::numeric_limits<double>::max_digits10);
    file.Stream() << "epoch";
    for (const Column& column : m_columns)
    {
        file.Stream() << ',' << column.name;
    }
    file.Stream() << '\n';
    for (const Line& line : m_lines)
    {
        file.Stream() << line.epoch;
        for (double value : line.values)
        {
            file.Stream() << ',' << value;
        }
        file.Stream() << '\n';
    }
    file.Commit();
    if (m_lines.size() < 2) // gnuplot warns of a range of a single point
    {
        return;
    }
    Gnuplot plot = DcnMakePlot("Learning curve", "epoch", m_quantity);
    // whole epochs only
    plot.AppendExtra("set grid\nset key outside top center horizontal\nset xtics " +
                     std::to_string((m_lines.size() + 9) / 10));
    for (std::size_t i = 0; i < m_columns.size(); ++i)
    {
        Gnuplot2dDataset curve = DcnMakeCurve(m_columns[i].legend);
        for (const Line& line : m_lines)
        {
            curve.Add(line.epoch, line.values[i]);
        }
        if (!m_columns[i].legend.empty())
        {
            plot.AddDataset(curve);
        }
    }
    DcnWritePlot(plot, m_base);
}

DcnTorchLearningCurve::Best
DcnTorchLearningCurve::GetBest(std::size_t column) const
{
    Best best{0, std::numeric_limits<double>::infinity()};
    for (const Line& line : m_lines)
    {
        if (line.values[column] < best.value)
        {
            best = {line.epoch, line.values[column]};
        }
    }
    return best;
}

DcnTorchTraining::DcnTorchTraining(const std::string& name)
    : m_name(name)
{
}

const std::string&
DcnTorchTraining::GetName() const
{
    return m_name;
}

uint32_t
DcnTorchTraining::GetNEpochs() const
{
    return m_nEpochs;
}

void
DcnTorchTraining::Save(const std::string& folder) const
{
    DcnTorchCheckpoint::Save(folder,
                             m_name + "-training",
                             DescribeOptions(),
                             m_nEpochs,
                             GetTrainer());
}

void
DcnTorchTraining::Load(const std::string& folder)
{
    m_nEpochs =
        DcnTorchCheckpoint::Load(folder, m_name + "-training", DescribeOptions(), GetTrainer());
}

Ptr<UniformRandomVariable>
DcnTorchTraining::BeginEpoch(uint64_t seed, DcnPurpose purpose) const
{
    auto random = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(random, purpose, m_nEpochs);
    return random;
}

void
DcnTorchTraining::CheckLoss(double loss, double gradientNorm) const
{
    if (!std::isfinite(loss) || !std::isfinite(gradientNorm))
    {
        DcnFail("the loss of the training of ",
                m_name,
                " is ",
                loss,
                " and the norm of its gradient ",
                gradientNorm,
                ": the data have a value that is no number, or the learning rate is too high");
    }
}

void
DcnTorchTraining::EndEpoch()
{
    ++m_nEpochs;
}

void
DcnTorchTraining::AddWeights(DcnModelFile& model) const
{
    const DcnTorchTrainer& trainer = GetTrainer();
    for (auto& tensor : DcnTorchCheckpoint::Export(trainer, trainer.GetAverage()))
    {
        model.Add(std::move(tensor));
    }
}

DcnTorchLoop::DcnTorchLoop(const std::string& out, DcnTorchTraining& training)
    : m_out(out),
      m_training(training),
      m_lock((DcnMakeFolder(out), out), DcnRunRecord::IN_USE),
      m_isResumed(std::ifstream(out + "/state/card.json").good())
{
    if (m_isResumed)
    {
        m_training.Load(m_out + "/state");
        std::printf("continued after epoch %u\n", m_training.GetNEpochs());
    }
}

DcnTorchLearningCurve::Best
DcnTorchLoop::GetBest(const DcnTorchPlan& plan, const DcnTorchLearningCurve& curve) const
{
    if (plan.scoreKey.empty() || !m_isResumed)
    {
        return curve.GetBest(plan.scoreColumn);
    }
    const DcnModelFile best = DcnModelFile::Read(m_out, m_training.GetName());
    return {m_training.GetNEpochs(), best.GetNumber("errors", plan.scoreKey)};
}

void
DcnTorchLoop::Run(const DcnTorchPlan& plan)
{
    DcnTorchLearningCurve curve(m_out, plan.columns, plan.quantity, m_training.GetNEpochs());
    auto best = GetBest(plan, curve);
    while (m_training.GetNEpochs() < plan.epochs &&
           m_training.GetNEpochs() < uint64_t{best.epoch} + plan.patience)
    {
        DcnTorchPlan::Epoch epoch = plan.run();
        if (epoch.score < best.value)
        {
            best = {m_training.GetNEpochs(), epoch.score};
            epoch.describe(epoch.model);
            epoch.model.Write(m_out);
        }
        std::fflush(stdout);
        curve.Add(epoch.values);
        m_training.Save(m_out + "/state");
    }
}

} // namespace ns3
