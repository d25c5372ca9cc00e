/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks of the link simulators of Parsimon.
 */

#include "dcn-bench.h"

#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-link-simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

using namespace ns3;

namespace
{

/**
 * @param link a link topology
 * @param result its simulation
 * @param payload payload per packet
 * @return packet-normalised delays, ascending [ns]
 */
std::vector<double>
Delays(const ParsimonLink& link, const ParsimonLinkResult& result, uint32_t payload)
{
    std::vector<double> delays;
    for (std::size_t i = 0; i < link.flows.size(); ++i)
    {
        const int64_t delayNs = std::max<int64_t>(0, result.fctNs[i] - result.idealNs[i]);
        delays.push_back(static_cast<double>(delayNs) /
                         static_cast<double>(DcnPackets(link.flows[i].sizeBytes, payload)));
    }
    std::sort(delays.begin(), delays.end());
    return delays;
}

/// Differences of p99 of the packet-normalised delay from that of the packet engine.
class Differences
{
  public:
    /**
     * @param delays of one link
     * @param reference delays of the packet engine
     */
    void Add(const std::vector<double>& delays, const std::vector<double>& reference)
    {
        const double p99 = DcnQuantile(reference, 0.99);
        if (p99 > 0)
        {
            m_errors.push_back(std::abs(DcnQuantile(delays, 0.99) / p99 - 1));
        }
        else
        {
            ++m_nWithout; // without delays there is no relative error
        }
        m_all.insert(m_all.end(), delays.begin(), delays.end());
        m_allReference.insert(m_allReference.end(), reference.begin(), reference.end());
    }

    /**
     * @param name beginning of the metrics' names
     */
    void Print(const std::string& name)
    {
        std::sort(m_all.begin(), m_all.end());
        std::sort(m_allReference.begin(), m_allReference.end());
        Report("parsimon-link", name + "_links_without_delay", static_cast<double>(m_nWithout));
        if (m_errors.empty())
        {
            return;
        }
        Report("parsimon-link", name + "_mean_abs_p99_error", DcnMean(m_errors));
        Report("parsimon-link",
               name + "_largest_abs_p99_error",
               *std::max_element(m_errors.begin(), m_errors.end()));
        Report("parsimon-link",
               name + "_all_flows_p99_error",
               DcnQuantile(m_all, 0.99) / DcnQuantile(m_allReference, 0.99) - 1);
    }

  private:
    std::vector<double> m_errors;       //!< by link whose p99 is above 0
    uint64_t m_nWithout{0};             //!< links whose p99 is 0
    std::vector<double> m_all;          //!< delays of all links [ns]
    std::vector<double> m_allReference; //!< delays of all links by the packet engine [ns]
};

/**
 * @param builder makes link topologies
 * @return for each rate and position the most loaded links and those at a quarter and half of the
 * order of loads
 */
std::vector<ParsimonLink>
SampleLinks(const ParsimonLinkBuilder& builder)
{
    // by position and rate, most loaded first
    std::array<std::vector<uint32_t>, 6> classes;
    const DcnTopology& topology = builder.GetScenario().GetTopology();
    std::vector<uint32_t> busy = builder.GetBusyLinks();
    std::stable_sort(busy.begin(), busy.end(), [&builder](uint32_t a, uint32_t b) {
        return builder.GetLoad(a) > builder.GetLoad(b);
    });
    for (uint32_t link : busy)
    {
        const DcnLink& ends = topology.GetLink(link);
        const std::size_t position = topology.IsHost(ends.from) ? 0
                                     : topology.IsHost(ends.to) ? 2
                                                                : 1;
        const bool isFast = ends.rateBps > topology.GetSlowestHostRate();
        classes[2 * position + (isFast ? 1 : 0)].push_back(link);
    }
    std::vector<ParsimonLink> sample;
    for (const auto& links : classes)
    {
        if (links.size() >= 20)
        {
            const std::size_t n = links.size();
            for (std::size_t place : {0UL, 1UL, 2UL, 5UL, 10UL, n / 4, n / 2})
            {
                sample.push_back(builder.Build(links[place]));
            }
        }
    }
    return sample;
}

/// @return a link whose every other flow starts a nanosecond later: what a nanosecond does to the
/// packet engine itself
ParsimonLink
ShiftStarts(const ParsimonLink& link)
{
    ParsimonLink shifted = link;
    for (std::size_t i = 1; i < shifted.flows.size(); i += 2)
    {
        ++shifted.flows[i].startNs;
    }
    std::stable_sort(
        shifted.flows.begin(),
        shifted.flows.end(),
        [](const ParsimonLinkFlow& a, const ParsimonLinkFlow& b) { return a.startNs < b.startNs; });
    return shifted;
}

} // namespace

