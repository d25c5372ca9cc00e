/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/topology/parsimon-clustering.h"
#include "dcn-test-case.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 10'000'000'000; //!< of the links [bit/s]

/**
 * @param n number of flows
 * @param gap time between two [ns]
 * @param size of each [bytes]
 * @return (start, size) of the flows
 */
std::vector<std::pair<int64_t, uint64_t>>
MakeFlows(uint32_t n, int64_t gap, uint64_t size)
{
    std::vector<std::pair<int64_t, uint64_t>> flows;
    for (uint32_t i = 0; i < n; ++i)
    {
        flows.emplace_back(gap * i, size);
    }
    return flows;
}

/**
 * @param load of the link
 * @param size of all its flows; gaps are in proportion, so that loads differ and nothing else much
 * @param position of the link
 * @param rate of the link
 * @return features of 1001 flows
 */
ParsimonLinkFeatures
MakeLink(double load,
         uint64_t size = 1000,
         ParsimonPosition position = ParsimonPosition::FIRST_HOP,
         uint64_t rate = RATE)
{
    const auto gap =
        std::llround(8e9 * static_cast<double>(size) / (load * static_cast<double>(rate)));
    return {position, rate, MakeFlows(1001, gap, size), 0, 100};
}

DCN_TEST_CASE(FeatureTestCase, "Features and distances")
{
    // 3 flows of 1, 2, 3 kB at 0, 1, 4 us: 6000 bytes in 4 us on 10 Gb/s is load 1.2
    const ParsimonLinkFeatures link(ParsimonPosition::LAST_HOP,
                                    RATE,
                                    {{0, 3000}, {1000, 1000}, {4000, 2000}},
                                    0,
                                    4);
    NS_TEST_EXPECT_MSG_EQ_TOL(link.load, 1.2, 1e-12, "load");
    // floor(i 3 / 4) = 0, 0, 1, 2 and floor(i 2 / 4) = 0, 0, 1, 1
    NS_TEST_EXPECT_MSG_EQ((link.sizes == std::vector<float>{1000, 1000, 2000, 3000}),
                          true,
                          "quantiles of sizes");
    NS_TEST_EXPECT_MSG_EQ((link.gaps == std::vector<float>{1000, 1000, 3000, 3000}),
                          true,
                          "quantiles of gaps");
    const ParsimonLinkFeatures spanned(ParsimonPosition::LAST_HOP,
                                       RATE,
                                       {{0, 3000}, {1000, 3000}},
                                       48000,
                                       4);
    NS_TEST_EXPECT_MSG_EQ_TOL(spanned.load, 0.1, 1e-12, "load over a given time");
    for (uint32_t n : {0, 1})
    {
        const ParsimonLinkFeatures none(ParsimonPosition::LAST_HOP,
                                        RATE,
                                        MakeFlows(n, 1, 500),
                                        0,
                                        4);
        NS_TEST_EXPECT_MSG_EQ(none.sizes.empty() && none.gaps.empty(), true, "no features");
        NS_TEST_EXPECT_MSG_EQ(none.load, 0, "no load");
    }
    // |1 - 2| + |3 - 1| = 3 over 4, and over 3 the other way
    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonClustering::Wmape({1, 3}, {2, 1}, 10), 0.75, 1e-12, "A");
    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonClustering::Wmape({2, 1}, {1, 3}, 10), 1, 1e-12, "B");
    NS_TEST_EXPECT_MSG_EQ(ParsimonClustering::Wmape({0, 0}, {0, 0}, 1), 0, "not 0 / 0");
    NS_TEST_EXPECT_MSG_EQ(ParsimonClustering::Wmape({0, 0}, {0, 1}, 1),
                          std::numeric_limits<double>::infinity(),
                          "all at once is like nothing else");
}

