/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_RANGE_FEATURES_H
#define M3_RANGE_FEATURES_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-trained-ranges.h"

#include <vector>

namespace ns3
{

class M3NetworkFeatures;

/**
 * @ingroup m3
 * @brief Everything by which a path can be unlike those of the training (DcnTrainedRanges).
 *
 * - The features of the network configuration (M3NetworkFeatures), but the congestion control.
 * - Traffic: the largest load of a link of the path, the largest number of flows on one, the number
 *   of foreground flows, and the largest number of windows under way in front of one.
 * - All other parameters of the configuration that have an effect (DcnUnmodelledKeys), and for
 *   DCTCP the ratio of the thresholds. Rates are divided by the path's bottleneck, times are not
 *   divided by anything, as in DcnNetworkConfig::Preset.
 *
 * The tolerance is 2 % for parameters, and 10 % for traffic, which follows from random draws; its
 * range is that of all congestion controls together.
 */
struct M3RangeFeatures : DcnTrainedRanges::Conditions
{
    /// The traffic of a path.
    struct Traffic
    {
        double load{0};       //!< largest of its links
        double flows{0};      //!< largest number on a link
        double foreground{0}; //!< number of foreground flows
        double windows{0};    //!< largest sum over the links of B (M3Fluid) of one of these
    };

    /// The parameters of a configuration that are no features of the network (DcnUnmodelledKeys).
    struct Unmodelled
    {
        /**
         * @brief Compute them, once for each configuration: it takes an ns-3 object, of which
         * several threads may make none.
         * @param network the configuration
         */
        explicit Unmodelled(const DcnNetworkParameters& network);

        std::vector<double> values; //!< as from DcnUnmodelledKeys::GetValues
    };

    M3RangeFeatures() = default;

    /**
     * @param features of the path and the configuration
     * @param network the configuration
     * @param unmodelled its other parameters
     * @param traffic of the path
     */
    M3RangeFeatures(const M3NetworkFeatures& features,
                    const DcnNetworkParameters& network,
                    const Unmodelled& unmodelled,
                    const Traffic& traffic);

    /** @return names and tolerances of the values. */
    static const DcnTrainedRanges::Quantities& GetQuantities();
};

} // namespace ns3

#endif /* M3_RANGE_FEATURES_H */
