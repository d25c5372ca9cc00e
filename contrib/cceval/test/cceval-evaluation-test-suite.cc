/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-test-queues.h"
#include "cceval-test-tools.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/cceval-error-evaluation.h"
#include "ns3/cceval-evaluation.h"
#include "ns3/cceval-report.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-estimator.h"
#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

using namespace ns3;

namespace
{

/// Method "cceval-test-queue": all flows share one queue; for tests of evaluations.
class TestQueueEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::CcevalTestQueueEstimator")
                .SetParent<DcnEstimator>()
                .AddConstructor<TestQueueEstimator>()
                .AddAttribute("Speed",
                              "Rate of the queue in units of 20 Gb/s.",
                              DoubleValue(1),
                              MakeDoubleAccessor(&TestQueueEstimator::m_speed),
                              MakeDoubleChecker<double>(0.1))
                .AddAttribute("Noise",
                              "Standard deviation of what is added to each time, relative to it.",
                              DoubleValue(0),
                              MakeDoubleAccessor(&TestQueueEstimator::m_noise),
                              MakeDoubleChecker<double>(0))
                .AddAttribute("FailEvery",
                              "Leave a flow of every so many seeds unfinished; 0: of none.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&TestQueueEstimator::m_failEvery),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("OtherEvery",
                              "Leave every so many seeds to packets, it says; 0: none.",
                              UintegerValue(0),
                              MakeUintegerAccessor(&TestQueueEstimator::m_otherEvery),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("CountFile",
                              "File that grows by a byte with every call; empty: none.",
                              StringValue(""),
                              MakeStringAccessor(&TestQueueEstimator::m_countFile),
                              MakeStringChecker());
        return tid;
    }

    std::string GetName() const override
    {
        return "cceval-test-queue";
    }

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override
    {
        if (!m_countFile.empty())
        {
            std::ofstream(m_countFile, std::ios::app) << '.';
        }
        std::vector<double> starts;
        std::vector<double> work;
        for (const auto& flow : scenario->GetFlows())
        {
            starts.push_back(static_cast<double>(flow.startNs));
            work.push_back(static_cast<double>(flow.sizeBytes) * 8 / (20 * m_speed));
        }
        const auto times = CcevalToyQueue(starts, work, true);
        auto noise = CreateObject<NormalRandomVariable>();
        DcnRandom(scenario->GetSeed()).Assign(noise, DcnPurpose::TRIAL_VALUES);
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            const double factor = std::max(0.1, 1 + m_noise * noise->GetValue());
            estimate.fctNs[i] = std::llround(std::ceil(times[i] * factor));
        }
        if (m_otherEvery && scenario->GetSeed() % m_otherEvery == 0)
        {
            estimate.answeredBy = "packet";
        }
        if (m_failEvery && scenario->GetSeed() % m_failEvery == 0)
        {
            estimate.fctNs[0] = DcnEstimate::UNFINISHED;
            estimate.unfinished["by design"] = 1;
        }
    }

    double m_speed;          //!< attribute
    double m_noise;          //!< attribute
    uint32_t m_failEvery;    //!< attribute
    uint32_t m_otherEvery;   //!< attribute
    std::string m_countFile; //!< attribute
};

NS_OBJECT_ENSURE_REGISTERED(TestQueueEstimator);

/// Evaluations from end to end, on the queue.
class EvaluationTestCase : public TestCase
{
  public:
    EvaluationTestCase()
        : TestCase("evaluations")
    {
    }

  private:
    /// @return a request for a metric
    static CcevalRequest Request(const std::string& metric)
    {
        CcevalRequest request;
        request.metrics = {metric};
        request.estimator = "cceval-test-queue:Noise=0.1";
        request.control = "cceval-test-queue:Speed=1.1";
        request.controlTraces = 1000;
        request.farm = 2;
        return request;
    }

