/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/engine/dcn-packet-events.h"
#include "../model/frames/dcn-frame.h"
#include "../model/network/dcn-packet-session.h"
#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-processes.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/event-id.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// What a simulation shows.
struct Outcome
{
    std::vector<int64_t> fctNs;                             //!< by flow
    std::vector<uint64_t> counts;                           //!< hops, drops, pauses, retransmitted
    std::vector<std::pair<uint32_t, uint64_t>> seen;        //!< by events of others: number, bytes
    std::vector<std::size_t> order;                         //!< of deliveries: flows
};

/// Events of others at every time that is a multiple of 50 ns: they look at all transmitters.
class Spectator
{
  public:
    /**
     * @param network to look at
     * @param outcome gets what it sees
     */
    Spectator(const DcnPacketTestNetwork& network, Outcome& outcome)
        : m_network(network),
          m_outcome(outcome)
    {
        // scheduled far ahead and at the last moment
        for (uint32_t i = 0; i < 400; ++i)
        {
            Simulator::Schedule(NanoSeconds(250 * i), [this, i] { Look(i); });
        }
        Again();
    }

  private:
    void Again()
    {
        Look(1'000'000);
        if (Simulator::Now() < MicroSeconds(100))
        {
            m_next = Simulator::Schedule(NanoSeconds(50), [this] { Again(); });
        }
    }

    void Look(uint32_t number)
    {
        uint64_t sum = 0;
        const DcnTopology& topology = m_network->GetTopology();
        for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
        {
            const auto device = DynamicCast<DcnPacketDevice>(m_network->GetDevice(link));
            sum = 31 * sum + device->GetTxBytes();
        }
        m_outcome.seen.emplace_back(number, sum);
    }

    const DcnPacketTestNetwork& m_network; //!< what it looks at
    Outcome& m_outcome;                    //!< gets what it sees
    EventId m_next;                        //!< its next look
};

/**
 * @param scenario to simulate
 * @param scheduler that the user chooses; empty: none
 * @param hasSpectator whether the events of a Spectator are among those of the packets
 * @return what the simulation shows
 */
Outcome
Simulate(Ptr<const DcnScenario> scenario, const std::string& scheduler, bool hasSpectator)
{
    const DcnTestScheduler choice(scheduler);
    DcnPacketTestNetwork network(scenario);
    Outcome outcome{};
    network->TraceConnectWithoutContext(
        "FlowDelivered",
        Callback<void, Ptr<const DcnPacketFlow>>([&outcome](Ptr<const DcnPacketFlow> flow) {
            outcome.order.push_back(flow->GetIndex());
        }));
    if (hasSpectator)
    {
        Spectator spectator(network, outcome);
        network->Run();
    }
    else
    {
        network->Run();
    }
    outcome.fctNs = network->GetFctNs();
    outcome.counts = {network->GetDataPacketHops(),
                      network->GetNDropped(),
                      network->GetNPauses(),
                      network->GetRetransmittedBytes()};
    return outcome;
}

/**
 * @ingroup dcn-packet-tests
 * @brief Completion times, counts, the order of deliveries and all that events of others see at one
 * nanosecond do not depend on ns-3's scheduler, and those of packets not on events of others.
 */
DCN_TEST_CASE_OF(SameTestCase, std::string, recipe, "schedulers and spectators: " + recipe)
{
    const Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    const Outcome alone = Simulate(scenario, "", false);
    for (const bool hasSpectator : {false, true})
    {
        const Outcome heap = Simulate(scenario, "ns3::HeapScheduler", hasSpectator);
        const Outcome map = Simulate(scenario, "", hasSpectator);
        NS_TEST_EXPECT_MSG_EQ((heap.seen == map.seen), true, "what events of others see");
        NS_TEST_EXPECT_MSG_EQ(map.seen.empty(), !hasSpectator, "whether there are others");
        for (const Outcome& outcome : {heap, map})
        {
            NS_TEST_EXPECT_MSG_EQ((alone.fctNs == outcome.fctNs), true, "completion times");
            NS_TEST_EXPECT_MSG_EQ((alone.counts == outcome.counts), true, "counts");
            NS_TEST_EXPECT_MSG_EQ((alone.order == outcome.order), true, "order of deliveries");
        }
    }
}

