/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_QUEUE_H
#define NOC_QUEUE_H

#include <array>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup noc
 * @brief Single queues in slotted time: the parts of NocModel.
 *
 * Symbols: lambda rate [packets per slot]; p burst probability of GGeo arrivals (NocGgeoSource),
 * g = p / (1 - p), sigma = lambda (1 - p); T mean service time [slots], rho = lambda T; u mean rate
 * of a through process; W mean wait before service [slots], own service excluded; n packets in the
 * system.
 *
 * **Infinite queue with general service.** MqlWorkload and MqlWait with cycles for seconds and
 * squared coefficients of variation of slots are exact: for one class W = g / (1 - lambda) if T = 1.
 *
 * **Finite queue.** A loss and a mean depend on the order of events in a slot: arrivals first
 * (egress queues: a packet can leave in the slot in which it comes) or service first (sinks: the
 * server has taken its packet before the slot's arrivals come). NocChain is exact for both.
 *
 * **Low priority behind through traffic.** A packet is served in a slot that a 0/1 process of mean
 * u leaves free. For independent batches and a through process of which S is the sum over lags >= 1
 * of the autocorrelation,
 *
 *     W = (g + u (1 + S)) / (1 - u - lambda)
 *
 * which is exact for through traffic that is busy or idle by a two-state Markov chain, where
 * 1 + S = 1 / (1 - r) with r = 1 - alpha - beta, and for a line of queues from which nothing leaves:
 * then S = (v / (u (1 - u)) - 1) / 2, where v is the asymptotic variance per slot of the number of
 * through packets, v = sum_s [x_s (1 - x_s) + 2 g_s x_s^2 / lambda_s] over the sources s with the
 * rate x_s that passes. With a variance of u (1 - u), that of independent slots, S = 0.
 *
 * **Deflection.** A packet that finds its sink full circles and comes back; it is not lost. If the
 * sink does not run dry meanwhile, the number n of packets at the sink or on the way back to it is
 * that of the infinite queue, of which (n - N)^+ circle. By Little's law the extra latency is
 * E[(n - N)^+] / lambda, and half a round per refusal for small N (NocModel).
 */

namespace ns3
{

/// @ingroup noc
/// @brief A 0/1 process with two phases: phase 0 (idle) and phase 1 (busy).
struct NocThrough
{
    double toIdle{1};  //!< alpha: probability that a busy slot is followed by an idle one
    double toBusy{0};  //!< beta: probability that an idle slot is followed by a busy one
    double inIdle{0};  //!< t_0: probability of a packet in an idle slot
    double inBusy{1};  //!< t_1: probability of a packet in a busy slot

    /**
     * @brief Independent slots.
     * @param u probability of a packet
     * @return the process
     */
    static NocThrough Independent(double u);

    /**
     * @param share of the packets, drawn independently
     * @return the process of these packets
     */
    NocThrough Thin(double share) const;

    /** @return the probability of the busy phase. */
    double GetBusy() const
    {
        return toBusy / (toIdle + toBusy);
    }

    /** @return u, packets per slot. */
    double GetRate() const
    {
        return (1 - GetBusy()) * inIdle + GetBusy() * inBusy;
    }
};

/**
 * @ingroup noc
 * @brief Mean wait behind through traffic.
 * @param rate lambda, with lambda + u < 1
 * @param ahead g
 * @param u rate of the through traffic
 * @param correlations S; 0 for independent slots
 * @return W [slots]
 */
inline double
NocLaneWait(double rate, double ahead, double u, double correlations)
{
    return (ahead + u * (1 + correlations)) / (1 - u - rate);
}

/**
 * @ingroup noc
 * @param u rate of a through process, in [0, 1)
 * @param variance v: asymptotic variance per slot of the number of its packets
 * @return S; 0 without traffic
 */
inline double
NocCorrelations(double u, double variance)
{
    return u > 0 ? (variance / (u * (1 - u)) - 1) / 2 : 0;
}

/// @ingroup noc
/// @brief A queue without limit behind through traffic.
struct NocBehind
{
    double wait;                //!< W [slots]
    std::array<double, 2> idle; //!< i_j: probability of an idle slot in phase j
};

/**
 * @ingroup noc
 * @brief GGeo arrivals in a queue that is served in the slots that a through process leaves free,
 * without a limit: exact means by the generating function of n.
 *
 * With A(z) = 1 - sigma + sigma (1 - p) z / (1 - p z), phases P, T = diag(t) and x(z) the row vector
 * of E[z^n; phase] at the start of a slot, before its arrivals,
 *
 *     x(z) (z I - A(z) (z T + I - T) P) = (z - 1) b,    b = (z_0 (1 - t_0), z_1 (1 - t_1)) P,
 *
 * z_j the probability that nothing is there after the arrivals in phase j. The ratio z_0 / z_1
 * follows from the root of the determinant in (0, 1), the scale from sum_j z_j (1 - t_j) = 1 - u -
 * lambda, the mean from the derivatives at 1.
 *
 * @param rate lambda, with lambda + u < 1
 * @param burst p
 * @param through the through process
 * @return W and i_j = z_j (1 - t_j)
 */
NocBehind NocSolveBehind(double rate, double burst, const NocThrough& through);

/**
 * @ingroup noc
 * @brief Slots of a lane after its packets went out, as a process of two phases.
 *
 * The lane's slots are busy by the through process or by a packet of a queue behind it. Their lag-1
 * autocorrelation follows from the queue: a slot is idle with probability 1 - rho = 1 - u - lambda,
 * and idle with a busy one behind it with
 *
 *     f = sum_j i_j (1 - a_0 sum_j' P_jj' (1 - t_j')),    a_0 = 1 - sigma
 *
 * so that ac_1 = (rho - f - rho^2) / (rho (1 - rho)). Together with S, the sum of all
 * autocorrelations, that of a process c r^k with r = 1 - ac_1 / S and c = ac_1 / r is fitted: t_1 =
 * 1, t_0 = rho (1 - c), P(busy) = c rho / (1 - rho + c rho).
 *
 * @param rate lambda of the queue
 * @param burst p of the queue
 * @param through the process in front of it
 * @param idle i_j of NocSolveBehind
 * @param correlations S of the slots behind the queue
 * @return the process
 */
NocThrough NocFitOutput(double rate,
                        double burst,
                        const NocThrough& through,
                        const std::array<double, 2>& idle,
                        double correlations);

/**
 * @ingroup noc
 * @brief GGeo arrivals in a queue for at most N packets that is served in the slots that a through
 * process leaves free: the exact stationary distribution over (n, phase).
 *
 * A batch that does not fit loses its tail. Levels are eliminated from the top (block GTH): from a
 * level one can only fall to the next lower one, so that the cost is N^2 products of 2 x 2 matrices.
 */
class NocChain
{
  public:
    /// What happens first in a slot.
    enum class Order : uint8_t
    {
        ARRIVALS_FIRST, //!< egress queues
        SERVICE_FIRST   //!< sinks
    };

    /**
     * @param rate lambda > 0; lambda + u may be above 1
     * @param burst p
     * @param through the process that takes slots; Independent(1 - 1 / T) for geometric service
     * @param room N, from 1 to 4096
     * @param order what happens first in a slot
     */
    NocChain(double rate, double burst, const NocThrough& through, uint32_t room, Order order);

    /** @return mean number of packets at the start of a slot. */
    double GetMean() const;

    /** @return probability that there are N packets at the start of a slot. */
    double GetFull() const;

    /** @return share of the packets that are lost. */
    double GetLoss() const;

    /** @return mean wait of the accepted packets, with arrivals first [slots]. */
    double GetWait() const;

    /**
     * @param room N' <= N
     * @return E[(n - N')^+] at the start of a slot
     */
    double GetOverflow(uint32_t room) const;

    /**
     * @param phase 0 or 1
     * @return probability that no packet is there after a slot's arrivals, and of this phase
     */
    double GetIdle(uint32_t phase) const;

  private:
    double m_rate;               //!< lambda
    double m_burst;              //!< p
    uint32_t m_room;             //!< N
    Order m_order;               //!< in a slot
    NocThrough m_through;        //!< process
    std::vector<double> m_share; //!< probability by 2 n + phase
};

/**
 * @ingroup noc
 * @brief E[(n - N)^+] if n has a geometric tail: P(n >= k) = rho x^(k-1), x = (mean - rho) / mean.
 * @param mean E[n], the packet in service included
 * @param rho utilisation
 * @param room N
 * @return rho x^N / (1 - x); 0 if mean <= rho
 */
double NocOverflow(double mean, double rho, double room);

/**
 * @ingroup noc
 * @brief Attempts per slot at a full-or-not sink with retries: the rate a with a (1 - loss(a)) =
 * lambda in the finite queue, service first.
 * @param rate lambda, with lambda T < 1
 * @param burst p
 * @param service T, geometric
 * @param room N
 * @return probability p_r = 1 - lambda / a that an attempt is refused
 */
double NocRefusal(double rate, double burst, double service, uint32_t room);

/// @ingroup noc
/// @brief A queue of which the server puts packets into a second one.
struct NocTandem
{
    double secondFull; //!< probability that the second queue is full at the start of a slot
    double service;    //!< T_S: mean time at the head of the first queue [slots]
    double loss;       //!< share of packets that find the first queue full
};

/**
 * @ingroup noc
 * @brief Bernoulli arrivals in a queue of N1 that moves a packet per slot to a queue of N2, if that
 * has room; the second one serves with probability q per slot. In a slot the move comes first, then
 * the service of the second queue, then the arrival. Exact, by the chain over (n1, n2).
 * @param rate lambda
 * @param first N1
 * @param q service probability of the second queue
 * @param second N2
 * @return its measures
 */
NocTandem NocSolveTandem(double rate, uint32_t first, double q, uint32_t second);

/**
 * @ingroup noc
 * @brief Loss of the tandem taken for one queue of N1 + N2.
 * @param rate lambda
 * @param first N1
 * @param q service probability
 * @param second N2
 * @return share of the packets that are lost
 */
double NocTandemLoss(double rate, uint32_t first, double q, uint32_t second);

/**
 * @ingroup noc
 * @brief The equations of the dissertation as they are printed (chapter 2 and appendix A), for
 * comparison; the suite noc-queue shows where they fail.
 */
namespace NocPrinted
{
/**
 * @brief Wait in a sink, equations 2.7 to 2.9: rho (T - 1 + T C2S) / (2 (1 - rho)), where bursts of
 * the arrivals do not enter.
 * @param rate lambda, with rho = lambda T < 1
 * @param service T
 * @param c2s C2S, SCV of service times; p_b for a head that is blocked with p_b in each slot
 * @return W [slots]
 */
double Wait(double rate, double service, double c2s);

/**
 * @brief Probability that a queue is full, equations 2.10 to 2.12 and A.1 to A.9: with n = lambda W
 * + rho, x = (n - rho) / n and the constant p_N(0), which is not printed, from the sum of all
 * probabilities, p_N(N) = rho x^(N-1) (1 - rho) / (1 - rho^2 x^(N-1)).
 * @param wait W of the infinite queue
 * @param rate lambda
 * @param service T
 * @param room N
 * @param isSecond x is replaced by x_N of equations A.3 and A.4, as printed in A.9
 * @return p_N(N)
 */
double Full(double wait, double rate, double service, uint32_t room, bool isSecond);

/**
 * @brief The chain p_b -> T_S -> p_full of equations 2.4 to 2.10 and A.1 to A.9 for a tandem.
 * @param rate lambda
 * @param first N1
 * @param q service probability of the second queue
 * @param second N2
 * @return its measures
 */
NocTandem Tandem(double rate, uint32_t first, double q, uint32_t second);
} // namespace NocPrinted

} // namespace ns3

#endif /* NOC_QUEUE_H */
