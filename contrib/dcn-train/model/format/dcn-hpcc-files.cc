/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-hpcc-files.h"

#include "dcn-train-lines.h"

#include "ns3/data-rate.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-recipe.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

namespace ns3
{

namespace
{

constexpr double MAX_RATE_BPS = 1e15; //!< of a link
constexpr double MAX_SECONDS = 1e9;   //!< of a time, so that nanoseconds fit

/// Sorts flows by their starts.
void
Sort(std::vector<DcnFlow>& flows)
{
    std::stable_sort(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
        return a.startNs < b.startNs;
    });
}

/**
 * @param word a number and a unit of ns-3; without unit it is in bit/s
 * @param bps set to the rate [bit/s]
 * @return whether the whole word is a rate of at least 1 bit/s, and not more than MAX_RATE_BPS
 */
bool
ParseRate(const std::string& word, uint64_t& bps)
{
    double number = 0;
    DataRate unit(1);
    const std::size_t letter = word.find_first_not_of("0123456789.");
    const bool isPlain = DcnTrainLines::ParseReal(word, number);
    if (!isPlain &&
        (letter == std::string::npos || !DcnTrainLines::ParseReal(word.substr(0, letter), number) ||
         !DcnParseRate("1" + word.substr(letter), unit)))
    {
        return false;
    }
    number *= static_cast<double>(unit.GetBitRate());
    bps = number >= 1 && number <= MAX_RATE_BPS ? std::llround(number) : 0;
    return bps > 0;
}

/**
 * @param word a number and a unit
 * @param ns set to the time, unrounded [ns]
 * @return whether the whole word is a time in ns, us, ms or s
 */
bool
ParseDelay(const std::string& word, double& ns)
{
    static const std::map<std::string, double> units = {{"ns", 1},
                                                        {"us", 1e3},
                                                        {"ms", 1e6},
                                                        {"s", 1e9}};
    const std::size_t letter = word.find_first_not_of("0123456789.eE+-");
    const auto unit = letter == std::string::npos ? units.end() : units.find(word.substr(letter));
    double number = 0;
    if (unit == units.end() || !DcnTrainLines::ParseReal(word.substr(0, letter), number))
    {
        return false;
    }
    ns = number * unit->second;
    return ns <= MAX_SECONDS * 1e9;
}

/// A link of a file.
struct Link
{
    uint64_t ends[2];  //!< numbers of its nodes
    uint64_t rateBps;  //!< rate [bit/s]
    int64_t delayNs;   //!< delay [ns]
    std::string where; //!< beginning of sentences on its line
};

/// What the first line of a topology says.
struct Head
{
    uint64_t nNodes;    //!< nodes
    uint64_t nSwitches; //!< switches, with NVSwitches
    uint64_t nLinks;    //!< links
};

/// Reads the first line of a topology.
Head
ReadHead(DcnTrainLines& lines)
{
    lines.Need(3, 6, "\"nodes switches links\"");
    const std::size_t n = lines.words.size();
    double number = 0;
    if (n == 5)
    {
        lines.Fail("expected 3, 4 or 6 words, as in \"nodes switches links\", but there are 5");
    }
    if (n == 6 && !DcnTrainLines::ParseReal(lines.words[5], number))
    {
        lines.GetNumber(1, "number of GPUs of a server");
        lines.Ignore("GPUs of a server and their type, in the first line of the topology");
        const uint64_t nNvSwitches = lines.GetNumber(2, "number of NVSwitches", 0, UINT32_MAX);
        return {lines.GetNumber(0, "number of nodes"),
                nNvSwitches + lines.GetNumber(3, "number of switches", 0, UINT32_MAX),
                lines.GetNumber(4, "number of links")};
    }
    const Head head{lines.GetNumber(0, "number of nodes"),
                    lines.GetNumber(1, "number of switches", 0, UINT32_MAX),
                    lines.GetNumber(n == 3 ? 2 : 3, "number of links")};
    if (n > 3)
    {
        lines.GetNumber(2, "number of ToR switches", 0, head.nSwitches);
        lines.Ignore("number of ToR switches, in the first line of the topology");
    }
    if (n == 6)
    {
        lines.GetReal(4, "rate of servers [bit/s]", 0, MAX_RATE_BPS);
        lines.GetReal(5, "rate of spines [bit/s]", 0, MAX_RATE_BPS);
        lines.Ignore("rates in the first line of the topology: each link has its own");
    }
    return head;
}

/// Reads the link of a line.
Link
ReadLink(DcnTrainLines& lines, uint64_t nNodes)
{
    Link link{{lines.GetNumber(0, "an end"), lines.GetNumber(1, "an end")}, 0, 0, lines.Where()};
    if (link.ends[0] >= nNodes || link.ends[1] >= nNodes)
    {
        lines.Fail("a link joins " + std::to_string(link.ends[0]) + " and " +
                   std::to_string(link.ends[1]) + ", but there are only nodes 0 to " +
                   std::to_string(nNodes - 1));
    }
    const std::string& rate = lines.words[2];
    const std::string& delay = lines.words[3];
    double ns = 0;
    if (!ParseRate(rate, link.rateBps) || !ParseDelay(delay, ns))
    {
        lines.Fail("expected a rate and a delay such as 100Gbps 1us, but they are " +
                   DcnTrainLines::Quote(rate) + " and " + DcnTrainLines::Quote(delay));
    }
    if (rate.find('B') != std::string::npos)
    {
        lines.Note("the rate " + rate + " is in bytes: " + std::to_string(link.rateBps) + " bit/s");
    }
    link.delayNs = std::llround(ns);
    if (ns > 0 && link.delayNs == 0)
    {
        lines.Fail("the delay " + delay + " is less than a nanosecond: give 0ns or 1ns");
    }
    if (std::abs(ns - static_cast<double>(link.delayNs)) > 1e-6)
    {
        lines.Ignore("fraction of a nanosecond of the delay " + delay);
    }
    double errorRate = 0;
    if (lines.words.size() > 4 &&
        (!DcnTrainLines::ParseReal(lines.words[4], errorRate) || errorRate != 0))
    {
        lines.Fail("the error rate must be 0, since links do not lose packets, but it is " +
                   DcnTrainLines::Quote(lines.words[4]));
    }
    return link;
}

/// Lists what is behind the last link; refuses links of nodes that the network has.
void
ReadLegend(DcnTrainLines& lines, const Head& head)
{
    const uint64_t nLinks = head.nLinks;
    while (lines.Next())
    {
        double a = 0;
        double b = 0;
        if (lines.words.size() > 1 && DcnTrainLines::ParseReal(lines.words[0], a) &&
            DcnTrainLines::ParseReal(lines.words[1], b) &&
            std::max(a, b) < static_cast<double>(head.nNodes))
        {
            lines.Fail("this line looks like a link, but the first line of the file counts " +
                       std::to_string(nLinks) + " links, which have come: correct the count");
        }
        lines.Ignore("text behind the last link of the topology");
    }
}

/// Lists cables between the same two nodes, which HPCC's simulators take for one.
void
ListParallel(const std::vector<Link>& links, DcnTrainLines& lines)
{
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> counts;
    for (const Link& link : links)
    {
        ++counts[{std::min(link.ends[0], link.ends[1]), std::max(link.ends[0], link.ends[1])}];
    }
    const auto first = std::find_if(counts.begin(), counts.end(), [](const auto& each) {
        return each.second > 1;
    });
    if (first != counts.end())
    {
        lines.Note(std::to_string(first->second) + " links join " +
                   std::to_string(first->first.first) + " and " +
                   std::to_string(first->first.second) +
                   ": each is a cable of its own, while HPCC's simulator uses the last one");
    }
}

/// @return the node of the topology that a file means
uint32_t
FindNode(const std::unordered_map<uint64_t, uint32_t>& nodes,
         const DcnTrainLines& lines,
         std::size_t word,
         const char* what)
{
    const uint64_t id = lines.GetNumber(word, what);
    const auto found = nodes.find(id);
    if (found == nodes.end())
    {
        lines.Fail(std::string("the ") + what + " " + std::to_string(id) +
                   " is no node of the topology, or one without links");
    }
    return found->second;
}

/// @return nodes by id
std::unordered_map<uint64_t, uint32_t>
IndexNodes(const DcnTopology& topology)
{
    std::unordered_map<uint64_t, uint32_t> nodes;
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        nodes[topology.GetExternalId(node)] = node;
    }
    return nodes;
}

