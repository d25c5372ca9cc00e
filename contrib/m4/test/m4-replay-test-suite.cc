/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/m4-architecture.h"
#include "../model/network/m4-torch-model.h"
#include "../training/m4-replay.h"
#include "dcn-test-case.h"
#include "dcn-test-scenario.h"
#include "m4-test.h"

#include "ns3/dcn-idle-time.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-session.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

/// Flows whose last bytes arrive before any could leave: each leaves as soon as it has started.
DCN_TEST_CASE(InstantTestCase, "flows that use their links for no time")
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    DcnWorkload workload = DcnWorkload::Generate(topology, DcnTestWorkload(3));
    for (auto& flow : workload.flows)
    {
        flow.startNs = 1000; // all at one instant
    }
    M4GroundTruth truth;
    truth.scenario = DcnScenario::CreateWithPaths(topology,
                                                  DcnNetworkConfig::Preset("dctcp"),
                                                  std::move(workload.flows),
                                                  std::move(workload.paths));
    truth.fctNs = {1, 1, 1}; // ns, less than any propagation
    M4Replay replay(truth);
    M4Step step;
    for (int flow = 0; flow < 3; ++flow)
    {
        NS_TEST_ASSERT_MSG_EQ(replay.Next(step), true, "starts");
        NS_TEST_EXPECT_MSG_EQ(step.snapshot.flows.size(), 1, "alone, " << flow);
        NS_TEST_EXPECT_MSG_EQ(step.snapshot.eventRow, 0, "it starts, " << flow);
        NS_TEST_ASSERT_MSG_EQ(replay.Next(step), true, "leaves");
        NS_TEST_EXPECT_MSG_EQ(step.snapshot.flows.size(), 0, "nobody is left, " << flow);
    }
    NS_TEST_EXPECT_MSG_EQ(replay.Next(step), false, "that is all");
    NS_TEST_EXPECT_MSG_EQ(replay.GetNSlots(), 1, "one at a time");
}

