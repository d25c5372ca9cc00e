/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-selection.h"

#include "ns3/assert.h"
#include "ns3/dcn-random.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/**
 * @param census the paths
 * @param n draws
 * @param uniform what to draw from
 * @return number of draws by path
 */
std::vector<DcnDrawnPath>
DrawWithReplacement(const DcnPathCensus& census, uint64_t n, UniformRandomVariable& uniform)
{
    // A flow drawn with equal probabilities picks its path in proportion to its flows.
    const std::size_t nFlows = census.GetScenario().GetFlows().size();
    std::vector<uint32_t> picks;
    for (uint64_t i = 0; i < n; ++i)
    {
        const auto flow = static_cast<std::size_t>(uniform.GetValue() * static_cast<double>(nFlows));
        picks.push_back(census.GetPathOf(std::min(flow, nFlows - 1)));
    }
    std::sort(picks.begin(), picks.end());
    std::vector<DcnDrawnPath> drawn;
    for (uint32_t path : picks)
    {
        if (drawn.empty() || drawn.back().path != path)
        {
            drawn.push_back({path, 0, 0});
        }
        ++drawn.back().multiplicity;
    }
    for (DcnDrawnPath& each : drawn)
    {
        each.flowWeight = each.multiplicity * static_cast<double>(nFlows) /
                          (static_cast<double>(n) *
                           static_cast<double>(census.GetForeground(each.path).size()));
    }
    return drawn;
}

/**
 * @param census the paths
 * @return all paths, ordered by number of links, then by links
 */
std::vector<uint32_t>
OrderPaths(const DcnPathCensus& census)
{
    std::vector<uint32_t> row(census.GetNPaths());
    std::iota(row.begin(), row.end(), 0);
    std::sort(row.begin(), row.end(), [&census](uint32_t a, uint32_t b) {
        const DcnPath left = census.GetLinks(a);
        const DcnPath right = census.GetLinks(b);
        if (left.size() != right.size())
        {
            return left.size() < right.size();
        }
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    return row;
}

/**
 * @param census the paths
 * @param n draws
 * @param uniform what to draw from
 * @return the paths drawn
 */
std::vector<DcnDrawnPath>
DrawSystematically(const DcnPathCensus& census, uint64_t n, UniformRandomVariable& uniform)
{
    std::vector<uint32_t> row = OrderPaths(census);
    std::vector<DcnDrawnPath> drawn;
    auto flowsOf = [&census](uint32_t path) { return census.GetForeground(path).size(); };
    uint64_t left = census.GetScenario().GetFlows().size(); // N'
    while (n > 0 && !row.empty())
    {
        std::vector<uint32_t> rest;
        uint64_t taken = 0;
        const std::size_t before = drawn.size();
        for (uint32_t path : row)
        {
            if (n * flowsOf(path) >= left)
            {
                drawn.push_back({path, 1, 1});
                taken += flowsOf(path);
            }
            else
            {
                rest.push_back(path);
            }
        }
        row.swap(rest);
        left -= taken;
        if (drawn.size() == before)
        {
            break;
        }
        // each took at least left / n, so that no more than n can have been taken
        n -= drawn.size() - before;
    }
    if (!row.empty() && n > 0)
    {
        const double spacing = static_cast<double>(left) / static_cast<double>(n);
        double point = uniform.GetValue() * spacing;
        double begin = 0;
        for (uint32_t path : row)
        {
            const double end = begin + static_cast<double>(flowsOf(path));
            if (point < end)
            {
                drawn.push_back({path, 1, spacing / static_cast<double>(flowsOf(path))});
                point += spacing;
            }
            begin = end;
        }
    }
    std::sort(drawn.begin(), drawn.end(), [](const DcnDrawnPath& a, const DcnDrawnPath& b) {
        return a.path < b.path;
    });
    return drawn;
}

} // namespace

std::vector<DcnDrawnPath>
DcnDrawPaths(const DcnPathCensus& census, uint64_t n, DcnPathSampling sampling, uint64_t seed)
{
    NS_ASSERT_MSG(n > 0, "at least one path is drawn");
    Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(uniform, DcnPurpose::PATH_SAMPLING);
    return sampling == DcnPathSampling::REPLACEMENT ? DrawWithReplacement(census, n, *uniform)
                                                    : DrawSystematically(census, n, *uniform);
}

} // namespace ns3
