/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Latency of a network on chip by simulation and by models, over loads, hit rates and
 * bursts: a table, CSV files and a plot of latency over the injection rate (dissertation, section
 * 2.4; module noc).
 */

#include "ns3/boolean.h"
#include "ns3/cceval-interval.h"
#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-run-record.h"
#include "ns3/double.h"
#include "ns3/noc-helper.h"
#include "ns3/noc-network.h"
#include "ns3/string.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const char* const SIMULATION = "simulation"; //!< the method that is the truth
constexpr int SWEPT_WIDTH = 26;              //!< of a column

using K = DcnRecipeKey;
constexpr auto CACHES = "oneLayer=false"; //!< condition of keys
constexpr double MOST = UINT32_MAX;       //!< of whole numbers

// clang-format off
/// What is compared; cells differ by the first varied key slowest.
const DcnRecipe::Keys KEYS{
    {"topology", K::CHOICE, "mesh", 0, 0, "mesh+torus+ring+half-ring", "", "Loops"},
    {"rows", K::SINGLE, "6", 0, MOST, "", "", "Rows of nodes"},
    {"columns", K::SINGLE, "6", 0, MOST, "", "", "Columns of nodes"},
    {"oneLayer", K::CHOICE, "false", 0, 0, "false+true", "",
     "One layer, all nodes send and receive: no caches"},
    {"memory", K::TEXT, "auto", 0, 0, "", CACHES,
     "Nodes that are memory controllers, joined by +; none; auto: the two ends of the middle row"},
    {"snoop", K::NUMBER, "", 0, 1, "", CACHES,
     "Share of the hits of which another core owns the line"},
    {"cacheLatency", K::WHOLE, "10", 0, MOST, "", CACHES, "Cycles until a cache slice answers"},
    {"cacheList", K::WHOLE, "40", 0, MOST, "", CACHES, "Requests in a cache slice, at most"},
    {"egress", K::WHOLE, "16", 0, MOST, "", "", "Packets in an egress queue, at most"},
    {"ingress", K::WHOLE, "16", 0, MOST, "", "", "Packets in a sink, at most"},
    {"memoryLatency", K::WHOLE, "100", 0, MOST, "", CACHES, "Cycles until a controller answers"},
    {"memoryList", K::WHOLE, "64", 0, MOST, "", CACHES, "Requests in a memory controller, at most"},
    {"memoryPeriod", K::WHOLE, "2", 0, MOST, "", CACHES, "Cycles per request of a controller"},
    {"snoopLatency", K::WHOLE, "10", 0, MOST, "", "snoop=*",
     "Cycles until the owner of a line answers"},
    {"transgress", K::WHOLE, "16", 0, MOST, "", "", "Packets that wait to turn, at most"},
    {"hits", K::NUMBER, "1", 0, 1, "", CACHES, "Hit rates"},
    {"trace", K::TEXT, "", 0, 0, "", "",
     "CSV file cycle,source,destination with the requests, in place of random ones"},
    {"bursts", K::NUMBER, "0", 0, 1, "", "trace=", "Burst probabilities"},
    {"rates", K::NUMBER, "", 0, 1, "", "trace=", "Requests per cycle and core"},
    {"loads", K::NUMBER, "0.6", 0, 1e9, "", "rates=",
     "Shares of the rate at which a lane or a memory controller is busy all the time"},
    {"cycles", K::SINGLE, "200000", 0, MOST, "", "", "Simulated cycles that are measured"},
    {"warmUp", K::SINGLE, "20000", 0, MOST, "", "", "Simulated cycles before"},
    {"seeds", K::SINGLE, "3", 0, MOST, "", "", "Repetitions of a simulation"},
    {"seed", K::SINGLE, "1", 0, MOST, "", "", "Seed of the first repetition"},
    {"threads", K::SINGLE, "0", 0, MOST, "", "", "Repetitions at a time; 0: as many as cores"}};
// clang-format on

/// Keys that have a column of their own.
const std::set<std::string> COLUMNS{"hits", "bursts", "rates", "loads"};

