/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-scenario.h"

#include "ns3/dcn-statistics.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"
#include "../model/simulate/parsimon-lean-engine.h"
#include "../model/simulate/parsimon-lean-interface.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-link-scenario.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param cc congestion control
 * @return 4,000 flows of at most 300 kB on a 32-host fabric at 60 % load
 */
Ptr<const DcnScenario>
MakeFabric(const std::string& cc)
{
    DcnWorkloadSpec spec;
    spec.sizes = "web-server";
    spec.sizeCapBytes = 300000;
    spec.load = 0.6;
    spec.nFlows = 4000;
    return DcnMakeTestScenario(spec, DcnNetworkConfig::Preset(cc));
}

/**
 * @param builder makes link topologies
 * @param position where the link is
 * @return the most loaded link there
 */
ParsimonLink
HottestLink(const ParsimonLinkBuilder& builder, ParsimonPosition position)
{
    ParsimonLink hottest{};
    double load = 0;
    for (uint32_t each : builder.GetBusyLinks())
    {
        ParsimonLink link = builder.Build(each);
        if (link.position == position && builder.GetLoad(each) > load)
        {
            load = builder.GetLoad(each);
            hottest = std::move(link);
        }
    }
    return hottest;
}

/**
 * @ingroup parsimon-tests
 * @brief The lean simulator runs the packet engine's model: nearly all flows take the same time to
 * the nanosecond, with every congestion control and at every position.
 */
class LeanAgainstPacketTestCase : public TestCase
{
  public:
    LeanAgainstPacketTestCase()
        : TestCase("The lean link simulator agrees with the packet engine")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string& cc : DcnNetworkConfig::GetCongestionControls())
        {
            auto scenario = MakeFabric(cc);
            const DcnNetworkParameters& network = scenario->GetNetwork();
            const ParsimonLinkBuilder builder(scenario);
            auto lean = ParsimonLinkSimulator::Create("lean", network, 1);
            auto packet = ParsimonLinkSimulator::Create("packet", network, 1);
            for (auto position : {ParsimonPosition::FIRST_HOP,
                                  ParsimonPosition::SWITCH_TO_SWITCH,
                                  ParsimonPosition::LAST_HOP})
            {
                Compare(HottestLink(builder, position), *lean, *packet, network);
            }
        }
    }

    /// One link in both.
    void Compare(const ParsimonLink& link,
                 const ParsimonLinkSimulator& lean,
                 const ParsimonLinkSimulator& packet,
                 const DcnNetworkParameters& network)
    {
        const ParsimonLinkResult ours = lean.Simulate(link, false);
        const ParsimonLinkResult theirs = packet.Simulate(link, false);
        const std::string where =
            network.congestionControl + ", position " +
                std::to_string(static_cast<int>(link.position));
        NS_TEST_ASSERT_MSG_EQ(ours.fctNs.size(), link.flows.size(), where);
        NS_TEST_EXPECT_MSG_EQ((ours.idealNs == theirs.idealNs), true, where);
        std::vector<double> delays;
        std::vector<double> trueDelays;
        std::size_t same = 0;
        for (std::size_t i = 0; i < link.flows.size(); ++i)
        {
            const auto packets = static_cast<double>(
                DcnPackets(link.flows[i].sizeBytes, network.payloadBytes));
            delays.push_back(static_cast<double>(ours.fctNs[i] - ours.idealNs[i]) / packets);
            trueDelays.push_back(static_cast<double>(theirs.fctNs[i] - theirs.idealNs[i]) /
                                             packets);
            same += ours.fctNs[i] == theirs.fctNs[i] ? 1 : 0;
        }
        std::sort(delays.begin(), delays.end());
        std::sort(trueDelays.begin(), trueDelays.end());
        const double p99 = DcnQuantile(trueDelays, 0.99);
        NS_TEST_EXPECT_MSG_GT(p99, 100, "there is queueing: " << where);
        NS_TEST_EXPECT_MSG_EQ_TOL(DcnQuantile(delays, 0.99), p99, 0.03 * p99, where);
        // what is left differs by the order of events of the same nanosecond
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(same),
                              0.9 * static_cast<double>(link.flows.size()),
                              where);
    }
};

/**
 * @param random source of random numbers
 * @param position where the target is
 * @return a link topology with up to five sources and destinations and flows of 1 byte to 60 kB
 */
