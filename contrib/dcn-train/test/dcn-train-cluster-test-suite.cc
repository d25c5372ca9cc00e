/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Several jobs and a background on one network; placement; options.
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-train-test.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-train-cluster-options.h"
#include "ns3/dcn-train-cluster.h"
#include "ns3/dcn-train-collective.h"
#include "ns3/dcn-train-job-options.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return an all-reduce among n ranks
std::shared_ptr<DcnTrainGraph>
MakeGraph(uint32_t n, uint64_t bytes = 400'000)
{
    auto graph = std::make_shared<DcnTrainGraph>(n);
    std::vector<uint32_t> members(n);
    std::iota(members.begin(), members.end(), 0);
    DcnTrainCollective collective;
    collective.bytes = bytes;
    collective.AddTo(*graph, members);
    return graph;
}

/// What a run of jobs gave.
struct Outcome
{
    std::vector<int64_t> durationNs;              //!< by job
    std::vector<std::vector<uint64_t>> linkBytes; //!< by job and link
    DcnTrainCluster::Background background;       //!< see there
    uint64_t nCompleted{0};                       //!< flows and messages that the network completed
};

/// Runs jobs and a background on an engine.
Outcome
RunJobs(const std::string& engine,
        Ptr<DcnTopology> topology,
        const std::vector<DcnTrainJob>& jobs,
        const std::vector<DcnFlow>& background = {})
{
    DcnTrainHelper helper(engine);
    Ptr<DcnFlowNetwork> network = helper.GetNetworkHelper().Install(topology);
    Outcome outcome;
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>([&](uint64_t, Time) { ++outcome.nCompleted; }));
    DcnTrainCluster cluster;
    for (const DcnTrainJob& job : jobs)
    {
        cluster.AddJob(job);
    }
    cluster.SetBackground(background);
    uint32_t nEnds = 0;
    cluster.SetFinishCallback([&nEnds]() { ++nEnds; });
    cluster.Install(helper, network);
    cluster.Start();
    Simulator::Run(); // until the background is complete, too
    cluster.CheckFinished();
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        outcome.durationNs.push_back(cluster.GetExecutor(i)->GetDuration().GetNanoSeconds());
        outcome.linkBytes.push_back(cluster.GetExecutor(i)->GetLinkBytes());
    }
    outcome.background = cluster.GetBackground();
    cluster.Dispose();
    network->Dispose();
    Simulator::Destroy();
    return nEnds == 1 ? outcome : Outcome();
}

/// @return hosts first, first + step, ...
std::vector<uint32_t>
MakeHosts(uint32_t n, uint32_t first = 0, uint32_t step = 1)
{
    std::vector<uint32_t> hosts;
    for (uint32_t i = 0; i < n; ++i)
    {
        hosts.push_back(first + i * step);
    }
    return hosts;
}

DCN_TEST_CASE(AloneTestCase, "a job alone runs as without a cluster")
{
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
        const Outcome outcome =
            RunJobs(engine, topology, {{"a", Seconds(0), MakeGraph(16), MakeHosts(16)}});
        Ptr<DcnTrainExecutor> executor =
            DcnTrainHelper(engine).Install(DcnBuildTopology(DcnFatTreeParameters()), MakeGraph(16));
        executor->Start();
        Simulator::Run();
        executor->CheckFinished();
        NS_TEST_ASSERT_MSG_EQ(outcome.durationNs.size(), 1, "one end on " << engine);
        NS_TEST_EXPECT_MSG_EQ(outcome.durationNs[0],
                              executor->GetDuration().GetNanoSeconds(),
                              "duration on " << engine);
        NS_TEST_EXPECT_MSG_EQ((outcome.linkBytes[0] == executor->GetLinkBytes()),
                              true,
                              "links on " << engine);
        executor->Dispose();
        Simulator::Destroy();
    }
}

