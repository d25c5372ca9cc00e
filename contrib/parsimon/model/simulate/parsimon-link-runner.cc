/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-runner.h"

#include "../topology/parsimon-nic-delays.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/log.h"

#include <algorithm>
#include <ctime>
#include <mutex>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonLinkRunner");

namespace
{

/**
 * @param scenario the flows
 * @param index flows by link
 * @param links links to compare
 * @param options of the clustering
 * @param nThreads see DcnParallelFor
 * @return their features
 */
std::vector<ParsimonLinkFeatures>
MakeFeatures(const DcnScenario& scenario,
             const ParsimonLinkIndex& index,
             const std::vector<uint32_t>& links,
             const ParsimonClusteringOptions& options,
             uint32_t nThreads)
{
    const auto& flows = scenario.GetFlows();
    const DcnTopology& topology = scenario.GetTopology();
    // one time for all links: two flows in quick succession do not make a high load
    const int64_t span = options.rules != ParsimonRules::PUBLISHED
                             ? std::max<int64_t>(1, flows.back().startNs - flows.front().startNs)
                             : 0;
    std::vector<ParsimonLinkFeatures> features(
        links.size(),
        ParsimonLinkFeatures(ParsimonPosition::FIRST_HOP, 1, {}, 1, 1));
    DcnParallelFor(links.size(), nThreads, [&](std::size_t i) {
        std::vector<std::pair<int64_t, uint64_t>> list;
        for (uint32_t f : index.GetFlows(links[i]))
        {
            list.emplace_back(flows[f].startNs, flows[f].sizeBytes);
        }
        features[i] = ParsimonLinkFeatures(ParsimonLinkIndex::GetPosition(topology, links[i]),
                                           topology.GetLink(links[i]).rateBps,
                                           list,
                                           span,
                                           options.nQuantiles);
    });
    return features;
}

/// @return processor time of this thread [s]
double
GetThreadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

ParsimonLinkRunner::ParsimonLinkRunner(const ParsimonLinkSimulator& simulator,
                                       const Maker& maker,
                                       const std::string& context,
                                       ParsimonResultStore* store)
    : m_simulator(simulator),
      m_maker(maker),
      m_context(context),
      m_store(store)
{
}

std::vector<uint32_t>
ParsimonLinkRunner::ChooseLinks(const DcnScenario& scenario, const Work& work) const
{
    ParsimonLinkTable& table = work.table;
    const ParsimonLinkIndex& index = table.GetIndex();
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < index.GetNLinks(); ++link)
    {
        switch (index.GetNFlows(link))
        {
        case 0:
            ++table.m_accounting.idle;
            break;
        case 1:
            ++table.m_accounting.single;
            break;
        default:
            links.push_back(link);
        }
    }
    if (const auto& clustering = work.options.clustering)
    {
        const auto representatives = ParsimonClustering::Cluster(
            MakeFeatures(scenario, index, links, *clustering, work.options.nThreads),
            *clustering);
        std::vector<uint32_t> kept;
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            table.m_representatives[links[i]] = links[representatives[i]];
            if (representatives[i] == i)
            {
                kept.push_back(links[i]);
            }
        }
        table.m_accounting.shared = static_cast<uint32_t>(links.size() - kept.size());
        links.swap(kept);
    }
    std::stable_sort(links.begin(), links.end(), [&](uint32_t a, uint32_t b) {
        return index.GetBytes(a) > index.GetBytes(b);
    });
    return links;
}

ParsimonLinkRunner::Found
ParsimonLinkRunner::Get(const Work& work, uint32_t link, bool mayWork) const
{
    const Options& options = work.options;
    if (options.before && options.isSame && options.isSame(link) && options.before->m_delays[link])
    {
        return {options.before->m_delays[link], true};
    }
    const ParsimonLink input = m_maker(link);
    std::string key;
    if (m_store)
    {
        key = ParsimonMakeKey(input, m_context);
        auto found = m_store->Find(key);
        if (found && (found->delayNs.size() != input.flows.size() ||
                      (!found->nicNs.empty() && found->nicNs.size() != input.flows.size())))
        {
            DcnFail("the result kept as ",
                    key,
                    " has ",
                    found->delayNs.size(),
                    " delays, but link ",
                    link,
                    " has ",
                    input.flows.size(),
                    " flows; remove the folder of results");
        }
        if (found)
        {
            return {found, true};
        }
    }
    if (!mayWork)
    {
        return {};
    }
    auto delays = Simulate(work, input);
    if (m_store)
    {
        m_store->Add(key, delays);
    }
    return {delays, false};
}

