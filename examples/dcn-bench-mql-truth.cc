/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief The benchmark of dcn-bench for MQL against simulation: errors and speed.
 */

#include "dcn-bench.h"

#include "ns3/mql-evaluation.h"

#include <ctime>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Errors of round trips on 16 hosts; hash seed and traffic were not trained on.
 * @param correction the shipped one
 */
void
ReportErrors(const MqlCorrection* correction)
{
    MqlScore sums[2];
    double n = 0;
    for (const std::string pattern : {"all-to-all", "incast", "broadcast", "asymmetric"})
    {
        for (const std::string arrivals : {"poisson", "ge"})
        {
            for (const std::string load : {"0.25", "0.5", "0.75"})
            {
                auto traffic = std::make_unique<MqlTruthTraffic>(
                    MqlTruthConfig::Parse("duration_s=5,hash_seed=1001,seed=1001,pattern=" +
                                          pattern + ",arrivals=" + arrivals + ",load=" + load));
                auto truth = MqlSimulateTruth(*traffic);
                const MqlCase one(std::move(traffic), std::move(truth), {});
                const MqlScore scores[]{MqlEvaluate(one, nullptr), MqlEvaluate(one, correction)};
                for (std::size_t i = 0; i < 2; ++i)
                {
                    sums[i].mape += scores[i].mape;
                    sums[i].w1Mean += scores[i].w1Mean;
                    sums[i].w1P99 += scores[i].w1P99;
                    sums[i].noise += scores[i].noise;
                }
                n++;
            }
        }
    }
    Report("mql", "rtt_mape_model_alone", sums[0].mape / n);
    Report("mql", "rtt_mape", sums[1].mape / n);
    Report("mql", "rtt_mape_noise", sums[1].noise / n);
    Report("mql", "rtt_w1_mean", sums[1].w1Mean / n);
    Report("mql", "rtt_w1_p99", sums[1].w1P99 / n);
}

/**
 * @brief Time of the model with correction, from the list of flows to the round trip of each,
 * against that of ns-3 on the same flows; both in processor time of one core.
 *
 * ns-3's time grows with the simulated time, so that the difference of two short runs, free of the
 * time to set up, says what a long one takes: SECONDS, of which the dissertation simulated 40.
 *
 * @param text configuration, with the time that is simulated here
 * @param name of the rows
 * @param correction the shipped one
 */
void
ReportSpeed(const std::string& text, const std::string& name, const MqlCorrection* correction)
{
    constexpr double SECONDS = 10;
    auto config = MqlTruthConfig::Parse(text + ",warmup_s=0,engine=ns3");
    const MqlTruthTraffic traffic(config);
    const std::clock_t start = std::clock();
    const MqlNetwork network =
        MqlCase::MakeNetwork(traffic, MqlCase::MakeFlows(traffic, nullptr));
    const MqlSolution solution = network.Solve();
    const MqlCorrectedSolution corrected(network, solution, correction);
    double sum = 0;
    for (std::size_t i = 0; i < traffic.GetFlows().size(); ++i)
    {
        sum += corrected.GetRoundTrip(i).GetMean();
    }
    const double modelSeconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto truth = MqlSimulateTruth(traffic);
    config.durationS /= 4;
    const auto quarter = MqlSimulateTruth(MqlTruthTraffic(config));
    const double seconds = truth.cpuSeconds - quarter.cpuSeconds;
    const double perSecond = seconds / (3 * config.durationS);
    Report("mql",
           name + "mean_round_trip_us",
           1e6 * sum / static_cast<double>(traffic.GetFlows().size()));
    Report("mql", name + "model_with_correction_cpu_s", modelSeconds);
    Report("mql", name + "ns3_cpu_s_per_simulated_s", perSecond);
    Report("mql",
           name + "ns3_packet_hops_per_cpu_s",
           static_cast<double>(truth.packetHops - quarter.packetHops) / seconds);
    Report("mql", name + "speedup", SECONDS * perSecond / modelSeconds);
}

} // namespace

void
BenchMqlTruth()
{
    const auto correction = MqlCorrection::Load("auto");
    ReportErrors(correction.get());
    ReportSpeed("k=4,load=0.5,duration_s=1", "16_hosts_", correction.get());
    // The one that counts: 128 hosts, all to all.
    ReportSpeed("k=8,load=0.5,duration_s=0.3", "", correction.get());
    ReportSpeed("k=16,load=0.5,density=0.06,duration_s=0.03", "1024_hosts_", correction.get());
}
