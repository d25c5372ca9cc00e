/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-estimator.h"

#include "dcn-path-window.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-simulation-report.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPathEstimator");
NS_OBJECT_ENSURE_REGISTERED(DcnPathEstimator);

namespace
{

constexpr const char* DEFAULT_PRE_ESTIMATE = "parsimon"; //!< see DcnPathEstimator
constexpr double DEFAULT_WHOLE_ABOVE = 1;                //!< likewise
constexpr std::size_t N_PILOT =
    64; //!< paths whose windows predict the cost of all; up to twice as many
/// Packet transmissions that cost as much as pre-estimate, index and windows of a small network.
constexpr uint64_t CHOICE_COST = 2'000'000;

/**
 * @param method a method with a slash before each of its attributes; a doubled slash is a slash
 * @return its name for DcnEstimator::CreateByName
 */
std::string
MakeName(const std::string& method)
{
    std::string name;
    for (std::size_t i = 0; i < method.size(); ++i)
    {
        const bool isDoubled = method.compare(i, 2, "//") == 0;
        name += method[i] == '/' && !isDoubled ? ':' : method[i];
        i += isDoubled ? 1 : 0;
    }
    return name;
}

/// @return transmissions of their packets, one for each link
uint64_t
CountTransmissions(const DcnScenario& scenario)
{
    const uint64_t payload = scenario.GetNetwork().payloadBytes;
    uint64_t n = 0;
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        n +=
            (scenario.GetFlows()[i].sizeBytes + payload - 1) / payload * scenario.GetPath(i).size();
    }
    return n;
}

} // namespace

TypeId
DcnPathEstimator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnPathEstimator")
            .SetParent<DcnEstimator>()
            .SetGroupName("DcnPath")
            .AddConstructor<DcnPathEstimator>()
            .AddAttribute("NPaths",
                          "Number of draws; 0: every flow.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&DcnPathEstimator::m_nPaths),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Engine",
                          "Method that simulates a path; a slash before each of its attributes, "
                          "a doubled slash for a slash in a value.",
                          StringValue("packet"),
                          MakeStringAccessor(&DcnPathEstimator::m_engine),
                          MakeStringChecker())
            .AddAttribute(
                "Sampling",
                "Flows are drawn (Flows), or paths (Systematic or Replacement, published).",
                StringValue("Flows"),
                MakeStringAccessor(&DcnPathEstimator::SetSampling),
                MakeStringChecker())
            .AddAttribute(
                "WarmUp",
                "Longest time simulated before a flow starts; 0: all of its path's flows.",
                TimeValue(MilliSeconds(2)),
                MakeTimeAccessor(&DcnPathEstimator::m_warmUp),
                MakeTimeChecker(Time(0)))
            .AddAttribute("PreEstimate",
                          "Method that predicts when each flow is active; a slash before each of "
                          "its attributes, a doubled slash for a slash in a value.",
                          StringValue(DEFAULT_PRE_ESTIMATE),
                          MakeStringAccessor(&DcnPathEstimator::m_preEstimate),
                          MakeStringChecker())
            .AddAttribute("Hosts",
                          "Ends of background flows: Host (published), at the path; or "
                          "CrossTraffic, on contended links, with off-path cross traffic.",
                          StringValue("CrossTraffic"),
                          MakeStringAccessor(&DcnPathEstimator::SetHosts),
                          MakeStringChecker())
            .AddAttribute("Reverse",
                          "Whether flows in the other direction of the path's links are simulated.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnPathEstimator::m_reverse),
                          MakeBooleanChecker())
            .AddAttribute("WholeAbove",
                          "The whole network is simulated instead if the paths would have more "
                          "than this many times its packet transmissions.",
                          DoubleValue(DEFAULT_WHOLE_ABOVE),
                          MakeDoubleAccessor(&DcnPathEstimator::m_wholeAbove),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Seed",
                          "Seed of the draws; 0: the scenario's.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPathEstimator::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Jobs",
                          "Parallel processes; 0: as many as the machine has cores.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPathEstimator::m_jobs),
                          MakeUintegerChecker<uint32_t>(0, 4096));
    return tid;
}

std::string
DcnPathEstimator::GetName() const
{
    return "ns3-path";
}

std::vector<std::string>
DcnPathEstimator::GetInputFiles() const
{
    std::vector<std::string> files;
    for (const std::string& method : {m_engine, m_preEstimate})
    {
        const auto more = DcnEstimator::CreateByName(MakeName(method))->GetInputFiles();
        files.insert(files.end(), more.begin(), more.end());
    }
    return files;
}

