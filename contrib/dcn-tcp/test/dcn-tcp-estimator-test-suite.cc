/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/dcn-tcp-estimator.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator-helper.h"
#include "ns3/node-list.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return flows that draw marks at random
Ptr<const DcnScenario>
MakeContended()
{
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->SetKeys("ecn_kmin_bytes=5000,ecn_kmax_bytes=60000,ecn_pmax=0.3");
    DcnWorkloadSpec spec = DcnTestWorkload(70, "constant:30000", 0.8);
    DcnLeafSpineParameters parameters;
    parameters.racks = 2;
    return DcnMakeTestScenario(DcnBuildTopology(parameters), spec, network);
}

/**
 * @param name of the method with attributes
 * @param scenario the scenario
 * @return completion times [ns]
 */
std::vector<int64_t>
Estimate(const std::string& name, Ptr<const DcnScenario> scenario)
{
    return DcnEstimator::CreateByName(name)->Estimate(scenario).fctNs;
}

/// Results depend on the scenario and the seed alone, and the user's simulation stays as it is.
DCN_TEST_CASE(SeedTestCase, "same seed, same times; the user's simulation is not touched")
{
    auto scenario = MakeContended();
    const std::vector<int64_t> first = Estimate("tcp", scenario);
    NS_TEST_EXPECT_MSG_GT(*std::min_element(first.begin(), first.end()), 0, "all are complete");
    NS_TEST_EXPECT_MSG_EQ((Estimate("tcp:Seed=2", scenario) == first), false, "another seed");

    // a simulation in progress, with nodes, automatic streams and a clock
    bool hasRun = false;
    std::vector<int64_t> inside;
    NodeContainer nodes(3);
    Simulator::Schedule(MicroSeconds(123), [&]() {
        const uint64_t stream = RngSeedManager::GetNextStreamIndex();
        const uint32_t nNodes = NodeList::GetNNodes();
        inside = Estimate("tcp", scenario);
        NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetNextStreamIndex(), stream + 1, "streams");
        NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), nNodes, "nodes");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(123), "clock");
        NS_TEST_EXPECT_MSG_EQ(hasRun, false, "events");
    });
    Simulator::Schedule(MicroSeconds(124), [&]() { hasRun = true; });
    Simulator::Run();
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(hasRun, true, "goes on");
    NS_TEST_EXPECT_MSG_EQ((inside == first), true, "the same times in the midst of a simulation");
}

/// Every transport and queue disc that the page names completes the flows.
DCN_TEST_CASE(TransportsTestCase, "transports and queue discs of ns-3")
{
    auto scenario = MakeContended();
    std::vector<std::vector<int64_t>> seen;
    for (const std::string attributes : {"",
                                         ":Transport=ns3::TcpNewReno",
                                         ":Transport=ns3::TcpCubic",
                                         ":Transport=ns3::TcpBbr",
                                         ":QueueDisc=ns3::FqCoDelQueueDisc",
                                         ":Transport=ns3::TcpCubic:QueueDisc=ns3::FifoQueueDisc:"
                                         "Ecn=false",
                                         ":Transport=ns3::TcpBbr:QueueDisc=ns3::PfifoFastQueueDisc:"
                                         "Ecn=false:DelAckCount=2",
                                         ":HostQueueDisc=ns3::FifoQueueDisc",
                                         ":InitialWindow=1"})
    {
        const DcnEstimate answer =
            DcnEstimator::CreateByName("tcp" + attributes)->Estimate(scenario);
        NS_TEST_EXPECT_MSG_EQ(answer.IsComplete(), true, answer.DescribeCompletion());
        NS_TEST_EXPECT_MSG_EQ(answer.method, "tcp" + attributes, "label");
        NS_TEST_EXPECT_MSG_EQ(std::count(seen.begin(), seen.end(), answer.fctNs),
                              0,
                              "an attribute without effect: " << attributes);
        seen.push_back(answer.fctNs);
        NS_TEST_EXPECT_MSG_EQ((Estimate("tcp" + attributes, scenario) == answer.fctNs),
                              true,
                              "again: " << attributes);
    }
    const auto names = DcnEstimator::GetNames();
    NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), "tcp"),
                          0,
                          "only where it is named");
}

/// The helper sets attributes.
DCN_TEST_CASE(HelperTestCase, "the helper makes the method")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 30'000, 0}, {1, 1, 2, 30'000, 0}});
    DcnEstimatorHelper helper("tcp");
    helper.SetAttribute("Transport", StringValue("ns3::TcpCubic"));
    NS_TEST_EXPECT_MSG_EQ(
        (helper.Estimate(scenario).fctNs == Estimate("tcp:Transport=ns3::TcpCubic", scenario)),
        true,
        "as by name");
}

