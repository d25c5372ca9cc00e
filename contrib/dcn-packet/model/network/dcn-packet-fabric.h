/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_FABRIC_H
#define DCN_PACKET_FABRIC_H

#include "../congestion/dcn-congestion-control.h"
#include "../transport/dcn-flow-path.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class DcnHostDevice;
class DcnPacketDevice;
class DcnPacketSwitch;
class DcnSwitchDevice;

/**
 * @ingroup dcn-packet
 * @brief The devices, cables and switches of a packet-level network, on the topology's ns-3 nodes.
 *
 * A DcnHostDevice or DcnSwitchDevice is at both ends of every link, and a DcnPacketSwitch on every
 * switch. The fabric knows frames and ports, but no flow. Devices are ns-3 objects: ns-3 has an
 * event for each that initialises it.
 */
class DcnPacketFabric
{
  public:
    /// Settings that are not in DcnNetworkConfig.
    struct Settings
    {
        bool telemetryQuantised{true}; //!< telemetry is rounded as in HPCC's wire format
        bool losslessHeadroom{false};  //!< headroom covers all that can arrive after a pause
        int64_t stream{0};             //!< random stream of marking and of random links
    };

    /**
     * @brief Make everything.
     * @param topology nodes and links
     * @param config the configuration
     * @param senders hosts that may send; thresholds of PFC follow their fastest NIC
     * @param settings see Settings
     * @throws DcnError if a frame, a switch or the number of links is too large for the engine, a
     * switch buffer is too small, or the configuration cannot be had on this topology
     */
    DcnPacketFabric(Ptr<const DcnTopology> topology,
                    Ptr<const DcnNetworkConfig> config,
                    const std::vector<uint32_t>& senders,
                    const Settings& settings);
    ~DcnPacketFabric();
    DcnPacketFabric(const DcnPacketFabric&) = delete;
    DcnPacketFabric& operator=(const DcnPacketFabric&) = delete;

    /// Devices let go of nodes, channels and each other; the counters of switches stay.
    void Dispose();

    /** @return devices by directed link: the transmitter of the link. */
    const std::vector<Ptr<DcnPacketDevice>>& GetDevices() const
    {
        return m_devices;
    }

    /** @return the shared buffers of the switches, by ascending node index. */
    const std::vector<Ptr<DcnPacketSwitch>>& GetSwitches() const
    {
        return m_switches;
    }

    /** @return sizes of packets. */
    const DcnCongestionControl::WireFormat& GetWireFormat() const
    {
        return m_wireFormat;
    }

    /** @return size of the smallest frame [bytes]. */
    uint32_t GetMinFrameBytes() const;

    /** @return size of the largest frame [bytes]. */
    uint32_t GetMaxFrameBytes() const;

    /** @return longest time of a frame on a link, delay included [ns]. */
    int64_t GetLongestHopNs() const;

    /** @return shortest time of a largest frame on the link of a host [ns]. */
    int64_t GetShortestPacketNs() const;

    /**
     * @brief Refuse a flow that the engine cannot simulate.
     * @param config the configuration
     * @param flow the flow
     * @param path its links
     * @throws DcnError if it has too many bytes, or as CheckPath
     */
    static void CheckFlow(const DcnNetworkConfig& config, const DcnFlow& flow, DcnPath path);

    /**
     * @brief Refuse a path that a flow cannot take.
     * @param config the configuration
     * @param flow the flow
     * @param path its links
     * @throws DcnError if the path is too long for the telemetry
     */
    static void CheckPath(const DcnNetworkConfig& config, const DcnFlow& flow, DcnPath path);

    /**
     * @param path links from a host to another
     * @return its ports, and its round-trip time
     */
    DcnFlowPath FindPath(DcnPath path) const;

    /**
     * @brief Change the rate of a cable from now on, or let it fail; both directions.
     *
     * A transmission in progress keeps its rate. Thresholds of marking follow the rate, the
     * headroom of PFC does not. Frames that wait for a cable that fails, are on it or come to it
     * are lost.
     * @param link one of its directed link indices
     * @param rateBps its rate [bit/s]; 0: it fails
     * @param nowNs present time [ns]
     */
    void ChangeLink(uint32_t link, uint64_t rateBps, int64_t nowNs);

    /**
     * @return h_l of DcnNetworkCut, by directed link: of the links as they are and as they are in
     * the topology, to which round-trip times refer, the shorter time [ns]
     */
    std::vector<int64_t> GetHopNs() const;

    /** @return listeners of trace sources of devices. */
    uint32_t GetNListeners() const;

    /**
     * @param fromNs earliest answer [ns]
     * @return end of the last transmission of a link that works [ns]
     */
    int64_t GetLastTransmissionNs(int64_t fromNs) const;

    /** @return data packets times links crossed, the unit of the engine's work. */
    uint64_t GetDataPacketHops() const;
    /** @return packets dropped by all switches. */
    uint64_t GetNDropped() const;
    /** @return frames lost with links that failed. */
    uint64_t GetNLost() const;
    /** @return pauses sent by all switches. */
    uint64_t GetNPauses() const;

  private:
    /// Without devices.
    DcnPacketFabric(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config);
    /// Refuses frames, switches and paths that the engine cannot have.
    void CheckConfig() const;
    /// Makes a cable and the devices at its ends; link is the even one of its directed links.
    void MakeLink(uint32_t link);
    /// Makes a switch; hostRateBps is the largest rate of the NICs of hosts that send [bit/s].
    void MakeSwitch(uint32_t node, uint64_t hostRateBps, const Settings& settings);

    Ptr<const DcnTopology> m_topology;             //!< nodes and links
    Ptr<const DcnNetworkConfig> m_config;          //!< the configuration
    DcnCongestionControl::WireFormat m_wireFormat; //!< see GetWireFormat
    std::unique_ptr<DcnRouting> m_routing;         //!< of load_balancing; null: one path per flow
    std::vector<Ptr<DcnPacketDevice>> m_devices;   //!< see GetDevices
    std::vector<Ptr<DcnPacketSwitch>> m_switches;  //!< see GetSwitches
};

} // namespace ns3

#endif /* DCN_PACKET_FABRIC_H */
