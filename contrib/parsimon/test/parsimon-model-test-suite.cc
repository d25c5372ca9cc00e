/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/combine/parsimon-model.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/parsimon-run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;

namespace
{

/// Confidence limits against the binomial distribution.
DCN_TEST_CASE(LimitsTestCase, "Confidence limits are the right order statistics")
{
    std::vector<double> values;
    for (int i = 1; i <= 100; ++i)
    {
        values.push_back(i);
    }
    // of 100 values, the 40th and the 61st hold the median with probability 0.965
    const auto median = ParsimonModel::GetQuantile(values, 0.5);
    NS_TEST_EXPECT_MSG_EQ(median.value, 50.5, "median");
    NS_TEST_EXPECT_MSG_EQ(median.lower, 40, "lower limit");
    NS_TEST_EXPECT_MSG_EQ(median.upper, 61, "upper limit");
    NS_TEST_EXPECT_MSG_EQ(median.n, 100, "values");
    // p99: B(100 - 1; 100, 0.99) = 1 - 0.99^100 = 0.634 < 0.975, so no upper rank but the last
    const auto tail = ParsimonModel::GetQuantile(values, 0.99);
    NS_TEST_EXPECT_MSG_EQ(tail.upper, 100, "largest value");
    // B(96) = 0.0184, B(95) = 0.0034, B(97) = 0.0794
    NS_TEST_EXPECT_MSG_EQ(tail.lower, 97, "lower limit of the tail");
    const auto single = ParsimonModel::GetQuantile({7}, 0.99);
    NS_TEST_EXPECT_MSG_EQ((single.lower == 7 && single.upper == 7 && single.value == 7),
                          true,
                          "one value");
    const auto ends = ParsimonModel::GetQuantile(values, 1);
    NS_TEST_EXPECT_MSG_EQ((ends.lower == 100 && ends.value == 100), true, "largest");
    // many values: normal approximation, 990,000 +- 1.96 sqrt(1e6 0.99 0.01) = 195
    values.clear();
    for (int i = 1; i <= 1000000; ++i)
    {
        values.push_back(i);
    }
    const auto many = ParsimonModel::GetQuantile(values, 0.99);
    NS_TEST_EXPECT_MSG_EQ_TOL(many.lower, 990000 - 195, 2, "many, lower");
    NS_TEST_EXPECT_MSG_EQ_TOL(many.upper, 990000 + 195, 2, "many, upper");
}

DCN_TEST_CASE(QueryTestCase, "Questions, before and after saving")
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    DcnWorkloadSpec spec;
    spec.nFlows = 2000;
    auto scenario = DcnMakeTestScenario(topology, spec);
    ParsimonOptions options;
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { ParsimonModel(ParsimonRun(scenario, options)); }),
                          "a model needs a run with all distributions (allDistributions)",
                          "not all");
    options.allDistributions = true;
    const ParsimonRun run(scenario, options);
    const ParsimonModel model(run);

    // all flows: their point estimates
    std::vector<double> expected;
    for (std::size_t f = 0; f < 2000; ++f)
    {
        expected.push_back(
            static_cast<float>(static_cast<double>(run.GetFctNs()[f]) /
                               static_cast<double>(scenario->GetIdealFct(f).GetTotalNs())));
    }
    std::sort(expected.begin(), expected.end());
    NS_TEST_EXPECT_MSG_EQ((model.GetSlowdowns({}) == expected), true, "all flows");

    // conditions
    const uint32_t link = topology->GetOutLinks(3)[0];
    auto count = [&](const std::function<bool(const DcnFlow&)>& condition) {
        return static_cast<std::size_t>(
            std::count_if(scenario->GetFlows().begin(), scenario->GetFlows().end(), condition));
    };
    DcnSlowdownQuery fromLink;
    fromLink.link = link;
    NS_TEST_EXPECT_MSG_EQ(model.GetSlowdowns(fromLink).size(),
                          count([](const DcnFlow& flow) { return flow.src == 3; }),
                          "over host 3's link");
    DcnSlowdownQuery small;
    small.smallestBytes = 500;
    small.largestBytes = 2000;
    NS_TEST_EXPECT_MSG_EQ(
        model.GetSlowdowns(small).size(),
        count([](const DcnFlow& flow) { return flow.sizeBytes >= 500 && flow.sizeBytes <= 2000; }),
        "range of sizes");
    DcnSlowdownQuery racks;
    racks.sources = topology->GetRackHosts(0);
    racks.destinations = topology->GetRackHosts(5);
    NS_TEST_EXPECT_MSG_EQ(model.GetSlowdowns(racks).size(),
                          count([&](const DcnFlow& flow) {
                              return topology->GetRack(flow.src) == 0 &&
                                     topology->GetRack(flow.dst) == 5;
                          }),
                          "racks");

    // drawn flows have the sizes of the scenario's flows, between any pair
    const auto drawn = model.Draw({}, 20000);
    NS_TEST_EXPECT_MSG_EQ(drawn.size(), 20000, "as many as asked for");
    NS_TEST_EXPECT_MSG_EQ((drawn.front() >= 1), true, "not faster than alone");
    NS_TEST_EXPECT_MSG_EQ_TOL(DcnMean(drawn) / DcnMean(expected), 1, 0.15, "mean");
    DcnSlowdownQuery odd;
    odd.smallestBytes = 100'000'000; // a size that no flow has
    odd.largestBytes = 200'000'000;
    odd.sources = {0};
    odd.destinations = {31};
    NS_TEST_EXPECT_MSG_EQ(model.Draw(odd, 100).size(), 100, "sizes that are not there");

    // files
    const std::string path =
        (std::filesystem::temp_directory_path() / ("parsimon-model-" + std::to_string(getpid())))
            .string();
    model.Save(path);
    const ParsimonModel loaded = ParsimonModel::Load(path);
    NS_TEST_EXPECT_MSG_EQ((loaded.GetSlowdowns(racks) == model.GetSlowdowns(racks)),
                          true,
                          "flows after loading");
    NS_TEST_EXPECT_MSG_EQ((loaded.Draw(odd, 100) == model.Draw(odd, 100)),
                          true,
                          "draws after loading");
    std::string bytes;
    {
        std::ifstream file(path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    auto damage = [&](std::size_t at, char value) {
        std::string other = bytes;
        other[at] = value;
        std::ofstream(path, std::ios::binary) << other;
        return DcnSentenceOf([&]() { ParsimonModel::Load(path); });
    };
    NS_TEST_EXPECT_MSG_EQ(damage(0, 'x'), path + ": the file is no Parsimon model", "foreign");
    NS_TEST_EXPECT_MSG_EQ(
        damage(8, 9),
        path + ": the model was made by another version (format 9, not 3); make it anew",
        "another version");
    NS_TEST_EXPECT_MSG_EQ(damage(bytes.size() / 2, static_cast<char>(~bytes[bytes.size() / 2])),
                          path + ": the file is damaged; make the model anew",
                          "damaged");
    std::filesystem::remove(path);
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { ParsimonModel::Load(path); }),
                          path + ": the file cannot be read (there is no such file)",
                          "missing");

    // what cannot be answered
    DcnSlowdownQuery bad;
    bad.sources = {40};
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { model.GetSlowdowns(bad); }),
                          "node 40 is not a host of the network",
                          "a switch");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { model.GetSlowdowns(odd); }),
                          "no flow of the model meets the conditions; slowdowns of such flows "
                          "can be drawn",
                          "no such flow");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { model.Draw(fromLink, 1); }),
                          "slowdowns can be drawn for ends of flows, not for a link",
                          "link");
    bad.sources = {4};
    bad.destinations = {4};
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { model.Draw(bad, 1); }),
                          "no flow goes from node 4 to itself",
                          "no pair");
    auto quiet =
        DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), {{0, 0, 1, 1000, 0}});
    bad = DcnSlowdownQuery();
    bad.link = link;
    NS_TEST_EXPECT_MSG_EQ(
        DcnSentenceOf([&]() { ParsimonModel(ParsimonRun(quiet, options)).GetSlowdowns(bad); }),
        "no flow crosses link " + topology->DescribeLink(link),
        "idle link");
}

