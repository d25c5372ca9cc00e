/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-features.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

MqlFeatures::MqlFeatures(const MqlNetwork& network, const MqlSolution& solution)
    : m_network(network),
      m_solution(solution),
      m_pairs(network.GetPairs().size()),
      m_links(network.GetTopology().GetNLinks())
{
    double bytes = 0;
    double bytes2 = 0;
    for (const auto& flow : network.GetFlows())
    {
        bytes += flow.rate * flow.wireBytes;
        bytes2 += flow.rate * flow.wireBytes * flow.wireBytes;
    }
    m_bytes = bytes2 / bytes;
    const auto& pairs = network.GetPairs();
    for (uint32_t link = 0; link < m_links.size(); ++link)
    {
        auto& features = m_links[link];
        const auto rateBps = static_cast<double>(network.GetTopology().GetLink(link).rateBps);
        features.scale = 8 * m_bytes / rateBps;
        const auto [first, last] = network.GetPairsOf(link);
        double rate = 0;
        for (uint32_t i = first; i < last; ++i)
        {
            rate += pairs[i].rate;
            features.burst += pairs[i].burst0;
            features.pairs += pairs[i].rate * pairs[i].rate;
            features.flows += pairs[i].square0;
        }
        if (rate == 0)
        {
            continue;
        }
        features.burst /= rate;
        features.pairs /= rate * rate;
        features.flows /= rate * rate;
        for (uint32_t i = first; i < last; ++i)
        {
            m_pairs[i] = {pairs[i].rate / rate,
                          pairs[i].burst0 / pairs[i].rate,
                          pairs[i].square0 / (pairs[i].rate * pairs[i].rate)};
        }
    }
}

const std::vector<std::string>&
MqlFeatures::GetNames()
{
    static const std::vector<std::string> names{
        // Table 4.2
        "rate",                    // lambda_i S_ref
        "utilisation",             // rho_i
        "total_utilisation",       // rho of the queue
        "gap_scv",                 // C2a_i
        "service_scv",             // C2s_i
        "packet_size",             // P_i / b_ref
        "link_occupancy",          // 1 / (1 - rho_i)
        "total_link_occupancy",    // 1 / (1 - rho)
        "rate_by_occupancy",       // lambda_i S_ref / (1 - rho_i)
        "rate_by_total_occupancy", // lambda_i S_ref / (1 - rho)
        "queue_occupancy",         // (C2a_i + C2s_i) / (1 - rho)
        // features of this implementation only
        "wait_ge_flow", // W / S_ref of the formulas
        "wait_ge_link",
        "wait_subtractive",
        "wait_damped",
        "upstream_share",       // share of the upstream link's packets that enter this queue
        "upstream_links",       // links that feed the queue
        "upstream_utilisation", // rho of the flow's upstream link
        "upstream_wait",        // W / S_ref of its queue
        "upstream_burst",       // C2 excess of its queue's sources
        "hop",                  // 0 at the source
        "mean_size",            // of the queue, over b_ref
        "pair_share",           // share of the queue's packets from the same upstream link
        "pair_burst",           // C2 excess of their sources
        "pair_concentration",   // 1 / their effective number of flows
        "burst",                // C2 excess of the sources of the whole queue
        "link_concentration",   // 1 / effective number of upstream links
        "flow_concentration",   // 1 / effective number of flows
    };
    return names;
}

std::vector<std::size_t>
MqlFeatures::Find(const std::vector<std::string>& wanted)
{
    const auto& names = GetNames();
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (std::find(wanted.begin(), wanted.end(), names[i]) != wanted.end())
        {
            numbers.push_back(i);
        }
    }
    return numbers;
}

