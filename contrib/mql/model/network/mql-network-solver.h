/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_NETWORK_SOLVER_H
#define MQL_NETWORK_SOLVER_H

#include "mql-network.h"
#include "ns3/mql-similarity.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup mql
 * @brief The pass over links in topological order: MqlNetwork::Solve.
 *
 * Symbols as in mql-queue.h; q is a link of rate R, k = 8 / R the seconds per byte, l an upstream
 * link of it, and sums go over the flows of a pair (l, q), MqlPair.
 *
 * Departure: C2D_q = MqlDepartureC2(rho_q, C2A_q, C2S_q), C2S_q from the exact second moment.
 *
 * GE_FLOW. Flow i leaves l as the share p_i = lambda_i f / lambda_l of its departures, so that
 * C2a_i = 1 + p_i (C2D_l - 1) at q, and V needs no more than sum (lambda_i f)^2 b_i^2 per pair.
 *
 * GE_LINK. What goes from l to q is one class: C2_lq = 1 + (lambda_lq / lambda_l) (C2D_l - 1).
 * W_q is the mean over packets, the same for all flows.
 *
 * SUBTRACTIVE. In a tree that leads to q, with constant service times, all waiting on the way adds
 * up to that of one queue fed by all sources (order of constant-service stages does not matter:
 * Friedman 1965; merging in trees: Neely et al.). What packets of l have waited before q is what
 * they would wait at l's rate alone, so
 *
 *     W_q(l) = max(0, V_q(all) - V_l(those of l that go to q)),
 *     V_r(G) = sum_{i in G} lambda_i S_i^2 (C2_i + C2s_i) / (2 (1 - rho_G)) with S_i at r's rate
 *
 * and C2_i of the sources, thinned by the fraction of the flow that comes to q over all l (first
 * term) and over l (second term). Variances are subtracted in the same way. Exact in trees of equal
 * rates; where traffic of l splits, it overstates:
 *
 * SUBTRACTIVE_DAMPED. times 1 - 0.6 rho_q^2 sum_l (lambda_lq / lambda_q) p_l (1 - p_l),
 * p_l = lambda_lq / lambda_l; the 0.6 is fitted (doc/mql.rst).
 *
 * Both get a term for acknowledgements, which wait behind larger data packets of their own link
 * even where nothing else does: in seconds, to first order in the utilisation by data that goes
 * from l to q, for an ACK of service time s,
 *
 *     rho_d (S_d - s) + lambda_d (S_d - s)^2 / 2, at most S_d - s
 *
 * First queue of a flow, any formula: W_i = S_i (C2_i - 1) / 2 + V, exact.
 *
 * Similarity: the queue's part is a function of QueueInputs, that of a pair a function of its
 * queue's cluster and four moments of what upstream has serialised. With MqlSimilarity::GRID each
 * is evaluated once per place on the grid (queues of one type only; utilisations by rho / (1 -
 * rho), which waits are proportional to) and copied: waits and SCVs, never rates.
 *
 * Finite buffer: if x^N > 1e-6 or rho >= 1, the queue is solved by MqlSolveFiniteQueue with C2A_q
 * and C2S_q, waits are scaled by finite / infinite, and links downstream get what is not lost.
 */
class MqlSolver
{
  public:
    /**
     * @param network what to solve
     * @param options how
     */
    MqlSolver(const MqlNetwork& network, const MqlOptions& options);

    /**
     * @brief Solve it.
     * @return the answer
     * @throws DcnError as MqlNetwork::Solve
     */
    MqlSolution Run();

  private:
    /// What links downstream need to know of a link.
    struct LinkState
    {
        double burstFlow{0};    //!< C2D - 1 by GE_FLOW
        double burstLink{0};    //!< C2D - 1 by GE_LINK
        double nominalRate{0};  //!< packets/s meant for it, were nothing lost upstream
        double survival{1};     //!< share of them that leave it
        double secondsPerByte{0}; //!< k
    };

    /// Sums over the pairs of a link.
    struct Inputs;

    /// What the model needs to know of a queue, without dimension.
    struct QueueInputs
    {
        double rho;       //!< utilisation
        double c2s;       //!< C2S
        double c2aFlow;   //!< C2A by GE_FLOW
        double c2aLink;   //!< C2A by GE_LINK
        double ownFlow;   //!< mean wait in the own batch by GE_FLOW [S]
        double ownLink;   //!< the same by GE_LINK
        double burstFlow; //!< sum lambda_i S_i^2 (C2a_i - 1) / (rho S) by GE_FLOW
        double burstLink; //!< the same by GE_LINK
        double burst;     //!< the same with SCVs of the sources
        double work3;     //!< third moment of the work of source batches, per packet [S^3]
    };

    /// What the model says of a queue; times in S.
    struct QueueResult
    {
        double workload;   //!< V by GE_FLOW
        double waitGeFlow; //!< mean W
        double waitGeLink; //!< mean W
        double all;        //!< V of all sources at once
        double variance;   //!< of that
        double c2dFlow;    //!< C2D by GE_FLOW
        double c2dLink;    //!< C2D by GE_LINK
        double loss;       //!< finite buffer
        double finite;     //!< W of the finite buffer / infinite
        double empty;      //!< p_0 of the finite buffer, if rho >= 1
        uint64_t cluster;  //!< number of the evaluation
    };

    /// What the model says of a pair; times in S.
    struct PairResult
    {
        double wait;     //!< W by SUBTRACTIVE
        double variance; //!< of that
    };

    void ChooseFormula();
    Inputs Collect(uint32_t link) const;
    QueueInputs Normalise(uint32_t link, const Inputs& in) const;
    QueueResult EvaluateQueue(const QueueInputs& in) const;
    QueueResult GetQueueResult(uint8_t type, const QueueInputs& in);
    PairResult GetPairResult(const QueueResult& queue, const MqlPair& pair, double service);
    void SolveLink(uint32_t link);
    void SolvePairs(uint32_t link, const Inputs& in, const QueueResult& result, MqlQueue& queue);
    static double MeanGate(const MqlPair& pair, double k);
    double Select(uint32_t link, const MqlQueue& queue) const;

    const MqlNetwork& m_network;    //!< what to solve
    const MqlOptions& m_options;    //!< how
    MqlSolution m_solution;         //!< the answer
    std::vector<LinkState> m_links; //!< by link
    double m_change{0};             //!< largest change of an SCV or survival in this sweep
    MqlSimilarityGrid m_grid;       //!< of similarity
    MqlMemo<12, QueueResult> m_queueMemo; //!< by type and QueueInputs
    MqlMemo<5, PairResult> m_pairMemo;    //!< by queue cluster and upstream moments
};

} // namespace ns3

#endif /* MQL_NETWORK_SOLVER_H */
