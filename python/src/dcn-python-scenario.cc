/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-python.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/dcn-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <set>
#include <sstream>

namespace dcnpython
{

using namespace ns3;

Network::Network(Ptr<const DcnTopology> nodesAndLinks)
    : topology(nodesAndLinks)
{
    for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
    {
        indexOf[topology->GetExternalId(node)] = node;
    }
}

uint32_t
Network::Find(int64_t node, const std::string& where) const
{
    const auto found = node < 0 ? indexOf.end() : indexOf.find(static_cast<uint64_t>(node));
    if (found == indexOf.end())
    {
        DcnFail(where, "node ", node, " is not in the network");
    }
    return found->second;
}

Ptr<const DcnTopology>
Network::Copy() const
{
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
    {
        builder.AddNode(topology->IsHost(node) ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                        topology->GetExternalId(node));
    }
    for (uint32_t link = 0; link < topology->GetNLinks(); link += 2)
    {
        const DcnLink& each = topology->GetLink(link);
        builder.AddLink(each.from, each.to, each.rateBps, each.delayNs);
    }
    return builder.Build();
}

namespace
{

/**
 * @param name of the argument
 * @param array its values
 * @param columns number of columns
 * @return the values, by row
 * @throws DcnError for another shape
 */
const int64_t*
GetRows(const char* name, const Integers& array, py::ssize_t columns)
{
    if (array.ndim() != 2 || array.shape(1) != columns)
    {
        DcnFail(name, " must have ", columns, " columns");
    }
    return array.data();
}

/// Returns "flows: row 3: ".
std::string
MakeWhere(const char* name, std::size_t row)
{
    return std::string(name) + ": row " + std::to_string(row) + ": ";
}

/**
 * @param nodes number and 1 for a host or 0 for a switch
 * @param links two nodes, rate [bit/s], delay [ns]
 * @return the network
 */
Network
MakeNetwork(const Integers& nodes, const Integers& links)
{
    DcnTopologyBuilder builder;
    std::unordered_map<int64_t, uint32_t> indexOf;
    const int64_t* node = GetRows("nodes", nodes, 2);
    for (std::size_t i = 0; i < static_cast<std::size_t>(nodes.shape(0)); ++i, node += 2)
    {
        const std::string where = MakeWhere("nodes", i);
        if (node[0] < 0)
        {
            DcnFail(where, "node_id must not be negative, but it is ", node[0]);
        }
        indexOf[node[0]] = builder.AddNode(node[1] != 0 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                                           static_cast<uint64_t>(node[0]),
                                           where);
    }
    const int64_t* link = GetRows("links", links, 4);
    for (std::size_t i = 0; i < static_cast<std::size_t>(links.shape(0)); ++i, link += 4)
    {
        const std::string where = MakeWhere("links", i);
        for (const int64_t end : {link[0], link[1]})
        {
            if (indexOf.count(end) == 0)
            {
                DcnFail(where, "node ", end, " is not among nodes");
            }
        }
        if (link[2] <= 0)
        {
            DcnFail(where, "rate_bps must be at least 1, but it is ", link[2]);
        }
        builder.AddLink(indexOf[link[0]],
                        indexOf[link[1]],
                        static_cast<uint64_t>(link[2]),
                        link[3],
                        where);
    }
    return Network(builder.Build());
}

/**
 * @brief Make the configuration that a scenario directory of these flows would have.
 * @param topology the network
 * @param senders indices of hosts that send, any number of times; empty: all hosts
 * @param control the congestion control
 * @param preset of its parameters
 * @param keys of network.csv, as of DcnNetworkConfig::SetKeys
 * @return the configuration
 */
Ptr<DcnNetworkConfig>
MakeConfig(const DcnTopology& topology,
           const std::vector<uint32_t>& senders,
           const std::string& control,
           const std::string& preset,
           const std::string& keys)
{
    const std::vector<uint32_t>& all = topology.GetHosts();
    // idle hosts change nothing
    const auto& hosts = senders.empty() || topology.GetNicRates(all).size() == 1 ? all : senders;
    Ptr<DcnNetworkConfig> config =
        DcnNetworkConfig::Preset(control, topology.GetNicRates(hosts), preset);
    config->SetKeys(keys);
    std::set<uint64_t> rates;
    for (const uint32_t host : hosts)
    {
        if (topology.IsHost(host))
        {
            rates.insert(topology.GetHostRate(host));
        }
    }
    config->Check({rates.begin(), rates.end()});
    return config;
}

/// Makes a scenario, with its cost.
template <typename Make>
Scenario
Measure(const Make& make)
{
    const DcnStopwatch stopwatch;
    Scenario made;
    make(made);
    const DcnCost cost = stopwatch.Get();
    made.wallSeconds = cost.wallSeconds;
    made.cpuSeconds = cost.cpuSeconds;
    return made;
}

/**
 * @param assignments as of a DcnScenarioRecipe
 * @return its scenario
 */
Scenario
MakeFromRecipe(const std::string& assignments)
{
    return Measure([&](Scenario& made) {
        const DcnScenarioRecipe recipe(assignments);
        const DcnScenarioRecipe drawn = recipe.Draw(recipe.GetWhole("seed"));
        made.recipe = drawn.ToFullText();
        made.scenario = recipe.Create(&made.load);
    });
}

/**
 * @param network nodes and links
 * @param flows number, source, destination, payload [bytes], start [ns]
 * @param paths nodes of pinned paths by number of the flow
 * @param control, preset, keys see MakeConfig
 * @param seed of paths and of methods
 * @return the scenario
 */
Scenario
MakeFromArrays(const Network& network,
               const Integers& flows,
               const std::unordered_map<uint64_t, std::vector<int64_t>>& paths,
               const std::string& control,
               const std::string& preset,
               const std::string& keys,
               uint64_t seed)
{
    return Measure([&](Scenario& made) {
        std::vector<DcnFlow> list;
        std::vector<uint32_t> senders;
        const int64_t* flow = GetRows("flows", flows, 5);
        for (std::size_t i = 0; i < static_cast<std::size_t>(flows.shape(0)); ++i, flow += 5)
        {
            const std::string where = MakeWhere("flows", i);
            if (flow[0] < 0 || flow[3] <= 0)
            {
                DcnFail(where,
                        flow[0] < 0 ? "flow_id must not be negative, but it is "
                                    : "size_bytes must be at least 1, but it is ",
                        flow[0] < 0 ? flow[0] : flow[3]);
            }
            list.push_back({static_cast<uint64_t>(flow[0]),
                            network.Find(flow[1], where),
                            network.Find(flow[2], where),
                            static_cast<uint64_t>(flow[3]),
                            flow[4]});
            senders.push_back(list.back().src);
        }
        std::unordered_map<uint64_t, DcnScenario::PinnedPath> pinned;
        for (const auto& [id, nodes] : paths)
        {
            DcnScenario::PinnedPath pin;
            pin.where = "paths: flow " + std::to_string(id) + ": ";
            for (const int64_t node : nodes)
            {
                pin.nodes.nodes.push_back(network.Find(node, pin.where));
            }
            pinned.emplace(id, pin);
        }
        made.scenario =
            DcnScenario::Create(network.topology,
                                MakeConfig(*network.topology, senders, control, preset, keys),
                                std::move(list),
                                pinned,
                                seed,
                                [](std::size_t i) { return MakeWhere("flows", i); });
    });
}

/// Returns the flows as columns.
py::dict
GetFlows(const Scenario& self)
{
    const auto& flows = self.scenario->GetFlows();
    const DcnTopology& topology = self.scenario->GetTopology();
    const std::size_t n = flows.size();
    py::dict columns;
    columns["flow_id"] = MakeArray<int64_t>(n, [&](std::size_t i) { return flows[i].id; });
    columns["src"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return topology.GetExternalId(flows[i].src); });
    columns["dst"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return topology.GetExternalId(flows[i].dst); });
    columns["size_bytes"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return flows[i].sizeBytes; });
    columns["start_ns"] = MakeArray<int64_t>(n, [&](std::size_t i) { return flows[i].startNs; });
    columns["path_hops"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return self.scenario->GetPath(i).size(); });
    columns["ideal_ns"] = MakeArray<int64_t>(n, [&](std::size_t i) {
        return self.scenario->GetIdealFct(i).GetTotalNs();
    });
    return columns;
}

