/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_BUNDLE_TABLE_H
#define FLOWSIM_BUNDLE_TABLE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief The bundles of FlowsimMaxMinSolver (flows of equal path), found by their path.
 *
 * Bundles that carry no flow stay in the table for a while, since the next flow often takes a path
 * that was used a moment ago. No more than #SPARE stay, so that the bundles and links in use fit
 * into the cache; then the oldest are recycled.
 */
class FlowsimBundleTable
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< No bundle, hop, link or crossing
    static constexpr uint32_t SPARE = 64;        //!< Empty bundles kept

    /// One link of the path of a bundle, element of a list that the user of the table keeps.
    struct Hop
    {
        uint32_t link;     //!< The link
        uint32_t bundle;   //!< The bundle
        uint32_t crossing; //!< For the user: crossing that lists the hop, NONE on the bottleneck
        uint32_t previous; //!< For the user: previous hop of the list
        uint32_t next;     //!< For the user: next hop of the list
    };

    /// Flows of equal path.
    struct Bundle
    {
        uint32_t hops{0};     //!< First hop, the others follow
        uint32_t nHops{0};    //!< Number of hops
        uint32_t cls{NONE};   //!< For the user: link that is the bottleneck, NONE without flows
        bool moved{false};    //!< For the user: class changed since the last report
        int64_t quanta{0};    //!< For the user: weight of the flows
        uint64_t hash{0};     //!< Hash of the path
        uint32_t chain{NONE}; //!< Next bundle in the same hash bucket
        uint32_t older{NONE}; //!< Neighbour in the list of empty bundles
        uint32_t newer{NONE}; //!< Neighbour in the list of empty bundles
    };

    FlowsimBundleTable();

    /**
     * @brief Finds the bundle of a path.
     * @param path the links
     * @param nHops number of links
     * @param hash HashPath() of the path
     * @return the bundle, or NONE
     */
    uint32_t Find(const uint32_t* path, uint32_t nHops, uint64_t hash) const;

    /**
     * @brief Makes the bundle of a path that has none; it is not in the list of empty ones.
     * @param path the links
     * @param nHops number of links
     * @param hash HashPath() of the path
     * @return the bundle
     */
    uint32_t Make(const uint32_t* path, uint32_t nHops, uint64_t hash);

    /**
     * @brief Removes a bundle that is not in the list of empty ones.
     * @param bundle the bundle
     */
    void Remove(uint32_t bundle);

    /**
     * @brief Puts a bundle that lost its last flow into the list of empty ones.
     * @param bundle the bundle
     */
    void Retire(uint32_t bundle);

    /**
     * @brief Takes a bundle out of the list of empty ones.
     * @param bundle the bundle
     */
    void Revive(uint32_t bundle);

    /**
     * @brief Returns the bundle to recycle before another is made.
     * @return the oldest empty bundle when there are too many, else NONE
     */
    uint32_t GetSurplus() const;

    /**
     * @brief Returns the hash of a path.
     * @param path the links
     * @param nHops number of links
     * @return the hash
     */
    static uint64_t HashPath(const uint32_t* path, uint32_t nHops);

    /**
     * @brief Returns a bundle.
     * @param bundle the bundle
     * @return its record
     */
    Bundle& Get(uint32_t bundle)
    {
        return m_bundles[bundle];
    }

    /// @copydoc Get
    const Bundle& Get(uint32_t bundle) const
    {
        return m_bundles[bundle];
    }

    /**
     * @brief Returns a hop.
     * @param hop index of the hop
     * @return its record
     */
    Hop& GetHop(uint32_t hop)
    {
        return m_hops[hop];
    }

    /// @copydoc GetHop
    const Hop& GetHop(uint32_t hop) const
    {
        return m_hops[hop];
    }

    /**
     * @brief Returns one past the largest bundle.
     * @return number of slots
     */
    uint32_t GetNSlots() const
    {
        return static_cast<uint32_t>(m_bundles.size());
    }

  private:
    /// Doubles the number of hash buckets.
    void Grow();

    std::vector<Bundle> m_bundles;                 //!< Bundles by slot
    std::vector<uint32_t> m_freeBundles;           //!< Free slots
    std::vector<Hop> m_hops;                       //!< Hops of all bundles
    std::vector<std::vector<uint32_t>> m_freeHops; //!< Free runs of hops by length
    std::vector<uint32_t> m_buckets;               //!< First bundle of each hash bucket
    uint32_t m_nBundles{0};                        //!< Number of bundles, empty ones included
    uint32_t m_nEmpty{0};                          //!< Number of empty bundles
    uint32_t m_oldest{NONE};                       //!< Empty bundle that was retired first
    uint32_t m_newest{NONE};                       //!< Empty bundle that was retired last
};

} // namespace ns3

#endif // FLOWSIM_BUNDLE_TABLE_H
