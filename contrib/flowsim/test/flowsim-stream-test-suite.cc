/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulation/flowsim-estimator.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-workload.h"
#include "ns3/flowsim-stream.h"
#include "ns3/uinteger.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param nFlows number of flows
 * @param seed of the flows
 * @return web-server flows on the 32-host fabric, with a small window
 */
Ptr<const DcnScenario>
MakeFabric(uint64_t nFlows, uint64_t seed)
{
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    spec.seed = seed;
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = 9000;
    return DcnMakeTestScenario(spec, network);
}

/// @return the sentence, without what stands before the last '/'
std::string
SentenceOf(const std::function<void()>& action)
{
    const std::string sentence = DcnSentenceOf(action);
    return sentence.substr(sentence.rfind('/') + 1);
}

/// A scenario read and written flow by flow.
DCN_TEST_CASE(StreamTestCase, "A streamed scenario gives what the estimator gives")
{
    const std::string folder = CreateTempDirFilename("stream");
    const std::string out = folder + "/fct.csv";
    Ptr<const DcnScenario> scenario = MakeFabric(5000, 1);
    DcnWriteScenario(*scenario, folder);
    for (bool windowCap : {false, true})
    {
        FlowsimOptions options;
        options.windowCap = windowCap;
        options.linkEfficiency = 0.9;
        const FlowsimStatistics statistics = FlowsimStreamScenario(folder, out, options);
        Ptr<DcnEstimator> method = DcnEstimator::CreateByName(
            std::string("flowsim:LinkEfficiency=0.9:WindowCap=") + (windowCap ? "1" : "0"));
        const auto fctNs = method->Estimate(scenario).fctNs;
        DcnCsvReader csv(out,
                         {"flow_id",
                          "src",
                          "dst",
                          "size_bytes",
                          "start_ns",
                          "path_hops",
                          "ideal_ns",
                          "flowsim_fct_ns"});
        std::vector<bool> isThere(fctNs.size(), false);
        while (csv.FetchRow())
        {
            const uint64_t id = csv.GetUint(0); // ids of generated flows are their indices
            const DcnFlow& flow = scenario->GetFlows()[id];
            NS_TEST_ASSERT_MSG_EQ(isThere[id], false, "flow " << id << " once");
            isThere[id] = true;
            NS_TEST_EXPECT_MSG_EQ(csv.GetUint(1), flow.src, "src of flow " << id);
            NS_TEST_EXPECT_MSG_EQ(csv.GetUint(2), flow.dst, "dst of flow " << id);
            NS_TEST_EXPECT_MSG_EQ(csv.GetUint(3), flow.sizeBytes, "size of flow " << id);
            NS_TEST_EXPECT_MSG_EQ(csv.GetInt(4), flow.startNs, "start of flow " << id);
            NS_TEST_EXPECT_MSG_EQ(csv.GetUint(5), scenario->GetPath(id).size(), "hops");
            NS_TEST_EXPECT_MSG_EQ(csv.GetInt(6),
                                  scenario->GetIdealFct(id).GetTotalNs(),
                                  "ideal of flow " << id);
            NS_TEST_EXPECT_MSG_EQ(csv.GetInt(7), fctNs[id], "completion of flow " << id);
        }
        NS_TEST_EXPECT_MSG_EQ((isThere == std::vector<bool>(fctNs.size(), true)), true, "all");
        NS_TEST_EXPECT_MSG_EQ(statistics.nFlows, fctNs.size(), "flows");
        NS_TEST_EXPECT_MSG_EQ(statistics.nEvents, 2 * fctNs.size(), "events");
        NS_TEST_EXPECT_MSG_LT(statistics.maxActive, fctNs.size() / 4, "held at once");
    }
}