ParsimonLink
RandomLink(UniformRandomVariable& random, ParsimonPosition position)
{
    const uint64_t rate = 10'000'000'000;
    const uint64_t capacity = random.GetInteger(0, 1) ? rate : 4 * rate;
    ParsimonLink link{0, position, capacity, capacity - random.GetInteger(0, 1'000'000'000),
                      random.GetInteger(0, 3) * 500, {}, {}, {}};
    const bool isFirst = position == ParsimonPosition::FIRST_HOP;
    const uint32_t nSources = isFirst ? 1 : random.GetInteger(1, 5);
    for (uint32_t i = 0; i < nSources; ++i)
    {
        const uint64_t corrected =
            rate - random.GetInteger(0, 1) * random.GetInteger(1, 500'000'000);
        link.sources.push_back({i, 2 * i + 2, isFirst ? 0 : corrected,
                                isFirst ? 0 : 1000 + 1000 * random.GetInteger(0, 4)});
    }
    const bool isLast = position == ParsimonPosition::LAST_HOP;
    const uint32_t nDestinations = isLast ? 1 : random.GetInteger(1, 5);
    for (uint32_t i = 0; i < nDestinations; ++i)
    {
        link.destinations.push_back({100 + i, 100 + 2 * i, isLast ? 0 : 10 * rate,
                                     isLast ? 0 : 1000 + 1000 * random.GetInteger(0, 4)});
    }
    int64_t startNs = 0;
    const uint32_t nFlows = random.GetInteger(1, 40);
    for (uint32_t i = 0; i < nFlows; ++i)
    {
        const uint32_t largest = random.GetInteger(0, 1) ? 300 : 60'000;
        link.flows.push_back({i, random.GetInteger(0, nSources - 1),
                              random.GetInteger(0, nDestinations - 1),
                              random.GetInteger(1, largest), startNs});
        startNs += random.GetInteger(0, 2) * random.GetInteger(0, 20'000);
    }
    return link;
}

/**
 * @ingroup parsimon-tests
 * @brief Skipping rounds of an interface changes nothing: completion times are those of a packet by
 * packet simulation, to the nanosecond.
 */
class InterfacesTestCase : public TestCase
{
  public:
    InterfacesTestCase()
        : TestCase("Flows that share interfaces only, packet by packet and by rounds")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        std::size_t byRounds = 0;
        std::size_t flows = 0;
        for (uint32_t run = 0; run < 1000; ++run)
        {
            const std::string cc = std::vector<std::string>{"dctcp", "dcqcn", "timely"}[run % 3];
            const auto network = DcnNetworkConfig::Preset(cc);
            network->windowBytes = 1000 * random->GetInteger(10, 24); // some bind
            const auto position = static_cast<ParsimonPosition>(random->GetInteger(0, 2));
            const ParsimonLink link = RandomLink(*random, position);
            std::vector<int64_t> fctNs(link.flows.size(), -1);
            const auto others = ParsimonLeanInterfaces(link, *network).Run(fctNs);
            const bool isFirst = position == ParsimonPosition::FIRST_HOP;
            const auto packets =
                ParsimonLeanEngine(link, {PeekPointer(network), 1, 1, 1, isFirst}).Run();
            for (std::size_t i = 0; i < link.flows.size(); ++i)
            {
                ++flows;
                if (fctNs[i] >= 0)
                {
                    ++byRounds;
                    NS_TEST_ASSERT_MSG_EQ(fctNs[i], packets[i], "run " << run << ", flow " << i);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(others.size(),
                                  static_cast<std::size_t>(
                                      std::count(fctNs.begin(), fctNs.end(), -1)),
                                  run);
        }
        NS_TEST_EXPECT_MSG_GT(byRounds, flows / 3, "the rule applies often");
        NS_TEST_EXPECT_MSG_LT(byRounds, flows, "but not always");
    }
};

/**
 * @ingroup parsimon-tests
 * @brief Random link topologies, each with every congestion control, in the lean simulator and in
 * the packet engine: completion times with contention and of the interfaces alone.
 */
class RandomLinksTestCase : public TestCase
{
  public:
    RandomLinksTestCase()
        : TestCase("Random link topologies agree with the packet engine")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(8);
        std::size_t same = 0;
        std::size_t sameNic = 0;
        std::size_t flows = 0;
        double sum = 0;
        double trueSum = 0;
        for (uint32_t run = 0; run < 200; ++run)
        {
            const auto& controls = DcnNetworkConfig::GetCongestionControls();
            const auto network = DcnNetworkConfig::Preset(controls[run % controls.size()]);
            network->windowBytes = random->GetInteger(0, 4) * 6000;
            const auto position = static_cast<ParsimonPosition>(random->GetInteger(0, 2));
            const ParsimonLink link = RandomLink(*random, position);
            const auto ours =
                ParsimonLinkSimulator::Create("lean", *network, 1)->Simulate(link, true);
            const auto theirs =
                ParsimonLinkSimulator::Create("packet", *network, 1)->Simulate(link, true);
            NS_TEST_EXPECT_MSG_EQ((ours.idealNs == theirs.idealNs), true, run);
            for (std::size_t i = 0; i < link.flows.size(); ++i)
            {
                ++flows;
                same += ours.fctNs[i] == theirs.fctNs[i] ? 1 : 0;
                sameNic += ours.nicNs[i] == theirs.nicNs[i] ? 1 : 0;
                sum += static_cast<double>(ours.fctNs[i]) / static_cast<double>(ours.idealNs[i]);
                trueSum +=
                    static_cast<double>(theirs.fctNs[i]) / static_cast<double>(theirs.idealNs[i]);
                NS_TEST_EXPECT_MSG_EQ((ours.nicNs[i] > 0 && ours.fctNs[i] > 0), true, run);
            }
        }
        // flows that start at the same instant are served in another order now and then
        NS_TEST_EXPECT_MSG_GT(same, flows * 8 / 10, "of " << flows);
        NS_TEST_EXPECT_MSG_GT(sameNic, flows * 8 / 10, "of " << flows);
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, trueSum, 0.01 * trueSum, "mean slowdown");
    }
};

/**
 * @ingroup parsimon-tests
 * @brief Tests of the lean link simulator.
 */
class ParsimonLeanTestSuite : public TestSuite
{
  public:
    ParsimonLeanTestSuite()
        : TestSuite("parsimon-lean", Type::UNIT)
    {
        AddTestCase(new LeanAgainstPacketTestCase);
        AddTestCase(new InterfacesTestCase);
        AddTestCase(new RandomLinksTestCase);
    }
};

ParsimonLeanTestSuite g_suite; //!< registers itself

} // namespace
