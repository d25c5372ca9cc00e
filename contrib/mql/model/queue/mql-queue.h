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
 * @brief Single FIFO queues with several classes of traffic, by two moments.
 *
 * Symbols of class i: lambda_i arrival rate, S_i mean service time, rho_i = lambda_i S_i; C2a_i and
 * C2s_i squared coefficients of variation (SCV) of gaps and of service times. lambda = sum
 * lambda_i, rho = sum rho_i. GE(lambda, C2) with C2 >= 1 is a Poisson stream of rate tau lambda of
 * batches of geometric size with mean 1 / tau, tau = 2 / (C2 + 1).
 *
 * Infinite queue, rho < 1:
 *
 *     V   = sum_k lambda_k S_k^2 (C2a_k + C2s_k) / (2 (1 - rho))        once per queue
 *     W_i = S_i (C2a_i - 1) / 2 + V                                     (4.2 corrected)
 *     n_i = lambda_i W_i + rho_i                                        (4.1 corrected)
 *
 * V is what the first packet of a batch finds (a Poisson arrival sees the time-average workload);
 * S_i (C2a_i - 1) / 2 is what a packet waits for those before it in its own batch. Both are exact
 * for independent GE classes with general service. n_i includes the packet in service, W_i does not
 * include the own service. Equation 4.1 of the dissertation as printed lacks a factor 1/2 and mixes
 * both meanings of n: MqlPrintedNumber.
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
    double rate;    //!< lambda [1/s], > 0
    double c2a;     //!< SCV of the gaps between arrivals, >= 0
    double service; //!< S, mean service time [s], > 0
    double c2s;     //!< SCV of the service time, >= 0
};

/// @ingroup mql
/// @brief All classes of a queue as one.
struct MqlAggregate
{
    double rate;    //!< lambda [1/s]
    double rho;     //!< utilisation
    double service; //!< rho / lambda [s]
    double c2a;     //!< rate-weighted mean of the classes' SCVs
    double c2s;     //!< SCV of the service time of a random customer
};

/**
 * @ingroup mql
 * @param classes at least one
 * @return all of them as one; service moments are exact: E[S^2] = sum_i lambda_i S_i^2 (1 + C2s_i)
 * / lambda (never the mean of C2s_i)
 * @throws DcnError for a moment that is not positive
 */
MqlAggregate MqlMerge(const std::vector<MqlClass>& classes);

/**
 * @ingroup mql
 * @param classes at least one
 * @return V [s]; infinite if rho >= 1
 */
double MqlWorkload(const std::vector<MqlClass>& classes);

/**
 * @ingroup mql
 * @param one the class
 * @param workload V of the queue [s]
 * @return W, at least 0 [s]: for C2a < 1, which no GE has, the formula can fall below
 */
double MqlWait(const MqlClass& one, double workload);

/**
 * @ingroup mql
 * @param one the class
 * @param workload V of the queue [s]
 * @return <n>, mean number in the system
 */
double MqlNumber(const MqlClass& one, double workload);

/**
 * @ingroup mql
 * @brief <n_i> by equation 4.1 as printed, to show that it is wrong.
 * @param classes of the queue
 * @param i which one
 * @return what the dissertation prints
 */
double MqlPrintedNumber(const std::vector<MqlClass>& classes, std::size_t i);

/**
 * @ingroup mql
 * @brief Waiting time of a single class by Kraemer and Langenbach-Belz, with Whitt's QNA, for
 * comparison; understates batches by S (C2A - 1) / 2.
 * @param one the class
 * @return W [s]
 */
double MqlKlbWait(const MqlClass& one);

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

/** @copydoc MqlDepartureC2 (Whitt's QNA, for comparison.) */
inline double
MqlQnaDepartureC2(double rho, double c2a, double c2s)
{
    return rho * rho * c2s + (1 - rho * rho) * c2a;
}

/**
 * @ingroup mql
 * @param c2d SCV of a stream
 * @param p share of its packets, each taken at random, in [0, 1]
 * @return SCV of those packets
 */
inline double
MqlSplitC2(double c2d, double p)
{
    return 1 + p * (c2d - 1);
}

/// @ingroup mql
/// @brief A queue with room for N customers, the one in service included.
struct MqlFiniteQueue
{
    double number;  //!< L, mean number in the system
    double empty;   //!< p_0
    double full;    //!< p_N
    double loss;    //!< probability that an arrival is lost
    double wait;    //!< mean waiting time of those that are not [service times]
};

/**
 * @ingroup mql
 * @brief GE/G/1/N by maximum entropy, one class (merge first: the buffer is shared).
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
 * loss in Little's law: MqlPrintedFiniteNumber.
 *
 * @param rho offered load, > 0
 * @param c2a SCV of gaps, below 1 taken as 1
 * @param c2s SCV of service times, >= 0
 * @param room N, at least 1
 * @return its measures
 * @throws DcnError for a moment out of range
 */
MqlFiniteQueue MqlSolveFiniteQueue(double rho, double c2a, double c2s, uint32_t room);

/**
 * @ingroup mql
 * @brief <n>_N by equations 4.3 and 4.4 as printed, for comparison; not defined for rho = 1.
 * @param rho utilisation
 * @param number <n> of the infinite queue
 * @param room N
 * @return what the dissertation prints
 */
double MqlPrintedFiniteNumber(double rho, double number, uint32_t room);

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
