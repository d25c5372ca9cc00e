/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/base/dcn-interrupt.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-output.h"
#include "dcn-test-process.h"
#include "dcn-test-scenario.h"
#include "dcn-test-texts.h"

#include "ns3/config.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-earlier-run.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-sweep.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-truth-file.h"
#include "ns3/dcn-units.h"
#include "ns3/double.h"

#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Columns of summary.csv.
const std::vector<std::string> SUMMARY_COLUMNS{"method",
                                               "metric",
                                               "size_class",
                                               "value",
                                               "truth",
                                               "relative_error",
                                               "answered_by",
                                               "provenance"};

/**
 * In the reference simulator a frame of S bytes occupies a link of R bit/s for the largest whole
 * number of nanoseconds strictly below 8e9 S / R.
 */
DCN_TEST_CASE(UnitsTestCase, "serialisation times and packet counts")
{
    const uint64_t rate = 10'000'000'000;
    const std::vector<std::pair<uint64_t, int64_t>> known{{1048, 838},
                                                          {1056, 844},
                                                          {1090, 871},
                                                          {60, 47},
                                                          {88, 70},
                                                          {43, 34}};
    for (const auto& [bytes, ns] : known)
    {
        NS_TEST_EXPECT_MSG_EQ(DcnSerializationNs(bytes, rate), ns, bytes << " bytes");
    }
    NS_TEST_EXPECT_MSG_EQ(DcnMulDiv(7, 3, 2), 10, "rounded down");
    NS_TEST_EXPECT_MSG_EQ(DcnMulDiv(1ULL << 63, 2 * rate, 4 * rate), 1ULL << 62, "wide product");
    NS_TEST_EXPECT_MSG_EQ(DcnMulDiv(1ULL << 32, (1ULL << 32) - 1, 1ULL << 32),
                          (1ULL << 32) - 1,
                          "a product just below 64 bits");
    NS_TEST_EXPECT_MSG_EQ(DcnPackets(1000, 1000), 1, "one full packet");
    NS_TEST_EXPECT_MSG_EQ(DcnPackets(1001, 1000), 2, "one byte more");
    NS_TEST_EXPECT_MSG_EQ(DcnWireBytes(2500, 1000), 2500 + 3 * 48, "payload and headers");
}

/**
 * n frames of S bytes back to back end at ceil(n 8e9 S / R): n ns + n f / 2^22 - lead, with the
 * fraction f rounded down by less than 2^-22 ns a frame, and 0 <= lead < 1. Frames apart begin at
 * their events.
 */
