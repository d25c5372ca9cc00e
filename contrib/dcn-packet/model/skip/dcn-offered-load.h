/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_OFFERED_LOAD_H
#define DCN_OFFERED_LOAD_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

class DcnFlowOwner;
class DcnPacketDevice;
class DcnPacketFlow;

/**
 * @ingroup dcn-packet
 * @brief What flows offer to the ports on their paths while nothing moves a rate.
 *
 * **Problem.** A queue that grows by 1 % of a link grows by less than a packet in a short window,
 * so that a measurement does not see it, and a skip would let it stand still. Tell such a port
 * before the first skip.
 *
 * **Symbols.** r_f: measured rate of flow f [byte/ns]; M: payload of a packet [byte]; e: tolerance;
 * s_f - a_f: bytes sent and not acknowledged; W_f: window; x_f, y_f: data packets and
 * acknowledgements that f offers to its links [1/ns]; F, A: bytes of a data packet and of an
 * acknowledgement on the wire; tau_p(b): time in which port p sends b bytes [ns].
 *
 * **Rule.** A port must not be offered more than it sends:
 *
 *     sum over f of x_f tau_p(F) + sum over f of y_f tau_p(A) <= 1 + ROUNDING                  (3c)
 *
 * for every port p that a paced flow crosses. A flow is paced unless its window holds it
 * (s_f - a_f + 2 M > W_f). It offers packets at the rate of its control, less where the link of its
 * host has no time for that; all others, and acknowledgements, come at (1 - e) r_f / M. Times are
 * whole nanoseconds, which may exceed a link by ROUNDING.
 *
 * **Cost.** Two passes over the flows and their links.
 */
class DcnOfferedLoad
{
  public:
    static constexpr double ROUNDING = 2e-3; //!< excess of (3c) that rounded times may make

    /// A flow as it was measured.
    struct Measured
    {
        const DcnPacketFlow* flow; //!< f
        double rate;               //!< r_f [byte/ns]
        uint64_t onTheWay;         //!< s_f - a_f [byte]
    };

    /**
     * @param owner the network: its parameters and packet sizes; outlives this object
     * @param tolerance e
     */
    DcnOfferedLoad(const DcnFlowOwner& owner, double tolerance);

    /**
     * @param flows all that cross the ports
     * @return whether (3c) does not hold
     */
    bool Exceeds(const std::vector<Measured>& flows) const;

  private:
    /// Shares of the time of a host's link.
    struct Load
    {
        double held{0};  //!< acknowledgements, and flows that wait for their windows
        double paced{0}; //!< the others would take
    };

    using HostLoads = std::unordered_map<const DcnPacketDevice*, Load>; //!< by transmitter

    bool IsHeld(const Measured& measured) const;
    double GetPacketsPerNs(const Measured& measured) const;
    HostLoads FindHostLoads(const std::vector<Measured>& flows) const;

    const DcnFlowOwner& m_owner; //!< the network
    double m_tolerance;          //!< e
    uint32_t m_ackBytes;         //!< A [bytes]
    uint32_t m_wireBytes;        //!< F [bytes]
};

} // namespace ns3

#endif /* DCN_OFFERED_LOAD_H */
