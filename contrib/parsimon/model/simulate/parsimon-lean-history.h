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
 * @brief A lean link simulation with states on the way, so that nearly the same input need not be
 * simulated from its beginning, nor to its end.
 *
 * Let S(k) be the state of ParsimonLeanEngine just before flow k starts: with the flows from k on,
 * it decides the future. The engine looks ahead no further than to the next start, so that S(k)
 * depends on flows 0 to k - 1 and on the start of k. Some S(k) are kept, about one per GRAIN
 * packets. The same link with flows that have gone or come is simulated as follows, from i = 0 on:
 *
 * - As long as flows are equal, so are the states. At the first flow d after which another flow
 *   follows than before, the latest state kept of a flow up to d is restored; flows that have ended
 *   by then keep their completion times.
 * - From there on flows are simulated. Wherever a state has been kept, the present one is compared
 *   with it, byte by byte. If both and the next flow are equal, the rest up to the next change is
 *   known: flows under way then keep their completion times, and so on from there.
 *
 * Results are those of a run from nothing, byte for byte, because the engine's future is a function
 * of its state. States become equal again at the latest when no packet is in flight, and before
 * that where the flows under way have not noticed the change. But a flow that is sent in the rhythm
 * of its acknowledgements does not forget that one of them was late. With DCQCN's random marks, the
 * number of random draws is part of the state, and with HPCC's telemetry the number of bytes, so
 * that there a change may last to the end.
 */
class ParsimonLeanHistory : public ParsimonLinkHistory
{
  public:
    static constexpr uint64_t GRAIN = 400; //!< packets from a state kept to the next, at least

    /**
     * @brief Simulate a link and keep states.
     * @param link the topology
     * @param options see ParsimonLeanEngine
     */
    ParsimonLeanHistory(const ParsimonLink& link, const ParsimonLeanEngine::Options& options);

    /** @return completion times of the link's flows, and ideal ones. */
    const ParsimonLinkResult& GetResult() const;

    /** @return number of states kept. */
    std::size_t GetNStates() const;

    /**
     * @brief Simulate a link of the same options.
     * @param link the topology; the more of its flows, with their ends, are in this history, the
     * less is simulated. All flows are simulated if the target's rate or delay differ
     * @param options those of this history
     * @param nPackets if given, set to the number of packets simulated
     * @return completion times of its flows, and ideal ones
     */
    ParsimonLinkResult Repeat(const ParsimonLink& link,
                              const ParsimonLeanEngine::Options& options,
                              uint64_t* nPackets = nullptr) const;

  private:
    /// A state that has been kept.
    struct Kept
    {
        uint32_t flow;           //!< the flow that is about to start
        ParsimonLeanState state; //!< the state then
    };

    const Kept* Find(uint32_t flow) const;
    const Kept* FindUpTo(uint32_t flow) const;

    ParsimonLink m_link;         //!< the input
    ParsimonLinkResult m_result; //!< the result
    std::vector<Kept> m_states;  //!< by flow, ascending
};

} // namespace ns3

#endif /* PARSIMON_LEAN_HISTORY_H */
