/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Dependency graphs: files, and bad input.
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-texts.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-train-graph-file.h"
#include "ns3/test.h"

#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const std::string HEADER =
    "rank,node,kind,peer,bytes,tag,stream,duration_ns,operation,after\n"; //!< of graph.csv

/// Writes files into a folder of its own.
class GraphTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// @return graph.csv with rows after the header
    std::string Write(const std::string& rows, const std::string& header = HEADER)
    {
        const std::string path = CreateTempDirFilename("graph.csv");
        std::ofstream(path) << header << rows;
        return path;
    }

    /// @return the sentence with which the rows are refused, without the folder
    std::string Refuse(const std::string& rows, const std::string& header = HEADER)
    {
        const std::string path = Write(rows, header);
        std::string sentence = DcnSentenceOf([&]() { DcnTrainGraphFile file(path); });
        const std::size_t at = sentence.find(path);
        return at == std::string::npos ? sentence : sentence.replace(at, path.size(), "graph.csv");
    }
};

DCN_TEST_CASE_WITH(GraphTestCase, RoundTripTestCase, "a graph is written and read")
{
    DcnTrainGraph graph(3);
    graph.BeginOperation({"layer 1, forward", "all-reduce", 3, 999});
    const uint32_t first = graph.Compute(0, 5000);
    const uint32_t second = graph.Compute(0, 0, {first}, 7);
    graph.Send(0, 2, 1'000'000'000'000, 4'000'000'000, {first, second, first}, 3);
    graph.SetOperation(DcnTrainNode::NO_OPERATION);
    graph.Receive(2, 0, 1'000'000'000'000, 4'000'000'000);
    graph.Join(2, {0, DcnTrainGraph::NONE});
    const std::string folder = CreateTempDirFilename("round-trip");
    DcnWriteTrainGraph(graph, folder);
    const std::string other = CreateTempDirFilename("windows"); // with its ends of lines
    DcnMakeFolder(other);
    for (const char* name : {"/graph.csv", "/operations.csv"})
    {
        std::ifstream file(folder + name);
        std::ofstream copy(other + name, std::ios::binary);
        for (std::string line; std::getline(file, line);)
        {
            copy << line << "\r\n";
        }
    }
    for (const std::string& path : {folder, folder + "/graph.csv", other})
    {
        DcnTrainGraphFile file(path);
        NS_TEST_ASSERT_MSG_EQ(file.GetNRanks(), 3, "ranks");
        NS_TEST_EXPECT_MSG_EQ(file.GetNNodes(), 6, "nodes, with one for the rank without");
        NS_TEST_ASSERT_MSG_EQ(file.GetOperations().size(), 1, "operations");
        NS_TEST_EXPECT_MSG_EQ(file.GetOperations()[0].name, "layer 1; forward", "name");
        NS_TEST_EXPECT_MSG_EQ(file.GetOperations()[0].bytes, 999, "bytes");
        for (uint32_t rank : {2, 0}) // each by itself
        {
            for (const DcnTrainNode& expected : graph.GetNodes(rank))
            {
                DcnTrainNode node;
                NS_TEST_ASSERT_MSG_EQ(file.Fetch(rank, node), true, "a node");
                NS_TEST_EXPECT_MSG_EQ((node.kind == expected.kind), true, "kind");
                NS_TEST_EXPECT_MSG_EQ(node.peer, expected.peer, "peer");
                NS_TEST_EXPECT_MSG_EQ(node.bytes, expected.bytes, "bytes");
                NS_TEST_EXPECT_MSG_EQ(node.tag, expected.tag, "tag");
                NS_TEST_EXPECT_MSG_EQ(node.stream, expected.stream, "stream");
                NS_TEST_EXPECT_MSG_EQ(node.durationNs, expected.durationNs, "duration");
                NS_TEST_EXPECT_MSG_EQ(node.operation, expected.operation, "operation");
                NS_TEST_EXPECT_MSG_EQ((node.after == expected.after), true, "after");
            }
            DcnTrainNode node;
            NS_TEST_EXPECT_MSG_EQ(file.Fetch(rank, node), false, "the end");
        }
    }
}

/// Names of operations come from files of others: any bytes are one cell, and nothing else.
DCN_TEST_CASE_WITH(GraphTestCase, NamesTestCase, "any name of an operation")
{
    DcnTrainGraph graph(1);
    for (const std::string& text : DcnHostileTexts())
    {
        graph.BeginOperation({text, "all-reduce", 1, 9});
        graph.Compute(0, 1);
    }
    const std::string folder = CreateTempDirFilename("names");
    DcnWriteTrainGraph(graph, folder);
    DcnTrainGraphFile file(folder);
    const auto& operations = file.GetOperations();
    NS_TEST_ASSERT_MSG_EQ(operations.size(), DcnHostileTexts().size(), "operations");
    for (std::size_t i = 0; i < operations.size(); ++i)
    {
        std::string name = DcnHostileTexts()[i];
        for (char& c : name)
        {
            c = c == ',' ? ';' : c == '\n' || c == '\r' ? ' ' : c;
        }
        const std::size_t first = name.find_first_not_of(" \t");
        // blanks at the ends have no meaning, but in quotes
        if (first == std::string::npos || (name[first] != '"' && name[first] != '#'))
        {
            name = first == std::string::npos
                       ? ""
                       : name.substr(first, name.find_last_not_of(" \t") + 1 - first);
        }
        NS_TEST_EXPECT_MSG_EQ(operations[i].name, name, "a name");
        NS_TEST_EXPECT_MSG_EQ(operations[i].bytes, 9, "the cells behind it");
    }
}

DCN_TEST_CASE_WITH(GraphTestCase, LongTestCase, "ranks are read in turn, a block at a time")
{
    // 12,000 rows of about 30 bytes: each rank has several blocks of 64 KiB
    constexpr uint32_t N = 12'000;
    std::string rows;
    for (uint32_t rank : {0, 1})
    {
        for (uint32_t i = 0; i < N; ++i)
        {
            rows += std::to_string(rank) + "," + std::to_string(i) + ",compute,,,,," +
                    std::to_string(1000 * i + rank) + ",," +
                    (i > 0 ? std::to_string(i - 1) : std::string()) + "\n";
        }
    }
    DcnTrainGraphFile file(Write(rows));
    NS_TEST_EXPECT_MSG_EQ(file.GetNNodes(), 2 * N, "nodes");
    for (uint32_t pass = 0; pass < 2; ++pass)
    {
        uint32_t nRight = 0;
        for (uint32_t i = 0; i < N; ++i)
        {
            for (uint32_t rank : {0, 1})
            {
                DcnTrainNode node;
                nRight += file.Fetch(rank, node) && node.durationNs == 1000 * i + rank ? 1 : 0;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(nRight, 2 * N, "in order");
        file.Rewind();
    }
}

DCN_TEST_CASE_WITH(GraphTestCase, BadNodesTestCase, "nodes that cannot be")
{
    const std::string send = "0,0,send,1,100,5,,,,\n";
    const std::string receive = "1,0,receive,0,100,5,,,,\n";
    NS_TEST_EXPECT_MSG_EQ(Refuse(send + receive), "no error", "a message");
    NS_TEST_EXPECT_MSG_EQ(Refuse(""), "graph.csv: the file has no node", "nothing");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,compute,,,,,10,,1\n0,1,compute,,,,,10,,0\n"),
                          "graph.csv:2: node 0 of rank 0 (compute for 10 ns) waits for node 1, "
                          "which is not before it: a node waits for earlier nodes of its rank, so "
                          "that there is no cycle",
                          "a cycle");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,join,,,,,,,0\n"),
                          "graph.csv:2: node 0 of rank 0 (join) waits for node 0, which is itself: "
                          "a node waits for earlier nodes of its rank, so that there is no cycle",
                          "itself");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,send,9,100,5,,,,\n" + receive),
                          "graph.csv:2: node 0 of rank 0 (send of 100 bytes to rank 9 with tag 5): "
                          "there are only ranks 0 to 1",
                          "unknown rank");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,send,0,100,5,,,,\n"),
                          "graph.csv:2: node 0 of rank 0 (send of 100 bytes to rank 0 with tag 5): "
                          "a rank sends no message to itself",
                          "to itself");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,send,1,0,5,,,,\n" + receive),
                          "graph.csv:2: node 0 of rank 0 (send of 0 bytes to rank 1 with tag 5): a "
                          "message has at least one byte",
                          "size 0");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,compute,,,,,-1,,\n"),
                          "graph.csv:2: node 0 of rank 0 (compute for -1 ns): a duration is not "
                          "negative",
                          "negative time");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,wait,,,,,,,\n"),
                          "graph.csv:2: kind is \"wait\", but must be compute, send, receive or "
                          "join",
                          "kind");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,send,1,1e3,5,,,,\n" + receive),
                          "graph.csv:2: bytes is no whole number that fits: \"1e3\"",
                          "number");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,compute,1,,,,10,,\n"),
                          "graph.csv:2: peer has no meaning for a node of kind compute: leave it "
                          "empty, it is \"1\"",
                          "cell without meaning");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,compute,,,,,10,4,\n"),
                          "graph.csv:2: operation 4 is not in operations.csv, which has 0",
                          "operation");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,join,,,,,,,\n0,2,join,,,,,,,\n"),
                          "graph.csv:3: node 2 of rank 0 comes where node 1 is expected: the nodes "
                          "of a rank are numbered from 0",
                          "number of a node");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,join,,,,,,,\n2,0,join,,,,,,,\n"),
                          "graph.csv:3: rank 2 comes where rank 0 or 1 is expected: the rows of a "
                          "rank follow each other, from rank 0 on",
                          "order of ranks");
}

