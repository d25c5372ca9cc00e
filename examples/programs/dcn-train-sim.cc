/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Runs the traffic of distributed training on packets, fluids or m4: a collective, the
 * training of a transformer, a dependency graph, or a trace of another tool.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-link-events.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-train-cluster-options.h"
#include "ns3/dcn-train-goal.h"
#include "ns3/dcn-train-graph-file.h"
#include "ns3/dcn-train-helper.h"
#include "ns3/dcn-train-job-options.h"
#include "ns3/dcn-train-job-report.h"
#include "ns3/dcn-train-network-options.h"
#include "ns3/dcn-train-report.h"
#include "ns3/dcn-train-timeline.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using K = DcnRecipeKey;

/// @return the keys of a job, and those of the run
DcnRecipe::Keys
MakeKeys()
{
    DcnRecipe::Keys keys = DcnTrainJobOptions::GetKeys();
    // clang-format off
    const DcnRecipe::Keys own{
        {"timeline", K::CHOICE, "auto", 0, 0, "auto+false+true", "",
         "Write a timeline of each engine as Chrome trace; auto: of at most a million events"},
        {"window", K::SINGLE, "0", 0, UINT32_MAX, "", "", "Nodes of a rank in memory; 0: 1048576"},
        {"writeGraph", K::CHOICE, "false", 0, 0, "false+true", "",
         "Write graph.csv and operations.csv"},
        {"writeGoal", K::CHOICE, "false", 0, 0, "false+true", "", "Write graph.goal"}};
    // clang-format on
    keys.insert(keys.end(), own.begin(), own.end());
    return keys;
}

/// @return the engine's name as part of a file name
std::string
GetFileName(std::string engine)
{
    std::replace_if(
        engine.begin(),
        engine.end(),
        [](unsigned char letter) { return !std::isalnum(letter) && letter != '-'; },
        '-');
    return "timeline-" + engine + ".json";
}

/// Prints the results of all engines, compared with the first.
void
Print(const std::vector<DcnTrainRunResult>& results,
      const std::vector<double>& cpuSeconds,
      const DcnTopology& topology)
{
    using Times = DcnTrainExecutor::RankTimes;
    std::printf("%-24s %14s %12s %14s %13s %11s %10s\n",
                "engine",
                "iteration [ms]",
                "to the first",
                "compute [ms]",
                "exposed [ms]",
                "idle [ms]",
                "cpu [s]");
    const double firstMs = results.front().GetIterationMs(); // 0 if nothing takes time
    for (std::size_t i = 0; i < results.size(); ++i)
    {
        const DcnTrainRunResult& run = results[i];
        std::printf("%-24s %14.4f %+11.1f%% %14.4f %13.4f %11.4f %10.3f\n",
                    run.engine.c_str(),
                    run.GetIterationMs(),
                    firstMs > 0 ? 100 * (run.GetIterationMs() / firstMs - 1) : 0,
                    run.GetMeanMs(&Times::computeNs),
                    run.GetMeanMs(&Times::exposedNs),
                    run.GetMeanMs(&Times::idleNs),
                    cpuSeconds[i]);
    }
    for (const DcnTrainRunResult& run : results)
    {
        if (run.collectives.size() == 1)
        {
            std::printf("%s: algorithm bandwidth %.3f Gb/s, bus bandwidth %.3f Gb/s\n",
                        run.engine.c_str(),
                        run.collectives[0].algorithmGbps,
                        run.collectives[0].busGbps);
        }
    }
    std::printf("busiest links");
    for (std::size_t i = 0; i < std::min<std::size_t>(3, results.front().links.size()); ++i)
    {
        const auto& link = results.front().links[i];
        std::printf("%s %s %.0f %%",
                    i > 0 ? "," : "",
                    topology.DescribeLink(link.link).c_str(),
                    100 * link.utilisation);
    }
    std::printf(" (%s)\n", results.front().engine.c_str());
}

