/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-estimator.h"

#include "flowsim-engine.h"
#include "flowsim-slot-table.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/double.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowsimEstimator);

namespace
{

constexpr double SMALLEST_EFFICIENCY = 1e-6; //!< Attribute ranges are closed, and 0 is no rate

} // namespace

TypeId
FlowsimEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FlowsimEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("Flowsim")
            .AddConstructor<FlowsimEstimator>()
            .AddAttribute("WindowCap",
                          "Whether a flow is no faster than one window per base round-trip time.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FlowsimEstimator::SetWindowCap),
                          MakeBooleanChecker())
            .AddAttribute("LinkEfficiency",
                          "Part of every link's rate that flows can have, at most 1.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FlowsimEstimator::SetLinkEfficiency),
                          MakeDoubleChecker<double>(SMALLEST_EFFICIENCY, 1));
    return tid;
}

std::string
FlowsimEstimator::GetName() const
{
    return "flowsim";
}

void
FlowsimEstimator::SetWeight(Weight weight)
{
    m_weight = std::move(weight);
}

uint64_t
FlowsimEstimator::GetNEvents() const
{
    return m_nEvents;
}

uint64_t
FlowsimEstimator::GetNRateChanges() const
{
    return m_nRateChanges;
}

void
FlowsimEstimator::SetWindowCap(bool windowCap)
{
    m_options.windowCap = windowCap;
}

void
FlowsimEstimator::SetLinkEfficiency(double linkEfficiency)
{
    m_options.linkEfficiency = linkEfficiency;
}

void
FlowsimEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const auto& flows = scenario->GetFlows();
    const FlowsimFluidModel model(scenario->GetTopology(), scenario->GetNetwork(), m_options);
    FlowsimEngine engine(model.GetCapacities());
    FlowsimSlotTable<std::pair<std::size_t, FlowsimFluid>> active;
    std::size_t next = 0;
    engine.SetSource([&](FlowsimArrival& arrival) {
        if (next == flows.size())
        {
            return false;
        }
        const DcnFlow& flow = flows[next];
        const DcnPath path = scenario->GetPath(next);
        const FlowsimFluid fluid = model.GetFluid(path, flow.sizeBytes);
        arrival.id = active.Add({next, fluid});
        arrival.startNs = flow.startNs;
        arrival.bits = fluid.bits;
        arrival.cap = fluid.cap;
        arrival.path.assign(path.begin(), path.end());
        if (m_weight)
        {
            arrival.weight = m_weight(flow);
            if (!(arrival.weight >= FlowsimMaxMinSolver::MIN_WEIGHT &&
                  arrival.weight <= FlowsimMaxMinSolver::MAX_WEIGHT))
            {
                DcnFail("flow ",
                        flow.id,
                        " has the weight ",
                        arrival.weight,
                        ", but weights are between ",
                        FlowsimMaxMinSolver::MIN_WEIGHT,
                        " and ",
                        FlowsimMaxMinSolver::MAX_WEIGHT);
            }
        }
        ++next;
        return true;
    });
    DcnProgress progress("flowsim", flows.size(), "flows");
    uint64_t done = 0;
    engine.SetSink([&](const FlowsimCompletion& completion) {
        const auto [flow, fluid] = active.Take(static_cast<uint32_t>(completion.id));
        estimate.fctNs[flow] = fluid.GetFctNs(completion.durationNs);
        progress.Update(++done);
    });
    engine.Run();
    estimate.provenance = "max-min fair fluid simulation" + model.Describe();
    m_nEvents = engine.GetNEvents();
    m_nRateChanges = engine.GetNRateChanges();
}

} // namespace ns3