/// Labels come with the rows that they belong to, and weigh one per flow.
DCN_TEST_CASE(LabelsTestCase, "events with labels")
{
    M4GroundTruth truth;
    truth.scenario = DcnMakeTestScenario(DcnTestWorkload(300), DcnNetworkConfig::Preset("dcqcn"));
    const auto& flows = truth.scenario->GetFlows();
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        const int64_t ideal = truth.scenario->GetIdealFct(i).GetTotalNs();
        truth.fctNs.push_back(i == 7 ? -1 : ideal * 3);
        // half is left after a third of the time
        truth.remaining.push_back({{flows[i].startNs, 1}, {flows[i].startNs + ideal, 0.5F}});
        if (i != 7)
        {
            truth.remaining.back().push_back({flows[i].startNs + 3 * ideal, 0});
        }
        for (std::size_t hop = 0; hop < truth.scenario->GetPath(i).size(); ++hop)
        {
            truth.queueBytes.push_back(hop == 0 ? -1 : 1000);
        }
    }
    M4Replay replay(truth);
    M4Step step;
    std::vector<double> weights(flows.size(), 0);
    std::vector<float> lasts(flows.size(), 0);
    std::vector<double> remainingWeights(flows.size(), 0);
    std::size_t nUnknown = 0;
    std::size_t nSteps = 0;
    uint32_t highest = 0;
    while (replay.Next(step))
    {
        ++nSteps;
        for (std::size_t row = 0; row < step.flow.size(); ++row)
        {
            weights[step.flow[row]] += step.slowdownWeight[row];
            lasts[step.flow[row]] += step.isLast[row];
            highest = std::max(highest, step.snapshot.flows[row]);
            if (step.slowdownWeight[row] > 0)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(step.logSlowdown[row], std::log(3), 1e-3, "label");
            }
            const uint32_t flow = step.flow[row];
            const double age = static_cast<double>(step.timeNs - flows[flow].startNs) /
                               static_cast<double>(truth.fctNs[flow == 7 ? 6 : flow]) * 3;
            const double left = age < 1 ? 1 - age / 2 : (3 - age) / 4;
            if (flow != 7)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(step.remaining[row], left, 1e-4, "between known values");
                remainingWeights[flow] += step.remainingWeight[row];
            }
            else if (step.remainingWeight[row] == 0)
            {
                ++nUnknown;
            }
        }
        if (step.snapshot.eventRow != M4Snapshot::NO_ROW)
        {
            NS_TEST_EXPECT_MSG_EQ(step.queueWeight[0], 0, "not known");
            NS_TEST_EXPECT_MSG_EQ_TOL(step.queue[1], std::log(2), 1e-6, "1 KB");
            NS_TEST_EXPECT_MSG_EQ_TOL(step.queueWeight[1],
                                      1.0 / static_cast<double>(step.queue.size()),
                                      1e-6,
                                      "one link of all");
        }
        for (const float feature : step.snapshot.flowFeatures)
        {
            NS_TEST_EXPECT_MSG_EQ(std::isfinite(feature), true, "features are numbers");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(nSteps, 2 * flows.size() - 1, "all events; flow 7 never departs");
    // without weight at all events only the last one counts
    M4Replay sparse(truth, M4Architecture(), {}, 0);
    std::vector<uint32_t> nWeighted(flows.size(), 0);
    std::vector<uint32_t> isLast(flows.size(), 0);
    while (sparse.Next(step))
    {
        for (std::size_t row = 0; row < step.flow.size(); ++row)
        {
            nWeighted[step.flow[row]] += step.slowdownWeight[row] > 0 ? 1 : 0;
            isLast[step.flow[row]] = step.slowdownWeight[row] == 1 ? 1 : 0;
        }
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(nWeighted[i], (i == 7 ? 0 : 1), "one event of a flow");
        NS_TEST_EXPECT_MSG_EQ(isLast[i], (i == 7 ? 0 : 1), "the last");
    }
    NS_TEST_EXPECT_MSG_GT(nUnknown, 0, "nothing is known of flow 7 after some time");
    NS_TEST_EXPECT_MSG_EQ(highest + 1, replay.GetNSlots(), "slots");
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(weights[i], (i == 7 ? 0 : 1), 1e-4, "weight of a flow");
        NS_TEST_EXPECT_MSG_EQ(lasts[i], (i == 7 ? 0 : 1), "one last event");
        NS_TEST_EXPECT_MSG_EQ_TOL(remainingWeights[i],
                                  (i == 7 ? 0 : 1),
                                  1e-4,
                                  "of remaining fractions");
    }
}

/// Events of a roll-out are those of the model's own simulation; labels stay.
DCN_TEST_CASE(RolloutTestCase, "events of a roll-out")
{
    const auto truth = M4MakeTestTruth(200, 5);
    const DcnModelFile model = M4DefaultNetwork::MakeUntrained(32);
    M4Replay replay(*truth, M4Architecture(), M4RunEvents(*truth->scenario, model));
    // the same network that sees these events says what it said when it made them
    M4DefaultNetwork network(model, 32);
    network.Begin(truth->scenario->GetTopology().GetNLinks());
    std::vector<float> last(truth->fctNs.size(), 0);
    M4Step step;
    while (replay.Next(step))
    {
        network.Update(step.snapshot);
        const auto& predicted = network.GetLogSlowdowns();
        for (std::size_t row = 0; row < predicted.size(); ++row)
        {
            last[step.flow[row]] = predicted[row];
            NS_TEST_EXPECT_MSG_GT(step.logSlowdown[row], std::log(1.4), "the true label");
        }
    }
    const auto fctNs = M4Run(*truth->scenario, model);
    const DcnIdleTime idle(truth->scenario->GetTopology(), truth->scenario->GetNetwork());
    std::size_t differing = 0;
    std::size_t nIdle = 0;
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        const uint64_t size = truth->scenario->GetFlows()[i].sizeBytes;
        if (fctNs[i] == idle.GetNs(truth->scenario->GetPath(i), size))
        {
            ++nIdle; // it met no other flow, so that no network was asked
            continue;
        }
        const double ideal = static_cast<double>(truth->scenario->GetIdealFct(i).GetTotalNs());
        const double expected = ideal * std::exp(static_cast<double>(last[i]));
        // a flow that should have ended before the event that says so ends later
        differing += std::abs(static_cast<double>(fctNs[i]) - expected) > 2 ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(differing, 0, "as in the simulation");
    NS_TEST_EXPECT_MSG_LT(2 * nIdle, fctNs.size(), "most flows meet others");
}

