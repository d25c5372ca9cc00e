/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/queue/noc-queue.h"
#include "../model/simulator/noc-traffic.h"
#include "dcn-test-case.h"

#include "ns3/mql-queue.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace ns3;

namespace
{

constexpr auto ARRIVALS = NocChain::Order::ARRIVALS_FIRST;
constexpr auto SERVICE = NocChain::Order::SERVICE_FIRST;

/// A GGeo class: rate, burst probability, mean service and its SCV.
MqlClass
MakeClass(double rate, double burst, double service, double c2s)
{
    return {rate, NocGgeoSource::GetC2(rate, burst), service, c2s};
}

/// Infinite queues in slotted time have the waits of GE queues with moments in slots.
DCN_TEST_CASE(InfiniteTestCase, "waits of GGeo-G-1 queues are those of GE-G-1 with slot moments")
{
    auto wait = [](const MqlClass& one) { return MqlWait(one, MqlWorkload({one})); };
    // geometric service of mean T has SCV 1 - 1 / T
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.5, 0.3, 1, 0)), 0.857143, 1e-6, "");
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.8, 0.3, 1, 0)), 2.142857, 1e-6, "");
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.3, 0.1, 2, 0.5)), 2.055556, 1e-6, "");
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.4, 0.3, 2, 0.5)), 8.285714, 1e-6, "");
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.2, 0.3, 4, 0)), 14.571429, 1e-6, "");
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.6, 0, 1.25, 0.2)), 0.75, 1e-9, "");
    const std::vector<MqlClass> three{MakeClass(0.2, 0.3, 1, 0),
                                      MakeClass(0.3, 0, 2, 0.5),
                                      MakeClass(0.1, 0.6, 1, 0)};
    const double v = MqlWorkload(three);
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlWait(three[0], v), 11.1357, 1e-4, "first class");
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlWait(three[1], v), 10.5071, 1e-4, "second class");
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlWait(three[2], v), 12.2571, 1e-4, "third class");
    for (double rate : {0.01, 0.3, 0.9})
    {
        for (double burst : {0.0, 0.2, 0.7})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(rate, burst, 1, 0)),
                                      NocGgeoSource::GetAhead(burst) / (1 - rate),
                                      1e-12,
                                      "unit service: g / (1 - lambda)");
        }
    }
    // slots to 0 with lambda T fixed: M/D/1 and GE/D/1 in units of the service time
    const double tiny = 1e-7;
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.6 * tiny, 0, 1 / tiny, 0)) * tiny,
                              0.6 / (2 * 0.4),
                              1e-5,
                              "M/D/1");
    NS_TEST_EXPECT_MSG_EQ_TOL(wait(MakeClass(0.6 * tiny, 0.5, 1 / tiny, 0)) * tiny,
                              (3.0 - 1) / 2 + 0.6 * 3 / (2 * 0.4),
                              1e-5,
                              "GE/D/1 with C2 = 3");
}