    void DoRun() override
    {
        const CcevalTraffic traffic = CcevalToyTraffic(45, 0.3, "web-search");
        Ptr<const DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        auto run = [&](const CcevalRequest& request) {
            return CcevalEvaluation("a", traffic, network, request).Run();
        };
        // model-free, two metrics at once; each is converged at its own number of trials
        CcevalRequest request = Request("p50_slowdown");
        request.metrics.push_back("p90_fct");
        request.margin = 0.15;
        request.maxTrials = 400;
        const auto free = run(request);
        NS_TEST_EXPECT_MSG_EQ((free[0].converged && free[1].converged), true, "known");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(free[1].interval.GetHalfWidth(),
                                    0.15 * free[1].interval.estimate,
                                    "margin");
        request.farm = 1;
        // the number of trials is told after 20, at which nothing is known yet
        std::vector<CcevalResult> analyses;
        const auto again =
            CcevalEvaluation("a", traffic, network, request).Run([&](const CcevalResult& analysis) {
                analyses.push_back(analysis);
            });
        NS_TEST_EXPECT_MSG_EQ(analyses.front().trials, 20, "first analysis");
        NS_TEST_EXPECT_MSG_EQ(analyses.front().converged, false, "too early");
        NS_TEST_EXPECT_MSG_EQ((analyses.front().forecast.low <= free[0].trials &&
                               analyses.front().forecast.high >= free[0].trials),
                              true,
                              "band of the trials needed");
        NS_TEST_EXPECT_MSG_EQ(again[1].interval.high, free[1].interval.high, "whatever the jobs");

        // control variates know the same with fewer trials, per-trial and pooled
        for (const std::string name : {"p99_fct", "pooled_p99_fct"})
        {
            CcevalRequest fixed = Request(name);
            fixed.trials = 120;
            fixed.method = "control-variate";
            const auto controlled = run(fixed)[0];
            fixed.method = "model-free";
            fixed.trials = 400;
            const auto plain = run(fixed)[0];
            NS_TEST_EXPECT_MSG_GT(controlled.gain, 2, "gain, " << name);
            const double sigma =
                std::hypot(controlled.interval.GetHalfWidth(), plain.interval.GetHalfWidth()) /
                1.96;
            NS_TEST_EXPECT_MSG_EQ_TOL(controlled.interval.estimate,
                                      plain.interval.estimate,
                                      3.5 * sigma,
                                      name);
            NS_TEST_EXPECT_MSG_LT(controlled.interval.GetHalfWidth(),
                                  2 * plain.interval.GetHalfWidth(),
                                  "half-width, " << name);
            // importance sampling of the pooled quantile
            if (name == "pooled_p99_fct")
            {
                fixed.method = "importance";
                fixed.trials = 300;
                const auto tilted = run(fixed)[0];
                NS_TEST_EXPECT_MSG_EQ((tilted.note.find("plain sampling") == std::string::npos),
                                      true,
                                      tilted.note);
                NS_TEST_EXPECT_MSG_EQ(tilted.answeredBy, "", "by tilted trials");
                NS_TEST_EXPECT_MSG_GT(tilted.gain, 1, "gain of importance sampling");
                const double both =
                    std::hypot(tilted.interval.GetHalfWidth(), plain.interval.GetHalfWidth()) /
                    1.96;
                NS_TEST_EXPECT_MSG_EQ_TOL(tilted.interval.estimate,
                                          plain.interval.estimate,
                                          3.5 * both,
                                          "importance sampling");
                fixed.trials = 20; // too few for the gates
                const auto few = run(fixed)[0];
                NS_TEST_EXPECT_MSG_EQ(
                    (few.note.find(
                         "plain sampling, since the effective sample size of the tail is") !=
                     std::string::npos),
                    true,
                    few.note);
                NS_TEST_EXPECT_MSG_EQ(few.method, "importance", "what was asked");
                NS_TEST_EXPECT_MSG_EQ(few.answeredBy, "model-free", "what answered");
                CheckWritten(few);
                NS_TEST_EXPECT_MSG_GT(few.extraCpuSeconds, 0, "tilted trials were paid for");
                NS_TEST_EXPECT_MSG_LT(few.cpuGain, 1, "in vain");
            }
        }
        // what 50 traces leave of the error is more than 1 %, whatever the number of trials
        CcevalRequest rough = Request("p99_fct");
        rough.metrics.push_back("pooled_p99_fct");
        rough.margin = 0.01;
        rough.method = "control-variate";
        rough.controlTraces = 50;
        for (const auto& result : run(rough))
        {
            NS_TEST_EXPECT_MSG_EQ(result.trials, 100, "more are of no use");
            NS_TEST_EXPECT_MSG_EQ((result.converged || result.forecast.IsReachable()),
                                  false,
                                  "not known");
            NS_TEST_EXPECT_MSG_EQ(
                (result.note.find("more traces are needed, not trials") != std::string::npos),
                true,
                result.note);
        }
        rough.control = "cceval-test-queue:FailEvery=7";
        DCN_TEST_EXPECT_ERROR(
            run(rough),
            "cceval-test-queue:FailEvery=7 does not give the completion time of every flow, "
            "so it cannot be a control");
        // importance sampling runs its pilot and the tilted trials once
        CcevalRequest counted = Request("pooled_p99_fct");
        const std::string file = CreateTempDirFilename("calls");
        counted.estimator = "cceval-test-queue:Noise=0.1:CountFile=" + file;
        counted.method = "importance";
        counted.trials = 300;
        analyses.clear();
        const auto once =
            CcevalEvaluation("a", traffic, network, counted).Run([&](const CcevalResult& analysis) {
                analyses.push_back(analysis);
            })[0];
        NS_TEST_EXPECT_MSG_EQ((once.note.find("plain sampling") == std::string::npos),
                              true,
                              once.note);
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::file_size(file), 400, "100 plain, 300 tilted");
        NS_TEST_ASSERT_MSG_EQ(analyses.size(), 1, "an analysis");
        NS_TEST_EXPECT_MSG_EQ(once.runs.size(), 100, "plain trials, to compare algorithms by");
        NS_TEST_EXPECT_MSG_EQ(analyses.front().forecast.trials, once.forecast.trials, "forecast");
        // failed trials are kept out and counted
        CcevalRequest failing = Request("p99_fct");
        failing.estimator = "cceval-test-queue:FailEvery=10";
        failing.trials = 40;
        const auto partly = run(failing)[0];
        NS_TEST_EXPECT_MSG_EQ(partly.failed, 4, "seeds that 10 divides");
        NS_TEST_EXPECT_MSG_EQ(partly.trials, 36, "the others");
        NS_TEST_EXPECT_MSG_EQ(partly.assured, false, "leaving out failures is a choice");
        const std::string first = "4 trials failed and are excluded, the first: trial 6 (seed "
                                  "4194310) failed: ";
        NS_TEST_EXPECT_MSG_EQ((partly.note.find(first) != std::string::npos), true, partly.note);
        // what the estimator left to another method is said
        failing.estimator = "cceval-test-queue:OtherEvery=10";
        const auto others = run(failing)[0];
        NS_TEST_EXPECT_MSG_EQ(others.trials, 40, "all of them");
        NS_TEST_EXPECT_MSG_EQ(
            (others.note.find("4 of 40 trials were answered by packet, not by "
                              "cceval-test-queue:OtherEvery=10") != std::string::npos),
            true,
            others.note);
        CheckOthers(others, "4", "packet", "");
        failing.estimator = "cceval-test-queue:OtherEvery=1";
        CheckOthers(run(failing)[0], "40", "packet", "packet");
        failing.estimator = "cceval-test-queue";
        CheckOthers(run(failing)[0], "0", "", "");
        OthersOfUsed(traffic, network);
        // zero variance
        const CcevalTraffic constant = CcevalToyTraffic(1, 0.3, "constant:1000");
        CcevalRequest equal = Request("p99_fct");
        equal.estimator = "cceval-test-queue";
        equal.trials = 30;
        const auto same = CcevalEvaluation("a", constant, network, equal).Run()[0];
        NS_TEST_EXPECT_MSG_EQ(same.note,
                              "all trials are equal: zero variance does not bound the error",
                              "zero variance");
        Completeness();
        Failures(traffic, network);
        Repetitions(traffic, network);
        ErrorsOfMethods(traffic, network);
        Errors(traffic, network);
    }

    /**
     * @param result what is known of a metric
     * @return its row of cceval.csv: cells by the names of the columns; empty if they do not match
     */
    std::map<std::string, std::string> Write(const CcevalResult& result)
    {
        CcevalReport report({result.metric}, 0.95);
        report.Add({result}, "");
        const std::string folder = CreateTempDirFilename("report");
        DcnMakeFolder(folder);
        report.Write(folder);
        DcnCsvReader csv(folder + "/cceval.csv", {});
        csv.FetchRow();
        std::vector<std::string> columns;
        for (std::size_t i = 0; i < csv.GetNColumns(); ++i)
        {
            columns.push_back(csv.GetText(i));
        }
        std::map<std::string, std::string> cells;
        if (csv.FetchRow() && csv.GetNColumns() == columns.size())
        {
            for (std::size_t i = 0; i < columns.size(); ++i)
            {
                cells[columns[i]] = csv.GetText(i);
            }
        }
        return cells;
    }

    /// A fallback is marked in cceval.csv, and has no gain of the method.
    void CheckWritten(const CcevalResult& fallback)
    {
        auto cells = Write(fallback);
        NS_TEST_ASSERT_MSG_EQ(cells.count("answered_by"), 1, "column");
        NS_TEST_EXPECT_MSG_EQ(cells["method"], "importance", "asked");
        NS_TEST_EXPECT_MSG_EQ(cells["answered_by"], "model-free", "answered");
        NS_TEST_EXPECT_MSG_EQ(cells["gain"], "nan", "no gain");
        NS_TEST_EXPECT_MSG_EQ(cells["cpu_gain"], "nan", "no gain");
        NS_TEST_EXPECT_MSG_EQ(cells["trials"], std::to_string(fallback.trials), "the same cells");
    }

    /// What the estimator left to another method is in cceval.csv: how often, to which, if always.
    void CheckOthers(const CcevalResult& result,
                     const std::string& others,
                     const std::string& othersBy,
                     const std::string& answeredBy)
    {
        auto cells = Write(result);
        NS_TEST_ASSERT_MSG_EQ((cells.count("others") + cells.count("others_by")), 2, "columns");
        NS_TEST_EXPECT_MSG_EQ(cells["others"], others, "number");
        NS_TEST_EXPECT_MSG_EQ(cells["others_by"], othersBy, "name");
        NS_TEST_EXPECT_MSG_EQ(cells["answered_by"], answeredBy, "all of them, or none");
    }

    /// Only the trials that the interval is of are counted.
    void OthersOfUsed(const CcevalTraffic& traffic, Ptr<const DcnNetworkConfig> network)
    {
        // one of two metrics is known before the trials end that the other one needs
        CcevalRequest request = Request("p50_slowdown");
        request.metrics.push_back("p90_fct");
        request.estimator = "cceval-test-queue:OtherEvery=1";
        request.margin = 0.05;
        request.maxTrials = 2000;
        const auto both = CcevalEvaluation("a", traffic, network, request).Run();
        NS_TEST_EXPECT_MSG_NE(both[0].trials, both[1].trials, "one stops at fewer");
        NS_TEST_EXPECT_MSG_EQ(both[0].others, both[0].trials, "of those used");
        NS_TEST_EXPECT_MSG_EQ(both[1].others, both[1].trials, "of those used");
        // of importance sampling the tilted ones, which have seeds of their own
        CcevalRequest importance = Request("pooled_p99_fct");
        importance.method = "importance";
        importance.trials = 300;
        importance.estimator = "cceval-test-queue:OtherEvery=10";
        const auto tilted = CcevalEvaluation("a", traffic, network, importance).Run()[0];
        NS_TEST_ASSERT_MSG_EQ(tilted.answeredBy, "", "by tilted trials");
        NS_TEST_EXPECT_MSG_EQ(tilted.others, 30, "seeds that 10 divides, of 300");
        NS_TEST_EXPECT_MSG_EQ(
            (tilted.note.find("30 of 300 trials were answered by packet") != std::string::npos),
            true,
            tilted.note);
        CheckOthers(tilted, "30", "packet", "");
        importance.estimator = "cceval-test-queue:OtherEvery=1";
        CheckOthers(CcevalEvaluation("a", traffic, network, importance).Run()[0],
                    "300",
                    "packet",
                    "packet");
    }

    /// Failures among tilted trials count, too; and none of the trials may be left.
    void Failures(const CcevalTraffic& traffic, Ptr<const DcnNetworkConfig> network)
    {
        auto run = [&](const CcevalRequest& request) {
            return CcevalEvaluation("a", traffic, network, request).Run()[0];
        };
        CcevalRequest failing = Request("pooled_p99_fct");
        failing.method = "importance";
        failing.estimator = "cceval-test-queue:FailEvery=10";
        failing.trials = 300;
        const auto tilted = run(failing);
        NS_TEST_EXPECT_MSG_EQ((tilted.note.find("plain sampling") == std::string::npos),
                              true,
                              tilted.note);
        NS_TEST_EXPECT_MSG_EQ(tilted.failed, 40, "of 100 plain and 300 tilted trials");
        NS_TEST_EXPECT_MSG_EQ(tilted.trials, 270, "the others");
        NS_TEST_EXPECT_MSG_EQ(tilted.assured, false, "leaving out failures is a choice");
        failing.control = "cceval-test-queue:FailEvery=1";
        DCN_TEST_EXPECT_ERROR(
            run(failing),
            "a proposal cannot be searched: of 400 tuning trials all but 0 failed");
        failing.control = "cceval-test-queue:Speed=1.1";
        failing.estimator = "cceval-test-queue:FailEvery=1";
        for (const std::string method : {"importance", "model-free", "control-variate"})
        {
            failing.method = method;
            const auto none = run(failing);
            NS_TEST_EXPECT_MSG_EQ(none.trials, 0, "nothing is left, " << method);
            NS_TEST_EXPECT_MSG_EQ((none.assured || none.converged), false, "not known");
            NS_TEST_EXPECT_MSG_EQ(
                (none.note.find("fewer than two trials did not fail; ") != std::string::npos),
                true,
                none.note);
        }
        // where nothing is left after the first analysis there is no second one
        failing = Request("p99_fct");
        failing.estimator = "cceval-test-queue:FailEvery=1";
        const auto stopped = run(failing);
        NS_TEST_EXPECT_MSG_EQ(stopped.failed, 20, "not as many as there may be");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(stopped.interval.estimate), true, "no value");
        NS_TEST_EXPECT_MSG_EQ(
            (stopped.note.find("fewer than two trials did not fail; 20 trials failed and are "
                               "excluded, the first: trial 0 ") == 0),
            true,
            stopped.note);
        // processor time of trials that fail is spent, too: with any budget there is one analysis
        failing.estimator = "cceval-test-queue:FailEvery=2";
        failing.budgetSeconds = 1e-9;
        NS_TEST_EXPECT_MSG_EQ(run(failing).trials, 10, "of 20, half of which failed");
        // a pooled quantile is not known before 30 trials are in the tail, nor assured before 20
        CcevalRequest wide = Request("pooled_p99_fct");
        wide.margin = 0.99;
        std::vector<CcevalResult> analyses;
        const auto known =
            CcevalEvaluation("a", traffic, network, wide).Run([&](const CcevalResult& analysis) {
                analyses.push_back(analysis);
            })[0];
        NS_TEST_EXPECT_MSG_EQ((known.converged && known.assured), true, known.note);
        NS_TEST_EXPECT_MSG_GT(known.trials, 100, "the first analysis has too few in the tail");
        const CcevalResult& early = analyses[analyses.size() - 2];
        NS_TEST_EXPECT_MSG_LT(early.interval.GetHalfWidth(),
                              0.99 * early.interval.estimate,
                              "the margin was met before");
        NS_TEST_EXPECT_MSG_EQ(early.converged, false, "but not known");
        NS_TEST_EXPECT_MSG_EQ((analyses[0].converged || analyses[0].assured), false, "nor assured");
        // a pooled tail on few trials, and one without any variance
        CcevalRequest few = Request("pooled_p99_fct");
        few.trials = 20;
        NS_TEST_EXPECT_MSG_EQ(
            run(few).note.find("coverage not assured: the effective sample size of the tail "),
            0,
            "");
        few.estimator = "cceval-test-queue";
        const auto equal =
            CcevalEvaluation("a", CcevalToyTraffic(1, 0.3, "constant:1000"), network, few).Run()[0];
        NS_TEST_EXPECT_MSG_EQ(equal.note,
                              "all flows are equal: zero variance does not bound the error",
                              "zero variance");
    }

    /// An answer in samples is complete unless flows are said to be unfinished.
    void Completeness()
    {
        DcnEstimate estimate;
        estimate.fctNs = {5, DcnEstimate::UNFINISHED};
        NS_TEST_EXPECT_MSG_EQ(estimate.IsComplete(), false, "a flow did not finish");
        estimate.samples.push_back({});
        NS_TEST_EXPECT_MSG_EQ(estimate.IsComplete(), true, "samples");
        estimate.unfinished["lost"] = 1;
        NS_TEST_EXPECT_MSG_EQ(estimate.IsComplete(), false, "samples, but of a part");
    }

    /// Comparisons of methods: those in which a flow does not finish are kept out.
    void ErrorsOfMethods(const CcevalTraffic& traffic, Ptr<const DcnNetworkConfig> network)
    {
        auto make = [&](uint64_t run) { return traffic.MakeScenario(traffic.Draw(run), network); };
        auto method = [](const std::string& name) { return DcnEstimator::CreateByName(name); };
        CcevalErrorEvaluation errors(0.9, 0.95);
        // one repetition in ten fails
        errors.Run(
            make,
            {method("cceval-test-queue:FailEvery=10"), method("cceval-test-queue:Noise=0.05")},
            5);
        NS_TEST_EXPECT_MSG_EQ(errors.GetN(), 50, "the first analysis");
        NS_TEST_EXPECT_MSG_EQ(errors.GetNFailed(), 6, "of 5 * 2^22 and the 55 seeds after it");
        CcevalErrorEvaluation none(0.9, 0.95);
        const std::string sentence = DcnSentenceOf([&]() {
            none.Run(make,
                     {method("cceval-test-queue"), method("cceval-test-queue:FailEvery=1")},
                     5);
        });
        NS_TEST_EXPECT_MSG_EQ(
            (sentence.find("50 of 50 repetitions failed; the first is the one with the seed "
                           "20971520: ") == 0),
            true,
            sentence);
    }

    /// Repetitions are evaluations of trials of their own, which are those of a longer one.
    void Repetitions(const CcevalTraffic& traffic, Ptr<const DcnNetworkConfig> network)
    {
        CcevalRequest all = Request("p99_fct");
        all.trials = 60;
        const auto whole = CcevalEvaluation("a", traffic, network, all).Run()[0];
        CcevalRequest part = all;
        part.trials = 20;
        for (const std::string method : {"model-free", "control-variate"})
        {
            part.method = method;
            std::vector<double> joined;
            for (part.repetition = 0; part.repetition < 3; ++part.repetition)
            {
                const auto result = CcevalEvaluation("a", traffic, network, part).Run()[0];
                NS_TEST_EXPECT_MSG_EQ(result.runs.front(), 20 * part.repetition, "first trial");
                joined.insert(joined.end(), result.values.begin(), result.values.end());
            }
            NS_TEST_EXPECT_MSG_EQ((joined == whole.values), true, "trials of " << method);
        }
        // with importance sampling each has a proposal, and so a store, of its own
        CcevalRequest tilted = Request("pooled_p99_fct");
        tilted.method = "importance";
        tilted.trials = 120;
        tilted.folder = CreateTempDirFilename("tilted");
        DcnMakeFolder(tilted.folder);
        std::vector<double> values;
        for (tilted.repetition = 0; tilted.repetition < 2; ++tilted.repetition)
        {
            const auto once = CcevalEvaluation("a", traffic, network, tilted).Run()[0];
            const auto again = CcevalEvaluation("a", traffic, network, tilted).Run()[0];
            NS_TEST_EXPECT_MSG_EQ(once.interval.low, again.interval.low, "from the store");
            values.push_back(once.interval.estimate);
        }
        NS_TEST_EXPECT_MSG_NE(values[0], values[1], "trials of its own");
        part.trials = 0;
        DCN_TEST_EXPECT_ERROR(CcevalEvaluation("a", traffic, network, part),
                              "a repetition needs a fixed number of trials, which is missing");
    }

    /// What must be refused.
    void Errors(const CcevalTraffic& traffic, Ptr<const DcnNetworkConfig> network)
    {
        auto make = [&](const CcevalRequest& request) {
            CcevalEvaluation evaluation("a", traffic, network, request);
        };
        CcevalRequest bad = Request("p99_fct");
        bad.method = "importance";
        DCN_TEST_EXPECT_ERROR(make(bad),
                              "importance sampling estimates the pooled quantile: write "
                              "pooled_p99_fct in place of p99_fct");
        bad.method = "luck";
        DCN_TEST_EXPECT_ERROR(make(bad),
                              "the method must be model-free, importance or control-variate, but "
                              "it is \"luck\"");
        bad = Request("p99_fct");
        bad.proposal = "guess";
        DCN_TEST_EXPECT_ERROR(
            make(bad),
            "the proposal must be mixture, tilt or published, but it is \"guess\"");
        bad = Request("p99_fct");
        bad.tuner = "guess";
        DCN_TEST_EXPECT_ERROR(make(bad),
                              "the tuner must be control or method, but it is \"guess\"");
        bad = Request("p99_fct");
        bad.trials = 1;
        DCN_TEST_EXPECT_ERROR(make(bad), "an interval needs at least two trials");
        const std::string fixed =
            "the number of trials is fixed, so that a budget or a largest number has no effect";
        bad.trials = 50;
        bad.budgetSeconds = 1;
        DCN_TEST_EXPECT_ERROR(make(bad), fixed);
        bad.budgetSeconds = -5;
        DCN_TEST_EXPECT_ERROR(make(bad),
                              "the budget must be a time that is not negative, but it is -5");
        bad.budgetSeconds = NAN;
        DCN_TEST_EXPECT_ERROR(make(bad),
                              "the budget must be a time that is not negative, but it is nan");
        CcevalRequest few = Request("pooled_p99_fct");
        few.method = "importance";
        few.maxTrials = 30;
        DCN_TEST_EXPECT_ERROR(make(few),
                              "importance sampling begins with 100 plain trials, so that the "
                              "largest number of trials cannot be 30");
        few.maxTrials = CcevalRequest().maxTrials;
        few.control = "flowsim+packet";
        DCN_TEST_EXPECT_ERROR(make(few), "importance sampling has one control, but there are 2");
        few.proposal = "published";
        few.trials = 79;
        DCN_TEST_EXPECT_ERROR(make(few),
                              "the published interval is that of batches of 40 trials, so that it "
                              "needs at least 80, but there are 79");
        few = Request("p99_fct");
        few.method = "control-variate";
        few.controlTraces = 0;
        DCN_TEST_EXPECT_ERROR(
            make(few),
            "the means of the controls need at least two traces, but there are 0");
        few.controlTraces = 50;
        few.metrics = {"p99_fct@>29MB"};
        const std::string trace =
            DcnSentenceOf([&]() { CcevalEvaluation("a", traffic, network, few).Run(); });
        NS_TEST_EXPECT_MSG_EQ(
            (trace.find("control trace ") == 0 &&
             trace.find("has no flow in the size class >29MB") != std::string::npos),
            true,
            trace);
        bad.budgetSeconds = 0;
        bad.maxTrials = 40;
        DCN_TEST_EXPECT_ERROR(make(bad), fixed);
        bad = Request("p99_fct");
        bad.metrics.clear();
        DCN_TEST_EXPECT_ERROR(make(bad), "there is no metric to evaluate");
        bad = Request("p99_fct");
        bad.metrics.push_back(bad.metrics.front());
        DCN_TEST_EXPECT_ERROR(make(bad), "the metric p99_fct is named twice");
        bad = Request("pooled_p99_fct@>1000MB");
        bad.trials = 30;
        DCN_TEST_EXPECT_ERROR(CcevalEvaluation("a", traffic, network, bad).Run(),
                              "none of 30 trials from trial 0 on has a flow in the size class "
                              ">1000MB, so pooled_p99_fct@>1000MB is not defined");
        bad = Request("p99_fct@>29MB");
        bad.trials = 50;
        const std::string sentence =
            DcnSentenceOf([&]() { CcevalEvaluation("a", traffic, network, bad).Run(); });
        NS_TEST_EXPECT_MSG_EQ(
            (sentence.find("has no flow in the size class >29MB") != std::string::npos),
            true,
            sentence);
    }
};

