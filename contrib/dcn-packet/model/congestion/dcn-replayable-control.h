/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_REPLAYABLE_CONTROL_H
#define DCN_REPLAYABLE_CONTROL_H

#include "dcn-congestion-control.h"
#include "dcn-state-bytes.h"

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief A congestion control whose flows can be stopped, resumed and moved in time.
 *
 * Engines need it that leave parts of a simulation out: what-if queries of Parsimon resume a stored
 * state (ExchangeState), and DcnSteadySkip skips steady states (Translate). Without it the former
 * simulate everything, and the latter refuses.
 */
class DcnReplayableControl : public DcnCongestionControl
{
  public:
    using DcnCongestionControl::DcnCongestionControl;

    DcnReplayableControl* AsReplayable() final
    {
        return this;
    }

    /**
     * @brief Write the whole state, or read a state that the same algorithm wrote with the same
     * configuration, maximum rate and round-trip time.
     * @param state writes or reads; a class begins with the state of its base
     */
    virtual void ExchangeState(DcnStateBytes& state)
    {
        state.Exchange(m_rate);
    }

    /**
     * @brief Be in the state of a later time in a steady state: add to all times and sequence
     * numbers, and let averages of marks fall if there is none.
     * @param by what is added
     * @return false: the algorithm cannot, and has not changed
     */
    virtual bool Translate([[maybe_unused]] const DcnTranslation& by)
    {
        return false;
    }
};

} // namespace ns3

#endif /* DCN_REPLAYABLE_CONTROL_H */
