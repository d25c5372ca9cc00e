/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-recipe.h"

#include "dcn-scenario-directory.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology-builders.h"
#include "ns3/hash.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioRecipe");

namespace
{

/// A value, taken apart.
struct Value
{
    std::vector<std::string> parts; //!< low and high of a range; else the choices
    bool isRange{false};            //!< LOW:HIGH
    bool isLog{false};              //!< LOW:HIGH:log
};

/// @return the parts of a text between separators, one if there is no separator
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        // in 1e+9 the sign belongs to the number
        const bool isExponent = separator == '+' && i > 1 && (text[i - 1] | 32) == 'e' &&
                                std::isdigit(static_cast<unsigned char>(text[i - 2]));
        if (text[i] == separator && !isExponent)
        {
            parts.emplace_back();
        }
        else
        {
            parts.back() += text[i];
        }
    }
    return parts;
}

/// @return whether values of a type are numbers
bool
IsNumeric(DcnRecipeKey::Type type)
{
    return type != DcnRecipeKey::WORD && type != DcnRecipeKey::TEXT;
}

/// @return a value, taken apart by the grammar of its type
Value
TakeApart(DcnRecipeKey::Type type, const std::string& text)
{
    Value value;
    value.isRange = IsNumeric(type) && text.find(':') != std::string::npos;
    value.parts = Split(text, value.isRange ? ':' : '+');
    value.isLog = value.isRange && value.parts.size() == 3 && value.parts.back() == "log";
    if (value.isLog)
    {
        value.parts.pop_back();
    }
    return value;
}

/// @return whether a text is a rate, such as 10Gbps
bool
ParseRate(const std::string& text, DataRate& rate)
{
    DataRateValue value;
    const bool hasUnit = text.find_first_not_of("0123456789.") != std::string::npos;
    const bool isRate = hasUnit && value.DeserializeFromString(text, MakeDataRateChecker());
    rate = value.Get();
    return isRate;
}

/// @return whether a text is a time, such as 1us
bool
ParseTime(const std::string& text, Time& time)
{
    // ns-3 ends the program at a unit that it does not know
    static const std::set<std::string> UNITS{"ns", "us", "ms", "s"};
    const std::size_t unit = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    if (!DcnParse(text.substr(0, unit), number) || UNITS.count(text.substr(unit)) == 0)
    {
        return false;
    }
    time = Time(text);
    return !time.IsZero() || number == 0; // else it is less than a nanosecond
}

/// @return whether a text is a single number that the row allows, in the unit of its type
bool
ParseNumber(const DcnRecipeKey& row, const std::string& text, double& number)
{
    uint64_t whole = 0;
    DataRate rate;
    Time time;
    bool isNumber = false;
    switch (row.type)
    {
    case DcnRecipeKey::RATE:
        isNumber = ParseRate(text, rate);
        number = static_cast<double>(rate.GetBitRate());
        break;
    case DcnRecipeKey::TIME:
        isNumber = ParseTime(text, time);
        number = static_cast<double>(time.GetNanoSeconds());
        break;
    case DcnRecipeKey::NUMBER:
        isNumber = DcnParse(text, number);
        break;
    default:
        isNumber = DcnParse(text, whole);
        number = static_cast<double>(whole);
    }
    return isNumber && number >= row.least && number <= row.most;
}

/// @return a number as text that ParseNumber reads
std::string
ToText(DcnRecipeKey::Type type, double number)
{
    const char* unit = type == DcnRecipeKey::RATE ? "bps" : type == DcnRecipeKey::TIME ? "ns" : "";
    return DcnToText(type == DcnRecipeKey::NUMBER ? number : std::floor(number)) + unit;
}

