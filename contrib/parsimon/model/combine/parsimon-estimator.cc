/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-estimator.h"

#include "../simulate/parsimon-link-table.h"
#include "../simulate/parsimon-result-store.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-parallel.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonEstimator");

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
                          "Simulator of single links: lean, packet, flowsim or minim.",
                          StringValue("lean"),
                          MakeStringAccessor(&ParsimonEstimator::m_simulator),
                          MakeStringChecker())
            .AddAttribute("Rules",
                          "Rule set: default, published (the published system's), or upper (default without "
                          "all that takes waiting off: an upper bound of percentiles).",
                          StringValue("default"),
                          MakeStringAccessor(&ParsimonEstimator::m_rules),
                          MakeStringChecker())
            .AddAttribute("Clustering",
                          "Whether only one link of each cluster of similar links is simulated.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ParsimonEstimator::m_cluster),
                          MakeBooleanChecker())
            .AddAttribute("ClusterDistance",
                          "Largest WMAPE of sizes and of gaps in a cluster; 0: value of the rules.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ParsimonEstimator::m_clusterDistance),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("ClusterLoad",
                          "Threshold of the loads in a cluster; 0: value of the rules.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ParsimonEstimator::m_clusterLoad),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Threads",
                          "Parallel link simulations, in threads or processes; 0: all cores.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ParsimonEstimator::m_nThreads),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Cache",
                          "Folder of stored link results, reused and extended; empty: none.",
                          StringValue(""),
                          MakeStringAccessor(&ParsimonEstimator::m_cache),
                          MakeStringChecker())
            .AddAttribute("LinksSimulated",
                          "Number of links simulated for the latest estimate.",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&ParsimonEstimator::m_nSimulated),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("LinkSeconds",
                          "Processor time of the latest estimate's link simulations, in threads of "
                          "this process [s].",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&ParsimonEstimator::m_linkSeconds),
                          MakeDoubleChecker<double>())
            .AddAttribute("LongestLinkSeconds",
                          "Processor time of the longest one: with fixed costs (all but "
                          "LinkSeconds), the time with a core for every link [s].",
                          TypeId::ATTR_GET,
                          DoubleValue(0),
                          MakeDoubleAccessor(&ParsimonEstimator::m_longestLinkSeconds),
                          MakeDoubleChecker<double>());
    return tid;
}

std::string
ParsimonEstimator::GetName() const
{
    return "parsimon";
}

std::string
ParsimonEstimator::GetDigest() const
{
    const Ptr<const DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    return ParsimonLinkSimulator::Create(m_simulator, *network, 1)->GetDigest();
}

ParsimonOptions
ParsimonEstimator::GetOptions() const
{
    if (m_rules != "default" && m_rules != "published" && m_rules != "upper")
    {
        DcnFail("the method \"parsimon\" has no Rules \"",
                m_rules,
                "\"; there are default, published, upper");
    }
    if (!m_cluster && (m_clusterDistance > 0 || m_clusterLoad > 0))
    {
        DcnFail("the attribute ",
                m_clusterDistance > 0 ? "ClusterDistance" : "ClusterLoad",
                " of the method \"parsimon\" has no effect without Clustering=true");
    }
    ParsimonOptions options;
    options.simulator = m_simulator;
    options.rules = m_rules == "default" ? ParsimonRules::DEFAULT
                    : m_rules == "upper" ? ParsimonRules::UPPER
                                         : ParsimonRules::PUBLISHED;
    options.cluster = m_cluster;
    options.clusterDistance = m_clusterDistance;
    options.clusterLoad = m_clusterLoad;
    options.nThreads = m_nThreads;
    return options;
}

void
ParsimonEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    const ParsimonOptions options = GetOptions();
    estimate.jobs = DcnCountThreads(m_nThreads);
    std::unique_ptr<ParsimonResultStore> store;
    if (!m_cache.empty())
    {
        store = std::make_unique<ParsimonResultStore>(m_cache);
    }
    const ParsimonRun run(scenario, options, store.get());
    m_nSimulated = run.GetNSimulated();
    m_linkSeconds = run.GetTable().GetAccounting().seconds;
    m_longestLinkSeconds = run.GetTable().GetAccounting().longestSeconds;
    estimate.fctNs = run.GetFctNs();
    for (int64_t fct : estimate.fctNs)
    {
        if (fct == DcnEstimate::UNFINISHED)
        {
            ++estimate.unfinished["no size bucket"];
        }
    }
    estimate.provenance = "link simulator " + m_simulator + ", " + m_rules + " rules, " +
                          (options.rules == ParsimonRules::PUBLISHED ? "sampled" : "own") +
                          " delays, " + run.Describe();
    NS_LOG_INFO(estimate.provenance);
}

} // namespace ns3
