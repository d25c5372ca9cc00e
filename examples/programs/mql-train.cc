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
#include "ns3/dcn-run-record.h"
#include "ns3/mql-experiment.h"

#include <cinttypes>
#include <cstdio>
#include <string>

using namespace ns3;

namespace
{

/// Options of the program.
struct Options
{
    std::string truth{"results/mql-truth"};                  //!< Folder of simulations
    std::string only;                                        //!< Values of configurations to use
    std::string holdOut{"hash_seed=11+12,load=0.6,k=12+16"}; //!< Values of those of the test
    std::string protocol{"grouped"};                         //!< grouped or random
    std::string features{"all"};                             //!< all or table-4.2
    std::string model;                                       //!< A correction; empty: train one
    std::string out{"results/mql-model"};                    //!< Folder for the files
    MqlExperimentOptions training;                           //!< How to train

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        DcnAddText(cmd, "truth", "Folder written by dcn-mql-truth", truth);
        DcnAddText(cmd, "only", "Use only configurations with one of these values", only);
        DcnAddText(cmd,
                   "holdOut",
                   "Test on configurations with one of these values, as key=value,...",
                   holdOut);
        DcnAddText(cmd,
                   "protocol",
                   "grouped, or random: 60 % of all rows (dissertation)",
                   protocol);
        DcnAddText(cmd, "features", "all, or table-4.2: the dissertation's eleven", features);
        DcnAddText(cmd, "model", "Only evaluate this correction.json", model);
        DcnAddText(cmd, "out", "Folder for the files", out);
        cmd.AddValue("depth", "Largest depth of a tree", training.maxDepth);
        cmd.AddValue("minLeafRows", "Fewest merged rows in a leaf", training.minLeafRows);
        cmd.AddValue("p99LeafRows",
                     "Fewest merged rows in a leaf of the percentile's tree",
                     training.p99LeafRows);
        cmd.AddValue("seed", "Seed of the random rows", training.seed);
        cmd.AddValue("threads", "Threads", training.threads);
    }

    /// Refuses values that do not go together, and takes the protocol and the features.
    void Check(const DcnGivenOptions& given)
    {
        const bool random = protocol == "random";
        if ((protocol != "grouped" && !random) || (features != "all" && features != "table-4.2") ||
            training.threads == 0)
        {
            DcnFail("--protocol must be grouped or random, --features all or table-4.2, and "
                    "--threads at least 1");
        }
        given.CheckEffects({{{"holdOut"}, !random, "with --protocol=random"},
                            {{"seed"}, random, "without --protocol=random"},
                            {{"protocol", "features", "depth", "minLeafRows", "p99LeafRows"},
                             model.empty(),
                             "with --model"}});
        training.rowShare = random ? 0.6 : 1;
        training.extraFeatures = features == "all";
        holdOut = random ? "" : holdOut;
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train MQL's correction on simulated configurations.");
    options.AddTo(cmd);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("mql-train", [&]() {
        options.Check(given);
        DcnMakeFolder(options.out);
        const DcnFolderLock lock(options.out, DcnRunRecord::IN_USE);
        MqlExperiment experiment(options.truth, options.only, options.holdOut);
        DcnProgress progress("mql-train", experiment.GetRows().size(), "configurations");
        experiment.Load([&](uint64_t done) { progress.Update(done); });
        if (options.model.empty())
        {
            const DcnStopwatch watch;
            experiment.Train(options.training);
            std::printf("trained on %" PRIu64 " rows, %" PRIu64 " after merging, in %.1f s\n",
                        experiment.GetNTrainingRows().first,
                        experiment.GetNTrainingRows().second,
                        watch.Get().wallSeconds);
        }
        else
        {
            experiment.ReadCorrection(options.model);
        }
        experiment.Evaluate(options.training.threads);
        experiment.PrintImportances();
        experiment.PrintTable(false);
        experiment.PrintTable(true);
        experiment.Write(options.out, DcnDescribeCommand("mql-train", argc, argv));
        std::printf("\nwritten to %s\n", options.out.c_str());
        return 0;
    });
}
