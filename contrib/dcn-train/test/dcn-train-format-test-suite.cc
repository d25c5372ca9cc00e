/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Graphs in formats of other tools.
 */

#include "../model/format/dcn-npy.h"
#include "dcn-test-case.h"
#include "dcn-test-changes.h"
#include "dcn-test-duration.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-hpcc-files.h"
#include "ns3/dcn-m3-folder.h"
#include "ns3/dcn-train-chakra.h"
#include "ns3/dcn-train-goal.h"
#include "ns3/dcn-train-layers.h"
#include "ns3/dcn-train-network-options.h"
#include "ns3/dcn-truth-file.h"
#include "ns3/test.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
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
    NS_TEST_ASSERT_MSG_EQ(import.ignored.size(), 2, "without effect");
    NS_TEST_EXPECT_MSG_EQ(import.ignored[0], "field 99", "a field that is unknown");
    NS_TEST_EXPECT_MSG_EQ(import.ignored[1], "nodes of type 2, which cost nothing", "memory");

    // groups: each rank by itself has nothing to do
    writeRank(1, Node(1, 7, collective + Part(10, Part(1, "pg_name") + Part(29, "b"))));
    writeRank(0, Node(1, 7, collective + Part(10, Part(1, "pg_name") + Part(29, "a"))));
    const std::string groups = Write("{ \"a\": [0],\n \"b\" : [ 1 ] }", "groups.json");
    NS_TEST_EXPECT_MSG_EQ(DcnTrainChakra::Read(prefix, groups).graph->GetNodes(0).size(),
                          1,
                          "a group of one");
    NS_TEST_EXPECT_MSG_EQ(Refuse(prefix, [&]() { DcnTrainChakra::Read(prefix); }),
                          "FILE.0.et: node 1 of rank 0 names the group \"a\": give the JSON file "
                          "of groups (--groups)",
                          "a group without the file");
    writeRank(1, Node(1, 7, collective + Part(10, Part(1, "pg_name") + Part(29, "0"))));
    writeRank(0, Node(1, 7, collective));
    NS_TEST_EXPECT_MSG_EQ(DcnTrainChakra::Read(prefix).graph->GetOperations()[0].nRanks,
                          2,
                          "all ranks are the group 0, as in ASTRA-sim");
    writeRank(1, Node(1, 7, collective + Part(10, Part(1, "pg_name") + Part(29, "b"))));
    writeRank(0, Node(1, 7, collective + Part(10, Part(1, "pg_name") + Part(29, "a"))));
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
    auto isRefused = [&](const std::string& zero, const std::string& words) {
        NS_TEST_EXPECT_MSG_EQ((refuse(HEAD + zero, HEAD).find(words) != std::string::npos),
                              true,
                              refuse(HEAD + zero, HEAD));
    };
    // numbers that were wrapped or cut
    isRefused(send(5, (1ULL << 32) + 1), "comm_dst 4294967297, which is no whole number from 0");
    isRefused(send(~0ULL, 1), "comm_size -1, which is no whole number from 0");
    isRefused(Node(1, 4, Number(7, 1ULL << 60)), "has a duration of 1152921504606846976 us");
    isRefused(Node(1, 7, Attribute("comm_type", 0) + Attribute("comm_type", 2)),
              "the attribute comm_type comes twice");
    // dimensions that this reader does not have
    const std::string some = Part(10, Part(1, "involved_dim") + Part(28, Part(1, "\x01") + ""));
    const std::string half =
        Part(10, Part(1, "involved_dim") + Part(28, Part(1, std::string("\x01\x00", 2))));
    isRefused(Node(4, 7, Attribute("comm_type", 0) + Attribute("comm_size", 9) + half),
              "is a collective of 1 of 2 dimensions (involved_dim)");
    isRefused(Node(4, 7, Attribute("comm_type", 0) + Attribute("comm_size", 9) + some),
              "waits for a member of its group");
    // the trace of a rank is missing in the middle
    std::ofstream(prefix + ".3.et", std::ios::binary) << HEAD;
    NS_TEST_EXPECT_MSG_EQ(refuse(HEAD + compute, HEAD),
                          "FILE.2.et: the trace of rank 2 is missing, although there is one of "
                          "rank 3",
                          "missing rank");
    std::ofstream(prefix + ".2.et", std::ios::binary) << HEAD;
    NS_TEST_EXPECT_MSG_EQ(DcnTrainChakra::CountRanks(prefix), 4, "all ranks");
    DcnTrainImportOptions small;
    small.mostRanks = 3;
    NS_TEST_EXPECT_MSG_EQ(Refuse(prefix, [&]() { DcnTrainChakra::Read(prefix, "", small); }),
                          "FILE: there are traces of 4 ranks, more than the 3 that can run: take a "
                          "larger topology",
                          "hosts");
    // each rank receives before it sends
    auto circle = [](uint64_t other) {
        const std::string size = Attribute("comm_size", 5) + Attribute("comm_tag", 3);
        return HEAD + Node(1, 6, size + Attribute("comm_src", other)) +
               Node(2, 5, size + Attribute("comm_dst", other) + Number(4, 1));
    };
    NS_TEST_EXPECT_MSG_EQ(
        (refuse(circle(1), circle(0)).find("the trace is not causal") != std::string::npos),
        true,
        "receives that wait for each other");
    auto groups = [&](const std::string& text) {
        const std::string file = Write(text, "bad-groups.json");
        return Refuse(file, [&]() { DcnTrainChakra::Read(prefix, file); });
    };
    const std::string grammar = ": expected {\"name\": [rank, ...], ...}";
    NS_TEST_EXPECT_MSG_EQ(groups("{\"a\": [0], }"), "FILE: at byte 11" + grammar, "comma");
    NS_TEST_EXPECT_MSG_EQ(groups("{\"a\": [0] \"b\": [1]}"), "FILE: at byte 10" + grammar, "none");
    NS_TEST_EXPECT_MSG_EQ(groups("{\"a\": [0], \"a\": [1]}"),
                          "FILE: the group \"a\" comes twice",
                          "a name");
    NS_TEST_EXPECT_MSG_EQ(groups("{\"a\": [0, 1, 0]}"),
                          "FILE: the rank 0 comes twice in the group \"a\"",
                          "a rank");
    NS_TEST_EXPECT_MSG_EQ(groups("{\"a\": [0, 1]} more"), "FILE: at byte 14" + grammar, "end");
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
    const std::string empty = Write("num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n", "empty.goal");
    NS_TEST_EXPECT_MSG_EQ(Refuse(empty, [&]() { DcnTrainGoal::Read(empty); }),
                          "FILE: the file has no node: no rank computes, sends or receives",
                          "empty ranks");
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
    // what LogGOPSim's grammar allows
    const auto count = [&](const std::string& lines) {
        return DcnTrainGoal::Read(Write(lines, "good.goal")).graph->GetNodes(0).size();
    };
    const std::string message =
        "calc 5\nsend 10 b to 1 tag 4\n}\nrank 1 {\nrecv 10b from 0 tag 4\n}";
    NS_TEST_EXPECT_MSG_EQ(count("num_ranks 2\nrank 0 {\n" + message), 2, "no labels");
    NS_TEST_EXPECT_MSG_EQ(count("\xef\xbb\xbfnum_ranks 2\r\nrank 0\n{\n" + message),
                          2,
                          "byte mark");
    NS_TEST_EXPECT_MSG_EQ(count("/* one\n rank 0 { */num_ranks 1\nrank 0 {a : calc/**/5\nb:calc 7\n"
                                "b requires a // last\n}"),
                          2,
                          "comments and blanks");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 2\nrank 0 {\nrecv 5b from -1 tag 1\n}\n"),
                          "FILE:3: any rank (-1) is not supported: each receive names its rank",
                          "any source");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 2\nrank 0 {\nrecv 5b from 1 tag -1\n}\n"),
                          "FILE:3: any tag (-1) is not supported: each receive names its tag",
                          "any tag");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 2\nrank 0 {\nsend 0b to 1\n}\n"),
                          "FILE:3: a message of 0 bytes is not supported: give it 1b",
                          "no bytes");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 4294967295\n"),
                          "FILE:1: number of ranks must be a whole number from 1 to 1000000, but "
                          "it is \"4294967295\"",
                          "memory");
    NS_TEST_EXPECT_MSG_EQ(refuse("num_ranks 1\n/* rank 0 {"),
                          "FILE: the file ends within a comment",
                          "open comment");
    // c starts with b, which starts with a: both wait for what a waits for, in any order of lines
    const DcnTrainImport chain = DcnTrainGoal::Read(
        Write("num_ranks 1\nrank 0 {\nw: calc 9\na: calc 1\nb: calc 2\nc: calc 3\n"
              "c irequires b\nb irequires a\na requires w\n}\n",
              "chain.goal"));
    for (const auto& node : chain.graph->GetNodes(0))
    {
        const std::size_t nBefore = node.durationNs == 9 ? 0 : 1;
        NS_TEST_EXPECT_MSG_EQ(node.after.size(), nBefore, "waits for w");
    }
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
    const std::string layer = "1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
    NS_TEST_EXPECT_MSG_EQ(refuse("MODEL all_gpus: 4 ep:\n" + layer),
                          "FILE:1: the line ends where ep is expected",
                          "a key without value");
    NS_TEST_EXPECT_MSG_EQ(refuse("MODEL all_gpus: 4 all_gpus: 8\n" + layer),
                          "FILE:1: the key all_gpus comes twice",
                          "twice");
    NS_TEST_EXPECT_MSG_EQ(refuse("MODEL all_gpus: 4294967298\n" + layer),
                          "FILE:1: the workload has 4294967298 ranks, more than the 1000000 that "
                          "can run: take a larger topology",
                          "a number that was wrapped");
    const auto odd = DcnTrainLayers::Read(
        Write("MODEL all_gpus: 4\n1\na -1 1 NONE 7 1 ALLREDUCE 0 1 NONE 0 1\n", "odd.txt"));
    NS_TEST_ASSERT_MSG_EQ(odd.ignored.size(), 2, "sizes and types without effect");
    NS_TEST_EXPECT_MSG_EQ(odd.ignored[0], "communication of 0 bytes", "type");
    NS_TEST_EXPECT_MSG_EQ(odd.ignored[1], "sizes of communication of the type NONE", "size");
}

