/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Make a data set for the training of models, simulated packet by packet or over ns-3's TCP
 * (--engine=tcp); or check one.
 *
 * --kind=path: single paths with background traffic, for m3. --kind=fabric: small fabrics, for m4.
 * --scenario=DIR: the flows of a scenario directory under drawn configurations, for both.
 * --suite=NAME: scenarios like those of a suite of dcn-validate, with other seeds, for both.
 * The content of the files and the draws of samples are in doc/schema.rst.
 *
 * A stopped run continues when it is repeated. The data set depends neither on that nor on --jobs.
 * With --mpi, the ranks of mpirun share the work.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-error.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <string>

using namespace ns3;

namespace
{

/**
 * Read a whole data set.
 * @param folder of the data set
 */
void
Check(const std::string& folder)
{
    DcnDatasetReader reader(folder);
    reader.Verify();
    std::printf("%s: %" PRIu64 " samples of the kind %s in %" PRIu64
                " shards, all as they should be\n",
                folder.c_str(),
                reader.GetN(),
                reader.GetKind().c_str(),
                reader.GetNShards());
    const std::string unused = reader.DescribeUnused();
    if (!unused.empty())
    {
        std::printf("%s\n", unused.c_str());
    }
}

/**
 * Print a summary.
 * @param report of the generator
 * @param folder of the data set
 * @param seconds wall time
 */
void
Print(const DcnDatasetGenerator::Report& report, const std::string& folder, double seconds)
{
    std::printf("%" PRIu64 " samples made in %.1f s (%.2f per second), %" PRIu64 " were there\n",
                report.made,
                seconds,
                static_cast<double>(report.made) / seconds,
                report.kept);
    std::printf("written: %s/manifest.csv; %" PRIu64 " flows in %.1f MB\n",
                folder.c_str(),
                report.flows,
                static_cast<double>(report.bytes) / 1e6);
}

/// What is asked for.
struct Request
{
    std::string kind;                   //!< --kind
    std::string scenario;               //!< --scenario
    std::string suite;                  //!< --suite
    std::string recipe;                 //!< --recipe
    std::string rules;                  //!< --rules
    std::string out{"results/dataset"}; //!< --out
    std::string check;                  //!< --check
    std::string engine{"packet"};       //!< --engine
    uint64_t seed{1};                   //!< --seed
    uint64_t samples{1000};             //!< --samples
    uint64_t shardSize{20};             //!< --shardSize
    DcnTaskFarmOptions work{false};     //!< --jobs, --mpi

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        DcnAddText(cmd, "kind", "path (default, m3) or fabric (m4)", kind);
        DcnAddText(cmd,
                   "scenario",
                   "Scenario directory: its flows in every sample, under drawn configurations",
                   scenario);
        DcnAddText(cmd,
                   "suite",
                   "Suite (dcn-validate) whose scenarios are drawn, with seeds of its own",
                   suite);
        DcnAddText(cmd, "recipe", "reduced (default) or published", recipe);
        cmd.AddValue(
            "rules",
            "Rules to change, as in theta=5000:50000,weights=published; may be given again",
            [this](const std::string& more) {
                rules += (rules.empty() ? "" : ",") + more;
                return true;
            });
        cmd.AddValue("seed", "Seed of the data set", seed);
        cmd.AddValue("samples", "Number of samples; an existing data set can grow", samples);
        cmd.AddValue("shardSize", "Samples in a file", shardSize);
        work.AddTo(cmd);
        DcnAddText(cmd,
                   "engine",
                   "Simulation: packet (default) or tcp, with attributes as in "
                   "tcp:Transport=ns3::TcpCubic",
                   engine);
        DcnAddText(cmd, "out", "Folder of the data set", out);
        DcnAddText(cmd, "check", "Only read the data set in this folder and check it", check);
    }

    /// @return the recipe of the options
    DcnDatasetRecipe MakeRecipe() const
    {
        if (!scenario.empty() && !kind.empty())
        {
            DcnFail("--kind has no effect with --scenario, whose data sets are of the kind fabric");
        }
        if (!suite.empty() && !(kind.empty() && scenario.empty() && recipe.empty()))
        {
            DcnFail("--kind, --scenario and --recipe have no effect with --suite, whose data sets "
                    "are of the kind fabric");
        }
        const std::string name = recipe.empty() ? "reduced" : recipe;
        DcnDatasetRecipe made = !suite.empty() ? DcnDatasetRecipe::OfSuite(suite)
                                : scenario.empty()
                                    ? DcnDatasetRecipe(kind.empty() ? "path" : kind, name)
                                    : DcnDatasetRecipe::OfScenario(scenario, name);
        made.SetAll(rules);
        return made;
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    CommandLine cmd(__FILE__);
    cmd.Usage("Make a data set to train models on, simulated packet by packet.\n\n"
              "Rules of --kind=path, with their values in the recipe reduced:\n" +
              DcnDatasetRecipe::Describe("path") + "\nRules of --kind=fabric:\n" +
              DcnDatasetRecipe::Describe("fabric") + "\nRules of --scenario:\n" +
              DcnDatasetRecipe::Describe(DcnDatasetRecipe::SCENARIO) + "\nRules of --suite:\n" +
              DcnDatasetRecipe::Describe(DcnDatasetRecipe::SUITE));
    request.AddTo(cmd);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv, {"rules"});

    return DcnRunProgram("dcn-dataset", [&]() {
        given.CheckEffects({{{"kind",
                              "scenario",
                              "suite",
                              "recipe",
                              "rules",
                              "seed",
                              "samples",
                              "shardSize",
                              "jobs",
                              "mpi",
                              "engine",
                              "out"},
                             request.check.empty(),
                             "with --check"}});
        if (!request.check.empty())
        {
            Check(request.check);
            return 0;
        }
        DcnDatasetGenerator generator(request.MakeRecipe(),
                                      request.seed,
                                      request.samples,
                                      request.shardSize,
                                      request.out,
                                      request.engine);
        const auto start = std::chrono::steady_clock::now();
        const DcnTaskFarm farm = request.work.Make();
        const auto report = generator.Run(farm);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (farm.IsRoot())
        {
            Print(report, request.out, elapsed.count());
        }
        return 0;
    });
}
