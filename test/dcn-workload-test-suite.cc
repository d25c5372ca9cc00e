/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-statistics.h"

#include "ns3/dcn-routing.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-traffic-matrix.h"
#include "ns3/dcn-workload.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Calibration. With n flows, n_c of them over link c, rates C_c and mean size E[S],
 *
 *     R = load C* n / n*,  m = 8e9 E[S] / R,  where c* has the largest n_c / C_c.
 *
 * If every flow has the size E[S], link c carries 8e9 n_c E[S] / C_c in the time n g that the
 * flows span with the mean realised gap g. Its load is load * (n_c / C_c) / (n* / C*) * m / g, the
 * largest of which is exactly load * m / g. For Poisson arrivals m / g is 1 with a standard
 * deviation of 1 / sqrt(n - 1): with n = 50,000 flows 3 % are 6.7 standard deviations, so that the
 * bound holds for each seed. With random sizes of coefficient of variation v the load of a link
 * varies by v / sqrt(n_c) more, and the largest of L equally loaded links lies above its
 * expectation. With exponential sizes, four hosts, n = 100,000 and n_c = 25,000 the standard
 * deviation is 0.7 %, gaps included, and the largest of eight host links is about 0.5 % above.
 */
class CalibrationTestCase : public TestCase
{
  public:
    CalibrationTestCase()
        : TestCase("the realised maximum load is within 3 % of the one asked for")
    {
    }

  private:
    static constexpr int N_SEEDS = 20; //!< seeds of each setting

    void DoRun() override
    {
        m_topology = DcnBuildTopology(DcnFabricParameters());
        DcnWorkloadSpec spec;
        spec.matrix = "uniform";
        spec.sizes = "constant:10000";
        spec.nFlows = 50'000;
        for (double load : {0.2, 0.5, 0.9})
        {
            spec.load = load;
            Check(spec, 0.03, 0.005);
        }
        spec.load = 0.5;
        spec.perSource = true;
        Check(spec, 0.03, 0.005);
        spec.perSource = false;

        DcnLeafSpineParameters small;
        small.racks = 2;
        small.hostsPerRack = 2;
        m_topology = DcnBuildTopology(small);
        spec.sizes = "exp:20000";
        spec.nFlows = 100'000;
        Check(spec, 0.03, 0.015);
        // with a duration test pairs set the rate: 160,000 put 40,000 on each host link, of which
        // they see the largest about 0.5 % too high, and the flows add as much the other way
        spec.sizes = "constant:10000";
        spec.nFlows = 0;
        spec.durationNs = 200'000'000;
        Check(spec, 0.03, 0.015);
    }

    /**
     * @param spec what to generate
     * @param each largest relative difference of one seed
     * @param mean largest relative difference of the mean over the seeds
     */
    void Check(DcnWorkloadSpec spec, double each, double mean)
    {
        double sum = 0;
        for (int seed = 1; seed <= N_SEEDS; ++seed)
        {
            spec.seed = seed;
            spec.ecmpSeed = seed;
            const DcnLoadReport load = DcnWorkload::Generate(m_topology, spec).load;
            NS_TEST_EXPECT_MSG_EQ_TOL(load.realised.maxLoad,
                                      spec.load,
                                      each * spec.load,
                                      "sizes " << spec.sizes << ", seed " << seed);
            if (spec.nFlows)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(load.expectedMaxLoad,
                                          spec.load,
                                          1e-12,
                                          "the calibration is not exact");
            }
            sum += load.realised.maxLoad;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / N_SEEDS,
                                  spec.load,
                                  mean * spec.load,
                                  "mean over the seeds, sizes " << spec.sizes);
    }

    Ptr<DcnTopology> m_topology; //!< the default fabric
};

/**
 * The report against a count in the test: hottest link and its share, rate, mean gap, payload and
 * wire loads (48 bytes for each started 1000 bytes).
 */
