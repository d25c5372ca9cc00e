/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NETWORK_LIMITS_H
#define DCN_NETWORK_LIMITS_H

#include "dcn-scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Say before a run where the configuration, rather than the network, limits flows.
 *
 * With b the smallest rate of a flow's path and T its round-trip time (DcnBaseRttNs), there is a
 * sentence for
 * - flows whose window is below half of b T: alone they use less than half of their path;
 * - flows whose smallest rate is above b: alone they overload their path;
 * - hosts that send at several rates: which values follow the NIC.
 * @param scenario flows, paths and configuration
 * @return sentences with the numbers of one such flow; none if there is nothing to say
 */
std::vector<std::string> DcnDescribeNetworkLimits(const DcnScenario& scenario);

/**
 * @ingroup dcn
 * @brief How many bytes may wait for a link before the shared buffer of its switch acts on flows.
 *
 * Methods that simulate links alone, fluids and learned ones have queues without a bound, or none.
 * Packets do: a switch that runs out of buffer pauses senders (pfc) or drops packets. Its buffer of
 * B bytes has, for each port p, a reserve r (4096 bytes), a headroom h_p (three one-way
 * bandwidth-delay products) and a share of what is free: port p takes part with x_p bytes as long
 * as x_p < (P - sum x) / 2^a_p, P = B - sum r - sum h (DcnPacketSwitch). Packets that wait for one
 * link came in by the n ports on the paths of its flows. If none of these has reached its
 * threshold, then with A = sum 2^-a_p over them
 *
 *     sum x < (P - sum x) A,    so that    Q = sum (r + x_p) < n r + P A / (1 + A).
 *
 * A queue of so many bytes therefore pauses a sender in any case. Without PFC packets are lost once
 * the headroom is full, too: Q is at most n r + P A / (1 + A) + sum h_p. Queues of other links in
 * the same switch only lower these limits.
 *
 * An example: 3 ports of 10 Gb/s and 1 us, B = 100,000 bytes: r = 4096, h = 3750, P = 76,462. Two
 * hosts send to the third one, a = 3: A = 1/4, and Q = 8192 + 76,462 / 5 = 23,484 bytes.
 */
class DcnBufferRoom
{
  public:
    /**
     * @param scenario flows, paths and configuration
     */
    explicit DcnBufferRoom(Ptr<const DcnScenario> scenario);

    /**
     * @param link directed link index
     * @return bytes that wait for it when its switch certainly pauses a sender (pfc) or drops a
     * packet; the largest number where it leaves a host, or no flow comes to it by another link
     */
    uint64_t Get(uint32_t link) const;

    /**
     * @brief The queues that flows make together before any of them can know.
     *
     * A flow sends its window, or without one for a round trip, at the rate of its NIC, one after
     * another: where many start together, acknowledgements come no earlier. The queue of a link
     * fills with what comes in at a time, at most at the rate of each link before it, and empties
     * at the link's rate. Links whose flows could not fill the buffer are left out.
     *
     * @return largest queue by directed link [bytes]; 0: below Get
     */
    std::vector<uint64_t> FindBursts() const;

    /**
     * @param queueBytes largest queue by directed link [bytes]; links of hosts do not count
     * @param where what this number is, as in "in its link simulation"
     * @return a sentence if a queue is as large as Get or larger: how many are, the one that
     * exceeds it most, and what the switch does then
     */
    std::vector<std::string> Describe(const std::vector<uint64_t>& queueBytes,
                                      const std::string& where) const;

  private:
    /// What a port of a switch may take.
    struct Port
    {
        double share;         //!< 2^-a
        double headroomBytes; //!< h
    };

    /// Bytes that a flow sends without an answer.
    struct Burst
    {
        double beginNs;  //!< its first bit leaves the NIC
        double bytes;    //!< on the wire
        uint64_t nicBps; //!< rate of the NIC
    };

    /// @return what flows that come in by a link may take of the switch at its end
    Port GetPort(uint32_t link) const;
    /// @return P of a switch [bytes]
    double GetSharedBytes(uint32_t node) const;
    /// @return bytes of a link that is entered by some ports, see Get
    uint64_t GetRoom(uint32_t link, const std::vector<uint32_t>& ports) const;
    /// @return the least that Get can be: of the port that may take least [bytes]
    std::vector<uint64_t> GetLeastRooms() const;
    /**
     * @param bound gets by link the largest queue if each burst came at once [bytes]; zeros before
     * @return the bursts, by flow
     */
    std::vector<Burst> MakeBursts(std::vector<double>& bound) const;
    /// @return by link: the links by which the flows of it come in, where asked for
    std::vector<std::vector<uint32_t>> FindPorts(const std::vector<char>& isAsked) const;

    Ptr<const DcnScenario> m_scenario; //!< flows, paths and configuration
    uint64_t m_hostBps;                //!< rate of the fastest NIC that sends, unit of a [bit/s]
};

} // namespace ns3

#endif /* DCN_NETWORK_LIMITS_H */
