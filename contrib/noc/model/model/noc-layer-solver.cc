/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-layer-solver.h"

#include "ns3/log.h"
#include "ns3/mql-queue.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocLayerSolver");

namespace
{

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double SMALL = 1e-9;        // rates and probabilities that count as none
constexpr uint32_t NONE = UINT32_MAX; // not the first of its class; no lane
constexpr uint32_t MOST_ITERATIONS = 200;
constexpr double SETTLED = 1e-6;    // largest change of a refusal or loss in the last iteration
constexpr double DEFLECTING = 1e-3; // bounce probability from which a sink counts as deflecting
constexpr double MOST_DEFLECTING = 0.25; // share of nodes up to which their load is told apart
constexpr double MOST_CHAIN = 0.985;     // utilisation that the chain of phases is solved with
constexpr double ROOM_USED = 0.02;       // waiting packets per place from which losses are computed

/// Places of streams at a lane.
enum Role : uint8_t
{
    PASS, //!< they pass it
    TURN, //!< they turn into it
    SEND  //!< a cache slice or controller sends them
};

/// Gives every element of a list the value of the first one of its class.
template <typename T>
void
Copy(const NocSymmetry::Classes& classes, std::vector<T>& list)
{
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        list[i] = list[classes.of[i]];
    }
}

} // namespace

NocLayerSolver::NocLayerSolver(const NocSystem& system,
                               const NocSymmetry& symmetry,
                               const NocBursts& bursts,
                               const std::vector<NocFlow>& flows,
                               NocLayer layer,
                               NocMethod method)
    : m_system(system),
      m_topology(*system.topology),
      m_symmetry(symmetry),
      m_bursts(bursts),
      m_flows(flows),
      m_layer(layer),
      m_method(method),
      m_n(m_topology.GetNNodes()),
      m_nLanes(m_topology.GetNLanes()),
      m_stops(m_n),
      m_number(m_n, NONE),
      m_loss(m_nLanes, 0),
      m_turnBounce(m_nLanes, 0),
      m_turnOverflow(m_nLanes, 0),
      m_circling(m_nLanes, 0),
      m_outputs(m_nLanes)
{
    for (uint32_t lane = 0; lane < m_nLanes; ++lane)
    {
        auto& stops = m_stops[m_topology.GetNode(lane)];
        if (stops.empty() || stops.back().loop != m_topology.GetLoop(lane))
        {
            stops.push_back({m_topology.GetLoop(lane), {}});
        }
        stops.back().positions.push_back(lane);
    }
    for (uint32_t node = 0; node < m_n; ++node)
    {
        if (m_symmetry.GetNodes().IsFirst(node))
        {
            m_number[node] = static_cast<uint32_t>(m_firsts.size());
            m_firsts.push_back(node);
        }
    }
    m_answer.pairs.assign(static_cast<std::size_t>(m_n) * m_n, 0);
    for (auto* list : {&m_answer.sinks, &m_answer.bounces, &m_answer.extras})
    {
        list->assign(m_n, 0);
    }
}

void
NocLayerSolver::ClearFlows()
{
    const std::size_t k = m_firsts.size();
    for (auto* list : {&m_sourceStreams[PASS],
                       &m_sourceStreams[TURN],
                       &m_causeStreams[PASS],
                       &m_causeStreams[TURN],
                       &m_causeStreams[SEND]})
    {
        list->assign(k * m_nLanes, 0);
    }
    for (auto* list : {&m_mixed[PASS],
                       &m_mixed[TURN],
                       &m_mixed[SEND],
                       &m_own[0],
                       &m_own[1],
                       &m_exits,
                       &m_turnExits,
                       &m_through,
                       &m_injected[TURNING],
                       &m_injected[AGENT],
                       &m_injected[CORE]})
    {
        list->assign(m_nLanes, 0);
    }
    m_sinkSources.assign(k * m_n, 0);
    m_sinkCauses.assign(k * m_n, 0);
    m_sinkMixed.assign(m_n, 0);
    m_sinks.assign(m_n, Way());
    m_turns.assign(m_symmetry.GetNTurns(), 0);
}