/// @return the attribute of NocNetwork that a key sets
std::string
GetAttribute(std::string key)
{
    static const std::map<std::string, std::string> OTHERS{{"snoop", "SnoopRate"},
                                                           {"hits", "HitRate"},
                                                           {"bursts", "Burst"},
                                                           {"memory", "MemoryControllers"}};
    const auto other = OTHERS.find(key);
    key[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(key[0])));
    return other == OTHERS.end() ? key : other->second;
}

/// @return the number of a key; the fallback where it has no effect
double
GetNumber(const DcnRecipe& recipe, const std::string& key, double fallback)
{
    return recipe.Get(key).empty() ? fallback : recipe.GetNumber(key);
}

/// Where and with what load a network is looked at.
struct Cell
{
    DcnRecipe recipe;  //!< of KEYS
    std::string sizes; //!< keys that differ between cells without a column: "Ingress=4 Egress=2"
    double hit;        //!< share of hits
    double burst;      //!< burst probability
    double load;       //!< rate over the largest one; nan: a trace has no such rate
    double rate;       //!< packets per cycle and core, on average
};

/// Errors of a method over cells.
struct Errors
{
    std::vector<double> errors; //!< relative errors without sign, of cells that both answered
    double noise{0};            //!< sum of the relative half-widths of the simulation's intervals
    double seconds{0};          //!< processor time of the method
    double simulated{0};        //!< processor time of the simulation
};

/// @return the topology of a recipe
std::shared_ptr<const NocTopology>
MakeTopology(const DcnRecipe& recipe)
{
    const auto rows = static_cast<uint32_t>(recipe.GetWhole("rows"));
    const auto columns = static_cast<uint32_t>(recipe.GetWhole("columns"));
    const std::string& name = recipe.Get("topology");
    return std::make_shared<const NocTopology>(name == "mesh"    ? NocTopology::Mesh(rows, columns)
                                               : name == "torus" ? NocTopology::Torus(rows, columns)
                                               : name == "ring"
                                                   ? NocTopology::Ring(rows * columns)
                                                   : NocTopology::HalfRing(rows * columns));
}

/// @return a latency, or that there is none
std::string
Describe(const NocResult& result)
{
    if (result.isSaturated)
    {
        return "saturated";
    }
    char text[64];
    if (result.method == SIMULATION)
    {
        std::snprintf(text,
                      sizeof(text),
                      "%.3f +- %.3f",
                      result.request.estimate,
                      result.request.GetHalfWidth());
    }
    else
    {
        std::snprintf(text,
                      sizeof(text),
                      "%s%.3f",
                      result.isNear ? "~" : "",
                      result.request.estimate);
    }
    return text;
}

/**
 * Writes the row of an answer.
 * @param csv the file
 * @param cell what was asked
 * @param result the answer
 * @param truth the simulation's answer if the row has an error, else null
 */
void
WriteRow(std::ostream& csv, const Cell& cell, const NocResult& result, const NocResult* truth)
{
    csv << cell.sizes << ',' << cell.hit << ',' << cell.burst << ',' << DcnToText(cell.load) << ','
        << DcnToText(cell.rate) << ',' << result.method << ',' << DcnToText(result.request.estimate)
        << ',' << DcnToText(result.request.low) << ',' << DcnToText(result.request.high);
    for (double latency : {truth ? truth->request.estimate : 0,
                           truth ? truth->request.high : 0,
                           truth ? truth->request.low : 0})
    {
        csv << ',' << (truth ? DcnToText(result.request.estimate / latency - 1) : "nan");
    }
    for (const CcevalInterval& layer : result.layers)
    {
        csv << ',' << DcnToText(layer.estimate);
    }
    csv << ',' << DcnToText(result.throughput) << ',' << DcnToText(result.offered) << ','
        << DcnToText(result.deflections) << ',' << DcnToText(result.lost) << ','
        << (result.isSaturated ? 1 : 0) << ',' << result.binding << ',' << DcnToText(result.seconds)
        << '\n';
}

