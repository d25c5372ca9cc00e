/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Connections of flow networks: messages of one connection on packets, fluids and m4.
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// A flow network on a star of 10 Gb/s, and what it has reported.
struct Star
{
    /**
     * @param engine its engine
     * @param cc congestion control
     * @param nHosts number of hosts
     * @param keys changes of the preset
     */
    explicit Star(const std::string& engine,
                  const std::string& cc = "dctcp",
                  uint32_t nHosts = 4,
                  const std::string& keys = "")
        : topology(DcnMakeStar(nHosts)),
          config(DcnNetworkConfig::Preset(cc))
    {
        config->SetKeys(keys);
        DcnFlowNetworkHelper helper(engine);
        helper.SetConfig(config);
        network = helper.Install(topology);
        network->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>([this](uint64_t flow, Time time) {
                Note(completed, flow, time);
                order.push_back(flow);
            }));
        network->TraceConnectWithoutContext(
            "FlowAcknowledged",
            Callback<void, uint64_t, Time>(
                [this](uint64_t flow, Time time) { Note(acknowledged, flow, time); }));
    }

    ~Star()
    {
        network->Dispose();
        Simulator::Destroy();
    }

    Star(const Star&) = delete;
    Star& operator=(const Star&) = delete;

    /// Notes when a flow was reported; a second report is negative.
    static void Note(std::vector<int64_t>& times, uint64_t flow, Time time)
    {
        times.resize(std::max<std::size_t>(times.size(), flow + 1), -1);
        times[flow] = times[flow] < 0 ? time.GetNanoSeconds() : -2;
    }

    /// @return the node of a host
    Ptr<Node> Host(uint32_t host) const
    {
        return topology->GetNodes().Get(host);
    }

    /// @return ideal completion time of a flow between two hosts [ns]
    int64_t GetIdealNs(uint64_t bytes) const
    {
        const std::vector<uint32_t> path = {topology->GetOutLinks(0)[0],
                                            DcnTopology::Reverse(topology->GetOutLinks(1)[0])};
        return DcnComputeIdealFct(*topology, {path.data(), path.data() + 2}, bytes, *config)
            .GetTotalNs();
    }

    Ptr<DcnTopology> topology;         //!< the star
    Ptr<DcnNetworkConfig> config;      //!< the configuration
    Ptr<DcnFlowNetwork> network;       //!< the network
    std::vector<int64_t> completed;    //!< completion time by flow [ns]
    std::vector<int64_t> acknowledged; //!< acknowledgement by flow [ns]
    std::vector<uint64_t> order;       //!< flows in the order of completion
};

/// Packets have 1000 bytes of payload: message k of whole packets ends when a flow of all bytes up
/// to its end would.
DCN_TEST_CASE(BackToBackTestCase, "messages of a connection follow each other without a gap")
{
    const std::vector<uint64_t> sizes = {10'000, 1000, 250'000, 3000, 1'000'000};
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        Star star(engine);
        const uint64_t connection = star.network->Connect(star.Host(0), star.Host(1));
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(star.network->AddMessage(connection, sizes[i]), i, "number");
        }
        NS_TEST_EXPECT_MSG_EQ(star.network->GetNActive(), sizes.size(), "active");
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.completed.size(), sizes.size(), "all complete, " << engine);
        uint64_t end = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            end += sizes[i];
            // a packet's header rounds down: up to 0.4 ns a packet
            NS_TEST_EXPECT_MSG_EQ_TOL(star.completed[i],
                                      star.GetIdealNs(end),
                                      2 + static_cast<int64_t>(end / 1000),
                                      "end of message " << i << ", " << engine);
            NS_TEST_EXPECT_MSG_EQ(star.order[i], i, "in order");
        }
        NS_TEST_EXPECT_MSG_EQ(star.network->GetNActive(), 0, "nothing is left");
    }
}

