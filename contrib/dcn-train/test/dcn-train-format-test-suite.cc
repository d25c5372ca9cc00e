/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Graphs in formats of other tools.
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/command-line.h"
#include "ns3/dcn-hpcc-files.h"
#include "ns3/dcn-train-chakra.h"
#include "ns3/dcn-train-goal.h"
#include "ns3/dcn-train-layers.h"
#include "ns3/dcn-train-network-options.h"
#include "ns3/test.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Writes files into a folder of its own.
class FormatTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// @return a new file with a text
    std::string Write(const std::string& text, const std::string& name = "trace")
    {
        const std::string path = CreateTempDirFilename(name);
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    /// @return the sentence of an action, without a path
    static std::string Refuse(const std::string& path, const std::function<void()>& action)
    {
        std::string sentence = DcnSentenceOf(action);
        for (std::size_t at = sentence.find(path); at != std::string::npos;
             at = sentence.find(path))
        {
            sentence.replace(at, path.size(), "FILE");
        }
        return sentence;
    }
};

/// Bytes of Protocol Buffers, by their definition.
namespace wire
{

/// @return a varint
std::string
Varint(uint64_t value)
{
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
    {
        bytes += static_cast<char>((value & 0x7f) | 0x80);
    }
    return bytes + static_cast<char>(value);
}

/// @return a number field
std::string
Number(uint64_t field, uint64_t value)
{
    return Varint(field << 3) + Varint(value);
}

/// @return a field with a length
std::string
Part(uint64_t field, const std::string& part)
{
    return Varint(field << 3 | 2) + Varint(part.size()) + part;
}

/// @return an attribute that is an int64
std::string
Attribute(const std::string& name, uint64_t value)
{
    return Part(10, Part(1, name) + Number(9, value));
}

/// @return a message after its length
std::string
Message(const std::string& bytes)
{
    return Varint(bytes.size()) + bytes;
}

/// @return a node
std::string
Node(uint64_t id, uint64_t type, const std::string& more)
{
    return Message(Number(1, id) + Part(2, "node") + Number(3, type) + more);
}

const std::string HEAD = Message(Part(1, "0.0.4")); //!< GlobalMetadata

} // namespace wire