/// Prints what has become of the background.
void
PrintBackground(const std::string& engine,
                const DcnTrainCluster::Background& background,
                const std::vector<DcnFlow>& flows,
                int64_t endNs)
{
    const auto nLate = std::count_if(flows.begin(), flows.end(), [endNs](const DcnFlow& flow) {
        return flow.startNs >= endNs;
    });
    if (nLate > 0)
    {
        std::printf("note: %lld flows of the background never started: the jobs ended at %lld ns\n",
                    static_cast<long long>(nLate),
                    static_cast<long long>(endNs));
    }
    std::printf(
        "%s: background of %llu flows, %.3f MB, of which %llu, %.3f MB, were complete at the "
        "end of the jobs%s\n",
        engine.c_str(),
        static_cast<unsigned long long>(background.nFlows),
        static_cast<double>(background.bytes) / 1e6,
        static_cast<unsigned long long>(background.nFinished),
        static_cast<double>(background.finishedBytes) / 1e6,
        background.lastStartNs < endNs
            ? "; its starts ended before: a longer duration loads the network for all the "
              "time"
            : "");
}

/// Options of a run beside the network and the keys.
struct Extras
{
    std::string linkEvents;           //!< --linkEvents
    std::string jobs;                 //!< --jobs
    std::string background;           //!< --background
    bool isAlone{true};               //!< --alone
    bool isWithoutEvents{true};       //!< --withoutEvents
    bool isReport{false};             //!< --report
    uint64_t placementSeed{1};        //!< --placementSeed
    std::string out{"results/train"}; //!< --out
    /// Options that were given; CheckEffects refuses those without effect.
    std::optional<DcnGivenOptions> given;

    /// @return the options that not every run reads
    std::vector<DcnOptionEffect> GetEffects() const
    {
        return {{{"alone", "placementSeed"}, !jobs.empty(), "without --jobs"},
                {{"withoutEvents"}, !linkEvents.empty(), "without --linkEvents"}};
    }
};

/// Graphs on the networks of engines.
class Run
{
  public:
    /**
     * @param options keys of MakeKeys
     * @param network its topology and engines
     * @param extras the other options
     */
    Run(const DcnRecipe& options, const DcnTrainNetworkOptions& network, const Extras& extras)
        : m_options(options),
          m_network(network),
          m_extras(extras),
          m_engines(network.GetEngines())
    {
        m_parts = network.Create();
        m_linkEvents = std::make_unique<DcnLinkEvents>(extras.linkEvents, *m_parts.topology);
        m_linkEvents->CheckPaths(*m_parts.config);
        for (const std::string& line : m_linkEvents->DescribeIdle())
        {
            m_parts.notes.push_back(line);
        }
        m_background = DcnTrainClusterOptions::MakeBackground(extras.background, m_parts);
        std::vector<std::string> unused;
        if (extras.jobs.empty())
        {
            DcnTrainJob job;
            const DcnTrainWork work =
                DcnTrainJobOptions::MakeWork(m_options, m_parts.servers, unused);
            job.source = work.source;
            job.tokens = work.tokens;
            job.efficiency = work.efficiency;
            job.hosts.resize(m_parts.topology->GetHosts().size());
            std::iota(job.hosts.begin(), job.hosts.end(), 0);
            m_jobs.push_back(job);
        }
        else
        {
            RefuseJobKeys();
            m_jobs = DcnTrainClusterOptions::MakeJobs(extras.jobs,
                                                      m_parts,
                                                      extras.given->Has("placementSeed")
                                                          ? std::optional(extras.placementSeed)
                                                          : std::nullopt,
                                                      unused);
        }
        m_parts.notes.insert(m_parts.notes.end(), unused.begin(), unused.end());
    }

