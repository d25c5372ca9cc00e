/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/dcn-path-estimator.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator-helper.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-topology.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param nFlows number of flows
 * @return flows of the 16-host fabric
 */
Ptr<const DcnScenario>
MakeFabricScenario(uint64_t nFlows)
{
    DcnFabricParameters parameters;
    parameters.racksPerPod = 2;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    return DcnMakeTestScenario(topology, DcnTestWorkload(nFlows, "google-rpc"));
}

/// @return the estimate
DcnEstimate
Estimate(Ptr<const DcnScenario> scenario, const std::string& name)
{
    DcnEstimate estimate = DcnEstimator::CreateByName(name)->Estimate(scenario);
    Simulator::Destroy();
    return estimate;
}

/// A path that shares no link with other flows is the same alone as in the network.
DCN_TEST_CASE(IsolatedTestCase,
              "an isolated path has exactly the completion times of the packet engine")
{
    // one way only between two hosts, so that a pair of hosts is a path
    DcnFabricParameters parameters;
    parameters.fabricsPerPod = 1;
    parameters.spinesPerPlane = 1;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 60; ++i)
    {
        // between pods, in a pod of which the first uses other links, and in a rack
        const uint32_t src = i % 3 == 0 ? 0 : i % 3 == 1 ? 8 : 20;
        const uint32_t dst = i % 3 == 0 ? 17 : i % 3 == 1 ? 12 : 21;
        flows.push_back({i, src, dst, 500 + 7777 * i, 3000 * i});
    }
    for (const char* cc : {"dctcp", "hpcc", "timely", "dcqcn"})
    {
        Ptr<const DcnScenario> scenario =
            DcnScenario::Create(topology, DcnNetworkConfig::Preset(cc), flows);
        const DcnEstimate whole = Estimate(scenario, "packet");
        // the whole time, and windows that reach back to the first flow
        for (const std::string hosts : {"Host:WarmUp=0s", "Host", "CrossTraffic"})
        {
            const DcnEstimate paths = Estimate(scenario, "ns3-path:NPaths=0:Jobs=2:Hosts=" + hosts);
            NS_TEST_ASSERT_MSG_EQ(paths.GetNFinished(), flows.size(), hosts);
            // each path once, or once for each of its flows, with those that came before
            const bool once = hosts.find("WarmUp=0s") != std::string::npos;
            const bool isWhole =
                paths.provenance.find(" 100 % of the packet transmissions") != std::string::npos;
            const bool isMore =
                paths.provenance.find("whole network, which may cost less") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isWhole, once, paths.provenance);
            NS_TEST_EXPECT_MSG_EQ(isMore, !once, paths.provenance);
            for (std::size_t i = 0; i < flows.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(paths.fctNs[i],
                                      whole.fctNs[i],
                                      cc << ", " << hosts << ", flow " << i);
            }
        }
    }
}

/// Attributes of the methods that it asks follow slashes, and values may have slashes.
DCN_TEST_CASE(NestedTestCase, "attributes of the methods that ns3-path asks")
{
    for (const std::string attribute : {"Engine", "PreEstimate"})
    {
        const std::string sentence = DcnSentenceOf([&]() {
            DcnEstimator::CreateByName("ns3-path:" + attribute + "=flowsim/WindowCap=//a//b")
                ->GetInputFiles();
        });
        NS_TEST_EXPECT_MSG_EQ(
            sentence.find("the attribute WindowCap of the method \"flowsim\" cannot be \"/a/b\""),
            0,
            sentence);
    }
}

