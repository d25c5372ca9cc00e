/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/correction/mql-correction.h"
#include "../model/estimate/mql-estimator.h"
#include "../model/estimate/mql-path-traffic.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator-helper.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/mql-report.h"
#include "ns3/string.h"

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Packets of 1000 bytes payload, 1048 on the wire. Transfers of 1000, 3000 and 2500 bytes: 1, 3
/// and 3 packets, the last one of 548 bytes. lambda = 7 / T; C2a = (1 + 9 + 9) / 7; with bursts of
/// two packets (1 + 4 + 1 + 4 + 1) / 7, with first bursts alone (1 + 4 + 4) / 5.
DCN_TEST_CASE(MomentsTestCase, "Moments measured from transfers")
{
    const auto scenario = DcnMakeDumbbellScenario(
        {{0, 0, 2, 1000, 0}, {1, 0, 2, 3000, 50000}, {2, 0, 2, 2500, 90000}});
    MqlMeasureOptions options;
    MqlPathTraffic traffic = MqlPathTraffic::Measure(*scenario, options);
    // The preset gives ACKs priority: they are not in these queues.
    NS_TEST_ASSERT_MSG_EQ(traffic.flows.size(), 1, "one path");
    const double span = 90e-6 + 1e-9 * static_cast<double>(scenario->GetIdealFct(2).GetTotalNs());
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.spanSeconds, span, 1e-15, "T");
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[0].rate, 7 / span, 1e-6, "lambda");
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[0].c2a, 19.0 / 7, 1e-12, "C2a");
    const double bytes = (6 * 1048.0 + 548) / 7;
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[0].wireBytes, bytes, 1e-9, "b");
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[0].c2s,
                              (6 * 1048.0 * 1048 + 548.0 * 548) / 7 / (bytes * bytes) - 1,
                              1e-12,
                              "C2s");
    options.burstBytes = 2000;
    traffic = MqlPathTraffic::Measure(*scenario, options);
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[0].c2a, 11.0 / 7, 1e-12, "bursts of two");
    options.firstBursts = true;
    traffic = MqlPathTraffic::Measure(*scenario, options);
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[0].c2a, 9.0 / 5, 1e-12, "first bursts");
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[0].rate, 5 / span, 1e-6, "first bursts");

    // headers are those of the configuration
    const auto large = DcnMakeDumbbellScenario({{0, 0, 2, 2500, 0}}, "header_bytes=100");
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlPathTraffic::Measure(*large).flows[0].wireBytes,
                              (2 * 1100.0 + 600) / 3,
                              1e-9,
                              "headers");

    const auto shared = DcnMakeDumbbellScenario({{0, 0, 2, 1000, 0}, {1, 0, 2, 3000, 50000}},
                                                "ack_high_priority=0");
    traffic = MqlPathTraffic::Measure(*shared);
    NS_TEST_ASSERT_MSG_EQ(traffic.flows.size(), 2, "data and ACKs");
    NS_TEST_EXPECT_MSG_EQ(traffic.flows[1].src, 2, "back");
    NS_TEST_EXPECT_MSG_EQ(traffic.flows[1].wireBytes, DCN_ACK_BYTES, "size");
    NS_TEST_EXPECT_MSG_EQ_TOL(traffic.flows[1].rate, traffic.flows[0].rate, 1e-9, "rate");
    NS_TEST_EXPECT_MSG_EQ(traffic.paths.Get(1)[0],
                          DcnTopology::Reverse(traffic.paths.Get(0)[2]),
                          "the same way back");
}