/// A window of two packets makes every flow wait, also drawn ones.
DCN_TEST_CASE(WindowTestCase, "The time that the window costs is part of drawn slowdowns")
{
    // two flows that never meet: ideal + V, V = floor((n - 1) / K) max(0, T - K t), K = 2
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = 2000;
    auto scenario =
        DcnScenario::Create(topology,
                            network,
                            {{0, 0, 31, 100'000, 0}, {1, 0, 31, 100'000, 1'000'000'000}});
    ParsimonOptions options;
    options.allDistributions = true;
    const ParsimonModel model(ParsimonRun(scenario, options));
    const double known = model.GetSlowdowns({})[0];
    NS_TEST_EXPECT_MSG_GT(known, 3, "a round trip is long for two packets");
    DcnSlowdownQuery pair;
    pair.sources = {0};
    pair.destinations = {31};
    for (double drawn : model.Draw(pair, 20))
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(drawn / known, 1, 0.01, "as the flows that are there");
    }
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([]() { ParsimonModel::GetQuantile({}, 0.99); }),
                          "a quantile with confidence 0.95 of 0 values is not defined",
                          "no values");
}

DcnTestSuite<LimitsTestCase, WindowTestCase, QueryTestCase> g_parsimonModelTestSuite(
    "parsimon-model"); //!< the suite

} // namespace