std::string
DcnPathEstimator::GetDigest() const
{
    std::string digests;
    for (const std::string& method : {m_engine, m_preEstimate})
    {
        digests += DcnEstimator::CreateByName(MakeName(method))->GetDigest() + ' ';
    }
    return DcnHashText(digests);
}

void
DcnPathEstimator::SetSampling(std::string sampling)
{
    if (sampling == "Flows")
    {
        m_sampling = Sampling::FLOWS;
    }
    else if (sampling == "Systematic")
    {
        m_sampling = Sampling::SYSTEMATIC;
    }
    else if (sampling == "Replacement")
    {
        m_sampling = Sampling::REPLACEMENT;
    }
    else
    {
        DcnFail("the attribute Sampling of the method \"ns3-path\" is Flows, Systematic or "
                "Replacement, not \"",
                sampling,
                "\"");
    }
}

void
DcnPathEstimator::SetHosts(std::string hosts)
{
    if (hosts != "Host" && hosts != "CrossTraffic")
    {
        DcnFail("the attribute Hosts of the method \"ns3-path\" is Host or CrossTraffic, not \"",
                hosts,
                "\"");
    }
    m_hosts = hosts == "Host" ? DcnPathHosts::HOST : DcnPathHosts::CONTENDED;
}

std::vector<DcnPathEstimator::Task>
DcnPathEstimator::MakeTasks(const DcnPathIndex& pathIndex,
                            const DcnPathPreEstimate* preEstimate) const
{
    const DcnScenario& scenario = pathIndex.GetScenario();
    const uint64_t seed = m_seed ? m_seed : scenario.GetSeed();
    const uint64_t n = m_nPaths ? m_nPaths : scenario.GetFlows().size();
    std::vector<Task> tasks;
    if (m_sampling == Sampling::FLOWS && m_nPaths > 0)
    {
        std::map<uint32_t, std::size_t> taskOf; // by path
        for (const DcnDrawnFlow& drawn : DcnDrawFlows(scenario, *preEstimate, n, seed))
        {
            const uint32_t path = pathIndex.GetPathOf(drawn.flow);
            const auto [found, isNew] = taskOf.emplace(path, tasks.size());
            if (isNew)
            {
                tasks.push_back({path, {}});
            }
            tasks[found->second].flows.push_back(drawn);
        }
        return tasks;
    }
    const auto sampling = m_sampling == Sampling::REPLACEMENT ? DcnPathSampling::REPLACEMENT
                                                              : DcnPathSampling::SYSTEMATIC;
    for (const DcnDrawnPath& drawn : DcnDrawPaths(pathIndex, n, sampling, seed))
    {
        tasks.push_back({drawn.path, {}});
        for (uint32_t flow : pathIndex.GetForeground(drawn.path))
        {
            tasks.back().flows.push_back({flow, drawn.flowWeight});
        }
    }
    return tasks;
}

void
DcnPathEstimator::Run(const DcnScenario& whole,
                      const DcnPathScenario& local,
                      const Task& task,
                      Outcome& outcome) const
{
    outcome.nTransmissions += CountTransmissions(*local.scenario);
    Ptr<DcnEstimator> engine = DcnEstimator::CreateByName(MakeName(m_engine));
    for (std::size_t i = 0; task.flows.size() == 1 && i < local.origins.size(); ++i)
    {
        if (local.origins[i].foreground && local.origins[i].flow == task.flows[0].flow)
        {
            // optional: an engine without this attribute simulates the other flows to their ends
            engine->SetAttributeFailSafe("LastFlow", UintegerValue(i));
        }
    }
    const DcnEstimate estimate = engine->Estimate(local.scenario);
    Simulator::Destroy(); // of this process: its nodes and events end here
    for (std::size_t i = 0; i < local.origins.size(); ++i)
    {
        const DcnPathScenario::Origin& origin = local.origins[i];
        if (!origin.foreground || estimate.fctNs[i] == DcnEstimate::UNFINISHED)
        {
            continue;
        }
        for (std::size_t j = 0; j < task.flows.size(); ++j)
        {
            if (task.flows[j].flow == origin.flow)
            {
                outcome.fctNs[j] = estimate.fctNs[i] + whole.GetIdealFct(origin.flow).GetTotalNs() -
                                   local.scenario->GetIdealFct(i).GetTotalNs();
            }
        }
    }
}

