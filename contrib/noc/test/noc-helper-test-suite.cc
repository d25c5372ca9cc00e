/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/noc-helper.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Joins nodes by a channel.
void
Join(const NodeContainer& nodes, const std::vector<uint32_t>& members)
{
    Ptr<SimpleChannel> channel = CreateObject<SimpleChannel>();
    for (uint32_t member : members)
    {
        Ptr<SimpleNetDevice> device = CreateObject<SimpleNetDevice>();
        nodes.Get(member)->AddDevice(device);
        device->SetChannel(channel);
    }
}

/// Six nodes with links of a user: simulator and model on the same object.
DCN_TEST_CASE(NodesTestCase, "a network of a user's nodes is simulated and modelled")
{
    NodeContainer nodes(6);
    for (const auto& link :
         std::vector<std::vector<uint32_t>>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}})
    {
        Join(nodes, link);
    }
    NocHelper helper;
    helper.SetAttribute("Cache", BooleanValue(false));
    helper.SetAttribute("Cycles", UintegerValue(100000));
    Ptr<NocNetwork> network = helper.Install(nodes);
    const double largest = network->GetSystem().GetLargestRate();
    network->SetAttribute("Rate", DoubleValue(0.6 * largest));
    const NocResult simulated = network->Estimate("simulation");
    for (const char* method : {"closed", "chain"})
    {
        const NocResult modelled = network->Estimate(method);
        NS_TEST_EXPECT_MSG_EQ_TOL(modelled.request.estimate,
                                  simulated.request.estimate,
                                  0.05 * simulated.request.estimate,
                                  method << " at load 0.6");
        NS_TEST_EXPECT_MSG_EQ_TOL(modelled.throughput, simulated.throughput, 0.02, method);
    }
    NS_TEST_EXPECT_MSG_LT(simulated.request.GetHalfWidth(),
                          0.02 * simulated.request.estimate,
                          "interval of three repetitions");
    // as many threads as one likes
    network->SetAttribute("Threads", UintegerValue(1));
    NS_TEST_EXPECT_MSG_EQ(network->Estimate("simulation").request.estimate,
                          simulated.request.estimate,
                          "equal for any number of threads");
    // stretches of time in place of repetitions
    network->SetAttribute("Seeds", UintegerValue(1));
    const NocResult one = network->Estimate("simulation");
    NS_TEST_EXPECT_MSG_EQ((one.request.Contains(simulated.request.estimate) ||
                           std::abs(one.request.estimate - simulated.request.estimate) < 0.02),
                          true,
                          "one repetition");
    NS_TEST_EXPECT_MSG_GT(one.request.GetHalfWidth(), 0, "has an interval, too");
    DCN_TEST_EXPECT_ERROR(network->Estimate("exact"),
                          "there is no model \"exact\" of networks on chip; there are: published, "
                          "independent, closed, chain");
}

/// Counts of trace sources.
struct Counts
{
    uint64_t injected{0};
    uint64_t accepted{0};
    uint64_t latency{0};
    uint64_t deflected{0};

    void Inject(uint32_t /* cycle */, NocLayer, uint32_t, uint32_t, uint32_t)
    {
        ++injected;
    }

    void Accept(uint32_t, NocLayer, uint32_t, uint32_t, uint32_t value)
    {
        ++accepted;
        latency += value;
    }

    void Deflect(uint32_t, NocLayer, uint32_t, uint32_t, uint32_t)
    {
        ++deflected;
    }
};

/// Along with ns-3's events, with trace sources.
DCN_TEST_CASE(TracesTestCase, "the simulator runs along with ns-3's events")
{
    NodeContainer nodes(16);
    NocHelper helper;
    helper.SetAttribute("MemoryControllers", StringValue("0+15"));
    helper.SetAttribute("HitRate", DoubleValue(0.5));
    helper.SetAttribute("Ingress", UintegerValue(2));
    helper.SetAttribute("Rate", DoubleValue(0.12));
    helper.SetAttribute("Chunk", UintegerValue(300));
    Ptr<NocNetwork> network = helper.InstallMesh(nodes, 4, 4);
    DCN_TEST_EXPECT_ERROR(network->GetStatistics(),
                          "the network on chip has not been started: call Start before the "
                          "simulation");
    Counts counts;
    network->TraceConnectWithoutContext("Inject", MakeCallback(&Counts::Inject, &counts));
    network->TraceConnectWithoutContext("Accept", MakeCallback(&Counts::Accept, &counts));
    network->TraceConnectWithoutContext("Deflect", MakeCallback(&Counts::Deflect, &counts));
    network->Start(MicroSeconds(1), MicroSeconds(5)); // 10,000 cycles of 500 ps
    Simulator::Run();
    const NocStatistics& statistics = network->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.cycles, 10000, "cycles");
    uint64_t accepted = 0;
    uint64_t latency = 0;
    uint64_t refused = 0;
    for (const NocLayerStatistics& layer : statistics.layers)
    {
        accepted += layer.latency.n;
        latency += layer.latency.sum;
        refused += layer.sinkRefusals + layer.transgressRefusals;
    }
    NS_TEST_EXPECT_MSG_EQ(counts.accepted, accepted, "accepted");
    NS_TEST_EXPECT_MSG_EQ(counts.latency, latency, "latencies");
    NS_TEST_EXPECT_MSG_EQ(counts.deflected, refused, "deflected");
    NS_TEST_EXPECT_MSG_EQ((counts.injected >= accepted && refused > 0), true, "injected");
    Simulator::Destroy();
}

