/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/transport/dcn-flow-messages.h"
#include "../model/transport/dcn-flow-receiver.h"
#include "../model/transport/dcn-flow-sender.h"
#include "../model/transport/dcn-retransmission-timer.h"
#include "dcn-test-case.h"

#include "ns3/dcn-units.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

using Check = DcnRetransmissionTimer::Check; //!< what a check finds

/// Progress puts an expiry off, expiries in a row double it, and progress after them brings it
/// back.
DCN_TEST_CASE(TimerTestCase, "retransmission timer: a drop, progress, expiries and their end")
{
    constexpr int64_t T = 1000;
    constexpr int64_t NONE = DcnRetransmissionTimer::NONE;
    DcnRetransmissionTimer timer;
    timer.Begin(100);
    NS_TEST_EXPECT_MSG_EQ(timer.HasDropped(), false, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(timer.OnProgress(150, 500), false, "it does not run");
    NS_TEST_EXPECT_MSG_EQ(timer.OnDrop(200, 500, 5000), true, "4500 bytes are watched");
    NS_TEST_EXPECT_MSG_EQ(timer.HasDropped(), true, "a frame is lost");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(200, T), 200 + T, "T after the drop");
    NS_TEST_EXPECT_MSG_EQ(timer.OnDrop(300, 500, 5000), true, "another one");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(300, T), NONE, "it goes on");
    NS_TEST_EXPECT_MSG_EQ(timer.OnProgress(700, 1000), false, "later");
    NS_TEST_EXPECT_MSG_EQ((timer.OnCheck(1100, T) == Check::NOTHING), true, "of an earlier flow");
    NS_TEST_EXPECT_MSG_EQ((timer.OnCheck(1200, T) == Check::EARLY), true, "progress was later");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(1200, T), 700 + T, "T after the progress");
    NS_TEST_EXPECT_MSG_EQ((timer.OnCheck(1700, T) == Check::EXPIRED), true, "k = 1");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(1700, T), 1700 + 2 * T, "twice as long");
    NS_TEST_EXPECT_MSG_EQ((timer.OnCheck(3700, T) == Check::EXPIRED), true, "k = 2");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(3700, T), 3700 + 4 * T, "twice as long again");
    NS_TEST_EXPECT_MSG_EQ(timer.OnProgress(4000, 2000), true, "k is 0 again");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(4000, T), 4000 + T, "before the check that is pending");
    NS_TEST_EXPECT_MSG_EQ((timer.OnCheck(5000, T) == Check::EXPIRED), true, "k = 1");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(5000, T), 5000 + 2 * T, "twice as long");
    NS_TEST_EXPECT_MSG_EQ((timer.OnCheck(7700, T) == Check::NOTHING), true, "the one of before");
    NS_TEST_EXPECT_MSG_EQ(timer.OnProgress(5100, 5000), false, "all watched bytes have arrived");
    NS_TEST_EXPECT_MSG_EQ(timer.IsRunning(), false, "it ends");
    NS_TEST_EXPECT_MSG_EQ((timer.OnCheck(7000, T) == Check::NOTHING), true, "it does not run");
    NS_TEST_EXPECT_MSG_EQ(timer.OnDrop(8000, 5000, 5000), false, "of an old copy: all has arrived");
    NS_TEST_EXPECT_MSG_EQ(timer.OnDrop(9000, 5000, 6000), true, "1000 bytes are watched");
    NS_TEST_EXPECT_MSG_EQ(timer.Arm(9000, T), 9000 + T, "anew");
    timer.Begin(10'000);
    NS_TEST_EXPECT_MSG_EQ(timer.HasDropped(), false, "another flow");
    NS_TEST_EXPECT_MSG_EQ(timer.GetProgressNs(), 10'000, "another flow");
}

/// Without progress, expiry k follows the one before by min(T 2^k, max(T, a minute)); the last ends
/// it.
DCN_TEST_CASE_OF(LongestTestCase,
                 int64_t,
                 firstNs,
                 "retransmission timer: it gives up, T = " + std::to_string(firstNs) + " ns")
{
    constexpr double MINUTE_NS = 60e9;
    DcnRetransmissionTimer timer;
    timer.Begin(0);
    timer.OnDrop(0, 0, 1);
    int64_t nowNs = 0;
    for (uint32_t k = 0; k <= DcnRetransmissionTimer::MAX_TIMEOUTS; ++k)
    {
        const double expected =
            std::min(static_cast<double>(firstNs) * static_cast<double>(uint64_t{1} << k),
                     std::max(static_cast<double>(firstNs), MINUTE_NS));
        const int64_t atNs = timer.Arm(nowNs, firstNs);
        NS_TEST_ASSERT_MSG_EQ(static_cast<double>(atNs - nowNs), expected, "expiry " << k);
        const bool isLast = k == DcnRetransmissionTimer::MAX_TIMEOUTS;
        nowNs = atNs;
        NS_TEST_ASSERT_MSG_EQ(
            (timer.OnCheck(nowNs, firstNs) == (isLast ? Check::GIVE_UP : Check::EXPIRED)),
            true,
            "expiry " << k);
    }
    NS_TEST_EXPECT_MSG_EQ(timer.IsRunning(), false, "it gives up");
    NS_TEST_EXPECT_MSG_EQ(timer.OnDrop(nowNs, 0, 1), false, "for good");
}

/**
 * Messages of random sizes against a list of all: each byte is in the message whose end is the
 * first one beyond, and messages are delivered and acknowledged in order, each once.
 */
DCN_TEST_CASE(MessagesTestCase, "messages of a connection against a list")
{
    std::mt19937_64 random(3);
    DcnFlowMessages messages;
    std::vector<uint64_t> ends;
    uint64_t size = 0;
    uint64_t expected = 0;
    uint64_t acknowledged = 0;
    uint64_t nDelivered = 0;
    uint64_t nAcknowledged = 0;
    NS_TEST_EXPECT_MSG_EQ(messages.GetNextEnd(), DcnFlowMessages::NONE, "no message");
    NS_TEST_EXPECT_MSG_EQ(messages.IsDeliveredEnd(0), false, "no message");
    while (ends.size() < 500 || acknowledged < size)
    {
        if (ends.size() < 500 && random() % 3 == 0)
        {
            size += 1 + random() % 9;
            ends.push_back(size);
            messages.Add(size, false);
        }
        expected += random() % (std::min<uint64_t>(4, size - expected) + 1);
        while (messages.GetNextEnd() <= expected)
        {
            NS_TEST_ASSERT_MSG_EQ(messages.GetNextEnd(), ends[nDelivered], "the next one");
            NS_TEST_ASSERT_MSG_EQ(messages.Deliver(), nDelivered++, "in order");
        }
        const auto nArrived = static_cast<uint64_t>(
            std::upper_bound(ends.begin(), ends.end(), expected) - ends.begin());
        NS_TEST_ASSERT_MSG_EQ(nDelivered, nArrived, "all that have arrived");
        NS_TEST_ASSERT_MSG_EQ(messages.IsDeliveredEnd(expected),
                              (nDelivered > nAcknowledged && ends[nDelivered - 1] == expected),
                              "the last one that has arrived ends at " << expected);
        acknowledged += random() % (expected - acknowledged + 1);
        while (messages.Acknowledge(acknowledged))
        {
            NS_TEST_ASSERT_MSG_EQ(messages.GetNAcknowledged(), nAcknowledged + 1, "in order");
            NS_TEST_ASSERT_MSG_LT_OR_EQ(ends[nAcknowledged++], acknowledged, "it has arrived");
        }
        NS_TEST_ASSERT_MSG_EQ((nAcknowledged == ends.size() || ends[nAcknowledged] > acknowledged),
                              true,
                              "all that have arrived");
        for (uint64_t byte = acknowledged; byte < size; ++byte)
        {
            NS_TEST_ASSERT_MSG_EQ(messages.FindEnd(byte, size),
                                  *std::upper_bound(ends.begin(), ends.end(), byte),
                                  "end of the message of byte " << byte);
        }
        NS_TEST_ASSERT_MSG_EQ(messages.FindEnd(size, size), size, "beyond the last one");
    }
    NS_TEST_EXPECT_MSG_EQ(nAcknowledged, ends.size(), "each once");
    NS_TEST_EXPECT_MSG_EQ(messages.HasShort(), false, "none was short");
    messages.Add(size + 1, true);
    messages.Add(size + 9, false);
    NS_TEST_EXPECT_MSG_EQ(messages.HasShort(), true, "one was");
}

/// Packets of one byte in a random order, some twice, against a list of the bytes that arrived.
DCN_TEST_CASE(ReceiverTestCase, "receiver: the first byte that is missing, and NACKs")
{
    using Answer = DcnFlowReceiver::Answer;
    std::mt19937_64 random(5);
    DcnFlowReceiver receiver;
    receiver.Begin(true);
    std::vector<bool> has(300, false);
    for (int i = 0; i < 3000; ++i)
    {
        const uint64_t byte = random() % has.size();
        has[byte] = true;
        NS_TEST_ASSERT_MSG_EQ((receiver.OnData(byte, 1, 7 + i, 0) == Answer::ACK), true, "each");
        NS_TEST_ASSERT_MSG_EQ(
            receiver.GetExpected(),
            static_cast<uint64_t>(std::find(has.begin(), has.end(), false) - has.begin()),
            "after byte " << byte);
    }
    NS_TEST_EXPECT_MSG_EQ(receiver.GetFirstByteNs(), 7, "any byte is the first one");

    constexpr int64_t INTERVAL_NS = 100;
    receiver.Begin(false);
    const auto take = [&](uint64_t byte, int64_t nowNs) {
        return receiver.OnData(byte, 10, nowNs, INTERVAL_NS);
    };
    NS_TEST_EXPECT_MSG_EQ((take(10, 5) == Answer::NACK), true, "a gap");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetFirstByteNs(), -1, "nothing is kept");
    NS_TEST_EXPECT_MSG_EQ((take(20, 5 + INTERVAL_NS) == Answer::NOTHING), true, "reported");
    NS_TEST_EXPECT_MSG_EQ((take(20, 6 + INTERVAL_NS) == Answer::NACK), true, "after a while");
    NS_TEST_EXPECT_MSG_EQ((take(0, 200) == Answer::ACK), true, "in order");
    NS_TEST_EXPECT_MSG_EQ((take(20, 201) == Answer::NACK), true, "another gap");
    NS_TEST_EXPECT_MSG_EQ((take(0, 202) == Answer::ACK), true, "once more");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetExpected(), 10, "in order only");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetFirstByteNs(), 200, "when it came");
}

