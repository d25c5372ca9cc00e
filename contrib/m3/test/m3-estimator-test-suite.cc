/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/estimate/m3-estimator.h"
#include "../model/features/m3-base.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"
#include "dcn-test-scenario.h"
#include "m3-test-inputs.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator-helper.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-result-store.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param nFlows number of flows
 * @param topology the network
 * @return flows of 1 KB to 10 KB on it, mostly
 */
Ptr<const DcnScenario>
MakeScenario(uint64_t nFlows, Ptr<DcnTopology> topology)
{
    return DcnMakeTestScenario(topology, DcnTestWorkload(nFlows, "web-server", 0.6));
}

/**
 * @param featureSet of the network
 * @return shape of a small network
 */
M3NetworkShape
MakeShape(const M3FeatureSet& featureSet = M3FeatureSet::Default())
{
    M3NetworkShape shape = MakeM3TestShape(featureSet);
    shape.heads = 4;
    shape.layers = 1;
    shape.feedForward = 16;
    shape.mlp = 16;
    return shape;
}

/**
 * @param estimate with samples
 * @param level of the quantile
 * @return quantile of the slowdowns
 */
double
GetQuantile(const DcnEstimate& estimate, double level)
{
    std::vector<std::pair<double, double>> sorted;
    for (const auto& sample : estimate.samples)
    {
        sorted.emplace_back(sample.slowdown, sample.weight);
    }
    std::sort(sorted.begin(), sorted.end());
    return DcnWeightedQuantile(sorted, level);
}

/**
 * @param estimate with samples
 * @return sum of their weights
 */
double
GetWeight(const DcnEstimate& estimate)
{
    double sum = 0;
    for (const auto& sample : estimate.samples)
    {
        sum += sample.weight;
    }
    return sum;
}

/// A network that has learned nothing gives the distribution of its base; draws and threads.
class UntrainedTestCase : public TestCase
{
  public:
    /**
     * @param featureSet of the model
     * @param base method with the answers of the base
     */
    UntrainedTestCase(const M3FeatureSet& featureSet, const std::string& base)
        : TestCase("without training: the distribution of " + base),
          m_featureSet(featureSet),
          m_base(base)
    {
    }

  private:
    void DoRun() override;

    const M3FeatureSet& m_featureSet; //!< of the model
    std::string m_base;               //!< see the constructor
};

