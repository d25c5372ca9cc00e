/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/mql-solver.h"
#include "../model/queue/mql-queue.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-routing.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A class of customers of a queue; times in seconds.
struct Class
{
    double rate;    //!< lambda
    double c2a;     //!< SCV of gaps
    double service; //!< S
    double c2s;     //!< SCV of service times
};

/// The first queue of a host that sends several flows, with an infinite buffer.
struct FirstQueue
{
    MqlQueue all;                //!< all classes as one
    std::vector<double> waits;   //!< W by class
    std::vector<double> numbers; //!< n by class

    explicit FirstQueue(const std::vector<Class>& classes)
    {
        DcnTopologyBuilder builder;
        const uint32_t src = builder.AddNode(DcnNodeKind::HOST);
        const uint32_t dst = builder.AddNode(DcnNodeKind::HOST);
        const uint32_t middle = builder.AddNode(DcnNodeKind::SWITCH);
        const uint32_t first = builder.AddLink(src, middle, 8'000'000, 0); // 1 us per byte
        builder.AddLink(middle, dst, 16'000'000, 0);
        const Ptr<DcnTopology> topology = builder.Build();
        std::vector<MqlFlow> flows;
        for (const Class& one : classes)
        {
            flows.push_back({src, dst, one.rate, one.c2a, 1e6 * one.service, one.c2s});
        }
        const MqlNetwork network(topology, flows, MqlHashPaths(flows, DcnRouting(topology)));
        MqlOptions options;
        options.bufferPackets = 0;
        const MqlSolution solution = MqlSolve(network, options);
        all = solution.GetQueues()[first];
        std::vector<MqlHop> hops;
        for (std::size_t i = 0; i < classes.size(); i++)
        {
            solution.GetHops(i, hops);
            waits.push_back(hops[0].wait);
            numbers.push_back(classes[i].rate * (waits[i] + classes[i].service));
        }
    }
};

/// M/M/1: W = rho / (1 - rho); M/G/1: W = rho (1 + C2s) / (2 (1 - rho)) (Pollaczek, Khinchine), in
/// service times; classes: the wait of class i is V + S_i (C2a_i - 1) / 2 with one V for all.
DCN_TEST_CASE(InfiniteQueueTestCase,
              "Infinite queues: exact with exponential, fixed and general service, and with "
              "several classes of GE")
{
    // Check a queue with one class.
    const auto checkOne = [&](double rate, double c2a, double c2s, double number, double wait) {
        const FirstQueue queue({{rate, c2a, 1, c2s}});
        const std::string name =
            std::to_string(rate) + ", " + std::to_string(c2a) + ", " + std::to_string(c2s);
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.waits[0], wait, 1e-12 * wait, "W at " << name);
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.numbers[0], number, 1e-12 * number, "n at " << name);
    };
    for (double rho : {0.1, 0.25, 0.5, 0.75, 0.9, 0.99})
    {
        for (double c2s : {0.0, 0.5, 1.0, 4.0})
        {
            const double wait = rho * (1 + c2s) / (2 * (1 - rho));
            checkOne(rho, 1, c2s, rho * (wait + 1), wait);
        }
    }
    checkOne(0.5, 4, 0, 2.25, 3.5);
    checkOne(0.75, 4, 0, 6.375, 7.5);
    checkOne(0.5, 4, 3, 3, 5);
    // Kouvatsos, single class: n = rho / 2 (1 + (C2a + rho C2s) / (1 - rho)).
    for (double c2a : {1.0, 2.0, 10.0})
    {
        const double number = 0.6 / 2 * (1 + (c2a + 0.6 * 3) / 0.4);
        checkOne(0.6, c2a, 3, number, number / 0.6 - 1);
    }

    const FirstQueue two({{0.4, 4, 1, 0}, {1, 1, 0.2, 1}});
    NS_TEST_EXPECT_MSG_EQ_TOL(two.waits[0], 3.6, 1e-12, "class A");
    NS_TEST_EXPECT_MSG_EQ_TOL(two.waits[1], 2.1, 1e-12, "class B");
    NS_TEST_EXPECT_MSG_EQ_TOL(two.numbers[0], 1.84, 1e-12, "class A");
    NS_TEST_EXPECT_MSG_EQ_TOL(two.numbers[1], 2.3, 1e-12, "class B");
    for (const double wait : FirstQueue({{0.5, 1, 1, 0}, {0.5, 1, 0.1, 0}}).waits)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(wait, 0.505 / 0.9, 1e-12, "ACKs");
    }
    const FirstQueue three({{0.2, 2, 1, 0}, {0.2, 9, 1, 0}, {0.2, 1, 1, 0}});
    const double waits[] = {3.5, 7, 3};
    for (std::size_t i = 0; i < 3; i++)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(three.waits[i], waits[i], 1e-12, i);
    }
    // D/D/1 is outside GE: the formula gives -0.5, the truth is 0.
    NS_TEST_EXPECT_MSG_EQ(FirstQueue({{0.5, 0, 1, 0}}).waits[0], 0, "clamped");

    // Service moments of all classes as one: E[S^2] = sum lambda_i S_i^2 (1 + C2s_i) / lambda.
    NS_TEST_EXPECT_MSG_EQ_TOL(two.all.rho, 0.6, 1e-12, "utilisation");
    NS_TEST_EXPECT_MSG_EQ_TOL(two.all.service, 0.6 / 1.4, 1e-12, "service time");
    NS_TEST_EXPECT_MSG_EQ_TOL(two.all.c2s, (0.4 + 0.08) * 1.4 / 0.36 - 1, 1e-12, "C2S");
    NS_TEST_EXPECT_MSG_EQ_TOL(two.all.c2a, 2.6 / 1.4, 1e-12, "C2A");
    DCN_TEST_EXPECT_ERROR(FirstQueue({{1, 1, 1, 0}}),
                          "queue 0->2 (hostUp) has utilisation 1: with an infinite buffer it "
                          "needs less than 1");
}

