/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/solver/flowsim-bottleneck-graph.h"
#include "../model/solver/flowsim-link-loads.h"
#include "dcn-test-case.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

using LinkId = FlowsimLinkTable::LinkId;

constexpr uint32_t NONE = FlowsimLinkTable::NONE;       //!< no link
constexpr double INFINITE = FlowsimLinkTable::INFINITE; //!< no level

/// A graph into which a test looks.
class Graph : public FlowsimBottleneckGraph
{
  public:
    using FlowsimBottleneckGraph::FlowsimBottleneckGraph;

    /// @return the crossing
    const Crossing& GetCrossing(CrossingId id) const
    {
        return m_crossings[id];
    }
};

/**
 * Path groups b of weight q_b on paths P_b, each in the class k_b of a link of its path, through
 * random changes of weights, classes and levels. Whatever happens, with n_{k,l} the sum of q_b over
 * k_b = k and l in P_b,
 *
 *     weight of the class of l = n_{l,l},   weight of the share of k on l = n_{k,l}, no share if 0,
 *     load of l = sum over k != l of n_{k,l} B_{k,l},
 *     B_{k,l} = s_k on exact links, >= s_k on relaxed ones, the cap on those of caps,
 *
 * up to the bound of the rounding error that the link has. A link has a level if n_{l,l} > 0. Links
 * that have been settled are exact or within their capacity. The level that fills a link solves
 * n_{l,l} y + sum over k != l of n_{k,l} min(B_{k,l}, y) = C_l.
 */
class GraphTestCase : public TestCase
{
  public:
    GraphTestCase()
        : TestCase("weights and loads against sums over path groups")
    {
    }

  private:
    static constexpr uint32_t N_LINKS = 10; //!< links of the network

    /// What a path group is to have.
    struct Expected
    {
        std::vector<uint32_t> path; //!< numbers of links
        double cap;                 //!< level of its virtual link, or INFINITE
        int64_t quanta;             //!< weight
    };

    /// @return the ids of the links of a path group, the virtual one included
    std::vector<LinkId> GetLinks(uint32_t group) const
    {
        const auto& record = m_graph->GetPathGroups().Get(group);
        std::vector<LinkId> links;
        for (uint32_t hop = record.hops; hop < record.hops + record.nHops; ++hop)
        {
            links.push_back(m_graph->GetPathGroups().GetHop(hop).link);
        }
        return links;
    }

    /// Path groups have the paths, weights and classes that they should; sums them up by link.
    void CheckPathGroups()
    {
        m_weights.assign(m_graph->GetNIds(), {});
        for (const auto& [group, expected] : m_expected)
        {
            const auto& record = m_graph->GetPathGroups().Get(group);
            NS_TEST_ASSERT_MSG_EQ(record.quanta, expected.quanta, "weight of a path group");
            const auto links = GetLinks(group);
            const bool isOnPath = std::find(links.begin(), links.end(), record.cls) != links.end();
            NS_TEST_ASSERT_MSG_EQ(isOnPath, true, "the class is one of the path");
            NS_TEST_ASSERT_MSG_EQ(links.size(),
                                  expected.path.size() + (expected.cap < INFINITE ? 1 : 0),
                                  "hops");
            for (std::size_t i = 0; i < links.size(); ++i)
            {
                const auto& link = m_graph->GetLink(links[i]);
                const bool isSame = i < expected.path.size() ? link.number == expected.path[i]
                                                             : link.level == expected.cap;
                NS_TEST_EXPECT_MSG_EQ(isSame, true, "hop " << i);
                m_weights[links[i]][record.cls] += record.quanta;
            }
        }
    }