DCN_TEST_CASE_WITH(FormatTestCase, HpccTestCase, "files of HPCC's family and of htsim")
{
    const std::string plain = Write("5 1 4\n4\n"
                                    "0 4 100Gbps 1us 0\n1 4 100Gbps 0.001ms 0\n"
                                    "2 4 25Gbps 500ns 0\n3 4 100Gbps 1us 0\n");
    DcnHpccFiles files;
    Ptr<DcnTopology> topology = files.ReadTopology(plain);
    NS_TEST_EXPECT_MSG_EQ(topology->GetHosts().size(), 4, "hosts");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(4).rateBps, 25'000'000'000, "rate");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(2).delayNs, 1000, "delay");
    NS_TEST_EXPECT_MSG_EQ(topology->GetLink(4).delayNs, 500, "delay");
    const std::string simAi = Write("4 2 1 1 4 H100\n2 3\n"
                                    "0 2 2400Gbps 25ns 0\n1 2 2400Gbps 25ns 0\n"
                                    "0 3 400Gbps 500ns 0\n1 3 400Gbps 500ns 0\n",
                                    "simai");
    NS_TEST_EXPECT_MSG_EQ(files.ReadTopology(simAi)->GetHosts().size(), 2, "accelerators");
    const std::string flows = Write("3\n0 1 3 100 5000 2.000001\n2 3 3 100 7 2\n"
                                    "1 0 3 200 9 2.5\n",
                                    "flows");
    const auto list = files.ReadFlows(flows, *topology);
    NS_TEST_ASSERT_MSG_EQ(list.size(), 3, "flows");
    NS_TEST_EXPECT_MSG_EQ(list[0].id, 1, "the earliest first");
    NS_TEST_EXPECT_MSG_EQ(list[1].startNs, 2'000'001'000, "start");
    NS_TEST_EXPECT_MSG_EQ(list[2].sizeBytes, 9, "the last");
    const std::string matrix = Write("Nodes 4\nConnections 2\n"
                                     "0->3 id 1 start 2000000 size 4096\n3->1 start 0 size 10\n",
                                     "cm");
    const auto connections = files.ReadConnectionMatrix(matrix, *topology);
    NS_TEST_ASSERT_MSG_EQ(connections.size(), 2, "connections");
    NS_TEST_EXPECT_MSG_EQ(connections[1].startNs, 2000, "ps");
    NS_TEST_EXPECT_MSG_EQ(connections[1].sizeBytes, 4096, "size");
    Ptr<const DcnScenario> scenario =
        DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), list);
    const std::string out = CreateTempDirFilename("fct.txt");
    files.WriteFct(*scenario, {77, -1, 99}, out);
    std::ifstream file(out);
    std::string line;
    std::getline(file, line);
    NS_TEST_EXPECT_MSG_EQ(line,
                          "0b000201 0b000301 10000 100 7 2000000000 77 " +
                              std::to_string(scenario->GetIdealFct(0).GetTotalNs()),
                          "a flow");
    std::getline(file, line);
    NS_TEST_EXPECT_MSG_EQ(line.substr(0, 27),
                          "0b000101 0b000001 10000 200",
                          "the next that completed, with its port");
    auto refuse = [&](const std::string& text) {
        const std::string bad = Write(text, "bad.topology");
        return Refuse(bad, [&]() { DcnHpccFiles().ReadTopology(bad); });
    };
    NS_TEST_EXPECT_MSG_EQ(
        refuse("3 1 2\n2\n0 2 1Gbps 1us 0\n"),
        "FILE: the file ends where link 2 of 2 with 5 words is expected: it is truncated",
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
        Refuse(trigger, [&]() { files.ReadConnectionMatrix(trigger, *topology); }),
        "FILE:3: the key \"trigger\" is not supported: only id, start, size and prio are, since a "
        "scenario has no dependencies",
        "trigger");
}

/// Words that were read as other numbers, and lines that were not seen.
DCN_TEST_CASE_WITH(FormatTestCase, HpccTopologyTestCase, "topologies of HPCC's family")
{
    auto read = [&](const std::string& head, const std::string& link, const std::string& more) {
        const std::string file = Write(head + "\n2\n" + link + "\n1 2 100Gbps 1us 0\n" + more, "t");
        DcnHpccFiles files;
        Ptr<DcnTopology> topology;
        std::string text = Refuse(file, [&]() { topology = files.ReadTopology(file); });
        if (topology)
        {
            text = std::to_string(topology->GetLink(0).rateBps) + " " +
                   std::to_string(topology->GetLink(0).delayNs);
            for (const std::string& each : files.DescribeUnused())
            {
                text += "; " + each;
            }
        }
        return text;
    };
    auto link = [&](const std::string& text) { return read("3 1 2", text, ""); };
    for (const std::string& rate : std::vector<std::string>{"100G",
                                                            "100gbps",
                                                            "100Gibps",
                                                            "-100Gbps",
                                                            "99999999999Gbps",
                                                            "1.2.3Gbps",
                                                            "0x10",
                                                            "nan",
                                                            "0.5bps",
                                                            "1e300",
                                                            "100Gbps,",
                                                            "1e2Gbps"})
    {
        NS_TEST_EXPECT_MSG_EQ(link("0 2 " + rate + " 1us 0"),
                              "FILE:3: expected a rate and a delay such as 100Gbps 1us, but they "
                              "are \"" +
                                  rate + "\" and \"1us\"",
                              "a rate");
    }
    for (const std::string& delay :
         std::vector<std::string>{"1000", "1min", "500ps", "1u", "-1us", "1..2us", "nanus"})
    {
        NS_TEST_EXPECT_MSG_EQ(link("0 2 1Gbps " + delay + " 0"),
                              "FILE:3: expected a rate and a delay such as 100Gbps 1us, but they "
                              "are \"1Gbps\" and \"" +
                                  delay + "\"",
                              "a delay");
    }
    NS_TEST_EXPECT_MSG_EQ(link("0 2 25000000000.0 0.000025ms 0"), "25000000000 25", "no unit");
    NS_TEST_EXPECT_MSG_EQ(link("0 2 1e11 1e3ns 0.0000"), "100000000000 1000", "exponents");
    NS_TEST_EXPECT_MSG_EQ(link("0 2 12.5Gb/s 3.4us 0"), "12500000000 3400", "fractions");
    NS_TEST_EXPECT_MSG_EQ(link("0 2 100GBps 1us 0"),
                          "800000000000 1000; note: the rate 100GBps is in bytes: 800000000000 "
                          "bit/s",
                          "bytes");
    NS_TEST_EXPECT_MSG_EQ(link("0 2 1Gbps 0.3ns 0"),
                          "FILE:3: the delay 0.3ns is less than a nanosecond: give 0ns or 1ns",
                          "no delay");
    NS_TEST_EXPECT_MSG_EQ(link("0 2 1Gbps 1.5ns 0"),
                          "1000000000 2; ignored: fraction of a nanosecond of the delay 1.5ns",
                          "rounded");
    NS_TEST_EXPECT_MSG_EQ(link("0 2 1Gbps 1us 0 5"),
                          "FILE:3: expected link 1 of 2 with 4 or 5 words, but there are 6 words",
                          "a word too many");
    NS_TEST_EXPECT_MSG_EQ(link("4294967296 2 1Gbps 1us 0"),
                          "FILE:3: a link joins 4294967296 and 2, but there are only nodes 0 to 2",
                          "a number that was wrapped");
    const std::string good = "0 2 1Gbps 1us 0";
    NS_TEST_EXPECT_MSG_EQ(read("3 1 2", good, "1 2 1Gbps 1us 0\n"),
                          "FILE:5: this line looks like a link, but the first line of the file "
                          "counts 2 links, which have come: correct the count",
                          "a link too many");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 2", good, "3 2 1Gbps 1us 0\n"),
                          "1000000000 1000; ignored: text behind the last link of the topology",
                          "links of a larger network, as in a file of HPCC");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 2", good, "\nsrc0 dst0 rate delay\n"),
                          "1000000000 1000; ignored: text behind the last link of the topology",
                          "legend");
    // first lines of PowerTCP, Reverie and SimAI
    const std::string tors = "; ignored: number of ToR switches, in the first line of the topology";
    NS_TEST_EXPECT_MSG_EQ(read("3 1 1 2", good, ""), "1000000000 1000" + tors, "PowerTCP");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 1 2 1000000000 2e9", good, ""),
                          "1000000000 1000" + tors +
                              "; ignored: rates in the first line of the topology: each link has "
                              "its own",
                          "Reverie");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 1 0 2 H100", good, ""),
                          "1000000000 1000; ignored: GPUs of a server and their type, in the first "
                          "line of the topology",
                          "SimAI");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 2 2 2", good, ""),
                          "FILE:1: expected 3, 4 or 6 words, as in \"nodes switches links\", but "
                          "there are 5",
                          "five words");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 9 2", good, ""),
                          "FILE:1: number of ToR switches must be a whole number up to 1, but it "
                          "is \"9\"",
                          "more racks than switches");
    NS_TEST_EXPECT_MSG_EQ(read("\xef\xbb\xbf"
                               "3 1 2\r",
                               good,
                               ""),
                          "1000000000 1000",
                          "byte mark");
    NS_TEST_EXPECT_MSG_EQ(read("\xff\xfe"
                               "3 1 2",
                               good,
                               ""),
                          "FILE:1: the file is in UTF-16: save it as UTF-8",
                          "UTF-16");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 \xc2\xb5", good, ""),
                          "FILE:1: number of links must be a whole number, but it is "
                          "\"\\xC2\\xB5\"",
                          "letters that cannot be seen");
    NS_TEST_EXPECT_MSG_EQ(read("99999999999 1 2", good, ""),
                          "1000000000 1000; ignored: 99999999996 nodes without links (3, 4, 5, 6, "
                          "7, ...)",
                          "nodes without links take no memory");
    NS_TEST_EXPECT_MSG_EQ(read("3 1 2", "1 2 1Gbps 1us 0", ""),
                          "1000000000 1000; ignored: 1 nodes without links (0); note: 2 links join "
                          "1 and 2: each is a cable of its own, while HPCC's simulator uses the "
                          "last one",
                          "parallel links");
}