DCN_TEST_CASE(FrameTimeTestCase, "a clock of whole nanoseconds that keeps the rate of a link")
{
    for (const uint64_t rate : {1'000'000ULL,
                                10'000'000'000ULL,
                                123'456'789'123ULL,
                                400'000'000'000ULL,
                                3'200'000'000'000ULL})
    {
        for (const uint64_t bytes : {60ULL, 88ULL, 1048ULL, 1500ULL, 9216ULL})
        {
            const DcnFrameTime time = DcnFrameTime::Of(bytes, rate, false);
            constexpr int64_t N = 100'000;
            int64_t atNs = 0;
            int64_t lead = 0;
            for (int64_t n = 1; n <= N; ++n)
            {
                atNs = time.GetEndNs(atNs, lead);
                NS_TEST_ASSERT_MSG_EQ((lead >= 0 && lead < DcnFrameTime::ONE_NS), true, "lead");
            }
            const double exact = 8e9 * static_cast<double>(N * bytes) / static_cast<double>(rate);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(atNs),
                                      exact,
                                      1 + N * 0x1p-22 + 1e-9 * exact,
                                      bytes << " bytes at " << rate << " bit/s");
            int64_t apart = 0;
            NS_TEST_EXPECT_MSG_EQ(
                time.GetEndNs(7, apart),
                7 + static_cast<int64_t>((bytes * 8'000'000'000 + rate - 1) / rate),
                "one frame: rounded up");
            const DcnFrameTime reference = DcnFrameTime::Of(bytes, rate, true);
            int64_t none = 0;
            NS_TEST_EXPECT_MSG_EQ(reference.GetEndNs(7, none),
                                  7 + DcnSerializationNs(bytes, rate),
                                  "the reference simulator's rule");
            NS_TEST_EXPECT_MSG_EQ(none, 0, "it keeps nothing");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(DcnSerializationTicks(1048, 400'000'000'000), 343'408, "20.96 x 16384");
    NS_TEST_EXPECT_MSG_EQ(DcnCeilNs(343'408), 21, "rounded up");
    NS_TEST_EXPECT_MSG_EQ(DcnCeilNs(-1), 0, "rounded up below 0, too");
}

/// The recursion of DcnIdealFct, by hand; and the formula of the evaluations for time_grain_ns 1.
DCN_TEST_CASE(IdealFctTestCase, "ideal completion time")
{
    DcnTopologyBuilder builder;
    const uint32_t a = builder.AddNode(DcnNodeKind::HOST);
    const uint32_t b = builder.AddNode(DcnNodeKind::HOST);
    const uint32_t s = builder.AddNode(DcnNodeKind::SWITCH);
    builder.AddLink(a, s, 40'000'000'000, 1000);
    builder.AddLink(s, b, 10'000'000'000, 2000);
    Ptr<DcnTopology> topology = builder.Build();
    std::vector<uint32_t> links;
    DcnRouting(topology).AppendPath({0, a, b, 1, 0}, links);
    const DcnPath path{links.data(), links.data() + links.size()};
    auto ideal = [&](uint64_t size, uint64_t maxRate, bool isReference) {
        return DcnComputeIdealFct(*topology, path, size, 1000, maxRate, isReference).GetTotalNs();
    };
    // 148 B: 29.6 + 118.4; 1048 B: 209.6 + 838.4; 49 B: 9.8 + 39.2 ns
    NS_TEST_EXPECT_MSG_EQ(ideal(100, 0, false), 3148, "less than a packet");
    NS_TEST_EXPECT_MSG_EQ(ideal(1000, 0, false), 4048, "one packet");
    NS_TEST_EXPECT_MSG_EQ(ideal(1001, 0, false), 4087, "4048 + 39.2");
    NS_TEST_EXPECT_MSG_EQ(ideal(11000, 0, false), 12432, "11 packets: 4048 + 10 x 838.4");
    // packets begin 1676.8 ns apart, the last one takes its way alone: 16,768 + 1048
    NS_TEST_EXPECT_MSG_EQ(ideal(11000, 5'000'000'000, false), 3000 + 17816, "a sender of 5 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(ideal(1'000'000'000'000, 0, false),
                          3000 + 209 + 838'400'000'000LL,
                          "a very long flow: 209.6 + 1e9 x 838.4");
    // the other way round, a short last packet catches up with the full one before it, and waits:
    // F_1 = 838.4, c_1 = 838.4 + 39.2; F_2 = 838.4 + 209.6 = 1048, c_2 = max(877.6, 1048) + 9.8
    std::vector<uint32_t> backwards;
    DcnRouting(topology).AppendPath({0, b, a, 1, 0}, backwards);
    NS_TEST_EXPECT_MSG_EQ(
        DcnComputeIdealFct(*topology, {backwards.data(), backwards.data() + 2}, 1001, 1000, 0)
            .GetTotalNs(),
        3000 + 1057,
        "a short last packet");
    // floor(29.6) + floor(118.4); floor(209.6) + floor(838.4)
    NS_TEST_EXPECT_MSG_EQ(ideal(100, 0, true), 3000 + 29 + 118, "less than a packet");
    NS_TEST_EXPECT_MSG_EQ(ideal(1000, 0, true), 3000 + 209 + 838, "one packet");
    NS_TEST_EXPECT_MSG_EQ(ideal(1001, 0, true),
                          3000 + 209 + 838 + 0 + 38,
                          "1 byte: 0.8 ns, header");
    NS_TEST_EXPECT_MSG_EQ(ideal(11000, 0, true), 3000 + 209 + 838 + 8000 + 10 * 38, "11 packets");
    NS_TEST_EXPECT_MSG_EQ(ideal(11000, 5'000'000'000, true),
                          3000 + 209 + 838 + 16000 + 10 * 76,
                          "a sender of 5 Gb/s");
    // 1 TB does not overflow
    NS_TEST_EXPECT_MSG_EQ(ideal(1'000'000'000'000, 0, true),
                          3000 + 209 + 838 + 799'999'999'200 + 999'999'999LL * 38,
                          "a very long flow");
    // forward 1209.6 + 2838.4, back 2048 + 1012 (480 bits at 10 and 40 Gb/s)
    NS_TEST_EXPECT_MSG_EQ(DcnBaseRttNs(*topology, path, 1048, DCN_ACK_BYTES),
                          7108,
                          "round trip of a full packet");
}

/// Type-7 quantiles: position p (n - 1), linear in between.
DCN_TEST_CASE(QuantileTestCase, "quantiles and size classes")
{
    const std::vector<double> values{1, 2, 4, 8};
    NS_TEST_EXPECT_MSG_EQ(DcnQuantile(values, 0), 1, "least");
    NS_TEST_EXPECT_MSG_EQ(DcnQuantile(values, 1), 8, "largest");
    NS_TEST_EXPECT_MSG_EQ(DcnQuantile(values, 0.5), 3, "between the 2nd and the 3rd");
    NS_TEST_EXPECT_MSG_EQ_TOL(DcnQuantile(values, 0.9), 4 + 0.7 * 4, 1e-12, "0.9 * 3 = 2.7");
    NS_TEST_EXPECT_MSG_EQ(DcnQuantile({5}, 0.99), 5, "one value");
    NS_TEST_EXPECT_MSG_EQ(DcnMean(values), 3.75, "mean");
    // equal weights of any size: the same; weights 1 1 2 at places 0, 1, 2.5 of 2.5
    NS_TEST_EXPECT_MSG_EQ_TOL(DcnWeightedQuantile({{1, 3}, {2, 3}, {4, 3}, {8, 3}}, 0.9),
                              DcnQuantile(values, 0.9),
                              1e-12,
                              "equal weights");
    NS_TEST_EXPECT_MSG_EQ_TOL(DcnWeightedQuantile({{1, 1}, {2, 1}, {5, 2}}, 0.7),
                              2 + 0.5 * 3,
                              1e-12,
                              "place 1.75");
    NS_TEST_EXPECT_MSG_EQ(DcnWeightedQuantile({{1, 1}, {5, 2}}, 1), 5, "largest");
    NS_TEST_EXPECT_MSG_EQ(DcnWeightedQuantile({{5, 0.1}}, 0.3), 5, "one value");
    const auto& classes = DcnSizeClasses();
    for (const auto& [bytes, name] : std::vector<std::pair<double, std::string>>{{999, "<1KB"},
                                                                                 {1000, "1-10KB"},
                                                                                 {9999, "1-10KB"},
                                                                                 {10000, "10-50KB"},
                                                                                 {50000, ">50KB"},
                                                                                 {1e12, ">50KB"}})
    {
        std::string found;
        for (const auto& sizeClass : classes)
        {
            if (sizeClass.name != "all" && sizeClass.Contains(bytes))
            {
                found += sizeClass.name;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(found, name, bytes << " bytes are in one class");
    }
}

/// Rows, columns and errors of fct.csv and summary.csv.
DCN_TEST_CASE(TableTestCase, "FCT table and summary")
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnDumbbellParameters());
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 4; ++i)
    {
        flows.push_back({10 + i, i, 4 + i, 500 + 1000 * i, 100 * i});
    }
    auto scenario = DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows);
    DcnFctTable table(scenario);
    DcnEstimate truth;
    DcnEstimate other;
    truth.method = "truth";
    truth.isGroundTruth = true;
    other.method = "other";
    truth.wallSeconds = 2;
    other.wallSeconds = 1;
    for (int64_t ideal : table.GetIdealNs())
    {
        truth.fctNs.push_back(2 * ideal); // slowdown 2
        other.fctNs.push_back(3 * ideal); // slowdown 3, error 1 / 2
    }
    other.fctNs[3] = DcnEstimate::UNFINISHED;
    table.Add(truth);
    table.Add(other);

    const std::string folder = CreateTempDirFilename("table");
    DcnMakeFolder(folder);
    table.Write(folder);
    DcnCsvReader csv(folder + "/fct.csv",
                     {"flow_id",
                      "src",
                      "dst",
                      "size_bytes",
                      "start_ns",
                      "path_hops",
                      "ideal_ns",
                      "truth_fct_ns",
                      "other_fct_ns"});
    for (uint32_t i = 0; i < 4; ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(csv.FetchRow(), true, "a row per flow");
        NS_TEST_EXPECT_MSG_EQ(csv.GetUint(0), 10 + i, "id");
        NS_TEST_EXPECT_MSG_EQ(csv.GetUint(5), 3, "hops");
        NS_TEST_EXPECT_MSG_EQ(csv.GetUint(7), 2 * csv.GetUint(6), "first method");
        NS_TEST_EXPECT_MSG_EQ((csv.GetText(8) == "nan"), (i == 3), "nan if not finished");
    }
    NS_TEST_EXPECT_MSG_EQ(csv.FetchRow(), false, "no more rows");

    int seen = 0;
    for (const auto& row : table.GetSummary())
    {
        if (row.method != "other" || row.sizeClass != "all")
        {
            continue;
        }
        ++seen;
        if (row.metric == "p99_slowdown" || row.metric == "mean_slowdown")
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(row.value, 3, 1e-12, row.metric);
            NS_TEST_EXPECT_MSG_EQ_TOL(row.truth, 2, 1e-12, row.metric);
            NS_TEST_EXPECT_MSG_EQ_TOL(row.relativeError, 0.5, 1e-12, row.metric);
        }
        if (row.metric == "mean_abs_flow_error" || row.metric == "p90_abs_flow_error")
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(row.value, 0.5, 1e-12, row.metric);
        }
        if (row.metric == "wall_s")
        {
            NS_TEST_EXPECT_MSG_EQ(row.value, 1, row.metric);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(seen, 9, "metrics of the class all");
    // three slowdowns, one of which stands for two flows; the truth is that of all four flows
    DcnEstimate sampled;
    sampled.method = "sampled";
    sampled.fctNs.assign(4, DcnEstimate::UNFINISHED);
    sampled.samples = {{4, 700, 1, 0, 4}, {1, 1500, 2, 1, 5}, {3, 2500, 1, 2, 6}};
    table.Add(sampled);
    bool found = false;
    for (const auto& row : table.GetSummary())
    {
        if (row.method == "sampled" && row.metric == "mean_slowdown" && row.sizeClass == "all")
        {
            found = true;
            NS_TEST_EXPECT_MSG_EQ_TOL(row.value, (4 + 2 * 1 + 3) / 4.0, 1e-12, "weighted mean");
            NS_TEST_EXPECT_MSG_EQ_TOL(row.truth, 2, 1e-12, "of all flows");
        }
        NS_TEST_EXPECT_MSG_EQ((row.method == "sampled" && row.metric == "mean_abs_flow_error"),
                              false,
                              "no error of flows without completion times");
    }
    NS_TEST_EXPECT_MSG_EQ(found, true, "a row for samples");
    DcnCsvReader summary(folder + "/summary.csv", SUMMARY_COLUMNS);
    NS_TEST_EXPECT_MSG_EQ(summary.FetchRow(), true, "rows");

    // each quantile of summary.csv is that of one file
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/samples.csv"),
                          false,
                          "no samples yet");
    DcnEstimate both = sampled;
    both.method = "both";
    both.fctNs = truth.fctNs;
    table.Add(both);
    table.Write(folder);
    const std::string head = DcnReadTestFile(folder + "/fct.csv");
    NS_TEST_EXPECT_MSG_NE(head.find(",sampled_fct_ns,both_expected_fct_ns\n"),
                          std::string::npos,
                          "its quantiles are not those of the column: " << head);
    DcnCsvReader samples(folder + "/samples.csv",
                         {"method", "src", "dst", "size_bytes", "slowdown", "weight"});
    for (const char* const method : {"sampled", "both"})
    {
        for (const auto& sample : sampled.samples)
        {
            NS_TEST_ASSERT_MSG_EQ(samples.FetchRow(), true, "a row per sample");
            NS_TEST_EXPECT_MSG_EQ(samples.GetText(0), method, "method");
            NS_TEST_EXPECT_MSG_EQ(samples.GetUint(1), sample.src, "source");
            NS_TEST_EXPECT_MSG_EQ(samples.GetUint(3), sample.sizeBytes, "size");
            NS_TEST_EXPECT_MSG_EQ(samples.GetDouble(4), sample.slowdown, "slowdown");
            NS_TEST_EXPECT_MSG_EQ(samples.GetDouble(5), sample.weight, "weight");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(samples.FetchRow(), false, "no more rows");
    NS_TEST_EXPECT_MSG_EQ(other.DescribeCompletion(),
                          "other: 4 flows started, 3 finished, 1 unfinished",
                          "completion");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([]() {
                              DcnEstimator::CreateByName("oracle");
                          }).rfind("the method \"oracle\" is not one of ", 0),
                          std::size_t{0},
                          "an unknown method is refused");
}

/**
 * A value is that of all flows of the method, whichever answer is first; only errors are restricted
 * to flows that both finished. Without a ground truth there is no error.
 */
DCN_TEST_CASE(TruthTestCase, "values are a method's own, errors need a ground truth")
{
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnDumbbellParameters());
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 4; ++i)
    {
        flows.push_back({i, i, 4 + i, 500, 100 * i});
    }
    auto scenario = DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows);
    const std::vector<int64_t> idealNs = DcnFctTable(scenario).GetIdealNs();
    auto answer = [&idealNs](const std::string& method, const std::vector<int64_t>& slowdowns) {
        DcnEstimate estimate;
        estimate.method = method;
        for (std::size_t i = 0; i < slowdowns.size(); ++i)
        {
            estimate.fctNs.push_back(slowdowns[i] < 0 ? DcnEstimate::UNFINISHED
                                                      : slowdowns[i] * idealNs[i]);
        }
        return estimate;
    };
    auto find = [](const DcnFctTable& table, std::size_t method, const std::string& metric) {
        for (const auto& row : table.GetSummaryOf(method, {DcnSizeClasses().front()}))
        {
            if (row.metric == metric)
            {
                return row;
            }
        }
        return DcnFctTable::SummaryRow{"", metric, "all", NAN, NAN, NAN};
    };
    // samples first: slowdowns 5 and 1 that stand for one and three flows
    DcnEstimate sampled = answer("sampled", {-1, -1, -1, -1});
    sampled.samples = {{5, 500, 1, 0, 4}, {1, 500, 3, 1, 5}};
    const DcnEstimate fluid = answer("fluid", {1, 2, 3, 6});
    DcnFctTable plain(scenario);
    plain.Add(sampled);
    plain.Add(fluid);
    NS_TEST_EXPECT_MSG_EQ(plain.HasTruth(), false, "no ground truth");
    NS_TEST_EXPECT_MSG_EQ_TOL(find(plain, 0, "mean_slowdown").value, 2, 1e-12, "(5 + 3) / 4");
    NS_TEST_EXPECT_MSG_EQ_TOL(find(plain, 1, "mean_slowdown").value, 3, 1e-12, "12 / 4");
    for (const std::size_t method : {0, 1})
    {
        const auto row = find(plain, method, "mean_slowdown");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(row.truth) && std::isnan(row.relativeError),
                              true,
                              "neither truth nor error of " << row.method);
        NS_TEST_EXPECT_MSG_EQ(std::isnan(find(plain, method, "mean_abs_flow_error").value),
                              true,
                              "no error of flows");
    }

    // the user's truth answers with samples: the other method is compared over all its flows
    sampled.isGroundTruth = true;
    DcnFctTable drawn(scenario);
    drawn.Add(sampled);
    drawn.Add(fluid);
    NS_TEST_EXPECT_MSG_EQ_TOL(find(drawn, 1, "mean_slowdown").value, 3, 1e-12, "its own");
    NS_TEST_EXPECT_MSG_EQ_TOL(find(drawn, 1, "mean_slowdown").relativeError, 0.5, 1e-12, "3 / 2");

    // a flow that only one of them finished: in the value, not in the error
    DcnEstimate truth = answer("truth", {1, 1, 2, -1});
    truth.isGroundTruth = true;
    DcnFctTable partial(scenario);
    partial.Add(truth);
    partial.Add(fluid);
    const auto row = find(partial, 1, "mean_slowdown");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.value, 3, 1e-12, "over four flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.truth, 4.0 / 3, 1e-12, "over three flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(row.relativeError, 0.5, 1e-12, "6 / 4: over the same three flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(find(partial, 1, "mean_abs_flow_error").value,
                              (0 + 1 + 0.5) / 3,
                              1e-12,
                              "flow by flow");
}

/**
 * Run a function in a process of its own, inside DcnRunProgram.
 * @param body ends the process by a signal
 * @param isIgnored the process ignores SIGINT from its start on
 * @return what the process wrote; or that no signal ended it
 */
std::string
Interrupt(const std::function<void()>& body, bool isIgnored = false)
{
    const DcnTestProcess process = DcnRunTestProcess(
        [&body]() {
            body();
            return 0;
        },
        [isIgnored]() {
            if (isIgnored)
            {
                std::signal(SIGINT, SIG_IGN);
            }
        });
    return process.end.rfind("signal ", 0) == 0 ? process.text : "no signal ended the process";
}

/// run.json says how results were made and how far the run is; a signal ends the process.
DCN_TEST_CASE(RunRecordTestCase, "record of a run")
{
    const std::string folder = CreateTempDirFilename("run");
    DcnMakeFolder(folder);
    DcnWriteTestFile(folder + "/errors.csv", "of an earlier run");
    DcnWriteTestFile(folder + "/notes.txt", "of the user");
    const auto read = [&folder]() {
        boost::property_tree::ptree tree;
        boost::property_tree::read_json(folder + "/run.json", tree);
        return tree;
    };
    {
        DcnRunRecord record(folder, "dcn-compare --out=run", {"errors.csv", "fct.csv"});
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/errors.csv"), false, "removed");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/notes.txt"), true, "not ours");
        record.SetScenario("load=0.5", 7);
        NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("status"), "running", "not complete");
        DCN_TEST_EXPECT_ERROR(DcnRunRecord(folder, "dcn-compare", {"run.json"}),
                              folder +
                                  ": another run writes into this folder: wait for its end, or "
                                  "choose another folder by --out");
        NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("status"), "running", "its files are left");
        NS_TEST_EXPECT_MSG_EQ(read().get_child("ignored").size(), 0, "all that was read is used");
        record.SetIgnored({"ignored: the word \"x\"", "note: y is z"});
        NS_TEST_ASSERT_MSG_EQ(read().get_child("ignored").size(), 2, "lines");
        NS_TEST_EXPECT_MSG_EQ(read().get_child("ignored").front().second.get_value<std::string>(),
                              "ignored: the word \"x\"",
                              "escaped");
        record.LeaveOut("m4", "the model was \"not\" trained");
        NS_TEST_EXPECT_MSG_EQ(
            read().get_child("left_out").front().second.get<std::string>("reason"),
            "the model was \"not\" trained",
            "why a method has no answer");
        DcnEstimate estimate;
        estimate.method = "fluid";
        estimate.provenance = "a \"model\"\nin two lines";
        estimate.cpuSeconds = 0.25;
        estimate.fctNs = {5, DcnEstimate::UNFINISHED};
        estimate.events = {{"dropped_packets", 3}, {"pauses", 0}};
        estimate.warnings = {"x is 6", "y \"is\" 7"};
        record.Add(estimate);
        record.AddFile("fct.csv");
        record.AddFile("fct.csv"); // written once more
        NS_TEST_EXPECT_MSG_EQ(record.GetFiles(), folder + "/fct.csv", "named once");
        record.Finish();
        const auto tree = read();
        NS_TEST_EXPECT_MSG_EQ(tree.get<std::string>("status"), "complete", "at the end");
        NS_TEST_EXPECT_MSG_EQ(tree.get<std::string>("command"), "dcn-compare --out=run", "");
        NS_TEST_EXPECT_MSG_EQ(tree.get<uint64_t>("seed"), 7, "of the scenario");
        NS_TEST_EXPECT_MSG_EQ(tree.get_child("attributes").size(), 0, "none is changed");
        NS_TEST_EXPECT_MSG_EQ(tree.get<std::string>("code").size(), 16, "digits");
        NS_TEST_EXPECT_MSG_EQ(tree.get<std::string>("date").size(), 20, "with the time");
        NS_TEST_EXPECT_MSG_EQ(tree.get_child("methods").size(), 1, "one answer");
        const auto& answer = tree.get_child("methods").front().second;
        NS_TEST_EXPECT_MSG_EQ(answer.get<std::string>("provenance"), estimate.provenance, "");
        NS_TEST_EXPECT_MSG_EQ(answer.get<double>("cpu_s"), 0.25, "");
        NS_TEST_EXPECT_MSG_EQ(answer.get_child("warnings").size(), 2, "");
        NS_TEST_EXPECT_MSG_EQ(answer.get_child("warnings").back().second.get_value<std::string>(),
                              "y \"is\" 7",
                              "escaped");
        NS_TEST_EXPECT_MSG_EQ(answer.get<std::string>("events"), "dropped packets: 3", "not 0");
        NS_TEST_EXPECT_MSG_EQ(answer.get<std::string>("completion"),
                              "fluid: 2 flows started, 1 finished, 1 unfinished",
                              "");
    }
    NS_TEST_EXPECT_MSG_EQ(Interrupt([&folder]() {
                              DcnRunRecord record(folder, "again", {});
                              record.AddFile("fct.csv");
                              raise(SIGINT);
                          }),
                          "\ninterrupted; written, with the methods that are complete: " + folder +
                              "/fct.csv\n",
                          "files so far");
    NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("status"), "interrupted", "by SIGINT");
    NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("command"), "again", "the last state");
    NS_TEST_EXPECT_MSG_EQ(read().get_child("files").size(), 1, "the last state");
    Interrupt([&folder]() {
        DcnRunRecord record(folder, "third", {});
        DcnFileWriter whole(folder + "/whole.csv");
        whole.Commit();
        DcnFileWriter half(folder + "/half.csv"); // "no remains" below
        half.Stream() << "a part" << std::endl;
        raise(SIGTERM);
    });
    NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(folder + "/whole.csv"), true, "written before");
    NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("status"), "interrupted", "by SIGTERM");
    // a record of several scenarios, and that of the one that runs
    Interrupt([&folder]() {
        DcnRunRecord all(folder, "all", {});
        all.AddScenario("a", "cc=hpcc", "complete");
        DcnRunRecord one(folder + "/b", "all", {});
        raise(SIGTERM);
    });
    NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("status"), "interrupted", "of all scenarios");
    NS_TEST_EXPECT_MSG_EQ(read().get_child("scenarios").front().second.get<std::string>("keys"),
                          "cc=hpcc",
                          "the scenario that was complete");
    boost::property_tree::ptree inner;
    boost::property_tree::read_json(folder + "/b/run.json", inner);
    NS_TEST_EXPECT_MSG_EQ(inner.get<std::string>("status"), "interrupted", "of the scenario");
    NS_TEST_EXPECT_MSG_EQ(inner.count("scenarios"), 0, "one scenario has no list");
    // results of earlier runs that stay are listed, by every later run, too
    const auto earlier = [](const std::string& where) {
        boost::property_tree::ptree tree;
        boost::property_tree::read_json(where + "/run.json", tree);
        std::string names;
        const auto list = tree.get_child_optional("earlier_files");
        for (const auto& entry : list ? *list : boost::property_tree::ptree())
        {
            names += entry.second.get_value<std::string>() + " ";
        }
        return names;
    };
    const std::string old = folder + "/d";
    for (const auto& [file, owned, names] :
         {std::tuple<std::string, std::vector<std::string>, std::string>("a.csv", {"a.csv"}, ""),
          {"b.csv", {"b.csv"}, "a.csv "},
          {"c.csv", {"c.csv"}, "a.csv b.csv "},
          {"a.csv", {"a.csv", "run.json"}, "b.csv c.csv "}})
    {
        DcnRunRecord record(old, "one after the other", owned);
        DcnWriteTestFile(old + "/" + file, "results");
        record.AddFile(file);
        NS_TEST_EXPECT_MSG_EQ(earlier(old), names, "before " << file);
        record.Finish();
    }
    // what a process left that was killed while it wrote; not a file of one that lives
    const pid_t child = fork();
    if (child == 0)
    {
        DcnFileWriter half(old + "/half.csv");
        half.Stream() << "a part" << std::endl;
        raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    const std::string part = "half.csv.part-" + std::to_string(child);
    {
        const DcnFileWriter mine(old + "/mine.csv");
        for (const char* other : {"notes.part-two", ".part-", "half.csv.part-1x"})
        {
            DcnWriteTestFile(old + "/" + other, "of the user");
        }
        std::ostringstream printed;
        std::streambuf* const before = std::cout.rdbuf(printed.rdbuf());
        DcnRunRecord record(old, "after a crash", {"half.csv", "b.csv", "c.csv"});
        std::cout.rdbuf(before);
        NS_TEST_EXPECT_MSG_EQ(earlier(old), "a.csv " + part + " ", "half of a file");
        NS_TEST_EXPECT_MSG_EQ(
            printed.str(),
            "note: " + old + " has results of an earlier run, which stay: a.csv\nnote: " + old +
                " has half-written files of a run that was killed, which may be "
                "removed: " +
                part + "\n",
            "both are named");
        record.Finish();
    }
    {
        const DcnRunRecord record(old, "once more", {"a.csv"});
        NS_TEST_EXPECT_MSG_EQ(earlier(old), part + " ", "it is named once, as long as it is there");
    }
    const std::string kept = folder + "/c";
    NS_TEST_EXPECT_MSG_EQ(DcnRunRecord::IsComplete(kept, "abc"), false, "there is none");
    {
        DcnRunRecord record(kept, "all", {});
        record.SetDigest("abc");
        NS_TEST_EXPECT_MSG_EQ(DcnRunRecord::IsComplete(kept, "abc"), false, "it runs");
        record.Finish();
    }
    NS_TEST_EXPECT_MSG_EQ(DcnRunRecord::IsComplete(kept, "abc"), true, "it is there");
    NS_TEST_EXPECT_MSG_EQ(DcnRunRecord::IsComplete(kept, "abd"), false, "of another code");
    const std::string whole = DcnReadTestFile(kept + "/run.json");
    for (std::size_t n = 0; n + 2 < whole.size(); ++n)
    {
        DcnWriteTestFile(kept + "/run.json", whole.substr(0, n));
        NS_TEST_EXPECT_MSG_EQ(DcnRunRecord::IsComplete(kept, "abc"), false, n << " bytes of it");
    }
    std::filesystem::remove_all(kept);
    Interrupt([&folder]() {
        DcnRunRecord record(folder, "fourth", {});
        DcnFail("bad input");
    });
    NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("status"), "failed", "by an error");
    NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("command"), "fourth", "of this run");
    Interrupt([&folder]() {
        DcnRunRecord record(folder, "fifth", {});
        record.Finish();
        raise(SIGINT);
    });
    NS_TEST_EXPECT_MSG_EQ(read().get<std::string>("status"), "complete", "a signal after the end");
    for (const auto& file : std::filesystem::directory_iterator(folder))
    {
        NS_TEST_EXPECT_MSG_EQ(file.path().string().find(".part-"), std::string::npos, "no remains");
    }
}

