/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks of dcn-bench: speed of the packet engine.
 */

#include "dcn-bench.h"

#include "ns3/boolean.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-packet-network.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-topology.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Simulates a scenario and prints data packets times links crossed per second of processor time.
 * @param benchmark its name
 * @param prefix of the rows
 * @param scenario the flows
 */
void
Simulate(const std::string& benchmark, const std::string& prefix, Ptr<const DcnScenario> scenario)
{
    const DcnStopwatch watch;
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->AssignStreams(1);
    network->Install(scenario);
    network->Run();
    const auto hops = static_cast<double>(network->GetDataPacketHops());
    network->Dispose();
    const double cpuSeconds = watch.Get().cpuSeconds;
    Simulator::Destroy();
    Report(benchmark, prefix + "packet_hops_per_cpu_s", hops / cpuSeconds);
}

/**
 * @param topology the network
 * @param cc congestion control, with the evaluation parameters
 * @param sizeBytes payload of each flow
 * @return a flow from every host, all at once, to another one half of the hosts ahead
 */
Ptr<const DcnScenario>
MakePermutation(Ptr<DcnTopology> topology, const std::string& cc, uint64_t sizeBytes)
{
    const std::vector<uint32_t>& hosts = topology->GetHosts();
    std::vector<DcnFlow> flows;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        flows.push_back({i, hosts[i], hosts[(i + hosts.size() / 2) % hosts.size()], sizeBytes, 0});
    }
    return DcnScenario::Create(topology,
                               DcnNetworkConfig::Preset(cc, topology->GetNicRates(topology->GetHosts())),
                               std::move(flows));
}

/**
 * Simulates a ring: each host passes on the message that has come from the one before it.
 * @param engine of the flow network
 * @param topology the network
 * @param steps messages of a host
 * @param messageBytes payload of each
 * @return processor time [s]
 */
double
SimulateRing(const std::string& engine,
             Ptr<DcnTopology> topology,
             uint32_t steps,
             uint64_t messageBytes)
{
    const DcnStopwatch watch;
    const std::vector<uint32_t>& hosts = topology->GetHosts();
    const Ptr<DcnFlowNetwork> network = DcnFlowNetworkHelper(engine).Install(topology);
    std::vector<uint64_t> connections;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        connections.push_back(
            network->Connect(topology->GetNodes().Get(hosts[i]),
                             topology->GetNodes().Get(hosts[(i + 1) % hosts.size()])));
    }
    std::map<uint64_t, std::pair<std::size_t, uint32_t>> messages; // host and step, by number
    const auto send = [&](std::size_t host, uint32_t step) {
        messages[network->AddMessage(connections[host], messageBytes)] = {host, step};
    };
    network->TraceConnectWithoutContext("FlowCompleted",
                                        Callback<void, uint64_t, Time>([&](uint64_t message, Time) {
                                            const auto [host, step] = messages.at(message);
                                            if (step + 1 < steps)
                                            {
                                                send((host + 1) % hosts.size(), step + 1);
                                            }
                                        }));
    for (std::size_t host = 0; host < hosts.size(); ++host)
    {
        send(host, 0);
    }
    Simulator::Run();
    network->Dispose();
    Simulator::Destroy();
    return watch.Get().cpuSeconds;
}

} // namespace

void
BenchPacket()
{
    DcnDumbbellParameters dumbbell;
    dumbbell.senders = 10;
    dumbbell.receivers = 10;
    for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
    {
        const DcnStopwatch watch;
        Simulate("packet",
                 cc + "_",
                 MakeUniform(DcnBuildTopology(dumbbell), "web-search", 2000, cc, watch).scenario);
        Simulate(
            "packet",
            cc + "_fabric_",
            MakeUniform(DcnBuildTopology(DcnFabricParameters()), "web-server", 20000, cc, watch)
                .scenario);
    }
}

