/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Failures of links and nodes in runs of dependency graphs.
 */

#include "dcn-test-case.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"
#include "dcn-train-test.h"

#include "ns3/dcn-link-events.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-train-cluster.h"
#include "ns3/dcn-train-graph.h"
#include "ns3/dcn-train-job-report.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Step = std::pair<uint32_t, uint32_t>; //!< rank and number of a node

/// What a job has done.
struct Job
{
    std::map<Step, int64_t> start;   //!< of nodes that are finished [ns]
    std::map<Step, int64_t> end;     //!< of these [ns]
    uint32_t nTwice{0};              //!< nodes that were finished again
    uint64_t sentBytes{0};           //!< of sends that are finished
    uint64_t hostBytes{0};           //!< that the network got, by the links of senders
    int64_t durationNs{0};           //!< of the run
    int64_t stalledNs{0};            //!< of all ranks
    int64_t rankNs{0};               //!< all times of all ranks
    DcnTrainExecutor::Stop stop;     //!< where it waits
    std::string refusal;             //!< sentence of CheckFinished
    std::vector<uint64_t> linkBytes; //!< see DcnTrainExecutor::GetLinkBytes

    /// @return the nodes that are finished
    std::set<Step> GetSteps() const
    {
        std::set<Step> steps;
        for (const auto& [step, time] : end)
        {
            steps.insert(step);
        }
        return steps;
    }
};

/**
 * @brief Run jobs on a network with link events.
 * @param engine its engine
 * @param topology the network
 * @param jobs the jobs
 * @param text the events (DcnLinkEvents)
 * @return what each has done
 */
std::vector<Job>
RunJobs(const std::string& engine,
        Ptr<DcnTopology> topology,
        const std::vector<DcnTrainJob>& jobs,
        const std::string& text)
{
    std::vector<Job> done(jobs.size());
    DcnTrainHelper helper(engine);
    Ptr<DcnFlowNetwork> network = helper.GetNetworkHelper().Install(topology);
    DcnTrainCluster cluster;
    for (const DcnTrainJob& job : jobs)
    {
        cluster.AddJob(job);
    }
    cluster.SetFinishCallback([]() { Simulator::Stop(); });
    cluster.Install(helper, network);
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        cluster.GetExecutor(i)->TraceConnectWithoutContext(
            "NodeFinished",
            Callback<void, uint32_t, uint32_t, const DcnTrainNode&, Time>(
                [&job = done[i]](uint32_t rank, uint32_t n, const DcnTrainNode& node, Time start) {
                    job.nTwice += job.end.count({rank, n}) > 0 ? 1 : 0;
                    job.start[{rank, n}] = start.GetNanoSeconds();
                    job.end[{rank, n}] = Simulator::Now().GetNanoSeconds();
                    job.sentBytes += node.kind == DcnTrainKind::SEND ? node.bytes : 0;
                }));
    }
    const DcnLinkEvents events(text, *topology);
    events.Schedule(network);
    cluster.SetLastLinkChange(events.GetLast());
    cluster.Start();
    Simulator::Stop(Seconds(20));
    Simulator::Run();
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const Ptr<DcnTrainExecutor> executor = cluster.GetExecutor(i);
        Job& job = done[i];
        job.refusal = DcnSentenceOf([&]() { executor->CheckFinished(); });
        job.durationNs = executor->GetDuration().GetNanoSeconds();
        job.stop = executor->GetStop();
        job.linkBytes = executor->GetLinkBytes();
        for (const auto& rank : executor->GetRankTimes())
        {
            job.stalledNs += rank.stalledNs;
            job.rankNs += rank.computeNs + rank.exposedNs + rank.stalledNs + rank.idleNs;
        }
        for (uint32_t link = 0; link < topology->GetNLinks(); ++link)
        {
            job.hostBytes +=
                topology->IsHost(topology->GetLink(link).from) ? job.linkBytes[link] : 0;
        }
    }
    cluster.Dispose();
    network->Dispose();
    Simulator::Destroy();
    return done;
}

/**
 * Rank 0 computes for 10 us, and sends to rank 1, whose NIC fails 20 us after the begin and works
 * again 100 us later: the message takes 100 us longer, and both ranks are stalled for these.
 */
