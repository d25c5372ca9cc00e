/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/object-base.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief An engine that says what it is given instead of simulating it: the completion time of the
 * flow that is asked for is its ideal one and as many nanoseconds as Answer says.
 *
 * ns3-path adds what the ideal time on the path is shorter than in the network, so that its answer
 * is the ideal time in the network and these nanoseconds. They are few, so that it does not think
 * its window too short.
 */
class PathProbe : public DcnEstimator
{
  public:
    /// Get the type ID. @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::DcnPathProbe")
                .SetParent<DcnEstimator>()
                .SetGroupName("DcnPath")
                .AddConstructor<PathProbe>()
                .AddAttribute("Answer",
                              "Flows: how many there are; Begin: time from the first start to the "
                              "flow's [us]; Bytes: of all other flows, in thousands.",
                              StringValue("Flows"),
                              MakeStringAccessor(&PathProbe::m_answer),
                              MakeStringChecker())
                .AddAttribute("LastFlow",
                              "The flow that is asked for.",
                              UintegerValue(UINT64_MAX),
                              MakeUintegerAccessor(&PathProbe::m_flow),
                              MakeUintegerChecker<uint64_t>());
        return tid;
    }

    std::string GetName() const override
    {
        return "test-path-probe";
    }

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override
    {
        const auto& flows = scenario->GetFlows();
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            estimate.fctNs[i] = scenario->GetIdealFct(i).GetTotalNs();
            if (i != m_flow)
            {
                continue;
            }
            if (m_answer == "Flows")
            {
                estimate.fctNs[i] += static_cast<int64_t>(flows.size());
            }
            if (m_answer == "Begin")
            {
                estimate.fctNs[i] += (flows[i].startNs - flows.front().startNs) / 1000;
            }
            for (std::size_t j = 0; m_answer == "Bytes" && j < flows.size(); ++j)
            {
                estimate.fctNs[i] += j == i ? 0 : static_cast<int64_t>(flows[j].sizeBytes / 1000);
            }
        }
    }

    std::string m_answer; //!< see the attribute
    uint64_t m_flow;      //!< see the attribute
};

NS_OBJECT_ENSURE_REGISTERED(PathProbe);

/// @return them on a rack of six hosts, DCTCP
Ptr<const DcnScenario>
MakeRack(std::vector<DcnFlow> flows)
{
    return DcnScenario::Create(DcnMakeStar(6), DcnNetworkConfig::Preset("dctcp"), std::move(flows));
}

/**
 * @param scenario flows
 * @param id of one of them
 * @param method for DcnEstimator::CreateByName
 * @return what its completion time is above the ideal one [ns]
 */
int64_t
GetDelayNs(Ptr<const DcnScenario> scenario, uint64_t id, const std::string& method)
{
    const DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
    Simulator::Destroy();
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        if (scenario->GetFlows()[i].id == id)
        {
            return estimate.fctNs[i] - scenario->GetIdealFct(i).GetTotalNs();
        }
    }
    return -1;
}

/// @return ns3-path with the probe in place of packets, for every flow
std::string
MakeProbed(const std::string& answer)
{
    return "ns3-path:NPaths=0:Jobs=1:PreEstimate=flowsim:Engine=test-path-probe/Answer=" + answer;
}

const std::string PACKETS = "ns3-path:NPaths=0:Jobs=1:PreEstimate=flowsim"; //!< as shipped

/**
 * @brief Of a flow that starts after a long one, a part of time is simulated, which begins where
 * the path is uncontended.
 *
 * Flow 0 (0 to 1, 40 MB) is under way from 0 to 33.5 ms (1048 bytes on the wire for 1000). Flow 1
 * (2 to 1) has ended before the foreground, flow 2 (3 to 1, 1000 bytes), starts.
 */
DCN_TEST_CASE(WindowTestCase,
              "what is simulated of a flow: other flows, their sizes, and the begin")
{
    constexpr int64_t START = 10'000'000;
    const std::vector<DcnFlow> flows{{0, 0, 1, 40'000'000, 0},
                                     {1, 2, 1, 500'000, 1'000'000},
                                     {2, 3, 1, 1000, START}};
    const auto scenario = MakeRack(flows);
    NS_TEST_EXPECT_MSG_EQ(GetDelayNs(scenario, 2, MakeProbed("Flows")),
                          2,
                          "the flow itself and the long one");
    // flow 0 alone fills the link but does not contend for it: 0.5 ms before the start
    NS_TEST_EXPECT_MSG_EQ(GetDelayNs(scenario, 2, MakeProbed("Begin")),
                          500,
                          "where a settled flow is alone");
    // what the host of flow 0 can send from there to the end of the window, 1.5 times the
    // fluid's completion time (some 5 us) and 0.1 ms after the start. It has much more left
    const int64_t kilobytes = GetDelayNs(scenario, 2, MakeProbed("Bytes"));
    NS_TEST_EXPECT_MSG_GT(kilobytes, 749, "0.6 ms at 10 Gb/s: until the end of the window");
    NS_TEST_EXPECT_MSG_LT(kilobytes, 763, "and no more: 0.61 ms");

    // two flows of other hosts contend for the link all the time: the whole warm-up
    auto contended = flows;
    contended[1].sizeBytes = 40'000'000;
    NS_TEST_EXPECT_MSG_EQ(GetDelayNs(MakeRack(contended), 2, MakeProbed("Begin")),
                          2000,
                          "where there is no better time");
    NS_TEST_EXPECT_MSG_EQ(GetDelayNs(MakeRack(contended), 2, MakeProbed("Flows")),
                          3,
                          "both are under way");
}

/**
 * @brief A large flow alone on a link leaves what others have brought to the queue, and a short
 * flow waits for it: the initial queue.
 *
 * Flow 0 (0 to 1, 40 MB) fills the link to host 1. Flow 1 (2 to 1) brings 8 packets, which the
 * window of flow 0 keeps: 18,000 bytes are more than the link and this queue hold. They wait there
 * long after flow 1 has ended, and flow 2 (3 to 1, a packet) waits behind them.
 */
DCN_TEST_CASE(InitialQueueTestCase, "the initial queue, against packets")
{
    const auto scenario = MakeRack(
        {{0, 0, 1, 40'000'000, 0}, {1, 2, 1, 8000, 5'000'000}, {2, 3, 1, 1000, 10'000'000}});
    NS_TEST_EXPECT_MSG_EQ(GetDelayNs(scenario, 2, MakeProbed("Flows")),
                          3,
                          "the flow, the large one and the initial queue");
    const auto truth = static_cast<double>(GetDelayNs(scenario, 2, "packet"));
    NS_TEST_EXPECT_MSG_EQ_TOL(truth / static_cast<double>(DcnSerializationNs(1048, 10 * DCN_GBPS)),
                              8,
                              1,
                              "8 packets, and the rest of another");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(GetDelayNs(scenario, 2, PACKETS)) / truth,
                              1,
                              0.35,
                              "most of them on its path, not none");
}

