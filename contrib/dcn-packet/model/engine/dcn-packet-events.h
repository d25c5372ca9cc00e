/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_EVENTS_H
#define DCN_PACKET_EVENTS_H

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3
{

struct DcnFrame;

/**
 * @ingroup dcn-packet
 * @brief Where arrivals and wake-ups happen: a device.
 */
class DcnEventTarget
{
  public:
    /**
     * @brief A frame has arrived from the link.
     * @param frame now owned by the target
     * @param nowNs present time [ns]
     */
    virtual void Receive(DcnFrame* frame, int64_t nowNs) = 0;

    /**
     * @brief An event that wakes up the transmitter; it may come more often than needed.
     * @param nowNs present time [ns]
     */
    virtual void Wake(int64_t nowNs) = 0;

  protected:
    ~DcnEventTarget() = default;
};

/**
 * @ingroup dcn-packet
 * @brief Pending arrivals and wake-ups of the devices of a network.
 *
 * Problem: every frame on a link is a pending arrival, and ns-3's simulator takes longer to insert
 * and to start an event than a switch takes to forward a frame. In large networks many of these
 * events have the same nanosecond.
 *
 * Events that would follow one another in ns-3's order (time, then number of the insertion) form a
 * batch, which is one event of ns-3. An event joins the batch of its time if that is the last one
 * that ns-3 has for this time, which only a DcnWheelScheduler can tell; else it begins a batch. So
 * the order of all events, those of others included, is the order that they would have one by one.
 * With another scheduler each event is a batch of its own.
 *
 * The context of a batch that others may join is no node (Simulator::NO_CONTEXT). Stop ends a
 * simulation after the present event, also within a batch; its rest comes when the simulation goes
 * on, after the events which are then pending for the same nanosecond.
 *
 * Batches are used again, so that nothing is allocated in the long run.
 *
 * A skip (DcnSteadySkip) stops the events and lets them go on later, all by the same time, in their
 * order.
 */
class DcnPacketEvents
{
  public:
    DcnPacketEvents();
    ~DcnPacketEvents();
    DcnPacketEvents(const DcnPacketEvents&) = delete;
    DcnPacketEvents& operator=(const DcnPacketEvents&) = delete;

    /// What happens.
    struct Entry
    {
        DcnEventTarget* device; //!< where
        DcnFrame* frame;        //!< arrives there; null: the transmitter wakes up
    };

    /**
     * @brief Add an event.
     * @param entry what happens
     * @param nowNs present time [ns]
     * @param atNs when it happens, not before nowNs [ns]
     * @param node ns-3's number of the device's node
     * @param isAlone the event has that node as its context and shares no batch
     */
    void Schedule(const Entry& entry, int64_t nowNs, int64_t atNs, uint32_t node, bool isAlone);

    /// Pending events have no further effect, and no event may be added. A listener may call it.
    void CancelAll();

    /// Pending events wait from now on, until Thaw; none may be added meanwhile.
    void Freeze();

    /**
     * @brief Pending events go on, later by the time since Freeze.
     * @param nowNs present time [ns]
     * @param skippedNs the time since Freeze [ns]
     */
    void Thaw(int64_t nowNs, int64_t skippedNs);

    /** @return whether pending events wait. */
    bool IsFrozen() const
    {
        return m_isFrozen;
    }

    /** @return frames whose arrivals are pending, in no order that means anything. */
    std::vector<DcnFrame*> GetFrames() const;

    /// Something may change the rates of flows: a flow begins or ends, a pause, a loss, a link.
    void NoteChange()
    {
        ++m_nChanges;
    }

    /** @return calls of NoteChange. */
    uint64_t GetNChanges() const
    {
        return m_nChanges;
    }

  private:
    class Batch;

    static Batch* AsBatch(EventImpl* event);

    std::vector<Ptr<Batch>> m_all; //!< every batch ever made
    std::vector<Batch*> m_free;    //!< those that are not pending
    bool m_isFrozen{false};        //!< see IsFrozen
    int64_t m_skippedNs{0};        //!< sum over all calls of Thaw [ns]
    std::vector<Batch*> m_waiting; //!< those that became due since Freeze, in order
    uint64_t m_nChanges{0};        //!< see GetNChanges
};

} // namespace ns3

#endif /* DCN_PACKET_EVENTS_H */
