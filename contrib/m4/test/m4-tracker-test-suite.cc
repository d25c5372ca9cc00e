/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/state/m4-default-tracker.h"
#include "../model/state/m4-link-history.h"
#include "../model/state/m4-published-tracker.h"
#include "dcn-test-case.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-workload.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/// The service of flows at fair rates is the sum of rate x time, computed flow by flow.
DCN_TEST_CASE(FluidStateTestCase, "service at fair rates")
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
            twins[slot] = {solver.AddFlow(path.data(), static_cast<uint32_t>(path.size()), 1, cap),
                           0};
        }
        else
        {
            auto victim = twins.begin();
            std::advance(victim, random->GetInteger(0, static_cast<uint32_t>(twins.size()) - 1));
            state.Remove(victim->first, now);
            solver.RemoveFlow(victim->second.slot);
            twins.erase(victim);
        }
    }
    NS_TEST_EXPECT_MSG_LT(worst, 1e-6, "relative error of the service");
}

/// Hosts around a switch with links at 10 Gb/s, and flows between them.
struct Star
{
    /**
     * @param nHosts how many
     * @param flowBytes payload of each flow
     */
    Star(uint32_t nHosts, uint64_t flowBytes)
        : topology(DcnMakeStar(nHosts)),
          model(*topology, *network),
          routing(topology),
          bytes(flowBytes)
    {
    }