/// All that a simulation without listeners shows.
struct Silent
{
    std::vector<int64_t> fctNs;                 //!< by flow [ns]
    std::vector<int64_t> releaseNs;             //!< by flow [ns]
    std::vector<uint64_t> counts;               //!< drops, losses, pauses, retransmitted bytes
    std::vector<uint64_t> sent;                 //!< bytes by link
    std::vector<uint64_t> marked;               //!< packets by link
    std::map<std::string, uint64_t> unfinished; //!< flows by reason
    std::vector<uint64_t> later;                //!< bytes by link, a while after the end
    int64_t endNs;                              //!< see DcnPacketNetwork::GetEndNs [ns]
    std::pair<int64_t, uint64_t> skipped;       //!< see DcnPacketNetwork::GetSkipped
    uint64_t nEvents;                           //!< of ns-3's simulator

    /**
     * @param other another simulation
     * @return whether both show equal values; the number of ns-3's events may differ
     */
    bool operator==(const Silent& other) const
    {
        return fctNs == other.fctNs && releaseNs == other.releaseNs && counts == other.counts &&
               sent == other.sent && marked == other.marked && unfinished == other.unfinished &&
               later == other.later && endNs == other.endNs && skipped == other.skipped;
    }
};

/// How to simulate without listeners.
struct SilentOptions
{
    uint32_t inFlightPerRack{0}; //!< attribute InFlightPerRack
    bool hasFailure{false};      //!< the first link of the first flow's path between switches fails
    bool skips{false};           //!< attribute Skip
    bool hasEvent{false};        //!< another event of ns-3 is pending, long after the end
};

/**
 * @param scenario to simulate
 * @param options see there
 * @return what the simulation shows
 */
Silent
SimulateSilently(Ptr<const DcnScenario> scenario, const SilentOptions& options)
{
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->SetAttribute("InFlightPerRack", UintegerValue(options.inFlightPerRack));
    network->SetAttribute("Skip", BooleanValue(options.skips));
    network->AssignStreams(1);
    network->Install(scenario);
    if (options.hasFailure)
    {
        network->ChangeLink(scenario->GetPath(0)[1], 0);
    }
    EventId other;
    if (options.hasEvent)
    {
        other = Simulator::Schedule(Seconds(1e6), [] {});
    }
    network->Run();
    Silent silent{};
    silent.endNs = network->GetEndNs();
    silent.skipped = network->GetSkipped();
    silent.nEvents = Simulator::GetEventCount();
    silent.fctNs = network->GetFctNs();
    for (std::size_t flow = 0; flow < silent.fctNs.size(); ++flow)
    {
        silent.releaseNs.push_back(network->GetReleaseNs(flow));
    }
    silent.counts = {network->GetNDropped(),
                     network->GetNLost(),
                     network->GetNPauses(),
                     network->GetRetransmittedBytes()};
    silent.unfinished = network->GetUnfinished();
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        const auto device = DynamicCast<DcnPacketDevice>(network->GetDevice(link));
        silent.sent.push_back(device->GetTxBytes());
        const auto port = DynamicCast<DcnSwitchDevice>(device);
        silent.marked.push_back(port ? port->GetNMarked() : 0);
    }
    // nothing is on its way at the end
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        silent.later.push_back(
            DynamicCast<DcnPacketDevice>(network->GetDevice(link))->GetTxBytes());
    }
    network->Dispose();
    Simulator::Destroy();
    return silent;
}

/**
 * @ingroup dcn-packet-tests
 * @brief A network that is alone in the simulation, whose events ns-3 does not get, shows all that
 * it shows in turns of ns-3, with another event that is pending.
 */