DCN_TEST_CASE_WITH(FormatTestCase, ChakraTestCase, "Chakra traces")
{
    using namespace wire;
    const std::string prefix = CreateTempDirFilename("et");
    auto writeRank = [&](uint32_t rank, const std::string& nodes) {
        std::ofstream(prefix + "." + std::to_string(rank) + ".et", std::ios::binary)
            << HEAD << nodes;
    };
    const std::string collective =
        Attribute("comm_type", 0) + Attribute("comm_size", 1000) + Part(10, Part(1, "is_cpu_op"));
    // nodes in an order of their own, dependencies packed and not, a field that is unknown
    writeRank(0,
              Node(7, 7, collective + Part(5, Varint(300) + Varint(2))) +
                  Node(300, 4, Number(7, 25)) +
                  Node(2,
                       5,
                       Number(5, 300) + Attribute("comm_size", 64) + Attribute("comm_dst", 1) +
                           Attribute("comm_tag", 9) + Part(99, "unknown")));
    writeRank(
        1,
        Node(1,
             6,
             Attribute("comm_size", 64) + Attribute("comm_src", 0) + Attribute("comm_tag", 9)) +
            Node(2, 7, collective + Number(4, 1)) +
            Node(3, 4, Attribute("num_ops", 312'000'000) + Number(4, 2)) + Node(4, 2, ""));
    const DcnTrainImport import = DcnTrainChakra::Read(prefix);
    const DcnTrainGraph& graph = *import.graph;
    NS_TEST_ASSERT_MSG_EQ(graph.GetNRanks(), 2, "ranks");
    const auto& first = graph.GetNodes(0);
    NS_TEST_EXPECT_MSG_EQ(first[0].durationNs, 25'000, "micro-seconds");
    NS_TEST_EXPECT_MSG_EQ((first[1].kind == DcnTrainKind::SEND), true, "send");
    NS_TEST_EXPECT_MSG_EQ(first[1].tag, 9, "tag");
    NS_TEST_EXPECT_MSG_EQ(first[1].after.size(), 1, "after the computation");
    NS_TEST_EXPECT_MSG_EQ(graph.GetOperations().size(), 1, "one collective");
    NS_TEST_EXPECT_MSG_EQ(graph.GetOperations()[0].bytes, 1000, "bytes");
    // compute, send, join before, two sends and receives of the ring, join behind
    NS_TEST_EXPECT_MSG_EQ(first.size(), 8, "nodes of rank 0");
    const auto& last = graph.GetNodes(1);
    NS_TEST_EXPECT_MSG_EQ(last[7].durationNs, 1000, "FLOP at 312e12 in a second");
    NS_TEST_EXPECT_MSG_EQ(last[7].after[0], 6, "after the collective");
    NS_TEST_ASSERT_MSG_EQ(import.ignored.size(), 1, "without effect");
    NS_TEST_EXPECT_MSG_EQ(import.ignored[0], "nodes of type 2, which cost nothing", "memory");

    // groups: each rank by itself has nothing to do
    writeRank(1, Node(1, 7, collective + Part(10, Part(1, "pg_name") + Part(29, "b"))));
    writeRank(0, Node(1, 7, collective + Part(10, Part(1, "pg_name") + Part(29, "a"))));
    const std::string groups = Write("{ \"a\": [0],\n \"b\" : [ 1 ] }", "groups.json");
    NS_TEST_EXPECT_MSG_EQ(DcnTrainChakra::Read(prefix, groups).graph->GetNodes(0).size(),
                          1,
                          "a group of one");
    NS_TEST_EXPECT_MSG_EQ(DcnTrainChakra::Read(prefix).graph->GetOperations()[0].nRanks,
                          2,
                          "all without the file");
    const std::string other = Write("{\"a\":[0]}", "other.json");
    NS_TEST_EXPECT_MSG_EQ(Refuse(prefix, [&]() { DcnTrainChakra::Read(prefix, other); })
                              .find("FILE.1.et: node 1 of rank 1 names the group \"b\""),
                          0,
                          "unknown group");
}

DCN_TEST_CASE_WITH(FormatTestCase, BadChakraTestCase, "Chakra traces that cannot be")
{
    using namespace wire;
    const std::string prefix = CreateTempDirFilename("bad");
    auto refuse = [&](const std::string& zero, const std::string& one) {
        std::ofstream(prefix + ".0.et", std::ios::binary) << zero;
        std::ofstream(prefix + ".1.et", std::ios::binary) << one;
        return Refuse(prefix, [&]() { DcnTrainChakra::Read(prefix); });
    };
    const std::string compute = Node(1, 4, Number(7, 25));
    NS_TEST_EXPECT_MSG_EQ(Refuse(prefix, [&]() { DcnTrainChakra::Read(prefix); }),
                          "FILE.0.et: cannot be read: give the path without .RANK.et",
                          "no file");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + compute.substr(0, 5), HEAD),
                          "FILE.0.et: byte 9: a part of 12 bytes ends after the file, which has 4 "
                          "more: it is truncated",
                          "truncated");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + Node(1, 4, Number(5, 2)) + Node(2, 4, Number(5, 1)), HEAD),
                          "FILE.0.et: node 1 is part of a cycle, or waits for one",
                          "cycle");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + Node(1, 4, Number(5, 2)), HEAD),
                          "FILE.0.et: node 1 waits for node 2, which is not in the file",
                          "unknown node");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + compute + compute, HEAD),
                          "FILE.0.et: the id 1 stands for two nodes",
                          "twice");
    auto send = [](uint64_t size, uint64_t to) {
        return Node(1,
                    5,
                    Attribute("comm_size", size) + Attribute("comm_dst", to) +
                        Attribute("comm_tag", 3));
    };
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + send(5, 7), HEAD),
                          "FILE.0.et: node 1 of rank 0 names rank 7, but there are only ranks 0 to "
                          "1",
                          "rank");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + send(0, 1), HEAD),
                          "FILE.0.et: node 1 of rank 0 has a message of 0 bytes",
                          "size");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + send(5, 1), HEAD),
                          "FILE: node 0 of rank 0 sends to rank 1 with tag 3, but there are 1 such "
                          "sends and 0 receives",
                          "no receive");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + Node(1, 5, ""), HEAD),
                          "FILE.0.et: node 1 of rank 0 has no attribute comm_dst",
                          "attribute");
    auto collective = [](uint64_t type, uint64_t size) {
        return Node(4, 7, Attribute("comm_type", type) + Attribute("comm_size", size));
    };
    NS_TEST_EXPECT_MSG_EQ(
        refuse(HEAD + collective(0, 100), HEAD),
        "FILE.0.et: node 4 of rank 0 (all-reduce of 100 bytes) waits for a member "
        "of its group that does not reach it: the order of collectives differs",
        "alone");
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + collective(0, 100), HEAD + collective(0, 200)),
                          "FILE.1.et: node 4 of rank 1 is all-reduce of 200 bytes, but node 4 of "
                          "rank 0 is all-reduce of 100 bytes in the same place of their group",
                          "sizes");
    NS_TEST_EXPECT_MSG_EQ(
        refuse(HEAD + collective(9, 100), HEAD),
        "FILE.0.et: node 4 of rank 0 has the comm_type 9, but only 0, 2, 5, 6 and "
        "7 are supported",
        "type");
}

