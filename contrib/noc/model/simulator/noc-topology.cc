/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-topology.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocTopology");

namespace
{

constexpr uint32_t MOST_NODES = 1024; //!< of a topology
constexpr uint32_t MOST_LINES = 32;   //!< rows, columns

/// Refuses a number that is out of its range.
void
CheckNumber(const char* what, uint32_t value, uint32_t least, uint32_t most)
{
    if (value < least || value > most)
    {
        DcnFail("the number of ", what, " must be from ", least, " to ", most, ", but it is ", value);
    }
}

/// Refuses rows and columns that make no mesh.
void
CheckMesh(uint32_t rows, uint32_t columns)
{
    CheckNumber("rows", rows, 1, MOST_LINES);
    CheckNumber("columns", columns, 1, MOST_LINES);
    if (rows * columns < 2)
    {
        DcnFail("a network on chip needs two nodes, but it has one row and one column");
    }
}

/**
 * @param first number of the first node
 * @param step to the number of the next one
 * @param n number of nodes
 * @return the nodes
 */
std::vector<uint32_t>
MakeLine(uint32_t first, uint32_t step, uint32_t n)
{
    std::vector<uint32_t> line(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        line[i] = first + i * step;
    }
    return line;
}

} // namespace

void
NocTopology::AddLoop(const std::vector<uint32_t>& nodes)
{
    if (m_first.empty())
    {
        m_first.push_back(0);
    }
    m_nodes.insert(m_nodes.end(), nodes.begin(), nodes.end());
    m_loops.insert(m_loops.end(), nodes.size(), static_cast<uint32_t>(m_first.size() - 1));
    m_first.push_back(static_cast<uint32_t>(m_nodes.size()));
}

void
NocTopology::AddHalfRing(const std::vector<uint32_t>& line)
{
    if (line.size() < 2)
    {
        return;
    }
    std::vector<uint32_t> nodes(line);
    nodes.insert(nodes.end(), line.rbegin() + 1, line.rend() - 1);
    AddLoop(nodes);
}

void
NocTopology::MakeDirectLegs()
{
    m_legs.assign(static_cast<std::size_t>(m_nNodes) * m_nNodes, Leg());
    for (uint32_t lane = 0; lane < GetNLanes(); ++lane)
    {
        uint32_t next = GetNext(lane);
        for (uint32_t hops = 1; hops <= GetRound(lane); ++hops, next = GetNext(next))
        {
            if (GetNode(next) == GetNode(lane) && next != lane)
            {
                continue; // no ride back to the node of the start, but for a whole round
            }
            Leg& leg = m_legs[static_cast<std::size_t>(GetNode(lane)) * m_nNodes + GetNode(next)];
            if (leg.lane == NONE || hops < leg.hops)
            {
                leg = {lane, GetNode(next), hops};
            }
        }
    }
}

void
NocTopology::MakeColumnFirstLegs()
{
    MakeDirectLegs();
    for (uint32_t node = 0; node < m_nNodes; ++node)
    {
        for (uint32_t destination = 0; destination < m_nNodes; ++destination)
        {
            Leg& leg = m_legs[static_cast<std::size_t>(node) * m_nNodes + destination];
            const uint32_t column = node % m_nColumns;
            if (node == destination)
            {
                leg = Leg();
            }
            else if (destination / m_nColumns != node / m_nColumns &&
                     destination % m_nColumns != column)
            {
                leg = GetLeg(node, destination / m_nColumns * m_nColumns + column);
            }
        }
    }
}

void
NocTopology::MakeQuickestLegs()
{
    constexpr uint32_t FAR = std::numeric_limits<uint32_t>::max();
    m_legs.assign(static_cast<std::size_t>(m_nNodes) * m_nNodes, Leg());
    // lanes that lead to a lane in one cycle, and the lanes of each node
    std::vector<uint32_t> previous(GetNLanes());
    std::vector<std::vector<uint32_t>> lanes(m_nNodes);
    for (uint32_t lane = 0; lane < GetNLanes(); ++lane)
    {
        previous[GetNext(lane)] = lane;
        lanes[GetNode(lane)].push_back(lane);
    }
    for (uint32_t destination = 0; destination < m_nNodes; ++destination)
    {
        // backwards from the destination: cost[lane] is the time from injection at the lane;
        // following the slot costs a hop, and leaving it for another lane of the node a cycle
        std::vector<uint32_t> cost(GetNLanes(), FAR);
        std::vector<Leg> ride(GetNLanes());
        std::vector<uint32_t> reached(m_nNodes, FAR); // least cost of the lanes of a node
        using Item = std::pair<uint32_t, uint32_t>;
        std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
        auto offer = [&](uint32_t lane, uint32_t value, const Leg& leg) {
            if (value < cost[lane])
            {
                cost[lane] = value;
                ride[lane] = leg;
                queue.emplace(value, lane);
            }
        };
        for (uint32_t lane : lanes[destination])
        {
            const uint32_t before = previous[lane];
            if (GetNode(before) != destination)
            {
                offer(before, 1, {before, destination, 1});
            }
        }
        while (!queue.empty())
        {
            const auto [value, lane] = queue.top();
            queue.pop();
            if (value > cost[lane])
            {
                continue;
            }
            const uint32_t node = GetNode(lane);
            const uint32_t before = previous[lane];
            // a ride that began a hop earlier, on the same slot
            if (GetNode(before) != destination && GetNode(before) != ride[lane].exit)
            {
                offer(before, value + 1, {before, ride[lane].exit, ride[lane].hops + 1});
            }
            if (reached[node] != FAR)
            {
                continue;
            }
            reached[node] = value;
            m_legs[static_cast<std::size_t>(node) * m_nNodes + destination] = ride[lane];
            for (uint32_t other : lanes[node])
            {
                // a ride that ends at this node, where the packet turns
                const uint32_t last = previous[other];
                if (GetNode(last) != destination && GetNode(last) != node)
                {
                    offer(last, value + 2, {last, node, 1});
                }
            }
        }
    }
}