/// A trace of a user: simulator and model read the same file.
DCN_TEST_CASE(TraceTestCase, "requests of a trace are simulated and modelled")
{
    NodeContainer nodes(9);
    NocHelper helper;
    helper.SetAttribute("Cache", BooleanValue(false));
    helper.SetAttribute("WarmUp", UintegerValue(0));
    helper.SetAttribute("Cycles", UintegerValue(40000));
    helper.SetAttribute("Seeds", UintegerValue(1));
    Ptr<NocNetwork> network = helper.InstallMesh(nodes, 3, 3);
    const std::string path = CreateTempDirFilename("trace.csv");
    uint64_t packets = 0;
    {
        // each node sends batches of packets, each of which has a destination of its own
        std::ofstream file(path);
        file << "cycle,source,destination\n";
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(3);
        for (uint32_t cycle = 0; cycle < 40000; ++cycle)
        {
            for (uint32_t node = 0; node < 9; ++node)
            {
                for (double share = 0.25; uniform->GetValue(0, 1) < share; share = 0.3)
                {
                    const uint32_t other = (node + uniform->GetInteger(1, 8)) % 9;
                    file << cycle << ',' << node << ',' << other << '\n';
                    ++packets;
                }
            }
        }
    }
    network->SetTrace(path);
    const NocResult simulated = network->Estimate("simulation");
    NS_TEST_EXPECT_MSG_EQ_TOL(simulated.offered * 40000,
                              static_cast<double>(packets),
                              0.5,
                              "every packet of the trace");
    for (const char* method : {"closed", "chain"})
    {
        const NocResult modelled = network->Estimate(method);
        NS_TEST_EXPECT_MSG_EQ_TOL(modelled.offered, simulated.offered, 1e-4, "rates of the trace");
        NS_TEST_EXPECT_MSG_EQ_TOL(modelled.request.estimate,
                                  simulated.request.estimate,
                                  0.05 * simulated.request.estimate,
                                  method << " with rates, bursts and destinations of the trace");
    }
}

/// A trace and the simulated time, controllers and seeds of a network fit together.
DCN_TEST_CASE(TraceTimeTestCase, "traces that a simulation and a model would read differently")
{
    NodeContainer nodes(9);
    NocHelper helper;
    helper.SetAttribute("WarmUp", UintegerValue(100));
    helper.SetAttribute("Cycles", UintegerValue(1000));
    Ptr<NocNetwork> network = helper.InstallMesh(nodes, 3, 3);
    const std::string path = CreateTempDirFilename("trace.csv");
    const auto use = [&](const std::string& rows) {
        DcnWriteTestFile(path, "cycle,source,destination\n" + rows);
        network->SetTrace(path);
    };
    use("0,0,1\n1099,1,2\n");
    network->CheckSimulation();
    use("0,0,1\n1099,1,2\n1100,1,2\n1200,1,2\n");
    DCN_TEST_EXPECT_ERROR(network->Estimate("simulation"),
                          path + ":4: the packet of cycle 1100 is not simulated, as WarmUp and "
                                 "Cycles are 100 and 1000, but a model would count it: set Cycles "
                                 "to 1101 (--cycles), or cut the trace");
    network->SetAttribute("Cycles", UintegerValue(1101));
    network->CheckSimulation();
    use("0,0,1\n99,1,2\n");
    DCN_TEST_EXPECT_ERROR(network->Estimate("simulation"),
                          path + ":3: the last packet, of cycle 99, comes within the WarmUp of 100 "
                                 "cycles, so that nothing is measured: set a smaller WarmUp "
                                 "(--warmUp)");
    use("0,0,1\n# a controller\n500,1,2\n");
    network->SetAttribute("MemoryControllers", StringValue("2"));
    DCN_TEST_EXPECT_ERROR(network->Estimate("closed"),
                          path + ":4: a packet of the trace goes from 1 to 2, but node 2 is a "
                                 "memory controller: choose others by MemoryControllers "
                                 "(--memory), or none (--memory=none) if all requests are hits");
    network->SetAttribute("MemoryControllers", StringValue("7+3+7"));
    DCN_TEST_EXPECT_ERROR(network->Estimate("closed"),
                          "node 7 is a memory controller twice: name it once");

    // repetitions without draws are copies: an interval of 0 would promise what nobody measured
    std::string rows;
    for (uint32_t cycle = 0; cycle < 1000; cycle += 4)
    {
        const uint32_t source = cycle * cycle % 3;
        for (uint32_t i = 0; i < (cycle % 97 < 40 ? 2 : 1); ++i)
        {
            rows += std::to_string(cycle) + "," + std::to_string(source) + ",5\n";
        }
    }
    use(rows);
    for (const auto& [memory, hits, snoops, isDrawn] :
         {std::tuple<std::string, double, double, bool>("", 1, 0, false),
          {"", 1, 0.5, true},
          {"8", 0, 0.5, false},
          {"8", 0.5, 0, true},
          {"7+8", 0, 0, true},
          {"7+8", 1, 0, false}})
    {
        network->SetAttribute("MemoryControllers", StringValue(memory));
        network->SetAttribute("HitRate", DoubleValue(hits));
        network->SetAttribute("SnoopRate", DoubleValue(snoops));
        network->SetAttribute("Seed", UintegerValue(1));
        const NocResult first = network->Estimate("simulation");
        network->SetAttribute("Seed", UintegerValue(100));
        const NocResult other = network->Estimate("simulation");
        const std::string name = memory + " " + std::to_string(hits) + " " + std::to_string(snoops);
        NS_TEST_EXPECT_MSG_EQ(network->GetSystem().IsDrawn(), isDrawn, name);
        const bool differs = first.transaction.estimate != other.transaction.estimate;
        NS_TEST_EXPECT_MSG_EQ(differs, isDrawn, "a seed counts if something is drawn: " << name);
        if (!isDrawn)
        {
            NS_TEST_EXPECT_MSG_GT(first.request.GetHalfWidth(), 0, "stretches of time: " << name);
        }
    }
}

