/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Figures and tables of MQL and of the similarity-based analysis (Narayana's dissertation,
 * chapters 4 and 5).
 *
 * The ground truth is a simulation of FIFO queues (engine=exact), which equals ns-3's devices and
 * queues (suite mql-truth); times are compared with ns-3's (engine=ns3).
 */

#include "paper-compare.h"
#include "paper-figure.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-progress.h"
#include "ns3/mql-evaluation.h"
#include "ns3/mql-solution.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// A configuration and its name in tables.
struct Case
{
    std::string name;          //!< such as "16 hosts, all-to-all, Poisson"
    std::string configuration; //!< MqlTruthConfig
};

/// Simulates a configuration and compares the model with it.
PaperNumbers
RunAccuracy(const std::string& configuration)
{
    MqlCase one(configuration);
    one.Simulate();
    one.Solve();
    const auto correction = MqlLoadShippedCorrection();
    const MqlScore score = MqlEvaluate(one, correction.get());
    const MqlScore alone = MqlEvaluate(one, nullptr);
    PaperNumbers numbers{{"mape", {score.mape}},
                         {"alone", {alone.mape}},
                         {"noise", {score.noise}},
                         {"w1", {score.w1Mean}},
                         {"w1 p99", {score.w1P99}},
                         {"flows", {static_cast<double>(score.flows)}}};
    const auto roundTrips = one.GetRoundTrips(correction.get());
    const auto truths = one.GetTrueRoundTrips();
    for (std::size_t i = 0; i < roundTrips.size(); ++i)
    {
        if (!std::isnan(truths[i]))
        {
            numbers["rtt truth"].push_back(1e3 * truths[i]);
            numbers["rtt model"].push_back(1e3 * roundTrips[i].GetMean());
        }
    }
    return numbers;
}

/// Runs RunAccuracy on configurations.
std::vector<PaperNumbers>
ComputeAccuracy(PaperRun& run, const std::vector<Case>& cases)
{
    std::vector<PaperTask> tasks;
    for (const Case& each : cases)
    {
        const std::string configuration = each.configuration;
        tasks.push_back({configuration, {"mql"}, [configuration]() {
                             return RunAccuracy(configuration);
                         }});
    }
    return run.Compute("mql-accuracy", tasks);
}

// figure 4.5: errors by pattern, arrivals and size

PaperResult
ComputeFigure45(PaperRun& run)
{
    std::vector<Case> cases;
    for (const int k : run.IsFull() ? std::vector<int>{4, 8, 12, 16} : std::vector<int>{4, 8})
    {
        for (const std::string pattern : {"all-to-all", "incast", "broadcast"})
        {
            for (const std::string arrivals : {"poisson", "ge"})
            {
                for (const std::string load : {"0.25", "0.5", "0.75"})
                {
                    const bool isThin = pattern == "all-to-all" && k > 8;
                    const double seconds = pattern == "all-to-all"
                                               ? run.Choose(k > 4 ? 2 : 10, k > 4 ? 10 : 30, 30)
                                               : run.Choose(k > 4 ? 60 : 20, 60);
                    cases.push_back({std::to_string(k * k * k / 4) + " hosts, " + pattern + ", " +
                                         (arrivals == "ge" ? "GE" : "Poisson"),
                                     "k=" + std::to_string(k) + ",pattern=" + pattern +
                                         ",arrivals=" + arrivals + ",load=" + load +
                                         (isThin ? k == 12 ? ",density=0.1" : ",density=0.06" : "") +
                                         ",duration_s=" + DcnToText(seconds) + ",seed=4,hash_seed=21"});
                }
            }
        }
    }
    const auto all = ComputeAccuracy(run, cases);
    PaperResult result;
    std::map<std::string, std::vector<double>> groups;
    std::map<std::string, std::vector<double>> noise;
    std::vector<double> everything;
    std::vector<double> gain;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const double mape = 100 * PaperGet(all[i], "mape");
        groups[cases[i].name].push_back(mape);
        noise[cases[i].name].push_back(100 * PaperGet(all[i], "noise"));
        everything.push_back(mape);
        gain.push_back(100 * PaperGet(all[i], "alone") - mape);
    }
    for (const auto& [name, values] : groups)
    {
        result.values[name + ", MAPE"] = PaperMean(values);
        result.AddOther(name + ", noise floor", "%", PaperMean(noise[name]));
        const std::size_t comma = name.find(", ");
        bars.push_back({name.substr(comma + 2), name.substr(0, comma), PaperMean(values).value});
    }
    result.values["all, MAPE"] = PaperMean(everything);
    result.AddOther("all, MAPE of the model alone less that of MQL", "%", PaperMean(gain));
    result.pictures.push_back(PaperPlotBars("mql-fig4.5",
                                            "Errors of the round trip by pattern and size",
                                            "MAPE [%]",
                                            bars));
    return result;
}

