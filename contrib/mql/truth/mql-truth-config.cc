/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-config.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <fstream>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// What releases up to 0.2 recorded of every simulation but those with ns-3's TCP.
constexpr const char* UDP = ",transport=udp";

} // namespace

MqlTruthConfig::MqlTruthConfig()
    : DcnRecipe(GetKeys(), "MQL's ground truth")
{
}

const DcnRecipe::Keys&
MqlTruthConfig::GetKeys()
{
    using K = DcnRecipeKey;
    const std::string drawn = "trace="; // condition: packets are not those of a trace
    constexpr double MAX_SEED = DcnRandom::MAX_SEED;
    // clang-format off
    static const Keys keys{
        {"topology", K::WORD, "fat-tree", 0, 0, "fat-tree+two-tier", "", "three tiers or two"},
        {"k", K::WHOLE, "4", 2, 128, "", "topology=fat-tree", "ports of a switch; k^3 / 4 hosts"},
        {"hosts", K::WHOLE, "16", 2, 1e6, "", "topology=two-tier", "number of hosts"},
        {"radix", K::WHOLE, "8", 4, 1e6, "", "topology=two-tier", "ports of a switch"},
        {"rate_mbps", K::NUMBER, "100", 1e-3, 1e6, "", "", "rate of every link [Mbit/s]"},
        {"delay_ns", K::WHOLE, "0", 0, 1e15, "", "", "propagation delay of every link [ns]"},
        {"buffer", K::WHOLE, "128", 1, 1e9, "", "",
         "packets that wait in a queue (not the one being sent)"},
        {"trace", K::TEXT, "", 0, 0, "", "", "packets from this file instead of the pattern"},
        {"pattern", K::WORD, "all-to-all", 0, 0, "all-to-all+incast+broadcast+asymmetric", drawn,
         "which hosts communicate"},
        {"density", K::NUMBER, "1", 1e-9, 1, "", drawn,
         "share of the pattern's pairs that communicate"},
        {"rates", K::WORD, "equal", 0, 0, "equal+uniform", drawn,
         "of the flows; uniform: from 0 to a largest"},
        {"arrivals", K::WORD, "poisson", 0, 0, "poisson+ge", drawn, "ge: generalised exponential"},
        {"scv", K::NUMBER, "4", 1, 1000, "", "arrivals=ge",
         "squared coefficient of variation of gaps"},
        {"bytes", K::WHOLE, "500", 64, 1500, "", drawn, "mean size of a data packet on the wire"},
        {"spread", K::NUMBER, "0", 0, 1, "", drawn, "sizes are uniform in bytes * (1 +- spread)"},
        {"ack_bytes", K::WHOLE, "54", 0, 1500, "", "",
         "acknowledgement of a data packet on the wire; 0: none"},
        {"load", K::NUMBER, "0.5", 1e-6, 1.5, "", drawn, "utilisation of the most loaded link"},
        {"routing", K::WORD, "ecmp", 0, 0, "ecmp+split", "",
         "ecmp: one path per flow; split: drawn per packet"},
        {"hash_seed", K::WHOLE, "1", 0, MAX_SEED, "", "", "seed of the ECMP hash"},
        {"seed", K::SINGLE, "1", 0, MAX_SEED, "", "", "seed of draws of keys and of the traffic"},
        {"warmup_s", K::NUMBER, "0.2", 0, 1e4, "", "", "time before anything is recorded [s]"},
        {"duration_s", K::NUMBER, "5", 1e-9, 1e4, "", "", "recorded time [s]"},
        {"engine", K::WORD, "exact", 0, 0, "exact+ns3", "",
         "exact (recursion of queues) or ns3 (its devices and queues)"},
    };
    // clang-format on
    return keys;
}

MqlTruthConfig
MqlTruthConfig::Parse(const std::string& text, const std::string& where, bool isRecorded)
{
    MqlTruthConfig config;
    std::string known = text;
    const std::size_t at = known.find(UDP);
    if (isRecorded && at != std::string::npos)
    {
        known.erase(at, std::string(UDP).size());
    }
    // release 0.1 recorded keys that had no value
    static const std::string NONE = ",trace=";
    const std::size_t none = known.find(NONE);
    const std::size_t end = none + NONE.size();
    if (isRecorded && none != std::string::npos && (end == known.size() || known[end] == ','))
    {
        known.erase(none, NONE.size());
    }
    try
    {
        config.SetAll(known);
        if (!isRecorded)
        {
            config.CheckEffects();
        }
        config.DrawAll(DcnRandom(config.GetWhole("seed")), DcnPurpose::RECIPE);
        config.Check();
    }
    catch (const DcnError& error)
    {
        DcnFail(where, error.what());
    }
    return config;
}

