/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-scenario.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-features.h"
#include "ns3/m4-fluid-state.h"
#include "ns3/m4-tape.h"
#include "ns3/m4-tracker.h"
#include "ns3/random-variable-stream.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/// What flows were served at fair rates is the sum of rate x time, computed flow by flow.
class FluidStateTestCase : public TestCase
{
  public:
    FluidStateTestCase()
        : TestCase("service at fair rates")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<double> capacities{10e9, 40e9, 10e9, 25e9, 10e9};
        M4FluidState state(capacities);
        FlowsimMaxMinSolver solver(capacities);
        struct Twin
        {
            FlowsimMaxMinSolver::FlowSlot slot;
            double served;
        };
        std::map<M4FluidState::Slot, Twin> twins;
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(5);
        int64_t now = 0;
        double worst = 0;
        for (int step = 0; step < 3000; ++step)
        {
            const int64_t dt = random->GetInteger(0, 2000);
            for (auto& [slot, twin] : twins)
            {
                twin.served += solver.GetRate(twin.slot) * static_cast<double>(dt) / 1e9;
            }
            now += dt;
            for (const auto& [slot, twin] : twins)
            {
                const double served = state.GetServed(slot, now);
                worst = std::max(worst, std::abs(served - twin.served) / (1 + twin.served));
                NS_TEST_EXPECT_MSG_EQ_TOL(state.GetRate(slot),
                                          solver.GetRate(twin.slot),
                                          1e-3,
                                          "rates of the same flows");
            }
            if (twins.empty() || (twins.size() < 60 && random->GetValue() < 0.52))
            {
                const uint32_t first = random->GetInteger(0, 4);
                const uint32_t last = random->GetInteger(first, 4);
                std::vector<uint32_t> path;
                for (uint32_t link = first; link <= last; ++link)
                {
                    path.push_back(link);
                }
                const double cap = random->GetValue() < 0.3 ? 1.5e9 : 10e9;
                const DcnPath view{path.data(), path.data() + path.size()};
                const auto slot = state.Add(view, cap, now);
                twins[slot] = {
                    solver.AddFlow(path.data(), static_cast<uint32_t>(path.size()), 1, cap),
                    0};
            }
            else
            {
                auto victim = twins.begin();
                std::advance(victim,
                             random->GetInteger(0, static_cast<uint32_t>(twins.size()) - 1));
                state.Remove(victim->first, now);
                solver.RemoveFlow(victim->second.slot);
                twins.erase(victim);
            }
        }
        NS_TEST_EXPECT_MSG_LT(worst, 1e-6, "relative error of the service");
    }
};