/// Values joined by commas are scenarios: all combinations, seeds one after the other.
DCN_TEST_CASE(SplitTestCase, "several values of options")
{
    DcnScenarioOptions options;
    options.Set("flows", "50");
    NS_TEST_ASSERT_MSG_EQ(options.Split(1).size(), 1, "one scenario");
    NS_TEST_EXPECT_MSG_EQ(options.Split(1).front().Describe(), "", "no key");
    options.Set("load", "0.3,0.5");
    options.Set("cc", "hpcc,dcqcn");
    options.Set("seed", "7");
    const auto variants = options.Split(2);
    std::string texts;
    for (const auto& variant : variants)
    {
        texts += variant.Describe() + ";";
        // each is the scenario that its values give alone
        DcnScenarioOptions alone;
        alone.Set("flows", "50");
        for (const auto& key : variant.keys)
        {
            alone.Set(key.name, key.value);
        }
        NS_TEST_EXPECT_MSG_EQ(variant.options.MakeDrawnRecipe().ToFullText(),
                              alone.MakeDrawnRecipe().ToFullText(),
                              variant.Describe());
    }
    NS_TEST_EXPECT_MSG_EQ(texts,
                          "load=0.3,cc=hpcc,seed=7;load=0.3,cc=hpcc,seed=8;"
                          "load=0.3,cc=dcqcn,seed=7;load=0.3,cc=dcqcn,seed=8;"
                          "load=0.5,cc=hpcc,seed=7;load=0.5,cc=hpcc,seed=8;"
                          "load=0.5,cc=dcqcn,seed=7;load=0.5,cc=dcqcn,seed=8;",
                          "order");
    NS_TEST_EXPECT_MSG_EQ(variants[3].GetFolder(), "load-0.3_cc-dcqcn_seed-8", "a folder's name");
    NS_TEST_EXPECT_MSG_EQ(variants[3].keys[0].number, 0.3, "place on an axis");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(variants[3].keys[1].number), true, "a word has none");
    DcnScenarioOptions rates;
    rates.Set("hostRate", "25Gbps,100Gbps");
    rates.Set("linkDelay", "500ns,2us");
    const auto keys = rates.Split(1).back().keys;
    NS_TEST_EXPECT_MSG_EQ(keys[0].number, 100, "Gb/s");
    NS_TEST_EXPECT_MSG_EQ(keys[0].unit, "Gb/s", "unit");
    NS_TEST_EXPECT_MSG_EQ(keys[1].number, 2, "us");
    NS_TEST_EXPECT_MSG_EQ(keys[1].unit, "us", "unit");
    DCN_TEST_EXPECT_ERROR(options.Create(),
                          "--cc=hpcc,dcqcn has several values, but one scenario is asked for: "
                          "dcn-compare --cc=hpcc,dcqcn runs all of them");
    for (const uint64_t nSeeds : {2501UL, 10'000'000'000'000UL}) // the latter takes no memory
    {
        DCN_TEST_EXPECT_ERROR(options.Split(nSeeds),
                              "the values of the options have more than 10000 combinations: run "
                              "some of them");
    }
    options.Set("cc", "hpcc,");
    DCN_TEST_EXPECT_ERROR(options.Split(1), "--cc=hpcc, has an empty value");
    options.Set("cc", "hpcc,hpcc");
    DCN_TEST_EXPECT_ERROR(options.Split(1), "--cc names \"hpcc\" twice");
    options.Set("cc", "");
    options.Set("seed", "1,5");
    DCN_TEST_EXPECT_ERROR(options.Split(2), "--seed=1,5 has several values: leave out --seeds");
    NS_TEST_EXPECT_MSG_EQ(options.Split(1)[1].Describe(), "load=0.3,seed=5", "seeds by name");
}

