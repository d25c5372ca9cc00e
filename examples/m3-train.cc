/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Train m3 on data sets of dcn-dataset, of single paths (--kind=path) and of fabrics
 * (--kind=fabric).
 *
 * Every path with flows of a scenario is something to learn from; some are drawn of each. One
 * workload in eight is not trained on; after every epoch the model predicts it, and the model with
 * the smallest loss there is the one that is kept. A training that was stopped is continued.
 * --evaluate only says how well a model does.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-progress.h"
#include "ns3/m3-evaluation.h"
#include "ns3/m3-learning-curve.h"
#include "ns3/m3-trainer.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

constexpr uint64_t FOLD = 8; //!< one workload in so many is kept to validate with

/// What is learned from, and what is not.
struct Data
{
    std::vector<M3Example> training;   //!< paths to learn from
    std::vector<M3Example> validation; //!< paths to validate with
};

/**
 * Add the paths of a sample.
 * @param sample of a data set
 * @param nPaths how many to draw, besides the one of a sample of the kind path
 * @param onlyValidation leave out what is to be learned from
 * @param data gets them
 */
void
AddSample(const DcnDatasetSample& sample, uint64_t nPaths, bool onlyValidation, Data& data)
{
    const bool isValidation = static_cast<uint64_t>(sample.draw[0]) % FOLD == FOLD - 1;
    if (onlyValidation && !isValidation)
    {
        return;
    }
    const DcnPathCensus census(sample.scenario);
    const M3Fluid fluid(*sample.scenario);
    M3Features features(census, fluid);
    std::vector<uint32_t> paths;
    for (std::size_t flow = 0; flow < sample.flags.size() && paths.empty(); ++flow)
    {
        if (sample.flags[flow] & DcnDatasetSample::FOREGROUND)
        {
            paths.push_back(census.GetPathOf(flow));
        }
    }
    const std::size_t nOwn = isValidation ? paths.size() : 0; // those alone are compared
    if (nPaths > 0 && nOwn == 0)
    {
        for (const auto& drawn :
             DcnDrawPaths(census, nPaths, DcnPathSampling::SYSTEMATIC, 1 + sample.index))
        {
            if (paths.empty() || drawn.path != paths.front())
            {
                paths.push_back(drawn.path);
            }
        }
    }
    features.Prepare(paths);
    auto& examples = isValidation ? data.validation : data.training;
    for (uint32_t path : paths)
    {
        examples.push_back(
            M3Example::Make(features, *sample.scenario, path, sample.fctNs, isValidation));
    }
}

/**
 * @param folders of data sets, joined by commas
 * @param pathsPerPath see AddSample, for the kind path
 * @param pathsPerFabric likewise, for the kind fabric
 * @param onlyValidation see AddSample
 * @return their paths
 */
Data
Read(const std::string& folders, uint64_t pathsPerPath, uint64_t pathsPerFabric, bool onlyValidation)
{
    Data data;
    std::istringstream list(folders);
    for (std::string folder; std::getline(list, folder, ',');)
    {
        DcnDatasetReader reader(folder);
        const bool isPath = reader.GetKind() == "path";
        DcnProgress progress(folder, reader.GetN(), "samples");
        for (uint64_t i = 0; i < reader.GetN(); ++i)
        {
            AddSample(reader.Read(i), isPath ? pathsPerPath : pathsPerFabric, onlyValidation, data);
            progress.Update(i + 1);
        }
    }
    if (data.validation.empty() || (data.training.empty() && !onlyValidation))
    {
        DcnFail("of the data sets ", folders, " there are ", data.training.size(),
                " paths to learn from and ", data.validation.size(), " to validate with");
    }
    return data;
}

/**
 * @param folders joined by commas
 * @return their names, without what machine they lie on
 */
std::string
GetNames(const std::string& folders)
{
    std::string names;
    std::istringstream list(folders);
    for (std::string folder; std::getline(list, folder, ',');)
    {
        names += (names.empty() ? "" : ",") + folder.substr(folder.find_last_of('/') + 1);
    }
    return names;
}

/**
 * Print errors by size class, and add them to a model's card.
 * @param evaluation the errors
 * @param model gets them; may be null
 */
