/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/engine/dcn-flow-owner.h"
#include "../model/engine/dcn-host-device.h"
#include "../model/engine/dcn-packet-channel.h"
#include "../model/engine/dcn-packet-flow.h"
#include "../model/engine/dcn-transport-header.h"
#include "../model/frames/dcn-frame.h"
#include "dcn-test-case.h"

#include "ns3/dcn-units.h"
#include "ns3/node.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * A queue against a deque: frames leave in the order in which they came, and bytes and frames that
 * wait are sums over those in the deque. A pool with n frames taken at a time makes n, hands none
 * out twice, and the last one that came back first.
 */
DCN_TEST_CASE(QueueTestCase, "queues and pools of frames")
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    DcnFramePool pool;
    DcnFrameQueue queue;
    std::deque<DcnFrame*> expected;
    std::set<DcnFrame*> made;
    std::size_t most = 0;
    DcnFrame* latest = nullptr; // that came back
    for (int step = 0; step < 5000; ++step)
    {
        if (expected.empty() || random->GetInteger(0, 1) == 0)
        {
            DcnFrame* frame = pool.Get();
            NS_TEST_EXPECT_MSG_EQ((latest == nullptr || frame == latest), true, "the latest");
            NS_TEST_ASSERT_MSG_EQ(std::count(expected.begin(), expected.end(), frame),
                                  0,
                                  "nobody else's");
            latest = nullptr;
            made.insert(frame);
            frame->wireBytes = random->GetInteger(60, 9048);
            queue.Push(frame);
            expected.push_back(frame);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ((queue.Peek() == expected.front()), true, "the oldest");
            latest = queue.Pop();
            NS_TEST_EXPECT_MSG_EQ((latest == expected.front()), true, "the oldest");
            expected.pop_front();
            pool.Put(latest);
        }
        uint64_t bytes = 0;
        for (const DcnFrame* frame : expected)
        {
            bytes += frame->wireBytes;
        }
        NS_TEST_EXPECT_MSG_EQ(queue.GetNBytes(), bytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(queue.GetNFrames(), expected.size(), "frames");
        NS_TEST_EXPECT_MSG_EQ(queue.IsEmpty(), expected.empty(), "empty");
        most = std::max(most, expected.size());
        NS_TEST_EXPECT_MSG_EQ(made.size(), most, "no more frames than needed");
    }

    pool.OnLaunch();
    pool.OnLaunch();
    pool.OnArrival();
    NS_TEST_EXPECT_MSG_EQ(pool.GetNTravelling(), 1, "frames on links");
    DcnFrame* frame = pool.Get();
    frame->flow = nullptr;
    frame->sequence = 0;
    frame->payloadBytes = 0;
    frame->congestionExperienced = false;
    for (const auto kind : {DcnFrameKind::PAUSE, DcnFrameKind::RESUME, DcnFrameKind::NACK})
    {
        frame->kind = kind;
        frame->wireBytes = kind == DcnFrameKind::NACK ? 88 : 64;
        NS_TEST_EXPECT_MSG_EQ(DcnMakePacket(*frame)->GetSize(), frame->wireBytes, "packet");
        NS_TEST_EXPECT_MSG_EQ(frame->IsAck(), (kind == DcnFrameKind::NACK), "kind");
    }
}

/// A channel has the two devices that it joins, and they have it.
DCN_TEST_CASE(ChannelTestCase, "channels")
{
    std::vector<Ptr<DcnPacketDevice>> devices;
    for (int i = 0; i < 2; ++i)
    {
        devices.push_back(CreateObject<DcnHostDevice>());
        CreateObject<Node>()->AddDevice(devices.back());
    }
    auto channel = CreateObject<DcnPacketChannel>();
    channel->SetAttribute("Delay", TimeValue(NanoSeconds(700)));
    NS_TEST_EXPECT_MSG_EQ(channel->GetNDevices(), 0, "before");
    channel->Connect(devices[0], devices[1]);
    NS_TEST_EXPECT_MSG_EQ(channel->GetNDevices(), 2, "two ends");
    for (std::size_t i = 0; i < 2; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((channel->GetDevice(i) == devices[i]), true, "end " << i);
        NS_TEST_EXPECT_MSG_EQ((devices[i]->GetChannel() == channel), true, "channel");
        NS_TEST_EXPECT_MSG_EQ(devices[i]->GetDelayNs(), 700, "delay");
    }
    bool isRefused = false;
    try
    {
        channel->GetDevice(2);
    }
    catch (const std::out_of_range&)
    {
        isRefused = true;
    }
    NS_TEST_EXPECT_MSG_EQ(isRefused, true, "there is no third end");
    channel->Dispose();
    NS_TEST_EXPECT_MSG_EQ(channel->GetNDevices(), 0, "after");
    Simulator::Destroy();
}

