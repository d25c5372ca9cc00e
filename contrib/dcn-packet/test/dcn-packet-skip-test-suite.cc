/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/engine/dcn-packet-device.h"
#include "../model/engine/dcn-packet-switch.h"
#include "../model/engine/dcn-switch-device.h"
#include "../model/network/dcn-packet-flow-network.h"
#include "../model/skip/dcn-steady-skip.h"
#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/config.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// What a simulation gave.
struct Outcome
{
    std::vector<int64_t> fctNs;    //!< by flow [ns]
    std::vector<uint64_t> txBytes; //!< by directed link
    std::vector<uint64_t> packets; //!< data packets, by directed link
    std::vector<uint64_t> offered; //!< to the data class, by directed link; 0: a host's
    std::vector<uint64_t> marked;  //!< data packets, likewise
    uint64_t nEvents;              //!< events of the engine
    int64_t skippedNs;             //!< simulated time without packets [ns]
    uint64_t nSkips;               //!< skips
};

/// Simulates a scenario, with its last acknowledgements.
Outcome
Simulate(Ptr<const DcnScenario> scenario, bool skips)
{
    const DcnPacketTestNetwork network(scenario, "Skip", BooleanValue(skips));
    network->Run();
    Outcome outcome;
    outcome.fctNs = network->GetFctNs();
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        const auto device = DynamicCast<DcnPacketDevice>(network->GetDevice(link));
        const auto port = network.GetPort(link);
        outcome.txBytes.push_back(device->GetTxBytes());
        outcome.packets.push_back(device->GetTxDataPackets());
        outcome.offered.push_back(port ? port->GetOfferedBytes() : 0);
        outcome.marked.push_back(port ? port->GetNMarked() : 0);
    }
    outcome.nEvents = network->GetThreadReport().nEvents;
    outcome.skippedNs = network->GetSkipped().first;
    outcome.nSkips = network->GetSkipped().second;
    return outcome;
}

/// @return does the control read telemetry? Then windows have to be long until their halves agree.
bool
HasTelemetry(const std::string& cc)
{
    return cc == "hpcc" || cc == "powertcp";
}

/// Times of packets, which differ by chance with the times in which flows begin.
struct Scatter
{
    std::vector<int64_t> least; //!< by flow [ns]
    std::vector<int64_t> most;  //!< by flow [ns]
    double meanSum;             //!< of all flows but the first, mean over the times [ns]
};

/**
 * @param cc congestion control: without telemetry, only the first simulation counts
 * @param make makes the scenario in which flows begin later by a time [ns]
 * @param skips whether steady states are skipped
 * @return completion times
 */
Scatter
GetScatter(const std::string& cc,
           const std::function<Ptr<const DcnScenario>(int64_t)>& make,
           bool skips = false)
{
    const std::vector<int64_t> shiftsNs =
        HasTelemetry(cc)
            ? std::vector<int64_t>{0, 100, 617, 1000, 1499, 2500, 3000, 4100, 7001}
            : std::vector<int64_t>{0};
    Scatter scatter{{}, {}, 0};
    for (const int64_t shiftNs : shiftsNs)
    {
        const DcnPacketTestNetwork network(make(shiftNs), "Skip", BooleanValue(skips));
        network->Run();
        const std::vector<int64_t>& fctNs = network->GetFctNs();
        scatter.least.resize(fctNs.size(), std::numeric_limits<int64_t>::max());
        scatter.most.resize(fctNs.size(), 0);
        for (std::size_t flow = 0; flow < fctNs.size(); ++flow)
        {
            scatter.least[flow] = std::min(scatter.least[flow], fctNs[flow]);
            scatter.most[flow] = std::max(scatter.most[flow], fctNs[flow]);
        }
        scatter.meanSum +=
            static_cast<double>(std::accumulate(fctNs.begin() + 1, fctNs.end(), int64_t{0})) /
            static_cast<double>(shiftsNs.size());
    }
    return scatter;
}

