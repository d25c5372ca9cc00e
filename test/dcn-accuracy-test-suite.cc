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
         {{"flowsim", {{-57.97, 0.56}, {-14.49, 0.06}, {8.36, 0.09}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-57.97, 0.56}, {-14.41, 0.06}, {8.31, 0.08}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-2.36, 3.07}, {0.74, 0.54}, {8.72, 0.55}, {0.00, 0.00}}},
          {"parsimon", {{2.52, 1.86}, {1.26, 0.23}, {5.60, 0.05}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{2.52, 1.86}, {1.26, 0.23}, {5.60, 0.05}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{129.54, 22.86}, {21.09, 3.32}, {41.94, 3.93}, {0.00, 0.00}}},
          {"m3", {{-1.07, 1.28}, {-1.43, 0.06}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{1.79, 1.98}, {0.49, 0.22}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{0.88, 1.35}, {0.33, 0.05}, {5.16, 0.10}, {0.00, 0.00}}},
          {"mql", {{13.28, 1.85}, {2.39, 0.50}, {25.18, 0.08}, {0.00, 0.00}}}}},
        {"fabric-dcqcn",
         {{"flowsim", {{11.51, 4.34}, {4.46, 1.10}, {20.84, 0.89}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{11.51, 4.34}, {4.49, 1.10}, {20.78, 0.88}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{1.45, 6.18}, {1.16, 1.15}, {9.20, 0.75}, {0.00, 0.00}}},
          {"parsimon", {{8.68, 8.01}, {3.22, 1.50}, {13.16, 0.46}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{8.68, 8.01}, {3.22, 1.50}, {13.16, 0.46}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{73.34, 10.61}, {40.30, 4.23}, {68.74, 4.03}, {0.00, 0.00}}},
          {"m3", {{36.72, 5.34}, {14.59, 1.19}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{13.23, 4.96}, {3.75, 1.51}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{2.91, 4.21}, {-3.57, 1.02}, {10.04, 0.43}, {0.00, 0.00}}},
          {"mql", {{22.56, 5.45}, {-1.01, 0.96}, {31.25, 0.55}, {0.00, 0.00}}}}},
        {"fabric-timely",
         {{"flowsim", {{-64.05, 0.52}, {-13.98, 0.11}, {9.04, 0.07}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-64.05, 0.52}, {-13.98, 0.11}, {9.04, 0.07}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{0.01, 0.90}, {3.16, 2.12}, {2.55, 0.16}, {0.00, 0.00}}},
          {"parsimon", {{-1.97, 2.01}, {-0.36, 0.17}, {4.35, 0.08}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{-1.97, 2.01}, {-0.36, 0.17}, {4.35, 0.08}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{27.83, 8.02}, {9.89, 1.46}, {22.43, 0.62}, {0.00, 0.00}}},
          {"m3", {{-22.52, 1.34}, {-4.34, 0.12}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-2.91, 1.65}, {-1.04, 0.17}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{7.43, 1.56}, {1.13, 0.19}, {4.15, 0.12}, {0.00, 0.00}}},
          {"mql", {{-42.06, 10.91}, {-13.02, 1.00}, {14.20, 0.10}, {0.00, 0.00}}}}},
        {"fabric-hpcc",
         {{"flowsim", {{-9.50, 0.38}, {-4.27, 0.13}, {7.05, 0.10}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-9.50, 0.38}, {-4.27, 0.13}, {7.05, 0.10}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-1.21, 2.51}, {0.25, 0.69}, {6.31, 0.24}, {0.00, 0.00}}},
          {"parsimon", {{2.51, 0.99}, {0.73, 0.17}, {5.35, 0.09}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{2.51, 0.99}, {0.73, 0.17}, {5.35, 0.09}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{38.27, 14.79}, {14.67, 1.92}, {26.31, 1.77}, {0.40, 0.06}}},
          {"m3", {{11.07, 0.47}, {2.46, 0.13}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{2.50, 1.11}, {0.79, 0.16}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{4.34, 0.60}, {0.61, 0.13}, {4.22, 0.07}, {0.00, 0.00}}},
          {"mql", {{-27.24, 0.81}, {-13.33, 0.25}, {11.43, 0.08}, {0.00, 0.00}}}}},
        {"dumbbell",
         {{"flowsim", {{-55.61, 0.31}, {-31.79, 0.11}, {18.30, 0.12}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-55.61, 0.31}, {-31.79, 0.11}, {18.30, 0.12}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-3.28, 0.85}, {-0.50, 1.81}, {7.90, 0.29}, {0.00, 0.00}}},
          {"parsimon", {{0.48, 0.52}, {-1.47, 0.22}, {10.50, 0.22}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{0.48, 0.52}, {-1.47, 0.22}, {10.50, 0.22}, {0.00, 0.00}}},
          {"parsimon:Rules=published",
           {{65.34, 13.94}, {27.33, 3.27}, {76.63, 4.32}, {0.00, 0.00}}},
          {"m3", {{1.68, 0.74}, {-12.22, 0.13}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{0.48, 0.78}, {-4.48, 0.20}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{-2.95, 0.67}, {-6.56, 0.20}, {8.92, 0.15}, {0.00, 0.00}}},
          {"mql", {{93.89, 1.36}, {14.76, 0.21}, {53.49, 0.26}, {0.00, 0.00}}}}},
        {"incast",
         {{"flowsim", {{-72.51, 0.60}, {-66.99, 0.19}, {51.65, 0.25}, {0.00, 0.00}}},
          {"flowsim:WindowCap=true", {{-72.51, 0.60}, {-66.99, 0.19}, {51.65, 0.25}, {0.00, 0.00}}},
          {"ns3-path:NPaths=300:WholeAbove=1e9",
           {{-0.23, 2.32}, {-2.37, 1.25}, {1.65, 0.27}, {0.00, 0.00}}},
          {"parsimon", {{-2.96, 4.31}, {-0.30, 1.30}, {9.83, 2.19}, {0.00, 0.00}}},
          {"parsimon:Clustering=true", {{-2.96, 4.31}, {-0.30, 1.30}, {9.83, 2.19}, {0.00, 0.00}}},
          {"parsimon:Rules=published", {{-12.25, 7.78}, {0.53, 1.23}, {99.49, 4.42}, {0.00, 0.00}}},
          {"m3", {{6.69, 2.69}, {-6.94, 0.59}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m3:Model=m3-links", {{-2.64, 3.39}, {-1.77, 1.38}, {NONE, 0.00}, {0.00, 0.00}}},
          {"m4", {{18.50, 2.49}, {10.28, 0.65}, {19.26, 1.48}, {0.00, 0.00}}},
          {"mql", {{73.46, 3.78}, {28.49, 0.68}, {111.63, 1.47}, {0.00, 0.00}}}}},
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
