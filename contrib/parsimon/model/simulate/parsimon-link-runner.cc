/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-runner.h"

#include "../combine/parsimon-interface-delays.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

namespace ns3
{

ParsimonLinkTable::ParsimonLinkTable(const DcnScenario& scenario)
    : m_index(scenario),
      m_representatives(m_index.GetNLinks()),
      m_delays(m_index.GetNLinks()),
      m_distributions(m_index.GetNLinks())
{
    std::iota(m_representatives.begin(), m_representatives.end(), 0U);
    for (uint32_t link = 0; link < m_index.GetNLinks(); ++link)
    {
        m_positions.push_back(ParsimonLinkIndex::GetPosition(scenario.GetTopology(), link));
    }
}

const ParsimonLinkIndex&
ParsimonLinkTable::GetIndex() const
{
    return m_index;
}

uint32_t
ParsimonLinkTable::GetRepresentative(uint32_t link) const
{
    return m_representatives[link];
}

double
ParsimonLinkTable::GetDelay(uint32_t link, uint32_t place) const
{
    if (m_representatives[link] != link)
    {
        return -1;
    }
    const auto& delays = m_delays[link];
    if (!delays)
    {
        return 0;
    }
    double delay = delays->delayNs[place];
    if (!delays->nicNs.empty() && m_positions[link] != ParsimonPosition::FIRST_HOP)
    {
        delay -= delays->nicNs[place];
    }
    const uint32_t flow = m_index.GetFlows(link)[place];
    const bool slower = m_shares && m_shares->GetRate(flow, m_positions[link]) > 0;
    return std::max(0.0, delay - (slower ? 0 : GetWindowIdle(flow)));
}

double
ParsimonLinkTable::GetWindowIdle(std::size_t flow) const
{
    return m_windowIdleNs.empty() ? 0 : m_windowIdleNs[flow];
}

double
ParsimonWindow::GetIdleNs(const DcnTopology& topology,
                          DcnPath path,
                          uint64_t sizeBytes,
                          uint64_t bottleneckBps) const
{
    const uint64_t packets = DcnPackets(sizeBytes, payloadBytes);
    const uint64_t inFlight = DcnPackets(windowBytes, payloadBytes);
    if (windowBytes == 0 || packets <= inFlight)
    {
        return 0;
    }
    const uint32_t data = payloadBytes + headerBytes;
    const int64_t roundTrip = DcnBaseRttNs(topology, path, data, ackBytes);
    const double busy =
        static_cast<double>(inFlight) * 8e9 * data / static_cast<double>(bottleneckBps);
    return static_cast<double>((packets - 1) / inFlight) *
           std::max(0.0, static_cast<double>(roundTrip) - busy);
}

void
ParsimonLinkTable::ComputeWindowIdle(const DcnScenario& scenario,
                                     std::shared_ptr<const ParsimonEdgeShares> shares)
{
    m_shares = std::move(shares);
    const DcnNetworkParameters& network = scenario.GetNetwork();
    if (network.windowBytes == 0)
    {
        return;
    }
    const auto wire = DcnCongestionControl::GetWireFormat(network);
    const ParsimonWindow window{
        network.windowBytes, network.payloadBytes, wire.dataHeaderBytes, wire.ackBytes};
    const auto& flows = scenario.GetFlows();
    m_windowIdleNs.resize(flows.size());
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        m_windowIdleNs[f] = static_cast<float>(window.GetIdleNs(scenario.GetTopology(),
                                                                scenario.GetPath(f),
                                                                flows[f].sizeBytes,
                                                                scenario.GetIdealFct(f)
                                                                    .bottleneckBps));
    }
}

bool
ParsimonLinkTable::HasWindowIdle() const
{
    return !m_windowIdleNs.empty();
}

const std::shared_ptr<const ParsimonLinkDelays>&
ParsimonLinkTable::GetParts(uint32_t link) const
{
    return m_delays[link];
}

const std::shared_ptr<const ParsimonDelayDistribution>&
ParsimonLinkTable::GetDistribution(uint32_t link) const
{
    return m_distributions[m_representatives[link]];
}

const ParsimonLinkTable::Accounting&
ParsimonLinkTable::GetAccounting() const
{
    return m_accounting;
}

void
ParsimonLinkTable::MakeDistributions(const DcnScenario& scenario,
                                     const ParsimonBucketOptions& options,
                                     bool sharedOnly,
                                     uint32_t nThreads)
{
    std::vector<bool> wanted(m_representatives.size(), !sharedOnly);
    for (uint32_t link = 0; link < m_representatives.size(); ++link)
    {
        if (m_representatives[link] != link)
        {
            wanted[m_representatives[link]] = true;
        }
    }
    const auto none = std::make_shared<const ParsimonDelayDistribution>();
    const uint32_t payload = scenario.GetNetwork().payloadBytes;
    ParsimonBucketOptions buckets = options;
    buckets.payloadBytes = payload;
    const auto& flows = scenario.GetFlows();
    DcnParallelFor(m_representatives.size(), nThreads, [&](std::size_t i) {
        const auto link = static_cast<uint32_t>(i);
        if (!wanted[link] || m_representatives[link] != link || m_distributions[link])
        {
            return;
        }
        if (!m_delays[link])
        {
            m_distributions[link] = none;
            return;
        }
        std::vector<ParsimonDelayDistribution::Sample> samples;
        const uint32_t n = m_index.GetNFlows(link);
        samples.reserve(n);
        for (uint32_t place = 0; place < n; ++place)
        {
            const uint64_t size = flows[m_index.GetFlows(link)[place]].sizeBytes;
            const auto packets =
                static_cast<double>(DcnPackets(size, payload));
            samples.emplace_back(size, static_cast<float>(GetDelay(link, place) / packets));
        }
        m_distributions[link] =
            std::make_shared<const ParsimonDelayDistribution>(std::move(samples), buckets);
    });
}

