/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulate/parsimon-lean-engine.h"
#include "../model/simulate/parsimon-lean-history.h"
#include "../model/simulate/parsimon-lean-state.h"
#include "../model/topology/parsimon-link-scenario.h"
#include "dcn-test-case.h"
#include "parsimon-test-links.h"

#include "ns3/dcn-random.h"
#include "ns3/parsimon-decomposition.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param network the configuration
 * @return options of engines
 */
ParsimonLeanEngine::Options
MakeOptions(const DcnNetworkParameters& network)
{
    return {&network,
            DcnRandom(1).GetStream(DcnPurpose::ECN_MARKING),
            RngSeedManager::GetSeed(),
            RngSeedManager::GetRun()};
}

/**
 * @brief Add a flow to a topology.
 * @param flows of the topology, by start
 * @param flow the flow
 */
void
Insert(std::vector<ParsimonLinkFlow>& flows, const ParsimonLinkFlow& flow)
{
    auto isEarlier = [](const ParsimonLinkFlow& a, const ParsimonLinkFlow& b) {
        return a.startNs < b.startNs;
    };
    flows.insert(std::upper_bound(flows.begin(), flows.end(), flow, isEarlier), flow);
}

/// The link between switches with the most flows of a fabric, as Parsimon simulates it.
struct Example
{
    /**
     * @param cc congestion control
     * @param load of the most loaded link
     */
    Example(const std::string& cc, double load)
        : scenario(ParsimonMakeTestFabric(cc, load, 3000)),
          options(MakeOptions(scenario->GetNetwork()))
    {
        const ParsimonDecomposition decomposition(scenario, ParsimonRules::DEFAULT, nullptr, true);
        const ParsimonLinkBuilder& builder = decomposition.GetBuilder();
        std::size_t most = 0;
        uint32_t busiest = 0;
        for (uint32_t each : builder.GetBusyLinks())
        {
            if (builder.GetFlows(each).size() > most &&
                ParsimonLinkIndex::GetPosition(scenario->GetTopology(), each) ==
                    ParsimonPosition::SWITCH_TO_SWITCH)
            {
                most = builder.GetFlows(each).size();
                busiest = each;
            }
        }
        link = decomposition.Make(busiest);
    }

    Ptr<const DcnScenario> scenario;     //!< the flows
    ParsimonLink link;                   //!< the link
    ParsimonLeanEngine::Options options; //!< how it is simulated
};

/// A state decides the future: a run that is handed over to a new engine before every single start
/// ends as one without a break, and states do not depend on where they were saved.
DCN_TEST_CASE(RelayTestCase, "A run goes on from a saved state as if nothing had happened")
{
    for (const std::string& cc : ParsimonTestControls())
    {
        const Example example(cc, 0.7);
        const auto n = static_cast<uint32_t>(example.link.flows.size());
        NS_TEST_ASSERT_MSG_GT(n, 200, "flows");
        ParsimonLeanEngine whole(example.link, example.options);
        const ParsimonLeanState::Names names(example.link);
        std::vector<ParsimonLeanState> states;
        std::size_t longest = 0;
        whole.RunUntil([&](uint32_t) {
            states.emplace_back(whole, names);
            longest = std::max(longest, states.back().GetSize());
            return true;
        });
        NS_TEST_EXPECT_MSG_GT(longest, 1000, "some states have much in them");
        const std::vector<int64_t> expected = whole.GetFctNs();
        ParsimonLeanEngine plain(example.link, example.options);
        NS_TEST_EXPECT_MSG_EQ((plain.Run() == expected), true, "saving changes nothing, " << cc);

        std::vector<int64_t> fctNs(n, -1);
        auto engine = std::make_unique<ParsimonLeanEngine>(example.link, example.options);
        auto takeOver = [&]() {
            for (uint32_t i = 0; i < n; ++i)
            {
                fctNs[i] = engine->GetFctNs()[i] >= 0 ? engine->GetFctNs()[i] : fctNs[i];
            }
        };
        uint32_t current = 0;
        uint32_t different = 0;
        while (!engine->RunUntil([&](uint32_t flow) {
            different += ParsimonLeanState(*engine, names) == states[flow] ? 0 : 1;
            const bool isDone = flow > current;
            current = flow;
            return !isDone;
        }))
        {
            takeOver();
            const ParsimonLeanState state(*engine, names);
            engine = std::make_unique<ParsimonLeanEngine>(example.link, example.options);
            state.Restore(*engine, current, names);
        }
        takeOver();
        NS_TEST_EXPECT_MSG_EQ(different, 0, "the same states, " << cc);
        NS_TEST_EXPECT_MSG_EQ((fctNs == expected), true, cc);
    }
}

