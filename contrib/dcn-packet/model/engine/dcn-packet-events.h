/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_EVENTS_H
#define DCN_PACKET_EVENTS_H

#include "../windows/dcn-window-events.h"

#include "ns3/dcn-units.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace ns3
{

class DcnPacketFlow;
struct DcnFrame;

/**
 * @ingroup dcn-packet
 * @brief Kinds of events, in the order in which events of one node and nanosecond run.
 *
 * Their numbers (DcnWindowEvents) are the index of the flow, or for a port (instant, wake, link):
 *
 * - the *instant* is the sixteenth of the nanosecond before t in which the frame arrives, or in
 *   which the transmitter is free. Frames of fast links take a few nanoseconds, so that two of them
 *   often come to a switch in one. In another order, a transmitter without work would begin with
 *   the later one and lose the time between the two: at 1.6 Tb/s, flows would take 0.3 % longer.
 * - An arrival comes before a *wake*: the transmission of a frame that arrives mostly began before
 *   the one whose end wakes up the transmitter.
 * - A flow whose pacing ends wakes its free transmitter in the last instant; its frame begins at the
 *   exact time all the same, unless an acknowledgement comes in between.
 * - The *link* is the directed one whose transmitter is the device.
 */
enum class DcnPacketEventKind : uint8_t
{
    LOOK,    //!< for a steady state (DcnSteadySkip); only in a network that is not cut
    START,   //!< a flow starts
    TIMER,   //!< of a congestion control
    CHECK,   //!< a retransmission timeout expires
    LOST,    //!< the sender learns that a frame was dropped
    ENDED,   //!< the sender learns that a frame came to its end without an acknowledgement
    PORT,    //!< a frame arrives at a device; without a frame: its transmitter wakes up
};

/**
 * @ingroup dcn-packet
 * @brief Devices whose events a skip stops together (DcnSteadySkip).
 */
struct DcnSkipPart
{
    uint64_t nChanges{0};      //!< that may move rates: begins and ends of flows, pauses, losses
    bool isFrozen{false};      //!< events wait
    int64_t frozenNs{0};       //!< since then [ns]
    /// Arrivals and wake-ups that wait, in their order, at the times without the skip.
    std::vector<DcnWindowEvent> events;
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

  protected:
    ~DcnEventTarget() = default;

  private:
    DcnSkipPart* m_part{nullptr}; //!< see GetSkipPart
};

/**
 * @ingroup dcn-packet
 * @brief Pending events of the devices and flows of a network, or of a partition of it.
 *
 * **Problem.** Every frame on a link is a pending arrival, and ns-3's simulator takes longer to
 * insert and to start an event than a switch takes to forward a frame. And ns-3's order of events
 * of one nanosecond depends on who else has events.
 *
 * So all events are in one list (DcnWindowEvents), in the order of that list, whoever runs them:
 *
 * - *ns-3* (FollowNs3): it has one event, at the time of the first event of the list, which runs
 *   the events of that nanosecond. This is a *turn*. Listeners and logs see ns-3's time, and events
 *   of others come between turns. Simulator::Stop ends a simulation after the present event, also
 *   within a turn; its rest comes when the simulation goes on.
 * - *windows* (DcnWindowLoop): ns-3 knows nothing of the events, and its time stands still.
 *
 * **Skips.** Freeze takes the arrivals and wake-ups of some devices out of the list, Thaw adds them
 * again, all later by the same time.
 */
class DcnPacketEvents
{
  public:
    /**
     * @param partition number of the partition whose events they are
     * @param nPartitions of the network
     * @param aheadNs most events are added for this time ahead, or sooner [ns]
     */
    explicit DcnPacketEvents(uint32_t partition = 0,
                             uint32_t nPartitions = 1,
                             int64_t aheadNs = 1000);
    ~DcnPacketEvents();
    DcnPacketEvents(const DcnPacketEvents&) = delete;
    DcnPacketEvents& operator=(const DcnPacketEvents&) = delete;

    /** @return the pending events. */
    DcnWindowEvents& GetList()
    {
        return m_list;
    }

    /** @return number of the partition. */
    uint32_t GetPartition() const
    {
        return m_list.GetPartition();
    }

    /**
     * @brief Give arrivals to the partitions of their devices; before, all are of this one.
     * @param partitionOf partition of each device, by directed link; outlives this object
     */
    void SetPartitionOf(const std::vector<uint32_t>* partitionOf)
    {
        m_partitionOf = partitionOf;
    }

    /**
     * @brief Add an event. Arguments are single words, as a struct of two would be written to
     * memory and read from there at once, which stalls.
     * @param device where it happens
     * @param frame arrives there; null: the transmitter wakes up
     * @param nowNs present time [ns]
     * @param atNs when it happens, not before nowNs [ns]
     * @param link directed link that the device sends on, at most MAX_LINK
     * @param lead by how much it happens before atNs, less than 1 ns [ticks of 2^-14 ns]
     */
    void Schedule(DcnEventTarget* device,
                  DcnFrame* frame,
                  int64_t nowNs,
                  int64_t atNs,
                  uint32_t link,
                  uint32_t lead)
    {
        DcnWindowEvent event;
        event.timeNs = atNs;
        event.subject = device;
        event.frame = frame;
        static constexpr uint32_t WAKE = MAX_LINK + 1;
        event.order = DcnWindowEvent::MakeOrder(
            static_cast<uint8_t>(DcnPacketEventKind::PORT),
            (INSTANTS - 1 - (lead >> INSTANT_SHIFT)) * 2 * WAKE + (frame ? 0 : WAKE) + link);
        if (m_nFrozen > 0 && device->IsFrozen())
        {
            // a frame of a flow that is over comes from elsewhere: time stands still there
            DcnSkipPart& part = *device->GetSkipPart();
            event.timeNs -= nowNs - part.frozenNs;
            part.events.push_back(event);
            return;
        }
        Add(m_partitionOf && frame ? (*m_partitionOf)[link] : GetPartition(), event);
    }

    /**
     * @brief Add an event of a flow.
     * @param kind what happens
     * @param flow to whom; null for LOOK and START
     * @param index its flow index now; of LOOK: a number of its own
     * @param partition that of the flow's source
     * @param atNs when [ns]
     */
    void ScheduleFlow(DcnPacketEventKind kind,
                      DcnPacketFlow* flow,
                      std::size_t index,
                      uint32_t partition,
                      int64_t atNs)
    {
        DcnWindowEvent event;
        event.timeNs = atNs;
        event.subject = flow;
        event.frame = nullptr;
        event.order = DcnWindowEvent::MakeOrder(static_cast<uint8_t>(kind), index);
        Add(partition, event);
    }

    /**
     * @brief ns-3 has an event at the time of the first pending event, from now on.
     * @param turn runs events of the present nanosecond between BeginTurn and EndTurn
     */
    void FollowNs3(std::function<void(int64_t nowNs)> turn);

    /// ns-3 gets no event from now on.
    void LeaveNs3();

    /**
     * @brief Events begin to run; only with FollowNs3.
     * @param nowNs present time [ns]
     */
    void BeginTurn(int64_t nowNs)
    {
        m_isRunning = true;
        m_turnNs = NONE;
        if (!m_turns.empty() && m_turns.back() == nowNs)
        {
            m_turns.pop_back();
        }
        m_list.Advance(nowNs);
    }

    /// No more events run now: ns-3 gets an event for the next one.
    void EndTurn();

    /** @return the present time [ns]. */
    int64_t GetNowNs() const;

    /**
     * @return time of the event that this thread runs, for listeners; Simulator::Now if windows do
     * not run [ns]
     */
    static int64_t GetThreadNowNs();

    /// The events that this thread runs while the object lives; ns-3's time stands still.
    class Running
    {
      public:
        /**
         * @param events these
         */
        explicit Running(const DcnPacketEvents& events);
        ~Running();
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

      private:
        const DcnPacketEvents* m_before; //!< events that the thread ran before
    };

    static constexpr uint32_t MAX_LINK = (1 << 24) - 1; //!< largest number of a directed link

    /**
     * @brief Refuse more flows or links than events can name.
     * @param n how many there are
     * @param most how many can be
     * @param kind of what, plural
     * @throws DcnError if n > most
     */
    static void CheckNumber(uint64_t n, uint64_t most, const char* kind);

    // static assertions in DcnSwitchDevice::SetSwitch and DcnPacketFlow's constructor check these
    static constexpr std::size_t DEVICE_BYTES = 448; //!< of a port that events use [bytes]
    // of a DcnPacketFlow, in the order of its members
    static constexpr std::size_t FLOW_BYTES = 192;      //!< that both ends use [bytes]
    static constexpr std::size_t FLOW_SENDER = 192;     //!< begin of the sender's part [bytes]
    static constexpr std::size_t FLOW_RECEIVER = 384;   //!< begin of the receiver's part [bytes]
    static constexpr std::size_t FLOW_SIDE_BYTES = 128; //!< of a part that events use [bytes]

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

    /// Pending events have no further effect, and no event may be added.
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
    class Turn;

    static constexpr uint32_t INSTANTS = 16; //!< of a nanosecond, see DcnPacketEventKind
    static constexpr uint32_t INSTANT_SHIFT = DCN_TICK_BITS - 4; //!< of ticks in one
    static_assert(INSTANTS * 2 * (uint64_t{MAX_LINK} + 1) - 1 == DcnWindowEvent::MAX_NUMBER);

    /// Before every time [ns].
    static constexpr int64_t NONE = std::numeric_limits<int64_t>::min();

    void Add(uint32_t partition, const DcnWindowEvent& event)
    {
        m_list.Send(partition, event);
        if (event.timeNs < m_turnNs)
        {
            ScheduleTurn(event.timeNs);
        }
    }

    void ScheduleTurn(int64_t atNs);

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

    DcnWindowEvents m_list;                              //!< see GetList
    const std::vector<uint32_t>* m_partitionOf{nullptr}; //!< see SetPartitionOf; null: one
    std::vector<int64_t> m_turns; //!< pending turns, the next one at the end [ns]
    int64_t m_turnNs{NONE};       //!< an event before it takes an earlier turn [ns]; NONE: no turns
    bool m_isRunning{false};      //!< a turn is running, or windows are
    uint32_t m_nFrozen{0};        //!< parts whose events wait
    bool m_hasLost{false};        //!< see HasLost
    Ptr<Turn> m_turn;             //!< event of ns-3; null: it gets none
};

} // namespace ns3

#endif /* DCN_PACKET_EVENTS_H */