namespace
{

/// Simulates some links and keeps the results.
class LinkWork
{
  public:
    LinkWork(const ParsimonLinkSimulator& simulator,
             const ParsimonLinkRunner::Maker& maker,
             const std::string& context,
             ParsimonResultStore& store,
             const DcnNetworkParameters& network,
             bool withNic,
             bool keep,
             bool record)
        : m_simulator(simulator),
          m_maker(maker),
          m_context(context),
          m_store(store),
          m_payloadBytes(network.payloadBytes),
          m_headerBytes(DcnCongestionControl::GetWireFormat(network).dataHeaderBytes),
          m_withNic(withNic),
          m_keep(keep),
          m_record(record)
    {
    }

    /**
     * @param link directed link index
     * @param mayWork false: only look for a result
     * @param reused set to whether there was one
     * @return the result, or null
     */
    std::shared_ptr<const ParsimonLinkDelays> Get(uint32_t link, bool mayWork, bool& reused)
    {
        const ParsimonLink input = m_maker(link);
        ParsimonKey key{};
        if (m_keep)
        {
            key = ParsimonKey::Make(input, m_context);
            auto found = m_store.Find(key);
            if (found && (found->delayNs.size() != input.flows.size() ||
                          (!found->nicNs.empty() && found->nicNs.size() != input.flows.size())))
            {
                DcnFail("the result kept as ", key.ToString(), " has ", found->delayNs.size(),
                        " delays, but link ", link, " has ", input.flows.size(),
                        " flows; remove the folder of results");
            }
            reused = found != nullptr;
            if (found || !mayWork)
            {
                return found;
            }
        }
        auto delays = std::make_shared<ParsimonLinkDelays>(Simulate(input));
        if (m_withNic && input.position != ParsimonPosition::FIRST_HOP)
        {
            // as good as the simulator's own (doc/parsimon.rst), at a fraction of the cost
            delays->nicNs = ParsimonInterfaceDelays(input, m_payloadBytes, m_headerBytes);
        }
        if (delays->delayNs.size() != input.flows.size())
        {
            DcnFail("the link simulation of link ", link, " has ", delays->delayNs.size(),
                    " results for ", input.flows.size(), " flows");
        }
        if (m_keep)
        {
            m_store.Add(key, delays);
        }
        return delays;
    }

    /**
     * @param link directed link index
     * @param result what another process has computed for it
     */
    void Keep(uint32_t link, const std::shared_ptr<const ParsimonLinkDelays>& result)
    {
        if (m_keep)
        {
            m_store.Add(ParsimonKey::Make(m_maker(link), m_context), result);
        }
    }

  private:
    /// With the help of how the link was simulated before, if that is known.
    ParsimonLinkResult Simulate(const ParsimonLink& input)
    {
        if (!m_keep)
        {
            return m_simulator.Simulate(input, false);
        }
        auto history = m_store.FindHistory(input.link, m_context);
        if (history)
        {
            return m_simulator.Repeat(input, *history);
        }
        if (!m_record)
        {
            return m_simulator.Simulate(input, false);
        }
        ParsimonLinkResult result = m_simulator.Record(input, history);
        if (history)
        {
            m_store.AddHistory(input.link, m_context, history);
        }
        return result;
    }

    const ParsimonLinkSimulator& m_simulator; //!< simulates a link
    const ParsimonLinkRunner::Maker& m_maker; //!< makes its topology
    const std::string& m_context;             //!< of keys
    ParsimonResultStore& m_store;             //!< keeps results
    uint32_t m_payloadBytes;                  //!< largest payload of a packet
    uint32_t m_headerBytes;                   //!< headers of a data packet
    bool m_withNic;                           //!< compute the interfaces' part
    bool m_keep;                              //!< use the store
    bool m_record;                            //!< remember how links are simulated
};

/**
 * @param scenario the flows
 * @param index flows by link
 * @param links which links
 * @param options clustering and threads
 * @return their features
 */
std::vector<ParsimonLinkFeatures>
MakeFeatures(const DcnScenario& scenario,
             const ParsimonLinkIndex& index,
             const std::vector<uint32_t>& links,
             const ParsimonLinkRunner::Options& options)
{
    const auto& flows = scenario.GetFlows();
    // one time for all links: two flows in quick succession are no load
    const int64_t span = options.clustering.sameKind
                             ? std::max<int64_t>(1, flows.back().startNs - flows.front().startNs)
                             : 0;
    std::vector<ParsimonLinkFeatures> features(
        links.size(),
        ParsimonLinkFeatures(ParsimonPosition::FIRST_HOP, 1, {}, 1, 1));
    DcnParallelFor(links.size(), options.nThreads, [&](std::size_t i) {
        const uint32_t link = links[i];
        std::vector<std::pair<int64_t, uint64_t>> list;
        for (uint32_t place = 0; place < index.GetNFlows(link); ++place)
        {
            const DcnFlow& flow = flows[index.GetFlows(link)[place]];
            list.emplace_back(flow.startNs, flow.sizeBytes);
        }
        features[i] = ParsimonLinkFeatures(
            ParsimonLinkIndex::GetPosition(scenario.GetTopology(), link),
            scenario.GetTopology().GetLink(link).rateBps,
            list,
            span,
            options.clustering.nQuantiles);
    });
    return features;
}

} // namespace

