/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-selection.h"

#include "dcn-path-pre-estimate.h"

#include "ns3/assert.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-statistics.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPathSelection");

namespace
{

/// @return number of draws by path
std::vector<DcnDrawnPath>
DrawWithReplacement(const DcnPathIndex& pathIndex, uint64_t n, UniformRandomVariable& uniform)
{
    // A uniformly drawn flow picks its path with probability in proportion to F(p).
    const std::size_t nFlows = pathIndex.GetScenario().GetFlows().size();
    std::vector<uint32_t> picks;
    for (uint64_t i = 0; i < n; ++i)
    {
        const auto flow =
            static_cast<std::size_t>(uniform.GetValue() * static_cast<double>(nFlows));
        picks.push_back(pathIndex.GetPathOf(std::min(flow, nFlows - 1)));
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
                           static_cast<double>(pathIndex.GetForeground(each.path).size()));
    }
    return drawn;
}

/// @return all paths, ordered by number of links, then by links
std::vector<uint32_t>
OrderPaths(const DcnPathIndex& pathIndex)
{
    std::vector<uint32_t> row(pathIndex.GetNPaths());
    std::iota(row.begin(), row.end(), 0);
    std::sort(row.begin(), row.end(), [&pathIndex](uint32_t a, uint32_t b) {
        const DcnPath left = pathIndex.GetLinks(a);
        const DcnPath right = pathIndex.GetLinks(b);
        if (left.size() != right.size())
        {
            return left.size() < right.size();
        }
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    return row;
}

/// @return the paths drawn
std::vector<DcnDrawnPath>
DrawSystematically(const DcnPathIndex& pathIndex, uint64_t n, UniformRandomVariable& uniform)
{
    std::vector<uint32_t> row = OrderPaths(pathIndex);
    std::vector<DcnDrawnPath> drawn;
    auto flowsOf = [&pathIndex](uint32_t path) { return pathIndex.GetForeground(path).size(); };
    uint64_t left = pathIndex.GetScenario().GetFlows().size(); // N'
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
        // each had at least left / n flows, so that at most n were taken
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
DcnDrawPaths(const DcnPathIndex& pathIndex, uint64_t n, DcnPathSampling sampling, uint64_t seed)
{
    NS_ASSERT_MSG(n > 0, "at least one path is drawn");
    Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(uniform, DcnPurpose::PATH_SAMPLING);
    return sampling == DcnPathSampling::REPLACEMENT ? DrawWithReplacement(pathIndex, n, *uniform)
                                                    : DrawSystematically(pathIndex, n, *uniform);
}

namespace
{

constexpr uint64_t LARGE_BYTES = 1'000'000; //!< larger flows are a class of their own

/// @return number of its size class; the class of all flows does not count, and that of the
/// largest flows is two classes
uint32_t
ClassOf(uint64_t sizeBytes)
{
    const auto& classes = DcnSizeClasses();
    if (sizeBytes >= LARGE_BYTES)
    {
        return static_cast<uint32_t>(classes.size());
    }
    for (uint32_t i = 1; i < classes.size(); ++i)
    {
        if (classes[i].Contains(static_cast<double>(sizeBytes)))
        {
            return i;
        }
    }
    return 0;
}

/**
 * Find c of q_i = min(1, c / u_i) with sum q_i = n.
 * @param u u_i, any order, positive
 * @param n sum of the q_i, less than their number
 * @return c
 */
double
FindScale(std::vector<double> u, double n)
{
    // the k smallest have q = 1, and the others n - k together
    std::sort(u.begin(), u.end());
    double sum = 0;
    for (double each : u)
    {
        sum += 1 / each;
    }
    double c = 0;
    for (std::size_t k = 0; k < u.size(); ++k)
    {
        c = (n - static_cast<double>(k)) / sum;
        if (c <= u[k])
        {
            break;
        }
        sum -= 1 / u[k];
    }
    return c;
}

} // namespace

std::vector<DcnDrawnFlow>
DcnDrawFlows(const DcnScenario& scenario,
             const DcnPathPreEstimate& preEstimate,
             uint64_t n,
             uint64_t seed)
{
    static constexpr double LEAST_SHARE = 0.01; // U
    static constexpr double STEEPNESS = 1.5;    // k
    static constexpr double UNIT_COST_NS = 1e6; // t
    const auto& flows = scenario.GetFlows();
    std::vector<DcnDrawnFlow> drawn;
    if (n >= flows.size())
    {
        for (uint32_t flow = 0; flow < flows.size(); ++flow)
        {
            drawn.push_back({flow, 1});
        }
        return drawn;
    }
    std::vector<std::pair<uint32_t, uint32_t>> row; // class and flow
    std::vector<std::size_t> nOfClass(DcnSizeClasses().size() + 1, 0);
    for (uint32_t flow = 0; flow < flows.size(); ++flow)
    {
        row.emplace_back(ClassOf(flows[flow].sizeBytes), flow);
        ++nOfClass[row.back().first];
    }
    std::sort(row.begin(), row.end(), [&](const auto& a, const auto& b) {
        const double left = -preEstimate.GetScore(a.second);
        const double right = -preEstimate.GetScore(b.second);
        return std::tie(a.first, left, a.second) < std::tie(b.first, right, b.second);
    });
    std::vector<double> shares;
    std::size_t before = 0; // flows of the same class so far
    for (std::size_t i = 0; i < row.size(); ++i)
    {
        before = i > 0 && row[i].first == row[i - 1].first ? before + 1 : 0;
        const uint32_t flow = row[i].second;
        const double share =
            static_cast<double>(before) / static_cast<double>(nOfClass[row[i].first]);
        const auto lastsNs = static_cast<double>(preEstimate.GetEndNs(flow) - flows[flow].startNs);
        // the reciprocal of the weight of the probability
        shares.push_back(std::pow(share + LEAST_SHARE, STEEPNESS) *
                         std::sqrt(1 + lastsNs / UNIT_COST_NS));
    }
    const double scale = FindScale(shares, static_cast<double>(n));
    Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(uniform, DcnPurpose::PATH_SAMPLING, 1);
    double point = uniform->GetValue();
    double end = 0;
    for (std::size_t i = 0; i < row.size(); ++i)
    {
        const double probability = std::min(1.0, scale / shares[i]);
        end += probability;
        if (point < end)
        {
            drawn.push_back({row[i].second, 1 / probability});
            point += 1;
        }
    }
    NS_LOG_INFO("drew " << drawn.size() << " of " << flows.size() << " flows");
    std::sort(drawn.begin(), drawn.end(), [](const DcnDrawnFlow& a, const DcnDrawnFlow& b) {
        return a.flow < b.flow;
    });
    return drawn;
}

} // namespace ns3
