/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Train MQL's correction on simulated configurations, and evaluate it on others.
 *
 * Reads a folder of dcn-mql-truth (--truth). Configurations with one of the values in --holdOut are
 * for the test; the reported errors are theirs. With --protocol=random, the dissertation's
 * protocol, 60 % of the rows of all configurations are for training, and errors are over all
 * configurations, most of whose rows were in the training. Writes correction.json, card.json and
 * evaluation.csv.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/mql-experiment.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string truth = "results/mql-truth";
    std::string only;
    std::string holdOut = "hash_seed=11+12,load=0.6,k=12+16";
    std::string protocol = "grouped";
    std::string features = "all";
    std::string model;
    std::string out = "results/mql-model";
    MqlExperimentOptions options;
    const MqlExperimentOptions defaults = options;
    const std::string defaultHoldOut = holdOut;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train MQL's correction on simulated configurations.");
    DcnAddText(cmd, "truth", "Folder written by dcn-mql-truth", truth);
    DcnAddText(cmd, "only", "Use only configurations with one of these values", only);
    DcnAddText(cmd,
               "holdOut",
               "Test on configurations with one of these values, as key=value,...",
               holdOut);
    DcnAddText(cmd, "protocol", "grouped, or random: 60 % of all rows (dissertation)", protocol);
    DcnAddText(cmd, "features", "all, or table-4.2: the dissertation's eleven", features);
    DcnAddText(cmd, "model", "Only evaluate this correction.json", model);
    DcnAddText(cmd, "out", "Folder for the files", out);
    cmd.AddValue("depth", "Largest depth of a tree", options.maxDepth);
    cmd.AddValue("minLeafRows", "Fewest merged rows in a leaf", options.minLeafRows);
    cmd.AddValue("p99LeafRows",
                 "Fewest merged rows in a leaf of the percentile's tree",
                 options.p99LeafRows);
    cmd.AddValue("seed", "Seed of the random rows", options.seed);
    cmd.AddValue("threads", "Threads", options.threads);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("mql-train", [&]() {
        if ((protocol != "grouped" && protocol != "random") ||
            (features != "all" && features != "table-4.2") || options.threads == 0)
        {
            DcnFail("--protocol must be grouped or random, --features all or table-4.2, and "
                    "--threads at least 1");
        }
        const bool random = protocol == "random";
        if (random && holdOut != defaultHoldOut)
        {
            DcnFail("--holdOut has no effect with --protocol=random");
        }
        if (!random && options.seed != defaults.seed)
        {
            DcnFail("--seed has no effect without --protocol=random");
        }
        if (!model.empty() &&
            (random || features != "all" || options.maxDepth != defaults.maxDepth ||
             options.minLeafRows != defaults.minLeafRows ||
             options.p99LeafRows != defaults.p99LeafRows))
        {
            DcnFail("options of training have no effect with --model");
        }
        options.rowShare = random ? 0.6 : 1;
        options.extraFeatures = features == "all";
        DcnMakeFolder(out);
        MqlExperiment experiment(truth, only, random ? "" : holdOut);
        DcnProgress progress("mql-train", experiment.GetRows().size(), "configurations");
        experiment.Load([&](uint64_t done) { progress.Update(done); });
        if (model.empty())
        {
            const auto start = std::chrono::steady_clock::now();
            experiment.Train(options);
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            std::printf("trained on %" PRIu64 " rows, %" PRIu64 " after merging, in %.1f s\n",
                        experiment.GetNTrainingRows().first,
                        experiment.GetNTrainingRows().second,
                        elapsed.count());
        }
        else
        {
            experiment.ReadCorrection(model);
        }
        experiment.Evaluate(options.threads);
        experiment.PrintImportances();
        experiment.PrintTable(false);
        experiment.PrintTable(true);
        experiment.Write(out, DcnDescribeCommand("mql-train", argc, argv));
        std::printf("\nwritten to %s\n", out.c_str());
        return 0;
    });
}
