/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Train m3 on data sets of dcn-dataset, of single paths (--kind=path) and of fabrics
 * (--kind=fabric).
 *
 * Every path with flows of a scenario is a sample; some are drawn from each scenario. One of eight
 * workloads is for validation: after every epoch the model predicts it, and the model with the
 * smallest loss is written. Another is for the test: its errors are on the model's card and
 * influence no choice. A stopped training is resumed. --evaluate only prints the errors of models,
 * on the workloads of the test. --architecture=published trains the published network.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-dataset-collection.h"
#include "ns3/dcn-error.h"
#include "ns3/m3-training-run.h"

#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string out = "results/m3";
    std::string evaluate;
    std::string ranges;
    std::string errors;
    bool allTest = false;
    M3TrainingRun run;
    auto parse = [&]() {
        CommandLine cmd(__FILE__);
        cmd.Usage("Train m3 on data sets of paths and fabrics.");
        DcnAddText(cmd, "data", "Folders of data sets (dcn-dataset), joined by commas", data);
        DcnAddText(cmd,
                   "out",
                   "Folder of the model, learning-curve.csv, .png, and state to resume from",
                   out);
        DcnAddText(cmd,
                   "evaluate",
                   "Only evaluate the models in these folders, joined by commas",
                   evaluate);
        DcnAddText(cmd,
                   "ranges",
                   "Only write the ranges of the training to the card of the model "
                   "in this folder",
                   ranges);
        cmd.AddValue("allTest", "With evaluate: the data sets were not trained on", allTest);
        DcnAddText(cmd, "errors", "With evaluate: file for the errors of each network", errors);
        run.AddTo(cmd);
        return DcnParseCommandLine(cmd, argc, argv);
    };
    return DcnRunProgram("m3-train", [&]() {
        parse();
        // parse again: the architecture determines the defaults of the other options
        run.UseArchitecture();
        const DcnGivenOptions given = parse();
        const std::vector<std::string> ofTraining{
            "out",         "architecture", "width",      "heads",  "layers",
            "feedForward", "mlp",          "correction", "limit",  "batch",
            "epochs",      "firstRate",    "lastRate",   "warmUp", "weightDecay",
            "clipNorm",    "averaging",    "patience",   "from",   "device"};
        given.CheckEffects({{{"evaluate"}, ranges.empty(), "with --ranges"},
                            {{"allTest", "errors"}, !evaluate.empty(), "without --evaluate"},
                            {{"share"}, evaluate.empty(), "with --evaluate"},
                            {ofTraining, evaluate.empty(), "with --evaluate"},
                            {ofTraining, ranges.empty(), "with --ranges"}});
        DcnDatasetCollection sets(data);
        if (!ranges.empty())
        {
            run.UpdateRanges(sets, ranges);
        }
        else if (!evaluate.empty())
        {
            run.Evaluate(sets, evaluate, allTest, errors);
        }
        else
        {
            run.Train(sets, out, DcnDescribeCommand("m3-train", argc, argv));
        }
        return 0;
    });
}
