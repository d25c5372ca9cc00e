/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Train MQL's correction on simulated configurations, and say how good it is on others.
 *
 * Reads what dcn-mql-truth has written (--truth). Configurations that have one of the values named
 * in --holdOut are not trained on; they are what the errors that count are of. With
 * --protocol=random, the dissertation's protocol, 60 % of the rows of all configurations are trained
 * on, and the errors are those of all configurations, so that most of what is tested was seen.
 * Writes correction.json, card.json and evaluation.csv.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-progress.h"
#include "ns3/mql-training.h"
#include "ns3/mql-truth-files.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A configuration with what became of it.
struct Row
{
    std::string path;                //!< its folder
    MqlTruthConfig config;           //!< the configuration
    bool heldOut{false};             //!< not trained on
    std::unique_ptr<MqlCase> one;    //!< simulation and model
    MqlScore alone;                  //!< errors of the model
    MqlScore corrected;              //!< errors with the correction
};

/// Whether a configuration has one of the values in "key=value,key=value".
bool
HasOneOf(const MqlTruthConfig& config, const std::string& list)
{
    const std::string text = "," + config.ToText() + ",";
    std::istringstream values(list);
    std::string value;
    while (std::getline(values, value, ','))
    {
        if (text.find("," + value + ",") != std::string::npos)
        {
            return true;
        }
    }
    return false;
}

/// Configurations in a folder, by name.
std::vector<Row>
FindRows(const std::string& folder, const std::string& only, const std::string& holdOut)
{
    std::vector<Row> rows;
    if (!std::filesystem::is_directory(folder))
    {
        DcnFail("the folder '", folder, "' does not exist (dcn-mql-truth makes it)");
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (!std::filesystem::exists(entry.path() / "run.csv"))
        {
            continue;
        }
        Row row;
        row.path = entry.path().string();
        row.config = MqlReadTruthConfig(row.path);
        row.heldOut = HasOneOf(row.config, holdOut);
        if (only.empty() || HasOneOf(row.config, only))
        {
            rows.push_back(std::move(row));
        }
    }
    if (rows.empty())
    {
        DcnFail("there is no configuration in ", folder);
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.path < b.path; });
    return rows;
}

/// What a line of the table is of: size, pattern, arrivals and load, and which side it is on.
std::string
GroupOf(const Row& row, bool withLoad)
{
    std::ostringstream group;
    group << (row.config.topology == "fat-tree" ? "FT" : "2T") << row.config.GetNHosts() << " "
          << row.config.pattern << (row.config.routing == "split" ? " split" : "") << " "
          << (row.config.trace.empty() ? row.config.arrivals : "trace");
    if (row.config.rates == "uniform")
    {
        group << " unequal";
    }
    if (withLoad)
    {
        group << " " << row.config.load;
    }
    return group.str();
}

/// Mean errors of groups of configurations, and of all.
void
PrintTable(const std::vector<Row>& rows, bool heldOut, bool withLoad)
{
    struct Sum
    {
        double n{0};
        double values[9]{};
    };
    std::map<std::string, Sum> groups;
    for (const auto& row : rows)
    {
        if (row.heldOut != heldOut || row.alone.flows == 0)
        {
            continue;
        }
        const double values[]{row.alone.mape,
                              row.corrected.mape,
                              row.corrected.noise,
                              row.alone.waitMape,
                              row.corrected.waitMape,
                              row.alone.w1Mean,
                              row.corrected.w1Mean,
                              row.alone.w1P99,
                              row.corrected.w1P99};
        for (const std::string& group : {GroupOf(row, withLoad), std::string("~ all")})
        {
            groups[group].n++;
            for (std::size_t i = 0; i < 9; ++i)
            {
                groups[group].values[i] += values[i];
            }
        }
    }
    std::printf("\n%s configurations; model alone > with correction\n%-34s %4s %15s %7s %15s %17s "
                "%17s\n",
                heldOut ? "held-out" : "training",
                "",
                "n",
                "round trip MAPE",
                "noise",
                "waiting MAPE",
                "w1 mean",
                "w1 p99");
    for (const auto& [group, sum] : groups)
    {
        const double* v = sum.values;
        const double n = sum.n;
        std::printf("%-34s %4.0f %6.2f > %4.2f %% %5.2f %% %6.2f > %4.2f %% %7.4f > %6.4f %7.4f > "
                    "%6.4f\n",
                    group.c_str(),
                    n,
                    100 * v[0] / n,
                    100 * v[1] / n,
                    100 * v[2] / n,
                    100 * v[3] / n,
                    100 * v[4] / n,
                    v[5] / n,
                    v[6] / n,
                    v[7] / n,
                    v[8] / n);
    }
}

