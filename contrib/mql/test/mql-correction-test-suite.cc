/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/correction/mql-correction.h"
#include "../model/correction/mql-features.h"
#include "../training/mql-training.h"
#include "../truth/mql-truth-engine.h"
#include "../truth/mql-truth-files.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-origin.h"
#include "ns3/mql-evaluation.h"
#include "ns3/mql-experiment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace ns3;

namespace
{

/// A configuration simulated and modelled.
MqlCase
MakeCase(const std::string& text)
{
    MqlCase one(text);
    one.Simulate();
    one.Solve();
    return one;
}

/// A small network with some load.
const char* const LENGTH = "duration_s=1,load=0.7,arrivals=ge,";

/**
 * Every hop of the model finds its simulation: packets and waits add up to the flow's.
 *
 * Sum over hops of (fraction x mean wait) + service = mean one-way latency as simulated, but for
 * packets under way at the ends of the recorded time.
 */
DCN_TEST_CASE(CaseTestCase, "Simulation and model of a configuration fit together")
{
    for (const std::string text : {"", "routing=split,", "topology=two-tier,routing=split,"})
    {
        const auto one = MakeCase(LENGTH + text + "hash_seed=5");
        std::vector<MqlHop> hops;
        std::vector<MqlCase::Visit> visits;
        double sums[2]{};
        const std::size_t n = one.GetTruth().flows.size();
        for (std::size_t flow = 0; flow < 2 * n; ++flow)
        {
            one.GetSolution().GetHops(flow, hops);
            one.GetVisits(flow, hops, visits);
            const auto& truth = one.GetTruth().flows[flow % n];
            const auto packets = static_cast<double>(truth.packets);
            double latency = 0;
            for (std::size_t i = 0; i < hops.size(); ++i)
            {
                latency += visits[i].packets * (visits[i].waitNs + 1e9 * hops[i].service);
            }
            sums[0] += latency;
            sums[1] += packets * (flow < n ? truth.dataNs : truth.ackNs);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sums[0] / sums[1], 1, 0.01, text << ": sum over hops");
    }
}

/// A correction fitted to a configuration makes its errors small, waiting never negative, and reads
/// back from its file bit by bit.
DCN_TEST_CASE(FitTestCase, "Fit, apply, write and read a correction")
{
    // Outside by a factor of 2^x, the correction counts 1 - x: 1 inside, 0 from a factor of 2 on.
    const auto checkTrust = [&]() {
        const auto& names = MqlFeatures::GetNames();
        auto find = [&](const std::string& name) {
            return std::find(names.begin(), names.end(), name) - names.begin();
        };
        const auto burst = static_cast<std::size_t>(find("burst"));
        const auto flows = static_cast<std::size_t>(find("flow_concentration"));
        MqlCorrection correction;
        correction.SetRange(std::vector<double>(names.size(), 0.01),
                            std::vector<double>(names.size(), 8));
        std::vector<double> features(names.size(), 1);
        std::size_t worst = names.size();
        NS_TEST_EXPECT_MSG_EQ(correction.GetTrust(features.data(), &worst), 1, "inside");
        NS_TEST_EXPECT_MSG_EQ(worst, names.size(), "no feature is outside");
        features[burst] = 8 * std::sqrt(2);
        NS_TEST_EXPECT_MSG_EQ_TOL(correction.GetTrust(features.data(), &worst), 0.5, 1e-12, "x");
        NS_TEST_EXPECT_MSG_EQ(worst, burst, "bursts above");
        features[flows] = 0.01 / std::pow(2, 0.75);
        NS_TEST_EXPECT_MSG_EQ_TOL(correction.GetTrust(features.data(), &worst), 0.25, 1e-12, "x");
        NS_TEST_EXPECT_MSG_EQ(worst, flows, "more flows");
        features[burst] = 17;
        NS_TEST_EXPECT_MSG_EQ(correction.GetTrust(features.data(), &worst), 0, "far outside");
        DCN_TEST_EXPECT_ERROR(correction.SetRange({1}, {1, 2}),
                              "there are 1 lowest and 2 highest values of 28 features");
    };
    const auto one = MakeCase(std::string(LENGTH) + "hash_seed=2");
    MqlTrainingOptions options;
    options.tree.minLeafRows = 1;
    options.p99Tree.minLeafRows = 1;
    MqlTraining training(options);
    training.Add(one);
    auto correction = training.Fit();
    NS_TEST_EXPECT_MSG_EQ(correction.GetTrees().size(), 6, "queue types of a fat tree");
    training.AddPercentiles(one, correction);
    training.FitPercentiles(correction);
    const auto before = MqlEvaluate(one, nullptr);
    const auto after = MqlEvaluate(one, &correction);
    NS_TEST_EXPECT_MSG_LT(after.mape, 0.5 * before.mape, "MAPE");
    NS_TEST_EXPECT_MSG_LT(after.w1Mean, 0.5 * before.w1Mean, "distance of means");
    NS_TEST_EXPECT_MSG_LT(after.w1P99, 0.03, "distance of percentiles");

    const std::string path = CreateTempDirFilename("correction.json");
    correction.Write(path);
    const auto read = MqlCorrection::Read(path);
    const std::string again = CreateTempDirFilename("again.json");
    read.Write(again);
    const bool same = DcnReadTestFile(path) == DcnReadTestFile(again);
    NS_TEST_EXPECT_MSG_EQ(same, true, "the file of what was read");
    for (const auto& [name, tree] : correction.GetTrees())
    {
        const auto& nodes = read.GetTrees().at(name).GetNodes();
        NS_TEST_ASSERT_MSG_EQ(nodes.size(), tree.GetNodes().size(), name);
        bool equal = true;
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            const auto& node = tree.GetNodes()[i];
            equal = equal && nodes[i].threshold == node.threshold && nodes[i].value == node.value &&
                    nodes[i].gain == node.gain && nodes[i].feature == node.feature &&
                    nodes[i].rows == node.rows;
        }
        NS_TEST_EXPECT_MSG_EQ(equal, true, name << ": nodes, bit by bit");
    }