/// Scenarios in one table: what is written, which scenarios are repetitions, what the plots show.
DCN_TEST_CASE(SweepTestCase, "answers of several scenarios")
{
    const std::string folder = CreateTempDirFilename("sweep");
    DcnMakeFolder(folder);
    DcnSweep sweep;
    std::vector<double> p99s;
    for (const std::string cc : {"hpcc", "dcqcn"})
    {
        for (const double load : {0.3, 0.5})
        {
            for (const int seed : {1, 2, 3})
            {
                // slowdowns 1 + x (1 + i / 100) of 200 flows below 1 KB, with another x for each
                const double x = load * (cc == "hpcc" ? 1 : 2) * (1 + 0.1 * seed * seed);
                std::vector<DcnFlow> flows;
                for (uint32_t i = 0; i < 200; ++i)
                {
                    flows.push_back({i, i % 4, 4 + i % 4, 500, 100 * i});
                }
                const auto scenario = DcnScenario::Create(DcnBuildTopology(DcnDumbbellParameters()),
                                                          DcnNetworkConfig::Preset("dctcp"),
                                                          flows);
                DcnFctTable table(scenario);
                for (const double factor : {1.0, 1.5})
                {
                    DcnEstimate estimate;
                    estimate.method = factor == 1 ? "packet" : "a,b";
                    estimate.isGroundTruth = factor == 1;
                    for (std::size_t i = 0; i < flows.size(); ++i)
                    {
                        const double slowdown = 1 + factor * x * (1 + i / 100.0);
                        estimate.fctNs.push_back(std::llround(slowdown * table.GetIdealNs()[i]));
                    }
                    table.Add(estimate);
                }
                table.Write(folder);
                table.WriteDistributions(folder + "/distributions.csv");
                const auto summary = DcnFctTable::ReadSummary(folder + "/summary.csv");
                const auto written = table.GetSummary();
                NS_TEST_ASSERT_MSG_EQ(summary.size(), written.size(), "rows read back");
                for (std::size_t i = 0; i < summary.size(); ++i)
                {
                    const auto& before = written[i];
                    NS_TEST_EXPECT_MSG_EQ(summary[i].metric, before.metric, "row " << i);
                    NS_TEST_EXPECT_MSG_EQ(std::isnan(summary[i].truth),
                                          std::isnan(before.truth),
                                          i);
                    NS_TEST_EXPECT_MSG_EQ_TOL(summary[i].value, before.value, 1e-8, "row " << i);
                }
                const auto distributions =
                    DcnFctTable::ReadDistributions(folder + "/distributions.csv");
                NS_TEST_ASSERT_MSG_EQ(distributions.size(), 4, "methods times all and <1KB");
                for (const auto& [share, value] : distributions[0].points)
                {
                    auto values = table.GetSlowdowns(0, DcnSizeClasses().front());
                    std::sort(values.begin(), values.end());
                    NS_TEST_EXPECT_MSG_EQ_TOL(value,
                                              DcnWeightedQuantile(values, 1 - share),
                                              1e-6,
                                              "share " << share);
                }
                NS_TEST_EXPECT_MSG_EQ(distributions[0].points.size(), 47, "down to a flow of 200");
                const std::string name = cc + std::to_string(seed);
                sweep.Add({{"cc", cc, NAN, ""},
                           {"load", DcnToText(load), load, ""},
                           {"seed", std::to_string(seed), NAN, ""}},
                          name,
                          summary,
                          distributions);
                p99s.push_back(summary[2].value);
            }
        }
    }
    NS_TEST_ASSERT_MSG_EQ(sweep.GetN(), 12, "scenarios");
    sweep.Write(folder);
    DcnCsvReader csv(folder + "/scenarios.csv",
                     {"cc",
                      "load",
                      "seed",
                      "folder",
                      "method",
                      "metric",
                      "size_class",
                      "value",
                      "truth",
                      "relative_error",
                      "answered_by"});
    std::size_t nP99 = 0;
    while (csv.FetchRow())
    {
        if (csv.GetText(4) == "packet" && csv.GetText(5) == "p99_slowdown" &&
            csv.GetText(6) == "all")
        {
            NS_TEST_ASSERT_MSG_LT(nP99, p99s.size(), "a row for each scenario");
            NS_TEST_EXPECT_MSG_EQ_TOL(csv.GetDouble(7), p99s[nP99], 1e-7, csv.Where());
            ++nP99;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(nP99, 12, "a row for each scenario");
    // median, smallest and largest value over the seeds
    const std::string text = sweep.MakeText();
    char expected[100];
    std::snprintf(expected, sizeof(expected), "%.3f     %.3f    %.3f", p99s[1], p99s[0], p99s[2]);
    NS_TEST_EXPECT_MSG_NE(text.find(expected), std::string::npos, expected << " in " << text);
    NS_TEST_EXPECT_MSG_EQ(std::count(text.begin(), text.end(), '\n'), 9, "4 times 2 methods");
    NS_TEST_EXPECT_MSG_EQ(sweep.DescribeLeftOut().size(), 0, "four curves");
    sweep.Plot(folder, "title");
    const std::string script = DcnReadTestFile(folder + "/p99-by-size.plt");
    NS_TEST_EXPECT_MSG_NE(script.find("\"load\""), std::string::npos, "the abscissa");
    NS_TEST_EXPECT_MSG_NE(script.find("\"dcqcn, packet\""), std::string::npos, "a curve");
    const std::string curves = DcnReadTestFile(folder + "/slowdown-by-size-a-b.plt");
    NS_TEST_EXPECT_MSG_NE(curves.find("\"hpcc load 0.5\""), std::string::npos, "a curve");
    NS_TEST_EXPECT_MSG_NE(curves.find("polygon from"), std::string::npos, "a range");
}

/// A file of completion times is joined by flow, or says why not.
DCN_TEST_CASE(TruthFileTestCase, "completion times of a file as the truth")
{
    const auto scenario = DcnMakeDumbbellScenario({{3, 0, 2, 1000, 100},
                                                   {4, 0, 2, 1000, 5000},
                                                   {5, 0, 2, 1000, 9000},
                                                   {6, 1, 3, 70000, 9000}});
    const std::string path = CreateTempDirFilename("fct.txt");
    auto read = [&](const std::string& text) {
        DcnWriteTestFile(path, text);
        return DcnReadTruth(path, *scenario);
    };
    auto show = [](const DcnEstimate& estimate) {
        std::string text;
        for (const int64_t fct : estimate.fctNs)
        {
            text += std::to_string(fct) + " ";
        }
        for (const std::string& note : estimate.notes)
        {
            text += note + "; ";
        }
        return text;
    };
    NS_TEST_EXPECT_MSG_EQ(show(read("\xef\xbb\xbf"
                                    "flow_id,fct_ns\n3,7\n")),
                          show(read("flow_id,fct_ns\n3,7\n")),
                          "a byte order mark before CSV");
    NS_TEST_EXPECT_MSG_EQ(show(read("\xef\xbb\xbf"
                                    "0b000101 0b000301 10000 100 70000 9000 80000 70000\n")),
                          show(read("0b000101 0b000301 10000 100 70000 9000 80000 70000\n")),
                          "and before words");
    DCN_TEST_EXPECT_ERROR(read("\xff\xfe" + std::string("f\0l\0", 4)),
                          path + ":1: the file is in UTF-16: save it as UTF-8");
    DCN_TEST_EXPECT_ERROR(read("\xef\x01\x02"),
                          path +
                              ":1: the file begins with bytes that are no UTF-8: save it as UTF-8");
    // nodes 0 to 3; in any order; starts decide among flows of the same hosts and bytes
    const std::string last = "0b000101 0b000301 10000 100 70000 9000 80000 70000\n";
    DcnEstimate truth = read(last + "0b000001 0b000201 10002 100 1000 9000 30000 5000\n"
                                    "0b000001 0b000201 10000 100 1000 100 10000 5000\n"
                                    "0b000001 0b000201 10001 100 1000 5000 20000 5000\n");
    NS_TEST_EXPECT_MSG_EQ(show(truth), "10000 20000 30000 80000 ", "all");
    NS_TEST_EXPECT_MSG_EQ(truth.isGroundTruth, true, "errors refer to it");
    NS_TEST_EXPECT_MSG_EQ(truth.IsComplete(), true, "all");
    // as many lines as flows: other starts are taken in their order
    const std::string shifted = "0b000001 0b000201 1 1 1000 1000000100 10000 5000\n"
                                "0b000001 0b000201 1 1 1000 1000009000 30000 5000\n"
                                "0b000001 0b000201 1 1 1000 1000005000 20000 5000\n";
    NS_TEST_EXPECT_MSG_EQ(show(read(shifted)),
                          "10000 20000 30000 -1 starts of 3 lines of " + path +
                              " differ from those of the flows, by up to 1000000000 ns: they were "
                              "joined in the order of starts; ",
                          "by order");
    // fewer lines: by the start
    truth = read("0b000001 0b000201 1 1 1000 9001 30000 5000\n"
                 "0b000001 0b000201 1 1 1000 7000 20000 5000\n");
    NS_TEST_EXPECT_MSG_EQ(show(truth),
                          "-1 -1 30000 -1 1 lines of " + path +
                              " have no flow here and are left out; the first is line 2 (no flow "
                              "from 0 to 2 with 1000 bytes starts at 7000 ns); ",
                          "by start");
    NS_TEST_EXPECT_MSG_EQ(truth.unfinished["no line in the file"], 3, "flows without a line");
    // with numbers of flows, as Parsimon's and m3's
    NS_TEST_EXPECT_MSG_EQ(show(read("4 0b000001 0b000201 1 1 1000 5000 20000 5000\n"
                                    "6 0b000001 0b000201 1 1 5 5000 20000 5000\n")),
                          "-1 20000 -1 -1 1 lines of " + path +
                              " have no flow here and are left out; the first is line 2 (flow 6 "
                              "has 70000 bytes, not 5); ",
                          "by number");
    NS_TEST_EXPECT_MSG_EQ(show(read("flow_id,fct_ns\n6,90000\n3,11000\n4,nan\n")),
                          "11000 -1 -1 90000 ",
                          "CSV");
    truth = read("flow_id,fct_ns\n6,90000\n3,11000\n4,nan\n");
    NS_TEST_EXPECT_MSG_EQ(truth.unfinished["nan in the file"], 1, "a line without a time");
    NS_TEST_EXPECT_MSG_EQ(truth.unfinished["no line in the file"], 1, "no line");
    NS_TEST_EXPECT_MSG_EQ(show(read("flow_id,fct_ns\n3,7\n")),
                          "7 -1 -1 -1 1 completion times of " + path +
                              " are below the ideal ones of this scenario: its network or packets "
                              "are others; ",
                          "too short");
    const std::pair<std::string, std::string> bad[] = {
        {"0b000001 0b000201 1 1 1000 100 x 5\n",
         ":1: the completion time must be a whole number, but it is \"x\""},
        {"0b000001 0c000201 1 1 1000 100 10 5\n",
         ":1: expected an address such as 0b000001 of node 0, but it is \"0c000201\""},
        {"0b000001 0b000201 1 1 1000 100 0 5\n",
         ":1: a start must be at least 0, a completion time 1 ns, and both at most "
         "1000000000000000 ns"},
        {"0b000001 0b000201 1 1 1000 100 9223372036854775807 5\n",
         ":1: a start must be at least 0, a completion time 1 ns, and both at most "
         "1000000000000000 ns"},
        {"0b000001 0b000201 1 1 1000 100 10 0\n",
         ":1: a start must be at least 0, a completion time 1 ns, and both at most "
         "1000000000000000 ns"},
        {"0b000001 0b000201 1 1 1000 100 10 5.5\n",
         ":1: the ideal completion time must be a whole number, but it is \"5.5\""},
        {"0b000001 0b000201 1 x 1000 100 10 5\n",
         ":1: the port of the receiver must be a whole number, but it is \"x\""},
        {"0b000001 0b000201 65536 1 1000 100 10 5\n", ":1: a port must be at most 65535"},
        {"flow_id,fct_ns\n3,nan\n3,41000\n",
         ":3: flow 3 has a completion time already, on an earlier line"},
        {"flow_id,fct_ns\n3,1000000000000001\n",
         ":2: fct_ns must be from 1 to 1000000000000000, or nan, but it is 1000000000000001"},
        {"\n0b000001 0b000201 1 1 1000 100 10\n",
         ":2: expected 8 words (addresses, ports, bytes, start, completion time, ideal completion "
         "time), or in all lines 9 with the number of the flow before them, or CSV with the header "
         "flow_id,fct_ns"},
        {"3 0b000001 0b000201 1 1 1000 100 10 5\n3 0b000001 0b000201 1 1 1000 100 10 5\n",
         ":2: flow 3 has a completion time already, on an earlier line"},
        {"",
         ": none of its 0 completion times belongs to one of the 4 flows of the scenario: give "
         "the scenario that was simulated, as by dcn-convert"},
        {"flow_id,fct_ns\n77,10\n",
         ": none of its 1 completion times belongs to one of the 4 flows of the scenario; the "
         "first "
         "is line 2 (there is no flow 77): give the scenario that was simulated, as by "
         "dcn-convert"}};
    for (const auto& [text, sentence] : bad)
    {
        DCN_TEST_EXPECT_ERROR(read(text), path + sentence);
    }
}

/// Texts of any bytes are JSON strings that a parser reads back; what is no UTF-8 is marked.
DCN_TEST_CASE(JsonTestCase, "texts as JSON")
{
    const auto read = [](const std::string& text) {
        boost::property_tree::ptree tree;
        std::istringstream json("{\"a\": " + DcnQuoteJson(text) + "}");
        boost::property_tree::read_json(json, tree);
        return tree.get<std::string>("a");
    };
    for (const std::string& text : DcnHostileTexts())
    {
        NS_TEST_EXPECT_MSG_EQ(read(text), text, "read back");
    }
    for (const char* const whole : {"\xc3\xb6", "\xe5\xa4\xa7", "\xf0\x9f\x98\x80", "\xed\x9f\xbf"})
    {
        NS_TEST_EXPECT_MSG_EQ(read(whole), whole, "characters of several bytes");
    }
    for (const char* const broken :
         {"\xff", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\x80"})
    {
        const std::string json = DcnQuoteJson(std::string("a") + broken + "b");
        NS_TEST_EXPECT_MSG_EQ(std::any_of(json.begin(),
                                          json.end(),
                                          [](char c) { return static_cast<signed char>(c) < 0; }),
                              false,
                              json);
        NS_TEST_EXPECT_MSG_EQ(json.rfind("\"a\\ufffd", 0), std::size_t{0}, json);
    }
}

/// Texts of any bytes are cells that a reader takes back, with and without quotes.
DCN_TEST_CASE(CsvTestCase, "texts as cells of a CSV file")
{
    const std::string path = CreateTempDirFilename("cells.csv");
    const auto read = [&path](const std::string& cell) {
        std::ofstream(path) << "first,text,last\n1," << cell << ",2\n";
        DcnCsvReader csv(path, {"first", "text", "last"});
        csv.FetchRow();
        return csv.GetText(1) + (csv.GetText(2) == "2" ? "" : " and no end");
    };
    for (std::string text : DcnHostileTexts())
    {
        const std::string sentence = read(DcnCsvText(text));
        std::replace_if(
            text.begin(),
            text.end(),
            [](char c) { return c == '\n' || c == '\r'; },
            ' ');
        std::string quoted;
        for (const char c : text)
        {
            quoted += std::string(c == '"' ? 2 : 1, c);
        }
        NS_TEST_EXPECT_MSG_EQ(read(" \"" + quoted + "\"\t"), text, "between quotes");
        std::replace(text.begin(), text.end(), ',', ';');
        const std::size_t first = text.find_first_not_of(" \t");
        // blanks around it have no meaning, but in quotes
        if (first != std::string::npos && text[first] != '"' && text[first] != '#')
        {
            text = text.substr(first, text.find_last_not_of(" \t") + 1 - first);
        }
        const std::string expected = first == std::string::npos ? "" : text;
        NS_TEST_EXPECT_MSG_EQ(sentence, expected, "a sentence");
    }
    for (const std::string cell : {"\"open", "\"a\"b", "\"a\"\"\"b"})
    {
        DCN_TEST_EXPECT_ERROR(read(cell),
                              path +
                                  ":2: a quoted cell ends with \" before the next comma, and a \" "
                                  "in it is written twice, but it is " +
                                  cell + ",2");
    }
}

/// A signal ends a program with one sentence, which a child of it does not repeat.
DCN_TEST_CASE(InterruptTestCase, "sentence of a program that a signal ends")
{
    const std::string sentence = "\ndcn-test: interrupted; no results were written, except files "
                                 "that it has named or that are stored for the next run\n";
    NS_TEST_EXPECT_MSG_EQ(Interrupt([]() { raise(SIGTERM); }), sentence, "of the program");
    NS_TEST_EXPECT_MSG_EQ(Interrupt([]() {
                              {
                                  const DcnInterruptMessage inner("inner");
                              }
                              raise(SIGINT);
                          }),
                          sentence,
                          "holds again");
    NS_TEST_EXPECT_MSG_EQ(Interrupt([]() {
                              const DcnInterruptMessage inner("inner");
                              if (fork() == 0)
                              {
                                  raise(SIGINT);
                              }
                              wait(nullptr);
                              raise(SIGINT);
                          }),
                          "inner",
                          "once");
    NS_TEST_EXPECT_MSG_EQ(Interrupt(
                              []() {
                                  raise(SIGINT);
                                  raise(SIGKILL);
                              },
                              true),
                          "",
                          "an ignored signal stays ignored");
}

/// A row of summary.csv.
struct Line
{
    std::string method;        //!< cell
    std::string metric;        //!< cell
    std::string sizeClass;     //!< cell
    std::string value;         //!< cell
    std::string relativeError; //!< cell
    std::string answeredBy;    //!< cell
    std::string provenance;    //!< cell
};

/// An answer that another method gave is no accuracy of this one, in no file and no row.
DCN_TEST_CASE(ProvenanceTestCase, "provenance: who answered, errors of fallbacks, costs")
{
    // table: answers
    // Returns the rows of summary.csv, as a reader sees them who has nothing else
    const auto writeAndRead = [&](const DcnFctTable& table) {
        const std::string folder = CreateTempDirFilename("provenance");
        DcnMakeFolder(folder);
        table.Write(folder);
        DcnCsvReader csv(folder + "/summary.csv", SUMMARY_COLUMNS);
        std::vector<Line> lines;
        while (csv.FetchRow())
        {
            lines.push_back({csv.GetText(0),
                             csv.GetText(1),
                             csv.GetText(2),
                             csv.GetText(3),
                             csv.GetText(5),
                             csv.GetText(6),
                             csv.GetText(7)});
        }
        return lines;
    };
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnDumbbellParameters());
    auto scenario = DcnScenario::Create(topology,
                                        DcnNetworkConfig::Preset("dctcp"),
                                        {{0, 0, 4, 500, 0}, {1, 1, 5, 60000, 100}});
    DcnFctTable table(scenario);
    auto answer = [&table](const std::string& method, int64_t slowdown) {
        DcnEstimate estimate;
        estimate.method = method;
        estimate.provenance = "made by hand, " + method + "\nin two lines";
        estimate.isGroundTruth = table.GetEstimates().empty();
        for (int64_t ideal : table.GetIdealNs())
        {
            estimate.fctNs.push_back(slowdown * ideal);
        }
        return estimate;
    };
    DcnEstimate truth = answer("packet", 2);
    truth.cpuSeconds = 6;
    DcnEstimate own = answer("ns3-path:NPaths=0", 2); // as good, by its own rules
    DcnEstimate whole = answer("ns3-path", 2);
    whole.answeredBy = "packet:Seed=1";
    whole.cpuSeconds = 1.5;
    whole.jobs = 3;
    DcnEstimate variant = answer("mql", 3);
    variant.answeredBy = "mql:Correction=none";
    for (const DcnEstimate& each : {truth, own, whole, variant})
    {
        table.Add(each);
    }
    table.SetScenarioCost({0.125, 0.25}); // processor time, elapsed time
    const std::string errors[] = {"nan", "0", "nan", "0.5"};
    const std::string flowErrors[] = {"nan", "0", "nan", "0.5"};
    std::size_t nErrors = 0;
    std::size_t nFlowErrors = 0;
    std::size_t nCosts = 0;
    for (const Line& line : writeAndRead(table))
    {
        const std::size_t m = line.method == "packet"              ? 0
                              : line.method == "ns3-path:NPaths=0" ? 1
                              : line.method == "ns3-path"          ? 2
                                                                   : 3;
        const std::string what = line.method + ", " + line.metric + ", " + line.sizeClass;
        NS_TEST_EXPECT_MSG_EQ(line.answeredBy, table.GetEstimates()[m].answeredBy, what);
        NS_TEST_EXPECT_MSG_EQ(line.provenance,
                              "made by hand; " + line.method + " in two lines",
                              what);
        if (line.metric.find("slowdown") != std::string::npos)
        {
            ++nErrors;
            NS_TEST_EXPECT_MSG_EQ(line.relativeError, errors[m], what);
            NS_TEST_EXPECT_MSG_EQ(line.value, (m == 3 ? "3" : "2"), what);
        }
        else if (line.metric.find("flow_error") != std::string::npos)
        {
            ++nFlowErrors;
            NS_TEST_EXPECT_MSG_EQ(line.value, flowErrors[m], what);
            NS_TEST_EXPECT_MSG_EQ(line.relativeError, "nan", what);
        }
        else
        {
            ++nCosts;
            NS_TEST_EXPECT_MSG_EQ(line.relativeError, "nan", what);
            const std::string expected = line.metric == "cpu_s"            ? m == 0   ? "6"
                                                                             : m == 2 ? "1.5"
                                                                                      : "0"
                                         : line.metric == "jobs"           ? m == 2 ? "3" : "1"
                                         : line.metric == "scenario_s"     ? "0.25"
                                         : line.metric == "scenario_cpu_s" ? "0.125"
                                                                           : "0";
            NS_TEST_EXPECT_MSG_EQ(line.value, expected, what);
        }
    }
    // all, <1KB and >50KB of four methods
    NS_TEST_EXPECT_MSG_EQ(nErrors, 4 * 3 * 4, "quantiles and mean");
    NS_TEST_EXPECT_MSG_EQ(nFlowErrors, 4 * 3 * 2, "errors of flows");
    NS_TEST_EXPECT_MSG_EQ(nCosts, 4 * 5, "costs");

    // the method that answered in the truth's place is compared with itself
    DcnFctTable other(scenario);
    DcnEstimate first = answer("ns3-path", 2);
    first.answeredBy = "packet";
    first.isGroundTruth = true;
    other.Add(first);
    other.Add(answer("packet", 2));
    other.Add(answer("flowsim", 3));
    NS_TEST_EXPECT_MSG_EQ(other.HasError(0), false, "the truth");
    NS_TEST_EXPECT_MSG_EQ(other.HasError(1), false, "the truth once more");
    NS_TEST_EXPECT_MSG_EQ(other.HasError(2), true, "another method");
    other.Add(answer("packet:Seed=1", 2));
    NS_TEST_EXPECT_MSG_EQ(other.HasError(3), false, "the truth with other attributes");

    // plots name who answered
    const std::string base = CreateTempDirFilename("curves");
    table.PlotSlowdowns(base);
    const std::string text = DcnReadTestFile(base + ".plt");
    NS_TEST_EXPECT_MSG_NE(text.find("ns3-path = packet:Seed=1"), std::string::npos, text);
    NS_TEST_EXPECT_MSG_EQ(DcnEstimate::IsOther("mql", "mql:Correction=none"), false, "variant");
    NS_TEST_EXPECT_MSG_EQ(DcnEstimate::IsOther("mql (seed 2)", "mql:A=1"), false, "variant");
    NS_TEST_EXPECT_MSG_EQ(DcnEstimate::IsOther("m3:NPaths=2", "m4"), true, "another");
    NS_TEST_EXPECT_MSG_EQ(DcnEstimate::IsOther("m3", ""), false, "itself");
}

DCN_TEST_CASE(EarlierRunTestCase, "the p99 of an earlier run on the same scenario")
{
    const std::string folder = CreateTempDirFilename("before");
    auto scenario = DcnScenario::Create(DcnBuildTopology(DcnDumbbellParameters()),
                                        DcnNetworkConfig::Preset("dctcp"),
                                        {{0, 0, 4, 500, 0}, {1, 1, 5, 60000, 100}});
    auto makeTable = [&scenario](const std::vector<std::pair<std::string, int64_t>>& slowdowns) {
        DcnFctTable table(scenario);
        for (const auto& [method, slowdown] : slowdowns)
        {
            DcnEstimate estimate;
            estimate.method = method;
            for (int64_t ideal : table.GetIdealNs())
            {
                estimate.fctNs.push_back(slowdown * ideal);
            }
            table.Add(estimate);
        }
        return table;
    };
    const std::string recipe = "topology=dumbbell,sizes=\"a\"";
    DCN_TEST_EXPECT_ERROR(DcnEarlierRun(folder, recipe),
                          folder + "/run.json: the file cannot be read (there is no such folder)");
    {
        DcnRunRecord record(folder, "dcn-compare", {});
        DCN_TEST_EXPECT_ERROR(
            DcnEarlierRun(folder, recipe),
            folder + "/run.json has no scenario: name the folder of an earlier run of dcn-compare");
        record.SetScenario(recipe, 1);
    }
    DCN_TEST_EXPECT_ERROR(DcnEarlierRun(folder, recipe),
                          folder + "/summary.csv: the file cannot be read (there is no such file)");
    makeTable({{"packet", 4}, {"old", 2}, {"flowsim", 2}}).Write(folder);
    DCN_TEST_EXPECT_ERROR(DcnEarlierRun(folder, "load=0.5"),
                          "the earlier run in " + folder +
                              " had topology=dumbbell sizes=\"a\", but this one has load=0.5: "
                              "give both runs the same options");
    DCN_TEST_EXPECT_ERROR(DcnEarlierRun(folder, "topology=dumbbell"),
                          "the earlier run in " + folder +
                              " had sizes=\"a\", but this one has not: give both runs the same "
                              "options");
    DCN_TEST_EXPECT_ERROR(DcnEarlierRun(folder, recipe + ",cc=hpcc"),
                          "the earlier run in " + folder +
                              " did not have cc=hpcc: give both runs the same options");
    Config::SetDefault("ns3::DcnNetworkConfig::DctcpG", DoubleValue(0.9));
    NS_TEST_EXPECT_MSG_EQ(DcnRunRecord::ListAttributes().size(), 1, "what differs by default");
    DCN_TEST_EXPECT_ERROR(DcnEarlierRun(folder, recipe),
                          "the earlier run in " + folder +
                              " did not have ns3::DcnNetworkConfig::DctcpG=0.9: give both runs the "
                              "same options");
    Config::Reset();
    NS_TEST_EXPECT_MSG_EQ(DcnRunRecord::ListAttributes().size(), 0, "all as they were");
    const DcnFctTable now = makeTable({{"packet", 5}, {"new", 3}, {"flowsim", 2}});
    NS_TEST_EXPECT_MSG_EQ(DcnEarlierRun(folder, recipe).Compare(now),
                          "the code is the same\np99 slowdown before (" + folder +
                              ") and now:\n"
                              "packet        4.000     5.000    +25.0%\n"
                              "new               -         -         -\n"
                              "flowsim       2.000     2.000     +0.0%\n",
                          "lines");
    std::string record = DcnReadTestFile(folder + "/run.json");
    const std::string code = DcnRunRecord::GetCodeDigest();
    record.replace(record.find(code), code.size(), "0123456789abcdef");
    DcnWriteTestFile(folder + "/run.json", record);
    const std::string other = DcnEarlierRun(folder, recipe).Compare(now);
    NS_TEST_EXPECT_MSG_EQ(other.rfind("the code differs: ", 0), std::size_t{0}, other);
    NS_TEST_EXPECT_MSG_NE(other.find("(build 0123456789abcdef) before, "),
                          std::string::npos,
                          other);
    NS_TEST_EXPECT_MSG_NE(other.find("(build " + code + ") now\n"), std::string::npos, other);
}

DcnTestSuite<UnitsTestCase,
             IdealFctTestCase,
             QuantileTestCase,
             TableTestCase,
             TruthTestCase,
             RunRecordTestCase,
             SplitTestCase,
             SweepTestCase,
             TruthFileTestCase,
             JsonTestCase,
             CsvTestCase,
             InterruptTestCase,
             ProvenanceTestCase,
             EarlierRunTestCase>
    g_dcnFctTableTestSuite("dcn-fct-table"); //!< the suite

} // namespace