/// Finite queues: the chain against values by hand, closed forms and the printed equations.
DCN_TEST_CASE(FiniteTestCase, "finite queues are exact in both orders")
{
    /// A row: arrivals, service, room, order; mean, time full and loss.
    struct Row
    {
        double rate;
        double burst;
        double service;
        uint32_t room;
        NocChain::Order order;
        double mean;
        double full;
        double loss;
    };

    for (const Row& row : std::vector<Row>{{0.6, 0, 1.25, 4, SERVICE, 1.1338, 0.02509, 0.00502},
                                           {0.6, 0, 1.25, 4, ARRIVALS, 0.5368, 0.00502, 0.00502},
                                           {0.6, 0.3, 1.25, 4, SERVICE, 1.4379, 0.09377, 0.07233},
                                           {0.6, 0.1, 1.25, 8, ARRIVALS, 0.9043, 0.00067, 0.00116},
                                           {0.7, 0.3, 1.25, 16, ARRIVALS, 3.6517, 0.00186, 0.00643},
                                           {0.4, 0, 2, 8, SERVICE, 2.1229, 0.01611, 0.00806},
                                           {0.45, 0.3, 2, 8, SERVICE, 3.3055, 0.06974, 0.06808},
                                           {0.6, 0.3, 2, 8, SERVICE, 5.3879, 0.22816, 0.19557},
                                           {0.9, 0.3, 1, 8, ARRIVALS, 2.1539, 0, 0.02245}})
    {
        const NocChain chain(row.rate,
                             row.burst,
                             NocThrough::Independent(1 - 1 / row.service),
                             row.room,
                             row.order);
        NS_TEST_EXPECT_MSG_EQ_TOL(chain.GetMean(), row.mean, 6e-5, "mean, room " << row.room);
        NS_TEST_EXPECT_MSG_EQ_TOL(chain.GetFull(), row.full, 6e-6, "full, room " << row.room);
        NS_TEST_EXPECT_MSG_EQ_TOL(chain.GetLoss(), row.loss, 6e-6, "loss, room " << row.room);
    }
    // Bernoulli arrivals a, service q first: pi_1 = pi_0 a / (q (1 - a)), pi_(n+1) = c pi_n with
    // c = a (1 - q) / (q (1 - a)), loss pi_N (1 - q); infinite: E[(n - N)^+] = a c^N / (q (1 - c))
    for (double a : {0.2, 0.45})
    {
        const double q = 0.6;
        const double c = a * (1 - q) / (q * (1 - a));
        const uint32_t room = 6;
        std::vector<double> pi{1, a / (q * (1 - a))};
        double sum = pi[0] + pi[1];
        while (pi.size() <= room)
        {
            pi.push_back(pi.back() * c);
            sum += pi.back();
        }
        const NocThrough slots = NocThrough::Independent(1 - q);
        const NocChain chain(a, 0, slots, room, SERVICE);
        // at N, a packet that comes while the head stays is lost: the last level is not c times
        const double last = chain.GetFull();
        NS_TEST_EXPECT_MSG_EQ_TOL(chain.GetLoss(), last * (1 - q), 1e-14, "loss");
        const NocChain large(a, 0, slots, 400, SERVICE);
        NS_TEST_EXPECT_MSG_EQ_TOL(large.GetOverflow(room),
                                  a * std::pow(c, room) / (q * (1 - c)),
                                  1e-13,
                                  "packets that circle");
        // the same by the mean of the infinite queue and its geometric tail
        const MqlClass arrivals{a, 1 - a, 1 / q, 1 - q};
        const double mean = a * MqlWait(arrivals, MqlWorkload({arrivals})) + a / q;
        NS_TEST_EXPECT_MSG_EQ_TOL(large.GetMean(), mean, 1e-12, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(NocOverflow(mean, a / q, room),
                                  a * std::pow(c, room) / (q * (1 - c)),
                                  1e-13,
                                  "by the tail");
    }
    // room for one packet that leaves before the next one comes: never refused
    NS_TEST_EXPECT_MSG_EQ_TOL(NocChain(0.8, 0, NocThrough::Independent(0), 1, SERVICE).GetLoss(),
                              0,
                              1e-15,
                              "N = 1, q = 1");
    // attempts of retries: a (1 - loss(a)) = lambda
    const double refused = NocRefusal(0.4, 0, 2, 4);
    const NocChain again(0.4 / (1 - refused), 0, NocThrough::Independent(0.5), 4, SERVICE);
    NS_TEST_EXPECT_MSG_EQ_TOL(again.GetLoss(), refused, 1e-8, "fixed point");
    NS_TEST_EXPECT_MSG_EQ((refused > 0), true, "some are refused");
}

/// Through traffic of two phases, and the line of queues.
DCN_TEST_CASE(ThroughTestCase, "waits behind through traffic are exact")
{
    /// A row: arrivals, phases, emission when busy; W.
    struct Row
    {
        double rate;
        double burst;
        double toIdle;
        double toBusy;
        double inBusy;
        double wait;
    };

    for (const Row& row : std::vector<Row>{{0.3, 0, 0.3, 0.2, 1, 2.66667},
                                           {0.3, 0.3, 0.2, 0.2, 1, 8.39286},
                                           {0.3, 0.3, 0.2, 0.2, 0.7, 2.89206},
                                           {0.4, 0.2, 0.1, 0.1, 0.6, 2.97885}})
    {
        const NocThrough through{row.toIdle, row.toBusy, 0, row.inBusy};
        NS_TEST_EXPECT_MSG_EQ_TOL(NocSolveBehind(row.rate, row.burst, through).wait,
                                  row.wait,
                                  6e-6,
                                  "behind through traffic");
        // the finite chain with much room is another way to the same number
        const NocChain chain(row.rate, row.burst, through, 700, ARRIVALS);
        NS_TEST_EXPECT_MSG_EQ_TOL(chain.GetWait(), row.wait, 2e-5, "as a chain");
        for (uint32_t phase : {0, 1})
        {
            const double free = 1 - (phase ? row.inBusy : 0);
            NS_TEST_EXPECT_MSG_EQ_TOL(NocSolveBehind(row.rate, row.burst, through).idle[phase],
                                      chain.GetIdle(phase) * free,
                                      1e-9,
                                      "idle slots of phase " << phase);
        }
    }
    const NocChain small(0.4, 0.2, {0.1, 0.1, 0, 0.6}, 8, ARRIVALS);
    NS_TEST_EXPECT_MSG_EQ_TOL(small.GetWait(), 2.69885, 6e-6, "wait of accepted packets");
    NS_TEST_EXPECT_MSG_EQ_TOL(small.GetLoss(), 0.008822, 6e-7, "loss");
    // phases that alternate have their root below 0
    const NocThrough alternating{0.9, 0.8, 0.1, 0.5};
    NS_TEST_EXPECT_MSG_EQ_TOL(NocSolveBehind(0.3, 0.2, alternating).wait,
                              NocChain(0.3, 0.2, alternating, 400, ARRIVALS).GetWait(),
                              1e-9,
                              "alternating phases");
    // busy or idle by a chain: (g + u / (1 - r)) / (1 - u - lambda)
    const double g = NocGgeoSource::GetAhead(0.25);
    NS_TEST_EXPECT_MSG_EQ_TOL(NocSolveBehind(0.2, 0.25, {0.35, 0.25, 0, 1}).wait,
                              (g + 0.25 / 0.6 / (1 - 0.4)) / (1 - 0.25 / 0.6 - 0.2),
                              1e-12,
                              "closed form");
    // independent slots: S = 0
    NS_TEST_EXPECT_MSG_EQ_TOL(NocSolveBehind(0.2, 0.25, NocThrough::Independent(0.3)).wait,
                              NocLaneWait(0.2, g, 0.3, 0),
                              1e-12,
                              "independent slots");
    // no through traffic: the infinite queue
    NS_TEST_EXPECT_MSG_EQ_TOL(NocSolveBehind(0.6, 0.25, NocThrough::Independent(0)).wait,
                              g / 0.4,
                              1e-12,
                              "no through traffic");
    NS_TEST_EXPECT_MSG_EQ_TOL(NocCorrelations(0.3, 0.3 * 0.7), 0, 1e-15, "of independent slots");
}

/// A line of stops from which nothing leaves: link i is one queue fed by the sources 1 to i.
DCN_TEST_CASE(LineTestCase, "the lane formula is exact on a line without ejection")
{
    const std::vector<double> rates{0.2, 0.25, 0.3, 0.15};
    const std::vector<std::vector<double>> waits{{0, 0.36364, 2.16364, 14.9},
                                                 {0.53571, 1.33766, 5.28052, 32.0429}};
    for (std::size_t row = 0; row < waits.size(); ++row)
    {
        const double burst = row == 0 ? 0 : 0.3;
        const double g = NocGgeoSource::GetAhead(burst);
        double u = 0;       // through traffic
        double v = 0;       // its variance: sum of x (1 - x) + 2 g x
        double number = 0;  // F of the link before
        double squares = 0; // sum of rates squared
        for (std::size_t i = 0; i < rates.size(); ++i)
        {
            const double x = rates[i];
            const double wait = NocLaneWait(x, g, u, NocCorrelations(u, v));
            NS_TEST_EXPECT_MSG_EQ_TOL(wait, waits[row][i], 6e-5, "stop " << i);
            u += x;
            v += x * (1 - x) + 2 * g * x;
            squares += x * x;
            // F(i) = E[A (A - 1)] / (2 (1 - rho)) over all arrivals of the sources so far
            const double next = (2 * g * u + u * u - squares) / (2 * (1 - u));
            NS_TEST_EXPECT_MSG_EQ_TOL(x * wait, next - number, 1e-12, "theorem at stop " << i);
            number = next;
        }
    }
}

/// A fast server in front of a queue: exact chain, aggregation, and what is printed.
DCN_TEST_CASE(TandemTestCase, "a queue that feeds a finite queue")
{
    /// A row: rate, N1, q, N2; P(Q2 full), T_S, loss, loss of one queue; printed p_b, T_S, p_full.
    struct Row
    {
        double rate;
        uint32_t first;
        double q;
        uint32_t second;
        double full;
        double service;
        double loss;
        double together;
        double printedFull;
        double printedService;
        double printedLoss;
    };

    for (const Row& row : std::vector<Row>{
             {0.30, 4, 0.5, 4, 0.02316, 1.0457, 0.00064, 0.00046, 0.0194, 1.020, 1.3e-7},
             {0.40, 4, 0.5, 4, 0.10367, 1.1996, 0.00973, 0.00806, 0.0585, 1.062, 1.7e-5},
             {0.45, 4, 0.5, 4, 0.18356, 1.3492, 0.02757, 0.02451, 0.0886, 1.097, 1.3e-4},
             {0.40, 8, 0.5, 8, 0.02271, 1.0451, 0.00037, 0.00030, 0.0097, 1.010, 1e-16},
             {0.65, 4, 0.7, 4, 0.10674, 1.1479, 0.01626, 0.01353, 0.0592, 1.063, 3e-4},
             {0.68, 16, 0.7, 8, 0.13310, 1.1893, 0.00363, 0.00338, 0.0283, 1.029, 2e-19}})
    {
        const NocTandem exact = NocSolveTandem(row.rate, row.first, row.q, row.second);
        NS_TEST_EXPECT_MSG_EQ_TOL(exact.secondFull, row.full, 6e-6, "second queue full");
        NS_TEST_EXPECT_MSG_EQ_TOL(exact.service, row.service, 6e-5, "service");
        NS_TEST_EXPECT_MSG_EQ_TOL(exact.loss, row.loss, 6e-6, "loss");
        NS_TEST_EXPECT_MSG_EQ_TOL(NocTandemLoss(row.rate, row.first, row.q, row.second),
                                  row.together,
                                  6e-6,
                                  "one queue");
        // erratum 4: blocking persists, so that the printed service is too small; and the first
        // queue fills together with the second one, which coin tosses do not
        const NocTandem printed = NocPrinted::Tandem(row.rate, row.first, row.q, row.second);
        NS_TEST_EXPECT_MSG_EQ_TOL(printed.secondFull, row.printedFull, 6e-5, "printed p_b");
        NS_TEST_EXPECT_MSG_EQ_TOL(printed.service, row.printedService, 6e-4, "printed T_S");
        NS_TEST_EXPECT_MSG_EQ((printed.loss < 1.3 * row.printedLoss), true, "printed p_full");
        NS_TEST_EXPECT_MSG_LT(printed.service, exact.service, "too small");
        NS_TEST_EXPECT_MSG_LT(printed.loss, exact.loss / 40, "too small");
    }
    const NocTandem overload = NocSolveTandem(0.6, 8, 0.5, 8);
    NS_TEST_EXPECT_MSG_EQ_TOL(overload.secondFull, 0.48451, 6e-6, "overload is answered");
    NS_TEST_EXPECT_MSG_EQ_TOL(overload.loss, 1 - 0.5 * (1 - 0) / 0.6, 0.002, "all that q can take");
}

/// The printed equations where they fail limit cases.
DCN_TEST_CASE(ErrataTestCase, "printed equations fail where the corrected ones hold")
{
    // erratum 6: equations 2.8 and 2.9 do not have the bursts of arrivals
    const MqlClass bursty = MakeClass(0.5, 0.3, 1, 0);
    NS_TEST_EXPECT_MSG_EQ(NocPrinted::Wait(0.5, 1, 0), 0, "printed: no wait at unit service");
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlWait(bursty, MqlWorkload({bursty})), 0.857143, 1e-6, "truth");
    NS_TEST_EXPECT_MSG_EQ_TOL(NocPrinted::Wait(0.4, 2, 0.5), 4.0, 1e-12, "printed, T = 2");
    // erratum 9: the printed probability that a queue is full, with p_N(0) from normalisation
    const NocChain chain(0.6, 0, NocThrough::Independent(0.2), 4, SERVICE);
    const double wait = NocPrinted::Wait(0.6, 1.25, 0.2);
    NS_TEST_EXPECT_MSG_EQ_TOL(wait, 0.75, 1e-12, "right for Bernoulli arrivals");
    const double once = NocPrinted::Full(wait, 0.6, 1.25, 4, false);
    const double twice = NocPrinted::Full(wait, 0.6, 1.25, 4, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(once, 0.0102, 6e-5, "printed p_N(N)");
    // erratum 10: the second approximation makes it worse
    NS_TEST_EXPECT_MSG_EQ_TOL(twice, 0.0058, 6e-5, "with x_N");
    NS_TEST_EXPECT_MSG_LT(twice, once, "worse");
    NS_TEST_EXPECT_MSG_LT(2 * once, chain.GetFull(), "truth 0.0251");
    // erratum 12: with p_full of the constant input, the accepted rate decays to 0
    // and its relative change, which ends the printed loop, never falls
    double rate = 0.9;
    const double full = NocPrinted::Full(0.5, 0.9, 1, 4, false);
    double change = 0;
    for (int i = 0; i < 10000; ++i)
    {
        const double before = rate;
        rate *= 1 - full;
        change = (before - rate) / rate;
    }
    NS_TEST_EXPECT_MSG_LT(rate, 1e-9, "algorithm 1, line 8, as printed");
    NS_TEST_EXPECT_MSG_EQ_TOL(change, full / (1 - full), 1e-9, "does not settle");
    // erratum 22: backward derivative of five points, exact for polynomials of degree 4
    auto f = [](double x) { return 3 + 2 * x - x * x + 0.5 * x * x * x * x; };
    const double x = 1.5;
    NS_TEST_EXPECT_MSG_EQ_TOL(
        (25 * f(x) - 48 * f(x - 1) + 36 * f(x - 2) - 16 * f(x - 3) + 3 * f(x - 4)) / 12,
        2 - 2 * x + 2 * x * x * x,
        1e-9,
        "derivative");
}

DcnTestSuite<InfiniteTestCase,
             FiniteTestCase,
             ThroughTestCase,
             LineTestCase,
             TandemTestCase,
             ErrataTestCase>
    g_nocQueueTestSuite("noc-queue");

} // namespace
