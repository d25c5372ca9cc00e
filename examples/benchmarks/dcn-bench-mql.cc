/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmark of dcn-bench for MQL against simulation: errors and speed.
 */

#include "dcn-bench.h"

#include "ns3/mql-evaluation.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Configurations that differ in their load only.
struct Group
{
    std::string name; //!< for rows
    std::string text; //!< the configuration, without load and seeds
    double durationS; //!< recorded time [s]
};

/**
 * @return groups of sizes, patterns and arrivals; if affordable, simulated so long that the noise
 * of the truth is small against the error
 */
std::vector<Group>
MakeGroups()
{
    std::vector<Group> groups;
    for (const std::string arrivals : {"poisson", "ge"})
    {
        for (const std::string pattern : {"all-to-all", "incast", "broadcast", "asymmetric"})
        {
            const std::string text = "pattern=" + pattern + ",arrivals=" + arrivals;
            groups.push_back({"16_hosts_" + pattern + "_" + arrivals, "k=4," + text, 5});
            const double s = pattern == "all-to-all" || pattern == "asymmetric" ? 8 : 50;
            groups.push_back({"128_hosts_" + pattern + "_" + arrivals, "k=8," + text, s});
        }
    }
    return groups;
}

/**
 * @brief Errors of round trips; hash seed and traffic were not trained on.
 * @param correction the shipped correction
 */
void
ReportErrors(const MqlCorrection* correction)
{
    MqlScore worst[2];
    double sum = 0;
    double n = 0;
    for (const Group& group : MakeGroups())
    {
        MqlScore means[2];
        constexpr const char* LOADS[] = {"0.25", "0.5", "0.75"};
        for (const char* load : LOADS)
        {
            std::ostringstream text;
            text << group.text << ",hash_seed=1001,seed=1001,load=" << load
                 << ",duration_s=" << group.durationS;
            MqlCase one(text.str());
            one.Simulate();
            one.Solve();
            const MqlScore scores[]{MqlEvaluate(one, nullptr), MqlEvaluate(one, correction)};
            for (std::size_t i = 0; i < 2; ++i)
            {
                means[i].mape += scores[i].mape / std::size(LOADS);
                means[i].w1Mean += scores[i].w1Mean / std::size(LOADS);
                means[i].w1P99 += scores[i].w1P99 / std::size(LOADS);
                means[i].noise += scores[i].noise / std::size(LOADS);
            }
        }
        Report("mql", group.name + "_rtt_mape", means[1].mape);
        Report("mql", group.name + "_rtt_mape_noise", means[1].noise);
        Report("mql", group.name + "_rtt_mape_model_alone", means[0].mape);
        Report("mql", group.name + "_rtt_w1_mean", means[1].w1Mean);
        Report("mql", group.name + "_rtt_w1_p99", means[1].w1P99);
        if (means[1].mape > worst[1].mape)
        {
            worst[0] = means[0];
            worst[1] = means[1];
        }
        sum += means[1].mape;
        n++;
    }
    // the worst group, with its other figures
    Report("mql", "rtt_mape", worst[1].mape);
    Report("mql", "rtt_mape_noise", worst[1].noise);
    Report("mql", "rtt_mape_model_alone", worst[0].mape);
    Report("mql", "rtt_w1_mean", worst[1].w1Mean);
    Report("mql", "rtt_w1_p99", worst[1].w1P99);
    Report("mql", "mean_over_groups_rtt_mape", sum / n);
}

/**
 * @brief Time of the model with correction, from the list of flows to mean and 99th percentile of
 * the round trip of each, against the full time of ns-3 on the same flows; and errors against these
 * runs.
 *
 * ns-3 simulates the shortest time that gives 99th percentiles: PACKETS of each flow, of which
 * PACKETS / 100 are above its 99th percentile, after a warm-up, which is part of its time.
 *
 * @param text configuration with flows of equal rates
 * @param name of the rows
 * @param runs number of runs, each with its own traffic; costs are sums
 * @param correction the shipped correction
 * @param loading cost of reading it
 * @return ratio of processor times
 */
