/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-solution.h"

#include "mql-network.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

const std::vector<std::pair<MqlFormula, std::string>> FORMULAS{
    {MqlFormula::AUTOMATIC, "auto"},
    {MqlFormula::GE_FLOW, "ge-flow"},
    {MqlFormula::GE_LINK, "ge-link"},
    {MqlFormula::SUBTRACTIVE, "subtractive"},
    {MqlFormula::SUBTRACTIVE_DAMPED, "damped"}};

} // namespace

MqlFormula
MqlParseFormula(const std::string& name)
{
    std::string known;
    for (const auto& [formula, each] : FORMULAS)
    {
        if (each == name)
        {
            return formula;
        }
        known += (known.empty() ? "" : ", ") + each;
    }
    DcnFail("the formula \"", name, "\" is not one of ", known);
}

const std::string&
MqlGetFormulaName(MqlFormula formula)
{
    return std::find_if(FORMULAS.begin(),
                        FORMULAS.end(),
                        [&](const auto& each) { return each.first == formula; })
        ->second;
}

double
MqlFlowLatency::GetMean() const
{
    return wait + service + propagation;
}

namespace
{

/// The wait of a packet that waits: gamma distributed, with a given mean and variance.
struct BusyWait
{
    double mean;  //!< [s]
    double shape; //!< 0: always the mean

    explicit BusyWait(const MqlFlowLatency& latency)
    {
        const double busy = 1 - latency.idle;
        mean = latency.wait / busy;
        const double variance =
            (latency.variance + latency.wait * latency.wait) / busy - mean * mean;
        shape = variance > 1e-6 * mean * mean ? mean * mean / variance : 0;
    }

    boost::math::gamma_distribution<> GetDistribution() const
    {
        return boost::math::gamma_distribution<>(shape, mean / shape);
    }
};

} // namespace

double
MqlFlowLatency::GetQuantile(double p) const
{
    if (!(p > 0) || !(p < 1))
    {
        DcnFail("a quantile of latency needs a probability between 0 and 1, not ", p);
    }
    const double fixed = service + propagation;
    if (p <= idle || !(wait > 0) || !(idle < 1))
    {
        return fixed;
    }
    const BusyWait busy(*this);
    if (busy.shape == 0)
    {
        return fixed + busy.mean;
    }
    return fixed + boost::math::quantile(busy.GetDistribution(), (p - idle) / (1 - idle));
}

MqlFlowLatency
MqlFlowLatency::Then(const MqlFlowLatency& other) const
{
    MqlFlowLatency both;
    both.wait = wait + other.wait;
    both.service = service + other.service;
    both.propagation = propagation + other.propagation;
    both.variance = variance + other.variance;
    both.idle = idle * other.idle;
    both.delivered = delivered * other.delivered;
    return both;
}

namespace
{

/// Averages over the queues of a packet at one hop.
class HopSum
{
  public:
    /**
     * @param fraction share of the packets
     * @param wait mean [s]
     * @param variance of the wait [s^2]
     * @param idle probability of no wait
     * @param delivered probability of no loss
     */
    void Add(double fraction, double wait, double variance, double idle, double delivered)
    {
        m_fraction += fraction;
        m_mean += fraction * wait;
        m_square += fraction * (variance + wait * wait);
        m_idle += fraction * idle;
        m_delivered += fraction * delivered;
    }

    /**
     * @brief Ends the hop.
     * @param latency the sums of the hop are added to it
     */
    void Close(MqlFlowLatency& latency)
    {
        if (m_fraction > 0)
        {
            latency.wait += m_mean;
            latency.variance += std::max(0.0, m_square - m_mean * m_mean / m_fraction);
            latency.idle *= std::min(1.0, m_idle / m_fraction);
            latency.delivered *= m_delivered / m_fraction;
        }
        *this = HopSum();
    }

  private:
    double m_fraction{0};  //!< sum of fractions
    double m_mean{0};      //!< of the wait
    double m_square{0};    //!< mean square of the wait
    double m_idle{0};      //!< probability of no wait
    double m_delivered{0}; //!< probability of no loss
};

} // namespace

