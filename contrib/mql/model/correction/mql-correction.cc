/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-correction.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-model-file.h"
#include "ns3/log.h"

#include <algorithm>
#include <array>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlCorrection");

namespace
{

using boost::property_tree::ptree;

const char* const FORMAT = "mql-correction"; //!< first member of a file
constexpr std::size_t MAX_FEATURES = 64;     //!< limit for the features of a hop

constexpr double NO_FEATURE = -1; //!< feature of leaves, in a file

/// A member of the nodes of a tree, an array of numbers in a file.
struct Column
{
    const char* name;
    double highest; //!< largest whole number; 0: any number
    double (*get)(const MqlTree::Node&);
    void (*set)(MqlTree::Node&, double);
};

/// The column of a member.
template <auto MEMBER>
constexpr Column
ColumnOf(const char* name, double highest = 0)
{
    using Value = std::decay_t<decltype(std::declval<MqlTree::Node>().*MEMBER)>;
    return {name,
            highest,
            [](const MqlTree::Node& node) { return static_cast<double>(node.*MEMBER); },
            [](MqlTree::Node& node, double x) { node.*MEMBER = static_cast<Value>(x); }};
}

const Column COLUMNS[] = {
    {"feature",
     std::numeric_limits<int32_t>::max(),
     [](const MqlTree::Node& node) {
         return node.feature == MqlTree::LEAF ? NO_FEATURE : node.feature;
     },
     [](MqlTree::Node& node, double x) {
         node.feature = x == NO_FEATURE ? MqlTree::LEAF : static_cast<uint32_t>(x);
     }},
    ColumnOf<&MqlTree::Node::threshold>("threshold"),
    ColumnOf<&MqlTree::Node::right>("right", std::numeric_limits<uint32_t>::max()),
    ColumnOf<&MqlTree::Node::value>("value"),
    ColumnOf<&MqlTree::Node::rows>("rows", 1e15),
    ColumnOf<&MqlTree::Node::gain>("gain")};

constexpr char TAKEN = '#'; //!< begins the string that stands for an array, see TakeArrays

using Arrays = std::vector<std::vector<double>>; //!< arrays of numbers of a file, in its order

/**
 * @param text of a file
 * @param begin of what strtod takes for a number
 * @param end of it
 * @return whether JSON takes it, too: digits before and after a point, no zero before them, no
 * hexadecimal digits
 */
bool
IsJsonNumber(const std::string& text, std::size_t begin, std::size_t end)
{
    const auto isDigit = [&text](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
    const std::size_t first = begin + (text[begin] == '-' ? 1 : 0);
    if (first >= end || !isDigit(first) || !isDigit(end - 1) ||
        (text[first] == '0' && isDigit(first + 1)))
    {
        return false;
    }
    for (std::size_t i = first; i < end; ++i)
    {
        const char each = text[i];
        if (!isDigit(i) && each != '.' && each != 'e' && each != 'E' && each != '+' && each != '-')
        {
            return false;
        }
        if (each == '.' && !isDigit(i + 1))
        {
            return false;
        }
    }
    return true;
}

/**
 * @param text of a file
 * @param at after the [ of an array; of numbers: set to its ]
 * @param values receives them
 * @return whether it is an array of one number or more, and nothing else
 */
bool
ReadNumbers(const std::string& text, std::size_t& at, std::vector<double>& values)
{
    const auto skip = [&text](std::size_t i) {
        while (i < text.size() &&
               (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t'))
        {
            ++i;
        }
        return i;
    };
    for (std::size_t i = skip(at); i < text.size(); i = skip(i + 1))
    {
        char* stop = nullptr;
        values.push_back(std::strtod(text.c_str() + i, &stop));
        const auto end = static_cast<std::size_t>(stop - text.c_str());
        if (!IsJsonNumber(text, i, end) || !std::isfinite(values.back()))
        {
            return false;
        }
        i = skip(end);
        if (i < text.size() && text[i] == ']')
        {
            at = i;
            return true;
        }
        if (i == text.size() || text[i] != ',')
        {
            return false;
        }
    }
    return false;
}

/**
 * @brief Take the arrays of numbers out of a file: ptree makes a tree of every number, which takes
 * several times as long as all that a query does.
 * @param text of a file; each array of numbers becomes ["#n"], n in the order of the file. Lines
 * stay where they are. A file that has such a string is left as it is
 * @return the arrays
 */
Arrays
TakeArrays(std::string& text)
{
    Arrays arrays;
    if (text.find(std::string("\"") + TAKEN) != std::string::npos)
    {
        return arrays;
    }
    std::string rest;
    bool isString = false;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        rest += text[i];
        isString ^= text[i] == '"';
        if (isString && text[i] == '\\' && i + 1 < text.size())
        {
            rest += text[++i];
        }
        std::size_t end = i + 1;
        std::vector<double> values;
        if (!isString && text[i] == '[' && ReadNumbers(text, end, values))
        {
            rest += '"' + std::string(1, TAKEN) + std::to_string(arrays.size()) + '"';
            rest.append(
                static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                    text.begin() + static_cast<std::ptrdiff_t>(end),
                                                    '\n')),
                '\n');
            rest += ']';
            arrays.push_back(std::move(values));
            i = end;
        }
    }
    text = std::move(rest);
    return arrays;
}

/// Reads an array of numbers; `arrays` are those that TakeArrays took.
std::vector<double>
ReadArray(const ptree& tree,
          const Arrays& arrays,
          const std::string& name,
          const std::string& where)
{
    const auto array = tree.get_child_optional(name);
    if (!array)
    {
        DcnFail(where, "there is no array '", name, "'");
    }
    const std::string first = array->empty() ? "" : array->front().second.data();
    uint64_t taken = 0;
    if (!arrays.empty() && first[0] == TAKEN && DcnParse(first.substr(1), taken))
    {
        return arrays.at(taken);
    }
    std::vector<double> values;
    for (const auto& [key, element] : *array)
    {
        double value;
        if (!key.empty() || !DcnParse(element.data(), value))
        {
            DcnFail(where, name, "[", values.size(), "] cannot be '", element.data(), "'");
        }
        values.push_back(value);
    }
    return values;
}

/// Writes the elements of an array.
void
WriteArray(std::ostream& out, const std::vector<double>& values)
{
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        out << (i == 0 ? "" : ", ") << values[i];
    }
}