/**
 * @brief What shares the path is no faster than what shares its other links leaves it.
 *
 * Flow 0 (0 to 1, 1 MB) shares the link to host 1 with flow 1 (2 to 1), which has a third of its
 * host's link, as two more (2 to 3, 2 to 4) use that. So flow 0 has two thirds of the link, and not
 * the half that two flows alone would have.
 */
DCN_TEST_CASE(OffPathTestCase, "off-path cross traffic, against packets")
{
    const auto scenario = MakeRack({{1, 2, 1, 6'000'000, 0},
                                    {2, 2, 3, 6'000'000, 100},
                                    {3, 2, 4, 6'000'000, 200},
                                    {4, 5, 3, 6'000'000, 300},
                                    {0, 0, 1, 1'000'000, 5'000'000}});
    NS_TEST_EXPECT_MSG_EQ(GetDelayNs(scenario, 0, MakeProbed("Flows")),
                          4,
                          "the two flows of the link, and the two at host 2; not theirs");
    const auto truth = static_cast<double>(GetDelayNs(scenario, 0, "packet"));
    // half as long again as alone, 1048 bytes for 1000
    const double alone = 1e6 * 1.048 * 0.8;
    NS_TEST_EXPECT_MSG_EQ_TOL(truth / alone, 0.5, 0.1, "a rate of two thirds");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(GetDelayNs(scenario, 0, PACKETS)) / alone,
                              truth / alone,
                              0.1,
                              "on its path");
}

/// A path with one foreground flow of a finished and one of an unfinished one, and a flow across.
DCN_TEST_CASE(ForegroundTestCase, "slowdowns of the foreground, of flows and of samples")
{
    const auto whole = MakeRack({{0, 0, 1, 50'000, 0},
                                 {1, 0, 1, 20'000, 100},
                                 {2, 2, 1, 70'000, 200},
                                 {3, 3, 4, 10'000, 300}});
    const DcnPathIndex pathIndex(whole);
    const uint32_t path = pathIndex.GetPathOf(0);
    const DcnPathScenario local = DcnPathScenarioBuilder(pathIndex, DcnPathHosts::HOST)
                                      .Build(path, DcnFindPathTraffic(pathIndex, path, true));
    NS_TEST_ASSERT_MSG_EQ(local.scenario->GetFlows().size(), 3, "flows at the path");
    const auto idealNs = [&local](std::size_t flow) {
        return local.scenario->GetIdealFct(flow).GetTotalNs();
    };
    DcnEstimate estimate;
    estimate.fctNs = {3 * idealNs(0), DcnEstimate::UNFINISHED, 5 * idealNs(2)};
    using Slowdowns = std::vector<std::pair<double, double>>;
    NS_TEST_EXPECT_MSG_EQ((local.GetForegroundSlowdowns(estimate) == Slowdowns{{3, 1}}),
                          true,
                          "the first flow finished");
    // a method such as m3 has no times of flows, but samples, here one of the background, too
    const DcnFlow& own = local.scenario->GetFlows()[0];
    const DcnFlow& across = local.scenario->GetFlows()[2];
    estimate.fctNs.assign(3, DcnEstimate::UNFINISHED);
    estimate.samples = {{2.5, 50'000, 0.5, own.src, own.dst},
                        {1.5, 20'000, 2, own.src, own.dst},
                        {9, 70'000, 1, across.src, across.dst}};
    NS_TEST_EXPECT_MSG_EQ(
        (local.GetForegroundSlowdowns(estimate) == Slowdowns{{1.5, 2}, {2.5, 0.5}}),
        true,
        "samples of the foreground, ascending");
}

/// The rules of ns3-path at work where each of them matters.
DcnTestSuite<WindowTestCase, InitialQueueTestCase, OffPathTestCase, ForegroundTestCase>
    g_dcnPathRulesTestSuite("dcn-path-rules");

} // namespace
