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
 * @brief Time of the model with correction, from the list of flows to mean and 99th percentile of
 * the round trip of each, against that of ns-3 on the same flows; both in processor time of one
 * core, and both in full. The errors against this very run are reported, too.
 *
 * ns-3 simulates the shortest time from which 99th percentiles can be told: PACKETS of each flow,
 * of which PACKETS / 100 are above its 99th percentile, after a warm-up that is part of its time.
 *
 * @param text configuration with flows of equal rates
 * @param name of the rows
 * @param correction the shipped one
 */
void
ReportSpeed(const std::string& text, const std::string& name, const MqlCorrection* correction)
{
    constexpr double PACKETS = 400;
    auto config = MqlTruthConfig::Parse(text + ",hash_seed=1001,seed=1001,engine=ns3");
    config.durationS = PACKETS / MqlTruthTraffic(config).GetFlows().front().rate;
    auto traffic = std::make_unique<MqlTruthTraffic>(config);
    const std::clock_t start = std::clock();
    const MqlNetwork network =
        MqlCase::MakeNetwork(*traffic, MqlCase::MakeFlows(*traffic, nullptr));
    const MqlSolution solution = network.Solve();
    const MqlCorrectedSolution corrected(network, solution, correction);
    double means = 0;
    double p99s = 0;
    double meanSeconds = 0;
    std::vector<MqlFlowLatency> roundTrips;
    for (std::size_t i = 0; i < traffic->GetFlows().size(); ++i)
    {
        roundTrips.push_back(corrected.GetRoundTrip(i));
        means += roundTrips.back().GetMean();
    }
    meanSeconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    for (std::size_t i = 0; i < roundTrips.size(); ++i)
    {
        p99s += corrected.GetP99(i, roundTrips[i]);
    }
    const double modelSeconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    const auto n = static_cast<double>(roundTrips.size());
    auto truth = MqlSimulateTruth(*traffic);
    Report("mql", name + "flows", n);
    Report("mql", name + "mean_round_trip_us", 1e6 * means / n);
    Report("mql", name + "p99_round_trip_us", 1e6 * p99s / n);
    Report("mql", name + "means_cpu_s", meanSeconds);
    Report("mql", name + "means_and_p99_cpu_s", modelSeconds);
    Report("mql", name + "ns3_simulated_s", config.warmupS + config.durationS);
    Report("mql", name + "ns3_cpu_s", truth.cpuSeconds);
    Report("mql",
           name + "ns3_packet_hops_per_cpu_s",
           static_cast<double>(truth.packetHops) / truth.cpuSeconds);
    Report("mql", name + "speedup", truth.cpuSeconds / modelSeconds);
    Report("mql", name + "speedup_of_means", truth.cpuSeconds / meanSeconds);
    const MqlCase one(std::move(traffic), std::move(truth), {});
    const MqlScore score = MqlEvaluate(one, correction);
    Report("mql", name + "rtt_mape_of_this_run", score.mape);
    Report("mql", name + "rtt_mape_noise_of_this_run", score.noise);
    Report("mql", name + "rtt_w1_p99_of_this_run", score.w1P99);
}

} // namespace

void
BenchMql()
{
    const auto correction = MqlCorrection::Load("auto");
    ReportErrors(correction.get());
    ReportSpeed("k=4,load=0.5", "16_hosts_", correction.get());
    // The one that counts: 128 hosts, all to all.
    ReportSpeed("k=8,load=0.5", "", correction.get());
    ReportSpeed("k=16,load=0.5,density=0.01", "1024_hosts_", correction.get());
}
