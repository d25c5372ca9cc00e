/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-config.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"

#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/// One key of the text form.
struct Field
{
    const char* key; //!< as written
    /// Sets the value; false if the text is none.
    std::function<bool(MqlTruthConfig&, const std::string&)> set;
    std::function<std::string(const MqlTruthConfig&)> get; //!< the value as text
};

/// Shortest text of at least 6 digits that reads back as the same number.
std::string
ToText(double value)
{
    std::string text;
    for (int digits = 6; digits <= 17 && (text.empty() || std::stod(text) != value); ++digits)
    {
        std::ostringstream out;
        out.precision(digits);
        out << value;
        text = out.str();
    }
    return text;
}

/// A field that holds text.
Field
TextField(const char* key, std::string MqlTruthConfig::*member)
{
    return {key,
            [member](MqlTruthConfig& config, const std::string& text) {
                config.*member = text;
                return true;
            },
            [member](const MqlTruthConfig& config) { return config.*member; }};
}

/// A field that holds a number.
template <typename T>
Field
NumberField(const char* key, T MqlTruthConfig::*member)
{
    return {key,
            [member](MqlTruthConfig& config, const std::string& text) {
                if constexpr (std::is_same_v<T, uint32_t>)
                {
                    uint64_t value = 0;
                    const bool good =
                        DcnParse(text, value) && value <= std::numeric_limits<uint32_t>::max();
                    config.*member = static_cast<uint32_t>(value);
                    return good;
                }
                else
                {
                    return DcnParse(text, config.*member);
                }
            },
            [member](const MqlTruthConfig& config) {
                if constexpr (std::is_same_v<T, double>)
                {
                    return ToText(config.*member);
                }
                else
                {
                    return std::to_string(config.*member);
                }
            }};
}

/// All keys, in the order in which they are written.
const std::vector<Field>&
Fields()
{
    using C = MqlTruthConfig;
    static const std::vector<Field> fields{TextField("topology", &C::topology),
                                           NumberField("k", &C::k),
                                           NumberField("hosts", &C::hosts),
                                           NumberField("radix", &C::radix),
                                           NumberField("rate_mbps", &C::rateMbps),
                                           NumberField("delay_ns", &C::delayNs),
                                           NumberField("buffer", &C::buffer),
                                           TextField("pattern", &C::pattern),
                                           NumberField("density", &C::density),
                                           TextField("rates", &C::rates),
                                           TextField("arrivals", &C::arrivals),
                                           NumberField("scv", &C::scv),
                                           NumberField("bytes", &C::bytes),
                                           NumberField("spread", &C::spread),
                                           NumberField("ack_bytes", &C::ackBytes),
                                           NumberField("load", &C::load),
                                           TextField("routing", &C::routing),
                                           NumberField("hash_seed", &C::hashSeed),
                                           NumberField("seed", &C::seed),
                                           NumberField("warmup_s", &C::warmupS),
                                           NumberField("duration_s", &C::durationS),
                                           TextField("transport", &C::transport),
                                           TextField("engine", &C::engine),
                                           TextField("trace", &C::trace)};
    return fields;
}

/// Refuses a value outside the ones named.
void
CheckChoice(const std::string& where,
            const char* key,
            const std::string& value,
            const std::vector<std::string>& choices)
{
    std::string list;
    for (const auto& choice : choices)
    {
        if (value == choice)
        {
            return;
        }
        list += (list.empty() ? "" : ", ") + choice;
    }
    DcnFail(where, key, " must be one of ", list, ", but it is '", value, "'");
}

} // namespace

MqlTruthConfig
MqlTruthConfig::Parse(const std::string& text, const std::string& where)
{
    MqlTruthConfig config;
    std::set<std::string> given;
    std::istringstream pairs(text);
    std::string pair;
    while (std::getline(pairs, pair, ','))
    {
        const auto equals = pair.find('=');
        if (equals == std::string::npos)
        {
            DcnFail(where, "'", pair, "' is not of the form key=value");
        }
        const std::string key = pair.substr(0, equals);
        const std::string value = pair.substr(equals + 1);
        bool known = false;
        for (const auto& field : Fields())
        {
            if (field.key == key)
            {
                known = true;
                if (!field.set(config, value))
                {
                    DcnFail(where, key, " cannot be '", value, "'");
                }
            }
        }
        if (!known)
        {
            DcnFail(where, "there is no key '", key, "'");
        }
        if (!given.insert(key).second)
        {
            DcnFail(where, key, " is given twice");
        }
    }
    auto refuse = [&](const std::vector<std::string>& keys, const std::string& why) {
        for (const auto& key : keys)
        {
            if (given.count(key) != 0)
            {
                DcnFail(where, key, " has no effect ", why);
            }
        }
    };
    // A text with every key (ToText) must read back, so that only values that differ count.
    const bool complete = given.size() == Fields().size();
    if (!complete)
    {
        refuse(config.topology == "fat-tree" ? std::vector<std::string>{"hosts", "radix"}
                                             : std::vector<std::string>{"k"},
               "on the topology " + config.topology);
        if (!config.trace.empty())
        {
            refuse({"pattern", "density", "rates", "arrivals", "scv", "bytes", "spread", "load"},
                   "with a trace");
        }
        if (config.arrivals == "ge" && given.count("scv") == 0)
        {
            config.scv = 4;
        }
    }
    config.Check(where);
    return config;
}