void
UntrainedTestCase::DoRun()
{
    // m3: name of the method
    // scenario: the flows
    // base: their slowdowns by the base
    const auto checkClasses = [&](const std::string& m3,
                                  Ptr<const DcnScenario> scenario,
                                  const std::vector<double>& base) {
        const auto method = DynamicCast<M3Estimator>(DcnEstimator::CreateByName(m3 + ":NPaths=0"));
        const M3Distribution answer = method->Predict(scenario);
        NS_TEST_EXPECT_MSG_EQ(answer.GetWarnings().size(), 0, "no training, no ranges");
        for (const DcnSizeClass& sizeClass : DcnSizeClasses())
        {
            std::vector<double> slowdowns;
            for (std::size_t i = 0; i < base.size(); ++i)
            {
                if (sizeClass.Contains(static_cast<double>(scenario->GetFlows()[i].sizeBytes)))
                {
                    slowdowns.push_back(base[i]);
                }
            }
            std::sort(slowdowns.begin(), slowdowns.end());
            for (double p : {0.5, 0.9})
            {
                DcnSlowdownQuery query = DcnSlowdownQuery::OfClass(sizeClass);
                query.p = p;
                const auto quantile = answer.Ask(query);
                NS_TEST_ASSERT_MSG_EQ(quantile.has_value(), !slowdowns.empty(), sizeClass.name);
                if (!quantile)
                {
                    continue;
                }
                // knots are up to 10 % apart, between which quantiles are linear
                const double expected = DcnQuantile(slowdowns, p);
                NS_TEST_EXPECT_MSG_EQ_TOL(quantile->value,
                                          expected,
                                          0.03 * expected,
                                          sizeClass.name << " at " << p);
                NS_TEST_EXPECT_MSG_EQ(quantile->lower, quantile->value, "every path: no limits");
                NS_TEST_EXPECT_MSG_EQ(quantile->upper, quantile->value, "every path: no limits");
            }
        }
    };
    const std::string folder = CreateTempDirFilename("m3-untrained");
    MakeM3TestModel(0, MakeShape(m_featureSet), m_featureSet).Write(folder);
    const std::string m3 = "m3:Model=" + folder;
    // one path with many flows, and a fabric with few flows on each of many paths
    for (const auto& scenario : {MakeScenario(3000, DcnBuildTopology(DcnDumbbellParameters())),
                                 MakeScenario(1500, DcnBuildTopology(DcnFabricParameters()))})
    {
        const auto n = static_cast<double>(scenario->GetFlows().size());
        const DcnEstimate all = DcnEstimator::CreateByName(m3 + ":NPaths=0")->Estimate(scenario);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetWeight(all), n, 1e-6 * n, "samples stand for all flows");
        const auto fctNs = DcnEstimator::CreateByName(m_base)->Estimate(scenario).fctNs;
        std::vector<double> slowdowns;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            slowdowns.push_back(
                std::max(1.0,
                         static_cast<double>(fctNs[i]) /
                             static_cast<double>(scenario->GetIdealFct(i).GetTotalNs())));
        }
        checkClasses(m3, scenario, slowdowns);
        std::sort(slowdowns.begin(), slowdowns.end());
        for (double level : {0.5, 0.9, 0.99})
        {
            const double found = GetQuantile(all, level);
            // Between knots, a sample stands for several flows. So where a sample of a class of
            // sizes is below, its flows may be above, and the other way round.
            double flows = 0;
            for (const DcnSizeClass& sizeClass : DcnSizeClasses())
            {
                double nearest = std::numeric_limits<double>::infinity();
                double weight = 0;
                for (const auto& sample : all.samples)
                {
                    const double distance = std::abs(sample.slowdown - found);
                    const auto bytes = static_cast<double>(sample.sizeBytes);
                    if (sizeClass.name != "all" && sizeClass.Contains(bytes) && distance < nearest)
                    {
                        nearest = distance;
                        weight = sample.weight;
                    }
                }
                flows += weight;
            }
            // a wrong weight must not widen its own bound
            NS_TEST_ASSERT_MSG_LT(flows, 0.02 * n, "flows of the nearest samples");
            const double lower = DcnQuantile(slowdowns, level - flows / n);
            const double upper = DcnQuantile(slowdowns, std::min(1.0, level + flows / n));
            NS_TEST_EXPECT_MSG_GT(found, 0.98 * lower, "quantile at " << level);
            NS_TEST_EXPECT_MSG_LT(found, 1.02 * upper, "quantile at " << level);
        }
        for (const auto& sample : all.samples)
        {
            NS_TEST_EXPECT_MSG_EQ((sample.slowdown >= 1 && sample.weight > 0),
                                  true,
                                  "a slowdown and its weight");
        }
        for (const std::string sampling : {"Systematic", "Replacement"})
        {
            // several calls of the network
            const std::string some = m3 + ":NPaths=300:Sampling=" + sampling;
            const DcnEstimate one =
                DcnEstimator::CreateByName(some + ":Threads=1")->Estimate(scenario);
            const DcnEstimate two =
                DcnEstimator::CreateByName(some + ":Threads=3")->Estimate(scenario);
            // sum of m N / n, or certainties and n' spacings
            NS_TEST_EXPECT_MSG_EQ_TOL(GetWeight(one),
                                      n,
                                      1e-6 * n,
                                      "draws stand for all flows, " << sampling);
            NS_TEST_ASSERT_MSG_EQ(one.samples.size(), two.samples.size(), "samples");
            NS_TEST_EXPECT_MSG_EQ((one.samples.size() <= all.samples.size()), true, "some");
            for (std::size_t i = 0; i < one.samples.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ((one.samples[i].slowdown == two.samples[i].slowdown &&
                                       one.samples[i].weight == two.samples[i].weight),
                                      true,
                                      "any number of threads");
            }
        }
    }
}