/// With all paths, samples are the slowdowns of all flows, each of weight 1.
DCN_TEST_CASE(AllPathsTestCase, "all paths give the whole distribution; jobs do not matter")
{
    Ptr<const DcnScenario> scenario = MakeFabricScenario(300);
    const std::string engine = "packet";
    const DcnEstimate all = Estimate(scenario, "ns3-path:NPaths=0:Jobs=2:Engine=" + engine);
    NS_TEST_ASSERT_MSG_EQ(all.samples.size(), scenario->GetFlows().size(), "all flows");
    double bytes = 0;
    for (const auto& sample : all.samples)
    {
        NS_TEST_EXPECT_MSG_EQ(sample.weight, 1, "each flow stands for itself");
        bytes += static_cast<double>(sample.sizeBytes);
    }
    for (const DcnFlow& flow : scenario->GetFlows())
    {
        bytes -= static_cast<double>(flow.sizeBytes);
    }
    NS_TEST_EXPECT_MSG_EQ(bytes, 0, "their sizes");

    const std::string some = "ns3-path:NPaths=20:Engine=" + engine;
    for (const std::string sampling :
         {":Sampling=Flows:WholeAbove=1000000", ":Sampling=Systematic", ":Sampling=Replacement"})
    {
        const DcnEstimate one = Estimate(scenario, some + sampling + ":Jobs=1");
        const DcnEstimate three = Estimate(scenario, some + sampling + ":Jobs=3");
        NS_TEST_EXPECT_MSG_EQ((one.fctNs == three.fctNs), true, "any number of processes");
        double weight = 0;
        for (std::size_t i = 0; i < one.samples.size(); ++i)
        {
            weight += one.samples[i].weight;
        }
        if (sampling.find("Flows") ==
            std::string::npos) // there in expectation only, see dcn-path-window
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(weight, 300, 1e-6, "the samples stand for all flows");
        }
        for (std::size_t i = 0; i < one.fctNs.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(
                (one.fctNs[i] == DcnEstimate::UNFINISHED || one.fctNs[i] == all.fctNs[i]),
                true,
                "a path's results do not depend on which others are drawn");
        }
    }
}

/// Where the paths would hold more packets than the network, the network is simulated.
DCN_TEST_CASE(WholeTestCase, "the whole network in place of paths")
{
    Ptr<const DcnScenario> scenario = MakeFabricScenario(400);
    const std::string engine = "packet";
    const std::string method =
        "ns3-path:NPaths=400:PreEstimate=flowsim:Engine=" + engine + ":WholeAbove=";
    const DcnEstimate paths = Estimate(scenario, method + "1000000");
    NS_TEST_ASSERT_MSG_GT(paths.samples.size(), 200, "drawn flows");
    const std::size_t word = paths.provenance.find("at most ");
    NS_TEST_ASSERT_MSG_NE(word, std::string::npos, "says what was simulated");
    const double share = std::stod(paths.provenance.substr(word + 8)) / 100;

    const DcnEstimate same = Estimate(scenario, method + std::to_string(2 * share));
    NS_TEST_EXPECT_MSG_EQ((same.fctNs == paths.fctNs), true, "paths cost less");
    const DcnEstimate whole = Estimate(scenario, method + std::to_string(share / 2) + ":Jobs=3");
    NS_TEST_EXPECT_MSG_EQ((whole.fctNs == Estimate(scenario, engine).fctNs),
                          true,
                          "what the engine says of every flow");
    NS_TEST_EXPECT_MSG_EQ(whole.samples.size(), 0, "each flow stands for itself");
    const std::string few = "ns3-path:NPaths=9:PreEstimate=flowsim:WholeAbove=0:Engine=" + engine;
    NS_TEST_EXPECT_MSG_EQ((Estimate(scenario, few).fctNs == whole.fctNs), true, "few paths");
    const DcnEstimate small = Estimate(scenario, "ns3-path:NPaths=9:Engine=" + engine);
    NS_TEST_EXPECT_MSG_EQ((small.fctNs == whole.fctNs), true, "a small network, at once");
    NS_TEST_EXPECT_MSG_NE(small.provenance.find("a choice of paths would cost more"),
                          std::string::npos,
                          small.provenance);
    NS_TEST_EXPECT_MSG_EQ(whole.provenance.find(engine + ", the whole network"), 0, "is said");
    // and it is no accuracy of paths: the engine is the truth here
    NS_TEST_EXPECT_MSG_EQ(whole.answeredBy, engine, "who answered");
    NS_TEST_EXPECT_MSG_EQ(paths.answeredBy + same.answeredBy, "", "paths did");
    NS_TEST_EXPECT_MSG_EQ(whole.jobs, 3, "processes that it could use");
    DcnFctTable table(scenario);
    table.Add(Estimate(scenario, engine));
    table.Add(whole);
    table.Add(paths);
    bool hasRows = false;
    for (const auto& row : table.GetSummary())
    {
        const bool isFlowError = row.metric.find("flow_error") != std::string::npos;
        if (row.method == whole.method)
        {
            hasRows = hasRows || row.metric == "p99_slowdown";
            NS_TEST_EXPECT_MSG_EQ(std::isnan(row.relativeError), true, row.metric);
            NS_TEST_EXPECT_MSG_EQ(std::isnan(row.value), isFlowError, row.metric);
            NS_TEST_EXPECT_MSG_EQ(row.answeredBy, engine, row.metric);
        }
        if (row.method == paths.method && row.metric == "p99_slowdown" && row.sizeClass == "all")
        {
            NS_TEST_EXPECT_MSG_EQ(std::isnan(row.relativeError), false, "paths have errors");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(hasRows, true, "rows of the whole network");
}

/// Attributes that mean nothing are refused.
DCN_TEST_CASE(UnmodelledTestCase, "keys that the packets of paths do not model are listed")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 5000, 0}, {1, 1, 2, 5000, 0}},
                                            "handshake_rtts=1,header_bytes=54");
    for (const std::string wholeAbove : {"0", "1000000"}) // the whole network; paths
    {
        const std::string text =
            Estimate(scenario, "ns3-path:PreEstimate=flowsim:NPaths=2:WholeAbove=" + wholeAbove)
                .provenance;
        const std::string end = "; not modelled: handshake_rtts";
        NS_TEST_EXPECT_MSG_EQ((text.size() > end.size() &&
                               text.substr(text.size() - end.size()) == end),
                              true,
                              text);
    }
}