void
NocLayerSolver::RouteFlows()
{
    ClearFlows();
    for (const NocFlow& flow : m_flows)
    {
        const uint32_t source = m_number[flow.source];
        const uint32_t cause = flow.cause == NocFlow::MIXED ? NONE : m_number[flow.cause];
        if (source != NONE || cause != NONE) // else an image of another one
        {
            RouteFlow(flow, source, cause);
        }
    }
}

void
NocLayerSolver::RouteFlow(const NocFlow& flow, uint32_t source, uint32_t cause)
{
    const auto& nodes = m_symmetry.GetNodes();
    const auto& lanes = m_symmetry.GetLanes();
    const auto& turns = m_symmetry.GetTurns();
    const std::size_t k = m_firsts.size();
    const bool isMixed = flow.cause == NocFlow::MIXED;
    const double weight = source == NONE ? 0 : nodes.size[flow.source];
    double rate = flow.rate;
    auto add = [&](Role role, uint32_t lane) {
        const double each = weight * rate / lanes.size[lane];
        (role == PASS   ? m_through
         : role == TURN ? m_injected[TURNING]
                        : m_injected[AGENT])[lanes.of[lane]] += each;
        if (source != NONE && role != SEND)
        {
            m_sourceStreams[role][lane * k + source] += static_cast<float>(rate);
        }
        if (cause != NONE)
        {
            m_causeStreams[role][lane * k + cause] += static_cast<float>(rate);
        }
        else if (isMixed)
        {
            m_mixed[role][lanes.of[lane]] += each;
        }
    };
    uint32_t node = flow.source;
    uint32_t before = NONE; // lane on which a turning packet came
    do
    {
        const NocTopology::Leg& leg = m_topology.GetLeg(node, flow.destination);
        uint32_t lane = leg.lane;
        if (before != NONE)
        {
            const uint32_t turn = m_symmetry.GetTurn(before, lane);
            m_turns[turns.of[turn]] += weight * rate / turns.size[turn];
            add(TURN, lane);
        }
        else if (flow.isCore)
        {
            rate *= 1 - m_loss[lane];
            m_own[1][lane] += source == NONE ? 0 : rate;
            m_injected[CORE][lanes.of[lane]] += weight * rate / lanes.size[lane];
        }
        else
        {
            add(SEND, lane);
            m_own[0][lane] += source == NONE ? 0 : rate;
        }
        lane = m_topology.GetNext(lane);
        for (uint32_t hop = 1; hop < leg.hops; ++hop, lane = m_topology.GetNext(lane))
        {
            add(PASS, lane);
        }
        before = lane;
        node = leg.exit;
        (node == flow.destination ? m_exits : m_turnExits)[lanes.of[lane]] +=
            weight * rate / lanes.size[lane];
    } while (node != flow.destination);
    const double each = weight * rate / nodes.size[node];
    m_sinks[nodes.of[node]].rate += each;
    if (source != NONE)
    {
        m_sinkSources[node * k + source] += static_cast<float>(rate);
    }
    if (cause != NONE)
    {
        m_sinkCauses[node * k + cause] += static_cast<float>(rate);
    }
    else if (isMixed)
    {
        m_sinkMixed[nodes.of[node]] += each;
    }
}

double
NocLayerSolver::GetBursts(double rate, uint32_t core) const
{
    return rate > 0 ? 2 * m_bursts.ahead[core] * rate * rate / m_system.rates[core] : 0;
}

double
NocLayerSolver::GetMixedBursts(double rate) const
{
    return 2 * m_bursts.mixedAhead * rate * rate / m_bursts.rate;
}

