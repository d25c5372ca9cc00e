/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief ASTRA-sim 2 with packets, fluids or m4 as its network: runs its workloads by its command
 * line. Built only where the variable DCN_ASTRA_SIM names an ASTRA-sim that is built.
 */

// The headers of ns-3 come first: ASTRA-sim's have macros of syslog.h with the names of log levels.
#include "dcn-astra-network.h"
#include "dcn-astra-options.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-train-messages.h"
#include "ns3/dcn-train-network-options.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <astra-sim/common/Logging.hh>
#include <astra-sim/system/Sys.hh>
#include <cstdio>
#include <ctime>
#include <extern/remote_memory_backend/analytical/AnalyticalRemoteMemory.hh>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What an engine has answered.
struct Result
{
    std::string engine;              //!< its name
    std::vector<int64_t> finishedNs; //!< by rank [ns]; -1: it has not finished
    uint32_t nFinished;              //!< ranks
    uint64_t nMessages;              //!< sent
    uint64_t nBytes;                 //!< of them
    double cpuSeconds;               //!< processor time
};

/// ASTRA-sim's logs, whose thread ends before the program does.
struct Logs
{
    Logs(const std::string& configuration, const std::string& folder)
    {
        AstraSim::LoggerFactory::init(configuration, folder);
    }

    ~Logs()
    {
        AstraSim::LoggerFactory::shutdown();
    }

    Logs(const Logs&) = delete;
    Logs& operator=(const Logs&) = delete;
};

/// Prints which ranks of an engine have not finished, and what they wait for.
void
PrintUnfinished(const Result& result, const DcnTrainMessages& messages)
{
    std::fprintf(stderr,
                 "dcn-astra: %s: after %.6f ms nothing is left to do, but %u of %zu ranks have "
                 "finished\n",
                 result.engine.c_str(),
                 static_cast<double>(Simulator::Now().GetNanoSeconds()) / 1e6,
                 result.nFinished,
                 result.finishedNs.size());
    uint32_t nPrinted = 0;
    for (uint32_t rank = 0; rank < result.finishedNs.size() && nPrinted < 10; ++rank)
    {
        if (result.finishedNs[rank] < 0)
        {
            const std::string wait = messages.DescribeWait(rank);
            std::fprintf(stderr,
                         "dcn-astra: %s: rank %u %s\n",
                         result.engine.c_str(),
                         rank,
                         wait.empty() ? "waits for no message" : wait.c_str());
            ++nPrinted;
        }
    }
}

/// Runs the workload with an engine.
Result
Run(const std::string& engine,
    const DcnAstraOptions& options,
    const std::vector<int>& dimensions,
    uint32_t nRanks,
    const DcnTrainNetworkOptions& network)
{
    const std::clock_t begin = std::clock();
    const DcnTrainNetworkOptions::Network parts = network.Create();
    DcnFlowNetworkHelper helper(engine);
    helper.SetConfig(parts.config);
    const Ptr<DcnFlowNetwork> flows = helper.Install(parts.topology);
    NodeContainer hosts;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        hosts.Add(parts.topology->GetNodes().Get(parts.topology->GetHosts()[rank]));
    }
    auto messages = Create<DcnTrainMessages>(flows, hosts);
    DcnAstraRun run(messages, nRanks, parts.topology->GetSlowestHostRate());
    Analytical::AnalyticalRemoteMemory memory(options.remoteMemory);
    std::vector<std::unique_ptr<DcnAstraNetwork>> networks;
    std::vector<std::unique_ptr<AstraSim::Sys>> systems;
    const std::vector<int> queues(dimensions.size(), options.queuesPerDimension);
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        networks.push_back(std::make_unique<DcnAstraNetwork>(rank, run));
        systems.push_back(std::make_unique<AstraSim::Sys>(static_cast<int>(rank),
                                                          options.workload,
                                                          options.commGroup,
                                                          options.system,
                                                          &memory,
                                                          networks.back().get(),
                                                          dimensions,
                                                          queues,
                                                          options.injectionScale,
                                                          options.commScale,
                                                          options.hasRendezvous));
    }
    for (const auto& system : systems)
    {
        system->workload->fire();
    }
    Simulator::Run();
    Result result{engine,
                  run.GetFinishedNs(),
                  run.GetNFinished(),
                  messages->GetNMessages(),
                  messages->GetNBytes(),
                  static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
    if (result.nFinished < nRanks)
    {
        PrintUnfinished(result, *messages);
    }
    systems.clear();
    messages = nullptr;
    flows->Dispose();
    Simulator::Destroy();
    return result;
}

