/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SLOWDOWN_QUERY_H
#define DCN_SLOWDOWN_QUERY_H

#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Asks a method for a quantile of the slowdown of the flows that meet all conditions.
 */
struct DcnSlowdownQuery
{
    double p{0.99};                     //!< level of the quantile, in (0, 1)
    uint64_t smallestBytes{1};          //!< smallest size, inclusive [bytes]
    uint64_t largestBytes{~0ULL};       //!< largest size, inclusive [bytes]
    std::vector<uint32_t> sources;      //!< node indices of hosts that send; empty: all
    std::vector<uint32_t> destinations; //!< node indices of hosts that receive; empty: all
    std::optional<uint32_t> link;       //!< directed link that the flows cross

    /**
     * @param sizeClass a class of sizes
     * @return a query for its flows
     */
    static DcnSlowdownQuery OfClass(const DcnSizeClass& sizeClass);

    /**
     * @brief Ask for traffic between racks.
     * @param topology the network
     * @param from rack number of the senders
     * @param to rack number of the receivers
     * @return this object
     * @throws DcnError if there is no such rack
     */
    DcnSlowdownQuery& BetweenRacks(const DcnTopology& topology, uint32_t from, uint32_t to);
};

/**
 * @ingroup dcn
 * @brief A quantile of slowdowns with its confidence limits.
 */
struct DcnSlowdownQuantile
{
    double p{0};         //!< its level
    double value{0};     //!< the quantile
    double lower{0};     //!< lower confidence limit
    double upper{0};     //!< upper confidence limit
    uint64_t n{0};       //!< number of values, or of drawn paths, that it rests on
    bool isWhole{false}; //!< nothing was drawn: all flows or paths in question are in it

    /** @return false if the limits have no width. */
    bool HasLimits() const
    {
        return lower < upper;
    }

    /**
     * @return the limits as text, " (3.1 to 3.9)"; where they have no width, the reason: " (all
     * paths drawn)" or " (the same by other draws)"
     */
    std::string DescribeLimits() const;
};

} // namespace ns3

#endif /* DCN_SLOWDOWN_QUERY_H */