/// @return the values that a row allows, for messages
std::string
DescribeValues(const DcnRecipeKey& row)
{
    switch (row.type)
    {
    case DcnRecipeKey::TEXT:
        return "a text without commas";
    case DcnRecipeKey::WORD: {
        std::string list = "one of";
        for (const std::string& word : Split(row.words, '+'))
        {
            list += (list.back() == 'f' ? " " : ", ") + word;
        }
        return list + ", or several joined by +";
    }
    default:
        break;
    }
    const std::string bounds = "from " + DcnToText(row.least) + " to " + DcnToText(row.most);
    const std::string several = ", a range LOW:HIGH or a choice A+B";
    return row.type == DcnRecipeKey::RATE     ? "a rate such as 10Gbps" + several
           : row.type == DcnRecipeKey::TIME   ? "a time such as 1us, " + bounds + " ns" + several
           : row.type == DcnRecipeKey::NUMBER ? "a number " + bounds + several
           : row.type == DcnRecipeKey::SINGLE ? "one whole number " + bounds
                                              : "a whole number " + bounds + several;
}

/// Largest numbers of keys.
constexpr double MAX_COUNT = 4294967295;       // of hosts, switches, links
constexpr double MAX_FLOWS = 1e9;              // of a scenario
constexpr double MAX_RATE = 1e15;              // bit/s
constexpr double MAX_TIME = 1e15;              // ns: 11 days
constexpr double MAX_NETWORK_NUMBER = 1e18;    // of network.csv, which has limits of its own
constexpr const char* GENERATED = "scenario="; // condition: the scenario is no directory

/// @return the keys of scenarios
DcnRecipe::Keys
MakeKeys()
{
    using K = DcnRecipeKey;
    const std::string fabric = "topology=fabric";
    const std::string racks = "topology=fabric+leaf-spine";
    const std::string dumbbell = "topology=dumbbell";
    const std::string parkingLot = "topology=parking-lot";
    const std::string rows = "topology=dumbbell+parking-lot";
    // clang-format off
    DcnRecipe::Keys keys{
        {"scenario", K::TEXT, "", 0, 0, "", "", "scenario directory; then only seed counts"},
        {"topology", K::WORD, "fabric", 0, 0, "fabric+leaf-spine+fat-tree+dumbbell+parking-lot",
         GENERATED, "kind of the network"},
        {"pods", K::WHOLE, "2", 0, MAX_COUNT, "", fabric, "pods"},
        {"pods", K::WHOLE, "4", 0, MAX_COUNT, "", "topology=fat-tree", "k of a k-ary fat tree"},
        {"racksPerPod", K::WHOLE, "4", 0, MAX_COUNT, "", fabric, "racks per pod"},
        {"racksPerPod", K::WHOLE, "8", 0, MAX_COUNT, "", "topology=leaf-spine", "leaves"},
        {"racksPerPod", K::WHOLE, "4", 0, MAX_COUNT, "", parkingLot, "switches in a row"},
        {"hostsPerRack", K::WHOLE, "4", 0, MAX_COUNT, "", racks, "hosts per rack"},
        {"hostsPerRack", K::WHOLE, "10", 0, MAX_COUNT, "", dumbbell, "hosts on each side"},
        {"hostsPerRack", K::WHOLE, "1", 0, MAX_COUNT, "", parkingLot, "hosts per switch"},
        {"fabricsPerPod", K::WHOLE, "2", 0, MAX_COUNT, "", fabric, "fabric switches per pod"},
        {"spinesPerPlane", K::WHOLE, "2", 0, MAX_COUNT, "", fabric, "spines per plane"},
        {"spinesPerPlane", K::WHOLE, "2", 0, MAX_COUNT, "", "topology=leaf-spine", "spines"},
        {"hostRate", K::RATE, "10Gbps", 1, MAX_RATE, "", GENERATED,
         "rate of hosts' links; of a fat tree: of all links"},
        {"fabricRate", K::RATE, "40Gbps", 1, MAX_RATE, "", racks, "rate between switches"},
        {"fabricRate", K::RATE, "10Gbps", 1, MAX_RATE, "", rows, "rate between switches"},
        {"linkDelay", K::TIME, "1us", 0, MAX_TIME, "", GENERATED, "propagation delay of a link"},
        {"sizes", K::TEXT, "web-server", 0, 0, "", GENERATED,
         "flow sizes: a name, NAME:PARAMETER or a CSV"},
        {"matrix", K::TEXT, "uniform", 0, 0, "", GENERATED, "traffic matrix: a name or a CSV"},
        {"load", K::NUMBER, "0.5", 0, 1, "", GENERATED, "payload load of the most loaded link"},
        {"sigma", K::NUMBER, "0", 0, 100, "", GENERATED,
         "shape of log-normal gaps between flows; 0: Poisson"},
        {"duration", K::TIME, "", 1, MAX_TIME, "", GENERATED,
         "time in which flows start; instead of flows"},
        {"flows", K::WHOLE, "2000", 1, MAX_FLOWS, "", "duration=", "number of flows"},
        {"seed", K::SINGLE, "1", 0, static_cast<double>(DcnRandom::MAX_SEED), "", "",
         "seed of everything random: draws, flows, ECMP paths, marking"},
        {"cc", K::WORD, "dctcp", 0, 0, "dctcp+dcqcn+timely+hpcc", GENERATED, "congestion control"},
        {"preset", K::WORD, "evaluation", 0, 0, "evaluation+paper", GENERATED,
         "parameters of the congestion control"},
    };
    // clang-format on
    for (const DcnNetworkConfig::Key& key : DcnNetworkConfig::GetAllKeys())
    {
        const bool isCommon = key.congestionControl.empty();
        keys.push_back({key.name,
                        key.isWhole ? K::WHOLE : K::NUMBER,
                        "",
                        0,
                        MAX_NETWORK_NUMBER,
                        "",
                        isCommon ? GENERATED : "cc=" + key.congestionControl,
                        "see network.csv",
                        false});
    }
    return keys;
}

} // namespace

