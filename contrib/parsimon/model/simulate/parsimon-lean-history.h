/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_HISTORY_H
#define PARSIMON_LEAN_HISTORY_H

#include "parsimon-lean-engine.h"
#include "parsimon-lean-state.h"
#include "parsimon-link-simulator.h"

#include "ns3/parsimon-link.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief A recorded lean link simulation: similar input can then be simulated from a later state,
 * and up to the first state that agrees again.
 *
 * Let S(k) be the state of ParsimonLeanEngine just before flow k starts: with the flows from k on,
 * it determines the future. The engine schedules ahead no further than the next start, so that S(k)
 * depends on flows 0 to k - 1 and on the start of k. Some S(k) are stored, about one per GRAIN
 * packets. A topology of the same target with added or removed flows is simulated as follows, from
 * i = 0 on:
 *
 * - States are equal as long as flows are equal. Let d be the first flow that is followed by
 * another flow than before: the latest stored state of a flow up to d is restored. Flows that ended
 * before keep their completion times.
 * - Flows are simulated from there on. Wherever a state is stored, the present state is compared
 * with it, byte by byte. If both states and the next flow are equal, the rest up to the next change
 * is known: flows under way keep their completion times, and the procedure continues from there.
 *
 * Results equal those of a complete run, byte for byte, because the engine's future is a function
 * of its state. States become equal again when no packet is in flight at the latest, and earlier
 * where the change has not affected the flows under way. But a flow that is clocked by its
 * acknowledgements keeps the delay of a single one for ever. With HPCC's telemetry the state
 * contains the number of bytes, so that a change may last to the end.
 *
 * Flows of a congestion control that is no DcnReplayableControl have no state to store: they are
 * all simulated again.
 */
class ParsimonLeanHistory : public ParsimonLinkHistory
{
  public:
    static constexpr uint64_t GRAIN = 400; //!< least number of packets between stored states

    /**
     * @brief Simulate a link and store states.
     * @param link the topology
     * @param options see ParsimonLeanEngine
     */
    ParsimonLeanHistory(const ParsimonLink& link, const ParsimonLeanEngine::Options& options);

    /** @return completion times of the link's flows, and ideal ones. */
    const ParsimonLinkResult& GetResult() const;

    /** @return number of stored states. */
    std::size_t GetNStates() const;

    /**
     * @brief Simulate a similar topology with the same options.
     * @param link the topology; the more flows and ends it has in common with this history, the
     * less is simulated. All flows are simulated if the target's rate or delay differs
     * @param options those of this history
     * @param nPackets if not null, set to the number of packets simulated
     * @return completion times of its flows, and ideal ones
     */
    ParsimonLinkResult Repeat(const ParsimonLink& link,
                              const ParsimonLeanEngine::Options& options,
                              uint64_t* nPackets = nullptr) const;

  private:
    /// A stored state.
    struct Kept
    {
        uint32_t flow;           //!< the flow that is about to start
        ParsimonLeanState state; //!< the state before its start
        uint64_t queueBytes;     //!< largest queue from this state to the next stored one
    };

    const Kept* Find(uint32_t flow) const;
    const Kept* FindUpTo(uint32_t flow) const;
    /// @return the largest queue from a stored state to another one; null: the end [bytes]
    uint64_t GetQueueBytes(const Kept* first, const Kept* last) const;

    ParsimonLink m_link;         //!< the input
    ParsimonLinkResult m_result; //!< the result
    std::vector<Kept> m_states;  //!< by flow, ascending
};

} // namespace ns3

#endif /* PARSIMON_LEAN_HISTORY_H */
