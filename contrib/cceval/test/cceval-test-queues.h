/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_TEST_QUEUES_H
#define CCEVAL_TEST_QUEUES_H

#include "../model/trials/cceval-importance.h"
#include "../model/trials/cceval-traffic.h"

#include "ns3/dcn-topology.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

/**
 * @ingroup cceval-tests
 * @brief Times in a queue with one server: in order of arrival, or shared equally.
 * @param starts instants of arrival, ascending
 * @param work service times
 * @param shared true: processor sharing; false: first in, first out
 * @return time from arrival to departure of each
 */
inline std::vector<double>
CcevalToyQueue(const std::vector<double>& starts, const std::vector<double>& work, bool shared)
{
    std::vector<double> times(starts.size());
    if (!shared)
    {
        double free = 0;
        for (std::size_t i = 0; i < starts.size(); ++i)
        {
            free = std::max(free, starts[i]) + work[i];
            times[i] = free - starts[i];
        }
        return times;
    }
    std::vector<std::pair<double, std::size_t>> active; // work left, index
    double now = 0;
    std::size_t next = 0;
    while (next < starts.size() || !active.empty())
    {
        const auto least = std::min_element(active.begin(), active.end());
        const double arrival =
            next < starts.size() ? starts[next] : std::numeric_limits<double>::infinity();
        const auto n = static_cast<double>(active.size());
        const double departure =
            active.empty() ? std::numeric_limits<double>::infinity() : now + least->first * n;
        const double until = std::min(arrival, departure);
        for (auto& each : active)
        {
            each.first -= (until - now) / n;
        }
        now = until;
        if (departure <= arrival)
        {
            times[least->second] = now - starts[least->second];
            active.erase(least);
        }
        else
        {
            active.emplace_back(work[next], next);
            ++next;
        }
    }
    return times;
}

/**
 * @ingroup cceval-tests
 * @brief Traffic of two hosts, of which a queue of 20 Gb/s has the load that is asked for.
 * @param flows per trial
 * @param load of the queue
 * @param sizes name of the flow sizes
 * @param seed of the evaluation
 * @return the traffic
 */
inline ns3::CcevalTraffic
CcevalToyTraffic(uint64_t flows, double load, const std::string& sizes, uint64_t seed = 1)
{
    ns3::DcnDumbbellParameters dumbbell;
    dumbbell.senders = 1;
    dumbbell.receivers = 1;
    ns3::DcnWorkloadSpec spec;
    spec.sizes = sizes;
    spec.load = load; // of each direction of 10 Gb/s
    spec.nFlows = flows;
    spec.seed = seed;
    return ns3::CcevalTraffic(ns3::DcnBuildTopology(dumbbell), spec);
}

/**
 * @ingroup cceval-tests
 * @brief Send a trial through a queue of 20 Gb/s.
 * @param trial its traffic; times and values [ns] are set
 * @param shared see CcevalToyQueue
 */
inline void
CcevalToySimulate(ns3::CcevalTiltedTrial& trial, bool shared)
{
    std::vector<double> starts;
    std::vector<double> work;
    for (const auto& flow : trial.trace.flows)
    {
        starts.push_back(static_cast<double>(flow.startNs));
        work.push_back(static_cast<double>(flow.sizeBytes) * 8 / 20);
    }
    trial.values = CcevalToyQueue(starts, work, shared);
    trial.fctNs.clear();
    for (const double value : trial.values)
    {
        trial.fctNs.push_back(std::llround(std::ceil(value)));
    }
    trial.flows = static_cast<double>(starts.size());
}

/**
 * @ingroup cceval-tests
 * @brief Draw trials of a queue.
 * @param traffic their traffic
 * @param stage what for
 * @param first number of the first
 * @param n how many
 * @param proposal what sizes are drawn from
 * @param shared see CcevalToyQueue
 * @return the trials
 */
inline std::vector<ns3::CcevalTiltedTrial>
CcevalDrawTrials(const ns3::CcevalTraffic& traffic,
                 ns3::CcevalStage stage,
                 uint64_t first,
                 uint64_t n,
                 const ns3::CcevalProposal& proposal,
                 bool shared)
{
    std::vector<ns3::CcevalTiltedTrial> trials(n);
    for (uint64_t i = 0; i < n; ++i)
    {
        trials[i].trace =
            traffic.Draw(ns3::CcevalSeed(traffic.GetSpec().seed, stage, first + i), proposal);
        CcevalToySimulate(trials[i], shared);
    }
    return trials;
}

/**
 * @ingroup cceval-tests
 * @param trials the trials
 * @return their cycles
 */
inline std::vector<ns3::CcevalCycle>
CcevalCyclesOf(const std::vector<ns3::CcevalTiltedTrial>& trials)
{
    std::vector<ns3::CcevalCycle> cycles;
    for (const auto& trial : trials)
    {
        cycles.push_back(ns3::CcevalWeigh(trial));
    }
    return cycles;
}

#endif /* CCEVAL_TEST_QUEUES_H */