DcnRecipe::DcnRecipe(const Keys& keys, const std::string& title, const std::string& prefix)
    : m_keys(&keys),
      m_title(title),
      m_prefix(prefix)
{
}

std::string
DcnRecipe::GetLabel(const std::string& name) const
{
    const DcnRecipeKey* row = FindFirst(name);
    return (row && row->isOption ? m_prefix : "") + name;
}

const DcnRecipeKey*
DcnRecipe::FindFirst(const std::string& name) const
{
    const auto row = std::find_if(m_keys->begin(), m_keys->end(), [&](const DcnRecipeKey& each) {
        return each.name == name;
    });
    return row == m_keys->end() ? nullptr : &*row;
}

bool
DcnRecipe::CanBeMet(const DcnRecipeKey& row) const
{
    if (row.only.empty())
    {
        return true;
    }
    const std::size_t equals = row.only.find('=');
    const std::string other = row.only.substr(0, equals);
    if (!FindInForce(other))
    {
        return false;
    }
    const auto wanted = Split(row.only.substr(equals + 1), '+');
    const auto possible = GetChoices(other);
    return std::find_first_of(wanted.begin(), wanted.end(), possible.begin(), possible.end()) !=
           wanted.end();
}

const DcnRecipeKey*
DcnRecipe::FindInForce(const std::string& name) const
{
    const auto row = std::find_if(m_keys->begin(), m_keys->end(), [&](const DcnRecipeKey& each) {
        return each.name == name && CanBeMet(each);
    });
    return row == m_keys->end() ? nullptr : &*row;
}

void
DcnRecipe::CheckValue(const DcnRecipeKey& row, const std::string& text) const
{
    const Value value = TakeApart(row.type, text);
    bool isGood = !value.isRange || value.parts.size() == 2;
    isGood = isGood && (row.type != DcnRecipeKey::SINGLE || value.parts.size() == 1);
    const auto words = Split(row.words, '+');
    double before = value.isLog ? std::nextafter(0.0, 1.0) : -INFINITY;
    for (const std::string& part : value.parts)
    {
        double number = 0;
        isGood = isGood && !part.empty() && part.find(',') == std::string::npos;
        if (row.type == DcnRecipeKey::WORD)
        {
            isGood = isGood && std::find(words.begin(), words.end(), part) != words.end();
        }
        else if (IsNumeric(row.type))
        {
            isGood = isGood && ParseNumber(row, part, number);
            isGood = isGood && (!value.isRange || number >= before);
            before = number;
        }
    }
    if (!isGood)
    {
        DcnFail(GetLabel(row.name), " must be ", DescribeValues(row), ", but it is \"", text, "\"");
    }
}

