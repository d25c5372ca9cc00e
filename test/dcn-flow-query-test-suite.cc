/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-flow-query.h"
#include "ns3/dcn-topology.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Four flows from hosts 0 to 3 of rack 0 to hosts 4 to 7 of rack 1, of 500 to 3,500 bytes.
Ptr<const DcnScenario>
MakeScenario()
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 4; ++i)
    {
        flows.push_back({i, i, 4 + i, 500 + 1000 * i, 100 * i});
    }
    return DcnScenario::Create(DcnBuildTopology(DcnDumbbellParameters()),
                               DcnNetworkConfig::Preset("dctcp"),
                               flows);
}

/// Times: the value is that of the selected flows, with limits of their order statistics.
DCN_TEST_CASE(TimesTestCase, "queries of completion times by class and place")
{
    const auto scenario = MakeScenario();
    DcnEstimate estimate;
    std::vector<double> us;
    for (std::size_t i = 0; i < 4; ++i) // slowdowns 2, 3, 4, 5
    {
        estimate.fctNs.push_back(static_cast<int64_t>(i + 2) *
                                 scenario->GetIdealFct(i).GetTotalNs());
        us.push_back(static_cast<double>(estimate.fctNs.back()) / 1000);
    }
    auto ask = [&](const std::string& text) {
        return DcnFlowQuery(text, *scenario).Ask(*scenario, estimate);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown").value, 3.5, 1e-12, "(2 + 3 + 4 + 5) / 4");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown").high - 3.5,
                              1.96 * std::sqrt(5.0 / 3 / 4),
                              1e-12,
                              "1.96 sqrt(variance / n)");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("p50_slowdown").value, 3.5, 1e-12, "between 3 and 4");
    // levels 0.5 -+ 1.96 sqrt(0.25 / 4) = 0.01 and 0.99 of values at 0, 1/3, 2/3 and 1
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("p50_slowdown").low, 2 + 3 * 0.01, 1e-12, "limit");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("p50_slowdown").high, 5 - 3 * 0.01, 1e-12, "limit");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown@<2KB").value, 2.5, 1e-12, "two flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown@1.5-3.5KB").value, 3.5, 1e-12, "lower end is in");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("p90_fct:from=host2").value, us[2], 1e-9, "one flow, in us");
    NS_TEST_EXPECT_MSG_EQ(ask("p90_fct:from=host2").n, 1, "one flow");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(ask("p90_fct:from=host2").low), true, "no scatter of one");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown:to=host7:from=rack0").value, 5, 1e-12, "places");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown:from=rack0:to=rack1").value, 3.5, 1e-12, "racks");
    NS_TEST_EXPECT_MSG_EQ(DcnFlowQuery("p99_fct", *scenario).GetUnit(), "us", "unit");
    NS_TEST_EXPECT_MSG_EQ(DcnFlowQuery("p99_slowdown", *scenario).GetUnit(), "", "unit");
    estimate.fctNs[3] = DcnEstimate::UNFINISHED;
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown").value, 3, 1e-12, "of those that finished");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(ask("mean_slowdown:to=host7").value), true, "none finished");
}

/// Samples: slowdown times ideal time, by weight.
DCN_TEST_CASE(SamplesTestCase, "queries of samples")
{
    const auto scenario = MakeScenario();
    DcnEstimate estimate;
    estimate.fctNs.assign(4, DcnEstimate::UNFINISHED);
    estimate.samples = {{2, 500, 3, 0, 4}, {6, 500, 1, 0, 4}, {9, 1500, 5, 1, 5}};
    const auto ideal = static_cast<double>(scenario->GetIdealFct(0).GetTotalNs());
    auto ask = [&](const std::string& text) {
        return DcnFlowQuery(text, *scenario).Ask(*scenario, estimate);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_slowdown:from=host0").value, (3 * 2 + 6) / 4.0, 1e-12, "");
    NS_TEST_EXPECT_MSG_EQ_TOL(ask("mean_fct@<1KB").value, 3 * ideal / 1000, 1e-9, "3 x ideal");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(ask("mean_fct").low), true, "samples have no scatter");
    NS_TEST_EXPECT_MSG_EQ(ask("mean_fct").n, 3, "samples");
    DCN_TEST_EXPECT_ERROR(DcnSampleIdeals(*scenario).Get({1, 500, 1, 0, 5}),
                          "a sample stands for flows of 500 bytes from node 0 to node 5, but the "
                          "scenario has none");
}

/// Every malformed query is refused in one sentence.
DCN_TEST_CASE(RefusedTestCase, "queries that are refused")
{
    const auto scenario = MakeScenario();
    for (const std::string text :
         {"p99", "p0_fct", "p100_fct", "q99_fct", "p99_rtt", "p99_fct@KB", "p99_fct@9-3KB", ""})
    {
        DCN_TEST_EXPECT_ERROR(DcnFlowQuery(text, *scenario),
                              "--query: \"" + text +
                                  "\" is not of the form p99_slowdown, mean_fct@>50KB or "
                                  "p99.9_fct@<10KB:from=rack0:to=host17");
    }
    DCN_TEST_EXPECT_ERROR(DcnFlowQuery("p99_fct:via=host1", *scenario),
                          "--query: \"p99_fct:via=host1\": from=PLACE and to=PLACE, each once, may "
                          "follow, but not \"via=host1\"");
    DCN_TEST_EXPECT_ERROR(DcnFlowQuery("p99_fct:to=host4:to=host5", *scenario),
                          "--query: \"p99_fct:to=host4:to=host5\": from=PLACE and to=PLACE, each "
                          "once, may follow, but not \"to=host5\"");
    DCN_TEST_EXPECT_ERROR(DcnFlowQuery("p99_fct:to=pod1", *scenario),
                          "--query: \"p99_fct:to=pod1\": a place is hostN or rackN, but it is "
                          "\"pod1\"");
    DCN_TEST_EXPECT_ERROR(DcnFlowQuery("p99_fct:to=rack2", *scenario),
                          "--query: \"p99_fct:to=rack2\": there is no rack 2; the network has racks "
                          "0 to 1");
    DCN_TEST_EXPECT_ERROR(DcnFlowQuery("p99_fct:from=host8", *scenario),
                          "--query: \"p99_fct:from=host8\": node 8 is no host; hosts are 0 to 7");
    DCN_TEST_EXPECT_ERROR(DcnFlowQuery("p99_fct:from=host4", *scenario),
                          "--query: \"p99_fct:from=host4\": no flow of the scenario meets it; ask "
                          "for a wider class of sizes or place, or take more flows");
}

DcnTestSuite<TimesTestCase, SamplesTestCase, RefusedTestCase>
    g_dcnFlowQueryTestSuite("dcn-flow-query"); //!< the suite

} // namespace
