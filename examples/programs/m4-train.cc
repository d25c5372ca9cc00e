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
#include "ns3/dcn-error.h"
#include "ns3/m4-training-run.h"

#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string out = "results/m4";
    M4TrainingRun run;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train m4 on data sets of small fabrics.");
    DcnAddText(cmd, "data", "Data sets (dcn-dataset --kind=fabric), joined by commas", data);
    DcnAddText(cmd,
               "out",
               "Folder of the model, learning-curve.csv and the state to resume from",
               out);
    run.AddTo(cmd);
    DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("m4-train", [&]() {
        run.Train(data, out, DcnDescribeCommand("m4-train", argc, argv));
        return 0;
    });
}
