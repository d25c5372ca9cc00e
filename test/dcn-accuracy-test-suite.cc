/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-figures.h"

#include "ns3/dcn-scenario-options.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr double NONE = DcnTestFigures::NONE; //!< a method does not answer flow by flow

/// A scenario as the options of dcn-compare, so that each can be looked at by hand.
struct Options
{
    const char* name;                                         //!< in the table below
    std::vector<std::pair<const char*, const char*>> options; //!< names without dashes, values
};

/// @return the scenarios
const std::vector<Options>&
GetScenarios()
{
    static const std::vector<Options> scenarios{
        {"fabric-dctcp",
         {{"cc", "dctcp"},
          {"sizes", "web-server"},
          {"matrix", "hadoop"},
          {"load", "0.6"},
          {"fabricRate", "20Gbps"},
          {"flows", "1500"}}},
        {"fabric-dcqcn",
         {{"cc", "dcqcn"},
          {"sizes", "ali-storage"},
          {"matrix", "web"},
          {"load", "0.7"},
          {"fabricRate", "20Gbps"},
          {"flows", "600"}}},
        {"fabric-timely",
         {{"cc", "timely"},
          {"sizes", "google-rpc"},
          {"matrix", "database"},
          {"load", "0.6"},
          {"sigma", "2"},
          {"flows", "1500"}}},
        {"fabric-hpcc",
         {{"cc", "hpcc"},
          {"sizes", "web-server"},
          {"matrix", "uniform"},
          {"load", "0.8"},
          {"flows", "1500"}}},
        {"dumbbell",
         {{"topology", "dumbbell"}, {"sizes", "web-server"}, {"load", "0.7"}, {"flows", "1000"}}},
        {"incast",
         {{"topology", "leaf-spine"},
          {"matrix", "incast:12"},
          {"sizes", "google-rpc"},
          {"load", "0.8"},
          {"sigma", "1"},
          {"flows", "1000"}}},
        {"parking-lot",
         {{"topology", "parking-lot"},
          {"hostsPerRack", "2"},
          {"linkDelay", "5us"},
          {"sizes", "exp:20000"},
          {"cc", "dcqcn"},
          {"load", "0.6"},
          {"flows", "600"}}},
        {"fat-tree",
         {{"topology", "fat-tree"},
          {"sizes", "constant:1000"},
          {"load", "0.7"},
          {"flows", "3000"}}},
    };
    return scenarios;
}

/// @return the methods, with the models that come with them
const std::vector<std::string>&
GetMethods()
{
    static const std::vector<std::string> methods{
        "flowsim",
        "flowsim:WindowCap=true",
        // never the whole network: that is the truth itself
        "ns3-path:NPaths=300:WholeAbove=1e9",
        "parsimon",
        "parsimon:Clustering=true",
        "parsimon:Rules=published",
        "m3",
        "m3:Model=m3-links",
        "m4",
#ifndef DCN_WITHOUT_MQL // the core by itself
        "mql",
#endif
    };
    return methods;
}

