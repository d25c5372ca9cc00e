/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_REPLAY_H
#define M4_REPLAY_H

#include "../model/network/m4-architecture.h"
#include "m4-data.h"

#include "ns3/m4-session.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief An event with its labels.
 */
struct M4Step
{
    int64_t timeNs;                     //!< time of the event [ns]
    M4Snapshot snapshot;                //!< flows and links that the event affects
    std::vector<uint32_t> flow;         //!< by flow row: flow index in the scenario
    std::vector<float> logSlowdown;     //!< by flow row: ln of the true slowdown
    std::vector<float> slowdownWeight;  //!< by flow row: weight of that label; 0: none
    std::vector<float> isLast;          //!< by flow row: 1 at the last event that affects a flow
                                        //!< whose slowdown is known, else 0
    std::vector<float> remaining;       //!< by flow row: true remaining fraction, or 0
    std::vector<float> remainingWeight; //!< by flow row: weight of that label; 0: none
    std::vector<float> queue;           //!< by link row: ln(1 + true bytes / 1000 B), or 0
    std::vector<float> queueWeight;     //!< by link row: weight of that label; 0: none
};

/**
 * @ingroup m4
 * @brief Replays the events of a simulation, with labels.
 *
 * Replay of the true events at their true times is teacher forcing. It has a flaw: an event may
 * find a flow active that would have ended at fair rates, which reveals that the flow is slow. A
 * network that learns from this relies on information that is missing when flows end as predicted.
 * A roll-out therefore replays the events of the model's own simulation (M4RunEvents). Labels are
 * the true ones in both cases.
 *
 * A flow is in the snapshots of n events. The last of them determines its completion time, but each
 * determines which flow departs next. So the label of its slowdown has the weight 1 - d at the last
 * event and d / n at each, a total of one for every flow. The label of its remaining fraction has
 * the weight 1 / n at each event, that of the queue at each of its k links 1 / k: again a total of
 * one for every flow, if all labels are known.
 */
class M4Replay
{
  public:
    /**
     * @param truth ground truth, which must outlive the replay
     * @param architecture architecture of the network
     * @param events starts and departures in their order; empty: the true ones
     * @param dense d above, 0 to 1
     */
    explicit M4Replay(const M4GroundTruth& truth,
                      const M4Architecture& architecture = M4Architecture(),
                      std::vector<M4Event> events = {},
                      double dense = 0.5);

    /**
     * @brief Replay the next event.
     * @param step set to the event with its labels
     * @return false at the end
     */
    bool Next(M4Step& step);

    /** @return largest number of slots in use. */
    uint32_t GetNSlots() const;

  private:
    /// Adds the true starts and departures.
    void AddTrueEvents();
    /// Passes an event to a tracker, and records the slot of its flow.
    void Feed(M4Tracker& tracker, const M4Event& event, M4Snapshot& snapshot);

    const M4GroundTruth& m_truth;          //!< ground truth
    M4FlowModel m_model;                   //!< constants of flows
    std::unique_ptr<M4Tracker> m_tracker;  //!< active flows
    std::vector<M4Event> m_events;         //!< events in order
    float m_dense;                         //!< d above
    std::size_t m_next{0};                 //!< next event
    std::vector<uint32_t> m_flowOfSlot;    //!< by slot: flow index
    std::vector<uint32_t> m_slotOfFlow;    //!< by flow: slot, while it is active
    std::vector<uint32_t> m_nSnapshots;    //!< by flow: snapshots with it
    std::vector<uint32_t> m_nSeen;         //!< by flow: snapshots with it so far
    std::vector<std::size_t> m_firstQueue; //!< by flow: its first element of queueBytes
};

} // namespace ns3

#endif /* M4_REPLAY_H */
