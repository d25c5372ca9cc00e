/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-model.h"

#include "../queue/noc-queue.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/mql-queue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocModel");

namespace
{

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double SMALL = 1e-9;           // rates and probabilities that count as none
constexpr uint32_t NONE = UINT32_MAX;    // no core causes the packet alone
constexpr uint32_t MOST_ITERATIONS = 200;
constexpr double SETTLED = 1e-6;         // largest change of a refusal or loss in the last iteration
constexpr double DEFLECTING = 1e-3;      // bounce probability from which a sink counts as deflecting
constexpr double MOST_DEFLECTING = 0.25; // share of nodes up to which their load is told apart
constexpr double MOST_CHAIN = 0.985;     // utilisation that the chain of phases is solved with
constexpr double ROOM_USED = 0.02;       // waiting packets per place from which losses are computed

/// Classes of packets at a lane, in the order of their priority.
enum Class : uint8_t
{
    TURNING,
    AGENT,
    CORE,
    N_CLASSES
};

} // namespace

/// A stream of packets from node to node.
struct NocModel::Flow
{
    uint32_t source;      //!< node
    uint32_t destination; //!< node
    uint32_t cause;       //!< core whose bursts it has; NONE: those of all cores, mixed
    bool isCore;          //!< sent by the core of the source, else by its cache slice or controller
    double rate;          //!< offered packets per cycle
};

/// Streams that share a way: rate, and what is needed for their variance.
struct NocModel::Load
{
    double rate{0};              //!< packets per cycle
    double mixed{0};             //!< of these, packets with the bursts of all cores
    std::vector<double> sources; //!< rate by node that sends
    std::vector<double> causes;  //!< rate by core whose bursts they have
};

/// Waits at the lanes of a layer.
struct NocModel::Waits
{
    std::array<std::vector<double>, N_CLASSES> classes; //!< W by class and lane
};

namespace
{

/// A sum over streams, with their variance.
struct Way
{
    double rate{0};     //!< packets per cycle
    double variance{0}; //!< v
};

} // namespace

/// Loads of a layer: lanes, turns and sinks.
struct NocModel::LayerState
{
    std::vector<double> through;                         //!< u by lane, without circling packets
    std::array<std::vector<double>, N_CLASSES> injected; //!< rate by class and lane
    /// v of the traffic before a class, and of all, by lane
    std::array<std::vector<double>, N_CLASSES + 1> variance;
    std::vector<double> turnExtra;                       //!< e / (2 x): meeting of turning streams
    std::vector<double> ahead;                           //!< g of the core's class, by lane
    std::vector<double> exits;                           //!< packets that leave for the sink, by lane
    std::vector<double> turnExits;                       //!< packets that leave to turn, by lane
    std::vector<Way> sinks;                              //!< arrivals by node
    std::vector<double> circling;                        //!< packets per cycle, by lane
};

NocMethod
NocGetMethod(const std::string& name)
{
    for (NocMethod method :
         {NocMethod::PUBLISHED, NocMethod::INDEPENDENT, NocMethod::CLOSED, NocMethod::CHAIN})
    {
        if (name == NocGetMethodName(method))
        {
            return method;
        }
    }
    DcnFail("there is no model \"",
            name,
            "\" of networks on chip; there are: published, independent, closed, chain");
}

const char*
NocGetMethodName(NocMethod method)
{
    static const char* const names[] = {"published", "independent", "closed", "chain"};
    return names[static_cast<std::size_t>(method)];
}

NocModel::NocModel(const NocSystem& system)
    : m_system(system)
{
    m_system.Check();
    if (!m_system.trace.empty())
    {
        const auto fits = NocFitTrace(m_system.trace,
                                      m_system.topology->GetNNodes(),
                                      m_system.trace.back().cycle + 1);
        for (std::size_t node = 0; node < fits.size(); ++node)
        {
            m_system.rates[node] = fits[node].first;
            m_system.bursts[node] = fits[node].second;
        }
        // destinations as they occur
        const std::size_t n = m_system.topology->GetNNodes();
        m_system.destinations.assign(n, std::vector<double>(n, 0));
        for (const NocTraceEntry& entry : m_system.trace)
        {
            m_system.destinations[entry.source][entry.destination] += 1;
        }
    }
    MakeFlows();
}

