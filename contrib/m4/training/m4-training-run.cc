/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-training-run.h"

#include "m4-data.h"
#include "m4-evaluation.h"
#include "m4-trainer.h"

#include "ns3/command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-progress.h"
#include "ns3/m4-session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

const char* const MEAN = "mean_abs_flow_error"; //!< column of the curve and key of the card
const char* const PINBALL = "pinball error of ln slowdown"; //!< key of the card

/// Columns of learning-curve.csv.
const std::vector<DcnTorchLearningCurve::Column> COLUMNS{
    {"training_log_slowdown", ""},
    {"training_remaining", ""},
    {"training_queue", ""},
    {MEAN, "on its own events"},
    {"p90_abs_flow_error", ""},
    {"mean_abs_p99_error", ""},
    {"teacher_forced_mean_abs_flow_error", "teacher forcing"},
    {"teacher_forced_p90_abs_flow_error", ""},
    {"events_per_s", ""},
    {"training_spread", ""},
    {"p99_bias", ""},
    {"interval_coverage", ""}};
constexpr std::size_t MEAN_COLUMN = 3; //!< of MEAN

using Truths = std::vector<std::shared_ptr<const M4GroundTruth>>; //!< samples for validation

/**
 * @param errors of completion times
 * @return mean, 90th percentile, and that of p99s, in percent
 */
std::string
Describe(const M4Errors& errors)
{
    char text[100];
    std::snprintf(text,
                  sizeof(text),
                  "%6.2f %6.2f %6.2f",
                  100 * errors.GetMean(),
                  100 * errors.GetP90(),
                  100 * errors.GetP99Error());
    return text;
}

/// Print errors of the fluid simulation on the flows for validation.
void
PrintBaselines(const Truths& truths)
{
    std::printf("error of each flow's slowdown, mean and p90, and of p99 slowdowns, in percent\n"
                "%28s%6s %6s %6s\n",
                "",
                "mean",
                "p90",
                "p99");
    for (const char* name : {"flowsim", "flowsim:WindowCap=true"})
    {
        M4Errors errors;
        for (const auto& truth : truths)
        {
            errors.Add(*truth, DcnEstimator::CreateByName(name)->Estimate(truth->scenario).fctNs);
        }
        std::printf("%-28s%s\n", name, Describe(errors).c_str());
    }
    std::fflush(stdout);
}

/// @return whether all queues are unknown
bool
NoQueues(const M4GroundTruth& truth)
{
    return std::all_of(truth.queueBytes.begin(), truth.queueBytes.end(), [](int64_t bytes) {
        return bytes < 0;
    });
}

/// Errors of a model on the samples for validation.
struct Validation
{
    M4Errors alone;      //!< on its own events
    M4Errors forced;     //!< under teacher forcing
    M4ErrorTable groups; //!< on its own events, by class of size and by congestion control
};

/**
 * @param truths samples for validation
 * @param model the weights
 * @return errors
 */
Validation
Validate(const Truths& truths, const DcnModelFile& model)
{
    Validation errors;
    for (const auto& truth : truths)
    {
        M4SpreadTable spread;
        const std::vector<int64_t> fctNs =
            M4Run(*truth->scenario, model, nullptr, nullptr, &spread);
        errors.alone.Add(*truth, fctNs, &spread);
        errors.groups.Add(*truth, fctNs, &spread);
        errors.forced.Add(*truth, M4RunTeacherForced(*truth, model));
    }
    return errors;
}

/**
 * Write errors into the card of a model.
 * @param validation the errors
 * @param model card to write
 */
