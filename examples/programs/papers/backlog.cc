/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "backlog.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @param ends completion of each flow [ns], negative: incomplete
 * @return flows per second until four fifths have completed
 */
double
GetThroughput(std::vector<int64_t> ends)
{
    const std::size_t n = ends.size() * 4 / 5;
    std::replace_if(
        ends.begin(),
        ends.end(),
        [](int64_t end) { return end < 0; },
        INT64_MAX);
    std::nth_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(n) - 1, ends.end());
    if (ends[n - 1] == INT64_MAX)
    {
        DcnFail("a fifth of the flows did not complete");
    }
    return static_cast<double>(n) * 1e9 / static_cast<double>(ends[n - 1]);
}

} // namespace

Ptr<const DcnScenario>
M4MakeBacklog(const DcnSuiteScenario& drawn, uint64_t nFlows)
{
    const auto parts = drawn.recipe.CreateParts();
    const Ptr<DcnTopology> topology = parts.topology;
    const DcnRandom random(drawn.seed);
    auto sizes = DcnSizeDistribution::Create(drawn.sizes);
    sizes->AssignStreams(random);
    auto choice = CreateObject<UniformRandomVariable>();
    random.Assign(choice, DcnPurpose::FLOW_PAIRS);
    std::vector<uint32_t> racks(topology->GetNRacks());
    for (uint32_t rack = 0; rack < racks.size(); ++rack)
    {
        racks[rack] = rack;
    }
    DcnShuffle(racks, *choice);
    racks.resize(racks.size() / 4);
    std::vector<uint32_t> clients;
    std::vector<uint32_t> storage;
    for (const uint32_t host : topology->GetHosts())
    {
        const bool isClient =
            std::find(racks.begin(), racks.end(), topology->GetRack(host)) != racks.end();
        (isClient ? clients : storage).push_back(host);
    }
    auto draw = [&choice](const std::vector<uint32_t>& hosts) {
        return hosts[choice->GetInteger(0, static_cast<uint32_t>(hosts.size()) - 1)];
    };
    std::vector<DcnFlow> flows;
    for (uint64_t i = 0; i < nFlows; ++i)
    {
        const uint32_t from = draw(clients);
        flows.push_back({i, from, draw(storage), sizes->Sample(), 0});
    }
    return DcnScenario::Create(topology, parts.network, std::move(flows), {}, drawn.seed);
}

double
M4MeasureThroughput(Ptr<DcnEstimator> method, Ptr<const DcnScenario> scenario, uint32_t limit)
{
    method->SetAttribute("InFlightPerRack", UintegerValue(limit));
    const DcnEstimate estimate = method->Estimate(scenario);
    Simulator::Destroy();
    std::vector<int64_t> ends = estimate.fctNs;
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
        ends[i] = ends[i] < 0 ? -1 : ends[i] + estimate.releaseNs[i];
    }
    return GetThroughput(ends);
}

} // namespace ns3
