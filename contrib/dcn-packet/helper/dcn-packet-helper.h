/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_HELPER_H
#define DCN_PACKET_HELPER_H

#include "ns3/dcn-estimator-helper.h"
#include "ns3/dcn-packet-network.h"
#include "ns3/dcn-scenario.h"
#include "ns3/object-factory.h"
#include "ns3/trace-helper.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Makes packet-level networks, and traces of their frames by ns-3's usual calls.
 *
 *     DcnPacketHelper helper;
 *     helper.SetNetworkAttribute("LosslessHeadroom", BooleanValue(true));
 *     Ptr<DcnPacketNetwork> network = helper.Install(scenario);
 *     helper.EnablePcap("dcn", network->GetDevice(0)); // dcn-<node>-<device>.pcap
 *     network->Run();
 *
 * EnablePcap... and EnableAscii... record the frames that a DcnPacketDevice sends, when their
 * transmission begins, and received frames, when they are complete, pause frames included.
 * The pcap link type is Ethernet; doc/dcn-packet.rst has the layout. A line of an ascii trace
 * begins with t (transmitted) or r (received). Time stamps of pcap files are in microseconds unless
 * the attribute NanosecMode of ns3::PcapFileWrapper is set. EnablePcapAll and EnableAsciiAll skip
 * devices of other types.
 */
class DcnPacketHelper : public DcnNetworkMethodHelper,
                        public PcapHelperForDevice,
                        public AsciiTraceHelperForDevice
{
  public:
    DcnPacketHelper();
    ~DcnPacketHelper() override = default;

    using DcnNetworkMethodHelper::Install;

    /**
     * @brief Set an attribute of the networks made from now on.
     * @param name of the attribute of DcnPacketNetwork
     * @param value of the attribute
     */
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @brief Make a network: devices and switches on the nodes of the scenario's topology.
     * @param scenario topology, flows and configuration
     * @return the network, not started
     * @throws DcnError as DcnPacketNetwork::Install
     */
    Ptr<DcnPacketNetwork> Install(Ptr<const DcnScenario> scenario) const;

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> nd,
                             bool explicitFilename) override;

    ObjectFactory m_factory; //!< of networks
};

} // namespace ns3

#endif /* DCN_PACKET_HELPER_H */
