/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Compare methods with packet-level simulation on a suite of scenarios.
 *
 * Suites: see DcnScenarioSuite and doc/validation.rst. A stopped run continues when it is repeated,
 * and only methods added since then are computed. Except for measured times, results depend neither
 * on that nor on --jobs. With --mpi, the ranks of mpirun share the scenarios.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-report.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-validation-runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param text names joined by commas; empty: every method that is built, except the truth
 * @param truth name of the truth
 * @return the names
 */
std::vector<std::string>
SplitMethods(const std::string& text, const std::string& truth)
{
    std::vector<std::string> names = DcnSplit(text, ',');
    if (names.empty())
    {
        names = DcnEstimator::GetNames();
        names.erase(std::remove(names.begin(), names.end(), truth), names.end());
    }
    return names;
}

/**
 * Print the scenarios of a suite.
 * @param suite the suite
 * @param first first scenario
 * @param last one past the last
 */
void
List(const DcnScenarioSuite& suite, uint64_t first, uint64_t last)
{
    std::printf("%8s %10s %-11s %5s %5s %-11s %-15s %5s %6s %-7s %9s  %s\n",
                "scenario",
                "seed",
                "topology",
                "Gb/s",
                "over",
                "matrix",
                "sizes",
                "sigma",
                "load",
                "cc",
                "flows",
                "network");
    for (uint64_t i = first; i < last; ++i)
    {
        const DcnSuiteScenario drawn = suite.Draw(i);
        std::printf("%8llu %10llu %-11s %5s %5s %-11s %-15s %5.3g %6.3f %-7s %9llu  %s\n",
                    static_cast<unsigned long long>(drawn.index),
                    static_cast<unsigned long long>(drawn.seed),
                    drawn.topology.c_str(),
                    drawn.hostGbps.c_str(),
                    drawn.oversubscription.c_str(),
                    drawn.matrix.c_str(),
                    drawn.sizes.c_str(),
                    drawn.sigma,
                    drawn.load,
                    drawn.congestionControl.c_str(),
                    static_cast<unsigned long long>(suite.GetNFlows(drawn)),
                    drawn.recipe.GetNetworkText().c_str());
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string suiteName = "sensitivity";
    std::string methods;
    std::string matrices;
    bool list = false;
    uint64_t seed = 1;
    uint64_t packetHops = 0;
    uint64_t first = 0;
    uint64_t scenarios = 0;
    DcnValidationRunner::Options options;
    options.folder = "results/validate";
    DcnTaskFarmOptions work(true);
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare methods with packet-level simulation on a suite of scenarios.");
    DcnAddText(
        cmd,
        "suite",
        "sensitivity, congestion-controls, network-configurations, m3-test-set, m4-test-set, "
        "anywhere, fast, small, degenerate, tcp, defaults or smoke",
        suiteName);
    DcnAddText(cmd,
               "methods",
               "Methods joined by commas (all), attributes as in flowsim:WindowCap=true",
               methods);
    DcnAddText(cmd, "truth", "Reference method", options.truth);
    cmd.AddValue(
        "truthSeeds",
        "Repetitions of the truth; from the second on, starts are moved by less than 1 us: "
        "the difference is the noise floor",
        options.truthSeeds);
    cmd.AddValue("seed", "Seed of the suite", seed);
    cmd.AddValue("first", "First scenario", first);
    cmd.AddValue("scenarios",
                 "Number of scenarios; 0: all from the first (48, 12, 48, 192, 100, 96, 60, "
                 "48, 60, 20, 48 or 2)",
                 scenarios);
    cmd.AddValue("packetHops",
                 "Size of a scenario: data packets times links; 0: 60 million (m4-test-set: 80, "
                 "small, tcp and defaults: 6 million, degenerate: 3 million, smoke: 300000)",
                 packetHops);
    DcnAddText(cmd,
               "matrices",
               "Folder of rack-matrix-{a,b,c}-32.csv; empty: generated matrices",
               matrices);
    work.AddTo(cmd);
    cmd.AddValue("list", "Print the scenarios, and end", list);
    DcnAddText(cmd,
               "out",
               "Folder for validate.csv, validate-summary.csv, p99-error.png and stored results",
               options.folder);
    bool isReport = false;
    cmd.AddValue("report", "Write report.html, too, a page with tables and picture", isReport);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-validate", [&]() {
        const DcnScenarioSuite suite(suiteName, seed, packetHops, matrices);
        options.first = first;
        options.last = scenarios > 0 ? first + scenarios : std::max(first, suite.GetDefaultN());
        if (list)
        {
            List(suite, options.first, options.last);
            return 0;
        }
        options.methods = SplitMethods(methods, options.truth);
        options.farm = work.Make();
        DcnValidationRunner runner(suite, options);
        const auto start = std::chrono::steady_clock::now();
        const auto report = runner.Run();
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (!options.farm.IsRoot())
        {
            return 0;
        }
        std::printf("%llu answers computed in %.1f s, %llu were there\n",
                    static_cast<unsigned long long>(report.computed),
                    elapsed.count(),
                    static_cast<unsigned long long>(report.kept));
        const bool picture = runner.Write();
        std::fflush(stdout);
        runner.Print(std::cout);
        if (suiteName == "congestion-controls")
        {
            runner.PrintScenarios(std::cout);
        }
        std::cout << "written: " << options.folder << "/validate.csv, " << options.folder
                  << "/validate-summary.csv"
                  << (picture ? ", " + options.folder + "/p99-error.png" : "") << std::endl;
        if (isReport)
        {
            DcnReport page("Validation: suite " + suiteName);
            page.AddText("Errors against " + options.truth + " of scenarios " +
                         std::to_string(options.first) + " to " + std::to_string(options.last - 1) +
                         " of the suite " + suiteName + ", seed " + std::to_string(seed) + '.');
            page.AddOrigin(DcnDescribeCommand("dcn-validate", argc, argv));
            page.AddHeading("Errors by method");
            page.AddFigure(options.folder + "/p99-error.svg",
                           "Error of the p99 slowdown by method: quartiles, and all scenarios");
            page.AddCsv(options.folder + "/validate-summary.csv", "validate-summary.csv", false);
            page.AddHeading("Scenarios");
            page.AddCsv(options.folder + "/validate.csv", "validate.csv: a row per scenario");
            page.Write(options.folder + "/report.html");
            std::cout << "written: " << options.folder << "/report.html" << std::endl;
        }
        return 0;
    });
}
