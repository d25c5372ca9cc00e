/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Pairs of sends and receives, and messages of programs that decide during the run.
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"
#include "dcn-train-test.h"

#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-train-helper.h"
#include "ns3/dcn-train-matching.h"
#include "ns3/dcn-train-messages.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

using Matching = DcnTrainMatching<uint32_t>; //!< parts are numbers

/// Random sends and receives of few keys, in any order: the k-th send is with the k-th receive.
DCN_TEST_CASE(MatchingTestCase, "pairs of sends and receives")
{
    std::mt19937 random(7);
    Matching matching;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>> counts;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<bool>> isDone;
    uint32_t nPairs = 0;
    uint32_t largest = 0;
    for (uint32_t step = 0; step < 20'000; ++step)
    {
        const Matching::Key key{static_cast<uint32_t>(random() % 3),
                                static_cast<uint32_t>(random() % 3),
                                static_cast<uint32_t>(random() % 2)};
        auto& [nSends, nReceives] = counts[{key.source, key.destination, key.tag}];
        const bool isSend = random() % 2 == 0;
        const uint32_t number = isSend ? nSends++ : nReceives++;
        const uint32_t slot = isSend ? matching.AddSend(key, 100 + number, number)
                                     : matching.AddReceive(key, 100 + number, number);
        largest = std::max(largest, slot);
        const Matching::Message& message = matching.Get(slot);
        NS_TEST_ASSERT_MSG_EQ(message.isDelivered, false, "a slot that is used again");
        NS_TEST_ASSERT_MSG_EQ((isSend ? message.isSent : message.isPosted), true, "the part");
        NS_TEST_ASSERT_MSG_EQ((message.isSent && message.isPosted),
                              (number < (isSend ? nReceives : nSends)),
                              "there is the other one, step " << step);
        if (message.isSent && message.isPosted)
        {
            NS_TEST_ASSERT_MSG_EQ(message.send, number, "its send");
            NS_TEST_ASSERT_MSG_EQ(message.receive, number, "its receive");
            NS_TEST_ASSERT_MSG_EQ(message.sendBytes, 100 + number, "size of the send");
            NS_TEST_ASSERT_MSG_EQ(message.receiveBytes, 100 + number, "size of the receive");
            matching.Remove(slot);
            ++nPairs;
        }
    }
    uint32_t nOpen = 0;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> next;
    for (const Matching::Open& open : matching.GetOpen())
    {
        const std::tuple key(open.key.source, open.key.destination, open.key.tag);
        const auto& [nSends, nReceives] = counts[key];
        NS_TEST_EXPECT_MSG_EQ(open.isSend,
                              (nSends > nReceives),
                              "the side of which there are more");
        const Matching::Message& message = matching.Get(open.slot);
        const uint32_t age = next[key]++;
        NS_TEST_EXPECT_MSG_EQ((open.isSend ? message.send : message.receive),
                              std::min(nSends, nReceives) + age,
                              "the oldest first");
        ++nOpen;
    }
    uint32_t nExpected = 0;
    uint32_t nExpectedPairs = 0;
    for (const auto& [key, each] : counts)
    {
        nExpected += std::max(each.first, each.second) - std::min(each.first, each.second);
        nExpectedPairs += std::min(each.first, each.second);
    }
    NS_TEST_EXPECT_MSG_EQ(nOpen, nExpected, "all without partner");
    NS_TEST_EXPECT_MSG_EQ(nPairs, nExpectedPairs, "all pairs");
    NS_TEST_EXPECT_MSG_LT(largest, 3000, "slots are used again");
}

/// A network on a star, and the messages of its hosts.
struct Setup
{
    /**
     * @param engine of the network
     * @param nHosts hosts of the star, of 10 Gb/s and 1 us
     */
    Setup(const std::string& engine, uint32_t nHosts)
    {
        topology = DcnMakeStar(nHosts);
        network = DcnFlowNetworkHelper(engine).Install(topology);
        NodeContainer hosts;
        for (const uint32_t host : topology->GetHosts())
        {
            hosts.Add(topology->GetNodes().Get(host));
        }
        messages = Create<DcnTrainMessages>(network, hosts);
    }

    ~Setup()
    {
        messages = nullptr;
        network->Dispose();
        Simulator::Destroy();
    }

    Setup(const Setup&) = delete;
    Setup& operator=(const Setup&) = delete;

    Ptr<DcnTopology> topology;      //!< the star
    Ptr<DcnFlowNetwork> network;    //!< on it
    Ptr<DcnTrainMessages> messages; //!< of its hosts
};

/// @return the present time [ns]
int64_t
Now()
{
    return Simulator::Now().GetNanoSeconds();
}

/// Three messages with one key, of which one is received before, one during and one after its
/// transmission: bytes are back to back, and each handler is called once, at its time.
DCN_TEST_CASE(HandTestCase, "messages that are solved by hand")
{
    const int64_t first = DcnTrainStarIdealNs(50'000);
    const int64_t second = DcnTrainStarIdealNs(100'000); // the second follows back to back
    for (const char* engine : {"packet", "flowsim"})
    {
        Setup setup(engine, 2);
        std::vector<int64_t> sent;
        std::vector<int64_t> received;
        bool isInCall = true;
        auto onSent = [&]() { sent.push_back(isInCall ? -1 : Now()); };
        auto receive = [&]() {
            setup.messages->Receive(1, 0, 7, 50'000, [&]() {
                received.push_back(isInCall ? -1 : Now());
            });
        };
        receive();
        setup.messages->Send(0, 1, 7, 50'000, onSent);
        setup.messages->Send(0, 1, 7, 50'000, onSent);
        setup.messages->Send(0, 1, 7, 50'000, onSent);
        receive();
        isInCall = false;
        Simulator::Schedule(MilliSeconds(1), [&]() {
            isInCall = true;
            receive();
            isInCall = false;
        });
        Simulator::Run();
        const std::string on = std::string(" on ") + engine;
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 3, "sent" << on);
        NS_TEST_ASSERT_MSG_EQ(received.size(), 3, "received" << on);
        NS_TEST_EXPECT_MSG_EQ_TOL(received[0], first, 25, "posted before" << on);
        NS_TEST_EXPECT_MSG_EQ_TOL(received[1], second, 25, "posted meanwhile" << on);
        NS_TEST_EXPECT_MSG_EQ(received[2], 1'000'000, "it was there" << on);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[0],
                                  first + DCN_TRAIN_STAR_RETURN_NS,
                                  25,
                                  "acknowledged" << on);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[1],
                                  second + DCN_TRAIN_STAR_RETURN_NS,
                                  25,
                                  "acknowledged" << on);
        NS_TEST_EXPECT_MSG_EQ(setup.messages->GetNMessages(), 3, "number" << on);
        NS_TEST_EXPECT_MSG_EQ(setup.messages->GetNBytes(), 150'000, "bytes" << on);
        NS_TEST_EXPECT_MSG_EQ(setup.messages->DescribeWait(1), "", "nothing is open" << on);
    }
}

/// A message of more bytes than 32 bits count.
DCN_TEST_CASE(LargeTestCase, "a message of 5 GB")
{
    const uint64_t bytes = 5'000'000'000;
    Setup setup("flowsim", 2);
    int64_t received = -1;
    setup.messages->Receive(1, 0, 4'000'000'000, bytes, [&]() { received = Now(); });
    setup.messages->Send(0, 1, 4'000'000'000, bytes, []() {});
    Simulator::Run();
    const int64_t ideal =
        DcnTrainStarIdealNs(bytes); // of packets, whose times are whole nanoseconds
    NS_TEST_EXPECT_MSG_EQ_TOL(received, ideal, ideal / 1000, "completion time");
    NS_TEST_EXPECT_MSG_EQ(setup.messages->GetNBytes(), bytes, "all bytes");
}

/// Blocks go round a ring, sent on when they arrive: by handlers and as a graph, at equal times.
DCN_TEST_CASE_OF(RingTestCase, std::string, engine, "a ring by handlers and as a graph, " + engine)
{
    const uint32_t n = 5;
    const uint64_t bytes = 70'000;
    auto graph = std::make_shared<DcnTrainGraph>(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        std::vector<uint32_t> before;
        for (uint32_t step = 0; step < n - 1; ++step)
        {
            graph->Send(rank, (rank + 1) % n, bytes, step, before);
            before = {graph->Receive(rank, (rank + n - 1) % n, bytes, step)};
        }
    }
    const Ptr<DcnTrainExecutor> run = DcnTrainHelper(engine).Install(DcnMakeStar(n), graph);
    run->Start();
    Simulator::Run();
    run->CheckFinished();
    const int64_t expected = run->GetDuration().GetNanoSeconds();
    run->Dispose();
    Simulator::Destroy();

    Setup setup(engine, n);
    int64_t last = 0;
    uint32_t nSent = 0;
    std::function<void(uint32_t, uint32_t)> go = [&](uint32_t rank, uint32_t step) {
        setup.messages->Send(rank, (rank + 1) % n, step, bytes, [&]() {
            ++nSent;
            last = Now();
        });
    };
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        go(rank, 0);
        for (uint32_t step = 0; step < n - 1; ++step)
        {
            setup.messages->Receive(rank, (rank + n - 1) % n, step, bytes, [&go, rank, step]() {
                if (step + 1 < n - 1)
                {
                    go(rank, step + 1);
                }
            });
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nSent, n * (n - 1), "all are acknowledged");
    NS_TEST_EXPECT_MSG_EQ(last, expected, "the last acknowledgement is the end of the graph");
}

/// What cannot be is refused by one sentence, and what is missing is named.
DCN_TEST_CASE(ErrorsTestCase, "messages that are refused or missing")
{
    Setup setup("flowsim", 3);
    DcnTrainMessages& messages = *setup.messages;
    auto nothing = []() {};
    DCN_TEST_EXPECT_ERROR(
        messages.Send(0, 3, 7, 10, nothing),
        "a send has 10 bytes from rank 0 to rank 3 with tag 7, but the ranks with "
        "hosts are 0 to 2");
    DCN_TEST_EXPECT_ERROR(messages.Receive(1, 4, 7, 10, nothing),
                          "a receive has 10 bytes from rank 4 to rank 1 with tag 7, but the ranks "
                          "with hosts are 0 to 2");
    DCN_TEST_EXPECT_ERROR(messages.Send(2, 2, 7, 10, nothing),
                          "a send has 10 bytes from rank 2 to rank 2 with tag 7, but a rank has no "
                          "messages to itself");
    DCN_TEST_EXPECT_ERROR(
        messages.Send(0, 1, 7, 0, nothing),
        "a send has 0 bytes from rank 0 to rank 1 with tag 7, but a message has at "
        "least one byte");
    messages.Receive(1, 0, 7, 20, nothing);
    DCN_TEST_EXPECT_ERROR(messages.Send(0, 1, 7, 10, nothing),
                          "rank 0 sends 10 bytes to rank 1 with tag 7, but the receive is of 20 "
                          "bytes");
    messages.Send(0, 1, 8, 10, nothing);
    DCN_TEST_EXPECT_ERROR(messages.Receive(1, 0, 8, 11, nothing),
                          "rank 0 sends 10 bytes to rank 1 with tag 8, but the receive is of 11 "
                          "bytes");
    messages.Receive(2, 1, 5, 30, nothing);
    messages.Receive(2, 0, 9, 40, nothing);
    messages.Receive(2, 0, 9, 50, nothing);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(messages.DescribeWait(2),
                          "waits for 40 bytes from rank 0 with tag 9, which were not sent",
                          "the first of the lowest source");
    NS_TEST_EXPECT_MSG_EQ(messages.DescribeWait(0), "", "it waits for nothing");
}

DcnTestSuite<> g_dcnTrainMessagesTestSuite("dcn-train-messages",
                                           {new MatchingTestCase,
                                            new HandTestCase,
                                            new LargeTestCase,
                                            new RingTestCase("packet"),
                                            new RingTestCase("flowsim"),
                                            new RingTestCase("m4"),
                                            new ErrorsTestCase}); //!< the suite

} // namespace