DCN_TEST_CASE(LoadReportTestCase, "the load report says what the flows are")
{
    auto topology = DcnBuildTopology(DcnFabricParameters());
    for (const char* matrix : {"uniform", "web", "incast:9", "permutation"})
    {
        DcnWorkloadSpec spec;
        spec.matrix = matrix;
        spec.load = 0.3;
        spec.nFlows = 3000;
        spec.startNs = 1'000'000'000;
        const DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        const DcnLoadReport& load = workload.load;
        const double n = workload.flows.size();
        std::vector<double> flows(topology->GetNLinks(), 0.0);
        std::vector<double> payload(flows.size(), 0.0);
        std::vector<double> wire(flows.size(), 0.0);
        double bytes = 0;
        for (std::size_t i = 0; i < workload.flows.size(); ++i)
        {
            const double size = workload.flows[i].sizeBytes;
            bytes += size;
            for (uint32_t link : workload.paths.Get(i))
            {
                flows[link] += 1.0 / topology->GetLink(link).rateBps;
                payload[link] += size / topology->GetLink(link).rateBps;
                wire[link] +=
                    (size + 48 * std::ceil(size / 1000)) / topology->GetLink(link).rateBps;
            }
        }
        auto largest = [](const std::vector<double>& values) {
            return *std::max_element(values.begin(), values.end());
        };
        const double hottestRate = topology->GetLink(load.hottestLink).rateBps;
        NS_TEST_EXPECT_MSG_EQ_TOL(flows[load.hottestLink],
                                  largest(flows),
                                  1e-12 * largest(flows),
                                  "another link is hotter");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.hottestShare,
                                  flows[load.hottestLink] * hottestRate / n,
                                  1e-12,
                                  "wrong share of the hottest link");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.offeredRateBps,
                                  0.3 * hottestRate / load.hottestShare,
                                  1,
                                  "wrong offered rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.meanGapNs,
                                  8e9 * load.meanSizeBytes / load.offeredRateBps,
                                  1e-6,
                                  "wrong mean gap");
        NS_TEST_EXPECT_MSG_EQ(load.nCalibration, n, "wrong number of calibration flows");
        const double between = workload.flows.back().startNs - workload.flows.front().startNs;
        NS_TEST_EXPECT_MSG_EQ_TOL(load.spanNs, between * n / (n - 1), 2, "wrong span");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.realised.maxLoad,
                                  largest(payload) * 8e9 / load.spanNs,
                                  1e-9,
                                  "wrong payload load");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.realised.maxWireLoad,
                                  largest(wire) * 8e9 / load.spanNs,
                                  1e-9,
                                  "wrong wire load");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.realised.meanSizeBytes, bytes / n, 1e-6, "wrong mean size");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.realised.rateBps,
                                  bytes * 8e9 / load.spanNs,
                                  1,
                                  "wrong realised rate");
    }
    // in an incast the receiver's link takes all flows
    DcnWorkloadSpec incast;
    incast.matrix = "incast:9";
    incast.load = 0.3;
    const DcnLoadReport load = DcnWorkload::Generate(topology, incast).load;
    NS_TEST_EXPECT_MSG_EQ(load.hottestShare, 1, "all flows go to the receiver");
    NS_TEST_EXPECT_MSG_EQ_TOL(load.offeredRateBps, 3e9, 1e-3, "0.3 of 10 Gb/s");

    // an exact load multiplies the times between starts by realised / asked, and nothing else
    DcnWorkloadSpec exact;
    exact.startNs = 1'000'000;
    const DcnWorkload drawn = DcnWorkload::Generate(topology, exact);
    exact.exactLoad = true;
    const DcnWorkload stretched = DcnWorkload::Generate(topology, exact);
    const double stretch = drawn.load.realised.maxLoad / exact.load;
    NS_TEST_EXPECT_MSG_EQ(stretched.load.stretch, stretch, "factor");
    NS_TEST_EXPECT_MSG_EQ(drawn.load.stretch, 1, "none");
    NS_TEST_EXPECT_MSG_EQ_TOL(stretched.load.realised.maxLoad, exact.load, 1e-12, "the load asked");
    for (std::size_t i = 0; i < drawn.flows.size(); ++i)
    {
        const double afterNs = static_cast<double>(drawn.flows[i].startNs - exact.startNs);
        NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(stretched.flows[i].startNs - exact.startNs),
                                  afterNs * stretch,
                                  0.5,
                                  "start of flow " << i);
        NS_TEST_ASSERT_MSG_EQ(stretched.flows[i].sizeBytes, drawn.flows[i].sizeBytes, "size");
    }
    exact.nFlows = 0;
    exact.durationNs = 1'000'000;
    DCN_TEST_EXPECT_ERROR(DcnWorkload::Generate(topology, exact),
                          "an exact load needs a number of flows: a duration leaves no room to "
                          "stretch starts");
}

/**
 * @param a some flows
 * @param b others
 * @return number of flows that are the same in all but the start
 */
std::size_t
CountSame(const std::vector<DcnFlow>& a, const std::vector<DcnFlow>& b)
{
    std::size_t same = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    {
        same += a[i].id == b[i].id && a[i].src == b[i].src && a[i].dst == b[i].dst &&
                a[i].sizeBytes == b[i].sizeBytes;
    }
    return same;
}