/// Lines of 5, 6 and 7 words; counts; numbers of nodes.
DCN_TEST_CASE_WITH(FormatTestCase, HpccFlowsTestCase, "flows of HPCC's family and of htsim")
{
    DcnHpccFiles star;
    // host 2 has no link: numbers of the file are not those of the topology
    const Ptr<DcnTopology> topology = star.ReadTopology(
        Write("5 1 3\n4\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n3 4 100Gbps 1us 0\n", "star"));
    bool isMatrix = false;
    std::string unit = "ps";
    auto read = [&](const std::string& text) {
        const std::string file = Write(text, "f");
        DcnHpccFiles files;
        std::vector<DcnFlow> flows;
        std::string result = Refuse(file, [&]() {
            flows = isMatrix ? files.ReadConnectionMatrix(file, *topology, unit)
                             : files.ReadFlows(file, *topology);
        });
        result = result == "no error" ? "" : result;
        for (const DcnFlow& flow : flows)
        {
            result += std::to_string(flow.id) + ":" +
                      std::to_string(topology->GetExternalId(flow.src)) + "-" +
                      std::to_string(topology->GetExternalId(flow.dst)) + " " +
                      std::to_string(flow.sizeBytes) + " " + std::to_string(flow.startNs) + "; ";
        }
        for (const std::string& each : files.DescribeUnused())
        {
            result += each + "; ";
        }
        return result;
    };
    const std::string pg = "ignored: priority groups of flows: all have one; ";
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 900 2.5\n"), "0:0-3 900 2500000000; " + pg, "conweave");
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 10 900 2\n"), "0:0-3 900 2000000000; " + pg, "HPCC");
    NS_TEST_EXPECT_MSG_EQ(read("1\n8 0 3 3 10 900 2\n"), "8:0-3 900 2000000000; " + pg, "m4");
    NS_TEST_EXPECT_MSG_EQ(read("2\n0 3 3 10 900 2\n0 3 3 900 2\n"),
                          "FILE:3: expected flow 2 of 2 with 6 words, but there are 5 words",
                          "two kinds of lines");
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 10 900 2\n0 1 3 10 900 2\n\nFirst line: # of flows\n"),
                          "0:0-3 900 2000000000; ignored: 1 lines of flows behind the 1 that the "
                          "first line of the file counts; " +
                              pg + "ignored: text behind the last flow; ",
                          "more flows than counted");
    const std::string fractions = "ignored: fractions of nanoseconds of starts; ";
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 10 900 2.0000010004\n"),
                          "0:0-3 900 2000001000; " + fractions + pg,
                          "a fraction is named");
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 10 900 123456.789012345\n"),
                          "0:0-3 900 123456789012345; " + pg,
                          "whole nanoseconds, as far as a number holds them");
    NS_TEST_EXPECT_MSG_EQ(
        read("1\n0 3 3 10 900 1e-12\n"),
        "FILE:2: the start 1e-12 is less than a nanosecond: starts are in seconds",
        "nothing but a fraction");
    const std::string rdma =
        ": lines of ns3-rdma, with packets, start and end, are not read; give bytes and start [s]";
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 100 2.0 9.5\n"),
                          "FILE:2: size must be a whole number, but it is \"2.0\"" + rdma,
                          "ns3-rdma");
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 100 2 9\n"),
                          "FILE:2: no flow has more bytes than its start has seconds" + rdma,
                          "ns3-rdma in whole seconds");
    for (const std::string& node : std::vector<std::string>{"2", "5", "4294967296"})
    {
        NS_TEST_EXPECT_MSG_EQ(read("1\n" + node + " 3 3 100 2000 0\n"),
                              "FILE:2: the source " + node +
                                  " is no node of the topology, or one without links",
                              "a node");
    }
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 100 2000 1e300\n"),
                          "FILE:2: the start [s] must be a number from 0 to 1000000000, but it is "
                          "\"1e300\"",
                          "a time");
    NS_TEST_EXPECT_MSG_EQ(read("1\n0 3 3 100 2000 nan\n"),
                          "FILE:2: the start [s] must be a number from 0 to 1000000000, but it is "
                          "\"nan\"",
                          "no number");
    isMatrix = true;
    const std::string ps = "note: starts are read as picoseconds; htsim's programs for UEC and "
                           "EQDS take microseconds; ";
    const std::string head = "Connections 1\nNodes 3\n";
    NS_TEST_EXPECT_MSG_EQ(read("# two\nTriggers 0\nFailures 0\n" + head +
                               "# one\n0->2 id 7 start 2000000.000 size 9 prio 3\n"),
                          "7:0-3 9 2000; ignored: prio of connections: all have one priority; " +
                              ps,
                          "what htsim allows");
    NS_TEST_EXPECT_MSG_EQ(read(head + "0->2 start 0.000000 size 9\n"), "0:0-3 9 0; ", "0");
    NS_TEST_EXPECT_MSG_EQ(read(head + "0->2 start 40 size 9\n"),
                          "FILE:3: start 40 is less than a nanosecond as picoseconds: files for "
                          "htsim's programs for UEC and EQDS are in microseconds (--startUnit=us)",
                          "another unit");
    NS_TEST_EXPECT_MSG_EQ(read(head + "0->2 size 9\n"),
                          "FILE:3: the connection has no start",
                          "start");
    NS_TEST_EXPECT_MSG_EQ(read(head + "0->2 start 0 size 0\n"),
                          "FILE:3: a connection of size 0, or without size, has no end in htsim, "
                          "which is not supported: give a size in bytes",
                          "endless");
    NS_TEST_EXPECT_MSG_EQ(read(head + "0->2 start 0 size 9\n0->1 start 0 size 9\n"),
                          "FILE:4: this is one connection more than the 1 of Connections: correct "
                          "the number",
                          "more than counted");
    NS_TEST_EXPECT_MSG_EQ(read(head + "Triggers 2\n0->2 start 0 size 9\n"),
                          "FILE:3: Triggers are not supported, since a scenario has no "
                          "dependencies and no failures: take a matrix without them",
                          "triggers");
    NS_TEST_EXPECT_MSG_EQ(read(head + "0->2 start 0 start 5000 size 9\n"),
                          "FILE:3: the key start comes twice",
                          "twice");
    unit = "us";
    NS_TEST_EXPECT_MSG_EQ(read(head + "0->2 start 40 size 9\n"), "0:0-3 9 40000; ", "microseconds");
}

/// @return keys of network.csv as text
std::string
DescribeKeys(const DcnNetworkConfig& config)
{
    std::string text;
    for (const auto& [key, value] : config.GetKeys())
    {
        text += key + "=" + value + " ";
    }
    return text;
}