void
BenchPacketFatTree()
{
    // total payload of a permutation [bytes]; flows of the random traffic
    constexpr uint64_t PERMUTATION_BYTES = 512'000'000;
    constexpr uint64_t N_FLOWS = 3000;
    for (const uint32_t k : {8, 16})
    {
        DcnFatTreeParameters tree;
        tree.k = k;
        tree.linkRate = DataRate(100'000'000'000);
        for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
        {
            const DcnStopwatch watch;
            auto topology = DcnBuildTopology(tree);
            const auto nHosts = topology->GetHosts().size();
            const std::string prefix = std::to_string(nHosts) + "_" + cc + "_";
            Simulate("packet-fattree",
                     prefix + "permutation_",
                     MakePermutation(topology, cc, PERMUTATION_BYTES / nHosts));
            Simulate("packet-fattree",
                     prefix + "random_",
                     MakeUniform(topology, "hadoop", N_FLOWS, cc, watch).scenario);
        }
    }
}

void
BenchPacketThreads()
{
    constexpr uint64_t PERMUTATION_BYTES = 512'000'000; // payload of all flows
    constexpr uint64_t N_FLOWS = 3000;
    constexpr std::size_t N_RUNS = 5;
    for (const uint32_t k : {8, 16})
    {
        DcnFatTreeParameters tree;
        tree.k = k;
        tree.linkRate = DataRate(100'000'000'000);
        const auto topology = DcnBuildTopology(tree);
        const auto nHosts = topology->GetHosts().size();
        const DcnStopwatch watch;
        const std::vector<std::pair<std::string, Ptr<const DcnScenario>>> cases{
            {"permutation_", MakePermutation(topology, "dctcp", PERMUTATION_BYTES / nHosts)},
            {"random_", MakeUniform(topology, "hadoop", N_FLOWS, "dctcp", watch).scenario}};
        for (const auto& [kind, scenario] : cases)
        {
            const std::string prefix = std::to_string(nHosts) + "_" + kind;
            const auto report = [&prefix](const std::string& row, double value) {
                Report("packet-threads", prefix + row, value);
            };
            const auto simulate = [&, flows = scenario](uint32_t nThreads, uint32_t nPartitions) {
                Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
                network->SetAttribute("Threads", UintegerValue(nThreads));
                network->SetAttribute("Partitions", UintegerValue(nPartitions));
                network->AssignStreams(1);
                network->Install(flows);
                const DcnStopwatch run;
                network->Run();
                const DcnCost cost = run.Get();
                const DcnPacketNetwork::ThreadReport threads = network->GetThreadReport();
                network->Dispose();
                Simulator::Destroy();
                return std::make_pair(cost, threads);
            };
            // in turn, as the speed of a machine changes with what its neighbours do
            std::vector<double> costOf1;
            std::vector<double> costOf2;
            std::vector<double> speedups;
            std::vector<double> cpuOf0;
            DcnPacketNetwork::ThreadReport of2;
            for (std::size_t i = 0; i < N_RUNS; ++i)
            {
                const DcnCost zero = simulate(0, 0).first;
                const DcnCost one = simulate(1, 0).first;
                const auto [two, threads] = simulate(2, 0);
                of2 = threads;
                cpuOf0.push_back(zero.cpuSeconds);
                costOf1.push_back(one.cpuSeconds / zero.cpuSeconds);
                costOf2.push_back(two.cpuSeconds / zero.cpuSeconds);
                speedups.push_back(one.wallSeconds / two.wallSeconds);
            }
            const auto reportAll = [&report](const std::string& row, std::vector<double> values) {
                std::sort(values.begin(), values.end());
                report(row, values[values.size() / 2]);
                report(row + "_least", values.front());
                report(row + "_most", values.back());
            };
            reportAll("cpu_s_of_threads_0", cpuOf0);
            reportAll("cost_of_threads_1", costOf1);
            reportAll("cost_of_threads_2", costOf2);
            reportAll("speedup", speedups);
            report("windows", static_cast<double>(of2.nWindows));
            report("events_per_window",
                   static_cast<double>(of2.nEvents) / static_cast<double>(of2.nWindows));
            for (const uint32_t nPartitions : {2, 4, 8, 16, 32, 64})
            {
                // the events of each partition in each window do not depend on the threads
                const auto of1 = simulate(1, nPartitions).second;
                report(std::to_string(nPartitions) + "_partitions_largest_speedup",
                       static_cast<double>(of1.nEvents) / static_cast<double>(of1.nPathEvents));
            }
        }
    }
}

void
BenchPacketSkip()
{
    // an all-reduce of 1 GB among 128 hosts sends 254 messages a host, one after another; a few
    // tell the ratio
    constexpr uint32_t STEPS = 6;
    constexpr uint64_t MESSAGE_BYTES = 1'000'000'000 / 128;
    std::array<double, 2> ring{};
    std::array<double, 2> workload{};
    DcnFatTreeParameters tree;
    tree.k = 8;
    tree.linkRate = DataRate(100'000'000'000);
    const DcnStopwatch preparation;
    const DcnBenchScenario cache = MakeUniform(DcnBuildTopology(DcnFabricParameters()),
                                               "cache-follower",
                                               20'000,
                                               "dctcp",
                                               preparation);
    for (const bool skips : {false, true})
    {
        const std::string engine = skips ? "packet:Skip=true" : "packet";
        ring[skips] = SimulateRing(engine, DcnBuildTopology(tree), STEPS, MESSAGE_BYTES);
        const DcnStopwatch watch;
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("Skip", BooleanValue(skips));
        network->AssignStreams(1);
        network->Install(cache.scenario);
        network->Run();
        network->Dispose();
        workload[skips] = watch.Get().cpuSeconds;
        Simulator::Destroy();
    }
    Report("packet-skip", "ring_speedup", ring[0] / ring[1]);
    Report("packet-skip", "cache_follower_speedup", workload[0] / workload[1]);
}

void
BenchPacketFabric()
{
    // hosts, flows
    const std::vector<std::pair<uint32_t, uint64_t>> cases{{1024, 50'000}, {6144, 100'000}};
    for (const auto& [nHosts, nFlows] : cases)
    {
        DcnFabricParameters fabric;
        fabric.pods = nHosts == 1024 ? 4 : 8;
        fabric.racksPerPod = nHosts == 1024 ? 16 : 48;
        fabric.hostsPerRack = 16;
        fabric.fabricsPerPod = 4;
        fabric.spinesPerPlane = nHosts == 1024 ? 8 : 24;
        const DcnStopwatch watch;
        const DcnBenchScenario made =
            MakeUniform(DcnBuildTopology(fabric), "web-server", nFlows, "dctcp", watch);
        const std::string prefix = std::to_string(nHosts) + "_";
        Simulate("packet-fabric", prefix, made.scenario);
        Report("packet-fabric", prefix + "generation_and_routing_s", made.preparation.cpuSeconds);
        Report("packet-fabric", prefix + "peak_Mbyte", GetPeakMbytes());
    }
}