/// Writes the waits in all queues that packets used, and the latencies of all pairs.
void
WriteQueues(std::ostream& csv,
            const Cell& cell,
            const NocResult& result,
            const NocTopology& topology)
{
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        const std::string prefix = cell.sizes + ',' + DcnToText(cell.hit) + ',' +
                                   DcnToText(cell.burst) + ',' + DcnToText(cell.rate) + ',' +
                                   result.method + ',' + NocGetLayerName(static_cast<NocLayer>(i)) +
                                   ',';
        const NocWaits& waits = result.waits[i];
        const std::pair<const char*, const std::vector<double>*> kinds[] = {
            {"egress of the agent", &waits.agents},
            {"egress of the core", &waits.cores},
            {"transgress", &waits.turns}};
        for (const auto& [kind, list] : kinds)
        {
            for (uint32_t lane = 0; lane < list->size(); ++lane)
            {
                if (!std::isnan((*list)[lane]))
                {
                    csv << prefix << kind << ',' << topology.GetNode(lane) << ','
                        << topology.GetNode(topology.GetNext(lane)) << ','
                        << DcnToText((*list)[lane]) << '\n';
                }
            }
        }
        const uint32_t n = topology.GetNNodes();
        for (std::size_t pair = 0; pair < waits.pairs.size(); ++pair)
        {
            if (!std::isnan(waits.pairs[pair]))
            {
                csv << prefix << "pair," << pair / n << ',' << pair % n << ','
                    << DcnToText(waits.pairs[pair]) << '\n';
            }
        }
    }
}

/// The answers of methods for cells.
class Comparison
{
  public:
    /**
     * @param options of KEYS
     * @param methods names joined by commas
     * @param given on the command line
     * @param hasQueues whether noc-queues.csv is written
     */
    Comparison(const DcnKeyOptions& options,
               const std::string& methods,
               const DcnGivenOptions& given,
               bool hasQueues)
        : m_options(options),
          m_varied(options.GetVaried()),
          m_first(options.Split().front()),
          m_topology(MakeTopology(m_first)),
          m_network(CreateObject<NocNetwork>()),
          m_methods(DcnSplitValues("methods", methods)),
          m_hasQueues(hasQueues)
    {
        if (m_methods.empty())
        {
            DcnFail("--methods names no method");
        }
        // the truth first: errors of the others refer to it
        std::stable_partition(m_methods.begin(), m_methods.end(), [](const std::string& name) {
            return name == SIMULATION;
        });
        for (const std::string& name : m_methods)
        {
            if (name != SIMULATION)
            {
                NocGetMethod(name); // refuses other names before the first simulation
            }
        }
        m_network->SetTopology(m_topology);
        m_network->SetAttribute("Cache", BooleanValue(m_first.Get("oneLayer") == "false"));
        m_network->SetTrace(m_first.Get("trace"));
        MakeCells();
        const bool isSimulated = m_methods.front() == SIMULATION;
        given.CheckEffects({{{"cycles", "warmUp", "seeds", "seed", "threads"},
                             isSimulated,
                             "without simulation in --methods"},
                            {{"seeds", "seed", "threads"},
                             m_isDrawn,
                             "with this --trace: nothing is drawn, as all requests are hits or all "
                             "go to one controller"}});
    }

    /**
     * @brief Answer, print and write all.
     * @param out existing folder
     */
    void Run(const std::string& out)
    {
        PrintHead();
        DcnFileWriter csv(out + "/noc-latency.csv");
        csv.Stream()
            << "sizes,hit_rate,burst,load,rate,method,request_latency,low,high,"
               "error,error_low,error_high,"
               "layer_request,layer_memory_request,layer_data,layer_acknowledgement,layer_snoop,"
               "throughput,offered,deflections,lost,saturated,binding,cpu_s\n";
        std::unique_ptr<DcnFileWriter> queues;
        if (m_hasQueues)
        {
            queues = std::make_unique<DcnFileWriter>(out + "/noc-queues.csv");
            queues->Stream() << "sizes,hit_rate,burst,rate,method,layer,queue,from,to,cycles\n";
        }
        for (const Cell& cell : m_cells)
        {
            Answer(cell, csv.Stream(), queues ? &queues->Stream() : nullptr);
        }
        csv.Commit();
        if (queues)
        {
            queues->Commit();
        }
        std::printf(
            "~: a lane is busier than %.0f %% or a sink than %.0f %%, where models are less "
            "accurate\n",
            100 * NocAnswer::FULL_LANE,
            100 * NocAnswer::FULL_SINK);
        Summarise(out + "/summary.csv");
        const bool hasCurve =
            m_first.Get("trace").empty() &&
            std::all_of(m_varied.begin(), m_varied.end(), [](const std::string& key) {
                return key == "loads" || key == "rates";
            });
        std::cout << "written: " << out << "/noc-latency.csv, summary.csv"
                  << (m_hasQueues ? ", noc-queues.csv" : "")
                  << (hasCurve && Plot(out + "/load-latency")
                          ? ", load-latency.png, load-latency.svg"
                          : "")
                  << std::endl;
    }

