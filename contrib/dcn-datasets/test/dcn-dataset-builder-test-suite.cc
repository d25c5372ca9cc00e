/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/files/dcn-dataset-file.h"
#include "../model/files/dcn-dataset-manifest.h"
#include "../model/generate/dcn-dataset-sampler.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-leaf-spine.h"
#include "dcn-test-optional.h"
#include "dcn-test-output.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-application.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-dataset-builder.h"
#include "ns3/dcn-dataset-conditions.h"
#include "ns3/dcn-dataset-generator.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-helper.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/test.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// A simulation of the user's own: TCP on a leaf-spine, with a collector.
class OwnSimulation
{
  public:
    /// A reception of a sink.
    struct Arrival
    {
        int64_t timeNs;   //!< when
        std::size_t flow; //!< of which flow
        uint64_t bytes;   //!< payload
    };

    /**
     * @param seed the flows depend on it
     * @param stopNs end of the simulation
     */
    explicit OwnSimulation(uint64_t seed, int64_t stopNs = 1'000'000'000)
    {
        m_network.AddIpv4();
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        std::map<Ptr<Application>, Ptr<PacketSink>> sinks;
        for (uint32_t i = 0; i < 8; ++i)
        {
            const uint32_t to = (i + 1 + static_cast<uint32_t>(seed) % 5) % DcnTestLeafSpine::HOSTS;
            const uint32_t from = i % DcnTestLeafSpine::HOSTS;
            const uint32_t receiver = to == from ? (to + 1) % DcnTestLeafSpine::HOSTS : to;
            const auto port = static_cast<uint16_t>(100 + i);
            PacketSinkHelper sink("ns3::TcpSocketFactory",
                                  InetSocketAddress(Ipv4Address::GetAny(), port));
            const Ptr<Application> sender =
                m_network.Send(from,
                               InetSocketAddress(m_network.GetIpv4(receiver), port),
                               20'000 * (1 + (seed * 7 + i * 3) % 11),
                               MicroSeconds(40 * i));
            sinks[sender] =
                DynamicCast<PacketSink>(sink.Install(m_network.hosts.Get(receiver)).Get(0));
        }
        DcnScenarioHelper reader;
        scenario = reader.FromApplications(m_network.nodes);
        collector->SetAttribute("RemainingBytes", BooleanValue(true));
        for (std::size_t flow = 0; flow < scenario->GetFlows().size(); ++flow)
        {
            const Ptr<Application> sender =
                reader.GetSources()[reader.GetSourceOf(flow)].application;
            collector->WatchTcpFlow(scenario,
                                    flow,
                                    DynamicCast<BulkSendApplication>(sender),
                                    sinks[sender]);
            sinks[sender]->TraceConnectWithoutContext(
                "Rx",
                Callback<void, Ptr<const Packet>, const Address&>(
                    [this, flow](Ptr<const Packet> packet, const Address&) {
                        arrivals.push_back(
                            {Simulator::Now().GetNanoSeconds(), flow, packet->GetSize()});
                    }));
        }
        Simulator::Stop(NanoSeconds(stopNs));
        Simulator::Run();
        collector->Finish();
    }

    Ptr<const DcnScenario> scenario;                            //!< the flows
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>(); //!< has watched them
    std::vector<Arrival> arrivals;                              //!< in the order of time

  private:
    DcnTestLeafSpine m_network; //!< destroys the simulator
};

/**
 * @param simulation a simulation
 * @param nDone number of its receptions that have happened
 * @return payload received so far, by flow
 */
std::vector<uint64_t>
GetReceived(const OwnSimulation& simulation, std::size_t nDone)
{
    std::vector<uint64_t> received(simulation.scenario->GetFlows().size(), 0);
    for (std::size_t i = 0; i < nDone; ++i)
    {
        received[simulation.arrivals[i].flow] += simulation.arrivals[i].bytes;
    }
    return received;
}

/// Own simulations, written and read back.
class RoundTripTestCase : public TestCase
{
  public:
    RoundTripTestCase()
        : TestCase("own simulations are read back as they were")
    {
    }