/**
 * Two flows over one bottleneck, the second of which is longer.
 *
 * @param cc congestion control
 * @param startNs when the second begins [ns]. With 0, both do so together: with other phases,
 * shares of DCTCP and DCQCN differ by 10 % also between two runs of all packets.
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeLongFlows(const std::string& cc, int64_t startNs = 0)
{
    // two flows of DCQCN are not steady; the second one is, when its rate has risen after the first
    const uint64_t size = cc == "dcqcn" ? 50'000'000 : HasTelemetry(cc) ? 600'000'000 : 200'000'000;
    const uint64_t second = cc == "dcqcn" ? 10 * size : size * 3 / 2;
    return DcnScenario::Create(DcnMakeDumbbell(2, 2),
                               DcnNetworkConfig::Preset(cc),
                               {{0, 0, 2, size, 0}, {1, 1, 3, second, startNs}});
}

/**
 * Two long flows share a link: the times are those of packets, for a fraction of the events; every
 * device has sent the same bytes.
 *
 * With telemetry, the two windows swing against each other for some 0.1 s before they swing
 * together, which takes 2 % less time. When they do so is chance: completion times of packets
 * differ by 2 % with the time in which the second flow begins. So times with skips have to be among
 * these. They are among the longest, as a skip prolongs the state that it has seen.
 */
DCN_TEST_CASE_OF(LongFlowsTestCase, std::string, cc, "two long flows with " + cc)
{
    // marks of DCQCN come by chance: what both flows send together is steady
    const bool hasShares = cc != "dcqcn";
    const auto scenario = MakeLongFlows(cc);
    const Outcome full = Simulate(scenario, false);
    const Scatter scatter =
        GetScatter(cc, [&cc](int64_t startNs) { return MakeLongFlows(cc, startNs); });
    Config::SetDefault("ns3::DcnPacketNetwork::SkipTolerance",
                       DoubleValue(hasShares ? DcnPacketNetwork::SKIP_TOLERANCE : 0.03));
    const Outcome skipped = Simulate(scenario, true);
    NS_TEST_EXPECT_MSG_EQ(full.skippedNs, 0, "nothing is skipped by default");
    NS_TEST_EXPECT_MSG_GT(skipped.nSkips, 0, "skips");
    for (std::size_t flow = hasShares ? 0 : 1; flow < 2; ++flow)
    {
        const auto actual = static_cast<double>(skipped.fctNs[flow]);
        NS_TEST_EXPECT_MSG_GT(actual,
                              0.995 * static_cast<double>(scatter.least[flow]),
                              "flow " << flow);
        NS_TEST_EXPECT_MSG_LT(actual,
                              1.005 * static_cast<double>(scatter.most[flow]),
                              "flow " << flow);
    }
    // the two windows of PowerTCP swing against each other for longer: 4.4 is measured
    const uint64_t ratio = !hasShares ? 2 : cc == "powertcp" ? 4 : 5;
    NS_TEST_EXPECT_MSG_LT(ratio * skipped.nEvents, full.nEvents, "events of ns-3");
    // no packet is lost, so each crosses each link once, whether it is simulated or not
    NS_TEST_EXPECT_MSG_EQ((skipped.txBytes == full.txBytes), true, "bytes of each link");
    NS_TEST_EXPECT_MSG_EQ((skipped.packets == full.packets), true, "data packets of each link");
    NS_TEST_EXPECT_MSG_EQ((skipped.offered == full.offered), true, "bytes of each queue");
    const Outcome again = Simulate(scenario, true);
    NS_TEST_EXPECT_MSG_EQ((again.fctNs == skipped.fctNs), true, "the same again");
    NS_TEST_EXPECT_MSG_EQ(again.nEvents, skipped.nEvents, "by the same events");
    Config::SetDefault("ns3::DcnPacketNetwork::SkipTolerance",
                       DoubleValue(DcnPacketNetwork::SKIP_TOLERANCE));
}

/**
 * The rate of a DCQCN flow rises by 0.36 Gb/s in a millisecond after another has left a link of
 * 10 Gb/s: by 2.5 % from one half of a window of 0.88 ms to the other. It must not be frozen for
 * eight windows: the rise would take nine times as long.
 */
DCN_TEST_CASE(RiseTestCase, "a rate that rises slowly is not frozen")
{
    const auto scenario = MakeLongFlows("dcqcn");
    const Outcome full = Simulate(scenario, false);
    const Outcome skipped = Simulate(scenario, true);
    NS_TEST_EXPECT_MSG_GT(skipped.nSkips, 0, "skips after the rise");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.fctNs[1]),
                              static_cast<double>(full.fctNs[1]),
                              0.002 * static_cast<double>(full.fctNs[1]),
                              "the rise is that of packets");
}