/// Coverage of whole evaluations, as the program makes them, of a value known from many trials.
/// There are `repetitions` evaluations with control variates, half as many with importance
/// sampling.
DCN_TEST_CASE_OF(EvaluationCoverageTestCase, uint64_t, repetitions, "coverage of evaluations")
{
    const CcevalTraffic traffic = CcevalToyTraffic(45, 0.3, "web-search");
    Ptr<const DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    CcevalRequest request;
    request.metrics = {"p99_fct", "pooled_p99_fct"};
    request.estimator = "cceval-test-queue:Noise=0.1";
    request.control = "cceval-test-queue:Speed=1.1";
    request.trials = 60000;
    request.farm = 2;
    // trials of another seed, so that the repetitions do not contain themselves
    const auto truth =
        CcevalEvaluation("a", CcevalToyTraffic(45, 0.3, "web-search", 2), network, request).Run();
    request.controlTraces = 1000;
    request.farm = 1; // what is left is short
    for (const std::string method : {"control-variate", "importance"})
    {
        const bool tilted = method == "importance";
        request.method = method;
        request.trials = tilted ? 300 : 100;
        const uint64_t n = tilted ? repetitions / 2 : repetitions;
        std::vector<double> covered(2, 0.0);
        for (request.repetition = 0; request.repetition < n; ++request.repetition)
        {
            CcevalRequest each = request;
            each.metrics.erase(each.metrics.begin(), each.metrics.begin() + (tilted ? 1 : 0));
            const auto results = CcevalEvaluation("a", traffic, network, each).Run();
            for (std::size_t i = 0; i < results.size(); ++i)
            {
                const std::size_t m = tilted ? 1 : i;
                covered[m] += results[i].interval.Contains(truth[m].interval.estimate)
                                  ? 1.0 / static_cast<double>(n)
                                  : 0;
            }
        }
        for (std::size_t m = tilted ? 1 : 0; m < 2; ++m)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(covered[m],
                                      0.95,
                                      CcevalBinomialMargin(0.95, n, 2.5),
                                      method << ", " << request.metrics[m]);
        }
    }
}

/// The suite.
class CcevalEvaluationTestSuite : public TestSuite
{
  public:
    CcevalEvaluationTestSuite()
        : TestSuite("cceval-evaluation", Type::UNIT)
    {
        AddTestCase(new EvaluationTestCase);
        const auto extensive = DCN_TEST_EXTENSIVE(CcevalEvaluationTestSuite);
        AddTestCase(new EvaluationCoverageTestCase(400), extensive);
    }
};

CcevalEvaluationTestSuite g_ccevalEvaluationTestSuite; //!< the suite

} // namespace