/// @return by scenario, the errors of every method in percent: DcnFiguresTestCase::GetErrors
const std::map<std::string, std::vector<DcnTestFigures>>&
GetExpectations()
{
    static const std::map<std::string, std::vector<DcnTestFigures>> expectations{
        {"fabric-dctcp",
         {{"flowsim", {{-59.27, 0.96}, {-14.69, 0.12}, {8.53, 0.09}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-59.27, 0.96}, {-14.60, 0.12}, {8.47, 0.08}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-7.62, 2.64}, {0.34, 0.61}, {7.92, 0.92}, {0.00, 0.00}}},
          {"parsimon", {{-0.78, 3.53}, {1.30, 0.24}, {5.73, 0.12}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{-0.78, 3.53}, {1.30, 0.24}, {5.73, 0.12}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{121.46, 22.32}, {21.61, 3.55}, {42.21, 3.87}, {0.00, 0.00}}},
          {"m3", {{-4.23, 2.31}, {-1.70, 0.15}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-2.07, 2.65}, {0.43, 0.23}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-2.24, 2.44}, {0.05, 0.18}, {5.01, 0.10}, {0.00, 0.00}}},
          {"mql", {{9.72, 2.23}, {2.14, 0.47}, {25.01, 0.19}, {0.00, 0.00}}}}},
        {"fabric-dcqcn",
         {{"flowsim", {{5.96, 2.30}, {4.22, 1.01}, {19.48, 0.83}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{5.96, 2.30}, {4.25, 1.01}, {19.43, 0.83}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{0.86, 3.55}, {1.48, 1.31}, {8.98, 0.82}, {0.00, 0.00}}},
          {"parsimon", {{2.62, 6.96}, {3.43, 1.20}, {13.82, 0.74}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{2.62, 6.96}, {3.43, 1.20}, {13.82, 0.74}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{67.89, 19.74}, {38.80, 2.79}, {66.92, 2.54}, {0.00, 0.00}}},
          {"m3", {{29.92, 2.83}, {14.31, 1.10}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{4.08, 4.28}, {3.90, 1.15}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-2.21, 2.29}, {-3.81, 0.94}, {9.28, 0.15}, {0.00, 0.00}}},
          {"mql", {{16.46, 4.12}, {-1.25, 1.32}, {30.41, 0.42}, {0.00, 0.00}}}}},
        {"fabric-timely",
         {{"flowsim", {{-63.16, 0.20}, {-13.91, 0.12}, {9.07, 0.08}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-63.16, 0.20}, {-13.91, 0.12}, {9.07, 0.08}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{1.11, 1.09}, {0.74, 2.44}, {2.63, 0.19}, {0.00, 0.00}}},
          {"parsimon", {{2.14, 1.51}, {-0.14, 0.17}, {4.32, 0.07}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{2.14, 1.51}, {-0.14, 0.17}, {4.32, 0.07}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{31.59, 6.55}, {10.30, 1.38}, {22.64, 0.60}, {0.00, 0.00}}},
          {"m3", {{-20.64, 0.84}, {-4.28, 0.10}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-0.04, 0.77}, {-0.83, 0.17}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{10.06, 0.58}, {1.21, 0.19}, {4.14, 0.14}, {0.00, 0.00}}},
          {"mql", {{-40.67, 10.23}, {-12.96, 1.03}, {14.19, 0.06}, {0.00, 0.00}}}}},
        {"fabric-hpcc",
         {{"flowsim", {{-10.08, 0.59}, {-4.39, 0.06}, {7.36, 0.03}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-10.08, 0.59}, {-4.39, 0.06}, {7.36, 0.03}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-1.54, 2.76}, {2.43, 1.11}, {6.45, 0.27}, {0.00, 0.00}}},
          {"parsimon", {{1.15, 1.26}, {0.77, 0.14}, {5.28, 0.10}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{1.15, 1.26}, {0.77, 0.14}, {5.28, 0.10}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{41.75, 10.88}, {16.48, 1.88}, {27.62, 1.64}, {0.40, 0.06}}},
          {"m3", {{10.36, 0.72}, {2.30, 0.06}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{1.63, 1.01}, {0.82, 0.13}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{3.68, 0.48}, {0.47, 0.05}, {4.48, 0.09}, {0.00, 0.00}}},
          {"mql", {{-27.72, 1.18}, {-13.45, 0.16}, {11.59, 0.03}, {0.00, 0.00}}}}},
        {"dumbbell",
         {{"flowsim", {{-55.03, 0.65}, {-32.42, 0.07}, {18.42, 0.05}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-55.03, 0.65}, {-32.42, 0.07}, {18.42, 0.05}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{2.88, 2.10}, {-2.43, 1.86}, {7.77, 0.95}, {0.00, 0.00}}},
          {"parsimon", {{1.67, 1.88}, {-1.83, 0.12}, {10.27, 0.35}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{1.67, 1.88}, {-1.83, 0.12}, {10.27, 0.35}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{64.40, 19.60}, {26.57, 3.08}, {76.50, 4.27}, {0.00, 0.00}}},
          {"m3", {{3.03, 1.47}, {-13.17, 0.09}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{1.67, 1.71}, {-4.95, 0.09}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-1.65, 1.33}, {-7.50, 0.17}, {8.71, 0.16}, {0.00, 0.00}}},
          {"mql", {{96.44, 2.82}, {13.68, 0.13}, {53.32, 0.07}, {0.00, 0.00}}}}},
        {"incast",
         {{"flowsim", {{-72.26, 0.96}, {-66.97, 0.28}, {51.57, 0.21}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-72.26, 0.96}, {-66.97, 0.28}, {51.57, 0.21}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-0.21, 0.64}, {-2.08, 2.23}, {2.18, 1.15}, {0.00, 0.00}}},
          {"parsimon", {{-0.52, 3.21}, {-0.23, 1.03}, {5.71, 2.44}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{-0.52, 3.21}, {-0.23, 1.03}, {5.71, 2.44}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{-8.34, 7.72}, {2.52, 1.19}, {99.69, 4.15}, {0.00, 0.00}}},
          {"m3", {{7.68, 2.81}, {-6.92, 0.85}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{0.07, 3.05}, {-1.55, 1.04}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{19.59, 4.07}, {10.33, 1.00}, {19.36, 0.53}, {0.00, 0.00}}},
          {"mql", {{75.07, 6.14}, {28.54, 1.41}, {111.97, 0.57}, {0.00, 0.00}}}}},
        {"parking-lot",
         {{"flowsim", {{-27.13, 2.33}, {-11.62, 0.13}, {17.77, 0.16}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-26.08, 2.42}, {-5.68, 0.15}, {14.54, 0.12}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-1.44, 0.34}, {-2.87, 0.74}, {0.08, 0.02}, {0.00, 0.00}}},
          {"parsimon", {{-23.90, 3.27}, {-8.89, 0.11}, {10.27, 0.10}, {0.00, 0.00}}},
          {"parsimon:Clustering=true",
           {{-23.90, 3.27}, {-8.89, 0.11}, {10.27, 0.10}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{57.08, 24.81}, {31.65, 3.76}, {48.31, 3.88}, {0.00, 0.00}}},
          {"m3", {{8.61, 3.55}, {7.92, 0.18}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-19.36, 2.98}, {-7.63, 0.10}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-8.96, 3.06}, {-2.11, 0.22}, {10.12, 0.13}, {0.00, 0.00}}},
          {"mql", {{-59.34, 1.26}, {-31.85, 0.14}, {28.25, 0.12}, {0.00, 0.00}}}}},
        {"fat-tree",
         {{"flowsim", {{25.59, 2.02}, {12.97, 0.30}, {15.78, 0.22}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{25.59, 2.02}, {12.97, 0.30}, {15.78, 0.22}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{2.23, 1.85}, {2.54, 0.79}, {8.09, 0.32}, {0.00, 0.00}}},
          {"parsimon", {{6.18, 1.09}, {0.40, 0.17}, {8.49, 0.11}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{6.27, 0.87}, {0.42, 0.26}, {8.62, 0.10}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{5.66, 2.24}, {7.06, 0.39}, {19.68, 0.32}, {0.00, 0.00}}},
          {"m3", {{32.49, 0.74}, {13.31, 0.30}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{7.04, 0.99}, {-0.41, 0.24}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-11.24, 0.68}, {-7.76, 0.22}, {10.37, 0.17}, {0.00, 0.00}}},
          {"mql", {{-25.10, 0.66}, {-9.76, 0.17}, {11.96, 0.12}, {0.00, 0.00}}}}},
    };
    return expectations;
}

