/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_BRUTE_FORCE_H
#define FLOWSIM_BRUTE_FORCE_H

#include "ns3/flowsim-engine.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

/**
 * @file
 * @ingroup flowsim-tests
 * What the flowsim tests compare with, written for obviousness and in long double: max-min rates by
 * progressive filling from scratch, and a fluid simulation that recomputes everything at each
 * event.
 */

namespace flowsim_test
{

/// A flow as the brute force sees it.
using Flow = ns3::FlowsimArrival;

/**
 * @brief Computes max-min rates by progressive filling.
 * @param capacities capacity of each link [bit/s]
 * @param flows the flows
 * @return rate of each flow [bit/s]
 */
inline std::vector<long double>
FillProgressively(const std::vector<double>& capacities, const std::vector<const Flow*>& flows)
{
    const std::size_t nLinks = capacities.size();
    std::vector<long double> left(capacities.begin(), capacities.end());
    std::vector<long double> rates(flows.size(), -1);
    for (std::size_t nFixed = 0; nFixed < flows.size();)
    {
        // What the unfixed flows weigh on each link, then who stops them first.
        std::vector<long double> weight(nLinks, 0);
        for (std::size_t f = 0; f < flows.size(); f++)
        {
            for (uint32_t link : flows[f]->path)
            {
                weight[link] += rates[f] < 0 ? flows[f]->weight : 0;
            }
        }
        long double level = std::numeric_limits<long double>::infinity();
        std::size_t bottleneck = nLinks;
        std::size_t capped = flows.size();
        for (std::size_t l = 0; l < nLinks; l++)
        {
            if (weight[l] > 0 && left[l] / weight[l] < level)
            {
                level = left[l] / weight[l];
                bottleneck = l;
            }
        }
        for (std::size_t f = 0; f < flows.size(); f++)
        {
            if (rates[f] < 0 && flows[f]->cap / static_cast<long double>(flows[f]->weight) < level)
            {
                level = flows[f]->cap / static_cast<long double>(flows[f]->weight);
                capped = f;
            }
        }
        for (std::size_t f = 0; f < flows.size(); f++)
        {
            const auto& path = flows[f]->path;
            const bool stops = capped < flows.size()
                                   ? f == capped
                                   : std::find(path.begin(), path.end(), bottleneck) != path.end();
            if (rates[f] < 0 && stops)
            {
                rates[f] = level * flows[f]->weight;
                nFixed++;
                for (uint32_t link : path)
                {
                    left[link] -= rates[f];
                }
            }
        }
    }
    return rates;
}

/**
 * @brief Simulates flows, recomputing everything at each event.
 * @param capacities capacity of each link [bit/s]
 * @param flows the flows in order of arrival
 * @return completion time minus start of each flow [ns]
 */
inline std::vector<long double>
SimulateByBruteForce(const std::vector<double>& capacities, const std::vector<Flow>& flows)
{
    constexpr long double DONE = 1e-13L; // of the size; rounding is six orders of magnitude below
    const long double never = std::numeric_limits<long double>::infinity();
    std::vector<long double> durations(flows.size(), 0);
    std::vector<long double> left;
    std::vector<const Flow*> active;
    const int64_t origin = flows.empty() ? 0 : flows.front().startNs;
    long double now = 0;
    std::size_t next = 0;
    while (next < flows.size() || !active.empty())
    {
        const auto rates = FillProgressively(capacities, active);
        long double completion = never;
        for (std::size_t i = 0; i < active.size(); i++)
        {
            completion = std::min(completion, now + left[i] / rates[i] * 1e9L);
        }
        const long double arrival =
            next < flows.size() ? static_cast<long double>(flows[next].startNs - origin) : never;
        const long double event = std::min(arrival, completion);
        for (std::size_t i = 0; i < active.size(); i++)
        {
            left[i] -= rates[i] * (event - now) / 1e9L;
        }
        now = event;
        if (completion > arrival)
        {
            active.push_back(&flows[next]);
            left.push_back(flows[next].bits);
            next++;
            continue;
        }
        for (std::size_t i = active.size(); i-- > 0;)
        {
            if (left[i] <= DONE * active[i]->bits)
            {
                durations[active[i] - flows.data()] =
                    now - static_cast<long double>(active[i]->startNs - origin);
                active.erase(active.begin() + i);
                left.erase(left.begin() + i);
            }
        }
    }
    return durations;
}

/// Random instances: links, paths, weights, caps and arrivals, with many ties.
class RandomInstance
{
  public:
    /// Draws the network and the kind of the flows.
    explicit RandomInstance(uint64_t seed)
        : m_random(seed)
    {
        capacities.resize(1 + Draw(12));
        const bool symmetric = Draw(2) == 0;
        for (double& capacity : capacities)
        {
            capacity = symmetric ? 1e10 * static_cast<double>(1 + Draw(2))
                                 : 1e9 * (1 + static_cast<double>(Draw(1000)) / 37);
        }
        m_weighted = Draw(2) == 0;
        m_capped = Draw(2) == 0;
        m_equalSizes = Draw(2) == 0;
        m_paths.resize(1 + Draw(8));
        for (auto& path : m_paths)
        {
            path = DrawPath();
        }
    }