/// Source throttling behind the same object, with its trace sources.
DCN_TEST_CASE(ThrottlingTestCase, "policies and occupancies of a network of ns-3 nodes")
{
    NodeContainer nodes(16);
    NocHelper helper;
    helper.SetAttribute("MemoryControllers", StringValue("4+7"));
    helper.SetAttribute("HitRate", DoubleValue(0.7));
    helper.SetAttribute("Rate", DoubleValue(0.9));
    helper.SetAttribute("Ingress", UintegerValue(8));
    helper.SetAttribute("Egress", UintegerValue(4));
    helper.SetAttribute("HitsPass", BooleanValue(true));
    helper.SetAttribute("HitWindow", UintegerValue(32));
    helper.SetAttribute("MissWindow", UintegerValue(8));
    helper.SetAttribute("Policy", StringValue("threshold-window:0.5:0.25"));
    helper.SetAttribute("Cycles", UintegerValue(5000));
    Ptr<NocNetwork> network = helper.InstallMesh(nodes, 4, 4);
    std::map<uint32_t, bool> congested;
    uint64_t signals = 0;
    bool alternates = true;
    network->TraceConnectWithoutContext(
        "Throttle",
        Callback<void, uint32_t, uint32_t, bool>([&](uint32_t, uint32_t node, bool isCongested) {
            alternates = alternates && congested[node] != isCongested;
            congested[node] = isCongested;
            ++signals;
        }));
    std::map<std::pair<NocLayer, uint32_t>, uint32_t> occupied;
    bool isStep = true;
    network->TraceConnectWithoutContext(
        "Occupancy",
        Callback<void, uint32_t, NocLayer, uint32_t, uint32_t>(
            [&](uint32_t, NocLayer layer, uint32_t node, uint32_t packets) {
                uint32_t& before = occupied[{layer, node}];
                isStep = isStep && (packets == before + 1 || packets + 1 == before) && packets <= 8;
                before = packets;
            }));
    network->Start(Seconds(0), MicroSeconds(5));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(signals, 10, "sinks are congested at times");
    NS_TEST_EXPECT_MSG_EQ(alternates, true, "signals are changes");
    NS_TEST_EXPECT_MSG_EQ(isStep, true, "sinks fill and empty packet by packet");
    Simulator::Destroy();
    const NocResult throttled = network->Estimate("simulation");
    network->SetAttribute("Policy", StringValue("none"));
    const NocResult free = network->Estimate("simulation");
    NS_TEST_EXPECT_MSG_NE(throttled.throughput, free.throughput, "the policy has an effect");
    network->SetAttribute("Policy", StringValue("fixed-4"));
    NS_TEST_EXPECT_MSG_EQ(network->GetSystem().hitWindow, 4, "a constant window");
    NS_TEST_EXPECT_MSG_LT(network->Estimate("simulation").throughput,
                          0.8 * free.throughput,
                          "few requests under way");
    network->SetAttribute("Policy", StringValue("tree-global"));
    NS_TEST_EXPECT_MSG_NE(network->Estimate("simulation").throughput,
                          free.throughput,
                          "the shipped tree has an effect");
    for (const std::string policy :
         {"never", "fixed-0", "threshold-often", "threshold:0.5", "none:1:1"})
    {
        network->SetAttribute("Policy", StringValue(policy));
        DCN_TEST_EXPECT_ERROR(network->GetSystem(),
                              "there is no policy \"" + policy +
                                  "\"; a policy is none, fixed-N (N from 1 on), or threshold or "
                                  "tree, then any of -global, -any, -hold, -window, -local, then "
                                  ":ON:OFF, such as threshold-window:0.5:0.25");
    }
    network->SetAttribute("Policy", StringValue("threshold"));
    DCN_TEST_EXPECT_ERROR(network->Estimate("closed"),
                          "the models know no windows of cores: simulate, or set no limit to hits "
                          "and misses under way");
    network->SetAttribute("HitWindow", UintegerValue(NocSystem::UNLIMITED));
    network->SetAttribute("MissWindow", UintegerValue(NocSystem::UNLIMITED));
    DCN_TEST_EXPECT_ERROR(network->Estimate("simulation"),
                          "source throttling has no effect on cores without windows of hits and "
                          "misses");
    DCN_TEST_EXPECT_ERROR(network->Estimate("closed"),
                          "the models know no source throttling: simulate, or set Policy to none, "
                          "not threshold");
    DCN_TEST_EXPECT_ERROR(network->Start(Seconds(0), Seconds(-1)),
                          "the network on chip cannot start at 0 s for -1 s: it is 0 s, and "
                          "durations are not negative");
    network->SetAttribute("Tree", StringValue("other.csv"));
    DCN_TEST_EXPECT_ERROR(network->GetSystem(),
                          "the tree other.csv has no effect: the policy is threshold");
}