/// Reads the nodes of a tree.
MqlTree
ReadTree(const ptree& tree, const Arrays& arrays, std::size_t nFeatures, const std::string& where)
{
    std::vector<MqlTree::Node> nodes;
    for (const Column& column : COLUMNS)
    {
        const auto values = ReadArray(tree, arrays, column.name, where);
        nodes.resize(&column == COLUMNS ? values.size() : nodes.size());
        if (values.size() != nodes.size())
        {
            DcnFail(where,
                    "there are arrays of ",
                    nodes.size(),
                    " and of ",
                    values.size(),
                    " nodes");
        }
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            if (column.highest > 0 &&
                (values[i] < (&column == COLUMNS ? NO_FEATURE : 0) || values[i] > column.highest ||
                 values[i] != std::floor(values[i])))
            {
                DcnFail(where, column.name, "[", i, "] cannot be ", values[i]);
            }
            column.set(nodes[i], values[i]);
        }
    }
    return MqlTree(std::move(nodes), static_cast<uint32_t>(nFeatures), where);
}

/// Names of the features of a tree.
std::vector<std::string>
NamesOf(const std::string& tree, std::size_t nFeatures)
{
    auto names =
        tree == MqlCorrection::P99 ? MqlRoundTripFeatures::GetNames() : MqlFeatures::GetNames();
    if (tree != MqlCorrection::P99)
    {
        names.resize(nFeatures);
    }
    return names;
}

/// Refuses a correction that does not match the card beside it, if there is a card.
void
CheckCard(const std::string& path, const std::map<std::string, MqlTree>& trees)
{
    const auto file = std::filesystem::path(path).parent_path() / "card.json";
    if (!std::filesystem::exists(file))
    {
        return;
    }
    const DcnModelCard card = DcnModelCard::Read(file.string(), "mql");
    for (const auto& [name, tree] : trees)
    {
        const double leaves = card.GetNumber("leaves", name);
        if (leaves != tree.GetNLeaves())
        {
            DcnFail(path,
                    " is not the correction of ",
                    file.string(),
                    ": its tree '",
                    name,
                    "' has ",
                    tree.GetNLeaves(),
                    " leaves, not ",
                    leaves);
        }
    }
}

} // namespace

