/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/session/m4-flow-network.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "m4-test.h"

#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/m4-session.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A dumbbell, and paths on it.
struct Dumbbell
{
    /// @param linkDelay of every link
    /// @param rateBps of every link
    Dumbbell(Time linkDelay, uint64_t rateBps)
    {
        DcnDumbbellParameters parameters;
        parameters.linkDelay = linkDelay;
        parameters.edgeRate = DataRate(rateBps);
        parameters.bottleneckRate = DataRate(rateBps);
        topology = DcnBuildTopology(parameters);
        config = DcnNetworkConfig::Preset("dctcp", rateBps);
        DcnRouting routing(topology, 1);
        const auto& hosts = topology->GetHosts();
        routing.AppendPath({0, hosts.front(), hosts.back(), 1, 0}, links);
    }

    /// @return the path between the first and the last host
    DcnPath GetPath() const
    {
        return {links.data(), links.data() + links.size()};
    }

    Ptr<DcnTopology> topology;    //!< the network
    Ptr<DcnNetworkConfig> config; //!< its configuration
    std::vector<uint32_t> links;  //!< see GetPath
};

/**
 * @param bias of the slowdown's head
 * @return an untrained network but for that
 */
DcnModelFile
MakeBiased(float bias)
{
    return M4ChangeWeights(M4DefaultNetwork::MakeUntrained(8),
                           [bias](const DcnModelFile::Tensor& tensor, std::size_t i) {
                               return tensor.name == "fct.b.b" ? bias : tensor.values[i];
                           });
}