DCN_TEST_CASE(LimitsTestCase, "limits of draws of paths of a fabric")
{
    const std::string folder = CreateTempDirFilename("m3-limits");
    MakeM3TestModel(0, MakeShape()).Write(folder);
    const std::string m3 = "m3:Model=" + folder;
    const auto scenario = MakeScenario(1500, DcnBuildTopology(DcnFabricParameters()));
    auto ask = [&](const std::string& attributes) {
        DcnSlowdownQuery query;
        query.p = 0.9;
        return *DynamicCast<M3Estimator>(DcnEstimator::CreateByName(m3 + attributes))
                    ->Predict(scenario)
                    .Ask(query);
    };
    const double all = ask(":NPaths=0").value;
    constexpr int TRIALS = 30;
    for (const std::string sampling : {"Systematic", "Replacement"})
    {
        int inside = 0;
        double width = 0;
        for (int trial = 1; trial <= TRIALS; ++trial)
        {
            const DcnSlowdownQuantile some =
                ask(":NPaths=200:Sampling=" + sampling + ":Seed=" + std::to_string(trial));
            inside += some.lower <= all && all <= some.upper ? 1 : 0;
            width += (some.upper - some.lower) / all / TRIALS;
            NS_TEST_EXPECT_MSG_EQ((some.lower < some.value && some.value < some.upper),
                                  true,
                                  "limits of trial " << trial);
        }
        // 28.5 of 30 if exact, with a standard deviation of 1.2; systematic draws have more
        NS_TEST_EXPECT_MSG_GT(inside, 24, "limits that hold it, " << sampling);
        NS_TEST_EXPECT_MSG_LT(width, 1, "limits are of use, " << sampling);
    }
    const auto method = DcnEstimator::CreateByName(m3 + ":NPaths=200");
    method->Estimate(scenario);
    const auto limits = method->Estimate(scenario).limits;
    NS_TEST_ASSERT_MSG_EQ(limits.size(), DcnSizeClasses().size(), "classes");
    for (std::size_t c = 0; c < limits.size(); ++c)
    {
        NS_TEST_EXPECT_MSG_EQ(limits[c].first, DcnSizeClasses()[c].name, "class");
        NS_TEST_EXPECT_MSG_EQ(limits[c].second.p, 0.99, "percentile");
    }
}

/// One flow, and flows that start together or long after.
class FewFlowsTestCase : public TestCase
{
  public:
    FewFlowsTestCase()
        : TestCase("few flows")
    {
    }

  private:
    /// Returns the answer of an untrained network for some flows to one host.
    DcnSlowdownQuantile Ask(const std::vector<int64_t>& starts)
    {
        const std::string folder = CreateTempDirFilename("m3-few");
        MakeM3TestModel(0, MakeShape()).Write(folder);
        Ptr<DcnTopology> topology = DcnBuildTopology(DcnDumbbellParameters());
        const auto& hosts = topology->GetHosts();
        std::vector<DcnFlow> flows(starts.size());
        for (std::size_t i = 0; i < starts.size(); ++i)
        {
            flows[i].id = static_cast<uint32_t>(i);
            flows[i].src = hosts[i % 4];
            flows[i].dst = hosts.back();
            flows[i].sizeBytes = 100'000;
            flows[i].startNs = starts[i];
        }
        auto config = DcnNetworkConfig::Preset("dctcp");
        const auto scenario = DcnScenario::Create(topology, config, std::move(flows));
        const DcnPathIndex pathIndex(scenario);
        const M3Base base(scenario);
        M3FeatureExtractor features(pathIndex, base);
        features.Prepare({0});
        m_load = features.Make(0).traffic.load;
        return *DynamicCast<M3Estimator>(DcnEstimator::CreateByName("m3:Model=" + folder))
                    ->Predict(scenario)
                    .Ask({});
    }