MqlCorrection::MqlCorrection(std::size_t nFeatures)
    : m_nFeatures(nFeatures)
{
    if (nFeatures == 0 || nFeatures > MqlFeatures::GetNames().size())
    {
        DcnFail("a correction can use 1 to ",
                MqlFeatures::GetNames().size(),
                " features, not ",
                nFeatures);
    }
}

MqlCorrection
MqlCorrection::Read(const std::string& path)
{
    std::string text = DcnReadJson(path);
    const Arrays arrays = TakeArrays(text);
    std::istringstream file(text);
    ptree json;
    try
    {
        boost::property_tree::read_json(file, json);
    }
    catch (const boost::property_tree::json_parser_error& error)
    {
        DcnFail(path, ":", error.line(), ": the file is not JSON: ", error.message());
    }
    const std::string where = path + ": ";
    if (json.get("format", "") != FORMAT)
    {
        DcnFail(where, "the format is '", json.get("format", ""), "', not '", FORMAT, "'");
    }
    if (json.get("version", "") != std::to_string(VERSION))
    {
        DcnFail(where,
                "the version is '",
                json.get("version", ""),
                "', but this program reads ",
                VERSION);
    }
    const auto names = json.get_child_optional("features");
    const auto trees = json.get_child_optional("trees");
    if (!names || !trees)
    {
        DcnFail(where, "there are no 'features' or no 'trees'");
    }
    std::size_t nFeatures = 0;
    for (const auto& [key, name] : *names)
    {
        if (nFeatures >= MqlFeatures::GetNames().size() ||
            name.data() != MqlFeatures::GetNames()[nFeatures])
        {
            DcnFail(where,
                    "feature ",
                    nFeatures,
                    " is '",
                    name.data(),
                    "', which differs from this program's");
        }
        nFeatures++;
    }
    MqlCorrection correction(nFeatures);
    correction.SetRange(ReadArray(json, arrays, "lowest", where),
                        ReadArray(json, arrays, "highest", where),
                        where);
    for (const auto& [name, tree] : *trees)
    {
        correction.SetTree(
            name,
            ReadTree(tree, arrays, NamesOf(name, nFeatures).size(), where + name + ": "));
    }
    CheckCard(path, correction.GetTrees());
    NS_LOG_INFO(path << ": " << correction.m_trees.size() << " trees of " << nFeatures
                     << " features");
    return correction;
}

void
MqlCorrection::Write(const std::string& path) const
{
    DcnFileWriter file(path);
    auto& out = file.Stream();
    out.precision(std::numeric_limits<double>::max_digits10);
    out << "{\n  \"format\": \"" << FORMAT << "\",\n  \"version\": " << VERSION
        << ",\n  \"features\": [";
    const auto names = NamesOf("", m_nFeatures);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        out << (i == 0 ? "\"" : ", \"") << names[i] << '"';
    }
    out << "],\n  \"lowest\": [";
    WriteArray(out, m_lowest);
    out << "],\n  \"highest\": [";
    WriteArray(out, m_highest);
    out << "],\n  \"trees\": {";
    const char* separator = "\n";
    for (const auto& [name, tree] : m_trees)
    {
        out << separator << "    \"" << name << "\": {";
        for (const Column& column : COLUMNS)
        {
            std::vector<double> values;
            for (const MqlTree::Node& node : tree.GetNodes())
            {
                values.push_back(column.get(node));
            }
            out << (&column == COLUMNS ? "\n" : ",\n") << "      \"" << column.name << "\": [";
            WriteArray(out, values);
            out << "]";
        }
        out << "\n    }";
        separator = ",\n";
    }
    out << "\n  }\n}\n";
    file.Commit();
}

void
MqlCorrection::SetTree(const std::string& name, MqlTree tree)
{
    const std::size_t expected = NamesOf(name, m_nFeatures).size();
    if (tree.GetNFeatures() != expected)
    {
        DcnFail("the tree '", name, "' uses ", tree.GetNFeatures(), " features, not ", expected);
    }
    m_trees.insert_or_assign(name, std::move(tree));
}