/// Marks go on during a skip at the rate of the window before it, and are counted: the number is
/// that of packets, a hundred times as many as are simulated.
DCN_TEST_CASE(MarksTestCase, "marks of a skip are counted")
{
    const auto scenario = MakeLongFlows("dctcp");
    const Outcome full = Simulate(scenario, false);
    const Outcome skipped = Simulate(scenario, true);
    for (uint32_t link = 0; link < full.marked.size(); ++link)
    {
        const auto expected = static_cast<double>(full.marked[link]);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.marked[link]),
                                  expected,
                                  0.1 * expected,
                                  "marks of link " << link);
    }
    NS_TEST_EXPECT_MSG_GT(*std::max_element(full.marked.begin(), full.marked.end()),
                          10'000,
                          "the bottleneck marks packets for half of the time");
}

/// A flow that arrives in the middle of a skip meets packets: its completion time, and those of the
/// flows that it meets, are those of packets.
DCN_TEST_CASE_OF(ArrivalTestCase, std::string, cc, "an arrival during a skip with " + cc)
{
    // long flows alone until the arrivals: each at another phase of skips and windows
    const auto make = [&cc](int64_t shiftNs) {
        std::vector<DcnFlow> flows{{0, 0, 2, 60'000'000, 0}};
        for (uint64_t i = 0; i < 6; ++i)
        {
            flows.push_back(
                {1 + i, 1, 3, 300'000, static_cast<int64_t>(5'000'000 + 7'123'457 * i) + shiftNs});
        }
        return DcnScenario::Create(DcnMakeDumbbell(2, 2), DcnNetworkConfig::Preset(cc), flows);
    };
    const Outcome full = Simulate(make(0), false);
    const Outcome skipped = Simulate(make(0), true);
    NS_TEST_EXPECT_MSG_GT(skipped.nSkips, 5, "skips between the arrivals");
    NS_TEST_EXPECT_MSG_GT(skipped.skippedNs, full.fctNs[0] / 2, "most of the time is skipped");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.fctNs[0]),
                              static_cast<double>(full.fctNs[0]),
                              0.01 * static_cast<double>(full.fctNs[0]),
                              "completion time of the long flow");
    // Single short flows of HPCC and PowerTCP differ by 10 % between runs of all packets that
    // differ in the times of the arrivals by 1 us; without the long flow they take half the time.
    const Scatter scatter = GetScatter(cc, make);
    for (std::size_t flow = 1; flow < full.fctNs.size(); ++flow)
    {
        const auto each = static_cast<double>(skipped.fctNs[flow]);
        const auto& least = scatter.least;
        const auto& most = scatter.most;
        const auto from =
            HasTelemetry(cc) ? *std::min_element(least.begin() + 1, least.end()) : full.fctNs[flow];
        const auto to =
            HasTelemetry(cc) ? *std::max_element(most.begin() + 1, most.end()) : full.fctNs[flow];
        NS_TEST_EXPECT_MSG_GT(each, 0.95 * static_cast<double>(from), "flow " << flow);
        NS_TEST_EXPECT_MSG_LT(each, 1.05 * static_cast<double>(to), "flow " << flow);
    }
    // the mean over five times of arrivals has a standard deviation of 0.5 % with telemetry
    NS_TEST_EXPECT_MSG_EQ_TOL(GetScatter(cc, make, true).meanSum,
                              scatter.meanSum,
                              (HasTelemetry(cc) ? 0.02 : 0.01) * scatter.meanSum,
                              "times of all short flows");
}

/// Where no steady state lasts, nothing changes, and looking for one costs few events.
DCN_TEST_CASE(NoSteadyStateTestCase, "short flows are as without skips")
{
    for (const char* cc : {"dctcp", "hpcc"})
    {
        const auto scenario = DcnMakeTestScenario(DcnTestWorkload(2000, "constant:5000"),
                                                  DcnNetworkConfig::Preset(cc));
        const Outcome full = Simulate(scenario, false);
        const Outcome skipped = Simulate(scenario, true);
        NS_TEST_EXPECT_MSG_EQ(skipped.nSkips, 0, "skips");
        NS_TEST_EXPECT_MSG_EQ((skipped.fctNs == full.fctNs), true, "completion times with " << cc);
        NS_TEST_EXPECT_MSG_LT(skipped.nEvents, full.nEvents * 101 / 100, "looks with " << cc);
    }
}