DCN_TEST_CASE_WITH(FormatTestCase, GoalTestCase, "GOAL")
{
    const std::string text = "num_ranks 2 // a comment\n\n"
                             "rank 0 {\n"
                             "l3 requires l1\n";
    NS_TEST_EXPECT_MSG_EQ(Refuse(Write(text), [&]() { DcnTrainGoal::Read(Write(text)); })
                              .find("FILE:4: the label l3 is not known in rank 0"),
                          0,
                          "a label that is not known yet");
    const std::string path = Write("num_ranks 2\n"
                                   "rank 1 {\n"
                                   "in: recv 10b from 0 tag 4 nic 1\n"
                                   "}\n"
                                   "rank 0 {\n"
                                   "out: send 10b to 1 tag 4 nic 2\n"
                                   "work: calc 500 cpu 3\n"
                                   "more: calc 7\n"
                                   "out requires work\n"
                                   "more irequires out\n"
                                   "}\n");
    const DcnTrainImport import = DcnTrainGoal::Read(path);
    const auto& nodes = import.graph->GetNodes(0);
    NS_TEST_ASSERT_MSG_EQ(nodes.size(), 3, "nodes");
    NS_TEST_EXPECT_MSG_EQ(nodes[0].durationNs, 500, "what others wait for comes first");
    NS_TEST_EXPECT_MSG_EQ(nodes[0].stream, 3, "cpu");
    NS_TEST_EXPECT_MSG_EQ(nodes[1].bytes, 10, "size");
    NS_TEST_EXPECT_MSG_EQ(nodes[1].stream, 2, "nic");
    NS_TEST_EXPECT_MSG_EQ(nodes[1].after[0], 0, "requires");
    NS_TEST_EXPECT_MSG_EQ(nodes[2].after[0], 0, "starts when the send starts");
    NS_TEST_ASSERT_MSG_EQ(import.ignored.size(), 1, "without effect");
    NS_TEST_EXPECT_MSG_EQ(import.ignored[0], "nic of recv", "nic of a receive");
    // what is written reads as the same, and is written the same
    const std::string out = CreateTempDirFilename("out.goal");
    const std::string again = CreateTempDirFilename("again.goal");
    DcnTrainGoal::Write(*import.graph, out);
    DcnTrainGoal::Write(*DcnTrainGoal::Read(out).graph, again);
    auto readAll = [](const std::string& name) {
        std::ifstream file(name);
        return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    };
    NS_TEST_EXPECT_MSG_EQ(readAll(out), readAll(again), "written again");
    NS_TEST_EXPECT_MSG_EQ(
        readAll(out),
        "num_ranks 2\n\nrank 0 {\nl0: calc 500 cpu 3\nl1: send 10b to 1 tag 4 nic "
        "2\nl1 requires l0\nl2: calc 7\nl2 requires l0\n}\n\nrank 1 {\nl0: recv "
        "10b from 0 tag 4\n}\n",
        "the text");
    auto refuse = [&](const std::string& lines) {
        const std::string bad = Write(lines, "bad.goal");
        return Refuse(bad, [&]() { DcnTrainGoal::Read(bad); });
    };
    NS_TEST_EXPECT_MSG_EQ(refuse("ranks 2\n"),
                          "FILE:1: the first line must be \"num_ranks N\"",
                          "head");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 1\nrank 0 {\na: calc 5\n"),
                          "FILE:3: the file ends within rank 0: it is truncated",
                          "truncated");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 1\nrank 1 {\n}\n"),
                          "FILE:2: rank must be a whole number up to 0, but it is \"1\"",
                          "rank");
    NS_TEST_EXPECT_MSG_EQ(
        refuse("num_ranks 1\nrank 0 {\na: calc 5\nb: calc 5\na requires b\nb requires a\n}\n"),
        "FILE: node 0 is part of a cycle, or waits for one",
        "cycle");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 1\nrank 0 {\na: send 5 to 1\n}\n"),
                          "FILE:3: a size is a number of bytes with a b, but it is \"5\"",
                          "size");
}

