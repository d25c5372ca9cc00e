/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-thread-report.h"

#include <limits>

namespace ns3
{

std::string
DcnThreadReport::Describe() const
{
    std::string text = std::to_string(nThreads) + (nThreads == 1 ? " thread" : " threads");
    if (nThreads < nAsked)
    {
        text += " (" + std::to_string(nAsked) + " were asked for";
        text += (whyOne.empty() ? "" : ", but " + whyOne) + ")";
    }
    text += ", " + std::to_string(nPartitions) + (nPartitions == 1 ? " partition" : " partitions");
    if (lookaheadNs != std::numeric_limits<int64_t>::max())
    {
        text += ", windows of " + std::to_string(lookaheadNs) + " ns";
    }
    return text;
}

} // namespace ns3
