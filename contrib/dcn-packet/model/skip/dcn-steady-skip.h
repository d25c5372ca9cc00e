/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_STEADY_SKIP_H
#define DCN_STEADY_SKIP_H

#include "../engine/dcn-packet-events.h"
#include "dcn-switch-bounds.h"

#include "ns3/ptr.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class DcnFlowOwner;
class DcnHostDevice;
class DcnNetworkConfig;
class DcnPacketDevice;
class DcnPacketFlow;
class DcnSwitchDevice;

/**
 * @ingroup dcn-packet
 * @brief Skips the steady states of a packet simulation.
 *
 * **Problem.** While no flow begins or ends, long flows have constant rates. Their packets repeat
 * the packets before them, and take nearly all of the processor time. Find such
 * states and advance without packets, so that completion times stay those of the packets.
 *
 * **Symbols.** a_f(t): bytes acknowledged of flow f [byte]; s_f(t): bytes sent [byte]; t_f(t): when
 * a_f rose last until t [s]; t0, t1 = t0 + w, t2 = t0 + 2 w: marks of a window; r_f: rate [byte/s];
 * M: payload of a packet [byte]; e: tolerance; u_f: whole packets that f sends before the last one
 * of the flow or message; T: length of a skip [s];
 * c: longest skip in windows.
 *
 * **Steady** is a group of flows in which since t0 none has begun or ended, no message came to a
 * connection that had sent all, no frame was lost, no pause began or ended and no link changed, all
 * of this also for the round trip before t0, and in which for every flow, with
 *
 *     r_f(i, j) = (a_f(tj) - a_f(ti)) / (t_f(tj) - t_f(ti)),                                    (1)
 *
 *     |r_f(0, 1) - r_f(1, 2)| <= e r_f(0, 2)                                                    (2)
 *     |(s_f - a_f)(t2) - (s_f - a_f)(t0)| <= max(2 M, e (a_f(t2) - a_f(t0))).                   (3)
 *
 *     |(s_f - a_f)(t2) - h_f| <= M                                  if nothing moves a rate, (3b)
 *
 * with h_f the value at the first mark since the last change. (1) counts from acknowledgement to
 * acknowledgement, which takes the error of a packet out of short windows; times are whole
 * nanoseconds, so
 *
 *     r_f = M / tau_f(F)    if nothing moves a rate and (1) differs by 1 ns in a window (1b)
 *
 * where tau_f is the time at the largest rate of f. (3) bounds the queues: bytes that are sent and
 * not acknowledged are in one of them, or on a link. (3b) holds over many windows and the skips
 * between them: a queue that grows by less than a packet in a short window would stand still in
 * every skip.
 *
 * A rate that rises for a time far longer than w, as after another flow has left, has halves that
 * agree, and every skip would put off its rise. So the sums R_k of the rates of all flows in the
 * quarters k = 1 to 4 of a window must not rise or fall all the time by more than by chance:
 *
 *     c |R_4 - R_1| <= e sum over f of r_f    if R_1 <= R_2 <= R_3 <= R_4, or the reverse (2b)
 *
 * with c of (4). If (2), (2b), (3) or (3b) fails, w doubles, t1 becomes t0, and h_f is taken again.
 * So a window finds its length itself, whatever the period of a congestion control is: averages
 * over longer ones differ less. It leaves the change before it behind, too, as it begins about w
 * after that one.
 *
 * If nothing moves a rate, no port must be offered more than it sends, either (DcnOfferedLoad, 3c).
 *
 * w begins with SHORT_PACKETS packets of the fastest host if all flows have their largest rate and
 * no packet is marked, since nothing will then move a rate; else with ROUNDS round trips of the
 * longest path, or periods of DCQCN's longest timer, as a control may be between two steps.
 *
 * **Skip** (after Wormhole, NSDI 2026, which skips steady states of packet simulations, too). With
 * r_f = r_f(0, 2),
 *
 *     T = min(min over f of u_f M / r_f,  c (t2 - t0)),    n_f = r_f T / M, rounded             (4)
 *
 * with c = LONG_STRETCH for windows of the first kind and SHORT_STRETCH for others, after which the
 * rates are measured again. A steady state is the same at a later time: pending arrivals, wake-ups
 * and timers, times in congestion controls and frames move by T, sequence numbers by n_f M. Queues,
 * rates and the phase of every frame stay. Devices count n_f packets and n_f acknowledgements more
 * on the path of f, so that bytes sent = bytes acknowledged in wire format + bytes on their way, as
 * with packets; marks continue at the rate of the window.
 *
 * A skip ends at once, with the T that has passed, if in its group a flow begins, or a message
 * comes to a connection without bytes to send (Touch), and if any flow moves or link changes
 * (TouchAll). Events that are not the engine's happen at their times. Counters of devices and flows
 * are those of the begin of a skip until it ends.
 *
 * Averages of marks, which fall while the rate of a flow stays at its largest, fall by the length
 * of a skip without marks.
 *
 * **Groups.** Flows act on each other on links that both cross, data or acknowledgements, and in a
 * switch whose shared buffer reaches a threshold (DcnPacketSwitch). A group is a connected
 * component of the flows: common links join them, in either direction, and common switches that can
 * fill (DcnSwitchBounds). A flow that begins is counted there at once. If (5) then fails, the
 * groups at the switch go on with packets, and become one.
 *
 * Groups share the clock, so that a message that waits for one of another group begins at its time.
 * A DcnCollector that records the remaining bytes of all flows ends all skips whenever a flow
 * begins or ends.
 *
 * **Cost of looking.** A group is looked at every k SHORT_PACKETS packets until its packets have
 * returned. k = 2^l, at least 1 and at most MOST_PATIENCE. l is kept for each link: it rises by one
 * if flows change before a skip, is at most 0 after a look at which nothing has changed, and
 * -CREDIT after a skip. So changes that follow each other between two skips, as at the begin of a
 * step of a ring, are looked at without delay.
 */