DCN_TEST_CASE_WITH(FormatTestCase, LayersTestCase, "text workloads of ASTRA-sim 1.0 and SimAI")
{
    const std::string path = Write(
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 2 all_gpus: 16 "
        "ga: 1\n"
        "2\n"
        "embedding -1 500 ALLREDUCE 1600 300 NONE 0 200 ALLREDUCE 3200 10\n"
        "moe\t-1\t50\tALLTOALL_EP\t800\t1\tNONE\t0\t1\tREDUCESCATTER_DP_EP\t400\t20\n");
    const DcnTrainImport import = DcnTrainLayers::Read(path, 0, 2);
    const DcnTrainGraph& graph = *import.graph;
    DcnCheckTrainMessages(*import.graph);
    NS_TEST_EXPECT_MSG_EQ(graph.GetNRanks(), 8, "one of two stages");
    std::map<std::string, uint32_t> operations;
    for (const auto& operation : graph.GetOperations())
    {
        ++operations[operation.kind + " " + std::to_string(operation.nRanks) + " " +
                     std::to_string(operation.bytes)];
    }
    NS_TEST_EXPECT_MSG_EQ(operations["all-reduce 2 1600"], 2 * 4, "tensor groups, forward");
    NS_TEST_EXPECT_MSG_EQ(operations["all-reduce 4 3200"], 2 * 2, "data groups");
    NS_TEST_EXPECT_MSG_EQ(operations["all-to-all 2 800"], 2 * 4, "expert groups");
    NS_TEST_EXPECT_MSG_EQ(operations["reduce-scatter 2 400"], 2 * 4, "equal experts");
    NS_TEST_EXPECT_MSG_EQ(operations["iteration 8 0"], 2, "iterations");
    int64_t computeNs = 0;
    for (const auto& node : graph.GetNodes(5))
    {
        computeNs += node.durationNs;
    }
    NS_TEST_EXPECT_MSG_EQ(computeNs, 2 * (500 + 300 + 200 + 50 + 1 + 1 + 30), "computation");
    NS_TEST_ASSERT_MSG_EQ(import.ignored.size(), 2, "without effect");
    NS_TEST_EXPECT_MSG_EQ(import.ignored[0], "ga", "a key");
    NS_TEST_EXPECT_MSG_EQ(import.ignored[1], "pp: one of the stages is simulated", "stages");
    auto refuse = [&](const std::string& lines) {
        const std::string bad = Write(lines, "bad.txt");
        return Refuse(bad, [&]() { DcnTrainLayers::Read(bad); });
    };
    NS_TEST_EXPECT_MSG_EQ(refuse("DLRM\n1\n"),
                          "FILE:1: the parallelism must be HYBRID_TRANSFORMER, "
                          "HYBRID_TRANSFORMER_FWD_IN_BCKWD, DATA, MODEL or MICRO, but it is "
                          "\"DLRM\"",
                          "policy");
    NS_TEST_EXPECT_MSG_EQ(refuse("DATA all_gpus: 4\n2\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 64 1\n"),
                          "FILE:3: the file ends after 1 of 2 layers: it is truncated",
                          "truncated");
    NS_TEST_EXPECT_MSG_EQ(refuse("DATA all_gpus: 4\n1\na -1 1 SEND 5 1 NONE 0 1 NONE 0 1\n"),
                          "FILE:3: the type of communication must be NONE, ALLREDUCE, ALLGATHER, "
                          "REDUCESCATTER or ALLTOALL, with _EP or _DP_EP, but it is \"SEND\"",
                          "type");
    NS_TEST_EXPECT_MSG_EQ(
        refuse("DATA\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"),
        "FILE:1: all_gpus 0 must be given and be a multiple of pp 1, or the number "
        "of ranks must be given",
        "ranks");
}