/// Nodes and attributes that make no network.
DCN_TEST_CASE(RefusalTestCase, "bad networks are refused by a sentence")
{
    NodeContainer nodes(3);
    Join(nodes, {0, 1, 2});
    NocHelper helper;
    DCN_TEST_EXPECT_ERROR(helper.Install(nodes),
                          "a channel of node 0 has 3 ends; a link of a network on chip has two");
    DCN_TEST_EXPECT_ERROR(helper.InstallMesh(nodes, 2, 2),
                          "a mesh of 2 rows and 2 columns needs 4 nodes, but there are 3");
    Ptr<NocNetwork> network = helper.InstallMesh(nodes, 1, 3);
    network->SetAttribute("MemoryControllers", StringValue("3"));
    DCN_TEST_EXPECT_ERROR(network->Estimate("closed"),
                          "the memory controller \"3\" is no node: there are 3 nodes, from 0 on; "
                          "join several by +");
    network->SetAttribute("MemoryControllers", StringValue("1"));
    network->SetAttribute("Cache", BooleanValue(false));
    DCN_TEST_EXPECT_ERROR(network->Estimate("closed"),
                          "one layer (Cache=false) has no memory controllers, but "
                          "MemoryControllers is \"1\"");
    network->SetAttribute("MemoryControllers", StringValue(""));
    // a load beyond saturation: no latency, but what can be carried and what binds
    network->SetAttribute("Rate", DoubleValue(0.9));
    network->SetAttribute("SinkService", DoubleValue(0.5));
    network->SetAttribute("Cycles", UintegerValue(5000));
    for (const char* method : {"simulation", "published", "closed", "chain"})
    {
        const NocResult result = network->Estimate(method);
        NS_TEST_EXPECT_MSG_EQ(result.isSaturated, true, method);
        NS_TEST_EXPECT_MSG_LT(result.throughput, 0.9 * result.offered, method);
    }
    NS_TEST_EXPECT_MSG_EQ(network->Estimate("closed").binding.rfind("request sink of node", 0),
                          std::size_t{0},
                          "a sink binds");
    network->SetAttribute("Cycles", UintegerValue(0));
    DCN_TEST_EXPECT_ERROR(network->Estimate("simulation"),
                          "a simulation needs cycles and repetitions, but Cycles is 0 and Seeds "
                          "is 3");
    DCN_TEST_EXPECT_ERROR(CreateObject<NocNetwork>()->GetSystem(),
                          "the network on chip has no nodes: make it with NocHelper, or call "
                          "SetTopology");
}

DcnTestSuite<NodesTestCase,
             TracesTestCase,
             TraceTestCase,
             TraceTimeTestCase,
             ThrottlingTestCase,
             RefusalTestCase>
    g_nocHelperTestSuite("noc-helper");

} // namespace
