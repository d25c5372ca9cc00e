/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-estimator.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-progress.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnPathEstimator);

TypeId
DcnPathEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnPathEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("DcnPath")
            .AddConstructor<DcnPathEstimator>()
            .AddAttribute("NPaths",
                          "Number of draws of paths; 0: every path.",
                          UintegerValue(500),
                          MakeUintegerAccessor(&DcnPathEstimator::m_nPaths),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Engine",
                          "Method that simulates a path, its attributes after commas.",
                          StringValue("packet"),
                          MakeStringAccessor(&DcnPathEstimator::m_engine),
                          MakeStringChecker())
            .AddAttribute("Sampling",
                          "How paths are drawn: Systematic or Replacement (published).",
                          StringValue("Systematic"),
                          MakeStringAccessor(&DcnPathEstimator::SetSampling),
                          MakeStringChecker())
            .AddAttribute("Hosts",
                          "Where background flows start and end: Host, Port or Network.",
                          StringValue("Host"),
                          MakeStringAccessor(&DcnPathEstimator::SetHosts),
                          MakeStringChecker())
            .AddAttribute("Reverse",
                          "Whether flows that use the path's links in the other direction count.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcnPathEstimator::m_reverse),
                          MakeBooleanChecker())
            .AddAttribute("Seed",
                          "Seed of the draws; 0: the scenario's.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPathEstimator::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Jobs",
                          "Processes at a time; 0: as many as the machine has cores.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPathEstimator::m_jobs),
                          MakeUintegerChecker<uint32_t>(0, 4096));
    return tid;
}

std::string
DcnPathEstimator::GetName() const
{
    return "ns3-path";
}

void
DcnPathEstimator::SetSampling(std::string sampling)
{
    if (sampling != "Systematic" && sampling != "Replacement")
    {
        DcnFail("the attribute Sampling of the method \"ns3-path\" is Systematic or Replacement, "
                "not \"", sampling, "\"");
    }
    m_sampling = sampling == "Systematic" ? DcnPathSampling::SYSTEMATIC
                                          : DcnPathSampling::REPLACEMENT;
}

void
DcnPathEstimator::SetHosts(std::string hosts)
{
    if (hosts != "Host" && hosts != "Port" && hosts != "Network")
    {
        DcnFail("the attribute Hosts of the method \"ns3-path\" is Host, Port or Network, not \"",
                hosts, "\"");
    }
    m_hosts = hosts == "Host"   ? DcnPathHosts::HOST
              : hosts == "Port" ? DcnPathHosts::PORT
                                : DcnPathHosts::NETWORK;
}

std::vector<int64_t>
DcnPathEstimator::Simulate(const DcnPathCensus& census, uint32_t path) const
{
    const DcnPathScenario lot =
        DcnPathScenarioBuilder(census, m_hosts)
            .Build(path, DcnFindPathTraffic(census, path, m_reverse));
    std::string engine = m_engine;
    std::replace(engine.begin(), engine.end(), ',', ':');
    const DcnEstimate estimate = DcnEstimator::CreateByName(engine)->Estimate(lot.scenario);
    const DcnFlowRange foreground = census.GetForeground(path);
    std::vector<int64_t> fctNs(foreground.size(), DcnEstimate::UNFINISHED);
    for (std::size_t i = 0; i < lot.origins.size(); ++i)
    {
        const DcnPathScenario::Origin& origin = lot.origins[i];
        if (origin.foreground && estimate.fctNs[i] != DcnEstimate::UNFINISHED)
        {
            const auto position = std::lower_bound(foreground.begin(), foreground.end(), origin.flow);
            fctNs[static_cast<std::size_t>(position - foreground.begin())] =
                estimate.fctNs[i] + census.GetScenario().GetIdealFct(origin.flow).GetTotalNs() -
                lot.scenario->GetIdealFct(i).GetTotalNs();
        }
    }
    return fctNs;
}

void
DcnPathEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const DcnPathCensus census(scenario);
    const std::vector<DcnDrawnPath> drawn =
        DcnDrawPaths(census,
                     m_nPaths ? m_nPaths : scenario->GetFlows().size(),
                     m_nPaths ? m_sampling : DcnPathSampling::SYSTEMATIC,
                     m_seed ? m_seed : scenario->GetSeed());
    const uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
    const uint32_t jobs = m_jobs ? m_jobs : cores;
    // Small enough for all processes to end together, large enough not to be mostly their start.
    const std::size_t chunk = std::max<std::size_t>(1, drawn.size() / (32 * std::size_t{jobs}));
    const std::size_t nChunks = (drawn.size() + chunk - 1) / chunk;
    auto end = [&](std::size_t i) { return std::min(drawn.size(), (i + 1) * chunk); };
    auto simulate = [&](uint64_t i) {
        std::string bytes;
        for (std::size_t j = i * chunk; j < end(i); ++j)
        {
            const std::vector<int64_t> fctNs = Simulate(census, drawn[j].path);
            bytes.append(reinterpret_cast<const char*>(fctNs.data()),
                         fctNs.size() * sizeof(int64_t));
            Simulator::Destroy(); // this process's; nodes and events of the path end here
        }
        return bytes;
    };
    DcnProgress progress("ns3-path", drawn.size(), "paths");
    uint64_t nDone = 0;
    const std::vector<std::string> results =
        DcnComputeInProcesses(nChunks, jobs, simulate, [&](uint64_t i) {
            nDone += end(i) - i * chunk;
            progress.Update(nDone);
        });
    uint64_t nLost = 0;
    for (std::size_t i = 0; i < nChunks; ++i)
    {
        const char* bytes = results[i].data();
        for (std::size_t j = i * chunk; j < end(i); ++j)
        {
            for (uint32_t index : census.GetForeground(drawn[j].path))
            {
                int64_t fctNs;
                std::memcpy(&fctNs, bytes, sizeof(fctNs));
                bytes += sizeof(fctNs);
                if (fctNs == DcnEstimate::UNFINISHED)
                {
                    ++nLost;
                    continue;
                }
                estimate.fctNs[index] = fctNs;
                const DcnFlow& flow = scenario->GetFlows()[index];
                const auto ideal = static_cast<double>(scenario->GetIdealFct(index).GetTotalNs());
                estimate.samples.push_back({std::max(1.0, static_cast<double>(fctNs) / ideal),
                                            flow.sizeBytes,
                                            drawn[j].flowWeight,
                                            flow.src,
                                            flow.dst});
            }
        }
    }
    if (nLost > 0)
    {
        estimate.unfinished["unfinished on their path"] = nLost;
    }
    estimate.provenance = m_engine + " on " + std::to_string(drawn.size()) + " of " +
                          std::to_string(census.GetNPaths()) + " paths";
}

} // namespace ns3