std::shared_ptr<const ParsimonLinkDelays>
ParsimonLinkRunner::Simulate(const Work& work, const ParsimonLink& input) const
{
    const Options& options = work.options;
    const auto history = options.before ? options.before->m_histories[input.link] : nullptr;
    const double begin = GetThreadSeconds();
    const ParsimonLinkResult result =
        history            ? m_simulator.Repeat(input, *history)
        : options.remember ? m_simulator.Record(input, work.table.m_histories[input.link])
                           : m_simulator.Simulate(input);
    {
        const double seconds = GetThreadSeconds() - begin;
        const std::lock_guard<std::mutex> lock(work.mutex);
        auto& accounting = work.table.m_accounting;
        accounting.seconds += seconds;
        accounting.longestSeconds = std::max(accounting.longestSeconds, seconds);
    }
    // several threads may log: std::clog is safe for them, though lines may interleave
    NS_LOG_INFO("link " << input.link << ", " << input.flows.size()
                        << " flows: " << (history ? "simulated with a recording" : "simulated"));
    auto delays = std::make_shared<ParsimonLinkDelays>(result);
    if (options.withNic && input.position != ParsimonPosition::FIRST_HOP)
    {
        delays->nicNs = ParsimonNicDelays(input, work.payloadBytes, work.headerBytes);
    }
    if (delays->delayNs.size() != input.flows.size())
    {
        DcnFail("the link simulation of link ",
                input.link,
                " has ",
                delays->delayNs.size(),
                " results for ",
                input.flows.size(),
                " flows");
    }
    return delays;
}

ParsimonLinkTable
ParsimonLinkRunner::Run(const DcnScenario& scenario,
                        const std::shared_ptr<const ParsimonLinkIndex>& index,
                        const Options& options) const
{
    ParsimonLinkTable table(index);
    std::mutex mutex;
    const Work work{options,
                    table,
                    scenario.GetNetwork().payloadBytes,
                    DcnCongestionControl::GetWireFormat(scenario.GetNetwork()).dataHeaderBytes,
                    mutex};
    const std::vector<uint32_t> links = ChooseLinks(scenario, work);
    DcnProgress progress("parsimon", links.size(), "links");
    uint64_t done = 0;
    auto step = [&]() {
        const std::lock_guard<std::mutex> lock(mutex);
        progress.Update(++done);
    };
    std::vector<char> isReused(links.size(), 0);
    auto fetch = [&](std::size_t i, bool mayWork) {
        const Found found = Get(work, links[i], mayWork);
        table.m_delays[links[i]] = found.delays;
        isReused[i] = found.isReused ? 1 : 0;
    };
    if (m_simulator.IsThreadSafe())
    {
        DcnParallelFor(links.size(), options.nThreads, [&](std::size_t i) {
            fetch(i, true);
            step();
        });
    }
    else
    {
        std::vector<uint32_t> missing;
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            if (m_store || options.before)
            {
                fetch(i, false);
            }
            if (!table.m_delays[links[i]])
            {
                missing.push_back(links[i]);
            }
        }
        std::vector<std::string> tasks;
        for (const uint32_t link : missing)
        {
            tasks.push_back(std::to_string(link));
        }
        DcnTaskFarm(DcnCountThreads(options.nThreads))
            .Run(
                {},
                tasks,
                [&](const std::string& task, const DcnTaskFarm::Reply& reply) {
                    const auto link = static_cast<uint32_t>(std::stoul(task));
                    reply(Simulate(work, m_maker(link))->Serialize());
                },
                [&](uint64_t task, std::string&& bytes) {
                    auto delays = std::make_shared<const ParsimonLinkDelays>(
                        ParsimonLinkDelays::Deserialize(bytes, "a link simulation's process: "));
                    table.m_delays[missing[task]] = delays;
                    if (m_store)
                    {
                        m_store->Add(ParsimonMakeKey(m_maker(missing[task]), m_context), delays);
                    }
                    step();
                });
    }
    if (m_store)
    {
        m_store->Flush();
    }
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        ++(isReused[i] ? table.m_accounting.reused : table.m_accounting.simulated);
    }
    NS_LOG_INFO(table.m_accounting.simulated << " links simulated, " << table.m_accounting.reused
                                             << " reused, " << table.m_accounting.shared
                                             << " shared");
    return table;
}

} // namespace ns3
