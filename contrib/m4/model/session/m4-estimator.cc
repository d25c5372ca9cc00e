/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-estimator.h"

#include "../network/m4-architecture.h"
#include "../network/m4-network.h"
#include "m4-range-features.h"
#include "m4-session.h"

#include "ns3/boolean.h"
#include "ns3/dcn-forecast.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4Estimator");
NS_OBJECT_ENSURE_REGISTERED(M4Estimator);

namespace
{

// Cost on the reference machine, fitted to 178 scenarios (doc/dcn.rst).
constexpr double FIXED_S = 0.0105;    //!< reading and preparing the model [s]
constexpr double FLOW_S = 1.53e-5;    //!< a flow, alone [s]
constexpr double MEETING_S = 3.53e-6; //!< a flow at a link, times ln(1 + flows that it meets) [s]

} // namespace

TypeId
M4Estimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::M4Estimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("M4")
            .AddConstructor<M4Estimator>()
            .AddAttribute("Model",
                          "Folder of the model, or name of a folder in data/models; empty: m4.",
                          StringValue(""),
                          MakeStringAccessor(&M4Estimator::m_model),
                          MakeStringChecker())
            .AddAttribute("Spread",
                          "Distributions of slowdowns have the spread that packets have by chance, "
                          "if the model predicts it; false: they are those of the completion "
                          "times. Completion times do not depend on it.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&M4Estimator::m_hasSpread),
                          MakeBooleanChecker())
            .AddAttribute("InFlightPerRack",
                          "Closed loop: most flows in flight from the hosts of a rack, the others "
                          "wait; 0: every flow begins at its start time.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&M4Estimator::m_inFlightPerRack),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

std::string
M4Estimator::GetName() const
{
    return "m4";
}

std::vector<std::string>
M4Estimator::GetInputFiles() const
{
    return {DcnModelFile::FindFolder(m_model, "m4")};
}

double
M4Estimator::ForecastSeconds(const DcnWork& work) const
{
    const double met = work.overlap / std::max(1.0, work.flows); // by a flow
    return FIXED_S + FLOW_S * work.flows + MEETING_S * std::log1p(met) * work.flowHops;
}

void
M4Estimator::DoCheck(Ptr<const DcnScenario> scenario) const
{
    const DcnModelFile model = DcnModelFile::Read(GetInputFiles().front(), "m4");
    DcnTrainedRanges::Read(model, M4RangeFeatures::GetQuantities())
        .Require(scenario->GetNetwork().congestionControl);
    M4Architecture::Read(model).MakeNetwork(model);
}

void
M4Estimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const DcnModelFile model = DcnModelFile::Read(GetInputFiles().front(), "m4");
    estimate.provenance = "learned flow-level simulation, " +
                          (m_model.empty() ? std::string("shipped model") : "model " + m_model);
    if (m_inFlightPerRack > 0)
    {
        DcnClosedLoopResult result =
            M4RunClosedLoop(*scenario, model, m_inFlightPerRack, &estimate.warnings);
        estimate.fctNs = std::move(result.fctNs);
        estimate.releaseNs = std::move(result.releaseNs);
        estimate.provenance +=
            ", at most " + std::to_string(m_inFlightPerRack) + " flows in flight per rack";
    }
    else
    {
        const auto& flows = scenario->GetFlows();
        DcnProgress progress("m4", flows.size(), "flows");
        uint64_t done = 0;
        M4SpreadTable spread;
        estimate.fctNs = M4Run(
            *scenario,
            model,
            [&]() { progress.Update(++done); },
            &estimate.warnings,
            m_hasSpread ? &spread : nullptr);
        if (!spread.IsEmpty() && !flows.empty())
        {
            // enough for the quantiles of few flows, and one each of many
            constexpr std::size_t SAMPLES = 1'000'000;
            constexpr std::size_t MOST = 16;
            const auto n = static_cast<uint32_t>(
                std::clamp<std::size_t>(SAMPLES / flows.size(), 1, MOST));
            for (std::size_t i = 0; i < flows.size(); ++i)
            {
                for (const double slowdown : spread.GetSample(i, n))
                {
                    estimate.samples.push_back(
                        {slowdown, flows[i].sizeBytes, 1.0 / n, flows[i].src, flows[i].dst});
                }
            }
            estimate.provenance += ", distributions with spread";
        }
    }
    if (m_inFlightPerRack == 0) // else flows begin later than they start
    {
        const DcnBufferRoom room(scenario);
        estimate.notModelled = room.Describe(room.FindBursts(), "of flows that start together");
    }
    estimate.expectedError =
        DcnTrainedRanges::DescribeExpectedError(model, scenario->GetNetwork().congestionControl);
    DcnTrainedRanges::SetMargins(model,
                                 scenario->GetNetwork().congestionControl,
                                 DcnForecast(*scenario).GetRegime(),
                                 estimate);
    if (!estimate.warnings.empty())
    {
        estimate.provenance += ", " + std::to_string(estimate.warnings.size()) +
                               " quantities outside the training's range";
    }
    NS_LOG_INFO(scenario->GetFlows().size() << " flows estimated: " << estimate.provenance);
}

} // namespace ns3
