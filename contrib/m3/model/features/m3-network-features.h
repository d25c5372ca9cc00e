/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_NETWORK_FEATURES_H
#define M3_NETWORK_FEATURES_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-path-index.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief The dimensionless network specification of a path (m3, section 4, "network
 * specification").
 *
 * With R the path's bottleneck, T its base round-trip time and R T its bandwidth-delay product
 * (DcnPathSpec), bytes are divided by R T, times by T and rates by R, so that a model also applies
 * to links of other rates and paths of other lengths than in its training. Thresholds are those of
 * a port of rate R. Parameters of other congestion controls are 0 (as features M3Scaler::ABSENT).
 * HPCC's eta enters as 1 / (1 - eta), to which queues are proportional. The buffer of a switch
 * counts without the part reserved for its ports (DcnPacketSwitch: a reserve of 4096 bytes and a
 * headroom of three one-way bandwidth-delay products each), which is more than half of it in a
 * switch with many ports.
 *
 * Quantities that span decades (Quantity::isLog) enter as logarithms.
 *
 * The published specification (Append) has units. Its numbers are: three, of which one is 1 for
 * paths of 2, 4 or 6 links (none for other paths, which the published model does not support); R
 * times the propagation delay in both directions [1000 bytes]; buffer of a switch [10 KB]; window
 * [KB]; 1, 0 with PFC, 0, 1 without; four, of which one is 1 for DCTCP, DCQCN, HPCC or TIMELY; and
 * their parameters, 0 for other congestion controls: K at a port of 10 Gb/s [KB]; Kmin and Kmax at
 * 25 Gb/s [KB]; eta [%] and additive increase [10 Mb/s]; Tlow and Thigh [us]. KB are 1000 bytes. It
 * does not contain rates, delays (only their product) and lengths of packets, which were constant
 * in the published training.
 */
class M3NetworkFeatures
{
  public:
    /// Number of quantities.
    static constexpr std::size_t N = 18;
    /// Numbers of the published specification.
    static constexpr std::size_t N_PUBLISHED = 19;

    /// A quantity.
    struct Quantity
    {
        const char* name; //!< name in sentences
        const char*
            congestionControl; //!< the only congestion control with this quantity; null: all
        bool isLog;            //!< its logarithm is the feature
    };

    /**
     * @brief Compute the quantities.
     * @param path rates and delays
     * @param network the configuration
     * @param sharedBytes the smallest shared part of a buffer of the path's switches
     * @throws DcnError for an unknown congestion control
     */
    M3NetworkFeatures(const DcnPathSpec& path,
                      const DcnNetworkParameters& network,
                      double sharedBytes);

    /**
     * @brief Compute the quantities of a path of a scenario.
     * @param pathIndex the paths
     * @param path number of the path
     * @param network the configuration, which need not be the scenario's
     * @throws DcnError for an unknown congestion control
     */
    M3NetworkFeatures(const DcnPathIndex& pathIndex,
                      uint32_t path,
                      const DcnNetworkParameters& network);

    /**
     * @param topology the network
     * @param links of a path
     * @param bufferBytes buffer of a switch
     * @return the smallest shared part of a buffer of the path's switches, at least 0; bufferBytes
     * for a path without switches
     */
    static double GetSharedBytes(const DcnTopology& topology,
                                 const DcnPath& links,
                                 uint64_t bufferBytes);

    /** @return names of the N quantities. */
    static const std::vector<Quantity>& GetQuantities();

    /** @return values of the quantities. */
    const std::vector<double>& GetValues() const;

    /** @return rate of the slowest link of the path [bit/s]. */
    uint64_t GetBottleneckBps() const;

    /**
     * @param isPublished whether to append the N_PUBLISHED numbers of the published specification
     * instead of the N quantities
     * @param features the features are appended to it
     */
    void Append(bool isPublished, std::vector<float>& features) const;

  private:
    /// Fills the published specification.
    void Publish(const DcnPathSpec& path, const DcnNetworkParameters& network);

    std::string m_congestionControl;              //!< in force
    uint64_t m_bottleneckBps;                     //!< see GetBottleneckBps
    std::vector<double> m_values;                 //!< see GetValues
    std::array<float, N_PUBLISHED> m_published{}; //!< see Append
};

} // namespace ns3

#endif /* M3_NETWORK_FEATURES_H */