void
MqlTruthConfig::Check() const
{
    auto need = [this](bool good, const char* key, const char* rule) {
        if (!good)
        {
            DcnFail(key, " must be ", rule, ", but it is ", Get(key));
        }
    };
    if (Get("topology") == "fat-tree")
    {
        need(GetWhole("k") % 2 == 0, "k", "even");
    }
    else
    {
        const uint64_t hosts = GetWhole("hosts");
        const uint64_t radix = GetWhole("radix");
        need(radix % 4 == 0, "radix", "a multiple of 4");
        need(hosts % radix == 0 && radix % (hosts / radix) == 0,
             "hosts",
             "a multiple of the radix whose leaves' links can be shared evenly by the spines");
    }
    const uint64_t ack = GetWhole("ack_bytes");
    need(ack == 0 || ack >= 20, "ack_bytes", "0 or 20 to 1500");
    if (!IsSet("trace"))
    {
        const double bytes = GetNumber("bytes");
        const double half = bytes * GetNumber("spread");
        need(bytes - half >= 64 && bytes + half <= 1502,
             "spread",
             "such that packets have 64 to 1502 bytes");
    }
}

std::vector<MqlTruthConfig>
MqlTruthConfig::ReadList(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        DcnFail("the list '", path, "' cannot be read");
    }
    DcnSkipByteOrderMark(file, path);
    std::vector<MqlTruthConfig> configs;
    std::set<std::string> names;
    std::string line;
    for (uint32_t number = 1; std::getline(file, line); ++number)
    {
        line.erase(line.find_last_not_of(" \t\r") + 1);
        if (line.empty() || line[0] == '#')
        {
            continue;
        }
        const std::string where = path + ":" + std::to_string(number) + ": ";
        configs.push_back(Parse(line, where));
        if (!names.insert(configs.back().GetName()).second)
        {
            DcnFail(where, "the configuration ", configs.back().GetName(), " is listed twice");
        }
    }
    if (configs.empty())
    {
        DcnFail("the list '", path, "' has no configuration");
    }
    return configs;
}

uint32_t
MqlTruthConfig::GetNHosts() const
{
    const bool isFatTree = Get("topology") == "fat-tree";
    const auto n = static_cast<uint32_t>(GetWhole(isFatTree ? "k" : "hosts"));
    return isFatTree ? n * n * n / 4 : n;
}

double
MqlTruthConfig::GetScv() const
{
    return Get("arrivals") == "ge" ? GetNumber("scv") : 1;
}

std::string
MqlTruthConfig::GetName() const
{
    const bool isFatTree = Get("topology") == "fat-tree";
    std::ostringstream name;
    name << (isFatTree ? "ft" : "tt") << GetNHosts();
    if (!isFatTree)
    {
        name << "r" << GetWhole("radix");
    }
    if (!IsSet("trace"))
    {
        const double density = GetNumber("density");
        name << "_" << Get("pattern");
        if (density != 1)
        {
            name << "-" << density;
        }
        name << "_" << Get("arrivals") << (Get("arrivals") == "ge" ? DcnToText(GetScv()) : "")
             << "_u" << GetNumber("load") << (Get("rates") == "uniform" ? "-var" : "") << "_s"
             << GetNumber("spread");
        if (GetWhole("bytes") != 500)
        {
            name << "_b" << GetWhole("bytes");
        }
    }
    else
    {
        const std::string& trace = Get("trace");
        const auto slash = trace.find_last_of('/');
        const std::string file = slash == std::string::npos ? trace : trace.substr(slash + 1);
        name << "_" << file.substr(0, file.find('.'));
    }
    if (GetWhole("ack_bytes") != 54)
    {
        name << "_ack" << GetWhole("ack_bytes");
    }
    name << "_" << Get("routing") << GetWhole("hash_seed") << "_" << Get("engine") << "_"
         << GetWhole("seed");
    return name.str();
}

} // namespace ns3
