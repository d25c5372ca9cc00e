/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Costs of collectives on hosts: the table, the choice of algorithm and protocol, and the
 * times of runs against closed forms.
 */

#include "dcn-test-case.h"
#include "dcn-train-test.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-train-fabric.h"
#include "ns3/dcn-train-graph-file.h"
#include "ns3/dcn-train-helper.h"
#include "ns3/dcn-train-protocols.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return the servers of a fabric of equal servers
DcnTrainServers
MakeServers(uint32_t nServers, uint32_t g, double scaleUpGbps = 3600, double nicGbps = 200)
{
    DcnTrainServers servers;
    for (uint32_t rank = 0; rank < nServers * g; ++rank)
    {
        servers.serverOf.push_back(rank / g);
    }
    servers.scaleUpGbps = scaleUpGbps;
    servers.nicGbps = nicGbps;
    return servers;
}

/// @return ranks 0, 1, 2, ...
std::vector<uint32_t>
MakeRanks(uint32_t n)
{
    std::vector<uint32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/**
 * @brief Run a collective of all hosts.
 * @param collective what is run
 * @param topology its hosts
 * @param engine of the network
 * @return its duration [ns]
 */
double
Measure(const DcnTrainCollective& collective,
        Ptr<DcnTopology> topology,
        const std::string& engine = "flowsim")
{
    const auto n = static_cast<uint32_t>(topology->GetHosts().size());
    auto graph = std::make_shared<DcnTrainGraph>(n);
    collective.AddTo(*graph, MakeRanks(n));
    DcnTrainHelper helper(engine);
    helper.GetNetworkHelper().SetConfig(
        DcnNetworkConfig::Preset("dctcp", topology->GetNicRates(topology->GetHosts())));
    Ptr<DcnTrainExecutor> executor = helper.Install(topology, graph);
    executor->Start();
    Simulator::Run();
    executor->CheckFinished();
    const auto& times = executor->GetOperationTimes()[0];
    const auto ns = static_cast<double>(times.endNs - times.beginNs);
    executor->Dispose();
    Simulator::Destroy();
    return ns;
}

/// @return two servers of eight accelerators with NICs of 200 Gb/s
Ptr<DcnTopology>
MakeTwoServers()
{
    DcnTrainFabric fabric;
    fabric.servers = 2;
    fabric.nicRate = DataRate("200Gbps");
    fabric.spineRate = fabric.nicRate;
    return fabric.Build();
}

/// A ring of all channels in one order uses one NIC of eight, and one link of a spine; over rails
/// it uses all NICs. Its closed form is the rate of all NICs of a server, with headers.
DCN_TEST_CASE(BusBandwidthTestCase, "the bus bandwidth of rings over rails")
{
    const Ptr<DcnTopology> topology = MakeTwoServers();
    DcnTrainCollective collective;
    collective.bytes = 256'000'000;
    collective.channels = 8;
    const double factor = DcnTrainCollective::GetBusFactor("all-reduce", 16);
    for (const uint32_t groupSize : {0, 8})
    {
        collective.groupSize = groupSize;
        const double gbps =
            8e0 * factor * static_cast<double>(collective.bytes) / Measure(collective, topology);
        // in one order, both messages between servers go from rail 7 by a spine to rail 0
        const double nics = groupSize > 0 ? 8 : 0.5;
        NS_TEST_EXPECT_MSG_EQ_TOL(gbps / (nics * 200 * 1000 / 1048),
                                  1,
                                  0.02,
                                  "bus bandwidth, servers of " << groupSize);
    }
    // two servers: a tree sends S up in one half and S down in the other, S in all from a server
    collective.algorithm = "double-binary-tree";
    collective.chunks = 64;
    const double ns = Measure(collective, topology);
    NS_TEST_EXPECT_MSG_EQ_TOL(8e0 * static_cast<double>(collective.bytes) / ns /
                                  (8 * 200 * 1000 / 1048.0),
                              0.96,
                              0.04,
                              "trees over rails");
}

/// Two ranks, a ring: launch, and twice a block that is copied, sent with overhead, and received.
DCN_TEST_CASE(ClosedFormTestCase, "a ring of two ranks with costs of hosts")
{
    const Ptr<DcnTopology> star = DcnMakeStar(2); // 10 Gb/s, 1 us
    DcnTrainProtocol row{"any", "ring", "P"};
    row.launchNs = 11'000;
    row.scaleOutNs = 5000;
    row.scaleUpNs = 777'000; // no hop within a server
    row.efficiency = 0.5;
    row.busGbps = 4;
    DcnTrainCollective collective;
    collective.bytes = 100'000;
    collective.algorithm = "auto";
    collective.protocols = std::make_shared<DcnTrainProtocols>(std::vector<DcnTrainProtocol>{row},
                                                               MakeServers(2, 1, 0, 10));
    const double copy = 8 * 50'000 / 4.0;
    const double packets = 100; // 50,000 bytes of data at an efficiency of a half
    const double network = 2000 + 1048 * 0.8 * (packets + 1);
    NS_TEST_EXPECT_MSG_EQ_TOL(Measure(collective, star),
                              11'000 + 2 * (copy + network + 5000),
                              200,
                              "duration");
    // in a server, hops have the other latency
    collective.protocols = std::make_shared<DcnTrainProtocols>(std::vector<DcnTrainProtocol>{row},
                                                               MakeServers(1, 2, 10, 10));
    NS_TEST_EXPECT_MSG_EQ_TOL(Measure(collective, star),
                              11'000 + 2 * (copy + network + 777'000),
                              200,
                              "in a server");
    const DcnTrainProtocols protocols({row}, MakeServers(1, 2, 10, 10));
    const auto choice = protocols.Choose(collective, {0, 1});
    NS_TEST_EXPECT_MSG_EQ_TOL(choice.expectedNs,
                              11'000 + 2 * 777'000 + 2 * copy,
                              1,
                              "copies take longer than links");
    collective.bytes = 3; // fewer bytes than blocks of all channels
    collective.channels = 4;
    NS_TEST_EXPECT_MSG_EQ_TOL(Measure(collective, star),
                              11'000 + 2 * 777'000,
                              10'000,
                              "three bytes");
}

