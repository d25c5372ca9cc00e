/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-recipe.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-suite.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace ns3
{

namespace
{

using K = DcnRecipeKey;

/// A rule with its value in the recipe reduced. The order of the table is that of dataset.csv.
struct Rule
{
    const char* kind; //!< path or fabric; BOTH: either
    K key;            //!< see DcnRecipeKey
};

constexpr const char* BOTH = nullptr; //!< kind of a rule that both kinds have

constexpr double MAX_RATE = 1e12;                        //!< largest link rate [bit/s]
const char* const CCS = "dctcp+dcqcn+timely+hpcc";       //!< congestion controls
const char* const FORMS = "exp+gaussian+lognorm+pareto"; //!< parametric sizes

// clang-format off
const Rule RULES[] = {
    {"path", {"nodes", K::WORD, "3+5+7", 0, 0, "3+4+5+6+7+8+9+10", "",
     "attachment points of the path, ends included; by turns"}},
    {"path", {"host_rate_bps", K::WHOLE, "10000000000", 1e8, MAX_RATE, "", "",
     "first and last link of the path"}},
    {"path", {"switch_rate_bps", K::WHOLE, "40000000000", 1e8, MAX_RATE, "", "",
     "links between switches"}},
    {"fabric", {"pods", K::WHOLE, "2", 1, 64, "", "", "pods"}},
    {"fabric", {"racks_per_pod", K::WHOLE, "4", 1, 64, "", "", "racks in a pod"}},
    {"fabric", {"hosts_per_rack", K::WHOLE, "4", 1, 64, "", "", "hosts in a rack"}},
    {"fabric", {"fabrics_per_pod", K::WHOLE, "2", 1, 64, "", "", "fabric switches in a pod"}},
    {"fabric", {"spines_per_plane", K::WHOLE, "1+2+4", 1, 64, "", "",
     "spines: 1:1, 2:1 and 4:1 are 4, 2 and 1"}},
    {"fabric", {"host_rate_bps", K::WHOLE, "10000000000", 1e8, MAX_RATE, "", "", "links of hosts"}},
    {"fabric", {"switch_rate_bps", K::WHOLE, "10000000000+40000000000", 1e8, MAX_RATE, "", "",
     "links between switches"}},
    {BOTH, {"link_delay_ns", K::WHOLE, "1000", 0, 1e9, "", "", "propagation delay of a link"}},
    {BOTH, {"samples_per_workload", K::SINGLE, "1", 1, 1e6, "", "",
     "consecutive samples with the same workload draws"}},
    {"path", {"flows", K::WHOLE, "3000:6000", 1, 1e8, "", "", "number of flows"}},
    {"path", {"flows_per", K::CHOICE, "sample", 0, 0, "sample+pair", "",
     "what the number of flows is multiplied by"}},
    {"fabric", {"flows", K::WHOLE, "2000", 1, 1e8, "", "", "number of flows"}},
    {BOTH, {"sizes", K::TEXT, FORMS, 0, 0, "", "", "size distributions"}},
    {BOTH, {"theta", K::NUMBER, "5000:50000", 2600, 100000, "", "",
     "size parameter: mean about 1000 B (theta / 5000)^2"}},
    {BOTH, {"size_cap_bytes", K::WHOLE, "1000000", 0, 1e15, "", "",
     "larger flows become this; 0: no cap"}},
    {BOTH, {"sigma", K::NUMBER, "1:2", 0, 4, "", "", "shape of log-normal gaps; 0: Poisson"}},
    {"path", {"load", K::NUMBER, "0.2:0.8", 0.001, 0.999, "", "",
     "payload load of the most loaded link of the path"}},
    {"path", {"load_rule", K::CHOICE, "exact", 0, 0, "exact+published", "",
     "exact: of the flows drawn; published: expected if all pairs had equally many"}},
    {"path", {"weights", K::CHOICE, "share", 0, 0, "share+published", "",
     "share: foreground_share, rest U(0,1); published: 1 and U(0,1) p / pairs"}},
    {"path", {"foreground_share", K::NUMBER, "0.25:0.5", 0.001, 0.999, "", "weights=share",
     "share of the flows that cross the whole path"}},
    {"path", {"reverse_share", K::NUMBER, "0", 0, 1, "", "",
     "probability that a background flow goes the other way"}},
    {"path", {"background", K::CHOICE, "hosts", 0, 0, "hosts+published", "",
     "hosts: of host_rate_bps; published: one at 100 Tb/s, no buffer limit"}},
    {"path", {"background_hosts", K::WHOLE, "4", 1, 64, "", "background=hosts",
     "hosts at each inner point"}},
    {"fabric", {"load", K::NUMBER, "0.3:0.8", 0.001, 0.999, "", "",
     "payload load of the most loaded link"}},
    {"fabric", {"load_rule", K::CHOICE, "expected", 0, 0, "expected+exact", "",
     "expected: of the matrix and the mean size; exact: of the flows drawn, starts are stretched"}},
    {"fabric", {"matrices", K::TEXT, "database+web+hadoop", 0, 0, "", "", "traffic matrices"}},
    {BOTH, {"cc", K::WORD, CCS, 0, 0, CCS, "", "congestion controls"}},
    {BOTH, {"window_bytes", K::NUMBER, "5000:30000", 1000, 1e9, "", "", "cap on bytes in flight"}},
    {BOTH, {"buffer_kib", K::NUMBER, "200:500", 1, 1e6, "", "", "switch buffer [1024 bytes]"}},
    {BOTH, {"pfc", K::WHOLE, "0+1", 0, 1, "", "", "priority flow control"}},
    {BOTH, {"dcqcn_pfc", K::CHOICE, "on", 0, 0, "on+drawn", "",
     "on: always on with DCQCN; drawn: as pfc"}},
    {"path", {"dctcp_k_bytes", K::NUMBER, "5000:20000", 0, 1e9, "", "", "DCTCP's K at 10 Gb/s"}},
    {"path", {"dcqcn_kmin_bytes", K::NUMBER, "20000:50000", 0, 1e9, "", "",
     "DCQCN's Kmin at 25 Gb/s"}},
    {"path", {"dcqcn_kmax_bytes", K::NUMBER, "50000:100000", 0, 1e9, "", "",
     "DCQCN's Kmax at 25 Gb/s"}},
    {"fabric", {"dctcp_k_bytes", K::NUMBER, "5000:30000", 0, 1e9, "", "", "DCTCP's K at 10 Gb/s"}},
    {"fabric", {"dcqcn_kmin_bytes", K::NUMBER, "10000:50000", 0, 1e9, "", "",
     "DCQCN's Kmin at 25 Gb/s"}},
    {"fabric", {"dcqcn_kmax_bytes", K::NUMBER, "50000:100000", 0, 1e9, "", "",
     "DCQCN's Kmax at 25 Gb/s"}},
    {BOTH, {"timely_low_ns", K::NUMBER, "40000:60000", 0, 1e9, "", "", "TIMELY's Tlow"}},
    {BOTH, {"timely_high_ns", K::NUMBER, "100000:150000", 0, 1e9, "", "", "TIMELY's Thigh"}},
    {BOTH, {"hpcc_eta", K::NUMBER, "0.7:0.95", 0.01, 1, "", "", "HPCC's eta"}},
    {BOTH, {"hpcc_additive_increase_bps", K::NUMBER, "500000000:1000000000", 1, MAX_RATE, "", "",
     "HPCC's additive increase"}},
    {"fabric", {"record", K::CHOICE, "all", 0, 0, "all+fct", "",
     "fct: neither queues nor events, which m4 needs and m3 does not"}},
    {"suite", {"packet_hops", K::WHOLE, "1000000", 1000, 1e12, "", "",
     "data packets times links of a sample, which gives the number of flows"}},
    {"suite", {"flows", K::WHOLE, "2000", 1, 1e8, "", "", "largest number of flows"}},
    {"suite", {"record", K::CHOICE, "all", 0, 0, "all+fct", "",
     "fct: neither queues nor events, which m4 needs and m3 does not"}},
};

// clang-format on

/// Values in the recipe published that differ from those in the recipe reduced, by kind.
const std::map<std::string, std::string> PUBLISHED{
    {"path",
     "samples_per_workload=60,flows=20000,flows_per=pair,size_cap_bytes=0,load_rule=published,"
     "weights=published,background=published"},
    {"fabric",
     "switch_rate_bps=10000000000,size_cap_bytes=0,sigma=1+2,cc=dctcp+dcqcn+timely,"
     "window_bytes=5000:15000,buffer_kib=100:160,pfc=1,dctcp_k_bytes=10000:30000,"
     "dcqcn_kmin_bytes=10000:30000,dcqcn_kmax_bytes=30000:50000"},
    {DcnDatasetRecipe::SCENARIO,
     "cc=dctcp+dcqcn+timely,window_bytes=5000:15000,buffer_kib=100:160,pfc=1,"
     "dctcp_k_bytes=10000:30000,dcqcn_kmin_bytes=10000:30000,dcqcn_kmax_bytes=30000:50000"},
    {DcnDatasetRecipe::SUITE, ""},
};

/**
 * @param rule a rule
 * @param table path, fabric, DcnDatasetRecipe::SCENARIO or DcnDatasetRecipe::SUITE
 * @return true if the table has the rule; that of a scenario has those of fabrics from cc on
 */
bool
IsIn(const Rule& rule, const std::string& table)
{
    if (table == DcnDatasetRecipe::SUITE)
    {
        return rule.kind && table == rule.kind; // a suite draws all else
    }
    if (table != DcnDatasetRecipe::SCENARIO)
    {
        return !rule.kind || table == rule.kind;
    }
    const Rule* cc = std::find_if(std::begin(RULES), std::end(RULES), [](const Rule& each) {
        return each.key.name == "cc";
    });
    return &rule >= cc && (!rule.kind || std::string(rule.kind) == "fabric");
}

/// @return the tables of all kinds and recipes; a rule's default is its value in the recipe
std::map<std::pair<std::string, std::string>, DcnRecipe::Keys>
MakeTables()
{
    std::map<std::pair<std::string, std::string>, DcnRecipe::Keys> tables;
    for (const auto& [kind, changes] : PUBLISHED)
    {
        DcnRecipe::Keys keys;
        for (const Rule& rule : RULES)
        {
            if (IsIn(rule, kind))
            {
                keys.push_back(rule.key);
            }
        }
        tables[{kind, "reduced"}] = keys;
        for (const auto& change : DcnRecipe::Parse(changes))
        {
            std::find_if(keys.begin(), keys.end(), [&](const K& key) {
                return key.name == change.first;
            })->value = change.second;
        }
        tables[{kind, "published"}] = keys;
    }
    return tables;
}

/// @return the table of a kind and a recipe
const DcnRecipe::Keys&
GetTable(const std::string& kind, const std::string& recipe)
{
    static const auto tables = MakeTables();
    const auto table = tables.find({kind, recipe});
    if (PUBLISHED.count(kind) == 0)
    {
        DcnFail("the kind of a data set must be path or fabric, but it is \"", kind, "\"");
    }
    if (table == tables.end())
    {
        DcnFail("the recipe must be reduced or published, but it is \"", recipe, "\"");
    }
    return table->second;
}

/// @return 16 hexadecimal digits: hash of the parts of a scenario that are repeated
std::string
DigestFlows(const DcnScenario& scenario)
{
    std::ostringstream text;
    const DcnTopology& topology = scenario.GetTopology();
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        text << topology.IsHost(node);
    }
    for (uint32_t i = 0; i < topology.GetNLinks(); ++i)
    {
        const DcnLink& link = topology.GetLink(i);
        text << '\n' << link.from << ' ' << link.to << ' ' << link.rateBps << ' ' << link.delayNs;
    }
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        text << '\n' << flow.src << ' ' << flow.dst << ' ' << flow.sizeBytes << ' ' << flow.startNs;
        for (uint32_t link : scenario.GetPath(i))
        {
            text << ' ' << link;
        }
    }
    text << '\n' << scenario.GetNetwork().payloadBytes << ' ' << scenario.GetNetwork().maxRate;
    const auto always =
        DcnNetworkConfig::Preset(scenario.GetNetwork().congestionControl)->GetKeys();
    for (const auto& [key, value] : scenario.GetNetworkConfig()->GetKeys())
    {
        // keys of transports with connections, which are only there where they are set
        const auto same = [&key](const auto& other) { return other.first == key; };
        if (std::none_of(always.begin(), always.end(), same))
        {
            text << ' ' << key << '=' << value;
        }
    }
    return DcnHashText(text.str());
}

} // namespace

