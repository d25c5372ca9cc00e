/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TCP_ESTIMATOR_H
#define DCN_TCP_ESTIMATOR_H

#include "dcn-tcp-options.h"

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <string>

namespace ns3
{

class DcnCollector;

/**
 * @ingroup dcn-tcp
 * @brief Method "tcp": ns-3's own TCP on the scenario's paths (DcnTcpNetwork), a second ground
 * truth.
 *
 * The simulation runs in a process of its own. Nodes, clock, events, random streams and attribute
 * defaults of the user's simulation stay as they are. Attributes that are not among those below
 * have the defaults in force, as set by --ns3::TcpSocketBase::ReTxThreshold=2.
 *
 * Keys of the configuration without a meaning for TCP are listed in DcnEstimate::provenance. The
 * congestion control is that of the attribute Transport, whatever the key cc says.
 *
 * Attributes:
 * - Transport: a subclass of TcpCongestionOps, ns3::TcpDctcp by default;
 * - QueueDisc: of the ports of switches, ns3::RedQueueDisc by default. A queue disc with thresholds
 *   (MinTh, MaxTh) has those of the configuration, applied to the queue as it is; one with
 *   CeThreshold marks after the time in which Kmin leaves the port. The limit of each port is the
 *   configuration's buffer;
 * - HostQueueDisc: of the ports of hosts, with the same thresholds and limit;
 *   ns3::FqCoDelQueueDisc by default, so that a host's flows share its link as in the packet
 * engine;
 * - Ecn: sockets and queue discs use ECN. Without ECN, a queue disc with thresholds drops;
 * - MinRto, ConnTimeout: timeouts of segments and of the first SYN;
 * - DelAckCount, DelAckTimeout: delayed acknowledgements;
 * - InitialWindow: first window in segments; 0 (the default): that of initial_window_bytes, or 10
 *   segments where the configuration has none. A window that is set wins over the key;
 * - SocketBuffer, Sack: of the sockets;
 * - Seed: of random draws of queue discs and transports; 0: the scenario's.
 */
class DcnTcpEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;
    bool IsGroundTruth() const override;
    /** @return false: "packet" is the ground truth of the listed methods. */
    bool IsListed() const override;
    bool TakesMergedLinks() const override;

    /**
     * @brief Simulate in this process; its simulator must have no events, and the caller destroys
     * it.
     * @param scenario the scenario
     * @param seed of random draws
     * @param collector records all flows; may be null
     * @param estimate gets completion times, reasons of incomplete flows, events, busiest links
     * @return segments with payload times links crossed
     * @throws DcnError as DcnTcpNetwork
     */
    uint64_t Simulate(Ptr<const DcnScenario> scenario,
                      uint64_t seed,
                      Ptr<DcnCollector> collector,
                      DcnEstimate& estimate) const;

    /**
     * @brief Identifies the behaviour: equal digests have equal results for built-in scenarios (an
     * incast with losses, and flows of many sizes on a dumbbell). They are simulated in a process
     * of their own.
     * @return 16 hexadecimal digits
     */
    std::string GetDigest() const override;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;
    /// Returns the attributes of sockets and queue discs.
    DcnTcpOptions GetOptions() const;

    TypeId m_transport;       //!< see DcnTcpOptions
    TypeId m_queueDisc;       //!< see DcnTcpOptions
    TypeId m_hostQueueDisc;   //!< see DcnTcpOptions
    bool m_ecn;               //!< see DcnTcpOptions
    Time m_minRto;            //!< see DcnTcpOptions
    Time m_connTimeout;       //!< see DcnTcpOptions
    Time m_delayedAckTimeout; //!< see DcnTcpOptions
    uint32_t m_delayedAcks;   //!< see DcnTcpOptions
    uint32_t m_initialWindow; //!< see DcnTcpOptions
    uint32_t m_socketBuffer;  //!< see DcnTcpOptions
    bool m_sack;              //!< see DcnTcpOptions
    uint64_t m_seed;          //!< of random draws, 0: the scenario's
};

} // namespace ns3

#endif /* DCN_TCP_ESTIMATOR_H */