  private:
    /// Sets the attributes of the network as a recipe says, but for its rate.
    void Configure(const DcnRecipe& recipe)
    {
        static const std::set<std::string>
            NONE{"topology", "rows", "columns", "oneLayer", "trace", "rates", "loads"};
        for (const DcnRecipeKey& row : KEYS)
        {
            std::string value = recipe.Get(row.name);
            if (value.empty() || NONE.count(row.name) > 0)
            {
                continue;
            }
            if (row.name == "memory" && value == "auto")
            {
                // with hits alone, too, so that grids of hit rates keep their nodes
                const uint64_t columns = recipe.GetWhole("columns");
                const uint64_t first = (recipe.GetWhole("rows") - 1) / 2 * columns;
                value = std::to_string(first) + "+" + std::to_string(first + columns - 1);
            }
            m_network->SetAttribute(GetAttribute(row.name),
                                    StringValue(value == "none" ? "" : value));
        }
    }

    /// Makes all cells, with their rates.
    void MakeCells()
    {
        for (const DcnRecipe& recipe : m_options.Split())
        {
            Cell cell{recipe,
                      "",
                      GetNumber(recipe, "hits", 1),
                      GetNumber(recipe, "bursts", 0),
                      std::nan(""),
                      0};
            for (const std::string& key : m_varied)
            {
                cell.sizes += COLUMNS.count(key) > 0
                                  ? ""
                                  : (cell.sizes.empty() ? "" : " ") + GetAttribute(key) + "=" +
                                        recipe.Get(key);
            }
            Configure(recipe);
            const NocSystem system = m_network->GetSystem();
            m_isDrawn = m_isDrawn || system.IsDrawn();
            if (system.trace.empty())
            {
                const double largest = system.GetLargestRate();
                cell.rate = recipe.Get("rates").empty() ? recipe.GetNumber("loads") * largest
                                                        : recipe.GetNumber("rates");
                cell.load = cell.rate / largest;
            }
            else
            {
                cell.rate = static_cast<double>(system.trace.size()) /
                            (static_cast<double>(system.trace.back().cycle) + 1) /
                            system.GetNCores();
            }
            if (m_methods.front() == SIMULATION)
            {
                m_network->CheckSimulation(); // before the first row
            }
            m_cells.push_back(cell);
        }
    }

    /// Prints what is compared, and the head of the table.
    void PrintHead() const
    {
        std::cout << m_topology->GetNNodes() << " nodes: " << m_options.Describe() << std::endl;
        PrintTrace();
        if (!m_cells.front().sizes.empty())
        {
            std::printf("%-*s ", SWEPT_WIDTH, "sizes");
        }
        std::printf("%5s %6s %6s %8s", "hits", "burst", "load", "rate");
        for (const std::string& name : m_methods)
        {
            std::printf("  %18s", name.c_str());
        }
        std::printf("\n");
    }

    /// Prints how the trace, if there is one, and the simulated time fit together.
    void PrintTrace() const
    {
        const std::vector<NocTraceEntry> trace = m_network->GetSystem().trace;
        if (trace.empty())
        {
            return;
        }
        std::cout << "trace: " << trace.size() << " requests until cycle " << trace.back().cycle;
        if (m_methods.front() == SIMULATION)
        {
            const uint64_t warmUp = m_first.GetWhole("warmUp");
            const uint64_t end = warmUp + m_first.GetWhole("cycles");
            std::cout << "; measured are cycles " << warmUp << " to " << end - 1;
            if (trace.back().cycle + uint64_t{1} < end)
            {
                std::cout << ", which lowers its throughput: --cycles="
                          << trace.back().cycle + uint64_t{1} - warmUp << " ends with the trace";
            }
            std::cout << (m_isDrawn ? "" : "; one repetition, as nothing is drawn");
        }
        std::cout << std::endl;
    }

