/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "flowsim-brute-force.h"

#include "ns3/dcn-error.h"
#include "ns3/flowsim-engine.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace flowsim_test;

namespace
{

constexpr double GBPS = 1e9;                               //!< bit/s per Gb/s
constexpr double INFINITE = FlowsimMaxMinSolver::INFINITE; //!< No size
constexpr double TOLERANCE = 1e-9;                         //!< Relative, as promised
using Path = std::vector<uint32_t>;                        //!< Links of a flow

/**
 * @brief Runs flows through an engine.
 * @param engine the engine
 * @param flows the flows in order of arrival, ids 0 .. n - 1
 * @return duration of each flow [ns], -1 for a flow that has not completed
 */
std::vector<double>
RunFlows(FlowsimEngine& engine, const std::vector<Flow>& flows)
{
    std::vector<double> durations(flows.size(), -1);
    std::size_t next = 0;
    engine.SetSource([&](FlowsimArrival& arrival) {
        if (next == flows.size())
        {
            return false;
        }
        arrival = flows[next++];
        return true;
    });
    engine.SetSink([&](const FlowsimCompletion& done) { durations[done.id] = done.durationNs; });
    engine.Run();
    return durations;
}

/// Completion times that are computed by hand.
DCN_TEST_CASE(CompletionByHandTestCase, "Completion times are those of instances solved by hand")
{
    // One link of 1 bit/ns. Flow 0 has 100 bits at 0, flow 1 has 100 bits at 50: flow 0 has 50
    // bits left at 50, both run at 1/2 until 150, flow 1 has 50 bits left and ends at 200.
    Flow flow;
    flow.path = {0};
    flow.bits = 100;
    std::vector<Flow> flows{flow, flow};
    flows[1].id = 1;
    flows[1].startNs = 50;
    {
        FlowsimEngine engine({GBPS});
        const auto durations = RunFlows(engine, flows);
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[0], 150, 150 * TOLERANCE, "first flow");
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[1], 150, 150 * TOLERANCE, "second flow");
    }
    // Arrival at the instant of a completion: the completion goes first, nobody shares.
    flows[1].startNs = 100;
    {
        FlowsimEngine engine({GBPS});
        const auto durations = RunFlows(engine, flows);
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[0], 100, 100 * TOLERANCE, "first flow");
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[1], 100, 100 * TOLERANCE, "second flow");
        NS_TEST_EXPECT_MSG_EQ(engine.GetNEvents(), 4, "two arrivals, two completions");
    }
    // Weight 3 against 1: 3/4 and 1/4; the heavy flow ends at 100 / (3/4), the light one has
    // 100 - 100/3 left then and ends at 200.
    flows[1].startNs = 0;
    flows[1].weight = 3;
    {
        FlowsimEngine engine({GBPS});
        const auto durations = RunFlows(engine, flows);
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[1], 400.0 / 3, 1e-7, "heavy flow");
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[0], 200, 200 * TOLERANCE, "light flow");
    }
}

/// Completion times of random instances against the brute force.
DCN_TEST_CASE(RandomCompletionTestCase,
              "Completion times of 1000 random instances equal the brute force")
{
    double worst = 0;
    uint64_t nDifferent = 0;
    for (uint64_t seed = 0; seed < 1000; seed++)
    {
        RandomInstance instance(seed);
        const auto flows = instance.DrawFlows(1 + instance.Draw(60));
        const auto expected = SimulateByBruteForce(instance.capacities, flows);
        FlowsimEngine engine(instance.capacities);
        const auto durations = RunFlows(engine, flows);
        for (std::size_t i = 0; i < flows.size(); i++)
        {
            const long double ratio = durations[i] / expected[i];
            worst = std::max(worst, static_cast<double>(std::abs(ratio - 1)));
        }
        FlowsimEngine again(instance.capacities);
        nDifferent += RunFlows(again, flows) == durations ? 0 : 1;
    }
    NS_TEST_EXPECT_MSG_LT(worst, TOLERANCE, "completion times against the brute force");
    NS_TEST_EXPECT_MSG_EQ(nDifferent, 0, "runs that differ from an equal run");
}

