/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Train m3 on data sets of dcn-dataset, of single paths (--kind=path) and of fabrics
 * (--kind=fabric).
 *
 * Every path with flows of a scenario is something to learn from; some are drawn of each. Of eight
 * workloads, one is for validation: after every epoch the model predicts it, and the model with the
 * smallest loss is the one that is kept. Another is for the test,
 * whose errors are on the model's card and decide nothing. A training that was stopped is
 * continued. --evaluate only says how well models do, on the test's workloads. --features=published
 * trains a model with the published layout of features (M3Layout).
 */

#include "m3-data.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-torch.h"
#include "ns3/m3-evaluation.h"
#include "ns3/m3-learning-curve.h"
#include "ns3/m3-trainer.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Print errors by size class or regime, and add them to a model's card.
 * @param what they are errors of
 * @param rows by size class or regime
 * @param model gets them; may be null
 */
void
ReportRows(const std::string& what,
           const std::vector<M3Evaluation::Row>& rows,
           DcnModelFile* model)
{
    std::printf("%-15s %8s  |p99 error| [%%]: flowsim  fluid  model  noise   bias\n",
                what.c_str(),
                "n");
    for (const auto& row : rows)
    {
        std::printf("%-15s %8llu %26.1f %6.1f %6.1f %6.1f %+6.1f\n", row.name.c_str(),
                    static_cast<unsigned long long>(row.n), 100 * row.flowsim, 100 * row.fluid,
                    100 * row.model, 100 * row.noise, 100 * row.bias);
        if (model)
        {
            const std::string name = what + " " + row.name;
            model->Set("errors", name, static_cast<double>(row.n));
            model->Set("errors", name + ", fluid p99", row.fluid);
            model->Set("errors", name + ", model p99", row.model);
            model->Set("errors", name + ", noise p99", row.noise);
        }
    }
}

/**
 * Print errors, and add them to a model's card.
 * @param what they were made with
 * @param evaluation the errors
 * @param model gets them; may be null
 */
void
Report(const std::string& what, const M3Evaluation& evaluation, DcnModelFile* model)
{
    std::printf("%s: loss of the model %.5f, of the fluid %.5f\n", what.c_str(),
                evaluation.GetLoss(), evaluation.GetFluidLoss());
    ReportRows("paths", evaluation.GetPaths(), model);
    ReportRows("networks", evaluation.GetNetworks(), model);
}

/**
 * Print errors of all sizes by congestion control and, of paths, by load, and add them to a card.
 * @param examples of the test
 * @param network what predicts
 * @param loss of the training
 * @param model gets them; may be null
 */
