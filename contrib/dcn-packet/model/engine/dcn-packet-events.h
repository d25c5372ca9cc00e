/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_EVENTS_H
#define DCN_PACKET_EVENTS_H

#include "../windows/dcn-window-events.h"

#include "ns3/dcn-timing-wheel.h"
#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class DcnPacketFlow;
struct DcnFrame;

/**
 * @ingroup dcn-packet
 * @brief Kinds of events that ns-3 does not know, in the order in which those of one node and
 * nanosecond run in a partition.
 *
 * Their numbers in a partition (DcnWindowEvents): the index of the flow, or of the directed link
 * whose transmitter is the device. Arrivals precede wake-ups, as they mostly do in ns-3's order:
 * the transmission of the frame that arrives began before that whose end wakes up the transmitter.
 */
enum class DcnPacketEventKind : uint8_t
{
    WATCH,   //!< whether a packet can move; not in partitions
    LOOK,    //!< for a steady state (DcnSteadySkip); not in partitions
    START,   //!< a flow starts
    TIMER,   //!< of a congestion control
    CHECK,   //!< a retransmission timeout expires
    LOST,    //!< the sender learns that a frame was dropped
    ENDED,   //!< the sender learns that a frame came to its end without an acknowledgement
    ARRIVAL, //!< of a frame at a device
    WAKE,    //!< of a transmitter
};

class DcnEventTarget;

/**
 * @ingroup dcn-packet
 * @brief Devices whose events a skip stops together (DcnSteadySkip).
 */
struct DcnSkipPart
{
    /// An event that waits.
    struct Event
    {
        DcnEventTarget* device; //!< where
        DcnFrame* frame;        //!< arrives there; null: the transmitter wakes up
        int64_t atNs;           //!< when it would happen without the skip [ns]
        uint32_t node;          //!< see DcnPacketEvents::Schedule
        bool isAlone;           //!< see DcnPacketEvents::Schedule
    };

    uint64_t nChanges{0};      //!< that may move rates: begins and ends of flows, pauses, losses
    bool isFrozen{false};      //!< events wait
    int64_t frozenNs{0};       //!< since then [ns]
    std::vector<Event> events; //!< these, in their order
};

/**
 * @ingroup dcn-packet
 * @brief Where arrivals and wake-ups happen: a device.
 */
class DcnEventTarget
{
  public:
    /** @return the part of the network that it is in; null: none, it is never skipped. */
    DcnSkipPart* GetSkipPart() const
    {
        return m_part;
    }

    /**
     * @param part see GetSkipPart
     */
    void SetSkipPart(DcnSkipPart* part)
    {
        m_part = part;
    }

    /** @return whether its events wait. */
    bool IsFrozen() const
    {
        return m_part && m_part->isFrozen;
    }

    /// Something may change the rates of flows: a flow begins or ends, a pause, a loss, a link.
    void NoteChange()
    {
        if (m_part)
        {
            ++m_part->nChanges;
        }
    }

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

    /**
     * @param frame arrives, or null
     * @return ns-3's number of the node, and whether the event is alone, as
     * DcnPacketEvents::Schedule has them
     */
    virtual std::pair<uint32_t, bool> GetContext(const DcnFrame* frame) const = 0;

  protected:
    ~DcnEventTarget() = default;

  private:
    DcnSkipPart* m_part{nullptr}; //!< see GetSkipPart
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
 * **Alone.** While no other event of ns-3 is pending and nobody listens, ns-3 is not needed: with
 * BeginAlone, all events of the network, those of flows and looks included, are in a wheel of this
 * class, and RunAlone runs them within one event of ns-3, whose time stands still. Their order is
 * ns-3's: by time, of equal times as they were added. EndAlone gives the remaining events to ns-3.
 * So every result is that of a run in which ns-3 has the events.
 *
 * **Partitions.** With JoinPartition, events are those of a partition (DcnWindowEvents), in its
 * order, and ns-3 knows nothing of them. Each partition has a DcnPacketEvents of its own.
 *
 * **Skips.** Freeze takes the events of some devices out of their batches, or of the wheel, Thaw
 * adds them again, all later by the same time, in their order.
 */
class DcnPacketEvents
{
  public:
    DcnPacketEvents();
    ~DcnPacketEvents();
    DcnPacketEvents(const DcnPacketEvents&) = delete;
    DcnPacketEvents& operator=(const DcnPacketEvents&) = delete;