    void DoRun() override
    {
        // 16 knots of FLOOR
        NS_TEST_EXPECT_MSG_EQ_TOL(Ask({0}).value, 1, 0.009, "alone");
        NS_TEST_EXPECT_MSG_EQ(m_load, 0, "a flow that meets no other loads no link");
        const DcnSlowdownQuantile together = Ask({0, 0, 0, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(together.value, 4, 0.3, "four share the last link");
        NS_TEST_EXPECT_MSG_EQ((m_load > 0.8 && m_load < 1), true, "no more than a link's rate");
        const DcnSlowdownQuantile later = Ask({0, 0, 0, 0, 1'000'000'000});
        NS_TEST_EXPECT_MSG_EQ_TOL(later.value,
                                  together.value,
                                  0.02 * together.value,
                                  "what comes long after makes no difference to the fluid");
    }

    double m_load{0}; //!< largest load of a link of the first path
};

/// A fluid simulation of each path instead of one of the network.
DCN_TEST_CASE(PathFluidTestCase, "fluid of each path")
{
    const std::string folder = CreateTempDirFilename("m3-paths");
    MakeM3TestModel(0.5, MakeShape()).Write(folder);
    const std::string m3 = "m3:NPaths=0:Model=" + folder;
    // all flows have the same path, which is then the whole network but for a slice of the
    // switches: features and answers are the same
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnDumbbellParameters());
    std::vector<DcnFlow> flows;
    auto several = MakeScenario(300, topology);
    for (const DcnFlow& flow : several->GetFlows())
    {
        flows.push_back(flow);
        flows.back().src = topology->GetHosts().front();
        flows.back().dst = topology->GetHosts().back();
    }
    auto single =
        DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), std::move(flows));
    const DcnEstimate whole = DcnEstimator::CreateByName(m3)->Estimate(single);
    const DcnEstimate alone = DcnEstimator::CreateByName(m3 + ":Fluid=Path")->Estimate(single);
    NS_TEST_ASSERT_MSG_EQ(whole.samples.size(), alone.samples.size(), "samples");
    double largest = 0;
    for (std::size_t i = 0; i < whole.samples.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(alone.samples[i].slowdown / whole.samples[i].slowdown,
                                  1,
                                  1e-4,
                                  "sample " << i);
        largest = std::max(largest, whole.samples[i].slowdown);
    }
    NS_TEST_EXPECT_MSG_GT(largest, 1.5, "features have an influence");

    MakeM3TestModel(0, MakeShape()).Write(folder);
    auto scenario = MakeScenario(600, DcnBuildTopology(DcnFabricParameters()));
    const DcnEstimate network = DcnEstimator::CreateByName(m3)->Estimate(scenario);
    const DcnEstimate paths = DcnEstimator::CreateByName(m3 + ":Fluid=Path")->Estimate(scenario);
    NS_TEST_ASSERT_MSG_EQ(paths.samples.size(), network.samples.size(), "samples");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetWeight(paths), 600, 1e-3, "weights");
    // flows that share no link with the path are missing: rates are higher if they differ
    const double p99 = GetQuantile(network, 0.99);
    NS_TEST_EXPECT_MSG_EQ_TOL(GetQuantile(paths, 0.99), p99, 0.2 * p99, "p99");
    for (std::size_t i = 0; i < paths.samples.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(paths.samples[i].src, network.samples[i].src, "source");
        NS_TEST_EXPECT_MSG_EQ(paths.samples[i].dst, network.samples[i].dst, "destination");
    }
}

DCN_TEST_CASE(ErrorsTestCase, "warnings and errors")
{
    auto scenario = MakeScenario(50, DcnBuildTopology(DcnDumbbellParameters()));
    const std::string folder = CreateTempDirFilename("m3-range");
    // the window was half of what it is
    const DcnPathIndex pathIndex(scenario);
    const M3Base base(scenario);
    M3FeatureExtractor features(pathIndex, base);
    NS_TEST_ASSERT_MSG_EQ(M3RangeFeatures::GetQuantities()[0].name,
                          "window / BDP",
                          "first quantity");
    DcnTrainedRanges ranges(M3RangeFeatures::GetQuantities());
    for (uint32_t path = 0; path < pathIndex.GetNPaths(); ++path)
    {
        features.Prepare({path});
        M3RangeFeatures values = features.Make(path).ranges;
        values.values[0] /= 2;
        ranges.Add(values);
    }
    MakeM3TestModel(0, MakeShape(), M3FeatureSet::Default(), ranges).Write(folder);
    DcnEstimate estimate;
    std::string text;
    {
        const DcnTestStderr printed;
        estimate = DcnEstimator::CreateByName("m3:Model=" + folder)->Estimate(scenario);
        text = printed.GetText();
    }
    const std::string begin = "outside of the training in 1 quantity: window / BDP is ";
    NS_TEST_EXPECT_MSG_EQ((text.find(begin) != std::string::npos &&
                           text.find(" in training with dctcp (") != std::string::npos),
                          true,
                          "the warning names quantity and range: " << text);
    NS_TEST_EXPECT_MSG_GT(estimate.samples.size(), 0, "there is an answer");
    NS_TEST_EXPECT_MSG_EQ((estimate.provenance.find("1 quantities outside") != std::string::npos),
                          true,
                          "provenance: " << estimate.provenance);

    auto refuse = [&](const std::string& attributes) {
        return DcnSentenceOf([&]() {
            DcnEstimator::CreateByName("m3:Model=" + folder + attributes)->Estimate(scenario);
        });
    };
    NS_TEST_EXPECT_MSG_EQ(refuse(":NPaths=0:Sampling=Replacement"),
                          "the attribute Sampling=Replacement of the method \"m3\" has no "
                          "effect with NPaths=0",
                          "sampling");
    NS_TEST_EXPECT_MSG_EQ(refuse(":NPaths=0:Seed=3"),
                          "the attribute Seed of the method \"m3\" has no effect with NPaths=0",
                          "seed");
    NS_TEST_EXPECT_MSG_EQ(
        refuse(":Fluid=Both"),
        "the attribute Fluid of the method \"m3\" is Network or Path, not \"Both\"",
        "fluid");
    NS_TEST_EXPECT_MSG_EQ(
        refuse(":Sampling=Some"),
        "the attribute Sampling of the method \"m3\" is Systematic or Replacement, not "
        "\"Some\"",
        "sampling");
    const std::string links = CreateTempDirFilename("m3-links");
    MakeM3TestModel(0, MakeShape(M3FeatureSet::Links()), M3FeatureSet::Links()).Write(links);
    const std::string alone = DcnSentenceOf(
        [&]() { DcnEstimator::CreateByName("m3:Fluid=Path:Model=" + links)->Estimate(scenario); });
    NS_TEST_EXPECT_MSG_EQ(alone,
                          "the attribute Fluid=Path of the method \"m3\" needs a model whose base "
                          "is a fluid; the base of \"" +
                              links + "\" is link simulations of the network",
                          "links of a path alone");
    DcnModelFile other("m4");
    other.Add({"x", 1, 1, {1}});
    const std::string wrong = CreateTempDirFilename("m3-wrong");
    other.Write(wrong);
    const std::string sentence = DcnSentenceOf(
        [&]() { DcnEstimator::CreateByName("m3:Model=" + wrong)->Estimate(scenario); });
    NS_TEST_EXPECT_MSG_EQ((sentence.find("m4") != std::string::npos),
                          true,
                          "a model of another kind: " << sentence);
}