void
Report(const M3Evaluation& evaluation, DcnModelFile* model)
{
    std::printf("loss of the model %.5f, of the fluid %.5f\n", evaluation.GetLoss(),
                evaluation.GetFluidLoss());
    std::printf("size class      paths  |p99 error| [%%]: fluid  model\n");
    for (const auto& row : evaluation.GetRows())
    {
        std::printf("%-12s %8llu %24.1f %6.1f\n", row.name.c_str(),
                    static_cast<unsigned long long>(row.nPaths), 100 * row.fluid, 100 * row.model);
        if (model)
        {
            model->Set("errors", "paths " + row.name, static_cast<double>(row.nPaths));
            model->Set("errors", "fluid p99 " + row.name, row.fluid);
            model->Set("errors", "model p99 " + row.name, row.model);
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string out = "results/m3";
    std::string evaluate;
    uint64_t pathsPerPath = 3;
    uint64_t pathsPerFabric = 100;
    uint32_t patience = 6;
    M3TrainingOptions options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train m3 on data sets of paths and fabrics.");
    DcnAddText(cmd, "data", "Folders of data sets (dcn-dataset), joined by commas", data);
    DcnAddText(cmd, "out", "Folder of the model, learning-curve.csv, .png, and state to go on", out);
    DcnAddText(cmd, "evaluate", "Train nothing, but evaluate the model in this folder", evaluate);
    cmd.AddValue("pathsPerPath", "Paths drawn of a sample of the kind path, but its own", pathsPerPath);
    cmd.AddValue("pathsPerFabric", "Paths drawn of a sample of the kind fabric", pathsPerFabric);
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
    cmd.AddValue("known", "Whether known quantiles are in the loss, too", options.known);
    cmd.AddValue("seed", "Seed of the training", options.seed);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m3-train", [&]() {
        if (!evaluate.empty())
        {
            const M3Network network(DcnModelFile::Read(evaluate, "m3"));
            const Data held = Read(data, pathsPerPath, pathsPerFabric, true);
            Report(M3Evaluation(held.validation, network), nullptr);
            return 0;
        }
        const Data all = Read(data, pathsPerPath, pathsPerFabric, false);
        M3Trainer trainer(options, all.training);
        DcnMakeFolder(out);
        const bool goesOn = std::ifstream(out + "/state/card.json").good();
        M3LearningCurve curve(out, goesOn);
        if (goesOn)
        {
            trainer.Load(out + "/state");
            std::printf("continued after epoch %u\n", trainer.GetNEpochs());
        }
        std::printf("%zu paths to learn from, %zu to validate with\n", all.training.size(),
                    all.validation.size());
        while (trainer.GetNEpochs() < options.epochs &&
               trainer.GetNEpochs() < curve.GetBestEpoch() + patience)
        {
            DcnProgress progress("epoch " + std::to_string(trainer.GetNEpochs() + 1),
                                 all.training.size(), "paths");
            const double loss = trainer.RunEpoch([&](uint64_t n) { progress.Update(n); });
            DcnModelFile model = trainer.GetModel();
            const M3Evaluation evaluation(all.validation, M3Network(model));
            const uint32_t epoch = trainer.GetNEpochs();
            std::printf("epoch %u: loss in training %.5f, in validation %.5f\n", epoch, loss,
                        evaluation.GetLoss());
            if (evaluation.GetLoss() < curve.GetBest())
            {
                model.Set("training", "data", GetNames(data));
                model.Set("training", "paths", static_cast<double>(all.training.size()));
                model.Set("training", "epoch", epoch);
                model.Set("training", "epochs", options.epochs);
                model.Set("training", "batch", options.batch);
                model.Set("training", "seed", static_cast<double>(options.seed));
                model.Set("errors", "validation loss", evaluation.GetLoss());
                model.Set("errors", "fluid loss", evaluation.GetFluidLoss());
                Report(evaluation, &model);
                model.Write(out);
            }
            std::fflush(stdout);
            curve.Add(loss, evaluation.GetLoss());
            trainer.Save(out + "/state");
        }
        return 0;
    });
}