/// Returns the numbers of the nodes on the path of a flow, by its position.
std::vector<uint64_t>
GetPathNodes(const Scenario& self, std::size_t flow)
{
    if (flow >= self.scenario->GetFlows().size())
    {
        DcnFail("there is no flow at position ",
                flow,
                ": the scenario has ",
                self.scenario->GetFlows().size());
    }
    const DcnTopology& topology = self.scenario->GetTopology();
    std::vector<uint64_t> nodes{topology.GetExternalId(self.scenario->GetFlows()[flow].src)};
    for (const uint32_t link : self.scenario->GetPath(flow))
    {
        nodes.push_back(topology.GetExternalId(topology.GetLink(link).to));
    }
    return nodes;
}

/// Returns nodes as columns.
py::dict
GetNodes(const Network& self)
{
    const std::size_t n = self.topology->GetNNodes();
    py::list kinds;
    for (uint32_t node = 0; node < n; ++node)
    {
        kinds.append(self.topology->IsHost(node) ? "host" : "switch");
    }
    py::dict columns;
    columns["node_id"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return self.topology->GetExternalId(i); });
    columns["kind"] = py::module_::import("numpy").attr("array")(kinds);
    return columns;
}

/// Returns links, each once, as columns.
py::dict
GetLinks(const Network& self)
{
    const DcnTopology& topology = *self.topology;
    const std::size_t n = topology.GetNLinks() / 2;
    const auto link = [&](std::size_t i) -> const DcnLink& {
        return topology.GetLink(static_cast<uint32_t>(2 * i));
    };
    py::dict columns;
    columns["a"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return topology.GetExternalId(link(i).from); });
    columns["b"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return topology.GetExternalId(link(i).to); });
    columns["rate_bps"] = MakeArray<int64_t>(n, [&](std::size_t i) { return link(i).rateBps; });
    columns["delay_ns"] = MakeArray<int64_t>(n, [&](std::size_t i) { return link(i).delayNs; });
    return columns;
}