/// @return a long flow, and short ones one after another between two other hosts; they begin again
/// before the one before has ended
std::vector<DcnFlow>
MakeLongAndShort(uint32_t source, uint32_t sink)
{
    std::vector<DcnFlow> flows{{0, 0, 1, 30'000'000, 0}};
    for (uint64_t i = 0; i < 1000; ++i)
    {
        flows.push_back({1 + i, source, sink, 30'000, static_cast<int64_t>(27'000 * i)});
    }
    return flows;
}

/// A flow is skipped while others, which it shares no link with, run packets; these are as without
/// skips.
DCN_TEST_CASE(GroupsTestCase, "groups of flows")
{
    const Ptr<DcnNetworkConfig> preset = DcnNetworkConfig::Preset("dctcp");
    const Ptr<DcnNetworkConfig> windowless = DcnNetworkConfig::Preset("dctcp");
    windowless->SetKeys("window_bytes=0");

    struct Case
    {
        const char* what;                //!< in messages
        Ptr<const DcnScenario> scenario; //!< flows
        bool skips;                      //!< whether the long flow is skipped
    };

    const std::vector<Case> cases{
        {"room for all windows",
         DcnScenario::Create(DcnMakeStar(4), preset, MakeLongAndShort(2, 3)),
         true},
        {"a switch that may fill",
         DcnScenario::Create(DcnMakeStar(4), windowless, MakeLongAndShort(2, 3)),
         false},
        {"different switches",
         DcnScenario::Create(DcnMakeDumbbell(2, 2), windowless, MakeLongAndShort(2, 3)),
         true},
        {"a link of both",
         DcnScenario::Create(DcnMakeStar(4), preset, MakeLongAndShort(2, 1)),
         false}};
    for (const auto& [what, scenario, skips] : cases)
    {
        const Outcome full = Simulate(scenario, false);
        const Outcome skipped = Simulate(scenario, true);
        if (!skips)
        {
            // only after the last short one
            const int64_t lastNs = scenario->GetFlows().back().startNs + full.fctNs.back();
            NS_TEST_EXPECT_MSG_LT(skipped.skippedNs,
                                  full.fctNs[0] / 20 + std::max<int64_t>(0, full.fctNs[0] - lastNs),
                                  "time skipped, " << what);
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(skipped.skippedNs,
                                  full.fctNs[0] * 9 / 10,
                                  "time skipped, " << what);
            NS_TEST_EXPECT_MSG_LT(skipped.nEvents, full.nEvents * 6 / 10, "events, " << what);
            // a skip has whole nanoseconds, which its packets miss by half a one at most
            NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(skipped.fctNs[0] - full.fctNs[0]),
                                        static_cast<int64_t>((skipped.nSkips + 1) / 2),
                                        "time of the long flow, " << what);
            NS_TEST_EXPECT_MSG_EQ(std::equal(full.fctNs.begin() + 1,
                                             full.fctNs.end(),
                                             skipped.fctNs.begin() + 1,
                                             skipped.fctNs.end()),
                                  true,
                                  "times of the short ones, " << what);
            NS_TEST_EXPECT_MSG_EQ((skipped.txBytes == full.txBytes), true, "bytes, " << what);
        }
    }
}

/// A flow that joins two groups ends their skips.
DCN_TEST_CASE(JoinedGroupsTestCase, "a flow between two groups that are skipped")
{
    const auto scenario = DcnScenario::Create(DcnMakeStar(4),
                                              DcnNetworkConfig::Preset("dctcp"),
                                              {{0, 0, 1, 30'000'000, 0},
                                               {1, 2, 3, 30'000'000, 100'000},
                                               {2, 0, 3, 3'000'000, 9'123'457}});
    const Outcome full = Simulate(scenario, false);
    const Outcome skipped = Simulate(scenario, true);
    NS_TEST_EXPECT_MSG_GT(skipped.skippedNs, full.fctNs[0] / 2, "most of the time is skipped");
    for (std::size_t flow = 0; flow < 3; ++flow)
    {
        const auto expected = static_cast<double>(full.fctNs[flow]);
        // shares of DCTCP depend on the phases of its flows, as those of ArrivalTestCase do
        const double tolerance = flow == 2 ? 0.05 : 0.01;
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.fctNs[flow]),
                                  expected,
                                  tolerance * expected,
                                  "completion time of flow " << flow);
    }
    NS_TEST_EXPECT_MSG_EQ((skipped.packets == full.packets), true, "data packets of each link");
}