void
BenchParsimonLink()
{
    // hosts of 10 Gb/s under switches of 40 Gb/s, and all links at 10 Gb/s
    for (const bool isUniform : {false, true})
    {
        DcnFabricParameters fabric;
        fabric.racksPerPod = 16;
        fabric.hostsPerRack = 8;
        fabric.spinesPerPlane = 8;
        if (isUniform)
        {
            fabric.fabricRate = fabric.hostRate;
        }
        DcnWorkloadSpec spec;
        spec.sizes = "web-server";
        spec.nFlows = 200000;
        spec.load = 0.6;
        Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
        const DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
        {
            Ptr<const DcnScenario> scenario =
                DcnScenario::CreateWithPaths(topology,
                                             DcnNetworkConfig::Preset(cc),
                                             workload.flows,
                                             workload.paths);
            const ParsimonLinkBuilder builder(scenario);
            const DcnNetworkParameters& network = scenario->GetNetwork();
            auto lean = ParsimonLinkSimulator::Create("lean", network, 1);
            auto packet = ParsimonLinkSimulator::Create("packet", network, 1);
            DcnCost leanCost;
            DcnCost packetCost;
            double packets = 0;
            double leastRatio = 1e9;
            Differences errors;
            Differences noise;
            for (const ParsimonLink& link : SampleLinks(builder))
            {
                const DcnStopwatch leanWatch;
                const ParsimonLinkResult leanResult = lean->Simulate(link);
                const DcnCost leanOne = leanWatch.Get();
                const DcnStopwatch packetWatch;
                const ParsimonLinkResult packetResult = packet->Simulate(link);
                const DcnCost packetOne = packetWatch.Get();
                leanCost = leanCost + leanOne;
                packetCost = packetCost + packetOne;
                leastRatio = std::min(leastRatio, packetOne.cpuSeconds / leanOne.cpuSeconds);
                for (const ParsimonLinkFlow& flow : link.flows)
                {
                    packets +=
                        static_cast<double>(DcnPackets(flow.sizeBytes, network.payloadBytes));
                }
                const ParsimonLink shifted = ShiftStarts(link);
                const auto reference = Delays(link, packetResult, network.payloadBytes);
                errors.Add(Delays(link, leanResult, network.payloadBytes), reference);
                noise.Add(Delays(shifted, packet->Simulate(shifted), network.payloadBytes),
                          reference);
            }
            const std::string name = cc + (isUniform ? "_10g" : "_40g");
            Report("parsimon-link",
                   name + "_lean_vs_packet",
                   packetCost.cpuSeconds / leanCost.cpuSeconds);
            Report("parsimon-link",
                   name + "_wall_lean_vs_packet",
                   packetCost.wallSeconds / leanCost.wallSeconds);
            Report("parsimon-link", name + "_least_lean_vs_packet", leastRatio);
            Report("parsimon-link",
                   name + "_lean_packets_per_cpu_s",
                   packets / leanCost.cpuSeconds);
            errors.Print(name + "_lean");
            noise.Print(name + "_packet_shifted_by_1ns");
        }
    }
}