DcnPathScenario
DcnPathEstimator::BuildWindow(const DcnPathIndex& pathIndex,
                              const DcnPathScenarioBuilder& builder,
                              uint32_t path,
                              bool isFirst,
                              DcnPathWindow& window) const
{
    const auto [first, last] = window.GetFlows();
    DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, path, m_reverse, first, last);
    if (isFirst)
    {
        window.ChooseBegin(pathIndex.GetLinks(path), traffic);
    }
    window.AddInitialQueues(pathIndex.GetLinks(path), traffic);
    window.Prune(pathIndex.GetLinks(path), traffic);
    if (m_hosts == DcnPathHosts::CONTENDED)
    {
        window.AddCrossTraffic(pathIndex, pathIndex.GetLinks(path), traffic);
    }
    return builder.Build(path, traffic, [&](uint32_t index, DcnFlow& flow) {
        return window.Adjust(index, flow);
    });
}

DcnPathEstimator::Outcome
DcnPathEstimator::Simulate(const DcnPathIndex& pathIndex,
                           const DcnPathScenarioBuilder& builder,
                           const DcnPathPreEstimate* preEstimate,
                           const Task& task) const
{
    static constexpr uint32_t MAX_EXTENSIONS = 10; // 1000 times the pre-estimated time
    const DcnScenario& whole = pathIndex.GetScenario();
    Outcome outcome{std::vector<int64_t>(task.flows.size(), DcnEstimate::UNFINISHED), 0};
    if (m_warmUp.IsZero())
    {
        Run(whole,
            builder.Build(task.path, DcnFindPathTraffic(pathIndex, task.path, m_reverse)),
            task,
            outcome);
        return outcome;
    }
    for (std::size_t j = 0; j < task.flows.size(); ++j)
    {
        DcnPathWindow window(whole, *preEstimate, task.flows[j].flow, m_warmUp.GetNanoSeconds());
        for (uint32_t extensions = 0; extensions <= MAX_EXTENSIONS; ++extensions)
        {
            const DcnPathScenario local =
                BuildWindow(pathIndex, builder, task.path, extensions == 0, window);
            Outcome one{{DcnEstimate::UNFINISHED}, 0};
            Run(whole, local, {task.path, {task.flows[j]}}, one);
            outcome.fctNs[j] = one.fctNs[0];
            outcome.nTransmissions += one.nTransmissions;
            if (one.fctNs[0] != DcnEstimate::UNFINISHED && one.fctNs[0] <= window.GetLongestNs())
            {
                break;
            }
            NS_LOG_INFO("flow " << task.flows[j].flow
                                << " outlasts its window: the window is extended");
            window.Extend();
        }
    }
    return outcome;
}

std::vector<DcnPathEstimator::Outcome>
DcnPathEstimator::SimulateInProcesses(const DcnPathIndex& pathIndex,
                                      const DcnPathScenarioBuilder& builder,
                                      const DcnPathPreEstimate* preEstimate,
                                      const std::vector<Task>& tasks) const
{
    const uint32_t jobs = DcnCountThreads(m_jobs);
    // Small enough for all processes to end together, large enough to outweigh their start.
    const std::size_t chunk = std::max<std::size_t>(1, tasks.size() / (32 * std::size_t{jobs}));
    const std::size_t nChunks = (tasks.size() + chunk - 1) / chunk;
    auto end = [&](std::size_t i) { return std::min(tasks.size(), (i + 1) * chunk); };
    auto simulate = [&](uint64_t i) {
        std::string bytes;
        for (std::size_t j = i * chunk; j < end(i); ++j)
        {
            const Outcome outcome = Simulate(pathIndex, builder, preEstimate, tasks[j]);
            bytes.append(reinterpret_cast<const char*>(outcome.fctNs.data()),
                         outcome.fctNs.size() * sizeof(int64_t));
            bytes.append(reinterpret_cast<const char*>(&outcome.nTransmissions), sizeof(uint64_t));
        }
        return bytes;
    };
    DcnProgress progress("ns3-path", tasks.size(), "paths");
    uint64_t nDone = 0;
    const std::vector<std::string> results =
        DcnComputeInProcesses(nChunks, jobs, simulate, [&](uint64_t i) {
            nDone += end(i) - i * chunk;
            progress.Update(nDone);
        });
    std::vector<Outcome> outcomes(tasks.size());
    for (std::size_t i = 0; i < nChunks; ++i)
    {
        const char* bytes = results[i].data();
        for (std::size_t j = i * chunk; j < end(i); ++j)
        {
            Outcome& outcome = outcomes[j];
            outcome.fctNs.resize(tasks[j].flows.size());
            std::memcpy(outcome.fctNs.data(), bytes, outcome.fctNs.size() * sizeof(int64_t));
            bytes += outcome.fctNs.size() * sizeof(int64_t);
            std::memcpy(&outcome.nTransmissions, bytes, sizeof(uint64_t));
            bytes += sizeof(uint64_t);
        }
    }
    return outcomes;
}

