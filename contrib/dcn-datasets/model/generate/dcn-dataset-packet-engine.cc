/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-packet-engine.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-packet-network.h"
#include "ns3/dcn-random.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDatasetPacketEngine");

namespace
{

/// Makes the engine known.
const DcnDatasetEngine::Registration g_registration(
    DcnDatasetEngine::DEFAULT,
    [](const std::string& name) -> std::unique_ptr<DcnDatasetEngine> {
        return std::make_unique<DcnDatasetPacketEngine>(name);
    });

} // namespace

DcnDatasetPacketEngine::DcnDatasetPacketEngine(const std::string& name)
    : DcnDatasetEngine(name)
{
    if (name != DEFAULT)
    {
        DcnFail("the engine of a data set is \"",
                name,
                "\", but the engine packet takes its attributes as "
                "--ns3::DcnPacketNetwork::NAME=VALUE");
    }
}

std::string
DcnDatasetPacketEngine::GetDigest() const
{
    return DcnEstimator::CreateByName("packet")->GetDigest();
}

void
DcnDatasetPacketEngine::Check(const DcnDatasetRecipe& /* recipe */) const
{
}

uint64_t
DcnDatasetPacketEngine::Simulate(Ptr<const DcnScenario> scenario,
                                 uint64_t seed,
                                 Ptr<DcnCollector> collector) const
{
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->AssignStreams(DcnRandom(seed).GetStream(DcnPurpose::ECN_MARKING));
    try
    {
        network->Install(scenario);
    }
    catch (const DcnError&)
    {
        network->Dispose();
        throw;
    }
    collector->Watch(network);
    network->Run();
    const uint64_t packetHops = network->GetDataPacketHops();
    NS_LOG_INFO(packetHops << " packet-hops");
    network->Dispose();
    return packetHops;
}

} // namespace ns3