/**
 * @param scenario options
 * @return the scenario
 */
Ptr<const DcnScenario>
Create(const Options& scenario)
{
    DcnScenarioOptions options;
    for (const auto& [name, value] : scenario.options)
    {
        options.Set(name, value);
    }
    return options.Create();
}

/**
 * @brief Run methods on a scenario.
 * @param scenario flows
 * @param truth the ground truth's name
 * @param methods the methods
 * @return their errors
 */
DcnFiguresTestCase::Values
Measure(Ptr<const DcnScenario> scenario,
        const std::string& truthName,
        const std::vector<std::string>& methods)
{
    DcnFiguresTestCase::Values values;
    const DcnEstimate truth = DcnFiguresTestCase::GetTruth(scenario, truthName);
    for (const std::string& method : methods)
    {
        values.emplace_back(method, DcnFiguresTestCase::GetErrors(scenario, truth, method));
    }
    return values;
}

/**
 * @ingroup dcn-tests
 * @brief Every method and every model that comes with it against packets, on small scenarios.
 *
 * Methods are made by name: they are in the test runner, since all modules are; one that is missing
 * is an error. Limits are those of DcnFiguresTestCase. A change that is meant to change errors
 * changes the table, which the extensive cases print:
 *
 *     ./dcn run test-runner --suite=dcn-accuracy --fullness=EXTENSIVE
 *
 * How good methods are is not said here (doc/validation.rst): scenarios are small, to be quick, and
 * not a sample of anything.
 */
class AccuracyTestSuite : public DcnFiguresTestSuite
{
  public:
    AccuracyTestSuite()
        : DcnFiguresTestSuite("dcn-accuracy", Type::SYSTEM)
    {
        for (const Options& options : GetScenarios())
        {
            std::vector<DcnTestFigures> expectations = GetExpectations().at(options.name);
            const auto methods = GetMethods();
            expectations.erase(std::remove_if(expectations.begin(),
                                              expectations.end(),
                                              [&methods](const DcnTestFigures& each) {
                                                  return std::find(methods.begin(),
                                                                   methods.end(),
                                                                   each.what) == methods.end();
                                              }),
                               expectations.end());
            Expect(
                options.name,
                [options](uint32_t repetition) {
                    return Measure(DcnFiguresTestCase::Repeat(Create(options), repetition),
                                   "packet",
                                   GetMethods());
                },
                expectations);
        }
        // models that were trained on ns3's own TCP
        const Options tcp{"tcp", {{"sizes", "google-rpc"}, {"load", "0.6"}, {"flows", "1500"}}};
        Expect(
            tcp.name,
            [tcp](uint32_t repetition) {
                return Measure(DcnFiguresTestCase::Repeat(Create(tcp), repetition),
                               "tcp",
                               {"m3:Model=m3-tcp-dctcp", "m4:Model=m4-tcp-dctcp"});
            },
            {{"m3:Model=m3-tcp-dctcp", {{-2.70, 5.90}, {-2.71, 0.55}, {NONE, 0.00}, {0.00, 0.00}}},
             {"m4:Model=m4-tcp-dctcp",
              {{25.77, 6.93}, {1.36, 0.63}, {10.44, 0.21}, {0.00, 0.00}}}});
        AddComparisons();
    }
};

AccuracyTestSuite g_accuracyTestSuite; //!< the suite

} // namespace
