/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-scaler.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

M3Scaler::M3Scaler(std::size_t n)
    : m_mean(n, 0.0F),
      m_scale(n, 1.0F)
{
}

M3Scaler
M3Scaler::Fit(const std::vector<const std::vector<float>*>& rows, std::size_t n)
{
    static constexpr double LEAST_DEVIATION = 1e-6; // smaller deviations are rounding errors
    std::vector<double> sums(n, 0.0);
    std::vector<double> squares(n, 0.0);
    std::vector<double> counts(n, 0.0);
    for (const auto* row : rows)
    {
        NS_ASSERT_MSG(row->size() % n == 0, "no whole rows");
        for (std::size_t i = 0; i < row->size(); ++i)
        {
            const double value = (*row)[i];
            if (!std::isnan(value))
            {
                sums[i % n] += value;
                squares[i % n] += value * value;
                counts[i % n] += 1;
            }
        }
    }
    M3Scaler scaler(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        const double count = std::max(1.0, counts[i]);
        const double mean = sums[i] / count;
        const double deviation = std::sqrt(std::max(0.0, squares[i] / count - mean * mean));
        const bool varies = deviation > LEAST_DEVIATION * std::max(1.0, std::abs(mean));
        scaler.m_mean[i] = static_cast<float>(mean);
        scaler.m_scale[i] = varies ? static_cast<float>(1 / deviation) : 0.0F;
    }
    return scaler;
}

M3Scaler
M3Scaler::Read(const DcnModelFile& model, const std::string& name, std::size_t n)
{
    M3Scaler scaler;
    scaler.m_mean = model.Get(name + ".mean", 1, static_cast<uint32_t>(n)).values;
    scaler.m_scale = model.Get(name + ".scale", 1, static_cast<uint32_t>(n)).values;
    return scaler;
}

void
M3Scaler::Add(DcnModelFile& model, const std::string& name) const
{
    const auto n = static_cast<uint32_t>(m_mean.size());
    model.Add({name + ".mean", 1, n, m_mean});
    model.Add({name + ".scale", 1, n, m_scale});
}

void
M3Scaler::Apply(const std::vector<float>& features, std::vector<float>& scaled) const
{
    const std::size_t n = m_mean.size();
    NS_ASSERT_MSG(features.size() % n == 0, "no whole rows");
    for (std::size_t i = 0; i < features.size(); ++i)
    {
        const float value = (features[i] - m_mean[i % n]) * m_scale[i % n];
        scaled.push_back(std::isnan(features[i]) ? 0.0F : std::clamp(value, -LIMIT, LIMIT));
    }
}

} // namespace ns3