DCN_TEST_CASE_OF(AloneTestCase, std::string, recipe, "alone, and in turns of ns-3: " + recipe)
{
    const Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    // begins of nodes and devices, the run, and the end
    const std::size_t mostEvents =
        scenario->GetTopology().GetNNodes() + scenario->GetTopology().GetNLinks() + 2;
    SilentOptions closed;
    closed.inFlightPerRack = 2;
    SilentOptions failed;
    failed.hasFailure = true;
    SilentOptions skipping;
    skipping.skips = true;
    for (const SilentOptions& options : {SilentOptions(), closed, failed, skipping})
    {
        const Silent alone = SimulateSilently(scenario, options);
        SilentOptions notAlone = options;
        notAlone.hasEvent = true;
        const Silent turns = SimulateSilently(scenario, notAlone);
        NS_TEST_EXPECT_MSG_EQ((alone == turns), true, "with another event");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(alone.nEvents, mostEvents, "events of ns-3");
        NS_TEST_EXPECT_MSG_GT(turns.nEvents, 10 * mostEvents, "events of ns-3");
        NS_TEST_EXPECT_MSG_EQ(alone.unfinished.empty(), !options.hasFailure, "flows that end");
        NS_TEST_EXPECT_MSG_EQ((alone.counts[1] > 0), options.hasFailure, "packets lost");
        NS_TEST_EXPECT_MSG_EQ((alone.later == alone.sent), true, "nothing is left at the end");
    }
}

/// As AloneTestCase, with long flows, whose steady states are skipped.
DCN_TEST_CASE_OF(AloneSkipTestCase, std::string, recipe, "alone, with skips: " + recipe)
{
    const Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    SilentOptions options;
    options.skips = true;
    const Silent alone = SimulateSilently(scenario, options);
    options.hasEvent = true;
    const Silent turns = SimulateSilently(scenario, options);
    NS_TEST_EXPECT_MSG_EQ((alone == turns), true, "with another event");
    NS_TEST_EXPECT_MSG_GT(alone.skipped.second, 0, "skips");
    NS_TEST_EXPECT_MSG_GT(turns.nEvents, 10 * alone.nEvents, "events of ns-3");
}

/// Devices by hand in turns of ns-3: events of a nanosecond run by kind and link, whatever the
/// order in which they were added; an event of ns-3 that adds one before all others takes an
/// earlier turn.
DCN_TEST_CASE(TurnsTestCase, "turns of ns-3, by hand")
{
    /// Notes what happens: the letter of the device, and the time [ns].
    struct Target : DcnEventTarget
    {
        Target(char name, std::vector<std::string>& seen)
            : m_name(name),
              m_seen(seen)
        {
        }

        void Receive(DcnFrame* /* frame */, int64_t nowNs) override
        {
            m_seen.push_back(m_name + (" arrival " + std::to_string(nowNs)));
        }

        void Wake(int64_t nowNs) override
        {
            m_seen.push_back(m_name + (" wake " + std::to_string(nowNs)));
        }

      private:
        char m_name;                      //!< of the device
        std::vector<std::string>& m_seen; //!< what happened
    };

    /// Runs events of devices.
    struct Handler
    {
        void Run(const DcnWindowEvent& event)
        {
            auto* device = static_cast<DcnEventTarget*>(event.subject);
            event.frame ? device->Receive(event.frame, event.timeNs) : device->Wake(event.timeNs);
        }

        void PrefetchFrame(const DcnWindowEvent& /* event */)
        {
        }

        void PrefetchSubject(const DcnWindowEvent& /* event */)
        {
        }

        void PrefetchReferred(const DcnWindowEvent& /* event */)
        {
        }
    };

    std::vector<std::string> seen;
    Target a('a', seen);
    Target b('b', seen);
    DcnFrame frame{};
    DcnPacketEvents events;
    Handler handler;
    const int64_t farNs = 1'000'000; // beyond the slots of the wheel
    events.Schedule(&a, nullptr, 0, farNs, 1, 0);
    events.FollowNs3([&](int64_t nowNs) {
        NS_TEST_EXPECT_MSG_EQ(nowNs, Simulator::Now().GetNanoSeconds(), "ns-3's time");
        events.BeginTurn(nowNs);
        events.GetList().Run(nowNs + 1, handler);
        NS_TEST_EXPECT_MSG_EQ(events.GetNowNs(), nowNs, "time of the engine");
        events.EndTurn();
    });
    events.Schedule(&b, nullptr, 0, 20, 2, 0);
    events.Schedule(&a, nullptr, 0, 20, 1, 0);
    events.Schedule(&b, &frame, 0, 20, 2, 0);
    events.Schedule(&a, &frame, 0, 20, 1, 0);
    events.Schedule(&b, &frame, 0, 20, 2, DCN_TICKS_PER_NS / 4); // a quarter of a nanosecond before
    events.Schedule(&a, nullptr, 0, 20, 1, DCN_TICKS_PER_NS / 2);
    Simulator::Schedule(NanoSeconds(15), [&]() {
        NS_TEST_EXPECT_MSG_EQ(events.GetNowNs(), 15, "time between turns");
        events.Schedule(&b, nullptr, 15, 17, 2, 0);
        events.Schedule(&a, nullptr, 15, 16, 1, 0);
    });
    Simulator::Run();
    const std::vector<std::string> expected{"a wake 16",
                                            "b wake 17",
                                            "a wake 20",
                                            "b arrival 20",
                                            "a arrival 20",
                                            "b arrival 20",
                                            "a wake 20",
                                            "b wake 20",
                                            "a wake 1000000"};
    NS_TEST_EXPECT_MSG_EQ((seen == expected), true, "order");
    // the turns at 16, 17, 20 and in the end, and the other event
    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), 5, "events of ns-3");
    Simulator::Destroy();
}