    // A tree that takes away more waiting than there is.
    MqlTree::Node low;
    low.value = -1e3;
    MqlCorrection negative;
    negative.SetTree("edgeUp", MqlTree({low}, negative.GetNFeatures()));
    const MqlCorrectedSolution clamped(one.GetNetwork(), one.GetSolution(), &negative);
    std::vector<double> highest(negative.GetNFeatures(), 1e9);
    highest[3] = 0.4; // C2 of gaps: less than half of Poisson's
    MqlCorrection calm;
    calm.SetTree("edgeUp", MqlTree({low}, calm.GetNFeatures()));
    calm.SetRange(std::vector<double>(calm.GetNFeatures(), -1e9), highest);
    const MqlCorrectedSolution unknown(one.GetNetwork(), one.GetSolution(), &calm);
    const MqlCorrectedSolution plain(one.GetNetwork(), one.GetSolution(), nullptr);
    std::vector<MqlHop> hops;
    one.GetSolution().GetHops(14, hops);
    NS_TEST_EXPECT_MSG_EQ(clamped.GetWait(hops[1]), 0, "never below 0");
    NS_TEST_EXPECT_MSG_GT(hops[1].c2a, 1, "C2 of gaps");
    NS_TEST_EXPECT_MSG_EQ(unknown.GetWait(hops[1]), hops[1].wait, "unlike what was trained on");
    checkTrust();
    const std::string sentence = unknown.DescribeUnknown();
    NS_TEST_EXPECT_MSG_NE(sentence.find("gap_scv is "), std::string::npos, sentence);
    NS_TEST_EXPECT_MSG_NE(sentence.find("trained from -1e+09 to 0.4"), std::string::npos, sentence);
    const std::string types = "no tree for queues aggDown, aggUp, coreDown, edgeDown, hostUp";
    NS_TEST_EXPECT_MSG_NE(sentence.find("to 0.4; " + types), std::string::npos, sentence);
    const std::string other = clamped.DescribeUnknown();
    NS_TEST_EXPECT_MSG_NE(other.find("or no effect: " + types), std::string::npos, other);
    NS_TEST_EXPECT_MSG_EQ(plain.DescribeUnknown(), "", "nothing is corrected");
    NS_TEST_EXPECT_MSG_EQ(clamped.GetWait(hops[0]), hops[0].wait, "no tree for this type");
    NS_TEST_EXPECT_MSG_EQ_TOL(plain.GetRoundTrip(14).GetMean(),
                              one.GetSolution().GetRoundTrip(14).GetMean(),
                              1e-15,
                              "without correction");
}