class DcnSteadySkip
{
  public:
    static constexpr uint32_t SHORT_PACKETS = 16; //!< of a window in which nothing moves a rate
    static constexpr uint32_t ROUNDS = 8;         //!< round trips of another one
    static constexpr int64_t LONG_STRETCH = 256;  //!< c if nothing moves a rate
    static constexpr int64_t SHORT_STRETCH = 8;   //!< c else
    static constexpr uint32_t MOST_PATIENCE = 8;  //!< largest k
    static constexpr int32_t CREDIT = 64;         //!< see Cost of looking

    /**
     * @param owner the network: its parameters, events and frames
     * @param devices all of the network, by directed link
     * @param packetNs time of a full packet on the fastest link of a host [ns]
     * @param frameBytes the longest frame [bytes]
     * @param tolerance e
     */
    DcnSteadySkip(DcnFlowOwner& owner,
                  const std::vector<Ptr<DcnPacketDevice>>& devices,
                  int64_t packetNs,
                  uint32_t frameBytes,
                  double tolerance);
    ~DcnSteadySkip();
    DcnSteadySkip(const DcnSteadySkip&) = delete;
    DcnSteadySkip& operator=(const DcnSteadySkip&) = delete;

    /**
     * @brief Refuse a configuration that cannot be skipped.
     * @param config the configuration
     * @throws DcnError if packets have many paths or selective repeat, or the congestion control
     * cannot be translated
     */
    static void CheckPossible(const DcnNetworkConfig& config);

    /**
     * @brief The first flow, connection or message is about to be added.
     * @throws DcnError as of CheckListeners
     */
    void Begin();

    /// @throws DcnError if there is a listener for every frame
    void CheckListeners() const;

    /**
     * @brief A flow, or a message of a connection, begins to send: the groups that it meets go on
     * with packets, and their next steady state has to be found.
     * @param flow the flow
     */
    void Touch(const DcnPacketFlow& flow);

