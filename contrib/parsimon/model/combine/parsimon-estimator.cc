/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-estimator.h"

#include "../simulate/parsimon-link-table.h"
#include "../simulate/parsimon-result-store.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-forecast.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
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
            .AddAttribute(
                "Rules",
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

namespace
{

// Cost on the reference machine, fitted to 160 scenarios (doc/dcn.rst).
constexpr double PACKET_HOP_S = 7.9e-8;       //!< a packet at a link that leaves a switch [s]
constexpr double FLOW_HOP_S = 1.03e-6;        //!< a flow at a link [s]
constexpr double CLUSTERED_FIXED_S = 0.0012;  //!< clustering: set-up [s]
constexpr double CLUSTERED_PACKET_S = 6.9e-8; //!< clustering: PACKET_HOP_S on average [s]
constexpr double CLUSTERED_FLOW_S = 7.1e-7;   //!< clustering: FLOW_HOP_S on average [s]

/**
 * Four switches in a row with three hosts each, whose 300 flows load all links: a change of the
 * rules changes their times.
 * @param network the configuration
 * @return the scenario; there is one path between any two hosts
 */
Ptr<const DcnScenario>
MakeReference(Ptr<const DcnNetworkConfig> network)
{
    constexpr uint32_t N_SWITCHES = 4;
    constexpr uint32_t N_HOSTS = 12;
    constexpr uint32_t N_ROUNDS = 25; // each host sends to another one in each
    constexpr uint64_t RATE_BPS = 10'000'000'000;
    constexpr int64_t DELAY_NS = 1000;
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i < N_SWITCHES; ++i)
    {
        builder.AddNode(DcnNodeKind::SWITCH);
    }
    for (uint32_t i = 0; i + 1 < N_SWITCHES; ++i)
    {
        builder.AddLink(i, i + 1, (i == 1 ? 4 : 1) * RATE_BPS, DELAY_NS);
    }
    for (uint32_t i = 0; i < N_HOSTS; ++i)
    {
        builder.AddLink(builder.AddNode(DcnNodeKind::HOST), i % N_SWITCHES, RATE_BPS, DELAY_NS);
    }
    std::vector<DcnFlow> flows;
    for (uint32_t round = 0; round < N_ROUNDS; ++round)
    {
        for (uint32_t from = 0; from < N_HOSTS; ++from)
        {
            DcnFlow flow;
            flow.id = flows.size();
            flow.src = N_SWITCHES + from;
            flow.dst = N_SWITCHES + (from + 1 + round % (N_HOSTS - 1)) % N_HOSTS;
            flow.sizeBytes = 100 + flow.id * flow.id * 7'919 % 19'997;
            flow.sizeBytes *= flow.id % 10 == 3 ? 20 : 1;
            flow.startNs = static_cast<int64_t>(4'001 * flow.id);
            flows.push_back(flow);
        }
    }
    return DcnScenario::Create(builder.Build(), network, std::move(flows));
}

} // namespace

std::string
ParsimonEstimator::GetDigest() const
{
    const Ptr<const DcnNetworkConfig> any = DcnNetworkConfig::Preset("dctcp");
    std::string text = ParsimonLinkSimulator::Create(m_simulator, *any, 1)->GetDigest();
    // the rules by their answers: they change between releases, and stored results with them
    Ptr<ParsimonEstimator> rules = CreateObject<ParsimonEstimator>();
    rules->m_rules = m_rules;
    rules->m_cluster = m_cluster;
    rules->m_clusterDistance = m_clusterDistance;
    rules->m_clusterLoad = m_clusterLoad;
    rules->m_nThreads = 1;
    for (const char* control : {"dctcp", "hpcc"}) // headers and windows of two lengths
    {
        const Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(control);
        for (const uint64_t windowBytes : {network->windowBytes, network->windowBytes / 4})
        {
            network->windowBytes = windowBytes;
            for (const int64_t fctNs : rules->Estimate(MakeReference(network)).fctNs)
            {
                text += ' ' + std::to_string(fctNs);
            }
        }
    }
    return DcnHashText(text);
}

double
ParsimonEstimator::ForecastSeconds(const DcnWork& work) const
{
    if (m_simulator != "lean")
    {
        return -1;
    }
    return m_cluster ? CLUSTERED_FIXED_S + CLUSTERED_PACKET_S * work.sharedPacketHops +
                           CLUSTERED_FLOW_S * work.flowHops
                     : PACKET_HOP_S * work.sharedPacketHops + FLOW_HOP_S * work.flowHops;
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
    estimate.notModelled = run.DescribeBuffers();
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
