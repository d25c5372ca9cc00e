/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_LINK_TABLE_H
#define FLOWSIM_LINK_TABLE_H

#include "ns3/dcn-large-pages.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Links in use by FlowsimMaxMinSolver, and its caps, which are virtual links.
 *
 * Links of the network have *numbers*; a link on the path of a path group also has a record with an
 * *id*. Ids are reused, the last one freed first, so that records lie close together in memory: in
 * a network of 135,000 links and 4,000 active flows most links are idle at any time. Records by
 * number would take 26 Mbyte, and their cache and TLB misses made a flow twice as costly as in a
 * small network. The data of every link (Place) takes 16 bytes.
 *
 * Links are ordered by number, since ids depend on the history.
 */
class FlowsimLinkTable
{
  public:
    using LinkId = uint32_t;     //!< Dense reusable handle of a link in use, virtual links included
    using CrossingId = uint32_t; //!< See FlowsimLinkLoads

    static constexpr uint32_t NONE = UINT32_MAX; //!< No link, crossing or list element
    static constexpr double INFINITE =
        std::numeric_limits<double>::infinity(); //!< No level, no cap

    /// A class that crosses a link and has its bottleneck elsewhere, as stored at the link.
    struct Share
    {
        double bound;        //!< Level at which the load counts the class
        int64_t quanta;      //!< Weight of the class on this link
        LinkId cls;          //!< The class
        CrossingId crossing; //!< The crossing
    };

    /// A link that a class crosses, as stored at the class.
    struct Visit
    {
        CrossingId crossing; //!< The crossing
        LinkId link;         //!< The link
    };

    using Shares = boost::container::small_vector<Share, 1>; //!< Other classes on a link
    using Visits = boost::container::small_vector<Visit, 2>; //!< Links that a class crosses

    /// A link, and the class of the path groups that have their bottleneck there. The third cache
    /// line is not needed on links without class, which most are.
    struct alignas(64) Link
    {
        double capacity{INFINITE};     //!< Capacity [bit/s], infinite for a virtual link
        double level{INFINITE};        //!< s_l [bit/s per quantum]
        double load{0};                //!< Load by other classes [bit/s], see FlowsimLinkLoads
        double error{0};               //!< Bound of the rounding error of the load
        Shares shares;                 //!< Other classes on this link
        bool exact{false};             //!< Mode
        bool isVirtual{false};         //!< The link is a cap
        bool touched{false};           //!< Listed among the touched links
        bool changed{false};           //!< Listed among the changed classes
        uint32_t users{0};             //!< Path groups, also empty ones, that have this link
        uint32_t number{NONE};         //!< Number in the network; virtual links follow the others
        uint32_t members{NONE};        //!< List of the hops of the class on its own link
        int64_t quanta{0};             //!< n_{l,l}, weight of the class
        double highest{0};             //!< Upper bound of the bounds of the shares (exact mode)
        double relaxedLimit{INFINITE}; //!< Lower bound of the bounds on relaxed links crossed
        Visits exactVisits;            //!< Exact links that the class crosses
        Visits relaxedVisits;          //!< Relaxed links that the class crosses
    };

    /**
     * @brief Makes a table in which no link is in use.
     * @param capacities capacity of each link [bit/s]; std::invalid_argument unless positive and
     *        finite
     */
    explicit FlowsimLinkTable(const std::vector<double>& capacities);

    /// @return the record of a link in use
    const Link& GetLink(LinkId link) const
    {
        return m_links[link];
    }

    /// @return one past the largest id
    uint32_t GetNIds() const
    {
        return static_cast<uint32_t>(m_links.size());
    }

    /// @return number of links, virtual ones not counted
    uint32_t GetNNumbers() const
    {
        return static_cast<uint32_t>(m_places.size());
    }

    /**
     * @brief Finds a link of the network.
     * @param number its number, below GetNNumbers()
     * @return its id, or NONE when it is not in use
     */
    LinkId FindLink(uint32_t number) const
    {
        return m_places[number].id;
    }

    /**
     * @brief Prefetches the place of a link, which points to its record.
     * @param number its number, below GetNNumbers()
     */
    void PrefetchPlace(uint32_t number) const
    {
        __builtin_prefetch(&m_places[number]);
    }

    /**
     * @brief Prefetches the record of a link.
     * @param number its number, below GetNNumbers()
     */
    void PrefetchRecord(uint32_t number) const
    {
        const LinkId id = m_places[number].id;
        if (id != NONE)
        {
            __builtin_prefetch(&m_links[id]);
            __builtin_prefetch(&m_links[id].quanta);
        }
    }

    /**
     * @brief Changes the capacity of a link that no flow crosses.
     * @param number its number, below GetNNumbers()
     * @param capacity its capacity [bit/s], positive and finite
     */
    void SetCapacity(uint32_t number, double capacity);

    /**
     * @brief Frees the records of links without users since Release().
     *
     * Call it after Solve(): before, a list may still contain the link.
     */
    void FreeUnused();

  protected:
    /// Data of every link of the network, in use or not.
    struct Place
    {
        double capacity;   //!< Capacity [bit/s]
        LinkId id{NONE};   //!< Its record
        uint32_t stamp{0}; //!< For the user: last path on which it was seen
    };

    /// Finds the virtual link of a cap. @return the link, or NONE
    LinkId FindCap(double level) const;

    /// Adds a user to a link, which gets a record when it has none. @return the link
    LinkId UseLink(uint32_t number);

    /// Adds a user to the virtual link of a cap, which is made when there is none. @return the link
    LinkId UseCap(double level);

    /// Removes a user from a link; a link without users must be on no path.
    void Release(LinkId link);

    DcnLargeVector<Place> m_places; //!< Links of the network by number
    DcnLargeVector<Link> m_links;   //!< Links in use by id

  private:
    /// @return a record that is not in use
    LinkId MakeRecord();

    std::unordered_map<double, LinkId> m_caps; //!< Virtual link by level
    std::vector<LinkId> m_free;                //!< Records that are not in use
    std::vector<LinkId> m_unused;              //!< Links that lost all their users
};

} // namespace ns3

#endif // FLOWSIM_LINK_TABLE_H