/**
 * @brief Holds back what a method writes on std::cerr.
 *
 * The line of its warnings is dropped by Drop, because the answer has them; the rest is written at
 * the end.
 */
class HoldBack
{
  public:
    HoldBack()
        : m_before(std::cerr.rdbuf(m_text.rdbuf()))
    {
    }

    ~HoldBack()
    {
        std::cerr.rdbuf(m_before);
        std::cerr << m_text.str() << std::flush;
    }

    HoldBack(const HoldBack&) = delete;
    HoldBack& operator=(const HoldBack&) = delete;

    /** @param line a line that is not to be written; nothing if it was not there */
    void Drop(const std::string& line)
    {
        std::string text = m_text.str();
        const std::size_t at = text.find(line + '\n');
        if (at != std::string::npos)
        {
            m_text.str(text.erase(at, line.size() + 1));
        }
    }

  private:
    std::ostringstream m_text; //!< what was written
    std::streambuf* m_before;  //!< where std::cerr writes
};

/**
 * @brief Ask a method. Without an open flow network, ns-3's simulator is as at the start of a
 * program before and after it. An open one keeps its events, its time and its nodes: a method that
 * needs the simulator sees that events are pending, and works in a process of its own.
 * @param scenario the flows
 * @param name of the method, with attributes
 * @return the answer
 */
DcnEstimate
Ask(Ptr<const DcnScenario> scenario, const std::string& name)
{
    struct Guard
    {
        EventId event;                 //!< makes the simulator busy
        bool isOpen{HasOpenNetwork()}; //!< a flow network is open

        Guard()
        {
            if (isOpen)
            {
                event = Simulator::Schedule(Seconds(1), []() {});
            }
        }

        ~Guard()
        {
            isOpen ? Simulator::Remove(event) : Simulator::Destroy();
        }
    };

    HoldBack hold;
    const Guard guard;
    const DcnEstimate estimate = DcnEstimator::CreateByName(name)->Estimate(scenario);
    hold.Drop(estimate.method + ": " + estimate.DescribeWarnings());
    return estimate;
}

/**
 * @param answers of methods
 * @param method position of one of them
 * @return its estimate
 */
const DcnEstimate&
Get(const Answers& answers, std::size_t method)
{
    return answers.table.GetEstimates().at(method);
}

/// Returns slowdowns of a class with their weights, ascending.
std::vector<std::pair<double, double>>
GetSorted(const Answers& answers, std::size_t method, double lowerBytes, double upperBytes)
{
    auto slowdowns = answers.table.GetSlowdowns(method, {"", lowerBytes, upperBytes});
    std::sort(slowdowns.begin(), slowdowns.end());
    return slowdowns;
}

/**
 * @param answers of methods
 * @param method position of one of them
 * @return p99, lower and upper limit by size class; and what the limits are
 */
std::vector<std::tuple<std::string, double, double, double, std::string>>
GetLimits(const Answers& answers, std::size_t method)
{
    std::vector<std::tuple<std::string, double, double, double, std::string>> rows;
    const DcnEstimate& estimate = Get(answers, method);
    const auto& flows = answers.table.GetScenario()->GetFlows();
    for (const DcnSizeClass& each : DcnSizeClasses())
    {
        const auto sorted = GetSorted(answers, method, each.lowerBytes, each.upperBytes);
        if (sorted.empty())
        {
            continue;
        }
        const auto n = std::count_if(flows.begin(), flows.end(), [&](const DcnFlow& flow) {
            return each.Contains(static_cast<double>(flow.sizeBytes));
        });
        const double p99 = DcnWeightedQuantile(sorted, 0.99);
        if (const auto limits = estimate.GetP99Limits(each.name, p99, static_cast<uint64_t>(n)))
        {
            rows.emplace_back(each.name, p99, limits->first, limits->second, "model");
        }
    }
    for (const auto& [sizeClass, p99] : estimate.limits)
    {
        rows.emplace_back(sizeClass, p99.value, p99.lower, p99.upper, "draw");
    }
    return rows;
}