DCN_TEST_CASE(StreamRefusalTestCase,
              "What cannot be streamed is refused, and no file is left behind")
{
    // Checks that a scenario is refused.
    const auto expectRefusal = [&](const std::string& flows,
                                   const std::string& paths,
                                   const std::string& sentence) {
        const std::string folder = CreateTempDirFilename("refused");
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        std::ofstream(folder + "/nodes.csv") << "node_id,kind\n0,host\n1,host\n2,switch\n";
        std::ofstream(folder + "/links.csv")
            << "a,b,rate_bps,delay_ns\n0,2,10000000000,1000\n1,2,10000000000,1000\n";
        std::ofstream(folder + "/network.csv") << "key,value\ncc,dctcp\n";
        std::ofstream(folder + "/flows.csv") << "flow_id,src,dst,size_bytes,start_ns\n" << flows;
        std::ofstream(folder + "/paths.csv") << "flow_id,path\n" << paths;
        const std::string out = folder + "/fct.csv";
        NS_TEST_EXPECT_MSG_EQ(SentenceOf([&]() { FlowsimStreamScenario(folder, out); }),
                              sentence,
                              "sentence");
        std::size_t nFiles = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            nFiles += entry.is_regular_file() ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(nFiles, (sentence == "no error" ? 6 : 5), "files in the folder");
    };
    const std::string good = "5,0,1,1000,0\n7,1,0,1000,10\n";
    expectRefusal(good, "5,0-2-1\n7,1-2-0\n", "no error");
    expectRefusal(good, "7,1-2-0\n", "no error");
    expectRefusal("", "", "flows.csv: the file has no flow");
    expectRefusal("5,0,1,1000,10\n7,1,0,1000,9\n",
                  "",
                  "flows.csv:3: flow 7 starts at 9 ns, before the flow above; flows must be in "
                  "order of start to be read flow by flow");
    expectRefusal(good,
                  "7,1-2-0\n5,0-2-1\n",
                  "paths.csv:3: flow_id 5 is no flow of the scenario, or its path is not in "
                  "the order of flows.csv, as it must be to be read flow by flow");
    expectRefusal(good,
                  "5,0-1\n",
                  "paths.csv:2: the path of flow 5 goes from 0 to 1, but no "
                  "link joins them");
    expectRefusal("5,0,2,1000,0\n", "", "flows.csv:2: flow 5 ends at 2, which is a switch");
    expectRefusal("5,0,3,1000,0\n", "", "flows.csv:2: node 3 is not in nodes.csv");
    expectRefusal("5,0,1,0,0\n", "", "flows.csv:2: flow 5 has the size 0");
    NS_TEST_EXPECT_MSG_EQ(SentenceOf([]() { FlowsimStreamScenario("nowhere", "out.csv"); }),
                          "nowhere: there is no such scenario directory",
                          "sentence");
}

/// Scenarios on several threads.
DCN_TEST_CASE(ThreadsTestCase, "Estimates do not depend on the number of threads")
{
    std::vector<Ptr<const DcnScenario>> scenarios;
    for (uint64_t seed = 1; seed <= 9; seed++)
    {
        scenarios.push_back(MakeFabric(500 * seed, seed));
    }
    scenarios.push_back(scenarios.front()); // the same object on two threads
    Ptr<FlowsimEstimator> flowsim = CreateObject<FlowsimEstimator>();
    flowsim->SetWeight([](const DcnFlow& flow) { return flow.id % 5 == 0 ? 2.5 : 1.0; });
    std::vector<std::vector<int64_t>> expected;
    for (const auto& scenario : scenarios)
    {
        expected.push_back(flowsim->Estimate(scenario).fctNs);
    }
    for (uint32_t nThreads : {1, 2, 5, 0})
    {
        const auto estimates = flowsim->EstimateAll(scenarios, nThreads);
        NS_TEST_ASSERT_MSG_EQ(estimates.size(), scenarios.size(), "estimates");
        for (std::size_t i = 0; i < estimates.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ((estimates[i].fctNs == expected[i]),
                                  true,
                                  "scenario " << i << ", " << nThreads << " threads");
            NS_TEST_EXPECT_MSG_EQ(estimates[i].method, "flowsim", "method");
        }
    }
    flowsim->SetAttribute("InFlightPerRack", UintegerValue(1));
    DCN_TEST_EXPECT_ERROR(
        flowsim->EstimateAll(scenarios, 2),
        "the method \"flowsim\" estimates closed loops one by one, not several at once");
}

/// Tests of streaming and of threads.
DcnTestSuite<StreamTestCase, StreamRefusalTestCase, ThreadsTestCase> g_flowsimStreamTestSuite(
    "flowsim-stream");

} // namespace
