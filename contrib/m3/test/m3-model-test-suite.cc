/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/estimate/m3-estimator.h"
#include "../model/network/m3-network.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-figures.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-path-index.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"
#include "ns3/m3-what-if.h"

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
 * @brief The model that comes with the module against packets, with the preset of a congestion
 * control, so that nothing is outside of its training.
 * @param scenario flows
 * @return by size class, error of the 99th percentile of the slowdown [%]; number of warnings
 */
DcnFiguresTestCase::Values
Measure(Ptr<const DcnScenario> scenario)
{
    const auto m3 = DynamicCast<M3Estimator>(DcnEstimator::CreateByName("m3"));
    const M3Distribution answer = m3->Predict(scenario);
    const auto fctNs = DcnFiguresTestCase::GetTruth(scenario).fctNs;
    DcnFiguresTestCase::Values values;
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
        const auto quantile = answer.Ask(DcnSlowdownQuery::OfClass(sizeClass));
        values.push_back({sizeClass.name,
                          {quantile ? 100 * (quantile->value / DcnQuantile(slowdowns, 0.99) - 1)
                                    : DcnTestFigures::NONE}});
    }
    values.push_back({"warnings", {static_cast<double>(answer.GetWarnings().size())}});
    return values;
}

/// The shipped model has learned what parameters do.
DCN_TEST_CASE(SweepTestCase, "the shipped model, parameters of the network")
{
    const DcnModelFile model = DcnModelFile::Read(DcnDataPath("models/m3"), "m3");
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
                        model,
                        DcnDrawPaths(DcnPathIndex(scenario),
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
                whatIf.Ask(config, {DcnSlowdownQuery::OfClass(DcnSizeClasses()[1])}).front();
            NS_TEST_ASSERT_MSG_EQ(quantile.has_value(), true, "short flows");
            p99.push_back(quantile->value);
        }
        NS_TEST_EXPECT_MSG_EQ(whatIf.GetNFluids(), 1, "fluids");
        NS_TEST_EXPECT_MSG_GT(p99[1] / p99[0], 1.1, control);
    }
}

/**
 * @brief The shipped model: its errors, with the limits of DcnFiguresTestCase, and what it has
 * learned. After a training,
 *
 *     ./dcn run test-runner --suite=m3-model --fullness=EXTENSIVE
 *
 * prints the errors as they are then.
 */
class M3ModelTestSuite : public DcnFiguresTestSuite
{
  public:
    M3ModelTestSuite()
        : DcnFiguresTestSuite("m3-model", Type::UNIT)
    {
        const std::map<std::string, std::vector<DcnTestFigures>> errors{
            {"dctcp",
             {{"all", {{1.43, 1.35}}},
              {"<1KB", {{10.87, 1.90}}},
              {"1-10KB", {{10.70, 2.19}}},
              {"10-50KB", {{5.98, 1.17}}},
              {">50KB", {{-11.82, 0.55}}},
              {"warnings", {{0.00, 0.00}}}}},
            {"dcqcn",
             {{"all", {{25.79, 7.21}}},
              {"<1KB", {{30.06, 4.88}}},
              {"1-10KB", {{16.73, 4.06}}},
              {"10-50KB", {{12.34, 3.69}}},
              {">50KB", {{33.14, 8.44}}},
              {"warnings", {{0.00, 0.00}}}}},
            {"timely",
             {{"all", {{-4.52, 4.68}}},
              {"<1KB", {{-4.75, 0.72}}},
              {"1-10KB", {{5.64, 0.88}}},
              {"10-50KB", {{9.93, 0.82}}},
              {">50KB", {{20.32, 0.42}}},
              {"warnings", {{0.00, 0.00}}}}},
            {"hpcc",
             {{"all", {{6.97, 0.51}}},
              {"<1KB", {{22.22, 2.54}}},
              {"1-10KB", {{19.35, 2.00}}},
              {"10-50KB", {{7.01, 0.83}}},
              {">50KB", {{31.40, 2.21}}},
              {"warnings", {{0.00, 0.00}}}}},
        };
        DCN_TEST_EXPECT_ERROR(DcnEstimator::CreateByName("m3")->Check(MakeScenario("swift")),
                              "the model was not trained on the congestion control swift, only on "
                              "dcqcn, dctcp, hpcc, timely");
        for (const auto& [cc, expected] : errors)
        {
            Expect(
                cc,
                [cc = cc](uint32_t repetition) {
                    return Measure(DcnFiguresTestCase::Repeat(MakeScenario(cc), repetition));
                },
                expected);
        }
        AddComparisons();
        AddTestCase(new SweepTestCase);
    }
};

M3ModelTestSuite g_m3ModelTestSuite; //!< the suite

} // namespace
