/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "flowsim-brute-force.h"

#include "ns3/flowsim-max-min-solver.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace flowsim_test;

namespace
{

constexpr double GBPS = 1e9;                             //!< bit/s per Gb/s
constexpr double NO_CAP = FlowsimMaxMinSolver::INFINITE; //!< Cap of a flow without one
constexpr double TOLERANCE = 1e-9;                       //!< Relative, as promised
using Path = std::vector<uint32_t>;                      //!< Links of a flow

/**
 * @brief Adds a flow to a solver.
 * @param solver the solver
 * @param path the links
 * @param weight the weight
 * @param cap the cap [bit/s]
 * @return the slot
 */
uint32_t
Add(FlowsimMaxMinSolver& solver, const Path& path, double weight = 1, double cap = NO_CAP)
{
    return solver.AddFlow(path.data(), static_cast<uint32_t>(path.size()), weight, cap);
}

DCN_TEST_CASE(SolvedByHandTestCase, "Rates are those of instances solved by hand")
{
    // Checks the rate of a flow and the optimality of the allocation.
    // rate: the rate expected [bit/s]
    const auto expect = [&](const FlowsimMaxMinSolver& solver,
                            uint32_t flow,
                            double rate,
                            const std::string& what) {
        NS_TEST_EXPECT_MSG_EQ_TOL(solver.GetRate(flow), rate, TOLERANCE * rate, what);
        NS_TEST_EXPECT_MSG_LT(solver.CheckOptimality(), TOLERANCE, what);
    };
    // n flows on one link of capacity C get C / n each, on the way up and on the way down.
    {
        FlowsimMaxMinSolver solver({10 * GBPS});
        std::vector<uint32_t> flows;
        for (int n = 1; n <= 7; n++)
        {
            flows.push_back(Add(solver, {0}));
            expect(solver, flows.front(), 10 * GBPS / n, "C / n after an arrival");
            expect(solver, flows.back(), 10 * GBPS / n, "C / n after an arrival");
        }
        for (int n = 6; n >= 1; n--)
        {
            solver.RemoveFlow(flows.back());
            flows.pop_back();
            expect(solver, flows.front(), 10 * GBPS / n, "C / n after a departure");
        }
    }

    // Links of 10 and 40: the long flow and one flow per link. The first link gives 5 to each of
    // its two, the second the remaining 35 to its own.
    {
        FlowsimMaxMinSolver solver({10 * GBPS, 40 * GBPS});
        uint32_t longFlow = Add(solver, {0, 1});
        uint32_t first = Add(solver, {0});
        uint32_t second = Add(solver, {1});
        expect(solver, longFlow, 5 * GBPS, "bottleneck of the long flow is the first link");
        expect(solver, first, 5 * GBPS, "shares the first link");
        expect(solver, second, 35 * GBPS, "takes what is left of the second link");
        NS_TEST_EXPECT_MSG_EQ(solver.GetBottleneck(longFlow), 0, "bottleneck");
        NS_TEST_EXPECT_MSG_EQ(solver.GetBottleneck(second), 1, "bottleneck");
        // Eleven more flows on the second link: its fair share 40 / 13 is below 10 / 2 now.
        for (int i = 0; i < 11; i++)
        {
            Add(solver, {1});
        }
        expect(solver, longFlow, 40 * GBPS / 13, "bottleneck has moved to the second link");
        expect(solver, first, 10 * GBPS - 40 * GBPS / 13, "gains what the long flow loses");
    }

    // Twice the weight gets twice the share: on C = 9, weights 1 and 2 get 3 and 6.
    {
        FlowsimMaxMinSolver solver({9 * GBPS});
        uint32_t light = Add(solver, {0}, 1);
        uint32_t heavy = Add(solver, {0}, 2);
        expect(solver, light, 3 * GBPS, "a third of the weight");
        expect(solver, heavy, 6 * GBPS, "two thirds of the weight");
        uint32_t third = Add(solver, {0}, 1.0 / 3);
        expect(solver, third, 0.9 * GBPS, "a tenth of the weight, which is no binary fraction");
    }

    // A cap c < C / 2 leaves C - c to the other flow; a cap above the fair share has no effect.
    {
        FlowsimMaxMinSolver solver({10 * GBPS});
        uint32_t capped = Add(solver, {0}, 1, 2 * GBPS);
        expect(solver, capped, 2 * GBPS, "alone at its cap");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(solver.GetBottleneck(capped), 1, "the cap is the bottleneck");
        uint32_t open = Add(solver, {0});
        expect(solver, capped, 2 * GBPS, "below the fair share");
        expect(solver, open, 8 * GBPS, "the rest");
        // Weight 4 with cap 6: without the cap the level would be 8 / 5, the flow at 6.4.
        uint32_t heavy = Add(solver, {0}, 4, 6 * GBPS);
        expect(solver, heavy, 6 * GBPS, "capped");
        expect(solver, open, 2 * GBPS, "10 - 2 - 6");
        expect(solver, capped, 2 * GBPS, "tie of the cap and the fair share");
        uint32_t third = Add(solver, {0});
        expect(solver,
               capped,
               10 * GBPS / 7,
               "fair share of weights 1 + 1 + 4 + 1, below all caps");
        expect(solver, heavy, 40 * GBPS / 7, "four times the fair share");
        solver.RemoveFlow(heavy);
        expect(solver, third, 4 * GBPS, "(10 - 2) / 2");
        expect(solver, capped, 2 * GBPS, "at its cap again");
    }

    // A ring of equal links, each flow on two neighbours: all at C / 2, whatever the bottlenecks.
    {
        const uint32_t n = 12;
        FlowsimMaxMinSolver solver(std::vector<double>(n, 10 * GBPS));
        std::vector<uint32_t> flows;
        for (int round = 1; round <= 3; round++)
        {
            for (uint32_t l = 0; l < n; l++)
            {
                flows.push_back(Add(solver, {l, (l + 1) % n}));
            }
            for (uint32_t flow : flows)
            {
                expect(solver, flow, 10 * GBPS / (2 * round), "C over the flows per link");
            }
        }
        while (!flows.empty())
        {
            solver.RemoveFlow(flows.back());
            flows.pop_back();
            NS_TEST_EXPECT_MSG_LT(solver.CheckOptimality(), TOLERANCE, "emptying the ring");
        }
    }

    // A chain of dependences: what one flow leaves goes to the second, takes from the third, ...
    {
        // Link i carries flows i and i + 1; capacities such that the level rises along the chain.
        FlowsimMaxMinSolver solver({2 * GBPS, 4 * GBPS, 6 * GBPS, 8 * GBPS});
        uint32_t a = Add(solver, {0});
        uint32_t b = Add(solver, {0, 1});
        uint32_t c = Add(solver, {1, 2});
        uint32_t d = Add(solver, {2, 3});
        uint32_t e = Add(solver, {3});
        expect(solver, b, 1 * GBPS, "2 / 2");
        expect(solver, c, 3 * GBPS, "4 - 1");
        expect(solver, d, 3 * GBPS, "6 - 3");
        expect(solver, e, 5 * GBPS, "8 - 3");
        solver.RemoveFlow(a);
        expect(solver, b, 2 * GBPS, "all of the first link, and half of the second");
        expect(solver, c, 2 * GBPS, "4 - 2");
        expect(solver, d, 4 * GBPS, "6 - 2, and half of the last");
        expect(solver, e, 4 * GBPS, "8 - 4");
    }
}

/// Allocations of random instances against progressive filling.
DCN_TEST_CASE(RandomAllocationTestCase,
              "Rates of 1000 random instances equal progressive filling at every event")
{
    double worstViolation = 0;
    double worstRate = 0;
    for (uint64_t seed = 0; seed < 1000; seed++)
    {
        RandomInstance instance(seed);
        FlowsimMaxMinSolver solver(instance.capacities);
        std::vector<Flow> flows;
        std::vector<uint32_t> slots;
        const std::size_t mostFlows = 2 + instance.Draw(40);
        // Some instances change several flows at once.
        const uint64_t batch = instance.Draw(3) == 0 ? 1 + instance.Draw(5) : 1;
        for (int event = 0; event < 60; event++)
        {
            for (uint64_t i = 0; i < batch; i++)
            {
                if (flows.empty() || (flows.size() < mostFlows && instance.Draw(100) < 60))
                {
                    flows.push_back(instance.DrawFlow());
                    const Flow& flow = flows.back();
                    slots.push_back(solver.InsertFlow(flow.path.data(),
                                                      static_cast<uint32_t>(flow.path.size()),
                                                      flow.weight,
                                                      flow.cap));
                }
                else
                {
                    const auto gone = instance.Draw(flows.size());
                    solver.EraseFlow(slots[gone]);
                    flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(gone));
                    slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(gone));
                }
            }
            solver.Solve();
            worstViolation = std::max(worstViolation, solver.CheckOptimality());
            std::vector<const Flow*> active;
            for (const Flow& flow : flows)
            {
                active.push_back(&flow);
            }
            const auto rates = FillProgressively(instance.capacities, active);
            for (std::size_t i = 0; i < rates.size(); i++)
            {
                const long double ratio = solver.GetRate(slots[i]) / rates[i];
                worstRate = std::max(worstRate, static_cast<double>(std::abs(ratio - 1)));
            }
        }
    }
    NS_TEST_EXPECT_MSG_LT(worstViolation, TOLERANCE, "optimality conditions");
    NS_TEST_EXPECT_MSG_LT(worstRate, TOLERANCE, "rates against progressive filling");
}

