/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-engine-digest.h"

#include "../engine/dcn-switch-device.h"
#include "../network/dcn-packet-network.h"

#include "ns3/dcn-origin.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-task-farm.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketEngineDigest");

namespace
{

constexpr uint64_t HOST_RATE_BPS = 10'000'000'000; //!< of all hosts
constexpr int64_t DELAY_NS = 1000;                 //!< of all links

/**
 * Nine hosts at a switch; eight of them send to the first, three times.
 * @param network the configuration
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeIncast(Ptr<const DcnNetworkConfig> network)
{
    constexpr uint32_t N_SENDERS = 8;
    DcnTopologyBuilder builder;
    const uint32_t middle = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t receiver = builder.AddNode(DcnNodeKind::HOST);
    builder.AddLink(middle, receiver, HOST_RATE_BPS, DELAY_NS);
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < N_SENDERS; ++i)
    {
        const uint32_t sender = builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(sender, middle, HOST_RATE_BPS, DELAY_NS);
        for (uint32_t round = 0; round < 3; ++round)
        {
            flows.push_back({flows.size(),
                             sender,
                             receiver,
                             9'731 + 6'173 * i + 2'111 * round,
                             static_cast<int64_t>(200'000 * round + 137 * i)});
        }
    }
    return DcnScenario::Create(builder.Build(), network, std::move(flows));
}

/**
 * Three senders at a switch, whose long flows share a link to another switch for a while; then one
 * after the other is over.
 * @param network the configuration
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeLongFlows(Ptr<const DcnNetworkConfig> network)
{
    DcnTopologyBuilder builder;
    const uint32_t first = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t second = builder.AddNode(DcnNodeKind::SWITCH);
    const uint32_t receiver = builder.AddNode(DcnNodeKind::HOST);
    builder.AddLink(first, second, HOST_RATE_BPS, 3 * DELAY_NS);
    builder.AddLink(second, receiver, HOST_RATE_BPS, DELAY_NS);
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 3; ++i)
    {
        const uint32_t sender = builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(sender, first, HOST_RATE_BPS, DELAY_NS * (1 + i));
        flows.push_back({i, sender, receiver, 1'400'000u >> i, 170'000 * i});
    }
    return DcnScenario::Create(builder.Build(), network, std::move(flows));
}

/**
 * Four switches in a row with three hosts each; 300 flows of 100 bytes to 100 kilobytes.
 * @param network the configuration
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeParkingLot(Ptr<const DcnNetworkConfig> network)
{
    constexpr uint32_t N_SWITCHES = 4;
    constexpr uint32_t N_HOSTS = 12;
    constexpr uint64_t N_FLOWS = 300;
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i < N_SWITCHES; ++i)
    {
        builder.AddNode(DcnNodeKind::SWITCH);
    }
    builder.AddLink(0, 1, HOST_RATE_BPS, DELAY_NS);
    builder.AddLink(1, 2, 4 * HOST_RATE_BPS, 2 * DELAY_NS);
    builder.AddLink(2, 3, HOST_RATE_BPS, DELAY_NS);
    for (uint32_t i = 0; i < N_HOSTS; ++i)
    {
        const uint32_t host = builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(host, i % N_SWITCHES, HOST_RATE_BPS, DELAY_NS);
    }
    std::vector<DcnFlow> flows;
    for (uint64_t i = 0; i < N_FLOWS; ++i)
    {
        const auto from = static_cast<uint32_t>(7 * i % N_HOSTS);
        const auto to = static_cast<uint32_t>((from + 1 + 5 * i % (N_HOSTS - 1)) % N_HOSTS);
        const uint64_t sizeBytes = (100 + i * i * 7'919 % 19'997) * (i % 10 == 3 ? 5 : 1);
        flows.push_back(
            {i, N_SWITCHES + from, N_SWITCHES + to, sizeBytes, static_cast<int64_t>(4'001 * i)});
    }
    return DcnScenario::Create(builder.Build(), network, std::move(flows));
}

/**
 * Simulate a scenario.
 * @param name of the scenario
 * @param scenario topology, flows and configuration
 * @param out gets its line
 */
void
Simulate(const std::string& name, Ptr<const DcnScenario> scenario, std::ostream& out)
{
    Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
    network->AssignStreams(DcnRandom(1).GetStream(DcnPurpose::ECN_MARKING));
    network->Install(scenario);
    network->Run();
    uint64_t nMarked = 0;
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        const auto port = DynamicCast<DcnSwitchDevice>(network->GetDevice(link));
        nMarked += port ? port->GetNMarked() : 0;
    }
    uint64_t nUnfinished = 0;
    for (const auto& [reason, n] : network->GetUnfinished())
    {
        nUnfinished += n;
    }
    out << name << ": dropped " << network->GetNDropped() << ", pauses " << network->GetNPauses()
        << ", marked " << nMarked << ", packet-hops " << network->GetDataPacketHops()
        << ", unfinished " << nUnfinished << "; fct_ns";
    for (const int64_t fct : network->GetFctNs())
    {
        out << ' ' << fct;
    }
    out << '\n';
    network->Dispose();
    Simulator::Destroy();
}

/// @return the lines of all scenarios
std::string
SimulateAll()
{
    Simulator::Destroy(); // the parent process, of which this one is a copy, may have events
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    std::ostringstream out;
    for (const std::string& cc : DcnScenarioSuite::GetLearnedControls())
    {
        auto configure = [&cc](const std::string& preset, const std::string& keys) {
            Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(cc, HOST_RATE_BPS, preset);
            for (const auto& [key, value] : DcnRecipe::Parse(keys))
            {
                network->SetKey(key, value); // whatever defaults a user has changed
            }
            return network;
        };
        Simulate(cc + " incast, pauses",
                 MakeIncast(configure("evaluation", "pfc=1,buffer_bytes=150000")),
                 out);
        Simulate(cc + " incast, drops",
                 MakeIncast(configure("evaluation", "pfc=0,buffer_bytes=110000")),
                 out);
        Simulate(cc + " long flows", MakeLongFlows(configure("evaluation", "")), out);
        Simulate(cc + " parking lot", MakeParkingLot(configure("evaluation", "")), out);
        if (cc == "dctcp")
        {
            continue; // there is no preset of its paper
        }
        // the papers' byte counter of 10 MB and round-trip time of 500 us would need longer flows
        const std::string shorter = cc == "dcqcn"    ? "dcqcn_byte_counter_bytes=20000"
                                    : cc == "timely" ? "timely_high_ns=60000"
                                                     : "";
        Simulate(cc + " long flows, paper", MakeLongFlows(configure("paper", shorter)), out);
        Simulate(cc + " parking lot, paper", MakeParkingLot(configure("paper", "")), out);
    }
    return out.str();
}

} // namespace

const std::string&
DcnPacketEngineRecord()
{
    static const std::string record =
        DcnComputeInProcesses(1, 1, [](uint64_t) { return SimulateAll(); }).front();
    return record;
}

const std::string&
DcnPacketEngineDigest()
{
    static const std::string digest = DcnHashText(DcnPacketEngineRecord());
    NS_LOG_INFO("digest of the packet engine: " << digest);
    return digest;
}

} // namespace ns3
