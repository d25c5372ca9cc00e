/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/estimate/m3-distribution.h"
#include "../model/estimate/m3-estimator.h"
#include "../model/network/m3-network.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-test-scenario.h"
#include "m3-test-inputs.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-path-index.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-torch.h"
#include "ns3/m3-what-if.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr double HIGHEST = 0.997; //!< largest level of a percentile, as of the default features

/**
 * @param nFlows number of flows
 * @param config configuration
 * @return flows on a small fabric
 */
Ptr<const DcnScenario>
MakeScenario(uint64_t nFlows, Ptr<const DcnNetworkConfig> config)
{
    return DcnMakeTestScenario(DcnTestWorkload(nFlows, "web-server", 0.6), config);
}

DCN_TEST_CASE(LimitsTestCase, "limits of paths made by hand")
{
    const auto scenario = MakeScenario(400, DcnNetworkConfig::Preset("dctcp"));
    // path p has one flow with the slowdown 1 + p, for which it stands w times
    for (double weight : {1.0, 4.0})
    {
        std::vector<DcnDrawnPath> drawn;
        std::vector<std::vector<M3Point>> points;
        for (uint32_t p = 0; p < 400; ++p)
        {
            drawn.push_back({p, 1, weight});
            points.push_back({{p, 0, 1.0 + p, 1}});
        }
        const M3Distribution answer(scenario, drawn, DcnPathSampling::SYSTEMATIC, points, HIGHEST);
        DcnSlowdownQuery query;
        query.p = 0.9;
        const DcnSlowdownQuantile all = *answer.Ask(query);
        // DcnQuantile: 1 + 0.9 (n - 1); 40 of 400 are slower
        NS_TEST_EXPECT_MSG_EQ_TOL(all.value, 1 + 0.9 * 399, 1e-9, "percentile");
        NS_TEST_EXPECT_MSG_EQ(all.n, 400, "paths");
        // v = (1 - 1 / w) (40 0.9^2 + 360 0.1^2) w^2 / (400 w)^2
        const double deviation = 1.96 * std::sqrt((1 - 1 / weight) * 36) / 400;
        NS_TEST_EXPECT_MSG_EQ_TOL(all.lower, 1 + (0.9 - deviation) * 399, 1e-9, "lower limit");
        NS_TEST_EXPECT_MSG_EQ_TOL(all.upper, 1 + (0.9 + deviation) * 399, 1e-9, "upper limit");

        NS_TEST_EXPECT_MSG_EQ(answer.GetNPaths(), 400, "paths drawn");
        NS_TEST_EXPECT_MSG_EQ(answer.MakeSamples().size(), 400, "samples");
    }
    // three draws of one path are worth less than three paths: f = 1 / 3
    std::vector<DcnDrawnPath> drawn;
    std::vector<std::vector<M3Point>> points;
    for (uint32_t p = 0; p < 100; ++p)
    {
        drawn.push_back({p, 3, 3});
        points.push_back({{p, 0, 1.0 + p, 1}});
    }
    DcnSlowdownQuery query;
    query.p = 0.5;
    const DcnSlowdownQuantile half =
        *M3Distribution(scenario, drawn, DcnPathSampling::REPLACEMENT, points, HIGHEST).Ask(query);
    const double deviation = 1.96 * std::sqrt(100 * 0.25 * 9 / 3.0) / 300;
    NS_TEST_EXPECT_MSG_EQ_TOL(half.upper, 1 + (0.5 + deviation) * 99, 1e-9, "with replacement");
}

