/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-feature-set.h"

#include "m3-network-features.h"

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
 * @param featureSet classes, knots and levels; the other numbers are computed
 * @param slotsPerClass outputs of a class
 * @return the feature set
 */
M3FeatureSet
Complete(M3FeatureSet featureSet, uint32_t slotsPerClass)
{
    featureSet.nClasses = static_cast<uint32_t>(featureSet.classBytes.size());
    featureSet.nSlots = slotsPerClass * featureSet.nClasses;
    featureSet.nKnots = static_cast<uint32_t>(featureSet.knots.size());
    featureSet.nOutputs = featureSet.nSlots * featureSet.nKnots;
    return featureSet;
}

/**
 * @param name default or links
 * @param version of the features
 * @param simulatesLinks whether there are also quantiles of slowdowns by link simulations
 * @return the feature set
 */
M3FeatureSet
MakeOwn(const std::string& name, uint32_t version, bool simulatesLinks)
{
    M3FeatureSet standard{};
    standard.name = name;
    standard.version = version;
    standard.simulatesLinks = simulatesLinks;
    standard.classBytes = {0, 1e3, 1e4, 5e4, 2e5, 1e6};
    standard.knots =
        {0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.87, 0.92, 0.95, 0.97, 0.98, 0.99, 0.997};
    standard.mapBytes = standard.classBytes;
    standard.mapLevels = {0.1, 0.5, 0.75, 0.9, 0.99};
    const auto nClasses = static_cast<uint32_t>(standard.mapBytes.size());
    const auto nMap = static_cast<uint32_t>(standard.mapLevels.size());
    standard.nNetwork = M3NetworkFeatures::N;
    const uint32_t nSimulated = simulatesLinks ? nClasses * nMap : 0;
    standard.nToken = nSimulated + nClasses * (nMap + 2) + 4 * nMap + 6 + standard.nNetwork;
    standard.nForeground = nSimulated + nClasses * (2 * nMap + 3) + nMap + 1 + standard.nNetwork;
    return Complete(standard, 3);
}

} // namespace

const M3FeatureSet&
M3FeatureSet::Default()
{
    static const M3FeatureSet featureSet = MakeOwn("default", 2, false);
    return featureSet;
}

const M3FeatureSet&
M3FeatureSet::Links()
{
    static const M3FeatureSet featureSet = MakeOwn("links", 1, true);
    return featureSet;
}

const M3FeatureSet&
M3FeatureSet::Published()
{
    static const M3FeatureSet featureSet = [] {
        M3FeatureSet published{};
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
        published.nNetwork = M3NetworkFeatures::N_PUBLISHED;
        published.nToken =
            static_cast<uint32_t>(published.mapBytes.size() * published.mapLevels.size()) +
            published.nNetwork;
        published.nForeground = published.nToken;
        return Complete(published, 1);
    }();
    return featureSet;
}

const M3FeatureSet&
M3FeatureSet::Get(const std::string& name)
{
    for (const M3FeatureSet* featureSet : {&Default(), &Links(), &Published()})
    {
        if (featureSet->name == name)
        {
            return *featureSet;
        }
    }
    DcnFail("the architecture of m3 is default, links or published, not \"", name, "\"");
}

uint32_t
M3FeatureSet::GetClass(uint64_t bytes) const
{
    return FindClass(classBytes, bytes);
}

uint32_t
M3FeatureSet::GetMapClass(uint64_t bytes) const
{
    return FindClass(mapBytes, bytes);
}

uint32_t
M3FeatureSet::GetSlot(uint32_t sizeClass, std::size_t nFlows) const
{
    static constexpr std::size_t MANY = 16; // fewest flows with a distribution of their own
    if (nSlots == nClasses)
    {
        return sizeClass;
    }
    return sizeClass + nClasses * (nFlows >= MANY ? 2 : nFlows > 1 ? 1 : 0);
}

std::size_t
M3FeatureSet::GetRank(double level, std::size_t nFlows) const
{
    static constexpr double ROUNDING = 1e-9; // levels such as 0.1 are not exact
    const auto n = static_cast<double>(nFlows);
    const double rank = isPublished ? std::floor((n - 1) * level + 0.5 + ROUNDING)
                                    : std::ceil(level * n - ROUNDING) - 1;
    return static_cast<std::size_t>(std::max(0.0, rank));
}

} // namespace ns3