void
MqlFeatures::Get(const MqlHop& hop, double* values) const
{
    const auto& link = m_links[hop.visit.link];
    const auto& pair = m_pairs[hop.visit.pair];
    const uint32_t upstream = m_network.GetPairs()[hop.visit.pair].upstream;
    const bool isFirst = upstream == MqlPair::EXTERNAL;
    // Overloaded queues of finite buffers count as almost full.
    const double free = std::max(1e-3, 1 - hop.rhoTotal);
    const double ownFree = std::max(1e-3, 1 - hop.rho);
    const double rate = hop.rate * link.scale;
    double* v = values;
    *v++ = rate;
    *v++ = hop.rho;
    *v++ = hop.rhoTotal;
    *v++ = hop.c2a;
    *v++ = hop.c2s;
    *v++ = hop.wireBytes / m_bytes;
    *v++ = 1 / ownFree;
    *v++ = 1 / free;
    *v++ = rate / ownFree;
    *v++ = rate / free;
    *v++ = (hop.c2a + hop.c2s) / free;
    *v++ = hop.waitGeFlow / link.scale;
    *v++ = hop.waitGeLink / link.scale;
    *v++ = hop.waitSubtractive / link.scale;
    *v++ = hop.waitDamped / link.scale;
    *v++ = hop.upstreamShare;
    *v++ = hop.nUpstream;
    *v++ = hop.rhoUpstream;
    *v++ = isFirst ? 0 : m_solution.GetQueues()[upstream].wait / m_links[upstream].scale;
    *v++ = isFirst ? 0 : m_links[upstream].burst;
    *v++ = hop.visit.hop;
    *v++ = hop.meanBytes / m_bytes;
    *v++ = pair.share;
    *v++ = pair.burst;
    *v++ = pair.flows;
    *v++ = link.burst;
    *v++ = link.pairs;
    *v++ = link.flows;
    // In single precision: comparisons must not depend on the order of a sum.
    for (double* x = values; x < v; ++x)
    {
        *x = static_cast<float>(*x);
    }
}

double
MqlFeatures::GetScale(uint32_t link) const
{
    return m_links[link].scale;
}

std::size_t
MqlRoundTrip::GetLongest() const
{
    return std::max_element(waits.begin(), waits.end()) - waits.begin();
}

namespace
{

/// Features of the hop with the longest wait that are features of the percentile.
const std::vector<std::size_t>&
GetLongestFeatures()
{
    static const auto numbers = MqlFeatures::Find({"total_utilisation",
                                                   "service_scv",
                                                   "wait_ge_flow",
                                                   "wait_ge_link",
                                                   "wait_subtractive",
                                                   "wait_damped",
                                                   "upstream_share",
                                                   "upstream_utilisation",
                                                   "upstream_wait",
                                                   "upstream_burst",
                                                   "pair_share",
                                                   "pair_burst",
                                                   "burst"});
    return numbers;
}

} // namespace

const std::vector<std::string>&
MqlRoundTripFeatures::GetNames()
{
    static const std::vector<std::string> names = []() {
        std::vector<std::string> all{
            "quantile",         // by the model, over the time on the wire
            "wait",             // mean waiting over the time on the wire
            "variation",        // standard deviation over mean of the waiting
            "idle",             // probability of no waiting
            "hops",             // of the data
            "source_scv",       // C2 at the source
            "first_wait",       // share of the waiting of the data at the source
            "utilisation_mean", // of the data's links
            "ack_wait",         // share of the waiting that acknowledgements have
            "wait_shares",      // sum of squares of the hops' shares of the waiting of the data
            "correction",       // corrected waiting of the data over that of the model
        };
        for (const std::size_t i : GetLongestFeatures())
        {
            all.push_back("longest_" + MqlFeatures::GetNames()[i]);
        }
        return all;
    }();
    return names;
}

void
MqlRoundTripFeatures::Get(const MqlRoundTrip& trip, const MqlFeatures& features, double* values)
{
    const auto& both = trip.both;
    const double wait = trip.there.wait;
    double rho = 0;
    double squares = 0;
    double model = 0;
    for (std::size_t i = 0; i < trip.hops.size(); ++i)
    {
        const double fraction = trip.hops[i].visit.fraction;
        rho += trip.hops[i].rhoTotal * fraction;
        squares += std::pow(fraction * trip.waits[i], 2);
        model += fraction * trip.hops[i].wait;
    }
    const double hops = trip.hops.back().visit.hop + 1.0;
    double* v = values;
    *v++ = (trip.quantile - both.propagation) / both.service;
    *v++ = both.wait / both.service;
    *v++ = both.wait > 0 ? std::sqrt(both.variance) / both.wait : 0;
    *v++ = both.idle;
    *v++ = hops;
    *v++ = trip.hops.front().c2a;
    *v++ = wait > 0 ? trip.waits.front() / wait : 0;
    *v++ = rho / hops;
    *v++ = both.wait > 0 ? (both.wait - wait) / both.wait : 0;
    *v++ = wait > 0 ? squares / (wait * wait) : 0;
    *v++ = model > 0 ? wait / model : 1;
    // In single precision: comparisons must not depend on the order of a sum.
    for (double* x = values; x < v; ++x)
    {
        *x = static_cast<float>(*x);
    }
    std::vector<double> hop(MqlFeatures::GetNames().size());
    features.Get(trip.hops[trip.GetLongest()], hop.data());
    for (const std::size_t i : GetLongestFeatures())
    {
        *v++ = hop[i];
    }
}

} // namespace ns3