/**
 * A session without ns-3's simulator has the completion times of the network: its time goes from
 * event to event, or far beyond.
 */
DCN_TEST_CASE_OF(SessionTestCase, std::string, recipe, "a session without a simulator: " + recipe)
{
    const Ptr<const DcnScenario> scenario = DcnScenarioRecipe(recipe).Create();
    std::vector<int64_t> expected;
    uint64_t mostSteps = 0;
    {
        const DcnPacketTestNetwork network(scenario);
        network->Run();
        expected = network->GetFctNs();
        // arrival and wake-up of a packet and its acknowledgement, and as many events of flows
        mostSteps = 8 * network->GetDataPacketHops();
    }
    DcnPacketSession::Settings settings;
    settings.stream = 1; // as of DcnPacketTestNetwork
    constexpr int64_t FAR_NS = 1'000'000'000'000;
    for (const std::string how : {"steps", "at once", "windows first"})
    {
        DcnPacketSession session(scenario, settings);
        Simulator::Run(); // initialises devices
        session.ScheduleStarts(0);
        bool isGoing = true;
        uint64_t nSteps = 0;
        for (; how == "steps" && isGoing && nSteps < mostSteps &&
               session.GetNextEventNs() != DcnPacketSession::NEVER;
             ++nSteps)
        {
            const int64_t nextNs = session.GetNextEventNs();
            session.AdvanceTo(nextNs);
            isGoing = session.GetNowNs() == nextNs && session.GetNextEventNs() > nextNs;
        }
        NS_TEST_EXPECT_MSG_EQ(isGoing, true, "a step comes to the next event's time, and runs it");
        NS_TEST_EXPECT_MSG_LT(nSteps, mostSteps, "steps");
        if (how == "windows first")
        {
            const int64_t untilNs = scenario->GetFlows()[50].startNs;
            const auto windows = session.RunWindows(1, 100, untilNs, []() {});
            NS_TEST_EXPECT_MSG_EQ(session.GetNowNs(), windows.lastNs, "the time is the session's");
            NS_TEST_EXPECT_MSG_GT(session.GetNextEventNs(), windows.lastNs, "there is more");
        }
        session.AdvanceTo(FAR_NS);
        NS_TEST_EXPECT_MSG_EQ(session.GetNowNs(), FAR_NS, "time beyond the last event");
        NS_TEST_EXPECT_MSG_EQ(session.IsOver(), true, "all flows are acknowledged");
        NS_TEST_EXPECT_MSG_EQ((session.GetFctNs() == expected), true, "completion times: " << how);
        NS_TEST_EXPECT_MSG_EQ(DcnHasPendingEvents(), false, "ns-3 has no events");
        DCN_TEST_EXPECT_ERROR(
            session.AdvanceTo(FAR_NS - 1),
            "the session is at 1000000000000 ns: it cannot advance to 999999999999 ns");
    }
    Simulator::Destroy();
}

