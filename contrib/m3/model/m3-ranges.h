/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_RANGES_H
#define M3_RANGES_H

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-trained-ranges.h"

#include <vector>

namespace ns3
{

class M3Spec;

/**
 * @ingroup m3
 * @brief Everything by which a path can be unlike those of the training (DcnTrainedRanges).
 *
 * - What the network of the model sees of the configuration (M3Spec), but the congestion control.
 * - Traffic: the largest load of a link of the path, the largest number of flows on one, the number
 *   of foreground flows, and the largest number of windows under way in front of one.
 * - All other parameters of the configuration that have an effect (DcnUntoldSettings), and for
 * DCTCP the ratio of the thresholds. Rates are divided by the path's bottleneck, times are not
 * divided by anything, as in DcnNetworkConfig::Preset.
 *
 * The tolerance is 2 % for what somebody sets, and 10 % for traffic, which follows from what is
 * drawn and of which nobody sets the range; that range is of all congestion controls together.
 */
struct M3Conditions : DcnTrainedRanges::Conditions
{
    /// The traffic of a path.
    struct Traffic
    {
        double load{0};       //!< largest of its links
        double flows{0};      //!< largest number on a link
        double foreground{0}; //!< number of foreground flows
        double windows{0};    //!< largest sum over the links of B (M3Fluid) of one of these
    };

    /** @return what the values are. */
    static const DcnTrainedRanges::Quantities& GetQuantities();
};

/**
 * @ingroup m3
 * @brief What is the same for all paths of a configuration.
 */
class M3Settings
{
  public:
    /**
     * @param network the configuration
     */
    explicit M3Settings(const DcnNetworkParameters& network);

    /**
     * @param spec of a path with this configuration
     * @param traffic of the path
     * @return what the path is like
     */
    M3Conditions Describe(const M3Spec& spec, const M3Conditions::Traffic& traffic) const;

  private:
    std::string m_congestionControl; //!< in force
    std::vector<double> m_untold;    //!< values of DcnUntoldSettings
    double m_kMinShare;              //!< ratio of DCTCP's thresholds, else absent
};

} // namespace ns3

#endif /* M3_RANGES_H */
