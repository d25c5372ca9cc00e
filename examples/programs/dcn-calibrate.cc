/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Fits latencies and efficiencies of a simulated cluster to measurements of a real one, and
 * predicts the measurements that were not used.
 *
 * Written: calibration.csv, protocols.csv (doc/schema.rst).
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-train-calibration.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Options beside those of the network.
struct Options
{
    std::string probes;                        //!< --probes
    std::string collective;                    //!< --collective
    std::string fit;                           //!< --fit
    std::string parameters;                    //!< --parameters
    std::string protocols{"nccl"};             //!< --protocols
    std::string use;                           //!< --use
    std::string algorithm{"auto"};             //!< --algorithm
    uint32_t channels{8};                      //!< --channels
    std::string out{"results/calibrate"};      //!< --out
    DcnTrainNetworkOptions network{"flowsim"}; //!< the network, and --engine

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        network.AddTo(cmd);
        DcnAddText(cmd, "probes", "Table of probes, or output of a program of nccl-tests", probes);
        DcnAddText(cmd, "collective", "Of the output of nccl-tests (all-reduce)", collective);
        DcnAddText(cmd, "fit", "Sizes of nccl-tests that are fitted, joined by commas", fit);
        DcnAddText(cmd,
                   "parameters",
                   "hostLatency, linkDelay, nicEfficiency, PROTOCOL:COLUMN or "
                   "ALGORITHM/PROTOCOL:COLUMN, joined by commas",
                   parameters);
        DcnAddText(cmd,
                   "protocols",
                   "Table of protocols to begin with: nccl, or a file",
                   protocols);
        DcnAddText(cmd, "use", "Protocols that the library has; none: all of the table", use);
        DcnAddText(cmd, "algorithm", "Algorithm of collectives; auto: chosen by size", algorithm);
        cmd.AddValue("channels", "Channels of collectives, at most", channels);
        DcnAddText(cmd, "out", "Folder for the results", out);
    }

    /// @return options of collectives that were given
    static std::vector<std::string> GetOfCollectives(const DcnGivenOptions& given)
    {
        std::vector<std::string> names;
        for (const char* name : {"collective", "protocols", "use", "algorithm", "channels"})
        {
            if (given.Has(name))
            {
                names.emplace_back(name);
            }
        }
        return names;
    }

    /// @return what is simulated
    DcnTrainCalibration::Setup MakeSetup() const
    {
        DcnTrainCalibration::Setup setup;
        setup.network = network;
        // a bad option is refused before anything is written
        for (const std::string& note : network.Create().notes)
        {
            std::printf("%s\n", note.c_str());
        }
        const auto engines = network.GetEngines();
        if (engines.size() != 1)
        {
            DcnFail("--engine must be one engine, but there are ", engines.size());
        }
        setup.engine = engines[0];
        const auto table = DcnTrainProtocols::Read(protocols);
        const auto names = DcnSplitValues("use", use);
        for (const std::string& name : names)
        {
            if (std::none_of(table.begin(), table.end(), [&name](const DcnTrainProtocol& row) {
                    return row.name == name;
                }))
            {
                DcnFail("--use=", use, ": ", protocols, " has no protocol \"", name, "\"");
            }
        }
        std::copy_if(table.begin(),
                     table.end(),
                     std::back_inserter(setup.table),
                     [&names](const DcnTrainProtocol& row) {
                         return names.empty() ||
                                std::find(names.begin(), names.end(), row.name) != names.end();
                     });
        setup.algorithm = algorithm;
        setup.channels = channels;
        return setup;
    }
};

/// Prints mean and largest error of the probes that were fitted, or of the others.
void
PrintErrors(const std::vector<DcnTrainCalibration::Row>& rows, bool isFitted)
{
    double sum = 0;
    double worst = 0;
    std::size_t n = 0;
    for (const auto& row : rows)
    {
        if (row.probe.isFitted == isFitted)
        {
            sum += std::abs(row.GetError());
            worst = std::max(worst, std::abs(row.GetError()));
            ++n;
        }
    }
    if (n > 0)
    {
        std::printf("%zu probes %s: mean |error| %.1f %%, largest %.1f %%\n",
                    n,
                    isFitted ? "fitted" : "predicted",
                    100 * sum / static_cast<double>(n),
                    100 * worst);
    }
}