double
MqlSolution::WaitAt(uint32_t index, double fraction, const MqlFlow& flow) const
{
    const MqlPair& pair = m_network->m_pairs[index];
    const double service = flow.wireBytes * m_network->m_secondsPerByte[pair.link];
    const double finite = m_finite[pair.link];
    const bool first = pair.upstream == MqlPair::EXTERNAL;
    if (first || m_formula == MqlFormula::GE_FLOW)
    {
        const double burst = first ? fraction * (flow.c2a - 1)
                                   : fraction * flow.rate * m_burstPerRate[pair.upstream];
        const double own = m_queues[pair.link].rho < 1 ? service * burst / 2 : 0;
        return std::max(0.0, own + m_workload[pair.link]) * finite;
    }
    switch (m_formula)
    {
    case MqlFormula::GE_LINK:
        return m_queues[pair.link].waitGeLink * finite;
    case MqlFormula::SUBTRACTIVE:
        return (m_pairs[index].waitSubtractive + GateAt(index, flow).wait) * finite;
    default:
        return (m_pairs[index].waitDamped + GateAt(index, flow).wait) * finite;
    }
}

MqlSolution::Gate
MqlSolution::GateAt(uint32_t index, const MqlFlow& flow) const
{
    const MqlPair& pair = m_network->m_pairs[index];
    const bool subtractive =
        m_formula == MqlFormula::SUBTRACTIVE || m_formula == MqlFormula::SUBTRACTIVE_DAMPED;
    if (flow.kind != MqlFlow::Kind::ACK || pair.dataRate == 0 || !subtractive ||
        pair.upstream == MqlPair::EXTERNAL)
    {
        return {0, 0, 0};
    }
    // A packet of size S from the same link g seconds before one of size s delays it by
    // S - s - g. Its probability: rho_d for g = 0, lambda_d dg for others.
    const double k = m_network->m_secondsPerByte[pair.link];
    const double s = k * flow.wireBytes;
    const double longest = k * pair.dataBytes / pair.dataRate - s;
    if (longest <= 0)
    {
        return {0, 0, 0};
    }
    const double wait =
        1.5 * k * k * pair.dataBytes2 - 2 * s * k * pair.dataBytes + 0.5 * s * s * pair.dataRate;
    return {std::min(longest, std::max(0.0, wait)),
            longest,
            std::min(1.0, k * pair.dataBytes + pair.dataRate * longest)};
}

double
MqlSolution::VarianceAt(uint32_t index, double fraction, const MqlFlow& flow, double wait) const
{
    const MqlPair& pair = m_network->m_pairs[index];
    const PairState& state = m_pairs[index];
    if (pair.upstream == MqlPair::EXTERNAL)
    {
        // Packets before it in its batch: geometric with this mean.
        const double ahead = std::max(0.0, fraction * (flow.c2a - 1) / 2);
        const double service = flow.wireBytes * m_network->m_secondsPerByte[pair.link];
        return state.variance + service * service * ahead * (1 + ahead + flow.c2s);
    }
    // Behind a larger packet: between 0 and the difference of the sizes.
    const Gate gate = GateAt(index, flow);
    const double gated = std::min(wait, gate.wait);
    const double queueing = wait - gated;
    if (m_formula != MqlFormula::SUBTRACTIVE && m_formula != MqlFormula::SUBTRACTIVE_DAMPED)
    {
        // A queue by itself, with the shape of a queue of fresh arrivals.
        return m_shape[pair.link] * queueing * queueing;
    }
    // The damped formula: this shape with another mean.
    return gated * std::max(0.0, gate.longest - gated) +
           (state.waitSubtractive > 0 ? state.variance * queueing * queueing /
                                            (state.waitSubtractive * state.waitSubtractive)
                                      : queueing * queueing);
}

