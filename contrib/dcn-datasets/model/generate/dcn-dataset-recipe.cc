/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-recipe.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/hash.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

/// Form of the value of a rule.
enum class Type
{
    WHOLE,  //!< whole numbers: one, a range or a list
    NUMBER, //!< numbers: one, a range or a list
    WORD,   //!< one of some words
    NAMES   //!< a list of names, of the words if there are any, else checked by the users
};

/// A rule and its values in the two recipes. The order of the table is that of dataset.csv.
struct Rule
{
    const char* kind;      //!< path or fabric; BOTH: either
    const char* key;       //!< its name
    Type type;             //!< form of its value
    const char* reduced;   //!< value in the recipe reduced
    const char* published; //!< value in the recipe published
    double least;          //!< smallest number
    double most;           //!< largest number
    const char* words;     //!< allowed words
    const char* meaning;   //!< for --help

    /**
     * @param ofKind path or fabric
     * @return true if data sets of that kind have the rule
     */
    bool IsOf(const std::string& ofKind) const
    {
        return !kind || ofKind == kind;
    }

    /**
     * @param recipe reduced or published
     * @return its value in the recipe
     */
    std::string GetValue(const std::string& recipe) const
    {
        return recipe == "reduced" ? reduced : published;
    }
};

constexpr const char* BOTH = nullptr; //!< kind of a rule that both kinds have

constexpr double MAX_RATE = 1e12;                        //!< largest link rate [bit/s]
const char* const CCS = "dctcp+dcqcn+timely+hpcc";       //!< congestion controls
const char* const FORMS = "exp+gaussian+lognorm+pareto"; //!< parametric sizes