// figure 4.6 and table 4.6: distributions of round trips

/// Configurations of both.
std::vector<Case>
GetDistributions(const PaperRun& run)
{
    return {{"16 hosts",
             "k=4,load=0.5,seed=5,hash_seed=22,duration_s=" + std::string(run.Choose("20", "60"))},
            {"128 hosts",
             "k=8,load=0.5,seed=5,hash_seed=22,duration_s=" +
                 std::string(run.Choose("5", "20", "60"))}};
}

PaperResult
ComputeFigure46(PaperRun& run)
{
    const auto cases = GetDistributions(run);
    const auto all = ComputeAccuracy(run, cases);
    PaperResult result;
    std::vector<Gnuplot> panels;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        result.values[cases[i].name + ", Wasserstein distance over mean"] = {PaperGet(all[i], "w1")};
        panels.push_back(PaperMakeCdf(cases[i].name,
                                      "mean round trip of a flow [ms]",
                                      {{"simulation", all[i].at("rtt truth")},
                                       {"MQL", all[i].at("rtt model")}}));
    }
    result.pictures.push_back(
        PaperMakePanels("mql-fig4.6", "Round trips of flows, all-to-all", panels));
    return result;
}

PaperResult
ComputeTable46(PaperRun& run)
{
    const auto cases = GetDistributions(run);
    const auto all = ComputeAccuracy(run, cases);
    PaperResult result;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        for (const auto& [key, title] : {std::pair("w1", "mean"), std::pair("w1 p99", "p99")})
        {
            const double distance = PaperGet(all[i], key);
            result.values[cases[i].name + ", distance of the " + title] = {distance};
            bars.push_back({cases[i].name, title, distance});
        }
        result.AddOther(cases[i].name + ", noise floor (MAPE)",
                        "%",
                        {100 * PaperGet(all[i], "noise")});
    }
    result.pictures.push_back(PaperPlotBars("mql-table4.6",
                                            "Wasserstein distance of round trips",
                                            "distance over mean",
                                            bars));
    return result;
}

// times: table 4.5, figure 4.8

/// Times of the model and of ns-3, in processor seconds.
PaperNumbers
RunTimes(const std::string& configuration, double seconds, const std::optional<double>& similarity)
{
    MqlCase one(configuration + ",engine=ns3,duration_s=" + DcnToText(seconds) + ",warmup_s=0");
    MqlOptions options;
    options.similarity = similarity;
    // as a user sees it: with the reading of the correction, the first time in the process
    const DcnStopwatch watch;
    const auto correction = MqlLoadShippedCorrection();
    const double reading = watch.Get().cpuSeconds;
    one.Solve(options);
    const std::size_t flows = one.GetRoundTrips(correction.get()).size();
    const double model = watch.Get().cpuSeconds;
    // as for each further network: the correction and the code are in memory
    MqlCase next(configuration);
    const DcnStopwatch further;
    next.Solve(options);
    next.GetRoundTrips(correction.get());
    const double again = further.Get().cpuSeconds;
    one.Simulate();
    return {{"model", {model}},
            {"reading", {reading}},
            {"again", {again}},
            {"ns-3 per second", {one.GetCpuSeconds() / seconds}},
            {"flows", {static_cast<double>(flows)}}};
}

constexpr double SIMULATED = 40; //!< seconds of the published simulations, warm-up included

/// Runs RunTimes by size and pattern.
std::vector<PaperNumbers>
ComputeTimes(PaperRun& run, const std::vector<Case>& cases, double seconds)
{
    std::vector<PaperTask> tasks;
    for (const Case& each : cases)
    {
        const std::string configuration = each.configuration;
        tasks.push_back({configuration + " for " + DcnToText(seconds) + " first and next",
                         {"mql"},
                         [=]() {
                             return RunTimes(configuration, seconds, std::nullopt);
                         }});
    }
    return run.Compute("mql-times", tasks);
}

const std::pair<const char*, const char*> PATTERNS[] = {{"BC", "broadcast"},
                                                        {"IC", "incast"},
                                                        {"A2A", "all-to-all"}};