void
DcnRecipe::Set(const std::string& name, const std::string& value)
{
    const DcnRecipeKey* row = FindFirst(name);
    if (!row)
    {
        std::string known;
        std::set<std::string> seen;
        for (const DcnRecipeKey& each : *m_keys)
        {
            if (each.isOption && seen.insert(each.name).second)
            {
                known += (known.empty() ? "" : ", ") + each.name;
            }
        }
        const bool hasMore = !m_keys->back().isOption;
        DcnFail("\"",
                name,
                "\" is no key of ",
                m_title,
                "; keys are ",
                known,
                hasMore ? ", and those of network.csv" : "");
    }
    if (value.empty())
    {
        m_values.erase(name);
        return;
    }
    CheckValue(*row, value);
    m_values[name] = value;
}

void
DcnRecipe::SetAll(const std::string& assignments)
{
    std::set<std::string> seen;
    for (const std::string& part : Split(assignments, ','))
    {
        const std::size_t equals = part.find('=');
        if (assignments.empty())
        {
            return;
        }
        if (equals == std::string::npos)
        {
            DcnFail("\"", part, "\" is not of the form key=value");
        }
        const std::string name = part.substr(0, equals);
        if (!seen.insert(name).second)
        {
            DcnFail("the key \"", name, "\" is given twice");
        }
        Set(name, part.substr(equals + 1));
    }
}

std::string
DcnRecipe::ToText() const
{
    std::string text;
    std::set<std::string> seen;
    for (const DcnRecipeKey& row : *m_keys)
    {
        const auto value = m_values.find(row.name);
        if (value != m_values.end() && seen.insert(row.name).second)
        {
            text += (text.empty() ? "" : ",") + row.name + "=" + value->second;
        }
    }
    return text;
}

bool
DcnRecipe::IsSet(const std::string& name) const
{
    return m_values.count(name) > 0;
}

const std::string&
DcnRecipe::Get(const std::string& name) const
{
    static const std::string none;
    NS_ASSERT_MSG(FindFirst(name), name << " is no key");
    const DcnRecipeKey* row = FindInForce(name);
    const auto value = m_values.find(name);
    return !row ? none : value == m_values.end() ? row->value : value->second;
}

double
DcnRecipe::GetNumber(const std::string& name) const
{
    double number = 0;
    [[maybe_unused]] const bool isSingle = ParseNumber(*FindFirst(name), Get(name), number);
    NS_ASSERT_MSG(isSingle, name << " is " << Get(name) << ", which is no single number");
    return number;
}

uint64_t
DcnRecipe::GetWhole(const std::string& name) const
{
    return static_cast<uint64_t>(GetNumber(name)); // all limits are below 2^53 but for network.csv
}

DataRate
DcnRecipe::GetRate(const std::string& name) const
{
    return DataRate(GetWhole(name));
}

Time
DcnRecipe::GetTime(const std::string& name) const
{
    return NanoSeconds(GetWhole(name));
}

std::vector<std::string>
DcnRecipe::GetChoices(const std::string& name) const
{
    const std::string& text = Get(name);
    const Value value = TakeApart(FindFirst(name)->type, text);
    return value.isRange ? std::vector<std::string>{text} : value.parts;
}

std::pair<double, double>
DcnRecipe::GetRange(const std::string& name) const
{
    const DcnRecipeKey& row = *FindFirst(name);
    std::pair<double, double> range(INFINITY, -INFINITY);
    for (const std::string& part : TakeApart(row.type, Get(name)).parts)
    {
        double number = 0;
        ParseNumber(row, part, number);
        range = {std::min(range.first, number), std::max(range.second, number)};
    }
    return range;
}

Ptr<UniformRandomVariable>
DcnRecipe::GetVariable(const std::string& name, const DcnRandom& random, DcnPurpose purpose)
{
    auto variable = CreateObject<UniformRandomVariable>();
    random.Assign(variable, purpose, Hash32(name) & DcnRandom::MAX_INDEX);
    return variable;
}

std::size_t
DcnRecipe::DrawChoice(const std::string& name, const DcnRandom& random, DcnPurpose purpose) const
{
    const auto last = static_cast<uint32_t>(GetChoices(name).size() - 1);
    return GetVariable(name, random, purpose)->GetInteger(0, last);
}