/// Small flows beside one that lasts for 1000 s.
DCN_TEST_CASE(LongRunTestCase, "Completion times are as exact after 1000 s as in the first")
{
    // A link of C bit/ns is full for 1000 s, and now and then b bits share it with the long
    // flow: they take 2 b / C ns, be it on the same path (one path group) or on a longer one
    // (two). C and b are no round numbers, so that every sum and product is rounded.
    const double capacity = 100 / std::sqrt(3.0);
    const double bits = 400 * std::sqrt(2.0);
    for (const Path& path : {Path{0}, Path{0, 1}})
    {
        std::vector<Flow> flows(1001);
        flows[0].path = {0};
        flows[0].bits = capacity * 1e12;
        for (std::size_t i = 1; i < flows.size(); i++)
        {
            flows[i].id = i;
            flows[i].startNs = static_cast<int64_t>(i) * 999999937;
            flows[i].path = path;
            flows[i].bits = bits;
        }
        FlowsimEngine engine({capacity * GBPS, 400 * GBPS});
        const auto durations = RunFlows(engine, flows);
        double worst = 0;
        for (std::size_t i = 1; i < 1000; i++)
        {
            worst = std::max(worst, std::abs(durations[i] / (2 * bits / capacity) - 1));
        }
        NS_TEST_EXPECT_MSG_LT(worst, TOLERANCE, "durations");
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[0], 1e12 + 1e3 * bits / capacity, 1, "long flow");
    }
}

/// Rates reported by the listener add up to the sizes of the flows.
DCN_TEST_CASE(ConservationTestCase, "Bits served according to the reported rates equal the sizes")
{
    double worst = 0;
    for (uint64_t seed = 0; seed < 100; seed++)
    {
        RandomInstance instance(seed);
        auto flows = instance.DrawFlows(100);
        const int64_t origin = flows.front().startNs;
        for (Flow& flow : flows)
        {
            flow.startNs -= origin; // the clock reads whole ns as a double in this test
        }
        std::vector<double> rates(flows.size(), 0);
        std::vector<double> since(flows.size(), 0);
        std::vector<double> served(flows.size(), 0);
        std::size_t next = 0;
        std::size_t nDone = 0;
        FlowsimEngine engine(instance.capacities);
        engine.SetSource([&](FlowsimArrival& arrival) {
            if (next == flows.size())
            {
                return false;
            }
            arrival = flows[next++];
            return true;
        });
        engine.SetRateListener([&](uint64_t id, double rate) {
            served[id] += rates[id] * (engine.GetNowNs() - since[id]) / 1e9;
            rates[id] = rate;
            since[id] = engine.GetNowNs();
        });
        engine.SetSink([&](const FlowsimCompletion& done) {
            served[done.id] += rates[done.id] * (engine.GetNowNs() - since[done.id]) / 1e9;
            worst = std::max(worst, std::abs(served[done.id] / flows[done.id].bits - 1));
            nDone++;
        });
        // In steps, with queries in between.
        for (int64_t time = 0; nDone < flows.size(); time += 30000)
        {
            engine.RunUntil(time);
            NS_TEST_ASSERT_MSG_EQ(engine.GetNowNs(), static_cast<double>(time), "clock");
            NS_TEST_ASSERT_MSG_LT(engine.GetSolver().CheckOptimality(), TOLERANCE, "rates");
            uint64_t nActive = 0;
            engine.VisitFlows([&](uint64_t id, double rate, double left) {
                nActive++;
                const double done =
                    served[id] + rates[id] * (static_cast<double>(time) - since[id]) / 1e9;
                const double bits = flows[id].bits;
                NS_TEST_ASSERT_MSG_EQ_TOL(rate, rates[id], 1e-12 * rate, "rate");
                NS_TEST_ASSERT_MSG_EQ_TOL(left, bits - done, 1e-6 * bits, "bits left");
            });
            NS_TEST_ASSERT_MSG_EQ(nActive, engine.GetSolver().GetNFlows(), "flows visited");
        }
    }
    // The listener sees times as doubles of up to 1e7 ns: 1e-9 ns of flows of 50 ns and more.
    NS_TEST_EXPECT_MSG_LT(worst, 1e-7, "bits served");
}

