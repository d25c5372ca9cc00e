/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/solver/flowsim-indexed-heap.h"
#include "../model/solver/flowsim-link-table.h"
#include "../model/solver/flowsim-path-group-table.h"
#include "../model/solver/flowsim-slot-table.h"
#include "dcn-test-case.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Entry = std::tuple<double, uint32_t, uint32_t>; //!< key, rank, id

/// Takes an id out of a set.
void
Erase(std::set<Entry>& set, uint32_t id)
{
    set.erase(std::find_if(set.begin(), set.end(), [id](const Entry& entry) {
        return std::get<2>(entry) == id;
    }));
}

/// Returns an element of a heap in the form of the sets.
Entry
EntryOf(const FlowsimIndexedHeap::Item& item)
{
    return {item.key, item.rank, item.id};
}

/// Two heaps over one array of positions and two sets ordered by (key, rank, id), through the same
/// random insertions, changes of keys, removals and shifts: the top is the set's first element, the
/// positions are those of the elements, and elements come out in the set's order.
DCN_TEST_CASE(HeapTestCase, "indexed heaps against ordered sets")
{
    constexpr uint32_t N = 60; // number of ids
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    FlowsimIndexedHeap::Positions positions(N, FlowsimIndexedHeap::ABSENT);
    FlowsimIndexedHeap heaps[2];
    std::set<Entry> sets[2];
    std::vector<int> heapOf(N, -1);
    for (int step = 0; step < 20'000; ++step)
    {
        const uint32_t id = random->GetInteger(0, N - 1);
        const double key = random->GetInteger(0, 9); // few, so that many are equal
        const uint32_t rank = (7 * id) % N;          // 7 and 60 are coprime: all differ
        const uint32_t action = random->GetInteger(0, 9);
        int& at = heapOf[id];
        if (action == 0)
        {
            const uint32_t which = random->GetInteger(0, 1);
            std::set<Entry> shifted;
            for (const auto& [k, r, i] : sets[which])
            {
                shifted.insert({k - key, r, i});
            }
            sets[which] = shifted;
            heaps[which].Shift(key);
        }
        else if (action < 4 && at >= 0)
        {
            heaps[at].Remove(id, positions);
            Erase(sets[at], id);
            at = -1;
        }
        else
        {
            if (at >= 0)
            {
                Erase(sets[at], id);
            }
            else
            {
                at = static_cast<int>(random->GetInteger(0, 1));
            }
            heaps[at].Set(id, key, rank, positions);
            sets[at].insert({key, rank, id});
        }
        std::size_t nKept = 0;
        for (int which = 0; which < 2; ++which)
        {
            const auto& items = heaps[which].GetItems();
            NS_TEST_ASSERT_MSG_EQ(items.size(), sets[which].size(), "elements");
            NS_TEST_ASSERT_MSG_EQ(heaps[which].IsEmpty(), sets[which].empty(), "empty");
            if (!items.empty())
            {
                NS_TEST_ASSERT_MSG_EQ((EntryOf(heaps[which].Top()) == *sets[which].begin()),
                                      true,
                                      "top after step " << step);
            }
            for (std::size_t i = 0; i < items.size(); ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(positions[items[i].id], i, "position");
            }
            nKept += items.size();
        }
        NS_TEST_ASSERT_MSG_EQ(
            std::count(positions.begin(), positions.end(), FlowsimIndexedHeap::ABSENT),
            static_cast<std::ptrdiff_t>(N - nKept),
            "absent ids");
    }
    for (int which = 0; which < 2; ++which)
    {
        for (const Entry& entry : sets[which])
        {
            NS_TEST_ASSERT_MSG_EQ((EntryOf(heaps[which].Top()) == entry), true, "order");
            heaps[which].Remove(std::get<2>(entry), positions);
        }
        NS_TEST_EXPECT_MSG_EQ(heaps[which].IsEmpty(), true, "all came out");
    }
}

using Path = std::vector<uint32_t>;

/// A hash of which many paths have the same.
uint64_t
Hash(const Path& path)
{
    return FlowsimPathGroupTable::HashPath(path.data(), static_cast<uint32_t>(path.size())) % 300;
}

/// Returns the path group of a path in a table.
uint32_t
Find(const FlowsimPathGroupTable& table, const Path& path)
{
    return table.Find(path.data(), static_cast<uint32_t>(path.size()), Hash(path));
}

/// A table and a map from paths to path groups, through the same random additions and losses of
/// flows. Empty path groups stay until there are more than SPARE, and go in the order in which they
/// lost their flows.
DCN_TEST_CASE(PathGroupTestCase, "path groups against a map of paths")
{
    constexpr uint32_t SPARE = FlowsimPathGroupTable::SPARE;
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(2);
    FlowsimPathGroupTable table;
    std::map<Path, uint32_t> groups;
    std::set<Path> busy;      // with flows
    std::deque<Path> retired; // without, the first one for longest
    std::size_t most = 0;
    for (int step = 0; step < 20'000; ++step)
    {
        Path path(random->GetInteger(1, 4));
        std::generate(path.begin(), path.end(), [&]() { return random->GetInteger(0, 5); });
        const auto known = groups.find(path);
        NS_TEST_ASSERT_MSG_EQ(Find(table, path),
                              (known == groups.end() ? FlowsimPathGroupTable::NONE : known->second),
                              "found in step " << step);
        // there are more and more of them, then fewer and fewer
        const bool comes = random->GetInteger(0, 2) < (step < 10'000 ? 2U : 1U);
        if (comes && known == groups.end())
        {
            const auto nHops = static_cast<uint32_t>(path.size());
            const uint32_t group = table.Make(path.data(), nHops, Hash(path));
            groups[path] = group;
            busy.insert(path);
            NS_TEST_ASSERT_MSG_EQ(table.Get(group).nHops, nHops, "length");
            NS_TEST_ASSERT_MSG_EQ(table.Get(group).quanta, 0, "no flows yet");
        }
        else if (comes && busy.count(path) == 0)
        {
            table.Revive(known->second);
            retired.erase(std::find(retired.begin(), retired.end(), path));
            busy.insert(path);
        }
        else if (!comes && busy.count(path) > 0)
        {
            table.Retire(known->second);
            busy.erase(path);
            retired.push_back(path);
        }
        most = std::max(most, groups.size());
        const uint32_t surplus = table.GetSurplus();
        NS_TEST_ASSERT_MSG_EQ(
            surplus,
            (retired.size() > SPARE ? groups[retired.front()] : FlowsimPathGroupTable::NONE),
            "the oldest, if there are too many");
        if (surplus != FlowsimPathGroupTable::NONE)
        {
            table.Revive(surplus);
            table.Remove(surplus);
            groups.erase(retired.front());
            retired.pop_front();
            NS_TEST_ASSERT_MSG_EQ(table.GetSurplus(), FlowsimPathGroupTable::NONE, "enough");
        }
    }
    NS_TEST_EXPECT_MSG_GT(most, 256, "more than there were buckets in the beginning");
    NS_TEST_EXPECT_MSG_EQ(table.GetNSlots(), most, "slots are used again");
    std::set<uint32_t> slots;
    std::set<uint32_t> hops;
    for (const auto& [path, group] : groups)
    {
        NS_TEST_EXPECT_MSG_EQ(Find(table, path), group, "still there");
        NS_TEST_EXPECT_MSG_EQ(slots.insert(group).second, true, "a slot of its own");
        for (uint32_t i = 0; i < path.size(); ++i)
        {
            const uint32_t at = table.Get(group).hops + i;
            NS_TEST_EXPECT_MSG_EQ(table.GetHop(at).link, path[i], "link");
            NS_TEST_EXPECT_MSG_EQ(table.GetHop(at).group, group, "path group of a hop");
            NS_TEST_EXPECT_MSG_EQ(hops.insert(at).second, true, "hops of its own");
        }
    }
    // other hashes: of the same links in another order, and of the first ones
    const Path path{1, 2, 3};
    const Path other{2, 1, 3};
    NS_TEST_EXPECT_MSG_NE(FlowsimPathGroupTable::HashPath(path.data(), 3),
                          FlowsimPathGroupTable::HashPath(other.data(), 3),
                          "order");
    NS_TEST_EXPECT_MSG_NE(FlowsimPathGroupTable::HashPath(path.data(), 3),
                          FlowsimPathGroupTable::HashPath(path.data(), 2),
                          "length");
}

/// Slots of a table against a map: records stay until they are taken, and free slots are used
/// again.
DCN_TEST_CASE(SlotTestCase, "slots against a map")
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(4);
    FlowsimSlotTable<uint32_t> table;
    std::map<uint32_t, uint32_t> expected; // record by slot
    std::size_t most = 0;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        if (expected.empty() || random->GetInteger(0, 1) == 0)
        {
            const uint32_t slot = table.Add(i);
            NS_TEST_EXPECT_MSG_EQ(expected.emplace(slot, i).second, true, "a free slot");
            most = std::max(most, expected.size());
            NS_TEST_EXPECT_MSG_LT(slot, most, "no more slots than were in use at once");
        }
        else
        {
            const auto n = static_cast<uint32_t>(expected.size());
            const auto taken = std::next(expected.begin(), random->GetInteger(0, n - 1));
            NS_TEST_EXPECT_MSG_EQ(table.Take(taken->first), taken->second, "record taken");
            expected.erase(taken);
        }
        for (const auto& [slot, record] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(table.Get(slot), record, "record");
        }
    }
}

/// A table whose users are counted by a test.
class Table : public FlowsimLinkTable
{
  public:
    using FlowsimLinkTable::FindCap;
    using FlowsimLinkTable::FlowsimLinkTable;
    using FlowsimLinkTable::Release;
    using FlowsimLinkTable::UseCap;
    using FlowsimLinkTable::UseLink;
};

/// Links and caps against counts of their users u: those with u > 0 have a record of their own,
/// with their capacity and number, which stays the same; those with u = 0 lose it when unused
/// records are freed. There are no more records than links with one at a time, and the one freed
/// last is used first.
DCN_TEST_CASE(TableTestCase, "records of links against counts of their users")
{
    Table small({1e9, 2e9, 3e9});
    const Table::LinkId first = small.UseLink(2);
    const Table::LinkId second = small.UseLink(0);
    small.Release(first);
    NS_TEST_EXPECT_MSG_EQ(small.UseLink(2), first, "not freed yet");
    small.Release(first);
    small.Release(second);
    small.FreeUnused();
    NS_TEST_EXPECT_MSG_EQ(small.UseCap(5), second, "the record freed last");
    NS_TEST_EXPECT_MSG_EQ(small.UseLink(1), first, "the one before");
    NS_TEST_EXPECT_MSG_EQ(small.GetNIds(), 2, "no other");

    constexpr uint32_t N = 12; // numbers below are links, others stand for caps
    const std::vector<double> caps{1e6, 2.5e6, 1e7};
    std::vector<double> capacities;
    for (uint32_t number = 0; number < N; ++number)
    {
        capacities.push_back(1e9 * (number + 1));
    }
    Table table(capacities);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(6);

    struct Record
    {
        Table::LinkId id;
        uint32_t users;
    };

    std::map<uint32_t, Record> expected;
    std::size_t most = 0;
    for (int step = 0; step < 5000; ++step)
    {
        const uint32_t key = random->GetInteger(0, N + 2);
        const auto known = expected.find(key);
        const uint32_t action = random->GetInteger(0, 9);
        if (action == 0)
        {
            table.FreeUnused();
            for (auto each = expected.begin(); each != expected.end();)
            {
                each = each->second.users == 0 ? expected.erase(each) : std::next(each);
            }
        }
        else if (action < 6 && known != expected.end() && known->second.users > 0)
        {
            table.Release(known->second.id);
            --known->second.users;
        }
        else
        {
            const Table::LinkId id = key < N ? table.UseLink(key) : table.UseCap(caps[key - N]);
            auto& record = expected.emplace(key, Record{id, 0}).first->second;
            NS_TEST_EXPECT_MSG_EQ(id, record.id, "the same record");
            ++record.users;
        }
        most = std::max(most, expected.size());
        NS_TEST_EXPECT_MSG_EQ(table.GetNIds(), most, "no more records than needed");
        std::set<Table::LinkId> ids;
        for (uint32_t each = 0; each < N + caps.size(); ++each)
        {
            const Table::LinkId id =
                each < N ? table.FindLink(each) : table.FindCap(caps[each - N]);
            const auto found = expected.find(each);
            if (found == expected.end())
            {
                NS_TEST_EXPECT_MSG_EQ(id, Table::NONE, "record of " << each);
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(id, found->second.id, "record of " << each);
            NS_TEST_EXPECT_MSG_EQ(ids.insert(id).second, true, "nobody else's");
            const auto& link = table.GetLink(id);
            NS_TEST_EXPECT_MSG_EQ(link.users, found->second.users, "users of " << each);
            NS_TEST_EXPECT_MSG_EQ(link.isVirtual, (each >= N), "kind of " << each);
            NS_TEST_EXPECT_MSG_EQ(link.number, (each < N ? each : N + id), "number");
            NS_TEST_EXPECT_MSG_EQ(link.capacity,
                                  (each < N ? capacities[each] : Table::INFINITE),
                                  "capacity of " << each);
            NS_TEST_EXPECT_MSG_EQ(link.level,
                                  (each < N ? Table::INFINITE : caps[each - N]),
                                  "level of " << each);
        }
    }
}

/// The suite.
DcnTestSuite<HeapTestCase, PathGroupTestCase, SlotTestCase, TableTestCase>
    g_flowsimContainersTestSuite("flowsim-containers");

} // namespace
