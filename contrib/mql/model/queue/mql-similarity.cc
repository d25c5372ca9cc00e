/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-similarity.h"

#include "ns3/dcn-error.h"

#include <cmath>
#include <cstring>

namespace ns3
{

MqlSimilarityGrid::MqlSimilarityGrid(double threshold)
{
    if (!(threshold >= 0) || std::isinf(threshold))
    {
        DcnFail("the similarity threshold must be at least 0, not ", threshold);
    }
    if (threshold > 0)
    {
        m_perLog = 1 / std::log1p(threshold);
    }
}

int64_t
MqlSimilarityGrid::Bin(double value) const
{
    constexpr double ZERO = 1e-9;
    if (std::abs(value) < ZERO)
    {
        return INT64_MIN;
    }
    if (m_perLog == 0)
    {
        // The double's bits, rounded to 40 binary digits: neighbouring values have neighbouring
        // bits.
        int64_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        return (bits + (1 << 11)) >> 12;
    }
    const auto bin = static_cast<int64_t>(std::floor(std::log(std::abs(value)) * m_perLog));
    return 2 * bin + (value < 0 ? 1 : 0);
}

} // namespace ns3