/// Rows: one per (flow, queue), those with equal features merged, a share drawn by the seed.
DCN_TEST_CASE(MergeTestCase, "Rows are merged and drawn as said")
{
    const auto one = MakeCase(std::string(LENGTH) + "pattern=broadcast");
    MqlTrainingOptions options;
    MqlTraining all(options);
    all.Add(one);
    uint64_t hops = 0;
    for (const auto& hop : one.GetTruth().hops)
    {
        hops += hop.packets > 0 ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(all.GetNRows().first, hops, "a row per (flow, queue)");
    NS_TEST_EXPECT_MSG_LT(all.GetNRows().second, hops, "equal ones are merged");
    options.rowShare = 0.6;
    MqlTraining some(options);
    some.Add(one);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(some.GetNRows().first),
                              0.6 * static_cast<double>(hops),
                              4 * std::sqrt(0.24 * static_cast<double>(hops)),
                              "rows drawn");
    MqlTraining twice(options);
    twice.Add(one);
    NS_TEST_EXPECT_MSG_EQ(twice.GetNRows().first, some.GetNRows().first, "the same draw");
    options.extraFeatures = false;
    MqlTraining basic(options);
    basic.Add(one);
    NS_TEST_EXPECT_MSG_EQ(basic.Fit().GetNFeatures(), 11, "features of Table 4.2");
}

/**
 * @ingroup mql-tests
 * @brief A whole experiment: configurations in a folder, one of them held out.
 */
class ExperimentTestCase : public TestCase
{
  public:
    ExperimentTestCase()
        : TestCase("An experiment holds out whole configurations")
    {
    }