DcnDatasetRecipe::DcnDatasetRecipe(const std::string& kind, const std::string& recipe)
    : DcnDatasetRecipe(kind, kind, recipe)
{
    if (kind == SCENARIO || kind == SUITE)
    {
        DcnFail("the kind of a data set must be path or fabric, but it is \"", kind, "\"");
    }
}

DcnDatasetRecipe::DcnDatasetRecipe(const std::string& table,
                                   const std::string& kind,
                                   const std::string& recipe)
    : DcnRecipe(GetTable(table, recipe),
                table == kind ? "data sets of the kind " + kind : "data sets of a " + table),
      m_table(table),
      m_kind(kind),
      m_name(recipe)
{
}

DcnDatasetRecipe
DcnDatasetRecipe::OfScenario(const std::string& folder, const std::string& recipe)
{
    DcnDatasetRecipe made(SCENARIO, "fabric", recipe);
    made.m_scenario = DcnReadScenario(folder);
    std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    path = path.has_filename() ? path : path.parent_path(); // after a slash at the end
    made.m_scenarioName = path.filename().string();
    std::replace(made.m_scenarioName.begin(), made.m_scenarioName.end(), ',', '_');
    return made;
}

DcnDatasetRecipe
DcnDatasetRecipe::OfSuite(const std::string& suite)
{
    DcnDatasetRecipe made(SUITE, "fabric", "reduced");
    DcnScenarioSuite(suite, 1); // refuses unknown names
    made.m_suite = suite;
    return made;
}