PaperResult
ComputeTable45(PaperRun& run)
{
    std::vector<Case> cases;
    for (const int k : run.IsFull() ? std::vector<int>{4, 8, 12, 16} : std::vector<int>{4, 8})
    {
        for (const auto& [name, pattern] : PATTERNS)
        {
            const bool isThin = std::string(name) == "A2A" && k > 8;
            cases.push_back({std::to_string(k * k * k / 4) + " " + name,
                             "k=" + std::to_string(k) + ",pattern=" + pattern + ",load=0.5" +
                                 (isThin ? ",density=0.06" : "")});
        }
    }
    const auto all = ComputeTimes(run, cases, run.Choose(0.2, 0.2, 10.0));
    PaperResult result;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const double model = PaperGet(all[i], "model");
        const double speedUp = SIMULATED * PaperGet(all[i], "ns-3 per second") / model;
        result.values[cases[i].name + ", time of the model"] = {model -
                                                                PaperGet(all[i], "reading")};
        result.AddOther(cases[i].name + ", time of a process", "s", {model});
        result.values[cases[i].name + ", speed-up"] = {speedUp};
        result.AddOther(cases[i].name + ", reading of the correction",
                        "s",
                        {PaperGet(all[i], "reading")});
        result.AddOther(cases[i].name + ", time of a further network",
                        "s",
                        {PaperGet(all[i], "again")});
        result.AddOther(cases[i].name + ", speed-up of a further network",
                        "x",
                        {speedUp * model / PaperGet(all[i], "again")});
        bars.push_back({cases[i].name, "first network", std::log10(speedUp)});
        bars.push_back({cases[i].name,
                        "further network",
                        std::log10(speedUp * model / PaperGet(all[i], "again"))});
    }
    result.pictures.push_back(
        PaperPlotBars("mql-table4.5", "Speed-up over 40 s of ns-3", "log10 of the speed-up", bars));
    return result;
}

PaperResult
ComputeFigure48(PaperRun& run)
{
    std::vector<Case> cases;
    for (const int k : run.IsFull() ? std::vector<int>{4, 8, 12} : std::vector<int>{4})
    {
        for (const auto& [name, pattern] : PATTERNS)
        {
            for (const auto& [level, load] :
                 {std::pair("L", "0.25"), std::pair("M", "0.5"), std::pair("H", "0.75")})
            {
                const bool isThin = std::string(name) == "A2A" && k > 8;
                cases.push_back({"FT" + std::to_string(k * k * k / 4) + "-" + name + "-" + level,
                                 "k=" + std::to_string(k) + ",pattern=" + pattern +
                                     ",load=" + load + (isThin ? ",density=0.06" : "")});
            }
        }
    }
    const auto all = ComputeTimes(run, cases, run.Choose(0.5, 0.5, 5.0));
    PaperResult result;
    std::vector<PaperBar> bars;
    double least = 1e18;
    double most = 0;
    for (const auto& [name, pattern] : PATTERNS)
    {
        const std::string medium = std::string("FT16-") + name + "-M";
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            if (cases[i].name == medium)
            {
                const std::string row = std::string("16 ") + name + ", ";
                result.values[row + "time of the model"] = {PaperGet(all[i], "model") -
                                                            PaperGet(all[i], "reading")};
                result.AddOther(row + "time of a process", "s", {PaperGet(all[i], "model")});
                result.AddOther(row + "time of a further network",
                                "s",
                                {PaperGet(all[i], "again")});
            }
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const double speedUp =
            SIMULATED * PaperGet(all[i], "ns-3 per second") / PaperGet(all[i], "model");
        bars.push_back({cases[i].name, "speed-up", speedUp});
        result.AddOther(cases[i].name + ", speed-up", "x", {speedUp});
        least = std::min(least, speedUp);
        most = std::max(most, speedUp);
    }
    result.values["least speed-up"] = {least};
    result.values["largest speed-up"] = {most};
    result.pictures.push_back(
        PaperPlotBars("mql-fig4.8", "Speed-up over 40 s of ns-3", "speed-up", bars));
    return result;
}

// similarity: figures 5.4 to 5.9, table 5.3

const std::vector<double> THRESHOLDS{0, 0.05, 0.15};