/// @return numbers in words, at most five of them
std::string
Join(const std::set<uint64_t>& numbers)
{
    std::string text;
    std::size_t n = 0;
    for (const uint64_t number : numbers)
    {
        text += (n > 0 ? ", " : "") + (n < 5 ? std::to_string(number) : "...");
        if (++n > 5)
        {
            break;
        }
    }
    return text;
}

/**
 * Reads a connection of htsim.
 * @param lines at its line
 * @param nNodes number of nodes of the matrix
 * @param hosts of the network
 * @param unitNs unit of starts [ns]
 * @param ids of the connections before, with that of this one afterwards
 * @return the flow
 */
DcnFlow
ReadConnection(DcnTrainLines& lines,
               uint64_t nNodes,
               const std::vector<uint32_t>& hosts,
               double unitNs,
               std::set<uint64_t>& ids)
{
    const std::string ends = lines.words[0];
    const std::size_t arrow = ends.find("->");
    uint64_t from = 0;
    uint64_t to = 0;
    if (arrow == std::string::npos || !DcnParse(ends.substr(0, arrow), from) ||
        !DcnParse(ends.substr(arrow + 2), to) || from >= nNodes || to >= nNodes)
    {
        lines.Fail("expected source->destination, both below " + std::to_string(nNodes) +
                   ", but it is " + DcnTrainLines::Quote(ends));
    }
    DcnFlow flow{0, hosts[from], hosts[to], 0, -1};
    std::set<std::string> keys;
    for (std::size_t word = 1; word < lines.words.size(); word += 2)
    {
        const std::string& key = lines.words[word];
        if (!keys.insert(key).second)
        {
            lines.Fail("the key " + key + " comes twice");
        }
        if (key == "start")
        {
            const double ns = lines.GetReal(word + 1, key, 0, MAX_SECONDS * 1e9 / unitNs) * unitNs;
            flow.startNs = std::llround(std::floor(ns));
            if (ns > 0 && ns < 1)
            {
                lines.Fail("start " + lines.words[word + 1] +
                           " is less than a nanosecond as picoseconds: files for htsim's programs "
                           "for UEC and EQDS are in microseconds (--startUnit=us)");
            }
            if (ns != std::floor(ns))
            {
                lines.Ignore("fractions of nanoseconds of starts");
            }
        }
        else if (key == "size")
        {
            flow.sizeBytes = lines.GetNumber(word + 1, key);
        }
        else if (key == "id")
        {
            flow.id = lines.GetNumber(word + 1, key, 1);
            ids.insert(flow.id);
        }
        else if (key == "prio")
        {
            lines.GetNumber(word + 1, key);
            lines.Ignore("prio of connections: all have one priority");
        }
        else
        {
            lines.Fail("the key " + DcnTrainLines::Quote(key) +
                       " is not supported: only id, start, size and prio are, since a scenario has "
                       "no dependencies");
        }
    }
    if (flow.startNs < 0)
    {
        lines.Fail("the connection has no start");
    }
    if (flow.sizeBytes == 0)
    {
        lines.Fail("a connection of size 0, or without size, has no end in htsim, which is not "
                   "supported: give a size in bytes");
    }
    return flow;
}

/// CC_MODE of HPCC's family of simulators.
const std::map<uint64_t, std::string> g_modes = {{1, "dcqcn"},
                                                 {3, "hpcc"},
                                                 {7, "timely"},
                                                 {8, "dctcp"}};