/// Predictions of long flows that many short ones change are not kept until the long flows' time.
DCN_TEST_CASE(MemoryTestCase, "memory in proportion to active flows")
{
    const Dumbbell net(MicroSeconds(1), 10'000'000'000);
    M4Session session(*net.topology, *net.config, M4DefaultNetwork::MakeUntrained(8));
    std::map<uint64_t, int> delivered;
    session.SetDeliveryListener([&](uint64_t id, int64_t) { ++delivered[id]; });
    constexpr uint64_t LONG = 40;
    constexpr uint64_t SHORT = 1000;
    for (uint64_t id = 0; id < LONG; ++id)
    {
        session.AddFlow(id, net.GetPath(), 1'000'000'000);
    }
    std::size_t most = 0;
    for (uint64_t id = LONG; id < LONG + SHORT; ++id)
    {
        session.AdvanceTo(static_cast<int64_t>(id) * 100'000);
        session.AddFlow(id, net.GetPath(), 1000);
        most = std::max(most, session.GetNPredictions());
    }
    // each of 2000 events predicts 40 departures that are seconds away
    NS_TEST_EXPECT_MSG_GT(session.GetNTouched(), 60'000, "predictions");
    NS_TEST_EXPECT_MSG_LT(most, 4 * (LONG + 10) + 1024 + 64 + 1, "of which few are kept");
    while (session.GetNextEventNs() != M4Session::NEVER)
    {
        session.AdvanceTo(session.GetNextEventNs());
    }
    NS_TEST_EXPECT_MSG_EQ(delivered.size(), LONG + SHORT, "all end");
    for (const auto& [id, times] : delivered)
    {
        NS_TEST_EXPECT_MSG_EQ(times, 1, "once each");
    }
    NS_TEST_EXPECT_MSG_EQ(session.GetNPredictions(), 0, "nothing is left");

    // inside a simulation: no event of the simulator is left behind by a start
    Ptr<DcnFlowNetwork> network = DcnFlowNetworkHelper("m4").Install(net.topology);
    const Ptr<Node> a = net.topology->GetNodes().Get(net.topology->GetHosts().front());
    const Ptr<Node> b = net.topology->GetNodes().Get(net.topology->GetHosts().back());
    const uint64_t before = Simulator::GetEventCount();
    network->AddFlow(a, b, 10'000'000);
    constexpr uint64_t N = 100;
    for (uint64_t i = 1; i <= N; ++i)
    {
        network->AddFlowAt(MicroSeconds(50 * i), a, b, 1000);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network->GetNActive(), 0, "all complete");
    // a start, an update after it, a departure, an end and a report; a cancelled one each else
    NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount() - before,
                          5 * (N + 1) + N / 2,
                          "events of the simulator");
    network->Dispose();
    Simulator::Destroy();
}

/// A listener of departures may throw and add flows; no flow departs twice.
DCN_TEST_CASE(DepartureListenerTestCase, "a departure listener that throws and adds a flow")
{
    const Dumbbell net(MicroSeconds(1), 10'000'000'000);
    M4Session session(*net.topology, *net.config, M4DefaultNetwork::MakeUntrained(8));
    std::map<uint64_t, int> departed;
    std::map<uint64_t, int> delivered;
    session.SetDeliveryListener([&](uint64_t id, int64_t) { ++delivered[id]; });
    session.SetDepartureListener([&](uint64_t id, int64_t) {
        ++departed[id];
        if (id == 0)
        {
            throw std::runtime_error("no");
        }
        if (id == 1)
        {
            session.AddFlow(9, net.GetPath(), 1000);
        }
    });
    for (uint64_t id = 0; id < 3; ++id)
    {
        session.AddFlow(id, net.GetPath(), 1000 * (id + 1));
    }
    bool thrown = false;
    try
    {
        session.AdvanceTo(1'000'000'000);
    }
    catch (const std::runtime_error& error)
    {
        thrown = std::string(error.what()) == "no";
    }
    NS_TEST_EXPECT_MSG_EQ(thrown, true, "what the listener throws");
    session.AdvanceTo(1'000'000'000);
    session.AddFlow(3, net.GetPath(), 4000);
    session.AdvanceTo(2'000'000'000);
    for (uint64_t id : {0, 1, 2, 3, 9})
    {
        NS_TEST_EXPECT_MSG_EQ(departed[id], 1, "departures of flow " << id);
        NS_TEST_EXPECT_MSG_EQ(delivered[id], 1, "ends of flow " << id);
    }
    NS_TEST_EXPECT_MSG_EQ(delivered.size(), 5, "and no others");
    NS_TEST_EXPECT_MSG_EQ(session.GetNextEventNs(), M4Session::NEVER, "nothing is left");
}

DCN_TEST_CASE(QuestionsTestCase, "questions about what is not there")
{
    const Dumbbell net(MicroSeconds(1), 10'000'000'000);
    M4Session session(*net.topology, *net.config, M4DefaultNetwork::MakeUntrained(8));
    const uint32_t nLinks = net.topology->GetNLinks();
    const std::string link =
        "there is no link " + std::to_string(nLinks) + ", only 0 to " + std::to_string(nLinks - 1);
    const std::string handle = "no flow that has not departed has the handle ";
    NS_TEST_EXPECT_MSG_EQ(session.GetQueuesOfEvent().size(), 0, "no event yet");
    DCN_TEST_EXPECT_ERROR(session.GetQueueBytes(nLinks), link);
    DCN_TEST_EXPECT_ERROR(session.GetRemaining(0), handle + "0");
    const auto flow = session.AddFlow(0, net.GetPath(), 1000);
    DCN_TEST_EXPECT_ERROR(session.GetRemaining(flow + 1), handle + std::to_string(flow + 1));
    DCN_TEST_EXPECT_ERROR(session.GetFluidRemaining(flow + 1), handle + std::to_string(flow + 1));
    NS_TEST_EXPECT_MSG_GT(session.GetPredictedFctNs(flow), 0, "while it is there");
    session.AdvanceTo(1'000'000);
    DCN_TEST_EXPECT_ERROR(session.GetPredictedFctNs(flow), handle + std::to_string(flow));
    DCN_TEST_EXPECT_ERROR(session.GetRemaining(flow), handle + std::to_string(flow));
    session.AdvanceTo(M4Session::NEVER); // there is no event to wait for

    auto network = CreateObject<M4FlowNetwork>();
    DCN_TEST_EXPECT_ERROR(network->GetQueueBytes(0), "the network is not installed");
    network->Install(net.topology, net.config);
    const Ptr<Node> a = net.topology->GetNodes().Get(net.topology->GetHosts().front());
    const Ptr<Node> b = net.topology->GetNodes().Get(net.topology->GetHosts().back());
    network->AddFlowAt(MilliSeconds(1), a, b, 100'000);
    NS_TEST_EXPECT_MSG_EQ(network->GetRemaining(0), 1, "all is left before it starts");
    DCN_TEST_EXPECT_ERROR(network->GetQueueBytes(nLinks), link);
    DCN_TEST_EXPECT_ERROR(network->GetRemaining(1), "there is no flow 1, only 1 were added");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network->GetRemaining(0), 0, "nothing when it is complete");
    network->Dispose();
    DCN_TEST_EXPECT_ERROR(network->GetQueueBytes(0), "the network is not installed");
    DCN_TEST_EXPECT_ERROR(network->GetRemaining(0), "the network is not installed");
    Simulator::Destroy();
}

/// Answers stay numbers on links without delay, and whatever a model says.
DCN_TEST_CASE(NumbersTestCase, "completion times of 0 ns; slowdowns without measure")
{
    // 49 bytes over three links of 4 Tb/s take less than a nanosecond
    const Dumbbell fast(Time(0), 4'000'000'000'000);
    M4Session session(*fast.topology, *fast.config, M4DefaultNetwork::MakeUntrained(8));
    std::map<uint64_t, int64_t> fctNs;
    session.SetDeliveryListener([&](uint64_t id, int64_t fct) { fctNs[id] = fct; });
    session.AddFlow(0, fast.GetPath(), 1);
    session.AdvanceTo(1'000'000);
    NS_TEST_EXPECT_MSG_EQ((session.GetQueueBytes(fast.links[0]) >= 0), true, "a number");
    session.AddFlow(1, fast.GetPath(), 100'000);
    session.AdvanceTo(2'000'000);
    NS_TEST_ASSERT_MSG_EQ(fctNs.size(), 2, "both end");
    NS_TEST_EXPECT_MSG_EQ((fctNs[0] >= 0 && fctNs[0] < 10), true, "a few nanoseconds");
    // 100 packets of 1048 bytes take 2.096 ns each, in whole nanoseconds 2; the last passes two
    // more links, and tau ln 2 of the logarithm comes on top
    NS_TEST_EXPECT_MSG_GT(fctNs[1], 199, "not less than its service");
    NS_TEST_EXPECT_MSG_LT(fctNs[1], 240, "and little more");

    const Dumbbell net(MicroSeconds(1), 10'000'000'000);
    M4Session slow(*net.topology, *net.config, MakeBiased(1e6F));
    const auto flow = slow.AddFlow(0, net.GetPath(), 1'000'000);
    NS_TEST_EXPECT_MSG_LT(slow.GetPredictedFctNs(flow), 1'000'000, "alone: its idle time");
    slow.AddFlow(1, net.GetPath(), 1000);
    const auto fct = static_cast<double>(slow.GetPredictedFctNs(flow));
    NS_TEST_EXPECT_MSG_EQ((fct > 1e11 && fct < 1e13), true, "a million times a millisecond");
    // the largest numbers, whose sums are none
    M4Session none(*net.topology, *net.config, MakeBiased(3e38F));
    none.AddFlow(7, net.GetPath(), 1000); // alone: the model is not asked
    DCN_TEST_EXPECT_ERROR(none.AddFlow(8, net.GetPath(), 1000),
                          "the model predicts for flow 7 a slowdown whose logarithm is inf");
}

DcnTestSuite<MemoryTestCase, DepartureListenerTestCase, QuestionsTestCase, NumbersTestCase>
    g_m4GuardsTestSuite("m4-guards"); //!< the suite

} // namespace