NocModel::~NocModel() = default;

void
NocModel::MakeFlows()
{
    const uint32_t n = m_system.topology->GetNNodes();
    m_flows.resize(NOC_LAYERS);
    m_ahead.assign(n, 0);
    auto add = [this](NocLayer layer, const Flow& flow) {
        if (flow.rate > 0)
        {
            m_flows[static_cast<std::size_t>(layer)].push_back(flow);
        }
    };
    const auto nMemory = static_cast<double>(m_system.memoryControllers.size());
    const double hit = m_system.hitRate;
    std::vector<double> misses(n, 0); // by cache slice
    double missSum = 0;
    for (uint32_t core = 0; core < n; ++core)
    {
        const double rate = m_system.rates[core];
        if (rate <= 0)
        {
            continue;
        }
        m_ahead[core] = NocGgeoSource::GetAhead(m_system.bursts[core]);
        m_rate += rate;
        m_mixedAhead += rate * m_ahead[core];
        const auto shares = m_system.GetShares(core);
        for (uint32_t node = 0; node < n; ++node)
        {
            add(NocLayer::REQUEST, {core, node, core, true, rate * shares[node]});
            if (m_system.isCache)
            {
                const Flow answer{node, core, core, false, hit * rate * shares[node]};
                add(NocLayer::DATA, answer);
                add(NocLayer::ACKNOWLEDGEMENT, answer);
                misses[node] += (1 - hit) * rate * shares[node];
            }
        }
        missSum += (1 - hit) * rate;
    }
    m_mixedAhead /= m_rate;
    if (!m_system.isCache || missSum <= 0)
    {
        return;
    }
    for (uint32_t memory : m_system.memoryControllers)
    {
        for (uint32_t node = 0; node < n; ++node)
        {
            add(m_system.sharedRequests ? NocLayer::REQUEST : NocLayer::MEMORY_REQUEST,
                {node, memory, NONE, false, misses[node] / nMemory});
            add(NocLayer::DATA,
                {memory, node, node, false, (1 - hit) * m_system.rates[node] / nMemory});
        }
    }
}