DCN_TEST_CASE(GreedyTestCase, "Links that are close to a representative join it")
{
    using Clusters = std::vector<uint32_t>;
    auto published = ParsimonClusteringOptions::Of(ParsimonRules::PUBLISHED);
    published.loadThreshold = 0.015;
    auto byLoad = ParsimonClusteringOptions::Of(ParsimonRules::DEFAULT);
    byLoad.maxWmape = 0.1;
    std::vector<ParsimonLinkFeatures> links{MakeLink(0.50),
                                            MakeLink(0.51),
                                            MakeLink(0.52),
                                            MakeLink(0.53),
                                            MakeLink(0.51, 1200)};
    // sizes of the last differ by 20 %
    NS_TEST_EXPECT_MSG_EQ(
        (ParsimonClustering::Cluster(links, published) == Clusters{0, 0, 2, 2, 4}),
        true,
        "published, in the order of the links");
    links.erase(links.begin());
    // 0.06 x 0.47^2 = 0.0133: from the top 0.53 takes 0.52, so that the first 0.51 stays alone
    const Clusters fromTop = ParsimonClustering::Cluster(links, byLoad);
    NS_TEST_EXPECT_MSG_EQ((fromTop[1] == fromTop[2] && fromTop[0] == 0 && fromTop[3] == 3),
                          true,
                          "most loaded first");
    // the mean of 0.500, 0.511, 0.520 is 0.5103
    byLoad = ParsimonClusteringOptions::Of(ParsimonRules::DEFAULT);
    byLoad.loadThreshold = 0.2;
    links = {MakeLink(0.500), MakeLink(0.511), MakeLink(0.520)};
    NS_TEST_EXPECT_MSG_EQ((ParsimonClustering::Cluster(links, byLoad) == Clusters{1, 1, 1}),
                          true,
                          "the central link represents the others");
    // at load a, differences up to t (1 - a)^2: 0.0324 at 0.1, 0.0016 at 0.8
    byLoad.loadThreshold = 0.04;
    links = {MakeLink(0.100), MakeLink(0.096), MakeLink(0.800), MakeLink(0.796)};
    const Clusters adaptive = ParsimonClustering::Cluster(links, byLoad);
    NS_TEST_EXPECT_MSG_EQ((adaptive[0] == adaptive[1] && adaptive[2] == 2 && adaptive[3] == 3),
                          true,
                          "equal differences, at low and at high load");
    // kinds
    byLoad = ParsimonClusteringOptions::Of(ParsimonRules::DEFAULT);
    links = {MakeLink(0.3),
             MakeLink(0.3, 1000, ParsimonPosition::LAST_HOP),
             MakeLink(0.3),
             MakeLink(0.3, 1000, ParsimonPosition::LAST_HOP, 4 * RATE)};
    NS_TEST_EXPECT_MSG_EQ((ParsimonClustering::Cluster(links, byLoad) == Clusters{0, 1, 0, 3}),
                          true,
                          "position and capacity are part of the key");
    links.pop_back();
    NS_TEST_EXPECT_MSG_EQ((ParsimonClustering::Cluster(links, published) == Clusters{0, 0, 0}),
                          true,
                          "but not by the published rules");
    // nothing, one flow, all at once
    auto make = [](uint32_t n, int64_t gap) {
        return ParsimonLinkFeatures(ParsimonPosition::FIRST_HOP,
                                    RATE,
                                    MakeFlows(n, gap, 100),
                                    1000000,
                                    100);
    };
    byLoad.leastFlows = 0;
    links = {make(5, 0), make(1, 0), make(5, 1), make(0, 0), make(5, 0)};
    NS_TEST_EXPECT_MSG_EQ((ParsimonClustering::Cluster(links, byLoad) == Clusters{0, 1, 2, 1, 0}),
                          true,
                          "no feature is 0 / 0");
    // five links of 100 flows that are alike: 200 flows are two links, 1000 flows are all
    links = {make(100, 10), make(100, 10), make(100, 10), make(100, 10), make(100, 10)};
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        links[i].load = 0.3 - 0.001 * i;
    }
    NS_TEST_EXPECT_MSG_EQ((ParsimonClustering::Cluster(links, byLoad) == Clusters{2, 2, 2, 2, 2}),
                          true,
                          "one cluster");
    byLoad.leastFlows = 200;
    NS_TEST_EXPECT_MSG_EQ((ParsimonClustering::Cluster(links, byLoad) == Clusters{0, 0, 3, 3, 3}),
                          true,
                          "two clusters, by load");
    byLoad.leastFlows = 1000;
    NS_TEST_EXPECT_MSG_EQ((ParsimonClustering::Cluster(links, byLoad) == Clusters{0, 1, 2, 3, 4}),
                          true,
                          "all have less");
    NS_TEST_EXPECT_MSG_EQ(ParsimonClustering::Cluster({}, byLoad).empty(), true, "no links");
}

