/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-experiment.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// Keys and values of "key=value,key=value".
std::vector<std::pair<std::string, std::string>>
SplitPairs(const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    std::istringstream list(text);
    std::string pair;
    while (std::getline(list, pair, ','))
    {
        const auto equals = pair.find('=');
        if (equals == std::string::npos)
        {
            DcnFail("'", pair, "' in the list of values '", text, "' is not of the form key=value");
        }
        pairs.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
    return pairs;
}

/// Refuses a key that no configuration has: it would silently hold out nothing.
void
CheckKeys(const std::string& list)
{
    const auto known = SplitPairs(MqlTruthConfig().ToText());
    for (const auto& [key, value] : SplitPairs(list))
    {
        if (std::none_of(known.begin(), known.end(), [&, name = key](const auto& one) {
                return one.first == name;
            }))
        {
            DcnFail("there is no key '", key, "' in configurations, but '", list, "' names it");
        }
    }
}

/// Whether a configuration has one of the values in "key=value,key=value"; numbers count as such.
bool
HasOneOf(const MqlTruthConfig& config, const std::string& list)
{
    const auto has = SplitPairs(config.ToText());
    for (const auto& [key, value] : SplitPairs(list))
    {
        // What the other topology would be has no meaning.
        if (config.topology == "fat-tree" ? key == "hosts" || key == "radix" : key == "k")
        {
            continue;
        }
        for (const auto& [hasKey, hasValue] : has)
        {
            double wanted = 0;
            double there = 0;
            if (hasKey == key &&
                (hasValue == value ||
                 (DcnParse(value, wanted) && DcnParse(hasValue, there) && wanted == there)))
            {
                return true;
            }
        }
    }
    return false;
}

/// What a line of the table is of: size, pattern, arrivals and load, and which side it is on.
std::string
GroupOf(const MqlExperiment::Row& row, bool withLoad)
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
    CheckKeys(only);
    CheckKeys(holdOut);
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (!std::filesystem::exists(entry.path() / "run.csv"))
        {
            continue;
        }
        Row row;
        row.path = entry.path().string();
        row.config = MqlReadTruthConfig(row.path);
        row.origin = MqlReadTruthOrigin(row.path);
        row.isHeldOut = HasOneOf(row.config, holdOut);
        if (only.empty() || HasOneOf(row.config, only))
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
}

void
MqlExperiment::Load(const MqlCaseOptions& options, const Step& step)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        m_rows[i].one = std::make_unique<MqlCase>(m_rows[i].path, options);
        step(i + 1);
    }
}

void
MqlExperiment::Repeat(const std::string& folder)
{
    if (!std::filesystem::is_directory(folder))
    {
        DcnFail("the folder '", folder, "' does not exist (dcn-mql-truth makes it)");
    }
    bool found = false;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (!std::filesystem::exists(entry.path() / "run.csv"))
        {
            continue;
        }
        const auto config = MqlReadTruthConfig(entry.path().string());
        for (auto& row : m_rows)
        {
            auto other = config;
            other.seed = row.config.seed;
            if (config.seed != row.config.seed && other.ToText() == row.config.ToText())
            {
                row.repeated = MqlCompareTruths(*row.one, MqlCase(entry.path().string(), {}));
                found = true;
            }
        }
    }
    if (!found)
    {
        DcnFail("no simulation in ", folder, " differs from one of the configurations in the seed "
                "alone");
    }
}

void
MqlExperiment::RequireOneEngine() const
{
    std::map<std::string, const Row*> first; // by kind of engine
    for (const auto& row : m_rows)
    {
        if (row.origin.engineDigest == DCN_UNKNOWN_ORIGIN)
        {
            DcnFail(row.path, " does not say which program simulated it, as in dcn 0.1, and cannot "
                    "be trained with: simulate it again with dcn-mql-truth in another folder; its "
                    "configuration is in its run.csv");
        }
        const Row& other = *first.emplace(row.config.engine, &row).first->second;
        if (row.origin.engineDigest != other.origin.engineDigest)
        {
            DcnFail("what is trained with must be simulated by one program, but ", other.path,
                    " is of ", other.origin.engineDigest, " and ", row.path, " of ",
                    row.origin.engineDigest, ": simulate one of them again with dcn-mql-truth");
        }
    }
}

MqlCorrection
MqlExperiment::Train(const MqlTrainingOptions& options)
{
    RequireOneEngine();
    if (!m_holdOut.empty() && std::none_of(m_rows.begin(), m_rows.end(), [](const Row& row) {
            return row.isHeldOut;
        }))
    {
        DcnFail("no configuration has one of the values ", m_holdOut,
                ", so none would be held out; an empty list trains on all");
    }
    MqlTraining training(options);
    for (const auto& row : m_rows)
    {
        if (!row.isHeldOut)
        {
            training.Add(*row.one);
        }
    }
    MqlCorrection correction = training.Fit();
    for (const auto& row : m_rows)
    {
        if (!row.isHeldOut)
        {
            training.AddPercentiles(*row.one, correction);
        }
    }
    training.FitPercentiles(correction);
    m_nRows = training.GetNRows();
    return correction;
}