  private:
    /// Checks a sample against what the applications have seen.
    void Check(const DcnDatasetSample& sample, const OwnSimulation& simulation)
    {
        const auto& flows = simulation.scenario->GetFlows();
        const auto keys = simulation.scenario->GetNetworkConfig()->GetKeys();
        NS_TEST_EXPECT_MSG_EQ((sample.scenario->GetNetworkConfig()->GetKeys() == keys),
                              true,
                              "all keys of the configuration");
        NS_TEST_ASSERT_MSG_EQ(sample.scenario->GetFlows().size(), flows.size(), "flows");
        std::vector<int64_t> endNs(flows.size(), -1);
        for (const auto& arrival : simulation.arrivals)
        {
            endNs[arrival.flow] = arrival.timeNs;
        }
        const auto all = GetReceived(simulation, simulation.arrivals.size());
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const DcnFlow& flow = sample.scenario->GetFlows()[i];
            NS_TEST_EXPECT_MSG_EQ(flow.sizeBytes, flows[i].sizeBytes, "size of " << i);
            NS_TEST_EXPECT_MSG_EQ(flow.startNs, flows[i].startNs, "start of " << i);
            const bool isDone = all[i] == flows[i].sizeBytes;
            NS_TEST_EXPECT_MSG_EQ(sample.fctNs[i],
                                  isDone ? endNs[i] - flows[i].startNs : -1,
                                  "completion time of " << i);
            NS_TEST_EXPECT_MSG_EQ(((sample.flags[i] & DcnDatasetSample::UNFINISHED) != 0),
                                  !isDone,
                                  "flag of " << i);
            NS_TEST_EXPECT_MSG_EQ(sample.idealNs[i],
                                  simulation.scenario->GetIdealFct(i).GetTotalNs(),
                                  "ideal time of " << i);
        }
        // what receivers do not have: sizes of the flows that have arrived less what was received
        std::size_t nDone = 0;
        std::set<uint32_t> active;
        uint64_t nCompletions = 0;
        for (std::size_t e = 0; e < sample.events.size(); ++e)
        {
            const DcnDatasetSample::Event& event = sample.events[e];
            nCompletions += event.arrival ? 0 : 1;
            event.arrival ? (void)active.insert(event.flow) : (void)active.erase(event.flow);
            while (nDone < simulation.arrivals.size() &&
                   (simulation.arrivals[nDone].timeNs < event.timeNs ||
                    (simulation.arrivals[nDone].timeNs == event.timeNs && !event.arrival)))
            {
                ++nDone;
            }
            const auto received = GetReceived(simulation, nDone);
            std::set<uint32_t> listed;
            for (const auto& [flow, remainingBytes] : sample.actives[e])
            {
                listed.insert(flow);
                NS_TEST_EXPECT_MSG_EQ(remainingBytes,
                                      flows[flow].sizeBytes - received[flow],
                                      "flow " << flow << " at event " << e);
            }
            NS_TEST_EXPECT_MSG_EQ((listed == active), true, "active flows at event " << e);
        }
        NS_TEST_EXPECT_MSG_EQ(sample.events.size(), flows.size() + nCompletions, "events");
    }

    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("own");
        DcnDatasetBuilder data(folder, "ns-3 TCP; leaf-spine", 40, 2);
        for (uint64_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(data.GetNextSeed(), 40 + i, "seeds follow each other");
            // the last one is cut, so that some flows do not finish
            const OwnSimulation simulation(i, i == 2 ? 2'000'000 : 1'000'000'000);
            data.Add(simulation.scenario, *simulation.collector);
        }
        data.Commit();
        DcnDatasetReader reader(folder);
        reader.Verify();
        NS_TEST_EXPECT_MSG_EQ(reader.GetKind(), "fabric", "kind");
        NS_TEST_ASSERT_MSG_EQ(reader.GetN(), 3, "samples");
        NS_TEST_EXPECT_MSG_EQ(reader.GetNShards(), 2, "shards");
        uint64_t nUnfinished = 0;
        for (uint64_t i = 0; i < 3; ++i)
        {
            const DcnDatasetSample sample = reader.Read(i);
            NS_TEST_EXPECT_MSG_EQ(sample.seed, 40 + i, "seed");
            Check(sample, OwnSimulation(i, i == 2 ? 2'000'000 : 1'000'000'000));
            for (const int64_t fct : sample.fctNs)
            {
                nUnfinished += fct < 0 ? 1 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_GT(nUnfinished, 0, "the short one has unfinished flows");
        const std::string options = DcnReadTestFile(folder + "/dataset.csv");
        NS_TEST_EXPECT_MSG_EQ(
            (options.find("engine_digest,own: ns-3 TCP; leaf-spine\n") != std::string::npos),
            true,
            options);
        DCN_TEST_EXPECT_ERROR(DcnDatasetBuilder(folder, "other"),
                              folder + ": there is a data set in this folder: choose another "
                                       "folder");
    }
};

DCN_TEST_CASE(RefusalTestCase, "what is no sample; nothing half-written stays")
{
    const std::string folder = CreateTempDirFilename("none");
    DCN_TEST_EXPECT_ERROR(DcnDatasetBuilder(folder, "a,b"),
                          "the name of a simulation must not be empty or have commas, quotes or "
                          "line ends, but it is \"a,b\"");
    DCN_TEST_EXPECT_ERROR(DcnDatasetBuilder(folder, "a", 1, 0),
                          "a shard must have at least 1 sample, but it has 0");
    {
        DcnDatasetBuilder data(folder, "a", 1, 1);
        DCN_TEST_EXPECT_ERROR(data.Commit(), folder + ": a data set without samples");
        {
            const OwnSimulation simulation(1);
            data.Add(simulation.scenario, *simulation.collector); // a whole shard
            DCN_TEST_EXPECT_ERROR(data.Add(simulation.scenario, *CreateObject<DcnCollector>()),
                                  "the collector has watched 0 flows, but the scenario has 8");
            std::vector<DcnFlow> flows = simulation.scenario->GetFlows();
            flows.back().startNs += 1;
            DCN_TEST_EXPECT_ERROR(
                data.Add(DcnScenario::Create(simulation.scenario->GetTopologyPtr(),
                                             simulation.scenario->GetNetworkConfig(),
                                             flows),
                         *simulation.collector),
                "flow 7 started at 280000 ns, but in the scenario at 280001 ns");
        }
        const OwnSimulation cut(1, 100'000);
        DCN_TEST_EXPECT_ERROR(data.Add(cut.scenario, *cut.collector),
                              "flow 3 was not watched, or did not start");
    }
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::is_empty(folder), true, "no shard without Commit");
}

/// @return the attribute network_names of the first shard of a data set
std::string
GetNetworkNames(const std::string& folder)
{
    return DcnDatasetFile::Open(folder + "/" + DcnDatasetOptions::GetShardName(0))
        ->GetText("network_names")
        .value_or("");
}

DCN_TEST_CASE(KeysTestCase, "keys that differ from their defaults have a place from then on")
{
    const OwnSimulation simulation(1);
    // the same flows with a configuration of packets, whose keys are always written
    const auto& tcp = simulation.scenario;
    std::vector<DcnFlow> flows = tcp->GetFlows();
    DcnPathTable paths;
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
    {
        const DcnPath path = tcp->GetPath(flow);
        paths.Append({path.begin(), path.end()});
    }
    const Ptr<const DcnScenario> packets =
        DcnScenario::CreateWithPaths(tcp->GetTopologyPtr(),
                                     DcnNetworkConfig::Preset("hpcc", 1'000'000'000),
                                     std::move(flows),
                                     std::move(paths));
    const auto write = [&](const std::vector<Ptr<const DcnScenario>>& scenarios) {
        const std::string folder =
            CreateTempDirFilename("keys-" + std::to_string(scenarios.size()));
        DcnDatasetBuilder data(folder, "own");
        for (const auto& scenario : scenarios)
        {
            data.Add(scenario, *simulation.collector);
        }
        data.Commit();
        return folder;
    };
    const std::string plain = write({packets});
    for (const char* key : {"header_bytes",
                            "handshake_rtts",
                            "initial_window_bytes",
                            "slow_start_bytes",
                            "window_growth_divisor",
                            "queue_packets"})
    {
        NS_TEST_EXPECT_MSG_EQ(GetNetworkNames(plain).find(key),
                              std::string::npos,
                              key << " has no place in data sets of packets");
    }
    const std::vector<Ptr<const DcnScenario>> all{packets, tcp, packets, tcp};
    const std::string mixed = write(all);
    DcnDatasetReader reader(mixed);
    reader.Verify();
    NS_TEST_ASSERT_MSG_EQ(reader.GetN(), 4, "samples");
    for (uint64_t i = 0; i < 4; ++i)
    {
        const DcnDatasetSample sample = reader.Read(i);
        NS_TEST_EXPECT_MSG_EQ(sample.index, i, "number");
        NS_TEST_EXPECT_MSG_EQ((sample.scenario->GetNetworkConfig()->GetKeys() ==
                               all[i]->GetNetworkConfig()->GetKeys()),
                              true,
                              "keys of " << i);
        NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetIdealFct(3).GetTotalNs(),
                              all[i]->GetIdealFct(3).GetTotalNs(),
                              "ideal time of " << i);
        NS_TEST_EXPECT_MSG_EQ((sample.fctNs == reader.Read(1).fctNs), true, "times of " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(GetNetworkNames(mixed).rfind(GetNetworkNames(plain) + ",", 0),
                          0,
                          "the same names, and more after them");
    for (const auto& entry : std::filesystem::directory_iterator(mixed))
    {
        NS_TEST_EXPECT_MSG_EQ(entry.path().string().find(".part"), std::string::npos, "a rest");
    }
}

DCN_TEST_CASE(RepeatKeysTestCase, "keys of connections are those of the scenario that is repeated")
{
    const std::string folder = CreateTempDirFilename("connections");
    const std::string keys = "header_bytes=54,handshake_rtts=2,initial_window_bytes=4000,"
                             "slow_start_bytes=8000,window_growth_divisor=3,queue_packets=70";
    const auto digest = [&](const std::string& assignments) {
        const auto scenario =
            DcnMakeDumbbellScenario({{4, 0, 2, 60'000, 0}, {5, 1, 2, 90'000, 1'000}}, assignments);
        DcnWriteScenario(*scenario, folder);
        std::string text;
        for (const auto& [key, value] : DcnDatasetRecipe::OfScenario(folder).GetRules())
        {
            text += key == DcnDatasetRecipe::SCENARIO ? value : "";
        }
        return text;
    };
    const std::string plain = digest("");
    NS_TEST_EXPECT_MSG_EQ((plain.find("connections ") == 0), true, plain);
    const std::string connections = digest(keys);
    NS_TEST_EXPECT_MSG_EQ((plain == connections), false, "another data set");
    const DcnDatasetRecipe recipe = DcnDatasetRecipe::OfScenario(folder);
    const auto sampler = DcnDatasetSampler::Create(recipe, 1);
    for (uint64_t i = 0; i < 4; ++i)
    {
        const Ptr<const DcnScenario> drawn = sampler->Draw(i).scenario;
        const DcnNetworkParameters& network = drawn->GetNetwork();
        NS_TEST_EXPECT_MSG_EQ(network.headerBytes, 54, "header_bytes");
        NS_TEST_EXPECT_MSG_EQ(network.handshakeRtts, 2, "handshake_rtts");
        NS_TEST_EXPECT_MSG_EQ(network.initialWindowBytes, 4'000, "initial_window_bytes");
        NS_TEST_EXPECT_MSG_EQ(network.slowStartBytes, 8'000, "slow_start_bytes");
        NS_TEST_EXPECT_MSG_EQ(network.windowGrowthDivisor, 3, "window_growth_divisor");
        NS_TEST_EXPECT_MSG_EQ(network.queuePackets, 70, "queue_packets");
    }
}

DCN_TEST_CASE(RepeatTestCase, "a scenario directory under drawn configurations")
{
    const std::string folder = CreateTempDirFilename("scenario");
    const auto scenario = DcnMakeDumbbellScenario(
        {{4, 0, 2, 60'000, 0}, {5, 1, 2, 90'000, 1'000}, {6, 0, 3, 5'000, 2'000}},
        "payload_bytes=1448");
    DcnWriteScenario(*scenario, folder);
    DcnDatasetRecipe recipe = DcnDatasetRecipe::OfScenario(folder + "/");
    recipe.SetAll("cc=dctcp+hpcc,window_bytes=10000:20000");
    const std::string out = CreateTempDirFilename("repeated");
    DcnDatasetGenerator generator(recipe, 3, 5, 2, out);
    generator.Run(2);
    DcnDatasetReader reader(out);
    reader.Verify();
    NS_TEST_ASSERT_MSG_EQ(reader.GetN(), 5, "samples");
    std::set<uint64_t> windows;
    for (uint64_t i = 0; i < 5; ++i)
    {
        const DcnDatasetSample sample = reader.Read(i);
        const DcnNetworkParameters& network = sample.scenario->GetNetwork();
        windows.insert(network.windowBytes);
        NS_TEST_EXPECT_MSG_EQ((network.windowBytes >= 10'000 && network.windowBytes <= 20'000),
                              true,
                              "window " << network.windowBytes);
        NS_TEST_EXPECT_MSG_EQ(network.payloadBytes, 1448, "of the scenario");
        NS_TEST_ASSERT_MSG_EQ(sample.scenario->GetFlows().size(), 3, "flows");
        for (std::size_t flow = 0; flow < 3; ++flow)
        {
            const DcnFlow& expected = scenario->GetFlows()[flow];
            const DcnFlow& found = sample.scenario->GetFlows()[flow];
            NS_TEST_EXPECT_MSG_EQ(found.sizeBytes, expected.sizeBytes, "size");
            NS_TEST_EXPECT_MSG_EQ(found.startNs, expected.startNs, "start");
            NS_TEST_EXPECT_MSG_GT(sample.fctNs[flow], sample.idealNs[flow] - 1, "finished");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(windows.size(), 5, "a configuration each");
    const std::string options = DcnReadTestFile(out + "/dataset.csv");
    const std::string parent = std::filesystem::path(folder).parent_path().string();
    NS_TEST_EXPECT_MSG_EQ(options.find(parent), std::string::npos, "no path is recorded");
    NS_TEST_EXPECT_MSG_EQ(
        (options.find("--scenario=scenario --recipe=reduced") != std::string::npos),
        true,
        options);
    // another scenario of this name is another data set
    std::vector<DcnFlow> flows = scenario->GetFlows();
    flows[1].sizeBytes += 1;
    DcnWriteScenario(
        *DcnScenario::Create(scenario->GetTopologyPtr(), scenario->GetNetworkConfig(), flows),
        folder);
    DcnDatasetRecipe other = DcnDatasetRecipe::OfScenario(folder);
    other.SetAll("cc=dctcp+hpcc,window_bytes=10000:20000");
    const std::string sentence =
        DcnSentenceOf([&]() { DcnDatasetGenerator(other, 3, 5, 2, out).Run(1); });
    NS_TEST_EXPECT_MSG_EQ((sentence.find("was made with scenario=") != std::string::npos),
                          true,
                          sentence);
    DCN_TEST_EXPECT_ERROR(DcnDatasetRecipe(DcnDatasetRecipe::SCENARIO),
                          "the kind of a data set must be path or fabric, but it is \"scenario\"");
}

/// Samples of a suite are its scenarios with seed 32768 + s, with fewer flows.
DCN_TEST_CASE(SuiteTestCase, "scenarios of a suite")
{
    const std::string out = CreateTempDirFilename("suite");
    DcnDatasetRecipe recipe = DcnDatasetRecipe::OfSuite("anywhere");
    recipe.SetAll("packet_hops=20000,flows=60");
    const auto report = DcnDatasetGenerator(recipe, 7, 6, 3, out).Run(1);
    NS_TEST_EXPECT_MSG_EQ(report.made, 6, "samples");
    const DcnScenarioSuite suite("anywhere", 32768 + 7, 20000, "", 60);
    DcnDatasetReader reader(out);
    reader.Verify();
    NS_TEST_EXPECT_MSG_EQ(reader.GetKind(), "fabric", "for m3 and m4");
    std::set<std::string> topologies;
    for (uint64_t i = 0; i < 6; ++i)
    {
        const DcnSuiteScenario drawn = suite.Draw(i);
        topologies.insert(drawn.topology);
        DcnSuiteLoad load;
        const auto expected = suite.Create(drawn, load);
        const DcnDatasetSample sample = reader.Read(i);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(expected->GetFlows().size(), 60, "limit of flows");
        NS_TEST_ASSERT_MSG_EQ(sample.scenario->GetFlows().size(),
                              expected->GetFlows().size(),
                              "flows");
        for (std::size_t flow = 0; flow < expected->GetFlows().size(); ++flow)
        {
            NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetFlows()[flow].sizeBytes,
                                  expected->GetFlows()[flow].sizeBytes,
                                  "size");
            NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetPath(flow).size(),
                                  expected->GetPath(flow).size(),
                                  "path");
        }
        NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetNetwork().congestionControl,
                              drawn.congestionControl,
                              "congestion control");
        NS_TEST_EXPECT_MSG_EQ(sample.scenario->GetNetwork().windowBytes,
                              expected->GetNetwork().windowBytes,
                              "window");
    }
    NS_TEST_EXPECT_MSG_GT(topologies.size(), 2, "kinds of networks");
    // conditions of traffic are drawn again, and select samples
    const DcnDatasetConditions conditions(reader);
    const DcnSuiteScenario first = suite.Draw(0);
    const std::string family = first.sizes.substr(0, first.sizes.find(':'));
    DcnDatasetSelection some("sizes:nothing+" + family + ",cc:timely");
    std::set<std::string> families;
    for (uint64_t i = 0; i < 6; ++i)
    {
        const DcnSuiteScenario drawn = suite.Draw(i);
        const auto values = conditions.Get(reader.Read(i));
        const std::string own = drawn.sizes.substr(0, drawn.sizes.find(':'));
        families.insert(own);
        NS_TEST_EXPECT_MSG_EQ(values.at("sizes"), own, "sizes");
        NS_TEST_EXPECT_MSG_EQ(values.at("matrix"), drawn.matrix, "matrix");
        NS_TEST_EXPECT_MSG_EQ(values.at("topology"), drawn.topology, "topology");
        NS_TEST_EXPECT_MSG_EQ(values.at("host_gbps"), drawn.hostGbps, "rate");
        NS_TEST_EXPECT_MSG_EQ(values.at("cc"), drawn.congestionControl, "congestion control");
        NS_TEST_EXPECT_MSG_EQ(some.Has(values),
                              (own == family || drawn.congestionControl == "timely"),
                              "selected");
    }
    std::string all;
    for (const std::string& each : families)
    {
        all += (all.empty() ? "" : ", ") + each;
    }
    DCN_TEST_EXPECT_ERROR(some.RequireUse("leaveOut"),
                          "no sample has what the option leaveOut names, sizes \"nothing\"; the "
                          "samples have " +
                              all);
    DcnDatasetSelection other("rate:10");
    NS_TEST_EXPECT_MSG_EQ(other.Has(conditions.Get(reader.Read(0))), false, "not a condition");
    DCN_TEST_EXPECT_ERROR(
        other.RequireUse("leaveOut"),
        "the option leaveOut names the condition \"rate\", but the data sets have "
        "cc, host_gbps, matrix, sizes, topology");
    for (const std::string bad : {"web-server", ":web-server", "sizes:"})
    {
        DCN_TEST_EXPECT_ERROR(DcnDatasetSelection(bad),
                              "a selection of samples is CONDITION:VALUE or CONDITION:VALUE+VALUE, "
                              "such as sizes:web-server, but it is \"" +
                                  bad + '"');
    }
    NS_TEST_EXPECT_MSG_NE(DcnReadTestFile(out + "/dataset.csv").find("--suite=anywhere --rules="),
                          std::string::npos,
                          "command");
    DCN_TEST_EXPECT_ERROR(DcnDatasetRecipe::OfSuite("nowhere"),
                          "the suite \"nowhere\" is not one of sensitivity, congestion-controls, "
                          "network-configurations, m3-test-set, m4-test-set, anywhere, "
                          "fast, small, degenerate, tcp, defaults, smoke");
    DCN_TEST_EXPECT_ERROR(DcnDatasetRecipe(DcnDatasetRecipe::SUITE),
                          "the kind of a data set must be path or fabric, but it is \"suite\"");
}

/// Conditions of samples that rules have drawn.
DCN_TEST_CASE(ConditionsTestCase, "conditions of samples")
{
    for (const std::string kind : {"path", "fabric"})
    {
        const std::string out = CreateTempDirFilename(kind);
        DcnDatasetRecipe recipe(kind);
        recipe.SetAll("flows=20,sizes=exp+web-server,cc=hpcc");
        DcnDatasetGenerator(recipe, 5, 8, 8, out).Run(1);
        DcnDatasetReader reader(out);
        const DcnDatasetConditions conditions(reader);
        std::set<std::string> sizes;
        for (uint64_t i = 0; i < 8; ++i)
        {
            const DcnDatasetSample sample = reader.Read(i);
            const auto values = conditions.Get(sample);
            // the draw theta is 0 for sizes without a parameter
            NS_TEST_EXPECT_MSG_EQ(values.at("sizes"),
                                  (sample.draw[2] > 0 ? "exp" : "web-server"),
                                  i);
            sizes.insert(values.at("sizes"));
            NS_TEST_EXPECT_MSG_EQ(values.at("topology"), kind, "kind");
            NS_TEST_EXPECT_MSG_EQ(values.at("host_gbps"), "10", "rate");
            NS_TEST_EXPECT_MSG_EQ(values.at("cc"), "hpcc", "congestion control");
            NS_TEST_EXPECT_MSG_EQ(values.count("matrix"), (kind == "fabric" ? 1 : 0), "matrix");
        }
        NS_TEST_EXPECT_MSG_EQ(sizes.size(), 2, "both were drawn");
    }
}

DcnTestSuite g_dcnDatasetBuilderTestSuite("dcn-dataset-builder",
                                          {},
                                          DcnTestsIf(DcnDatasetReader::IsAvailable(),
                                                     DCN_NEED_HDF5,
                                                     {new RoundTripTestCase,
                                                      new RefusalTestCase,
                                                      new KeysTestCase,
                                                      new RepeatKeysTestCase,
                                                      new RepeatTestCase,
                                                      new SuiteTestCase,
                                                      new ConditionsTestCase})); //!< the suite

} // namespace
