/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-estimator.h"

#include "flowsim-engine.h"

#include "ns3/dcn-progress.h"
#include "ns3/dcn-units.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowsimEstimator);

TypeId
FlowsimEstimator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowsimEstimator")
                            .SetParent<DcnEstimator>()
                            .SetGroupName("Flowsim")
                            .AddConstructor<FlowsimEstimator>();
    return tid;
}

std::string
FlowsimEstimator::GetName() const
{
    return "flowsim";
}

void
FlowsimEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const DcnTopology& topology = scenario->GetTopology();
    const DcnNetworkParameters& network = scenario->GetNetwork();
    const auto& flows = scenario->GetFlows();
    std::vector<double> capacities(topology.GetNLinks());
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        capacities[link] = static_cast<double>(topology.GetLink(link).rateBps);
    }
    auto fluidBits = [&flows, &network](std::size_t i) {
        return 8.0 * static_cast<double>(DcnWireBytes(flows[i].sizeBytes, network.payloadBytes));
    };

    FlowsimEngine engine(capacities);
    std::size_t next = 0;
    engine.SetSource([&](FlowsimArrival& arrival) {
        if (next == flows.size())
        {
            return false;
        }
        const DcnPath path = scenario->GetPath(next);
        arrival.id = next;
        arrival.startNs = flows[next].startNs;
        arrival.bits = fluidBits(next);
        arrival.path.assign(path.begin(), path.end());
        if (network.maxRate.GetBitRate() > 0)
        {
            arrival.cap = static_cast<double>(network.maxRate.GetBitRate());
        }
        ++next;
        return true;
    });
    DcnProgress progress("flowsim", flows.size(), "flows");
    uint64_t done = 0;
    engine.SetSink([&](const FlowsimCompletion& completion) {
        const DcnIdealFct ideal = scenario->GetIdealFct(completion.id);
        const double aloneNs =
            fluidBits(completion.id) * 1e9 / static_cast<double>(ideal.bottleneckBps);
        estimate.fctNs[completion.id] =
            ideal.GetTotalNs() + std::llround(std::max(0.0, completion.durationNs - aloneNs));
        progress.Update(++done);
    });
    engine.Run();
    estimate.provenance = "max-min fair fluid simulation";
}

} // namespace ns3
