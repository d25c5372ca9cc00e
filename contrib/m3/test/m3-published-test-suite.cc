/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/estimate/m3-estimator.h"
#include "../model/features/m3-feature-set.h"
#include "../training/m3-evaluation.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-test-scenario.h"
#include "m3-test-case.h"
#include "m3-test-inputs.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-torch.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Star = M3TestStar; //!< see there

const M3FeatureSet& DEFAULT = M3FeatureSet::Default();     //!< the default feature set
const M3FeatureSet& PUBLISHED = M3FeatureSet::Published(); //!< the published feature set
const uint32_t C = PUBLISHED.nSlots;                       //!< slots
const uint32_t K = PUBLISHED.nKnots;                       //!< knots

/// The published features of a star, by hand.
class PublishedTestCase : public TestCase
{
  public:
    PublishedTestCase()
        : TestCase("published features: dimensions, maps and targets")
    {
    }

  private:
    /// Sizes, classes and places of quantiles.
    void CheckLayout()
    {
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.nToken, 10 * 100 + 19, "features of a link");
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.nForeground, 10 * 100 + 19, "features of a path");
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.nOutputs, 4 * 100, "answers");
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.knots[0], 0.01, "first percentile");
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.knots[99], 1, "last percentile");
        NS_TEST_EXPECT_MSG_EQ(DEFAULT.nToken, 6 * 7 + 20 + 6 + 18, "features of a link");
        NS_TEST_EXPECT_MSG_EQ(DEFAULT.nForeground, 6 * 13 + 5 + 1 + 18, "features of a path");
        NS_TEST_EXPECT_MSG_EQ(DEFAULT.nOutputs, 18 * 16, "answers");
        NS_TEST_EXPECT_MSG_EQ((&M3FeatureSet::Get("published") == &PUBLISHED &&
                               &M3FeatureSet::Get("default") == &DEFAULT),
                              true,
                              "by name");
        DCN_TEST_EXPECT_ERROR(M3FeatureSet::Get("all"),
                              "the architecture of m3 is default, links or published, not \"all\"");
        const std::vector<std::pair<uint64_t, uint32_t>> bounds{{1, 0},
                                                                {249, 0},
                                                                {250, 1},
                                                                {999, 3},
                                                                {1000, 4},
                                                                {1999, 4},
                                                                {2000, 5},
                                                                {5000, 6},
                                                                {7500, 7},
                                                                {10'000, 8},
                                                                {49'999, 8},
                                                                {50'000, 9},
                                                                {1'000'000'000, 9}};
        for (const auto& [bytes, expected] : bounds)
        {
            NS_TEST_EXPECT_MSG_EQ(PUBLISHED.GetMapClass(bytes), expected, "class of " << bytes);
        }
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.GetClass(999), 0, "answers");
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.GetClass(1'000'000), 3, "answers");
        NS_TEST_EXPECT_MSG_EQ(PUBLISHED.GetSlot(3, 100), 3, "one slot for any number of flows");
        // the nearest of 0 to n - 1 to (n - 1) p, halves up
        for (std::size_t n : {1, 2, 11, 51, 101, 12'345})
        {
            for (uint32_t p = 1; p <= 100; ++p)
            {
                NS_TEST_EXPECT_MSG_EQ(PUBLISHED.GetRank(PUBLISHED.knots[p - 1], n),
                                      ((n - 1) * p + 50) / 100,
                                      "percentile " << p << " of " << n);
            }
        }
    }

    void DoRun() override
    {
        CheckLayout();
        auto scenario = Star::Make({{0, 0, 2, 100'000, 0},
                                    {1, 1, 2, 500, 1000},
                                    {2, 1, 2, 600, 1000},
                                    {3, 1, 2, 20'000, 1'000'000}});
        const DcnPathIndex pathIndex(scenario);
        const M3Base base(scenario, PUBLISHED);
        const M3Fluid& fluid = base.GetFluid();
        M3FeatureExtractor features(pathIndex, base);
        const uint32_t path = pathIndex.GetPathOf(1);
        features.Prepare({path});
        const M3PathFeatures input = features.Make(path);
        NS_TEST_ASSERT_MSG_EQ(input.token.size(), 2 * 1019, "features of links");
        NS_TEST_ASSERT_MSG_EQ(input.foreground.size(), 1019, "features of the path");
        // Three flows share 10 Gb/s when 1 and 2 start; 548 bytes of each later, flow 1 is over,
        // and the last 100 of flow 2 have 5 Gb/s. Alone, packets are sent twice, and travel 2 us.
        const double ns = 0.8; // of a byte at full rate
        const double first = (2000 + 548 * ns + 3 * 548 * ns) / (2000 + 2 * 548 * ns);
        const double second = (2000 + 648 * ns + (3 * 548 + 2 * 100) * ns) / (2000 + 2 * 648 * ns);
        NS_TEST_ASSERT_MSG_LT(first, second, "order of the flows");
        auto check = [&](const std::vector<float>& features, std::size_t row, uint32_t c) {
            for (uint32_t k = 0; k < 100; ++k)
            {
                const float value = features[row * 1019 + c * 100 + k];
                if (&features == &input.foreground && c == 2)
                {
                    // [500, 750) B: from the 50th percentile on, the second is nearer
                    NS_TEST_EXPECT_MSG_EQ_TOL(value,
                                              (k + 1 < 50 ? first : second),
                                              2e-3,
                                              "percentile " << k + 1 << " of two flows");
                }
                else if (&features == &input.foreground && c == 8)
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(value, 1, 1e-5, "[10, 50) KB: a flow alone");
                }
                else if (&features == &input.token && row == 1 && c == 9)
                {
                    NS_TEST_EXPECT_MSG_EQ(value,
                                          std::exp(fluid.GetLogSlowdown(0)),
                                          "the second link has a flow of others");
                }
                else
                {
                    NS_TEST_EXPECT_MSG_EQ(std::isnan(value), true, "no flow in class " << c);
                }
            }
        };
        for (uint32_t c = 0; c < 10; ++c)
        {
            check(input.foreground, 0, c);
            check(input.token, 0, c);
            check(input.token, 1, c);
        }
        std::vector<float> network;
        M3NetworkFeatures(pathIndex, path, scenario->GetNetwork()).Append(true, network);
        for (std::size_t end : {std::size_t{1019}, std::size_t{2 * 1019}})
        {
            const auto& row = end == 1019 ? input.foreground : input.token;
            NS_TEST_EXPECT_MSG_EQ(std::equal(network.begin(),
                                             network.end(),
                                             row.begin() + static_cast<std::ptrdiff_t>(end) - 19),
                                  true,
                                  "the features of the network are the end of every row");
        }
        // the fluid's answer by class of the answers, which are those of the reports
        for (uint32_t k = 0; k < 100; ++k)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(std::exp(input.base[k]),
                                      (k + 1 < 50 ? first : second),
                                      2e-3,
                                      "below 1 KB");
            NS_TEST_EXPECT_MSG_EQ(input.base[100 + k], 0, "no flow");
        }
        NS_TEST_EXPECT_MSG_EQ(input.flows[0].size(), 2, "flows of a slot");
        NS_TEST_EXPECT_MSG_EQ(input.flows[2].size(), 1, "flows of a slot");
        NS_TEST_EXPECT_MSG_EQ(input.traffic.foreground, 3, "traffic");
        NS_TEST_EXPECT_MSG_EQ(input.traffic.flows, 4, "traffic");
        // flow 2 starts behind a window of flow 0 and 548 bytes of flow 1, twice
        NS_TEST_EXPECT_MSG_EQ_TOL(input.traffic.windows,
                                  1 + 2 * 548.0 / Star::WINDOW,
                                  1e-6,
                                  "traffic");

        // flows as slow as e^0.5, e^0.1 and, the last, never finished
        std::vector<int64_t> fctNs{-1, 0, 0, -1};
        for (uint32_t flow : {1, 2})
        {
            const auto ideal = static_cast<double>(scenario->GetIdealFct(flow).GetTotalNs());
            fctNs[flow] = std::llround(ideal * std::exp(flow == 1 ? 0.5 : 0.1));
        }
        const M3Example example = M3Example::Make(features, *scenario, path, fctNs, true);
        std::vector<float> quantiles(PUBLISHED.nOutputs, 0.2F);
        for (uint32_t k = 0; k < 400; ++k)
        {
            NS_TEST_EXPECT_MSG_EQ(example.weight[k], (k < 100 ? 1 : 0), "weight of " << k);
            NS_TEST_EXPECT_MSG_EQ_TOL(example.target[k],
                                      (k < 49    ? 0.1
                                       : k < 100 ? 0.5
                                                 : 0),
                                      1e-3,
                                      "target " << k);
        }
        NS_TEST_EXPECT_MSG_EQ(example.known.size(), 0, "nothing else is known");
        NS_TEST_EXPECT_MSG_EQ(example.truth[0].size(), 2, "truth");
        M3Loss loss;
        example.AddLoss(quantiles.data(), loss);
        NS_TEST_EXPECT_MSG_EQ(loss.weight, 400, "all percentiles, also of classes without flows");
        NS_TEST_EXPECT_MSG_EQ_TOL(loss.error,
                                  49 * std::expm1(0.1) - 51 * std::expm1(-0.3),
                                  0.1,
                                  "sum of relative errors");

        std::vector<M3Point> points;
        M3Expand(input, quantiles.data(), 1, points);
        double nFlows = 0;
        for (const M3Point& point : points)
        {
            nFlows += point.nFlows;
            NS_TEST_EXPECT_MSG_GT(point.nFlows, 0, "no points beyond the last percentile");
            NS_TEST_EXPECT_MSG_EQ_TOL(point.slowdown, std::exp(0.2), 1e-6, "slowdown");
        }
        NS_TEST_EXPECT_MSG_EQ(points.size(), 2 * 200, "two for each percentile and class");
        NS_TEST_EXPECT_MSG_EQ_TOL(nFlows, 3, 1e-9, "points stand for all flows");
    }
};

/// The 19 published features of the network.
DCN_TEST_CASE(PublishedNetworkFeaturesTestCase, "published features of the network")
{
    // by congestion control: place of its 1, and its parameters from some place on
    const std::vector<std::tuple<std::string, std::size_t, std::size_t, std::vector<double>>>
        expected{{"dctcp", 8, 12, {12}},
                 {"dcqcn", 9, 13, {20, 30}},
                 {"hpcc", 10, 15, {90, 75}},
                 {"timely", 11, 17, {45, 120}}};
    for (const auto& [control, place, from, parameters] : expected)
    {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(control);
        network->windowBytes = 15'000;
        network->bufferBytes = 300'000;
        network->pfc = control != "dctcp";
        network->ecnReferenceRate = DataRate(Star::RATE);
        network->ecnKminBytes = 8000;   // 20 KB at 25 Gb/s
        network->ecnKmaxBytes = 12'000; // 30 KB
        network->SetOwn("hpcc_eta", 0.9);
        network->SetOwn("hpcc_additive_increase_bps", 750e6);
        network->SetOwn("timely_low_ns", 45'000);
        network->SetOwn("timely_high_ns", 120'000);
        for (std::size_t nLinks : {2, 3, 4, 6, 8})
        {
            std::vector<double> values(19, 0.0);
            if (nLinks % 2 == 0 && nLinks < 8)
            {
                values[nLinks / 2 - 1] = 1;
            }
            // 10 Gb/s times 2 us for each link, in 1000 bytes: 5, 10 and 15 as published
            values[3] = 2.5 * static_cast<double>(nLinks);
            values[4] = 30;
            values[5] = 15;
            values[control == "dctcp" ? 7 : 6] = 1;
            values[place] = 1;
            std::copy(parameters.begin(),
                      parameters.end(),
                      values.begin() + static_cast<std::ptrdiff_t>(from));
            std::vector<uint64_t> rates(nLinks, 4 * Star::RATE);
            rates.front() = Star::RATE;
            rates.back() = Star::RATE;
            const DcnPathSpec path{rates,
                                   std::vector<int64_t>(nLinks, Star::DELAY),
                                   Star::RATE,
                                   8000,
                                   10'000};
            std::vector<float> features;
            M3NetworkFeatures(path, *network, 1e5).Append(true, features);
            NS_TEST_ASSERT_MSG_EQ(features.size(), values.size(), "values");
            for (std::size_t i = 0; i < values.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(features[i],
                                          values[i],
                                          1e-4,
                                          control << ", " << nLinks << " links, value " << i);
            }
        }
    }
}

DCN_TEST_CASE(PublishedNetworkTestCase, "published network")
{
    const std::vector<M3PathFeatures> inputs = M3TestDraws(PUBLISHED).Inputs(5);
    const auto shape = MakeM3TestShape(PUBLISHED);
    const M3Network zero(MakeM3TestModel(0, shape, PUBLISHED));
    NS_TEST_EXPECT_MSG_EQ(zero.GetFeatureSet().name, "published", "the card names it");
    const std::vector<float> first = zero.Predict(inputs);
    NS_TEST_ASSERT_MSG_EQ(first.size(), inputs.size() * C * K, "answers");
    for (float log : first)
    {
        NS_TEST_EXPECT_MSG_EQ(log, 0, "a last layer of 0: an idle network");
    }
    const DcnModelFile random = MakeM3TestModel(1, shape, PUBLISHED);
    const M3Network network(random);
    bool isAbove = false;
    for (float log : network.Predict(inputs))
    {
        NS_TEST_EXPECT_MSG_EQ((std::isfinite(log) && log >= 0), true, "slowdowns from 1");
        isAbove = isAbove || log > 0;
    }
    NS_TEST_EXPECT_MSG_EQ(isAbove, true, "the weights have an influence");
    auto predict = [&](float number) {
        M3PathFeatures input = inputs.front();
        // the first percentile of the second class, first link, and of the first class
        input.token[K] = number;
        input.foreground.front() = number;
        return network.Predict({input});
    };
    const float learned = random.Get("absent", 1, K).values.front();
    NS_TEST_EXPECT_MSG_EQ((predict(M3Scaler::ABSENT) == predict(learned)),
                          true,
                          "absent features are learned");
    NS_TEST_EXPECT_MSG_EQ((predict(M3Scaler::ABSENT) == predict(0)), false, "not 0");
    NS_TEST_EXPECT_MSG_EQ((predict(1000) == predict(10 * M3Scaler::LIMIT)), false, "no limit");
}

DCN_TEST_CASE(CardTestCase, "cards that name another feature set")
{
    auto relabel = [](const M3FeatureSet& from, const M3FeatureSet& to) {
        DcnModelFile model = MakeM3TestModel(0, MakeM3TestShape(from), from);
        model.Set("architecture", "features", to.name);
        model.Set("architecture", "feature_version", to.version);
        return model;
    };
    DCN_TEST_EXPECT_ERROR(M3Network(relabel(DEFAULT, PUBLISHED)),
                          "the card of the model of m3 says published features, which have "
                          "1019 numbers of a link, but its matrix token.w is for 86");
    DCN_TEST_EXPECT_ERROR(M3Network(relabel(PUBLISHED, DEFAULT)),
                          "the card of the model of m3 says default features, which have 86 "
                          "numbers of a link, but its matrix token.w is for 1019");
    DcnModelFile other = M3Network::MakeCard(DEFAULT, MakeM3TestShape(), DcnTrainedRanges());
    other.Add({"mlp3.w", 400, 1, std::vector<float>(400)});
    DCN_TEST_EXPECT_ERROR(M3Network{other},
                          "the card of the model of m3 says default features, which have 288 "
                          "answers, but its matrix mlp3.w is for 400");
    DcnModelFile model = MakeM3TestModel(0);
    model.Set("architecture", "features", "published");
    DCN_TEST_EXPECT_ERROR(M3Network{model},
                          "the model was made with version 2 of the published features of m3, "
                          "but 1 is needed: train it again with m3-train");
    model.Set("architecture", "features", "all");
    DCN_TEST_EXPECT_ERROR(M3Network{model},
                          "the architecture of m3 is default, links or published, not \"all\"");
    const M3Network shipped(DcnModelFile::Read(DcnDataPath("models/m3"), "m3"));
    NS_TEST_EXPECT_MSG_EQ((&shipped.GetFeatureSet() == &DEFAULT), true, "the default");
}

/// Trained, saved, loaded, resumed and asked.
DCN_TEST_CASE_WITH(M3TestCase, TrainingTestCase, "training of the published architecture")
{
    M3TestDraws draws(PUBLISHED);
    auto examples = draws.Examples(120);
    const auto others = draws.Examples(40);
    examples[3].input.foreground[7] = M3Scaler::ABSENT;
    examples[4].input.token[7] = M3Scaler::ABSENT;
    auto options = MakeM3TestOptions("published", 8, 10);
    options.firstRate = 5e-3;
    M3Trainer trainer(options, examples);
    NS_TEST_EXPECT_MSG_EQ(trainer.DescribeOptions().find("architecture=published "),
                          0,
                          "a training is of an architecture");
    const double before = M3Evaluation(others, M3Network(trainer.GetModel())).GetLoss();
    for (int i = 0; i < 5; ++i)
    {
        trainer.RunEpoch();
    }
    const std::string folder = CreateTempDirFilename("m3-published");
    trainer.Save(folder + "/state");
    Finish(trainer, options.epochs);
    trainer.GetModel().Write(folder);
    const M3Network network(DcnModelFile::Read(folder, "m3"));
    const double after = M3Evaluation(others, network).GetLoss();
    NS_TEST_EXPECT_MSG_LT(after, before / 2, "it learns; before " << before);

    M3Trainer resumed(options, examples);
    resumed.Load(folder + "/state");
    Finish(resumed, options.epochs);
    const std::vector<M3PathFeatures> inputs = GetInputs(examples);
    const std::vector<float> answer = network.Predict(inputs);
    NS_TEST_EXPECT_MSG_EQ((answer == M3Network(resumed.GetModel()).Predict(inputs)),
                          true,
                          "a resumed training gives equal bytes, also of dropout");
    CheckTorch(trainer, examples, answer, 2e-5);

    const auto standard = M3TestDraws().Examples(1);
    const std::string other = "the network has published features, but a path has default ones";
    DCN_TEST_EXPECT_ERROR(network.Predict({others.front().input, standard.front().input}), other);
    DCN_TEST_EXPECT_ERROR(M3Evaluation(standard, network), other);
    examples.push_back(standard.front());
    DCN_TEST_EXPECT_ERROR(M3Trainer(options, examples),
                          "a training of the published architecture has a path with default "
                          "features");
}

DCN_TEST_CASE(EstimatorTestCase, "the method with a model of the published architecture")
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    const auto scenario = DcnMakeTestScenario(topology, DcnTestWorkload(600));
    const std::string folder = CreateTempDirFilename("m3-published-method");
    auto estimate = [&](double last, const std::string& attributes) {
        MakeM3TestModel(last, MakeM3TestShape(PUBLISHED), PUBLISHED).Write(folder);
        return DynamicCast<M3Estimator>(
                   DcnEstimator::CreateByName("m3:NPaths=100:Model=" + folder + attributes))
            ->Predict(scenario);
    };
    for (const std::string fluid : {":Fluid=Network", ":Fluid=Path"})
    {
        double weight = 0;
        const M3Distribution idle = estimate(0, fluid);
        for (const auto& sample : idle.MakeSamples())
        {
            weight += sample.weight;
            NS_TEST_EXPECT_MSG_EQ(sample.slowdown, 1, "a last layer of 0: an idle network");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(weight, 600, 1e-6, "samples stand for all flows");
        DcnSlowdownQuery query;
        query.p = 1; // which the default features refuse
        NS_TEST_EXPECT_MSG_EQ(idle.Ask(query)->value, 1, "the last percentile");

        const auto one = estimate(1, fluid + ":Threads=1").MakeSamples();
        const auto two = estimate(1, fluid + ":Threads=3").MakeSamples();
        NS_TEST_ASSERT_MSG_EQ(one.size(), two.size(), "samples");
        double largest = 0;
        for (std::size_t i = 0; i < one.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(one[i].slowdown, two[i].slowdown, "any number of threads");
            largest = std::max(largest, one[i].slowdown);
        }
        NS_TEST_EXPECT_MSG_EQ((largest > 1.06 && std::isfinite(largest)),
                              true,
                              "weights have an influence: " << largest);
        // that features have one, too: last percentiles of one class on paths of two senders
        const M3Distribution distribution = estimate(1, fluid);
        DcnSlowdownQuery of;
        of.p = 1;
        of.smallestBytes = 1;
        of.largestBytes = 999; // the first class of the feature set
        std::vector<double> last;
        for (uint32_t host : topology->GetHosts())
        {
            of.sources = {host};
            const auto quantile = distribution.Ask(of);
            if (quantile)
            {
                last.push_back(quantile->value);
            }
        }
        std::sort(last.begin(), last.end());
        NS_TEST_ASSERT_MSG_GT(last.size(), 1, "senders with flows of the class");
        NS_TEST_EXPECT_MSG_GT(last.back() / last.front(), 1.001, "features have an influence");
    }
}

DcnTestSuite g_m3PublishedTestSuite("m3-published",
                                    {new PublishedTestCase,
                                     new PublishedNetworkFeaturesTestCase,
                                     new CardTestCase},
                                    DcnTestsIf(DcnTorch::IsAvailable(),
                                               DCN_NEED_LIBTORCH,
                                               {new PublishedNetworkTestCase,
                                                new TrainingTestCase,
                                                new EstimatorTestCase})); //!< the suite

} // namespace