/// When the ports of a switch are independent, by hand.
DCN_TEST_CASE(RoomTestCase, "a switch that cannot fill")
{
    const DcnPacketTestNetwork network(DcnScenario::Create(DcnMakeStar(3),
                                                           DcnNetworkConfig::Preset("dctcp"),
                                                           {{0, 0, 1, 1000, 0}}));
    const Ptr<DcnPacketSwitch> forwarder = network->GetSwitches().front();
    // of 409,600 bytes each port has a reserve of 4096 and a headroom of 3 us; a quarter of what is
    // free of the rest is the threshold
    constexpr uint64_t SHARED = 409'600 - 3 * (4096 + 3 * 1250);
    NS_TEST_EXPECT_MSG_EQ(forwarder->HasRoomFor({74'999, 0, 0}, SHARED - 300'000), true, "below");
    NS_TEST_EXPECT_MSG_EQ(forwarder->HasRoomFor({75'000, 0, 0}, SHARED - 300'000), false, "at");
    NS_TEST_EXPECT_MSG_EQ(forwarder->HasRoomFor({0, 0, 75'000}, SHARED - 300'000), false, "port");
    NS_TEST_EXPECT_MSG_EQ(forwarder->HasRoomFor({1, 1, 1}, SHARED + 1), false, "more than all");
}

/**
 * A ring of messages: each host passes on what has come from the one before it.
 * @param engine of the flow network
 * @param nEvents events of ns-3
 * @return when the last message was delivered
 */
int64_t
SimulateRing(const std::string& engine, uint64_t& nEvents)
{
    static constexpr uint32_t HOSTS = 8;
    static constexpr uint64_t BYTES = 4'000'000;
    Ptr<DcnTopology> topology = DcnMakeStar(HOSTS, std::vector<uint64_t>(HOSTS, 100 * DCN_GBPS));
    DcnFlowNetworkHelper helper(engine);
    Ptr<DcnFlowNetwork> network = helper.Install(topology);
    std::vector<uint64_t> connections;
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        connections.push_back(network->Connect(topology->GetNodes().Get(host),
                                               topology->GetNodes().Get((host + 1) % HOSTS)));
    }
    std::map<uint64_t, std::pair<uint32_t, uint32_t>> messages; // host and step by number
    int64_t endNs = 0;
    const auto send = [&](uint32_t host, uint32_t step) {
        messages[network->AddMessage(connections[host], BYTES)] = {host, step};
    };
    network->TraceConnectWithoutContext("FlowCompleted",
                                        Callback<void, uint64_t, Time>([&](uint64_t message, Time) {
                                            const auto [host, step] = messages.at(message);
                                            endNs = Simulator::Now().GetNanoSeconds();
                                            if (step < 2 * HOSTS - 3)
                                            {
                                                send((host + 1) % HOSTS, step + 1);
                                            }
                                        }));
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        send(host, 0);
    }
    Simulator::Run();
    nEvents = Simulator::GetEventCount();
    network->Dispose();
    Simulator::Destroy();
    return endNs;
}

DCN_TEST_CASE(RingTestCase, "a ring of messages on connections")
{
    uint64_t fullEvents = 0;
    uint64_t skippedEvents = 0;
    const auto full = static_cast<double>(SimulateRing("packet", fullEvents));
    const auto skipped = static_cast<double>(SimulateRing("packet:Skip=true", skippedEvents));
    NS_TEST_EXPECT_MSG_EQ_TOL(skipped, full, 0.005 * full, "time of the ring");
    NS_TEST_EXPECT_MSG_LT(5 * skippedEvents, fullEvents, "events of ns-3");
}

/// What happened to the messages of a connection.
struct Messages
{
    std::vector<int64_t> endNs; //!< when they were delivered, in order [ns]
    uint64_t nEvents;           //!< events of ns-3
};

/**
 * @brief Send messages from the first to the third host of a star.
 * @param engine of the flow network
 * @param send adds messages and changes, given the network and the connection
 * @return the outcome
 */
Messages
SendMessages(const std::string& engine, const std::function<void(DcnFlowNetwork&, uint64_t)>& send)
{
    Ptr<DcnTopology> topology = DcnMakeStar(3);
    Ptr<DcnFlowNetwork> network = DcnFlowNetworkHelper(engine).Install(topology);
    Messages messages;
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>(
            [&](uint64_t, Time) { messages.endNs.push_back(Simulator::Now().GetNanoSeconds()); }));
    send(*network, network->Connect(topology->GetNodes().Get(0), topology->GetNodes().Get(2)));
    Simulator::Run();
    messages.nEvents = Simulator::GetEventCount();
    network->Dispose();
    Simulator::Destroy();
    return messages;
}

