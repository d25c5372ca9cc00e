/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-network-solver.h"

#include "mql-queue.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{
constexpr double SMALLEST_TAIL = 1e-6; //!< P(n >= N) below which a buffer counts as infinite
constexpr double DAMPING = 0.6;        //!< of SUBTRACTIVE_DAMPED
} // namespace

struct MqlSolver::Inputs
{
    double nominal{0}; // packets/s if nothing were lost upstream
    double rate{0};    // lambda
    double rho{0};     // lambda S
    double second{0};  // sum lambda_i S_i^2 (1 + C2s_i)
    // Sums over flows of lambda_i (C2a_i - 1) times 1, S_i / 2 and S_i^2, by GE_FLOW and GE_LINK.
    double flow0{0};
    double flow1{0};
    double flow2{0};
    double link0{0};
    double link1{0};
    double link2{0};
    double split{0}; // sum over l of lambda_lq p_l (1 - p_l)
};

MqlSolver::MqlSolver(const MqlNetwork& network, const MqlOptions& options)
    : m_network(network),
      m_options(options)
{
}

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
    m_links.resize(nLinks);
    for (uint32_t link : m_network.m_order)
    {
        LinkState& state = m_links[link];
        state.secondsPerByte = 8 / static_cast<double>(m_network.GetTopology().GetLink(link).rateBps);
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
                    " sweeps a squared coefficient of variation still changes by ",
                    m_change);
        }
        m_change = 0;
        m_solution.m_nModelCalls = 0;
        for (uint32_t link : m_network.m_order)
        {
            SolveLink(link);
        }
        m_solution.m_nSweeps++;
    } while (!m_network.m_feedForward && m_change > m_options.tolerance);
    m_solution.SumSegments();
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
    // Measured against an exact simulation, see doc/mql.rst: bursts live on in the subtractive
    // formula alone; random sizes and splitting blur what upstream links have serialised.
    bool bursts = false;
    bool randomSizes = false;
    for (const MqlFlow& flow : m_network.m_flows)
    {
        bursts = bursts || flow.c2a > 1.5;
        randomSizes = randomSizes || flow.c2s > 0.005;
    }
    const bool split = !m_network.m_visitFractions.empty();
    m_solution.m_formula = !bursts && (randomSizes || split) ? MqlFormula::GE_LINK
                                                             : MqlFormula::SUBTRACTIVE_DAMPED;
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
        const double burst = share * upstream.burstLink;       // C2_lq - 1
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

void
MqlSolver::SolveLink(uint32_t link)
{
    const Inputs in = Collect(link);
    MqlQueue& queue = m_solution.m_queues[link];
    queue.rate = in.rate;
    queue.rho = in.rho;
    queue.service = in.rho / in.rate;
    queue.c2a = std::max(0.0, 1 + in.link0 / in.rate);
    queue.c2s = std::max(0.0, in.second * in.rate / (in.rho * in.rho) - 1);
    queue.loss = 0;
    m_solution.m_finite[link] = 1;
    const double c2aFlow = std::max(0.0, 1 + in.flow0 / in.rate);
    m_solution.m_nModelCalls++;

    SolveWaits(link, in, queue);
    if (!SolveFinite(link, queue) && !(queue.rho < 1))
    {
        DcnFail("queue ",
                m_network.GetTopology().DescribeLink(link),
                " (",
                MqlQueueTypes::GetName(m_network.m_types[link]),
                ") has utilisation ",
                queue.rho,
                ": with an infinite buffer it needs less than 1");
    }
    queue.wait = Select(queue) * m_solution.m_finite[link];
    queue.occupancy = queue.rate * (1 - queue.loss) * (queue.wait + queue.service);

    LinkState& state = m_links[link];
    const double busy = std::min(1.0, queue.rho * (1 - queue.loss));
    queue.c2d = MqlDepartureC2(busy, queue.c2a, queue.c2s);
    const double burstFlow = MqlDepartureC2(busy, c2aFlow, queue.c2s) - 1;
    m_change = std::max({m_change,
                         std::abs(queue.c2d - 1 - state.burstLink),
                         std::abs(burstFlow - state.burstFlow)});
    state.burstLink = queue.c2d - 1;
    state.burstFlow = burstFlow;
    state.survival = in.rate / in.nominal * (1 - queue.loss);
    m_solution.m_burstPerRate[link] = burstFlow / state.nominalRate;
}

void
MqlSolver::SolveWaits(uint32_t link, const Inputs& in, MqlQueue& queue)
{
    if (queue.rho >= 1)
    {
        return; // left to SolveFinite
    }
    const double workload = (in.second + in.flow2) / (2 * (1 - in.rho));
    m_solution.m_workload[link] = workload;
    queue.waitGeFlow = std::max(0.0, workload + in.flow1 / in.rate);
    queue.waitGeLink =
        std::max(0.0, (in.second + in.link2) / (2 * (1 - in.rho)) + in.link1 / in.rate);
    SolveSubtractive(link, in, queue);
}

