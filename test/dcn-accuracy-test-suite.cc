/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-figures.h"

#include "ns3/dcn-scenario-options.h"

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
        "mql",
    };
    return methods;
}

/// @return by scenario, the errors of every method in percent: DcnFiguresTestCase::GetErrors
const std::map<std::string, std::vector<DcnTestFigures>>&
GetExpectations()
{
    static const std::map<std::string, std::vector<DcnTestFigures>> expectations{
        {"fabric-dctcp",
         {{"flowsim", {{-58.45, 0.57}, {-14.54, 0.19}, {8.52, 0.04}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-58.45, 0.57}, {-14.46, 0.20}, {8.47, 0.04}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-6.52, 3.48}, {1.21, 1.48}, {9.59, 0.67}, {0.00, 0.00}}},
          {"parsimon", {{2.96, 2.37}, {1.51, 0.19}, {5.87, 0.13}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{2.96, 2.37}, {1.51, 0.19}, {5.87, 0.13}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{125.92, 20.31}, {21.82, 3.62}, {42.30, 3.92}, {0.00, 0.00}}},
          {"m3", {{-2.30, 1.44}, {-1.53, 0.23}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-0.68, 2.23}, {0.65, 0.18}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-0.27, 1.29}, {0.22, 0.26}, {5.20, 0.10}, {0.00, 0.00}}},
          {"mql", {{11.93, 0.89}, {2.31, 0.30}, {25.16, 0.09}, {0.00, 0.00}}}}},
        {"fabric-dcqcn",
         {{"flowsim", {{7.07, 5.77}, {4.61, 1.06}, {20.00, 0.66}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{7.07, 5.77}, {4.64, 1.06}, {19.94, 0.66}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-3.01, 5.14}, {-0.12, 1.18}, {9.12, 1.56}, {0.00, 0.00}}},
          {"parsimon", {{6.99, 6.09}, {3.45, 1.71}, {13.21, 0.90}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{6.99, 6.09}, {3.45, 1.71}, {13.21, 0.90}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{57.27, 14.65}, {39.89, 3.34}, {69.52, 3.76}, {0.00, 0.00}}},
          {"m3", {{31.28, 7.09}, {14.75, 1.18}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{6.97, 4.58}, {3.96, 1.63}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-1.18, 5.31}, {-3.44, 0.96}, {9.90, 0.21}, {0.00, 0.00}}},
          {"mql", {{17.68, 7.32}, {-0.87, 1.23}, {30.78, 0.31}, {0.00, 0.00}}}}},
        {"fabric-timely",
         {{"flowsim", {{-63.16, 0.20}, {-13.91, 0.11}, {9.07, 0.08}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-63.16, 0.20}, {-13.91, 0.11}, {9.07, 0.08}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{2.50, 1.22}, {1.81, 1.47}, {2.35, 0.14}, {0.00, 0.00}}},
          {"parsimon", {{2.14, 1.49}, {-0.14, 0.17}, {4.27, 0.07}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{2.14, 1.49}, {-0.14, 0.17}, {4.27, 0.07}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{31.59, 6.55}, {10.30, 1.38}, {22.64, 0.61}, {0.00, 0.00}}},
          {"m3", {{-20.64, 0.84}, {-4.28, 0.10}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-0.04, 0.82}, {-0.83, 0.17}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{10.06, 0.58}, {1.20, 0.19}, {4.14, 0.15}, {0.00, 0.00}}},
          {"mql", {{-40.67, 10.23}, {-12.96, 1.03}, {14.19, 0.06}, {0.00, 0.00}}}}},
        {"fabric-hpcc",
         {{"flowsim", {{-9.76, 0.71}, {-4.54, 0.06}, {7.38, 0.04}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-9.76, 0.71}, {-4.54, 0.06}, {7.38, 0.04}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-5.36, 2.10}, {-0.23, 0.99}, {5.76, 0.40}, {0.00, 0.00}}},
          {"parsimon", {{1.18, 2.05}, {0.65, 0.12}, {5.24, 0.13}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{1.18, 2.05}, {0.65, 0.12}, {5.24, 0.13}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{42.25, 12.74}, {16.30, 1.91}, {27.58, 1.67}, {0.40, 0.06}}},
          {"m3", {{10.76, 0.87}, {2.15, 0.06}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{1.18, 1.45}, {0.68, 0.11}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{4.05, 1.00}, {0.31, 0.06}, {4.37, 0.10}, {0.00, 0.00}}},
          {"mql", {{-27.46, 1.22}, {-13.59, 0.22}, {11.68, 0.08}, {0.00, 0.00}}}}},
        {"dumbbell",
         {{"flowsim", {{-56.48, 0.85}, {-32.19, 0.14}, {18.37, 0.12}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-56.48, 0.85}, {-32.19, 0.14}, {18.37, 0.12}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-4.12, 1.92}, {0.15, 1.28}, {8.38, 0.58}, {0.00, 0.00}}},
          {"parsimon", {{-1.60, 2.46}, {-1.63, 0.37}, {10.42, 0.22}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{-1.60, 2.46}, {-1.63, 0.37}, {10.42, 0.22}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{59.10, 19.63}, {27.00, 3.06}, {77.01, 4.18}, {0.00, 0.00}}},
          {"m3", {{-0.29, 1.96}, {-12.87, 0.17}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-2.22, 2.76}, {-4.77, 0.33}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-4.82, 1.87}, {-7.19, 0.25}, {8.54, 0.14}, {0.00, 0.00}}},
          {"mql", {{90.11, 3.72}, {14.07, 0.20}, {53.16, 0.21}, {0.00, 0.00}}}}},
        {"incast",
         {{"flowsim", {{-72.08, 0.96}, {-66.91, 0.19}, {51.40, 0.12}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-72.08, 0.96}, {-66.91, 0.19}, {51.40, 0.12}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{0.05, 0.57}, {-2.41, 1.97}, {2.06, 0.27}, {0.00, 0.00}}},
          {"parsimon", {{0.12, 3.14}, {-0.04, 0.82}, {6.86, 2.40}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{0.12, 3.14}, {-0.04, 0.82}, {6.86, 2.40}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{-7.75, 7.83}, {2.72, 0.79}, {99.33, 4.24}, {0.00, 0.00}}},
          {"m3", {{8.37, 2.82}, {-6.74, 0.55}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{0.72, 2.98}, {-1.36, 0.82}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{20.36, 4.07}, {10.54, 0.78}, {20.44, 0.69}, {0.00, 0.00}}},
          {"mql", {{76.20, 6.13}, {28.79, 0.98}, {112.24, 0.62}, {0.00, 0.00}}}}},
        {"parking-lot",
         {{"flowsim", {{-27.69, 2.33}, {-11.03, 0.24}, {17.76, 0.13}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-26.66, 2.43}, {-5.05, 0.24}, {14.52, 0.12}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-1.34, 2.19}, {-1.18, 1.06}, {0.53, 0.14}, {0.00, 0.00}}},
          {"parsimon", {{-24.17, 2.93}, {-8.42, 0.23}, {10.33, 0.10}, {0.00, 0.00}}},
          {"parsimon:Clustering=true",
           {{-24.17, 2.93}, {-8.42, 0.23}, {10.33, 0.10}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{55.50, 22.08}, {32.02, 3.69}, {48.49, 3.74}, {0.00, 0.00}}},
          {"m3", {{7.76, 3.60}, {8.64, 0.27}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-20.17, 2.91}, {-7.19, 0.22}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-9.67, 2.94}, {-1.45, 0.25}, {10.33, 0.14}, {0.00, 0.00}}},
          {"mql", {{-59.66, 1.36}, {-31.40, 0.20}, {27.90, 0.13}, {0.00, 0.00}}}}},
        {"fat-tree",
         {{"flowsim", {{26.08, 1.82}, {13.13, 0.29}, {15.84, 0.21}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{26.08, 1.82}, {13.13, 0.29}, {15.84, 0.21}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{0.13, 3.55}, {3.74, 1.78}, {7.35, 0.30}, {0.00, 0.00}}},
          {"parsimon", {{6.45, 0.89}, {0.45, 0.15}, {8.51, 0.10}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{6.59, 1.05}, {0.48, 0.25}, {8.63, 0.10}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{5.90, 2.29}, {7.11, 0.37}, {19.66, 0.34}, {0.00, 0.00}}},
          {"m3", {{33.01, 0.85}, {13.47, 0.28}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{7.33, 1.11}, {-0.34, 0.23}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-11.00, 0.80}, {-7.67, 0.24}, {10.31, 0.17}, {0.00, 0.00}}},
          {"mql", {{-24.81, 0.77}, {-9.63, 0.16}, {11.90, 0.12}, {0.00, 0.00}}}}},
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
            Expect(
                options.name,
                [options](uint32_t repetition) {
                    return Measure(DcnFiguresTestCase::Repeat(Create(options), repetition),
                                   "packet",
                                   GetMethods());
                },
                GetExpectations().at(options.name));
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
            {{"m3:Model=m3-tcp-dctcp", {{-2.74, 5.89}, {-2.75, 0.55}, {NONE, 0.00}, {0.00, 0.00}}},
             {"m4:Model=m4-tcp-dctcp",
              {{25.75, 6.21}, {1.41, 0.62}, {10.38, 0.25}, {0.00, 0.00}}}});
        AddComparisons();
    }
};

AccuracyTestSuite g_accuracyTestSuite; //!< the suite

} // namespace
