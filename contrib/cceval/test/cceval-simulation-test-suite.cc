/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/trials/cceval-trial-set.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/cceval-evaluation.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * A simulation of a program's own: an M/M/1 queue of ns-3 events, one after the other.
 * @param seed of the trial
 * @return 50 flows with exponential times in the system
 */
CcevalOwnTrial
Simulate(uint64_t seed)
{
    auto gaps = CreateObject<ExponentialRandomVariable>(); // streams as ns-3 numbers them
    auto sizes = CreateObject<ExponentialRandomVariable>();
    std::vector<DcnFlow> flows;
    CcevalOwnTrial trial;
    int64_t freeNs = 0;
    // differs from trial to trial if one process runs several
    const auto offset = static_cast<int64_t>(1000 * Create<Packet>()->GetUid());
    for (uint64_t i = 0; i < 50; ++i)
    {
        Simulator::Schedule(NanoSeconds(std::llround(20'000 * gaps->GetValue())), []() {});
        Simulator::Run();
        const auto bytes = static_cast<uint64_t>(std::llround(1000 + 10'000 * sizes->GetValue()));
        const int64_t nowNs = Simulator::Now().GetNanoSeconds();
        freeNs = std::max(freeNs, nowNs) + static_cast<int64_t>(bytes);
        flows.push_back({i, 0, 2, bytes, nowNs});
        trial.fctNs.push_back(freeNs - nowNs + offset);
    }
    Simulator::Destroy();
    if (RngSeedManager::GetRun() != seed)
    {
        DcnFail("the run number is not the seed");
    }
    trial.scenario = DcnMakeDumbbellScenario(flows);
    return trial;
}

/// @return the trials of a fixed number as text
std::string
RunTrials(const CcevalRequest& request, std::vector<CcevalResult>& results)
{
    CcevalEvaluation evaluation("queue", Simulate, 7, request);
    results = evaluation.Run();
    std::ostringstream text;
    for (const CcevalTrial& trial : evaluation.GetTrials())
    {
        text << trial.run << ' ' << trial.seed << ' ' << trial.flows;
        text.precision(17);
        for (const double value : trial.values)
        {
            text << ' ' << value;
        }
        text << '\n';
    }
    return text.str();
}

DCN_TEST_CASE(TrialsTestCase, "trials are calls of a function, whatever the number of processes")
{
    CcevalRequest request;
    request.metrics = {"p99_fct", "mean_slowdown", "pooled_p90_fct", "mean_fct@>10KB"};
    request.estimator = "queue";
    request.trials = 12;
    std::vector<CcevalResult> results;
    const std::string text = RunTrials(request, results);
    request.farm = 3;
    std::vector<CcevalResult> others;
    NS_TEST_EXPECT_MSG_EQ(RunTrials(request, others), text, "three processes at a time");
    NS_TEST_ASSERT_MSG_EQ(results.size(), 4, "metrics");
    NS_TEST_EXPECT_MSG_EQ(text.substr(0, text.find(' ', 2)),
                          "0 " + std::to_string(7ULL << 22),
                          "number and seed of the first trial");
    for (const CcevalResult& result : results)
    {
        NS_TEST_EXPECT_MSG_EQ(result.trials, 12, result.metric);
        NS_TEST_EXPECT_MSG_EQ((result.interval.low < result.interval.estimate &&
                               result.interval.estimate < result.interval.high),
                              true,
                              result.metric << ": " << result.interval.estimate);
    }
}

DCN_TEST_CASE(ValueTestCase, "metrics of known flows; stored trials; failures")
{
    // two flows: 10 us and 30 us for 1000 and 20000 bytes
    uint64_t nRun = 0;
    const auto simulate = [&nRun](uint64_t seed) {
        ++nRun; // in this process none
        CcevalOwnTrial trial;
        trial.scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1'000, 0}, {1, 1, 3, 20'000, 500}});
        trial.fctNs = {10'000, 30'000 + static_cast<int64_t>(seed % 16) * 1'000};
        if (seed % 16 == 3)
        {
            DcnFail("no answer");
        }
        if (seed % 16 == 4)
        {
            trial.fctNs[0] = DcnEstimate::UNFINISHED;
        }
        if (seed % 16 == 5)
        {
            trial.fctNs.pop_back();
        }
        return trial;
    };
    CcevalRequest request;
    request.metrics = {"mean_fct", "mean_fct@<10KB", "p50_slowdown@>10KB"};
    request.trials = 8;
    request.estimator = "two flows";
    request.folder = CreateTempDirFilename("store");
    DcnMakeFolder(request.folder);
    std::vector<CcevalResult> results = CcevalEvaluation("two", simulate, 0, request).Run();
    NS_TEST_EXPECT_MSG_EQ(nRun, 0, "each trial has a process of its own");
    NS_TEST_EXPECT_MSG_EQ(results[0].failed, 3, "failures");
    NS_TEST_EXPECT_MSG_EQ((results[0].note.find("no answer") != std::string::npos),
                          true,
                          results[0].note);
    // trials 0, 1, 2, 6, 7: (10 + 30 + s) / 2
    NS_TEST_EXPECT_MSG_EQ_TOL(results[0].interval.estimate, (40 + 16.0 / 5) / 2, 1e-9, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(results[1].interval.estimate, 10, 1e-9, "mean of small flows");
    const double ideal = static_cast<double>(simulate(0).scenario->GetIdealFct(1).GetTotalNs());
    NS_TEST_EXPECT_MSG_EQ_TOL(results[2].interval.estimate,
                              (30'000 + 1000 * 16.0 / 5) / ideal,
                              1e-9,
                              "slowdown of the large flow");
    // stored trials are not run again: this function would fail
    const auto none = [](uint64_t) -> CcevalOwnTrial { DcnFail("was run again"); };
    const auto again = CcevalEvaluation("two", none, 0, request).Run();
    NS_TEST_EXPECT_MSG_EQ(again[0].interval.estimate, results[0].interval.estimate, "stored");
    request.estimator = "other flows";
    const std::string sentence =
        DcnSentenceOf([&]() { CcevalEvaluation("two", none, 0, request).Run(); });
    NS_TEST_EXPECT_MSG_EQ((sentence.find("two flows") != std::string::npos), true, sentence);

    request.folder.clear();
    // models of estimators are looked for before the first trial, too
    request.estimator = "m4:Model=nowhere";
    DCN_TEST_EXPECT_ERROR(CcevalEvaluation("dctcp",
                                           DcnMakeDumbbell(2, 2),
                                           DcnTestWorkload(10),
                                           DcnNetworkConfig::Preset("dctcp"),
                                           request),
                          "the method \"m4:Model=nowhere\" needs nowhere, which does not exist");
    request.method = "importance";
    DCN_TEST_EXPECT_ERROR(CcevalEvaluation("two", none, 0, request),
                          "the method importance draws the flows of trials by itself; for a "
                          "simulation of a program's own the method must be model-free");
}

DcnTestSuite<TrialsTestCase, ValueTestCase> g_ccevalSimulationTestSuite(
    "cceval-simulation"); //!< the suite

} // namespace