/// Sizes, sources, destinations, links and percentiles; what makes no sense.
DCN_TEST_CASE(QueryTestCase, "queries")
{
    const auto scenario = MakeScenario(400, DcnNetworkConfig::Preset("dctcp"));
    // every flow has the slowdown 1 + its number, and all but each fifth have been drawn
    std::vector<DcnDrawnPath> drawn;
    std::vector<std::vector<M3Point>> points;
    for (uint32_t i = 0; i < 400; ++i)
    {
        if (i % 5 != 0)
        {
            drawn.push_back({i, 1, 1.25});
            points.push_back({{i, 0, 1.0 + i, 1}});
        }
    }
    const M3Distribution answer(scenario, drawn, DcnPathSampling::SYSTEMATIC, points, HIGHEST);
    auto check = [&](const DcnSlowdownQuery& query, const std::string& what) {
        std::vector<double> slowdowns;
        for (uint32_t i = 0; i < 400; ++i)
        {
            const DcnFlow& flow = scenario->GetFlows()[i];
            const DcnPath path = scenario->GetPath(i);
            auto is = [](const std::vector<uint32_t>& hosts, uint32_t host) {
                return hosts.empty() || std::find(hosts.begin(), hosts.end(), host) != hosts.end();
            };
            const bool crosses =
                !query.link || std::find(path.begin(), path.end(), *query.link) != path.end();
            if (i % 5 != 0 && crosses && flow.sizeBytes >= query.smallestBytes &&
                flow.sizeBytes <= query.largestBytes && is(query.sources, flow.src) &&
                is(query.destinations, flow.dst))
            {
                slowdowns.push_back(1.0 + i);
            }
        }
        const auto quantile = answer.Ask(query);
        NS_TEST_ASSERT_MSG_EQ(quantile.has_value(), true, what << ": there are such flows");
        NS_TEST_EXPECT_MSG_EQ(quantile->n, slowdowns.size(), what << ": paths");
        NS_TEST_EXPECT_MSG_LT(slowdowns.size(), 320, what << ": not all");
        NS_TEST_EXPECT_MSG_EQ_TOL(quantile->value,
                                  DcnQuantile(slowdowns, query.p),
                                  1e-9,
                                  what << ": percentile");
        NS_TEST_EXPECT_MSG_EQ(
            (quantile->lower <= quantile->value && quantile->value <= quantile->upper),
            true,
            what << ": limits");
    };
    const DcnFlow& flow = scenario->GetFlows()[7];
    DcnSlowdownQuery query;
    query.p = 0.75;
    query.sources = {flow.src};
    check(query, "source");
    query.destinations = {flow.dst, scenario->GetFlows()[8].dst};
    check(query, "source and destinations");
    query = DcnSlowdownQuery();
    query.destinations = {flow.dst};
    check(query, "destination");
    query = DcnSlowdownQuery();
    query.p = 0.5;
    query.link = scenario->GetPath(7)[1];
    check(query, "link");
    query = DcnSlowdownQuery();
    query.smallestBytes = query.largestBytes = flow.sizeBytes;
    check(query, "size");
    for (std::size_t c = 1; c < DcnSizeClasses().size(); ++c)
    {
        const DcnSizeClass& sizeClass = DcnSizeClasses()[c];
        query = DcnSlowdownQuery::OfClass(sizeClass);
        for (uint64_t bytes : {1, 999, 1000, 9'999, 10'000, 49'999, 50'000, 1'000'000'000})
        {
            NS_TEST_EXPECT_MSG_EQ((bytes >= query.smallestBytes && bytes <= query.largestBytes),
                                  sizeClass.Contains(static_cast<double>(bytes)),
                                  bytes << " in " << sizeClass.name);
        }
        check(query, sizeClass.name);
    }
    query.smallestBytes = 1'000'000'000'000;
    NS_TEST_EXPECT_MSG_EQ(answer.Ask(query).has_value(), false, "no such flows");

    const std::vector<std::pair<double, std::string>> refused{{0.999, "99.9"},
                                                              {0, "0"},
                                                              {NAN, "nan"}};
    for (const auto& [p, asked] : refused)
    {
        query = DcnSlowdownQuery();
        query.p = p;
        DCN_TEST_EXPECT_ERROR(answer.Ask(query),
                              "m3 predicts percentiles above 0 and up to 99.7, but " + asked +
                                  " is asked for");
    }
    query.p = 0.997;
    NS_TEST_EXPECT_MSG_EQ(answer.Ask(query).has_value(), true, "the last percentile");
    query = DcnSlowdownQuery();
    query.sources = {1'000'000};
    DCN_TEST_EXPECT_ERROR(answer.Ask(query), "node 1000000 is not a host of the network");
    query = DcnSlowdownQuery();
    query.link = 1'000'000;
    DCN_TEST_EXPECT_ERROR(answer.Ask(query),
                          "there is no link 1000000; the network has " +
                              std::to_string(scenario->GetTopology().GetNLinks()) +
                              " directed links");
    query = DcnSlowdownQuery();
    query.smallestBytes = 2000;
    query.largestBytes = 1000;
    DCN_TEST_EXPECT_ERROR(answer.Ask(query),
                          "sizes from 2000 to 1000 bytes are asked for, which is no range");
}

/// Limits of no width are not shown as such.
DCN_TEST_CASE(NoLimitsTestCase, "limits of no width")
{
    const auto scenario = MakeScenario(400, DcnNetworkConfig::Preset("dctcp"));
    auto ask = [&](double weight, double slope) {
        std::vector<DcnDrawnPath> drawn;
        std::vector<std::vector<M3Point>> points;
        for (uint32_t i = 0; i < 400; ++i)
        {
            drawn.push_back({i, 1, weight});
            points.push_back({{i, 0, 2 + slope * i, 1}});
        }
        DcnSlowdownQuery query;
        query.p = 0.9;
        return *M3Distribution(scenario, drawn, DcnPathSampling::SYSTEMATIC, points, HIGHEST)
                    .Ask(query);
    };
    const DcnSlowdownQuantile all = ask(1, 1);
    NS_TEST_EXPECT_MSG_EQ((all.isWhole && !all.HasLimits()), true, "all paths");
    NS_TEST_EXPECT_MSG_EQ(all.DescribeLimits(), " (all paths drawn)", "text");
    const DcnSlowdownQuantile some = ask(2, 1);
    NS_TEST_EXPECT_MSG_EQ((!some.isWhole && some.HasLimits()), true, "half of the paths");
    NS_TEST_EXPECT_MSG_NE(some.DescribeLimits().find(" to "), std::string::npos, "text");
    const DcnSlowdownQuantile equal = ask(2, 0);
    NS_TEST_EXPECT_MSG_EQ((!equal.isWhole && !equal.HasLimits()), true, "all alike");
    NS_TEST_EXPECT_MSG_EQ(equal.DescribeLimits(), " (no other draw differs)", "text");
}

/// Of many samples, the limits of about 95 % hold the percentile of all.
DCN_TEST_CASE(CoverageTestCase, "coverage of the limits")
{
    constexpr uint32_t N = 4000;
    constexpr int TRIALS = 300;
    const auto scenario = MakeScenario(N, DcnNetworkConfig::Preset("dctcp"));
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(5);
    std::vector<double> slowdowns;
    for (uint32_t i = 0; i < N; ++i)
    {
        slowdowns.push_back(std::pow(uniform->GetValue(1e-9, 1), -0.5));
    }
    std::vector<double> sorted = slowdowns;
    std::sort(sorted.begin(), sorted.end());
    const double truth = DcnQuantile(sorted, 0.95);
    int nInside = 0;
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        std::vector<DcnDrawnPath> drawn;
        std::vector<std::vector<M3Point>> points;
        for (uint32_t p = 0; p < N; ++p)
        {
            if (uniform->GetValue(0, 1) < 0.25)
            {
                drawn.push_back({p, 1, 4});
                points.push_back({{p, 0, slowdowns[p], 1}});
            }
        }
        DcnSlowdownQuery query;
        query.p = 0.95;
        const DcnSlowdownQuantile limits =
            *M3Distribution(scenario, drawn, DcnPathSampling::SYSTEMATIC, points, HIGHEST)
                 .Ask(query);
        nInside += limits.lower <= truth && truth <= limits.upper ? 1 : 0;
    }
    // 0.95 -+ 4 sqrt(0.95 0.05 / 300)
    NS_TEST_EXPECT_MSG_EQ_TOL(nInside / static_cast<double>(TRIALS), 0.95, 0.05, "coverage");
}

/// Answers for other configurations are those for scenarios with them.
class WhatIfTestCase : public TestCase
{
  public:
    /**
     * @param featureSet of the model
     */
    explicit WhatIfTestCase(const M3FeatureSet& featureSet)
        : TestCase("what if, " + featureSet.name + " features"),
          m_featureSet(featureSet)
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("m3-what-if");
        MakeM3TestModel(0.5, MakeM3TestShape(m_featureSet), m_featureSet).Write(folder);
        const DcnModelFile model = DcnModelFile::Read(folder, "m3");

        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("hpcc");
        const auto scenario = MakeScenario(600, config);
        const DcnPathIndex pathIndex(scenario);
        M3WhatIf whatIf(
            scenario,
            model,
            DcnDrawPaths(pathIndex, 100, DcnPathSampling::SYSTEMATIC, scenario->GetSeed()),
            DcnPathSampling::SYSTEMATIC,
            2);
        double before = 0;
        uint32_t nFluids = 0;
        for (const auto& [key, value, isFluid] :
             std::vector<std::tuple<std::string, std::string, bool>>{
                 {"hpcc_eta", "0.95", true},
                 {"hpcc_eta", "0.7", false},
                 {"pfc", "0", false},
                 {"window_bytes", "6000", true},
                 {"hpcc_eta", "0.8", false},
                 // paths get other BDPs
                 {"payload_bytes", "4000", true},
                 {"hpcc_eta", "0.9", false},
                 {"max_rate_bps", "5000000000", true},
                 // transports with connections: ideal times and fluids
                 {"header_bytes", "400", true},
                 {"handshake_rtts", "2", true},
                 {"initial_window_bytes", "4000", true},
                 {"pfc", "1", false}})
        {
            config->SetKey(key, value);
            const M3Distribution answer = whatIf.Predict(config);
            // link simulations depend on every parameter
            nFluids += isFluid || m_featureSet.simulatesLinks ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(whatIf.GetNFluids(), nFluids, "fluids with " << key);
            const auto expected = DcnEstimator::CreateByName("m3:NPaths=100:Model=" + folder)
                                      ->Estimate(M3WhatIf::Configure(*scenario, config))
                                      .samples;
            const auto samples = answer.MakeSamples();
            NS_TEST_ASSERT_MSG_EQ(samples.size(), expected.size(), "samples");
            for (std::size_t i = 0; i < samples.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(samples[i].slowdown, expected[i].slowdown, "slowdown");
                NS_TEST_EXPECT_MSG_EQ(samples[i].weight, expected[i].weight, "weight");
            }
            const double p99 = answer.Ask({})->value;
            NS_TEST_EXPECT_MSG_NE(p99, before, "the configuration counts");
            before = p99;
        }
    }

    const M3FeatureSet& m_featureSet; //!< of the model
};

DcnTestSuite g_m3DistributionTestSuite(
    "m3-distribution",
    {new LimitsTestCase,
     new QueryTestCase,
     new NoLimitsTestCase,
     new CoverageTestCase,
     new WhatIfTestCase(M3FeatureSet::Default()),
     new WhatIfTestCase(M3FeatureSet::Links())},
    DcnTestsIf(DcnTorch::IsAvailable(),
               DCN_NEED_LIBTORCH,
               {new WhatIfTestCase(M3FeatureSet::Published())})); //!< the suite

} // namespace