void
MqlTruthConfig::Check(const std::string& where) const
{
    CheckChoice(where, "topology", topology, {"fat-tree", "two-tier"});
    CheckChoice(where, "pattern", pattern, {"all-to-all", "incast", "broadcast", "asymmetric"});
    CheckChoice(where, "rates", rates, {"equal", "uniform"});
    CheckChoice(where, "arrivals", arrivals, {"poisson", "ge"});
    CheckChoice(where, "routing", routing, {"ecmp", "split"});
    CheckChoice(where, "transport", transport, {"udp", "tcp"});
    CheckChoice(where, "engine", engine, {"exact", "ns3"});
    auto need = [&](bool good, const char* key, const char* rule, double value) {
        if (!good)
        {
            DcnFail(where, key, " must be ", rule, ", but it is ", value);
        }
    };
    need(k >= 2 && k % 2 == 0 && k <= 128, "k", "even and from 2 to 128", k);
    need(radix >= 4 && radix % 4 == 0, "radix", "a multiple of 4", radix);
    if (topology == "two-tier")
    {
        need(hosts > 0 && hosts % radix == 0 && radix % (hosts / radix) == 0,
             "hosts",
             "a multiple of the radix whose leaves' links can be shared evenly by the spines",
             hosts);
    }
    need(rateMbps > 0 && rateMbps <= 1e6, "rate_mbps", "above 0 and at most 1e6", rateMbps);
    need(delayNs >= 0, "delay_ns", "at least 0", static_cast<double>(delayNs));
    need(buffer >= 1, "buffer", "at least 1", buffer);
    need(density > 0 && density <= 1, "density", "above 0 and at most 1", density);
    need(arrivals == "ge" ? scv > 1 && scv <= 1000 : scv == 1,
         "scv",
         arrivals == "ge" ? "above 1 and at most 1000 for ge" : "1 for poisson",
         scv);
    need(bytes >= 64 && bytes <= 1500, "bytes", "from 64 to 1500", bytes);
    need(spread >= 0 && spread < 1 && bytes * (1 - spread) >= 64 && bytes * (1 + spread) <= 1502,
         "spread",
         "from 0 to 1, with packets of 64 to 1502 bytes",
         spread);
    need(ackBytes == 0 || (ackBytes >= 20 && ackBytes <= 1500),
         "ack_bytes",
         "0 or 20 to 1500",
         ackBytes);
    need(load > 0 && load < 1.5, "load", "above 0 and below 1.5", load);
    need(hashSeed <= DcnRandom::MAX_SEED, "hash_seed", "below 2^32", static_cast<double>(hashSeed));
    need(seed <= DcnRandom::MAX_SEED, "seed", "below 2^32", static_cast<double>(seed));
    need(warmupS >= 0 && warmupS <= 1e4, "warmup_s", "from 0 to 10000", warmupS);
    need(durationS > 0 && durationS <= 1e4, "duration_s", "above 0 and at most 10000", durationS);
    if (transport == "tcp")
    {
        need(bytes >= 64 + 54, "bytes", "at least 118 with tcp", bytes);
        if (engine != "ns3" || ackBytes != 54 || routing != "ecmp")
        {
            DcnFail(where, "tcp needs engine=ns3, routing=ecmp and ack_bytes=54");
        }
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

std::string
MqlTruthConfig::ToText() const
{
    std::string text;
    for (const auto& field : Fields())
    {
        text += (text.empty() ? "" : ",") + std::string(field.key) + "=" + field.get(*this);
    }
    return text;
}

uint32_t
MqlTruthConfig::GetNHosts() const
{
    return topology == "fat-tree" ? k * k * k / 4 : hosts;
}

std::string
MqlTruthConfig::GetName() const
{
    std::ostringstream name;
    name << (topology == "fat-tree" ? "ft" : "tt") << GetNHosts();
    if (topology != "fat-tree")
    {
        name << "r" << radix;
    }
    if (trace.empty())
    {
        name << "_" << pattern;
        if (density != 1)
        {
            name << "-" << density;
        }
        name << "_" << (arrivals == "ge" ? "ge" + ns3::ToText(scv) : arrivals) << "_u" << load
             << (rates == "uniform" ? "-var" : "") << "_s" << spread;
        if (bytes != 500)
        {
            name << "_b" << bytes;
        }
    }
    else
    {
        const auto slash = trace.find_last_of('/');
        const std::string file = slash == std::string::npos ? trace : trace.substr(slash + 1);
        name << "_" << file.substr(0, file.find('.'));
    }
    if (ackBytes != 54)
    {
        name << "_ack" << ackBytes;
    }
    name << "_" << routing << hashSeed << "_" << (transport == "tcp" ? "tcp" : engine) << "_"
         << seed;
    return name.str();
}

} // namespace ns3
