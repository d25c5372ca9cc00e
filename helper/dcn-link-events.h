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
 * @brief Failures, repairs and other rates of cables and nodes at given times, as the user writes
 * them.
 *
 * Events are joined by commas, each in the form CABLE@TIME=WHAT or NODE@TIME=WHAT:
 *
 *     128-144@2ms=fail,128-144@8ms=repair,129-145@3ms=25Gbps,144@9ms=fail
 *
 * CABLE names two nodes by their ids; with several cables between them also the number of one, from
 * 0, as in 128-144.1. NODE stands for all cables of a node: a switch, or the NICs of a host; those
 * that have failed already stay so, and its repair repairs all. TIME counts from Schedule.
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
     * @throws DcnError naming the event that is not of this form, or its cable, and for two rates
     * of a cable at one instant
     */
    DcnLinkEvents(const std::string& text, const DcnTopology& topology);

    /** @return whether there are none. */
    bool IsEmpty() const;

    /** @return time of the last one, from Schedule on; 0 without events. */
    Time GetLast() const;

    /**
     * @param endNs end of a run [ns], from Schedule on
     * @return a line for each event that came after it
     */
    std::vector<std::string> DescribeLate(int64_t endNs) const;

    /** @return a line for each rate that its cables have at that time already. */
    std::vector<std::string> DescribeIdle() const;

    /**
     * @brief Refuse failures where packets of a flow may take different paths.
     * @param network its configuration
     * @throws DcnError naming the event
     */
    void CheckPaths(const DcnNetworkParameters& network) const;

    /**
     * @brief Schedule the events from now on.
     * @param network on a topology with equal link numbers
     * @throws DcnError if its links do not change
     */
    void Schedule(Ptr<DcnFlowNetwork> network) const;

  private:
    static constexpr uint64_t REPAIR = UINT64_MAX; //!< see Event

    /// What happens to a cable or to all cables of a node.
    struct Event
    {
        int64_t timeNs;              //!< when [ns]
        std::vector<uint32_t> links; //!< a link of each cable
        bool isNode;                 //!< all cables of a node
        uint64_t rateBps; //!< rate from then on [bit/s]; 0: it fails; REPAIR: it works again
        std::string text; //!< as the user wrote it
    };

    static std::vector<uint32_t> FindCables(const std::string& node,
                                            const std::string& event,
                                            const DcnTopology& topology);
    static uint32_t FindLink(const std::string& name,
                             const std::string& event,
                             const DcnTopology& topology);
    static void Apply(Ptr<DcnFlowNetwork> network, const Event& event);
    /// Follows the rates of cables: finds m_idle, and refuses two rates at one instant.
    void CheckRates(const DcnTopology& topology);

    std::vector<Event> m_events;     //!< in the order of the text
    std::vector<std::string> m_idle; //!< rates that cables have already, as the user wrote them
};

} // namespace ns3

#endif /* DCN_LINK_EVENTS_H */
