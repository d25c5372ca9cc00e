/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-what-if.h"

#include "ns3/dcn-error.h"

namespace ns3
{

ParsimonWhatIf::ParsimonWhatIf(Ptr<const DcnScenario> scenario,
                               const ParsimonSettings& settings,
                               const std::string& folder)
    : m_settings(settings),
      m_store(folder)
{
    m_settings.keep = true;
    m_settings.record = true; // of the network as it is; changes differ little from that
    m_base = std::make_unique<ParsimonRun>(scenario, m_settings, m_store);
    m_settings.record = false;
}

const ParsimonRun&
ParsimonWhatIf::GetBase() const
{
    return *m_base;
}

std::unique_ptr<ParsimonRun>
ParsimonWhatIf::Ask(const DcnScenarioChange& change)
{
    if (m_settings.predictor.randomPath && change.HasFailures())
    {
        DcnFail("paths that are drawn anew would cross links that have failed; ask with the flows' "
                "own paths");
    }
    return std::make_unique<ParsimonRun>(change.Apply(m_base->GetScenario()),
                                         m_settings,
                                         m_store,
                                         m_base.get());
}

} // namespace ns3
