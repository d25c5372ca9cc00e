/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-base.h"

#include "ns3/dcn-estimator.h"
#include "ns3/parsimon-run.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

M3Base::M3Base(Ptr<const DcnScenario> scenario, const M3FeatureSet& featureSet, uint32_t nThreads)
    : m_featureSet(featureSet),
      m_fluid(*scenario, featureSet.HasWindows())
{
    if (!featureSet.simulatesLinks)
    {
        return;
    }
    ParsimonOptions options;
    options.cluster = true;
    options.nThreads = nThreads;
    options.idleTimes = false; // the network learned to correct sums of delays
    const ParsimonRun run(scenario, options);
    m_notModelled = run.DescribeBuffers();
    m_links.reserve(run.GetFctNs().size());
    for (std::size_t flow = 0; flow < run.GetFctNs().size(); ++flow)
    {
        const auto idealNs = static_cast<double>(scenario->GetIdealFct(flow).GetTotalNs());
        m_links.push_back(static_cast<float>(
            std::log(std::max(1.0, static_cast<double>(run.GetFctNs()[flow]) / idealNs))));
    }
}

std::string
M3Base::GetDigest(const M3FeatureSet& featureSet)
{
    return featureSet.simulatesLinks
               ? DcnEstimator::CreateByName("parsimon:Clustering=true")->GetDigest()
               : "";
}

} // namespace ns3