void
MqlCorrection::SetRange(std::vector<double> lowest,
                        std::vector<double> highest,
                        const std::string& where)
{
    if (lowest.size() != highest.size() || (!highest.empty() && highest.size() != m_nFeatures))
    {
        DcnFail(where,
                "there are ",
                lowest.size(),
                " lowest and ",
                highest.size(),
                " highest values of ",
                m_nFeatures,
                " features");
    }
    m_lowest = std::move(lowest);
    m_highest = std::move(highest);
}

double
MqlCorrection::GetTrust(const double* features, std::size_t* worst) const
{
    // Other features (sizes of the network, shares, numbers of links) have no limits.
    static const auto above = MqlFeatures::Find(
        {"total_link_occupancy", "gap_scv", "service_scv", "pair_burst", "burst"});
    static const auto below = MqlFeatures::Find({"flow_concentration"}); // 1 / number of flows
    constexpr double ROUNDING = 1e-6;
    double trust = 1;
    auto compare = [&](std::size_t feature, double large, double small) {
        if (large > small * (1 + ROUNDING) + 1e-9)
        {
            const double here = small > 0 ? std::max(0.0, 1 - std::log2(large / small)) : 0;
            if (here < trust)
            {
                trust = here;
                if (worst != nullptr)
                {
                    *worst = feature;
                }
            }
        }
    };
    for (const std::size_t i : above)
    {
        if (i < m_highest.size())
        {
            compare(i, features[i], m_highest[i]);
        }
    }
    for (const std::size_t i : below)
    {
        if (i < m_lowest.size())
        {
            compare(i, m_lowest[i], features[i]);
        }
    }
    return trust;
}

std::pair<double, double>
MqlCorrection::GetRange(std::size_t feature) const
{
    return {m_lowest.at(feature), m_highest.at(feature)};
}

std::shared_ptr<const MqlCorrection>
MqlCorrection::Load(const std::string& name, MqlFormula formula)
{
    const bool fits = formula == MqlFormula::AUTOMATIC;
    if (name == "none" || (name == "auto" && (!fits || !std::ifstream(GetDefaultPath()))))
    {
        return nullptr;
    }
    if (!fits)
    {
        DcnFail("the correction '",
                name,
                "' was fitted to the waiting times of the formula auto, "
                "so it cannot correct those of another formula");
    }
    return std::make_shared<const MqlCorrection>(Read(name == "auto" ? GetDefaultPath() : name));
}

std::string
MqlCorrection::GetDefaultPath()
{
    return DcnDataPath("models/mql/correction.json");
}

MqlCorrectedSolution::MqlCorrectedSolution(const MqlNetwork& network,
                                           const MqlSolution& solution,
                                           const MqlCorrection* correction)
    : m_network(network),
      m_solution(solution),
      m_correction(correction),
      m_features(network, solution),
      m_trees(std::numeric_limits<uint8_t>::max() + 1, nullptr)
{
    static_assert(MAX_FEATURES >= 32, "there are more features than that");
    if (correction == nullptr)
    {
        return;
    }
    for (uint32_t link = 0; link < network.GetTopology().GetNLinks(); ++link)
    {
        const uint8_t type = network.GetQueueType(link);
        const auto tree = correction->GetTrees().find(MqlQueueTypes::GetName(type));
        if (m_trees[type] == nullptr && tree != correction->GetTrees().end())
        {
            m_trees[type] = &tree->second;
        }
    }
    const auto p99 = correction->GetTrees().find(MqlCorrection::P99);
    m_p99 = p99 == correction->GetTrees().end() ? nullptr : &p99->second;
}

double
MqlCorrectedSolution::GetWait(const MqlHop& hop, double* trust) const
{
    const MqlTree* tree = m_trees[m_network.GetQueueType(hop.visit.link)];
    std::array<double, MAX_FEATURES> values;
    double counts = 0;
    if (tree != nullptr)
    {
        m_features.Get(hop, values.data());
        counts = m_correction->GetTrust(values.data());
    }
    if (trust != nullptr)
    {
        *trust = counts;
    }
    if (counts == 0)
    {
        return hop.wait;
    }
    return std::max(0.0,
                    hop.wait + counts * m_features.GetScale(hop.visit.link) *
                                   tree->Predict(values.data()));
}

