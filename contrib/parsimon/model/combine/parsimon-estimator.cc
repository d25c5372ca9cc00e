/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-estimator.h"

#include "ns3/parsimon-link-simulator.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ParsimonEstimator);

TypeId
ParsimonEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ParsimonEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("Parsimon")
            .AddConstructor<ParsimonEstimator>()
            .AddAttribute("LinkSimulator",
                          "What simulates a link: a name that ParsimonLinkSimulator knows.",
                          StringValue("lean"),
                          MakeStringAccessor(&ParsimonEstimator::m_simulator),
                          MakeStringChecker())
            .AddAttribute("Rules",
                          "How delays are combined: ours, or faithful to the published system.",
                          StringValue("ours"),
                          MakeStringAccessor(&ParsimonEstimator::m_rules),
                          MakeStringChecker())
            .AddAttribute("PerFlow",
                          "Delays of a known flow: own, from each link's simulation; sampled, "
                          "drawn from each link's distribution; default: own for our rules, "
                          "else sampled.",
                          StringValue("default"),
                          MakeStringAccessor(&ParsimonEstimator::m_perFlow),
                          MakeStringChecker())
            .AddAttribute("Clustering",
                          "Whether one link of each cluster of like links is simulated for all.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ParsimonEstimator::m_cluster),
                          MakeBooleanChecker())
            .AddAttribute("ClusterDistance",
                          "Largest WMAPE of sizes and of gaps in a cluster; 0: that of the rules.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ParsimonEstimator::m_clusterDistance),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ClusterLoad",
                          "Threshold of the loads in a cluster; 0: that of the rules.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ParsimonEstimator::m_clusterLoad),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("EdgeShares",
                          "Whether flows come to later links at their shares at the edge links.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ParsimonEstimator::m_edgeShares),
                          MakeBooleanChecker())
            .AddAttribute("Inflation",
                          "Rate of the links behind a target, in multiples of their own.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&ParsimonEstimator::m_inflation),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("Threads",
                          "Link simulations at a time, in threads or processes; 0: all cores.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ParsimonEstimator::m_nThreads),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Cache",
                          "Folder in which results of link simulations are kept; empty: none.",
                          StringValue(""),
                          MakeStringAccessor(&ParsimonEstimator::m_cache),
                          MakeStringChecker());
    return tid;
}

std::string
ParsimonEstimator::GetName() const
{
    return "parsimon";
}

ParsimonSettings
ParsimonEstimator::GetSettings() const
{
    if (m_rules != "ours" && m_rules != "faithful")
    {
        DcnFail("the method \"parsimon\" has no Rules \"", m_rules, "\"; there are ours, faithful");
    }
    if (m_perFlow != "default" && m_perFlow != "own" && m_perFlow != "sampled")
    {
        DcnFail("the method \"parsimon\" has no PerFlow \"", m_perFlow,
                "\"; there are default, own, sampled");
    }
    ParsimonSettings settings =
        m_rules == "ours" ? ParsimonSettings::Ours() : ParsimonSettings::Faithful();
    settings.simulator = m_simulator;
    settings.link.inflation = m_inflation;
    if (!m_edgeShares && !settings.edgeShares)
    {
        DcnFail("the attribute EdgeShares of the method \"parsimon\" has no effect with "
                "Rules=faithful, which has none");
    }
    settings.edgeShares = settings.edgeShares && m_edgeShares;
    settings.nThreads = m_nThreads;
    settings.cluster = m_cluster;
    settings.keep = !m_cache.empty();
    if (m_perFlow != "default")
    {
        settings.predictor.own = m_perFlow == "own";
        // a flow's own delays are those on its own path
        settings.predictor.randomPath =
            settings.predictor.randomPath && !settings.predictor.own;
    }
    if (m_inflation != ParsimonLinkOptions().inflation && m_simulator == "minim" &&
        m_rules == "faithful")
    {
        DcnFail("the attribute Inflation of the method \"parsimon\" has no effect with "
                "Rules=faithful:LinkSimulator=minim, which has no links behind the target");
    }
    if (!m_cluster && (m_clusterDistance > 0 || m_clusterLoad > 0))
    {
        DcnFail("the attribute ", m_clusterDistance > 0 ? "ClusterDistance" : "ClusterLoad",
                " of the method \"parsimon\" has no effect without Clustering=true");
    }
    if (m_clusterDistance > 0)
    {
        settings.clustering.maxWmape = m_clusterDistance;
    }
    if (m_clusterLoad > 0)
    {
        settings.clustering.loadThreshold = m_clusterLoad;
    }
    return settings;
}

std::shared_ptr<const ParsimonRun>
ParsimonEstimator::GetRun() const
{
    return m_run;
}

void
ParsimonEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const ParsimonSettings settings = GetSettings();
    estimate.jobs = DcnCountThreads(m_nThreads);
    m_run.reset();
    ParsimonResultStore store(m_cache);
    m_run = std::make_shared<const ParsimonRun>(scenario, settings, store);
    estimate.fctNs = m_run->GetFctNs();
    for (int64_t fct : estimate.fctNs)
    {
        if (fct == DcnEstimate::UNFINISHED)
        {
            ++estimate.unfinished["no size bucket"];
        }
    }
    estimate.provenance = "link simulator " + m_simulator + ", rules " + m_rules + ", " +
                          (settings.predictor.own ? "own" : "sampled") + " delays, " +
                          m_run->Describe();
}

} // namespace ns3