/// Errors and times of the model with and without similarity.
PaperNumbers
RunSimilarity(const std::string& configuration, double seconds)
{
    PaperNumbers numbers;
    MqlCase one(configuration + ",engine=ns3,warmup_s=0,duration_s=" + DcnToText(seconds));
    const DcnStopwatch none;
    one.Solve();
    const double modelSeconds = none.Get().cpuSeconds;
    numbers["none time"] = {modelSeconds};
    std::vector<double> latencies;
    for (std::size_t i = 0; i < one.GetFlows().size(); ++i)
    {
        latencies.push_back(one.GetSolution().GetLatency(i).GetMean());
    }
    for (const double threshold : THRESHOLDS)
    {
        const std::string name = "S " + DcnToText(100 * threshold);
        MqlCase other(configuration + ",engine=ns3,warmup_s=0,duration_s=" + DcnToText(seconds));
        MqlOptions options;
        options.similarity = threshold;
        const DcnStopwatch watch;
        other.Solve(options);
        numbers[name + " time"] = {watch.Get().cpuSeconds};
        numbers[name + " calls"] = {static_cast<double>(other.GetSolution().GetNModelCalls())};
        double error = 0;
        for (std::size_t i = 0; i < latencies.size(); ++i)
        {
            error += std::abs(other.GetSolution().GetLatency(i).GetMean() / latencies[i] - 1);
        }
        numbers[name + " error"] = {error / static_cast<double>(latencies.size())};
    }
    one.Simulate();
    numbers["ns-3 per second"] = {one.GetCpuSeconds() / seconds};
    return numbers;
}

/// Calls of the model by the published search; nothing is simulated.
PaperNumbers
RunCalls(const std::string& configuration)
{
    PaperNumbers numbers;
    MqlCase one(configuration);
    one.Solve();
    for (const double threshold : THRESHOLDS)
    {
        const MqlGreedyReport greedy = MqlGreedySimilarity(one.GetSolution(), threshold);
        numbers["none calls"] = {static_cast<double>(greedy.nVisits)};
        numbers["S " + DcnToText(100 * threshold) + " calls"] = {
            static_cast<double>(greedy.nModelCalls)};
    }
    return numbers;
}

/// Errors against simulation with and without similarity.
PaperNumbers
RunSimilarityErrors(const std::string& configuration)
{
    MqlCase one(configuration);
    one.Simulate();
    const auto correction = MqlLoadShippedCorrection();
    PaperNumbers numbers;
    auto add = [&](const std::string& name, const std::optional<double>& threshold) {
        MqlOptions options;
        options.similarity = threshold;
        one.Solve(options);
        const MqlScore score = MqlEvaluate(one, correction.get());
        numbers[name] = {100 * score.mape};
        numbers["noise"] = {100 * score.noise};
    };
    add("none", std::nullopt);
    for (const double threshold : THRESHOLDS)
    {
        add("S " + DcnToText(100 * threshold), threshold);
    }
    return numbers;
}

/// Configurations of the trees of three or of two tiers; with the published sizes if isLarge.
std::vector<Case>
GetTrees(bool isLarge, bool isTwoTier)
{
    std::vector<std::pair<std::string, std::string>> trees;
    if (isTwoTier)
    {
        trees = {{"16", "topology=two-tier,hosts=16,radix=8"},
                 {"128", "topology=two-tier,hosts=128,radix=64"}};
        if (isLarge)
        {
            trees.emplace_back("1024", "topology=two-tier,hosts=1024,radix=64");
        }
    }
    else
    {
        trees = {{"16", "k=4"}, {"128", "k=8"}, {"432", "k=12"}};
        if (isLarge)
        {
            trees.emplace_back("1024", "k=16");
            trees.emplace_back("2000", "k=20");
        }
    }
    std::vector<Case> cases;
    for (const auto& [hosts, tree] : trees)
    {
        for (const std::string pattern : {"all-to-all", "incast", "broadcast", "asymmetric"})
        {
            const bool isThin = hosts == "432" || hosts == "1024" || hosts == "2000" ||
                                (isTwoTier && hosts == "128" && pattern == "all-to-all");
            cases.push_back({hosts + " " + pattern,
                             tree + ",routing=split,pattern=" + pattern + ",load=0.5,seed=6" +
                                 (isThin ? ",density=0.06" : "")});
        }
    }
    return cases;
}

