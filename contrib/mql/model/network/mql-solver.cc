/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-solver.h"

#include "../queue/mql-queue.h"
#include "../queue/mql-similarity.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlSolver");

namespace
{
constexpr double SMALLEST_TAIL = 1e-6; //!< P(n >= N) below which a buffer counts as infinite
constexpr double DAMPING = 0.6;        //!< coefficient of SUBTRACTIVE_DAMPED
} // namespace

/// The pass over the links of one network; symbols as in the header.
class MqlSolver
{
  public:
    MqlSolver(const MqlNetwork& network, const MqlOptions& options)
        : m_network(network),
          m_options(options),
          m_grid(options.similarity.value_or(0))
    {
    }

    MqlSolution Run();

  private:
    /// State of a link for its downstream links.
    struct LinkState
    {
        double burstFlow{0};      //!< C2D - 1 by GE_FLOW
        double burstLink{0};      //!< C2D - 1 by GE_LINK
        double nominalRate{0};    //!< packets/s if nothing were lost upstream
        double survival{1};       //!< fraction of these packets that leaves the link
        double secondsPerByte{0}; //!< k
    };

    /// Sums over the pairs of a link.
    struct Inputs
    {
        double nominal{0}; //!< packets/s if nothing were lost upstream
        double rate{0};    //!< lambda
        double rho{0};     //!< lambda S
        double second{0};  //!< sum lambda_i S_i^2 (1 + C2s_i)
        // Sums of lambda_i (C2a_i - 1) times 1, S_i / 2 and S_i^2, by GE_FLOW and GE_LINK.
        double flow0{0};
        double flow1{0};
        double flow2{0};
        double link0{0};
        double link1{0};
        double link2{0};
        double split{0}; //!< sum over l of lambda_lq p_l (1 - p_l)
    };

    /// Inputs of the model of a queue, dimensionless.
    struct QueueInputs
    {
        double rho;       //!< utilisation
        double c2s;       //!< C2S
        double c2aFlow;   //!< C2A by GE_FLOW
        double c2aLink;   //!< C2A by GE_LINK
        double ownFlow;   //!< mean wait in the own batch by GE_FLOW [S]
        double ownLink;   //!< ownFlow by GE_LINK
        double burstFlow; //!< sum lambda_i S_i^2 (C2a_i - 1) / (rho S) by GE_FLOW
        double burstLink; //!< burstFlow by GE_LINK
        double burst;     //!< burstFlow with SCVs of the sources
        double work3;     //!< third moment of the work of source batches, per packet [S^3]
    };

    /// Results of the model of a queue; times in S.
    struct QueueResult
    {
        double workload;   //!< V by GE_FLOW
        double waitGeFlow; //!< mean W
        double waitGeLink; //!< mean W
        double all;        //!< V of all sources at once
        double variance;   //!< of `all`
        double c2dFlow;    //!< C2D by GE_FLOW
        double c2dLink;    //!< C2D by GE_LINK
        double loss;       //!< finite buffer
        double finite;     //!< W of the finite buffer / infinite
        double empty;      //!< p_0 of the finite buffer, if rho >= 1
        uint64_t cluster;  //!< number of the evaluation
    };

    /// Results of the model of a pair; times in S.
    struct PairResult
    {
        double wait;     //!< W by SUBTRACTIVE
        double variance; //!< of the wait
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
    double Select(const MqlQueue& queue) const;