/// A message that joins a busy connection does not end a skip, a link whose rate changes does.
DCN_TEST_CASE(ChangeTestCase, "a message and a change of a link during a skip")
{
    const uint32_t link = DcnMakeStar(3)->GetOutLinks(2)[0];
    const auto send = [link](DcnFlowNetwork& network, uint64_t connection) {
        network.AddMessage(connection, 50'000'000);
        Simulator::Schedule(MilliSeconds(10), [&network, connection]() {
            network.AddMessage(connection, 20'000'000);
        });
        Simulator::Schedule(MilliSeconds(30),
                            [&network, link]() { network.SetLinkRate(link, 4 * DCN_GBPS); });
    };
    const Messages full = SendMessages("packet", send);
    const Messages skipped = SendMessages("packet:Skip=true", send);
    NS_TEST_ASSERT_MSG_EQ(full.endNs.size(), 2, "both messages");
    NS_TEST_ASSERT_MSG_EQ(skipped.endNs.size(), 2, "both messages with skips");
    for (std::size_t i = 0; i < 2; ++i)
    {
        const auto expected = static_cast<double>(full.endNs[i]);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.endNs[i]),
                                  expected,
                                  0.005 * expected,
                                  "end of message " << i);
    }
    // windows of the slower link have to be long until their halves agree
    NS_TEST_EXPECT_MSG_LT(2 * skipped.nEvents, full.nEvents, "events of ns-3");
}

/// Flows of equal shares whose rates move all the time.
DCN_TEST_CASE_OF(MovingRatesTestCase, std::string, cc, "six flows with moving rates, " + cc)
{
    constexpr uint32_t N_FLOWS = 6;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < N_FLOWS; ++i)
    {
        flows.push_back({i, i, N_FLOWS + i, 100'000'000, 0});
    }
    const auto scenario =
        DcnScenario::Create(DcnMakeDumbbell(N_FLOWS, N_FLOWS), DcnNetworkConfig::Preset(cc), flows);
    const Outcome full = Simulate(scenario, false);
    const Outcome skipped = Simulate(scenario, true);
    for (uint32_t flow = 0; flow < N_FLOWS; ++flow)
    {
        const auto expected = static_cast<double>(full.fctNs[flow]);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.fctNs[flow]),
                                  expected,
                                  0.005 * expected,
                                  "completion time of flow " << flow);
    }
    NS_TEST_EXPECT_MSG_LT(3 * skipped.nEvents, full.nEvents, "events of ns-3");
}

/// Messages that wait for each other on a connection are skipped one after the other.
DCN_TEST_CASE(QueuedMessagesTestCase, "messages that wait on a connection")
{
    constexpr uint32_t N_MESSAGES = 10;
    const auto send = [](DcnFlowNetwork& network, uint64_t connection) {
        for (uint32_t i = 0; i < N_MESSAGES; ++i)
        {
            network.AddMessage(connection, 5'000'000);
        }
    };
    const Messages full = SendMessages("packet", send);
    const Messages skipped = SendMessages("packet:Skip=true", send);
    NS_TEST_ASSERT_MSG_EQ(full.endNs.size(), N_MESSAGES, "all messages");
    for (uint32_t i = 0; i < N_MESSAGES; ++i)
    {
        // a skip in each, of whole nanoseconds, which its packets miss by half a one at most
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(skipped.endNs[i] - full.endNs[i]),
                                    i + 1,
                                    "end of message " << i << " of a flow that meets no other");
    }
    NS_TEST_EXPECT_MSG_LT(20 * skipped.nEvents, full.nEvents, "events of ns-3");
}

