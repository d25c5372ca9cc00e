/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_NETWORK_H
#define M4_NETWORK_H

#include "../state/m4-tracker.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief A trained network: states of flows and links, and predictions from them.
 */
class M4Network
{
  public:
    virtual ~M4Network() = default;

    /**
     * @brief Begin a simulation: reset all states.
     * @param nLinks number of directed links
     */
    virtual void Begin(uint32_t nLinks) = 0;

    /**
     * @brief Update the states of the flows and links that an event affects.
     * @param snapshot the event
     */
    virtual void Update(const M4Snapshot& snapshot) = 0;

    /** @return ln of the slowdown by flow row of the last Update, valid until the next one. */
    virtual const std::vector<float>& GetLogSlowdowns() = 0;

    /** @return whether the network predicts the spread of slowdowns (M4Spread). */
    virtual bool HasSpread() const
    {
        return false;
    }

    /**
     * @param slot of a flow
     * @return M4Spread::N quantiles of ln of its slowdown, as of the last Update with the flow,
     * until another flow begins in the slot; empty without HasSpread
     */
    virtual std::vector<float> GetLogQuantiles(uint32_t slot)
    {
        return {};
    }

    /** @return remaining fraction just before the event, by flow row of the last Update. */
    virtual std::vector<float> GetRemaining() = 0;

    /** @return waiting bytes just before the event, by link row of the last Update. */
    virtual std::vector<float> GetQueueBytes() = 0;

    /**
     * @brief Predict between events, without a change of states.
     * @param slot of a flow
     * @param features of the flow now (M4Tracker::DescribeFlow)
     * @return remaining fraction
     */
    virtual float QueryRemaining(uint32_t slot, const std::vector<float>& features) = 0;

    /**
     * @brief Predict between events, without a change of states.
     * @param link directed link index
     * @param features of the link now (M4Tracker::DescribeLink)
     * @return waiting bytes
     */
    virtual float QueryQueueBytes(uint32_t link, const std::vector<float>& features) = 0;
};

} // namespace ns3

#endif /* M4_NETWORK_H */