/// Keys of config.txt that dcn does not have, with the value that dcn's behaviour is.
const std::map<std::string, double> g_usual = {{"ENABLE_QCN", 1},
                                               {"USE_DYNAMIC_PFC_THRESHOLD", 1},
                                               {"L2_ACK_INTERVAL", 1},
                                               {"L2_BACK_TO_ZERO", 0},
                                               {"VAR_WIN", 1},
                                               {"INT_MULTI", 1},
                                               {"MULTI_RATE", 0},
                                               {"SAMPLE_FEEDBACK", 0},
                                               {"RATE_BOUND", 1},
                                               {"LB_MODE", 0},
                                               {"ENABLE_IRN", 0},
                                               {"NIC_TOTAL_PAUSE_TIME", 0}};

/// How the value of a key of config.txt becomes that of a key of network.csv.
enum class Kind
{
    WHOLE, //!< a whole number
    REAL,  //!< a number
    RATE,  //!< a rate with or without unit, in bit/s
};

/// A key of config.txt that has a key of network.csv.
struct ConfigKey
{
    Kind kind;                       //!< of its value
    std::vector<std::string> common; //!< key of network.csv for all congestion controls
    std::vector<std::string> own;    //!< keys of single congestion controls
};

/// Keys of config.txt whose values are taken over as they are.
const std::map<std::string, ConfigKey> g_plain = {
    {"PACKET_PAYLOAD_SIZE", {Kind::WHOLE, {"payload_bytes"}, {}}},
    {"MIN_RATE", {Kind::RATE, {"min_rate_bps"}, {}}},
    {"MAX_RATE", {Kind::RATE, {"max_rate_bps"}, {}}},
    {"ACK_HIGH_PRIO", {Kind::WHOLE, {"ack_high_priority"}, {}}},
    {"ENABLE_PFC", {Kind::WHOLE, {"pfc"}, {}}},
    {"RATE_AI",
     {Kind::RATE,
      {},
      {"dcqcn_additive_increase_bps",
       "timely_additive_increase_bps",
       "hpcc_additive_increase_bps"}}},
    {"RATE_HAI", {Kind::RATE, {}, {"dcqcn_hyper_increase_bps", "timely_hyper_increase_bps"}}},
    {"DCTCP_RATE_AI", {Kind::RATE, {}, {"dctcp_additive_increase_bps"}}},
    {"EWMA_GAIN", {Kind::REAL, {}, {"dcqcn_g", "dctcp_g"}}},
    {"RP_TIMER", {Kind::WHOLE, {}, {"dcqcn_increase_timer_us"}}},
    {"ALPHA_RESUME_INTERVAL", {Kind::WHOLE, {}, {"dcqcn_alpha_timer_us"}}},
    {"RATE_DECREASE_INTERVAL", {Kind::WHOLE, {}, {"dcqcn_decrease_timer_us"}}},
    {"FAST_RECOVERY_TIMES", {Kind::WHOLE, {}, {"dcqcn_fast_recovery_stages"}}},
    {"CLAMP_TARGET_RATE", {Kind::WHOLE, {}, {"dcqcn_clamp_target_rate"}}},
    {"U_TARGET", {Kind::REAL, {}, {"hpcc_eta"}}},
    {"MI_THRESH", {Kind::WHOLE, {}, {"hpcc_mi_threshold"}}},
    {"FAST_REACT", {Kind::WHOLE, {}, {"hpcc_fast_react"}}},
    {"TIMELY_T_LOW", {Kind::WHOLE, {}, {"timely_low_ns"}}},
    {"TIMELY_T_HIGH", {Kind::WHOLE, {}, {"timely_high_ns"}}},
    {"TIMELY_BETA", {Kind::REAL, {}, {"timely_beta"}}},
};

/// Keys of config.txt that Apply takes otherwise.
const std::set<std::string> g_special = {"BUFFER_SIZE",
                                         "HAS_WIN",
                                         "GLOBAL_T",
                                         "FIXED_WIN",
                                         "BASE_RTT",
                                         "KMIN_MAP",
                                         "KMAX_MAP",
                                         "PMAX_MAP"};

using Entry = DcnHpccFiles::Config::Entry;

/// @return whether a key of config.txt has one value
bool
HasOneValue(const std::string& key)
{
    const bool isMap = key.size() > 4 && key.compare(key.size() - 4, 4, "_MAP") == 0;
    return g_plain.count(key) > 0 || g_usual.count(key) > 0 ||
           (g_special.count(key) > 0 && !isMap) || key == "TOPOLOGY_FILE" || key == "FLOW_FILE" ||
           key == "CC_MODE" || key == "SIMULATOR_STOP_TIME" || key == "ERROR_RATE_PER_LINK";
}

/// @return a word of config.txt as a number
double
ToReal(const std::string& key, const Entry& entry, std::size_t word, double most)
{
    double value = 0;
    if (word >= entry.words.size() || !DcnTrainLines::ParseReal(entry.words[word], value) ||
        value > most)
    {
        DcnFail(entry.where,
                key,
                " must be a number from 0 to ",
                DcnToText(most),
                ", but it is ",
                DcnTrainLines::Quote(word < entry.words.size() ? entry.words[word] : ""));
    }
    return value;
}

/// @return a switch of config.txt, 0 or 1
bool
ToFlag(const std::string& key, const Entry& entry)
{
    const double value = ToReal(key, entry, 0, 1);
    if (value != 0 && value != 1)
    {
        DcnFail(entry.where,
                key,
                " must be 0 or 1, but it is ",
                DcnTrainLines::Quote(entry.words[0]));
    }
    return value == 1;
}

/// @return a word of config.txt as a whole number, as text
std::string
ToWhole(const std::string& key, const Entry& entry, double factor = 1)
{
    const double value = ToReal(key, entry, 0, 1e15) * factor;
    if (value != std::floor(value))
    {
        DcnFail(entry.where,
                key,
                " must be a whole number, but it is ",
                DcnTrainLines::Quote(entry.words[0]));
    }
    return std::to_string(std::llround(value));
}

