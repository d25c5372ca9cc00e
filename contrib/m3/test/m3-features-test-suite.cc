/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/features/m3-base.h"
#include "../model/estimate/m3-distribution.h"
#include "../model/features/m3-feature-extractor.h"
#include "../model/features/m3-network-features.h"
#include "../model/features/m3-scaler.h"
#include "../training/m3-example.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "m3-test-inputs.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-path-index.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

using Star = M3TestStar; //!< see there

const M3FeatureSet& DEFAULT = M3FeatureSet::Default(); //!< the default feature set

DCN_TEST_CASE(FluidTestCase, "fluid: slowdowns and backlogs of a star by hand")
{
    // 0 -> 2 is long, 1 -> 2 meets it, 2 -> 0 goes the other way, the last comes when all is
    // over
    const std::vector<DcnFlow> flows{{0, 0, 2, 100'000, 0},
                                     {1, 1, 2, 500, 1000},
                                     {2, 2, 0, 500, 2000},
                                     {3, 1, 2, 500, 10'000'000}};
    auto scenario = Star::Make(flows);
    const M3Fluid fluid(*scenario);
    const double small = (500.0 + DCN_HEADER_BYTES) / Star::WINDOW; // of a window
    auto check = [&](std::size_t flow, double first, double second, const char* what) {
        NS_TEST_EXPECT_MSG_EQ_TOL(fluid.GetBacklog(flow, 0), first, 1e-6, what << ", hop 0");
        NS_TEST_EXPECT_MSG_EQ_TOL(fluid.GetBacklog(flow, 1), second, 1e-6, what << ", hop 1");
    };
    check(0, 0, 0, "alone");
    check(1, 0, 1, "behind one window of the long flow");
    check(2, 0, 0, "nobody goes this way");
    check(3, 0, 0, "all is over");
    NS_TEST_EXPECT_MSG_EQ_TOL(fluid.GetReverseBacklog(2, 0),
                              1 + small,
                              1e-6,
                              "two flows come the other way on the first link");
    NS_TEST_EXPECT_MSG_EQ_TOL(fluid.GetReverseBacklog(2, 1), 1, 1e-6, "one on the second");

    NS_TEST_EXPECT_MSG_EQ_TOL(fluid.GetLogSlowdown(2), 0, 1e-6, "nothing in its way");
    NS_TEST_EXPECT_MSG_EQ(fluid.GetLogQueue(0), 0, "no more than one window on any link");
    // B + w - m = 1 + w - 1, so that q is the time of the flow's own bytes
    const double queueNs = 8e9 * small * Star::WINDOW / Star::RATE;
    const auto ideal = static_cast<double>(scenario->GetIdealFct(1).GetTotalNs());
    NS_TEST_EXPECT_MSG_EQ_TOL(fluid.GetLogQueue(1),
                              std::log1p(queueNs / ideal),
                              1e-6,
                              "own bytes wait");

    auto flowsim = DcnEstimator::CreateByName("flowsim:WindowCap=true");
    const auto fctNs = flowsim->Estimate(scenario).fctNs;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(std::exp(fluid.GetLogSlowdown(i)),
                                  static_cast<double>(fctNs[i]) /
                                      static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()),
                                  1e-6,
                                  "the slowdowns of flowsim, flow " << i);
    }
    NS_TEST_EXPECT_MSG_GT(fluid.GetLogSlowdown(1), 0.1, "sharing is seen");
}