    /**
     * @brief Start a flow.
     * @param tracker of the flow
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

    Ptr<DcnNetworkConfig> network{DcnNetworkConfig::Preset("dctcp")}; //!< the configuration
    Ptr<DcnTopology> topology;                                        //!< the network
    M4FlowModel model;                                                //!< constants of flows
    DcnRouting routing;                                               //!< paths
    uint64_t bytes;                                                   //!< payload of each flow
    M4Snapshot snapshot;                                              //!< of the latest event
};

/// Snapshots: the flows on the event's links, and no others; slots are used again.
DCN_TEST_CASE(TrackerTestCase, "what an event touches")
{
    Star star(4, 100'000);
    M4DefaultTracker tracker(*star.topology);
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
    NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidLogSlowdown[2],
                              std::log((wire + ideal - wire / 2) / ideal),
                              1e-5,
                              "slowdown at half rate");
    // flow 0 has had 200 ns at 10 Gb/s
    NS_TEST_EXPECT_MSG_EQ_TOL(tracker.GetFluidRemaining(0, 300),
                              1 - 2000 / (8 * (100'000.0 + 100 * 48)),
                              1e-9,
                              "remaining");
    NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidRemaining[0],
                              tracker.GetFluidRemaining(0, 300),
                              1e-7,
                              "remaining of its row");
    tracker.End(0, 400, snapshot);
    NS_TEST_EXPECT_MSG_EQ((snapshot.flows == std::vector<uint32_t>{2}), true, "who is left");
    NS_TEST_EXPECT_MSG_EQ(snapshot.eventRow, M4Snapshot::NO_ROW, "an end");
    NS_TEST_EXPECT_MSG_EQ(start(3, 0, 500), 0, "the slot is used again");
    NS_TEST_EXPECT_MSG_EQ(tracker.GetNFlows(), 3, "active flows");
}

/// Flows elsewhere whose fair rate changes are touched; of many flows each has its turn.
DCN_TEST_CASE(ReachTestCase, "flows elsewhere, and more flows than an event touches")
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
    M4DefaultTracker tracker(*star.topology);
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
        snapshot.flowFeatures[b * M4Features::N_FLOW + M4Features::N_STATIC + M4Features::RATE],
        2.0 / 3,
        1e-6,
        "rate of B");
    tracker.End(fourth, 40, star.snapshot);
    NS_TEST_EXPECT_MSG_EQ(touches(b), true, "its rate changes back");
    NS_TEST_EXPECT_MSG_EQ(star.Start(tracker, 10, 11, 50), fourth, "an event far away");
    NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size(), 1, "touches nobody else");

    // n flows on a link: in n / 64 events that touch it, each has been touched
    M4DefaultTracker crowded(*star.topology);
    constexpr uint32_t N = 300;
    for (uint32_t i = 0; i < N; ++i)
    {
        star.Start(crowded, 1 + i % 19, 0, i);
        NS_TEST_EXPECT_MSG_EQ(touches(i), true, "the flow that starts");
        NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size(),
                              std::min(i + 1, M4DefaultTracker::MAX_FLOWS),
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

constexpr double BITS = 8 * (100'000 + 100 * 48); //!< of a flow on the wire

/// @return ln of the slowdown of the first flow
double
GetLogSlowdown(const M4Tracker& tracker, double remaining, int64_t nowNs, double rate)
{
    const M4FlowConstants& constants = tracker.GetConstants(0);
    return std::log((nowNs + remaining * BITS / rate + constants.latencyNs) / constants.idealNs);
}

/// Remaining fractions, and slowdowns if the fair rate stays, of a flow that shares its first link
/// for a while.
DCN_TEST_CASE(RemainingTestCase, "remaining fractions at fair rates")
{
    constexpr double RATE = 10;           // of a link [bit/ns]
    constexpr int64_t SECOND_NS = 40'000; // start of the second flow [ns]
    // Checks features of the first row.
    const auto checkFeatures = [&](const M4Tracker& tracker,
                                   const M4Snapshot& snapshot,
                                   double remaining,
                                   int64_t nowNs,
                                   double rate) {
        auto feature = [&snapshot](M4Features::Dynamic which) {
            return snapshot.flowFeatures[M4Features::N_STATIC + which];
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(tracker.GetFluidRemaining(0, nowNs), remaining, 1e-9, "fluid");
        NS_TEST_EXPECT_MSG_EQ_TOL(feature(M4Features::REMAINING), remaining, 1e-6, "fraction");
        NS_TEST_EXPECT_MSG_EQ_TOL(feature(M4Features::FLUID),
                                  GetLogSlowdown(tracker, remaining, nowNs, rate),
                                  1e-6,
                                  "slowdown");
        const double bdpBits = RATE * tracker.GetConstants(0).rttNs;
        NS_TEST_EXPECT_MSG_EQ_TOL(feature(M4Features::REMAINING_BDP),
                                  std::log1p(remaining * BITS / bdpBits) / 4,
                                  1e-6,
                                  "over the bandwidth-delay product");
    };
    // Checks the first row: remaining fraction, and the slowdown at a rate from now on.
    const auto check = [&](const M4Tracker& tracker,
                           const M4Snapshot& snapshot,
                           double remaining,
                           int64_t nowNs,
                           double rate) {
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidRemaining[0], remaining, 1e-6, "remaining");
        NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.fluidLogSlowdown[0],
                                  GetLogSlowdown(tracker, remaining, nowNs, rate),
                                  1e-6,
                                  "slowdown");
        checkFeatures(tracker, snapshot, remaining, nowNs, rate);
    };
    Star star(3, 100'000);
    M4DefaultTracker tracker(*star.topology);
    const uint32_t first = star.Start(tracker, 0, 1, 0);
    NS_TEST_EXPECT_MSG_EQ(star.snapshot.fluidRemaining[0], 1, "all at the start");
    star.Start(tracker, 0, 2, SECOND_NS);
    // alone, then with half of the link, then alone again
    auto remaining = [](double t) {
        return 1 - (RATE * SECOND_NS + RATE / 2 * (t - SECOND_NS)) / BITS;
    };
    check(tracker, star.snapshot, remaining(SECOND_NS), SECOND_NS, RATE / 2);
    NS_TEST_EXPECT_MSG_EQ(star.snapshot.fluidRemaining[1], 1, "all of the second");
    M4Snapshot between;
    between.flowFeatures = tracker.DescribeFlow(first, 50'000);
    checkFeatures(tracker, between, remaining(50'000), 50'000, RATE / 2);
    tracker.End(1, 100'000, star.snapshot);
    check(tracker, star.snapshot, remaining(100'000), 100'000, RATE);
}

/// Backlogs follow Lindley's recursion; loads and mean waits are those of Pollaczek and Khinchine.
DCN_TEST_CASE(LinkHistoryTestCase, "backlogs and loads of links")
{
    constexpr double C = 10e9;
    M4LinkHistory history({C, 4 * C});
    const std::vector<uint32_t> slow{0};
    const std::vector<uint32_t> both{0, 1};
    auto add = [&history](const std::vector<uint32_t>& path, double bits, double burst, int64_t t) {
        return history.Add({path.data(), path.data() + path.size()}, bits, burst, t);
    };
    auto expect = [this](double found, double expected, const char* what) {
        NS_TEST_EXPECT_MSG_EQ_TOL(found, expected, 1e-9 * (1 + expected), what);
    };
    NS_TEST_EXPECT_MSG_EQ(history.GetBacklogNs(0, 0), 0, "nothing came");
    NS_TEST_EXPECT_MSG_EQ(history.GetLoad(0, 0, 1), 0, "no load");
    // 40,000 bits take 4,000 ns on the slow link and 1,000 ns on the fast one
    const auto first = add(both, 90'000, 40'000, 500);
    NS_TEST_EXPECT_MSG_EQ(first.waitNs + first.mostNs, 0, "the first one meets nothing");
    expect(history.GetBacklogNs(0, 500), 4000, "its own burst");
    expect(history.GetBacklogNs(0, 1500), 3000, "served at the link's rate");
    expect(history.GetBacklogNs(1, 1500), 0, "all served");
    expect(history.GetBacklogNs(0, 9500), 0, "not below nothing");
    const auto second = add(both, 20'000, 20'000, 1000);
    expect(second.waitNs, 3500 + 500, "sum of both backlogs");
    expect(second.mostNs, 3500, "the larger one");
    expect(history.GetBacklogNs(0, 1000), 3500 + 2000, "both bursts");
    expect(history.GetWorkNs(0), 6000, "work");
    expect(history.GetWorkNs(1), 1500, "work of the fast link");
    // 110,000 bits in 9,500 ns and a slack of 500
    expect(history.GetLoad(1, 10'000, 500), 110'000 / (4 * 10.0 * 10'000), "load");
    expect(history.GetLoad(0, 10'000, 500),
           M4LinkHistory::MAX_LOAD,
           "more than the link can carry");

    // equal bursts s at load rho: W = rho s / 2 / (1 - rho)
    M4LinkHistory equal({C});
    constexpr int N = 1000;
    constexpr double RHO = 0.8;
    constexpr double S = 1000;
    for (int i = 0; i < N; ++i)
    {
        equal.Add({slow.data(), slow.data() + 1},
                  S * 10,
                  S * 10,
                  static_cast<int64_t>(i * S / RHO));
    }
    const auto end = static_cast<int64_t>(N * S / RHO) - 100;
    expect(equal.GetLoad(0, end, 100), RHO, "load of equal bursts");
    expect(equal.GetMeanWaitNs(0, end, 100), RHO * S / 2 / (1 - RHO), "mean wait");
}

/// Features of backlogs and loads, of two flows to one receiver.
DCN_TEST_CASE(HistoryFeaturesTestCase, "features of backlogs and loads")
{
    constexpr double RATE = 10; // of a link [bit/ns]
    constexpr int64_t SECOND_NS = 2000;
    Star star(3, 20'000);
    star.network->windowBytes = 10'000;
    M4DefaultTracker tracker(*star.topology);
    star.Start(tracker, 0, 1, 0);
    star.Start(tracker, 2, 1, SECOND_NS);
    const double rttNs = tracker.GetConstants(1).rttNs;
    const double burstNs = 8 * 10'000 / RATE;
    auto flow = [&star](uint32_t row, M4Features::Dynamic which) {
        return star.snapshot.flowFeatures[row * M4Features::N_FLOW + M4Features::N_STATIC + which];
    };
    auto link = [&star](uint32_t row, M4Features::Link which) {
        return star.snapshot.linkFeatures[row * M4Features::N_LINK + which];
    };
    auto expect = [this](double found, double expected, const char* what) {
        NS_TEST_EXPECT_MSG_EQ_TOL(found, expected, 1e-5, what);
    };
    expect(flow(0, M4Features::WAIT), 0, "the first one met nothing");
    expect(flow(0, M4Features::LATER), std::log1p(burstNs / rttNs), "the second one's burst");
    expect(flow(1, M4Features::WAIT), std::log1p((burstNs - SECOND_NS) / rttNs), "backlog");
    expect(flow(1, M4Features::WAIT_MOST), flow(1, M4Features::WAIT), "of one link");
    expect(flow(1, M4Features::LATER), 0, "nothing came later");
    const double sinceNs = SECOND_NS + M4Features::SLACK * rttNs;
    const double load = 2 * 8 * (20'000 + 20 * 48) / RATE / sinceNs;
    expect(flow(1, M4Features::LOAD), load, "load of the last link");
    expect(link(1, M4Features::LINK_LOAD), load, "load");
    expect(link(1, M4Features::LINK_BACKLOG),
           std::log1p((2 * burstNs - SECOND_NS) / rttNs),
           "both bursts");
    const double first = burstNs * burstNs / sinceNs / 2 / (1 - load / 2);
    const double last = 2 * burstNs * burstNs / sinceNs / 2 / (1 - load);
    expect(link(0, M4Features::LINK_WAIT),
           std::log1p(first / rttNs),
           "mean wait of the first link");
    expect(flow(1, M4Features::MEAN_WAIT), std::log1p((first + last) / rttNs), "sum of mean waits");
    // features have limits
    constexpr uint32_t MANY = 1000;
    for (uint32_t i = 2; i < MANY; ++i)
    {
        star.Start(tracker, 2, 1, SECOND_NS);
    }
    const uint32_t row = star.snapshot.eventRow;
    expect(flow(row, M4Features::WAIT), M4Features::MAX_WAIT, "limit of backlogs");
    expect(flow(row, M4Features::WAIT_MOST), M4Features::MAX_WAIT, "limit of the largest");
    const float later =
        tracker.DescribeFlow(0, SECOND_NS)[M4Features::N_STATIC + M4Features::LATER];
    expect(later, M4Features::MAX_LATER, "limit of later work");
    expect(flow(row, M4Features::LOAD), M4LinkHistory::MAX_LOAD, "limit of loads");
    expect(flow(row, M4Features::MEAN_WAIT), M4Features::MAX_WAIT, "limit of mean waits");
    expect(link(1, M4Features::LINK_BACKLOG), M4Features::MAX_WAIT, "limit of the link's backlog");
    expect(link(1, M4Features::LINK_WAIT), M4Features::MAX_WAIT, "limit of its mean wait");
}

/// The published snapshot: the connected component with all of its links, and raw inputs.
DCN_TEST_CASE(PublishedTestCase, "snapshots of the published network")
{
    using Features = M4PublishedFeatures;
    Star star(8, 3000);
    M4PublishedTracker tracker(*star.topology, *star.network);
    const M4Snapshot& snapshot = star.snapshot;
    star.Start(tracker, 0, 1, 1000);
    NS_TEST_EXPECT_MSG_EQ((snapshot.linkIsNew == std::vector<uint8_t>{1, 1}), true, "new");
    NS_TEST_EXPECT_MSG_EQ(snapshot.flowFeatures.size(), 16, "inputs of a flow");
    NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.flowFeatures[Features::LOG_SIZE], 2, 1e-6, "1 + 3 KB");
    NS_TEST_EXPECT_MSG_EQ(snapshot.flowFeatures[Features::HOPS], 2, "links");
    NS_TEST_EXPECT_MSG_EQ(snapshot.flowFeatures[Features::CC_DCTCP], 1, "congestion control");
    // the preset: K of 20000 bytes at 10 Gb/s, a buffer of 409600 bytes
    NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.flowFeatures[Features::DCTCP_K], 20, 1e-5, "KB");
    NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.flowFeatures[Features::BUFFER], 40.96, 1e-5, "10 KB");
    NS_TEST_EXPECT_MSG_EQ(snapshot.flowFeatures[Features::DCQCN_K_MIN], 0, "of others");
    star.Start(tracker, 4, 5, 2000);
    NS_TEST_EXPECT_MSG_EQ((snapshot.flows == std::vector<uint32_t>{1}), true, "no connection");
    star.Start(tracker, 2, 3, 3000);
    // from 2 to 1: connects the flow to 1 and the flow from 2, each with its other link
    star.Start(tracker, 2, 1, 4500);
    NS_TEST_EXPECT_MSG_EQ((snapshot.flows == std::vector<uint32_t>{0, 2, 3}), true, "flows");
    NS_TEST_EXPECT_MSG_EQ(snapshot.links.size(), 4, "all links of these flows");
    NS_TEST_EXPECT_MSG_EQ((snapshot.edgeFlow == std::vector<uint32_t>{0, 0, 1, 1, 2, 2}),
                          true,
                          "each flow has all of its links");
    NS_TEST_EXPECT_MSG_EQ((snapshot.edgeLink[4] == 0 && snapshot.edgeLink[5] == 1),
                          true,
                          "the links of the event come first");
    NS_TEST_EXPECT_MSG_EQ(snapshot.eventRow, 2, "row of the event");
    NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.flowFeatures[0], 3.5, 1e-6, "us since its start");
    NS_TEST_EXPECT_MSG_EQ(snapshot.flowFeatures[2 * 16], 0, "no time for a new flow");
    NS_TEST_EXPECT_MSG_EQ((snapshot.linkIsNew == std::vector<uint8_t>(4, 0)), true, "known");
    NS_TEST_EXPECT_MSG_EQ_TOL(snapshot.linkFeatures[0], 1.5, 1e-6, "us since its last event");
    NS_TEST_EXPECT_MSG_EQ_TOL(tracker.DescribeFlow(0, 5000)[0], 0.5, 1e-6, "between events");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(tracker.GetFluidRemaining(0, 5000)), true, "no fluid");
    // its departure splits the component, and both parts are affected
    tracker.End(3, 6000, star.snapshot);
    NS_TEST_EXPECT_MSG_EQ((snapshot.flows == std::vector<uint32_t>{0, 2}), true, "both parts");
    tracker.End(2, 7000, star.snapshot);
    NS_TEST_EXPECT_MSG_EQ(snapshot.flows.size() + snapshot.links.size(), 0, "nothing is left");
    star.Start(tracker, 2, 1, 8000);
    NS_TEST_EXPECT_MSG_EQ((snapshot.linkIsNew == std::vector<uint8_t>{1, 0, 0}),
                          true,
                          "a link without flows starts anew");
    NS_TEST_EXPECT_MSG_EQ(tracker.DescribeLink(snapshot.links[0], 9000).size(), 1, "a link");
    tracker.End(2, 9000, star.snapshot);
    const auto idle = tracker.DescribeLink(snapshot.links[0], 9500);
    NS_TEST_EXPECT_MSG_EQ_TOL(idle[0], 0.5, 1e-6, "a link with a flow");
}

DcnTestSuite<FluidStateTestCase,
             TrackerTestCase,
             ReachTestCase,
             RemainingTestCase,
             LinkHistoryTestCase,
             HistoryFeaturesTestCase,
             PublishedTestCase>
    g_m4TrackerTestSuite("m4-tracker"); //!< the suite

} // namespace