    /**
     * @brief Add an event. Arguments are single words, as a struct of two would be written to
     * memory and read from there at once, which stalls.
     * @param device where it happens
     * @param frame arrives there; null: the transmitter wakes up
     * @param nowNs present time [ns]
     * @param atNs when it happens, not before nowNs [ns]
     * @param node ns-3's number of the device's node; with a partition, the directed link that the
     * device sends on
     * @param isAlone the event has that node as its context and shares no batch
     */
    void Schedule(DcnEventTarget* device,
                  DcnFrame* frame,
                  int64_t nowNs,
                  int64_t atNs,
                  uint32_t node,
                  bool isAlone);

    /**
     * @brief Give events to a partition from now on.
     * @param partition gets those of its devices, and sends others to theirs
     * @param partitionOf partition of each device, by directed link; outlives this object
     */
    void JoinPartition(DcnWindowEvents* partition, const std::vector<uint32_t>* partitionOf)
    {
        m_partition = partition;
        m_partitionOf = partitionOf;
    }

    /** @return the partition; null: none. */
    DcnWindowEvents* GetPartition() const
    {
        return m_partition;
    }

    /// An event that is not at a device: its kind, flow and number, as given to ScheduleFlow, and
    /// its time [ns].
    using FlowEvent = std::function<void(DcnPacketEventKind, DcnPacketFlow*, uint64_t, int64_t)>;

    /**
     * @brief ns-3 does not get events from now on; none may be pending.
     * @param aheadNs most events are added for this time ahead, or sooner [ns]
     */
    void BeginAlone(int64_t aheadNs);

    /**
     * @brief Run events until StopAlone, until none is left, or until a time; BeginAlone comes
     * first.
     * @param runFlow called for the events that are not at devices
     * @param untilNs only events before this time run [ns]; the largest number: all
     * @return whether the run was cut at untilNs, which is the present time then
     */
    bool RunAlone(const FlowEvent& runFlow, int64_t untilNs = std::numeric_limits<int64_t>::max());

    /// Events between two calls of the function of SetLook: they take some milliseconds, and
    /// reading a clock takes some ten nanoseconds.
    static constexpr uint64_t LOOK_EVENTS = 65'536;

    /**
     * @brief Let somebody look at the network now and then, between two events; not in a partition.
     * @param look changes nothing in the network; empty: nobody looks
     */
    void SetLook(std::function<void()> look)
    {
        m_look = std::move(look);
    }

    /// RunAlone returns after the present event, which calls this function.
    void StopAlone()
    {
        m_alone->isStopped = true;
    }

    /**
     * @brief ns-3 gets the events that are pending, in their order, and all events from now on.
     * @param giveFlow gives ns-3 an event that is not at a device
     */
    void EndAlone(const FlowEvent& giveFlow);

    /** @return whether events are in the wheel: between BeginAlone and EndAlone. */
    bool IsAlone() const
    {
        return m_alone != nullptr;
    }

    /** @return whether ns-3 does not get events, so that those of flows are given to ScheduleFlow.
     */
    bool IsWithoutNs3() const
    {
        return m_alone || m_partition;
    }

    /** @return the present time [ns]. */
    int64_t GetNowNs() const;

    /**
     * @brief Add an event of a flow; only without ns-3.
     * @param kind what happens
     * @param flow to whom; null for WATCH, LOOK and START
     * @param index its flow index now; of WATCH and LOOK: a number of their own
     * @param partition that of the flow's source; alone: 0
     * @param atNs when [ns]
     */
    void ScheduleFlow(DcnPacketEventKind kind,
                      DcnPacketFlow* flow,
                      std::size_t index,
                      uint32_t partition,
                      int64_t atNs);

    /**
     * @brief Have a device in the cache.
     * @param device its address
     */
    static void PrefetchDevice(const void* device)
    {
        PrefetchBytes(device, DEVICE_BYTES);
    }