/// A network that is refused leaves no device that works behind, and one that is not there says so.
DCN_TEST_CASE(RefusedTestCase, "networks that are refused, attributes that come too late")
{
    const auto make = [](const std::string& keys) {
        return DcnScenarioRecipe(
                   "topology=dumbbell,cc=dctcp,sizes=constant:100000,flows=3,load=0.5" + keys)
            .Create();
    };
    for (const std::string keys :
         {",buffer_bytes=30000", ",payload_bytes=64990,window_bytes=650000,buffer_bytes=65000"})
    {
        const auto scenario = make(keys);
        auto network = CreateObject<DcnPacketNetwork>();
        NS_TEST_EXPECT_MSG_NE(DcnSentenceOf([&]() { network->Install(scenario); }),
                              "no error",
                              "refused: " << keys);
        const NodeContainer& nodes = scenario->GetTopology().GetNodes();
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            for (uint32_t device = 0; device < nodes.Get(i)->GetNDevices(); ++device)
            {
                NS_TEST_EXPECT_MSG_EQ((nodes.Get(i)->GetDevice(device)->GetChannel() == nullptr),
                                      true,
                                      "node " << i << " has a cable");
            }
        }
        DCN_TEST_EXPECT_ERROR(network->GetFctNs(),
                              "a DcnPacketNetwork has no devices and flows before Install");
        network->Dispose();
        Simulator::Destroy();
    }
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"NackInterval", "1us"},
                                                          {"RetransmissionTimeout", "5ms"},
                                                          {"InFlightPerRack", "2"},
                                                          {"TelemetryQuantised", "false"},
                                                          {"LosslessHeadroom", "true"},
                                                          {"Skip", "true"}})
    {
        const DcnPacketTestNetwork network(make(""));
        network->SetAttribute(name, StringValue(value));
        const std::string sentence =
            name + " was changed after Install, which prepares the network for it: set it before";
        DCN_TEST_EXPECT_ERROR(network->Run(), sentence);
        DCN_TEST_EXPECT_ERROR(network->Start(), sentence);
    }
}

/// A flow that is added to a session begins at its present time, alone with its ideal time.
DCN_TEST_CASE(AddTestCase, "flows that are added to a session")
{
    const Ptr<const DcnScenario> scenario =
        DcnScenarioRecipe("topology=dumbbell,cc=dctcp,sizes=constant:100000,flows=3,load=0.5")
            .Create();
    DcnPacketSession session(scenario->GetTopologyPtr(), scenario->GetNetworkConfig(), {});
    for (std::size_t i = 0; i < 3; ++i)
    {
        session.AdvanceTo(static_cast<int64_t>(i) * 10'000'000);
        const DcnFlow& flow = scenario->GetFlows()[i];
        NS_TEST_EXPECT_MSG_EQ(session.AddFlow(flow.id, scenario->GetPath(i), flow.sizeBytes),
                              i,
                              "flow indices");
        session.AdvanceTo(session.GetNowNs() + 9'000'000);
        const int64_t late = session.GetFctNs()[i] - scenario->GetIdealFct(i).GetTotalNs();
        NS_TEST_EXPECT_MSG_EQ((late == 0 || late == 1), true, "flow " << i << ": " << late);
        NS_TEST_EXPECT_MSG_EQ(session.GetFlow(i).src, flow.src, "its source");
    }
    Simulator::Destroy();
}

/// A listener of any trace source of a device sees ns-3's time.
DCN_TEST_CASE(ListenerTestCase, "time that a listener of skips sees")
{
    const Ptr<const DcnScenario> scenario =
        DcnScenarioRecipe("topology=dumbbell,cc=dctcp,sizes=constant:8000000,flows=20,load=0.5")
            .Create();
    DcnPacketTestNetwork network(scenario, "Skip", BooleanValue(true));
    uint32_t nSeen = 0;
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        if (const auto port = network.GetPort(link))
        {
            port->TraceConnectWithoutContext(
                "Skip",
                Callback<void, int64_t, uint64_t, uint64_t, uint64_t>(
                    [&](int64_t sinceNs, uint64_t, uint64_t, uint64_t) {
                        ++nSeen;
                        NS_TEST_EXPECT_MSG_GT(Simulator::Now().GetNanoSeconds(), sinceNs, "time");
                    }));
        }
    }
    network->Run();
    NS_TEST_EXPECT_MSG_GT(nSeen, 0, "skips");
}