/// n by equation 4.1 for one class with Poisson arrivals and S = 1.
double
Number(double rate, double c2s)
{
    return rate * rate * (1 + c2s) / (1 - rate);
}

/// n of a queue with room for N customers by equations 4.3 and 4.4, from that of an infinite
/// one.
double
FiniteNumber(double rho, double number, uint32_t room)
{
    const double x = (number - rho) / number;
    const double power = std::pow(x, room - 1.0);
    return rho / (1 - rho * rho * power) * ((1 - power * x) / (1 - x) - room * rho * power);
}

/// Equations 4.1 and 4.4 as printed are wrong where the answer is known, so the corrections are
/// needed.
DCN_TEST_CASE(PrintedTestCase,
              "Equations as printed miss the exact queues of fixed and exponential service")
{
    const auto printedWait = [](double rate) { return Number(rate, 0) / rate - 1; };
    // M/D/1: exact W = rho / (2 (1 - rho)): 1/6 and 1/2.
    NS_TEST_EXPECT_MSG_EQ_TOL(printedWait(0.25), -2.0 / 3, 1e-12, "below 0");
    NS_TEST_EXPECT_MSG_EQ_TOL(printedWait(0.5), 0, 1e-12, "no wait in a half loaded queue");
    // M/M/1 at 0.75: n = 3.
    NS_TEST_EXPECT_MSG_EQ_TOL(Number(0.75, 1), 4.5, 1e-12, "not 3");
    // 4.4 is right for one class with Poisson arrivals: M/M/1/5 at 0.8.
    NS_TEST_EXPECT_MSG_EQ_TOL(FiniteNumber(0.8, 4, 5), 1.86833, 1e-5, "4.4");
    // It is wrong for batches, whose tails are lost. Simulated: 2.953.
    NS_TEST_EXPECT_MSG_EQ_TOL(FiniteNumber(0.75, 6.375, 10), 3.336, 1e-3, "4.4, GE4");
    // Per flow, as printed, the buffer is not shared: 100 flows that make up one queue.
    double number = 0;
    for (const double each : FirstQueue(std::vector<Class>(100, {0.0075, 4, 1, 0})).numbers)
    {
        number += FiniteNumber(0.0075, each, 10);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(number, 4.53, 0.01, "4.4 per flow; simulated 2.953");
}

/**
 * @ingroup mql-tests
 * @brief Exact M/D/1/K, by the Markov chain embedded at departures: the oracle of finite queues.
 *
 * a_j = e^-rho rho^j / j! arrivals in a service. The numbers left behind, 0 .. K - 1, have
 * pi_j = pi_0 a_j + sum_{i=1}^{j+1} pi_i a_(j-i+1), solved upwards from pi_0 = 1. Then
 * p_n = pi_n / (pi_0 + rho) for n < K, p_K = 1 - 1 / (pi_0 + rho) (Gross and Harris).
 */
struct DeterministicQueue
{
    double number; //!< L
    double loss;   //!< p_K
    double wait;   //!< W / S

    /**
     * @param rho offered load
     * @param room K
     */
    DeterministicQueue(double rho, uint32_t room)
    {
        std::vector<double> a(room + 1);
        a[0] = std::exp(-rho);
        for (uint32_t j = 1; j <= room; j++)
        {
            a[j] = a[j - 1] * rho / j;
        }
        std::vector<double> pi(room);
        pi[0] = 1;
        double sum = 1;
        for (uint32_t j = 0; j + 1 < room; j++)
        {
            double next = pi[j] - pi[0] * a[j];
            for (uint32_t i = 1; i <= j; i++)
            {
                next -= pi[i] * a[j - i + 1];
            }
            pi[j + 1] = next / a[0];
            sum += pi[j + 1];
        }
        number = 0;
        const double scale = 1 / (pi[0] / sum + rho);
        for (uint32_t j = 0; j < room; j++)
        {
            number += j * pi[j] / sum * scale;
        }
        loss = 1 - scale;
        number += room * loss;
        wait = number / (rho * (1 - loss)) - 1;
    }
};

/// Finite queues: exact M/M/1/N, M/D/1/K by its embedded chain, and vectors of the brief that
/// simulations agree with.
DCN_TEST_CASE(FiniteQueueTestCase,
              "Finite queues: exact with exponential service, an oracle with fixed, batches")
{
    // Check against values of the brief, 1e-4.
    const auto check = [&](double rho,
                           double c2a,
                           double c2s,
                           uint32_t room,
                           const std::vector<double>& expected) {
        const MqlFiniteQueue queue = MqlSolveFiniteQueue(rho, c2a, c2s, room);
        const std::vector<double> values{queue.number, queue.empty, queue.loss, queue.wait};
        for (std::size_t i = 0; i < values.size(); i++)
        {
            // The brief prints five decimals.
            NS_TEST_EXPECT_MSG_EQ_TOL(values[i],
                                      expected[i],
                                      1e-4 * expected[i] + 5e-6,
                                      "value " << i << " of GE" << c2a << "/GE" << c2s << "/1/"
                                               << room << " at " << rho);
        }
    };
    for (double rho : {0.3, 0.8, 1.0, 1.2, 3.0})
    {
        for (uint32_t room : {1U, 2U, 5U, 129U})
        {
            // M/M/1/N: p_n ~ rho^n.
            double sum = 0;
            double number = 0;
            double power = 1;
            for (uint32_t n = 0; n <= room; n++, power *= rho)
            {
                sum += power;
                number += n * power;
            }
            number /= sum;
            const double loss = power / rho / sum;
            const MqlFiniteQueue queue = MqlSolveFiniteQueue(rho, 1, 1, room);
            NS_TEST_EXPECT_MSG_EQ_TOL(queue.number, number, 1e-9 * number, "L " << rho);
            NS_TEST_EXPECT_MSG_EQ_TOL(queue.empty, 1 / sum, 1e-9, "p_0 " << rho);
            NS_TEST_EXPECT_MSG_EQ_TOL(queue.loss, loss, 1e-9, "loss " << rho);
            NS_TEST_EXPECT_MSG_EQ_TOL(queue.wait,
                                      number / (rho * (1 - loss)) - 1,
                                      1e-7 * (1 + number),
                                      "W " << rho << ", " << room);
        }
    }
    check(0.8, 1, 1, 5, {1.86833, 0.27106, 0.08882, 1.56307});
    check(1.0, 1, 1, 5, {2.5, 0.16667, 0.16667, 2.0});
    check(1.2, 1, 1, 5, {3.02117, 0.10071, 0.25059, 2.35949});
    check(0.8, 1, 0, 5, {1.66196, 0.22894, 0.03618, 1.15543});
    check(1.2, 1, 0, 10, {7.68212, 0.00368, 0.16973, 6.71049});
    check(0.75, 4, 0, 10, {2.94295, 0.32381, 0.09841, 3.35224});
    check(0.75, 4, 3, 10, {3.26392, 0.36379, 0.15172, 4.13027});
    check(0.9, 9, 0, 128, {33.5707, 0.10559, 0.00621, 36.5338});
    check(1.2, 4, 0, 10, {5.42488, 0.09517, 0.24598, 4.99549});
    check(0.75, 20, 0, 129, {26.0604, 0.25778, 0.01037, 34.1115});
    // Simulated by 8 million arrivals, within 0.7 %.
    const MqlFiniteQueue batches = MqlSolveFiniteQueue(0.75, 4, 0, 10);
    NS_TEST_EXPECT_MSG_EQ_TOL(batches.number, 2.953, 0.007 * 2.953, "L, simulated");
    NS_TEST_EXPECT_MSG_EQ_TOL(batches.loss, 0.09836, 0.007 * 0.09836, "loss, simulated");
    NS_TEST_EXPECT_MSG_EQ_TOL(batches.wait, 3.367, 0.007 * 3.367, "W, simulated");

    // The oracle itself: values that the brief has from another program.
    NS_TEST_EXPECT_MSG_EQ_TOL(DeterministicQueue(0.8, 5).number, 1.70535, 1e-5, "M/D/1/5");
    NS_TEST_EXPECT_MSG_EQ_TOL(DeterministicQueue(0.8, 5).loss, 0.03529, 1e-5, "M/D/1/5");
    // Maximum entropy is off by a few percent for deterministic service in small buffers, and
    // goes to the exact infinite queue in large ones.
    for (double rho : {0.5, 0.8, 1.2})
    {
        for (uint32_t room : {3U, 5U, 10U, 20U})
        {
            const DeterministicQueue exact(rho, room);
            const MqlFiniteQueue queue = MqlSolveFiniteQueue(rho, 1, 0, room);
            NS_TEST_EXPECT_MSG_EQ_TOL(queue.number, exact.number, 0.06 * exact.number, "L");
            NS_TEST_EXPECT_MSG_EQ_TOL(queue.wait, exact.wait, 0.16 * exact.wait, "W");
        }
    }
    const MqlFiniteQueue large = MqlSolveFiniteQueue(0.75, 1, 0, 129);
    NS_TEST_EXPECT_MSG_EQ_TOL(large.wait, 1.5, 1e-9, "as good as infinite");
    NS_TEST_EXPECT_MSG_EQ_TOL(large.loss, 0, 1e-12, "nothing is lost");
    // Overload beyond what maximum entropy can say: the queue is always full.
    const MqlFiniteQueue full = MqlSolveFiniteQueue(2.5, 1, 0, 129);
    NS_TEST_EXPECT_MSG_EQ_TOL(full.loss, 0.6, 1e-12, "what the server cannot serve");
    NS_TEST_EXPECT_MSG_EQ_TOL(full.wait, 129 - 0.4 - 1, 1e-9, "W");
    DCN_TEST_EXPECT_ERROR(MqlSolveFiniteQueue(0, 1, 0, 5),
                          "a finite queue needs a load above 0, squared coefficients of "
                          "variation of at least 0 and room for a customer, not load 0, C2a "
                          "1, C2s 0 and room 5");
}

/// Merge and departure (split: mql-network-limits).
DCN_TEST_CASE(DecompositionTestCase, "Decomposition: merge and departure")
{
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlDepartureC2(0.7, 1, 1), 1, 1e-12, "Burke: M/M/1");
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlDepartureC2(0.5, 1, 0), 0.75, 1e-12, "M/D/1: 1 - rho^2");
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlDepartureC2(0.5, 4, 0), 2.25, 1e-12, "GE4/D/1");
    const FirstQueue merged({{0.3, 4, 1, 0}, {0.6, 1, 1, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(merged.all.c2a, 2, 1e-12, "merge");
    // Marshall: C2D = C2A + 2 rho^2 C2S - 2 rho (1 - rho) W / S, with the wait of this queue.
    for (double rho : {0.2, 0.6, 0.9})
    {
        for (double c2a : {1.0, 4.0})
        {
            for (double c2s : {0.0, 1.0, 3.0})
            {
                const double wait = FirstQueue({{rho, c2a, 1, c2s}}).waits[0];
                NS_TEST_EXPECT_MSG_EQ_TOL(MqlDepartureC2(rho, c2a, c2s),
                                          c2a + 2 * rho * rho * c2s - 2 * rho * (1 - rho) * wait,
                                          1e-9,
                                          "Marshall");
            }
        }
    }
}

DcnTestSuite<InfiniteQueueTestCase, PrintedTestCase, FiniteQueueTestCase, DecompositionTestCase>
    g_mqlQueueTestSuite("mql-queue"); //!< the suite

} // namespace
