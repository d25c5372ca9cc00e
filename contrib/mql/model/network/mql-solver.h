/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_SOLVER_H
#define MQL_SOLVER_H

#include "mql-network.h"
#include "mql-solution.h"

namespace ns3
{

/**
 * @ingroup mql
 * @brief Solve a network: a pass over its links in topological order.
 *
 * Symbols: lambda rate, S service time, rho utilisation, C2a (C2A: merged), C2s and C2D squared
 * coefficients of variation (SCV) of gaps, service times and departures, V work that a Poisson
 * arrival finds. q is a link of rate R, k = 8 / R the seconds per byte, l an upstream link of it,
 * and sums go over the flows of a pair (l, q), MqlPair.
 *
 * Departure: C2D = rho^2 C2S + (1 - rho) C2A + rho (1 - rho), with C2S from the exact second
 * moment.
 *
 * GE_FLOW. Flow i leaves l as the share p_i = lambda_i f / lambda_l of its departures, so that
 * C2a_i = 1 + p_i (C2D_l - 1) at q; V only needs sum (lambda_i f)^2 b_i^2 per pair.
 *
 * GE_LINK. The traffic from l to q is one class: C2_lq = 1 + (lambda_lq / lambda_l) (C2D_l - 1).
 * W_q is the mean over packets, one value for all flows.
 *
 * SUBTRACTIVE. In a tree that leads to q, with constant service times, all waiting on the path
 * equals that of one queue fed by all sources (the order of constant-service stages does not
 * matter: Friedman 1965; merging in trees: Neely et al.). Packets of l have already waited as in
 * one queue of l's rate, so
 *
 *     W_q(l) = max(0, V_q(all) - V_l(those of l that go to q)),
 *     V_r(G) = sum_{i in G} lambda_i S_i^2 (C2_i + C2s_i) / (2 (1 - rho_G)) with S_i at r's rate
 *
 * and C2_i of the sources, thinned by the fraction of the flow that enters q over all l (first
 * term) and over l (second term). Variances are subtracted in this way, too. Exact in trees of
 * equal rates; if traffic of l splits, it overestimates:
 *
 * SUBTRACTIVE_DAMPED. times 1 - 0.6 rho_q^2 sum_l (lambda_lq / lambda_q) p_l (1 - p_l),
 * p_l = lambda_lq / lambda_l; the 0.6 is fitted (doc/mql.rst).
 *
 * Both have a term for acknowledgements, which wait behind larger data packets of their own link
 * even without other waiting: in seconds, to first order in the utilisation by data from l to q,
 * for an ACK of service time s,
 *
 *     rho_d (S_d - s) + lambda_d (S_d - s)^2 / 2, at most S_d - s
 *
 * First queue of a flow, any formula: W_i = S_i (C2_i - 1) / 2 + V, exact.
 *
 * Similarity: the result of a queue is a function of ten dimensionless numbers, that of a pair a
 * function of its queue's cluster and of three moments of the traffic serialised by upstream. With
 * a threshold each is evaluated once per cell of MqlSimilarityGrid (queues of one type only;
 * utilisations as rho / (1 - rho), to which waits are proportional) and copied: waits and SCVs,
 * never rates.
 *
 * Finite buffer: if x^N > 1e-6 or rho >= 1, the queue is solved by MqlSolveFiniteQueue with C2A_q
 * and C2S_q, waits are scaled by finite / infinite, and downstream links get the packets that are
 * not lost.
 *
 * @param network the network, which must outlive the answer
 * @param options formulas, buffer, similarity
 * @return waiting times
 * @throws DcnError if a queue is overloaded and the buffer infinite (with the queue and its
 * utilisation), or cyclic routes do not converge
 */
MqlSolution MqlSolve(const MqlNetwork& network, const MqlOptions& options = MqlOptions());

} // namespace ns3

#endif /* MQL_SOLVER_H */