    /**
     * @brief Have the egress port or the flow of a frame in the cache.
     * @param frame the frame, which should be there
     */
    static void PrefetchReferred(const DcnFrame& frame);

    /// Pending events have no further effect, and no event may be added. A listener may call it.
    void CancelAll();

    /**
     * @brief The pending events of a part wait from now on, until Thaw.
     * @param part the devices know it (DcnEventTarget::SetSkipPart)
     * @param nowNs present time [ns]
     */
    void Freeze(DcnSkipPart& part, int64_t nowNs);

    /**
     * @brief The events of a part go on, later by the time since Freeze.
     * @param part the part
     * @param nowNs present time [ns]
     */
    void Thaw(DcnSkipPart& part, int64_t nowNs);

    /// A frame was lost: from now on, flows may have more frames on their way than they count.
    void NoteLoss()
    {
        m_hasLost = true;
    }

    /** @return whether a frame was ever lost. */
    bool HasLost() const
    {
        return m_hasLost;
    }

  private:
    class Batch;

    /// What happens.
    struct Entry
    {
        Entry(DcnEventTarget* where, DcnFrame* what)
            : device(where),
              frame(what)
        {
        }

        DcnEventTarget* device; //!< where
        DcnFrame* frame;        //!< arrives there; null: the transmitter wakes up
    };

    /// An event while the network is alone.
    struct LoneEvent
    {
        int64_t timeNs; //!< when [ns]
        void* subject;  //!< the device; the flow, or null

        /// What comes.
        union {
            DcnFrame* frame; //!< ARRIVAL: it arrives; WAKE: null
            uint64_t index;  //!< events of flows: the flow index
        };

        uint32_t next;           //!< set by the wheel
        DcnPacketEventKind kind; //!< what happens

        /**
         * @param other another event
         * @return whether this one comes first
         */
        bool operator<(const LoneEvent& other) const
        {
            return timeNs < other.timeNs;
        }
    };

    using LoneWheel = DcnTimingWheel<LoneEvent, 0, 65536>;

    /// The events while the network is alone.
    struct Alone
    {
        LoneWheel wheel;       //!< pending events
        int64_t nowNs;         //!< time of the present event, or of the latest one [ns]
        bool isStopped{false}; //!< see StopAlone
    };

    /// From so many pending events on, it pays to ask for memory ahead (measured).
    static constexpr std::size_t MANY = 256;

    static Batch* AsBatch(EventImpl* event);

    /**
     * @brief Have an object in the cache, before it can be known what it is.
     * @param object its address
     * @param bytes of it that an event uses
     */
    static void PrefetchBytes(const void* object, std::size_t bytes)
    {
        for (std::size_t byte = 0; byte < bytes; byte += 64)
        {
            __builtin_prefetch(static_cast<const char*>(object) + byte, 1);
        }
    }

    static constexpr std::size_t DEVICE_BYTES = 384; //!< of a port that events use
    // of a DcnPacketFlow, in the order of its members
    static constexpr std::size_t FLOW_BYTES = 192;      //!< that both ends use
    static constexpr std::size_t FLOW_SENDER = 192;     //!< begin of what the sender uses
    static constexpr std::size_t FLOW_RECEIVER = 384;   //!< begin of what the receiver uses
    static constexpr std::size_t FLOW_SIDE_BYTES = 128; //!< of them that events use

    std::vector<Ptr<Batch>> m_all;                       //!< every batch ever made
    std::vector<Batch*> m_free;                          //!< batches that are not pending
    DcnWindowEvents* m_partition{nullptr};               //!< see GetPartition
    const std::vector<uint32_t>* m_partitionOf{nullptr}; //!< see JoinPartition
    std::unique_ptr<Alone> m_alone;                      //!< null: see IsAlone
    uint64_t m_nBegun{0};                                //!< batches that became pending
    uint32_t m_nFrozen{0};                               //!< parts whose events wait
    bool m_hasLost{false};                               //!< see HasLost
    std::function<void()> m_look;                        //!< see SetLook
    uint64_t m_nSinceLook{0};                            //!< events since m_look was called
};

} // namespace ns3

#endif /* DCN_PACKET_EVENTS_H */