/// @return the value of a key of config.txt in the unit of network.csv
std::string
Convert(const std::string& key, const Entry& entry, Kind kind)
{
    uint64_t bps = 0;
    switch (kind)
    {
    case Kind::RATE:
        if (!ParseRate(entry.words[0], bps))
        {
            DcnFail(entry.where,
                    key,
                    " must be a rate such as 100Mb/s, but it is ",
                    DcnTrainLines::Quote(entry.words[0]));
        }
        return std::to_string(bps);
    case Kind::REAL:
        return DcnToText(ToReal(key, entry, 0, 1e15));
    default:
        return ToWhole(key, entry);
    }
}

/**
 * Reads "n rate value ..." of config.txt.
 * @param key KMIN_MAP, KMAX_MAP or PMAX_MAP
 * @param config the file
 * @param rates of the topology [bit/s]
 * @param where set to the beginning of sentences on the line
 * @return values of these rates, in order; empty without the key
 */
std::vector<double>
ReadMap(const std::string& key,
        const DcnHpccFiles::Config& config,
        const std::set<uint64_t>& rates,
        std::string& where)
{
    const auto found = config.keys.find(key);
    if (found == config.keys.end())
    {
        return {};
    }
    const Entry& entry = found->second;
    where = entry.where;
    if (ToReal(key, entry, 0, 1e6) * 2 + 1 != static_cast<double>(entry.words.size()))
    {
        DcnFail(where, key, " must be the number of its rates, then pairs of a rate and a value");
    }
    std::map<uint64_t, double> values;
    for (std::size_t word = 1; word < entry.words.size(); word += 2)
    {
        const auto rate = static_cast<uint64_t>(ToReal(key, entry, word, MAX_RATE_BPS));
        if (!values.emplace(rate, ToReal(key, entry, word + 1, 1e12)).second)
        {
            DcnFail(where, key, " has two values for ", rate, " bit/s");
        }
    }
    std::vector<double> ofRates;
    for (const uint64_t rate : rates)
    {
        const auto value = values.find(rate);
        if (value == values.end())
        {
            DcnFail(where, key, " has no value for ", rate, " bit/s, the rate of a link");
        }
        ofRates.push_back(value->second);
    }
    return ofRates;
}

/// @return whether a congestion control reads marks
bool
IsMarking(const std::string& congestionControl)
{
    return congestionControl != "hpcc" && congestionControl != "timely";
}

/// Refuses one or two of the three maps of thresholds, which say nothing without the others.
void
CheckMaps(const DcnHpccFiles::Config& config)
{
    const Entry* present = nullptr;
    std::string missing;
    for (const char* key : {"KMIN_MAP", "KMAX_MAP", "PMAX_MAP"})
    {
        const auto found = config.keys.find(key);
        if (found == config.keys.end())
        {
            missing += (missing.empty() ? "" : " and ") + std::string(key);
        }
        else
        {
            present = &found->second;
        }
    }
    if (present && !missing.empty())
    {
        DcnFail(present->where,
                "KMIN_MAP, KMAX_MAP and PMAX_MAP belong together, but there is no ",
                missing,
                ": add it, or give --network=ecn_kmin_bytes=BYTES,ecn_kmax_bytes=BYTES,ecn_pmax=P");
    }
}

/**
 * @param topology the network
 * @param config its KMIN_MAP says which rates have thresholds
 * @return rates of the ports of switches, without those that need no threshold as these ports never
 * queue, and that have none
 */
std::set<uint64_t>
FindRates(const DcnTopology& topology, const DcnHpccFiles::Config& config)
{
    std::set<uint64_t> named; // rates that have thresholds
    const auto map = config.keys.find("KMIN_MAP");
    for (std::size_t i = 1; map != config.keys.end() && i < map->second.words.size(); i += 2)
    {
        double rate = 0;
        if (DcnTrainLines::ParseReal(map->second.words[i], rate) && rate <= MAX_RATE_BPS)
        {
            named.insert(static_cast<uint64_t>(rate));
        }
    }
    std::set<uint64_t> rates;
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const DcnLink& port = topology.GetLink(link);
        if (topology.IsHost(port.from))
        {
            continue;
        }
        uint64_t others = 0; // of the switch, together
        for (const uint32_t other : topology.GetOutLinks(port.from))
        {
            others += other == link ? 0 : topology.GetLink(other).rateBps;
        }
        if (others > port.rateBps || named.count(port.rateBps) > 0)
        {
            rates.insert(port.rateBps);
        }
    }
    return rates;
}

/**
 * The largest round-trip time and bandwidth-delay product of pairs of hosts as HPCC's simulator
 * computes them: the first shortest path that a breadth-first search finds, twice its delays and
 * the serialisation of one payload on each link, times the lowest rate of the path.
 * @param topology the network
 * @param payloadBytes payload of a packet [bytes]
 * @return round-trip time [ns] and product [bytes]
 */
std::pair<uint64_t, uint64_t>
GetLargestRtt(const DcnTopology& topology, uint64_t payloadBytes)
{
    struct Reach
    {
        uint64_t delayNs; //!< of the links
        uint64_t sendNs;  //!< serialisation
        uint64_t rateBps; //!< lowest of the links
        bool isKnown;     //!< whether the node has been reached
    };

    std::pair<uint64_t, uint64_t> largest{0, 0};
    for (const uint32_t source : topology.GetHosts())
    {
        std::vector<Reach> reached(topology.GetNNodes(), {0, 0, UINT64_MAX, false});
        reached[source].isKnown = true;
        std::vector<uint32_t> queue{source};
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            const Reach here = reached[queue[i]];
            for (const uint32_t number : topology.GetOutLinks(queue[i]))
            {
                const DcnLink& link = topology.GetLink(number);
                Reach& there = reached[link.to];
                if (there.isKnown)
                {
                    continue;
                }
                there = {here.delayNs + link.delayNs,
                         here.sendNs + payloadBytes * 8'000'000'000 / link.rateBps,
                         std::min(here.rateBps, link.rateBps),
                         true};
                if (!topology.IsHost(link.to))
                {
                    queue.push_back(link.to);
                    continue;
                }
                const uint64_t rttNs = 2 * there.delayNs + there.sendNs;
                largest.first = std::max(largest.first, rttNs);
                largest.second =
                    std::max(largest.second,
                             static_cast<uint64_t>(static_cast<double>(rttNs) *
                                                   static_cast<double>(there.rateBps) / 8e9));
            }
        }
    }
    return largest;
}