/// The tuner: LL for small sizes, Simple for large ones, and no size is faster than a smaller one.
DCN_TEST_CASE(ChoiceTestCase, "the choice of algorithm and protocol by size")
{
    const auto table = DcnTrainProtocols::Read("nccl");
    const DcnTrainProtocols protocols(table, MakeServers(2, 8));
    DcnTrainCollective collective;
    collective.algorithm = "auto";
    collective.channels = 8;
    double beforeNs = 0;
    std::string last;
    for (uint64_t bytes = 8; bytes <= 8'589'934'592; bytes *= 2)
    {
        collective.bytes = bytes;
        const auto choice = protocols.Choose(collective, MakeRanks(16));
        NS_TEST_EXPECT_MSG_GT_OR_EQ(choice.expectedNs, beforeNs, "time of " << bytes);
        beforeNs = choice.expectedNs;
        last = choice.protocol->name;
        if (bytes == 8)
        {
            NS_TEST_EXPECT_MSG_EQ(last, "LL", "of 8 bytes");
            NS_TEST_EXPECT_MSG_EQ(choice.collective.channels, 1, "channels of 8 bytes");
        }
        for (const DcnTrainProtocol& row : table) // no row is better
        {
            DcnTrainCollective given = collective;
            given.algorithm = row.algorithm;
            if (row.operation != "all-to-all")
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(choice.expectedNs,
                                            protocols.Choose(given, MakeRanks(16)).expectedNs,
                                            row.algorithm << " of " << bytes);
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(last, "Simple", "of 8 GB");
    const auto large = protocols.Choose(collective, MakeRanks(16));
    NS_TEST_EXPECT_MSG_EQ(large.collective.algorithm, "double-binary-tree", "of two servers");
    NS_TEST_EXPECT_MSG_EQ(large.collective.groupSize, 8, "servers are known");
    NS_TEST_EXPECT_MSG_EQ(large.collective.channels, 8, "channels of 8 GB");
    NS_TEST_EXPECT_MSG_EQ(large.collective.chunks, DcnTrainProtocols::MOST_CHUNKS, "chunks");
    // members that are no servers of equal size: 0 to 2 of one server, 8 of the other
    NS_TEST_EXPECT_MSG_EQ(protocols.Choose(collective, {0, 1, 2, 8}).collective.groupSize,
                          0,
                          "no servers");
    NS_TEST_EXPECT_MSG_EQ(protocols.Choose(collective, {0, 1, 8, 9}).collective.groupSize,
                          2,
                          "parts of servers");
    // an earlier choice with another name and stream
    collective.name = "again";
    collective.stream = 7;
    const auto again = protocols.Choose(collective, MakeRanks(16));
    NS_TEST_EXPECT_MSG_EQ(again.collective.name, "again", "its own name");
    NS_TEST_EXPECT_MSG_EQ(again.collective.stream, 7, "its own stream");
    collective.channels = 0;
    DCN_TRAIN_EXPECT_ERROR_WITH(protocols.Choose(collective, MakeRanks(16)),
                                "a collective has at least one channel and one chunk, but 0 and 1");
    collective.channels = 8;
    collective.operation = "all-to-all";
    collective.algorithm = "hierarchical";
    DCN_TRAIN_EXPECT_ERROR_WITH(
        protocols.Choose(collective, MakeRanks(16)),
        "the table of collectives has no row for all-to-all of 8589934592 bytes "
        "with the algorithm hierarchical: add one, or name another algorithm");
}

DCN_TEST_CASE(TableTestCase, "tables are written as they are read, and checked")
{
    const std::string path = CreateTempDirFilename("protocols.csv");
    const auto table = DcnTrainProtocols::Read("nccl");
    DcnTrainProtocols::Write(table, path, {"a comment"});
    const auto again = DcnTrainProtocols::Read(path);
    NS_TEST_ASSERT_MSG_EQ(again.size(), table.size(), "rows");
    for (std::size_t i = 0; i < table.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(again[i].algorithm, table[i].algorithm, "algorithm");
        NS_TEST_EXPECT_MSG_EQ(again[i].launchNs, table[i].launchNs, "launch");
        NS_TEST_EXPECT_MSG_EQ(again[i].scaleUpNs, table[i].scaleUpNs, "hop");
        NS_TEST_EXPECT_MSG_EQ(again[i].efficiency, table[i].efficiency, "efficiency");
        NS_TEST_EXPECT_MSG_EQ(again[i].chunkBytes, table[i].chunkBytes, "chunk");
    }
    const std::string head = "operation,algorithm,protocol,least_bytes,most_bytes,launch_us,"
                             "scale_up_us,scale_out_us,efficiency,bus_gbps,chunk_bytes,"
                             "channel_bytes\n";
    const auto refuse = [&](const std::string& row) {
        std::ofstream(path) << head << row;
        return DcnTrainProtocols::Read(path);
    };
    DCN_TRAIN_EXPECT_ERROR_WITH(refuse(""),
                                "there is no row: a table of collectives has at least one");
    DCN_TRAIN_EXPECT_ERROR_WITH(
        refuse("reduce,ring,LL,0,0,1,1,1,1,0,0,1\n"),
        ":2: operation must be any or one of nccl-tests, such as all-reduce, but "
        "it is \"reduce\"");
    DCN_TRAIN_EXPECT_ERROR_WITH(refuse("all-to-all,ring,LL,0,0,1,1,1,1,0,0,1\n"),
                                ":2: there is no algorithm \"ring\" of the operation all-to-all");
    DCN_TRAIN_EXPECT_ERROR_WITH(refuse("any,ring,,0,0,1,1,1,1,0,0,1\n"),
                                ":2: the protocol has no name: give one, such as simple");
    DCN_TRAIN_EXPECT_ERROR_WITH(refuse("any,ring,LL,0,0,-1,1,1,1,0,0,1\n"),
                                ":2: launch_us must be from 0 to 6e7 us, but it is -1");
    DCN_TRAIN_EXPECT_ERROR_WITH(refuse("any,ring,LL,9,8,1,1,1,0,0,0,1\n"),
                                ":2: efficiency must be above 0 and at most 1");
    const std::string rest = ",1,1,1,1,0,0,1\n";
    const std::string first = "any,ring,LL,1,1024" + rest;
    for (const char* second : {"any,ring,LL,0,0", "any,ring,LL,1024,0", "any,ring,LL,0,1"})
    {
        DCN_TRAIN_EXPECT_ERROR_WITH(refuse(first + second + rest),
                                    ":3: the operation any with the algorithm ring and the "
                                    "protocol LL has a row before for some of these sizes");
    }
    for (const char* second : {"any,ring,LL,1025,0",
                               "any,ring,Simple,0,0",
                               "all-reduce,ring,LL,0,0",
                               "any,halving-doubling,LL,0,0"})
    {
        NS_TEST_EXPECT_MSG_EQ(refuse(first + second + rest).size(), 2, second);
    }
}

/// A graph with times of hosts is the same after it was written and read; GOAL has no such times.
DCN_TEST_CASE(GraphFileTestCase, "graph.csv has the times of hosts")
{
    auto graph = std::make_shared<DcnTrainGraph>(16);
    DcnTrainCollective collective;
    collective.bytes = 1'000'000;
    collective.algorithm = "auto";
    collective.channels = 8;
    collective.protocols =
        std::make_shared<DcnTrainProtocols>(DcnTrainProtocols::Read("nccl"), MakeServers(2, 8));
    collective.AddTo(*graph, MakeRanks(16));
    const std::string folder = CreateTempDirFilename("graph");
    DcnWriteTrainGraph(*graph, folder);
    DcnTrainGraphFile file(folder);
    uint32_t nTimes[4] = {0, 0, 0, 0}; // by kind
    for (uint32_t rank = 0; rank < 16; ++rank)
    {
        for (const DcnTrainNode& node : graph->GetNodes(rank))
        {
            DcnTrainNode read;
            NS_TEST_ASSERT_MSG_EQ(file.Fetch(rank, read), true, "a node");
            NS_TEST_EXPECT_MSG_EQ(read.durationNs, node.durationNs, "its time");
            nTimes[static_cast<std::size_t>(node.kind)] += node.durationNs > 0 ? 1 : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nTimes[static_cast<std::size_t>(DcnTrainKind::RECEIVE)], 0, "hops");
    NS_TEST_EXPECT_MSG_EQ(nTimes[static_cast<std::size_t>(DcnTrainKind::JOIN)], 16, "launches");
}

DcnTestSuite<BusBandwidthTestCase,
             ClosedFormTestCase,
             ChoiceTestCase,
             TableTestCase,
             GraphFileTestCase>
    g_dcnTrainProtocolsTestSuite("dcn-train-protocols"); //!< the suite

} // namespace