ParsimonLinkTable
ParsimonLinkRunner::Run(const DcnScenario& scenario,
                        const ParsimonLinkSimulator& simulator,
                        const Maker& maker,
                        const std::string& context,
                        ParsimonResultStore& store,
                        const Options& options)
{
    ParsimonLinkTable table(scenario);
    const ParsimonLinkIndex& index = table.m_index;
    auto& accounting = table.m_accounting;
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < index.GetNLinks(); ++link)
    {
        switch (index.GetNFlows(link))
        {
        case 0:
            ++accounting.idle;
            break;
        case 1:
            ++accounting.single;
            break;
        default:
            links.push_back(link);
        }
    }
    if (options.cluster)
    {
        const auto representatives =
            ParsimonClustering::Cluster(MakeFeatures(scenario, index, links, options),
                                        options.clustering);
        std::vector<uint32_t> kept;
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            table.m_representatives[links[i]] = links[representatives[i]];
            if (representatives[i] == i)
            {
                kept.push_back(links[i]);
            }
        }
        accounting.shared = static_cast<uint32_t>(links.size() - kept.size());
        links.swap(kept);
    }
    std::stable_sort(links.begin(), links.end(), [&](uint32_t a, uint32_t b) {
        return index.GetBytes(a) > index.GetBytes(b);
    });

    const DcnRank rank = DcnRank::Get();
    const bool ranks = rank.size > 1 && !links.empty();
    if (ranks && store.GetFolder().empty())
    {
        DcnFail("the method \"parsimon\" under mpirun needs a folder that the ranks share: set its "
                "attribute Cache");
    }
    const DcnNetworkParameters& network = scenario.GetNetwork();
    auto isMine = [&](std::size_t i) { return i % rank.size == rank.rank; };
    LinkWork run(simulator,
                 maker,
                 context,
                 store,
                 network,
                 options.withNic,
                 options.keep || ranks,
                 options.record);
    DcnProgress progress("parsimon", links.size(), "links");
    std::mutex mutex;
    uint64_t done = 0;
    auto step = [&]() {
        const std::lock_guard<std::mutex> lock(mutex);
        progress.Update(++done);
    };
    std::vector<char> reused(links.size(), 0);
    auto look = [&](std::size_t i, bool mayWork) {
        bool found = options.before && options.unchanged->IsSame(links[i]) &&
                     options.before->m_delays[links[i]];
        table.m_delays[links[i]] = found ? options.before->m_delays[links[i]]
                                         : run.Get(links[i], mayWork, found);
        reused[i] = found ? 1 : 0;
    };
    if (simulator.IsThreadSafe())
    {
        DcnParallelFor(links.size(), options.nThreads, [&](std::size_t i) {
            look(i, isMine(i));
            step();
        });
    }
    else
    {
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            if (options.keep || ranks)
            {
                look(i, false);
            }
            if (!table.m_delays[links[i]] && isMine(i))
            {
                missing.push_back(i);
            }
        }
        const uint32_t jobs = DcnCountThreads(options.nThreads);
        ParsimonResultStore unused;
        LinkWork child(simulator, maker, context, unused, network, options.withNic, false, false);
        const auto results = DcnComputeInProcesses(
            missing.size(),
            jobs,
            [&](uint64_t task) {
                bool found = false;
                return child.Get(links[missing[task]], true, found)->Serialize();
            },
            [&](uint64_t) { step(); });
        for (std::size_t task = 0; task < missing.size(); ++task)
        {
            const uint32_t link = links[missing[task]];
            table.m_delays[link] = std::make_shared<const ParsimonLinkDelays>(
                ParsimonLinkDelays::Deserialize(results[task], "a link simulation's process: "));
            run.Keep(link, table.m_delays[link]);
        }
    }
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        // of other ranks; mpirun ends this one if one of them fails
        while (!table.m_delays[links[i]])
        {
            look(i, false);
            reused[i] = 0;
            if (!table.m_delays[links[i]])
            {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }
        ++(reused[i] ? accounting.reused : accounting.simulated);
    }
    return table;
}

} // namespace ns3