void
MqlSolver::SolveSubtractive(uint32_t link, const Inputs& in, MqlQueue& queue)
{
    const double k = m_links[link].secondsPerByte;
    const double survival = in.rate / in.nominal;
    const auto& bursts = m_network.m_linkBursts[link];
    const double idle = 1 - in.rho;
    const double all = (in.second + survival * k * k * bursts.burst2) / (2 * idle);
    const double allVariance = all * all + survival * k * k * k * bursts.work3 / (3 * idle);
    const double damping = 1 - DAMPING * in.rho * in.rho * in.split / in.rate;
    double sum = 0;
    double sumDamped = 0;
    double sumSquares = 0;
    for (uint32_t i = m_network.m_firstPair[link]; i < m_network.m_firstPair[link + 1]; i++)
    {
        const MqlPair& pair = m_network.m_pairs[i];
        MqlSolution::PairState& state = m_solution.m_pairs[i];
        double rate = pair.rate;
        double own = 0; // mean wait in the own batch, or behind larger packets of the same link
        if (pair.upstream == MqlPair::EXTERNAL)
        {
            state.waitSubtractive = std::max(0.0, all);
            state.waitDamped = state.waitSubtractive;
            state.variance = allVariance;
            state.idle = idle;
            state.share = 1;
            own = k * pair.burst1 / (2 * pair.rate);
        }
        else
        {
            const LinkState& upstream = m_links[pair.upstream];
            const double kUp = upstream.secondsPerByte;
            rate *= upstream.survival;
            const double idleUp = 1 - upstream.survival * kUp * pair.bytes;
            state.share = pair.rate / upstream.nominalRate;
            const double serialised =
                idleUp > 0 ? upstream.survival * kUp * kUp * (pair.bytes2 + pair.burst2) / (2 * idleUp)
                           : all;
            const double variance =
                serialised * serialised +
                (idleUp > 0 ? upstream.survival * kUp * kUp * kUp * pair.work3 / (3 * idleUp) : 0);
            state.waitSubtractive = std::max(0.0, all - serialised);
            state.waitDamped = state.waitSubtractive * damping;
            const bool waits = state.waitSubtractive > 1e-12 * all;
            const double rhoHere = upstream.survival * k * pair.bytes;
            state.variance = waits ? std::max(0.0, allVariance - variance) : 0;
            state.idle = waits ? std::min(1.0, idle / (1 - rhoHere)) : 1;
            own = MeanGate(pair, k);
        }
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

bool
MqlSolver::SolveFinite(uint32_t link, MqlQueue& queue)
{
    if (m_options.bufferPackets == 0)
    {
        return false;
    }
    const uint32_t room = m_options.bufferPackets + 1; // the packet being sent has left the buffer
    const double c2a = std::max(1.0, queue.c2a);
    if (queue.rho < 1)
    {
        const double x = MqlOccupancyRatio(queue.rho, c2a, queue.c2s);
        if (std::log(std::max(x, 1e-300)) * room < std::log(SMALLEST_TAIL))
        {
            return true;
        }
    }
    const MqlFiniteQueue finite = MqlSolveFiniteQueue(queue.rho, c2a, queue.c2s, room);
    queue.loss = finite.loss;
    if (queue.rho < 1)
    {
        const double infinite =
            ((c2a - 1) + queue.rho * (1 + queue.c2s)) / (2 * (1 - queue.rho)); // W / S
        m_solution.m_finite[link] = infinite > 0 ? std::min(1.0, finite.wait / infinite) : 1;
        return true;
    }
    // There is no infinite queue to scale: all that comes waits the same.
    const double wait = finite.wait * queue.service;
    queue.waitGeFlow = queue.waitGeLink = queue.waitSubtractive = queue.waitDamped = wait;
    queue.variance = wait * wait;
    m_solution.m_workload[link] = wait;
    for (uint32_t i = m_network.m_firstPair[link]; i < m_network.m_firstPair[link + 1]; i++)
    {
        const uint32_t upstream = m_network.m_pairs[i].upstream;
        const double share = upstream == MqlPair::EXTERNAL
                                 ? 1
                                 : m_network.m_pairs[i].rate / m_links[upstream].nominalRate;
        m_solution.m_pairs[i] = {wait, wait, wait * wait, finite.empty, share};
    }
    return true;
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
    case MqlFormula::PRINTED: // twice V less S, see MqlSolution::WaitAt
        return 2 * queue.waitGeFlow - queue.service;
    default:
        return queue.waitDamped;
    }
}

MqlSolution
MqlNetwork::Solve(const MqlOptions& options) const
{
    return MqlSolver(*this, options).Run();
}

} // namespace ns3
