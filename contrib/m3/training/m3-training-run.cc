/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-training-run.h"

#include "m3-data.h"
#include "m3-evaluation.h"
#include "m3-trainer.h"
#include "m3-training-options.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-dataset-collection.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-torch.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/**
 * Print errors by size class or regime, and add them to a model's card.
 * @param subject of the errors: paths or networks
 * @param rows by size class or regime
 * @param model the errors are added to its card; may be null
 */
void
ReportRows(const std::string& subject,
           const std::vector<M3Evaluation::Row>& rows,
           DcnModelFile* model)
{
    if (rows.empty())
    {
        std::printf("%s: no class has the %zu flows that the error of a p99 needs: give more or "
                    "larger samples\n",
                    subject.c_str(),
                    M3Evaluation::LEAST_FLOWS);
        return;
    }
    std::printf("%-15s %8s  |p99 error| [%%]: flowsim   base  model  noise   bias\n",
                subject.c_str(),
                "n");
    for (const auto& row : rows)
    {
        char flowsim[20] = "-"; // only path samples have it
        if (row.flowsim > 0)
        {
            std::snprintf(flowsim, sizeof(flowsim), "%.1f", 100 * row.flowsim);
        }
        std::printf("%-15s %8llu %26s %6.1f %6.1f %6.1f %+6.1f\n",
                    row.name.c_str(),
                    static_cast<unsigned long long>(row.n),
                    flowsim,
                    100 * row.base,
                    100 * row.model,
                    100 * row.noise,
                    100 * row.bias);
        if (model)
        {
            const std::string name = subject + " " + row.name;
            model->Set("errors", name, static_cast<double>(row.n));
            model->Set("errors", name + ", base p99", row.base);
            model->Set("errors", name + ", model p99", row.model);
            model->Set("errors", name + ", noise p99", row.noise);
        }
    }
}

/**
 * Print errors, and add them to a model's card.
 * @param subject folder or data of the errors
 * @param evaluation the errors
 * @param model the errors are added to its card; may be null
 */
void
Report(const std::string& subject, const M3Evaluation& evaluation, DcnModelFile* model)
{
    std::printf("%s: loss of the model %.5f, of its base %.5f\n",
                subject.c_str(),
                evaluation.GetLoss(),
                evaluation.GetBaseLoss());
    ReportRows("paths", evaluation.GetPaths(), model);
    ReportRows("networks", evaluation.GetNetworks(), model);
}

/**
 * Print errors of all sizes by congestion control, of samples that were left out of the training
 * and, for paths, by load; add them to a card.
 * @param examples of the test
 * @param network the model
 * @param model the errors are added to its card; may be null
 */
void
ReportRegimes(const std::vector<M3Example>& examples, const M3Network& network, DcnModelFile* model)
{
    const auto& quantities = M3RangeFeatures::GetQuantities();
    const auto load = std::find_if(quantities.begin(),
                                   quantities.end(),
                                   [](const auto& quantity) {
                                       return quantity.name == "largest load of a link";
                                   }) -
                      quantities.begin();
    std::map<std::string, std::vector<M3Example>> regimes;
    for (const M3Example& example : examples)
    {
        regimes[example.input.ranges.congestionControl].push_back(example);
        if (example.isLeftOut)
        {
            regimes["left out"].push_back(example);
        }
        if (example.network == 0)
        {
            const double value = example.input.ranges.values.at(load);
            regimes[value < 0.3   ? "load < 0.3"
                    : value < 0.6 ? "load 0.3 to 0.6"
                                  : "load > 0.6"]
                .push_back(example);
        }
    }
    std::vector<M3Evaluation::Row> paths;
    std::vector<M3Evaluation::Row> networks;
    for (const auto& [name, some] : regimes)
    {
        const M3Evaluation evaluation(some, network);
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
    for (const auto& [subject, rows] :
         {std::pair{"paths", &paths}, std::pair{"networks", &networks}})
    {
        if (!rows->empty()) // that there are too few flows has been said
        {
            ReportRows(subject, *rows, model);
        }
    }
}

/**
 * Write the errors of a model on each network.
 * @param model its name
 * @param evaluation its errors
 * @param data the networks
 * @param rows appended to
 */
void
WriteErrors(const std::string& model,
            const M3Evaluation& evaluation,
            const M3Data& data,
            std::ostream& rows)
{
    for (const auto& error : evaluation.GetNetworkErrors())
    {
        const auto& values = data.networks.at(error.network - 1);
        rows << DcnCsvText(model) << ',' << error.network;
        for (const char* condition : {"sizes", "matrix", "topology", "host_gbps", "cc"})
        {
            const auto value = values.find(condition);
            rows << ',' << (value == values.end() ? "" : DcnCsvText(value->second));
        }
        rows << ',' << error.sizeClass << ',' << error.nFlows << ',' << error.base << ','
             << error.model << ',' << error.noise << '\n';
    }
}

/**
 * @param options of a training
 * @param featureSet of the model
 * @return selection of paths
 */
M3Data::Options
MakeDataOptions(const M3TrainingOptions& options, const M3FeatureSet& featureSet)
{
    M3Data::Options selection;
    selection.pathsPerPath = options.pathsPerPath;
    selection.pathsPerFabric = options.pathsPerFabric;
    selection.featureSet = &featureSet;
    selection.share = options.share;
    selection.leaveOut = options.leaveOut;
    return selection;
}

} // namespace