DCN_TEST_CASE(MqlMethodTestCase, "Method mql: alone, shared, and what it says about itself")
{
    // A transfer alone has nobody to wait for, whatever its size.
    for (uint64_t size : {1ULL, 1000ULL, 18000ULL, 500000ULL, 100000000ULL})
    {
        const auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, size, 0}});
        const DcnEstimate alone = DcnEstimator::CreateByName("mql")->Estimate(scenario);
        const auto ideal = static_cast<double>(scenario->GetIdealFct(0).GetTotalNs());
        // Its own first burst is the load of the open network: less than its own service time.
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(alone.fctNs[0]), 1.001 * ideal + 1, size);
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(alone.fctNs[0]), ideal - 1, size);
    }
    // Two long transfers from different hosts share the bottleneck and finish together: each
    // has one other, for all of its time. x = rho / (1 - rho) with rho near 1 and N = 1: 1.
    // So it is with headers as large as the payload, whose time both have to wait for, too.
    const std::vector<DcnFlow> flows{{0, 0, 2, 10000000, 0}, {1, 1, 3, 10000000, 0}};
    const auto pair = DcnMakeDumbbellScenario(flows);
    const DcnEstimate two = DcnEstimator::CreateByName("mql")->Estimate(pair);
    for (const auto& scenario : {pair, DcnMakeDumbbellScenario(flows, "header_bytes=1000")})
    {
        const DcnEstimate answer = DcnEstimator::CreateByName("mql")->Estimate(scenario);
        const auto ideal = static_cast<double>(scenario->GetIdealFct(0).GetTotalNs());
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(answer.fctNs[0]) / ideal, 2, 0.05, "shared");
    }

    NS_TEST_EXPECT_MSG_NE(two.provenance.find("does not model how dctcp reacts"),
                          std::string::npos,
                          two.provenance);
    for (const char* word :
         {"ECN", "PFC", "windows", "hottest queue of the first bursts", "damped"})
    {
        NS_TEST_EXPECT_MSG_NE(two.provenance.find(word), std::string::npos, word);
    }
    DCN_TEST_EXPECT_ERROR(DcnEstimator::CreateByName("mql:Formula=best")->Estimate(pair),
                          "the formula \"best\" is not one of auto, ge-flow, ge-link, "
                          "subtractive, damped");

    // Slowdowns of a whole workload: at least 1, more at a higher load, the same every time.
    double before = 1;
    for (double load : {0.2, 0.5, 0.8})
    {
        const auto scenario = DcnMakeTestScenario(DcnTestWorkload(3000, "google-rpc", load));
        const DcnEstimate estimate = DcnEstimator::CreateByName("mql")->Estimate(scenario);
        const DcnEstimate again = DcnEstimator::CreateByName("mql")->Estimate(scenario);
        double sum = 0;
        double drawn = 0;
        for (std::size_t i = 0; i < estimate.fctNs.size(); i++)
        {
            const auto alone = static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
            const double slowdown = static_cast<double>(estimate.fctNs[i]) / alone;
            NS_TEST_ASSERT_MSG_GT(slowdown, 1 - 1e-12, "slowdown");
            NS_TEST_ASSERT_MSG_EQ(estimate.samples[i].slowdown, again.samples[i].slowdown, "same");
            sum += slowdown;
            drawn += estimate.samples[i].slowdown;
        }
        sum /= static_cast<double>(estimate.fctNs.size());
        drawn /= static_cast<double>(estimate.fctNs.size());
        NS_TEST_EXPECT_MSG_GT(sum, before, "load " << load);
        NS_TEST_EXPECT_MSG_EQ_TOL(drawn, sum, 0.1 * (sum - 1), "draws have the mean");
        before = sum;
    }
}

DCN_TEST_CASE(MqlProvenanceTestCase, "Method mql: whether the learned correction counts is said")
{
    // Write a correction of all queues to the value of a leaf.
    // most: value of all features that was trained on
    // least: smallest one
    // Returns the file
    const auto writeCorrection = [&](double most, double least) {
        MqlCorrection correction;
        MqlTree::Node leaf;
        leaf.value = 1;
        for (const char* type : {"hostUp", "edgeUp", "aggUp", "coreDown", "aggDown", "edgeDown"})
        {
            correction.SetTree(type, MqlTree({leaf}, correction.GetNFeatures()));
        }
        correction.SetRange(std::vector<double>(correction.GetNFeatures(), least),
                            std::vector<double>(correction.GetNFeatures(), most));
        const std::string file = CreateTempDirFilename("correction.json");
        correction.Write(file);
        return file;
    };
    const auto scenario = DcnMakeTestScenario(DcnTestWorkload(500, "google-rpc"));
    auto run = [&](const std::string& attributes) {
        return DcnEstimator::CreateByName("mql:" + attributes)->Estimate(scenario);
    };
    const DcnEstimate none = run("Correction=none");
    NS_TEST_EXPECT_MSG_EQ(none.answeredBy, "", "asked for");
    NS_TEST_EXPECT_MSG_EQ(none.provenance.find("queueing model alone; open"), 0, none.provenance);
    // trained on anything: counts at every hop
    const DcnEstimate full = run("Correction=" + writeCorrection(1e9, -1e9));
    NS_TEST_EXPECT_MSG_EQ(full.answeredBy, "", "by its own rules");
    NS_TEST_EXPECT_MSG_EQ(
        full.provenance.find("queueing model with its learned correction, which counts 100 % "),
        0,
        full.provenance);
    NS_TEST_EXPECT_MSG_EQ((full.fctNs == none.fctNs), false, "it counts");
    // trained on what there is not: counts nowhere, and the answer is that of another name
    const std::string faded = writeCorrection(1e-9, 0);
    const DcnEstimate fallback = run("Correction=" + faded);
    NS_TEST_ASSERT_MSG_EQ(fallback.answeredBy,
                          "mql:Correction=none",
                          "whose answer it is");
    NS_TEST_EXPECT_MSG_EQ(fallback.provenance.find("queueing model alone, its learned "
                                                   "correction counts for nothing here; "),
                          0,
                          fallback.provenance);
    NS_TEST_EXPECT_MSG_EQ((fallback.fctNs == none.fctNs), true, "as it says");
    NS_TEST_EXPECT_MSG_EQ(
        (DcnEstimator::CreateByName(fallback.answeredBy)->Estimate(scenario).fctNs ==
         fallback.fctNs),
        true,
        "a name that can be asked");
    NS_TEST_EXPECT_MSG_EQ(DcnEstimate::IsOther(fallback.method, fallback.answeredBy),
                          false,
                          "a variant, which has errors");
    // with another formula there is no correction by the rules
    NS_TEST_EXPECT_MSG_EQ(run("Formula=ge-flow").answeredBy, "", "as asked");
}