  private:
    /**
     * @brief Where simulations come from is recorded, on the card, too, and they are not mixed.
     * @param folder of the simulations and of the card
     * @param experiment of which the card is
     */
    void CheckOrigin(const std::string& folder, const MqlExperiment& experiment)
    {
        const auto& rows = experiment.GetRows();
        const std::string engine = MqlTruthDigest("exact");
        NS_TEST_EXPECT_MSG_EQ(engine.size(), 16, "digits");
        NS_TEST_EXPECT_MSG_NE(MqlTruthDigest("ns3"), engine, "another program");
        const MqlTruthRun origin = MqlReadTruthRun(rows[0].path);
        NS_TEST_EXPECT_MSG_EQ(origin.engineDigest, engine, "engine");
        NS_TEST_EXPECT_MSG_EQ(origin.release, DCN_RELEASE, "release");
        NS_TEST_EXPECT_MSG_EQ(origin.date.size(), 10, "day");

        const DcnModelCard card = DcnModelCard::Read(folder + "/card.json", "mql");
        NS_TEST_EXPECT_MSG_EQ(card.GetText("origin", "command"),
                              "mql-train --truth=truth",
                              "command");
        NS_TEST_EXPECT_MSG_EQ(card.GetText("origin", "engine_digest"), engine, "engine");
        NS_TEST_EXPECT_MSG_EQ(card.GetText("data_1", "name"), "truth", "folder");
        NS_TEST_EXPECT_MSG_EQ(card.GetText("data_1", "date"), origin.date, "day");
        NS_TEST_EXPECT_MSG_EQ(card.GetText("data_1", "seed"), "1", "seed");
        // the first two by one command, the third by none that is known
        NS_TEST_EXPECT_MSG_EQ(origin.command, "dcn-mql-truth --list=a,b", "with its comma");
        NS_TEST_EXPECT_MSG_EQ(card.GetText("data_1", "command"),
                              std::string("dcn-mql-truth --list=a,b+") + DCN_UNKNOWN_ORIGIN,
                              "commands");
        NS_TEST_EXPECT_MSG_EQ(card.GetNumber("data_1", "samples"), 3, "simulations");
        NS_TEST_EXPECT_MSG_EQ(card.GetNumber("errors", "held out, load 0.7"), 1, "a regime");
        NS_TEST_EXPECT_MSG_EQ_TOL(card.GetNumber("errors", "held out, load 0.7, mql"),
                                  experiment.GetMean(true, &MqlScore::mape, true),
                                  1e-9,
                                  "its error");

        const std::string run = rows[0].path + "/run.csv";
        const std::string text = DcnReadTestFile(run);
        auto change = [&](const std::string& to) {
            std::string changed = text;
            const std::size_t at = changed.find("engine_digest,");
            changed.replace(at, 30, to); // key, comma and 16 digits
            std::ofstream(run) << changed;
        };
        auto train = [&folder]() {
            MqlExperiment mixed(folder, "", "hash_seed=3");
            mixed.Load([](uint64_t) {});
            mixed.Train({});
        };
        const std::string made = run + ": the program that simulated this is ";
        const std::string asked = ", but this one is " + engine + ": choose another folder";
        const std::string first =
            "simulations to train with must come from one program, but " + rows[0].path + " is of ";
        const std::string second = " and " + rows[1].path + " of " + engine +
                                   ": simulate one of them again with dcn-mql-truth";
        NS_TEST_EXPECT_MSG_EQ(MqlHasTruth(rows[0].run->config, folder), true, "of this program");
        change("engine_digest,0123456789abcdef");
        DCN_TEST_EXPECT_ERROR(MqlHasTruth(rows[0].run->config, folder),
                              made + "0123456789abcdef" + asked);
        DCN_TEST_EXPECT_ERROR(train(), first + "0123456789abcdef" + second);
        change("cpu_s,1"); // as release 0.1 wrote it
        DCN_TEST_EXPECT_ERROR(MqlHasTruth(rows[0].run->config, folder),
                              made + DCN_UNKNOWN_ORIGIN + asked);
        const std::string unknown = " does not say which program simulated it, as in dcn 0.1, and "
                                    "cannot be trained with: simulate it again with dcn-mql-truth "
                                    "in another folder; its configuration is in its run.csv";
        DCN_TEST_EXPECT_ERROR(train(), rows[0].path + unknown);
        std::ofstream(run) << text;
    }

    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("truth");
        for (const std::string seed : {"1", "2", "3"})
        {
            const MqlTruthTraffic traffic(
                MqlTruthConfig::Parse(std::string(LENGTH) + "hash_seed=" + seed));
            MqlWriteTruth(traffic,
                          MqlSimulateTruth(traffic),
                          folder,
                          seed == "3" ? "" : "dcn-mql-truth --list=a,b");
        }
        MqlExperiment experiment(folder, "", "hash_seed=3");
        experiment.Load([](uint64_t) {});
        experiment.Train({});
        experiment.Evaluate(2);
        const double alone = experiment.GetMean(true, &MqlScore::mape, false);
        const double corrected = experiment.GetMean(true, &MqlScore::mape, true);
        NS_TEST_EXPECT_MSG_LT(corrected, alone, "the correction helps where it was not trained");
        NS_TEST_EXPECT_MSG_GT(corrected, 0, "but not to nothing");
        uint64_t hops = 0;
        for (const auto& row : experiment.GetRows())
        {
            hops += row.isHeldOut ? 0 : row.one->GetTruth().hops.size();
        }
        NS_TEST_EXPECT_MSG_EQ(experiment.GetNTrainingRows().first, hops, "rows of two of three");
        experiment.Write(folder, "mql-train --truth=truth");
        CheckOrigin(folder, experiment);
        // The card says how many leaves the trees of its correction have.
        const std::string file = folder + "/correction.json";
        const auto written = MqlCorrection::Read(file);
        MqlCorrection other;
        other.SetTree("edgeUp", MqlTree({{}}, other.GetNFeatures()));
        other.Write(file);
        DCN_TEST_EXPECT_ERROR(MqlCorrection::Read(file),
                              file + " is not the correction of " + folder +
                                  "/card.json: its tree 'edgeUp' has 1 "
                                  "leaves, not " +
                                  std::to_string(written.GetTrees().at("edgeUp").GetNLeaves()));
        // Values are compared as numbers; what would hold nothing out is an error.
        std::size_t held = 0;
        const MqlExperiment byNumber(folder, "load=0.70", "hash_seed=02+7,k=6");
        for (const auto& row : byNumber.GetRows())
        {
            held += row.isHeldOut ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(held, 1, "one of three");
        NS_TEST_EXPECT_MSG_EQ(MqlExperiment(folder, "", "hosts=16").GetRows()[0].isHeldOut,
                              false,
                              "a fat tree has a k, not a number of hosts");
        DCN_TEST_EXPECT_ERROR(MqlExperiment(folder, "", "hash_seed=2,hash_seed=3"),
                              "the key \"hash_seed\" is given twice");
        DCN_TEST_EXPECT_ERROR(MqlExperiment(folder, "", "hash_seed=4").Train({}),
                              "no configuration has one of the values hash_seed=4, so none would "
                              "be held out; an empty list trains on all");
        DCN_TEST_EXPECT_ERROR(MqlExperiment(folder, "k=8", ""),
                              "there is no configuration with k=8 in " + folder);
    }
};

