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
#include "ns3/dcn-run-record.h"
#include "ns3/m4-data.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-session.h"

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A method with its errors.
struct Method
{
    std::string name;                                             //!< in the table
    std::function<void(const M4GroundTruth&, M4ErrorTable&)> add; //!< adds those of a sample
    M4ErrorTable errors{};                                        //!< of all samples
};

/// @return a method of DcnEstimator
Method
MakeEstimator(const std::string& name)
{
    return {name, [name](const M4GroundTruth& truth, M4ErrorTable& errors) {
                errors.Add(truth, DcnEstimator::CreateByName(name)->Estimate(truth.scenario).fctNs);
            }};
}

/// @return a model on the true events
Method
MakeForced(const std::string& name, const DcnModelFile& model)
{
    return {name + " (teacher-forced)", [model](const M4GroundTruth& truth, M4ErrorTable& errors) {
                errors.Add(truth, M4RunTeacherForced(truth, model));
            }};
}

/// @return a model on its own events
Method
MakeModel(const std::string& name, const DcnModelFile& model)
{
    return {name, [model](const M4GroundTruth& truth, M4ErrorTable& errors) {
                M4SpreadTable spread;
                const auto fctNs = M4Run(*truth.scenario, model, nullptr, nullptr, &spread);
                errors.Add(truth, fctNs, &spread);
            }};
}

/// Prints and writes errors.
void
WriteTable(const std::vector<Method>& methods, const std::string& path)
{
    DcnFileWriter file(path);
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
    for (const Method& method : methods)
    {
        for (const auto& [group, errors] : method.errors.GetGroups())
        {
            std::printf("%-40s %-9s %8.2f %8.2f %8.2f %8.2f %9.2f %9.1f\n",
                        method.name.c_str(),
                        group.c_str(),
                        100 * errors.GetMean(),
                        100 * errors.GetP90(),
                        100 * errors.GetBias(),
                        100 * errors.GetP99Error(),
                        100 * errors.GetP99Bias(),
                        100 * errors.GetCoverage());
            file.Stream() << method.name << ',' << group << ',' << errors.GetNFlows() << ','
                          << errors.GetMean() << ',' << errors.GetP90() << ',' << errors.GetBias()
                          << ',' << errors.GetP99Error() << ',' << errors.GetP99Bias() << ','
                          << errors.GetCoverage() << '\n';
        }
    }
    file.Commit();
}

} // namespace

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
        std::vector<Method> methods{MakeEstimator("flowsim"),
                                    MakeEstimator("flowsim:WindowCap=true"),
                                    MakeForced("untrained", M4MakeUntrained())};
        for (const std::string& folder : DcnSplitValues("models", models))
        {
            const DcnModelFile model = DcnModelFile::Read(folder, "m4");
            methods.push_back(MakeModel(folder, model));
            methods.push_back(MakeForced(folder, model));
        }
        if (noise)
        {
            methods.push_back({"packet again", [](const auto& truth, auto& errors) {
                                   errors.Add(truth, M4RepeatPackets(truth.scenario));
                               }});
        }
        DcnProgress progress("m4-evaluate", set.GetNValidation(), "simulations");
        for (uint64_t i = 0; i < set.GetNValidation(); ++i)
        {
            const auto truth = set.ReadValidation(i);
            for (Method& method : methods)
            {
                method.add(*truth, method.errors);
            }
            progress.Update(i + 1);
        }
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        WriteTable(methods, out + "/evaluate.csv");
        return 0;
    });
}