/// Keys of the configuration that TCP does not have are listed.
DCN_TEST_CASE(UnmodelledTestCase, "keys without a meaning for TCP are listed")
{
    auto describe = [](const std::string& cc, const std::string& keys, const std::string& name) {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(cc);
        network->SetKeys(keys);
        auto scenario = DcnScenario::Create(DcnMakeStar(2), network, {{0, 0, 1, 1000, 0}});
        return DcnEstimator::CreateByName(name)->Estimate(scenario).provenance;
    };
    NS_TEST_EXPECT_MSG_EQ(describe("dctcp", "", "tcp"),
                          "ns-3's TCP, ns3::TcpDctcp with ECN, switches with ns3::RedQueueDisc, "
                          "hosts with ns3::FqCoDelQueueDisc; not modelled: "
                          "window_bytes, min_rate_bps, pfc, pfc_alpha_shift, ack_high_priority, "
                          "dctcp_additive_increase_bps",
                          "DCTCP");
    NS_TEST_EXPECT_MSG_EQ(
        describe("dctcp",
                 "window_bytes=0,pfc=0,ack_high_priority=0,max_rate_bps=5000000000",
                 "tcp"),
        "ns-3's TCP, ns3::TcpDctcp with ECN, switches with ns3::RedQueueDisc, hosts with "
        "ns3::FqCoDelQueueDisc; not modelled: min_rate_bps, "
        "max_rate_bps, dctcp_additive_increase_bps",
        "what is off is not missing");
    const std::string off = "window_bytes=0,pfc=0,ack_high_priority=0,";
    const std::string begin = "ns-3's TCP, ns3::TcpDctcp with ECN, switches with "
                              "ns3::RedQueueDisc, hosts with ns3::FqCoDelQueueDisc; "
                              "not modelled: min_rate_bps, ";
    NS_TEST_EXPECT_MSG_EQ(
        describe("dctcp",
                 off + "header_bytes=54,handshake_rtts=1,initial_window_bytes=4000",
                 "tcp"),
        begin + "dctcp_additive_increase_bps",
        "TCP has them");
    NS_TEST_EXPECT_MSG_EQ(
        describe("dctcp",
                 off + "header_bytes=60,handshake_rtts=2,initial_window_bytes=4000,queue_packets=9",
                 "tcp:InitialWindow=3"),
        begin + "header_bytes, handshake_rtts, initial_window_bytes, queue_packets, "
                "dctcp_additive_increase_bps",
        "TCP has others");
    NS_TEST_EXPECT_MSG_EQ(
        describe("hpcc",
                 "window_bytes=0,pfc=0,ack_high_priority=0",
                 "tcp:Transport=ns3::TcpCubic:QueueDisc=ns3::FifoQueueDisc:Ecn=false"),
        "ns-3's TCP, ns3::TcpCubic without ECN, switches with ns3::FifoQueueDisc, hosts with "
        "ns3::FqCoDelQueueDisc; not modelled: cc (hpcc), "
        "base_rtt_ns, min_rate_bps, ecn_reference_rate_bps, ecn_kmin_bytes, ecn_kmax_bytes, "
        "ecn_pmax, hpcc_eta, hpcc_additive_increase_bps, hpcc_mi_threshold, hpcc_fast_react",
        "another congestion control");
}

/// Events cross the border of the process.
DCN_TEST_CASE(EventsTestCase, "packets, marks, losses and busiest links are reported")
{
    // two senders to one receiver: 600 segments on two links each
    auto scenario = DcnScenario::Create(DcnMakeStar(3),
                                        DcnNetworkConfig::Preset("dctcp"),
                                        {{0, 0, 2, 300'000, 0}, {1, 1, 2, 300'000, 0}});
    const DcnEstimate answer = DcnEstimator::CreateByName("tcp")->Estimate(scenario);
    std::map<std::string, double> events(answer.events.begin(), answer.events.end());
    NS_TEST_ASSERT_MSG_EQ(events.size(), 4, "events");
    NS_TEST_EXPECT_MSG_EQ(events.at("data_packet_hops"), 1200, "segments times links");
    NS_TEST_EXPECT_MSG_GT(events.at("marked_packets"), 0, "two senders exceed the threshold");
    NS_TEST_EXPECT_MSG_LT(events.at("marked_packets"), 600, "for some of the time");
    NS_TEST_EXPECT_MSG_EQ(events.at("dropped_packets"), 0, "no loss");
    NS_TEST_EXPECT_MSG_EQ(events.at("retransmitted_bytes"), 0, "no loss");
    // 54 bytes of headers each; handshake and end of a connection are less than a percent
    const auto endNs = static_cast<double>(std::max(answer.fctNs[0], answer.fctNs[1]));
    const double share = 100 * 600 * 1054 * 8e9 / 10e9 / endNs;
    NS_TEST_ASSERT_MSG_EQ(answer.busiestLinks.find("3->2 "), 0, answer.busiestLinks);
    NS_TEST_EXPECT_MSG_EQ_TOL(std::stod(answer.busiestLinks.substr(5)), share, 1.5, "in use");

    const DcnEstimate lost = DcnEstimator::CreateByName("tcp")->Estimate(
        DcnMakeDumbbellScenario({{0, 0, 2, 300'000, 0}, {1, 1, 2, 300'000, 0}},
                                "buffer_bytes=10000,ecn_kmin_bytes=10000,ecn_kmax_bytes=10000"));
    events = {lost.events.begin(), lost.events.end()};
    NS_TEST_EXPECT_MSG_GT(events.at("dropped_packets"), 0, "a small buffer");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(events.at("retransmitted_bytes"), 1000, "each sent again");
}

