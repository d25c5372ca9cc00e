/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-figures.h"

#include "ns3/mql-evaluation.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Errors of round trips, of the model alone and with the correction that comes with it.
 * @param text configuration
 * @param seed of the traffic
 * @return each: mean over flows of the absolute error of the mean round trip, over its waiting
 * part, too, and distance of the flows' 99th percentiles [%]
 */
DcnFiguresTestCase::Values
Measure(const std::string& text, uint64_t seed)
{
    MqlCase one(text + ",seed=" + std::to_string(seed));
    one.Simulate();
    one.Solve();
    const auto correction = MqlLoadShippedCorrection();
    DcnFiguresTestCase::Values values;
    for (const MqlCorrection* each : {static_cast<const MqlCorrection*>(nullptr), correction.get()})
    {
        const MqlScore score = MqlEvaluate(one, each);
        values.push_back({each ? "corrected" : "alone",
                          {100 * score.mape, 100 * score.waitMape, 100 * score.w1P99}});
    }
    return values;
}

/**
 * @brief The model and the correction that comes with it against simulations that it was not
 * trained on: no configuration of data/models/mql has these loads, paths or seeds.
 *
 * A correction that is not there leaves the errors of the model alone, which the limits do not
 * admit (DcnFiguresTestCase). After a training,
 *
 *     ./dcn run test-runner --suite=mql-shipped --fullness=EXTENSIVE
 *
 * prints the tables as they are then.
 */
class MqlShippedTestSuite : public DcnFiguresTestSuite
{
  public:
    MqlShippedTestSuite()
        : DcnFiguresTestSuite("mql-shipped", Type::UNIT)
    {
        const std::map<std::string, std::vector<DcnTestFigures>> cases{
            {"arrivals=ge,scv=4,load=0.45",
             {{"alone", {{9.32, 0.50}, {17.39, 1.07}, {6.78, 0.44}}},
              {"corrected", {{2.46, 0.17}, {4.60, 0.30}, {5.10, 0.72}}}}},
            {"load=0.8",
             {{"alone", {{2.41, 0.26}, {4.78, 0.57}, {2.15, 0.17}}},
              {"corrected", {{0.77, 0.13}, {1.58, 0.30}, {1.22, 0.33}}}}},
            {"pattern=asymmetric,arrivals=ge,scv=3,load=0.6",
             {{"alone", {{6.86, 0.68}, {13.10, 1.55}, {3.57, 1.52}}},
              {"corrected", {{1.88, 0.32}, {3.61, 0.45}, {1.64, 1.15}}}}},
            {"pattern=incast,arrivals=ge,scv=4,load=0.8",
             {{"alone", {{2.02, 0.74}, {2.93, 1.27}, {4.38, 5.78}}},
              {"corrected", {{1.73, 0.87}, {2.62, 1.39}, {6.70, 3.94}}}}},
            {"topology=two-tier,arrivals=ge,scv=4,load=0.6",
             {{"alone", {{10.05, 0.58}, {13.86, 0.82}, {6.20, 1.03}}},
              {"corrected", {{3.14, 0.22}, {4.24, 0.33}, {3.80, 0.33}}}}},
            {"k=6,density=0.3,arrivals=ge,scv=2,load=0.6",
             {{"alone", {{6.91, 0.24}, {15.89, 0.34}, {4.97, 0.26}}},
              {"corrected", {{1.68, 0.07}, {3.74, 0.19}, {1.85, 0.22}}}}},
        };
        for (const auto& [text, expected] : cases)
        {
            Expect(
                text,
                [text = text](uint32_t repetition) {
                    return Measure(text + ",hash_seed=2001,duration_s=2", 2000 + repetition);
                },
                expected);
        }
        AddComparisons();
    }
};

MqlShippedTestSuite g_mqlShippedTestSuite; //!< the suite

} // namespace