void
ReportRegimes(const std::vector<M3Example>& examples,
              const M3Network& network,
              const M3LossOptions& loss,
              DcnModelFile* model)
{
    const auto& quantities = M3Conditions::GetQuantities();
    const auto load = std::find_if(quantities.begin(), quantities.end(), [](const auto& quantity) {
                          return quantity.name == "largest load of a link";
                      }) -
                      quantities.begin();
    std::map<std::string, std::vector<M3Example>> regimes;
    for (const M3Example& example : examples)
    {
        regimes[example.conditions.congestionControl].push_back(example);
        if (example.network == 0)
        {
            const double value = example.conditions.values.at(load);
            regimes[value < 0.3 ? "load < 0.3" : value < 0.6 ? "load 0.3 to 0.6" : "load > 0.6"]
                .push_back(example);
        }
    }
    std::vector<M3Evaluation::Row> paths;
    std::vector<M3Evaluation::Row> networks;
    for (const auto& [name, some] : regimes)
    {
        const M3Evaluation evaluation(some, network, loss);
        auto add = [&name = name](const auto& from, auto& to) {
            for (const auto& row : from)
            {
                if (row.name == DcnSizeClasses().front().name) // all sizes
                {
                    to.push_back(row);
                    to.back().name = name;
                }
            }
        };
        add(evaluation.GetPaths(), paths);
        add(evaluation.GetNetworks(), networks);
    }
    ReportRows("paths", paths, model);
    ReportRows("networks", networks, model);
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string out = "results/m3";
    std::string evaluate;
    std::string ranges;
    std::string features;
    M3Data::Options paths;
    uint32_t patience = 6;
    M3TrainingOptions options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train m3 on data sets of paths and fabrics.");
    DcnAddText(cmd, "data", "Folders of data sets (dcn-dataset), joined by commas", data);
    DcnAddText(cmd,
               "out",
               "Folder of the model, learning-curve.csv, .png, and state to go on",
               out);
    DcnAddText(cmd,
               "evaluate",
               "Train nothing, but evaluate the models in these folders, joined by commas",
               evaluate);
    DcnAddText(
        cmd,
        "ranges",
        "Train nothing, but put the ranges of the training on the card of the model in this folder",
        ranges);
    DcnAddText(cmd,
               "features",
               "Layout of features and answers: default, also if not given, or published",
               features);
    cmd.AddValue("pathsPerPath",
                 "Paths drawn of a sample of the kind path, but its own",
                 paths.pathsPerPath);
    cmd.AddValue("pathsPerFabric",
                 "Paths drawn of a sample of the kind fabric",
                 paths.pathsPerFabric);
    cmd.AddValue("share",
                 "Share of the samples that are learned from (learning curve)",
                 paths.share);
    cmd.AddValue("allTest", "With evaluate: the data sets were not trained on", paths.allTest);
    cmd.AddValue("context", "Whether links are looked at; false: ablation", options.context);
    cmd.AddValue("width", "Width of the tokens", options.width);
    cmd.AddValue("heads", "Heads of the attention", options.heads);
    cmd.AddValue("layers", "Blocks of the attention", options.layers);
    cmd.AddValue("feedForward", "Width inside a block", options.feedForward);
    cmd.AddValue("mlp", "Width of the hidden layers", options.mlp);
    cmd.AddValue("gain", "How much a step of the optimiser changes the answer", options.gain);
    cmd.AddValue("batch", "Paths in a step", options.batch);
    cmd.AddValue("epochs", "Times that every path is seen", options.epochs);
    cmd.AddValue("patience", "Epochs without a better model after which it ends", patience);
    cmd.AddValue("firstRate", "Learning rate in the beginning", options.firstRate);
    cmd.AddValue("lastRate", "Learning rate in the end", options.lastRate);
    cmd.AddValue("weightDecay", "Weight decay", options.weightDecay);
    cmd.AddValue("averaging", "Decay per step of the average of the weights", options.averaging);
    cmd.AddValue("tail", "Exponent of the weights of percentiles in the loss", options.loss.tail);
    cmd.AddValue("known", "Factor of known quantiles in the loss", options.loss.known);
    cmd.AddValue("seed", "Seed of the training", options.seed);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m3-train", [&]() {
        paths.layout = &M3Layout::Get(features.empty() ? M3Layout::Ours().name : features);
        if (!features.empty() && (!ranges.empty() || !evaluate.empty()))
        {
            DcnFail("--features has no effect with --evaluate and --ranges: models have their own");
        }
        if (!ranges.empty())
        {
            DcnModelFile model = DcnModelFile::Read(ranges, "m3");
            paths.layout = &M3Network::ReadLayout(model);
            DcnTrainedRanges measured(M3Conditions::GetQuantities());
            DcnDatasetCollection sets(data);
            for (const M3Example& example : M3Data::Read(sets, paths).training)
            {
                measured.Add(example.conditions);
            }
            measured.Write(model);
            model.Write(ranges);
            return 0;
        }
        if (!evaluate.empty())
        {
            paths.onlyTest = true;
            M3Data held;
            DcnDatasetCollection sets(data);
            std::istringstream list(evaluate);
            for (std::string folder; std::getline(list, folder, ',');)
            {
                const M3Network network(DcnModelFile::Read(folder, "m3"));
                if (held.test.empty() || paths.layout != &network.GetLayout())
                {
                    paths.layout = &network.GetLayout();
                    held = M3Data::Read(sets, paths);
                }
                Report(folder, M3Evaluation(held.test, network, options.loss), nullptr);
                ReportRegimes(held.test, network, options.loss, nullptr);
            }
            return 0;
        }
        if (paths.allTest)
        {
            DcnFail("--allTest has no effect without --evaluate");
        }
        DcnTorch::Require("m3-train"); // before the data are read
        DcnDatasetCollection sets(data);
        const M3Data all = M3Data::Read(sets, paths);
        M3Trainer trainer(options, all.training);
        M3Example::RequireFlows(all.validation, "to validate with");
        DcnMakeFolder(out);
        if (std::ifstream(out + "/state/card.json").good())
        {
            trainer.Load(out + "/state");
            std::printf("continued after epoch %u\n", trainer.GetNEpochs());
        }
        M3LearningCurve curve(out, trainer.GetNEpochs());
        std::printf("%zu paths to learn from, %zu to validate with\n", all.training.size(),
                    all.validation.size());
        while (trainer.GetNEpochs() < options.epochs &&
               trainer.GetNEpochs() < curve.GetBestEpoch() + patience)
        {
            DcnProgress progress("epoch " + std::to_string(trainer.GetNEpochs() + 1),
                                 all.training.size(), "paths");
            const double loss = trainer.RunEpoch([&](uint64_t n) { progress.Update(n); });
            DcnModelFile model = trainer.GetModel();
            const M3Evaluation evaluation(all.validation, M3Network(model), options.loss);
            const uint32_t epoch = trainer.GetNEpochs();
            std::printf("epoch %u: loss in training %.5f, in validation %.5f, p99 error %.4f\n",
                        epoch, loss, evaluation.GetLoss(), evaluation.GetScore());
            if (evaluation.GetLoss() < curve.GetBest())
            {
                model.SetOrigin(DcnDescribeCommand("m3-train", argc, argv),
                                sets.GetEngineDigest());
                model.Set("training", "data", sets.GetNames());
                model.Set("training", "options", trainer.DescribeOptions());
                model.Set("training", "paths_per_path", static_cast<double>(paths.pathsPerPath));
                model.Set("training",
                          "paths_per_fabric",
                          static_cast<double>(paths.pathsPerFabric));
                model.Set("training", "epoch", epoch);
                sets.Describe(model);
                Report("validation", evaluation, nullptr);
                model.Write(out);
            }
            std::fflush(stdout);
            curve.Add(loss, evaluation.GetLoss(), evaluation.GetScore());
            trainer.Save(out + "/state");
        }
        DcnModelFile best = DcnModelFile::Read(out, "m3");
        const M3Network network(best);
        best.Remove("errors");
        Report("test", M3Evaluation(all.test, network, options.loss), &best);
        ReportRegimes(all.test, network, options.loss, &best);
        best.Write(out);
        return 0;
    });
}
