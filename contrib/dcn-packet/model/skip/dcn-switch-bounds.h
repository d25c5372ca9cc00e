/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SWITCH_BOUNDS_H
#define DCN_SWITCH_BOUNDS_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

class DcnFlowOwner;
class DcnPacketDevice;
class DcnPacketFlow;
class DcnPacketSwitch;
class DcnSwitchDevice;

/**
 * @ingroup dcn-packet
 * @brief What the flows of a network may leave in the shared buffers of its switches.
 *
 * **Problem.** Flows that cross a switch by different ports act on each other if its shared buffer
 * reaches a threshold (DcnPacketSwitch). Tell the switches where this cannot happen, whatever the
 * flows do.
 *
 * **Rule.** A switch cannot fill if, at each of its ports i,
 *
 *     B_i < (S - B) / 2^a_i                                                                     (5)
 *
 * with S: shared bytes; a_i: shift of the threshold; B_i, B: most bytes of the data class that come
 * from port i, and from all ports; and if no port has reached a threshold before. A frame that is
 * sent while less than a window is on its way leaves at most (W_f - 1) / M + 2 packets, each as
 * data or as acknowledgement, with W_f the window of flow f and M the payload of a packet [bytes];
 * messages that are not whole packets double this. B_i and B are sums of these over the flows that
 * cross the switch, so there is no such bound without a window, for messages of less than a packet,
 * and once a frame of the network was lost, as copies may be on their way.
 *
 * Proof that ports are then independent: let u_i and u be the bytes of port i and of all ports that
 * wait, with a frame that arrives. Then u_i <= B_i and u <= B, and the threshold of i is at least
 * (S - u) / 2^a_i >= (S - B) / 2^a_i > B_i >= u_i. So the frame takes no headroom, is not dropped
 * and pauses nobody, whatever the other ports have; the links of other groups do not see it.
 *
 * **Cost.** A flow that is counted or forgotten takes a step for each of its links.
 */
class DcnSwitchBounds
{
  public:
    /**
     * @param owner the network; outlives this object
     * @param devices all of the network, by directed link
     * @param frameBytes the longest frame [bytes]
     */
    DcnSwitchBounds(const DcnFlowOwner& owner,
                    const std::vector<DcnPacketDevice*>& devices,
                    uint32_t frameBytes);

    /** @return switches. */
    std::size_t GetNSwitches() const
    {
        return m_switches.size();
    }

    /**
     * @param link directed link that begins at a switch
     * @return number of the switch
     */
    uint32_t GetSwitchOf(uint32_t link) const
    {
        return m_switchOf[link];
    }

    /**
     * @param number of a switch
     * @return its ports, by number
     */
    const std::vector<DcnSwitchDevice*>& GetPorts(uint32_t number) const
    {
        return m_switches[number].ports;
    }

    /**
     * @param number of a switch
     * @return whether (5) does not hold
     */
    bool CanFill(uint32_t number) const;

    /**
     * @brief A flow may have frames in switches: it begins, or its bound has changed.
     * @param flow the flow
     * @param links directed links of its path
     */
    void Count(const DcnPacketFlow& flow, const std::vector<uint32_t>& links);

    /**
     * @brief No frame of a flow is in a switch.
     * @param flow the flow, perhaps not counted
     */
    void Forget(const DcnPacketFlow& flow);

    /// Forget all flows.
    void Clear();

    /** @return flows that are counted. */
    std::size_t GetNCounted() const
    {
        return m_counted.size();
    }

  private:
    static constexpr uint64_t ANY = UINT64_MAX; //!< no bound

    /// What may wait in a switch.
    struct Switch
    {
        DcnPacketSwitch* device{nullptr};    //!< the switch
        std::vector<DcnSwitchDevice*> ports; //!< see GetPorts
        std::vector<uint64_t> mostBytes;     //!< B_i [bytes]
        uint64_t mostOfAll{0};               //!< B [bytes]
        uint64_t nUnbounded{0};              //!< flows of which any number of frames may wait
    };

    /// What was counted of a flow.
    struct Counted
    {
        uint64_t frames;             //!< most of them; ANY: no bound
        std::vector<uint32_t> links; //!< of its path
    };

    uint64_t GetMostFrames(const DcnPacketFlow& flow) const;
    void Add(const Counted& counted, bool isAdded);

    const DcnFlowOwner& m_owner;                                 //!< the network
    const std::vector<DcnPacketDevice*>& m_devices;              //!< all, by directed link
    uint32_t m_frameBytes;                                       //!< of the longest frame
    std::vector<Switch> m_switches;                              //!< all
    std::vector<uint32_t> m_switchOf;                            //!< see GetSwitchOf
    std::unordered_map<const DcnPacketFlow*, Counted> m_counted; //!< those of Count
};

} // namespace ns3

#endif /* DCN_SWITCH_BOUNDS_H */