DCN_TEST_CASE(AttributeTestCase, "attributes that mean nothing")
{
    DCN_TEST_EXPECT_ERROR(DcnEstimator::CreateByName("ns3-path:Sampling=all"),
                          "the attribute Sampling of the method \"ns3-path\" is Flows, "
                          "Systematic or Replacement, not \"all\"");
    DCN_TEST_EXPECT_ERROR(
        Estimate(MakeFabricScenario(10), "ns3-path:PreEstimate=flowsim/WindowCup=true"),
        "the method \"flowsim\" has no attribute \"WindowCup\"; it has: WindowCap, "
        "LinkEfficiency, IdleTimes, InFlightPerRack");
    DCN_TEST_EXPECT_ERROR(DcnEstimator::CreateByName("ns3-path:Hosts=none"),
                          "the attribute Hosts of the method \"ns3-path\" is Host or "
                          "CrossTraffic, not \"none\"");
    for (const auto& [attributes, without] : std::vector<std::pair<std::string, std::string>>{
             {"WarmUp=0s", "Hosts=CrossTraffic (the default) # WarmUp=0s; set Hosts=Host"},
             {"Hosts=Host:WarmUp=0s:Sampling=Systematic:PreEstimate=flowsim/WindowCap=true",
              "PreEstimate # WarmUp=0s where no flows are drawn"},
             {"NPaths=0:WholeAbove=2", "WholeAbove # NPaths=0, WarmUp=0s or drawn paths"},
             {"NPaths=0:Seed=7", "Seed # NPaths=0"},
             {"NPaths=0:Sampling=Replacement", "Sampling=Replacement # NPaths=0"}})
    {
        const std::size_t mark = without.find('#');
        DCN_TEST_EXPECT_ERROR(Estimate(MakeFabricScenario(10), "ns3-path:" + attributes),
                              "the attribute " + without.substr(0, mark) +
                                  "of the method \"ns3-path\" has no effect with" +
                                  without.substr(mark + 1));
    }
}

/// The helper is a factory of the method.
DCN_TEST_CASE(HelperTestCase, "the helper makes the method")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 30'000, 0}, {1, 1, 3, 30'000, 0}});
    DcnEstimatorHelper helper("ns3-path");
    helper.SetAttribute("NPaths", UintegerValue(0));
    const DcnEstimate answer = helper.Estimate(scenario);
    const DcnEstimate byName = DcnEstimator::CreateByName("ns3-path:NPaths=0")->Estimate(scenario);
    NS_TEST_EXPECT_MSG_EQ((answer.fctNs == byName.fctNs), true, "as by name");
    NS_TEST_EXPECT_MSG_EQ(answer.provenance, byName.provenance, "with the attribute");
}

/// The suite of the method.
DcnTestSuite<WholeTestCase,
             IsolatedTestCase,
             NestedTestCase,
             AllPathsTestCase,
             UnmodelledTestCase,
             AttributeTestCase,
             HelperTestCase>
    g_dcnPathEstimatorTestSuite("dcn-path-estimator");

} // namespace