/// A run that ends in a skip has the counters of packets.
DCN_TEST_CASE(StopTestCase, "the end of a run in a skip")
{
    const auto scenario = DcnScenario::Create(DcnMakeDumbbell(2, 2),
                                              DcnNetworkConfig::Preset("dctcp"),
                                              {{0, 0, 2, 100'000'000, 0}});
    std::vector<std::vector<double>> bytes;
    for (const bool skips : {false, true})
    {
        const DcnPacketTestNetwork network(scenario, "Skip", BooleanValue(skips));
        Simulator::Stop(NanoSeconds(77'700'123));
        network->Run();
        bytes.emplace_back();
        for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
        {
            const auto device = DynamicCast<DcnPacketDevice>(network->GetDevice(link));
            bytes.back().push_back(static_cast<double>(device->GetTxBytes()));
        }
        if (skips)
        {
            const auto [skippedNs, nSkips] = network->GetSkipped();
            NS_TEST_EXPECT_MSG_GT(skippedNs, 70'000'000, "time skipped");
            // c windows of two times SHORT_PACKETS packets of 1048 bytes at 10 Gb/s, 839 ns each
            const int64_t longestNs =
                DcnSteadySkip::LONG_STRETCH * 2 * DcnSteadySkip::SHORT_PACKETS * 839;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(skippedNs,
                                        longestNs * static_cast<int64_t>(nSkips),
                                        "no skip is longer than (4)");
        }
        Simulator::Destroy();
    }
    for (std::size_t link = 0; link < bytes[0].size(); ++link)
    {
        // a packet more or less is between two nanoseconds of a transmission
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes[1][link], bytes[0][link], 1048, "bytes of link " << link);
    }
}

