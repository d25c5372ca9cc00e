/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-what-if.h"

#include "../simulate/parsimon-result-store.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonWhatIf");

ParsimonWhatIf::ParsimonWhatIf(Ptr<const DcnScenario> scenario,
                               const ParsimonOptions& options,
                               const std::string& folder)
    : m_options(options),
      m_store(std::make_unique<ParsimonResultStore>(folder))
{
    m_options.remember = true; // records the unchanged network, to which changed ones are similar
    m_base = std::make_unique<ParsimonRun>(scenario, m_options, m_store.get());
    m_options.remember = false;
}

ParsimonWhatIf::~ParsimonWhatIf() = default;

const ParsimonRun&
ParsimonWhatIf::GetBase() const
{
    return *m_base;
}

std::unique_ptr<ParsimonRun>
ParsimonWhatIf::Ask(const DcnScenarioChange& change)
{
    if (m_options.rules == ParsimonRules::PUBLISHED && change.HasFailures())
    {
        DcnFail("paths that are drawn anew would cross links that have failed; ask with the "
                "default rules, which follow the flows' own paths");
    }
    auto run = std::make_unique<ParsimonRun>(change.Apply(m_base->GetScenario()),
                                             m_options,
                                             m_store.get(),
                                             m_base.get());
    NS_LOG_INFO("after the change: " << run->Describe());
    return run;
}

} // namespace ns3