/// A network of one flow in which nothing moves: it notes what the flow reports.
class StillOwner final : public DcnFlowOwner
{
  public:
    void OnDelivered(const DcnPacketFlow& /* flow */, int64_t nowNs) override
    {
        deliveredNs = nowNs;
    }

    void OnAcknowledged(const DcnPacketFlow& /* flow */, int64_t nowNs) override
    {
        acknowledgedNs = nowNs;
    }

    void OnMessageDelivered(const DcnPacketFlow& /* connection */, uint64_t /* message */) override
    {
    }

    void OnMessageAcknowledged(const DcnPacketFlow& /* connection */,
                               uint64_t /* message */) override
    {
    }

    void OnFirstPacket(const DcnPacketFlow& /* flow */,
                       std::size_t hop,
                       uint64_t queueBytes) override
    {
        firstPackets.emplace_back(hop, queueBytes);
    }

    void OnControl(const DcnPacketFlow& /* flow */, int64_t /* nowNs */) override
    {
    }

    void OnOver(DcnPacketFlow* /* flow */) override
    {
        ++nOver;
    }

    void Wake(const DcnPacketFlow& /* flow */, int64_t /* nowNs */) override
    {
    }

    bool IsPaused(const DcnPacketFlow& /* flow */) const override
    {
        return false;
    }

    std::pair<Ipv4Address, Ipv4Address> GetAddresses(const DcnPacketFlow& /* flow */) const override
    {
        return {};
    }

    int64_t deliveredNs{-1};    //!< when the receiver had all
    int64_t acknowledgedNs{-1}; //!< when the sender had the last acknowledgement
    uint32_t nOver{0};          //!< times that the object was given back
    std::vector<std::pair<std::size_t, uint64_t>> firstPackets; //!< hop and queue
};

/**
 * Both ends of a flow of 4500 bytes with M = 1000 and a window of 3000, by hand: what is sent,
 * answered and sent again, and when. A packet may leave if sndNxt - sndUna < W = floor(3000 R /
 * Rmax), and the next one 8e9 S / R later, rounded up.
 */
class FlowTestCase : public TestCase
{
  public:
    FlowTestCase()
        : TestCase("sender and receiver of a flow")
    {
    }

  private:
    static constexpr uint64_t RATE = 10'000'000'000; //!< of the links [bit/s]