/// Hosts around a switch, links at 10 Gb/s but for that of the last host, and flows between them
/// that trackers are told of.
struct Star
{
    /**
     * @param nHosts how many
     * @param flowBytes payload of each flow
     * @param lastRateBps rate of the last host's link [bit/s]
     */
    Star(uint32_t nHosts, uint64_t flowBytes, uint64_t lastRateBps = 10'000'000'000)
        : topology(Make(nHosts, lastRateBps)),
          model(*topology, *network),
          routing(topology),
          bytes(flowBytes)
    {
    }

    /**
     * @brief Start a flow.
     * @param tracker is told
     * @param src host it comes from
     * @param dst host it goes to
     * @param now when [ns]
     * @return its slot
     */
    uint32_t Start(M4Tracker& tracker, uint32_t src, uint32_t dst, int64_t now)
    {
        const auto& hosts = topology->GetHosts();
        std::vector<uint32_t> links;
        routing.AppendPath({0, hosts[src], hosts[dst], 1, 0}, links);
        const DcnPath path{links.data(), links.data() + links.size()};
        return tracker.Start(model.Compute(path, bytes), path, now, snapshot);
    }

    /**
     * @param nHosts how many
     * @param lastRateBps rate of the last host's link [bit/s]
     * @return the network
     */
    static Ptr<DcnTopology> Make(uint32_t nHosts, uint64_t lastRateBps)
    {
        DcnTopologyBuilder builder;
        std::vector<uint32_t> hosts;
        for (uint32_t i = 0; i < nHosts; ++i)
        {
            hosts.push_back(builder.AddNode(DcnNodeKind::HOST));
        }
        const uint32_t s = builder.AddNode(DcnNodeKind::SWITCH);
        for (const uint32_t host : hosts)
        {
            builder.AddLink(host, s, host == hosts.back() ? lastRateBps : 10'000'000'000, 1000);
        }
        return builder.Build();
    }

    Ptr<DcnNetworkConfig> network{DcnNetworkConfig::Preset("dctcp")}; //!< the configuration
    Ptr<DcnTopology> topology;                                        //!< the network
    M4FlowModel model;                                                //!< what is known of flows
    DcnRouting routing;                                               //!< paths
    uint64_t bytes;                                                   //!< payload of each flow
    M4Snapshot snapshot;                                              //!< of the latest event
};

/// Snapshots: the flows on the event's links, and no others; slots are used again.
class TrackerTestCase : public TestCase
{
  public:
    TrackerTestCase()
        : TestCase("what an event touches")
    {
    }

  private:
    void DoRun() override
    {
        Star star(4, 100'000);
        M4Tracker tracker(*star.topology);
        M4Snapshot& snapshot = star.snapshot;
        auto start = [&](uint32_t src, uint32_t dst, int64_t now) {
            return star.Start(tracker, src, dst, now);
        };
        NS_TEST_EXPECT_MSG_EQ(start(0, 1, 100), 0, "first slot");
        NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size(), 1, "alone");
        NS_TEST_EXPECT_MSG_EQ(snapshot.edgeFlow.size(), 2, "two links");
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidLogSlowdown[0], 0, 1e-6, "alone at full rate");
        NS_TEST_EXPECT_MSG_EQ(start(2, 3, 200), 1, "second slot");
        NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size(), 1, "no link in common");
        NS_TEST_EXPECT_MSG_EQ(start(2, 1, 300), 2, "third slot");
        NS_TEST_EXPECT_MSG_EQ((snapshot.flows == std::vector<uint32_t>{0, 1, 2}), true, "both");
        NS_TEST_EXPECT_MSG_EQ(snapshot.eventRow, 2, "row of the new flow");
        NS_TEST_EXPECT_MSG_EQ((snapshot.edgeFlow == std::vector<uint32_t>{0, 1, 2, 2}),
                              true,
                              "flow 0 on the last link, flow 1 on the first");
        NS_TEST_EXPECT_MSG_EQ((snapshot.edgeLink == std::vector<uint32_t>{1, 0, 0, 1}),
                              true,
                              "links of the edges");
        const float* features = &snapshot.flowFeatures[2 * M4Features::N_FLOW];
        NS_TEST_EXPECT_MSG_EQ_TOL(features[M4Features::N_STATIC + M4Features::RATE],
                                  0.5,
                                  1e-6,
                                  "half of a link");
        // 100 packets, two links: the first packet on the first link, then all at half rate
        const double wire = 8 * (100'000 + 100 * 48) / 5.0;
        const DcnPath links{snapshot.links.data(), snapshot.links.data() + snapshot.links.size()};
        const double ideal = star.model.Compute(links, 100'000).idealNs;
        NS_TEST_EXPECT_MSG_EQ_TOL(
            snapshot.fluidLogSlowdown[2],
            std::log((wire + ideal - wire / 2) / ideal),
            1e-5,
            "slowdown at half rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidService[2], wire / ideal, 1e-5, "all at half rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.edgeWait[2], 800 / ideal, 1e-6, "1 KB at 10 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(snapshot.edgeWait[3], snapshot.edgeWait[2], "on both of its links");
        NS_TEST_EXPECT_MSG_EQ(snapshot.edgeWait[0], 0, "others do not start");
        // flow 0 has had 200 ns at 10 Gb/s
        NS_TEST_EXPECT_MSG_EQ_TOL(tracker.GetFluidLeft(0, 300),
                                  1 - 2000 / (8 * (100'000.0 + 100 * 48)),
                                  1e-9,
                                  "fluid left");
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidLeft[0],
                                  tracker.GetFluidLeft(0, 300),
                                  1e-7,
                                  "fluid left of its row");
        tracker.End(0, 400, snapshot);
        NS_TEST_EXPECT_MSG_EQ((snapshot.flows == std::vector<uint32_t>{2}), true, "who is left");
        NS_TEST_EXPECT_MSG_EQ(snapshot.eventRow, M4Snapshot::NO_ROW, "an end");
        NS_TEST_EXPECT_MSG_EQ((snapshot.edgeWait == std::vector<float>{0}), true, "nobody starts");
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidService[0],
                                  wire / ideal,
                                  1e-5,
                                  "flow 1 is still there");
        NS_TEST_EXPECT_MSG_EQ(start(3, 0, 500), 0, "the slot is used again");
        NS_TEST_EXPECT_MSG_EQ(tracker.GetNFlows(), 3, "active flows");
        // 1 KB on links of 40 and 10 Gb/s
        Star fast(2, 100'000, 40'000'000'000);
        M4Tracker other(*fast.topology);
        fast.Start(other, 1, 0, 0);
        const DcnPath path{fast.snapshot.links.data(), fast.snapshot.links.data() + 2};
        const double idealNs = fast.model.Compute(path, 100'000).idealNs;
        NS_TEST_EXPECT_MSG_EQ_TOL(fast.snapshot.edgeWait[0], 200 / idealNs, 1e-7, "40 Gb/s");
        NS_TEST_EXPECT_MSG_EQ_TOL(fast.snapshot.edgeWait[1], 800 / idealNs, 1e-7, "10 Gb/s");
    }
};

/// Flows elsewhere whose fair rate changes are touched; of many flows each has its turn.
class ReachTestCase : public TestCase
{
  public:
    ReachTestCase()
        : TestCase("flows elsewhere, and more flows than an event touches")
    {
    }

  private:
    void DoRun() override
    {
        Star star(20, 1'000'000);
        const M4Snapshot& snapshot = star.snapshot;
        auto touches = [&snapshot](uint32_t slot) {
            return std::find(snapshot.flows.begin(), snapshot.flows.end(), slot) !=
                   snapshot.flows.end();
        };
        // A from 0 to 1 and B from 0 to 2 share 0's link: half of it each. A third flow to 1
        // shares A's other link, which has room for both halves: nothing changes for B. A fourth
        // makes it A's bottleneck: A falls to a third and B rises to two thirds.
        M4Tracker tracker(*star.topology);
        star.Start(tracker, 0, 1, 0);
        const uint32_t b = star.Start(tracker, 0, 2, 10);
        star.Start(tracker, 3, 1, 20);
        NS_TEST_EXPECT_MSG_EQ(touches(b), false, "the same rate, and no link in common");
        const uint32_t fourth = star.Start(tracker, 4, 1, 30);
        NS_TEST_EXPECT_MSG_EQ(touches(b), true, "its rate changes");
        NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size(), 4, "all");
        NS_TEST_EXPECT_MSG_EQ((std::count(snapshot.edgeFlow.begin(), snapshot.edgeFlow.end(), b)),
                              0,
                              "it is on none of the event's links");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            snapshot.flowFeatures[b * M4Features::N_FLOW + M4Features::N_STATIC +
                                  M4Features::RATE],
            2.0 / 3,
            1e-6,
            "rate of B");
        tracker.End(fourth, 40, star.snapshot);
        NS_TEST_EXPECT_MSG_EQ(touches(b), true, "its rate changes back");
        NS_TEST_EXPECT_MSG_EQ(star.Start(tracker, 10, 11, 50), fourth, "an event far away");
        NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size(), 1, "touches nobody else");

        // n flows on a link: in n / 64 events that touch it, each has been touched
        M4Tracker crowded(*star.topology);
        constexpr uint32_t N = 300;
        for (uint32_t i = 0; i < N; ++i)
        {
            star.Start(crowded, 1 + i % 19, 0, i);
            NS_TEST_EXPECT_MSG_EQ(touches(i), true, "the flow that starts");
            NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size(),
                                  std::min(i + 1, M4Tracker::MAX_FLOWS),
                                  "bounded");
        }
        std::set<uint32_t> seen;
        for (uint32_t i = 0; i < (N + 62) / 63; ++i)
        {
            star.Start(crowded, 1, 0, N + i);
            seen.insert(snapshot.flows.begin(), snapshot.flows.end());
        }
        for (uint32_t i = 0; i < N; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(seen.count(i), 1, "flow " << i << " had its turn");
        }
    }
};