/// Allocations of instances with parameters of very different magnitude, and exact ties.
DCN_TEST_CASE(OddAllocationTestCase,
              "Rates with capacities of 1 to 1e12, weights of 0.01 to 1e6, caps at rates")
{
    constexpr double QUANTA = static_cast<double>(1ULL << 36); // weights are rounded to these
    double worstViolation = 0;
    double worstRate = 0;
    for (uint64_t seed = 0; seed < 500; seed++)
    {
        RandomInstance random(seed);
        const auto kind = random.Draw(3);
        std::vector<double> capacities(1 + random.Draw(10));
        for (double& capacity : capacities)
        {
            capacity = kind == 0 ? 1 : std::pow(10, static_cast<double>(random.Draw(13)));
        }
        FlowsimMaxMinSolver solver(capacities);
        std::vector<Flow> flows;
        std::vector<uint32_t> slots;
        double rateSeen = 1;
        for (int event = 0; event < 60; event++)
        {
            if (flows.empty() || (flows.size() < 30 && random.Draw(100) < 60))
            {
                Flow flow;
                const auto nLinks = static_cast<uint32_t>(capacities.size());
                const auto first = static_cast<uint32_t>(random.Draw(nLinks));
                const auto last = first + random.Draw(nLinks);
                for (auto l = first; l <= last; l++)
                {
                    flow.path.push_back(l % nLinks);
                }
                const double weight = std::pow(10, static_cast<double>(random.Draw(9)) - 2);
                if (random.Draw(2) == 0)
                {
                    flow.cap = rateSeen; // that of another flow a moment ago: often a tie
                }
                slots.push_back(Add(solver, flow.path, weight, flow.cap));
                flow.weight = std::round(weight * QUANTA) / QUANTA;
                flows.push_back(flow);
            }
            else
            {
                const auto gone = static_cast<std::ptrdiff_t>(random.Draw(flows.size()));
                solver.RemoveFlow(slots[gone]);
                flows.erase(flows.begin() + gone);
                slots.erase(slots.begin() + gone);
            }
            worstViolation = std::max(worstViolation, solver.CheckOptimality());
            std::vector<const Flow*> active;
            for (const Flow& flow : flows)
            {
                active.push_back(&flow);
            }
            const auto rates = FillProgressively(capacities, active);
            for (std::size_t i = 0; i < rates.size(); i++)
            {
                // Links are full up to a part of their capacity, not of the flow's rate.
                double widest = 0;
                for (uint32_t link : flows[i].path)
                {
                    widest = std::max(widest, capacities[link]);
                }
                const double rate = solver.GetRate(slots[i]);
                const double error = std::abs(static_cast<double>(rate - rates[i]));
                worstRate = std::max(
                    worstRate,
                    error / (rate + 4 * FlowsimMaxMinSolver::LOAD_TOLERANCE / TOLERANCE * widest));
                rateSeen = random.Draw(4) == 0 ? rate : rateSeen;
            }
        }
    }
    NS_TEST_EXPECT_MSG_LT(worstViolation, TOLERANCE, "optimality conditions");
    NS_TEST_EXPECT_MSG_LT(worstRate, TOLERANCE, "rates against progressive filling");
}