NocLayerAnswer
NocModel::SolveLayer(NocLayer layer, NocMethod method, NocAnswer& answer) const
{
    const NocTopology& topology = *m_system.topology;
    const uint32_t n = topology.GetNNodes();
    const uint32_t nLanes = topology.GetNLanes();
    const auto& flows = m_flows[static_cast<std::size_t>(layer)];
    NocLayerAnswer result;
    result.pairs.assign(static_cast<std::size_t>(n) * n, 0);
    for (auto* list :
         {&result.agentWaits, &result.coreWaits, &result.turnWaits, &result.lanes})
    {
        list->assign(nLanes, 0);
    }
    for (auto* list : {&result.sinks, &result.bounces, &result.extras})
    {
        list->assign(n, 0);
    }
    if (flows.empty())
    {
        return result;
    }
    const bool knowsMemory = method == NocMethod::CLOSED || method == NocMethod::CHAIN;
    const bool knowsSinks = method != NocMethod::INDEPENDENT;
    const double theta = knowsMemory ? THETA : 0;

    // service of a sink: mean, SCV, and the packet that its server has taken out
    auto isMemorySink = [&](uint32_t node) {
        return m_system.isCache && m_system.IsMemory(node) &&
               (layer == NocLayer::MEMORY_REQUEST || m_system.sharedRequests);
    };
    auto getService = [&](uint32_t node) {
        return isMemorySink(node)
                   ? std::max<double>(m_system.memoryPeriod,
                                      double(m_system.memoryLatency) / m_system.memoryList)
               : m_system.isCache ? 1.0
                                  : 1 / m_system.sinkService;
    };

    std::vector<double> loss(nLanes, 0);         // of the core's egress queues
    std::vector<double> turnBounce(nLanes, 0);   // refusals at transgress queues, by lane
    std::vector<double> turnOverflow(nLanes, 0); // extra latency at transgress queues, by lane
    // refusals of finite queues: the same ones in every iteration, and at sinks that are alike
    std::map<std::array<double, 4>, double> refusals;
    auto getRefusal = [&refusals](double rate, double burst, double service, uint32_t room) {
        const auto [found, isNew] = refusals.try_emplace({rate, burst, service, double(room)}, 0);
        if (isNew)
        {
            found->second = NocRefusal(rate, burst, service, room);
        }
        return found->second;
    };
    LayerState state;
    Waits loaded;
    Waits unloaded;

    // streams by lane, source and cause; rates of flows behind their losses
    auto accumulate = [&]() {
        const std::size_t cells = static_cast<std::size_t>(nLanes) * n;
        std::vector<float> through(cells, 0);
        std::vector<float> throughCause(cells, 0);
        std::vector<float> turning(cells, 0);
        std::vector<float> turningCause(cells, 0);
        std::vector<float> agentCause(cells, 0);
        std::vector<double> throughMixed(nLanes, 0);
        std::vector<double> turningMixed(nLanes, 0);
        std::vector<double> agentMixed(nLanes, 0);
        std::vector<float> sinkSource(static_cast<std::size_t>(n) * n, 0);
        std::vector<float> sinkCause(static_cast<std::size_t>(n) * n, 0);
        std::vector<double> sinkMixed(n, 0);
        // packets that turn into a lane, by the lane on which they came
        std::vector<std::vector<std::pair<uint32_t, double>>> meetings(nLanes);
        state.through.assign(nLanes, 0);
        state.exits.assign(nLanes, 0);
        state.turnExits.assign(nLanes, 0);
        state.sinks.assign(n, Way());
        for (auto& list : state.injected)
        {
            list.assign(nLanes, 0);
        }
        for (auto& list : state.variance)
        {
            list.assign(nLanes, 0);
        }
        for (const Flow& flow : flows)
        {
            uint32_t node = flow.source;
            double rate = flow.rate;
            uint32_t before = NONE; // lane on which a turning packet came
            do
            {
                const NocTopology::Leg& leg = topology.GetLeg(node, flow.destination);
                uint32_t lane = leg.lane;
                const std::size_t cell = static_cast<std::size_t>(lane) * n;
                if (before != NONE)
                {
                    state.injected[TURNING][lane] += rate;
                    turning[cell + flow.source] += static_cast<float>(rate);
                    (flow.cause == NONE ? turningMixed[lane] += rate
                                        : turningCause[cell + flow.cause] +=
                                          static_cast<float>(rate));
                    auto& list = meetings[lane];
                    auto found = std::find_if(list.begin(), list.end(), [before](const auto& each) {
                        return each.first == before;
                    });
                    found == list.end() ? list.emplace_back(before, rate)
                                        : (found->second += rate, *found);
                }
                else if (flow.isCore)
                {
                    rate *= 1 - loss[lane];
                    state.injected[CORE][lane] += rate;
                }
                else
                {
                    state.injected[AGENT][lane] += rate;
                    (flow.cause == NONE ? agentMixed[lane] += rate
                                        : agentCause[cell + flow.cause] +=
                                          static_cast<float>(rate));
                }
                lane = topology.GetNext(lane);
                for (uint32_t hop = 1; hop < leg.hops; ++hop, lane = topology.GetNext(lane))
                {
                    const std::size_t passed = static_cast<std::size_t>(lane) * n;
                    state.through[lane] += rate;
                    through[passed + flow.source] += static_cast<float>(rate);
                    (flow.cause == NONE ? throughMixed[lane] += rate
                                        : throughCause[passed + flow.cause] +=
                                          static_cast<float>(rate));
                }
                before = lane;
                node = leg.exit;
                (node == flow.destination ? state.exits : state.turnExits)[lane] += rate;
            } while (node != flow.destination);
            state.sinks[node].rate += rate;
            sinkSource[static_cast<std::size_t>(node) * n + flow.source] +=
                static_cast<float>(rate);
            (flow.cause == NONE ? sinkMixed[node] += rate
                                : sinkCause[static_cast<std::size_t>(node) * n + flow.cause] +=
                                  static_cast<float>(rate));
        }
        auto bursts = [&](double rate, uint32_t core) {
            return rate > 0 ? 2 * m_ahead[core] * rate * rate / m_system.rates[core] : 0;
        };
        auto mixedBursts = [&](double rate) { return 2 * m_mixedAhead * rate * rate / m_rate; };
        for (uint32_t lane = 0; lane < nLanes; ++lane)
        {
            const std::size_t cell = static_cast<std::size_t>(lane) * n;
            const uint32_t node = topology.GetNode(lane);
            std::array<double, N_CLASSES + 1> v{};
            double mixed = throughMixed[lane];
            v[TURNING] = mixedBursts(mixed);
            v[AGENT] = mixedBursts(mixed += turningMixed[lane]);
            v[CORE] = v[N_CLASSES] = mixedBursts(mixed + agentMixed[lane]);
            for (uint32_t i = 0; i < n; ++i)
            {
                double x = through[cell + i];
                double y = throughCause[cell + i];
                v[TURNING] += x * (1 - x) + bursts(y, i);
                x += turning[cell + i];
                y += turningCause[cell + i];
                v[AGENT] += x * (1 - x) + bursts(y, i);
                x += i == node ? state.injected[AGENT][lane] : 0;
                y += agentCause[cell + i];
                v[CORE] += x * (1 - x) + bursts(y, i);
                const double own = i == node ? state.injected[CORE][lane] : 0;
                x += own;
                y += own;
                v[N_CLASSES] += x * (1 - x) + bursts(y, i);
            }
            for (std::size_t stage = 0; stage < v.size(); ++stage)
            {
                state.variance[stage][lane] = v[stage];
            }
        }
        state.turnExtra.assign(nLanes, 0);
        state.ahead.assign(nLanes, 0);
        for (uint32_t lane = 0; lane < nLanes; ++lane)
        {
            const double x = state.injected[TURNING][lane];
            double squares = 0;
            for (const auto& [from, rate] : meetings[lane])
            {
                squares += rate * rate;
            }
            state.turnExtra[lane] = x > 0 ? (x * x - squares) / (2 * x) : 0;
            const uint32_t node = topology.GetNode(lane);
            const double own = state.injected[CORE][lane];
            state.ahead[lane] = own > 0 ? m_ahead[node] * own / m_system.rates[node] : 0;
        }
        for (uint32_t node = 0; node < n; ++node)
        {
            double v = mixedBursts(sinkMixed[node]);
            for (uint32_t i = 0; i < n; ++i)
            {
                const std::size_t cell = static_cast<std::size_t>(node) * n + i;
                v += double(sinkSource[cell]) * (1 - double(sinkSource[cell])) +
                     bursts(sinkCause[cell], i);
            }
            state.sinks[node].variance = v;
        }
    };

    // g of a class at a lane
    auto getAhead = [&](int c, uint32_t lane) {
        return c == CORE      ? state.ahead[lane]
               : c == TURNING ? state.turnExtra[lane]
                              : 0;
    };
    // waits by the chain of phases that is carried from lane to lane, around each loop
    auto getChainWaits = [&](bool withCircling, std::vector<NocThrough>& outputs, Waits& waits) {
        for (uint32_t loop = 0; loop < topology.GetNLoops(); ++loop)
        {
            uint32_t before = topology.GetFirst(loop + 1) - 1;
            for (uint32_t lane = topology.GetFirst(loop); lane < topology.GetFirst(loop + 1);
                 before = lane++)
            {
                const double extra = withCircling ? state.circling[lane] : 0;
                double u = state.through[lane] + extra;
                const double came = outputs[before].GetRate();
                NocThrough process =
                    came > 0 ? outputs[before].Thin(std::min(u / came, 1.0)) : NocThrough();
                process = process.GetRate() > 0 ? process : NocThrough::Independent(u);
                for (int c = 0; c < N_CLASSES; ++c)
                {
                    const double x = state.injected[c][lane];
                    if (x <= SMALL)
                    {
                        continue;
                    }
                    const double ahead = getAhead(c, lane);
                    const double burst = ahead / (1 + ahead);
                    // rounding, and the first sweep, may leave more than the lane can carry
                    const double thinned = process.GetRate();
                    if (thinned + x > MOST_CHAIN)
                    {
                        process = process.Thin(std::max(0.0, MOST_CHAIN - x) / thinned);
                    }
                    const NocBehind behind = NocSolveBehind(x, burst, process);
                    waits.classes[c][lane] = u + x < 1 - SMALL ? behind.wait : INFINITE;
                    u += x;
                    const double v = state.variance[c + 1][lane] + extra * (1 - extra);
                    process = NocFitOutput(x,
                                           burst,
                                           process,
                                           behind.idle,
                                           NocCorrelations(std::min(u, MOST_CHAIN), v));
                }
                outputs[lane] = process;
            }
        }
    };
    // waits at all lanes, with packets that circle or without
    std::vector<NocThrough> outputs(nLanes, NocThrough());
    auto getWaits = [&](bool withCircling, int sweeps) {
        Waits waits;
        for (auto& list : waits.classes)
        {
            list.assign(nLanes, 0);
        }
        if (method == NocMethod::CHAIN)
        {
            for (int sweep = 0; sweep < sweeps; ++sweep)
            {
                getChainWaits(withCircling, outputs, waits);
            }
            return waits;
        }
        for (uint32_t lane = 0; lane < nLanes; ++lane)
        {
            const double extra = withCircling ? state.circling[lane] : 0;
            double u = state.through[lane] + extra;
            for (int c = 0; c < N_CLASSES; ++c)
            {
                const double x = state.injected[c][lane];
                if (x <= 0)
                {
                    continue;
                }
                const double v = state.variance[c][lane] + extra * (1 - extra);
                waits.classes[c][lane] =
                    u + x < 1 - SMALL
                        ? NocLaneWait(x, getAhead(c, lane), u, theta * NocCorrelations(u, v))
                        : INFINITE;
                u += x;
            }
        }
        return waits;
    };

    // the load of packets that circle: refused with b at each of a node's positions of a loop
    auto addCircling = [&](uint32_t loop,
                           uint32_t node,
                           const std::vector<double>& arrivals,
                           double b,
                           std::vector<double>& circling) {
        std::vector<uint32_t> positions;
        for (uint32_t lane = topology.GetFirst(loop); lane < topology.GetFirst(loop + 1); ++lane)
        {
            if (topology.GetNode(lane) == node)
            {
                positions.push_back(lane);
            }
        }
        const auto k = positions.size(); // none where the node is not on the loop
        for (std::size_t i = 0; i < k; ++i)
        {
            // refused here: arrivals here, and those that were refused at positions before
            double refused = 0;
            double power = b;
            for (std::size_t back = 0; back < k; ++back, power *= b)
            {
                refused += power * arrivals[positions[(i + k - back) % k]];
            }
            refused /= 1 - std::pow(b, double(k));
            uint32_t lane = positions[i];
            do
            {
                circling[lane] += refused;
                lane = topology.GetNext(lane);
            } while (lane != positions[(i + 1) % k]);
        }
    };

    // positions of each node on each loop, and packets that leave there
    state.circling.assign(nLanes, 0);
    std::vector<double> sinkBounce(n, 0);
    bool isSettled = false;
    uint32_t iteration = 0;
    double largestLoss = 0;
    accumulate();
    while (!isSettled && iteration < MOST_ITERATIONS)
    {
        ++iteration;
        if (largestLoss > SMALL)
        {
            accumulate();
        }
        loaded = getWaits(true, iteration == 1 ? 2 : 1);
        double change = 0;
        std::vector<double> circling(nLanes, 0);
        if (knowsSinks)
        {
            // sinks, and transgress queues as sinks of their own; both by the loop of the arrivals
            auto deflect = [&](uint32_t node,
                               const std::vector<double>& arrivals,
                               double share, // of these arrivals that are meant
                               double rate,
                               double circlingPackets,
                               double& bounce,
                               double& between) {
                // mean time between two attempts and refused attempts, over loops
                std::vector<std::pair<uint32_t, double>> loops; // with arrivals
                for (uint32_t loop = 0; loop < topology.GetNLoops(); ++loop)
                {
                    double arriving = 0;
                    uint32_t positions = 0;
                    for (uint32_t lane = topology.GetFirst(loop);
                         lane < topology.GetFirst(loop + 1);
                         ++lane)
                    {
                        if (topology.GetNode(lane) == node)
                        {
                            arriving += arrivals[lane];
                            ++positions;
                        }
                    }
                    if (arriving > 0)
                    {
                        loops.emplace_back(loop, arriving);
                        between += share * arriving / rate *
                                   topology.GetRound(topology.GetFirst(loop)) / positions;
                    }
                }
                double refusedSum = 0;
                for (const auto& [loop, arriving] : loops)
                {
                    const auto round = double(topology.GetRound(topology.GetFirst(loop)));
                    refusedSum +=
                        std::min(circlingPackets * share * arriving / rate, CIRCLING * round) /
                        between;
                }
                const double target = refusedSum / (rate + refusedSum);
                change = std::max(change, std::abs(target - bounce));
                bounce += (target - bounce) / 2;
                for (const auto& [loop, arriving] : loops)
                {
                    std::vector<double> meant;
                    const std::vector<double>* list = &arrivals;
                    if (share < 1)
                    {
                        meant = arrivals;
                        for (double& each : meant)
                        {
                            each *= share;
                        }
                        list = &meant;
                    }
                    addCircling(loop, node, *list, bounce, circling);
                }
                return refusedSum;
            };
            result.deflections = 0;
            for (uint32_t node = 0; node < n; ++node)
            {
                const Way& way = state.sinks[node];
                const double service = getService(node);
                const double rho = way.rate * service;
                result.sinks[node] = rho;
                result.extras[node] = 0;
                if (way.rate <= SMALL || m_system.ingress == NocSystem::UNLIMITED)
                {
                    continue;
                }
                if (rho >= 1)
                {
                    result.extras[node] = INFINITE;
                    continue;
                }
                const bool isMemory = isMemorySink(node);
                const double c2s = isMemory || m_system.isCache ? 0 : 1 - m_system.sinkService;
                const double room = m_system.ingress + (isMemory ? 1 : 0);
                double extra = 0;
                double between = 0;
                if (method == NocMethod::PUBLISHED)
                {
                    // refused with p_full, which the latency of algorithm 2 does not contain
                    const double full = NocPrinted::Full(NocPrinted::Wait(way.rate, service, c2s),
                                                         way.rate,
                                                         service,
                                                         m_system.ingress,
                                                         false);
                    sinkBounce[node] = full;
                    for (uint32_t loop = 0; loop < topology.GetNLoops() && full > SMALL; ++loop)
                    {
                        addCircling(loop, node, state.exits, full, circling);
                    }
                }
                else
                {
                    const MqlClass arrivals{way.rate, way.variance / way.rate, service, c2s};
                    const double number =
                        way.rate * std::max(0.0, MqlWait(arrivals, MqlWorkload({arrivals}))) + rho;
                    const double overflow = NocOverflow(number, rho, room);
                    if (overflow > SMALL)
                    {
                        result.deflections += deflect(
                            node, state.exits, 1, way.rate, overflow, sinkBounce[node], between);
                        const double c2a = arrivals.c2a;
                        const double burst =
                            std::max(0.0, (c2a + way.rate - 1) / (c2a + way.rate + 1));
                        const double refusal =
                            overflow / way.rate > 1e-4
                                ? getRefusal(way.rate, burst, service, uint32_t(room))
                                : 0;
                        extra = overflow / way.rate + between / 2 * refusal / (1 - refusal);
                    }
                }
                result.extras[node] = extra;
                result.bounces[node] = sinkBounce[node];
            }
            for (uint32_t lane = 0; lane < nLanes && method != NocMethod::PUBLISHED; ++lane)
            {
                const double x = state.injected[TURNING][lane];
                const double wait = loaded.classes[TURNING][lane];
                const double u = state.through[lane] + state.circling[lane];
                if (x <= SMALL || m_system.transgress == NocSystem::UNLIMITED ||
                    !std::isfinite(wait))
                {
                    continue;
                }
                const double rho = x / (1 - u);
                const double overflow = NocOverflow(x * (wait + 1), rho, m_system.transgress);
                if (overflow <= SMALL)
                {
                    turnOverflow[lane] = 0;
                    continue;
                }
                // all packets that turn at this node leave at the same positions
                const uint32_t node = topology.GetNode(lane);
                double turns = 0;
                for (uint32_t other = 0; other < nLanes; ++other)
                {
                    turns += topology.GetNode(other) == node ? state.turnExits[other] : 0;
                }
                double between = 0;
                deflect(node, state.turnExits, x / turns, x, overflow, turnBounce[lane], between);
                const double refusal =
                    overflow / x > 1e-4 ? getRefusal(x, 0, 1 / (1 - u), m_system.transgress) : 0;
                turnOverflow[lane] = overflow / x + between / 2 * refusal / (1 - refusal);
            }
        }
        largestLoss = 0;
        for (uint32_t lane = 0; lane < nLanes; ++lane)
        {
            const double x = state.injected[CORE][lane] / (1 - loss[lane]);
            const double wait = loaded.classes[CORE][lane];
            if (x <= SMALL || method == NocMethod::INDEPENDENT ||
                m_system.egress == NocSystem::UNLIMITED ||
                m_system.overflow == NocSystem::Overflow::STALL ||
                (std::isfinite(wait) && wait * x < ROOM_USED * m_system.egress))
            {
                continue;
            }
            // independent free slots that give this wait
            const double ahead = state.ahead[lane];
            const double u = std::isfinite(wait)
                                 ? std::clamp((wait * (1 - x) - ahead) / (1 + wait), 0.0, 0.999)
                                 : std::min(0.999, state.through[lane] + state.circling[lane] +
                                                       state.injected[TURNING][lane] +
                                                       state.injected[AGENT][lane]);
            const double target = NocChain(x,
                                           ahead / (1 + ahead),
                                           NocThrough::Independent(u),
                                           std::min<uint32_t>(m_system.egress, 512),
                                           NocChain::Order::ARRIVALS_FIRST)
                                      .GetLoss();
            change = std::max(change, std::abs(target - loss[lane]));
            loss[lane] += (target - loss[lane]) / 2;
            largestLoss = std::max(largestLoss, loss[lane]);
        }
        for (uint32_t lane = 0; lane < nLanes; ++lane)
        {
            change = std::max(change, std::abs(circling[lane] - state.circling[lane]));
            state.circling[lane] += (circling[lane] - state.circling[lane]) / 2;
        }
        isSettled = change < SETTLED;
    }
    loaded = getWaits(true, 1);
    unloaded = getWaits(false, 2);
    answer.iterations = std::max(answer.iterations, iteration);
    answer.hasConverged = answer.hasConverged && isSettled;

    // latencies
    const auto nDeflecting = static_cast<double>(
        std::count_if(sinkBounce.begin(), sinkBounce.end(), [](double b) { return b > DEFLECTING; }));
    const bool isToldApart = nDeflecting <= MOST_DEFLECTING * n;
    double sum = 0;
    for (const Flow& flow : flows)
    {
        const bool isOwn = isToldApart && sinkBounce[flow.destination] > DEFLECTING;
        const Waits& waits = isOwn && method != NocMethod::PUBLISHED ? unloaded : loaded;
        double latency = std::max(0.0, result.extras[flow.destination]);
        uint32_t node = flow.source;
        double rate = flow.rate;
        bool isFirst = true;
        do
        {
            const NocTopology::Leg& leg = topology.GetLeg(node, flow.destination);
            latency += leg.hops;
            if (isFirst)
            {
                latency += waits.classes[flow.isCore ? CORE : AGENT][leg.lane];
                rate *= flow.isCore ? 1 - loss[leg.lane] : 1;
            }
            else
            {
                latency += 1 + waits.classes[TURNING][leg.lane] + turnOverflow[leg.lane];
            }
            isFirst = false;
            node = leg.exit;
        } while (node != flow.destination);
        result.pairs[static_cast<std::size_t>(flow.source) * n + flow.destination] = latency;
        result.rate += rate;
        result.offered += flow.rate;
        sum += rate * latency;
    }
    result.latency = sum / result.rate;
    std::vector<double>* const waits[] = {&result.turnWaits, &result.agentWaits, &result.coreWaits};
    for (uint32_t each = 0; each < N_CLASSES; ++each)
    {
        for (uint32_t lane = 0; lane < nLanes; ++lane)
        {
            const bool isUsed = state.injected[each][lane] > 0;
            (*waits[each])[lane] = isUsed ? loaded.classes[each][lane] : std::nan("");
        }
    }

    // the busiest resource
    auto bind = [&](double utilisation, double limit, const std::string& name) {
        if (utilisation > answer.utilisation)
        {
            answer.utilisation = utilisation;
            answer.binding = name;
        }
        answer.isNear = answer.isNear || utilisation > limit;
    };
    for (uint32_t lane = 0; lane < nLanes; ++lane)
    {
        result.lanes[lane] = state.through[lane] + state.circling[lane] +
                             state.injected[TURNING][lane] + state.injected[AGENT][lane] +
                             state.injected[CORE][lane];
        bind(result.lanes[lane],
             FULL_LANE,
             std::string(NocGetLayerName(layer)) + " lane " + topology.GetLaneName(lane));
    }
    for (uint32_t node = 0; node < n; ++node)
    {
        bind(result.sinks[node],
             FULL_SINK,
             isMemorySink(node) ? "memory controller " + std::to_string(node)
                                : std::string(NocGetLayerName(layer)) + " sink of node " +
                                      std::to_string(node));
    }
    return result;
}

