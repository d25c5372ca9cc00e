/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_NETWORK_H
#define DCN_PACKET_NETWORK_H

#include "ns3/dcn-congestion-control.h"
#include "dcn-frame.h"
#include "dcn-host-device.h"
#include "dcn-packet-flow.h"
#include "dcn-packet-switch.h"

#include "ns3/dcn-closed-loop.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief The packet-level simulation of a scenario: devices on its nodes, and its flows.
 *
 * Install puts a DcnHostDevice or DcnSwitchDevice at both ends of every link, on the topology's own
 * ns-3 nodes, and a DcnPacketSwitch on every switch. Start lets the flows begin at their start
 * times counted from the present simulation time. Then Simulator::Run does the rest; Run wraps both
 * for programs that have nothing else to simulate.
 *
 * With InFlightPerRack the flows are those of a closed loop (DcnClosedLoop): a flow that reaches
 * its start time waits while its source's rack has that many flows in flight, and begins when the
 * last acknowledgement of one of them comes in. Its completion time counts from then
 * (GetReleaseNs).
 *
 * A flow's completion time runs from its start to the arrival of the packet that completes it at
 * the receiver. Semantics: doc/dcn-packet.rst.
 */
class DcnPacketNetwork : public Object
{
  public:
    /**
     * @brief Signature of FlowStarted and FlowDelivered.
     * @param flow the flow; the object serves another one after it is over
     */
    typedef void (*FlowCallback)(Ptr<const DcnPacketFlow> flow);

    /**
     * @brief Signature of FirstPacket.
     * @param flow the flow
     * @param hop links crossed so far, from 1: the queue is that of the path's link of this number
     * @param queueBytes wire bytes that wait there [bytes]
     */
    typedef void (*FirstPacketCallback)(Ptr<const DcnPacketFlow> flow,
                                        std::size_t hop,
                                        uint64_t queueBytes);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnPacketNetwork();
    ~DcnPacketNetwork() override;

    /**
     * @brief Make devices, channels and switches.
     * @param scenario topology, flows and configuration
     * @throws DcnError if a switch buffer is too small, or a path too long for HPCC's telemetry
     */
    void Install(Ptr<const DcnScenario> scenario);