// clang-format off
const Rule RULES[] = {
    {"path", "nodes", Type::WHOLE, "3+5+7", "3+5+7", 3, 10, "",
     "attachment points of the path, ends included; by turns"},
    {"path", "host_rate_bps", Type::WHOLE, "10000000000", "10000000000", 1e8, MAX_RATE, "",
     "first and last link of the path"},
    {"path", "switch_rate_bps", Type::WHOLE, "40000000000", "40000000000", 1e8, MAX_RATE, "",
     "links between switches"},
    {"fabric", "pods", Type::WHOLE, "2", "2", 1, 64, "", "pods"},
    {"fabric", "racks_per_pod", Type::WHOLE, "4", "4", 1, 64, "", "racks in a pod"},
    {"fabric", "hosts_per_rack", Type::WHOLE, "4", "4", 1, 64, "", "hosts in a rack"},
    {"fabric", "fabrics_per_pod", Type::WHOLE, "2", "2", 1, 64, "", "fabric switches in a pod"},
    {"fabric", "spines_per_plane", Type::WHOLE, "1+2+4", "1+2+4", 1, 64, "",
     "spines: 1:1, 2:1 and 4:1 are 4, 2 and 1"},
    {"fabric", "host_rate_bps", Type::WHOLE, "10000000000", "10000000000", 1e8, MAX_RATE, "",
     "links of hosts"},
    {"fabric", "switch_rate_bps", Type::WHOLE,
     "10000000000+40000000000", "10000000000", 1e8, MAX_RATE, "",
     "links between switches"},
    {BOTH, "link_delay_ns", Type::WHOLE, "1000", "1000", 0, 1e9, "",
     "propagation delay of a link"},
    {"path", "samples_per_workload", Type::WHOLE, "1", "60", 1, 1e6, "",
     "consecutive samples with the same workload draws"},
    {"path", "flows", Type::WHOLE, "3000:6000", "20000", 1, 1e8, "", "number of flows"},
    {"path", "flows_per", Type::WORD, "sample", "pair", 0, 0, "sample+pair",
     "what the number of flows is multiplied by"},
    {"fabric", "samples_per_workload", Type::WHOLE, "1", "1", 1, 1e6, "",
     "consecutive samples with the same workload draws"},
    {"fabric", "flows", Type::WHOLE, "2000", "2000", 1, 1e8, "", "number of flows"},
    {BOTH, "sizes", Type::NAMES, FORMS, FORMS, 0, 0, "", "size distributions"},
    {BOTH, "theta", Type::NUMBER, "5000:50000", "5000:50000", 2600, 100000, "",
     "size parameter: mean about 1000 B (theta / 5000)^2"},
    {BOTH, "size_cap_bytes", Type::WHOLE, "1000000", "0", 0, 1e15, "",
     "larger flows become this; 0: no cap"},
    {"path", "sigma", Type::NUMBER, "1:2", "1:2", 0, 4, "", "shape of log-normal gaps; 0: Poisson"},
    {"path", "load", Type::NUMBER, "0.2:0.8", "0.2:0.8", 0.001, 0.999, "",
     "payload load of the most loaded link of the path"},
    {"path", "load_rule", Type::WORD, "exact", "published", 0, 0, "exact+published",
     "exact: of the flows drawn; published: expected if all pairs had equally many"},
    {"path", "weights", Type::WORD, "share", "published", 0, 0, "share+published",
     "share: foreground_share, rest U(0,1); published: 1 and U(0,1) p / pairs"},
    {"path", "foreground_share", Type::NUMBER, "0.25:0.5", "0.25:0.5", 0.001, 0.999, "",
     "share of the flows that cross the whole path; weights=share"},
    {"path", "reverse_share", Type::NUMBER, "0", "0", 0, 1, "",
     "probability that a background flow goes the other way"},
    {"path", "background", Type::WORD, "hosts", "published", 0, 0, "hosts+published",
     "hosts: of host_rate_bps; published: one at 100 Tb/s, no buffer limit"},
    {"path", "background_hosts", Type::WHOLE, "4", "4", 1, 64, "",
     "hosts at each inner point; background=hosts"},
    {"path", "cc", Type::NAMES, CCS, CCS, 0, 0, CCS, "congestion controls"},
    {"path", "window_bytes", Type::NUMBER, "5000:30000", "5000:30000", 1000, 1e9, "",
     "cap on bytes in flight"},
    {"path", "buffer_kib", Type::NUMBER, "200:500", "200:500", 1, 1e6, "",
     "switch buffer [1024 bytes]"},
    {"path", "pfc", Type::WHOLE, "0+1", "0+1", 0, 1, "", "priority flow control"},
    {"fabric", "sigma", Type::NUMBER, "1:2", "1+2", 0, 4, "",
     "shape of log-normal gaps; 0: Poisson"},
    {"fabric", "load", Type::NUMBER, "0.3:0.8", "0.3:0.8", 0.001, 0.999, "",
     "payload load of the most loaded link"},
    {"fabric", "load_rule", Type::WORD, "expected", "expected", 0, 0, "expected+exact",
     "expected: of the matrix and the mean size; exact: of the flows drawn, starts are stretched"},
    {"fabric", "matrices", Type::NAMES, "database+web+hadoop", "database+web+hadoop", 0, 0, "",
     "traffic matrices"},
    {"fabric", "cc", Type::NAMES, CCS, "dctcp+dcqcn+timely", 0, 0, CCS, "congestion controls"},
    {"fabric", "window_bytes", Type::NUMBER, "5000:30000", "5000:15000", 1000, 1e9, "",
     "cap on bytes in flight"},
    {"fabric", "buffer_kib", Type::NUMBER, "200:500", "100:160", 1, 1e6, "",
     "switch buffer [1024 bytes]"},
    {"fabric", "pfc", Type::WHOLE, "0+1", "1", 0, 1, "", "priority flow control"},
    {BOTH, "dcqcn_pfc", Type::WORD, "on", "on", 0, 0, "on+drawn",
     "on: always on with DCQCN; drawn: as pfc"},
    {"path", "dctcp_k_bytes", Type::NUMBER, "5000:20000", "5000:20000", 0, 1e9, "",
     "DCTCP's K at 10 Gb/s"},
    {"path", "dcqcn_kmin_bytes", Type::NUMBER, "20000:50000", "20000:50000", 0, 1e9, "",
     "DCQCN's Kmin at 25 Gb/s"},
    {"path", "dcqcn_kmax_bytes", Type::NUMBER, "50000:100000", "50000:100000", 0, 1e9, "",
     "DCQCN's Kmax at 25 Gb/s"},
    {"fabric", "dctcp_k_bytes", Type::NUMBER, "5000:30000", "10000:30000", 0, 1e9, "",
     "DCTCP's K at 10 Gb/s"},
    {"fabric", "dcqcn_kmin_bytes", Type::NUMBER, "10000:50000", "10000:30000", 0, 1e9, "",
     "DCQCN's Kmin at 25 Gb/s"},
    {"fabric", "dcqcn_kmax_bytes", Type::NUMBER, "50000:100000", "30000:50000", 0, 1e9, "",
     "DCQCN's Kmax at 25 Gb/s"},
    {BOTH, "timely_low_ns", Type::NUMBER, "40000:60000", "40000:60000", 0, 1e9, "",
     "TIMELY's Tlow"},
    {BOTH, "timely_high_ns", Type::NUMBER, "100000:150000", "100000:150000", 0, 1e9, "",
     "TIMELY's Thigh"},
    {BOTH, "hpcc_eta", Type::NUMBER, "0.7:0.95", "0.7:0.95", 0.01, 1, "", "HPCC's eta"},
    {BOTH, "hpcc_additive_increase_bps", Type::NUMBER,
     "500000000:1000000000", "500000000:1000000000", 1, MAX_RATE, "",
     "HPCC's additive increase"},
    {"fabric", "record", Type::WORD, "all", "all", 0, 0, "all+fct",
     "fct: neither queues nor events, which m4 needs and m3 does not"},
};