/// Prints the results of all engines, compared with the first.
void
Print(const std::vector<Result>& results)
{
    std::printf("%-28s %14s %12s %10s %14s %10s\n",
                "engine",
                "last rank [ms]",
                "to the first",
                "messages",
                "bytes",
                "cpu [s]");
    double first = 0;
    for (const Result& result : results)
    {
        const bool isComplete = result.nFinished == result.finishedNs.size();
        const auto last = *std::max_element(result.finishedNs.begin(), result.finishedNs.end());
        const double ms = static_cast<double>(last) / 1e6;
        first = first > 0 || !isComplete ? first : ms;
        char times[32] = "  not finished            -";
        if (isComplete)
        {
            std::snprintf(times,
                          sizeof(times),
                          "%14.6f %+11.1f%%",
                          ms,
                          first > 0 ? 100 * (ms / first - 1) : 0);
        }
        std::printf("%-28s %s %10llu %14llu %10.3f\n",
                    result.engine.c_str(),
                    times,
                    static_cast<unsigned long long>(result.nMessages),
                    static_cast<unsigned long long>(result.nBytes),
                    result.cpuSeconds);
    }
}

/// @return number of ranks of a logical topology
uint32_t
GetNRanks(const std::vector<int>& dimensions)
{
    uint32_t nRanks = 1;
    for (const int size : dimensions)
    {
        nRanks *= static_cast<uint32_t>(size);
    }
    return nRanks;
}

/**
 * Runs all engines.
 * @param engines their names
 * @param options of ASTRA-sim
 * @param dimensions of the logical topology
 * @param network the network
 * @param out folder of the results
 * @return the results by engine
 */
std::vector<Result>
RunAll(const std::vector<std::string>& engines,
       const DcnAstraOptions& options,
       const std::vector<int>& dimensions,
       const DcnTrainNetworkOptions& network,
       const std::string& out)
{
    std::vector<Result> results;
    const Logs logs(options.logging,
                    options.loggingFolder.empty() ? out + "/log" : options.loggingFolder);
    for (const std::string& engine : engines)
    {
        try
        {
            results.push_back(Run(engine, options, dimensions, GetNRanks(dimensions), network));
        }
        catch (const DcnError&)
        {
            throw;
        }
        catch (const std::exception& error)
        {
            DcnFail("ASTRA-sim cannot run ",
                    options.workload,
                    " with ",
                    options.system,
                    ": ",
                    error.what());
        }
    }
    return results;
}

/// Writes when ranks have finished.
/// @return whether all have
bool
WriteFinished(const std::vector<Result>& results, const std::string& path)
{
    DcnFileWriter file(path);
    file.Stream() << "engine,rank,finished_ns\n";
    bool isComplete = true;
    for (const Result& result : results)
    {
        isComplete = isComplete && result.nFinished == result.finishedNs.size();
        for (std::size_t rank = 0; rank < result.finishedNs.size(); ++rank)
        {
            file.Stream() << result.engine << ',' << rank << ',';
            if (result.finishedNs[rank] >= 0)
            {
                file.Stream() << result.finishedNs[rank];
            }
            file.Stream() << '\n';
        }
    }
    file.Commit();
    return isComplete;
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnAstraOptions options;
    DcnTrainNetworkOptions network;
    std::string out = "results/astra";
    CommandLine cmd(__FILE__);
    cmd.Usage("Run workloads of ASTRA-sim 2 on packets, fluids or m4.");
    options.AddTo(cmd);
    network.AddTo(cmd);
    DcnAddText(cmd, "out", "Folder for the results", out);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-astra", [&]() {
        network.GetEngines(); // refuses a bad one first
        options.Check();
        const std::vector<int> dimensions = options.ReadDimensions();
        const uint32_t nRanks = GetNRanks(dimensions);
        if (!options.network.empty())
        {
            network.SetNetworkFile(options.network);
        }
        given.CheckEffects(
            {{{"topologyFile"}, options.network.empty(), "with --network-configuration"}});
        given.CheckEffects(network.GetEffects());
        const DcnTrainNetworkOptions::Network parts = network.Create();
        const std::size_t nHosts = parts.topology->GetHosts().size();
        if (nRanks > nHosts)
        {
            DcnFail("the logical topology has ",
                    nRanks,
                    " ranks, but the network has ",
                    nHosts,
                    " hosts: take a larger topology");
        }
        DcnRunRecord record(out, DcnDescribeCommand("dcn-astra", argc, argv), {"finished.csv"});
        record.SetIgnored(parts.notes);
        for (const std::string& each : parts.notes)
        {
            std::printf("%s\n", each.c_str());
        }
        std::printf("%u ranks on %zu hosts, %u links, %s\n",
                    nRanks,
                    nHosts,
                    static_cast<uint32_t>(parts.topology->GetNLinks() / 2),
                    parts.config->congestionControl.c_str());
        std::fflush(stdout);
        const auto results = RunAll(network.GetEngines(), options, dimensions, network, out);
        Print(results);
        const bool isComplete = WriteFinished(results, out + "/finished.csv");
        record.AddFile("finished.csv");
        if (isComplete)
        {
            record.Finish();
        }
        std::printf("written: %s\n", record.GetFiles().c_str());
        return isComplete ? 0 : 2;
    });
}
