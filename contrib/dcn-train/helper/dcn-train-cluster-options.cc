/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-cluster-options.h"

#include "dcn-train-job-options.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-workload.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace ns3
{

namespace
{

using K = DcnRecipeKey;

/// @return keys of a job on a cluster
DcnRecipe::Keys
MakeJobKeys()
{
    DcnRecipe::Keys keys{{"name", K::TEXT, "", 0, 0, "", "", "Name of the job in results"},
                         {"start", K::TIME, "0ns", 0, 1e15, "", "", "Arrival of the job"},
                         {"placement",
                          K::TEXT,
                          "packed",
                          0,
                          0,
                          "",
                          "",
                          "packed, spread, random, or hosts such as 8-15+0"}};
    const DcnRecipe::Keys& others = DcnTrainJobOptions::GetKeys();
    keys.insert(keys.end(), others.begin(), others.end());
    return keys;
}

// clang-format off
/// Keys of the background.
const DcnRecipe::Keys BACKGROUND_KEYS{
    {"sizes", K::TEXT, "web-search", 0, 0, "", "", "Distribution of flow sizes"},
    {"matrix", K::TEXT, "uniform", 0, 0, "", "", "Traffic matrix"},
    {"load", K::NUMBER, "0.3", 1e-6, 0.999, "", "", "Payload load of the most loaded link"},
    {"sigma", K::NUMBER, "0", 0, 10, "", "", "Shape of log-normal gaps; 0: Poisson arrivals"},
    {"duration", K::TIME, "100ms", 1, 1e15, "", "", "Period of starts"},
    {"start", K::TIME, "0ns", 0, 1e15, "", "", "Begin of this period"},
    {"seed", K::SINGLE, "1", 1, UINT32_MAX, "", "", "Seed of the flows"}};

// clang-format on

/// @return the texts of jobs, each with the words for messages
std::vector<std::pair<std::string, std::string>>
Split(const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> parts;
    std::error_code error;
    if (std::filesystem::is_directory(text, error))
    {
        DcnFail("--jobs=", text, " is a folder, but a file with a job a line is expected");
    }
    std::ifstream file(text);
    if (text.find('=') != std::string::npos || !file)
    {
        if (text.find('=') == std::string::npos)
        {
            DcnFail("--jobs must be keys of jobs such as \"model=llama2-7b,tensor=8;bytes=1e6\", "
                    "or a file with a job a line, but it is \"",
                    text,
                    "\"");
        }
        for (const std::string& part : DcnSplit(text, ';'))
        {
            parts.emplace_back(part, "job " + std::to_string(parts.size()) + " of --jobs");
        }
        return parts;
    }
    DcnSkipByteOrderMark(file, text);
    std::string line;
    for (uint32_t number = 1; std::getline(file, line); ++number)
    {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin != std::string::npos && line[begin] != '#')
        {
            const std::size_t end = line.find_last_not_of(" \t\r");
            parts.emplace_back(line.substr(begin, end + 1 - begin),
                               text + ":" + std::to_string(number));
        }
    }
    if (parts.empty())
    {
        DcnFail(text, ": there is no job: write one a line");
    }
    return parts;
}

/// Refuses values of which one would be drawn: a run has one of each.
void
RefuseDraws(const DcnRecipe& options, const DcnRecipe::Keys& keys, const std::string& where)
{
    DcnRecipe drawn = options;
    drawn.DrawAll(DcnRandom(1), DcnPurpose::RECIPE);
    for (const DcnRecipeKey& key : keys)
    {
        if (options.IsSet(key.name) && options.Get(key.name) != drawn.Get(key.name))
        {
            DcnFail(where,
                    ": ",
                    key.name,
                    "=",
                    options.Get(key.name),
                    " has several values, but a run has one: give it");
        }
    }
}

/// Refuses a name that is no name of a folder, that the run needs, or that another job has.
void
CheckName(const std::string& name, const std::vector<DcnTrainJob>& others, const std::string& where)
{
    if (name == "jobs.csv" || name == "run.json")
    {
        DcnFail(where, ": the run writes a file ", name, ": give the job another name");
    }
    if (std::any_of(others.begin(), others.end(), [&](const DcnTrainJob& job) {
            return job.name == name;
        }))
    {
        DcnFail(where, ": two jobs have the name ", name, ": give each a name of its own");
    }
    const bool isName = std::all_of(name.begin(), name.end(), [](unsigned char letter) {
        return std::isalnum(letter) || letter == '-' || letter == '_' || letter == '.';
    });
    if (!isName || name.empty() || name.size() > 64 || name[0] == '.')
    {
        DcnFail(where,
                ": a name has 1 to 64 letters, digits, '-', '_' and '.', but it is \"",
                name,
                "\"");
    }
}

} // namespace