/// Errors of every configuration.
void
WriteEvaluation(const std::vector<Row>& rows, const std::string& path)
{
    DcnFileWriter file(path);
    auto& out = file.Stream();
    out << "configuration,held_out,flows,mape_model,mape_mql,noise,wait_mape_model,wait_mape_mql,"
           "w1_mean_model,w1_mean_mql,w1_p99_model,w1_p99_mql\n";
    for (const auto& row : rows)
    {
        out << row.config.GetName() << ',' << row.heldOut << ',' << row.alone.flows << ','
            << row.alone.mape << ',' << row.corrected.mape << ',' << row.alone.noise << ','
            << row.alone.waitMape << ',' << row.corrected.waitMape << ',' << row.alone.w1Mean << ','
            << row.corrected.w1Mean << ',' << row.alone.w1P99 << ',' << row.corrected.w1P99 << '\n';
    }
    file.Commit();
}

/// Mean of a score over the configurations of one side.
double
MeanOf(const std::vector<Row>& rows, bool heldOut, double MqlScore::*member, bool corrected)
{
    double sum = 0;
    double n = 0;
    for (const auto& row : rows)
    {
        if (row.heldOut == heldOut && row.alone.flows > 0)
        {
            sum += (corrected ? row.corrected : row.alone).*member;
            n++;
        }
    }
    return n > 0 ? sum / n : 0;
}