DCN_TEST_CASE_WITH(FormatTestCase, HpccTestCase, "files of HPCC's family and of htsim")
{
    const std::string plain = Write("5 1 4\n4\n"
                                    "0 4 100Gbps 1us 0\n1 4 100Gbps 0.001ms 0\n"
                                    "2 4 25Gbps 500ns 0\n3 4 100Gbps 1us 0\n");
    Ptr<DcnTopology> topology = DcnHpccFiles::ReadTopology(plain);
    NS_TEST_EXPECT_MSG_EQ(topology->GetHosts().size(), 4, "hosts");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(4).rateBps, 25'000'000'000, "rate");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(2).delayNs, 1000, "delay");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(4).delayNs, 500, "delay");
    const std::string simAi = Write("4 2 1 1 4 H100\n2 3\n"
                                    "0 2 2400Gbps 25ns 0\n1 2 2400Gbps 25ns 0\n"
                                    "0 3 400Gbps 500ns 0\n1 3 400Gbps 500ns 0\n",
                                    "simai");
    NS_TEST_EXPECT_MSG_EQ(DcnHpccFiles::ReadTopology(simAi)->GetHosts().size(), 2, "accelerators");
    const std::string flows = Write("3\n0 1 3 100 5000 2.000001\n2 3 3 100 7 2\n"
                                    "8 1 0 3 100 9 2.5\n",
                                    "flows");
    const auto list = DcnHpccFiles::ReadFlows(flows, *topology);
    NS_TEST_ASSERT_MSG_EQ(list.size(), 3, "flows");
    NS_TEST_EXPECT_MSG_EQ(list[0].id, 1, "the earliest first");
    NS_TEST_EXPECT_MSG_EQ(list[1].startNs, 2'000'001'000, "start");
    NS_TEST_EXPECT_MSG_EQ(list[2].sizeBytes, 9, "with a number before");
    const std::string matrix = Write("Nodes 4\nConnections 2\n"
                                     "0->3 id 1 start 2000000 size 4096\n3->1 start 0 size 10\n",
                                     "cm");
    const auto connections = DcnHpccFiles::ReadConnectionMatrix(matrix, *topology);
    NS_TEST_ASSERT_MSG_EQ(connections.size(), 2, "connections");
    NS_TEST_EXPECT_MSG_EQ(connections[1].startNs, 2000, "ps");
    NS_TEST_EXPECT_MSG_EQ(connections[1].sizeBytes, 4096, "size");
    Ptr<const DcnScenario> scenario =
        DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), list);
    const std::string out = CreateTempDirFilename("fct.txt");
    DcnHpccFiles::WriteFct(*scenario, {77, -1, 99}, out);
    std::ifstream file(out);
    std::string line;
    std::getline(file, line);
    NS_TEST_EXPECT_MSG_EQ(line,
                          "0b000201 0b000301 10001 100 7 2000000000 77 " +
                              std::to_string(scenario->GetIdealFct(0).GetTotalNs()),
                          "a flow");
    std::getline(file, line);
    NS_TEST_EXPECT_MSG_EQ(line.substr(0, 17), "0b000101 0b000001", "the next that completed");
    auto refuse = [&](const std::string& text) {
        const std::string bad = Write(text, "bad.topology");
        return Refuse(bad, [&]() { DcnHpccFiles::ReadTopology(bad); });
    };
    NS_TEST_EXPECT_MSG_EQ(refuse("3 1 2\n2\n0 2 1Gbps 1us 0\n"),
                          "FILE: the file ends where link 2 of 2 is expected: it is truncated",
                          "truncated");
    NS_TEST_EXPECT_MSG_EQ(
        refuse("3 1 1\n2\n0 2 1Gbps 1us 0.1\n"),
        "FILE:3: the error rate must be 0, since links do not lose packets, but it "
        "is \"0.1\"",
        "error rate");
    NS_TEST_EXPECT_MSG_EQ(refuse("3 1 1\n2\n0 7 1Gbps 1us 0\n"),
                          "FILE:3: a link joins 0 and 7, but there are only nodes 0 to 2",
                          "end");
    const std::string trigger = Write("Nodes 2\nConnections 1\n0->1 trigger 1 size 5\n", "bad.cm");
    NS_TEST_EXPECT_MSG_EQ(
        Refuse(trigger, [&]() { DcnHpccFiles::ReadConnectionMatrix(trigger, *topology); }),
        "FILE:3: the key \"trigger\" is not supported: only id, start and size are",
        "trigger");
}

