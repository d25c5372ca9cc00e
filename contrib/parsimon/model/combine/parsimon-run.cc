/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-run.h"

#include "ns3/parsimon-edge-shares.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/parsimon-round-trip.h"

#include <utility>

namespace ns3
{

ParsimonSettings
ParsimonSettings::Ours()
{
    return {};
}

ParsimonSettings
ParsimonSettings::Faithful()
{
    ParsimonSettings settings;
    settings.link = ParsimonLinkOptions::Faithful();
    settings.keepRoundTrip = false;
    settings.edgeShares = false;
    settings.predictor.rules = ParsimonRules::FAITHFUL;
    settings.predictor.own = false;
    settings.predictor.randomPath = true;
    settings.clustering = ParsimonClusteringOptions::Published();
    settings.buckets.rule = ParsimonBucketRule::PUBLISHED;
    return settings;
}

ParsimonLinkTable
ParsimonRun::MakeTable(const ParsimonSettings& settings,
                       ParsimonResultStore& store,
                       const ParsimonRun* before)
{
    const DcnScenario& scenario = *m_scenario;
    const bool withNic = settings.predictor.rules == ParsimonRules::OURS;
    const auto simulator = ParsimonLinkSimulator::Create(settings.simulator,
                                                         scenario.GetNetwork(),
                                                         scenario.GetSeed());
    const std::string context = ParsimonDescribeContext(*scenario.GetNetworkConfig(),
                                                        simulator->GetVersion(),
                                                        scenario.GetSeed(),
                                                        withNic);
    const auto builder = std::make_shared<const ParsimonLinkBuilder>(m_scenario, settings.link);
    std::unique_ptr<ParsimonUnchanged> unchanged;
    if (before && before->m_builder && before->m_context == context &&
        settings.link.ackCorrection != ParsimonAckCorrection::ARRIVAL_SPAN)
    {
        unchanged = std::make_unique<ParsimonUnchanged>(*before->m_builder, *builder);
    }
    std::shared_ptr<const ParsimonEdgeShares> shares;
    if (settings.edgeShares)
    {
        const ParsimonEdgeShares* known = unchanged ? before->m_shares.get() : nullptr;
        shares = std::make_shared<const ParsimonEdgeShares>(scenario,
                                                            *builder,
                                                            known,
                                                            unchanged.get());
        if (known)
        {
            unchanged->Compare(*known, *shares);
        }
    }
    ParsimonLinkRunner::Options options;
    options.withNic = withNic;
    options.cluster = settings.cluster;
    options.clustering = settings.clustering;
    options.nThreads = settings.nThreads;
    options.keep = settings.keep;
    options.record = settings.record;
    options.before = unchanged ? &before->m_table : nullptr;
    options.unchanged = unchanged.get();
    ParsimonLinkTable table = ParsimonLinkRunner::Run(
        scenario,
        *simulator,
        [&](uint32_t link) {
            ParsimonLink topology = builder->Build(link);
            if (settings.keepRoundTrip)
            {
                ParsimonKeepRoundTrip(scenario, topology);
            }
            if (shares)
            {
                shares->Apply(topology);
            }
            return topology;
        },
        context,
        store,
        options);
    if (settings.keep)
    {
        m_builder = builder;
        m_shares = shares;
        m_context = context;
    }
    if (!settings.cluster) // representatives may be others
    {
        m_unchanged = std::move(unchanged);
    }
    if (settings.keepRoundTrip)
    {
        table.ComputeWindowIdle(scenario, shares);
    }
    const bool sharedOnly = settings.predictor.own && !settings.allDistributions;
    table.MakeDistributions(scenario, settings.buckets, sharedOnly, settings.nThreads);
    return table;
}

ParsimonPredictor
ParsimonRun::MakePredictor(Ptr<const DcnScenario> scenario,
                           const ParsimonLinkTable& table,
                           const ParsimonSettings& settings)
{
    ParsimonPredictor::Options options = settings.predictor;
    options.seed = scenario->GetSeed();
    return {*scenario, table, options};
}

ParsimonRun::ParsimonRun(Ptr<const DcnScenario> scenario,
                         const ParsimonSettings& settings,
                         ParsimonResultStore& store,
                         const ParsimonRun* before)
    : m_scenario(scenario),
      m_table(MakeTable(settings, store, before)),
      m_predictor(MakePredictor(scenario, m_table, settings)),
      m_fctNs(m_predictor.Predict(*scenario,
                                  m_table,
                                  settings.nThreads,
                                  m_unchanged ? &before->m_fctNs : nullptr,
                                  m_unchanged.get()))
{
    m_unchanged.reset();
}

Ptr<const DcnScenario>
ParsimonRun::GetScenario() const
{
    return m_scenario;
}

const ParsimonLinkTable&
ParsimonRun::GetTable() const
{
    return m_table;
}

const ParsimonPredictor&
ParsimonRun::GetPredictor() const
{
    return m_predictor;
}

const std::vector<int64_t>&
ParsimonRun::GetFctNs() const
{
    return m_fctNs;
}

std::string
ParsimonRun::Describe() const
{
    const auto& accounting = m_table.GetAccounting();
    std::string text = std::to_string(accounting.simulated) + " of " +
                       std::to_string(accounting.GetTotal()) + " directed links simulated";
    auto add = [&text](uint32_t n, const std::string& what) {
        if (n > 0)
        {
            text += ", " + std::to_string(n) + ' ' + what;
        }
    };
    add(accounting.reused, "reused");
    add(accounting.shared, "shared");
    add(accounting.single, "with one flow");
    add(accounting.idle, "idle");
    return text;
}

} // namespace ns3