double
MqlSolution::IdleAt(uint32_t index, double fraction, const MqlFlow& flow) const
{
    const MqlPair& pair = m_network->m_pairs[index];
    const bool first = pair.upstream == MqlPair::EXTERNAL;
    const double rho = m_queues[pair.link].rho;
    if (!first && rho < 1 && m_formula != MqlFormula::SUBTRACTIVE &&
        m_formula != MqlFormula::SUBTRACTIVE_DAMPED)
    {
        return 1 - rho;
    }
    const double ahead = first ? std::max(0.0, fraction * (flow.c2a - 1) / 2) : 0;
    return m_pairs[index].idle * (1 - GateAt(index, flow).probability) / (1 + ahead);
}

void
MqlSolution::AddSegment(uint32_t segment,
                        const MqlFlow& flow,
                        bool firstQueues,
                        bool otherQueues,
                        MqlFlowLatency& latency) const
{
    const MqlNetwork& network = *m_network;
    HopSum hop;
    uint8_t number = 0;
    const auto& visits = network.m_segments[segment];
    for (std::size_t v = visits.first; v < visits.last; v++)
    {
        const uint32_t index = network.m_visitPairs[v];
        const MqlPair& pair = network.m_pairs[index];
        const bool first = pair.upstream == MqlPair::EXTERNAL;
        if (first ? !firstQueues : !otherQueues)
        {
            if (!otherQueues)
            {
                break; // first queues come first
            }
            continue;
        }
        const double f = network.m_visitFractions.empty() ? 1 : network.m_visitFractions[v];
        if (network.m_visitHops.empty() || network.m_visitHops[v] != number)
        {
            hop.Close(latency);
            number = network.m_visitHops.empty() ? 0 : network.m_visitHops[v];
        }
        const double wait = WaitAt(index, f, flow);
        hop.Add(f,
                wait,
                VarianceAt(index, f, flow, wait),
                IdleAt(index, f, flow),
                1 - m_queues[pair.link].loss);
        latency.service += f * flow.wireBytes * network.m_secondsPerByte[pair.link];
        latency.propagation += f * network.m_delays[pair.link];
    }
    hop.Close(latency);
}

void
MqlSolution::SumSegments()
{
    if (m_network->m_visitHops.empty() || m_formula == MqlFormula::GE_FLOW)
    {
        return; // unshared segments, or waits that depend on the flow
    }
    MqlFlow one{};
    one.wireBytes = 1;
    m_segmentSums.resize(m_network->m_segments.size());
    for (uint32_t segment = 0; segment < m_segmentSums.size(); segment++)
    {
        AddSegment(segment, one, false, true, m_segmentSums[segment]);
    }
}

MqlFlowLatency
MqlSolution::GetLatency(std::size_t index) const
{
    const MqlFlow& flow = m_network->m_flows.at(index);
    MqlFlowLatency latency;
    const auto& first = m_network->m_firstSegment;
    for (std::size_t r = first[index]; r < first[index + 1]; r++)
    {
        const uint32_t segment = m_network->m_routeSegments[r];
        // The wait behind data depends on an ACK's own size.
        const bool direct = m_segmentSums.empty() || flow.kind == MqlFlow::Kind::ACK;
        AddSegment(segment, flow, true, direct, latency);
        if (!direct)
        {
            const MqlFlowLatency& sum = m_segmentSums[segment];
            latency.wait += sum.wait;
            latency.service += sum.service * flow.wireBytes;
            latency.propagation += sum.propagation;
            latency.variance += sum.variance;
            latency.idle *= sum.idle;
            latency.delivered *= sum.delivered;
        }
    }
    return latency;
}

