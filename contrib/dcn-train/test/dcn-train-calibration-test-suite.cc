/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Calibration: parameters of a known cluster are found again from its times.
 */

#include "dcn-test-case.h"
#include "dcn-train-test.h"

#include "ns3/command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-train-calibration.h"
#include "ns3/test.h"

#include <cmath>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/// @return options of a network, as from the command line
DcnTrainNetworkOptions
MakeOptions(const std::vector<std::string>& arguments)
{
    DcnTrainNetworkOptions options("flowsim");
    CommandLine cmd("test");
    options.AddTo(cmd);
    std::vector<std::string> all = {"test"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    cmd.Parse(all);
    return options;
}

/// @return a set-up of two servers of four, or of a fat tree of 16 hosts
DcnTrainCalibration::Setup
MakeSetup(bool hasServers)
{
    DcnTrainCalibration::Setup setup;
    setup.network = hasServers ? MakeOptions({"--servers=2", "--accelerators=4", "--spines=0"})
                               : MakeOptions({"--pods=4"});
    setup.table = DcnTrainProtocols::Read("nccl");
    setup.channels = 4;
    return setup;
}

/// @return probes with the times of a set-up, whose first ones are fitted
std::vector<DcnTrainProbe>
Measure(const DcnTrainCalibration::Setup& setup,
        std::vector<DcnTrainProbe> probes,
        std::size_t nFitted)
{
    for (std::size_t i = 0; i < probes.size(); ++i)
    {
        probes[i].timeUs = 1;
        probes[i].isFitted = i < nFitted;
    }
    const auto result = DcnTrainCalibration(setup, {}).Fit(probes);
    for (std::size_t i = 0; i < probes.size(); ++i)
    {
        probes[i].timeUs = result.rows[i].timeUs;
    }
    return probes;
}

/// Host latency, delay of links and rate of NICs of a network, from pings over two and six links
/// and a long flow.
DCN_TEST_CASE(NetworkTestCase, "parameters of a network are found again")
{
    DcnTrainCalibration::Setup truth = MakeSetup(false);
    truth.network =
        MakeOptions({"--pods=4", "--hostLatency=3700ns", "--linkDelay=640ns", "--hostRate=91Gbps"});
    const auto probes = Measure(truth,
                                {{"ping", 0, 1, 8},
                                 {"ping", 0, 15, 8},
                                 {"flow", 0, 1, 100'000'000},
                                 {"flow", 3, 9, 5'000'000},
                                 {"ping", 4, 2, 4000}},
                                3);
    DcnTrainCalibration calibration(MakeSetup(false),
                                    {"hostLatency", "linkDelay", "nicEfficiency"});
    const auto result = calibration.Fit(probes);
    NS_TEST_EXPECT_MSG_EQ_TOL(result.parameters[0].value, 3.7, 0.02, "host latency");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.parameters[1].value, 0.64, 0.005, "delay of links");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.parameters[2].value, 0.91, 0.002, "rate of NICs");
    for (const auto& row : result.rows)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(row.GetError(), 0, 0.003, row.probe.kind << row.probe.bytes);
    }
    const std::string options = calibration.DescribeOptions(
        {{"hostLatency", 3.7}, {"linkDelay", 0.64}, {"nicEfficiency", 0.91}});
    NS_TEST_EXPECT_MSG_EQ(options,
                          "--hostLatency=3700ns --linkDelay=640ns --hostRate=91000000000bps",
                          "options");
}