/// A million arrivals and departures on one solver.
DCN_TEST_CASE(DriftTestCase, "The allocation is as exact after 10^6 events as after one")
{
    RandomInstance random(7);
    // Incommensurable capacities, so that every level is rounded.
    std::vector<double> capacities;
    for (int l = 0; l < 10; l++)
    {
        capacities.push_back(GBPS * std::sqrt(2.0 + l));
    }
    FlowsimMaxMinSolver solver(capacities);
    std::vector<uint32_t> slots;
    double worst = 0;
    for (int event = 0; event < 1000000; event++)
    {
        if (slots.empty() || (slots.size() < 60 && random.Draw(2) == 0))
        {
            const auto first = static_cast<uint32_t>(random.Draw(10));
            const auto step = static_cast<uint32_t>(1 + random.Draw(4));
            const double cap = random.Draw(8) == 0 ? 0.05 * GBPS : NO_CAP;
            slots.push_back(Add(solver, {first, (first + step) % 10}, 1, cap));
        }
        else
        {
            const auto gone = random.Draw(slots.size());
            solver.RemoveFlow(slots[gone]);
            slots[gone] = slots.back();
            slots.pop_back();
        }
        if (event % 1000 == 0)
        {
            worst = std::max(worst, solver.CheckOptimality());
        }
    }
    NS_TEST_EXPECT_MSG_LT(worst, TOLERANCE, "optimality conditions");
    NS_TEST_EXPECT_MSG_EQ(solver.GetNFlows(), slots.size(), "number of flows");
}