    /**
     * @brief Runs all engines, prints and writes.
     * @param command the command line
     * @return status of the program: 2 if a failure has stopped a job
     */
    int RunAll(const std::string& command)
    {
        DcnRunRecord record(m_extras.out, command, GetOwned());
        record.SetIgnored(m_parts.notes);
        const std::vector<std::string> assumptions = GetAssumptions();
        record.SetLines("assumptions", assumptions);
        for (const std::vector<std::string>& lines : {m_parts.notes, assumptions})
        {
            for (const std::string& each : lines)
            {
                std::printf("%s\n", each.c_str());
            }
        }
        uint32_t nRanks = 0;
        for (const DcnTrainJob& job : m_jobs)
        {
            WriteGraph(job, record);
            nRanks += job.source->GetNRanks();
        }
        const bool isFluid = m_network.IsFluid(*m_parts.config);
        std::printf("%u ranks on %zu hosts, %zu links%s%s\n",
                    nRanks,
                    m_parts.topology->GetHosts().size(),
                    static_cast<std::size_t>(m_parts.topology->GetNLinks() / 2),
                    isFluid ? "" : ", ",
                    isFluid ? "" : m_parts.config->congestionControl.c_str());
        for (const std::string& engine : m_engines)
        {
            std::vector<DcnTrainRunResult> results = RunOn(engine, m_jobs, record);
            AddRows(engine, results, record);
            for (std::size_t i = 0; i < m_jobs.size(); ++i)
            {
                m_results[i].push_back(std::move(results[i]));
            }
        }
        if (m_extras.jobs.empty())
        {
            Print(m_results[0], m_cpuSeconds, *m_parts.topology);
            for (const DcnTrainJobReport::Row& row : m_report.GetRows())
            {
                DcnTrainJobReport::PrintRow(row);
            }
            if (!m_linkEvents->IsEmpty() && m_extras.isWithoutEvents)
            {
                m_report.PrintJobs(0);
            }
        }
        const std::vector<std::string> stops = m_report.GetStops();
        for (const std::string& line : stops)
        {
            std::printf("%s\n", line.c_str());
        }
        record.SetLines("stopped", stops);
        Write(record, command, assumptions);
        record.Finish();
        std::printf("written: %s\n", record.GetFiles().c_str());
        return stops.empty() ? 0 : 2;
    }

  private:
    /// Refuses keys of a job beside --jobs.
    void RefuseJobKeys() const
    {
        for (const DcnRecipeKey& key : DcnTrainJobOptions::GetKeys())
        {
            if (m_options.IsSet(key.name))
            {
                DcnFail("--", key.name, " has no effect with --jobs, which has the keys of jobs");
            }
        }
    }

    /// @return the folder of a job within that of the run, with '/'; empty without --jobs
    std::string GetFolder(const DcnTrainJob& job) const
    {
        return m_extras.jobs.empty() ? "" : job.name + "/";
    }

    /// @return the files that the run may write
    std::vector<std::string> GetOwned() const
    {
        std::vector<std::string> owned = {"jobs.csv",
                                          "report.html",
                                          "times.plt",
                                          "times.png",
                                          "times.svg"};
        for (const DcnTrainJob& job : m_jobs)
        {
            for (const char* name : {"iterations.csv",
                                     "ranks.csv",
                                     "collectives.csv",
                                     "links.csv",
                                     "graph.csv",
                                     "operations.csv",
                                     "graph.goal"})
            {
                owned.push_back(GetFolder(job) + name);
            }
            for (const std::string& engine : m_engines)
            {
                owned.push_back(GetFolder(job) + GetFileName(engine));
            }
        }
        return owned;
    }

    /// Writes the graph of a job as the options say.
    void WriteGraph(const DcnTrainJob& job, DcnRunRecord& record) const
    {
        const std::string folder = m_extras.out + "/" + GetFolder(job);
        DcnMakeFolder(folder);
        if (m_options.Get("writeGraph") == "true")
        {
            DcnWriteTrainGraph(*job.source, folder);
            record.AddFile(GetFolder(job) + "graph.csv");
            record.AddFile(GetFolder(job) + "operations.csv");
        }
        if (m_options.Get("writeGoal") == "true")
        {
            DcnTrainGoal::Write(*job.source, folder + "graph.goal");
            record.AddFile(GetFolder(job) + "graph.goal");
        }
    }