    /// Prints and writes the row of a cell; an error does not follow on a part of a row.
    void Answer(const Cell& cell, std::ostream& csv, std::ostream* queues)
    {
        try
        {
            FillRow(cell, csv, queues);
        }
        catch (const DcnError&)
        {
            std::cout << std::endl;
            throw;
        }
    }

    /// Answers for a cell by all methods, and prints and writes a row.
    void FillRow(const Cell& cell, std::ostream& csv, std::ostream* queues)
    {
        Configure(cell.recipe);
        if (cell.recipe.Get("trace").empty())
        {
            m_network->SetAttribute("Rate", DoubleValue(cell.rate));
        }
        if (!cell.sizes.empty())
        {
            std::printf("%-*s ", SWEPT_WIDTH, cell.sizes.c_str());
        }
        char load[32] = "-";
        if (!std::isnan(cell.load))
        {
            std::snprintf(load, sizeof(load), "%.3f", cell.load);
        }
        std::printf("%5.2f %6.2f %6s %8.5f", cell.hit, cell.burst, load, cell.rate);
        std::vector<NocResult> results;
        for (const std::string& name : m_methods)
        {
            results.push_back(m_network->Estimate(name));
            const NocResult& result = results.back();
            const bool hasError = m_methods.front() == SIMULATION && name != SIMULATION &&
                                  !results.front().isSaturated && !result.isSaturated;
            const NocResult* truth = hasError ? &results.front() : nullptr;
            const std::string error = hasError ? AddError(result, *truth) : "";
            std::printf("  %18s", (Describe(result) + error).c_str());
            std::fflush(stdout);
            WriteRow(csv, cell, result, truth);
            if (queues)
            {
                WriteQueues(*queues, cell, result, *m_topology);
            }
            if (name == SIMULATION && !result.isSaturated)
            {
                m_curves[name].emplace_back(cell.rate, result.request.estimate);
            }
        }
        if (results.front().isSaturated)
        {
            std::printf("  throughput %.4f of %.4f requests per cycle%s%s",
                        results.front().throughput,
                        results.front().offered,
                        results.back().binding.empty() ? "" : ", busiest: ",
                        results.back().binding.c_str());
        }
        std::printf("\n");
    }

    /// Adds the error of an answer to those of its method.
    /// @return the error as text
    std::string AddError(const NocResult& result, const NocResult& truth)
    {
        const double error = result.request.estimate / truth.request.estimate - 1;
        Errors& all = m_errors[result.method];
        all.errors.push_back(std::abs(error));
        all.noise += truth.request.GetHalfWidth() / truth.request.estimate;
        all.seconds += result.seconds;
        all.simulated += truth.seconds;
        char text[32];
        std::snprintf(text, sizeof(text), " (%+.1f %%)", 100 * error);
        return text;
    }

    /// Prints and writes the errors of the methods over all cells.
    void Summarise(const std::string& path) const
    {
        DcnFileWriter summary(path);
        summary.Stream() << "method,cells,mape,mape_low,mape_high,max_error,noise,cpu_s,speed_up\n";
        for (const std::string& name : m_methods)
        {
            const auto found = m_errors.find(name);
            if (found == m_errors.end())
            {
                continue;
            }
            const Errors& all = found->second;
            const double speedUp = all.seconds > 0 ? all.simulated / all.seconds : 0;
            const auto n = static_cast<double>(all.errors.size());
            const CcevalInterval mean = CcevalMeanInterval(all.errors, 0.95);
            const double largest = *std::max_element(all.errors.begin(), all.errors.end());
            std::printf("%s: mean |error| %.2f %% [%.2f, %.2f], largest %.2f %% over %.0f cells "
                        "(simulation +- %.2f %%); %.2f ms per answer, %.0f times as fast as the "
                        "simulation\n",
                        name.c_str(),
                        100 * mean.estimate,
                        100 * std::max(0.0, mean.low),
                        100 * mean.high,
                        100 * largest,
                        n,
                        100 * all.noise / n,
                        1e3 * all.seconds / n,
                        speedUp);
            summary.Stream() << name << ',' << n << ',' << DcnToText(mean.estimate) << ','
                             << DcnToText(std::max(0.0, mean.low)) << ',' << DcnToText(mean.high)
                             << ',' << DcnToText(largest) << ',' << DcnToText(all.noise / n) << ','
                             << DcnToText(all.seconds) << ',' << DcnToText(speedUp) << '\n';
        }
        summary.Commit();
    }

