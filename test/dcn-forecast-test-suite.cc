/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-forecast.h"
#include "ns3/dcn-network-limits.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return N flows of a size from hosts 1 to N to host 0 around one switch, all at once
Ptr<const DcnScenario>
MakeIncast(uint32_t nSenders, uint64_t sizeBytes, const std::string& keys)
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 1; i <= nSenders; ++i)
    {
        flows.push_back({i, i, 0, sizeBytes, 0});
    }
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->SetKeys(keys);
    return DcnScenario::Create(DcnMakeStar(nSenders + 1), network, flows);
}

/// Packets, packet-hops and overlap of scenarios that are counted by hand; regimes.
DCN_TEST_CASE(WorkTestCase, "what a scenario makes to do, by hand")
{
    // three packets of 1000 bytes or less each; the last hop is shared by both, the first by none
    const auto two = MakeIncast(2, 2500, "");
    const DcnWork work(*two);
    NS_TEST_EXPECT_MSG_EQ(work.flows, 2, "flows");
    NS_TEST_EXPECT_MSG_EQ(work.hosts, 3, "hosts");
    NS_TEST_EXPECT_MSG_EQ(work.links, 3, "links");
    NS_TEST_EXPECT_MSG_EQ(work.packets, 6, "packets");
    NS_TEST_EXPECT_MSG_EQ(work.packetHops, 12, "packet-hops");
    NS_TEST_EXPECT_MSG_EQ(work.flowHops, 4, "flows times links");
    NS_TEST_EXPECT_MSG_EQ(work.sharedPacketHops, 6, "at the last hop");
    NS_TEST_EXPECT_MSG_EQ(work.sharedFlowHops, 2, "at the last hop");
    NS_TEST_EXPECT_MSG_EQ_TOL(work.overlap, 1, 1e-12, "at once: half of the other flow each");
    NS_TEST_EXPECT_MSG_EQ(work.fastestGbps, 10, "rate");
    NS_TEST_EXPECT_MSG_EQ(DcnForecast(*two).GetRegime(), "degenerate", "two flows");

    // a link that is busy for half of the time has one flow on average
    std::vector<DcnFlow> flows;
    const double busyNs = 8e9 * 1048 / 10e9; // of one packet
    for (uint64_t i = 0; i < 1000; ++i)
    {
        flows.push_back({i, static_cast<uint32_t>(1 + i % 2), 0, 1000,
                         static_cast<int64_t>(std::llround(2 * busyNs * static_cast<double>(i)))});
    }
    const auto half =
        DcnScenario::Create(DcnMakeStar(3), DcnNetworkConfig::Preset("dctcp"), flows);
    const DcnWork sparse(*half);
    NS_TEST_EXPECT_MSG_EQ_TOL(sparse.topLoad, 0.5, 1e-3, "of the last hop");
    // r / (1 - r): 1 at the last hop, 1/3 at each first one
    NS_TEST_EXPECT_MSG_EQ_TOL(sparse.overlap, 1000 * (1 + 1.0 / 3), 5, "flows in progress");
    NS_TEST_EXPECT_MSG_EQ(DcnForecast(*half).GetRegime(), "small", "three hosts");
    const auto fabric = DcnMakeTestScenario(DcnTestWorkload(200));
    NS_TEST_EXPECT_MSG_EQ(DcnForecast(*fabric).GetRegime(), "small", "32 hosts");
    DCN_TEST_EXPECT_ERROR(DcnForecast(*two, 0),
                          "the speed of a machine must be above 0, but it is 0");
}

/// A method with a cost per flow.
class PricedEstimator : public DcnEstimator
{
  public:
    /**
     * @param seconds for a flow; negative: no rule
     * @param isTruth see IsGroundTruth
     */
    explicit PricedEstimator(double seconds, bool isTruth = false)
        : m_seconds(seconds),
          m_isTruth(isTruth)
    {
    }

    std::string GetName() const override
    {
        return m_isTruth ? "priced-truth" : "priced";
    }

    bool IsGroundTruth() const override
    {
        return m_isTruth;
    }

    double ForecastSeconds(const DcnWork& work) const override
    {
        return m_seconds < 0 ? -1 : m_seconds * work.flows;
    }

  private:
    void DoEstimate(Ptr<const DcnScenario> /* scenario */, DcnEstimate& /* estimate */) override
    {
    }

    double m_seconds; //!< for a flow
    bool m_isTruth;   //!< see IsGroundTruth
};