/// Labels come with the rows that they belong to, and weigh one per flow.
class TapeTestCase : public TestCase
{
  public:
    TapeTestCase()
        : TestCase("events with labels")
    {
    }

  private:
    void DoRun() override
    {
        DcnWorkloadSpec spec;
        spec.nFlows = 300;
        M4Truth truth;
        truth.scenario = DcnMakeTestScenario(spec, DcnNetworkConfig::Preset("dcqcn"));
        const auto& flows = truth.scenario->GetFlows();
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            const int64_t ideal = truth.scenario->GetIdealFct(i).GetTotalNs();
            truth.fctNs.push_back(i == 7 ? -1 : ideal * 3);
            // half is left after a third of the time
            truth.left.push_back({{flows[i].startNs, 1}, {flows[i].startNs + ideal, 0.5F}});
            if (i != 7)
            {
                truth.left.back().push_back({flows[i].startNs + 3 * ideal, 0});
            }
            for (std::size_t hop = 0; hop < truth.scenario->GetPath(i).size(); ++hop)
            {
                truth.queueBytes.push_back(hop == 0 ? -1 : 1000);
            }
        }
        M4Tape tape(truth);
        M4Step step;
        std::vector<double> weights(flows.size(), 0);
        std::vector<double> leftWeights(flows.size(), 0);
        std::size_t nUnknown = 0;
        std::size_t nSteps = 0;
        uint32_t highest = 0;
        while (tape.Next(step))
        {
            ++nSteps;
            for (std::size_t row = 0; row < step.flow.size(); ++row)
            {
                weights[step.flow[row]] += step.weight[row];
                highest = std::max(highest, step.snapshot.flows[row]);
                if (step.weight[row] > 0)
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(step.logSlowdown[row], std::log(3), 1e-3, "label");
                }
                const uint32_t flow = step.flow[row];
                const double age = static_cast<double>(step.timeNs - flows[flow].startNs) /
                                   static_cast<double>(truth.fctNs[flow == 7 ? 6 : flow]) * 3;
                const double left = age < 1 ? 1 - age / 2 : (3 - age) / 4;
                if (flow != 7)
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(step.left[row], left, 1e-4, "between known values");
                    leftWeights[flow] += step.leftWeight[row];
                }
                else if (step.left[row] < 0)
                {
                    ++nUnknown;
                    NS_TEST_EXPECT_MSG_EQ(step.leftWeight[row], 0, "nor does it count");
                }
            }
            if (step.snapshot.eventRow != M4Snapshot::NO_ROW)
            {
                NS_TEST_EXPECT_MSG_EQ(step.isNew[step.snapshot.eventRow], 1, "the new flow");
                NS_TEST_EXPECT_MSG_EQ(step.queue[0], M4Step::NO_LABEL, "not known");
                NS_TEST_EXPECT_MSG_EQ_TOL(step.queue[1], std::log(2), 1e-6, "1 KB");
                NS_TEST_EXPECT_MSG_EQ_TOL(step.queueWeight[1],
                                          1.0 / static_cast<double>(step.queue.size()),
                                          1e-6,
                                          "one link of all");
            }
            for (const float feature : step.snapshot.flowFeatures)
            {
                NS_TEST_EXPECT_MSG_EQ(std::isfinite(feature), true, "features are numbers");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(nSteps, 2 * flows.size() - 1, "all events; flow 7 never departs");
        // without weight at all events only the last one counts
        M4Tape sparse(truth, {}, 0);
        std::vector<uint32_t> nWeighted(flows.size(), 0);
        std::vector<uint32_t> isLast(flows.size(), 0);
        while (sparse.Next(step))
        {
            for (std::size_t row = 0; row < step.flow.size(); ++row)
            {
                nWeighted[step.flow[row]] += step.weight[row] > 0 ? 1 : 0;
                isLast[step.flow[row]] = step.weight[row] == 1 ? 1 : 0;
            }
        }
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(nWeighted[i], (i == 7 ? 0 : 1), "one event of a flow");
            NS_TEST_EXPECT_MSG_EQ(isLast[i], (i == 7 ? 0 : 1), "the last");
        }
        NS_TEST_EXPECT_MSG_GT(nUnknown, 0, "nothing is known of flow 7 after some time");
        NS_TEST_EXPECT_MSG_EQ(highest + 1, tape.GetNSlots(), "slots");
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(weights[i], (i == 7 ? 0 : 1), 1e-4, "weight of a flow");
            NS_TEST_EXPECT_MSG_EQ_TOL(leftWeights[i], (i == 7 ? 0 : 1), 1e-4, "of what is left");
        }
    }
};

/// The suite.
class M4TrackerTestSuite : public TestSuite
{
  public:
    M4TrackerTestSuite()
        : TestSuite("m4-tracker", Type::UNIT)
    {
        AddTestCase(new FluidStateTestCase);
        AddTestCase(new TrackerTestCase);
        AddTestCase(new ReachTestCase);
        AddTestCase(new TapeTestCase);
    }
};

M4TrackerTestSuite g_m4TrackerTestSuite; //!< the suite

} // namespace