void
MqlExperiment::Evaluate(const MqlCorrection& correction, uint32_t threads)
{
    DcnParallelFor(m_rows.size(), threads, [&](std::size_t i) {
        m_rows[i].alone = MqlEvaluate(*m_rows[i].one, nullptr);
        m_rows[i].corrected = MqlEvaluate(*m_rows[i].one, &correction);
    });
}

const std::vector<MqlExperiment::Row>&
MqlExperiment::GetRows() const
{
    return m_rows;
}

std::pair<uint64_t, uint64_t>
MqlExperiment::GetNTrainingRows() const
{
    return m_nRows;
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
MqlExperiment::PrintTable(bool isHeldOut, bool withLoad) const
{
    struct Sum
    {
        double n{0};
        double values[9]{};
    };
    std::map<std::string, Sum> groups;
    for (const auto& row : m_rows)
    {
        if (row.isHeldOut != isHeldOut || row.alone.flows == 0)
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
                isHeldOut ? "held-out" : "training",
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

void
MqlExperiment::PrintPercentiles(bool isHeldOut) const
{
    using Member = double MqlScore::*;
    static const std::vector<Member> members{&MqlScore::w1P99,
                                             &MqlScore::w1P99Range,
                                             &MqlScore::p99Mape,
                                             &MqlScore::p99OfMeans,
                                             &MqlScore::p99Pooled};
    struct Sum
    {
        double n{0};                     //!< configurations
        double nRepeated{0};             //!< of these, simulated twice
        std::vector<double> values[3]{}; //!< of the model, with correction, of another seed
    };
    std::map<std::string, Sum> groups;
    for (const auto& row : m_rows)
    {
        if (row.isHeldOut != isHeldOut || row.alone.flows == 0)
        {
            continue;
        }
        auto& sum = groups[GroupOf(row, false)];
        sum.n++;
        sum.nRepeated += row.repeated.flows > 0 ? 1 : 0;
        const MqlScore* scores[]{&row.alone, &row.corrected, &row.repeated};
        for (std::size_t i = 0; i < 3; ++i)
        {
            sum.values[i].resize(members.size(), 0);
            for (std::size_t m = 0; m < members.size(); ++m)
            {
                sum.values[i][m] += scores[i]->*members[m];
            }
        }
    }
    std::printf("\n%s configurations, 99th percentiles; model alone > with correction, another "
                "seed of the simulation\n%-34s %4s %24s %24s %24s %24s %24s\n",
                isHeldOut ? "held-out" : "training",
                "",
                "n",
                "w1 over mean",
                "w1 over range",
                "error of flows",
                "p99 of mean round trips",
                "p99 of all packets");
    for (const auto& [group, sum] : groups)
    {
        std::printf("%-34s %4.0f", group.c_str(), sum.n);
        for (std::size_t m = 0; m < members.size(); ++m)
        {
            std::printf("  %6.4f > %6.4f",
                        sum.values[0][m] / sum.n,
                        sum.values[1][m] / sum.n);
            if (sum.nRepeated > 0)
            {
                std::printf(", %6.4f", sum.values[2][m] / sum.nRepeated);
            }
            else
            {
                std::printf("%8s", "");
            }
        }
        std::printf("\n");
    }
}

void
MqlExperiment::WriteEvaluation(const std::string& path) const
{
    DcnFileWriter file(path);
    auto& out = file.Stream();
    out << "configuration,held_out,flows,mape_model,mape_mql,noise,wait_mape_model,wait_mape_mql,"
           "w1_mean_model,w1_mean_mql,w1_p99_model,w1_p99_mql,p99_mape_model,p99_mape_mql,"
           "p99_of_means_model,p99_of_means_mql,p99_pooled_model,p99_pooled_mql,w1_mean_repeated,"
           "w1_p99_repeated\n";
    for (const auto& row : m_rows)
    {
        out << row.config.GetName() << ',' << row.isHeldOut << ',' << row.alone.flows << ','
            << row.alone.mape << ',' << row.corrected.mape << ',' << row.alone.noise << ','
            << row.alone.waitMape << ',' << row.corrected.waitMape << ',' << row.alone.w1Mean << ','
            << row.corrected.w1Mean << ',' << row.alone.w1P99 << ',' << row.corrected.w1P99 << ','
            << row.alone.p99Mape << ',' << row.corrected.p99Mape << ',' << row.alone.p99OfMeans
            << ',' << row.corrected.p99OfMeans << ',' << row.alone.p99Pooled << ','
            << row.corrected.p99Pooled << ',';
        if (row.repeated.flows > 0)
        {
            out << row.repeated.w1Mean;
        }
        out << ',';
        if (row.repeated.flows > 0)
        {
            out << row.repeated.w1P99;
        }
        out << '\n';
    }
    file.Commit();
}

void
MqlExperiment::WriteCard(const MqlCorrection& correction,
                         const MqlTrainingOptions& options,
                         const std::string& command,
                         const std::string& path) const
{
    DcnModelCard card("mql");
    std::size_t held = 0;
    std::set<std::string> engines;
    std::set<std::string> dates;
    std::set<std::string> releases;
    std::set<std::string> seeds;
    std::set<std::string> commands;
    std::string truth; // what was simulated, and what came of it
    struct Sum
    {
        double n{0};     //!< configurations
        double model{0}; //!< sum of their errors by the model alone
        double mql{0};   //!< with correction
    };
    std::map<std::string, Sum> groups;
    for (const auto& row : m_rows)
    {
        held += row.isHeldOut ? 1 : 0;
        engines.insert(row.origin.engineDigest);
        dates.insert(row.origin.date);
        releases.insert(row.origin.release);
        seeds.insert(std::to_string(row.config.seed));
        commands.insert(row.origin.command);
        truth += row.config.ToText() + "\n";
        for (const auto& flow : row.one->GetTruth().flows)
        {
            truth += std::to_string(flow.packets) + " " + std::to_string(flow.rttNs) + "\n";
        }
        if (row.isHeldOut && row.alone.flows > 0)
        {
            std::ostringstream load;
            load << "load " << row.config.load;
            for (const std::string& group : {GroupOf(row, false), load.str()})
            {
                Sum& sum = groups["held out, " + group];
                sum.n++;
                sum.model += row.alone.mape;
                sum.mql += row.corrected.mape;
            }
        }
    }
    auto join = [](const std::set<std::string>& texts) {
        std::string all;
        for (const std::string& text : texts)
        {
            all += (all.empty() ? "" : "+") + text;
        }
        return all;
    };
    card.Set("training", "file", "correction.json");
    card.Set("training",
             "method",
             "one regression tree per queue type, target (W_sim - W_model) / S_ref");
    card.Set("training", "correction_version", MqlCorrection::VERSION);
    card.Set("training", "features", correction.GetNFeatures());
    card.Set("training", "max_depth", options.tree.maxDepth);
    card.Set("training", "min_leaf_rows", static_cast<double>(options.tree.minLeafRows));
    card.Set("training", "row_share", options.rowShare);
    card.Set("training", "seed", static_cast<double>(options.seed));
    card.Set("training", "held_out", m_holdOut);
    card.Set("training", "training_configurations", static_cast<double>(m_rows.size() - held));
    card.Set("training", "held_out_configurations", static_cast<double>(held));
    card.Set("training", "rows", static_cast<double>(m_nRows.first));
    card.Set("training", "merged_rows", static_cast<double>(m_nRows.second));
    for (const auto& [name, tree] : correction.GetTrees())
    {
        card.Set("leaves", name, tree.GetNLeaves());
    }
    card.Set("errors",
             "what",
             "mean absolute relative error of mean round trips, mean over configurations");
    card.Set("errors", "training, model", GetMean(false, &MqlScore::mape, false));
    card.Set("errors", "training, mql", GetMean(false, &MqlScore::mape, true));
    card.Set("errors", "held out, model", GetMean(true, &MqlScore::mape, false));
    card.Set("errors", "held out, mql", GetMean(true, &MqlScore::mape, true));
    for (const auto& [group, sum] : groups)
    {
        card.Set("errors", group, sum.n);
        card.Set("errors", group + ", model", sum.model / sum.n);
        card.Set("errors", group + ", mql", sum.mql / sum.n);
    }
    card.SetOrigin(command, join(engines));
    card.AddData({{"name", std::filesystem::path(m_folder + "/").parent_path().filename()},
                  {"hash", DcnHashText(truth)},
                  {"engine_digest", join(engines)},
                  {"dcn_release", join(releases)},
                  {"date", join(dates)},
                  {"recipe", "the configurations of evaluation.csv"},
                  {"seed", join(seeds)},
                  {"command", join(commands)}},
                 m_rows.size());
    DcnFileWriter file(path);
    card.Write(file.Stream());
    file.Commit();
}

void
MqlPrintImportances(const MqlCorrection& correction)
{
    constexpr double LEAST = 0.02; // importance that is worth a word
    for (const auto& [name, tree] : correction.GetTrees())
    {
        std::printf("\n%s: %u leaves, depth %u; importances:",
                    name.c_str(),
                    tree.GetNLeaves(),
                    tree.GetDepth());
        const auto& names = name == MqlCorrection::P99 ? MqlRoundTripFeatures::GetNames()
                                                       : MqlFeatures::GetNames();
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

} // namespace ns3