void
NocLayerSolver::AddVariances()
{
    const auto& nodes = m_symmetry.GetNodes();
    const auto& lanes = m_symmetry.GetLanes();
    const auto& turns = m_symmetry.GetTurns();
    const std::size_t k = m_firsts.size();
    for (auto& list : m_variance)
    {
        list.assign(m_nLanes, 0);
    }
    for (uint32_t lane = 0; lane < m_nLanes; ++lane)
    {
        const uint32_t first = lanes.of[lane];
        const uint32_t node = m_topology.GetNode(lane);
        for (std::size_t i = 0; i < k; ++i)
        {
            const uint32_t source = m_firsts[i];
            const double weight = double(nodes.size[source]) / lanes.size[lane];
            const std::size_t cell = lane * k + i;
            auto add = [&](std::size_t stage, double x, double y) {
                m_variance[stage][first] += weight * (x * (1 - x) + GetBursts(y, source));
            };
            double x = m_sourceStreams[PASS][cell];
            double y = m_causeStreams[PASS][cell];
            add(TURNING, x, y);
            x += m_sourceStreams[TURN][cell];
            y += m_causeStreams[TURN][cell];
            add(AGENT, x, y);
            x += source == node ? m_own[0][lane] : 0;
            y += m_causeStreams[SEND][cell];
            add(CORE, x, y);
            if (source == node)
            {
                x += m_own[1][lane];
                y += m_own[1][lane];
            }
            add(N_CLASSES, x, y);
        }
    }
    m_turnExtra.assign(m_nLanes, 0);
    m_ahead.assign(m_nLanes, 0);
    for (uint32_t lane = 0; lane < m_nLanes; ++lane)
    {
        if (!lanes.IsFirst(lane))
        {
            continue;
        }
        double mixed = m_mixed[PASS][lane];
        m_variance[TURNING][lane] += GetMixedBursts(mixed);
        m_variance[AGENT][lane] += GetMixedBursts(mixed += m_mixed[TURN][lane]);
        m_variance[CORE][lane] += GetMixedBursts(mixed += m_mixed[SEND][lane]);
        m_variance[N_CLASSES][lane] += GetMixedBursts(mixed);
        const uint32_t node = m_topology.GetNode(lane);
        const double x = m_injected[TURNING][lane];
        double squares = 0; // of the streams that meet
        for (const Stop& stop : m_stops[node])
        {
            for (uint32_t from : stop.positions)
            {
                const double rate = m_turns[turns.of[m_symmetry.GetTurn(from, lane)]];
                squares += rate * rate;
            }
        }
        m_turnExtra[lane] = x > 0 ? (x * x - squares) / (2 * x) : 0;
        const double own = m_injected[CORE][lane];
        m_ahead[lane] = own > 0 ? m_bursts.ahead[node] * own / m_system.rates[node] : 0;
    }
    AddSinkVariances();
}

void
NocLayerSolver::AddSinkVariances()
{
    const auto& nodes = m_symmetry.GetNodes();
    const std::size_t k = m_firsts.size();
    for (uint32_t node = 0; node < m_n; ++node)
    {
        double& v = m_sinks[nodes.of[node]].variance;
        for (std::size_t i = 0; i < k; ++i)
        {
            const double x = m_sinkSources[node * k + i];
            v += double(nodes.size[m_firsts[i]]) / nodes.size[node] *
                 (x * (1 - x) + GetBursts(m_sinkCauses[node * k + i], m_firsts[i]));
        }
        v += nodes.IsFirst(node) ? GetMixedBursts(m_sinkMixed[node]) : 0;
    }
}

void
NocLayerSolver::Spread()
{
    const auto& lanes = m_symmetry.GetLanes();
    for (auto* list : {&m_through, &m_turnExtra, &m_ahead, &m_exits, &m_turnExits})
    {
        Copy(lanes, *list);
    }
    for (auto& list : m_injected)
    {
        Copy(lanes, list);
    }
    for (auto& list : m_variance)
    {
        Copy(lanes, list);
    }
    Copy(m_symmetry.GetNodes(), m_sinks);
}

double
NocLayerSolver::GetAhead(int c, uint32_t lane) const
{
    return c == CORE ? m_ahead[lane] : c == TURNING ? m_turnExtra[lane] : 0;
}

bool
NocLayerSolver::IsMemorySink(uint32_t node) const
{
    return m_system.isCache && m_system.IsMemory(node) &&
           (m_layer == NocLayer::MEMORY_REQUEST || m_system.sharedRequests);
}

