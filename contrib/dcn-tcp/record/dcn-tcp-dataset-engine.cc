/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-tcp-dataset-engine.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTcpDatasetEngine");

namespace
{

/// Makes the engine known.
const DcnDatasetEngine::Registration g_registration(
    "tcp",
    [](const std::string& name) -> std::unique_ptr<DcnDatasetEngine> {
        return std::make_unique<DcnTcpDatasetEngine>(name);
    });

} // namespace

DcnTcpDatasetEngine::DcnTcpDatasetEngine(const std::string& name)
    : DcnDatasetEngine(name),
      m_estimator(DynamicCast<DcnTcpEstimator>(DcnEstimator::CreateByName(name)))
{
}

std::string
DcnTcpDatasetEngine::GetDigest() const
{
    return m_estimator->GetDigest();
}

void
DcnTcpDatasetEngine::Check(const DcnDatasetRecipe& recipe) const
{
    const auto controls = recipe.GetCongestionControls();
    if (controls.size() != 1 && !recipe.GetSuite().empty())
    {
        DcnFail("the suite ",
                recipe.GetSuite(),
                " has ",
                controls.size(),
                " congestion controls, but all samples of the engine ",
                GetName(),
                " have the same transport: take the suite tcp");
    }
    if (controls.size() != 1)
    {
        DcnFail("the rule cc has ",
                controls.size(),
                " values, but all samples of the engine ",
                GetName(),
                " have the same transport: set --rules=cc=dctcp, whose thresholds it takes");
    }
}

uint64_t
DcnTcpDatasetEngine::Simulate(Ptr<const DcnScenario> scenario,
                              uint64_t seed,
                              Ptr<DcnCollector> collector) const
{
    DcnEstimate estimate;
    const uint64_t packetHops = m_estimator->Simulate(scenario, seed, collector, estimate);
    NS_LOG_INFO(packetHops << " packet-hops");
    return packetHops;
}

} // namespace ns3