/// Stop within a queue's trace ends the simulation after the present event; when it goes on, the
/// flows arrive as without the stop.
DCN_TEST_CASE(StopTestCase, "stop among events of one nanosecond")
{
    const Ptr<const DcnScenario> scenario =
        DcnScenarioRecipe("topology=fat-tree,pods=4,hostRate=100Gbps,"
                          "sizes=constant:50000,matrix=permutation,flows=40,load=0.5")
            .Create();
    const Outcome whole = Simulate(scenario, "", false);
    DcnPacketTestNetwork network(scenario);
    uint32_t nSeen = 0;
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        if (const auto port = network.GetPort(link))
        {
            port->TraceConnectWithoutContext(
                "Enqueue",
                Callback<void, uint32_t, uint64_t>([&nSeen](uint32_t, uint64_t) {
                    if (++nSeen % 100 == 0)
                    {
                        Simulator::Stop();
                    }
                }));
        }
    }
    network->Start();
    // packets and acknowledgements, at each device of their paths
    const uint64_t mostStops = 1 + 4 * whole.counts[0] / 100;
    uint32_t nStops = 0;
    for (; nStops < mostStops && (!network->GetUnfinished().empty() || nStops == 0); ++nStops)
    {
        const uint32_t before = nSeen;
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ((nSeen - before == 100 || Simulator::IsFinished()),
                              true,
                              "the enqueued frames between two stops");
    }
    NS_TEST_EXPECT_MSG_GT(nStops, 20, "stops");
    NS_TEST_EXPECT_MSG_LT(nStops, mostStops, "the simulation goes on after each");
    NS_TEST_EXPECT_MSG_EQ((network->GetFctNs() == whole.fctNs), true, "completion times");
}

/// After StopTime the simulation may go on, in turns of ns-3, whether Run had them or not; what is
/// pending when the network goes has no effect.
DCN_TEST_CASE(GoOnTestCase, "a simulation that goes on after the stop time")
{
    const Ptr<const DcnScenario> scenario =
        DcnScenarioRecipe("topology=fat-tree,pods=4,hostRate=100Gbps,sizes=constant:50000,"
                          "matrix=permutation,flows=40,load=0.5")
            .Create();
    const Outcome whole = Simulate(scenario, "", false);
    for (const bool hasTurns : {false, true})
    {
        for (const bool goesOn : {true, false})
        {
            DcnPacketTestNetwork network(scenario, "StopTime", TimeValue(MicroSeconds(5)));
            if (hasTurns)
            {
                network->TraceConnectWithoutContext(
                    "FlowStarted",
                    Callback<void, Ptr<const DcnPacketFlow>>([](Ptr<const DcnPacketFlow>) {}));
            }
            network->Run();
            NS_TEST_EXPECT_MSG_EQ(network->IsCut(), true, "frames are on their way");
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetNanoSeconds(), 5000, "the stop time");
            if (!goesOn)
            {
                network->Dispose();
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ((network->GetFctNs() == whole.fctNs), goesOn, "times");
        }
    }
}