/// What the model was trained on, and its errors.
void
WriteCard(const std::vector<Row>& rows,
          const MqlCorrection& correction,
          const MqlTraining& training,
          const MqlTrainingOptions& options,
          const std::string& holdOut,
          const std::string& path)
{
    std::size_t held = 0;
    for (const auto& row : rows)
    {
        held += row.heldOut ? 1 : 0;
    }
    DcnFileWriter file(path);
    auto& out = file.Stream();
    out << "{\n  \"model\": \"correction.json\",\n  \"method\": \"mql: one regression tree per "
           "queue type, target (W_sim - W_model) / S_ref\",\n  \"version\": "
        << MqlCorrection::VERSION << ",\n  \"features\": " << correction.GetNFeatures()
        << ",\n  \"max_depth\": " << options.tree.maxDepth
        << ",\n  \"min_leaf_rows\": " << options.tree.minLeafRows
        << ",\n  \"row_share\": " << options.rowShare << ",\n  \"seed\": " << options.seed
        << ",\n  \"held_out\": \"" << holdOut << "\",\n  \"training_configurations\": "
        << rows.size() - held << ",\n  \"held_out_configurations\": " << held
        << ",\n  \"rows\": " << training.GetNRows().first
        << ",\n  \"merged_rows\": " << training.GetNRows().second << ",\n  \"leaves\": {";
    const char* separator = "";
    for (const auto& [name, tree] : correction.GetTrees())
    {
        out << separator << "\"" << name << "\": " << tree.GetNLeaves();
        separator = ", ";
    }
    out << "},\n  \"round_trip_mape\": {\"training_model\": "
        << MeanOf(rows, false, &MqlScore::mape, false)
        << ", \"training_mql\": " << MeanOf(rows, false, &MqlScore::mape, true)
        << ", \"held_out_model\": " << MeanOf(rows, true, &MqlScore::mape, false)
        << ", \"held_out_mql\": " << MeanOf(rows, true, &MqlScore::mape, true) << "},\n"
        << "  \"ground_truth\": \"dcn-mql-truth, engine exact (equal to ns-3 packet by packet but "
           "for simultaneous arrivals)\"\n}\n";
    file.Commit();
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string truth = "results/mql-truth";
    std::string only;
    std::string holdOut = "hash_seed=11,hash_seed=12,load=0.6,k=12,k=16,topology=two-tier";
    std::string protocol = "grouped";
    std::string features = "all";
    std::string model;
    std::string out = "results/mql-model";
    bool measured = false;
    bool loads = false;
    uint32_t threads = 1;
    MqlTrainingOptions options;
    options.tree.minLeafRows = 5;
    CommandLine cmd(__FILE__);
    cmd.Usage("Train MQL's correction on simulated configurations.");
    DcnAddText(cmd, "truth", "Folder that dcn-mql-truth has written", truth);
    DcnAddText(cmd, "only", "Use configurations with one of these values alone", only);
    DcnAddText(cmd, "holdOut", "Do not train on configurations with one of these values", holdOut);
    DcnAddText(cmd, "protocol", "grouped, or random: 60 % of all rows (dissertation)", protocol);
    DcnAddText(cmd, "features", "all, or table-4.2: the dissertation's eleven", features);
    DcnAddText(cmd, "model", "Evaluate this correction.json and train nothing", model);
    DcnAddText(cmd, "out", "Folder for the files", out);
    cmd.AddValue("measured", "Give the model rates and C2 as measured at the sources", measured);
    cmd.AddValue("loads", "Print a line for each load", loads);
    cmd.AddValue("depth", "Largest depth of a tree", options.tree.maxDepth);
    cmd.AddValue("minLeafRows", "Fewest merged rows in a leaf", options.tree.minLeafRows);
    cmd.AddValue("minLeafWeight", "Smallest share of all weight in a leaf", options.tree.minLeafWeight);
    cmd.AddValue("seed", "Seed of the random rows", options.seed);
    cmd.AddValue("threads", "Threads", threads);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("mql-train", [&]() {
        if ((protocol != "grouped" && protocol != "random") ||
            (features != "all" && features != "table-4.2") || threads == 0)
        {
            DcnFail("--protocol must be grouped or random, --features all or table-4.2, and "
                    "--threads at least 1");
        }
        const bool random = protocol == "random";
        options.rowShare = random ? 0.6 : 1;
        options.extraFeatures = features == "all";
        options.tree.threads = threads;
        DcnMakeFolder(out);
        auto rows = FindRows(truth, only, random ? "" : holdOut);
        MqlCaseOptions caseOptions;
        caseOptions.measured = measured;
        DcnProgress progress("mql-train", rows.size(), "configurations");
        MqlTraining training(options);
        MqlCorrection correction;
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            rows[i].one = std::make_unique<MqlCase>(rows[i].path, caseOptions);
            if (model.empty() && !rows[i].heldOut)
            {
                training.Add(*rows[i].one);
            }
            progress.Update(i + 1);
        }
        if (model.empty())
        {
            const auto start = std::chrono::steady_clock::now();
            correction = training.Fit();
            for (const auto& row : rows)
            {
                if (!row.heldOut)
                {
                    training.AddPercentiles(*row.one, correction);
                }
            }
            training.FitPercentiles(correction);
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            std::printf("trained on %" PRIu64 " rows, %" PRIu64 " after merging, in %.1f s\n",
                        training.GetNRows().first,
                        training.GetNRows().second,
                        elapsed.count());
        }
        else
        {
            correction = MqlCorrection::Read(model);
        }
        DcnParallelFor(rows.size(), threads, [&](std::size_t i) {
            rows[i].alone = MqlEvaluate(*rows[i].one, nullptr);
            rows[i].corrected = MqlEvaluate(*rows[i].one, &correction);
        });
        for (const auto& [name, tree] : correction.GetTrees())
        {
            std::printf("\n%s: %u leaves, depth %u; importances:", name.c_str(), tree.GetNLeaves(),
                        tree.GetDepth());
            const auto& names = name == MqlCorrection::P99 ? MqlRoundTripFeatures::GetNames()
                                                           : MqlFeatures::GetNames();
            const auto importances = tree.GetImportances();
            for (std::size_t f = 0; f < importances.size(); ++f)
            {
                if (importances[f] >= 0.02)
                {
                    std::printf(" %s %.0f %%", names[f].c_str(), 100 * importances[f]);
                }
            }
        }
        std::printf("\n");
        PrintTable(rows, false, loads);
        PrintTable(rows, true, loads);
        WriteEvaluation(rows, out + "/evaluation.csv");
        if (model.empty())
        {
            correction.Write(out + "/correction.json");
            WriteCard(rows, correction, training, options, random ? "" : holdOut, out + "/card.json");
        }
        std::printf("\nwritten to %s\n", out.c_str());
        return 0;
    });
}