/// Methods that fit in a budget; what is printed.
DCN_TEST_CASE(BudgetTestCase, "the most accurate methods that fit in a budget")
{
    const auto two = MakeIncast(2, 2500, "");
    const std::vector<Ptr<DcnEstimator>> methods{CreateObject<PricedEstimator>(1.0),
                                                 CreateObject<PricedEstimator>(5.0, true),
                                                 CreateObject<PricedEstimator>(0.5)};
    const DcnForecast forecast(*two); // 2, 10 and 1 s
    NS_TEST_EXPECT_MSG_EQ((forecast.Fit(methods, 13) == std::vector<bool>{true, true, true}),
                          true,
                          "all");
    NS_TEST_EXPECT_MSG_EQ((forecast.Fit(methods, 11.5) == std::vector<bool>{false, true, true}),
                          true,
                          "the truth first, then the cheaper one");
    NS_TEST_EXPECT_MSG_EQ((forecast.Fit(methods, 9) == std::vector<bool>{true, false, true}),
                          true,
                          "without the truth");
    NS_TEST_EXPECT_MSG_EQ(
        (DcnForecast(*two, 2).Fit(methods, 6.5) == std::vector<bool>{true, true, true}),
        true,
        "a machine of twice the speed");
    DCN_TEST_EXPECT_ERROR(forecast.Fit(methods, 0.25),
                          "no method fits in a budget of 0.25 s: the cheapest, priced, needs some "
                          "1 s");
    DCN_TEST_EXPECT_ERROR(forecast.Fit({CreateObject<PricedEstimator>(-1.0)}, 1),
                          "the method \"priced\" has no forecast of its cost, so that a budget "
                          "cannot include it: leave it out of the methods, or run it without a "
                          "budget");
    const auto lines = forecast.Describe(
        {CreateObject<PricedEstimator>(5.0, true), CreateObject<PricedEstimator>(6.0)});
    NS_TEST_ASSERT_MSG_EQ(lines.size(), 4, "scenario, two methods, a remark");
    NS_TEST_EXPECT_MSG_EQ(lines[1], "forecast: priced-truth: 10 s, the truth", "truth");
    NS_TEST_EXPECT_MSG_EQ(lines[2], "forecast: priced: 12 s, error not measured", "other");
    NS_TEST_EXPECT_MSG_EQ(lines[3],
                          "forecast: priced-truth is as cheap as priced here: take priced-truth",
                          "remark");
    NS_TEST_EXPECT_MSG_EQ(forecast.Describe(methods).size(), 4, "no remark");
    NS_TEST_EXPECT_MSG_NE(
        forecast.MakeJson({CreateObject<PricedEstimator>(6.0), CreateObject<PricedEstimator>(-1.0)})
            .find("\"methods\": [{\"method\": \"priced\", \"cpu_s\": 12, \"p99_error\": null}, "
                  "{\"method\": \"priced\", \"cpu_s\": null, \"p99_error\": null}]}"),
        std::string::npos,
        "for run.json: " << forecast.MakeJson(methods));
}

/// "auto" takes packets where they are cheap, else the best of the table; its answer is theirs.
DCN_TEST_CASE(AutoTestCase, "the method auto answers as the method that it takes")
{
    const auto scenario = DcnMakeTestScenario(DcnTestWorkload(300));
    const DcnForecast forecast(*scenario);
    const double packet = forecast.Ask(*DcnEstimator::CreateByName("packet")).seconds;
    NS_TEST_ASSERT_MSG_GT(packet, 0, "a cost rule");
    std::string best;
    double least = INFINITY;
    for (const auto& [key, error] : DcnForecast::GetAccuracy())
    {
        if (key.first == forecast.GetRegime() && error.first < least)
        {
            least = error.first;
            best = key.second;
        }
    }
    NS_TEST_ASSERT_MSG_EQ(best.empty(), false, "a figure of the regime");
    for (const std::string cheap : {"5", "0"})
    {
        // with Cheap=0 packets answer only if they cost no more than the best estimator
        const bool isPacket =
            cheap == "5" || packet <= forecast.Ask(*DcnEstimator::CreateByName(best)).seconds;
        const std::string method = isPacket ? "packet" : best;
        const auto answer =
            DcnEstimator::CreateByName("auto:Cheap=" + cheap)->Estimate(scenario);
        Simulator::Destroy();
        const auto alone = DcnEstimator::CreateByName(method)->Estimate(scenario);
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ((answer.fctNs == alone.fctNs), true, "as " << method);
        NS_TEST_EXPECT_MSG_EQ(answer.provenance.find("auto: " + method + ", forecast "), 0, method);
        NS_TEST_EXPECT_MSG_EQ(answer.method, "auto:Cheap=" + cheap, "its own name");
        NS_TEST_EXPECT_MSG_EQ(answer.isGroundTruth, false, "errors may be of it");
    }
    NS_TEST_EXPECT_MSG_NE(
        DcnSentenceOf([&]() {
            DcnEstimator::CreateByName("auto:Budget=0.0000001")->Estimate(scenario);
        }).find("no method fits in the attribute Budget=1e-07"),
        std::string::npos,
        "no budget");
    const auto names = DcnEstimator::GetNames();
    NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), "auto"), 0, "by its name only");
    NS_TEST_EXPECT_MSG_GT(DcnForecast::MeasureSpeed(), 0, "of this machine");
}