/**
 * @param assignments as of a DcnScenarioRecipe, without keys of flows
 * @return the network, the congestion control, and the keys of network.csv
 * @throws DcnError for a bad key, and for one without effect
 */
py::tuple
MakeNetworkFromRecipe(const std::string& assignments)
{
    const DcnScenarioRecipe recipe(assignments);
    for (const char* key : {"sizes", "matrix", "load", "sigma", "duration", "flows", "loadRule"})
    {
        if (recipe.IsSet(key))
        {
            DcnFail("the key ",
                    key,
                    " has no effect on a network, which has no flows: leave it out");
        }
    }
    const DcnScenarioRecipe::Parts parts = recipe.CreateParts();
    std::string keys;
    for (const auto& [key, value] : parts.network->GetKeys())
    {
        if (key != "cc")
        {
            keys += (keys.empty() ? "" : ",") + key + "=" + value;
        }
    }
    return py::make_tuple(Network(parts.topology), parts.network->congestionControl, keys);
}

/// Defines the members of networks.
void
DefineNetwork(py::module_& module)
{
    py::class_<Network>(module, "Network")
        .def_static("from_arrays", &MakeNetwork, py::arg("nodes"), py::arg("links"))
        .def_static("from_recipe", &MakeNetworkFromRecipe)
        .def("nodes", &GetNodes)
        .def("links", &GetLinks)
        .def("hosts", [](const Network& self) {
            const auto& hosts = self.topology->GetHosts();
            return MakeArray<int64_t>(hosts.size(), [&](std::size_t i) {
                return self.topology->GetExternalId(hosts[i]);
            });
        });
}

/// @return what is known of an answer beside its times
py::dict
GetFacts(const Answers& self, std::size_t method)
{
    const DcnEstimate& estimate = Get(self, method);
    py::dict facts;
    facts["method"] = estimate.method;
    facts["provenance"] = estimate.provenance;
    facts["answered_by"] = estimate.answeredBy;
    facts["is_ground_truth"] = estimate.isGroundTruth;
    facts["wall_s"] = estimate.wallSeconds;
    facts["cpu_s"] = estimate.cpuSeconds;
    facts["jobs"] = estimate.jobs;
    facts["completion"] = estimate.DescribeCompletion();
    facts["is_complete"] = estimate.IsComplete();
    facts["unfinished"] = estimate.unfinished;
    facts["events"] = std::map<std::string, double>(estimate.events.begin(), estimate.events.end());
    facts["busiest_links"] = estimate.busiestLinks;
    facts["notes"] = estimate.notes;
    facts["warnings"] = estimate.warnings;
    facts["warning"] = estimate.DescribeWarnings();
    facts["expected_error"] = estimate.expectedError;
    facts["not_modelled"] = estimate.notModelled;
    facts["limits_note"] = estimate.marginsNote;
    return facts;
}

/// @return columns of the flows that a method sampled
py::dict
GetSamples(const Answers& self, std::size_t method)
{
    const auto& samples = Get(self, method).samples;
    const DcnTopology& topology = self.table.GetScenario()->GetTopology();
    const std::size_t n = samples.size();
    py::dict columns;
    columns["src"] = MakeArray<int64_t>(n, [&](std::size_t i) {
        return topology.GetExternalId(samples[i].src);
    });
    columns["dst"] = MakeArray<int64_t>(n, [&](std::size_t i) {
        return topology.GetExternalId(samples[i].dst);
    });
    columns["size_bytes"] =
        MakeArray<int64_t>(n, [&](std::size_t i) { return samples[i].sizeBytes; });
    columns["slowdown"] = MakeArray<double>(n, [&](std::size_t i) { return samples[i].slowdown; });
    columns["weight"] = MakeArray<double>(n, [&](std::size_t i) { return samples[i].weight; });
    return columns;
}