/// Stored answers of a model depend on all that the model starts from.
DCN_TEST_CASE(DigestTestCase, "the digest covers the model and its base")
{
    auto digest = [this](const M3FeatureSet& featureSet) {
        const std::string folder = CreateTempDirFilename("m3-digest");
        MakeM3TestModel(0, MakeShape(featureSet), featureSet).Write(folder);
        const std::string method = "m3:Model=" + folder;
        return std::make_pair(DcnEstimator::CreateByName(method)->GetDigest(),
                              DcnResultStore::DigestFiles({folder}));
    };
    const auto [fluid, fluidFiles] = digest(M3FeatureSet::Default());
    NS_TEST_EXPECT_MSG_EQ(fluid, fluidFiles, "the fluid is part of this module");
    const auto [links, linksFiles] = digest(M3FeatureSet::Links());
    const std::string parsimon =
        DcnEstimator::CreateByName("parsimon:Clustering=true")->GetDigest();
    NS_TEST_EXPECT_MSG_EQ(links, DcnHashText(linksFiles + ' ' + parsimon), "rules of Parsimon");
}

/// The helper is a factory of the method.
DCN_TEST_CASE(HelperTestCase, "the helper makes the method")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 30'000, 0}, {1, 1, 3, 30'000, 0}});
    DcnEstimatorHelper helper("m3");
    helper.SetAttribute("NPaths", UintegerValue(1));
    const DcnEstimate answer = helper.Estimate(scenario);
    const DcnEstimate byName = DcnEstimator::CreateByName("m3:NPaths=1")->Estimate(scenario);
    NS_TEST_ASSERT_MSG_EQ(answer.samples.size(), byName.samples.size(), "as by name");
    for (std::size_t i = 0; i < answer.samples.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(answer.samples[i].slowdown, byName.samples[i].slowdown, i);
    }
    NS_TEST_EXPECT_MSG_EQ(answer.provenance, byName.provenance, "with the attribute");
}

DcnTestSuite g_m3EstimatorTestSuite(
    "m3-estimator",
    {new UntrainedTestCase(M3FeatureSet::Default(), "flowsim:WindowCap=true"),
     new UntrainedTestCase(M3FeatureSet::Links(), "parsimon:Clustering=true"),
     new LimitsTestCase,
     new FewFlowsTestCase,
     new PathFluidTestCase,
     new ErrorsTestCase,
     new DigestTestCase,
     new HelperTestCase}); //!< the suite

} // namespace