/**
 * @param options rules
 * @param sizes of the second link, in multiples of those of the first
 * @param gaps between flows of the second link, in multiples of those of the first
 * @param load of the second link; the first has 0.5
 * @return whether the two are in one cluster
 */
bool
Join(const ParsimonClusteringOptions& options, float sizes, float gaps, double load)
{
    std::vector<ParsimonLinkFeatures> links(
        2,
        ParsimonLinkFeatures(ParsimonPosition::FIRST_HOP, RATE, {}, 0, options.nQuantiles));
    for (auto& link : links)
    {
        link.nFlows = 1000;
        link.load = 0.5;
        link.sizes.assign(options.nQuantiles, 1000);
        link.gaps.assign(options.nQuantiles, 1000);
    }
    links[1].load = load;
    links[1].sizes.assign(options.nQuantiles, 1000 * sizes);
    links[1].gaps.assign(options.nQuantiles, 1000 * gaps);
    const auto clusters = ParsimonClustering::Cluster(links, options);
    return clusters[0] == clusters[1];
}

/// Default thresholds and published ones, of sizes, of gaps and of loads: links a little nearer
/// join, links a little farther do not.
DCN_TEST_CASE(ThresholdTestCase, "Thresholds of the default rules and of the published ones")
{
    const auto check = [&](const ParsimonClusteringOptions& options, float distance, double load) {
        for (const float sign : {-1.0F, 1.0F})
        {
            const float near = 1 + 0.98F * sign * distance;
            const float far = 1 + 1.02F * sign * distance;
            NS_TEST_EXPECT_MSG_EQ(Join(options, near, 1, 0.5), true, "sizes within " << distance);
            NS_TEST_EXPECT_MSG_EQ(Join(options, far, 1, 0.5), false, "sizes beyond " << distance);
            NS_TEST_EXPECT_MSG_EQ(Join(options, 1, near, 0.5), true, "gaps within " << distance);
            NS_TEST_EXPECT_MSG_EQ(Join(options, 1, far, 0.5), false, "gaps beyond " << distance);
        }
        NS_TEST_EXPECT_MSG_EQ(Join(options, 1, 1, 0.5 - 0.98 * load), true, "within " << load);
        NS_TEST_EXPECT_MSG_EQ(Join(options, 1, 1, 0.5 - 1.02 * load), false, "beyond " << load);
    };
    check(ParsimonClusteringOptions::Of(ParsimonRules::DEFAULT),
          0.4F,
          0.06 * 0.5 * 0.5); // at a load of 0.5
    check(ParsimonClusteringOptions::Of(ParsimonRules::PUBLISHED), 0.1F, 0.005);
}

/// As many links as the 6,144-host fabric has.
DCN_TEST_CASE(ManyLinksTestCase, "17,000 links in thousands of clusters")
{
    std::vector<ParsimonLinkFeatures> links;
    for (uint32_t i = 0; i < 17000; ++i)
    {
        // sizes so different that none is close to another
        ParsimonLinkFeatures link(ParsimonPosition::FIRST_HOP, RATE, {}, 0, 100);
        link.load = 0.5 * i / 17000;
        link.sizes.assign(100, static_cast<float>(std::pow(1.0017, (i * 7919) % 17000)));
        link.gaps.assign(100, 1);
        links.push_back(link);
    }
    auto options = ParsimonClusteringOptions::Of(ParsimonRules::PUBLISHED);
    options.loadThreshold = 0.01;
    const auto clusters = ParsimonClustering::Cluster(links, options);
    std::size_t n = 0;
    for (uint32_t i = 0; i < clusters.size(); ++i)
    {
        const auto& first = links[clusters[i]];
        n += clusters[i] == i ? 1 : 0;
        const bool close = std::abs(first.sizes[0] - links[i].sizes[0]) <= 0.1 * first.sizes[0] &&
                           std::abs(first.load - links[i].load) < 0.01;
        NS_TEST_ASSERT_MSG_EQ(clusters[clusters[i]], clusters[i], "a representative, " << i);
        NS_TEST_ASSERT_MSG_EQ(close, true, "close to its representative, " << i);
    }
    NS_TEST_EXPECT_MSG_GT(n, 5000, "few are close by chance");
}

DcnTestSuite<FeatureTestCase, GreedyTestCase, ThresholdTestCase, ManyLinksTestCase>
    g_parsimonClusteringTestSuite("parsimon-clustering"); //!< the suite

} // namespace