/**
 * An incast of N flows of W bytes without marks: (N - 1) times the bytes of a flow wait. In a buffer
 * of B bytes with N + 1 ports a sender is paused from n r + P A / (1 + A) on, packets are lost n h
 * later (DcnBufferRoom). Each method names the link exactly where packets pause or lose.
 */
DCN_TEST_CASE(BufferTestCase, "queues that fill a buffer are named, others are not")
{
    constexpr uint32_t N = 8;
    constexpr double BUFFER = 300'000;
    constexpr double RESERVE = 4096;
    constexpr double HEADROOM = 3750; // 3 x 10 Gb/s x 1 us
    const double shared = BUFFER - (N + 1) * (RESERVE + HEADROOM);
    const double a = N * 0.25;
    const double pauseBytes = N * RESERVE + shared * a / (1 + a);
    for (const uint32_t pfc : {0, 1})
    {
        for (const uint64_t size : {20'000, 27'000, 30'000})
        {
            const auto scenario = MakeIncast(
                N,
                size,
                "pfc=" + std::to_string(pfc) +
                    ",buffer_bytes=300000,pfc_alpha_shift=2,window_bytes=30000,"
                    "ecn_kmin_bytes=290000,ecn_kmax_bytes=290000");
            const uint32_t link = scenario->GetPath(0)[1];
            const DcnBufferRoom room(scenario);
            const double most = pfc ? pauseBytes : pauseBytes + N * HEADROOM;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(room.Get(link)), most, 1, "room");
            const double wire = static_cast<double>(size) + 48 * std::ceil(size / 1000.0);
            const bool isFull = (N - 1) * wire >= most;
            const std::string what = std::to_string(size) + " bytes, pfc " + std::to_string(pfc);
            const uint64_t burst = room.FindBursts()[link];
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(burst), (N - 1) * wire, 2, what);
            const auto truth = DcnEstimator::CreateByName("packet")->Estimate(scenario);
            Simulator::Destroy();
            double events = 0;
            for (const auto& [name, n] : truth.events)
            {
                events += name == (pfc ? "pauses" : "dropped_packets") ? n : 0;
            }
            NS_TEST_EXPECT_MSG_EQ((events > 0), isFull, what << ": packets");
            for (const std::string method :
                 {"parsimon", "parsimon:Clustering=true", "flowsim", "m4", "m3:Model=m3-links"})
            {
                const auto answer = DcnEstimator::CreateByName(method)->Estimate(scenario);
                NS_TEST_ASSERT_MSG_EQ(answer.notModelled.size(), (isFull ? 1 : 0), method << what);
                if (isFull && !answer.notModelled.empty())
                {
                    const std::string& sentence = answer.notModelled.front();
                    NS_TEST_EXPECT_MSG_EQ(
                        sentence.find("queues of 1 link fill the buffer of the switch, most of all "
                                      "link 9->0 with "),
                        0,
                        sentence);
                    NS_TEST_EXPECT_MSG_NE(sentence.find(pfc ? "pauses senders (pfc=1)"
                                                            : "drops packets (pfc=0)"),
                                          std::string::npos,
                                          sentence);
                    NS_TEST_EXPECT_MSG_NE(answer.DescribeWarnings().find(sentence),
                                          std::string::npos,
                                          "on standard error");
                }
            }
        }
    }
}

DcnTestSuite<WorkTestCase, BudgetTestCase, AutoTestCase, BufferTestCase>
    g_dcnForecastTestSuite("dcn-forecast"); //!< the suite

} // namespace