    const MqlNetwork& m_network;          //!< the network
    const MqlOptions& m_options;          //!< options
    MqlSolution m_solution;               //!< the answer
    std::vector<LinkState> m_links;       //!< by link
    double m_change{0};                   //!< largest change of an SCV or survival in this sweep
    MqlSimilarityGrid m_grid;             //!< of similarity
    MqlMemo<12, QueueResult> m_queueMemo; //!< by type and QueueInputs
    MqlMemo<5, PairResult> m_pairMemo;    //!< by queue cluster and upstream moments
};

MqlSolution
MqlSolver::Run()
{
    const uint32_t nLinks = m_network.GetTopology().GetNLinks();
    m_solution.m_network = &m_network;
    m_solution.m_queues.resize(nLinks);
    m_solution.m_pairs.resize(m_network.m_pairs.size());
    m_solution.m_workload.resize(nLinks);
    m_solution.m_burstPerRate.resize(nLinks);
    m_solution.m_finite.assign(nLinks, 1);
    m_solution.m_shape.assign(nLinks, 1);
    m_links.resize(nLinks);
    for (uint32_t link : m_network.m_order)
    {
        LinkState& state = m_links[link];
        state.secondsPerByte = m_network.m_secondsPerByte[link];
        for (uint32_t i = m_network.m_firstPair[link]; i < m_network.m_firstPair[link + 1]; i++)
        {
            state.nominalRate += m_network.m_pairs[i].rate;
        }
    }
    ChooseFormula();
    m_solution.m_nSweeps = 0;
    do
    {
        if (m_solution.m_nSweeps == m_options.maxSweeps)
        {
            DcnFail("the queueing network has cyclic routes and did not converge: after ",
                    m_options.maxSweeps,
                    " sweeps a squared coefficient of variation or a share of losses still changes "
                    "by ",
                    m_change);
        }
        m_change = 0;
        for (uint32_t link : m_network.m_order)
        {
            SolveLink(link);
        }
        m_solution.m_nSweeps++;
    } while (!m_network.m_feedForward && m_change > m_options.tolerance);
    if (m_options.similarity)
    {
        m_solution.m_nModelCalls = m_queueMemo.GetNCalls() + m_pairMemo.GetNCalls();
    }
    m_solution.SumSegments();
    NS_LOG_INFO(m_network.m_order.size() << " queues by " << MqlGetFormulaName(m_solution.m_formula)
                                         << " in " << m_solution.m_nSweeps << " sweeps, "
                                         << m_solution.m_nModelCalls << " model calls");
    return std::move(m_solution);
}

void
MqlSolver::ChooseFormula()
{
    m_solution.m_formula = m_options.formula;
    if (m_options.formula != MqlFormula::AUTOMATIC)
    {
        return;
    }
    // Found by comparison with an exact simulation, see doc/mql.rst: bursts persist in the
    // subtractive formula only; random sizes and splitting destroy the order made by upstream
    // links.
    bool bursts = false;
    bool randomSizes = false;
    for (const MqlFlow& flow : m_network.m_flows)
    {
        bursts = bursts || flow.c2a > 1.5;
        randomSizes = randomSizes || flow.c2s > 0.005;
    }
    const bool split = !m_network.m_visitFractions.empty();
    m_solution.m_formula =
        !bursts && (randomSizes || split) ? MqlFormula::GE_LINK : MqlFormula::SUBTRACTIVE_DAMPED;
}

MqlSolver::Inputs
MqlSolver::Collect(uint32_t link) const
{
    Inputs in;
    const double k = m_links[link].secondsPerByte;
    for (uint32_t i = m_network.m_firstPair[link]; i < m_network.m_firstPair[link + 1]; i++)
    {
        const MqlPair& pair = m_network.m_pairs[i];
        if (pair.upstream == MqlPair::EXTERNAL)
        {
            in.nominal += pair.rate;
            in.rate += pair.rate;
            in.rho += k * pair.bytes;
            in.second += k * k * pair.bytes2;
            in.flow0 += pair.burst0;
            in.flow1 += k * pair.burst1 / 2;
            in.flow2 += k * k * pair.burst2;
            in.link0 += pair.burst0;
            in.link1 += k * pair.burst1 / 2;
            in.link2 += k * k * pair.burst2;
            continue;
        }
        const LinkState& upstream = m_links[pair.upstream];
        const double survival = upstream.survival;
        const double share = pair.rate / upstream.nominalRate; // p_l
        const double perRate = upstream.burstFlow / upstream.nominalRate;
        const double burst = share * upstream.burstLink; // C2_lq - 1
        in.nominal += pair.rate;
        in.rate += survival * pair.rate;
        in.rho += survival * k * pair.bytes;
        in.second += survival * k * k * pair.bytes2;
        in.flow0 += survival * perRate * pair.square0;
        in.flow1 += survival * perRate * k * pair.square1 / 2;
        in.flow2 += survival * perRate * k * k * pair.square2;
        in.link0 += survival * pair.rate * burst;
        in.link1 += survival * k * pair.bytes * burst / 2;
        in.link2 += survival * k * k * pair.bytes * pair.bytes / pair.rate * burst;
        in.split += survival * pair.rate * share * (1 - share);
    }
    return in;
}

MqlSolver::QueueInputs
MqlSolver::Normalise(uint32_t link, const Inputs& in) const
{
    const double k = m_links[link].secondsPerByte;
    const double survival = in.rate / in.nominal;
    const auto& sources = m_network.m_linkBursts[link];
    const double service = in.rho / in.rate;
    const double perWork = 1 / (in.rho * service);
    QueueInputs q;
    q.rho = in.rho;
    q.c2s = std::max(0.0, in.second * perWork - 1);
    q.c2aFlow = std::max(0.0, 1 + in.flow0 / in.rate);
    q.c2aLink = std::max(0.0, 1 + in.link0 / in.rate);
    q.ownFlow = in.flow1 / in.rho;
    q.ownLink = in.link1 / in.rho;
    q.burstFlow = in.flow2 * perWork;
    q.burstLink = in.link2 * perWork;
    q.burst = survival * k * k * sources.burst2 * perWork;
    q.work3 = survival * k * k * k * sources.work3 * perWork / service;
    return q;
}

MqlSolver::QueueResult
MqlSolver::EvaluateQueue(const QueueInputs& in) const
{
    QueueResult result{};
    result.finite = 1;
    const double idle = 1 - in.rho;
    if (in.rho < 1)
    {
        const double half = in.rho / (2 * idle);
        result.workload = half * (1 + in.c2s + in.burstFlow);
        result.waitGeFlow = std::max(0.0, result.workload + in.ownFlow);
        result.waitGeLink = std::max(0.0, half * (1 + in.c2s + in.burstLink) + in.ownLink);
        result.all = half * (1 + in.c2s + in.burst);
        result.variance = result.all * result.all + in.rho * in.work3 / (3 * idle);
    }
    const uint32_t room =
        m_options.bufferPackets + 1; // the packet in transmission is not in the buffer
    const double c2a = std::max(1.0, in.c2aLink);
    const double x = in.rho < 1 ? MqlOccupancyRatio(in.rho, c2a, in.c2s) : 1;
    if (m_options.bufferPackets > 0 &&
        std::log(std::max(x, 1e-300)) * room > std::log(SMALLEST_TAIL))
    {
        const MqlFiniteQueue finite = MqlSolveFiniteQueue(in.rho, c2a, in.c2s, room);
        result.loss = finite.loss;
        if (in.rho < 1)
        {
            const double infinite = (c2a - 1 + in.rho * (1 + in.c2s)) / (2 * idle); // W / S
            result.finite = infinite > 0 ? std::min(1.0, finite.wait / infinite) : 1;
        }
        else
        {
            // Without an infinite queue to scale: all packets have the same wait.
            result.workload = result.waitGeFlow = result.waitGeLink = result.all = finite.wait;
            result.variance = finite.wait * finite.wait;
            result.empty = finite.empty;
        }
    }
    const double busy = std::min(1.0, in.rho * (1 - result.loss));
    result.c2dFlow = MqlDepartureC2(busy, in.c2aFlow, in.c2s);
    result.c2dLink = MqlDepartureC2(busy, in.c2aLink, in.c2s);
    return result;
}

MqlSolver::QueueResult
MqlSolver::GetQueueResult(uint8_t type, const QueueInputs& in)
{
    m_solution.m_nEvaluations++;
    if (!m_options.similarity)
    {
        m_solution.m_nModelCalls++;
        return EvaluateQueue(in);
    }
    return m_queueMemo.Get({type,
                            m_grid.Bin(in.rho < 1 ? in.rho / (1 - in.rho) : -in.rho),
                            m_grid.Bin(in.c2s),
                            m_grid.Bin(in.c2aFlow),
                            m_grid.Bin(in.c2aLink),
                            m_grid.Bin(1 + in.c2s + in.burstFlow),
                            m_grid.Bin(1 + in.c2s + in.burstLink),
                            m_grid.Bin(1 + in.c2s + in.burst),
                            m_grid.Bin(in.work3),
                            m_grid.Bin(1 + in.ownFlow),
                            m_grid.Bin(1 + in.ownLink),
                            0},
                           [&]() {
                               QueueResult result = EvaluateQueue(in);
                               result.cluster = m_queueMemo.GetNCalls();
                               return result;
                           });
}

MqlSolver::PairResult
MqlSolver::GetPairResult(const QueueResult& queue, const MqlPair& pair, double service)
{
    const LinkState& upstream = m_links[pair.upstream];
    const double k = upstream.secondsPerByte;
    const double rho = upstream.survival * k * pair.bytes;
    const double second = k * (pair.bytes2 + pair.burst2) / (pair.bytes * service);
    const double third = k * k * pair.work3 / (pair.bytes * service * service);
    m_solution.m_nEvaluations++;
    const auto evaluate = [&]() -> PairResult {
        if (rho >= 1)
        {
            return {0, 0};
        }
        const double before = rho / (1 - rho) * second / 2;
        const double wait = std::max(0.0, queue.all - before);
        if (wait <= 1e-12 * queue.all)
        {
            return {0, 0};
        }
        const double variance = before * before + rho / (1 - rho) * third / 3;
        return {wait, std::max(0.0, queue.variance - variance)};
    };
    if (!m_options.similarity)
    {
        m_solution.m_nModelCalls++;
        return evaluate();
    }
    return m_pairMemo.Get({static_cast<int64_t>(queue.cluster),
                           m_grid.Bin(rho < 1 ? rho / (1 - rho) : -rho),
                           m_grid.Bin(second),
                           m_grid.Bin(third),
                           0},
                          evaluate);
}

void
MqlSolver::SolveLink(uint32_t link)
{
    const Inputs in = Collect(link);
    const QueueInputs inputs = Normalise(link, in);
    if (in.rho >= 1 && m_options.bufferPackets == 0)
    {
        DcnFail("queue ",
                m_network.GetTopology().DescribeLink(link),
                " (",
                MqlQueueTypes::GetName(m_network.m_types[link]),
                ") has utilisation ",
                in.rho,
                ": with an infinite buffer it needs less than 1");
    }
    const QueueResult result = GetQueueResult(m_network.m_types[link], inputs);
    MqlQueue& queue = m_solution.m_queues[link];
    queue.rate = in.rate;
    queue.rho = in.rho;
    queue.service = in.rho / in.rate;
    queue.c2a = inputs.c2aLink;
    queue.c2s = inputs.c2s;
    queue.c2d = result.c2dLink;
    queue.loss = result.loss;
    queue.waitGeFlow = result.waitGeFlow * queue.service;
    queue.waitGeLink = result.waitGeLink * queue.service;
    SolvePairs(link, in, result, queue);
    m_solution.m_finite[link] = result.finite;
    m_solution.m_shape[link] = result.all > 0 ? result.variance / (result.all * result.all) : 1;
    m_solution.m_workload[link] = result.workload * queue.service;
    queue.wait = Select(queue) * result.finite;
    queue.occupancy = queue.rate * (1 - queue.loss) * (queue.wait + queue.service);

    LinkState& state = m_links[link];
    // SCVs alone do not include losses: with C2A = C2S = 1 they stay 1.
    const double survival = in.rate / in.nominal * (1 - queue.loss);
    m_change = std::max({m_change,
                         std::abs(result.c2dLink - 1 - state.burstLink),
                         std::abs(result.c2dFlow - 1 - state.burstFlow),
                         std::abs(survival - state.survival)});
    state.burstLink = result.c2dLink - 1;
    state.burstFlow = result.c2dFlow - 1;
    state.survival = survival;
    m_solution.m_burstPerRate[link] = state.burstFlow / state.nominalRate;
}

void
MqlSolver::SolvePairs(uint32_t link, const Inputs& in, const QueueResult& result, MqlQueue& queue)
{
    const double k = m_links[link].secondsPerByte;
    const double service = queue.service;
    const double damping = in.rho < 1 ? 1 - DAMPING * in.rho * in.rho * in.split / in.rate : 1;
    double sum = 0;
    double sumDamped = 0;
    double sumSquares = 0;
    for (uint32_t i = m_network.m_firstPair[link]; i < m_network.m_firstPair[link + 1]; i++)
    {
        const MqlPair& pair = m_network.m_pairs[i];
        MqlSolution::PairState& state = m_solution.m_pairs[i];
        double rate = pair.rate;
        double own = 0; // mean wait in the own batch, or behind larger packets of the same link
        PairResult at{result.all, result.variance};
        state.share = 1;
        state.idle = in.rho < 1 ? 1 - in.rho : result.empty;
        if (pair.upstream != MqlPair::EXTERNAL)
        {
            const LinkState& upstream = m_links[pair.upstream];
            rate *= upstream.survival;
            state.share = pair.rate / upstream.nominalRate;
            if (in.rho < 1)
            {
                at = GetPairResult(result, pair, service);
                const double rho = upstream.survival * k * pair.bytes;
                state.idle = at.wait > 0 ? std::min(1.0, (1 - in.rho) / (1 - rho)) : 1;
                own = MeanGate(pair, k);
            }
        }
        else if (in.rho < 1)
        {
            own = k * pair.burst1 / (2 * pair.rate);
        }
        const bool first = pair.upstream == MqlPair::EXTERNAL;
        state.waitSubtractive = std::max(0.0, at.wait) * service;
        state.waitDamped = state.waitSubtractive * (first ? 1 : damping);
        state.variance = at.variance * service * service;
        const double wait = std::max(0.0, state.waitSubtractive + own);
        sum += rate * wait;
        sumDamped += rate * std::max(0.0, state.waitDamped + own);
        sumSquares += rate * (state.variance + wait * wait);
    }
    queue.waitSubtractive = sum / in.rate;
    queue.waitDamped = sumDamped / in.rate;
    queue.variance =
        std::max(0.0, sumSquares / in.rate - queue.waitSubtractive * queue.waitSubtractive);
}

double
MqlSolver::MeanGate(const MqlPair& pair, double k)
{
    // MqlSolution::GateAt, averaged over all packets of the pair.
    const double ackRate = pair.rate - pair.dataRate;
    if (!(ackRate > 1e-12 * pair.rate) || pair.dataRate == 0)
    {
        return 0;
    }
    const double ackBytes = pair.bytes - pair.dataBytes;
    const double longest = k * (pair.dataBytes / pair.dataRate - ackBytes / ackRate);
    const double gate = k * k *
                        (1.5 * pair.dataBytes2 - 2 * ackBytes / ackRate * pair.dataBytes +
                         0.5 * (pair.bytes2 - pair.dataBytes2) / ackRate * pair.dataRate);
    return ackRate / pair.rate * std::max(0.0, std::min(longest, gate));
}

double
MqlSolver::Select(const MqlQueue& queue) const
{
    switch (m_solution.m_formula)
    {
    case MqlFormula::GE_FLOW:
        return queue.waitGeFlow;
    case MqlFormula::GE_LINK:
        return queue.waitGeLink;
    case MqlFormula::SUBTRACTIVE:
        return queue.waitSubtractive;
    default:
        return queue.waitDamped;
    }
}

MqlSolution
MqlSolve(const MqlNetwork& network, const MqlOptions& options)
{
    return MqlSolver(network, options).Run();
}

} // namespace ns3