double
DcnRecipe::DrawNumber(const std::string& name, const DcnRandom& random, DcnPurpose purpose) const
{
    const DcnRecipeKey& row = *FindFirst(name);
    const Value value = TakeApart(row.type, Get(name));
    double low = 0;
    double high = 0;
    if (!value.isRange)
    {
        ParseNumber(row, value.parts[DrawChoice(name, random, purpose)], low);
        return low;
    }
    ParseNumber(row, value.parts[0], low);
    ParseNumber(row, value.parts[1], high);
    const bool isWhole = row.type != DcnRecipeKey::NUMBER;
    const double share = GetVariable(name, random, purpose)->GetValue(0.0, 1.0);
    if (value.isLog)
    {
        const double number = low * std::pow((high + isWhole) / low, share);
        return isWhole ? std::min(high, std::floor(number)) : number;
    }
    return isWhole ? low + std::floor(share * (high - low + 1)) : low + share * (high - low);
}

void
DcnRecipe::DrawAll(const DcnRandom& random, DcnPurpose purpose)
{
    std::set<std::string> seen;
    for (const DcnRecipeKey& row : *m_keys)
    {
        if (!seen.insert(row.name).second)
        {
            continue;
        }
        const std::string text = Get(row.name);
        const Value value = TakeApart(row.type, text);
        if (text.empty())
        {
            m_values.erase(row.name); // no effect with the values that were drawn
        }
        else if (value.isRange)
        {
            m_values[row.name] = ns3::ToText(row.type, DrawNumber(row.name, random, purpose));
        }
        else if (value.parts.size() > 1)
        {
            m_values[row.name] = value.parts[DrawChoice(row.name, random, purpose)];
        }
    }
    NS_LOG_INFO("drawn with seed " << random.GetSeed() << ": " << this->ToText());
}

void
DcnRecipe::CheckEffects() const
{
    for (const auto& [name, value] : m_values)
    {
        const DcnRecipeKey* row = FindFirst(name);
        if (FindInForce(name))
        {
            continue;
        }
        std::string other;
        do // the first of the conditions that is not met
        {
            other = row->only.substr(0, row->only.find('='));
            row = FindFirst(other);
        } while (!FindInForce(other));
        DcnFail(GetLabel(name),
                "=",
                value,
                " has no effect with ",
                GetLabel(other),
                "=",
                Get(other));
    }
}

std::string
DcnRecipe::Describe(const Keys& keys)
{
    std::ostringstream text;
    for (const DcnRecipeKey& row : keys)
    {
        text << "    " << std::left << std::setw(27) << row.name << row.value << "\n"
             << std::setw(31) << "" << row.meaning
             << (row.only.empty() ? "" : " (" + row.only + ")") << "\n";
    }
    return text.str();
}

DcnScenarioRecipe::DcnScenarioRecipe(const std::string& assignments, const std::string& prefix)
    : DcnRecipe(GetKeys(), "a scenario", prefix)
{
    SetAll(assignments);
}

const DcnRecipe::Keys&
DcnScenarioRecipe::GetKeys()
{
    static const Keys keys = MakeKeys();
    return keys;
}

void
DcnScenarioRecipe::SetNetwork(const std::string& assignments)
{
    for (const std::string& part : Split(assignments, ','))
    {
        const std::string name = part.substr(0, part.find('='));
        const auto& keys = GetKeys();
        const bool isKnown = std::any_of(keys.begin(), keys.end(), [&](const DcnRecipeKey& row) {
            return row.name == name && !row.isOption;
        });
        if (name == "cc")
        {
            DcnFail("\"",
                    part,
                    "\" would change the congestion control but keep the parameters of ",
                    Get("cc"),
                    ": the configuration is made for one (--cc)");
        }
        if (!isKnown && name != part)
        {
            DcnFail("\"", name, "\" is no key of the network configuration");
        }
    }
    SetAll(assignments);
}

std::string
DcnScenarioRecipe::GetNetworkText() const
{
    std::string text;
    for (const DcnRecipeKey& row : GetKeys())
    {
        if (!row.isOption && IsSet(row.name))
        {
            text += (text.empty() ? "" : ",") + row.name + "=" + Get(row.name);
        }
    }
    return text;
}