/**
 * Packets that are sent at the times of pacing, with their leads, are exactly one gap apart,
 * however many there are; the window is max(1, floor(W r / R)); going back sends the same bytes
 * again.
 */
DCN_TEST_CASE(SenderTestCase, "sender: exact pacing, window and going back")
{
    constexpr uint64_t MAX_RATE = 100'000'000'000;
    constexpr uint64_t RATE = 7'000'000'001;
    constexpr uint32_t PAYLOAD = 1000;
    constexpr uint32_t WIRE = 1048;
    DcnFlowSender sender;
    sender.Begin(5'000'500, MAX_RATE, false, nullptr, 40);
    sender.SetRate(RATE, 100'000, false);
    NS_TEST_EXPECT_MSG_EQ(sender.GetWindow(), 7000, "7 % of the largest one, rounded down");
    NS_TEST_EXPECT_MSG_EQ(sender.GetNextSendNs(), 40, "at once");
    const int64_t gap = DcnFrameTicks(WIRE, RATE, false);
    for (int64_t k = 0; k < 3000; ++k)
    {
        const int64_t nowNs = sender.GetNextSendNs();
        const uint32_t lead = sender.GetSendLead();
        NS_TEST_ASSERT_MSG_EQ((nowNs - 40) * DCN_TICKS_PER_NS - lead, k * gap, "packet " << k);
        NS_TEST_ASSERT_MSG_LT(lead, DCN_TICKS_PER_NS, "the next whole nanosecond");
        NS_TEST_ASSERT_MSG_EQ(sender.IsWindowOpen(), true, "less than 7 packets are out");
        const auto packet = sender.TakePacket(PAYLOAD, nowNs);
        NS_TEST_ASSERT_MSG_EQ(packet.sequence, static_cast<uint64_t>(k) * PAYLOAD, "in order");
        sender.Pace(WIRE, nowNs, lead);
        if (k >= 6)
        {
            NS_TEST_ASSERT_MSG_EQ(sender.IsWindowOpen(), false, "7 packets are out");
            const auto ack = sender.OnAck(static_cast<uint64_t>(k - 5) * PAYLOAD, 0);
            NS_TEST_ASSERT_MSG_EQ((ack.isProgress && ack.hasRisen && !ack.hasLost), true, "risen");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(sender.OnAck(5, 0).isProgress, false, "an old one");
    NS_TEST_EXPECT_MSG_EQ(sender.GetRetransmittedBytes(), 0, "nothing twice");
    const uint64_t una = sender.GetUnacknowledged();
    sender.GoBack();
    NS_TEST_EXPECT_MSG_EQ(sender.GetNext(), una, "back to what is not acknowledged");
    NS_TEST_EXPECT_MSG_EQ(sender.GetSkippablePackets(PAYLOAD), 0, "it is sent again");
    sender.SetEnd(sender.GetSentEnd() + 300);
    uint64_t bytes = 0;
    for (bool isLast = false; !isLast;)
    {
        const auto packet = sender.TakePacket(PAYLOAD, 0);
        bytes += packet.bytes;
        isLast = packet.isLast;
    }
    NS_TEST_EXPECT_MSG_EQ(bytes, 6 * PAYLOAD + 300, "six again, and a short one");
    NS_TEST_EXPECT_MSG_EQ(sender.GetRetransmittedBytes(), 6 * PAYLOAD, "six again");
    NS_TEST_EXPECT_MSG_EQ(sender.IsWindowOpen(), false, "all is sent");
    sender.SetRate(1, 100'000, false);
    NS_TEST_EXPECT_MSG_EQ(sender.GetWindow(), 1, "at least a byte");
    sender.SetRate(RATE, 0, false);
    NS_TEST_EXPECT_MSG_EQ(sender.GetWindow(), DcnFlowSender::ANY, "no window");
}

DcnTestSuite g_dcnPacketTransportTestSuite("dcn-packet-transport",
                                           {new TimerTestCase,
                                            new LongestTestCase(1),
                                            new LongestTestCase(1'000'000),
                                            new LongestTestCase(70'000'000'000),
                                            new MessagesTestCase,
                                            new ReceiverTestCase,
                                            new SenderTestCase}); //!< the suite

} // namespace