DCN_TEST_CASE_WITH(GraphTestCase, BadMessagesTestCase, "messages without a partner")
{
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,join,,,,,,,\n1,0,receive,0,100,5,,,,\n"),
                          "graph.csv: node 0 of rank 1 receives from rank 0 with tag 5, but there "
                          "are 1 such receives and 0 sends",
                          "receive without send");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,send,1,100,6,,,,\n1,0,receive,0,100,5,,,,\n"),
                          "graph.csv: node 0 of rank 1 receives from rank 0 with tag 5, but there "
                          "are 1 such receives and 0 sends; with tag 6 it is the other way",
                          "tags");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,send,1,100,6,,,,\n1,0,join,,,,,,,\n"),
                          "graph.csv: node 0 of rank 0 sends to rank 1 with tag 6, but there are 1 "
                          "such sends and 0 receives",
                          "send without receive");
    NS_TEST_EXPECT_MSG_EQ(
        Refuse("0,0,send,1,100,6,,,,\n1,0,receive,0,99,6,,,,\n"),
        "graph.csv: rank 0 sends 100 bytes to rank 1 with tag 6 (last at node 0), "
        "but rank 1 receives 99 bytes (last at node 0)",
        "sizes");
}

DCN_TEST_CASE_WITH(GraphTestCase, BadFilesTestCase, "files that cannot be")
{
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,compute,,,,,10,,\r\n0,1,join,,,,,,,x\r\n"),
                          "graph.csv:3: after is no list of numbers with blanks: \"x\"",
                          "without the carriage return");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,compute,,,,,10,,\n0,1,comp"),
                          "graph.csv:3: the file ends within the line: it is truncated",
                          "truncated");
    NS_TEST_EXPECT_MSG_EQ(Refuse("0,0,compute,,,\n"),
                          "graph.csv:2: the row has 6 cells, but the columns are "
                          "rank,node,kind,peer,bytes,tag,stream,duration_ns,operation,after",
                          "cells");
    NS_TEST_EXPECT_MSG_EQ(Refuse("", "rank,kind\n"),
                          "graph.csv:1: the header is \"rank,kind\", but must be "
                          "\"rank,node,kind,peer,bytes,tag,stream,duration_ns,operation,after\"",
                          "header");
    DCN_TEST_EXPECT_ERROR(DcnTrainGraphFile("no-such-file"),
                          "no-such-file: cannot be read: give graph.csv, or a folder with it");
    DCN_TEST_EXPECT_ERROR(DcnTrainGraph(0), "graph: a graph has at least one rank");
    DCN_TEST_EXPECT_ERROR(DcnTrainGraph(2).Join(3, {}),
                          "graph: there is no rank 3, only ranks 0 to 1");
}

DcnTestSuite<RoundTripTestCase,
             NamesTestCase,
             LongTestCase,
             BadNodesTestCase,
             BadMessagesTestCase,
             BadFilesTestCase>
    g_dcnTrainGraphTestSuite("dcn-train-graph"); //!< the suite

} // namespace