/// Flows: ids in order of starts, the paths of DcnRouting, the same flows for the same seed;
/// another load changes starts in proportion and nothing else; caps and starts are kept; rounding
/// to nanoseconds does not add up even where a gap is shorter than a nanosecond.
DCN_TEST_CASE(FlowsTestCase, "generated flows")
{
    auto topology = DcnBuildTopology(DcnFabricParameters());
    for (bool perSource : {false, true})
    {
        DcnWorkloadSpec spec;
        spec.matrix = "database";
        spec.sigma = 2;
        spec.perSource = perSource;
        spec.nFlows = 5000;
        spec.startNs = 7'000'000;
        spec.ecmpSeed = 9;
        const DcnWorkload first = DcnWorkload::Generate(topology, spec);
        const DcnWorkload again = DcnWorkload::Generate(topology, spec);
        const DcnRouting routing(topology, 9);
        NS_TEST_ASSERT_MSG_EQ(first.flows.size(), 5000, "wrong number of flows");
        NS_TEST_ASSERT_MSG_EQ(first.paths.GetN(), 5000, "wrong number of paths");
        NS_TEST_EXPECT_MSG_EQ(CountSame(first.flows, again.flows), 5000, "not reproducible");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(first.flows.front().startNs, 7'000'000, "early flow");
        if (!perSource)
        {
            NS_TEST_EXPECT_MSG_EQ(first.flows.front().startNs, 7'000'000, "wrong first start");
        }
        for (std::size_t i = 0; i < first.flows.size(); ++i)
        {
            const DcnFlow& flow = first.flows[i];
            NS_TEST_EXPECT_MSG_EQ(flow.id, i, "ids do not count up");
            NS_TEST_EXPECT_MSG_EQ(flow.startNs, again.flows[i].startNs, "not reproducible");
            if (i > 0)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(flow.startNs,
                                            first.flows[i - 1].startNs,
                                            "flows are not in the order of their starts");
            }
            std::vector<uint32_t> path;
            routing.AppendPath(flow, path);
            const bool same = std::equal(path.begin(),
                                         path.end(),
                                         first.paths.Get(i).begin(),
                                         first.paths.Get(i).end());
            NS_TEST_EXPECT_MSG_EQ(same, true, "not the path of the routing");
        }
        spec.load = 0.25;
        const DcnWorkload slow = DcnWorkload::Generate(topology, spec);
        NS_TEST_EXPECT_MSG_EQ(CountSame(first.flows, slow.flows), 5000, "load changes flows");
        NS_TEST_EXPECT_MSG_EQ_TOL(slow.flows.back().startNs - 7e6,
                                  2 * (first.flows.back().startNs - 7e6),
                                  2,
                                  "half the load is twice the time");
        spec.seed = 2;
        const auto other = DcnWorkload::Generate(topology, spec).flows;
        NS_TEST_EXPECT_MSG_LT(CountSame(first.flows, other), 50, "the seed changes nothing");
    }

    DcnWorkloadSpec capped;
    capped.sizeCapBytes = 10'000;
    capped.nFlows = 20'000;
    const DcnWorkload small = DcnWorkload::Generate(topology, capped);
    uint64_t largest = 0;
    DcnMoments sizes;
    for (const DcnFlow& flow : small.flows)
    {
        largest = std::max(largest, flow.sizeBytes);
        sizes.Add(flow.sizeBytes);
    }
    NS_TEST_EXPECT_MSG_EQ(largest, 10'000, "wrong largest size");
    NS_TEST_EXPECT_MSG_EQ_TOL(small.load.meanSizeBytes,
                              sizes.GetMean(),
                              DCN_TEST_SIGMAS * sizes.GetError(),
                              "wrong mean with a cap");

    // flows of one byte: a mean gap of 0.06 ns
    DcnWorkloadSpec dense;
    dense.sizes = "constant:1";
    dense.nFlows = 100'000;
    const DcnWorkload many = DcnWorkload::Generate(topology, dense);
    NS_TEST_EXPECT_MSG_LT(many.load.meanGapNs, 0.2, "gaps are not short");
    NS_TEST_EXPECT_MSG_EQ_TOL(many.flows.back().startNs,
                              100'000 * many.load.meanGapNs,
                              DCN_TEST_SIGMAS * std::sqrt(100'000.0) * many.load.meanGapNs,
                              "rounding adds up");

    DcnWorkloadSpec timed;
    timed.nFlows = 0;
    timed.durationNs = 30'000'000;
    timed.startNs = 5'000'000;
    const DcnWorkload during = DcnWorkload::Generate(topology, timed);
    const double expected = timed.durationNs / during.load.meanGapNs;
    NS_TEST_EXPECT_MSG_EQ_TOL(during.flows.size(),
                              expected,
                              DCN_TEST_SIGMAS * std::sqrt(expected) + 1,
                              "wrong number of flows in the duration");
    NS_TEST_EXPECT_MSG_LT(during.flows.back().startNs, 35'000'000, "late flow");
    NS_TEST_EXPECT_MSG_EQ(during.load.nCalibration,
                          10'000 * topology->GetNLinks(),
                          "wrong number of test pairs");

    DcnWorkloadSpec single;
    single.nFlows = 1;
    const DcnWorkload one = DcnWorkload::Generate(topology, single);
    NS_TEST_EXPECT_MSG_EQ(one.flows.size(), 1, "wrong number of flows");
    NS_TEST_EXPECT_MSG_EQ_TOL(one.load.spanNs, one.load.meanGapNs, 1e-9, "wrong span");
}

/// Every number out of its range is refused with a sentence that names it.
DCN_TEST_CASE(BadWorkloadTestCase, "bad workloads are refused")
{
    auto topology = DcnBuildTopology(DcnFabricParameters());
    DcnWorkloadSpec spec;
    auto refuse = [&](auto& parameter, auto value, const std::string& sentence) {
        const auto good = parameter;
        parameter = value;
        DCN_TEST_EXPECT_ERROR(DcnWorkload::Generate(topology, spec), sentence);
        parameter = good;
    };
    refuse(spec.load,
           1.0,
           "the load must be below 1, the capacity of the most loaded link, but it is 1");
    refuse(spec.load,
           1.7,
           "the load must be below 1, the capacity of the most loaded link, but it is 1.7");
    refuse(spec.load, 0.0, "the load must be above 0, but it is 0");
    refuse(spec.load, -0.5, "the load must be above 0, but it is -0.5");
    refuse(spec.load, std::nan(""), "the load must be above 0, but it is nan");
    refuse(spec.load, 1e-15, "at the load 1e-15 flows would start after more than 2^63 ns");
    refuse(spec.nFlows,
           0,
           "the number of flows is 0 and no duration is given, so there is no flow");
    refuse(spec.nFlows,
           2'000'000'000,
           "at most 1000000000 flows can be generated, but 2000000000 are asked for");
    refuse(spec.durationNs,
           1000,
           "either a number of flows or a duration can be given, but there are 2000 flows and "
           "1000 ns");
    refuse(spec.startNs, -1, "the start must not be before 0, but it is -1 ns");
    refuse(spec.sigma, -1.0, "sigma must be a number from 0 (Poisson) to 4, but it is -1");
    refuse(spec.sigma, 5.0, "sigma must be a number from 0 (Poisson) to 4, but it is 5");
    refuse(spec.seed,
           uint64_t{1} << 40,
           "the seed 1099511627776 is above the largest seed 4294967295");
    refuse(spec.sizes,
           "exp:0",
           "sizes exp:0: THETA must be a number from 2600 to 100000, but it is \"0\"");
    refuse(spec.matrix,
           "incast:32",
           "matrix incast:32: N must be a whole number from 1 to 31 (hosts less one), but it is "
           "\"32\"");
    spec.nFlows = 0;
    refuse(spec.durationNs, -5, "the duration must be above 0, but it is -5 ns");
    spec.sizes = "constant:1";
    spec.matrix = "incast:1"; // a byte each 1.6 ns is half of 10 Gb/s
    refuse(spec.durationNs,
           int64_t{1'600'000'000'000},
           "about 1e+12 flows would start within 1600000000000 ns, but at most 1000000000 can "
           "be generated");
    DcnTopologyBuilder builder;
    for (int island = 0; island < 2; ++island)
    {
        const uint32_t host = builder.AddNode(DcnNodeKind::HOST);
        builder.AddLink(host, builder.AddNode(DcnNodeKind::SWITCH), 1'000'000'000, 0);
    }
    topology = builder.Build();
    spec = DcnWorkloadSpec();
    spec.matrix = "permutation";
    const std::string sentence = DcnSentenceOf([&]() { DcnWorkload::Generate(topology, spec); });
    const bool named = sentence == "flow 0: host 2 cannot be reached from host 0" ||
                       sentence == "flow 0: host 0 cannot be reached from host 2";
    NS_TEST_EXPECT_MSG_EQ(named, true, "another sentence: " << sentence);
}

DcnTestSuite<CalibrationTestCase,
             LoadReportTestCase,
             FlowsTestCase,
             BadWorkloadTestCase>
    g_dcnWorkloadTestSuite("dcn-workload"); //!< the suite

} // namespace