/// Defines the members of answers.
void
DefineAnswers(py::module_& module)
{
    py::class_<Answers>(module, "Answers")
        .def(py::init([](const Scenario& scenario) {
            Answers answers{DcnFctTable(scenario.scenario)};
            answers.table.SetScenarioCost({scenario.cpuSeconds, scenario.wallSeconds});
            return answers;
        }))
        .def("ask",
             [](Answers& self, const std::string& name, std::optional<bool> isTruth) {
                 DcnEstimate estimate = Ask(self.table.GetScenario(), name);
                 estimate.isGroundTruth = isTruth.value_or(estimate.isGroundTruth);
                 self.table.Add(estimate);
             })
        .def("__len__", [](const Answers& self) { return self.table.GetEstimates().size(); })
        .def("has_truth", [](const Answers& self) { return self.table.HasTruth(); })
        .def("fct_ns",
             [](const Answers& self, std::size_t method) {
                 const auto& fcts = Get(self, method).fctNs;
                 return MakeArray<double>(fcts.size(), [&](std::size_t i) {
                     return fcts[i] == DcnEstimate::UNFINISHED
                                ? std::numeric_limits<double>::quiet_NaN()
                                : static_cast<double>(fcts[i]);
                 });
             })
        .def("ideal_ns",
             [](const Answers& self) { return ToArray<int64_t>(self.table.GetIdealNs()); })
        .def("samples", &GetSamples)
        .def("slowdowns",
             [](const Answers& self, std::size_t method, double lower, double upper) {
                 const auto sorted = GetSorted(self, method, lower, upper);
                 return py::make_tuple(
                     MakeArray<double>(sorted.size(),
                                       [&](std::size_t i) { return sorted[i].first; }),
                     MakeArray<double>(sorted.size(),
                                       [&](std::size_t i) { return sorted[i].second; }));
             })
        .def("quantile",
             [](const Answers& self, std::size_t method, double p, double lower, double upper) {
                 const auto sorted = GetSorted(self, method, lower, upper);
                 return sorted.empty() ? std::numeric_limits<double>::quiet_NaN()
                                       : DcnWeightedQuantile(sorted, p);
             })
        .def("summary",
             [](const Answers& self) {
                 py::list rows;
                 for (const auto& row : self.table.GetSummary())
                 {
                     rows.append(py::make_tuple(row.method,
                                                row.metric,
                                                row.sizeClass,
                                                row.value,
                                                row.truth,
                                                row.relativeError,
                                                row.answeredBy));
                 }
                 return rows;
             })
        .def("limits", &GetLimits)
        .def("write",
             [](const Answers& self, const std::string& folder) {
                 DcnMakeFolder(folder);
                 self.table.Write(folder);
             })
        .def("facts", &GetFacts);
}

} // namespace

void
DefineScenario(py::module_& module)
{
    DefineNetwork(module);
    py::class_<Scenario>(module, "Scenario")
        .def_static("from_recipe", &MakeFromRecipe)
        .def_static("from_directory",
                    [](const std::string& folder, uint64_t seed, const std::string& keys) {
                        return Measure([&](Scenario& made) {
                            made.scenario = DcnReadScenario(folder, seed, keys);
                        });
                    })
        .def_static("from_arrays", &MakeFromArrays)
        .def("network",
             [](const Scenario& self) { return Network(self.scenario->GetTopologyPtr()); })
        .def("flows", &GetFlows)
        .def("path", &GetPathNodes)
        .def("recipe", [](const Scenario& self) { return self.recipe; })
        .def("seed", [](const Scenario& self) { return self.scenario->GetSeed(); })
        .def("n_flows", [](const Scenario& self) { return self.scenario->GetFlows().size(); })
        .def("config",
             [](const Scenario& self) { return self.scenario->GetNetworkConfig()->GetKeys(); })
        .def("notes", [](const Scenario& self) { return DcnDescribeNetworkLimits(*self.scenario); })
        .def("load",
             [](const Scenario& self) -> py::object {
                 if (!self.load)
                 {
                     return py::none();
                 }
                 py::dict load;
                 load["asked"] = self.load->askedLoad;
                 load["realised"] = self.load->realised.maxLoad;
                 load["realised_with_headers"] = self.load->realised.maxWireLoad;
                 load["span_ns"] = self.load->spanNs;
                 load["stretch"] = self.load->stretch;
                 return load;
             })
        .def("check",
             [](const Scenario& self, const std::string& method) {
                 DcnEstimator::CreateByName(method)->Check(self.scenario);
             })
        .def("write", [](const Scenario& self, const std::string& folder) {
            DcnWriteScenario(*self.scenario, folder);
        });
    module.def("method_label", [](const std::string& name) {
        const Ptr<DcnEstimator> method = DcnEstimator::CreateByName(name);
        return std::pair{method->GetLabel(), method->IsGroundTruth()};
    });
    DefineAnswers(module);
}

} // namespace dcnpython