// clang-format on

/// A rule that has an effect only if another rule has a certain value.
struct Condition
{
    const char* key;   //!< the rule
    const char* other; //!< the other rule
    const char* value; //!< its value
};

const Condition CONDITIONS[] = {
    {"foreground_share", "weights", "share"},
    {"background_hosts", "background", "hosts"},
};

/**
 * @param text text
 * @param separator between the parts
 * @return the parts, one if there is no separator
 */
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at = 0; at != std::string::npos; from = at + 1)
    {
        at = text.find(separator, from);
        parts.push_back(text.substr(from, at == std::string::npos ? at : at - from));
    }
    return parts;
}

/**
 * @param kind path or fabric
 * @param key name of a rule
 * @return the rule, null if there is none
 */
const Rule*
FindRule(const std::string& kind, const std::string& key)
{
    auto rule = std::find_if(std::begin(RULES), std::end(RULES), [&](const Rule& r) {
        return r.IsOf(kind) && key == r.key;
    });
    return rule == std::end(RULES) ? nullptr : rule;
}

/**
 * @param rule a rule for numbers
 * @param text one number of its value
 * @param number the number
 * @return true if the rule allows the number
 */
bool
ParseNumber(const Rule& rule, const std::string& text, double& number)
{
    uint64_t whole = 0;
    const bool parsed = rule.type == Type::WHOLE ? DcnParse(text, whole) : DcnParse(text, number);
    number = rule.type == Type::WHOLE ? static_cast<double>(whole) : number;
    return parsed && number >= rule.least && number <= rule.most;
}

/**
 * @param rule a rule
 * @param value a value for it
 * @throws DcnError if the rule does not allow the value
 */
void
CheckValue(const Rule& rule, const std::string& value)
{
    if (rule.type == Type::WORD || rule.type == Type::NAMES)
    {
        const std::vector<std::string> words = Split(rule.words, '+');
        const auto parts =
            rule.type == Type::WORD ? std::vector<std::string>{value} : Split(value, '+');
        for (const std::string& part : parts)
        {
            if (part.empty() ||
                (*rule.words && std::find(words.begin(), words.end(), part) == words.end()))
            {
                DcnFail("the rule ",
                        rule.key,
                        " must be ",
                        rule.type == Type::WORD ? "one of " : "names joined by +",
                        rule.type == Type::NAMES && *rule.words ? ", of " : "",
                        rule.words,
                        ", but it is \"",
                        value,
                        "\"");
            }
        }
        return;
    }
    const bool isRange = value.find(':') != std::string::npos;
    const std::vector<std::string> parts = Split(value, isRange ? ':' : '+');
    double before = rule.least;
    bool good = !isRange || parts.size() == 2;
    for (const std::string& part : parts)
    {
        double number = 0;
        good = good && ParseNumber(rule, part, number) && (!isRange || number >= before);
        before = number;
    }
    if (!good)
    {
        DcnFail("the rule ",
                rule.key,
                " must be a",
                rule.type == Type::WHOLE ? " whole" : "",
                " number, a range LOW:HIGH or a list A+B from ",
                rule.least,
                " to ",
                rule.most,
                ", but it is \"",
                value,
                "\"");
    }
}

} // namespace

DcnDatasetRecipe::DcnDatasetRecipe(const std::string& kind, const std::string& recipe)
    : m_kind(kind),
      m_name(recipe)
{
    if (kind != "path" && kind != "fabric")
    {
        DcnFail("the kind of a data set must be path or fabric, but it is \"", kind, "\"");
    }
    if (recipe != "reduced" && recipe != "published")
    {
        DcnFail("the recipe must be reduced or published, but it is \"", recipe, "\"");
    }
    for (const Rule& rule : RULES)
    {
        if (rule.IsOf(kind))
        {
            m_values[rule.key] = rule.GetValue(recipe);
        }
    }
}

