/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_TABLE_H
#define PARSIMON_LINK_TABLE_H

#include "../topology/parsimon-link-index.h"
#include "parsimon-link-simulator.h"
#include "parsimon-result-store.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Results and cost of the simulations of all links of a scenario.
 *
 * Every link has a representative whose simulation gives its results: itself, or another link of
 * its cluster. Delays of single flows are known only at links that represent themselves.
 */
class ParsimonLinkTable
{
  public:
    /// Number of links by treatment; each link is in one of the first five.
    struct Accounting
    {
        uint32_t idle{0};      //!< directed links without flows
        uint32_t single{0};    //!< links with one flow, whose delay is 0
        uint32_t simulated{0}; //!< links simulated, by this process or other ranks
        uint32_t reused{0};    //!< links with a stored or earlier result
        uint32_t shared{0};    //!< links with the result of another link of their cluster
        double seconds{0};     //!< processor time of this process's link simulations in threads [s]
        double longestSeconds{0}; //!< that of the longest one [s]

        /** @return all directed links. */
        uint32_t GetTotal() const
        {
            return idle + single + simulated + reused + shared;
        }
    };

    /**
     * @param index flows by link
     */
    explicit ParsimonLinkTable(std::shared_ptr<const ParsimonLinkIndex> index);

    /** @return flows by link. */
    const ParsimonLinkIndex& GetIndex() const;

    /**
     * @param link directed link index
     * @return its representative
     */
    uint32_t GetRepresentative(uint32_t link) const;

    /**
     * @param link directed link index
     * @return delays of its own simulation; null if it has at most one flow, hence no delay, or
     * another representative
     */
    const std::shared_ptr<const ParsimonLinkDelays>& GetDelays(uint32_t link) const;

    /** @return counts of links by treatment. */
    const Accounting& GetAccounting() const;

  private:
    friend class ParsimonLinkRunner;

    std::shared_ptr<const ParsimonLinkIndex> m_index; //!< flows by link
    std::vector<uint32_t> m_representatives;          //!< by link
    /// By link; see GetDelays.
    std::vector<std::shared_ptr<const ParsimonLinkDelays>> m_delays;
    /// By link: recordings for later runs; null where there is none.
    std::vector<std::shared_ptr<const ParsimonLinkHistory>> m_histories;
    Accounting m_accounting; //!< see GetAccounting
};

} // namespace ns3

#endif /* PARSIMON_LINK_TABLE_H */