DCN_TEST_CASE(MqlReportTestCase, "Helper: hottest queues first, files, printed tables")
{
    DcnFatTreeParameters tree;
    tree.linkRate = DataRate("100Mbps");
    const Ptr<DcnTopology> topology = DcnBuildTopology(tree);
    MqlTrafficOptions spec;
    spec.pattern = MqlPattern::INCAST;
    spec.ackBytes = 54;
    MqlReport mql(topology, MqlMakeTraffic(*topology, spec));
    mql.Solve();
    const uint32_t receiver = topology->GetHosts()[0];
    const uint32_t last = DcnTopology::Reverse(topology->GetOutLinks(receiver)[0]);
    NS_TEST_EXPECT_MSG_EQ(mql.GetHottest()[0], last, "the receiver's link");
    NS_TEST_EXPECT_MSG_EQ_TOL(mql.GetSolution().GetQueues()[last].rho, 0.5, 1e-9, "its load");

    const std::string queues = CreateTempDirFilename("queues.csv");
    const std::string flows = CreateTempDirFilename("flows.csv");
    mql.WriteQueues(queues);
    mql.WriteFlows(flows);
    std::ifstream file(queues);
    std::string line;
    std::getline(file, line);
    NS_TEST_EXPECT_MSG_EQ(line,
                          "link,from,to,type,rate_pps,utilisation,service_us,c2a,c2s,c2d,"
                          "wait_us,occupancy,loss",
                          "header");
    std::getline(file, line);
    NS_TEST_EXPECT_MSG_EQ(line.substr(0, line.find(",edgeDown,")),
                          std::to_string(last) + ",16,0",
                          "first row");
    std::size_t rows = 1;
    while (std::getline(file, line))
    {
        rows++;
    }
    NS_TEST_EXPECT_MSG_EQ(rows, mql.GetHottest().size(), "a row per queue");
    std::ifstream flowFile(flows);
    rows = 0;
    while (std::getline(flowFile, line))
    {
        rows++;
    }
    NS_TEST_EXPECT_MSG_EQ(rows, 31, "header, 15 data and 15 ACK flows");

    std::ostringstream text;
    mql.Print(text, 3);
    for (const char* word : {"round trip, mean", "edgeDown", "coreDown", "hottest queues"})
    {
        NS_TEST_EXPECT_MSG_NE(text.str().find(word), std::string::npos, word);
    }
}

/// The helper is a factory of the method.
DCN_TEST_CASE(HelperTestCase, "the helper makes the method")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 30'000, 0}, {1, 1, 3, 30'000, 0}});
    DcnEstimatorHelper helper("mql");
    helper.SetAttribute("Correction", StringValue("none"));
    const DcnEstimate answer = helper.Estimate(scenario);
    const DcnEstimate byName = DcnEstimator::CreateByName("mql:Correction=none")->Estimate(scenario);
    NS_TEST_ASSERT_MSG_EQ(answer.samples.size(), byName.samples.size(), "as by name");
    for (std::size_t i = 0; i < answer.samples.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(answer.samples[i].slowdown, byName.samples[i].slowdown, i);
    }
    NS_TEST_EXPECT_MSG_EQ(answer.provenance, byName.provenance, "with the attribute");
}

DcnTestSuite<MomentsTestCase, MqlMethodTestCase, MqlProvenanceTestCase, MqlReportTestCase,
             HelperTestCase>
    g_mqlEstimatorTestSuite("mql-estimator"); //!< the suite

} // namespace