void
DescribeErrors(const Validation& validation, DcnModelFile& model)
{
    const M4Errors& alone = validation.alone;
    model.Set("errors", MEAN, alone.GetMean());
    model.Set("errors", "p90_abs_flow_error", alone.GetP90());
    model.Set("errors", "mean_abs_p99_error", alone.GetP99Error());
    model.Set("errors", "mean_p99_error", alone.GetP99Bias());
    if (!std::isnan(alone.GetCoverage()))
    {
        model.Set("errors", "coverage of intervals of 90 %", alone.GetCoverage());
        model.Set("errors", PINBALL, alone.GetPinball());
    }
    model.Set("errors", "teacher_forced_mean_abs_flow_error", validation.forced.GetMean());
    for (const auto& [group, errors] : validation.groups.GetGroups())
    {
        model.Set("errors", group + ", flows", static_cast<double>(errors.GetNFlows()));
        model.Set("errors", group + ", mean_abs_flow_error", errors.GetMean());
        model.Set("errors", group + ", p90_abs_flow_error", errors.GetP90());
        model.Set("errors", group + ", mean_abs_p99_error", errors.GetP99Error());
    }
}

/**
 * Write the data of a training into the card of a model.
 * @param set data for training and validation
 * @param from model that the training began with, if any
 * @param model card to write
 */
void
DescribeData(const M4Data& set, const std::optional<DcnModelFile>& from, DcnModelFile& model)
{
    set.GetSets().Describe(model);
    if (from)
    {
        model.Set("training", "from", from->GetText("origin", "command"));
        model.AddDataOf(*from);
    }
}

/**
 * @param truths samples
 * @param condition of a sample
 * @return whether it holds for all
 */
template <typename Condition>
bool
AllOf(const Truths& truths, const Condition& condition)
{
    return std::all_of(truths.begin(), truths.end(), [&](const auto& t) { return condition(*t); });
}

/**
 * Read the samples for validation.
 * @param set data for training and validation
 * @param options of the training
 * @return the samples
 * @throws DcnError if none of them has what the training compares with
 */
Truths
ReadTruths(M4Data& set, const M4TrainingOptions& options)
{
    const std::string data = set.GetSets().GetNames();
    Truths truths;
    for (uint64_t i = 0; i < set.GetNValidation(); ++i)
    {
        truths.push_back(set.ReadValidation(i));
    }
    if (AllOf(truths, [](const M4GroundTruth& truth) {
            return std::all_of(truth.fctNs.begin(), truth.fctNs.end(), [](int64_t fct) {
                return fct < 0;
            });
        }))
    {
        DcnFail("no flow of the samples of ", data, " to validate with was complete");
    }
    if (!options.onlySpread && options.lambdaRemaining > 0 &&
        AllOf(truths, [](const M4GroundTruth& truth) { return truth.remaining.empty(); }))
    {
        DcnFail("--lambdaRemaining=",
                options.lambdaRemaining,
                " has no effect: ",
                data,
                " has no events, which the remaining fractions come from");
    }
    if (!options.onlySpread && options.lambdaQueue > 0 && AllOf(truths, NoQueues))
    {
        DcnFail("--lambdaQueue=", options.lambdaQueue, " has no effect: ", data, " has no queues");
    }
    return truths;
}

/// Prints the head of the table of epochs; the columns of errors are those of Describe.
void
PrintHead()
{
    std::printf("%35s%-20s   %s\n", "", "own events [%]", "teacher forcing [%]");
    std::printf("%5s  %-11s  %-6s %-6s  %6s %6s %6s   %6s %6s %6s  %s\n",
                "epoch",
                "slowdown",
                "remain",
                "queue",
                "mean",
                "p90",
                "p99",
                "mean",
                "p90",
                "p99",
                "events/s");
}

/**
 * Train an epoch.
 * @param options of the training
 * @param nTraining simulations for training
 * @param trainer model and state
 * @param rate set to the events of the training per second
 * @return losses
 */
M4Trainer::Report
TrainEpoch(const M4TrainingOptions& options, uint64_t nTraining, M4Trainer& trainer, double& rate)
{
    const auto start = std::chrono::steady_clock::now();
    DcnProgress progress("epoch " + std::to_string(trainer.GetNEpochs() + 1),
                         options.perEpoch > 0 ? std::min(options.perEpoch, nTraining) : nTraining,
                         "simulations");
    uint64_t done = 0;
    const auto training = trainer.RunEpoch([&]() { progress.Update(++done); });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    rate = static_cast<double>(training.events) / seconds.count();
    return training;
}

/**
 * Print the line of an epoch, below PrintHead.
 * @param epoch from 1
 * @param training its losses
 * @param errors of the model
 * @param rate events of the training per second
 */
