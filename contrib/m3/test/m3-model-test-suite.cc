/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/dcn-data-path.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"
#include "ns3/m3-estimator.h"
#include "ns3/m3-what-if.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param congestionControl in force, with its preset
 * @return flows on the default fabric
 */
Ptr<const DcnScenario>
MakeScenario(const std::string& congestionControl)
{
    DcnScenarioOptions options;
    options.Set("cc", congestionControl);
    options.Set("flows", "1500");
    return options.Create();
}

/**
 * @brief The model that comes with the module, on the default fabric with the preset of a
 * congestion control: nothing is outside of its training, and percentiles are near those of
 * packets.
 */
class PresetTestCase : public TestCase
{
  public:
    /**
     * @param congestionControl in force
     */
    explicit PresetTestCase(const std::string& congestionControl)
        : TestCase("the shipped model, " + congestionControl),
          m_congestionControl(congestionControl)
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = MakeScenario(m_congestionControl);
        const auto m3 = DynamicCast<M3Estimator>(DcnEstimator::CreateByName("m3"));
        const M3Answer answer = m3->Answer(scenario);
        for (const std::string& warning : answer.GetWarnings())
        {
            NS_TEST_EXPECT_MSG_EQ(warning, "", "a warning");
        }
        const auto fctNs = DcnEstimator::CreateByName("packet")->Estimate(scenario).fctNs;
        Simulator::Destroy();
        for (const DcnSizeClass& sizeClass : DcnSizeClasses())
        {
            std::vector<double> slowdowns;
            for (std::size_t i = 0; i < fctNs.size(); ++i)
            {
                if (sizeClass.Contains(static_cast<double>(scenario->GetFlows()[i].sizeBytes)))
                {
                    slowdowns.push_back(static_cast<double>(fctNs[i]) /
                                        static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()));
                }
            }
            std::sort(slowdowns.begin(), slowdowns.end());
            const auto quantile = answer.Ask(M3Query::OfClass(sizeClass));
            NS_TEST_ASSERT_MSG_EQ(quantile.has_value(), true, sizeClass.name);
            // not how good it is (doc/validation.rst), but that it is the right model
            const double truth = DcnQuantile(slowdowns, 0.99);
            const double most = sizeClass.name == "all" ? 1.4 : 1.8;
            NS_TEST_EXPECT_MSG_LT(std::abs(std::log(quantile->value / truth)),
                                  std::log(most),
                                  sizeClass.name << ": " << quantile->value << ", packets "
                                                 << truth);
        }
    }

    std::string m_congestionControl; //!< in force
};

/// The shipped model has learned what parameters do.
class SweepTestCase : public TestCase
{
  public:
    SweepTestCase()
        : TestCase("the shipped model, parameters of the network")
    {
    }

  private:
    void DoRun() override
    {
        const M3Network network(DcnModelFile::Read(DcnDataPath("models/m3"), "m3"));
        // longer queues: short flows wait
        const std::map<std::string, std::vector<std::pair<std::string, std::string>>> sweeps{
            {"hpcc", {{"hpcc_eta", "0.72"}, {"hpcc_eta", "0.94"}}},
            {"dctcp",
             {{"ecn_kmin_bytes=5000,ecn_kmax_bytes", "5000"},
              {"ecn_kmin_bytes=20000,ecn_kmax_bytes", "20000"}}}};
        for (const auto& [control, points] : sweeps)
        {
            const auto scenario = MakeScenario(control);
            M3WhatIf whatIf(scenario,
                            network,
                            DcnDrawPaths(DcnPathCensus(scenario),
                                         1000,
                                         DcnPathSampling::SYSTEMATIC,
                                         scenario->GetSeed()),
                            DcnPathSampling::SYSTEMATIC);
            std::vector<double> p99;
            for (const auto& [key, value] : points)
            {
                Ptr<DcnNetworkConfig> config = CopyObject(scenario->GetNetworkConfig());
                config->SetKeys(key + "=" + value);
                const auto quantile =
                    whatIf.Answer(config).Ask(M3Query::OfClass(DcnSizeClasses()[1]));
                NS_TEST_ASSERT_MSG_EQ(quantile.has_value(), true, "short flows");
                p99.push_back(quantile->value);
            }
            NS_TEST_EXPECT_MSG_EQ(whatIf.GetNFluids(), 1, "fluids");
            NS_TEST_EXPECT_MSG_GT(p99[1] / p99[0], 1.1, control);
        }
    }
};

/// The suite.
class M3ModelTestSuite : public TestSuite
{
  public:
    M3ModelTestSuite()
        : TestSuite("m3-model", Type::UNIT)
    {
        for (const auto& congestionControl : DcnNetworkConfig::GetCongestionControls())
        {
            AddTestCase(new PresetTestCase(congestionControl));
        }
        AddTestCase(new SweepTestCase);
    }
};

M3ModelTestSuite g_m3ModelTestSuite; //!< the suite

} // namespace
