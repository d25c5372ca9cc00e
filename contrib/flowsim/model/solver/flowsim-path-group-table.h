/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_PATH_GROUP_TABLE_H
#define FLOWSIM_PATH_GROUP_TABLE_H

#include "ns3/dcn-large-pages.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief The path groups of FlowsimMaxMinSolver (flows of equal path), found by their path.
 *
 * Path groups without flows stay in the table for a while, since the next flow often takes a
 * recently used path. At most #SPARE of them stay, so that the path groups and links in use fit
 * into the cache; then the oldest are recycled.
 */
class FlowsimPathGroupTable
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< No path group, hop, link or crossing
    static constexpr uint32_t SPARE = 64;        //!< Empty path groups kept

    /// One link of the path of a path group, and element of a list of the table's user.
    struct Hop
    {
        uint32_t link;     //!< The link
        uint32_t group;    //!< The path group
        uint32_t crossing; //!< For the user: crossing that lists the hop, NONE on the bottleneck
        uint32_t previous; //!< For the user: previous hop of the list
        uint32_t next;     //!< For the user: next hop of the list
    };

    /// Flows of equal path.
    struct PathGroup
    {
        uint32_t hops{0};     //!< First hop, the others follow
        uint32_t nHops{0};    //!< Number of hops
        uint32_t cls{NONE};   //!< For the user: link that is the bottleneck, NONE without flows
        bool moved{false};    //!< For the user: class changed since the last report
        int64_t quanta{0};    //!< For the user: weight of the flows
        uint64_t hash{0};     //!< Hash of the path
        uint32_t chain{NONE}; //!< Next path group in the same hash bucket
        uint32_t older{NONE}; //!< Neighbour in the list of empty path groups
        uint32_t newer{NONE}; //!< Neighbour in the list of empty path groups
    };

    FlowsimPathGroupTable();

    /**
     * @brief Finds the path group of a path.
     * @param path the links
     * @param nHops number of links
     * @param hash HashPath() of the path
     * @return the path group, or NONE
     */
    uint32_t Find(const uint32_t* path, uint32_t nHops, uint64_t hash) const;

    /**
     * @brief Makes the path group of a path that has none; it is not in the list of empty ones.
     * @param path the links
     * @param nHops number of links
     * @param hash HashPath() of the path
     * @return the path group
     */
    uint32_t Make(const uint32_t* path, uint32_t nHops, uint64_t hash);

    /// Removes a path group that is not in the list of empty ones.
    void Remove(uint32_t group);

    /// Puts a path group that lost its last flow into the list of empty ones.
    void Retire(uint32_t group);

    /// Takes a path group out of the list of empty ones.
    void Revive(uint32_t group);

    /// @return the oldest empty path group when there are too many, else NONE
    uint32_t GetSurplus() const;

    /**
     * @brief Returns the hash of a path.
     * @param path the links
     * @param nHops number of links
     * @return the hash
     */
    static uint64_t HashPath(const uint32_t* path, uint32_t nHops);

    /// @return the record of a path group
    PathGroup& Get(uint32_t group)
    {
        return m_groups[group];
    }

    /// @copydoc Get
    const PathGroup& Get(uint32_t group) const
    {
        return m_groups[group];
    }

    /// @return the record of a hop
    Hop& GetHop(uint32_t hop)
    {
        return m_hops[hop];
    }

    /// @copydoc GetHop
    const Hop& GetHop(uint32_t hop) const
    {
        return m_hops[hop];
    }

    /// @return one past the largest path group
    uint32_t GetNSlots() const
    {
        return static_cast<uint32_t>(m_groups.size());
    }

  private:
    /// Doubles the number of hash buckets.
    void Grow();

    DcnLargeVector<PathGroup> m_groups;            //!< Path groups by slot
    std::vector<uint32_t> m_freePathGroups;        //!< Free slots
    DcnLargeVector<Hop> m_hops;                    //!< Hops of all path groups
    std::vector<std::vector<uint32_t>> m_freeHops; //!< Free runs of hops by length
    std::vector<uint32_t> m_buckets;               //!< First path group of each hash bucket
    uint32_t m_nPathGroups{0};                     //!< Number of path groups, empty ones included
    uint32_t m_nEmpty{0};                          //!< Number of empty path groups
    uint32_t m_oldest{NONE};                       //!< Empty path group that was retired first
    uint32_t m_newest{NONE};                       //!< Empty path group that was retired last
};

} // namespace ns3

#endif // FLOWSIM_PATH_GROUP_TABLE_H
