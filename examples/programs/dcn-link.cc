/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief One link of a scenario in Parsimon: its link topology, and the results of several link
 * simulators.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-units.h"
#include "ns3/parsimon-decomposition.h"
#include "ns3/parsimon-link-simulator.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Result and cost of a link simulator.
struct Answer
{
    std::string name;          //!< name of the simulator
    ParsimonLinkResult result; //!< completion times
    double cpuSeconds;         //!< processor time
};

/**
 * @param position position of a link
 * @return its name on the command line
 */
std::string
NameOf(ParsimonPosition position)
{
    static const char* const NAMES[] = {"first-hop", "switch-to-switch", "last-hop"};
    return NAMES[static_cast<int>(position)];
}

/**
 * @param decomposition makes link topologies
 * @param which "hottest", "hottest:<position>" or "a->b" with the nodes' numbers
 * @return the link topology
 */
ParsimonLink
FindLink(const ParsimonDecomposition& decomposition, const std::string& which)
{
    const ParsimonLinkBuilder& builder = decomposition.GetBuilder();
    const DcnTopology& topology = builder.GetScenario().GetTopology();
    if (which.rfind("hottest", 0) != 0)
    {
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            if (topology.DescribeLink(link) == which)
            {
                return decomposition.Make(link);
            }
        }
        DcnFail("--link is \"", which, "\", but the topology has no such link");
    }
    std::vector<uint32_t> busy = builder.GetBusyLinks();
    std::stable_sort(busy.begin(), busy.end(), [&builder](uint32_t a, uint32_t b) {
        return builder.GetLoad(a) > builder.GetLoad(b);
    });
    for (uint32_t each : busy)
    {
        ParsimonLink link = decomposition.Make(each);
        if (which == "hottest" || which == "hottest:" + NameOf(link.position))
        {
            return link;
        }
    }
    DcnFail("--link is \"",
            which,
            "\", but must be hottest, hottest:first-hop, "
            "hottest:switch-to-switch, hottest:last-hop (with a link there that carries flows) or "
            "two nodes as in \"4->12\"");
}

/**
 * @param builder that made it
 * @param link a link topology
 */
void
Describe(const ParsimonLinkBuilder& builder, const ParsimonLink& link)
{
    std::printf("link %s, %s, %.4g Gb/s (%.4g Gb/s for data), %ld ns, load %.1f %%, %zu flows\n",
                builder.GetScenario().GetTopology().DescribeLink(link.link).c_str(),
                NameOf(link.position).c_str(),
                static_cast<double>(link.capacityBps) / 1e9,
                static_cast<double>(link.availableBps) / 1e9,
                static_cast<long>(link.delayNs),
                100 * builder.GetLoad(link.link),
                link.flows.size());
    for (const bool before : {true, false})
    {
        const auto& list = before ? link.sources : link.destinations;
        std::printf("%zu %s", list.size(), before ? "sources" : "destinations");
        if (list.front().rateBps == 0)
        {
            std::printf(": the end of the link\n");
            continue;
        }
        auto isNearer = [](const auto& a, const auto& b) { return a.delayNs < b.delayNs; };
        const auto [nearest, farthest] = std::minmax_element(list.begin(), list.end(), isNearer);
        std::printf(", %ld to %ld ns away, the first at %.4g Gb/s\n",
                    static_cast<long>(nearest->delayNs),
                    static_cast<long>(farthest->delayNs),
                    static_cast<double>(list.front().rateBps) / 1e9);
    }
}

/**
 * @param link the link topology
 * @param answers of the simulators, the reference first
 * @param payload payload per packet
 */