DCN_TEST_CASE(StallTestCase, "a NIC that fails and is repaired")
{
    const int64_t ideal = DcnTrainStarIdealNs(50'000);
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        auto graph = std::make_shared<DcnTrainGraph>(2);
        const uint32_t compute = graph->Compute(0, 10'000);
        graph->Send(0, 1, 50'000, 3, {compute});
        graph->Receive(1, 0, 50'000, 3);
        const auto job = RunJobs(engine,
                                 DcnMakeStar(2),
                                 {{"a", Seconds(0), graph, {0, 1}}},
                                 "1@20us=fail,1@120us=repair")[0];
        NS_TEST_EXPECT_MSG_EQ(job.refusal, "no error", "finished on " << engine);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(job.end.at({1, 0})),
                                  static_cast<double>(110'000 + ideal),
                                  (std::string(engine) == "packet" ? 6000 : 1500),
                                  "receive on " << engine);
        NS_TEST_EXPECT_MSG_EQ(job.stalledNs, 200'000, "stalled ranks on " << engine);
        NS_TEST_EXPECT_MSG_EQ(job.rankNs, 2 * job.durationNs, "all time on " << engine);
        NS_TEST_EXPECT_MSG_EQ(job.hostBytes, 50'000, "bytes on " << engine);
    }
}

/**
 * Two jobs on a star. The NIC of a host of the first one fails for good while it computes: this job
 * stops with one sentence on all engines; what does not need the host goes on until then. The other
 * job runs as without the failure. Other events may come later, and the end does not depend on
 * them.
 */
DCN_TEST_CASE(StopTestCase, "a job that a failure stops")
{
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        auto graph = std::make_shared<DcnTrainGraph>(3);
        const uint32_t compute = graph->Compute(0, 100'000);
        const uint32_t other = graph->Compute(0, 30'000'000, {}, 1); // longer than StopAfter
        graph->BeginOperation({"gradients", "point-to-point", 2, 7000});
        graph->Send(0, 2, 7000, 3, {compute});
        graph->SetOperation(DcnTrainNode::NO_OPERATION);
        graph->Send(0, 1, 1000, 4, {other});
        graph->Receive(2, 0, 7000, 3);
        graph->Receive(1, 0, 1000, 4);
        auto second = std::make_shared<DcnTrainGraph>(2);
        const uint32_t begin = second->Compute(0, 90'000);
        second->Send(0, 1, 300'000, 1, {begin});
        second->Receive(1, 0, 300'000, 1);
        const std::vector<DcnTrainJob> jobs = {{"a", Seconds(0), graph, {0, 1, 2}},
                                               {"b", Seconds(0), second, {3, 4}}};
        const auto without = RunJobs(engine, DcnMakeStar(5), jobs, "");
        for (const char* text : {"2@50us=fail", "2@50us=fail,2@900us=5Gbps,1@40ms=5Gbps"})
        {
            const auto with = RunJobs(engine, DcnMakeStar(5), jobs, text);
            const auto& stop = with[0].stop;
            NS_TEST_EXPECT_MSG_EQ(
                stop.sentence,
                "stopped after 4 nodes: node 2 of rank 0 (send of 7000 bytes to "
                "rank 2 with tag 3) of operation 0 (gradients) waits since 100000 "
                "ns, as host 2 cannot be reached from host 0 over working links, "
                "and no link is repaired after that",
                engine);
            NS_TEST_EXPECT_MSG_EQ((with[0].refusal.find(stop.sentence) != std::string::npos),
                                  true,
                                  "CheckFinished has it, too");
            NS_TEST_EXPECT_MSG_EQ(
                (with[0].GetSteps() == std::set<Step>{{0, 0}, {0, 1}, {0, 3}, {1, 0}}),
                true,
                "what was finished on " << engine);
            NS_TEST_EXPECT_MSG_EQ(with[0].durationNs, with[0].end.at({0, 3}), "its end");
            NS_TEST_EXPECT_MSG_EQ(with[0].rankNs, 3 * with[0].durationNs, "all time");
            NS_TEST_EXPECT_MSG_EQ(stop.nMessages, 1, "one message waits");
            NS_TEST_EXPECT_MSG_EQ(stop.bytes, 7000, "its bytes");
            NS_TEST_EXPECT_MSG_EQ(with[1].refusal, "no error", "the other job on " << engine);
            NS_TEST_EXPECT_MSG_EQ((with[1].end == without[1].end), true, "as without it");
        }
    }
}

/// @return the text of a file
std::string
ReadText(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Rank 0 computes for 1 ms, rank 1 for 3 ms, and both wait until 4 ms for the host of rank 0.
DCN_TEST_CASE(ReportTestCase, "what an operator asks of jobs")
{
    auto graph = std::make_shared<DcnTrainGraph>(2);
    graph->Compute(1, 3'000'000);
    const uint32_t compute = graph->Compute(0, 1'000'000);
    graph->Send(0, 1, 1000, 1, {compute});
    graph->Receive(1, 0, 1000, 1);
    const Ptr<DcnTopology> topology = DcnMakeDumbbell(1, 1);
    const auto config = DcnNetworkConfig::Preset("dctcp");
    DcnTrainHelper helper("flowsim");
    Ptr<DcnFlowNetwork> network = helper.GetNetworkHelper().Install(topology);
    DcnTrainJob job{"a", Seconds(0), graph, {0, 1}, 0, 0};
    job.tokens = 500;
    job.efficiency = 0.4;
    DcnTrainCluster cluster;
    cluster.AddJob(job);
    cluster.Install(helper, network);
    DcnLinkEvents("0@0.5ms=fail,0@4ms=repair", *topology).Schedule(network);
    cluster.Start();
    Simulator::Run();
    cluster.CheckFinished();
    const DcnTrainRunResult run("flowsim", *cluster.GetExecutor(0), *graph, *topology, *config);
    cluster.Dispose();
    network->Dispose();
    Simulator::Destroy();
    const DcnTrainJobReport::Row row{job, run, std::nullopt, run};
    const double ms = run.GetIterationMs();
    NS_TEST_EXPECT_MSG_EQ_TOL(ms, 4, 0.02, "iteration");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.GetTokensPerSecond(), 500 / (ms / 1000), 1e-6, "tokens");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.GetFlopUtilisation(), 0.4 * 2 / ms, 1e-9, "FLOP");
    NS_TEST_EXPECT_MSG_EQ(run.ranks[0].stalledNs, 3'000'000, "rank 0 after its computation");
    NS_TEST_EXPECT_MSG_EQ(run.ranks[1].stalledNs, 1'000'000, "rank 1 after its computation");
    DcnTrainJobReport report;
    report.Add(row);
    const std::string folder = CreateTempDirFilename("");
    NS_TEST_EXPECT_MSG_EQ(report.Write(folder)[0], "jobs.csv", "table");
    const std::string table = ReadText(folder + "/jobs.csv");
    NS_TEST_EXPECT_MSG_EQ(table.substr(0, table.find('\n')),
                          "engine,job,ranks,start_ns,duration_ns,iteration_ms,alone_iteration_ms,"
                          "slowdown,no_events_iteration_ms,events_slowdown,compute_ms,exposed_ms,"
                          "stalled_ms,idle_ms,tokens_per_s,flop_utilisation,end",
                          "head");
    for (const char* part : {"flowsim,a,2,0,", ",,,", ",1,2,", ",complete\n"})
    {
        NS_TEST_EXPECT_MSG_NE(table.find(part), std::string::npos, part << " in " << table);
    }
    report.WriteHtml(folder, {"jobs.csv"}, {"assumed: something"}, "dcn-train-sim");
    const std::string page = ReadText(folder + "/report.html");
    for (const char* part : {"assumed: something", "dcn-train-sim", "tokens_per_s"})
    {
        NS_TEST_EXPECT_MSG_NE(page.find(part), std::string::npos, part);
    }
    const auto lines =
        DcnTrainJobReport::DescribeNetwork(*DcnMakeDumbbell(4, 4), *config, Time(), false);
    NS_TEST_EXPECT_MSG_EQ(
        lines[0],
        "assumed: 8 hosts with links of 10 Gb/s; switches with hosts have 40 Gb/s "
        "to them and 10 Gb/s to other switches (oversubscription 4)",
        "network");
    for (const char* part : {"assumed: congestion control dctcp, ",
                             "packets of 1000 bytes and 48 of headers, buffers"})
    {
        NS_TEST_EXPECT_MSG_NE(lines[1].find(part), std::string::npos, lines[1]);
    }
    NS_TEST_EXPECT_MSG_EQ(
        DcnTrainJobReport::DescribeNetwork(*DcnMakeDumbbell(4, 4),
                                           *config,
                                           NanoSeconds(7),
                                           true)[1],
        "assumed: packets of 1000 bytes and 48 of headers; host latency 7 ns a message",
        "what fluids read");
}

DCN_TEST_CASE(EventTextTestCase, "link events that have no effect, or that contradict")
{
    const Ptr<DcnTopology> topology = DcnMakeDumbbell(1, 1); // hosts 0 and 1, switches 2 and 3
    const auto idle = [&topology](const std::string& text) {
        return DcnLinkEvents(text, *topology).DescribeIdle();
    };
    NS_TEST_EXPECT_MSG_EQ(idle("0-2@1us=5Gbps,2-0@2us=10Gbps,0-2@3us=fail").size(), 0, "changes");
    NS_TEST_EXPECT_MSG_EQ(idle("2@1us=5Gbps,0-2@2us=10Gbps,2@3us=10Gbps").size(),
                          0,
                          "of one cable");
    const auto lines = idle("2-0@9us=5Gbps,0-2@1us=10Gbps,0-2@2us=5Gbps,0-2@4us=fail,2@5us=repair");
    NS_TEST_ASSERT_MSG_EQ(lines.size(), 2, "in order of time");
    NS_TEST_EXPECT_MSG_EQ(lines[0],
                          "note: the link event 0-2@1us=10Gbps has no effect: the rate is so at "
                          "that time already",
                          "the rate of the topology");
    NS_TEST_EXPECT_MSG_NE(lines[1].find("2-0@9us=5Gbps"), std::string::npos, "over the failure");
    DCN_TRAIN_EXPECT_ERROR_WITH(idle("0-2@1us=5Gbps,2-0@1000ns=2Gbps"),
                                "the link events \"0-2@1us=5Gbps\" and \"2-0@1000ns=2Gbps\" set "
                                "the rate of link 2->0 at one instant: leave one out");
    const auto config = DcnNetworkConfig::Preset("dctcp");
    config->SetKeys("load_balancing=1,selective_repeat=1");
    DcnLinkEvents("0-2@1us=5Gbps", *topology).CheckPaths(*config);
    const DcnLinkEvents failure("0-2@1us=5Gbps,0-2@2us=fail", *topology);
    DCN_TRAIN_EXPECT_ERROR_WITH(failure.CheckPaths(*config),
                                "the link event \"0-2@2us=fail\": links fail only where a flow "
                                "has one path, but load_balancing is 1");
    failure.CheckPaths(*DcnNetworkConfig::Preset("dctcp"));
}

/// A graph and the failures in its run.
struct Trial
{
    std::vector<DcnTrainJob> jobs; //!< the first one on hosts 0 to 7, the other on hosts 12 to 15
    bool isQuiet;                  //!< failures come while all ranks of the first job compute
    bool isRepaired;               //!< all that fails is repaired
    std::string text;              //!< the failures
};

/// Random graphs on a fat tree of 16 hosts, in whose pods 0 and 1, and spines, links fail.
class FailureTrials
{
  public:
    /// @param seed of all that is random
    explicit FailureTrials(uint64_t seed)
        : m_draw(CreateObject<UniformRandomVariable>())
    {
        DcnRandom(seed).Assign(m_draw, DcnPurpose::LINK_DELAYS, 2);
        m_trial.isQuiet = seed % 2 == 0;
        m_trial.isRepaired = !m_trial.isQuiet && seed % 3 != 0;
        for (const bool isFirst : {true, false})
        {
            std::vector<uint32_t> hosts;
            for (uint32_t host = isFirst ? 0 : 12; host < (isFirst ? 8U : 16U); ++host)
            {
                hosts.push_back(host);
            }
            for (std::size_t left = hosts.size(); left > 1; --left)
            {
                std::swap(hosts[left - 1], hosts[Below(static_cast<uint32_t>(left))]);
            }
            const uint32_t nRanks = isFirst ? 2 + Below(7) : 4;
            hosts.resize(nRanks);
            m_trial.jobs.push_back({isFirst ? "a" : "b", Seconds(0), MakeRounds(nRanks), hosts});
        }
    }

    /**
     * @param topology the network
     * @param durationNs of the first job without failures [ns]
     * @return the trial
     */
    Trial Make(const DcnTopology& topology, int64_t durationNs)
    {
        // hosts 0 to 15, then two racks of each pod, two switches above of each pod, and spines
        std::vector<uint32_t> all;
        for (const auto& [first, last] :
             {std::pair<uint32_t, uint32_t>{0, 8}, {16, 20}, {24, 28}, {32, topology.GetNNodes()}})
        {
            for (uint32_t node = first; node < last; ++node)
            {
                all.push_back(node);
            }
        }
        const uint32_t n = 1 + Below(3);
        std::set<uint32_t> failed;
        std::set<uint32_t> cables;
        for (uint32_t i = 0; i < n; ++i)
        {
            const uint32_t node = all[Below(static_cast<uint32_t>(all.size()))];
            const int64_t timeNs = m_trial.isQuiet
                                       ? ROUND_NS * Below(N_ROUNDS) + ROUND_NS * 3 / 4
                                       : 1 + Below(static_cast<uint32_t>(durationNs * 11 / 10));
            const int64_t endNs =
                timeNs + (m_trial.isQuiet ? ROUND_NS * (1 + Below(2))
                                          : 1 + Below(static_cast<uint32_t>(durationNs)));
            const auto& links = topology.GetOutLinks(node);
            const uint32_t link = links[Below(static_cast<uint32_t>(links.size()))];
            const bool isNode = Below(3) == 0; // a switch or all NICs of a host
            const bool isSlow = Below(4) == 0;
            const bool isKnown = isNode ? !failed.insert(node).second || !cables.empty()
                                        : !cables.insert(link / 2).second || !failed.empty();
            if (isKnown)
            {
                continue; // fails already
            }
            const std::string name = isNode ? std::to_string(node)
                                            : std::to_string(topology.GetLink(link).from) + "-" +
                                                  std::to_string(topology.GetLink(link).to);
            Add(name, timeNs, isSlow ? "2.5Gbps" : "fail");
            if (m_trial.isRepaired || (!isSlow && Below(2) == 0))
            {
                Add(name, endNs, isSlow ? "10Gbps" : "repair");
            }
        }
        return m_trial;
    }

    static constexpr uint32_t N_ROUNDS = 4;        //!< of a graph
    static constexpr int64_t ROUND_NS = 1'000'000; //!< time for which ranks compute in a round

  private:
    /// @return a random number below n
    uint32_t Below(uint32_t n)
    {
        return m_draw->GetInteger(0, n - 1);
    }

    /// Adds an event.
    void Add(const std::string& name, int64_t timeNs, const std::string& what)
    {
        m_trial.text +=
            (m_trial.text.empty() ? "" : ",") + name + "@" + std::to_string(timeNs) + "ns=" + what;
    }

    /// @return rounds in which ranks compute until the same time, then exchange random messages
    std::shared_ptr<DcnTrainGraph> MakeRounds(uint32_t nRanks)
    {
        auto graph = std::make_shared<DcnTrainGraph>(nRanks);
        std::vector<uint32_t> last(nRanks, UINT32_MAX);
        for (uint32_t round = 0; round < N_ROUNDS; ++round)
        {
            std::vector<std::vector<uint32_t>> nodes(nRanks);
            for (uint32_t rank = 0; rank < nRanks; ++rank)
            {
                // the clock of a round, beside the messages of the round before
                const std::vector<uint32_t> after =
                    last[rank] == UINT32_MAX ? std::vector<uint32_t>() : std::vector{last[rank]};
                last[rank] = graph->Compute(rank, ROUND_NS, after, 7);
                nodes[rank].push_back(last[rank]);
            }
            for (uint32_t i = 0; i < 2 * nRanks; ++i)
            {
                const uint32_t rank = Below(nRanks);
                const uint32_t peer = (rank + 1 + Below(nRanks - 1)) % nRanks;
                const uint64_t bytes = 1 + Below(Below(3) == 0 ? 60'000 : 5000);
                const uint32_t tag = graph->MakeTag();
                const auto of = [&](uint32_t each) {
                    return std::vector<uint32_t>{
                        nodes[each][Below(static_cast<uint32_t>(nodes[each].size()))]};
                };
                nodes[rank].push_back(
                    graph->Send(rank, peer, bytes, tag, of(rank), Below(2), Below(2000)));
                nodes[peer].push_back(graph->Receive(peer, rank, bytes, tag, of(peer)));
            }
        }
        return graph;
    }

    Ptr<UniformRandomVariable> m_draw; //!< all that is random
    Trial m_trial;                     //!< under construction
};

/// Random failures on all engines.
class RandomFailuresTestCase : public TestCase
{
  public:
    /**
     * @param first seed of the first trial
     * @param nTrials number of trials
     */
    RandomFailuresTestCase(uint64_t first, uint64_t nTrials)
        : TestCase(std::to_string(nTrials) + " random failures"),
          m_first(first),
          m_nTrials(nTrials)
    {
    }

  private:
    void DoRun() override
    {
        uint32_t nStopped = 0;
        for (uint64_t seed = m_first; seed < m_first + m_nTrials; ++seed)
        {
            std::vector<Job> before; // first jobs, by engine
            for (const char* engine : {"packet", "flowsim", "m4"})
            {
                m_where = std::string(engine) + ", seed " + std::to_string(seed);
                FailureTrials trials(seed);
                const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
                const auto jobs = trials.Make(*topology, 1).jobs; // draws are made anew below
                const auto without = RunJobs(engine, topology, jobs, "");
                NS_TEST_ASSERT_MSG_EQ(without[0].refusal, "no error", "without, " << m_where);
                // of the packets, for all engines
                m_durationNs = before.empty() ? without[0].durationNs : m_durationNs;
                FailureTrials again(seed);
                const Trial trial = again.Make(*topology, m_durationNs);
                const auto with = RunJobs(engine, topology, trial.jobs, trial.text);
                Check(trial, with, without);
                CheckNoEffect(engine, topology, trial, without);
                nStopped += with[0].stop.sentence.empty() ? 0 : 1;
                if (trial.isQuiet && !before.empty())
                {
                    CheckAlike(with[0], before[0]);
                }
                before.push_back(with[0]);
            }
        }
        NS_TEST_EXPECT_MSG_GT(nStopped, m_nTrials / 6, "some are stopped");
        NS_TEST_EXPECT_MSG_LT(nStopped, 3 * m_nTrials / 2, "some are not");
    }

    /// Every step once, in order, or a stated end; bytes; the other job.
    void Check(const Trial& trial, const std::vector<Job>& with, const std::vector<Job>& without)
    {
        const Job& job = with[0];
        const bool isStopped = !job.stop.sentence.empty();
        const auto& graph = static_cast<DcnTrainGraph&>(*trial.jobs[0].source);
        std::size_t nNodes = 0;
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            nNodes += graph.GetNodes(rank).size();
            for (uint32_t i = 0; i < graph.GetNodes(rank).size(); ++i)
            {
                for (const uint32_t other : graph.GetNodes(rank)[i].after)
                {
                    const auto found = job.start.find({rank, i});
                    if (found != job.start.end())
                    {
                        NS_TEST_ASSERT_MSG_EQ(job.end.count({rank, other}),
                                              1,
                                              "order, " << m_where);
                        NS_TEST_EXPECT_MSG_LT_OR_EQ(job.end.at({rank, other}),
                                                    found->second,
                                                    "order, " << m_where);
                    }
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(job.nTwice, 0, "once, " << m_where);
        NS_TEST_EXPECT_MSG_EQ((job.end.size() == nNodes),
                              !isStopped,
                              "all or a stated end, " << m_where << ", " << trial.text);
        NS_TEST_EXPECT_MSG_EQ((job.refusal == "no error"), !isStopped, "refused, " << m_where);
        NS_TEST_EXPECT_MSG_EQ((isStopped && trial.isRepaired), false, "repaired, " << m_where);
        NS_TEST_EXPECT_MSG_EQ(job.sentBytes + job.stop.bytes, job.hostBytes, "bytes, " << m_where);
        NS_TEST_EXPECT_MSG_EQ(job.rankNs,
                              static_cast<int64_t>(graph.GetNRanks()) * job.durationNs,
                              "all time, " << m_where);
        NS_TEST_EXPECT_MSG_EQ((with[1].GetSteps() == without[1].GetSteps()), true, "the other job");
        int64_t furthestNs = 0;
        for (const auto& [step, ns] : with[1].end)
        {
            furthestNs = std::max(furthestNs, std::abs(ns - without[1].end.at(step)));
        }
        // m4 adds numbers up in the order of slots, which flows of both jobs have: they are rounded
        NS_TEST_EXPECT_MSG_LT_OR_EQ(furthestNs,
                                    (m_where[0] == 'm' ? 50 : 0),
                                    "the other job, " << m_where << ", " << trial.text);
    }

    /// A failure on a link that nothing uses, and one after the end, change nothing.
    void CheckNoEffect(const std::string& engine,
                       Ptr<DcnTopology> topology,
                       const Trial& trial,
                       const std::vector<Job>& without)
    {
        std::string text;
        for (uint32_t link = 0; link < topology->GetNLinks(); link += 2)
        {
            if (without[0].linkBytes[link] + without[0].linkBytes[link + 1] +
                    without[1].linkBytes[link] + without[1].linkBytes[link + 1] ==
                0)
            {
                const DcnLink& unused = topology->GetLink(link);
                const std::string name =
                    std::to_string(unused.from) + "-" + std::to_string(unused.to);
                text = name + "@1us=2.5Gbps," + name + "@200us=fail," + name + "@2ms=repair,";
                break;
            }
        }
        const int64_t endNs = std::max(without[0].durationNs, without[1].durationNs) + 1;
        text += "16@" + std::to_string(endNs) + "ns=fail";
        const auto with = RunJobs(engine, topology, trial.jobs, text);
        for (const std::size_t job : {0, 1})
        {
            NS_TEST_EXPECT_MSG_EQ((with[job].end == without[job].end),
                                  true,
                                  "no effect, " << m_where << ", " << text);
        }
    }

    /// Engines agree on the steps that are done and on the end.
    void CheckAlike(const Job& job, const Job& packets)
    {
        NS_TEST_EXPECT_MSG_EQ((job.GetSteps() == packets.GetSteps()), true, "steps, " << m_where);
        NS_TEST_EXPECT_MSG_EQ(job.stop.nMessages, packets.stop.nMessages, "waiting, " << m_where);
        NS_TEST_EXPECT_MSG_EQ(job.stop.bytes, packets.stop.bytes, "bytes, " << m_where);
        NS_TEST_EXPECT_MSG_EQ(job.stop.sentence.empty(),
                              packets.stop.sentence.empty(),
                              "an end, " << m_where);
    }

    const uint64_t m_first;   //!< first seed
    const uint64_t m_nTrials; //!< number of trials
    std::string m_where;      //!< of the present run, for messages
    int64_t m_durationNs{0};  //!< of the packets without failures [ns]
};

/// Failures in runs of dependency graphs.
class DcnTrainFailuresTestSuite : public TestSuite
{
  public:
    DcnTrainFailuresTestSuite()
        : TestSuite("dcn-train-failures", Type::UNIT)
    {
        AddTestCase(new StallTestCase);
        AddTestCase(new StopTestCase);
        AddTestCase(new ReportTestCase);
        AddTestCase(new EventTextTestCase);
        AddTestCase(new RandomFailuresTestCase(1, 40));
        AddTestCase(new RandomFailuresTestCase(41, 160),
                    DCN_TEST_EXTENSIVE(DcnTrainFailuresTestSuite));
    }
};

DcnTrainFailuresTestSuite g_dcnTrainFailuresTestSuite; //!< the suite

} // namespace
