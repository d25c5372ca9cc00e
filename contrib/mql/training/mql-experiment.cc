/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-experiment.h"

#include "../truth/mql-truth-files.h"
#include "mql-training.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlExperiment");

namespace
{

/// Whether a configuration has one of the values that a recipe gives to keys.
bool
HasOneOf(const MqlTruthConfig& config, const DcnRecipe& values)
{
    const auto& keys = MqlTruthConfig::GetKeys();
    return std::any_of(keys.begin(), keys.end(), [&](const DcnRecipeKey& key) {
        return values.CanBe(key.name, config.Get(key.name));
    });
}

/// Size, pattern and arrivals of a configuration.
std::string
GroupOf(const MqlTruthConfig& config)
{
    const bool isTrace = config.IsSet("trace");
    std::ostringstream group;
    group << (config.Get("topology") == "fat-tree" ? "FT" : "2T") << config.GetNHosts()
          << (isTrace ? "" : " " + config.Get("pattern"))
          << (config.Get("routing") == "split" ? " split" : "") << " "
          << (isTrace ? "trace" : config.Get("arrivals"))
          << (config.Get("rates") == "uniform" ? " unequal" : "");
    return group.str();
}

/// A score with the stems of its columns in evaluation.csv.
const std::vector<std::pair<const char*, double MqlScore::*>> SCORES{
    {"mape", &MqlScore::mape},
    {"wait_mape", &MqlScore::waitMape},
    {"w1_mean", &MqlScore::w1Mean},
    {"w1_p99", &MqlScore::w1P99},
    {"p99_mape", &MqlScore::p99Mape}};

} // namespace

MqlExperiment::MqlExperiment(const std::string& folder,
                             const std::string& only,
                             const std::string& holdOut)
    : m_folder(folder),
      m_holdOut(holdOut)
{
    if (!std::filesystem::is_directory(folder))
    {
        DcnFail("the folder '", folder, "' does not exist (dcn-mql-truth makes it)");
    }
    MqlTruthConfig used;
    MqlTruthConfig held;
    used.SetAll(only);
    held.SetAll(holdOut);
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (!std::filesystem::exists(entry.path() / "run.csv"))
        {
            continue;
        }
        Row row;
        row.path = entry.path().string();
        row.run = std::make_shared<MqlTruthRun>(MqlReadTruthRun(row.path));
        row.isHeldOut = HasOneOf(row.run->config, held);
        if (only.empty() || HasOneOf(row.run->config, used))
        {
            m_rows.push_back(std::move(row));
        }
    }
    if (m_rows.empty())
    {
        DcnFail("there is no configuration", only.empty() ? "" : " with " + only, " in ", folder);
    }
    std::sort(m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) {
        return a.path < b.path;
    });
    NS_LOG_INFO(m_rows.size() << " configurations in " << folder << ", of which "
                              << std::count_if(m_rows.begin(),
                                               m_rows.end(),
                                               [](const Row& row) { return row.isHeldOut; })
                              << " are held out");
}

MqlExperiment::~MqlExperiment() = default;

void
MqlExperiment::Load(const std::function<void(uint64_t)>& step)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        m_rows[i].one = std::make_unique<MqlCase>(MqlCase::Read(m_rows[i].path));
        m_rows[i].one->Solve();
        step(i + 1);
    }
}

void
MqlExperiment::RequireOneEngine() const
{
    std::map<std::string, const Row*> first; // by kind of engine
    for (const auto& row : m_rows)
    {
        if (row.run->engineDigest == DCN_UNKNOWN_ORIGIN)
        {
            DcnFail(row.path,
                    " does not say which program simulated it, as in dcn 0.1, and cannot "
                    "be trained with: simulate it again with dcn-mql-truth in another folder; its "
                    "configuration is in its run.csv");
        }
        const Row& other = *first.emplace(row.run->config.Get("engine"), &row).first->second;
        if (row.run->engineDigest != other.run->engineDigest)
        {
            DcnFail("simulations to train with must come from one program, but ",
                    other.path,
                    " is of ",
                    other.run->engineDigest,
                    " and ",
                    row.path,
                    " of ",
                    row.run->engineDigest,
                    ": simulate one of them again with dcn-mql-truth");
        }
    }
}

