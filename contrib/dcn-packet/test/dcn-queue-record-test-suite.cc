/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/measure/dcn-queue-probe.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/callback.h"
#include "ns3/dcn-queue-record.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * A queue of W bytes from t1 to t2 adds W (t2 - t1) to the integral of the queue, whichever
 * intervals it lies in; the mean of an interval is its part of the integral over its length.
 */
DCN_TEST_CASE(RecorderMeanTestCase, "mean and maximum of a queue")
{
    // within one interval: 1000 bytes for 20 of 100 ns
    DcnQueueRecorder one(100);
    one.Enqueue(10, 1000);
    one.Dequeue(30, 1000);
    one.Finish(100);
    NS_TEST_ASSERT_MSG_EQ(one.GetRecords().size(), 1, "records");
    NS_TEST_EXPECT_MSG_EQ_TOL(one.GetRecords()[0].meanBytes, 200, 1e-9, "1000 * 20 / 100");
    NS_TEST_EXPECT_MSG_EQ(one.GetRecords()[0].maxBytes, 1000, "maximum");

    // constant over several intervals: records go on although nothing happens
    DcnQueueRecorder constant(100);
    constant.Enqueue(50, 500);
    constant.Dequeue(350, 500);
    constant.Finish(1000);
    const auto& records = constant.GetRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 4, "intervals in which something waits");
    const double means[] = {250, 500, 500, 250};
    for (std::size_t i = 0; i < 4; ++i)
    {
        const auto start = static_cast<int64_t>(100 * i);
        NS_TEST_EXPECT_MSG_EQ(records[i].startNs, start, "start " << i);
        NS_TEST_EXPECT_MSG_EQ(records[i].endNs, start + 100, "end " << i);
        NS_TEST_EXPECT_MSG_EQ_TOL(records[i].meanBytes, means[i], 1e-9, "mean " << i);
        NS_TEST_EXPECT_MSG_EQ(records[i].maxBytes, 500, "maximum " << i);
        NS_TEST_EXPECT_MSG_EQ(records[i].inPackets, (i == 0 ? 1U : 0U), "in " << i);
        NS_TEST_EXPECT_MSG_EQ(records[i].outPackets, (i == 3 ? 1U : 0U), "out " << i);
    }
}

/// Empty intervals have no record, but those in which a packet is dropped, marked or paused do.
DCN_TEST_CASE(RecorderGapTestCase, "intervals in which nothing happens")
{
    DcnQueueRecorder recorder(100);
    recorder.Enqueue(10, 5);
    recorder.Dequeue(10, 5);
    recorder.Drop(1050);
    recorder.Mark(2000); // at the very beginning of an interval: that one's
    recorder.Pause(2000);
    recorder.Pause(2099);
    recorder.Finish(5000);
    const auto& records = recorder.GetRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 3, "records");
    NS_TEST_EXPECT_MSG_EQ(records[0].startNs, 0, "first");
    NS_TEST_EXPECT_MSG_EQ(records[0].maxBytes, 5, "even if it waits no time");
    NS_TEST_EXPECT_MSG_EQ(records[1].startNs, 1000, "second");
    NS_TEST_EXPECT_MSG_EQ(records[1].endNs, 1100, "second");
    NS_TEST_EXPECT_MSG_EQ(records[1].drops, 1, "second");
    NS_TEST_EXPECT_MSG_EQ(records[1].maxBytes, 0, "second");
    NS_TEST_EXPECT_MSG_EQ(records[2].startNs, 2000, "third");
    NS_TEST_EXPECT_MSG_EQ(records[2].marks, 1, "third");
    NS_TEST_EXPECT_MSG_EQ(records[2].pauses, 2, "third");

    DcnQueueRecorder idle(100);
    idle.Finish(1234);
    NS_TEST_EXPECT_MSG_EQ(idle.GetRecords().size(), 0, "nothing ever happened");
}

