/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-sink-features.h"

#include <algorithm>

namespace ns3
{

NocSinkFeatures::NocSinkFeatures(double alpha)
    : m_alpha(alpha)
{
}

void
NocSinkFeatures::Gap::Add(uint32_t cycle, double alpha)
{
    if (isKnown)
    {
        const double gap = cycle - last;
        mean = hasMean ? alpha * gap + (1 - alpha) * mean : gap;
        square = hasMean ? alpha * gap * gap + (1 - alpha) * square : gap * gap;
        hasMean = true;
    }
    isKnown = true;
    last = cycle;
}

double
NocSinkFeatures::Gap::GetRate() const
{
    // attempts of one cycle have gaps of 0
    return hasMean ? 1 / std::max(mean, 0.25) : 0;
}

double
NocSinkFeatures::Gap::GetC2() const
{
    return hasMean && mean > 0 ? std::max(0.0, square / (mean * mean) - 1) : 0;
}

void
NocSinkFeatures::Attempt(uint32_t cycle, bool isAccepted, uint32_t occupancy)
{
    m_all.Add(cycle, m_alpha);
    (isAccepted ? m_accepted : m_deflected).Add(cycle, m_alpha);
    m_full = m_alpha * (isAccepted ? 0 : 1) + (1 - m_alpha) * m_full;
    m_occupancy = m_alpha * occupancy + (1 - m_alpha) * m_occupancy;
    const bool isRecent = m_deflected.isKnown && cycle - m_deflected.last <= FORGET;
    m_values[0] = m_accepted.GetRate();
    m_values[1] = m_all.GetRate();
    m_values[2] = isRecent ? m_deflected.GetRate() : 0;
    m_values[3] = m_accepted.GetC2();
    m_values[4] = m_all.GetC2();
    m_values[5] = isRecent ? m_deflected.GetC2() : 0;
    m_values[6] = m_departures.mean;
    m_values[7] = m_departures.GetC2();
    m_values[8] = m_occupancy;
    m_values[9] = m_full;
    m_samples = std::min(m_samples + 1, 5U);
    const uint32_t of[] = {0, 1, 8, 9};
    for (uint32_t i = 0; i < 4; ++i)
    {
        auto& f = m_history[i];
        std::rotate(f.begin(), f.end() - 1, f.end());
        f[0] = m_values[of[i]];
        m_values[10 + i] =
            m_samples < 5 ? 0 : (25 * f[0] - 48 * f[1] + 36 * f[2] - 16 * f[3] + 3 * f[4]) / 12;
    }
}

void
NocSinkFeatures::Depart(uint32_t cycle, uint32_t occupancy)
{
    m_departures.Add(cycle, m_alpha);
    // a sink that empties is seen although nothing comes
    m_occupancy = m_alpha * occupancy + (1 - m_alpha) * m_occupancy;
    m_values[6] = m_departures.mean;
    m_values[7] = m_departures.GetC2();
    m_values[8] = m_occupancy;
}

const std::vector<std::string>&
NocSinkFeatures::GetNames()
{
    static const std::vector<std::string> names{"accepted rate",
                                                "total rate",
                                                "deflected rate",
                                                "accepted gap C2",
                                                "total gap C2",
                                                "deflected gap C2",
                                                "departure gap",
                                                "departure gap C2",
                                                "occupancy",
                                                "full share",
                                                "accepted rate gradient",
                                                "total rate gradient",
                                                "occupancy gradient",
                                                "full share gradient"};
    return names;
}

} // namespace ns3