/**
 * @ingroup parsimon-tests
 * @brief A simulation with the help of a history has the result of one from nothing.
 */
class RepeatTestCase : public TestCase
{
  public:
    RepeatTestCase()
        : TestCase("A history answers for nearly the same input")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string& cc : ParsimonTestControls())
        {
            for (const double load : {0.15, 0.7})
            {
                const Example example(cc, load);
                CheckChanges(example, cc + ", load " + std::to_string(load));
            }
        }
    }

    /// Flows that go, come, or come from elsewhere; nothing; everything.
    void CheckChanges(const Example& example, const std::string& where)
    {
        const ParsimonLink& link = example.link;
        const ParsimonLeanHistory history(link, example.options);
        ParsimonLeanEngine first(link, example.options);
        NS_TEST_EXPECT_MSG_EQ((history.GetResult().fctNs == first.Run()),
                              true,
                              "the link itself, " << where);
        NS_TEST_EXPECT_MSG_EQ(history.GetResult().queueBytes,
                              first.TakeQueueBytes(),
                              "largest queue, " << where);
        NS_TEST_EXPECT_MSG_GT(history.GetResult().queueBytes, 1048, "packets wait, " << where);
        NS_TEST_EXPECT_MSG_GT(history.GetNStates(), 10, "states, " << where);
        const uint64_t all = first.GetNPackets();
        auto repeat = [&](const ParsimonLink& changed, const std::string& what) {
            uint64_t nPackets = 0;
            const auto result = history.Repeat(changed, example.options, &nPackets);
            ParsimonLeanEngine engine(changed, example.options);
            NS_TEST_EXPECT_MSG_EQ((result.fctNs == engine.Run()), true, what << ", " << where);
            NS_TEST_EXPECT_MSG_EQ(result.queueBytes,
                                  engine.TakeQueueBytes(),
                                  "largest queue, " << what << ", " << where);
            NS_TEST_EXPECT_MSG_EQ(
                (result.idealNs == ParsimonIdealFcts(changed, example.scenario->GetNetwork())),
                true,
                "ideal, " << what << ", " << where);
            return static_cast<double>(nPackets) / static_cast<double>(all);
        };
        NS_TEST_EXPECT_MSG_EQ(repeat(link, "no change"), 0, "nothing is simulated");

        ParsimonLink changed = link;
        changed.availableBps -= 1;
        NS_TEST_EXPECT_MSG_GT(repeat(changed, "another rate"), 0.99, "everything is");
        for (const std::size_t gone :
             {std::size_t{0}, link.flows.size() / 2, link.flows.size() - 1})
        {
            changed = link;
            changed.flows.erase(changed.flows.begin() + static_cast<std::ptrdiff_t>(gone));
            const double share = repeat(changed, "without flow " + std::to_string(gone));
            if (gone == link.flows.size() - 1)
            {
                NS_TEST_EXPECT_MSG_LT(share, 0.5, "flows before it are not simulated, " << where);
            }
        }
        // a few flows at random, from and to ends that are there or new
        Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(7);
        double least = 1;
        for (uint32_t round = 0; round < 12; ++round)
        {
            changed = link;
            for (uint32_t i = 0; i < 1 + round / 3; ++i)
            {
                auto& flows = changed.flows;
                auto any = [&](std::size_t n) {
                    return uniform->GetInteger(0, static_cast<uint32_t>(n) - 1);
                };
                flows.erase(flows.begin() + any(flows.size()));
                ParsimonLinkFlow flow = flows[any(flows.size())];
                flow.startNs = flows[any(flows.size())].startNs + any(2000);
                flow.destination = any(changed.destinations.size());
                if (any(2) > 0)
                {
                    flow.source = static_cast<uint32_t>(changed.sources.size());
                    changed.sources.push_back({5000 + i, 5000 + i, 10'000'000'000, 2000});
                }
                Insert(flows, flow);
            }
            // ends are numbered in another order, too
            std::reverse(changed.sources.begin(), changed.sources.end());
            for (auto& flow : changed.flows)
            {
                flow.source = static_cast<uint32_t>(changed.sources.size()) - 1 - flow.source;
            }
            least = std::min(least, repeat(changed, "round " + std::to_string(round)));
        }
        NS_TEST_EXPECT_MSG_LT(least, 0.8, "some is reused, " << where);
        if (where == "dctcp, load " + std::to_string(0.15))
        {
            NS_TEST_EXPECT_MSG_LT(least, 0.1, "most where there is little queueing");
        }
    }
};

DCN_TEST_CASE(BusyHostTestCase,
              "NICs of hosts that had one flow stay busy to the end of its last packet")
{
    for (const std::string& cc : ParsimonTestControls())
    {
        const auto config = DcnNetworkConfig::Preset(cc);
        const auto options = MakeOptions(*config);
        Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(11);
        auto any = [&](uint32_t n) { return uniform->GetInteger(0, n - 1); };
        ParsimonLink link{};
        link.position = ParsimonPosition::SWITCH_TO_SWITCH;
        link.capacityBps = link.availableBps = 40'000'000'000;
        link.delayNs = 1000;
        link.destinations.push_back({1000, 1000, 100'000'000'000, 1000});
        int64_t startNs = 0;
        for (uint32_t i = 0; i < 700; ++i) // a host each, in pairs; small flows but for some
        {
            link.sources.push_back({i, i, 10'000'000'000, 1000});
            link.flows.push_back(
                {i, i, 0, i % 20 == 0 ? 60'000 + any(400'000) : 200 + any(900), startNs});
            startNs += i % 2 == 0 ? any(500) : 3000 + any(3000);
        }
        const ParsimonLeanHistory history(link, options);
        NS_TEST_EXPECT_MSG_GT(history.GetNStates(), 10, "states, " << cc);
        uint32_t nDifferent = 0;
        for (std::size_t i = 1; i + 1 < link.flows.size(); i += 2)
        {
            ParsimonLink now = link;
            ParsimonLinkFlow again = link.flows[i - 1];
            again.flow = 500;
            again.startNs = link.flows[i].startNs + any(800);
            Insert(now.flows, again);
            uint64_t nPackets = 0;
            ParsimonLeanEngine engine(now, options);
            const auto result = history.Repeat(now, options, &nPackets);
            const bool isSame = result.fctNs == engine.Run();
            nDifferent += isSame && result.queueBytes == engine.TakeQueueBytes() ? 0 : 1;
        }
        NS_TEST_EXPECT_MSG_EQ(nDifferent, 0, cc);
    }
}

/// Halves its rate at marks, and has no state that can be resumed.
class Plain final : public DcnCongestionControl
{
  public:
    using DcnCongestionControl::DcnCongestionControl;

    void OnAck(const DcnAckInfo& ack) override
    {
        m_nMarks += ack.congestionExperienced ? 1 : 0;
        m_rate = Clamp(m_maxRate / (1 + m_nMarks));
    }

  private:
    uint64_t m_nMarks{0}; //!< marks so far: a state of which engines know nothing
};

/// Makes it known.
const DcnCongestionControl::Registration g_plain({"test-plain"},
                                                 {{100, 64, false}},
                                                 &DcnCongestionControl::Make<Plain>);

/// A control without a state that can be resumed: everything is simulated again, correctly.
DCN_TEST_CASE(PlainTestCase, "A history of a control that is not replayable is not resumed")
{
    const Example example("test-plain", 0.7);
    const ParsimonLeanHistory history(example.link, example.options);
    NS_TEST_EXPECT_MSG_EQ(history.GetNStates(), 0, "nothing to resume");
    ParsimonLink changed = example.link;
    changed.flows.erase(changed.flows.end() - 50);
    ParsimonLeanEngine engine(changed, example.options);
    uint64_t nPackets = 0;
    const auto again = history.Repeat(changed, example.options, &nPackets);
    NS_TEST_EXPECT_MSG_EQ((again.fctNs == engine.Run()), true, "as from nothing");
    NS_TEST_EXPECT_MSG_EQ(nPackets, engine.GetNPackets(), "all packets");
    NS_TEST_EXPECT_MSG_EQ((again.fctNs == history.GetResult().fctNs), false, "another run");
}

DcnTestSuite<RelayTestCase, RepeatTestCase, BusyHostTestCase, PlainTestCase>
    g_parsimonHistoryTestSuite("parsimon-history"); //!< the suite

} // namespace