NocTopology
NocTopology::Mesh(uint32_t rows, uint32_t columns)
{
    CheckMesh(rows, columns);
    NocTopology mesh;
    mesh.m_nNodes = rows * columns;
    mesh.m_nRows = rows;
    mesh.m_nColumns = columns;
    for (uint32_t row = 0; row < rows; ++row)
    {
        mesh.AddHalfRing(MakeLine(row * columns, 1, columns));
    }
    for (uint32_t column = 0; column < columns; ++column)
    {
        mesh.AddHalfRing(MakeLine(column, columns, rows));
    }
    mesh.MakeColumnFirstLegs();
    return mesh;
}

NocTopology
NocTopology::Torus(uint32_t rows, uint32_t columns)
{
    CheckMesh(rows, columns);
    NocTopology torus;
    torus.m_nNodes = rows * columns;
    torus.m_nRows = rows;
    torus.m_nColumns = columns;
    auto add = [&torus](const std::vector<uint32_t>& line) {
        if (line.size() > 2)
        {
            torus.AddLoop(line);
            torus.AddLoop({line.rbegin(), line.rend()});
        }
        else
        {
            torus.AddHalfRing(line);
        }
    };
    for (uint32_t row = 0; row < rows; ++row)
    {
        add(MakeLine(row * columns, 1, columns));
    }
    for (uint32_t column = 0; column < columns; ++column)
    {
        add(MakeLine(column, columns, rows));
    }
    torus.MakeColumnFirstLegs();
    return torus;
}

NocTopology
NocTopology::Ring(uint32_t n)
{
    CheckNumber("nodes of a ring", n, 1, MOST_NODES);
    NocTopology ring;
    ring.m_nNodes = n;
    ring.AddLoop(MakeLine(0, 1, n));
    ring.MakeDirectLegs();
    return ring;
}

NocTopology
NocTopology::HalfRing(uint32_t n)
{
    CheckNumber("nodes of a half ring", n, 2, MOST_NODES);
    NocTopology line;
    line.m_nNodes = n;
    line.AddHalfRing(MakeLine(0, 1, n));
    line.MakeDirectLegs();
    for (uint32_t node = 0; node < n; ++node)
    {
        line.m_legs[static_cast<std::size_t>(node) * n + node] = Leg();
    }
    return line;
}

NocTopology
NocTopology::FromLinks(uint32_t n, const std::vector<std::pair<uint32_t, uint32_t>>& links)
{
    CheckNumber("nodes", n, 2, MOST_NODES);
    std::set<std::pair<uint32_t, uint32_t>> known;
    std::vector<std::vector<uint32_t>> neighbours(n); // in the order of the links
    for (const auto& [a, b] : links)
    {
        if (a >= n || b >= n)
        {
            DcnFail("a link joins the nodes ", a, " and ", b, ", but there are only ", n, " nodes");
        }
        if (a == b)
        {
            DcnFail("a link joins node ", a, " with itself");
        }
        if (!known.insert({std::min(a, b), std::max(a, b)}).second)
        {
            DcnFail("the nodes ", a, " and ", b, " are joined by two links");
        }
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    // where a slot goes that came to a node from a neighbour
    auto onward = [&neighbours](uint32_t from, uint32_t node) {
        const auto& list = neighbours[node];
        const auto place =
            static_cast<std::size_t>(std::find(list.begin(), list.end(), from) - list.begin());
        const std::size_t partner = place ^ 1U;
        return partner < list.size() ? list[partner] : from;
    };
    NocTopology graph;
    graph.m_nNodes = n;
    std::set<std::pair<uint32_t, uint32_t>> used;
    for (uint32_t node = 0; node < n; ++node)
    {
        for (uint32_t neighbour : neighbours[node])
        {
            std::vector<uint32_t> loop;
            uint32_t from = node;
            uint32_t to = neighbour;
            while (used.insert({from, to}).second)
            {
                loop.push_back(from);
                const uint32_t next = onward(from, to);
                from = to;
                to = next;
            }
            if (!loop.empty())
            {
                graph.AddLoop(loop);
            }
        }
    }
    if (!links.empty())
    {
        graph.MakeQuickestLegs();
    }
    for (uint32_t node = 1; node < n; ++node)
    {
        if (links.empty() || graph.GetLeg(0, node).lane == NONE)
        {
            DcnFail("node ", node, " is not connected with node 0");
        }
    }
    NS_LOG_INFO(n << " nodes, " << links.size() << " links: " << graph.GetNLoops() << " loops");
    return graph;
}

std::vector<NocTopology::Leg>
NocTopology::GetRoute(uint32_t source, uint32_t destination) const
{
    std::vector<Leg> route;
    uint32_t node = source;
    do
    {
        route.push_back(GetLeg(node, destination));
        NS_ASSERT_MSG(route.back().lane != NONE, "no way from " << node << " to " << destination);
        node = route.back().exit;
    } while (node != destination);
    return route;
}

uint32_t
NocTopology::GetZeroLoadLatency(uint32_t source, uint32_t destination) const
{
    const auto route = GetRoute(source, destination);
    auto cycles = static_cast<uint32_t>(route.size() - 1);
    for (const Leg& leg : route)
    {
        cycles += leg.hops;
    }
    return cycles;
}

std::string
NocTopology::GetLaneName(uint32_t lane) const
{
    return std::to_string(GetNode(lane)) + " to " + std::to_string(GetNode(GetNext(lane)));
}

} // namespace ns3