/// A message of 1500 bytes is two packets, also if another one follows: n such messages are 2 n
/// packets, with 1500 n + 48 * 2 n bytes on the wire.
/// A packet of one byte needs less time in the switch than the packet of 1000 bytes before it.
DCN_TEST_CASE(OrderTestCase, "messages of a connection arrive in their order")
{
    for (const std::string engine : {"packet", "flowsim", "m4"})
    {
        Star star(engine);
        const uint64_t connection = star.network->Connect(star.Host(0), star.Host(1));
        star.network->AddMessage(connection, 100'000);
        star.network->AddMessage(connection, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((star.order == std::vector<uint64_t>{0, 1}), true, engine);
        NS_TEST_EXPECT_MSG_EQ((star.completed[1] >= star.completed[0]), true, engine);
    }
}

/// A window of three packets is less than a round trip has: a connection sends W bytes per round
/// trip, in one message or in many.
DCN_TEST_CASE(WindowTestCase, "one window for the messages of a connection")
{
    constexpr uint64_t N = 100;
    for (const std::string engine : {"packet", "m4"})
    {
        int64_t endNs[2] = {0, 0};
        for (const bool isOne : {true, false})
        {
            Star star(engine, "dctcp", 4, "window_bytes=3000");
            const uint64_t connection = star.network->Connect(star.Host(0), star.Host(1));
            for (uint64_t i = 0; i < (isOne ? 1 : N); ++i)
            {
                star.network->AddMessage(connection, isOne ? N * 3000 : 3000);
            }
            Simulator::Run();
            endNs[isOne ? 0 : 1] = star.completed.back();
        }
        const Star star(engine, "dctcp", 4, "window_bytes=3000");
        const std::vector<uint32_t> path = {star.topology->GetOutLinks(0)[0],
                                            DcnTopology::Reverse(star.topology->GetOutLinks(1)[0])};
        const int64_t rttNs =
            DcnBaseRttNs(*star.topology, {path.data(), path.data() + 2}, 1048, DCN_ACK_BYTES);
        NS_TEST_EXPECT_MSG_EQ_TOL(endNs[1], endNs[0], rttNs, engine << ": one message or many");
        // the first window at once, the others a round trip each
        NS_TEST_EXPECT_MSG_EQ_TOL(endNs[1],
                                  star.GetIdealNs(3000) + (static_cast<int64_t>(N) - 1) * rttNs,
                                  rttNs,
                                  engine << ": by algebra");
    }
}

DCN_TEST_CASE(PacketsTestCase, "no packet has bytes of two messages")
{
    constexpr int64_t N = 400;
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        Star star(engine);
        const uint64_t connection = star.network->Connect(star.Host(2), star.Host(3));
        for (int64_t i = 0; i < N; ++i)
        {
            star.network->AddMessage(connection, 1500);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.completed.size(), N, "all complete");
        const int64_t first = star.GetIdealNs(1500);
        const auto each = static_cast<int64_t>(1596 * 0.8); // of one message at 10 Gb/s [ns]
        NS_TEST_EXPECT_MSG_EQ_TOL(star.completed[N - 1],
                                  first + (N - 1) * each,
                                  2 * N,
                                  "end of the last, " << engine);
    }
}

/// Without other traffic, the acknowledgement of the last packet takes 60 bytes on two links back.
DCN_TEST_CASE(AcknowledgedTestCase, "acknowledgements come a way back after completions")
{
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        Star star(engine);
        const uint64_t connection = star.network->Connect(star.Host(0), star.Host(1));
        star.network->AddMessage(connection, 5000);
        star.network->AddFlow(star.Host(2), star.Host(3), 5000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.acknowledged.size(), 2, "both, " << engine);
        for (std::size_t i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(star.acknowledged[i] - star.completed[i],
                                      2 * (1000 + 48),
                                      2,
                                      "way back of " << i << ", " << engine);
        }
    }
}

/// Two messages of s bytes from one host and a flow of 2 s bytes from another one share the
/// receiver's link: with A the time of s bytes on the wire and L the latency, the first message
/// ends at L + 2 A, the others at L + 4 A. Two flows of s bytes would have two thirds of the link.
DCN_TEST_CASE(ShareTestCase, "a connection has the share of one flow")
{
    constexpr uint64_t S = 1'000'000;
    for (const char* engine : {"flowsim", "packet"})
    {
        const bool isFluid = std::string(engine) == "flowsim";
        Star star(engine);
        const uint64_t connection = star.network->Connect(star.Host(0), star.Host(2));
        star.network->AddMessage(connection, S);
        star.network->AddMessage(connection, S);
        star.network->AddFlow(star.Host(1), star.Host(2), 2 * S);
        Simulator::Run();
        const auto a = static_cast<int64_t>(S * 1.048 * 0.8);
        const int64_t latency = star.GetIdealNs(S) - a;
        const int64_t tolerance = isFluid ? 2000 : 2 * a / 10; // packets: queues, and their waves
        NS_TEST_EXPECT_MSG_EQ_TOL(star.completed[0],
                                  latency + 2 * a,
                                  tolerance,
                                  "first " << engine);
        NS_TEST_EXPECT_MSG_EQ_TOL(star.completed[1],
                                  latency + 4 * a,
                                  tolerance,
                                  "second " << engine);
        NS_TEST_EXPECT_MSG_EQ_TOL(star.completed[2], latency + 4 * a, tolerance, "flow " << engine);
    }
}