MqlFlowLatency
MqlSolution::GetLatency(std::size_t index, const WaitOf& waitOf) const
{
    const MqlFlow& flow = m_network->m_flows.at(index);
    std::vector<MqlHop> hops;
    GetHops(index, hops);
    MqlFlowLatency latency;
    HopSum sum;
    uint32_t number = 0;
    for (const MqlHop& hop : hops)
    {
        const MqlVisit& visit = hop.visit;
        if (visit.hop != number)
        {
            sum.Close(latency);
            number = visit.hop;
        }
        const double wait = waitOf(hop);
        const double variance = VarianceAt(visit.pair, visit.fraction, flow, hop.wait);
        const double idle = IdleAt(visit.pair, visit.fraction, flow);
        // If packets rarely wait, a longer mean wait means more waits of equal length, and the
        // variance grows in proportion; if all wait, each waits longer, and it grows with the
        // square.
        sum.Add(visit.fraction,
                wait,
                hop.wait > 0 ? variance * std::pow(wait / hop.wait, 2 - idle) : wait * wait,
                idle,
                1 - m_queues[visit.link].loss);
        latency.service += visit.fraction * hop.service;
        latency.propagation += visit.fraction * hop.propagation;
    }
    sum.Close(latency);
    return latency;
}

MqlFlowLatency
MqlSolution::GetRoundTrip(std::size_t index) const
{
    const uint32_t partner = m_network->m_flows.at(index).partner;
    if (partner == MqlFlow::NO_PARTNER)
    {
        DcnFail("flow ", index, " has no flow back, so there is no round trip");
    }
    return GetLatency(index).Then(GetLatency(partner));
}

MqlHop
MqlSolution::MakeHop(const MqlVisit& visit, std::size_t index) const
{
    const MqlFlow& flow = m_network->m_flows[index];
    const MqlPair& pair = m_network->m_pairs[visit.pair];
    const double secondsPerByte = m_network->m_secondsPerByte[visit.link];
    const MqlQueue& queue = m_queues[visit.link];
    const PairState& state = m_pairs[visit.pair];
    const bool first = pair.upstream == MqlPair::EXTERNAL;
    const double finite = m_finite[visit.link];

    MqlHop hop;
    hop.visit = visit;
    hop.wait = WaitAt(visit.pair, visit.fraction, flow);
    hop.service = flow.wireBytes * secondsPerByte;
    hop.propagation = m_network->m_delays[visit.link];
    hop.rate = flow.rate * visit.fraction;
    hop.rho = hop.rate * hop.service;
    hop.rhoTotal = queue.rho;
    hop.rhoUpstream = first ? 0 : m_queues[pair.upstream].rho;
    hop.upstreamShare = state.share;
    const auto [from, to] = m_network->GetPairsOf(visit.link);
    hop.nUpstream = 0;
    for (uint32_t i = from; i < to; i++)
    {
        hop.nUpstream += m_network->m_pairs[i].upstream == MqlPair::EXTERNAL ? 0 : 1;
    }
    hop.c2a =
        1 + visit.fraction * (first ? flow.c2a - 1 : flow.rate * m_burstPerRate[pair.upstream]);
    hop.c2s = flow.c2s;
    hop.wireBytes = flow.wireBytes;
    hop.meanBytes = queue.service / secondsPerByte;
    const double own = queue.rho < 1 ? hop.service * (hop.c2a - 1) / 2 : 0;
    hop.waitGeFlow = std::max(0.0, m_workload[visit.link] + own) * finite;
    hop.waitGeLink = first ? hop.waitGeFlow : queue.waitGeLink * finite;
    const double gate = GateAt(visit.pair, flow).wait;
    hop.waitSubtractive = first ? hop.waitGeFlow : (state.waitSubtractive + gate) * finite;
    hop.waitDamped = first ? hop.waitGeFlow : (state.waitDamped + gate) * finite;
    return hop;
}

void
MqlSolution::GetHops(std::size_t flow, std::vector<MqlHop>& hops) const
{
    std::vector<MqlVisit> visits;
    m_network->GetVisits(flow, visits);
    hops.clear();
    hops.reserve(visits.size());
    for (const MqlVisit& visit : visits)
    {
        hops.push_back(MakeHop(visit, flow));
    }
}

