/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-training.h"

#include "../truth/mql-truth-config.h"
#include "../truth/mql-truth-recorder.h"

#include "ns3/dcn-error.h"
#include "ns3/hash.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlTraining");

MqlTraining::MqlTraining(const MqlTrainingOptions& options)
    : m_options(options)
{
    if (!(options.rowShare > 0 && options.rowShare <= 1))
    {
        DcnFail("the share of rows to train on must be above 0 and at most 1, not ",
                options.rowShare);
    }
}

void
MqlTraining::Rows::Add(const std::vector<double>& values, double target, double weight)
{
    const std::string key(reinterpret_cast<const char*>(values.data()),
                          values.size() * sizeof(double));
    const auto [place, isNew] = m_places.emplace(key, set.targets.size());
    if (isNew)
    {
        set.columns.resize(values.size());
        for (std::size_t f = 0; f < values.size(); ++f)
        {
            set.columns[f].push_back(values[f]);
        }
        set.targets.push_back(0);
        set.weights.push_back(0);
    }
    set.targets[place->second] += weight * target;
    set.weights[place->second] += weight;
}

void
MqlTraining::Rows::EndConfiguration()
{
    m_places.clear();
}

MqlTrainingSet
MqlTraining::Means(const Rows& rows)
{
    MqlTrainingSet set = rows.set;
    for (std::size_t i = 0; i < set.GetN(); ++i)
    {
        set.targets[i] /= set.weights[i];
    }
    return set;
}

double
MqlTraining::GetWeight(const MqlCase& one)
{
    const auto roundTrips = one.GetRoundTrips(nullptr);
    double trips = 0;
    double wire = 0;
    for (std::size_t i = 0; i < one.GetTruth().flows.size(); ++i)
    {
        const auto& truth = one.GetTruth().flows[i];
        if (truth.packets > 0)
        {
            trips += truth.rttNs;
            wire += 1e9 * (roundTrips[i].service + roundTrips[i].propagation);
        }
    }
    return trips > 0 ? wire * wire / (trips * trips) : 0;
}

void
MqlTraining::Add(const MqlCase& one)
{
    const auto& network = one.GetNetwork();
    const auto& solution = one.GetSolution();
    const MqlFeatures features(network, solution);
    const std::size_t nFeatures =
        m_options.extraFeatures ? MqlFeatures::GetNames().size() : +MqlFeatures::N_BASIC;
    std::vector<double> values(MqlFeatures::GetNames().size());
    std::vector<MqlHop> hops;
    std::vector<MqlCase::Visit> visits;
    double packets = 0;
    for (const auto& hop : one.GetTruth().hops)
    {
        packets += static_cast<double>(hop.packets);
    }
    const double weight = GetWeight(one) / packets;
    const std::string name = one.GetConfig().GetName();
    // A random number per row, by configuration, seed and row only.
    const uint64_t key = Hash64(name + std::to_string(m_options.seed));
    for (std::size_t flow = 0; flow < network.GetFlows().size(); ++flow)
    {
        solution.GetHops(flow, hops);
        one.GetVisits(flow, hops, visits);
        for (std::size_t i = 0; i < hops.size(); ++i)
        {
            if (visits[i].packets == 0)
            {
                continue;
            }
            if (m_options.rowShare < 1)
            {
                const uint64_t row[]{key, flow, i};
                const uint64_t drawn = Hash64(reinterpret_cast<const char*>(row), sizeof(row));
                if (static_cast<double>(drawn >> 11) * 0x1p-53 >= m_options.rowShare)
                {
                    continue;
                }
            }
            values.resize(MqlFeatures::GetNames().size());
            features.Get(hops[i], values.data());
            values.resize(nFeatures);
            const uint32_t link = hops[i].visit.link;
            const double target =
                (visits[i].waitNs * 1e-9 - hops[i].wait) / features.GetScale(link);
            m_rows[MqlQueueTypes::GetName(network.GetQueueType(link))].Add(values,
                                                                           target,
                                                                           weight *
                                                                               visits[i].packets);
            m_nRows++;
        }
    }
    for (auto& [type, rows] : m_rows)
    {
        rows.EndConfiguration();
    }
}

MqlCorrection
MqlTraining::Fit() const
{
    if (m_rows.empty())
    {
        DcnFail("there is nothing to train on");
    }
    MqlCorrection correction(m_options.extraFeatures ? MqlFeatures::GetNames().size()
                                                     : +MqlFeatures::N_BASIC);
    for (const auto& [type, rows] : m_rows)
    {
        correction.SetTree(type, MqlTree::Fit(Means(rows), m_options.tree));
        NS_LOG_INFO(type << ": " << rows.set.GetN() << " rows, "
                         << correction.GetTrees().at(type).GetNLeaves() << " leaves");
    }
    const std::size_t n = correction.GetNFeatures();
    std::vector<double> lowest(n, std::numeric_limits<double>::max());
    std::vector<double> highest(n, std::numeric_limits<double>::lowest());
    for (const auto& [type, rows] : m_rows)
    {
        for (std::size_t f = 0; f < n; ++f)
        {
            const auto& column = rows.set.columns[f];
            const auto [least, most] = std::minmax_element(column.begin(), column.end());
            lowest[f] = std::min(lowest[f], *least);
            highest[f] = std::max(highest[f], *most);
        }
    }
    correction.SetRange(std::move(lowest), std::move(highest));
    return correction;
}

void
MqlTraining::AddPercentiles(const MqlCase& one, const MqlCorrection& correction)
{
    const MqlCorrectedSolution corrected(one.GetNetwork(), one.GetSolution(), &correction);
    const auto nFlows = static_cast<double>(one.GetTruth().flows.size());
    std::vector<double> values(MqlRoundTripFeatures::GetNames().size());
    for (std::size_t i = 0; i < one.GetTruth().flows.size(); ++i)
    {
        const auto& truth = one.GetTruth().flows[i];
        if (truth.packets < MqlScore::MIN_PACKETS)
        {
            continue;
        }
        const auto trip = corrected.Describe(i, one.GetRoundTrip(corrected, i));
        MqlRoundTripFeatures::Get(trip, corrected.GetFeatures(), values.data());
        const double fixed = trip.both.service + trip.both.propagation;
        const double wait = MqlCorrectedSolution::GetP99Wait(trip);
        const double relative = wait / (truth.rttP99Ns * 1e-9);
        m_percentiles.Add(values,
                          (truth.rttP99Ns * 1e-9 - fixed) / wait - 1,
                          relative * relative / nFlows);
    }
    m_percentiles.EndConfiguration();
}

void
MqlTraining::FitPercentiles(MqlCorrection& correction) const
{
    if (m_percentiles.set.GetN() == 0)
    {
        DcnFail("there is no flow to train the percentile on");
    }
    correction.SetTree(MqlCorrection::P99, MqlTree::Fit(Means(m_percentiles), m_options.p99Tree));
}

std::pair<uint64_t, uint64_t>
MqlTraining::GetNRows() const
{
    uint64_t merged = 0;
    for (const auto& [type, rows] : m_rows)
    {
        merged += rows.set.GetN();
    }
    return {m_nRows, merged};
}

} // namespace ns3