double
NocLayerSolver::GetService(uint32_t node) const
{
    return IsMemorySink(node)
               ? std::max<double>(m_system.memoryPeriod,
                                  double(m_system.memoryLatency) / m_system.memoryList)
           : m_system.isCache ? 1.0
                              : 1 / m_system.sinkService;
}

double
NocLayerSolver::GetRefusal(double rate, double burst, double service, uint32_t room)
{
    const auto [found, isNew] = m_refusals.try_emplace({rate, burst, service, double(room)}, 0);
    if (isNew)
    {
        found->second = NocRefusal(rate, burst, service, room);
    }
    return found->second;
}

void
NocLayerSolver::SolveLoop(uint32_t loop, bool withCircling, Waits& waits)
{
    uint32_t before = m_topology.GetFirst(loop + 1) - 1;
    for (uint32_t lane = m_topology.GetFirst(loop); lane < m_topology.GetFirst(loop + 1);
         before = lane++)
    {
        const double extra = withCircling ? m_circling[lane] : 0;
        double u = m_through[lane] + extra;
        const double came = m_outputs[before].GetRate();
        NocThrough process =
            came > 0 ? m_outputs[before].Thin(std::min(u / came, 1.0)) : NocThrough();
        process = process.GetRate() > 0 ? process : NocThrough::Independent(u);
        for (int c = 0; c < N_CLASSES; ++c)
        {
            const double x = m_injected[c][lane];
            if (x <= SMALL)
            {
                continue;
            }
            const double ahead = GetAhead(c, lane);
            const double burst = ahead / (1 + ahead);
            // rounding, and the first sweep, may leave more than the lane can carry
            const double thinned = process.GetRate();
            if (thinned + x > MOST_CHAIN)
            {
                process = process.Thin(std::max(0.0, MOST_CHAIN - x) / thinned);
            }
            const NocBehind behind = NocSolveBehind(x, burst, process);
            waits[c][lane] = u + x < 1 - SMALL ? behind.wait : INFINITE;
            u += x;
            const double v = m_variance[c + 1][lane] + extra * (1 - extra);
            process = NocFitOutput(x,
                                   burst,
                                   process,
                                   behind.idle,
                                   NocCorrelations(std::min(u, MOST_CHAIN), v));
        }
        m_outputs[lane] = process;
    }
}

NocLayerSolver::Waits
NocLayerSolver::GetWaits(bool withCircling, int sweeps)
{
    const auto& lanes = m_symmetry.GetLanes();
    Waits waits;
    for (auto& list : waits)
    {
        list.assign(m_nLanes, 0);
    }
    if (m_method == NocMethod::CHAIN)
    {
        for (uint32_t loop = 0; loop < m_topology.GetNLoops(); ++loop)
        {
            bool isFirst = false; // of its class: it has the first lanes
            for (uint32_t lane = m_topology.GetFirst(loop); lane < m_topology.GetFirst(loop + 1);
                 ++lane)
            {
                isFirst = isFirst || lanes.IsFirst(lane);
            }
            for (int sweep = 0; sweep < sweeps && isFirst; ++sweep)
            {
                SolveLoop(loop, withCircling, waits);
            }
        }
        for (auto& list : waits)
        {
            Copy(lanes, list);
        }
        Copy(lanes, m_outputs);
        return waits;
    }
    const double theta = m_method == NocMethod::CLOSED ? THETA : 0;
    for (uint32_t lane = 0; lane < m_nLanes; ++lane)
    {
        const double extra = withCircling ? m_circling[lane] : 0;
        double u = m_through[lane] + extra;
        for (int c = 0; c < N_CLASSES; ++c)
        {
            const double x = m_injected[c][lane];
            if (x <= 0)
            {
                continue;
            }
            const double v = m_variance[c][lane] + extra * (1 - extra);
            waits[c][lane] =
                u + x < 1 - SMALL
                    ? NocLaneWait(x, GetAhead(c, lane), u, theta * NocCorrelations(u, v))
                    : INFINITE;
            u += x;
        }
    }
    return waits;
}

