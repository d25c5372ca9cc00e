/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Errors of Parsimon on the parking lot of its paper's appendix C.
 *
 * ParsimonParkingLot has the variants. The slowdowns are those of the main traffic only, by the
 * packet engine and by the default and the published rules of Parsimon. Written:
 * parking-lot.csv and a plot per variant.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-statistics.h"
#include "ns3/parsimon-parking-lot.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param scenario the flows
 * @param method name of a method
 * @return slowdowns of the main flows, ascending
 */
std::vector<double>
GetMainSlowdowns(Ptr<const DcnScenario> scenario, const std::string& method)
{
    const auto fctNs = DcnEstimator::CreateByName(method)->Estimate(scenario).fctNs;
    Simulator::Destroy();
    std::vector<double> slowdowns;
    for (std::size_t f = 0; f < fctNs.size(); ++f)
    {
        if (ParsimonParkingLot::IsMain(scenario->GetFlows()[f]) && fctNs[f] > 0)
        {
            slowdowns.push_back(static_cast<double>(fctNs[f]) /
                                static_cast<double>(scenario->GetIdealFct(f).GetTotalNs()));
        }
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    return slowdowns;
}

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Error sources of Parsimon on a parking lot, against the packet engine.");
    uint64_t nShort = 40000;
    uint64_t nLong = 500;
    uint64_t seed = 1;
    std::string out = "results";
    cmd.AddValue("shortFlows", "Number of main flows of 1 kB", nShort);
    cmd.AddValue("longFlows", "Number of main flows of 400 kB", nLong);
    cmd.AddValue("seed", "Seed of the arrivals", seed);
    DcnAddText(cmd, "out", "Folder for the results", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-parsimon-parking-lot", [&]() {
        DcnMakeFolder(out);
        DcnFileWriter csv(out + "/parking-lot.csv");
        csv.Stream() << "variant,method,p50_slowdown,p99_slowdown,p50_error,p99_error\n";
        std::printf("%-22s %-26s %8s %8s %9s %9s\n",
                    "variant",
                    "method",
                    "p50",
                    "p99",
                    "p50 error",
                    "p99 error");
        for (const ParsimonParkingLot& variant : ParsimonParkingLot::GetAll())
        {
            auto scenario = variant.Create(variant.mainBytes == 1000 ? nShort : nLong, seed);
            DcnCdfPlot plot("Main traffic, " + variant.name, "FCT slowdown");
            double reference50 = 0;
            double reference99 = 0;
            for (const std::string method : {"packet", "parsimon", "parsimon:Rules=published"})
            {
                const auto slowdowns = GetMainSlowdowns(scenario, method);
                if (slowdowns.empty())
                {
                    DcnFail("no main flow started; raise the number of flows");
                }
                const double p50 = DcnQuantile(slowdowns, 0.5);
                const double p99 = DcnQuantile(slowdowns, 0.99);
                reference50 = method == "packet" ? p50 : reference50;
                reference99 = method == "packet" ? p99 : reference99;
                csv.Stream() << variant.name << ',' << method << ',' << p50 << ',' << p99 << ','
                             << p50 / reference50 - 1 << ',' << p99 / reference99 - 1 << '\n';
                std::printf("%-22s %-26s %8.3f %8.3f %+8.1f%% %+8.1f%%\n",
                            variant.name.c_str(),
                            method.c_str(),
                            p50,
                            p99,
                            100 * (p50 / reference50 - 1),
                            100 * (p99 / reference99 - 1));
                std::fflush(stdout);
                plot.Add(method, slowdowns);
            }
            plot.Write(out + "/" + variant.name);
        }
        csv.Commit();
        return 0;
    });
}