M3TrainingRun::M3TrainingRun()
    : m_options(std::make_unique<M3TrainingOptions>())
{
}

M3TrainingRun::~M3TrainingRun() = default;

void
M3TrainingRun::AddTo(CommandLine& cmd)
{
    m_options->AddTo(cmd);
}

void
M3TrainingRun::UseArchitecture()
{
    *m_options = M3TrainingOptions(m_options->architecture);
}

void
M3TrainingRun::Describe(const M3Trainer& trainer,
                        const DcnDatasetCollection& sets,
                        DcnModelFile& model) const
{
    model.Set("training", "data", sets.GetNames());
    model.Set("training", "options", trainer.DescribeOptions());
    model.Set("training", "paths_per_path", static_cast<double>(m_options->pathsPerPath));
    model.Set("training", "paths_per_fabric", static_cast<double>(m_options->pathsPerFabric));
    model.Set("training", "epoch", trainer.GetNEpochs());
    if (m_options->share < 1)
    {
        model.Set("training", "share", m_options->share);
    }
    if (!m_options->leaveOut.empty())
    {
        model.Set("training", "leave_out", m_options->leaveOut);
    }
    sets.Describe(model);
}

void
M3TrainingRun::Train(DcnDatasetCollection& sets, const std::string& out, const std::string& command)
{
    DcnTorch::Require("m3-train"); // before reading the data
    m_options->Check();
    const M3FeatureSet& featureSet = M3FeatureSet::Get(m_options->architecture);
    const M3Data all = M3Data::Read(sets, MakeDataOptions(*m_options, featureSet));
    M3Trainer trainer(*m_options, all.training);
    M3Example::RequireFlows(all.validation, "to validate with");
    DcnTorchLoop loop(out, trainer);
    std::printf("%zu paths to learn from, %zu to validate with\n",
                all.training.size(),
                all.validation.size());
    DcnTorchPlan plan;
    plan.epochs = m_options->epochs;
    plan.patience = m_options->patience;
    plan.columns = {{"training_loss", "loss in training"},
                    {"validation_loss", "loss in validation"},
                    {"validation_error", ""}};
    plan.quantity = "loss";
    plan.scoreColumn = 1; // the loss in validation
    plan.run = [&]() {
        DcnProgress progress("epoch " + std::to_string(trainer.GetNEpochs() + 1),
                             all.training.size(),
                             "paths");
        const double loss = trainer.RunEpoch([&](uint64_t n) { progress.Update(n); });
        DcnModelFile model = trainer.GetModel();
        const M3Evaluation evaluation(all.validation, M3Network(model));
        std::printf("epoch %u: loss in training %.5f, in validation %.5f, p99 error %.4f\n",
                    trainer.GetNEpochs(),
                    loss,
                    evaluation.GetLoss(),
                    evaluation.GetScore());
        return DcnTorchPlan::Epoch{std::move(model),
                                   {loss, evaluation.GetLoss(), evaluation.GetScore()},
                                   evaluation.GetLoss(),
                                   [&, evaluation](DcnModelFile& best) {
                                       best.SetOrigin(command, sets.GetEngineDigest());
                                       Describe(trainer, sets, best);
                                       Report("validation", evaluation, nullptr);
                                   }};
    };
    loop.Run(plan);
    DcnModelFile best = DcnModelFile::Read(out, "m3");
    const M3Network network(best);
    best.Remove("errors");
    Report("test", M3Evaluation(all.test, network), &best);
    ReportRegimes(all.test, network, &best);
    best.Write(out);
    std::printf("written: %s/card.json, weights.bin, learning-curve.csv\n", out.c_str());
}

void
M3TrainingRun::Evaluate(DcnDatasetCollection& sets,
                        const std::string& folders,
                        bool allTest,
                        const std::string& file)
{
    M3Data::Options options = MakeDataOptions(*m_options, M3FeatureSet::Default());
    options.onlyTest = true;
    options.allTest = allTest;
    std::ostringstream rows;
    M3Data held;
    for (const std::string& folder : DcnSplitValues("evaluate", folders))
    {
        const M3Network network(DcnModelFile::Read(folder, "m3"));
        if (held.test.empty() || options.featureSet != &network.GetFeatureSet())
        {
            options.featureSet = &network.GetFeatureSet();
            held = M3Data::Read(sets, options);
        }
        const M3Evaluation evaluation(held.test, network);
        Report(folder, evaluation, nullptr);
        ReportRegimes(held.test, network, nullptr);
        WriteErrors(folder, evaluation, held, rows);
    }
    if (!file.empty())
    {
        DcnFileWriter csv(file);
        csv.Stream() << "model,network,sizes,matrix,topology,host_gbps,cc,size_class,flows,"
                        "base_error,model_error,noise\n"
                     << rows.str();
        csv.Commit();
        std::printf("written: %s\n", file.c_str());
    }
}

void
M3TrainingRun::UpdateRanges(DcnDatasetCollection& sets, const std::string& folder)
{
    DcnModelFile model = DcnModelFile::Read(folder, "m3");
    const M3FeatureSet& featureSet = M3Network::ReadFeatureSet(model);
    DcnTrainedRanges ranges(M3RangeFeatures::GetQuantities());
    const M3Data all = M3Data::Read(sets, MakeDataOptions(*m_options, featureSet));
    for (const M3Example& example : all.training)
    {
        ranges.Add(example.input.ranges);
    }
    ranges.Write(model);
    model.Write(folder);
}

} // namespace ns3
