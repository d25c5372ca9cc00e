/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-slowdown-query.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ns3
{

DcnSlowdownQuery
DcnSlowdownQuery::OfClass(const DcnSizeClass& sizeClass)
{
    DcnSlowdownQuery query;
    query.smallestBytes = std::max<uint64_t>(1, std::llround(std::ceil(sizeClass.lowerBytes)));
    if (std::isfinite(sizeClass.upperBytes))
    {
        query.largestBytes = static_cast<uint64_t>(std::ceil(sizeClass.upperBytes)) - 1;
    }
    return query;
}

DcnSlowdownQuery&
DcnSlowdownQuery::BetweenRacks(const DcnTopology& topology, uint32_t from, uint32_t to)
{
    for (uint32_t rack : {from, to})
    {
        if (rack >= topology.GetNRacks())
        {
            DcnFail("there is no rack ", rack, "; the network has ", topology.GetNRacks());
        }
    }
    sources = topology.GetRackHosts(from);
    destinations = topology.GetRackHosts(to);
    return *this;
}

std::string
DcnSlowdownQuantile::DescribeLimits() const
{
    if (!HasLimits())
    {
        return isWhole ? " (all paths drawn)" : " (the same by other draws)";
    }
    char text[64];
    std::snprintf(text, sizeof(text), " (%.3f to %.3f)", lower, upper);
    return text;
}

} // namespace ns3