std::vector<std::string>
DcnDatasetRecipe::GetCongestionControls() const
{
    return m_suite.empty() ? GetChoices("cc")
                           : DcnScenarioSuite(m_suite, 1).GetCongestionControls();
}

std::string
DcnDatasetRecipe::GetCommandOptions() const
{
    std::string options = "--suite=" + m_suite;
    if (m_suite.empty())
    {
        options = m_scenario ? "--scenario=" + m_scenarioName : "--kind=" + m_kind;
        options += " --recipe=" + m_name;
    }
    for (const K& key : GetTable(m_table, m_name))
    {
        if (IsSet(key.name) && Get(key.name) != key.value)
        {
            options += " --rules=" + key.name + "=" + Get(key.name);
        }
    }
    return options;
}

std::vector<std::pair<std::string, std::string>>
DcnDatasetRecipe::GetRules() const
{
    std::vector<std::pair<std::string, std::string>> rules;
    if (m_scenario)
    {
        rules.emplace_back(SCENARIO, m_scenarioName + " " + DigestFlows(*m_scenario));
    }
    if (!m_suite.empty())
    {
        rules.emplace_back(SUITE, m_suite);
    }
    for (const K& key : GetTable(m_table, m_name))
    {
        rules.emplace_back(key.name, IsSet(key.name) ? Get(key.name) : key.value);
    }
    return rules;
}

std::string
DcnDatasetRecipe::Describe(const std::string& kind)
{
    const std::string& published = PUBLISHED.at(kind);
    return DcnRecipe::Describe(GetTable(kind, "reduced")) +
           (published.empty() ? ""
                              : "    --recipe=published is\n    --rules=" + published + "\n");
}

} // namespace ns3