/// Latency of hops and efficiency of protocols, from three sizes; others are predicted.
DCN_TEST_CASE(ProtocolsTestCase, "parameters of protocols are found again")
{
    DcnTrainCalibration::Setup truth = MakeSetup(true);
    for (DcnTrainProtocol& row : truth.table)
    {
        row.scaleOutNs = row.name == "LL" ? 40'000 : row.name == "Simple" ? 90'000 : 1'000'000;
        row.efficiency = row.name == "Simple" ? 0.81 : row.efficiency;
    }
    const auto probes = Measure(truth,
                                {{"all-reduce", 0, 0, 1024},
                                 {"all-reduce", 0, 0, 1 << 24},
                                 {"all-reduce", 0, 0, 1 << 28},
                                 {"all-reduce", 0, 0, 8},
                                 {"all-reduce", 0, 0, 1 << 16},
                                 {"all-reduce", 0, 0, 1 << 26}},
                                3);
    DcnTrainCalibration::Setup setup = MakeSetup(true);
    setup.table.erase(std::remove_if(setup.table.begin(),
                                     setup.table.end(),
                                     [](const auto& row) { return row.name == "LL128"; }),
                      setup.table.end());
    DcnTrainCalibration calibration(
        setup,
        {"LL:scale_out_us", "Simple:scale_out_us", "Simple:efficiency"});
    const auto result = calibration.Fit(probes);
    NS_TEST_EXPECT_MSG_EQ_TOL(result.parameters[0].value, 40, 0.5, "hops of LL");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.parameters[1].value, 90, 4, "hops of Simple");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.parameters[2].value, 0.81, 0.01, "efficiency of Simple");
    for (const auto& row : result.rows)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(row.GetError(), 0, 0.02, row.probe.bytes);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(result.table[0].scaleOutNs, 40'000, 500, "the table has the value");
    NS_TEST_EXPECT_MSG_EQ(calibration.DescribeOptions(result.parameters), "", "no options");
}

DCN_TEST_CASE(RefusedTestCase, "parameters and probes that cannot be")
{
    const auto make = [](const std::string& name) {
        return DcnTrainCalibration(MakeSetup(true), {name});
    };
    DCN_TRAIN_EXPECT_ERROR_WITH(make("latency"),
                                "a parameter is hostLatency, linkDelay, nicEfficiency or");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("LL:chunk_bytes"), "a parameter is hostLatency");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("NVLS:launch_us"),
                                "has no row of the parameter NVLS:launch_us");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("ring/Simple:bus_gbps"),
                                "begins with 0 in the table of protocols");
    const std::vector<DcnTrainProbe> small = {{"all-reduce", 0, 0, 1024, 100, true},
                                              {"all-reduce", 0, 0, 2048, 100, false}};
    DCN_TRAIN_EXPECT_ERROR_WITH(
        DcnTrainCalibration(MakeSetup(true), {"LL:launch_us", "LL:scale_up_us"}).Fit(small),
        "there are 2 parameters and 1 probes to fit them to");
    DCN_TRAIN_EXPECT_ERROR_WITH(make("Simple:launch_us").Fit(small),
                                "the parameter Simple:launch_us changes none of the fitted probes");
    DCN_TRAIN_EXPECT_ERROR_WITH(
        DcnTrainCalibration(MakeSetup(true), {"LL:launch_us", "LL:scale_up_us"})
            .Fit({small[0], small[0]}),
        "the fitted probes do not tell the parameters apart");
}

DCN_TEST_CASE(LimitTestCase, "a parameter that ends at its limit is named")
{
    for (const double factor : {0.7, 1.3})
    {
        auto probes = Measure(MakeSetup(false), {{"flow", 0, 1, 10'000'000, 0, true}}, 1);
        probes[0].timeUs *= factor;
        const auto result = DcnTrainCalibration(MakeSetup(false), {"nicEfficiency"}).Fit(probes);
        NS_TEST_EXPECT_MSG_EQ(result.parameters[0].isAtLimit,
                              (factor < 1),
                              "no NIC is faster than its rate: " << result.parameters[0].value);
    }
}