void
MqlExperiment::Train(const MqlExperimentOptions& options)
{
    RequireOneEngine();
    if (!m_holdOut.empty() &&
        std::none_of(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.isHeldOut; }))
    {
        DcnFail("no configuration has one of the values ",
                m_holdOut,
                ", so none would be held out; an empty list trains on all");
    }
    m_options = options;
    MqlTrainingOptions how;
    how.tree.maxDepth = how.p99Tree.maxDepth = options.maxDepth;
    how.tree.minLeafRows = options.minLeafRows;
    how.p99Tree.minLeafRows = options.p99LeafRows;
    how.tree.threads = how.p99Tree.threads = options.threads;
    how.extraFeatures = options.extraFeatures;
    how.rowShare = options.rowShare;
    how.seed = options.seed;
    MqlTraining training(how);
    for (const auto& row : m_rows)
    {
        if (!row.isHeldOut)
        {
            training.Add(*row.one);
        }
    }
    m_correction = std::make_unique<MqlCorrection>(training.Fit());
    for (const auto& row : m_rows)
    {
        if (!row.isHeldOut)
        {
            training.AddPercentiles(*row.one, *m_correction);
        }
    }
    training.FitPercentiles(*m_correction);
    m_nRows = training.GetNRows();
}

void
MqlExperiment::ReadCorrection(const std::string& path)
{
    m_correction = std::make_unique<MqlCorrection>(MqlCorrection::Read(path));
}

void
MqlExperiment::Evaluate(uint32_t threads)
{
    DcnParallelFor(m_rows.size(), threads, [&](std::size_t i) {
        m_rows[i].alone = MqlEvaluate(*m_rows[i].one, nullptr);
        m_rows[i].corrected = MqlEvaluate(*m_rows[i].one, m_correction.get());
    });
}

const std::vector<MqlExperiment::Row>&
MqlExperiment::GetRows() const
{
    return m_rows;
}

double
MqlExperiment::GetMean(bool isHeldOut, double MqlScore::*member, bool isCorrected) const
{
    double sum = 0;
    double n = 0;
    for (const auto& row : m_rows)
    {
        if (row.isHeldOut == isHeldOut && row.alone.flows > 0)
        {
            sum += (isCorrected ? row.corrected : row.alone).*member;
            n++;
        }
    }
    return n > 0 ? sum / n : 0;
}

void
MqlExperiment::PrintImportances() const
{
    constexpr double LEAST = 0.02; // smallest importance that is printed
    for (const auto& [name, tree] : m_correction->GetTrees())
    {
        std::printf("\n%s: %u leaves, depth %u; importances:",
                    name.c_str(),
                    tree.GetNLeaves(),
                    tree.GetDepth());
        const auto& names =
            name == MqlCorrection::P99 ? MqlRoundTripFeatures::GetNames() : MqlFeatures::GetNames();
        const auto importances = tree.GetImportances();
        for (std::size_t f = 0; f < importances.size(); ++f)
        {
            if (importances[f] >= LEAST)
            {
                std::printf(" %s %.0f %%", names[f].c_str(), 100 * importances[f]);
            }
        }
    }
    std::printf("\n");
}

std::map<std::string, MqlExperiment::Group>
MqlExperiment::GetGroups(bool isHeldOut) const
{
    std::map<std::string, Group> groups;
    for (const auto& row : m_rows)
    {
        if (row.isHeldOut != isHeldOut || row.alone.flows == 0)
        {
            continue;
        }
        std::ostringstream load;
        load << "load " << row.run->config.GetNumber("load");
        for (const std::string& name : {GroupOf(row.run->config), load.str()})
        {
            Group& group = groups[name];
            group.n++;
            group.alone += row.alone.mape;
            group.corrected += row.corrected.mape;
            group.noise += row.alone.noise;
        }
    }
    for (auto& [name, group] : groups)
    {
        group.alone /= group.n;
        group.corrected /= group.n;
        group.noise /= group.n;
    }
    return groups;
}

void
MqlExperiment::PrintTable(bool isHeldOut) const
{
    std::printf("\n%s configurations, errors of mean round trips\n%-34s %4s %8s %9s %8s\n",
                isHeldOut ? "held-out" : "training",
                "",
                "n",
                "model",
                "corrected",
                "noise");
    for (const auto& [name, group] : GetGroups(isHeldOut))
    {
        std::printf("%-34s %4.0f %6.2f %% %7.2f %% %6.2f %%\n",
                    name.c_str(),
                    group.n,
                    100 * group.alone,
                    100 * group.corrected,
                    100 * group.noise);
    }
    std::printf("%-34s      ", "means over configurations");
    for (const auto& [name, score] : SCORES)
    {
        std::printf("  %s %.4f > %.4f",
                    name,
                    GetMean(isHeldOut, score, false),
                    GetMean(isHeldOut, score, true));
    }
    std::printf("\n");
}

