/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-run.h"

#include "../simulate/parsimon-link-runner.h"
#include "../simulate/parsimon-result-store.h"
#include "parsimon-predictor.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-idle-time.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/log.h"
#include "ns3/parsimon-decomposition.h"
#include "ns3/parsimon-link-simulator.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonRun");

ParsimonRun::ParsimonRun(Ptr<const DcnScenario> scenario,
                         const ParsimonOptions& options,
                         ParsimonResultStore* store,
                         const ParsimonRun* before)
    : m_scenario(scenario)
{
    scenario->GetNetwork().RefuseManyPaths("parsimon");
    const bool withNic = options.rules == ParsimonRules::DEFAULT;
    const auto simulator = ParsimonLinkSimulator::Create(options.simulator,
                                                         scenario->GetNetwork(),
                                                         scenario->GetSeed());
    // results in a file outlive this program
    const std::string digest = store && store->HasFile() ? simulator->GetDigest() : "";
    m_context =
        ParsimonDescribeContext(*scenario->GetNetworkConfig(),
                                simulator->GetVersion() + (digest.empty() ? "" : ' ' + digest),
                                scenario->GetSeed(),
                                withNic);
    const bool isComparable = before && before->m_decomposition && before->m_context == m_context;
    auto decomposition = std::make_unique<const ParsimonDecomposition>(
        scenario,
        options.rules,
        isComparable ? before->m_decomposition.get() : nullptr,
        simulator->CanPace());
    ParsimonLinkRunner::Options work;
    work.nThreads = options.nThreads;
    work.withNic = withNic;
    work.remember = options.remember;
    if (options.cluster)
    {
        work.clustering = ParsimonClusteringOptions::Of(options.rules);
        if (options.clusterDistance > 0)
        {
            work.clustering->maxWmape = options.clusterDistance;
        }
        if (options.clusterLoad > 0)
        {
            work.clustering->loadThreshold = options.clusterLoad;
        }
    }
    if (isComparable)
    {
        work.before = before->m_table.get();
        work.isSame = [&](uint32_t link) { return decomposition->IsSame(link); };
    }
    const ParsimonLinkRunner runner(
        *simulator,
        [&](uint32_t link) { return decomposition->Make(link); },
        m_context,
        store);
    m_table = std::make_unique<const ParsimonLinkTable>(
        runner.Run(*scenario, decomposition->GetBuilder().GetIndex(), work));
    m_predictor = std::make_unique<const ParsimonPredictor>(*decomposition,
                                                            *m_table,
                                                            options.allDistributions,
                                                            options.nThreads);
    // with clustering, representatives may have changed
    m_fctNs = m_predictor->Predict(*decomposition,
                                   *m_table,
                                   options.nThreads,
                                   isComparable && !options.cluster ? &before->m_sumNs : nullptr);
    if (options.remember)
    {
        m_sumNs = m_fctNs;
        m_decomposition = std::move(decomposition);
    }
    if (options.idleTimes && options.rules != ParsimonRules::PUBLISHED)
    {
        DcnIdleTime::Answer(*scenario, m_fctNs);
    }
    NS_LOG_INFO(Describe());
}

ParsimonRun::~ParsimonRun() = default;

Ptr<const DcnScenario>
ParsimonRun::GetScenario() const
{
    return m_scenario;
}

const ParsimonLinkTable&
ParsimonRun::GetTable() const
{
    return *m_table;
}

const ParsimonPredictor&
ParsimonRun::GetPredictor() const
{
    return *m_predictor;
}

const std::vector<int64_t>&
ParsimonRun::GetFctNs() const
{
    return m_fctNs;
}

uint32_t
ParsimonRun::GetNSimulated() const
{
    return m_table->GetAccounting().simulated;
}

std::vector<std::string>
ParsimonRun::DescribeBuffers() const
{
    std::vector<uint64_t> queueBytes(m_table->GetIndex().GetNLinks(), 0);
    for (uint32_t link = 0; link < queueBytes.size(); ++link)
    {
        if (const auto& delays = m_table->GetDelays(m_table->GetRepresentative(link)))
        {
            queueBytes[link] = delays->queueBytes;
        }
    }
    return DcnBufferRoom(m_scenario).Describe(queueBytes, "in its link simulation");
}

std::string
ParsimonRun::Describe() const
{
    const auto& accounting = m_table->GetAccounting();
    std::string text = std::to_string(accounting.simulated) + " of " +
                       std::to_string(accounting.GetTotal()) + " directed links simulated";
    auto add = [&text](uint32_t n, const std::string& treatment) {
        if (n > 0)
        {
            text += ", " + std::to_string(n) + ' ' + treatment;
        }
    };
    add(accounting.reused, "reused");
    add(accounting.shared, "shared");
    add(accounting.single, "with one flow");
    add(accounting.idle, "idle");
    return text;
}

} // namespace ns3
