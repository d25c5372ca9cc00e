/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Train m4 on data sets of small fabrics (dcn-dataset --kind=fabric).
 *
 * The last --validation samples of every data set are for validation. After every epoch the model
 * simulates them, on its own events and on the true ones (teacher forcing), and the program prints
 * errors of completion times. It writes the model with the lowest mean error on its own events. A
 * stopped training is resumed.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-torch-training.h"
#include "ns3/m4-data.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-session.h"
#include "ns3/m4-trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const char* const MEAN = "mean_abs_flow_error";             //!< key of the card
const char* const PINBALL = "pinball error of ln slowdown"; //!< key of the card

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
PrintBaselines(const std::vector<std::shared_ptr<const M4GroundTruth>>& truths)
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

/**
 * Write data and errors of a model into its card.
 * @param set data for training and validation
 * @param range of the training
 * @param alone errors on its own events
 * @param forced errors under teacher forcing
 * @param groups errors on its own events by class of size and by congestion control
 * @param command of the training
 * @param from model that the training began with, if any
 * @param model card to write
 */
void
DescribeModel(const M4Data& set,
              const DcnTrainedRanges& range,
              const M4Errors& alone,
              const M4Errors& forced,
              const M4ErrorTable& groups,
              const std::string& command,
              const std::optional<DcnModelFile>& from,
              DcnModelFile& model)
{
    model.SetOrigin(command, set.GetSets().GetEngineDigest());
    model.Set("training", "samples", static_cast<double>(set.GetNTraining()));
    model.Set("training", "validation", static_cast<double>(set.GetNValidation()));
    model.Set("errors", MEAN, alone.GetMean());
    model.Set("errors", "p90_abs_flow_error", alone.GetP90());
    model.Set("errors", "mean_abs_p99_error", alone.GetP99Error());
    model.Set("errors", "mean_p99_error", alone.GetP99Bias());
    if (!std::isnan(alone.GetCoverage()))
    {
        model.Set("errors", "coverage of intervals of 90 %", alone.GetCoverage());
        model.Set("errors", PINBALL, alone.GetPinball());
    }
    model.Set("errors", "teacher_forced_mean_abs_flow_error", forced.GetMean());
    for (const auto& [group, errors] : groups.GetGroups())
    {
        model.Set("errors", group + ", flows", static_cast<double>(errors.GetNFlows()));
        model.Set("errors", group + ", mean_abs_flow_error", errors.GetMean());
        model.Set("errors", group + ", p90_abs_flow_error", errors.GetP90());
        model.Set("errors", group + ", mean_abs_p99_error", errors.GetP99Error());
    }
    set.GetSets().Describe(model);
    for (uint32_t i = 1; from; ++i)
    {
        auto entries = from->GetSection("data_" + std::to_string(i));
        if (entries.empty())
        {
            model.Set("training", "from", from->GetText("origin", "command"));
            break;
        }
        const auto samples = std::find_if(entries.begin(), entries.end(), [](const auto& entry) {
            return entry.first == "samples";
        });
        const uint64_t count = std::stoull(samples->second);
        entries.erase(samples);
        model.AddData(entries, count);
    }
    range.Write(model);
}

/**
 * @param truths samples
 * @param condition of a sample
 * @return whether it holds for all
 */
template <typename Condition>
bool
AllOf(const std::vector<std::shared_ptr<const M4GroundTruth>>& truths, const Condition& condition)
{
    return std::all_of(truths.begin(), truths.end(), [&](const auto& t) { return condition(*t); });
}

/**
 * Read the samples for validation.
 * @param set data for training and validation
 * @param data names of its folders
 * @param options of the training
 * @return the samples
 * @throws DcnError if none of them has what the training compares with
 */