DCN_TEST_CASE(FeaturesTestCase, "features: classes, maps, counts and loads")
{
    const std::vector<std::pair<uint64_t, uint32_t>> bounds{{1, 0},
                                                            {999, 0},
                                                            {1000, 1},
                                                            {9999, 1},
                                                            {10'000, 2},
                                                            {49'999, 2},
                                                            {50'000, 3},
                                                            {200'000, 4},
                                                            {999'999, 4},
                                                            {1'000'000, 5},
                                                            {1'000'000'000, 5}};
    for (const auto& [bytes, expected] : bounds)
    {
        NS_TEST_EXPECT_MSG_EQ(DEFAULT.GetClass(bytes), expected, "class of " << bytes);
    }
    // every class is inside one of those that are reported
    for (double bytes : DEFAULT.classBytes)
    {
        uint32_t n = 0;
        for (const auto& sizeClass : DcnSizeClasses())
        {
            n += sizeClass.Contains(bytes) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(n, 2, "all, and one more");
    }

    auto scenario = Star::Make({{0, 0, 2, 100'000, 0},
                                {1, 1, 2, 500, 1000},
                                {2, 1, 2, 600, 1000},
                                {3, 1, 2, 20'000, 1'000'000}});
    const DcnPathIndex pathIndex(scenario);
    const M3Base base(scenario);
    const M3Fluid& fluid = base.GetFluid();
    M3FeatureExtractor features(pathIndex, base);
    const uint32_t path = pathIndex.GetPathOf(1);
    features.Prepare({path});
    const M3PathFeatures input = features.Make(path);
    NS_TEST_EXPECT_MSG_EQ(input.nTokens, 2, "links");
    NS_TEST_EXPECT_MSG_EQ(input.token.size(), 2 * DEFAULT.nToken, "token features");
    NS_TEST_EXPECT_MSG_EQ(input.foreground.size(),
                          std::size_t{DEFAULT.nForeground},
                          "foreground features");
    const std::vector<std::size_t> counts{2, 0, 1, 0, 0, 0};
    for (std::size_t c = 0; c < counts.size(); ++c)
    {
        for (std::size_t n : {1, 2, 16})
        {
            const uint32_t slot = DEFAULT.GetSlot(static_cast<uint32_t>(c), n);
            NS_TEST_EXPECT_MSG_EQ(slot % DEFAULT.nClasses, c, "class of the slot");
            NS_TEST_EXPECT_MSG_EQ(input.flows[slot].size(),
                                  (n == counts[c] ? n : 0),
                                  "foreground of class " << c << " in the slot of " << n);
        }
        const std::size_t at =
            c * (2 * DEFAULT.mapLevels.size() + 3) + 2 * DEFAULT.mapLevels.size();
        NS_TEST_EXPECT_MSG_EQ_TOL(input.foreground[at],
                                  0.1 * std::log1p(counts[c]),
                                  1e-6,
                                  "count of class " << c);
        NS_TEST_EXPECT_MSG_EQ(input.foreground[at + 1], (counts[c] > 0 ? 1 : 0), "mask");
    }
    // a class of one flow has its slowdown at every level, one of none 0
    for (uint32_t k = 0; k < DEFAULT.nKnots; ++k)
    {
        NS_TEST_EXPECT_MSG_EQ(input.base[2 * DEFAULT.nKnots + k],
                              fluid.GetLogSlowdown(3),
                              "the only flow");
        NS_TEST_EXPECT_MSG_EQ(input.base[DEFAULT.nKnots + k], 0, "no flow");
    }
    const double low = std::min(fluid.GetLogSlowdown(1), fluid.GetLogSlowdown(2));
    const double high = std::max(fluid.GetLogSlowdown(1), fluid.GetLogSlowdown(2));
    const uint32_t pair = DEFAULT.GetSlot(0, 2) * DEFAULT.nKnots;
    NS_TEST_EXPECT_MSG_EQ_TOL(input.base[pair + 4], low, 1e-6, "two flows, level 0.4");
    NS_TEST_EXPECT_MSG_EQ_TOL(input.base[pair + 5], low, 1e-6, "two flows, level 0.5");
    NS_TEST_EXPECT_MSG_EQ_TOL(input.base[pair + 6], high, 1e-6, "two flows, level 0.6");

    // the second link has all four flows, the first three
    const std::size_t perClass = DEFAULT.mapLevels.size() + 2;
    auto getCount = [&](std::size_t link, std::size_t c) {
        const std::size_t at = link * DEFAULT.nToken + c * perClass + DEFAULT.mapLevels.size();
        return std::expm1(10 * input.token[at]);
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(getCount(0, 3), 0, 1e-5, "100 KB, first link");
    NS_TEST_EXPECT_MSG_EQ_TOL(getCount(1, 3), 1, 1e-5, "100 KB, second link");
    NS_TEST_EXPECT_MSG_EQ_TOL(getCount(1, 0), 2, 1e-5, "small ones");
    // from the first start to the end of the last flow in the fluid
    const auto span = static_cast<double>(fluid.GetEndNs());
    NS_TEST_EXPECT_MSG_EQ_TOL(span,
                              1'000'000 + std::exp(fluid.GetLogSlowdown(3)) *
                                              scenario->GetIdealFct(3).GetTotalNs(),
                              2,
                              "end");
    const std::size_t load = DEFAULT.nClasses * perClass + 4 * DEFAULT.mapLevels.size();
    // the flow of 20 KB meets no other, and loads no link
    NS_TEST_EXPECT_MSG_EQ_TOL(input.token[load],
                              8e9 * 1'100 / (Star::RATE * span),
                              1e-6,
                              "load of the first link");
    NS_TEST_EXPECT_MSG_EQ_TOL(input.token[DEFAULT.nToken + load],
                              8e9 * 101'100 / (Star::RATE * span),
                              1e-6,
                              "load of the second link");
    NS_TEST_EXPECT_MSG_EQ(input.token[load + 1], 0, "nothing comes back");
    DCN_TEST_EXPECT_ERROR(
        features.Make(2),
        "path 2 has no foreground flow: only the paths 0 to 1 of the scenario have flows");
}

/// The set links has the features of the default set, and quantiles of simulated slowdowns.
DCN_TEST_CASE(LinksTestCase, "features of link simulations")
{
    const M3FeatureSet& links = M3FeatureSet::Links();
    const auto nMap = static_cast<uint32_t>(links.mapLevels.size());
    // two sources share the last link: a queue, which the fluid does not have
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 40; ++i)
    {
        flows.push_back({i, i % 2, 2, i % 4 < 2 ? uint64_t{800} : uint64_t{30'000}, 1'000 * i});
    }
    auto scenario = Star::Make(flows);
    const DcnPathIndex pathIndex(scenario);
    const M3Base fluid(scenario);
    const M3Base base(scenario, links);
    const auto fctNs =
        DcnEstimator::CreateByName("parsimon:Clustering=true")->Estimate(scenario).fctNs;
    double queued = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const auto idealNs = static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
        const double log = std::log(std::max(1.0, static_cast<double>(fctNs[i]) / idealNs));
        NS_TEST_EXPECT_MSG_EQ_TOL(base.GetLogSlowdown(i), log, 1e-6, "base of flow " << i);
        NS_TEST_EXPECT_MSG_EQ(base.GetFluid().GetLogSlowdown(i),
                              fluid.GetLogSlowdown(i),
                              "the fluid is there, too");
        queued += base.GetLogSlowdown(i) - fluid.GetLogSlowdown(i);
    }
    NS_TEST_EXPECT_MSG_GT(queued, 1, "queues count");

    const uint32_t path = pathIndex.GetPathOf(0);
    auto make = [&](const M3Base& of) {
        M3FeatureExtractor extractor(pathIndex, of);
        extractor.Prepare({path});
        return extractor.Make(path);
    };
    const M3PathFeatures more = make(base);
    const M3PathFeatures less = make(fluid);
    // the features of less are those of more without the quantiles of simulated slowdowns, which
    // come after those of the fluid in each class
    auto compare = [&](const std::vector<float>& all,
                       uint32_t nPerClass,
                       uint32_t nAll,
                       const std::vector<float>& expected) {
        std::vector<float> kept;
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            const auto at = static_cast<uint32_t>(i % nAll);
            const uint32_t inClass = at % nPerClass;
            if (at >= links.nClasses * nPerClass || inClass < nMap || inClass >= 2 * nMap)
            {
                kept.push_back(all[i]);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(kept.size(), expected.size(), "number of features");
        for (std::size_t i = 0; i < kept.size(); ++i)
        {
            const bool isEqual =
                kept[i] == expected[i] || (std::isnan(kept[i]) && std::isnan(expected[i]));
            NS_TEST_EXPECT_MSG_EQ(isEqual, true, "feature " << i);
        }
    };
    compare(more.token, 2 * nMap + 2, links.nToken, less.token);
    compare(more.foreground, 3 * nMap + 3, links.nForeground, less.foreground);
    // flows below 1 KB from host 0, on its link and in the foreground
    std::vector<double> small;
    std::vector<double> all;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        if (flows[i].src == 0 && flows[i].sizeBytes < 1000)
        {
            small.push_back(base.GetLogSlowdown(i));
        }
        if (flows[i].sizeBytes < 1000)
        {
            all.push_back(base.GetLogSlowdown(i));
        }
    }
    std::sort(small.begin(), small.end());
    std::sort(all.begin(), all.end());
    for (uint32_t m = 0; m < nMap; ++m)
    {
        const double level = links.mapLevels[m];
        NS_TEST_EXPECT_MSG_EQ_TOL(more.foreground[nMap + m],
                                  DcnQuantile(small, level),
                                  1e-6,
                                  "foreground at " << level);
        NS_TEST_EXPECT_MSG_EQ_TOL(more.token[nMap + m],
                                  DcnQuantile(small, level),
                                  1e-6,
                                  "first link at " << level);
        NS_TEST_EXPECT_MSG_EQ_TOL(more.token[links.nToken + nMap + m],
                                  DcnQuantile(all, level),
                                  1e-6,
                                  "second link at " << level);
    }
    const uint32_t slot = links.GetSlot(0, small.size());
    for (uint32_t k = 0; k < links.nKnots; ++k)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(more.base[slot * links.nKnots + k],
                                  small[links.GetRank(links.knots[k], small.size())],
                                  1e-6,
                                  "base at " << links.knots[k]);
    }
}

DCN_TEST_CASE(NetworkFeaturesTestCase, "features of the network: no units, errors")
{
    // all rates times 4, all times by 4: the same in bandwidth-delay products
    for (const std::string cc : {"dctcp", "dcqcn", "timely", "hpcc"})
    {
        Ptr<DcnNetworkConfig> slow = DcnNetworkConfig::Preset(cc);
        Ptr<DcnNetworkConfig> fast = DcnNetworkConfig::Preset(cc);
        auto times = [](DataRate& rate) { rate = DataRate(4 * rate.GetBitRate()); };
        times(fast->minRate);
        times(fast->ecnReferenceRate);
        for (const auto& [key, factor] : {std::pair("hpcc_additive_increase_bps", 4.0),
                                          std::pair("timely_low_ns", 0.25),
                                          std::pair("timely_high_ns", 0.25)})
        {
            fast->SetOwn(key, slow->GetOwn(key) * factor);
        }
        const DcnPathSpec a{{Star::RATE, 4 * Star::RATE},
                            {Star::DELAY, Star::DELAY},
                            Star::RATE,
                            8000,
                            10'000};
        const DcnPathSpec b{{4 * Star::RATE, 16 * Star::RATE},
                            {250, 250},
                            4 * Star::RATE,
                            2000,
                            10'000};
        const auto x = M3NetworkFeatures(a, *slow, 1e5).GetValues();
        const auto y = M3NetworkFeatures(b, *fast, 1e5).GetValues();
        NS_TEST_ASSERT_MSG_EQ(x.size(), std::size_t{M3NetworkFeatures::N}, "quantities");
        for (std::size_t i = 0; i < M3NetworkFeatures::N; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(x[i],
                                      y[i],
                                      1e-9 * std::abs(x[i]),
                                      M3NetworkFeatures::GetQuantities()[i].name);
        }
        NS_TEST_EXPECT_MSG_EQ(x[0] + x[1] + x[2] + x[3], 1, "one congestion control");
        std::vector<float> features;
        M3NetworkFeatures(a, *slow, 1e5).Append(false, features);
        NS_TEST_EXPECT_MSG_EQ(features.size(), std::size_t{M3NetworkFeatures::N}, "features");
    }
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->windowBytes = 15'000;
    const DcnPathSpec path{{Star::RATE, Star::RATE},
                           {Star::DELAY, Star::DELAY},
                           Star::RATE,
                           8000,
                           10'000};
    const M3NetworkFeatures features(path, *network, 1e5);
    NS_TEST_EXPECT_MSG_EQ_TOL(features.GetValues()[4], 1.5, 1e-12, "window / BDP");
    NS_TEST_EXPECT_MSG_EQ(features.GetBottleneckBps(), Star::RATE, "bottleneck");
    network->congestionControl = "cubic";
    DCN_TEST_EXPECT_ERROR(M3NetworkFeatures(path, *network, 1e5),
                          "m3 knows the congestion controls dctcp, dcqcn, timely and hpcc, "
                          "but not \"cubic\"");
}

/// Means 0, variances 1, limits, constants.
DCN_TEST_CASE(ScalerTestCase, "scaler")
{
    const std::vector<float> one{1, 5};
    const std::vector<float> two{3, 5, 5, 5};
    const M3Scaler scaler = M3Scaler::Fit({&one, &two}, 2);
    std::vector<float> scaled;
    scaler.Apply({1, 5, 3, 5, 5, 5}, scaled);
    NS_TEST_EXPECT_MSG_EQ_TOL(scaled[0] + scaled[2] + scaled[4], 0, 1e-6, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(scaled[0] * scaled[0] + scaled[4] * scaled[4], 3, 1e-5, "variance");
    scaled.clear();
    scaler.Apply({1e9, 6, -1e9, 4}, scaled);
    NS_TEST_EXPECT_MSG_EQ(scaled[0], M3Scaler::LIMIT, "limit");
    NS_TEST_EXPECT_MSG_EQ(scaled[2], -M3Scaler::LIMIT, "limit");
    NS_TEST_EXPECT_MSG_EQ(scaled[1], 0, "a feature that never varied");
    NS_TEST_EXPECT_MSG_EQ(scaled[3], 0, "a feature that never varied");

    // of a feature that most do not have, the values of the others count alone
    const std::vector<float> rare{M3Scaler::ABSENT, 2, M3Scaler::ABSENT, 4, M3Scaler::ABSENT, 2};
    const M3Scaler some = M3Scaler::Fit({&rare}, 1);
    scaled.clear();
    some.Apply({M3Scaler::ABSENT, 2, 4}, scaled);
    NS_TEST_EXPECT_MSG_EQ(scaled[0], 0, "a feature that is not there");
    NS_TEST_EXPECT_MSG_EQ_TOL(2 * scaled[1] + scaled[2], 0, 1e-6, "mean of those there");
    NS_TEST_EXPECT_MSG_EQ_TOL(2 * scaled[1] * scaled[1] + scaled[2] * scaled[2],
                              3,
                              1e-5,
                              "variance of those there");
}

DCN_TEST_CASE(ExampleTestCase, "examples: points of quantiles, targets of flows")
{
    const uint32_t K = DEFAULT.nKnots;
    // a uniform quantile function Q(p) = p from the first to the last knot
    M3PathFeatures input;
    input.flows.resize(DEFAULT.nSlots);
    const uint32_t four = DEFAULT.GetSlot(1, 4);
    input.flows[four] = {7, 8, 9, 10};
    std::vector<float> quantiles(DEFAULT.nSlots * K, 0.0F);
    for (uint32_t k = 0; k < K; ++k)
    {
        quantiles[four * K + k] = static_cast<float>(DEFAULT.knots[k]);
    }
    std::vector<M3Point> points;
    M3Expand(input, quantiles.data(), 1, points);
    double n = 0;
    double logMean = 0;
    for (const M3Point& point : points)
    {
        n += point.nFlows;
        const double log = std::log(point.slowdown);
        logMean += point.nFlows * log / 4;
        const auto rank = static_cast<uint32_t>(std::min(3.0, 4 * log));
        if (log > 0.02 && log < 0.997)
        {
            NS_TEST_EXPECT_MSG_EQ(point.flow, 7 + rank, "flow at " << log);
        }
        NS_TEST_EXPECT_MSG_EQ(point.sizeClass, 1, "class");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(n, 4, 1e-12, "points stand for all flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(logMean, 0.5, 1e-3, "mean of the uniform distribution");

    for (uint32_t m : {1U, 3U, K, K + 1, 400U})
    {
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < m; ++i)
        {
            flows.push_back({i, 0, 2, 500, 100'000 * i});
        }
        auto scenario = Star::Make(flows);
        const auto ideal = static_cast<double>(scenario->GetIdealFct(0).GetTotalNs());
        std::vector<int64_t> fctNs(m);
        for (uint32_t i = 0; i < m; ++i)
        {
            fctNs[i] = std::llround(ideal * (1 + 0.01 * i));
        }
        const DcnPathIndex pathIndex(scenario);
        const M3Base base(scenario);
        M3FeatureExtractor features(pathIndex, base);
        features.Prepare({0});
        const M3Example example = M3Example::Make(features, *scenario, 0, fctNs, true);
        NS_TEST_EXPECT_MSG_EQ(example.truth[0].size(), std::size_t{m}, "truth");
        double sum = 0;
        double mean = 0;
        const uint32_t slot = DEFAULT.GetSlot(0, m);
        for (std::size_t i = 0; i < example.weight.size(); ++i)
        {
            sum += example.weight[i];
            mean += example.weight[i] * example.target[i];
            NS_TEST_EXPECT_MSG_EQ((i / K == slot || example.weight[i] == 0), true, "other slots");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, std::sqrt(std::min(m, 16U)), 1e-5, "weights of " << m);
        if (m <= K)
        {
            double expected = 0;
            for (float log : example.truth[0])
            {
                expected += log / m;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(mean / sum, expected, 1e-5, "mean of " << m);
        }
        // the loss is least where quantiles are those of the flows
        std::vector<float> best(DEFAULT.nSlots * K, 0.0F);
        std::vector<double> sorted(example.truth[0].begin(), example.truth[0].end());
        for (uint32_t k = 0; k < K; ++k)
        {
            best[slot * K + k] = static_cast<float>(DcnQuantile(sorted, DEFAULT.knots[k]));
        }
        M3Loss least;
        example.AddLoss(best.data(), least);
        double knownSum = 0;
        for (uint32_t k = 0; k < DEFAULT.nSlots * K; ++k)
        {
            const double beyond = m * std::min(DEFAULT.knots[k % K], 1 - DEFAULT.knots[k % K]);
            const bool isKnown = k / K == slot && m >= 16 && beyond >= 2;
            NS_TEST_EXPECT_MSG_EQ_TOL(example.knownWeight[k],
                                      (isKnown ? 4 * std::sqrt(std::min(m, 64U)) / K : 0),
                                      1e-6,
                                      "known quantile " << k << " of " << m);
            NS_TEST_EXPECT_MSG_EQ_TOL(example.known[k],
                                      (isKnown ? best[k] : 0),
                                      1e-6,
                                      "quantile " << k << " of " << m);
            knownSum += example.knownWeight[k];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(least.weight, sum + knownSum, 1e-5, "weight of the loss");
        for (float shift : {-0.2F, 0.2F})
        {
            std::vector<float> other = best;
            for (uint32_t k = 0; k < K; ++k)
            {
                other[slot * K + k] += shift;
            }
            M3Loss shifted;
            example.AddLoss(other.data(), shifted);
            NS_TEST_EXPECT_MSG_GT(shifted.error, least.error, "loss of " << m << " flows, shifted");
        }
        fctNs.assign(m, -1);
        const M3Example lost = M3Example::Make(features, *scenario, 0, fctNs, true);
        for (float value : lost.weight)
        {
            NS_TEST_EXPECT_MSG_EQ(value, 0, "flows that never finished");
        }
    }
}

DcnTestSuite<FluidTestCase,
             FeaturesTestCase,
             LinksTestCase,
             NetworkFeaturesTestCase,
             ScalerTestCase,
             ExampleTestCase>
    g_m3FeaturesTestSuite("m3-features"); //!< the suite

} // namespace