void
DcnDatasetRecipe::Set(const std::string& assignments)
{
    if (assignments.empty())
    {
        return;
    }
    for (const std::string& part : Split(assignments, ','))
    {
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos)
        {
            DcnFail("the rule \"", part, "\" is not of the form key=value");
        }
        const std::string key = part.substr(0, equals);
        const Rule* rule = FindRule(m_kind, key);
        if (!rule)
        {
            DcnFail("\"", key, "\" is no rule of data sets of the kind ", m_kind);
        }
        CheckValue(*rule, part.substr(equals + 1));
        m_values[key] = part.substr(equals + 1);
        m_changed.insert(key);
    }
    for (const Condition& condition : CONDITIONS)
    {
        if (m_changed.count(condition.key) && m_values[condition.other] != condition.value)
        {
            DcnFail("the rule ",
                    condition.key,
                    " has no effect with ",
                    condition.other,
                    "=",
                    m_values[condition.other]);
        }
    }
    if (m_values.count("nodes") && m_values["nodes"].find(':') != std::string::npos)
    {
        DcnFail("the rule nodes goes through a list A+B by turns, but it is the range \"",
                m_values["nodes"],
                "\"");
    }
    if (m_values["samples_per_workload"].find_first_of(":+") != std::string::npos)
    {
        DcnFail("the rule samples_per_workload must be one number, but it is \"",
                m_values["samples_per_workload"],
                "\"");
    }
}

std::string
DcnDatasetRecipe::GetCommandOptions() const
{
    std::string options = "--kind=" + m_kind + " --recipe=" + m_name;
    for (const Rule& rule : RULES)
    {
        if (rule.IsOf(m_kind) && m_values.at(rule.key) != rule.GetValue(m_name))
        {
            options += std::string(" --rules=") + rule.key + "=" + m_values.at(rule.key);
        }
    }
    return options;
}

std::vector<std::pair<std::string, std::string>>
DcnDatasetRecipe::GetRules() const
{
    std::vector<std::pair<std::string, std::string>> rules;
    for (const Rule& rule : RULES)
    {
        if (rule.IsOf(m_kind))
        {
            rules.emplace_back(rule.key, m_values.at(rule.key));
        }
    }
    return rules;
}

std::string
DcnDatasetRecipe::Describe(const std::string& kind)
{
    std::ostringstream text;
    for (const Rule& rule : RULES)
    {
        if (rule.IsOf(kind))
        {
            const std::string value = rule.reduced == std::string(rule.published)
                                          ? rule.reduced
                                          : rule.reduced + std::string(" | ") + rule.published;
            text << "    " << std::left << std::setw(27) << rule.key << value << "\n"
                 << std::setw(31) << "" << rule.meaning << "\n";
        }
    }
    return text.str();
}

const std::string&
DcnDatasetRecipe::Get(const std::string& key) const
{
    NS_ASSERT_MSG(m_values.count(key), "no rule " << key);
    return m_values.at(key);
}

std::vector<std::string>
DcnDatasetRecipe::GetList(const std::string& key) const
{
    return Split(Get(key), '+');
}

Ptr<UniformRandomVariable>
DcnDatasetRecipe::GetVariable(const std::string& key, const DcnRandom& random, DcnPurpose purpose)
{
    auto variable = CreateObject<UniformRandomVariable>();
    random.Assign(variable, purpose, Hash32(key) & DcnRandom::MAX_INDEX);
    return variable;
}

double
DcnDatasetRecipe::Draw(const std::string& key, const DcnRandom& random, DcnPurpose purpose) const
{
    const Rule& rule = *FindRule(m_kind, key);
    const std::string& value = Get(key);
    const std::size_t colon = value.find(':');
    double low = 0;
    double high = 0;
    if (colon == std::string::npos)
    {
        const auto list = GetList(key);
        ParseNumber(rule, list[DrawIndex(key, random, purpose)], low);
        return low;
    }
    ParseNumber(rule, value.substr(0, colon), low);
    ParseNumber(rule, value.substr(colon + 1), high);
    const double share = GetVariable(key, random, purpose)->GetValue(0.0, 1.0);
    return rule.type == Type::WHOLE ? low + std::floor(share * (high - low + 1))
                                    : low + share * (high - low);
}

std::size_t
DcnDatasetRecipe::DrawIndex(const std::string& key,
                            const DcnRandom& random,
                            DcnPurpose purpose) const
{
    const auto list = GetList(key);
    return GetVariable(key, random, purpose)->GetInteger(0, static_cast<uint32_t>(list.size() - 1));
}

} // namespace ns3