std::vector<std::shared_ptr<const M4GroundTruth>>
ReadTruths(M4Data& set, const std::string& data, const M4TrainingOptions& options)
{
    std::vector<std::shared_ptr<const M4GroundTruth>> truths;
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

/// @return learning-curve.csv of a folder, from an epoch on
DcnTorchLearningCurve
MakeCurve(const std::string& out, uint32_t nEpochs)
{
    return DcnTorchLearningCurve(out,
                                 {{"training_log_slowdown", ""},
                                  {"training_remaining", ""},
                                  {"training_queue", ""},
                                  {"mean_abs_flow_error", "on its own events"},
                                  {"p90_abs_flow_error", ""},
                                  {"mean_abs_p99_error", ""},
                                  {"teacher_forced_mean_abs_flow_error", "teacher forcing"},
                                  {"teacher_forced_p90_abs_flow_error", ""},
                                  {"events_per_s", ""},
                                  {"training_spread", ""},
                                  {"p99_bias", ""},
                                  {"interval_coverage", ""}},
                                 "mean |error| of the slowdown of a flow",
                                 nEpochs);
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

/// A model that is trained until it has seen all epochs.
class Training
{
  public:
    /**
     * @param options of the training, whose data is that of the set
     * @param set data for training and validation
     * @param out folder of the model
     * @param command for the card
     */
    Training(const M4TrainingOptions& options,
             M4Data& set,
             const std::string& out,
             const std::string& command)
        : m_options(options),
          m_set(set),
          m_out(out),
          m_command(command),
          m_trainer(
              options,
              [&set](uint64_t i) { return set.ReadTraining(i); },
              set.GetNTraining())
    {
    }

    /// Takes the state of the folder, if there is one.
    void Resume()
    {
        if (std::ifstream(m_out + "/state/card.json"))
        {
            m_trainer.Load(m_out + "/state");
            m_best = DcnModelFile::Read(m_out, "m4")
                         .GetNumber("errors", m_options.onlySpread ? PINBALL : MEAN);
            std::printf("resumed after epoch %u\n", m_trainer.GetNEpochs());
        }
    }

    /// Trains all epochs that are left, and writes the best model.
    void Run(const std::vector<std::shared_ptr<const M4GroundTruth>>& truths)
    {
        DcnProgress reading("reading ranges", m_set.GetNTraining(), "simulations");
        uint64_t nRead = 0;
        const auto from = m_options.ReadFrom();
        const DcnTrainedRanges range =
            m_set.ReadRange([&]() { reading.Update(++nRead); }, from ? &*from : nullptr);
        DcnTorchLearningCurve curve = MakeCurve(m_out, m_trainer.GetNEpochs());
        PrintHead();
        while (m_trainer.GetNEpochs() < m_options.epochs)
        {
            double rate = 0;
            const auto training = TrainEpoch(rate);
            DcnModelFile model = m_trainer.GetModel();
            M4Errors alone;
            M4Errors forced;
            M4ErrorTable groups;
            for (const auto& truth : truths)
            {
                M4SpreadTable spread;
                const std::vector<int64_t> fctNs =
                    M4Run(*truth->scenario, model, nullptr, nullptr, &spread);
                alone.Add(*truth, fctNs, &spread);
                groups.Add(*truth, fctNs, &spread);
                forced.Add(*truth, M4RunTeacherForced(*truth, model));
            }
            curve.Add({training.logSlowdown,
                       training.remaining,
                       training.queue,
                       alone.GetMean(),
                       alone.GetP90(),
                       alone.GetP99Error(),
                       forced.GetMean(),
                       forced.GetP90(),
                       rate,
                       training.spread,
                       alone.GetP99Bias(),
                       alone.GetCoverage()});
            std::printf("%5u  %.4f       %.4f %.4f  %s   %s  %.0f\n",
                        m_trainer.GetNEpochs(),
                        training.logSlowdown,
                        training.remaining,
                        training.queue,
                        Describe(alone).c_str(),
                        Describe(forced).c_str(),
                        rate);
            std::fflush(stdout);
            // completion times do not change while the spread alone is trained
            const double score = m_options.onlySpread ? alone.GetPinball() : alone.GetMean();
            if (score < m_best)
            {
                m_best = score;
                DescribeModel(m_set, range, alone, forced, groups, m_command, from, model);
                model.Write(m_out);
            }
            m_trainer.Save(m_out + "/state");
        }
        std::printf("written: %s/card.json, weights.bin, learning-curve.csv\n", m_out.c_str());
    }

  private:
    /// Trains an epoch.
    /// @param rate events of the training per second
    /// @return losses
    M4Trainer::Report TrainEpoch(double& rate)
    {
        const auto start = std::chrono::steady_clock::now();
        DcnProgress progress("epoch " + std::to_string(m_trainer.GetNEpochs() + 1),
                             m_options.perEpoch > 0
                                 ? std::min(m_options.perEpoch, m_set.GetNTraining())
                                 : m_set.GetNTraining(),
                             "simulations");
        uint64_t done = 0;
        const auto training = m_trainer.RunEpoch([&]() { progress.Update(++done); });
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        rate = static_cast<double>(training.events) / seconds.count();
        return training;
    }

    const M4TrainingOptions& m_options; //!< see the constructor
    M4Data& m_set;                      //!< see the constructor
    const std::string m_out;            //!< see the constructor
    const std::string m_command;        //!< see the constructor
    M4Trainer m_trainer;                //!< model and state
    double m_best{INFINITY};            //!< smallest score so far
};

} // namespace

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string out = "results/m4";
    uint32_t validation = 40;
    M4TrainingOptions options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train m4 on data sets of small fabrics.");
    DcnAddText(cmd, "data", "Data sets (dcn-dataset --kind=fabric), joined by commas", data);
    DcnAddText(cmd,
               "out",
               "Folder of the model, learning-curve.csv and the state to resume from",
               out);
    cmd.AddValue("validation", "Samples for validation, at the end of each data set", validation);
    options.AddTo(cmd);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m4-train", [&]() {
        if (!options.from.empty())
        {
            // before the output folder is made, which may have the name of a shipped model
            options.from = DcnModelFile::FindFolder(options.from, "m4");
        }
        M4Data set(data, validation);
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
                    validation);
        }
        options.data = set.GetHash();
        // first, because it fails without LibTorch
        Training training(options, set, out, DcnDescribeCommand("m4-train", argc, argv));
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        training.Resume();
        const auto truths = ReadTruths(set, data, options);
        PrintBaselines(truths);
        training.Run(truths);
        return 0;
    });
}