/// Each of the three ways to describe a network; options without effect are refused.
DCN_TEST_CASE_WITH(FormatTestCase, NetworkOptionsTestCase, "options of the network")
{
    const std::string star = Write("4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n"
                                   "2 3 25Gbps 1us 0\n");
    std::optional<DcnGivenOptions> given;
    auto parse = [&given](std::vector<std::string> arguments) {
        auto options = std::make_unique<DcnTrainNetworkOptions>();
        CommandLine cmd;
        options->AddTo(cmd);
        arguments.insert(arguments.begin(), "program");
        std::vector<char*> argv;
        for (std::string& argument : arguments)
        {
            argv.push_back(argument.data());
        }
        given = DcnParseCommandLine(cmd, static_cast<int>(argv.size()), argv.data());
        return options;
    };
    const auto check = [&](const std::vector<std::string>& arguments) {
        const auto options = parse(arguments);
        given->CheckEffects(options->GetEffects());
    };
    const auto file =
        parse({"--topologyFile=" + star, "--cc=hpcc", "--network=payload_bytes=4000"})->Create();
    NS_TEST_EXPECT_MSG_EQ(file.topology->GetHosts().size(), 3, "hosts of the file");
    NS_TEST_EXPECT_MSG_EQ(file.config->congestionControl, "hpcc", "congestion control");
    NS_TEST_EXPECT_MSG_EQ(file.config->payloadBytes, 4000, "key");
    const auto fabric = parse({"--servers=2", "--accelerators=4"})->Create();
    NS_TEST_EXPECT_MSG_EQ(fabric.topology->GetHosts().size(), 8, "accelerators");
    NS_TEST_ASSERT_MSG_EQ(fabric.notes.size(), 1, "a line");
    NS_TEST_EXPECT_MSG_EQ(fabric.notes[0],
                          "note: 2 servers of 4 accelerators; scale-up links of 3600 Gb/s, NICs of "
                          "400 Gb/s; a leaf has links of 400 Gb/s to 1 spines for 2 servers",
                          "what the options do not show");
    const auto fluid = parse({"--servers=2",
                              "--engine=flowsim,flowsim:LinkEfficiency=0.9",
                              "--cc=hpcc",
                              "--network=pfc=0,payload_bytes=900,hpcc_eta=0.9"});
    const auto ignoring = fluid->Create();
    NS_TEST_EXPECT_MSG_EQ(fluid->IsFluid(*ignoring.config), true, "fluids only");
    NS_TEST_ASSERT_MSG_EQ(ignoring.notes.size(), 2, "lines");
    NS_TEST_EXPECT_MSG_EQ(ignoring.notes[1],
                          "ignored by flowsim: --cc=hpcc, --network=pfc=0, "
                          "--network=hpcc_eta=0.9",
                          "options that fluids do not read");
    for (const char* engines : {"flowsim,packet", "m4", "flowsim:WindowCap=true"})
    {
        const auto other = parse({"--servers=2", std::string("--engine=") + engines, "--cc=hpcc"});
        NS_TEST_EXPECT_MSG_EQ(other->IsFluid(*ignoring.config), false, engines);
        NS_TEST_EXPECT_MSG_EQ(other->Create().notes.size(), 1, "all is read by " << engines);
    }
    const auto tree = parse({"--pods=4"});
    NS_TEST_EXPECT_MSG_EQ(tree->Create().topology->GetHosts().size(), 16, "hosts of the tree");
    NS_TEST_ASSERT_MSG_EQ(tree->Create().notes.size(), 1, "a line");
    NS_TEST_EXPECT_MSG_EQ(tree->Create().notes[0].rfind("note: each host is an accelerator: ", 0),
                          std::size_t{0},
                          "no servers");
    NS_TEST_EXPECT_MSG_EQ(tree->GetEngines().size(), 3, "all engines");
    tree->SetNetworkFile(star);
    DCN_TEST_EXPECT_ERROR(given->CheckEffects(tree->GetEffects()),
                          "--pods=4 has no effect with the topology file " + star);
    // config.txt: what counts without flows is used, the rest is listed; options come first
    const std::string whole = Write("# of the ns-3 back end\nTOPOLOGY_FILE " + star +
                                        "\nFLOW_FILE none.txt\nSIMULATOR_STOP_TIME 2.5\n"
                                        "CC_MODE 3\nU_TARGET 0.9\nPACKET_PAYLOAD_SIZE 2000\n"
                                        "QLEN_MON_FILE x\n",
                                    "config.txt");
    const auto configured = parse({"--network=pfc=0"});
    configured->SetNetworkFile(whole);
    const auto read = configured->Create();
    NS_TEST_EXPECT_MSG_EQ(read.topology->GetHosts().size(), 3, "hosts of its topology");
    NS_TEST_EXPECT_MSG_EQ(read.config->congestionControl, "hpcc", "CC_MODE");
    NS_TEST_EXPECT_MSG_EQ(read.config->payloadBytes, 2000, "PACKET_PAYLOAD_SIZE");
    NS_TEST_EXPECT_MSG_EQ(read.config->pfc, false, "--network");
    NS_TEST_EXPECT_MSG_NE(DescribeKeys(*read.config).find("hpcc_eta=0.9 "),
                          std::string::npos,
                          "U_TARGET: " << DescribeKeys(*read.config));
    NS_TEST_EXPECT_MSG_EQ(
        (read.notes ==
         std::vector<std::string>{
             "ignored: FLOW_FILE",
             "ignored: QLEN_MON_FILE",
             "ignored: SIMULATOR_STOP_TIME",
             "note: not in the file, so that values are of the preset: "
             "ACK_HIGH_PRIO, BUFFER_SIZE, FAST_REACT, MAX_RATE, MIN_RATE, MI_THRESH, "
             "RATE_AI"}),
        true,
        "listed");
    const auto other = parse({"--cc=dctcp", "--network=payload_bytes=4000"});
    other->SetNetworkFile(whole);
    NS_TEST_EXPECT_MSG_EQ(other->Create().config->congestionControl, "dctcp", "--cc");
    NS_TEST_EXPECT_MSG_EQ(other->Create().config->payloadBytes, 4000, "--network");
    const std::string part = Write("CC_MODE 3\n", "part.txt");
    other->SetNetworkFile(part);
    DCN_TEST_EXPECT_ERROR(other->Create(),
                          part + ": there is no TOPOLOGY_FILE: name one, or give a topology file "
                                 "in place of this file");
    const auto none = parse({});
    none->SetNetworkFile(Write("TOPOLOGY_FILE " + star + "\n", "part.txt"));
    DCN_TEST_EXPECT_ERROR(none->Create(), part + ": there is no CC_MODE: give --cc");
    none->SetNetworkFile(Write("topology: [ Ring ]\n", "part.txt"));
    DCN_TEST_EXPECT_ERROR(none->Create(),
                          part + ":1: expected a key such as CC_MODE and its value, but the line "
                                 "begins with \"topology:\"");
    DCN_TEST_EXPECT_ERROR(check({"--servers=2", "--pods=4"}),
                          "--pods=4 has no effect with --servers");
    DCN_TEST_EXPECT_ERROR(check({"--servers=2", "--topologyFile=" + star}),
                          "--servers=2 has no effect with the topology file " + star);
    DCN_TEST_EXPECT_ERROR(check({"--load=0.5"}),
                          "--load=0.5 has no effect beside the messages of the graph");
    DCN_TEST_EXPECT_ERROR(check({"--servers=2", "--spines=0", "--spineRate=10Gbps"}),
                          "--spineRate=10Gbps has no effect with --spines=0: rails have no spines");
    DCN_TEST_EXPECT_ERROR(
        check({"--servers=2", "--accelerators=1", "--scaleUpDelay=1us"}),
        "--scaleUpDelay=1us has no effect with --accelerators=1: nothing is within a server");
    DCN_TEST_EXPECT_ERROR(check({"--servers=2", "--linkDelay=2us", "--spineRate=10Gbps"}),
                          "no error");
    // with their defaults as values, too
    for (const std::string option : {"--nicRate=400Gbps",
                                     "--scaleUpRate=10Gbps",
                                     "--spineRate=10Gbps",
                                     "--scaleUpDelay=1us",
                                     "--accelerators=8",
                                     "--serversPerPod=2",
                                     "--planes=1",
                                     "--spines=1"})
    {
        for (const std::string& topology :
             {std::string("--topology=leaf-spine"), "--topologyFile=" + star})
        {
            DCN_TEST_EXPECT_ERROR(check({topology, option}),
                                  option + " has no effect without --servers");
        }
    }
    const std::string latency = "--hostLatency must be from 0 to 1s, but it is 1000000001ns";
    DCN_TEST_EXPECT_ERROR(parse({"--servers=2", "--hostLatency=1000000001ns"})->Create(), latency);
    DCN_TEST_EXPECT_ERROR(parse({"--hostLatency=1000000001ns"})->GetTimeUs("hostLatency"), latency);
    NS_TEST_EXPECT_MSG_EQ(parse({"--servers=2", "--hostLatency=1s"})->Create().hostLatency,
                          Seconds(1),
                          "the largest");
    const std::string most = "a fabric has at most 1048576 accelerators and 8388608 links, but ";
    DCN_TEST_EXPECT_ERROR(parse({"--servers=20000000"})->Create(),
                          most + "20000000 servers of 8 accelerators with 1 planes of 1 spines "
                                 "have more: take fewer");
    // 2^32 accelerators: 0 as a number of 32 bits
    DCN_TEST_EXPECT_ERROR(parse({"--servers=536870912"})->Create(),
                          most + "536870912 servers of 8 accelerators with 1 planes of 1 spines "
                                 "have more: take fewer");
    DCN_TEST_EXPECT_ERROR(parse({"--servers=2", "--spines=4294967295"})->Create(),
                          most + "2 servers of 8 accelerators with 1 planes of 4294967295 spines "
                                 "have more: take fewer");
    DCN_TEST_EXPECT_ERROR(parse({"--nicRate=fast"})->Create(),
                          "--nicRate must be a rate such as 400Gbps, but it is \"fast\"");
    DCN_TEST_EXPECT_ERROR(parse({"--engine=tcp"})->GetEngines(),
                          "the engine must be packet, flowsim or m4, but it is \"tcp\"");
    DCN_TEST_EXPECT_ERROR(parse({"--engine=flowsim,flowsim"})->GetEngines(),
                          "--engine names \"flowsim\" twice");
}