/// Two hosts that send s bytes to each other also send 60 bytes for each packet of 1048 bytes that
/// they receive: with n packets and the time t = 838.4 ns of a packet, they need n t 1108 / 1048.
DCN_TEST_CASE(BothWaysTestCase, "acknowledgements of the other direction")
{
    constexpr uint64_t S = 2'000'000;
    for (const char* engine : {"packet", "flowsim:Acknowledgements=true", "m4"})
    {
        Star star(engine);
        for (uint32_t host : {0, 1})
        {
            const uint64_t connection = star.network->Connect(star.Host(host), star.Host(1 - host));
            star.network->AddMessage(connection, S);
        }
        Simulator::Run();
        const double alone = 2000 * 838.4;
        for (const int64_t time : star.completed)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(time - star.GetIdealNs(S)),
                                      alone * 60 / 1048,
                                      alone * 0.004,
                                      "delay on " << engine);
        }
        star.network->AddMessage(0, S); // alone
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(star.completed[2], star.GetIdealNs(S), 2000, "alone " << engine);
    }
}

/// A connection keeps its rate over a short pause; timers raise it again during a long one, without
/// events: the simulation ends although the connection stays.
DCN_TEST_CASE(TimersTestCase, "one state of congestion control, whose timers go on while idle")
{
    constexpr uint64_t S = 200'000;
    std::vector<int64_t> times;
    for (const double pauseS : {20e-6, 1.0})
    {
        Star star("packet", "dcqcn", 10);
        std::vector<uint64_t> connections;
        for (uint32_t host = 0; host < 9; ++host)
        {
            connections.push_back(star.network->Connect(star.Host(host), star.Host(9)));
            star.network->AddMessage(connections.back(), S); // marks
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.network->GetNActive(), 0, "the incast is over");
        const uint64_t after = star.completed.size();
        Simulator::Schedule(Seconds(pauseS),
                            [&]() { star.network->AddMessage(connections[0], S); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.completed.size(), after + 1, "complete");
        times.push_back(star.completed[after]);
        if (pauseS == 1.0)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(times.back(), star.GetIdealNs(S), 300, "full rate again");
        }
    }
    NS_TEST_EXPECT_MSG_GT(times[0], 3 * times[1] / 2, "the rate of the incast is kept");
}