/// Completions that release flows.
DCN_TEST_CASE(ClosedLoopTestCase, "Completions release flows at once")
{
    // k flows always in flight on one link of C bit/s: the link is never idle, so N flows of b
    // bits are done at N b / C, and every flow takes k b / C.
    const double bits = 1000;
    const int inFlight = 4;
    const int nFlows = 400;
    FlowsimEngine engine({GBPS});
    Flow flow;
    flow.path = {0};
    flow.bits = bits;
    int nReleased = 0;
    double end = 0;
    double worst = 0;
    engine.SetSink([&](const FlowsimCompletion& done) {
        end = engine.GetNowNs();
        worst = std::max(worst, std::abs(done.durationNs / (inFlight * bits) - 1));
        if (nReleased < nFlows)
        {
            flow.id = nReleased++;
            engine.AddFlow(flow);
        }
    });
    for (; nReleased < inFlight; nReleased++)
    {
        flow.id = nReleased;
        const uint32_t handle = engine.AddFlow(flow);
        engine.RunUntil(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(engine.GetRate(handle), GBPS / (nReleased + 1), 1, "C / n");
    }
    engine.Run();
    NS_TEST_EXPECT_MSG_LT(worst, TOLERANCE, "durations");
    NS_TEST_EXPECT_MSG_EQ_TOL(end, nFlows * bits, nFlows * bits * TOLERANCE, "end");
    NS_TEST_EXPECT_MSG_EQ(engine.GetNEvents(), 2 * nFlows, "events");
}

/// Flows that are refused.
DCN_TEST_CASE(RefusedArrivalTestCase, "Bad sizes and unordered arrivals are refused")
{
    for (double bits : {0.0, -8.0, INFINITE})
    {
        FlowsimEngine engine({GBPS});
        Flow flow;
        flow.path = {0};
        flow.bits = bits;
        bool refused = false;
        try
        {
            engine.AddFlow(flow);
        }
        catch (const std::invalid_argument&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "size of " << bits << " bits");
    }
    std::vector<Flow> flows(2);
    for (Flow& flow : flows)
    {
        flow.path = {0};
        flow.bits = 8;
    }
    flows[0].startNs = 1000;
    flows[1].startNs = 999;
    FlowsimEngine engine({GBPS});
    bool refused = false;
    try
    {
        RunFlows(engine, flows);
    }
    catch (const std::invalid_argument&)
    {
        refused = true;
    }
    NS_TEST_EXPECT_MSG_EQ(refused, true, "arrival before the one that precedes it");
}

/// Calls that make no sense, and flows that never end.
class MisuseTestCase : public TestCase
{
  public:
    MisuseTestCase()
        : TestCase("Going back, calls from within callbacks and runs of 292 years are refused")
    {
    }

  private:
    /// Makes a flow on the first link. @return the flow
    static Flow MakeFlow(double bits)
    {
        Flow flow;
        flow.path = {0};
        flow.bits = bits;
        return flow;
    }

    /**
     * @brief Expects an exception.
     * @tparam Error its type
     * @param call what is to throw
     * @param what what is tested
     */
    template <typename Error, typename Call>
    void ExpectError(Call call, const std::string& what)
    {
        bool refused = false;
        try
        {
            call();
        }
        catch (const Error&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, what);
    }

    void DoRun() override
    {
        FlowsimEngine back({GBPS});
        back.RunUntil(1000000);
        back.RunUntil(1000000);
        ExpectError<std::invalid_argument>([&]() { back.RunUntil(999999); }, "going back");

        FlowsimEngine nested({GBPS});
        nested.SetSink([&](const FlowsimCompletion&) { nested.RunUntil(5000); });
        nested.AddFlow(MakeFlow(1000));
        ExpectError<std::logic_error>([&]() { nested.Run(); }, "running within the sink");

        FlowsimEngine reporting({GBPS});
        reporting.SetRateListener([&](uint64_t, double) { reporting.AddFlow(MakeFlow(1000)); });
        reporting.AddFlow(MakeFlow(1000));
        ExpectError<std::logic_error>([&]() { reporting.Run(); }, "adding within the listener");

        // 8e15 bit at 1 bit/s take 8e24 ns, more than 2^63.
        FlowsimEngine endless({1});
        endless.AddFlow(MakeFlow(8e15));
        NS_TEST_EXPECT_MSG_EQ(endless.GetNextCompletionNs(), INT64_MAX, "out of range");
        ExpectError<DcnError>([&]() { endless.Run(); }, "a run that is too long");

        // 9e9 bit at 1 bit/s take 9e18 ns, which fit: a flow of 1 bit that shares with them.
        FlowsimEngine slow({1});
        std::vector<Flow> flows{MakeFlow(8.99e9), MakeFlow(1)};
        flows[1].id = 1;
        const auto durations = RunFlows(slow, flows);
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[1], 2e9, 2, "1 bit at half of 1 bit/s");
        NS_TEST_EXPECT_MSG_EQ_TOL(durations[0], 8.990000001e18, 1e9, "the rest at 1 bit/s");
    }
};

/// Tests of the event loop of the fluid simulation.
DcnTestSuite<CompletionByHandTestCase,
             RandomCompletionTestCase,
             LongRunTestCase,
             ConservationTestCase,
             ClosedLoopTestCase,
             RefusedArrivalTestCase,
             MisuseTestCase>
    g_flowsimEngineTestSuite("flowsim-engine");

} // namespace