/// Finish ends an interval early, loses nothing, invents nothing, and lets watching go on.
DCN_TEST_CASE(RecorderFinishTestCase, "end of watching")
{
    DcnQueueRecorder recorder(100);
    recorder.Enqueue(50, 600);
    recorder.Finish(75); // [0, 75)
    recorder.Finish(75); // nothing new
    NS_TEST_ASSERT_MSG_EQ(recorder.GetRecords().size(), 1, "records");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords()[0].endNs, 75, "early end");
    NS_TEST_EXPECT_MSG_EQ_TOL(recorder.GetRecords()[0].meanBytes, 200, 1e-9, "600 * 25 / 75");
    recorder.Enqueue(90, 100); // [75, 100): 600 for 15 ns, 700 for 10 ns
    recorder.Dequeue(100, 700);
    recorder.Finish(100); // at the beginning of an interval: [100, 100]
    NS_TEST_ASSERT_MSG_EQ(recorder.GetRecords().size(), 3, "records");
    const DcnQueueRecord& second = recorder.GetRecords()[1];
    NS_TEST_EXPECT_MSG_EQ(second.startNs, 75, "goes on where it ended");
    NS_TEST_EXPECT_MSG_EQ(second.endNs, 100, "up to the next multiple");
    NS_TEST_EXPECT_MSG_EQ_TOL(second.meanBytes, (600 * 15 + 700 * 10) / 25.0, 1e-9, "mean");
    NS_TEST_EXPECT_MSG_EQ(second.maxBytes, 700, "maximum");
    const DcnQueueRecord& third = recorder.GetRecords()[2];
    NS_TEST_EXPECT_MSG_EQ(third.startNs, 100, "what happens at the end");
    NS_TEST_EXPECT_MSG_EQ(third.endNs, 100, "has a record");
    NS_TEST_EXPECT_MSG_EQ(third.outBytes, 700, "left");
    NS_TEST_EXPECT_MSG_EQ_TOL(third.meanBytes, 0, 1e-9, "the queue then");
    recorder.Finish(500);
    NS_TEST_EXPECT_MSG_EQ(recorder.GetRecords().size(), 3, "empty and quiet");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetLastNs(), 500, "last call");
}

/**
 * A random queue against a second account of it: at the end of each record, waiting = in - out, and
 * the integral over all records is the sum of bytes times time between events.
 */
