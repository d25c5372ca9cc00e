/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-throttle-run.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-random.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocThrottleRun");

namespace
{

/// @return Jain's index of the cores' numbers, 1 for equal ones; 0 without any
double
GetFairness(const std::vector<double>& numbers)
{
    double sum = 0;
    double squares = 0;
    for (double each : numbers)
    {
        sum += each;
        squares += each * each;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(numbers.size()) * squares) : 0;
}

} // namespace

NocSystem
NocThrottleSetup::MakeSystem(double hit, double rate) const
{
    const uint32_t first = (rows - 1) / 2 * columns;
    NocSystem system =
        NocSystem::Cache(std::make_shared<const NocTopology>(NocTopology::Mesh(rows, columns)),
                         {first, first + columns - 1},
                         std::min(rate, MOST),
                         burst,
                         hit);
    system.egress = system.transgress = queues;
    system.ingress = ingress;
    system.cacheList = cacheList;
    system.memoryPeriod = memoryPeriod;
    system.memoryList = 108;
    system.hitsPass = true;
    system.hitWindow = hitWindow;
    system.missWindow = missWindow;
    return system;
}

NocLabelledRuns
NocThrottleSetup::Record(const std::vector<double>& rates,
                         double hit,
                         uint64_t seed,
                         uint32_t delta,
                         double alpha,
                         uint32_t threads) const
{
    NocLabelledRuns runs;
    std::vector<std::unique_ptr<NocEngine>> engines;
    for (double rate : rates)
    {
        const NocSystem system = MakeSystem(hit, rate);
        runs.push_back(std::make_unique<NocLabelledRun>(system, alpha));
        engines.push_back(std::make_unique<NocEngine>(system, seed++));
    }
    DcnParallelFor(runs.size(), threads, [&](std::size_t i) {
        engines[i]->Run(warmUp);
        engines[i]->SetControl(runs[i].get());
        engines[i]->Run(RECORDED);
        // features need samples to settle, and packets at the end may yet bounce
        runs[i]->Label(delta, static_cast<uint32_t>(warmUp + RECORDED / 10));
    });
    return runs;
}

/// @return the rates of phases, all above 0
static const std::vector<double>&
CheckPhases(const std::vector<double>& phases)
{
    if (phases.empty())
    {
        DcnFail("a simulation of source throttling needs the rate of a phase, but there is none");
    }
    for (const double rate : phases)
    {
        if (!(rate > 0))
        {
            DcnFail("rates of phases must be above 0 packets per cycle, but one is ", rate);
        }
    }
    return phases;
}

NocThrottleRun::NocThrottleRun(const NocThrottleSetup& setup,
                               double hit,
                               const std::vector<double>& phases,
                               const std::string& policy,
                               const NocThrottleOptions& defaults,
                               uint64_t seed)
    : m_setup(setup),
      m_phases(CheckPhases(phases)),
      m_system(setup.MakeSystem(hit, phases.front()))
{
    const auto options = NocThrottleOptions::Read(policy, defaults, m_system.hitWindow);
    m_engine = std::make_unique<NocEngine>(m_system, seed);
    m_throttle = std::make_unique<NocThrottle>(m_system, options);
    m_engine->SetControl(m_throttle.get());
}

void
NocThrottleRun::Simulate()
{
    m_engine->Run(m_setup.warmUp);
    m_engine->ResetStatistics();
    const uint64_t n = m_phases.size();
    for (uint64_t phase = 0; phase < n; ++phase)
    {
        if (phase > 0)
        {
            std::vector<double> rates = m_system.rates;
            for (double& rate : rates)
            {
                rate = rate > 0 ? std::min(m_phases[phase], NocThrottleSetup::MOST) : 0;
            }
            m_engine->SetRates(rates);
        }
        m_engine->Run(m_setup.cycles * (phase + 1) / n - m_setup.cycles * phase / n);
    }
    NS_LOG_INFO("simulated " << m_setup.cycles << " cycles in " << n << " phases");
}

std::vector<std::pair<std::string, double>>
NocThrottleRun::GetMeasures() const
{
    constexpr double LINE = 64; // bytes of a data packet
    const NocStatistics& all = m_engine->GetStatistics();
    const auto cycles = static_cast<double>(all.cycles);
    const auto done = static_cast<double>(all.transactions.n);
    std::vector<double> transactions;
    std::vector<double> misses;
    for (uint32_t node = 0; node < all.perCore.size(); ++node)
    {
        if (!m_system.IsMemory(node))
        {
            transactions.push_back(static_cast<double>(all.perCore[node]));
            misses.push_back(static_cast<double>(all.missesPerCore[node]));
        }
    }
    const auto cores = static_cast<double>(transactions.size());
    const double slowest = *std::min_element(transactions.begin(), transactions.end());
    uint64_t refused = 0;
    for (const NocLayerStatistics& layer : all.layers)
    {
        refused += layer.sinkRefusals + layer.transgressRefusals;
    }
    return {{"transactions_per_cycle", done / cycles},
            {"memory_reads_per_cycle", static_cast<double>(all.memoryReads) / cycles},
            {"miss_share", done > 0 ? static_cast<double>(all.misses) / done : 0},
            {"transaction_latency", all.transactions.GetMean()},
            {"bytes_per_core_cycle", LINE * done / cycles / cores},
            {"fairness", GetFairness(transactions)},
            {"miss_fairness", GetFairness(misses)},
            {"slowest_core", done > 0 ? slowest * cores / done : 0},
            {"deflections_per_cycle", static_cast<double>(refused) / cycles}};
}

std::vector<std::string>
NocDrawWorkloads(uint32_t n, uint64_t seed)
{
    const std::vector<std::string> rates{"0.2", "0.5", "0.8", "1"};
    auto draws = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(draws, DcnPurpose::NOC_WORKLOADS, 0);
    std::vector<std::string> workloads;
    for (uint32_t i = 0; i < n; ++i)
    {
        std::string text;
        for (int phase = 0; phase < 4; ++phase)
        {
            text += (phase ? "/" : "") + rates[draws->GetInteger(0, 3)];
        }
        workloads.push_back(text);
    }
    return workloads;
}

} // namespace ns3
