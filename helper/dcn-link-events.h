/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_LINK_EVENTS_H
#define DCN_LINK_EVENTS_H

#include "ns3/dcn-flow-network.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Failures, repairs and other rates of cables at given times, as the user writes them.
 *
 * Events are joined by commas, each in the form CABLE@TIME=WHAT:
 *
 *     128-144@2ms=fail,128-144@8ms=repair,129-145@3ms=25Gbps
 *
 * CABLE names two nodes by their ids; with several cables between them also the number of one, from
 * 0, as in 128-144.1. TIME counts from Schedule.
 */
class DcnLinkEvents
{
  public:
    /// No events.
    DcnLinkEvents() = default;

    /**
     * @brief Read events.
     * @param text see above; empty: there are none
     * @param topology the network, for the ids of its nodes
     * @throws DcnError naming the event that is not of this form, or its cable
     */
    DcnLinkEvents(const std::string& text, const DcnTopology& topology);

    /** @return whether there are none. */
    bool IsEmpty() const;

    /**
     * @brief Schedule the events from now on.
     * @param network on a topology with equal link numbers
     * @throws DcnError if its links do not change
     */
    void Schedule(Ptr<DcnFlowNetwork> network) const;

  private:
    static constexpr uint64_t REPAIR = UINT64_MAX; //!< see Event

    /// What happens to a cable.
    struct Event
    {
        int64_t timeNs;   //!< when [ns]
        uint32_t link;    //!< one of its links
        uint64_t rateBps; //!< its rate from then on [bit/s]; 0: it fails; REPAIR: it works again
    };

    static uint32_t FindLink(const std::string& name,
                             const std::string& event,
                             const DcnTopology& topology);
    static void Apply(Ptr<DcnFlowNetwork> network, const Event& event);

    std::vector<Event> m_events; //!< in the order of the text
};

} // namespace ns3

#endif /* DCN_LINK_EVENTS_H */