/// A network that is gone leaves its turns with the simulator, which do nothing.
DCN_TEST_CASE(GoneTestCase, "a network that went while frames travelled")
{
    const auto create = []() {
        return DcnScenarioRecipe("topology=fat-tree,pods=4,hostRate=100Gbps,sizes=constant:50000,"
                                 "matrix=permutation,flows=40,load=0.5")
            .Create();
    };
    const Outcome whole = Simulate(create(), "", false);
    DcnPacketTestNetwork network(create());
    for (uint32_t i = 0; i < 4; ++i)
    {
        // starts at the same times as the one that stays
        Ptr<DcnPacketNetwork> other = CreateObject<DcnPacketNetwork>();
        other->AssignStreams(1);
        other->Install(create());
        other->Start();
        if (i == 0)
        {
            network->Start();
        }
        Simulator::Stop(MicroSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(other->GetUnfinished().empty(), false, "frames are on their way");
        other->Dispose();
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((network->GetFctNs() == whole.fctNs), true, "completion times");
}

/// A listener may let ns-3 dispose the network that it listens to at the present time.
DCN_TEST_CASE(DisposedTestCase, "a network that a listener disposes")
{
    const Ptr<const DcnScenario> scenario =
        DcnScenarioRecipe("topology=fat-tree,pods=4,hostRate=100Gbps,sizes=constant:50000,"
                          "matrix=permutation,flows=40,load=0.5")
            .Create();
    DcnPacketTestNetwork network(scenario);
    bool isGone = false;
    network->TraceConnectWithoutContext(
        "FlowDelivered",
        Callback<void, Ptr<const DcnPacketFlow>>([&](Ptr<const DcnPacketFlow>) {
            if (!isGone)
            {
                isGone = true;
                Simulator::ScheduleNow(&DcnPacketNetwork::Dispose, network.Get());
            }
        }));
    network->Start();
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(isGone, true, "a flow was delivered");
}

DcnTestSuite<> g_dcnPacketEventsTestSuite(
    "dcn-packet-events",
    {new SameTestCase("topology=fat-tree,pods=4,hostRate=100Gbps,cc=dctcp,"
                      "sizes=constant:60000,matrix=permutation,flows=200,load=0.6"),
     new SameTestCase("topology=fat-tree,pods=4,hostRate=100Gbps,cc=dcqcn,"
                      "sizes=web-search,flows=60,load=0.8,pfc=1"),
     new SameTestCase("topology=fabric,cc=timely,sizes=hadoop,flows=400,load=0.6"),
     new SameTestCase("topology=fabric,cc=hpcc,sizes=web-server,flows=400,load=0.7"),
     new SameTestCase("topology=dumbbell,cc=dctcp,sizes=hadoop,flows=300,load=0.9"),
     new SameTestCase("topology=leaf-spine,cc=dcqcn,matrix=incast:16,sizes=constant:30000,"
                      "flows=160,load=0.5,pfc=1,buffer_bytes=400000")},
    {new AloneTestCase("topology=fat-tree,pods=4,hostRate=100Gbps,cc=dctcp,"
                       "sizes=constant:60000,matrix=permutation,flows=200,load=0.6"),
     new AloneTestCase("topology=fat-tree,pods=4,hostRate=100Gbps,cc=dcqcn,"
                       "sizes=web-search,flows=60,load=0.8,pfc=1"),
     new AloneTestCase("topology=fabric,cc=timely,sizes=hadoop,flows=400,load=0.6"),
     new AloneTestCase("topology=fabric,cc=hpcc,sizes=web-server,flows=400,load=0.7"),
     new AloneTestCase("topology=leaf-spine,cc=dcqcn,matrix=incast:16,sizes=constant:30000,"
                       "flows=160,load=0.5,pfc=0,buffer_bytes=180000"),
     // pauses between flows that are longer than those between two looks whether packets move
     new AloneTestCase("topology=fat-tree,cc=hpcc,sizes=constant:60000,matrix=uniform,load=0.0001,"
                       "flows=5,seed=860009,hostRate=8Gbps,linkDelay=500ns,buffer_bytes=60000,"
                       "payload_bytes=200"),
     new AloneSkipTestCase("topology=fabric,cc=dctcp,sizes=constant:5000000,matrix=permutation,"
                           "flows=32,load=0.5"),
     new AloneSkipTestCase("topology=dumbbell,cc=timely,sizes=constant:8000000,flows=20,load=0.5"),
     new AloneSkipTestCase("topology=dumbbell,cc=dcqcn,sizes=constant:8000000,flows=20,load=0.3"),
     new SessionTestCase("topology=dumbbell,cc=dctcp,sizes=hadoop,flows=100,load=0.9"),
     new SessionTestCase("topology=fabric,cc=hpcc,sizes=web-server,flows=100,load=0.7"),
     new SessionTestCase("topology=leaf-spine,cc=dcqcn,matrix=incast:16,sizes=constant:30000,"
                         "flows=80,load=0.5,pfc=1,buffer_bytes=400000"),
     new AddTestCase,
     new RefusedTestCase,
     new TurnsTestCase,
     new ListenerTestCase,
     new StopTestCase,
     new GoOnTestCase,
     new GoneTestCase,
     new DisposedTestCase}); //!< the suite

} // namespace