/// Lists the fraction of a start in nanoseconds, which is rounded; refuses one that has no more.
void
CheckFraction(DcnTrainLines& lines, double ns, std::size_t word)
{
    if (ns > 0 && ns < 0.5)
    {
        lines.Fail("the start " + lines.words[word] +
                   " is less than a nanosecond: starts are in "
                   "seconds");
    }
    const double error = 1e-3 + 1e-15 * ns; // of the number that was read
    if (std::abs(ns - std::round(ns)) > error)
    {
        lines.Ignore("fractions of nanoseconds of starts");
    }
}

/// @return the path of a file that config.txt names
std::string
FindFile(const std::string& name, const std::string& config, const DcnTrainLines& lines)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path own = fs::absolute(config, error).parent_path();
    std::vector<fs::path> places;
    for (fs::path folder = own;; folder = folder.parent_path())
    {
        places.push_back(folder / name);
        if (folder == folder.parent_path())
        {
            break;
        }
    }
    places.emplace_back(name);
    places.push_back(own / fs::path(name).filename());
    for (const fs::path& place : places)
    {
        if (fs::is_regular_file(place, error))
        {
            return fs::relative(place, error).string().size() < place.string().size()
                       ? fs::relative(place, error).string()
                       : place.string();
        }
    }
    lines.Fail("the file " + DcnTrainLines::Quote(name) +
               " is neither beside this file nor where a folder above it or the current folder "
               "leads to");
}

} // namespace

Ptr<DcnTopology>
DcnHpccFiles::ReadTopology(const std::string& path)
{
    DcnTrainLines lines(path, {});
    const Head head = ReadHead(lines);
    std::set<uint64_t> switches;
    while (switches.size() < head.nSwitches)
    {
        lines.Need(1, SIZE_MAX, "the numbers of " + std::to_string(head.nSwitches) + " switches");
        for (std::size_t i = 0; i < lines.words.size(); ++i)
        {
            const uint64_t node = lines.GetNumber(i, "a switch");
            if (switches.size() == head.nSwitches || node >= head.nNodes ||
                !switches.insert(node).second)
            {
                lines.Fail("switch " + std::to_string(node) + " comes twice, is not below " +
                           std::to_string(head.nNodes) + ", or is one more than the " +
                           std::to_string(head.nSwitches) + " of the first line");
            }
        }
    }
    std::vector<Link> links;
    std::size_t nWords = 0;             // of the first link
    std::map<uint64_t, uint32_t> nodes; // those with links, by id
    for (uint64_t i = 0; i < head.nLinks; ++i)
    {
        lines.Need(nWords > 0 ? nWords : 4,
                   nWords > 0 ? nWords : 5,
                   "link " + std::to_string(i + 1) + " of " + std::to_string(head.nLinks) +
                       " with " + (nWords > 0 ? std::to_string(nWords) : "4 or 5") + " words");
        nWords = lines.words.size();
        links.push_back(ReadLink(lines, head.nNodes));
        for (const uint64_t end : links.back().ends)
        {
            nodes[end] = 0;
        }
    }
    ReadLegend(lines, head);
    ListParallel(links, lines);
    DcnTopologyBuilder builder;
    for (auto& [id, index] : nodes)
    {
        index =
            builder.AddNode(switches.count(id) > 0 ? DcnNodeKind::SWITCH : DcnNodeKind::HOST, id);
    }
    if (nodes.size() < head.nNodes)
    {
        std::set<uint64_t> lonely; // the first ones
        for (uint64_t id = 0; id < head.nNodes && lonely.size() <= 5; ++id)
        {
            if (nodes.count(id) == 0)
            {
                lonely.insert(id);
            }
        }
        lines.Ignore(std::to_string(head.nNodes - nodes.size()) + " nodes without links (" +
                     Join(lonely) + ")");
    }
    for (const Link& link : links)
    {
        builder.AddLink(nodes[link.ends[0]],
                        nodes[link.ends[1]],
                        link.rateBps,
                        link.delayNs,
                        link.where);
    }
    TakeNotes(lines);
    return builder.Build();
}

