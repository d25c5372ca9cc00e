/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-estimator.h"

#include "m4-session.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4Estimator");
NS_OBJECT_ENSURE_REGISTERED(M4Estimator);

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
        DcnProgress progress("m4", scenario->GetFlows().size(), "flows");
        uint64_t done = 0;
        estimate.fctNs = M4Run(
            *scenario,
            model,
            [&]() { progress.Update(++done); },
            &estimate.warnings);
    }
    estimate.expectedError =
        DcnTrainedRanges::DescribeExpectedError(model, scenario->GetNetwork().congestionControl);
    if (!estimate.warnings.empty())
    {
        estimate.provenance += ", " + std::to_string(estimate.warnings.size()) +
                               " quantities outside the training's range";
    }
    NS_LOG_INFO(scenario->GetFlows().size() << " flows estimated: " << estimate.provenance);
}

} // namespace ns3