void
NocLayerSolver::AddCircling(const Stop& stop,
                            const std::vector<double>& arrivals,
                            double share,
                            double bounce,
                            std::vector<double>& circling) const
{
    const std::size_t k = stop.positions.size();
    for (std::size_t i = 0; i < k; ++i)
    {
        // refused here: arrivals here, and those that were refused at positions before
        double refused = 0;
        double power = bounce;
        for (std::size_t back = 0; back < k; ++back, power *= bounce)
        {
            refused += power * share * arrivals[stop.positions[(i + k - back) % k]];
        }
        refused /= 1 - std::pow(bounce, double(k));
        uint32_t lane = stop.positions[i];
        do
        {
            circling[lane] += refused;
            lane = m_topology.GetNext(lane);
        } while (lane != stop.positions[(i + 1) % k]);
    }
}

double
NocLayerSolver::Deflect(const Refused& refused,
                        double& bounce,
                        double& between,
                        std::vector<double>& circling)
{
    std::vector<double> part; // of the packets, by loop
    between = 0;
    for (const Stop& stop : m_stops[refused.node])
    {
        double arriving = 0;
        for (uint32_t lane : stop.positions)
        {
            arriving += refused.arrivals[lane];
        }
        part.push_back(refused.share * arriving / refused.rate);
        between += part.back() * m_topology.GetRound(stop.positions[0]) /
                   static_cast<double>(stop.positions.size());
    }
    double attempts = 0; // refused per cycle
    for (std::size_t i = 0; i < part.size(); ++i)
    {
        const uint32_t lane = m_stops[refused.node][i].positions[0];
        attempts += part[i] > 0 ? std::min(refused.overflow * part[i],
                                           CIRCLING * m_topology.GetRound(lane)) /
                                      between
                                : 0;
    }
    const double target = attempts / (refused.rate + attempts);
    m_change = std::max(m_change, std::abs(target - bounce));
    bounce += (target - bounce) / 2;
    for (std::size_t i = 0; i < part.size(); ++i)
    {
        if (part[i] > 0)
        {
            AddCircling(m_stops[refused.node][i],
                        refused.arrivals,
                        refused.share,
                        bounce,
                        circling);
        }
    }
    return attempts;
}

void
NocLayerSolver::SolveSink(uint32_t node, std::vector<double>& circling)
{
    const Way& way = m_sinks[node];
    const double service = GetService(node);
    const double rho = way.rate * service;
    double& bounce = m_answer.bounces[node];
    m_answer.sinks[node] = rho;
    m_answer.extras[node] = 0;
    if (way.rate <= SMALL || m_system.ingress == NocSystem::UNLIMITED)
    {
        return;
    }
    if (rho >= 1)
    {
        m_answer.extras[node] = INFINITE;
        return;
    }
    const bool isMemory = IsMemorySink(node);
    const double c2s = isMemory || m_system.isCache ? 0 : 1 - m_system.sinkService;
    const double room = m_system.ingress + (isMemory ? 1 : 0);
    if (m_method == NocMethod::PUBLISHED)
    {
        // refused with p_full, which the latency of algorithm 2 does not contain
        bounce = NocPrinted::Full(NocPrinted::Wait(way.rate, service, c2s),
                                  way.rate,
                                  service,
                                  m_system.ingress,
                                  false);
        for (const Stop& stop : m_stops[node])
        {
            if (bounce > SMALL)
            {
                AddCircling(stop, m_exits, 1, bounce, circling);
            }
        }
        return;
    }
    const MqlClass arrivals{way.rate, way.variance / way.rate, service, c2s};
    const double number =
        way.rate * std::max(0.0, MqlWait(arrivals, MqlWorkload({arrivals}))) + rho;
    const double overflow = NocOverflow(number, rho, room);
    if (overflow <= SMALL)
    {
        return;
    }
    double between = 0;
    m_answer.deflections +=
        Deflect({node, m_exits, 1, way.rate, overflow}, bounce, between, circling);
    const double c2a = arrivals.c2a;
    const double burst = std::max(0.0, (c2a + way.rate - 1) / (c2a + way.rate + 1));
    const double refusal =
        overflow / way.rate > 1e-4 ? GetRefusal(way.rate, burst, service, uint32_t(room)) : 0;
    m_answer.extras[node] = overflow / way.rate + between / 2 * refusal / (1 - refusal);
}

