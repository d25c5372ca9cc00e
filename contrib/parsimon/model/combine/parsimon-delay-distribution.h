/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_DELAY_DISTRIBUTION_H
#define PARSIMON_DELAY_DISTRIBUTION_H

#include "ns3/parsimon-link.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Options for the buckets of flow sizes (Parsimon, section 3.3).
 *
 * Sizes are visited in ascending order. Let n be the number of samples in the bucket, z its largest
 * size, m its smallest and L the lower edge of its range (0, or the largest size of the previous
 * bucket plus 1). A bucket is closed, after all samples of the same size z, once
 *
 *     published   n >= B and L <= round(z / x)
 *     default     n >= B, or n >= b and P(z) >= x P(m)
 *
 * with P(s) = ceil(s / M) packets. The last bucket has no upper limit. By the published rules, if
 * the last sample closes a bucket, no bucket contains larger sizes.
 *
 * On a link with few flows the published buckets are wide: with 200 flows, the last bucket holds
 * the larger half, from a few packets to thousands. Delays are not proportional to packets over
 * such a range: a sample of three packets that waited for 15 us would give a flow of 3000 packets
 * 15 ms. The default rules accept B samples over any range, and close wide buckets earlier. Their
 * range is in packets, since all flows of one packet wait alike.
 */
struct ParsimonBucketOptions
{
    ParsimonRules rules{ParsimonRules::DEFAULT}; //!< rule set
    uint32_t payloadBytes{1000};                 //!< M
    uint32_t minSamples{100};                    //!< B
    double sizeRatio{2};                         //!< x
    uint32_t fewSamples{10};                     //!< b
};

/**
 * @ingroup parsimon
 * @brief Distributions of packet-normalised delays of a link, in buckets of flow sizes.
 *
 * With FCT the completion time of a flow of s payload bytes in a link simulation, ideal its
 * completion time without other flows, and M the payload of a packet,
 *
 *     P(s) = ceil(s / M),   D* = max(0, FCT - ideal) / P(s)   [ns per packet]
 *
 * (Parsimon, section 3.3). Samples are single-precision numbers; flows are not stored.
 * Links of a cluster share one object.
 */
class ParsimonDelayDistribution
{
  public:
    /// Upper edge of a bucket without an upper limit.
    static constexpr uint64_t OPEN = std::numeric_limits<uint64_t>::max();

    /// A range of sizes [lowerBytes, upperBytes) and its samples.
    struct Bucket
    {
        uint64_t lowerBytes; //!< inclusive
        uint64_t upperBytes; //!< exclusive, or OPEN
        uint32_t first;      //!< position of the first sample
        uint32_t last;       //!< one past the last sample

        /** @return the number of samples. */
        uint32_t GetN() const
        {
            return last - first;
        }
    };

    /// A flow's size [bytes] and its packet-normalised delay [ns per packet].
    using Sample = std::pair<uint64_t, float>;

    /** Without flows: one open bucket without samples; its delay is 0. */
    ParsimonDelayDistribution();

    /**
     * @param samples samples of the flows of a link; samples of equal size keep their order
     * @param options see ParsimonBucketOptions
     */
    ParsimonDelayDistribution(std::vector<Sample> samples, const ParsimonBucketOptions& options);

    /** @return the buckets by size, without gaps, the first from 0. */
    const std::vector<Bucket>& GetBuckets() const;

    /**
     * @param sizeBytes payload of a flow
     * @return its bucket; null if the size is above all buckets (published rules)
     */
    const Bucket* Find(uint64_t sizeBytes) const;

    /**
     * @param bucket one of this object's
     * @param u uniform in [0, 1)
     * @return one of its samples, each equally likely [ns per packet]; 0 if it has none
     */
    double Draw(const Bucket& bucket, double u) const;

    /**
     * @brief Write in binary form.
     * @param stream output
     */
    void Save(std::ostream& stream) const;

    /**
     * @brief Read a distribution written by Save.
     * @param stream input
     * @param where prefix of the error sentence
     * @return the distribution
     * @throws DcnError if the stream ends too early or lacks samples of a bucket
     */
    static ParsimonDelayDistribution Load(std::istream& stream, const std::string& where);

  private:
    std::vector<Bucket> m_buckets; //!< by size
    std::vector<float> m_samples;  //!< of all buckets
};

} // namespace ns3

#endif /* PARSIMON_DELAY_DISTRIBUTION_H */
