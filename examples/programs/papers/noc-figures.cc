/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Figures and tables on networks on chip (Narayana's dissertation, chapters 2 and 3).
 *
 * "This work" is the module's model by chains, and "[42]" the one that takes the layers by
 * themselves (independent); the printed equations are the method published.
 */

#include "paper-compare.h"
#include "paper-figure.h"

#include "ns3/dcn-csv.h"
#include "ns3/double.h"
#include "ns3/noc-network.h"
#include "ns3/noc-system.h"
#include "ns3/noc-topology.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

namespace
{

using R = PaperRelation;

const std::vector<std::string> MODELS{"published", "independent", "chain"};

/// A 6 x 6 mesh under a load.
struct Cell
{
    double hit;       //!< share of hits
    double burst;     //!< burst probability
    double load;      //!< share of the largest rate
    uint32_t ingress; //!< capacity of a sink
};

/// Latencies of requests by simulation and models: value, low, high; none where it is saturated.
PaperNumbers
RunCell(const Cell& cell, uint32_t cycles, uint32_t seeds)
{
    Ptr<NocNetwork> network = CreateObject<NocNetwork>();
    network->SetTopology(std::make_shared<const NocTopology>(NocTopology::Mesh(6, 6)));
    // the two ends of the middle row, as in noc-compare, so that there are 34 agents as published
    network->SetAttribute("MemoryControllers", StringValue("12+17"));
    network->SetAttribute("HitRate", DoubleValue(cell.hit));
    network->SetAttribute("Burst", DoubleValue(cell.burst));
    network->SetAttribute("Ingress", UintegerValue(cell.ingress));
    network->SetAttribute("Cycles", UintegerValue(cycles));
    network->SetAttribute("WarmUp", UintegerValue(cycles / 10));
    network->SetAttribute("Seeds", UintegerValue(seeds));
    network->SetAttribute("Seed", UintegerValue(1));
    network->SetAttribute("Threads", UintegerValue(1));
    network->SetAttribute("Rate", DoubleValue(cell.load * network->GetSystem().GetLargestRate()));
    PaperNumbers numbers;
    std::vector<std::string> methods{"simulation"};
    methods.insert(methods.end(), MODELS.begin(), MODELS.end());
    for (const std::string& method : methods)
    {
        const NocResult result = network->Estimate(method);
        if (!result.isSaturated)
        {
            numbers[method] = {result.request.estimate, result.request.low, result.request.high};
        }
        numbers[method + " seconds"] = {result.seconds};
    }
    return numbers;
}

/// Runs cells.
std::vector<PaperNumbers>
ComputeCells(PaperRun& run, const std::vector<Cell>& cells)
{
    const uint32_t cycles = run.Choose<uint32_t>(30'000, 600'000);
    const uint32_t seeds = 3;
    std::vector<PaperTask> tasks;
    for (const Cell& cell : cells)
    {
        tasks.push_back({"hit " + DcnToText(cell.hit) + " burst " + DcnToText(cell.burst) + " load " +
                             DcnToText(cell.load) + " ingress " + std::to_string(cell.ingress) +
                             " cycles " + std::to_string(cycles),
                         {},
                         [=]() { return RunCell(cell, cycles, seeds); }});
    }
    return run.Compute("noc", tasks);
}

/// @return |error| of a model in percent; NaN where one of the two is saturated
double
GetError(const PaperNumbers& numbers, const std::string& model)
{
    return 100 * std::abs(PaperGet(numbers, model) / PaperGet(numbers, "simulation") - 1);
}

/// @return half-width of the simulation's interval in percent
double
GetNoise(const PaperNumbers& numbers)
{
    return 50 * (PaperGet(numbers, "simulation", 2) - PaperGet(numbers, "simulation", 1)) /
           PaperGet(numbers, "simulation");
}

const std::string SMALL = "mesh of 6 x 6, three times 30,000 cycles, seeds 1 to 3";
const std::string FULL = "mesh of 6 x 6, three times 600,000 cycles, seeds 1 to 3";
const std::string COST = "estimated from 1.2 s a cell: 15 min, 0.2 GB";
const std::string DEPARTS =
    "Capacities and services of the proprietary system are not stated; loads are shares of the rate "
    "at which a lane or a controller is always busy.";

PaperResult
ComputeTable23(PaperRun& run)
{
    const double loads[] = {0.3, 0.6, 0.9};
    const char* const names[] = {"L", "M", "H"};
    std::vector<Cell> cells;
    std::vector<std::string> titles;
    for (const double burst : {0.0, 0.1, 0.3})
    {
        for (const double hit : {1.0, 0.5, 0.25})
        {
            for (std::size_t i = 0; i < 3; ++i)
            {
                cells.push_back({hit, burst, loads[i], 16});
                titles.push_back("burst " + DcnToText(burst) + ", hits " + DcnToText(hit) + ", " +
                                 names[i]);
            }
        }
    }
    const auto all = ComputeCells(run, cells);
    PaperResult result;
    std::vector<double> chain;
    std::vector<double> independent;
    std::vector<double> printed;
    std::vector<double> noise;
    std::vector<PaperBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        chain.push_back(GetError(all[i], "chain"));
        independent.push_back(GetError(all[i], "independent"));
        printed.push_back(GetError(all[i], "published"));
        noise.push_back(GetNoise(all[i]));
        bars.push_back({titles[i], "chain", chain.back()});
        bars.push_back({titles[i], "independent", independent.back()});
    }
    result.values["mean |error|"] = PaperMean(chain);
    result.values["largest |error|"] = PaperLargest(chain);
    result.values["[42], mean |error|"] = PaperMean(independent);
    result.AddOther("printed equations, mean |error|", "%", PaperMean(printed));
    result.AddOther("half-width of the simulation's interval, mean", "%", PaperMean(noise));
    result.pictures.push_back(PaperPlotBars("noc-table2.3",
                                            "Errors of the mean latency of requests",
                                            "|error| [%]",
                                            bars));
    return result;
}

const PaperRegistration g_table23(
    PaperFigure("noc-table2.3", "Errors of the latency by hit rate, burstiness and load")
        .From("dissertation, networks on chip", "section 2.4, Table 2.3")
        .Publish("mean |error|", "%", 6.08, R::AT_MOST)
        .Publish("largest |error|", "%", 13, R::AT_MOST)
        .Publish("[42], mean |error|", "%", 25.4, R::SHOWN)
        .On(SMALL + "; 27 cells", FULL + "; 27 cells")
        .Costs(COST)
        .Departs(DEPARTS)
        .By(ComputeTable23));

/// Latency by load for one set of parameters.
PaperResult
DescribeLoads(PaperRun& run, const std::string& name, double burst, uint32_t ingress)
{
    const std::vector<double> loads{0.2, 0.4, 0.6, 0.8, 0.95};
    std::vector<Cell> cells;
    for (const double load : loads)
    {
        cells.push_back({1, burst, load, ingress});
    }
    const auto all = ComputeCells(run, cells);
    PaperResult result;
    PaperSeries series{{"simulation", {}}};
    std::vector<double> chain;
    std::vector<double> independent;
    for (const std::string& model : MODELS)
    {
        series.push_back({model, {}});
    }
    for (std::size_t i = 0; i < loads.size(); ++i)
    {
        for (auto& [method, points] : series)
        {
            points.emplace_back(loads[i], PaperGet(all[i], method));
        }
        chain.push_back(GetError(all[i], "chain"));
        independent.push_back(GetError(all[i], "independent"));
        result.AddOther("load " + DcnToText(loads[i]) + ", simulation",
                        "cycles",
                        PaperGetMeasured(all[i], "simulation"));
    }
    result.values["mean |error|"] = PaperMean(chain);
    result.values["|error| at the highest load"] = {chain.back()};
    result.values["[42], mean |error|"] = PaperMean(independent);
    result.values["[42], |error| at the highest load"] = {independent.back()};
    result.pictures.push_back(PaperMakePanels(
        name,
        "Mean latency of requests",
        {PaperMakeLines("6 x 6, all hits", "load", "latency [cycles]", series)}));
    return result;
}

const PaperRegistration g_figure25(
    PaperFigure("noc-fig2.5", "Latency by load without bursts")
        .From("dissertation, networks on chip", "section 2.4, Figure 2.5")
        .Publish("mean |error|", "%", 10, R::AT_MOST)
        .Publish("[42], mean |error|", "%", 30, R::SHOWN)
        .On(SMALL + "; 5 loads", FULL + "; 5 loads")
        .Costs(COST)
        .Departs(DEPARTS)
        .By([](PaperRun& run) { return DescribeLoads(run, "noc-fig2.5", 0, 16); }));

const PaperRegistration g_figure26(
    PaperFigure("noc-fig2.6", "Latency by load with bursts of probability 0.1")
        .From("dissertation, networks on chip", "section 2.4, Figure 2.6")
        .Publish("mean |error|", "%", 10, R::AT_MOST)
        .Publish("[42], mean |error|", "%", 30, R::SHOWN)
        .On(SMALL + "; 5 loads", FULL + "; 5 loads")
        .Costs(COST)
        .Departs(DEPARTS)
        .By([](PaperRun& run) { return DescribeLoads(run, "noc-fig2.6", 0.1, 16); }));

const PaperRegistration g_figure27(
    PaperFigure("noc-fig2.7", "Latency by load without deflection at sinks")
        .From("dissertation, networks on chip", "section 2.4, Figure 2.7")
        .Publish("|error| at the highest load", "%", 9, R::AT_MOST)
        .Publish("[42], |error| at the highest load", "%", 90, R::SHOWN)
        .On(SMALL + "; 5 loads, sinks of 1,000 packets", FULL + "; 5 loads, sinks of 1,000 packets")
        .Costs(COST)
        .Departs(DEPARTS)
        .By([](PaperRun& run) { return DescribeLoads(run, "noc-fig2.7", 0, 1000); }));

const PaperRegistration g_figure28(
    PaperFigure("noc-fig2.8", "Latency of real applications")
        .From("dissertation, networks on chip", "section 2.4, Figure 2.8")
        .Publish("mean |error|", "%", 10, R::AT_MOST)
        .Because("the gem5 traces of SPEC and SYSmark are not at hand; noc-compare --trace=FILE "
                 "evaluates any trace"));

const std::string THROTTLE =
    "it is measured by ./dcn run noc-throttle (contrib/noc/doc/noc.rst has the table), which is not "
    "registered here";

const PaperRegistration g_table32(
    PaperFigure("noc-table3.2", "Accuracy of decision trees by depth")
        .From("dissertation, networks on chip", "section 3.4, Table 3.2")
        .Publish("depth 4, label 0", "%", 93.7, R::AT_LEAST)
        .Publish("depth 4, label 1", "%", 97.6, R::AT_LEAST)
        .Because(THROTTLE));

const PaperRegistration g_figure34(
    PaperFigure("noc-fig3.4", "Latency of transactions with source throttling, 70 % hits")
        .From("dissertation, networks on chip", "section 3.4, Figure 3.4")
        .Publish("largest reduction", "%", 30, R::AT_LEAST)
        .Because(THROTTLE));

const PaperRegistration g_figure35(
    PaperFigure("noc-fig3.5", "Share of misses with source throttling, 70 % hits")
        .From("dissertation, networks on chip", "section 3.4, Figures 3.1 and 3.5")
        .Publish("largest gain of misses", "x", 3.1, R::AT_LEAST)
        .Because(THROTTLE));

const PaperRegistration g_figure36(
    PaperFigure("noc-fig3.6", "Memory reads with source throttling, 20 % hits")
        .From("dissertation, networks on chip", "section 3.4, Figure 3.6")
        .Publish("mean gain", "%", 64, R::AT_LEAST)
        .Publish("largest gain", "%", 190, R::AT_LEAST)
        .Because(THROTTLE));

const PaperRegistration g_figure37(
    PaperFigure("noc-fig3.7", "Bytes per core with source throttling, 70 % hits")
        .From("dissertation, networks on chip", "section 3.4, Figure 3.7")
        .Publish("mean loss", "%", 4, R::AT_MOST)
        .Because(THROTTLE));

const PaperRegistration g_figure38(
    PaperFigure("noc-fig3.8", "Memory reads of workloads of four phases")
        .From("dissertation, networks on chip", "section 3.4, Figure 3.8")
        .Publish("mean gain", "%", 106, R::AT_LEAST)
        .Publish("largest gain", "%", 114, R::AT_LEAST)
        .Because(THROTTLE));

} // namespace

} // namespace ns3
