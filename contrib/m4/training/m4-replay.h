/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TAPE_H
#define M4_TAPE_H

#include "ns3/m4-features.h"
#include "ns3/m4-tracker.h"

#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief What the packets did in a scenario: the truth that m4 is taught.
 */
struct M4Truth
{
    /// What is left of a flow at an instant.
    struct Left
    {
        int64_t timeNs; //!< when [ns]
        float share;    //!< of its payload that the receiver does not have, 0 to 1
    };

    Ptr<const DcnScenario> scenario; //!< topology, flows, paths and configuration
    std::vector<int64_t> fctNs;      //!< completion time by flow [ns], -1: unfinished
    /// By flow: from its start to its end, in order of time; may be empty as a whole.
    std::vector<std::vector<Left>> left;
    /// By flow and link of its path, one flow after the other: bytes that wait when the flow's
    /// first packet comes, negative if not known; may be empty as a whole.
    std::vector<int64_t> queueBytes;

    /**
     * @param flow flow index
     * @param timeNs a time [ns], not before its start
     * @return share of its payload that the receiver does not have, between two known values in
     * proportion to time; M4Step::NO_LABEL if that is not known
     */
    float GetLeft(uint32_t flow, int64_t timeNs) const;
};

/**
 * @ingroup m4
 * @brief A start or a departure.
 */
struct M4Event
{
    int64_t timeNs; //!< when [ns]
    uint32_t flow;  //!< flow index
    bool arrival;   //!< true: the flow starts; false: it leaves its links
};

/**
 * @ingroup m4
 * @brief An event with its labels.
 */
struct M4Step
{
    static constexpr float NO_LABEL = -1; //!< what is not known

    int64_t timeNs;                 //!< of the event [ns]
    M4Snapshot snapshot;            //!< what the event touches
    std::vector<uint32_t> flow;     //!< by flow row: flow index in the scenario
    std::vector<float> logSlowdown; //!< by flow row: ln of the true slowdown
    std::vector<float> weight;      //!< by flow row: weight of that label; 0: none
    std::vector<float> left;        //!< by flow row: true share left, or NO_LABEL
    std::vector<float> leftWeight;  //!< by flow row: weight of that label; 0: none
    std::vector<float> queue;       //!< by link row: ln(1 + bytes / 1000 B), or NO_LABEL
    std::vector<float> queueWeight; //!< by link row: weight of that label; 0: none
    std::vector<uint8_t> isNew;     //!< by flow row: the flow starts with this event
};

/**
 * @ingroup m4
 * @brief Plays the events of a truth, with labels.
 *
 * With their true order and times this is teacher forcing. Then, whenever an event finds a flow
 * that would have ended by now at fair rates, it tells that the flow is slow: who learns from
 * that relies on a hint that is not there when flows end as predicted. So the events may be
 * given: those of a simulation by the model itself (M4RunEvents), a roll-out. Labels are the
 * true ones all the same.
 *
 * A flow is in the snapshots of many events, n of them. What it is judged by in the end is the
 * prediction at the last of them; but at any of them the prediction decides which flow ends next.
 * So the label of its slowdown has the weight 1 - d at the last event and d / n at each, one in all
 * for every flow. What is left of it weighs 1 / n at each event, and the queue that it meets at
 * each of k links 1 / k: again one in all for every flow, where all is known.
 */
class M4Tape
{
  public:
    /**
     * @param truth what is played, which must outlive the tape
     * @param events starts and departures in their order; empty: as it was in truth
     * @param dense d above, 0 to 1
     * @param most events that are played, the first ones; n and the last event of a flow are of
     * those, so that flows weigh the same
     * @param memory of the network that sees them
     */
    explicit M4Tape(const M4Truth& truth,
                    std::vector<M4Event> events = {},
                    double dense = 0.5,
                    std::size_t most = SIZE_MAX,
                    M4Memory memory = M4Memory::FLUID);

    /**
     * @brief Go on to the next event.
     * @param step what it touches, with labels
     * @return false at the end
     */
    bool Next(M4Step& step);

    /** @return number of slots that the flows need at a time. */
    uint32_t GetNSlots() const;

  private:
    /// Feeds an event to a tracker; keeps which flow has which slot.
    void Feed(M4Tracker& tracker, const M4Event& event, M4Snapshot& snapshot);

    const M4Truth& m_truth;                    //!< what is played
    M4FlowModel m_model;                       //!< constants of flows
    M4Tracker m_tracker;                       //!< active flows
    std::vector<M4Event> m_events;             //!< in their order
    float m_dense;                             //!< d above
    std::size_t m_next{0};                     //!< next event
    std::vector<uint32_t> m_flowOfSlot;        //!< by slot: flow index
    std::vector<uint32_t> m_slotOfFlow;        //!< by flow: slot, while it is active
    std::vector<uint32_t> m_nTouches;          //!< by flow: snapshots that have it
    std::vector<uint32_t> m_nSeen;             //!< by flow: those played so far
    std::vector<std::size_t> m_firstQueue;     //!< by flow: its first element of queueBytes
};

} // namespace ns3

#endif /* M4_TAPE_H */