DCN_TEST_CASE(ReadTestCase, "tables of probes and outputs of nccl-tests")
{
    const std::string path = CreateTempDirFilename("probes");
    const auto read = [&](const std::string& text,
                          const std::vector<uint64_t>& fitted = {},
                          const std::string& collective = "") {
        std::ofstream(path) << text;
        return DcnTrainCalibration::Read(path, collective, fitted);
    };
    const std::string head = "probe,from,to,bytes,time_us,use\n";
    const auto table = read(head + "ping,2,3,64,8.5,fit\nall-reduce,,,1024,99,predict\n");
    NS_TEST_ASSERT_MSG_EQ(table.size(), 2, "probes");
    NS_TEST_EXPECT_MSG_EQ(table[0].to, 3, "receiver");
    NS_TEST_EXPECT_MSG_EQ(table[0].isFitted, true, "fitted");
    NS_TEST_EXPECT_MSG_EQ(table[1].kind, "all-reduce", "kind");
    NS_TEST_EXPECT_MSG_EQ(table[1].isFitted, false, "predicted");
    // a byte order mark, alone and before a comment
    for (const char* begin : {"\xef\xbb\xbf", "\xef\xbb\xbf# measured\n"})
    {
        const auto marked = read(begin + head + "ping,2,3,64,8.5,fit\n");
        NS_TEST_ASSERT_MSG_EQ(marked.size(), 1, "probes behind " << begin);
        NS_TEST_EXPECT_MSG_EQ(marked[0].kind, "ping", "kind behind " << begin);
    }
    const auto first = read("\xef\xbb\xbf"
                            "1024 256 float sum -1 38.5 1 1 0 37 1 1 0\n");
    NS_TEST_ASSERT_MSG_EQ(first.size(), 1, "a line of nccl-tests behind the mark");
    NS_TEST_EXPECT_MSG_EQ(first[0].bytes, 1024, "its size");
    DCN_TRAIN_EXPECT_ERROR_WITH(DcnTrainCalibration::Read(CreateTempDirFilename(""), "", {}),
                                " is a folder, but a file of probes is expected");
    const std::vector<DcnTrainProbe> messages = {{"ping", 0, 1, 64, 8, true},
                                                 {"flow", 0, 1, 64, 8, true}};
    DCN_TRAIN_EXPECT_ERROR_WITH(DcnTrainCalibration::RefuseUnused(messages, {"channels", "use"}),
                                "--channels has no effect: none of the probes is a collective");
    DcnTrainCalibration::RefuseUnused(messages, {});
    DcnTrainCalibration::RefuseUnused(table, {"channels"}); // it has a collective
    // columns of nccl-tests: a comment, a line of today, one of versions without root
    const auto output =
        read("# nThread 1\n"
             "host: warning\n"
             "  1024  256  float  sum  -1  38.5  0.03  0.05  0  37.0  0.03  0.05  0\n"
             "  2048  512  float  sum  40.25  0.05  0.10  0e+00  39  0.05  0.1  0\n",
             {2048},
             "reduce-scatter");
    NS_TEST_ASSERT_MSG_EQ(output.size(), 2, "lines");
    NS_TEST_EXPECT_MSG_EQ(output[0].timeUs, 38.5, "out of place");
    NS_TEST_EXPECT_MSG_EQ(output[1].timeUs, 40.25, "without root");
    NS_TEST_EXPECT_MSG_EQ(output[1].kind, "reduce-scatter", "the collective");
    NS_TEST_EXPECT_MSG_EQ(output[0].isFitted, false, "predicted");
    NS_TEST_EXPECT_MSG_EQ(output[1].isFitted, true, "fitted");
    DCN_TRAIN_EXPECT_ERROR_WITH(read("1024 256 float\n"), ":1: a line of nccl-tests has");
    DCN_TRAIN_EXPECT_ERROR_WITH(read("# empty\n", {8}), "there is no line of 8 bytes");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "ping,0,1,8,9,fit\n", {8}), "--fit has no effect with");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "ping,0,1,8,0,fit\n"),
                                ":2: a probe has 1 to 1000000000000000 bytes and a time above 0");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "ping,0,1,8,1e300,fit\n"),
                                "a time above 0 and up to 1000000000 us, but they are 8 and 1e");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "ping,0,1,18000000000000000000,9,fit\n"),
                                ":2: a probe has 1 to 1000000000000000 bytes");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "ping,0,1,8,9,fit\n", {}, "all-gather"),
                                "--collective=all-gather has no effect with " + path);
    NS_TEST_EXPECT_MSG_EQ(read("8 2 float sum -1 38.5 1 1 0 37 1 1 0\n")[0].kind,
                          "all-reduce",
                          "without --collective");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "pong,,,8,9,fit\n"), ":2: a probe is ping, flow or a");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "all-reduce,0,,8,9,fit\n"),
                                ":2: a collective is of all hosts");
    DCN_TRAIN_EXPECT_ERROR_WITH(read(head + "ping,0,1,8,9,yes\n"),
                                ":2: use must be fit or predict");
    DCN_TRAIN_EXPECT_ERROR_WITH(
        read(head + "ping,0,1,8,9,fit\nping,1,0,8,9,fit\nping,0,1,8,7,fit\n"),
        ":4: the probe ping of 8 bytes comes twice");
}

