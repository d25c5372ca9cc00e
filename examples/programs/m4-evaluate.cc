/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Errors of models of m4 on data sets of fabrics, and of the fluid simulation on the same
 * flows.
 *
 * Each model has rows for its own events (it acts on its predictions, as in use), and rows for
 * teacher forcing (events are the true ones). Errors under teacher forcing are too small, because
 * the presence of a flow reveals its duration. The rows "untrained (teacher-forced)" show this
 * effect alone, with the default architecture and untrained heads. With --noise, packets simulate
 * every scenario again with unpredictable changes: the noise floor.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-progress.h"
#include "ns3/m4-data.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-session.h"

#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string models;
    std::string out = "results/m4-evaluate";
    uint32_t samples = 40;
    bool noise = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Errors of models of m4 on a data set of small fabrics.");
    DcnAddText(cmd, "data", "Data sets (dcn-dataset --kind=fabric), joined by commas", data);
    cmd.AddValue("samples", "Samples at the end of each data set", samples);
    DcnAddText(cmd, "models", "Folders of models (m4-train), joined by commas", models);
    cmd.AddValue("noise", "Repeat the packet simulations for the noise floor", noise);
    DcnAddText(cmd, "out", "Folder for evaluate.csv", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m4-evaluate", [&]() {
        M4Data set(data, samples);
        if (set.GetNValidation() == 0)
        {
            DcnFail("--samples must be at least 1");
        }
        std::vector<std::pair<std::string, DcnModelFile>> loaded;
        for (const std::string& folder : DcnSplit(models, ','))
        {
            loaded.emplace_back(folder, DcnModelFile::Read(folder, "m4"));
        }
        std::vector<std::string> names{"flowsim",
                                       "flowsim:WindowCap=true",
                                       "untrained (teacher-forced)"};
        const DcnModelFile untrained = M4MakeUntrained();
        for (const auto& [folder, model] : loaded)
        {
            names.push_back(folder);
            names.push_back(folder + " (teacher-forced)");
        }
        if (noise)
        {
            names.emplace_back("packet again");
        }
        std::vector<M4ErrorTable> tables(names.size());
        DcnProgress progress("m4-evaluate", set.GetNValidation(), "simulations");
        for (uint64_t i = 0; i < set.GetNValidation(); ++i)
        {
            const auto truth = set.ReadValidation(i);
            for (std::size_t k = 0; k < 2; ++k)
            {
                tables[k].Add(
                    *truth,
                    DcnEstimator::CreateByName(names[k])->Estimate(truth->scenario).fctNs);
            }
            tables[2].Add(*truth, M4RunTeacherForced(*truth, untrained));
            for (std::size_t k = 0; k < loaded.size(); ++k)
            {
                const DcnModelFile& model = loaded[k].second;
                M4SpreadTable spread;
                const auto fctNs = M4Run(*truth->scenario, model, nullptr, nullptr, &spread);
                tables[3 + 2 * k].Add(*truth, fctNs, &spread);
                tables[4 + 2 * k].Add(*truth, M4RunTeacherForced(*truth, model));
            }
            if (noise)
            {
                tables.back().Add(*truth, M4RepeatPackets(truth->scenario));
            }
            progress.Update(i + 1);
        }
        DcnMakeFolder(out);
        DcnFileWriter file(out + "/evaluate.csv");
        file.Stream() << "method,group,flows,mean_abs_flow_error,"
                         "p90_abs_flow_error,mean_flow_error,mean_abs_p99_error,mean_p99_error,"
                         "interval_coverage\n";
        std::printf("%-40s %-9s %8s %8s %8s %8s %9s %9s\n",
                    "method",
                    "flows",
                    "mean [%]",
                    "p90 [%]",
                    "bias [%]",
                    "p99 [%]",
                    "p99 bias",
                    "90 % int.");
        for (std::size_t k = 0; k < names.size(); ++k)
        {
            for (const auto& [group, errors] : tables[k].GetGroups())
            {
                std::printf("%-40s %-9s %8.2f %8.2f %8.2f %8.2f %9.2f %9.1f\n",
                            names[k].c_str(),
                            group.c_str(),
                            100 * errors.GetMean(),
                            100 * errors.GetP90(),
                            100 * errors.GetBias(),
                            100 * errors.GetP99Error(),
                            100 * errors.GetP99Bias(),
                            100 * errors.GetCoverage());
                file.Stream() << names[k] << ',' << group << ',' << errors.GetNFlows() << ','
                              << errors.GetMean() << ',' << errors.GetP90() << ','
                              << errors.GetBias() << ',' << errors.GetP99Error() << ','
                              << errors.GetP99Bias() << ',' << errors.GetCoverage() << '\n';
            }
        }
        file.Commit();
        return 0;
    });
}
