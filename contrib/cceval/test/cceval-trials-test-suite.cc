/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/trials/cceval-metric.h"
#include "../model/trials/cceval-phases.h"
#include "../model/trials/cceval-runner.h"
#include "../model/trials/cceval-store.h"
#include "cceval-test-queues.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-result-store.h"
#include "ns3/dcn-scenario-options.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

/// Trials have seeds and traffic of their own, the same for whoever asks.
DCN_TEST_CASE(TrafficTestCase, "traffic of trials")
{
    std::set<uint64_t> seeds;
    for (const uint64_t base : {0, 1, 1023})
    {
        for (const auto stage :
             {CcevalStage::TRIALS, CcevalStage::CONTROLS, CcevalStage::TUNING, CcevalStage::TILTED})
        {
            for (const uint64_t run : {uint64_t(0), uint64_t(1), CCEVAL_MAX_RUNS - 1})
            {
                seeds.insert(CcevalSeed(base, stage, run));
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(seeds.size(), 36, "different seeds");
    NS_TEST_EXPECT_MSG_LT(*seeds.rbegin(), uint64_t(1) << 32, "32 bits");
    DCN_TEST_EXPECT_ERROR(CcevalSeed(1024, CcevalStage::TRIALS, 0),
                          "the seed of an evaluation must be at most 1023, but it is 1024");
    DCN_TEST_EXPECT_ERROR(CcevalSeed(1, CcevalStage::TRIALS, CCEVAL_MAX_RUNS),
                          "an evaluation has at most 1048576 trials");

    DcnDumbbellParameters dumbbell;
    dumbbell.senders = dumbbell.receivers = 2;
    Ptr<DcnTopology> topology = DcnBuildTopology(dumbbell);
    DcnWorkloadSpec spec;
    spec.sizes = "web-search";
    spec.nFlows = 0;
    spec.durationNs = 20'000'000;
    const CcevalTraffic traffic(topology, spec);
    const auto one = traffic.Draw(7);
    const auto again = traffic.Draw(7);
    NS_TEST_EXPECT_MSG_EQ(one.flows.size(), again.flows.size(), "the same");
    NS_TEST_EXPECT_MSG_EQ((one.scores == again.scores), true, "the same");
    NS_TEST_EXPECT_MSG_EQ((one.scores == traffic.Draw(8).scores), false, "another");
    // a proposal changes the sizes that it takes, and nothing else
    const auto tilted = traffic.Draw(7, {0.5, 2, 0.5});
    int changed = 0;
    for (std::size_t i = 0; i < one.flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(tilted.flows[i].startNs, one.flows[i].startNs, "start");
        NS_TEST_EXPECT_MSG_EQ(tilted.flows[i].dst, one.flows[i].dst, "destination");
        const bool same = tilted.scores[i] == one.scores[i];
        NS_TEST_EXPECT_MSG_EQ(same, (tilted.flows[i].sizeBytes == one.flows[i].sizeBytes), "size");
        changed += same ? 0 : 1;
    }
    NS_TEST_EXPECT_MSG_GT(changed, 0, "some are changed");
    NS_TEST_EXPECT_MSG_LT(changed, static_cast<int>(one.flows.size()), "not all");
    // the number of flows is 1 + Poisson(duration / gap), and load = sizes / gaps
    double flows = 0;
    constexpr int N = 300;
    for (int i = 0; i < N; ++i)
    {
        flows += static_cast<double>(traffic.Draw(100 + i).flows.size()) / N;
    }
    const double expected = traffic.GetExpectedFlows();
    NS_TEST_EXPECT_MSG_EQ_TOL(flows, expected, 4 * std::sqrt(expected / N), "number of flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(expected,
                              1 + 2e7 / traffic.GetMeanGapNs(),
                              1e-9,
                              "1 + duration / gap");
    // what tells a configuration: wiring, delays and what is in files, not their names alone
    const std::string matrix = CreateTempDirFilename("matrix.csv");
    auto describe = [&](int64_t delayUs, const std::string& rows) {
        std::ofstream(matrix) << rows;
        dumbbell.linkDelay = MicroSeconds(delayUs);
        DcnWorkloadSpec named = spec;
        named.matrix = matrix;
        return CcevalTraffic(DcnBuildTopology(dumbbell), named).Describe();
    };
    const std::string before = describe(1, "0,1\n1,0\n");
    NS_TEST_EXPECT_MSG_EQ(describe(1, "0,1\n1,0\n"), before, "the same");
    NS_TEST_EXPECT_MSG_NE(describe(2, "0,1\n1,0\n"), before, "other delays");
    NS_TEST_EXPECT_MSG_NE(describe(1, "0,1\n1,1\n"), before, "another file of the same name");
    spec.perSource = true;
    DCN_TEST_EXPECT_ERROR(CcevalTraffic(topology, spec),
                          "the traffic of trials has one arrival process, no cap on sizes and "
                          "starts at 0");
}

DCN_TEST_CASE(PhasesTestCase, "warm-up, stable phase and cool-down")
{
    // under way: 1 from 0, 2 from 10, 3 from 20 to 40, 2 to 90, 3 to 95, 2 to 100; 2.23 on
    // average
    std::vector<DcnFlow> flows;
    for (const int64_t start : {0, 10, 20, 90, 100})
    {
        flows.push_back({flows.size(), 0, 1, 1, start});
    }
    const CcevalPhases phases(flows, {95, 100, 20, 30, 10});
    NS_TEST_EXPECT_MSG_EQ(phases.GetWarmUpEndNs(), 20, "average reached");
    const CcevalPhase expected[] = {CcevalPhase::WARM_UP,
                                    CcevalPhase::WARM_UP,
                                    CcevalPhase::STABLE,
                                    CcevalPhase::COOL_DOWN,
                                    CcevalPhase::COOL_DOWN};
    for (std::size_t i = 0; i < 5; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((phases.Get(i) == expected[i]), true, "flow " << i);
    }
    const auto shares = phases.GetShares();
    NS_TEST_EXPECT_MSG_EQ_TOL(shares[0], 0.4, 1e-12, "warm-up");
    NS_TEST_EXPECT_MSG_EQ_TOL(shares[1], 0.2, 1e-12, "stable");
    NS_TEST_EXPECT_MSG_EQ_TOL(shares[2], 0.4, 1e-12, "cool-down");
}

DCN_TEST_CASE(MetricTestCase, "metrics")
{
    const auto metric = CcevalMetric::Parse("pooled_p99.9_slowdown@10-50KB");
    NS_TEST_EXPECT_MSG_EQ((metric.pooled && metric.slowdown && !metric.mean), true, "kind");
    NS_TEST_EXPECT_MSG_EQ_TOL(metric.probability, 0.999, 1e-12, "p");
    NS_TEST_EXPECT_MSG_EQ(metric.sizeClass.Contains(10000), true, "lower end");
    NS_TEST_EXPECT_MSG_EQ(metric.sizeClass.Contains(50000), false, "upper end");
    NS_TEST_EXPECT_MSG_EQ(CcevalMetric::Parse("mean_fct@>10MB").sizeClass.lowerBytes, 1e7, "MB");
    NS_TEST_EXPECT_MSG_EQ(CcevalMetric::Parse("mean_fct@<500B").sizeClass.upperBytes, 500, "B");
    for (const std::string bad : {"p99",
                                  "p100_fct",
                                  "p0_fct",
                                  "q99_fct",
                                  "p99_time",
                                  "p99_fct@10",
                                  "p99_fct@50-10KB",
                                  "pooled_mean_fct",
                                  "p99_fct@<10GB",
                                  ""})
    {
        DCN_TEST_EXPECT_ERROR(CcevalMetric::Parse(bad),
                              "the metric \"" + bad +
                                  "\" is not of the form p99_fct, mean_slowdown, p50_fct@>10MB "
                                  "or pooled_p99.9_fct@<10KB");
    }
    DCN_TEST_EXPECT_ERROR(CcevalParseTrim("all"),
                          "--trim must be none, warm-up or phases, but it is \"all\"");

    const CcevalTraffic traffic = CcevalToyTraffic(20, 0.3, "web-search");
    const auto trace = traffic.Draw(5);
    auto scenario = traffic.MakeScenario(trace, DcnNetworkConfig::Preset("dctcp"));
    CcevalOutcome outcome;
    std::vector<double> times;
    for (std::size_t i = 0; i < trace.flows.size(); ++i)
    {
        outcome.fctNs.push_back(2 * scenario->GetIdealFct(i).GetTotalNs());
        times.push_back(static_cast<double>(outcome.fctNs.back()) / 1000);
    }
    auto evaluate = [&](const std::string& name, CcevalTrim trim) {
        const auto each = CcevalMetric::Parse(name);
        return each.Evaluate(each.GetValues(*scenario, outcome, trim), 4, 5);
    };
    std::sort(times.begin(), times.end());
    NS_TEST_EXPECT_MSG_EQ_TOL(evaluate("p90_fct", CcevalTrim::NONE),
                              DcnQuantile(times, 0.9),
                              1e-9 * times.back(),
                              "p90");
    NS_TEST_EXPECT_MSG_EQ_TOL(evaluate("mean_fct", CcevalTrim::NONE), DcnMean(times), 1e-6, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(evaluate("p99_slowdown", CcevalTrim::NONE), 2, 1e-9, "slowdown");
    const CcevalPhases phases(scenario->GetFlows(), outcome.fctNs);
    std::size_t stable = 0;
    for (std::size_t i = 0; i < 20; ++i)
    {
        stable += phases.Get(i) == CcevalPhase::STABLE ? 1 : 0;
    }
    const auto all = CcevalMetric::Parse("p50_fct");
    NS_TEST_EXPECT_MSG_EQ(all.GetValues(*scenario, outcome, CcevalTrim::PHASES).size(),
                          stable,
                          "trimmed");
    DCN_TEST_EXPECT_ERROR(evaluate("p99_fct@>1000MB", CcevalTrim::NONE),
                          "trial 4 (seed 5) has no flow in the size class >1000MB, so "
                          "p99_fct@>1000MB is not defined there; take longer trials, or the "
                          "pooled quantile");
    outcome.fctNs.clear();
    outcome.samples = {{3, 100, 1, 2000}, {5, 100, 1, 4000}, {7, 1000000, 8, 9e5}};
    NS_TEST_EXPECT_MSG_EQ_TOL(evaluate("mean_slowdown@<1KB", CcevalTrim::NONE),
                              4,
                              1e-12,
                              "samples");
    NS_TEST_EXPECT_MSG_EQ_TOL(evaluate("mean_fct@<1KB", CcevalTrim::NONE),
                              (3 * 2000 + 5 * 4000) / 2 / 1000.0,
                              1e-12,
                              "slowdowns times ideal times, in us");
    DCN_TEST_EXPECT_ERROR(evaluate("p99_fct", CcevalTrim::WARM_UP),
                          "the method answers with slowdowns of samples of the flows, so p99_fct "
                          "cannot be trimmed");
}

/// Answers in a store come back, and belong to one configuration.
DCN_TEST_CASE(StoreTestCase, "stores of trials")
{
    const std::string path = CreateTempDirFilename("trials.db");
    const std::map<std::string, std::string> keys{{"traffic", "a b=1"}, {"estimator", "x"}};
    CcevalOutcome done;
    done.fctNs = {5, 77, 123456789012};
    done.wallSeconds = 0.25;
    done.cpuSeconds = 1.0 / 3;
    done.answeredBy = "packet:Seed=2";
    CcevalOutcome failed;
    failed.failure = "something, and more";
    CcevalOutcome samples;
    samples.samples = {{1.25, 1000, 1, 5000}, {1.0 / 3, 7, 0.5, 2.0 / 3}};
    const std::vector<CcevalStore::Line> lines{{3, CcevalStore::Write(done)},
                                               {1, CcevalStore::Write(failed)},
                                               {2, CcevalStore::Write(samples)}};
    auto check = [&](const CcevalStore& store) {
        NS_TEST_EXPECT_MSG_EQ((store.Find(3)->fctNs == done.fctNs), true, "times");
        NS_TEST_EXPECT_MSG_EQ(store.Find(3)->cpuSeconds, 1.0 / 3, "cost, to the last bit");
        NS_TEST_EXPECT_MSG_EQ(store.Find(3)->answeredBy, "packet:Seed=2", "who answered");
        NS_TEST_EXPECT_MSG_EQ(store.Find(1)->failure, "something; and more", "failure");
        NS_TEST_EXPECT_MSG_EQ(store.Find(2)->samples[1].slowdown, 1.0 / 3, "to the last bit");
        NS_TEST_EXPECT_MSG_EQ(store.Find(2)->samples[1].idealNs, 2.0 / 3, "to the last bit");
        NS_TEST_EXPECT_MSG_EQ((store.Find(0) == nullptr), true, "not there");
        NS_TEST_EXPECT_MSG_EQ(store.GetN(), 3, "answers");
    };
    CcevalStore memory("", keys);
    memory.Add(lines);
    check(memory);
    {
        CcevalStore store(path, keys);
        store.Add(lines);
        check(store);
    }
    check(CcevalStore(path, keys));
    // what another store of the same file adds is found, too; the first answer stays
    CcevalStore one(path, keys);
    CcevalStore other(path, keys);
    NS_TEST_EXPECT_MSG_EQ((one.Find(7) == nullptr), true, "not yet");
    other.Add({{7, CcevalStore::Write(done)}});
    one.Add({{7, CcevalStore::Write(failed)}});
    NS_TEST_EXPECT_MSG_EQ((one.Find(7)->failure.empty() && other.Find(7)->failure.empty()),
                          true,
                          "the answer of the first to add one");
    auto others = keys;
    others["estimator"] = "y";
    DCN_TEST_EXPECT_ERROR(CcevalStore(path, others),
                          path + ": the results are those of another experiment: estimator is "
                                 "\"x\" there and \"y\" here; remove the file or name "
                                 "another one");
    DcnResultStore(path, keys).Add({{"0000009", "done,0.1,fct_ns,12"}});
    DCN_TEST_EXPECT_ERROR(CcevalStore(path, keys).Find(9),
                          path + ": trial 9 is no record of a trial: \"done,0.1,fct_ns,12\"; "
                                 "remove the file");
    // a store of release 0.1, whose trials may be another method's without saying so
    const std::string old = CreateTempDirFilename("old");
    std::ofstream(old + ".csv") << "# dcn-cceval trials, format 1\n# estimator: x\n";
    DCN_TEST_EXPECT_ERROR(CcevalStore(old + ".db", keys),
                          old + ".csv: this store of trials has a format of dcn 0.1, which is "
                                "no longer read; remove the file or name another folder with "
                                "--store");
}

/// The runner: any number of processes gives the same; what is there is not run again.
DCN_TEST_CASE(RunnerTestCase, "runner of trials")
{
    const CcevalTraffic traffic = CcevalToyTraffic(10, 0.3, "web-search");
    auto draw = [&](uint64_t run) { return traffic.Draw(CcevalSeed(1, CcevalStage::TRIALS, run)); };
    const std::string calls = CreateTempDirFilename("calls");
    auto simulate = [calls](const CcevalTrace& trace) {
        std::ofstream(calls, std::ios::app) << '.'; // in the process of the trial
        CcevalTiltedTrial trial;
        trial.trace = trace;
        CcevalToySimulate(trial, true);
        CcevalOutcome outcome;
        outcome.fctNs = trial.fctNs;
        outcome.wallSeconds = 0.05;
        outcome.failure = trace.seed % 7 == 0 ? "by design" : "";
        return outcome;
    };
    auto countCalls = [&]() {
        return std::filesystem::exists(calls) ? std::filesystem::file_size(calls) : 0;
    };
    const std::string path = CreateTempDirFilename("runner.db");
    CcevalRunner one(draw, simulate, CcevalStore("", {}), 1);
    one.Run(25);
    NS_TEST_EXPECT_MSG_EQ(countCalls(), 25, "one call per trial");
    {
        CcevalRunner three(draw, simulate, CcevalStore(path, {}), 3);
        three.Run(12); // interrupted after these
    }
    CcevalRunner rest(draw, simulate, CcevalStore(path, {}), 2);
    rest.Run(25);
    NS_TEST_EXPECT_MSG_EQ(countCalls(), 50, "nothing is run again");
    for (uint64_t run = 0; run < 25; ++run)
    {
        NS_TEST_EXPECT_MSG_EQ((one.Get(run).fctNs == rest.Get(run).fctNs), true, "trial " << run);
        const uint64_t seed = CcevalSeed(1, CcevalStage::TRIALS, run);
        NS_TEST_EXPECT_MSG_EQ(rest.Get(run).failure,
                              std::string(seed % 7 == 0 ? "by design" : ""),
                              "failure");
    }
    // another first trial: the same answers under the same numbers
    CcevalRunner later(draw, simulate, CcevalStore(path, {}), 1, 20);
    later.Run(10);
    NS_TEST_EXPECT_MSG_EQ(countCalls(), 55, "trials 25 to 29");
    NS_TEST_EXPECT_MSG_EQ((later.Get(24).fctNs == one.Get(24).fctNs), true, "trial 24");
    NS_TEST_EXPECT_MSG_EQ_TOL(later.GetCpuSeconds(10), 0, 1e-12, "of trials 20 to 29");
    DCN_TEST_EXPECT_ERROR(CcevalRunner(draw, simulate, CcevalStore("", {}), 0),
                          "the number of jobs must be at least 1, but it is 0");
}

/// The parts of a scenario that is drawn again and again, from the command line.
DCN_TEST_CASE(OptionsTestCase, "options of the traffic")
{
    auto parts = [](const std::vector<std::string>& arguments, const std::string& cc) {
        DcnScenarioOptions options;
        CommandLine cmd;
        options.AddTo(cmd);
        std::vector<std::string> all{"program"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        cmd.Parse(all);
        options.GetList("cc");
        return options.CreateParts(cc);
    };
    const auto made =
        parts({"--topology=dumbbell", "--duration=3ms", "--cc=hpcc,timely"}, "timely");
    NS_TEST_EXPECT_MSG_EQ(made.spec.durationNs, 3'000'000, "duration");
    NS_TEST_EXPECT_MSG_EQ(made.spec.nFlows, 0, "no number of flows");
    NS_TEST_EXPECT_MSG_EQ(made.network->congestionControl, "timely", "one of the list");
    NS_TEST_EXPECT_MSG_EQ(parts({"--flows=7"}, "").spec.nFlows, 7, "number of flows");
    DCN_TEST_EXPECT_ERROR(parts({"--flows=7", "--duration=1ms"}, ""),
                          "--flows=7 has no effect with --duration=1ms");
    DCN_TEST_EXPECT_ERROR(parts({"--duration=0ms"}, ""),
                          "--duration must be a time such as 1us, from 1 to 1e+15 ns, a range "
                          "LOW:HIGH or a choice A+B, but it is \"0ms\"");
    DCN_TEST_EXPECT_ERROR(parts({"--scenario=x"}, ""),
                          "--scenario=x has flows of its own, but here flows are drawn again and "
                          "again");
    DCN_TEST_EXPECT_ERROR(parts({"--cc=hpcc,hpcc"}, ""), "--cc names \"hpcc\" twice");
    DCN_TEST_EXPECT_ERROR(parts({"--topology=dumbbell", "--pods=3"}, ""),
                          "--pods=3 has no effect with --topology=dumbbell");
}

DcnTestSuite<OptionsTestCase,
             TrafficTestCase,
             PhasesTestCase,
             MetricTestCase,
             StoreTestCase,
             RunnerTestCase>
    g_ccevalTrialsTestSuite("cceval-trials"); //!< the suite

} // namespace
