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
 * @brief When a bucket of flow sizes ends (Parsimon, section 3.3).
 *
 * Sizes are taken in ascending order. With n the number of samples in the bucket, z the largest
 * size, m the smallest and L the lower edge of the bucket's range (0, then the largest size of the
 * bucket before plus 1), a bucket is closed, after all samples of the same size z, once
 *
 *     published   n >= B and L <= round(z / x)
 *     default     n >= B, or n >= b and P(z) >= x P(m)
 *
 * with P(s) = ceil(s / M) packets. The last bucket is open, but for the published rules if the
 * samples end as a bucket is closed: then no bucket takes a larger size.
 *
 * On a link with few flows the published buckets are wide: of 200 flows, the last bucket holds the
 * larger half, from a few to thousands of packets. Delay is not in proportion to packets over such
 * a range: a flow of three packets that has waited for 15 us answers for one of 3000 with 15 ms.
 * The default rules take B as enough, whatever the range, and close wide buckets earlier. Their
 * range is one of packets, since flows of one packet wait alike.
 */
struct ParsimonBucketOptions
{
    ParsimonRules rules{ParsimonRules::DEFAULT}; //!< when a bucket ends
    uint32_t payloadBytes{1000};                 //!< M
    uint32_t minSamples{100};                    //!< B
    double sizeRatio{2};                         //!< x
    uint32_t fewSamples{10};                     //!< b
};

/**
 * @ingroup parsimon
 * @brief Packet-normalised delays of the flows of a link, in buckets by flow size.
 *
 * With FCT the completion time of a flow of s payload bytes in a link simulation, ideal its
 * completion time without other flows, and M the payload of a packet,
 *
 *     P(s) = ceil(s / M),   D* = max(0, FCT - ideal) / P(s)   [ns per packet]
 *
 * (Parsimon, section 3.3). Samples are single-precision numbers; records of flows are not kept.
 * Links of a cluster share one object.
 */
class ParsimonDelayDistribution
{
  public:
    /// Upper edge of a bucket that takes every larger size.
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

    /** No flows: there is one open bucket without samples, and the delay is 0. */
    ParsimonDelayDistribution();

    /**
     * @param samples of the flows of a link, in any order; equal sizes keep theirs
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
     * @param stream where to
     */
    void Save(std::ostream& stream) const;

    /**
     * @brief Read a distribution written by Save.
     * @param stream where from
     * @param where prefix of the error sentence
     * @return the distribution
     * @throws DcnError if the stream ends too early or a bucket has no samples there
     */
    static ParsimonDelayDistribution Load(std::istream& stream, const std::string& where);

  private:
    std::vector<Bucket> m_buckets; //!< by size
    std::vector<float> m_samples;  //!< of all buckets
};

} // namespace ns3

#endif /* PARSIMON_DELAY_DISTRIBUTION_H */