/// Keys of config.txt become those of network.csv.
DCN_TEST_CASE_WITH(FormatTestCase, HpccConfigTestCase, "config.txt of HPCC's family")
{
    const std::string topologyFile =
        Write("4 1 3\n3\n0 3 25Gbps 1us 0\n1 3 100Gbps 2us 0\n2 3 100Gbps 1us 0\n", "topology.txt");
    const Ptr<DcnTopology> topology = DcnHpccFiles().ReadTopology(topologyFile);
    auto apply = [&](const std::string& text, const std::string& cc, const std::string& keys) {
        const std::string file = Write(text, "config.txt");
        const Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset(cc.empty() ? "dctcp" : cc, 25'000'000'000);
        DcnHpccFiles files;
        const std::string sentence = Refuse(file, [&]() {
            files.Apply(files.ReadConfig(file, cc), *topology, *config, keys);
        });
        std::string result = sentence == "no error" ? " " + DescribeKeys(*config) : sentence;
        for (const std::string& each : files.GetIgnored())
        {
            result += each + "; ";
        }
        return result;
    };
    auto expect = [&](const std::string& result, const std::string& part) {
        NS_TEST_EXPECT_MSG_EQ((result.find(part) != std::string::npos),
                              true,
                              "\"" << part << "\" is expected in: " << result);
    };
    const std::string maps = "KMIN_MAP 2 25000000000 100 100000000000 400\n"
                             "KMAX_MAP 2 25000000000 400 100000000000 1600\n"
                             "PMAX_MAP 2 25000000000 0.2 100000000000 0.2\n";
    const std::string dcqcn = apply(maps + "RATE_AI 50Mb/s\nRP_TIMER 900\nU_TARGET 0.95\n"
                                           "BUFFER_SIZE 32\nGLOBAL_T 1\nVAR_WIN 0\nTRACE_FILE x\n",
                                    "dcqcn",
                                    "dcqcn_g=0.5");
    for (const char* part : {" ecn_kmin_bytes=100000 ",
                             " ecn_kmax_bytes=400000 ",
                             " ecn_pmax=0.2 ",
                             " ecn_reference_rate_bps=25000000000 ",
                             " dcqcn_additive_increase_bps=50000000 ",
                             " dcqcn_increase_timer_us=900 ",
                             " buffer_bytes=33554432 ",
                             " dcqcn_g=0.5 ",
                             "U_TARGET, which dcqcn does not use; ",
                             "VAR_WIN 0, which is taken as 1; ",
                             "TRACE_FILE; "})
    {
        expect(dcqcn, part);
    }
    // hosts 0 and 1: 2 (1000 + 2000) + 320 + 80 ns at 25 Gb/s; hosts 1 and 2: 6000 + 160 ns at 100
    expect(dcqcn, " window_bytes=77000 base_rtt_ns=6400 ");
    const std::string hpcc = apply("HAS_WIN 1\nGLOBAL_T 0\nU_TARGET 0.95\n", "hpcc", "");
    expect(hpcc, " window_bdp=1 base_rtt_ns=0 ");
    expect(hpcc, " hpcc_eta=0.95 ");
    expect(apply("HAS_WIN 0\n", "hpcc", ""), " window_bytes=0 ");
    expect(apply("FIXED_WIN 18000\nBASE_RTT 14400\nBUFFER_SIZE 364\n", "timely", ""),
           " window_bytes=18000 base_rtt_ns=14400 ");
    expect(apply("FIXED_WIN 18000\nBUFFER_SIZE 364\n", "timely", ""), " buffer_bytes=372736 ");
    const std::string bent = "KMIN_MAP 2 25000000000 100 100000000000 100\n";
    expect(apply(bent, "dctcp", ""),
           "FILE:1: KMIN_MAP has 100 for 100000000000 bit/s and 100 for 25000000000 bit/s");
    expect(apply(bent, "dctcp", "ecn_kmin_bytes=5"), " ecn_kmin_bytes=5 ");
    expect(apply("KMIN_MAP 1 25000000000 100\n", "dctcp", ""),
           "FILE:1: KMIN_MAP has no value for 100000000000 bit/s, the rate of a link");
    expect(apply("KMIN_MAP 3 25000000000 100\n", "dctcp", ""),
           "FILE:1: KMIN_MAP must be the number of its rates");
    // the three maps, all or none
    const std::size_t second = maps.find("KMAX");
    const std::size_t third = maps.find("PMAX");
    expect(
        apply(maps.substr(second), "dctcp", ""),
        "FILE:2: KMIN_MAP, KMAX_MAP and PMAX_MAP belong together, but there is no KMIN_MAP: add");
    expect(apply(maps.substr(0, third), "dctcp", ""), "but there is no PMAX_MAP: add it, or give");
    expect(apply(maps.substr(0, second), "dctcp", ""), "but there is no KMAX_MAP and PMAX_MAP: ");
    expect(apply(maps.substr(0, second), "dctcp", "ecn_kmin_bytes=5"), " ecn_kmin_bytes=5 ");
    expect(apply("HAS_WIN 0.5\n", "hpcc", ""), "FILE:1: HAS_WIN must be 0 or 1, but it is \"0.5\"");
    expect(apply("GLOBAL_T 0.1\n", "hpcc", ""), "FILE:1: GLOBAL_T must be 0 or 1, but it is");
    for (const char* stop : {"0", "1e-12"})
    {
        expect(apply("SIMULATOR_STOP_TIME " + std::string(stop) + "\n", "hpcc", ""),
               "FILE:1: SIMULATOR_STOP_TIME [s] must be a number from 1e-09 to");
    }
    const auto note = [&](const std::string& text, const std::string& cc, const std::string& keys) {
        const std::string path = Write(text, "config.txt");
        DcnHpccFiles files;
        files.Apply(files.ReadConfig(path, cc), *topology, *DcnNetworkConfig::Preset(cc), keys);
        std::string all;
        for (const std::string& each : files.GetNotes())
        {
            all += each + "; ";
        }
        return all;
    };
    NS_TEST_EXPECT_MSG_EQ(
        note("U_TARGET 0.9\nRATE_AI 50Mb/s\nMIN_RATE 100Mb/s\nFAST_REACT 0\n"
             "MI_THRESH 5\nENABLE_PFC 1\nACK_HIGH_PRIO 1\nMAX_RATE 10Gb/s\n",
             "hpcc",
             "buffer_bytes=5000000"),
        "not in the file, so that values are of the preset: PACKET_PAYLOAD_SIZE; ",
        "what is neither in the file nor given");
    expect(note("FIXED_WIN 18000\nBUFFER_SIZE 364\n", "dctcp", ""), "BUFFER_SIZE is read in KiB");
    NS_TEST_EXPECT_MSG_EQ(note("BUFFER_SIZE 32\n", "dctcp", "").find("KiB"),
                          std::string::npos,
                          "in MiB");
    expect(note("U_TARGET 0.9\n", "dctcp", ""), "BUFFER_SIZE, ");
    expect(note("U_TARGET 0.9\n", "dctcp", ""), "KMAX_MAP, KMIN_MAP, ");
    expect(apply("LINK_DOWN 5 0 3\n", "dctcp", ""), "FILE:1: LINK_DOWN must be 0 0 0");
    expect(apply("ERROR_RATE_PER_LINK 0.01\n", "dctcp", ""),
           "FILE:1: ERROR_RATE_PER_LINK must be 0");
    expect(apply("MIN_RATE 100\nMIN_RATE 100\n", "dctcp", ""),
           "FILE:2: the key MIN_RATE comes twice");
    expect(apply("MIN_RATE 100 Mb/s\n", "dctcp", ""),
           "FILE:1: the key MIN_RATE has one value, but there are 2");
    expect(apply("MIN_RATE 100M\n", "dctcp", ""),
           "FILE:1: MIN_RATE must be a rate such as 100Mb/s, but it is \"100M\"");
    expect(apply("FLOW_FILE mix/flow.txt\n", "dctcp", ""), "FILE:1: the file \"mix/flow.txt\" is");
    const std::string file =
        Write("TOPOLOGY_FILE mix/topology.txt\nCC_MODE 8\nSIMULATOR_STOP_TIME 4.5\n", "config.txt");
    const DcnHpccFiles::Config config = DcnHpccFiles().ReadConfig(file);
    NS_TEST_EXPECT_MSG_EQ(DcnHpccFiles().ReadTopology(config.topology)->GetNLinks(),
                          6,
                          "the file beside it");
    NS_TEST_EXPECT_MSG_EQ(config.congestionControl, "dctcp", "CC_MODE");
    NS_TEST_EXPECT_MSG_EQ(config.stopNs, 4'500'000'000, "stop");
    expect(apply("CC_MODE 12\n", "", ""), "FILE:1: CC_MODE 12 is none of 1 (DCQCN)");
    // comments as in config_doc.txt of HPCC, and keys of programs made from it
    expect(apply("U_TARGET 0.9 {the target\n\nHAS_WIN 0} # {\nVAR_WIN 1 # }\nTimelyTHigh 5 6\n",
                 "hpcc",
                 ""),
           " hpcc_eta=0.9 ");
    expect(apply("TimelyTHigh 5 6\n", "hpcc", ""), "TimelyTHigh; ");
    expect(apply("U_TARGET 0.9 {HAS_WIN 0\n", "hpcc", ""), "FILE: the file ends within a comment");
    expect(apply("4 1 3\n", "hpcc", ""),
           "FILE:1: expected a key such as CC_MODE and its value, but the line begins with \"4\"");
}

/// @return all numbers of a graph, and what has no effect
std::string
Describe(const DcnTrainImport& import)
{
    std::string text;
    for (uint32_t rank = 0; rank < import.graph->GetNRanks(); ++rank)
    {
        text += "rank\n";
        for (const DcnTrainNode& node : import.graph->GetNodes(rank))
        {
            for (const uint64_t number : {static_cast<uint64_t>(node.kind),
                                          static_cast<uint64_t>(node.peer),
                                          node.bytes,
                                          static_cast<uint64_t>(node.tag),
                                          static_cast<uint64_t>(node.stream),
                                          static_cast<uint64_t>(node.durationNs)})
            {
                text += std::to_string(number) + " ";
            }
            for (const uint32_t before : node.after)
            {
                text += "after " + std::to_string(before) + " ";
            }
            text += "\n";
        }
    }
    for (const auto& operation : import.graph->GetOperations())
    {
        text +=
            operation.name + " " + operation.kind + " " + std::to_string(operation.bytes) + "\n";
    }
    for (const std::string& each : import.ignored)
    {
        text += "ignored: " + each + "\n";
    }
    return text;
}

/**
 * @param header of an array, between braces, as NumPy writes it
 * @param data bytes of the numbers
 * @param version of the format
 * @return the bytes of a .npy file
 */
std::string
MakeNpy(const std::string& header, const std::string& data, char version = 1)
{
    std::string text = header + std::string(64 - header.size() % 64, ' ') + "\n";
    std::string head = std::string("\x93NUMPY") + version + '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    {
        head += static_cast<char>(text.size() >> (8 * i));
    }
    return head + text + data;
}

/**
 * @tparam T type of the numbers
 * @param type its name in NumPy
 * @param numbers all of them
 * @param shape without parentheses; empty: one dimension
 * @return the bytes of a .npy file
 */
template <typename T>
std::string
MakeArray(const std::string& type, const std::vector<T>& numbers, const std::string& shape = "")
{
    std::string data(sizeof(T) * numbers.size(), 0);
    std::memcpy(data.data(), numbers.data(), data.size());
    return MakeNpy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                       (shape.empty() ? std::to_string(numbers.size()) + "," : shape) + "), }",
                   data);
}