/// Scores of an estimate that is a tenth larger than the truth everywhere: all relative errors and
/// distances over means are 0.1. Flows with few packets are left out.
DCN_TEST_CASE(ScoreTestCase, "Scores of an estimate that is too large, and quantiles of a latency")
{
    auto one = MakeCase("duration_s=1,load=0.7,pattern=incast");
    const auto roundTrips = one.GetRoundTrips(nullptr);
    const auto p99s = one.GetP99s(nullptr, roundTrips);
    MqlTruthResult truth = one.GetTruth();
    double waits = 0;
    double errors = 0;
    for (std::size_t i = 0; i < roundTrips.size(); ++i)
    {
        auto& flow = truth.flows[i];
        flow.rttNs = 1e9 * roundTrips[i].GetMean() / 1.1;
        flow.rttP99Ns = 1e9 * p99s[i] / 1.1;
        flow.packets = i == 0 ? MqlScore::MIN_PACKETS - 1 : +MqlScore::MIN_PACKETS;
        if (i > 0)
        {
            errors += 0.1 * flow.rttNs;
            waits += flow.rttNs - 1e9 * (roundTrips[i].service + roundTrips[i].propagation);
        }
    }
    one.SetTruth(truth);
    const MqlScore score = MqlEvaluate(one, nullptr);
    NS_TEST_EXPECT_MSG_EQ(score.flows, truth.flows.size() - 1, "flows");
    for (const double value : {score.mape, score.w1Mean, score.w1P99, score.p99Mape})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(value, 0.1, 1e-9, "a tenth");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(score.waitMape, errors / waits, 1e-9, "over the waiting");
    // all packets of a network with one flow are those of the flow
    const auto single = MakeCase("density=0.001,duration_s=2,load=0.7");
    NS_TEST_ASSERT_MSG_EQ(single.GetTruth().flows.size(), 1, "one flow");
    NS_TEST_EXPECT_MSG_EQ(single.GetTruth().rttP99Ns,
                          single.GetTruth().flows[0].rttP99Ns,
                          "its percentile is that of all packets");
    const MqlFlowLatency latency = one.GetSolution().GetLatency(0);
    const double fixed = latency.service + latency.propagation;
    NS_TEST_EXPECT_MSG_EQ(latency.GetQuantile(latency.idle / 2), fixed, "no wait");
    NS_TEST_EXPECT_MSG_GT(latency.GetQuantile(0.9), fixed, "a wait");
    NS_TEST_EXPECT_MSG_GT(latency.GetQuantile(0.99), latency.GetQuantile(0.9), "ascending");
}