    /// @return lines of what the results rest on
    std::vector<std::string> GetAssumptions() const
    {
        std::vector<std::string> lines =
            DcnTrainJobReport::DescribeNetwork(*m_parts.topology,
                                               *m_parts.config,
                                               m_parts.hostLatency,
                                               m_network.IsFluid(*m_parts.config));
        if (!m_linkEvents->IsEmpty())
        {
            lines.emplace_back("assumed: a message waits while its host is cut off; a job of which "
                               "nothing goes on is stopped after the last of the link events");
        }
        return lines;
    }

    /// Runs jobs alone and without link events as the options say, and keeps all results.
    void AddRows(const std::string& engine,
                 const std::vector<DcnTrainRunResult>& results,
                 DcnRunRecord& record)
    {
        const std::size_t first = m_report.GetRows().size();
        std::vector<DcnTrainRunResult> noEvents;
        m_isSideRun = true;
        if (!m_linkEvents->IsEmpty() && m_extras.isWithoutEvents)
        {
            m_hasEvents = false;
            noEvents = RunOn(engine, m_jobs, record);
            m_hasEvents = true;
        }
        m_isAloneNow = true;
        for (std::size_t i = 0; i < m_jobs.size(); ++i)
        {
            DcnTrainJobReport::Row row{m_jobs[i], results[i], std::nullopt, std::nullopt};
            if (!noEvents.empty())
            {
                row.noEvents = noEvents[i];
            }
            if (!m_extras.jobs.empty() && m_extras.isAlone)
            {
                row.alone = RunOn(engine, {m_jobs[i]}, record).front();
            }
            m_report.Add(std::move(row));
        }
        m_isAloneNow = false;
        m_isSideRun = false;
        if (!m_extras.jobs.empty())
        {
            m_report.PrintJobs(first);
            for (std::size_t i = first; i < m_report.GetRows().size(); ++i)
            {
                DcnTrainJobReport::PrintRow(m_report.GetRows()[i]);
            }
        }
    }

    /// Makes the timeline of a job as the options say; null: there is none.
    std::unique_ptr<DcnTrainTimeline> MakeTimeline(const std::string& engine,
                                                   const DcnTrainJob& job,
                                                   Ptr<DcnTrainExecutor> executor) const
    {
        const bool isAuto = m_options.Get("timeline") == "auto";
        if (m_isSideRun || !(isAuto || m_options.Get("timeline") == "true"))
        {
            return nullptr;
        }
        return std::make_unique<DcnTrainTimeline>(m_extras.out + "/" + GetFolder(job) +
                                                      GetFileName(engine),
                                                  executor,
                                                  *job.source,
                                                  isAuto ? MOST_EVENTS : UINT64_MAX);
    }