DCN_TEST_CASE(RecorderIdentityTestCase, "identities of a random queue")
{
    Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    for (int64_t intervalNs : {1, 7, 100, 100'000})
    {
        DcnQueueRecorder recorder(intervalNs);
        std::vector<std::pair<int64_t, uint64_t>> levels; // from this time on, so many bytes
        std::vector<uint64_t> waiting;
        uint64_t bytes = 0;
        double integral = 0;
        int64_t nowNs = 0;
        for (int i = 0; i < 2000; ++i)
        {
            // mostly close together or at the same time, now and then far apart
            const auto gapNs =
                static_cast<int64_t>(uniform->GetValue() < 0.1 ? uniform->GetInteger(0, 1000)
                                                               : uniform->GetInteger(0, 5));
            integral += static_cast<double>(bytes) * static_cast<double>(gapNs);
            nowNs += gapNs;
            if (!waiting.empty() && uniform->GetValue() < 0.52)
            {
                recorder.Dequeue(nowNs, waiting.back());
                bytes -= waiting.back();
                waiting.pop_back();
            }
            else
            {
                waiting.push_back(uniform->GetInteger(1, 1500));
                bytes += waiting.back();
                recorder.Enqueue(nowNs, waiting.back());
            }
            levels.emplace_back(nowNs, bytes);
        }
        recorder.Finish(nowNs);
        NS_TEST_EXPECT_MSG_EQ(recorder.GetBytes(), bytes, "waiting at the end");
        double recorded = 0;
        uint64_t in = 0;
        uint64_t out = 0;
        int64_t lastEndNs = 0;
        std::size_t level = 0;
        for (const auto& record : recorder.GetRecords())
        {
            NS_TEST_EXPECT_MSG_EQ((record.startNs >= lastEndNs), true, "in order");
            lastEndNs = record.endNs;
            in += record.inBytes;
            out += record.outBytes;
            const bool isLast = &record == &recorder.GetRecords().back();
            while (level + 1 < levels.size() && (levels[level + 1].first < record.endNs || isLast))
            {
                ++level;
            }
            NS_TEST_EXPECT_MSG_EQ(in - out, levels[level].second, "waiting = in - out");
            NS_TEST_EXPECT_MSG_EQ((record.meanBytes <= static_cast<double>(record.maxBytes)),
                                  true,
                                  "mean and maximum");
            recorded += record.meanBytes * static_cast<double>(record.endNs - record.startNs);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(recorded, integral, 1e-9 * integral, "integral of the queue");
    }
}

/// What the trace sources of a stock queue show is in the records of its probe.
DCN_TEST_CASE(ProbeTestCase, "probes of queues")
{
    auto queue = CreateObject<DropTailQueue<Packet>>();
    queue->SetAttribute("MaxSize", StringValue("2p"));
    auto probe = Create<DcnQueueProbe>("a", "device", 100);
    probe->ListenTo(Ptr<Queue<Packet>>(queue));
    NS_TEST_EXPECT_MSG_EQ(probe->GetName(), "a", "name");
    NS_TEST_EXPECT_MSG_EQ(probe->GetLayer(), "device", "layer");
    auto in = [queue](uint32_t bytes) {
        return [queue, bytes]() { queue->Enqueue(Create<Packet>(bytes)); };
    };
    auto out = [queue]() { queue->Dequeue(); };
    Simulator::Schedule(NanoSeconds(10), in(1000));
    Simulator::Schedule(NanoSeconds(20), in(500));
    Simulator::Schedule(NanoSeconds(20), in(1)); // no room
    Simulator::Schedule(NanoSeconds(60), out);
    Simulator::Schedule(NanoSeconds(150), out);
    Simulator::Run();
    probe->Finish();
    const auto& records = probe->GetRecorder().GetRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 2, "intervals");
    NS_TEST_EXPECT_MSG_EQ(records[0].inBytes, 1500, "in");
    NS_TEST_EXPECT_MSG_EQ(records[0].inPackets, 2, "in");
    NS_TEST_EXPECT_MSG_EQ(records[0].drops, 1, "no room");
    NS_TEST_EXPECT_MSG_EQ(records[0].outBytes, 1000, "out");
    NS_TEST_EXPECT_MSG_EQ(records[0].maxBytes, 1500, "most");
    // 1000 bytes for 50 ns and 500 for 80
    NS_TEST_EXPECT_MSG_EQ_TOL(records[0].meanBytes, 900, 1e-9, "mean");
    NS_TEST_EXPECT_MSG_EQ(records[1].outBytes, 500, "out");
    NS_TEST_EXPECT_MSG_EQ(records[1].endNs, 150, "until the end");
    NS_TEST_EXPECT_MSG_EQ(probe->GetRecorder().GetBytes(), 0, "waiting = in - out");

    // the queue's trace sources keep the probe
    probe = nullptr;
    queue->Enqueue(Create<Packet>(1));
    DCN_TEST_EXPECT_ERROR(DcnConnectTrace(queue, "Colour", CallbackBase()),
                          queue->GetInstanceTypeId().GetName() + " has no trace source Colour");
    Simulator::Destroy();
}

DcnTestSuite g_dcnQueueRecordTestSuite("dcn-packet-queue-record",
                                       {new RecorderMeanTestCase,
                                        new RecorderGapTestCase,
                                        new RecorderFinishTestCase,
                                        new RecorderIdentityTestCase,
                                        new ProbeTestCase}); //!< the suite

} // namespace