double
DcnPathEstimator::GetExpectedShare(const DcnPathIndex& pathIndex,
                                   const DcnPathScenarioBuilder& builder,
                                   const DcnPathPreEstimate& preEstimate,
                                   const std::vector<Task>& tasks) const
{
    const DcnScenario& scenario = pathIndex.GetScenario();
    const auto nWhole = static_cast<double>(std::max<uint64_t>(1, CountTransmissions(scenario)));
    double nFlows = 0;
    for (const Task& task : tasks)
    {
        nFlows += static_cast<double>(task.flows.size());
    }
    // in a process of its own, as for simulations: scenarios of paths have ns-3 nodes
    const std::vector<std::string> results = DcnComputeInProcesses(1, 1, [&](uint64_t) {
        double nPilotFlows = 0;
        double nTransmissions = 0;
        // every stride-th path, since draws are ordered by class
        const std::size_t stride = std::max<std::size_t>(2, tasks.size() / N_PILOT);
        for (std::size_t i = 0; i < tasks.size() && nTransmissions <= m_wholeAbove * nWhole;
             i += stride)
        {
            for (const DcnDrawnFlow& drawn : tasks[i].flows)
            {
                DcnPathWindow window(scenario, preEstimate, drawn.flow, m_warmUp.GetNanoSeconds());
                nTransmissions += static_cast<double>(CountTransmissions(
                    *BuildWindow(pathIndex, builder, tasks[i].path, true, window).scenario));
                ++nPilotFlows;
            }
        }
        const double share = nTransmissions * nFlows / nPilotFlows / nWhole;
        return std::string(reinterpret_cast<const char*>(&share), sizeof(share));
    });
    double share = 0;
    std::memcpy(&share, results[0].data(), sizeof(share));
    return share;
}

void
DcnPathEstimator::EstimateWhole(Ptr<const DcnScenario> scenario,
                                const std::string& reason,
                                DcnEstimate& estimate) const
{
    // in a process of its own, as for paths: it leaves the caller's simulation unchanged
    const std::vector<std::string> results = DcnComputeInProcesses(1, 1, [&](uint64_t) {
        const DcnEstimate whole =
            DcnEstimator::CreateByName(MakeName(m_engine))->Estimate(scenario);
        return std::string(reinterpret_cast<const char*>(whole.fctNs.data()),
                           whole.fctNs.size() * sizeof(int64_t));
    });
    std::memcpy(estimate.fctNs.data(), results[0].data(), results[0].size());
    const auto nLost =
        std::count(estimate.fctNs.begin(), estimate.fctNs.end(), DcnEstimate::UNFINISHED);
    if (nLost > 0)
    {
        estimate.unfinished["unfinished in the whole network"] = nLost;
    }
    estimate.answeredBy = MakeName(m_engine);
    estimate.provenance =
        m_engine + ", the whole network: " + reason + DescribeUnmodelled(*scenario);
}

std::string
DcnPathEstimator::DescribeUnmodelled(const DcnScenario& scenario) const
{
    if (DcnEstimator::CreateByName(MakeName(m_engine))->GetName() != "packet")
    {
        return ""; // engines with connections may model them
    }
    return DcnSimulationReport::DescribeUnmodelled(
        DcnSimulationReport::GetConnectionKeys(scenario.GetNetworkConfig(), {"header_bytes"}));
}