DCN_TEST_CASE(NcclLinesTestCase, "lines of nccl-tests that are of another collective, or wrong")
{
    const std::string path = CreateTempDirFilename("output");
    const auto read = [&](const std::string& middle,
                          const std::string& collective,
                          const std::string& more = "0 37 1 1 0\n") {
        std::ofstream(path) << "1024 256 float " << middle << " 38.5 1 1 " << more;
        return DcnTrainCalibration::Read(path, collective, {}).size();
    };
    const std::vector<std::string> reductions = {"", "all-reduce", "reduce-scatter"};
    const std::vector<std::string> copies = {"all-gather", "all-to-all"};
    for (const auto& [right, collectives, others] :
         {std::tuple{"sum -1", reductions, copies}, std::tuple{"none -1", copies, reductions}})
    {
        for (const std::string& collective : collectives)
        {
            NS_TEST_EXPECT_MSG_EQ(read(right, collective), 1, collective);
            DCN_TRAIN_EXPECT_ERROR_WITH(read("none 0", collective), ":1: a line of the collective");
        }
        for (const std::string& collective : others)
        {
            DCN_TRAIN_EXPECT_ERROR_WITH(read(right, collective), ":1: a line of the collective");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(read("none 0", "broadcast"), 1, "from the first rank");
    NS_TEST_EXPECT_MSG_EQ(read("0", "broadcast"), 1, "of versions without redop");
    NS_TEST_EXPECT_MSG_EQ(read("max", "all-reduce"), 1, "of versions without root");
    DCN_TRAIN_EXPECT_ERROR_WITH(read("none 3", "broadcast"),
                                "has none as redop and the root 0, but they are none and 3");
    DCN_TRAIN_EXPECT_ERROR_WITH(read("3", "broadcast"), "but they are none and 3");
    DCN_TRAIN_EXPECT_ERROR_WITH(read("sum 0", "all-reduce"),
                                "has a reduction such as sum as redop and the root -1, but they "
                                "are sum and 0: name the collective of the output by --collective");
    NS_TEST_EXPECT_MSG_EQ(read("sum -1", "", "N/A 37 1 1 N/A\n"), 1, "not checked");
    DCN_TRAIN_EXPECT_ERROR_WITH(read("sum -1", "", "7 37 1 1 0\n"), ":1: #wrong is 7: the");
    DCN_TRAIN_EXPECT_ERROR_WITH(
        read("sum -1", "", "0 37 1 1 0\n1024 256 float sum -1 39 1 1 0 37 1 1 0\n"),
        ":2: the probe all-reduce of 1024 bytes comes twice: give it one time");
    DCN_TRAIN_EXPECT_ERROR_WITH(
        read("sum -1", "", "0 37 1 1 0\n#  (B)  (elements)   (ms)  (GB/s)\n"),
        ":2: the head of nccl-tests must have times in (us)");
}

DcnTestSuite<NetworkTestCase,
             ProtocolsTestCase,
             RefusedTestCase,
             LimitTestCase,
             ReadTestCase,
             NcclLinesTestCase>
    g_dcnTrainCalibrationTestSuite("dcn-train-calibration"); //!< the suite

} // namespace