    /// The path groups of a list of hops have a weight, and their class is that of the list.
    void CheckMembers(uint32_t head, LinkId link, LinkId cls, int64_t quanta)
    {
        int64_t sum = 0;
        for (uint32_t h = head; h != NONE; h = m_graph->GetPathGroups().GetHop(h).next)
        {
            const auto& hop = m_graph->GetPathGroups().GetHop(h);
            const auto& record = m_graph->GetPathGroups().Get(hop.group);
            NS_TEST_EXPECT_MSG_EQ((hop.link == link && record.cls == cls), true, "member");
            sum += record.quanta;
        }
        NS_TEST_EXPECT_MSG_EQ(sum, quanta, "weight of the members");
    }

    /// Links have what the sums say.
    void CheckLinks()
    {
        for (LinkId id = 0; id < m_graph->GetNIds(); ++id)
        {
            const auto& link = m_graph->GetLink(id);
            auto weights = m_weights[id];
            const int64_t own = weights[id];
            weights.erase(id);
            NS_TEST_EXPECT_MSG_EQ(link.quanta, own, "weight of the class of " << id);
            CheckMembers(link.members, id, id, own);
            if (!link.isVirtual)
            {
                NS_TEST_EXPECT_MSG_EQ(std::isfinite(link.level), (own > 0), "level of " << id);
                NS_TEST_EXPECT_MSG_EQ((link.exact || own == 0), true, "mode of " << id);
            }
            NS_TEST_ASSERT_MSG_EQ(link.shares.size(), weights.size(), "classes on " << id);
            double load = 0;
            for (const auto& share : link.shares)
            {
                NS_TEST_EXPECT_MSG_EQ(share.quanta, weights[share.cls], "weight on " << id);
                const double level = m_graph->GetLink(share.cls).level;
                const bool isRight = link.isVirtual ? share.bound == link.level
                                     : link.exact   ? share.bound == level
                                                    : share.bound >= level;
                NS_TEST_EXPECT_MSG_EQ(isRight, true, "bound " << share.bound << " on " << id);
                load += static_cast<double>(share.quanta) * share.bound;
                CheckMembers(m_graph->GetCrossing(share.crossing).members,
                             id,
                             share.cls,
                             share.quanta);
            }
            if (!link.isVirtual)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(link.load,
                                          load,
                                          link.error + 1e-14 * load,
                                          "load of " << id);
            }
        }
    }

    /// The level that fills a link does.
    void CheckFill(LinkId id)
    {
        const auto& link = m_graph->GetLink(id);
        if (!link.exact || (link.quanta == 0 && link.load <= link.capacity))
        {
            return;
        }
        const double level = m_graph->GetFillLevel(id);
        double sum = static_cast<double>(link.quanta) * level;
        for (const auto& share : link.shares)
        {
            sum += static_cast<double>(share.quanta) * std::min(share.bound, level);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / link.capacity, 1, 1e-12, "filled");
        ++m_nFilled;
    }

    /// Gives a flow to a path group, or takes one.
    void ChangeWeight()
    {
        if (m_random->GetInteger(0, 40) >= m_expected.size())
        {
            std::vector<uint32_t> path;
            for (uint32_t n = m_random->GetInteger(1, 4); path.size() < n;)
            {
                const uint32_t link = m_random->GetInteger(0, N_LINKS - 1);
                if (std::find(path.begin(), path.end(), link) == path.end())
                {
                    path.push_back(link);
                }
            }
            const int64_t quanta = m_random->GetInteger(1, 3);
            const double cap = m_random->GetInteger(0, 2) == 0 ? 3e7 * quanta : INFINITE;
            const uint32_t group =
                m_graph->GetPathGroup(path.data(), static_cast<uint32_t>(path.size()), cap, quanta);
            const auto known = m_expected.find(group);
            if (known != m_expected.end())
            {
                NS_TEST_EXPECT_MSG_EQ((known->second.path == path), true, "the path's path group");
                m_graph->AddQuanta(group, quanta);
                known->second.quanta += quanta;
            }
            else
            {
                m_graph->Enter(group, quanta);
                m_expected[group] = {path, cap / static_cast<double>(quanta), quanta};
            }
            return;
        }
        const auto one = PickPathGroup();
        const int64_t quanta = m_random->GetInteger(1, static_cast<uint32_t>(one->second.quanta));
        m_graph->AddQuanta(one->first, -quanta);
        one->second.quanta -= quanta;
        if (one->second.quanta == 0)
        {
            m_expected.erase(one);
        }
    }

    /// @return one of the path groups, of which there is at least one
    std::map<uint32_t, Expected>::iterator PickPathGroup()
    {
        const auto n = static_cast<uint32_t>(m_expected.size());
        return std::next(m_expected.begin(), m_random->GetInteger(0, n - 1));
    }

    /// Gives a path group another class of its path, if there is one.
    void MovePathGroup()
    {
        const uint32_t group = PickPathGroup()->first;
        for (const LinkId link : GetLinks(group))
        {
            if (link != m_graph->GetPathGroups().Get(group).cls &&
                std::isfinite(m_graph->GetLink(link).level))
            {
                m_graph->Move(group, link);
                ++m_nMoves;
                return;
            }
        }
    }

    /// Sets a level, and gets path groups to the lowest class of their path.
    void Balance(LinkId cls)
    {
        const auto& link = m_graph->GetLink(cls);
        if (link.isVirtual || link.quanta == 0)
        {
            return;
        }
        const bool isFull = m_random->GetInteger(0, 1) == 0;
        const double level =
            isFull ? m_graph->GetFillLevel(cls) : link.level * m_random->GetValue(0.3, 2);
        m_graph->SetLevel(cls, level);
        if (isFull)
        {
            m_graph->Absorb(cls, level);
            for (const auto& share : m_graph->GetLink(cls).shares)
            {
                NS_TEST_EXPECT_MSG_EQ((share.bound <= level), true, "all above are absorbed");
            }
        }
        else
        {
            while (m_graph->Expel(cls, level))
            {
                NS_TEST_ASSERT_MSG_LT(++m_nExpelled, 100'000, "an end");
            }
            for (const auto& each : m_expected)
            {
                if (m_graph->GetPathGroups().Get(each.first).cls != cls)
                {
                    continue;
                }
                for (const LinkId other : GetLinks(each.first))
                {
                    NS_TEST_EXPECT_MSG_EQ((m_graph->GetLink(other).level >= level),
                                          true,
                                          "who meets a lower level is expelled");
                }
            }
        }
    }

    /// Settles what is to be examined.
    void SettleAll()
    {
        std::set<LinkId> seen;
        for (LinkId id = 0; m_graph->TakeTouched(id);)
        {
            m_graph->Settle(id);
            seen.insert(id);
        }
        for (LinkId id = 0; id < m_graph->GetNIds(); ++id)
        {
            const auto& link = m_graph->GetLink(id);
            NS_TEST_EXPECT_MSG_EQ((link.exact || link.isVirtual || link.load <= link.capacity),
                                  true,
                                  "load of the relaxed link " << id);
            NS_TEST_EXPECT_MSG_EQ(
                (link.isVirtual || link.error <= FlowsimLinkLoads::LOAD_REFRESH * link.capacity),
                true,
                "error of link " << id);
            m_nRelaxed += !link.exact && !link.isVirtual && link.shares.size() > 0 ? 1 : 0;
        }
        for (const LinkId cls : m_graph->GetChanged())
        {
            NS_TEST_EXPECT_MSG_EQ(seen.count(cls), 1, "a class with another level is examined");
        }
    }

    /// Remembers classes and levels.
    void Remember()
    {
        m_classes.clear();
        for (const auto& each : m_expected)
        {
            m_classes[each.first] = m_graph->GetPathGroups().Get(each.first).cls;
        }
        m_levels.clear();
        for (LinkId id = 0; id < m_graph->GetNIds(); ++id)
        {
            m_levels[m_graph->GetLink(id).number] = m_graph->GetLink(id).level;
        }
    }

    /// Path groups and classes that are not as they were are listed, none twice; then forgotten.
    void CheckChanges()
    {
        const auto& moved = m_graph->GetMoved();
        const std::set<uint32_t> groups(moved.begin(), moved.end());
        NS_TEST_EXPECT_MSG_EQ(groups.size(), moved.size(), "no path group twice");
        for (const auto& each : m_expected)
        {
            const auto before = m_classes.find(each.first);
            if (before == m_classes.end() ||
                before->second != m_graph->GetPathGroups().Get(each.first).cls)
            {
                NS_TEST_EXPECT_MSG_EQ(groups.count(each.first), 1, "a path group that has moved");
            }
        }
        const auto& changed = m_graph->GetChanged();
        const std::set<LinkId> classes(changed.begin(), changed.end());
        NS_TEST_EXPECT_MSG_EQ(classes.size(), changed.size(), "no class twice");
        for (LinkId id = 0; id < m_graph->GetNIds(); ++id)
        {
            const auto& link = m_graph->GetLink(id);
            const auto before = m_levels.find(link.number);
            const double level = before == m_levels.end() ? INFINITE : before->second;
            if (!link.isVirtual && link.number != NONE && link.level != level)
            {
                NS_TEST_EXPECT_MSG_EQ(classes.count(id), 1, "a class with another level");
            }
        }
        m_graph->ClearChanges();
        NS_TEST_EXPECT_MSG_EQ((m_graph->GetMoved().empty() && m_graph->GetChanged().empty()),
                              true,
                              "forgotten");
    }

    void DoRun() override
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(7);
        std::vector<double> capacities;
        for (uint32_t link = 0; link < N_LINKS; ++link)
        {
            capacities.push_back(link % 3 == 0 ? 4e9 : 1e9);
        }
        m_graph = std::make_unique<Graph>(capacities);
        for (int step = 0; step < 3000; ++step)
        {
            Remember();
            const uint32_t action = m_random->GetInteger(0, 9);
            if (action < 5 || m_expected.empty())
            {
                ChangeWeight();
            }
            else if (action < 7)
            {
                MovePathGroup();
            }
            else
            {
                Balance(m_graph->GetPathGroups().Get(PickPathGroup()->first).cls);
            }
            CheckPathGroups();
            CheckLinks();
            SettleAll();
            CheckLinks();
            CheckChanges();
            if (m_random->GetInteger(0, 2) == 0)
            {
                m_graph->RelaxIdle();
                CheckLinks();
                m_graph->FreeUnused();
            }
            CheckFill(m_random->GetInteger(0, m_graph->GetNIds() - 1));
        }
        // all of it has happened
        NS_TEST_EXPECT_MSG_GT(m_nFilled, 100, "links that are filled");
        NS_TEST_EXPECT_MSG_GT(m_nMoves, 100, "moves");
        NS_TEST_EXPECT_MSG_GT(m_nExpelled, 100, "expulsions");
        NS_TEST_EXPECT_MSG_GT(m_nRelaxed, 100, "relaxed links");
    }

    Ptr<UniformRandomVariable> m_random;              //!< what happens
    std::unique_ptr<Graph> m_graph;                   //!< under test
    std::map<uint32_t, Expected> m_expected;          //!< path groups with flows
    std::vector<std::map<LinkId, int64_t>> m_weights; //!< n_{k,l} by link and class
    std::map<uint32_t, LinkId> m_classes;             //!< classes of path groups before the step
    std::map<uint32_t, double> m_levels;              //!< levels by number of link before the step
    uint64_t m_nFilled{0};                            //!< levels found
    uint64_t m_nMoves{0};                             //!< path groups moved by the test
    uint64_t m_nExpelled{0};                          //!< rounds of Expel
    uint64_t m_nRelaxed{0};                           //!< relaxed links with load
};

/// The suite.
DcnTestSuite<GraphTestCase> g_flowsimLoadsTestSuite("flowsim-loads");

} // namespace