    /// Something is about to change that may concern all flows: as Touch, for all groups.
    void TouchAll();

    /**
     * @brief A flow is acknowledged, or is about to move: no frame of it is in its switches.
     * @param flow the flow
     */
    void Forget(const DcnPacketFlow& flow);

    /// Let packets that are being skipped go on now.
    void ResumeAll();

    /**
     * @brief An event LOOK of DcnPacketEvents.
     * @param number the number that was given to it
     */
    void OnLook(uint64_t number);

    /** @return simulated time in which a group was skipped [ns]. */
    int64_t GetSkippedNs() const
    {
        return m_skippedNs;
    }

    /** @return skips. */
    uint64_t GetNSkips() const
    {
        return m_nSkips;
    }

  private:
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time [ns]
    static constexpr std::size_t QUARTERS = 4;                            //!< of a window
    static constexpr int64_t MOST_POLLS = 64; //!< least looks in the time of a long window

    /// What is looked for.
    enum class Phase
    {
        FILLING,   //!< packets of all flows to return
        MEASURING, //!< marks
        ENDING,    //!< a change that is near
    };

    /// A flow at a mark.
    struct Mark
    {
        uint64_t acknowledged; //!< a_f
        uint64_t sent;         //!< s_f
        int64_t progressNs;    //!< t_f
        uint64_t rateBps;      //!< of the congestion control [bit/s]
    };

    static constexpr double UNKNOWN = -1; //!< h_f before the first mark

    /// A flow of a group.
    struct Watched
    {
        DcnPacketFlow* flow;                  //!< the flow
        uint64_t need;                        //!< FILLING: byte to be acknowledged
        std::array<Mark, QUARTERS + 1> marks; //!< at t0, ..., t1, ..., t2
        double rate;                          //!< r_f [byte/ns]
        uint64_t packets;                     //!< n_f
        double heldBytes; //!< s_f - a_f at the first mark since the last change [byte]
    };

    /// Flows that are steady together or not at all; changes are those since it was formed.
    struct Group : DcnSkipPart
    {
        std::vector<Watched> flows;                 //!< all that send
        std::vector<DcnPacketDevice*> devices;      //!< both ends of their links
        std::vector<DcnSwitchDevice*> ports;        //!< those of switches
        Phase phase{Phase::FILLING};                //!< see Phase
        std::size_t nFilled{0};                     //!< flows whose packets have returned
        std::size_t nextMark{0};                    //!< MEASURING: the next one
        std::array<int64_t, QUARTERS + 1> markNs{}; //!< t0, ..., t2 [ns]
        int64_t windowNs{0};                        //!< w [ns]
        bool isQuiet{false};                        //!< nothing has moved a rate since t0
        std::array<std::vector<uint64_t>, QUARTERS + 1> marks; //!< packets marked by port
        bool isStretched{false}; //!< the skip ends by c, not by a flow
        int64_t lookNs{NEVER};   //!< next look, or end of the skip [ns]
        int32_t level{-CREDIT};  //!< l
        bool hasSkipped{false};  //!< since it was formed
        std::size_t nMembers{0}; //!< Regroup: flows found
    };

    /// Frames by flow.
    using Frames = std::unordered_map<const DcnPacketFlow*, std::vector<DcnFrame*>>;

    /// A flow that sends, and the directed links of its path.
    using Sending = std::pair<DcnPacketFlow*, std::vector<uint32_t>>;