void
MqlExperiment::Write(const std::string& folder, const std::string& command) const
{
    WriteEvaluation(folder + "/evaluation.csv");
    if (m_nRows.first > 0)
    {
        m_correction->Write(folder + "/correction.json");
        WriteCard(command, folder + "/card.json");
    }
}

void
MqlExperiment::WriteEvaluation(const std::string& path) const
{
    DcnFileWriter file(path);
    auto& out = file.Stream();
    out << "configuration,held_out,flows";
    for (const auto& [name, score] : SCORES)
    {
        out << ',' << name << "_model," << name << "_mql"
            << (score == &MqlScore::mape ? ",noise" : "");
    }
    for (const auto& row : m_rows)
    {
        out << '\n' << row.run->config.GetName() << ',' << row.isHeldOut << ',' << row.alone.flows;
        for (const auto& [name, score] : SCORES)
        {
            out << ',' << row.alone.*score << ',' << row.corrected.*score;
            if (score == &MqlScore::mape)
            {
                out << ',' << row.alone.noise;
            }
        }
    }
    out << '\n';
    file.Commit();
}

void
MqlExperiment::WriteCard(const std::string& command, const std::string& path) const
{
    DcnModelCard card("mql");
    std::size_t held = 0;
    std::string truth; // configurations and their measured round trips
    for (const auto& row : m_rows)
    {
        held += row.isHeldOut ? 1 : 0;
        truth += row.run->config.ToFullText() + "\n";
        for (const auto& flow : row.one->GetTruth().flows)
        {
            truth += std::to_string(flow.packets) + " " + std::to_string(flow.rttNs) + "\n";
        }
    }
    // Distinct texts of all configurations, with a plus between them.
    const auto join = [this](const auto& get) {
        std::set<std::string> texts;
        for (const auto& row : m_rows)
        {
            texts.insert(get(row));
        }
        std::string all;
        for (const std::string& text : texts)
        {
            all += (all.empty() ? "" : "+") + text;
        }
        return all;
    };
    const std::string engines = join([](const Row& row) { return row.run->engineDigest; });
    const auto set = [&card](const char* key, double value) { card.Set("training", key, value); };
    card.Set("training", "file", "correction.json");
    card.Set("training",
             "method",
             "one regression tree per queue type, target (W_sim - W_model) / S_ref");
    set("correction_version", MqlCorrection::VERSION);
    set("features", m_correction->GetNFeatures());
    set("max_depth", m_options.maxDepth);
    set("min_leaf_rows", m_options.minLeafRows);
    set("row_share", m_options.rowShare);
    set("seed", m_options.seed);
    card.Set("training", "held_out", m_holdOut);
    set("training_configurations", m_rows.size() - held);
    set("held_out_configurations", held);
    set("rows", m_nRows.first);
    set("merged_rows", m_nRows.second);
    for (const auto& [name, tree] : m_correction->GetTrees())
    {
        card.Set("leaves", name, tree.GetNLeaves());
    }
    card.Set("errors",
             "what",
             "mean absolute relative error of mean round trips, mean over configurations");
    for (const bool isHeldOut : {false, true})
    {
        const std::string name = isHeldOut ? "held out, " : "training, ";
        card.Set("errors", name + "model", GetMean(isHeldOut, &MqlScore::mape, false));
        card.Set("errors", name + "mql", GetMean(isHeldOut, &MqlScore::mape, true));
    }
    for (const auto& [name, group] : GetGroups(true))
    {
        card.Set("errors", "held out, " + name, group.n);
        card.Set("errors", "held out, " + name + ", model", group.alone);
        card.Set("errors", "held out, " + name + ", mql", group.corrected);
    }
    card.SetOrigin(command, engines);
    card.AddData({{"name", std::filesystem::path(m_folder + "/").parent_path().filename()},
                  {"hash", DcnHashText(truth)},
                  {"engine_digest", engines},
                  {"dcn_release", join([](const Row& row) { return row.run->release; })},
                  {"date", join([](const Row& row) { return row.run->date; })},
                  {"recipe", "the configurations of evaluation.csv"},
                  {"seed", join([](const Row& row) {
                       return std::to_string(row.run->config.GetWhole("seed"));
                   })},
                  {"command", join([](const Row& row) { return row.run->command; })}},
                 m_rows.size());
    DcnFileWriter file(path);
    card.Write(file.Stream());
    file.Commit();
}

} // namespace ns3
