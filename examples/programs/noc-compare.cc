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
#include "ns3/double.h"
#include "ns3/noc-helper.h"
#include "ns3/noc-network.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const char* const SIMULATION = "simulation"; //!< the method that is the truth
const char* const LOADS = "0.3+0.6+0.9"; //!< default
constexpr int SWEPT_WIDTH = 26;              //!< of a column

using Sizes = std::map<std::string, uint32_t>; //!< attributes of NocNetwork with their values

/// Where and with what load a network is looked at.
struct Cell
{
    Sizes sizes;  //!< of queues, lists and times
    double hit;   //!< share of hits
    double burst; //!< burst probability
    double load;  //!< rate over the largest one; 0: not known
    double rate;  //!< packets per cycle and core
};

/// Errors of a method over cells.
struct Errors
{
    std::vector<double> errors; //!< relative errors without sign, of cells that both answered
    double noise{0};            //!< sum of the relative half-widths of the simulation's intervals
    double seconds{0};          //!< processor time of the method
    double simulated{0};        //!< processor time of the simulation
};

/// @return a topology by its name
std::shared_ptr<const NocTopology>
MakeTopology(const std::string& name, uint32_t rows, uint32_t columns)
{
    if (name == "mesh")
    {
        return std::make_shared<const NocTopology>(NocTopology::Mesh(rows, columns));
    }
    if (name == "torus")
    {
        return std::make_shared<const NocTopology>(NocTopology::Torus(rows, columns));
    }
    if (name == "ring")
    {
        return std::make_shared<const NocTopology>(NocTopology::Ring(rows * columns));
    }
    if (name == "half-ring")
    {
        return std::make_shared<const NocTopology>(NocTopology::HalfRing(rows * columns));
    }
    DcnFail("there is no topology \"", name, "\"; there are: mesh, torus, ring, half-ring");
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

/// @return the sizes that differ between cells, such as "Ingress=4 MemoryPeriod=2"
std::string
DescribeSizes(const Cell& cell, const std::vector<std::string>& swept)
{
    std::string text;
    for (const std::string& name : swept)
    {
        text += (text.empty() ? "" : " ") + name + "=" + std::to_string(cell.sizes.at(name));
    }
    return text;
}

/// Sets the attributes of a network as a cell says, but for its rate.
void
Configure(Ptr<NocNetwork> network, const Cell& cell)
{
    for (const auto& [name, value] : cell.sizes)
    {
        network->SetAttribute(name, UintegerValue(value));
    }
    network->SetAttribute("HitRate", DoubleValue(cell.hit));
    network->SetAttribute("Burst", DoubleValue(cell.burst));
}

/**
 * Writes the row of an answer.
 * @param csv the file
 * @param sizes that differ between cells, as text
 * @param cell what was asked
 * @param result the answer
 * @param truth the simulation's answer if the row has an error, else null
 */
void
WriteRow(std::ostream& csv,
         const std::string& sizes,
         const Cell& cell,
         const NocResult& result,
         const NocResult* truth)
{
    csv << sizes << ',' << cell.hit << ',' << cell.burst << ',' << DcnToText(cell.load) << ','
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
            const std::string& sizes,
            const Cell& cell,
            const NocResult& result,
            const NocTopology& topology)
{
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        const std::string prefix = sizes + ',' + DcnToText(cell.hit) + ',' + DcnToText(cell.burst) +
                                   ',' + DcnToText(cell.rate) + ',' + result.method + ',' +
                                   NocGetLayerName(static_cast<NocLayer>(i)) + ',';
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

} // namespace

int
main(int argc, char* argv[])
{
    std::string topologyName = "mesh";
    uint32_t rows = 6;
    uint32_t columns = 6;
    std::string memory = "auto";
    std::string hits = "1";
    std::string bursts = "0";
    std::string loads = LOADS;
    std::string rates;
    std::string trace;
    std::string methods = "simulation,published,independent,closed,chain";
    std::string out = "results/noc";
    double snoop = 0;
    bool isOneLayer = false;
    bool hasQueues = false;
    // attributes of NocNetwork with their values, of which there may be several
    std::map<std::string, std::string> sizes{{"Egress", "16"},
                                             {"Transgress", "16"},
                                             {"Ingress", "16"},
                                             {"CacheList", "40"},
                                             {"CacheLatency", "10"},
                                             {"MemoryList", "64"},
                                             {"MemoryLatency", "100"},
                                             {"MemoryPeriod", "2"},
                                             {"SnoopLatency", "10"}};
    const auto defaults = sizes;
    Sizes run{{"Cycles", 200000}, {"WarmUp", 20000}, {"Seeds", 3}, {"Seed", 1}, {"Threads", 0}};
    CommandLine cmd(__FILE__);
    cmd.Usage("Latency of a network on chip by simulation and by models.\n\n"
              "Loads are shares of the rate at which a lane or a memory controller is busy all the "
              "time.");
    DcnAddText(cmd, "topology", "mesh, torus, ring or half-ring", topologyName);
    cmd.AddValue("rows", "Rows of nodes", rows);
    cmd.AddValue("columns", "Columns of nodes", columns);
    cmd.AddValue("oneLayer", "One layer, all nodes send and receive: no caches", isOneLayer);
    DcnAddText(cmd,
               "memory",
               "Nodes that are memory controllers, joined by +; none; auto: the two ends of the "
               "middle row, if there are misses",
               memory);
    DcnAddText(cmd, "hits", "Hit rates, joined by +", hits);
    cmd.AddValue("snoop", "Share of the hits of which another core owns the line", snoop);
    DcnAddText(cmd, "bursts", "Burst probabilities, joined by +", bursts);
    DcnAddText(cmd, "loads", "Loads, joined by +", loads);
    DcnAddText(cmd,
               "rates",
               "Requests per cycle and core, joined by +, in place of loads; empty: loads",
               rates);
    DcnAddText(cmd,
               "trace",
               "CSV file cycle,source,destination with the requests; empty: random ones",
               trace);
    DcnAddText(cmd,
               "methods",
               "Joined by commas: simulation, published, independent, closed, chain",
               methods);
    DcnAddText(cmd, "egress", "Packets in an egress queue, at most, joined by +", sizes["Egress"]);
    DcnAddText(cmd,
               "transgress",
               "Packets that wait to turn, at most, joined by +",
               sizes["Transgress"]);
    DcnAddText(cmd, "ingress", "Packets in a sink, at most, joined by +", sizes["Ingress"]);
    DcnAddText(cmd,
               "cacheList",
               "Requests in a cache slice, at most, joined by +",
               sizes["CacheList"]);
    DcnAddText(cmd,
               "cacheLatency",
               "Cycles until a cache slice answers, joined by +",
               sizes["CacheLatency"]);
    DcnAddText(cmd,
               "memoryList",
               "Requests in a memory controller, at most, joined by +",
               sizes["MemoryList"]);
    DcnAddText(cmd,
               "memoryLatency",
               "Cycles until a controller answers, joined by +",
               sizes["MemoryLatency"]);
    DcnAddText(cmd,
               "memoryPeriod",
               "Cycles per request of a controller, joined by +",
               sizes["MemoryPeriod"]);
    DcnAddText(cmd,
               "snoopLatency",
               "Cycles until the owner of a line answers, joined by +",
               sizes["SnoopLatency"]);
    cmd.AddValue("cycles", "Simulated cycles that are measured", run["Cycles"]);
    cmd.AddValue("warmUp", "Simulated cycles before", run["WarmUp"]);
    cmd.AddValue("seeds", "Repetitions of a simulation", run["Seeds"]);
    cmd.AddValue("seed", "Seed of the first repetition", run["Seed"]);
    cmd.AddValue("threads", "Repetitions at a time; 0: as many as cores", run["Threads"]);
    cmd.AddValue("queues", "Write noc-queues.csv: waits by queue, latencies by pair", hasQueues);
    DcnAddText(cmd, "out", "Folder for noc-latency.csv, summary.csv and load-latency.png", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("noc-compare", [&]() {
        const auto topology = MakeTopology(topologyName, rows, columns);
        const auto hitList = DcnReadNumbers("hits", hits);
        const auto burstList = DcnReadNumbers("bursts", bursts);
        const auto loadList = DcnReadNumbers("loads", rates.empty() ? loads : "1");
        auto names = DcnSplit(methods, ',');
        if (names.empty())
        {
            DcnFail("--methods names no method");
        }
        // the truth first: errors of the others refer to it
        std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
            return name == SIMULATION;
        });
        if (!rates.empty() && loads != LOADS)
        {
            DcnFail("--loads has no effect with --rates");
        }
        for (const auto& [name, text] : sizes)
        {
            const bool isOfCaches = name.rfind("Cache", 0) == 0 || name.rfind("Memory", 0) == 0;
            if (isOneLayer && isOfCaches && text != defaults.at(name))
            {
                std::string option = name;
                option[0] = static_cast<char>(std::tolower(option[0]));
                DcnFail("--", option, "=", text, " has no effect with --oneLayer");
            }
        }
        if (isOneLayer && (hits != "1" || snoop != 0 || (memory != "auto" && memory != "none")))
        {
            DcnFail("--hits, --snoop and --memory have no effect with --oneLayer");
        }
        if (snoop == 0 && sizes["SnoopLatency"] != "10")
        {
            DcnFail("--snoopLatency has no effect without --snoop");
        }
        if (!trace.empty() && (bursts != "0" || loads != LOADS || !rates.empty()))
        {
            DcnFail("--bursts, --loads and --rates have no effect with --trace");
        }
        if (memory == "auto")
        {
            const bool hasMisses =
                std::any_of(hitList.begin(), hitList.end(), [](double hit) { return hit < 1; });
            // with hits alone, too, so that grids of hit rates keep their nodes
            const uint32_t first = (rows - 1) / 2 * columns;
            memory = isOneLayer || (!hasMisses && hitList.size() > 1)
                         ? ""
                         : std::to_string(first) + "+" + std::to_string(first + columns - 1);
        }
        else if (memory == "none")
        {
            memory = "";
        }
        for (const std::string& name : names)
        {
            if (name != SIMULATION)
            {
                NocGetMethod(name); // refuses other names before the first simulation
            }
        }
        Ptr<NocNetwork> network = CreateObject<NocNetwork>();
        network->SetTopology(topology);
        network->SetAttribute("Cache", BooleanValue(!isOneLayer));
        network->SetAttribute("MemoryControllers", StringValue(memory));
        network->SetAttribute("SnoopRate", DoubleValue(snoop));
        for (const auto& [name, value] : run)
        {
            network->SetAttribute(name, UintegerValue(value));
        }
        std::vector<Sizes> designs{Sizes()};
        std::vector<std::string> swept;
        for (const auto& [name, text] : sizes)
        {
            const auto values = DcnReadNumbers(name, text);
            if (values.size() > 1)
            {
                swept.push_back(name);
            }
            std::vector<Sizes> more;
            for (const Sizes& design : designs)
            {
                for (double value : values)
                {
                    if (!(value >= 0 && value <= UINT32_MAX && value == std::floor(value)))
                    {
                        DcnFail(name, " must be whole and not negative, but it is ", value);
                    }
                    more.push_back(design);
                    more.back()[name] = static_cast<uint32_t>(value);
                }
            }
            designs = more;
        }
        network->SetTrace(trace);

        std::cout << topologyName << " of " << topology->GetNNodes() << " nodes, "
                  << (isOneLayer       ? "one layer"
                      : memory.empty() ? "caches, no memory controller"
                                       : "caches, memory controllers " + memory)
                  << "; queues: egress " << sizes["Egress"] << ", transgress "
                  << sizes["Transgress"] << ", ingress " << sizes["Ingress"] << "; " << run["Seeds"]
                  << " x " << run["Cycles"] << " cycles" << std::endl;
        if (!swept.empty())
        {
            std::printf("%-*s ", SWEPT_WIDTH, "sizes");
        }
        std::printf("%5s %6s %6s %8s", "hits", "burst", "load", "rate");
        for (const std::string& name : names)
        {
            std::printf("  %18s", name.c_str());
        }
        std::printf("\n");

        // all cells, with their rates
        std::vector<Cell> cells;
        for (const Sizes& design : designs)
        {
            for (double hit : hitList)
            {
                for (double burst : burstList)
                {
                    Cell cell{design, hit, burst, 0, 0};
                    Configure(network, cell);
                    if (!trace.empty())
                    {
                        cells.push_back(cell);
                        continue;
                    }
                    const double largest = network->GetSystem().GetLargestRate();
                    for (double load : rates.empty() ? loadList : DcnReadNumbers("rates", rates))
                    {
                        cell.rate = rates.empty() ? load * largest : load;
                        cell.load = cell.rate / largest;
                        cells.push_back(cell);
                    }
                }
            }
        }
        DcnMakeFolder(out);
        DcnFileWriter csv(out + "/noc-latency.csv");
        csv.Stream()
            << "sizes,hit_rate,burst,load,rate,method,request_latency,low,high,"
               "error,error_low,error_high,"
               "layer_request,layer_memory_request,layer_data,layer_acknowledgement,layer_snoop,"
               "throughput,offered,deflections,lost,saturated,binding,cpu_s\n";
        std::unique_ptr<DcnFileWriter> queues;
        if (hasQueues)
        {
            queues = std::make_unique<DcnFileWriter>(out + "/noc-queues.csv");
            queues->Stream() << "sizes,hit_rate,burst,rate,method,layer,queue,from,to,cycles\n";
        }
        std::map<std::string, Errors> errors;
        std::map<std::string, std::vector<std::pair<double, double>>> curves;
        for (const Cell& cell : cells)
        {
            Configure(network, cell);
            if (trace.empty())
            {
                network->SetAttribute("Rate", DoubleValue(cell.rate));
            }
            const std::string sizesText = DescribeSizes(cell, swept);
            if (!swept.empty())
            {
                std::printf("%-*s ", SWEPT_WIDTH, sizesText.c_str());
            }
            std::printf("%5.2f %6.2f %6.3f %8.5f", cell.hit, cell.burst, cell.load, cell.rate);
            std::vector<NocResult> results;
            for (const std::string& name : names)
            {
                results.push_back(network->Estimate(name));
                const NocResult& result = results.back();
                const NocResult* truth = nullptr;
                std::string text = Describe(result);
                if (names.front() == SIMULATION && name != SIMULATION &&
                    !results.front().isSaturated && !result.isSaturated)
                {
                    truth = &results.front();
                    const double error = result.request.estimate / truth->request.estimate - 1;
                    char more[32];
                    std::snprintf(more, sizeof(more), " (%+.1f %%)", 100 * error);
                    text += more;
                    Errors& all = errors[name];
                    all.errors.push_back(std::abs(error));
                    all.noise += truth->request.GetHalfWidth() / truth->request.estimate;
                    all.seconds += result.seconds;
                    all.simulated += truth->seconds;
                }
                std::printf("  %18s", text.c_str());
                std::fflush(stdout);
                WriteRow(csv.Stream(), sizesText, cell, result, truth);
                if (hasQueues)
                {
                    WriteQueues(queues->Stream(), sizesText, cell, result, *topology);
                }
                if (name == SIMULATION && !result.isSaturated)
                {
                    curves[name].emplace_back(cell.rate, result.request.estimate);
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
        csv.Commit();
        if (hasQueues)
        {
            queues->Commit();
        }
        std::printf(
            "~: a lane is busier than %.0f %% or a sink than %.0f %%, where models are less "
            "accurate\n",
            100 * NocAnswer::FULL_LANE,
            100 * NocAnswer::FULL_SINK);

        DcnFileWriter summary(out + "/summary.csv");
        summary.Stream() << "method,cells,mape,mape_low,mape_high,max_error,noise,cpu_s,speed_up\n";
        for (const std::string& name : names)
        {
            const auto found = errors.find(name);
            if (found == errors.end())
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
        std::string written =
            out + "/noc-latency.csv, summary.csv" + (hasQueues ? ", noc-queues.csv" : "");
        if (swept.empty() && trace.empty() && hitList.size() == 1 && burstList.size() == 1)
        {
            // models over a fine grid of rates
            const Cell& last =
                *std::max_element(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
                    return a.rate < b.rate;
                });
            Gnuplot plot =
                DcnMakePlot(topologyName + " of " + std::to_string(topology->GetNNodes()) +
                                " nodes, hit rate " + hits + ", bursts " + bursts,
                            "requests per cycle and core",
                            "latency of the request network [cycles]");
            plot.AppendExtra("set grid\nset key top left\nset yrange [0:]");
            double highest = 0;
            for (const std::string& name : names)
            {
                if (name == SIMULATION)
                {
                    continue;
                }
                constexpr int STEPS = 40;
                for (int i = 1; i <= STEPS; ++i)
                {
                    const double rate = last.rate * 1.03 * i / STEPS;
                    if (rate >= 1)
                    {
                        break;
                    }
                    network->SetAttribute("Rate", DoubleValue(rate));
                    const NocResult result = network->Estimate(name);
                    if (!result.isSaturated)
                    {
                        curves[name].emplace_back(rate, result.request.estimate);
                        highest = std::max(highest, result.request.estimate);
                    }
                }
            }
            // the truth last, above the lines
            auto order = names;
            std::stable_partition(order.begin(), order.end(), [](const std::string& name) {
                return name != SIMULATION;
            });
            for (const std::string& name : order)
            {
                if (curves[name].empty())
                {
                    continue;
                }
                Gnuplot2dDataset curve = DcnMakeCurve(
                    name,
                    name == SIMULATION ? Gnuplot2dDataset::POINTS : Gnuplot2dDataset::LINES);
                if (name == SIMULATION)
                {
                    curve.SetExtra(" pt 7 ps 2 lc rgb \"black\"");
                }
                for (const auto& [rate, latency] : curves[name])
                {
                    curve.Add(rate, latency);
                }
                plot.AddDataset(curve);
            }
            if (DcnWritePlot(plot, out + "/load-latency"))
            {
                written += ", load-latency.png, load-latency.svg";
            }
        }
        std::cout << "written: " << written << std::endl;
        return 0;
    });
}
