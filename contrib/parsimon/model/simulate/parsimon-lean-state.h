/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_STATE_H
#define PARSIMON_LEAN_STATE_H

#include "parsimon-lean-engine.h"

#include "ns3/parsimon-link.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class DcnStateBytes;

/**
 * @ingroup parsimon
 * @brief State of a ParsimonLeanEngine just before a flow starts: determines its future.
 *
 * A state holds names of flows and ends instead of their numbers, so that a run of one topology can
 * continue from a state of another topology of the same target. Values without further effect are
 * omitted, so that equal futures more often have equal states.
 */
class ParsimonLeanState
{
  public:
    /// Numbers of flows and ends of one topology in another one of the same target, or NONE.
    struct Names
    {
        Names() = default;

        /**
         * @param link a topology whose flows and ends are named by their own numbers
         */
        explicit Names(const ParsimonLink& link);

        std::vector<uint32_t> flows;        //!< by position in ParsimonLink::flows
        std::vector<uint32_t> nics;         //!< by ParsimonLink::NumberNics
        std::vector<uint32_t> sources;      //!< by index in ParsimonLink::sources
        std::vector<uint32_t> destinations; //!< by index in ParsimonLink::destinations
    };

    /**
     * @brief Save the state of a run.
     * @param engine a run whose target leaves a switch, in ParsimonLeanEngine::Observer
     * @param names of its flows and ends
     */
    ParsimonLeanState(ParsimonLeanEngine& engine, const Names& names);

    /**
     * @brief Set a run to this state.
     * @param engine a run of this topology or another one of the same target
     * @param flow position of the flow that starts next there
     * @param numbers by name: position or index there
     */
    void Restore(ParsimonLeanEngine& engine, uint32_t flow, const Names& numbers) const;

    /**
     * @param other another state
     * @return whether the futures are equal
     */
    bool operator==(const ParsimonLeanState& other) const
    {
        return m_bytes == other.m_bytes;
    }

    /** @return length of the state [bytes]. */
    std::size_t GetSize() const
    {
        return m_bytes.size();
    }

  private:
    using Engine = ParsimonLeanEngine;
    static constexpr uint32_t NONE = Engine::NONE;

    class Writer;
    class Reader;

    static void Clear(Engine& engine);
    static void Exchange(DcnStateBytes& state, Engine& engine, Engine::Sender& sender);
    static void Exchange(DcnStateBytes& state, Engine& engine, Engine::Packet& packet);
    static void ExchangeQueueing(DcnStateBytes& state, Engine& engine, Engine::Packet& packet);

    std::string m_bytes; //!< the state
};

} // namespace ns3

#endif /* PARSIMON_LEAN_STATE_H */
