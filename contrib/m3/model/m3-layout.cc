/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-layout.h"

#include "ns3/m3-spec.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param bounds smallest sizes of some classes
 * @param bytes a size
 * @return its class
 */
uint32_t
FindClass(const std::vector<double>& bounds, uint64_t bytes)
{
    const auto above = std::upper_bound(bounds.begin(), bounds.end(), static_cast<double>(bytes));
    return static_cast<uint32_t>(above - bounds.begin()) - 1;
}

/**
 * @param layout gets the numbers that follow from others
 * @param slotsPerClass outputs of a class
 * @return the layout
 */
M3Layout
Complete(M3Layout layout, uint32_t slotsPerClass)
{
    layout.nClasses = static_cast<uint32_t>(layout.classBytes.size());
    layout.nSlots = slotsPerClass * layout.nClasses;
    layout.nKnots = static_cast<uint32_t>(layout.knots.size());
    layout.nOutputs = layout.nSlots * layout.nKnots;
    return layout;
}

} // namespace

const M3Layout&
M3Layout::Ours()
{
    static const M3Layout layout = [] {
        M3Layout ours{};
        ours.name = "default";
        ours.version = 2;
        ours.hasWindows = true;
        ours.isScaled = true;
        ours.isResidual = true;
        ours.learnsFlows = true;
        ours.classBytes = {0, 1e3, 1e4, 5e4, 2e5, 1e6};
        ours.knots = {0.02,
                      0.1,
                      0.2,
                      0.3,
                      0.4,
                      0.5,
                      0.6,
                      0.7,
                      0.8,
                      0.87,
                      0.92,
                      0.95,
                      0.97,
                      0.98,
                      0.99,
                      0.997};
        ours.mapBytes = ours.classBytes;
        ours.mapLevels = {0.1, 0.5, 0.75, 0.9, 0.99};
        const auto nClasses = static_cast<uint32_t>(ours.mapBytes.size());
        const auto nMap = static_cast<uint32_t>(ours.mapLevels.size());
        ours.nSpec = M3Spec::N;
        ours.nToken = nClasses * (nMap + 2) + 4 * nMap + 6 + ours.nSpec;
        ours.nForeground = nClasses * (2 * nMap + 3) + nMap + 1 + ours.nSpec;
        return Complete(ours, 3);
    }();
    return layout;
}

const M3Layout&
M3Layout::Published()
{
    static const M3Layout layout = [] {
        M3Layout published{};
        published.name = "published";
        published.version = 1;
        published.isPublished = true;
        published.classBytes = {0, 1e3, 1e4, 5e4};
        published.mapBytes = {0, 250, 500, 750, 1e3, 2e3, 5e3, 7.5e3, 1e4, 5e4};
        for (int percentile = 1; percentile <= 100; ++percentile)
        {
            published.knots.push_back(percentile / 100.0);
        }
        published.mapLevels = published.knots;
        published.nSpec = M3Spec::N_PUBLISHED;
        published.nToken =
            static_cast<uint32_t>(published.mapBytes.size() * published.mapLevels.size()) +
            published.nSpec;
        published.nForeground = published.nToken;
        published.nAbsent = static_cast<uint32_t>(published.mapLevels.size());
        return Complete(published, 1);
    }();
    return layout;
}

const M3Layout&
M3Layout::Get(const std::string& name)
{
    for (const M3Layout* layout : {&Ours(), &Published()})
    {
        if (layout->name == name)
        {
            return *layout;
        }
    }
    DcnFail("the features of m3 are default or published, not \"", name, "\"");
}

uint32_t
M3Layout::GetClass(uint64_t bytes) const
{
    return FindClass(classBytes, bytes);
}

uint32_t
M3Layout::GetMapClass(uint64_t bytes) const
{
    return FindClass(mapBytes, bytes);
}

uint32_t
M3Layout::GetSlot(uint32_t sizeClass, std::size_t nFlows) const
{
    static constexpr std::size_t MANY = 16; // flows that are a distribution of their own
    if (nSlots == nClasses)
    {
        return sizeClass;
    }
    return sizeClass + nClasses * (nFlows >= MANY ? 2 : nFlows > 1 ? 1 : 0);
}

std::size_t
M3Layout::GetRank(double level, std::size_t nFlows) const
{
    static constexpr double ROUNDING = 1e-9; // levels are no binary fractions
    const auto n = static_cast<double>(nFlows);
    const double rank = isPublished ? std::floor((n - 1) * level + 0.5 + ROUNDING)
                                    : std::ceil(level * n - ROUNDING) - 1;
    return static_cast<std::size_t>(std::max(0.0, rank));
}

} // namespace ns3