std::vector<MqlTier>
MqlSolution::GetTiers() const
{
    std::map<uint8_t, MqlTier> tiers;
    std::map<uint8_t, double> rates;
    for (uint32_t link = 0; link < m_queues.size(); link++)
    {
        const MqlQueue& queue = m_queues[link];
        if (queue.rate > 0)
        {
            const uint8_t type = m_network->m_types[link];
            MqlTier& tier = tiers[type];
            const double rate = queue.rate * (1 - queue.loss);
            tier.name = MqlQueueTypes::GetName(type);
            tier.nQueues++;
            tier.meanRho += queue.rho;
            tier.maxRho = std::max(tier.maxRho, queue.rho);
            tier.wait += rate * queue.wait;
            tier.occupancy += queue.occupancy;
            tier.maxWait = std::max(tier.maxWait, queue.wait);
            rates[type] += rate;
        }
    }
    // In the order of packets: up from the hosts, across, down to the hosts.
    std::vector<std::pair<int, MqlTier>> ordered;
    for (auto& [type, tier] : tiers)
    {
        tier.meanRho /= tier.nQueues;
        tier.occupancy /= tier.nQueues;
        tier.wait /= rates[type];
        const int level = type / 3;
        ordered.emplace_back(type % 3 == 0   ? level
                             : type % 3 == 2 ? 100 + level
                                             : 300 - level,
                             tier);
    }
    std::sort(ordered.begin(), ordered.end(), [](const auto& x, const auto& y) {
        return x.first < y.first;
    });
    std::vector<MqlTier> result;
    for (auto& [place, tier] : ordered)
    {
        result.push_back(tier);
    }
    return result;
}

namespace
{

/// A flow split at a queue.
struct Split
{
    std::size_t flow; //!< its flow
    double fraction;  //!< share of the flow's packets
    double rate;      //!< [packets/s]
    double rho;       //!< utilisation
    double c2a;       //!< SCV of gaps
    double c2s;       //!< SCV of service times
    double wait;      //!< by GE_FLOW [s]
};

/// @return whether two splits differ by at most the threshold (relative); 0 is similar to 0 alone
bool
IsSimilar(const Split& split, const Split& cached, double threshold)
{
    const double Split::*const parameters[] = {&Split::rate, &Split::rho, &Split::c2a, &Split::c2s};
    return std::all_of(std::begin(parameters), std::end(parameters), [&](auto parameter) {
        const double value = split.*parameter;
        const double other = cached.*parameter;
        return value == other || std::abs(value - other) <= threshold * std::abs(other);
    });
}

} // namespace

MqlGreedyReport
MqlGreedySimilarity(const MqlSolution& solution, double threshold)
{
    const MqlNetwork& network = solution.GetNetwork();
    std::vector<std::vector<Split>> queues(network.GetTopology().GetNLinks());
    std::vector<double> latencies(network.GetFlows().size());
    std::vector<double> errors(network.GetFlows().size());
    std::vector<MqlHop> hops;
    for (std::size_t i = 0; i < latencies.size(); ++i)
    {
        solution.GetHops(i, hops);
        for (const MqlHop& hop : hops)
        {
            queues[hop.visit.link].push_back(
                {i, hop.visit.fraction, hop.rate, hop.rho, hop.c2a, hop.c2s, hop.waitGeFlow});
            latencies[i] += hop.visit.fraction * (hop.waitGeFlow + hop.service + hop.propagation);
        }
    }
    MqlGreedyReport report;
    std::vector<Split> cache;
    for (const auto& queue : queues)
    {
        cache.clear();
        for (const Split& split : queue)
        {
            ++report.nVisits;
            const auto match = std::find_if(cache.begin(), cache.end(), [&](const Split& cached) {
                ++report.nComparisons;
                return IsSimilar(split, cached, threshold);
            });
            if (match == cache.end())
            {
                ++report.nModelCalls;
                cache.push_back(split);
                continue;
            }
            report.meanError += split.wait > 0 ? std::abs(match->wait / split.wait - 1) : 0;
            errors[split.flow] += split.fraction * (match->wait - split.wait);
        }
    }
    report.meanError /= static_cast<double>(std::max<uint64_t>(1, report.nVisits));
    for (std::size_t i = 0; i < latencies.size(); ++i)
    {
        report.latencyError += std::abs(errors[i] / latencies[i]);
    }
    report.latencyError /= static_cast<double>(latencies.size());
    return report;
}

} // namespace ns3