void
DcnPathEstimator::CheckAttributes() const
{
    auto refuse = [](const std::string& attribute, const std::string& when) {
        DcnFail("the attribute ",
                attribute,
                " of the method \"ns3-path\" has no effect with ",
                when);
    };
    for (const std::string& method : {m_engine, m_preEstimate})
    {
        DcnEstimator::CreateByName(MakeName(method)); // whether it is used or not
    }
    if (m_hosts == DcnPathHosts::CONTENDED && m_warmUp.IsZero())
    {
        refuse("Hosts=CrossTraffic (the default)", "WarmUp=0s; set Hosts=Host");
    }
    if (m_preEstimate != DEFAULT_PRE_ESTIMATE && !NeedsPreEstimate())
    {
        refuse("PreEstimate", "WarmUp=0s where no flows are drawn");
    }
    if (m_wholeAbove != DEFAULT_WHOLE_ABOVE && !MayBeWhole())
    {
        refuse("WholeAbove", "NPaths=0, WarmUp=0s or drawn paths");
    }
    if (m_nPaths == 0 && m_seed != 0)
    {
        refuse("Seed", "NPaths=0");
    }
    if (m_nPaths == 0 && m_sampling == Sampling::REPLACEMENT)
    {
        refuse("Sampling=Replacement", "NPaths=0");
    }
}

bool
DcnPathEstimator::MayBeWhole() const
{
    return !m_warmUp.IsZero() && m_sampling == Sampling::FLOWS && m_nPaths > 0;
}

bool
DcnPathEstimator::NeedsPreEstimate() const
{
    return !m_warmUp.IsZero() || (m_sampling == Sampling::FLOWS && m_nPaths > 0);
}

void
DcnPathEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    CheckAttributes();
    estimate.jobs = DcnCountThreads(m_jobs);
    if (MayBeWhole() && m_wholeAbove == DEFAULT_WHOLE_ABOVE &&
        CountTransmissions(*scenario) < CHOICE_COST)
    {
        EstimateWhole(scenario, "a choice of paths would cost more", estimate);
        return;
    }
    const DcnPathIndex pathIndex(scenario);
    std::unique_ptr<DcnPathPreEstimate> preEstimate;
    if (NeedsPreEstimate())
    {
        preEstimate = std::make_unique<DcnPathPreEstimate>(scenario, MakeName(m_preEstimate));
    }
    const DcnPathScenarioBuilder builder(pathIndex, m_hosts);
    const std::vector<Task> tasks = MakeTasks(pathIndex, preEstimate.get());
    NS_LOG_INFO(tasks.size() << " of " << pathIndex.GetNPaths() << " paths are simulated");
    if (MayBeWhole() && tasks.size() > 1)
    {
        const double share = GetExpectedShare(pathIndex, builder, *preEstimate, tasks);
        NS_LOG_INFO("windows suggest " << share << " of the transmissions of the whole network");
        if (share > m_wholeAbove)
        {
            EstimateWhole(scenario,
                          "the paths would have some " + std::to_string(std::llround(100 * share)) +
                              " % of its packet transmissions",
                          estimate);
            return;
        }
    }
    const std::vector<Outcome> outcomes =
        SimulateInProcesses(pathIndex, builder, preEstimate.get(), tasks);
    uint64_t nLost = 0;
    uint64_t nTransmissions = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        nTransmissions += outcomes[i].nTransmissions;
        for (std::size_t j = 0; j < tasks[i].flows.size(); ++j)
        {
            const DcnDrawnFlow& drawn = tasks[i].flows[j];
            const int64_t fctNs = outcomes[i].fctNs[j];
            if (fctNs == DcnEstimate::UNFINISHED)
            {
                ++nLost;
                continue;
            }
            estimate.fctNs[drawn.flow] = fctNs;
            const DcnFlow& flow = scenario->GetFlows()[drawn.flow];
            const auto ideal = static_cast<double>(scenario->GetIdealFct(drawn.flow).GetTotalNs());
            estimate.samples.push_back({std::max(1.0, static_cast<double>(fctNs) / ideal),
                                        flow.sizeBytes,
                                        drawn.weight,
                                        flow.src,
                                        flow.dst});
        }
    }
    if (nLost > 0)
    {
        estimate.unfinished["unfinished on their path"] = nLost;
    }
    const uint64_t nWhole = std::max<uint64_t>(1, CountTransmissions(*scenario));
    const uint64_t percent = (100 * nTransmissions + nWhole - 1) / nWhole;
    estimate.provenance =
        m_engine + ", " + std::to_string(estimate.samples.size()) + " flows on " +
        std::to_string(tasks.size()) + " of " + std::to_string(pathIndex.GetNPaths()) +
        " paths, at most " + std::to_string(percent) +
        " % of the packet transmissions of the whole network" +
        (percent > 100 ? ", which may cost less" : "") + DescribeUnmodelled(*scenario);
}

} // namespace ns3