double
ReportSpeed(const std::string& text,
            const std::string& name,
            uint64_t runs,
            const MqlCorrection* correction,
            const DcnCost& loading)
{
    constexpr double PACKETS = 400;
    constexpr double WARMUP_S = 0.2; // of a configuration
    DcnSpeedComparison comparison{"mql", name, "ns3", {}, {}, {}, {}};
    DcnCost meansCost;
    MqlScore score;
    double packetHops = 0;
    double simulatedS = 0;
    for (uint64_t run = 0; run < runs; ++run)
    {
        const std::string seed = std::to_string(1001 + run);
        const std::string seeded = text + ",hash_seed=" + seed + ",seed=" + seed + ",engine=ns3";
        const DcnStopwatch preparation;
        MqlCase plan(seeded);
        comparison.preparation = comparison.preparation + preparation.Get();
        plan.Solve();
        const double durationS = PACKETS / plan.GetFlows().front().rate;
        std::ostringstream full;
        full << std::setprecision(17) << seeded << ",duration_s=" << durationS;
        MqlCase one(full.str());
        const DcnStopwatch watch;
        one.Solve();
        const auto roundTrips = one.GetRoundTrips(correction);
        meansCost = meansCost + watch.Get();
        const auto p99 = one.GetP99s(correction, roundTrips);
        comparison.methodCost = comparison.methodCost + watch.Get();
        comparison.methodLoading = comparison.methodLoading + loading;
        double means = 0;
        for (const MqlFlowLatency& roundTrip : roundTrips)
        {
            means += roundTrip.GetMean();
        }
        const double p99s = std::accumulate(p99.begin(), p99.end(), 0.0);
        const DcnStopwatch ns3Watch;
        one.Simulate();
        // its elapsed time is that of the whole call, its processor time that of the simulation
        comparison.referenceCost =
            comparison.referenceCost + DcnCost{one.GetCpuSeconds(), ns3Watch.Get().wallSeconds};
        packetHops += static_cast<double>(one.GetPacketHops());
        simulatedS += WARMUP_S + durationS;
        if (run == 0)
        {
            const auto n = static_cast<double>(roundTrips.size());
            Report("mql", name + "flows", n);
            Report("mql", name + "mean_round_trip_us", 1e6 * means / n);
            Report("mql", name + "p99_round_trip_us", 1e6 * p99s / n);
        }
        const MqlScore each = MqlEvaluate(one, correction);
        score.mape += each.mape / static_cast<double>(runs);
        score.noise += each.noise / static_cast<double>(runs);
        score.w1P99 += each.w1P99 / static_cast<double>(runs);
    }
    Report("mql", name + "runs", static_cast<double>(runs));
    Report("mql", name + "means_cpu_s", meansCost.cpuSeconds);
    Report("mql", name + "ns3_simulated_s", simulatedS);
    Report("mql",
           name + "ns3_packet_hops_per_cpu_s",
           packetHops / comparison.referenceCost.cpuSeconds);
    const double speedup = comparison.ReportRows();
    Report("mql",
           name + "speedup_of_means",
           comparison.referenceCost.cpuSeconds / meansCost.cpuSeconds);
    Report("mql", name + "rtt_mape_of_these_runs", score.mape);
    Report("mql", name + "rtt_mape_noise_of_these_runs", score.noise);
    Report("mql", name + "rtt_w1_p99_of_these_runs", score.w1P99);
    return speedup;
}

} // namespace

void
BenchMql()
{
    const DcnStopwatch watch;
    const auto correction = MqlLoadShippedCorrection();
    const DcnCost loading = watch.Get();
    Report("mql", "loading_cpu_s", loading.cpuSeconds);
    ReportErrors(correction.get());
    const double speedups[] = {
        ReportSpeed("k=4,load=0.5", "16_hosts_", 5, correction.get(), loading),
        ReportSpeed("k=8,load=0.5", "128_hosts_", 1, correction.get(), loading),
        ReportSpeed("k=16,load=0.5,density=0.01", "1024_hosts_", 1, correction.get(), loading)};
    Report("mql", "speedup", *std::min_element(std::begin(speedups), std::end(speedups)));
}