void
NocLayerSolver::SolveTurn(uint32_t lane, const Waits& waits, std::vector<double>& circling)
{
    const double x = m_injected[TURNING][lane];
    const double wait = waits[TURNING][lane];
    const double u = m_through[lane] + m_circling[lane];
    if (x <= SMALL || m_system.transgress == NocSystem::UNLIMITED || !std::isfinite(wait))
    {
        return;
    }
    const double rho = x / (1 - u);
    const double overflow = NocOverflow(x * (wait + 1), rho, m_system.transgress);
    if (overflow <= SMALL)
    {
        m_turnOverflow[lane] = 0;
        return;
    }
    // all packets that turn at this node leave at the same positions
    const uint32_t node = m_topology.GetNode(lane);
    double turns = 0;
    for (const Stop& stop : m_stops[node])
    {
        for (uint32_t position : stop.positions)
        {
            turns += m_turnExits[position];
        }
    }
    double between = 0;
    Deflect({node, m_turnExits, x / turns, x, overflow}, m_turnBounce[lane], between, circling);
    const double refusal =
        overflow / x > 1e-4 ? GetRefusal(x, 0, 1 / (1 - u), m_system.transgress) : 0;
    m_turnOverflow[lane] = overflow / x + between / 2 * refusal / (1 - refusal);
}

double
NocLayerSolver::SolveLoss(uint32_t lane, const Waits& waits)
{
    const double x = m_injected[CORE][lane] / (1 - m_loss[lane]);
    const double wait = waits[CORE][lane];
    if (x <= SMALL || m_method == NocMethod::INDEPENDENT ||
        m_system.egress == NocSystem::UNLIMITED ||
        m_system.overflow == NocSystem::Overflow::STALL ||
        (std::isfinite(wait) && wait * x < ROOM_USED * m_system.egress))
    {
        return 0;
    }
    // independent free slots that give this wait
    const double ahead = m_ahead[lane];
    const double u = std::isfinite(wait)
                         ? std::clamp((wait * (1 - x) - ahead) / (1 + wait), 0.0, 0.999)
                         : std::min(0.999,
                                    m_through[lane] + m_circling[lane] + m_injected[TURNING][lane] +
                                        m_injected[AGENT][lane]);
    const double target = NocChain(x,
                                   ahead / (1 + ahead),
                                   NocThrough::Independent(u),
                                   std::min<uint32_t>(m_system.egress, 512),
                                   NocChain::Order::ARRIVALS_FIRST)
                              .GetLoss();
    m_change = std::max(m_change, std::abs(target - m_loss[lane]));
    m_loss[lane] += (target - m_loss[lane]) / 2;
    return m_loss[lane];
}

void
NocLayerSolver::GetLatencies()
{
    const auto nDeflecting = static_cast<double>(
        std::count_if(m_answer.bounces.begin(), m_answer.bounces.end(), [](double b) {
            return b > DEFLECTING;
        }));
    const bool isToldApart = nDeflecting <= MOST_DEFLECTING * m_n;
    double sum = 0;
    for (const NocFlow& flow : m_flows)
    {
        const bool isOwn = isToldApart && m_answer.bounces[flow.destination] > DEFLECTING;
        const Waits& waits = isOwn && m_method != NocMethod::PUBLISHED ? m_unloaded : m_loaded;
        double latency = std::max(0.0, m_answer.extras[flow.destination]);
        uint32_t node = flow.source;
        double rate = flow.rate;
        bool isFirst = true;
        do
        {
            const NocTopology::Leg& leg = m_topology.GetLeg(node, flow.destination);
            latency += leg.hops;
            if (isFirst)
            {
                latency += waits[flow.isCore ? CORE : AGENT][leg.lane];
                rate *= flow.isCore ? 1 - m_loss[leg.lane] : 1;
            }
            else
            {
                latency += 1 + waits[TURNING][leg.lane] + m_turnOverflow[leg.lane];
            }
            isFirst = false;
            node = leg.exit;
        } while (node != flow.destination);
        // streams of a pair that have different causes see the same queues
        m_answer.pairs[static_cast<std::size_t>(flow.source) * m_n + flow.destination] = latency;
        m_answer.rate += rate;
        m_answer.offered += flow.rate;
        sum += rate * latency;
    }
    m_answer.latency = sum / m_answer.rate;
    std::vector<double>* const waits[] = {&m_answer.turnWaits,
                                          &m_answer.agentWaits,
                                          &m_answer.coreWaits};
    for (uint32_t each = 0; each < N_CLASSES; ++each)
    {
        for (uint32_t lane = 0; lane < m_nLanes; ++lane)
        {
            waits[each]->push_back(m_injected[each][lane] > 0 ? m_loaded[each][lane]
                                                              : std::nan(""));
        }
    }
}