    /// Runs jobs, with the background unless a job is to be alone, on an engine.
    std::vector<DcnTrainRunResult> RunOn(const std::string& engine,
                                         const std::vector<DcnTrainJob>& jobs,
                                         DcnRunRecord& record)
    {
        const std::clock_t begin = std::clock();
        const Ptr<DcnTopology> topology = m_network.Create().topology;
        const uint32_t window = static_cast<uint32_t>(m_options.GetWhole("window"));
        DcnTrainHelper helper(engine);
        helper.GetNetworkHelper().SetConfig(m_parts.config);
        helper.SetAttribute("HostLatency", TimeValue(m_parts.hostLatency));
        if (window > 0)
        {
            helper.SetAttribute("Window", UintegerValue(window));
        }
        Ptr<DcnFlowNetwork> flows = helper.GetNetworkHelper().Install(topology);
        DcnTrainCluster cluster;
        for (const DcnTrainJob& job : jobs)
        {
            cluster.AddJob(job);
        }
        if (!m_isAloneNow)
        {
            cluster.SetBackground(m_background);
        }
        cluster.SetFinishCallback([]() { Simulator::Stop(); });
        std::vector<std::unique_ptr<DcnTrainTimeline>> timelines;
        cluster.Install(helper, flows);
        cluster.ShowProgress(engine);
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            timelines.push_back(MakeTimeline(engine, jobs[i], cluster.GetExecutor(i)));
        }
        if (m_hasEvents)
        {
            m_linkEvents->Schedule(flows);
            cluster.SetLastLinkChange(m_linkEvents->GetLast());
        }
        cluster.Start();
        Simulator::Run();
        cluster.CheckFinished();
        const int64_t endNs = Simulator::Now().GetNanoSeconds();
        std::vector<DcnTrainRunResult> results;
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            results.emplace_back(engine,
                                 *cluster.GetExecutor(i),
                                 *jobs[i].source,
                                 *topology,
                                 *m_parts.config);
        }
        if (!m_isSideRun)
        {
            m_cpuSeconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
            Describe(engine, jobs, cluster, *flows);
            for (const std::string& line : m_linkEvents->DescribeLate(endNs))
            {
                std::printf("%s: %s\n", engine.c_str(), line.c_str());
            }
            if (!m_background.empty())
            {
                PrintBackground(engine, cluster.GetBackground(), m_background, endNs);
            }
            CommitTimelines(engine, jobs, timelines, record);
        }
        cluster.Dispose();
        flows->Dispose();
        Simulator::Destroy();
        return results;
    }

    /// Prints what has happened on an engine.
    void Describe(const std::string& engine,
                  const std::vector<DcnTrainJob>& jobs,
                  const DcnTrainCluster& cluster,
                  const DcnFlowNetwork& flows) const
    {
        const uint32_t window = static_cast<uint32_t>(m_options.GetWhole("window"));
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            const Ptr<DcnTrainExecutor> executor = cluster.GetExecutor(i);
            const std::string name = engine + (m_extras.jobs.empty() ? "" : ", " + jobs[i].name);
            std::printf("%s: %llu nodes finished, %llu messages\n",
                        name.c_str(),
                        static_cast<unsigned long long>(executor->GetNFinished()),
                        static_cast<unsigned long long>(executor->GetNMessages()));
            if (executor->GetNLate() > 0)
            {
                std::printf("%s: at most %llu nodes started late because --window=%u nodes of a "
                            "rank are in memory\n",
                            name.c_str(),
                            static_cast<unsigned long long>(executor->GetNLate()),
                            window > 0 ? window : 1U << 20);
            }
        }
        if (!flows.GetNote().empty())
        {
            std::printf("%s: %s\n", engine.c_str(), flows.GetNote().c_str());
        }
        if (!m_linkEvents->IsEmpty())
        {
            std::printf("%s: connections took another path %llu times\n",
                        engine.c_str(),
                        static_cast<unsigned long long>(flows.GetNMoved()));
        }
    }

    /// Completes the timelines of jobs.
    void CommitTimelines(const std::string& engine,
                         const std::vector<DcnTrainJob>& jobs,
                         const std::vector<std::unique_ptr<DcnTrainTimeline>>& timelines,
                         DcnRunRecord& record) const
    {
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            if (timelines[i] && timelines[i]->IsCut())
            {
                std::printf("%s: no timeline, as it has more than %llu events: --timeline=true "
                            "writes it\n",
                            engine.c_str(),
                            static_cast<unsigned long long>(MOST_EVENTS));
            }
            else if (timelines[i])
            {
                timelines[i]->Commit();
                record.AddFile(GetFolder(jobs[i]) + GetFileName(engine));
            }
        }
    }

    /// Writes the tables of all jobs, and the page.
    void Write(DcnRunRecord& record,
               const std::string& command,
               const std::vector<std::string>& assumptions) const
    {
        std::vector<std::string> tables;
        for (std::size_t i = 0; i < m_jobs.size(); ++i)
        {
            const std::string folder = GetFolder(m_jobs[i]);
            for (const auto& file : DcnWriteTrainResults(m_results.at(i),
                                                         *m_jobs[i].source,
                                                         *m_parts.topology,
                                                         m_extras.out + "/" + folder))
            {
                record.AddFile(folder + file);
                tables.push_back(folder + file);
            }
        }
        for (const std::string& file : m_report.Write(m_extras.out))
        {
            record.AddFile(file);
        }
        if (m_extras.isReport)
        {
            std::vector<std::string> lines = m_parts.notes;
            lines.insert(lines.end(), assumptions.begin(), assumptions.end());
            m_report.WriteHtml(m_extras.out, tables, lines, command);
            record.AddFile("report.html");
        }
    }

    static constexpr uint64_t MOST_EVENTS = 1'000'000; //!< of a timeline unasked: about 150 MB

    const DcnRecipe m_options;                   //!< of MakeKeys
    const DcnTrainNetworkOptions& m_network;     //!< topology and engines
    const Extras m_extras;                       //!< other options
    const std::vector<std::string> m_engines;    //!< names
    DcnTrainNetworkOptions::Network m_parts;     //!< topology of the messages, configuration
    std::unique_ptr<DcnLinkEvents> m_linkEvents; //!< on all engines
    std::vector<DcnTrainJob> m_jobs;             //!< what is run; one without --jobs
    std::vector<DcnFlow> m_background;           //!< beside the jobs
    bool m_isSideRun{false};                     //!< a run whose times are only compared
    bool m_isAloneNow{false};                    //!< a job runs alone, for its slow-down
    bool m_hasEvents{true};                      //!< link events happen
    DcnTrainJobReport m_report;                  //!< of all jobs and engines
    std::map<std::size_t, std::vector<DcnTrainRunResult>> m_results; //!< by job, by engine
    std::vector<double> m_cpuSeconds;                                //!< by engine
};

} // namespace

