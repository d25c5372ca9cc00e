/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-estimator.h"

#include "dcn-packet-network.h"

#include "ns3/dcn-random.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnPacketEstimator);

TypeId
DcnPacketEstimator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnPacketEstimator")
                            .SetParent<DcnEstimator>()
                            .SetGroupName("DcnPacket")
                            .AddConstructor<DcnPacketEstimator>()
                            .AddAttribute("Seed",
                                          "Seed of the random ECN marking; 0: the scenario's.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&DcnPacketEstimator::m_seed),
                                          MakeUintegerChecker<uint64_t>());
    return tid;
}

std::string
DcnPacketEstimator::GetName() const
{
    return "packet";
}

uint64_t
DcnPacketEstimator::GetDataPacketHops() const
{
    return m_dataPacketHops;
}

void
DcnPacketEstimator::DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate)
{
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->AssignStreams(DcnRandom(m_seed ? m_seed : scenario->GetSeed()).GetStream(DcnPurpose::ECN_MARKING));
    network->Install(scenario);
    network->Run();
    estimate.fctNs = network->GetFctNs();
    estimate.unfinished = network->GetUnfinished();
    estimate.provenance = "packet-level simulation, " + scenario->GetNetwork().congestionControl;
    m_dataPacketHops = network->GetDataPacketHops();
    network->Dispose();
}

} // namespace ns3
