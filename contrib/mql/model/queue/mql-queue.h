/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_QUEUE_H
#define MQL_QUEUE_H

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup mql
 * @brief Single FIFO queues by two moments of arrivals and service.
 *
 * Symbols of class i: lambda_i arrival rate, S_i mean service time, rho_i = lambda_i S_i; C2a_i and
 * C2s_i squared coefficients of variation (SCV) of gaps and of service times. lambda = sum
 * lambda_i, rho = sum rho_i. GE(lambda, C2) with C2 >= 1 is a Poisson stream of rate tau lambda of
 * batches of geometric size with mean 1 / tau, tau = 2 / (C2 + 1).
 *
 * Infinite queue, rho < 1 (MqlWorkload and MqlWait; MqlSolver evaluates it flow by flow):
 *
 *     V   = sum_k lambda_k S_k^2 (C2a_k + C2s_k) / (2 (1 - rho))        once per queue
 *     W_i = S_i (C2a_i - 1) / 2 + V                                     (4.2 corrected)
 *     n_i = lambda_i W_i + rho_i                                        (4.1 corrected)
 *
 * V is the work found by the first packet of a batch (a Poisson arrival sees the time average);
 * S_i (C2a_i - 1) / 2 is the wait for the packets ahead in its own batch. Both are exact for
 * independent GE classes with general service. n_i includes the packet in service, W_i excludes the
 * own service. Equation 4.1 of the dissertation as printed lacks a factor 1/2 and mixes both
 * meanings of n; the suite mql-queue shows it.
 *
 * Decomposition (figure 4.3, after Pujolle and Ai 1986): merge C2A = sum_i (lambda_i / lambda)
 * C2_i, departure C2D = rho^2 C2S + (1 - rho) C2A + rho (1 - rho), split C2_i = 1 + p_i (C2D - 1).
 */

namespace ns3
{

/// @ingroup mql
/// @brief A class of customers of a queue.
struct MqlClass
{
    double rate;    //!< lambda_i, >= 0
    double c2a;     //!< SCV of gaps
    double service; //!< S_i
    double c2s;     //!< SCV of service times
};

/**
 * @ingroup mql
 * @param classes of the queue, rho < 1
 * @return V: mean work that the first packet of a batch finds [time of the service times]
 */
double MqlWorkload(const std::vector<MqlClass>& classes);

/**
 * @ingroup mql
 * @brief Mean wait of a class, its own service excluded.
 *
 * With times in slots and SCVs of gaps in slots it holds for slotted time, too, where arrivals of a
 * slot are served in random order.
 *
 * @param own the class
 * @param workload V of the queue
 * @return W_i
 */
inline double
MqlWait(const MqlClass& own, double workload)
{
    return own.service * (own.c2a - 1) / 2 + workload;
}

/**
 * @ingroup mql
 * @param rho utilisation
 * @param c2a SCV of the gaps between arrivals
 * @param c2s SCV of the service time
 * @return C2D of the gaps between departures
 */
inline double
MqlDepartureC2(double rho, double c2a, double c2s)
{
    return rho * rho * c2s + (1 - rho) * c2a + rho * (1 - rho);
}

/// @ingroup mql
/// @brief A queue with room for N customers, the one in service included.
struct MqlFiniteQueue
{
    double number; //!< L, mean number in the system
    double empty;  //!< p_0
    double full;   //!< p_N
    double loss;   //!< probability that an arrival is lost
    double wait;   //!< mean waiting time of accepted customers [service times]
};

/**
 * @ingroup mql
 * @brief GE/G/1/N by maximum entropy, for one class (merge classes first: they share the buffer).
 *
 * With x = (C2a - 1 + rho (1 + C2s)) / (C2a + 1 + rho (C2s - 1)), weights u_0 = 1 and
 * u_n = 2 rho x^(n-1) / (C2a + 1 + rho (C2s - 1)) for 0 < n < N, and u_N from the balance of flow
 * rho (1 - loss) = 1 - p_0, where an arriving batch loses its tail: with sigma = 2 / (1 + C2a),
 * r = 2 / (1 + C2s), d_0 = r / (r (1 - sigma) + sigma), d_n = 1,
 *
 *     A = sum_{n<N} u_n,  B = sum_{n<N} d_n (1 - sigma)^(N-n) u_n,  u_N = rho (A - B) + 1 - A
 *
 * p = u / sum u, loss = 1 - (1 - p_0) / rho, W = L / (lambda (1 - loss)) - S. Any rho, 1 included.
 * Exact for M/M/1/N. Equations 4.4 and 4.5 as printed are the case of Poisson blocking without the
 * loss in Little's law.
 *
 * @param rho offered load, > 0
 * @param c2a SCV of gaps, values below 1 count as 1
 * @param c2s SCV of service times, >= 0
 * @param room N, at least 1
 * @return its measures
 * @throws DcnError for a moment out of range
 */
MqlFiniteQueue MqlSolveFiniteQueue(double rho, double c2a, double c2s, uint32_t room);

/**
 * @ingroup mql
 * @param rho utilisation of a queue
 * @param c2a SCV of gaps
 * @param c2s SCV of service times
 * @return x: ratio of the probabilities of n + 1 and n customers, n > 0
 */
double MqlOccupancyRatio(double rho, double c2a, double c2s);

} // namespace ns3

#endif /* MQL_QUEUE_H */