/// Prints and writes what was found.
void
Report(const DcnTrainCalibration& calibration,
       const DcnTrainCalibration::Result& result,
       const Options& options,
       DcnRunRecord& record)
{
    DcnFileWriter table(options.out + "/calibration.csv");
    table.Stream() << "probe,from,to,bytes,use,measured_us,simulated_us,error\n";
    std::printf("%-16s %14s %14s %14s %9s\n",
                "probe",
                "bytes",
                "measured [us]",
                "simulated",
                "error");
    for (const auto& row : result.rows)
    {
        const DcnTrainProbe& probe = row.probe;
        const bool isMessage = probe.kind == "ping" || probe.kind == "flow";
        const auto host = [=](uint32_t each) { return isMessage ? std::to_string(each) : ""; };
        std::printf("%-16s %14llu %14.1f %14.1f %+8.1f%%%s\n",
                    probe.kind.c_str(),
                    static_cast<unsigned long long>(probe.bytes),
                    probe.timeUs,
                    row.timeUs,
                    100 * row.GetError(),
                    probe.isFitted ? "  fitted" : "");
        table.Stream() << probe.kind << ',' << host(probe.from) << ',' << host(probe.to) << ','
                       << probe.bytes << ',' << (probe.isFitted ? "fit" : "predict") << ','
                       << DcnToText(probe.timeUs) << ',' << DcnToText(row.timeUs) << ','
                       << DcnToText(row.GetError()) << '\n';
    }
    table.Commit();
    record.AddFile("calibration.csv");
    DcnTrainProtocols::Write(result.table,
                             options.out + "/protocols.csv",
                             {"Costs of collectives, by dcn-calibrate."});
    record.AddFile("protocols.csv");
    PrintErrors(result.rows, true);
    PrintErrors(result.rows, false);
    for (const auto& parameter : result.parameters)
    {
        std::printf("%s = %.6g%s\n",
                    parameter.name.c_str(),
                    parameter.value,
                    parameter.isAtLimit ? ", the limit of what it may be: the probes ask for more; "
                                          "rates, delays or the topology may be others"
                                        : "");
    }
    const std::string keys = calibration.DescribeOptions(result.parameters);
    std::printf("%u simulations; for dcn-train-sim: %s%s--protocols=%s/protocols.csv\n",
                result.nRuns,
                keys.c_str(),
                keys.empty() ? "" : " ",
                options.out.c_str());
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Fit a simulated cluster to measurements of a real one.");
    options.AddTo(cmd);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("dcn-calibrate", [&]() {
        if (options.probes.empty())
        {
            DcnFail("--probes is missing: give a table of probes, or the output of nccl-tests");
        }
        given.CheckEffects(options.network.GetEffects());
        given.CheckEffects({{{"fit"}, !options.parameters.empty(), "without --parameters"}});
        std::vector<uint64_t> sizes;
        for (const std::string& text : DcnSplitValues("fit", options.fit))
        {
            double size = 0;
            if (!DcnParse(text, size) || size < 1 || size > 1e15 || size != std::floor(size))
            {
                DcnFail("--fit must be whole numbers of bytes joined by commas, but one is \"",
                        text,
                        "\"");
            }
            sizes.push_back(static_cast<uint64_t>(size));
        }
        const auto probes = DcnTrainCalibration::Read(options.probes, options.collective, sizes);
        DcnTrainCalibration::RefuseUnused(probes, Options::GetOfCollectives(given));
        DcnTrainCalibration calibration(options.MakeSetup(),
                                        DcnSplitValues("parameters", options.parameters));
        DcnRunRecord record(options.out,
                            DcnDescribeCommand("dcn-calibrate", argc, argv),
                            {"calibration.csv", "protocols.csv"});
        Report(calibration, calibration.Fit(probes), options, record);
        record.Finish();
        std::printf("written: %s\n", record.GetFiles().c_str());
        return 0;
    });
}