MqlFlowLatency
MqlCorrectedSolution::GetLatency(std::size_t flow) const
{
    return m_solution.GetLatency(flow, [this](const MqlHop& hop) { return GetWait(hop); });
}

MqlFlowLatency
MqlCorrectedSolution::GetRoundTrip(std::size_t flow) const
{
    const uint32_t partner = m_network.GetFlows().at(flow).partner;
    if (partner == MqlFlow::NO_PARTNER)
    {
        DcnFail("flow ", flow, " has no flow back, so there is no round trip");
    }
    return GetLatency(flow).Then(GetLatency(partner));
}

double
MqlCorrectedSolution::GetP99(std::size_t flow, const MqlFlowLatency& roundTrip) const
{
    if (m_p99 == nullptr)
    {
        return roundTrip.GetQuantile(0.99);
    }
    const MqlRoundTrip trip = Describe(flow, roundTrip);
    std::array<double, MAX_FEATURES> values;
    MqlRoundTripFeatures::Get(trip, m_features, values.data());
    const double stretch = m_p99->Predict(values.data());
    m_features.Get(trip.hops[trip.GetLongest()], values.data());
    return roundTrip.service + roundTrip.propagation +
           GetP99Wait(trip) * std::max(0.0, 1 + m_correction->GetTrust(values.data()) * stretch);
}

MqlRoundTrip
MqlCorrectedSolution::Describe(std::size_t flow, const MqlFlowLatency& roundTrip) const
{
    MqlRoundTrip trip;
    trip.both = roundTrip;
    trip.quantile = roundTrip.GetQuantile(0.99);
    trip.there = m_solution.GetLatency(flow, [&](const MqlHop& hop) {
        trip.hops.push_back(hop);
        trip.waits.push_back(GetWait(hop));
        return trip.waits.back();
    });
    return trip;
}

double
MqlCorrectedSolution::GetP99Wait(const MqlRoundTrip& trip)
{
    constexpr double LEAST = 0.05; // fraction of the time on the wire
    return std::max(trip.quantile - trip.both.service - trip.both.propagation,
                    LEAST * trip.both.service);
}

std::string
MqlCorrectedSolution::DescribeUnknown() const
{
    if (m_correction == nullptr)
    {
        return "";
    }
    std::vector<MqlHop> hops;
    std::array<double, MAX_FEATURES> values;
    double least = 1;
    double value = 0;
    std::size_t feature = 0;
    uint64_t unknown = 0;
    uint64_t all = 0;
    std::set<std::string> without; // types of queues without a tree
    for (std::size_t flow = 0; flow < m_network.GetFlows().size(); ++flow)
    {
        m_solution.GetHops(flow, hops);
        for (const auto& hop : hops)
        {
            all++;
            const uint8_t type = m_network.GetQueueType(hop.visit.link);
            if (m_trees[type] == nullptr)
            {
                unknown++;
                without.insert(MqlQueueTypes::GetName(type));
                continue;
            }
            m_features.Get(hop, values.data());
            std::size_t worst = 0;
            const double trust = m_correction->GetTrust(values.data(), &worst);
            unknown += trust < 1 ? 1 : 0;
            if (trust < least)
            {
                least = trust;
                feature = worst;
                value = values[worst];
            }
        }
    }
    if (unknown == 0)
    {
        return "";
    }
    std::ostringstream text;
    text.precision(3);
    const double percent = 100.0 * static_cast<double>(unknown) / static_cast<double>(all);
    text << "the learned correction was not trained for " << percent
         << " % of the hops, where it has less or no effect: ";
    if (least < 1)
    {
        const auto [lowest, highest] = m_correction->GetRange(feature);
        text << MqlFeatures::GetNames()[feature] << " is " << value << ", trained from " << lowest
             << " to " << highest << (without.empty() ? "" : "; ");
    }
    for (auto type = without.begin(); type != without.end(); ++type)
    {
        text << (type == without.begin() ? "no tree for queues " : ", ") << *type;
    }
    return text.str();
}

} // namespace ns3
