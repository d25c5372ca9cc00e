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
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-validation-runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
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
    std::vector<std::string> names = DcnSplitValues("methods", text);
    if (std::find(names.begin(), names.end(), truth) != names.end())
    {
        DcnFail("--methods names ", truth, ", which errors refer to: leave it out");
    }
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

/// Writes report.html: tables and picture of a validation.
void
WriteReport(const std::string& suite,
            uint64_t seed,
            const DcnValidationRunner::Options& options,
            const std::string& command)
{
    DcnReport page("Validation: suite " + suite);
    page.AddText("Errors against " + options.truth + " of scenarios " +
                 std::to_string(options.first) + " to " + std::to_string(options.last - 1) +
                 " of the suite " + suite + ", seed " + std::to_string(seed) + '.');
    page.AddOrigin(command);
    page.AddHeading("Errors by method");
    page.AddFigure(options.folder + "/p99-error.svg",
                   "Error of the p99 slowdown by method: quartiles, and all scenarios");
    page.AddCsv(options.folder + "/validate-summary.csv", "validate-summary.csv", false);
    page.AddHeading("Scenarios");
    page.AddCsv(options.folder + "/validate.csv", "validate.csv: a row per scenario");
    page.Write(options.folder + "/report.html");
    std::cout << "written: " << options.folder << "/report.html" << std::endl;
}

/// What is asked for.
struct Request
{
    std::string suite{"sensitivity"};     //!< --suite
    std::string methods;                  //!< --methods
    std::string matrices;                 //!< --matrices
    bool list{false};                     //!< --list
    bool isReport{false};                 //!< --report
    uint64_t seed{1};                     //!< --seed
    uint64_t packetHops{0};               //!< --packetHops
    uint64_t scenarios{0};                //!< --scenarios
    DcnValidationRunner::Options options; //!< of the runner
    DcnTaskFarmOptions work{true};        //!< --jobs, --mpi

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        options.folder = "results/validate";
        DcnAddText(cmd,
                   "suite",
                   "sensitivity, congestion-controls, network-configurations, m3-test-set, "
                   "m4-test-set, anywhere, fast, small, degenerate, tcp, defaults or smoke",
                   suite);
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
        cmd.AddValue("first", "First scenario", options.first);
        cmd.AddValue("scenarios",
                     "Number of scenarios; 0: all from the first (48, 12, 48, 192, 100, 96, 60, 48, "
                     "60, 20, "
                     "48 or 2)",
                     scenarios);
        cmd.AddValue("packetHops",
                     "Size of a scenario: data packets times links; 0: 60 million (m4-test-set: "
                     "80, small, tcp and defaults: 6 million, degenerate: 3 million, smoke: 300000)",
                     packetHops);
        DcnAddText(cmd,
                   "matrices",
                   "Folder of rack-matrix-{a,b,c}-32.csv; empty: generated matrices",
                   matrices);
        work.AddTo(cmd);
        cmd.AddValue("list", "Print the scenarios, and end", list);
        DcnAddText(cmd,
                   "out",
                   "Folder for validate.csv, validate-summary.csv, p99-error.png and stored "
                   "results",
                   options.folder);
        cmd.AddValue("report", "Write report.html, too, a page with tables and picture", isReport);
    }
};

/// Runs the methods on the scenarios, prints and writes their errors.
/// @return whether this process has them
bool
Validate(const DcnScenarioSuite& suite, const Request& request)
{
    const DcnValidationRunner::Options& options = request.options;
    DcnValidationRunner runner(suite, options);
    std::optional<DcnFolderLock> lock;
    if (options.farm.IsRoot())
    {
        lock.emplace(options.folder, DcnRunRecord::IN_USE);
    }
    const auto start = std::chrono::steady_clock::now();
    const auto report = runner.Run();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!options.farm.IsRoot())
    {
        return false;
    }
    std::printf("%llu answers computed in %.1f s, %llu were there\n",
                static_cast<unsigned long long>(report.computed),
                elapsed.count(),
                static_cast<unsigned long long>(report.kept));
    const bool picture = runner.Write();
    std::fflush(stdout);
    runner.Print(std::cout);
    if (request.suite == "congestion-controls")
    {
        runner.PrintScenarios(std::cout);
    }
    std::cout << "written: " << options.folder << "/validate.csv, " << options.folder
              << "/validate-summary.csv"
              << (picture ? ", " + options.folder + "/p99-error.png" : "") << std::endl;
    return true;
}

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare methods with packet-level simulation on a suite of scenarios.");
    request.AddTo(cmd);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-validate", [&]() {
        given.CheckEffects({{{"methods", "truth", "truthSeeds", "jobs", "mpi", "out", "report"},
                             !request.list,
                             "with --list"}});
        const DcnScenarioSuite suite(request.suite,
                                     request.seed,
                                     request.packetHops,
                                     request.matrices);
        auto& options = request.options;
        options.last = request.scenarios > 0 ? options.first + request.scenarios
                                             : std::max(options.first, suite.GetDefaultN());
        if (request.list)
        {
            List(suite, options.first, options.last);
            return 0;
        }
        options.methods = SplitMethods(request.methods, options.truth);
        options.farm = request.work.Make();
        if (Validate(suite, request) && request.isReport)
        {
            WriteReport(request.suite,
                        request.seed,
                        options,
                        DcnDescribeCommand("dcn-validate", argc, argv));
        }
        return 0;
    });
}