/// Runs RunSimilarity on the trees.
std::vector<PaperNumbers>
ComputeSimilarity(PaperRun& run, const std::vector<Case>& cases)
{
    const double seconds = run.Choose(0.02, 0.02, 1.0);
    std::vector<PaperTask> tasks;
    for (const Case& each : cases)
    {
        const std::string configuration = each.configuration;
        tasks.push_back({configuration + " for " + DcnToText(seconds), {"mql"}, [=]() {
                             return RunSimilarity(configuration, seconds);
                         }});
    }
    return run.Compute("mql-similarity", tasks);
}

/// @return geometric mean
double
GetGeometricMean(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values)
    {
        sum += std::log(value);
    }
    return std::exp(sum / static_cast<double>(values.size()));
}

/// @return ratios to ns-3's time, by threshold: -1 without similarity
std::vector<double>
GetSpeedUps(const std::vector<PaperNumbers>& all, const std::string& name)
{
    std::vector<double> ratios;
    for (const PaperNumbers& numbers : all)
    {
        ratios.push_back(SIMULATED * PaperGet(numbers, "ns-3 per second") /
                         PaperGet(numbers, name + " time"));
    }
    return ratios;
}

/// Speed-ups: figures 5.4 and 5.7.
PaperResult
DescribeSpeedUps(PaperRun& run, const std::string& name, bool isTwoTier)
{
    const auto cases = GetTrees(run.Choose(false, false, true), isTwoTier);
    const auto all = ComputeSimilarity(run, cases);
    PaperResult result;
    std::vector<PaperBar> bars;
    for (const std::string variant : {"none", "S 0", "S 5", "S 15"})
    {
        const auto ratios = GetSpeedUps(all, variant);
        for (std::size_t i = 0; i < ratios.size(); ++i)
        {
            bars.push_back({cases[i].name, variant, std::log10(ratios[i])});
        }
        const PaperMeasured mean = PaperMean(ratios);
        result.values[variant + ", mean speed-up"] = {mean.value};
        result.AddOther(variant + ", geometric mean of the speed-up", "x", {GetGeometricMean(ratios)});
    }
    std::vector<double> times;
    for (const PaperNumbers& numbers : all)
    {
        times.push_back(PaperGet(numbers, "S 15 time"));
    }
    result.values["S 15, time of the model, most"] = {PaperLargest(times).value};
    result.pictures.push_back(
        PaperPlotBars(name, "Speed-up over 40 s of ns-3", "log10 of the speed-up", bars));
    return result;
}

/// Calls of the model: figures 5.5 and 5.8.
PaperResult
DescribeCalls(PaperRun& run, const std::string& name, bool isTwoTier)
{
    const auto cases = GetTrees(run.Choose(false, true), isTwoTier);
    std::vector<PaperTask> tasks;
    for (const Case& each : cases)
    {
        const std::string configuration = each.configuration;
        tasks.push_back({"calls " + configuration, {"mql"}, [configuration]() {
                             return RunCalls(configuration);
                         }});
    }
    const auto all = run.Compute("mql-calls", tasks);
    PaperResult result;
    std::vector<PaperBar> bars;
    double visits = 0;
    std::map<std::string, double> calls;
    double most = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const double none = PaperGet(all[i], "none calls");
        visits += none;
        bars.push_back({cases[i].name, "none", std::log10(none)});
        for (const double threshold : THRESHOLDS)
        {
            const std::string variant = "S " + DcnToText(100 * threshold);
            const double n = PaperGet(all[i], variant + " calls");
            calls[variant] += n;
            bars.push_back({cases[i].name, variant, std::log10(n)});
            most = threshold == 0.15 ? std::max(most, none / n) : most;
            result.AddOther(cases[i].name + ", " + variant + ", calls saved", "x", {none / n});
        }
    }
    result.values["S 15, calls saved, most"] = {most};
    result.values["S 15, calls saved, all configurations together"] = {visits / calls["S 15"]};
    result.AddOther("S 5, calls saved, all configurations together", "x", {visits / calls["S 5"]});
    result.pictures.push_back(
        PaperPlotBars(name, "Calls of the model", "log10 of the number of calls", bars));
    return result;
}