/// Errors of answers that are a tenth too long, by group.
DCN_TEST_CASE(ErrorsTestCase, "errors by class of size and congestion control")
{
    auto truth = M4MakeTestTruth(300, 7);
    std::vector<int64_t> tenthMore;
    for (int64_t& fct : truth->fctNs)
    {
        fct *= 10;
        tenthMore.push_back(fct / 10 * 11);
    }
    truth->fctNs[3] = -1; // unfinished: counts nowhere
    M4ErrorTable table;
    table.Add(*truth, tenthMore);
    std::size_t ofSizes = 0;
    std::size_t ofDctcp = 0;
    const auto groups = table.GetGroups();
    NS_TEST_ASSERT_MSG_EQ(groups.front().first, "all", "the first");
    NS_TEST_EXPECT_MSG_EQ(groups.front().second.GetNFlows(), 299, "all that finished");
    for (const auto& [name, errors] : groups)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetMean(), 0.1, 1e-9, "|1.1 - 1|");
        NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP90(), 0.1, 1e-9, "of each flow");
        NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetBias(), 0.1, 1e-9, "too long");
        NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP99Error(), 0.1, 1e-9, "so is the tail");
        ofDctcp += name == "dctcp" ? errors.GetNFlows() : 0;
        ofSizes += name == "all" || name == "dctcp" ? 0 : errors.GetNFlows();
    }
    NS_TEST_EXPECT_MSG_EQ(ofSizes, 299, "every flow has one class of size");
    NS_TEST_EXPECT_MSG_EQ(ofDctcp, 299, "and one congestion control");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(groups.front().second.GetCoverage()), true, "no spread");

    // all quantiles of a flow are its true slowdown times 1.2: the residual is -ln 1.2 at each
    // level
    M4SpreadTable spread;
    spread.Reset(truth->fctNs.size());
    for (std::size_t i = 0; i < truth->fctNs.size(); ++i)
    {
        const auto ideal = static_cast<double>(truth->scenario->GetIdealFct(i).GetTotalNs());
        const double slowdown = std::max(1.0, static_cast<double>(truth->fctNs[i]) / ideal);
        spread.Set(i, std::vector<double>(M4Spread::N, 1.2 * slowdown));
    }
    M4Errors errors;
    errors.Add(*truth, tenthMore, &spread);
    double expected = 0;
    for (const float level : M4Spread::LEVELS)
    {
        expected += (1 - static_cast<double>(level)) * std::log(1.2) / M4Spread::N;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetPinball(), expected, 1e-5, "pinball error");
    NS_TEST_EXPECT_MSG_EQ(errors.GetCoverage(), 0, "every interval is too high");
    // p99 lies between other neighbours among 16 slowdowns of each of 299 flows than among 299
    NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP99Bias(), 0.2, 0.01, "p99 of the distributions");
    NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetMean(), 0.1, 1e-9, "single flows by their times");
}

DcnTestSuite<LabelsTestCase, RolloutTestCase, ErrorsTestCase, InstantTestCase> g_m4ReplayTestSuite(
    "m4-replay"); //!< the suite

} // namespace