void
PrintEpoch(uint32_t epoch, const M4Trainer::Report& training, const Validation& errors, double rate)
{
    std::printf("%5u  %.4f       %.4f %.4f  %s   %s  %.0f\n",
                epoch,
                training.logSlowdown,
                training.remaining,
                training.queue,
                Describe(errors.alone).c_str(),
                Describe(errors.forced).c_str(),
                rate);
}

} // namespace

M4TrainingRun::M4TrainingRun()
    : m_options(std::make_unique<M4TrainingOptions>())
{
}

M4TrainingRun::~M4TrainingRun() = default;

void
M4TrainingRun::AddTo(CommandLine& cmd)
{
    cmd.AddValue("validation", "Samples for validation, at the end of each data set", m_validation);
    m_options->AddTo(cmd);
}

void
M4TrainingRun::Train(const std::string& data, const std::string& out, const std::string& command)
{
    M4TrainingOptions& options = *m_options;
    if (!options.from.empty())
    {
        // before the output folder is made, which may have the name of a shipped model
        options.from = DcnModelFile::FindFolder(options.from, "m4");
    }
    M4Data set(data, m_validation);
    set.GetSets().RequireOneEngine();
    if (set.GetNTraining() == 0 || set.GetNValidation() == 0)
    {
        DcnFail("there must be samples to train on and samples to validate with, but ",
                data,
                " has ",
                set.GetNTraining(),
                " and ",
                set.GetNValidation(),
                " with --validation=",
                m_validation);
    }
    options.data = set.GetHash();
    // first, because it fails without LibTorch
    M4Trainer trainer(
        options,
        [&set](uint64_t i) { return set.ReadTraining(i); },
        set.GetNTraining());
    const Truths truths = ReadTruths(set, options);
    DcnTorchLoop loop(out, trainer);
    PrintBaselines(truths);
    const auto from = options.ReadFrom();
    DcnProgress reading("reading ranges", set.GetNTraining(), "simulations");
    uint64_t nRead = 0;
    const DcnTrainedRanges range =
        set.ReadRange([&]() { reading.Update(++nRead); }, from ? &*from : nullptr);

    DcnTorchPlan plan;
    plan.epochs = options.epochs;
    plan.columns = COLUMNS;
    plan.quantity = "mean |error| of the slowdown of a flow";
    plan.scoreColumn = MEAN_COLUMN;
    // completion times do not change while the spread alone is trained
    plan.scoreKey = options.onlySpread ? PINBALL : "";
    plan.run = [&]() {
        double rate = 0;
        const auto training = TrainEpoch(options, set.GetNTraining(), trainer, rate);
        DcnModelFile model = trainer.GetModel();
        const Validation errors = Validate(truths, model);
        PrintEpoch(trainer.GetNEpochs(), training, errors, rate);
        const M4Errors& alone = errors.alone;
        std::vector<double> values{training.logSlowdown,
                                   training.remaining,
                                   training.queue,
                                   alone.GetMean(),
                                   alone.GetP90(),
                                   alone.GetP99Error(),
                                   errors.forced.GetMean(),
                                   errors.forced.GetP90(),
                                   rate,
                                   training.spread,
                                   alone.GetP99Bias(),
                                   alone.GetCoverage()};
        return DcnTorchPlan::Epoch{std::move(model),
                                   std::move(values),
                                   options.onlySpread ? alone.GetPinball() : alone.GetMean(),
                                   [&, errors](DcnModelFile& best) {
                                       best.SetOrigin(command, set.GetSets().GetEngineDigest());
                                       best.Set("training",
                                                "samples",
                                                static_cast<double>(set.GetNTraining()));
                                       best.Set("training",
                                                "validation",
                                                static_cast<double>(set.GetNValidation()));
                                       DescribeErrors(errors, best);
                                       DescribeData(set, from, best);
                                       range.Write(best);
                                   }};
    };
    PrintHead();
    loop.Run(plan);
    std::printf("written: %s/card.json, weights.bin, learning-curve.csv\n", out.c_str());
}

} // namespace ns3