    /// Plots latencies over the rate, those of models on a fine grid.
    /// @return whether there is a picture
    bool Plot(const std::string& base)
    {
        constexpr int STEPS = 40;
        double largest = 0;
        for (const Cell& cell : m_cells)
        {
            largest = std::max(largest, cell.rate);
        }
        for (const std::string& name : m_methods)
        {
            for (int i = 1; i <= STEPS && name != SIMULATION; ++i)
            {
                const double rate = largest * 1.03 * i / STEPS;
                if (rate >= 1)
                {
                    break;
                }
                m_network->SetAttribute("Rate", DoubleValue(rate));
                const NocResult result = m_network->Estimate(name);
                if (!result.isSaturated)
                {
                    m_curves[name].emplace_back(rate, result.request.estimate);
                }
            }
        }
        Gnuplot plot =
            DcnMakePlot(m_first.Get("topology") + " of " + std::to_string(m_topology->GetNNodes()) +
                            " nodes, hit rate " + DcnToText(m_cells.front().hit) + ", bursts " +
                            DcnToText(m_cells.front().burst),
                        "requests per cycle and core",
                        "latency of the request network [cycles]");
        plot.AppendExtra("set grid\nset key top left\nset yrange [0:]");
        // the truth last, above the lines
        auto order = m_methods;
        std::stable_partition(order.begin(), order.end(), [](const std::string& name) {
            return name != SIMULATION;
        });
        for (const std::string& name : order)
        {
            if (m_curves[name].empty())
            {
                continue;
            }
            Gnuplot2dDataset curve = DcnMakeCurve(name,
                                                  name == SIMULATION ? Gnuplot2dDataset::POINTS
                                                                     : Gnuplot2dDataset::LINES);
            if (name == SIMULATION)
            {
                curve.SetExtra(" pt 7 ps 2 lc rgb \"black\"");
            }
            for (const auto& [rate, latency] : m_curves[name])
            {
                curve.Add(rate, latency);
            }
            plot.AddDataset(curve);
        }
        return DcnWritePlot(plot, base);
    }

    const DcnKeyOptions& m_options;                //!< see the constructor
    std::vector<std::string> m_varied;             //!< keys with several values
    DcnRecipe m_first;                             //!< of the first cell
    std::shared_ptr<const NocTopology> m_topology; //!< of all cells
    Ptr<NocNetwork> m_network;                     //!< set up for each cell
    std::vector<std::string> m_methods;            //!< the simulation first
    bool m_hasQueues;                              //!< see the constructor
    std::vector<Cell> m_cells;                     //!< in the order of DcnKeyOptions::Split
    bool m_isDrawn{false};                         //!< in a cell: NocSystem::IsDrawn
    std::map<std::string, Errors> m_errors;        //!< by method
    /// By method: rate and latency of a picture.
    std::map<std::string, std::vector<std::pair<double, double>>> m_curves;
};

} // namespace

int
main(int argc, char* argv[])
{
    DcnKeyOptions options(KEYS, "a network on chip", {{"loads", "0.3,0.6,0.9"}});
    std::string methods = "simulation,published,independent,closed,chain";
    std::string out = "results/noc";
    bool hasQueues = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Latency of a network on chip by simulation and by models.\n\n"
              "Sizes, times, hits, bursts, loads and rates take several values joined by commas.");
    options.AddTo(cmd);
    DcnAddText(cmd,
               "methods",
               "Joined by commas: simulation, published, independent, closed, chain",
               methods);
    cmd.AddValue("queues", "Write noc-queues.csv: waits by queue, latencies by pair", hasQueues);
    DcnAddText(cmd, "out", "Folder for noc-latency.csv, summary.csv and load-latency.png", out);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("noc-compare", [&]() {
        Comparison comparison(options, methods, given, hasQueues);
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        DcnRunRecord::FindParts(out);
        comparison.Run(out);
        return 0;
    });
}