DcnScenarioRecipe
DcnScenarioRecipe::Draw(uint64_t seed) const
{
    DcnScenarioRecipe drawn(*this);
    CheckEffects();
    drawn.Set("seed", std::to_string(seed));
    drawn.DrawAll(DcnRandom(seed), DcnPurpose::RECIPE);
    return drawn;
}

Ptr<DcnTopology>
DcnScenarioRecipe::CreateTopology() const
{
    auto count = [this](const char* name) { return static_cast<uint32_t>(GetWhole(name)); };
    const std::string& kind = Get("topology");
    const Time delay = GetTime("linkDelay");
    const DataRate hostRate = GetRate("hostRate");
    if (kind == "fat-tree")
    {
        return DcnBuildTopology(DcnFatTreeParameters{count("pods"), hostRate, delay});
    }
    const DataRate fabricRate = GetRate("fabricRate");
    const uint32_t hosts = count("hostsPerRack");
    if (kind == "leaf-spine")
    {
        return DcnBuildTopology(DcnLeafSpineParameters{count("racksPerPod"),
                                                       hosts,
                                                       count("spinesPerPlane"),
                                                       hostRate,
                                                       fabricRate,
                                                       delay});
    }
    if (kind == "dumbbell")
    {
        return DcnBuildTopology(DcnDumbbellParameters{hosts, hosts, hostRate, fabricRate, delay});
    }
    if (kind == "parking-lot")
    {
        DcnParkingLotParameters row;
        row.switches = count("racksPerPod");
        row.hostsPerSwitch = hosts;
        row.hostRate = hostRate;
        row.switchRate = fabricRate;
        row.linkDelay = delay;
        return DcnBuildTopology(row);
    }
    return DcnBuildTopology(DcnFabricParameters{count("pods"),
                                                count("racksPerPod"),
                                                hosts,
                                                count("fabricsPerPod"),
                                                count("spinesPerPlane"),
                                                hostRate,
                                                fabricRate,
                                                delay});
}

DcnScenarioRecipe::Parts
DcnScenarioRecipe::CreateParts() const
{
    if (IsSet("scenario"))
    {
        DcnFail(GetLabel("scenario"),
                "=",
                Get("scenario"),
                " has flows of its own, but here flows are drawn again and again");
    }
    const DcnScenarioRecipe drawn = Draw(GetWhole("seed"));
    Parts parts;
    parts.topology = drawn.CreateTopology();
    parts.network = DcnNetworkConfig::Preset(drawn.Get("cc"),
                                             parts.topology->GetSlowestHostRate(),
                                             drawn.Get("preset"));
    parts.network->SetKeys(drawn.GetNetworkText());
    DcnWorkloadSpec& spec = parts.spec;
    spec.sizes = drawn.Get("sizes");
    spec.matrix = drawn.Get("matrix");
    spec.load = drawn.GetNumber("load");
    spec.sigma = drawn.GetNumber("sigma");
    spec.nFlows = 0;
    if (drawn.IsSet("duration"))
    {
        spec.durationNs = drawn.GetTime("duration").GetNanoSeconds();
    }
    else
    {
        spec.nFlows = drawn.GetWhole("flows");
    }
    spec.seed = spec.ecmpSeed = drawn.GetWhole("seed");
    spec.payloadBytes = parts.network->payloadBytes;
    return parts;
}

Ptr<const DcnScenario>
DcnScenarioRecipe::Create(std::optional<DcnLoadReport>* load) const
{
    const uint64_t seed = GetWhole("seed");
    if (load)
    {
        load->reset();
    }
    if (IsSet("scenario"))
    {
        return DcnReadScenario(Draw(seed).Get("scenario"), seed);
    }
    const Parts parts = CreateParts();
    DcnWorkload workload = DcnWorkload::Generate(parts.topology, parts.spec);
    NS_LOG_INFO(workload.flows.size() << " flows on " << parts.topology->GetHosts().size()
                                      << " hosts, load " << workload.load.realised.maxLoad);
    if (load)
    {
        *load = workload.load;
    }
    return DcnScenario::CreateWithPaths(parts.topology,
                                        parts.network,
                                        std::move(workload.flows),
                                        std::move(workload.paths),
                                        seed);
}

} // namespace ns3
