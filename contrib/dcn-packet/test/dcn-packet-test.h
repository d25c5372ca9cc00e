/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_TEST_H
#define DCN_PACKET_TEST_H

#include "../model/engine/dcn-packet-flow.h"
#include "../model/engine/dcn-packet-switch.h"
#include "../model/engine/dcn-switch-device.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/dcn-packet-network.h"
#include "ns3/dcn-scenario.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <string>

/**
 * @ingroup dcn-packet-tests
 * @brief Chooses ns-3's scheduler as a user does, for the time of a block. With another one than
 * the wheel, ns-3 gets every event of the packet engine.
 */
class DcnTestScheduler
{
  public:
    /**
     * @param name of the scheduler; empty: no choice
     */
    explicit DcnTestScheduler(const std::string& name)
    {
        ns3::GlobalValue::GetValueByName("SchedulerType", m_before);
        if (!name.empty())
        {
            ns3::GlobalValue::Bind("SchedulerType", ns3::StringValue(name));
        }
    }

    ~DcnTestScheduler()
    {
        ns3::GlobalValue::Bind("SchedulerType", m_before);
    }

    DcnTestScheduler(const DcnTestScheduler&) = delete;
    DcnTestScheduler& operator=(const DcnTestScheduler&) = delete;

  private:
    ns3::TypeIdValue m_before; //!< the choice before
};

/**
 * @ingroup dcn-packet-tests
 * @brief A packet-level network on a scenario, disposed of with the simulator at the end of a
 * block.
 */
class DcnPacketTestNetwork
{
  public:
    /**
     * @param scenario to simulate
     * @param attribute of DcnPacketNetwork to set before Install; empty: none
     * @param value of the attribute
     */
    explicit DcnPacketTestNetwork(ns3::Ptr<const ns3::DcnScenario> scenario,
                                  const std::string& attribute = "",
                                  const ns3::AttributeValue& value = ns3::EmptyAttributeValue())
        : m_network(ns3::CreateObject<ns3::DcnPacketNetwork>())
    {
        if (!attribute.empty())
        {
            m_network->SetAttribute(attribute, value);
        }
        m_network->AssignStreams(1);
        m_network->Install(scenario);
    }

    ~DcnPacketTestNetwork()
    {
        m_network->Dispose();
        ns3::Simulator::Destroy();
    }

    DcnPacketTestNetwork(const DcnPacketTestNetwork&) = delete;
    DcnPacketTestNetwork& operator=(const DcnPacketTestNetwork&) = delete;

    /** @return the network. */
    ns3::DcnPacketNetwork* operator->() const
    {
        return ns3::PeekPointer(m_network);
    }

    /** @return the network. */
    ns3::Ptr<ns3::DcnPacketNetwork> Get() const
    {
        return m_network;
    }

    /**
     * @param link directed link index
     * @return the switch port that sends on it, null if a host does
     */
    ns3::Ptr<ns3::DcnSwitchDevice> GetPort(uint32_t link) const
    {
        return ns3::DynamicCast<ns3::DcnSwitchDevice>(m_network->GetDevice(link));
    }

  private:
    ns3::Ptr<ns3::DcnPacketNetwork> m_network; //!< the network
};

#endif /* DCN_PACKET_TEST_H */