void
PrintTable(const ParsimonLink& link, const std::vector<Answer>& answers, uint32_t payload)
{
    std::printf("\n%-8s %10s %9s %16s %12s %12s %12s %10s\n",
                "simul.",
                "CPU [s]",
                "speed-up",
                "Mpackets/CPU s",
                "p50 [ns]",
                "p90 [ns]",
                "p99 [ns]",
                "p99 error");
    double reference = 0;
    for (const Answer& answer : answers)
    {
        std::vector<double> delays;
        double packets = 0;
        for (std::size_t i = 0; i < link.flows.size(); ++i)
        {
            const auto n = static_cast<double>(DcnPackets(link.flows[i].sizeBytes, payload));
            const int64_t delayNs = answer.result.fctNs[i] - answer.result.idealNs[i];
            delays.push_back(static_cast<double>(std::max<int64_t>(0, delayNs)) / n);
            packets += n;
        }
        std::sort(delays.begin(), delays.end());
        const double p99 = DcnQuantile(delays, 0.99);
        reference = &answer == &answers.front() ? p99 : reference;
        std::printf("%-8s %10.4f %8.1fx %16.2f %12.1f %12.1f %12.1f %+9.2f%%\n",
                    answer.name.c_str(),
                    answer.cpuSeconds,
                    answers.front().cpuSeconds / answer.cpuSeconds,
                    packets / answer.cpuSeconds / 1e6,
                    DcnQuantile(delays, 0.5),
                    DcnQuantile(delays, 0.9),
                    p99,
                    reference > 0 ? 100 * (p99 / reference - 1) : 0);
    }
    std::cout << "quantiles of delay / packets; errors against " << answers.front().name << "\n";
}

/**
 * @param path file
 * @param scenario scenario of the flows
 * @param link the link topology
 * @param answers of the simulators
 */
void
WriteCsv(const std::string& path,
         const DcnScenario& scenario,
         const ParsimonLink& link,
         const std::vector<Answer>& answers)
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    csv << "flow_id,size_bytes,start_ns";
    for (const auto& [name, result, cpuSeconds] : answers)
    {
        csv << ',' << name << "_ideal_ns," << name << "_fct_ns";
    }
    for (std::size_t i = 0; i < link.flows.size(); ++i)
    {
        const ParsimonLinkFlow& f = link.flows[i];
        csv << '\n' << scenario.GetFlows()[f.flow].id << ',' << f.sizeBytes << ',' << f.startNs;
        for (const auto& [name, result, cpuSeconds] : answers)
        {
            csv << ',' << result.idealNs[i] << ',' << result.fctNs[i];
        }
    }
    csv << '\n';
    file.Commit();
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnScenarioOptions options;
    std::string which = "hottest";
    std::string simulators = "packet,lean,flowsim";
    std::string out = "link";
    bool published = false;
    CommandLine cmd(__FILE__);
    cmd.Usage("Simulate the topology of one link of a scenario with several link simulators.");
    options.AddTo(cmd);
    DcnAddText(cmd, "link", "hottest, hottest:<position> or two nodes as in \"4->12\"", which);
    DcnAddText(cmd,
               "simulators",
               "Link simulators joined by commas, the reference first",
               simulators);
    DcnAddText(cmd, "out", "Folder for delays.csv and the scenario directory link", out);
    cmd.AddValue("published", "Link topologies by the published rules", published);
    DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("dcn-link", [&]() {
        Ptr<const DcnScenario> scenario = options.Create();
        const uint64_t seed = scenario->GetSeed();
        const ParsimonDecomposition decomposition(scenario,
                                                  published ? ParsimonRules::PUBLISHED
                                                            : ParsimonRules::DEFAULT);
        const ParsimonLink link = FindLink(decomposition, which);
        const DcnNetworkParameters& network = scenario->GetNetwork();
        std::vector<std::pair<std::string, std::unique_ptr<ParsimonLinkSimulator>>> made;
        for (const std::string& name : DcnSplitValues("simulators", simulators))
        {
            made.emplace_back(name, ParsimonLinkSimulator::Create(name, network, seed));
        }
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        DcnWriteScenario(*decomposition.MakeScenario(link), out + "/link");
        Describe(decomposition.GetBuilder(), link);
        std::vector<Answer> answers;
        for (const auto& [name, simulator] : made)
        {
            const DcnStopwatch watch;
            ParsimonLinkResult result = simulator->Simulate(link);
            const double cpuSeconds = watch.Get().cpuSeconds;
            answers.push_back({name, std::move(result), cpuSeconds});
        }
        PrintTable(link, answers, network.payloadBytes);
        WriteCsv(out + "/delays.csv", *scenario, link, answers);
        std::cout << "written: " << out << "/delays.csv, " << out << "/link" << std::endl;
        return 0;
    });
}
