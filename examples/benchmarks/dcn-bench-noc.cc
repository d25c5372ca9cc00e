/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmark of dcn-bench for networks on chip: the simulator's speed, and that of the models
 * against it on a 6 x 6 mesh of 600,000 cycles.
 */

#include "dcn-bench.h"

#include "ns3/noc-engine.h"
#include "ns3/noc-model.h"

#include <algorithm>
#include <memory>
#include <string>

using namespace ns3;

void
BenchNoc()
{
    constexpr uint64_t CYCLES = 600000;
    constexpr uint64_t WARM_UP = 20000;
    constexpr int SOLUTIONS = 50; // to average over
    auto mesh = std::make_shared<const NocTopology>(NocTopology::Mesh(6, 6));
    double least[] = {1e300, 1e300};
    for (double rate : {0.2, 0.5})
    {
        const std::string prefix = rate < 0.4 ? "rate_0.2_" : "rate_0.5_";
        const NocSystem system = NocSystem::Cache(mesh, {12, 17}, rate, 0, 1);
        NocEngine engine(system, 1);
        engine.Run(WARM_UP);
        engine.ResetStatistics();
        const DcnStopwatch simulated;
        engine.Run(CYCLES);
        const double seconds = simulated.Get().cpuSeconds;
        double hops = 0;
        for (const NocLayerStatistics& layer : engine.GetStatistics().layers)
        {
            hops += static_cast<double>(layer.network.sum);
        }
        Report("noc", prefix + "cycles_per_s", CYCLES / seconds);
        Report("noc", prefix + "packet_hops_per_s", hops / seconds);
        const double truth = engine.GetStatistics().GetRequestLatency();
        const NocMethod methods[] = {NocMethod::CLOSED, NocMethod::CHAIN};
        for (int m = 0; m < 2; ++m)
        {
            const std::string name = NocGetMethodName(methods[m]);
            double latency = 0;
            const DcnStopwatch solved;
            for (int i = 0; i < SOLUTIONS; ++i)
            {
                // with the flows, which a sweep over rates would keep
                latency = NocModel(system).Solve(methods[m]).requestLatency;
            }
            const double each = solved.Get().cpuSeconds / SOLUTIONS;
            Report("noc", prefix + name + "_us", 1e6 * each);
            Report("noc", prefix + name + "_error", latency / truth - 1);
            least[m] = std::min(least[m], seconds / each);
        }
    }
    Report("noc", "closed_speedup", least[0]);
    Report("noc", "chain_speedup", least[1]);
}
