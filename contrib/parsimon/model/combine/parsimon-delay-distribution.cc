/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-delay-distribution.h"

#include "../simulate/parsimon-binary.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param n samples of a bucket
 * @param lower L
 * @param smallest m
 * @param largest z
 * @param options B, b, x and M
 * @return whether the bucket ends here
 */
bool
IsComplete(uint32_t n,
           uint64_t lower,
           uint64_t smallest,
           uint64_t largest,
           const ParsimonBucketOptions& options)
{
    const bool enough = n >= options.minSamples;
    const double edge = static_cast<double>(largest) / options.sizeRatio;
    if (options.rules == ParsimonRules::PUBLISHED)
    {
        return enough && static_cast<double>(lower) <= std::round(edge);
    }
    return enough || (n >= options.fewSamples &&
                      static_cast<double>(DcnPackets(largest, options.payloadBytes)) >=
                          options.sizeRatio *
                              static_cast<double>(DcnPackets(smallest, options.payloadBytes)));
}

} // namespace

ParsimonDelayDistribution::ParsimonDelayDistribution()
    : m_buckets{{0, OPEN, 0, 0}}
{
}

ParsimonDelayDistribution::ParsimonDelayDistribution(std::vector<Sample> samples,
                                                     const ParsimonBucketOptions& options)
{
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
        return a.first < b.first;
    });
    m_samples.reserve(samples.size());
    for (const auto& [size, delay] : samples)
    {
        m_samples.push_back(delay);
    }
    const auto n = static_cast<uint32_t>(samples.size());
    uint64_t lower = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        const uint64_t size = samples[i].first;
        if (i + 1 < n && samples[i + 1].first == size)
        {
            continue; // equal sizes stay together; the conditions stay true
        }
        if (IsComplete(i + 1 - first, lower, samples[first].first, size, options))
        {
            m_buckets.push_back({lower, size + 1, first, i + 1});
            lower = size + 1;
            first = i + 1;
        }
    }
    if (first < n || m_buckets.empty())
    {
        m_buckets.push_back({lower, OPEN, first, n});
    }
    else if (options.rules != ParsimonRules::PUBLISHED)
    {
        m_buckets.back().upperBytes = OPEN;
    }
}

const std::vector<ParsimonDelayDistribution::Bucket>&
ParsimonDelayDistribution::GetBuckets() const
{
    return m_buckets;
}

const ParsimonDelayDistribution::Bucket*
ParsimonDelayDistribution::Find(uint64_t sizeBytes) const
{
    auto bucket = std::upper_bound(
        m_buckets.begin(),
        m_buckets.end(),
        sizeBytes,
        [](uint64_t size, const Bucket& candidate) { return size < candidate.upperBytes; });
    return bucket == m_buckets.end() ? nullptr : &*bucket;
}

double
ParsimonDelayDistribution::Draw(const Bucket& bucket, double u) const
{
    const uint32_t n = bucket.GetN();
    if (n == 0)
    {
        return 0;
    }
    return m_samples[bucket.first + std::min(n - 1, static_cast<uint32_t>(u * n))];
}

void
ParsimonDelayDistribution::Save(std::ostream& stream) const
{
    ParsimonWriteVector(stream, m_buckets);
    ParsimonWriteVector(stream, m_samples);
}

ParsimonDelayDistribution
ParsimonDelayDistribution::Load(std::istream& stream, const std::string& where)
{
    ParsimonDelayDistribution distribution;
    ParsimonReadVector(stream, where, distribution.m_buckets);
    ParsimonReadVector(stream, where, distribution.m_samples);
    for (const Bucket& bucket : distribution.m_buckets)
    {
        if (bucket.first > bucket.last || bucket.last > distribution.m_samples.size())
        {
            DcnFail(where, "a bucket has samples that are not there");
        }
    }
    return distribution;
}

} // namespace ns3
