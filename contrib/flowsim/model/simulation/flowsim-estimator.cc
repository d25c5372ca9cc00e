/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-estimator.h"
#include "flowsim-session.h"
#include "flowsim-window-simulation.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-forecast.h"
#include "ns3/dcn-idle-time.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-progress.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowsimEstimator);

NS_LOG_COMPONENT_DEFINE("FlowsimEstimator");

namespace
{

// Cost on the reference machine, fitted to 78 scenarios (doc/dcn.rst).
constexpr double FIXED_S = 0.0034;    //!< set-up [s]
constexpr double FLOW_HOP_S = 1.06e-7; //!< a flow at a link, alone [s]
constexpr double MEETING_S = 8.8e-8;  //!< times the root of the flows that it meets [s]

const std::string PROVENANCE = "max-min fair fluid simulation"; //!< First words of every provenance

/// @return processor time of this thread [s]
double
GetThreadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

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
                          "Limits a flow's rate to one window per base round-trip time.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&FlowsimEstimator::m_windowCap),
                          MakeBooleanChecker())
            .AddAttribute("LinkEfficiency",
                          "Fraction of every link's rate available to flows, in (0, 1].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&FlowsimEstimator::m_linkEfficiency),
                          MakeDoubleChecker<double>(FlowsimOptions::SMALLEST_EFFICIENCY, 1))
            .AddAttribute("IdleTimes",
                          "Flows that meet no other have their completion time with their "
                          "congestion control, headers and window; false: that of the fluid.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FlowsimEstimator::m_idleTimes),
                          MakeBooleanChecker())
            .AddAttribute("InFlightPerRack",
                          "Closed loop: most flows in flight from the hosts of a rack, the others "
                          "wait; 0: every flow begins at its start time.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FlowsimEstimator::m_inFlightPerRack),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::string
FlowsimEstimator::GetName() const
{
    return "flowsim";
}

double
FlowsimEstimator::ForecastSeconds(const DcnWork& work) const
{
    const double met = work.overlap / std::max(1.0, work.flows); // by a flow
    return FIXED_S + (FLOW_HOP_S + MEETING_S * std::sqrt(met)) * work.flowHops;
}

void
FlowsimEstimator::SetWeight(Weight weight)
{
    m_weight = std::move(weight);
}

const FlowsimStatistics&
FlowsimEstimator::GetStatistics() const
{
    return m_statistics;
}

std::string
FlowsimEstimator::Describe(const DcnScenario& scenario) const
{
    return PROVENANCE + GetOptions().Describe() +
           (scenario.GetNetwork().initialWindowBytes > 0 && m_inFlightPerRack == 0
                ? ", windows that grow from " +
                      std::to_string(scenario.GetNetwork().initialWindowBytes) + " bytes"
                : "");
}

FlowsimOptions
FlowsimEstimator::GetOptions() const
{
    return {m_windowCap, m_linkEfficiency};
}

FlowsimStatistics
FlowsimEstimator::Simulate(const DcnScenario& scenario,
                           std::vector<int64_t>& fctNs,
                           DcnProgress* progress) const
{
    const auto& flows = scenario.GetFlows();
    if (scenario.GetNetwork().initialWindowBytes > 0)
    {
        uint64_t served = 0;
        return FlowsimWindowSimulation(scenario, GetOptions(), m_weight)
            .Run([&](std::size_t flow, int64_t fct) {
                fctNs[flow] = fct;
                if (progress)
                {
                    progress->Update(++served);
                }
            });
    }
    const FlowsimStream stream(scenario.GetTopology(), scenario.GetNetwork(), GetOptions());
    std::size_t next = 0;
    uint64_t done = 0;
    return stream.Run(
        [&](FlowsimStream::Input& input) {
            if (next == flows.size())
            {
                return false;
            }
            const DcnPath path = scenario.GetPath(next);
            input.flow = flows[next++];
            input.path.assign(path.begin(), path.end());
            input.weight = m_weight ? m_weight(input.flow) : 1;
            return true;
        },
        [&](const FlowsimStream::Output& output) {
            fctNs[output.index] = output.fctNs;
            if (progress)
            {
                progress->Update(++done);
            }
        });
}

void
FlowsimEstimator::SetIdleTimes(const DcnScenario& scenario, std::vector<int64_t>& fctNs) const
{
    if (m_idleTimes && m_linkEfficiency == 1)
    {
        DcnIdleTime::Answer(scenario, fctNs);
    }
}

void
FlowsimEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    m_statistics = FlowsimStatistics();
    estimate.provenance = Describe(*scenario);
    if (m_inFlightPerRack > 0)
    {
        if (m_weight)
        {
            DcnFail("the method \"flowsim\" has no weights in a closed loop");
        }
        auto result = FlowsimRunClosedLoop(*scenario, m_inFlightPerRack, GetOptions());
        estimate.fctNs = std::move(result.fctNs);
        estimate.releaseNs = std::move(result.releaseNs);
        estimate.provenance +=
            ", at most " + std::to_string(m_inFlightPerRack) + " flows in flight per rack";
        return;
    }
    DcnProgress progress("flowsim", scenario->GetFlows().size(), "flows");
    m_statistics = Simulate(*scenario, estimate.fctNs, &progress);
    SetIdleTimes(*scenario, estimate.fctNs);
    const DcnBufferRoom room(scenario);
    estimate.notModelled = room.Describe(room.FindBursts(), "of flows that start together");
    NS_LOG_INFO(m_statistics.nFlows << " flows, at most " << m_statistics.maxActive << " at once, "
                                    << m_statistics.nRateChanges << " changes of rates");
}

std::vector<DcnEstimate>
FlowsimEstimator::EstimateAll(const std::vector<Ptr<const DcnScenario>>& scenarios,
                              uint32_t nThreads) const
{
    if (m_inFlightPerRack > 0)
    {
        DcnFail("the method \"flowsim\" estimates closed loops one by one, not several at once");
    }
    std::vector<DcnEstimate> estimates(scenarios.size());
    DcnParallelFor(scenarios.size(), nThreads, [&](std::size_t i) {
        const DcnScenario& scenario = *scenarios[i];
        DcnEstimate& estimate = estimates[i];
        const auto start = std::chrono::steady_clock::now();
        const double cpuStart = GetThreadSeconds();
        estimate.method = GetLabel();
        estimate.fctNs.assign(scenario.GetFlows().size(), DcnEstimate::UNFINISHED);
        Simulate(scenario, estimate.fctNs, nullptr);
        SetIdleTimes(scenario, estimate.fctNs);
        estimate.provenance = Describe(scenario);
        estimate.wallSeconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        estimate.cpuSeconds = GetThreadSeconds() - cpuStart;
    });
    return estimates;
}

} // namespace ns3
