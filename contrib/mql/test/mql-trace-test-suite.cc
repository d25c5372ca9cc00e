/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../truth/mql-trace.h"
#include "../truth/mql-truth-engine.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include <string>

using namespace ns3;

namespace
{

const char* const HEADER = "timestamp_ns,source,destination,size_bytes\n"; //!< of a trace

/// Moments of a flow: gaps 1, 1, 4 us have mean 2, mean square 6, C^2 = 6 / 4 - 1; sizes 100, 100,
/// 300, 300 have mean 200, mean square 50000, C^2 = 1/4; the rate is packets / length.
DCN_TEST_CASE(TraceMomentsTestCase, "Moments of the flows of a trace")
{
    const std::string path = CreateTempDirFilename("trace.csv");
    DcnWriteTestFile(path,
                     std::string(HEADER) + "5000,3,1,100\n6000,3,1,100\n7000,3,1,300\n"
                                           "9000,0,2,64\n11000,3,1,300\n15000,0,2,64\n");
    const auto trace = MqlTrace::Read(path, 4);
    NS_TEST_ASSERT_MSG_EQ(trace.GetFlows().size(), 2, "flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(trace.GetDuration(), 10e-6, 1e-15, "length");
    NS_TEST_EXPECT_MSG_EQ(trace.GetPackets()[0].timeNs, 0, "time from the first packet");
    NS_TEST_EXPECT_MSG_EQ(trace.GetPackets()[0].flow, 1, "flows are ordered by source");
    const auto& flow = trace.GetFlows()[1];
    NS_TEST_EXPECT_MSG_EQ(flow.source, 3, "source");
    NS_TEST_EXPECT_MSG_EQ(flow.destination, 1, "destination");
    NS_TEST_EXPECT_MSG_EQ(flow.moments.packets, 4, "packets");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.moments.rate, 4 / 10e-6, 1e-6, "rate");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.moments.gapScv, 0.5, 1e-12, "SCV of gaps");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.moments.meanBytes, 200, 1e-12, "size");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.moments.bytesScv, 0.25, 1e-12, "SCV of sizes");
    NS_TEST_EXPECT_MSG_EQ(trace.GetFlows()[0].moments.gapScv, 1, "two packets: Poisson");
}

/**
 * Both simulators send the packets of a trace when it says.
 *
 * Two hosts of one rack: 500 bytes last 40 us at 100 Mb/s. Packets at 0, 10 and 100 us wait 0, 30
 * and 0 us at the source and never at the switch; each is acknowledged (54 bytes, 4.32 us), so that
 * the round trip is 2 * 40 + 2 * 4.32 us and the waiting.
 */
DCN_TEST_CASE(TraceReplayTestCase, "Packets of a trace are sent again")
{
    const std::string path = CreateTempDirFilename("trace.csv");
    DcnWriteTestFile(path, std::string(HEADER) + "0,0,1,500\n10000,0,1,500\n100000,0,1,500\n");
    for (const std::string engine : {"exact", "ns3"})
    {
        const MqlTruthTraffic traffic(MqlTruthConfig::Parse(
            "warmup_s=0,duration_s=0.01,trace=" + path + ",engine=" + engine));
        const auto result = MqlSimulateTruth(traffic);
        NS_TEST_ASSERT_MSG_EQ(result.flows.size(), 1, engine << ": flows");
        NS_TEST_EXPECT_MSG_EQ(result.flows[0].packets, 3, engine << ": round trips");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.hops[0].waitNs, 10000, 1e-6, engine << ": source");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.hops[1].waitNs, 0, 1e-6, engine << ": switch");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.flows[0].rttNs,
                                  98640,
                                  1e-2, // kept as float
                                  engine << ": round trip");
    }
}

DCN_TEST_CASE(TraceErrorTestCase, "Bad traces")
{
    const std::string path = CreateTempDirFilename("trace.csv");
    auto expect = [&](const std::string& rows, const std::string& sentence) {
        DcnWriteTestFile(path, HEADER + rows);
        DCN_TEST_EXPECT_ERROR(MqlTrace::Read(path, 4), path + sentence);
    };
    expect("0,0,4,500\n", ":2: destination 4 is no host: there are 4");
    expect("0,0,1,500\n5,2,2,500\n", ":3: host 2 sends to itself");
    expect("0,0,1,0\n", ":2: size_bytes must be from 1 to 65535, but it is 0");
    expect("9,0,1,500\n8,0,1,500\n", ":3: timestamp_ns 8 is before that of the line before, 9");
    expect("7,0,1,500\n7,0,1,500\n", ": a trace must have packets at two instants at least");
    expect("", ": a trace must have packets at two instants at least");
}

DcnTestSuite<TraceMomentsTestCase, TraceReplayTestCase, TraceErrorTestCase> g_mqlTraceTestSuite(
    "mql-trace"); //!< the suite

} // namespace
