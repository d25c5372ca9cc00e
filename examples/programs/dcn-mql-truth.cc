/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Simulate networks of FIFO queues for MQL's training and evaluation (MqlRunTruth).
 *
 * One configuration (--config) or a list of them (--list); --help has the keys.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/mql-truth-runs.h"

using namespace ns3;

int
main(int argc, char* argv[])
{
    MqlTruthRunOptions options;
    options.out = "results/mql-truth";
    options.interval = MilliSeconds(50);
    CommandLine cmd(__FILE__);
    cmd.Usage("Simulate networks of FIFO queues to train MQL and to compare it with.\n\n"
              "Keys of a configuration:\n" +
              MqlDescribeTruthKeys());
    DcnAddText(cmd,
               "config",
               "A configuration, e.g. k=8,arrivals=ge,scv=4,load=0.75",
               options.config);
    DcnAddText(cmd,
               "list",
               "File with a configuration per line, instead of --config",
               options.list);
    cmd.AddValue("jobs", "Parallel processes", options.jobs);
    cmd.AddValue("interval",
                 "Interval of the collector's queue records (engine=ns3); 0: none",
                 options.interval);
    DcnAddText(cmd, "out", "Folder; each configuration gets a folder of its own", options.out);
    options.hasInterval = DcnParseCommandLine(cmd, argc, argv).Has("interval");

    return DcnRunProgram("dcn-mql-truth", [&]() {
        MqlRunTruth(options, DcnDescribeCommand("dcn-mql-truth", argc, argv));
        return 0;
    });
}