/// Two jobs on pods of their own do not meet; on hosts in turn they share the links of racks, and
/// both are slower; all bytes arrive.
DCN_TEST_CASE(MeetTestCase, "jobs that share links slow each other down")
{
    for (const char* engine : {"packet", "flowsim"})
    {
        const Ptr<DcnTopology> topology = DcnMakeDumbbell(4, 4);
        const auto run =
            [&](const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, int64_t startNs) {
                return RunJobs(engine,
                               topology,
                               {{"a", Seconds(0), MakeGraph(4), a},
                                {"b", NanoSeconds(startNs), MakeGraph(4, 200'000), b}});
            };
        // hosts 0 to 3 at the left, 4 to 7 at the right, one link between them
        const Outcome apart = run(MakeHosts(4), MakeHosts(4, 4), 0);
        const Outcome mixed = run({0, 4, 1, 5}, {2, 6, 3, 7}, 0);
        const Outcome later = run({0, 4, 1, 5}, {2, 6, 3, 7}, 1'000'000'000);
        NS_TEST_ASSERT_MSG_EQ(later.durationNs.size(), 2, "ended on " << engine);
        for (const std::size_t job : {0, 1})
        {
            NS_TEST_EXPECT_MSG_GT(mixed.durationNs[job],
                                  later.durationNs[job],
                                  "slower by the other job on " << engine);
            NS_TEST_EXPECT_MSG_GT(later.durationNs[job],
                                  apart.durationNs[job],
                                  "slower by the link in the middle on " << engine);
            NS_TEST_EXPECT_MSG_EQ((mixed.linkBytes[job] == later.linkBytes[job]),
                                  true,
                                  "equal paths on " << engine);
            // each link of a ring's rank carries 2 (n - 1) / n S: one host sends it
            const uint64_t bytes = job == 0 ? 600'000 : 300'000;
            const uint32_t host = topology->GetHosts()[job == 0 ? 0 : 2];
            NS_TEST_EXPECT_MSG_EQ(mixed.linkBytes[job][topology->GetOutLinks(host)[0]],
                                  bytes,
                                  "all bytes on " << engine);
        }
        NS_TEST_EXPECT_MSG_EQ(mixed.nCompleted, 2 * 4 * 6, "messages complete once on " << engine);
    }
}

/// A background slows a job down; all of its flows arrive.
DCN_TEST_CASE(BackgroundTestCase, "a job beside other flows")
{
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
        DcnWorkloadSpec spec;
        spec.load = 0.4;
        spec.nFlows = 0;
        spec.durationNs = 2'000'000;
        const auto flows = DcnWorkload::Generate(topology, spec).flows;
        const std::vector<DcnTrainJob> jobs = {
            {"a", MicroSeconds(200), MakeGraph(16, 1'000'000), MakeHosts(16)}};
        const Outcome alone = RunJobs(engine, topology, jobs);
        const Outcome beside = RunJobs(engine, topology, jobs, flows);
        NS_TEST_ASSERT_MSG_EQ(beside.durationNs.size(), 1, "ended on " << engine);
        NS_TEST_EXPECT_MSG_GT(beside.durationNs[0], alone.durationNs[0], "slower on " << engine);
        const auto& background = beside.background;
        NS_TEST_EXPECT_MSG_GT(background.nFlows, 50, "flows on " << engine);
        NS_TEST_EXPECT_MSG_EQ(background.nFinished, background.nFlows, "all flows on " << engine);
        NS_TEST_EXPECT_MSG_EQ(background.finishedBytes, background.bytes, "all bytes " << engine);
        NS_TEST_EXPECT_MSG_EQ(beside.nCompleted, flows.size() + 16 * 30, "all on " << engine);
    }
}

DCN_TEST_CASE(PlacementTestCase, "hosts of jobs")
{
    const std::vector<uint32_t> groups = {0, 0, 0, 1, 1, 1, 2, 2};
    DcnTrainPlacement placement(groups, 1);
    using Hosts = std::vector<uint32_t>;
    NS_TEST_EXPECT_MSG_EQ((placement.Offer("packed") == MakeHosts(8)), true, "packed");
    NS_TEST_EXPECT_MSG_EQ((placement.Offer("spread") == Hosts{0, 3, 6, 1, 4, 7, 2, 5}),
                          true,
                          "spread");
    NS_TEST_EXPECT_MSG_EQ((placement.Offer("6-7+0") == Hosts{6, 7, 0}), true, "given");
    const Hosts random = placement.Offer("random");
    NS_TEST_EXPECT_MSG_EQ((random == placement.Offer("random")), true, "reproducible");
    NS_TEST_EXPECT_MSG_EQ((std::set<uint32_t>(random.begin(), random.end()).size()), 8, "all");
    NS_TEST_EXPECT_MSG_EQ((random == DcnTrainPlacement(groups, 2).Offer("random")),
                          false,
                          "another seed");
    placement.Take({3, 0});
    NS_TEST_EXPECT_MSG_EQ((placement.Offer("packed") == Hosts{1, 2, 4, 5, 6, 7}), true, "free");
    NS_TEST_EXPECT_MSG_EQ((placement.Offer("spread") == Hosts{1, 4, 6, 2, 5, 7}), true, "spread");
    DCN_TRAIN_EXPECT_ERROR_WITH(placement.Offer("2-4"),
                                "the placement 2-4 has host 3, which another job has");
    DCN_TRAIN_EXPECT_ERROR_WITH(placement.Offer("1+1"), "the placement 1+1 has host 1 twice");
    for (const char* rule : {"dense", "7-8", "3-1", "", "1-2-3"})
    {
        DCN_TRAIN_EXPECT_ERROR_WITH(
            placement.Offer(rule),
            "a placement is packed, spread, random or hosts from 0 to 7 such as "
            "8-15+0, but it is");
    }
    DcnTrainCluster cluster;
    cluster.AddJob({"a", Seconds(0), MakeGraph(2), {0, 1}});
    DCN_TRAIN_EXPECT_ERROR_WITH(cluster.AddJob({"b", Seconds(0), MakeGraph(2), {2, 1}}),
                                "the jobs a and b share host 1");
    DCN_TRAIN_EXPECT_ERROR_WITH(cluster.AddJob({"a", Seconds(0), MakeGraph(2), {2, 3}}),
                                "two jobs have the name a");
    DCN_TRAIN_EXPECT_ERROR_WITH(cluster.AddJob({"c", Seconds(0), MakeGraph(2), {2}}),
                                "the job c has 2 ranks, but 1 hosts");
}

/// Makes a job on 16 hosts; returns lines on it.
std::vector<std::string>
MakeJob(const std::string& keys)
{
    DcnRecipe options(DcnTrainJobOptions::GetKeys(), "a job");
    options.SetAll(keys);
    options.CheckEffects();
    DcnTrainServers servers;
    servers.serverOf = MakeHosts(16);
    servers.nicGbps = 10;
    std::vector<std::string> notes;
    DcnTrainJobOptions::MakeWork(options, servers, notes);
    return notes;
}

DCN_TEST_CASE(EffectsTestCase, "keys of jobs without effect are refused with the reason")
{
    const std::string goal = CreateTempDirFilename("a.goal");
    std::ofstream(goal) << "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\n"
                           "rank 1 {\nl1: recv 8b from 0 tag 0\n}\n";
    const std::string model = "model=llama2-7b,modelLayers=2";
    for (const auto& [keys, part] :
         {std::pair<std::string, std::string>(
              "collective=all-to-all,algorithm=ring",
              "algorithm=ring has no effect with collective=all-to-all"),
          {"allToAll=direct", "allToAll=direct has no effect with collective=all-reduce"},
          {"root=1", "root=1 has no effect with collective=all-reduce"},
          {"peakFlops=1e12", "peakFlops=1e12 has no effect without model"},
          {"iterations=1", "iterations=1 has no effect without model"},
          {model + ",algorithm=ring", "algorithm=ring has no effect with tensor=1"},
          {model + ",shard=true", "shard=true has no effect with data=1"},
          {model + ",ranks=2", "ranks=2 has no effect with model=llama2-7b"},
          {model + ",data=2,allToAll=direct", "allToAll=direct has no effect with expert=1"},
          {model + ",groupSize=2", "groupSize=2 has no effect with model=llama2-7b"},
          {model + ",bytes=1e6", "bytes=1e6 has no effect with model=llama2-7b"},
          {"goal=" + goal + ",channels=2", "channels=2 has no effect with goal=" + goal},
          {"goal=" + goal + ",protocols=nccl", "protocols=nccl has no effect with goal="},
          {"bytes=1.5", "bytes must be a whole number, but it is 1.5"},
          {"bytes=", "the key \"bytes\" has no value"},
          {"bytes=1e6,bytes=2e6", "the key \"bytes\" is given twice"}})
    {
        DCN_TRAIN_EXPECT_ERROR_WITH(MakeJob(keys), part);
    }
    for (const std::string& keys : {std::string("collective=all-to-all,allToAll=direct"),
                                    std::string("algorithm=ring,channels=2,bytes=1e6"),
                                    model + ",data=2,algorithm=ring,shard=true,iterations=2",
                                    "goal=" + goal})
    {
        DCN_TEST_EXPECT_ERROR(MakeJob(keys), "no error");
    }
}

DCN_TEST_CASE(TraceEffectsTestCase, "options that a trace does not use are named")
{
    using Lines = std::vector<std::string>;
    const std::string trace = "chakra=" + DcnDataPath("samples/chakra/all-reduce");
    const std::size_t nFields = MakeJob(trace).size(); // of the files, without effect
    const auto listUnused = [&](const std::string& keys) {
        Lines lines = MakeJob(trace + "," + keys);
        lines.resize(lines.size() - nFields);
        return lines;
    };
    NS_TEST_EXPECT_MSG_EQ(listUnused("algorithm=ring,channels=2").size(), 0, "all is read");
    NS_TEST_EXPECT_MSG_EQ(
        (listUnused("algorithm=halving-doubling,allToAll=hierarchical,groupSize=2,peakFlops=1e12") ==
         Lines{"ignored: allToAll=hierarchical: there is no all-to-all",
               "ignored: groupSize=2: no collective has groups",
               "ignored: peakFlops=1e12: no computation is given in FLOP"}),
        true,
        "of an all-reduce with durations");
    NS_TEST_EXPECT_MSG_EQ(listUnused("algorithm=hierarchical,groupSize=2").size(), 0, "groups");
    const std::string path = CreateTempDirFilename("layers");
    const auto layers = [&path](const std::string& communication, const std::string& keys) {
        std::ofstream(path) << "DATA all_gpus: 4\n1\na -1 1 NONE 0 1 NONE 0 1 " << communication
                            << " 1\n";
        return MakeJob("layers=" + path + "," + keys);
    };
    NS_TEST_EXPECT_MSG_EQ(layers("ALLTOALL 64", "allToAll=direct").size(), 0, "an all-to-all");
    NS_TEST_EXPECT_MSG_EQ((layers("ALLTOALL 64", "algorithm=ring,chunks=2") ==
                           Lines{"ignored: algorithm=ring: there is no collective but all-to-all"}),
                          true,
                          "nothing else");
    NS_TEST_EXPECT_MSG_EQ((layers("NONE 0", "channels=2,groupSize=2,algorithm=hierarchical") ==
                           Lines{"ignored: algorithm=hierarchical: there is no collective but "
                                 "all-to-all",
                                 "ignored: groupSize=2: no collective has groups",
                                 "ignored: channels=2: there is no collective"}),
                          true,
                          "no communication");
}

DCN_TEST_CASE(OptionsTestCase, "jobs and backgrounds as text")
{
    DcnTrainNetworkOptions::Network network;
    network.topology = DcnBuildTopology(DcnFatTreeParameters()); // 16 hosts
    network.config = DcnNetworkConfig::Preset("dctcp");
    network.servers.serverOf = MakeHosts(16);
    network.servers.nicGbps = 10;
    std::vector<std::string> unused;
    const auto make = [&](const std::string& text) {
        return DcnTrainClusterOptions::MakeJobs(text, network, std::nullopt, unused);
    };
    const auto jobs = make("bytes=1e6,ranks=4,placement=spread;name=b,start=2ms,bytes=1e6,ranks=3");
    NS_TEST_ASSERT_MSG_EQ(jobs.size(), 2, "jobs");
    NS_TEST_EXPECT_MSG_EQ(jobs[0].name, "job0", "its name");
    NS_TEST_EXPECT_MSG_EQ((jobs[0].hosts == MakeHosts(4, 0, 2)), true, "a host of each rack");
    NS_TEST_EXPECT_MSG_EQ((jobs[1].hosts == std::vector<uint32_t>{1, 3, 5}), true, "free ones");
    NS_TEST_EXPECT_MSG_EQ(jobs[1].start, MilliSeconds(2), "start");
    NS_TEST_EXPECT_MSG_EQ(jobs[1].source->GetNRanks(), 3, "ranks");
    const std::string path = CreateTempDirFilename("jobs.txt");
    std::ofstream(path) << "# two jobs\n\nranks=4\n  ranks=12 \r\n";
    NS_TEST_EXPECT_MSG_EQ(make(path).size(), 2, "lines of a file");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=9;ranks=8"),
                                "--ranks=8 is more than the 7 free hosts of 16: take a larger");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=17"), "--ranks=17 is more than the 16 hosts: take");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=3,placement=8-9"),
                                "--ranks=3 is more than the 2 hosts of placement=8-9: take");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=4,names=b"), "names");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=4,name=../b"),
                                "job 0 of --jobs: a name has 1 to 64 letters");
    for (const char* name : {"jobs.csv", "run.json"})
    {
        DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=4,name=" + std::string(name)),
                                    "job 0 of --jobs: the run writes a file " + std::string(name));
    }
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=4,name=a;ranks=4,name=a"),
                                "job 1 of --jobs: two jobs have the name a");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=4,name=job1;ranks=4"),
                                "job 1 of --jobs: two jobs have the name job1");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("name=a,bytes=1e6:2e6,ranks=4"),
                                "job 0 of --jobs: bytes=1e6:2e6 has several values");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=4;start=1ms+2ms,ranks=4"),
                                "job 1 of --jobs: start=1ms+2ms has several values");
    DCN_TRAIN_EXPECT_ERROR_WITH(make(CreateTempDirFilename("")),
                                " is a folder, but a file with a job a line is expected");
    std::ofstream(path) << "\xef\xbb\xbfname=windows,ranks=4\r\n";
    NS_TEST_EXPECT_MSG_EQ(make(path).at(0).name, "windows", "a byte order mark");
    std::ofstream(path) << "\xff\xfe#\n";
    DCN_TRAIN_EXPECT_ERROR_WITH(make(path), path + ":1: the file is in UTF-16: save it as UTF-8");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ranks=4,placement=8-15"),
                                "job 0 of --jobs: placement=8-15 has 8 hosts, but the job has 4 "
                                "ranks: name as many hosts");
    NS_TEST_EXPECT_MSG_EQ(make("placement=8-15").at(0).source->GetNRanks(), 8, "all of them");
    DCN_TRAIN_EXPECT_ERROR_WITH(
        DcnTrainClusterOptions::MakeJobs("ranks=4,placement=spread", network, 3, unused),
        "--placementSeed=3 has no effect: no job has placement=random");
    NS_TEST_EXPECT_MSG_EQ(
        DcnTrainClusterOptions::MakeJobs("ranks=4,placement=random", network, 3, unused).size(),
        1,
        "a seed that is used");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("algorithm=auto"), "--algorithm=auto has an effect with");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("nothing"), "--jobs must be keys of jobs such as");
    const auto flows = DcnTrainClusterOptions::MakeBackground(
        "sizes=web-server,load=0.2,duration=2ms,start=1ms,seed=3",
        network);
    NS_TEST_ASSERT_MSG_GT(flows.size(), 10, "flows");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(flows.front().startNs, 1'000'000, "begin");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(flows.back().startNs, 3'000'000, "end");
    NS_TEST_EXPECT_MSG_EQ(DcnTrainClusterOptions::MakeBackground("", network).size(), 0, "none");
    DCN_TRAIN_EXPECT_ERROR_WITH(DcnTrainClusterOptions::MakeBackground("load=2", network), "load");
    for (const char* value : {"load=0.2+0.4", "load=0.1:0.5", "duration=1ms:2ms", "sigma=0:1"})
    {
        DCN_TRAIN_EXPECT_ERROR_WITH(DcnTrainClusterOptions::MakeBackground(value, network),
                                    "--background: " + std::string(value) + " has several values");
    }
}

DcnTestSuite<AloneTestCase,
             MeetTestCase,
             BackgroundTestCase,
             PlacementTestCase,
             EffectsTestCase,
             TraceEffectsTestCase,
             OptionsTestCase>
    g_dcnTrainClusterTestSuite("dcn-train-cluster"); //!< the suite

} // namespace
