/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Errors of Parsimon on the parking lot of its paper's appendix C.
 *
 *     host 0 -- switch a -- switch b -- switch c -- host 6       all links 40 Gb/s, 1 us
 *               host 1      hosts 2, 3  hosts 4, 5
 *
 * Main traffic goes from 0 to 6, cross traffic from 1 to 2, from 3 to 4 and from 5 to 6, each at a
 * load of 25 %, so that three links carry 50 %. The slowdowns are those of the main traffic only,
 * by the packet engine and by the default and the published rules of Parsimon. Written:
 * parking-lot.csv and a plot per variant.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-arrival-process.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 40'000'000'000; //!< of all links [bit/s]
constexpr uint64_t CROSS_BYTES = 10'000;  //!< size of a cross flow

/// A variant of the appendix.
struct Variant
{
    std::string name;   //!< name in files and rows
    uint64_t mainBytes; //!< size of a main flow
    bool cross;         //!< whether there is cross traffic
    bool identical;     //!< whether the three sources of cross traffic send equal flows
    double sigma;       //!< shape of log-normal gaps of the cross traffic; 0: Poisson
};

/** @return the parking lot; node i is host i for i < 7. */
Ptr<DcnTopology>
MakeTopology()
{
    DcnTopologyBuilder builder;
    for (int host = 0; host < 7; ++host)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    const uint32_t a = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t b = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t c = builder.AddNode(DcnNodeKind::SWITCH);
    const std::vector<std::pair<uint32_t, uint32_t>>
        links{{0, a}, {1, a}, {2, b}, {3, b}, {4, c}, {5, c}, {6, c}, {a, b}, {b, c}};
    for (const auto& [from, to] : links)
    {
        builder.AddLink(from, to, RATE, 1000);
    }
    return builder.Build();
}

/**
 * @param bytes size of a flow
 * @param sigma see Variant
 * @param endNs end of starts [ns]
 * @param seed of the gaps
 * @param index number of the process, 0 to 3
 * @return starts of flows at a load of 25 % [ns]
 */
std::vector<int64_t>
MakeStarts(uint64_t bytes, double sigma, double endNs, uint64_t seed, uint32_t index)
{
    const double mean = 8e9 * static_cast<double>(bytes) / (0.25 * static_cast<double>(RATE));
    DcnArrivalProcess process(sigma, DcnRandom(4 * seed + index));
    std::vector<int64_t> starts;
    for (double time = mean * process.Next().time; time < endNs; time = mean * process.Next().time)
    {
        starts.push_back(std::llround(time));
    }
    return starts;
}

/**
 * @param variant the variant
 * @param nMain number of main flows
 * @param seed of the gaps
 * @return the flows; main flows have ids below nMain
 */
Ptr<const DcnScenario>
MakeScenario(const Variant& variant, uint64_t nMain, uint64_t seed)
{
    const double endNs = static_cast<double>(nMain) * 8e9 * static_cast<double>(variant.mainBytes) /
                         (0.25 * static_cast<double>(RATE));
    std::vector<DcnFlow> flows;
    auto add = [&](uint32_t src, uint32_t dst, uint64_t bytes, const std::vector<int64_t>& starts) {
        for (int64_t start : starts)
        {
            flows.push_back({flows.size(), src, dst, bytes, start});
        }
    };
    add(0, 6, variant.mainBytes, MakeStarts(variant.mainBytes, 0, endNs, seed, 0));
    for (uint32_t i = 0; variant.cross && i < 3; ++i)
    {
        const uint32_t stream = variant.identical ? 1 : 1 + i;
        add(2 * i + 1,
            2 * i + 2,
            CROSS_BYTES,
            MakeStarts(CROSS_BYTES, variant.sigma, endNs, seed, stream));
    }
    return DcnScenario::Create(MakeTopology(), DcnNetworkConfig::Preset("dctcp", RATE), flows);
}

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
        if (scenario->GetFlows()[f].src == 0 && fctNs[f] > 0)
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
        for (const Variant& variant :
             std::vector<Variant>{{"short-alone", 1000, false, false, 0},
                                  {"short-cross", 1000, true, false, 0},
                                  {"short-identical", 1000, true, true, 0},
                                  {"long-cross", 400000, true, false, 0},
                                  {"long-identical", 400000, true, true, 0},
                                  {"long-bursty", 400000, true, false, 2},
                                  {"long-bursty-identical", 400000, true, true, 2}})
        {
            auto scenario = MakeScenario(variant, variant.mainBytes == 1000 ? nShort : nLong, seed);
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