    /// Sends the next packet, of a position and length, and says what it is.
    DcnFrame* Send(int64_t nowNs, uint64_t sequence, uint32_t bytes)
    {
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetSender().IsWindowOpen(), true, "may send at " << nowNs);
        DcnFrame* frame = m_flow->MakePacket(nowNs, 0);
        NS_TEST_EXPECT_MSG_EQ((frame->kind == DcnFrameKind::DATA), true, "data");
        NS_TEST_EXPECT_MSG_EQ(frame->sequence, sequence, "position at " << nowNs);
        NS_TEST_EXPECT_MSG_EQ(frame->payloadBytes, bytes, "payload at " << nowNs);
        NS_TEST_EXPECT_MSG_EQ(frame->wireBytes, bytes + DCN_HEADER_BYTES, "with headers");
        NS_TEST_EXPECT_MSG_EQ(frame->sentNs, nowNs, "send time");
        NS_TEST_EXPECT_MSG_EQ(
            m_flow->GetSender().GetNextSendNs(),
            nowNs + DcnCeilNs(DcnSerializationTicks(frame->wireBytes, m_flow->GetRate())),
            "pacing");
        return frame;
    }

    /// Lets a data packet come, which is answered.
    void Answer(DcnFrame* frame, int64_t nowNs, DcnFrameKind kind, uint64_t sequence)
    {
        const int64_t sentNs = frame->sentNs;
        const bool isMarked = frame->congestionExperienced;
        NS_TEST_EXPECT_MSG_EQ(m_flow->OnData(frame, nowNs), true, "an answer at " << nowNs);
        NS_TEST_EXPECT_MSG_EQ((frame->kind == kind), true, "kind of answer at " << nowNs);
        NS_TEST_EXPECT_MSG_EQ(frame->sequence, sequence, "next byte expected at " << nowNs);
        NS_TEST_EXPECT_MSG_EQ(frame->payloadBytes, 0, "no payload");
        NS_TEST_EXPECT_MSG_EQ(frame->wireBytes, DCN_ACK_BYTES, "size");
        NS_TEST_EXPECT_MSG_EQ(frame->sentNs, sentNs, "echo");
        NS_TEST_EXPECT_MSG_EQ(frame->congestionExperienced, isMarked, "echo");
    }

    /// Lets an answer come.
    void Take(DcnFrame* frame, int64_t nowNs, bool isLast)
    {
        NS_TEST_EXPECT_MSG_EQ(m_flow->OnAck(frame, nowNs), isLast, "answer at " << nowNs);
        Lose(frame);
    }

    /// Gives a frame back.
    void Lose(DcnFrame* frame)
    {
        m_owner.pool.Put(frame);
        m_flow->OnFrameEnd();
    }

    void DoRun() override
    {
        auto config = DcnNetworkConfig::Preset("dctcp");
        config->payloadBytes = 1000;
        config->windowBytes = 3000;
        m_owner.parameters = PeekPointer(config);
        m_owner.hasFirstPacketListener = true;
        m_owner.wireFormat = DcnCongestionControl::GetWireFormat(*config);
        const int64_t interval = m_owner.nackIntervalNs = 500'000;
        m_flow = Create<DcnPacketFlow>(&m_owner);
        const std::vector<DcnSwitchDevice*> route(1, nullptr);
        const DcnFlowPath path{nullptr, nullptr, nullptr, route, route, 10'000};
        m_flow->Begin(0, 0, 4500, RATE, RATE, 0, path, 100);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetSender().GetNextSendNs(), 100, "at once");
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetRate(), RATE, "at full rate");
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetFirstByteNs(), -1, "nothing has come");
        DcnFrame* a = Send(100, 0, 1000);
        m_flow->OnFirstPacket(a, 70);
        m_flow->OnFirstPacket(a, 80); // sent again
        NS_TEST_EXPECT_MSG_EQ(
            (m_owner.firstPackets == std::vector<std::pair<std::size_t, uint64_t>>{{1, 70}}),
            true,
            "the first packet is reported once at a switch");
        DcnFrame* b = Send(1000, 1000, 1000);
        DcnFrame* c = Send(2000, 2000, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetSender().IsWindowOpen(), false, "3000 bytes are out");

        // the second one is lost: the gap is reported once in an interval
        Lose(b);
        Answer(a, 5000, DcnFrameKind::ACK, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetFirstByteNs(), 5000, "first byte");
        Take(a, 6000, false);
        DcnFrame* d = Send(6000, 3000, 1000);
        Answer(c, 7000, DcnFrameKind::NACK, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_flow->OnData(d, 7000 + interval), false, "reported already");
        NS_TEST_EXPECT_MSG_EQ((d->kind == DcnFrameKind::DATA), true, "left as it is");
        Answer(d, 7001 + interval, DcnFrameKind::NACK, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetReceivedBytes(), 1000, "in order");
        Lose(d);

        // go back to the byte that is asked for
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetSender().IsWindowOpen(), false, "3000 bytes are out");
        Take(c, 8000 + interval, false);
        a = Send(10'000 + interval, 1000, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetRetransmittedBytes(), 1000, "sent again");
        Answer(a, 20'000 + interval, DcnFrameKind::ACK, 2000);
        a->kind = DcnFrameKind::DATA; // the first packet once more: it is acknowledged again
        a->sequence = 0;
        a->payloadBytes = 1000;
        Answer(a, 21'000 + interval, DcnFrameKind::ACK, 2000);
        Take(a, 22'000 + interval, false);
        b = Send(30'000 + interval, 2000, 1000);
        c = Send(31'000 + interval, 3000, 1000);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetRetransmittedBytes(), 3000, "sent again");
        d = Send(32'000 + interval, 4000, 500);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetRetransmittedBytes(), 3000, "never sent before");
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetSender().IsWindowOpen(), false, "all is sent");
        Answer(b, 40'000 + interval, DcnFrameKind::ACK, 3000);
        Answer(c, 41'000 + interval, DcnFrameKind::ACK, 4000);
        NS_TEST_EXPECT_MSG_EQ(m_owner.deliveredNs, -1, "not yet");
        Answer(d, 42'000 + interval, DcnFrameKind::ACK, 4500);
        NS_TEST_EXPECT_MSG_EQ(m_owner.deliveredNs, 42'000 + interval, "delivered");
        Take(b, 50'000 + interval, false);
        NS_TEST_EXPECT_MSG_EQ(m_owner.acknowledgedNs, -1, "not yet");
        Take(d, 51'000 + interval, true);
        NS_TEST_EXPECT_MSG_EQ(m_owner.acknowledgedNs, 51'000 + interval, "acknowledged");
        m_flow->Release();
        NS_TEST_EXPECT_MSG_EQ(m_owner.nOver, 0, "a frame is under way");
        Take(c, 52'000 + interval, false); // comes too late
        m_flow->Release();
        NS_TEST_EXPECT_MSG_EQ(m_owner.nOver, 1, "given back");

        // the object serves another flow; a marked acknowledgement halves rate and window
        m_flow->Begin(0, 0, 4500, RATE, RATE, 0, path, 1'000'000);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetReceivedBytes(), 0, "anew");
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetRetransmittedBytes(), 0, "anew");
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetFirstByteNs(), -1, "anew");
        a = Send(1'000'000, 0, 1000);
        b = Send(1'001'000, 1000, 1000);
        c = Send(1'002'000, 2000, 1000);
        a->congestionExperienced = true;
        Answer(a, 1'010'000, DcnFrameKind::ACK, 1000);
        Take(a, 1'020'000, false);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetRate(), RATE / 2, "alpha is 1 at first");
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetSender().IsWindowOpen(),
                              false,
                              "2000 of 1500 bytes are out");
        Answer(b, 1'021'000, DcnFrameKind::ACK, 2000);
        Take(b, 1'022'000, false);
        NS_TEST_EXPECT_MSG_EQ(m_flow->GetSender().IsWindowOpen(),
                              true,
                              "1000 of 1500 bytes are out");
        // after going back, what had been sent before may be acknowledged all the same
        c->kind = DcnFrameKind::NACK;
        c->sequence = 2000;
        Take(c, 1'023'000, false);
        a = Send(1'030'000, 2000, 1000);
        b = Send(1'031'000, 3000, 1000);
        Lose(b);
        a->kind = DcnFrameKind::NACK;
        a->sequence = 2000;
        m_flow->OnAck(a, 1'040'000);
        a->kind = DcnFrameKind::ACK;
        a->sequence = 4000;
        Take(a, 1'041'000, false);
        Lose(Send(1'050'000, 4000, 500));

        Simulator::Destroy();
    }

    StillOwner m_owner;        //!< the network
    Ptr<DcnPacketFlow> m_flow; //!< under test
};

DcnTestSuite g_dcnPacketFrameTestSuite("dcn-packet-frame",
                                       {new QueueTestCase,
                                        new ChannelTestCase,
                                        new FlowTestCase}); //!< the suite

} // namespace