/// Messages that are added when others complete, on all engines.
DCN_TEST_CASE(ClosedLoopTestCase, "a message that answers another one")
{
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        Star star(engine);
        const uint64_t there = star.network->Connect(star.Host(0), star.Host(1));
        const uint64_t back = star.network->Connect(star.Host(1), star.Host(0));
        star.network->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>([&](uint64_t flow, Time) {
                if (flow < 9)
                {
                    star.network->AddMessage(flow % 2 == 0 ? back : there, 20'000);
                }
            }));
        star.network->AddMessage(there, 20'000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(star.completed.size(), 10, "ten messages, " << engine);
        int64_t sum = 0;
        for (const int64_t time : star.completed)
        {
            sum += time;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(sum),
                                  10.0 * static_cast<double>(star.GetIdealNs(20'000)),
                                  0.05 * static_cast<double>(sum),
                                  "each alone, " << engine);
    }
}

/// m4 has one message of a connection on its links at a time: the others wait.
DCN_TEST_CASE(LearnedTestCase, "messages of a connection in m4")
{
    Star star("m4");
    const uint64_t connection = star.network->Connect(star.Host(0), star.Host(1));
    for (uint32_t i = 0; i < 20; ++i)
    {
        star.network->AddMessage(connection, 100'000);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(star.completed.size(), 20, "all complete");
    for (std::size_t i = 1; i < 20; ++i)
    {
        NS_TEST_EXPECT_MSG_GT(star.completed[i], star.completed[i - 1], "in order");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(star.completed[19]),
                              static_cast<double>(star.GetIdealNs(2'000'000)),
                              0.05 * static_cast<double>(star.completed[19]),
                              "as one flow of all bytes");
}

DCN_TEST_CASE(ErrorsTestCase, "connections that cannot be")
{
    Star star("flowsim");
    DCN_TEST_EXPECT_ERROR(star.network->AddMessage(0, 1),
                          "there is no connection 0, since 0 were made (DcnFlowNetwork::Connect)");
    DCN_TEST_EXPECT_ERROR(star.network->Connect(star.Host(1), star.Host(1)),
                          "flow 0 goes from host 1 to itself");
    const uint64_t connection = star.network->Connect(star.Host(0), star.Host(1));
    NS_TEST_EXPECT_MSG_EQ(star.network->GetConnectionPath(connection).size(), 2, "its path");
    DCN_TEST_EXPECT_ERROR(star.network->AddMessage(connection, 0), "flow 0 has the size 0");
    NS_TEST_EXPECT_MSG_EQ(star.network->AddMessage(connection, 1), 0, "the first number");
    Simulator::Run();
}

/**
 * The path of a connection depends on its ends and its channel alone: it is that of a flow with the
 * channel as its id. The k-th connection of a pair has channel k, whatever is connected before.
 */
DCN_TEST_CASE(PathsTestCase, "paths do not depend on the order of connections")
{
    const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
    const DcnRouting routing(topology, 1);
    const auto& hosts = topology->GetHosts();
    const auto host = [&](uint32_t i) { return topology->GetNodes().Get(hosts[i]); };
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        const Ptr<DcnFlowNetwork> network = DcnFlowNetworkHelper(engine).Install(topology);
        std::set<std::vector<uint32_t>> different;
        for (uint32_t i = 0; i < 8; ++i)
        {
            // packets and fluids in opposite orders
            const uint32_t from = std::string(engine) == "packet" ? i : 7 - i;
            for (uint64_t k = 0; k < 6; ++k)
            {
                const uint64_t connection = network->Connect(host(from), host(from + 8));
                std::vector<uint32_t> path;
                routing.AppendPath({k, hosts[from], hosts[from + 8], 1, 0}, path);
                NS_TEST_EXPECT_MSG_EQ((network->GetConnectionPath(connection) == path),
                                      true,
                                      "connection " << k << " from " << from << ", " << engine);
                const uint64_t other = network->Connect(host(15), host(from), k + 100);
                path.clear();
                routing.AppendPath({k + 100, hosts[15], hosts[from], 1, 0}, path);
                NS_TEST_EXPECT_MSG_EQ((network->GetConnectionPath(other) == path), true, "channel");
                different.insert(network->GetConnectionPath(connection));
            }
        }
        NS_TEST_EXPECT_MSG_GT(different.size(), 16, "connections of a pair spread");
        network->Dispose();
        Simulator::Destroy();
    }
}

/// HPCC's telemetry holds five switches: a flow and a connection over seven are refused, and the
/// numbers of others stay theirs.
DCN_TEST_CASE(RefusedTestCase, "a refused flow shifts no number")
{
    DcnParkingLotParameters row;
    row.switches = 7;
    const Ptr<DcnTopology> topology = DcnBuildTopology(row);
    DcnFlowNetworkHelper helper("packet");
    helper.SetConfig(DcnNetworkConfig::Preset("hpcc"));
    const Ptr<DcnFlowNetwork> network = helper.Install(topology);
    std::vector<uint64_t> completed;
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>([&](uint64_t flow, Time) { completed.push_back(flow); }));
    const auto& hosts = topology->GetHosts();
    const auto host = [&](std::size_t i) { return topology->GetNodes().Get(hosts[i]); };
    const std::size_t last = hosts.size() - 1;
    const std::string far = "crosses 7 switches, but the telemetry of hpcc holds 5";
    const auto isRefused = [&far](const std::function<void()>& add) {
        return DcnSentenceOf(add).find(far) != std::string::npos;
    };
    NS_TEST_EXPECT_MSG_EQ(isRefused([&]() { network->AddFlow(host(0), host(last), 1000); }),
                          true,
                          "a flow");
    NS_TEST_EXPECT_MSG_EQ(isRefused([&]() { network->Connect(host(0), host(last)); }),
                          true,
                          "a connection");
    NS_TEST_EXPECT_MSG_EQ(network->GetNActive(), 0, "none is in the network");
    const uint64_t flow = network->AddFlow(host(0), host(1), 1000);
    const uint64_t message = network->AddMessage(network->Connect(host(0), host(1)), 5000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(completed.size(), 2, "the others");
    NS_TEST_EXPECT_MSG_EQ(completed[0], flow, "number of the flow");
    NS_TEST_EXPECT_MSG_EQ(completed[1], message, "number of the message");
    network->Dispose();
    Simulator::Destroy();
}

/// Starts and acknowledgements that were to come when a network is disposed do not come.
DCN_TEST_CASE(DisposedTestCase, "networks that are disposed early")
{
    for (const char* engine : {"packet", "flowsim", "m4"})
    {
        Star star(engine);
        star.network->AddFlow(star.Host(0), star.Host(1), 5000);
        star.network->AddFlowAt(MilliSeconds(1), star.Host(2), star.Host(3), 5000);
        // between the completion and the acknowledgement, two links of 1 us and 60 bytes later
        Simulator::Schedule(NanoSeconds(star.GetIdealNs(5000) + 500),
                            [&star] { star.network->Dispose(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(star.completed.size(), 1, "the first flow, " << engine);
        NS_TEST_EXPECT_MSG_EQ(star.acknowledged.size(), 0, "disposed before, " << engine);
    }
}

DcnTestSuite<BackToBackTestCase,
             OrderTestCase,
             WindowTestCase,
             PacketsTestCase,
             AcknowledgedTestCase,
             ShareTestCase,
             BothWaysTestCase,
             TimersTestCase,
             ClosedLoopTestCase,
             LearnedTestCase,
             PathsTestCase,
             RefusedTestCase,
             DisposedTestCase,
             ErrorsTestCase>
    g_dcnConnectionTestSuite("dcn-connection"); //!< the suite

} // namespace