std::vector<DcnFlow>
DcnHpccFiles::ReadFlows(const std::string& path, const DcnTopology& topology)
{
    DcnTrainLines lines(path, {});
    lines.Need(1, 1, "the number of flows");
    const uint64_t n = lines.GetNumber(0, "the number of flows");
    const auto nodes = IndexNodes(topology);
    const std::string ofNs3Rdma =
        ": lines of ns3-rdma, with packets, start and end, are not read; give bytes and start [s]";
    std::vector<DcnFlow> flows;
    std::set<uint64_t> ids;
    std::size_t nWords = 0;
    bool isOfNs3Rdma = true;
    for (uint64_t i = 0; i < n; ++i)
    {
        lines.Need(nWords > 0 ? nWords : 5,
                   nWords > 0 ? nWords : 7,
                   "flow " + std::to_string(i + 1) + " of " + std::to_string(n) + " with " +
                       (nWords > 0 ? std::to_string(nWords) : "5, 6 or 7") + " words");
        nWords = lines.words.size();
        const std::size_t first = nWords == 7 ? 1 : 0; // word of the source
        const std::size_t last = nWords - 1;           // word of the start
        const uint64_t id = nWords == 7 ? lines.GetNumber(0, "the number of the flow") : i;
        if (!ids.insert(id).second)
        {
            lines.Fail("two flows have the number " + std::to_string(id));
        }
        const uint32_t source = FindNode(nodes, lines, first, "source");
        const uint32_t destination = FindNode(nodes, lines, first + 1, "destination");
        lines.GetNumber(first + 2, "priority group", 0, 7);
        if (nWords > 5)
        {
            m_ports[id] = lines.GetNumber(first + 3, "port", 0, UINT32_MAX);
        }
        double fraction = 0;
        if (nWords == 6 && lines.words[4].find('.') != std::string::npos &&
            DcnTrainLines::ParseReal(lines.words[4], fraction))
        {
            lines.Fail("size must be a whole number, but it is " +
                       DcnTrainLines::Quote(lines.words[4]) + ofNs3Rdma);
        }
        const double start = lines.GetReal(last, "the start [s]", 0, MAX_SECONDS);
        CheckFraction(lines, start * 1e9, last);
        const DcnFlow flow{id,
                           source,
                           destination,
                           lines.GetNumber(last - 1, "size"),
                           std::llround(start * 1e9)};
        isOfNs3Rdma = isOfNs3Rdma && nWords == 6 && start == std::floor(start) &&
                      static_cast<double>(flow.sizeBytes) <= start;
        DcnCheckFlow(topology, flow, [&]() { return lines.Where(); });
        flows.push_back(flow);
    }
    if (n > 0)
    {
        lines.Ignore("priority groups of flows: all have one");
        if (isOfNs3Rdma)
        {
            lines.Fail("no flow has more bytes than its start has seconds" + ofNs3Rdma);
        }
    }
    uint64_t nMore = 0;
    while (lines.Next())
    {
        double number = 0;
        const bool isFlow =
            lines.words.size() == nWords && DcnTrainLines::ParseReal(lines.words[0], number);
        nMore += isFlow ? 1 : 0;
        if (!isFlow)
        {
            lines.Ignore("text behind the last flow");
        }
    }
    if (nMore > 0)
    {
        lines.Ignore(std::to_string(nMore) + " lines of flows behind the " + std::to_string(n) +
                     " that the first line of the file counts");
    }
    TakeNotes(lines);
    Sort(flows);
    return flows;
}

std::vector<DcnFlow>
DcnHpccFiles::ReadConnectionMatrix(const std::string& path,
                                   const DcnTopology& topology,
                                   const std::string& startUnit)
{
    if (startUnit != "ps" && startUnit != "us")
    {
        DcnFail("the unit of starts must be ps or us, but it is \"", startUnit, "\"");
    }
    DcnTrainLines lines(path, {"#", "", "", ""});
    const auto& hosts = topology.GetHosts();
    std::map<std::string, uint64_t> counts;
    bool hasLine = lines.Next();
    for (; hasLine && lines.words[0].find("->") == std::string::npos; hasLine = lines.Next())
    {
        const std::string key = lines.words[0];
        if (key != "Nodes" && key != "Connections" && key != "Triggers" && key != "Failures")
        {
            lines.Fail("expected Nodes, Connections, Triggers or Failures and a number, or a "
                       "connection such as 0->1, but the line begins with " +
                       DcnTrainLines::Quote(key));
        }
        const bool isDependency = key == "Triggers" || key == "Failures";
        const uint64_t count = lines.GetNumber(1, key);
        if (lines.words.size() > 2 || !counts.emplace(key, count).second)
        {
            lines.Fail(key + " comes twice, or has more than one number");
        }
        if (isDependency && count > 0)
        {
            lines.Fail(key + " are not supported, since a scenario has no dependencies and no "
                             "failures: take a matrix without them");
        }
    }
    if (counts.count("Nodes") == 0 || counts.count("Connections") == 0)
    {
        DcnFail(path, ": \"Nodes n\" and \"Connections m\" must come before the connections");
    }
    const uint64_t nNodes = counts["Nodes"];
    const uint64_t n = counts["Connections"];
    if (nNodes > hosts.size())
    {
        DcnFail(path,
                ": the matrix has ",
                nNodes,
                " nodes, but the network has ",
                hosts.size(),
                " hosts: take a larger topology");
    }
    std::vector<DcnFlow> flows;
    std::set<uint64_t> ids;
    for (; hasLine; hasLine = lines.Next())
    {
        flows.push_back(ReadConnection(lines, nNodes, hosts, startUnit == "us" ? 1e3 : 1e-3, ids));
        DcnFlow& flow = flows.back();
        if (flows.size() > n)
        {
            lines.Fail("this is one connection more than the " + std::to_string(n) +
                       " of Connections: correct the number");
        }
        DcnCheckFlow(topology, flow, [&]() { return lines.Where(); });
    }
    if (flows.size() < n)
    {
        DcnFail(path,
                ": the file ends after ",
                flows.size(),
                " of ",
                n,
                " connections: it is truncated");
    }
    if (ids.size() < flows.size())
    {
        if (!ids.empty())
        {
            lines.Ignore("ids of connections, as some share one or have none");
        }
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            flows[i].id = i;
        }
    }
    TakeNotes(lines);
    Sort(flows);
    if (startUnit == "ps" && !flows.empty() && flows.back().startNs > 0)
    {
        m_notes.insert("starts are read as picoseconds; htsim's programs for UEC and EQDS take "
                       "microseconds");
    }
    return flows;
}