/// Bad input is refused with a sentence.
DCN_TEST_CASE(RefusalTestCase, "bad input is refused")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000, 0}});
    auto sentence = [&](const std::string& attributes) {
        return DcnSentenceOf([&]() { Estimate("tcp:" + attributes, scenario); });
    };
    const std::string transport = "the attribute Transport of the method \"tcp\" ";
    const std::string disc = "the attribute QueueDisc of the method \"tcp\" is ns3::";
    NS_TEST_EXPECT_MSG_EQ(sentence("Transport=ns3::TcpNobody")
                              .find(transport + "cannot be \"ns3::TcpNobody\"; it takes: "),
                          0,
                          "unknown type");
    NS_TEST_EXPECT_MSG_EQ(sentence("Transport=ns3::RedQueueDisc"),
                          transport + "is ns3::RedQueueDisc, which is no congestion control of "
                                      "ns-3's TCP, as ns3::TcpCubic is",
                          "another kind");
    NS_TEST_EXPECT_MSG_EQ(sentence("Transport=ns3::TcpCongestionOps"),
                          transport + "is ns3::TcpCongestionOps, which is no congestion control of "
                                      "ns-3's TCP, as ns3::TcpCubic is",
                          "a base class");
    NS_TEST_EXPECT_MSG_EQ(sentence("QueueDisc=ns3::TcpCubic"),
                          disc + "TcpCubic, which is no queue disc with a limit (MaxSize), as "
                                 "ns3::RedQueueDisc is",
                          "another kind");
    NS_TEST_EXPECT_MSG_EQ(sentence("HostQueueDisc=ns3::DcnTcpRouting")
                              .find("the attribute HostQueueDisc of the method \"tcp\" is "),
                          0,
                          "another kind");
    NS_TEST_EXPECT_MSG_EQ(sentence("Transport=ns3::TcpCubic:QueueDisc=ns3::FifoQueueDisc"),
                          disc + "FifoQueueDisc, which cannot mark packets: set Ecn=false, or take "
                                 "another queue disc",
                          "no marks");
    NS_TEST_EXPECT_MSG_EQ(sentence("Ecn=false"),
                          "the attribute Ecn=false of the method \"tcp\" has no effect with "
                          "Transport=ns3::TcpDctcp, whose sockets use ECN in any case: take "
                          "another transport",
                          "DCTCP uses ECN");
    NS_TEST_EXPECT_MSG_EQ(sentence("DelAckTimeout=2ms"),
                          "the attribute DelAckTimeout of the method \"tcp\" has no effect with "
                          "DelAckCount=1 (the default), which delays no acknowledgement",
                          "no effect");
    NS_TEST_EXPECT_MSG_EQ(sentence("DelAckCount=2:MinRto=1ms"),
                          "the attribute DelAckTimeout of the method \"tcp\", +1000us, must be "
                          "shorter than MinRto, +1000us: a sender would repeat segments whose "
                          "acknowledgement is delayed",
                          "timers");
    NS_TEST_EXPECT_MSG_EQ(sentence("InitialWindow=-1").find("the attribute InitialWindow of"),
                          0,
                          "no window");
    NS_TEST_EXPECT_MSG_EQ(sentence("Window=3").find("the method \"tcp\" has no attribute "), 0, "");
}

/// A flow that TCP gives up is reported with its reason.
DCN_TEST_CASE(UnfinishedTestCase, "flows without an end have a reason")
{
    // segments of 1040 bytes do not fit into the buffer of any port
    auto scenario =
        DcnMakeDumbbellScenario({{0, 0, 2, 5000, 0}},
                                "buffer_bytes=900,ecn_kmin_bytes=900,ecn_kmax_bytes=900");
    const DcnEstimate answer = DcnEstimator::CreateByName("tcp")->Estimate(scenario);
    NS_TEST_EXPECT_MSG_EQ(answer.IsComplete(), false, "nothing gets through");
    NS_TEST_EXPECT_MSG_EQ(answer.DescribeCompletion(),
                          "tcp: 1 flows started, 0 finished, 1 unfinished (connection given up: 1)",
                          "reason");
    auto none = DcnMakeDumbbellScenario({{0, 0, 2, 5000, 0}},
                                        "buffer_bytes=30,ecn_kmin_bytes=30,ecn_kmax_bytes=30");
    NS_TEST_EXPECT_MSG_EQ(
        DcnEstimator::CreateByName("tcp:ConnTimeout=1ms")->Estimate(none).DescribeCompletion(),
        "tcp:ConnTimeout=1ms: 1 flows started, 0 finished, 1 unfinished (no connection: 1)",
        "not even a handshake");
}

DcnTestSuite<SeedTestCase,
             TransportsTestCase,
             HelperTestCase,
             UnmodelledTestCase,
             EventsTestCase,
             RefusalTestCase,
             UnfinishedTestCase>
    g_dcnTcpEstimatorTestSuite("dcn-tcp-estimator"); //!< the suite

} // namespace