    /**
     * @brief Draws an integer.
     * @param n number of values
     * @return 0 .. n - 1
     */
    uint64_t Draw(uint64_t n)
    {
        return m_random() % n;
    }

    /// Draws a flow that starts at time 0. @return the flow
    Flow DrawFlow()
    {
        Flow flow;
        flow.path = Draw(2) == 0 ? DrawPath() : m_paths[Draw(m_paths.size())];
        if (m_weighted && Draw(2) == 0)
        {
            flow.weight = static_cast<double>(1 + Draw(40)) / 4;
        }
        if (m_capped && Draw(3) > 0)
        {
            flow.cap = Draw(2) == 0 ? 1e9 * static_cast<double>(1 + Draw(4))
                                    : 1e9 * static_cast<double>(1 + Draw(1000)) / 300;
        }
        const uint64_t largest = uint64_t{1} << (4 + Draw(17));
        flow.bits =
            8 * static_cast<double>(m_equalSizes ? 1000 * (1 + Draw(3)) : 64 + Draw(largest));
        return flow;
    }

    /**
     * @brief Draws flows with arrivals that are often simultaneous, from 0 s or 1000 s on.
     * @param n number of flows
     * @return the flows in order of arrival
     */
    std::vector<Flow> DrawFlows(std::size_t n)
    {
        int64_t time = Draw(2) == 0 ? 0 : 1000000000000;
        std::vector<Flow> flows;
        for (std::size_t i = 0; i < n; i++)
        {
            time += Draw(3) == 0 ? 0 : static_cast<int64_t>(Draw(20000));
            flows.push_back(DrawFlow());
            flows.back().id = i;
            flows.back().startNs = time;
        }
        return flows;
    }

    std::vector<double> capacities; //!< Capacity of each link [bit/s]

  private:
    /// Draws a path of up to five links. @return the path
    std::vector<uint32_t> DrawPath()
    {
        std::vector<uint32_t> path(capacities.size());
        for (uint32_t l = 0; l < path.size(); l++)
        {
            path[l] = l;
            std::swap(path[l], path[Draw(l + 1)]);
        }
        path.resize(1 + Draw(std::min<std::size_t>(path.size(), 5)));
        return path;
    }

    std::mt19937_64 m_random;                   //!< Random numbers, the same everywhere
    bool m_weighted{false};                     //!< Some flows have a weight
    bool m_capped{false};                       //!< Some flows have a cap
    bool m_equalSizes{false};                   //!< Few sizes, so that completions coincide
    std::vector<std::vector<uint32_t>> m_paths; //!< Paths that many flows share
};

} // namespace flowsim_test

#endif // FLOWSIM_BRUTE_FORCE_H