DcnHpccFiles::Config
DcnHpccFiles::ReadConfig(const std::string& path,
                         const std::string& congestionControl,
                         bool hasFlows,
                         bool hasTopology)
{
    DcnTrainLines lines(path, DcnTrainLines::CONFIG);
    Config config;
    config.congestionControl = congestionControl;
    while (lines.Next())
    {
        const std::string key = lines.words[0];
        const Config::Entry entry{{lines.words.begin() + 1, lines.words.end()}, lines.Where()};
        const bool isName = std::isalpha(static_cast<unsigned char>(key[0])) != 0 &&
                            std::all_of(key.begin(), key.end(), [](unsigned char c) {
                                return std::isalnum(c) || c == '_';
                            });
        if (!isName || entry.words.empty())
        {
            lines.Fail("expected a key such as CC_MODE and its value, but the line begins with " +
                       DcnTrainLines::Quote(key));
        }
        if (!config.keys.emplace(key, entry).second)
        {
            lines.Fail("the key " + key + " comes twice");
        }
        if (HasOneValue(key) && lines.words.size() != 2)
        {
            lines.Fail("the key " + key + " has one value, but there are " +
                       std::to_string(lines.words.size() - 1));
        }
        if ((!hasFlows && (key == "FLOW_FILE" || key == "SIMULATOR_STOP_TIME")) ||
            (!hasTopology && key == "TOPOLOGY_FILE"))
        {
            lines.Ignore(key);
        }
        else if (key == "TOPOLOGY_FILE" || key == "FLOW_FILE")
        {
            (key == "FLOW_FILE" ? config.flows : config.topology) =
                FindFile(lines.words[1], path, lines);
        }
        else if (key == "CC_MODE" && !congestionControl.empty())
        {
            lines.Ignore("CC_MODE, since " + congestionControl + " is given");
        }
        else if (key == "CC_MODE")
        {
            const uint64_t mode = lines.GetNumber(1, key);
            const auto found = g_modes.find(mode);
            if (found == g_modes.end())
            {
                lines.Fail("CC_MODE " + std::to_string(mode) +
                           " is none of 1 (DCQCN), 3 (HPCC), 7 (TIMELY) and 8 (DCTCP): give --cc");
            }
            config.congestionControl = found->second;
        }
        else if (key == "SIMULATOR_STOP_TIME")
        {
            const double seconds = lines.GetReal(1, key + " [s]", 1e-9, 1e300);
            config.stopNs = seconds < MAX_SECONDS ? std::llround(seconds * 1e9) : 0;
        }
        else if (key == "LINK_DOWN")
        {
            if (lines.words.size() != 4 || lines.GetReal(1, key, 0, 1e300) > 0)
            {
                lines.Fail("LINK_DOWN must be 0 0 0, since links of a scenario do not fail: "
                           "dcn-train-sim has --linkEvents");
            }
        }
        else if (key == "ERROR_RATE_PER_LINK")
        {
            if (lines.GetReal(1, key, 0, 1) > 0)
            {
                lines.Fail("ERROR_RATE_PER_LINK must be 0, since links do not lose packets, but it "
                           "is " +
                           DcnTrainLines::Quote(lines.words[1]));
            }
        }
        else if (const auto usual = g_usual.find(key); usual != g_usual.end())
        {
            if (lines.GetReal(1, key, 0, 1e300) != usual->second)
            {
                lines.Ignore(key + " " + lines.words[1] + ", which is taken as " +
                             DcnToText(usual->second));
            }
        }
        else if (g_plain.count(key) == 0 && g_special.count(key) == 0)
        {
            lines.Ignore(key);
        }
    }
    TakeNotes(lines);
    return config;
}

void
DcnHpccFiles::Apply(const Config& file,
                    const DcnTopology& topology,
                    DcnNetworkConfig& config,
                    const std::string& networkKeys)
{
    auto isGiven = [&](const std::string& key) {
        return ("," + networkKeys).find("," + key + "=") != std::string::npos;
    };
    config.SetKey("reference_rate_bps", "0"); // values are those of all hosts
    std::set<std::string> preset = SetPlain(file, config, isGiven);
    SetWindow(file, topology, config);
    if (isGiven("ecn_kmin_bytes") || isGiven("ecn_kmax_bytes") || isGiven("ecn_pmax"))
    {
        m_ignored.insert("KMIN_MAP, KMAX_MAP and PMAX_MAP, since thresholds are given");
    }
    else
    {
        SetThresholds(file, topology, config);
        if (IsMarking(config.congestionControl) && file.keys.count("KMIN_MAP") == 0)
        {
            preset.insert({"KMIN_MAP", "KMAX_MAP", "PMAX_MAP"});
        }
    }
    std::string keys;
    for (const std::string& key : preset)
    {
        keys += (keys.empty() ? "" : ", ") + key;
    }
    if (!keys.empty())
    {
        m_notes.insert("not in the file, so that values are of the preset: " + keys);
    }
    config.SetKeys(networkKeys);
}

std::set<std::string>
DcnHpccFiles::SetPlain(const Config& file,
                       DcnNetworkConfig& config,
                       const std::function<bool(const std::string&)>& isGiven)
{
    const std::string& cc = config.congestionControl;
    std::set<std::string> preset;
    for (const auto& [key, target] : g_plain)
    {
        const auto entry = file.keys.find(key);
        std::vector<std::string> names = target.common;
        for (const std::string& own : target.own)
        {
            if (own.rfind(cc + "_", 0) == 0)
            {
                names.push_back(own);
            }
        }
        if (entry == file.keys.end())
        {
            if (!names.empty() && !isGiven(names[0]))
            {
                preset.insert(key);
            }
            continue;
        }
        const std::string value = Convert(key, entry->second, target.kind);
        if (names.empty())
        {
            m_ignored.insert(key + ", which " + cc + " does not use");
        }
        else
        {
            config.SetKey(names[0], value, entry->second.where + key + ": ");
        }
    }
    const auto buffer = file.keys.find("BUFFER_SIZE");
    if (buffer != file.keys.end())
    {
        const bool isOfM3 = file.keys.count("FIXED_WIN") > 0; // it counts in KiB, others in MiB
        config.SetKey("buffer_bytes",
                      ToWhole("BUFFER_SIZE", buffer->second, isOfM3 ? 1024 : 1024 * 1024),
                      buffer->second.where + "BUFFER_SIZE: ");
        if (isOfM3)
        {
            m_notes.insert("BUFFER_SIZE is read in KiB, since FIXED_WIN is of m3's simulator; "
                           "without it in MiB");
        }
    }
    else if (!isGiven("buffer_bytes"))
    {
        preset.insert("BUFFER_SIZE");
    }
    return preset;
}