DCN_TEST_CASE(CorrectionErrorTestCase, "Bad files of corrections")
{
    const std::string path = CreateTempDirFilename("correction.json");
    auto expect = [&](const std::string& text, const std::string& sentence) {
        std::ofstream(path) << text;
        DCN_TEST_EXPECT_ERROR(MqlCorrection::Read(path), path + ": " + sentence);
    };
    const std::string head = "{\"format\": \"mql-correction\", \"version\": ";
    expect("{}", "the format is '', not 'mql-correction'");
    expect(head + "1}", "the version is '1', but this program reads 2");
    expect(head + "2}", "there are no 'features' or no 'trees'");
    expect(head + "2, \"features\": [\"speed\"], \"trees\": {}}",
           "feature 0 is 'speed', which differs from this program's");
    const std::string tree = head + "2, \"features\": [\"rate\"], "
                                    "\"lowest\": [0], \"highest\": [1], "
                                    "\"trees\": {\"edgeUp\": {";
    expect(tree + "}}}", "edgeUp: there is no array 'feature'");
    const std::string leaf = "\"threshold\": [0], \"right\": [0], \"value\": [1], \"rows\": [9]";
    expect(tree + "\"feature\": [-1], " + leaf + ", \"gain\": [0, 1]}}}",
           "edgeUp: there are arrays of 1 and of 2 nodes");
    expect(tree + "\"feature\": [\"x\"], " + leaf + ", \"gain\": [0]}}}",
           "edgeUp: feature[0] cannot be 'x'");
    expect(tree + "\"feature\": [0, \"x\"], " + leaf + ", \"gain\": [0]}}}",
           "edgeUp: feature[1] cannot be 'x'");
    expect(tree + "\"feature\": [0], " + leaf + ", \"gain\": [0]}}}",
           "edgeUp: the nodes do not form a tree");
    // Arrays of numbers are read by themselves: what is no JSON there is refused in its line.
    for (const std::string bad :
         {"[1,\n0x1]", "[1,\n+1]", "[1,\n.5]", "[1,\n1.]", "[1,\n07]", "[1,\nnan]", "[1,\n2"})
    {
        std::ofstream(path) << tree + "\"feature\": " + bad;
        const std::string found = DcnSentenceOf([&]() { MqlCorrection::Read(path); });
        NS_TEST_EXPECT_MSG_EQ(found.rfind(path + ":2: the file is not JSON", 0), 0, found);
    }
    expect(head + "2, \"features\": [\"rate\"], \"lowest\": [], \"highest\": [1], "
                  "\"trees\": {}}",
           "there are 0 lowest and 1 highest values of 1 features");
    expect(head + "2, \"features\": [\"rate\"], \"lowest\": [0], \"highest\": [1, 2], "
                  "\"trees\": {}}",
           "there are 1 lowest and 2 highest values of 1 features");
    // Trees are fitted to what the formula auto leaves; none of another formula's waits.
    NS_TEST_EXPECT_MSG_EQ((MqlCorrection::Load("auto", MqlFormula::GE_FLOW) == nullptr),
                          true,
                          "no correction of another formula");
    DCN_TEST_EXPECT_ERROR(MqlCorrection::Load(path, MqlFormula::GE_FLOW),
                          "the correction '" + path +
                              "' was fitted to the waiting times of the formula auto, so it "
                              "cannot correct those of another formula");
    const auto none = MqlCorrection::Load("none");
    NS_TEST_EXPECT_MSG_EQ((none == nullptr), true, "no correction");
    DCN_TEST_EXPECT_ERROR(MqlCorrection::Read(path + ".none"),
                          path + ".none: the file cannot be read (there is no such file)");
    MqlCorrection correction;
    DCN_TEST_EXPECT_ERROR(correction.SetTree("edgeUp", MqlTree({{}}, 3)),
                          "the tree 'edgeUp' uses 3 features, not " +
                              std::to_string(MqlFeatures::GetNames().size()));
}

DcnTestSuite<CaseTestCase,
             FitTestCase,
             MergeTestCase,
             ExperimentTestCase,
             ScoreTestCase,
             CorrectionErrorTestCase>
    g_mqlCorrectionTestSuite("mql-correction"); //!< the suite

} // namespace