NocAnswer
NocModel::Solve(NocMethod method) const
{
    NocAnswer answer;
    double rate = 0;
    double sum = 0;
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        const auto layer = static_cast<NocLayer>(i);
        answer.layers.push_back(SolveLayer(layer, method, answer));
        if (layer == NocLayer::REQUEST || layer == NocLayer::MEMORY_REQUEST)
        {
            rate += answer.layers.back().rate;
            sum += answer.layers.back().rate > 0
                       ? answer.layers.back().rate * answer.layers.back().latency
                       : 0;
        }
    }
    answer.requestLatency = sum / rate;
    answer.isSaturated =
        answer.utilisation >= 1 || !answer.hasConverged || !std::isfinite(answer.requestLatency) ||
        answer.layers[0].rate < (1 - MOST_LOST) * answer.layers[0].offered;
    double offered = 0;
    double largest = 0;
    for (double each : m_system.rates)
    {
        offered += each;
        largest = std::max(largest, each);
    }
    answer.throughput = offered * m_system.GetLargestRate() / largest;
    NS_LOG_INFO(NocGetMethodName(method)
                << ": " << answer.requestLatency << " cycles, " << answer.iterations
                << " iterations, busiest " << answer.binding << " " << answer.utilisation);
    return answer;
}

} // namespace ns3