/// A folder of data of m3: a scenario and its completion times.
DCN_TEST_CASE_WITH(FormatTestCase, M3FolderTestCase, "folders of data of m3")
{
    const std::string folder = CreateTempDirFilename("m3");
    std::filesystem::create_directories(folder);
    auto write = [&](const std::string& name, const std::string& bytes) {
        DcnWriteTestFile(folder + "/" + name, bytes);
    };
    write("fsize.npy", MakeArray<int64_t>("<i8", {33002, 17215, 83273, 50}));
    write("fat.npy", MakeArray<double>("<f8", {1000000000, 1000000500, 1000000100, 1000009000}));
    write("fsd.npy", MakeArray<int32_t>("<i4", {1, 2, 0, 2, 0, 4, 2, 3}, "4, 2"));
    write("fid_topo-pl-5_s0.npy", MakeArray<int64_t>("<i8", {0, 1, 2}));
    write("fct_topo-pl-5_s0.npy", MakeArray<uint32_t>("<u4", {44462, 31659, 168611}));
    write("fct_i_topo-pl-5_s0.npy", "not read");
    write("fct_flowsim.npy", "not read");
    DcnHpccFiles files;
    const DcnM3Folder data(folder);
    NS_TEST_EXPECT_MSG_EQ(data.GetSimulation(), "topo-pl-5_s0", "the only one");
    NS_TEST_EXPECT_MSG_EQ(data.FindConfig(), "", "there is none");
    write("config_topo-pl-5_flows_s0.txt", "CC_MODE 8\n");
    NS_TEST_EXPECT_MSG_EQ(data.FindConfig(),
                          folder + "/config_topo-pl-5_flows_s0.txt",
                          "as m3 names it");
    const Ptr<DcnTopology> topology = data.CreateTopology();
    NS_TEST_ASSERT_MSG_EQ(topology->GetHosts().size(), 5, "hosts");
    NS_TEST_EXPECT_MSG_EQ(topology->GetNNodes(), 8, "and switches");
    std::string links;
    for (uint32_t link = 0; link < topology->GetNLinks(); link += 2)
    {
        const DcnLink& each = topology->GetLink(link);
        links += std::to_string(each.from) + "-" + std::to_string(each.to) + " " +
                 std::to_string(each.rateBps / 1'000'000'000) + " " + std::to_string(each.delayNs) +
                 ", ";
    }
    NS_TEST_EXPECT_MSG_EQ(links,
                          "0-5 10 1000, 1-5 100000 1000, 5-6 40 1000, 2-6 100000 2000, "
                          "6-7 40 1000, 3-7 100000 1000, 4-7 10 1000, ",
                          "parking lot: ends, rate [Gb/s], delay [ns]");
    std::string flows;
    for (const DcnFlow& flow : data.ReadFlows(*topology, files))
    {
        flows += std::to_string(flow.id) + ": " + std::to_string(flow.src) + "-" +
                 std::to_string(flow.dst) + " " + std::to_string(flow.sizeBytes) + " " +
                 std::to_string(flow.startNs) + ", ";
    }
    NS_TEST_EXPECT_MSG_EQ(flows,
                          "0: 1-2 33002 1000000000, 2: 0-4 83273 1000000100, "
                          "1: 0-2 17215 1000000500, ",
                          "in the order of starts, without those of other simulations");
    data.WriteTruth(folder + "/truth.csv");
    NS_TEST_EXPECT_MSG_EQ(DcnReadTestFile(folder + "/truth.csv"),
                          "flow_id,fct_ns\n0,44462\n1,31659\n2,168611\n",
                          "completion times");
    std::filesystem::remove(folder + "/truth.csv");
    NS_TEST_EXPECT_MSG_EQ(data.DescribeUnused(),
                          "ignored: " + folder + "/fct_flowsim.npy, fct_i_topo-pl-5_s0.npy",
                          "files that are not read");

    auto refuse = [&](const std::string& name, const std::string& bytes) {
        const std::string good = DcnReadTestFile(folder + "/" + name);
        write(name, bytes);
        const std::string sentence = Refuse(folder, [&]() {
            DcnM3Folder(folder).ReadFlows(*topology, files);
            DcnM3Folder(folder).WriteTruth(folder + "/truth.csv");
        });
        write(name, good);
        return sentence;
    };
    const std::string shape = "'fortran_order': False, 'shape': (4,), }";
    const std::string bytes(32, 0);
    const std::pair<std::string, std::string> bad[] = {
        {"text", "FILE/fsize.npy: is no .npy file of NumPy: it does not begin with \\x93NUMPY"},
        {MakeNpy("{'descr': '<i8', " + shape, bytes, 4),
         "FILE/fsize.npy: has version 4 of .npy, but 1 to 3 are read"},
        {MakeNpy("{'descr': '>i8', " + shape, bytes),
         "FILE/fsize.npy: has numbers of the type \"'>i8'\" but integers (i1 to u8) and f4 and f8 "
         "are read, little-endian"},
        {MakeNpy("{'descr': '|O', " + shape, bytes),
         "FILE/fsize.npy: has numbers of the type \"'|O'\", which are Python objects, but "
         "integers (i1 to u8) and f4 and f8 are read, little-endian"},
        {MakeNpy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", bytes.substr(0, 8)),
         "FILE/fsize.npy: must have one or two dimensions"},
        {MakeNpy("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2, 2), }", bytes),
         "FILE/fsize.npy: must have one or two dimensions"},
        {MakeNpy("{'descr': '<i8', 'fortran_order': False, 'shape': (9999999999, 9999999999), }",
                 bytes),
         "FILE/fsize.npy: has 9999999999 times 9999999999 numbers, but at most 4294967296 are "
         "read"},
        {MakeNpy("{'descr': '<i8', " + shape, bytes + "x"),
         "FILE/fsize.npy: has 108 bytes, but its header asks for 107: copy it again"},
        {MakeNpy("{'descr': '<i8', 'shape': (4,), }", bytes),
         "FILE/fsize.npy: has a header that is not NumPy's: \"{'descr': '<i8', 'shape': (4,), }"},
        {MakeArray<double>("<f8", {1, 1.5, 1, 1}),
         "FILE/fsize.npy: the size at position 1 must be a whole number from 1 to "
         "1000000000000000, but it is 1.5"},
        {MakeArray<double>("<f8", {1, NAN, 1, 1}),
         "FILE/fsize.npy: the size at position 1 must be a whole number from 1 to "
         "1000000000000000, but it is nan"},
        {MakeArray<int8_t>("|i1", {1, 1, -1, 1}),
         "FILE/fsize.npy: the size at position 2 must be a whole number from 1 to "
         "1000000000000000, but it is -1"},
        {MakeArray<uint64_t>("<u8", {1, 1, UINT64_MAX, 1}),
         "FILE/fsize.npy: the size at position 2 must be a whole number from 1 to "
         "1000000000000000, but it is 18446744073709551615"},
        {MakeArray<int64_t>("<i8", {1, 2, 3}),
         "FILE: fsize.npy has 3 flows and fat.npy 4: they must be as many"}};
    for (const auto& [file, sentence] : bad)
    {
        NS_TEST_EXPECT_MSG_EQ(refuse("fsize.npy", file).substr(0, sentence.size()), sentence, "");
    }
    // columns one after the other
    const std::string ends = MakeArray<int32_t>("<i4", {1, 0, 0, 2, 2, 2, 4, 3}, "4, 2");
    std::string fortran = ends;
    fortran.replace(fortran.find("False"), 25, "True, 'shape': (4, 2), } ");
    NS_TEST_EXPECT_MSG_EQ(refuse("fsd.npy", fortran), "no error", "order of Fortran");
    NS_TEST_EXPECT_MSG_EQ(refuse("fsd.npy", ends).rfind("FILE/fsd.npy: flow 2 ", 0),
                          0,
                          "from 2 to 2");
    NS_TEST_EXPECT_MSG_EQ(
        refuse("fsd.npy", MakeArray<int32_t>("<i4", {1, 2, 0, 99, 0, 4, 2, 3}, "4, 2")),
        "FILE/fsd.npy: flow 1 names node 99, which the topology has not",
        "no such node");
    NS_TEST_EXPECT_MSG_EQ(refuse("fid_topo-pl-5_s0.npy", MakeArray<int64_t>("<i8", {0, 1, 1})),
                          "FILE/fid_topo-pl-5_s0.npy: flow 1 comes twice",
                          "twice");
    NS_TEST_EXPECT_MSG_EQ(refuse("fct_topo-pl-5_s0.npy", MakeArray<int64_t>("<i8", {5, 6})),
                          "FILE/fct_topo-pl-5_s0.npy has 2 completion times, but the simulation "
                          "has 3 flows",
                          "too few");
    NS_TEST_EXPECT_MSG_EQ(refuse("fct_topo-pl-5_s0.npy", MakeArray<int64_t>("<i8", {5, 0, 6}))
                              .rfind("FILE/fct_topo-pl-5_s0.npy", 0),
                          0,
                          "a completion time of 0");
    NS_TEST_EXPECT_MSG_EQ(
        Refuse(folder,
               [&]() {
                   write("fct_topo-pl-5_s0.npy", MakeArray<int64_t>("<i8", {5, 0, 6}));
                   DcnM3Folder(folder).ReadTruth();
               })
            .rfind("FILE/fct_topo-pl-5_s0.npy", 0),
        0,
        "before anything is written");
    write("fct_topo-pl-5_s0.npy", MakeArray<uint32_t>("<u4", {44462, 31659, 168611}));
    const auto wide = MakeArray<int64_t>("<i8", {1, 2, 3, 4, 5, 6, 7, 8}, "4, 2");
    for (const char* name :
         {"fsize.npy", "fat.npy", "fid_topo-pl-5_s0.npy", "fct_topo-pl-5_s0.npy"})
    {
        NS_TEST_EXPECT_MSG_EQ(refuse(name, wide),
                              "FILE/" + std::string(name) +
                                  " must have one number for each flow, but it has 4 times 2",
                              "a second column");
    }
    write("fct_other.npy", MakeArray<int64_t>("<i8", {5, 6, 7, 8}));
    NS_TEST_EXPECT_MSG_EQ(Refuse(folder, [&]() { DcnM3Folder{folder}; }),
                          "FILE has several simulations: choose one by --simulation=NAME of other, "
                          "topo-pl-5_s0",
                          "two");
    NS_TEST_EXPECT_MSG_EQ(Refuse(folder, [&]() { DcnM3Folder(folder, "third"); }),
                          "FILE has no simulation \"third\", but other, topo-pl-5_s0",
                          "none of them");
    NS_TEST_EXPECT_MSG_EQ(Refuse(folder, [&]() { DcnM3Folder(folder, "other").CreateTopology(); }),
                          "FILE: the simulation other has no parking lot topo-pl-3, topo-pl-5 or "
                          "topo-pl-7 in its name, and there is no topology.txt: give its topology "
                          "file by --topology",
                          "no parking lot");
    NS_TEST_EXPECT_MSG_EQ(DcnM3Folder(folder, "other").ReadFlows(*topology, files).size(),
                          4,
                          "no fid");
}

/// A folder of data of m4: its flows have their hosts in flows.txt.
DCN_TEST_CASE_WITH(FormatTestCase, M4FolderTestCase, "folders of data of m4")
{
    const std::string folder = CreateTempDirFilename("m4");
    std::filesystem::create_directories(folder);
    auto write = [&](const std::string& name, const std::string& bytes) {
        DcnWriteTestFile(folder + "/" + name, bytes);
    };
    write("fsize.npy", MakeArray<int64_t>("<i8", {5000, 7000, 900}));
    write("fat.npy", MakeArray<int64_t>("<i8", {0, 500, 20000}));
    write("fct_topology_flows_dctcp.npy", MakeArray<int64_t>("<i8", {9100, 4200}));
    write("fid_topology_flows_dctcp.npy", MakeArray<int64_t>("<i8", {0, 2}));
    write("fct_i_topology_flows_dctcp.npy", "not read");
    write("flow_to_path.npy", "not read");
    write("topology.txt", "4 1 3\n3\n0 3 10Gbps 1us 0\n1 3 10Gbps 1us 0\n2 3 10Gbps 1us 0\n");
    write("config_topology_flows.txt", "CC_MODE 8\n");
    const std::string good = "3\n0 0 1 3 100 5000 1\n1 2 1 3 100 7000 1.0000005\n"
                             "2 0 2 3 100 900 1.00002\n";
    write("flows.txt", good);
    const DcnM3Folder data(folder);
    NS_TEST_EXPECT_MSG_EQ(data.FindConfig(),
                          folder + "/config_topology_flows.txt",
                          "without dctcp");
    NS_TEST_EXPECT_MSG_EQ(data.FindTopology(), folder + "/topology.txt", "a topology of its own");
    const Ptr<DcnTopology> topology = DcnHpccFiles().ReadTopology(data.FindTopology());
    DcnHpccFiles files;
    std::string flows;
    for (const DcnFlow& flow : data.ReadFlows(*topology, files))
    {
        flows += std::to_string(flow.id) + ": " + std::to_string(flow.src) + "-" +
                 std::to_string(flow.dst) + " " + std::to_string(flow.sizeBytes) + " " +
                 std::to_string(flow.startNs) + ", ";
    }
    NS_TEST_EXPECT_MSG_EQ(flows,
                          "0: 0-1 5000 0, 2: 0-2 900 20000, ",
                          "starts are those of fat.npy");
    NS_TEST_EXPECT_MSG_EQ(files.DescribeUnused().empty(), false, "pg of flows.txt is listed");
    data.WriteTruth(folder + "/truth.csv");
    NS_TEST_EXPECT_MSG_EQ(DcnReadTestFile(folder + "/truth.csv"),
                          "flow_id,fct_ns\n0,9100\n2,4200\n",
                          "completion times");
    auto refuse = [&](const std::string& text) {
        write("flows.txt", text);
        return Refuse(folder, [&]() { DcnM3Folder(folder).ReadFlows(*topology, files); });
    };
    NS_TEST_EXPECT_MSG_EQ(refuse("1\n0 0 1 3 100 5000 1\n"),
                          "FILE/flows.txt has no flow 2, which fsize.npy has",
                          "too few");
    NS_TEST_EXPECT_MSG_EQ(refuse("1\n0 0 1 3 100 5001 1\n"),
                          "FILE/flows.txt: flow 0 has 5001 bytes, but 5000 in fsize.npy",
                          "another size");
    NS_TEST_EXPECT_MSG_EQ(refuse("1\n3 0 1 3 100 5000 1\n"),
                          "FILE/flows.txt: flow 3 has 5000 bytes, but no size in fsize.npy",
                          "too many");
    std::filesystem::remove(folder + "/flows.txt");
    NS_TEST_EXPECT_MSG_EQ(
        Refuse(folder, [&]() { DcnM3Folder(folder).ReadFlows(*topology, files); }),
        "FILE has neither fsd.npy nor flow_src_dst.npy nor flows.txt, which have "
        "the hosts of flows",
        "none of them");
}

/// Each word of a file is used, refused by a sentence, or listed (DcnChangesTestCase).
class MutationTestCase : public DcnChangesTestCase
{
  public:
    /**
     * @param nCases number of changes for each format
     */
    explicit MutationTestCase(uint32_t nCases)
        : DcnChangesTestCase("changed files", nCases)
    {
    }

  private:
    /// Changes words and lines of a text.
    void Mutate(const std::string& format, const std::string& text, const Reader& read)
    {
        const uint32_t nRefused = ChangeWords(format, CreateTempDirFilename("mutated"), text, read);
        NS_TEST_EXPECT_MSG_GT(nRefused, GetNCases() / 4, format << ": most changes are errors");
        NS_TEST_EXPECT_MSG_LT(nRefused, GetNCases(), format << ": some changes are other numbers");
    }

    /// Changes numbers, names and bytes of Chakra traces.
    void MutateChakra()
    {
        using namespace wire;
        const std::string prefix = CreateTempDirFilename("mutated-et");
        static const std::vector<uint64_t> odd =
            {~0ULL, 1ULL << 32, (1ULL << 32) + 1, 1ULL << 63, 999'999'999'999'999'999ULL, 0};

        struct Value
        {
            std::string name; // of the attribute
            uint64_t number;  // its value
        };

        auto write = [&](const std::vector<Value>& values, uint64_t durationUs) {
            std::string attributes[2];
            for (std::size_t i = 0; i < values.size(); ++i)
            {
                attributes[i / 3] += Attribute(values[i].name, values[i].number);
            }
            const std::string collective = Attribute("comm_type", 0) + Attribute("comm_size", 800);
            const std::string zero = HEAD + Node(1, 4, Number(7, durationUs)) +
                                     Node(2, 5, attributes[0] + Number(5, 1)) +
                                     Node(3, 7, collective + Number(5, 2));
            const std::string one =
                HEAD + Node(1, 6, attributes[1]) + Node(2, 7, collective + Number(5, 1));
            std::ofstream(prefix + ".0.et", std::ios::binary) << zero;
            std::ofstream(prefix + ".1.et", std::ios::binary) << one;
            return zero;
        };
        auto read = [&]() { return Describe(DcnTrainChakra::Read(prefix)); };
        const std::vector<Value> good = {{"comm_size", 64},
                                         {"comm_dst", 1},
                                         {"comm_tag", 9},
                                         {"comm_size", 64},
                                         {"comm_src", 0},
                                         {"comm_tag", 9}};
        const std::string zero = write(good, 25);
        const std::string answer = read();
        for (uint32_t i = 0; i < GetNCases(); ++i)
        {
            std::vector<Value> values = good;
            uint64_t durationUs = 25;
            const uint32_t at = Draw(values.size());
            const uint64_t number = Draw(2) == 0 ? odd[Draw(odd.size())] : 100 + Draw(1000);
            const uint32_t kind = Draw(5);
            bool isVisible = true;
            if (kind == 0)
            {
                durationUs = number;
            }
            else if (kind == 1)
            {
                values[at].name += "x";
            }
            else if (kind < 4)
            {
                isVisible = values[at].number != number;
                values[at].number = number;
            }
            const std::string text = write(values, durationUs);
            if (kind == 4) // any byte, which may be one of a name or of equal meaning
            {
                isVisible = false;
                std::string bytes = zero;
                bytes[HEAD.size() + Draw(bytes.size() - HEAD.size())] ^=
                    static_cast<char>(1 << Draw(8));
                std::ofstream(prefix + ".0.et", std::ios::binary)
                    << bytes.substr(0, Draw(3) == 0 ? Draw(bytes.size()) : bytes.size());
            }
            std::string now;
            const std::string sentence = DcnSentenceOf([&]() { now = read(); });
            NS_TEST_EXPECT_MSG_EQ((!now.empty() || sentence.size() > 20), true, "no sentence");
            if (isVisible)
            {
                NS_TEST_EXPECT_MSG_EQ((now != answer),
                                      true,
                                      "Chakra: a change has no effect and is not listed: kind "
                                          << kind << ", " << values[at].name << " "
                                          << values[at].number << ", " << durationUs);
            }
        }
    }

    void DoRun() override
    {
        DcnHpccFiles star;
        const std::string starFile = CreateTempDirFilename("good-star");
        DcnWriteTestFile(starFile,
                         "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 25Gbps 1us 0\n");
        const Ptr<DcnTopology> topology = star.ReadTopology(starFile);
        auto flows = [](DcnHpccFiles& files, const std::vector<DcnFlow>& list) {
            std::string text;
            for (const DcnFlow& flow : list)
            {
                for (const uint64_t number : {flow.id,
                                              static_cast<uint64_t>(flow.src),
                                              static_cast<uint64_t>(flow.dst),
                                              flow.sizeBytes,
                                              static_cast<uint64_t>(flow.startNs)})
                {
                    text += std::to_string(number) + " ";
                }
            }
            for (const std::string& each : files.DescribeUnused())
            {
                text += each + "\n";
            }
            return text;
        };
        const Reader readTopology = [&](const std::string& path) {
            DcnHpccFiles files;
            const Ptr<DcnTopology> read = files.ReadTopology(path);
            std::string text;
            for (uint32_t link = 0; link < read->GetNLinks(); link += 2)
            {
                const DcnLink& each = read->GetLink(link);
                text += std::to_string(read->GetExternalId(each.from)) + " " +
                        std::to_string(read->GetExternalId(each.to)) + " " +
                        std::to_string(each.rateBps) + " " + std::to_string(each.delayNs) + " " +
                        std::to_string(read->IsHost(each.from)) +
                        std::to_string(read->IsHost(each.to)) + "\n";
            }
            return text + flows(files, {});
        };
        const std::string links = "3 4\n0 3 100Gbps 1us 0\n1 3 100Gbps 1000ns 0\n"
                                  "2 4 25000000000.0 0.5us 0\n3 4 40Gb/s 2us 0\n";
        Mutate("HPCC's topology", "5 2 4\n" + links, readTopology);
        Mutate("PowerTCP's topology", "5 2 ~1 4\n" + links, readTopology);
        Mutate("Reverie's topology", "5 2 ~1 4 ~25000000000 ~25000000000\n" + links, readTopology);
        Mutate("SimAI's topology", "5 ~2 1 1 4 ~H100\n" + links, readTopology);
        const Reader readFlows = [&](const std::string& path) {
            DcnHpccFiles files;
            return flows(files, files.ReadFlows(path, *topology));
        };
        // ports are seen in fct.txt alone
        Mutate("HPCC's flows",
               "3\n0 1 ~3 ~100 5000 2.000001\n2 1 ~3 ~100 7000 2\n0 2 ~3 ~100 900 0.1\n",
               readFlows);
        Mutate("conweave's flows", "2\n0 1 ~3 5000 2.000001\n2 1 ~3 7000 2\n", readFlows);
        Mutate("m4's flows", "2\n41 0 1 ~3 ~100 5000 2.000001\n42 2 1 ~3 ~100 7000 2\n", readFlows);
        Mutate("htsim's matrix",
               "Nodes 3\nConnections 2\n0->1 id 3 start 5000000 size 900 prio ~3\n"
               "2->1 id 4 start 0 size 800\n",
               [&](const std::string& path) {
                   DcnHpccFiles files;
                   return flows(files, files.ReadConnectionMatrix(path, *topology));
               });
        Mutate(
            "GOAL",
            "num_ranks 2\nrank 0 {\na : calc 500 cpu 3\nb : send 10b to 1 tag 4 nic 2\n"
            "c : calc 8\n~~ b requires a\n~~ c irequires b\n}\nrank 1 {\nd : recv 10b from 0 tag 4 "
            "nic ~1\ne : calc 7\n~~ e requires d\n}\n",
            [](const std::string& path) { return Describe(DcnTrainGoal::Read(path)); });
        DcnTrainImportOptions few;
        few.mostRanks = 64;
        Mutate("text workload",
               "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 2 all_gpus: 8 ga: ~1\n2\n"
               "first -1 500 ALLREDUCE 1600 300 ALLGATHER 80 200 ALLREDUCE 3200 10\n"
               "moe -1 50 ALLTOALL_EP 800 7 NONE 0 9 REDUCESCATTER_DP_EP 400 20\n",
               [&](const std::string& path) {
                   return Describe(DcnTrainLayers::Read(path, 0, 1, few));
               });
        // 25 and 100 Gb/s are the rates of the star
        Mutate("config.txt",
               "CC_MODE 1\nPACKET_PAYLOAD_SIZE 1200\nSIMULATOR_STOP_TIME 0.25\nRATE_AI 50Mb/s\n"
               "EWMA_GAIN 0.25\nRP_TIMER 900\nBUFFER_SIZE 2\n"
               "U_TARGET ~0.95\nFIXED_WIN 19000\nBASE_RTT 14000\n"
               "KMIN_MAP 2 25000000000 110 100000000000 440\n"
               "KMAX_MAP 2 25000000000 420 100000000000 1680\n"
               "PMAX_MAP 2 25000000000 0.3 100000000000 0.3\n",
               [&](const std::string& path) {
                   DcnHpccFiles files;
                   const DcnHpccFiles::Config config = files.ReadConfig(path);
                   const Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(
                       config.congestionControl.empty() ? "timely" : config.congestionControl,
                       25'000'000'000);
                   files.Apply(config, *topology, *network);
                   return std::to_string(config.stopNs) + DescribeKeys(*network) + flows(files, {});
               });
        // ports and ideal completion times have no effect
        const auto scenario = DcnScenario::Create(
            topology,
            DcnNetworkConfig::Preset("dctcp", 25'000'000'000),
            {{0, 0, 1, 5000, 1000}, {1, 0, 1, 5000, 900000}, {2, 1, 0, 700, 5000000}});
        Mutate("fct.txt",
               "0b000001 0b000101 ~10000 ~100 5000 1000 70000 ~9000\n"
               "0b000001 0b000101 ~10001 ~100 5000 900000 80000 ~9000\n"
               "0b000101 0b000001 ~10000 ~100 700 5000000 9000 ~9000\n",
               [&](const std::string& path) {
                   const DcnEstimate truth = DcnReadTruth(path, *scenario);
                   std::string answer;
                   for (const int64_t fct : truth.fctNs)
                   {
                       answer += std::to_string(fct) + " ";
                   }
                   for (const std::string& note : truth.notes)
                   {
                       answer += note.substr(0, note.find(" of ")) + note.substr(note.rfind(path));
                   }
                   return answer;
               });
        MutateNpy();
        MutateChakra();
    }

    /// Changes bytes of an array: it is refused, or has as many numbers as its header says.
    void MutateNpy()
    {
        const std::string good =
            MakeArray<int64_t>("<i8", {33002, 17215, 83273, 50, 1, 2, 3, 4, 5, 6}, "5, 2");
        const std::string begin = good.substr(0, good.find("\n") + 1);
        const std::string path = CreateTempDirFilename("mutated.npy");
        uint32_t nRefused = 0;
        for (uint32_t i = 0; i < GetNCases(); ++i)
        {
            const std::string bytes =
                ChangeBytes(good, "0123456789'(),<>|{}iufTF \xff", begin.size());
            DcnWriteTestFile(path, bytes);
            std::size_t nNumbers = 0;
            const std::string sentence = DcnSentenceOf([&]() {
                const DcnNpy array(path);
                for (std::size_t row = 0; row < array.GetNRows(); ++row)
                {
                    for (std::size_t column = 0; column < array.GetNColumns(); ++column)
                    {
                        array.GetWhole(row, column, "number", INT64_MIN, INT64_MAX);
                        ++nNumbers;
                    }
                }
            });
            nRefused += sentence != "no error" ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((sentence == "no error" || sentence.rfind(path + ": ", 0) == 0),
                                  true,
                                  "it names the file: " << sentence);
            NS_TEST_EXPECT_MSG_EQ((nNumbers <= bytes.size()), true, "numbers that are there");
        }
        NS_TEST_EXPECT_MSG_EQ((nRefused > GetNCases() / 2), true, "of headers, most are refused");
    }
};

/// Quick cases, and many changed files in the extensive run.
class FormatTestSuite : public TestSuite
{
  public:
    FormatTestSuite()
        : TestSuite("dcn-train-format", Type::UNIT)
    {
        AddTestCase(new ChakraTestCase);
        AddTestCase(new BadChakraTestCase);
        AddTestCase(new GoalTestCase);
        AddTestCase(new LayersTestCase);
        AddTestCase(new HpccTestCase);
        AddTestCase(new HpccTopologyTestCase);
        AddTestCase(new HpccFlowsTestCase);
        AddTestCase(new HpccConfigTestCase);
        AddTestCase(new NetworkOptionsTestCase);
        AddTestCase(new M3FolderTestCase);
        AddTestCase(new M4FolderTestCase);
        AddTestCase(new MutationTestCase(100));
        AddTestCase(new MutationTestCase(2000), DCN_TEST_EXTENSIVE(FormatTestSuite));
    }
};

FormatTestSuite g_dcnTrainFormatTestSuite; //!< the suite

} // namespace