/// Each of the three ways to describe a network; options without effect are refused.
DCN_TEST_CASE_WITH(FormatTestCase, NetworkOptionsTestCase, "options of the network")
{
    const std::string star = Write("4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n"
                                   "2 3 25Gbps 1us 0\n");
    auto parse = [](std::vector<std::string> arguments) {
        auto options = std::make_unique<DcnTrainNetworkOptions>();
        CommandLine cmd;
        options->AddTo(cmd);
        arguments.insert(arguments.begin(), "program");
        cmd.Parse(arguments);
        return options;
    };
    const auto file =
        parse({"--topologyFile=" + star, "--cc=hpcc", "--network=payload_bytes=4000"})->Create();
    NS_TEST_EXPECT_MSG_EQ(file.topology->GetHosts().size(), 3, "hosts of the file");
    NS_TEST_EXPECT_MSG_EQ(file.config->congestionControl, "hpcc", "congestion control");
    NS_TEST_EXPECT_MSG_EQ(file.config->payloadBytes, 4000, "key");
    const auto fabric = parse({"--servers=2", "--accelerators=4"})->Create();
    NS_TEST_EXPECT_MSG_EQ(fabric.topology->GetHosts().size(), 8, "accelerators");
    const auto tree = parse({"--pods=4"});
    NS_TEST_EXPECT_MSG_EQ(tree->Create().topology->GetHosts().size(), 16, "hosts of the tree");
    NS_TEST_EXPECT_MSG_EQ(tree->GetEngines().size(), 3, "all engines");
    tree->SetTopologyFile(star);
    DCN_TEST_EXPECT_ERROR(tree->Create(), "--pods has no effect with the topology file " + star);
    DCN_TEST_EXPECT_ERROR(parse({"--servers=2", "--pods=4"})->Create(),
                          "--pods has no effect with --servers");
    DCN_TEST_EXPECT_ERROR(parse({"--servers=2", "--topologyFile=" + star})->Create(),
                          "--servers has no effect with the topology file " + star);
    DCN_TEST_EXPECT_ERROR(parse({"--load=0.5"})->Create(),
                          "--load has no effect: the graph has the messages");
    DCN_TEST_EXPECT_ERROR(parse({"--nicRate=fast"})->Create(),
                          "--nicRate must be a rate such as 400Gbps, but it is \"fast\"");
    DCN_TEST_EXPECT_ERROR(parse({"--engine=tcp"})->GetEngines(),
                          "the engine must be packet, flowsim or m4, but it is \"tcp\"");
    DCN_TEST_EXPECT_ERROR(parse({"--engine="})->GetEngines(),
                          "--engine must name packet, flowsim or m4");
}

DcnTestSuite<ChakraTestCase,
             BadChakraTestCase,
             GoalTestCase,
             LayersTestCase,
             HpccTestCase,
             NetworkOptionsTestCase>
    g_dcnTrainFormatTestSuite("dcn-train-format"); //!< the suite

} // namespace