int
main(int argc, char* argv[])
{
    const DcnRecipe::Keys table = MakeKeys();
    DcnKeyOptions keys(table, "a training run");
    DcnTrainNetworkOptions network;
    Extras extras;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run the traffic of distributed training on packets, fluids or m4.");
    network.AddTo(cmd);
    keys.AddTo(cmd);
    DcnAddText(
        cmd,
        "linkEvents",
        "Links that fail, are repaired or change their rate: A-B@TIME=fail, =repair or =RATE, "
        "joined by commas; A@TIME=... for all links of a node",
        extras.linkEvents);
    DcnAddText(cmd,
               "jobs",
               "Several jobs: keys as KEY=VALUE joined by commas, jobs joined by ';', or a file "
               "with a job a line; beside these keys name, start and placement",
               extras.jobs);
    DcnAddText(cmd,
               "background",
               "Other traffic: sizes, matrix, load, sigma, duration, start, seed as KEY=VALUE, "
               "joined by commas",
               extras.background);
    cmd.AddValue("alone", "With jobs: run each alone, too, for its slow-down", extras.isAlone);
    cmd.AddValue("withoutEvents",
                 "With linkEvents: run without them, too, for their effect",
                 extras.isWithoutEvents);
    cmd.AddValue("report", "Write report.html, too: all of this on a page", extras.isReport);
    cmd.AddValue("placementSeed", "Seed of random placements", extras.placementSeed);
    DcnAddText(cmd, "out", "Folder for the results", extras.out);
    extras.given = DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("dcn-train-sim", [&]() {
        extras.given->CheckEffects(network.GetEffects());
        extras.given->CheckEffects(extras.GetEffects());
        return Run(keys.GetOne(), network, extras)
            .RunAll(DcnDescribeCommand("dcn-train-sim", argc, argv));
    });
}