void
DcnHpccFiles::SetWindow(const Config& file, const DcnTopology& topology, DcnNetworkConfig& config)
{
    auto find = [&](const std::string& key) {
        const auto found = file.keys.find(key);
        return found == file.keys.end() ? nullptr : &found->second;
    };
    const Entry* fixedWindow = find("FIXED_WIN");
    const Entry* hasWindow = find("HAS_WIN");
    const Entry* globalT = find("GLOBAL_T");
    const Entry* baseRtt = find("BASE_RTT");
    const bool isWindowed = !hasWindow || ToFlag("HAS_WIN", *hasWindow);
    const bool isGlobal = !globalT || ToFlag("GLOBAL_T", *globalT);
    const bool needsPairs = isGlobal && ((isWindowed && !fixedWindow) || !baseRtt);
    const auto [rttNs, productBytes] = needsPairs ? GetLargestRtt(topology, config.payloadBytes)
                                                  : std::pair<uint64_t, uint64_t>{0, 0};
    config.SetKey("window_bdp", isWindowed && !isGlobal && !fixedWindow ? "1" : "0");
    if (!isWindowed)
    {
        config.SetKey("window_bytes", "0");
    }
    else if (fixedWindow || isGlobal)
    {
        config.SetKey("window_bytes",
                      fixedWindow ? ToWhole("FIXED_WIN", *fixedWindow)
                                  : std::to_string(productBytes));
    }
    config.SetKey("base_rtt_ns",
                  baseRtt    ? ToWhole("BASE_RTT", *baseRtt)
                  : isGlobal ? std::to_string(rttNs)
                             : "0");
    if (fixedWindow && !isWindowed)
    {
        m_ignored.insert("FIXED_WIN, since HAS_WIN is 0");
    }
}

void
DcnHpccFiles::SetThresholds(const Config& file,
                            const DcnTopology& topology,
                            DcnNetworkConfig& config)
{
    const std::set<uint64_t> rates = FindRates(topology, file);
    const bool isMarking = IsMarking(config.congestionControl);
    if (rates.empty() || !isMarking)
    {
        if (file.keys.count("KMIN_MAP") + file.keys.count("KMAX_MAP") > 0)
        {
            m_ignored.insert("KMIN_MAP, KMAX_MAP and PMAX_MAP, which " +
                             (isMarking ? "no port of a switch needs"
                                        : config.congestionControl + " does not use"));
        }
        return;
    }
    const auto first = static_cast<double>(*rates.begin());
    for (const auto& [key, target] : {std::pair<std::string, std::string>{"PMAX_MAP", "ecn_pmax"},
                                      {"KMAX_MAP", "ecn_kmax_bytes"},
                                      {"KMIN_MAP", "ecn_kmin_bytes"}})
    {
        std::string where;
        const std::vector<double> values = ReadMap(key, file, rates, where);
        if (values.empty())
        {
            continue;
        }
        const bool isThreshold = key != "PMAX_MAP";
        std::size_t i = 0;
        for (const uint64_t rate : rates)
        {
            const double factor = isThreshold ? static_cast<double>(rate) / first : 1;
            if (std::abs(values[i] - values[0] * factor) > 1e-3 * values[0] * factor)
            {
                DcnFail(where,
                        key,
                        " has ",
                        DcnToText(values[i]),
                        " for ",
                        rate,
                        " bit/s and ",
                        DcnToText(values[0]),
                        " for ",
                        *rates.begin(),
                        " bit/s, which ports of one network have here: thresholds of dcn are "
                        "proportional to the rate, and ecn_pmax is one; give "
                        "--network=ecn_kmin_bytes=BYTES,ecn_kmax_bytes=BYTES,ecn_pmax=P");
            }
            ++i;
        }
        const double value = values[0] * (isThreshold ? 1000 : 1);
        config.SetKey(target,
                      isThreshold ? std::to_string(std::llround(value)) : DcnToText(value),
                      where + key + ": ");
        config.SetKey("ecn_reference_rate_bps", std::to_string(*rates.begin()));
    }
    CheckMaps(file);
}

std::vector<std::string>
DcnHpccFiles::GetIgnored() const
{
    return {m_ignored.begin(), m_ignored.end()};
}

std::vector<std::string>
DcnHpccFiles::GetNotes() const
{
    return {m_notes.begin(), m_notes.end()};
}

std::vector<std::string>
DcnHpccFiles::DescribeUnused() const
{
    std::vector<std::string> texts;
    for (const std::string& each : m_ignored)
    {
        texts.push_back("ignored: " + each);
    }
    for (const std::string& each : m_notes)
    {
        texts.push_back("note: " + each);
    }
    return texts;
}

void
DcnHpccFiles::TakeNotes(const DcnTrainLines& lines)
{
    for (const std::string& each : lines.GetIgnored())
    {
        m_ignored.insert(each);
    }
    for (const std::string& each : lines.GetNotes())
    {
        m_notes.insert(each);
    }
}

void
DcnHpccFiles::WriteFct(const DcnScenario& scenario,
                       const std::vector<int64_t>& fctNs,
                       const std::string& path) const
{
    DcnFileWriter file(path);
    const DcnTopology& topology = scenario.GetTopology();
    auto address = [&](uint32_t node) {
        const uint64_t id = topology.GetExternalId(node);
        char text[16];
        std::snprintf(text,
                      sizeof(text),
                      "%08x",
                      static_cast<unsigned>(0x0b000001 + (id / 256 << 16) + (id % 256 << 8)));
        return std::string(text);
    };
    std::map<std::pair<uint32_t, uint32_t>, uint16_t> nEarlier; // flows of two hosts
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        const auto port = m_ports.find(flow.id);
        const auto from = static_cast<uint16_t>(10'000 + nEarlier[{flow.src, flow.dst}]++);
        if (fctNs[i] >= 0)
        {
            file.Stream() << address(flow.src) << ' ' << address(flow.dst) << ' ' << from << ' '
                          << (port == m_ports.end() ? 100 : port->second) << ' ' << flow.sizeBytes
                          << ' ' << flow.startNs << ' ' << fctNs[i] << ' '
                          << scenario.GetIdealFct(i).GetTotalNs() << '\n';
        }
    }
    file.Commit();
}

} // namespace ns3