void
NocLayerSolver::Bind(NocAnswer& answer)
{
    auto bind = [&answer](double utilisation, double limit, const auto& getName) {
        if (utilisation > answer.utilisation)
        {
            answer.utilisation = utilisation;
            answer.binding = getName();
        }
        answer.isNear = answer.isNear || utilisation > limit;
    };
    for (uint32_t lane = 0; lane < m_nLanes; ++lane)
    {
        m_answer.lanes.push_back(m_through[lane] + m_circling[lane] + m_injected[TURNING][lane] +
                                 m_injected[AGENT][lane] + m_injected[CORE][lane]);
        bind(m_answer.lanes[lane], NocAnswer::FULL_LANE, [&]() {
            return std::string(NocGetLayerName(m_layer)) + " lane " + m_topology.GetLaneName(lane);
        });
    }
    for (uint32_t node = 0; node < m_n; ++node)
    {
        bind(m_answer.sinks[node], NocAnswer::FULL_SINK, [&]() {
            return (IsMemorySink(node) ? "memory controller "
                                       : std::string(NocGetLayerName(m_layer)) + " sink of node ") +
                   std::to_string(node);
        });
    }
}

NocLayerAnswer
NocLayerSolver::Solve(NocAnswer& answer)
{
    auto load = [this]() {
        RouteFlows();
        AddVariances();
        Spread();
    };
    load();
    bool isSettled = false;
    uint32_t iteration = 0;
    double largestLoss = 0;
    while (!isSettled && iteration < MOST_ITERATIONS)
    {
        ++iteration;
        if (largestLoss > SMALL)
        {
            load();
        }
        m_loaded = GetWaits(true, iteration == 1 ? 2 : 1);
        m_change = 0;
        std::vector<double> circling(m_nLanes, 0);
        m_answer.deflections = 0;
        for (uint32_t node = 0; node < m_n && m_method != NocMethod::INDEPENDENT; ++node)
        {
            SolveSink(node, circling);
        }
        for (uint32_t lane = 0; lane < m_nLanes; ++lane)
        {
            if (m_method == NocMethod::CLOSED || m_method == NocMethod::CHAIN)
            {
                SolveTurn(lane, m_loaded, circling);
            }
        }
        largestLoss = 0;
        for (uint32_t lane = 0; lane < m_nLanes; ++lane)
        {
            largestLoss = std::max(largestLoss, SolveLoss(lane, m_loaded));
        }
        for (uint32_t lane = 0; lane < m_nLanes; ++lane)
        {
            const double difference = circling[lane] - m_circling[lane];
            m_change = std::max(m_change, std::abs(difference));
            m_circling[lane] += difference / 2;
        }
        isSettled = m_change < SETTLED;
    }
    m_loaded = GetWaits(true, 1);
    m_unloaded = GetWaits(false, 2);
    GetLatencies();
    Bind(answer);
    answer.iterations = std::max(answer.iterations, iteration);
    answer.hasConverged = answer.hasConverged && isSettled;
    NS_LOG_INFO(NocGetLayerName(m_layer) << ": " << iteration << " iterations, " << m_firsts.size()
                                         << " of " << m_n << " sources routed");
    return m_answer;
}

} // namespace ns3