    /**
     * @brief The same without flows: they are added while the simulation runs (AddFlow).
     * @param topology the network
     * @param network the configuration
     * @throws DcnError as above
     */
    void Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> network);

    /**
     * @brief Add a flow that starts now; only without a scenario.
     * @param flow ends and size; its start time is not looked at
     * @param path its links
     * @return its flow index: they are numbered from 0
     * @throws DcnError if the path is too long for HPCC's telemetry
     */
    std::size_t AddFlow(const DcnFlow& flow, DcnPath path);

    /**
     * @brief Schedule the flows; Install comes first.
     *
     * When the simulation ends is the caller's business: timers of DCQCN flows that can never
     * finish go on without end, so that Simulator::Stop is needed. Run sees to that by itself.
     */
    void Start();

    /**
     * @brief Start, and simulate until every flow has been delivered or nothing moves any more.
     *
     * The simulation time goes on; Simulator::Destroy is the caller's.
     */
    void Run();

    /** @return what is simulated; null before Install, and if flows are added one by one. */
    Ptr<const DcnScenario> GetScenario() const
    {
        return m_scenario;
    }

    /** @return completion time by flow index [ns], -1 for flows that are not complete. */
    const std::vector<int64_t>& GetFctNs() const;

    /**
     * @param flow flow index
     * @return when it began, from the scenario's time 0 [ns]: its start time, or later if the
     * closed loop held it back; -1 before
     */
    int64_t GetReleaseNs(std::size_t flow) const;

    /** @return flows that have started and are not complete, by the reason they wait. */
    std::map<std::string, uint64_t> GetUnfinished() const;

    /** @return data packets times links crossed: the work that the engine has done. */
    uint64_t GetDataPacketHops() const;
    /** @return packets dropped by all switches. */
    uint64_t GetNDropped() const;
    /** @return pauses sent by all switches. */
    uint64_t GetNPauses() const;

    /**
     * @param link directed link index of the topology
     * @return the device that sends on it
     */
    Ptr<DcnPacketDevice> GetDevice(uint32_t link) const;

    /**
     * @brief Addresses that packets carry in traces: 11.0.0.1 plus the node index.
     * @param flow flow index
     * @return source and destination
     */
    std::pair<Ipv4Address, Ipv4Address> GetAddresses(std::size_t flow) const;

    /** @return the switches. */
    const std::vector<Ptr<DcnPacketSwitch>>& GetSwitches() const;

    /**
     * @brief Let the random marking use a stream.
     * @param stream stream number
     * @return streams used: 1
     */
    int64_t AssignStreams(int64_t stream);

    // for flows and devices

    /** @return the configuration. */
    const DcnNetworkParameters& GetParameters() const
    {
        return *m_parameters;
    }

    /** @return packet sizes of the congestion control. */
    const DcnCongestionControl::WireFormat& GetWireFormat() const
    {
        return m_wireFormat;
    }

    /** @return where frames come from. */
    DcnFramePool& GetPool()
    {
        return m_pool;
    }

    /** @return least time between two NACKs for the same byte [ns]. */
    int64_t GetNackIntervalNs() const
    {
        return m_nackInterval.GetNanoSeconds();
    }

    /** @return time without progress after which a flow that has lost a frame sends again. */
    Time GetRetransmissionTimeout() const
    {
        return m_retransmissionTimeout;
    }

    /**
     * @brief The receiver has the whole flow.
     * @param flow the flow
     * @param nowNs present time [ns]
     */
    void OnDelivered(const DcnPacketFlow& flow, int64_t nowNs);

    /**
     * @brief The sender has the last acknowledgement of a flow.
     * @param flow the flow
     * @param nowNs present time [ns]
     */
    void OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs);

    /**
     * @brief A flow's first packet comes to a queue.
     * @param flow the flow
     * @param hop links crossed so far
     * @param queueBytes what waits there [bytes]
     */
    void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes);

    /**
     * @brief A flow object can serve another flow.
     * @param flow the object
     */
    void OnFlowOver(DcnPacketFlow* flow);

  private:
    void DoDispose() override;
    void Stop();
    void MakeLink(uint32_t link);
    void MakeSwitches();
    void StartDueFlows();
    void StartFlow(std::size_t index, int64_t nowNs);
    void BeginFlow(std::size_t index, uint64_t sizeBytes, DcnPath path, int64_t nowNs);
    void CheckPath(const DcnFlow& flow, DcnPath path) const;
    void Watch(uint64_t packetHops);
    bool CanMove() const;
    std::vector<DcnPacketDevice*> Route(DcnPath path, bool reverse) const;

    Ptr<const DcnScenario> m_scenario;              //!< what is simulated
    Ptr<const DcnTopology> m_topology;              //!< its network
    Ptr<const DcnNetworkConfig> m_config;           //!< its configuration
    const DcnNetworkParameters* m_parameters{nullptr}; //!< the configuration's values
    std::vector<DcnFlow> m_added;                   //!< flows of AddFlow, by flow index
    DcnCongestionControl::WireFormat m_wireFormat{}; //!< packet sizes
    DcnFramePool m_pool;                            //!< frames
    std::vector<Ptr<DcnPacketDevice>> m_devices;    //!< by directed link
    std::vector<Ptr<DcnPacketSwitch>> m_switches;   //!< one per switch node
    std::vector<Ptr<DcnPacketFlow>> m_flowObjects;  //!< all ever made
    std::vector<DcnPacketFlow*> m_freeFlows;        //!< those without a flow
    std::vector<int64_t> m_fctNs;                   //!< by flow index
    std::size_t m_nextFlow{0};                      //!< first flow not started
    std::size_t m_nDelivered{0};                    //!< flows complete
    uint32_t m_inFlightPerRack;                     //!< limit of the closed loop, 0: open loop
    std::unique_ptr<DcnClosedLoop> m_loop;          //!< holds flows back; null: open loop
    int64_t m_originNs{0};                          //!< simulation time of the scenario's 0 [ns]
    DcnProgress* m_progress{nullptr};               //!< set while Run is in charge of the simulator
    EventId m_start;                                //!< start of the next flow
    EventId m_watch;                                //!< next look at whether anything moves
    Ptr<UniformRandomVariable> m_uniform;           //!< for marking
    bool m_telemetryQuantised;                      //!< telemetry is rounded
    bool m_losslessHeadroom;                        //!< headroom covers all that can arrive
    Time m_nackInterval;                            //!< see GetNackIntervalNs
    Time m_retransmissionTimeout;                   //!< see GetRetransmissionTimeout

    TracedCallback<Ptr<const DcnPacketFlow>> m_flowStarted;   //!< FlowStarted
    TracedCallback<Ptr<const DcnPacketFlow>> m_flowDelivered; //!< FlowDelivered
    TracedCallback<Ptr<const DcnPacketFlow>, std::size_t, uint64_t> m_firstPacket; //!< FirstPacket
};

} // namespace ns3

#endif /* DCN_PACKET_NETWORK_H */