    Group* GetGroup(const DcnPacketDevice* device) const;
    std::vector<uint32_t> GetLinks(const DcnPacketFlow& flow) const;
    void TouchGroup(Group& group);
    /// @return the time between two looks [ns]
    int64_t GetLookNs(int32_t level) const;
    void Plan(int64_t atNs);
    void Poll();
    void Regroup(int64_t nowNs);
    /// Counts the flows that send again, and couples the switches that can fill.
    std::vector<Sending> CountFlows();
    /// Makes sets of links: those of a flow, and those at a switch that is coupled.
    void JoinLinks(const std::vector<Sending>& flows);
    /// Ends the groups in which something has changed, or to which something has come.
    void DissolveChanged(const std::vector<Sending>& flows);
    /// Makes groups of the flows that are in none.
    void FormGroups(const std::vector<Sending>& flows);
    void Dissolve(Group& group);
    void Join(uint32_t a, uint32_t b);
    uint32_t FindRoot(uint32_t link);
    void Refill(Group& group, int64_t nowNs) const;
    void Look(Group& group, int64_t nowNs);
    void BeginWindow(Group& group, int64_t nowNs) const;
    static int64_t GetNextMarkNs(const Group& group);
    void PlanMark(Group& group, int64_t nowNs) const;
    static void SetMark(Group& group, std::size_t mark, int64_t nowNs);
    static bool IsQuiet(const Group& group);
    /// @return the time of a packet at the largest rate of a flow [ns]
    double GetPacketNs(const DcnPacketFlow& flow) const;
    bool IsSteady(Group& group) const;
    bool IsOverloaded(const Group& group) const;
    /// Returns how long all flows go on at their rates until the first one or its message ends
    /// [ns].
    double GetLongestSkipNs(const Group& group) const;
    /// @return u_f; 0: packets of an earlier message are on their way, or lost ones are repaired
    uint64_t GetSkippablePackets(const DcnPacketFlow& flow) const;
    /// @return the shortest w if a control may move a rate [ns]
    int64_t GetRoundsNs(const Group& group) const;
    /// Makes the window twice as long, without its first half.
    void ProlongWindow(Group& group, int64_t nowNs) const;
    void TrySkip(Group& group, int64_t nowNs);
    void CountSkipped(const DcnPacketFlow& flow, uint64_t packets) const;
    /// Moves devices and their counters to the end of a skip.
    void TranslateDevices(Group& group, int64_t skippedNs) const;
    /// @return the frames of flows in a group that is skipped, in its events and queues
    static Frames FindFrames(const Group& group);
    /// Moves flows and their frames there; their events have gone on.
    void TranslateFlows(const Group& group, Frames& frames, int64_t skippedNs) const;
    void Resume(Group& group, bool isEnd);

    DcnFlowOwner& m_owner;                                         //!< the network
    std::vector<DcnPacketDevice*> m_devices;                       //!< all, by directed link
    std::unordered_map<const DcnPacketDevice*, uint32_t> m_linkOf; //!< the reverse
    std::vector<const DcnHostDevice*> m_hosts;                     //!< those of hosts
    DcnSwitchBounds m_bounds;                                      //!< which switches can fill
    std::vector<bool> m_isCoupled;                                 //!< by switch: in one group
    int64_t m_pollNs;                                              //!< time between two looks [ns]
    double m_tolerance;                                            //!< e
    bool m_hasBegun{false};                                        //!< Begin was called
    uint32_t m_nStill{0};                                          //!< looks at no frames in a row
    std::vector<std::unique_ptr<Group>> m_groups;                  //!< all
    std::vector<int32_t> m_levels;                                 //!< l, by directed link
    std::vector<uint32_t> m_parents;                               //!< JoinLinks: sets of links
    int64_t m_regroupNs{NEVER};                                    //!< when groups are formed [ns]
    bool m_isPlanned{false};                                       //!< a look is pending
    int64_t m_eventNs{NEVER};                                      //!< its time [ns]
    uint64_t m_nPlans{0};                                          //!< looks that were planned
    uint32_t m_nFrozen{0};                                         //!< groups that are skipped
    int64_t m_sinceNs{0};                                          //!< when it was 0 last [ns]
    int64_t m_skippedNs{0};                                        //!< see GetSkippedNs
    uint64_t m_nSkips{0};                                          //!< see GetNSkips
};

} // namespace ns3

#endif /* DCN_STEADY_SKIP_H */