std::vector<DcnTrainJob>
DcnTrainClusterOptions::MakeJobs(const std::string& text,
                                 const DcnTrainNetworkOptions::Network& network,
                                 std::optional<uint64_t> seed,
                                 std::vector<std::string>& unused)
{
    static const DcnRecipe::Keys keys = MakeJobKeys();
    const std::vector<uint32_t>& serverOf = network.servers.serverOf;
    const auto nHosts = static_cast<uint32_t>(serverOf.size());
    std::vector<uint32_t> groups = serverOf;
    if (nHosts > 0 && serverOf.back() == nHosts - 1) // each host is a server
    {
        for (uint32_t host = 0; host < nHosts; ++host)
        {
            groups[host] = network.topology->GetRack(network.topology->GetHosts()[host]);
        }
    }
    DcnTrainPlacement placement(groups, seed.value_or(1));
    bool isDrawn = false;
    std::vector<DcnTrainJob> jobs;
    for (const auto& [assignments, where] : Split(text))
    {
        DcnRecipe options(keys, where);
        options.SetAll(assignments);
        options.CheckEffects();
        RefuseDraws(options, keys, where);
        DcnTrainJob job;
        job.name =
            options.Get("name").empty() ? "job" + std::to_string(jobs.size()) : options.Get("name");
        CheckName(job.name, jobs, where);
        job.start = options.GetTime("start");
        const std::string& rule = options.Get("placement");
        job.hosts = placement.Offer(rule);
        const bool isNamed = rule.find_first_of("0123456789") == 0;
        isDrawn = isDrawn || rule == "random";
        DcnTrainServers servers = network.servers;
        servers.serverOf.clear();
        for (const uint32_t host : job.hosts)
        {
            servers.serverOf.push_back(serverOf[host]);
        }
        std::vector<std::string> ignored;
        const bool isPart = job.hosts.size() < nHosts; // named, or not taken by the jobs before
        const std::string offer = std::to_string(job.hosts.size()) +
                                  (!isPart   ? " hosts"
                                   : isNamed ? " hosts of placement=" + rule
                                             : " free hosts of ") +
                                  (isPart && !isNamed ? std::to_string(nHosts) : "");
        const DcnTrainWork work = DcnTrainJobOptions::MakeWork(options, servers, ignored, offer);
        job.source = work.source;
        job.tokens = work.tokens;
        job.efficiency = work.efficiency;
        for (const std::string& each : ignored)
        {
            unused.push_back(job.name + ": " + each);
        }
        if (job.source->GetNRanks() > job.hosts.size())
        {
            DcnFail(where,
                    ": ",
                    job.source->GetNRanks(),
                    " ranks, but ",
                    job.hosts.size(),
                    " free hosts: take a larger topology, or other placements");
        }
        if (isNamed && job.source->GetNRanks() < job.hosts.size())
        {
            DcnFail(where,
                    ": placement=",
                    rule,
                    " has ",
                    job.hosts.size(),
                    " hosts, but the job has ",
                    job.source->GetNRanks(),
                    " ranks: name as many hosts");
        }
        job.hosts.resize(job.source->GetNRanks());
        placement.Take(job.hosts);
        jobs.push_back(job);
    }
    if (seed && !isDrawn)
    {
        DcnFail("--placementSeed=", *seed, " has no effect: no job has placement=random");
    }
    return jobs;
}

std::vector<DcnFlow>
DcnTrainClusterOptions::MakeBackground(const std::string& text,
                                       const DcnTrainNetworkOptions::Network& network)
{
    if (text.empty())
    {
        return {};
    }
    DcnRecipe options(BACKGROUND_KEYS, "a background");
    options.SetAll(text);
    RefuseDraws(options, BACKGROUND_KEYS, "--background");
    DcnWorkloadSpec spec;
    spec.sizes = options.Get("sizes");
    spec.matrix = options.Get("matrix");
    spec.load = options.GetNumber("load");
    spec.sigma = options.GetNumber("sigma");
    spec.nFlows = 0;
    spec.durationNs = options.GetTime("duration").GetNanoSeconds();
    spec.startNs = options.GetTime("start").GetNanoSeconds();
    spec.seed = options.GetWhole("seed");
    spec.payloadBytes = network.config->payloadBytes;
    return DcnWorkload::Generate(network.topology, spec).flows;
}

} // namespace ns3