DCN_TEST_CASE(RefusedFlowTestCase, "Bad flows are refused and change nothing")
{
    // Checks that a flow is refused.
    // cap: the cap [bit/s]
    // reason: part of the message expected
    const auto expectRefusal =
        [&](const Path& path, double weight, double cap, const std::string& reason) {
            FlowsimMaxMinSolver solver({GBPS, GBPS});
            uint32_t flow = Add(solver, {0, 1}, 1, GBPS / 2);
            std::string message;
            try
            {
                Add(solver, path, weight, cap);
            }
            catch (const std::invalid_argument& error)
            {
                message = error.what();
            }
            NS_TEST_EXPECT_MSG_NE(message.find(reason), std::string::npos, reason + ": " + message);
            NS_TEST_EXPECT_MSG_EQ(solver.GetNFlows(), 1, "nothing changed");
            NS_TEST_EXPECT_MSG_EQ(solver.GetRate(flow), GBPS / 2, "nothing changed");
        };
    expectRefusal({}, 1, NO_CAP, "empty path");
    expectRefusal({0, 1, 0}, 1, NO_CAP, "visits link 0 twice");
    expectRefusal({0, 2}, 1, NO_CAP, "names link 2"); // that is the virtual link of the cap
    expectRefusal({0}, 0, NO_CAP, "weight 0.0");
    expectRefusal({0}, -1, NO_CAP, "weight -1");
    expectRefusal({0}, 1, 0, "rate cap 0");
    expectRefusal({0}, 1, std::nan(""), "rate cap");
    for (double capacity : {0.0, -1.0, NO_CAP, std::nan("")})
    {
        bool refused = false;
        try
        {
            FlowsimMaxMinSolver solver({GBPS, capacity});
        }
        catch (const std::invalid_argument& error)
        {
            refused = std::string(error.what()).find("link 1") != std::string::npos;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "capacity " << capacity);
    }
}

/// Tests of the max-min solver.
DcnTestSuite<SolvedByHandTestCase,
             RandomAllocationTestCase,
             OddAllocationTestCase,
             DriftTestCase,
             RefusedFlowTestCase>
    g_flowsimMaxMinTestSuite("flowsim-max-min");

} // namespace