/// Errors against simulation: figures 5.6 and 5.9.
PaperResult
DescribeErrors(PaperRun& run, const std::string& name, bool isTwoTier)
{
    std::vector<Case> cases;
    for (const Case& each : GetTrees(run.Choose(false, false, true), isTwoTier))
    {
        if (each.name.rfind("432", 0) == 0 || each.name.rfind("1024", 0) == 0 ||
            each.name.rfind("2000", 0) == 0)
        {
            continue; // their simulations take hours
        }
        const bool isLarge = each.name.rfind("128", 0) == 0;
        const bool isDense = each.name.find("all-to-all") != std::string::npos ||
                             each.name.find("asymmetric") != std::string::npos;
        const double seconds =
            isDense ? run.Choose(isLarge ? 3 : 10, isLarge ? 10 : 30, 30) : run.Choose(20, 60);
        cases.push_back({each.name, each.configuration + ",duration_s=" + DcnToText(seconds)});
    }
    std::vector<PaperTask> tasks;
    for (const Case& each : cases)
    {
        const std::string configuration = each.configuration;
        tasks.push_back({configuration, {"mql"}, [configuration]() {
                             return RunSimilarityErrors(configuration);
                         }});
    }
    const auto all = run.Compute("mql-similarity-errors", tasks);
    PaperResult result;
    std::vector<PaperBar> bars;
    std::map<std::string, std::vector<double>> added;
    std::vector<double> none;
    std::vector<double> noise;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const double base = PaperGet(all[i], "none");
        none.push_back(base);
        noise.push_back(PaperGet(all[i], "noise"));
        bars.push_back({cases[i].name, "none", base});
        for (const std::string variant : {"S 0", "S 5", "S 15"})
        {
            added[variant].push_back(PaperGet(all[i], variant) - base);
            bars.push_back({cases[i].name, variant, PaperGet(all[i], variant)});
        }
    }
    result.values["S 5, added MAPE"] = PaperMean(added["S 5"]);
    result.values["S 15, added MAPE"] = PaperMean(added["S 15"]);
    result.AddOther("without similarity, MAPE", "%", PaperMean(none));
    result.AddOther("noise floor, MAPE", "%", PaperMean(noise));
    result.pictures.push_back(PaperPlotBars(name, "Errors by threshold", "MAPE [%]", bars));
    return result;
}

PaperResult
ComputeTable53(PaperRun& run)
{
    PaperResult result;
    std::vector<PaperBar> bars;
    for (const bool isTwoTier : {false, true})
    {
        const auto all =
            ComputeSimilarity(run, GetTrees(run.Choose(false, false, true), isTwoTier));
        const std::string tiers = isTwoTier ? "two tiers" : "three tiers";
        std::map<std::string, double> mostBy;
        for (const std::string variant : {"none", "S 0", "S 5", "S 15"})
        {
            double most = 0;
            double least = 1e18;
            for (const PaperNumbers& numbers : all)
            {
                most = std::max(most, PaperGet(numbers, variant + " time"));
                least = std::min(least, PaperGet(numbers, variant + " time"));
            }
            result.values[tiers + ", " + variant + ", most"] = {most};
            result.values[tiers + ", " + variant + ", least"] = {least};
            mostBy[variant] = most;
            bars.push_back({tiers, variant, most});
        }
        result.values[tiers + ", gain of S 15 at most"] = {mostBy["none"] / mostBy["S 15"]};
        double simulation = 0;
        for (const PaperNumbers& numbers : all)
        {
            simulation = std::max(simulation, SIMULATED * PaperGet(numbers, "ns-3 per second"));
        }
        result.AddOther(tiers + ", ns-3 for 40 s, most", "s", {simulation});
    }
    result.pictures.push_back(
        PaperPlotBars("mql-table5.3", "Largest time of the model", "processor time [s]", bars));
    return result;
}

const PaperRegistration g_figures{
    {"mql-fig4.5", ComputeFigure45},
    {"mql-fig4.6", ComputeFigure46},
    {"mql-table4.6", ComputeTable46},
    {"mql-table4.5", ComputeTable45},
    {"mql-fig4.8", ComputeFigure48},
    {"mql-fig5.4", [](PaperRun& run) { return DescribeSpeedUps(run, "mql-fig5.4", false); }},
    {"mql-fig5.5", [](PaperRun& run) { return DescribeCalls(run, "mql-fig5.5", false); }},
    {"mql-fig5.6", [](PaperRun& run) { return DescribeErrors(run, "mql-fig5.6", false); }},
    {"mql-fig5.7", [](PaperRun& run) { return DescribeSpeedUps(run, "mql-fig5.7", true); }},
    {"mql-fig5.8", [](PaperRun& run) { return DescribeCalls(run, "mql-fig5.8", true); }},
    {"mql-fig5.9", [](PaperRun& run) { return DescribeErrors(run, "mql-fig5.9", true); }},
    {"mql-table5.3", ComputeTable53}};

} // namespace

} // namespace ns3