/// A queue that grows slowly, by less than a packet in a short window, grows in spite of skips: a
/// link is offered a few percent more than it sends. Without their queue, a short flow would take
/// 30 % less.
DCN_TEST_CASE_OF(SlowGrowthTestCase, std::string, cc, "a queue that grows slowly, " + cc)
{
    const Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(cc);
    network->SetKeys("max_rate_bps=5200000000");
    std::vector<DcnFlow> two{{0, 0, 2, 60'000'000, 0}, {1, 1, 3, 60'000'000, 0}};
    for (uint64_t i = 0; i < 4; ++i)
    {
        two.push_back({2 + i, 1, 3, 20'000, static_cast<int64_t>(30'000'000 + 9'123'457 * i)});
    }
    std::vector<DcnFlow> one{{0, 0, 2, 30'000'000, 0}};
    for (uint64_t i = 0; i < 4; ++i)
    {
        one.push_back({1 + i, 1, 3, 20'000, static_cast<int64_t>(2'000'000 + 5'123'457 * i)});
    }
    const std::vector<Ptr<const DcnScenario>> scenarios{
        DcnScenario::Create(DcnMakeDumbbell(2, 2), network, two),
        DcnScenario::Create(DcnMakeDumbbell(2, 2, 9'900'000'000),
                            DcnNetworkConfig::Preset(cc),
                            one)};
    for (const auto& scenario : scenarios)
    {
        const Outcome full = Simulate(scenario, false);
        const Outcome skipped = Simulate(scenario, true);
        NS_TEST_EXPECT_MSG_GT(skipped.nSkips, 0, "skips");
        for (std::size_t flow = 0; flow < full.fctNs.size(); ++flow)
        {
            const auto expected = static_cast<double>(full.fctNs[flow]);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(skipped.fctNs[flow]),
                                      expected,
                                      0.05 * expected,
                                      "completion time of flow " << flow << " of "
                                                                 << full.fctNs.size());
        }
    }
}

/// Queue records cover the time that is skipped.
DCN_TEST_CASE(CollectorTestCase, "queue records of a skip")
{
    const auto scenario = MakeLongFlows("dctcp");
    std::vector<uint64_t> bytes;
    std::vector<double> area;
    for (const bool skips : {false, true})
    {
        const DcnPacketTestNetwork network(scenario, "Skip", BooleanValue(skips));
        Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
        collector->Watch(network.Get());
        network->Run();
        Simulator::Run();
        collector->Finish();
        uint64_t out = 0;
        double queue = 0;
        for (std::size_t i = 0; i < collector->GetNQueues(); ++i)
        {
            uint64_t in = 0;
            uint64_t left = 0;
            for (const DcnQueueRecord& record : collector->GetQueueRecords(i))
            {
                in += record.inBytes;
                left += record.outBytes;
                queue += record.meanBytes * static_cast<double>(record.endNs - record.startNs);
            }
            NS_TEST_EXPECT_MSG_EQ(in, left, "all has left queue " << i);
            out += left;
        }
        bytes.push_back(out);
        area.push_back(queue);
    }
    NS_TEST_EXPECT_MSG_EQ(bytes[0], bytes[1], "bytes of the queues");
    NS_TEST_EXPECT_MSG_EQ_TOL(area[1], area[0], 0.1 * area[0], "mean queue");
}

/// What cannot be skipped is refused.
DCN_TEST_CASE(RefusalTestCase, "settings that rule skips out")
{
    for (const std::string key : {"load_balancing", "selective_repeat"})
    {
        const auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000, 0}}, key + "=1");
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("Skip", BooleanValue(true));
        DCN_TEST_EXPECT_ERROR(
            network->Install(scenario),
            "Skip leaves packets out that have one path and are repaired by go-back-N, but " + key +
                " is not 0: take " + key + "=0, or Skip=false");
        network->Dispose();
    }
    const auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000, 0}});
    {
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->SetAttribute("SkipTolerance", DoubleValue(0.02));
        DCN_TEST_EXPECT_ERROR(network->Install(scenario),
                              "SkipTolerance is 0.02, but Skip is false: set Skip, or neither");
        network->Dispose();
    }
    NS_TEST_EXPECT_MSG_EQ(DcnEstimator::CreateByName("packet:Skip=true")->IsGroundTruth(),
                          false,
                          "with skips the method is an estimate");
    NS_TEST_EXPECT_MSG_EQ(DcnEstimator::CreateByName("packet")->IsGroundTruth(), true, "packets");
    const DcnPacketTestNetwork network(scenario, "Skip", BooleanValue(true));
    network->GetDevice(0)->TraceConnectWithoutContext(
        "PhyTxBegin",
        Callback<void, Ptr<const Packet>>([](Ptr<const Packet>) {}));
    DCN_TEST_EXPECT_ERROR(network->Start(),
                          "node " + std::to_string(network->GetDevice(0)->GetNode()->GetId()) +
                              " traces every frame (PhyTxBegin, PhyRxEnd, pcap or ascii traces), "
                              "but Skip leaves frames out: take Skip=false, or no such trace");
}

/// Each case for every congestion control.
std::vector<TestCase*>
MakeCases()
{
    std::vector<TestCase*> cases;
    for (const char* cc : {"dctcp", "dcqcn", "timely", "hpcc", "powertcp", "swift"})
    {
        cases.push_back(new LongFlowsTestCase(cc));
    }
    // DCQCN is not steady between these arrivals; its short flows differ by 20 % where marks by
    // chance do
    for (const char* cc : {"dctcp", "timely", "hpcc", "powertcp", "swift"})
    {
        cases.push_back(new ArrivalTestCase(cc));
    }
    for (const char* cc : {"hpcc", "swift"})
    {
        cases.push_back(new MovingRatesTestCase(cc));
    }
    for (const char* cc : {"dctcp", "timely", "hpcc"})
    {
        cases.push_back(new SlowGrowthTestCase(cc));
    }
    return cases;
}

DcnTestSuite g_dcnPacketSkipTestSuite("dcn-packet-skip",
                                      MakeCases(),
                                      {new NoSteadyStateTestCase,
                                       new RiseTestCase,
                                       new MarksTestCase,
                                       new GroupsTestCase,
                                       new JoinedGroupsTestCase,
                                       new RoomTestCase,
                                       new RingTestCase,
                                       new ChangeTestCase,
                                       new QueuedMessagesTestCase,
                                       new StopTestCase,
                                       new CollectorTestCase,
                                       new RefusalTestCase}); //!< the suite

} // namespace
